# Base graphics: the three pictures, made with the helpers of path-plot-draw.R.

# ---- what = "path" ----

draw_path <- function(data, top_n, dots) {
  classes <- attr(data, "classes")
  n <- length(classes)
  if (n == 1L) {
    return(draw_path_one(data, top_n, dots))
  }
  fin <- graphics::par("fin")
  n_col <- min(n, max(1L, round(sqrt(n * fin[1L] / fin[2L]))))
  n_row <- ceiling(n / n_col)
  if (n > 4L) {
    top_n <- min(top_n, 3L)
  }
  cex <- if (n > 12L) .5 else if (n > 4L) .6 else .7
  csi <- graphics::par("csi")
  picked <- lapply(classes, function(cl) top_terms(data[data$class %in% cl, ], top_n))
  room <- min(.4 * fin[1L] / n_col, max(0, label_width(unlist(picked), cex)) + leader(cex) + .05)
  boxes <- panel_boxes(n_row, n_col, csi * c(3.6, 4, 2.8, .5) + c(0, 0, 0, room),
                       c(room + .12, csi * 1.5))
  main <- dots$main
  dots$main <- NULL
  for (k in seq_len(n)) {
    outer <- c(left = (k - 1L) %% n_col == 0L, bottom = k + n_col > n)
    one <- data[data$class %in% classes[k], , drop = FALSE]
    width <- (boxes[[k]][2L] - boxes[[k]][1L]) * fin[1L] + .8 * room # of a title in bold
    defaults <- list(ylim = path_range(data), main = fit_labels(classes[k], .9 * width, .8),
                     main_line = .2, cex.main = .8, cex.axis = .65)
    set <- path_panel(boxes[[k]], data, one, top_n, defaults, dots, room, cex, outer)
  }
  box <- c(boxes[[1L]][1L], boxes[[n_col]][2L], boxes[[n_row * n_col]][3L], boxes[[1L]][4L])
  set <- draw_panel(box, list(xlim = 0:1, ylim = 0:1, xlab = "step", ylab = path_ylab(data),
                              main = main %||% "", main_line = 1.4), dots)
  draw_title(set)
  draw_legend(data, 2.7)
}

draw_path_one <- function(data, top_n, dots) {
  cex <- .75
  csi <- graphics::par("csi")
  terms <- top_terms(data, top_n)
  room <- max(.2, label_width(terms, cex) + leader(cex) + .05)
  room <- min(.3 * graphics::par("fin")[1L], room)
  box <- panel_boxes(1L, 1L, csi * c(3.4, 4.2, 4.2, .6) + c(0, 0, 0, room))[[1L]]
  defaults <- list(
    ylim = path_range(data), xlab = path_xlab(data), ylab = path_ylab(data), main_line = 2.6,
    main = attr(data, "title")
  )
  outer <- c(left = TRUE, bottom = TRUE)
  set <- path_panel(box, data, data, top_n, defaults, dots, room, cex, outer)
  ticks <- step_ticks(attr(data, "steps"))
  size <- attr(data, "size")[match(ticks, attr(data, "steps"))]
  draw_axis(3, ticks, size, set)
  graphics::mtext("columns in the model", side = 3, line = 1.3,
                  cex = .9 * set$cex.lab * graphics::par("cex"), col = path_colours$ink)
  draw_title(set)
  draw_legend(data, 3.9)
}

# One panel of paths: `one` holds its rows of `data`.
path_panel <- function(box, data, one, top_n, defaults, dots, room, cex, outer) {
  steps <- attr(data, "steps")
  average <- identical(attr(data, "best"), "average")
  cut <- if (length(attr(data, "classes")) == 1L) "average" else "avg"
  cex_axis <- dots$cex.axis %||% defaults$cex.axis %||% .8
  end <- max(steps) + if (average) average_gap(max(steps), box, cut, cex_axis) else 0
  defaults$xlim <- c(0, max(end, 1)) + c(-.015, .015) * max(end, 1)
  set <- draw_panel(box, defaults, dots)
  draw_frame(zero = nrow(one) > 0L)
  ticks <- step_ticks(steps, if (cex < .7) 3 else 5)
  draw_axis(1, ticks, if (outer[["bottom"]]) ticks else FALSE, set)
  draw_axis(2, graphics::axTicks(2), if (outer[["left"]]) TRUE else FALSE, set)
  if (average && outer[["bottom"]] && nrow(one) > 0L) {
    draw_axis(1, end, cut, set)
  } else {
    draw_default(attr(data, "best"))
  }
  if (length(attr(data, "classes")) > 1L) {
    draw_title(list(xlab = "", ylab = "", main = set[["main"]], main_line = .2,
                    cex.main = set$cex.main))
  }
  if (nrow(one) == 0L) {
    draw_note("no column entered", cex)
    return(set)
  }
  draw_path_lines(one, steps, end, average, top_n, dots, room, cex)
  set
}

# Steps between the last one and the average, so that their labels on the axis keep apart.
average_gap <- function(last, box, label, cex) {
  need <- sum(label_width(c(label, last), cex)) / 2 + .08
  width <- (box[2L] - box[1L]) * graphics::par("fin")[1L]
  max(last, 1) * need / max(width - need, .3 * width)
}

draw_path_lines <- function(one, steps, end, average, top_n, dots, room, cex) {
  terms <- path_term_table(one, steps, average)
  lwd <- c(feature = 1.3, source = 2) * cex / .75
  look <- utils::modifyList(list(col = terms$col, lty = 1, lwd = lwd[terms$type]),
                            dots[intersect(names(dots), c("col", "lty", "lwd"))])
  look <- as.data.frame(lapply(look, rep, length.out = nrow(terms)))
  for (i in rev(seq_len(nrow(terms)))) {
    at <- one[one$term == terms$term[i], , drop = FALSE]
    y <- at$estimate[match(steps, at$step)]
    graphics::lines(steps, y, col = look$col[i], lty = look$lty[i], lwd = look$lwd[i])
    if (average) {
      graphics::segments(max(steps), y[length(y)], end, terms$final[i], col = look$col[i], lty = 3)
      graphics::points(end, terms$final[i], col = look$col[i], cex = 1.2 * cex,
                       pch = if (terms$type[i] == "source") 18 else 20, xpd = NA)
    }
  }
  named <- seq_len(min(top_n, nrow(terms)))
  if (length(named) > 0L) {
    names <- fit_labels(terms$term[named], room - leader(cex) - .05, cex)
    draw_labels(end, terms$final[named], names, look$col[named], cex)
  }
}

# Terms by importance, with type, value in the default model and colour (dark is important).
path_term_table <- function(one, steps, average) {
  last <- one[if (average) is.na(one$step) else one$step %in% max(steps), , drop = FALSE]
  peak <- tapply(abs(one$estimate), one$term, max)[last$term]
  last <- last[order(-abs(last$estimate), -peak), , drop = FALSE]
  col <- character(nrow(last))
  for (type in unique(last$type)) {
    of <- which(last$type == type)
    col[of] <- shades(type, length(of))
  }
  data.frame(term = last$term, type = last$type, final = last$estimate, col = col)
}

top_terms <- function(one, top_n) {
  if (nrow(one) == 0L || top_n == 0) {
    return(character(0))
  }
  steps <- one$step[!is.na(one$step)]
  utils::head(path_term_table(one, steps, anyNA(one$step))$term, top_n)
}

path_range <- function(data) {
  range <- range(0, data$estimate)
  if (diff(range) > 0) range else c(-1, 1)
}

path_ylab <- function(data) {
  if (attr(data, "scaled")) "coefficient x scale of its column" else "coefficient (original scale)"
}

path_xlab <- function(data) {
  best <- attr(data, "best")
  if (is.numeric(best)) paste0("step (dotted: the default, ", best, ")") else "step"
}

draw_default <- function(best) {
  if (is.numeric(best)) {
    graphics::abline(v = best, lty = 3, col = path_colours$ink)
  }
}

step_ticks <- function(steps, n = 5) {
  ticks <- unique(round(pretty(c(0, max(steps, 1)), n = n)))
  ticks[ticks >= 0 & ticks <= max(steps)]
}

draw_legend <- function(data, above) {
  types <- intersect(c("feature", "source"), data$type)
  if (length(types) < 2L) {
    return(invisible())
  }
  col <- vapply(path_colours[types], function(shade) shade[1L], character(1))
  usr <- graphics::par("usr")
  line <- graphics::par("csi") * diff(usr[3:4]) / graphics::par("pin")[2L]
  graphics::legend(
    usr[2L], usr[4L] + above * line, c("feature", "source"), col = col, lwd = c(1.3, 2), xjust = 1,
    horiz = TRUE, bty = "n", cex = .8, xpd = NA, seg.len = 1.4, text.col = path_colours$ink
  )
}

# ---- what = "loo" ----

draw_loo <- function(data, top_n, dots) {
  measures <- unique(data$measure)
  csi <- graphics::par("csi")
  cex <- .75
  named <- loo_named(data, top_n)
  room <- max(0, label_width(named, cex) + leader(cex) + .05)
  room <- min(.25 * graphics::par("fin")[1L], room)
  boxes <- panel_boxes(length(measures), 1L, csi * c(3.4, 4.2, 2.2, .6) + c(0, 0, 0, room),
                       c(0, 1.2 * csi))
  main <- dots$main %||% loo_title(data)
  for (k in seq_along(measures)) {
    one <- data[data$measure == measures[k], , drop = FALSE]
    ylab <- c(error = "mean squared error", accuracy = "accuracy")[[measures[k]]]
    dots$main <- if (k == 1L) main else ""
    dots$ylim <- if (k == 1L) dots$ylim
    xlab <- if (k == length(measures)) path_xlab(data) else ""
    loo_panel(boxes[[k]], one, c(xlab, ylab), top_n, dots, room, cex)
    draw_default(attr(data, "best"))
  }
}

loo_title <- function(data) {
  n <- attr(data, "n_classes")
  name <- if (nzchar(attr(data, "title"))) paste0(", ", attr(data, "title"))
  over <- if (n > 1L && all(data$main)) paste0(" (mean of ", n, " classes)")
  paste0("Leave-one-out, given the selected columns", name, over)
}

loo_panel <- function(box, one, lab, top_n, dots, room, cex) {
  steps <- sort(unique(one$step))
  range <- range(one$value[is.finite(one$value)])
  if (diff(range) == 0) {
    range <- range + c(-.5, .5) * max(abs(range), 1)
  }
  set <- draw_panel(box, list(
    xlim = c(-.015, 1.015) * max(steps, 1), ylim = range, xlab = lab[1L], ylab = lab[2L]
  ), dots)
  draw_frame()
  draw_axis(1, step_ticks(steps), if (nzchar(lab[1L])) step_ticks(steps) else FALSE, set)
  draw_axis(2, graphics::axTicks(2), TRUE, set)
  draw_title(set)
  lines <- loo_looks(one, dots)
  for (i in seq_len(nrow(lines))) {
    at <- one[one$line == lines$line[i], , drop = FALSE]
    graphics::lines(at$step, at$value, col = lines$col[i], lwd = lines$lwd[i], lty = lines$lty[i],
                    type = if (lines$main[i]) "o" else "l", pch = 20, cex = .8)
  }
  named <- lines[lines$line %in% loo_named(one, top_n), , drop = FALSE]
  if (nrow(named) > 0L) {
    names <- fit_labels(named$line, room - leader(cex) - .05, cex)
    draw_labels(max(steps), named$final, names, named$col, cex)
  }
}

# Thin lines first, then thick; colours run from dark to light over the lambdas.
loo_looks <- function(one, dots) {
  last <- one[one$step == max(one$step), , drop = FALSE]
  last <- last[order(last$main), , drop = FALSE]
  col <- rep(path_colours$thin, nrow(last))
  col[last$main] <- lambda_colours(sum(last$main))
  look <- utils::modifyList(list(col = col, lty = 1, lwd = ifelse(last$main, 2, .9)),
                            dots[intersect(names(dots), c("col", "lty", "lwd"))])
  data.frame(line = last$line, main = last$main, final = last$value,
             lapply(look, rep, length.out = nrow(last)))
}

lambda_colours <- function(n) {
  if (n == 1L) path_colours$feature[1L] else grDevices::hcl.colors(n + 1L, "viridis")[seq_len(n)]
}

# Names of the lines that get a label: the thick ones, and the classes hardest to tell.
loo_named <- function(data, top_n) {
  if (top_n == 0) {
    return(character(0))
  }
  last <- data[data$step == max(data$step) & data$measure == data$measure[1L], , drop = FALSE]
  sign <- if (data$measure[1L] == "error") -1 else 1
  last <- last[order(!last$main, sign * last$value), , drop = FALSE]
  setdiff(utils::head(last$line, min(top_n, 5L) + sum(last$main)), "")
}

# ---- what = "sources" ----

source_title <- function(data) {
  step <- attr(data, "step")
  paste0("Source weights, ", if (identical(step, "average")) "average over the path" else
    paste("step", step))
}

# How many sources there are beside those shown.
source_count <- function(data) {
  shown <- length(attr(data, "sources"))
  entered <- attr(data, "n_entered")
  all <- attr(data, "n_sources")
  if (entered == 0L) {
    "no source has weight"
  } else if (shown < entered) {
    paste(shown, "heaviest of", entered, "sources with weight")
  } else if (entered < all) {
    paste(entered, "of", all, "sources have weight")
  }
}

# The end of the colour scale on both sides.
weight_limit <- function(data) if (any(data$weight != 0)) max(abs(data$weight)) else 1

source_xlab <- function(data) {
  if (attr(data, "scaled")) "weight x scale of the source" else "weight (original scale)"
}

draw_source_map <- function(data, dots) {
  draw_map(data, dots, c("target class", "source"), source_title(data), source_count(data))
}

# Weights by source (or feature) and class; `lab` names the axes.
draw_map <- function(data, dots, lab, main, note) {
  sources <- attr(data, "sources")
  classes <- attr(data, "classes")
  csi <- graphics::par("csi")
  fin <- graphics::par("fin")
  wide <- (fin[1L] - 8 * csi) / length(classes)
  cex_class <- min(.85, 1.1 * wide / csi)
  below <- fit_labels(classes, .25 * fin[2L], cex_class)
  upright <- max(label_width(below, cex_class)) < .9 * wide
  bottom <- if (upright) csi else max(label_width(below, cex_class))
  cex <- c(min(.85, (fin[2L] - 4.8 * csi - bottom) / length(sources) / csi), cex_class)
  left <- fit_labels(sources, .3 * fin[1L], cex[1L])
  margin <- csi * c(2.6, 2.4, 2.2, 5.2) +
    c(bottom, max(0, label_width(left, cex[1L])), 0, 0)
  box <- panel_boxes(1L, 1L, margin)[[1L]]
  set <- draw_panel(box, list(
    xlim = c(.5, length(classes) + .5), ylim = c(length(sources) + .5, .5), yaxs = "i",
    xlab = lab[1L], ylab = lab[2L], main = main
  ), dots)
  limit <- weight_limit(data)
  x <- match(data$class, classes)
  y <- match(data$source, sources)
  graphics::rect(x - .5, y - .5, x + .5, y + .5, col = diverging_colour(data$weight, limit),
                 border = path_colours$faint, lwd = .6)
  graphics::box(col = path_colours$frame)
  map_axis(1, seq_along(classes), below, cex[2L], if (upright) 1 else 2)
  map_axis(2, seq_along(sources), left, cex[1L], 1)
  graphics::mtext(note, side = 3, line = .6, adj = 1,
                  cex = .75 * graphics::par("cex"), col = path_colours$frame)
  draw_title(set, line = c(bottom, max(label_width(left, cex[1L]))) / csi + c(1, .9))
  draw_colour_bar(limit, set)
}

map_axis <- function(side, at, labels, cex, las) {
  for (i in seq_along(at)) {
    graphics::axis(side, at[i], labels[i], tick = FALSE, las = las, cex.axis = cex,
                   mgp = c(3, .3, 0), col.axis = path_colours$ink)
  }
}

draw_colour_bar <- function(limit, set) {
  usr <- graphics::par("usr")
  pin <- graphics::par("pin")
  left <- usr[2L] + .18 * diff(usr[1:2]) / pin[1L]
  right <- left + .16 * diff(usr[1:2]) / pin[1L]
  middle <- mean(usr[3:4])
  half <- min(.5 * abs(diff(usr[3:4])), .9 * abs(diff(usr[3:4])) / pin[2L])
  value <- seq(-1, 1, length.out = 101L)
  edge <- middle + half * seq(-1, 1, length.out = 102L) * sign(usr[4L] - usr[3L])
  graphics::rect(left, edge[-102L], right, edge[-1L], col = diverging_colour(value, 1), border = NA,
                 xpd = NA)
  graphics::rect(left, edge[1L], right, edge[102L], border = path_colours$frame, xpd = NA)
  ticks <- pretty(c(-limit, limit), n = 4)
  ticks <- ticks[abs(ticks) <= limit]
  at <- middle + half * ticks / limit * sign(usr[4L] - usr[3L])
  wide <- right - left
  graphics::segments(right, at, right + .25 * wide, at, col = path_colours$frame, xpd = NA)
  graphics::text(right + .4 * wide, at, format(ticks), adj = c(0, .5),
                 cex = .9 * set$cex.axis, col = path_colours$ink, xpd = NA)
}

draw_source_dots <- function(data, dots) {
  sources <- attr(data, "sources")
  n <- length(sources)
  csi <- graphics::par("csi")
  fin <- graphics::par("fin")
  cex <- min(.85, 1.1 * (fin[2L] - 5.8 * csi) / max(n, 1L) / csi)
  left <- fit_labels(sources, .35 * fin[1L], cex)
  margin <- csi * c(3.4, 1.2, 2.4, 1.2) + c(0, max(.3, label_width(left, cex)), 0, 0)
  box <- panel_boxes(1L, 1L, margin)
  range <- path_range(list(estimate = data$weight))
  set <- draw_panel(box[[1L]], list(
    xlim = range + c(-.03, .03) * diff(range), ylim = c(.4, max(n, 1) + .6), yaxs = "i",
    xlab = source_xlab(data), main = source_title(data)
  ), dots)
  draw_axis(1, graphics::axTicks(1), TRUE, set)
  draw_title(set)
  if (n == 0L) {
    draw_note("no source has weight")
    return(invisible())
  }
  graphics::mtext(source_count(data), side = 3, line = .6, adj = 1,
                  cex = .75 * graphics::par("cex"), col = path_colours$frame)
  graphics::abline(v = graphics::axTicks(1), col = path_colours$faint)
  graphics::abline(v = 0, col = path_colours$frame)
  map_axis(2, seq_len(n), left, cex, 1)
  ends <- path_colours$diverging[c(1L, 5L)]
  look <- utils::modifyList(list(col = ends[1L + (data$weight > 0)], lty = 1, lwd = 2, pch = 19),
                            dots[intersect(names(dots), c("col", "lty", "lwd", "pch"))])
  graphics::segments(0, seq_len(n), data$weight, col = look$col, lwd = look$lwd, lty = look$lty)
  graphics::points(data$weight, seq_len(n), pch = look$pch, col = look$col)
}
