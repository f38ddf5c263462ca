# greedytl() of log odds, log rates and log hazards: what its models are fitted to, their calibration and weights.

# What all alternatives are fitted to: shares of successes, or counts, y, their weights w, the offset, the `level` that
# is added to it at coefficients of 0, and of sources the limited log odds `limited`, the numbers of those that are not
# constant, `varying`, the mean of the log odds of these and its mean.
# For counts these are log rates in place of log odds, and they are not limited. phi: the dispersion by which w was
# divided.
greedytl_odds_part <- function(frame, kinds, call) {
  family <- frame$family
  part <- response_family_part(frame, NULL)
  if (response_family_is_degenerate(part, family)) response_family_abort_degenerate(family, NO_DOMAIN, call)
  response_family_warn_fractions(list(part))
  part$family <- family
  part$phi <- 1
  part$w <- pmax.int(part$w, 1e-12) # a total of 0 says nothing
  part$offset <- rep_len(part$offset, part$n)
  part$level <- likelihood_null_level(family, list(part))
  if (!is.null(kinds)) {
    part$varying <- which(kinds != "constant")
    odds <- sources_odds_values(frame$sources$values[, part$varying, drop = FALSE], kinds)
    columns <- sources_odds_columns(odds, kinds)
    s <- length(kinds)
    part$limited <- columns[, seq_len(s), drop = FALSE]
    part$mean <- columns[, s + 1L]
    part$mean_center <- sum(part$w * part$mean) / sum(part$w)
  }
  part
}

# of: the numbers of the sources.
greedytl_odds_blocks <- function(frame, part, of) {
  c(list(frame_rows_block(frame)), if (length(of)) list(part$limited[, of, drop = FALSE]))
}

MEAN_SLOPE_PRIOR <- c(mean = 0, sd = .5) # of the log slope of the mean of the sources' log odds

# Prior of the log slope of the scores of least squares: of classes 2 apart they have half of the log odds, of counts
# they are log rates.
greedytl_odds_slope_prior <- function(part) if (part$family == "poisson") MEAN_SLOPE_PRIOR else SLOPE_PRIOR

# list(a, b, left): the calibration of scores, and the log odds of every row by that of the others.
greedytl_odds_calibrated <- function(score, part, prior) {
  ab <- cv_calibrate_odds(score, part$y, part$w, part$offset, prior, part$family)
  level <- ab[[1]] + ab[[2]] * sum(part$w * score) / sum(part$w)
  list(a = ab[[1]], b = ab[[2]],
       left = cv_calibrate_left_out(score, part$y, part$w, part$offset, prior, level, log(ab[[2]]),
                                    part$family))
}

# Relative prior weights of the alternatives, worth STACK_PRIOR rows: the selected columns count twice.
STACK_PRIOR <- 2
greedytl_odds_prior <- function(names) {
  prior <- 1 + (names == "selected columns")
  prior / sum(prior)
}

# Weights, of sum 1, that maximise the leave-one-out likelihood of the weighted mean of the log odds (left: rows x
# alternatives), times prod(weight^(STACK_PRIOR prior)), by Newton steps.
greedytl_odds_weights <- function(left, part, prior) {
  k <- length(prior)
  weight <- prior
  if (k == 1) return(weight)
  height <- function(weight) {
    likelihood_value(part$family, part, drop(left %*% weight)) + STACK_PRIOR * sum(prior * log(weight))
  }
  value <- height(weight)
  for (round in 1:100) {
    p <- likelihood_mean(part$family, drop(left %*% weight))
    g <- drop(crossprod(left, part$w * (part$y - p$mu))) + STACK_PRIOR * prior / weight
    H <- crossprod(left, part$w * p$v * left) + diag(STACK_PRIOR * prior / weight^2)
    solved <- solve(H, cbind(g, 1))
    step <- solved[, 1] - solved[, 2] * sum(solved[, 1]) / sum(solved[, 2])
    down <- step < 0
    share <- min(1, .99 * min(-weight[down] / step[down], Inf))
    while (share > 1e-10 && !(height(weight + share * step) >= value)) share <- share / 2
    if (share <= 1e-10) break
    weight <- weight + share * step
    weight <- weight / sum(weight)
    gain <- height(weight) - value
    value <- value + gain
    if (gain < 1e-10) break
  }
  weight
}

# The log loss, of counts the mean deviance. eta: a vector, or a matrix with a column for each model.
greedytl_odds_loss <- function(eta, part) {
  y <- part$y
  eta <- as.matrix(eta)
  loss <- if (part$family == "poisson") 2 * (likelihood_entropy(y) - y + exp(eta) - y * eta) else
    likelihood_log1p_exp(eta) - y * eta
  colSums(part$w * loss) / sum(part$w)
}

# Scores of the rows of the fit for coefficients of the features and the limited sources, rows x models.
greedytl_odds_scores <- function(frame, part, beta, a0) {
  p <- ncol(frame$x)
  score <- if (p) as.matrix(frame$x %*% beta[seq_len(p), , drop = FALSE]) else 0
  if (!is.null(part$limited)) {
    score <- score + as.matrix(part$limited %*% beta[p + seq_len(ncol(part$limited)), , drop = FALSE])
  }
  score <- score + rep(a0, each = part$n)
  if (ncol(score) == 1) drop(score) else score
}
