# plot() and autoplot() of a path, and the data behind every picture.

#' Plot a fitted path
#'
#' Three pictures of a fitted path: coefficients by step (`plot(fit)`), leave-one-out errors by step (`plot(fit,
#' "loo")`), and the coefficients of the sources (`plot(fit, "sources")`). Use them to see what entered when. To choose
#' a step plot a [cv_path()] object instead; [plot.tlcp()], [plot.tgreedy()], [plot.shareboost()] and [plot.msplit()]
#' have further pictures. `plot()` draws with base graphics, `autoplot()` makes the same pictures with ggplot2.
#'
#' * `"path"`: coefficients against the step, features in blue, green and violet, sources in brown, orange, red and
#'   gold. Lines without a name are pale. The top axis counts the columns in the model. If the default model is the
#'   average over the path, marks at the right show it; otherwise a dotted vertical line shows the default step. With
#'   more than two classes there is one panel per class.
#' * `"loo"`: leave-one-out mean squared error against the step, one line per `lambda`, and for a factor response the
#'   leave-one-out accuracy below. Both are exact **given the selected columns**. They do not account for the choice of
#'   the columns on the same rows, so they describe a path and do not estimate its error. With more than two classes
#'   there is one thin line per class and a thick line for their mean. If step 0 is far from all other steps, a triangle
#'   at the edge has its error beside it, as in the picture of a [cross-validation][plot.transfer_cv].
#' * `"sources"`: coefficients of the sources in one model. With more than two classes this is a map of sources by
#'   classes (white is zero). Otherwise there is one dot per source with a nonzero one; a dotted line marks the
#'   coefficient that several sources share, from the mean of all sources. The sources with the largest are shown, at
#'   most 60 (map) or 40 (dots).
#'
#' @param x,object A fitted path, for example from [greedytl()].
#' @param what Which picture.
#' @param class For more than two classes, the classes to show. `NULL`: all.
#' @param lambda Which penalty, for a fit with several. `NULL`: the first, and for `what = "loo"` all of them.
#' @param label Write names beside the lines?
#' @param top_n How many lines of a panel get a name: those with the largest coefficients in the default model. In a
#'   grid of more than four panels at most three.
#' @param scaled Multiply coefficients by the scale of their columns, so that they can be compared
#'   (`TRUE`), or show them on the original scale (`FALSE`)? The axis says which.
#' @param step The model shown by `what = "sources"`. `NULL`: the default of the fit.
#' @param ... For `plot()`: graphical parameters that replace the defaults, such as `main`, `xlab`,
#'   `ylim`, `col`, `lwd`, `cex.axis`. For `autoplot()`: `log` (`"x"`, `"y"` or `"xy"`), the axes that
#'   are to be logarithmic, as for `plot()`.
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object. A picture that the path does not have is an error.
#' @references The pages of the methods have the references.
#' @seealso [tidy.transfer_path()] for the same numbers as data frames; [plot.tgreedy()] for the
#'   pictures that only T-greedy has.
#' @importFrom rlang %||%
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(40 * 8), 40, dimnames = list(NULL, paste0("x", 1:8)))
#' y <- x[, 1] - x[, 2] + rnorm(40)
#' sources <- cbind(clinic_a = x[, 1] + rnorm(40, sd = .3), clinic_b = rnorm(40))
#' fit <- greedytl(x, y, sources = sources)
#' plot(fit)
#' plot(fit, "loo")
#' plot(fit, "sources")
#' @export
plot.transfer_path <- function(x, what = c("path", "loo", "sources"), class = NULL, ...,
                               lambda = NULL, label = TRUE, top_n = 10, scaled = TRUE,
                               step = NULL) {
  picture_user_plot(x, path_plot_picture(x, what, class = class, lambda = lambda, label = label, top_n = top_n,
                                         scaled = scaled, step = step, whole = picture_user_sets_y(...)), ...)
}

#' @rdname plot.transfer_path
#' @exportS3Method ggplot2::autoplot
autoplot.transfer_path <- function(object, what = c("path", "loo", "sources"), class = NULL,
                                   lambda = NULL, label = TRUE, top_n = 10, scaled = TRUE,
                                   step = NULL, ...) {
  picture_user_autoplot(path_plot_picture(object, what, class = class, lambda = lambda, label = label, top_n = top_n,
                                          scaled = scaled, step = step, whole = picture_user_sets_y(...)), ...)
}

# whole: does the user set the y axis, so that nothing is to be left out?
path_plot_picture <- function(x, what, class, lambda, label, top_n, scaled, step, whole,
                              call = rlang::caller_env()) {
  what <- check_choice(what, c("path", "loo", "sources"), "what", call)
  top_n <- picture_user_top_n(label, top_n, call)
  data <- path_plot_data(x, what, class = class, lambda = lambda, scaled = scaled, step = step, call = call)
  switch(what,
    path = path_plot_paths(data, top_n),
    loo = path_plot_loo(data, top_n, whole),
    sources = path_plot_sources(data, path_object_is_multi(x))
  )
}

path_plot_data <- function(x, what, class = NULL, lambda = NULL, scaled = TRUE, step = NULL,
                           call = rlang::caller_env()) {
  check_flag(scaled, "scaled", call)
  class <- path_plot_data_classes(x, class, call)
  lambdas <- path_tidy_lambdas(x, lambda, call)
  if (what == "loo") return(path_plot_loo_data(x, class, lambdas, call))
  check_single(length(lambda), "lambda", call)
  if (what == "path") {
    path_plot_data_coefficients(x, class, lambdas[1L], scaled)
  } else {
    path_plot_sources_data(x, class, lambdas[1L], scaled, step, call)
  }
}

path_plot_paths <- function(data, top_n, xlab = path_plot_data_xlab(data)) {
  classes <- attr(data, "classes")
  n <- length(classes)
  if (n > 4L) top_n <- min(top_n, 3L)
  look <- c(feature = 1.3, source = 2) * if (n > 12L) .67 else if (n > 1L) .85 else 1
  panels <- lapply(classes, function(class) {
    path_plot_panel(data, data[data$class %in% class, , drop = FALSE], top_n, look,
                    if (n > 1L) "step" else xlab, if (n > 1L) class else "")
  })
  types <- intersect(c("feature", "source"), data$type)
  keys <- if (length(types) > 1L) {
    picture_base_keys(types, c(picture_colours$feature[1L], picture_colours$source[1L]), lwd = c(1.3, 2))
  }
  picture_new(panels, attr(data, "title"), keys)
}

# A second axis of the numbers of columns at `ticks` of the steps, each number once; NULL where it would repeat the
# steps.
path_plot_counts_axis <- function(ticks, counts, label) {
  known <- !is.na(counts)
  if (!any(known) || all(known) && all(counts == ticks)) return(NULL)
  places <- ticks[known]
  counts <- counts[known]
  new <- c(TRUE, diff(counts) != 0)
  list(at = places[new], labels = counts[new], label = label)
}

# `one`: the rows of `data` for this panel.
path_plot_panel <- function(data, one, top_n, lwd, xlab, title) {
  steps <- attr(data, "steps")
  average <- identical(attr(data, "best"), "average")
  several <- length(attr(data, "classes")) > 1L
  last <- max(steps)
  end <- last + if (average) max(last, 1) * if (several) .25 else .2 else 0
  terms <- path_plot_term_table(one, steps, average, if (top_n > 0) top_n else 10)
  lines <- one[!is.na(one$step), , drop = FALSE]
  place <- match(lines$term, terms$term)
  last_drawn <- order(-place, lines$step) # the most important
  lines <- data.frame(x = lines$step, y = lines$estimate, group = lines$term, col = terms$col[place],
                      lwd = unname(lwd[lines$type]) * ifelse(terms$named[place], 1, .6))[last_drawn, , drop = FALSE]
  ends <- data.frame(x = rep(end, nrow(terms)), y = terms$final, label = terms$term,
                     group = terms$term, col = terms$col)
  ticks <- picture_step_ticks(steps, if (several) 3 else 5)
  size <- attr(data, "size")[match(ticks, steps)]
  second <- if (!several) path_plot_counts_axis(ticks, size, "columns in the model")
  x <- picture_axis(xlab, c(-.015, 1.015) * max(end, 1), c(ticks, if (average) end),
                    c(ticks, if (average) if (several) "avg" else "average"), second = second)
  from <- lines[average & lines$x == last, , drop = FALSE] # the average stands at the right of the last step
  to <- data.frame(from[c("x", "y", "col", "group")], xend = rep(end, nrow(from)),
                   yend = terms$final[match(from$group, terms$term)])
  final <- data.frame(ends[c("x", "y", "col", "group")], pch = ifelse(terms$type == "source", 18, 20))
  picture_panel(
    x, picture_axis(path_plot_data_ylab(data), picture_padded_range(path_plot_data_range(data))),
    list(
      picture_rule("y", 0, col = picture_colours$frame, lty = 1), if (!average) picture_rule("x", attr(data, "best")),
      picture_layer("line", lines, user = c("col", "lty", "lwd")),
      picture_layer("segment", to, lty = 3, user = "col"),
      if (average) picture_layer("point", final, cex = .9, user = "col")
    ),
    utils::head(ends, top_n), title = title, empty = if (!nrow(one)) "no column entered"
  )
}

# Terms by importance, with type, value in the default model, and colour; the first top_n have distinct ones.
path_plot_term_table <- function(one, steps, average, top_n) {
  last <- one[if (average) is.na(one$step) else one$step %in% max(steps), , drop = FALSE]
  peak <- tapply(abs(one$estimate), one$term, max)[last$term]
  last <- last[order(-abs(last$estimate), -peak), , drop = FALSE]
  col <- character(nrow(last))
  named <- seq_len(nrow(last)) <= top_n
  for (type in unique(last$type)) {
    of <- last$type == type
    col[of] <- picture_colours$behind[[type]]
    col[of & named] <- rep_len(picture_colours$named[[type]], sum(of & named))
  }
  data.frame(term = last$term, type = last$type, final = last$estimate, col = col, named = named)
}
