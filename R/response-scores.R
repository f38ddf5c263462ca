# Scores of rows: from coefficients, to classes and probabilities; weights of alternatives by their evidence.

# Mean of minus the log probability of the true class. score: rows x classes; of two classes the log odds of the second.
response_scores_log_loss <- function(y, score, weights) {
  if (nlevels(y) == 2) score <- cbind(rep(0, length(score)), score)
  response_weights_mean(response_scores_log_sum_exp(score) - score[cbind(seq_along(y), as.integer(y))], weights)
}

# Log odds of probabilities, these within 1e-15 of 0 and 1 at most, so that no loss is infinite.
response_scores_log_odds <- function(p) stats::qlogis(pmin(pmax(p, 1e-15), 1 - 1e-15))

response_scores_softmax <- function(score) {
  share <- exp(score - response_scores_row_max(score))
  share / rowSums(share)
}

# log(sum(exp(score))) of every row.
response_scores_log_sum_exp <- function(score) {
  top <- response_scores_row_max(score)
  top + log(rowSums(exp(score - top)))
}

# Posterior probabilities of alternatives from log_evidence, their log marginal likelihoods (or criteria on that scale),
# and their log prior probabilities, each up to a constant. An alternative with less than `least` times the largest
# weight gets the weight 0. Names are those of `log_evidence`. As in src/data/average.h.
response_scores_average_weights <- function(log_evidence, log_prior = 0, least = 0) {
  value <- as.double(log_evidence + log_prior)
  value[is.na(value)] <- -Inf
  top <- max(value, -Inf)
  weights <- if (is.finite(top)) exp(value - top) else as.double(value == top & top > 0) # also where it is Inf
  weights[weights < least] <- 0
  if (top > -Inf) weights <- weights / sum(weights)
  names(weights) <- names(log_evidence)
  weights
}

# The largest score of every row; it is subtracted from the scores before exp(), so that exp() does not overflow.
response_scores_row_max <- function(score) do.call(pmax.int, lapply(seq_len(ncol(score)), function(k) score[, k]))

# The number of the predicted class of every row: that of the largest score, the first of ties; of two classes the
# second where the score is positive. NA where a score is NA.
response_scores_class <- function(score) {
  if (is.matrix(score)) max.col(score, ties.method = "first") else 1L + (score > 0)
}

# Scores a0 + x beta of rows, for the columns `models` of beta. Columns of a dense design without a coefficient are not
# read.
response_scores_of_rows <- function(x, beta, a0, models = seq_along(a0)) {
  if (is.matrix(x)) return(.Call(C_scores, x, as.vector(beta), as.double(a0), models - 1L))
  as.matrix(x %*% beta[, models, drop = FALSE]) + rep(a0[models], each = nrow(x))
}

# response_scores_of_rows() for one column of sparse coefficients `model$beta`, as a vector.
response_scores_at <- function(x, model, number) {
  beta <- response_scores_column(model$beta, number)
  if (is.matrix(x)) return(as.vector(response_scores_of_rows(x, beta, model$a0[number])))
  used <- which(beta != 0)
  model$a0[number] + as.vector(x[, used, drop = FALSE] %*% beta[used])
}

# Column `number` of a dgCMatrix as a vector; `[` of Matrix takes a quarter of a millisecond for it.
response_scores_column <- function(beta, number) {
  inside <- seq_len(beta@p[number + 1] - beta@p[number]) + beta@p[number]
  column <- numeric(beta@Dim[1])
  column[beta@i[inside] + 1L] <- beta@x[inside]
  column
}
