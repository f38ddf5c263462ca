# The object of tlcp(borrow = "sparse").

tlcp_supports_object <- function(frame, target, settings, domains, posterior) {
  labels <- labels_of_all_columns(settings)
  p <- settings$p
  own <- domains[[1]]
  y_scale <- own$y_scale
  names(domains) <- vapply(domains, `[[`, "", "name")
  models <- lapply(stats::setNames(seq_along(domains), names(domains)), function(k) {
    beta <- tlcp_supports_coefficients(posterior, k) * y_scale / own$x_scale
    list(beta = table_sparse_rows(cbind(0, beta), settings$columns, seq_len(p), p),
         a0 = domains[[k]]$y_mean - c(0, sum(beta * domains[[k]]$x_mean)))
  })
  mine <- frame_rows_of_target(frame, target)
  y <- as.double(mine$y)
  fitted <- response_scores_at(mine$x, models[[1]], 2)
  w <- own$root^2
  left <- tlcp_supports_left_out(posterior, own)
  table <- tlcp_supports_table(posterior, labels, names(domains), y_scale / own$x_scale)
  intercept <- as.numeric(settings$intercept)
  steps <- list(
    step = 0:1, lambda = c(NA_real_, NA_real_), size = c(0L, sum(models[[1]]$beta[, 2] != 0)),
    rss = c(sum(w * (y - own$y_mean)^2), sum(w * (y - fitted)^2)), df = c(intercept, mean(posterior$trace)),
    loo = c(NA, sum(w * left$residual^2) / own$n)
  )
  fit <- path_object_new(
    "tlcp", labels = c(title = "Sparse effects with transfer"), beta = models[[1]]$beta, a0 = models[[1]]$a0,
    points = table_data_frame(steps[c("step", "lambda")]), steps = table_data_frame(steps), best = 1L,
    lambda = NA_real_, family = "gaussian", method = "sampler",
    center = stats::setNames(own$x_mean, labels),
    scale = stats::setNames(ifelse(is.finite(own$x_scale), own$x_scale, 0), labels),
    frame = mine, target = target, models = models, nobs = as.integer(own$n), fitted = fitted, residuals = y - fitted,
    log_weights = response_weights_log_term(mine), left_out_residuals = left$residual, supports = table,
    selected = labels[table$features$included >= .5],
    borrowing = list(borrow = "sparse", s2 = stats::setNames(rep(mean(posterior$variance), length(domains)),
                                                             names(domains)),
                     domains = table$domains, chains = tlcp_supports_chain_error(posterior),
                     size = mean(posterior$size)),
    draws = tlcp_supports_raw_draws(posterior, own, labels, settings$intercept), settings = settings,
    posterior = list(NULL),
    response_scale = rep(y_scale, length(domains)),
    elsewhere = if (inherits(frame$na.action, "exclude")) frame_rows_elsewhere(frame, target)
  )
  class(fit) <- c("supports_path", "tlcp", "transfer_path")
  fit
}

# Draws of the intercept and the coefficients on the original scale, a row for each. The mean response is normal: its
# deviations are quantiles, in the order of the chains, which are independent of them.
tlcp_supports_raw_draws <- function(posterior, own, labels, intercept) {
  draws <- posterior$draws * (own$y_scale / own$x_scale)
  away <- stats::qnorm(stats::ppoints(ncol(draws)))[order((seq_len(ncol(draws)) * (sqrt(5) - 1) / 2) %% 1)]
  constant <- own$y_mean - colSums(draws * own$x_mean) +
    intercept * sqrt(posterior$variance / own$n) * own$y_scale * away
  dimnames(draws) <- list(labels, NULL)
  rbind(`(Intercept)` = constant, draws)
}

# features: the probabilities that a feature has a common effect, an effect of the target's own, and any of both, and
# the means of both effects on the original scale (unit: of scaled columns). domains: by domain the number of effects of
# its own (the sum of probabilities), the variance of the background, and of the common effects the share from which it
# does not depart.
tlcp_supports_table <- function(posterior, labels, names, unit) {
  probability <- posterior$probability
  effects <- posterior$mean * unit
  common <- probability[, 1]
  departs <- probability[, -1, drop = FALSE]
  at <- common >= .5
  list(
    features = table_data_frame(list(
      term = labels, common = common, own = departs[, 1], included = posterior$included, common_effect = effects[, 1],
      own_effect = effects[, 2]
    )),
    domains = table_data_frame(list(
      domain = names, own = colSums(departs), background = posterior$grid[-(1:2)],
      shares = if (any(at)) 1 - colMeans(departs[at, , drop = FALSE]) else rep(NA_real_, length(names))
    ))
  )
}
