# A source of estimates from the definition: its log-likelihood is -(w - what)'V^-1 (w - what)/2, in the
# place of its rows' in the hierarchical model.

# Columns of mean 0 and standard deviation 1, so that scales and centres are those of any domain.
naive_standard <- function(x) apply(x, 2, function(v) (v - mean(v)) / sd(v))

# The gradient, for all domains, of -2 log posterior at the coefficients of a fit (slopes and levels in
# the units of the borrowing prior): list(scores by domain at slopes, the prior's pull).
naive_prior_pull <- function(w, borrowing) {
  K <- solve(diag(borrowing$tau2) + borrowing$omega2)
  (w / sqrt(borrowing$scales)) %*% K / sqrt(borrowing$scales)
}
