#' Best subsets, alone or borrowing from other domains
#'
#' Fits a model with few features to one small data set. Without other data, `tlcp(y ~ ., data = d)` finds the best
#' subset of features by Cp, AIC or BIC, with a proof that no other subset is better. Where other domains (hospitals,
#' plants, schools) have the same features and response, `tlcp(y ~ ., data = d, domain = hospital, target = "A")` fits a
#' model for hospital A and borrows more from hospitals whose coefficients are closer to A's. Use [tgreedy()] instead
#' for a domain without any rows, and [greedytl()] for models of which only predictions are known. The exact search is
#' meant for up to some forty correlated features.
#'
#' The arguments by topic; those in parentheses are given in `...`:
#' * data: `x`, `y`, `formula`, `data`, `subset`, `na.action`, `weights`, `offset`, `family`, `sparse` (`strata`);
#' * borrowing: `domain`, `target`, `sources`, `borrow`;
#' * choice of features: `criterion`, `select`, `keep`, `groups` (`sizes`, `within`, `hierarchy`);
#' * computation: `standardize`, `intercept`, `max_seconds`, `control` (`method`).
#'
#' `vignette("methods-tlcp")` has the mathematics and results of simulations, `vignette("glossary")` the terms.
#'
#' @section Model: Each domain has its own coefficients. With `borrow = "hierarchical"` (the default, ours) the
#'   coefficients of a feature are normally distributed about a common value. Their standard deviation about it,
#'   \eqn{\tau_t} for domain t, is estimated from all domains by marginal likelihood. If \eqn{\tau_t} is large, little
#'   is borrowed from domain t, so you need not leave out any domain by hand. A domain may have fewer rows than
#'   features. The intercept is borrowed in the same way. A feature that is constant in the target has the
#'   coefficient that the other domains give it. The other values of `borrow` are:
#' * `"plugin"` (two domains: the paper under "References", Theorem 20; more: ours) and `"plugin3"` (three: the paper,
#'   section 7): the closer the domains' least squares estimates of a feature, the more it is pooled.
#' * `"pooled"` and `"reml"` (two domains): one distance for all features, by moments or restricted maximum likelihood.
#' * `"sparse"` (ours, see "Sparse effects"): few effects, which domains share or which are a domain's own; for many
#'   features.
#' * `"none"`: the target alone. `"aggregate"`: the rows of all domains as one data set, after each domain is scaled to
#'   z-scores.
#' * `list(lam = , v = , pen = )`: your own weights of domains, couplings of features, and penalties.
#'
#' Features are selected for the target; the other domains, with all their features, give the prior of the target's
#' coefficients. What is borrowed about a factor depends on its reference level. Whether coefficients are alike in
#' z-scores or in common units is estimated, unless `units` of [tlcp_control()] sets it.
#'
#' @section Evidence for borrowing: `borrowing$lr` is the log likelihood ratio of two models: the target shares a
#'   component of its coefficients with the other domains, or it does not. A value above 1.35 is evidence for borrowing.
#'   `"plugin"`, `"plugin3"`, `"pooled"` and `"reml"` leave out domains with a smaller value, with a message.
#'   `"hierarchical"` instead gives a posterior weight to models in which the target borrows no slopes, or not all of
#'   them (`guard` of [tlcp_control()]). With `select = FALSE` the coefficients are the average over these models, and
#'   none is exactly zero. `print()` shows the weights. These models lower the risk of borrowing but do not remove it:
#'   in simulations borrowing increased the error where each domain had a few large coefficients, of different features.
#'   [dissimilarity()] compares the errors with and without each domain.
#'
#' @section How much is borrowed: The estimate of a coefficient has information from three places: the target's own
#'   rows, the other domains, and the prior, which shrinks to 0. Their shares of its precision add up to 1. If the
#'   estimate is the sum of what each of them says, with the weights of the posterior distribution, the share of one is
#'   its part of the variance. `summary(fit)$shares` has them by domain, averaged over the borrowing prior and the
#'   units as standard errors are (see [confint.tlcp]; over the units alone if there are no more rows than features);
#'   `summary(fit)$borrowed` and `tidy(fit)` have `weight`, the share of all other domains, and `shrinkage`. The first
#'   sentence of `print()` says that the target borrows if the other domains have more than 10 % of the precision, in
#'   the mean over the slopes, and more than shrinkage has. It names the domains whose own share is above 10 % divided
#'   by the number of other domains. Otherwise the target borrows nothing: what the others say is then mostly that
#'   coefficients are near 0. `rows` is what the others add to the target alone, shrunk in the same way: f o/(1 - o)
#'   further rows of the target for their share o, if the precision grows in proportion to the residual degrees of
#'   freedom f.
#'
#' @section Families: With `family = "binomial"`, `"poisson"`, `"negbin"` or `"cox"` the coefficients are log odds, log
#'   rate or log hazard ratios, at the mode of the penalised likelihood. `borrow` is `"hierarchical"`, `"none"`,
#'   `"aggregate"` or a list. Domains without events, or with one class, are left out, with a message. Without
#'   borrowing the criterion is AIC or BIC of [glm()] or `survival::coxph()`; BIC counts rows, or events if the response
#'   is a survival time. The search and its certificate use a quadratic approximation of the log-likelihood;
#'   `certificate$chosen` says whether the set proven best was chosen.
#'
#'   Survival times are `Surv(time, status)` or `Surv(start, stop, status)`; ties are Efron's. Every domain has its own
#'   baseline hazard, which `strata()` in the formula splits further. The linear predictor is 0 at the target's means.
#'
#'   Where rows are borrowed, counts and shares have a dispersion by domain: the factor, at least 1, by which
#'   variances exceed the family's. `"quasipoisson"` and `"quasibinomial"` estimate it without borrowing,
#'   too. [logLik()] is divided by it; [AIC()] is QAIC: compare only fits with the same `dispersion`
#'   ([tlcp_control()]). `"negbin"` has the variance \eqn{\mu + \mu^2/\theta}, with one \eqn{\theta} for all domains.
#'   Its standard errors are by the expected information and take \eqn{\theta} as known: without borrowing and selection
#'   they are those of `MASS::glm.nb()`.
#'   Except for the quasi families, overdispersed counts weigh less in rows with large expected counts, and trials
#'   weigh less in rows with large totals.
#'
#' @section Sparse effects: With `borrow = "sparse"` a coefficient of domain k is the sum of a common effect, an effect of
#'   the domain's own, and a background. Most common effects, and most effects of a domain, are exactly 0, the others
#'   are normally distributed; the backgrounds of all features of a domain are normal with a small variance, which may
#'   be 0. All domains have the same residual variance. Meant for hundreds or thousands of features of which few matter,
#'   with rows of any number of domains. Numbers of effects, variances and residual variance have priors
#'   that do not depend on the data; `src/tlcp/supports.h` of the sources has them. Coefficients are posterior means:
#'   none is exactly zero, and `select` changes nothing. There is one model, step 1, without a search.
#'
#'   Posterior means and probabilities are averages over 2 chains of 120 sweeps of a Gibbs sampler, after 80 that are
#'   not used. The chains draw their seed from R's generator: after the same [set.seed()] the fit is the same. A
#'   message says if the two chains differ by more than half a posterior standard deviation. Time grows with
#'   features times domains, and with the number of effects; memory for products of columns is 256 MB, or as much as a
#'   support of 200 columns needs.
#'
#'   `print()` says how many effects are common, how many the target's own, and which domains share them. `tidy()` has
#'   posterior standard deviations, intervals from draws, and the probability that the target has an effect of the
#'   feature. [signals()][signals.supports_path] lists effects at a false discovery rate, `plot()` their
#'   probabilities. `steps$loo` is the mean squared leave-one-out error of the target's rows, reweighted from the draws.
#'   Responses are numbers; rows of all domains are needed.
#'
#' @section Search: The certificate holds the criterion of the best set found (`value`), the largest proven lower
#'   `bound` for all sets, and their difference `gap`: 0, up to rounding, unless `max_nodes` ([tlcp_control()]) or
#'   `max_seconds` ran out. Then the best set found is returned, with a warning. After
#'   `options(transelect.keep_interrupted = TRUE)` Ctrl-C does the same. With more features than rows a search takes at
#'   most 5,000 features.
#'
#'   `method = "cutoff"` takes any number of features (the paper's Algorithms 1 and 2). It makes the columns orthogonal
#'   and solves the orthogonal problem in closed form, without search or proof. The result is poor where columns are
#'   nearly combinations of others (see `collinear` of [tlcp_control()]). With fewer rows than features it does not find
#'   the few that matter among very many.
#'
#' @param x,y Features (numeric matrix, `dgCMatrix` or data frame, n x p) and response: n numbers, or a factor of two
#'   levels. `x` may also be a [moments()] object, which brings its response and domains.
#' @param domain `NULL`, or the domain of each row: a vector of length n; with a formula a column of `data`,
#'   which `.` in the formula then does not include.
#' @param target The domain that the model is for. Other domains with one row or a constant response are left out, with
#'   a message that names them.
#' @param sources Other domains of which only estimates are known: models, [estimates()], or a named list of these. They
#'   are used with or without rows of other domains (without them, `target` is only a name, and may be left out).
#' @param formula,data,subset,na.action As in [lm()]; the formula may be a string. Factors are coded as there, also
#'   in a model without intercept.
#' @param weights As in [lm()]: relative precisions of the rows, not frequencies. Only their ratios within a domain
#'   count. With a `family` as in [glm()] or `survival::coxph()`: factors of a row's log-likelihood.
#' @param family The likelihood of the response: `"gaussian"` (least squares), `"binomial"`, `"poisson"`, `"negbin"`,
#'   `"cox"`, `"quasipoisson"`, `"quasibinomial"`, or a family such as [binomial()] with its canonical link. `NULL`:
#'   `"cox"` for a `Surv`, `"binomial"` for a factor of two levels, else `"gaussian"`. A binomial response is a factor
#'   of two levels (the odds are those of the second), logical, zeros and ones, `cbind(successes, failures)`, or shares
#'   with the totals as `weights`.
#' @param offset One number per row, added to the linear predictor, as in [glm()]; also `offset()` in the formula.
#'   `predict()` takes it from `newdata` or from its argument `offset`.
#' @param borrow See "Model". `NULL`: `"hierarchical"` where there are several domains, else `"none"`.
#' @param criterion `"Cp"`, `"Cp_BIC"`, `"Cp_HQ"`, `"RIC"`, or a number: the penalty per feature is 2, log n, 2 log log
#'   n, 2 log p, or this number, times the target's residual variance with all features (n rows of the target, p
#'   features). `"AIC"`, `"BIC"` or `"HQ"` (Hannan-Quinn): as [AIC()] and [BIC()] of [lm()], with the residual variance
#'   of each set; with borrowing these are `"Cp"`, `"Cp_BIC"` and `"Cp_HQ"`.
#' @param select `FALSE`: keep all features, however many; with `"hierarchical"` the coefficients are posterior means.
#'   This often predicts better. If few of very many features have effects, and the same ones in most domains, a lasso
#'   on the rows of all domains predicts better still (`vignette("when-to-borrow")`).
#' @param keep Names or numbers of columns, or names of groups, terms or variables, that are in every model, without a
#'   penalty.
#' @param groups Columns that enter together. `NULL`: those of each factor of more than two levels, and of each basis
#'   such as `poly(x, 2)`. A vector: the group of every feature. `FALSE`: every column by itself. The penalty of a group
#'   is the sum of those of its columns. Not for `method = "cutoff"`.
#' @param standardize `FALSE` leaves the columns of `x` as they are.
#' @param intercept Fit an intercept in every domain? `FALSE` is not for factors: write `y ~ 0 + x`.
#' @param max_seconds Limit, in seconds, for all searches of the call together. The time to estimate the borrowing prior
#'   counts, but this estimation is not stopped; a message says if it will take more than a minute.
#' @param control Rarely used settings, as [tlcp_control()] returns them, or a list of them.
#' @param sparse Code the formula's variables as a sparse matrix?
#' @param ... Further arguments, by name; with a formula also those of the first form. A mistyped name is an error that
#'   says which argument was meant.
#'   \describe{
#'   \item{`sizes`}{`TRUE`: the best subset of every size; `FALSE`: only the best of all; `NULL`: every
#'     size if there are up to 30 features.}
#'   \item{`within`}{A number: list every subset whose criterion is at most this much above the smallest, see
#'     [tlcp_within].}
#'   \item{`hierarchy`}{`TRUE`: an interaction of the formula enters only with all terms that it is made of (strong
#'     heredity).}
#'   \item{`method`}{`"exact"` (the default) or `"cutoff"`, see "Search".}
#'   \item{`strata`}{For `"cox"` without a formula: the stratum of each row.}
#'   }
#' @returns An object of class `c("tlcp", "transfer_path")`, see [transfer_path]. Step 0 is the empty model, the other
#'   steps are the best subsets of `steps$size` features. `steps` also has `entered` and `dropped` (compared with the
#'   step before), `rss` and `df` of the target, `objective` (the penalised sum of squares without the penalty of the
#'   features), `criterion` (with it), `cp` (without borrowing), `bound` and `gap` of the proof at that size, `nodes`
#'   and `complete`. Also
#' \describe{
#'   \item{`selected`}{names of the selected features.}
#'   \item{`certificate`}{`value`, `bound`, `gap`, `nodes`, `seconds`, `complete`, `stopped` and `searches` (how many).}
#'   \item{`borrowed`}{one row per selected feature, on the target's scale: the target's own least squares estimate, the
#'     other domains' estimates (`NA` where a domain does not determine one; `attr(, "lacking")` says why), the borrowed
#'     estimate. `summary(fit)$borrowed` adds `weight`, `shrinkage` and `rows`, see "How much is borrowed".}
#'   \item{`borrowing`}{the borrowing prior: `borrow`; residual variances `s2` (in z-scores) and their origin
#'     `s2_from`; the estimates `tau2`, `omega2` (of the common coefficients), `kappa2` (of intercepts) and `scales` (of
#'     features); penalties `pen`; `lr` (see "Evidence for borrowing"); `units` and `units_weights`; `alone`: are the
#'     target's slopes taken as unrelated? `spread_ratio`: standard deviations in the target divided by those in the
#'     other domains; `guarded`: the domains left out.}
#'   \item{`models`}{by domain, target first: `beta` (features x steps) and `a0` (the intercepts).}
#'   \item{`dispersion`, `theta`, `variance`}{of counts and shares.}
#'   \item{`tails`}{fences and shares of columns with far-out values, see [tlcp_control()].}
#' }
#' `coef()` and `predict()` take `domain`, the domain whose model is wanted. All other verbs, such as `fitted()`,
#' `logLik()` and `tidy()`, are about the target.
#' @references Chen, S., Sahinidis, N. V. and Gao, C. (2022). Transfer learning in information criteria-based feature
#' selection. *Journal of Machine Learning Research* 23, Proposition 8, Theorem 20, Algorithms 1 and 2.
#' \doi{10.48550/arXiv.2107.02847}.
#' @seealso [tlcp_control()], [estimates()], [dissimilarity()], [cv_path()], which holds out rows of the target only.
#' @examples
#' # one data set: the provably best subset
#' fit <- tlcp(mpg ~ ., data = mtcars, criterion = "BIC")
#' fit
#' coef(fit)[coef(fit) != 0]
#' fit$certificate$gap
#'
#' # a model of ozone for May that borrows from the other months
#' aq <- na.omit(airquality)
#' may <- tlcp(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, target = "5")
#' summary(may)
#' predict(may, data.frame(Solar.R = 200, Wind = 10, Temp = 70))
#'
#' # the odds of a V engine among cars of four gears, borrowing from the other cars
#' cars <- transform(mtcars, gear = ifelse(gear == 4, "four", "other"))
#' odds <- tlcp(vs ~ wt + disp, data = cars, family = binomial, domain = gear, target = "four")
#' odds
#' predict(odds, cars[1:3, ], type = "response")
#' @export
tlcp <- function(x, ...) {
  if (!is.null(call <- arguments_formula_first())) return(eval(call, parent.frame()))
  UseMethod("tlcp")
}

#' @rdname tlcp
#' @export
tlcp.default <- function(x, y, domain = NULL, target = NULL, sources = NULL, ..., weights = NULL, offset = NULL,
                         family = NULL, borrow = NULL, criterion = "Cp", select = TRUE, keep = NULL, groups = NULL,
                         standardize = TRUE, intercept = TRUE, max_seconds = 60, control = tlcp_control()) {
  more <- arguments_methods_check("tlcp", "strata")
  frame <- frame_default(x, y, weights = weights, domain = domain, sources = sources, family = family,
                         offset = offset, strata = more$strata, moments = TRUE)
  more$strata <- NULL
  fit <- arguments_methods_handed_on(tlcp(
    frame, family = family, target = target, borrow = borrow, criterion = criterion, select = select, keep = keep,
    groups = groups, standardize = standardize, intercept = intercept, max_seconds = max_seconds, control = control
  ), more)
  fit <- arguments_methods_called(fit, frame, match.call(), "tlcp")
  if (!is.null(frame$offset)) fit$offset <- frame_bake_offset_plan()
  fit
}

#' @rdname tlcp
#' @export
tlcp.formula <- function(formula, data, domain, target = NULL, sources = NULL, ..., weights, offset, subset, na.action,
                         sparse = FALSE) {
  more <- arguments_methods_check("tlcp")
  matched <- match.call()
  frame <- frame_formula(formula, data, matched, na.action, sources = sources, sparse = sparse, family = more$family,
                         env = parent.frame())
  fit <- arguments_methods_handed_on(tlcp(frame, target = target), more)
  fit <- arguments_methods_called(fit, frame, matched, "tlcp", formula)
  if (!is.null(frame$offset)) fit$offset <- frame_bake_offset_plan(frame$expression_of_offset)
  fit
}

#' @rdname tlcp
#' @usage NULL
#' @export
tlcp.transfer_frame <- function(x, ..., family = NULL, target = NULL, method = c("exact", "cutoff"), borrow = NULL,
                                criterion = "Cp", select = TRUE, sizes = NULL, within = NULL, keep = NULL,
                                groups = NULL, hierarchy = FALSE, standardize = TRUE, intercept = TRUE,
                                max_seconds = 60, control = tlcp_control()) {
  call <- rlang::caller_env()
  if (...length()) arguments_check(call)
  control <- arguments_control_check(control, "tlcp_control", call)
  given <- list(family = family, target = target, method = method, borrow = borrow, criterion = criterion,
                select = select, sizes = sizes, within = within, keep = keep, groups = groups,
                hierarchy = hierarchy, standardize = standardize, intercept = intercept, max_seconds = max_seconds,
                control = control) # for refit()
  control <- unclass(control) # for a faster `$`, as the frame
  if (!frame_rows_are_there(x)) frame_moments_refuse_without_rows(given, list(family = NULL), call)
  squares <- identical(method, "cutoff") || !is.null(control$sigma2) || rlang::is_string(borrow, SQUARES_ONLY)
  frame <- frame_with_family_of_classes(unclass(x), family, squares, call)
  if (likelihood_is_used(frame$family) && is.null(family)) given$family <- frame$family # without the message
  tlcp_settings_refuse_inputs(frame, call)
  if (!is.null(frame$domain)) frame$domain <- table_used_levels(frame$domain)
  sites <- NULL
  if (!is.null(frame$sources)) {
    frame <- estimates_with_source_levels(frame, call)
    sites <- estimates_of_frame(frame, response_family_of_frame(frame), call)
    if (length(sites)) frame <- tlcp_columns_target_domain(frame, target, call)
  }
  alone <- nlevels(frame$domain) == 1 && (length(sites) || !frame_rows_are_there(frame))
  if (alone) target <- target %||% levels(frame$domain)
  target <- tlcp_settings_target(target, levels(frame$domain), call)
  intercept <- frame_has_intercept(frame, intercept, call)
  likelihood <- likelihood_is_used(frame$family)
  if (!likelihood && !is.null(frame$offset)) frame <- response_without_offset(frame, call)
  cells <- NULL # the domains' sums, which a fit by moments needs
  if (likelihood || !is.null(frame$domain)) {
    usable <- if (likelihood) tlcp_columns_usable_family(frame, target, call) else {
      by_moments <- !identical(method, "cutoff") && !identical(borrow, "sparse") && !tlcp_rows_are_few(frame)
      tlcp_columns_usable_domains(frame, target, intercept, call,
                                  if (by_moments) frame_moments_cells(frame, target, call))
    }
    frame <- usable$frame
    cells <- usable$cells
    if (length(usable$domains$left) < length(usable$domains$order)) {
      if (!length(sites)) borrow <- tlcp_columns_borrow_from(borrow, usable$domains)
      by_domain <- c("sigma2", "dispersion")
      control[by_domain] <- lapply(control[by_domain], tlcp_columns_values_for_domains, usable$domains)
    }
  }
  settings <- tlcp_settings(
    frame, nlevels(frame$domain) + length(sites), method = method, borrow = borrow, criterion = criterion,
    select = select, sizes = sizes, within = within, keep = keep, groups = groups, hierarchy = hierarchy,
    standardize = standardize, intercept = intercept, max_seconds = max_seconds, control = control, given = given,
    call = call
  )
  if (identical(settings$borrow, "sparse")) return(tlcp_supports_fit(frame, target, settings, call))
  if (length(sites)) settings <- tlcp_prior_with_sites(settings, sites, call)
  settings$until <- proc.time()[["elapsed"]] + settings$max_seconds
  rows <- frame
  tails <- tlcp_tails_of_frame(frame, target, settings)
  if (!is.null(tails)) {
    tlcp_tails_tell(tails, frame, target, settings)
    frame <- tlcp_tails_frame(frame, tails)
    cells <- NULL
  }
  if (tlcp_rows_are_cheaper(frame, settings)) tlcp_rows_refuse_search(settings, call)
  if (tlcp_units_is_hierarchical(settings)) {
    tlcp_prior_tell_long(settings$p, nlevels(frame$domain) + length(sites),
                         if (tlcp_rows_are_cheaper(frame, settings)) nrow(frame$x), !tlcp_rows_keep_all(settings))
  }
  if (settings$select && settings$method == "exact") tlcp_search_tell_long(settings$p, settings$max_seconds)
  fit <- if (likelihood) {
    family_object_fit(frame, target, settings, call)
  } else if (settings$method == "cutoff") {
    cutoff_fit(frame, target, settings, call)
  } else {
    tlcp_object(tlcp_fit_path(frame, target, settings, call, cells), frame, target, settings)
  }
  if (!is.null(tails)) fit$tails <- tails
  if (!is.null(fit$prior_weights)) {
    mine <- if (is.null(frame$domain)) TRUE else frame$domain == target
    fit$means <- unname(Matrix::colMeans(frame$x[mine, , drop = FALSE]))
  }
  path_bound_with_ranges(fit, rows, seq_len(frame$blueprint$p))
}

#' @export
parsnip_engine.tlcp <- function(method) {
  list(models = list(linear_reg = NULL, logistic_reg = list(family = "binomial")), tunable = c("step", "criterion"))
}
