# Pictures of tlcp(): the criterion by size, the path, and what was borrowed.

#' Plot best subsets and what they borrowed
#'
#' Three pictures of a [tlcp()] fit. `plot()` draws with base graphics, `autoplot()` makes the same
#' pictures with ggplot2.
#'
#' * `"criterion"`: the criterion of the best subset of every size, the chosen size in orange. Where
#'   nothing is borrowed, `criterion = "Cp"` (or 2) shows Mallows' Cp, and `"AIC"`, `"BIC"`, `"HQ"`
#'   show their own values. Filled points are proven to be
#'   the best of their size; where a search ended early, the point is open and a bar reaches down to
#'   what a better set of that size could still have (by the criterion without the penalty), and if
#'   that search was the one for the best of all, a dashed line marks its bound: no subset is below.
#'   Sizes far above the others are left out of the picture, which says so. With
#'   `method = "cutoff"` the points are the nested models.
#' * `"path"`: coefficients by size, as for every path, see [plot.transfer_path()].
#' * `"borrowed"`: a row a chosen feature, the largest at the top: least squares of each source
#'   (small points, told apart by colour up to six), least squares of the target alone (open) and
#'   the borrowed estimate (filled). The number at the right is the share of the sources in the
#'   precision of the borrowed estimate. Source estimates far outside the others are marked at the
#'   edge. Rows that would be too small to read are left out, the smallest effects first.
#'
#' @param x,object A [tlcp()] fit.
#' @param what Which picture.
#' @param label,top_n For `"path"`, as in [plot.transfer_path()].
#' @param scaled For `"path"` and `"borrowed"`: multiply coefficients by the scale of their columns
#'   in the target, so that they can be compared?
#' @param ... For `plot()`: graphical parameters that replace the defaults, such as `main`, `xlab`,
#'   `ylim`; for `"borrowed"`, `col` are the colours of the sources. For `autoplot()`: must be
#'   empty.
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#' @seealso [plot.transfer_dissimilarity()], for every source by itself.
#' @examples
#' plot(tlcp(mpg ~ ., data = mtcars))
#'
#' aq <- na.omit(airquality)
#' may <- tlcp(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, target = "5")
#' plot(may, "path")
#' plot(may, "borrowed")
#' @export
plot.tlcp <- function(x, what = c("criterion", "path", "borrowed"), label = TRUE, top_n = 10,
                      scaled = TRUE, ...) {
  check_spelling()
  what <- tlcp_what(what)
  top_n <- plot_top_n(label, top_n)
  data <- tlcp_plot_data(x, what, scaled)
  dots <- plot_dots(list(...))

  old <- graphics::par(mar = c(0, 0, 0, 0))
  on.exit(graphics::par(old))
  graphics::plot.new()
  switch(what,
    criterion = draw_criterion(data, dots),
    path = draw_path(data, top_n, utils::modifyList(list(xlab = attr(data, "xlab")), dots)),
    borrowed = draw_borrowed(data, dots)
  )
  invisible(x)
}

# ---- checks and data ----

tlcp_what <- function(what, call = rlang::caller_env()) {
  known <- c("criterion", "path", "borrowed")
  if (identical(what, known)) "criterion" else check_choice(what, known, "what", call)
}

tlcp_plot_data <- function(x, what, scaled = TRUE, call = rlang::caller_env()) {
  check_flag(scaled, "scaled", call)
  switch(what,
    criterion = criterion_data(x),
    path = size_path_data(x, scaled, call),
    borrowed = borrowed_data(x, scaled, call)
  )
}

# The data of plot.transfer_path(), its axis called by what the steps are.
size_path_data <- function(x, scaled, call) {
  data <- plot_data(x, "path", scaled = scaled, call = call)
  xlab <- path_xlab(data)
  if (all(x$steps$step == x$steps$size)) xlab <- sub("^step", "features", xlab)
  structure(data, xlab = sub("the default", "the chosen", xlab, fixed = TRUE))
}

# A row a model: size, value (the criterion, or Cp), low (what a better set of that size could
# have), proven. Attributes: size of the chosen one; bound on all subsets, if above rounding; label.
criterion_data <- function(x) {
  steps <- x$steps
  anew <- isTRUE(x$strength$anew)
  is_cp <- !anew && !is.null(steps$cp) && isTRUE(all.equal(x$strength$k, 2))
  value <- if (is_cp) steps$cp else steps$criterion
  gap <- steps$gap
  gap[is.na(gap) | gap <= 1e-8 * max(1, abs(value))] <- 0
  if (anew) gap <- -x$nobs * log1p(-pmin(gap / steps$objective, 1))
  one_of_its_size <- steps$size == 0 | !x$settings$select
  at <- x$best + 1L
  proof <- x$certificate
  bound <- if (isFALSE(proof$complete)) proof$bound + value[at] - steps$criterion[at]
  data <- data.frame(
    size = steps$size, value = value, low = pmax(value - gap, pmin(bound %||% -Inf, value)),
    proven = x$method == "exact" & (steps$complete %in% TRUE | one_of_its_size)
  )
  structure(
    data[order(data$size), , drop = FALSE], best = steps$size[at], bound = bound,
    label = if (is_cp) "Cp" else if (anew) x$settings$criterion else "criterion", title = criterion_title(x)
  )
}

criterion_title <- function(x) {
  what <- if (x$method == "cutoff") {
    "Nested models"
  } else if (nrow(x$steps) < 3L) {
    "The chosen features against none"
  } else {
    "Best subset of every size"
  }
  paste0(what, if (length(x$tasks) > 1L) paste0(", target ", x$target))
}

# Limits that show what happens about the best size: a model much worse than the models to its
# right, or than the third best, is off the picture, but a quarter of the models at most.
criterion_limits <- function(data) {
  best <- min(data$value)
  right <- data$value[data$size >= attr(data, "best")]
  span <- max(right - best, sort(data$value)[min(3L, nrow(data))] - best)
  low <- max(min(data$low, attr(data, "bound")), best - span)
  most <- unname(stats::quantile(data$value, .75, type = 1))
  top <- highest_shown(data$value, low, min(max(data$value), max(best + 3 * span, most)))
  range <- if (top > low) c(low, top) else top + c(-.5, .5) * max(abs(top), 1e-3)
  range + c(-1, 1) * CRITERION_MARGIN * diff(range)
}

# Of the height of the picture without them: room below and above.
CRITERION_MARGIN <- c(.04, .1)

# The top, raised to what would lie in the margin above it or be cut by the edge of that.
highest_shown <- function(value, low, top) {
  repeat {
    near <- max(top, value[value <= top + 1.5 * CRITERION_MARGIN[2L] * (top - low)])
    if (near == top) return(top)
    top <- near
  }
}

# What is above the picture, in words.
off_picture <- function(data, limits) {
  off <- data[data$value > limits[2L], , drop = FALSE]
  n <- nrow(off)
  if (n == 0L) return(NULL)
  if (n == 1L) return(paste0("off the picture: size ", off$size, " at ", format_number(off$value)))
  together <- n > 2L && all(diff(off$size) == 1L)
  paste("off the picture: sizes",
        if (together) paste(off$size[1L], "to", off$size[n]) else paste(off$size, collapse = ", "))
}

# term, estimate, kind (own, borrowed, source) and source of every point. Attributes: terms from the
# largest borrowed effect to the smallest, their weight, sources, limits.
borrowed_data <- function(x, scaled, call) {
  table <- x$borrowed
  if (is.null(table)) {
    why <- if (x$method == "cutoff") {
      "The models of {.code method = \"cutoff\"} do not say what came from where."
    } else {
      "The model was fitted to {if (length(x$tasks) > 1) 'rows of all domains as one' else
       'one domain'}, or no source was let in."
    }
    abort_input("{.arg what} is {.val borrowed}, but this fit has no table of what was borrowed.",
                "what", i = paste(why, "Choose another picture."), call = call)
  }
  last <- ncol(table) - 1L # by place: a source may bear any name
  unit <- if (scaled) unname(x$scale[table$term]) else rep(1, nrow(table))
  estimates <- as.matrix(table[2:last]) * unit
  sources <- names(table)[seq_len(last - 3L) + 2L]
  n <- nrow(table)
  data <- data.frame(
    term = rep(table$term, last - 1L),
    kind = rep(c("own", rep("source", length(sources)), "borrowed"), each = n),
    source = rep(c(NA, sources, NA), each = n), estimate = as.vector(estimates)
  )
  # least squares is 0 only where a domain had too few rows for the column
  shown <- !is.na(data$estimate) & (data$estimate != 0 | data$kind == "borrowed")
  data <- data[shown, , drop = FALSE]
  order <- order(-abs(table[[last]] * unit))
  structure(data, terms = table$term[order], weight = table$weight[order], sources = sources,
            limits = borrowed_limits(data), scaled = scaled,
            title = paste0("What target ", x$target, " borrowed"))
}

# The target's estimates and 0, and of the sources' what is at most 3/4 of their range away.
borrowed_limits <- function(data) {
  core <- range(0, data$estimate[data$kind != "source"])
  if (diff(core) == 0) core <- range(0, data$estimate)
  if (diff(core) == 0) return(c(-1, 1))
  near <- pmin(pmax(data$estimate, core[1L] - .75 * diff(core)), core[2L] + .75 * diff(core))
  range(core, near)
}

borrowed_xlab <- function(data) {
  if (attr(data, "scaled")) "coefficient x scale of its column" else "coefficient (original scale)"
}

# A colour a source, or one for all where there are too many to tell apart.
source_colours <- function(sources) {
  n <- length(sources)
  stats::setNames(if (n <= 6L) rule_colours(n) else rep("#9A9A9A", n), sources)
}

percent <- function(share) paste(round(100 * share), "%")

# ---- base graphics: title and keys of a picture ----

# Places of keys that follow each other in rows of `width` inches: row, and inches from the left.
key_places <- function(labels, width, cex) {
  need <- label_width(labels, cex) + .3
  row <- left <- numeric(length(labels))
  at <- c(1, 0)
  for (i in seq_along(labels)) {
    if (at[2L] > 0 && at[2L] + need[i] > width) at <- c(at[1L] + 1, 0)
    row[i] <- at[1L]
    left[i] <- at[2L]
    at[2L] <- at[2L] + need[i]
  }
  data.frame(row = row, left = left)
}

# Title and keys (a data frame: label, pch, col) across the top of the figure. Inches they take.
head_inches <- function(keys, cex = .75) {
  rows <- max(0, key_places(keys$label, graphics::par("fin")[1L] - .2, cex)$row)
  graphics::par("csi") * (1.9 + 1.05 * rows)
}

draw_head <- function(set, keys, cex = .75) {
  fin <- graphics::par("fin")
  csi <- graphics::par("csi")
  across <- function(inches) graphics::grconvertX(inches / fin[1L], "nfc", "user")
  down <- function(inches) graphics::grconvertY(1 - inches / fin[2L], "nfc", "user")
  title <- set[["main"]] %||% ""
  fits <- (fin[1L] - .2) / max(graphics::strwidth(title, "inches", set$cex.main, font = 2), .1)
  graphics::text(across(.1), down(.9 * csi), title, adj = c(0, .5), font = 2, xpd = NA,
                 cex = set$cex.main * min(1, fits), col = path_colours$ink)
  place <- key_places(keys$label, fin[1L] - .2, cex)
  y <- down(csi * (1 + 1.05 * place$row))
  graphics::points(across(.17 + place$left), y, pch = keys$pch, col = keys$col, bg = "white",
                   cex = .95, xpd = NA)
  graphics::text(across(.26 + place$left), y, keys$label, adj = c(0, .5), cex = cex, xpd = NA,
                 col = path_colours$ink)
}

# Rows of a dot plot that can be read in `inches`, and the size of their names.
dot_rows <- function(n, inches) {
  csi <- graphics::par("csi")
  shown <- min(n, max(1, floor(1.1 * inches / (.5 * csi))))
  list(shown = shown, cex = min(.85, 1.1 * inches / max(shown, 1) / csi))
}

# ---- what = "criterion" ----

criterion_keys <- function(data) {
  blue <- path_colours$feature[1L]
  searched <- any(data$proven & data$size > 0)
  keys <- data.frame(
    label = c("proven best of its size", "not proven", "how much better a set might be", "chosen"),
    pch = c(19, 21, 15, 19), col = c(blue, blue, path_colours$source[3L], path_colours$source[1L])
  )
  keys[c(searched, searched && any(!data$proven), any(data$low < data$value), TRUE), ]
}

draw_criterion <- function(data, dots) {
  keys <- criterion_keys(data)
  csi <- graphics::par("csi")
  limits <- criterion_limits(data)
  note <- if (is.null(dots$ylim)) off_picture(data, limits)
  top <- head_inches(keys) + csi * if (is.null(note)) .3 else 1
  box <- panel_boxes(1L, 1L, csi * c(3.4, 4.2, 0, .8) + c(0, 0, top, 0))[[1L]]
  last <- max(data$size, 1)
  set <- draw_panel(box, list(
    xlim = c(-.03, 1.03) * last, ylim = limits, yaxs = "i", xlab = "features",
    ylab = attr(data, "label"), main = attr(data, "title")
  ), dots)
  draw_frame()
  draw_axis(1, step_ticks(c(0, data$size)), TRUE, set)
  draw_axis(2, graphics::axTicks(2), TRUE, set)
  draw_title(set, main = FALSE)
  draw_head(set, keys)
  draw_bound(attr(data, "bound"))
  draw_criterion_marks(data, dots)
  usr <- graphics::par("usr")
  graphics::text(usr[2L], usr[4L], note %||% "", adj = c(1, -.5), cex = .7, xpd = NA,
                 col = path_colours$frame)
}

draw_bound <- function(bound) {
  usr <- graphics::par("usr")
  if (is.null(bound) || bound < usr[3L]) return(invisible())
  col <- path_colours$source[1L]
  graphics::segments(usr[1L], bound, usr[2L], col = col, lty = 2)
  graphics::text(usr[1L], bound, " no subset is below", adj = c(0, -.4), cex = .75, col = col)
}

draw_criterion_marks <- function(data, dots) {
  look <- list(col = path_colours$feature[1L], lwd = 1.3, lty = 1, cex = 1)
  look <- utils::modifyList(look, dots[intersect(names(dots), names(look))])
  graphics::abline(v = attr(data, "best"), lty = 3, col = path_colours$ink)
  graphics::segments(data$size, data$low, data$size, data$value, lwd = 4, lend = 1,
                     col = path_colours$source[3L])
  if (all(diff(data$size) == 1)) {
    graphics::lines(data$size, data$value, col = look$col, lwd = look$lwd, lty = look$lty)
  }
  chosen <- data$size == attr(data, "best")
  filled <- data$proven | chosen & !(data$low < data$value)
  graphics::points(
    data$size, data$value, pch = ifelse(filled, 19, 21), bg = "white",
    col = ifelse(chosen, path_colours$source[1L], look$col), cex = look$cex * ifelse(chosen, 1.5, 1)
  )
}

# ---- what = "borrowed" ----

borrowed_keys <- function(sources, colours) {
  n <- length(sources)
  ink <- path_colours$ink
  rbind(
    data.frame(label = c("target alone", "borrowed"), pch = c(21, 19), col = ink),
    if (n <= 6L) {
      data.frame(label = shorten(sources, 18L), pch = 20, col = unname(colours))
    } else {
      data.frame(label = paste(n, "sources"), pch = 20, col = colours[[1L]])
    }
  )
}

draw_borrowed <- function(data, dots) {
  sources <- attr(data, "sources")
  colours <- source_colours(sources)
  if (!is.null(dots$col)) colours[] <- rep(dots$col, length.out = length(colours))
  keys <- borrowed_keys(sources, colours)
  fin <- graphics::par("fin")
  csi <- graphics::par("csi")
  top <- head_inches(keys) + csi
  rows <- dot_rows(length(attr(data, "terms")), fin[2L] - top - 3.5 * csi)
  terms <- utils::head(attr(data, "terms"), rows$shown)
  left <- fit_labels(terms, .35 * fin[1L], rows$cex)
  right <- max(label_width("100 %", rows$cex), .25) + .15
  margin <- c(3.4 * csi, max(.3, label_width(left, rows$cex)) + .9 * csi, top, right)
  set <- draw_panel(panel_boxes(1L, 1L, margin)[[1L]], list(
    xlim = attr(data, "limits") + c(-.03, .03) * diff(attr(data, "limits")),
    ylim = c(max(length(terms), 1) + .6, .4), yaxs = "i", xlab = borrowed_xlab(data),
    main = attr(data, "title")
  ), dots)
  draw_axis(1, graphics::axTicks(1), TRUE, set)
  draw_title(set, main = FALSE)
  draw_head(set, keys)
  if (!length(terms)) return(draw_note("no feature chosen"))
  graphics::abline(v = graphics::axTicks(1), col = path_colours$faint)
  graphics::abline(v = 0, col = path_colours$frame)
  map_axis(2, seq_along(terms), left, rows$cex, 1)
  draw_source_weights(data, rows)
  draw_borrowed_points(data[data$term %in% terms, , drop = FALSE], terms, colours)
}

draw_source_weights <- function(data, rows) {
  usr <- graphics::par("usr")
  inch <- diff(usr[1:2]) / graphics::par("pin")[1L]
  weight <- utils::head(attr(data, "weight"), rows$shown)
  right <- usr[2L] + inch * (max(label_width("100 %", rows$cex), .25) + .05)
  graphics::text(right, seq_along(weight), percent(weight), adj = c(1, .5), cex = rows$cex,
                 col = path_colours$ink, xpd = NA)
  graphics::text(right, usr[4L], "weight of sources", adj = c(1, -.5), cex = .7, xpd = NA,
                 col = path_colours$frame)
  n <- length(attr(data, "terms"))
  if (rows$shown < n) {
    graphics::text(usr[1L], usr[4L], paste("the largest", rows$shown, "of", n), adj = c(0, -.5),
                   cex = .7, xpd = NA, col = path_colours$frame)
  }
}

# Sources come last: their points are small enough not to hide the others.
draw_borrowed_points <- function(data, terms, colours) {
  usr <- graphics::par("usr")
  y <- match(data$term, terms)
  ink <- path_colours$ink
  big <- if (length(terms) > 20L) .8 else 1.1
  borrowed <- which(data$kind == "borrowed")
  own <- which(data$kind == "own")
  end <- data$estimate[borrowed][match(data$term[own], data$term[borrowed])]
  graphics::segments(data$estimate[own], y[own], end, y[own], col = ink)
  graphics::points(data$estimate[own], y[own], pch = 21, bg = "white", cex = big, col = ink)
  graphics::points(data$estimate[borrowed], y[borrowed], pch = 19, cex = big, col = ink)
  source <- data$kind == "source"
  inside <- data$estimate >= usr[1L] & data$estimate <= usr[2L]
  at <- which(source & inside)
  graphics::points(data$estimate[at], y[at], pch = 20, cex = .8 * big,
                   col = colours[data$source[at]])
  draw_outside(data[source & !inside, , drop = FALSE], terms, colours, .7 * big)
}

# Marks at the edge for source estimates beyond it.
draw_outside <- function(data, terms, colours, cex) {
  if (!nrow(data)) return(invisible())
  usr <- graphics::par("usr")
  left <- data$estimate < usr[1L]
  graphics::text(usr[2L - left], match(data$term, terms), ifelse(left, "<", ">"), cex = cex,
                 font = 2, adj = c(.5, .5), col = colours[data$source])
}
