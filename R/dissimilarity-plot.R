# The picture of dissimilarity(): evidence and leave-one-out errors, source by source.

#' Plot whether sources are like the target
#'
#' A row a source, in the order of the object (see [dissimilarity()]), and one for all sources
#' together. At the left the log likelihood ratio for something in common, on an axis that is linear
#' in its square root, as a z-value is; sources right of the dashed line at 1.35 are safe. The ratio
#' of all together is written as a number where it would be far off to the right. At the
#' right the leave-one-out errors of the target's rows, relative to those of its own least squares:
#' left of the dashed line at 1 they are smaller. The dotted line is the target alone, shrunk by its
#' own likelihood (`shrunk`): left of it the source itself helps, as far as these rows can tell.
#' Without errors, as from moments, there is the left picture alone; where `own` is not defined,
#' there are the errors themselves.
#'
#' `plot()` draws with base graphics, `autoplot()` makes the same picture with ggplot2.
#'
#' @param x,object A [dissimilarity()] table.
#' @param ... For `plot()`: graphical parameters that replace the defaults, such as `main`,
#'   `cex.axis` and `col` (two colours: safe and not). For `autoplot()`: must be empty.
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#' @seealso [plot.tlcp()]
#' @examples
#' aq <- na.omit(airquality)
#' d <- dissimilarity(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, target = "5",
#'                    draws = 0)
#' plot(sort(d, by = "lr", decreasing = TRUE))
#' @export
plot.transfer_dissimilarity <- function(x, ...) {
  check_spelling()
  data <- dissimilarity_data(x)
  dots <- plot_dots(list(...))
  old <- graphics::par(mar = c(0, 0, 0, 0))
  on.exit(graphics::par(old))
  graphics::plot.new()
  draw_dissimilarity(data, dots)
  invisible(x)
}

# ---- data ----

# A row a point: panel ("lr" or "loo"), source, kind ("lr", "pooled", "borrowed"), value, safe.
# Attributes: sources from top to bottom, the last one "all together"; relative (to own) or not;
# shrunk, the target's error without a source, in the same unit.
dissimilarity_data <- function(x, call = rlang::caller_env()) {
  lost <- setdiff(c("source", "lr", "safe", LOO_WAYS), names(x))
  if (length(lost) || !nrow(x)) {
    what <- if (length(lost)) "lacks the column{?s} {.val {lost}}" else "has no rows"
    abort_input(paste0("{.arg x} ", what, "."), "x",
                i = "Draw the table as {.fn dissimilarity} made it.", call = call)
  }
  together <- "all together"
  joint <- if (nrow(x) > 1L) attr(x, "joint")
  relative <- all(is.finite(x$own))
  unit <- if (relative) x$own else rep(1, nrow(x))
  point <- function(panel, kind, source, value, safe) {
    data.frame(panel = panel, kind = kind, source = source, value = value, safe = safe)
  }
  source <- as.character(x$source)
  data <- rbind(
    point("lr", "lr", source, x$lr, x$safe),
    point("loo", "pooled", source, x$pooled / unit, x$safe),
    point("loo", "borrowed", source, x$borrowed / unit, x$safe),
    if (!is.null(joint)) {
      rbind(point("lr", "lr", together, joint$lr, joint$lr > LR_SAFE),
            point("loo", "borrowed", together, joint$borrowed / unit[1L], joint$lr > LR_SAFE))
    }
  )
  target <- attr(x, "target")
  structure(
    data[is.finite(data$value), , drop = FALSE],
    sources = c(source, if (!is.null(joint)) together), relative = relative,
    shrunk = x$shrunk[1L] / unit[1L],
    title = if (is.null(target)) "May it borrow?" else paste0("Target ", target, ": may it borrow?")
  )
}

# Likelihood ratios are drawn at their square roots.
lr_place <- function(lr) sign(lr) * sqrt(abs(lr))

# The end of their axis: that of all together may be up to 1.5 times as far as the others.
lr_limit <- function(data) {
  mine <- data$panel == "lr"
  apart <- lr_place(c(data$value[mine & data$source != "all together"], 2))
  min(max(apart, lr_place(data$value[mine])), 1.5 * max(apart))
}

lr_ticks <- function(lr, n = 5L) {
  known <- c(0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 1e4, 1e5)
  known <- known[known <= max(lr, 2)]
  apart <- lr_place(max(lr, 2)) / n
  kept <- 0
  for (tick in known) {
    if (lr_place(tick) - lr_place(kept[length(kept)]) >= apart) kept <- c(kept, tick)
  }
  kept
}

# Errors relative to own are drawn at their logarithms.
loo_place <- function(data, value = data$value[data$panel == "loo"]) {
  if (attr(data, "relative")) log(value) else value
}

# Where the target is without a source, by name: least squares (own) and shrunk, what there is.
target_alone <- function(data) {
  lines <- c(own = if (attr(data, "relative")) 1, shrunk = attr(data, "shrunk"))
  loo_place(data, lines[is.finite(lines)])
}

loo_limits <- function(data) {
  range <- range(loo_place(data), target_alone(data))
  if (diff(range) == 0) range <- range + c(-.1, .1)
  range + c(-.06, .06) * diff(range)
}

loo_ticks <- function(limits, relative, n = 4L) {
  if (!relative) return(pretty(limits, n))
  ticks <- if (diff(limits) > log(3)) {
    c(.01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 20, 50, 100)
  } else {
    pretty(exp(limits), n)
  }
  log(ticks[ticks > 0])
}

LOO_XLAB <- c("leave-one-out error", "leave-one-out error / own")

format_over <- function(value) paste(format_number(value), ">")

safe_colours <- function() c(path_colours$feature[1L], path_colours$source[2L])

# ---- base graphics ----

dissimilarity_keys <- function(data, colours) {
  ink <- path_colours$ink
  kinds <- c("borrowed", "pooled")
  keys <- data.frame(
    label = c("safe", "not safe", kinds, "own: least squares", "shrunk: by itself"),
    pch = c(15, 15, 19, 21, 124, 58), col = c(colours, rep(ink, 4L)) # lines: "|" and ":"
  )
  lines <- c("own", "shrunk") %in% if ("loo" %in% data$panel) names(target_alone(data))
  keys[c(any(data$safe), any(!data$safe), kinds %in% data$kind, lines), ]
}

draw_dissimilarity <- function(data, dots) {
  colours <- rep(dots$col %||% safe_colours(), length.out = 2L)
  keys <- dissimilarity_keys(data, colours)
  sources <- attr(data, "sources")
  fin <- graphics::par("fin")
  csi <- graphics::par("csi")
  top <- head_inches(keys) + csi
  inches <- fin[2L] - top - 3.4 * csi
  cex <- min(.85, 1.1 * inches / length(sources) / csi)
  left <- if (cex < .35) character(0) else fit_labels(sources, .28 * fin[1L], cex)
  margin <- c(3.4 * csi, max(.2, label_width(left, cex)) + .9 * csi, top, .8 * csi)
  panels <- unique(data$panel)
  boxes <- panel_boxes(1L, length(panels), margin, c(1.2 * csi, 0))
  ylim <- c(length(sources) + .6, .4)
  n_ticks <- if (fin[1L] < 5) 3L else 5L
  set <- lr_panel(boxes[[1L]], data[data$panel == "lr", ], ylim, n_ticks, colours, data, dots)
  if (length(left)) map_axis(2, seq_along(sources), left, cex, 1)
  draw_head(set, keys)
  if (length(panels) > 1L) loo_panel_dots(boxes[[2L]], data, ylim, n_ticks, colours, dots)
}

lr_panel <- function(box, one, ylim, n_ticks, colours, data, dots) {
  end <- lr_limit(data)
  ticks <- lr_ticks(end^2, n_ticks)
  limits <- range(0, end, lr_place(min(one$value)))
  xlab <- "log likelihood ratio"
  set <- draw_panel(box, list(
    xlim = limits + c(-.04, .06) * diff(limits), ylim = ylim, yaxs = "i", xlab = xlab,
    main = attr(data, "title"), cex.lab = fit_cex(xlab, box)
  ), dots)
  draw_rows(data, lr_place(ticks), ticks, set)
  dot_line(lr_place(LR_SAFE), LR_SAFE)
  over <- lr_place(one$value) > end + 1e-9
  draw_dots(data, one[!over, ], lr_place(one$value[!over]), colours)
  graphics::text(graphics::par("usr")[2L], match(one$source[over], attr(data, "sources")),
                 format_over(one$value[over]), adj = c(1, .5), cex = .75,
                 col = colours[2L - one$safe[over]])
  set
}

# Size at which the title of an axis fits below its panel.
fit_cex <- function(label, box) {
  min(.9, .98 * (box[2L] - box[1L]) * graphics::par("fin")[1L] / label_width(label, 1))
}

loo_panel_dots <- function(box, data, ylim, n_ticks, colours, dots) {
  relative <- attr(data, "relative")
  limits <- loo_limits(data)
  ticks <- loo_ticks(limits, relative, n_ticks)
  xlab <- LOO_XLAB[1L + relative]
  set <- draw_panel(box, list(xlim = limits, ylim = ylim, yaxs = "i", xlab = xlab,
                              cex.lab = fit_cex(xlab, box)),
                    dots[setdiff(names(dots), c("xlab", "xlim"))])
  ticks <- ticks[ticks >= limits[1L] & ticks <= limits[2L]]
  draw_rows(data, ticks, if (relative) format_number(exp(ticks)) else ticks, set)
  draw_lines(target_alone(data))
  place <- loo_place(data)
  one <- data[data$panel == "loo", ]
  # what was borrowed above what was pooled
  for (kind in c("pooled", "borrowed")) {
    shown <- one$kind == kind
    draw_dots(data, one[shown, ], place[shown], colours, if (kind == "pooled") 21 else 19)
  }
}

# The field of a panel: an axis, rows, and a line above the row of all sources together.
draw_rows <- function(data, ticks, labels, set) {
  usr <- graphics::par("usr")
  n <- length(attr(data, "sources"))
  graphics::segments(usr[1L], seq_len(n), usr[2L], col = path_colours$faint)
  if (attr(data, "sources")[n] == "all together") {
    graphics::segments(usr[1L], n - .5, usr[2L], col = path_colours$frame)
  }
  draw_axis(1, ticks, labels, set)
  draw_title(set, main = FALSE)
}

# Names that would meet stand on either side.
draw_lines <- function(lines) {
  usr <- graphics::par("usr")
  meet <- length(lines) > 1L && abs(diff(lines)) < .25 * (usr[2L] - usr[1L])
  left <- order(lines)[1L]
  for (i in seq_along(lines)) {
    side <- if (!meet) .5 else if (i == left) 1.1 else -.1
    dot_line(lines[[i]], names(lines)[i], if (names(lines)[i] == "own") 2 else 3, side)
  }
}

dot_line <- function(at, name, lty = 2, side = .5) {
  usr <- graphics::par("usr")
  graphics::segments(at, usr[3L], at, usr[4L], lty = lty, col = path_colours$ink)
  graphics::text(at, usr[4L], name, adj = c(side, -.5), cex = .7, xpd = NA,
                 col = path_colours$frame)
}

draw_dots <- function(data, one, at, colours, pch = 19) {
  sources <- attr(data, "sources")
  graphics::points(at, match(one$source, sources), pch = pch, bg = "white", xpd = NA,
                   col = colours[2L - one$safe], cex = if (length(sources) > 20L) .8 else 1.1)
}

# ---- ggplot2 ----

#' @rdname plot.transfer_dissimilarity
#' @exportS3Method ggplot2::autoplot
autoplot.transfer_dissimilarity <- function(object, ...) {
  check_arguments()
  rlang::check_installed("ggplot2", reason = "for `autoplot()`")
  data <- dissimilarity_data(object)
  sources <- attr(data, "sources")
  relative <- attr(data, "relative")
  panels <- c(lr = "log likelihood ratio", loo = LOO_XLAB[1L + relative])
  lines <- gg_reference(data, panels)
  end <- lr_limit(data)
  data$place <- lr_place(data$value)
  data$place[data$panel == "loo"] <- loo_place(data) + LOO_SHIFT
  over <- data$panel == "lr" & data$place > end + 1e-9
  data$place[over] <- end
  ends <- data.frame(panel = factor(rep(panels[[1L]], 3L), panels), place = c(0, lr_place(2), end))
  data$panel <- factor(panels[data$panel], panels)
  data$source <- factor(data$source, rev(sources))
  data$verdict <- factor(ifelse(data$safe, "safe", "not safe"), c("safe", "not safe"))
  data$shape <- factor(ifelse(data$kind == "pooled", "pooled", "borrowed"), c("pooled", "borrowed"))
  far <- data[over, , drop = FALSE]
  data <- data[!over, , drop = FALSE]
  data <- data[order(data$shape), , drop = FALSE] # what was borrowed above what was pooled
  gg_start(data, .data$place, .data$source, colour = .data$verdict, shape = .data$shape) +
    ggplot2::geom_vline(ggplot2::aes(xintercept = .data$at), lines, linetype = lines$type,
                        colour = path_colours$ink) +
    ggplot2::geom_blank(ggplot2::aes(.data$place), ends, inherit.aes = FALSE) +
    ggplot2::geom_point(fill = "white", size = if (length(sources) > 20L) 1.6 else 2.2) +
    ggplot2::geom_text(ggplot2::aes(label = format_over(.data$value)), far, hjust = .8, size = 3,
                       show.legend = FALSE) +
    ggplot2::facet_wrap("panel", scales = "free_x", strip.position = "bottom") +
    ggplot2::scale_colour_manual(
      values = stats::setNames(safe_colours(), levels(data$verdict)), name = NULL
    ) +
    ggplot2::scale_shape_manual(values = c(pooled = 21, borrowed = 19), name = NULL) +
    gg_dissimilarity_axis(relative) +
    gg_dot_names(length(sources)) +
    ggplot2::guides(colour = ggplot2::guide_legend(order = 1), shape = ggplot2::guide_legend()) +
    ggplot2::labs(
      x = NULL, y = NULL, title = gg_wrap(attr(data, "title")),
      subtitle = paste0("dashed: log likelihood ratio ", LR_SAFE,
                        if (relative) ", error of the target by least squares (own)",
                        if (3 %in% lines$type) "\ndotted: error of the target shrunk by itself")
    ) +
    ggplot2::theme(strip.placement = "outside", legend.spacing.x = ggplot2::unit(2, "pt"),
                   plot.margin = ggplot2::margin(6, 14, 6, 6))
}

# The lines of both panels: safe and own dashed (type 2), shrunk dotted (3).
gg_reference <- function(data, panels) {
  loo <- if ("loo" %in% data$panel) target_alone(data)
  data.frame(
    panel = factor(panels[c(1L, rep(2L, length(loo)))], panels),
    at = unname(c(lr_place(LR_SAFE), loo + LOO_SHIFT)), type = c(2, 2 + (names(loo) != "own"))
  )
}

# Both panels have one scale in ggplot2. The errors are set so far to the right that breaks and
# labels can tell the panels apart.
LOO_SHIFT <- 1e4

gg_dissimilarity_axis <- function(relative) {
  ggplot2::scale_x_continuous(
    breaks = function(limits) {
      if (limits[1L] < LOO_SHIFT / 2) return(lr_place(lr_ticks(max(limits)^2)))
      loo_ticks(limits - LOO_SHIFT, relative) + LOO_SHIFT
    },
    labels = function(at) {
      errors <- at > LOO_SHIFT / 2
      format_number(ifelse(!errors, at^2, if (relative) exp(at - LOO_SHIFT) else at - LOO_SHIFT))
    },
    expand = ggplot2::expansion(mult = .06)
  )
}
