# The pictures of a path, from the data of path-plot.R: coefficients, leave-one-out, sources.

# ---- coefficients ---------------------------------------------------------------------------------

path_picture <- function(data, top_n, xlab = path_xlab(data)) {
  classes <- attr(data, "classes")
  n <- length(classes)
  if (n > 4L) top_n <- min(top_n, 3L)
  look <- c(feature = 1.3, source = 2) * if (n > 12L) .67 else if (n > 1L) .85 else 1
  panels <- lapply(classes, function(class) {
    path_panel(data, data[data$class %in% class, , drop = FALSE], top_n, look,
               if (n > 1L) "step" else xlab, if (n > 1L) class else "")
  })
  types <- intersect(c("feature", "source"), data$type)
  keys <- if (length(types) > 1L) {
    picture_keys(types, c(picture_colours$feature[1L], picture_colours$source[1L]), lwd = c(1.3, 2))
  }
  new_picture(panels, attr(data, "title"), keys)
}

# `one` holds the panel's rows of `data`.
path_panel <- function(data, one, top_n, lwd, xlab, title) {
  steps <- attr(data, "steps")
  average <- identical(attr(data, "best"), "average")
  several <- length(attr(data, "classes")) > 1L
  last <- max(steps)
  end <- last + if (average) max(last, 1) * if (several) .25 else .2 else 0
  terms <- path_term_table(one, steps, average)
  lines <- one[!is.na(one$step), , drop = FALSE]
  at <- match(lines$term, terms$term)
  lines <- lines[order(-at, lines$step), , drop = FALSE] # the most important are drawn last
  at <- match(lines$term, terms$term)
  lines <- data.frame(x = lines$step, y = lines$estimate, group = lines$term, col = terms$col[at],
                      lwd = unname(lwd[lines$type]))
  ends <- data.frame(x = rep(end, nrow(terms)), y = terms$final, label = terms$term,
                     group = terms$term, col = terms$col)
  new_panel(
    path_axis(xlab, data, end, average, several), new_axis(path_ylab(data), padded(path_range(data))),
    c(
      list(new_rule("y", 0, col = picture_colours$frame, lty = 1),
           if (!average) new_rule("x", attr(data, "best"))),
      list(new_layer("line", lines, user = c("col", "lty", "lwd"))),
      if (average) average_layers(terms, lines, last, end)
    ),
    utils::head(ends, top_n), title = title, empty = if (!nrow(one)) "no column entered"
  )
}

# The average stands at the right of the last step.
path_axis <- function(label, data, end, average, several) {
  steps <- attr(data, "steps")
  ticks <- step_ticks(steps, if (several) 3 else 5)
  second <- if (!several) {
    sizes <- attr(data, "size")[match(ticks, steps)]
    list(at = ticks, labels = sizes, label = "columns in the model")
  }
  labels <- c(ticks, if (average) if (several) "avg" else "average")
  new_axis(label, c(-.015, 1.015) * max(end, 1), c(ticks, if (average) end), labels, second = second)
}

average_layers <- function(terms, lines, last, end) {
  from <- lines[lines$x == last, , drop = FALSE]
  at <- match(from$group, terms$term)
  to <- data.frame(x = from$x, y = from$y, xend = rep(end, nrow(from)), yend = terms$final[at],
                   col = from$col, group = from$group)
  list(
    new_layer("segment", to, lty = 3, user = "col"),
    new_layer("point", data.frame(x = rep(end, nrow(terms)), y = terms$final, col = terms$col,
                                  group = terms$term, pch = ifelse(terms$type == "source", 18, 20)),
              cex = .9, user = "col")
  )
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

# ---- leave-one-out ----------------------------------------------------------------------------------

loo_picture <- function(data, top_n) {
  measures <- unique(data$measure)
  labels <- c(error = "mean squared error", accuracy = "accuracy")
  panels <- lapply(measures, function(measure) {
    loo_panel(data[data$measure == measure, , drop = FALSE], labels[[measure]], path_xlab(data),
              loo_named(data, top_n), attr(data, "best"))
  })
  new_picture(panels, loo_title(data), layout = "stack")
}

loo_panel <- function(one, label, xlab, named, best) {
  lines <- loo_line_styles(one)
  at <- match(one$line, lines$line)
  one <- one[order(at, one$step), , drop = FALSE]
  at <- match(one$line, lines$line)
  path <- data.frame(x = one$step, y = one$value, group = one$line, col = lines$col[at],
                     lwd = lines$lwd[at])
  ends <- lines[lines$line %in% named, , drop = FALSE]
  new_panel(
    step_axis(xlab, unique(one$step)), new_axis(label, padded(value_range(one$value))),
    list(
      new_rule("x", if (is.numeric(best)) best else NA_real_),
      new_layer("line", path, user = c("col", "lty", "lwd")),
      new_layer("point", path[lines$main[at], c("x", "y", "col", "group"), drop = FALSE], cex = .5,
                user = "col")
    ),
    data.frame(x = rep(max(one$step), nrow(ends)), y = ends$final, label = ends$line,
               group = ends$line, col = ends$col),
    title = label
  )
}

loo_title <- function(data) {
  n <- attr(data, "n_classes")
  over <- if (n > 1L && all(data$main)) paste0(" (mean of ", n, " classes)")
  paste0(toString(c("Leave-one-out, given the selected columns", attr(data, "title"))), over)
}

# Thin lines first, then thick; colours run from dark to light over the lambdas.
loo_line_styles <- function(one) {
  last <- one[one$step == max(one$step), , drop = FALSE]
  last <- last[order(last$main), , drop = FALSE]
  col <- rep(picture_colours$thin, nrow(last))
  col[last$main] <- lambda_colours(sum(last$main))
  data.frame(line = last$line, main = last$main, final = last$value, col = col,
             lwd = ifelse(last$main, 2, .9))
}

# Names of the lines that get a label: the thick ones, and the classes hardest to tell.
loo_named <- function(data, top_n) {
  if (top_n == 0) return(character(0))
  last <- data[data$step == max(data$step) & data$measure == data$measure[1L], , drop = FALSE]
  sign <- if (data$measure[1L] == "error") -1 else 1
  last <- last[order(!last$main, sign * last$value), , drop = FALSE]
  setdiff(utils::head(last$line, min(top_n, 5L) + sum(last$main)), "")
}

# ---- sources ----------------------------------------------------------------------------------------

source_picture <- function(data, map) {
  if (map && nrow(data)) {
    return(map_picture(data, attr(data, "sources"), attr(data, "classes"), c("target class", "source"),
                       title = source_title(data), note = source_count(data), unit = source_xlab(data)))
  }
  if (!nrow(data)) return(empty_picture("no source has weight", source_title(data)))
  data$y <- nrow(data) + 1 - match(data$source, rev(attr(data, "sources")))
  ends <- picture_colours$diverging[c(1L, 5L)]
  data$col <- ends[1L + (data$weight > 0)]
  dots <- data.frame(x = data$weight, y = data$y, col = data$col)
  range <- path_range(list(estimate = data$weight))
  new_picture(list(new_panel(
    new_axis(source_xlab(data), padded(range, .03)), name_axis(rev(attr(data, "sources"))),
    list(
      new_rule("x", 0, col = picture_colours$frame, lty = 1),
      new_layer("segment", data.frame(x = 0, xend = dots$x, dots["y"], yend = dots$y, dots["col"]),
                lwd = 2, user = c("col", "lty", "lwd")),
      new_layer("point", dots, user = c("col", "pch"))
    )
  )), source_title(data), note = source_count(data))
}

source_title <- function(data) {
  step <- attr(data, "step")
  paste0("Source weights, ", if (identical(step, "average")) "average over the path" else
    paste("step", step))
}

# A note of how many sources there are beside those shown.
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

source_xlab <- function(data) {
  if (attr(data, "scaled")) "weight x scale of the source" else "weight (original scale)"
}
