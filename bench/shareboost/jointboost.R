# JointBoost (Torralba, Murphy and Freeman, PAMI 29(5), 2007), the paper's comparator with stumps: gentle
# boosting of one score H_c a class, each round one stump that some classes share. Only definitions.

# For every value of a column, the number of thresholds below it.
binned <- function(x, thresholds) {
  vapply(seq_along(thresholds), function(j) findInterval(x[, j], thresholds[[j]], left.open = TRUE),
         integer(nrow(x)))
}

# At most `most` thresholds a column, half way between neighbouring values.
stump_thresholds <- function(x, most = 50) {
  lapply(seq_len(ncol(x)), function(j) {
    value <- sort(unique(x[, j]))
    middle <- (value[-1] + value[-length(value)]) / 2
    if (length(middle) > most) middle <- unique(stats::quantile(middle, seq(0, 1, length.out = most),
                                                                type = 1, names = FALSE))
    middle
  })
}

# By how much a stump of the classes S lowers the weighted sum of squares, at every threshold, less by how much the
# constants of S alone lower it. above, below: sums of w z and of w, thresholds x classes.
shared_gain <- function(above, below, constant, S) {
  part <- function(side) {
    rowSums(side$wz[, S, drop = FALSE])^2 / pmax(rowSums(side$w[, S, drop = FALSE]), 1e-12)
  }
  part(above) + part(below) - sum(constant[S])
}

# The best set of classes for one column by best-first search: the class of the largest gain, then the class that adds
# most, and so on; of all these sets the best.
best_sharing <- function(above, below, constant) {
  left <- seq_along(constant)
  S <- integer()
  best <- list(gain = -Inf)
  while (length(left)) {
    gains <- vapply(left, function(c) max(shared_gain(above, below, constant, c(S, c))), 0)
    S <- c(S, left[which.max(gains)])
    left <- left[-which.max(gains)]
    if (max(gains) > best$gain) best <- list(gain = max(gains), S = S)
  }
  best$at <- which.max(shared_gain(above, below, constant, best$S))
  best
}

# Test errors after every round, and the number of different stumps so far.
jointboost_curve <- function(set, rounds) {
  thresholds <- stump_thresholds(set$x)
  train <- binned(set$x, thresholds)
  test <- binned(set$test_x, thresholds)
  z <- 2 * (outer(as.integer(set$y), seq_len(nlevels(set$y)), "==")) - 1
  H <- 0 * z
  new <- matrix(0, nrow(test), ncol(z))
  used <- character()
  error <- size <- numeric(rounds)
  for (round in seq_len(rounds)) {
    w <- exp(-z * H)
    wz <- w * z
    total <- list(wz = colSums(wz), w = colSums(w))
    constant <- total$wz^2 / total$w
    found <- lapply(seq_along(thresholds), function(j) {
      sides <- sums_by_side(wz, w, train[, j], length(thresholds[[j]]), total)
      c(best_sharing(sides$above, sides$below, constant), sides = list(sides))
    })
    j <- which.max(vapply(found, `[[`, 0, "gain"))
    stump <- found[[j]]
    S <- stump$S
    height <- function(side) {
      sum(stump$sides[[side]]$wz[stump$at, S]) / max(sum(stump$sides[[side]]$w[stump$at, S]), 1e-12)
    }
    heights <- c(height("below"), height("above"))
    level <- total$wz / total$w
    add <- function(scores, bins) {
      scores <- scores + rep(replace(level, S, 0), each = nrow(scores))
      scores[, S] <- scores[, S] + heights[1 + (bins[, j] >= stump$at)]
      scores
    }
    H <- add(H, train)
    new <- add(new, test)
    used <- unique(c(used, paste(j, stump$at)))
    error[round] <- error_of(levels(set$y)[max.col(new, "first")], set)
    size[round] <- length(used)
  }
  data.frame(features = size, error = error)
}

# Sums over the rows above and below every threshold of one column, thresholds x classes.
sums_by_side <- function(wz, w, bin, count, total) {
  below <- function(values) {
    sums <- matrix(0, count + 1, ncol(values))
    by_bin <- rowsum(values, bin)
    sums[as.integer(rownames(by_bin)) + 1, ] <- by_bin
    apply(sums, 2, cumsum)[seq_len(count), , drop = FALSE]
  }
  under <- list(wz = below(wz), w = below(w))
  list(below = under, above = list(wz = rep(total$wz, each = count) - under$wz,
                                   w = rep(total$w, each = count) - under$w))
}
