# Domains in the units in question, their variances and the evidence of sharing, which C makes in one call: the same
# step by step.

step_by_step <- function(sums, units, settings) {
  domains <- tlcp_units_domains(sums, units, settings$standardize, NULL)
  used <- tlcp_columns_domains_in_use(domains, settings, NULL)
  if (used$domains[[1]]$level) used$own_fits <- lapply(tlcp_domain_own_levels(used$domains, TRUE), `[[`, "fit")
  list(domains = domains, used = used, lr = tlcp_prior_sharing(used$domains, used$s2)$lr)
}

test_that("units in one call are those step by step", {
  for (seed in 1:12) {
    set.seed(seed)
    n <- sample(c(3, 6, 25), 3, TRUE)
    p <- 4
    x <- matrix(rnorm(sum(n) * p, seed %% 3), sum(n), p) * rep(exp(rnorm(p)), each = sum(n))
    domain <- factor(rep(c("a", "b", "c"), n))
    if (seed %% 2) x[, 2] <- 1 # constant everywhere
    if (seed %% 4 == 1) x[domain == "a", 3] <- 2
    if (seed == 12) x[domain == "b", ] <- x[domain == "b", ] + 1e4 # no common level
    y <- x[, 1] + rnorm(sum(n))
    frame <- frame_default(x, y, domain = domain)
    settings <- tlcp_settings(frame, 3, method = "exact", standardize = seed %% 5 > 0, intercept = seed %% 6 > 0,
                              control = tlcp_control(sigma2 = if (seed %% 7 == 0) c(1, 2, 3)))
    sums <- moments_rows_domain_sums(frame_moments_cells(frame, "a", NULL), settings$intercept)
    asked <- if (settings$standardize) c("own", "common") else "common"
    suppressMessages({
      whole <- tlcp_units_of_cells(sums, asked, settings, NULL)
      for (name in asked) expect_equal(whole[[name]], step_by_step(sums, name, settings), ignore_attr = TRUE)
    })
  }
})

test_that("best subset and those of every size in one call are those of two calls", {
  settings <- structure(list(max_nodes = 1e6, max_seconds = 60), class = "tlcp_settings")
  for (seed in 1:5) {
    q <- subset_problem(seed, "correlated", 6, width = 1 + seed %% 2)
    force <- replace(integer(6), 2, c(1L, -1L, 0L)[seed %% 3 + 1])
    range <- c(max(sum(force == 1), 1), sum(force >= 0))
    form <- list(A = q$A, b = q$b, c0 = q$c0, n_domains = 1L + seed %% 2L)
    both <- .Call(C_subset_both, form, rep(2, 6), force, range, settings)
    apart <- list(best = .Call(C_subset, form, rep(2, 6), force, NULL, FALSE, settings),
                  of_size = .Call(C_subset, form, rep(2, 6), force, range, FALSE, settings))
    untimed <- function(answer) answer[names(answer) != "seconds"]
    expect_identical(lapply(both, untimed), lapply(apart, untimed))
  }
})
