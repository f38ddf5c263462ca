# plot() of a path: the data behind every picture, then base graphics.

#' Plot a fitted path
#'
#' Three pictures of a fitted path: how the coefficients grow from step to step, what
#' leave-one-out says along the way, and how much each source weighs. `plot()` draws with base
#' graphics, `autoplot()` makes the same pictures with ggplot2.
#'
#' * `"path"`: coefficients against the step, features in grey-blue, sources in orange; the top
#'   axis counts the columns in the model. Marks at the right are the default model where that is
#'   the average over the path; otherwise a dotted vertical line shows the default step. A fit with
#'   more than two classes gets a panel a class.
#' * `"loo"`: leave-one-out mean squared error against the step, a line for each `lambda`, and
#'   for a factor response the leave-one-out accuracy below. Both are exact **given the selected
#'   columns**: they do not see that the columns were chosen on the same rows, so they are for
#'   reading a path, not for an honest estimate of error. With more than two classes there is a
#'   thin line for each and a thick one for their mean.
#' * `"sources"`: weights of the sources in one model. With more than two classes this is a map of
#'   sources by classes (white is zero): which source serves which class. Otherwise a dot a source
#'   with nonzero weight. At most 60 (map) or 40 (dots) sources are shown, the heaviest.
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
#'   `ylim`, `col`, `lwd`, `cex.axis`. For `autoplot()`: must be empty.
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#' @seealso [tidy.transfer_path()] for the same numbers as data frames.
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
plot.transfer_path <- function(x, what = c("path", "loo", "sources"), class = NULL, lambda = NULL,
                               label = TRUE, top_n = 10, scaled = TRUE, step = NULL, ...) {
  what <- plot_what(what)
  top_n <- plot_top_n(label, top_n)
  data <- plot_data(x, what, class, lambda, scaled, step)
  dots <- plot_dots(list(...))

  old <- graphics::par(mar = c(0, 0, 0, 0))
  on.exit(graphics::par(old))
  graphics::plot.new()
  draw <- switch(what,
    path = draw_path,
    loo = draw_loo,
    sources = if (path_is_multi(x)) draw_source_map else draw_source_dots
  )
  draw(data, top_n, dots)
  invisible(x)
}

# ---- checks ----

plot_what <- function(what, call = rlang::caller_env()) {
  known <- c("path", "loo", "sources")
  if (identical(what, known)) {
    return("path")
  }
  if (!rlang::is_string(what) || !what %in% known) {
    abort_input(
      "{.arg what} must be one picture, not {.val {what}}.", "what",
      i = "There are {.val {known}}.", call = call
    )
  }
  what
}

# How many labels; 0 for none.
plot_top_n <- function(label, top_n, call = rlang::caller_env()) {
  if (!rlang::is_bool(label)) {
    abort_input("{.arg label} must be {.code TRUE} or {.code FALSE}.", "label",
                call = call)
  }
  if (!is.numeric(top_n) || length(top_n) != 1L || is.na(top_n) || top_n < 0) {
    abort_input("{.arg top_n} must be one number, 0 or more, not {.val {top_n}}.", "top_n",
                call = call)
  }
  if (label) top_n else 0
}

plot_dots <- function(dots, call = rlang::caller_env()) {
  known <- c(names(formals(graphics::plot.default)), names(graphics::par(no.readonly = TRUE)))
  unknown <- setdiff(rlang::names2(dots), setdiff(known, c("x", "y", "...")))
  if (length(unknown) > 0L) {
    abort_input(
      "{.arg ...} has {.val {unknown}}, which is no graphical parameter.", "dots",
      i = "Arguments must be named; see {.fn graphics::par}.", call = call
    )
  }
  dots
}

# ---- data: one long data frame a picture, with what else the drawing needs as attributes ----

plot_data <- function(x, what, class = NULL, lambda = NULL, scaled = TRUE, step = NULL,
                      call = rlang::caller_env()) {
  if (!rlang::is_bool(scaled)) {
    abort_input("{.arg scaled} must be {.code TRUE} or {.code FALSE}.", "scaled",
                call = call)
  }
  lambdas <- path_lambdas(x, lambda, call)
  if (what != "loo") {
    if (length(lambda) > 1L) {
      abort_input("{.arg lambda} must be one number for {.code what = {.val {what}}}.", "lambda",
                  call = call)
    }
    lambdas <- lambdas[1L]
  }
  class <- path_classes(x, class, call)
  switch(what,
    path = path_data(x, class, lambdas, scaled),
    loo = loo_data(x, class, lambdas, call),
    sources = source_data(x, class, lambdas, scaled, step, call)
  )
}

# class, lambda, step (NA: the average), term, type, estimate; zero before a column enters.
path_data <- function(x, class, lambda, scaled) {
  steps <- path_which_steps(x)
  asked <- if (identical(x$best, "average")) c(steps, "average") else steps
  parts <- lapply(class, function(cl) {
    long <- plot_estimates(x, cl, lambda, asked, scaled)
    terms <- unique(long$term)
    out <- expand.grid(step = asked, term = terms, stringsAsFactors = FALSE)
    first <- match(out$term, long$term)
    cell <- match(paste(out$step, out$term), paste(long$step, long$term))
    data.frame(
      class = rep(cl, nrow(out)), lambda = rep(lambda, nrow(out)),
      step = suppressWarnings(as.integer(out$step)), term = out$term, type = long$type[first],
      estimate = ifelse(is.na(cell), 0, long$estimate[cell])
    )
  })
  sizes <- x$steps[x$steps$lambda %in% lambda, , drop = FALSE]
  structure(
    do.call(rbind, parts), classes = class, steps = steps, best = x$best, scaled = scaled,
    size = sizes$size[match(steps, sizes$step)]
  )
}

# Estimates of columns (no intercept), times the scale of the column when `scaled`.
plot_estimates <- function(x, class, lambda, step, scaled) {
  named <- if (!is.na(class)) class
  out <- path_estimates(x, step = step, lambda = if (!is.na(lambda)) lambda, class = named)
  out <- out[out$type != "intercept", , drop = FALSE]
  if (scaled) {
    scale <- if (is.list(x$scale)) x$scale[[class]] else x$scale
    by <- scale[out$term]
    out$estimate <- out$estimate * ifelse(is.na(by), 1, by)
  }
  out
}

# class, lambda, step, measure, line (its name), main (thick or thin), value.
loo_data <- function(x, class, lambda, call) {
  steps <- x$steps[x$steps$lambda %in% lambda, , drop = FALSE]
  if (path_is_multi(x)) {
    steps <- steps[steps$class %in% class, , drop = FALSE]
  } else {
    steps$class <- NA_character_
  }
  columns <- intersect(c("loo", "loo_accuracy"), names(steps))
  columns <- columns[vapply(columns, function(name) any(is.finite(steps[[name]])), logical(1))]
  if (length(columns) == 0L) {
    abort_input("This fit has no leave-one-out errors to show.", "what",
                call = call)
  }
  parts <- lapply(columns, function(name) {
    data.frame(class = steps$class, lambda = steps$lambda, step = steps$step,
               measure = if (name == "loo") "error" else "accuracy", value = steps[[name]])
  })
  out <- loo_lines(do.call(rbind, parts), several = length(class) > 1L)
  structure(out, steps = sort(unique(out$step)), best = x$best, n_classes = length(class))
}

# Lines by lambda; with several classes their mean, and each class when there is one lambda.
loo_lines <- function(long, several) {
  one_lambda <- length(unique(long$lambda)) == 1L
  name <- if (one_lambda) "" else paste("lambda", format_number(long$lambda))
  if (!several) {
    return(data.frame(long, line = name, main = TRUE))
  }
  cell <- paste(long$lambda, long$step, long$measure)
  means <- long[!duplicated(cell), , drop = FALSE]
  means$value <- as.vector(tapply(long$value, cell, mean)[unique(cell)])
  means$class <- NA_character_
  means$line <- if (one_lambda) "mean" else paste("lambda", format_number(means$lambda))
  means$main <- TRUE
  if (!one_lambda) {
    return(means)
  }
  rbind(data.frame(long, line = long$class, main = FALSE), means)
}

# class, lambda, source, weight: every source for a map, those with weight for dots.
source_data <- function(x, class, lambda, scaled, step, call) {
  step <- if (is.null(step)) x$best else path_which_steps(x, step, call)
  if (length(step) != 1L) {
    abort_input("{.arg step} must be one step for {.code what = \"sources\"}.", "step",
                call = call)
  }
  names <- x$sources$names
  if (length(names) == 0L) {
    abort_input(
      "This fit has no sources.", "what",
      i = "Give {.arg sources} when fitting, or ask for another picture.", call = call
    )
  }
  long <- do.call(rbind, lapply(class, plot_estimates, x = x, lambda = lambda, step = step,
                                scaled = scaled))
  long <- long[long$type == "source", , drop = FALSE]
  multi <- path_is_multi(x)
  shown <- heaviest_sources(long, names, multi)
  out <- expand.grid(source = shown, class = class, stringsAsFactors = FALSE)
  cell <- match(paste(out$source, out$class), paste(long$term, long$class))
  out <- data.frame(
    class = out$class, lambda = rep(lambda, nrow(out)), source = out$source,
    weight = ifelse(is.na(cell), 0, long$estimate[cell])
  )
  structure(out, sources = shown, classes = class, n_sources = length(names), step = step,
            n_entered = length(unique(long$term)), scaled = scaled)
}

# Names of the sources to show, in the order given (map) or by weight (dots).
heaviest_sources <- function(long, names, multi) {
  size <- tapply(abs(long$estimate), long$term, max)
  size <- sort(size, decreasing = TRUE)
  if (multi) {
    return(if (length(names) <= 60L) names else names[names %in% utils::head(names(size), 60L)])
  }
  top <- long[long$term %in% utils::head(names(size), 40L), , drop = FALSE]
  top$term[order(top$estimate)]
}

format_number <- function(x) vapply(x, function(v) format(signif(v, 3)), character(1))
