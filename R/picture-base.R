# Pictures by base graphics. A picture is one figure region cut into panels by par(plt = ), so it also
# fits into a layout of the user's.

# picture: the description, which already has the user's settings `dots`; settings that no description has are looked
# up here.
draw_picture <- function(picture, dots, call = rlang::caller_env()) {
  force(picture)
  old <- graphics::par(mar = c(0, 0, 0, 0))
  on.exit(graphics::par(old))
  graphics::plot.new()
  n <- length(picture$panels)
  several <- picture$layout == "wrap" && n > 1L
  grid <- panel_grid(n, picture$layout)
  columns <- grid[2L]
  cex <- if (n > 12L) .5 else if (n > 4L) .6 else if (n > 1L) .7 else .75
  size <- text_sizes(dots)$cex.lab
  room <- picture_room(picture, grid, cex, size)
  boxes <- panel_boxes(grid[1L], grid[2L], room$margin, room$gap, call)
  for (k in seq_len(n)) {
    outer <- c(x = k + columns > n, y = (k - 1L) %% columns == 0L) # is the panel at the bottom, at the left?
    draw_panel(picture$panels[[k]], boxes[[k]], several = several, outer = outer, room = room, cex = cex,
               dots = dots)
  }
  if (several) { # they share the titles of their axes, in the middle of all of them
    graphics::par(plt = c(boxes[[1L]][1L], boxes[[columns]][2L], boxes[[prod(grid)]][3L], boxes[[1L]][4L]), new = TRUE)
    graphics::plot.default(NA, NA, type = "n", axes = FALSE, ann = FALSE, xlim = 0:1, ylim = 0:1)
    write_title("x", picture$panels[[1L]]$x$label, 2, size, room$two[["x"]])
    write_title("y", picture$panels[[1L]]$y$label, 2.7, size, room$two[["y"]])
  }
  draw_head(picture, dots)
}

# Sizes and orientation of the writing, which the user may set.
text_sizes <- function(dots, small = FALSE) {
  set <- list(las = 1, cex.axis = if (small) .65 else .8, cex.lab = .9, cex.main = 1)
  utils::modifyList(set, dots[intersect(names(dots), names(set))])
}

# ---- places -------------------------------------------------------------------------------------

# Rows and columns of panels.
panel_grid <- function(n, layout) {
  fin <- graphics::par("fin")
  columns <- switch(layout, stack = 1L, beside = n, min(n, max(1L, round(sqrt(n * fin[1L] / fin[2L])))))
  c(ceiling(n / columns), columns)
}

# Inches of the margins (bottom, left, top, right) and the gaps (across, down) of a picture. two: has an axis a title of
# two lines? size: of the letters of titles.
picture_room <- function(picture, grid, cex, size) {
  fin <- graphics::par("fin")
  csi <- graphics::par("csi")
  panels <- picture$panels
  first <- panels[[1L]]
  right <- max(vapply(panels, right_inches, 0, cex = cex, most = .4 * fin[1L] / grid[2L]))
  second <- if (is.null(first$x$second)) 0 else 2.5
  above <- if (picture$layout == "wrap" && length(panels) > 1L) 1.3 else second
  if (any(vapply(panels, has_text_above, NA))) above <- max(above, 1)
  top <- head_inches(picture) + csi * above
  # the room for names below a panel depends on that for names beside it, and conversely: two rounds
  y <- names_room(first$y, fin[2L] - top - 3.4 * csi, .33 * fin[1L], "y")
  x <- names_room(first$x, (fin[1L] - right - left_inches(first$y, y)) / grid[2L], .25 * fin[2L], "x")
  bottom <- if (first$x$names) x$inches + csi * if (nzchar(first$x$label)) 2.2 else 1 else 3.4 * csi
  if (picture$layout == "wrap") grid <- c(1, 1) # of titles: all panels share them
  two <- c(x = has_long_title(panels, "x", (fin[1L] - right - left_inches(first$y, y)) / grid[2L], size))
  bottom <- bottom + two[["x"]] * size * csi
  y <- names_room(first$y, fin[2L] - top - bottom, .33 * fin[1L], "y")
  two[["y"]] <- has_long_title(panels, "y", (fin[2L] - top - bottom) / grid[1L], size)
  left <- left_inches(first$y, y) + two[["y"]] * .8 * size * csi
  margin <- c(bottom, left, top, max(.6 * csi, right))
  gap <- switch(picture$layout, stack = c(0, 1.2 * csi), beside = c(1.2 * csi, 0),
                c(right + .12, 1.5 * csi))
  list(margin = margin, gap = gap, right = right, names = list(x = x, y = y), two = two)
}

# Is the title of an axis of any panel longer than its panel?
has_long_title <- function(panels, side, inches, size) {
  any(vapply(panels, function(panel) label_width(panel[[side]]$label, size) > inches, NA))
}

# Inches at the left of the panels, with `names` where the axis has them.
left_inches <- function(axis, names) {
  csi <- graphics::par("csi")
  titled <- nzchar(axis$label)
  if (axis$names) max(.25, names$inches + csi * if (titled) 2.4 else .9) else csi * if (titled) 4.2 else 2.6
}

# Inches that names or numbers at the right of a panel take, `most` at most.
right_inches <- function(panel, cex, most) {
  csi <- graphics::par("csi")
  min(most, max(
    0, if (has_tiles(panel)) 5.2 * csi,
    if (have_ends_room(panel$ends, most, cex)) label_width(panel$ends$label, cex) + leader_width(cex) + .05,
    if (length(panel$right$label)) max(label_width(panel$right$label, .85), .25) + .15
  ))
}

has_tiles <- function(panel) any(vapply(panel$layers, function(layer) layer$kind == "tile", NA))

# Is there room for the names of lines, at their shortest?
have_ends_room <- function(ends, inches, cex) {
  NROW(ends) > 0L && max(label_width(shorten(ends$label, SHORTEST), cex)) + leader_width(cex) <= inches
}

# Does the panel have text above it?
has_text_above <- function(panel) {
  nzchar(panel$right_title) || any(vapply(panel$layers, function(layer) {
    layer$kind == "text" && any(layer$data$y == Inf & layer$data$vjust < 0)
  }, NA))
}

# For an axis of names: the names as they fit (none where letters would be too small: every second or
# third has its name), their size, whether they stand upright (x), how many rows are shown (y), and the
# inches the names take.
names_room <- function(axis, along, most, side) {
  if (!axis$names || !length(axis$labels)) return(list(inches = 0))
  csi <- graphics::par("csi")
  n <- length(axis$labels)
  shown <- if (is.null(axis$cut)) n else min(n, max(1, floor(1.1 * along / (SMALLEST * csi))))
  pitch <- along / shown
  cex <- min(.85, max(SMALLEST, 1.1 * pitch / csi))
  if (side == "x") {
    labels <- fit_labels(axis$labels, .9 * pitch, cex)
    readable <- max(nchar(labels)) >= 12L || identical(labels, axis$labels)
    if (readable && max(label_width(labels, cex)) <= .9 * pitch) {
      return(list(labels = labels, cex = cex, las = 1, shown = n, inches = csi * .6))
    }
  }
  cex <- min(cex, max(.65, cex * most / max(label_width(axis$labels, cex))))
  labels <- fit_labels(axis$labels, most, cex)
  every <- max(1, ceiling(.9 * cex * csi / pitch))
  labels[(seq_len(n) - 1) %% every > 0] <- ""
  list(labels = labels, cex = cex, las = if (side == "x") 2 else 1, shown = shown,
       inches = max(label_width(labels, cex)))
}

# Inches of margin (bottom, left, top, right) and gaps -> par("plt") of each panel, row by row.
panel_boxes <- function(n_row, n_col, margin, gap, call) {
  fin <- graphics::par("fin")
  width <- (fin[1L] - margin[2L] - margin[4L] - (n_col - 1) * gap[1L]) / n_col
  height <- (fin[2L] - margin[1L] - margin[3L] - (n_row - 1) * gap[2L]) / n_row
  if (width < .25 || height < .25) {
    abort_input("The figure is too small: {round(fin[1L], 1)} by {round(fin[2L], 1)} inches.",
                "device", i = "Use a larger device, or fewer panels with {.arg class}.",
                call = call)
  }
  lapply(seq_len(n_row * n_col), function(k) {
    left <- margin[2L] + ((k - 1) %% n_col) * (width + gap[1L])
    top <- fin[2L] - margin[3L] - ((k - 1) %/% n_col) * (height + gap[2L])
    c(left / fin[1L], (left + width) / fin[1L], (top - height) / fin[2L], top / fin[2L])
  })
}

SMALLEST <- .5 # of letters, as a share of the device's
SHORTEST <- 7L # characters of a name that is cut

# Names cut in the middle until they fit into `inches`. measure(names, size): their inches.
fit_labels <- function(names, inches, size, measure = label_width) {
  for (keep in c(40L, 32L, 26L, 22L, 18L, 15L, 12L, 9L, SHORTEST)) {
    short <- shorten(names, keep)
    if (max(0, measure(short, size)) <= inches + 1e-6) break # `inches` may be this width, computed with other rounding
  }
  short
}

# Inches between a panel and the names at its right.
leader_width <- function(cex) .23 * cex

label_width <- function(names, cex) graphics::strwidth(names, units = "inches", cex = cex)

# ---- a panel ------------------------------------------------------------------------------------

draw_panel <- function(panel, box, several, outer, room, cex, dots) {
  set <- text_sizes(dots, small = several)
  open_panel(panel, box, room, dots)
  if (!has_tiles(panel)) { # faint lines at the ticks: across the panel, or down it where the rows have names
    side <- if (panel$y$names) "x" else "y"
    draw_rules(new_rule(side, axis_ticks(panel[[side]], side), col = picture_colours$faint, lty = 1)$data)
  }
  for (layer in panel$layers) draw_layer(layer)
  if (!is.null(panel$empty)) {
    graphics::text(graphics::grconvertX(.5, "npc", "user"), graphics::grconvertY(.54, "npc", "user"), panel$empty,
                   cex = 1.2 * cex, col = picture_colours$frame)
  }
  draw_axis(1, panel$x, outer[["x"]], set, room$names$x)
  draw_axis(2, panel$y, outer[["y"]], set, room$names$y)
  if (several) {
    inches <- (box[2L] - box[1L]) * graphics::par("fin")[1L] + .8 * room$right
    graphics::mtext(fit_labels(panel$title, .9 * inches, .8), side = 3, line = .2, adj = 0, font = 2,
                    cex = .8 * graphics::par("cex"), col = picture_colours$ink)
  } else {
    for (side in c("x", "y")[outer]) {
      axis <- panel[[side]]
      line <- if (axis$names) room$names[[side]]$inches / graphics::par("csi") + .9 else c(x = 1.9, y = 2.9)[[side]]
      if (nzchar(axis$label)) write_title(side, axis$label, line, set$cex.lab, room$two[[side]])
    }
  }
  draw_ends(panel$ends, room$right, cex)
  draw_right(panel, room)
}

# Starts an empty panel in its place; the user's other graphical parameters come in here.
open_panel <- function(panel, box, room, dots) {
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
panel_edges <- function(side) {
  usr <- graphics::par("usr")[if (side == "x") 1:2 else 3:4]
  if (graphics::par(paste0(side, "log"))) 10^usr else usr
}

axis_ticks <- function(axis, side) axis$at %||% graphics::axTicks(if (side == "x") 1 else 2)

draw_layer <- function(layer) {
  data <- layer$data
  switch(layer$kind,
    line = for (group in unique(data$group)) {
      one <- data[data$group == group, , drop = FALSE]
      graphics::lines(one$x, one$y, type = if (one$step[1L]) "s" else "l", col = one$col[1L],
                      lwd = one$lwd[1L], lty = one$lty[1L])
    },
    point = graphics::points(data$x, data$y, pch = data$pch, col = data$col, bg = data$bg,
                             cex = data$cex),
    segment = graphics::segments(data$x, data$y, data$xend, data$yend, col = data$col,
                                 lwd = data$lwd, lty = data$lty, lend = 1),
    band = for (group in unique(data$group)) {
      one <- data[data$group == group, , drop = FALSE]
      graphics::polygon(c(one$x, rev(one$x)), c(one$low, rev(one$high)), border = NA,
                        col = grDevices::adjustcolor(one$col[1L], one$alpha[1L]))
    },
    rule = draw_rules(data),
    text = draw_text(data),
    tile = draw_tiles(data)
  )
}

draw_rules <- function(data) {
  edges <- list(x = panel_edges("x"), y = panel_edges("y"))
  for (side in unique(data$side)) {
    one <- data[data$side == side & data$at >= min(edges[[side]]) & data$at <= max(edges[[side]]), , drop = FALSE]
    from <- if (side == "x") list(one$at, edges$y[1L], one$at, edges$y[2L]) else
      list(edges$x[1L], one$at, edges$x[2L], one$at)
    if (nrow(one)) do.call(graphics::segments, c(from, list(col = one$col, lty = one$lty, lwd = one$lwd)))
  }
}

draw_text <- function(data) {
  at_edge <- function(value, side) {
    edge <- panel_edges(side)
    value[value == -Inf] <- edge[1L]
    value[value == Inf] <- edge[2L]
    value
  }
  for (i in seq_len(nrow(data))) {
    graphics::text(at_edge(data$x[i], "x"), at_edge(data$y[i], "y"), data$label[i],
                   adj = c(data$hjust[i], data$vjust[i]), cex = data$cex[i], col = data$col[i],
                   xpd = NA)
  }
}

draw_tiles <- function(data) {
  limit <- tile_limit(data$value)
  graphics::rect(data$x - .5, data$y - .5, data$x + .5, data$y + .5, lwd = .6,
                 col = diverging_colour(data$value, limit), border = picture_colours$faint)
  graphics::box(col = picture_colours$frame)
  draw_colour_bar(limit, data$unit[1L])
}

draw_colour_bar <- function(limit, unit) {
  usr <- graphics::par("usr")
  pin <- graphics::par("pin")
  left <- usr[2L] + .18 * diff(usr[1:2]) / pin[1L]
  right <- left + .16 * diff(usr[1:2]) / pin[1L]
  middle <- mean(usr[3:4])
  half <- min(.5 * diff(usr[3:4]), .9 * diff(usr[3:4]) / pin[2L])
  value <- seq(-1, 1, length.out = 101L)
  edge <- middle + half * seq(-1, 1, length.out = 102L)
  graphics::rect(left, edge[-102L], right, edge[-1L], col = diverging_colour(value, 1), border = NA,
                 xpd = NA)
  graphics::rect(left, edge[1L], right, edge[102L], border = picture_colours$frame, xpd = NA)
  ticks <- pretty(c(-limit, limit), n = 4)
  ticks <- ticks[abs(ticks) <= limit]
  at <- middle + half * ticks / limit
  wide <- right - left
  graphics::segments(right, at, right + .25 * wide, at, col = picture_colours$frame, xpd = NA)
  graphics::text(right + .4 * wide, at, format(ticks), adj = c(0, .5), cex = .72,
                 col = picture_colours$ink, xpd = NA)
  graphics::text(left - .5 * wide, edge[102L], paste0(paste(strwrap(unit, 13L), collapse = "\n"), "\n"),
                 adj = c(0, 0), cex = .68, col = picture_colours$frame, xpd = NA)
}

# ---- axes and writing ---------------------------------------------------------------------------

# side: 1 or 2. labelled: with names or numbers, or ticks alone.
draw_axis <- function(side, axis, labelled, set, names) {
  if (axis$names) {
    for (i in which(labelled & nzchar(names$labels))) {
      if (side == 2 && length(axis$at) - axis$at[i] >= names$shown) next
      graphics::axis(side, axis$at[i], names$labels[i], tick = FALSE, las = names$las,
                     cex.axis = names$cex, mgp = c(3, .3, 0), col.axis = picture_colours$ink)
    }
  } else {
    at <- axis_ticks(axis, c("x", "y")[side])
    draw_numbers(side, at, if (labelled) axis$labels %||% TRUE else FALSE, set)
  }
  if (is.null(axis$second)) return(invisible())
  draw_numbers(3, axis$second$at, axis$second$labels, set)
  graphics::mtext(axis$second$label, side = 3, line = 1.4, col = picture_colours$ink,
                  cex = .9 * set$cex.lab * graphics::par("cex"))
}

# A word as the last label, such as "average", is always written: axis() leaves out a label that meets the one before.
draw_numbers <- function(side, at, labels, set) {
  if (!length(at)) return(invisible())
  if (side == 1 && is.character(labels)) labels <- clear_last(at, labels, set$cex.axis)
  graphics::axis(side, at, labels, las = set$las, cex.axis = set$cex.axis, col = NA,
                 col.ticks = picture_colours$frame, tcl = -.3, mgp = c(3, .5, 0),
                 col.axis = picture_colours$ink)
}

# The labels of an x axis without those that would meet the last one.
clear_last <- function(at, labels, cex) {
  n <- length(at)
  place <- graphics::grconvertX(at, "user", "inches")
  wide <- label_width(c(labels, "m"), cex)
  meets <- place[-n] + wide[seq_len(n - 1L)] / 2 + wide[n + 1L] > place[n] - wide[n] / 2
  replace(labels, which(meets), NA)
}

# The title of an axis; one that is longer than its panel goes into two lines, where there is room for `two`, and is
# written smaller if it is too long still.
write_title <- function(side, label, line, cex, two) {
  inches <- graphics::par("pin")[if (side == "x") 1L else 2L]
  if (two && label_width(label, cex) > inches) {
    label <- in_two_lines(label)
    if (side == "x") line <- line + cex
  }
  small <- min(1, .98 * inches / max(label_width(label, cex), .01))
  words <- stats::setNames(list(label), paste0(side, "lab"))
  do.call(graphics::title, c(words, list(line = line, cex.lab = cex * small, col.lab = picture_colours$ink)))
}

# Broken at the space nearest to the middle.
in_two_lines <- function(words) {
  spaces <- gregexpr(" ", words, fixed = TRUE)[[1L]]
  at <- spaces[which.min(abs(spaces - nchar(words) / 2))]
  if (at > 0L) substr(words, at, at) <- "\n"
  words
}

# Names right of the panel, spread, each tied to the end of its line. Places are in inches, so that
# logarithmic axes need nothing else.
draw_ends <- function(ends, inches, cex) {
  if (!have_ends_room(ends, inches, cex)) return(invisible())
  range <- graphics::grconvertY(0:1, "npc", "inches")
  gap <- 1.4 * graphics::strheight("Mg", "inches", cex = cex)
  ends <- utils::head(ends, 1 + floor(diff(range) / gap))
  y_inch <- graphics::grconvertY(ends$y, "user", "inches")
  at <- graphics::grconvertY(spread_labels(y_inch, gap, range), "inches", "user")
  edge <- graphics::grconvertX(1, "npc", "inches")
  lead <- leader_width(cex)
  user_x <- function(inch) graphics::grconvertX(inch, "inches", "user")
  from <- graphics::grconvertX(ends$x, "user", "inches") + .3 * lead
  graphics::segments(user_x(pmin(from, edge + .3 * lead)), ends$y, user_x(edge + .8 * lead), at,
                     col = ends$col, lwd = .6, xpd = NA)
  graphics::text(user_x(edge + lead), at, fit_labels(ends$label, inches - lead - .05, cex),
                 adj = c(0, .5), cex = cex, col = ends$col, xpd = NA)
}

# A column of numbers at the right, and what the picture does not show.
draw_right <- function(panel, room) {
  names <- room$names$y
  edge <- function(x) graphics::grconvertX(x, "npc", "user")
  small <- function(x, words, adj) {
    graphics::text(x, panel_edges("y")[2L], words, adj = adj, cex = .7, xpd = NA,
                   col = picture_colours$frame)
  }
  n <- length(panel$y$labels)
  if (panel$y$names && !is.null(panel$y$cut) && n > (names$shown %||% n)) {
    small(edge(0), paste(panel$y$cut, names$shown, "of", n), c(0, -.5))
  }
  if (is.null(panel$right)) return(invisible())
  inches <- max(label_width(panel$right$label, names$cex), .25) + .05
  right <- graphics::grconvertX(graphics::grconvertX(1, "npc", "inches") + inches, "inches", "user")
  shown <- panel$right$y > n - names$shown
  graphics::text(right, panel$right$y[shown], panel$right$label[shown], adj = c(1, .5),
                 cex = names$cex, col = picture_colours$ink, xpd = NA)
  small(right, panel$right_title, c(1, -.5))
}

# ---- title, note and keys across the top of the figure --------------------------------------------

KEY_CEX <- .75

head_inches <- function(picture) {
  rows <- max(0, key_places(picture$keys, graphics::par("fin")[1L] - .2)$row)
  note <- if (is.null(picture$note)) 0 else 1
  title <- if (nzchar(picture$title) || rows > 0 || note > 0) 1.9 else .8
  graphics::par("csi") * (title + 1.05 * (rows + note))
}

# Places of keys that follow each other in rows of `width` inches: row, and inches from the left.
key_places <- function(keys, width) {
  if (!NROW(keys)) return(data.frame(row = numeric(), left = numeric()))
  need <- label_width(keys$label, KEY_CEX) + ifelse(is.na(keys$pch), .47, .3)
  row <- left <- numeric(nrow(keys))
  at <- c(1, 0)
  for (i in seq_along(need)) {
    if (at[2L] > 0 && at[2L] + need[i] > width) at <- c(at[1L] + 1, 0)
    row[i] <- at[1L]
    left[i] <- at[2L]
    at[2L] <- at[2L] + need[i]
  }
  data.frame(row = row, left = left)
}

draw_head <- function(picture, dots) {
  fin <- graphics::par("fin")
  csi <- graphics::par("csi")
  across <- function(inches) graphics::grconvertX(inches / fin[1L], "nfc", "user")
  down <- function(inches) graphics::grconvertY(1 - inches / fin[2L], "nfc", "user")
  size <- text_sizes(dots)$cex.main
  line <- function(words, inches, cex, ...) { # smaller letters where the line is too long
    fits <- (fin[1L] - .2) / max(graphics::strwidth(words, "inches", cex, ...), .1)
    graphics::text(across(.1), down(inches), words, adj = c(0, .5), xpd = NA, cex = cex * min(1, fits), ...)
  }
  line(picture$title, .9 * csi, size, font = 2, col = picture_colours$ink)
  note <- if (is.null(picture$note)) 0 else 1
  if (note) line(picture$note, 2 * csi, KEY_CEX, col = picture_colours$frame)
  keys <- picture$keys
  if (!NROW(keys)) return(invisible())
  place <- key_places(keys, fin[1L] - .2)
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
picture_keys <- function(label, col, pch = NA, lty = 1, lwd = 1.5) {
  data.frame(label = label, col = col, pch = pch, lty = lty, lwd = lwd)
}
