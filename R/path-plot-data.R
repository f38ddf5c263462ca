# The data of the pictures of a path.

# The classes asked for.
path_plot_data_classes <- function(x, class, call) {
  if (is.null(class)) return(path_object_responses(x))
  if (!path_object_is_multi(x)) {
    abort_input("{.arg class} is {.val {class}}, but the fit has one path.", "class",
                i = "Leave {.arg class} out: it is for more than two classes.", call = call)
  }
  unique(path_plot_data_check_class(class, x, call))
}

# class, lambda, step (NA: the average), term, type, estimate; zero before a column enters.
path_plot_data_coefficients <- function(x, class, lambda, scaled) {
  steps <- path_step_table(x, if (!is.na(lambda)) lambda)
  average <- path_step_has_average(x)
  long <- path_plot_data_estimates(x, class, lambda, steps, scaled)
  if (average) {
    final <- path_plot_data_estimates(x, class, lambda, "average", scaled)
    final$step <- rep(NA_integer_, nrow(final))
    long <- rbind(long, final)
  }
  parts <- lapply(class, function(cl) {
    one <- long[long$class == cl, , drop = FALSE]
    table <- path_plot_data_every_pair(one, list(step = c(steps, if (average) NA), term = unique(one$term)), "estimate")
    data.frame(class = rep(cl, nrow(table)), lambda = rep(lambda, nrow(table)), table[c("step", "term")],
               type = one$type[match(table$term, one$term)], table["estimate"])
  })
  best <- if (is.numeric(x$best) && x$best > max(steps)) NA else x$best
  size <- if (length(class) == 1L) path_plot_data_column_at_steps(path_plot_data_steps(x, class, lambda), "size", steps)
  named <- path_plot_data_class_title(x, class)
  structure(do.call(rbind, parts), classes = class, steps = steps, best = best, scaled = scaled, size = size,
            title = paste(c("Coefficients", if (!is.null(named)) paste("of", named), "along the path"), collapse = " "))
}

# A row for every pair of the values in `keys`, with what `long` has in its column `value` there, 0 where it has none.
path_plot_data_every_pair <- function(long, keys, value) {
  pairs <- expand.grid(keys, KEEP.OUT.ATTRS = FALSE, stringsAsFactors = FALSE)
  cell <- match(do.call(paste, c(pairs, sep = "\r")), do.call(paste, c(long[names(keys)], sep = "\r")))
  pairs[[value]] <- ifelse(is.na(cell), 0, long[[value]][cell])
  pairs
}

# The name of the class, where one of several is shown.
path_plot_data_class_title <- function(x, class) if (path_object_is_multi(x) && length(class) == 1L) paste("class",
                                                                                                           class)

# The table of steps of one class (or response) and lambda, and where its rows are in that of all.
path_plot_data_steps <- function(x, class, lambda) x$steps[path_plot_data_rows_of_steps(x, class, lambda), ,
                                                           drop = FALSE]

path_plot_data_rows_of_steps <- function(x, class, lambda) {
  mine <- x$steps$lambda %in% lambda
  of <- x$steps$class %||% x$steps$response
  which(if (is.null(of)) mine else mine & of == class)
}

# A column of a table of steps at `steps`; a path that ended earlier stays where it was.
path_plot_data_column_at_steps <- function(table, column, steps) table[[column]][findInterval(steps, table$step)]

# Estimates of columns (no intercept), times the scale of the column when `scaled`.
path_plot_data_estimates <- function(x, class, lambda, step, scaled, call = rlang::caller_env()) {
  table <- path_tidy_estimates(x, step, lambda, class, call = call)
  table <- table[table$row > 0L, , drop = FALSE]
  if (scaled) {
    by <- if (is.matrix(x$scale)) x$scale[cbind(table$term, table$class)] else x$scale[table$term]
    table$estimate <- table$estimate * unname(by)
  }
  table
}

path_plot_data_check_class <- function(class, object, call) {
  if (!is.atomic(class)) abort_kind(class, "class", "Give classes among {.val {object$classes}}.", call)
  unknown <- setdiff(as.character(class), object$classes)
  if (length(unknown)) abort_value(unknown, "class", "Give classes among {.val {object$classes}}.", call)
  as.character(class)
}

path_plot_data_range <- function(data) {
  limits <- range(0, data$estimate)
  if (diff(limits) > 0) limits else c(-1, 1)
}

path_plot_data_ylab <- function(data) {
  if (attr(data, "scaled")) "standardised coefficient" else "coefficient (original scale)"
}

path_plot_data_xlab <- function(data) {
  best <- attr(data, "best")
  if (is.numeric(best)) paste0("step (dotted: the default, ", best, ")") else "step"
}
