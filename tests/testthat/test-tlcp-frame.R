# ---- formula, predict and coef for every domain, moments, cross-validation, saved fits

tlcp_data <- function(seed = 1, n_domains = 2, n = 19) {
  d <- draw_similar_domains(seed, n_domains, 5, n = n)
  data <- data.frame(site = d$domain, y = d$y, d$x)
  data$kind <- factor(rep_len(c("u", "v", "w", "v"), nrow(data)))
  d$data <- data
  d
}

test_that("the formula is the matrix", {
  d <- tlcp_data(1)
  x <- model.matrix(~ x1 + x2 + x3 + x4 + x5 + kind, d$data)[, -1]
  a <- tlcp(y ~ . - site, d$data, domain = site, target = "b")
  b <- tlcp(x, d$y, domain = d$domain, target = "b", groups = c(1:5, 6, 6))
  expect_equal(unname(coef(a)), unname(coef(b)))
  expect_equal(a$borrowing$tau2, b$borrowing$tau2)
  dot <- tlcp(y ~ ., d$data, domain = site, target = "b")
  expect_equal(coef(dot), coef(a))
  alone <- tlcp(y ~ x1 + x2 + log(x3^2), d$data)
  expect_identical(length(alone$models), 1L)
  x <- cbind(d$x[, 1:2], log = log(d$x[, 3]^2))
  expect_equal(predict(alone, d$data), predict(tlcp(x, d$y), x), ignore_attr = TRUE)
})

test_that("subset, weights and na.action are lm()'s", {
  d <- tlcp_data(2)
  data <- d$data
  some <- data$x1 > -1
  a <- tlcp(y ~ x1 + x2 + x3, data, domain = site, target = "b", subset = x1 > -1)
  b <- tlcp(d$x[some, 1:3], d$y[some], domain = d$domain[some], target = "b")
  expect_equal(unname(coef(a)), unname(coef(b)))
  data$twice <- 1 + seq_along(d$y) %% 2
  a <- tlcp(y ~ x1 + x2 + x3, data, domain = site, target = "b", weights = twice)
  b <- tlcp(d$x[, 1:3], d$y, domain = d$domain, target = "b", weights = data$twice)
  expect_equal(coef(a), coef(b))
  data$x2[c(3, 8)] <- NA
  a <- tlcp(y ~ x1 + x2 + x3, data, domain = site, target = "b", na.action = na.omit)
  b <- tlcp(y ~ x1 + x2 + x3, data[-c(3, 8), ], domain = site, target = "b")
  expect_equal(coef(a), coef(b))
  expect_identical(nobs(a), nobs(b))
})

test_that("one domain, not named by `domain`: subset selection with lm()'s coefficients", {
  fit <- tlcp(mpg ~ ., mtcars)
  own <- lm(reformulate(fit$selected, "mpg"), mtcars)
  expect_equal(coef(fit)[names(coef(own))], coef(own))
  expect_equal(unname(predict(fit, mtcars)), unname(fitted(own)))
  expect_identical(fit$borrowing$borrow, "none")
})

test_that("coef() and predict() take every domain", {
  d <- tlcp_data(3, 3)
  fit <- tlcp(d$x, d$y, domain = d$domain, target = "b", sizes = TRUE)
  expect_identical(names(fit$models), c("b", "a", "c"))
  expect_equal(as.matrix(fit$models$b$beta), as.matrix(fit$beta))
  expect_equal(fit$models$b$a0, fit$a0)
  expect_equal(coef(fit, domain = "b"), coef(fit))
  for (domain in names(fit$models)) {
    for (step in c(0, 2, fit$best)) {
      at <- match(step, fit$points$step)
      own <- c(fit$models[[domain]]$a0[at], as.matrix(fit$models[[domain]]$beta)[, at])
      expect_equal(unname(coef(fit, domain = domain, step = step)), unname(own))
      expect_equal(unname(predict(fit, d$new, domain = domain, step = step)),
                   unname(drop(cbind(1, d$new) %*% own)))
    }
  }
  expect_equal(predict(fit, d$new), predict(fit, d$new, domain = "b"))
})

test_that("fitted values, residuals and the numbers of the path are the target's", {
  d <- tlcp_data(4, 2)
  fit <- tlcp(d$x, d$y, domain = d$domain, target = "b", sizes = TRUE)
  rows <- d$domain == "b"
  expect_equal(unname(fitted(fit)), unname(predict(fit, d$x[rows, ])))
  expect_equal(unname(residuals(fit)), unname(d$y[rows] - fitted(fit)))
  expect_equal(sum(residuals(fit)^2), deviance(fit))
  expect_length(fitted(fit), nobs(fit))
  expect_equal(nobs(fit), sum(rows))
  for (k in seq_along(fit$points$step)) {
    r <- d$y[rows] - predict(fit, d$x[rows, ], step = fit$points$step[k])
    expect_equal(fit$steps$rss[k], sum(r^2))
  }
  expect_identical(fit$steps$step, fit$points$step)
  expect_equal(colSums(as.matrix(fit$beta) != 0), fit$steps$size, ignore_attr = TRUE)
  expect_identical(fit$best, fit$steps$step[which.min(fit$steps$criterion)])
  at <- match(fit$best, fit$steps$step)
  expect_setequal(fit$selected, rownames(fit$beta)[fit$beta[, at] != 0])
})

test_that("under na.exclude fitted values stand at the places of their rows in the data", {
  d <- tlcp_data(4, 2)
  data <- data.frame(y = d$y, d$x, site = d$domain)
  data$x1[c(2, 5, nrow(data))] <- NA
  fits <- lapply(c(na.omit, na.exclude), function(rule) {
    tlcp(y ~ x1 + x2, data, domain = site, target = "b", na.action = rule)
  })
  own <- which(data$site == "b" & !is.na(data$x1))
  expect_length(fitted(fits[[1]]), length(own))
  expect_length(fitted(fits[[2]]), nrow(data))
  expect_equal(unname(fitted(fits[[2]])[own]), unname(fitted(fits[[1]])))
  expect_equal(unname(residuals(fits[[2]])[own]), unname(residuals(fits[[1]])))
  expect_true(all(is.na(fitted(fits[[2]])[-own])))
  expect_equal(nobs(fits[[2]]), length(own))
})

test_that("entered and dropped tell the change from size to size", {
  # columns so alike that the best set of the next size is often another
  like <- chol(.9^abs(outer(1:12, 1:12, "-")))
  x <- named_columns(with_seed(1, rnorm(60 * 12)), 60, "x") %*% like
  colnames(x) <- letters[1:12]
  fit <- tlcp(x, with_seed(2, drop(x[, 3] + x[, 7] - x[, 8] + rnorm(60))), sizes = TRUE)
  expect_true(any(grepl(", ", fit$steps$entered)) && any(grepl(", ", fit$steps$dropped)))
  words <- function(text) setdiff(strsplit(paste(text), ", ?")[[1]], c("", "NA"))
  now <- character(0)
  for (k in seq_along(fit$steps$step)) {
    now <- setdiff(union(now, words(fit$steps$entered[k])), words(fit$steps$dropped[k]))
    expect_setequal(now, rownames(fit$beta)[fit$beta[, k] != 0])
  }
})

test_that("moments are the rows", {
  d <- tlcp_data(6, 3)
  m <- moments(d$x, d$y, domain = d$domain)
  for (borrow in c("hierarchical", "pooled", "plugin", "none", "aggregate")) {
    for (method in c("exact", if (borrow != "aggregate") "cutoff")) {
      a <- tlcp(m, target = "b", borrow = borrow, method = method, control = tlcp_control(guard = FALSE))
      b <- tlcp(d$x, d$y, domain = d$domain, target = "b", borrow = borrow, method = method,
                control = tlcp_control(guard = FALSE))
      label <- paste(borrow, method)
      expect_equal(coef(a), coef(b), tolerance = 1e-6, label = label)
      expect_identical(a$best, b$best, label = label)
      shared <- setdiff(names(b$steps), c("nodes", "bound", "gap", "complete"))
      expect_equal(a$steps[shared], b$steps[shared], tolerance = 1e-6, label = label)
      expect_equal(predict(a, d$new, domain = names(a$models)[1]), predict(b, d$new), tolerance = 1e-6)
    }
  }
  alone <- tlcp(moments(d$x, d$y))
  expect_equal(coef(alone), coef(tlcp(d$x, d$y)))
})

test_that("a saved fit predicts when it is read again", {
  d <- tlcp_data(7, 2)
  fit <- tlcp(y ~ x1 + x2 + kind, d$data, domain = site, target = "b")
  file <- tempfile()
  saveRDS(fit, file)
  again <- readRDS(file)
  expect_equal(predict(again, d$data[1:5, ], domain = "a"), predict(fit, d$data[1:5, ], domain = "a"))
  expect_lt(file.size(file), 1e5)
})

test_that("by least squares a factor of two classes is coded -1 and 1", {
  d <- tlcp_data(8, 2)
  class <- factor(ifelse(d$y > median(d$y), "yes", "no"))
  a <- tlcp(d$x, class, domain = d$domain, target = "b", family = "gaussian")
  b <- tlcp(d$x, 2 * (class == "yes") - 1, domain = d$domain, target = "b")
  expect_equal(coef(a), coef(b))
  expect_identical(as.character(predict(a, d$new, type = "class")),
                   unname(ifelse(predict(b, d$new) > 0, "yes", "no")))
})

test_that("cross-validation refits", {
  d <- tlcp_data(9, 1, n = 36)
  fold <- rep(1:4, length.out = 36)
  cvf <- cv_path(d$x, d$y, fit = tlcp, foldid = fold, sizes = TRUE, keep_predictions = TRUE)
  for (k in 1:4) {
    out <- fold == k
    own <- tlcp(d$x[!out, ], d$y[!out], sizes = TRUE)
    expect_equal(cvf$predictions[out, ], predict(own, d$x[out, ], step = 0:5), ignore_attr = TRUE)
  }
  expect_equal(coef(cvf$fit), coef(tlcp(d$x, d$y, sizes = TRUE)))
})

test_that("cross-validation leaves out rows of the target, those of other domains stay", {
  d <- tlcp_data(9, 2, n = 24)
  rows <- which(d$domain == "b")
  cvf <- with_seed(1, cv_path(d$x, d$y, fit = tlcp, domain = d$domain, target = "b", nfolds = 4,
                              sizes = TRUE, keep_predictions = TRUE))
  fold <- cvf$foldid
  expect_true(length(fold) %in% c(length(rows), length(d$y)))
  of_target <- if (length(fold) == length(rows)) fold else fold[rows]
  predictions <- cvf$predictions
  if (nrow(predictions) == length(d$y)) predictions <- predictions[rows, ]
  for (k in unique(of_target)) {
    out <- rows[of_target == k]
    own <- tlcp(d$x[-out, ], d$y[-out], domain = d$domain[-out], target = "b", sizes = TRUE)
    expect_equal(predictions[of_target == k, ], predict(own, d$x[out, ], step = 0:5),
                 ignore_attr = TRUE)
  }
})

test_that("the verbs of a cross-validated fit are those of its step", {
  d <- tlcp_data(9, 2, n = 24)
  cvf <- with_seed(1, cv_path(d$x, d$y, fit = tlcp, domain = d$domain, target = "b", nfolds = 4))
  fit <- tlcp(d$x, d$y, domain = d$domain, target = "b")
  step <- cvf$points$step[which.min(cvf$cvm)]
  expect_equal(coef(cvf, step = "min"), coef(fit, step = step))
  expect_equal(predict(cvf, d$new, step = "min"), predict(fit, d$new, step = step))
  expect_equal(predict(cvf, d$new, step = "min", domain = "a"),
               predict(fit, d$new, step = step, domain = "a"))
})

test_that("cross-validation from moments is that of the rows", {
  d <- tlcp_data(11, 3, n = 24)
  fold <- rep_len(1:3, length(d$y))
  m <- moments(d$x, d$y, domain = d$domain, fold = fold)
  a <- cv_path(m, fit = tlcp, target = "b")
  b <- cv_path(d$x, d$y, fit = tlcp, domain = d$domain, target = "b", foldid = fold)
  expect_equal(a$cvm, b$cvm)
  expect_equal(a$cvsd, b$cvsd)
})

test_that("what was borrowed is told for every feature chosen", {
  d <- tlcp_data(3, 3)
  for (borrow in c("hierarchical", "plugin")) {
    fit <- tlcp(d$x, d$y, domain = d$domain, target = "b", borrow = borrow, control = tlcp_control(guard = FALSE))
    domains <- naive_domains_of_fit(fit, d)
    slopes <- seq_len(ncol(d$x))
    S <- fit$borrowed$term
    expect_identical(S, fit$selected)
    unit <- domains[[1]]$y_scale / domains[[1]]$scale
    for (domain in c("a", "c")) {
      expect_equal(fit$borrowed[[domain]], unname((domains[[domain]]$what[slopes] * unit)[S]))
    }
    expect_equal(fit$borrowed$target_only, unname((domains$b$what[slopes] * unit)[S]))
    expect_equal(fit$borrowed$borrowed, unname(coef(fit)[S]))
    if (borrow == "hierarchical") next # its shares: test-tlcp-posterior.R
    own <- diag(domains$b$G)[slopes] / domains$b$s2
    borrowing <- naive_borrowing_of(fit, 5)
    precision <- vapply(1:5, function(i) {
      K <- naive_coupling(borrowing$own[i, ], borrowing$common[i])
      1 / solve(K + diag(vapply(domains, function(domain) domain$G[i, i] / domain$s2, 1)))[1, 1]
    }, 1)
    weight <- setNames(1 - own / precision, colnames(d$x))
    expect_equal(summary(fit)$borrowed$weight, unname(weight[S]))
    expect_equal(summary(fit)$borrowed$shrinkage, 0 * weight[S], ignore_attr = TRUE)
  }
})

test_that("a domain from which nothing is borrowed has no weight, though the target is shrunk", {
  d <- with_seed(2, {
    x <- matrix(rnorm(312 * 4), 312, dimnames = list(NULL, letters[1:4]))
    domain <- rep(c("t", "s"), c(12, 300))
    signal <- drop(x %*% c(.5, -.4, .4, .3))
    list(x = x, y = ifelse(domain == "t", 1, -1) * signal + rnorm(312), domain = domain,
         like = signal + rnorm(312))
  })
  flipped <- tlcp(d$x, d$y, domain = d$domain, target = "t", select = FALSE, control = tlcp_control(guard = FALSE))
  expect_lt(max(summary(flipped)$borrowed$weight), .2)
  like <- tlcp(d$x, d$like, domain = d$domain, target = "t", select = FALSE)
  expect_gt(min(summary(like)$borrowed$weight), .3)
})

test_that("domains without the rows for least squares show none", {
  d <- with_seed(1, {
    x <- matrix(rnorm(480), 40, 12, dimnames = list(NULL, letters[1:12]))
    list(x = x, y = 2 * x[, 1] + rnorm(40), domain = rep(c("t", "s"), c(10, 30)))
  })
  fit <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "t"))
  expect_true(nrow(fit$borrowed) > 0 && all(is.na(fit$borrowed$target_only)))
  expect_false(anyNA(fit$borrowed$s))
  pdf(NULL)
  on.exit(dev.off())
  expect_silent(plot(fit, "borrowed"))
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(fit, "borrowed"), "ggplot")
})

test_that("numbers with names are matched by them", {
  a <- tlcp(mpg ~ wt + hp, mtcars, borrow = list(pen = c(hp = 0, wt = 1000)))
  expect_identical(a$selected, "hp")
  expect_identical(a$borrowing$pen, c(wt = 1000, hp = 0))
  data <- transform(mtcars, g = ifelse(am == 1, "man", "auto"))
  two <- function(...) tlcp(mpg ~ wt + hp, data, domain = g, target = "man", ...)
  expect_equal(two(control = tlcp_control(sigma2 = c(auto = 1, man = 50)))$borrowing$s2,
               two(control = tlcp_control(sigma2 = c(50, 1)))$borrowing$s2)
  expect_error(tlcp(mpg ~ wt + hp, mtcars, borrow = list(pen = c(hp = 0, weight = 1))), "weight",
               class = "transelect_error_borrow")
  expect_error(two(control = tlcp_control(sigma2 = c(car = 1, man = 50))), class = "transelect_error_sigma2")
})

test_that("print(), summary(), tidy(), glance() and plot() take a fit of tlcp()", {
  d <- tlcp_data(10, 2)
  fit <- tlcp(d$x, d$y, domain = d$domain, target = "b", sizes = TRUE)
  expect_s3_class(fit, c("tlcp", "transfer_path"), exact = TRUE)
  expect_output(print(fit))
  expect_output(print(summary(fit)))
  expect_s3_class(tidy(fit), "data.frame")
  expect_identical(nrow(glance(fit)), 1L)
  expect_true(all(c("b", "a") %in% names(fit$models)))
  expect_silent({
    grDevices::pdf(NULL)
    plot(fit)
    grDevices::dev.off()
  })
})
