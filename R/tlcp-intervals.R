# Standard errors, intervals and tests of the target's coefficients from the posterior of tlcp-posterior.R: vcov(),
# confint() and tidy().

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
#' One more component has the weight .1 whatever the evidence says (`own` of [tlcp_control()]): the target's own least
#' squares fit. Few rows cannot tell an effect that only the target has from noise. The posterior then relies on the
#' other domains, and without this component its intervals missed just the effects in which the target differs. For
#' likelihoods the own fit is that of the quadratic approximation. There is no such component where the target's rows do
#' not determine all coefficients.
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
#' with `fit = tlcp` they belong to the default step of [cv_path()].
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
    wanted <- tlcp_intervals_terms(parm, names(stats::coef(object)), call)
    return(limits[intersect(wanted, rownames(limits)), , drop = FALSE])
  }
  found <- tlcp_posterior_step_covariance(object, step, call, dispersion, diagonal = TRUE)
  b <- stats::coef(object, step = step)
  terms <- names(b)
  wanted <- if (missing(parm)) terms else tlcp_intervals_terms(parm, terms, call)
  tails <- c((1 - level) / 2, (1 + level) / 2)
  structure(tlcp_intervals_limits(found, b[wanted], level),
            dimnames = list(wanted, paste(format(100 * tails, trim = TRUE, digits = 3), "%")))
}

# The names of the terms that `parm` names or numbers, as in confint.lm().
tlcp_intervals_terms <- function(parm, terms, call) {
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
  asked <- conf.int || !is.null(dispersion)
  one <- length(unique(table$step)) <= 1L
  if (!other && (asked || one && tlcp_posterior_has_errors(x))) {
    table <- tlcp_intervals_added(table, x, conf.int, conf.level, dispersion, call)
  }
  path_tidy_exponentiated(table, x, exponentiate, call)[path_tidy_order(table)]
}

# A table of path_tidy_table() with standard errors, statistics and p-values of each coefficient, and confidence limits.
tlcp_intervals_added <- function(table, x, conf.int, conf.level, dispersion, call) {
  if (!nrow(table)) { # of an empty Cox model there is no coefficient
    for (name in c("std.error", "statistic", "p.value",
                   if (conf.int) c("conf.low", "conf.high"))) table[[name]] <- numeric()
    return(table)
  }
  steps <- split(table, table$step)
  found <- tlcp_posterior_steps(x, lapply(steps, function(rows) rows$step[1]), call, dispersion, diagonal = TRUE)
  parts <- cv_refit_messages_once(Map(function(rows, found) {
    rows$std.error <- unname(sqrt(found$V)[rows$term])
    rows$statistic <- rows$estimate / rows$std.error
    b <- stats::setNames(rows$estimate, rows$term)
    rows$p.value <- unname(tlcp_intervals_p_values(found, b))
    if (conf.int) rows[c("conf.low", "conf.high")] <- tlcp_intervals_limits(found, b, conf.level)
    if (!is.null(found$shares)) {
      at <- match(rows$term, rownames(found$shares))
      rows$weight <- unname(tlcp_shares_of_others(found$shares))[at]
      rows$shrinkage <- unname(tlcp_shares_of_prior(found$shares))[at]
    }
    rows
  }, steps, found))
  table <- do.call(rbind, unname(parts))
  row.names(table) <- NULL
  table
}

# The limits of intervals at level `level` about the estimates b, named as these, a row each: quantiles of the mixture.
# NA, with a message, where there are no degrees of freedom.
tlcp_intervals_limits <- function(found, b, level) {
  row <- match(names(b), rownames(found$mixture$away))
  limits <- matrix(NA_real_, length(b), 2)
  if (!isTRUE(found$df >= 1e-8)) {
    if (length(found$V)) {
      tell("No intervals: no domain has degrees of freedom for a residual variance.",
           "Give more rows than features.", class = "transelect_message_intervals")
    }
    return(limits)
  }
  there <- !is.na(row)
  away <- found$mixture$away[row[there], , drop = FALSE]
  variance <- found$mixture$variance[row[there], , drop = FALSE]
  tail <- (1 - level) / 2
  df <- found$mixture$df %||% found$df
  limits[there, ] <- b[there] + cbind(tlcp_intervals_quantile(found$mixture$weights, away, variance, df, tail),
                                   -tlcp_intervals_quantile(found$mixture$weights, -away, variance, df, tail))
  limits[is.nan(limits)] <- NA
  limits
}

# Degrees of freedom, one for all components or one each, as a matrix of `rows` rows is filled.
tlcp_intervals_df <- function(df, rows) if (length(df) == 1) df else rep(df, each = rows)

# Twice the smaller of the probabilities of the mixture below and above 0: below 1 - level where 0 is outside the
# interval. b: the estimates, named.
tlcp_intervals_p_values <- function(found, b) {
  if (!isTRUE(found$df >= 1e-8)) return(rep(NA_real_, length(b)))
  row <- match(names(b), rownames(found$mixture$away))
  z <- (b + found$mixture$away[row, , drop = FALSE]) / sqrt(found$mixture$variance[row, , drop = FALSE])
  df <- tlcp_intervals_df(found$mixture$df %||% found$df, length(b))
  below <- z
  below[] <- stats::pt(-z, df)
  above <- z
  above[] <- stats::pt(z, df)
  pmin(2 * pmin(drop(below %*% found$mixture$weights), drop(above %*% found$mixture$weights)), 1)
}

# The quantile at `tail` of each row's mixture of t distributions, by Newton's steps, or bisection where these leave the
# interval that is known to hold it, at first that of the smallest and the largest quantile of the components.
tlcp_intervals_quantile <- function(weights, mean, variance, df, tail) {
  scale <- sqrt(variance)
  quantiles <- mean + scale * stats::qt(tail, tlcp_intervals_df(df, nrow(mean)))
  if (ncol(quantiles) == 1 || !nrow(quantiles)) return(quantiles[seq_len(nrow(quantiles))])
  low <- do.call(pmin, lapply(seq_len(ncol(quantiles)), function(m) quantiles[, m]))
  high <- do.call(pmax, lapply(seq_len(ncol(quantiles)), function(m) quantiles[, m]))
  near <- 1e-11 * (high - low)
  x <- drop(quantiles %*% weights)
  at <- seq_along(x) # the rows that have not converged
  for (round in seq_len(100)) {
    z <- (x[at] - mean[at, , drop = FALSE]) / scale[at, , drop = FALSE]
    each <- tlcp_intervals_df(df, length(at))
    share <- z
    share[] <- stats::pt(z, each)
    share[is.nan(share)] <- 1 # a component without variance, at its mean
    short <- tail - drop(share %*% weights)
    low[at] <- ifelse(short > 0, x[at], low[at])
    high[at] <- ifelse(short > 0, high[at], x[at])
    new <- x[at] + short / drop((stats::dt(z, each) / scale[at, , drop = FALSE]) %*% weights)
    inside <- is.finite(new) & new > low[at] & new < high[at]
    new <- ifelse(inside, new, (low[at] + high[at]) / 2)
    moving <- abs(new - x[at]) > near[at]
    x[at] <- new
    at <- at[which(moving)]
    if (!length(at)) break
  }
  x
}
