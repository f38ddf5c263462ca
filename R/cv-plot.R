# The picture of a cross-validation.

#' Plot a cross-validation
#'
#' Draws the cross-validated loss against the step, to see how many steps are enough: `plot(cv)`. For the same numbers
#' as a data frame use [tidy()][tidy.transfer_cv], and for several methods in one picture plot [compare_paths()].
#'
#' Each point is the mean loss at a step, with one standard error to each side: that for comparisons of steps
#' (`cvwithin` of [cv_path()]), by which `"1se"` is chosen. Dotted vertical lines mark `"min"` (written `"best"` if
#' larger is better) and `"1se"`, and the default step if it is another. If step 0 is far from all other steps, the axis
#' shows the others, and a triangle at its edge has the loss of step 0 beside it; with `ylim` or a logarithmic axis all
#' are shown. A dashed horizontal line is the loss of the average over the path, if the method has an average. With
#' several `lambda` there is one curve per `lambda`. The curve of the chosen one is thick; the lines, the average and
#' the numbers of columns on the top axis belong to it. With more than four curves only the chosen one has standard
#' errors.
#'
#' `autoplot()` draws the same picture as a ggplot2 object.
#'
#' @param x,object A [cv_path()] object.
#' @param ... For `plot()`: graphical parameters that replace the defaults, such as `main`, `xlab`,
#'   `ylim`, `col` (one colour, or one for each `lambda`), `pch`, `lwd`. For `autoplot()`: `log`
#'   (`"x"`, `"y"` or `"xy"`), the axes that are to be logarithmic, as for `plot()`.
#' @return `plot()` returns `x` invisibly; `autoplot()` a ggplot object, to which layers
#'   can be added.
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
  picture_user_plot(x, cv_plot_picture(cv_plot_data(x, whole = picture_user_sets_y(...))), ...)
}

#' @rdname plot.transfer_cv
#' @exportS3Method ggplot2::autoplot
autoplot.transfer_cv <- function(object, ...) {
  picture_user_autoplot(cv_plot_picture(cv_plot_data(object, whole = picture_user_sets_y(...))), ...)
}

# The data of the picture: `curves`, the points, with the lambda as the factor `curve`, and `chosen`, TRUE for the
# chosen lambda, and `far`, TRUE for a first step too far from the others to be shown with them (unless `whole`);
# `marks`, the step and name of the vertical lines; `average`, the loss of the average at the chosen lambda, or NULL.
cv_plot_data <- function(x, whole = FALSE) {
  curves <- cv_object_curve(x)
  lambdas <- unique(curves$lambda)
  name <- if (length(lambdas) > 1) paste(x$fit$labels[["lambda"]], words_number(lambdas)) else "loss"
  name <- make.unique(name)
  curves$curve <- factor(name[match(curves$lambda, lambdas)], name)
  curves$chosen <- curves$lambda %in% x$lambda
  curves <- curves[!is.na(curves$estimate), , drop = FALSE]
  bar <- ifelse(is.na(curves$std.error.within), 0, curves$std.error.within)
  curves$conf.low <- curves$estimate - bar
  curves$conf.high <- curves$estimate + bar
  curves$far <- !whole & picture_far_start(curves$step, curves$estimate, curves$conf.low, curves$conf.high)
  near <- curves[!curves$far, , drop = FALSE]
  average <- cv_object_average(x)$cvm
  loss <- cv_loss_named(x$loss)
  best <- if (loss$smaller_is_better) "min" else "best"
  marks <- if (x$step.min == x$step.1se) {
    data.frame(step = x$step.min, name = paste(best, "= 1se"))
  } else {
    data.frame(step = c(x$step.min, x$step.1se), name = c(best, "1se"))
  }
  if (!x$step.default %in% marks$step) marks <- rbind(marks, data.frame(step = x$step.default, name = "default"))
  list(
    curves = curves, marks = marks, average = average, label = loss$label,
    ylim = picture_padded_range(picture_value_range(c(near$conf.low, near$conf.high, average)), c(0, .06)),
    steps = sort(unique(curves$step)), counted = x$fit$labels[["size"]]
  )
}

BARRED_CURVES <- 4 # where there are more, only the curve of the chosen lambda has standard errors

cv_plot_picture <- function(layers) {
  curves <- layers$curves
  names <- levels(curves$curve)
  several <- length(names) > 1L
  colours <- picture_lambda_colours(length(names))
  col <- colours[as.integer(curves$curve)]
  points <- data.frame(x = curves$step, y = curves$estimate, group = as.character(curves$curve), col = col)
  bars <- data.frame(x = curves$step, y = curves$conf.low, yend = curves$conf.high, group = points$group,
                     col = grDevices::adjustcolor(col, if (several) .3 else .45))
  barred <- !curves$far & (length(names) <= BARRED_CURVES | curves$chosen)
  orange <- picture_colours$source[[2L]]
  ends <- curves[!duplicated(curves$curve, fromLast = TRUE), , drop = FALSE]
  ends <- ends[several & seq_len(nrow(ends)) > 0L, , drop = FALSE]
  average <- layers$average
  ylim <- picture_far_padded_range(layers$ylim, curves$estimate[curves$far])
  ticks <- picture_step_ticks(layers$steps)
  chosen <- curves[curves$chosen, , drop = FALSE]
  columns <- chosen$nzero[match(ticks, chosen$step)] # numbers of columns, for the top axis
  wide <- max(diff(range(layers$steps)), 1)
  limits <- range(layers$steps) + c(-.02, .02) * wide
  # the name of a vertical line stands to its left for "1se", else to its right, where the panel has room for it
  place <- (layers$marks$step - min(layers$steps)) / wide
  left <- (layers$marks$name == "1se" & place > .08) | place > .85
  marks <- data.frame(x = layers$marks$step, y = Inf, label = paste0(" ", layers$marks$name, " "),
                      hjust = as.numeric(left))
  picture_new(list(picture_panel(
    picture_axis("step", limits, ticks, second = path_plot_counts_axis(ticks, columns, layers$counted)),
    picture_axis(layers$label, ylim),
    c(list(
      picture_rule("x", layers$marks$step),
      picture_layer("text", marks, vjust = 1.6),
      if (length(average)) picture_rule("y", average, col = orange, lty = 2, lwd = 1.5),
      picture_layer("segment", bars[barred, ], lwd = 1.5),
      picture_layer("line", cbind(points, lwd = ifelse(several & curves$chosen, 2, 1))[!curves$far, ],
                    user = c("col", "lwd", "lty")),
      picture_layer("point", points[!curves$far, ], pch = 20, user = c("col", "pch", "cex"))
    ), picture_far_marks(curves$step[curves$far], curves$estimate[curves$far], ylim, picture_colours$feature[1L])),
    rbind(
      data.frame(x = ends$step, y = ends$estimate, label = as.character(ends$curve),
                 group = as.character(ends$curve), col = colours[as.integer(ends$curve)]),
      if (length(average)) data.frame(x = limits[2L], y = average, label = "average", group = NA, col = orange)
    )
  )), paste("Cross-validation:", layers$label))
}
