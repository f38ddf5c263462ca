# The path object of tlcp() for a response with a likelihood of its own, and its print() and summary(). Its class has
# "likelihood_path" between "tlcp" and "transfer_path".

family_object_fit <- function(frame, target, settings, call) {
  parts <- response_family_parts(frame, target)
  cells <- frame_moments_feature_cells(frame, target, call)
  settings <- family_object_settings(settings, frame, parts, call)
  if (identical(settings$borrow, "none")) {
    parts <- parts[1]
    cells <- cells[1]
  }
  response_family_warn_fractions(parts)
  path <- family_path(parts, cells, settings, call, frame$x)
  family_object(path, parts[[1]], frame, target, settings)
}

family_object_settings <- function(settings, frame, parts, call) {
  borrow <- settings$borrow
  if (is.character(borrow) && !borrow %in% c("hierarchical", "none", "aggregate")) {
    abort_input("{.arg borrow} is {.val {borrow}}, which is for responses of numbers.", "borrow",
                i = "Give {.val hierarchical}, {.val none}, {.val aggregate} or numbers with
                     {.code family = \"{frame$family}\"}.", call = call)
  }
  for (name in c("sigma2", if (settings$method == "cutoff") "method")) {
    if (!is.null(settings[[name]])) {
      abort_input("{.arg {name}} is {.val {settings[[name]]}}, which is not available with {.code family =
                   \"{frame$family}\"}.", name, i = "Leave it out.", call = call)
    }
  }
  settings$family <- frame$family
  settings$theta <- frame$theta
  settings$quasi <- isTRUE(frame$quasi)
  if (is.character(settings$criterion)) {
    settings$criterion <- sub("^Cp$", "AIC", sub("^Cp_", "", settings$criterion))
  }
  counted <- if (identical(borrow, "aggregate")) parts else parts[1]
  settings$n_effective <- sum(vapply(counted, family_object_part_size, 0))
  settings
}

# The number of observations in BIC: rows of positive weight; for survival times the number of events.
family_object_part_size <- function(part) if (is.null(part$risk)) sum(part$w > 0) else part$risk$events

# part: the rows of the target, see likelihood.R.
family_object <- function(path, part, frame, target, settings) {
  names <- tlcp_domain_names(path$mode$domains)
  models <- lapply(stats::setNames(seq_along(names), names), function(t) family_object_model(path, t, settings))
  mine <- frame_rows_of_target(frame, target)
  part$x <- mine$x
  part$size <- path$mode$size
  variance <- path$mode$variance
  if (!is.null(variance)) {
    variance$weights <- variance$weights[[1]] # a fit keeps nothing of the rows of other domains
    part <- family_variance_weighted_part(part, variance$weights)
  }
  eta <- part$offset + response_scores_at(part$x, models[[1]], path$best)
  rows <- likelihood_residuals(frame$family, part, eta)
  # the proof is that the subset is the best one for the last quadratic approximation
  proof <- if (!is.null(path$certificate)) {
    c(tlcp_object_certificate(path$certificate, path$polisher$c * path$polisher$alone, path$objective[1]),
      list(of = "the quadratic approximation of the log-likelihood at the chosen model",
           chosen = path$certificate$agrees, stable = path$stable))
  }
  # phi of the domains in use; none where the response has none, or where all are 1 without being asked for
  found <- path$mode$dispersion
  dispersion <- if (!all(found$from == "known")) {
    stats::setNames(found$phi, tlcp_domain_names(path$domains)[seq_along(found$phi)])
  }
  family_dispersion_tell(dispersion, settings, path$mode)
  fit <- tlcp_object_new(
    path, models, family_object_steps(path, part, models[[1]], settings), mine, target,
    settings,
    dispersion = dispersion, quasi = isTRUE(frame$quasi), theta = path$mode$size, variance = variance,
    nobs = as.integer(part$n), size = family_object_part_size(part),
    link = if (frame$family == "binomial") "logit" else "log",
    fitted = rows$fitted, residuals = rows$response, deviance_residuals = rows$deviance,
    pearson_residuals = rows$pearson, certificate = proof,
    stable = path$stable, null_deviance = family_object_null_deviance(frame$family, part),
    baseline = if (frame$family == "cox") family_object_baseline(path, part, frame),
    elsewhere = if (inherits(frame$na.action, "exclude")) frame_rows_elsewhere(frame, target)
  )
  class(fit) <- c("tlcp", "likelihood_path", "transfer_path")
  fit
}

# Coefficients of domain t at every step. (A Cox model has no intercept: its linear predictor is relative to the
# target's means of the features.)
family_object_model <- function(path, t, settings) {
  beta <- vapply(path$coef, function(coef) coef$beta[, t], numeric(settings$p))
  beta <- matrix(beta, settings$p)
  a0 <- vapply(path$coef, function(coef) coef$a0[t], 0)
  if (settings$family == "cox") {
    a0 <- -colSums(beta * path$mode$domains[[1]]$shift)
  }
  list(beta = table_sparse_rows(beta, settings$columns), a0 = a0)
}

family_object_steps <- function(path, part, model, settings) {
  proof <- tlcp_object_step_proof(path)
  proof$bound[] <- proof$gap[] <- NA # proofs are of the expansion, the objective is of the likelihood
  table_data_frame(c(tlcp_object_steps_of_sets(path, settings), list(
    df = path$trace, log_lik = family_object_log_lik(path, part, model) / path$mode$dispersion$phi[1],
    deviance = 2 * (likelihood_saturated(settings$family, part) - path$log_lik),
    objective = path$objective, criterion = path$criterion
  ), proof))
}

# The log-likelihood of the target's rows at every step, of whole numbers of successes.
family_object_log_lik <- function(path, part, model) {
  of <- part$rounded
  if (is.null(of)) return(path$log_lik)
  vapply(seq_along(path$log_lik), function(k) {
    p <- stats::plogis(part$offset + response_scores_at(part$x, model, k))
    sum(of$weight * stats::dbinom(of$successes, of$total, p, log = TRUE))
  }, 0)
}

family_object_null_deviance <- function(family, part) {
  a <- if (family == "cox") 0 else likelihood_null_level(family, list(part))
  2 * (likelihood_saturated(family, part) - likelihood_value(family, part, part$offset + a))
}

# The cumulative baseline hazard of the target at every step, at the mean of its features.
family_object_baseline <- function(path, part, frame) {
  strata <- if (!is.null(frame$strata)) {
    levels(factor(frame$strata[if (is.null(frame$domain)) TRUE else frame$domain == part$name]))
  }
  shift <- path$mode$domains[[1]]$shift
  x <- as.matrix(part$x) - rep(shift, each = part$n)
  hazard <- lapply(path$coef, function(coef) {
    cox_baseline(part$risk, part$w, part$offset + drop(x %*% coef$beta[, 1]))
  })
  list(strata = strata, stratum = hazard[[1]]$stratum, time = hazard[[1]]$time,
       hazard = vapply(hazard, `[[`, numeric(nrow(hazard[[1]])), "hazard"))
}

# Head lines of print(): the family, and what is proven.
family_object_lines <- function(x) {
  what <- switch(x$family,
    binomial = if (is.null(x$classes)) "log odds of a success" else
      paste0("log odds of \"", x$classes[2], "\""),
    poisson = "log rate", cox = paste0("log hazard ratio, ", x$size, " events")
  )
  c(
    paste0("family ", if (is.null(x$theta)) x$family else "negbin", ": ", what),
    if (!is.null(x$theta)) {
      paste0("negative binomial, variance mu + mu^2/theta, theta ", signif(x$theta, 3), if (is.na(x$settings$theta))
        " by maximum likelihood, the same in all domains")
    },
    if (!is.null(x$theta)) "standard errors take theta as known, as those of MASS::glm.nb()",
    family_dispersion_lines(x$dispersion, x$variance),
    family_object_rounds_lines(x),
    if (!is.null(x$certificate)) {
      paste0("the proof is for the quadratic approximation of the log-likelihood",
             if (!x$stable) "; the best subset still changed with the next approximation" else
               if (!isTRUE(x$certificate$chosen))
                 "; another subset is better by the log-likelihood itself")
    }
  )
}

# Lines of print() with the calls of a further round, where domains are likelihoods to second order.
family_object_rounds_lines <- function(x) {
  about <- vapply(as.list(x$settings$sites), `[[`, "", "about")
  sites <- names(about)[!about %in% ABOUT_NUMBERS]
  if (!length(sites)) return(NULL)
  given <- all(about[sites] == "moments at given coefficients")
  c(
    if (given) {
      paste("likelihoods of `sources` expanded to second order at given coefficients: repeat until coef() no longer",
            "changes (?moments)")
    } else {
      paste("likelihoods of `sources` expanded to second order at their own estimates: after a few rounds the fit is",
            "that of all rows")
    },
    paste0("next round: moments(formula, rows, family = \"", x$family, "\", at = coef(fit, domain = \"", sites[1],
           "\")) at ", sites[1], if (length(sites) > 1) ", and likewise at the others")
  )
}
