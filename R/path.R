#' The path object
#'
#' Every fitter of this package returns a `transfer_path`: a sequence of models, of which step 0 is the
#' empty one. These verbs work on all of them.
#'
#' @section Which model: `step` names models on the path: numbers from 0 to the last step;
#'   `"average"`, where the method averages models (those of steps 1, 2, ..., unless its
#'   page says otherwise); `"best"`, where the method averages models and a criterion chooses one of them; or `NULL` or
#'   `"default"`, the method's own choice (`object$best`; in `tidy()` `NULL` means all steps). Where
#'   a fit has several values of `lambda`, the first is
#'   meant unless `lambda` is given; `NULL` is then the last step of the path of that `lambda`.
#'
#' @section Components:
#' \describe{
#'   \item{`beta`}{coefficients on the original scale, columns of the design (features, then
#'     sources) x points, a `dgCMatrix`; for more than two classes a list of one for each. Row
#'     names are those of the columns, `NULL` where they have none.}
#'   \item{`a0`}{intercepts, one for each point; a list for more than two classes.}
#'   \item{`points`}{data frame, one row for each column of `beta`: `step`, `lambda` (`NA` where
#'     the method chooses its ridge weights itself).}
#'   \item{`responses`}{names of the responses where there are several; `beta` and `a0` are then
#'     lists as for classes.}
#'   \item{`steps`}{data frame, one row for each step (and class, and `lambda`): what entered and
#'     what it gained; the columns are described with each method.}
#'   \item{`best`}{the default `step`.}
#'   \item{`average`, `named`}{models beside the path, where a method has them: `average` is that of
#'     `step = "average"` (`beta` and `a0`, by `lambda`); `named` is a list of such models, named by the word that
#'     `step` takes for them.}
#'   \item{`lambda`, `ridge`, `rule`, `settings`}{what the fit was asked for, or chose.}
#'   \item{`nobs`, `family`, `classes`}{rows of positive weight; the kind of response: `"gaussian"`
#'     (numbers), `"binomial"` (two classes) or `"multinomial"` (more), whatever the loss; levels of
#'     a factor response.}
#'   \item{`center`, `scale`}{of the columns that entered: named numbers (a matrix with one column
#'     for each class where there are more than two).}
#'   \item{`link`, `coding`}{what the scores are: `"identity"`, predictions of the response, where classes are
#'     coded as the two numbers `coding` (not this class, this class); `"logit"`, log odds; `"log"`,
#'     logarithms of rates or hazards.}
#'   \item{`fitted`, `residuals`}{at the default step; responses with two classes are coded -1, 1.
#'     Where the `link` is `"logit"`: probabilities, and indicators of the classes minus the probabilities.}
#'   \item{`calibration`}{`NULL`, or the coefficients a and b of the probabilities plogis(a + b score) of
#'     classes: arrays `points` and `average`, by class and model.}
#'   \item{`labels`}{words for print and pictures: `title` of the method, the name of `lambda`, what `size` counts.}
#'   \item{`target`, `by`}{what [cv_path()] holds out unless told otherwise: rows of the domain
#'     `target` where there is one, else whole domains where `by` is `"domain"`, else rows.}
#'   \item{`blueprint`, `sources`}{how new data become a design matrix: names, levels and
#'     contrasts, and the source models that entered. No training row is kept.}
#'   \item{`call`, `na.action`}{as in [lm()].}
#'   \item{`left_out`}{`NULL`, or where rows were incomplete a list: the number of rows there were
#'     (`of`), that of `incomplete` ones, and the `domains` without a complete row.}
#' }
#' A saved fit predicts in a new session once the package is loaded. [new_transfer_path()] makes such an
#' object from the coefficients of a method of your own.
#'
#' @param object,x,formula A fitted path.
#' @param step,lambda Which model, see below.
#' @param class For more than two classes: the class whose coefficients are wanted, or `NULL` for
#'   all.
#' @param newdata New rows: matrix, `dgCMatrix` or data frame. Columns are matched by name; columns that the fit
#'   does not know are ignored. Missing columns and new levels are errors where the models asked for use them
#'   (with a formula other than `y ~ .` and with [pieces()] all columns are needed). Columns without names are
#'   taken only where those of the fit had none.
#' @param sources New predictions of the sources (matrix, columns by name) where the fit was given
#'   predictions; not needed where it was given models.
#' @param type `"response"`: the prediction on the scale of `fitted()`; for classes fitted by least squares the
#'   score, for a logistic model the probability (with two classes of the second); `"link"`: the linear
#'   predictor (with two classes of a logistic model the log odds of the second); `"class"`: the class, a factor (the
#'   default for factor responses; ties go to the lower level); `"coefficients"` and `"nonzero"`: as
#'   `coef()` and `variable.names()`; `"prob"`: probabilities (with two classes of the second): for a
#'   logistic model as `"response"`, for classes fitted by least squares calibrated ones, where the fit has
#'   `prob = TRUE` or is from [cv_path()].
#' @param offset For a [tlcp()] with an offset that is not in `newdata`: a number for each row.
#' @param times For `type = "survival"` of a Cox model: the times.
#' @param digits Digits to print.
#' @param n The number of rows of the table of steps to print: NULL for 21, with [tlcp()] 31.
#' @param ... Arguments that a method has beside `step` and `lambda`, see [path_model()]: for
#'   [tlcp()] the `domain` whose model is wanted, for [msplit()] `t`, `nu` and `estimator`. Others are
#'   errors.
#' @returns `coef()`: for one step a named vector, intercept first; for several a `dgCMatrix`, one
#'   column for each step; for more than two classes a list of these, named by class.
#'
#' `predict()`: for one step a vector of n numbers or a factor, for several a matrix with a column
#' for each step (a data frame of factors for classes); scores and probabilities of C > 2 classes:
#' n x C, or n x C x steps. The result has the row names of `newdata`; `fitted()` and `residuals()` have those of
#' the data, as in [lm()]. A row with a missing value in a column that is used gives `NA`.
#'
#' `fitted()`, `residuals()`: at the default step. `variable.names()`: names of the columns whose coefficient is
#' not zero.
#'
#' `logLik()`: the Gaussian log-likelihood with the mean squared residual as its variance; its `df` is the trace of
#' the matrix that maps the response to the fitted values, plus one. [AIC()] and [BIC()] use it. For classes
#' fitted by least squares all three are errors, since -1 and 1 are not Gaussian. They are also errors for a fit to
#' [moments()] that lack the product of the rows' weights (a database without logarithms). The weights of a [tgreedy()]
#' fit are those that give every domain the same total. `deviance()`: the residual sum
#' of squares, weights scaled to sum to n. `df.residual()`: n minus that trace.
#' `sigma()`: the residual standard deviation, the root of `deviance()` divided by
#' `df.residual()`; after least squares on the chosen columns it is that of [lm()]
#' (with weights too, if they sum to n). It does not account for the selection of the columns and
#' is therefore too small. `df.residual()` and `sigma()` are errors for more than two classes and for logistic
#' models.
#'
#' For a [tlcp()] with a `family`, `logLik()`, `deviance()`, [AIC()] and [BIC()] are of the target's true
#' likelihood (of a Cox model the partial likelihood; the deviance is minus twice its logarithm). Their `df` is the
#' trace of the target's share of the curvature: without borrowing the number of coefficients.
#' `residuals()` are of `type` `"deviance"`, `"pearson"` (not for a Cox model) or `"response"` (for a Cox
#' model martingale residuals).
#' `predict(type = "response")` is the probability, the rate, or the hazard relative to that at the target's
#' means; `type = "survival"` is the probability of surviving beyond `times`, rows x times, by the
#' target's baseline hazard. The `"lp"` and `"risk"` of [survival::coxph()] are `"link"` and `"response"` here;
#' minus the logarithm of `"survival"` is its `"expected"`, the expected number of events. `survfit()` is an error.
#'
#' `predict()` has no `se.fit`: a prediction depends on which columns were chosen, and no formula takes that
#' into account. For a [tlcp()] fit of columns decided on beforehand, with `V <- vcov(fit)` and
#' `X <- model.matrix(fit, newdata)[, rownames(V)]`, the standard errors of the linear predictor are
#' `sqrt(rowSums((X %*% V) * X))`.
#'
#' `model.matrix()`: the design of the rows of `data`, which must be given, as a fit keeps no rows; for the same
#' reason `model.frame()` is an error.
#'
#' `family()`: the family of the loss that was minimised, an object as [stats::family()] returns (for
#' more than two classes and a Cox model a list of `family` and `link` only). Classes fitted
#' by least squares to -1 and 1 have that of [gaussian()], since their scores are no probabilities;
#' `object$family` says what kind of response it was. `formula()` and `terms()`: for a fit by formula, with a
#' `.` written out where it stands for 500 variables or fewer. Packages that need these, such
#' as insight and marginaleffects, work on a fit; `generics::required_pkgs()` returns `"transelect"`.
#' @references The page of each method has its references.
#' @examples
#' fit <- greedytl(mpg ~ ., data = mtcars)
#' fit
#' coef(fit, step = 2)
#' predict(fit, mtcars[1:3, ], step = 1:3)
#' AIC(fit)
#' variable.names(fit, step = 3)
#' @name transfer_path
NULL

# The one constructor. `...` are components; others are taken from the frame. The defaults of `link`, `coding` and
# `labels` are those of most methods.
new_path <- function(class, ..., link = "identity", coding = c(-1, 1), labels = character(), frame) {
  frame <- unclass(frame) # whose elements are then found faster
  words <- DEFAULT_LABELS
  words[names(labels)] <- labels
  parts <- list(..., link = link, coding = coding, labels = words,
                ordered = is.ordered(frame$y), blueprint = frame$blueprint,
                domains = levels(frame$domain),
                na.action = frame$na.action, left_out = frame$left_out)
  if (anyNA(match(PATH_PARTS, names(parts)))) cli::cli_abort("A path lacks components.", .internal = TRUE)
  if (!has_rows(frame)) parts[c("fitted", "residuals")] <- list(NULL)
  for (lost in c("weights", "sources")) { # arguments that refit() needs again
    if (!is.null(frame[[lost]])) parts$settings$lost <- c(parts$settings$lost, lost)
  }
  labels <- frame_row_names(frame)
  if (!is.null(labels)) {
    labels <- as.character(labels)
    by_row <- intersect(c("fitted", "residuals", "deviance_residuals", "pearson_residuals"), names(parts))
    parts[by_row] <- lapply(parts[by_row], with_row_names, labels)
  }
  class(parts) <- c(class, "transfer_path")
  parts
}

DEFAULT_LABELS <- c(title = "", lambda = "lambda", size = "columns in the model")

PATH_PARTS <- c("beta", "a0", "points", "steps", "best", "nobs", "family", "fitted", "residuals") # of every path

# ---- descriptions of a fit --------------------------------------------------------------

#' @rdname transfer_path
#' @export
fitted.transfer_path <- function(object, ...) {
  check_arguments()
  refuse_rowless(object, rlang::current_env())
  stats::napredict(object$elsewhere %||% object$na.action, object$fitted)
}

#' @rdname transfer_path
#' @export
residuals.transfer_path <- function(object, type = NULL, ...) {
  call <- check_arguments()
  types <- c(if (!is.null(object$deviance_residuals)) "deviance", "response",
             if (!is.null(object$pearson_residuals)) "pearson")
  type <- check_choice(type %||% types[1], types, "type", call)
  refuse_rowless(object, call)
  value <- switch(type, deviance = object$deviance_residuals, pearson = object$pearson_residuals,
                  object$residuals)
  stats::naresid(object$elsewhere %||% object$na.action, value)
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

# Steps of each lambda, in the order of the lambdas; positions, not values, since a default lambda
# may depend on the number of rows.
steps_by_lambda <- function(points) {
  unname(split(points$step, match(points$lambda, unique(points$lambda))))
}

# For steps 0..end of a path that may have ended earlier and then repeats its last step: list(step: the steps to take,
# from 1 on; size: how many numbers each has; at: where these stand among those of steps 1, 2, ..., `size` of each).
step_places <- function(size, end) {
  k <- length(size)
  step <- c(0:k, rep.int(k, end - k)) + 1L
  here <- c(0L, size)[step]
  list(step = step, size = here, at = sequence(here, cumsum(c(1L, 0L, size))[step]))
}

# ---- what its responses and scores are ------------------------------------------------------------

# Are the scores those of a logistic model, so that softmax() makes them probabilities?
is_logistic <- function(object) identical(object$link, "logit")

# Classes fitted by squares to the two numbers of `coding` have scores, but neither probabilities nor
# a likelihood.
classes_by_squares <- function(object) {
  object$family != "gaussian" && identical(object$link, "identity")
}

# The scores of classes fitted by squares on the scale of classes coded -1 and 1.
scores_of_signs <- function(object, score) {
  if (!classes_by_squares(object)) return(score)
  (2 * score - sum(object$coding)) / diff(object$coding)
}

responses <- function(object) {
  object$responses %||% if (object$family == "multinomial") object$classes else "y"
}

path_is_multi <- function(x) length(responses(x)) > 1L

# Components of a path are lists by response where there are several responses. From component to list and back:
one_or_list <- function(parts, several) if (several) parts else parts[[1]]

by_response <- function(parts) if (is.list(parts)) parts else list(parts)

# The part of one response.
of_response <- function(parts, response) if (is.list(parts)) parts[[response]] else parts

# ---- the path as a source of another fit, see sources-adapters.R ---------------------------------

#' @export
source_says.transfer_path <- function(model, scale) {
  if (classes_by_squares(model)) "score of class %s" else NextMethod()
}

#' @export
source_classes.transfer_path <- function(model) if (model$family != "gaussian") model$classes

# path: the path whose prediction, or whose cross-validation's, the model gives.
#' @export
predict_source.transfer_path <- function(model, newdata, scale, path = model) {
  if (path$family == "gaussian") return(stats::predict(model, newdata, type = "response"))
  if (is_logistic(path)) return(class_scale(stats::predict(model, newdata, type = "response"), scale))
  scores_of_signs(path, stats::predict(model, newdata, type = "link"))
}

# ---- the same method with the same settings, fitted to other rows --------------------------------

#' Fit a path again to other rows
#'
#' Fits the method of a path to other rows, with the settings of the path and with its columns, coded as in
#' the path.
#'
#' [update()][stats::update] instead evaluates the call anew, with the arguments that are to differ, and gives the same
#' coefficients where the new rows are coded as those of the path were. `update(fit, data = )` takes from the new data
#' the levels of factors, the classes, what terms such as `poly(x, 2)` and `scale(x)` compute of the rows, and the
#' variables that a `.` stands for; `refit()` has those of the path. `update()` follows the `subset`, `na.action` and
#' `sources` of the call, and its result has the new call; `refit()` leaves out the incomplete rows and no others, needs
#' sources again, and keeps the call of the path. For a path without a call, as within a function that [cv_path()]
#' runs, `update(fit, data, ...)` is `refit(fit, data, ...)`.
#'
#' A setting that was left to its default is chosen anew from the new rows, for example a ridge by evidence.
#' A path does not keep sources, rows without a response, or weights that no formula finds in `data`: where the fit had
#' them, they must be given again, or as `NULL`. Classes that the path does not know are an error.
#' Thresholds of [stumps()] are taken from the new rows; the centres and radii of [pieces()] are those of the path.
#'
#' @param path A fitted path.
#' @param data The new rows, in a form that [predict()] takes; for a path fitted by formula with the response,
#'   the weights and the domains. Rows with a missing value are left out. Or [moments()] of the columns of the path. A
#'   `refit()` method that you write for a path of your own must also take as `data` what [cv_path()] gives
#'   a fitting function, with `points`, and return a path.
#' @param y For a path fitted to a matrix or data frame: the response of the rows.
#' @param weights,domain,sources,offset,strata As for the fitter, a value for each row. For a path fitted by formula all
#'   but `sources` are found in `data`.
#' @param points NULL, or for a path with times (of [msplit()]) its component `points`: the path of the new rows is
#'   then computed at these times, and no model on it is chosen.
#' @param ... Settings that are to differ.
#' @returns A path of the same class.
#' @references The methods are those of the fitters; their pages have the references.
#' @seealso [path_model()], [new_transfer_path()]
#' @examples
#' first <- greedytl(mpg ~ ., data = mtcars[1:20, ], max_steps = 3)
#' second <- refit(first, mtcars[21:32, ])
#' cbind(first = coef(first, step = 3), second = coef(second, step = 3))
#' @export
refit <- function(path, ...) UseMethod("refit")

#' @rdname refit
#' @export
refit.transfer_path <- function(path, data, y = NULL, ..., weights = NULL, domain = NULL,
                                sources = NULL, offset = NULL, strata = NULL, points = NULL) {
  call <- rlang::current_env()
  method <- path_method(path)
  if (!is.null(points)) {
    if (is.null(path$points$t)) {
      abort_input("{.arg points} is given, and the path has steps, no times.", "points", i = "Leave it out.",
                  call = call)
    }
    check_points(points, call)
  }
  settings <- path$settings$given
  if (is.null(settings)) {
    abort_input("A path of {.fn {method}} keeps no settings to fit with again.", "path",
                i = "Write {.fn refit.{method}}, or call {.fn cv_path} with the new rows.", call = call)
  }
  again <- c(...names(), if (!missing(weights)) "weights", if (!missing(sources)) "sources")
  in_data <- if (inherits(data, "transfer_frame")) c("weights", "sources") else
    if (!is.null(path$formula) || inherits(data, "moments")) "weights"
  lost <- setdiff(path$settings$lost, c(again, in_data))
  if (length(lost)) {
    abort_input("The fit had {.arg {lost}}, which it does not keep.", lost,
                i = "Give {cli::qty(lost)}{?it/them} again, or {.code NULL} to fit without.", call = call)
  }
  given <- list(weights = weights, domain = domain, sources = sources, offset = offset, strata = strata)
  frame <- if (inherits(data, "transfer_frame")) {
    data
  } else if (inherits(data, "moments")) {
    refit_moments(path, data, c(list(y = y), given), call)
  } else {
    refit_frame(path, data, y, given, call)
  }
  settings[...names()] <- list(...)
  if (!is.null(points)) settings$points <- points
  fit <- do.call(method, c(list(quote(frame)), settings))
  fit[c("call", "formula", "offset")] <- path[c("call", "formula", "offset")]
  fit
}

# The fitter of a path, also of one to whose class a user has added: a method of this package, or a path of a user's.
path_method <- function(path) Find(function(class) !is.null(frame_method(class)), class(path)) %||% class(path)[1]

# The points of a path with times.
check_points <- function(points, call) {
  wanted <- c("step", "t", "lambda")
  columns <- is.data.frame(points) && all(wanted %in% names(points))
  if (!columns || !nrow(points) || !all(vapply(points[wanted], function(v) is.numeric(v) && all(is.finite(v)), NA)) ||
        any(points$t < 0) || any(points$lambda <= 0) || any(points$step %% 1 != 0)) {
    abort_input("{.arg points} is no table of the path's points.", "points",
                i = "Give {.code fit$points}, or rows of it: {.code step}, {.code t} and {.code lambda}.", call = call)
  }
  order <- order(match(points$lambda, unique(points$lambda)), points$t)
  if (is.unsorted(order) || anyDuplicated(points[c("step", "lambda")])) {
    abort_input("The rows of {.arg points} are not in the order of their times, or a step is there twice.", "points",
                i = "Give rows of {.code fit$points} in its order: one {.code lambda} after the other, in each by
                     {.code t}.", call = call)
  }
}

# The frame of moments, whose columns must be those of the path.
refit_moments <- function(path, moments, given, call) {
  refuse_beside_moments(given, call)
  wanted <- all_labels(path$blueprint)
  if (!identical(moments$columns, wanted)) {
    abort_input("{.arg data} has moments of the columns {.val {moments$columns}}, the path {.val {wanted}}.", "data",
                i = "Give moments of the path's columns, in their order.", call = call)
  }
  moments_frame(moments, call)
}

# The frame of new rows, its columns those of the path. `given`: what the formula does not find in the rows.
refit_frame <- function(path, data, y, given, call) {
  map <- path$settings$map
  blueprint <- if (is.null(map)) path$blueprint else path$blueprint$base
  x <- bake_argument(blueprint, data, "data", call)
  sources <- if (!is.null(given$sources)) as_sources(given$sources, nrow(x), call)
  given$sources <- NULL
  found <- c(list(y = y), given)
  found$offset <- given$offset %||% if (!is.null(path$offset)) new_offset(path, data, nrow(x), call)
  if (!is.null(path$formula)) {
    formula <- split_strata(path$formula, call)
    of <- function(expression) eval(expression, as.data.frame(data), rlang::f_env(path$formula))
    found$y <- of(rlang::f_lhs(formula$formula))
    refuse_lost(path$call[setdiff(c("weights", "domain"), names(Filter(length, given)))], call)
    for (name in c("weights", "domain")) found[[name]] <- given[[name]] %||% of(path$call[[name]])
    found$strata <- of(formula$strata)
  }
  if (is.null(found$y)) abort_missing("y", "Give the response of the rows of {.arg data}.", call)
  # counts of successes and failures have no classes
  if (!is.null(path$classes) && is.null(dim(found$y))) found$y <- among_classes(found$y, path$classes, "path", call)
  for (name in names(found)) {
    if (NROW(found[[name]]) > 1L) refuse_unequal(found[[name]], name, nrow(x), "data", call)
  }
  whole <- Matrix::rowSums(is.na(x)) == 0 & stats::complete.cases(found$y)
  part <- lapply(found, function(value) {
    if (length(value) == 1) value else if (!is.null(value)) response_rows(value, whole)
  })
  x <- x[whole, , drop = FALSE]
  likelihood <- by_likelihood(path$settings$family)
  frame <- frame_default(
    if (is.null(map)) x else map_on(map, x), part$y, weights = part$weights, domain = part$domain,
    sources = source_rows(sources, whole), many = !likelihood, offset = part$offset, strata = part$strata,
    family = if (likelihood) path$family else if (is.null(found$offset)) FALSE else "gaussian", call = call
  )
  frame$blueprint <- blueprint
  # a formula, or moments, without one; what the argument says is given again
  frame$intercept <- isTRUE(path$settings$intercept) || isFALSE(path$settings$given$intercept)
  frame$row_labels <- row_labels(data)[whole]
  if (needs_raw(frame$sources)) frame$raw <- data[which(whole)[frame$rows], , drop = FALSE] # all columns, as given
  frame
}
