# Piecewise linear features: groups of columns within balls around centres, never all written out.

#' Piecewise linear features
#'
#' Features for [shareboost()] with which a model is linear within each of a few balls: `shareboost(pieces(scale(x)),
#' classes)`. Use them if classes are not separated by linear functions of the columns. They use all columns of `x`, so
#' they do not save measurements; for few columns use `x` itself or [stumps()]. There is one piece per centre v and
#' radius r: the columns of x and a constant, multiplied by the indicator of the ball \eqn{\|x - v\| < r}. A round picks
#' one centre and radius and adds all columns of the piece. The columns are formed when they are needed, from the
#' distances of the rows to the centres.
#'
#' Distances are Euclidean and use `x` as it is: scale its columns first if their units differ. Memory: one byte per row
#' and centre, four numbers per column of a piece, and m (p + 1) numbers per piece that entered. The rule is
#' `"orthogonal"` unless you give another. `"gradient"` is much faster if p is larger than the number of classes, and
#' better with one to three pieces, see [shareboost()]. `"line"`, `"column"` and `"full"` fit the (p + 1) k weights of
#' each piece that they try: give a small `shortlist` ([shareboost_control()]).
#'
#' @param x A numeric matrix, `dgCMatrix` (made dense) or data frame, m rows and p columns.
#' @param centers A number of centres, found by [stats::kmeans()] on the rows (from random starts: [set.seed()] works),
#'   at most the number of distinct rows; the default is 100, or the number of distinct rows if it is smaller. Or a
#'   matrix with one row per centre and the columns of `x`.
#' @param radii A whole number of radii, which are then quantiles of the distances between rows and centres at equal
#'   steps of probability. Otherwise the radii themselves, positive: a vector of two or more, or one number that is not
#'   whole. At most 255.
#' @param ... Not used; anything given is an error.
#' @returns An object of class `c("pieces", "feature_map")` to be given to [shareboost()] or
#'   [cv_path()] in place of `x`, with elements `centers` (a matrix) and `radii` (ascending).
#'   Cross-validation keeps the centres and radii, which were found from the features of all rows,
#'   without the response.
#' @references
#' Shalev-Shwartz, S., Wexler, Y. and Shashua, A. (2011). ShareBoost: efficient multiclass learning
#' with feature sharing. *Advances in Neural Information Processing Systems* 24, section 4.2.
#' \doi{10.48550/arXiv.1109.0820}
#' @seealso [stumps()]
#' @examples
#' set.seed(1)
#' parts <- pieces(scale(iris[1:4]), centers = 5, radii = 3)
#' fit <- shareboost(parts, iris$Species, max_steps = 2)
#' fit
#' confusion(fit, scale(iris[1:4]), iris$Species)
#' @export
pieces <- function(x, centers = 100, radii = 10, ...) {
  call <- arguments_check()
  map <- frame_map_new("pieces", x, call)
  map$centers <- pieces_centers(if (missing(centers)) NULL else centers, map, call)
  map$radii <- pieces_radii(radii, map, call)
  map$units <- nrow(map$centers) * length(map$radii)
  map$says <- paste("Pieces:", nrow(map$centers), "centres x", length(map$radii), "radii, each of", ncol(map$x) + 1,
                    "columns")
  map
}

pieces_centers <- function(centers, map, call) {
  p <- ncol(map$x)
  if (is.data.frame(centers)) centers <- as.matrix(centers)
  if (is.matrix(centers)) {
    if (!is.numeric(centers) || ncol(centers) != p || !nrow(centers) || !all(is.finite(centers))) {
      abort_input("{.arg centers} is a matrix of {ncol(centers)} column{?s}, or not finite
                   numbers.", "centers",
                  i = "Give finite numbers: a row for each centre, and the {p} column{?s} of {.arg
                       x}.", call = call)
    }
    storage.mode(centers) <- "double"
    return(unname(centers))
  }
  distinct <- unique(map$x)
  if (max(frame_map_ranges(map$x)) < 1e-140) {
    abort_input("All rows of {.arg x} are equal, or too near each other to be squared.", "x",
                i = "Give two rows that differ; if some do, rescale {.arg x}.", call = call)
  }
  count <- check_number(centers %||% min(100, nrow(distinct)), "centers", 1, call, whole = TRUE)
  if (count > nrow(distinct)) {
    abort_input("{.arg centers} is {count}, more than the {nrow(distinct)} distinct row{?s}.",
                "centers", i = "Give a smaller number.", call = call)
  }
  if (count == nrow(distinct)) return(unname(distinct))
  unname(stats::kmeans(map$x, count, iter.max = 50)$centers)
}

pieces_radii <- function(radii, map, call) {
  mend <- "Give a whole number of radii, or positive radii."
  radii <- as.double(check_numbers(radii, "radii", function(v) v > 0, mend, call))
  if (length(radii) == 1 && radii == round(radii)) {
    if (radii > MOST_RADII) {
      abort_input("{.arg radii} is {radii}, too many.", "radii",
                  i = "Give a number from 1 to {MOST_RADII}, or the radii themselves, two or
                       more.", call = call)
    }
    radii <- stats::quantile(pieces_center_distances(map), seq_len(radii) / (radii + 1), names = FALSE)
  }
  radii <- sort(unique(radii[radii > 0]))
  if (!length(radii)) {
    abort_input("All distances between rows of {.arg x} and centres are 0.", "x",
                i = "Rescale it, or give {.arg radii}.", call = call)
  }
  if (length(radii) > MOST_RADII) {
    abort_input("There are {length(radii)} distinct radii.", "radii", i = "Give 1 to {MOST_RADII}.",
                call = call)
  }
  radii
}

MOST_RADII <- 255 # PIECES_RADII of src/shareboost/pieces.h

# Distances of the rows to the centres, of at most about a million pairs.
pieces_center_distances <- function(map) {
  n <- nrow(map$x)
  rows <- unique(round(seq(1, n, length.out = min(n, max(100, 1e6 / nrow(map$centers))))))
  x <- map$x[rows, , drop = FALSE]
  unlist(lapply(seq_len(nrow(map$centers)), function(c) pieces_distances(x, map$centers[c, ])))
}

pieces_distances <- function(x, center) sqrt(rowSums((x - rep(center, each = nrow(x)))^2))

pieces_expand <- function(blueprint, x) {
  x <- as.matrix(x)
  within <- vapply(seq_along(blueprint$radius), function(k) {
    pieces_distances(x, blueprint$centers[k, ]) < blueprint$radius[k]
  }, logical(nrow(x)))
  within <- matrix(within, nrow(x), length(blueprint$radius))
  cbind(x, rep(1, nrow(x)))[, blueprint$feature, drop = FALSE] * within[, blueprint$of]
}
