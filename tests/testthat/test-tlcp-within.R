# All subsets by lm(), a matrix of sets and the criterion of each.
every_subset <- function(x, y, criterion) {
  x <- as.data.frame(x)
  sets <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), ncol(x))))
  list(sets = unname(sets), value = apply(sets, 1, function(on) criterion(lm(y ~ ., data.frame(y = y, x[on])))))
}

test_that("the list is that of enumeration, with the weights and the average of the models", {
  fit <- tlcp(mpg ~ ., data = mtcars, criterion = "BIC", within = 6)
  near <- fit$within
  all <- every_subset(mtcars[-1], mtcars$mpg, BIC)
  want <- order(all$value)
  want <- want[all$value[want] <= min(all$value) + 6]
  expect_length(want, 86)
  expect_true(near$complete)
  expect_equal(near$criterion, all$value[want], tolerance = 1e-9)
  key <- function(sets) apply(sets * 1, 1, paste, collapse = "")
  expect_setequal(key(unname(near$models)), key(all$sets[want, ]))
  expect_equal(sum(near$difference <= 2), 8)
  weight <- exp(-(all$value[want] - min(all$value)) / 2)
  weight <- weight / sum(weight)
  expect_equal(near$weight, weight)
  expect_equal(unname(near$share), drop(t(all$sets[want, ]) %*% weight), tolerance = 1e-9)
  average <- rowSums(vapply(seq_along(want), function(k) {
    on <- all$sets[want[k], ]
    model <- coef(lm(mpg ~ ., mtcars[c(TRUE, on)]))
    replace(numeric(11), c(1, which(on) + 1), model) * weight[k]
  }, numeric(11)))
  expect_equal(unname(coef(fit, step = "within")), average, tolerance = 1e-8)
  expect_equal(unname(predict(fit, mtcars[1:3, ], step = "within")),
               drop(cbind(1, as.matrix(mtcars[1:3, -1])) %*% average), ignore_attr = TRUE, tolerance = 1e-8)
})

test_that("random, correlated, rounded and tied columns, every criterion", {
  for (seed in 1:12) {
    set.seed(seed)
    n <- c(15, 30, 60)[seed %% 3 + 1]
    p <- 3 + seed %% 5
    x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("x", 1:p)))
    if (seed %% 3 == 0) x <- x + rnorm(n) * 2
    if (seed %% 4 == 0) x[, 2] <- round(x[, 1] + .1 * rnorm(n), 1)
    if (seed %% 5 == 0) x[, 3] <- rev(x[, 1])
    y <- x[, 1] + x[, p] / 2 + rnorm(n)
    k <- c(AIC = 2, BIC = log(n), HQ = 2 * log(log(n)))[seed %% 3 + 1]
    within <- c(.5, 3, 9)[seed %% 3 + 1]
    near <- tlcp(x, y, criterion = names(k), within = within)$within
    all <- every_subset(x, y, function(model) AIC(model, k = k))
    expect_equal(near$criterion, sort(all$value[all$value <= min(all$value) + within + 1e-8]), tolerance = 1e-8)
    near <- tlcp(x, y, criterion = "Cp", within = within)$within
    s2 <- summary(lm(y ~ x))$sigma^2
    all <- every_subset(x, y, function(model) deviance(model) / s2 + 2 * length(coef(model)))
    expect_equal(near$difference, sort(all$value[all$value <= min(all$value) + within + 1e-8]) - min(all$value),
                 tolerance = 1e-6)
  }
})

test_that("fourteen columns: all 16,384 subsets", {
  set.seed(14)
  x <- matrix(rnorm(60 * 14), 60, dimnames = list(NULL, paste0("x", 1:14))) + rnorm(60) / 2
  y <- drop(x[, 1:4] %*% c(1, .6, .4, .3)) + rnorm(60)
  near <- tlcp(x, y, criterion = "BIC", within = 4)$within
  G <- crossprod(scale(cbind(x, y), scale = FALSE))
  rss <- vapply(seq_len(2^14) - 1, function(k) {
    on <- which(bitwAnd(k, 2^(0:13)) > 0)
    if (!length(on)) G[15, 15] else G[15, 15] - sum(G[on, 15] * solve(G[on, on], G[on, 15]))
  }, 0)
  size <- vapply(seq_len(2^14) - 1, function(k) sum(bitwAnd(k, 2^(0:13)) > 0), 0)
  value <- 60 * (log(2 * pi * rss / 60) + 1) + log(60) * (size + 2)
  expect_true(near$complete)
  expect_equal(near$criterion, sort(value[value <= min(value) + 4]), tolerance = 1e-9)
})

test_that("kept, dropped and grouped columns, and borrowing, have lists of their own", {
  fit <- tlcp(mpg ~ ., data = mtcars, criterion = "AIC", within = 3, keep = "hp", control = tlcp_control(drop = "am"))
  expect_true(all(fit$within$models[, "hp"]))
  expect_false(any(fit$within$models[, "am"]))
  all <- every_subset(mtcars[c("cyl", "disp", "drat", "wt", "qsec", "vs", "gear", "carb")], mtcars$mpg,
                      function(model) AIC(lm(y ~ ., data.frame(model$model, hp = mtcars$hp))))
  expect_equal(fit$within$criterion, sort(all$value[all$value <= min(all$value) + 3]), tolerance = 1e-9)
  cars <- transform(mtcars[c("mpg", "wt", "hp", "cyl")], cyl = factor(cyl))
  near <- tlcp(mpg ~ ., data = cars, criterion = "BIC", within = 20)$within
  expect_equal(near$models[, "cyl6"], near$models[, "cyl8"])
  expect_equal(min(near$criterion), min(BIC(lm(mpg ~ wt + cyl, cars)), BIC(lm(mpg ~ wt + hp, cars)),
                                        BIC(lm(mpg ~ wt + hp + cyl, cars)), BIC(lm(mpg ~ wt, cars))))
  aq <- na.omit(airquality)
  may <- tlcp(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, target = "5", within = 100)
  expect_equal(nrow(may$within$models), 8)
  expect_equal(colnames(may$within$models)[may$within$models[1, ]], may$selected)
  at <- match(may$best, may$steps$step)
  expect_equal(may$within$criterion[1], may$steps$criterion[at], tolerance = 1e-8)
})

test_that("a list that is too long is cut with a message, and what has no list is refused", {
  set.seed(1)
  x <- matrix(rnorm(20 * 16), 200, 16, dimnames = list(NULL, paste0("x", 1:16)))
  x <- x + rnorm(3200)
  y <- rnorm(200)
  expect_message(fit <- tlcp(x, y, criterion = "AIC", within = 30),
                 "subsets are within 30 of the best: the table has all")
  near <- fit$within
  expect_true(near$complete)
  expect_lt(near$within, 30)
  expect_lte(length(near$criterion), 10000)
  expect_equal(near$criterion[1], fit$certificate$value)
  less <- tlcp(x, y, criterion = "AIC", within = near$within)$within
  expect_identical(less$criterion, near$criterion)
  expect_length(tlcp(mpg ~ ., mtcars, criterion = 0, within = 6)$within$criterion, 520) # no penalty, none forced in
  expect_error(tlcp(am ~ wt, mtcars, family = "binomial", within = 2), class = "transelect_error_within")
  expect_error(tlcp(mpg ~ ., mtcars, select = FALSE, within = 2), class = "transelect_error_within")
  expect_error(tlcp(mpg ~ ., mtcars, within = -1), class = "transelect_error_within")
  expect_error(confint(tlcp(mpg ~ ., mtcars, within = 1), step = "within"), class = "transelect_error_step")
})

test_that("a search that ended early is said to have", {
  set.seed(1)
  x <- matrix(rnorm(60 * 45), 60) + rnorm(60)
  y <- rnorm(60)
  expect_message(suppressWarnings(
    fit <- tlcp(x, y, criterion = "AIC", within = 5, control = tlcp_control(max_nodes = 500))
  ), "ended early.*incomplete")
  near <- fit$within
  expect_false(near$complete)
  expect_output(print(near), "perhaps not all")
})

test_that("print(), tables and pictures", {
  near <- tlcp(mpg ~ ., data = mtcars, criterion = "BIC", within = 2)$within
  expect_output(print(near), "8 subsets within 2 of the best by BIC, proven to be all")
  expect_equal(nrow(as.data.frame(near)), 8)
  table <- tidy(near)
  expect_true(all(table$min <= table$max))
  expect_equal(table$share[table$term == "wt"], 1)
  picture <- picture_of(plot(near, n = 5))
  tiles <- picture$panels[[1]]$layers[[1]]$data
  expect_equal(nrow(tiles), sum(near$models[1:5, ]))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_no_error(plot(near))
  skip_if_not_installed("ggplot2")
  expect_no_error(print(ggplot2::autoplot(near)))
})
