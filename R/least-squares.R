# Least squares from second moments.

# Coefficients (0 where a column is a combination of those before it), the columns kept, residual sum of squares and
# its degrees of freedom, log determinant of the Gram matrix.
least_squares_by <- function(G, g) .Call(C_least_squares, G, g, 0, 0)

SINGULAR <- 1e-10 # a column's squared distance from those before it, relative to its square

# R'R x = b
factor_solve <- function(R, b) backsolve(R, backsolve(R, b, transpose = TRUE))
