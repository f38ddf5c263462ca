#' How many rows of the target, given other domains
#'
#' For planning a study that borrows from other domains: how many rows of the target are needed? `tlcp_required_n(beta =
#' .3, m = 40)` gives the number of rows with which a feature is kept with a wanted probability. `tlcp_effective_n()`
#' gives the number of rows with which Cp on the target alone has as small an error as the criterion with transfer. Both
#' invert [tlcp_selection()] and [tlcp_mse()], so they hold for an orthogonal design and the paper's rule, and nothing
#' is simulated. Without other domains use [cp_required_n()]; for the power of a test [stats::power.t.test()].
#'
#' @section Required rows: `tlcp_required_n()` is the smallest n such that `tlcp_selection()` is at least `power` for n
#' and for every larger number of rows. The probability may fall as n rises: with few rows of the target a feature may
#' be kept because of a larger coefficient in another domain, and more rows of the target first weaken this evidence.
#' With `delta = 0` the number is [cp_required_n()] minus the number of rows that the other domains are worth,
#' \eqn{\sum_k m_k \sigma_1^2/\sigma_k^2}, and at least 1.
#'
#' @section Effective rows: The paper (section 6.2) calls "effective sample size" the rows of the target at which Cp and
#' TLCp have the same mean squared error. `tlcp_effective_n()` is the smallest n such that for n and every larger number
#' of rows the error of Cp, summed over the features `beta`, exceeds that of TLCp by at most `within`. With fewer rows
#' borrowing lowers the error. Here all `beta` are one model, and the penalty is the smallest of those of its features
#' (as in the paper).
#'
#' With `within = 0` the value is `Inf` if Cp always has the larger error. This is the case with one other domain and no
#' superfluous feature. For many rows both criteria then keep all features, and TLCp, which combines both domains
#' optimally, has the smaller error, by \eqn{\sigma_1^4/(n^2 V)} per coefficient (V as below). The value is finite if a
#' superfluous feature, `beta = 0`, has an effect in other domains (`delta` far from 0), or if three or more other
#' domains differ from the target in the same direction, which increases the error of TLCp. The paper reads its number
#' from a contour of its simulated errors; `within` is the level of this contour.
#'
#' @section Several other domains: Let domain k have the coefficient \eqn{\beta + \delta_k} and the least
#' squares coefficient \eqn{h_k}, and couple each domain to the target as the rule does for one, by
#' \eqn{(w_1 - w_k)^2/\delta_k^2}. Minimised over \eqn{w_k} its part of the objective,
#' \eqn{(m_k/\sigma_k^2) (w_k - h_k)^2 + (w_1 - w_k)^2/\delta_k^2}, becomes \eqn{(w_1 - h_k)^2/V_k}
#' with \eqn{V_k = \sigma_k^2/m_k + \delta_k^2}: each domain is one observation of \eqn{w_1} with this
#' mean squared error. Their sum, up to a constant, is \eqn{(w_1 - h)^2/V} with
#' \deqn{h = \sum_k g_k h_k,\quad g_k = V/V_k,\quad 1/V = \sum_k 1/V_k.}{
#' h = sum g_k h_k, g_k = V/V_k, 1/V = sum 1/V_k.} This is the term of one domain with the least squares coefficient h,
#' the error variance \eqn{s = \sum g_k^2 \sigma_k^2/m_k}, the coefficient \eqn{\beta + \sum g_k \delta_k}, and the
#' coupling for a dissimilarity of size \eqn{d^2 = \sum g_k^2 \delta_k^2}, since \eqn{s + d^2 = V}. The target's
#' coefficient is exactly the one given all domains. The target and the combined domain decide whether the feature is
#' kept, with the rule's penalty for these two. One other domain is left as it is; domains without dissimilarity become
#' one domain with all their rows. The rule uses the size of each dissimilarity, not its sign, so d does not depend on
#' whether the differences cancel in the mean; probabilities and errors do depend on the signs. This combination is
#' ours. For more than two domains the paper gives the coefficients (Proposition 36) and a guess of the parameters, but
#' no probabilities. With two other domains the paper's criterion keeps the feature with nearly the wanted probability
#' for the rows given here (the package's tests simulate it).
#'
#' @param beta Coefficients of the target. `tlcp_required_n()` treats each by itself; for `tlcp_effective_n()` they are
#'   the features of one model.
#' @param m Rows of each other domain.
#' @param delta Coefficient of each other domain minus that of the target: one number, one per domain, or for
#'   `tlcp_effective_n()` also a matrix with one row per feature and one column per other domain.
#' @param power Wanted probability that the feature is kept.
#' @param sigma Standard deviations of the errors: one number for all; two (for the target and for all others); or one
#'   for the target, followed by one per other domain.
#' @param lambda Penalty of a feature, on the scale of the target's residual sum of squares:
#'   \eqn{2\sigma_1^2} for Cp and AIC.
#' @param within How much larger the error of Cp may be, in squared units of the coefficients.
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
#' # A coefficient of .3 is to be kept nine times in ten: alone, with another domain of 40 rows whose
#' # coefficient is the same, .2 larger or .2 smaller, and with three such domains
#' cp_required_n(.3)
#' tlcp_required_n(.3, m = 40)
#' tlcp_required_n(.3, m = 40, delta = .2)
#' tlcp_required_n(.3, m = 40, delta = -.2)
#' tlcp_required_n(.3, m = c(40, 40, 40), delta = c(.2, 0, -.2))
#'
#' # The model of the paper's section 6.2 with another domain of 20 rows: from how many rows on is
#' # Cp within .01 of the error with transfer, when that domain differs little or much?
#' beta <- c(1, .01, .005, .3, .32, .08)
#' relative <- c(.05, .5, 1, 2)
#' vapply(relative, function(r) {
#'   tlcp_effective_n(beta, m = 20, delta = cbind(r * beta), within = .01)
#' }, 1)
#'
#' # Three superfluous features have an effect in the other domain: Cp alone is better from some
#' # number of rows on.
#' tlcp_effective_n(c(.5, 0, 0, 0), m = 20, delta = cbind(c(0, .6, .6, .6)))
#' @export
tlcp_required_n <- function(beta, m, delta = 0, power = .9, sigma = 1, lambda = 2 * sigma[1]^2, ...) {
  call <- arguments_check()
  theory_check_power(power, call)
  given <- theory_rows_check_others(m, delta, sigma, 1, call)
  one <- theory_rows_combine_domains(given)
  values <- theory_common_length(list(beta = theory_check_value(beta, "beta", call), power = power,
                                      lambda = theory_check_value(lambda, "lambda", call)), call)
  unname(mapply(function(beta, power, lambda) {
    missed <- function(n) {
      law <- theory_rows_law(beta, n, one, given$sigma[1], lambda)
      1 - theory_inside_ellipse(law)$probability < power - 1e-9
    }
    theory_rows_first_after(missed, theory_rows_enough(beta, one, given$sigma[1], lambda, power))
  }, values$beta, values$power, values$lambda))
}

#' @rdname tlcp_required_n
#' @export
tlcp_effective_n <- function(beta, m, delta = 0, sigma = 1, lambda = 2 * sigma[1]^2, within = 0,
                             ...) {
  call <- arguments_check()
  beta <- theory_check_value(beta, "beta", call)
  given <- theory_rows_check_others(m, delta, sigma, length(beta), call)
  lambda <- check_number(theory_check_value(lambda, "lambda", call), "lambda", 0, call)
  within <- check_number(within, "within", 0, call)
  target <- given$sigma[1]
  one <- theory_rows_combine_domains(given)
  # The error of Cp less that of TLCp, both summed over the features.
  excess <- function(n) {
    cp <- outer(n, beta, function(n, beta) cp_mse(beta, n, target, lambda))
    law <- theory_rows_law(beta, n, one, target, lambda)
    tlcp <- law$full - theory_inside_ellipse(law)$excess
    rowSums(cp - matrix(tlcp, nrow(cp), byrow = TRUE))
  }
  top <- theory_rows_until_equal(excess, beta, one, target, lambda, within)
  theory_rows_first_after(function(n) excess(n) > within, top)
}

# delta: a row for each feature and a column for each other domain; sigma: the target's, then the others'.
theory_rows_check_others <- function(m, delta, sigma, features, call) {
  theory_check_each(list(m = m, sigma = sigma, delta = delta), call)
  m <- as.vector(m)
  sigma <- as.vector(sigma)
  others <- length(m)
  if (is.matrix(delta)) {
    if (!identical(dim(delta), as.integer(c(features, others)))) {
      abort_input("{.arg delta} is a matrix of {nrow(delta)} x {ncol(delta)} numbers.", "delta",
                  i = "Give {features} x {others}: a row for each feature, a column for each other domain.",
                  call = call)
    }
  } else if (!length(delta) %in% c(1L, others)) {
    abort_input("{.arg delta} has {length(delta)} values, {.arg m} has {others}.", "delta",
                i = "Give one number, or one for each other domain.", call = call)
  }
  if (!length(sigma) %in% c(1L, 2L, others + 1L)) {
    abort_input("{.arg sigma} has {length(sigma)} values for the target and {others} other domain{?s}.",
                "sigma", i = "Give one value for all, two values (the target's and that of all other domains), or one
                              for the target and one for each other domain.", call = call)
  }
  if (!is.matrix(delta)) delta <- matrix(rep_len(delta, others), features, others, byrow = TRUE)
  list(m = m, delta = delta, sigma = c(sigma[1], rep_len(if (length(sigma) > 1) sigma[-1] else sigma, others)))
}

# The single domain that stands for all other domains, a row for each feature: its error variance `spread`, its
# coefficient minus that of the target (`delta`), and `square`, the squared dissimilarity of the rule.
theory_rows_combine_domains <- function(given) {
  spread <- given$sigma[-1]^2 / given$m
  weight <- 1 / sweep(given$delta^2, 2, spread, "+")
  weight <- weight / rowSums(weight)
  data.frame(spread = drop(weight^2 %*% spread), delta = rowSums(weight * given$delta),
             square = rowSums(weight^2 * given$delta^2))
}

# The law of theory_tlcp_law() with a row for each pair of a number of rows and a feature, the features of one number
# together. All features of a model have the same penalty.
theory_rows_law <- function(beta, n, one, sigma, lambda) {
  features <- rep(seq_along(beta), length(n))
  law <- data.frame(beta = beta[features], n = rep(n, each = length(beta)),
                    m = 1 / one$spread[features], delta = one$delta[features], lambda = lambda,
                    v = 4 / one$square[features])
  law <- theory_with_coupling(law, c(sigma, 1), c(1 / sigma^2, 1))
  pen <- matrix(theory_plugin_penalty(law, c(sigma, 1)), length(beta))
  law$pen <- rep(apply(pen, 2, min), each = length(beta))
  theory_rotate_to_axes(law)
}

# One more than the largest whole number up to `top` at which `bad` is TRUE; Inf if `bad` is TRUE at `top`. Up to 500
# numbers are all tried. Of more numbers a grid is tried, which is then refined after the last number at which `bad`
# is TRUE.
theory_rows_first_after <- function(bad, top) {
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

# An upper bound on the number of rows from which on the feature is kept with probability `power`, by the strip of
# Corollary 10: its centre is at least (a |beta| - b |beta + delta|) / 2^(1/2) away from 0, where a^2 is the target's
# information minus the coupling and b^2 that of the others. For a superfluous feature: a number of rows at which the
# probability has reached its limit.
theory_rows_enough <- function(beta, one, sigma, lambda, power) {
  total <- one$spread + one$square
  if (beta == 0) {
    return(sigma^2 * (1e12 * (abs(one$delta) + sqrt(one$spread))^2 / total^2 + 1e6 / total))
  }
  shift <- theory_wanted_shift(power, sqrt(lambda) / sigma)
  against <- if (beta * (beta + one$delta) < 0) abs(beta + one$delta) / sqrt(one$spread) else 0
  least <- (sqrt(2) * (if (is.na(shift)) 0 else shift) + against) / abs(beta)
  sigma^2 * (least^2 + 1 / total) + 1
}

# An upper bound on the number of rows from which on the error of Cp exceeds that of TLCp by at most `within`; Inf
# where there is no such number. n times the error of Cp is at most sigma^2 (1 + c^2 + 2 c E|e|) for a feature. With
# `within = 0` the superfluous features decide, whose errors differ by a multiple of 1/n; where these do not differ,
# the other features decide, whose errors differ by sigma^4 (2 - (s + bias^2)/V) / (n^2 V) each.
theory_rows_until_equal <- function(excess, beta, one, sigma, lambda, within) {
  cutoff <- sqrt(lambda) / sigma
  if (within > 0) {
    return(length(beta) * sigma^2 * (1 + cutoff^2 + 2 * cutoff * sqrt(2 / pi)) / within)
  }
  total <- one$spread + one$square
  settled <- max(((cutoff + 15) * sigma / abs(beta[beta != 0]))^2, 0)
  if (any(beta == 0)) {
    most <- max(settled, sigma^2 * 1e12 * c(1, (abs(one$delta) + sqrt(one$spread))^2 / total) /
                  min(total))
    first <- most * excess(most) / sigma^2
    if (abs(first) > 1e-9) return(if (first < 0) most else Inf)
  }
  second <- ifelse(beta == 0, 1, 2 - (one$spread + one$delta^2) / total) / total
  if (sum(second) < 0) max(settled, 1e4 * sigma^2 / min(total)) else Inf
}
