#' Cross-validation along a path
#'
#' Estimates how accurate a method is on new rows, and how many steps of its path to take: `cv_path(y ~ ., data = d, fit
#' = tgreedy, domain = hospital)`. Use it for one method. To compare several methods, or models of other packages, on
#' the same folds use [compare_paths()]; for predictions of single rows with intervals use [conformal()].
#'
#' The path is fitted to all rows, and once without each fold. The rows of a fold are predicted from the path that was
#' fitted without it. The result has the loss at every step, the step with the smallest loss (`"min"`), the sparsest
#' step within one standard error of it (`"1se"`), and, for methods that average their path, the loss of the average.
#'
#' **Steps.** The loss is computed at all points (`lambda` and step) of the path on all rows. If the path of a fold ends
#' earlier, its last step is used for all later ones. Several `lambda` are matched between the paths by their order. For
#' [msplit()] `lambda` is `nu`, and the paths are compared at the times of the path on all rows; the folds do not repeat
#' its choice of a model.
#'
#' **Summary.** `cvm` is the mean of the losses of the folds, weighted by the number of rows (the total of the weights)
#' in each, or with equal weights if the folds are domains. `cvsd` is the standard error of this mean, from the variance
#' between the folds. `cvwithin` is the standard error for comparisons of steps: first each fold's mean loss over the
#' steps (of the same `lambda`) is subtracted from its losses (Cousineau 2005). A fold, above all a domain with a level
#' of its own, may be hard at every step, and then `cvsd` is several times as large as the error of what decides between
#' steps. A fold in which the loss is not defined is left out, with a warning.
#'
#' **Choice.** `"min"` is the point with the best mean: the smallest loss, or the largest with `loss = "auroc"` and
#' `"concordance"`; among equals the one with the fewest columns. `"1se"` is at the same `lambda` as `"min"`. It is the
#' point with the fewest columns (then the smallest step) whose mean differs from the best by at most one standard
#' error, the `cvwithin` of `"min"`. `"default"`, which `predict()`, `coef()` and the other verbs use, is the step that
#' the method has chosen itself, where it has chosen one, as [tgreedy()] that stops by a rule and [tlcp()] do. If the
#' loss of that step is larger than the best by more than two standard errors of the difference, taken fold by fold and
#' corrected as in [tidy()][tidy.transfer_cv], it is `"min"`. For other methods it is `"1se"`. The average is reported
#' for comparison and never chosen.
#'
#' Fits of [tgreedy()] to eight domains of 40 rows were tried on 60 new domains: numbers, classes and survival times,
#' each without and with levels of the domains. Of what the best step gains over no column, the share lost is
#' * by the method's own choice .01, .02, .03, .03, .10, .10, and by the default nearly the same,
#' * by `"min"` .03, .05, .07, .25, .12, .13,
#' * by `"1se"` .08, .08, .09, .32, .15, .17, with `cvsd` in place of `cvwithin` .22, .55, .15, .48, .24, .28
#'
#' (`Rscript bench/tgreedy.R choice`). `"1se"` gives up some accuracy for fewer columns.
#'
#' **Losses.**
#' * `"mse"`: mean squared error, the default for numbers; a factor is coded -1 and +1; with more than two classes the
#'   losses are averaged over the classes.
#' * `"mae"`: mean absolute error, on the same coding. `"mse"` and `"mae"` are refused for the classes of a logistic
#'   model, whose scores are log odds or logarithms of probabilities. Logistic models are those of [shareboost()] and of
#'   [msplit()] with a logistic loss, for which `fit` is `function(x, ...) msplit(x, loss = "binomial", ...)`.
#' * `"deviance"`: for numbers the mean squared error; for the classes of a logistic model minus twice the mean log
#'   probability of the true class. It is not defined for scores of classes fitted by least squares. For counts and
#'   successes out of totals ([tlcp()] with a `family`): the mean of the deviances of the rows, the default. For
#'   survival times: minus twice the cross-validated log partial likelihood of Verweij and van Houwelingen, divided by
#'   the number of events, the default. A row alone has no risk set. So the loss of a fold is the log partial likelihood
#'   of all rows minus that of the training rows, both at the coefficients fitted to the training rows.
#' * `"concordance"`: Harrell's concordance, for survival times; larger is better.
#' * `"class"`: share of misclassified rows, the default for factors.
#' * `"balanced"`: share of misclassified rows in each class, averaged over the classes that the fold has.
#' * `"auroc"`: area under the ROC curve; larger is better. With more than two classes it is the mean of the areas of
#'   each class against the rest, over the classes that the fold has; with a logistic model rows are ranked by the log
#'   odds of the class. A fold with only one class is left out, with a warning that names it.
#'
#' All are weighted by `weights`.
#'
#' **Many rows.** For the mean squared error of a numeric response and many rows (ten or more per column, domain and
#' fold), the folds are fitted and predicted from second moments. One pass over the rows computes the [moments()] of
#' every domain and fold, and each fold needs only sums of these. An offset is subtracted before; predictions of sources
#' are columns of the moments. The losses are the same up to rounding, because the folds are refitted to rows in any of
#' these cases: the path from moments and the path from rows do not predict the same to 10 digits of the response's
#' standard deviation; a feature is close to a combination of others in the training rows of a fold; a held-out row is
#' so far outside the training rows that `bound` would change it; `keep_predictions` is `TRUE`.
#'
#' **Randomness.** Random numbers are drawn by the fit to all rows if it has `candidates`, then by [make_folds()] unless
#' `foldid` or `by` gives the folds. The seeds of all folds are drawn before the first fold is fitted; this draw is
#' undone if neither the fit to all rows nor a fold has drawn random numbers. So after the same [set.seed()] the result
#' is the same for every value of `parallel`, also with a function of your own that draws random numbers.
#'
#' **Parallel.** `parallel = TRUE` runs the folds by [future.apply::future_lapply()] under the [future::plan()] that you
#' set; a cluster made by [parallel::makeCluster()] is used as it is. Models given as `sources` predict once, before the
#' folds. Only if the fit draws `candidates` do they predict in the folds, and then the workers must be able to load the
#' packages of the models. For progress see [transelect-package]. A warning in a fold is repeated with the number of the
#' fold. A warning of this package, such as that classes are separable, is given once for all folds, and not again if
#' the fit to all rows has given it. An error in a fold ends the call and names the fold.
#'
#' @param x A numeric matrix, sparse matrix (`dgCMatrix`) or data frame of features, or a formula. Or a fit:
#'   `cv_path(fit, nfolds = 5)` takes the data, the method and its arguments from the call of the fit.
#' @param ... Arguments of `fit`, such as `rule`, `max_steps` or `keep`. Others are errors.
#' @return An object of class `transfer_cv`, a list of
#' * `cvm`, `cvsd`: numbers, one per point: mean loss and its standard error;
#' * `cvup`, `cvlo`: `cvm + cvsd` and `cvm - cvsd`; `cvwithin`: the standard error for comparisons of steps;
#' * `nzero`: integers, one per point: the number of columns in the model of the path on all rows (with more than two
#'   classes: in the model of any class; for [msplit()]: in the support);
#' * `points`: data frame with one row per point: `step`, `lambda`, and `t` if the path has times;
#' * `average`: data frame with one row per lambda: `lambda`, `cvm`, `cvsd`; NULL if the method has no average;
#' * `index`: `c(min = , "1se" = , default = )`, rows of `points`;
#' * `step.min`, `step.1se`, `step.default`: the steps chosen; `lambda`: the `lambda` they are on;
#' * `loss`: name of the loss;
#' * `foldid`: the fold of every row, as drawn or given (`by = "domain"`: the domain);
#' * `by`: as given; absent if it was not;
#' * `folds`: data frame with one row per fold: `fold`, `rows`, `weight`;
#' * `fold_loss`: folds x points matrix of losses;
#' * `fit`: the path on all rows. For classes fitted by least squares it has a calibration of the scores, estimated from
#'   held-out rows, so that `predict(type = "prob")` gives probabilities;
#' * `predictions`: NULL, or with `keep_predictions` the predictions of held-out rows on the scale of `predict(type =
#'   "link")`: rows x points, with more than two classes rows x classes x points. If the method has an average, it
#'   follows the points of each lambda;
#' * `held_out`: for a factor response a data frame with one row per row of the data: `true`, and the classes `min`,
#'   `1se` and `default` that the path fitted without the row predicts at these points;
#' * `call`: the call.
#'
#' `print()`, [summary()], [plot()][plot.transfer_cv], [coef()][coef.transfer_cv],
#' [predict()][predict.transfer_cv], `nobs()`, `tidy()`, `glance()` and `autoplot()` work on it.
#' @references Hastie, Tibshirani & Friedman (2009), *The Elements of Statistical Learning*, 2nd
#'   edition, section 7.10: cross-validation and the one-standard-error rule.
#'   \doi{10.1007/978-0-387-84858-7}
#'
#'   Cousineau, D. (2005). Confidence intervals in within-subject designs. *Tutorials in Quantitative Methods for
#'   Psychology* 1, 42-45. \doi{10.20982/tqmp.01.1.p042}
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
  if (!is.null(call <- arguments_formula_first())) return(eval(call, parent.frame()))
  UseMethod("cv_path")
}

#' @rdname cv_path
#' @param y The response: a numeric vector or a factor, for [msplit()] also a numeric matrix (losses
#'   are means over the responses).
#' @param fit The method: [greedytl()], [tgreedy()], [tlcp()], [msplit()], [shareboost()], or a method of your own, see
#'   [new_transfer_path()]. Or a function of your own that calls a method with its first argument and `...`, as
#'   `function(x, ...) msplit(x, loss = "binomial", ...)`. Folds and loss are then those of the method that the function
#'   calls. The function may leave rows out, but must not change columns, the response or an offset, since held-out rows
#'   would not be changed; this is an error. It should not set `prob`, since then every fold would be calibrated
#'   separately. In the folds the `points` of an [msplit()] path are among the arguments in `...`.
#' @param sources NULL, or the sources of the method: predictions or models, see [sources()].
#' @param weights NULL, or one non-negative number per row; with a formula a column of `data`, or an
#'   expression of columns.
#' @param domain NULL, or the domain of each row; with a formula a column of `data`.
#' @param offset,strata As in [tlcp()].
#' @param nfolds Number of folds, 2 to the number of rows. Not used with `foldid` or `by`.
#' @param foldid NULL, or the fold of every row: at least two folds, and none missing. Rows dropped by `subset`,
#'   `na.action` or a weight of zero are dropped from it. Folds of the package rsample are taken, too: from `vfold_cv()`
#'   or `group_vfold_cv()` of the same rows. Resamples that hold a row out twice or never, such as
#'   `bootstraps()`, are refused.
#' @param by `"rows"`, or `"domain"` to leave out one domain at a time; NULL: `"domain"` for [tgreedy()] and `"rows"`
#'   for other methods.
#' @param loss `"mse"`, `"mae"`, `"deviance"`, `"log_loss"` (of logistic models, half of the deviance; for calibrated
#'   scores of least squares see [compare_paths()]), `"class"`, `"balanced"`, `"auroc"` or `"concordance"`. NULL:
#'   `"mse"` for numbers, `"class"` for factors and `"deviance"` for counts, totals and survival times. Or a function of
#'   three arguments that returns one number; smaller is better. Its arguments are, for the held-out rows of a fold, the
#'   responses, the predictions of a step on the scale of `predict(type = "link")` (a vector, or with more than two
#'   classes a matrix with one column per class), and the weights.
#' @param parallel FALSE; TRUE for the plan of the future package; or a cluster of the parallel package. The result is
#'   the same. Methods of your own, such as `refit.own()`, must be known to the nodes: from a package that the nodes
#'   load, or by `parallel::clusterExport(cluster, "refit.own")`.
#' @param keep_predictions TRUE to return the out-of-fold predictions.
#' @param bound As for [predict()][transfer_path], both for held-out rows and for predictions of the result: NULL (the
#'   default of the method), or the number of ranges outside the training rows at which columns are bounded.
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
  cv <- cv_frame(frame, fit, list(...), settings, call)
  if (!is.null(frame$offset)) cv$fit$offset <- frame_bake_offset_plan()
  cv_object_sealed(cv)
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
  cv <- cv_frame(frame, fit, list(...), settings, call)
  if (!is.null(frame$unweighted)) cv$fit <- arguments_methods_rows_apart(cv$fit, frame)
  cv$fit$formula <- arguments_methods_kept_formula(formula, call)
  if (!is.null(frame$offset)) cv$fit$offset <- frame_bake_offset_plan(frame$expression_of_offset)
  cv_object_sealed(cv)
}

#' @rdname cv_path
#' @export
cv_path.transfer_path <- function(x, ...) {
  arguments_check_spelling()
  extras <- match.call(expand.dots = FALSE)$... # as they were written
  path_update_as_verb(x, "cv_path", extras, CV_ARGUMENTS, parent.frame(), rlang::current_env())
}

#' @export
cv_path.transfer_cv <- function(x, ...) {
  abort_input("{.arg x} is a cross-validation.", "x",
              i = "{.code update(x, nfolds = 5)} repeats it with other arguments, {.code cv_path(x$fit)} with the
                   default ones.", call = rlang::current_env())
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
  cv_object_sealed(cv_object(cv_moments_losses(x, held_out, plan, here), vapply(totals, `[[`, 0, "n"), weight,
                             path = path, grid = plan$grid, loss = cv_loss_find("mse", "gaussian", here), foldid = NULL,
                             call = call, error_call = here))
}
