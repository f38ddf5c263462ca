#' The path object
#'
#' Every fitter of this package returns a `transfer_path`: the models of a whole path, from the
#' empty one (step 0) on. These verbs work on all of them.
#'
#' @section Which model: `step` names models on the path: numbers from 0 to the last step;
#'   `"average"`, where the method averages (the mean of the models of steps 1, 2, ..., or what its
#'   page says); `"best"`, where a criterion chooses one of several that are averaged; or `NULL` or
#'   `"default"`, the method's own choice (`object$best`; `tidy()` takes `NULL` for all steps). Where
#'   a fit has several values of `lambda`, the first is
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
#'   \item{`link`, `coding`}{what the scores are: `"identity"`, predictions of the response, of classes
#'     those of the two numbers `coding` (not this class, this class); `"logit"`, log odds; `"log"`,
#'     logarithms of rates or hazards.}
#'   \item{`fitted`, `residuals`}{at the default step; responses with two classes are coded -1, 1.
#'     Where the `link` is `"logit"`: probabilities, and indicators of the classes less these.}
#'   \item{`calibration`}{`NULL`, or what makes probabilities of the scores of classes: arrays `points`
#'     and `average` of a and b of plogis(a + b score), by class and model.}
#'   \item{`labels`}{words for print and pictures: `title` of the method, `lambda`, what `size` counts.}
#'   \item{`target`, `by`}{what [cv_path()] holds out unless told otherwise: rows of the domain
#'     `target` where there is one, else whole domains where `by` is `"domain"`, else rows.}
#'   \item{`blueprint`, `sources`}{what turns new data into a design matrix: names, levels and
#'     contrasts, and the source models that entered. No training row is kept.}
#'   \item{`call`, `na.action`}{as in [lm()].}
#'   \item{`left_out`}{`NULL`, or where rows were incomplete a list: the number of rows there were
#'     (`of`), that of `incomplete` ones, and the `domains` without a complete row.}
#' }
#' A saved fit predicts in a new session once the package is loaded. [new_transfer_path()] makes such an
#' object of what a method of your own has found.
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
#'   `coef()` and `variable.names()`; `"prob"`: probabilities (of two classes the second's), of a
#'   logistic model as `"response"`, of scores by squares calibrated, where the fit has `prob = TRUE` or
#'   is from [cv_path()].
#' @param offset For a [tlcp()] with an offset that is not in `newdata`: a number for each row.
#' @param times For `type = "survival"` of a Cox model: the times.
#' @param digits Digits to print.
#' @param n The number of rows of the table of steps to print: NULL for 21, of [tlcp()] 31.
#' @param ... What the method's answer takes beside `step` and `lambda`, see [path_model()]: of
#'   [tlcp()] the `domain` whose model is wanted, of [msplit()] `t`, `nu` and `estimator`. Others are
#'   errors.
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
#' `residuals()` are of `type` `"deviance"`, `"pearson"` (not of a Cox model) or `"response"` (of a Cox
#' model martingale residuals),
#' `predict(type = "response")` is the probability, the rate or the hazard relative to the target's
#' means, and `type = "survival"` the probability of living beyond `times`, rows x times, by the
#' target's baseline hazard. What [survival::coxph()] calls `"lp"` and `"risk"` is `"link"` and `"response"` here;
#' minus the logarithm of `"survival"` is the expected number of events, `"expected"`. `survfit()` is an error.
#'
#' `predict()` has no `se.fit`: a prediction depends on which columns were chosen, and no formula takes that
#' into account. Of columns decided on beforehand `X <- model.matrix(fit, newdata)[, rownames(V)]` with `V <-
#' vcov(fit)` of a [tlcp()] fit gives the standard errors `sqrt(rowSums((X %*% V) * X))` of the link.
#'
#' `model.matrix()`: the design of the rows of `data`, which must be given, as a fit keeps no rows; for the same
#' reason `model.frame()` is an error.
#'
#' `family()`: the family of the loss that was minimised, an object as [stats::family()] has them (of
#' more than two classes and of a Cox model one of two components, `family` and `link`). Classes fitted
#' by least squares to -1 and 1 give that of [gaussian()], since their scores are no probabilities;
#' `object$family` says what kind of response it was. `formula()` and `terms()`: of a fit by formula, a
#' `.` written out where it stands for 500 variables or fewer. Packages that ask a model for these, such
#' as insight and marginaleffects, so work on a fit; `generics::required_pkgs()` says `"transelect"`.
#'
#' `logLik()`: the Gaussian log-likelihood of the squared loss, its variance the mean squared
#' residual, with `df` the trace of the smoother plus one; so [AIC()] and [BIC()] work. Of classes
#' fitted by squares all three are errors: -1 and 1 are not Gaussian. They are errors, too, of a fit to [moments()] of
#' rows with weights that a database without logarithms added up. Weights of [tgreedy()] are those that make the
#' domains equal. `deviance()`: the residual sum
#' of squares, weights scaled to sum to n. `df.residual()`: n less the trace of the smoother.
#' `sigma()`: the residual standard deviation, the root of `deviance()` divided by
#' `df.residual()`, so that after least squares on the chosen columns it is that of [lm()]
#' (with weights too, if they sum to n). It does not account for the selection of the columns and
#' is therefore too small. `df.residual()` and `sigma()` are errors for more than two classes and of logistic
#' models. `variable.names()`: names of the columns with a coefficient. `fitted()`, `residuals()`: at the
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

# The one constructor. `...` are the components; frame gives what it can. `link`, `coding` and
# `labels` are those of most methods where they are not given.
new_path <- function(class, ..., link = "identity", coding = c(-1, 1), labels = character(), frame) {
  parts <- list(..., link = link, coding = coding,
                labels = c(labels, DEFAULT_LABELS[!names(DEFAULT_LABELS) %in% names(labels)]),
                ordered = is.ordered(frame$y), blueprint = frame$blueprint,
                domains = levels(frame$domain),
                na.action = frame$na.action, left_out = frame$left_out)
  needed <- c("beta", "a0", "points", "steps", "best", "nobs", "family", "fitted", "residuals")
  if (!all(needed %in% names(parts))) cli::cli_abort("A path lacks components.", .internal = TRUE)
  if (!has_rows(frame)) parts[c("fitted", "residuals")] <- list(NULL)
  labels <- frame_row_names(frame)
  if (!is.null(labels)) {
    labels <- as.character(labels)
    by_row <- intersect(c("fitted", "residuals", "deviance_residuals", "pearson_residuals"), names(parts))
    parts[by_row] <- lapply(parts[by_row], with_row_names, labels)
  }
  class(parts) <- c(class, "transfer_path")
  parts
}

DEFAULT_LABELS <- c(lambda = "lambda", size = "columns in the model")

# ---- what the fit says of itself --------------------------------------------------------------

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
  check_arguments()
  call <- rlang::current_env()
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
