# The quantiles of conformal prediction, by the parts of the held-out rows.

# The scores of each part in ascending order, with `reached`, the weight of none, the first, the first two, ... of them.
conformal_ascending <- function(part, score, weight, parts) {
  lapply(split(seq_along(score), factor(part, seq_len(parts))), function(rows) {
    rows <- rows[order(score[rows])]
    list(score = score[rows], reached = cumsum(c(0, weight[rows])))
  })
}

# Every held-out row gives each new row i a value, each[i, k] + scale[i, k] * its score, where k is its part. Of these
# values the smallest whose weight, and that of all smaller ones, is `level` or more; Inf where the weights do not
# reach it. It is found by bisection: the values are in order in each part, and are not all made. parts: of
# conformal_ascending().
conformal_quantile <- function(parts, each, level, scale = array(1, dim(each))) {
  total <- sum(vapply(parts, function(one) one$reached[length(one$reached)], 0))
  if (total < level - 1e-10) return(rep(Inf, nrow(each)))
  of_parts <- function(start, combine, value) {
    for (k in seq_along(parts)) {
      if (length(parts[[k]]$score)) start <- combine(start, value(parts[[k]], each[, k], scale[, k]))
    }
    start
  }
  none <- numeric(nrow(each))
  low <- of_parts(none + Inf, pmin, function(one, each, scale) each + scale * one$score[1L])
  high <- of_parts(none - Inf, pmax, function(one, each, scale) each + scale * one$score[length(one$score)])
  low <- low - abs(low) - 1
  repeat {
    middle <- low + (high - low) / 2
    if (!any(middle > low & middle < high, na.rm = TRUE)) break
    reached <- of_parts(none, `+`, function(one, each, scale) {
      one$reached[findInterval((middle - each) / scale, one$score) + 1L]
    })
    enough <- reached >= level - 1e-10
    high[which(enough)] <- middle[which(enough)]
    low[which(!enough)] <- middle[which(!enough)]
  }
  # the value that is nearest to the place found
  away <- of_parts(none + Inf, function(a, b) ifelse(abs(b) < abs(a) | is.na(b), b, a), function(one, each, scale) {
    above <- findInterval((high - each) / scale, one$score) + 1L
    near <- function(k) each + scale * one$score[pmin(pmax(k, 1L), length(one$score))] - high
    ifelse(abs(near(above)) < abs(near(above - 1L)), near(above), near(above - 1L))
  })
  high + away
}
