# The formula interface has lm()'s meaning.

cars <- transform(mtcars, gear = factor(gear), am = am == 1)

test_that("names of rows do not matter, and na.action reports them", {
  for (form in list(mpg ~ ., mpg ~ wt + hp + gear)) {
    gap <- cars
    gap$wt[c(3, 7)] <- NA
    fit <- greedytl(form, gap[4:32, ], na.action = na.exclude)
    expect_identical(nobs(fit), 28L)
    expect_identical(names(fit$na.action), "Duster 360")
    expect_identical(which(is.na(fitted(fit))), c("Duster 360" = 4L))
    expect_equal(na.omit(fitted(fit)), predict(fit, gap[c(4:6, 8:32), ]), ignore_attr = TRUE)
  }
})

test_that("`y ~ .` is the formula written out, whatever is taken from it", {
  long <- greedytl(mpg ~ cyl + disp + hp + drat + wt + qsec + vs + am + gear + carb, cars)
  expect_equal(coef(greedytl(mpg ~ ., cars)), coef(long))
  expect_equal(coef(greedytl(mpg ~ . - cyl - 1, cars)),
               coef(greedytl(mpg ~ disp + hp + drat + wt + qsec + vs + am + gear + carb - 1, cars)))
  expect_lt(length(serialize(greedytl(mpg ~ . - cyl, cars), NULL)), 20000)
})

test_that("subset, weights and repeated rows are lm()'s", {
  exact <- list(rule = "paper", lambda = 0, max_steps = 3, control = greedytl_control(tol = 0))
  both <- function(form, given) {
    fit <- eval(as.call(c(list(quote(greedytl), form, quote(cars)), given, exact)))
    list(coef(fit, step = 3), coef(eval(as.call(c(list(quote(lm), form, quote(cars)), given)))))
  }
  for (form in list(mpg ~ wt + hp + qsec, mpg ~ . - cyl - disp - drat - vs - am - gear - carb)) {
    for (given in list(list(subset = quote(hp > 90)), list(weights = quote(wt)),
                       list(subset = c(1:20, 1:20)))) {
      pair <- both(form, given)
      expect_equal(pair[[1]][names(pair[[2]])], pair[[2]])
    }
  }
})

test_that("new data are taken by name, columns of a matrix too", {
  data <- cars
  data$two <- as.matrix(mtcars[c("hp", "qsec")])
  for (form in list(mpg ~ wt + two, mpg ~ .)) {
    fit <- greedytl(form, data)
    turned <- data
    turned$two <- turned$two[, 2:1]
    expect_equal(predict(fit, turned[, rev(names(turned))]), predict(fit, data))
    turned$two <- turned$two[, "hp", drop = FALSE]
    expect_error(predict(fit, turned), class = "transelect_error_newdata")
  }
})

test_that("of a data frame only the variables in use are read, with all their levels", {
  data <- data.frame(one = with_seed(1, rnorm(60)), kind = factor(rep(letters[1:6], 10)),
                     two = rep(1:4, 15), other = factor(rep(c("u", "v", "w"), 20)))
  y <- 3 * (data$kind == "c") - 4 * (data$kind == "f") + (data$other == "v") + data$two / 9
  path <- greedytl(data, y)
  columns <- stats::model.matrix(~., data)
  for (step in path$steps$step[-1]) {
    terms <- variable.names(path, step = step)
    names <- names(data)[vapply(names(data), function(v) any(startsWith(terms, v)), NA)]
    beta <- coef(path, step = step)[c("(Intercept)", terms)]
    by_hand <- drop(columns[, names(beta)] %*% beta)
    expect_equal(predict(path, data[names], step = step), by_hand, ignore_attr = TRUE)
  }
})

test_that("constants, functions and times in a formula are kept", {
  build <- function(data) {
    breaks <- c(0, 2, 3, 9)
    half <- function(v) v / 2
    greedytl(mpg ~ cut(wt, breaks) + half(hp), data)
  }
  fit <- build(cars)
  expect_equal(predict(fit, cars), fitted(fit), ignore_attr = TRUE)
  dated <- transform(cars, day = as.Date("2020-01-01") + carb)
  expect_equal(coef(greedytl(mpg ~ ., dated[c("mpg", "wt", "day")])),
               coef(greedytl(mpg ~ wt + day, dated)))
})

test_that("update() refits", {
  fit <- update(greedytl(mpg ~ wt, cars), . ~ . + hp)
  expect_equal(coef(fit), coef(greedytl(mpg ~ wt + hp, cars)))
})

test_that("update() takes arguments as they are written where it is called", {
  few <- mtcars[1:20, ]
  for (method in list(greedytl, tlcp, msplit)) {
    fit <- method(mpg ~ wt + hp, mtcars)
    fit$call[[1]] <- method
    expect_equal(coef(update(fit, data = few)), coef(method(mpg ~ wt + hp, few)))
    expect_equal(coef(update(fit, weights = wt^2)),
                 coef(method(mpg ~ wt + hp, mtcars, weights = wt^2)))
    expect_equal(coef(update(fit, . ~ . - hp, subset = cyl > 4, data = mtcars)),
                 coef(method(mpg ~ wt, mtcars, subset = cyl > 4)))
    # update() takes no argument from the `...` of the function that calls it
    inside <- function(d, ...) nobs(update(fit, data = d))
    expect_identical(inside(few, mtcars[1:12, ]), 20L)
  }
})

test_that("update() takes from a dot and adds to it, as lm() does", {
  form <- function(...) deparse1(formula(update(...)))
  fit <- shareboost(Species ~ ., iris, max_steps = 2)
  expect_identical(form(fit, . ~ . - Petal.Width), "Species ~ Sepal.Length + Sepal.Width + Petal.Length")
  expect_identical(variable.names(update(fit, ~ . - Petal.Width, max_steps = 3), step = 3),
                   setdiff(names(iris)[1:4], "Petal.Width"))
  expect_identical(
    form(fit, ~ . + log(Petal.Width) - Sepal.Width),
    "Species ~ Sepal.Length + Petal.Length + Petal.Width + log(Petal.Width)"
  )
  through <- shareboost(Species ~ . - 1, iris, max_steps = 2)
  expect_identical(
    form(through, ~ . + Sepal.Length:Sepal.Width - Petal.Width),
    "Species ~ Sepal.Length + Sepal.Width + Petal.Length + Sepal.Length:Sepal.Width - 1"
  )
  mixed <- greedytl(mpg ~ . + wt:hp, mtcars)
  expect_equal(coef(update(mixed, ~ . - cyl)), coef(greedytl(mpg ~ . + wt:hp - cyl, mtcars)))
  form_lm <- deparse1(formula(update(lm(mpg ~ ., mtcars), log(.) ~ . - wt)))
  expect_identical(form(greedytl(mpg ~ ., mtcars), log(.) ~ . - wt), form_lm)
  expect_identical(form(greedytl(mpg ~ ., mtcars), . ~ wt), "mpg ~ wt")
  local({
    here <- mtcars
    own <- greedytl(mpg ~ ., here)
    expect_equal(coef(update(own, ~ . - wt)), coef(greedytl(mpg ~ . - wt, here)))
    expect_identical(coef(update(own)), coef(own))
  })
})

test_that("a formula under another name, and offsets, are refused with words", {
  for (fit in list(greedytl, tlcp, msplit)) {
    expect_error(fit(x = mpg ~ wt, data = mtcars), "Did you mean `formula`",
                 class = "transelect_error_argument")
  }
  expect_error(shareboost(x = Species ~ ., data = iris), "Did you mean `formula`")
  expect_error(greedytl(mpg ~ wt + offset(hp), data = mtcars), "offset",
               class = "transelect_error_formula")
})

test_that("a formula as domain or weights is refused in words", {
  expect_error(tgreedy(mpg ~ wt, mtcars, domain = ~ cyl), "`domain` is a formula",
               class = "transelect_error_domain")
  expect_error(tlcp(mpg ~ wt, mtcars, weights = ~ cyl), "`weights` is a formula",
               class = "transelect_error_weights")
})

test_that("terms with which other packages mean no features are refused, by every method", {
  cars <- transform(mtcars, cyl = factor(cyl))
  refused <- c("(1 | cyl)", "(1 + wt | cyl)", "(wt || cyl)", "cluster(cyl)", "survival::cluster(cyl)", "frailty(cyl)",
               "frailty.gamma(gear)", "tt(wt)", "pspline(wt)", "mgcv::s(wt)")
  methods <- list(tlcp, greedytl, function(...) tgreedy(..., domain = "gear"), msplit, shareboost,
                  function(...) cv_path(..., nfolds = 2), moments)
  for (fit in methods) {
    for (term in refused) {
      expect_error(fit(reformulate(c("hp", term), "mpg"), data = cars), class = "transelect_error_formula")
    }
  }
  for (fit in methods[-c(1, 6)]) {
    expect_error(fit(mpg ~ hp + strata(cyl), data = cars), class = "transelect_error_formula")
  }
  expect_error(tlcp(mpg ~ (1 | cyl), cars), "domain = cyl", class = "transelect_error_formula")
  skip_if_not_installed("future")
  cluster <- future::cluster
  expect_error(tlcp(mpg ~ wt + cluster(cyl), cars), "by clusters", class = "transelect_error_formula")
})

test_that("the same names may be somebody's own functions, and `|` of logicals is a feature", {
  cluster <- function(x) x^2
  s <- function(x) log(x)
  fit <- tlcp(mpg ~ cluster(wt) + s(hp) + (vs > 0 | am > 0) + I(wt > 3 | hp > 200), mtcars, select = FALSE)
  expect_equal(coef(fit)[["cluster(wt)"]],
               coef(lm(mpg ~ I(wt^2) + log(hp) + I(vs > 0 | am > 0) + I(wt > 3 | hp > 200), mtcars))[[2]])
})

test_that("strata are terms of their own", {
  skip_if_not_installed("survival")
  lung <- survival::lung
  strata <- survival::strata
  for (term in c("age * strata(sex)", "age:strata(sex)")) {
    expect_error(tlcp(reformulate(term, quote(survival::Surv(time, status))), data = lung), "strata",
                 class = "transelect_error_formula")
  }
  fit <- tlcp(survival::Surv(time, status) ~ age + strata(sex), data = lung, select = FALSE)
  expect_equal(coef(fit), coef(survival::coxph(survival::Surv(time, status) ~ age + strata(sex), lung)),
               tolerance = 1e-6)
})

test_that("a formula may have hundreds of terms", {
  set.seed(5)
  d <- data.frame(y = rnorm(40), z = 1, matrix(rnorm(40 * 400), 40))
  f <- stats::reformulate(sprintf("I(X%d + 1)", 1:400), "y")
  expect_identical(greedytl(f, d, max_steps = 2)$steps$loss,
                   greedytl(as.matrix(d[-(1:2)]) + 1, d$y, max_steps = 2)$steps$loss)
  expect_error(greedytl(update(f, . ~ . + offset(z)), d), class = "transelect_error_formula")
  expect_error(tlcp(update(f, . ~ (1 | z) + .), d), "domain")
})

test_that("beside a dot one-column matrices are taken, and bytes are refused by name", {
  d <- data.frame(y = rnorm(30), a = rnorm(30), b = rnorm(30), g = rep(c("u", "v", "w"), 10))
  expect_equal(coef(tgreedy(y ~ . - g, d, domain = cbind(g))), coef(tgreedy(y ~ . - g, d, domain = g)))
  expect_error(greedytl(y ~ . - g, transform(d, y = as.raw(1:30))), class = "transelect_error_y")
  expect_error(tlcp(y ~ . - g, d, weights = as.raw(1:30)), class = "transelect_error_weights")
  expect_error(tlcp(y ~ . - g, d, offset = as.raw(1:30)), class = "transelect_error_offset")
  w <- rep(1:3, 10)
  expect_equal(moments(as.matrix(d[2:3]), d$y, weights = cbind(w))$mean,
               moments(as.matrix(d[2:3]), d$y, weights = w)$mean)
})

test_that("a subset with rows that are not there, at which model.frame() stops, is refused", {
  d <- mtcars[1:4, ]
  expect_error(greedytl(cbind(mpg, hp) ~ wt, d, subset = 2:6), "asks for row 6, and `data` has 4",
               class = "transelect_error_subset")
})

test_that("the response among the terms is left out with a message, as by lm(), or refused within another term", {
  forms <- list(mpg ~ mpg + hp + wt, mpg ~ hp + mpg + gear, log(mpg) ~ log(mpg) + wt, log(mpg) ~ mpg + wt,
                mpg ~ . + mpg,
                mpg ~ mpg + wt - 1, mpg ~ wt + offset(hp / 10) + mpg)
  for (form in forms) {
    want <- coef(suppressWarnings(lm(form, cars)))
    for (sparse in c(FALSE, TRUE)) {
      fit <- suppressMessages(tlcp(form, cars, select = FALSE, sparse = sparse),
                              classes = "transelect_message_response")
      expect_equal(coef(fit)[names(want)], want, tolerance = 1e-6)
    }
  }
  for (fit in list(greedytl, msplit, function(...) tgreedy(..., domain = cyl), function(...) shareboost(...),
                   function(...) dissimilarity(..., domain = cyl, target = 4, draws = 0), moments,
                   function(...) cv_path(..., fit = greedytl))) {
    data <- cars
    form <- mpg ~ hp + mpg + wt
    if (identical(body(fit), quote(shareboost(...)))) {
      data$mpg <- factor(data$mpg > 20)
    }
    expect_message(fit(form, data = data), class = "transelect_message_response")
    for (inside in list(mpg ~ mpg * wt, mpg ~ wt + mpg:hp)) {
      expect_error(fit(inside, data = data), class = "transelect_error_formula")
    }
  }
  expect_message(m <- moments(mpg ~ mpg + wt, data = cars), class = "transelect_message_response")
  expect_identical(m$columns, "wt")
})

test_that("terms that make no column are refused", {
  data <- cars
  data$none <- matrix(0, 32, 0)
  for (fit in list(tlcp, greedytl, msplit)) {
    expect_error(suppressWarnings(fit(mpg ~ none + wt, data)), class = "transelect_error_formula")
    expect_error(fit(mpg ~ ., data), class = "transelect_error_x")
  }
  for (form in list(mpg ~ none + wt, mpg ~ .)) expect_error(moments(form, data), class = "transelect_error_data")
})

test_that("a sparse design is that of model.matrix(), with missing values and without rows", {
  data <- data.frame(y = with_seed(1, rnorm(30)), `a b` = 1:30 / 7, when = as.Date("2020-01-01") + 1:30,
                     kind = factor(rep(c("u", "v", "w"), 10)), text = rep(c("p", "q"), 15), flag = 1:30 > 11,
                     check.names = FALSE)
  data$two <- cbind(a = sin(1:30), b = cos(1:30))
  gaps <- data
  gaps$kind[4] <- gaps$flag[5] <- gaps$`a b`[6] <- gaps$text[7] <- NA
  for (form in list(y ~ `a b` + kind, y ~ when * `a b`, y ~ kind * text + kind:`a b`, y ~ flag * two + kind:two,
                    y ~ `a b`:kind:text - 1, y ~ poly(`a b`, 2) * text)) {
    fit <- function(sparse) greedytl(form, data, sparse = sparse)
    for (rows in list(data, data[0, ], if (!"poly" %in% all.names(form)) gaps else data)) {
      sparse <- model.matrix(fit(TRUE), rows)
      dense <- model.matrix(fit(FALSE), rows)
      expect_identical(attributes(sparse)[c("assign", "contrasts")], attributes(dense)[c("assign", "contrasts")])
      expect_equal(as.matrix(sparse), dense, ignore_attr = c("assign", "contrasts"))
      expect_equal(predict(fit(TRUE), rows), predict(fit(FALSE), rows))
    }
  }
})

test_that("arrays of one dimension are vectors, as response, weights, domains, folds and columns", {
  x <- as.matrix(mtcars[c("wt", "hp", "qsec")])
  as_array <- function(v) array(v, length(v))
  y <- as_array(mtcars$mpg)
  by <- as_array(mtcars$cyl)
  w <- as_array(1 + 1:32 / 9)
  expect_equal(coef(greedytl(x, y, weights = w)), coef(greedytl(x, mtcars$mpg, weights = 1 + 1:32 / 9)))
  expect_equal(coef(tlcp(x, y, domain = by, target = 4)), coef(tlcp(x, mtcars$mpg, domain = mtcars$cyl, target = 4)))
  expect_equal(coef(msplit(x, y)), coef(msplit(x, mtcars$mpg)))
  expect_equal(tgreedy(x, y, by)$beta, tgreedy(x, mtcars$mpg, mtcars$cyl)$beta)
  expect_equal(shareboost(x, as_array(factor(mtcars$am)))$beta, shareboost(x, factor(mtcars$am))$beta)
  expect_identical(moments(x, y, by)$cross, moments(x, mtcars$mpg, mtcars$cyl)$cross)
  expect_equal(cv_path(x, y, foldid = by)$cvm, cv_path(x, mtcars$mpg, foldid = mtcars$cyl)$cvm)
  data <- mtcars
  data$wt <- as_array(data$wt)
  data$mpg <- y
  for (form in list(mpg ~ wt + hp, mpg ~ .)) {
    expect_equal(coef(greedytl(form, data)), coef(greedytl(form, mtcars)))
    expect_identical(moments(form, data)$cross, moments(form, mtcars)$cross)
  }
})

test_that("domains named by numbers have one name, and are found by the number or any text of it", {
  data <- transform(mtcars, site = ifelse(cyl == 4, 1e5, 2e5))
  whole <- transform(data, site = as.integer(site))
  want <- coef(suppressMessages(tlcp(mpg ~ wt + hp, transform(data, site = ifelse(cyl == 4, "d", "e")), domain = site,
                                     target = "d")))
  for (rows in list(data, whole, transform(data, site = factor(site)))) {
    m <- moments(mpg ~ wt + hp, rows, domain = site)
    for (target in list(1e5, 100000L, "100000", "1e+05")) {
      by_rows <- suppressMessages(tlcp(mpg ~ wt + hp, rows, domain = site, target = target))
      expect_equal(coef(by_rows), want)
      expect_equal(coef(by_rows, domain = 2e5), coef(by_rows, domain = "200000"))
      expect_equal(coef(suppressMessages(tlcp(m, target = target))), want, tolerance = 1e-6)
    }
  }
  expect_identical(levels(frame_rows_check_domain(c(1e5, .5, 1e5), 3, NULL)), c("0.5", "100000"))
  file <- tempfile()
  on.exit(unlink(file))
  m <- moments(mpg ~ wt + hp, data, domain = site)
  write.csv(as.data.frame(m), file, row.names = FALSE)
  expect_identical(moments(read.csv(file))$cells$domain, c("100000", "200000"))
  expect_identical(m["1e+05"]$cells$domain, "100000")
  # other texts that read as numbers are names of their own
  codes <- transform(data, site = ifelse(cyl == 4, "01", "1"))
  expect_identical(suppressMessages(tlcp(mpg ~ wt + hp, codes, domain = site, target = 1))$target, "1")
  expect_error(tlcp(mpg ~ wt + hp, codes, domain = site, target = 2), class = "transelect_error_target")
})
