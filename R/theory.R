#' What Cp and TLCp select, and how well: exact probabilities and errors
#'
#' How likely is it that Cp keeps a feature, and how large is the error of its coefficient? `cp_selection(beta = .3, n =
#' 20)` gives the probability, `cp_mse()` the mean squared error, `cp_required_n()` the rows needed, and
#' `tlcp_selection()` and `tlcp_mse()` the same with one other domain. Use them to plan a study or to understand the
#' criteria; to fit a model use [tlcp()], and for several other domains [tlcp_required_n()]. The numbers are for one
#' feature of an orthogonal design, and exact: nothing is simulated. For example, Cp drops a feature of critical size
#' half of the time, and a similar domain makes it more likely that the feature is kept.
#'
#' @section Cp: With \eqn{X'X = nI} the least-squares coefficient is \eqn{z \sim N(\beta, \sigma^2/n)}{z ~ N(beta,
#' sigma^2/n)}, and minimising \eqn{||y - Xw||^2 + \lambda ||w||_0} keeps the feature if \eqn{n z^2 > \lambda}, whether
#' or not other features are kept. With \eqn{c = \lambda^{1/2}/\sigma} and \eqn{t = n^{1/2} \beta/\sigma} the
#' probability is \eqn{\Phi(-c - t) + 1 - \Phi(c - t)} (Theorem 3) and the error is
#' \deqn{E(w - \beta)^2 = (\sigma^2/n) \{1 - E[(e^2 - t^2) 1(|e + t| < c)]\}, e \sim N(0, 1),}{
#' E(w - beta)^2 = (sigma^2/n) {1 - E[(e^2 - t^2) 1(|e + t| < c)]},  e ~ N(0, 1)}
#' (Theorem 6, here in closed form). At \eqn{\lambda = 2\sigma^2} a superfluous feature, \eqn{\beta
#' = 0}, enters with probability .157 (`cp_selection(0, 20)`); a critical one, \eqn{n\beta^2 =
#' \lambda}, with probability .502 (`cp_selection(sqrt(2 / 20), 20)`; the paper's .5 neglects the
#' other tail).
#'
#' `cp_required_n()` gives the smallest number of rows at which a feature of that size is kept with probability `power`,
#' with both tails of the test (Remark 4). The usual formula \eqn{n = \sigma^2 (c + z_{power})^2/\beta^2} neglects the
#' other tail. It never gives fewer rows, and hardly more if the power is high.
#'
#' @section TLCp: The other domain has m rows, \eqn{X_2'X_2 = mI}, and the coefficient \eqn{\beta +
#' \delta}; h is its least-squares coefficient. For the objective
#' \deqn{lam_1 ||y_1 - X_1 w_1||^2 + lam_2 ||y_2 - X_2 w_2||^2 + (v/4) (w_1 - w_2)^2 + pen |S|}{
#' lam_1 |y_1 - X_1 w_1|^2 + lam_2 |y_2 - X_2 w_2|^2 + (v/4) (w_1 - w_2)^2 + pen |S|}
#' with \eqn{1/\kappa = 1/(lam_1 n) + 1/(lam_2 m) + 4/v}, \eqn{A = lam_1 n - \kappa} and \eqn{B =
#' lam_2 m - \kappa} the feature is kept in both domains if
#' \deqn{A z^2 + B h^2 + 2 \kappa z h > pen,}
#' that is, if (z, h) is outside an ellipse. Then \eqn{w_1 = z - \kappa (z - h)/(lam_1 n)} (Proposition 8). The
#' probability and the error (Theorems 9 and 13) are integrals of a normal density over the ellipse:
#' along its short axis in closed form, along the long one numerically, to about 1e-12.
#'
#' Without `lam`, `v` and `pen` the paper's rule is used (Corollary 15, Theorem 20): \eqn{lam_t =
#' 1/\sigma_t^2}, \eqn{v = 4/\delta^2}, which makes \eqn{w_1} the best combination of z and h, and
#' the `pen` at which the strip around the ellipse (Corollary 10) is as wide as that of Cp,
#' \deqn{pen = \frac{\lambda}{2\sigma_1^2} \Big(1 + \frac{\kappa}{\sqrt{AB}}\Big)
#' \Big(\frac{A\sigma_1^2}{n} + \frac{B\sigma_2^2}{m}\Big).}{ pen = lambda/(2 sigma_1^2) (1 + kappa/(A B)^(1/2)) (A
#' sigma_1^2/n + B sigma_2^2/m).} It is \eqn{\lambda/\sigma_1^2} (2 for Cp) at \eqn{\delta = 0}, for very large
#' \eqn{\delta}, and for every \eqn{\delta} if both domains are equally informative. With several features the paper
#' takes the smallest of their values. Multiplying `lam`, `v` and `pen` by the same number changes nothing.
#'
#' * \eqn{\delta = 0}: TLCp is Cp with \eqn{n + m\sigma_1^2/\sigma_2^2} rows.
#' * \eqn{v = 0}: the domains share only the support, and the ellipse has its axes along z and h; both domains
#'   still decide whether the feature is kept. `lam = c(1, 0), v = 0, pen = lambda` is Cp.
#' * Large \eqn{|\delta|}: the estimate is that of least squares on the target, and the feature is almost always kept,
#'   since it has an effect in the other domain. This is good for critical features and bad for superfluous ones.
#'
#' The rule assumes that \eqn{\delta} is known. A fit has to estimate it, which increases the error. For n = m = 20,
#' \eqn{\sigma = 1}, \eqn{\beta} critical and \eqn{\delta = 0} the error is .041 if \eqn{\delta} is known, .048 with
#' \eqn{h - z} in its place, and .076 with Cp, as the examples compute.
#'
#' @param beta Coefficient of the feature in the target.
#' @param n,m Rows of the target and of the other domain.
#' @param delta Coefficient of the other domain minus that of the target. Its sign matters: a coefficient of
#'   the opposite sign weakens the evidence.
#' @param sigma Standard deviation of the errors. For `tlcp_*()` two numbers, the target's first.
#' @param lambda Penalty of a feature, on the scale of the residual sum of squares: \eqn{2\sigma^2}
#'   for Cp and AIC, \eqn{\sigma^2 \log n} for BIC. It may be a vector, like all others.
#' @param power Wanted probability that the feature is kept.
#' @param lam,v,pen Weight of each domain's residual sum of squares, coupling of the domains' coefficients (`Inf`: equal
#'   coefficients) and penalty of a feature. The defaults are the paper's rule; for `pen` (`NULL`) it is
#'   the formula below.
#' @param ... Not used; anything given is an error.
#' @returns A numeric vector. Each argument has one value or as many as the longest; `sigma` and `lam` of `tlcp_*()`
#'   have two values, the target's first. Errors are in squared units of `beta`. `cp_required_n()` gives whole numbers,
#'   and `Inf` if no number of rows is enough (`beta = 0`).
#' @references
#' Chen, S., Sahinidis, N. V. and Gao, C. (2022). Transfer learning in information criteria-based
#' feature selection. *Journal of Machine Learning Research* 23, Theorems 3, 6, 9, 13 and 20,
#' Propositions 8 and 16, Remark 4. \doi{10.48550/arXiv.2107.02847}
#' @seealso [tlcp_required_n()] for the rows needed with other domains; [tlcp()], which fits the model;
#'   [stats::power.t.test()] for the power of a test.
#' @examples
#' # Rows needed to keep a coefficient of .3 nine times in ten: by Cp, and by BIC, whose penalty
#' # depends on n
#' cp_required_n(.3)
#' n <- 20:1000
#' n[cp_selection(.3, n, lambda = log(n)) >= .9][1]
#'
#' # What a domain of 40 rows adds to 20 rows if its coefficient is the same, .2 or .6 larger
#' cp_selection(.3, n = 20)
#' tlcp_selection(.3, n = 20, m = 40, delta = c(0, .2, .6))
#' tlcp_mse(.3, n = 20, m = 40, delta = c(0, .2, .6)) / cp_mse(.3, n = 20)
#'
#' # The same coefficient in both domains: delta known; h - z in its place (simulated); Cp
#' set.seed(1)
#' critical <- sqrt(2 / 20)
#' z <- critical + rnorm(1e5) / sqrt(20)
#' h <- critical + rnorm(1e5) / sqrt(20)
#' kappa <- 1 / (2 / 20 + (h - z)^2)
#' kept <- (20 - kappa) * (z^2 + h^2) + 2 * kappa * z * h > 2
#' c(known = tlcp_mse(critical, n = 20, m = 20),
#'   estimated = mean((kept * (z - kappa * (z - h) / 20) - critical)^2),
#'   cp = cp_mse(critical, n = 20))
#'
#' # ---- Figures 1 to 3 of the paper, without simulation ----
#' # Six coefficients; the fourth and fifth are critical at n = 20.
#' beta <- c(1, .01, .005, .3, .32, .08)
#' colours <- c("#333333", "#9A3403", "#E0701A", "#5B83A6")
#' curves <- function(x, y, xlab, ylab, names, ylim = c(0, 1), ...) {
#'   look <- c(2, rep(1, ncol(y) - 1))
#'   matplot(x, y, type = "l", lty = look, lwd = 2, col = colours, xlab = xlab, ylab = ylab,
#'           ylim = ylim, las = 1, bty = "l", ...)
#'   legend("bottom", names, lty = look, lwd = 2, col = colours, bty = "n", cex = .75, ncol = 2,
#'          seg.len = 2, x.intersp = .6)
#' }
#' old <- par(mfrow = c(1, 2), mar = c(3.6, 4, 2.2, .6), mgp = c(2.4, .6, 0), cex.main = 1,
#'            font.main = 1, tcl = -.3)
#'
#' # Figure 1: near the critical point Cp loses to least squares
#' n <- 5:150
#' error <- vapply(n, function(n) sum(cp_mse(beta, n)), 1) * n / length(beta)
#' curves(n, cbind(1, error), "rows", "error relative to least squares", c("least squares", "Cp"),
#'        ylim = c(0, 1.2), main = "Six coefficients together")
#' b <- seq(0, 1, .005)
#' curves(b, cbind(1, cp_mse(b, 20) * 20), "coefficient", "error relative to least squares",
#'        c("least squares", "Cp"), ylim = c(0, 1.8), main = "One coefficient, 20 rows")
#' segments(critical, .3, critical, 20 * cp_mse(critical, 20), lty = 3)
#' text(critical, .45, "critical", pos = 4, cex = .8)
#'
#' # Figure 2: a domain with a similar coefficient brings critical features back
#' b <- seq(-1, 1, .01)
#' delta <- c(0, .2, .5)
#' names <- c("Cp", paste("delta =", delta))
#' kept <- outer(b, delta, function(b, d) tlcp_selection(b, 20, 20, d))
#' curves(b, cbind(cp_selection(b, 20), kept), "coefficient", "probability of selection", names,
#'        main = "TLCp, another domain of 20 rows")
#' error <- outer(b, delta, function(b, d) tlcp_mse(b, 20, 20, d))
#' curves(b, cbind(cp_mse(b, 20), error), "coefficient", "mean squared error", names,
#'        ylim = c(0, .09), main = "TLCp, another domain of 20 rows")
#'
#' # Figure 3: the rule and other parameters, by dissimilarity
#' delta <- seq(-1, 1, .01)
#' sums <- function(...) vapply(delta, function(d) sum(tlcp_mse(beta, 20, 20, d, ...)), 1)
#' error <- cbind(sum(cp_mse(beta, 20)), sums(), sums(v = Inf, pen = 2), sums(v = 0, pen = 2))
#' curves(delta, error, "dissimilarity delta", "mean squared error",
#'        c("Cp", "TLCp, rule", "TLCp, v = Inf", "TLCp, v = 0"), ylim = c(0, .6),
#'        main = "Six coefficients together")
#' kept <- outer(delta, c(0, critical), function(d, b) tlcp_selection(b, 20, 20, d))
#' curves(delta, cbind(cp_selection(critical, 20), kept), "dissimilarity delta",
#'        "probability of selection", c("Cp, critical", "TLCp, beta = 0", "TLCp, critical"),
#'        main = "One coefficient")
#' par(old)
#' @name tlcp_theory
NULL

#' @rdname tlcp_theory
#' @export
cp_selection <- function(beta, n, sigma = 1, lambda = 2 * sigma^2, ...) {
  arguments_check()
  test <- theory_cp_arguments(beta, n, sigma, lambda, call = rlang::current_env())
  theory_kept_by_test(test$t, test$c)
}

#' @rdname tlcp_theory
#' @export
cp_mse <- function(beta, n, sigma = 1, lambda = 2 * sigma^2, ...) {
  arguments_check()
  test <- theory_cp_arguments(beta, n, sigma, lambda, call = rlang::current_env())
  missed <- theory_normal_moments(-test$c - test$t, test$c - test$t)
  test$sigma^2 / test$n * (1 - missed$second + test$t^2 * missed$zeroth)
}

#' @rdname tlcp_theory
#' @export
cp_required_n <- function(beta, power = .9, sigma = 1, lambda = 2 * sigma^2, ...) {
  call <- arguments_check()
  theory_check_power(power, call)
  test <- theory_cp_arguments(beta, 1, sigma, lambda, power = power, call = call)
  needed <- (theory_wanted_shift(test$power, test$c) / test$t)^2
  needed[test$power <= theory_kept_by_test(0, test$c)] <- 0
  # ceiling() must not round up a value that exceeds a whole number by rounding error only.
  pmax(1, ceiling(needed * (1 - 1e-9)))
}

#' @rdname tlcp_theory
#' @export
tlcp_selection <- function(beta, n, m, delta = 0, sigma = c(1, 1), lambda = 2 * sigma[1]^2,
                           lam = 1 / sigma^2, v = 4 * lam[1] * sigma[1]^2 / delta^2, pen = NULL,
                           ...) {
  arguments_check()
  law <- theory_tlcp_law(beta, n, m = m, delta = delta, sigma = sigma, lambda = lambda, lam = lam, v = v, pen = pen,
                         call = rlang::current_env())
  1 - theory_inside_ellipse(law)$probability
}

#' @rdname tlcp_theory
#' @export
tlcp_mse <- function(beta, n, m, delta = 0, sigma = c(1, 1), lambda = 2 * sigma[1]^2,
                     lam = 1 / sigma^2, v = 4 * lam[1] * sigma[1]^2 / delta^2, pen = NULL,
                     ...) {
  arguments_check()
  law <- theory_tlcp_law(beta, n, m = m, delta = delta, sigma = sigma, lambda = lambda, lam = lam, v = v, pen = pen,
                         call = rlang::current_env())
  law$full - theory_inside_ellipse(law)$excess
}

# P(|e + t| > c), e standard normal.
theory_kept_by_test <- function(t, c) {
  stats::pnorm(-c - t) + stats::pnorm(c - t, lower.tail = FALSE)
}

# The t >= 0 at which a feature is kept with probability `power`; NA if the probability is larger at every t. At t = c
# + qnorm(power) the upper tail alone has probability `power`. Both tails together have more, so the root is not above
# this t.
theory_wanted_shift <- function(power, cutoff) {
  mapply(function(power, cutoff) {
    gap <- function(t) theory_kept_by_test(t, cutoff) - power
    top <- cutoff + stats::qnorm(power)
    if (gap(0) >= 0) return(NA_real_)
    stats::uniroot(gap, c(0, top), tol = 1e-12, extendInt = "upX")$root
  }, power, cutoff)
}

# The integrals behind tlcp_selection() and tlcp_mse(): one feature, two domains, orthogonal designs.
#
# A feature is kept where Q(z, h) = (a - k) z^2 + (b - k) h^2 + 2 k z h > pen. In the standardised deviations of z and
# h from their means Q is a quadratic form; along its principal axes (large >= small)
#     Q = large (e + at)^2 + small (u + off)^2,     e, u independent standard normal,
#     w_1 - beta = full_shift + along e + across u,
# so that, given u, the feature is dropped for e + at between -r and r, r^2 = (pen - small (u + off)^2)/large, and the
# moments of e on this interval have a closed form.

# A data frame with a row for each feature: the quantities of the formulas above.
theory_tlcp_law <- function(beta, n, m, delta, sigma, lambda, lam, v, pen, call) {
  sigma <- theory_check_two(sigma, "sigma", call)
  lam <- theory_check_two(lam, "lam", call)
  if (lam[1] == 0) abort_value(lam, "lam", "Give the target, which comes first, a weight above 0.", call)
  theory_check_value(delta, "delta", call) # before v, whose default is computed from it
  given <- theory_check_each(c(list(beta = beta, n = n, m = m, delta = delta, lambda = lambda, v = v),
                               if (!is.null(pen)) list(pen = pen)), call)
  law <- as.data.frame(theory_common_length(given, call))
  law <- theory_with_coupling(law, sigma, lam)
  if (is.null(pen)) law$pen <- theory_plugin_penalty(law, sigma)
  theory_rotate_to_axes(law)
}

# Information a, b of the domains, the coupling kappa = 1/(1/a + 1/b + 4/v), and apart = 4 kappa/v, which is 1 without
# coupling and 0 with equal coefficients.
theory_with_coupling <- function(law, sigma, lam) {
  law$a <- lam[1] * law$n
  law$b <- lam[2] * law$m
  law$kappa <- 1 / (1 / law$a + 1 / law$b + 4 / law$v)
  law$apart <- if (lam[2] == 0) 1 else 1 / (1 + law$v / 4 * (1 / law$a + 1 / law$b))
  # a - kappa and b - kappa, written so that no digits are lost where the other domain has many more rows
  law$own <- ifelse(law$kappa > 0, law$a * (law$kappa * (1 / law$b + 4 / law$v)), law$a)
  law$other <- ifelse(law$kappa > 0, law$b * (law$kappa * (1 / law$a + 4 / law$v)), law$b)
  law$sd_z <- sigma[1] / sqrt(law$n)
  law$sd_h <- sigma[2] / sqrt(law$m)
  law
}

# The penalty at which the strip around the ellipse is as wide as the interval of Cp. If the other domain has weight
# 0, the ellipse is that strip.
theory_plugin_penalty <- function(law, sigma) {
  shape <- ifelse(law$b == 0, 1, law$kappa / sqrt(law$a * law$b * law$apart + law$kappa^2))
  law$lambda / (2 * sigma[1]^2) * (1 + shape) * (law$own * law$sd_z^2 + law$other * law$sd_h^2)
}

theory_rotate_to_axes <- function(law) {
  variance_z <- law$own * law$sd_z^2
  other <- law$other * law$sd_h^2
  angle <- atan2(2 * law$kappa * law$sd_z * law$sd_h, variance_z - other) / 2
  law$large <- (variance_z + other) / 2 +
    sqrt(((variance_z - other) / 2)^2 + (law$kappa * law$sd_z * law$sd_h)^2)
  # the small eigenvalue from the determinant, so that no digits are lost where the ellipse is almost a strip
  law$small <- law$a * law$b * law$apart * (law$sd_z * law$sd_h)^2 / law$large
  t_z <- law$beta / law$sd_z
  t_h <- (law$beta + law$delta) / law$sd_h
  across <- cos(angle) * t_z + sin(angle) * t_h
  pull <- law$kappa / law$a
  # e takes the sign that makes its centre positive: probabilities are then in the lower tail and keep their digits
  along <- (1 - pull) * law$sd_z * cos(angle) + pull * law$sd_h * sin(angle)
  law$along <- ifelse(across < 0, -along, along)
  law$at <- abs(across)
  law$off <- cos(angle) * t_h - sin(angle) * t_z
  law$across <- pull * law$sd_h * cos(angle) - (1 - pull) * law$sd_z * sin(angle)
  law$shift <- pull * law$delta
  law$full <- law$along^2 + law$across^2 + law$shift^2
  law
}

# The probability of the ellipse, and E[(w_1 - beta)^2 - beta^2] over it. The number of nodes is doubled until both
# have converged.
theory_inside_ellipse <- function(law, nodes = 64, most = 2^14) {
  value <- theory_ellipse_rule(law, nodes)
  scale <- cbind(1, law$full + law$beta^2)
  open <- seq_len(nrow(law))
  while (length(open) && nodes < most) {
    nodes <- 2 * nodes
    finer <- theory_ellipse_rule(law[open, ], nodes)
    moved <- abs(finer - value[open, , drop = FALSE]) / scale[open, , drop = FALSE]
    value[open, ] <- finer
    open <- open[which(moved[, 1] > 1e-12 | moved[, 2] > 1e-12)]
  }
  list(probability = value[, 1], excess = value[, 2])
}

# Midpoint rule in theta, where u = middle + half sin(theta). As a function of theta the integrand continues
# symmetrically beyond both ends of the ellipse, so the rule converges as fast as for a periodic function. Beyond 9
# standard deviations the normal density is negligible.
theory_ellipse_rule <- function(law, nodes) {
  theta <- pi * ((seq_len(nodes) - .5) / nodes - .5)
  reach <- ifelse(law$pen > 0, sqrt(law$pen / law$small), 0)
  low <- pmax(-9, -reach - law$off)
  high <- pmin(9, reach - law$off)
  half <- pmax(high - low, 0) / 2
  u <- (low + high) / 2 + outer(half, sin(theta))
  weight <- outer(half, pi / nodes * cos(theta)) * stats::dnorm(u)
  r <- sqrt(pmax(law$pen - law$small * (u + law$off)^2, 0) / law$large)
  e <- theory_normal_moments(-r - law$at, r - law$at)
  rest <- law$shift + law$across * u
  excess <- (rest^2 - law$beta^2) * e$zeroth + 2 * rest * law$along * e$first +
    law$along^2 * e$second
  cbind(rowSums(weight * e$zeroth), rowSums(weight * excess))
}

# Integrals of 1, e, e^2 times the normal density from `low` to `high`.
theory_normal_moments <- function(low, high) {
  at_low <- stats::dnorm(low)
  at_high <- stats::dnorm(high)
  zeroth <- stats::pnorm(high) - stats::pnorm(low)
  list(zeroth = zeroth, first = at_low - at_high, second = zeroth + low * at_low - high * at_high)
}

# The arguments of cp_*(), checked, with t and c. t is made positive: probabilities are then in the lower tail and keep
# their digits.
theory_cp_arguments <- function(beta, n, sigma, lambda, ..., call) {
  first <- theory_check_each(list(beta = beta, n = n, sigma = sigma), call) # before lambda: its default is of sigma
  test <- theory_common_length(c(first, theory_check_each(list(lambda = lambda), call), list(...)), call)
  test$t <- abs(test$beta) * sqrt(test$n) / test$sigma
  test$c <- sqrt(test$lambda) / test$sigma
  test
}

theory_check_each <- function(given, call) Map(theory_check_value, given, names(given), MoreArgs = list(call = call))

theory_check_value <- function(value, argument, call) {
  if (!is.numeric(value) || !length(value)) abort_kind(value, argument, "Give numbers.", call)
  above <- argument %in% c("n", "m", "sigma")
  low <- if (argument %in% c("beta", "delta")) -Inf else 0
  good <- !is.na(value) & (is.finite(value) | (argument == "v" & value == Inf)) &
    if (above) value > low else value >= low
  if (!all(good)) {
    kind <- if (above) " above 0" else if (low == 0) ", none below 0" else ""
    if (argument == "v") kind <- paste0(kind, ", or {.code Inf}")
    abort_input("{.arg {argument}} has the value {.val {value[!good][1]}}.", argument,
                i = paste0("Give finite numbers", kind, "."), call = call)
  }
  theory_check_size(value, argument, call)
}

# Beyond these sizes products of several arguments would overflow or underflow. Nothing is divided by beta, delta,
# lambda and pen; v may be of any size.
theory_check_size <- function(value, argument, call) {
  high <- if (argument == "sigma") 1e20 else if (argument == "v") Inf else 1e50
  low <- if (argument %in% c("n", "m", "sigma", "lam")) 1 / high else 0
  size <- abs(value)
  far <- size > high | (size < low & size > 0)
  if (any(far)) {
    range <- if (low > 0) "from {low} to {high}" else "of a size up to {high}"
    abort_input("{.arg {argument}} has the value {.val {value[far][1]}}.", argument,
                i = paste0("Give numbers ", range, "."), call = call)
  }
  value
}

theory_check_power <- function(power, call) {
  check_numbers(power, "power", function(v) v > 0 & v < 1, "Give numbers between 0 and 1.", call)
}

# One number for each domain, the target's first; a single number is that of both.
theory_check_two <- function(value, argument, call) {
  value <- theory_check_value(value, argument, call)
  if (length(value) > 2) {
    abort_input("{.arg {argument}} has {length(value)} values.", argument,
                i = "Give two: the target's and the other domain's.", call = call)
  }
  rep_len(value, 2)
}

theory_common_length <- function(given, call) {
  sizes_given <- lengths(given)
  longest <- which.max(sizes_given)
  other <- which(sizes_given != 1 & sizes_given != sizes_given[longest])
  if (length(other)) {
    differing <- names(given)[c(longest, other[1])]
    sizes <- sizes_given[c(longest, other[1])]
    abort_input("{.arg {differing[1]}} has {sizes[1]} values, {.arg {differing[2]}} has {sizes[2]}.",
                differing[2], i = "Give one value, or as many; {.fn outer} makes all pairs.",
                call = call)
  }
  lapply(given, function(value) rep_len(as.numeric(value), sizes_given[longest]))
}
