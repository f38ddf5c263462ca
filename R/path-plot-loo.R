# The picture of leave-one-out errors along a path.

# class, lambda, step, measure, line (its name), main (thick or thin), value.
path_plot_loo_data <- function(x, class, lambda, call) {
  measures <- c(error = "loo", accuracy = "loo_accuracy")
  measures <- measures[measures %in% names(x$steps)]
  measures <- measures[vapply(measures, function(m) any(is.finite(x$steps[[m]])), logical(1))]
  if (length(measures) == 0L) {
    abort_input("{.arg what} is {.val loo}, but this fit has no leave-one-out errors.", "what",
                i = "Give another {.arg what}.", call = call)
  }
  wanted <- expand.grid(class = class, lambda = lambda, measure = names(measures), stringsAsFactors = FALSE)
  parts <- Map(function(class, lambda, measure) {
    steps <- path_step_table(x, if (!is.na(lambda)) lambda)
    value <- path_plot_data_column_at_steps(path_plot_data_steps(x, class, lambda), measures[[measure]], steps)
    # undefined values, as the accuracy where a class has one row
    if (!anyNA(value)) data.frame(class = class, lambda = lambda, step = steps, measure = measure, value = value)
  }, wanted$class, wanted$lambda, wanted$measure)
  long <- do.call(rbind, unname(parts))
  if (is.null(long)) {
    abort_input("{.arg what} is {.val loo}, but leave-one-out is not defined at every step.",
                "what", i = "Give another {.arg what}; {.code $steps} has the errors that are defined.", call = call)
  }
  lines <- path_plot_loo_lines(long, several = length(class) > 1L)
  structure(lines, steps = sort(unique(lines$step)), best = x$best, n_classes = length(class),
            error = if (!inherits(x, "likelihood_path")) "mean squared error" else if (x$family == "binomial")
              "log loss" else "deviance per row",
            title = path_plot_data_class_title(x, class))
}

# Lines by lambda; with several classes their mean, and each class when there is one lambda.
path_plot_loo_lines <- function(long, several) {
  one_lambda <- length(unique(long$lambda)) == 1L
  name <- function(lambda, of_one) if (one_lambda) of_one else paste("lambda", words_number(lambda))
  if (!several) return(data.frame(long, line = name(long$lambda, ""), main = TRUE))
  cell <- paste(long$lambda, long$step, long$measure)
  means <- long[!duplicated(cell), , drop = FALSE]
  means$value <- as.vector(tapply(long$value, cell, mean)[unique(cell)])
  means$class <- NA_character_
  means <- data.frame(means, line = name(means$lambda, "mean"), main = TRUE)
  if (one_lambda) rbind(data.frame(long, line = long$class, main = FALSE), means) else means
}

path_plot_loo <- function(data, top_n, whole = FALSE) {
  measures <- unique(data$measure)
  labels <- c(error = attr(data, "error"), accuracy = "accuracy")
  panels <- lapply(measures, function(measure) {
    path_plot_loo_panel(data[data$measure == measure, , drop = FALSE], labels[[measure]], path_plot_data_xlab(data),
                        path_plot_loo_named(data, top_n), attr(data, "best"), whole)
  })
  n <- attr(data, "n_classes")
  over <- if (n > 1L && all(data$main)) paste0(" (mean of ", n, " classes)")
  title <- paste0(toString(c("Leave-one-out, given the selected columns", attr(data, "title"))), over)
  picture_new(panels, title, layout = "stack")
}

# Thin lines first, then thick; colours run from dark to light over the lambdas.
path_plot_loo_panel <- function(one, label, xlab, named, best, whole) {
  last <- one[one$step == max(one$step), , drop = FALSE]
  last <- last[order(last$main), , drop = FALSE]
  col <- rep(picture_colours$thin, nrow(last))
  col[last$main] <- picture_lambda_colours(sum(last$main))
  lines <- data.frame(line = last$line, main = last$main, final = last$value, col = col,
                      lwd = ifelse(last$main, 2, .9))
  one <- one[order(match(one$line, lines$line), one$step), , drop = FALSE]
  place <- match(one$line, lines$line)
  far <- !whole & picture_far_start(one$step, one$value)
  ylim <- picture_far_padded_range(picture_value_range(one$value[!far]), one$value[far])
  path <- data.frame(x = one$step, y = one$value, group = one$line, col = lines$col[place],
                     lwd = lines$lwd[place])
  ends <- lines[lines$line %in% named, , drop = FALSE]
  picture_panel(
    picture_step_axis(xlab, unique(one$step)),
    picture_axis(label, ylim),
    c(list(
      picture_rule("x", if (is.numeric(best)) best else NA_real_),
      picture_layer("line", path[!far, ], user = c("col", "lty", "lwd")),
      picture_layer("point", path[lines$main[place] & !far, c("x", "y", "col", "group"), drop = FALSE], cex = .5,
                    user = "col")
    ), picture_far_marks(one$step[far], one$value[far], ylim, picture_colours$feature[1L])),
    data.frame(x = rep(max(one$step), nrow(ends)), y = ends$final, label = ends$line,
               group = ends$line, col = ends$col),
    title = label
  )
}

# Names of the lines that get a label: the thick ones, and the classes hardest to tell.
path_plot_loo_named <- function(data, top_n) {
  if (top_n == 0) return(character(0))
  last <- data[data$step == max(data$step) & data$measure == data$measure[1L], , drop = FALSE]
  sign <- if (data$measure[1L] == "error") -1 else 1
  last <- last[order(!last$main, sign * last$value), , drop = FALSE]
  setdiff(utils::head(last$line, min(top_n, 5L) + sum(last$main)), "")
}
