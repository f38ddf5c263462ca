# Standard errors of tlcp(): the posterior covariance matrix of the target's coefficients, given the features chosen
# and averaged over the borrowing prior.

# What standard errors need (tlcp-posterior.R), in the coordinates that were searched:
#   A                the posterior precision, levels last (NULL of a likelihood: `covariance` has the inverse by step)
#   n_domains        coordinates by feature, the target's the first
#   level            are there levels?
#   root, x_scale, x_mean, y_scale    from coordinates to the original scale
#   mean_variance    where there is no level, the variance of the target's mean response
#   columns, sets, df, mean           usable columns; sets by step; degrees of freedom of the
#                                     residual variance; coefficients by step (intercept first)
tlcp_posterior_of_path <- function(path) {
  if (!is.null(path$sparse)) return(path$sparse)
  if (!is.null(path$known)) return(tlcp_rows_posterior(path))
  form <- path$form$full %||% path$form
  columns <- path$columns
  borrowing <- path$borrowing
  domain <- path$domains[[1]]
  level <- !is.null(path$form$full)
  likelihood <- !is.null(path$covariance)
  spread <- NULL
  if (borrowing$borrow == "hierarchical") {
    # what tlcp_posterior_by_distance() needs for its average: the domains, the borrowing prior, and H and g of the
    # target in the prior's columns
    slopes <- seq_len(length(borrowing$scales) - isTRUE(domain$level))
    spread <- list(
      parts = tlcp_form_scaled_parts(path$domains[1], borrowing),
      domains = lapply(path$domains, `[`, c("G", "g", "level")),
      s2 = 1 / borrowing$lam, borrowing = borrowing[c("common", "own", "scales", "tau2")],
      size = sqrt(borrowing$omega2 + borrowing$tau2[[1]]), slopes = slopes,
      alone = if (isTRUE(borrowing$alone)) intersect(slopes, which(domain$varies))
    )
  }
  # degrees of freedom of the residual variance and, where the borrowing prior is estimated, two for each feature that
  # it is estimated from. The number two comes from simulations: the average over the borrowing prior ignores the error
  # of the expansion and that estimates are made at one borrowing prior, so normal quantiles give too short intervals
  df <- borrowing$s2_df[1] %||% Inf
  if (!is.null(spread)) df <- 1 / (1 / df + 1 / (2 * length(spread$slopes)))
  mean <- if (likelihood) {
    vapply(path$coef, function(coef) c(coef$a0[1], coef$beta[columns, 1]), numeric(length(columns) + 1))
  } else {
    raw <- tlcp_domain_raw_coefficients(path$z[[1]], columns, path$all_domains[[1]])
    rbind(raw$a0, raw$beta)
  }
  list(
    A = if (!likelihood) form$A, covariance = path$covariance, n_domains = form$n_domains, level = level,
    root = sqrt(borrowing$scales)[seq_along(columns)], x_scale = domain$x_scale[columns],
    x_mean = domain$x_mean[columns], y_scale = domain$y_scale,
    mean_variance = if (level || likelihood) 0 else borrowing$s2[1] / path$all_domains[[1]]$n,
    columns = columns, sets = path$sets, df = df, mean = mean, spread = spread
  )
}

# The covariance matrix of intercept and slopes of the features of step k, on the original scale, or its diagonal alone.
tlcp_posterior_covariance <- function(posterior, k, diagonal = FALSE) {
  if (!is.null(posterior$rows)) return(tlcp_rows_posterior_covariance(posterior, k, diagonal))
  set <- which(posterior$sets[, k])
  if (is.null(posterior$A)) {
    C <- posterior$covariance[[k]]
  } else {
    p <- length(posterior$columns)
    n_domains <- posterior$n_domains
    levels <- if (posterior$level) p * n_domains + seq_len(n_domains)
    free <- c(outer(seq_len(n_domains), (set - 1L) * n_domains, `+`), levels)
    C <- matrix(0, 0, 0)
    if (length(free)) {
      mine <- c((seq_along(set) - 1L) * n_domains + 1L, if (posterior$level) length(set) * n_domains + 1L)
      C <- .Call(C_spd_inverse, posterior$A[free, free, drop = FALSE])[mine, mine, drop = FALSE]
    }
  }
  slopes <- seq_along(set)
  if (length(set) && !is.null(posterior$spread)) {
    C[slopes, slopes] <- tlcp_posterior_by_distance(posterior$spread, set, C[slopes, slopes, drop = FALSE])
  }
  unit <- posterior$root[set] * posterior$y_scale / posterior$x_scale[set]
  to <- matrix(0, length(set) + 1, ncol(C))
  to[cbind(slopes + 1, slopes)] <- unit
  to[1, slopes] <- -posterior$x_mean[set] * unit
  if (ncol(C) > length(set)) to[1, ncol(C)] <- posterior$y_scale
  V <- to %*% C %*% t(to)
  V[1, 1] <- V[1, 1] + posterior$mean_variance * posterior$y_scale^2
  if (diagonal) diag(V) else (V + t(V)) / 2
}

# tau_t and omega are estimated from few coefficients. If they were taken as known, intervals would be too short where
# they are small. So the posterior is averaged over a factor of all tau_t together, over one of the target's tau alone,
# and over omega^2 from a quarter of the mean squared standard error of the target's slopes (or from its estimate, if
# that is smaller) to 64 times it: a factor of the estimate would leave an omega near 0 there. The weights are the
# marginal likelihood times these priors:
#   single log tau_t^2           the prior of ?tlcp with four times its standard deviation: ?tlcp needs it for a
#                                point estimate, while here large values must keep their probability
#   geometric mean of tau_t      half-Cauchy, its scale the size of the coefficients (Gelman 2006)
#   omega                        half-Cauchy, its scale the size of the coefficients
# A target that stands alone has one variance, averaged over a factor with a normal prior on its logarithm.
#
# The covariance matrix V of the features `set`, plus what the averages add: first over the distances between domains,
# then over the scales of the features.
tlcp_posterior_by_distance <- function(spread, set, V) {
  models <- if (is.null(spread$alone)) tlcp_posterior_distance_models(spread,
                                                                      set) else tlcp_posterior_unrelated_models(spread,
                                                                                                                set)
  others <- tlcp_posterior_of_others(spread, spread$borrowing)
  estimated <- tlcp_posterior_of_target(spread, others, spread$borrowing$own[, 1], set)
  weights <- response_scores_average_weights(vapply(models, `[[`, 0, "log_weight"), least = 1e-4)
  used <- weights > 0
  V <- V + Reduce(`+`, Map(function(model, weight) {
    weight * (model$V - estimated$V + tcrossprod(model$mean - estimated$mean))
  }, models[used], weights[used]))
  if (all(spread$borrowing$scales == 1)) return(V)
  ratio <- tlcp_spread_by_scales(tlcp_posterior_of_features(spread), log(spread$borrowing$scales))
  V * tcrossprod(sqrt(ratio[set]))
}

# The target's posterior on `set`, with its log weight, at each triple of the factors above: a list.
tlcp_posterior_distance_models <- function(spread, set) {
  log_tau2 <- log(spread$borrowing$tau2)
  slopes <- spread$slopes
  grid <- tlcp_spread_common_variances(diag(spread$parts$H[[1]])[slopes], spread$borrowing$common[slopes[1]])
  models <- lapply(grid, function(common) lapply(FACTORS, function(factor) {
    tau <- spread$size * factor
    borrowing <- spread$borrowing
    borrowing$common[slopes] <- common
    others <- log_tau2 - mean(log_tau2) + 2 * log(tau)
    borrowing$own[slopes, ] <- rep(exp(others), each = length(slopes))
    known <- tlcp_posterior_of_others(spread, borrowing)
    log_prior <- log(factor) - log1p(factor^2) + log(common) / 2 - log1p(common / spread$size^2)
    lapply(OWN_FACTORS, function(own) {
      all <- replace(others, 1, mean(others[-1]) + own)
      target <- tlcp_posterior_of_target(spread, known, replace(borrowing$own[, 1], slopes, exp(all[1])), set)
      target$log_weight <- target$log_lik + known$log_lik + log_prior - sum((all - mean(all))^2) / 32
      target
    })
  }))
  unlist(unlist(models, recursive = FALSE), recursive = FALSE)
}

# The same where the target's slopes are unrelated to the other domains', at each factor of their variance.
tlcp_posterior_unrelated_models <- function(spread, set) {
  lapply(ALONE_FACTORS, function(factor) {
    borrowing <- spread$borrowing
    borrowing$own[spread$alone, 1] <- borrowing$own[spread$alone, 1] * factor
    target <- tlcp_posterior_of_target(spread, tlcp_posterior_of_others(spread, borrowing), borrowing$own[, 1], set)
    target$log_weight <- target$log_lik - log(factor)^2 / (2 * 1.5^2)
    target
  })
}

# The distribution of the common coefficients given the other domains and this borrowing prior: mean and covariance,
# and the domains' marginal log-likelihood, but for a constant.
tlcp_posterior_of_others <- function(spread, borrowing) {
  tlcp_prior_or_stop(.Call(C_borrow_others, spread$domains, spread$s2, borrowing))
}

# The target's posterior on `set`. known: the prior of the common coefficients given the other domains; own: the
# variances of the target's deviations from them.
tlcp_posterior_of_target <- function(spread, known, own, set) {
  p <- length(own)
  # R's factors are used here and for `root`: their determinants are needed
  R <- chol(known$covariance + diag(own, p))
  P <- chol2inv(R)
  A <- spread$parts$H[[1]] + P
  b <- spread$parts$g[, 1] + drop(P %*% known$mean)
  root <- chol(A)
  half <- backsolve(root, b, transpose = TRUE)
  log_lik <- (sum(half^2) - sum(known$mean * (P %*% known$mean))) / 2 - sum(log(diag(root))) -
    sum(log(diag(R)))
  free <- c(set, setdiff(seq_len(p), spread$slopes))
  mine <- seq_along(set)
  V <- .Call(C_spd_inverse, A[free, free, drop = FALSE])
  list(log_lik = log_lik, V = V[mine, mine, drop = FALSE], mean = drop(V %*% b[free])[mine])
}

# The posterior of each slope in all domains, or of a target that stands alone in the target: its mean and covariance
# C, all features kept, and the precision K of its prior.
tlcp_posterior_of_features <- function(spread) {
  borrowing <- spread$borrowing
  own <- borrowing$own
  p <- nrow(own)
  coef <- tlcp_form_coefficients_of_all(spread$domains, c(borrowing, list(lam = 1 / spread$s2)))
  root <- tcrossprod(sqrt(borrowing$scales))
  V <- lapply(seq_along(spread$domains), function(domain) {
    .Call(C_spd_inverse, spread$domains[[domain]]$G * root / spread$s2[domain] + diag(1 / own[, domain], p))
  })
  # the mean of w_t given the common part is V_t g_t + V_t b/own_t
  B <- Map(function(V, domain) V / rep(own[, domain], each = p), V, seq_along(V))
  Q <- diag(1 / borrowing$common + rowSums(1 / own), p) -
    Reduce(`+`, Map(function(B, domain) B / own[, domain], B, seq_along(B)))
  half <- backsolve(chol((Q + t(Q)) / 2), diag(p)) # a factor of the inverse of Q
  B <- lapply(B, `%*%`, half)
  lapply(spread$slopes, function(i) {
    if (is.null(spread$alone)) {
      shared <- tcrossprod(do.call(rbind, lapply(B, function(B) B[i, ])))
      C <- shared + diag(vapply(V, function(V) V[i, i], 0), length(V))
      return(list(mean = coef[i, ], C = C, K = tlcp_form_coupling(borrowing$common[i], own[i, ])))
    }
    # a slope of a column that is constant in the target has no scale of its own
    known <- i %in% spread$alone
    list(mean = coef[i, 1], C = matrix(sum(B[[1]][i, ]^2) + V[[1]][i, i]),
         K = if (known) matrix(1 / (borrowing$common[i] + own[i, 1])))
  })
}

# The number that squared standard errors of counts and shares are multiplied by, beside the dispersion of the fit (1
# for NULL): the quotient of the dispersion given, or Pearson's estimate, and that of the fit.
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

# list(V, df) of a step: the covariance matrix (its diagonal if that is enough: the matrix of many features is large)
# and the degrees of freedom. Where posteriors are averaged, V includes the variance of their means.
tlcp_posterior_step_covariance <- function(object, step, call, dispersion = NULL, diagonal = FALSE) {
  posteriors <- object$posterior
  if (is.null(posteriors[[1]])) {
    abort_input("{.arg object} is a fit by {.code method = \"cutoff\"}.", "object",
                i = "Fit again with {.code method = \"exact\"}, which has standard errors.", call = call)
  }
  if (path_step_is_named(object, step)) {
    abort_input("{.arg step} is {.val {step}}: an average of subsets has no standard errors here.", "step",
                i = "Give the number of a step, or leave it out.", call = call)
  }
  k <- path_worth_check_one_step(object, step, NULL, call) + 1L
  weights <- object$borrowing$units_weights
  if (length(posteriors) == 1) weights <- 1
  if (!diagonal && !is.null(posteriors[[1]]$rows)) tlcp_rows_posterior_refuse_large(posteriors[[1]], call)
  V <- lapply(posteriors, tlcp_posterior_covariance, k, diagonal)
  set <- which(posteriors[[1]]$sets[, k])
  take <- c(1L, set + 1L)
  means <- lapply(posteriors, function(posterior) posterior$mean[take, k])
  centre <- Reduce(`+`, Map(`*`, means, weights))
  V <- Reduce(`+`, Map(function(V, mean, weight) {
    weight * (V + if (diagonal) (mean - centre)^2 else tcrossprod(mean - centre))
  }, V, means, weights))
  if (object$borrowing$borrow == "none" && is.null(posteriors[[1]]$covariance)) {
    V <- V * stats::sigma(object, step = step)^2 / (object$borrowing$s2[[1]] * object$response_scale[1]^2)
  }
  labels <- c("(Intercept)", labels_of_columns(object$settings$columns, posteriors[[1]]$columns[set]))
  if (diagonal) names(V) <- labels else dimnames(V) <- list(labels, labels)
  V <- V * tlcp_posterior_check_dispersion(dispersion, object, call)
  cox <- object$family == "cox"
  if (cox || !object$settings$intercept) V <- if (diagonal) V[-1] else V[-1, -1, drop = FALSE]
  # without borrowing the degrees of freedom of the residual variance of the chosen columns
  df <- if (object$borrowing$borrow != "none") posteriors[[1]]$df else
    if (inherits(object, "likelihood_path")) object$borrowing$s2_df %||% Inf else
      stats::df.residual(object, step = step)
  list(V = V, df = df)
}

# The quantile of intervals at level `level`; NA, with a message, where there are no degrees of freedom.
tlcp_posterior_quantile <- function(found, level) {
  if (isTRUE(found$df >= 1e-8)) return(stats::qt((1 + level) / 2, found$df))
  if (length(found$V)) {
    tell("No intervals: no domain has degrees of freedom for a residual variance.",
         "Give more rows than features.", class = "transelect_message_intervals")
  }
  NA_real_
}

#' Standard errors and confidence intervals of tlcp()
#'
#' Standard errors and intervals of the target's coefficients for a report: `confint(fit)`, or `tidy(fit, conf.int =
#' TRUE)` for a table. Without borrowing they equal those of [lm()], [glm()] (Wald's) or `survival::coxph()` on the
#' chosen columns. With borrowing they come from the posterior distribution of the coefficients, given the target's rows
#' and the prior from the other domains. If the fit has selected features, use `confint(fit, selective = TRUE)` or fit
#' all features (`select = FALSE`). For intervals of predictions use [conformal()].
#'
#' @section What they are conditional on: Standard errors are computed as if the columns of the model had been chosen
#'   before the data were seen. After selection they are therefore too small, and intervals cover less than their level,
#'   as after any stepwise search. A coefficient that was not selected has no standard error. For intervals that can be
#'   reported fit all features (`select = FALSE`), or features that were decided on beforehand (`keep`, and
#'   `drop` of [tlcp_control()]).
#'
#' Intervals use quantiles of Student's t with the degrees of freedom of the residual variance. The borrowing prior is
#' estimated from few coefficients, so the posterior is averaged over it (ours), with weights from the marginal
#' likelihood of the domains' quadratics. The average is over a common factor of all \eqn{\tau_t} with a half-Cauchy
#' prior, a factor of the target's \eqn{\tau_1}, \eqn{\omega} with a half-Cauchy prior (from half a standard error of
#' the target's slopes to 8 of them), and the scale c of each feature; for a target that borrows no slopes, over the
#' prior variance of the slopes. The variance behind an interval is the mean posterior variance, plus the variance of
#' the posterior mean over this average and over the units, if they are averaged. The estimates themselves are those at
#' the estimated borrowing prior. The borrowing prior counts as two degrees of freedom per feature (12 for six
#' features), combined with those of the residual variance: 1/df = 1/(2p) + 1/df of the variance. With normal quantiles
#' the intervals were too short in simulations with few features.
#'
#' The coverage, measured in `vignette("how-sure")`, is not nominal everywhere. It is above the level if domains are
#' equal, since equal domains cannot be told from domains that differ little. It is below the level if other domains
#' have effects of the opposite sign, and for odds from few rows with many large effects, for which the log-likelihood
#' is far from its quadratic approximation. Before you rely on an interval for odds from few rows, look at that of the
#' target alone (`borrow = "none"`).
#'
#' @section Rows that belong together: Rows are treated as independent, given their domain. There is no `cluster`
#'   argument. If several rows belong to one patient or one family, intervals are too short and too little is borrowed,
#'   and the evidence of [dissimilarity()] is wrong, too. A dispersion of counts does not correct this. Give one row per
#'   cluster, with the means of its rows, or use a mixed model.
#'
#' @section Other packages: `mice::pool()` combines fits to multiply imputed data by Rubin's rules. Fit all features
#'   (`select = FALSE`), or the same features in every data set: a coefficient that some fits lack is combined over the
#'   other fits only. The package marginaleffects computes standard errors by the delta method from `vcov()`.
#'
#' @param object,x A [tlcp()] fit (not by `method = "cutoff"`).
#' @param step Which model, see [transfer_path]. `NULL`: the default of the fit. For `tidy()`, `"all"`: every step.
#' @param parm Names or numbers of coefficients; all if left out.
#' @param level,conf.level Coverage.
#' @param lambda,return_zeros As in [tidy()][tidy.transfer_path].
#' @param conf.int Add `conf.low` and `conf.high`? (The table of one step always has `std.error`, `statistic` and
#'   `p.value`; a table of several steps has them only with `conf.int = TRUE`.)
#' @param exponentiate Give odds ratios, rate ratios or hazard ratios? Estimates and limits are then exponentiated, as
#'   in package broom; the standard error remains that of the logarithm.
#' @param complete As in [vcov()]: `TRUE` adds rows and columns of `NA` for coefficients that are not in the model.
#' @param dispersion For a binomial or Poisson model without borrowing: the factor of the variances, a number or
#'   `"pearson"` for the sum of the squared Pearson residuals of the default step
#'   divided by the rows minus the coefficients, as in `quasibinomial()` and `quasipoisson()`. Quantiles stay normal.
#'   `NULL`: that of the fit, see [tlcp()], which also estimates the dispersion if something is borrowed.
#' @param ... For `tidy()`: `domain`, for the coefficients of another domain (without standard errors). Other arguments
#'   are ignored, unless their name is close to one of these.
#' @param selective TRUE: intervals, and for `tidy()` also estimates and tests, that are valid after
#'   selection, see below.
#' @param share For `selective = TRUE`: the share of the information with which the columns are chosen.
#' @param data For `selective = TRUE`: the rows of the fit; NULL: those that its call names.
#' @returns `vcov()`: a matrix with one row per coefficient of the model, intercept first. `confint()`: a matrix of
#'   lower and upper limits with one row per coefficient of [coef()], `NA` for those that are not in the model, so that
#'   `exp(cbind(coef(fit), confint(fit)))` is a table of odds ratios. `tidy()`: the data
#'   frame of [tidy()][tidy.transfer_path].
#'
#' [greedytl()], [tgreedy()], [msplit()] and [shareboost()] have no standard errors, and `vcov()` and `confint()` of
#' their fits are errors, because the same rows choose the columns and shrink the coefficients. For a [cv_path()] object
#' with `fit = tlcp` they belong to the step that cross-validation chose, `step = "1se"`.
#' @section Intervals after selection: `confint()` treats the chosen columns as if they had been decided on beforehand.
#'   If effects are weak this is too optimistic, because the same rows chose the columns. `selective = TRUE` corrects
#'   for this by data thinning (Neufeld et al. 2024). Normal noise divides the response into two independent parts. One
#'   part chooses the columns, with the settings of the fit; the other gives their intervals. What is borrowed is
#'   thinned in the same way. The result has the columns that the first part chose (attribute `selected`), which need
#'   not be those of the fit. It needs the rows and a numeric response, assumes that the residual variances of the fit
#'   are the true ones, and draws random numbers: [set.seed()] makes it repeatable.
#' @references Morris, C. N. (1983). Parametric empirical Bayes inference: theory and applications. *Journal of the
#'   American Statistical Association* 78, 47-55: why intervals at an estimated prior are too short. The average and the
#'   degrees of freedom here are ours. \doi{10.1080/01621459.1983.10477920}
#'
#'   Neufeld, A., Dharamshi, A., Gao, L. L. and Witten, D. (2024). Data thinning for convolution-closed distributions.
#'   *Journal of Machine Learning Research* 25. \doi{10.48550/arXiv.2301.07276}
#' @seealso [tlcp()]
#' @examples
#' cars <- transform(mtcars, gear = ifelse(gear == 4, "four", "other"))
#' odds <- tlcp(vs ~ wt + disp, data = cars, family = binomial, domain = gear, target = "four",
#'              select = FALSE)
#' confint(odds)
#' tidy(odds, conf.int = TRUE, exponentiate = TRUE)
#' @name confint.tlcp
NULL

#' @rdname confint.tlcp
#' @export
vcov.tlcp <- function(object, step = NULL, ..., complete = NULL, dispersion = NULL) {
  call <- rlang::current_env()
  if ("regcoef.only" %in% names(arguments_of_generic("regcoef.only"))) {
    abort_input("{.arg regcoef.only} is of functions of package rms, which read components that a fit here lacks.",
                "regcoef.only", i = "Give the fit to {.fn car::vif} or {.fn performance::check_collinearity} in place of
                                     {.fn rms::vif}, and to {.fn mice::pool} in place of {.fn fit.mult.impute}.",
                call = call)
  }
  V <- tlcp_posterior_step_covariance(object, step, call, dispersion)$V
  if (is.null(complete) || !check_flag(complete, "complete", call)) return(V)
  all <- names(stats::coef(object, step = step))
  wide <- matrix(NA_real_, length(all), length(all), dimnames = list(all, all))
  wide[rownames(V), rownames(V)] <- V
  wide
}

#' @rdname confint.tlcp
#' @export
confint.tlcp <- function(object, parm, level = .95, step = NULL, ..., dispersion = NULL, selective = FALSE,
                         share = .5, data = NULL) {
  arguments_of_generic()
  call <- rlang::current_env()
  level <- check_share(level, "level", call)
  if (check_flag(selective, "selective", call)) {
    tlcp_selective_refuse_step(step, call)
    out <- tlcp_selective_confint(object, level, share, data, parent.frame(), call)
    if (missing(parm)) return(out)
    wanted <- tlcp_posterior_chosen_terms(parm, names(stats::coef(object)), call)
    return(out[intersect(wanted, rownames(out)), , drop = FALSE])
  }
  found <- tlcp_posterior_step_covariance(object, step, call, dispersion, diagonal = TRUE)
  b <- stats::coef(object, step = step)
  terms <- names(b)
  wanted <- if (missing(parm)) terms else tlcp_posterior_chosen_terms(parm, terms, call)
  b <- unname(b[wanted])
  tails <- c((1 - level) / 2, (1 + level) / 2)
  half <- unname(sqrt(found$V)[wanted]) * tlcp_posterior_quantile(found, level)
  half[is.nan(half)] <- NA
  matrix(c(b - half, b + half), length(b),
         dimnames = list(wanted, paste(format(100 * tails, trim = TRUE, digits = 3), "%")))
}

# The names of the terms that `parm` names or numbers, as in confint.lm().
tlcp_posterior_chosen_terms <- function(parm, terms, call) {
  # numbers of both signs cannot index
  chosen <- if (is.numeric(parm)) tryCatch(terms[as.vector(parm)], error = function(e) NULL) else parm
  if (!is.character(chosen) || !length(chosen) || any(!chosen %in% terms)) {
    abort_value(parm, "parm", "Name some of {.val {terms}}, or give their numbers.", call)
  }
  chosen
}

# The coefficients that marginaleffects varies for its delta method: those of the default model that have a variance,
# named as in vcov().
#' @exportS3Method marginaleffects::get_coef
get_coef.tlcp <- function(model, ...) {
  stats::coef(model)[rownames(stats::vcov(model))]
}

#' @exportS3Method marginaleffects::set_coef
set_coef.tlcp <- function(model, coefs, ...) {
  at <- match(model$best, model$points$step)
  terms <- setdiff(rownames(stats::vcov(model)), "(Intercept)")
  column <- model$beta[, at]
  column[terms] <- coefs[terms]
  model$beta[, at] <- column
  if ("(Intercept)" %in% names(coefs)) model$a0[at] <- coefs[["(Intercept)"]]
  model
}

# marginaleffects hands on settings of its own, which predict() does not know: they are left out.
#' @exportS3Method marginaleffects::get_predict
get_predict.tlcp <- function(model, newdata, type = "response", ...) {
  given <- list(...)
  known <- c(names(formals(predict.transfer_path)), path_model_arguments("path_model", model))
  given <- given[intersect(names(given), setdiff(known, c("object", "newdata", "type")))]
  given$domain <- given$domain %||% model$target # whose coefficients have standard errors
  its_own <- utils::getS3method("get_predict", "default", envir = asNamespace("marginaleffects"))
  do.call(its_own, c(list(model = model, newdata = newdata, type = type), given))
}

#' @rdname confint.tlcp
#' @export
tidy.tlcp <- function(x, step = NULL, lambda = NULL, return_zeros = FALSE, conf.int = FALSE,
                      conf.level = .95, exponentiate = FALSE, dispersion = NULL, selective = FALSE, share = .5,
                      data = NULL, ...) {
  more <- arguments_of_generic(path_tidy_arguments(x))
  call <- rlang::current_env()
  check_flag(return_zeros, "return_zeros", call)
  check_flag(conf.int, "conf.int", call)
  conf.level <- check_share(conf.level, "conf.level", call)
  if (check_flag(selective, "selective", call)) {
    tlcp_selective_refuse_step(step, call)
    fit <- tlcp_selective_fit(x, share, data, parent.frame(), call)
    if (!length(fit$selected)) fit <- x
    out <- tidy.tlcp(fit, conf.int = conf.int, conf.level = conf.level, exponentiate = exponentiate)
    return(if (identical(fit, x)) out[0L, ] else out)
  }
  out <- path_tidy_table(x, step, lambda, return_zeros, more, call)
  other <- length(more) && !identical(as.character(more$domain), x$target)
  if (other && conf.int) {
    abort_input("{.arg domain} is {.val {more$domain}}, and standard errors are asked for.", "domain",
                i = "Leave it out: they are of the target's coefficients.", call = call)
  }
  asked <- conf.int || !identical(dispersion, 1)
  one <- length(unique(out$step)) == 1L
  if (asked || one && !other && tlcp_posterior_has_errors(x)) out <- tlcp_posterior_with_term_errors(out, x, conf.int,
                                                                                                     conf.level,
                                                                                                     dispersion, call)
  path_tidy_exponentiated(out, x, exponentiate, call)[path_tidy_order(out)]
}

# Standard errors exist for fits by method "exact"; those of classes coded as two numbers would be wrong.
tlcp_posterior_has_errors <- function(x) !is.null(x$posterior[[1]]) && !path_object_has_classes_by_squares(x)

# A table of path_tidy_table() with standard errors, statistics and p-values of each coefficient, and confidence limits.
tlcp_posterior_with_term_errors <- function(out, x, conf.int, conf.level, dispersion, call) {
  if (!nrow(out)) { # of an empty Cox model there is no coefficient
    for (name in c("std.error", "statistic", "p.value",
                   if (conf.int) c("conf.low", "conf.high"))) out[[name]] <- numeric()
    return(out)
  }
  parts <- cv_refit_messages_once(lapply(split(out, out$step), function(rows) {
    found <- tlcp_posterior_step_covariance(x, rows$step[1], call, dispersion, diagonal = TRUE)
    rows$std.error <- unname(sqrt(found$V)[rows$term])
    rows$statistic <- rows$estimate / rows$std.error
    rows$p.value <- if (isTRUE(found$df >= 1e-8)) 2 * stats::pt(-abs(rows$statistic), found$df) else NA_real_
    if (!conf.int) return(rows)
    half <- rows$std.error * tlcp_posterior_quantile(found, conf.level)
    half[is.nan(half)] <- NA
    rows$conf.low <- rows$estimate - half
    rows$conf.high <- rows$estimate + half
    rows
  }))
  out <- do.call(rbind, unname(parts))
  row.names(out) <- NULL
  out
}
