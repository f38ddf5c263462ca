# The picture of an msplit path: gamma against time, the dense estimator in grey behind it.

#' Plot an MSplit path
#'
#' Two pictures of an [msplit()] fit: when each feature enters, and how large its coefficient is (`plot(fit)`), and in
#' simulations the error along the path (`plot(fit, "error", truth = beta)`). To see which effects to report use
#' `plot(signals(fit))`. `plot()` draws with base graphics, `autoplot()` makes the same pictures with ggplot2.
#'
#' * `"path"`: the sparse estimator \eqn{\Gamma} of each response against the time t (log scale), one step function per
#'   feature, with the dense estimator \eqn{B} in grey behind it. Lines without a name are pale. A dotted line marks the
#'   event with the smallest criterion, or the default model. The number beside a name is the probability that the
#'   effect is not zero; a star marks the strong effects at a false discovery rate of .1, see [signals()].
#' * `"error"`: the relative error \eqn{|\hat\beta - \beta^*|/|\beta^*|} of the dense and the sparse estimator along the
#'   path, if the `truth` is known.
#'
#' @param x,object An [msplit()] fit.
#' @param what Which picture.
#' @param response For several responses or more than two classes: those to show, one panel per response. `NULL`: all;
#'   for `"error"` the first.
#' @param nu Which path, for a fit with several. `NULL`: the chosen one.
#' @param truth For `"error"`: the true coefficients on the original scale, without intercept: one number per feature,
#'   or a matrix with one column per response.
#' @param label Write names beside the lines?
#' @param top_n How many features get a name: all strong ones, and then those with the largest coefficients at the end
#'   of the path. In a grid of more than four panels at most three.
#' @param scaled Multiply coefficients by the standard deviation of their feature?
#' @param ... For `plot()`: graphical parameters that replace the defaults. For `autoplot()`:
#'   `log`, as for `plot()`.
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#' @references Zhao, B., Sun, X., Fu, Y., Yao, Y. and Wang, Y. (2018). MSplit LBI. *ICML*, PMLR 80,
#'   5912-5921. \doi{10.48550/arXiv.1806.04360}
#' @seealso [msplit()], [signals()]
#' @examples
#' fit <- msplit(mpg ~ ., data = mtcars, nu = 5)
#' plot(fit)
#' @export
plot.msplit <- function(x, what = c("path", "error"), response = NULL, nu = NULL, truth = NULL,
                        label = TRUE, top_n = 10, scaled = TRUE, ...) {
  picture_user_plot(x, msplit_plot_picture(x, what, response = response, nu = nu, truth = truth, label = label,
                                           top_n = top_n, scaled = scaled), ...)
}

#' @rdname plot.msplit
#' @exportS3Method ggplot2::autoplot
autoplot.msplit <- function(object, what = c("path", "error"), response = NULL, nu = NULL,
                            truth = NULL, label = TRUE, top_n = 10, scaled = TRUE, ...) {
  picture_user_autoplot(msplit_plot_picture(object, what, response = response, nu = nu, truth = truth, label = label,
                                            top_n = top_n, scaled = scaled), ...)
}

# A panel for each response; of the error, one response.
msplit_plot_picture <- function(x, what, response, nu, truth, label, top_n, scaled,
                                call = rlang::caller_env()) {
  what <- check_choice(what, c("path", "error"), "what", call)
  top_n <- picture_user_top_n(label, top_n, call)
  data_of <- function(response) msplit_plot_data(x, what, response = response, nu = nu, truth = truth,
                                                 scaled = scaled, call = call)
  if (what == "error") return(msplit_plot_truth(data_of(response)))
  shown <- if (is.null(response) && path_object_is_multi(x)) path_object_responses(x) else response
  if (is.null(shown) || !is.atomic(shown)) shown <- list(shown) # NULL: one response; data_of() refuses others
  parts <- lapply(utils::head(shown, MOST_PANELS), data_of)
  msplit_plot_stairs(parts, if (length(parts) > 4L) min(top_n, 3L) else top_n,
                     if (length(shown) > MOST_PANELS) {
                       paste("the first", MOST_PANELS, "of", length(shown), "responses")
                     })
}

MOST_PANELS <- 30L # of a picture

# "path": estimator, term, t, estimate. "error": estimator, t, value. The start, t = 0, is moved to where a log scale
# can show it, see msplit_plot_axis_start().
msplit_plot_data <- function(x, what, response, nu, truth, scaled, call) {
  check_flag(scaled, "scaled", call)
  response <- if (is.null(response)) path_object_responses(x)[1] else path_step_check_class(x, response, call,
                                                                                            "response")
  points <- path_step_points(x, msplit_model_nu(x, nu, call), call)
  nu <- points$lambda[1]
  if (what == "error") {
    return(msplit_plot_truth_errors(x, response, points, msplit_plot_check_truth(x, truth, response, call), nu, call))
  }
  rows <- path_plot_data_rows_of_steps(x, response, nu)
  gamma <- x$gamma[, rows, drop = FALSE]
  times <- x$steps$t[rows]
  known <- msplit_plot_dense_since(x, rows, points, nu, response, call)
  if (max(points$t) > max(times)) { # another response has later events
    gamma <- gamma[, c(seq_along(times), length(times)), drop = FALSE]
    times <- c(times, max(points$t))
  }
  used <- which(Matrix::rowSums(gamma != 0) > 0)
  dense <- cbind(known$beta, known$beta[, ncol(known$beta)])
  since <- c(known$since, max(points$t))
  by <- if (scaled) x$scale else rep(1, nrow(dense))
  one <- function(name, value, when, j) {
    data.frame(estimator = rep(name, length(j) * length(when)),
               term = rep(path_object_term_names(x, j), each = length(when)), t = rep(when, length(j)),
               estimate = as.vector(t(as.matrix(value[j, , drop = FALSE] * by[j]))))
  }
  behind <- path_plot_sources_largest(seq_len(nrow(dense)), apply(abs(dense * by), 1, max), DENSE_LINES)
  probability <- inclusion_probability(x)
  best <- points$t[match(if (is.numeric(x$best)) x$best else x$best_step, points$step)]
  structure(
    rbind(one("dense", dense, since, behind), one("gamma", gamma, times, used)),
    start = msplit_plot_axis_start(times), best = if (nu == x$best_lambda) best else NA, scaled = scaled,
    title = if (path_object_is_multi(x)) response else "",
    probability = if (!is.null(probability)) probability[, response]
  )
}

# The dense estimators of one response that are known, one for each column, and since when each holds.
# rows: those of `steps` for this response and nu.
msplit_plot_dense_since <- function(x, rows, points, nu, response, call) {
  t <- x$steps$t[rows]
  if (!is.null(x$every)) return(list(beta = x$every$beta[, rows, drop = FALSE], since = t))
  since <- points$t
  # the estimator recorded at a common time belongs to the last event before that time
  if (path_object_is_multi(x) && x$method == "iss") since <- t[findInterval(since * (1 + 1e-12), t)]
  list(beta = path_model(x, points$step, nu, if (path_object_is_multi(x)) response, call = call)[[1]]$beta,
  since = since)
}

DENSE_LINES <- 300 # more cannot be told apart

# The left end of a logarithmic axis of times.
msplit_plot_axis_start <- function(t) if (any(t > 0)) min(t[t > 0]) / 1.6 else 1

msplit_plot_check_truth <- function(x, truth, response, call) {
  if (is.matrix(truth) && ncol(truth) == length(path_object_responses(x))) {
    column <- if (is.null(colnames(truth))) match(response, path_object_responses(x)) else response
    truth <- truth[, if (ncol(truth) == 1) 1 else column]
  }
  if (!is.numeric(truth) || length(truth) != x$blueprint$p || !any(truth != 0, na.rm = TRUE)) {
    abort_kind(truth, "truth",
               "Give the true coefficients: a number for each of the {x$blueprint$p} features, not all zero.", call)
  }
  truth
}

msplit_plot_truth_errors <- function(x, response, points, truth, nu, call) {
  force(truth)
  parts <- lapply(c("dense", "sparse"), function(estimator) {
    beta <- msplit_model_estimate(x, response, points$t, nu, estimator, call)$beta
    off <- sqrt(colSums((as.matrix(beta) - truth)^2) / sum(truth^2))
    data.frame(estimator = estimator, t = points$t, value = off)
  })
  structure(do.call(rbind, parts), start = msplit_plot_axis_start(points$t),
            title = if (path_object_is_multi(x)) response else "")
}

# The axis of t, from its start; every path of a picture has the same.
msplit_plot_time_axis <- function(parts) {
  start <- min(vapply(parts, attr, 0, "start"))
  limits <- c(start, max(vapply(parts, function(data) max(data$t), 0), start))
  if (diff(limits) == 0) limits <- limits * c(.5, 2)
  if (limits[2L] < 2 * limits[1L]) limits[2L] <- 1.6 * limits[2L] # a single event is not at the edge
  exponent <- seq(floor(log10(limits[1L])), ceiling(log10(limits[2L])))
  ticks <- 10^exponent
  if (length(ticks) < 4L) ticks <- sort(c(ticks, 2 * ticks, 5 * ticks))
  ticks <- picture_ticks_within(ticks, limits)
  if (length(ticks) < 2L) ticks <- pretty(limits, 4L)
  picture_axis("path time t (log scale; left end: t = 0)", limits, ticks, words_number(ticks), log = TRUE)
}

msplit_plot_stairs <- function(parts, top_n, note) {
  x <- msplit_plot_time_axis(parts)
  y <- picture_axis(if (attr(parts[[1L]], "scaled")) "standardised coefficient" else "coefficient",
                    picture_padded_range(range(vapply(parts, path_plot_data_range, numeric(2)))))
  panels <- lapply(parts, function(data) msplit_plot_stairs_panel(data, x, y, top_n, length(parts) > 1L))
  title <- paste(c("Coefficients", if (length(parts) == 1L && nzchar(attr(parts[[1L]], "title")))
    paste("of", attr(parts[[1L]], "title")), "along the path"), collapse = " ")
  if (top_n > 0 && any(lengths(lapply(parts, attr, "probability")))) {
    note <- c(note, "numbers: probability that the effect is not 0; *: strong at a false discovery rate of 0.1")
  }
  note <- if (length(note)) paste(note, collapse = "; ")
  keys <- picture_base_keys(c("sparse", "dense"), c(picture_colours$feature[1L], picture_colours$dense))
  picture_new(panels, title, keys, note)
}

msplit_plot_stairs_panel <- function(data, x, y, top_n, several) {
  start <- x$limits[1L]
  gamma <- data[data$estimator == "gamma", , drop = FALSE]
  ends <- gamma[!duplicated(gamma$term, fromLast = TRUE), , drop = FALSE]
  probability <- attr(data, "probability") %||% numeric()
  strong <- ends$term %in% names(probability)[msplit_report_strong_columns(probability, .1)]
  first <- order(!strong, -abs(ends$estimate)) # strong effects are named before others
  ends <- ends[first, , drop = FALSE]
  strong <- strong[first]
  if (!several && top_n > 0) top_n <- max(top_n, sum(strong))
  # what has no name is behind
  named <- seq_len(nrow(ends)) <= if (top_n > 0) top_n else 10
  col <- ifelse(named, rep_len(picture_colours$named$feature, nrow(ends)), picture_colours$behind[["feature"]])
  best <- attr(data, "best")
  share <- probability[ends$term] # where the probability of a feature is known
  labels <- ifelse(is.na(share), ends$term, paste(ends$term, format(round(share, 2), nsmall = 2)))
  labels <- paste0(labels, ifelse(strong, " *", ""))
  stairs <- function(one) data.frame(x = pmax(one$t, start), y = one$estimate, group = one$term)
  place <- match(gamma$term, ends$term)
  gamma <- gamma[order(-place, gamma$t), , drop = FALSE] # the first are drawn last
  lines <- stairs(gamma)
  if (nrow(ends) && max(lines$x) < x$limits[2L]) { # the last values hold to the end
    lines <- rbind(lines, data.frame(x = x$limits[2L], y = ends$estimate, group = ends$term))
  }
  place <- match(lines$group, ends$term)
  lines$col <- col[place]
  lines$lwd <- ifelse(named[place], 1.5, .8)
  picture_panel(
    x, y,
    list(
      picture_rule("y", 0, col = picture_colours$frame, lty = 1),
      picture_rule("x", pmax(best, start), col = picture_colours$frame),
      picture_layer("line", stairs(data[data$estimator == "dense", , drop = FALSE]), step = TRUE,
                    col = picture_colours$dense, lwd = .8),
      picture_layer("line", lines, step = TRUE, user = c("col", "lwd"))
    ),
    utils::head(data.frame(x = rep(x$limits[2L], nrow(ends)), y = ends$estimate, label = labels,
                           group = ends$term, col = col), top_n),
    title = if (several) attr(data, "title") else "",
    empty = if (!nrow(ends)) "nothing entered"
  )
}

msplit_plot_truth <- function(data) {
  x <- msplit_plot_time_axis(list(data))
  col <- c(dense = picture_colours$feature[1L], sparse = picture_colours$source[2L])
  picture_new(list(picture_panel(
    x, picture_axis("relative error", c(0, 1.05 * max(data$value))),
    list(picture_layer("line", data.frame(x = pmax(data$t, x$limits[1L]), y = data$value,
                                          group = data$estimator, col = unname(col[data$estimator])),
                       step = TRUE, lwd = 2, user = c("col", "lwd")))
  )), toString(c("Error along the path", Filter(nzchar, attr(data, "title")))),
  picture_base_keys(names(col), unname(col), lwd = 2))
}
