# Losses of cross-validation where the response has a likelihood of its own; two classes have those of
# cv-losses.R. The scores are linear predictors with their offsets.

# By kind of response; the first is the default. "totals": successes out of more than one.
FAMILY_LOSSES <- list(poisson = c("deviance", "mse", "mae"), totals = "deviance",
                      cox = c("deviance", "concordance"))

family_loss <- function(loss, family, call) {
  known <- FAMILY_LOSSES[[family]]
  loss <- loss %||% known[1]
  if (!rlang::is_string(loss, known)) abort_value(loss, "loss", "Give {.or {.val {known}}} for this response.", call)
  label <- c(deviance = if (family == "cox") "minus twice the log partial likelihood, an event" else
               "deviance", mse = "mean squared error", mae = "mean absolute error",
             concordance = "concordance")
  list(name = loss, label = label[[loss]], families = family,
       smaller_is_better = loss != "concordance",
       loss = get(paste0("loss_", family, "_", loss), mode = "function"),
       undefined = "it holds no events that could be compared",
       mend = "Use fewer folds, so that each holds events.")
}

loss_poisson_deviance <- function(y, score, weights, classes) {
  mean_by_weight(2 * (entropy(y) - y * score - y + exp(score)), weights)
}

loss_poisson_mse <- function(y, score, weights, classes) mean_by_weight((y - exp(score))^2, weights)

loss_poisson_mae <- function(y, score, weights, classes) mean_by_weight(abs(y - exp(score)), weights)

loss_totals_deviance <- function(y, score, weights, classes) {
  total <- if (is.matrix(y)) rowSums(y) else 1
  share <- if (is.matrix(y)) ifelse(total > 0, y[, 1] / total, 0) else y
  value <- entropy(share) + entropy(1 - share) - share * score + log1p_exp(score)
  mean_by_weight(2 * total * value, weights)
}

loss_cox_deviance <- function(y, score, weights, classes) {
  risk <- surv_risk(y, attr(y, "strata"))
  if (anyNA(score) || !risk$events) return(NA_real_)
  -2 * cox_log_lik(risk, weights, score) / sum(weights[risk$dead])
}

loss_cox_concordance <- function(y, score, weights, classes) concordance(y, score, weights)[[1]]

# Harrell's concordance, with its standard error (infinitesimal jackknife, of rows or of clusters).
concordance <- function(y, score, weights, cluster = NULL) {
  if (anyNA(score)) return(c(NA_real_, NA_real_))
  stratum <- attr(y, "strata") # pairs of one stratum are compared
  strata <- survival::strata
  model <- if (is.null(stratum)) y ~ score else y ~ score + strata(stratum)
  out <- if (is.null(cluster)) survival::concordance(model, weights = weights, reverse = TRUE) else
    survival::concordance(model, weights = weights, cluster = cluster, reverse = TRUE)
  value <- unname(out$concordance)
  if (!is.finite(value)) c(NA_real_, NA_real_) else c(value, sqrt(out$var))
}
