# The page of the path object, its verbs of a few lines, and the path as a source of another fit.

#' The path object
#'
#' Every fitter of this package returns a `transfer_path`: a sequence of models that starts with the empty model, step
#' 0. The verbs on this page work on all of them: `coef(fit)`, `predict(fit, newdata)`, `predict(fit, newdata, step =
#' 3)`. Use them for the default model or for any step; to choose a step by cross-validation use [cv_path()], whose
#' result has the same verbs.
#'
#' @section Which model: `step` names models on the path. Numbers from 0 to the last step; `"average"`, if the method
#'   averages models (those of steps 1, 2, ..., unless its page says otherwise); `"best"`, if the method averages models
#'   and a criterion chooses one of them; or `NULL` or `"default"`, the method's own choice (`object$best`). If a fit
#'   has several values of `lambda`, the first is used unless `lambda` is given. With `lambda`, `step = NULL` is the
#'   last step of its path.
#'
#' @section New rows far away: A linear model extrapolates without limit, and one column far outside the rows of the fit
#'   can determine a prediction. `bound = 10` changes only numbers that are more than ten ranges outside; these are
#'   mostly outliers or in other units. A message says which columns, how far outside and in how many rows. A much
#'   narrower bound would increase errors if effects continue beyond the rows of the fit, as in a series whose later
#'   rows are predicted. Where a column has heavy tails and its effect is linear as far as they reach, the bound costs
#'   accuracy: `bound = Inf` switches it off. A column that does not vary in the rows of the fit has no bound.
#'   Fits to [moments()] and to maps of features such as [stumps()] have no ranges, so they are not bounded, and a
#'   finite `bound` is an error.
#'
#' @section Components:
#' \describe{
#'   \item{`beta`}{coefficients on the original scale, columns of the design (features, then sources) x points, a
#'     `dgCMatrix`; for more than two classes a list of these, one per class. Row names are those of the columns (`NULL`
#'     if they have none).}
#' \item{`a0`}{intercepts, one per point; for more than two classes a list.}
#' \item{`points`}{data frame, one row per column of `beta`: `step`, `lambda` (`NA` if the method chooses
#'   its ridges itself).}
#' \item{`responses`}{names of the responses if there are several; `beta` and `a0` are then lists as for classes.}
#' \item{`steps`}{data frame, one row per step (and class, and `lambda`): what entered and what it gained. The page of
#'   each method describes the columns.}
#'   \item{`best`, `chosen`}{the default `step`; `chosen` is `FALSE` if it is only the last one, which the method
#'     has not chosen.}
#'   \item{`average`, `named`}{models beside the path, if a method has them: `average` is that of `step = "average"`
#'     (`beta` and `a0`, by `lambda`); `named` is a list of such models, named by their values of `step`.}
#' \item{`lambda`, `ridge`, `rule`, `settings`}{arguments of the fit, or what it chose.}
#'   \item{`nobs`, `family`, `classes`}{rows of positive weight; the kind of response: `"gaussian"`
#'     (numbers), `"binomial"` (two classes) or `"multinomial"` (more), whatever the loss; levels of
#'     a factor response.}
#'   \item{`center`, `scale`}{of the columns that entered: named numbers (for more than two classes a matrix with one
#'     column per class).}
#' \item{`ranges`, `bound`}{`ranges`: a list of `column`, the numbers of the columns that models use, and `low` and
#'   `high`, their ranges in the rows of the fit (`NULL` if these are not known). `bound`: the default of `predict(bound
#'   = )`.}
#'   \item{`link`, `coding`}{what the scores are: `"identity"`, predictions of the response, where classes are
#'     coded as the two numbers `coding` (not this class, this class); `"logit"`, log odds; `"log"`,
#'     logarithms of rates or hazards.}
#'   \item{`fitted`, `residuals`}{at the default step; responses with two classes are coded -1, 1.
#'     If the `link` is `"logit"`: probabilities, and indicators of the classes minus the probabilities.}
#'   \item{`calibration`}{`NULL`, or the coefficients a and b of the probabilities plogis(a + b score) of
#'     classes: arrays `points` and `average`, by class and model.}
#'   \item{`labels`}{words for print and pictures: `title` of the method, the name of `lambda`, what `size` counts.}
#'   \item{`target`, `by`}{what [cv_path()] holds out by default: rows of the domain `target` if there is one, else
#'     whole domains if `by` is `"domain"`, else rows.}
#'   \item{`blueprint`, `sources`}{how new data become a design matrix: names, levels and
#'     contrasts, and the source models that entered. No training row is kept.}
#'   \item{`call`, `na.action`}{as in [lm()].}
#'   \item{`prior_weights`, `trials`, `means`, `expression_of_domain`}{`NULL`, or the weights of the rows of `fitted`;
#'     their numbers of trials (of `cbind(successes, failures)`); the means of all columns of the design without these
#'     weights; the expression that gives the domains of new data.}
#' \item{`left_out`}{`NULL`, or if rows were incomplete a list: the number of all rows (`of`), the number of
#'   `incomplete` rows, and the `domains` without a complete row.}
#' }
#' A saved fit predicts in a new session after `library(transelect)`. [new_transfer_path()] makes such an
#' object from the coefficients of a method of your own.
#'
#' @param object,x,formula A fitted path.
#' @param step,lambda Which model, see below.
#' @param class For more than two classes: the class whose coefficients are wanted. `NULL`: all.
#' @param newdata New rows: matrix, `dgCMatrix` or data frame. Columns are matched by name; columns that the fit does
#'   not know are ignored. Missing columns and new levels are errors if the models asked for use them (with a formula
#'   other than `y ~ .`, and with [pieces()], all columns are needed). Columns without names are accepted only if those
#'   of the fit had none.
#' @param sources New predictions of the sources (matrix, columns by name) if the fit was given predictions; not needed
#'   if it was given models.
#' @param type The default is `"link"` for a likelihood (log odds, log rates, log hazards), as in [predict.glm()], and
#'   `"response"` for least squares. `"response"`: the prediction on the scale of `fitted()`; for classes fitted by
#'   least squares the score, for a logistic model the probability (with two classes of the second); `"link"`: the
#'   linear predictor (with two classes of a logistic model the log odds of the second); `"class"`: the class, a factor
#'   (ties go to the lower level); `"terms"`: what each term of the model (or each one named in `terms`) adds to the
#'   linear predictor, relative to its mean in the rows of the fit, as in [predict.lm()] (for methods that weight rows
#'   or domains: relative to the mean `center`); `"coefficients"` and `"nonzero"`: as `coef()` and `variable.names()`;
#'   `"prob"`: probabilities (with two classes of the second): for a logistic model as `"response"`, for classes fitted
#'   by least squares calibrated probabilities, if the fit has `prob = TRUE` or is from [cv_path()].
#' @param offset For a fit with an offset that is not in `newdata`: one number per row.
#' @param bound How far a column of `newdata`, or a prediction of a source, may be outside its range in the rows of the
#'   fit, in widths of that range. Numbers further outside are replaced by the nearest allowed number. `NULL`: 10 for
#'   [greedytl()], [tgreedy()] and [msplit()], and `Inf` (no bound) for other methods. See below.
#' @param times For `type = "survival"` and `"expected"` of a Cox model: the times.
#' @param digits Digits to print.
#' @param n The number of rows of the table of steps to print. NULL: 21; for [tlcp()] 31.
#' @param se.fit,interval,level As in [predict.lm()]: are standard errors or an interval wanted, and of which coverage?
#' @param na.action What becomes of rows with a missing value, as in [predict.lm()].
#' @param complete As in [coef()]: is there a number for coefficients that are not in the model?
#' @param env An environment for the formula.
#' @param ... Arguments that a method has beside `step` and `lambda`, see [path_model()]: for [tlcp()] the `domain`
#'   whose model is wanted, for [msplit()] `t`, `nu` and `estimator`. Other arguments are errors, unless a
#'   function of another package hands them on, as it does to any model; `NULL` and `FALSE` are always let pass.
#' @returns `coef()`: for one step a named vector, intercept first; for several steps a `dgCMatrix`, one column per
#'   step; for more than two classes a list of these, named by class.
#'
#' `predict()`: for one step a vector of n numbers or a factor; for several steps a matrix with one column per step (for
#' classes a data frame of factors); scores and probabilities of C > 2 classes: n x C, or n x C x steps. The result has
#' the row names of `newdata`; `fitted()` and `residuals()` have those of the data, as in [lm()]. A row with a missing
#' value in a column that is used gives `NA`.
#'
#' `fitted()`, `residuals()`: at the default step. `variable.names()`: names of the columns whose coefficient is
#' not zero.
#'
#' `logLik()`: the Gaussian log-likelihood with the mean squared residual as its variance; its `df` is the trace of the
#' hat matrix, plus one. [AIC()] and [BIC()] use it. For classes fitted by least squares all three are errors, since -1
#' and 1 are not normally distributed. They are also errors for a fit to [moments()] that lack the product of the rows'
#' weights (a database without logarithms). The weights of a [tgreedy()] fit are those that give every domain the same
#' total. `deviance()`: the residual sum of squares, weights scaled to sum to n. `df.residual()`: n minus that trace.
#' `sigma()`: the residual standard deviation, the root of `deviance()` divided by `df.residual()`; after least squares
#' on the chosen columns it is that of [lm()] (also with weights, if they sum to n). It does not account for the
#' selection of the columns, so it is too small. `df.residual()` and `sigma()` are errors for more than two classes and
#' for logistic models.
#'
#' For a [tlcp()] with a `family`, `logLik()`, `deviance()`, [AIC()] and [BIC()] are of the target's true likelihood (of
#' a Cox model the partial likelihood; the deviance is minus twice its logarithm). Their `df` is the trace of the
#' target's share of the curvature: without borrowing the number of coefficients. `nobs()` is the number of rows
#' (without rows that have no trials), for a Cox model the number of events, and `df.residual()` is `nobs()` minus that
#' trace. Successes that are not whole numbers give a warning, and `logLik()` rounds them, as in [glm()]. `residuals()`
#' are of `type` `"deviance"`, `"pearson"`, `"working"` or `"response"`, for a Cox model `"deviance"`, `"martingale"`
#' (also named `"response"`), `"schoenfeld"` or `"score"`, and for a fit with `select = FALSE` that borrows nothing
#' `"scaledsch"`, `"dfbeta"`, `"dfbetas"` or `"partial"`, as in package survival. `predict(type = "response")` is the
#' probability, the rate, or the hazard relative to that at the target's means; `type = "survival"` is the probability
#' of surviving beyond `times`, rows x times, by the target's baseline hazard. For [tgreedy()] both refer to all domains
#' together. `"lp"` and `"risk"` are other names of `"link"` and `"response"`, and `"expected"` is the expected number
#' of events, as in `predict()` of `survival::coxph()`; without `times` `"expected"` and `"survival"` are at the times
#' of the rows of `newdata`. [survfit()][survfit.transfer_path] gives survival curves of [tlcp()] and [tgreedy()].
#'
#' `predict(se.fit = TRUE)` and `interval = "confidence"`, for numbers also `"prediction"`, are as for [lm()] and
#' [glm()]. They exist for [tlcp()] with `method = "exact"` and rows predicted by the target's model. As with
#' [vcov()][confint.tlcp] they are computed as if the columns had been chosen beforehand. On the scale of the response
#' the limits of the linear predictor are transformed, and standard errors are by the delta method. Other fits have no
#' standard errors.
#'
#' `predict()` without `newdata` gives the fitted values of the default model. For a [tlcp()] fit to several domains,
#' rows of `newdata` with the column of the domains are predicted by the model of their own domain, as in lme4. Rows of
#' a domain that the fit does not know are predicted by the common model (the posterior mean of what the domains share),
#' with a message. The argument `domain` overrides this: one name for all rows, one name per row, or `NA` for
#' the common model.
#'
#' `model.matrix()`, `model.frame()`: of the rows of `data`. A fit keeps no rows. Without `data` the data that its call
#' names are used; it is an error if they are not found, or are not those of the fit.
#'
#' `family()`: the family of the loss that was minimised, an object as [stats::family()] returns (for more than two
#' classes and a Cox model a list of `family` and `link` only). Classes fitted by least squares to -1 and 1 have the
#' family [gaussian()], since their scores are not probabilities; `object$family` says what kind of response it was.
#' `formula()` and `terms()`: for a fit by formula. A `.` is written out if it stands for at most 500 variables.
#' Packages that need these, such as insight and marginaleffects, work on a fit;
#' `generics::required_pkgs()` returns `"transelect"`.
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

#' @rdname transfer_path
#' @export
fitted.transfer_path <- function(object, ...) {
  arguments_of_generic()
  path_rows_refuse_rowless(object, rlang::current_env())
  path_verbs_with_unweighted(stats::napredict(object$elsewhere %||% object$na.action, object$fitted), object, "fitted")
}

#' @rdname transfer_path
#' @export
residuals.transfer_path <- function(object, type = NULL, ...) {
  more <- arguments_of_generic(if (object$family == "cox") c("collapse", "weighted"))
  call <- rlang::current_env()
  cox <- object$family == "cox"
  numbers <- object$family == "gaussian" && !path_object_is_multi(object)
  likelihood <- !is.null(object$deviance_residuals)
  types <- c(if (likelihood) "deviance", "response", if (cox) "martingale", if (numbers) "deviance",
             if (numbers || likelihood && !cox) c("pearson", "working"))
  if (cox && rlang::is_string(type, COX_RESIDUALS)) {
    return(path_verbs_row_residuals(object, type, more, parent.frame(), call))
  }
  type <- check_choice(type %||% types[1], c(types, if (cox) COX_RESIDUALS), "type", call)
  if (length(more)) arguments_refuse(names(more)[1], sys.nframe(), call)
  path_rows_refuse_rowless(object, call)
  value <- switch(type, deviance = , pearson = object[[paste0(type, "_residuals")]] %||%
                    (object$residuals * sqrt(path_rows_prior_weights(object))),
                  working = object$residuals / path_rows_mean_slope(object), object$residuals)
  path_verbs_with_unweighted(stats::naresid(object$elsewhere %||% object$na.action, value), object, type)
}

# Those types of residuals of a Cox model that need its rows, and what returns them. more: arguments of the method for
# coxph(); env: where the call of the path is evaluated.
COX_RESIDUALS <- c("schoenfeld", "scaledsch", "score", "dfbeta", "dfbetas", "partial")

path_verbs_row_residuals <- function(object, type, more, env, call) UseMethod("path_verbs_row_residuals")

# Values by row, under na.exclude, with those of rows of weight 0: `what` is "fitted" or the type of residuals.
path_verbs_with_unweighted <- function(value, object, what) {
  apart <- object$unweighted
  if (is.null(apart)) return(value)
  # weighted residuals of a row of weight 0 are 0, as those of glm()
  of_apart <- if (what %in% c("deviance", "pearson")) 0 else apart[[what]]
  if (is.matrix(value)) value[apart$at, ] <- of_apart else value[apart$at] <- of_apart
  value
}

# The path of a formula with fitted values and residuals of rows of weight 0, where na.exclude keeps a place for them.
#' @export
arguments_methods_rows_apart.transfer_path <- function(fit, frame) {
  path <- fit
  apart <- frame$unweighted
  if (is.null(apart) || is.null(path$fitted)) return(path)
  target <- if (!is.null(frame$domain)) path$target
  complete <- setdiff(seq_len(frame_rows_count(frame) + length(apart$at) + length(frame$na.action)), frame$na.action)
  of <- if (is.null(target)) seq_along(apart$at) else which(apart$frame$domain == target)
  if (!length(of)) return(path)
  rows <- frame_rows(apart$frame, of)
  fitted <- stats::predict(path, rows, type = "response")
  fitted_y <- if (is.null(target)) frame$y else frame_rows_of_response(frame$y, frame_rows_of_domain(frame, target))
  path$unweighted <- list(at = complete[apart$at[of]], fitted = unname(fitted),
                          response = unname(path_verbs_numbers_of_response(path, fitted_y, rows$y) - fitted))
  path
}

# The numbers that the fitted values of new responses `y` are taken from for residuals: of classes those that rows of
# these classes have among the path's, `fitted_y`; NA for survival times.
path_verbs_numbers_of_response <- function(path, fitted_y, y) {
  if (inherits(y, "Surv")) return(NA_real_)
  classes <- path$classes
  if (is.null(classes)) return(if (is.matrix(y) && !is.matrix(path$fitted)) y[, 1] / rowSums(y) else y)
  sums <- path$fitted + path$residuals
  frame_rows_of_response(sums, match(as.character(y), as.character(fitted_y)))
}

#' @rdname transfer_path
#' @export
nobs.transfer_path <- function(object, ...) {
  arguments_of_generic(same = "use.fallback")
  object$nobs
}

#' @rdname transfer_path
#' @export
coef.transfer_path <- function(object, step = NULL, lambda = NULL, class = NULL, ..., complete = TRUE) {
  more <- arguments_of_generic(path_model_arguments("path_model", object))
  call <- rlang::current_env()
  models <- if (length(more)) {
    rlang::inject(path_model(object, step, lambda, class, !!!more, call = call))
  } else {
    path_model(object, step, lambda, class, call = call)
  }
  coefficients <- path_model_coef_shape(models, object)
  if (check_flag(complete, "complete", call)) coefficients else path_verbs_in_the_model(coefficients, object, models)
}

# Of what coef() returns, the coefficients of the columns that the models use, and the intercept.
path_verbs_in_the_model <- function(coefficients, object, models) {
  used <- c(if (object$family != "cox" && path_object_has_intercept(object)) "(Intercept)",
            path_object_used_terms(object, models))
  of_one <- function(b) if (is.null(dim(b))) b[used] else b[used, , drop = FALSE]
  if (is.list(coefficients)) lapply(coefficients, of_one) else of_one(coefficients)
}

#' @rdname transfer_path
#' @export
variable.names.transfer_path <- function(object, step = NULL, lambda = NULL, ...) {
  more <- arguments_of_generic(path_model_arguments("path_model", object), same = "full")
  call <- rlang::current_env()
  path_object_used_terms(object, rlang::inject(path_model(object, step, lambda, !!!more, report = TRUE, call = call)))
}

# Is the model that predict() is asked for by `...` one with calibrated probabilities?
is_calibrated <- function(object, ...) UseMethod("is_calibrated")

#' @export
is_calibrated.transfer_path <- function(object, step = NULL, lambda = NULL, ...) {
  if (is.null(object$calibration)) return(FALSE)
  more <- list(...)
  more <- more[intersect(names(more), path_model_arguments("path_model", object))]
  models <- do.call(path_model, c(list(object, step, lambda), more))
  !is.null(models[[1]]$calibration)
}

#' @export
source_scale_words.transfer_path <- function(model, scale) {
  if (path_object_has_classes_by_squares(model)) "score of class %s" else NextMethod()
}

#' @export
source_classes.transfer_path <- function(model) if (model$family != "gaussian") model$classes

# path: the path whose prediction, or whose cross-validation's, the model gives.
#' @export
predict_source.transfer_path <- function(model, newdata, scale, path = model) {
  if (path$family == "gaussian") return(stats::predict(model, newdata, type = "response"))
  if (path_object_is_logistic(path)) return(sources_adapter_class_scale(stats::predict(model, newdata,
                                                                                       type = "response"), scale))
  path_predict_scores_of_signs(path, stats::predict(model, newdata, type = "link"))
}
