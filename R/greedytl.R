#' Greedy transfer learning: a few features and sources for a small target
#'
#' Fits a sparse linear model to a small target data set, from its own features and the predictions of models trained
#' elsewhere, the [sources()]. Use `greedytl()` where you have a few labelled rows and many models, or many more
#' features than rows: `greedytl(x, y, sources = list(model1, model2))`. Use [tlcp()] instead where the rows, or the
#' coefficients, of the other data are known, where a proof of the best subset is wanted, and for survival times; and the sources themselves where they answer the same question better than a dozen rows can tell (`print()`
#' shows the error of their mean beside that of the fit).
#'
#' Every step adds the column, feature or source, that lowers the L2-regularised squared loss most. With `family =
#' "binomial"` the model is one of log odds, with `"poisson"` one of log rates of counts, see below. The arguments by what they concern:
#' * data: `x`, `y`, `formula`, `data`, `subset`, `na.action`, `weights`, `offset`, `family`, `sparse`;
#' * sources: `sources`;
#' * path: `rule`, `lambda`, `average`, `max_steps`, `keep`, `groups`;
#' * scale, probabilities and settings that are seldom given: `standardize`, `intercept`, `prob`, `control`.
#'
#' `vignette("methods-greedytl")` has the mathematics, and what was measured.
#'
#' @section The two rules:
#' `rule = "transfer"`, the default, is ours. The two classes have the same weight whatever their sizes; features and
#' sources have ridges of their own, which are averaged by their evidence (below); all sources share one scale, so that
#' sources with larger predictions keep that advantage; and predictions average the models of all steps.
#'
#' `rule = "paper"` is Algorithm 1 as published: equal weights for rows and columns, unit variance, one ridge,
#' coefficients of any sign; the path ends when the objective falls by less than `tol = 1e-4`. The paper's lambda is n
#' times `lambda` here.
#'
#' @section Averaged ridges: A dozen rows determine neither how strongly to shrink nor whether the sources are of use.
#'   With `ridge = "evidence"` ([greedytl_control()]) each pair of a ridge of the features and one of the sources has a
#'   weight, its posterior probability. "No source" and "the mean of the sources, corrected by features and single
#'   sources" are alternatives beside them. Each likely pair has a path of its own, and the default model is the
#'   weighted mean of their averages. `ridge` of the fit lists the pairs. `steps` and the pictures show one path: that
#'   of the largest weight, with sources or without, whichever together have more weight.
#'
#'   The average is not sparse. It uses every column that a step of any of its paths uses, and all sources where their
#'   mean has weight. For a sparse model take `average = FALSE` and choose one step, for example `coef(fit, step = 8)`.
#'
#' @section Leave-one-out: `steps$loo` is the exact leave-one-out squared error of every step *given the selected
#'   columns*. It does not account for their selection: choose the number of steps by [cv_path()]. `print()` shows three
#'   such errors: that of the fit, that without sources and that of a regression on the mean of the sources.
#'
#' @section Probabilities: Classes are fitted by least squares, and scores are no probabilities. With `prob = TRUE` the
#'   probability of a class is plogis(a + b s) of its score s. The numbers a and b maximise the likelihood of scores
#'   that were fitted without their row, times a prior of b about 2. More than two classes are calibrated each against
#'   the rest, and the probabilities divided by their sum. `print()` shows the log loss beside that of the
#'   sources, their mean and the best one: where these are models of the same population, their own probabilities may
#'   be better. [compare_paths()] with `loss = "log_loss"` compares both on rows held out.
#'
#' @section Log odds: With `family = "binomial"` the log odds are a weighted mean of those of up to five models, each linear
#'   in the columns:
#'   * *all columns*: a logistic model of all features and sources with normal priors, their mean or not the mean of the
#'     sources' log odds, averaged over the ridges by Laplace's approximation of the evidence;
#'   * *features*: the same without sources;
#'   * *selected columns*: the path of least squares, averaged as above, calibrated as with `prob = TRUE`;
#'   * *mean of sources*, recalibrated: the mean of the sources' log odds m as a + b m, log b about 0; and as it is.
#'
#'   The weights maximise the likelihood of rows left out, times a prior worth two rows in which *selected columns* count
#'   twice. `alternatives` of the fit, which `print()` shows, has the weights and the leave-one-out log loss of each. So
#'   neither a source that misleads nor features that say nothing must be found out by the user. `weights` multiply the
#'   log-likelihood, as in [glm()]: they are numbers of trials where `y` has shares. A row is left out with all of its
#'   weight, so that a row of weight 2 is not quite two rows. `offset` is added to the log odds, also of the sources.
#'   Sources that predict the same for all rows of the fit are no part of the mean.
#'
#'   A single source enters with its log odds limited to those of the probabilities .2 and .8, the mean of the sources
#'   with log odds that are not limited: few rows tell little of how sure a source may be. These are the columns to which
#'   [coef()] and [predict()] refer, `(mean of sources)` being the last. The steps of the path are models of log odds,
#'   too, each with its own calibration. Kept columns have a wide prior. With more than some 700 rows and as many columns
#'   the first two models are left out. `lambda`, `average`, `rule = "paper"`, `intercept = FALSE` and the settings
#'   `ridge`, `candidates` and `source_scale` are for least squares.
#'
#' @section Counts: With `family = "poisson"` the same is done of log rates. `offset` is the log of the exposure; sources give
#'   rates for an exposure of 1, or log rates with `scale = "link"` of [sources()], and enter as they are. Counts often vary
#'   more than a Poisson model says: the models are fitted twice, the second time with weights divided by `phi`, Pearson's
#'   chi-squared of the first fit divided by n - 1, at least 1. Survival times are not fitted: by the same average their
#'   concordance was that of ridge regression on features and sources (`vignette("methods-greedytl")`).
#'
#'
#' @section Few rows and the scale of a column: Columns are scaled by their spread in the rows of the target. Where
#'   this spread is by chance far smaller than in new data, predictions may be far off, as with any method that scales
#'   columns. [predict()] therefore bounds columns ten ranges outside the target's rows, and says so (`bound`, see
#'   [transfer_path]). Take the logarithm of a column with a long tail.
#'
#' @section Moments: From a [moments()] object the same path is computed without the rows, for features only, and for a
#'   numeric response or two classes, whose rows have equal weights. Leave-one-out errors, fitted values, `sources`,
#'   `prob` and the settings `candidates`, `class_weights`, `source_scale` and `source_sign` need the rows.
#'
#' @section Randomised variant: With `candidates` ([greedytl_control()]) a step tries only so many columns, drawn at
#'   random (by R's generator: [set.seed()] works). The others are not read, and sources that are functions are not
#'   called. [n_candidates()] gives 59 for the best 5 % with probability .95.
#'
#' @param x,y Features and response. `x`: a numeric matrix, `dgCMatrix` or data frame (factors are
#'   coded as [lm()] would), n rows and p columns; a numeric matrix is not copied. Or [products()] of columns.
#'   `y`: n numbers, or a factor: two levels are coded -1 and 1, more are fitted one against the rest. `x` may also
#'   be a [moments()] object, which brings its response.
#' @param formula,data,weights,subset,na.action As in [lm()]. `weights` also for the first form: they multiply the
#'   classes' weights. Only their ratios count: a row of weight 2 is not two rows. Rows of weight zero are left out.
#' @param sources `NULL`, or anything [sources()] takes: an n x s matrix of predictions (all rows of
#'   `data` with a formula), or a list of models and functions.
#' @param offset With `family = "binomial"` and `"poisson"`: a number for each row, added to its log odds or log rate.
#' @param rule `"transfer"` or `"paper"`, see below.
#' @param lambda Numbers, not negative: the common ridge with the mean loss, instead of
#'   `ridge` of `control`; one path for each. 0 is forward regression.
#' @param average With `ridge = "evidence"`: average the paths of all likely ridges, or one path?
#' @param max_steps Largest number of columns (or groups); `NULL`: 20 (`"transfer"`) or 100 (`"paper"`), or all
#'   if there are fewer.
#' @param keep Names or numbers of columns (features or sources), or names of groups, that are in every model: they have
#'   no penalty and enter first, in this order.
#' @param groups Columns that enter together. `NULL`: those of one factor of more than two levels. A vector with the
#'   group of every feature; or `FALSE`, every column by itself.
#' @param standardize Scale the columns?
#' @param intercept Centre the columns and the response? A formula with `- 1` sets `FALSE`.
#' @param sparse Code the formula's variables as a sparse matrix?
#' @param prob For classes: calibrate probabilities for `predict(type = "prob")`? See below.
#' @param family `NULL` or `"gaussian"`: least squares. `"binomial"`: log odds, of a factor of two levels, a logical, zeros
#'   and ones, shares with their totals as `weights`, or `cbind(successes, failures)`. `"poisson"`: log rates of counts.
#'   Others are an error that says what to do.
#' @param control Other settings, as [greedytl_control()] returns them, or a list of them: `ridge`, `source_scale`,
#'   `source_sign`, `class_weights`, `candidates`, `tol`.
#' @param ... Further arguments, by their names. With a formula these are the arguments of the first form, from `family`
#'   to `control`. A mistyped one is an error that names the one that was meant.
#'
#' @returns An object of class `c("greedytl", "transfer_path")`, see [transfer_path]. Also
#' \describe{
#'   \item{`steps`}{a row for every step from 0: `entered`, its `type`, `size`, `gain` (fall of n times the objective),
#'     `objective`, `rss`, `loss` (`rss`/n), `df` (trace of the matrix that maps the response to the fitted values),
#'     `loo` and, for classes, `loo_accuracy`.}
#'   \item{`ridge`}{a row for every pair of ridges: the ridges divided by the number of columns (`Inf`: no source), the
#'     ridges, `from_mean` (is the path one from the mean of the sources?), the criterion and the weight.}
#'   \item{`average`}{the default model: `beta`, `a0`, `rss`, `df`.}
#'   \item{`loo`}{its leave-one-out error, that without sources and that of the mean of the sources.}
#'   \item{`alternatives`}{of log odds and log rates, the models that are averaged: `model`, `weight`, `loo` (the log loss, or
#'     deviance a row, of rows left out), and the `prior` weight. `steps` then has `log_lik`, `deviance`, `loss` and `loo`,
#'     `ridge` the pairs of the first two models, and `loo` is one number.}
#' }
#'
#' @references
#' Kuzborskij, I., Orabona, F. and Caputo, B. (2017). Scalable greedy algorithms for transfer
#' learning. *Computer Vision and Image Understanding* 156, 174-185, equation (2), Algorithm 1 and
#' section 4. \doi{10.1016/j.cviu.2016.09.003}
#'
#' Rasmussen, C. E. and Williams, C. K. I. (2006). *Gaussian Processes for Machine Learning*, sections 3.4 and 3.6: the
#' evidence and leave-one-out of log odds.
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
#'
#' # log odds: is the response above its mean?
#' odds <- greedytl(x, y > mean(y), sources = sources(others, scale = "link"), family = "binomial")
#' odds
#' predict(odds, new[1:3, ], type = "response")
#' @export
greedytl <- function(x, ...) UseMethod("greedytl")

#' @rdname greedytl
#' @export
greedytl.default <- function(x, y, sources = NULL, ..., weights = NULL, offset = NULL, family = NULL,
                             rule = c("transfer", "paper"), lambda = NULL, average = TRUE, max_steps = NULL,
                             keep = NULL, groups = NULL, standardize = TRUE, intercept = TRUE, prob = FALSE,
                             control = greedytl_control()) {
  more <- arguments_methods_check("greedytl")
  frame <- frame_default(x, y, weights = weights, sources = sources, offset = offset, moments = TRUE,
                         family = greedytl_odds_family(family))
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
  frame <- frame_formula(formula, data, matched, na.action, sources = sources, sparse = sparse,
                         family = greedytl_odds_family(more$family), env = parent.frame())
  fit <- arguments_methods_handed_on(greedytl(frame), more)
  fit <- arguments_methods_called(fit, frame, matched, "greedytl", formula)
  if (!is.null(frame$offset)) fit$offset <- frame_bake_offset_plan(matched$offset)
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
  if (odds) return(greedytl_odds_fit(frame, settings, call))
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
#' @references Kuzborskij, Orabona and Caputo (2017), section 4, \doi{10.1016/j.cviu.2016.09.003};
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
