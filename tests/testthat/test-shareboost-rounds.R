# The number of rounds of Theorem 2.

logistic_loss <- function(x, y, w, margin = 1) {
  score <- x %*% w
  classes <- seq_len(ncol(w))
  mean(log(rowSums(exp(margin * outer(y, classes, "!=") + score - score[cbind(seq_along(y), y)]))))
}

test_that("rounds are 4 times the squared norm over what may be lost", {
  w <- rbind(c(-1, 3), c(0, .5), c(2, 2))
  expect_equal(shareboost_rounds(c(1, .6), w, .5), ceiling(4 * 2.25^2 / c(.5, .1)))
  expect_equal(shareboost_rounds(.4, w + c(5, -2, 7), .2), shareboost_rounds(.4, w, .2))
  # Corollary 1: twice the loss with 4 r^2 c^2 / eps features
  expect_equal(shareboost_rounds(.2, 3 * 2, .1), 4 * 3^2 * 2^2 / .1)
  expect_identical(shareboost_rounds(c(.5, .2), 1, .5), c(Inf, Inf))
  expect_equal(shareboost_rounds(1, 0), 0)
})

test_that("so many rounds reach the loss, on designs where there are many more features", {
  for (seed in 1:5) {
    d <- with_seed(seed, {
      x <- matrix(runif(80 * 60, -1, 1), 80)
      w <- matrix(0, 60, 3)
      w[sample(60, 3), ] <- runif(9, -.7, .7)
      y <- apply(x %*% w + .3 * rnorm(240), 1, which.max)
      list(x = x, y = y, w = w)
    })
    if (length(unique(d$y)) < 3) next
    for (margin in c(0, 1)) {
      reference <- logistic_loss(d$x, d$y, d$w, margin)
      wanted <- reference + c(.15, .3)
      rounds <- shareboost_rounds(wanted, d$w, reference)
      for (rule in c("gradient", "full")) {
        fit <- suppressWarnings(shareboost(
          d$x, factor(d$y), rule = rule, ridge = 0, intercept = FALSE, standardize = "none",
          control = shareboost_control(margin = margin), max_steps = min(max(rounds), 20)
        ))
        reached <- fit$steps$loss[match(pmin(rounds, max(fit$steps$step)), fit$steps$step)]
        expect_true(all(reached <= wanted + 1e-8))
      }
    }
  }
})

test_that("bad arguments are refused by name", {
  expect_error(shareboost_rounds("a", 1), "`loss`", class = "transelect_error")
  expect_error(shareboost_rounds(-1, 1), "`loss`", class = "transelect_error")
  expect_error(shareboost_rounds(1, -1), "`coefficients`", class = "transelect_error")
  expect_error(shareboost_rounds(1, c(1, 2)), "`coefficients`", class = "transelect_error")
  expect_error(shareboost_rounds(1, 1, reference = NA), "`reference`", class = "transelect_error")
  expect_error(shareboost_rounds(1, 1, norm = 1), "no argument `norm`", class = "transelect_error")
})
