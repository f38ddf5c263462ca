# The integrals behind tlcp_selection() and tlcp_mse(): one feature, two domains, orthogonal designs.
#
# The keep rule is Q(z, h) = (a - k) z^2 + (b - k) h^2 + 2 k z h > pen. In standard normal
# deviations of z and h Q is a quadratic form; turned to its axes (large >= small)
#     Q = large (e + at)^2 + small (u + off)^2,     e, u independent standard normal,
#     w_1 - beta = full_shift + along e + across u,
# so that, given u, the feature is missed for e + at between -r and r, r^2 = (pen - small (u +
# off)^2)/large, and every moment of e there is known.

# The law of one feature per row: a data frame.
tlcp_law <- function(beta, n, m, delta, sigma, lambda, lam, v, pen, call) {
  sigma <- check_two(sigma, "sigma", call)
  lam <- check_two(lam, "lam", call)
  if (lam[1] == 0) abort_value(lam, "lam", "Give the target, which comes first, a weight above 0.", call)
  check_theory(delta, "delta", call) # before v, which is made of it
  given <- check_each(c(list(beta = beta, n = n, m = m, delta = delta, lambda = lambda, v = v),
                        if (!is.null(pen)) list(pen = pen)), call)
  law <- as.data.frame(common_length(given, call))
  law <- with_coupling(law, sigma, lam)
  if (is.null(pen)) law$pen <- plugin_penalty(law, sigma)
  turn_to_axes(law)
}

# Information a, b of the domains, the coupling kappa = 1/(1/a + 1/b + 4/v), and what it leaves:
# apart = 4 kappa/v, which is 1 without coupling and 0 with equal coefficients.
with_coupling <- function(law, sigma, lam) {
  law$a <- lam[1] * law$n
  law$b <- lam[2] * law$m
  law$kappa <- 1 / (1 / law$a + 1 / law$b + 4 / law$v)
  law$apart <- if (lam[2] == 0) 1 else 1 / (1 + law$v / 4 * (1 / law$a + 1 / law$b))
  # a - kappa and b - kappa, which lose all digits where the other domain has many more rows.
  law$own <- ifelse(law$kappa > 0, law$a * (law$kappa * (1 / law$b + 4 / law$v)), law$a)
  law$other <- ifelse(law$kappa > 0, law$b * (law$kappa * (1 / law$a + 4 / law$v)), law$b)
  law$sd_z <- sigma[1] / sqrt(law$n)
  law$sd_h <- sigma[2] / sqrt(law$m)
  law
}

# The penalty at which the strip around the ellipse is as wide as the interval of Cp. Without a
# weight of the other domain the ellipse is that strip.
plugin_penalty <- function(law, sigma) {
  shape <- ifelse(law$b == 0, 1, law$kappa / sqrt(law$a * law$b * law$apart + law$kappa^2))
  law$lambda / (2 * sigma[1]^2) * (1 + shape) * (law$own * law$sd_z^2 + law$other * law$sd_h^2)
}

turn_to_axes <- function(law) {
  own <- law$own * law$sd_z^2
  other <- law$other * law$sd_h^2
  angle <- atan2(2 * law$kappa * law$sd_z * law$sd_h, own - other) / 2
  law$large <- (own + other) / 2 +
    sqrt(((own - other) / 2)^2 + (law$kappa * law$sd_z * law$sd_h)^2)
  # small by the determinant: no digits are lost where the ellipse is almost a strip
  law$small <- law$a * law$b * law$apart * (law$sd_z * law$sd_h)^2 / law$large
  t_z <- law$beta / law$sd_z
  t_h <- (law$beta + law$delta) / law$sd_h
  at <- cos(angle) * t_z + sin(angle) * t_h
  pull <- law$kappa / law$a
  # e is mirrored so that its centre is positive: the lower tail keeps its digits.
  along <- (1 - pull) * law$sd_z * cos(angle) + pull * law$sd_h * sin(angle)
  law$along <- ifelse(at < 0, -along, along)
  law$at <- abs(at)
  law$off <- cos(angle) * t_h - sin(angle) * t_z
  law$across <- pull * law$sd_h * cos(angle) - (1 - pull) * law$sd_z * sin(angle)
  law$shift <- pull * law$delta
  law$full <- law$along^2 + law$across^2 + law$shift^2
  law
}

# Probability of the ellipse, and E[(w_1 - beta)^2 - beta^2] on it: the nodes are doubled until both
# stand still.
inside_ellipse <- function(law, nodes = 64, most = 2^14) {
  value <- ellipse_rule(law, nodes)
  scale <- cbind(1, law$full + law$beta^2)
  open <- seq_len(nrow(law))
  while (length(open) && nodes < most) {
    nodes <- 2 * nodes
    finer <- ellipse_rule(law[open, ], nodes)
    moved <- abs(finer - value[open, , drop = FALSE]) / scale[open, , drop = FALSE]
    value[open, ] <- finer
    open <- open[which(moved[, 1] > 1e-12 | moved[, 2] > 1e-12)]
  }
  list(probability = value[, 1], excess = value[, 2])
}

# Midpoint rule in theta, u = middle + half sin(theta). With the sine the integrand continues evenly
# beyond both ends of the ellipse, so the rule converges as for a periodic function; beyond 9
# standard deviations there is nothing to continue.
ellipse_rule <- function(law, nodes) {
  theta <- pi * ((seq_len(nodes) - .5) / nodes - .5)
  reach <- ifelse(law$pen > 0, sqrt(law$pen / law$small), 0)
  low <- pmax(-9, -reach - law$off)
  high <- pmin(9, reach - law$off)
  half <- pmax(high - low, 0) / 2
  u <- (low + high) / 2 + outer(half, sin(theta))
  weight <- outer(half, pi / nodes * cos(theta)) * stats::dnorm(u)
  r <- sqrt(pmax(law$pen - law$small * (u + law$off)^2, 0) / law$large)
  e <- normal_moments(-r - law$at, r - law$at)
  rest <- law$shift + law$across * u
  excess <- (rest^2 - law$beta^2) * e$zeroth + 2 * rest * law$along * e$first +
    law$along^2 * e$second
  cbind(rowSums(weight * e$zeroth), rowSums(weight * excess))
}

# Integrals of 1, e, e^2 times the normal density from `low` to `high`.
normal_moments <- function(low, high) {
  at_low <- stats::dnorm(low)
  at_high <- stats::dnorm(high)
  zeroth <- stats::pnorm(high) - stats::pnorm(low)
  list(zeroth = zeroth, first = at_low - at_high, second = zeroth + low * at_low - high * at_high)
}
