# How often a feature is selected from random halves of the data, beside its posterior probability.

#' How often is a feature selected?
#'
#' Stability selection: the rows are split at random into two halves, features are selected from each half, and this is
#' repeated: `selection_frequency(y ~ ., data = d, fit = msplit)`. Use it to see whether a selected feature depends on a
#' few rows; a feature that is selected from nearly all halves does not. It says nothing about the size of an effect
#' (use [signals()] or [confint.tlcp()]) and nothing about prediction errors (use [cv_path()]).
#'
#' From each half the last step of the path with at most `q` features is taken. Features with a frequency of at least
#' `cutoff` are called stable. If `q` is smaller than the number of features in the model, some of these are missing
#' from every half, and correlated features replace each other. To see how often each feature of the fit to all rows is
#' selected again, give their number as `q`. The two halves of a pair have no row in common, and are balanced in classes
#' and domains. If the method has posterior probabilities of features, as [msplit()] has, they stand
#' beside the frequencies.
#'
#' @section How many are false: Call a feature false if a half selects it with a probability of at most q/p, which is no
#'   more often than at random. `attr(x, "bounds")` has three bounds on the expected number of false stable features
#'   (each at most p):
#'
#' * `any`: \eqn{q^2 / ((2 cutoff - 1) p)}, without an assumption (Shah and Samworth 2013, Theorem 1). Meinshausen and
#'   Buehlmann (2010, Theorem 1) have the same bound for all features without an effect, if these are exchangeable and
#'   the method is better than guessing. With the default `q` and a cutoff of .9 the bound is 1.
#' * `unimodal`: assumes that the share of pairs in which both halves select a feature has a unimodal distribution (Shah
#'   and Samworth, Theorem 2).
#' * `concave`: assumes that this distribution is r-concave with r = -1/2, and the distribution of the frequencies with
#'   r = -1/4 (their equation 8). They recommend this bound. It is computed for the given `q`, `cutoff` and `pairs`.
#'
#' A feature without an effect that is correlated with a feature with an effect may be selected more often than q/p. The
#' bounds do not count such features. A bound of p or more says nothing, and `print()` points this out.
#'
#' @section Moments and other packages:
#'
#' With [moments()] a half is a random half of the folds, whose moments are added up. No row is read again, and each
#' half costs a fit to p x p numbers. Give `moments()` at least 20 random folds, since fewer folds have
#' few different halves.
#'
#' The package stabs has further bounds and ways of sampling: [transelect_fitfun()].
#'
#' @param x A numeric matrix, sparse matrix or data frame of features, a formula, or [moments()] with folds. Or a fit:
#'   `selection_frequency(fit)` takes the data, the method and its arguments from the call of the fit.
#' @param y,weights,domain,formula,data,subset,na.action As in [cv_path()].
#' @param fit A method of this package, or a function of `x` and `...` that calls one, as for [cv_path()].
#' @param ... Arguments of `fit`. Others are errors.
#' @param q Largest number of features selected from a half. `NULL`: \eqn{\sqrt{.8 p}}, at least 1.
#' @param pairs Number of pairs of halves.
#' @param cutoff Smallest frequency of features that are called stable: above .5 and at most 1.
#' @param object,top_n For the pictures: the result, and how many features to show. Those with the largest frequencies
#'   are shown. Graphical parameters may be given to `plot()` as `...`.
#' @returns A data frame of class `selection_frequency` with one row per feature, in the order of frequency: `term`,
#'   `frequency`, `probability` (posterior probability of an effect in the fit to all rows, see [signals()]; `NA` if the
#'   method has none), `stable`. Attributes: `q`, `halves` (their number), `cutoff`, `bounds` (the three above) and
#'   `false` (the first of them), `chosen` (the number of features of the fit to all rows), `method`. `plot()` returns
#'   `x` invisibly, `autoplot()` a ggplot object.
#' @references Meinshausen, N. and Buehlmann, P. (2010). Stability selection. *Journal of the Royal
#'   Statistical Society B* 72, 417-473. \doi{10.1111/j.1467-9868.2010.00740.x}
#'
#'   Shah, R. D. and Samworth, R. J. (2013). Variable selection with error control: another look at stability
#'   selection. *Journal of the Royal Statistical Society B* 75, 55-80.
#'   \doi{10.1111/j.1467-9868.2011.01034.x}
#' @seealso [signals()], [cv_path()]
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(80 * 12), 80, dimnames = list(NULL, paste0("x", 1:12)))
#' y <- drop(x[, 1:3] %*% c(1, 1, .3)) + rnorm(80)
#' often <- selection_frequency(x, y, pairs = 10)
#' often
#' plot(often)
#' # from moments, without reading rows again
#' m <- moments(x, y, fold = rep_len(1:20, 80))
#' selection_frequency(m, pairs = 10)
#' @export
selection_frequency <- function(x, ...) {
  if (!is.null(call <- arguments_formula_first())) return(eval(call, parent.frame()))
  UseMethod("selection_frequency")
}

#' @rdname selection_frequency
#' @export
selection_frequency.default <- function(x, y, fit = msplit, ..., weights = NULL, domain = NULL, q = NULL,
                                        pairs = 50, cutoff = .9) {
  arguments_check_spelling()
  frame <- frame_default(x, y, weights = weights, domain = domain, many = TRUE, family = NA,
                         call = rlang::current_env())
  selection_frequency_of_frame(frame, fit, tuning = list(...), q = q, pairs = pairs, cutoff = cutoff,
                               call = rlang::current_env())
}

#' @rdname selection_frequency
#' @export
selection_frequency.formula <- function(formula, data, fit = msplit, ..., weights, subset, na.action, domain,
                                        q = NULL, pairs = 50, cutoff = .9) {
  arguments_check_spelling()
  frame <- frame_formula(formula, data, match.call(), na.action, many = TRUE, family = NA, env = parent.frame())
  selection_frequency_of_frame(frame, fit, tuning = list(...), q = q, pairs = pairs, cutoff = cutoff,
                               call = rlang::current_env())
}

#' @rdname selection_frequency
#' @export
selection_frequency.transfer_path <- function(x, ...) {
  arguments_check_spelling()
  extras <- match.call(expand.dots = FALSE)$... # as they were written
  path_update_as_verb(x, "selection_frequency", extras, NULL, parent.frame(), rlang::current_env())
}

#' @export
selection_frequency.transfer_cv <- function(x, ...) {
  rlang::eval_bare(rlang::call2(selection_frequency.transfer_path, x$fit, ...), parent.frame())
}

#' @rdname selection_frequency
#' @export
selection_frequency.moments <- function(x, fit = msplit, ..., q = NULL, pairs = 50, cutoff = .9) {
  call <- arguments_check_spelling()
  if (missing(x)) abort_missing("x", "Give the moments, or rows, as the first argument.", call)
  fold <- as.character(x$cells$fold)
  folds <- unique(fold)
  if (anyNA(folds) || length(folds) < 2) {
    abort_input("{.arg x} has fewer than two folds.", "x",
                i = "Give {.arg fold} to {.fn moments}: halves are drawn from the folds.", call = call)
  }
  halves <- function(moments) {
    first <- fold %in% sample(folds, length(folds) %/% 2)
    list(moments_object_cells(moments, which(first)), moments_object_cells(moments, which(!first)))
  }
  selection_frequency_counts(x, x$columns, halves = halves, fit = fit, tuning = list(...), q = q, pairs = pairs,
                             cutoff = cutoff, call = call)
}

selection_frequency_of_frame <- function(frame, fit, tuning, q, pairs, cutoff, call) {
  halves <- function(frame) {
    half <- make_folds(cv_fold_balanced_response(frame), 2, frame$domain)
    list(frame_rows(frame, which(half == 1)), frame_rows(frame, which(half == 2)))
  }
  labels <- labels_of_all_columns(frame$blueprint)
  selection_frequency_counts(frame, labels, halves = halves, fit = fit, tuning = tuning, q = q, pairs = pairs,
                             cutoff = cutoff, call = call)
}

# data: a frame of all rows, or their moments; halves: a function that draws two halves of them.
selection_frequency_counts <- function(data, labels, halves, fit, tuning, q, pairs, cutoff, call) {
  if (!is.function(fit)) abort_kind(fit, "fit", "Give a method as a function: {.code fit = msplit}.", call)
  if (is.function(tuning$method)) { # `method` is an argument of msplit(), too
    abort_input("{.arg method} is a function.", "argument", i = "Did you mean {.arg fit}?", call = call)
  }
  if ("sources" %in% setdiff(names(tuning), names(formals(fit)))) {
    abort_input("{.fn selection_frequency} takes no {.arg sources}: it counts features.", "sources",
                i = "Leave them out, or give their predictions as columns among the features.", call = call)
  }
  p <- length(labels)
  q <- check_number(q %||% max(1, floor(sqrt(.8 * p))), "q", 1, call, whole = TRUE)
  pairs <- check_number(pairs, "pairs", 1, call, whole = TRUE, high = 1e9)
  cutoff <- check_number(cutoff, "cutoff", 0, call)
  if (cutoff <= .5 || cutoff > 1) {
    abort_input("{.arg cutoff} is {cutoff}.", "cutoff", i = "Give a number above .5 and at most 1.",
                call = call)
  }
  path <- cv_refit_fit(fit, data, tuning, call)
  if (!cv_user_fit_is_own_method(fit)) cv_user_fit_refuse_other_data(path, data, call)
  if (inherits(data, "transfer_frame")) data <- frame_as_family(data, cv_user_fit_family(path), call)
  again <- cv_refit_path(path, fit, tuning)
  selection_frequency_used_by_step(path, labels, call)
  chosen <- sum(path_object_used_columns(path_model(path, report = TRUE)) <= p)
  count <- numeric(p)
  tell <- progress_new("Halves", 2 * pairs)
  for (pair in seq_len(pairs)) {
    for (half in halves(data)) {
      steps <- selection_frequency_used_by_step(cv_user_fit_checked(again, half), labels, call)
      count <- count + selection_frequency_used_within(steps, q)
    }
    if (!is.null(tell)) tell(2 * pair)
  }
  probability <- inclusion_probability(path)
  probability <- if (is.null(probability)) rep(NA_real_, p) else
    do.call(pmax, c(asplit(probability[seq_len(p), , drop = FALSE], 2L), na.rm = TRUE))
  counted <- data.frame(term = labels, frequency = unname(count) / (2 * pairs), probability = unname(probability))
  counted$stable <- counted$frequency >= cutoff
  counted <- counted[order(-counted$frequency, -counted$probability, seq_len(p)), ]
  row.names(counted) <- NULL
  table_classed(counted, "selection_frequency", q = q, halves = 2 * pairs, cutoff = cutoff,
                false = min(p, q^2 / ((2 * cutoff - 1) * p)), bounds = selection_bound_false(q, p, cutoff, pairs),
                chosen = chosen, method = class(path)[1])
}

# Features x steps: is the feature in the model of the step that is to be reported?
selection_frequency_used_by_step <- function(path, labels, call) {
  if (!inherits(path, "transfer_path")) {
    abort_input("{.arg fit} returned {.obj_type_friendly {path}}.", "fit",
                i = "Give a method of this package, or a function that returns what one does.", call = call)
  }
  path_labels <- labels_of_all_columns(path$blueprint)
  if (!identical(path_labels, labels)) {
    abort_input("{.arg fit} makes a path of the columns {.val {path_labels}}, and was given {.val {labels}}.", "fit",
                i = "Fit to all columns of the first argument of the function, in their order.", call = call)
  }
  steps <- path_step_table(path)
  models <- path_model(path, steps, report = TRUE)
  used <- as.matrix(Reduce(`|`, lapply(models, function(model) model$beta != 0)))
  matrix(used[seq_along(labels), ], length(labels), dimnames = list(labels, steps))
}

# The last step with at most q features; used: features x steps.
selection_frequency_used_within <- function(used, q) {
  within <- which(colSums(used) <= q)
  used[, if (length(within)) max(within) else 1L]
}

#' @export
print.selection_frequency <- function(x, n = 20, digits = 3, ...) {
  table <- as.data.frame(x)
  description_print(x, list(
    head = paste0("Selected by ", attr(x, "method"), "() from ", attr(x, "halves"), " random halves, at most ",
                  words_counted(attr(x, "q"), "feature"), " each (q)"),
    tables = list(description_table(description_without_empty(table), n, of = "features")),
    foot = c(paste0("\nStable: a frequency of ", attr(x, "cutoff"), " or more."),
             selection_frequency_notes(attr(x, "q"), attr(x, "bounds"), attr(x, "chosen"), nrow(x)))
  ), digits)
}

# The consequences of q: with a small q features of a larger model are left out of most halves, with a large q there
# is no bound. p: the number of features.
selection_frequency_notes <- function(q, bounds, chosen, p) {
  known <- format(signif(bounds, 2), trim = TRUE, drop0trailing = TRUE)
  c(
    if (bounds[["any"]] < p) c(
      "Expected number of stable features that a half selects no more often than at random:",
      paste0("at most ", known[["any"]], " (", known[["concave"]], " if frequencies are r-concave)")
    ) else
      paste0("There is no bound on the number of false ones among the stable features: q = ", q, " is too large for ",
             words_counted(p, "feature"),
             "."),
    if (isTRUE(chosen > q)) paste0("The fit to all rows has ", chosen, " features, and a half selects at most ", q,
                                   ".\nRaise q to see how often each is selected again.")
  )
}

#' @rdname selection_frequency
#' @export
plot.selection_frequency <- function(x, top_n = 20, ...) {
  picture_user_plot(x, selection_frequency_picture(x, top_n, rlang::current_env()), ...)
}

#' @rdname selection_frequency
#' @exportS3Method ggplot2::autoplot
autoplot.selection_frequency <- function(object, top_n = 20, ...) {
  picture_user_autoplot(selection_frequency_picture(object, top_n, rlang::current_env()), ...)
}

selection_frequency_picture <- function(x, top_n, call) {
  top_n <- check_number(top_n, "top_n", 1, call, whole = TRUE)
  shown <- utils::head(as.data.frame(x), top_n)
  n <- nrow(shown)
  colours <- picture_colours$feature[1 + !shown$stable]
  dots <- data.frame(x = shown$frequency, y = n + 1 - seq_len(n), col = colours)
  evidence <- data.frame(x = shown$probability, y = dots$y)[is.finite(shown$probability), ]
  mark <- picture_colours$source[2]
  layers <- list(
    picture_rule("y", dots$y, col = picture_colours$faint, lty = 1),
    picture_rule("x", attr(x, "cutoff"), lty = 2, col = picture_colours$frame),
    picture_layer("segment", data.frame(x = 0, y = dots$y, xend = dots$x, col = colours), lwd = 2),
    picture_layer("point", dots, pch = 19),
    picture_layer("point", evidence, pch = 23, col = mark, bg = "white")
  )
  keys <- picture_base_keys(c("selected from halves", "probability by the evidence", "stable from here"),
                            c(picture_colours$feature[1], mark, picture_colours$frame), c(19, 23, NA),
                            lty = c(1, 1, 2))
  if (!nrow(evidence)) keys <- keys[-2, ]
  left <- nrow(x) - n
  panel <- picture_panel(picture_axis("share", c(-.03, 1.03), seq(0, 1, .25)), picture_name_axis(shown$term), layers)
  bounds <- attr(x, "bounds")
  known <- if (!is.null(bounds) && bounds[["any"]] < nrow(x)) {
    paste0("false ones among the stable: on average at most ", signif(bounds[["any"]], 2), ", or ",
           signif(bounds[["concave"]], 2), " if r-concave")
  }
  picture_new(list(panel), "How often is a feature selected?", keys, paste(c(
    known, if (left) paste(left, "features of lower frequency are not shown")
  ), collapse = "; "))
}

#' @rdname selection_frequency
#' @export
tidy.selection_frequency <- function(x, ...) {
  arguments_of_generic()
  data.frame(term = x$term, frequency = x$frequency, probability = x$probability, stable = x$stable)
}
