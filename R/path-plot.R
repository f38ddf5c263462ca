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
  size <- if (length(class) == 1L) along(steps_of(x, class, lambda), "size", steps)
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
along <- function(table, column, steps) table[[column]][findInterval(steps, table$step)]

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
    value <- along(steps_of(x, class, lambda), measures[[measure]], steps)
    # not defined, as the accuracy where a class has one row
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

# class, source, weight: every source for a map, those with weight for dots.
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
  shown <- if (path_is_multi(x) && n <= 60) {
    source_label(x$sources)
  } else {
    heaviest_sources(long, path_is_multi(x))
  }
  long <- data.frame(source = long$term, class = long$class, weight = long$estimate)
  out <- every_pair(long, list(source = shown, class = class), "weight")
  structure(out, sources = shown, classes = class, n_sources = n, step = step,
            n_entered = length(unique(long$source)), scaled = scaled)
}

# The `most` names of the largest size, in the order that they have.
largest_of <- function(names, size, most = 60L) names[sort(utils::head(order(-size), most))]

# Names of the heaviest sources, in their own order (map) or by weight (dots).
heaviest_sources <- function(long, map) {
  size <- tapply(abs(long$estimate), long$term, max)
  long <- long[long$term %in% largest_of(names(size), size, if (map) 60L else 40L), , drop = FALSE]
  unique(long$term[order(if (map) long$row else long$estimate)])
}

check_known_class <- function(class, object, call) {
  unknown <- setdiff(as.character(class), object$classes)
  if (length(unknown)) abort_value(unknown, "class", "Give classes among {.val {object$classes}}.", call)
  as.character(class)
}
