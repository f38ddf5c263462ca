# ---- signals(): which effects are told from 0

# What the sampler gives for rows that are not cut.
sampled_inclusion <- function(x, y, most = min(ncol(x), floor(nrow(x) / 3))) {
  n <- nrow(x)
  z <- x - rep(colMeans(x), each = n)
  z <- z / rep(sqrt(colMeans(z^2)), each = n)
  y <- y - mean(y)
  sums <- list(G = unname(crossprod(z)), c = unname(crossprod(z, y)[, 1]), yy = sum(y^2), n = as.double(n), df = n - 1,
               most = as.double(most), log_prior = msplit_report_log_prior(most, ncol(x)))
  .Call(C_inclusion, sums, list(), SPREADS, 20000)
}

test_that("inclusion probabilities are those of the sum over all supports, to the error of the sampler", {
  for (seed in 1:8) {
    kind <- c("random", "correlated", "tied", "duplicated")[(seed - 1) %% 4 + 1]
    d <- draw_case(seed, kind, n = c(18, 40)[seed %% 2 + 1], p = c(7, 9)[seed %% 2 + 1])
    exact <- naive_inclusion(d$x, d$y)
    expect_lt(max(abs(sampled_inclusion(d$x, d$y) - exact)), .025)
  }
  d <- draw_case(11, n = 40, p = 12)
  expect_lt(max(abs(sampled_inclusion(d$x, d$y, 4) - naive_inclusion(d$x, d$y, most = 4))), .025)
})

test_that("the sums of a fit are those of its rows, and every way of giving the rows has the same", {
  d <- msplit_case(4, n = 30, d = 6)
  n <- 30
  z <- (d$x - rep(colMeans(d$x), each = n)) / rep(naive_rows(d$x, d$y)$scale, each = n)
  fit <- msplit(d$x, d$y)
  # responses are cut by hand: residuals of the default model over 1 - df/n
  e <- residuals(fit) / (1 - fit$named$average$df / n)
  limit <- 2.5 * 1.4826 * sort(abs(e))[n / 2 + 1]
  y <- d$y - sign(e) * pmax(abs(e) - limit, 0)
  expect_equal(fit$sums$G, unname(crossprod(z)))
  expect_equal(drop(fit$sums$c), unname(drop(crossprod(z, y))))
  expect_equal(fit$sums$yy, sum((y - mean(y))^2))
  moments <- msplit(moments(d$x, d$y))
  expect_equal(drop(moments$sums$c), unname(drop(crossprod(z, d$y - mean(d$y)))))
  one <- fit$sums
  for (other in list(msplit(Matrix::Matrix(d$x, sparse = TRUE), d$y), msplit(d$x, d$y, standardize = FALSE, nu = 1),
                     msplit(d$x, d$y, weights = rep(2, n)))) {
    expect_equal(other$sums$G, one$G)
  }
  twice <- msplit(rbind(d$x, d$x[1:10, ]), c(d$y, d$y[1:10]), choose = "none", nu = 1)
  weighed <- msplit(d$x, d$y, weights = rep(2:1, c(10, 20)), choose = "none", nu = 1)
  expect_equal(weighed$sums$c / weighed$sums$n, twice$sums$c / twice$sums$n)
  expect_equal(weighed$sums$yy / weighed$sums$n, twice$sums$yy / twice$sums$n)
  many <- msplit(d$x[rep(1:n, 20), ], d$y[rep(1:n, 20)], choose = "none", nu = 1) # from second moments
  expect_equal(many$sums$c / 20, drop(crossprod(z, d$y - mean(d$y))), ignore_attr = TRUE)
  lbi <- msplit(d$x, d$y, method = "lbi", nu = 1)
  expect_equal(lbi$sums$G, one$G)
})

test_that("strong features are those of the rule, everywhere, and the caller's random numbers stay", {
  d <- with_seed(3, {
    x <- named_columns(rnorm(100 * 12), 100, "x")
    list(x = x, y = drop(x[, 1:5] %*% rep(.45, 5)) + rnorm(100))
  })
  fit <- msplit(d$x, d$y)
  set.seed(1)
  before <- .Random.seed
  table <- signals(fit)
  expect_identical(.Random.seed, before)
  expect_identical(signals(fit), table)
  expect_identical(signals(fit, step = "default"), table)
  p <- inclusion_probability(fit)[, 1]
  expect_equal(unname(p), naive_inclusion(d$x, d$y), tolerance = .05) # but for rows that are cut
  for (fdr in c(.05, .1, .2, .4)) {
    want <- names(p)[naive_strong(p, fdr)]
    found <- signals(fit, fdr = fdr)
    expect_setequal(found$term[found$signal == "strong"], want)
    expect_setequal(unique(found$signal), c("strong", "not told from 0"))
    expect_setequal(variable.names(fit, fdr = fdr), want)
  }
  strong <- table$term[table$signal == "strong"]
  expect_true(all(paste0("x", 1:5) %in% strong)) # where no support predicts better than ridge
  expect_identical(variable.names(fit), names(p)[names(p) %in% strong])
  expect_equal(table$probability, unname(p[table$term]))
  expect_equal(table$estimate, unname(coef(fit)[table$term]))
  expect_false(is.unsorted(rev(abs(table$estimate * fit$scale[table$term])[table$signal == "strong"])))
  expect_output(print(fit), paste0("Strong \\(at a false discovery rate of 0.1\\): ", toString(variable.names(fit))))
  expect_setequal(summary(fit)$signals$term[summary(fit)$signals$signal == "strong"], strong)
  tidied <- generics::tidy(fit, step = "average")
  expect_equal(tidied$probability[-1], unname(p))
  expect_setequal(tidied$term[which(tidied$strong)], strong)
  expect_output(print(table), paste(length(strong), "of 12 effects are strong, at a false discovery rate of 0.1"))
  expect_equal(nrow(signals(fit, k = 2)), length(strong) + 2)
  weak <- subset(table, signal != "strong") # without the attributes
  expect_output(print(weak), paste("0 of", nrow(weak), "effects listed are strong"))
  expect_output(print(table[1:3, ]), "3 of 3 effects listed are strong")
})

test_that("print() and the picture show effects by probability, and tidy() is the table", {
  table <- signals(msplit(mpg ~ ., mtcars))
  inside <- table$signal == "strong"
  wanted <- table$term[order(!inside, -table$probability)]
  lines <- capture.output(print(table))
  expect_identical(sub("^ *([a-z]+) .*", "\\1", utils::tail(lines, 10)), wanted)
  expect_identical(picture_of(plot(table))$panels[[1]]$y$labels, wanted)
  tidied <- generics::tidy(table)
  expect_identical(class(tidied), "data.frame")
  expect_identical(tidied$estimate, table$estimate)
  expect_identical(names(attributes(tidied)), c("names", "class", "row.names"))
})

test_that("units of response and features do not change the report", {
  d <- msplit_case(5, n = 60, d = 8)
  table <- signals(msplit(d$x, d$y))
  other <- signals(msplit(d$x * rep(10^(-3:4), each = 60) + 5, 1e4 * d$y - 7))
  expect_equal(other$probability[match(table$term, other$term)], table$probability, tolerance = 1e-6)
})

test_that("a single far response does not decide, nor does a column of one row", {
  d <- with_seed(6, {
    x <- named_columns(rnorm(80 * 6), 80, "x")
    list(x = cbind(x, single = c(1, rep(0, 79))), y = drop(x[, 1:2] %*% c(1, 1)) + rnorm(80))
  })
  strong <- function(y) {
    table <- signals(msplit(d$x, y))
    expect_true(is.na(table$probability[table$term == "single"]))
    sort(table$term[table$signal == "strong"])
  }
  expect_identical(strong(d$y), c("x1", "x2"))
  expect_identical(strong(replace(d$y, 2, 40)), c("x1", "x2"))
})

test_that("every response and class has its own signals, kept columns are said to be kept", {
  d <- with_seed(7, {
    x <- named_columns(rnorm(90 * 5), 90, "x")
    list(x = x, y = cbind(first = x[, 1] + rnorm(90), second = x[, 2] - x[, 3] + rnorm(90)))
  })
  fit <- msplit(d$x, d$y)
  table <- signals(fit)
  of <- function(response) sort(table$term[table$response == response & table$signal == "strong"])
  expect_identical(of("first"), "x1")
  expect_identical(of("second"), c("x2", "x3"))
  expect_identical(variable.names(fit), c("x1", "x2", "x3"))
  tidied <- generics::tidy(fit)
  expect_identical(tidied$term[which(tidied$strong & tidied$class == "second")], c("x2", "x3"))
  expect_output(print(fit), "second: x2, x3")
  classes <- signals(msplit(Species ~ ., iris))
  expect_setequal(classes$response, levels(iris$Species))
  expect_true(all(table(classes$response, classes$signal)[, "strong"] > 0))
  kept <- signals(msplit(d$x, d$y[, 2], keep = "x5"))
  expect_identical(kept$signal[kept$term == "x5"], "kept")
  expect_setequal(kept$term[kept$signal == "strong"], c("x2", "x3"))
})

test_that("the share of false ones is at most the rate in a simulation, and far more is found than by the support", {
  found <- with_seed(21, vapply(1:40, function(k) {
    x <- matrix(rnorm(100 * 20), 100)
    if (k %% 2) x <- sqrt(.5) * x + sqrt(.5) * rnorm(100)
    y <- drop(x[, 1:4] %*% rep(if (k %% 2) .8 else .55, 4)) + rnorm(100)
    strong <- msplit_report_strong_columns(inclusion_probability(msplit(x, y))[, 1], .1)
    c(false = sum(strong > 4) / max(length(strong), 1), power = mean(1:4 %in% strong))
  }, c(0, 0)))
  share <- found["false", ]
  expect_lte(mean(share), .1 + 2 * sqrt(.1 * .9 / 40 / 4)) # 2 binomial standard errors of about 4 effects in each
  expect_gt(mean(found["power", ]), .85)
})

test_that("at a point of the path the table has its support, without an error rate", {
  d <- msplit_case(1, n = 30, d = 10)
  fit <- plain_path(d$x, d$y)
  for (step in 0:4) {
    table <- signals(fit, step = step)
    gamma <- coef(fit, step = step, estimator = "sparse")[-1]
    expect_setequal(table$term[table$signal == "in the support"], names(gamma)[gamma != 0])
    expect_equal(table$estimate, unname(coef(fit, step = step)[table$term]))
    expect_setequal(setdiff(table$signal, "in the support"), if (step < 10) "outside")
    expect_identical(variable.names(fit, step = step), names(gamma)[gamma != 0])
  }
  d <- msplit_case(3, n = 30)
  fit <- plain_path(d$x, d$pair)
  t <- fit$points$t[5]
  table <- signals(fit, t = t)
  for (response in c("first", "second")) {
    gamma <- coef(fit, t = t, estimator = "gamma", response = response)[-1]
    one <- table[table$response == response, ]
    expect_setequal(one$term[one$signal == "in the support"], names(gamma)[gamma != 0])
  }
})

test_that("wide data keep the sums of the columns that enter first", {
  d <- with_seed(9, {
    x <- named_columns(rnorm(60 * 300), 60, "x")
    list(x = x, y = drop(x[, 1:3] %*% c(1, -1, 1)) + rnorm(60) / 2)
  })
  fit <- msplit(d$x, d$y)
  expect_length(fit$sums$column, 100)
  z <- scale(d$x[, fit$sums$column]) * sqrt(60 / 59)
  expect_equal(fit$sums$G, crossprod(z), ignore_attr = TRUE)
  table <- signals(fit)
  expect_setequal(table$term[table$signal == "strong"], c("x1", "x2", "x3"))
  expect_equal(sum(table$probability == 0), 200)
})

test_that("the picture has the probabilities of the same features in every panel", {
  picture <- picture_of(plot(signals(msplit(Species ~ ., iris)), top_n = 3))
  expect_length(picture$panels, 3)
  table <- signals(msplit(Species ~ ., iris))
  for (panel in picture$panels) {
    expect_identical(panel$y, picture$panels[[1]]$y)
    points <- panel$layers[[length(panel$layers)]]$data
    mine <- table[table$response == panel$title, ]
    expect_true(all(points$x %in% mine$probability))
  }
  expect_s3_class(ggplot2::autoplot(signals(msplit(mpg ~ ., mtcars))), "ggplot")
})

test_that("bad input of signals() is refused by name", {
  d <- msplit_case(1)
  fit <- plain_path(d$x, d$y)
  expect_refused(
    signals(fit, step = 999), "step: `step` 999",
    signals(fit, k = -1), "k: `k` -1",
    signals(fit, k = 1.5), "k: `k` 1.5",
    signals(fit, fdr = 0), "fdr: `fdr` 0",
    signals(fit, fdr = 2), "fdr: `fdr` 2",
    signals(fit, t = 3, step = 2), "t: `step` `t`",
    signals(fit, nu = 77), "nu: `nu` 77",
    signals(fit, number = 3), "argument: `number`"
  )
  expect_refused(
    signals(d$x), "object: `object`"
  )
})

test_that("signals(k = 0) of a fit without strong effects is an empty table", {
  set.seed(4)
  none <- signals(msplit(matrix(rnorm(200), 40), rnorm(40)), k = 0)
  expect_equal(nrow(none), 0)
})
