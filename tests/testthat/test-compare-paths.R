# compare_paths() of cross-validations: held-out and training losses by size.

test_that("tidy of curves is the table", {
  case <- cv_case(11)
  cv <- cv_path(case$x, case$y, foldid = case$foldid, max_steps = 3)
  curves <- compare_paths(a = cv, b = cv)
  out <- tidy(curves)
  expect_identical(class(out), "data.frame")
  expect_identical(names(out), c("rule", "step", "size", "held_in", "held_out", "se", "se_within", "difference",
                                 "difference_se", "difference_corrected"))
  expect_identical(out$held_out, curves$held_out)
})

test_that("tlcp() has training losses, those of its predictions for the target's rows", {
  cars <- transform(mtcars, gear = factor(gear), w = rep(1:2, 16), am = factor(am))
  cv <- function(...) suppressMessages(cv_path(..., fit = tlcp, weights = w, foldid = rep_len(1:4, 32)))
  squares <- function(out, cvf, rows) {
    expect_equal(out$held_in, colSums(rows$w * (rows$mpg - predict(cvf, rows, step = out$step))^2) / sum(rows$w),
                 ignore_attr = TRUE)
  }
  for (loss in c("mse", "deviance")) {
    cvf <- cv(mpg ~ wt + hp + qsec, cars, loss = loss)
    squares(compare_paths(cvf), cvf, cars)
  }
  cvf <- cv(mpg ~ wt + hp + qsec, cars, domain = gear, target = "4")
  squares(compare_paths(cvf), cvf, cars[cars$gear == "4", ])
  cvf <- cv(am ~ qsec, cars, family = "binomial", loss = "deviance")
  p <- predict(cvf, cars, step = 0:1, type = "response")
  own <- colSums(cars$w * -2 * log(abs(p - (cars$am == "0")))) / sum(cars$w)
  expect_equal(compare_paths(cvf)$held_in, own, ignore_attr = TRUE)
  counts <- cv(carb ~ hp, cars, family = "poisson")
  rate <- predict(counts, cars, step = 0:1, type = "response")
  own <- colSums(cars$w * 2 * (cars$carb * log(cars$carb / rate) - cars$carb + rate)) / sum(cars$w)
  expect_equal(compare_paths(counts)$held_in, own, ignore_attr = TRUE)
})

test_that("rules and steps are compared fold by fold", {
  set.seed(13)
  domain <- rep(letters[1:6], each = 20)
  x <- matrix(rnorm(120 * 6), 120, dimnames = list(NULL, paste0("x", 1:6)))
  y <- drop(x[, 1:3] %*% c(1, -1, .5)) + rnorm(6, 0, 5)[match(domain, letters)] + rnorm(120)
  gain <- cv_path(x, y, fit = tgreedy, domain = domain)
  greedy <- cv_path(x, y, fit = tgreedy, rule = "greedy", domain = domain)
  both <- compare_paths(gain = gain, greedy = greedy)
  shown <- compare_paths_best(compare_paths_data(both), TRUE)
  expect_equal(shown$difference[1], 0)
  reference <- gain$fold_loss[, as.character(shown$step[1])]
  at <- greedy$fold_loss[, 3] - reference
  row <- both[both$rule == "greedy" & both$step == 2, ]
  expect_equal(row$difference, mean(at))
  expect_equal(row$difference_se, sd(at) / sqrt(6))
  expect_equal(row$difference_corrected, sd(at) / sqrt(6) * sqrt(1 + 6 / 5))
  expect_lt(row$difference_se, row$se / 2)
  expect_equal(both$se_within, c(gain$cvwithin, greedy$cvwithin))
  expect_output(print(both), "difference: to gain, fold by fold")
})

test_that("the legend names the rules that have no training loss", {
  cars <- transform(mtcars, am = factor(am))
  cv <- function(fit, ...) cv_path(am ~ qsec, cars, fit = fit, loss = "deviance", foldid = rep_len(1:4, 32), ...)
  key <- function(...) picture_of(plot(compare_paths(...)))$keys$label[1]
  logistic <- cv(tlcp, family = "binomial", select = FALSE)
  expect_identical(key(one = logistic), "training rows")
  expect_identical(key(one = logistic, two = cv(shareboost)), "training rows (not of two)")
})
