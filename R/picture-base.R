# Pictures drawn by base graphics. A picture fills one figure region, and par(plt = ) cuts it into panels. So a
# picture also fits into a layout that the user has set.

# picture: the description with the user's settings, as picture_user_settings() returns it. dots: these settings;
# those that a description does not hold, such as sizes of text, are taken from here.
picture_base_draw <- function(picture, dots, call = rlang::caller_env()) {
  force(picture)
  old <- graphics::par(mar = c(0, 0, 0, 0))
  on.exit(graphics::par(old))
  graphics::plot.new()
  n <- length(picture$panels)
  several <- picture$layout == "wrap" && n > 1L
  grid <- picture_base_grid(n, picture$layout)
  columns <- grid[2L]
  cex <- if (n > 12L) .5 else if (n > 4L) .6 else if (n > 1L) .7 else .75
  size <- picture_base_text_sizes(dots)$cex.lab
  room <- picture_base_room(picture, grid, cex, size)
  boxes <- picture_base_room_boxes(grid[1L], grid[2L], room$margin, room$gap, call)
  for (k in seq_len(n)) {
    outer <- c(x = k + columns > n, y = (k - 1L) %% columns == 0L) # is the panel at the bottom, at the left?
    picture_base_panel(picture$panels[[k]], boxes[[k]], several = several, outer = outer, room = room, cex = cex,
                       dots = dots)
  }
  if (several) { # all panels share the titles of the axes, which stand in the middle
    graphics::par(plt = c(boxes[[1L]][1L], boxes[[columns]][2L], boxes[[prod(grid)]][3L], boxes[[1L]][4L]), new = TRUE)
    graphics::plot.default(NA, NA, type = "n", axes = FALSE, ann = FALSE, xlim = 0:1, ylim = 0:1)
    picture_base_axis_title("x", picture$panels[[1L]]$x$label, 2, size, room$two[["x"]])
    picture_base_axis_title("y", picture$panels[[1L]]$y$label, 2.7, size, room$two[["y"]])
  }
  picture_base_head(picture, dots)
}

# Sizes and orientation of the text, which the user may set.
picture_base_text_sizes <- function(dots, small = FALSE) {
  set <- list(las = 1, cex.axis = if (small) .65 else .8, cex.lab = .9, cex.main = 1)
  utils::modifyList(set, dots[intersect(names(dots), names(set))])
}

# Rows and columns of panels.
picture_base_grid <- function(n, layout) {
  fin <- graphics::par("fin")
  columns <- switch(layout, stack = 1L, beside = n, min(n, max(1L, round(sqrt(n * fin[1L] / fin[2L])))))
  c(ceiling(n / columns), columns)
}

picture_base_panel <- function(panel, box, several, outer, room, cex, dots) {
  set <- picture_base_text_sizes(dots, small = several)
  picture_base_open_panel(panel, box, room, dots)
  # faint lines at the ticks: across the panel, or down it where the rows have names
  if (!picture_base_room_has_tiles(panel)) {
    side <- if (panel$y$names) "x" else "y"
    picture_base_rules(picture_rule(side, picture_base_ticks(panel[[side]], side), col = picture_colours$faint,
                       lty = 1)$data)
  }
  for (layer in panel$layers) picture_base_layer(layer)
  if (!is.null(panel$empty)) {
    graphics::text(graphics::grconvertX(.5, "npc", "user"), graphics::grconvertY(.54, "npc", "user"), panel$empty,
                   cex = 1.2 * cex, col = picture_colours$frame)
  }
  picture_base_axis(1, panel$x, outer[["x"]], set, room$names$x)
  picture_base_axis(2, panel$y, outer[["y"]], set, room$names$y)
  if (several) {
    inches <- (box[2L] - box[1L]) * graphics::par("fin")[1L] + .8 * room$right
    graphics::mtext(picture_base_room_fit_labels(panel$title, .9 * inches, .8), side = 3, line = .2, adj = 0, font = 2,
                    cex = .8 * graphics::par("cex"), col = picture_colours$ink)
  } else {
    for (side in c("x", "y")[outer]) {
      axis <- panel[[side]]
      line <- if (axis$names) room$names[[side]]$inches / graphics::par("csi") + .9 else c(x = 1.9, y = 2.9)[[side]]
      if (nzchar(axis$label)) picture_base_axis_title(side, axis$label, line, set$cex.lab, room$two[[side]])
    }
  }
  picture_base_ends(panel$ends, room$right, cex)
  picture_base_right(panel, room)
}

# Starts an empty panel in its place; the user's other graphical parameters come in here.
picture_base_open_panel <- function(panel, box, room, dots) {
  log <- paste(c("x", "y")[c(panel$x$log, panel$y$log)], collapse = "")
  ylim <- panel$y$limits
  if (panel$y$names && length(panel$y$labels) > (room$names$y$shown %||% Inf)) {
    ylim[1L] <- ylim[2L] - room$names$y$shown - .2
  }
  graphics::par(plt = box, new = TRUE)
  other <- dots[setdiff(names(dots), c("main", "sub", "xlab", "ylab", "xlim", "ylim", "log", "axes",
                                       "ann", "type", "col", "lwd", "lty", "pch", "cex"))]
  do.call(graphics::plot.default, utils::modifyList(list(
    x = NA, y = NA, type = "n", axes = FALSE, ann = FALSE, xlim = panel$x$limits, ylim = ylim,
    log = log, xaxs = "i", yaxs = "i"
  ), other))
}

# Edges of the panel in the units of its data.
picture_base_edges <- function(side) {
  usr <- graphics::par("usr")[if (side == "x") 1:2 else 3:4]
  if (graphics::par(paste0(side, "log"))) 10^usr else usr
}

picture_base_ticks <- function(axis, side) axis$at %||% graphics::axTicks(if (side == "x") 1 else 2)

picture_base_layer <- function(layer) {
  data <- layer$data
  switch(layer$kind,
    line = for (one in picture_base_groups(data)) {
      graphics::lines(one$x, one$y, type = if (one$step[1L]) "s" else "l", col = one$col[1L],
                      lwd = one$lwd[1L], lty = one$lty[1L])
    },
    point = graphics::points(data$x, data$y, pch = data$pch, col = data$col, bg = data$bg,
                             cex = data$cex),
    segment = graphics::segments(data$x, data$y, data$xend, data$yend, col = data$col,
                                 lwd = data$lwd, lty = data$lty, lend = 1),
    band = for (one in picture_base_groups(data)) {
      graphics::polygon(c(one$x, rev(one$x)), c(one$low, rev(one$high)), border = NA,
                        col = grDevices::adjustcolor(one$col[1L], one$alpha[1L]))
    },
    rule = picture_base_rules(data),
    text = picture_base_text(data),
    tile = picture_base_tiles(data)
  )
}

# The columns of each group of rows, in the order of the first rows.
picture_base_groups <- function(data) {
  columns <- as.list(data)
  lapply(split(seq_len(nrow(data)), factor(data$group, unique(data$group))), function(rows) lapply(columns, `[`, rows))
}

picture_base_rules <- function(data) {
  edges <- list(x = picture_base_edges("x"), y = picture_base_edges("y"))
  for (side in unique(data$side)) {
    one <- data[data$side == side & data$at >= min(edges[[side]]) & data$at <= max(edges[[side]]), , drop = FALSE]
    from <- if (side == "x") list(one$at, edges$y[1L], one$at, edges$y[2L]) else
      list(edges$x[1L], one$at, edges$x[2L], one$at)
    if (nrow(one)) do.call(graphics::segments, c(from, list(col = one$col, lty = one$lty, lwd = one$lwd)))
  }
}

picture_base_text <- function(data) {
  at_edge <- function(value, side) {
    edge <- picture_base_edges(side)
    value[value == -Inf] <- edge[1L]
    value[value == Inf] <- edge[2L]
    value
  }
  for (i in seq_len(nrow(data))) {
    x <- picture_base_within_device(at_edge(data$x[i], "x"), data$label[i], data$hjust[i], data$cex[i])
    graphics::text(x, at_edge(data$y[i], "y"), data$label[i], adj = c(data$hjust[i], data$vjust[i]), cex = data$cex[i],
                   col = data$col[i], xpd = NA)
  }
}

# The place of a label: x, or as near to x as it can be without being cut off at the edge of the device.
picture_base_within_device <- function(x, label, hjust, cex) {
  centre <- graphics::grconvertX(x, "user", "inches")
  wide <- graphics::strwidth(label, "inches", cex = cex)
  edges <- graphics::grconvertX(0:1, "ndc", "inches") + c(.03, -.03)
  left <- max(min(centre - hjust * wide, edges[2L] - wide), edges[1L])
  graphics::grconvertX(left + hjust * wide, "inches", "user")
}

picture_base_tiles <- function(data) {
  limit <- picture_tile_limit(data$value)
  graphics::rect(data$x - .5, data$y - .5, data$x + .5, data$y + .5, lwd = .6,
                 col = picture_diverging_colour(data$value, limit), border = picture_colours$faint)
  graphics::box(col = picture_colours$frame)
  picture_base_colour_bar(limit, data$unit[1L])
}

picture_base_colour_bar <- function(limit, unit) {
  usr <- graphics::par("usr")
  pin <- graphics::par("pin")
  left <- usr[2L] + .18 * diff(usr[1:2]) / pin[1L]
  right <- left + .16 * diff(usr[1:2]) / pin[1L]
  middle <- mean(usr[3:4])
  half <- min(.5 * diff(usr[3:4]), .9 * diff(usr[3:4]) / pin[2L])
  value <- seq(-1, 1, length.out = 101L)
  edge <- middle + half * seq(-1, 1, length.out = 102L)
  graphics::rect(left, edge[-102L], right, edge[-1L], col = picture_diverging_colour(value, 1), border = NA,
                 xpd = NA)
  graphics::rect(left, edge[1L], right, edge[102L], border = picture_colours$frame, xpd = NA)
  ticks <- pretty(c(-limit, limit), n = 4)
  ticks <- ticks[abs(ticks) <= limit]
  tick_places <- middle + half * ticks / limit
  wide <- right - left
  graphics::segments(right, tick_places, right + .25 * wide, tick_places, col = picture_colours$frame, xpd = NA)
  graphics::text(right + .4 * wide, tick_places, format(ticks), adj = c(0, .5), cex = .72,
                 col = picture_colours$ink, xpd = NA)
  graphics::text(left - .5 * wide, edge[102L], paste0(paste(strwrap(unit, 13L), collapse = "\n"), "\n"),
                 adj = c(0, 0), cex = .68, col = picture_colours$frame, xpd = NA)
}

# side: 1 or 2. labelled: does the axis have names or numbers, or ticks alone?
picture_base_axis <- function(side, axis, labelled, set, names) {
  if (axis$names) {
    for (i in which(labelled & nzchar(names$labels))) {
      if (side == 2 && length(axis$at) - axis$at[i] >= names$shown) next
      graphics::axis(side, axis$at[i], names$labels[i], tick = FALSE, las = names$las,
                     cex.axis = names$cex, mgp = c(3, .3, 0), col.axis = picture_colours$ink)
    }
  } else {
    ticks <- picture_base_ticks(axis, c("x", "y")[side])
    picture_base_numbers(side, ticks, if (labelled) axis$labels %||% TRUE else FALSE, set)
  }
  if (is.null(axis$second)) return(invisible())
  picture_base_numbers(3, axis$second$at, axis$second$labels, set)
  graphics::mtext(axis$second$label, side = 3, line = 1.4, col = picture_colours$ink,
                  cex = .9 * set$cex.lab * graphics::par("cex"))
}

# The ticks and numbers of an axis. axis() leaves out a label that would touch the one before it. A last label that is
# a word, such as "average", must not be lost: the labels before it that would touch it are left out.
picture_base_numbers <- function(side, ticks, labels, set) {
  if (!length(ticks)) return(invisible())
  if (side == 1 && is.character(labels)) labels <- picture_base_clear_last(ticks, labels, set$cex.axis)
  graphics::axis(side, ticks, labels, las = set$las, cex.axis = set$cex.axis, col = NA,
                 col.ticks = picture_colours$frame, tcl = -.3, mgp = c(3, .5, 0),
                 col.axis = picture_colours$ink)
}

# The labels of an x axis, NA for those that would touch the last one.
picture_base_clear_last <- function(ticks, labels, cex) {
  n <- length(ticks)
  place <- graphics::grconvertX(ticks, "user", "inches")
  wide <- picture_base_room_label(c(labels, "m"), cex)
  meets <- place[-n] + wide[seq_len(n - 1L)] / 2 + wide[n + 1L] > place[n] - wide[n] / 2
  replace(labels, which(meets), NA)
}

# The title of an axis. If it is longer than its panel, it is broken into two lines, provided that there is room for
# `two`; if it is still too long, it is written in smaller letters.
picture_base_axis_title <- function(side, label, line, cex, two) {
  inches <- graphics::par("pin")[if (side == "x") 1L else 2L]
  if (two && picture_base_room_label(label, cex) > inches) {
    label <- picture_base_two_lines(label)
    if (side == "x") line <- line + cex
  }
  small <- min(1, .98 * inches / max(picture_base_room_label(label, cex), .01))
  words <- stats::setNames(list(label), paste0(side, "lab"))
  do.call(graphics::title, c(words, list(line = line, cex.lab = cex * small, col.lab = picture_colours$ink)))
}

# The words with a line break in place of the space nearest to the middle.
picture_base_two_lines <- function(words) {
  spaces <- gregexpr(" ", words, fixed = TRUE)[[1L]]
  break_at <- spaces[which.min(abs(spaces - nchar(words) / 2))]
  if (break_at > 0L) substr(words, break_at, break_at) <- "\n"
  words
}

# Names at the right of the panel, so far apart that they do not overlap, each joined by a short line to the end of
# its curve. Places are computed in inches, so logarithmic axes are no special case.
picture_base_ends <- function(ends, inches, cex) {
  if (!picture_base_room_for_ends(ends, inches, cex)) return(invisible())
  range <- graphics::grconvertY(0:1, "npc", "inches")
  gap <- 1.4 * graphics::strheight("Mg", "inches", cex = cex)
  ends <- utils::head(ends, 1 + floor(diff(range) / gap))
  y_inch <- graphics::grconvertY(ends$y, "user", "inches")
  label_places <- graphics::grconvertY(picture_spread_labels(y_inch, gap, range), "inches", "user")
  edge <- graphics::grconvertX(1, "npc", "inches")
  lead <- picture_base_room_leader(cex)
  user_x <- function(inch) graphics::grconvertX(inch, "inches", "user")
  from <- graphics::grconvertX(ends$x, "user", "inches") + .3 * lead
  graphics::segments(user_x(pmin(from, edge + .3 * lead)), ends$y, user_x(edge + .8 * lead), label_places,
                     col = ends$col, lwd = .6, xpd = NA)
  graphics::text(user_x(edge + lead), label_places, picture_base_room_fit_labels(ends$label, inches - lead - .05, cex),
                 adj = c(0, .5), cex = cex, col = ends$col, xpd = NA)
}

# The column of numbers at the right, and how many of the rows are shown if there is no room for all.
picture_base_right <- function(panel, room) {
  names <- room$names$y
  edge <- function(x) graphics::grconvertX(x, "npc", "user")
  small <- function(x, words, adj) {
    graphics::text(x, picture_base_edges("y")[2L], words, adj = adj, cex = .7, xpd = NA,
                   col = picture_colours$frame)
  }
  n <- length(panel$y$labels)
  if (panel$y$names && !is.null(panel$y$cut) && n > (names$shown %||% n)) {
    small(edge(0), paste(panel$y$cut, names$shown, "of", n), c(0, -.5))
  }
  if (is.null(panel$right)) return(invisible())
  inches <- max(picture_base_room_label(panel$right$label, names$cex), .25) + .05
  right <- graphics::grconvertX(graphics::grconvertX(1, "npc", "inches") + inches, "inches", "user")
  shown <- panel$right$y > n - names$shown
  graphics::text(right, panel$right$y[shown], panel$right$label[shown], adj = c(1, .5),
                 cex = names$cex, col = picture_colours$ink, xpd = NA)
  small(right, panel$right_title, c(1, -.5))
}

picture_base_head <- function(picture, dots) {
  fin <- graphics::par("fin")
  csi <- graphics::par("csi")
  across <- function(inches) graphics::grconvertX(inches / fin[1L], "nfc", "user")
  down <- function(inches) graphics::grconvertY(1 - inches / fin[2L], "nfc", "user")
  size <- picture_base_text_sizes(dots)$cex.main
  draw_line <- function(words, inches, cex, ...) { # smaller letters where the line is too long
    fits <- (fin[1L] - .2) / max(graphics::strwidth(words, "inches", cex, ...), .1)
    graphics::text(across(.1), down(inches), words, adj = c(0, .5), xpd = NA, cex = cex * min(1, fits), ...)
  }
  draw_line(picture$title, .9 * csi, size, font = 2, col = picture_colours$ink)
  note <- if (is.null(picture$note)) 0 else 1
  if (note) draw_line(picture$note, 2 * csi, KEY_CEX, col = picture_colours$frame)
  keys <- picture$keys
  if (!NROW(keys)) return(invisible())
  place <- picture_base_room_key_places(keys, fin[1L] - .2)
  for (i in seq_len(nrow(keys))) {
    y <- down(csi * (1 + 1.05 * (place$row[i] + note)))
    left <- .1 + place$left[i]
    if (is.na(keys$pch[i])) {
      graphics::segments(across(left), y, across(left + .25), y, col = keys$col[i],
                         lty = keys$lty[i], lwd = keys$lwd[i], xpd = NA)
    } else {
      graphics::points(across(left + .07), y, pch = keys$pch[i], col = keys$col[i], bg = "white",
                       cex = .95, xpd = NA)
    }
    graphics::text(across(left + if (is.na(keys$pch[i])) .31 else .16), y, keys$label[i],
                   adj = c(0, .5), cex = KEY_CEX, xpd = NA, col = picture_colours$ink)
  }
}

# Keys of a picture: points have pch, lines lty.
picture_base_keys <- function(label, col, pch = NA, lty = 1, lwd = 1.5) {
  data.frame(label = label, col = col, pch = pch, lty = lty, lwd = lwd)
}
