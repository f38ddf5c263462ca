#' Cross-validation along a path
#'
#' Says how accurate a method is on new rows, and how many steps of its path to take. Use it for one method: `cv_path(y
#' ~ ., data = d, fit = tgreedy, domain = hospital)`. For several methods, and for models of other packages, on the same
#' folds use [compare_paths()].
#'
#' Fits the path to all rows and once without each fold, predicts the rows of each fold from the
#' path without it, and reports the loss at every step, the step of smallest loss
#' (`"min"`), the sparsest step within one standard error of it (`"1se"`), and, for
#' methods that average their path, the loss of the average.
#'
#' **Steps.** The loss is computed at all points (`lambda` and step) of the path on all rows. Where
#' the path of a fold ends earlier, its last step is used for all later ones. Several `lambda`
#' are matched between the paths by their order. Paths of [msplit()] are
#' compared at the times of the path on all rows, and `lambda` is `nu`; the choice that msplit() makes is not repeated
#' in the folds.
#'
#' **Summary.** `cvm` is the mean of the losses of the folds, weighted by the number of rows (the
#' total of the weights) in each, or with equal weights where the folds are domains; `cvsd` is the standard
#' error of that mean, from the variance
#' between the folds. A fold in which the loss is not defined is left out, with a warning.
#'
#' **Choice.** `"min"` is the point with the best mean: the smallest loss, or the largest with
#' `loss = "auroc"` and `"concordance"`; among equals the one with the fewest columns. `"1se"` stays at the `lambda` of
#' `"min"` and is the point with the fewest columns (then the smallest step) whose mean is within
#' one standard error of the best, the standard error being that of `"min"`: not larger than best
#' plus one standard error, or with `"auroc"` and `"concordance"` not smaller than best minus one. The average is
#' reported for comparison and never chosen.
#'
#' **Losses.**
#' * `"mse"`: mean squared error, the default for numbers; a factor is coded -1 and +1, and with
#'   more than two classes the mean over the classes is taken.
#' * `"mae"`: mean absolute error, on the same coding. `"mse"` and `"mae"` are errors for the classes of a logistic
#'   model, whose scores are log odds or logarithms of probabilities. Logistic models are those of
#'   [shareboost()] and of [msplit()] with a logistic loss, for which `fit` is
#'   `function(x, ...) msplit(x, loss = "binomial", ...)`.
#' * `"deviance"`: for numbers the mean squared error; for the classes of a logistic model twice the
#'   mean of minus the log of the true class's probability; not defined for least-squares scores of
#'   classes.
#'   For counts and successes out of totals ([tlcp()] with a `family`): the mean of the deviances of the
#'   rows, the default. For survival times: minus twice the cross-validated log partial likelihood of Verweij and van
#'   Houwelingen, divided by the number of events, the default. The part of a fold is the log partial likelihood of all
#'   rows less that of the training rows, both at the coefficients of the training rows: a row alone has no risk set.
#' * `"concordance"`: for survival times, Harrell's; larger is better.
#' * `"class"`: share of rows put into the wrong class, the default for factors.
#' * `"balanced"`: the mean over the classes present of the share of its rows put into a wrong one.
#' * `"auroc"`: area under the ROC curve, larger is better. With more than two classes the mean of
#'   one class against the rest, over the classes present in the fold; with a logistic model the rows
#'   are ranked by the log odds of the class. A fold with one class only is left out, with a
#'   warning that names it.
#'
#' All are weighted by `weights`.
#'
#' **Many rows.** With the mean squared error of numeric responses and many rows (ten or
#' more for every column, domain and fold), the folds are fitted and predicted from second moments: one pass
#' over the rows adds up the [moments()] of every domain and fold, and each fold needs only sums of these.
#' An offset is subtracted before, and predictions of sources are columns of these moments.
#' `fit` is first given the moments of all rows. The folds are fitted from moments only if the path from moments
#' predicts as that from the rows does (to 10 digits of the response's standard deviation), so that the losses are those
#' of refits to rows up to rounding; and only if no feature is close to a combination of others in the training rows of
#' a fold, where rounding could decide which of them is selected; and only if no number of a held-out row is so far
#' outside the training rows that `bound` would bind. Otherwise, and with `keep_predictions`, the folds are
#' refitted to rows.
#'
#' **Randomness.** Random numbers are drawn by the fit to all rows where it has `candidates`, then by
#' [make_folds()] unless `foldid` or `by` gives the folds. Every fold has a seed, which is drawn before the
#' first of them is fitted; where neither the fit to all rows nor a fold has drawn random
#' numbers, that draw is taken back. So the result is the same
#' with the same seed for every value of `parallel`, also with a function of your own that draws random numbers.
#'
#' **Parallel.** `parallel = TRUE` runs the folds by [future.apply::future_lapply()] under the
#' [future::plan()] you set; a cluster made by
#' [parallel::makeCluster()] is used as it is. Models given as `sources` predict
#' once, before the folds, unless the fit draws `candidates`; in that case the workers
#' must be able to load the packages of the models. Progress is reported to [progressr::with_progress()] from folds run
#' in this session or by future, and shown by cli for folds run in this session, see [transelect-package].
#' A warning in a fold is repeated with the number of the fold; a warning of this
#' package, such as that classes are separable, is given once for all folds, and not if the
#' fit on all rows has given it. An error in a fold ends the call and names the fold.
#'
#' @param x A numeric matrix, sparse matrix (`dgCMatrix`) or data frame of features, or a formula.
#' @param ... Arguments of `fit`, such as `rule`, `max_steps` or `keep`. Others are errors.
#' @return An object of class `transfer_cv`, a list of
#' * `cvm`, `cvsd`: numbers, one for each point: mean loss and its standard error;
#' * `cvup`, `cvlo`: `cvm + cvsd` and `cvm - cvsd`;
#' * `nzero`: integers, one for each point: number of columns in the model of the path on all rows (with more
#'   than two classes, in that of any class), for [msplit()] in the support;
#' * `points`: data frame with one row for each point: `step`, `lambda`, and `t` where the path has
#'   times;
#' * `average`: data frame with one row for each lambda: `lambda`, `cvm`, `cvsd`; NULL where the
#'   method has no average;
#' * `index`: `c(min = , "1se" = )`, rows of `points`;
#' * `step.min`, `step.1se`: the steps chosen; `lambda`: the `lambda` they are on;
#' * `loss`: name of the loss;
#' * `foldid`: the fold of every row, as drawn or given (`by = "domain"`: the domain);
#' * `by`: as given; absent if it was not;
#' * `folds`: data frame with one row for each fold: `fold`, `rows`, `weight`;
#' * `fold_loss`: folds x points matrix of losses;
#' * `fit`: the path on all rows; for classes fitted by least squares with the calibration of its scores on
#'   those of the held-out rows, so that `predict(type = "prob")` gives probabilities;
#' * `predictions`: NULL, or with `keep_predictions` the out-of-fold scores on the scale of
#'   `predict(type = "link")`: rows x points, with more than two classes rows x classes x points;
#'   after the points, one more for the average at every lambda where the method has it;
#' * `held_out`: for a factor response a data frame with one row for each row of the data: `true`,
#'   and `min` and `1se`, the classes predicted at these points by the path fitted without the
#'   row;
#' * `call`: the call.
#'
#' `print()`, [summary()], [plot()][plot.transfer_cv], [coef()][coef.transfer_cv],
#' [predict()][predict.transfer_cv], `nobs()`, `tidy()`, `glance()` and `autoplot()` work on it.
#' @references Hastie, Tibshirani & Friedman (2009), *The Elements of Statistical Learning*, 2nd
#'   edition, section 7.10: cross-validation and the one-standard-error rule.
#'   \doi{10.1007/978-0-387-84858-7}
#' @seealso [make_folds()], [predict.transfer_cv()], [plot.transfer_cv()], [greedytl()]
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(60 * 30), 60, dimnames = list(NULL, paste0("x", 1:30)))
#' y <- x[, 1] - x[, 2] + rnorm(60)
#' cvf <- cv_path(x, y, max_steps = 10, nfolds = 5)
#' cvf
#' coef(cvf, step = "1se")
#' predict(cvf, x[1:3, ], step = "min")
#'
#' # one hospital after the other is left out
#' hospital <- rep(c("a", "b", "c"), each = 20)
#' cv_path(x, y, max_steps = 10, domain = hospital, by = "domain")
#' @export
cv_path <- function(x, ...) {
  UseMethod("cv_path")
}

#' @rdname cv_path
#' @param y The response: a numeric vector or a factor, for [msplit()] also a numeric matrix (losses
#'   are means over the responses).
#' @param fit The method: [greedytl()], [tgreedy()], [tlcp()], [msplit()], [shareboost()], or a function
#'   of your own that calls one of them with its own first argument and `...`, as
#'   `function(x, ...) msplit(x, loss = "binomial", ...)`. Folds and loss depend on the path that it returns for all
#'   rows, so they are those of the method that it calls. The function
#'   may leave rows out, but it is an error to change columns, the response or an offset, since held-out rows would
#'   not be changed. In the folds the `points` of an [msplit()] path are among the arguments in its `...`. It
#'   should not give `prob`, with which the fit of every fold would be calibrated for itself. Or a method of
#'   your own, see [new_transfer_path()].
#' @param sources NULL, or sources as the method takes them: predictions or models, see [sources()].
#' @param weights NULL, or non-negative numbers, one for each row; in the formula interface a
#'   column of `data` or an expression of them.
#' @param domain NULL, or for each row the name of the domain it comes from; in the formula
#'   interface a column of `data`.
#' @param offset,strata As in [tlcp()].
#' @param nfolds Number of folds, 2 to the number of rows. Not used with `foldid` or `by`.
#' @param foldid NULL, or the fold of every row, used as it is: two folds or more, none missing.
#'   Rows that `subset`, `na.action` or a weight of zero drops are dropped from it. Or folds of the
#'   package rsample, from `vfold_cv()` or `group_vfold_cv()` of the same rows; resamples that hold a
#'   row out twice or never, such as `bootstraps()`, are refused.
#' @param by `"rows"`, or `"domain"` to leave out one domain at a time; NULL is `"domain"` for
#'   [tgreedy()] and `"rows"` for other methods.
#' @param loss `"mse"`, `"mae"`, `"deviance"`, `"log_loss"` (of logistic models, half of the deviance; for
#'   calibrated scores of least squares see [compare_paths()]), `"class"`, `"balanced"`, `"auroc"` or
#'   `"concordance"`; NULL is `"mse"` for numbers, `"class"` for factors and `"deviance"` for
#'   counts, totals and survival times. Or a function of three arguments that returns one number, smaller
#'   being better. Its arguments are, for the held-out rows of a fold: their responses, the predictions of a step on the
#'   scale of `predict(type = "link")` (a vector, or with more than two classes a matrix with a column for
#'   each), and their weights.
#' @param parallel FALSE; TRUE for the plan of the future package; or a cluster of the parallel
#'   package. The result is the same. Methods of your own, such as `refit.own()`, must be known to the nodes: by a
#'   package that they load, or by `parallel::clusterExport(cluster, "refit.own")`.
#' @param keep_predictions TRUE to return the out-of-fold predictions.
#' @param bound As for [predict()][transfer_path], of held-out rows and of the result: NULL for the default of the
#'   method, or at how many ranges outside the training rows their columns are bounded.
#' @export
cv_path.default <- function(x, y, fit = greedytl, ..., sources = NULL, weights = NULL,
                            offset = NULL, strata = NULL, domain = NULL, nfolds = 10, foldid = NULL,
                            by = NULL, loss = NULL, parallel = FALSE, keep_predictions = FALSE, bound = NULL) {
  arguments_check_spelling()
  call <- match.call()
  frame <- frame_default(
    x, y, weights = weights, domain = domain, sources = sources, many = TRUE,
    family = NA, offset = offset, strata = strata, call = environment()
  )
  settings <- cv_settings(environment(), nfolds, foldid, by, loss, parallel, keep_predictions, bound)
  out <- cv_frame(frame, fit, list(...), settings, call)
  if (!is.null(frame$offset)) out$fit$offset <- frame_bake_offset_plan()
  out
}

#' @rdname cv_path
#' @param formula,data,subset,na.action As in [stats::lm()].
#' @param sparse TRUE to build a sparse design matrix from the formula.
#' @export
cv_path.formula <- function(formula, data, fit = greedytl, ..., sources = NULL, weights, offset,
                            subset, na.action, domain, sparse = FALSE, nfolds = 10, foldid = NULL,
                            by = NULL, loss = NULL, parallel = FALSE, keep_predictions = FALSE, bound = NULL) {
  arguments_check_spelling()
  call <- match.call()
  frame <- frame_formula(
    formula, data, call, na.action, sources = sources, sparse = sparse, many = TRUE, family = NA,
    env = parent.frame(), call = environment()
  )
  settings <- cv_settings(environment(), nfolds, foldid, by, loss, parallel, keep_predictions, bound)
  out <- cv_frame(frame, fit, list(...), settings, call)
  if (!is.null(frame$unweighted)) out$fit <- arguments_methods_rows_apart(out$fit, frame)
  out$fit$formula <- arguments_methods_kept_formula(formula, call)
  if (!is.null(frame$offset)) out$fit$offset <- frame_bake_offset_plan(call$offset)
  out
}

#' @rdname cv_path
#' @usage NULL
#' @export
cv_path.transfer_frame <- function(x, fit = greedytl, ..., nfolds = 10, foldid = NULL, by = NULL,
                                   loss = NULL, parallel = FALSE, keep_predictions = FALSE, bound = NULL) {
  arguments_check_spelling()
  settings <- cv_settings(environment(), nfolds, foldid, by, loss, parallel, keep_predictions, bound)
  cv_frame(x, fit, list(...), settings, match.call())
}

#' @rdname cv_path
#' @export
cv_path.moments <- function(x, fit = greedytl, ..., by = NULL, loss = NULL) {
  arguments_check_spelling()
  call <- match.call()
  here <- rlang::current_env()
  given <- intersect(...names(), c("parallel", "foldid", "nfolds", "keep_predictions", "domain", "bound"))
  if (missing(x)) abort_missing("x", "Give the moments, or rows, as the first argument.", here)
  if (length(given)) {
    abort_input("{.fn cv_path} from moments cannot use {.arg {given}}.", "moments",
                i = "Leave {.arg {given}} out: the folds are those of the moments, and there is nothing to run in
                     parallel.", call = here)
  }
  settings <- cv_settings(here, by = by, loss = loss)
  if (is.function(loss) || !cv_loss_check(loss %||% "mse", here) %in% c("mse", "deviance")) {
    abort_input("{.arg loss} is {.val {loss}}, which needs rows.", "loss",
                i = "Give {.val mse}, or the rows.", call = here)
  }
  path <- cv_refit_fit(fit, x, list(...), here)
  if (!cv_user_fit_is_own_method(fit)) cv_user_fit_refuse_other_data(path, x, here)
  by <- cv_object_by(path, settings)
  folds <- cv_moments_folds(x, by, path, here)
  path$call <- cv_object_path_call(call, path, by)
  held_out <- lapply(stats::setNames(nm = unique(folds[!is.na(folds)])), function(f) which(folds == f))
  plan <- list(path = cv_refit_path(path, fit, list(...)), grid = cv_refit_grid(path))
  totals <- lapply(held_out, function(cells) moments_object_total(x, cells))
  weight <- if (is.null(by)) vapply(totals, `[[`, 0, "weight") else rep(1, length(totals))
  cv_object(cv_moments_losses(x, held_out, plan, here), vapply(totals, `[[`, 0, "n"), weight, path = path,
            grid = plan$grid, loss = cv_loss_find("mse", "gaussian", here), foldid = NULL, call = call,
            error_call = here)
}
