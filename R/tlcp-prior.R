# The borrowing prior. Every rule returns one (the hierarchical model
# below, the others in tlcp-borrow-rules.R), `borrowing`, a list of
#   borrow, s2, s2_from   the rule; residual variances by domain, and where they come from
#   lam                   weight of each domain's squares, 1/s2
#   v                     couplings: the penalty on a feature's coefficients is v_i/2 times the sum of squares of their
#                         differences from their mean; that of the hierarchical model follows from `common` and `own`
#   scales                the model's columns are the z-scored ones times sqrt(scales)
#   common, own           hierarchical: variances of what is common (by coordinate) and of what is a
#                         domain's own (coordinates x T); a level has kappa2 for the latter
#   pen                   the penalty of a feature, in units of log-likelihoods times 2
#   and what the rule estimated: tau2, omega2, delta2, v, loglik, lr, guarded

LR_SAFE <- 1.35 # 5 % point of half chi^2_0, half chi^2_1

# The hierarchical model's prior, see transelect_borrow() (src/entry/borrow_entry.c). support: NULL, or that of the form
# which is made with it, whose penalties have the factor k.
# near: NULL, or list(start, enough), the `path` of a fit of nearly the same domains and a coarser tolerance.
tlcp_prior_fit <- function(domains, s2, settings, call, support = NULL, k = 0, near = NULL) {
  how <- c(list(scales = settings$scales, distance = settings$distance %||% 1, shape = settings$omega_shape,
                support = support, k = k), near)
  prior <- progress_during("Rounds of the borrowing prior", .Call(C_borrow, domains, s2, how))
  tlcp_prior_or_stop(prior, call)
}

# Before the estimation, where it will take minutes. rows: their number where kernels of the rows are used
# (tlcp_rows_are_cheaper()), else NULL; search: is a quadratic form of the features made of them?
tlcp_prior_tell_long <- function(p, n_domains, rows = NULL, search = FALSE) {
  seconds <- SECONDS_EACH * n_domains * p^3
  if (!is.null(rows)) {
    seconds <- sum(SECONDS_ROWS * rows^2 * c(rows, p))
    form <- SECONDS_FORM * p^3
    if (search && form > seconds) rows <- NULL # the larger part of the time
    if (search) seconds <- seconds + form
  }
  if (n_domains < 2 || seconds < 60) return(invisible())
  about <- if (seconds < 5400) words_counted(round(seconds / 60), "minute") else words_counted(round(seconds / 3600),
                                                                                               "hour")
  how <- if (is.null(rows)) {
    paste0(" in ", n_domains, " domains will take about ", about,
           ": the time grows with the cube of the number of features")
  } else {
    paste0(" from ", rows, " rows will take about ", about, ": the time grows with the cube of the number of rows")
  }
  tell(paste0("Estimating the borrowing prior of ", p, " features", how, ". `max_seconds` does not limit it."),
       "To save time, leave features out beforehand, such as by their correlation with the response."[is.null(rows)],
       "transelect_message_time")
}

SECONDS_EACH <- 1.6e-8 # of a fit in both units, by domain and cubed number of features
SECONDS_ROWS <- c(1.2e-8, 1.5e-9) # of the same from rows: by their number cubed, by its square and feature
SECONDS_FORM <- 2e-9 # of the form of a search, by cubed number of features

tlcp_prior_or_stop <- function(prior, call = NULL) {
  if (prior$status == 0) return(prior)
  abort_input("The likelihood that {.arg borrow} maximises, or its posterior, could not be evaluated.", "borrow",
              i = "Rescale the columns of {.arg x}, or use {.code borrow = \"none\"}.",
              call = call)
}

# The log likelihood ratio `lr` of a component that the target shares with the other domains: l(all domains) - l(the
# target by itself) - l(the others by themselves). The last term removes the agreement of the other domains with each
# other, which is no reason for the target to borrow. Every domain has its own level here. Also returns tau2 and
# `path`, the start of a search for domains that differ little, which ends where the log-likelihood would grow by less
# than the share `enough`.
tlcp_prior_sharing <- function(domains, s2, call = NULL, start = NULL, enough = 0) {
  tlcp_prior_or_stop(.Call(C_borrow_ratio, domains, s2, start, enough), call)
}

# See tlcp_prior_of().
tlcp_prior_hierarchical <- function(domains, s2, k, settings, lr, call, support = NULL) {
  p <- length(domains[[1]]$g)
  level <- isTRUE(domains[[1]]$level)
  prior <- tlcp_prior_fit(domains, s2, settings, call, support, k)
  list(
    borrow = "hierarchical", lam = 1 / s2,
    scales = prior$scale, common = prior$common, own = prior$own,
    pen = rep(k, p - level), tau2 = prior$tau2, omega2 = prior$omega2,
    kappa2 = if (level) prior$kappa2, loglik = prior$log_lik,
    lr = lr %||% tlcp_prior_sharing(domains, s2, call)$lr,
    evaluations = prior$evaluations, made = if (!is.null(support)) prior[c("form", "pen")]
  )
}

# The borrowing prior where the target's slopes have a variance and scales of their own and are unrelated to
# the other domains'. A column that is constant in the target is still borrowed, as the level is.
tlcp_prior_unrelated_target <- function(borrowing, target, s2, settings, call, near = NULL) {
  varying <- which(target$varies)
  if (!length(varying)) return(borrowing)
  apart <- tlcp_prior_fit(tlcp_prior_target_slopes(target), s2, list(scales = settings$scales, omega_shape = 1), call,
                          near = near)
  borrowing$tau2[] <- borrowing$own[varying, ] <- apart$tau2 + apart$omega2
  borrowing$omega2 <- borrowing$common[varying] <- LOW_OMEGA2
  borrowing$scales[varying] <- apart$scale
  borrowing$made <- NULL # for the other prior
  borrowing
}

# The target with a level of its own and the columns that vary there, as a list.
tlcp_prior_target_slopes <- function(target) {
  tlcp_domain_own_levels(list(tlcp_domain_columns(target, which(target$varies), TRUE)), intercept = TRUE)
}

# The criteria by name, each as the penalty of a feature, in units of the target's residual variance, for n rows and p
# features.
CRITERIA <- list(
  Cp = function(n, p) 2, AIC = function(n, p) 2, BIC = function(n, p) log(n), HQ = function(n, p) 2 * log(log(n)),
  Cp_BIC = function(n, p) log(n), Cp_HQ = function(n, p) 2 * log(log(n)), RIC = function(n, p) 2 * log(p)
)

# The printed name of a criterion. Without borrowing it is the usual name (AIC is that of AIC()); with borrowing the
# criterion is the objective of all domains with that penalty, and the name says so.
tlcp_prior_criterion_name <- function(criterion, borrow) {
  if (is.numeric(criterion)) return(paste("criterion with k =", format(criterion)))
  if (identical(borrow, "none")) criterion else paste0("penalised criterion (", criterion, " penalty)")
}

# Without borrowing these estimate the residual variance anew for every subset: the penalty is then in units of twice
# the log-likelihood.
tlcp_prior_variance_anew <- function(criterion, borrow) {
  is.character(criterion) && criterion %in% c("AIC", "BIC", "HQ") && tlcp_prior_without_borrowing(borrow)
}

# used: of tlcp_columns_domains_in_use(). For the hierarchical model also `lr`, the log likelihood ratio of sharing if
# it is known, and `alone`: the target's slopes are unrelated to the other domains'. support: NULL, or that of a form to
# be made in the same call of C, which is then the element `made`, see tlcp_form_quadratic().
tlcp_prior_of <- function(used, settings, call, lr = NULL, alone = FALSE, support = NULL) {
  domains <- used$domains
  s2 <- used$s2
  p <- length(domains[[1]]$g)
  n <- settings$n_effective %||% domains[[1]]$n
  k <- if (is.numeric(settings$criterion)) settings$criterion else
    max(CRITERIA[[settings$criterion]](n, length(used$columns)), 0)
  rule <- if (is.list(settings$borrow)) "numbers" else settings$borrow
  if (length(domains) == 1 && !rule %in% c("numbers", "aggregate")) rule <- "none"
  borrowing <- switch(rule,
    hierarchical = tlcp_prior_hierarchical(domains, s2, k, settings, lr, call, if (!alone) support),
    plugin = tlcp_rule_plugin(domains, s2, k),
    plugin3 = tlcp_rule_plugin3(domains, s2, k),
    pooled = tlcp_rule_pooled(domains, s2, k),
    reml = tlcp_rule_reml(domains, s2, k, call),
    numbers = tlcp_rule_numbers(domains, s2, k, used$columns, settings, call),
    list(borrow = rule, lam = 1 / s2[1], scales = rep(1, p), pen = rep(k, p))
  )
  if (alone) borrowing <- tlcp_prior_unrelated_target(borrowing, domains[[1]], s2[1], settings, call)
  c(borrowing, list(k = k), used[names(used) %in% c("s2", "s2_from", "s2_df", "guarded", "guard_lr")])
}

tlcp_prior_check_borrow <- function(borrow, n_domains, call) {
  if (is.list(borrow)) return(borrow)
  borrow <- borrow %||% if (n_domains > 1) "hierarchical" else "none"
  borrow <- check_choice(borrow, BORROW, "borrow", call)
  if (n_domains < 2 && !tlcp_prior_without_borrowing(borrow)) {
    abort_input("{.arg borrow} is {.val {borrow}}, but there is one domain.", "borrow",
                i = "Give rows of other domains and {.arg domain}, or use {.val none}.",
                call = call)
  }
  if (borrow == "plugin3" && n_domains != 3) {
    abort_input("{.arg borrow} is {.val plugin3}, which is for three domains; there are {n_domains}.", "borrow",
                i = "Give {.val plugin} or {.val hierarchical}.", call = call)
  }
  borrow
}

BORROW <- c("hierarchical", "reml", "pooled", "plugin", "plugin3", "none", "aggregate", "sparse")

# Rules by which no domain borrows: the target is alone, or all rows are one domain.
tlcp_prior_without_borrowing <- function(rule) !is.list(rule) && rule %in% c("none", "aggregate")

# Only the hierarchical model takes estimates.
tlcp_prior_with_sites <- function(settings, sites, call) {
  if (identical(settings$borrow, "none")) return(settings)
  if (!tlcp_units_is_hierarchical(settings)) {
    what <- if (settings$method == "cutoff") "method" else "borrow"
    abort_input("{.arg {what}} is {.val {settings[[what]]}}, which needs rows of the other domains.", what,
                i = "Give {.code borrow = \"hierarchical\"} and {.code method = \"exact\"} with {.arg sources}.",
                call = call)
  }
  settings$sites <- sites
  settings
}

LOW_OMEGA2 <- 1e-5 # the least variance of common coefficients, which are then unrelated, see src/tlcp/borrow.h
