# The coverage of conformal intervals: what few places say of a new one, and what is proven.

# Of how many independent rows the rows of the places have the information, from the number of places, where all rows of
# a place have the same score, to that of the rows, where places are alike. The mean of the distributions of scores by
# place has at each score the variance between places over their number; that of independent rows would be F(1 - F) over
# theirs. Both are added up over the scores.
conformal_effective_places <- function(score, part) {
  below <- sort(score)
  each <- vapply(split(score, part), function(one) findInterval(below, sort(one)) / length(one), below)
  F <- rowMeans(each)
  gap <- diff(c(below, below[length(below)]))
  between <- sum(rowSums((each - F)^2) / (ncol(each) - 1) / ncol(each) * gap)
  min(max(sum(F * (1 - F) * gap) / between, ncol(each), na.rm = TRUE), length(score))
}

# What is proven of the coverage at level .9: Theorem 4 of Barber et al. (2021), which is their Theorem 1 where each row
# is a part. It is for a model that is chosen without the held-out rows.
conformal_proven <- function(x, level) {
  n <- length(x$score)
  k <- x$parts
  if (x$by == "domain") return(if (x$size == k) 2 * level - 1 else NA_real_)
  2 * level - 1 - min(2 * (1 - 1 / k) / (n / k + 1), (1 - k / n) / (k + 1))
}

conformal_proven_words <- function(x) {
  proven <- conformal_proven(x, .9)
  if (is.numeric(x$at$step)) return("; no bound is proven where the same rows have chosen the step")
  if (is.na(proven)) return("; no bound is proven (exact = TRUE has one)")
  paste0("; proven at level .9: coverage of at least ", signif(proven, 2))
}
