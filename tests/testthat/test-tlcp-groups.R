# tlcp() over groups of columns, against all unions of groups.

unions <- function(groups) {
  units <- unique(groups)
  lapply(0:(2^length(units) - 1), function(k) which(groups %in% units[bitwAnd(k, 2^(seq_along(units) - 1)) > 0]))
}

chosen <- function(fit) which(fit$beta[, fit$best + 1] != 0)

test_that("the best union of groups by Cp, AIC and BIC is that of all lm() fits", {
  for (seed in 1:10) {
    set.seed(seed)
    n <- 40
    groups <- c("a", "b", "b", "c", "d", "d", "d", "e")[sample(8)]
    x <- matrix(rnorm(n * 8), n, dimnames = list(NULL, paste0("x", 1:8)))
    if (seed %% 2) x[, 2] <- x[, 1] + .3 * x[, 2]
    y <- drop(x %*% (rbinom(8, 1, .5) * .5)) + rnorm(n)
    fits <- lapply(unions(groups), function(set) {
      if (length(set)) lm(y ~ x[, set, drop = FALSE]) else lm(y ~ 1)
    })
    s2 <- sigma(lm(y ~ x))^2
    size <- lengths(unions(groups))
    cp <- vapply(fits, deviance, 0) / s2 + 2 * size
    for (criterion in c("Cp", "AIC", "BIC")) {
      fit <- tlcp(x, y, groups = groups, criterion = criterion)
      value <- switch(criterion, Cp = cp, AIC = vapply(fits, AIC, 0), BIC = vapply(fits, BIC, 0))
      expect_setequal(chosen(fit), unions(groups)[[which.min(value)]])
      if (criterion != "Cp") expect_equal(fit$certificate$value, min(value))
      expect_true(fit$certificate$complete)
      # of every number of groups the least residual sum of squares
      count <- vapply(unions(groups), function(set) length(unique(groups[set])), 0L)
      # except that the chosen set is the model of its number of groups
      others <- setdiff(1:6, fit$best + 1)
      least <- unname(tapply(vapply(fits, deviance, 0), count, min))
      expect_equal(fit$steps$rss[others], least[others], ignore_attr = TRUE)
    }
    one <- tlcp(x, y, groups = groups, sizes = FALSE)
    expect_setequal(chosen(one), unions(groups)[[which.min(cp)]])
    kept <- tlcp(x, y, groups = groups, keep = groups[3],
                 control = tlcp_control(drop = groups[groups != groups[3]][1]))
    able <- vapply(unions(groups), function(set) {
      groups[3] %in% groups[set] && !groups[groups != groups[3]][1] %in% groups[set]
    }, NA)
    expect_setequal(chosen(kept), unions(groups)[able][[which.min(cp[able])]])
  }
})

test_that("with borrowing the criterion of the chosen union is the least", {
  for (seed in 1:8) {
    set.seed(100 + seed)
    groups <- c(1, 1, 2, 3, 3, 4)
    x <- matrix(rnorm(90 * 6), 90, dimnames = list(NULL, letters[1:6]))
    domain <- rep(c("t", "u", "v"), c(20, 40, 30))
    y <- drop(x %*% c(1, .5, 0, .3, 0, 0)) + rnorm(90)
    rule <- list(list(), list(support = "shared"), list(borrow = "pooled"), list(borrow = "aggregate"))[[1 + seed %% 4]]
    run <- function(...) suppressMessages(do.call(flat(tlcp), c(list(x, y, domain = domain, target = "t", ...), rule)))
    fit <- run(groups = groups)
    for (set in unions(groups)) {
      if (!length(set)) next
      # the model of one union: its columns kept, the others dropped
      alone <- run(groups = FALSE, keep = set, drop = setdiff(1:6, set))
      expect_gte(alone$steps$criterion[nrow(alone$steps)], fit$certificate$value - 1e-8)
      if (setequal(set, chosen(fit))) {
        expect_equal(coef(alone), coef(fit), tolerance = 1e-8)
        expect_equal(alone$steps$criterion[nrow(alone$steps)], fit$certificate$value)
      }
    }
  }
})

test_that("factors enter whole, with a family too, and every verb knows them", {
  set.seed(3)
  data <- data.frame(age = rnorm(150), race = factor(sample(letters[1:4], 150, TRUE)), bp = rnorm(150),
                     ward = factor(sample(LETTERS[1:3], 150, TRUE)), place = rep(c("a", "b"), c(60, 90)))
  data$died <- rbinom(150, 1, plogis(data$age + 1.5 * (data$race == "c")))
  fit <- tlcp(died ~ age + race + bp + ward, data = data, family = binomial)
  all <- expand.grid(age = 0:1, race = 0:1, bp = 0:1, ward = 0:1)
  least <- min(apply(all, 1, function(on) {
    terms <- c("1", names(all)[on == 1])
    AIC(glm(reformulate(terms, "died"), binomial, data))
  }))
  expect_equal(AIC(fit), least, tolerance = 1e-8)
  columns <- fit$selected
  for (name in c("race", "ward")) expect_true(sum(startsWith(columns, name)) %in% c(0, nlevels(data[[name]]) - 1))
  borrowed <- suppressMessages(tlcp(died ~ age + race + bp + ward, data = data, family = binomial,
                                    domain = place, target = "a"))
  expect_true(sum(startsWith(borrowed$selected, "race")) %in% c(0, 3))
  linear <- tlcp(bp ~ age + race + ward, data = data)
  expect_identical(nrow(linear$steps), 4L)
  expect_identical(nrow(tlcp(bp ~ age + race + ward, data = data, groups = FALSE)$steps), 7L)
  expect_equal(refit(linear, data)$beta, linear$beta)
  cvf <- cv_path(bp ~ age + race + ward, data = data, fit = tlcp, foldid = rep(1:5, 30))
  expect_length(predict(cvf, data), 150)
  expect_equal(coef(tlcp(moments(bp ~ age + race + ward, data = data))), coef(linear), tolerance = 1e-8)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_no_error(plot(linear))
  expect_output(print(linear), "Best subset")
  expect_identical(sum(startsWith(tlcp(bp ~ age + race + ward, data = data, keep = "race")$selected, "race")), 3L)
})

test_that("with a family a path has one step a number of factors and features, whatever its rounds found", {
  set.seed(3)
  n <- 60
  d <- data.frame(a = rnorm(n), b = rnorm(n), c = rnorm(n), f = factor(sample(letters[1:3], n, TRUE)),
                  g = factor(sample(LETTERS[1:4], n, TRUE)))
  d$y <- rbinom(n, 1, plogis(d$a + .6 * (d$f == "b") - .6 * (d$g == "C") + .5 * d$b))
  expect_no_warning(fit <- tlcp(y ~ ., data = d, family = binomial, criterion = "BIC"))
  expect_identical(fit$steps$step, 0:5)
  on <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), 5)))
  models <- apply(on, 1, function(on) glm(reformulate(c("1", names(d)[1:5][on]), "y"), binomial, d), simplify = FALSE)
  expect_equal(BIC(fit), min(vapply(models, BIC, 0)), tolerance = 1e-8)
  least <- tapply(vapply(models, deviance, 0), rowSums(on), min)
  expect_equal(fit$steps$deviance, as.vector(least), tolerance = 1e-6)
})

test_that("degenerate groups and wrong ones", {
  set.seed(4)
  x <- cbind(matrix(rnorm(120), 30, dimnames = list(NULL, letters[1:4])), k = 1, l = 2)
  y <- x[, 1] + rnorm(30)
  fit <- tlcp(x, y, groups = c(1, 1, 2, 2, 3, 3))
  expect_false(any(c("k", "l") %in% fit$selected))
  partly <- tlcp(x, y, groups = c(1, 2, 2, 3, 1, 3))
  expect_equal(unname(coef(partly)[c("k", "l")]), c(0, 0))
  wide <- matrix(rnorm(12 * 30), 12)
  few <- tlcp(wide[, 1:8], rnorm(12), groups = rep(1:2, each = 4))
  expect_identical(nrow(few$steps), 3L)
  expect_error(tlcp(x, y, groups = 1:2), class = "transelect_error_groups")
  expect_error(tlcp(x, y, groups = c(1, 1, 2, 2, 3, 3), method = "cutoff"), class = "transelect_error_groups")
  expect_error(tlcp(x, y, groups = c(1, 1, 2, 2, 3, 3), keep = "a",
                    control = tlcp_control(drop = "b")), class = "transelect_error_drop")
  expect_error(tlcp(x, y, groups = c(1, 1, 2, 2, 3, 3), keep = "5"), class = "transelect_error_keep")
})
