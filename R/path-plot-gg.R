# The pictures of path-plot.R as ggplot2 objects, from the same data frames.

#' @rdname plot.transfer_path
#' @exportS3Method ggplot2::autoplot
autoplot.transfer_path <- function(object, what = c("path", "loo", "sources"), class = NULL,
                                   lambda = NULL, label = TRUE, top_n = 10, scaled = TRUE,
                                   step = NULL, ...) {
  check_arguments()
  rlang::check_installed("ggplot2", reason = "for `autoplot()`")
  what <- plot_what(what)
  top_n <- plot_top_n(label, top_n)
  data <- plot_data(object, what, class, lambda, scaled, step)
  switch(what,
    path = gg_path(data, top_n),
    loo = gg_loo(data, top_n),
    sources = if (path_is_multi(object) && nrow(data)) gg_source_map(data) else gg_source_dots(data)
  )
}

gg_start <- function(data, ...) {
  ggplot2::ggplot(data, ggplot2::aes(...)) +
    ggplot2::theme_minimal(base_size = 11) +
    ggplot2::theme(
      panel.grid.minor = ggplot2::element_blank(), panel.grid.major.x = ggplot2::element_blank(),
      legend.position = "top", legend.justification = "left", plot.title.position = "plot",
      plot.title = ggplot2::element_text(face = "bold", size = ggplot2::rel(1)),
      plot.subtitle = ggplot2::element_text(colour = path_colours$frame, size = ggplot2::rel(.8))
    )
}

# A continuous axis of steps; labels that would overlap are left out.
gg_step_axis <- function(steps, end = NULL, name = "average", right = .02) {
  ggplot2::scale_x_continuous(
    breaks = c(step_ticks(steps), end), labels = c(step_ticks(steps), if (!is.null(end)) name),
    expand = ggplot2::expansion(mult = c(.01, right)),
    guide = ggplot2::guide_axis(check.overlap = TRUE)
  )
}

gg_path <- function(data, top_n) {
  steps <- attr(data, "steps")
  average <- identical(attr(data, "best"), "average")
  n <- length(attr(data, "classes"))
  end <- max(steps) + if (average) max(steps, 1) * if (n > 1L) .25 else .11 else 0
  ends <- gg_path_ends(data, if (n > 1L) min(top_n, 3) else top_n, end, n)
  p <- gg_start(data[!is.na(data$step), , drop = FALSE], .data$step, .data$estimate,
                colour = .data$type) +
    ggplot2::geom_hline(yintercept = 0, colour = path_colours$frame, linewidth = .3) +
    ggplot2::geom_line(ggplot2::aes(group = .data$term, linewidth = .data$type)) +
    ggplot2::scale_colour_manual(values = gg_type_colours(), name = NULL) +
    ggplot2::scale_linewidth_manual(values = c(feature = .45, source = .8), name = NULL) +
    gg_step_axis(steps, if (average) end, if (n > 1L) "avg" else "average") +
    ggplot2::coord_cartesian(clip = "off") +
    ggplot2::labs(x = path_xlab(data), y = path_ylab(data),
                  title = if (nzchar(attr(data, "title"))) attr(data, "title"),
                  subtitle = if (nrow(data) == 0L) "no column entered")
  if (average && !is.null(ends)) {
    p <- p + gg_average(ends)
  } else if (is.numeric(attr(data, "best"))) {
    p <- p + ggplot2::geom_vline(xintercept = attr(data, "best"), linetype = 3)
  }
  if (n > 1L) {
    keep <- min(24, max(9, 72 %/% ceiling(sqrt(n)))) # beside so many panels
    short <- ggplot2::as_labeller(function(names) shorten(names, keep))
    p <- p + ggplot2::facet_wrap("class", labeller = short)
  }
  gg_names(p, ends[ends$named, , drop = FALSE], n)
}

gg_average <- function(ends) {
  list(
    ggplot2::geom_segment(
      ggplot2::aes(x = .data$from, xend = .data$end, y = .data$last, yend = .data$estimate), ends,
      linetype = 3, linewidth = .4, show.legend = FALSE
    ),
    ggplot2::geom_point(
      ggplot2::aes(x = .data$end, y = .data$estimate, shape = .data$type), ends, size = 1.5
    ),
    ggplot2::scale_shape_manual(values = c(feature = 16, source = 18), name = NULL)
  )
}

gg_type_colours <- function() {
  c(feature = path_colours$feature[1L], source = path_colours$source[2L])
}

# The end of each line: its value in the default model, and where its name goes.
gg_path_ends <- function(data, top_n, end, n_panels) {
  steps <- attr(data, "steps")
  gap <- diff(path_range(data)) / if (n_panels > 1L) 28 / ceiling(sqrt(n_panels)) else 28
  parts <- lapply(split(data, factor(data$class, unique(data$class))), function(one) {
    terms <- path_term_table(one, steps, anyNA(one$step))
    last <- one[one$step %in% max(steps), , drop = FALSE]
    named <- seq_len(nrow(terms)) <= top_n
    at <- terms$final
    at[named] <- spread_labels(at[named], gap, path_range(data))
    data.frame(
      class = rep(one$class[1L], nrow(terms)), name = shorten(terms$term, 24L), type = terms$type,
      estimate = terms$final, last = last$estimate[match(terms$term, last$term)],
      from = rep(max(steps), nrow(terms)), end = rep(end, nrow(terms)), at = at, named = named
    )
  })
  out <- do.call(rbind, parts)
  rownames(out) <- NULL
  out
}

# Names at the right of the panel, tied to the ends of their lines.
gg_names <- function(p, ends, n_panels) {
  if (is.null(ends) || nrow(ends) == 0L) {
    return(p)
  }
  several <- n_panels > 1L
  size <- if (n_panels > 9L) 1.8 else if (several) 2.4 else 3
  span <- max(ends$end) * if (several) .02 * (1 + sqrt(n_panels)) else .03
  ends$left <- ends$end + .3 * span
  ends$right <- ends$end + span
  ends$text <- ends$end + 1.15 * span
  width <- 1.7 * size * max(nchar(ends$name)) + 8
  p +
    ggplot2::geom_segment(
      ggplot2::aes(x = .data$left, xend = .data$right, y = .data$estimate, yend = .data$at), ends,
      linewidth = .25, show.legend = FALSE
    ) +
    ggplot2::geom_text(
      ggplot2::aes(x = .data$text, y = .data$at, label = .data$name), ends,
      hjust = 0, size = size, show.legend = FALSE
    ) +
    ggplot2::theme(plot.margin = ggplot2::margin(6, 6 + width, 6, 6),
                   panel.spacing.x = ggplot2::unit(if (several) 4 + width else 6, "pt"),
                   panel.spacing.y = ggplot2::unit(3, "pt"))
}

gg_loo <- function(data, top_n) {
  measures <- unique(data$measure)
  labels <- c(error = "mean squared error", accuracy = "accuracy")
  data$measure <- factor(data$measure, measures, labels[measures])
  best <- attr(data, "best")
  main <- data[data$main, , drop = FALSE]
  names <- unique(main$line)
  main$line <- factor(main$line, names)
  colours <- stats::setNames(lambda_colours(length(names)), names)
  guide <- if (length(names) > 1L && top_n > 0) "legend" else "none"
  gg_start(main, .data$step, .data$value) +
    ggplot2::geom_line(ggplot2::aes(group = .data$line), data[!data$main, , drop = FALSE],
                       colour = path_colours$thin, linewidth = .3) +
    ggplot2::geom_line(ggplot2::aes(colour = .data$line), linewidth = .8) +
    ggplot2::geom_point(ggplot2::aes(colour = .data$line), size = 1) +
    (if (is.numeric(best)) ggplot2::geom_vline(xintercept = best, linetype = 3)) +
    ggplot2::scale_colour_manual(values = colours, name = NULL, guide = guide) +
    gg_step_axis(attr(data, "steps")) +
    ggplot2::facet_grid(rows = "measure", scales = "free_y", switch = "y") +
    ggplot2::labs(x = path_xlab(data), y = NULL, title = loo_title(data)) +
    ggplot2::theme(strip.placement = "outside")
}

gg_source_map <- function(data) {
  gg_map(data, c("target class", "source"), source_title(data), source_count(data))
}

gg_map <- function(data, lab, main, note) {
  classes <- attr(data, "classes")
  sources <- attr(data, "sources")
  data$class <- factor(data$class, classes)
  data$source <- factor(data$source, rev(sources))
  limit <- weight_limit(data)
  gg_start(data, .data$class, .data$source, fill = .data$weight) +
    ggplot2::geom_tile(colour = path_colours$faint, linewidth = .2) +
    ggplot2::scale_fill_gradientn(
      colours = path_colours$diverging, limits = c(-limit, limit), name = NULL,
      guide = ggplot2::guide_colourbar(barwidth = 10, barheight = .6)
    ) +
    ggplot2::scale_x_discrete(
      labels = function(names) shorten(as.character(names), 20L),
      guide = ggplot2::guide_axis(angle = if (sum(nchar(classes)) > 60) 90)
    ) +
    ggplot2::scale_y_discrete(labels = function(names) shorten(as.character(names), 24L)) +
    ggplot2::labs(x = lab[1L], y = lab[2L], title = main, subtitle = note) +
    ggplot2::theme(panel.grid = ggplot2::element_blank(),
                   axis.text.y = ggplot2::element_text(size = min(9, 240 / length(sources))))
}

gg_source_dots <- function(data) {
  n <- nrow(data)
  labels <- ggplot2::labs(x = source_xlab(data), y = NULL, title = source_title(data),
                          subtitle = source_count(data))
  if (n == 0L) {
    return(gg_start(data) + labels)
  }
  data$source <- factor(data$source, attr(data, "sources"))
  ends <- path_colours$diverging
  gg_start(data, .data$weight, .data$source, colour = .data$weight > 0) +
    ggplot2::geom_vline(xintercept = 0, colour = path_colours$frame) +
    ggplot2::geom_segment(ggplot2::aes(x = 0, xend = .data$weight, yend = .data$source),
                          linewidth = .7) +
    ggplot2::geom_point(size = 2) +
    ggplot2::scale_colour_manual(values = c(`FALSE` = ends[1L], `TRUE` = ends[5L]),
                                 guide = "none") +
    ggplot2::scale_y_discrete(labels = function(names) shorten(as.character(names), 24L)) +
    ggplot2::theme(axis.text.y = ggplot2::element_text(size = min(9, 300 / n))) +
    labels
}
