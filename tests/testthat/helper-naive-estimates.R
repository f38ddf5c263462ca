# A source of estimates by its definition: in the hierarchical model its log-likelihood is -(w - what)'V^-1 (w -
# what)/2.

# Columns of mean 0 and standard deviation 1: domains then have the same scales and centres.
naive_standard <- function(x) apply(x, 2, function(v) (v - mean(v)) / sd(v))

# The gradient of minus the log density of the borrowing prior at slopes w, features x domains, in the prior's units.
naive_prior_pull <- function(w, borrowing) {
  K <- solve(diag(borrowing$tau2) + borrowing$omega2)
  (w / sqrt(borrowing$scales)) %*% K / sqrt(borrowing$scales)
}
