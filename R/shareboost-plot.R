# Pictures of ShareBoost: errors against the number of features, and the weights as a map.

#' Plot a ShareBoost path
#'
#' `plot()` draws with base graphics, `autoplot()` makes the same pictures with ggplot2.
#'
#' * `"error"`: training error and loss after each round against the number of features (columns)
#'   selected; a dotted line marks the default step. Training error falls as long as features come
#'   in: for the number to use see [plot()][plot.transfer_cv] of a [cv_path()] and [features_for()].
#' * `"weights"`: the matrix W at one step as a map of features by classes, white where a weight is
#'   zero: which feature speaks for which class, as in Figure 5b of the paper. Features are in order
#'   of entry; with more than 60 the largest are shown.
#' * `"path"`: coefficients against the step, see [plot.transfer_path()].
#'
#' @param x,object A [shareboost()] fit.
#' @param what Which picture.
#' @param class The classes to show in `"weights"` and `"path"`; `NULL` for all.
#' @param step The step of `"weights"`; `NULL` is the default of the fit.
#' @param scaled Multiply weights by the scale of their columns, so that they can be compared?
#' @param ... `"path"` takes the other arguments of [plot.transfer_path()]. For `plot()` also
#'   graphical parameters that replace the defaults, such as `main`, `xlab`, `ylim`, `col`, `lwd`.
#' @returns `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#' @references
#' Shalev-Shwartz, S., Wexler, Y. and Shashua, A. (2011). ShareBoost: efficient multiclass learning
#' with feature sharing. *Advances in Neural Information Processing Systems* 24, Figures 3 and 5.
#' \doi{10.48550/arXiv.1109.0820}
#' @seealso [shareboost()]
#' @examples
#' fit <- shareboost(Species ~ ., data = iris)
#' plot(fit)
#' plot(fit, "weights")
#' @export
plot.shareboost <- function(x, what = c("error", "weights", "path"), class = NULL, step = NULL,
                            scaled = TRUE, ...) {
  check_spelling()
  what <- share_what(what)
  if (what == "path") {
    return(plot.transfer_path(x, "path", class = class, scaled = scaled, ...))
  }
  data <- if (what == "error") error_data(x) else weight_data(x, class, step, scaled)
  dots <- plot_dots(list(...))

  old <- graphics::par(mar = c(0, 0, 0, 0))
  on.exit(graphics::par(old))
  graphics::plot.new()
  if (what == "error") draw_errors(data, dots) else draw_weights(data, dots)
  invisible(x)
}

share_what <- function(what, call = rlang::caller_env()) {
  known <- c("error", "weights", "path")
  if (identical(what, known)) "error" else check_choice(what, known, "what", call)
}

# size, measure, value: a row a step and measure.
error_data <- function(x) {
  steps <- x$steps
  structure(
    data.frame(size = rep(steps$size, 2), measure = rep(c("error", "loss"), each = nrow(steps)),
               value = c(steps$error, steps$loss)),
    best = steps$size[match(x$best, steps$step)]
  )
}

ERROR_LABELS <- c(error = "training error", loss = "loss")

# class, source (the feature), weight: every pair shown.
weight_data <- function(x, class, step, scaled, call = rlang::caller_env()) {
  check_flag(scaled, "scaled", call)
  if (length(step) > 1L) {
    abort_input("{.arg step} has {length(step)} values.", "step", i = "This picture shows one.",
                call = call)
  }
  step <- check_step(x, step, NULL, call)
  used <- stats::variable.names(x, step = step)
  used <- used[order(match(used, names(x$scale)))]
  w <- coef.shareboost(x, step = step, class = class, matrix = TRUE)[, used, drop = FALSE]
  if (scaled) w <- w * rep(x$scale[used], each = nrow(w))
  size <- apply(abs(w), 2, max)
  shown <- used[sort(utils::head(order(size, decreasing = TRUE), 60L))]
  out <- expand.grid(source = shown, class = rownames(w), stringsAsFactors = FALSE)
  out$weight <- w[cbind(match(out$class, rownames(w)), match(out$source, colnames(w)))]
  structure(out, sources = shown, classes = rownames(w), step = step, n_entered = length(used))
}

weight_title <- function(data) paste("Weights, step", attr(data, "step"))

weight_note <- function(data) {
  shown <- length(attr(data, "sources"))
  entered <- attr(data, "n_entered")
  if (shown < entered) {
    paste(shown, "largest of", entered, "features")
  } else {
    paste(entered, if (entered == 1L) "feature" else "features")
  }
}

# ---- base graphics ----

draw_errors <- function(data, dots) {
  csi <- graphics::par("csi")
  boxes <- panel_boxes(2L, 1L, csi * c(3.4, 4.2, 2.2, .8), c(0, 1.2 * csi))
  main <- dots$main %||% "Training error and loss"
  for (k in seq_along(ERROR_LABELS)) {
    one <- data[data$measure == names(ERROR_LABELS)[k], , drop = FALSE]
    dots$main <- if (k == 1L) main else ""
    set <- draw_panel(boxes[[k]], list(
      xlim = c(-.015, 1.015) * max(one$size, 1), ylim = value_range(c(0, one$value)),
      xlab = if (k == 2L) "features" else "", ylab = ERROR_LABELS[[k]]
    ), dots)
    draw_frame()
    draw_axis(1, step_ticks(one$size), if (k == 2L) step_ticks(one$size) else FALSE, set)
    draw_axis(2, graphics::axTicks(2), TRUE, set)
    draw_title(set)
    look <- utils::modifyList(list(col = path_colours$feature[1L], lwd = 2, pch = 20),
                              dots[intersect(names(dots), c("col", "lwd", "lty", "pch"))])
    do.call(graphics::lines, c(list(one$size, one$value, type = "o", cex = .8), look))
    draw_default(attr(data, "best"))
  }
}

draw_weights <- function(data, dots) {
  if (nrow(data)) {
    return(draw_map(data, dots, c("class", "feature"), weight_title(data), weight_note(data)))
  }
  draw_panel(panel_boxes(1L, 1L, graphics::par("csi") * c(2, 2, 2, 2))[[1L]],
             list(xlim = 0:1, ylim = 0:1), dots)
  draw_note("no feature has entered")
}

# ---- ggplot2 ----

#' @rdname plot.shareboost
#' @exportS3Method ggplot2::autoplot
autoplot.shareboost <- function(object, what = c("error", "weights", "path"), class = NULL,
                                step = NULL, scaled = TRUE, ...) {
  rlang::check_installed("ggplot2", reason = "for `autoplot()`")
  what <- share_what(what)
  if (what == "path") {
    return(autoplot.transfer_path(object, "path", class = class, scaled = scaled, ...))
  }
  check_arguments()
  if (what == "weights") {
    data <- weight_data(object, class, step, scaled)
    if (nrow(data)) {
      return(gg_map(data, c("class", "feature"), weight_title(data), weight_note(data)))
    }
    return(gg_start(data) + ggplot2::labs(title = weight_title(data), subtitle = weight_note(data)))
  }
  data <- error_data(object)
  best <- attr(data, "best")
  data$measure <- factor(data$measure, names(ERROR_LABELS), ERROR_LABELS)
  gg_start(data, .data$size, .data$value) +
    ggplot2::geom_line(colour = path_colours$feature[1L], linewidth = .8) +
    ggplot2::geom_point(colour = path_colours$feature[1L], size = 1) +
    ggplot2::geom_vline(xintercept = best, linetype = 3) +
    ggplot2::facet_grid(rows = "measure", scales = "free_y", switch = "y") +
    ggplot2::expand_limits(y = 0) +
    ggplot2::labs(x = "features", y = NULL, title = "Training error and loss") +
    ggplot2::theme(strip.placement = "outside")
}
