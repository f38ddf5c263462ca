# Survival times in a domain left out: tgreedy() beside other Cox models. Only definitions.

# Seven domains of n rows and 30 correlated columns, five of them with an effect. In every domain the effects of all
# columns deviate by normal numbers of standard deviation tau, and means and baseline hazards differ.
surv_problem <- function(seed, tau, K = 7, n = 60, p = 30) {
  set.seed(seed)
  domain <- rep(seq_len(K), each = n)
  x <- .6 * matrix(stats::rnorm(K * n * p), ncol = p) + .6 * stats::rnorm(K * n)
  x <- x + .5 * matrix(stats::rnorm(K * p), K)[domain, ]
  effect <- rep(c(.5, .5, -.5, .4, -.4, rep(0, p - 5)), each = K * n) + matrix(stats::rnorm(K * p, 0, tau), K)[domain, ]
  eta <- rowSums(x * effect) + stats::rnorm(K)[domain]
  time <- stats::rexp(K * n, exp(eta - 3))
  censored <- stats::rexp(K * n, exp(-2.5))
  list(x = x, y = survival::Surv(pmin(time, censored), as.numeric(time <= censored)), domain = factor(domain))
}

# The lung data, institutions of fewer than eight rows as one domain.
surv_lung <- function() {
  d <- stats::na.omit(survival::lung[c("inst", "time", "status", "age", "sex", "ph.ecog", "ph.karno", "pat.karno",
                                       "meal.cal", "wt.loss")])
  small <- !d$inst %in% names(which(table(d$inst) >= 8))
  list(x = as.matrix(d[4:10]), y = survival::Surv(d$time, d$status), domain = factor(ifelse(small, 0, d$inst)))
}

# Linear predictors of the rows of the domain `out` by models of the other rows.
surv_scores <- function(problem, out) {
  held <- problem$domain == out
  x <- problem$x[!held, ]
  y <- problem$y[!held]
  domain <- droplevels(problem$domain[!held])
  new <- problem$x[held, , drop = FALSE]
  strata <- survival::strata
  fit <- suppressMessages(tgreedy(x, y, domain = domain))
  greedy <- suppressMessages(tgreedy(x, y, domain = domain, rule = "greedy", max_steps = max(1, fit$best)))
  all <- stats::coef(survival::coxph(y ~ x + strata(domain)))
  list("no columns" = numeric(nrow(new)), "tgreedy()" = stats::predict(fit, new, type = "link"),
       "rule \"greedy\", as many columns" = stats::predict(greedy, new, type = "link"),
       "Cox model of all columns" = drop(new %*% replace(all, is.na(all), 0)))
}

# Concordance and minus twice the log partial likelihood, an event, in the domain left out: measures x models.
surv_measures <- function(problem, out) {
  y <- problem$y[problem$domain == out]
  vapply(surv_scores(problem, out), function(score) {
    partial <- survival::coxph(y ~ score, init = 1, iter.max = 0)$loglik[1]
    c(survival::concordance(y ~ score, reverse = TRUE)$concordance, -2 * partial / sum(y[, "status"]))
  }, c(0, 0))
}

part_surv <- function() {
  lung <- surv_lung()
  draws <- 20
  found <- list(
    "effects alike (.1)" = lapply(seq_len(draws), function(k) surv_measures(surv_problem(k, .1), "7")),
    "effects differ (.3)" = lapply(seq_len(draws), function(k) surv_measures(surv_problem(k, .3), "7")),
    "lung" = lapply(levels(lung$domain), function(out) surv_measures(lung, out))
  )
  rows <- do.call(rbind, lapply(names(found), function(kind) {
    mean <- Reduce(`+`, found[[kind]]) / length(found[[kind]])
    data.frame(data = kind, model = colnames(mean), concordance = mean[1, ], "-2 log partial likelihood" = mean[2, ],
               check.names = FALSE, row.names = NULL)
  }))
  section("tgreedy", "surv", "Survival times in a domain left out", paste(
    "Means over domains left out, of 20 draws of seven domains of 60 rows with 30 columns, five with an effect",
    "(standard deviation between domains in brackets), and over institutions of survival::lung with eight rows or",
    "more, the others as one. The partial likelihood is an event's; all Cox models have the domains as strata."
  ), "", markdown_table(rows))
}
