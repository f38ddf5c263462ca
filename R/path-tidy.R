# Data frames out of a path: tidy(), glance(), augment(), as.data.frame().

#' @importFrom generics tidy
#' @export
generics::tidy

#' @importFrom generics glance
#' @export
generics::glance

#' @importFrom generics augment
#' @export
generics::augment

#' Data frames from a fitted path
#'
#' `tidy()` gives the coefficients, one row each; `glance()` one row about the whole fit;
#' `augment()` new data with its predictions beside it; `as.data.frame()` the table of steps. All
#' return plain data frames.
#'
#' Coefficients are on the original scale of the columns, as [coef()][stats::coef] gives them. For
#' a factor with more than two levels there is one path a class, and `tidy()` has a column `class`.
#'
#' @param x A fitted path, for example from [greedytl()].
#' @param step Which steps: for `tidy()` any of 0, 1, ..., K and `"average"`, or `NULL` for all
#'   numbered steps; for `augment()` one step, or `NULL` for the default model of the fit.
#' @param lambda Which penalties, for a fit with several: `NULL` for all of them.
#' @param return_zeros Also give a row to coefficients that are zero?
#' @param newdata A data frame or matrix with the columns of the fit. The response may be there.
#' @param sources Predictions of the sources on the rows of `newdata`, needed when the fit was
#'   given predictions and not models.
#' @param row.names,optional Ignored; there because the generic has them.
#' @param ... Must be empty.
#' @return A data frame.
#'
#' * `tidy()`: columns `class` (several classes only), `term`, `type` (`"intercept"`, `"feature"` or
#'   `"source"`), `step` (integer; character as soon as `"average"` is asked for), `lambda`,
#'   `estimate`.
#' * `glance()`: one row with `rule`, `family`, `nobs`, `features` and `sources` (columns to choose
#'   from), `steps` (length of the path) and, for the default model, `step`, `size` (columns with a
#'   nonzero coefficient, in any class), `df`, `rss`, `logLik`, `AIC`, `BIC`. What the fit does not
#'   define is `NA`.
#' * `augment()`: `newdata` with, for a numeric response, `.fitted` and, where `newdata` holds the
#'   response, `.resid`; for a factor with two levels `.fitted` (the score, positive for the second
#'   level) and `.pred_class`; for more levels a score `.fitted_<level>` each, and `.pred_class`.
#' * `as.data.frame()`: the table of steps, a row a step (and class, and lambda).
#' @seealso [plot.transfer_path()]
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(40 * 6), 40, dimnames = list(NULL, paste0("x", 1:6)))
#' y <- x[, 1] - x[, 2] + rnorm(40)
#' sources <- cbind(clinic_a = x[, 1] + rnorm(40, sd = .3), clinic_b = rnorm(40))
#' fit <- greedytl(x, y, sources = sources)
#' tidy(fit, step = "average")
#' glance(fit)
#' head(augment(fit, x, sources = sources), 3)
#' head(as.data.frame(fit), 3)
#' @name tidy.transfer_path
NULL

#' @rdname tidy.transfer_path
#' @export
tidy.transfer_path <- function(x, step = NULL, lambda = NULL, return_zeros = FALSE, ...) {
  rlang::check_dots_empty()
  if (!rlang::is_bool(return_zeros)) {
    abort_input("{.arg return_zeros} must be {.code TRUE} or {.code FALSE}.", "return_zeros",
                call = rlang::current_env())
  }
  out <- path_estimates(x, step = step, lambda = lambda, zeros = return_zeros)
  columns <- c("class", "term", "type", "step", "lambda", "estimate")
  out[if (path_is_multi(x)) columns else columns[-1L]]
}

#' @rdname tidy.transfer_path
#' @export
glance.transfer_path <- function(x, ...) {
  rlang::check_dots_empty()
  log_lik <- tryCatch(stats::logLik(x), error = function(cnd) NA_real_)
  n_obs <- stats::nobs(x)
  df <- attr(log_lik, "df") %||% NA_real_
  value <- as.numeric(log_lik)
  estimates <- path_estimates(x, step = x$best, lambda = path_lambdas(x)[1L])
  types <- path_types(x)
  data.frame(
    rule = x$rule %||% NA_character_,
    family = x$family,
    nobs = n_obs,
    features = sum(types == "feature"),
    sources = sum(types == "source"),
    steps = max(x$points$step),
    step = as.character(x$best),
    size = length(unique(estimates$term[estimates$type != "intercept"])),
    df = df,
    rss = tryCatch(sum(stats::deviance(x)), error = function(cnd) NA_real_),
    logLik = value,
    AIC = 2 * df - 2 * value,
    BIC = log(n_obs) * df - 2 * value
  )
}

#' @rdname tidy.transfer_path
#' @export
augment.transfer_path <- function(x, newdata, sources = NULL, step = NULL, ...) {
  rlang::check_dots_empty()
  if (missing(newdata)) {
    abort_input(
      "{.arg newdata} is missing.", "newdata",
      i = "A fit keeps no training rows: give the data again.", call = rlang::current_env()
    )
  }
  if (length(step) > 1L) {
    abort_input(
      "{.arg step} has {length(step)} values.", "step",
      i = "Give one step, or {.code NULL}.", call = rlang::current_env()
    )
  }
  out <- as.data.frame(if (inherits(newdata, "Matrix")) as.matrix(newdata) else newdata)
  ask <- function(type) {
    stats::predict(x, newdata, sources = sources, step = step, type = type)
  }
  score <- ask("link")
  if (path_is_multi(x)) {
    out[paste0(".fitted_", colnames(score))] <- as.data.frame(score)
  } else {
    out$.fitted <- as.vector(score)
  }
  if (!is.null(x$classes)) {
    out$.pred_class <- ask("class")
    return(out)
  }
  observed <- response_of(x, out)
  if (!is.null(observed)) {
    out$.resid <- observed - out$.fitted
  }
  out
}

#' @rdname tidy.transfer_path
#' @export
as.data.frame.transfer_path <- function(x, row.names = NULL, optional = FALSE, ...) {
  x$steps
}

# The response of a formula fit in `data`; NULL when it is not there.
response_of <- function(x, data) {
  response <- tryCatch(stats::formula(x), error = function(cnd) NULL)
  if (!rlang::is_formula(response, lhs = TRUE)) {
    return(NULL)
  }
  left <- rlang::f_lhs(response)
  if (!all(all.vars(left) %in% names(data))) {
    return(NULL)
  }
  as.vector(eval(left, data, rlang::f_env(response)))
}

# ---- what every data frame and plot is made from ----

path_is_multi <- function(x) is.list(x$beta)

# "feature" or "source" for each row of beta: sources are the last rows.
path_types <- function(x) {
  n <- nrow(if (path_is_multi(x)) x$beta[[1L]] else x$beta)
  n_sources <- length(x$sources$names)
  rep(c("feature", "source"), c(n - n_sources, n_sources))
}

path_terms <- function(x) {
  beta <- if (path_is_multi(x)) x$beta[[1L]] else x$beta
  rownames(beta) %||% paste0("V", seq_len(nrow(beta)))
}

# The classes asked for, or NA for a fit with a single path.
path_classes <- function(x, class = NULL, call = rlang::caller_env()) {
  if (!path_is_multi(x)) {
    if (!is.null(class)) {
      abort_input(
        "{.arg class} is for fits with more than two classes.", "class",
        i = "This fit has one path: leave {.arg class} out.", call = call
      )
    }
    return(NA_character_)
  }
  known <- names(x$beta)
  unknown <- setdiff(as.character(class), known)
  if (length(unknown) > 0L) {
    abort_input(
      "{.arg class} has {.val {unknown}}, not {cli::qty(unknown)}{?a class/classes} of the fit.", "class",
      i = "The classes are {.val {known}}.", call = call
    )
  }
  if (is.null(class)) known else as.character(class)
}

path_lambdas <- function(x, lambda = NULL, call = rlang::caller_env()) {
  known <- unique(x$points$lambda)
  if (is.null(lambda)) {
    return(known)
  }
  near <- lapply(lambda, function(l) which(abs(known - l) <= 1e-8 * abs(known)))
  if (!is.numeric(lambda) || any(lengths(near) == 0L)) {
    abort_input(
      "{.arg lambda} has {.val {lambda[lengths(near) == 0L]}}, which the fit does not.", "lambda",
      i = if (anyNA(known)) "This fit has no lambda: its ridge is in {.code x$ridge}." else "The fit has {.val {known}}.", call = call
    )
  }
  known[unlist(near)]
}

# One row per coefficient: class, term, type, step, lambda, estimate. Nonzero ones and the
# intercept, or all of them.
path_estimates <- function(x, step = NULL, lambda = NULL, class = NULL, zeros = FALSE,
                           call = rlang::caller_env()) {
  classes <- path_classes(x, class, call)
  lambdas <- path_lambdas(x, lambda, call)
  step <- path_which_steps(x, step, call)
  parts <- list()
  for (cl in classes) {
    for (l in lambdas) {
      parts[[length(parts) + 1L]] <- one_path_estimates(x, cl, l, step, zeros)
    }
  }
  out <- do.call(rbind, parts)
  if (!"average" %in% step) {
    out$step <- as.integer(out$step)
  }
  out
}

one_path_estimates <- function(x, class, lambda, step, zeros) {
  term <- c("(Intercept)", path_terms(x))
  type <- c("intercept", path_types(x))
  columns <- lapply(step, function(s) path_column(x, class, lambda, s))
  if (zeros) {
    row <- rep(seq_along(term), length(columns))
    estimate <- unlist(lapply(columns, function(b) replace(numeric(length(term)), b$row, b$value)))
  } else {
    row <- unlist(lapply(columns, `[[`, "row"))
    estimate <- unlist(lapply(columns, `[[`, "value"))
  }
  times <- if (zeros) length(term) else lengths(lapply(columns, `[[`, "row"))
  data.frame(
    class = class, term = term[row], type = type[row], step = rep(as.character(step), times),
    lambda = lambda, estimate = estimate, stringsAsFactors = FALSE
  )
}

# Intercept (row 1, always) and nonzero coefficients of one model, read from the sparse columns.
path_column <- function(x, class, lambda, step) {
  multi <- path_is_multi(x)
  if (identical(as.character(step), "average")) {
    all <- as.numeric(stats::coef(x, step = step, lambda = if (!is.na(lambda)) lambda,
                                  class = if (multi) class))
    row <- unique(c(1L, which(all != 0)))
    return(list(row = row, value = all[row]))
  }
  beta <- if (multi) x$beta[[class]] else x$beta
  a0 <- if (multi) x$a0[[class]] else x$a0
  j <- which(x$points$step == as.integer(step) & x$points$lambda %in% lambda)
  at <- seq_len(beta@p[j + 1L] - beta@p[j]) + beta@p[j]
  at <- at[beta@x[at] != 0]
  list(row = c(1L, beta@i[at] + 2L), value = c(a0[[j]], beta@x[at]))
}

# NULL means every numbered step; otherwise each must be a step of the path or "average".
path_which_steps <- function(x, step = NULL, call = rlang::caller_env()) {
  known <- sort(unique(as.integer(x$points$step)))
  if (is.null(step)) {
    return(known)
  }
  unknown <- step[!as.character(step) %in% c(as.character(known), "average")]
  if (length(unknown) > 0L) {
    abort_input(
      "{.arg step} has {.val {unknown}}, which the path does not.", "step",
      i = "Steps run from 0 to {max(known)}; {.val average} averages them.", call = call
    )
  }
  step
}
