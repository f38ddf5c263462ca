# When Newton's method has converged, and when a likelihood has no maximum.

MOVING <- 1e-3

# By which share of their size the step `move` from theta moves the linear predictors of domains; of a domain without
# rows the distance by its information. theta, move: a column for each domain.
newton_reach <- function(domains, theta, move) {
  reach <- vapply(seq_along(domains), function(t) {
    domain <- domains[[t]]
    if (!is.null(domain$J)) {
      size <- function(v) sqrt(max(sum(v * (domain$J %*% v)), 0))
      return(size(move[, t]) / max(1, size(theta[, t])))
    }
    if (is.matrix(domain$Z) && !nrow(domain$Z)) return(0)
    max(abs(likelihood_combination(domain, move[, t]))) / max(1, abs(likelihood_predictor(domain, theta[, t])))
  }, 0)
  max(reach, 0)
}

# Is a step without gain for -2 log-likelihood, of which `value` was reached? w: weights of rows.
newton_idle <- function(gain, value, w) gain < 1e-10 * max(w, 0) + 1e-14 * abs(value)
