#' T-greedy: features whose effect holds across domains
#'
#' Chooses features for domains that are not among the data: other hospitals, plants, schools. Use `tgreedy()` where you
#' have rows of several domains, at least three, and want to predict in a new one: `tgreedy(y ~ ., data = d, domain =
#' hospital)`. It picks a feature if its effect is large *and* similar from domain to domain; all domains have the same
#' weight whatever their size. Use [tlcp()] instead where the domain to predict has rows of its own, and [cv_path()],
#' which leaves out one domain at a time, before you rely on the fit. `vignette("methods-tgreedy")` has the mathematics,
#' and what was measured.
#'
#' The arguments by what they concern:
#' * data: `x`, `y`, `domain`, `formula`, `data`, `subset`, `na.action`, `weights`, `family`, `unlabelled`, `sparse`;
#' * path: `rule`, `nu`, `max_steps`, `keep`, `groups`;
#' * scale, probabilities and settings that are seldom given: `standardize`, `intercept`, `prob`, `control`.
#'
#' @section Model: With \eqn{E_k} the mean over the rows of domain k and K domains, features are
#' centred and scaled by \eqn{m = mean_k E_k X} and \eqn{v = mean_k E_k (X - m)^2}, the response is
#' centred by \eqn{mean_k E_k y}. For the residual r of the model so far, feature i has the effects
#' \eqn{z_{ik} = E_k[X_i r]/\sqrt{e_i}}, \eqn{e_i = mean_k E_k X_i^2}, their mean \eqn{\mu_i},
#' standard deviation \eqn{s_i} (K - 1) and \eqn{T_i = \mu_i / (s_i/\sqrt K)}. A step picks a
#' feature and moves its weight by \eqn{\nu\, mean_k E_k[X_i r]/e_i}:
#' * `rule = "gain"` (the default, ours): the largest
#'   \deqn{g_i = \nu(2-\nu)\mu_i^2 - \nu (\tilde s_i^2/K)(2 + \nu/(K-1)),}
#'   an estimate of how much the step lowers the squared loss on a domain left out, on average over domains;
#'   \eqn{\tilde s_i^2} is \eqn{s_i^2} shrunk towards the variances of all features (Smyth 2004). The path ends when
#'   no gain is positive.
#' * `rule = "t"` (the paper): the largest \eqn{|T_i|} (`signed = TRUE`: the largest \eqn{T_i}, as
#'   printed there). With two or three domains large values of T are mostly chance: a message says
#'   how large they would be by chance.
#' * `rule = "modt"`: the same with the shrunken \eqn{\tilde s_i} (where the variances of the
#'   features differ no more than by chance, \eqn{\tilde s} is one number and the rule is that of `"greedy"`).
#' * `rule = "greedy"`: the largest \eqn{|\mu_i|}, the largest decrease of the squared loss with equal weight for
#'   every domain; the paper's comparator.
#'
#' @section Which rule: `"gain"`, the default, was the best rule on average in domains left out of eleven data sets;
#'   single data sets differ. It does worse where nearly collinear columns help only together, in domains whose scale or
#'   level drifts, such as arrays of sensors from batch to batch: no step has a gain by itself, and the path ends too
#'   early. On such data use `control = tgreedy_control(stop = "cv")`. Where the number of features does not matter, try
#'   the lasso and a ridge beside `"gain"`, with whole domains left out ([compare_paths()]).
#'
#' @section When the path ends: The setting `stop` of [tgreedy_control()] says when: `"gain"` (default of that rule),
#'   before a step whose gain is not positive; `"bonferroni"`, before a \eqn{|T|} below Student's t (K - 1) at
#'   `alpha`/p; `"theorem1"`, before an effect whose interval by Theorem 1, \eqn{|\mu_i - E X_i Y| \le (s_i/\sqrt K)
#'   \sqrt{4 \log(2p/\delta)}}, contains zero (an error where K is too small for the theorem, \eqn{p \le (\delta/2)
#'   e^{K/8}}); `"cv"`, the step of smallest loss when the whole path is repeated without each domain; `"none"`. With
#'   few domains tests have little power, and `"bonferroni"` may keep no feature at all. `bound` in `steps` is Corollary
#'   3's bound on the regret, \eqn{\sum_i s_{S,i}^2 (8 q \log p + 4 \log(2/\delta))/K} for q features, in an orthonormal
#'   basis of them. It follows the proof, Theorem 1 for \eqn{q p^q} effects; the corollary as printed has
#'   \eqn{\log(2/\delta)} without the factor 4. Its condition on the number of domains almost never holds in practice:
#'   use it to compare steps, not as a bound.
#'
#' @section Groups: Single columns of a factor have no meaning of their own, as they depend on the reference level.
#'   A group of d columns enters whole, and its statistics depend only on the span of its columns. Its
#'   effects in domain k are the d numbers \eqn{z_k = E_k[Z r]}, Z an orthonormal basis of its columns in
#'   \eqn{E XX^T}; \eqn{\mu} is the length of their mean over domains, \eqn{s^2} the sum of their d variances.
#'   The gain is the formula above; \eqn{\tilde s^2} is d times the shrunken
#'   \eqn{s^2/d}, which has d(K - 1) degrees of freedom. Where a group has no effect,
#'   \eqn{K\mu^2/s^2} has an F distribution with d and d(K - 1) degrees of freedom; T is the value of Student's
#'   t (K - 1) with the same p-value. So a factor of many levels without an effect is picked about as
#'   often as a column without one, but with `"greedy"`, which takes the largest fall of the loss, more
#'   often. For d = 1 all this is as for a feature. A group has no sign, and `stop = "theorem1"` is not for
#'   groups. Columns of a group that are constant or combinations of others in it have a coefficient of 0.
#'
#' @section Probabilities: With `prob = TRUE` the scores of classes are calibrated as in [greedytl()], on
#'   the scores of each domain from the fit without it, so the probabilities are for a domain not seen.
#'   [cv_path()] calibrates without `prob`.
#'
#' @section Survival times: A response `Surv(time, status)` or `Surv(start, stop, status)` of the survival package is
#'   replaced by the martingale residuals of the null Cox model with the domains as its strata (with `keep`, of the
#'   model of the kept columns), and columns are picked on these. Then Cox's partial likelihood, with Efron's ties and
#'   again the domains as strata, is maximised over the columns picked so far. The path has a step each time a column
#'   or group is picked that had not been picked before; its `t`, `gain` and `mu` are those of that pick. It ends early,
#'   with a message, where the partial likelihood has no maximum. Coefficients are log hazard ratios and have not been
#'   shrunk; rows count by their `weights`, as in `survival::coxph()`, not by domain. `predict()` has the types of
#'   [tlcp()]'s Cox models: `"link"` or `"lp"`, `"risk"`, `"expected"`, `"survival"`. A domain not seen has no baseline
#'   hazard of its own, so that of all domains taken together, at the means of the columns, is used. [cv_path()] leaves
#'   out one domain at a time: its loss is minus twice the log partial likelihood of the domain that is left out, an
#'   event, or the `"concordance"` within it. Domains without an event are left out.
#'
#'   Neither `family = "binomial"` nor `family = "poisson"` is fitted: for classes give `prob = TRUE`, and for counts
#'   see [tlcp()].
#'
#' @param x,y Features (numeric matrix, `dgCMatrix` or data frame, n x p) and response: n numbers,
#'   a factor (two levels are coded -1 and 1, more are fitted one against the rest), or a `Surv`. `x` may also
#'   be a [moments()] object, which brings its response and domains; `unlabelled`, `prob` and `stop = "cv"`
#'   need the rows.
#' @param domain The domain of each row: a vector of length n, or in the formula interface a column
#'   of `data`. Domains of one row are left out, with a message. With one domain `"gain"` becomes
#'   `"greedy"`, with steps of the same `nu` and no stop. With two a message says how little they tell.
#' @param formula,data,weights,subset,na.action As in [lm()]. Weights count within a domain only.
#' @param unlabelled `NULL`, or `list(x = , domain = )`: rows without a response, whose domains may
#'   be new ones. Together with the labelled rows they estimate the second moments of the features (the paper takes
#'   these as known from rows without a response): \eqn{e_i} of a step,
#'   all of \eqn{E XX^T} of a refit and of `bound`.
#' @param rule,nu Which feature is picked and how far its weight moves, see below. `nu = NULL` is .5 for `"gain"`,
#'   otherwise 1.
#' @param max_steps Largest number of distinct features (or groups); `NULL` is 50, or all that vary if there
#'   are fewer. A path has a step for every pick, at most 10 times as many.
#' @param keep Names or numbers of columns, or names of groups, that are in every model: they have no penalty and
#'   are not selected. One column of a group keeps all of it. At
#'   every step they have the least squares coefficients, every domain with the same weight, given the
#'   others. Response and features are replaced by their residuals on the kept columns first, so that a sparse matrix
#'   becomes a dense one, [products()] are written out (1 GB at most), and areas under the ROC curve by domain are
#'   not computed. `max_steps` does not count kept columns.
#' @param groups Columns that enter together. `NULL`: those of one factor of a formula or data frame (of
#'   more than two levels). A vector with the group of every feature; or `FALSE`, every column by itself. A message
#'   names columns of a matrix that look like the dummy variables of a factor. A
#'   step picks a group and moves all of its weights, see below; `max_steps` counts groups.
#' @param standardize Scale the features? `FALSE` picks the same features; only `steps$weight`
#'   is on another scale.
#' @param intercept Centre features and response by the means of their domain means? The paper does not.
#' @param sparse Code the formula's variables as a sparse matrix?
#' @param prob For classes: calibrate probabilities for `predict(type = "prob")`? See below.
#' @param family `NULL`: `"cox"` for a `Surv`, least squares (`"gaussian"`) of other responses. There is no other, see
#'   below.
#' @param control Other settings, as [tgreedy_control()] returns them, or a list of them: `signed`, `repeats`,
#'   `update`, `stop`, `alpha`, `delta`.
#' @param ... No further arguments. A mistyped one is an error that names the one that was meant.
#' @returns An object of class `c("tgreedy", "transfer_path")`, see [transfer_path]; its default
#'   step is the last (with `stop = "cv"` the chosen one). `steps` has a row for each step from 0
#'   on: `entered`, `size` (distinct features), `t`, `t_mod`, `p_value` (two-sided, K - 1 degrees of
#'   freedom, as if nothing had been selected), `gain`, `mu`, `s`, `weight` (by how much the weight of the
#'   scaled feature moved, `NA` for a group), `loss` (mean over domains of the mean squared residual), `bound`, `rss`
#'   (n times `loss`)
#'   and `df` (`size` plus the intercept). Also `domain_loss` and, for classes, `domain_auroc`:
#'   (steps + 1) x domains, step 0 first (a list of them for more than two classes); `domain_scale`: standard
#'   deviations of the columns that entered, domains x columns; `moderation`:
#'   `d0` and `s02` at the first step; `gain_left`: the largest gain when the path ended.
#'   Of survival times `loss` is the mean over domains of minus twice the log partial likelihood, an event, and
#'   `concordance` the mean over domains; `df`, `log_lik` and `deviance` are of the Cox model, `domain_loss` and
#'   `domain_concordance` (steps + 1) x domains, and `weight`, `bound` and `rss` are not there.
#' @references
#' Foster, D., Kakade, S. and Salakhutdinov, R. (2012). Domain adaptation: a small sample
#' statistical approach. *AISTATS*, PMLR 22, 960-968, Theorem 1, Corollary 3 and sections 3 to 5.
#' <https://proceedings.mlr.press/v22/foster12.html>
#'
#' Smyth, G. K. (2004). Linear models and empirical Bayes methods for assessing differential
#' expression in microarray experiments. *Statistical Applications in Genetics and Molecular
#' Biology* 3(1), section 6.2. \doi{10.2202/1544-6115.1027}
#' @seealso [tgreedy_control()], [cv_path()], which leaves out one domain at a time for this method; [moments()] for
#'   data in a database.
#' @examples
#' aq <- na.omit(airquality)
#' fit <- tgreedy(Ozone ~ Solar.R + Wind + Temp + I(Temp^2) + Wind:Temp, data = aq, domain = Month)
#' fit
#' predict(fit, aq[1:3, ])
#'
#' # both this rule and the paper's, each month left out
#' cv_path(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, fit = tgreedy)
#' cv_path(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, fit = tgreedy, rule = "t")
#'
#' # survival for an institution not seen: which columns have the same effect in all of these?
#' if (requireNamespace("survival", quietly = TRUE)) {
#'   used <- c("inst", "time", "status", "age", "sex", "ph.ecog", "pat.karno", "wt.loss")
#'   lung <- na.omit(survival::lung[used])
#'   cox <- tgreedy(Surv(time, status) ~ age + sex + ph.ecog + pat.karno + wt.loss, data = lung,
#'                  domain = inst)
#'   print(cox)
#'   predict(cox, lung[1:3, ], type = "survival", times = c(180, 365))
#' }
#' @export
tgreedy <- function(x, ...) UseMethod("tgreedy")

#' @rdname tgreedy
#' @export
tgreedy.default <- function(x, y, domain = NULL, ..., weights = NULL, family = NULL, unlabelled = NULL,
                            rule = c("gain", "t", "modt", "greedy"), nu = NULL, max_steps = NULL, keep = NULL,
                            groups = NULL, standardize = TRUE, intercept = TRUE, prob = FALSE,
                            control = tgreedy_control()) {
  arguments_methods_check()
  surv <- !missing(y) && inherits(y, "Surv")
  frame <- frame_default(x, y, weights = weights, domain = domain, family = if (surv) "cox" else FALSE, moments = TRUE)
  fit <- tgreedy(frame, family = family, unlabelled = unlabelled, rule = rule, nu = nu, max_steps = max_steps,
                 keep = keep, groups = groups, standardize = standardize, intercept = intercept, prob = prob,
                 control = control)
  arguments_methods_called(fit, frame, match.call(), "tgreedy")
}

#' @rdname tgreedy
#' @export
tgreedy.formula <- function(formula, data, domain, ..., weights, subset, na.action, sparse = FALSE,
                            family = NULL, unlabelled = NULL, rule = c("gain", "t", "modt", "greedy"), nu = NULL,
                            max_steps = NULL, keep = NULL, groups = NULL, standardize = TRUE, intercept = TRUE,
                            prob = FALSE, control = tgreedy_control()) {
  arguments_methods_check()
  matched <- match.call()
  if (missing(domain) && !(!missing(data) && length(frame_groups_of_data(data)))) {
    abort_missing("domain", "Name the column of {.arg data} that says where each row comes from.", rlang::current_env())
  }
  surv <- if (!missing(formula)) tgreedy_surv_of_formula(formula, if (!missing(data)) data) else FALSE
  frame <- frame_formula(formula, data, matched, na.action, sparse = sparse, family = surv, env = parent.frame())
  fit <- tgreedy(frame, family = family, unlabelled = unlabelled, rule = rule, nu = nu, max_steps = max_steps,
                 keep = keep, groups = groups, standardize = standardize, intercept = intercept, prob = prob,
                 control = control)
  arguments_methods_called(fit, frame, matched, "tgreedy", formula)
}

#' @rdname tgreedy
#' @usage NULL
#' @export
tgreedy.transfer_frame <- function(x, ..., family = NULL, unlabelled = NULL,
                                   rule = c("gain", "t", "modt", "greedy"), nu = NULL, max_steps = NULL,
                                   keep = NULL, groups = NULL, standardize = TRUE, intercept = TRUE, prob = FALSE,
                                   control = tgreedy_control()) {
  call <- rlang::caller_env()
  if (...length()) arguments_check(call)
  control <- arguments_control_check(control, "tgreedy_control", call)
  given <- list(family = family, unlabelled = unlabelled, rule = rule, nu = nu, max_steps = max_steps, keep = keep,
                groups = groups, standardize = standardize, intercept = intercept, prob = prob,
                control = control) # for refits
  prob <- check_flag(prob, "prob", call)
  frame <- x
  if (!frame_rows_are_there(frame)) {
    frame_moments_refuse_without_rows(list(unlabelled = unlabelled, prob = prob), list(unlabelled = NULL, prob = FALSE),
                                      call)
    if (identical(control$stop, "cv")) {
      abort_input("{.arg stop} is {.val cv}, which needs rows.", "stop",
                  i = "Use {.code cv_path(x, fit = tgreedy)}.", call = call)
    }
    frame$domain <- frame$domain %||% factor(NO_DOMAIN)
  }
  tgreedy_surv_check_family(family, frame, call)
  surv <- inherits(frame$y, "Surv")
  frame <- if (surv) tgreedy_surv_frame(frame, call) else frame_for_method("tgreedy", frame, "products", call)
  if (is.null(frame$domain)) abort_missing("domain", "Give the domain of each row of {.arg x}.", call)
  frame$domain <- table_used_levels(frame$domain)
  if (!is.null(unlabelled)) unlabelled <- tgreedy_settings_unlabelled(unlabelled, frame, call)
  frame <- tgreedy_fit_whole_domains(frame, call)
  if (surv) {
    tgreedy_surv_refuse(prob, control$stop, call)
    frame <- tgreedy_surv_with_events(frame, call)
  }
  if (!is.null(unlabelled)) unlabelled <- tgreedy_fit_whole_unlabelled(unlabelled, frame)
  map <- if (frame_is_mapped(frame)) frame_map_without_rows(frame$x)
  groups <- frame_groups_of_columns(if (is.null(map)) groups else frame_map_refuse_groups(groups, frame, call), frame,
                                    call)
  if (length(keep)) {
    if (!is.null(map)) frame <- products_written_out(frame, call)
    keep <- path_kept_features(keep, groups, frame, call)
    groups <- tgreedy_kept_groups_of_rest(groups, setdiff(seq_len(ncol(frame$x)), keep))
    if (!is.null(unlabelled)) {
      abort_input("{.arg keep} and {.arg unlabelled} are given.", "keep", i = "Leave one of them out.", call = call)
    }
  }
  times <- frame
  if (surv) frame <- tgreedy_surv_residuals(frame, keep, call)
  settings <- tgreedy_settings(
    frame, rule = rule, nu = nu, max_steps = max_steps, keep = keep, groups = groups, standardize = standardize,
    intercept = intercept, control = control, map = map, given = given, call = call
  )
  fit <- tgreedy_fit(frame, unlabelled, settings, call)
  if (surv) fit <- tgreedy_surv_path(fit, times, settings)
  if (settings$stop == "cv") fit <- tgreedy_fit_at_best_step(fit, frame, unlabelled, call)
  if (settings$rule == "t") tgreedy_fit_tell_chance(fit, settings) else tgreedy_fit_tell_two_domains(fit)
  if (is.null(given$groups) && frame_rows_are_there(frame)) tgreedy_settings_tell_dummies(frame)
  tgreedy_fit_tell_spreads(fit$domain_scale)
  if (!prob) return(fit)
  if (settings$stop == "cv") given$control$stop <- "none" # the same path, without the choice of a step
  cv_calibrate_path(fit, frame, tgreedy, given, call)
}

#' @export
parsnip_engine.tgreedy <- function(method) {
  list(models = list(linear_reg = NULL, logistic_reg = list(prob = TRUE)), tunable = c("step", "max_steps"))
}
