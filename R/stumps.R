# Decision stumps as features, never written out; and what every map of features shares.

#' Decision stumps
#'
#' Features of the form "age is at most 41.5" for [shareboost()]: `shareboost(stumps(x), classes)`. Use them if classes
#' differ beyond a threshold of a column rather than along it. For classes separated by linear functions give `x`
#' itself, for local linear functions [pieces()]. The features are all indicators \eqn{1[x_i \le \theta]}, for every
#' column i and every threshold between two neighbouring distinct values. These up to (m - 1) p columns are not stored:
#' a round passes over the sorted rows of each column, with m p k operations for k classes. Stumps depend only on the
#' order of the values, so monotone transformations change nothing.
#'
#' A path on stumps has one column per stump that entered, named like `"age <= 41.5"`; new rows are matched by the
#' columns of `x`. Thresholds lie half way between two values. All rules of [shareboost()] can be used. `"line"`,
#' `"column"` and `"full"` need a fit for every stump, so give them a `shortlist`.
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
  call <- arguments_check()
  map <- frame_map_new("stumps", x, call)
  if (all(frame_map_ranges(map$x) == 0)) {
    abort_input("{.arg x} has constant columns only.", "x", i = "Give a column of two values or more.",
                call = call)
  }
  map$units <- sum(stumps_threshold_counts(map$x))
  map$says <- paste("Stumps:", map$units, "thresholds of", ncol(map$x), "columns")
  map
}

# Thresholds of every column.
stumps_threshold_counts <- function(x) apply(x, 2, function(v) length(unique(v)) - 1L)

stumps_expand <- function(blueprint, x) {
  x <- as.matrix(x[, blueprint$feature, drop = FALSE])
  (x <= rep(blueprint$threshold, each = nrow(x))) + 0
}
