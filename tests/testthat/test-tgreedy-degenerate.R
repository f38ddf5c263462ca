# ---- few domains, few columns, no variance, ties

test_that("two and three domains follow the naive twin", {
  for (seed in 1:6) {
    for (n in 2:3) {
      d <- draw_domains(seed, n_domains = n)
      for (rule in c("gain", "t", "modt", "greedy")) {
        expect_tgreedy_twin(tgreedy_pair(d, rule = rule), label = paste(n, "domains", rule, seed))
      }
    }
  }
})

test_that("one domain is greedy selection, with a message", {
  for (seed in 1:4) {
    d <- draw_domains(seed, n_domains = 1, sizes = 20:25)
    expect_message(fit <- tgreedy(d$x, d$y, d$domain, max_steps = 4), "one domain",
                   class = "transelect_message_domains")
    pair <- tgreedy_pair(d, rule = "greedy", nu = 0.5)
    expect_tgreedy_twin(pair, label = paste("one domain", seed))
    expect_same_tgreedy(fit, pair$fit)
    expect_identical(fit$rule, "greedy")
    expect_true(all(is.na(fit$steps[c("t", "t_mod", "p_value", "s", "gain")])))
    expect_false(any(grepl("p_value|gain", capture.output(print(fit)))))
    expect_silent(tgreedy(d$x, d$y, d$domain, rule = "greedy"))
  }
  m <- moments(y ~ ., data = data.frame(y = d$y, d$x), method = "stream")
  expect_message(from_sums <- tgreedy(m, max_steps = 4), "one domain")
  expect_close(coef_matrix(from_sums), coef_matrix(fit))
})

test_that("with two domains one message says how little they tell; their folds have one domain and no message", {
  d <- draw_domains(3, n_domains = 2, sizes = 20:25)
  m <- moments(y ~ . - site, data = data.frame(y = d$y, site = d$domain, d$x), domain = "site")
  calls <- list(function() cv_path(d$x, d$y, domain = d$domain, fit = tgreedy), function() cv_path(m, fit = tgreedy),
                function() tgreedy(d$x, d$y, d$domain), function() tgreedy(m, rule = "greedy"))
  for (call in calls) {
    told <- character()
    withCallingHandlers(call(), message = function(message) {
      told <<- c(told, conditionMessage(message))
      tryInvokeRestart("muffleMessage")
    })
    expect_length(told, 1)
    expect_match(told, "There are two domains, \"a\" and \"b\": the variance")
  }
  d <- draw_domains(3, n_domains = 3, sizes = 20:25)
  expect_silent(cv_path(d$x, d$y, domain = d$domain, fit = tgreedy)) # the folds have two
  # slopes differ by a standard deviation of 0.5: two domains seldom show it
  spread <- function(K) {
    vapply(1:10, function(seed) {
      x <- with_seed(seed, matrix(rnorm(60 * K), 20 * K))
      domain <- rep_len(seq_len(K), 20 * K)
      slope <- with_seed(seed + 50, rnorm(K, 1, .5))
      y <- x[, 1] * slope[domain] + with_seed(seed + 90, rnorm(20 * K))
      suppressMessages(tgreedy(x, y, domain, rule = "t", max_steps = 1))$steps$s[2]
    }, 0)
  }
  cv <- function(s) sd(s) / mean(s)
  expect_gt(cv(spread(2)), 2 * cv(spread(8)))
})

test_that("a message names columns of a matrix that look like dummy variables of one factor", {
  d <- draw_domains(5, n_domains = 4, sizes = 40:45, p = 3)
  n <- length(d$y)
  f <- rep_len(c("u", "v", "w", "u", "z"), n)
  dummies <- outer(f, c("u", "v", "w", "z"), "==") + 0
  colnames(dummies) <- c("fu", "fv", "fw", "fz")
  told <- function(x, ...) {
    text <- NULL
    withCallingHandlers(tgreedy(x, d$y, d$domain, ...), transelect_message_dummies = function(message) {
      text <<- conditionMessage(message)
      tryInvokeRestart("muffleMessage")
    })
    text
  }
  all <- cbind(d$x, dummies)
  expect_match(told(all), "\"fu\", \"fv\", \"fw\" and \"fz\"")
  expect_match(told(as(all, "CsparseMatrix")), "\"fu\", \"fv\", \"fw\" and \"fz\"")
  expect_match(told(cbind(dummies[, -1], d$x)), "\"fv\", \"fw\" and \"fz\"") # without the first level
  expect_match(told(cbind(all, gu = dummies[, 1], gv = dummies[, 2])), "\"fz\"; \"gu\" and \"gv\"")
  expect_null(told(all, groups = FALSE))
  expect_null(told(all, groups = c("a", "b", "c", rep("f", 4))))
  expect_null(told(data.frame(d$x, f = f)))
  expect_null(told(cbind(d$x, one = dummies[, 1], other = 1 - dummies[, 1]))) # two levels
  rare <- matrix(0, n, 4, dimnames = list(NULL, paste0("r", 1:4)))
  rare[cbind(c(1:3, 11:13, 21:23, 31:33), rep(1:4, each = 3))] <- 1
  expect_null(told(cbind(d$x, rare))) # rare columns seldom meet
  independent <- matrix(rep_len(c(0, 1, 1, 0, 0), 3 * n) * rep_len(c(1, 0, 1), 3 * n), n)
  colnames(independent) <- c("i1", "i2", "i3")
  expect_null(told(cbind(d$x, independent)))
  # single dummy variables give other predictions with another level left out, groups of them do not
  y <- c(u = 0, v = 1, w = 3, z = 6)[f] + d$y / 10
  others <- function(level) cbind(d$x, dummies[, colnames(dummies) != level])
  fitted_without <- function(level, ...) {
    fitted(suppressMessages(tgreedy(others(level), y, d$domain, max_steps = 1, ...)))
  }
  expect_gt(max(abs(fitted_without("fu") - fitted_without("fz"))), .5)
  together <- c("a", "b", "c", "f", "f", "f")
  expect_equal(fitted_without("fu", groups = together), fitted_without("fz", groups = together), tolerance = 1e-6)
})

test_that("domains of one row are left out, with a message that names them", {
  for (seed in 1:4) {
    d <- draw_domains(seed, n_domains = 6, sizes = 4:9)
    x <- rbind(d$x, 1e6, -3)
    y <- c(d$y, 1e7, 5)
    domain <- c(d$domain, "wild", "other")
    for (rule in c("gain", "t", "modt", "greedy")) {
      expect_message(fit <- tgreedy(x, y, domain, rule = rule, max_steps = 4), "other.*wild",
                     class = "transelect_message_domains")
      pair <- tgreedy_pair(d, rule = rule)
      expect_tgreedy_twin(pair, label = paste("whole domains", rule, seed))
      expect_same_tgreedy(fit, pair$fit)
      expect_identical(nobs(fit), nobs(pair$fit))
    }
    data <- data.frame(y = y, site = domain, x)
    m <- moments(y ~ . - site, data = data, domain = "site")
    expect_message(from_sums <- tgreedy(m, max_steps = 4), "other.*wild")
    expect_close(coef_matrix(from_sums), coef_matrix(tgreedy(d$x, d$y, d$domain, max_steps = 4)))
  }
  expect_error(tgreedy(d$x, d$y, seq_along(d$y)), "Every domain has one row",
               class = "transelect_error_domain")
  class <- factor(c("a", "a", "a", "a", "b"))
  expect_error(suppressMessages(tgreedy(rbind(d$x[1:4, ], 7), class, c(1, 1, 2, 2, 3))),
               "one class", class = "transelect_error_y")
})

test_that("domains of two and three rows are domains", {
  for (seed in 1:4) {
    d <- draw_domains(seed, n_domains = 8, sizes = 2:3)
    for (rule in c("gain", "t", "modt", "greedy")) {
      pair <- tgreedy_pair(d, rule = rule)
      expect_tgreedy_twin(pair, label = paste("small domains", rule, seed))
    }
  }
})

test_that("a message says how large T of two or three domains is by chance", {
  for (K in 2:4) {
    d <- draw_domains(K, n_domains = K, p = 40, sizes = 10:12)
    t_rule <- function() tgreedy(d$x, d$y, d$domain, rule = "t", max_steps = 3)
    if (K == 4) expect_silent(t_rule()) else {
      expect_message(t_rule(), "degrees? of freedom", class = "transelect_message_domains")
    }
    if (K > 2) expect_silent(tgreedy(d$x, d$y, d$domain, rule = "modt", max_steps = 3))
  }
  # without any effect: beyond the 4.3 of a test at 5 percent of one feature with as many degrees of freedom
  largest <- vapply(1:5, function(seed) {
    noise <- with_seed(seed, matrix(rnorm(36 * 41), 36))
    fit <- suppressMessages(tgreedy(noise[, -1], noise[, 1], rep(c("a", "b", "c"), 12), rule = "t", max_steps = 3))
    max(abs(fit$steps$t), na.rm = TRUE)
  }, 0)
  expect_gt(median(largest), qt(.975, 2))
})

test_that("a column whose spread in one domain is far from the others is named", {
  d <- draw_domains(4, n_domains = 5, sizes = 20:25, p = 3)
  fit_to <- function(x) tgreedy(x, d$y, d$domain, rule = "greedy")
  expect_silent(fit_to(d$x))
  for (factor in c(60, 1 / 60)) {
    x <- d$x
    x[d$domain == "c", 3] <- x[d$domain == "c", 3] * factor
    expect_message(fit <- fit_to(x), "x3.*times the median in c", class = "transelect_message_spread")
    data <- data.frame(y = d$y, site = d$domain, x)
    m <- moments(y ~ . - site, data = data, domain = "site")
    expect_message(tgreedy(m, rule = "greedy"), "x3.*times the median in c",
                   class = "transelect_message_spread")
    expect_message(fit_to(as(x, "CsparseMatrix")), "x3.*times the median in c",
                   class = "transelect_message_spread")
    # weights are frequencies within a domain
    twice <- rep(c(1, 2), length.out = nrow(x))
    expect_message(tgreedy(x, d$y, d$domain, rule = "greedy", weights = twice), "x3.*times the median in c",
                   class = "transelect_message_spread")
  }
  # in these units the fit is worse: y is of x3, whose slope is another one in c
  y <- d$x[, 3] + d$y / 10
  error <- function(x) mean(residuals(suppressMessages(tgreedy(x, y, d$domain)))^2)
  x[, 3] <- d$x[, 3] * ifelse(d$domain == "c", 60, 1)
  expect_gt(error(x), 2 * error(d$x))
  x[, 3] <- match(d$domain, letters) # constant within every domain: no spread to compare
  expect_silent(fit_to(x))
  expect_silent(tgreedy(x, d$y, d$domain, max_steps = 0))
})

test_that("the standard deviations by domain are those of the columns that entered", {
  spread <- function(x, w, domain) {
    of_domain <- function(i) sqrt(diag(stats::cov.wt(x[i, ], w[i], method = "ML")$cov))
    t(vapply(split(seq_along(w), domain), of_domain, numeric(ncol(x))))
  }
  d <- draw_domains(6, n_domains = 4, sizes = 10:15)
  d$x[d$domain == "b", 2] <- 3
  for (case in 1:6) {
    w <- if (case %% 2) rep(1, length(d$y)) else d$weights
    x <- if (case == 5) as(d$x, "CsparseMatrix") else d$x
    y <- if (case == 4) cut(d$y, 3) else d$y
    fit <- tgreedy(x, y, d$domain, weights = w,
                   control = tgreedy_control(stop = "none"), max_steps = 4, standardize = case != 3,
                   intercept = case != 6, keep = if (case == 2) c("x2", "x5"))
    entered <- colnames(fit$domain_scale)
    expect_setequal(entered, variable.names(fit, step = max(fit$steps$step)))
    expect_equal(fit$domain_scale, spread(d$x, w, d$domain)[, entered], label = case)
    m <- moments(d$x, d$y, domain = d$domain, weights = w)
    expect_equal(tgreedy(m, control = tgreedy_control(stop = "none"), max_steps = 4)$domain_scale,
                 tgreedy(d$x, d$y, d$domain, weights = w,
                         control = tgreedy_control(stop = "none"), max_steps = 4)$domain_scale)
  }
})

test_that("one feature is not moderated", {
  for (seed in 1:6) {
    d <- draw_domains(seed, p = 1)
    for (rule in c("gain", "t", "modt", "greedy")) {
      pair <- tgreedy_pair(d, rule = rule, max_steps = 1)
      expect_tgreedy_twin(pair, label = paste("one feature", rule, seed))
      expect_equal(pair$fit$steps$t, pair$fit$steps$t_mod)
    }
  }
})

test_that("the gain is the mean gain on a domain left out", {
  for (seed in 1:5) {
    d <- draw_domains(seed, p = 1)
    x <- d$x / sqrt(ave(drop(d$x)^2, d$domain))
    for (nu in c(0.3, 0.5, 1)) {
      fit <- tgreedy(x, d$y, d$domain, nu = nu, intercept = FALSE, control = tgreedy_control(stop = "none"))
      domains <- unique(d$domain)
      gains <- vapply(domains, function(k) {
        out <- d$domain == k
        w <- nu * mean(tapply((drop(x) * d$y)[!out], d$domain[!out], mean))
        mean(d$y[out]^2) - mean((d$y[out] - x[out] * w)^2)
      }, numeric(1))
      expect_close(fit$steps$gain[2], mean(gains), label = "gain")
    }
  }
})

test_that("with identical domains every rule is greedy selection", {
  d <- draw_domains(6, n_domains = 1, sizes = 20)
  rows <- rep(1:20, 4)
  domain <- rep(letters[1:4], each = 20)
  greedy <- tgreedy(d$x, d$y, d$domain, rule = "greedy", max_steps = 5)
  for (rule in c("gain", "t", "modt", "greedy")) {
    nu <- if (rule == "gain") 1 else NULL
    fit <- tgreedy(d$x[rows, ], d$y[rows], domain, rule = rule, nu = nu, max_steps = 5)
    expect_identical(entered(fit)[1:5], entered(greedy)[1:5])
    expect_true(all(abs(fit$steps$t[2:6]) > 1e8))
    expect_close(fit$steps$loss[1:6], greedy$steps$loss[1:6])
    expect_close(fit$steps$p_value[2:6], rep(0, 5))
    expect_false(anyNA(fit$steps$gain[-1]))
  }
})

test_that("one column without variance between domains has an infinite T", {
  d <- draw_domains(7, n_domains = 4, sizes = 6, p = 3)
  y <- rep(c(1, -1, 2, 0, 3, 1), 4)
  domain <- rep(letters[1:4], each = 6)
  x <- cbind(d$x, same = rep(c(1, 0, 1, 0, 1, 1), 4))
  pair <- tgreedy_pair(list(x = x, domain = domain), y, rule = "t", max_steps = 3)
  expect_tgreedy_twin(pair, label = "infinite T")
  expect_identical(entered(pair$fit)[1], "same")
  expect_identical(pair$fit$steps$t[2], Inf)
  expect_identical(pair$fit$steps$p_value[2], 0)
  for (rule in c("gain", "modt", "greedy")) {
    pair <- tgreedy_pair(list(x = x, domain = domain), y, rule = rule, max_steps = 3)
    expect_tgreedy_twin(pair, label = paste("no variance", rule))
  }
})

test_that("most columns without variance between domains leave the others' median", {
  domain <- rep(letters[1:4], each = 6)
  y <- rep(c(1, -1, 2, 0, 3, 1), 4)
  repeated <- with_seed(8, matrix(rnorm(30), 6))
  x <- cbind(repeated[rep(1:6, 4), ], with_seed(9, matrix(rnorm(48), 24)))
  colnames(x) <- paste0("x", 1:7)
  for (rule in c("gain", "modt", "greedy")) {
    pair <- tgreedy_pair(list(x = x, domain = domain), y, rule = rule, max_steps = 2)
    expect_tgreedy_twin(pair, label = paste("median 0", rule))
  }
})

test_that("a column that is constant within domains takes part", {
  for (seed in 1:4) {
    d <- draw_domains(seed)
    d$x[, 2] <- match(d$domain, letters)
    d$x[d$domain == "c", 3] <- 7
    for (rule in c("gain", "t", "modt", "greedy")) {
      for (intercept in c(TRUE, FALSE)) {
        pair <- tgreedy_pair(d, rule = rule, intercept = intercept)
        expect_tgreedy_twin(pair, label = paste("within", rule, seed, intercept))
      }
    }
  }
})

test_that("without an intercept a constant column takes part", {
  d <- draw_domains(3)
  d$x[, 4] <- 2
  d$x[, 5] <- 0
  d$y <- d$y + 10
  for (rule in c("gain", "t", "modt", "greedy")) {
    pair <- tgreedy_pair(d, rule = rule, intercept = FALSE)
    expect_tgreedy_twin(pair, label = paste("constant", rule))
  }
  expect_true("x4" %in% entered(pair$fit))
})

test_that("equal columns: the first is picked", {
  for (seed in 1:4) {
    d <- draw_domains(seed)
    x <- cbind(d$x, y1 = d$x[, 1], y2 = -d$x[, 2], y3 = 2 * d$x[, 3])
    for (rule in c("gain", "t", "modt", "greedy")) {
      fit <- tgreedy(x, d$y, d$domain, rule = rule, max_steps = 4)
      pair <- list(
        fit = fit, twin = naive_tgreedy(
          x, d$y, d$domain, rule, max_features = 4, follow = match(entered(fit), colnames(x))
        )
      )
      expect_lt(max(0, pair$twin$shortfall), 1e-9)
      expect_tgreedy_twin(pair, label = paste("copies", rule, seed))
      # exact copies (not multiples, whose last digits differ) leave no doubt
      again <- tgreedy(
        cbind(d$x, y1 = d$x[, 1]), d$y, d$domain, rule = rule, max_steps = 4
      )
      expect_false("y1" %in% entered(again))
    }
  }
})

test_that("data of few values: what is picked is as good as the best", {
  for (seed in 1:8) {
    d <- draw_domains(seed, "tied")
    y <- round(d$y)
    for (rule in c("gain", "t", "modt", "greedy")) {
      fit <- tgreedy(d$x, y, d$domain, rule = rule, max_steps = 4)
      twin <- naive_tgreedy(
        d$x, y, d$domain, rule, max_features = 4, follow = match(entered(fit), colnames(d$x))
      )
      expect_lt(max(0, twin$shortfall), 1e-9)
      expect_tgreedy_twin(list(fit = fit, twin = twin), label = paste("tied", rule, seed))
    }
  }
})

test_that("a refit never takes a column that repeats earlier ones", {
  d <- draw_domains(4, sizes = 10:25, p = 4)
  x <- cbind(d$x, y1 = d$x[, 1], y2 = d$x[, 2] + d$x[, 3], y3 = -2 * d$x[, 4] + 5)
  for (rule in c("gain", "t", "modt", "greedy")) {
    fit <- tgreedy(x, d$y, d$domain, rule = rule, control = tgreedy_control(update = "refit", stop = "none"))
    expect_length(entered(fit), 4)
    expect_equal(qr(cbind(1, x[, entered(fit)]))$rank, 5)
    expect_true(all(is.finite(coef_matrix(fit))))
  }
})

test_that("a perfect fit ends the path", {
  d <- draw_domains(5, sizes = 10:25, p = 3)
  y <- drop(d$x %*% c(1, -2, 0.5)) + 4
  for (rule in c("gain", "greedy")) {
    fit <- tgreedy(d$x, y, d$domain, rule = rule, control = tgreedy_control(update = "refit", stop = "none"))
    expect_length(entered(fit), 3)
    expect_close(coef_matrix(fit, step = 3), c(4, 1, -2, 0.5))
    expect_lt(fit$steps$loss[4], 1e-12)
  }
  one <- tgreedy(d$x[, 1, drop = FALSE], 3 * d$x[, 1] + 1, d$domain, nu = 1, control = tgreedy_control(stop = "none"))
  expect_equal(max(one$steps$step), 1)
  expect_close(coef_matrix(one), c(1, 3))
})

test_that("no steps, many columns, no names", {
  d <- draw_domains(6)
  empty <- tgreedy(d$x, d$y, d$domain, max_steps = 0)
  expect_equal(dim(empty$beta), c(7L, 1L))
  expect_equal(unname(predict(empty, d$new)), rep(mean(tapply(d$y, d$domain, mean)), 6))
  wide <- draw_domains(7, p = 120, sizes = 3:5)
  expect_tgreedy_twin(tgreedy_pair(wide, max_steps = 20), label = "wide")
  fit <- tgreedy(wide$x, wide$y, wide$domain, rule = "greedy")
  expect_lte(max(fit$steps$size), 50)
  bare <- tgreedy(unname(d$x), d$y, d$domain, max_steps = 4)
  expect_close(as.matrix(bare$beta), as.matrix(tgreedy(d$x, d$y, d$domain, max_steps = 4)$beta))
  expect_length(predict(bare, unname(d$new)), 6)
})

test_that("columns that hardly any domain varies in are compared without a warning", {
  domain <- rep(letters[1:7], each = 7)
  set.seed(1)
  x <- matrix(rnorm(7 * 20), 7)[match(domain, letters), ]
  x[1, ] <- x[1, ] + .5
  colnames(x) <- paste0("x", 1:20)
  y <- drop(x %*% rnorm(20)) + rnorm(49)
  expect_warning(suppressMessages(tgreedy(x, y, domain, rule = "greedy")), NA)
})

test_that("standard deviations by domain keep their digits where means are far apart, and are none of constants", {
  d <- draw_domains(6, n_domains = 4, sizes = 10:15)
  far <- d$x
  far[, 1] <- far[, 1] * ifelse(d$domain == "a", .01, 1) + ifelse(d$domain == "a", 1e5, 0)
  far[, 2] <- ifelse(d$domain == "b", 1e6 + 1 / 3, far[, 2])
  sd_of <- function(v) sqrt(mean((v - mean(v))^2))
  wanted <- apply(far, 2, function(v) tapply(v, d$domain, sd_of))
  wanted["b", 2] <- 0
  expect_message(fit <- tgreedy(far, far[, 1], d$domain,
                                control = tgreedy_control(stop = "none"), max_steps = 2, keep = NULL),
                 "times the median in a", class = "transelect_message_spread")
  expect_equal(fit$domain_scale, wanted[, colnames(fit$domain_scale), drop = FALSE], tolerance = 1e-8)
  fit <- suppressMessages(tgreedy(far + 1e7, d$y, d$domain,
                                  control = tgreedy_control(stop = "none"), max_steps = 6, intercept = FALSE))
  expect_equal(fit$domain_scale, wanted[, colnames(fit$domain_scale), drop = FALSE], tolerance = 1e-6)
})

test_that("a column that cannot enter changes nothing of the default", {
  for (seed in 1:6) {
    data <- with_seed(seed, {
      x <- matrix(rnorm(80), 20, dimnames = list(NULL, letters[1:4]))
      x[, 2] <- x[, 1] + .2 * x[, 2]
      list(x = x, y = x[, 1] + rnorm(20), domain = rep(c("u", "v"), 10))
    })
    wide <- cbind(data$x[, 1:2], k = 1, data$x[, 3:4], l = 0)
    for (rule in c("gain", "greedy", "t", "modt")) {
      fit <- function(x, ...) tgreedy(x, ..., rule = rule, nu = .3)
      same <- function(given, want) {
        expect_identical(nrow(given$steps), nrow(want$steps))
        expect_equal(coef(given)[names(coef(want))], coef(want), tolerance = 1e-7)
      }
      want <- fit(data$x, data$y, data$domain)
      same(fit(wide, data$y, data$domain), want)
      same(fit(moments(wide, data$y, data$domain)), want)
      same(fit(wide, data$y, data$domain, groups = c(1, 1, 2, 3, 4, 2)),
           fit(data$x, data$y, data$domain, groups = c(1, 1, 3, 4)))
    }
  }
})
