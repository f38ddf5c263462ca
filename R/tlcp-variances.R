# Variances estimated from few rows: shrunk towards each other, or averaged over a prior.

# The model is s2_t ~ s0^2 F(df_t, d0), as in src/tgreedy/moderate.h, with degrees of freedom that differ. d0 is
# estimated from the variance of log s2_t in excess of what chance gives, s0^2 from their mean. Without an excess d0
# is infinite, and all variances become the mean weighted by degrees of freedom. `df` of the result: d0 + df_t, at
# most the sum of all df_t.
moderated_variances <- function(s2, df) {
  pooled <- sum(s2 * df) / sum(df)
  known <- df > 0
  same <- list(s2 = rep(pooled, length(s2)), df = rep(sum(df), length(s2)))
  if (sum(known) < 2 || pooled == 0) return(same)
  prior <- variance_prior(s2[known], df[known])
  list(s2 = drop(shrunk_variances(prior, rbind(s2, deparse.level = 0), df)), df = pmin(prior$df + df, sum(df)))
}

# The prior s0^2 with d0 degrees of freedom, for each row of s2. Where the variances of a row differ by no more than
# chance gives, d0 is infinite and s0^2 the mean weighted by degrees of freedom. A variance counts as at least 1e-10
# of that mean and 1e-5 of the median of its row.
variance_prior <- function(s2, df) {
  s2 <- rbind(s2, deparse.level = 0)
  pooled <- drop(s2 %*% df) / sum(df)
  s2 <- pmax(s2, 1e-10 * pooled)
  half <- df / 2
  if (min(s2) < 1e-5 * max(s2)) s2 <- pmax(s2, 1e-5 * apply(s2, 1, stats::median))
  e <- log(s2) + rep(log(half) - digamma(half), each = nrow(s2))
  centre <- rowMeans(e)
  left <- rowSums((e - centre)^2) / (length(df) - 1) - mean(trigamma(half))
  d0 <- 2 * trigamma_inverse(pmax.int(left, 1e-6))
  chance <- left <= 1e-6
  list(s2 = ifelse(chance, pooled, exp(centre + digamma(d0 / 2) - log(d0 / 2))), df = ifelse(chance, Inf, d0))
}

# (d0 s0^2 + df_t s_t^2)/(d0 + df_t)
shrunk_variances <- function(prior, s2, df) {
  out <- (prior$df * prior$s2 + s2 * rep(df, each = nrow(s2))) / outer(prior$df, df, `+`)
  same <- is.infinite(prior$df)
  out[same, ] <- prior$s2[same]
  out
}

# y > 0 with trigamma(y) = x, by Newton's method on 1/trigamma (src/tgreedy/moderate.c).
trigamma_inverse <- function(x) {
  near <- pmin.int(x, 1e7)
  y <- .5 + 1 / near
  for (k in 1:50) {
    value <- trigamma(y)
    step <- value * (1 - value / near) / psigamma(y, 2)
    y <- y + step
    if (all(abs(step) < 1e-10 * y)) break
  }
  ifelse(x > 1e7, 1 / sqrt(x), y)
}

# The residual variance where no degrees of freedom are left: y ~ N(0, s2 I + omega2 XX') in m dimensions. The
# likelihood of the share of noise in the variance is often flat, or largest at no noise at all, so s2 is averaged
# over this share with a uniform prior. d: eigenvalues of XX'; u2: squares of y in their basis. The rest of y'y lies
# in the directions orthogonal to the columns of X.
ridge_variance <- function(d, u2, yy, m) {
  share <- (seq_len(99) - .5) / 99
  rest <- max(yy - sum(u2), 0)
  at <- vapply(share, function(noise) {
    v <- noise + (1 - noise) * d * m / sum(d)
    total <- (rest / noise + sum(u2 / v)) / m
    outside <- (m - length(d)) * log(noise)
    c(s2 = noise * total, log_lik = -(m * log(total) + sum(log(v)) + outside) / 2)
  }, c(s2 = 0, log_lik = 0))
  sum(average_weights(at["log_lik", ]) * at["s2", ])
}
