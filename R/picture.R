# A picture is described once: panels, axes, layers of marks, names at the right, keys. One of two renderers draws the
# description: picture-base.R for plot(), picture-ggplot.R for autoplot(). The functions <noun>_picture() return
# descriptions.

# panels: made by picture_panel(). layout: how several are placed:
#   "wrap"    panels of one kind with common axes, such as one for each class
#   "stack"   panels below each other with a common x axis
#   "beside"  panels beside each other with a common y axis of names
# keys: what marks mean, a data frame with label, col, and pch of a point or lty and lwd of a line.
# note: a line of small print below the title.
picture_new <- function(panels, title = "", keys = NULL, note = NULL, layout = "wrap") {
  list(panels = panels, title = title, keys = keys, note = note, layout = layout)
}

# layers: made by picture_layer(), drawn in their order. ends: names at the right of the panel, a data frame with x,
# y, label, col, and group if the colour is that of a line. right: a column of numbers at the right (y, label), under
# the heading `right_title`. empty: the words that are shown if there is nothing to draw.
picture_panel <- function(x, y, layers, ends = NULL, right = NULL, right_title = "", title = "",
                          empty = NULL) {
  list(x = x, y = y, layers = Filter(Negate(is.null), layers), ends = ends, right = right,
       right_title = right_title, title = title, empty = empty)
}

# ticks, labels: the places of the ticks and what is written there; NULL for round numbers. log: is the axis
# logarithmic? names: are the labels names of rows or columns, not numbers? cut: if given, rows for which there is no
# room are left out, and the panel says how many are shown, as in "the largest 20 of 50" with `cut = "the largest"`.
# second: an axis on the other side, list(at, labels, label).
picture_axis <- function(label, limits, ticks = NULL, labels = ticks, log = FALSE, names = FALSE, cut = NULL,
                         second = NULL) {
  list(label = label, limits = limits, at = ticks, labels = labels, log = log, names = names,
       cut = cut, second = second)
}

# The default looks of marks. Points of a line have the same `group`; `step`: is the line drawn as stairs? A rule is a
# straight line through the whole panel, at the value `at` of the axis `side`. Text with an x or y of -Inf or Inf
# stands at that edge of the panel; a vjust below 0 puts it above its place. Tiles are squares of side 1.
LOOKS <- list(
  line = list(group = "", lwd = 1.3, lty = 1, step = FALSE),
  point = list(pch = 19, cex = 1, bg = "white"),
  segment = list(lwd = 1, lty = 1),
  band = list(group = "", alpha = .12),
  rule = list(lwd = 1, lty = 3),
  text = list(cex = .75, hjust = .5, vjust = .5),
  tile = list()
)

# A layer of marks of one kind, NULL without data. Where a segment has no `xend` or `yend`, this is its x or y. user:
# the graphical parameters that the user may set for this layer in plot(...). Values are recycled over the groups of
# lines, or over the rows of other marks.
picture_layer <- function(kind, data, ..., user = character()) {
  if (!nrow(data)) return(NULL)
  given <- list(...)
  if (kind == "segment") data[c("xend", "yend")] <- list(data$xend %||% data$x, data$yend %||% data$y)
  if (kind != "tile") given <- utils::modifyList(list(col = picture_colours$ink), given)
  looks <- utils::modifyList(LOOKS[[kind]], given)
  for (name in setdiff(names(looks), names(data))) data[[name]] <- rep_len(looks[[name]], nrow(data))
  list(kind = kind, data = data, user = user)
}

# Straight lines at the values `place` of the axis `side`, "x" or "y"; none where `place` is not finite.
picture_rule <- function(side, place, ...) {
  place <- place[is.finite(place)]
  picture_layer("rule", data.frame(side = rep(side, length(place)), at = place), ...)
}

# Values beyond the right end of the x axis, written as numbers at the right edge of the panel.
picture_overflow <- function(value, y, col, ...) {
  label <- paste0(words_number(value), rep(" >", length(value)))
  picture_layer("text", data.frame(x = rep(Inf, length(value)), y = y, label = label, col = col), hjust = 1.05, ...)
}

picture_colours <- list(
  feature = c("#1D3F5E", "#5B83A6", "#8FABC2"), source = c("#9A3403", "#E0701A", "#EBA15F"),
  # of lines with names, so that neighbours differ, and of those behind them
  named = list(feature = c("#1D3F5E", "#3A86C8", "#159895", "#6C5BA7"),
               source = c("#7A2600", "#E8590C", "#A61E4D", "#D99A00")),
  behind = c(feature = "#B9CBDA", source = "#F0C9A4"),
  thin = "#7A95AB", frame = "#8A8A8A", ink = "#333333", faint = "#E4E4E4", dense = "#C6C6C6",
  diverging = c("#2166AC", "#6BAED6", "#FFFFFF", "#F4A582", "#B2182B")
)

picture_shades <- function(type, n) {
  grDevices::colorRampPalette(picture_colours[[type]])(max(n, 3L))[seq_len(n)]
}

# Blue, orange, green, violet, ochre, grey: distinct also for colour-blind readers.
picture_rule_colours <- function(n) {
  first <- c("#1D5E94", "#D1571A", "#3E8E63", "#8A5AA8", "#B58A12", "#6B6B6B")
  if (n <= length(first)) first[seq_len(n)] else grDevices::hcl.colors(n, "Dark 3")
}

picture_lambda_colours <- function(n) {
  if (n == 1L) picture_colours$feature[1L] else grDevices::hcl.colors(n + ceiling(n / 4), "viridis")[seq_len(n)]
}

picture_diverging_colour <- function(value, limit) {
  ramp <- grDevices::colorRampPalette(picture_colours$diverging)(201L)
  ramp[round(100 * pmin(pmax(value / limit, -1), 1)) + 101L]
}

# TRUE for the values of the first step where they are so far from the values of the others (which lie between low and
# high) that these could not be compared beside them: beyond their range by more than twice its length.
picture_far_start <- function(step, value, low = value, high = value) {
  first <- step %in% min(step, Inf)
  if (length(unique(step)) < 4L) return(logical(length(step)))
  rest <- range(low[!first], high[!first])
  beyond <- pmax(value[first] - rest[2L], rest[1L] - value[first])
  first & isTRUE(diff(rest) > 0 && all(beyond > 2 * diff(rest)))
}

# The range of the other values with a margin, in which such values are written.
picture_far_padded_range <- function(range, value) {
  if (!length(value)) return(picture_padded_range(range))
  picture_padded_range(range, if (value[1L] > range[2L]) c(.04, .14) else c(.14, .04))
}

# Layers that write such values near the edge of the panel, beside a triangle that points to where they are.
picture_far_marks <- function(step, value, limits, col) {
  if (!length(value)) return(list())
  above <- value[1L] > limits[2L]
  mark <- data.frame(x = step[1L], y = if (above) limits[2L] - .08 * diff(limits) else limits[1L] + .06 * diff(limits))
  words <- paste0("   ", paste(unique(words_number(range(value))), collapse = " to "))
  list(picture_layer("point", mark, pch = if (above) 24 else 25, col = col),
       picture_layer("text", cbind(mark, label = words), hjust = 0, col = col))
}

# Where values stand on an axis of square roots, to both sides of 0.
picture_root_place <- function(value) sign(value) * sqrt(abs(value))

# Of 0 and `sizes` to both sides about n ticks between the limits, which are in units of the axis. The first
# sizes are preferred.
picture_root_ticks <- function(limits, n = 6L,
                               sizes = outer(c(5, 2, 1), 10^(floor(log10(max(limits^2))) - 0:3))) {
  kept <- 0
  for (tick in c(sizes, -sizes)) {
    place <- picture_root_place(tick)
    if (place < limits[1L] || place > limits[2L]) next
    if (min(abs(place - picture_root_place(kept))) >= diff(limits) / n) kept <- c(kept, tick)
  }
  sort(kept)
}

# The range of the finite values, widened if its length is 0.
picture_value_range <- function(value) {
  value <- value[is.finite(value)]
  if (!length(value)) return(c(-1, 1))
  limits <- range(value)
  if (diff(limits) > 0) limits else limits + c(-.5, .5) * max(abs(limits), 1e-3)
}

picture_padded_range <- function(range, share = .04) range + c(-1, 1) * share * diff(range)

# An axis of steps or sizes, from 0.
picture_step_axis <- function(label, steps, ...) {
  picture_axis(label, c(-.02, 1.02) * max(steps, 1), picture_step_ticks(steps), ...)
}

picture_ticks_within <- function(ticks, limits) ticks[ticks >= limits[1L] & ticks <= limits[2L]]

# Round numbers between the limits of a logarithmic axis, at least four of them where the axis is not short.
picture_log_ticks <- function(limits) {
  decades <- 10^seq(floor(log10(limits[1L])), ceiling(log10(limits[2L])))
  for (first in list(1, c(1, 2, 5), c(1, 1.5, 2, 3, 5, 7))) {
    ticks <- picture_ticks_within(sort(as.vector(outer(first, decades))), limits)
    if (length(ticks) >= 4L) return(ticks)
  }
  picture_ticks_within(pretty(limits), limits)
}

picture_step_ticks <- function(steps, n = 5) {
  ticks <- unique(round(pretty(c(0, max(steps, 1)), n = n)))
  ticks[ticks >= 0 & ticks <= max(steps)]
}

# An axis with a name for each row, the first at the top: row i of n is at n + 1 - i.
picture_name_axis <- function(names, label = "", ...) {
  n <- length(names)
  picture_axis(label, c(.4, max(n, 1) + .6), rev(seq_len(n)), names, names = TRUE, ...)
}

# The values of `y`, moved as little as possible within `range` so that they are at least `gap` apart.
picture_spread_labels <- function(y, gap, range) {
  n <- length(y)
  if (n == 0L) {
    return(y)
  }
  gap <- min(gap, diff(range) / max(n - 1L, 1L))
  rank <- order(y)
  shift <- gap * seq_len(n)
  free <- stats::isoreg(y[rank] - shift)$yf
  places <- numeric(n)
  places[rank] <- pmin(pmax(free, range[1L] - gap), range[2L] - gap * n) + shift
  places
}

# A map of `weight` by `row` and `class`, columns of the data; rows and columns in the order given. unit: the title of
# the colour scale.
picture_map <- function(data, rows, columns, labels, title, note, unit) {
  data$x <- match(data$class, columns)
  data$y <- length(rows) + 1 - match(data$row, rows)
  data$value <- data$weight
  n <- length(columns)
  picture_new(list(picture_panel(
    picture_axis(labels[1L], c(.5, n + .5), seq_len(n), columns, names = TRUE),
    utils::modifyList(picture_name_axis(rows, labels[2L]), list(limits = c(.5, length(rows) + .5))),
    list(picture_layer("tile", cbind(data[c("x", "y", "value")], unit = unit)))
  )), title, note = note)
}

# The colour scale of a map ends at this value on the positive side, and at minus this value on the negative side.
picture_tile_limit <- function(value) if (any(value != 0)) max(abs(value)) else 1

# A picture that shows only a sentence.
picture_empty <- function(words, title = "") {
  picture_new(list(picture_panel(picture_axis("", 0:1, numeric()), picture_axis("", 0:1, numeric()), list(),
                                 empty = words)), title)
}
