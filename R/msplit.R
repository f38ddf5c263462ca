#' MSplit LBI: one path, a sparse and a dense estimator
#'
#' Fits a linear model in which a few strong effects are to be reported and many weak ones only help to predict. Use
#' `msplit()` where both are wanted from one data set: `msplit(y ~ ., data = d)`, then [signals()] for the effects to
#' report. Use [tlcp()] instead for one small model with a proof, and a lasso or ridge where every feature has an effect
#' and only the prediction counts.
#'
#' The arguments by what they concern:
#' * data: `x`, `y`, `formula`, `data`, `subset`, `na.action`, `weights`, `loss`, `sparse`;
#' * path: `nu`, `method`, `max_steps`, `keep`, `points`;
#' * choice: `choose`;
#' * scale and settings that are seldom given: `standardize`, `intercept`, `control`.
#'
#' `vignette("strong-and-weak")` is an example; `vignette("methods-msplit")` has the formulas, and what was measured.
#'
#' @section Two estimators along one path: The path begins with an empty support. At each *event* a feature enters the
#' support or leaves it. Every point of the path has two estimators:
#' * `"sparse"`: coefficients of the support, all others are 0. To report.
#' * `"dense"`: ridge regression that leaves the features of the support unpenalised. To predict.
#'
#' In the support both have the same coefficients. `nu` sets the ridge: the larger, the weaker it is, and the further the
#' two estimators may be apart. Before the first event the dense estimator is ridge regression.
#'
#' `method = "iss"` computes this path exactly, without a step size. `method = "lbi"` is the discrete path of the paper,
#' which approaches it as `kappa` of [msplit_control()] grows. It has a third estimator, `"gamma"`: the shrunken
#' coefficients of the iteration itself. Only `"lbi"` has the losses `"binomial"` and `"multinomial"`. They give the order
#' in which features enter a model of the log odds. For probabilities from few rows, or with sources, take
#' [greedytl()]. On twelve tasks with sources and 12 to 60 rows the log loss of `loss = "binomial"` was 1.16 to 1.34
#' times that of `greedytl(prob = TRUE)`, in the geometric mean for each number of rows (`Rscript bench/greedytl.R
#' split`), and smaller in single cells only. `greedytl(family = "binomial")` was not measured beside it.
#'
#' @section Choice: `choose = "evidence"`, ours, needs no folds and no random numbers:
#' 1. Each support on the paths of all `nu` has a criterion: minus twice its restricted log-likelihood, plus a penalty
#'    for each of its features. Supports of more than \eqn{n/(2 \log n)} features are left out.
#' 2. The weight of a support is proportional to exp(-criterion / 2). Supports with less than .02 of the largest weight
#'    are dropped.
#' 3. The dense estimator of each support takes the `nu` of the least leave-one-out error (of [moments()]: of the
#'    largest restricted likelihood).
#' 4. The default model, `step = "average"`, is the weighted mean of these dense estimators. `step = "best"` is the one
#'    of the largest weight. The average has a coefficient for every feature.
#'
#' What to report is another question: [signals()] names the effects that are told from zero, at a false discovery
#' rate. `print()`, `summary()`, `variable.names()`, `tidy()` and `plot()` show the same set. Component `probability` is
#' not the probability that an effect is not zero: it says how much better supports with the feature predict than a
#' ridge alone.
#'
#' With several numeric responses the choice is made for each. For a factor of more than two levels the default is
#' `"ridge"`. [cv_path()] chooses `nu` and the time on the path by cross-validation instead.
#'
#' Features are divided by their standard deviation in the rows of the fit. A column that varies little there and much in
#' new rows, such as a rare dummy variable, has a large coefficient per unit. So `predict()` bounds columns ten ranges
#' outside the rows of the fit, and names them (`bound`, see [transfer_path]).
#'
#' @section Size: `msplit()` works on a dense copy of the features (a second one for leave-one-out and for more than
#' three responses), and on matrices of order min(n, d), for n rows and d features. With ten rows or more for each column
#' and response the exact path comes from second moments, without a copy. `loo` and `df` of every event are in `steps`
#' where n x d x responses is at most 5e4, and `NA` elsewhere.
#'
#' @param x,y Features (numeric matrix, `dgCMatrix` or data frame, n x d) and response: n numbers, a
#'   numeric matrix with a column for each response, or a factor: two levels are coded -1 and 1,
#'   more by a column of 0 and 1 for each. `x` may also be [moments()] with d <= n, which include the response and
#'   the weights, for the exact path of squared loss (`method`, `loss` and the settings `nt`, `kappa`, `alpha` and
#'   `start` need rows).
#' @param formula,data,weights,subset,na.action As in [lm()]; `cbind(a, b) ~ .` for several
#'   responses.
#' @param nu Positive numbers: the larger, the further the two estimators may be apart. `NULL`: `10^seq(-2, 2.5,
#'   .5)` where supports are chosen, otherwise 5.
#' @param method `"iss"` or `"lbi"`; `NULL` is `"iss"` for squared loss.
#' @param loss `"squared"` (`NULL`), or for a factor response `"binomial"` or `"multinomial"`.
#' @param max_steps Largest number of events (`NULL`: 20 min(n, d)), or of iterations of `"lbi"`. A discrete path that
#'   it cuts short is incomplete, with a warning. `NULL` is an error where more than 1e8 iterations are needed.
#' @param choose `"evidence"`, see "Choice"; `"ridge"`: ridge regression without a support, with the `nu` of the least
#'   leave-one-out error (one for all responses); `"none"`: the default model is the last step of the first `nu`. For `"lbi"` only `"none"`:
#'   choose a step by [cv_path()].
#' @param standardize Divide features by their standard deviations? Coefficients are always on the
#'   original scale.
#' @param intercept Centre features and responses?
#' @param keep Names or numbers of columns, or names of factors, that are in every model: they have no penalty and are
#'   not selected. One column of a factor keeps all of it. The other features are replaced by their residuals on the kept
#'   columns, so that a sparse matrix becomes a dense one. `size` and `df` count kept columns.
#' @param sparse Code the formula's variables as a sparse matrix?
#' @param control Other settings, as [msplit_control()] returns them, or a list of them: `t_ratio`, `record`, `nt`,
#'   `kappa`, `alpha`, `start`.
#' @param ... Further arguments, by their names. With a formula these are also the arguments of the first form, from
#'   `method` to `control`. A mistyped one is an error that names the one that was meant. `points` is `NULL`, or the
#'   component `points` of another path, or rows of it: the path is computed at these times and their `nu`, and no model
#'   on it is chosen. [cv_path()] gives it to the fits of its folds.
#' @returns An object of class `c("msplit", "transfer_path")`, see [transfer_path]. `step` is an event for one response,
#'   otherwise a recorded time; `lambda` is `nu`. Its own components:
#' * `supports`: a row for each support that was not dropped: `weight`, `criterion`, `size`, `terms` (those in `keep`
#'   first), and of its dense estimator `nu`, `loo`, `df` and `loss`; `lambda` and `step` of the event it was found at;
#'   `class` or `response` where there are several. `NULL` without a choice.
#' * `steps`: a row for each event, from 0 on (with `"lbi"` for each recorded time): `lambda` (nu), `step`, `t`,
#'   `entered`, `dropped`, `size` of the support, `loss` and `rss` of the dense estimator, and given the support `loo`
#'   (leave-one-out mean squared error), `df`, `reml` (minus twice the restricted log-likelihood) and `criterion`.
#' * `points`: also `t`; a row for each step at which the dense estimator was kept.
#' * `gamma`, `gamma_a0`: the sparse estimator and its intercept, with a column for each row of `steps`; `every`: the
#'   dense estimators of several responses where they were kept at every event.
#' * `best`: `"average"`, or without a choice a step; `best_lambda`, `best_step`: the `nu` and the step of the smallest
#'   criterion, whose path is printed and drawn; `named`: the models `"average"` and `"best"`.
#' * `probability`: features x responses, the sums of the weights of the supports that contain a feature (see "Choice");
#'   `NULL` with more than two classes.
#' * `sums`: products of the features with each other and with the responses, for [signals()]; no rows.
#' * `ends`: how far each path is known (`end`), and whether it is `complete` (no event follows); `method`, `loss`,
#'   `responses`; for `"lbi"` `kappa`, `alpha` and `stopped`.
#' * `fitted`, `residuals`: for a logistic loss probabilities (of two classes the second's) and indicators of the
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
msplit <- function(x, ...) UseMethod("msplit")

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
  intercept <- check_flag(intercept, "intercept", call) && frame$intercept
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
