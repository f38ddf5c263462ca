# Platt's calibration by a general optimiser: the likelihood of Platt's smoothed responses, with b at least 0.
naive_platt <- function(score, upper, w) {
  n1 <- sum(w[upper])
  n0 <- sum(w[!upper])
  target <- ifelse(upper, (n1 + 1) / (n1 + 2), 1 / (n0 + 2))
  z <- (score - mean(score)) / sd(score)
  loss <- function(ab) {
    eta <- ab[1] + ab[2] * z
    -sum(w * (target * plogis(eta, log.p = TRUE) + (1 - target) * plogis(-eta, log.p = TRUE)))
  }
  best <- optim(c(0, 1), loss, method = "L-BFGS-B", lower = c(-Inf, 0),
                control = list(factr = 10, maxit = 1000))$par
  c(best[1] - best[2] * mean(score) / sd(score), best[2] / sd(score))
}
