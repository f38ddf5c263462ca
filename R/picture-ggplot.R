# Pictures as ggplot2 objects.

picture_ggplot_draw <- function(picture) {
  rlang::check_installed("ggplot2", reason = "for `autoplot()`")
  if (picture$layout == "beside" && length(picture$panels) > 1L) picture <- picture_ggplot_on_one_axis(picture)
  panels <- picture$panels
  titles <- vapply(panels, function(panel) panel$title, "")
  p <- ggplot2::ggplot() + picture_ggplot_theme()
  for (layer in picture_ggplot_layers(panels, titles)) p <- p + picture_ggplot_layer(layer)
  p <- p + picture_ggplot_keys(picture$keys, panels,
                               titles) + picture_ggplot_axes(picture) + picture_ggplot_facets(picture, titles) +
    picture_ggplot_keys_left(panels[[1L]]$y) + picture_ggplot_empty(panels, titles) +
    ggplot2::labs(title = if (nzchar(picture$title)) picture_ggplot_wrap(picture$title, 12), # 11, but bold
                  subtitle = if (length(picture_ggplot_notes(picture))) {
                    picture_ggplot_wrap(picture_ggplot_notes(picture), SMALL_PRINT)
                  })
  picture_ggplot_with_layout(picture_ggplot_right(picture_ggplot_ends(p, panels, titles), panels))
}

# The elements of the theme that the layout of a picture needs: room for names at the right, keys above the panels,
# small letters of names. A complete theme that the user adds, such as theme_bw(), would replace them; ggplot_build()
# puts them back. From ggplot2 4.0 on plots are not S3 objects, so this method is not called: there the guide keeps
# the keys above the panels, see picture_ggplot_keys().
PICTURE_LAYOUT <- c("plot.margin", "panel.spacing.x", "panel.spacing.y", "strip.placement", "axis.text.y",
                    "axis.text.x.bottom")
PICTURE_LEGEND <- c("legend.position", "legend.justification", "legend.margin", "legend.box.margin",
                    "legend.key.height", "legend.key.width", "legend.text", "legend.title")

picture_ggplot_with_layout <- function(p) {
  if (utils::packageVersion("ggplot2") >= "4.0.0") return(p)
  attr(p, "layout") <- p$theme
  class(p) <- c("transelect_picture", class(p))
  p
}

#' @exportS3Method ggplot2::ggplot_build
ggplot_build.transelect_picture <- function(plot, ...) {
  layout <- attr(plot, "layout")
  class(plot) <- setdiff(class(plot), "transelect_picture")
  if (!identical(plot$theme, layout) && isTRUE(attr(plot$theme, "complete"))) {
    kept <- PICTURE_LAYOUT
    # "right" comes from the complete theme; any other place of the keys was set by the user
    if (identical(plot$theme$legend.position, "right")) kept <- c(kept, PICTURE_LEGEND)
    for (name in intersect(kept, names(layout))) if (!is.null(layout[[name]])) plot$theme[[name]] <- layout[[name]]
  }
  ggplot2::ggplot_build(plot)
}

picture_ggplot_theme <- function() {
  small <- function(...) ggplot2::element_text(size = ggplot2::rel(.8), ...)
  list(
    # the data hold the looks of marks; keys have an aesthetic of their own, see picture_ggplot_keys()
    ggplot2::scale_colour_identity(), ggplot2::scale_linewidth_identity(), ggplot2::scale_linetype_identity(),
    ggplot2::scale_shape_identity(), ggplot2::scale_size_identity(),
    ggplot2::theme_minimal(base_size = 11),
    ggplot2::theme(
      panel.grid.minor = ggplot2::element_blank(), panel.grid.major.x = ggplot2::element_blank(),
      legend.position = "top", legend.justification = "left", plot.title.position = "plot",
      legend.margin = ggplot2::margin(0, 0, 0, 0), legend.key.height = ggplot2::unit(11, "pt"),
      legend.key.width = ggplot2::unit(15, "pt"), legend.text = small(),
      legend.title = small(margin = ggplot2::margin(0, 8, 0, 0)),
      axis.title.x = ggplot2::element_text(margin = ggplot2::margin(5, 0, 0, 0)),
      axis.title.y = ggplot2::element_text(angle = 90, margin = ggplot2::margin(0, 6, 0, 0)),
      plot.title = ggplot2::element_text(face = "bold", size = ggplot2::rel(1)),
      plot.subtitle = small(colour = picture_colours$frame),
      plot.background = ggplot2::element_rect(fill = "white", colour = NA) # else a saved file is transparent
    )
  )
}

SMALL_PRINT <- 8.8 # points, .8 of the others

# The width that a picture is assumed to have, since it is made before it is drawn: `most` inches, or the width of the
# open device if that is less. Parts that would be cut off in a narrower picture, such as keys, ask with a small
# `most`.
picture_ggplot_inches <- function(most = 5) min(most, if (grDevices::dev.cur() > 1L) grDevices::dev.size("in")[1L])

# The width of words in inches, in letters of `points`. A null device measures them, so no page begins on another.
picture_ggplot_text_inches <- function(words, points) {
  if (!length(words)) return(numeric())
  open <- grDevices::dev.cur()
  grDevices::pdf(NULL)
  on.exit({
    grDevices::dev.off()
    if (open > 1L) grDevices::dev.set(open)
  })
  widths <- grid::unit(rep(points / 12, length(words)), "strwidth", as.list(words))
  suppressWarnings(grid::convertWidth(widths, "inches", valueOnly = TRUE)) # warnings: letters that this device lacks
}

# The width of the longest of the words as a unit of grid, whose length is found when the picture is drawn.
picture_ggplot_longest_width <- function(words, points) {
  place <- grid::unit(rep(0, length(words)), "npc") # with one place for all, only the first word would be measured
  grid::grobWidth(grid::textGrob(words, place, gp = grid::gpar(fontsize = points)))
}

# Margins of 6 points at the top, bottom and left of the picture, and of the unit `right` at its right.
picture_ggplot_margin <- function(right) {
  ggplot2::theme(plot.margin = grid::unit.c(grid::unit(6, "pt"), right, grid::unit(c(6, 6), "pt")))
}

picture_ggplot_wrap <- function(words, points) {
  # letters of other fonts may be wider
  share <- .85 * picture_ggplot_inches() / picture_ggplot_text_inches(words, points)
  paste(strwrap(words, floor(nchar(words) * share)), collapse = "\n")
}

# The size of the letters of n names on an axis, in points.
picture_ggplot_name_points <- function(n) min(9, max(5.5, 160 / max(n, 1L)))

# The names of an axis, cut so that they fit: into a third of the width beside the panel, or into 1.1 inches below it.
picture_ggplot_axis_names <- function(axis, side) {
  picture_base_room_fit_labels(as.character(axis$labels), if (side == "y") picture_ggplot_inches(7) / 3 else 1.1,
                               picture_ggplot_name_points(length(axis$at)),
                               picture_ggplot_text_inches)
}

# The small print below the title: the note, and the heading of the column at the right.
picture_ggplot_notes <- function(picture) {
  heading <- unique(vapply(picture$panels, function(panel) panel$right_title, ""))
  heading <- heading[nzchar(heading)]
  paste(c(picture$note, if (length(heading)) paste("at the right:", heading)), collapse = "; ")[
    length(c(picture$note, heading)) > 0]
}

picture_ggplot_in_panel <- function(data, title, titles) {
  data$panel <- factor(rep(title, nrow(data)), titles)
  data
}

# The layers of all panels. Layers with the same number, kind and columns become one layer with the panels' data.
picture_ggplot_layers <- function(panels, titles) {
  joined <- list()
  for (i in seq_len(max(lengths(lapply(panels, `[[`, "layers"))))) {
    here <- lapply(seq_along(panels), function(k) {
      layer <- if (i <= length(panels[[k]]$layers)) panels[[k]]$layers[[i]]
      if (is.null(layer)) return(NULL)
      layer$data <- picture_ggplot_in_panel(picture_ggplot_cut_at(layer, panels[[k]]$y$limits), titles[k], titles)
      layer
    })
    here <- Filter(Negate(is.null), here)
    signature <- vapply(here, function(l) paste(c(l$kind, names(l$data)), collapse = " "), "")
    for (one in unique(signature)) {
      same <- here[signature == one]
      data <- do.call(rbind, lapply(same, `[[`, "data"))
      joined[[length(joined) + 1L]] <- list(kind = same[[1L]]$kind, data = data)
    }
  }
  joined
}

# The data of a layer, with bands and vertical segments cut at the limits of the panel. ggplot2 does not cut them
# itself where clipping is off, so that names can be written at the right of a panel.
picture_ggplot_cut_at <- function(layer, limits) {
  data <- layer$data
  inside <- function(value) pmin(pmax(value, limits[1L]), limits[2L])
  if (layer$kind == "segment") {
    upright <- which(data$x == data$xend)
    data$y[upright] <- inside(data$y[upright])
    data$yend[upright] <- inside(data$yend[upright])
  }
  if (layer$kind != "band") return(data)
  do.call(rbind, lapply(split(data, factor(data$group, unique(data$group))), function(one) {
    if (nrow(one) < 2L) return(one)
    crossings <- unlist(lapply(limits, function(limit) c(picture_ggplot_zero_crossings(one$x, one$low - limit),
                                                         picture_ggplot_zero_crossings(one$x, one$high - limit))))
    x <- sort(unique(c(one$x, crossings)))
    cut <- one[findInterval(x, one$x), , drop = FALSE]
    cut$x <- x
    for (edge in c("low", "high")) cut[[edge]] <- inside(stats::approx(one$x, one[[edge]], x)$y)
    cut
  }))
}

# The places between neighbouring points (x, value) where the line through them crosses zero.
picture_ggplot_zero_crossings <- function(x, value) {
  k <- which(value[-1L] * value[-length(value)] < 0)
  x[k] + diff(x)[k] * value[k] / (value[k] - value[k + 1L])
}

# The layer of ggplot2. Its numbers turn lwd and cex of base graphics into the units of ggplot2.
picture_ggplot_layer <- function(layer) {
  data <- layer$data
  aes <- ggplot2::aes
  if (!is.null(data$group)) data$group <- factor(data$group, unique(data$group)) # drawn in this order
  quiet <- function(geom, mapping, ...) geom(mapping, data, ..., show.legend = FALSE, na.rm = TRUE)
  switch(layer$kind,
    line = quiet(
      if (data$step[1L]) ggplot2::geom_step else ggplot2::geom_line,
      aes(.data$x, .data$y, group = .data$group, colour = .data$col, linewidth = .4 * .data$lwd,
          linetype = .data$lty)
    ),
    point = quiet(ggplot2::geom_point,
                  aes(.data$x, .data$y, colour = .data$col, shape = .data$pch, size = 1.8 * .data$cex),
                  fill = "white"),
    segment = quiet(ggplot2::geom_segment,
                    aes(.data$x, .data$y, xend = .data$xend, yend = .data$yend, colour = .data$col,
                        linewidth = .4 * .data$lwd, linetype = .data$lty)),
    band = lapply(split(data, data$group), function(one) {
      ggplot2::geom_ribbon(aes(.data$x, ymin = .data$low, ymax = .data$high), one, fill = one$col[1L],
                           alpha = one$alpha[1L], na.rm = TRUE)
    }),
    rule = lapply(unique(data$side), function(side) picture_ggplot_rule(data[data$side == side, ])),
    text = quiet(ggplot2::geom_text,
                 aes(.data$x, .data$y, label = .data$label, hjust = .data$hjust, vjust = .data$vjust,
                     size = 4 * .data$cex, colour = .data$col)),
    tile = picture_ggplot_tiles(data)
  )
}

picture_ggplot_rule <- function(data) {
  down <- data$side[1L] == "x"
  mapping <- if (down) ggplot2::aes(xintercept = .data$at) else ggplot2::aes(yintercept = .data$at)
  (if (down) ggplot2::geom_vline else ggplot2::geom_hline)(
    utils::modifyList(mapping, ggplot2::aes(colour = .data$col, linetype = .data$lty,
                                            linewidth = .4 * .data$lwd)),
    data, show.legend = FALSE
  )
}

picture_ggplot_tiles <- function(data) {
  limit <- picture_tile_limit(data$value)
  list(
    ggplot2::geom_tile(ggplot2::aes(.data$x, .data$y, fill = .data$value), data,
                       colour = picture_colours$faint, linewidth = .2),
    ggplot2::scale_fill_gradientn(
      colours = picture_colours$diverging, limits = c(-limit, limit), name = data$unit[1L],
      guide = ggplot2::guide_colourbar(barwidth = 10, barheight = .6)
    ),
    ggplot2::theme(panel.grid = ggplot2::element_blank())
  )
}

picture_ggplot_empty <- function(panels, titles) {
  lapply(seq_along(panels), function(k) {
    panel <- panels[[k]]
    if (is.null(panel$empty)) return(NULL)
    data <- data.frame(x = mean(panel$x$limits), y = mean(panel$y$limits), label = panel$empty)
    ggplot2::geom_text(ggplot2::aes(.data$x, .data$y, label = .data$label),
                       picture_ggplot_in_panel(data, titles[k], titles), colour = picture_colours$frame, size = 3.5)
  })
}

# The keys: a layer of one point for each label. The points have no place, so only their keys are drawn.
picture_ggplot_keys <- function(keys, panels, titles) {
  if (!NROW(keys)) return(NULL)
  data <- data.frame(x = NA_real_, y = NA_real_, key = factor(keys$label, keys$label))
  data <- picture_ggplot_in_panel(data, titles[1L], titles)
  line <- is.na(keys$pch)
  glyph <- function(data, params, size) {
    grid::gList(ggplot2::draw_key_path(data, params, size),
                ggplot2::draw_key_point(data, params, size))
  }
  looks <- list(colour = keys$col, shape = keys$pch, fill = "white", size = 2, alpha = 1,
                linetype = ifelse(line, keys$lty, 0), linewidth = .4 * keys$lwd)
  list(
    ggplot2::geom_point(ggplot2::aes(.data$x, .data$y, alpha = .data$key), data, na.rm = TRUE,
                        key_glyph = glyph, show.legend = TRUE),
    ggplot2::scale_alpha_manual(
      values = stats::setNames(rep(1, nrow(keys)), keys$label), name = NULL,
      guide = do.call(ggplot2::guide_legend, c(
        list(override.aes = looks, ncol = picture_ggplot_key_columns(keys$label, picture_ggplot_inches() - .6),
             byrow = TRUE),
        if (utils::packageVersion("ggplot2") >= "3.5.0") list(position = "top")
      ))
    )
  )
}

# ggplot2 starts the keys at the left edge of the panel. If rows have names, the keys start where the names do.
picture_ggplot_keys_left <- function(y) {
  if (!y$names || !length(y$labels)) return(NULL)
  left <- grid::unit(-4, "pt") - picture_ggplot_longest_width(picture_ggplot_axis_names(y, "y"),
                                                              picture_ggplot_name_points(length(y$at)))
  ggplot2::theme(legend.box.margin = grid::unit.c(grid::unit(c(0, 0, 0), "pt"), left))
}

# The number of columns of keys: so many that there are as few rows as `inches` allow, and no more columns than that.
picture_ggplot_key_columns <- function(labels, inches) {
  n <- length(labels)
  wide <- picture_ggplot_text_inches(labels, SMALL_PRINT) + .4
  fits <- vapply(seq_len(n), function(columns) {
    columns == 1L || sum(tapply(wide, (seq_len(n) - 1L) %% columns, max)) <= inches
  }, NA)
  columns <- which(fits)
  rows <- ceiling(n / columns)
  columns[match(min(rows), rows)]
}

picture_ggplot_facets <- function(picture, titles) {
  if (length(titles) < 2L) return(NULL)
  outside <- ggplot2::theme(strip.placement = "outside")
  switch(picture$layout,
    wrap = {
      columns <- ceiling(sqrt(length(titles)))
      inches <- (picture_ggplot_inches(7) - .8) / columns - .1
      list(
        ggplot2::facet_wrap("panel", ncol = columns, labeller = ggplot2::as_labeller(function(x) {
          picture_base_room_fit_labels(x, inches, SMALL_PRINT, picture_ggplot_text_inches)
        })),
        ggplot2::theme(strip.text = ggplot2::element_text(hjust = 0, margin = ggplot2::margin(4, 0, 4, 0)))
      )
    },
    stack = list(ggplot2::facet_grid(rows = "panel", scales = "free_y", switch = "y"), outside),
    beside = list(
      ggplot2::facet_wrap("panel", nrow = 1L, scales = "free_x", strip.position = "bottom",
                          labeller = ggplot2::as_labeller(function(x) {
                            picture_ggplot_title_lines(x, picture$panels[[1L]]$y)
                          })),
      outside, ggplot2::theme(strip.text = ggplot2::element_text(vjust = 1))
    )
  )
}

# The titles below panels that stand beside each other. A title longer than its panel is broken into two lines.
picture_ggplot_title_lines <- function(titles, y) {
  names <- picture_ggplot_text_inches(picture_ggplot_axis_names(y, "y"), picture_ggplot_name_points(length(y$at)))
  inches <- (picture_ggplot_inches() - max(names)) / length(titles)
  long <- picture_ggplot_text_inches(titles, SMALL_PRINT) > inches - .3
  replace(titles, long, vapply(titles[long], picture_base_two_lines, ""))
}

# Panels with different x axes share one axis: panel k lies between 2k and 2k + 1 and keeps the labels of its ticks.
picture_ggplot_on_one_axis <- function(picture) {
  for (k in seq_along(picture$panels)) {
    panel <- picture$panels[[k]]
    axis <- panel$x
    place <- function(x) 2 * k + picture_ggplot_share_of_axis(x, axis)
    panel$x[c("at", "limits", "log")] <- list(place(axis$at), place(axis$limits), FALSE)
    panel$layers <- lapply(panel$layers, function(layer) {
      down <- layer$kind == "rule" & layer$data$side %in% "x"
      layer$data$at[down] <- place(layer$data$at[down])
      for (name in intersect(c("x", "xend"), names(layer$data))) {
        layer$data[[name]] <- place(layer$data[[name]])
      }
      layer
    })
    panel$title <- panel$x$label # the strip below the panel is the title of its axis
    picture$panels[[k]] <- panel
  }
  picture
}

picture_ggplot_axes <- function(picture) {
  panels <- picture$panels
  first <- panels[[1L]]
  beside <- picture$layout == "beside" && length(panels) > 1L
  stack <- picture$layout == "stack" && length(panels) > 1L
  outside <- any(vapply(panels, function(panel) {
    NROW(panel$ends) > 0 || !is.null(panel$right) || picture_base_room_has_text_above(panel)
  }, NA))
  list(
    if (beside) picture_ggplot_axis_beside(panels) else picture_ggplot_axis(first$x, "x", first$y$names),
    picture_ggplot_axis(if (stack) utils::modifyList(first$y, list(limits = NULL)) else first$y, "y"),
    if (stack) picture_ggplot_limits(panels),
    ggplot2::coord_cartesian(
      xlim = if (!beside) first$x$limits, ylim = if (!stack) first$y$limits,
      clip = if (outside) "off" else "on", expand = FALSE
    ),
    ggplot2::labs(x = if (beside || !nzchar(first$x$label)) NULL else first$x$label,
                  y = if (stack || !nzchar(first$y$label)) NULL else first$y$label)
  )
}

# grid: faint lines at the ticks of an x axis too?
picture_ggplot_axis <- function(axis, side, grid = FALSE) {
  scale <- if (side == "x") ggplot2::scale_x_continuous else ggplot2::scale_y_continuous
  upright <- side == "x" && axis$names && sum(nchar(as.character(axis$labels))) > 60
  arguments <- list(guide = ggplot2::guide_axis(check.overlap = TRUE, angle = if (upright) 90))
  if (axis$log) arguments$trans <- "log10"
  if (!is.null(axis$at)) {
    labels <- if (axis$names) picture_ggplot_axis_names(axis, side) else axis$labels
    arguments <- c(arguments, list(breaks = axis$at, labels = as.character(labels)))
  }
  second <- axis$second
  if (!is.null(second)) {
    arguments$sec.axis <- ggplot2::dup_axis(breaks = second$at, labels = as.character(second$labels),
                                            name = second$label,
                                            guide = ggplot2::guide_axis(check.overlap = TRUE))
  }
  theme <- if (axis$names) {
    text <- ggplot2::element_text(size = picture_ggplot_name_points(length(axis$at)))
    if (side == "y") {
      ggplot2::theme(axis.text.y = text, panel.grid.major.y = ggplot2::element_blank())
    } else {
      ggplot2::theme(axis.text.x.bottom = text)
    }
  } else if (grid) {
    ggplot2::theme(panel.grid.major.x = ggplot2::element_line(colour = picture_colours$faint))
  }
  list(do.call(scale, arguments), theme)
}

picture_ggplot_axis_beside <- function(panels) {
  ticks <- unlist(lapply(panels, function(panel) panel$x$at))
  labels <- unlist(lapply(panels, function(panel) as.character(panel$x$labels)))
  list(
    ggplot2::scale_x_continuous(breaks = ticks, labels = labels,
                                guide = ggplot2::guide_axis(check.overlap = TRUE)),
    picture_ggplot_limits(panels),
    ggplot2::theme(panel.grid.major.x = ggplot2::element_line(colour = picture_colours$faint),
                   panel.spacing.x = ggplot2::unit(14, "pt"))
  )
}

# Invisible points at the corners of the panels set their limits.
picture_ggplot_limits <- function(panels) {
  titles <- vapply(panels, function(panel) panel$title, "")
  corners <- do.call(rbind, lapply(seq_along(panels), function(k) {
    picture_ggplot_in_panel(data.frame(x = panels[[k]]$x$limits, y = panels[[k]]$y$limits), titles[k], titles)
  }))
  ggplot2::geom_blank(ggplot2::aes(.data$x, .data$y), corners)
}

# Names at the right of each panel, each joined by a short line to the end of its curve.
picture_ggplot_ends <- function(p, panels, titles) {
  n <- length(panels)
  named <- which(vapply(panels, function(panel) NROW(panel$ends) > 0L, NA))
  if (!length(named)) return(p)
  # points of the letters, and between a panel and the names at its right
  size <- if (n > 9L) 5 else if (n > 1L) 7 else 8.5
  leader <- if (n > 9L) 8 else 16
  inches <- .4 * picture_ggplot_inches(7) / ceiling(sqrt(n)) - leader / 72
  grobs <- lapply(panels[named], picture_ggplot_ends_grob, size = size, leader = leader, inches = inches)
  names <- unlist(lapply(grobs, function(grob) grob$ends$label))
  width <- grid::unit(leader + 4, "pt") + picture_ggplot_longest_width(names, size)
  layers <- lapply(seq_along(named), function(k) {
    ggplot2::layer(ggplot2::GeomCustomAnn, "identity", position = "identity",
                   data = picture_ggplot_in_panel(data.frame(x = NA), titles[named[k]], titles), inherit.aes = FALSE,
                   params = list(grob = grobs[[k]], xmin = -Inf, xmax = Inf, ymin = -Inf, ymax = Inf))
  })
  p + layers + picture_ggplot_margin(width) + ggplot2::theme(panel.spacing.x = width,
                                                             panel.spacing.y = grid::unit(9, "pt"))
}

# The names must be so far apart that their letters do not overlap. How much of the panel that is, is known only when
# the panel is drawn: makeContent() spreads them then. `at` and `from` of the result's ends are places as shares of
# the panel, up and across.
picture_ggplot_ends_grob <- function(panel, size, leader, inches) {
  ends <- panel$ends
  ends$label <- picture_base_room_fit_labels(ends$label, inches, size, picture_ggplot_text_inches)
  ends$at <- picture_ggplot_share_of_axis(ends$y, panel$y)
  ends$from <- pmin(picture_ggplot_share_of_axis(ends$x, panel$x), 1)
  grid::gTree(ends = ends, size = size, leader = leader, cl = "transelect_ends")
}

# Where a value stands between the limits of its axis, 0 to 1.
picture_ggplot_share_of_axis <- function(value, axis) {
  place <- if (axis$log) log10 else identity
  (place(value) - place(axis$limits[1L])) / diff(place(axis$limits))
}

#' @exportS3Method grid::makeContent
makeContent.transelect_ends <- function(x) {
  ends <- x$ends
  gap <- 1.1 * x$size / grid::convertHeight(grid::unit(1, "npc"), "points", valueOnly = TRUE)
  ends <- utils::head(ends, 1 + floor(1 / gap))
  label_places <- grid::unit(picture_spread_labels(ends$at, gap, 0:1), "npc")
  right <- function(points) grid::unit(1, "npc") + grid::unit(points, "points")
  grid::setChildren(x, grid::gList(
    grid::segmentsGrob(grid::unit(ends$from, "npc"), grid::unit(ends$at, "npc"), right(.8 * x$leader), label_places,
                       gp = grid::gpar(col = ends$col, lwd = .6)),
    grid::textGrob(ends$label, right(x$leader), label_places, hjust = 0,
                   gp = grid::gpar(col = ends$col, fontsize = x$size))
  ))
}

picture_ggplot_right <- function(p, panels) {
  right <- panels[[1L]]$right
  if (is.null(right)) return(p)
  points <- picture_ggplot_name_points(nrow(right))
  y <- grid::unit(picture_ggplot_share_of_axis(right$y, panels[[1L]]$y), "npc")
  p + picture_ggplot_margin(grid::unit(14, "pt") + picture_ggplot_longest_width(right$label, points)) +
    ggplot2::annotation_custom(grid::textGrob(
      right$label, grid::unit(1, "npc") + grid::unit(8, "pt"), y, hjust = 0, check.overlap = TRUE,
      gp = grid::gpar(fontsize = points, col = picture_colours$ink)
    ))
}
