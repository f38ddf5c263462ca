# The fit of greedytl() of log hazards: Cox's model, stratified where there are strata, through counts of events.

COX_ROUNDS <- 3 # fits of log rates, each with the baseline hazard of the one before
LEAST_HAZARD <- 1e-8 # of a row that ends before the first event

# The events of a row are a count whose exposure is the cumulative baseline hazard of its stratum up to its time: at its
# maximum the Poisson likelihood of these counts has the coefficients that maximise the partial likelihood. The hazard
# is that of the fit before, first of a model without effects.
greedytl_cox_fit <- function(frame, settings, call) {
  kinds <- greedytl_odds_source_kinds(frame, call)
  part <- response_family_part(frame, NULL)
  if (response_family_is_degenerate(part, "cox")) response_family_abort_degenerate("cox", NO_DOMAIN, call)
  counts <- frame
  counts$y <- as.numeric(unclass(frame$y)[, "status"])
  counts$family <- "poisson"
  counts["strata"] <- list(NULL)
  center <- mean(part$offset) # a constant offset is a part of the baseline
  score <- offset <- part$offset - center
  for (round in seq_len(COX_ROUNDS)) {
    hazard <- pmax(cox_expected(part$risk, part$w, score) / exp(score), LEAST_HAZARD)
    counts$offset <- offset + log(hazard)
    fit <- greedytl_odds_fitted(counts, kinds, settings, call)
    eta <- drop(vapply(fit$each, `[[`, numeric(part$n), "fitted") %*% fit$weight) - log(hazard)
    score <- eta - mean(eta)
  }
  path <- greedytl_odds_object(counts, fit$part, fit$squares, fit$each, fit$weight, kinds, settings)
  greedytl_cox_object(path, frame, part, fit, eta + center)
}

# path: that of the log rates; fit: what it is of; eta: its linear predictors of the rows, with the offset and without
# the hazard. A Cox model has no intercept: linear predictors are 0 at the means of the columns.
greedytl_cox_object <- function(path, frame, part, fit, eta) {
  at_means <- function(beta) -as.vector(Matrix::crossprod(beta, path$center))
  before <- path$average$a0
  path$average$a0 <- at_means(path$average$beta)
  path$a0 <- at_means(path$beta)
  eta <- eta - before + path$average$a0
  of_steps <- part$offset + as.matrix(greedytl_odds_scores(frame, fit$part, path$beta, path$a0))
  log_lik <- function(eta) cox_log_lik(part$risk, part$w, eta)
  rows <- likelihood_residuals("cox", part, eta)
  path[c("fitted", "residuals", "deviance_residuals")] <- rows[c("fitted", "response", "deviance")]
  path[c("phi", "pearson_residuals")] <- NULL
  path$steps$log_lik <- apply(of_steps, 2, log_lik)
  path$steps$deviance <- -2 * path$steps$log_lik
  path$deviance <- -2 * log_lik(eta)
  path$null_deviance <- -2 * log_lik(part$offset)
  path$labels[["title"]] <- "Greedy transfer learning, log hazards"
  path[c("family", "size")] <- list("cox", part$risk$events)
  path$settings$family <- "cox"
  # of every step, the average the last
  hazard <- lapply(c(asplit(of_steps, 2), list(eta)), function(eta) cox_baseline(part$risk, part$w, as.vector(eta)))
  path$baseline <- list(strata = levels(frame$strata), stratum = hazard[[1]]$stratum, time = hazard[[1]]$time,
                        hazard = vapply(hazard, `[[`, numeric(nrow(hazard[[1]])), "hazard"))
  path
}
