# The picture of an msplit path: gamma against time, the dense estimator in grey behind it.

#' Plot an MSplit path
#'
#' `"path"`: the sparse estimator \eqn{\Gamma} of one response against the time t (log scale), a
#' staircase a feature, with the dense estimator \eqn{B} in grey behind it and the default model as
#' a dotted line. `"error"`: with the `truth` known, as in a simulation, the relative error
#' \eqn{|\hat\beta - \beta^*|/|\beta^*|} of the dense and of the sparse estimator along the path.
#' `plot()` draws with base graphics, `autoplot()` makes the same pictures with ggplot2.
#'
#' @param x,object An [msplit()] fit.
#' @param what Which picture.
#' @param response For several responses or more than two classes: the one to show; `NULL` is the
#'   first.
#' @param nu Which path, for a fit with several; `NULL` is the chosen one.
#' @param truth For `"error"`: the true coefficients on the original scale, without intercept; a
#'   number a feature, or a matrix with a column a response.
#' @param label Write names beside the lines?
#' @param top_n How many of the features get a name: the largest at the end of the path.
#' @param scaled Multiply coefficients by the standard deviation of their feature?
#' @param ... For `plot()`: graphical parameters that replace the defaults. For `autoplot()`: must
#'   be empty.
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#' @seealso [msplit()], [signals()]
#' @examples
#' fit <- msplit(mpg ~ ., data = mtcars, nu = 5)
#' plot(fit)
#' @export
plot.msplit <- function(x, what = c("path", "error"), response = NULL, nu = NULL, truth = NULL,
                        label = TRUE, top_n = 10, scaled = TRUE, ...) {
  check_spelling()
  call <- rlang::current_env()
  what <- check_choice(what, c("path", "error"), "what", call)
  top_n <- plot_top_n(label, top_n)
  data <- msplit_plot_data(x, what, response, nu, truth, scaled, call)
  dots <- plot_dots(list(...))
  old <- graphics::par(mar = c(0, 0, 0, 0))
  on.exit(graphics::par(old))
  graphics::plot.new()
  if (what == "path") draw_msplit(data, top_n, dots) else draw_msplit_error(data, dots)
  invisible(x)
}

# ---- data ----

# "path": estimator, term, t, estimate. "error": estimator, t, value. t of the start is put where a
# log scale can show it, see start_at().
msplit_plot_data <- function(x, what, response, nu, truth, scaled, call) {
  check_flag(scaled, "scaled", call)
  response <- if (is.null(response)) responses(x)[1] else check_response_name(x, response, call)
  points <- path_points(x, msplit_nu(x, nu, call), call)
  nu <- points$lambda[1]
  if (what == "error") {
    return(truth_errors(x, response, points, check_truth(x, truth, response, call), nu, call))
  }
  rows <- which(x$steps$lambda == nu & response_of_steps(x) == response)
  gamma <- x$gamma[, rows, drop = FALSE]
  t <- x$steps$t[rows]
  known <- dense_since(x, rows, points, nu, response, call)
  if (max(points$t) > max(t)) { # another response has later events
    gamma <- gamma[, c(seq_along(t), length(t)), drop = FALSE]
    t <- c(t, max(points$t))
  }
  used <- which(Matrix::rowSums(gamma != 0) > 0)
  dense <- cbind(known$beta, known$beta[, ncol(known$beta)])
  since <- c(known$since, max(points$t))
  by <- if (scaled) x$scale else rep(1, nrow(dense))
  one <- function(name, value, at, j) {
    data.frame(estimator = rep(name, length(j) * length(at)),
               term = rep(term_names(x, j), each = length(at)), t = rep(at, length(j)),
               estimate = as.vector(t(as.matrix(value[j, , drop = FALSE] * by[j]))))
  }
  behind <- largest_rows(dense * by, DENSE_LINES)
  best <- points$t[match(x$best, points$step)]
  structure(
    rbind(one("dense", dense, since, behind), one("gamma", gamma, t, used)),
    start = start_at(t), best = if (nu == x$best_lambda) best else NA, scaled = scaled,
    title = if (path_is_multi(x)) response else ""
  )
}

# The dense estimators of one response that are known, one a column, and since when each holds.
# rows: those of `steps` for this response and nu.
dense_since <- function(x, rows, points, nu, response, call) {
  t <- x$steps$t[rows]
  if (!is.null(x$every)) return(list(beta = x$every$beta[, rows, drop = FALSE], since = t))
  since <- points$t
  # an estimator kept at a common time is that of the event before it
  if (path_is_multi(x) && x$method == "iss") since <- t[findInterval(since * (1 + 1e-12), t)]
  list(beta = path_coef(x, points$step, nu, response, call)$beta, since = since)
}

DENSE_LINES <- 300 # more cannot be told apart
DENSE_GREY <- "#C6C6C6"

largest_rows <- function(value, most) {
  if (nrow(value) <= most) return(seq_len(nrow(value)))
  size <- apply(abs(value), 1, max)
  sort(order(-size)[seq_len(most)])
}

start_at <- function(t) if (any(t > 0)) min(t[t > 0]) / 1.6 else 1

check_truth <- function(x, truth, response, call) {
  if (is.matrix(truth) && ncol(truth) == length(responses(x))) {
    column <- if (is.null(colnames(truth))) match(response, responses(x)) else response
    truth <- truth[, if (ncol(truth) == 1) 1 else column]
  }
  if (!is.numeric(truth) || length(truth) != x$blueprint$p || !any(truth != 0, na.rm = TRUE)) {
    abort_input("{.arg truth} is {.obj_type_friendly {truth}}.", "truth",
                i = "Give the true coefficients: a number for each of the {x$blueprint$p} features,
                not all zero.", call = call)
  }
  truth
}

truth_errors <- function(x, response, points, truth, nu, call) {
  force(truth)
  parts <- lapply(c("dense", "sparse"), function(estimator) {
    beta <- msplit_estimate(x, response, points$t, nu, estimator, call)$beta
    off <- sqrt(colSums((as.matrix(beta) - truth)^2) / sum(truth^2))
    data.frame(estimator = estimator, t = points$t, value = off)
  })
  structure(do.call(rbind, parts), start = start_at(points$t),
            title = if (path_is_multi(x)) response else "")
}

on_log <- function(t, start) log10(pmax(t, start))

time_ticks <- function(range) {
  at <- seq(floor(range[1]), ceiling(range[2]))
  if (length(at) < 4) at <- sort(c(at, at + log10(2), at + log10(5)))
  at[at >= range[1] & at <= range[2]]
}

msplit_ylab <- function(data) {
  if (attr(data, "scaled")) "coefficient x standard deviation" else "coefficient"
}

# ---- base graphics ----

draw_msplit <- function(data, top_n, dots) {
  cex <- .75
  csi <- graphics::par("csi")
  start <- attr(data, "start")
  gamma <- data[data$estimator == "gamma", , drop = FALSE]
  ends <- path_ends(gamma)
  named <- utils::head(ends, top_n)
  room <- max(.2, label_width(named$term, cex) + leader(cex) + .05)
  room <- min(.3 * graphics::par("fin")[1L], room)
  box <- panel_boxes(1L, 1L, csi * c(3.4, 4.2, 2.2, .6) + c(0, 0, 0, room))[[1L]]
  xlim <- range(on_log(data$t, start))
  if (diff(xlim) == 0) xlim <- xlim + c(-.5, .5)
  set <- draw_panel(box, list(
    xlim = xlim, ylim = path_range(data), xlab = "t (log scale; left end: t = 0)",
    ylab = msplit_ylab(data), main = attr(data, "title")
  ), dots)
  draw_frame(zero = TRUE)
  ticks <- time_ticks(xlim)
  draw_axis(1, ticks, format_number(10^ticks), set)
  draw_axis(2, graphics::axTicks(2), TRUE, set)
  draw_title(set)
  best <- attr(data, "best")
  if (!is.na(best)) {
    graphics::abline(v = on_log(best, start), lty = 3, col = path_colours$frame)
  }
  draw_stairs(data[data$estimator == "dense", , drop = FALSE], start, DENSE_GREY, .8)
  col <- shades("feature", max(nrow(ends), 1L))
  for (i in rev(seq_len(nrow(ends)))) {
    draw_stairs(gamma[gamma$term == ends$term[i], , drop = FALSE], start, dots$col %||% col[i],
                dots$lwd %||% 1.5)
  }
  if (nrow(ends) == 0L) draw_note("nothing entered")
  if (nrow(named) > 0L) {
    names <- fit_labels(named$term, room - leader(cex) - .05, cex)
    draw_labels(xlim[2L], named$estimate, names, col[seq_len(nrow(named))], cex)
  }
}

# The last value of every term, largest first.
path_ends <- function(gamma) {
  last <- gamma[!duplicated(gamma$term, fromLast = TRUE), , drop = FALSE]
  last[order(-abs(last$estimate)), , drop = FALSE]
}

draw_stairs <- function(data, start, col, lwd) {
  for (term in unique(data$term)) {
    one <- data[data$term == term, , drop = FALSE]
    graphics::lines(on_log(one$t, start), one$estimate, type = "s", col = col, lwd = lwd)
  }
}

draw_msplit_error <- function(data, dots) {
  start <- attr(data, "start")
  box <- panel_boxes(1L, 1L, graphics::par("csi") * c(3.4, 4.2, 2.6, .8))[[1L]]
  xlim <- range(on_log(data$t, start))
  if (diff(xlim) == 0) xlim <- xlim + c(-.5, .5)
  set <- draw_panel(box, list(
    xlim = xlim, ylim = c(0, 1.05 * max(data$value)), xlab = "t (log scale; left end: t = 0)",
    ylab = "relative error", main = attr(data, "title")
  ), dots)
  draw_frame()
  ticks <- time_ticks(xlim)
  draw_axis(1, ticks, format_number(10^ticks), set)
  draw_axis(2, graphics::axTicks(2), TRUE, set)
  draw_title(set)
  col <- error_colours()
  for (estimator in names(col)) {
    one <- data[data$estimator == estimator, , drop = FALSE]
    graphics::lines(on_log(one$t, start), one$value, type = "s", col = col[[estimator]], lwd = 2)
  }
  graphics::legend("topright", names(col), col = col, lwd = 2, bty = "n", cex = .8, inset = .01,
                   text.col = path_colours$ink)
}

error_colours <- function() c(dense = path_colours$feature[1L], sparse = path_colours$source[2L])

# ---- ggplot2 ----

#' @rdname plot.msplit
#' @exportS3Method ggplot2::autoplot
autoplot.msplit <- function(object, what = c("path", "error"), response = NULL, nu = NULL,
                            truth = NULL, label = TRUE, top_n = 10, scaled = TRUE, ...) {
  check_arguments()
  rlang::check_installed("ggplot2", reason = "for `autoplot()`")
  call <- rlang::current_env()
  what <- check_choice(what, c("path", "error"), "what", call)
  top_n <- plot_top_n(label, top_n)
  data <- msplit_plot_data(object, what, response, nu, truth, scaled, call)
  data$t <- pmax(data$t, attr(data, "start"))
  if (what == "path") gg_msplit(data, top_n) else gg_msplit_error(data)
}

gg_msplit <- function(data, top_n) {
  gamma <- data[data$estimator == "gamma", , drop = FALSE]
  ends <- path_ends(gamma)
  gamma$colour <- shades("feature", max(nrow(ends), 1L))[match(gamma$term, ends$term)]
  named <- utils::head(path_ends(gamma), top_n)
  range <- path_range(data)
  named$estimate <- spread_labels(named$estimate, .04 * diff(range), range)
  best <- attr(data, "best")
  gg_start(data[data$estimator == "dense", , drop = FALSE], .data$t, .data$estimate,
           group = .data$term) +
    ggplot2::geom_step(colour = DENSE_GREY) +
    ggplot2::geom_step(ggplot2::aes(colour = .data$colour), gamma) +
    ggplot2::scale_colour_identity() +
    (if (!is.na(best)) {
      ggplot2::geom_vline(xintercept = max(best, attr(data, "start")), linetype = 3,
                          colour = path_colours$frame)
    }) +
    ggplot2::geom_text(ggplot2::aes(label = .data$term, colour = .data$colour), named,
                       hjust = -.1, size = 3) +
    ggplot2::scale_x_log10(expand = ggplot2::expansion(mult = c(.02, .15))) +
    ggplot2::labs(x = "t (log scale; left end: t = 0)", y = msplit_ylab(data),
                  title = attr(data, "title"))
}

gg_msplit_error <- function(data) {
  gg_start(data, .data$t, .data$value, colour = .data$estimator) +
    ggplot2::geom_step(linewidth = .8) +
    ggplot2::scale_x_log10() +
    ggplot2::scale_colour_manual(values = error_colours(), name = NULL) +
    ggplot2::labs(x = "t (log scale; left end: t = 0)", y = "relative error",
                  title = attr(data, "title"))
}
