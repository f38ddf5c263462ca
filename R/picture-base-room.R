# Room for a picture drawn by base graphics: margins, gaps, names that fit.

# The margins (bottom, left, top, right) and the gaps between panels (across, down) in inches; the inches at the right
# of a panel; `names`, what picture_base_room_for_names() returns for both axes; `two`, has the x or y axis a title of
# two lines? size: the size of the letters of titles.
picture_base_room <- function(picture, grid, cex, size) {
  fin <- graphics::par("fin")
  csi <- graphics::par("csi")
  panels <- picture$panels
  first <- panels[[1L]]
  right <- max(vapply(panels, picture_base_room_right, 0, cex = cex, most = .4 * fin[1L] / grid[2L]))
  second <- if (is.null(first$x$second)) 0 else 2.5
  above <- if (picture$layout == "wrap" && length(panels) > 1L) 1.3 else second
  if (any(vapply(panels, picture_base_room_has_text_above, NA))) above <- max(above, 1)
  top <- picture_base_room_head(picture) + csi * above
  # names below a panel and names beside it depend on each other's room: two rounds
  y <- picture_base_room_for_names(first$y, fin[2L] - top - 3.4 * csi, .33 * fin[1L], "y")
  x <- picture_base_room_for_names(first$x, (fin[1L] - right - picture_base_room_left(first$y, y)) / grid[2L],
                                   .25 * fin[2L], "x")
  bottom <- if (first$x$names) x$inches + csi * if (nzchar(first$x$label)) 2.2 else 1 else 3.4 * csi
  if (picture$layout == "wrap") grid <- c(1, 1) # all panels share the titles
  two <- c(x = picture_base_room_has_long_title(panels, "x",
                                                (fin[1L] - right - picture_base_room_left(first$y, y)) / grid[2L],
                                                size))
  bottom <- bottom + two[["x"]] * size * csi
  y <- picture_base_room_for_names(first$y, fin[2L] - top - bottom, .33 * fin[1L], "y")
  two[["y"]] <- picture_base_room_has_long_title(panels, "y", (fin[2L] - top - bottom) / grid[1L], size)
  left <- picture_base_room_left(first$y, y) + two[["y"]] * .8 * size * csi
  margin <- c(bottom, left, top, max(.6 * csi, right))
  gap <- switch(picture$layout, stack = c(0, 1.2 * csi), beside = c(1.2 * csi, 0),
                c(right + .12, 1.5 * csi))
  list(margin = margin, gap = gap, right = right, names = list(x = x, y = y), two = two)
}

# Is the title of an axis longer than its panel, for any of the panels? inches: the length of a panel.
picture_base_room_has_long_title <- function(panels, side, inches, size) {
  any(vapply(panels, function(panel) picture_base_room_label(panel[[side]]$label, size) > inches, NA))
}

# The margin at the left of the panels in inches. names: see picture_base_room_for_names().
picture_base_room_left <- function(axis, names) {
  csi <- graphics::par("csi")
  titled <- nzchar(axis$label)
  if (axis$names) max(.25, names$inches + csi * if (titled) 2.4 else .9) else csi * if (titled) 4.2 else 2.6
}

# Inches that names or numbers at the right of a panel take, `most` at most.
picture_base_room_right <- function(panel, cex, most) {
  csi <- graphics::par("csi")
  min(most, max(
    0, if (picture_base_room_has_tiles(panel)) 5.2 * csi,
    if (picture_base_room_for_ends(panel$ends, most, cex)) picture_base_room_label(panel$ends$label,
                                                                                   cex) +
                                                                                   picture_base_room_leader(cex) + .05,
    if (length(panel$right$label)) max(picture_base_room_label(panel$right$label, .85), .25) + .15
  ))
}

picture_base_room_has_tiles <- function(panel) any(vapply(panel$layers, function(layer) layer$kind == "tile", NA))

# Is there room for the names of lines when they are cut to their shortest form?
picture_base_room_for_ends <- function(ends, inches, cex) {
  NROW(ends) > 0L && max(picture_base_room_label(labels_shorten(ends$label, SHORTEST),
                                                 cex)) + picture_base_room_leader(cex) <= inches
}

# Does the panel have text above it?
picture_base_room_has_text_above <- function(panel) {
  nzchar(panel$right_title) || any(vapply(panel$layers, function(layer) {
    layer$kind == "text" && any(layer$data$y == Inf & layer$data$vjust < 0)
  }, NA))
}

# For an axis of names, a list: `labels`, the names cut so that they fit, with every second or third kept and the
# others empty if all of them would need too small letters; `cex`, their size; `las`, 2 if names below the panel stand
# upright; `shown`, the number of rows that are shown; `inches`, the room that the names take. along: inches of the
# axis; most: the largest room.
picture_base_room_for_names <- function(axis, along, most, side) {
  if (!axis$names || !length(axis$labels)) return(list(inches = 0))
  csi <- graphics::par("csi")
  n <- length(axis$labels)
  shown <- if (is.null(axis$cut)) n else min(n, max(1, floor(1.1 * along / (SMALLEST * csi))))
  pitch <- along / shown
  cex <- min(.85, max(SMALLEST, 1.1 * pitch / csi))
  if (side == "x") {
    labels <- picture_base_room_fit_labels(axis$labels, .9 * pitch, cex)
    readable <- max(nchar(labels)) >= 12L || identical(labels, axis$labels)
    if (readable && max(picture_base_room_label(labels, cex)) <= .9 * pitch) {
      return(list(labels = labels, cex = cex, las = 1, shown = n, inches = csi * .6))
    }
  }
  cex <- min(cex, max(.65, cex * most / max(picture_base_room_label(axis$labels, cex))))
  labels <- picture_base_room_fit_labels(axis$labels, most, cex)
  every <- max(1, ceiling(.9 * cex * csi / pitch))
  labels[(seq_len(n) - 1) %% every > 0] <- ""
  list(labels = labels, cex = cex, las = if (side == "x") 2 else 1, shown = shown,
       inches = max(picture_base_room_label(labels, cex)))
}

# The par("plt") of each panel, row by row. margin (bottom, left, top, right) and gap: in inches.
picture_base_room_boxes <- function(n_row, n_col, margin, gap, call) {
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

SMALLEST <- .5 # letters of names, as a share of the device's size
SHORTEST <- 7L # characters that a name keeps at least

# Names cut in the middle until they fit into `inches`. measure: a function(names, size) that returns inches.
picture_base_room_fit_labels <- function(names, inches, size, measure = picture_base_room_label) {
  for (keep in c(40L, 32L, 26L, 22L, 18L, 15L, 12L, 9L, SHORTEST)) {
    short <- labels_shorten(names, keep)
    if (max(0, measure(short, size)) <= inches + 1e-6) break # `inches` may be this width, computed with other rounding
  }
  short
}

# Inches between a panel and the names at its right.
picture_base_room_leader <- function(cex) .23 * cex

picture_base_room_label <- function(names, cex) graphics::strwidth(names, units = "inches", cex = cex)

KEY_CEX <- .75

picture_base_room_head <- function(picture) {
  rows <- max(0, picture_base_room_key_places(picture$keys, graphics::par("fin")[1L] - .2)$row)
  note <- if (is.null(picture$note)) 0 else 1
  title <- if (nzchar(picture$title) || rows > 0 || note > 0) 1.9 else .8
  graphics::par("csi") * (title + 1.05 * (rows + note))
}

# The places of the keys, one after the other in rows of `width` inches: the row, and inches from the left.
picture_base_room_key_places <- function(keys, width) {
  if (!NROW(keys)) return(data.frame(row = numeric(), left = numeric()))
  need <- picture_base_room_label(keys$label, KEY_CEX) + ifelse(is.na(keys$pch), .47, .3)
  row <- left <- numeric(nrow(keys))
  place <- c(1, 0)
  for (i in seq_along(need)) {
    if (place[2L] > 0 && place[2L] + need[i] > width) place <- c(place[1L] + 1, 0)
    row[i] <- place[1L]
    left[i] <- place[2L]
    place[2L] <- place[2L] + need[i]
  }
  data.frame(row = row, left = left)
}
