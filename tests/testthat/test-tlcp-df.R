# ---- degrees of freedom: the trace of what makes the target's fit of its response

# The naive twin's fit of the target is linear in its response once the borrowing prior is held.
naive_trace <- function(domains, borrowing, S, support) {
  problem <- naive_problem(domains, borrowing)
  x <- domains[[1]]$x
  fitted <- vapply(seq_len(nrow(x)), function(i) {
    problem$y <- replace(0 * problem$y, i, sqrt(borrowing$lam[[1]]))
    sum(x[i, ] * naive_fit(problem, S, support)$w[, 1])
  }, 1)
  sum(fitted)
}

test_that("df is the trace of the naive twin's smoother, the level's share included", {
  for (seed in 1:4) {
    d <- draw_similar_domains(seed, 3, 5, kind = if (seed %% 2) "random" else "correlated", apart = .2)
    for (borrow in c("hierarchical", "pooled", "plugin")) {
      for (support in c("target", "shared")) {
        fit <- tlcp(d$x, d$y, domain = d$domain, target = "b", borrow = borrow,
                    control = tlcp_control(support = support, guard = FALSE),
                    sizes = TRUE)
        domains <- naive_domains_of_fit(fit, d)
        borrowing <- naive_borrowing_of(fit, 5)
        wanted <- vapply(fit$steps$step, function(step) {
          S <- match(variable.names(fit, step = step), colnames(d$x))
          if (borrow == "hierarchical") return(naive_trace(domains, borrowing, S, support))
          1 + if (length(S)) naive_trace(domains, borrowing, S, support) else 0
        }, 1)
        expect_equal(fit$steps$df, wanted, tolerance = 1e-7, label = paste(borrow, support))
      }
    }
  }
})

test_that("nothing borrowed is the size and the intercept", {
  d <- draw_similar_domains(5, 2, 6)
  own <- tlcp(d$x, d$y, domain = d$domain, target = "b", borrow = "none", sizes = TRUE)
  expect_equal(own$steps$df, own$steps$size + 1)
  closed <- tlcp(d$x, d$y, domain = d$domain, target = "b", borrow = "none", method = "cutoff",
                 select = FALSE)
  expect_equal(utils::tail(closed$steps$df, 1), ncol(d$x) + 1)
})

# The derivatives of the target's fitted values by their own responses, summed. With numbers for `borrow` and columns
# that are not standardised, only the models depend on the response.
trace_by_difference <- function(d, step, ..., h = 1e-5) {
  at <- which(d$domain == "b")
  fitted <- function(y) {
    fit <- flat(tlcp)(d$x, y, domain = d$domain, target = "b", standardize = FALSE, select = FALSE, ...)
    predict(fit, d$x[at, ], step = step)
  }
  before <- fitted(d$y)
  sum(vapply(seq_along(at), function(i) {
    (fitted(replace(d$y, at[i], d$y[at[i]] + h)) - before)[i] / h
  }, 1))
}

test_that("df is the trace by differences: numbers, all rows as one, the closed form", {
  d <- draw_similar_domains(6, 2, 4)
  numbers <- list(lam = c(1, .5), v = c(.5, 1, 2, 9))
  for (args in list(list(borrow = numbers), list(borrow = numbers, support = "shared"),
                    list(borrow = "aggregate"), list(borrow = numbers, method = "cutoff"),
                    list(borrow = "aggregate", method = "cutoff"))) {
    run <- function(...) do.call(flat(tlcp), c(list(d$x, d$y, domain = d$domain, target = "b",
                                              standardize = FALSE, select = FALSE), args))
    fit <- run()
    for (step in utils::tail(fit$steps$step, 2)) {
      wanted <- do.call(trace_by_difference, c(list(d, step), args))
      expect_equal(fit$steps$df[step + 1], wanted, tolerance = 1e-4,
                   label = paste(deparse(args), collapse = ""))
    }
  }
  wide <- draw_similar_domains(7, 1, 30, n = 12)
  fit <- tlcp(wide$x, wide$y, method = "cutoff", standardize = FALSE, select = FALSE,
              control = tlcp_control(sigma2 = 1))
  last <- max(fit$steps$step)
  expect_equal(fit$steps$df[last + 1], 12)
})

test_that("AIC counts what is borrowed as less than a feature", {
  aq <- stats::na.omit(airquality)
  fit <- tlcp(Ozone ~ Solar.R + Wind + Temp, aq, domain = Month, target = 5, select = FALSE)
  df <- attr(logLik(fit), "df")
  expect_lt(df, 4)
  expect_gt(df, 2)
  expect_error(summary(fit, step = 0:1), "Give one", class = "transelect_error_step")
})
