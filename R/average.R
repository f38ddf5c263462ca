# Averages instead of choices: alternatives that few rows cannot tell apart are weighted by their evidence.

# Posterior probabilities of alternatives from their log marginal likelihoods (or criteria like
# them) and log prior probabilities, each up to a constant. Alternatives with less than `least`
# times the largest weight are dropped. Names are those of `log_evidence`. See src/data/average.h.
average_weights <- function(log_evidence, log_prior = 0, least = 0) {
  weights <- .Call(C_average, as.double(log_evidence + log_prior), as.double(least))
  stats::setNames(weights, names(log_evidence))
}
