# ---- T-greedy against the naive twin and published figures

test_that("the moment estimates of the prior are those of limma", {
  s2 <- c(0.2, 1.5, 0.7, 3.2, 0.05, 0.9, 2.4, 0.001, 11, 0.6)
  prior <- naive_prior(s2, 4)
  expect_equal(prior, list(d0 = 0.8737342794, s02 = 0.1381856715), tolerance = 1e-9)
  prior <- naive_prior(s2[1:3], 4)
  expect_equal(prior, list(d0 = 6.0637189982, s02 = 0.6545940274), tolerance = 1e-9)
  expect_equal(naive_prior(c(0.7, 0.8, 0.9), 4), list(d0 = Inf, s02 = 0.8))
  expect_equal(naive_prior(s2[1], 4)$d0, 0)
  skip_if_not_installed("limma")
  for (seed in 1:40) {
    df <- seed %% 9 + 1
    drawn <- with_seed(seed, rchisq(seed + 2, df) / df * 3 / rchisq(seed + 2, 3))
    ours <- naive_prior(drawn, df)
    theirs <- limma::fitFDist(drawn, df)
    expect_equal(ours$d0, theirs$df2, tolerance = 1e-9)
    expect_equal(ours$s02, theirs$scale, tolerance = 1e-9)
  }
})

test_that("the twin has the figures of the airquality data", {
  d <- airquality_case()
  fit <- naive_tgreedy(d$x, d$y, d$domain, "t", max_picks = 6)
  expect_identical(fit$entered, c("ST", "SW", "ST", "T2", "SW", "W2"))
  t <- c(5.8182796, -7.4461036, 4.8724573, 2.7606735, -2.5517650, 0.4924659)
  expect_equal(fit$table$t, t, tolerance = 1e-7)
  expect_equal(fit$loss[c(1, 7)], c(1037.788, 387.02677), tolerance = 1e-6)
  expect_equal(max(naive_tgreedy(d$x, d$y, d$domain)$left$gain), -4.293329, tolerance = 1e-7)
})

test_that("airquality: t picks what holds in every month", {
  d <- airquality_case()
  fit <- tgreedy(d$x, d$y, d$domain, rule = "t")
  six <- fit$steps[2:7, ]
  expect_identical(six$entered, c("ST", "SW", "ST", "T2", "SW", "W2"))
  t <- c(5.8182796, -7.4461036, 4.8724573, 2.7606735, -2.5517650, 0.4924659)
  expect_lt(max(abs(six$t - t)), 1e-7)
  expect_equal(fit$steps$loss[7], 387.02677, tolerance = 1e-7)
  expect_equal(fit$steps$loss[1], 1037.788, tolerance = 1e-6)
})

test_that("airquality: greedy picks the largest drop of the loss", {
  d <- airquality_case()
  fit <- tgreedy(d$x, d$y, d$domain, rule = "greedy")
  expect_identical(fit$steps$entered[2:7], c("T2", "WT", "S2", "W2", "WT", "W2"))
  expect_equal(fit$steps$loss[7], 380.60676, tolerance = 1e-7)
})

test_that("airquality: gain stops by itself", {
  d <- airquality_case()
  fit <- tgreedy(d$x, d$y, d$domain, nu = 1)
  expect_identical(entered(fit), c("T2", "WT", "S2"))
  expect_lt(max(abs(fit$steps$gain[-1] - c(465.789645, 67.223891, 1.735014))), 1e-6)
  expect_equal(fit$steps$loss[4], 411.60017, tolerance = 1e-7)
  fit <- tgreedy(d$x, d$y, d$domain)
  expect_identical(entered(fit), c("T2", "Wind", "ST", "T2", "WT"))
  gains <- c(360.143961, 108.197065, 54.094894, 13.597220, 6.229509)
  expect_lt(max(abs(fit$steps$gain[-1] - gains)), 1e-6)
  expect_lt(abs(fit$steps$loss[6] - 425.24850), 1e-5)
  last <- tapply(fit$steps$weight[-1], entered(fit), sum)
  w <- c(Wind = -6.347547, T2 = 14.188500, ST = 4.782427, WT = -2.471852)
  expect_lt(max(abs(last[names(w)] - w)), 5e-6)
  expect_identical(fit$best, 5L)
})

test_that("schools: the printed paths", {
  d <- schools_case()
  fit <- tgreedy(d$x, d$y, d$domain, rule = "t")
  five <- fit$steps[2:6, ]
  expect_identical(five$entered, c("SES", "Fem", "Min", "SESxMin", "SESxFem"))
  expect_lt(max(abs(five$t - c(5.894196, -3.527406, -3.997353, -1.758316, 0.809954))), 1e-6)
  fit <- tgreedy(d$x, d$y, d$domain)
  expect_identical(
    entered(fit), c("SES", "Min", "SES", "Fem", "Min", "Fem", "SESxMin", "SES")
  )
  expect_equal(fit$steps$loss[9], 38.094094, tolerance = 1e-8)
})

rules <- c("gain", "t", "modt", "greedy")

test_that("every rule and every nu follow the naive twin", {
  for (seed in 1:12) {
    kind <- c("random", "correlated", "scaled", "constant")[seed %% 4 + 1]
    d <- draw_domains(seed, kind, n_domains = 3 + seed %% 6)
    for (rule in rules) {
      for (nu in c(0.2, 0.5, 1)) {
        pair <- tgreedy_pair(d, rule = rule, nu = nu, stop = "none")
        expect_tgreedy_twin(pair, label = paste(rule, nu, kind, seed))
      }
    }
  }
})

test_that("defaults follow the naive twin", {
  for (seed in 21:32) {
    d <- draw_domains(seed, "correlated", n_domains = 4 + seed %% 5, p = 12)
    for (rule in rules) {
      expect_tgreedy_twin(
        tgreedy_pair(d, rule = rule, max_steps = 6), label = paste(rule, seed)
      )
    }
  }
})

test_that("each column at most once", {
  for (seed in 1:8) {
    d <- draw_domains(seed)
    for (rule in rules) {
      pair <- tgreedy_pair(d, rule = rule, nu = 1, repeats = FALSE, stop = "none", max_steps = 7)
      expect_tgreedy_twin(pair, label = paste("once", rule, seed))
      expect_length(entered(pair$fit), 7)
      expect_equal(anyDuplicated(entered(pair$fit)), 0)
    }
  }
})

test_that("signed rules pick the largest T as printed", {
  for (seed in 1:8) {
    d <- draw_domains(seed)
    for (rule in c("t", "modt")) {
      pair <- tgreedy_pair(d, rule = rule, signed = TRUE)
      expect_tgreedy_twin(pair, label = paste("signed", rule, seed))
    }
  }
})

test_that("refitting all coefficients follows the naive twin", {
  for (seed in 1:8) {
    d <- draw_domains(seed, "correlated", sizes = 10:25)
    for (rule in rules) {
      pair <- tgreedy_pair(d, rule = rule, update = "refit", stop = "none", max_steps = 7)
      pair$twin$table$weight <- pair$fit$steps$weight[-1]
      expect_tgreedy_twin(pair, label = paste("refit", rule, seed))
    }
  }
})

test_that("a refit of all columns is least squares with every domain once", {
  d <- draw_domains(3, sizes = 10:25, p = 4)
  fit <- tgreedy(d$x, d$y, d$domain, rule = "greedy", control = tgreedy_control(update = "refit"), max_steps = 4)
  weights <- 1 / ave(d$y, d$domain, FUN = length)
  reference <- lm(d$y ~ d$x, weights = weights)
  expect_close(coef_matrix(fit, step = 4), coef(reference))
})

test_that("weights follow the naive twin", {
  for (seed in 1:8) {
    d <- draw_domains(seed)
    for (rule in rules) {
      for (update in c("stagewise", "refit")) {
        pair <- tgreedy_pair(d, rule = rule, weights = d$weights, update = update)
        if (update == "refit") pair$twin$table$weight <- pair$fit$steps$weight[-1]
        expect_tgreedy_twin(pair, label = paste("weights", rule, update, seed))
      }
    }
  }
})

test_that("unlabelled rows enter the second moments", {
  for (seed in 1:8) {
    d <- draw_domains(seed)
    more <- draw_domains(100 + seed, n_domains = 4)
    more$domain[more$domain == "b"] <- "elsewhere"
    unlabelled <- list(x = more$x, domain = more$domain)
    for (rule in rules) {
      pair <- tgreedy_pair(d, rule = rule, unlabelled = unlabelled, weights = d$weights)
      expect_tgreedy_twin(pair, label = paste("unlabelled", rule, seed))
    }
    for (rule in rules) {
      pair <- tgreedy_pair(d, unlabelled = unlabelled, update = "refit", rule = rule,
                           weights = d$weights)
      pair$twin$table$weight <- pair$fit$steps$weight[-1]
      expect_tgreedy_twin(pair, label = paste("unlabelled, refit", rule, seed))
    }
    without <- tgreedy(d$x, d$y, d$domain,
                       control = tgreedy_control(update = "refit"), rule = "greedy", max_steps = 4)
    pair <- tgreedy_pair(d, unlabelled = unlabelled, update = "refit", rule = "greedy")
    expect_gt(gap(coef_matrix(pair$fit, 2), coef_matrix(without, 2)), 1e-4)
  }
  alone <- list(x = rbind(more$x, 1e6), domain = c(more$domain, "alone"))
  expect_message(
    fit <- tgreedy(d$x, d$y, d$domain, unlabelled = alone,
                   control = tgreedy_control(update = "refit"), rule = "greedy",
                   max_steps = 4),
    "alone.*unlabelled"
  )
  expect_same_tgreedy(fit, pair$fit)
  data <- data.frame(y = d$y, site = d$domain, d$x)
  unlabelled$x <- as.data.frame(more$x)
  by_formula <- tgreedy(
    y ~ ., data, domain = site, unlabelled = unlabelled, max_steps = 4, rule = "greedy",
    control = tgreedy_control(update = "refit")
  )
  expect_same_tgreedy(by_formula, pair$fit)
})

test_that("no intercept and no scaling follow the naive twin", {
  for (seed in 1:8) {
    d <- draw_domains(seed)
    for (rule in rules) {
      pair <- tgreedy_pair(d, rule = rule, intercept = FALSE)
      expect_tgreedy_twin(pair, label = paste("origin", rule, seed))
      expect_true(all(pair$fit$a0 == 0))
      pair <- tgreedy_pair(d, rule = rule, standardize = FALSE)
      expect_tgreedy_twin(pair, label = paste("raw", rule, seed))
    }
  }
})

test_that("two classes are coded -1 and 1", {
  for (seed in 1:8) {
    d <- draw_domains(seed)
    for (rule in rules) {
      pair <- tgreedy_pair(d, d$factor, rule = rule, weights = d$weights)
      expect_identical(pair$fit$family, "binomial")
      expect_tgreedy_twin(pair, label = paste("classes", rule, seed))
    }
  }
})

test_that("more classes are one binary fit each", {
  d <- draw_domains(4, sizes = 10:25)
  classes <- cut(d$y, quantile(d$y, 0:3 / 3), c("low", "mid", "high"), include.lowest = TRUE)
  fit <- tgreedy(d$x, classes, d$domain, max_steps = 4)
  expect_identical(fit$family, "multinomial")
  links <- predict(fit, d$new, type = "link", step = 2)
  expect_equal(dim(links), c(6L, 3L))
  for (class in levels(classes)) {
    y <- factor(ifelse(classes == class, class, "rest"), levels = c("rest", class))
    one <- tgreedy(d$x, y, d$domain, max_steps = 4)
    rows <- fit$steps[fit$steps$class == class, ]
    expect_identical(rows$entered, one$steps$entered)
    expect_equal(rows$gain, one$steps$gain)
    expect_equal(as.matrix(fit$beta[[class]])[, 1:3], as.matrix(one$beta)[, 1:3])
    expect_equal(unname(links[, class]), unname(predict(one, d$new, type = "link", step = 2)))
  }
})

test_that("sparse input gives the dense answer", {
  for (seed in 1:6) {
    d <- draw_domains(seed)
    d$x[abs(d$x) < 0.8] <- 0
    sparse <- as(d$x, "CsparseMatrix")
    unlabelled <- list(x = 2 * d$x[1:9, ], domain = d$domain[1:9])
    sparse_more <- list(x = 2 * sparse[1:9, ], domain = d$domain[1:9])
    for (rule in rules) {
      a <- tgreedy(d$x, d$y, d$domain, rule = rule, max_steps = 4, weights = d$weights)
      b <- tgreedy(sparse, d$y, d$domain, rule = rule, max_steps = 4, weights = d$weights)
      expect_same_tgreedy(a, b)
      expect_equal(predict(a, d$x), predict(b, sparse))
      a <- tgreedy(d$x, d$y, d$domain, rule = rule, max_steps = 4, unlabelled = unlabelled)
      b <- tgreedy(sparse, d$y, d$domain, rule = rule, max_steps = 4, unlabelled = sparse_more)
      expect_same_tgreedy(a, b)
    }
    pair <- tgreedy_pair(d)
    expect_tgreedy_twin(pair, label = paste("zeros", seed))
    expect_same_tgreedy(tgreedy(sparse, d$y, d$domain, max_steps = 4), pair$fit)
  }
})

test_that("matrix, data frame and formula give one answer", {
  d <- draw_domains(5)
  data <- data.frame(y = d$y, site = d$domain, d$x, w = d$weights)
  a <- tgreedy(d$x, d$y, d$domain, weights = d$weights, max_steps = 4)
  expect_same_tgreedy(
    a, tgreedy(as.data.frame(d$x), d$y, factor(d$domain), weights = d$weights, max_steps = 4)
  )
  # `.` leaves out the domain; a column of weights it takes, as lm() does
  short <- data[names(data) != "w"]
  expect_same_tgreedy(
    a, tgreedy(y ~ ., short, domain = site, weights = d$weights, max_steps = 4)
  )
  long <- tgreedy(
    y ~ x1 + x2 + x3 + x4 + x5 + x6 + x7, data, domain = site, weights = w, max_steps = 4
  )
  expect_same_tgreedy(a, long)
  expect_equal(predict(long, data[1:3, ]), predict(a, d$x[1:3, ]), ignore_attr = TRUE)
  sparse <- tgreedy(
    y ~ x1 + x2 + x3 + x4 + x5 + x6 + x7, data, domain = site, weights = w, max_steps = 4,
    sparse = TRUE
  )
  expect_same_tgreedy(a, sparse)
})

test_that("a formula has lm's subset and na.action", {
  d <- airquality_case()
  raw <- datasets::airquality
  fit <- tgreedy(Ozone ~ Solar.R + Wind + Temp, raw, domain = Month)
  expect_same_tgreedy(fit, tgreedy(d$x[, 1:3], d$y, d$domain))
  expect_equal(fit$nobs, 111)
  some <- d$domain != 6
  fit <- tgreedy(Ozone ~ Solar.R + Wind + Temp, raw, domain = Month, subset = Month != 6)
  expect_same_tgreedy(fit, tgreedy(d$x[some, 1:3], d$y[some], d$domain[some]))
  expect_identical(fit$domains, c("5", "7", "8", "9"))
})

test_that("second moments by domain give the answer of the rows", {
  skip_if_not("moments" %in% getNamespaceExports("transelect"))
  for (seed in 1:6) {
    d <- draw_domains(seed)
    for (rule in rules) {
      for (update in c("stagewise", "refit")) {
        a <- tgreedy(d$x, d$y, d$domain, rule = rule, control = tgreedy_control(update = update), max_steps = 4)
        b <- tgreedy(
          transelect::moments(d$x, d$y, d$domain), rule = rule,
          control = tgreedy_control(update = update), max_steps = 4
        )
        expect_same_tgreedy(a, b, 1e-7)
      }
    }
  }
})

test_that("the path object is complete and consistent", {
  d <- draw_domains(7)
  fit <- tgreedy(d$x, d$factor, d$domain, max_steps = 4)
  expect_s3_class(fit, c("tgreedy", "transfer_path"), exact = TRUE)
  expect_s4_class(fit$beta, "dgCMatrix")
  last <- max(fit$steps$step)
  expect_equal(dim(fit$beta), c(7L, last + 1L))
  expect_identical(rownames(fit$beta), colnames(d$x))
  expect_equal(fit$points$step, 0:last)
  expect_equal(fit$steps$step, 0:last)
  expect_equal(fit$steps$size, colSums(as.matrix(fit$beta) != 0), ignore_attr = TRUE)
  expect_identical(fit$steps$entered[1], NA_character_)
  expect_identical(fit$domains, letters[1:5])
  expect_identical(colnames(fit$domain_loss), letters[1:5])
  expect_equal(dim(fit$domain_loss), c(last + 1L, 5L))
  expect_equal(rowMeans(fit$domain_loss), fit$steps$loss, ignore_attr = TRUE)
  expect_identical(dimnames(fit$domain_auroc), dimnames(fit$domain_loss))
  expect_true(all(fit$domain_auroc[1, ] %in% c(0.5, NA)))
  expect_equal(fit$nobs, length(d$y))
  expect_equal(fit$best, last)
  expect_null(tgreedy(d$x, d$y, d$domain)$domain_auroc)
  score <- fit$a0[last + 1] + drop(d$x %*% fit$beta[, last + 1])
  expect_equal(unname(predict(fit, d$x, type = "link")), unname(score))
  expect_equal(unname(fitted(fit)), unname(score))
  expect_equal(
    unname(residuals(fit)), unname(ifelse(d$factor == "yes", 1, -1) - score)
  )
  expect_equal(dim(predict(fit, d$new, step = 0:last, type = "link")), c(6L, last + 1L))
})

test_that("the data are not modified and no random number is drawn", {
  d <- draw_domains(8)
  copy <- draw_domains(8)
  state <- with_seed(1, {
    before <- .Random.seed
    tgreedy(d$x, d$factor, d$domain, weights = d$weights)
    identical(before, .Random.seed)
  })
  expect_true(state)
  expect_identical(d, copy)
})

test_that("the log-likelihood is that of lm() with weights that make the domains equal", {
  set.seed(11)
  x <- matrix(rnorm(400), 100, dimnames = list(NULL, paste0("x", 1:4)))
  y <- drop(x[, 1:2] %*% c(2, -1)) + rnorm(100)
  domain <- rep(c("a", "b", "c"), c(60, 25, 15))
  for (w in list(rep(1, 100), exp(rnorm(100)))) {
    v <- w / ave(w, domain, FUN = sum) * 100 / 3
    fit <- tgreedy(x, y, domain, weights = w,
                   control = tgreedy_control(update = "refit", stop = "none"), max_steps = 3)
    for (step in 0:3) {
      chosen <- variable.names(fit, step = step)
      plain <- if (step) lm(y ~ x[, chosen], weights = v) else lm(y ~ 1, weights = v)
      expect_equal(unname(coef(fit, step = step)[c("(Intercept)", chosen)]), unname(coef(plain)))
      expect_equal(as.numeric(logLik(fit, step = step)), as.numeric(logLik(plain)))
      expect_equal(AIC(fit, step = step), AIC(plain))
      expect_equal(BIC(fit, step = step), BIC(plain))
    }
  }
  m <- moments(x, y, domain = domain)
  expect_equal(logLik(tgreedy(m)), logLik(tgreedy(x, y, domain)))
})
