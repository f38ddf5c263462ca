#' Source hypotheses
#'
#' Gathers what was learnt elsewhere - models, functions or their predictions - into one object
#' that fitters such as [greedytl()] take as `sources`. A source is a black box: only its
#' prediction for each row of the target data is used.
#'
#' Predictions given as a matrix are used as they are, and new ones must be given to [predict()].
#' Models and functions are asked for predictions when they are needed, of the training rows and
#' of new data, and receive the data as the fitter received it: `x`, or the rows of `data` used
#' with a formula. The randomised variant of [greedytl()] asks only the sources that it draws, so
#' that a million functions cost nothing until then.
#'
#' @param x A numeric matrix, data frame or `dgCMatrix` of predictions (one row a target row, one
#'   column a source), or a list of models and functions. A function is called with the data and
#'   returns one number a row. Other models go through their `predict()` method: on the link scale
#'   for `glm`, `glmnet` and `cv.glmnet` (at its `lambda.1se`) and for fits of this package.
#' @param predict `NULL`, or a `function(model, newdata)` that returns one number a row, used for
#'   every model in the list.
#' @returns An object of class `transfer_sources`: a list with `values` (matrix of predictions, or
#'   `NULL`), `models` (list, or `NULL`), `predict`, `names` (one a source; `source1`, `source2`,
#'   ... where none were given) and `n_sources`.
#' @section Errors: a source that fails, or returns something other than one finite number a row, is
#'   an error that names it, as are two sources of one name.
#' @references Kuzborskij, Orabona and Caputo (2017), section 3, \doi{10.1016/j.cviu.2016.09.003}.
#' @examples
#' # three models of fuel use learnt on heavy cars, to be used on light ones
#' heavy <- mtcars[mtcars$wt > 3, ]
#' light <- mtcars[mtcars$wt <= 3, ]
#' old <- sources(list(
#'   weight = lm(mpg ~ wt, heavy),
#'   engine = lm(mpg ~ hp + disp, heavy),
#'   rule   = function(d) 40 - 5 * d$wt
#' ))
#' old
#' fit <- greedytl(mpg ~ wt + hp + qsec, data = light, sources = old)
#' coef(fit)
#' @export
sources <- function(x, predict = NULL) {
  if (missing(x)) {
    abort_input("{.arg x} is missing.", "sources",
                i = "Give predictions, models or functions.", call = rlang::current_env())
  }
  make_sources(x, predict, call = rlang::current_env())
}

make_sources <- function(x, predict = NULL, call) {
  if (inherits(x, "transfer_sources")) return(x)
  if (!is.null(predict) && !is.function(predict)) {
    abort_input("{.arg predict} is {.obj_type_friendly {predict}}.", "sources",
                i = "Give a {.code function(model, newdata)}.", call = call)
  }
  if (is.matrix(x) || is.data.frame(x) || is(x, "Matrix")) return(value_sources(x, call))
  if (is_model(x)) x <- list(x)
  if (!is.list(x)) {
    abort_input("{.arg sources} is {.obj_type_friendly {x}}.", "sources",
                i = "Give a matrix of predictions or a list of models or functions.", call = call)
  }
  check_models(x, call)
  if (!is.null(names(x))) names(x)[names(x) == ""] <- paste0("source", which(names(x) == ""))
  check_names(names(x), "sources", call)
  names <- names(x) %||% if (length(x) <= 1000) paste0("source", seq_along(x))
  new_sources(models = x, predict = predict, names = names, n_sources = length(x))
}

new_sources <- function(values = NULL, models = NULL, predict = NULL, names, n_sources) {
  structure(
    list(values = values, models = models, predict = predict, names = names,
         n_sources = n_sources),
    class = "transfer_sources"
  )
}

value_sources <- function(x, call) {
  if (is.data.frame(x)) {
    numbers <- vapply(x, is.numeric, NA)
    if (!all(numbers)) {
      abort_input("{.arg sources} has columns that are not numeric: {.val {names(x)[!numbers]}}.",
                  "sources", i = "Give one column of predictions for each source.", call = call)
    }
    x <- as.matrix(x)
    rownames(x) <- NULL
  }
  x <- as_design_matrix(x, "sources", call)
  check_names(colnames(x), "sources", call)
  names <- colnames(x) %||% paste0("source", seq_len(ncol(x)))
  new_sources(values = x, names = names, n_sources = ncol(x))
}

# A fitted model is anything with a class, or a function.
is_model <- function(x) is.function(x) || (is.object(x) && !is.factor(x))

# Long lists are looked at when they are drawn.
check_models <- function(models, call) {
  if (length(models) > 10000) return(invisible())
  wrong <- which(!vapply(models, is_model, NA))
  if (length(wrong)) {
    it <- models[[wrong[1]]]
    abort_input("Source {wrong[1]} is {.obj_type_friendly {it}}.", "sources",
                i = "Give models with a {.fn predict} method or functions.", call = call)
  }
}

as_sources <- function(sources, n, call) {
  if (is.null(sources)) return(NULL)
  sources <- make_sources(sources, call = call)
  if (sources$n_sources == 0) return(NULL)
  if (!is.null(sources$values) && nrow(sources$values) != n) {
    abort_input("{.arg sources} has {nrow(sources$values)} row{?s}, the data {n}.", "sources",
                i = "Give the predictions of every source for every row.", call = call)
  }
  sources
}

source_rows <- function(sources, i) {
  if (!is.null(sources$values)) sources$values <- sources$values[i, , drop = FALSE]
  sources
}

source_names <- function(sources) sources$names

source_label <- function(sources, j) {
  if (is.null(sources$names)) paste0("source", j) else sources$names[j]
}

# Must the models still be asked?
needs_raw <- function(sources) !is.null(sources$models) && is.null(sources$values)

# ---- asking models ----------------------------------------------------------------------------

# Predictions of source j for the rows of `newdata`, one finite number a row (NA where `missing`
# rows are allowed).
ask_source <- function(sources, j, newdata, n, call, allow_missing = FALSE) {
  label <- source_label(sources, j)
  model <- sources$models[[j]]
  ask <- sources$predict %||% predict_source
  value <- tryCatch(
    ask(model, newdata),
    error = function(e) {
      message <- conditionMessage(e)
      abort_input("Source {.val {label}} could not predict.", "sources", x = "{message}",
                  call = call)
    }
  )
  if (is.matrix(value) || is(value, "Matrix")) {
    if (ncol(value) == 1) value <- as.vector(value)
  }
  if (!is.numeric(value) || length(value) != n || !is.null(dim(value))) {
    abort_input(
      "Source {.val {label}} returned {.obj_type_friendly {value}} of length {length(value)} for
       {n} row{?s}.", "sources",
      i = "A source must return one number a row; {.arg predict} of {.fn sources} says how.",
      call = call
    )
  }
  if (!allow_missing && !all(is.finite(value))) {
    wrong <- sum(!is.finite(value))
    abort_input("Source {.val {label}} returned {wrong} value{?s} that {?is/are} not finite.",
                "sources", i = "All predictions must be finite numbers.", call = call)
  }
  as.double(value)
}

predict_source <- function(model, newdata) {
  if (is.function(model)) return(model(newdata))
  if (inherits(model, c("transfer_path", "transfer_cv"))) {
    return(stats::predict(model, newdata, type = "link"))
  }
  if (inherits(model, c("glmnet", "cv.glmnet"))) return(predict_glmnet(model, newdata))
  if (!is.data.frame(newdata)) newdata <- as.data.frame(as.matrix(newdata))
  if (inherits(model, "glm")) return(stats::predict(model, newdata, type = "link"))
  stats::predict(model, newdata)
}

# glmnet takes columns by position; here by name where both have names.
predict_glmnet <- function(model, newdata) {
  rlang::check_installed("glmnet", "to predict from a source fitted by it")
  beta <- if (inherits(model, "cv.glmnet")) model$glmnet.fit$beta else model$beta
  if (is.data.frame(newdata)) {
    newdata <- as.matrix(newdata[intersect(rownames(beta), names(newdata))])
  }
  if (all(rownames(beta) %in% colnames(newdata))) {
    newdata <- newdata[, rownames(beta), drop = FALSE]
  }
  stats::predict(model, newx = newdata, type = "link")
}

evaluated_sources <- function(sources, raw, n, call) {
  columns <- lapply(seq_len(sources$n_sources), function(j) ask_source(sources, j, raw, n, call))
  sources$values <- matrix(unlist(columns), nrow = n, ncol = sources$n_sources,
                           dimnames = list(NULL, sources$names))
  sources
}

#' @export
print.transfer_sources <- function(x, ...) {
  check_arguments()
  kind <- if (is.null(x$models)) "predictions" else "models or functions"
  cat("Sources: ", x$n_sources, " (", kind, ")\n", sep = "")
  shown <- utils::head(source_label(x, seq_len(min(x$n_sources, 8))), 8)
  more <- if (x$n_sources > 8) ", ..."
  cat(strwrap(paste0(paste(shown, collapse = ", "), more), prefix = "  "), sep = "\n")
  invisible(x)
}
