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

expand_stumps <- function(blueprint, x) {
  x <- as.matrix(x[, blueprint$feature, drop = FALSE])
  (x <= rep(blueprint$threshold, each = nrow(x))) + 0
}
