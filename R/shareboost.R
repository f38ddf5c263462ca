#' ShareBoost: many classes, few shared features
#'
#' Classifies with few features that all classes share. Use `shareboost()` where there are several classes and a feature
#' costs something (a measurement, a pixel, a question): `shareboost(Species ~ ., data = iris)`. Each round adds one
#' feature for all classes together and fits the coefficients of all features selected so far again. So one call gives
#' a model for every number of features. Use [tlcp()] with `family = "binomial"` instead for odds ratios of two classes,
#' and [greedytl()] if models from elsewhere may help.
#'
#' The default model is simply the last step. [cv_path()] with `fit = shareboost` chooses a step by cross-validation,
#' [features_for()] says how many features are enough for a wanted error, and `predict(fit, newdata, step = )`
#' uses any step.
#'
#' The arguments by topic:
#' * data: `x`, `y`, `formula`, `data`, `subset`, `na.action`, `weights`, `sparse`;
#' * path: `rule`, `max_steps`, `keep`, `groups`;
#' * penalty: `ridge`, `penalty`;
#' * other: `standardize`, `intercept`, `control`.
#'
#' `vignette("few-features")` is an example; `vignette("methods-shareboost")` has the formulas and
#' results of simulations.
#'
#' @section Model: The score of a class is linear in the features. The loss is that of multinomial logistic regression
#' with a margin: the score of a wrong class should be smaller than that of the true class by 1. A `penalty` keeps the
#' coefficients small: `"ridge"` is the sum of their squares; `"l1"` the sum of their absolute values; `"linf1"` the sum
#' over features of the largest absolute coefficient of any class. The last two are smoothed (section 3.3 of the paper).
#' The intercepts are not penalised.
#'
#' The margin is used in the loss only. It makes the scores of classes differ more, so that probabilities are too near 0
#' and 1, and too low for rare classes. If you need probabilities, give `control = shareboost_control(margin = 0)`.
#'
#' @section Rules: A round uses the gradient of the loss with respect to the coefficients of a column, one
#' number per class:
#' * `"orthogonal"` (the default, ours) picks the column with the largest gradient relative to the part of its variance
#'   that the selected columns do not explain. It does not depend on scale, and does not pick a column that nearly
#'   repeats selected ones.
#' * `"gradient"` (the paper, equation 7) picks the column with the largest gradient. It depends on the scale. With
#'   `intercept = FALSE` this is the paper's own model. It is the better rule for the first one to three [pieces()].
#' * `"line"`, `"column"` and `"full"` (the paper, section 3.1) pick the column with the largest fall of the loss.
#'   `"line"` minimises the loss along the gradient, `"column"` over the coefficients of the column, `"full"` over these
#'   and the coefficients of all selected columns. These rules are for small data: the fall is computed for every
#'   column, or for the `shortlist` of [shareboost_control()].
#'
#' With `groups` a round picks the group with the largest sum over its columns and adds all of them; `"line"`,
#' `"column"` and `"full"` pick the group (or piece) with the largest fall of the loss. With more than some hundred
#' groups, stumps or pieces, give these three rules a `shortlist`.
#'
#' @section Ridge: `ridge = NULL` (ours; the paper names no ridge) compares 1e-4, 1e-3, 1e-2 and 1e-1 by three-fold
#'   cross-validation and takes their weighted geometric mean. The error is the share of misclassified rows, averaged
#'   over 3, 5, 10 and 20 features. A ridge whose error is z standard errors above the smallest weighs exp(-z^2). The
#'   folds need no random numbers. Component `ridge` has the errors and weights. The comparison takes a few times as long
#'   as the path itself; `ridge = 1e-4` saves it. In some cases nothing is compared, and 1e-4 is taken: with many rows (at
#'   least 500, and four per coefficient of the last step), with a rule other than `"orthogonal"`, with another penalty,
#'   with `candidates`, and with `keep` beside stumps, pieces or products.
#'
#' @section When rounds and paths end: A round ends when the largest entry of the gradient is at most `tol` times its
#'   value at the start of the round. If classes can be separated, the loss with `ridge = 0` has no minimum: the
#'   coefficients grow until `tol` ends the round, with a warning. The time of an iteration is proportional to rows x
#'   selected columns x classes, and more classes take more iterations. The path ends before `max_steps`, with a
#'   message, if no column can enter any more. Columns that do not vary never enter; with `"orthogonal"`, neither do
#'   columns of whose variance the selected ones explain all but one part in 1e7.
#'
#' @param x,y Features and response. `x`: a numeric matrix, `dgCMatrix`, data frame (factors are coded as [lm()] would),
#'   [stumps()], [pieces()] or [products()], m rows. `y`: the classes, a factor, characters, logicals or whole numbers.
#'   A class without rows is dropped with a message.
#' @param formula,data,weights,subset,na.action As in [lm()]. `weights` also for the first form:
#'   numbers, not negative; rows of weight zero are left out.
#' @param rule Which column a round picks, see "Rules".
#' @param max_steps Number of rounds. `NULL`: 50, or the number of columns (groups) if it is smaller.
#' @param ridge The factor of the penalty, from 0 to 1e100. `NULL`: chosen between 1e-4 and 1e-1 by held-out rows, see
#'   "Ridge".
#' @param penalty `"ridge"`, `"l1"` or `"linf1"`, see "Model".
#' @param groups Columns that enter together. `NULL`: those of each factor of more than two levels, and of each basis
#'   such as `poly(x, 2)` in a formula or data frame. A vector: the group of every feature. `FALSE`: every column by
#'   itself. `max_steps` and the setting `candidates` count groups.
#' @param standardize `"sd"`: columns are scaled to mean square one. `"max"`: to a largest absolute value of one.
#'   `"none"` or `FALSE`: columns are not scaled. `NULL`: `"sd"` for `"orthogonal"`, else `"max"`. The scale is that of
#'   the rows of the fit: leave out or bound a column that varies little in them and much in new rows.
#' @param intercept An intercept for every class? The paper has none. A formula with `- 1`
#'   sets `FALSE`.
#' @param keep Names or numbers of columns, or names of groups, terms or variables, that are in every model. They have
#'   no penalty, are not selected, and enter first, in this order. If one column of a group is kept, the whole group is.
#'   Stumps, pieces and products are named as in `steps$entered`. A fold of [cv_path()] keeps the stump that splits its
#'   rows as the kept stump does; if all rows are on one side, the stump is left out, with a warning. If kept columns
#'   separate classes, their coefficients grow without limit, with a warning.
#' @param sparse Code the formula's variables as a sparse matrix?
#' @param control Other settings, as [shareboost_control()] returns them, or a list of them: `margin`, `sharpness`,
#'   `candidates`, `shortlist`, `tol`.
#' @param ... With a formula: the arguments of the first form, by name, from `rule` to `control`. A mistyped name is an
#'   error that says which argument was meant.
#'
#' @returns An object of class `c("shareboost", "transfer_path")`, see [transfer_path] for the verbs of all paths and
#'   [predict.shareboost()] for those that differ here. Its default step is the last.
#'   * `beta`: a list by class of features x steps, on the original scale; for two classes one matrix, the
#'     coefficients of the second class minus those of the first.
#'   * `steps`: one row per round, from 0: `entered`; its `type` (`"feature"`, `"group"`, `"stump"`, `"piece"`,
#'     `"product"`); `size`, the number of columns selected; `gradient` of what entered, summed over classes and
#'     columns; `score`, which was largest for what entered; `loss` with the penalty; `error`, the weighted share of the
#'     training rows that is misclassified; `gradient_end`, the largest entry of the gradient when the round ended;
#'     `iterations`; `refreshes`, the number of times that the Hessian was computed anew; `converged`.
#'   * `fitted`: the probabilities at the last step, rows x classes; `residuals`: the indicators of the classes minus
#'     the probabilities.
#'   * `ridge`: a data frame of the ridges that were compared (`ridge`, `error`, `weight`; `error` is `NA` for a ridge that
#'     was not tried, because a smaller one was clearly worse than another), see "Ridge"; `NULL` if none were. The ridge of
#'     the fit is `settings$ridge`.
#' @references
#' Shalev-Shwartz, S., Wexler, Y. and Shashua, A. (2011). ShareBoost: efficient multiclass learning
#' with feature sharing. *Advances in Neural Information Processing Systems* 24, equation (3),
#' Algorithm 1 and sections 3 and 4. \doi{10.48550/arXiv.1109.0820}
#' @seealso [shareboost_control()], [predict.shareboost()], [plot.shareboost()], [features_for()], [cv_path()],
#'   [stumps()], [pieces()], [products()]
#' @examples
#' fit <- shareboost(Species ~ ., data = iris)
#' fit
#' coef(fit, step = 2, matrix = TRUE)
#' predict(fit, iris[c(1, 51, 101), ], step = 2, type = "prob")
#'
#' # how many features are enough for 5 % errors?
#' set.seed(1)
#' cv <- cv_path(Species ~ ., data = iris, fit = shareboost, nfolds = 5)
#' features_for(cv, error = .05)
#' @export
shareboost <- function(x, ...) {
  if (!is.null(call <- arguments_formula_first())) return(eval(call, parent.frame()))
  UseMethod("shareboost")
}

#' @rdname shareboost
#' @export
shareboost.default <- function(x, y, ..., weights = NULL, rule = c("orthogonal", "gradient", "line", "column", "full"),
                               ridge = NULL, penalty = c("ridge", "l1", "linf1"), max_steps = NULL, keep = NULL,
                               groups = NULL, standardize = NULL, intercept = TRUE, control = shareboost_control()) {
  call <- rlang::current_env()
  arguments_methods_check("shareboost")
  if (!missing(x) && inherits(x, "moments")) {
    abort_input("{.arg x} is {.obj_type_friendly {x}}, sums over rows.", "x",
                i = "Give a matrix or data frame: {.fn shareboost} needs the rows themselves.",
                call = call)
  }
  # before rows of weight zero are left out: a class may go with them
  if (!missing(y)) y <- shareboost_fit_classes(y, call)
  frame <- frame_default(x, y, weights = weights, call = call)
  fit <- shareboost(frame, rule = rule, ridge = ridge, penalty = penalty, max_steps = max_steps, keep = keep,
                    groups = groups, standardize = standardize, intercept = intercept, control = control)
  shareboost_fit_tell_early_end(arguments_methods_called(fit, frame, match.call(), "shareboost"))
}

#' @rdname shareboost
#' @export
shareboost.formula <- function(formula, data, ..., weights, subset, na.action, sparse = FALSE) {
  more <- arguments_methods_check("shareboost")
  matched <- match.call()
  frame <- frame_formula(formula, data, matched, na.action, sparse = sparse, env = parent.frame())
  fit <- arguments_methods_handed_on(shareboost(frame), more)
  shareboost_fit_tell_early_end(arguments_methods_called(fit, frame, matched, "shareboost", formula))
}

#' @rdname shareboost
#' @usage NULL
#' @export
shareboost.transfer_frame <- function(x, ..., rule = c("orthogonal", "gradient", "line", "column", "full"),
                                      ridge = NULL, penalty = c("ridge", "l1", "linf1"), max_steps = NULL,
                                      keep = NULL, groups = NULL, standardize = NULL, intercept = TRUE,
                                      control = shareboost_control()) {
  call <- rlang::caller_env()
  if (...length()) arguments_check(call)
  control <- arguments_control_check(control, "shareboost_control", call)
  given <- list(rule = rule, ridge = ridge, penalty = penalty, max_steps = max_steps, keep = keep, groups = groups,
                standardize = standardize, intercept = intercept, control = control) # for refit()
  frame <- unclass(frame_for_method("shareboost", x, c("maps", "products"), call)) # for a faster `$`
  if (is.factor(frame$y)) shareboost_fit_refuse_empty_classes(frame$y,
                                                              call) else frame$y <- shareboost_fit_classes(frame$y,
                                                                                                           call)
  units <- shareboost_settings_units(frame, groups, call)
  settings <- shareboost_settings(
    frame, units, rule = rule, ridge = ridge, penalty = penalty, max_steps = max_steps, keep = keep,
    standardize = standardize, intercept = intercept, control = control, given = given, call = call
  )
  draws <- if (settings$candidates) stats::runif(settings$candidates * settings$max_steps)
  rounds <- progress_during("Rounds", units$run(as.integer(frame$y), response_weights_of_mean_one(frame), settings,
                                                draws))
  compared <- if (is.null(ridge) && rounds$status == 0) {
    shareboost_ridge_weights(rounds, frame, groups, settings, call)
  }
  if (!is.null(compared)) {
    settings$ridge <- shareboost_ridge_mean(compared)
    rounds <- progress_during("Rounds",
                              units$run(as.integer(frame$y), response_weights_of_mean_one(frame), settings, draws))
  }
  if (rounds$status != 0) {
    kept <- names(rounds$status) == "collinear_keep"
    label <- if (kept) units$label(rounds$bad) else products_frame_labels(frame, rounds$bad)
    status_abort(rounds$status, label, "x", if (!kept) products_frame_feature(frame, rounds$bad), call)
  }
  fit <- shareboost_object(rounds, frame, settings, units)
  if (!is.null(compared)) fit$ridge <- compared
  shareboost_fit_warn_unbounded(rounds, settings, fit$residuals,
                                shareboost_fit_weights_still_grow(rounds, frame, settings$intercept))
  path_bound_with_ranges(fit, frame, path_object_columns(fit))
}

#' @export
parsnip_engine.shareboost <- function(method) {
  list(models = list(logistic_reg = NULL, multinom_reg = NULL), tunable = c("step", "max_steps", "ridge"))
}
