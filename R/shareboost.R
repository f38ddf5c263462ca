#' ShareBoost: many classes, few shared features
#'
#' Classifies with few features that all classes share. Use `shareboost()` where there are several classes and a feature
#' costs something (a measurement, a pixel, a question): `shareboost(Species ~ ., data = iris)`. Each round adds the
#' column with the largest gradient over all classes together, and re-optimises the weights of all columns selected so
#' far, so that one call gives the models of every number of features. Use [tlcp()] with `family = "binomial"` instead
#' for odds ratios of two classes, and [greedytl()] where models from elsewhere may help.
#'
#' The default model is the last step, which nothing has chosen. [cv_path()] with `fit = shareboost` chooses a step by
#' cross-validation, [features_for()] says how many features a wanted error takes, and `predict(fit, newdata, step = )`
#' uses any step. `vignette("methods-shareboost")` has the mathematics, and what was measured.
#'
#' The arguments by what they concern:
#' * data: `x`, `y`, `formula`, `data`, `subset`, `na.action`, `weights`, `sparse`;
#' * path: `rule`, `max_steps`, `keep`, `groups`;
#' * penalty: `ridge`, `penalty`;
#' * scale and settings that are seldom given: `standardize`, `intercept`, `control`.
#'
#' @section Model: With k classes, scores \eqn{S_i = b + W x_i} (W is k x features) and a margin a
#' (1 in the paper) the loss of an example is
#' \deqn{\ell_i = \log \sum_c \exp(a\,1[c \neq y_i] + S_{ic} - S_{iy_i}),}
#' and the path minimises \eqn{L(W) = \frac1m \sum_i v_i \ell_i + \lambda\, \Omega(W)} over matrices
#' with few nonzero columns, \eqn{\lambda} = `ridge`, weights v of mean one. Columns of x are scaled
#' (and centred, if there is an intercept) and W is that of the scaled ones; the intercept is not
#' penalised. \eqn{\Omega} by `penalty`: `"ridge"`, the squared Frobenius norm; `"l1"` and
#' `"linf1"`, \eqn{\sum_{jq} |W_{qj}|} and \eqn{\sum_j \max_q |W_{qj}|} with |a| and the maximum
#' replaced by their soft versions of sharpness \eqn{\beta} as in section 3.3 of the paper, less
#' their value at 0. The margin is used in the loss only: probabilities and classes are those of S.
#' With it the scores of classes differ more, so that with the default margin of 1 probabilities
#' are too near 0 and 1, and too low for rare classes, already at step 0.
#' Where probabilities will be used, give `control = shareboost_control(margin = 0)`.
#'
#' @section Rules: With \eqn{g_r} the gradient of L by column r (k numbers), a round picks the
#' column of
#' * `"orthogonal"` (the default, ours): largest \eqn{|g_r|_1 / \sqrt{\bar c v_r + 2\lambda}}, where
#'   \eqn{v_r} is the part of the column's variance that the selected ones do not explain and
#'   \eqn{\bar c = \sum_i v_i (1 - \sum_c P_{ic}^2) / (m (k - 1))}. It does not depend on scale, and a column that
#'   nearly repeats selected ones is not picked. (For the other penalties \eqn{2\lambda} is their
#'   second derivative at 0.)
#' * `"gradient"` (the paper, equation 7): largest \eqn{|g_r|_1}. It depends on the scale.
#' * `"line"`, `"column"`, `"full"` (the paper, section 3.1): largest decrease of L along \eqn{-g_r};
#'   over the column's own weights; over the weights of all selected columns and this one. The decrease
#'   is computed for every column, or for the `shortlist` of largest \eqn{|g_r|_1}: for small data.
#'
#' The paper's own model is `rule = "gradient", intercept = FALSE`; it names no ridge, and a small one keeps the
#' coefficients finite where classes are separable. For the first few [pieces()] `"gradient"` is the better rule
#' (`vignette("few-features")`).
#'
#' With `groups` a round picks the group with the largest sum over its columns and adds all of them
#' (section 3.2 of the paper); the rules `"line"`, `"column"` and `"full"` pick the group (or piece) with the largest
#' decrease over the weights of all its columns. They solve a problem for each group, stump or piece in each
#' round: with more than some hundred of these give a `shortlist`.
#'
#' @section Ridge: With `ridge = NULL` 1e-4, 1e-3 and 1e-2 are compared by the errors in rows that two folds leave out,
#'   on average over steps of the second half of the path. The one of least error is taken where its share of errors is
#'   smaller than that of 1e-4 by more than one standard error (of a share, of as many rows as differ), else 1e-4; 1e-2
#'   is not tried where 1e-3 errs more than 1e-4. The folds need no random numbers: rows of a class, ordered by how
#'   clearly the path with 1e-4 classifies them, go to them in turns. So the same call gives the same fit, whatever the
#'   order of the rows. The table of errors is `fit$ridge`, and `fit$settings$ridge` is what was taken. It is 1e-4
#'   without a comparison (and `fit$ridge` is `NULL`) where there are at least 500 rows, and four for each of the (k -
#'   1) `max_steps` weights, with another rule than `"orthogonal"` or another `penalty` than `"ridge"`, with
#'   `candidates`, and with `keep` beside stumps, pieces or products. It gains little on average, and does harm where
#'   classes are separable, so it is not the default. Give it with few rows and many weak, correlated columns, or
#'   compare more ridges by [cv_path()] or [compare_paths()]. A cross-validation chooses anew in each fold.
#'
#' @section Accuracy of a round: Rounds end when the largest entry of the gradient has fallen to
#' `tol` times that at the start of the round (not below 1e-13); `steps` says where it ended and
#' after how many iterations. An iteration passes over rows x selected columns x classes, and the number of iterations
#' in a round grows with the classes, too: where the rows grow with the classes, the time grows faster than the square
#' of their number. If the classes can be separated, or one from the rest, or some rows
#' from a class (as where a column of zeros and ones is never one in it), the loss with `ridge = 0`
#' has no minimum: the weights grow without end, and `tol` decides where they stop, with a warning.
#'
#' A path has fewer than `max_steps` rounds, with a message, where no column is left that could enter: columns that do
#' not vary never enter, nor, with `"orthogonal"`, columns of whose variance the selected ones leave less than
#' one part in 1e7.
#'
#' @param x,y Features and response. `x`: a numeric matrix, `dgCMatrix`, data frame (factors are
#'   coded as [lm()] would), [stumps()], [pieces()] or [products()], m rows. `y`: the classes, a factor or what
#'   can be made one (characters, logicals, whole numbers). A class without rows is dropped with a
#'   message.
#' @param formula,data,weights,subset,na.action As in [lm()]. `weights` also for the first form:
#'   numbers, not negative; rows of weight zero are left out.
#' @param rule Which column a round picks, see below. The default is `"orthogonal"`; for models of one to
#'   three [pieces()] give `"gradient"`.
#' @param max_steps Number of rounds; `NULL` is 50, or as many as there are columns (groups).
#' @param ridge The weight of the penalty, from 0 to 1e100. `NULL`: 1e-4, or 1e-3 or 1e-2 where they clearly
#'   misclassify fewer held-out rows, for some three times the time; see below.
#' @param penalty `"ridge"`, `"l1"` or `"linf1"`, see below.
#' @param groups Columns that enter together. `NULL`: those of one factor of a formula or data frame (of
#'   more than two levels). A vector with the group of every feature; or `FALSE`, every column by itself.
#'   `max_steps` and the setting `candidates` count groups.
#' @param standardize `"sd"`: columns are scaled to mean square one; `"max"`: to largest size one;
#'   `"none"` or `FALSE`: as they are. `NULL` is `"sd"` for `"orthogonal"`, else `"max"`. Either way
#'   the training rows set the scale: a column that hardly varies in them and much in new rows
#'   weighs heavily there, and should be left out or bounded.
#' @param intercept An intercept for every class? The paper has none. A formula with `- 1`
#'   sets `FALSE`.
#' @param keep Names or numbers of columns, or names of groups, that are in every model: they have no penalty and
#'   are not selected. One column of a group keeps all of it. They enter first, in this order. Stumps,
#'   pieces and products are named as in `steps$entered`. A fold of [cv_path()] keeps the stump that splits its rows
#'   as the kept stump does; a stump with all rows of the fold on one side is left out, with
#'   a warning. Where kept columns separate classes their weights grow without end, with a warning.
#' @param sparse Code the formula's variables as a sparse matrix?
#' @param control Other settings, as [shareboost_control()] returns them, or a list of them: `margin`, `sharpness`,
#'   `candidates`, `shortlist`, `tol`.
#' @param ... No further arguments. A mistyped one is an error that names the one that was meant.
#'
#' @returns An object of class `c("shareboost", "transfer_path")`, see [transfer_path] for what all
#'   paths have and [predict.shareboost()] for what is different here. Its default step is the last.
#'   `beta` is a list by class of features x steps, rows of W on the original scale; for two
#'   classes one matrix, the difference of the second row and the first. `steps` has a row for each
#'   round, from 0 on: `entered`; its `type` (`"feature"`, `"group"`, `"stump"`, `"piece"`, `"product"`);
#'   `size`, columns selected; `gradient`, the \eqn{|g_r|_1} of what entered, summed over a group;
#'   `score`, by which it won; `loss`, \eqn{L(W)}; `error`, the weighted share of the training rows
#'   that is misclassified; `gradient_end`, the largest entry of the gradient when the round ended;
#'   `iterations`; `refreshes`, how often the Hessian was computed anew; `converged`. `fitted` has the
#'   probabilities at the last step (m x k), `residuals` the indicators of the classes minus the probabilities. `ridge`:
#'   the ridges that were compared, with their errors and which was taken (`ridge`, `error`, `chosen`),
#'   see below; `NULL` where none were.
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
shareboost <- function(x, ...) UseMethod("shareboost")

#' @rdname shareboost
#' @export
shareboost.default <- function(x, y, ..., weights = NULL, rule = c("orthogonal", "gradient", "line", "column", "full"),
                               ridge = 1e-4, penalty = c("ridge", "l1", "linf1"), max_steps = NULL, keep = NULL,
                               groups = NULL, standardize = NULL, intercept = TRUE, control = shareboost_control()) {
  call <- arguments_methods_check()
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
shareboost.formula <- function(formula, data, ..., weights, subset, na.action, sparse = FALSE,
                               rule = c("orthogonal", "gradient", "line", "column", "full"), ridge = 1e-4,
                               penalty = c("ridge", "l1", "linf1"), max_steps = NULL, keep = NULL, groups = NULL,
                               standardize = NULL, intercept = TRUE, control = shareboost_control()) {
  arguments_methods_check()
  matched <- match.call()
  frame <- frame_formula(formula, data, matched, na.action, sparse = sparse, env = parent.frame())
  fit <- shareboost(frame, rule = rule, ridge = ridge, penalty = penalty, max_steps = max_steps, keep = keep,
                    groups = groups, standardize = standardize, intercept = intercept, control = control)
  shareboost_fit_tell_early_end(arguments_methods_called(fit, frame, matched, "shareboost", formula))
}

#' @rdname shareboost
#' @usage NULL
#' @export
shareboost.transfer_frame <- function(x, ..., rule = c("orthogonal", "gradient", "line", "column", "full"),
                                      ridge = 1e-4, penalty = c("ridge", "l1", "linf1"), max_steps = NULL,
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
  out <- progress_during("Rounds", units$run(as.integer(frame$y), response_weights_of_mean_one(frame), settings, draws))
  if (is.null(ridge) && out$status == 0) {
    compared <- shareboost_ridge_errors(out, frame, groups, settings, call)
    chosen <- compared$ridge[compared$chosen]
    if (length(chosen) && chosen != settings$ridge) {
      settings$ridge <- chosen
      out <- progress_during("Rounds",
                             units$run(as.integer(frame$y), response_weights_of_mean_one(frame), settings, draws))
    }
  } else {
    compared <- NULL
  }
  if (out$status != 0) {
    kept <- names(out$status) == "collinear_keep"
    label <- if (kept) units$label(out$bad) else products_frame_labels(frame, out$bad)
    status_abort(out$status, label, "x", if (!kept) products_frame_feature(frame, out$bad), call)
  }
  fit <- shareboost_object(out, frame, settings, units)
  fit$ridge <- compared
  shareboost_fit_warn_unbounded(out, settings, fit$residuals,
                                shareboost_fit_weights_still_grow(out, frame, settings$intercept))
  path_bound_with_ranges(fit, frame, path_object_columns(fit))
}

#' @export
parsnip_engine.shareboost <- function(method) {
  list(models = list(logistic_reg = NULL, multinom_reg = NULL), tunable = c("step", "max_steps", "ridge"))
}
