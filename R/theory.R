#' What Cp and TLCp select, and how well: exact probabilities and errors
#'
#' For one feature of an orthogonal design: the probability that Cp keeps it, the mean squared error
#' of its coefficient, the rows that a wanted probability needs, and the same for the criterion with
#' transfer, [tlcp()] with a shared support and one other domain. Nothing is simulated. The functions
#' show, for example, that Cp loses a feature at its critical size half of the time, and that a similar
#' domain brings it back.
#'
#' @section Cp: With \eqn{X'X = nI} the least-squares coefficient is \eqn{z \sim N(\beta,
#' \sigma^2/n)}{z ~ N(beta, sigma^2/n)}, and minimising \eqn{||y - Xw||^2 + \lambda ||w||_0} keeps
#' it where \eqn{n z^2 > \lambda}, whatever becomes of other features. With \eqn{c =
#' \lambda^{1/2}/\sigma} and \eqn{t = n^{1/2} \beta/\sigma} the probability is \eqn{\Phi(-c - t) + 1
#' - \Phi(c - t)} (Theorem 3) and the error is
#' \deqn{E(w - \beta)^2 = (\sigma^2/n) \{1 - E[(e^2 - t^2) 1(|e + t| < c)]\}, e \sim N(0, 1),}{
#' E(w - beta)^2 = (sigma^2/n) {1 - E[(e^2 - t^2) 1(|e + t| < c)]},  e ~ N(0, 1)}
#' (Theorem 6, here in closed form). At \eqn{\lambda = 2\sigma^2} a superfluous feature, \eqn{\beta
#' = 0}, enters with probability .157 (`cp_selection(0, 20)`); a critical one, \eqn{n\beta^2 =
#' \lambda}, with probability .502 (`cp_selection(sqrt(2 / 20), 20)`; the paper's .5 leaves out the
#' far tail).
#'
#' `cp_required_n()` gives the smallest number of rows at which a feature of that size is kept with
#' probability `power`, with both tails of the test (Remark 4). The usual formula \eqn{n = \sigma^2
#' (c + z_{power})^2/\beta^2} leaves out the far tail: it is never smaller, and hardly larger where
#' the power is high.
#'
#' @section TLCp: The other domain has m rows, \eqn{X_2'X_2 = mI}, and the coefficient \eqn{\beta +
#' \delta}; h is its least-squares coefficient. Of the objective
#' \deqn{lam_1 ||y_1 - X_1 w_1||^2 + lam_2 ||y_2 - X_2 w_2||^2 + (v/4) (w_1 - w_2)^2 + pen |S|}{
#' lam_1 |y_1 - X_1 w_1|^2 + lam_2 |y_2 - X_2 w_2|^2 + (v/4) (w_1 - w_2)^2 + pen |S|}
#' with \eqn{1/\kappa = 1/(lam_1 n) + 1/(lam_2 m) + 4/v}, \eqn{A = lam_1 n - \kappa} and \eqn{B =
#' lam_2 m - \kappa} the feature is kept in both domains where
#' \deqn{A z^2 + B h^2 + 2 \kappa z h > pen,}
#' outside an ellipse, and then \eqn{w_1 = z - \kappa (z - h)/(lam_1 n)} (Proposition 8). The
#' probability and the error (Theorems 9 and 13) are integrals of a normal density over the ellipse:
#' along its short axis in closed form, along the long one numerically, to about 1e-12.
#'
#' Without `lam`, `v` and `pen` the paper's rule is used (Corollary 15, Theorem 20): \eqn{lam_t =
#' 1/\sigma_t^2}, \eqn{v = 4/\delta^2}, which makes \eqn{w_1} the best combination of z and h, and
#' the `pen` at which the strip around the ellipse (Corollary 10) is as wide as that of Cp,
#' \deqn{pen = \frac{\lambda}{2\sigma_1^2} \Big(1 + \frac{\kappa}{\sqrt{AB}}\Big)
#' \Big(\frac{A\sigma_1^2}{n} + \frac{B\sigma_2^2}{m}\Big).}{
#' pen = lambda/(2 sigma_1^2) (1 + kappa/(A B)^(1/2)) (A sigma_1^2/n + B sigma_2^2/m).}
#' It is \eqn{\lambda/\sigma_1^2} (2 for Cp) at \eqn{\delta = 0}, for very large \eqn{\delta}, and
#' for every \eqn{\delta} where both domains are equally informative. With several features the paper
#' takes the smallest of their values. Multiplying lam, v and pen by one number changes nothing.
#'
#' * \eqn{\delta = 0}: TLCp is Cp with \eqn{n + m\sigma_1^2/\sigma_2^2} rows.
#' * \eqn{v = 0}: the domains share only the support, and the ellipse has its axes along z and h; both domains
#'   still decide whether the feature is kept. `lam = c(1, 0), v = 0, pen = lambda` is Cp.
#' * Large \eqn{|\delta|}: the coefficient is least squares of the target, and almost always kept,
#'   since the other domain has the effect: good for critical features, bad for superfluous ones.
#'
#' The rule knows \eqn{\delta}; a fit has to estimate it, which increases the error: at n = m = 20,
#' \eqn{\sigma = 1}, \eqn{\beta} critical and \eqn{\delta = 0} the error is .041 with \eqn{\delta}
#' known, .048 with \eqn{h - z} in its place, and .076 with Cp, as the examples compute.
#'
#' @param beta Coefficient of the feature in the target.
#' @param n,m Rows of the target and of the other domain.
#' @param delta Coefficient of the other domain minus that of the target. Its sign matters: a coefficient of
#'   the opposite sign weakens the evidence.
#' @param sigma Standard deviation of the errors; for `tlcp_*()` two, that of the target first.
#' @param lambda Penalty of a feature, on the scale of the residual sum of squares: \eqn{2\sigma^2}
#'   for Cp and AIC, \eqn{\sigma^2 \log n} for BIC. It may be a vector, like all others.
#' @param power Wanted probability that the feature is kept.
#' @param lam,v,pen Weight of each domain's residual sum of squares, coupling of the domains' coefficients
#'   (`Inf`: equal coefficients) and penalty of a feature. By default the paper's rule, which for `pen`
#'   (`NULL`) is the formula below.
#' @param ... Not used; anything given is an error.
#' @returns A numeric vector. Arguments have one value or as many as the longest; `sigma` and `lam`
#'   of `tlcp_*()` have two values, that of the target first. `cp_required_n()` gives whole
#'   numbers, and `Inf` where no number of rows is enough (`beta = 0`).
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
  check_arguments()
  at <- cp_arguments(beta, n, sigma, lambda, call = rlang::current_env())
  kept_by_test(at$t, at$c)
}

#' @rdname tlcp_theory
#' @export
cp_mse <- function(beta, n, sigma = 1, lambda = 2 * sigma^2, ...) {
  check_arguments()
  at <- cp_arguments(beta, n, sigma, lambda, call = rlang::current_env())
  missed <- normal_moments(-at$c - at$t, at$c - at$t)
  at$sigma^2 / at$n * (1 - missed$second + at$t^2 * missed$zeroth)
}

#' @rdname tlcp_theory
#' @export
cp_required_n <- function(beta, power = .9, sigma = 1, lambda = 2 * sigma^2, ...) {
  check_arguments()
  call <- rlang::current_env()
  check_power(power, call)
  at <- cp_arguments(beta, 1, sigma, lambda, power = power, call = call)
  needed <- (wanted_shift(at$power, at$c) / at$t)^2
  needed[at$power <= kept_by_test(0, at$c)] <- 0
  # ceiling() must not round up a value that exceeds a whole number by rounding error only.
  pmax(1, ceiling(needed * (1 - 1e-9)))
}

#' @rdname tlcp_theory
#' @export
tlcp_selection <- function(beta, n, m, delta = 0, sigma = c(1, 1), lambda = 2 * sigma[1]^2,
                           lam = 1 / sigma^2, v = 4 * lam[1] * sigma[1]^2 / delta^2, pen = NULL,
                           ...) {
  check_arguments()
  law <- tlcp_law(beta, n, m = m, delta = delta, sigma = sigma, lambda = lambda, lam = lam, v = v, pen = pen,
                  call = rlang::current_env())
  1 - inside_ellipse(law)$probability
}

#' @rdname tlcp_theory
#' @export
tlcp_mse <- function(beta, n, m, delta = 0, sigma = c(1, 1), lambda = 2 * sigma[1]^2,
                     lam = 1 / sigma^2, v = 4 * lam[1] * sigma[1]^2 / delta^2, pen = NULL,
                     ...) {
  check_arguments()
  law <- tlcp_law(beta, n, m = m, delta = delta, sigma = sigma, lambda = lambda, lam = lam, v = v, pen = pen,
                  call = rlang::current_env())
  law$full - inside_ellipse(law)$excess
}

# P(|e + t| > c), e standard normal.
kept_by_test <- function(t, c) {
  stats::pnorm(-c - t) + stats::pnorm(c - t, lower.tail = FALSE)
}

# The t >= 0 at which a test is kept with probability `power`, NA where every t does. The near tail
# alone has its root at c + qnorm(power), at which both tails have more: the root is not above it.
wanted_shift <- function(power, c) {
  mapply(function(power, c) {
    gap <- function(t) kept_by_test(t, c) - power
    top <- c + stats::qnorm(power)
    if (gap(0) >= 0) return(NA_real_)
    stats::uniroot(gap, c(0, top), tol = 1e-12, extendInt = "upX")$root
  }, power, c)
}
