# Residual variances of domains.

LEAST_DF <- 5 # of residuals that a domain's own variance is trusted with, where there are others

# A variance for each domain, in its own units (1 where the domain is in units of it already): the one given, or
# RSS/(n - rank - 1). With `moderate` these are shrunk towards each other; without, a domain with fewer than
# LEAST_DF degrees of freedom takes the mean of all variances, weighted by their degrees of freedom. Where
# no domain has any, the marginal likelihood of its ridge estimates it. `from` names the way, `df` the degrees
# of freedom of each.
residual_variances <- function(domains, sigma2, call, moderate = FALSE) {
  known <- vapply(domains, function(t) isTRUE(t$known), NA)
  if (any(known)) {
    rest <- residual_variances(domains[!known], sigma2, call, moderate)
    out <- list(s2 = rep(1, length(domains)), from = rep("known", length(domains)), df = rep(Inf, length(domains)))
    for (part in names(out)) out[[part]][!known] <- rest[[part]]
    return(out)
  }
  df <- pmax.int(vapply(domains, function(t) t$fit$df, 0), 0)
  s2 <- vapply(domains, function(t) t$fit$rss / max(t$fit$df, 1), 0)
  least <- 1e-10 * vapply(domains, function(t) t$yy / t$n, 0)
  moderate <- moderate && length(domains) > 1
  enough <- df >= if (length(domains) > 1 && !moderate) LEAST_DF else 1
  freedom <- ifelse(enough, df, sum(df))
  from <- ifelse(enough, if (moderate) "own residuals, moderated" else "own residuals",
                 "all domains")
  if (all(df == 0)) {
    s2 <- vapply(domains, ridge_from_gram, 0)
    from[] <- "marginal likelihood"
  } else if (moderate) {
    moderated <- moderated_variances(s2, df)
    s2 <- moderated$s2
    freedom <- moderated$df
  } else {
    s2[!enough] <- sum(s2 * df) / sum(df)
  }
  if (!is.null(sigma2)) {
    sigma2 <- in_order_of(sigma2, domain_names(domains), "sigma2", call)
    given <- check_sigma2(sigma2, length(domains), call)
    scale <- vapply(domains, `[[`, 0, "y_scale")
    at <- seq_along(given)
    s2[at] <- given / scale[at]^2
    from[at] <- "given"
    freedom[at] <- Inf
  }
  list(s2 = unname(pmax.int(s2, least)), from = unname(from), df = unname(freedom))
}

# s2_t taken as s0^2 F(df_t, d0), as in src/tgreedy/moderate.h with degrees of freedom that differ: d0 from
# what the variance of log s2_t leaves beyond chance, s0^2 from their mean; without any such rest d0
# is infinite and all have the mean by degrees of freedom. With `df`: d0 + df_t, at most
# those of all.
moderated_variances <- function(s2, df) {
  pooled <- sum(s2 * df) / sum(df)
  known <- df > 0
  same <- list(s2 = rep(pooled, length(s2)), df = rep(sum(df), length(s2)))
  if (sum(known) < 2 || pooled == 0) return(same)
  prior <- variance_prior(s2[known], df[known])
  list(s2 = drop(shrunk_variances(prior, rbind(s2, deparse.level = 0), df)), df = pmin(prior$df + df, sum(df)))
}

# The prior s0^2 of d0 degrees of freedom, a row of s2 each. Where rows differ by chance alone d0 is infinite and
# s0^2 their mean by degrees of freedom. A variance counts as at least 1e-10 of that and 1e-5 of the median of its
# row.
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

check_sigma2 <- function(sigma2, n_domains, call) {
  good <- is.numeric(sigma2) && length(sigma2) %in% c(1, n_domains) && all(is.finite(sigma2)) &&
    all(sigma2 > 0)
  if (!good) {
    abort_input("{.arg sigma2} is {.val {sigma2}}.", "sigma2",
                i = paste0("Give the target's residual variance, a positive number",
                           if (n_domains > 1) ", or those of all {n_domains} domains, target first",
                           "."), call = call)
  }
  sigma2
}

ridge_from_gram <- function(domain) {
  e <- eigen(domain$G, symmetric = TRUE)
  r <- which(e$values > SINGULAR * max(e$values[1], 0))
  u2 <- drop(crossprod(e$vectors[, r, drop = FALSE], domain$g))^2 / e$values[r]
  ridge_variance(e$values[r], u2, domain$yy, domain$fit$df + length(domain$fit$kept))
}

# The residual variance where no degrees of freedom are left: y ~ N(0, s2 I + omega2 XX') in m dimensions. The
# likelihood of the noise's share of the variance is often flat, or highest at no noise at all, so that s2 is averaged
# over this share, all shares being equally likely beforehand. d: eigenvalues of XX'; u2: squares of y in their basis.
# The directions that X does not reach hold the rest of y'y.
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
