#' The path object
#'
#' Every fitter of this package returns a `transfer_path`: the models of a whole path, from the
#' empty one (step 0) on. These verbs work on all of them.
#'
#' @section Which model: `step` names models on the path: numbers from 0 to the last step;
#'   `"average"`, where the method averages (the mean of the models of steps 1, 2, ..., or what its
#'   page says); `"best"`, where a criterion chooses one of several that are averaged; or `NULL`, the
#'   method's own choice (`object$best`). Where a fit has several values of `lambda`, the first is
#'   meant unless `lambda` says another; `NULL` is then the last step of that path.
#'
#' @section Components:
#' \describe{
#'   \item{`beta`}{coefficients on the original scale, columns of the design (features, then
#'     sources) x points, a `dgCMatrix`; for more than two classes a list of one for each. Row
#'     names are those of the columns, `NULL` where they have none.}
#'   \item{`a0`}{intercepts, one for each point; a list for more than two classes.}
#'   \item{`points`}{data frame, one row for each column of `beta`: `step`, `lambda` (`NA` where
#'     the ridges are the method's).}
#'   \item{`responses`}{names of the responses where there are several; `beta` and `a0` are then
#'     lists as for classes.}
#'   \item{`steps`}{data frame, one row for each step (and class, and `lambda`): what entered and
#'     what it gained; the columns are described with each method.}
#'   \item{`best`}{the default `step`.}
#'   \item{`named`}{where models beside the path have a word as `step`: a list of these by the word,
#'     each with `beta` and `a0`.}
#'   \item{`lambda`, `ridge`, `rule`, `settings`}{what the fit was asked for, or chose.}
#'   \item{`nobs`, `family`, `classes`}{rows of positive weight; the kind of response: `"gaussian"`
#'     (numbers), `"binomial"` (two classes) or `"multinomial"` (more), whatever the loss; levels of
#'     a factor response.}
#'   \item{`center`, `scale`}{of the columns that entered: named numbers (a matrix with one column
#'     for each class where there are more than two).}
#'   \item{`fitted`, `residuals`}{at the default step; responses with two classes are coded -1, 1.
#'     Of a logistic model (`logistic` is `TRUE`): probabilities, and indicators of the classes less
#'     these.}
#'   \item{`target`, `by`}{what [cv_path()] holds out unless told otherwise: rows of the domain
#'     `target` where there is one, else whole domains where `by` is `"domain"`, else rows.}
#'   \item{`blueprint`, `sources`}{what turns new data into a design matrix: names, levels and
#'     contrasts, and the source models that entered. No training row is kept.}
#'   \item{`call`, `na.action`}{as in [lm()].}
#'   \item{`left_out`}{`NULL`, or where rows were incomplete a list: the number of rows there were
#'     (`of`), that of `incomplete` ones, and the `domains` without a complete row.}
#' }
#' A saved fit predicts in a new session once the package is loaded.
#'
#' @param object,x,formula A fitted path.
#' @param step,lambda Which model, see below.
#' @param class For more than two classes: the class whose coefficients are wanted, or `NULL` for
#'   all.
#' @param newdata New rows: matrix, `dgCMatrix` or data frame. Columns are matched by name; others
#'   are ignored; missing ones and new levels are errors where the models asked for use them (of a
#'   formula other than `y ~ .` and of [pieces()] all columns are wanted). Unnamed columns only if
#'   the fit had none.
#' @param sources New predictions of the sources (matrix, columns by name) where the fit was given
#'   predictions; not needed where it was given models.
#' @param type `"response"`: the prediction on the scale of `fitted()`, for a factor the score, of a
#'   logistic model the probability (of two classes the second's); `"link"`: the score, of a
#'   logistic model too (of two classes the log odds); `"class"`: the class, a factor (the default
#'   for factor responses; ties go to the lower level); `"coefficients"` and `"nonzero"`: as
#'   `coef()` and `variable.names()`.
#' @param digits Digits to print.
#' @param n The number of rows of the table of steps to print.
#' @param ... Not used; anything given is an error.
#' @returns `coef()`: for one step a named vector, intercept first; for several a `dgCMatrix`, one
#'   column for each step; for more than two classes a list of these, named by class.
#'
#' `predict()`: for one step a vector of n numbers or a factor, for several a matrix with a column
#' for each step (a data frame of factors for classes); scores and probabilities of C > 2 classes:
#' n x C, or n x C x steps. Names of the rows of `newdata` (of a data frame, its row names) are
#' names of the result; so are those of the data in `fitted()` and `residuals()`, as [lm()] has it.
#' A row with a missing value in a column that is used gives `NA`.
#'
#' Of a [tlcp()] with a `family` `logLik()`, `deviance()`, [AIC()] and [BIC()] are of the target's true
#' likelihood (of a Cox model the partial one, its deviance minus twice the logarithm), `df` being the
#' trace of the target's share of the curvature: without borrowing the number of coefficients.
#' `residuals()` are of `type` `"deviance"` or `"response"` (of a Cox model martingale residuals),
#' `predict(type = "response")` is the probability, the rate or the hazard relative to the target's
#' means, and `type = "survival"` the probability of living beyond `times`, rows x times, by the
#' target's baseline hazard.
#'
#' `family()`: the family of the loss that was minimised. Classes fitted by least squares to -1 and
#' 1 give `"gaussian"`, since their scores are no probabilities; `object$family` says what kind of
#' response it was.
#'
#' `logLik()`: the Gaussian log-likelihood of the squared loss, its variance the mean squared
#' residual, with `df` the trace of the smoother plus one; so [AIC()] and [BIC()] work. Of classes
#' fitted by squares all three are errors: -1 and 1 are not Gaussian. `deviance()`: the residual sum
#' of squares, weights scaled to sum to n. `df.residual()`: n less the trace of the smoother.
#' `sigma()`: the residual standard deviation, the root of `deviance()` divided by
#' `df.residual()`, so that after least squares on the chosen columns it is that of [lm()]
#' (with weights too, if they sum to n). It does not account for the selection of the columns and
#' is therefore too small. Both are errors for more than two classes and of logistic models.
#' `variable.names()`: names of the columns with a coefficient. `fitted()`, `residuals()`: at the
#' default step.
#' @references Each method's page names its source.
#' @examples
#' fit <- greedytl(mpg ~ ., data = mtcars)
#' fit
#' coef(fit, step = 2)
#' predict(fit, mtcars[1:3, ], step = 1:3)
#' AIC(fit)
#' variable.names(fit, step = 3)
#' @name transfer_path
NULL

# The one constructor. `...` are the components; frame gives what it can.
new_path <- function(class, ..., frame) {
  parts <- list(..., ordered = is.ordered(frame$y), blueprint = frame$blueprint,
                domains = levels(frame$domain),
                na.action = frame$na.action, left_out = frame$left_out)
  needed <- c("beta", "a0", "points", "steps", "best", "nobs", "family", "fitted", "residuals")
  if (!all(needed %in% names(parts))) cli::cli_abort("A path lacks components.", .internal = TRUE)
  labels <- frame_row_names(frame)
  if (!is.null(labels)) {
    labels <- as.character(labels)
    parts$fitted <- with_row_names(parts$fitted, labels)
    parts$residuals <- with_row_names(parts$residuals, labels)
  }
  class(parts) <- c(class, "transfer_path")
  parts
}

# ---- which model ------------------------------------------------------------------------------

path_steps <- function(object, lambda = NULL) path_points(object, lambda)$step

# Are the scores those of a logistic model, so that softmax() makes them probabilities?
is_logistic <- function(object) isTRUE(object$logistic)

# Are they those of classes coded 0 and 1, where other paths have -1 and 1?
one_hot <- function(object) isTRUE(object$one_hot)

# Classes fitted by squares to -1 and 1 (or 0 and 1) have scores, but neither probabilities nor a
# likelihood.
classes_by_squares <- function(object) object$family != "gaussian" && !is_logistic(object)

# Is there an average over the steps of each lambda? Not where a method names its models by words,
# `named`: these stand beside the path.
path_average <- function(object) identical(object$best, "average") && is.null(object$named)

is_named_step <- function(object, step) {
  is.character(step) && length(step) == 1 && step %in% names(object$named)
}

# The rows of `points` of one lambda.
path_points <- function(object, lambda = NULL, call = rlang::caller_env()) {
  points <- object$points
  lambda <- lambda %||% object$best_lambda %||% points$lambda[1]
  if (is.atomic(lambda) && is.na(lambda[1])) return(points)
  known <- unique(points$lambda)
  at <- if (is.numeric(lambda) && length(lambda) == 1) {
    which(abs(known - lambda) <= 1e-10 * abs(lambda))
  }
  if (length(at) != 1) {
    if (all(is.na(known))) {
      abort_input("{.arg lambda} is {.val {lambda}}, but this path has no lambda.", "lambda",
                  i = if (is.null(object$ridge)) "Leave it out: {.arg step} names a model." else
                    "The ridges of the fit are in {.code $ridge}.", call = call)
    }
    abort_input("{.arg lambda} is {.val {lambda}}.", "lambda",
                i = "The fit has {.val {known}}.", call = call)
  }
  points[!is.na(points$lambda) & points$lambda == known[at], , drop = FALSE]
}

# The method's choice, for another lambda than the first the last step of its path.
default_step <- function(object, lambda, call) {
  if (path_average(object) || is.null(lambda)) return(object$best)
  points <- path_points(object, lambda, call)
  known <- unique(object$points$lambda)
  own <- if (is_named_step(object, object$best)) known[length(known) == 1] else
    object$best_lambda %||% known[1]
  if (points$lambda[1] %in% own) object$best else max(points$step)
}

check_step <- function(object, step, lambda, call) {
  step <- step %||% default_step(object, lambda, call)
  if (is_named_step(object, step)) return(step)
  known <- path_points(object, lambda, call)$step
  last <- max(known)
  if (identical(step, "average") && is.null(object$named)) {
    if (path_average(object)) return(step)
    abort_input("{.arg step} is {.val average}, but this method does not average its path.", "step",
                i = "Give numbers from 0 to {last}.", call = call)
  }
  if (!is.numeric(step) || !length(step) || anyNA(step) || any(!step %in% known)) {
    words <- if (path_average(object)) "average" else names(object$named)
    choices <- if (length(words)) " or {.or {.val {words}}}" else ""
    give <- if (length(known) == last + 1) "Give whole numbers from 0 to {last}" else
      "The fit has kept {.val {known}}: see {.arg record}"
    abort_input("{.arg step} is {.val {step}}.", "step", i = paste0(give, choices, "."),
                call = call)
  }
  as.integer(step)
}

responses <- function(object) {
  object$responses %||% if (object$family == "multinomial") object$classes else "y"
}

# The coefficient matrix (columns of Z x steps) and intercepts of one response.
path_coef <- function(object, step, lambda, response, call = rlang::caller_env()) {
  step <- check_step(object, step, lambda, call)
  many <- path_is_multi(object)
  if (is_named_step(object, step)) {
    model <- object$named[[step]]
    if (!many) return(list(beta = model$beta, a0 = model$a0, step = step))
    return(list(beta = model$beta[[response]], a0 = model$a0[[response]], step = step))
  }
  points <- path_points(object, lambda, call)
  beta <- if (many) object$beta[[response]] else object$beta
  a0 <- if (many) object$a0[[response]] else object$a0
  here <- match(paste(points$step, points$lambda), paste(object$points$step, object$points$lambda))
  if (identical(step, "average")) {
    at <- match(points$lambda[1], object$lambda)
    mean <- lapply(object$average[c("beta", "a0")], function(x) if (many) x[[response]] else x)
    return(list(beta = mean$beta[, at, drop = FALSE], a0 = mean$a0[at], step = step))
  }
  take <- here[match(step, points$step)]
  list(beta = beta[, take, drop = FALSE], a0 = a0[take], step = step)
}

# Names of columns j of Z (all of them without j).
term_names <- function(object, j = NULL) {
  total <- if (is.list(object$beta)) nrow(object$beta[[1]]) else nrow(object$beta)
  j <- j %||% seq_len(total)
  p <- object$blueprint$p
  out <- character(length(j))
  out[j <= p] <- column_labels(object$blueprint$columns, j[j <= p])
  out[j > p] <- source_label(object$sources, j[j > p] - p)
  out
}

# ---- coefficients -----------------------------------------------------------------------------

#' @rdname transfer_path
#' @export
coef.transfer_path <- function(object, step = NULL, lambda = NULL, class = NULL, ...) {
  check_arguments()
  call <- rlang::current_env()
  wanted <- check_class(object, class, call)
  models <- lapply(stats::setNames(nm = wanted), function(response) {
    path_coef(object, step, lambda, response, call)
  })
  coef_shape(models, object, one = !is.null(class))
}

# Models as path_coef() gives them -> what coef() returns.
coef_shape <- function(models, object, one) {
  names <- c("(Intercept)", term_names(object))
  out <- lapply(models, function(at) {
    if (length(at$a0) == 1) {
      return(stats::setNames(c(at$a0, as.vector(at$beta)), names))
    }
    both <- rbind(methods::as(matrix(at$a0, 1), "CsparseMatrix"), at$beta)
    dimnames(both) <- list(names, at$step)
    both
  })
  if (path_is_multi(object) && !one) out else out[[1]]
}

check_class <- function(object, class, call) {
  if (is.null(class)) return(responses(object))
  if (!path_is_multi(object) || length(class) != 1 || !class %in% responses(object)) {
    mend <- if (path_is_multi(object)) "Name one of {.val {responses(object)}}." else
      "Coefficients by class exist for more than two classes."
    abort_input("{.arg class} is {.val {class}}.", "class", i = mend, call = call)
  }
  as.character(class)
}

#' @rdname transfer_path
#' @export
variable.names.transfer_path <- function(object, step = NULL, lambda = NULL, ...) {
  check_arguments()
  call <- rlang::current_env()
  used <- lapply(responses(object), function(response) {
    beta <- path_coef(object, step, lambda, response, call)$beta # an error here keeps its class
    which(Matrix::rowSums(beta != 0) > 0)
  })
  term_names(object, sort(unique(unlist(used))))
}

# ---- what the fit says of itself --------------------------------------------------------------

#' @rdname transfer_path
#' @export
fitted.transfer_path <- function(object, ...) {
  check_arguments()
  refuse_rowless(object, rlang::current_env())
  stats::napredict(object$na.action, object$fitted)
}

#' @rdname transfer_path
#' @export
residuals.transfer_path <- function(object, ...) {
  check_arguments()
  refuse_rowless(object, rlang::current_env())
  stats::naresid(object$na.action, object$residuals)
}

refuse_rowless <- function(object, call) {
  if (is.null(object$fitted)) {
    abort_input("This path was fitted from moments: there are no rows to fit.", "fitted",
                i = "Use {.fn predict} with {.arg newdata}.", call = call)
  }
}

#' @rdname transfer_path
#' @export
nobs.transfer_path <- function(object, ...) {
  check_arguments()
  object$nobs
}

#' @rdname transfer_path
#' @export
family.transfer_path <- function(object, ...) {
  check_arguments()
  if (classes_by_squares(object)) "gaussian" else object$family
}

#' @rdname transfer_path
#' @export
formula.transfer_path <- function(x, ...) {
  check_arguments()
  if (is.null(x$formula)) {
    abort_input("This path was fitted without a formula.", "formula", call = rlang::current_env())
  }
  x$formula
}

# rss and df of one model, for the verbs below.
model_size <- function(object, step, lambda, call) {
  if (path_is_multi(object) && !is_logistic(object)) {
    abort_input("One-vs-rest paths have no common likelihood.", "family",
                i = "See {.code $steps} for each class.", call = call)
  }
  if (is.null(object$steps$rss)) refuse_no_squares(call)
  step <- check_step(object, step, lambda, call)
  if (length(step) != 1) {
    abort_input("{.arg step} names {length(step)} models.", "step", i = "Give one.", call = call)
  }
  lambda <- path_points(object, lambda, call)$lambda[1]
  steps <- object$steps[is.na(lambda) | object$steps$lambda %in% lambda, , drop = FALSE]
  if (identical(step, "average")) {
    at <- match(lambda, object$lambda)
    return(c(rss = object$average$rss[at], df = object$average$df[at]))
  }
  at <- match(step[1], steps$step)
  c(rss = steps$rss[at], df = steps$df[at])
}

refuse_no_likelihood <- function(object, call) {
  if (classes_by_squares(object)) {
    abort_input("Classes fitted by least squares have no likelihood, hence no AIC or BIC.",
                "family", i = paste("Use {.fn cv_path} to compare models, {.fn deviance} for the",
                                    "sum of squares."), call = call)
  }
}

refuse_no_squares <- function(call) {
  abort_input("This path does not minimise a sum of squares.", "family",
              i = "Its losses are in {.code $steps}.", call = call)
}

# sqrt(rss / (n - df)); NaN where nothing is left beside rounding, as lm() has it.
residual_sd <- function(size, n) {
  left <- n - size[["df"]]
  sqrt(size[["rss"]] / if (isTRUE(left < 1e-8 * n)) NaN else left)
}

#' @rdname transfer_path
#' @export
deviance.transfer_path <- function(object, step = NULL, lambda = NULL, ...) {
  check_arguments()
  model_size(object, step, lambda, rlang::current_env())[["rss"]]
}

#' @rdname transfer_path
#' @export
logLik.transfer_path <- function(object, step = NULL, lambda = NULL, ...) {
  check_arguments()
  refuse_no_likelihood(object, rlang::current_env())
  size <- model_size(object, step, lambda, rlang::current_env())
  n <- object$nobs
  value <- object$log_weights / 2 - n / 2 * (log(2 * pi * size[["rss"]] / n) + 1)
  structure(value, df = size[["df"]] + 1, nobs = n, class = "logLik")
}

#' @rdname transfer_path
#' @export
df.residual.transfer_path <- function(object, step = NULL, lambda = NULL, ...) {
  check_arguments()
  object$nobs - model_size(object, step, lambda, rlang::current_env())[["df"]]
}

# stats' own counts coefficients, and those that are zero too.
#' @rdname transfer_path
#' @export
sigma.transfer_path <- function(object, step = NULL, lambda = NULL, ...) {
  check_arguments()
  residual_sd(model_size(object, step, lambda, rlang::current_env()), object$nobs)
}

# stats' own takes `step = 1` for another fit.
#' @export
#' @importFrom stats AIC
AIC.transfer_path <- function(object, ..., k = 2) {
  if (all_fits(list(...))) return(NextMethod())
  value <- stats::logLik(object, ...)
  k * attr(value, "df") - 2 * as.vector(value)
}

#' @export
#' @importFrom stats BIC
BIC.transfer_path <- function(object, ...) {
  if (all_fits(list(...))) return(NextMethod())
  value <- stats::logLik(object, ...)
  log(attr(value, "nobs")) * attr(value, "df") - 2 * as.vector(value)
}

all_fits <- function(others) all(vapply(others, is.object, NA) & !nzchar(rlang::names2(others)))
