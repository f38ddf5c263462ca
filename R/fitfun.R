# Stability selection by the package stabs.

#' A fit function for stability selection
#'
#' Makes any method of this package a selection function for the package stabs: `stabs::stabsel(x, y, fitfun =
#' transelect_fitfun(greedytl), q = 5, PFER = 1)`. Stability selection repeats a selection on random halves of the rows
#' and counts how often each feature is among the first `q`. Use stabs to choose `q`, or the frequency needed, so that
#' the expected number of false selections stays below a bound. Otherwise [selection_frequency()] does the same without
#' another package.
#'
#' The function fits the path to the rows that it is given and takes the last step with at most `q` features. Sources
#' may be selected, too. They are not counted, and the table of stabs does not show them, since it lists only the
#' columns of `x`. Give sources as models or functions: predictions belong to rows and are refused.
#'
#' With domains, a random half has fewer rows of each domain. A domain with a single row is left out of that half.
#'
#' @param fit A method of this package, or a function of `x` and `y` that calls one,
#'   as for [cv_path()].
#' @param domain For methods with domains: the domain of each row, a vector named by the row names of
#'   the `x` that `stabsel()` is given. Without names its elements belong to rows named 1, 2, 3, ...
#' @param ... Further arguments of `fit`, such as `rule`, `target`, or `sources` as models.
#' @returns A function of `x`, `y`, `q` and `...`, as stabs requires. It returns a list of `selected`, a
#'   logical vector named by the columns of `x`, and `path`, a logical matrix of columns by steps.
#' @references Meinshausen, N. and Buehlmann, P. (2010). Stability selection. *Journal of the Royal
#'   Statistical Society B* 72, 417-473. \doi{10.1111/j.1467-9868.2010.00740.x}
#'
#'   Hofner, B., Boccuto, L. and Goeker, M. (2015). Controlling false discoveries in high-dimensional
#'   situations: boosting with stability selection. *BMC Bioinformatics* 16, 144.
#'   \doi{10.1186/s12859-015-0575-3}
#' @seealso [selection_frequency()], which also shows the posterior probabilities of [msplit()].
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(60 * 8), 60, dimnames = list(NULL, paste0("x", 1:8)))
#' y <- x[, 1] + x[, 2] + rnorm(60)
#' transelect_fitfun(greedytl)(x, y, q = 2)$selected
#' if (requireNamespace("stabs", quietly = TRUE)) {
#'   stabs::stabsel(x, y, fitfun = transelect_fitfun(greedytl), q = 3, cutoff = .75, B = 10,
#'                  papply = lapply)
#' }
#' # three domains: rows are named, so that the domains of a half are found
#' rownames(x) <- 1:60
#' domain <- setNames(rep(c("a", "b", "c"), each = 20), rownames(x))
#' transelect_fitfun(tgreedy, domain = domain)(x[1:50, ], y[1:50], q = 2)$selected
#' @export
transelect_fitfun <- function(fit = greedytl, domain = NULL, ...) {
  call <- rlang::current_env()
  if (!is.function(fit)) {
    abort_kind(fit, "fit",
               "Give a method of this package, {.code fit = greedytl}, or a function of {.arg x} and {.arg y} that
                calls one.", call)
  }
  settings <- list(...)
  fitfun_check_settings(fit, settings, sys.nframe(), call)
  if (is.matrix(settings$sources) || is.data.frame(settings$sources) || is.numeric(settings$sources)) {
    abort_input("{.arg sources} are predictions, which cannot be matched to a part of the rows.", "sources",
                i = "Give a list of models or functions.", call = call)
  }
  if (!is.null(domain) && is.null(names(domain))) names(domain) <- seq_along(domain)
  function(x, y, q, ...) {
    call <- rlang::current_env()
    if (is.data.frame(x)) x <- stats::model.matrix(~ . - 1, x)
    if (is.character(y)) y <- factor(y) # stabs turns a factor into its labels
    with_domain <- if (!is.null(domain)) list(domain = fitfun_domain_of_rows(domain, x, call))
    path <- do.call(fit, c(list(x, y), with_domain, settings, list(...)))
    if (inherits(path, "transfer_path")) cv_user_fit_refuse_more_rows(path, nrow(x), call)
    used <- selection_frequency_used_by_step(path, labels_of_columns(colnames(x), seq_len(ncol(x))), call)
    list(selected = selection_frequency_used_within(used, q), path = used)
  }
}

# Refuses arguments that `fit` does not take, before stabs calls it. caller: the number of the frame of `call`.
fitfun_check_settings <- function(fit, settings, caller, call) {
  method <- Find(function(name) identical(get0(name, topenv()), fit), fitfun_methods())
  known <- unlist(lapply(c(".default", ".transfer_frame"), function(kind) {
    if (!is.null(method)) names(formals(get(paste0(method, kind), topenv())))
  }))
  if (is.null(method)) known <- names(formals(args(fit)))
  if (is.null(method) && "..." %in% known) return(invisible())
  unknown <- which(!rlang::names2(settings) %in% setdiff(known, "..."))
  if (!length(unknown)) return(invisible())
  name <- rlang::names2(settings)[unknown[1]]
  if (!nzchar(name)) arguments_refuse_unnamed(settings[[unknown[1]]], caller, call, known)
  if (!is.null(method)) {
    arguments_control_refuse(name, settings[[unknown[1]]], get(paste0(method, ".transfer_frame"), topenv()), call)
  }
  arguments_refuse(name, caller, call, setdiff(known, c("x", "y", "...")))
}

# The names of the fitters of this package.
fitfun_methods <- function() {
  sub("[.]transfer_frame$", "", grep("^[a-z]+[.]transfer_frame$", ls(topenv()), value = TRUE))
}

fitfun_domain_of_rows <- function(domain, x, call) {
  rows <- rownames(x)
  missing <- setdiff(rows, names(domain))
  if (is.null(rows) || length(missing)) {
    what <- if (is.null(rows)) "{.arg x} has no row names."
            else "{.arg domain} has no element named {.val {missing[1]}}, the name of a row of {.arg x}."
    abort_input(what, "domain",
                i = "Name the rows of {.arg x}, and the elements of {.arg domain} like them: halves of the
                     rows are matched by name.", call = call)
  }
  unname(domain[rows])
}
