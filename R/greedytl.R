#' Greedy transfer learning: a few features and sources for a small target
#'
#' Fits a sparse linear model to a small target data set, choosing its columns greedily among the
#' target's own features and the predictions of models trained elsewhere ([sources()]). Each step
#' adds the column that lowers the L2-regularised squared loss most, and reads the data once.
#'
#' @section Model:
#' With \eqn{Z = [X\;H]} the features and the sources' predictions, \eqn{v_i} weights with
#' \eqn{\sum_i v_i = n}, and columns centred and scaled on the target rows, the fit minimises
#' \deqn{\frac1n \sum_i v_i (y_i - a_0 - z_i'w)^2 + \frac1n \sum_j \tau_j w_j^2, \qquad
#'   \|w\|_0 \le k,} greedily over the columns. A common ridge \eqn{\tau_j = n\lambda} is equation
#' (2) of the paper. Its Algorithm 1 starts from \eqn{I/\lambda}: the number called lambda there
#' is \eqn{\tau}, that is, `lambda = paper's / n` here.
#'
#' @section The two rules:
#' `rule = "paper"` is Algorithm 1 as published: equal weights for rows and columns, unit variance
#' (as [sd()]), one ridge (\eqn{\tau = 1} unless `lambda` is given), coefficients of any sign; the path ends when the
#' objective falls by less than `tol = 1e-4`.
#'
#' `rule = "transfer"`, the default, is ours. It uses the same recursion, but the two classes have the
#' same weight whatever their sizes; features and sources have ridges of their own, \eqn{\alpha_x p} and
#' \eqn{\alpha_h s}, averaged by the evidence (below); all sources share one scale, so that sources
#' with larger predictions keep that advantage; and predictions average the models of all steps.
#' The accuracy of both is in `bench/RESULTS.md` of the package's repository (`Rscript bench/greedytl.R
#' accuracy`, `Rscript bench/greedytl-kinds.R`). `"transfer"` is not better everywhere. Where features predict hardly
#' anything and a few sources
#' predict well, "no source" still has some of the weight, which costs accuracy: `ridge = c(features = 10,
#' sources = 1)` with `source_sign = "positive"` does better there. Where all sources are noise, or
#' nine of ten, the features alone do better, by one or two points of accuracy. `source_sign = "positive"` helps a
#' little on most data whose sources are models of similar problems, and with sources of noise; it harms where a source
#' has a negative coefficient.
#'
#' @section Averaged ridges: A dozen rows determine neither how strongly to shrink nor whether the sources
#'   are of use. With `ridge = "evidence"` every pair of \eqn{\alpha_x} in
#'   \eqn{10^{-1}, 10^{-.5}, \ldots, 10^{2.5}} and \eqn{\alpha_h} in the same, \eqn{10^3},
#'   \eqn{10^4} and infinity gets a weight, its posterior probability: the marginal
#'   likelihood of the response times the prior. Every pair is there twice where the sources share a scale: once for a
#'   model without sources that sources correct, and once for the mean of the sources, as it is, that
#'   features and single sources correct. Sources that answer the same question elsewhere have a mean that is hard to
#'   beat; evidence of a dozen rows then needs no more than to recognise it. The log prior, up to a constant, is
#'   \eqn{-\ln^2(\alpha_x / 10) / 8}, with \eqn{-\ln^2(\alpha_h) / 1.125} where
#'   \eqn{\alpha_h < 1}, plus \eqn{\ln 3} for the mean of the sources and \eqn{\ln 30} for "no source", infinite
#'   \eqn{\alpha_h} without the mean: each of these two has nearly half of the prior mass. Without sources it is flat.
#'   Pairs with less than a tenth of the largest weight are dropped, each of the others has a path of its own, and the
#'   default model is the weighted mean of their averages. With few rows these are 5 to 80 pairs, from a few hundred
#'   rows on often one.
#'
#'   The spread of a source counts for at most 1.5 times the median spread of the sources: a source that extrapolates
#'   wildly neither sets the common scale nor dominates the mean.
#'
#'   `ridge` lists the pairs with their weights; `steps` and the pictures show one path, that of the
#'   pair of largest weight with sources or without, whichever together have more weight, and not from the mean of the
#'   sources. `print()` shows the weights of
#'   "no source" and of the mean of the sources, the share of the largest sources (absolute standardised coefficient,
#'   relative to the sum over
#'   all columns) and three leave-one-out errors: that of the fit, that without sources and that of a regression on the
#'   mean of the sources (component `loo`).
#'
#'   The average is not sparse: it uses every column that a step of any of its paths uses, more
#'   than the 20 of one path, and all sources where their mean has weight.
#'   For one model take `average = FALSE`, one path at the
#'   posterior means of \eqn{1/\alpha_x} and \eqn{1/\alpha_h}, or give two numbers as `ridge`; in
#'   either case choose a single step, for example `coef(fit, step = 8)`.
#'
#' @section Moments: From a [moments()] object the same path is computed without the rows (features only, a
#'   numeric response or two classes, whose rows have equal weights, as with `class_weights = "none"`).
#'   Leave-one-out errors (`NA`), fitted values, sources, more than two classes, the argument `prob` and the settings
#'   `candidates`, `class_weights`, `source_scale` and `source_sign` need the rows.
#'
#' @section Few rows and the scale of a column: Columns are scaled by their spread in the rows of the
#'   target. Where this spread is far smaller than in new data, by chance or through other units,
#'   predictions may be far off, as with any method that scales columns. In 30 rows, a column without an effect whose
#'   spread was a sixtieth of that in new rows led to
#'   16 times the squared error of the mean (`rule = "paper"` 75, ridge by glmnet 39, least squares
#'   82; `Rscript bench/greedytl.R spread` in the repository). The rows of the target cannot
#'   show this. [predict()] therefore bounds columns ten range-widths outside the target's rows, and says so (`bound`,
#'   see [transfer_path]). Take the logarithm of a column with a long tail, or leave the column out.
#'
#' @section Leave-one-out: `steps$loo` is the exact leave-one-out squared error of every step *given
#'   the selected columns* and their scale. It does not account for the selection, and choosing
#'   `lambda` or the number of steps by it does worse than any fixed value; use [cv_path()] for
#'   that. `steps$loo_accuracy` puts a row into the second class when its score, from the fit without it, is above
#'   0; with balanced classes, above the midpoint of the mean scores of the two classes, since
#'   the intercept of a few rows moves with the row left out.
#'
#' @section Probabilities: Classes are fitted by least squares, and scores are no probabilities. With
#'   `prob = TRUE` the probability of a class is plogis(a + b s), s being the score: a and b maximise the likelihood of
#'   the classes, given scores that have not seen their row, times a prior of b: log b is normal about log 2 with
#'   standard deviation .5 (a has one of standard deviation 10 at the mean score). So b is positive, and
#'   probabilities differ wherever scores do. (Maximum likelihood with the smoothed classes of Platt 2000 gave one
#'   probability for all rows in many fits to a dozen.) With ridges by evidence the
#'   scores are the exact leave-one-out scores given the selected columns and ridges; otherwise the model is fitted
#'   again without each of ten parts of the rows, which are balanced in classes and scores and are
#'   not random, since scores in closed form are far too good where there is hardly any shrinkage
#'   (`Rscript bench/greedytl.R prob` in the package's repository compares them). The number a follows the frequencies
#'   of the classes, so that balanced `class_weights` are undone. With
#'   more than two classes each is calibrated against the rest, and the probabilities are divided by
#'   their sum. [cv_path()] calibrates by its own folds, without `prob`.
#'
#'   On twelve tasks with 12 to 120 rows the log loss was on average .96 to 1.00 times that of the best of four, chosen
#'   on the test rows: the sources as they are, the sources recalibrated, ridge logistic regression on the features and
#'   on features and sources; at most 1.22 times. The sources themselves did better where they are models of the same
#'   population (`Rscript bench/greedytl.R odds`). Where sources are good, their own
#'   probabilities may be better than those of the fit: `print()` shows their log loss beside the leave-one-out
#'   log loss of the fit.
#'
#'   `family = "binomial"` is an error: a model of the log odds themselves was tried and is no better. Its log odds
#'   had a normal prior with two ridges by Laplace's evidence, with and without the mean of the sources' log odds, and
#'   probabilities were integrated or sharper by their leave-one-out likelihood. On the twelve tasks its log loss was
#'   1.02 times that of `prob = TRUE` (geometric mean; 1.01, 1.03, 1.05 and 1.00 times with 12, 24, 60 and 120 rows),
#'   1.08 times that of the best of `prob = TRUE` and the four simple ways. It was up to 9 % better on eight of the
#'   tasks, 1 % worse on one, and 11 to 36 % worse on three whose classes are nearly separated. The sources
#'   recalibrated as one more alternative did not change that (1.03). The mean of both log odds was .992 times
#'   `prob = TRUE` (`Rscript bench/greedytl.R laplace`). For counts and survival times the same was not tried: [tlcp()]
#'   fits their likelihoods and borrows from models as [estimates()], [tgreedy()] takes survival times.
#'
#' @section Randomised variant:
#' With `candidates` ([greedytl_control()]) a step tries only so many columns, drawn without replacement among those
#' not yet selected (by R's generator: [set.seed()] works); the others are not read, and sources
#' that are functions are not called. [n_candidates()] gives 59 for the best 5 % with probability
#' .95. The evidence and a common scale would need all columns: here every source has its own scale, and
#' `ridge` is `c(features = 10, sources = 1)` unless given, times the number of features or
#' sources, at most `candidates * max_steps`.
#'
#' @param x,y Features and response. `x`: a numeric matrix, `dgCMatrix` or data frame (factors are
#'   coded as [lm()] would), n rows and p columns; a numeric matrix is not copied. Or [products()] of columns.
#'   `y`: n numbers, or a factor: two levels are coded -1 and 1, more are fitted one against the rest. `x` may also
#'   be a [moments()] object, which brings its response.
#' @param formula,data,weights,subset,na.action As in [lm()]. `weights` also for the first form:
#'   n numbers, not negative; they multiply the classes' weights. As in [lm()] only their ratios count and
#'   n is the number of rows: a row of weight 2 is not two rows. Rows written twice make n larger, so
#'   that the same ridge shrinks less and the evidence is stronger. Rows of weight zero are left out.
#' @param sources `NULL`, or anything [sources()] takes: an n x s matrix of predictions (all rows of
#'   `data` with a formula), or a list of models and functions.
#' @param rule `"transfer"` or `"paper"`, see below.
#' @param lambda Numbers, not negative: the common ridge with the mean loss, instead of
#'   `ridge` of `control`; one path for each. 0 is forward regression.
#' @param average With `ridge = "evidence"`: average the paths of all likely ridges, or one path?
#' @param max_steps Largest number of columns (or groups); `NULL`: 20 (`"transfer"`) or 100 (`"paper"`), or all
#'   if there are fewer.
#' @param keep Names or numbers of columns, or names of groups, that are in every model: they have no penalty and
#'   are not selected. One column of a group keeps all of it. Columns
#'   are features or sources. They enter first, in this order; the average is over the steps after them, and
#'   the evidence is that of the residuals of response and columns on them.
#' @param groups Columns that enter together. `NULL`: those of one factor of a formula or data frame (of
#'   more than two levels). A vector with the group of every feature; or `FALSE`, every column by itself. A
#'   step adds the group that lowers the objective most, and `max_steps` counts groups.
#' @param standardize Scale the columns?
#' @param intercept Centre the columns and the response? A formula with `- 1` sets `FALSE`.
#' @param sparse Code the formula's variables as a sparse matrix?
#' @param prob For classes: calibrate probabilities for `predict(type = "prob")`? See below.
#' @param family `NULL` or `"gaussian"`: least squares. Others are an error that says what to do, see below.
#' @param control Other settings, as [greedytl_control()] returns them, or a list of them: `ridge`, `source_scale`,
#'   `source_sign`, `class_weights`, `candidates`, `tol`.
#' @param ... No further arguments. A mistyped one is an error that names the one that was meant.
#'
#' @returns An object of class `c("greedytl", "transfer_path")`, see [transfer_path]. `steps` has a
#'   row for every step from 0: `entered`, its `type`, `size`, `gain` (fall of n times the
#'   objective), `objective`, `rss` (weighted), `loss` (`rss`/n), `df` (trace of the matrix that maps the response to
#'   the fitted values,
#'   intercept included), `loo` and, for classes, `loo_accuracy` (weighted by `v`, so by balanced weights where
#'   the classes have these). `ridge` has a row for every pair of ridges, first the pairs with sources or those
#'   without, whichever together have more weight, then by weight: the alphas (`Inf`: no source), the ridges tau,
#'   `from_mean` (is it that of a path from the mean of the sources?), the
#'   criterion (log marginal likelihood plus log prior) and the weight (0 for a pair that is not in the
#'   average but whose path is shown, or gives the error without sources). `average` is the default model: `beta`, `a0`,
#'   `rss`,
#'   `df`; `loo` has its leave-one-out error, that without sources and that of the mean of the sources.
#'
#' @references
#' Kuzborskij, I., Orabona, F. and Caputo, B. (2017). Scalable greedy algorithms for transfer
#' learning. *Computer Vision and Image Understanding* 156, 174-185, equation (2), Algorithm 1 and
#' section 3. \doi{10.1016/j.cviu.2016.09.003}
#'
#' Platt, J. (2000). Probabilistic outputs for support vector machines and comparisons to regularized
#' likelihood methods. In *Advances in Large Margin Classifiers*, MIT Press, 61-74.
#' @seealso [greedytl_control()], [sources()], [cv_path()], [plot.transfer_path()]
#' @examples
#' # A target with 12 rows; 30 models trained elsewhere, three of them on related data
#' set.seed(1)
#' w <- rnorm(10)
#' model <- function(w) function(x) drop(x %*% w)
#' others <- c(
#'   lapply(1:3, function(k) model(w + rnorm(10, sd = .3))),
#'   lapply(4:30, function(k) model(rnorm(10)))
#' )
#' names(others) <- paste0("model", 1:30)
#' x <- matrix(rnorm(120), 12, dimnames = list(NULL, paste0("x", 1:10)))
#' y <- drop(x %*% w) + rnorm(12)
#'
#' fit <- greedytl(x, y, sources = others)
#' fit
#' summary(fit)
#' new <- matrix(rnorm(1000), 100, dimnames = list(NULL, colnames(x)))
#' cor(predict(fit, new), new %*% w)
#' cor(predict(greedytl(x, y), new), new %*% w) # without the sources
#' @export
greedytl <- function(x, ...) UseMethod("greedytl")

#' @rdname greedytl
#' @export
greedytl.default <- function(x, y, sources = NULL, ..., weights = NULL, family = NULL, rule = c("transfer", "paper"),
                             lambda = NULL, average = TRUE, max_steps = NULL, keep = NULL, groups = NULL,
                             standardize = TRUE, intercept = TRUE, prob = FALSE, control = greedytl_control()) {
  arguments_methods_check()
  frame <- frame_default(x, y, weights = weights, sources = sources, moments = TRUE)
  fit <- greedytl(frame, family = family, rule = rule, lambda = lambda, average = average, max_steps = max_steps,
                  keep = keep, groups = groups, standardize = standardize, intercept = intercept, prob = prob,
                  control = control)
  arguments_methods_called(fit, frame, match.call(), "greedytl")
}

#' @rdname greedytl
#' @export
greedytl.formula <- function(formula, data, sources = NULL, ..., weights, subset, na.action, sparse = FALSE,
                             family = NULL, rule = c("transfer", "paper"), lambda = NULL, average = TRUE,
                             max_steps = NULL, keep = NULL, groups = NULL, standardize = TRUE, intercept = TRUE,
                             prob = FALSE, control = greedytl_control()) {
  arguments_methods_check()
  matched <- match.call()
  frame <- frame_formula(formula, data, matched, na.action, sources = sources, sparse = sparse, env = parent.frame())
  fit <- greedytl(frame, family = family, rule = rule, lambda = lambda, average = average, max_steps = max_steps,
                  keep = keep, groups = groups, standardize = standardize, intercept = intercept, prob = prob,
                  control = control)
  arguments_methods_called(fit, frame, matched, "greedytl", formula)
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
  greedytl_settings_refuse_family(family, call)
  frame <- x
  if (!frame_rows_are_there(frame)) {
    of_sources <- if (is.null(frame$sources)) list(source_scale = NULL, source_sign = "any")
    frame_moments_refuse_without_rows(c(control, list(prob = prob)),
                                      c(list(candidates = NULL, class_weights = "none", prob = FALSE), of_sources),
                                      call)
    if (is.factor(frame$y) && is.null(control$class_weights)) {
      tell("From moments all rows of both classes have equal weights: `class_weights` is \"none\", not \"balanced\".")
    }
  }
  frame <- frame_for_method("greedytl", frame, c("products", "sources"), call)
  if (prob) cv_calibrate_check(frame, call)
  settings <- greedytl_settings(
    frame, rule = rule, lambda = lambda, average = average, max_steps = max_steps, keep = keep, groups = groups,
    standardize = standardize, intercept = intercept, prob = prob, control = control, given = given, call = call
  )
  if (sources_need_raw(frame$sources) && !settings$candidates) frame <- frame_with_source_values(frame, call = call)
  if (settings$intercept) sources_tell_constant(frame)
  fit <- greedytl_fit(frame, settings, call)
  if (prob && !settings$held) cv_calibrate_path(fit, frame, greedytl, given, call) else fit
}

#' Number of columns to draw
#'
#' The number of columns to draw at random so that, with probability `confidence`, the best of
#' them is among the best `1 - quantile` share of all: the "59 trick".
#'
#' @param quantile,confidence Numbers between 0 and 1.
#' @param ... Not used; anything given is an error.
#' @returns A whole number, \eqn{\lceil \log(1 - confidence) / \log(quantile) \rceil}; 59 by
#' default.
#' @references Kuzborskij, Orabona and Caputo (2017), section 3, \doi{10.1016/j.cviu.2016.09.003};
#'   Smola, A. and Schoelkopf, B. (2000). Sparse greedy matrix approximation for machine learning.
#'   *ICML*.
#' @examples
#' n_candidates()
#' n_candidates(quantile = .99)
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
