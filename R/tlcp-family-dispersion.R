# The dispersion phi of counts and of shares of successes: the factor by which their variance exceeds that of the
# Poisson or binomial distribution. The log-likelihood of a domain counts 1/phi_t times, which makes phi_t the residual
# variance of its quadratic approximation.
#
# The working response z = eta + (y - mu)/v with weights w v has the score and the information of the likelihood as its
# second moments, and its sum of squares about eta is Pearson's. So the residual variance of its least squares on the
# domain's own intercept and slopes, which move freely from where they are, is Pearson's estimate of phi_t of the
# domain's own model after one Newton step. Like residual variances these are shrunk towards each other
# (tlcp_variances_of_domains()). A phi below 1 counts as 1, unless "pearson" is asked for.

DISPERSION_ROUNDS <- 15 # later ones keep the estimates, so that the rounds end
DISPERSION_TOLD <- 1.5  # a message names dispersions, and ratios of weights of rows, from here on

DISPERSIONS <- c("estimated", "pearson")

# NULL (estimated where something is borrowed from rows or the family is a quasi one), "estimated", "pearson", or
# numbers by domain.
family_dispersion_check <- function(dispersion, frame, borrow, call) {
  without <- is.list(borrow) || !identical(frame$family, "binomial") && !identical(frame$family, "poisson")
  if (is.null(dispersion) || without && identical(dispersion, 1)) {
    if (without || !is.null(frame$theta)) return(1)
    return(if (isTRUE(frame$quasi) || identical(borrow, "hierarchical") && is.null(frame$sources)) "estimated" else 1)
  }
  if (!is.null(frame$theta)) {
    abort_value(dispersion, "dispersion", "Leave it out: negative binomial counts have {.arg theta} instead.", call)
  }
  if (without) {
    mend <- if (is.list(borrow)) "Leave it out: the weights {.field lam} of {.arg borrow} take its place." else
      "Leave it out: it is for counts and for shares of successes."
    abort_value(dispersion, "dispersion", mend, call)
  }
  if (is.character(dispersion)) {
    if (length(dispersion) == 1 && dispersion %in% DISPERSIONS) return(dispersion)
    abort_value(dispersion, "dispersion", "Give a number, or one of {.or {.val {DISPERSIONS}}}.", call)
  }
  dispersion
}

# list(phi, from, df) by domain where phi need not be estimated, else NULL. parts: of the domains with rows.
family_dispersion_given <- function(parts, settings, call) {
  given <- settings$dispersion %||% 1
  n_domains <- length(parts) + length(settings$sites)
  grouped <- vapply(parts, family_dispersion_is_there, NA, settings$family)
  if (is.character(given)) {
    if (any(grouped)) return(NULL)
    return(list(phi = rep(1, n_domains), from = rep("known", n_domains), df = rep(Inf, n_domains)))
  }
  domains <- c(vapply(parts, `[[`, "", "name"), names(settings$sites))
  given <- check_order_by_names(given, domains, "dispersion", call)
  mend <- paste0("Give one positive number", if (n_domains > 1) " for all domains or {n_domains}, target first", ".")
  given <- check_numbers(given, "dispersion", function(v) v > 0, mend, call, n = unique(c(1, n_domains)))
  from <- if (identical(given, 1)) "known" else "given"
  list(phi = rep_len(given, n_domains), from = rep(from, n_domains), df = rep(Inf, n_domains))
}

# Counts have a dispersion, and shares of a total; single zeros and ones have none.
family_dispersion_is_there <- function(part,
                                       family) family == "poisson" || family == "binomial" && any(part$w > 1) &&
                                       !part$single

# The dispersions estimated at theta: list(phi, from, df). Domains without rows have phi = 1: their information is
# what their estimates say.
family_dispersion_estimated <- function(fixed, domains, theta, settings, spent = NULL) {
  use <- if (identical(settings$borrow, "none")) 1L else seq_along(domains)
  rows <- use[vapply(domains[use], function(domain) {
    is.null(domain$J) && family_dispersion_is_there(domain, fixed$family)
  }, NA)]
  fits <- lapply(rows, function(t) family_dispersion_fit(fixed, domains[[t]], theta[, t], spent[t]))
  s2 <- vapply(fits, `[[`, 0, "s2")
  df <- vapply(fits, `[[`, 0, "df")
  dispersion <- list(phi = rep(1, length(use)), from = rep("known", length(use)), df = rep(Inf, length(use)))
  if (identical(settings$borrow, "aggregate")) { # one model of all rows
    pearson <- vapply(fits, `[[`, 0, "pearson")
    left <- sum(vapply(fits, `[[`, 0, "n")) - length(fits) * fixed$intercept - length(fixed$columns)
    found <- list(s2 = sum(pearson) / max(left, 1), df = left)
    rows <- rows[1]
    dispersion <- lapply(dispersion, `[`, 1)
  } else if (sum(df > 0) < 2 || length(rows) < 2) {
    found <- list(s2 = rep(sum(s2 * df) / max(sum(df), 1), length(rows)), df = rep(sum(df), length(rows)))
  } else {
    df <- df * family_dispersion_precision(fits)
    shrunk <- tlcp_moderation_of_variances(rbind(s2, deparse.level = 0), df)
    found <- list(s2 = drop(shrunk$s2), df = pmin(shrunk$d0 + df, sum(df)))
  }
  known <- found$df > 0
  least <- if (identical(settings$dispersion, "pearson")) 1e-6 else
    vapply(domains[rows], function(domain) domain$least %||% 1, 0)
  dispersion$phi[rows] <- ifelse(known, pmax.int(found$s2, least), 1)
  dispersion$from[rows] <- ifelse(known, "Pearson residuals", "known")
  dispersion$df[rows] <- ifelse(known, found$df, Inf)
  dispersion
}

# By domain the trace of the posterior covariance of its coefficients times its information: the degrees of freedom that
# its coefficients take from its rows.
family_dispersion_spent_df <- function(quadratics, borrowing) {
  root <- tcrossprod(sqrt(borrowing$scales))
  each <- 1 / borrowing$own
  p <- nrow(each)
  H <- Map(function(quadratic, lam) quadratic$G * root * lam, quadratics, borrowing$lam)
  V <- lapply(seq_along(H), function(domain) .Call(C_spd_inverse, H[[domain]] + diag(each[, domain], p)))
  Q <- diag(1 / borrowing$common + rowSums(each), p)
  for (domain in seq_along(V)) Q <- Q - V[[domain]] * tcrossprod(each[, domain])
  half <- backsolve(chol((Q + t(Q)) / 2), diag(p))
  vapply(seq_along(V), function(domain) {
    B <- (V[[domain]] * rep(each[, domain], each = p)) %*% half # of w_t in the common coefficients
    sum(V[[domain]] * H[[domain]]) + sum(B * (H[[domain]] %*% B))
  }, 0)
}

# theta of negative binomial counts at the coefficients theta, of the domains in use that have rows.
family_dispersion_negbin_size <- function(fixed, domains, theta) {
  use <- if (identical(fixed$settings$borrow, "none")) 1L else seq_along(domains)
  use <- use[vapply(domains[use], function(domain) is.null(domain$J), NA)]
  negbin_size(domains[use], lapply(use, function(t) likelihood_predictor(domains[[t]], theta[, t])))
}

# Squared Pearson residuals of counts vary more than those of normal responses. An estimate from them is as precise as
# one from normal responses with 2/(kurtosis - 1) times the degrees of freedom.
family_dispersion_precision <- function(fits) {
  square <- unlist(lapply(fits, function(fit) fit$square / max(mean(fit$square), 1e-300)))
  min(1, 2 / max(mean(square^2) - 1, 1e-300))
}

# Pearson's statistic at theta, and the residual variance and degrees of freedom of the domain's own model, one Newton
# step from theta.
family_dispersion_fit <- function(fixed, domain, theta, spent = NULL) {
  eta <- likelihood_predictor(domain, theta)
  fitted <- likelihood_mean(fixed$family, eta)
  use <- domain$w > 0
  square <- (domain$w * (domain$y - fitted$mu)^2 / fitted$v)[use]
  pearson <- sum(square)
  terms <- likelihood_terms_of_part(fixed$family, domain, eta)
  n <- as.double(sum(use))
  if (!is.null(spent)) {
    df <- n - spent - (fixed$intercept && !fixed$level)
    return(list(square = square, pearson = pearson, n = n, df = max(df, 0), s2 = if (df > 0) pearson / df else 0))
  }
  linear <- .Call(C_least_squares, terms$information, terms$score, pearson, n, NULL)
  df <- max(linear$df, 0)
  list(square = square, pearson = pearson, n = n, df = df, s2 = if (df > 0) linear$rss / df else 0)
}

# Words for phi: the target's, and the range of the other domains'.
family_dispersion_words <- function(phi) {
  paste0(signif(phi[[1]], 2), if (length(phi) > 1) {
    others <- signif(range(phi[-1]), 2)
    paste0(" in the target, ", paste(unique(others), collapse = " to "), " in the other", if (length(phi) > 2) "s")
  })
}

# variance: of family_variance_of_mode().
family_dispersion_lines <- function(phi, variance = NULL) {
  if (is.null(phi)) return(NULL)
  weighs <- if (!is.null(variance)) family_variance_words(variance)
  if (all(phi == 1) && is.null(variance)) return("dispersion phi 1: the response varies no more than its family allows")
  c(paste0("dispersion phi ", family_dispersion_words(phi), ": rows are weighted by 1/phi"),
    "standard errors are sqrt(phi) times as large; logLik() and AIC() are those of the quasi-likelihood", weighs)
}

# mode: of family_mode_borrowed().
family_dispersion_tell <- function(phi, settings, mode) {
  if (isTRUE(settings$quiet) || is.null(phi) || !is.character(settings$dispersion)) return(invisible())
  variance <- mode$variance
  if (max(phi, variance$range[2] / variance$range[1]) < DISPERSION_TOLD) return(invisible())
  more <- switch(settings$family, poisson = "Counts vary more than in a Poisson distribution",
                 binomial = "Shares vary more than in a binomial distribution")
  gain <- if (settings$family == "poisson") (variance %||% family_variance_forms(mode, "poisson"))$gain else 0
  better <- if (gain > NEGBIN_TOLD) {
    paste0(" Variances that grow faster than the mean fit better (log-likelihood larger by ", words_number(gain),
           "): use `family = \"negbin\"`.")
  }
  weighs <- if (!is.null(variance)) {
    words <- family_variance_words(variance)
    paste0(" ", toupper(substring(words, 1, 1)), substring(words, 2), "; `family = \"quasi", settings$family,
           "\"` gives all rows the same weight.")
  }
  tell(paste0(more, ": dispersion ", family_dispersion_words(phi), ".", weighs, better),
       paste0("Rows are weighted by 1/dispersion. `control = tlcp_control(dispersion = 1)` fits without a dispersion",
              if (settings$family == "poisson" && is.null(better)) {
                "; `family = \"negbin\"` is for variances that grow faster than the mean"
              }, "."),
       "transelect_message_dispersion")
}

NEGBIN_TOLD <- 2 # log-likelihoods: 7 times the likelihood
