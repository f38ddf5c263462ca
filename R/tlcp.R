#' Best subsets, alone or borrowing from other domains
#'
#' Chooses the few features of a model for one small data set, the target. Use `tlcp()` to find the best subset of
#' features by Cp, AIC or BIC, with a proof that it is the best: `tlcp(y ~ ., data = d)`. Or use it where other domains
#' (hospitals, plants, schools) have the same features and response: it borrows from a domain the more, the closer its
#' coefficients are to the target's, `tlcp(y ~ ., data = d, domain = hospital, target = "A")`. Use another function for
#' a place without any rows ([tgreedy()]) and for models of which only predictions are known ([greedytl()]). The exact
#' search is meant for some forty correlated features.
#'
#' The arguments by what they concern, those in parentheses as further ones (`...`). A call with a formula takes all of
#' them:
#' * data: `x`, `y`, `formula`, `data`, `subset`, `na.action`, `weights`, `offset`, `family`, `sparse` (`strata`);
#' * borrowing: `domain`, `target`, `sources`, `borrow`;
#' * choice of features: `criterion`, `select`, `keep`, `groups` (`sizes`, `within`, `hierarchy`);
#' * computation: `standardize`, `intercept`, `max_seconds`, `control` (`method`).
#'
#' `vignette("methods-tlcp")` has the mathematics, and what was measured.
#'
#' @section Model: Each domain has its own coefficients. With `borrow = "hierarchical"` (the default, ours) those of a
#'   feature are normal about a common value. The standard deviation about it, \eqn{\tau_t} for domain t, is estimated
#'   from the rows of all domains by marginal likelihood. Little is borrowed from a domain with a large
#'   \eqn{\tau_t}, so no domain needs to be left out by hand, and any domain may have fewer rows than features. The
#'   intercept is borrowed, too, as a level. A feature that is constant in the target has the coefficient that the other
#'   domains give it. The other rules are the paper's or close to it:
#' * `"plugin"` (two domains: the paper, Theorem 20; more: ours) and `"plugin3"` (three: the paper, section 7) pool a
#'   feature the more, the closer its least squares estimates are.
#' * `"pooled"`, `"reml"` (two domains): one distance for all features, by moments or restricted maximum likelihood.
#' * `"none"`: the target alone. `"aggregate"`: the rows of all domains as one data set, each domain in its z-scores.
#' * `list(lam = , v = , pen = )`: your own weights of domains, couplings of features, and penalties.
#'
#' Features are selected for the target; the other domains, with all their features, are a prior of its coefficients.
#' `support = "shared"` of [tlcp_control()] selects the same features in all domains, as the paper does. What is
#' borrowed about a factor depends on its reference level, from which its effects are differences.
#'
#' @section Evidence for borrowing: `borrowing$lr` is a log likelihood ratio: the target shares a component with the
#'   other domains, against it does not. Above 1.35 there is evidence for borrowing. `"hierarchical"` also weighs a
#'   model in which the target's slopes are unrelated to those of the other domains, with the prior probability .05, and
#'   where all features are kept (`select = FALSE`) two sparse ones: the target borrows no slopes and few of them are not
#'   zero (.02; `guard` of [tlcp_control()]), or few of its slopes are not alike (.05, with two other domains or more).
#'   They are averages over supports (`R/tlcp-sparse.R`), for numeric responses, 4 to 60 features that all vary in the
#'   target, and 5 residual degrees of freedom there. `coef()` is the average over all of these, so no coefficient is
#'   exactly zero; `confint()` and `vcov()` are of that average, and `print()` names the weights. `print()` shows the
#'   posterior probability of unrelated slopes where the ratio is small. `"plugin"`, `"plugin3"`, `"pooled"` and
#'   `"reml"` leave out domains with a smaller ratio than 1.35, with a message. This lowers the risk of borrowing, and
#'   does not remove it: in simulations borrowing did harm where each domain had a few large coefficients, at different
#'   features. [dissimilarity()] compares the errors with and without each domain.
#'
#' @section Families: With `family = "binomial"`, `"poisson"`, `"negbin"` or `"cox"` log odds, log rate or log hazard
#'   ratios are borrowed, and coefficients are at the mode of the penalised likelihood. `steps$criterion` is of the
#'   likelihood: without borrowing AIC or BIC of [glm()] or of `survival::coxph()` on the chosen columns. BIC counts
#'   rows, or events of survival times. The search and its certificate are of the likelihood's quadratic approximation
#'   at the result; `certificate$chosen` says whether the set proven best is the one chosen. `borrow` is
#'   `"hierarchical"`, `"none"`, `"aggregate"` or a list. Domains without events, or of one class, are left out with a
#'   message.
#'
#'   Survival times are `Surv(time, status)` or `Surv(start, stop, status)`, with Efron's ties. Every domain has its own
#'   baseline hazard, and `strata()` in the formula splits it further. The linear predictor is 0 at the target's means.
#'
#'   Where rows are borrowed, counts and shares of a total have a dispersion by domain, at least 1, by which variances
#'   exceed those of the family. [logLik()] is divided by it, and [AIC()] is QAIC: compare fits of the same `dispersion`
#'   ([tlcp_control()]) only. `"quasipoisson"` and `"quasibinomial"` estimate it without borrowing, too. `"negbin"` has
#'   the variance \eqn{\mu + \mu^2/\theta}, with one \eqn{\theta} for all domains.
#'
#' @section Search: The certificate holds the `value` of the set found, the largest proven lower `bound` on all sets,
#'   and `gap`, their difference. The gap is zero up to rounding unless `max_nodes` or `max_seconds` ran out; then the
#'   best set found is returned, with a warning. After `options(transelect.keep_interrupted = TRUE)` Ctrl-C, too, ends
#'   the search alone.
#'
#'   `method = "cutoff"` takes any number of features (the paper's Algorithms 1 and 2). It makes the columns orthogonal
#'   and solves that problem in closed form, without a search and without a proof. It is poor where columns are nearly
#'   combinations of others (`collinear` of [tlcp_control()] leaves such columns out). With fewer rows than features it
#'   does not find the few that matter among very many.
#'
#' @section Units of the coefficients: Coefficients may be alike in each domain's own z-scores, as where domains measure
#'   with different instruments (`units = "own"` of [tlcp_control()]), or in common units, as where a feature varies
#'   less in one population (`"common"`). The default, `"evidence"`, fits both and weighs them by their likelihood: with
#'   `select = FALSE` the coefficients are averaged; a search is in the units of the larger weight. `print()` shows both
#'   weights. The other rules take each domain's own z-scores.
#'
#' @section Heavy tails: With `"hierarchical"`, numeric responses and rows in a dense matrix or data frame, columns with
#'   values more than 3 interquartile ranges outside their quartiles are weighed as they are and bounded there, by the
#'   likelihood of each domain's own least squares. `predict()` bounds the same columns of new rows. A message and
#'   `print()` name them: a logarithm is often the better column. Component `tails` has their fences and shares.
#'
#' @param x,y Features (numeric matrix, `dgCMatrix` or data frame, n x p) and response: n numbers, or a factor of two
#'   levels. `x` may also be a [moments()] object, which brings its response and domains.
#' @param domain `NULL`, or the domain of each row: a vector of length n, or in the formula
#'   interface a column of `data`.
#' @param target The domain that the model is for. Other domains of one row or with a constant
#'   response are left out with a message that names them.
#' @param sources Other domains of which only estimates are known: models, [estimates()], or a named list of
#'   these, beside rows of other domains or alone (`target` is then only a name, and may be left out).
#' @param formula,data,subset,na.action As in [lm()].
#' @param weights As in [lm()]: relative precisions of the rows, not frequencies. Only their ratios within a domain
#'   count. With a `family` they are those of [glm()] or `survival::coxph()`, factors of a row's log-likelihood.
#' @param family The likelihood of the response: `"gaussian"` (least squares), `"binomial"`, `"poisson"`, `"negbin"` or
#'   `"cox"`, `"quasipoisson"`, `"quasibinomial"`, or a family such as [binomial()] with its canonical link. `NULL`:
#'   `"cox"` for a `Surv`, `"binomial"` for a factor of two levels, else `"gaussian"`. For `"binomial"` the response is
#'   a factor of two levels (the odds are those of the second), logical, zeros and ones, `cbind(successes, failures)`,
#'   or shares with the totals as weights.
#' @param offset A number for each row that is added to the linear predictor, as in [glm()]; also
#'   `offset()` in the formula. `predict()` takes it from `newdata`, or as `offset`.
#' @param borrow See "Model". `NULL`: `"hierarchical"` where there are several domains, else `"none"`.
#' @param criterion `"AIC"`, `"BIC"` or `"HQ"` (Hannan-Quinn): without borrowing as [AIC()] and [BIC()] of [lm()], the
#'   residual variance estimated anew for every set. Or the penalty of a feature in units of the target's residual
#'   variance with all features: `"Cp"` 2, `"Cp_BIC"` log n, `"Cp_HQ"` 2 log log n, `"RIC"` 2 log p (n rows of the
#'   target, p features); or a number. With borrowing `"AIC"`, `"BIC"` and `"HQ"` are `"Cp"`, `"Cp_BIC"` and `"Cp_HQ"`.
#' @param select `FALSE`: keep all features, of any number (with `"hierarchical"` the posterior mean). Often better
#'   where only the prediction counts. Where a few of very many features have effects, the same in most domains, a lasso
#'   of the rows of all domains predicts better (`vignette("when-to-borrow")`).
#' @param keep Names or numbers of columns, or names of groups, that are in every model, without a penalty.
#' @param groups Columns that enter together. `NULL`: those of one factor of more than two levels. A vector with the
#'   group of every feature; or `FALSE`, every column by itself. The penalty of a group is the sum of those of its
#'   columns. Not for `method = "cutoff"`.
#' @param standardize `FALSE` leaves the columns of `x` as they are.
#' @param intercept Fit an intercept in every domain?
#' @param max_seconds The time that the searches of the call may take together, and before them the estimate of the
#'   borrowing prior, which takes time from the searches but is not ended. A message says where it will take more than a
#'   minute. With more features than rows a search is of at most 5,000 features.
#' @param control Other settings, as [tlcp_control()] returns them, or a list of them: `support`, `units`, `scales`,
#'   `guard`, `distance`, `drop`, `fences`, `collinear`, `sigma2`, `dispersion`, `max_nodes`.
#' @param sparse Code the formula's variables as a sparse matrix?
#' @param ... Further arguments, by their names. With a formula these are also the arguments of the first form, from
#'   `family` to `control`. A mistyped one is an error that names the one that was meant.
#'   \describe{
#'   \item{`sizes`}{`TRUE`: the best subset of every size; `FALSE`: only the best of all; `NULL` (the default): all sizes
#'     up to 30 features.}
#'   \item{`within`}{A number: list every subset whose criterion is at most so much above the best one's, see
#'     [tlcp_within].}
#'   \item{`hierarchy`}{`TRUE`: an interaction of the formula is in a model only with all terms that it is made of
#'     (strong heredity). The default is `FALSE`.}
#'   \item{`method`}{`"exact"` (the default) or `"cutoff"`, see "Search".}
#'   \item{`strata`}{For `"cox"` and data without a formula: the stratum of each row. In a formula write `strata()`.}
#'   }
#' @returns An object of class `c("tlcp", "transfer_path")`, see [transfer_path]. Step 0 is the
#'   empty model, the others are the best subsets of `steps$size` features. `steps` also has `entered` and `dropped`
#'   (against the step before), `rss` and `df` of the target, `objective` (the penalised sum of squares without the
#'   penalty of the features), `criterion` (with it), `cp` (without borrowing), `bound` and `gap` of the proof at that
#'   size, `nodes` and `complete`. Also
#' \describe{
#'   \item{`selected`}{names of the chosen features.}
#'   \item{`certificate`}{`value`, `bound`, `gap`, `nodes`, `seconds`, `complete`, `stopped` and `searches` (how many).}
#'   \item{`borrowed`}{a row for each chosen feature: the target's own least squares, the other domains' estimates (`NA`
#'     where a domain does not determine them; `attr(, "lacking")` says why), the borrowed estimate, all on the target's
#'     scale, and two shares of its precision: `weight`, that of the other domains, and `shrinkage`, that of the prior,
#'     which shrinks it to 0. `summary(fit)$borrowed` adds `rows`: how many more rows of the target alone would give the
#'     same standard error.}
#'   \item{`borrowing`}{the borrowing prior: the rule `borrow`; residual variances `s2` (in z-scores) and `s2_from`, how
#'     they were found; the estimates `tau2`, `omega2`, `kappa2` (of levels) and `scales` (of features); penalties
#'     `pen`; `lr`; `units`, with `units_weights`; `alone`: are the target's slopes taken as unrelated? `spread_ratio`,
#'     standard deviations in the target divided by those in the other domains; `guarded`, the domains left out.}
#'   \item{`models`}{by domain, target first: `beta` (features x steps) and `a0`.}
#'   \item{`dispersion`, `theta`}{of counts and shares.}
#' }
#' `coef()` and `predict()` take `domain`, the domain whose model is wanted. All else is of the target: `nobs()`,
#' `fitted()`, `residuals()`, `deviance()`, `logLik()`, `sigma()`, `df.residual()`, `augment()` and `tidy()`.
#' @references `vignette("methods-tlcp")` has more.
#'
#' Chen, S., Sahinidis, N. V. and Gao, C. (2022). Transfer learning in information criteria-based
#' feature selection. *Journal of Machine Learning Research* 23, Proposition 8, Theorem 20,
#' Algorithms 1 and 2. \doi{10.48550/arXiv.2107.02847}
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
tlcp <- function(x, ...) UseMethod("tlcp")

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
  if (!is.null(frame$offset)) fit$offset <- frame_bake_offset_plan(matched$offset)
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
  intercept <- check_flag(intercept, "intercept", call) && frame$intercept
  likelihood <- likelihood_is_used(frame$family)
  if (!likelihood && !is.null(frame$offset)) frame <- response_without_offset(frame, call)
  if (likelihood || !is.null(frame$domain)) {
    usable <- if (likelihood) tlcp_columns_usable_family(frame, target, call) else
      tlcp_columns_usable_domains(frame, target, intercept, call)
    frame <- usable$frame
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
  if (length(sites)) settings <- tlcp_prior_with_sites(settings, sites, call)
  settings$until <- proc.time()[["elapsed"]] + settings$max_seconds
  rows <- frame
  tails <- tlcp_tails_of_frame(frame, target, settings)
  if (!is.null(tails)) {
    tlcp_tails_tell(tails, frame, target, settings)
    frame <- tlcp_tails_frame(frame, tails)
  }
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
    tlcp_object(tlcp_fit_path(frame, target, settings, call), frame, target, settings)
  }
  if (!is.null(tails)) fit$tails <- tails
  if (!is.null(fit$prior_weights)) {
    own <- if (is.null(frame$domain)) TRUE else frame$domain == target
    fit$means <- unname(Matrix::colMeans(frame$x[own, , drop = FALSE]))
  }
  path_bound_with_ranges(fit, rows, seq_len(frame$blueprint$p))
}

#' @export
parsnip_engine.tlcp <- function(method) {
  list(models = list(linear_reg = NULL, logistic_reg = list(family = "binomial")), tunable = c("step", "criterion"))
}
