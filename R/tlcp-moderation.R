# Variances of several domains shrunk towards each other (Smyth 2004).

# The model of each row of s2 is s2_t ~ s0^2 F(df_t, d0), as in src/tgreedy/moderate.h, with degrees of freedom that
# differ. d0 is estimated from the variance of log s2_t in excess of what chance gives, s0^2 from their mean. Without an
# excess d0 is infinite and s0^2 the mean weighted by degrees of freedom. A variance counts as at least 1e-10 of that
# mean and 1e-5 of the median of its row. Returns (d0 s0^2 + df_t s_t^2)/(d0 + df_t) and d0.
tlcp_moderation_of_variances <- function(s2, df) {
  within <- drop(s2 %*% df) / sum(df)
  known <- s2[, df > 0, drop = FALSE]
  if (any(known < 1e-10 * within)) known <- pmax(known, 1e-10 * within)
  if (min(known) < 1e-5 * max(known)) known <- pmax(known, 1e-5 * apply(known, 1, stats::median))
  half <- df[df > 0] / 2
  e <- log(known) + rep(log(half) - digamma(half), each = nrow(s2))
  centre <- rowMeans(e)
  left <- rowSums((e - centre)^2) / (length(half) - 1) - sum(trigamma(half)) / length(half)
  d0 <- 2 * tlcp_moderation_trigamma_inverse(pmax.int(left, 1e-6))
  prior <- exp(centre + digamma(d0 / 2) - log(d0 / 2))
  out <- (d0 * prior + s2 * rep(df, each = nrow(s2))) / outer(d0, df, `+`)
  chance <- left <= 1e-6
  out[chance, ] <- within[chance]
  list(s2 = out, d0 = ifelse(chance, Inf, d0))
}

# y > 0 with trigamma(y) = x, by Newton's method on 1/trigamma (src/tgreedy/moderate.c).
tlcp_moderation_trigamma_inverse <- function(x) {
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
