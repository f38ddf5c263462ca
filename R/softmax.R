# Scores of classes (rows x classes) and their probabilities.

softmax <- function(score) {
  share <- exp(score - row_max(score))
  share / rowSums(share)
}

# log(sum(exp())) of every row.
log_sum_exp <- function(score) {
  top <- row_max(score)
  top + log(rowSums(exp(score - top)))
}

# Less this, no score is too large for exp().
row_max <- function(score) score[cbind(seq_len(nrow(score)), max.col(score, "first"))]
