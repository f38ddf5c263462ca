# ---- many domains, many features, many rows: the same answers, and no more memory than they need

# The largest memory in use while the expression is evaluated, beyond what was in use before, in MB.
megabytes_of <- function(expression) {
  before <- sum(gc(reset = TRUE)[, 2])
  force(expression)
  sum(gc()[, 6]) - before
}

many_domains <- function(n_domains, rows = 6, p = 3) {
  set.seed(n_domains)
  domain <- rep(seq_len(n_domains), each = rows)
  x <- matrix(rnorm(length(domain) * p), ncol = p, dimnames = list(NULL, letters[seq_len(p)]))
  own <- matrix(rnorm(p * n_domains, sd = .4), p)
  own[, 2] <- own[, 2] + 3
  list(x = x, y = rowSums(x * t(.5 + own)[domain, ]) + rnorm(length(domain)), domain = domain, target = "1")
}

test_that("of many domains the likelihood of the borrowing prior is dense Gaussian and has no better place nearby", {
  d <- many_domains(70)
  fit <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "1",
                               control = tlcp_control(units = "common", guard = FALSE)))
  own <- fit$borrowing
  domains <- naive_domains_of_fit(fit, d)
  at <- function(by) {
    tau2 <- own$tau2 * exp(by[1:70])
    naive_loglik(domains, tau2, own$omega2 * exp(by[71]), own$scales, TRUE, own$kappa2 * exp(by[72]))
  }
  here <- at(numeric(72))
  expect_equal(own$loglik, here, tolerance = 1e-8)
  set.seed(1)
  for (away in c(1, 2, 70:72)) {
    for (by in c(-.05, .05)) expect_lt(at(replace(numeric(72), away, by)), here + 1e-9)
  }
  for (draw in 1:10) expect_lt(at(rnorm(72, sd = .1)), here)
})

test_that("memory grows with the number of domains, not with its square", {
  d <- many_domains(400)
  used <- megabytes_of(suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "1")))
  expect_lt(used, 40)
})

test_that("a fit that will take minutes says so before it starts", {
  said <- tryCatch(tlcp_prior_tell_long(1000, 5), transelect_message_time = conditionMessage)
  expect_match(said, "1000 features in 5 domains will take about 1 minute", fixed = TRUE)
  expect_match(tryCatch(tlcp_prior_tell_long(6000, 3), transelect_message_time = conditionMessage),
               "about 3 hours", fixed = TRUE)
  expect_silent(tlcp_prior_tell_long(500, 5))
  x <- with_seed(1, matrix(rnorm(40 * 32), 40))
  searched <- tryCatch(tlcp(x, x[, 1], max_seconds = 300),
                       transelect_message_time = conditionMessage)
  expect_match(searched, "among 32 features (4e+09 subsets) may take up to 5 minutes", fixed = TRUE)
  expect_match(tryCatch(tlcp_search_tell_long(40, Inf), transelect_message_time = conditionMessage), "no time limit")
  expect_silent(tlcp_search_tell_long(124, 60))
  expect_silent(tlcp_search_tell_long(20, Inf))
  expect_silent(tlcp_prior_tell_long(6000, 1))
  expect_silent(tlcp_prior_tell_long(6000, 3, rows = 100))
  expect_match(tryCatch(tlcp_prior_tell_long(4000, 3, rows = 100, search = TRUE),
                        transelect_message_time = conditionMessage),
               "4000 features in 3 domains will take about 2 minutes", fixed = TRUE)
  expect_match(tryCatch(tlcp_prior_tell_long(6000, 3, rows = 4000), transelect_message_time = conditionMessage),
               "6000 features from 4000 rows will take about 15 minutes", fixed = TRUE)
})

test_that("terms of many rows are coded some rows at a time, as model.matrix() codes all", {
  set.seed(5)
  n <- 2 * CODED_AT_ONCE + 17
  d <- data.frame(a = rnorm(n), f = gl(4, 1, n, letters[1:4]), l = seq_len(n) > n / 2, b = rnorm(n),
                  ch = rep(c("u", "v"), c(n - 5, 5)))
  frame <- model.frame(b ~ poly(a, 2) * f + l + ch + log(abs(b) + 1) + offset(a), d)
  terms <- delete.response(attr(frame, "terms"))
  mine <- frame_formula_terms_coded(terms, frame, NULL, FALSE)
  whole <- model.matrix(terms, frame)
  expect_equal(c(mine), c(whole[, -1]))
  expect_identical(colnames(mine), colnames(whole)[-1])
  expect_identical(attr(mine, "contrasts"), attr(whole, "contrasts"))
  expect_identical(attr(mine, "assign"), attr(whole, "assign")[-1])
  d[["odd name"]] <- rnorm(n)
  numbers <- model.frame(b ~ I(a^2) + `odd name` + a, d)
  mine <- frame_formula_terms_coded(delete.response(attr(numbers, "terms")), numbers, NULL, FALSE)
  whole <- model.matrix(delete.response(attr(numbers, "terms")), numbers)
  expect_equal(c(mine), c(whole[, -1]))
  expect_identical(colnames(mine), colnames(whole)[-1])
  expect_identical(attr(mine, "assign"), attr(whole, "assign")[-1])
})
