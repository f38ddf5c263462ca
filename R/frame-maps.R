# Maps of features (stumps, pieces, products) as designs.

# What a path keeps of a map: all but its rows.
frame_map_without_rows <- function(map) {
  map$x <- NULL
  map
}

# The map of a path with the columns `x` of other rows. Centres and radii of pieces stay the same; thresholds of stumps
# are between the values of these rows.
frame_map_at_rows <- function(map, x) {
  map$x <- as.matrix(x)
  map
}

#' @export
dim.feature_map <- function(x) dim(x$x)

# The features of a map: `x` has the columns that they are made of.
frame_map_expanded <- function(blueprint, x) {
  design <- blueprint$expand(blueprint, x)
  dimnames(design) <- list(NULL, blueprint$columns)
  design
}

# For products of columns, which have no groups: an error where `groups` is given.
frame_map_refuse_groups <- function(groups, frame, call) {
  if (is.null(groups) || isFALSE(groups)) return(FALSE)
  abort_input("{.arg groups} is given, and {.arg x} is {.cls {class(frame$x)[1]}}.", "groups",
              i = "Leave {.arg groups} out: they are for columns of a matrix.", call = call)
}

# The design matrix of a frame's rows, with the features of a map written out.
frame_map_design <- function(blueprint, frame) {
  if (blueprint$kind == "map") frame_map_expanded(blueprint, frame_map_columns(frame$x)) else frame$x
}

# The error for a map of features.
frame_map_refuse <- function(frame, method, call) {
  mend <- if (inherits(frame$x, "products")) {
    "Give products to {.fn shareboost}, {.fn greedytl} or {.fn tgreedy}."
  } else {
    "Give stumps and pieces to {.fn shareboost}."
  }
  abort_input("{.fn {method}} takes no {.cls {class(frame$x)[1]}}.", "x", i = mend, call = call)
}

frame_is_mapped <- function(frame) is.list(.subset2(frame, "x"))

# A design itself; of a map, the design that its features are made of.
frame_map_columns <- function(x) if (inherits(x, "feature_map")) x$x else x

# The columns of x as a finite, dense matrix, with the blueprint that makes them again. The map's `units` and `says`,
# what print() says, are to be added.
frame_map_new <- function(kind, x, call, ...) {
  if (missing(x) || is.null(x)) abort_missing("x", "Give a matrix or data frame.", call)
  built <- frame_design_from_data(x, call = call)
  design <- as.matrix(built$x)
  if (!nrow(design) || !ncol(design)) {
    abort_input("{.arg x} has {nrow(design)} row{?s} and {ncol(design)} column{?s}.", "x",
                i = "Give at least one of each.", call = call)
  }
  bad <- which(!is.finite(colSums(design)))
  bad <- bad[vapply(bad, function(j) !all(is.finite(design[, j])), NA)]
  if (length(bad)) {
    status_abort_not_finite(
      labels_of_columns(built$blueprint$columns, bad[1]), "x", design[, bad[1]], call,
      cure = "Impute them, or leave out their rows; leave the same rows out of the response."
    )
  }
  structure(list(x = design, blueprint = built$blueprint, row_labels = labels_of_rows(x), ...),
            class = c(kind, "feature_map"))
}

frame_map_ranges <- function(x) apply(x, 2, function(v) max(v) - min(v))

#' @export
print.feature_map <- function(x, ...) {
  arguments_check()
  cat(x$says, ", ", nrow(x$x), " rows\n", sep = "")
  invisible(x)
}
