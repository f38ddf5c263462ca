# Least squares from second moments.

# Coefficients (0 where a column is a combination of those before it), the columns kept, residual sum of squares and
# its degrees of freedom, log determinant of the Gram matrix.
least_squares_by <- function(G, g, yy = 0) .Call(C_least_squares, G, g, yy)

# The same of a domain, its degrees of freedom those of its rows.
domain_fit <- function(domain, intercept) {
  fit <- least_squares_by(domain$G, domain$g, domain$yy)
  fit$df <- fit$df + domain$n - (intercept && !isTRUE(domain$level)) * max(domain$n_pooled, 1)
  fit
}

SINGULAR <- 1e-10 # a column's squared distance from those before it, relative to its square

# R'R x = b
factor_solve <- function(R, b) backsolve(R, backsolve(R, b, transpose = TRUE))

# The names of domains, in their order (see tlcp-domain-moments.R).
domain_names <- function(domains) vapply(domains, `[[`, "", "name")
