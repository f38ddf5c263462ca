#' How many rows of the target, given sources
#'
#' To plan a study that has sources: `tlcp_required_n()` gives the rows of the target from which on a
#' feature is kept with a wanted probability, the counterpart of [cp_required_n()];
#' `tlcp_effective_n()` the rows from which on Cp alone does as well as the criterion with transfer.
#' Both hold for an orthogonal design and the paper's rule, as [tlcp_selection()] and [tlcp_mse()] do,
#' whose probabilities and errors they invert. Nothing is simulated.
#'
#' @section Required rows: `tlcp_required_n()` is the smallest n such that `tlcp_selection()` is at
#' least `power` for n and for every larger number of rows. The probability need not rise with n: a
#' source with a larger coefficient carries a feature in that a small target does not have, and more
#' rows of the target first weaken that evidence. With `delta = 0` it is [cp_required_n()] less the
#' rows that the sources stand for, \eqn{\sum_k m_k \sigma_1^2/\sigma_k^2}, and at least 1.
#'
#' @section Effective rows: The paper (section 6.2) calls "effective sample size" the rows of the
#' target at which Cp and TLCp have the same mean squared error. `tlcp_effective_n()` is the smallest
#' n such that for n and every larger number of rows the error of Cp, summed over the features `beta`,
#' exceeds that of TLCp by at most `within`. Below that number the sources are worth having. `beta` is
#' one model here, and the penalty is the smallest of its features' (as in the paper).
#'
#' With `within = 0` the value is `Inf` where Cp never catches up. So it is with one source and without
#' a superfluous feature: for many rows all features are kept by both, and the coefficients of TLCp,
#' which combine target and source in the best way, are then the better ones, by \eqn{\sigma_1^4/(n^2
#' V)} each, V as below. A superfluous feature, `beta = 0`, that the sources have (`delta` far from 0)
#' costs TLCp more than that, and the value is finite; so do three or more sources that differ from the
#' target in the same direction. The paper reads its figure off a contour of its simulated errors,
#' whose level is `within`.
#'
#' @section Several sources: Let source k have the coefficient \eqn{\beta + \delta_k} and the least
#' squares coefficient \eqn{h_k}, and couple each to the target as the rule couples one, by
#' \eqn{(w_1 - w_k)^2/\delta_k^2}. Minimised over \eqn{w_k} its part of the objective,
#' \eqn{(m_k/\sigma_k^2) (w_k - h_k)^2 + (w_1 - w_k)^2/\delta_k^2}, becomes \eqn{(w_1 - h_k)^2/V_k}
#' with \eqn{V_k = \sigma_k^2/m_k + \delta_k^2}: each source is one observation of \eqn{w_1} with this
#' mean squared error. Together, up to a constant, they are \eqn{(w_1 - h)^2/V} with
#' \deqn{h = \sum_k g_k h_k,\quad g_k = V/V_k,\quad 1/V = \sum_k 1/V_k.}{
#' h = sum g_k h_k,  g_k = V/V_k,  1/V = sum 1/V_k.}
#' That is one source, with the least squares coefficient h, the error variance \eqn{s = \sum g_k^2
#' \sigma_k^2/m_k}, the coefficient \eqn{\beta + \sum g_k \delta_k}, and the coupling of a
#' dissimilarity of the size \eqn{d^2 = \sum g_k^2 \delta_k^2}, as \eqn{s + d^2 = V}. The target's
#' coefficient is the one of all sources exactly; whether the feature is kept is then decided by
#' target and combined source, with the rule's penalty for the two. One source is itself; sources
#' without dissimilarity are one source with all their rows. The rule knows the size of each
#' dissimilarity, not its sign: those that cancel in the mean do not make d smaller, and those of one
#' sign do not make it larger, though they make the sources worse, which the probabilities and errors
#' take into account. This
#' combination is ours: for more than two domains the paper gives the coefficients (Proposition 36) and
#' a guess of the parameters, and no probabilities. With two sources its criterion keeps the feature
#' with nearly the wanted probability at the rows given here (the package's tests simulate it).
#'
#' @param beta Coefficients of the target: several are several questions to `tlcp_required_n()`, and
#'   the features of one model to `tlcp_effective_n()`.
#' @param m Rows of each source.
#' @param delta Coefficient of each source minus that of the target: one number, one for each source,
#'   or for `tlcp_effective_n()` also a matrix with a row for each feature and a column for each
#'   source.
#' @param power Wanted probability that the feature is kept.
#' @param sigma Standard deviations of the errors: one for all, two (the target's and the sources'),
#'   or the target's followed by one for each source.
#' @param lambda Penalty of a feature, on the scale of the target's residual sum of squares:
#'   \eqn{2\sigma_1^2} for Cp and AIC.
#' @param within How much more error of Cp counts as none, in squared units of the coefficients.
#' @param ... Not used; anything given is an error.
#' @returns Whole numbers, and `Inf` where no number of rows is enough. `tlcp_required_n()`: one for
#'   each of `beta`, `power` and `lambda`, which have one value or as many as the longest.
#'   `tlcp_effective_n()`: one number.
#' @references
#' Chen, S., Sahinidis, N. V. and Gao, C. (2022). Transfer learning in information criteria-based
#' feature selection. *Journal of Machine Learning Research* 23, Remark 4, section 6.2 and appendix
#' B. \doi{10.48550/arXiv.2107.02847}
#' @seealso [tlcp_theory] for the probabilities and errors.
#' @examples
#' # A coefficient of .3 is to be kept nine times in ten: alone, with a source of 40 rows whose
#' # coefficient is the same, .2 larger or .2 smaller, and with three such sources
#' cp_required_n(.3)
#' tlcp_required_n(.3, m = 40)
#' tlcp_required_n(.3, m = 40, delta = .2)
#' tlcp_required_n(.3, m = 40, delta = -.2)
#' tlcp_required_n(.3, m = c(40, 40, 40), delta = c(.2, 0, -.2))
#'
#' # The model of the paper's section 6.2 with a source of 20 rows: from how many rows on is Cp within
#' # .01 of the error with transfer, when the source differs little or much?
#' beta <- c(1, .01, .005, .3, .32, .08)
#' relative <- c(.05, .5, 1, 2)
#' vapply(relative, function(r) {
#'   tlcp_effective_n(beta, m = 20, delta = cbind(r * beta), within = .01)
#' }, 1)
#'
#' # Three superfluous features that the source has: Cp alone is better from some number on
#' tlcp_effective_n(c(.5, 0, 0, 0), m = 20, delta = cbind(c(0, .6, .6, .6)))
#' @export
tlcp_required_n <- function(beta, m, delta = 0, power = .9, sigma = 1, lambda = 2 * sigma[1]^2, ...) {
  check_arguments()
  call <- rlang::current_env()
  check_power(power, call)
  given <- check_sources_rows(m, delta, sigma, 1, call)
  one <- combine_sources(given)
  at <- common_length(list(beta = check_theory(beta, "beta", call), power = power,
                           lambda = check_theory(lambda, "lambda", call)), call)
  unname(mapply(function(beta, power, lambda) {
    missed <- function(n) {
      law <- law_with_sources(beta, n, one, given$sigma[1], lambda)
      1 - inside_ellipse(law)$probability < power - 1e-9
    }
    first_after(missed, enough_rows(beta, one, given$sigma[1], lambda, power))
  }, at$beta, at$power, at$lambda))
}

#' @rdname tlcp_required_n
#' @export
tlcp_effective_n <- function(beta, m, delta = 0, sigma = 1, lambda = 2 * sigma[1]^2, within = 0,
                             ...) {
  check_arguments()
  call <- rlang::current_env()
  beta <- check_theory(beta, "beta", call)
  given <- check_sources_rows(m, delta, sigma, length(beta), call)
  lambda <- check_number(check_theory(lambda, "lambda", call), "lambda", 0, call)
  within <- check_number(within, "within", 0, call)
  target <- given$sigma[1]
  one <- combine_sources(given)
  # The error of Cp less that of TLCp, both summed over the features.
  excess <- function(n) {
    cp <- outer(n, beta, function(n, beta) cp_mse(beta, n, target, lambda))
    law <- law_with_sources(beta, n, one, target, lambda)
    tlcp <- law$full - inside_ellipse(law)$excess
    rowSums(cp - matrix(tlcp, nrow(cp), byrow = TRUE))
  }
  top <- rows_until_equal(excess, beta, one, target, lambda, within)
  first_after(function(n) excess(n) > within, top)
}

# ---- several sources as one -------------------------------------------------------------------------

# delta: a row for each feature and a column for each source; sigma: the target's, then the sources'.
check_sources_rows <- function(m, delta, sigma, features, call) {
  m <- check_theory(m, "m", call)
  sigma <- check_theory(sigma, "sigma", call)
  delta <- check_theory(delta, "delta", call)
  sources <- length(m)
  if (is.matrix(delta)) {
    if (!identical(dim(delta), as.integer(c(features, sources)))) {
      abort_input("{.arg delta} is a matrix of {nrow(delta)} x {ncol(delta)} numbers.", "delta",
                  i = "Give {features} x {sources}: a row for each feature, a column for each source.",
                  call = call)
    }
  } else if (!length(delta) %in% c(1L, sources)) {
    abort_input("{.arg delta} has {length(delta)} values, {.arg m} has {sources}.", "delta",
                i = "Give one number, or one for each source.", call = call)
  }
  if (!length(sigma) %in% c(1L, 2L, sources + 1L)) {
    abort_input("{.arg sigma} has {length(sigma)} values for the target and {sources} source{?s}.",
                "sigma", i = "Give one; the target's and the sources'; or the target's and one for each
                              source.", call = call)
  }
  if (!is.matrix(delta)) delta <- matrix(rep_len(delta, sources), features, sources, byrow = TRUE)
  list(m = m, delta = delta, sigma = c(sigma[1], rep_len(if (length(sigma) > 1) sigma[-1] else sigma, sources)))
}

# The one source that they are together, a row for each feature: its error variance `spread`, its
# coefficient less that of the target (`delta`), and `square`, the squared dissimilarity of the rule.
combine_sources <- function(given) {
  spread <- given$sigma[-1]^2 / given$m
  weight <- 1 / sweep(given$delta^2, 2, spread, "+")
  weight <- weight / rowSums(weight)
  data.frame(spread = drop(weight^2 %*% spread), delta = rowSums(weight * given$delta),
             square = rowSums(weight^2 * given$delta^2))
}

# A row for each number of rows and, within it, each feature; the features of a model have one penalty.
law_with_sources <- function(beta, n, one, sigma, lambda) {
  features <- rep(seq_along(beta), length(n))
  law <- data.frame(beta = beta[features], n = rep(n, each = length(beta)),
                    m = 1 / one$spread[features], delta = one$delta[features], lambda = lambda,
                    v = 4 / one$square[features])
  law <- with_coupling(law, c(sigma, 1), c(1 / sigma^2, 1))
  pen <- matrix(plugin_penalty(law, c(sigma, 1)), length(beta))
  law$pen <- rep(apply(pen, 2, min), each = length(beta))
  turn_to_axes(law)
}

# ---- the last number of rows at which something holds ----------------------------------------------

# One more than the largest whole number up to `top` at which `bad` is TRUE; Inf where it is at `top`.
# Up to 500 numbers are looked at one by one, more of them on a grid that is made finer around the last.
first_after <- function(bad, top) {
  if (!is.finite(top) || bad(top)) return(Inf)
  low <- 0
  high <- max(1, ceiling(top))
  while (high - low > .5 && high > low * (1 + 1e-14)) {
    n <- if (high - low <= 500) seq(low + 1, high) else
      unique(round(exp(seq(log(low + 1), log(high), length.out = 500))))
    last <- which(bad(n))
    if (!length(last)) {
      if (high - low <= 500) break
      high <- n[1] - 1
    } else {
      last <- max(last)
      low <- n[last]
      high <- if (last < length(n)) n[last + 1] - 1 else low
    }
  }
  low + 1
}

# A number of rows from which on the feature is kept with probability `power` for certain: by the strip
# of Corollary 10, whose centre is at least (a |beta| - b |beta + delta|) / 2^(1/2) away from 0, with a^2
# the target's information less the coupling and b^2 the sources'. A superfluous feature: rows at which
# the probability is that of infinitely many.
enough_rows <- function(beta, one, sigma, lambda, power) {
  total <- one$spread + one$square
  if (beta == 0) {
    return(sigma^2 * (1e12 * (abs(one$delta) + sqrt(one$spread))^2 / total^2 + 1e6 / total))
  }
  shift <- wanted_shift(power, sqrt(lambda) / sigma)
  against <- if (beta * (beta + one$delta) < 0) abs(beta + one$delta) / sqrt(one$spread) else 0
  least <- (sqrt(2) * (if (is.na(shift)) 0 else shift) + against) / abs(beta)
  sigma^2 * (least^2 + 1 / total) + 1
}

# A number of rows from which on Cp exceeds TLCp by at most `within` for certain, Inf where there is
# none. n times the error of Cp is at most sigma^2 (1 + c^2 + 2 c E|e|) for a feature. Without a
# tolerance the superfluous features decide, whose errors differ by a part of 1/n, and where they do not
# differ the others, by sigma^4 (2 - (s + bias^2)/V) / (n^2 V) each.
rows_until_equal <- function(excess, beta, one, sigma, lambda, within) {
  c <- sqrt(lambda) / sigma
  if (within > 0) {
    return(length(beta) * sigma^2 * (1 + c^2 + 2 * c * sqrt(2 / pi)) / within)
  }
  total <- one$spread + one$square
  settled <- max(((c + 15) * sigma / abs(beta[beta != 0]))^2, 0)
  if (any(beta == 0)) {
    most <- max(settled, sigma^2 * 1e12 * c(1, (abs(one$delta) + sqrt(one$spread))^2 / total) /
                  min(total))
    first <- most * excess(most) / sigma^2
    if (abs(first) > 1e-9) return(if (first < 0) most else Inf)
  }
  second <- ifelse(beta == 0, 1, 2 - (one$spread + one$delta^2) / total) / total
  if (sum(second) < 0) max(settled, 1e4 * sigma^2 / min(total)) else Inf
}
