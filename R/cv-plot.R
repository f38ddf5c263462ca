# Pictures of a cross-validation: one set of data frames, drawn by base graphics or by ggplot2.

#' Plot a cross-validation
#'
#' Mean loss with one standard error to each side (with more than four curves only for the chosen `lambda`)
#' against the step. Dotted vertical lines mark `"min"` and `"1se"`; a dashed horizontal line is the loss
#' of the average over the path, where the method has one. With several `lambda` there is one curve for
#' each; the lines, the average and the numbers of columns on the top axis are those of the chosen
#' `lambda`, whose curve is the thick one.
#'
#' `autoplot()` gives the same picture as a ggplot2 object.
#'
#' @param x,object A [cv_path()] object.
#' @param ... For `plot()`: graphical parameters that replace the defaults, such as `main`, `xlab`,
#'   `ylim`, `col` (one colour, or one for each `lambda`), `pch`, `lwd`. For `autoplot()`: `log`
#'   (`"x"`, `"y"` or `"xy"`), the axes that are to be logarithmic, as for `plot()`.
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
plot.transfer_cv <- function(x, ...) plot_picture(x, cv_picture(cv_layers(x)), ...)

#' @rdname plot.transfer_cv
#' @exportS3Method ggplot2::autoplot
autoplot.transfer_cv <- function(object, ...) autoplot_picture(cv_picture(cv_layers(object)), ...)

# ---- data ----

# curves: the points, by lambda (factor `curve`, TRUE in `chosen` for the chosen one); marks: step
# and name of the vertical lines; average: loss of the average at the chosen lambda, or NULL.
cv_layers <- function(x) {
  curves <- cv_curve(x)
  lambdas <- unique(curves$lambda)
  name <- if (length(lambdas) > 1) paste(x$fit$labels[["lambda"]], format_number(lambdas)) else "loss"
  name <- make.unique(name)
  curves$curve <- factor(name[match(curves$lambda, lambdas)], name)
  curves$chosen <- curves$lambda %in% x$lambda
  curves <- curves[!is.na(curves$estimate), , drop = FALSE]
  bare <- is.na(curves$std.error)
  curves[bare, c("conf.low", "conf.high")] <- curves$estimate[bare]
  average <- chosen_average(x)$cvm
  marks <- if (x$step.min == x$step.1se) {
    data.frame(step = x$step.min, name = "min = 1se")
  } else {
    data.frame(step = c(x$step.min, x$step.1se), name = c("min", "1se"))
  }
  list(
    curves = curves, marks = marks, average = average, label = loss_named(x$loss)$label,
    ylim = padded(value_range(c(curves$conf.low, curves$conf.high, average)), c(0, .06)),
    steps = sort(unique(curves$step)), counted = x$fit$labels[["size"]]
  )
}

# ---- picture ----

BARRED_CURVES <- 4 # with more only the chosen one has standard errors: they would hide each other

cv_picture <- function(layers) {
  curves <- layers$curves
  names <- levels(curves$curve)
  several <- length(names) > 1L
  colours <- lambda_colours(length(names))
  col <- colours[as.integer(curves$curve)]
  curve <- as.character(curves$curve)
  barred <- length(names) <= BARRED_CURVES | curves$chosen
  orange <- picture_colours$source[[2L]]
  ends <- curves[!duplicated(curves$curve, fromLast = TRUE), , drop = FALSE]
  ends <- ends[several & seq_len(nrow(ends)) > 0L, , drop = FALSE]
  average <- layers$average
  ticks <- step_ticks(layers$steps)
  chosen <- curves[curves$chosen, , drop = FALSE]
  columns <- chosen$nzero[match(ticks, chosen$step)] # in use at the ticks, for the top axis
  wide <- max(diff(range(layers$steps)), 1)
  limits <- range(layers$steps) + c(-.02, .02) * wide
  # names of the vertical lines stand outside of them, to the left of the left one; always inside the panel
  place <- (layers$marks$step - min(layers$steps)) / wide
  left <- (layers$marks$name == "1se" & place > .08) | place > .85
  marks <- data.frame(x = layers$marks$step, y = Inf, label = paste0(" ", layers$marks$name, " "),
                      hjust = as.numeric(left))
  new_picture(list(new_panel(
    new_axis("step", limits, ticks,
             second = list(at = ticks[!is.na(columns)], labels = columns[!is.na(columns)],
                           label = layers$counted)),
    new_axis(layers$label, padded(layers$ylim)),
    list(
      new_rule("x", layers$marks$step),
      new_layer("text", marks, vjust = 1.6),
      if (length(average)) new_rule("y", average, col = orange, lty = 2, lwd = 1.5),
      new_layer("segment", data.frame(x = curves$step, y = curves$conf.low, xend = curves$step,
                                      yend = curves$conf.high, group = curve,
                                      col = grDevices::adjustcolor(col, if (several) .3 else .45))[barred, ],
                lwd = 1.5),
      new_layer("line", data.frame(x = curves$step, y = curves$estimate, group = curve, col = col,
                                   lwd = ifelse(several & curves$chosen, 2, 1)),
                user = c("col", "lwd", "lty")),
      new_layer("point", data.frame(x = curves$step, y = curves$estimate, group = curve, col = col),
                pch = 20, user = c("col", "pch", "cex"))
    ),
    rbind(
      data.frame(x = ends$step, y = ends$estimate, label = as.character(ends$curve),
                 group = as.character(ends$curve), col = colours[as.integer(ends$curve)]),
      if (length(average)) data.frame(x = limits[2L], y = average, label = "average", group = NA, col = orange)
    )
  )), paste("Cross-validation:", layers$label))
}
