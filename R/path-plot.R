# plot() and autoplot() of a path, and the data behind every picture.

#' Plot a fitted path
#'
#' Three pictures of a fitted path: coefficients by step, leave-one-out errors by step, and
#' the weights of the sources. `plot()` draws with base
#' graphics, `autoplot()` makes the same pictures with ggplot2.
#'
#' * `"path"`: coefficients against the step, features in grey-blue, sources in orange; the top
#'   axis counts the columns in the model. Marks at the right are the default model where that is
#'   the average over the path; otherwise a dotted vertical line shows the default step. A fit with
#'   more than two classes gets a panel for each class.
#' * `"loo"`: leave-one-out mean squared error against the step, a line for each `lambda`, and
#'   for a factor response the leave-one-out accuracy below. Both are exact **given the selected
#'   columns**. They do not account for the choice of the columns on the same rows, so they describe a path and
#'   do not estimate its error. With more than two classes there is a
#'   thin line for each and a thick one for their mean.
#' * `"sources"`: weights of the sources in one model. With more than two classes this is a map of
#'   sources by classes (white is zero). Otherwise there is a dot
#'   for each source with nonzero weight. At most 60 (map) or 40 (dots) sources are shown, the
#'   heaviest.
#'
#' @param x,object A fitted path, for example from [greedytl()].
#' @param what Which picture.
#' @param class For more than two classes, the classes to show; `NULL` for all.
#' @param lambda Which penalty, for a fit with several. `NULL` is the first one, and in
#'   `what = "loo"` all of them.
#' @param label Write names beside the lines?
#' @param top_n How many of the lines of a panel get a name: the largest in the default model.
#'   In a grid of more than four panels three at most.
#' @param scaled Multiply coefficients by the scale of their columns, so that they can be compared
#'   (`TRUE`), or show them on the original scale (`FALSE`)? The axis says which.
#' @param step The model shown by `what = "sources"`; `NULL` is the default of the fit.
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
  plot_picture(x, picture_of_path(x, what, class = class, lambda = lambda, label = label, top_n = top_n,
                                  scaled = scaled, step = step), ...)
}

#' @rdname plot.transfer_path
#' @exportS3Method ggplot2::autoplot
autoplot.transfer_path <- function(object, what = c("path", "loo", "sources"), class = NULL,
                                   lambda = NULL, label = TRUE, top_n = 10, scaled = TRUE,
                                   step = NULL, ...) {
  autoplot_picture(picture_of_path(object, what, class = class, lambda = lambda, label = label, top_n = top_n,
                                   scaled = scaled, step = step), ...)
}

picture_of_path <- function(x, what, class, lambda, label, top_n, scaled, step,
                            call = rlang::caller_env()) {
  what <- check_choice(what, c("path", "loo", "sources"), "what", call)
  top_n <- plot_top_n(label, top_n, call)
  data <- plot_data(x, what, class = class, lambda = lambda, scaled = scaled, step = step, call = call)
  switch(what,
    path = path_picture(data, top_n),
    loo = loo_picture(data, top_n),
    sources = source_picture(data, path_is_multi(x))
  )
}

# ---- checks ----

# The classes asked for.
plot_classes <- function(x, class, call) {
  if (is.null(class)) return(responses(x))
  if (!path_is_multi(x)) {
    abort_input("{.arg class} is {.val {class}}, but the fit has one path.", "class",
                i = "Leave {.arg class} out: it is for more than two classes.", call = call)
  }
  unique(check_known_class(class, x, call))
}

# ---- data: one long data frame a picture, with what else the drawing needs as attributes ----

plot_data <- function(x, what, class = NULL, lambda = NULL, scaled = TRUE, step = NULL,
                      call = rlang::caller_env()) {
  check_flag(scaled, "scaled", call)
  class <- plot_classes(x, class, call)
  lambdas <- path_lambdas(x, lambda, call)
  if (what == "loo") return(loo_data(x, class, lambdas, call))
  refuse_several(length(lambda), "lambda", call)
  if (what == "path") {
    path_data(x, class, lambdas[1L], scaled)
  } else {
    source_data(x, class, lambdas[1L], scaled, step, call)
  }
}

# class, lambda, step (NA: the average), term, type, estimate; zero before a column enters.
path_data <- function(x, class, lambda, scaled) {
  steps <- path_steps(x, if (!is.na(lambda)) lambda)
  average <- path_average(x)
  long <- plot_estimates(x, class, lambda, steps, scaled)
  if (average) {
    final <- plot_estimates(x, class, lambda, "average", scaled)
    final$step <- rep(NA_integer_, nrow(final))
    long <- rbind(long, final)
  }
  parts <- lapply(class, function(cl) {
    one <- long[long$class == cl, , drop = FALSE]
    out <- every_pair(one, list(step = c(steps, if (average) NA), term = unique(one$term)), "estimate")
    data.frame(class = rep(cl, nrow(out)), lambda = rep(lambda, nrow(out)), out[c("step", "term")],
               type = one$type[match(out$term, one$term)], out["estimate"])
  })
  best <- if (is.numeric(x$best) && x$best > max(steps)) NA else x$best
  size <- if (length(class) == 1L) column_at_steps(steps_of(x, class, lambda), "size", steps)
  named <- class_title(x, class)
  structure(do.call(rbind, parts), classes = class, steps = steps, best = best, scaled = scaled, size = size,
            title = paste(c("Coefficients", if (!is.null(named)) paste("of", named), "along the path"), collapse = " "))
}

# A row for every pair of the values in `keys`, with what `long` has in its column `value` there, 0 where it has none.
every_pair <- function(long, keys, value) {
  out <- expand.grid(keys, KEEP.OUT.ATTRS = FALSE, stringsAsFactors = FALSE)
  cell <- match(do.call(paste, c(out, sep = "\r")), do.call(paste, c(long[names(keys)], sep = "\r")))
  out[[value]] <- ifelse(is.na(cell), 0, long[[value]][cell])
  out
}

# The name of the class, where one of several is shown.
class_title <- function(x, class) if (path_is_multi(x) && length(class) == 1L) paste("class", class)

# The table of steps of one class (or response) and lambda, and where its rows are in that of all.
steps_of <- function(x, class, lambda) x$steps[rows_of_steps(x, class, lambda), , drop = FALSE]

rows_of_steps <- function(x, class, lambda) {
  mine <- x$steps$lambda %in% lambda
  of <- x$steps$class %||% x$steps$response
  which(if (is.null(of)) mine else mine & of == class)
}

# A column of a table of steps at `steps`; a path that ended earlier stays where it was.
column_at_steps <- function(table, column, steps) table[[column]][findInterval(steps, table$step)]

# Estimates of columns (no intercept), times the scale of the column when `scaled`.
plot_estimates <- function(x, class, lambda, step, scaled, call = rlang::caller_env()) {
  out <- path_estimates(x, step, lambda, class, call = call)
  out <- out[out$row > 0L, , drop = FALSE]
  if (scaled) {
    by <- if (is.matrix(x$scale)) x$scale[cbind(out$term, out$class)] else x$scale[out$term]
    out$estimate <- out$estimate * unname(by)
  }
  out
}

# class, lambda, step, measure, line (its name), main (thick or thin), value.
loo_data <- function(x, class, lambda, call) {
  measures <- c(error = "loo", accuracy = "loo_accuracy")
  measures <- measures[measures %in% names(x$steps)]
  measures <- measures[vapply(measures, function(m) any(is.finite(x$steps[[m]])), logical(1))]
  if (length(measures) == 0L) {
    abort_input("{.arg what} is {.val loo}, but this fit has no leave-one-out errors.", "what",
                i = "Give another {.arg what}.", call = call)
  }
  wanted <- expand.grid(class = class, lambda = lambda, measure = names(measures), stringsAsFactors = FALSE)
  parts <- Map(function(class, lambda, measure) {
    steps <- path_steps(x, if (!is.na(lambda)) lambda)
    value <- column_at_steps(steps_of(x, class, lambda), measures[[measure]], steps)
    # undefined values, as the accuracy where a class has one row
    if (!anyNA(value)) data.frame(class = class, lambda = lambda, step = steps, measure = measure, value = value)
  }, wanted$class, wanted$lambda, wanted$measure)
  long <- do.call(rbind, unname(parts))
  if (is.null(long)) {
    abort_input("{.arg what} is {.val loo}, but leave-one-out is not defined at every step.",
                "what", i = "Give another {.arg what}; {.code $steps} has the errors that are defined.", call = call)
  }
  out <- loo_lines(long, several = length(class) > 1L)
  structure(out, steps = sort(unique(out$step)), best = x$best, n_classes = length(class),
            title = class_title(x, class))
}

# Lines by lambda; with several classes their mean, and each class when there is one lambda.
loo_lines <- function(long, several) {
  one_lambda <- length(unique(long$lambda)) == 1L
  name <- function(lambda, of_one) if (one_lambda) of_one else paste("lambda", format_number(lambda))
  if (!several) return(data.frame(long, line = name(long$lambda, ""), main = TRUE))
  cell <- paste(long$lambda, long$step, long$measure)
  means <- long[!duplicated(cell), , drop = FALSE]
  means$value <- as.vector(tapply(long$value, cell, mean)[unique(cell)])
  means$class <- NA_character_
  means <- data.frame(means, line = name(means$lambda, "mean"), main = TRUE)
  if (one_lambda) rbind(data.frame(long, line = long$class, main = FALSE), means) else means
}

# class, row (the source), weight: every source for a map, those with weight for dots.
source_data <- function(x, class, lambda, scaled, step, call) {
  refuse_several(length(step), "step", call)
  n <- x$sources$n_sources %||% 0
  if (n == 0) {
    abort_input("{.arg what} is {.val sources}, but this fit has no sources.", "what",
                i = "Give another {.arg what}.", call = call)
  }
  step <- step %||% x$best
  long <- plot_estimates(x, class, lambda, step, scaled, call)
  long <- long[long$type == "source", , drop = FALSE]
  map <- path_is_multi(x)
  shown <- if (map && n <= 60) source_label(x$sources) else heaviest_sources(long, map)
  long <- data.frame(row = long$term, class = long$class, weight = long$estimate)
  out <- every_pair(long, list(row = shown, class = class), "weight")
  structure(out, rows = shown, classes = class, n_sources = n, step = step,
            n_entered = length(unique(long$row)), scaled = scaled)
}

# Names of the heaviest sources, in their own order (map) or by weight (dots).
heaviest_sources <- function(long, map) {
  size <- tapply(abs(long$estimate), long$term, max)
  long <- long[long$term %in% largest_of(names(size), size, if (map) 60L else 40L), , drop = FALSE]
  unique(long$term[order(if (map) long$row else long$estimate)])
}

# The `most` names of the largest size, in the order that they have.
largest_of <- function(names, size, most = 60L) names[sort(utils::head(order(-size), most))]

check_known_class <- function(class, object, call) {
  if (!is.atomic(class)) abort_kind(class, "class", "Give classes among {.val {object$classes}}.", call)
  unknown <- setdiff(as.character(class), object$classes)
  if (length(unknown)) abort_value(unknown, "class", "Give classes among {.val {object$classes}}.", call)
  as.character(class)
}

# ---- picture of coefficients ---------------------------------------------------------------------

path_picture <- function(data, top_n, xlab = path_xlab(data)) {
  classes <- attr(data, "classes")
  n <- length(classes)
  if (n > 4L) top_n <- min(top_n, 3L)
  look <- c(feature = 1.3, source = 2) * if (n > 12L) .67 else if (n > 1L) .85 else 1
  panels <- lapply(classes, function(class) {
    path_panel(data, data[data$class %in% class, , drop = FALSE], top_n, look,
               if (n > 1L) "step" else xlab, if (n > 1L) class else "")
  })
  types <- intersect(c("feature", "source"), data$type)
  keys <- if (length(types) > 1L) {
    picture_keys(types, c(picture_colours$feature[1L], picture_colours$source[1L]), lwd = c(1.3, 2))
  }
  new_picture(panels, attr(data, "title"), keys)
}

# `one`: the rows of `data` for this panel.
path_panel <- function(data, one, top_n, lwd, xlab, title) {
  steps <- attr(data, "steps")
  average <- identical(attr(data, "best"), "average")
  several <- length(attr(data, "classes")) > 1L
  last <- max(steps)
  end <- last + if (average) max(last, 1) * if (several) .25 else .2 else 0
  terms <- path_term_table(one, steps, average)
  lines <- one[!is.na(one$step), , drop = FALSE]
  at <- match(lines$term, terms$term)
  last_drawn <- order(-at, lines$step) # the most important
  lines <- data.frame(x = lines$step, y = lines$estimate, group = lines$term, col = terms$col[at],
                      lwd = unname(lwd[lines$type]))[last_drawn, , drop = FALSE]
  ends <- data.frame(x = rep(end, nrow(terms)), y = terms$final, label = terms$term,
                     group = terms$term, col = terms$col)
  ticks <- step_ticks(steps, if (several) 3 else 5)
  second <- if (!several) {
    list(at = ticks, labels = attr(data, "size")[match(ticks, steps)], label = "columns in the model")
  }
  x <- new_axis(xlab, c(-.015, 1.015) * max(end, 1), c(ticks, if (average) end),
                c(ticks, if (average) if (several) "avg" else "average"), second = second)
  from <- lines[average & lines$x == last, , drop = FALSE] # the average stands at the right of the last step
  to <- data.frame(from[c("x", "y", "col", "group")], xend = rep(end, nrow(from)),
                   yend = terms$final[match(from$group, terms$term)])
  final <- data.frame(ends[c("x", "y", "col", "group")], pch = ifelse(terms$type == "source", 18, 20))
  new_panel(
    x, new_axis(path_ylab(data), padded(path_range(data))),
    list(
      new_rule("y", 0, col = picture_colours$frame, lty = 1), if (!average) new_rule("x", attr(data, "best")),
      new_layer("line", lines, user = c("col", "lty", "lwd")),
      new_layer("segment", to, lty = 3, user = "col"),
      if (average) new_layer("point", final, cex = .9, user = "col")
    ),
    utils::head(ends, top_n), title = title, empty = if (!nrow(one)) "no column entered"
  )
}

# Terms by importance, with type, value in the default model and colour (dark is important).
path_term_table <- function(one, steps, average) {
  last <- one[if (average) is.na(one$step) else one$step %in% max(steps), , drop = FALSE]
  peak <- tapply(abs(one$estimate), one$term, max)[last$term]
  last <- last[order(-abs(last$estimate), -peak), , drop = FALSE]
  col <- character(nrow(last))
  for (type in unique(last$type)) {
    of <- which(last$type == type)
    col[of] <- shades(type, length(of))
  }
  data.frame(term = last$term, type = last$type, final = last$estimate, col = col)
}

path_range <- function(data) {
  range <- range(0, data$estimate)
  if (diff(range) > 0) range else c(-1, 1)
}

path_ylab <- function(data) {
  if (attr(data, "scaled")) "coefficient x scale of its column" else "coefficient (original scale)"
}

path_xlab <- function(data) {
  best <- attr(data, "best")
  if (is.numeric(best)) paste0("step (dotted: the default, ", best, ")") else "step"
}

# ---- picture of leave-one-out errors -------------------------------------------------------------

loo_picture <- function(data, top_n) {
  measures <- unique(data$measure)
  labels <- c(error = "mean squared error", accuracy = "accuracy")
  panels <- lapply(measures, function(measure) {
    loo_panel(data[data$measure == measure, , drop = FALSE], labels[[measure]], path_xlab(data),
              loo_named(data, top_n), attr(data, "best"))
  })
  n <- attr(data, "n_classes")
  over <- if (n > 1L && all(data$main)) paste0(" (mean of ", n, " classes)")
  title <- paste0(toString(c("Leave-one-out, given the selected columns", attr(data, "title"))), over)
  new_picture(panels, title, layout = "stack")
}

# Thin lines first, then thick; colours run from dark to light over the lambdas.
loo_panel <- function(one, label, xlab, named, best) {
  last <- one[one$step == max(one$step), , drop = FALSE]
  last <- last[order(last$main), , drop = FALSE]
  col <- rep(picture_colours$thin, nrow(last))
  col[last$main] <- lambda_colours(sum(last$main))
  lines <- data.frame(line = last$line, main = last$main, final = last$value, col = col,
                      lwd = ifelse(last$main, 2, .9))
  one <- one[order(match(one$line, lines$line), one$step), , drop = FALSE]
  at <- match(one$line, lines$line)
  path <- data.frame(x = one$step, y = one$value, group = one$line, col = lines$col[at],
                     lwd = lines$lwd[at])
  ends <- lines[lines$line %in% named, , drop = FALSE]
  new_panel(
    step_axis(xlab, unique(one$step)), new_axis(label, padded(value_range(one$value))),
    list(
      new_rule("x", if (is.numeric(best)) best else NA_real_),
      new_layer("line", path, user = c("col", "lty", "lwd")),
      new_layer("point", path[lines$main[at], c("x", "y", "col", "group"), drop = FALSE], cex = .5,
                user = "col")
    ),
    data.frame(x = rep(max(one$step), nrow(ends)), y = ends$final, label = ends$line,
               group = ends$line, col = ends$col),
    title = label
  )
}

# Names of the lines that get a label: the thick ones, and the classes hardest to tell.
loo_named <- function(data, top_n) {
  if (top_n == 0) return(character(0))
  last <- data[data$step == max(data$step) & data$measure == data$measure[1L], , drop = FALSE]
  sign <- if (data$measure[1L] == "error") -1 else 1
  last <- last[order(!last$main, sign * last$value), , drop = FALSE]
  setdiff(utils::head(last$line, min(top_n, 5L) + sum(last$main)), "")
}

# ---- picture of sources --------------------------------------------------------------------------

source_picture <- function(data, map) {
  step <- attr(data, "step")
  title <- paste0("Source weights, ", if (identical(step, "average")) "average over the path" else paste("step", step))
  if (!nrow(data)) return(empty_picture("no source has weight", title))
  unit <- if (attr(data, "scaled")) "weight x scale of the source" else "weight (original scale)"
  if (map) {
    return(map_picture(data, attr(data, "rows"), attr(data, "classes"), c("target class", "source"),
                       title = title, note = source_count(data), unit = unit))
  }
  dots <- data.frame(x = data$weight, y = nrow(data) + 1 - match(data$row, rev(attr(data, "rows"))),
                     col = picture_colours$diverging[c(1L, 5L)][1L + (data$weight > 0)])
  range <- path_range(list(estimate = data$weight))
  new_picture(list(new_panel(
    new_axis(unit, padded(range, .03)), name_axis(rev(attr(data, "rows"))),
    list(
      new_rule("x", 0, col = picture_colours$frame, lty = 1),
      new_layer("segment", data.frame(x = 0, xend = dots$x, dots[c("y", "col")]), lwd = 2,
                user = c("col", "lty", "lwd")),
      new_layer("point", dots, user = c("col", "pch"))
    )
  )), title, note = source_count(data))
}

# A note of how many sources there are beside those shown.
source_count <- function(data) {
  shown <- length(attr(data, "rows"))
  entered <- attr(data, "n_entered")
  all <- attr(data, "n_sources")
  if (entered == 0L) {
    "no source has weight"
  } else if (shown < entered) {
    paste(shown, "heaviest of", entered, "sources with weight")
  } else if (entered < all) {
    paste(entered, "of", all, "sources have weight")
  }
}
