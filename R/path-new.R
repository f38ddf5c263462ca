# A path of a method that is not of this package.

#' Make a path of your own method
#'
#' Cross-validates, compares and draws a method of your own: let your fitting function end with
#' `new_transfer_path("mine", data, beta, a0)` and give it to [cv_path()] as `fit`. All verbs of [transfer_path] work on
#' the result. You do not need it for a model of another package: [compare_paths()] takes these as they are. A path is a
#' sequence of models, the empty one first, given by their coefficients.
#'
#' [cv_path()] calls the fitting function with `data` as its first argument and the arguments in `...`, once for all
#' rows and once for the training rows of each fold. If there are many rows, [cv_path()] also tries the function on
#' [moments()] of the rows, see "Many rows" there; if the function fails on these, it is called with rows only. The
#' class needs no methods: the verbs of [transfer_path] ask [path_model()] and [path_worth()], for which you may write
#' methods. A method for your class, such as `print.best_subsets()`, is used before that of `transfer_path`.
#'
#' @param class The name of the method, and the first class of the result.
#' @param data What [cv_path()] gives the function: a list with, among others, the design `x` (a numeric matrix or
#'   `dgCMatrix`, factors coded, without a column of ones), the response `y` (numbers or a factor), and `weights` and
#'   `domain` of the rows, each `NULL` if there are none. `offset`, `strata` and `sources` are errors.
#' @param beta Coefficients on the scale of `data$x`: a matrix or `dgCMatrix` with one row per column of `data$x`
#'   (matched by name if both have names) and one column per step. For a factor of more than two classes a list of such
#'   matrices, one per class, in the order of the levels.
#' @param a0 Intercepts, one per step; for more than two classes a list of these.
#' @param ... More components of the path, by name: for example `by` or `target` (see [transfer_path]),
#'   and what your own methods need.
#' @param steps `NULL`, or a data frame with one row per step. Its columns are added to the table of steps, or replace
#'   those computed from `data`: `entered`, `size`, `df` and `rss` (of least squares; `df` is the number of
#'   coefficients, see `intercept`) and `loss` (mean square, or mean of minus the log-likelihood).
#' @param best The default step; `NULL`: the last.
#' @param link For a factor: `"logit"` for the scores of a logistic model (with two classes the
#'   log odds of the second), `"identity"` for predictions of classes coded -1 and 1.
#' @param labels Words for [print()] and the pictures: any of `title`, `lambda` and
#'   `size`, see [transfer_path].
#' @param intercept Was an intercept estimated? It then counts in `df`, as in [lm()]. `NULL`: yes, unless all of `a0`
#'   are 0. Give `TRUE` if estimated intercepts may be 0, as with a centred response, and `FALSE` if they were fixed.
#' @returns An object of class `c(class, "transfer_path")` with the components of [transfer_path]. Its steps are
#'   numbered from 0 in the order of the columns of `beta`. Errors name the argument whose type or length is wrong.
#' @references Hastie, Tibshirani & Friedman (2009), *The Elements of Statistical Learning*, 2nd
#'   edition, section 3.3: the best subsets of the example.
#' @seealso [transfer_path], [path_model()], [cv_path()]
#' @examplesIf rlang::is_installed("leaps")
#' best_subsets <- function(data, nvmax = 5) {
#'   found <- leaps::regsubsets(data$x, data$y, nvmax = nvmax)
#'   last <- min(nvmax, ncol(data$x))
#'   beta <- matrix(0, ncol(data$x), last + 1, dimnames = list(colnames(data$x), NULL))
#'   a0 <- rep(mean(data$y), last + 1)
#'   for (size in seq_len(last)) {
#'     b <- coef(found, size)
#'     beta[names(b)[-1], size + 1] <- b[-1]
#'     a0[size + 1] <- b[1]
#'   }
#'   new_transfer_path("best_subsets", data, beta, a0, labels = c(title = "Best subsets by leaps"))
#' }
#' set.seed(1)
#' cvf <- cv_path(mpg ~ ., data = mtcars, fit = best_subsets, nvmax = 6, nfolds = 5)
#' cvf
#' coef(cvf)
#' predict(cvf, mtcars[1:3, ])
#' plot(cvf)
#' fit <- cvf$fit
#' fit
#' tidy(fit, step = 2)
#' plot(fit)
#' AIC(fit, step = 3)
#' @export
new_transfer_path <- function(class, data, beta, a0, ..., steps = NULL, best = NULL,
                              link = "identity", labels = c(title = class), intercept = NULL) {
  call <- rlang::current_env()
  if (!rlang::is_string(class) || !nzchar(class)) {
    abort_value(class, "class", "Give the name of the method.", call)
  }
  if (inherits(data, "moments")) {
    abort_input("{.arg data} is a {.cls moments} object, and the path needs rows.", "data",
                i = "Give {.fn cv_path} rows: {.arg x}, a matrix or data frame, and {.arg y}.", call = call)
  }
  if (!inherits(data, "transfer_frame")) {
    abort_kind(data, "data", "Give what {.fn cv_path} gives the function as its first argument.", call)
  }
  if (class %in% c("transfer_path", "transfer_cv") || !is.null(arguments_methods_frame_method(class))) {
    abort_input("{.arg class} is {.val {class}}, a class of this package.", "class",
                i = "Give another name: the verbs of that class look for what your method does not have.", call = call)
  }
  link <- check_choice(link, c("identity", "logit"), "link", call)
  labels <- path_new_check_labels(labels, class, call)
  if (!is.null(intercept)) check_flag(intercept, "intercept", call)
  if (frame_is_mapped(data)) frame_map_refuse(data, class, call)
  data <- frame_as_family(data, NULL, call)
  if (is.matrix(data$y) && !likelihood_is_used(data$family)) response_abort_several(data$y, call)
  path_new_refuse_beside_columns(data, call)
  family <- response_family_of_frame(data)
  several <- family == "multinomial"
  responses <- if (several) levels(data$y) else "y"
  if (family == "gaussian") link <- "identity"
  logistic <- link == "logit"
  beta <- path_new_coefficients(beta, data, responses, several, call)
  a0 <- path_new_intercepts(a0, ncol(beta[[1L]]), responses, several, call)
  table <- path_new_steps(beta, a0, data = data, logistic = logistic, several = several, given = steps,
                          intercept = intercept, call = call)
  last <- ncol(beta[[1L]]) - 1L
  by_rule <- !is.null(best)
  best <- if (is.null(best)) last else check_number(best, "best", 0, call, TRUE, high = last)
  chosen <- path_new_fitted(beta, a0, best + 1, data, logistic)
  spread <- path_new_spread(beta, data)
  one_or_list <- function(x) path_object_one_or_list(x, several)
  given <- list(...)
  components <- list(
    beta = one_or_list(beta), a0 = one_or_list(a0), best = as.integer(best), chosen = by_rule, lambda = NA_real_,
    points = table_data_frame(list(step = 0:last, lambda = rep(NA_real_, last + 1L))), steps = table,
    nobs = frame_rows_count(data), family = family, classes = levels(data$y), link = link, labels = labels,
    center = spread$center, scale = spread$scale, fitted = chosen$fitted, residuals = chosen$residuals,
    log_weights = response_weights_log_term(data)
  )
  path_new_check_components(given, names(components), data, call)
  whole_sealed(do.call(path_object_new, c(list(class), components, given, list(frame = data))))
}

# Predictions of such a path use columns alone: an error for what predictions would need besides.
path_new_refuse_beside_columns <- function(data, call) {
  given <- c("offset", "sources", "strata")
  given <- given[!vapply(data[given], is.null, NA)]
  if (!length(given)) return(invisible())
  abort_input("{.arg {given}} {?is/are} given, which {.fn new_transfer_path} does not take.", given[1],
              i = "Leave {.arg {given}} out, or make columns of {?it/them}.", call = call)
}

# Checks the further components of a path. Those named in `taken_names` are made by new_transfer_path() itself.
path_new_check_components <- function(given, taken_names, data, call) {
  if (!rlang::is_named2(given)) {
    abort_input("{.arg ...} has a component without a name.", "dots", i = "Give each a name.", call = call)
  }
  taken <- c(names(given)[duplicated(names(given))], intersect(names(given), taken_names))
  if (length(taken)) {
    abort_input("{.arg ...} has {.val {taken}}, which {.fn new_transfer_path} makes itself or has twice.", "dots",
                i = "Give another name.", call = call)
  }
  domains <- levels(data$domain)
  target <- given$target
  if (!is.null(target) && !(rlang::is_string(target) && target %in% domains)) {
    abort_input("{.arg target} is {.val {target}}, which is not a domain of {.arg data}.", "target",
                i = if (length(domains)) "Give one of {.val {domains}}." else "Leave it out: there are no domains.",
                call = call)
  }
  if (!is.null(given$by)) check_choice(given$by, c("domain", "rows"), "by", call)
}

path_new_check_labels <- function(labels, class, call) {
  known <- names(DEFAULT_LABELS)
  if (!is.character(labels) || anyNA(labels) || !all(rlang::names2(labels) %in% known)) {
    abort_kind(labels, "labels", "Give words by name: {.or {.val {known}}}.", call)
  }
  if ("title" %in% names(labels)) labels else c(title = class, labels)
}

# A list of sparse matrices, one for each response, rows in the order of the columns of the design.
path_new_coefficients <- function(beta, data, names, several, call) {
  if (!several) beta <- list(beta)
  columns <- data$blueprint$columns
  wanted <- "Give a matrix with {ncol(data$x)} row{?s}, one for each column of {.code data$x}, and one
             column for each step{if (several) '; one matrix for each class'}."
  if (!is.list(beta) || length(beta) != length(names)) abort_kind(beta, "beta", wanted, call)
  coefficients <- lapply(beta, function(b) {
    if (!is.matrix(b) && !methods::is(b, "Matrix") || nrow(b) != ncol(data$x) || !ncol(b)) {
      abort_input("{.arg beta} is {.obj_type_friendly {b}} of {NROW(b)} row{?s} and {NCOL(b)}
                   column{?s}.", "beta", i = wanted, call = call)
    }
    if (!is.null(rownames(b)) && !is.null(columns)) {
      lacking <- setdiff(columns, rownames(b))
      if (length(lacking)) {
        abort_input("{.arg beta} has no row for {.val {utils::head(lacking, 5)}}.", "beta",
                    i = "Give a row for every column of {.code data$x}: they are matched by name.", call = call)
      }
      b <- b[columns, , drop = FALSE]
    }
    b <- methods::as(methods::as(methods::as(b, "dMatrix"), "generalMatrix"), "CsparseMatrix")
    if (!all(is.finite(b@x))) {
      abort_input("{.arg beta} has missing or infinite values.", "beta",
                  i = "Give 0 for columns that are not in the model.", call = call)
    }
    dimnames(b) <- list(columns, NULL)
    Matrix::drop0(b)
  })
  if (length(unique(vapply(coefficients, ncol, 0L))) > 1L) {
    abort_input("The classes of {.arg beta} have different numbers of steps.", "beta",
                i = "Repeat the last model of those that end early.", call = call)
  }
  stats::setNames(coefficients, names)
}

path_new_intercepts <- function(a0, count, names, several, call) {
  if (!several) a0 <- list(a0)
  good <- is.list(a0) && length(a0) == length(names) && all(vapply(a0, function(a) {
    is.numeric(a) && length(a) == count && all(is.finite(a))
  }, NA))
  if (!good) {
    abort_input("{.arg a0} does not fit {.arg beta}.", "a0",
                i = "Give {count} finite number{?s}, one for each step{if (several) ' of each class'}.",
                call = call)
  }
  stats::setNames(lapply(a0, as.double), names)
}

# Scores of the rows at `points`, for each response.
path_new_scores <- function(beta, a0, points, data) {
  Map(function(b, a) {
    as.matrix(data$x %*% b[, points, drop = FALSE]) + rep(a[points], each = nrow(data$x))
  }, beta, a0)
}

path_new_fitted <- function(beta, a0, points, data, logistic) {
  scores <- path_new_scores(beta, a0, points, data)
  coded <- response_matrix(data$y)
  if (logistic) {
    coded <- (coded + 1) / 2
    scores <- path_predict_class_probabilities(scores)
  }
  fitted <- matrix(unlist(scores, use.names = FALSE), nrow(coded), dimnames = list(NULL, colnames(coded)))
  if (ncol(coded) == 1L) dim(fitted) <- dim(coded) <- NULL
  list(fitted = fitted, residuals = coded - fitted)
}

# What entered at each step, and what the model there is worth on the rows.
path_new_steps <- function(beta, a0, data, logistic, several, given, intercept, call) {
  count <- ncol(beta[[1L]])
  w <- response_weights_or_ones(data)
  coded <- response_matrix(data$y)
  scores <- path_new_scores(beta, a0, seq_len(count), data)
  label <- labels_of_all_columns(data$blueprint)
  parts <- lapply(seq_along(beta), function(k) {
    inside <- as.matrix(beta[[k]] != 0)
    before <- inside[, c(1L, seq_len(count - 1L)), drop = FALSE]
    before[, 1L] <- FALSE
    size <- unname(colSums(inside))
    rss <- if (!logistic) colSums(w * (coded[, k] - scores[[k]])^2)
    steps <- list(class = rep(names(beta)[k], count), lambda = rep(NA_real_, count),
                step = seq_len(count) - 1L, entered = table_names_by_column(inside & !before, label),
                size = as.integer(size))
    c(steps, if (logistic) list(loss = path_new_logistic_loss(scores, data$y, w)) else
      list(df = size + (intercept %||% any(a0[[k]] != 0)), rss = rss, loss = rss / sum(w)))
  })
  table <- table_data_frame(table_stacked(parts))
  if (!several) table$class <- NULL
  if (is.null(given)) return(table)
  if (!is.data.frame(given) || nrow(given) != nrow(table)) {
    abort_input("{.arg steps} is {.obj_type_friendly {given}} of {NROW(given)} row{?s}.", "steps",
                i = "Give a data frame with {nrow(table)} row{?s}, one for each step.", call = call)
  }
  table[setdiff(names(given), c("class", "lambda", "step"))] <-
    given[setdiff(names(given), c("class", "lambda", "step"))]
  table
}

# Mean of minus the log-likelihood, by step.
path_new_logistic_loss <- function(scores, y, w) {
  vapply(seq_len(ncol(scores[[1L]])), function(step) {
    response_scores_log_loss(y, vapply(scores, function(score) score[, step], numeric(length(y))), w)
  }, 0)
}

# Mean and standard deviation of the columns that some model uses; a column for each class where several.
path_new_spread <- function(beta, data) {
  used <- table_distinct_columns(unlist(lapply(beta, function(b) b@i + 1L)))
  spread <- response_weights_column_spread(as.matrix(data$x[, used, drop = FALSE]),
                                           response_weights_sum_one(response_weights_or_ones(data)))
  lapply(spread, function(value) {
    names(value) <- labels_of_columns(data$blueprint$columns, used)
    if (length(beta) == 1L) return(value)
    matrix(value, length(value), length(beta), dimnames = list(names(value), names(beta)))
  })
}
