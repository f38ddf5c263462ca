test_that("thinned intervals are those of lm() on the second part, for the columns that the first part chose", {
  set.seed(3)
  x <- matrix(rnorm(50 * 5), 50, dimnames = list(NULL, paste0("x", 1:5)))
  d <- data.frame(y = drop(x %*% c(1, .4, 0, 0, 0)) + rnorm(50), x)
  fit <- tlcp(y ~ ., d, criterion = "BIC")
  for (share in c(.3, .5)) {
    set.seed(7)
    got <- confint(fit, selective = TRUE, share = share, level = .9)
    set.seed(7)
    z <- rnorm(50) * summary(lm(y ~ ., d))$sigma
    first <- tlcp(y ~ ., transform(d, y = y + z * sqrt((1 - share) / share)), criterion = "BIC")$selected
    second <- lm(reformulate(first, "y"), transform(d, y = y - z * sqrt(share / (1 - share))))
    expect_identical(attr(got, "selected"), first)
    expect_equal(unclass(got)[, ], confint(second, level = .9), tolerance = 1e-6, ignore_attr = TRUE)
    set.seed(7)
    table <- tidy(fit, conf.int = TRUE, conf.level = .9, selective = TRUE, share = share)
    expect_equal(unname(as.matrix(table[c("conf.low", "conf.high")])), matrix(got, ncol = 2))
    expect_equal(table$std.error, unname(summary(second)$coefficients[, 2]), tolerance = 1e-6)
  }
})

test_that("what is borrowed is thinned, too, and coverage after selection is near the level", {
  inside <- 0
  count <- 0
  set.seed(11)
  b <- c(.5, .3, 0, 0, 0)
  for (r in 1:40) {
    x <- matrix(rnorm(450), 90, dimnames = list(NULL, paste0("x", 1:5)))
    d <- data.frame(y = drop(x %*% b) + rnorm(90), x, site = rep(c("a", "b", "c"), 30))
    fit <- suppressMessages(tlcp(x, d$y, domain = d$site, target = "a"))
    ci <- suppressMessages(confint(fit, selective = TRUE))
    on <- attr(ci, "selected")
    true <- b[match(on, colnames(x))]
    inside <- inside + sum(ci[on, 1] <= true & true <= ci[on, 2])
    count <- count + length(on)
  }
  expect_gt(count, 40)
  expect_gt(inside / count, .95 - 3 * sqrt(.95 * .05 / count))
})

test_that("weights count by their ratios, and the intervals of some columns can be asked for", {
  cars <- transform(mtcars, one = 1, more = 100)
  fits <- list(tlcp(mpg ~ wt + hp + qsec, cars, weights = one), tlcp(mpg ~ wt + hp + qsec, cars, weights = more))
  both <- lapply(fits, function(fit) {
    set.seed(3)
    confint(fit, selective = TRUE)
  })
  expect_equal(both[[1]], both[[2]])
  set.seed(3)
  expect_equal(rownames(confint(fits[[1]], parm = 2, selective = TRUE)), "wt")
  expect_error(confint(fits[[1]], parm = "foo", selective = TRUE), class = "transelect_error_parm")
})

test_that("fits without a search, and responses that are not numbers, are refused", {
  expect_error(confint(tlcp(mpg ~ wt, mtcars, select = FALSE), selective = TRUE), class = "transelect_error_selective")
  expect_error(confint(tlcp(am ~ wt, mtcars, family = "binomial"), selective = TRUE),
               class = "transelect_error_selective")
  expect_error(confint(tlcp(mpg ~ wt + hp, mtcars), selective = TRUE, share = 1), class = "transelect_error_share")
})

test_that("nothing chosen on the first part is said, and a step is refused", {
  set.seed(3)
  d <- data.frame(y = rnorm(40), a = rnorm(40), b = rnorm(40))
  fit <- tlcp(y ~ a + b, d, criterion = 50)
  expect_message(none <- confint(fit, selective = TRUE), "No column was chosen on the first part")
  expect_equal(dim(none), c(0, 2))
  expect_identical(colnames(none), colnames(confint(fit)))
  expect_error(confint(fit, step = 1, selective = TRUE), class = "transelect_error_step")
})
