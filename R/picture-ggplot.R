# Pictures as ggplot2 objects.

gg_picture <- function(picture) {
  rlang::check_installed("ggplot2", reason = "for `autoplot()`")
  if (picture$layout == "beside" && length(picture$panels) > 1L) picture <- on_one_axis(picture)
  panels <- picture$panels
  titles <- vapply(panels, function(panel) panel$title, "")
  p <- ggplot2::ggplot() + gg_theme()
  for (layer in gg_layers(panels, titles)) p <- p + gg_layer(layer)
  p <- p + gg_keys(picture$keys, panels, titles) + gg_axes(picture) + gg_facets(picture, titles) +
    gg_empty(panels, titles) +
    ggplot2::labs(title = if (nzchar(picture$title)) gg_wrap(picture$title, 50L),
                  subtitle = if (length(gg_notes(picture))) gg_wrap(gg_notes(picture), 64L))
  gg_right(gg_ends(p, panels, titles), panels)
}

gg_theme <- function() {
  small <- function(...) ggplot2::element_text(size = ggplot2::rel(.8), ...)
  list(
    # marks carry their looks; keys have an aesthetic of their own, see gg_keys()
    ggplot2::scale_colour_identity(), ggplot2::scale_linewidth_identity(), ggplot2::scale_linetype_identity(),
    ggplot2::scale_shape_identity(), ggplot2::scale_size_identity(),
    ggplot2::theme_minimal(base_size = 11),
    ggplot2::theme(
      panel.grid.minor = ggplot2::element_blank(), panel.grid.major.x = ggplot2::element_blank(),
      legend.position = "top", legend.justification = "left", plot.title.position = "plot",
      legend.margin = ggplot2::margin(0, 0, 0, 0), legend.key.height = ggplot2::unit(11, "pt"),
      legend.key.width = ggplot2::unit(15, "pt"), legend.text = small(),
      axis.title.x = ggplot2::element_text(margin = ggplot2::margin(5, 0, 0, 0)),
      axis.title.y = ggplot2::element_text(angle = 90, margin = ggplot2::margin(0, 6, 0, 0)),
      plot.title = ggplot2::element_text(face = "bold", size = ggplot2::rel(1)),
      plot.subtitle = small(colour = picture_colours$frame),
      plot.background = ggplot2::element_rect(fill = "white", colour = NA) # else a saved file is transparent
    )
  )
}

gg_wrap <- function(words, width) paste(strwrap(words, width), collapse = "\n")

# Small print: the note, and the heading of a column at the right.
gg_notes <- function(picture) {
  heading <- unique(vapply(picture$panels, function(panel) panel$right_title, ""))
  heading <- heading[nzchar(heading)]
  paste(c(picture$note, if (length(heading)) paste("at the right:", heading)), collapse = "; ")[
    length(c(picture$note, heading)) > 0]
}

# ---- marks --------------------------------------------------------------------------------------

in_panel <- function(data, title, titles) {
  data$panel <- factor(rep(title, nrow(data)), titles)
  data
}

# Layers of the same place and kind in all panels become one.
gg_layers <- function(panels, titles) {
  out <- list()
  for (i in seq_len(max(lengths(lapply(panels, `[[`, "layers"))))) {
    here <- lapply(seq_along(panels), function(k) {
      layer <- if (i <= length(panels[[k]]$layers)) panels[[k]]$layers[[i]]
      if (is.null(layer)) return(NULL)
      layer$data <- in_panel(cut_at(layer, panels[[k]]$y$limits), titles[k], titles)
      layer
    })
    here <- Filter(Negate(is.null), here)
    signature <- vapply(here, function(l) paste(c(l$kind, names(l$data)), collapse = " "), "")
    for (one in unique(signature)) {
      same <- here[signature == one]
      data <- do.call(rbind, lapply(same, `[[`, "data"))
      out[[length(out) + 1L]] <- list(kind = same[[1L]]$kind, data = data)
    }
  }
  out
}

# The data of a layer, with bands and vertical segments cut at the limits of the panel. Where names are written at the
# right of a panel, ggplot2 does not cut what is drawn beyond it.
cut_at <- function(layer, limits) {
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
    crossings <- unlist(lapply(limits, function(limit) c(zero_crossings(one$x, one$low - limit),
                                                         zero_crossings(one$x, one$high - limit))))
    x <- sort(unique(c(one$x, crossings)))
    out <- one[findInterval(x, one$x), , drop = FALSE]
    out$x <- x
    for (edge in c("low", "high")) out[[edge]] <- inside(stats::approx(one$x, one[[edge]], x)$y)
    out
  }))
}

# Where the line through the points (x, value) is zero, between two of them.
zero_crossings <- function(x, value) {
  k <- which(value[-1L] * value[-length(value)] < 0)
  x[k] + diff(x)[k] * value[k] / (value[k] - value[k + 1L])
}

# Widths of lines and sizes of points are those of base graphics.
gg_layer <- function(layer) {
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
    rule = lapply(unique(data$side), function(side) gg_rule(data[data$side == side, ])),
    text = quiet(ggplot2::geom_text,
                 aes(.data$x, .data$y, label = .data$label, hjust = .data$hjust, vjust = .data$vjust,
                     size = 4 * .data$cex, colour = .data$col)),
    tile = gg_tiles(data)
  )
}

gg_rule <- function(data) {
  down <- data$side[1L] == "x"
  mapping <- if (down) ggplot2::aes(xintercept = .data$at) else ggplot2::aes(yintercept = .data$at)
  (if (down) ggplot2::geom_vline else ggplot2::geom_hline)(
    utils::modifyList(mapping, ggplot2::aes(colour = .data$col, linetype = .data$lty,
                                            linewidth = .4 * .data$lwd)),
    data, show.legend = FALSE
  )
}

gg_tiles <- function(data) {
  limit <- tile_limit(data$value)
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

gg_empty <- function(panels, titles) {
  lapply(seq_along(panels), function(k) {
    panel <- panels[[k]]
    if (is.null(panel$empty)) return(NULL)
    data <- data.frame(x = mean(panel$x$limits), y = mean(panel$y$limits), label = panel$empty)
    ggplot2::geom_text(ggplot2::aes(.data$x, .data$y, label = .data$label),
                       in_panel(data, titles[k], titles), colour = picture_colours$frame, size = 3.5)
  })
}

# Keys: points that are not drawn (they have no place) with a label each.
gg_keys <- function(keys, panels, titles) {
  if (!NROW(keys)) return(NULL)
  data <- data.frame(x = NA_real_, y = NA_real_, key = factor(keys$label, keys$label))
  data <- in_panel(data, titles[1L], titles)
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
      guide = ggplot2::guide_legend(override.aes = looks, ncol = key_columns(keys$label, panels[[1L]]$y), byrow = TRUE)
    )
  )
}

# As many columns of keys as fit into a picture of four inches: 62 characters. They begin where the panel
# does, at the right of the names of the y axis.
key_columns <- function(labels, y) {
  room <- 62 - if (y$names) .8 * min(22, max(nchar(y$labels))) else 0
  wide <- nchar(labels) + 6.5
  for (columns in rev(seq_along(labels))) {
    if (sum(tapply(wide, (seq_along(wide) - 1L) %% columns, max)) <= room) break
  }
  columns
}

# ---- axes and facets ------------------------------------------------------------------------------

gg_facets <- function(picture, titles) {
  if (length(titles) < 2L) return(NULL)
  outside <- ggplot2::theme(strip.placement = "outside")
  switch(picture$layout,
    wrap = {
      keep <- min(24, max(9, 72 %/% ceiling(sqrt(length(titles))))) # beside so many panels
      ggplot2::facet_wrap("panel", ncol = ceiling(sqrt(length(titles))),
                          labeller = ggplot2::as_labeller(function(x) shorten(x, keep)))
    },
    stack = list(ggplot2::facet_grid(rows = "panel", scales = "free_y", switch = "y"), outside),
    beside = list(
      ggplot2::facet_wrap("panel", nrow = 1L, scales = "free_x", strip.position = "bottom"),
      outside
    )
  )
}

# Panels with different x axes share one axis: panel k lies between 2k and 2k + 1 and keeps the labels of its ticks.
on_one_axis <- function(picture) {
  for (k in seq_along(picture$panels)) {
    panel <- picture$panels[[k]]
    axis <- panel$x
    place <- function(x) 2 * k + share_of_axis(x, axis)
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

gg_axes <- function(picture) {
  panels <- picture$panels
  first <- panels[[1L]]
  beside <- picture$layout == "beside" && length(panels) > 1L
  stack <- picture$layout == "stack" && length(panels) > 1L
  outside <- any(vapply(panels, function(panel) {
    NROW(panel$ends) > 0 || !is.null(panel$right) || has_text_above(panel)
  }, NA))
  list(
    if (beside) gg_axis_beside(panels) else gg_axis(first$x, "x", first$y$names),
    gg_axis(if (stack) utils::modifyList(first$y, list(limits = NULL)) else first$y, "y"),
    if (stack) gg_limits(panels),
    ggplot2::coord_cartesian(
      xlim = if (!beside) first$x$limits, ylim = if (!stack) first$y$limits,
      clip = if (outside) "off" else "on", expand = FALSE
    ),
    ggplot2::labs(x = if (beside || !nzchar(first$x$label)) NULL else first$x$label,
                  y = if (stack || !nzchar(first$y$label)) NULL else first$y$label)
  )
}

# grid: faint lines at the ticks of an x axis too?
gg_axis <- function(axis, side, grid = FALSE) {
  scale <- if (side == "x") ggplot2::scale_x_continuous else ggplot2::scale_y_continuous
  upright <- side == "x" && axis$names && sum(nchar(as.character(axis$labels))) > 60
  arguments <- list(guide = ggplot2::guide_axis(check.overlap = TRUE, angle = if (upright) 90))
  if (axis$log) arguments$trans <- "log10"
  if (!is.null(axis$at)) {
    labels <- if (axis$names) shorten(as.character(axis$labels), 22L) else axis$labels
    arguments <- c(arguments, list(breaks = axis$at, labels = as.character(labels)))
  }
  second <- axis$second
  if (!is.null(second)) {
    arguments$sec.axis <- ggplot2::dup_axis(breaks = second$at, labels = as.character(second$labels),
                                            name = second$label,
                                            guide = ggplot2::guide_axis(check.overlap = TRUE))
  }
  theme <- if (axis$names) {
    size <- min(9, max(5.5, 160 / max(length(axis$at), 1L)))
    text <- ggplot2::element_text(size = size)
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

gg_axis_beside <- function(panels) {
  at <- unlist(lapply(panels, function(panel) panel$x$at))
  labels <- unlist(lapply(panels, function(panel) as.character(panel$x$labels)))
  list(
    ggplot2::scale_x_continuous(breaks = at, labels = labels,
                                guide = ggplot2::guide_axis(check.overlap = TRUE)),
    gg_limits(panels),
    ggplot2::theme(panel.grid.major.x = ggplot2::element_line(colour = picture_colours$faint),
                   panel.spacing.x = ggplot2::unit(14, "pt"))
  )
}

# Invisible points at the corners of the panels set their limits.
gg_limits <- function(panels) {
  titles <- vapply(panels, function(panel) panel$title, "")
  corners <- do.call(rbind, lapply(seq_along(panels), function(k) {
    in_panel(data.frame(x = panels[[k]]$x$limits, y = panels[[k]]$y$limits), titles[k], titles)
  }))
  ggplot2::geom_blank(ggplot2::aes(.data$x, .data$y), corners)
}

# ---- names and numbers at the right -----------------------------------------------------------------

# Names at the right of each panel, tied to the ends of their lines.
gg_ends <- function(p, panels, titles) {
  n <- length(panels)
  named <- which(vapply(panels, function(panel) NROW(panel$ends) > 0L, NA))
  if (!length(named)) return(p)
  # points of the letters, and between a panel and the names at its right
  size <- if (n > 9L) 5 else if (n > 1L) 7 else 8.5
  leader <- if (n > 9L) 8 else 16
  # characters within two fifths of a panel, in a picture of seven inches
  keep <- min(40, floor((.4 * 504 / ceiling(sqrt(n)) - leader) / (.5 * size)))
  grobs <- lapply(panels[named], ends_grob, size = size, leader = leader, keep = keep)
  wide <- max(vapply(grobs, function(grob) max(nchar(grob$ends$label)), 1L))
  width <- leader + .56 * size * wide + 4
  layers <- lapply(seq_along(named), function(k) {
    ggplot2::layer(ggplot2::GeomCustomAnn, "identity", position = "identity",
                   data = in_panel(data.frame(x = NA), titles[named[k]], titles), inherit.aes = FALSE,
                   params = list(grob = grobs[[k]], xmin = -Inf, xmax = Inf, ymin = -Inf, ymax = Inf))
  })
  p + layers +
    ggplot2::theme(plot.margin = ggplot2::margin(6, width, 6, 6),
                   panel.spacing.x = ggplot2::unit(if (n > 1L) width else 6, "pt"),
                   panel.spacing.y = ggplot2::unit(9, "pt"))
}

# Names keep apart by the height of their letters in the panel as it is drawn: makeContent() knows it.
# ends: at, from: places in shares of the panel.
ends_grob <- function(panel, size, leader, keep) {
  ends <- panel$ends
  ends$label <- shorten(ends$label, keep)
  ends$at <- share_of_axis(ends$y, panel$y)
  ends$from <- pmin(share_of_axis(ends$x, panel$x), 1)
  grid::gTree(ends = ends, size = size, leader = leader, cl = "transelect_ends")
}

# Where a value stands between the limits of its axis, 0 to 1.
share_of_axis <- function(value, axis) {
  place <- if (axis$log) log10 else identity
  (place(value) - place(axis$limits[1L])) / diff(place(axis$limits))
}

#' @exportS3Method grid::makeContent
makeContent.transelect_ends <- function(x) {
  ends <- x$ends
  gap <- 1.1 * x$size / grid::convertHeight(grid::unit(1, "npc"), "points", valueOnly = TRUE)
  ends <- utils::head(ends, 1 + floor(1 / gap))
  at <- grid::unit(spread_labels(ends$at, gap, 0:1), "npc")
  right <- function(points) grid::unit(1, "npc") + grid::unit(points, "points")
  grid::setChildren(x, grid::gList(
    grid::segmentsGrob(grid::unit(ends$from, "npc"), grid::unit(ends$at, "npc"), right(.8 * x$leader), at,
                       gp = grid::gpar(col = ends$col, lwd = .6)),
    grid::textGrob(ends$label, right(x$leader), at, hjust = 0,
                   gp = grid::gpar(col = ends$col, fontsize = x$size))
  ))
}

gg_right <- function(p, panels) {
  right <- panels[[1L]]$right
  if (is.null(right)) return(p)
  points <- min(9, max(5.5, 160 / nrow(right)))
  p +
    ggplot2::geom_text(ggplot2::aes(x = Inf, .data$y, label = .data$label), right, hjust = -.15,
                       size = points / 2.85, check_overlap = TRUE, colour = picture_colours$ink) +
    ggplot2::theme(plot.margin = ggplot2::margin(6, max(40, .65 * points * max(nchar(right$label))), 6, 6))
}
