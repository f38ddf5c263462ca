# The pictures of tlcp-plot.R as ggplot2 objects, from the same data frames.

#' @rdname plot.tlcp
#' @exportS3Method ggplot2::autoplot
autoplot.tlcp <- function(object, what = c("criterion", "path", "borrowed"), label = TRUE,
                          top_n = 10, scaled = TRUE, ...) {
  check_arguments()
  rlang::check_installed("ggplot2", reason = "for `autoplot()`")
  what <- tlcp_what(what)
  top_n <- plot_top_n(label, top_n)
  data <- tlcp_plot_data(object, what, scaled)
  switch(what,
    criterion = gg_criterion(data),
    path = gg_path(data, top_n) + ggplot2::labs(x = attr(data, "xlab")),
    borrowed = gg_borrowed(data)
  )
}

gg_criterion <- function(data) {
  limits <- criterion_limits(data)
  best <- attr(data, "best")
  bound <- attr(data, "bound")
  orange <- path_colours$source
  searched <- any(data$proven & data$size > 0)
  proof <- c("proven best of its size", "not proven")
  data$proof <- factor(ifelse(data$proven, proof[1L], proof[2L]), proof)
  chosen <- data[data$size == best, , drop = FALSE]
  gg_start(data, .data$size, .data$value) +
    ggplot2::geom_vline(xintercept = best, linetype = 3, colour = path_colours$ink) +
    ggplot2::geom_linerange(
      ggplot2::aes(ymin = .data$low, ymax = .data$value),
      data[data$low < data$value, , drop = FALSE], colour = orange[3L], linewidth = 1.6
    ) +
    (if (all(diff(data$size) == 1)) {
      ggplot2::geom_line(colour = path_colours$feature[1L], linewidth = .6)
    }) +
    ggplot2::geom_point(ggplot2::aes(shape = .data$proof), colour = path_colours$feature[1L],
                        fill = "white", size = 2) +
    ggplot2::geom_point(data = chosen, colour = orange[1L], size = 3, fill = "white",
                        shape = if (any(chosen$low < chosen$value)) 21 else 19) +
    (if (!is.null(bound)) {
      list(ggplot2::geom_hline(yintercept = bound, linetype = 2, colour = orange[1L]),
           ggplot2::annotate("text", x = -Inf, y = bound, label = "no subset is below",
                             hjust = -.05, vjust = -.5, size = 3, colour = orange[1L]))
    }) +
    ggplot2::scale_shape_manual(values = stats::setNames(c(19, 21), proof), name = NULL,
                                guide = if (searched) "legend" else "none") +
    gg_step_axis(c(0, data$size), right = .03) +
    ggplot2::scale_y_continuous(expand = c(0, 0)) +
    ggplot2::coord_cartesian(ylim = limits) +
    ggplot2::labs(
      x = paste0("features (orange: the chosen, ", best, ")"), y = attr(data, "label"),
      title = gg_wrap(attr(data, "title")), subtitle = off_picture(data, limits)
    )
}

gg_borrowed <- function(data) {
  terms <- attr(data, "terms")
  sources <- attr(data, "sources")
  limits <- attr(data, "limits")
  labels <- ggplot2::labs(x = borrowed_xlab(data), y = NULL,
                          title = gg_wrap(attr(data, "title")),
                          subtitle = if (!length(terms)) "no feature chosen" else
                            "at the right: weight of the sources")
  if (!length(terms)) return(gg_start(data) + labels)
  colours <- source_colours(sources)
  # more than six are one kind
  if (length(sources) > 6L) {
    colours <- stats::setNames(colours[1L], paste(length(sources), "sources"))
    data$source[data$kind == "source"] <- names(colours)
  }
  data$term <- factor(data$term, rev(terms))
  kinds <- c(own = "target alone", borrowed = "borrowed")
  mine <- data[data$kind != "source", , drop = FALSE]
  mine$kind <- factor(kinds[mine$kind], kinds)
  other <- data[data$kind == "source", , drop = FALSE]
  other$source <- factor(other$source, names(colours))
  other$inside <- other$estimate >= limits[1L] & other$estimate <= limits[2L]
  other$mark <- ifelse(other$inside, 20L, ifelse(other$estimate < limits[1L], 60L, 62L))
  other$estimate <- pmin(pmax(other$estimate, limits[1L]), limits[2L])
  both <- mine[mine$term %in% mine$term[duplicated(mine$term)], , drop = FALSE]
  weights <- data.frame(term = factor(terms, rev(terms)), text = percent(attr(data, "weight")))
  gg_start(other, .data$estimate, .data$term) +
    ggplot2::geom_vline(xintercept = 0, colour = path_colours$frame) +
    ggplot2::geom_line(ggplot2::aes(group = .data$term), both, colour = path_colours$ink,
                       linewidth = .4) +
    ggplot2::geom_point(ggplot2::aes(shape = .data$kind), mine, colour = path_colours$ink,
                        fill = "white", size = if (length(terms) > 20L) 1.6 else 2.2) +
    ggplot2::geom_point(ggplot2::aes(colour = .data$source), shape = other$mark, size = 1.6) +
    ggplot2::geom_text(ggplot2::aes(x = Inf, label = .data$text), weights, hjust = -.15,
                       size = dot_points(length(terms)) / 2.85, check_overlap = TRUE,
                       colour = path_colours$ink) +
    ggplot2::scale_colour_manual(values = colours, name = NULL,
                                 labels = shorten(names(colours), 18L)) +
    ggplot2::scale_shape_manual(values = stats::setNames(c(21, 19), kinds), name = NULL) +
    ggplot2::scale_x_continuous(limits = limits) +
    gg_dot_names(length(terms)) +
    ggplot2::guides(
      shape = ggplot2::guide_legend(order = 1),
      colour = ggplot2::guide_legend(nrow = ceiling(sum(nchar(names(colours)) + 4) / 40),
                                     byrow = TRUE)
    ) +
    ggplot2::coord_cartesian(clip = "off") +
    ggplot2::theme(
      legend.box = "vertical", legend.box.just = "left",
      legend.spacing.y = ggplot2::unit(0, "pt"), legend.key.height = ggplot2::unit(11, "pt"),
      legend.margin = ggplot2::margin(0, 0, 0, 0), plot.margin = ggplot2::margin(6, 40, 6, 6)
    ) +
    labels
}

# Names of the rows of a dot plot; those that would lie over others are left out.
gg_dot_names <- function(n) {
  list(
    ggplot2::scale_y_discrete(labels = function(names) shorten(as.character(names), 22L),
                              guide = ggplot2::guide_axis(check.overlap = TRUE)),
    ggplot2::theme(axis.text.y = ggplot2::element_text(size = dot_points(n)))
  )
}

# Their size: that of 20 rows in a picture of four inches, but none too small to read.
dot_points <- function(n) min(9, max(5.5, 160 / n))

# Titles of more than a line.
gg_wrap <- function(title) paste(strwrap(title, 46L), collapse = "\n")
