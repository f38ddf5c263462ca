# msplit()'s report by its definition: inclusion probabilities as a sum over all supports and spreads, and the set
# that is called strong.

naive_inclusion <- function(x, y, spread = c(10, 30, 100, 300, 1000), most = min(ncol(x), floor(nrow(x) / 3)),
                            intercept = TRUE) {
  n <- nrow(x)
  d <- ncol(x)
  if (intercept) {
    x <- x - rep(colMeans(x), each = n)
    y <- y - mean(y)
  }
  x <- x / rep(sqrt(colMeans(x^2)), each = n)
  df <- n - intercept
  # each column has an effect with the same probability, uniform on 0 to 1/2
  log_prior <- vapply(0:d, function(k) {
    log(stats::integrate(function(share) share^k * (1 - share)^(d - k), 0, .5, rel.tol = 1e-10, abs.tol = 0)$value)
  }, 0)
  log_p <- numeric()
  inside <- NULL
  for (code in seq_len(2^d) - 1) {
    P <- which(bitwAnd(code, 2^(seq_len(d) - 1)) > 0)
    if (length(P) > most) next
    for (v in spread) {
      A <- crossprod(x[, P, drop = FALSE]) + diag(n / v, length(P))
      S <- sum(y^2)
      if (length(P)) S <- S - sum(crossprod(x[, P, drop = FALSE], y) * solve(A, crossprod(x[, P, drop = FALSE], y)))
      log_det <- if (length(P)) c(determinant(A * v / n)$modulus) else 0
      log_p <- c(log_p, -log_det / 2 - df / 2 * log(S) + log_prior[length(P) + 1])
      inside <- rbind(inside, seq_len(d) %in% P)
    }
  }
  w <- exp(log_p - max(log_p))
  colSums(w * inside) / sum(w)
}

# The largest set whose mean of 1 - probability is at most 2 fdr, without those of a probability below the floor.
naive_strong <- function(probability, fdr) {
  order <- order(-probability)
  size <- 0
  for (k in seq_along(order)) if (mean(1 - probability[order[seq_len(k)]]) <= 2 * fdr) size <- k
  chosen <- order[seq_len(size)]
  sort(chosen[probability[chosen] >= max(.5, 1 - 3.5 * fdr)])
}
