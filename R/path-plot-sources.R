# The picture of the weights of sources.

# class, row (the source), weight: every source for a map, those with weight for dots.
path_plot_sources_data <- function(x, class, lambda, scaled, step, call) {
  check_single(length(step), "step", call)
  n <- x$sources$n_sources %||% 0
  if (n == 0) {
    abort_input("{.arg what} is {.val sources}, but this fit has no sources.", "what",
                i = "Give another {.arg what}.", call = call)
  }
  step <- step %||% x$best
  long <- path_plot_data_estimates(x, class, lambda, step, scaled, call)
  long <- long[long$type == "source", , drop = FALSE]
  map <- path_object_is_multi(x)
  shown <- if (map && n <= 60) sources_label(x$sources) else path_plot_sources_heaviest(long, map)
  long <- data.frame(row = long$term, class = long$class, weight = long$estimate)
  table <- path_plot_data_every_pair(long, list(row = shown, class = class), "weight")
  structure(table, rows = shown, classes = class, n_sources = n, step = step,
            n_entered = length(unique(long$row)), scaled = scaled)
}

# Names of the heaviest sources, in their own order (map) or by weight (dots).
path_plot_sources_heaviest <- function(long, map) {
  size <- tapply(abs(long$estimate), long$term, max)
  long <- long[long$term %in% path_plot_sources_largest(names(size), size, if (map) 60L else 40L), , drop = FALSE]
  unique(long$term[order(if (map) long$row else long$estimate)])
}

# The `most` names of the largest size, in the order that they have.
path_plot_sources_largest <- function(names, size, most = 60L) names[sort(utils::head(order(-size), most))]

path_plot_sources <- function(data, map) {
  step <- attr(data, "step")
  title <- paste0("Source weights, ", if (identical(step, "average")) "average" else paste("step", step))
  if (!nrow(data)) return(picture_empty("no source has weight", title))
  unit <- if (attr(data, "scaled")) "standardised weight" else "weight (original scale)"
  if (map) {
    return(picture_map(data, attr(data, "rows"), attr(data, "classes"), c("target class", "source"),
                       title = title, note = path_plot_sources_count(data), unit = unit))
  }
  dots <- data.frame(x = data$weight, y = nrow(data) + 1 - match(data$row, rev(attr(data, "rows"))),
                     col = picture_colours$diverging[c(1L, 5L)][1L + (data$weight > 0)])
  common <- path_plot_sources_common(data$weight, attr(data, "n_sources"))
  range <- path_plot_data_range(list(estimate = data$weight))
  picture_new(list(picture_panel(
    picture_axis(unit, picture_padded_range(range, .03)), picture_name_axis(rev(attr(data, "rows"))),
    list(
      picture_rule("x", 0, col = picture_colours$frame, lty = 1), picture_rule("x", common),
      if (length(common)) {
        words <- paste("shared by", sum(signif(data$weight, 6) == common))
        picture_layer("text", data.frame(x = common, y = Inf, label = words), vjust = -.5, cex = .7,
                      col = picture_colours$frame)
      },
      picture_layer("segment", data.frame(x = 0, xend = dots$x, dots[c("y", "col")]), lwd = 2,
                    user = c("col", "lty", "lwd")),
      picture_layer("point", dots, user = c("col", "pch"))
    )
  )), title, note = path_plot_sources_count(data))
}

# The weight that most sources share, from the mean of all sources, where they are a fifth of all and more than two;
# else none.
path_plot_sources_common <- function(weight, n_sources) {
  equal <- table(signif(weight, 6))
  if (!length(equal) || max(equal) < max(3, n_sources / 5)) return(numeric())
  as.numeric(names(equal)[which.max(equal)])
}

# A note of how many sources there are beside those shown.
path_plot_sources_count <- function(data) {
  shown <- length(attr(data, "rows"))
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
