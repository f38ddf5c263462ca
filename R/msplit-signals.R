# signals(): which effects are told from 0, at a false discovery rate, and the picture of it.

#' Strong signals, at a false discovery rate
#'
#' Which effects of an [msplit()] fit should a report name? `signals(fit)` marks each effect as `"strong"` (not zero, at
#' a false discovery rate) or as `"not told from 0"` (the rows do not show whether it is zero). Use it for reports, not
#' for predictions: the default model of the fit often has no support, because dense ridge regression predicts as well,
#' although some of its effects are certainly not zero. For p-values and intervals use [confint.tlcp()].
#'
#' **Which are strong.** Each feature has a posterior probability that its effect is not zero. The model: the effects of
#' a support P are \eqn{N(0, \sigma^2 (v/n))} on standardised features, all others are zero, \eqn{p(\sigma^2) \propto
#' 1/\sigma^2}, v is uniform on 10, 30, 100, 300, 1000, and each feature has an effect with the same prior probability,
#' which is uniform on 0 to 1/2, for at most n/3 features. If the probabilities were exact, the mean of 1 - probability
#' over a set would be its expected share of false features. In simulations the probabilities were too small, so the
#' limit of this mean is twice the rate. The strong features are the largest set whose mean of 1 - probability is at
#' most `2 * fdr`, without features whose probability is below `max(.5, 1 - 3.5 * fdr)`: .65 for the default. Both
#' limits were chosen in these simulations. Before this, numeric responses are bounded at 2.5 standard deviations (by
#' the median) from the fit, so that single rows do not decide; this is not done from moments and with `choose =
#' "none"`. Probabilities are means over 3000 sweeps of a Gibbs sampler with a fixed start of its own random numbers:
#' the same fit gives the same set, and R's random numbers are not used.
#'
#' **How sure.** In simulations the share of false features was at most about `fdr` (`vignette("strong-and-weak")`), but
#' this is no theorem. Most of these simulations had at least twice as many rows as features; those with fewer rows are
#' the lines n <= d and d < n < 2d in `bench/RESULTS.md` of the repository (`Rscript bench/msplit.R oracle`). The share
#' was larger if features had a near copy (correlation .95): either may be reported in place of the other. If more than
#' half of the features have an effect, fewer of these are found. Each response, or class against the rest, has its own
#' set and its own rate. Classes are judged by least squares of their codes.
#'
#' A column is not reported (probability `NA`) if one row has more than half of its variance, such as a dummy variable
#' of a single row. Columns in `keep` are in every model and not judged (`"kept"`). With more than 500 columns, or more
#' columns than rows, only the columns that enter a path first are judged: half as many as rows, and at least 100. All
#' others are not told from 0 (probability 0).
#'
#' With `step`, `t` or `nu` the table is about this point of the path instead, without an error rate: `signal` is `"in
#' the support"` or `"outside"`.
#'
#' @param object An [msplit()] or [zero_shot()] fit. Or a formula, or a matrix or data frame of features with `y`: these
#'   are given to [msplit()], with `...`, and its fit is judged.
#' @param data,y As in [msplit()].
#' @param fdr The false discovery rate, above 0 and below 1.
#' @param step,t,nu A point of the path, as for [coef()][coef.msplit], whose support is wanted instead of
#'   the strong signals.
#' @param k `NULL`: all features. Or the number of features to list for each response after the strong ones
#'   (or the support).
#' @param ... For a fit: must be empty. For data: arguments of [msplit()]. For `plot()`: graphical parameters that
#'   replace the defaults.
#' @returns A data frame of class `msplit_signals` with one row per feature and response (for [zero_shot()]: seen class
#'   and unseen class): `response` (`"y"` for one response), `term`, `signal`, `probability` (that the effect is not
#'   zero), `estimate` (the coefficient of the default model, which `predict()` uses, or at the point of the path),
#'   `rank` (1, 2, ... within the response; strong features first, then by size on standardised features). Rows are in
#'   the order of `rank`. Its attribute `fdr` is the rate (`NULL` at a point of the path). `print()`, `plot()` and
#'   `autoplot()` show another order: strong features first (or the support), then the others, each by probability.
#'   `plot()` and `autoplot()` draw the probabilities. `tidy()`: a plain data frame with `response`, `term`,
#'   `estimate`, `probability`, `signal` and `rank`, in the order of `rank`. Errors name the argument.
#' @references George, E. I. and McCulloch, R. E. (1997). Approaches for Bayesian variable selection. *Statistica
#'   Sinica* 7, 339-373. Mueller, P., Parmigiani, G., Robert, C. and Rousseau, J. (2004). Optimal sample size for
#'   multiple testing. *Journal of the American Statistical Association* 99, 990-1001: the mean of 1 - probability as
#'   a false discovery rate. \doi{10.1198/016214504000001646}
#'
#'   Zhao, B., Sun, X., Fu, Y., Yao, Y. and Wang, Y. (2018). MSplit LBI. *ICML*, PMLR 80, 5912-5921, section 3.3 and
#'   Table 3: the support of a point of the path. \doi{10.48550/arXiv.1806.04360}
#' @seealso [msplit()], [zero_shot()], [selection_frequency()]
#' @examples
#' fit <- msplit(mpg ~ ., data = mtcars)
#' found <- signals(fit)
#' found
#' plot(found)
#' signals(fit, fdr = .2)
#' signals(fit, step = 5, nu = 1)
#' signals(mpg ~ ., data = mtcars) # the same as signals(fit)
#' @export
signals <- function(object, ...) UseMethod("signals")

#' @rdname signals
#' @export
signals.formula <- function(object, data, ..., fdr = .1, k = NULL) {
  arguments_check_spelling()
  anew <- match.call()
  anew[[1]] <- quote(msplit)
  names(anew)[names(anew) == "object"] <- "formula"
  anew <- anew[c(1, match("formula", names(anew)), which(!names(anew) %in% c("", "formula", "fdr", "k")))]
  signals(eval(anew, rlang::new_environment(list(msplit = msplit), parent = parent.frame())), fdr = fdr, k = k)
}

#' @rdname signals
#' @export
signals.default <- function(object, y, ..., fdr = .1, k = NULL) {
  arguments_check_spelling()
  if (inherits(object, "moments")) return(signals(msplit(object, ...), fdr = fdr, k = k))
  features <- is.data.frame(object) || is.matrix(object) || inherits(object, c("Matrix", "feature_map"))
  if (features && !missing(y)) return(signals(msplit(object, y, ...), fdr = fdr, k = k))
  abort_kind(object, "object", "Give a fit of {.fn msplit} or {.fn zero_shot}, or data: {.code signals(y ~ ., data)} or
                                {.code signals(x, y)}.", rlang::current_env())
}

#' @export
signals.transfer_path <- function(object, ...) {
  abort_input("{.arg object} is a fit of {.fn {path_refit_method(object)}}, which has no probabilities of effects.",
              "object", i = "Give the formula and the data of the fit: {.code signals(y ~ ., data)} fits {.fn msplit}.",
              i = "{.fn selection_frequency} of the fit says how often a column is chosen again.",
              call = rlang::current_env())
}

#' @export
signals.transfer_cv <- function(object, ...) signals(object$fit, ...)

#' @rdname signals
#' @export
signals.msplit <- function(object, fdr = .1, step = NULL, t = NULL, nu = NULL, k = NULL, ...) {
  call <- arguments_check()
  if (!is.null(k)) k <- check_number(k, "k", 0, call, whole = TRUE)
  if (identical(step, "default")) step <- NULL
  placed <- !is.null(step) || !is.null(t) || !is.null(nu)
  strong <- if (!placed) signals_strong_by_response(object, fdr, call)
  dense <- path_model(object, step, t = t, nu = nu, call = call)
  check_single(length(dense[[1]]$a0), if (is.null(t)) "step" else "t", call)
  sparse <- if (placed) path_model(object, step, t = t, nu = nu, report = TRUE, call = call)
  probability <- inclusion_probability(object)
  term <- path_object_term_names(object)
  tables <- lapply(path_object_responses(object), function(response) {
    of <- if (!is.null(probability)) unname(probability[, response]) else rep(NA_real_, length(term))
    inside <- if (placed) as.vector(sparse[[response]]$beta != 0) else seq_along(term) %in% strong[[response]]
    words <- if (placed) c("in the support", "outside") else c("strong", "not told from 0")
    signal <- ifelse(inside, words[1L], words[2L])
    if (!placed) signal[object$kept] <- "kept"
    signals_table(response, term, signal, inside, of, as.vector(dense[[response]]$beta), object$scale, k)
  })
  table <- do.call(rbind, tables)
  table_classed(table, "msplit_signals", fdr = if (!placed) fdr, effects = length(term) * length(tables))
}

#' @rdname signals
#' @export
signals.zero_shot <- function(object, ...) signals(object$fit, ...)

# The numbers of the columns that are strong, by response.
signals_strong_by_response <- function(object, fdr, call) {
  fdr <- check_number(fdr, "fdr", 0, call)
  if (fdr <= 0 || fdr >= 1) {
    abort_input("{.arg fdr} is {fdr}.", "fdr", i = "Give a number above 0 and below 1.", call = call)
  }
  probability <- inclusion_probability(object)
  if (is.null(probability)) {
    abort_input("{.arg object} lacks the sums over rows that are needed to judge effects.", "object",
                i = "Fit again without {.arg points}, or give {.arg step} for the support there.", call = call)
  }
  stats::setNames(lapply(seq_len(ncol(probability)), function(r) msplit_report_strong_columns(probability[, r], fdr)),
                  path_object_responses(object))
}

signals_table <- function(response, term, signal, inside, probability, dense, scale, k) {
  size <- abs(dense * scale)
  ranking <- order(!inside, signal != "kept", -size)
  if (!is.null(k)) ranking <- utils::head(ranking, sum(inside | signal == "kept") + k)
  data.frame(response = rep(response, length(ranking)), term = term[ranking], signal = signal[ranking],
             probability = probability[ranking], estimate = dense[ranking], rank = seq_along(ranking))
}

SIGNAL_WORDS <- c("strong", "in the support", "kept", "not told from 0", "outside") # in the order of print()

SIGNAL_RESPONSES <- 10 # responses up to which print() of a fit says which effects are strong

# "Strong (at a false discovery rate of 0.1): wt, hp", a line for each response. Empty where print() says nothing.
signals_lines <- function(object, fdr = .1) {
  several <- path_object_responses(object)
  if (is.null(object$sums) || length(several) > SIGNAL_RESPONSES) return(character())
  label <- path_object_term_names(object)
  of <- signals_strong_by_response(object, fdr, rlang::current_env())
  none <- "none; no effect is told from 0"
  text <- vapply(of, function(j) if (length(j)) toString(label[j], width = 90) else none, "")
  head <- paste0("Strong (at a false discovery rate of ", fdr, ")")
  if (length(several) == 1L) paste0(head, ": ", text) else c(paste0(head, ":"), paste0("  ", several, ": ", text))
}

# A part of the rows no longer has the false discovery rate of the table, so the attributes are dropped.
#' @export
table_part.msplit_signals <- function(x, part) {
  if (nrow(part) == nrow(x)) table_like(x, part) else table_classed(part, "msplit_signals")
}

#' @export
print.msplit_signals <- function(x, n = 20, digits = 3, ...) {
  table <- as.data.frame(x)
  fdr <- attr(x, "fdr")
  several <- length(unique(table$response)) > 1L
  # the order of the picture, in each response
  probability <- table[["probability"]] %||% numeric(nrow(table))
  table <- table[order(match(table$response, table$response), match(table$signal, SIGNAL_WORDS), -probability), ]
  if (!several) table$response <- NULL
  table$rank <- NULL
  strong <- sum(table$signal %in% c("strong", "in the support"))
  # rows taken from a table have lost its rate and the number of all effects
  effects <- attr(x, "effects")
  head <- paste0(strong, " of ", words_counted(effects %||% nrow(table), "effect"), if (is.null(effects)) " listed",
                 if (strong == 1 || (effects %||% nrow(table)) == 1) " is " else " are ",
                 if (any(table$signal %in% c("in the support", "outside"))) "in the support" else "strong",
                 if (!is.null(fdr)) paste(", at a false discovery rate of", fdr))
  description_print(x, list(head = head, tables = list(description_table(table, n, title = "", of = "rows"))), digits)
}

#' @rdname signals
#' @export
tidy.msplit_signals <- function(x, ...) {
  arguments_of_generic()
  shown <- intersect(c("response", "term", "estimate", "probability", "signal", "rank"), names(x))
  data.frame(unclass(x)[shown], check.names = FALSE)
}

#' @rdname signals
#' @param x,top_n What `signals()` returned; for the picture how many features of a response to show.
#' @export
plot.msplit_signals <- function(x, top_n = 20, ...) {
  picture_user_plot(x, signals_picture(x, top_n, rlang::current_env()), ...)
}

#' @rdname signals
#' @exportS3Method ggplot2::autoplot
autoplot.msplit_signals <- function(object, top_n = 20, ...) {
  picture_user_autoplot(signals_picture(object, top_n, rlang::current_env()), ...)
}

# A panel for each response: the probabilities of the same features, the strong ones in colour.
signals_picture <- function(x, top_n, call) {
  top_n <- check_number(top_n, "top_n", 1, call, whole = TRUE)
  fdr <- attr(x, "fdr")
  several <- unique(x$response)
  shown <- utils::head(several, MOST_PANELS)
  inside <- x$signal %in% c("strong", "in the support")
  known <- !is.na(x$probability)
  first <- unique(x$term[known][order(!inside[known], -x$probability[known])])
  first <- utils::head(first, top_n)
  n <- length(first)
  panels <- lapply(shown, function(response) {
    drawn <- which(x$response == response & x$term %in% first & known)
    drawn <- data.frame(x = x$probability[drawn], y = n + 1 - match(x$term[drawn], first),
                        col = picture_colours$feature[ifelse(inside[drawn], 1L, 2L)])
    picture_panel(
      picture_axis("probability that the effect is not 0", c(-.03, 1.03), seq(0, 1, .25)), picture_name_axis(first),
      list(
        picture_rule("y", seq_len(n), col = picture_colours$faint, lty = 1),
        if (!is.null(fdr)) picture_rule("x", msplit_report_floor(fdr), lty = 2, col = picture_colours$frame),
        picture_layer("segment", data.frame(x = 0, y = drawn$y, xend = drawn$x, col = drawn$col), lwd = 2),
        picture_layer("point", drawn, pch = 19)
      ),
      title = if (length(several) > 1L) response else "",
      empty = if (!nrow(drawn)) "no probabilities"
    )
  })
  words <- if (is.null(fdr)) c("in the support", "outside") else c("strong", "not told from 0")
  keys <- picture_base_keys(words, picture_colours$feature[1:2], c(19, 19))
  title <- if (is.null(fdr)) "Support" else paste("Strong at a false discovery rate of", fdr)
  picture_new(panels, title, keys, if (length(shown) < length(several)) {
    paste("the first", MOST_PANELS, "of", length(several), "responses")
  })
}
