# Cox's partial likelihood: risk sets, its terms, the baseline hazard.

# Who is at risk when. time: a matrix of start (-Inf where there is none) and stop; status 0 or 1.
#   stratum    of every row: 1, 2, ...
#   key        by event (the d of a tie one after the other): the number of its time
#   share      what of the events at its time have left the risk set already: 0, 1/d, ..., (d-1)/d
#   from, to   of every row: the last event times of its stratum before it is at risk, and while it is; 0: there is none
#   back       the strata of the event times, from the last time to the first
# Sums over risk sets are taken in each stratum by itself: a difference of sums over several would round away a stratum
# whose rows have small hazards.
cox_risk_sets <- function(start, stop, status, strata = NULL) {
  n <- length(stop)
  strata <- if (is.null(strata)) rep(1L, n) else as.integer(factor(strata))
  dead <- which(status == 1)
  dead <- dead[order(strata[dead], stop[dead])]
  change <- c(TRUE, diff(strata[dead]) != 0 | diff(stop[dead]) != 0)[seq_along(dead)]
  key <- cumsum(change)
  d <- tabulate(key, max(key, 0))
  first <- which(change)
  times <- data.frame(stratum = strata[dead[first]], time = stop[dead[first]], d = d)
  rank_of <- function(t) {
    ranks <- integer(n)
    for (s in unique(strata)) {
      mine <- which(times$stratum == s)
      base <- if (length(mine)) mine[1] - 1L else 0L
      rows <- which(strata == s)
      before <- findInterval(t[rows], times$time[mine])
      ranks[rows] <- ifelse(before > 0, base + before, 0L)
    }
    ranks
  }
  own_key <- integer(n)
  own_key[dead] <- key
  list(n = n, status = as.double(status), stratum = strata, dead = dead, key = key, d = d, own = own_key, times = times,
       share = (seq_along(dead) - first[key]) / d[key],
       from = rank_of(start), to = rank_of(stop), back = factor(rev(times$stratum), rev(unique(times$stratum))),
       events = length(dead))
}

# Sums over the risk set at every event time: v a matrix (rows x columns).
cox_risk_sums <- function(risk, v) {
  k <- nrow(risk$times)
  sums <- cox_sums_from_here_on(risk, cox_rowsum_at(v, risk$to, k))
  if (any(risk$from > 0)) sums <- sums - cox_sums_from_here_on(risk, cox_rowsum_at(v, risk$from, k))
  sums
}

# Sums of the rows of v (event times x columns) over this and later times of the stratum.
cox_sums_from_here_on <- function(risk, v) {
  last_first <- rev(seq_len(nrow(v)))
  for (j in seq_len(ncol(v))) {
    v[last_first, j] <- as.double(unlist(lapply(split(v[last_first, j], risk$back), cumsum), use.names = FALSE))
  }
  v
}

cox_rowsum_at <- function(v, group, k) {
  sums <- matrix(0, k, ncol(v))
  keep <- group > 0
  group <- group[keep]
  if (length(group)) sums[unique(group), ] <- rowsum(v[keep, , drop = FALSE], group, reorder = FALSE)
  sums
}

# By event: the sums over its risk set, minus Efron's shares of the tied events before it.
cox_efron_sums <- function(risk, v) {
  v <- as.matrix(v)
  all <- cox_risk_sums(risk, v)
  tied <- cox_rowsum_at(v, risk$own, nrow(risk$times))
  all[risk$key, , drop = FALSE] - risk$share * tied[risk$key, , drop = FALSE]
}

# exp(eta) without overflow: the partial likelihood depends on differences of eta within strata only. top: by stratum,
# what is subtracted from eta.
cox_pieces <- function(risk, w, eta) {
  top <- vapply(split(eta, risk$stratum), max, 0, USE.NAMES = FALSE)
  eta <- eta - top[risk$stratum]
  r <- w * exp(eta)
  mean_w <- (cox_rowsum_at(as.matrix(w), risk$own, nrow(risk$times)) / risk$d)[risk$key, 1]
  list(eta = eta, top = top, r = r, w = mean_w, s0 = cox_efron_sums(risk, r)[, 1])
}

cox_log_lik <- function(risk, w, eta) {
  if (!risk$events) return(0)
  pieces <- cox_pieces(risk, w, eta)
  sum(w[risk$dead] * pieces$eta[risk$dead]) - sum(pieces$w * log(pieces$s0))
}

cox_terms <- function(risk, w, Z, eta) {
  pieces <- cox_pieces(risk, w, eta)
  mean <- cox_efron_sums(risk, Z * pieces$r) / pieces$s0
  score <- colSums(Z[risk$dead, , drop = FALSE] * w[risk$dead]) - colSums(mean * pieces$w)
  hazard <- pieces$r * cox_row_hazard(risk, pieces)
  information <- crossprod(Z, Z * hazard) - crossprod(mean * sqrt(pieces$w))
  list(score = score, information = (information + t(information)) / 2)
}

# The cumulative baseline hazard up to the time of each row, without the factor exp(eta); an event in a tie counts
# only a part of the hazard at its own time.
cox_row_hazard <- function(risk, pieces) {
  k <- nrow(risk$times)
  step <- pieces$w / pieces$s0
  cumulative <- c(0, cox_cumulative(risk, cox_rowsum_at(as.matrix(step), risk$key, k)[, 1]))
  seen <- cumulative[risk$to + 1] - cumulative[risk$from + 1]
  part <- cox_rowsum_at(as.matrix(step * risk$share), risk$key, k)
  seen - c(0, part)[risk$own + 1]
}

cox_expected <- function(risk, w, eta) {
  if (!risk$events) return(numeric(risk$n))
  pieces <- cox_pieces(risk, w, eta)
  exp(pieces$eta) * cox_row_hazard(risk, pieces)
}

# The cumulative baseline hazard at every event time, by stratum.
cox_baseline <- function(risk, w, eta) {
  pieces <- cox_pieces(risk, w, eta)
  step <- cox_rowsum_at(as.matrix(pieces$w / pieces$s0), risk$key, nrow(risk$times))[, 1]
  data.frame(stratum = risk$times$stratum, time = risk$times$time,
             hazard = cox_cumulative(risk, step * exp(-pieces$top[risk$times$stratum])))
}

# Cumulative sums over event times, in every stratum by itself.
cox_cumulative <- function(risk, step) {
  as.double(unlist(lapply(split(step, risk$times$stratum), cumsum), use.names = FALSE))
}
