# Standard errors of tlcp(): the covariance matrix of the target's coefficients after the data, how
# strongly to borrow and the features chosen being as if known.

# What a path keeps for it, in the coordinates that were searched:
#   A         the posterior precision, levels last (NULL: `covariance` has the inverse by step)
#   n_domains   coordinates by feature, the target's the first
#   level     are there levels?
#   root, x_scale, x_mean, y_scale    from coordinates to the original scale
#   mean_variance   where there is no level, the variance of the target's mean response
#   columns, sets, df, mean           columns in the running; sets by step; degrees of freedom of the
#                                     residual variance; coefficients by step (intercept first)
path_posterior <- function(path) {
  if (is.null(path$form)) return(NULL) # cutoff
  form <- path$form$full %||% path$form
  strength <- path$strength
  domain <- path$domains[[1]]
  level <- !is.null(path$form$full)
  spread <- distance_spread(path$domains, strength)
  raw <- raw_coefficients(path$z[[1]], path$columns, path$all_domains[[1]])
  n <- path$all_domains[[1]]$n
  list(
    A = form$A, n_domains = form$n_domains, level = level, root = sqrt(strength$scales)[seq_along(path$columns)],
    x_scale = domain$x_scale[path$columns], x_mean = domain$x_mean[path$columns], y_scale = domain$y_scale,
    mean_variance = if (level) 0 else strength$s2[1] / n, columns = path$columns, sets = path$sets,
    df = strength$s2_df[1] %||% Inf, mean = rbind(raw$a0, raw$beta), spread = spread
  )
}

family_posterior <- function(path) {
  domain <- path$all_domains[[1]]
  columns <- path$columns
  slopes <- lapply(path$coef, function(coef) c(coef$a0[1], coef$beta[columns, 1]))
  list(
    covariance = path$covariance, root = path$polisher$root[seq_along(columns)],
    x_scale = domain$x_scale[columns], x_mean = domain$x_mean[columns], y_scale = 1, mean_variance = 0,
    columns = columns, sets = path$sets, df = Inf, mean = do.call(cbind, slopes),
    spread = distance_spread(path$domains, path$strength)
  )
}

# Of the features of step k: the covariance matrix of intercept and slopes on the original scale.
posterior_covariance <- function(posterior, k) {
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
      C <- chol2inv(chol(posterior$A[free, free, drop = FALSE]))[mine, mine, drop = FALSE]
    }
  }
  slopes <- seq_along(set)
  if (length(set) && !is.null(posterior$spread)) {
    C[slopes, slopes] <- C[slopes, slopes] + spread_by_distance(posterior$spread, set)
  }
  unit <- posterior$root[set] * posterior$y_scale / posterior$x_scale[set]
  to <- matrix(0, length(set) + 1, ncol(C))
  to[cbind(slopes + 1, slopes)] <- unit
  to[1, slopes] <- -posterior$x_mean[set] * unit
  if (ncol(C) > length(set)) to[1, ncol(C)] <- posterior$y_scale
  V <- to %*% C %*% t(to)
  V[1, 1] <- V[1, 1] + posterior$mean_variance * posterior$y_scale^2
  (V + t(V)) / 2
}

# ---- how far domains are from each other -----------------------------------------------------------

# tau_t are estimated from few coefficients. With them taken as known intervals would be too short where
# they are small, so the posterior is averaged over a common factor of all tau_t and a factor of the
# target's: by the marginal likelihood, the prior of ?tlcp on single log tau_t^2, and a half-Cauchy prior
# on the geometric mean of tau_t whose scale is the size of the coefficients (Gelman 2006).
#
# The scales c of features are from few numbers, too. Their logarithms have at most the variance of their
# prior, trigamma(nu/2), nu = 4, which is taken, and the mean of the posterior moves with them.
#
# What is needed of all this: the domains and the strength, and H and g of the target in the strength's
# columns.
distance_spread <- function(domains, strength) {
  if (strength$borrow != "hierarchical" || isTRUE(strength$alone)) return(NULL)
  root <- sqrt(strength$scales)
  list(
    parts = scaled_parts(domains[1], strength), domains = lapply(domains, `[`, c("G", "g", "level")),
    s2 = 1 / strength$lam, strength = strength[c("common", "own", "scales", "tau2")], size = sqrt(strength$omega2 + strength$tau2[[1]]),
    slopes = seq_len(length(root) - isTRUE(domains[[1]]$level)),
    scales = if (any(strength$scales != 1)) trigamma(2) else 0
  )
}

FACTORS <- 2^seq(-6, 4, by = .5) # of the geometric mean of tau_t, relative to the size of coefficients
OWN_FACTORS <- seq(-3, 3)        # of log tau_1^2, beside the common one

# What averaging adds to the covariance of the features `set`.
spread_by_distance <- function(spread, set) {
  log_tau2 <- log(spread$strength$tau2)
  tau <- spread$size * FACTORS
  k <- length(tau)
  width <- (c(tau[-1], tau[k]) - c(0, tau[-k])) / 2
  log_prior <- log(width) - log1p((tau / spread$size)^2)
  models <- lapply(seq_along(tau), function(i) {
    others <- log_tau2 - mean(log_tau2) + 2 * log(tau[i])
    sources <- sources_given(spread, exp(others))
    lapply(OWN_FACTORS, function(own) {
      all <- replace(others, 1, mean(others[-1]) + own)
      target <- target_given(spread, sources, exp(all[1]), set)
      target$log_weight <- target$log_lik + sources$log_lik + log_prior[i] - sum((all - mean(all))^2) / 2
      target
    })
  })
  models <- unlist(models, recursive = FALSE)
  sources <- sources_given(spread, spread$strength$tau2)
  estimated <- target_given(spread, sources, spread$strength$tau2[[1]], set)
  weights <- average_weights(vapply(models, `[[`, 0, "log_weight"), least = 1e-4)
  used <- weights > 0
  Reduce(`+`, Map(function(model, weight) {
    weight * (model$wide - estimated$V + tcrossprod(model$mean - estimated$mean))
  }, models[used], weights[used]))
}

# What the sources say of the common coefficients with these tau2: their mean and covariance, and the
# marginal log-likelihood of the sources, but for a constant.
sources_given <- function(spread, tau2) {
  strength <- spread$strength
  strength$own[spread$slopes, ] <- rep(tau2, each = length(spread$slopes))
  out <- .Call(C_borrow_sources, spread$domains, spread$s2, strength)
  if (out$status != 0) stop("the posterior could not be evaluated")
  out
}

# The target's posterior on `set` beside them: `wide`, the covariance with what scales add, and V without.
target_given <- function(spread, sources, tau2, set) {
  own <- spread$strength$own[, 1]
  own[spread$slopes] <- tau2
  p <- length(own)
  R <- chol(sources$covariance + diag(own, p))
  P <- chol2inv(R)
  A <- spread$parts$H[[1]] + P
  b <- spread$parts$g[, 1] + drop(P %*% sources$mean)
  root <- chol(A)
  half <- backsolve(root, b, transpose = TRUE)
  log_lik <- (sum(half^2) - sum(sources$mean * (P %*% sources$mean))) / 2 - sum(log(diag(root))) -
    sum(log(diag(R)))
  free <- c(set, setdiff(seq_len(p), spread$slopes))
  mine <- seq_along(set)
  inner <- chol(A[free, free, drop = FALSE])
  V <- chol2inv(inner)
  mean <- drop(V %*% b[free])
  wide <- V
  if (spread$scales > 0) {
    # d mean / d log c_i = -(V e_i (P d)_i + V P e_i d_i)/2, d what the prior's mean is away
    P <- P[free, free, drop = FALSE]
    away <- sources$mean[free] - mean
    moves <- -(V * rep(drop(P %*% away), each = nrow(V)) + (V %*% P) * rep(away, each = nrow(V))) / 2
    wide <- V + spread$scales * tcrossprod(moves[, mine, drop = FALSE])
  }
  list(log_lik = log_lik, V = V[mine, mine, drop = FALSE], wide = wide[mine, mine, drop = FALSE],
       mean = mean[mine])
}

# What standard errors of counts and shares are multiplied with, squared: a number, or Pearson's estimate.
check_dispersion <- function(dispersion, object, call) {
  if (identical(dispersion, 1)) return(1)
  plain <- inherits(object, "likelihood_path") && object$family != "cox" && object$strength$borrow == "none"
  if (!plain) {
    abort_input("{.arg dispersion} is {.val {dispersion}}.", "dispersion",
                i = "It is for {.val binomial} and {.val poisson} models that borrow nothing: leave it out.",
                call = call)
  }
  if (identical(dispersion, "pearson")) {
    left <- object$nobs - object$steps$df[object$best + 1]
    return(if (left > 0) sum(object$pearson_residuals^2) / left else NA_real_)
  }
  if (is.character(dispersion)) {
    abort_input("{.arg dispersion} is {.val {dispersion}}.", "dispersion",
                i = "Give a number, or {.val pearson}.", call = call)
  }
  check_number(dispersion, "dispersion", 0, call)
}

# list(V, df) of a step; averages are over posteriors by their weights, means apart included.
step_covariance <- function(object, step, call, dispersion = 1) {
  posteriors <- object$posterior
  if (is.null(posteriors[[1]])) {
    abort_input("{.arg object} is a fit by {.code method = \"cutoff\"}.", "object",
                i = "Standard errors are those of {.code method = \"exact\"}.", call = call)
  }
  step <- check_step(object, step, NULL, call)
  if (length(step) != 1) {
    abort_input("{.arg step} names {length(step)} models.", "step", i = "Give one.", call = call)
  }
  k <- step + 1L
  weights <- object$strength$units_weights
  if (length(posteriors) == 1) weights <- 1
  V <- lapply(posteriors, posterior_covariance, k)
  set <- which(posteriors[[1]]$sets[, k])
  take <- c(1L, set + 1L)
  means <- lapply(posteriors, function(posterior) posterior$mean[take, k])
  centre <- Reduce(`+`, Map(`*`, means, weights))
  V <- Reduce(`+`, Map(function(V, mean, weight) weight * (V + tcrossprod(mean - centre)), V, means, weights))
  if (object$strength$borrow == "none" && is.null(posteriors[[1]]$covariance)) {
    V <- V * stats::sigma(object, step = step)^2 / (object$strength$s2[[1]] * object$y_scale[1]^2)
  }
  labels <- c("(Intercept)", column_labels(object$settings$columns, posteriors[[1]]$columns[set]))
  dimnames(V) <- list(labels, labels)
  V <- V * check_dispersion(dispersion, object, call)
  cox <- object$family == "cox"
  if (cox || !object$settings$intercept) V <- V[-1, -1, drop = FALSE]
  df <- if (object$strength$borrow == "none") own_freedom(object, step) else posteriors[[1]]$df
  list(V = V, df = df)
}

# Of the residual variance that is estimated anew for the chosen columns.
own_freedom <- function(object, step) {
  if (inherits(object, "likelihood_path")) return(Inf)
  stats::df.residual(object, step = step)
}

#' Standard errors and confidence intervals of tlcp()
#'
#' `vcov()`, `confint()` and `tidy(conf.int = TRUE)` of the target's coefficients. Without borrowing they
#' are those of [lm()], [glm()] (Wald's) or `survival::coxph()` on the chosen columns; with borrowing those
#' of the posterior: the coefficient's variance given the target's rows and the prior that the sources make.
#'
#' @section What they are conditional on: The columns of the model, as if they had been chosen before the
#'   data were seen. Of a selected model standard errors are therefore too small and intervals cover less
#'   than they say, as after any stepwise search; a coefficient that was not selected has none. For
#'   intervals that can be reported fit all features (`select = FALSE`), or those that were decided on
#'   beforehand (`keep` and `drop`).
#'
#'   Residual variances are counted with their degrees of freedom (quantiles of Student's t). How far
#'   domains are from each other is estimated from few coefficients, so the posterior is averaged over it
#'   (ours): over a common factor of all \eqn{\tau_t} and one of the target's, by the marginal likelihood,
#'   with a half-Cauchy prior on the common one. The mean of coefficients over domains, and over units that
#'   are averaged, moves with these, and the covariance has the variance of that, too. With a target of
#'   60 rows and three sources of 100, all features kept, intervals of 95 % covered 90.0 to 99.6 % of the
#'   coefficients in sixteen simulated cases, each with a standard error of about 2 (`Rscript
#'   bench/families.R coverage` in the package's repository): most where the domains were equal, and least
#'   for odds where they differed much.
#'
#' @section Other packages: `mice::pool()` combines fits to multiply imputed data by Rubin's rules. Fit all
#'   features (`select = FALSE`), or the same ones in every data set: a coefficient that some fits lack is
#'   combined over the others alone. marginaleffects takes these fits once it is told
#'   `options(marginaleffects_model_classes = "tlcp")`; its standard errors are by the delta method from
#'   `vcov()`.
#'
#' @param object,x A [tlcp()] fit (not by `method = "cutoff"`).
#' @param step Which model, see [transfer_path]; `NULL` is the fit's own choice, for `tidy()` every step.
#' @param parm Names or numbers of coefficients; all if left out.
#' @param level,conf.level Coverage.
#' @param lambda,return_zeros As in [tidy()][tidy.transfer_path].
#' @param conf.int Add `std.error`, `conf.low` and `conf.high`?
#' @param exponentiate Give odds ratios, rate ratios or hazard ratios: estimates and limits through `exp()`,
#'   as in package broom (the standard error stays that of the logarithm)?
#' @param effects,parametric What packages that tidy many kinds of models say: with `effects = "fixed"` the
#'   table is of the fit's own choice, with standard errors. `parametric` changes nothing.
#' @param dispersion What the variances of a binomial or Poisson model without borrowing are multiplied
#'   with: a number, or `"pearson"` for the sum of the squared Pearson residuals of the fit's own choice
#'   divided by the rows less the coefficients, as `quasibinomial()` and `quasipoisson()` have it in
#'   [glm()]. Quantiles stay normal.
#' @param ... Not used; anything given is an error.
#' @returns `vcov()` a matrix with a row for each coefficient of the model, intercept first; `confint()` a
#'   matrix as [confint()] has it, with a row for every coefficient of [coef()], `NA` for those that are not
#'   in the model, so that `exp(cbind(coef(fit), confint(fit)))` is a table of odds ratios; `tidy()` the data frame of [tidy()][tidy.transfer_path].
#' @seealso [tlcp()]
#' @examples
#' cars <- transform(mtcars, gear = ifelse(gear == 4, "four", "other"))
#' odds <- tlcp(vs ~ wt + disp, data = cars, family = binomial, domain = gear, target = "four",
#'              select = FALSE)
#' confint(odds)
#' tidy(odds, step = 1, conf.int = TRUE, exponentiate = TRUE)
#' @name confint.tlcp
NULL

#' @rdname confint.tlcp
#' @export
vcov.tlcp <- function(object, step = NULL, ..., dispersion = 1) {
  check_arguments()
  step_covariance(object, step, rlang::current_env(), dispersion)$V
}

#' @rdname confint.tlcp
#' @export
confint.tlcp <- function(object, parm, level = .95, step = NULL, ..., dispersion = 1) {
  check_arguments()
  call <- rlang::current_env()
  level <- check_share(level, "level", call)
  found <- step_covariance(object, step, call, dispersion)
  b <- stats::coef(object, step = step)
  names <- names(b)
  if (missing(parm)) parm <- names
  wanted <- if (is.numeric(parm)) names[parm] else parm
  if (!is.character(wanted) || !length(wanted) || any(!wanted %in% names)) {
    abort_input("{.arg parm} is {.val {parm}}.", "parm",
                i = "The coefficients are {.val {names}}.", call = call)
  }
  b <- unname(b[wanted])
  tails <- c((1 - level) / 2, (1 + level) / 2)
  half <- unname(sqrt(diag(found$V))[wanted]) * stats::qt(tails[2], found$df)
  matrix(c(b - half, b + half), length(b),
         dimnames = list(wanted, paste(format(100 * tails, trim = TRUE, digits = 3), "%")))
}

# What marginaleffects moves to see what a prediction owes to a coefficient: the coefficients of the
# default model that have a variance, by the names of vcov().
#' @exportS3Method marginaleffects::get_coef
get_coef.tlcp <- function(model, ...) {
  stats::coef(model)[rownames(stats::vcov(model))]
}

#' @exportS3Method marginaleffects::set_coef
set_coef.tlcp <- function(model, coefs, ...) {
  at <- match(model$best, model$points$step)
  names <- setdiff(rownames(stats::vcov(model)), "(Intercept)")
  column <- model$beta[, at]
  column[names] <- coefs[names]
  model$beta[, at] <- column
  if ("(Intercept)" %in% names(coefs)) model$a0[at] <- coefs[["(Intercept)"]]
  model
}

# What marginaleffects hands on goes further than predict() knows: its own settings are left out.
#' @exportS3Method marginaleffects::get_predict
get_predict.tlcp <- function(model, newdata, type = "response", ...) {
  given <- list(...)
  known <- c(names(formals(predict.transfer_path)), method_arguments("path_model", model))
  given <- given[intersect(names(given), setdiff(known, c("object", "newdata", "type")))]
  its_own <- utils::getS3method("get_predict", "default", envir = asNamespace("marginaleffects"))
  do.call(its_own, c(list(model = model, newdata = newdata, type = type), given))
}

#' @rdname confint.tlcp
#' @export
tidy.tlcp <- function(x, step = NULL, lambda = NULL, return_zeros = FALSE, conf.int = FALSE,
                      conf.level = .95, exponentiate = FALSE, dispersion = 1, effects = NULL, parametric = TRUE, ...) {
  check_arguments()
  call <- rlang::current_env()
  check_flag(conf.int, "conf.int", call)
  check_flag(exponentiate, "exponentiate", call)
  fixed <- !is.null(effects) && check_choice(effects, "fixed", "effects", call) == "fixed"
  if (fixed) step <- step %||% x$best
  conf.level <- check_share(conf.level, "conf.level", call)
  out <- tidy.transfer_path(x, step = step, lambda = lambda, return_zeros = return_zeros)
  if (conf.int || fixed) {
    parts <- lapply(split(out, out$step), function(rows) {
      found <- step_covariance(x, rows$step[1], call, dispersion)
      se <- sqrt(diag(found$V))[rows$term]
      if (!conf.int) return(cbind(rows, std.error = unname(se)))
      half <- se * stats::qt((1 + conf.level) / 2, found$df)
      cbind(rows, std.error = unname(se), conf.low = unname(rows$estimate - half),
            conf.high = unname(rows$estimate + half))
    })
    out <- do.call(rbind, unname(parts))
    row.names(out) <- NULL
  }
  if (exponentiate) {
    if (x$family == "gaussian" || !inherits(x, "likelihood_path")) {
      abort_input("{.arg exponentiate} is for logarithms of odds, rates or hazards.", "exponentiate",
                  i = "The coefficients of this fit are none: leave it out.", call = call)
    }
    at <- intersect(c("estimate", "conf.low", "conf.high"), names(out))
    out[at] <- exp(out[at])
  }
  out
}
