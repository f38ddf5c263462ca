# Naive twins of the theory functions: one feature, orthogonal designs, two domains.

# The frequency of selection and the mean squared error over draws, with their standard errors; the objective is
# minimised by the normal equations of (w_1, w_2).
simulate_tlcp <- function(beta, n, m, delta, sigma, lam, v, pen, draws = 1e6) {
  z <- rnorm(draws, beta, sigma[1] / sqrt(n))
  h <- rnorm(draws, beta + delta, sigma[2] / sqrt(m))
  left <- matrix(c(lam[1] * n + v / 4, -v / 4, -v / 4, lam[2] * m + v / 4), 2)
  right <- rbind(lam[1] * n * z, lam[2] * m * h)
  w <- solve(left, right)
  keep <- colSums(w * right) > pen
  error <- (ifelse(keep, w[1, ], 0) - beta)^2
  c(selection = mean(keep), mse = mean(error),
    se_selection = sd(keep) / sqrt(draws), se_mse = sd(error) / sqrt(draws))
}

# D_1, D-tilde, Q, N, M, G and pen as the paper writes them, in its scaling lam = (s2_2, s2_1).
paper_rule <- function(n, m, delta, sigma, lambda) {
  s <- sigma^2
  lam <- rev(s)
  v <- 4 * s[1] * s[2] / delta^2
  den <- 4 * lam[1] * lam[2] * n * m + m * lam[2] * v + n * lam[1] * v
  d1 <- m * lam[2] * v / den
  d2 <- n * lam[1] * v / den
  d3 <- 2 * lam[1] * lam[2] * n * m / den
  dt <- lam[1] * n * d1^2 + lam[2] * m * d2^2 + v * d3^2
  q <- -2 * dt
  big_n <- lam[1] * n - dt
  big_m <- lam[2] * m - dt
  g2 <- n * m / (n * big_m * s[2] + m * big_n * s[1])
  pen <- lambda * (2 - q / sqrt(big_m * big_n)) / (4 * s[1] * g2)
  list(lam = lam, v = v, pen = pen, d1 = d1, dt = dt, q = q, big_n = big_n, big_m = big_m,
       g = sqrt(g2))
}

# The frequency of selection and the mean squared error by integrate(), over z and, between the roots of the rule by
# which a feature is kept, over h.
integrate_tlcp <- function(beta, n, m, delta, sigma, rule) {
  a <- rule$big_n
  b <- rule$big_m
  inner <- function(z, f) {
    root <- sqrt(pmax((rule$dt * z)^2 - b * (a * z^2 - rule$pen), 0))
    ends <- (c(-1, 1) * root - rule$dt * z) / b
    integrate(function(h) f(z, h) * dnorm(h, beta + delta, sigma[2] / sqrt(m)), ends[1], ends[2],
              rel.tol = 1e-10, subdivisions = 1000)$value
  }
  edge <- sqrt(rule$pen * b / (a * b - rule$dt^2))
  missed <- function(f) {
    outer <- function(z) vapply(z, inner, 1, f = f) * dnorm(z, beta, sigma[1] / sqrt(n))
    integrate(outer, -edge, edge, rel.tol = 1e-10, subdivisions = 1000)$value
  }
  excess <- function(z, h) ((1 - rule$d1) * z + rule$d1 * h - beta)^2 - beta^2
  full <- (1 - rule$d1)^2 * sigma[1]^2 / n + rule$d1^2 * (sigma[2]^2 / m + delta^2)
  c(selection = 1 - missed(function(z, h) 1 + 0 * h), mse = full - missed(excess))
}
