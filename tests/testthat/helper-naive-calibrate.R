# a and b of plogis(a + b score) by a general optimiser: the likelihood of the classes times normal priors, of log b
# about log 2 and of the log odds at the mean score about 0.
naive_score_odds <- function(score, upper, w) {
  centre <- sum(w * score) / sum(w)
  loss <- function(at) {
    eta <- at[1] + exp(at[2]) * (score - centre)
    -sum(w * dbinom(upper, 1, plogis(eta), log = TRUE)) - dnorm(at[2], log(2), .5, log = TRUE) -
      dnorm(at[1], 0, 10, log = TRUE)
  }
  best <- c(0, log(2))
  for (round in 1:3) best <- optim(best, loss, control = list(reltol = 1e-14, maxit = 5000))$par
  c(best[1] - exp(best[2]) * centre, exp(best[2]))
}
