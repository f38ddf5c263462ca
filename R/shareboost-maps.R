# What shareboost() selects from a map of features: stumps, pieces and products of columns, which are never written out.

# The units of a map, a list: `count`; `label(unit)`, their names by number; `type` and `what`, one and several of them;
# `run(y, weights, settings, draws)`, the selection in C. For units that can be kept, `find(labels)` gives their
# numbers, and `cuts`, `kept` and `most` find the units of all rows among those of a part of the rows.
shareboost_maps_units <- function(map, frame) UseMethod("shareboost_maps_units")

#' @export
shareboost_maps_units.stumps <- function(map, frame) {
  x <- map$x
  ascending <- vapply(seq_len(ncol(x)), function(j) order(x[, j], method = "radix"),
                  integer(nrow(x)))
  before <- cumsum(c(0, stumps_threshold_counts(x)))
  columns <- labels_of_all_columns(frame$blueprint)
  list(
    count = before[ncol(x) + 1], most = max(map$units, before), # fewer where rows are left out, as in a fold
    label = function(unit) {
      cuts <- shareboost_maps_stump_cuts(unit, x, before)
      shareboost_maps_stump_labels(columns[cuts$feature], cuts$threshold)
    },
    find = function(labels) shareboost_maps_stump_units(labels, x, before, columns),
    cuts = function(unit) shareboost_maps_stump_cuts(unit, x, before),
    kept = function(keep) if (identical(map$kept$keep, keep)) shareboost_maps_units_of_rows(map$kept$cuts, x, before,
                                                                                            keep),
    type = "stump", what = "stumps",
    run = function(y, weights, settings, draws) {
      rounds <- .Call(C_shareboost_stumps, x, ascending, y, weights, settings, draws)
      rounds$entered <- rounds$term <- shareboost_maps_stump_labels(columns[rounds$column], rounds$detail)
      rounds$blueprint <- frame_design_new_blueprint(
        "map", rounds$term, length(rounds$term), base = frame$blueprint, expand = stumps_expand,
        feature = rounds$column, threshold = rounds$detail
      )
      rounds
    }
  )
}

# Thresholds of a column, half way (as in stumps_describe()) from the values below them to the next.
shareboost_maps_column_cuts <- function(x) {
  value <- sort(unique(x))
  low <- value[-length(value)]
  high <- value[-1]
  middle <- low + (high - low) / 2
  list(low = low, threshold = ifelse(middle < high, middle, low))
}

# Column, value below and threshold of stumps by number.
shareboost_maps_stump_cuts <- function(unit, x, before) {
  feature <- findInterval(unit - 1, before)
  low <- threshold <- numeric(length(unit))
  for (j in unique(feature)) {
    of <- which(feature == j)
    cuts <- shareboost_maps_column_cuts(x[, j])
    low[of] <- cuts$low[unit[of] - before[j]]
    threshold[of] <- cuts$threshold[unit[of] - before[j]]
  }
  list(feature = feature, low = low, threshold = threshold)
}

# Numbers of the stumps that split the rows of x as `cuts`, found on all rows, do. A stump that has all
# rows of x on one side, or repeats another one, is left out.
shareboost_maps_units_of_rows <- function(cuts, x, before, keep) {
  unit <- vapply(seq_along(keep), function(k) {
    j <- cuts$feature[k]
    value <- unique(x[, j])
    below <- sum(value <= cuts$low[k])
    if (below > 0 && below < length(value)) before[j] + below else NA_real_
  }, 0)
  lost <- is.na(unit) | duplicated(unit)
  if (any(lost)) {
    cli::cli_warn(c(
      "{cli::qty(sum(lost))}Stump{?s} {.val {keep[lost]}} of {.arg keep} {?is/are} left out.",
      i = "Such a stump has all rows of this fit on one side of its threshold, or splits them as
           another one does."
    ), class = "transelect_warning_keep")
  }
  as.integer(unit[!lost])
}

# Numbers of the stumps that labels name, NA where there is none.
shareboost_maps_stump_units <- function(labels, x, before, columns) {
  vapply(labels, function(label) {
    for (j in which(startsWith(label, paste(columns, "<= ")) & diff(before) > 0)) {
      threshold <- shareboost_maps_column_cuts(x[, j])$threshold
      for (digits in LABEL_DIGITS) {
        named <- paste(columns[j], "<=", vapply(threshold, format, "", digits = digits))
        position <- which(named == label)
        if (length(position) == 1) return(before[j] + position)
      }
    }
    NA_real_
  }, 0, USE.NAMES = FALSE)
}

LABEL_DIGITS <- c(5, 9, 15, 17)

# Thresholds with as many digits as are needed to distinguish them.
shareboost_maps_stump_labels <- function(feature, threshold) {
  if (!length(feature)) return(character())
  for (digits in LABEL_DIGITS) {
    label <- paste(feature, "<=", vapply(threshold, format, "", digits = digits))
    if (!anyDuplicated(label)) break
  }
  label
}

#' @export
shareboost_maps_units.pieces <- function(map, frame) {
  columns <- labels_of_all_columns(frame$blueprint)
  radii <- length(map$radii)
  label <- function(unit) {
    if (!length(unit)) return(character())
    paste0("piece ", (unit - 1) %/% radii + 1, ":", (unit - 1) %% radii + 1)
  }
  list(
    count = nrow(map$centers) * radii, label = label, type = "piece", what = "pieces",
    run = function(y, weights, settings, draws) {
      balls <- list(center = map$centers, radius = map$radii)
      rounds <- .Call(C_shareboost_pieces, map$x, balls, y, weights, settings, draws)
      of <- rep(seq_along(rounds$unit), diff(rounds$columns))
      rounds$term <- sprintf("%s %s", label(rounds$unit)[of], c(columns, "(one)")[rounds$column])
      rounds$blueprint <- frame_design_new_blueprint(
        "map", rounds$term, length(rounds$term), base = frame$blueprint, expand = pieces_expand,
        feature = rounds$column, of = of, radius = map$radii[(rounds$unit - 1) %% radii + 1],
        centers = map$centers[(rounds$unit - 1) %/% radii + 1, , drop = FALSE]
      )
      rounds
    }
  )
}

#' @export
shareboost_maps_units.products <- function(map, frame) {
  list(
    count = map$units, label = function(unit) products_frame_labels(frame, unit), type = "product",
    what = "products",
    run = function(y, weights, settings, draws) {
      rounds <- .Call(C_shareboost, list(frame_rows_block(frame)), y, weights, NULL, settings, draws)
      rounds$blueprint <- products_blueprint(map, rounds$column, frame$blueprint, ncol(frame$x))
      rounds$term <- rounds$blueprint$columns
      rounds
    }
  )
}
