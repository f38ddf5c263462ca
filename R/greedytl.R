#' Greedy transfer learning: a few features and sources for a small target
#'
#' Fits a linear model to a few labelled rows, from their features and the predictions of models trained elsewhere
#' ([sources()]): `greedytl(y ~ ., data = d, sources = list(model1, model2))`. Use it if you have such models, or many
#' more features than rows. Use [tlcp()] if rows or coefficients of the other data are known, or for a proof of the best
#' subset. Use the sources themselves if they predict as well: `print()` shows the error of their mean.
#'
#' Each step adds the column, a feature or a source, that most lowers the squared loss with its ridge penalty.
#' `predict()` bounds columns and sources ten ranges outside the rows of the fit, with a message (`bound`, see
#' [transfer_path]). The arguments by topic:
#' * data: `x`, `y`, `formula`, `data`, `subset`, `na.action`, `weights`, `offset`, `family`, `sparse`;
#' * sources: `sources`;
#' * path: `rule`, `lambda`, `average`, `max_steps`, `keep`, `groups`;
#' * other: `standardize`, `intercept`, `prob`, `control`.
#'
#' `vignette("methods-greedytl")` has the mathematics, `vignette("two-rules")` results on data.
#'
#' @section Rules: `rule = "transfer"` (ours) gives both classes the same weight, and features and sources
#'   a ridge each. Few rows determine neither these ridges nor whether the sources help. So the default model averages
#'   the steps of several paths, one per likely pair of ridges, weighted by posterior probability. Some paths have no
#'   sources or start from the sources' mean. This average is not sparse. For a sparse model take `average = FALSE` and
#'   one step: `coef(fit, step = 8)`. `steps` and pictures show the first row of `ridge`, which does not start from the
#'   sources' mean.
#'
#'   `rule = "paper"` is the paper's Algorithm 1: equal weights of the rows, columns of variance 1, one ridge (the
#'   paper's lambda is n times `lambda`). The path ends before a step that lowers the objective by less than `tol` of
#'   [greedytl_control()].
#'
#' @section Errors and probabilities: `steps$loo` is the exact leave-one-out squared error of each step, *given the
#'   selected columns*. Choose the number of steps by [cv_path()].
#'
#'   Scores of classes are not probabilities; `prob = TRUE` calibrates them on rows left out. `print()` and
#'   `compare_paths(loss = "log_loss")` compare these probabilities with the sources'.
#'
#' @section Log odds, counts and survival times: With `family = "binomial"` the log odds are a weighted mean of those of
#'   up to five models (`alternatives`): logistic models on all columns, on the features and on the selected columns,
#'   and the mean of the sources, recalibrated and as it is. The weights maximise the likelihood of rows left out. With
#'   `family = "poisson"` the same is done for log rates; a dispersion `phi` of at least 1 is estimated. `lambda`,
#'   `average`, `rule = "paper"`, `intercept = FALSE` and the settings `ridge`, `candidates` and `source_scale` do not
#'   apply. For classes prefer `family = "binomial"` to `prob = TRUE`, unless a few columns nearly separate them
#'   (`vignette("two-rules")`). From a dozen rows its probabilities may be poorly calibrated.
#'
#'   A response `Surv(time, status)` or `Surv(start, stop, status)` has `family = "cox"`: the same for log hazards,
#'   stratified by `strata()` in the formula. Linear predictors are 0 at the means of the columns. `predict()` has the
#'   types `"link"`, `"risk"`, `"expected"` and, without strata, `"survival"`.
#'
#' @param x,y `x`: a numeric matrix (not copied), `dgCMatrix` or data frame of features; or [products()] of
#'   columns. `y`: n numbers, or a factor. Two levels are coded -1 and 1; more are fitted one against the rest. `x`
#'   may also be [moments()], which bring their response, but allow no `sources` and no leave-one-out errors.
#' @param formula,data,subset,na.action As in [lm()].
#' @param weights One number per row. They multiply the weights of the classes, and only their ratios count; with a
#'   `family` as in [glm()]. A row of weight 2 is not two rows, which make n larger.
#' @param sources `NULL`, or what [sources()] takes: a matrix of predictions (with a formula: for all rows of `data`),
#'   or a list of models and functions. `predict()` takes new predictions by name; a mistyped name is an error.
#' @param offset For a `family`: one number per row, added to its linear predictor (the log of an exposure).
#' @param rule `"transfer"` or `"paper"`, see below.
#' @param lambda Numbers, not negative: one ridge for features and sources, as a penalty of the mean loss; one path for
#'   each. 0 is forward regression.
#' @param average Average the paths of likely ridges?
#' @param max_steps Largest number of columns or groups. `NULL`: 20 (`"transfer"`) or 100 (`"paper"`).
#' @param keep Names or numbers of columns, or names of groups, terms or variables, that are in every model,
#'   unpenalised.
#' @param groups Columns that enter together. `NULL`: those of a factor of more than two levels or of a basis such as
#'   `poly(x, 2)`. A vector: the group of every feature. `FALSE`: none.
#' @param standardize Scale the columns?
#' @param intercept Centre the columns and the response? A formula with `- 1` gives `FALSE`.
#' @param sparse Code the formula's variables as a sparse matrix?
#' @param prob For classes without a `family`: calibrate probabilities for `predict(type = "prob")`?
#' @param family `NULL` or `"gaussian"`: least squares. `"binomial"`: log odds of a factor of two levels, a logical,
#'   zeros and ones, shares with their totals as `weights`, or `cbind(successes, failures)`. `"poisson"`: log rates of
#'   counts. `"cox"`: log hazards.
#' @param control Rarely used settings, as [greedytl_control()] returns them, or a list of them.
#' @param ... Further arguments, by name: with a formula those of the first form; for survival times without a formula
#'   `strata`, the stratum of each row.
#'
#' @returns An object of class `c("greedytl", "transfer_path")`, see [transfer_path]. Also
#' \describe{
#'   \item{`steps`}{one row per step from 0: `entered`, its `type`, `size`, `gain` (fall of n times the objective),
#'     `objective`, `rss`, `loss` (`rss`/n), `df` (trace of the hat matrix), `loo` and, for classes, `loo_accuracy`.
#'     With a `family`: `log_lik`, `deviance`, `loss` and `loo`.}
#'   \item{`ridge`}{one row per pair of ridges: the ridges divided by the number of columns (`Inf`: no source), the
#'     ridges, `from_mean` (does the path start from the sources' mean?), criterion and weight.}
#'   \item{`average`}{the default model: `beta`, `a0`, `rss`, `df`.}
#'   \item{`loo`}{leave-one-out errors: of the default model, without sources, and of a regression on the sources' mean.
#'     With a `family` one number.}
#'   \item{`alternatives`}{with a `family`, the models that are averaged: `model`, `weight`, `loo` (log loss or deviance
#'     per row, of rows left out), `prior` weight.}
#' }
#'
#' @references
#' Kuzborskij, I., Orabona, F. and Caputo, B. (2017). Scalable greedy algorithms for transfer learning. *Computer Vision
#' and Image Understanding* 156, 174-185. \doi{10.1016/j.cviu.2016.09.003}
#' @seealso [greedytl_control()], [sources()], [cv_path()], [plot.transfer_path()]
#' @examples
#' # 12 rows, and 30 models trained elsewhere, three of them on related data
#' set.seed(1)
#' w <- rnorm(10)
#' model <- function(w) function(x) drop(x %*% w)
#' others <- lapply(1:30, function(k) model(if (k < 4) w + rnorm(10, sd = .3) else rnorm(10)))
#' names(others) <- paste0("model", 1:30)
#' x <- matrix(rnorm(120), 12, dimnames = list(NULL, paste0("x", 1:10)))
#' y <- drop(x %*% w) + rnorm(12)
#'
#' fit <- greedytl(x, y, sources = others)
#' fit
#' new <- matrix(rnorm(1000), 100, dimnames = list(NULL, colnames(x)))
#' cor(predict(fit, new), new %*% w)
#' cor(predict(greedytl(x, y), new), new %*% w) # without sources
#'
#' # log odds
#' odds <- greedytl(x, y > mean(y), sources = sources(others, scale = "link"), family = "binomial")
#' predict(odds, new[1:3, ], type = "response")
#' @export
greedytl <- function(x, ...) {
  if (!is.null(call <- arguments_formula_first())) return(eval(call, parent.frame()))
  UseMethod("greedytl")
}

#' @rdname greedytl
#' @export
greedytl.default <- function(x, y, sources = NULL, ..., weights = NULL, offset = NULL, family = NULL,
                             rule = c("transfer", "paper"), lambda = NULL, average = TRUE, max_steps = NULL,
                             keep = NULL, groups = NULL, standardize = TRUE, intercept = TRUE, prob = FALSE,
                             control = greedytl_control()) {
  more <- arguments_methods_check("greedytl", "strata")
  frame <- frame_default(x, y, weights = weights, sources = sources, offset = offset, strata = more$strata,
                         moments = TRUE, family = greedytl_odds_family(family, !missing(y) && inherits(table_one_column(y), "Surv")))
  more$strata <- NULL
  fit <- arguments_methods_handed_on(greedytl(
    frame, family = family, rule = rule, lambda = lambda, average = average, max_steps = max_steps, keep = keep,
    groups = groups, standardize = standardize, intercept = intercept, prob = prob, control = control
  ), more)
  fit <- arguments_methods_called(fit, frame, match.call(), "greedytl")
  if (!is.null(frame$offset)) fit$offset <- frame_bake_offset_plan()
  fit
}

#' @rdname greedytl
#' @export
greedytl.formula <- function(formula, data, sources = NULL, ..., weights, offset, subset, na.action,
                             sparse = FALSE) {
  more <- arguments_methods_check("greedytl")
  matched <- match.call()
  surv <- if (!missing(formula)) response_family_is_surv(formula, if (!missing(data)) data) else FALSE
  frame <- frame_formula(formula, data, matched, na.action, sources = sources, sparse = sparse,
                         family = greedytl_odds_family(more$family, surv), env = parent.frame())
  fit <- arguments_methods_handed_on(greedytl(frame), more)
  fit <- arguments_methods_called(fit, frame, matched, "greedytl", formula)
  if (!is.null(frame$offset)) fit$offset <- frame_bake_offset_plan(frame$expression_of_offset)
  fit
}

#' @rdname greedytl
#' @usage NULL
#' @export
greedytl.transfer_frame <- function(x, ..., family = NULL, rule = c("transfer", "paper"), lambda = NULL,
                                    average = TRUE, max_steps = NULL, keep = NULL, groups = NULL, standardize = TRUE,
                                    intercept = TRUE, prob = FALSE, control = greedytl_control()) {
  call <- rlang::caller_env()
  if (...length()) arguments_check(call)
  control <- arguments_control_check(control, "greedytl_control", call)
  given <- list(family = family, rule = rule, lambda = lambda, average = average, max_steps = max_steps, keep = keep,
                groups = groups, standardize = standardize, intercept = intercept, prob = prob,
                control = control) # for refit()
  prob <- check_flag(prob, "prob", call)
  if (is.null(family) && inherits(x$y, "Surv")) family <- "cox"
  given["family"] <- list(family)
  odds <- !isFALSE(greedytl_odds_family(family))
  if (!odds) greedytl_settings_refuse_family(family, call)
  frame <- if (odds) greedytl_odds_frame(x, given, call) else x
  if (!frame_rows_are_there(frame)) {
    of_sources <- if (is.null(frame$sources)) list(source_scale = NULL, source_sign = "any")
    frame_moments_refuse_without_rows(c(control, list(prob = prob)),
                                      c(list(candidates = NULL, class_weights = "none", prob = FALSE), of_sources),
                                      call)
    if (is.factor(frame$y) && is.null(control$class_weights)) {
      tell("From moments all rows of both classes have equal weights: `class_weights` is \"none\", not \"balanced\".")
    }
  }
  if (!odds) frame <- frame_for_method("greedytl", frame, c("products", "sources"), call)
  if (prob && !odds) cv_calibrate_check(frame, call)
  settings <- greedytl_settings(
    frame, rule = rule, lambda = lambda, average = average, max_steps = max_steps, keep = keep, groups = groups,
    standardize = standardize, intercept = intercept, prob = prob, control = control, given = given, call = call
  )
  if (sources_need_raw(frame$sources) && !settings$candidates) frame <- frame_with_source_values(frame, call = call)
  if (settings$intercept) sources_tell_constant(frame)
  if (odds) return(if (frame$family == "cox") greedytl_cox_fit(frame, settings, call) else
    greedytl_odds_fit(frame, settings, call))
  fit <- greedytl_fit(frame, settings, call)
  if (prob && !settings$held) cv_calibrate_path(fit, frame, greedytl, given, call) else fit
}

#' Number of columns to draw
#'
#' For the randomised variant of [greedytl()], which tries only some columns in each step: how many columns must be
#' drawn at random so that the best of those drawn is, with probability `confidence`, among the best `1 - quantile` of
#' all columns? Use it if there are so many columns that reading all of them in each step takes too long:
#' `greedytl_control(candidates = n_candidates())`. The answer does not depend on the number of columns.
#'
#' @param quantile,confidence Numbers between 0 and 1.
#' @param ... Not used; anything given is an error.
#' @returns A whole number, \eqn{\lceil \log(1 - confidence) / \log(quantile) \rceil}; 59 by default (the "59 trick").
#' @references Kuzborskij, Orabona and Caputo (2017), section 4, \doi{10.1016/j.cviu.2016.09.003};
#'   Smola, A. and Schoelkopf, B. (2000). Sparse greedy matrix approximation for machine learning. *ICML*.
#' @examples
#' n_candidates() # one of the best 5 percent, with probability .95
#' n_candidates(quantile = .99) # one of the best 1 percent
#' @export
n_candidates <- function(quantile = .95, confidence = .95, ...) {
  call <- arguments_check()
  check_share(quantile, "quantile", call)
  check_share(confidence, "confidence", call)
  ceiling(log(1 - confidence) / log(quantile))
}

#' @export
parsnip_engine.greedytl <- function(method) {
  list(models = list(linear_reg = NULL, logistic_reg = list(prob = TRUE), multinom_reg = list(prob = TRUE)),
       tunable = c("step", "max_steps"))
}
