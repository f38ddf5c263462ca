#' T-greedy: features whose effect holds across domains
#'
#' Chooses features for domains that are not among the data: other hospitals, plants, schools. Use `tgreedy()` where you
#' have rows of several domains, at least three, and want to predict in a new one: `tgreedy(y ~ ., data = d, domain =
#' hospital)`. It picks features whose effect is large *and* similar from domain to domain. All domains have the same
#' weight, whatever their size. Use [tlcp()] instead if the domain to predict has rows of its own. Before you rely on
#' the fit, call [cv_path()], which leaves out one domain at a time.
#'
#' `predict()` bounds columns of new rows ten ranges outside the rows of the fit, and names them (`bound`, see
#' [transfer_path]).
#'
#' The arguments by topic:
#' * data: `x`, `y`, `domain`, `formula`, `data`, `subset`, `na.action`, `weights`, `family`, `unlabelled`, `sparse`;
#' * path: `rule`, `nu`, `max_steps`, `keep`, `groups`;
#' * other: `standardize`, `intercept`, `prob`, `control`.
#'
#' `vignette("next-hospital")` is an example; `vignette("methods-tgreedy")` has the formulas and results of simulations.
#'
#' @section Rules: In each domain a feature has an effect on what the model has not yet explained. Over K domains these
#' effects have a mean \eqn{\mu}, a standard deviation s, and T, the mean divided by its standard error
#' \eqn{s/\sqrt K}. A step picks one feature and moves its coefficient by `nu` times that of least squares:
#' * `"gain"` (the default, ours) picks the feature whose step is expected to lower the squared error in a new domain
#'   most. A large \eqn{\mu} raises this gain, a large s lowers it. The path ends when no gain is positive.
#' * `"t"` (the paper) picks the feature with the largest \eqn{|T|}. With two or three domains large values of T are
#'   mostly chance; a message says how large they would be by chance.
#' * `"modt"` is `"t"` with standard deviations that are shrunk towards those of all features (Smyth 2004).
#' * `"greedy"` picks the feature with the largest \eqn{|\mu|}, which lowers the error in the domains of the fit most.
#'   It is the paper's comparator.
#'
#' On average `"gain"` was the best rule. It does worse if nearly collinear columns help only together, such as arrays
#' of sensors whose sensitivity changes from batch to batch. No step then has a gain by itself, and the path ends too
#' early. On such data use `control = tgreedy_control(stop = "cv")`. If the number of features does not matter, also try
#' the lasso and ridge regression, with whole domains left out ([compare_paths()]): the lasso was better than `"gain"`
#' on most of the first data sets that we tried, and worse on average on the others (`vignette("methods-tgreedy")` has
#' both tables).
#'
#' @section When the path ends: The setting `stop` of [tgreedy_control()]:
#' * `"gain"` (the default of that rule): before a step whose gain is not positive;
#' * `"bonferroni"`: before a \eqn{|T|} below the quantile of Student's t (K - 1 degrees of freedom) at `alpha` divided
#'   by the number of features. With few domains it may keep no feature at all;
#' * `"theorem1"`: before an effect whose interval by the paper's Theorem 1 contains zero. The theorem needs many
#'   domains; with fewer it is an error that says how many;
#' * `"cv"`: at the step with the smallest loss in a cross-validation that leaves out one domain at a time;
#' * `"none"` (the default of the other rules): at `max_steps`.
#'
#' @section Groups: The columns of a factor enter together, since each of them depends on the reference level. The gain
#'   and T of a group depend only on the space that its columns span. A factor of many levels without an effect is
#'   picked about as often as a column without an effect; `"greedy"` picks it more often. A group has no sign, and `stop
#'   = "theorem1"` is not for groups. If a column of a group is constant, or a combination of others in the group, its
#'   coefficient is 0.
#'
#' @section Probabilities: With `prob = TRUE` the scores of classes are calibrated as in [greedytl()]. The scores of
#'   each domain come from a fit without it, so the probabilities are for a new domain. [cv_path()] calibrates without
#'   `prob`. For odds and counts use [tlcp()]: `family = "binomial"` and `"poisson"` are errors here.
#'
#' @section Survival times: Give `Surv(time, status)` or `Surv(start, stop, status)` of the survival package. Columns
#'   are picked on the residuals of a Cox model without features, and Cox's model is then fitted to the columns picked
#'   so far. In both the domains are strata. Coefficients are log hazard ratios and are not shrunk. `predict()` has the
#'   types `"link"` or `"lp"`, `"risk"`, `"expected"` and `"survival"`. A new domain has no baseline hazard of its own,
#'   so the one of all domains together is used. The loss of [cv_path()] is minus twice the log partial likelihood per
#'   event of the domain left out, or `loss = "concordance"`. Each step adds a column or group that was not picked
#'   before. Rows count by their `weights`, and not by domain. Domains without an event are left out. The path ends
#'   early, with a message, if the partial likelihood has no maximum.
#'
#' @param x,y Features (numeric matrix, `dgCMatrix` or data frame, n x p) and response: n numbers,
#'   a factor (two levels are coded -1 and 1, more are fitted one against the rest), or a `Surv`. `x` may also
#'   be a [moments()] object, which brings its response and domains; `unlabelled`, `prob` and `stop = "cv"`
#'   need the rows.
#' @param domain The domain of each row: a vector of length n, or with a formula a column of `data`. Domains with one
#'   row are left out, with a message. With one domain `"gain"` becomes `"greedy"`, with steps of the same `nu` and no
#'   stop. With two domains a message says how little they tell.
#' @param formula,data,weights,subset,na.action As in [lm()]. Weights count within a domain only.
#' @param unlabelled `NULL`, or `list(x = , domain = )`: rows without a response, also of new domains. They help to
#'   estimate the second moments of the features.
#' @param rule,nu Which feature is picked and how far its coefficient moves, see "Rules". `nu = NULL` is .5 for
#'   `"gain"`, otherwise 1.
#' @param max_steps Largest number of distinct features (or groups); `NULL`: 50, or all that vary if there are fewer. A
#'   feature may be picked several times, so a path has up to 10 times as many steps.
#' @param keep Names or numbers of columns, or names of groups, terms or variables, that are in every model. They are
#'   not selected, and always have their least squares coefficients, given the others. If one column of a group is kept,
#'   the whole group is. `max_steps` does not count kept columns. With `keep` a sparse matrix becomes dense,
#'   [products()] are written out (1 GB at most), and areas under the ROC curve by domain are not computed.
#' @param groups Columns that enter together. `NULL`: those of each factor of more than two levels, and of each basis
#'   such as `poly(x, 2)` in a formula or data frame. A vector: the group of every feature. `FALSE`: every column by
#'   itself. A message names columns of a matrix that look like the dummy variables of a factor. `max_steps` counts
#'   groups.
#' @param standardize Scale the features? `FALSE` picks the same features; only the scale of `steps$weight` differs.
#' @param intercept Centre features and response by the mean of their domain means? The paper does not.
#' @param sparse Code the formula's variables as a sparse matrix?
#' @param prob For classes: calibrate probabilities for `predict(type = "prob")`?
#' @param control Other settings, as [tgreedy_control()] returns them, or a list of them: `signed`, `repeats`,
#'   `update`, `stop`, `alpha`, `delta`.
#' @param ... Further arguments, by name; with a formula those of the first form, from `unlabelled` to `control`. A
#'   mistyped name is an error that says which argument was meant. `family` may be `"cox"` for a `Surv`, and
#'   `"gaussian"` (least squares) for other responses.
#' @returns An object of class `c("tgreedy", "transfer_path")`, see [transfer_path]. Its default step is the last; with
#'   `stop = "cv"` it is the chosen one. `steps` has one row per step, from 0:
#'   \describe{
#'   \item{`entered`, `size`}{the feature picked, and the number of distinct features so far;}
#'   \item{`mu`, `s`, `t`, `t_mod`}{the mean and standard deviation of its effect, T, and T with the shrunken s;}
#'   \item{`p_value`}{of T, two-sided with K - 1 degrees of freedom, as if nothing had been selected;}
#'   \item{`gain`}{the expected fall of the error in a new domain;}
#'   \item{`weight`}{by how much the coefficient of the scaled feature moved, `NA` for a group;}
#'   \item{`loss`, `rss`, `df`}{the mean over domains of the mean squared residual, n times this, and `size`
#'     plus the intercept;}
#'   \item{`bound`}{the paper's bound on the regret (Corollary 3). Its condition on the number of domains almost never
#'     holds: use it to compare steps only.}
#'   }
#'   For survival times `loss` is the mean over domains of minus twice the log partial likelihood per event, and
#'   `concordance` is the mean over domains; `df`, `log_lik` and `deviance` are those of the Cox model. There is no
#'   `weight`, `bound` and `rss`.
#'
#'   Other components: `domain_loss`, for classes `domain_auroc`, for survival times `domain_concordance`: (steps + 1) x
#'   domains, step 0 first (for more than two classes a list of these); `domain_scale`, the standard deviations of the
#'   columns that entered, domains x columns; `moderation`, by how much standard deviations were shrunk at the first
#'   step (`d0` degrees of freedom towards the variance `s02`); `gain_left`, the largest gain when the path ended.
#' @references
#' Foster, D., Kakade, S. and Salakhutdinov, R. (2012). Domain adaptation: a small sample
#' statistical approach. *AISTATS*, PMLR 22, 960-968, Theorem 1, Corollary 3 and sections 3 to 5.
#' <https://proceedings.mlr.press/v22/foster12.html>
#'
#' Smyth, G. K. (2004). Linear models and empirical Bayes methods for assessing differential
#' expression in microarray experiments. *Statistical Applications in Genetics and Molecular
#' Biology* 3(1), section 6.2. \doi{10.2202/1544-6115.1027}
#' @seealso [tgreedy_control()], [cv_path()], which leaves out one domain at a time; [moments()] for
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
tgreedy <- function(x, ...) {
  if (!is.null(call <- arguments_formula_first())) return(eval(call, parent.frame()))
  UseMethod("tgreedy")
}

#' @rdname tgreedy
#' @export
tgreedy.default <- function(x, y, domain = NULL, ..., weights = NULL, unlabelled = NULL,
                            rule = c("gain", "t", "modt", "greedy"), nu = NULL, max_steps = NULL, keep = NULL,
                            groups = NULL, standardize = TRUE, intercept = TRUE, prob = FALSE,
                            control = tgreedy_control()) {
  more <- arguments_methods_check("tgreedy")
  surv <- !missing(y) && inherits(table_one_column(y), "Surv")
  frame <- frame_default(x, y, weights = weights, domain = domain, family = if (surv) "cox" else FALSE, moments = TRUE)
  fit <- arguments_methods_handed_on(tgreedy(
    frame, unlabelled = unlabelled, rule = rule, nu = nu, max_steps = max_steps, keep = keep, groups = groups,
    standardize = standardize, intercept = intercept, prob = prob, control = control
  ), more)
  arguments_methods_called(fit, frame, match.call(), "tgreedy")
}

#' @rdname tgreedy
#' @export
tgreedy.formula <- function(formula, data, domain, ..., weights, subset, na.action, sparse = FALSE) {
  more <- arguments_methods_check("tgreedy")
  matched <- match.call()
  if (missing(domain) && !(!missing(data) && length(frame_groups_of_data(data)))) {
    abort_missing("domain", "Name the column of {.arg data} that says where each row comes from.", rlang::current_env())
  }
  surv <- if (!missing(formula)) response_family_is_surv(formula, if (!missing(data)) data) else FALSE
  frame <- frame_formula(formula, data, matched, na.action, sparse = sparse, family = if (surv) "cox" else FALSE,
                         env = parent.frame())
  fit <- arguments_methods_handed_on(tgreedy(frame), more)
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
