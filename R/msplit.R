#' MSplit LBI: one path, a sparse and a dense estimator
#'
#' Fits a linear model in which a few strong effects are to be reported and many weak ones only help to predict. Use
#' `msplit()` where both are wanted from one data set: `msplit(y ~ ., data = d)`, then [signals()] for the effects to
#' report. Every point of its path has a sparse estimator (the support and its coefficients) and a dense one, ridge
#' regression that leaves the support unpenalised. Use [tlcp()] instead for one small model with a proof, and a ridge
#' where every feature has an effect and only the prediction counts. `vignette("methods-msplit")` has the mathematics,
#' and what was measured.
#'
#' The arguments by what they concern:
#' * data: `x`, `y`, `formula`, `data`, `subset`, `na.action`, `weights`, `loss`, `sparse`;
#' * path: `nu`, `method`, `max_steps`, `keep`, `points`;
#' * choice: `choose`;
#' * scale and settings that are seldom given: `standardize`, `intercept`, `control`.
#'
#' @section Model: With n rows (weights scaled to sum to n), centred responses and features centred
#' and divided by their standard deviation (divisor n), the split loss is
#' \deqn{\ell(B, \Gamma) = \frac1{2n} |Y - XB|^2 + \frac1{2\nu} |B - \Gamma|^2.}
#' * `method = "iss"`, the exact limit: \eqn{\Gamma} minimises it over B and over the \eqn{\Gamma}
#'   whose signs a process \eqn{\rho} allows, \eqn{d\rho/dt} being minus the gradient in
#'   \eqn{\Gamma}. So \eqn{\Gamma} is constant between events, at which features enter or leave; on
#'   its support P, \eqn{B_P = \Gamma_P}, and \eqn{B} is ridge with penalty \eqn{|B_{-P}|^2/2\nu}.
#'   There is no step size: the sparse estimator is exact at every t, the dense one at every event
#'   whose estimate was kept (see `record` of [msplit_control()]).
#' * `method = "lbi"`, the discrete path of the paper: \eqn{B} descends by steps \eqn{\kappa\alpha},
#'   \eqn{Z} by steps \eqn{\alpha}, \eqn{\Gamma = \kappa\,soft(Z, 1)}; t is \eqn{\alpha} times the
#'   number of iterations. It approaches the exact path as \eqn{\kappa} grows. With `loss =
#'   "binomial"` or `"multinomial"` minus the mean log-likelihood takes the place of the squared
#'   loss, with intercepts that are not penalised.
#'
#' Estimators at time t: `"gamma"`, the shrunken sparse one; `"sparse"`, the dense one on the
#' support of \eqn{\Gamma} (the same as `"gamma"` for the exact path); `"dense"`.
#'
#' @section Logistic loss: With few rows it is no substitute for probabilities by least squares and a calibration: take
#'   [greedytl()] with `prob = TRUE` where rows are few or there are sources. `loss = "binomial"` is worth it for the
#'   order in which columns enter a model of the log odds, with a sparse estimate of them to report.
#'
#' @section Choice: `choose = "evidence"` averages over the supports whose evidence is near the largest. It is ours; the
#'   paper chooses the smallest error on the path, for which the truth must be known.
#' 1. The support P after every event of every `nu` has the criterion -2 REML + |P| log n + 2 log
#'    choose(d, |P|). REML is the restricted likelihood of the model in which the coefficients of P
#'    are fixed and the others \eqn{N(0, \sigma^2\nu/n)}, responses and features in units of their
#'    standard deviations; d is the number of features that vary. Supports of more than
#'    \eqn{n/(2 \log n)} features are left out.
#' 2. The criterion of a support is its smallest over `nu`; the weight of the support is
#'    proportional to exp(-criterion / 2). Those below .02 of the largest are dropped.
#' 3. The dense estimator of each is ridge that leaves P unpenalised, with the `nu` of the least
#'    leave-one-out error in `10^seq(-3, 2.5, .25)`, or among those that were given; the first of them where all are
#'    equally good, as for a support of all features. A row without
#'    which a feature of P is constant, such as the only row of a level, cannot be left out and is
#'    not counted there.
#' 4. The default model, `step = "average"`, is the weighted mean of these dense estimators; `step = "best"` is the
#'    one of the largest weight alone. The sum of the weights of the supports that contain a feature is its weight in
#'    the choice, `probability`: it says how much better a support with it predicts than a dense ridge alone, and not
#'    whether its effect is zero. The average itself has a coefficient for every feature: it is not sparse.
#'
#' What to report is another question: [signals()] names the effects that are told from zero, at a false discovery
#' rate. `print()`, `summary()`, `variable.names()`, `tidy()` and `plot()` show the same set.
#'
#' From moments the `nu` of step 3 is that of the largest restricted likelihood, since leave-one-out needs
#' rows.
#'
#' With several numeric responses the choice is made for each response. For a factor of more than two levels `choose` is
#' `"ridge"`, unless it is `"none"`: averaging for each class separately puts the classes on different scales, and
#' classified worse from a few rows. No random numbers are used and nothing is refitted in folds; [cv_path()]
#' chooses `nu` and t by cross-validation instead.
#'
#' Features are divided by their standard deviation in the rows of the fit. A column that is much
#' narrower there than in the rows to be predicted, such as a rare dummy or a column with few
#' outliers, has a large coefficient per unit, and predictions may be far off: `predict()` bounds columns ten
#' ranges outside the rows of the fit, and names them (`bound`, see [transfer_path]).
#'
#' `msplit()` gains where a few effects are much larger than the others. Where there are few rows and every feature has
#' an effect, a lasso or ridge may do better.
#'
#' @section Size: The kernels work on one standardised copy of the features, n x d doubles, which a
#' sparse `x` becomes too (leave-one-out and more than three responses take a second one), and on
#' matrices of order min(n, d). The evidence needs second moments only; leave-one-out is computed for
#' the supports that were not dropped. `loo` and `df` of every event are in `steps` where n x d x responses
#' is at most 5e4, and `NA` elsewhere: there, of a numeric matrix with ten rows or more for every column and response,
#' whose columns are not close to dependent, the exact path comes from second moments, and no copy is made.
#'
#' @param x,y Features (numeric matrix, `dgCMatrix` or data frame, n x d) and response: n numbers, a
#'   numeric matrix with a column for each response, or a factor: two levels are coded -1 and 1,
#'   more by a column of 0 and 1 for each. `x` may also be [moments()] with d <= n, which include the response and
#'   the weights, for the exact path of squared loss (`method`, `loss` and the settings `nt`, `kappa`, `alpha` and
#'   `start` need rows).
#' @param formula,data,weights,subset,na.action As in [lm()]; `cbind(a, b) ~ .` for several
#'   responses.
#' @param nu Positive numbers: the larger, the farther the two estimators may be apart. `NULL`: `10^seq(-2, 2.5,
#'   .5)` where supports are chosen, otherwise 5.
#' @param method `"iss"` or `"lbi"`; `NULL` is `"iss"` for squared loss.
#' @param loss `"squared"` (`NULL`), or for a factor response `"binomial"` or `"multinomial"`.
#' @param max_steps Largest number of events (`NULL`: 20 min(n, d)), or of iterations of `"lbi"`. A
#'   discrete path that is cut short by it is incomplete, with a warning; `NULL` is an error where more
#'   than 1e8 iterations are needed. In [cv_path()] it limits the path on all rows; the paths of the folds are computed
#'   up to the same times.
#' @param choose `"evidence"`, see below; `"ridge"`: ridge without a support, with one `nu` for all responses, that of
#'   the least sum of their leave-one-out errors (from moments: of the largest restricted likelihood); `"none"`: the
#'   default model is the last step of the first `nu`. For `"lbi"` only `"none"`: the last step is the least
#'   regularised model of the path; choose a better one with [cv_path()].
#' @param standardize Divide features by their standard deviations? Coefficients are always on the
#'   original scale.
#' @param intercept Centre features and responses?
#' @param keep Names or numbers of columns, or names of factors, that are in every model: they have no penalty and
#'   are not selected. One column of a factor keeps all of it. They are treated as the intercept is: \eqn{B} and
#'   \eqn{\Gamma} are not split there, and all estimators have them. Every other feature is replaced by its
#'   residuals on the kept columns, divided by their standard deviation (so that a sparse matrix becomes a dense
#'   one). `size` and `df` count kept columns. For squared loss they have the least squares coefficients, given the
#'   others, at every step; with a logistic loss they descend beside the intercepts, and start at those of
#'   [glm()] on them alone (`start = "zero"`) or beside ridge.
#' @param points `NULL`, or the component `points` of another path, or rows of it: the path is computed at these times
#'   and their `nu` (in place of the argument `nu`, of which a message tells), and no model on it is chosen.
#'   [cv_path()] gives it to the fits of its folds, which are compared at the times of the path on all rows.
#'   [refit()][refit.transfer_path] of the path does not take them over.
#' @param sparse Code the formula's variables as a sparse matrix?
#' @param control Other settings, as [msplit_control()] returns them, or a list of them: `t_ratio`, `record`, `nt`,
#'   `kappa`, `alpha`, `start`.
#' @param ... No further arguments. A mistyped one is an error that names the one that was meant.
#' @returns An object of class `c("msplit", "transfer_path")`, see [transfer_path]. `step` is an
#'   event for one response, otherwise a recorded time; `lambda` is `nu`. Its own components:
#' * `points`: also `t`; a row for each step at which the dense estimator was kept.
#' * `steps`: a row for each event (of each response and `nu`; with `"lbi"` for each recorded
#'   time), from 0 on: `class` or `response` (several), `lambda` (nu), `step` (number of the
#'   event), `t`, `entered` and `dropped` (several names are joined by commas), `size` of the
#'   support, `loss` (of the dense estimator: the mean squared residual, or the mean loss), `rss`,
#'   and given the support `loo` (mean squared error), `df` (trace of the smoother, intercept
#'   included), `reml` (-2 log restricted likelihood, response and columns in units of their standard deviations, so
#'   that it is the same in all units) and `criterion`; `NA` for
#'   `"lbi"`, `loo` and `df` also as the section on size says.
#' * `gamma`, `gamma_a0`: the sparse estimator and its intercept, with a column for each row of
#'   `steps`.
#' * `every`: `beta` and `a0`, the same for the dense estimators of several responses, where they
#'   were kept at every event; else `NULL`.
#' * `best`: `"average"`, or without a choice a step; `best_lambda`, `best_step`: the `nu` and the
#'   step of the smallest criterion (several responses: of the smallest sum), whose path is printed
#'   and drawn.
#' * `supports`: a row for each support that was not dropped: `class` or `response` (several), `weight`,
#'   `criterion`, `size`, `terms` (joined by commas, those in `keep` first), `nu`, `loo`, `df` and `loss` of its dense
#'   estimator, `lambda` and `step` of the event it was found at. `NULL` without a choice.
#' * `sums`: what [signals()] needs: products of the features with each other and with the responses, no rows.
#' * `probability`: features x responses, the sums of the weights of the supports that contain a feature, weighed beside
#'   a dense ridge (for the probability that an effect is not zero see [signals()]);
#'   `NULL` with more than two classes, where supports have no weights.
#' * `named`: the models `"average"` and `"best"`.
#' * `ends`: how far each path is known (`end`), and whether it is `complete` (no event follows);
#'   `method`, `loss`, `responses`; for `"lbi"` `kappa`, `alpha` (one for each `nu`) and `stopped`
#'   (the `nu` that `max_steps` has ended).
#' * `fitted`, `residuals`: for a logistic loss probabilities (of two classes the second's) and
#'   indicators of the classes minus the probabilities.
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
                           intercept = TRUE, control = msplit_control(), points = NULL) {
  arguments_methods_check()
  frame <- frame_default(x, y, weights = weights, many = TRUE, moments = TRUE)
  fit <- msplit(frame, method = method, loss = loss, nu = nu, choose = choose, max_steps = max_steps, keep = keep,
                standardize = standardize, intercept = intercept, control = control, points = points)
  arguments_methods_called(fit, frame, match.call(), "msplit")
}

#' @rdname msplit
#' @export
msplit.formula <- function(formula, data, ..., weights, subset, na.action, sparse = FALSE, method = NULL, loss = NULL,
                           nu = NULL, choose = c("evidence", "ridge", "none"), max_steps = NULL, keep = NULL,
                           standardize = TRUE, intercept = TRUE, control = msplit_control(), points = NULL) {
  arguments_methods_check()
  matched <- match.call()
  frame <- frame_formula(formula, data, matched, na.action, sparse = sparse, many = TRUE, env = parent.frame())
  fit <- msplit(frame, method = method, loss = loss, nu = nu, choose = choose, max_steps = max_steps, keep = keep,
                standardize = standardize, intercept = intercept, control = control, points = points)
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
