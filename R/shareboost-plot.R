# Pictures of a shareboost() fit.

#' Plot a ShareBoost path
#'
#' Three pictures of a [shareboost()] fit: the training error against the number of features (`plot(fit)`), which
#' features tell which classes apart (`plot(fit, "weights")`), and coefficients along the path. To choose the number of
#' features plot a [cv_path()] object instead, since the training error tends to fall with every feature. `plot()` draws
#' with base graphics, `autoplot()` makes the same pictures with ggplot2.
#'
#' * `"error"`: training error and loss after each round against the number of features (columns) selected. A dotted
#'   line marks the default step.
#' * `"weights"`: the coefficients at one step as a map of features by classes, as in Figure 5b of the paper. White is
#'   zero. Features are in order of entry; if there are more than 60, the largest are shown.
#' * `"path"`: coefficients against the step, see [plot.transfer_path()].
#'
#' @param x,object A [shareboost()] fit.
#' @param what Which picture.
#' @param class The classes to show in `"weights"` and `"path"`; `NULL` for all.
#' @param step The step of `"weights"`. `NULL`: the default of the fit.
#' @param scaled Multiply coefficients by the scale of their columns, so that they can be compared?
#' @param ... `"path"` takes the other arguments of [plot.transfer_path()]. For `plot()` also
#'   graphical parameters that replace the defaults, such as `main`, `xlab`, `ylim`, `col`, `lwd`;
#'   for `autoplot()` `log`, as for `plot()`.
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
  arguments_check_spelling()
  what <- check_choice(what, c("error", "weights", "path"), "what", rlang::current_env())
  if (what == "path") {
    return(plot.transfer_path(x, "path", class = class, scaled = scaled, ...))
  }
  picture_user_plot(x, shareboost_plot_picture(x, what, class, step, scaled), ...)
}

#' @rdname plot.shareboost
#' @exportS3Method ggplot2::autoplot
autoplot.shareboost <- function(object, what = c("error", "weights", "path"), class = NULL,
                                step = NULL, scaled = TRUE, ...) {
  what <- check_choice(what, c("error", "weights", "path"), "what", rlang::current_env())
  if (what == "path") {
    return(autoplot.transfer_path(object, "path", class = class, scaled = scaled, ...))
  }
  picture_user_autoplot(shareboost_plot_picture(object, what, class, step, scaled), ...)
}

shareboost_plot_picture <- function(x, what, class, step, scaled, call = rlang::caller_env()) {
  if (what == "error") return(shareboost_plot_errors(x))
  data <- shareboost_plot_weight_data(x, class, step, scaled, call)
  title <- paste("Weights, step", attr(data, "step"))
  if (!nrow(data)) return(picture_empty("no feature has entered", title))
  shown <- length(attr(data, "rows"))
  entered <- attr(data, "n_entered")
  note <- if (shown < entered) paste(shown, "largest of", entered, "features") else words_counted(entered, "feature")
  picture_map(data, attr(data, "rows"), attr(data, "classes"), c("class", "feature"), title = title, note = note,
              unit = if (scaled) "standardised weight" else "weight (original scale)")
}

ERROR_LABELS <- c(error = "training error", loss = "loss")

# class, row (the feature), weight: every pair shown.
shareboost_plot_weight_data <- function(x, class, step, scaled, call = rlang::caller_env()) {
  check_flag(scaled, "scaled", call)
  step <- path_worth_check_one_step(x, step, NULL, call)
  used <- stats::variable.names(x, step = step)
  used <- used[order(match(used, names(x$scale)))]
  w <- coef.shareboost(x, step = step, class = class, matrix = TRUE)[, used, drop = FALSE]
  if (scaled) w <- w * rep(x$scale[used], each = nrow(w))
  shown <- path_plot_sources_largest(used, apply(abs(w), 2, max))
  table <- expand.grid(row = shown, class = rownames(w), stringsAsFactors = FALSE)
  table$weight <- w[cbind(match(table$class, rownames(w)), match(table$row, colnames(w)))]
  structure(table, rows = shown, classes = rownames(w), step = step, n_entered = length(used))
}

shareboost_plot_errors <- function(x) {
  steps <- x$steps
  panels <- lapply(names(ERROR_LABELS), function(measure) {
    path <- data.frame(x = steps$size, y = steps[[measure]])
    picture_panel(
      picture_step_axis("features", path$x),
      picture_axis(ERROR_LABELS[[measure]], picture_padded_range(picture_value_range(c(0, path$y)))),
      list(
        picture_rule("x", steps$size[match(x$best, steps$step)]),
        picture_layer("line", path, col = picture_colours$feature[1L], lwd = 2,
                      user = c("col", "lwd", "lty")),
        picture_layer("point", path, col = picture_colours$feature[1L], cex = .5, user = c("col", "pch"))
      ),
      title = ERROR_LABELS[[measure]]
    )
  })
  picture_new(panels, "Training error and loss", layout = "stack")
}
