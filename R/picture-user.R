# plot() and autoplot() of a described picture, and the settings of users: graphical parameters, logarithmic axes.

# The last call of every method of plot(): draws `picture` by base graphics, with the graphical parameters in `...`.
picture_user_plot <- function(x, picture, ...) {
  call <- rlang::caller_env()
  arguments_refuse_abbreviated(sys.parent(), NULL)
  dots <- picture_user_dots(list(...), sys.parent(), call)
  picture_base_draw(picture_user_settings(picture, dots, call), dots, call)
  invisible(x)
}

# The last call of every method of autoplot(): draws `picture` by ggplot2. `...` may have `log` only.
picture_user_autoplot <- function(picture, ...) {
  arguments_check(more = "log", caller = sys.parent())
  picture_ggplot_draw(picture_user_settings(picture, list(...), rlang::caller_env()))
}

# The user's graphical parameters, checked. caller: the frame of the method; an unknown name is compared with its
# arguments, too.
picture_user_dots <- function(dots, caller, call) {
  known <- c(names(formals(graphics::plot.default)), names(graphics::par(no.readonly = TRUE)))
  if (!all(nzchar(rlang::names2(dots)))) {
    abort_input("{.arg ...} has an argument without a name.", "dots",
                i = "Name it, as {.arg main} or {.arg col}.", call = call)
  }
  unknown <- setdiff(names(dots), setdiff(known, c("x", "y", "type", "...")))
  if (length(unknown) > 0L) {
    meant <- arguments_nearest(unknown[1], arguments_known_names(caller))
    abort_input("{.arg ...} has {.val {unknown}}, which this plot does not take.", "dots",
                i = if (length(meant)) "Did you mean {.arg {meant}}?",
                i = "Give arguments of its help page, or of {.fn graphics::par}, by name.", call = call)
  }
  dots[!vapply(dots, is.null, NA)]
}

# How many names a panel shows: 0 if `label` is FALSE.
picture_user_top_n <- function(label, top_n, call) {
  check_flag(label, "label", call)
  check_number(top_n, "top_n", 0, call)
  if (label) top_n else 0
}

# Does the user's plot(...) set the limits or the scale of the y axis?
picture_user_sets_y <- function(...) {
  dots <- list(...)
  !is.null(dots[["ylim"]]) || any(grepl("y", dots[["log"]]))
}

picture_user_settings <- function(picture, dots, call) {
  log <- check_choice(dots$log %||% "", c("", "x", "y", "xy", "yx"), "log", call)
  picture$title <- dots$main %||% picture$title
  for (side in intersect(c("x", "y"), strsplit(log, "")[[1L]])) {
    picture$panels <- lapply(picture$panels, picture_user_log_axis, side = side, call = call)
    if (picture$layout == "wrap") { # panels of one kind: one axis for all
      limits <- range(vapply(picture$panels, function(panel) panel[[side]]$limits, numeric(2)))
      for (k in seq_along(picture$panels)) picture$panels[[k]][[side]]$limits <- limits
    }
  }
  picture$panels <- lapply(picture$panels, picture_user_panel, dots = dots)
  picture
}

picture_user_panel <- function(panel, dots) {
  for (side in c("x", "y")) {
    panel[[side]]$label <- dots[[paste0(side, "lab")]] %||% panel[[side]]$label
    panel[[side]]$limits <- dots[[paste0(side, "lim")]] %||% panel[[side]]$limits
  }
  panel$layers <- lapply(panel$layers, function(layer) {
    group <- layer$data$group %||% seq_len(nrow(layer$data))
    levels <- unique(group)
    for (name in intersect(layer$user, names(dots))) {
      layer$data[[name]] <- rep(dots[[name]], length.out = length(levels))[match(group, levels)]
    }
    layer
  })
  lines <- Filter(function(layer) layer$kind == "line" && length(layer$user), panel$layers)
  if (length(lines) && !is.null(panel$ends$group)) {
    mine <- match(panel$ends$group, lines[[1L]]$data$group)
    panel$ends$col <- ifelse(is.na(mine), panel$ends$col, lines[[1L]]$data$col[mine])
  }
  panel
}

# The panel with a logarithmic axis `side`, whose limits are those of the positive values. Marks at 0 are left out. On
# a y axis, bars and bands that reach 0 end at the lower limit.
picture_user_log_axis <- function(panel, side, call) {
  axis <- panel[[side]]
  if (axis$log) return(panel)
  places <- if (side == "x") c("x", "xend") else c("y", "yend", "low", "high")
  of_layer <- function(layer) unlist(layer$data[intersect(names(layer$data), places)])
  marks <- Filter(function(layer) layer$kind %in% c("line", "point"), panel$layers)
  least <- min(Inf, unlist(lapply(marks, of_layer)), na.rm = TRUE)
  values <- unlist(lapply(panel$layers, of_layer))
  values <- values[is.finite(values) & values > 0]
  if (axis$names || least < 0 || !length(values)) {
    why <- if (axis$names) "has names, not numbers" else if (least < 0) "has negative values" else
      "has no positive value"
    abort_input("{.arg log} is given, and the {side} axis {why}.", "log", i = "Leave {.val {side}} out of {.arg log}.",
                call = call)
  }
  axis$log <- TRUE
  axis$limits <- range(values) * c(.95, 1.05)
  number <- suppressWarnings(as.numeric(axis$labels))
  word <- is.na(number) & axis$at > 0 # such as "average", at the right of the last step
  if (side == "x" && identical(as.numeric(axis$at[!word]), number[!word])) { # an axis of whole numbers, such as steps
    end <- if (any(word)) max(axis$at[!word]) else axis$limits[2L]
    ticks <- picture_ticks_within(sort(outer(c(1, 2, 5), 10^(0:9))), c(axis$limits[1L], end))
    axis[c("at", "labels")] <- list(c(ticks, axis$at[word]), c(ticks, axis$labels[word]))
  }
  parts <- c("at", "labels")
  ticks <- if (side == "x") which(axis$at > 0)
  axis[parts] <- if (length(ticks) > 1L) list(axis$at[ticks], axis$labels[ticks]) else list(NULL)
  if (!is.null(axis$second)) axis$second[parts] <- lapply(axis$second[parts], `[`, axis$second$at > 0)
  panel[[side]] <- axis
  layers <- lapply(panel$layers, picture_user_positive_part, side = side, places = places, low = axis$limits[1L])
  panel$layers <- Filter(Negate(is.null), layers)
  if (!is.null(panel$ends)) panel$ends <- panel$ends[panel$ends[[side]] > 0, , drop = FALSE]
  panel
}

# The part of a layer that a logarithmic axis with the lower limit `low` can show. Text at an edge of the panel stays.
picture_user_positive_part <- function(layer, side, places, low) {
  data <- layer$data
  places <- intersect(names(data), places)
  if (layer$kind %in% c("segment", "band") && side == "y") {
    data[places] <- lapply(data[places], function(v) pmax(v, low))
  } else if (layer$kind == "rule") {
    data <- data[data$side != side | data$at > 0, , drop = FALSE]
  } else {
    shown <- Reduce(`&`, lapply(data[places], function(v) is.na(v) | v > 0 | v == -Inf), TRUE)
    data <- data[shown, , drop = FALSE]
  }
  layer$data <- data
  if (nrow(data)) layer
}
