# Bounds on the number of stable features that are chosen no more often than at random.

# The expected number of features of frequency `cutoff` or more among those that a half selects with a probability of
# at most q/p, from complementary pairs of halves: a named vector, each at most p, the smallest a bound of the strictest
# assumption.
#   any        none: (q^2/p)/(2 cutoff - 1) (Shah and Samworth 2013, Theorem 1; Meinshausen and Buehlmann 2010 assume
#              exchangeable features in its place)
#   unimodal   the frequency of a feature over simultaneous selections in both halves of a pair is unimodal (Theorem 2)
#   concave    it is r-concave with r = -1/2, and the frequency over all halves with r = -1/4 (their equation 8)
selection_bound_false <- function(q, p, cutoff, pairs) {
  theta <- min(q / p, 1)
  any <- theta * q / (2 * cutoff - 1)
  at_least <- function(share, count) ceiling(share * count - 1e-9) # whole numbers of pairs or halves
  concave <- p * min(selection_bound_tail(theta^2, at_least(2 * cutoff - 1, pairs), pairs, 2),
                     selection_bound_tail(theta, at_least(cutoff, 2 * pairs), 2 * pairs, 4))
  unimodal <- theta * q * selection_bound_unimodal(theta, cutoff, pairs)
  pmin(c(any = any, unimodal = min(any, unimodal), concave = min(any, concave)), p)
}

# The constant of Theorem 2; Inf where it does not apply.
selection_bound_unimodal <- function(theta, cutoff, pairs) {
  least <- min(1 / 2 + theta^2, 1 / 2 + 1 / (2 * pairs) + 3 / 4 * theta^2)
  if (theta > 1 / sqrt(3) || cutoff <= least) return(Inf)
  if (cutoff <= 3 / 4) 1 / (2 * (2 * cutoff - 1 - 1 / (2 * pairs))) else
    4 * (1 - cutoff + 1 / (2 * pairs)) / (1 + 1 / pairs)
}

# The largest probability of `from` or more of `count` in any distribution on 0, ..., count whose mean is at most
# mean * count and whose mass f has a convex f^(-1/s) (r-concave, r = -1/s). It is reached where f is c (a + i)^(-s) for
# i <= k and anything smaller for k + 1 (Shah and Samworth 2013, appendix A.4): for each a the mean gives k, c and the
# mass of k + 1, so that one number is searched for.
selection_bound_tail <- function(mean, from, count, s) {
  m <- mean * count
  if (from <= ceiling(2 * m)) return(1) # a uniform distribution has half of its mass above its mean
  if (from > count || m <= 0) return(0)
  i <- 0:count
  above <- from + seq_len(count + 1 - from) # places of from, ..., count
  tail <- function(log_a) {
    w <- (1 + i / exp(log_a))^-s
    total <- cumsum(w)
    k <- sum(cumsum(i * w) <= m * total) # the distributions on 0, ..., k - 1 have a mean of m or less
    if (k > count) return(sum(w[above]) / total[count + 1])
    if (from > k) return(0)
    x <- (m * total[k] - sum((i * w)[seq_len(k)])) / (k - m) # the mass of k, for which the mean is m
    (sum(w[above[above <= k]]) + x) / (total[k] + x)
  }
  # a is at least about m^(1/s), the one of a mean of m
  grid <- seq(log(min(1e-3 * sqrt(m), 1e-3)), log(1e6 * count), length.out = 300)
  value <- vapply(grid, tail, 0)
  best <- which.max(value)
  around <- grid[pmin(pmax(best + c(-1, 1), 1), length(grid))]
  max(value[best], stats::optimize(tail, around, maximum = TRUE, tol = 1e-10)$objective)
}
