# Pictures of a cross-validation: one set of data frames, drawn by base graphics or by ggplot2.

#' Plot a cross-validation
#'
#' Mean loss with one standard error to each side against the step. Dotted vertical lines mark
#' `"min"` and `"1se"`; a dashed horizontal line is the loss of the average over the path, where the
#' method has one. With several `lambda` there is one curve for each; the lines, the average and the
#' numbers of columns on the top axis are those of the chosen `lambda`, whose curve is the thick
#' one.
#'
#' `autoplot()` gives the same picture as a ggplot2 object.
#'
#' @param x,object A [cv_path()] object.
#' @param ... For `plot()`: graphical parameters that replace the defaults, such as `main`, `xlab`,
#'   `ylim`, `col` (one colour, or one a `lambda`), `pch`, `lwd`. For `autoplot()`: must be empty.
#' @return `plot()` returns `x` invisibly; `autoplot()` a ggplot object, to which layers can be
#'   added.
#' @references Hastie, Tibshirani & Friedman (2009), *The Elements of Statistical Learning*, 2nd
#'   edition, section 7.10.
#' @seealso [cv_path()], [tidy.transfer_cv()] for the same numbers as a data frame.
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(60 * 30), 60, dimnames = list(NULL, paste0("x", 1:30)))
#' y <- x[, 1] - x[, 2] + rnorm(60)
#' cvf <- cv_path(x, y, max_steps = 10, nfolds = 5)
#' plot(cvf)
#' plot(cvf, main = "Two of thirty columns matter", col = "black")
#' @export
plot.transfer_cv <- function(x, ...) {
  check_spelling()
  dots <- plot_dots(list(...))
  dots <- dots[!vapply(dots, is.null, logical(1))]
  layers <- cv_layers(x)
  old <- graphics::par(mar = c(0, 0, 0, 0))
  on.exit(graphics::par(old))
  graphics::plot.new()
  several <- nlevels(layers$curves$curve) > 1
  named <- c(if (several) levels(layers$curves$curve), if (!is.null(layers$average)) "average")
  room <- max(0, label_width(named, .75)) + .3
  top <- if (nzchar(dots$main %||% "")) 4.2 else 3
  margin <- graphics::par("csi") * c(3.4, 4.2, top, .6) + c(0, 0, 0, room)
  defaults <- list(
    xlim = cv_xlim(layers), ylim = layers$ylim, xlab = "step", ylab = layers$label, main_line = 2.6
  )
  box <- panel_boxes(1L, 1L, margin, call = rlang::current_env())[[1L]]
  set <- draw_panel(box, defaults, dots)
  cv_draw_axes(layers, set)
  cv_draw_marks(layers)
  look <- cv_look(layers, dots)
  cv_draw_curves(layers, look, several)
  cv_draw_names(layers, look, several)
  invisible(x)
}

# curves: the points, by lambda (factor `curve`, TRUE in `chosen` for the chosen one); marks: step
# and name of the vertical lines; average: loss of the average at the chosen lambda, or NULL.
cv_layers <- function(x) {
  curves <- cv_curve(x)
  lambdas <- unique(curves$lambda)
  name <- if (length(lambdas) > 1) paste(lambda_name(x$fit), format_number(lambdas)) else "loss"
  name <- make.unique(name)
  curves$curve <- factor(name[match(curves$lambda, lambdas)], name)
  curves$chosen <- curves$lambda %in% x$lambda
  curves <- curves[!is.na(curves$estimate), , drop = FALSE]
  bare <- is.na(curves$std.error)
  curves[bare, c("conf.low", "conf.high")] <- curves$estimate[bare]
  average <- if (!is.null(x$average)) x$average$cvm[x$average$lambda %in% x$lambda]
  range <- range(curves$conf.low, curves$conf.high, average, na.rm = TRUE)
  if (diff(range) == 0) range <- range + c(-.5, .5) * max(abs(range), 1e-3)
  steps <- c(x$step.min, x$step.1se)
  marks <- if (x$step.min == x$step.1se) {
    data.frame(step = x$step.min, name = "min = 1se")
  } else {
    data.frame(step = steps, name = c("min", "1se"))
  }
  list(
    curves = curves, marks = marks, average = average, label = loss_table()[[x$loss]]$label,
    ylim = range + c(0, .06) * diff(range), steps = sort(unique(curves$step)),
    counted = x$fit$counted %||% "columns in the model"
  )
}

# What the path calls its tuning parameter.
lambda_name <- function(path) path$lambda_name %||% "lambda"

# Columns in use at the ticks, for the top axis.
cv_columns <- function(layers, ticks) {
  chosen <- layers$curves[layers$curves$chosen, , drop = FALSE]
  chosen$nzero[match(ticks, chosen$step)]
}

cv_xlim <- function(layers) {
  range(layers$steps) + c(-.02, .02) * max(diff(range(layers$steps)), 1)
}

cv_draw_axes <- function(layers, set) {
  draw_frame()
  ticks <- step_ticks(layers$steps)
  columns <- cv_columns(layers, ticks)
  draw_axis(1, ticks, ticks, set)
  draw_axis(2, graphics::axTicks(2), TRUE, set)
  draw_axis(3, ticks[!is.na(columns)], columns[!is.na(columns)], set)
  graphics::mtext(
    layers$counted, side = 3, line = 1.3,
    cex = .9 * set$cex.lab * graphics::par("cex"), col = path_colours$ink
  )
  draw_title(set)
}

# The names stand outside the lines, to the left of the left one; always inside the panel.
cv_draw_marks <- function(layers) {
  usr <- graphics::par("usr")
  marks <- layers$marks
  graphics::segments(marks$step, usr[3L], marks$step, usr[4L], lty = 3, col = path_colours$ink)
  graphics::text(
    marks$step, usr[4L] - .6 * graphics::strheight("M"), marks$name,
    pos = ifelse(cv_name_left(layers), 2, 4), offset = .25, cex = .75, col = path_colours$ink
  )
  if (!is.null(layers$average)) {
    graphics::segments(
      usr[1L], layers$average, usr[2L], col = path_colours$source[[2L]], lty = 2, lwd = 1.5
    )
  }
}

cv_name_left <- function(layers) {
  place <- (layers$marks$step - min(layers$steps)) / max(diff(range(layers$steps)), 1)
  (layers$marks$name == "1se" & place > .08) | place > .85
}

# Colour, point, width and type of each curve: the defaults give way to what the user says.
cv_look <- function(layers, dots) {
  n <- nlevels(layers$curves$curve)
  look <- list(col = lambda_colours(n), pch = 20, lwd = 1, lty = 1, cex = 1)
  look <- utils::modifyList(look, dots[intersect(names(dots), names(look))])
  as.data.frame(lapply(look, rep, length.out = n))
}

cv_draw_curves <- function(layers, look, several) {
  curves <- split(layers$curves, layers$curves$curve)
  for (i in seq_along(curves)) {
    at <- curves[[i]]
    style <- look[i, ]
    graphics::segments(
      at$step, at$conf.low, at$step, at$conf.high, lwd = 1.5 * style$lwd,
      col = grDevices::adjustcolor(style$col, if (several) .3 else .45)
    )
    graphics::lines(
      at$step, at$estimate, col = style$col, lty = style$lty,
      lwd = style$lwd * if (several && any(at$chosen)) 2 else 1
    )
    graphics::points(at$step, at$estimate, col = style$col, pch = style$pch, cex = style$cex)
  }
}

# Names to the right of the panel: the lambdas where there are several, and the average.
cv_draw_names <- function(layers, look, several) {
  ends <- layers$curves[!duplicated(layers$curves$curve, fromLast = TRUE), , drop = FALSE]
  if (!several) ends <- ends[0, ]
  average <- rep("average", length(layers$average))
  draw_labels(
    c(ends$step, rep(graphics::par("usr")[2L], length(average))),
    c(ends$estimate, layers$average), c(as.character(ends$curve), average),
    c(look$col[as.integer(ends$curve)], rep(path_colours$source[[2L]], length(average))), .75
  )
}

#' @rdname plot.transfer_cv
#' @exportS3Method ggplot2::autoplot
autoplot.transfer_cv <- function(object, ...) {
  check_arguments()
  rlang::check_installed("ggplot2", reason = "for `autoplot()`")
  layers <- cv_layers(object)
  curves <- layers$curves
  several <- nlevels(curves$curve) > 1
  ticks <- step_ticks(layers$steps)
  top <- ifelse(is.na(cv_columns(layers, ticks)), "", cv_columns(layers, ticks))
  colours <- stats::setNames(lambda_colours(nlevels(curves$curve)), levels(curves$curve))
  average <- path_colours$source[[2L]]
  gg_start(curves, x = .data$step, y = .data$estimate, colour = .data$curve) +
    ggplot2::geom_vline(
      ggplot2::aes(xintercept = .data$step), layers$marks, linetype = 3,
      colour = path_colours$ink
    ) +
    ggplot2::geom_text(
      ggplot2::aes(x = .data$step, y = Inf, label = .data$name), layers$marks, vjust = 1.5,
      hjust = ifelse(cv_name_left(layers), 1.15, -.15), size = 3, colour = path_colours$ink
    ) +
    (if (!is.null(layers$average)) {
      ggplot2::geom_hline(yintercept = layers$average, linetype = 2, colour = average)
    }) +
    (if (!is.null(layers$average)) {
      ggplot2::annotate(
        "text", x = Inf, y = layers$average, label = "average", hjust = -.1, size = 3,
        colour = average
      )
    }) +
    ggplot2::geom_linerange(
      ggplot2::aes(ymin = .data$conf.low, ymax = .data$conf.high), alpha = if (several) .3 else .45,
      linewidth = .6
    ) +
    ggplot2::geom_line(ggplot2::aes(linewidth = .data$chosen)) +
    ggplot2::geom_point(size = 1.3) +
    ggplot2::scale_colour_manual(
      values = colours, name = NULL, guide = if (several) "legend" else "none"
    ) +
    ggplot2::scale_linewidth_manual(
      values = c(`FALSE` = .4, `TRUE` = if (several) .9 else .5), guide = "none"
    ) +
    ggplot2::scale_x_continuous(
      breaks = ticks,
      sec.axis = ggplot2::dup_axis(labels = top, name = layers$counted)
    ) +
    ggplot2::scale_y_continuous(expand = ggplot2::expansion(mult = c(.05, .1))) +
    ggplot2::coord_cartesian(clip = "off") +
    ggplot2::theme(
      plot.margin = ggplot2::margin(6, if (is.null(layers$average)) 6 else 48, 6, 6)
    ) +
    ggplot2::labs(x = "step", y = layers$label)
}
