# ---- dissimilarity(): every source judged by itself

test_that("a row a source, its likelihood ratio and tau those of the pair", {
  d <- draw_tasks(1, 4, 5, n = 25)
  table <- with_seed(1, dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 20))
  expect_s3_class(table, "transfer_dissimilarity")
  expect_setequal(as.character(table$source), c("a", "c", "d"))
  for (source in c("a", "c", "d")) {
    row <- as.character(table$source) == source
    both <- d$domain %in% c("b", source)
    tasks <- naive_tasks(d$x[both, ], d$y[both], d$domain[both], "b")
    expect_equal(table$n[row], sum(d$domain == source))
    expect_equal(table$lr[row], naive_likelihood_ratio(tasks), tolerance = 1e-4)
  }
  expect_identical(table$safe, table$lr > 1.35)
  expect_true(all(table$lower <= table$upper))
  expect_true(all(table$relative >= 0))
})

# Leave-one-out errors of the target's rows by linear smoothers written out.
naive_loo_error <- function(task, w, V) {
  h <- rowSums((task$x %*% V) * task$x) / task$s2 + 1 / task$n
  mean(((task$y - task$x %*% w) / (1 - h))^2) * task$y_scale^2
}

test_that("tau, the relative dissimilarity and the three errors", {
  for (seed in 1:3) {
    d <- draw_tasks(seed, 2, 5, n = 30, apart = 0.6)
    table <- dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 0)
    tasks <- naive_tasks(d$x, d$y, d$domain, "b")
    pair <- naive_hierarchical_fit(tasks, rep(1, 5), FALSE)
    expect_lt(abs(table$tau - sqrt(sum(pair$tau2))), 0.01)
    w <- do.call(cbind, naive_stack(tasks, "what"))
    noise <- vapply(tasks, function(task) task$s2 * sum(diag(solve(task$G))), 1)
    expect_equal(table$relative, sqrt(
      max(0, sum((w[, 1] - w[, 2])^2) - sum(noise)) / (sum(w[, 1]^2) - noise[[1]])
    ))
    target <- tasks[[1]]
    own <- target$s2 * solve(target$G)
    expect_equal(table$own, naive_loo_error(target, w[, 1], own))
    both <- do.call(rbind, naive_stack(tasks, "x"))
    all <- lm.fit(both, unlist(naive_stack(tasks, "y")))$coefficients
    expect_equal(table$pooled, naive_loo_error(target, all, target$s2 * solve(crossprod(both))))
    strength <- naive_strength(tasks)
    posterior <- naive_fit(naive_problem(tasks, strength), 1:5)$w[, 1]
    borrowed <- naive_loo_error(target, posterior, naive_target_covariance(tasks, strength))
    expect_equal(table$borrowed, borrowed, tolerance = 1e-3)
  }
})

test_that("like sources are safe, flipped and unrelated ones are not", {
  d <- draw_tasks(2, 3, 6, n = 40, apart = 0.05)
  d$y[d$domain == "c"] <- -d$y[d$domain == "c"]
  table <- with_seed(1, dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 20))
  verdict <- setNames(table$safe, as.character(table$source))
  expect_true(verdict[["a"]])
  expect_false(verdict[["c"]])
  relative <- setNames(table$relative, as.character(table$source))
  expect_lt(relative[["a"]], 0.6)
  expect_gt(relative[["c"]], 1.5)
})

test_that("the interval is of the bootstrap and repeats with the seed", {
  d <- draw_tasks(3, 2, 5, n = 30)
  draw <- function(seed, ...) {
    with_seed(seed, dissimilarity(d$x, d$y, domain = d$domain, target = "b", ...))
  }
  expect_identical(as.data.frame(draw(1, draws = 30)), as.data.frame(draw(1, draws = 30)))
  a <- draw(1, draws = 30)
  b <- draw(2, draws = 30)
  expect_false(identical(a$upper, b$upper))
  expect_identical(a$lr, b$lr)
  # 95 % of what least squares would show if the truth had the size it seems to have
  tasks <- naive_tasks(d$x, d$y, d$domain, "b")
  noise <- vapply(tasks, function(task) task$s2 * sum(diag(solve(task$G))), 1)
  shrunk <- function(v, noise) v * sqrt(max(0, sum(v^2) - noise) / sum(v^2))
  own <- shrunk(tasks[[1]]$what, noise[[1]])
  apart <- shrunk(tasks[[1]]$what - tasks[[2]]$what, sum(noise))
  seen <- with_seed(4, replicate(20000, {
    w <- Map(function(centre, task) {
      centre + drop(backsolve(chol(task$G / task$s2), rnorm(5)))
    }, list(own, own - apart), tasks)
    sqrt(max(0, sum((w[[1]] - w[[2]])^2) - sum(noise)) / (sum(w[[1]]^2) - noise[[1]]))
  }))
  many <- draw(1, draws = 20000)
  expect_equal(c(many$lower, many$upper), unname(quantile(seen, c(.025, .975))), tolerance = .05)
})

test_that("the interval of the relative dissimilarity covers it, and the estimate", {
  for (truth in c(0, .3, 1)) {
    covered <- with_seed(5, replicate(60, {
      p <- 20
      x <- matrix(rnorm(120 * p), 120)
      domain <- rep(0:1, each = 60)
      moved <- truth * sample(c(-1, 1), p, TRUE)
      y <- drop(x %*% rep(.5, p)) + domain * drop(x %*% (.5 * moved)) + rnorm(120)
      table <- dissimilarity(x, y, domain = domain, target = 0, draws = 60, standardize = FALSE)
      within <- function(value) table$lower <= value && value <= table$upper
      c(truth = within(truth), estimate = within(table$relative))
    }))
    expect_gt(mean(covered["truth", ]), .86)
    expect_true(all(covered["estimate", ]))
  }
})

test_that("the formula is the matrix", {
  d <- draw_tasks(4, 3, 4, n = 25)
  data <- data.frame(y = d$y, site = d$domain, d$x)
  a <- with_seed(1, dissimilarity(y ~ ., data, domain = site, target = "b", draws = 10))
  b <- with_seed(1, dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 10))
  expect_equal(a$lr, b$lr)
  expect_equal(a$relative, b$relative)
  expect_equal(a$upper, b$upper)
})

test_that("print, sort and plot", {
  d <- draw_tasks(5, 4, 4, n = 25)
  table <- with_seed(1, dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 10))
  expect_output(print(table), "a")
  sorted <- sort(table)
  expect_s3_class(sorted, "transfer_dissimilarity")
  expect_setequal(as.character(sorted$source), as.character(table$source))
  expect_silent({
    grDevices::pdf(NULL)
    plot(table)
    grDevices::dev.off()
  })
})

test_that("bad input is refused by name", {
  d <- draw_tasks(6, 2, 4)
  expect_refused({
    dissimilarity(d$x, d$y)
    dissimilarity(d$x, d$y, domain = d$domain)
    dissimilarity(d$x, d$y, domain = d$domain, target = "z")
    dissimilarity(d$x, d$y, domain = rep("b", length(d$y)), target = "b")
    dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = -1)
    dissimilarity(d$x, d$y, domain = d$domain, target = "b", draw = 10)
  })
})
