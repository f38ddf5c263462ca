# How a response and the weights of its rows become numbers: one place for all methods and losses.

# Classes as numbers, `low` and 1: of two classes a vector, 1 for the second; of more a column each.
class_codes <- function(y, low = -1) {
  if (nlevels(y) == 2) return((1 - low) * (as.integer(y) == 2L) + low)
  codes <- (1 - low) * outer(as.integer(y), seq_len(nlevels(y)), "==") + low
  colnames(codes) <- levels(y)
  codes
}

# The response on the scale of least-squares scores: numbers as they are.
coded_response <- function(y) if (is.factor(y)) class_codes(y) else y

# coded_response() as a matrix, one column for each response, with names.
response_matrix <- function(y) {
  coded <- coded_response(y)
  if (is.matrix(coded)) return(coded)
  matrix(coded, dimnames = list(NULL, if (is.factor(y)) levels(y)[2] else "y"))
}

# The weight of every row.
frame_weights <- function(frame) frame$weights %||% rep_len(1, frame_nobs(frame))

# Weights of sum n, as the kernels want them: NULL where none were given.
unit_weights <- function(frame) {
  w <- frame$weights
  if (is.null(w)) return(NULL)
  w <- w / max(w) # their sum may overflow, or their mean vanish
  w * (length(w) / sum(w))
}

# unit_weights() with a number for every row.
row_unit_weights <- function(frame) unit_weights(frame) %||% frame_weights(frame)

# The weight of every row, divided by the mean of its domain's, or by `FUN` of them.
domain_weights <- function(frame, FUN = mean) {
  w <- frame_weights(frame)
  w / stats::ave(w, frame$domain, FUN = FUN)
}

# What weights add to twice the log-likelihood of squares: the sum of the logarithms of weights of sum n. NA for moments
# that do not have it.
log_weights <- function(frame) {
  if (has_rows(frame)) return(sum(log(unit_weights(frame) %||% 1)))
  all <- moments_total(frame$moments)
  all$log_weight + all$n * log(all$n / all$weight)
}

# The same where every domain has the same sum of weights: row i of domain k, one of K, then has (n/K) w_i / W_k.
log_domain_weights <- function(frame) {
  if (has_rows(frame)) {
    n <- tabulate(frame$domain, nlevels(frame$domain))
    sums <- if (is.null(frame$weights)) n else rowsum(unit_weights(frame), as.integer(frame$domain))[, 1]
  } else {
    domains <- moments_domains(frame$moments)
    n <- vapply(domains, `[[`, 0, "n")
    sums <- vapply(domains, `[[`, 0, "weight")
    sums <- sums * sum(n) / sum(sums)
  }
  log_weights(frame) + sum(n * log(sum(n) / (length(n) * sums)))
}

# `y` as a factor of `classes`, those of `whose`.
among_classes <- function(y, classes, whose, call) {
  unknown <- setdiff(as.character(y), c(classes, NA))
  if (length(unknown)) {
    abort_input("{.arg y} has {.val {unknown}}, no class of the {whose}.", "y",
                i = "Give classes among {.val {classes}}.", call = call)
  }
  factor(as.character(y), classes, ordered = is.ordered(y))
}

# ---- scores of classes (rows x classes), their probabilities, and those of models -----------------

softmax <- function(score) {
  share <- exp(score - row_max(score))
  share / rowSums(share)
}

# log(sum(exp())) of every row.
log_sum_exp <- function(score) {
  top <- row_max(score)
  top + log(rowSums(exp(score - top)))
}

# Posterior probabilities of alternatives from their log marginal likelihoods (or criteria like
# them) and log prior probabilities, each up to a constant. Alternatives with less than `least`
# times the largest weight are dropped. Names are those of `log_evidence`. See src/data/average.h.
average_weights <- function(log_evidence, log_prior = 0, least = 0) {
  weights <- .Call(C_average, as.double(log_evidence + log_prior), as.double(least))
  stats::setNames(weights, names(log_evidence))
}

# The largest score of every row: less this, no score is too large for exp().
row_max <- function(score) score[seq_len(nrow(score)) + nrow(score) * (max.col(score, "first") - 1)]

# Class numbers from scores: the largest, the lowest level on ties; of two classes the second where
# the score is positive. NA where a score is.
predicted_class <- function(score) {
  if (is.matrix(score)) max.col(score, ties.method = "first") else 1L + (score > 0)
}

# Scores of rows by models in columns `at` of beta, whose columns that have no coefficient are not read.
score_rows <- function(x, beta, a0, at = seq_along(a0)) {
  if (is.matrix(x)) return(.Call(C_scores, x, as.vector(beta), as.double(a0), at - 1L))
  as.matrix(x %*% beta[, at, drop = FALSE]) + rep(a0[at], each = nrow(x))
}

# score_rows() by one column of sparse coefficients: a vector.
score_rows_at <- function(x, model, at) {
  inside <- seq_len(diff(model$beta@p)[at]) + model$beta@p[at]
  used <- model$beta@i[inside] + 1L
  weight <- model$beta@x[inside]
  if (!is.matrix(x)) return(model$a0[at] + as.vector(x[, used, drop = FALSE] %*% weight))
  beta <- numeric(ncol(x))
  beta[used] <- weight
  as.vector(score_rows(x, beta, model$a0[at]))
}

# Weighted mean over rows; a matrix is averaged over its columns (classes) first.
mean_by_weight <- function(value, weights) {
  if (is.matrix(value)) value <- rowMeans(value)
  sum(weights * value) / sum(weights)
}
