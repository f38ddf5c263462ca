# Least squares from second moments.

# Coefficients (0 where a column is a combination of those before it), the columns kept, residual sum of squares and
# its degrees of freedom, log determinant of the Gram matrix.
least_squares_by <- function(G, g) .Call(C_least_squares, G, g, 0, 0)

SINGULAR <- 1e-10 # a column's squared distance from those before it, relative to its square

# x with A x = b, and A^-1, of a symmetric A; an error of R where A is not positive definite to working precision.
# Elsewhere chol() stands where the factor itself is wanted (a determinant, a basis, a check of its diagonal), qr()
# where columns may be combinations of others, solve() where the matrix is not symmetric.
spd_solve <- function(A, b) factor_solve(chol.default(A), b)

spd_inverse <- function(A) chol2inv(chol.default(A))

# R'R x = b
factor_solve <- function(R, b) backsolve(R, backsolve(R, b, transpose = TRUE))
