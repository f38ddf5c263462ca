# The borrowing priors of the rules other than "hierarchical": one coupling of differences for each feature. The head of
# tlcp-prior.R describes `borrowing`.

# The largest coupling. With it the coefficients of the domains agree to six digits; a larger one would cost the Gram
# matrix too many of its own digits.
tlcp_rule_capped_coupling <- function(v, domains, s2) {
  pmin(v, 1e6 * max(mapply(function(domain, s) max(diag(domain$G)) / s, domains, s2)))
}

# The coupling is (1/2) v_i sum_t (w_ti - mean_t w_ti)^2.
tlcp_rule_flat <- function(borrow, domains, s2, v, pen, ...) {
  p <- length(v)
  list(borrow = borrow, lam = 1 / s2, scales = rep(1, p), pen = rep_len(pen, p), v = v, ...)
}

tlcp_rule_least_squares <- function(domains) vapply(domains, function(t) t$fit$coef, domains[[1]]$g)

# The covariance matrix of a domain's least-squares coefficients.
tlcp_rule_fit_variance <- function(domain, s2) s2 * .Call(C_spd_inverse, domain$G)

tlcp_rule_plugin <- function(domains, s2, k) {
  w <- matrix(tlcp_rule_least_squares(domains), ncol = length(domains))
  v <- tlcp_rule_capped_coupling(2 / apply(w, 1, stats::var), domains, s2)
  tlcp_rule_flat("plugin", domains, s2, v, tlcp_rule_theorem20_penalty(domains, s2, v, k))
}

# The paper's rule for three domains (section 7). Differences from the target are added with their signs, d = (w_1 -
# w_2) + (w_1 - w_3), so that opposite ones cancel. With two domains in use, the rule for two.
tlcp_rule_plugin3 <- function(domains, s2, k) {
  if (length(domains) == 2) return(tlcp_rule_plugin(domains, s2, k))
  d2 <- drop(tlcp_rule_least_squares(domains) %*% c(2, -1, -1))^2
  n <- vapply(domains, `[[`, 0, "n")
  noise <- s2 / n
  all <- d2 + sum(noise)
  more <- sqrt(prod(s2) * all / ((d2 + noise[1]) * (d2 + noise[2]) * (d2 + noise[3]))) / prod(n)
  pen <- min(k / 2 * (3 * d2 + sum(noise)) / all * (1 + more))
  tlcp_rule_flat("plugin3", domains, s2, tlcp_rule_capped_coupling(12 / d2, domains, s2), pen)
}

tlcp_rule_pooled <- function(domains, s2, k) {
  w <- matrix(tlcp_rule_least_squares(domains), ncol = length(domains))
  noise <- mean(mapply(function(domain, s) mean(diag(tlcp_rule_fit_variance(domain, s))), domains, s2))
  spread <- max(mean(apply(w, 1, stats::var)) - noise, 5e-7)
  v <- tlcp_rule_capped_coupling(rep(2 / spread, nrow(w)), domains, s2)
  tlcp_rule_flat("pooled", domains, s2, v, tlcp_rule_theorem20_penalty(domains, s2, v, k), delta2 = 2 * spread)
}

# delta^2 by restricted maximum likelihood of the differences of two domains.
tlcp_rule_reml <- function(domains, s2, k, call) {
  if (length(domains) > 2) {
    abort_input("{.arg borrow} is {.val reml}, which is for two domains; there are
                 {length(domains)}.", "borrow", i = "Give {.val hierarchical}.", call = call)
  }
  V <- Reduce(`+`, Map(tlcp_rule_fit_variance, domains, s2))
  basis <- eigen(V, symmetric = TRUE)
  d <- pmax(basis$values, 0)
  e2 <- drop(crossprod(basis$vectors, domains[[1]]$fit$coef - domains[[2]]$fit$coef))^2
  minus <- function(log_delta2) sum(log(d + exp(log_delta2)) + e2 / (d + exp(log_delta2)))
  grid <- seq(log(1e-6), log(100), length.out = 200)
  best <- which.min(vapply(grid, minus, 0))
  around <- grid[pmin(pmax(best + c(-1, 1), 1), 200)]
  delta2 <- exp(stats::optimize(minus, around, tol = 1e-10)$minimum)
  tlcp_rule_flat("reml", domains, s2, rep(4 / delta2, length(d)), k, delta2 = delta2)
}

# The paper's penalty (Theorem 20), with its weights lam_1 = s2_2, lam_2 = s2_1, brought to
# lam = 1/s2; for more domains the single domain's.
tlcp_rule_theorem20_penalty <- function(domains, s2, v, k) {
  if (length(domains) != 2) return(k)
  n <- domains[[1]]$n
  m <- domains[[2]]$n
  a <- s2[2]
  b <- s2[1]
  v <- v * a * b
  den <- 4 * a * b * n * m + m * b * v + n * a * v
  D1 <- m * b * v / den
  D2 <- n * a * v / den
  D3 <- 2 * a * b * n * m / den
  Dt <- a * n * D1^2 + b * m * D2^2 + v * D3^2
  N <- a * n - Dt
  M <- b * m - Dt
  G2 <- n * m / (n * M * s2[2] + m * N * s2[1])
  lambda <- k * s2[1]
  min(lambda * (2 + 2 * Dt / sqrt(M * N)) / (4 * s2[1] * G2)) / (a * b)
}

tlcp_rule_check_numbers <- function(borrow, n_domains, p, call) {
  lengths <- list(lam = n_domains, v = c(1, p), pen = c(1, p))
  unknown <- setdiff(names(borrow), names(lengths))
  if (!length(borrow) || is.null(names(borrow)) || length(unknown)) {
    abort_input("{.arg borrow} is a list with {.val {names(borrow)}}.", "borrow",
                i = "Give {.code list(lam = , v = , pen = )}: weights of the domains, couplings and
                     penalties of the features.", call = call)
  }
  for (name in names(borrow)) {
    value <- borrow[[name]]
    low <- if (name == "lam") .Machine$double.xmin else 0
    good <- is.numeric(value) && length(value) %in% lengths[[name]] && !anyNA(value) &&
      all(value >= low) && (name == "v" || all(is.finite(value)))
    if (!good) {
      wanted <- paste(unique(lengths[[name]]), collapse = " or ")
      abort_input("{.field {name}} of {.arg borrow} is {.val {value}}.", "borrow",
                  i = "Give a vector of length {wanted}, none negative or missing.", call = call)
    }
  }
  borrow
}

# The user's lam, v and pen for the domains in use and the usable columns, on the scale of the z-scored domains.
tlcp_rule_numbers <- function(domains, s2, k, columns, settings, call) {
  p <- length(domains[[1]]$g)
  borrow <- settings$borrow
  for (name in intersect(c("v", "pen"), names(borrow))) {
    values <- check_order_by_names(borrow[[name]], labels_of_all_columns(settings), "borrow", call)
    borrow[[name]] <- if (length(values) == settings$p) values[columns] else values
  }
  borrow[["lam"]] <- check_order_by_names(borrow[["lam"]], tlcp_domain_names(domains), "borrow", call)
  borrow <- lapply(borrow, function(value) if (is.numeric(value)) as.double(value) else value)
  borrow <- tlcp_rule_check_numbers(borrow, length(domains), p, call)
  lam <- borrow[["lam"]] %||% (1 / s2)
  v <- tlcp_rule_capped_coupling(rep_len(borrow$v %||% 0, p), domains, 1 / lam)
  prior <- tlcp_rule_flat("numbers", domains, 1 / lam, v, borrow$pen %||% (k * s2[1] * lam[1]))
  prior$lam <- lam
  prior
}
