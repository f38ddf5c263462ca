# ---- when the path stops

rules <- c("gain", "t", "modt", "greedy")

test_that("max_steps counts distinct columns", {
  for (seed in 1:6) {
    d <- draw_domains(seed)
    for (rule in rules) {
      for (max_steps in c(1, 3, 7)) {
        pair <- tgreedy_pair(d, rule = rule, nu = 0.5, stop = "none", max_steps = max_steps)
        expect_tgreedy_twin(pair, label = paste(rule, max_steps, seed))
        expect_lte(max(pair$fit$steps$size), max_steps)
        expect_lte(max(pair$fit$steps$step), 10 * max_steps)
      }
    }
  }
})

test_that("a shorter path is the beginning of a longer one", {
  d <- draw_domains(8, "correlated", p = 10)
  long <- tgreedy(d$x, d$y, d$domain, rule = "greedy", nu = 0.5, max_steps = 8)
  for (max_steps in 1:7) {
    short <- tgreedy(d$x, d$y, d$domain, rule = "greedy", nu = 0.5, max_steps = max_steps)
    rows <- seq_len(nrow(short$steps))
    expect_equal(short$steps, long$steps[rows, ], ignore_attr = TRUE)
  }
})

test_that("gain: the next step would lose", {
  for (seed in 1:8) {
    d <- draw_domains(seed)
    for (rule in rules) {
      pair <- tgreedy_pair(d, rule = rule, stop = "gain", max_steps = 7)
      expect_tgreedy_twin(pair, label = paste("stop gain", rule, seed))
      expect_true(all(pair$fit$steps$gain[-1] > 0))
      expect_equal(pair$fit$best, max(pair$fit$steps$step))
    }
  }
})

test_that("bonferroni: p-values up to alpha / p", {
  for (seed in 1:8) {
    d <- draw_domains(seed, n_domains = 9)
    for (rule in rules) {
      for (alpha in c(0.05, 0.5)) {
        pair <- tgreedy_pair(d, rule = rule, stop = "bonferroni", alpha = alpha, max_steps = 7)
        expect_tgreedy_twin(pair, label = paste("bonferroni", rule, alpha, seed))
        expect_true(all(pair$fit$steps$p_value[-1] <= alpha / 7))
      }
    }
  }
})

test_that("theorem 1: as long as zero is outside the interval", {
  for (seed in 1:3) {
    d <- with_seed(seed, simulate_domains(60, n = 8, p = 4, spread = 0.5, imbalance = 0.5))
    for (rule in rules) {
      pair <- tgreedy_pair(d, rule = rule, stop = "theorem1")
      expect_tgreedy_twin(pair, label = paste("theorem 1", rule, seed))
      expect_true(all(abs(pair$fit$steps$t[-1]) > sqrt(4 * log(2 * 4 / 0.05))))
    }
    pair <- tgreedy_pair(d, rule = "t", stop = "theorem1", delta = 0.2)
    expect_tgreedy_twin(pair, label = paste("theorem 1, delta", seed))
  }
})

test_that("theorem 1 says when there are too few domains", {
  expect_false(naive_theorem1(1, 38, 3, 0.05)$holds)
  expect_true(naive_theorem1(1, 39, 3, 0.05)$holds)
  expect_equal(naive_theorem1(1, 38, 3, 0.05)$domains, 39)
  d <- with_seed(1, simulate_domains(39, n = 3, p = 3, shared = 1))
  expect_s3_class(tgreedy(d$x, d$y, d$domain, control = tgreedy_control(stop = "theorem1")), "tgreedy")
  few <- d$domain != "d1"
  expect_error(
    tgreedy(d$x[few, ], d$y[few], d$domain[few], control = tgreedy_control(stop = "theorem1")), "39",
    class = "transelect_error_stop"
  )
  # a column that does not vary is not counted
  more <- cbind(d$x, k = 1)
  expect_s3_class(tgreedy(more, d$y, d$domain, control = tgreedy_control(stop = "theorem1")), "tgreedy")
})

test_that("cv: the step that does best on the domain left out", {
  for (seed in 1:6) {
    d <- draw_domains(seed, "correlated")
    for (rule in rules) {
      fit <- tgreedy(d$x, d$y, d$domain, rule = rule, control = tgreedy_control(stop = "cv"), max_steps = 4)
      last <- max(fit$steps$step)
      loss <- naive_tgreedy_cv(d$x, d$y, d$domain, last, rule = rule, max_features = 4)
      expect_equal(fit$best, which.min(loss) - 1, label = paste(rule, seed))
      full <- tgreedy(d$x, d$y, d$domain, rule = rule, control = tgreedy_control(stop = "none"), max_steps = 4)
      expect_same_tgreedy(fit, full)
    }
  }
})

test_that("corollary 3 does not depend on the basis and delta counts", {
  d <- draw_domains(9)
  a <- tgreedy(d$x, d$y, d$domain, rule = "greedy", max_steps = 3)
  b <- tgreedy(d$x, d$y, d$domain, rule = "greedy", max_steps = 3, control = tgreedy_control(delta = 0.5))
  q <- a$steps$size[-1]
  ratio <- (8 * q * log(7) + 4 * log(2 / 0.05)) / (8 * q * log(7) + 4 * log(2 / 0.5))
  expect_close(a$steps$bound[-1] / b$steps$bound[-1], ratio)
  one <- d$x[, entered(a)[1], drop = FALSE]
  mean_of <- function(v) drop(naive_by_domain(v, d$domain, rep(1, length(d$y))))
  centred <- one - mean(mean_of(one))
  unit <- centred / sqrt(mean(mean_of(centred^2)))
  s2 <- var(mean_of(unit * (d$y - mean(mean_of(d$y)))))
  expect_close(a$steps$bound[2], s2 * (8 * log(7) + 4 * log(2 / 0.05)) / 5)
})

test_that("cv: fitted values are those of the step that is chosen, and cv_path() takes the fit", {
  d <- draw_domains(3)
  for (y in list(d$y, factor(d$y > mean(d$y)), cut(d$y, 3, labels = c("l", "m", "h")))) {
    for (keep in list(NULL, 1)) {
      fit <- tgreedy(d$x, y, d$domain, control = tgreedy_control(stop = "cv"), nu = .5, keep = keep)
      expect_lt(fit$best, max(fit$points$step))
      expect_equal(fitted(fit), predict(fit, d$x, type = "response"), ignore_attr = TRUE)
      w <- length(d$domain) / length(unique(d$domain)) / ave(seq_along(d$domain), d$domain, FUN = length)
      if (is.numeric(y)) expect_equal(sum(w * residuals(fit)^2), deviance(fit))
      out <- cv_path(d$x, y, domain = d$domain, fit = tgreedy,
                     control = tgreedy_control(stop = "cv"), nu = .5, keep = keep)
      expect_equal(coef(out$fit), coef(fit))
    }
  }
})
