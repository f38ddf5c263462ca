# msplit() from second moments: the exact path of one response with squared loss. Leave-one-out is not
# in moments: nu given a support is chosen by the restricted likelihood, as the supports are.

# The Gram matrix of a frame of moments.
narrow_gram <- function(frame, intercept, call) {
  if (ncol(frame$x) > frame_nobs(frame)) {
    abort_input("{.arg x} has {ncol(frame$x)} columns and {frame_nobs(frame)} rows.", "x",
                i = "Give the rows: {.fn msplit} from moments needs as many rows as columns.", call = call)
  }
  frame_gram(frame, intercept)
}

# What msplit_ridge_entry.c gives, for the supports `open`: the dense estimator of each at the nu of the
# largest restricted likelihood. With X'X = U D U', f = 1/(n + nu D), Z = rows P of U:
#   A_PP = Z fD Z',  c = U f U'X'y,  y'V^-1 y = (y'y - nu y'XUfU'X'y)/n,
#   reml = log|V| + log|A_PP| + (n - 1 - |P|) log(y'V^-1 y - c_P'A_PP^-1 c_P)
# 1 being the intercept, and 1 + q with q columns that are kept.
ridge_by_evidence <- function(gram, open, nu, out, settings) {
  n <- gram$n
  fixed <- settings$intercept + (settings$rank %||% 0)
  scale <- ifelse(out$scale > 0, out$scale, Inf)
  G <- gram$G / outer(scale, scale)
  b <- gram$b / scale
  spectral <- eigen(G, symmetric = TRUE)
  D <- pmax(spectral$values, 0)
  U <- spectral$vectors
  side <- drop(crossprod(U, b))
  at_nu <- function(nu, P) {
    f <- 1 / (n + nu * D)
    Z <- U[P, , drop = FALSE]
    A <- tcrossprod(Z * rep(f * D, each = length(P)), Z)
    L <- if (length(P)) tryCatch(chol(A), error = function(error) NULL) else A
    if (is.null(L) || any(diag(L)^2 < 1e-13 * diag(A))) return(NULL)
    solve <- function(v) if (length(P)) factor_solve(L, v) else v
    gamma <- solve(drop(Z %*% (f * side)))
    unexplained <- (gram$yy - nu * sum(f * side^2)) / n - sum(gamma * (Z %*% (f * side)))
    list(
      nu = nu, f = f, Z = Z, solve = solve, gamma = gamma,
      reml = sum(log1p(nu * D / n)) + 2 * sum(log(diag(L))) +
        (n - fixed - length(P)) * log(max(unexplained, 0))
    )
  }
  given <- function(P) {
    tried <- Filter(Negate(is.null), lapply(nu, at_nu, P = P))
    if (!length(tried)) return(list(nu = nu[1], df = NA_real_, loss = NA_real_, beta = 0 * b))
    at <- tried[[which.min(vapply(tried, `[[`, 0, "reml"))]]
    left <- side - D * drop(crossprod(at$Z, at$gamma))
    beta <- drop(U %*% (at$nu * at$f * left))
    beta[P] <- at$gamma
    inside <- tcrossprod(at$Z * rep(at$f^2 * D, each = length(P)), at$Z)
    trace <- sum(diag(at$solve(inside)))
    list(nu = at$nu, df = sum(at$nu * D * at$f) + fixed + n * trace,
         loss = (gram$yy - 2 * sum(b * beta) + sum(beta * (G %*% beta))) / n, beta = beta / scale)
  }
  made <- lapply(open$index, function(index) given(index + 1L))
  beta <- vapply(made, `[[`, b, "beta")
  number <- function(name) vapply(made, `[[`, 0, name)
  list(nu = number("nu"), loo = rep(NA_real_, length(made)), df = number("df"), loss = number("loss"),
       dense = as.vector(beta), a0 = gram$y_mean - colSums(matrix(gram$mean * beta, length(b))))
}
