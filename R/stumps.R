# Decision stumps as features, never written out; and what every map of features shares.

#' Decision stumps
#'
#' Every indicator \eqn{1[x_i \le \theta]}, for every column i and every threshold between two
#' neighbouring distinct values, as features for [shareboost()]. These up to (m - 1) p columns are
#' not stored: a round passes over the sorted rows of each column, at a cost of m p k
#' operations for k classes. Stumps depend only on the
#' order of the values, so monotone transformations change nothing.
#'
#' A path on stumps has one column for each stump that entered, named like `"age <= 41.5"`; new
#' rows are matched by the columns of `x`. Thresholds lie half way between two values. All rules
#' of [shareboost()] can be used; `"line"`, `"column"` and `"full"` cost a fit for every stump, so give them a
#' `shortlist`.
#'
#' @param x A numeric matrix, `dgCMatrix` (made dense) or data frame, m rows and p columns.
#' @param ... Not used; anything given is an error.
#' @returns An object of class `c("stumps", "feature_map")` to be given to [shareboost()] or
#'   [cv_path()] in place of `x`.
#' @references
#' Shalev-Shwartz, S., Wexler, Y. and Shashua, A. (2011). ShareBoost: efficient multiclass learning
#' with feature sharing. *Advances in Neural Information Processing Systems* 24, section 4.1.
#' \doi{10.48550/arXiv.1109.0820}
#' @seealso [pieces()]
#' @examples
#' fit <- shareboost(stumps(iris[1:4]), iris$Species, max_steps = 5)
#' fit
#' coef(fit, matrix = TRUE)
#' predict(fit, iris[c(1, 51, 101), ])
#' @export
stumps <- function(x, ...) {
  call <- check_arguments()
  map <- feature_map("stumps", x, call)
  if (all(map_ranges(map$x) == 0)) {
    abort_input("{.arg x} has constant columns only.", "x", i = "Give a column of two values or more.",
                call = call)
  }
  map$units <- sum(threshold_counts(map$x))
  map$says <- paste("Stumps:", map$units, "thresholds of", ncol(map$x), "columns")
  map
}

# The columns of x as a finite, dense matrix, with the blueprint that makes them again. The map's `units` and `says`,
# what print() says, are to be added.
feature_map <- function(kind, x, call, ...) {
  if (missing(x) || is.null(x)) abort_missing("x", "Give a matrix or data frame.", call)
  built <- design_from_data(x, call = call)
  design <- as.matrix(built$x)
  if (!nrow(design) || !ncol(design)) {
    abort_input("{.arg x} has {nrow(design)} row{?s} and {ncol(design)} column{?s}.", "x",
                i = "Give at least one of each.", call = call)
  }
  bad <- which(!is.finite(colSums(design)))
  bad <- bad[vapply(bad, function(j) !all(is.finite(design[, j])), NA)]
  if (length(bad)) {
    abort_not_finite(
      column_labels(built$blueprint$columns, bad[1]), "x", design[, bad[1]], call,
      cure = "Impute them, or leave out their rows; leave the same rows out of the response."
    )
  }
  structure(list(x = design, blueprint = built$blueprint, row_labels = row_labels(x), ...),
            class = c(kind, "feature_map"))
}

# Thresholds of every column.
threshold_counts <- function(x) apply(x, 2, function(v) length(unique(v)) - 1L)

map_ranges <- function(x) apply(x, 2, function(v) max(v) - min(v))

#' @export
print.feature_map <- function(x, ...) {
  check_arguments()
  cat(x$says, ", ", nrow(x$x), " rows\n", sep = "")
  invisible(x)
}

# ---- for shareboost() ----

map_units <- function(map, frame) UseMethod("map_units")

#' @export
map_units.stumps <- function(map, frame) {
  x <- map$x
  order <- vapply(seq_len(ncol(x)), function(j) order(x[, j], method = "radix"),
                  integer(nrow(x)))
  # stumps are numbered column by column, thresholds ascending
  before <- cumsum(c(0, threshold_counts(x)))
  columns <- all_labels(frame$blueprint)
  list(
    count = before[ncol(x) + 1], most = max(map$units, before), # fewer where rows are left out, as in a fold
    label = function(unit) {
      cuts <- stump_cuts(unit, x, before)
      stump_labels(columns[cuts$feature], cuts$threshold)
    },
    find = function(labels) stump_units(labels, x, before, columns),
    cuts = function(unit) stump_cuts(unit, x, before),
    kept = function(keep) if (identical(map$kept$keep, keep)) units_of_rows(map$kept$cuts, x, before, keep),
    type = "stump", what = "stumps",
    run = function(y, weights, settings, draws) {
      out <- .Call(C_shareboost_stumps, x, order, y, weights, settings, draws)
      out$entered <- out$term <- stump_labels(columns[out$column], out$detail)
      out$blueprint <- new_blueprint(
        "map", out$term, length(out$term), base = frame$blueprint, expand = expand_stumps,
        feature = out$column, threshold = out$detail
      )
      out
    }
  )
}

# Thresholds of a column, half way (as in stumps_describe()) from the values below them to the next.
column_cuts <- function(x) {
  value <- sort(unique(x))
  low <- value[-length(value)]
  high <- value[-1]
  middle <- low + (high - low) / 2
  list(low = low, threshold = ifelse(middle < high, middle, low))
}

# Column, value below and threshold of stumps by number.
stump_cuts <- function(unit, x, before) {
  feature <- findInterval(unit - 1, before)
  low <- threshold <- numeric(length(unit))
  for (j in unique(feature)) {
    of <- which(feature == j)
    cuts <- column_cuts(x[, j])
    low[of] <- cuts$low[unit[of] - before[j]]
    threshold[of] <- cuts$threshold[unit[of] - before[j]]
  }
  list(feature = feature, low = low, threshold = threshold)
}

# Numbers of the stumps that split the rows of x as `cuts`, found on all rows, do. A stump that has all
# rows of x on one side, or repeats another one, is left out.
units_of_rows <- function(cuts, x, before, keep) {
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
stump_units <- function(labels, x, before, columns) {
  vapply(labels, function(label) {
    for (j in which(startsWith(label, paste(columns, "<= ")) & diff(before) > 0)) {
      threshold <- column_cuts(x[, j])$threshold
      for (digits in LABEL_DIGITS) {
        named <- paste(columns[j], "<=", vapply(threshold, format, "", digits = digits))
        at <- which(named == label)
        if (length(at) == 1) return(before[j] + at)
      }
    }
    NA_real_
  }, 0, USE.NAMES = FALSE)
}

LABEL_DIGITS <- c(5, 9, 15, 17)

# Thresholds with as many digits as are needed to distinguish them.
stump_labels <- function(feature, threshold) {
  if (!length(feature)) return(character())
  for (digits in LABEL_DIGITS) {
    label <- paste(feature, "<=", vapply(threshold, format, "", digits = digits))
    if (!anyDuplicated(label)) break
  }
  label
}

expand_stumps <- function(blueprint, x) {
  x <- as.matrix(x[, blueprint$feature, drop = FALSE])
  (x <= rep(blueprint$threshold, each = nrow(x))) + 0
}
