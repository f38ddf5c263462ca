# The common model of tlcp(): the coefficients of a domain of which no row is known.

# The posterior means of the common coefficients in the units that coefficients are alike in, a vector, a borrowed level
# last. z: coefficients of all domains with all features kept, coordinates x domains. In the hierarchical model, w_t = b
# + u_t, the mean of b given all w_t is their mean weighted by 1/tau_t^2 and shrunk by omega^2; the other rules shrink
# domains towards their plain mean.
tlcp_common_coefficients <- function(z, borrowing) {
  if (is.null(borrowing$own)) return(rowMeans(z))
  precision <- 1 / borrowing$own
  rowSums(z * precision) / (1 / borrowing$common + rowSums(precision))
}

# The common model with a column for each step; NULL where nothing is borrowed. path$common: its coefficients of usable
# columns, list(beta, a0).
tlcp_common_model <- function(path, settings) {
  if (is.null(path$common)) return(NULL)
  steps <- ncol(path$sets)
  beta <- matrix(path$common$beta, length(path$common$beta), steps)
  list(beta = table_sparse_rows(beta, settings$columns, path$columns, settings$p), a0 = rep(path$common$a0, steps))
}

# Where domains have different units, those of the common model are root mean squares and means over their rows.
tlcp_common_of_moments <- function(problem) {
  if (length(problem$domains) < 2) return(NULL)
  tlcp_common_of_coefficients(tlcp_form_coefficients_of_problem(problem), problem)
}

# w: coefficients of all domains with all features kept, in the borrowing prior's columns.
tlcp_common_of_coefficients <- function(w, problem) {
  domains <- problem$domains
  borrowing <- problem$borrowing
  z <- w * sqrt(borrowing$scales)
  raw <- tlcp_domain_raw_coefficients(matrix(tlcp_common_coefficients(z, borrowing)), problem$columns,
                                      tlcp_common_units(domains))
  list(beta = drop(raw$beta), a0 = raw$a0)
}

tlcp_common_units <- function(domains) {
  n <- vapply(domains, function(domain) as.double(domain$n), 0)
  share <- if (all(is.finite(n)) && sum(n) > 0) n / sum(n) else rep(1 / length(n), length(n))
  x_scale <- y_scale <- x_mean <- y_mean <- 0
  for (t in seq_along(domains)) {
    domain <- domains[[t]]
    x_scale <- x_scale + share[[t]] * domain$x_scale^2
    y_scale <- y_scale + share[[t]] * domain$y_scale^2
    x_mean <- x_mean + share[[t]] * domain$x_mean
    y_mean <- y_mean + share[[t]] * domain$y_mean
  }
  list(x_scale = sqrt(x_scale), y_scale = sqrt(y_scale), x_mean = x_mean, y_mean = y_mean)
}

# The same of domains with a likelihood, whose coefficients are those at their mode. The linear predictor of a Cox model
# is 0 at the target's means.
tlcp_common_of_mode <- function(mode, fixed) {
  domains <- mode$domains
  if (length(domains) < 2 || ncol(mode$theta) < 2 || tlcp_prior_without_borrowing(mode$borrowing$borrow)) return(NULL)
  slopes <- seq_along(fixed$columns)
  with_level <- seq_len(length(slopes) + fixed$level)
  z <- tlcp_common_coefficients(mode$theta[with_level, , drop = FALSE], mode$borrowing)
  units <- tlcp_common_units(lapply(domains, function(domain) {
    list(n = domain$n, x_scale = domain$x_scale, y_scale = 1, x_mean = domain$shift, y_mean = 0)
  }))
  if (fixed$family == "cox") units$x_mean <- domains[[1]]$shift
  beta <- z[slopes] / units$x_scale[fixed$columns]
  constant <- if (fixed$level) z[-slopes] else if (fixed$intercept) mean(mode$theta[length(slopes) + 1, ]) else 0
  list(beta = beta, a0 = fixed$null + constant - sum(beta * units$x_mean[fixed$columns]))
}
