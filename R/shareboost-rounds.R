#' Number of rounds of ShareBoost that guarantees a loss
#'
#' How many rounds of [shareboost()] are certain to reach a wanted loss on the training rows, given the loss of some
#' matrix of coefficients? `shareboost_rounds(loss = .5, coefficients = 5, reference = .2)` computes the bound of
#' Theorem 2 of the paper. It is for the worst case. Use [features_for()] with [cv_path()] to see how few features are
#' enough for your data.
#'
#' Let W be any matrix of coefficients with the loss L(W), and \eqn{|W|_{\infty,1}} the sum over the
#' features of the largest absolute coefficient of any class. After
#' \deqn{T = \lceil 4 |W|_{\infty,1}^2 / \epsilon \rceil}{T = ceiling(4 |W|_{inf,1}^2 / eps)}
#' rounds the loss of ShareBoost is at most \eqn{L(W) + \epsilon}. The theorem assumes features between -1 and 1, no
#' intercept, the logistic loss with its margin, and the paper's rule: `rule = "gradient"` without a `ridge` and with
#' `standardize = "none"`. Its proof also holds for every margin, and for the rules `"column"` and `"full"` with
#' `shortlist = NULL`, whose rounds lower the loss at least as much.
#'
#' Adding the same number to the coefficients of a feature in all classes does not change the loss. So for a matrix the
#' function uses the smallest norm that can be reached in this way: half of the range over the classes, summed over the
#' features. With r features and coefficients between -c and c the norm is at most r c, and T at most \eqn{4 r^2 c^2 /
#' \epsilon} (Corollary 1).
#'
#' @param loss Losses wanted.
#' @param coefficients The matrix W, features x classes, without intercepts; or one number, its norm
#'   \eqn{|W|_{\infty,1}}.
#' @param reference The loss L(W), less than `loss`.
#' @param ... Not used; anything given is an error.
#' @returns Whole numbers of rounds, one per `loss`; `Inf` if `loss` is not above `reference`.
#' @references
#' Shalev-Shwartz, S., Wexler, Y. and Shashua, A. (2011). ShareBoost: efficient multiclass learning
#' with feature sharing. *Advances in Neural Information Processing Systems* 24, Theorem 2 and
#' Corollary 1. \doi{10.48550/arXiv.1109.0820}
#' @seealso [features_for()], [shareboost()]
#' @examples
#' # Five features with coefficients within -1 and 1 have the loss .2: rounds to .7, .5 and .3
#' shareboost_rounds(c(.7, .5, .3), coefficients = 5, reference = .2)
#'
#' # The bound, and the loss that was reached after so many rounds
#' set.seed(1)
#' x <- matrix(runif(20000, -1, 1), 500)
#' y <- factor(1 + (x[, 1] + rnorm(500) / 2 > 0) + (x[, 1] + x[, 2] + rnorm(500) / 2 > 0))
#' w <- matrix(0, 40, 3)
#' w[1, ] <- c(-1, 0, 1)
#' w[2, ] <- c(-.5, -.5, .5)
#' score <- x %*% w
#' own <- score[cbind(1:500, y)]
#' margin <- 1 - diag(3)[y, ]
#' reference <- mean(log(rowSums(exp(margin + score - own))))
#' rounds <- shareboost_rounds(reference + .5, w, reference)
#' fit <- shareboost(x, y, rule = "gradient", ridge = 0, intercept = FALSE, standardize = "none",
#'                   max_steps = rounds)
#' c(rounds = rounds, wanted = reference + .5, reached = fit$steps$loss[rounds + 1])
#' @export
shareboost_rounds <- function(loss, coefficients, reference = 0, ...) {
  call <- arguments_check()
  loss <- check_numbers(loss, "loss", function(v) v >= 0, "Give finite numbers, none below 0.", call)
  reference <- check_number(reference, "reference", 0, call)
  norm <- shareboost_rounds_norm(coefficients, call)
  rounds <- ceiling(4 * norm^2 / (loss - reference) * (1 - 1e-12))
  ifelse(loss > reference, rounds, Inf)
}

# The l_inf,1 norm, of the smallest matrix with the same losses.
shareboost_rounds_norm <- function(coefficients, call) {
  good <- is.numeric(coefficients) && length(coefficients) && all(is.finite(coefficients))
  if (good && is.matrix(coefficients) && ncol(coefficients) > 1) {
    return(sum(apply(coefficients, 1, function(w) diff(range(w)) / 2)))
  }
  if (!good || length(coefficients) > 1 || coefficients < 0) {
    abort_kind(coefficients, "coefficients",
               "Give a numeric matrix, features x classes, or its norm: one number.", call)
  }
  as.double(coefficients)
}
