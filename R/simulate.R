#' Simulate data from several domains
#'
#' Draws rows of several domains that share some effects and differ in others: `d <- simulate_domains(6, n = 80, p =
#' 10)`, then `tgreedy(d$x, d$y, d$domain)`. Use it to try [tgreedy()], [tlcp()] or `cv_path(by = "domain")` where the
#' truth is known, or to plan a study: the true coefficients are returned. For new responses from a fit
#' use `simulate()` ([fit-rows]).
#'
#' Row i of domain k has
#' \deqn{y_i = x_i'\beta_k + \sigma\epsilon_i, \qquad \beta_k = \beta + \tau u_k,}
#' where \eqn{\beta} are the effects that all domains share, \eqn{\tau} is the `spread`, and \eqn{\epsilon} and \eqn{u}
#' are standard normal. Features are normal with mean \eqn{m_k} (`shift` times standard normal) and variance 1 within a
#' domain; features i and j have correlation `correlation`\eqn{^{|i-j|}} there. With `response = "classes"` the response
#' is the factor that says whether the right-hand side is positive.
#'
#' A feature with a shared effect and little spread helps to predict in new domains. A feature with spread and no shared
#' effect helps only in the domains of the fit, and helps the more, the fewer domains there are.
#'
#' The random numbers come from R's generator: [set.seed()] before the call makes it reproducible. They are drawn in
#' this order: the sizes (if `imbalance` is positive), the effects of the domains (if a `spread` is positive), the means
#' of the features (if `shift` is positive), the features, the noise.
#'
#' @param n_domains Number of domains.
#' @param n Rows per domain: one number for all, or one per domain.
#' @param p Number of features.
#' @param shared Effects of the first features in every domain; the other features have none.
#' @param spread Standard deviation of a feature's effect over the domains: one number for all features, or
#'   one per feature.
#' @param imbalance Standard deviation of the logarithm of the domains' sizes, whose mean is `n`; 0
#'   for equal sizes. No domain has fewer than 2 rows.
#' @param correlation Correlation of neighbouring features, above -1 and below 1.
#' @param shift Standard deviation of a feature's mean over the domains.
#' @param noise Standard deviation \eqn{\sigma} of the noise.
#' @param response `"numeric"`, or `"classes"` for a factor with levels `"no"` and `"yes"`.
#' @param ... Not used; anything given is an error.
#' @returns A list: `x`, a numeric matrix with columns `x1`, `x2`, ...; `y`, numbers or a factor;
#'   `domain`, a factor with levels `d1`, `d2`, ..., the rows one domain after the other; `beta`,
#'   the shared effects, p named numbers; `beta_domain`, a matrix with the effects of each domain in
#'   a row; `sigma`, the standard deviation of the noise.
#' @references Foster, D., Kakade, S. and Salakhutdinov, R. (2012). Domain adaptation: a small
#'   sample statistical approach. *AISTATS*, PMLR 22, 960-968, draw domains independently from a
#'   distribution; that it is normal around common effects is this package's choice.
#'   <https://proceedings.mlr.press/v22/foster12.html>
#' @seealso [tgreedy()], [similarity_pairs()]
#' @examples
#' set.seed(1)
#' d <- simulate_domains(6, n = 80, p = 10, shared = c(1, -1), spread = .5, imbalance = .5)
#' table(d$domain)
#' round(rbind(shared = d$beta, d$beta_domain), 1)
#'
#' # which features have an effect that is alike in all six?
#' tgreedy(d$x, d$y, d$domain)
#'
#' # two classes, ready for a data frame
#' d <- simulate_domains(4, n = 30, p = 5, response = "classes")
#' data <- data.frame(y = d$y, domain = d$domain, d$x)
#' head(data, 3)
#' @export
simulate_domains <- function(n_domains = 8, n = 50, p = 20, shared = c(1, -1, 0.5), spread = 0.3,
                             imbalance = 0, correlation = 0, shift = 0, noise = 1,
                             response = c("numeric", "classes"), ...) {
  call <- arguments_check()
  for (name in c("n_domains", "p")) check_number(get(name), name, 1, call, whole = TRUE)
  for (name in c("imbalance", "shift", "noise")) check_number(get(name), name, 0, call)
  simulate_check_sizes(n, n_domains, imbalance, call)
  if (n_domains * max(n) * p > .Machine$integer.max) {
    abort_input("{.arg n_domains} ({n_domains}), {.arg n} (up to {max(n)}) and {.arg p} ({p}) make a matrix of more
                 than 2^31 numbers.", "n_domains", i = "Give smaller ones.", call = call)
  }
  simulate_check_effects(shared, spread, p, call)
  if (!is.numeric(correlation) || length(correlation) != 1 || !isTRUE(abs(correlation) < 1)) {
    abort_value(correlation, "correlation", "Give one number above -1 and below 1.", call)
  }
  response <- check_choice(response[1], c("numeric", "classes"), "response", call)

  names <- paste0("x", seq_len(p))
  domains <- paste0("d", seq_len(n_domains))
  sizes <- if (imbalance == 0) rep_len(n, n_domains) else
    pmax(2, round(n * exp(imbalance * stats::rnorm(n_domains) - imbalance^2 / 2)))
  domain <- factor(rep(domains, sizes), levels = domains)
  beta <- stats::setNames(c(shared, numeric(p - length(shared))), names)
  beta_domain <- simulate_around(beta, spread, n_domains)
  dimnames(beta_domain) <- list(domains, names)
  means <- simulate_around(numeric(p), shift, n_domains)
  z <- matrix(stats::rnorm(sum(sizes) * p), ncol = p)
  if (correlation != 0) { # each column is correlated with the one before it
    for (j in seq_len(p)[-1]) z[, j] <- correlation * z[, j - 1] + sqrt(1 - correlation^2) * z[, j]
  }
  x <- means[domain, , drop = FALSE] + z
  dimnames(x) <- list(NULL, names)
  score <- rowSums(x * beta_domain[domain, , drop = FALSE]) + noise * stats::rnorm(sum(sizes))
  list(
    x = x,
    y = if (response == "numeric") score else factor(score > 0, c(FALSE, TRUE), c("no", "yes")),
    domain = domain, beta = beta, beta_domain = beta_domain, sigma = noise
  )
}

# n normal vectors with mean `center`, one in each row, with standard deviation `spread` (recycled).
simulate_around <- function(center, spread, n) {
  centers <- matrix(center, n, length(center), byrow = TRUE)
  if (all(spread == 0)) return(centers)
  deviations <- matrix(stats::rnorm(n * length(center)), n)
  centers + deviations * rep(rep_len(spread, length(center)), each = n)
}

simulate_check_sizes <- function(n, n_domains, imbalance, call) {
  mend <- "Give the rows of a domain, 2 or more: one whole number, or one for each of the {n_domains} domain{?s}."
  check_numbers(n, "n", function(v) v >= 2 & v == round(v), mend, call, n = c(1, n_domains))
  if (length(n) > 1 && imbalance > 0) {
    abort_input("{.arg n} and {.arg imbalance} both say how large the domains are.", "imbalance",
                i = "Give {.arg n} for each domain, or one {.arg n} and {.arg imbalance}.",
                call = call)
  }
}

simulate_check_effects <- function(shared, spread, p, call) {
  if (!is.numeric(shared) || !all(is.finite(shared)) || length(shared) > p) {
    abort_value(shared, "shared", "Give the effects of the first features, at most {p} number{?s}.", call)
  }
  check_numbers(spread, "spread", function(v) v >= 0,
                "Give one number, 0 or more, or one for each of the {p} feature{?s}.", call, n = c(1, p))
}
