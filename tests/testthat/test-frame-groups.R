# Columns that enter together, and columns that are kept, against the naive twins.

grouped_case <- function(seed, kind = "independent", n = 14) {
  set.seed(seed)
  d <- draw_case(seed, kind, n = n, p = 9, s = 3)
  d$groups <- sample(rep_len(1:5, 9))
  d$groups <- match(d$groups, unique(d$groups))
  d
}

test_that("groups enter whole: the paper's rule", {
  for (seed in 1:12) {
    d <- grouped_case(seed, rep_len(case_kinds, 12)[seed])
    for (tau in c(1, .1)) {
      fit <- greedytl(d$x, d$y, rule = "paper", lambda = tau / 14, groups = d$groups, max_steps = 4)
      twin <- naive_greedy_paper(d$x, d$y, tau = tau, groups = d$groups, max_steps = 4)
      chosen <- match(fit$steps$entered[-1], frame_groups_of_columns(d$groups, frame_default(d$x, d$y), NULL)$labels)
      if (!identical(chosen, twin$units)) { # equally good groups
        twin <- naive_greedy_paper(d$x, d$y, tau = tau, groups = d$groups, max_steps = 4, follow = chosen)
        expect_lt(max(0, twin$shortfall), 1e-9)
      }
      twin$entered <- fit$steps$entered[-1]
      expect_twin(fit, twin, label = paste(seed, tau))
      expect_identical(fit$steps$size, as.integer(twin$sizes))
    }
  }
})

test_that("groups and kept columns: the rule with transfer", {
  for (seed in 1:8) {
    d <- grouped_case(20 + seed, c("independent", "correlated")[1 + seed %% 2])
    settings <- list(
      list(), list(ridge = c(10, 1)), list(keep = which(d$groups == 2)), list(keep = c(10, which(d$groups == 3))),
      list(average = FALSE, intercept = FALSE), list(ridge = c(0, 1), max_steps = 3)
    )[[1 + seed %% 6]]
    classes <- seed %% 2 == 0
    given <- c(list(max_steps = 5), settings)
    given <- given[!duplicated(names(given), fromLast = TRUE)]
    fit <- do.call(flat(greedytl), c(list(d$x, if (classes) d$factor else d$y, d$h, groups = d$groups), given))
    twin <- do.call(naive_greedy_transfer,
                    c(list(d$x, d$h, if (classes) d$class else d$y, groups = d$groups), given))
    twin$entered <- fit$steps$entered[-1]
    units <- c(frame_groups_of_columns(d$groups, frame_default(d$x, d$y), NULL)$labels, colnames(d$h))
    expect_identical(fit$steps$entered[-1], units[twin$units])
    expect_twin(fit, twin, label = paste(seed, deparse1(settings)))
    expect_average(fit, twin, label = paste(seed, deparse1(settings)))
  }
})

test_that("kept columns have no ridge and are not selected", {
  set.seed(3)
  x <- matrix(rnorm(300), 30, dimnames = list(NULL, letters[1:10]))
  y <- 3 * x[, 1] + x[, 2] + rnorm(30)
  fit <- greedytl(x, y, keep = c("j", "a"),
                  control = greedytl_control(ridge = c(1e8, 1))) # what is not kept has a coefficient of 0
  expect_equal(unname(coef(fit, step = "average")[c("(Intercept)", "a", "j")]),
               unname(coef(lm(y ~ x[, c("a", "j")]))), tolerance = 1e-5)
  expect_identical(fit$steps$entered[2:3], c("j", "a"))
  # the average is over the steps with more columns than the kept ones; if there are none, it is the last step
  expect_equal(coef(greedytl(x, y, keep = c("j", "a"), max_steps = 2)),
               coef(greedytl(x, y, keep = c("j", "a")), step = 2))
})

test_that("kept columns are as columns taken out beforehand", {
  # residuals of the response and of the other columns on the kept ones; the scale of the others stays
  for (seed in 1:4) {
    set.seed(seed)
    n <- c(12, 40, 60, 25)[seed]
    x <- matrix(rnorm(n * 8), n, dimnames = list(NULL, letters[1:8]))
    x[, 3] <- x[, 1] + .3 * x[, 3]
    y <- x[, 1] - x[, 3] + rnorm(n)
    x <- scale(x) * sqrt(n / (n - 1))
    left <- function(v) residuals(lm(v ~ x[, 1]))
    rest <- as.matrix(left(x[, -1]))
    fit <- greedytl(x, y, keep = "a", control = greedytl_control(ridge = c(2, 1)), max_steps = 6)
    other <- greedytl(rest, left(y),
                      control = greedytl_control(ridge = c(2 * 8 / 7, 1)), max_steps = 5, standardize = FALSE)
    expect_equal(fit$steps$entered[-(1:2)], other$steps$entered[-1])
    expect_equal(as.matrix(fit$beta)[-1, -1], as.matrix(other$beta), tolerance = 1e-10, ignore_attr = TRUE)
    expect_equal(fit$steps$objective[-1], other$steps$objective, tolerance = 1e-10)
  }
})

test_that("the factors of a formula are groups, and groups = FALSE takes them apart", {
  set.seed(5)
  data <- data.frame(a = rnorm(60), race = factor(sample(letters[1:4], 60, TRUE)), b = rnorm(60),
                     sex = sample(c("f", "m"), 60, TRUE))
  data$y <- (data$race == "c") + .3 * data$a + rnorm(60, 0, .5)
  fit <- greedytl(y ~ a + race + b + sex, data = data)
  expect_identical(fit$steps$entered[2], "race")
  expect_identical(fit$steps$size[2], 3L)
  expect_setequal(names(coef(fit, step = 1)[coef(fit, step = 1) != 0]), c("(Intercept)", "raceb", "racec", "raced"))
  expect_setequal(fit$steps$entered[-1], c("a", "race", "b", "sexm"))
  apart <- greedytl(y ~ a + race + b + sex, data = data, groups = FALSE)
  expect_true("racec" %in% apart$steps$entered)
  for (other in list(greedytl(y ~ ., data = data), greedytl(data[-5], data$y),
                     greedytl(y ~ a + race + b + sex, data = data, sparse = TRUE))) {
    expect_equal(other$steps$entered, fit$steps$entered)
    expect_equal(coef(other), coef(fit))
  }
  through <- greedytl(y ~ a * race, data = data)
  expect_setequal(through$steps$entered[-1], c("a", "race", "a:race"))
  expect_equal(refit(fit, data)$beta, fit$beta)
  cvf <- cv_path(y ~ a + race + b + sex, data = data, foldid = rep(1:5, 12))
  expect_equal(cvf$fit$beta, fit$beta)
  expect_equal(cvf$nzero, fit$steps$size)
  expect_equal(unname(predict(fit, data, step = 1)), unname(fitted(lm(y ~ race, data))), tolerance = .2)
  expect_true("race" %in% as.data.frame(fit)$entered)
  expect_true(all(c("raceb", "racec", "raced") %in% tidy(fit, step = 1)$term))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_no_error(plot(fit))
  kept <- greedytl(y ~ a + race + b + sex, data = data, keep = "race")
  expect_equal(unname(coef(kept, step = 1)[c("raceb", "racec")]),
               unname(coef(lm(y ~ race, data))[c("raceb", "racec")]))
})

test_that("groups from moments are those of the rows, and folds may go through moments", {
  set.seed(6)
  x <- matrix(rnorm(50 * 7), 50, dimnames = list(NULL, letters[1:7]))
  y <- x[, 2] + x[, 5] + rnorm(50)
  groups <- c("u", "v", "v", "w", "w", "w", "z")
  rows <- greedytl(x, y, groups = groups, keep = "z")
  sums <- greedytl(moments(x, y), groups = groups, keep = "z")
  expect_equal(sums$beta, rows$beta, tolerance = 1e-8)
  expect_equal(coef(sums), coef(rows), tolerance = 1e-8)
  for (column in c("entered", "size", "gain", "objective", "df", "rss")) {
    expect_equal(sums$steps[[column]], rows$steps[[column]], tolerance = 1e-8)
  }
  expect_equal(sums$ridge, rows$ridge, tolerance = 1e-6)
})

test_that("degenerate groups", {
  set.seed(7)
  n <- 8
  x <- matrix(rnorm(n * 30), n, dimnames = list(NULL, paste0("x", 1:30)))
  y <- rnorm(n)
  constant <- cbind(x[, 1:4], k1 = 2, k2 = -1)
  fit <- greedytl(constant, y, groups = c(1, 1, 2, 2, 3, 3))
  expect_setequal(fit$steps$entered[-1], c("1", "2"))
  partly <- greedytl(cbind(x[, 1:2], k1 = 2), y, groups = c(1, 2, 2))
  expect_equal(partly$beta[1:2, ], greedytl(x[, 1:2], y)$beta, ignore_attr = TRUE)
  expect_equal(unname(as.matrix(partly$beta)[3, ]), c(0, 0, 0))
  # a group of more columns than rows: with a ridge all of them enter, without one as many as are independent
  large <- greedytl(x, y, groups = rep(c("big", "small"), c(25, 5)), control = greedytl_control(ridge = c(1, 1)))
  expect_identical(max(large$steps$size), 30L)
  free <- greedytl(x, y, groups = rep(c("big", "small"), c(25, 5)), lambda = 0)
  expect_lte(max(free$steps$size), n - 1)
  twin <- naive_greedy_paper(x, y, tau = 1, groups = rep(1:2, c(25, 5)), tol = 0)
  paper <- greedytl(x, y, groups = rep(1:2, c(25, 5)), rule = "paper", control = greedytl_control(tol = 0))
  expect_equal(as.matrix(paper$beta), twin$beta, tolerance = 1e-8, ignore_attr = TRUE)
  # a copy of another group adds nothing without a ridge
  copied <- cbind(x[, 1:2], c1 = x[, 1], c2 = x[, 2])
  expect_identical(max(greedytl(copied, y, groups = c(1, 1, 2, 2), lambda = 0)$steps$size), 2L)
})

test_that("wrong groups and kept columns are named", {
  x <- matrix(rnorm(40), 10, dimnames = list(NULL, letters[1:4]))
  y <- rnorm(10)
  expect_error(greedytl(x, y, groups = 1:3), "4 columns", class = "transelect_error_groups")
  expect_error(greedytl(x, y, groups = c(1, 1, NA, 2)), class = "transelect_error_groups")
  expect_error(greedytl(x, y, groups = list("a", "b", c("a", "b"), "c")), class = "transelect_error_groups")
  expect_error(greedytl(x, y, groups = c(1, 1, 2, 2),
                        control = greedytl_control(candidates = 2)), class = "transelect_error_groups")
  expect_error(greedytl(x, y, groups = c(1, 1, 2, 2), keep = "e"), class = "transelect_error_keep")
  expect_error(greedytl(x, y, groups = c(1, 1, 2, 2), keep = c("1", "2"), max_steps = 1),
               class = "transelect_error_keep")
  expect_error(greedytl(x, y, groups = c(1, 1, 2, 2), max_steps = 3), class = "transelect_error_max_steps")
  expect_error(greedytl(cbind(x, e = x[, 1]), y, keep = c("a", "e")), class = "transelect_error")
})

test_that("a table grouped by a column has its groups as domains, in memory as in a database", {
  skip_if_not_installed("dplyr")
  grouped <- dplyr::group_by(mtcars, cyl)
  expect_identical(moments(mpg ~ wt + hp, grouped)$cells, moments(mpg ~ wt + hp, mtcars, domain = cyl)$cells)
  expect_identical(moments(mpg ~ ., grouped)$cross, moments(mpg ~ ., mtcars, domain = cyl)$cross)
  quiet <- function(code) suppressMessages(code)
  fit <- quiet(tlcp(mpg ~ wt + hp, grouped, target = "4"))
  expect_equal(coef(fit), coef(quiet(tlcp(mpg ~ wt + hp, mtcars, domain = cyl, target = "4"))))
  expect_equal(coef(quiet(refit(fit, grouped))), coef(fit))
  expect_message(own <- tgreedy(mpg ~ wt + hp, grouped), class = "transelect_message_groups")
  expect_equal(own$beta, tgreedy(mpg ~ wt + hp, mtcars, domain = cyl)$beta)
  expect_equal(quiet(dissimilarity(mpg ~ wt, grouped, target = 4, draws = 0))$tau,
               dissimilarity(mpg ~ wt, mtcars, domain = cyl, target = 4, draws = 0)$tau)
  for (call in list(quote(moments(mpg ~ wt, grouped, domain = gear)), quote(tgreedy(mpg ~ wt, grouped, domain = gear)),
                    quote(moments(mpg ~ wt, dplyr::group_by(mtcars, cyl, am))))) {
    expect_error(eval(call), class = "transelect_error_domain")
  }
})
