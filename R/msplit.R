#' MSplit LBI: one path, a sparse and a dense estimator
#'
#' Fits a linear model with a few strong effects, which you want to report, and many weak effects, which only help to
#' predict. Use `msplit()` if you want both from one data set: `msplit(y ~ ., data = d)`, then [signals()] for the
#' effects to report. Use [tlcp()] instead for one small model with a proof, and a lasso or ridge regression if every
#' feature has an effect and only the prediction counts.
#'
#' The arguments by topic:
#' * data: `x`, `y`, `formula`, `data`, `subset`, `na.action`, `weights`, `loss`, `sparse`;
#' * path: `nu`, `method`, `max_steps`, `keep`, `points`;
#' * choice: `choose`;
#' * other: `standardize`, `intercept`, `control`.
#'
#' `vignette("strong-and-weak")` is an example; `vignette("methods-msplit")` has the formulas and
#' results of simulations.
#'
#' @section Two estimators along one path: The path begins with an empty support. At each *event* a feature enters the
#' support or leaves it. Every point of the path has two estimators:
#' * `"sparse"`, for reports: coefficients of the support; all others are 0.
#' * `"dense"`, for predictions: ridge regression that does not penalise the features of the support.
#'
#' In the support both have the same coefficients. `nu` sets the ridge: the larger `nu`, the weaker the ridge, and the
#' more the two estimators may differ. Before the first event the dense estimator is ridge regression.
#'
#' `method = "iss"` computes this path exactly, without a step size. `method = "lbi"` is the discrete path of the paper,
#' which approaches the exact path as `kappa` of [msplit_control()] grows. It has a third estimator, `"gamma"`: the
#' shrunken coefficients of the iteration itself. Only `"lbi"` has the losses `"binomial"` and `"multinomial"`. They
#' give the order in which features enter a model of the log odds. For probabilities from few rows, or with sources, use
#' [greedytl()], whose log loss was smaller on average on every task that we tried (`vignette("methods-msplit")`).
#'
#' @section Choice: `choose = "evidence"`, ours, needs no folds and no random numbers:
#' 1. Each support on the paths of all `nu` has a criterion: minus twice its restricted log-likelihood, plus a penalty
#' per feature. Supports of more than \eqn{n/(2 \log n)} features are left out.
#' 2. The weight of a support is proportional to exp(-criterion / 2). Supports with less than .02 of the largest weight
#'    are dropped.
#' 3. The dense estimator of each support uses the `nu` with the smallest leave-one-out error (from [moments()]: with
#' the largest restricted likelihood).
#' 4. The default model, `step = "average"`, is the weighted mean of these dense estimators. `step = "best"` is the
#' estimator with the largest weight. The average has a coefficient for every feature.
#'
#' What to report is another question: [signals()] names the effects that differ from zero, at a false discovery rate,
#' and has the probability of each effect that it is not zero. `print()`, `summary()`, `variable.names()`, `tidy()` and
#' `plot()` show the same set. Component `support_weight` is no such probability: it says how much better supports with
#' the feature predict than ridge regression alone.
#'
#' With several numeric responses the choice is made for each. For a factor of more than two levels the default is
#' `"ridge"`. [cv_path()] chooses `nu` and the time on the path by cross-validation instead.
#'
#' Features are divided by their standard deviation in the rows of the fit. A column that varies little in them and much
#' in new rows, such as a rare dummy variable, has a large coefficient per unit. So `predict()` bounds columns of new
#' rows ten ranges outside the rows of the fit, and names them (`bound`, see [transfer_path]).
#'
#' @section Size: `msplit()` works on a dense copy of the features (a second one for leave-one-out and for more than
#' three responses), and on matrices of order min(n, d), for n rows and d features. With ten rows or more per column and
#' response the exact path comes from second moments, without a copy. `loo` and `df` of every event are in `steps` if n
#' x d x responses is at most 5e4; otherwise some are `NA`.
#'
#' @param x,y Features (numeric matrix, `dgCMatrix` or data frame, n x d) and response: n numbers, a numeric matrix with
#'   one column per response, or a factor: two levels are coded -1 and 1, more by one column of 0 and 1 per level. `x`
#'   may also be [moments()] with d <= n, which include the response and the weights, for the exact path of squared loss
#'   (`method`, `loss` and the settings `nt`, `kappa`, `alpha` and `start` need rows).
#' @param formula,data,weights,subset,na.action As in [lm()]; `cbind(a, b) ~ .`
#'   for several responses.
#' @param nu Positive numbers: the larger, the more the two estimators may differ. `NULL`: `10^seq(-2, 2.5, .5)` if
#'   supports are chosen, otherwise 5.
#' @param method `"iss"` or `"lbi"`. `NULL`: `"iss"` for squared loss, else `"lbi"`.
#' @param loss `"squared"` (`NULL`), or for a factor response `"binomial"` or `"multinomial"`.
#' @param max_steps Largest number of events (`NULL`: 20 min(n, d)), or of iterations of `"lbi"`. A discrete path that
#'   ends at this limit is incomplete, with a warning. `NULL` is an error if more than 1e8 iterations are needed.
#' @param choose `"evidence"`, see "Choice"; `"ridge"`: ridge regression without a support, with the `nu` of the
#'   smallest leave-one-out error (one for all responses); `"none"`: the default model is the last step of the first
#'   `nu`. For `"lbi"` only `"none"`: choose a step by [cv_path()].
#' @param standardize Divide features by their standard deviations? Coefficients are always on the
#'   original scale.
#' @param intercept Centre features and responses?
#' @param keep Names or numbers of columns, or names of factors, terms or variables, that are in every model. They have
#'   no penalty and are not selected. If one column of a factor is kept, the whole factor is. The other features are
#'   replaced by their residuals on the kept columns, so a sparse matrix becomes dense. `size` and `df` count kept
#'   columns.
#' @param sparse Code the formula's variables as a sparse matrix?
#' @param control Other settings, as [msplit_control()] returns them, or a list of them: `t_ratio`, `record`, `nt`,
#'   `kappa`, `alpha`, `start`.
#' @param ... Further arguments, by name; with a formula also those of the first form, from `method` to `control`. A
#'   mistyped name is an error that says which argument was meant. `points`: `NULL`, or the component `points` of
#'   another path, or rows of it. The path is then computed at these times and their `nu`, and no model on it is chosen;
#'   [cv_path()] uses this in its folds.
#' @returns An object of class `c("msplit", "transfer_path")`, see [transfer_path]. `step` is an event for one response,
#'   otherwise a recorded time; `lambda` is `nu`. Its own components:
#' * `supports`: one row per support that was not dropped: `weight`, `criterion`, `size`, `terms` (those in `keep`
#'   first); `nu`, `loo`, `df` and `loss` of its dense estimator; `lambda` and `step` of the event at which it was
#'   found; `class` or `response` if there are several. `NULL` without a choice.
#' * `steps`: one row per event, from 0 (with `"lbi"` per recorded time): `lambda` (nu), `step`, `t`, `entered`,
#'   `dropped`, `size` of the support, `loss` and `rss` of the dense estimator; and, given the support, `loo`
#'   (leave-one-out mean squared error), `df`, `reml` (minus twice the restricted log-likelihood) and `criterion`.
#' * `points`: also `t`; one row per step at which the dense estimator was kept.
#' * `gamma`, `gamma_a0`: the sparse estimator and its intercept, one column per row of `steps`; `every`: the dense
#'   estimators of several responses, if they were kept at every event.
#' * `best`: `"average"`, or without a choice a step; `best_lambda`, `best_step`: the `nu` and the step of the smallest
#'   criterion, whose path is printed and drawn; `named`: the models `"average"` and `"best"`.
#' * `support_weight`: features x responses, the sums of the weights of the supports that contain a feature (see
#'   "Choice"); `NULL` with more than two classes.
#' * `sums`: products of the features with each other and with the responses, for [signals()]; no rows.
#' * `ends`: the time up to which each path is known (`end`), and whether it is `complete` (no event follows); `method`,
#'   `loss`, `responses`; for `"lbi"` `kappa`, `alpha` and `stopped`.
#' * `fitted`, `residuals`: for a logistic loss probabilities (with two classes, of the second), and indicators of the
#'   classes minus the probabilities.
#'
#' Errors name the argument, its value and what to give instead.
#' @references
#' Zhao, B., Sun, X., Fu, Y., Yao, Y. and Wang, Y. (2018). MSplit LBI: realizing feature selection
#' and dense estimation simultaneously in few-shot and zero-shot learning. *ICML*, PMLR 80,
#' 5912-5921, eqs. 3.4, 3.5 and 3.11. \doi{10.48550/arXiv.1806.04360}
#'
#' Huang, C., Sun, X., Xiong, J. and Yao, Y. (2016). Split LBI: an iterative regularization path
#' with structural sparsity. *NIPS* 29, section 2.
#' \doi{10.48550/arXiv.1604.05910}
#' @seealso [msplit_control()], [coef.msplit()] and [predict.msplit()] for the three estimators, [plot.msplit()],
#'   [signals()], [zero_shot()], [cv_path()]. Its argument `loss` is the one of cross-validation:
#'   for a logistic path give it `fit = function(x, ...) msplit(x, loss = "binomial", ...)`.
#' @examples
#' fit <- msplit(mpg ~ ., data = mtcars)
#' fit
#' coef(fit, step = "best")
#'
#' # a path with one nu
#' fit <- msplit(mpg ~ ., data = mtcars, nu = 5)
#' coef(fit, t = 10)
#' coef(fit, t = 10, estimator = "sparse")
#' signals(fit, step = 5, k = 2)
#' signals(fit)
#'
#' # several responses, and classes
#' both <- msplit(cbind(mpg, qsec) ~ wt + hp + disp + drat, data = mtcars)
#' predict(both, mtcars[1:3, ])
#' flowers <- msplit(Species ~ ., data = iris)
#' table(predict(flowers, iris, type = "class"), iris$Species)
#' @export
msplit <- function(x, ...) {
  if (!is.null(call <- arguments_formula_first())) return(eval(call, parent.frame()))
  UseMethod("msplit")
}

#' @rdname msplit
#' @export
msplit.default <- function(x, y, ..., weights = NULL, method = NULL, loss = NULL, nu = NULL,
                           choose = c("evidence", "ridge", "none"), max_steps = NULL, keep = NULL, standardize = TRUE,
                           intercept = TRUE, control = msplit_control()) {
  more <- arguments_methods_check("msplit")
  frame <- frame_default(x, y, weights = weights, many = TRUE, moments = TRUE)
  fit <- arguments_methods_handed_on(msplit(
    frame, method = method, loss = loss, nu = nu, choose = choose, max_steps = max_steps, keep = keep,
    standardize = standardize, intercept = intercept, control = control
  ), more)
  arguments_methods_called(fit, frame, match.call(), "msplit")
}

#' @rdname msplit
#' @export
msplit.formula <- function(formula, data, ..., weights, subset, na.action, sparse = FALSE) {
  more <- arguments_methods_check("msplit")
  matched <- match.call()
  frame <- frame_formula(formula, data, matched, na.action, sparse = sparse, many = TRUE, env = parent.frame())
  fit <- arguments_methods_handed_on(msplit(frame), more)
  arguments_methods_called(fit, frame, matched, "msplit", formula)
}

#' @rdname msplit
#' @usage NULL
#' @export
msplit.transfer_frame <- function(x, ..., method = NULL, loss = NULL, nu = NULL,
                                  choose = c("evidence", "ridge", "none"), max_steps = NULL, keep = NULL,
                                  standardize = TRUE, intercept = TRUE, control = msplit_control(), points = NULL) {
  call <- rlang::caller_env()
  if (...length()) arguments_check(call)
  control <- arguments_control_check(control, "msplit_control", call)
  given <- list(method = method, loss = loss, nu = nu, choose = choose, max_steps = max_steps, keep = keep,
                standardize = standardize, intercept = intercept, control = control) # for refit(), which adds `points`
  frame <- unclass(frame_for_method("msplit", x, "responses", call)) # for a faster `$`
  if (!frame_rows_are_there(frame)) {
    for_rows <- list(method = NULL, loss = NULL, kappa = NULL, alpha = NULL, start = "ridge", nt = 100)
    frame_moments_refuse_without_rows(c(control, list(method = method, loss = loss)), for_rows, call)
  }
  if (!is.null(points)) path_refit_check_points(points, call)
  coded <- msplit_settings_response(frame$y)
  intercept <- frame_has_intercept(frame, intercept, call)
  input <- list(frame = frame, coded = coded,
                gram = if (!frame_rows_are_there(frame)) msplit_kernel_narrow_gram(frame, intercept, call))
  if (!is.null(keep)) keep <- path_kept_features(keep, frame_groups_of_columns(NULL, frame, call), frame, call)
  kept <- if (length(keep)) msplit_kept_removed(input, keep, intercept, call)
  settings <- msplit_settings(
    frame, method = method, loss = loss, nu = nu, choose = choose, max_steps = max_steps, standardize = standardize,
    intercept = intercept, control = control, points = points, responses = ncol(coded), kept = kept, given = given,
    call = call
  )
  logistic <- settings$loss != "squared"
  if (!is.null(kept)) {
    if (logistic) kept$start[] <- 0
    input <- list(frame = kept$frame, coded = if (logistic) coded else kept$coded, gram = kept$gram)
  } else if (frame_rows_are_there(frame)) {
    input$gram <- msplit_kernel_rows_gram(frame, coded, settings, call)
  }
  fit <- if (settings$method == "lbi") msplit_lbi_path(input, settings, points, call) else
    msplit_fit_exact(input, settings, points, call)
  if (!is.null(kept)) fit <- msplit_kept_added(fit, kept, frame, coded, logistic)
  path_bound_with_ranges(fit, frame, seq_len(frame$blueprint$p), BOUND)
}

#' @export
parsnip_engine.msplit <- function(method) {
  list(models = list(linear_reg = NULL, logistic_reg = list(loss = "binomial"),
                     multinom_reg = list(loss = "multinomial")),
       tunable = "step")
}
