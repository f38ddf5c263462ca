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
    # what tlcp_posterior_components() needs for its average: the domains, the borrowing prior, and H and g of the
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
  df <- tlcp_spread_df(borrowing$s2_df[1] %||% Inf, if (!is.null(spread)) length(spread$slopes))
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

# The posterior of intercept and slopes of the features of step k, on the original scale. V: the covariance matrix, or
# its diagonal alone. The limits of intervals are quantiles of a mixture of t distributions, a component for each
# borrowing prior that is averaged over: weights; `away`, the means less the estimate, and `variance`, a row for each
# coefficient and a column for each component.
tlcp_posterior_mixture <- function(posterior, k, diagonal = FALSE) {
  if (!is.null(posterior$rows)) return(tlcp_rows_posterior_mixture(posterior, k, diagonal))
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
  unit <- posterior$root[set] * posterior$y_scale / posterior$x_scale[set]
  to <- matrix(0, length(set) + 1, ncol(C))
  to[cbind(slopes + 1, slopes)] <- unit
  to[1, slopes] <- -posterior$x_mean[set] * unit
  if (ncol(C) > length(set)) to[1, ncol(C)] <- posterior$y_scale
  components <- if (length(set) && !is.null(posterior$spread)) {
    tlcp_posterior_components(posterior$spread, set, C)
  } else {
    list(list(weight = 1, away = numeric(ncol(C)), V = C))
  }
  weights <- vapply(components, `[[`, 0, "weight")
  away <- to %*% matrix(unlist(lapply(components, `[[`, "away")), ncol(C), length(components))
  variance <- vapply(components, function(component) rowSums((to %*% component$V) * to), numeric(nrow(to)))
  variance <- matrix(variance, nrow(to))
  constant <- posterior$mean_variance * posterior$y_scale^2
  variance[1, ] <- variance[1, ] + constant
  mixture <- list(weights = weights, away = away, variance = variance)
  if (diagonal) {
    mixture$V <- drop((variance + away^2) %*% weights)
  } else {
    V <- to %*% Reduce(`+`, lapply(components, function(component) component$weight * component$V)) %*% t(to) +
      tcrossprod(away * rep(sqrt(weights), each = nrow(away)))
    V[1, 1] <- V[1, 1] + constant
    mixture$V <- (V + t(V)) / 2
  }
  mixture
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

# A step's list(V, df, mixture): the covariance matrix, or its diagonal if that is enough (the matrix of many features
# is large), the degrees of freedom, and the components of tlcp_posterior_mixture() of all posteriors that are
# averaged.
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
  found <- lapply(posteriors, tlcp_posterior_mixture, k, diagonal)
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
  times <- tlcp_posterior_check_dispersion(dispersion, object, call)
  if (object$borrowing$borrow == "none" && is.null(posteriors[[1]]$covariance)) {
    times <- times * stats::sigma(object, step = step)^2 / (object$borrowing$s2[[1]] * object$response_scale[1]^2)
  }
  V <- V * times
  mixture$variance <- mixture$variance * times
  labels <- c("(Intercept)", labels_of_columns(object$settings$columns, posteriors[[1]]$columns[set]))
  if (diagonal) names(V) <- labels else dimnames(V) <- list(labels, labels)
  cox <- object$family == "cox"
  if (cox || !object$settings$intercept) {
    V <- if (diagonal) V[-1] else V[-1, -1, drop = FALSE]
    mixture[-1] <- lapply(mixture[-1], function(part) part[-1, , drop = FALSE])
    labels <- labels[-1]
  }
  rownames(mixture$away) <- labels
  # without borrowing the degrees of freedom of the residual variance of the chosen columns
  df <- if (object$borrowing$borrow != "none") posteriors[[1]]$df else
    if (inherits(object, "likelihood_path")) object$borrowing$s2_df %||% Inf else
      stats::df.residual(object, step = step)
  list(V = V, df = df, mixture = mixture)
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
#' The borrowing prior is estimated from few coefficients, so the posterior is averaged over it (ours), with weights
#' from the marginal likelihood of the domains' quadratics. The average is over the distance \eqn{\tau} of the other
#' domains, with a half-Cauchy prior and probability .2 that all domains are equal; over the target's \eqn{\tau_1},
#' which is that of the others or larger, uniform in its logarithm; over \eqn{\omega} with a half-Cauchy prior (from
#' half a standard error of the target's slopes to 8 of them); over the prior variance of the slopes of a target that
#' borrows none; and over the units, if they are averaged. The limits of an interval are quantiles of this mixture, in
#' tables and pictures of a fit, too. They need not be symmetric about the estimate, which is that at the estimated
#' borrowing prior.
#'
#' `vcov()` and the standard errors have the mean squares about the estimate in the same mixture. These also average
#' over the scale c of each feature, which widens every component. The p-value of `tidy()` is twice the smaller of the
#' probabilities of the two sides of 0 in the mixture. It is below .05 if the 95 % interval leaves 0 out, and it is not
#' that of `statistic`, the estimate divided by its standard error. Intervals of predictions,
#' and tests and intervals by other packages, are symmetric: they use `vcov()` and quantiles of Student's t.
#'
#' The components are t distributions. The borrowing prior counts as four degrees of freedom per feature (24 for six
#' features), combined with those of the residual variance: 1/df = 1/(4p) + 1/df of the variance. With normal components
#' the intervals were too short in simulations with few features.
#'
#' The coverage, measured in `vignette("how-sure")`, is not nominal everywhere. It is below the level if the other
#' domains are alike, the target has few rows, and its effects (all or one) differ from theirs, which so few rows
#' cannot tell. It is also lower for odds, and for counts that vary more than a Poisson distribution says: then the
#' log-likelihood is far from its quadratic approximation. Before you rely on an interval for odds from few rows, look
#' at that of the target alone (`borrow = "none"`).
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
#'   are errors, see [transfer_path].
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
    abort_input("{.arg regcoef.only} is an argument of functions of package rms. They read components that this fit
                 lacks.",
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
    limits <- tlcp_selective_confint(object, level, share, data, parent.frame(), call)
    if (missing(parm)) return(limits)
    wanted <- tlcp_posterior_chosen_terms(parm, names(stats::coef(object)), call)
    return(limits[intersect(wanted, rownames(limits)), , drop = FALSE])
  }
  found <- tlcp_posterior_step_covariance(object, step, call, dispersion, diagonal = TRUE)
  b <- stats::coef(object, step = step)
  terms <- names(b)
  wanted <- if (missing(parm)) terms else tlcp_posterior_chosen_terms(parm, terms, call)
  tails <- c((1 - level) / 2, (1 + level) / 2)
  structure(tlcp_posterior_limits(found, b[wanted], level),
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
  best <- match(model$best, model$points$step)
  terms <- setdiff(rownames(stats::vcov(model)), "(Intercept)")
  column <- model$beta[, best]
  column[terms] <- coefs[terms]
  model$beta[, best] <- column
  if ("(Intercept)" %in% names(coefs)) model$a0[best] <- coefs[["(Intercept)"]]
  model
}

# marginaleffects passes on its own settings, which predict() does not know: they are left out.
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
  more <- arguments_of_generic(path_tidy_arguments(x), same = TIDY_ARGUMENTS)
  call <- rlang::current_env()
  check_flag(return_zeros, "return_zeros", call)
  check_flag(conf.int, "conf.int", call)
  conf.level <- check_share(conf.level, "conf.level", call)
  if (check_flag(selective, "selective", call)) {
    tlcp_selective_refuse_step(step, call)
    fit <- tlcp_selective_fit(x, share, data, parent.frame(), call)
    if (!length(fit$selected)) fit <- x
    table <- tidy.tlcp(fit, conf.int = conf.int, conf.level = conf.level, exponentiate = exponentiate)
    return(if (identical(fit, x)) table[0L, ] else table)
  }
  table <- path_tidy_table(x, step, lambda, return_zeros, more, call)
  other <- length(more) && !identical(as.character(more$domain), x$target)
  if (other && conf.int) {
    abort_input("There are no standard errors of the coefficients of {.arg domain} {.val {more$domain}}.", "domain",
                i = "Leave {.arg domain} out: standard errors are those of the target's coefficients.", call = call)
  }
  asked <- conf.int || !identical(dispersion, 1)
  one <- length(unique(table$step)) == 1L
  if (asked || one && !other && tlcp_posterior_has_errors(x)) {
    table <- tlcp_posterior_with_term_errors(table, x, conf.int, conf.level, dispersion, call)
  }
  path_tidy_exponentiated(table, x, exponentiate, call)[path_tidy_order(table)]
}

# Standard errors exist for fits by method "exact"; those of classes coded as two numbers would be wrong.
tlcp_posterior_has_errors <- function(x) !is.null(x$posterior[[1]]) && !path_object_has_classes_by_squares(x)

# A table of path_tidy_table() with standard errors, statistics and p-values of each coefficient, and confidence limits.
tlcp_posterior_with_term_errors <- function(table, x, conf.int, conf.level, dispersion, call) {
  if (!nrow(table)) { # of an empty Cox model there is no coefficient
    for (name in c("std.error", "statistic", "p.value",
                   if (conf.int) c("conf.low", "conf.high"))) table[[name]] <- numeric()
    return(table)
  }
  parts <- cv_refit_messages_once(lapply(split(table, table$step), function(rows) {
    found <- tlcp_posterior_step_covariance(x, rows$step[1], call, dispersion, diagonal = TRUE)
    rows$std.error <- unname(sqrt(found$V)[rows$term])
    rows$statistic <- rows$estimate / rows$std.error
    b <- stats::setNames(rows$estimate, rows$term)
    rows$p.value <- unname(tlcp_posterior_p_values(found, b))
    if (conf.int) rows[c("conf.low", "conf.high")] <- tlcp_posterior_limits(found, b, conf.level)
    rows
  }))
  table <- do.call(rbind, unname(parts))
  row.names(table) <- NULL
  table
}
