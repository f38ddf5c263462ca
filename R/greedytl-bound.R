#' How far greedy selection can be from the best subset
#'
#' How much larger than the smallest possible loss of k columns can the loss after k steps of [greedytl()] be?
#' `greedytl_bound(x, steps = 1:3)` computes the paper's bound (Corollary 1, for the paper's rule) for your columns. Use
#' it if hardly any two columns are correlated. Otherwise it says nothing: for three steps the largest correlation must
#' be below .056, and at .01 the bound is still 3.56 times the smallest loss. With up to some forty columns use
#' [tlcp()], which finds the best subset itself.
#'
#' Let the columns of Z and the response have mean square one, \eqn{\hat R(w)} be the mean squared error and opt the
#' smallest \eqn{\hat R(w) + \lambda |w|^2} of any k columns. If no two columns have a product moment (for centred
#' columns, a correlation) above \eqn{\gamma < (1 + \lambda) / (6k)} in absolute value, forward selection ends with
#' \deqn{\hat R(w) + \lambda |w|^2 \le (1 + q)\, opt - q \lambda / (1 + \lambda), \qquad
#'   q = 16 (k + 1)^2 \gamma / (1 + \lambda).}
#'
#' @param x A matrix or data frame of numbers, whose columns are centred as with an intercept: the
#'   features, or features and sources side by side. Or \eqn{\gamma}: one number from 0 to 1.
#' @param steps Numbers of columns, k: whole numbers.
#' @param lambda The ridge \eqn{\lambda} with the mean loss, as in [greedytl()]; in the paper it is 1 divided by the
#'   number of rows.
#' @param objective NULL, or for each of `steps` the regularised loss of a fit, as a share of the variance of the
#'   response. The table then has a lower bound for the smallest loss.
#' @param ... Not used; anything given is an error.
#' @returns A data frame with one row per entry of `steps`: `steps`; `correlation` (\eqn{\gamma}); `limit` of the
#'   correlation; `holds` (is the correlation below the limit?); `factor` (1 + q) and `less` (the number subtracted),
#'   both `NA` above the limit. With `objective` also `objective` and `best`, the lower bound for opt.
#' @references
#' Kuzborskij, I., Orabona, F. and Caputo, B. (2017). Scalable greedy algorithms for transfer
#' learning. *Computer Vision and Image Understanding* 156, 174-185, Corollary 1.
#' \doi{10.1016/j.cviu.2016.09.003}
#' @seealso [greedytl()], [tlcp()]
#' @examples
#' # nearly uncorrelated columns: sines and cosines, moved a little
#' set.seed(1)
#' angle <- 2 * pi * (1:200) / 200
#' x <- cbind(sin(angle %o% 1:4), cos(angle %o% 1:4)) + rnorm(1600, sd = .01)
#' greedytl_bound(x, steps = 1:3, lambda = 1 / 200)
#'
#' # the columns of a usual data set are far too correlated
#' greedytl_bound(mtcars[-1], steps = 1:3)
#' @export
greedytl_bound <- function(x, steps, lambda = 0, objective = NULL, ...) {
  call <- arguments_check()
  if (missing(x)) x <- NULL
  gamma <- greedytl_bound_correlation(x, call)
  steps <- check_numbers(if (!missing(steps)) steps, "steps", function(v) v >= 1 & v == round(v),
                         "Give whole numbers from 1.", call)
  lambda <- check_number(lambda, "lambda", 0, call)
  limit <- (1 + lambda) / (6 * steps)
  holds <- gamma < limit
  q <- ifelse(holds, 16 * (steps + 1)^2 * gamma / (1 + lambda), NA)
  table <- data.frame(steps = steps, correlation = gamma, limit = limit, holds = holds, factor = 1 + q,
                      less = q * lambda / (1 + lambda))
  if (is.null(objective)) return(table)
  objective <- check_numbers(objective, "objective", function(v) v >= 0 & v <= 1,
                             "Give a share from 0 to 1 for each of {.arg steps}.", call, n = length(steps))
  cbind(table, objective = objective, best = (objective + table$less) / table$factor)
}

# The largest absolute correlation of two columns that vary.
greedytl_bound_correlation <- function(x, call) {
  if (is.numeric(x) && is.null(dim(x)) && length(x) == 1L) {
    return(check_number(x, "x", 0, call, high = 1))
  }
  if (is.data.frame(x)) x <- as.matrix(x)
  if (is(x, "Matrix")) x <- as.matrix(x)
  if (!is.matrix(x) || !is.numeric(x) || ncol(x) < 2L || nrow(x) < 2L || !all(is.finite(x))) {
    abort_kind(x, "x", "Give a matrix of two finite columns or more, or the largest correlation.", call)
  }
  z <- x - rep(colMeans(x), each = nrow(x))
  size <- sqrt(colSums(z^2))
  z <- z[, size > 0, drop = FALSE] / rep(size[size > 0], each = nrow(x))
  products <- crossprod(z)
  diag(products) <- 0
  min(max(0, abs(products)), 1)
}
