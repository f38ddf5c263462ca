# Fits and cross-validation from moments() are those from the rows.

moments_data <- function(seed, n = 40, p = 9) {
  with_seed(seed, simulate_domains(n_domains = 5, n = n, p = p, imbalance = .5))
}

test_that("tgreedy() from moments is tgreedy() from rows", {
  for (seed in 1:4) {
    d <- moments_data(seed)
    m <- moments(d$x, d$y, domain = d$domain)
    for (rule in c("gain", "t", "modt", "greedy")) {
      for (intercept in c(TRUE, FALSE)) {
        a <- tgreedy(m, rule = rule, intercept = intercept, max_steps = 6)
        b <- tgreedy(d$x, d$y, d$domain, rule = rule, intercept = intercept, max_steps = 6)
        expect_equal(a$steps, b$steps)
        expect_equal(coef(a), coef(b))
        expect_equal(a$domain_loss, b$domain_loss)
      }
    }
    a <- tgreedy(m, control = tgreedy_control(update = "refit", stop = "none"), standardize = FALSE, max_steps = 5)
    b <- tgreedy(d$x, d$y, d$domain,
                 control = tgreedy_control(update = "refit", stop = "none"), standardize = FALSE, max_steps = 5)
    expect_equal(coef(a), coef(b))
  }
})

test_that("greedytl() from moments is greedytl() from rows, less leave-one-out", {
  settings <- list(
    list(), list(rule = "paper"), list(rule = "paper", lambda = c(0, .1, 3), tol = 0),
    list(ridge = c(10, 1)), list(keep = c("x3", "x1")), list(standardize = FALSE),
    list(intercept = FALSE), list(max_steps = 0)
  )
  for (seed in 1:3) {
    d <- moments_data(seed)
    m <- moments(d$x, d$y, domain = d$domain)
    for (given in settings) {
      a <- do.call(flat(greedytl), c(list(m), given))
      b <- do.call(flat(greedytl), c(list(d$x, d$y), given))
      shared <- setdiff(names(b$steps), "loo")
      expect_equal(a$steps[shared], b$steps[shared])
      expect_equal(coef(a), coef(b))
      expect_equal(as.numeric(logLik(a)), as.numeric(logLik(b)))
      expect_equal(predict(a, d$x[1:3, ]), predict(b, d$x[1:3, ]))
      expect_true(all(is.na(a$steps$loo)))
    }
  }
})

test_that("moments of rows with weights have the log-likelihood of the rows", {
  d <- moments_data(6)
  w <- with_seed(6, runif(length(d$y), .5, 2))
  w[d$domain == "d2"] <- 1
  rows <- data.frame(d$x, y = d$y, w, domain = d$domain)
  m <- moments(d$x, d$y, domain = d$domain, weights = w)
  expect_equal(m$cells$log_weight, as.vector(tapply(log(w), d$domain, sum)[m$cells$domain]))
  first <- d$domain %in% c("d1", "d2")
  part <- function(i) moments(d$x[i, ], d$y[i], domain = d$domain[i], weights = w[i])
  at <- 0
  reader <- function(reset) {
    at <<- if (reset) 0 else at + 1
    if (at %in% 1:4) rows[seq_len(nrow(rows)) %% 4 == at - 1, ]
  }
  file <- tempfile(fileext = ".csv")
  write.csv(as.data.frame(m), file, row.names = FALSE)
  halves <- seq_along(d$y) %% 2 == 0
  same <- list(m, merge(m[1:2], m[3:5]), merge(part(halves), part(!halves)), moments(as.data.frame(m)),
               moments(read.csv(file)), moments(y ~ . - w, rows, domain = domain, weights = w),
               moments(y ~ . - w, reader, domain = domain, weights = w),
               moments(Matrix::Matrix(d$x, sparse = TRUE), d$y, domain = d$domain, weights = w),
               moments(d$x, d$y, domain = d$domain, fold = rep_len(1:3, length(w)), weights = w))
  for (method in list(greedytl, msplit, tgreedy)) {
    expected <- if (identical(method, tgreedy)) tgreedy(d$x, d$y, d$domain, weights = w) else
      suppressMessages(method(d$x, d$y, weights = w))
    for (given in same) {
      fit <- suppressMessages(method(given))
      # from moments msplit() has degrees of freedom at its default step only
      verbs <- if (identical(method, msplit)) list(logLik) else list(logLik, AIC, BIC)
      for (verb in verbs) expect_equal(as.vector(verb(fit, step = 1)), as.vector(verb(expected, step = 1)))
    }
  }
  two <- moments(d$x[, 1:2], d$y, weights = w)
  expect_equal(c(logLik(tlcp(two, select = FALSE))), c(logLik(lm(d$y ~ d$x[, 1:2], weights = w * length(w) / sum(w)))))
  # weights are scaled to mean one in the target
  for (target in c("d1", "d2")) {
    of_rows <- tlcp(d$x, d$y, domain = d$domain, target = target, weights = w)
    expect_equal(AIC(tlcp(m, target = target)), AIC(of_rows))
  }
  plain <- moments(d$x, d$y, domain = d$domain)
  expect_equal(AIC(greedytl(moments(d$x, d$y, weights = rep(1, length(w))))), AIC(greedytl(plain)))
  a <- tlcp(moments(d$x, d$y, weights = w), criterion = "BIC")
  b <- tlcp(d$x, d$y, weights = w, criterion = "BIC")
  expect_equal(a$steps$criterion, b$steps$criterion)
  expect_equal(b$steps$criterion[b$best + 1], BIC(b))
})

test_that("moments saved without the logarithms of weights have no log-likelihood where there were weights", {
  d <- moments_data(6)
  w <- runif(length(d$y), .5, 2)
  w <- w / mean(w) # the sum of these does not tell them from no weights
  saved <- function(weights) {
    m <- moments(d$x, d$y, domain = d$domain, weights = weights)
    m$cells$log_weight <- NULL
    m$weighted <- !is.null(weights)
    m
  }
  table <- as.data.frame(moments(d$x, d$y, domain = d$domain, weights = w))
  names(table)[names(table) == "log_weight"] <- "weighted"
  table$weighted <- TRUE
  old <- saved(w)
  for (given in list(old, old[1:2], merge(saved(NULL), old), moments(as.data.frame(old)), moments(table))) {
    for (method in list(greedytl, msplit, tgreedy)) {
      fit <- suppressMessages(method(given))
      for (verb in list(logLik, AIC, BIC)) expect_error(verb(fit), "weights", class = "transelect_error_moments")
      expect_true(is.na(glance(fit)$AIC))
      expect_gt(deviance(fit), 0)
    }
  }
  plain <- moments(d$x, d$y, domain = d$domain)
  for (given in list(plain, saved(NULL), moments(as.data.frame(saved(NULL))), merge(plain[1], saved(NULL)[2]))) {
    expect_true(is.finite(logLik(greedytl(given))))
  }
  # a difference of criteria needs no constant
  old <- moments(d$x, d$y, weights = w)
  old$cells$log_weight <- NA_real_
  a <- tlcp(old, criterion = "BIC")
  b <- tlcp(d$x, d$y, weights = w, criterion = "BIC")
  expect_equal(diff(a$steps$criterion), diff(b$steps$criterion))
})

test_that("weights and more columns than rows do as well", {
  d <- moments_data(5, n = 4, p = 30)
  w <- with_seed(1, stats::runif(length(d$y)) + .1)
  a <- greedytl(moments(d$x, d$y, weights = w))
  b <- greedytl(d$x, d$y, weights = w)
  expect_equal(coef(a), coef(b))
})

test_that("cross-validation by subtraction is cross-validation by refitting", {
  d <- moments_data(6)
  fold <- rep(1:6, length.out = length(d$y))
  m <- moments(d$x, d$y, domain = d$domain, fold = fold)
  a <- cv_path(m, max_steps = 7)
  b <- cv_path(d$x, d$y, foldid = fold, max_steps = 7)
  expect_equal(a$cvm, b$cvm)
  expect_equal(a$cvsd, b$cvsd)
  expect_equal(a$average$cvm, b$average$cvm)
  a <- cv_path(m, fit = tgreedy)
  b <- cv_path(d$x, d$y, domain = d$domain, fit = tgreedy)
  expect_equal(a$cvm, b$cvm)
  expect_equal(a$index, b$index)
  expect_equal(nobs(a), nobs(b))
})

test_that("what moments cannot give is refused with the reason", {
  d <- moments_data(7)
  m <- moments(d$x, d$y)
  expect_error(greedytl(m, sources = d$x), "given beside moments", class = "transelect_error_moments")
  expect_error(greedytl(m,
                        control = greedytl_control(candidates = 5)), "needs rows", class = "transelect_error_moments")
  expect_error(tgreedy(m, unlabelled = list()), "needs rows", class = "transelect_error_moments")
  for (fit in list(greedytl, tgreedy, tlcp, msplit, dissimilarity)) {
    expect_error(fit(m, d$y), "`y` is given beside moments", class = "transelect_error_moments")
    expect_error(fit(m, weights = d$y, y = d$y), "`y` and `weights` are given", class = "transelect_error_moments")
  }
  expect_error(tlcp(m, family = "binomial"), "`family` needs rows", class = "transelect_error_moments")
  expect_error(dissimilarity(m, family = "binomial"), "`family` needs rows", class = "transelect_error_moments")
  expect_error(greedytl(m,
                        control = greedytl_control(candidates = 3), prob = TRUE), "`candidates` and `prob` need rows")
  expect_error(tgreedy(m, control = tgreedy_control(stop = "cv")), class = "transelect_error")
  expect_error(fitted(greedytl(m)), "no rows", class = "transelect_error_fitted")
  expect_error(residuals(greedytl(m)), "no rows", class = "transelect_error_fitted")
  expect_error(predict(greedytl(m)), "a fit to moments has no rows", class = "transelect_error_newdata")
  expect_error(predict(greedytl(d$x, d$y), step = 1), "fitted\\(\\)", class = "transelect_error_newdata")
  expect_error(cv_path(m, fit = greedytl), "fewer than two", class = "transelect_error_by")
  expect_error(cv_path(m, fit = greedytl, by = "domain"), "fewer than two")
  bad <- "transelect_error_loss"
  expect_error(cv_path(m, loss = "mae"), "mae.*needs rows", class = bad)
  expect_error(cv_path(m, loss = "auc"), "auc.*auroc", class = bad)
  expect_error(cv_path(m, loss = c("mse", "mae")), "one of", class = bad)
})

test_that("moments are written as a table and read back", {
  cars <- transform(mtcars, gear = factor(gear), am = am == 1, vs = ifelse(vs == 1, "a|b", "c;d"))
  f <- mpg ~ wt + log(hp) + gear * am + vs
  sites <- lapply(split(cars, cars$cyl), function(d) {
    moments(f, data = d, domain = cyl, levels = list(gear = c("3", "4", "5"), vs = c("a|b", "c;d")))
  })
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  for (site in sites) {
    utils::write.table(as.data.frame(site), file, append = file.exists(file), sep = ",", row.names = FALSE,
                       col.names = !file.exists(file))
  }
  whole <- Reduce(merge, sites)
  for (names in c(TRUE, FALSE)) {
    back <- moments(utils::read.csv(file, check.names = names))
    parts <- c("cells", "mean", "cross", "columns", "response", "classes", "intercept", "dropped")
    expect_equal(unclass(back)[parts], unclass(whole)[parts], tolerance = 1e-12)
    one <- tlcp(back, target = "8", borrow = "hierarchical", select = FALSE)
    two <- tlcp(whole, target = "8", borrow = "hierarchical", select = FALSE)
    expect_equal(coef(one), coef(two), tolerance = 1e-6)
    expect_equal(predict(one, cars), predict(two, cars), tolerance = 1e-6)
  }
  # merged with moments of rows in memory
  expect_equal(merge(moments(as.data.frame(sites[[1]])), sites[[2]])$cross, merge(sites[[1]], sites[[2]])$cross)

  folds <- moments(mpg ~ ., data = cars[c("mpg", "wt", "gear")], fold = rep_len(1:3, 32))
  again <- moments(as.data.frame(folds))
  expect_equal(unclass(again)[parts], unclass(folds)[parts])
  expect_equal(predict(greedytl(again), cars), predict(greedytl(folds), cars))
  named <- moments(mean ~ n + term, data = data.frame(mean = cars$mpg, n = cars$wt, term = cars$hp))
  expect_equal(unclass(moments(as.data.frame(named)))[parts], unclass(named)[parts])
  classes <- moments(factor(am) ~ wt, data = cars)
  expect_identical(moments(as.data.frame(classes))$classes, classes$classes)
})

test_that("columns whose coding a table does not hold are read back as numbers, and broken tables are refused", {
  cars <- transform(mtcars, gear = factor(gear))
  contrasts(cars$gear) <- contr.sum(3)
  own <- suppressWarnings(moments(mpg ~ wt + gear, data = cars)) # model.frame() warns of contrasts
  back <- moments(as.data.frame(own))
  expect_identical(back$blueprint$kind, "matrix")
  fit <- tlcp(back, select = FALSE)
  expect_equal(coef(fit), coef(tlcp(own, select = FALSE)))
  expect_equal(unname(predict(fit, model.matrix(~ wt + gear, cars)[, -1])),
               unname(fitted(lm(mpg ~ wt + gear, cars))))
  square <- function(x) x^2
  expect_identical(moments(as.data.frame(moments(mpg ~ square(wt), data = cars)))$blueprint$kind, "matrix")

  table <- as.data.frame(moments(mpg ~ wt + hp, data = cars, domain = cyl))
  refused <- function(table) expect_error(moments(table), class = "transelect_error_x")
  refused(table[-2, ])
  refused(table[names(table) != "hp"])
  refused(transform(table, mean = replace(mean, 3, NA)))
  refused(transform(table, response = replace(response, 5, "other")))
  refused(transform(table, formula = "~wt + system(hp)"))
  refused(transform(table, formula = "~hp + wt"))
})

test_that("classes from moments have equal weights, and a message says so", {
  d <- moments_data(11)
  two <- factor(ifelse(d$y > 1, "up", "down"))
  m <- moments(d$x, two)
  expect_message(fit <- greedytl(m), "class_weights", class = "transelect_message")
  by_rows <- greedytl(d$x, two, control = greedytl_control(class_weights = "none"))
  expect_equal(coef(fit), coef(by_rows))
  expect_false(isTRUE(all.equal(coef(greedytl(d$x, two)), coef(fit))))
  expect_silent(again <- refit(by_rows, m))
  expect_equal(coef(again), coef(by_rows))
})

test_that("glance() of a fit to weighted moments has its degrees of freedom", {
  d <- moments_data(12)
  w <- with_seed(1, stats::runif(length(d$y)) + .1)
  a <- glance(tlcp(moments(d$x, d$y, weights = w), criterion = "BIC"))
  b <- glance(tlcp(d$x, d$y, weights = w, criterion = "BIC"))
  expect_equal(a$df, b$df)
  expect_equal(a$logLik, b$logLik)
})
