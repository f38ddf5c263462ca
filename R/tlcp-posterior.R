# The posterior of the target's coefficients, given the features chosen and averaged over the borrowing prior
# (src/tlcp/posterior.h). A fit keeps what the posterior is made of; verbs ask for the steps that they need, in one call
# of C for each set of units that is averaged.

# What a fit keeps, in the coordinates that were searched:
#   A                the posterior precision, levels last (NULL of a likelihood: `covariance` has the inverse by step)
#   n_domains        coordinates by feature, the target's the first
#   level            are there levels?
#   unit, x_mean, y_scale    from coordinates to the original scale: `unit` of slopes, `y_scale` of the level
#   constant         where there is no level, the variance of the target's mean response, on the original scale
#   columns, sets, df, mean    usable columns; sets by step; degrees of freedom; coefficients by step, intercept first
#   prior            the domains and the borrowing prior that is averaged over; NULL if there is none
#   shares           where `prior` is NULL and something is borrowed: those of tlcp-shares.R, intercept first
tlcp_posterior_of_path <- function(path) {
  if (!is.null(path$sparse)) return(path$sparse)
  columns <- path$columns
  borrowing <- path$borrowing
  hierarchical <- borrowing$borrow == "hierarchical"
  df <- tlcp_posterior_df(borrowing$s2_df[1] %||% Inf, if (hierarchical) length(columns))
  if (!is.null(path$known)) return(tlcp_rows_posterior(path, df))
  form <- path$form$full %||% path$form
  domain <- path$domains[[1]]
  level <- !is.null(path$form$full)
  likelihood <- !is.null(path$covariance)
  mean <- if (likelihood) {
    vapply(path$coef, function(coef) c(coef$a0[1], coef$beta[columns, 1]), numeric(length(columns) + 1))
  } else {
    raw <- tlcp_domain_raw_coefficients(path$z[[1]], columns, path$all_domains[[1]])
    rbind(raw$a0, raw$beta)
  }
  list(
    A = if (!likelihood) form$A, covariance = path$covariance, n_domains = as.integer(form$n_domains), level = level,
    unit = sqrt(borrowing$scales)[seq_along(columns)] * domain$y_scale / domain$x_scale[columns],
    x_mean = domain$x_mean[columns], y_scale = domain$y_scale,
    constant = if (level || likelihood) 0 else domain$y_scale^2 * borrowing$s2[1] / path$all_domains[[1]]$n,
    columns = columns, sets = path$sets, mean = mean, df = df,
    own = if (hierarchical) tlcp_posterior_own(path),
    prior = if (hierarchical) tlcp_posterior_prior(path),
    shares = if (!hierarchical && length(path$domains) > 1) tlcp_shares_of_form(path)
  )
}

# What the target's own fit is made of (R/tlcp-own.R): its quadratic, and from its coordinates to the original scale.
# NULL where its rows leave no degrees of freedom.
tlcp_posterior_own <- function(path) {
  domain <- path$domains[[1]]
  if (is.null(path$covariance) && !isTRUE(domain$fit$df >= 1)) return(NULL)
  columns <- path$columns
  row <- domain$own$row # of a likelihood whose constant was profiled out
  list(
    G = domain$G, g = domain$g, s2 = 1 / path$borrowing$lam[1], df = path$borrowing$s2_df[1] %||% Inf,
    unit = domain$y_scale / domain$x_scale[columns],
    x_mean = domain$x_mean[columns] + if (is.null(row)) 0 else row * domain$x_scale[columns],
    origin = domain$y_mean + (domain$own$mean %||% 0)
  )
}

tlcp_posterior_prior <- function(path) {
  borrowing <- path$borrowing
  list(
    domains = lapply(path$domains, `[`, c("G", "g", "level")), s2 = 1 / borrowing$lam,
    borrowing = borrowing[c("common", "own", "scales", "tau2")],
    size = sqrt(borrowing$omega2 + borrowing$tau2[[1]]),
    alone = if (isTRUE(borrowing$alone)) intersect(seq_along(path$columns), which(path$domains[[1]]$varies))
  )
}

# Degrees of freedom of the components: those of the residual variance and, where the borrowing prior is estimated from
# `slopes` slopes, four for each. The number four comes from simulations: the average over the borrowing prior ignores
# the error of the quadratic expansion and that estimates are made at one borrowing prior, so normal quantiles give too
# short intervals.
tlcp_posterior_df <- function(df, slopes = NULL) if (is.null(slopes)) df else 1 / (1 / df + 1 / (4 * slopes))

# By step the posterior of intercept and slopes of its features, on the original scale. V: the mean squares about the
# estimate, a matrix, or its diagonal alone. The limits of intervals are quantiles of a mixture of t distributions, a
# component for each borrowing prior that is averaged over: weights; `away`, the means less the estimate, and
# `variance`, a row for each coefficient and a column for each component. shares: see tlcp-shares.R.
tlcp_posterior_mixtures <- function(posterior, steps, diagonal = FALSE) {
  found <- if (!is.null(posterior$rows)) {
    lapply(steps, tlcp_rows_posterior_mixture, posterior = posterior, diagonal)
  } else {
    tlcp_prior_or_stop(.Call(C_posterior, posterior, steps, diagonal))$steps
  }
  if (is.null(posterior$shares)) return(found)
  Map(function(one, k) c(one[names(one) != "shares"], list(shares = tlcp_posterior_kept_shares(posterior, k))), found,
      steps)
}

tlcp_posterior_kept_shares <- function(posterior, k) {
  shares <- if (is.null(posterior$rows)) posterior$shares else tlcp_rows_posterior_shares(posterior)
  shares[c(TRUE, posterior$sets[, k]), , drop = FALSE]
}

# Up to this number of columns print() averages shares over the borrowing prior, which takes a second for hundreds.
PRINT_COLUMNS <- 60L

# The shares of the coefficients of the default model, intercept first; NULL where nothing could be borrowed. Where
# there are no more rows than features, and with `brief` of many columns, at the borrowing prior as it is estimated.
tlcp_posterior_shares <- function(object, brief = FALSE) {
  if (is.null(object$posterior[[1]])) return(NULL) # method "cutoff"
  k <- match(object$best, object$steps$step)
  found <- lapply(object$posterior, function(posterior) {
    if (is.null(posterior$prior)) return(tlcp_posterior_kept_shares(posterior, k))
    if (!any(posterior$sets[, k])) return(NULL)
    p <- length(posterior$columns)
    posterior$prior$estimated <- object$nobs <= p || brief && p > PRINT_COLUMNS
    tlcp_posterior_mixtures(posterior, k, diagonal = TRUE)[[1]]$shares
  })
  tlcp_posterior_average_shares(object, found)
}

# found: by posterior. Columns are named like the domains in use.
tlcp_posterior_average_shares <- function(object, found) {
  if (is.null(found[[1]])) return(NULL)
  weights <- if (length(found) == 1) 1 else object$borrowing$units_weights
  shares <- Reduce(`+`, Map(`*`, found, weights))
  colnames(shares) <- c(names(object$borrowing$s2), "shrinkage")
  shares
}

# The factor of squared standard errors of counts and shares: the given dispersion, or Pearson's estimate, divided by
# the dispersion of the fit; 1 for NULL.
tlcp_posterior_check_dispersion <- function(dispersion, object, call) {
  if (is.null(dispersion)) return(1)
  likelihood <- inherits(object, "likelihood_path") && object$family != "cox"
  if (!likelihood) {
    abort_value(dispersion, "dispersion", "Leave it out: it is for {.val binomial} and {.val poisson} models.", call)
  }
  if (object$borrowing$borrow != "none") {
    if (identical(dispersion, 1) && is.null(object$dispersion)) return(1)
    abort_value(dispersion, "dispersion",
                "Give it to {.fn tlcp}, as it changes what is borrowed: {.code control = tlcp_control(dispersion = )}.",
                call)
  }
  fitted <- if (is.null(object$dispersion)) 1 else object$dispersion[[1]]
  if (identical(dispersion, "pearson")) {
    left <- object$nobs - object$steps$df[object$best + 1]
    return(if (left > 0) sum(object$pearson_residuals^2) / left / fitted else NA_real_)
  }
  if (is.character(dispersion)) abort_value(dispersion, "dispersion", "Give a number, or {.val pearson}.", call)
  check_number(dispersion, "dispersion", 0, call) / fitted
}

# A step's list(V, df, mixture, shares): the covariance matrix, or its diagonal if that is enough (the matrix of many
# features is large), the degrees of freedom, and the components of tlcp_posterior_mixtures() of all posteriors that are
# averaged.
tlcp_posterior_step_covariance <- function(object, step, call, dispersion = NULL, diagonal = FALSE) {
  tlcp_posterior_steps(object, list(step), call, dispersion, diagonal)[[1]]
}

# The same of a list of steps.
tlcp_posterior_steps <- function(object, steps, call, dispersion = NULL, diagonal = FALSE) {
  posteriors <- object$posterior
  if (is.null(posteriors[[1]])) {
    abort_input("{.arg object} is a fit by {.code method = \"cutoff\"}.", "object",
                i = "Fit again with {.code method = \"exact\"}, which has standard errors.", call = call)
  }
  at <- vapply(steps, function(step) {
    if (path_step_is_named(object, step)) {
      abort_input("{.arg step} is {.val {step}}: an average of subsets has no standard errors here.", "step",
                  i = "Give the number of a step, or leave it out.", call = call)
    }
    as.integer(path_worth_check_one_step(object, step, NULL, call)) + 1L
  }, 1L)
  if (!diagonal && !is.null(posteriors[[1]]$rows)) tlcp_rows_posterior_refuse_large(posteriors[[1]], call)
  found <- lapply(posteriors, tlcp_posterior_mixtures, at, diagonal)
  times <- tlcp_posterior_check_dispersion(dispersion, object, call)
  lapply(seq_along(at), function(i) {
    tlcp_posterior_one_step(object, lapply(found, `[[`, i), at[i], steps[[i]], times, diagonal)
  })
}

# found: the mixture of step number k by posterior; times: a factor of variances.
tlcp_posterior_one_step <- function(object, found, k, step, times, diagonal) {
  posteriors <- object$posterior
  weights <- if (length(posteriors) == 1) 1 else object$borrowing$units_weights
  set <- which(posteriors[[1]]$sets[, k])
  take <- c(1L, set + 1L)
  means <- lapply(posteriors, function(posterior) posterior$mean[take, k])
  centre <- Reduce(`+`, Map(`*`, means, weights))
  # second moments about the estimate of all, from those about the estimate of each
  V <- Reduce(`+`, Map(function(one, mean, weight) {
    gap <- mean - centre
    drift <- drop(one$away %*% one$weights)
    weight * (one$V + if (diagonal) gap^2 + 2 * gap * drift else
      tcrossprod(gap) + tcrossprod(gap, drift) + tcrossprod(drift, gap))
  }, found, means, weights))
  mixture <- list(
    weights = unlist(Map(function(one, weight) weight * one$weights, found, weights)),
    away = do.call(cbind, Map(function(one, mean) one$away + (mean - centre), found, means)),
    variance = do.call(cbind, lapply(found, `[[`, "variance"))
  )
  mixed <- tlcp_own_mixed(mixture, V, posteriors[[1]], set, centre, object$settings$own)
  mixture <- mixed$mixture
  V <- mixed$V
  if (object$borrowing$borrow == "none" && is.null(posteriors[[1]]$covariance)) {
    times <- times * stats::sigma(object, step = step)^2 / (object$borrowing$s2[[1]] * object$response_scale[1]^2)
  }
  V <- V * times
  mixture$variance <- mixture$variance * times
  labels <- c("(Intercept)", labels_of_columns(object$settings$columns, posteriors[[1]]$columns[set]))
  shares <- if (object$nobs <= length(posteriors[[1]]$columns)) {
    if (k == object$best + 1L) tlcp_posterior_shares(object)
  } else {
    tlcp_posterior_average_shares(object, lapply(found, `[[`, "shares"))
  }
  if (!is.null(shares)) rownames(shares) <- labels
  if (diagonal) names(V) <- labels else dimnames(V) <- list(labels, labels)
  cox <- object$family == "cox"
  if (cox || !object$settings$intercept) {
    V <- if (diagonal) V[-1] else V[-1, -1, drop = FALSE]
    mixture[c("away", "variance")] <- lapply(mixture[c("away", "variance")], function(part) part[-1, , drop = FALSE])
    labels <- labels[-1]
  }
  rownames(mixture$away) <- labels
  # without borrowing the degrees of freedom of the residual variance of the chosen columns
  df <- if (object$borrowing$borrow != "none") posteriors[[1]]$df else
    if (inherits(object, "likelihood_path")) object$borrowing$s2_df %||% Inf else
      stats::df.residual(object, step = step)
  list(V = V, df = df, mixture = mixture, shares = shares)
}

# Standard errors exist for fits by method "exact"; those of classes coded as two numbers would be wrong.
tlcp_posterior_has_errors <- function(x) !is.null(x$posterior[[1]]) && !path_object_has_classes_by_squares(x)
