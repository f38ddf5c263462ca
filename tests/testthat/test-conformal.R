# The literal loops of the papers: every interval from the fits without a row, a fold or a domain.
weighted_end <- function(values, weight, level) {
  values <- c(values, Inf)
  weight <- c(weight, 1 - sum(weight))
  order <- order(values)
  values[order][which(cumsum(weight[order]) >= level - 1e-10)[1]]
}

test_that("jackknife+ intervals are those of a loop over lm()", {
  d <- mtcars[c("mpg", "wt", "hp")]
  fit <- tlcp(mpg ~ wt + hp, d, select = FALSE)
  new <- data.frame(wt = c(2, 3.3, 5), hp = c(100, 180, 300))
  for (level in c(.5, .8, .95)) {
    got <- predict(conformal(fit), new, level = level)
    want <- vapply(seq_len(3), function(j) {
      parts <- vapply(seq_len(nrow(d)), function(i) {
        without <- lm(mpg ~ wt + hp, d[-i, ])
        c(predict(without, new[j, ]), abs(d$mpg[i] - predict(without, d[i, ])))
      }, numeric(2))
      n <- nrow(d)
      c(-sort(parts[2, ] - parts[1, ])[ceiling(level * (n + 1))],
        sort(parts[1, ] + parts[2, ])[ceiling(level * (n + 1))])
    }, numeric(2))
    expect_equal(unname(got[, c("lwr", "upr")]), unname(t(want)), tolerance = 1e-7)
    expect_equal(unname(got[, "fit"]), unname(predict(lm(mpg ~ wt + hp, d), new)), tolerance = 1e-7)
  }
  expect_equal(predict(fit, new, interval = "conformal", level = .8), predict(conformal(fit), new, level = .8))
})

test_that("CV+ with borrowing leaves out rows of the target only", {
  aq <- na.omit(airquality)
  fit <- tlcp(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, target = "5", select = FALSE)
  own <- which(aq$Month == 5)
  fold <- rep(1:4, length.out = length(own))
  sure <- conformal(fit, foldid = fold)
  new <- aq[c(1, 50), ]
  parts <- lapply(1:4, function(k) {
    without <- tlcp(Ozone ~ Solar.R + Wind + Temp, data = aq[-own[fold == k], ], domain = Month, target = "5",
                    select = FALSE)
    list(new = predict(without, new, domain = "5"),
         error = abs(aq$Ozone[own[fold == k]] - predict(without, aq[own[fold == k], ])))
  })
  want <- vapply(1:2, function(j) {
    error <- unlist(lapply(parts, `[[`, "error"))
    mean <- unlist(lapply(parts, function(p) rep(p$new[j], length(p$error))))
    w <- rep(1 / (length(error) + 1), length(error))
    c(-weighted_end(error - mean, w, .9), weighted_end(mean + error, w, .9))
  }, numeric(2))
  got <- predict(sure, transform(new, Month = 5), level = .9)
  expect_equal(unname(got[, 2:3]), unname(t(want)), tolerance = 1e-6)
})

test_that("a new domain: the rows of a domain left out share one weight, and K domains reach K/(K + 1)", {
  d <- simulate_domains(n_domains = 6, n = 20, p = 3)
  fit <- tgreedy(d$x, d$y, d$domain)
  sure <- conformal(fit, d$x, y = d$y, domain = d$domain, exact = TRUE)
  expect_equal(predict(sure, d$x[1:3, ], level = .8), predict(conformal(fit, exact = TRUE), d$x[1:3, ], level = .8))
  expect_output(print(sure), "level: 0.857; proven at level .9: coverage of at least 0.8", fixed = TRUE)
  parts <- lapply(split(seq_along(d$y), d$domain), function(out) {
    without <- tgreedy(d$x[-out, ], d$y[-out], droplevels(factor(d$domain[-out])))
    list(new = predict(without, d$x[1:3, ]), error = abs(d$y[out] - predict(without, d$x[out, ])))
  })
  w <- unlist(lapply(parts, function(p) rep(1 / (7 * length(p$error)), length(p$error))))
  error <- unlist(lapply(parts, `[[`, "error"))
  want <- vapply(1:3, function(j) {
    mean <- unlist(lapply(parts, function(p) rep(p$new[j], length(p$error))))
    c(-weighted_end(error - mean, w, .8), weighted_end(mean + error, w, .8))
  }, numeric(2))
  expect_equal(unname(predict(sure, d$x[1:3, ], level = .8)[, 2:3]), unname(t(want)), tolerance = 1e-6)
  expect_message(wide <- predict(sure, d$x[1:3, ], level = .9), "6 domains reach 0.857 at most")
  expect_true(all(is.infinite(wide[, 2:3])))
})

test_that("of few domains the rows count by how much domains differ, from one each to all rows", {
  naive <- function(score, part) {
    at <- sort(score)
    each <- sapply(split(score, part), function(one) sapply(at, function(q) mean(one <= q)))
    gap <- c(diff(at), 0)
    ratio <- sum(rowMeans(each) * (1 - rowMeans(each)) * gap) / sum(apply(each, 1, var) / ncol(each) * gap)
    min(max(ratio, ncol(each)), length(score))
  }
  set.seed(31)
  part <- rep(1:5, each = 20)
  alike <- abs(rnorm(100))
  apart <- rep(c(1, 2, 4, 8, 16), each = 20)
  expect_equal(conformal_effective_places(alike, part), naive(alike, part))
  expect_equal(conformal_effective_places(alike + apart, part), naive(alike + apart, part))
  expect_equal(conformal_effective_places(apart, part), 5)
  expect_gt(conformal_effective_places(alike, part), 50)
  expect_equal(conformal_effective_places(rep(1, 10), rep(1:2, 5)), 2) # no differences at all
  d <- simulate_domains(n_domains = 5, n = 20, p = 3)
  fit <- tgreedy(d$x, d$y, d$domain)
  sure <- conformal(fit, d$x, y = d$y, domain = d$domain)
  expect_equal(sure$size, naive(sure$score, sure$part))
  expect_equal(sum(sure$weight), sure$size / (sure$size + 1))
  expect_true(all(is.finite(predict(sure, d$x[1:3, ], level = .9))))
  exact <- conformal(fit, d$x, y = d$y, domain = d$domain, exact = TRUE)
  expect_true(all(predict(exact, d$x[1:3, ], level = .8)[, "upr"] > predict(sure, d$x[1:3, ], level = .8)[, "upr"]))
  expect_error(conformal(fit, exact = NA), class = "transelect_error_exact")
})

test_that("what is proven for folds and single rows", {
  sure <- conformal(greedytl(mpg ~ wt + hp + qsec, mtcars))
  expect_equal(conformal_proven(sure, .9), .8) # jackknife+
  folds <- conformal(greedytl(mpg ~ wt + hp + qsec, mtcars), nfolds = 4)
  expect_equal(conformal_proven(folds, .9), .8 - min(2 * .75 / (32 / 4 + 1), (1 - 4 / 32) / 5))
  expect_output(print(folds), "at least 0.63", fixed = TRUE)
  cv <- cv_path(mpg ~ wt + hp + qsec, data = mtcars, fit = greedytl, nfolds = 4)
  expect_output(print(conformal(cv, nfolds = 4)), "no bound is proven where the same rows")
})

test_that("sets of classes are those of a loop", {
  fold <- rep(1:5, 30)
  fit <- shareboost(Species ~ ., iris, max_steps = 2)
  sure <- conformal(fit, foldid = fold)
  margins <- function(path, rows) {
    s <- predict(path, rows, type = "link")
    sapply(1:3, function(k) pmax(s[, -k][, 1], s[, -k][, 2]) - s[, k])
  }
  parts <- lapply(1:5, function(k) {
    without <- shareboost(Species ~ ., iris[fold != k, ], max_steps = 2)
    out <- iris[fold == k, ]
    list(new = margins(without, iris[c(1, 71, 120), ]),
         score = margins(without, out)[cbind(seq_len(nrow(out)), as.integer(out$Species))])
  })
  for (level in c(.8, .95)) {
    got <- predict(sure, iris[c(1, 71, 120), ], level = level)
    want <- vapply(1:3, function(j) {
      inside <- vapply(1:3, function(k) {
        below <- sum(vapply(parts, function(p) sum(p$score < p$new[j, k]), 1))
        below < level * 151
      }, NA)
      paste(levels(iris$Species)[inside], collapse = ", ")
    }, "")
    expect_equal(got$set, want)
  }
})

test_that("intervals of counts hold about their level, and of numbers, new rows", {
  set.seed(4)
  d <- data.frame(x = rnorm(400))
  d$y <- rpois(400, exp(1 + d$x / 2))
  fit <- tlcp(y ~ x, d[1:100, ], family = "poisson", select = FALSE)
  inside <- predict(conformal(fit, foldid = rep(1:5, 20)), d[101:400, ], level = .9)
  cover <- mean(d$y[101:400] >= inside[, "lwr"] & d$y[101:400] <= inside[, "upr"])
  expect_gt(cover, .85)
  expect_true(all(inside[, "lwr"] >= 0))
})

test_that("every method has sets of more than two classes, by predict() of the fit, too", {
  rows <- transform(iris, place = rep(1:10, 15))
  for (fit in list(greedytl(Species ~ . - place, rows), msplit(Species ~ . - place, rows),
                   shareboost(Species ~ . - place, rows), tgreedy(Species ~ . - place, rows, domain = place))) {
    got <- predict(fit, iris[c(1, 80, 140), ], interval = "conformal", level = .85)
    expect_identical(as.character(got$fit), as.character(predict(fit, iris[c(1, 80, 140), ], type = "class")))
    expect_true(all(got$size <= 3))
  }
})

test_that("what has no intervals is refused, and rows that cannot be found are asked for", {
  skip_if_not_installed("survival")
  cox <- tlcp(survival::Surv(time, status) ~ age + sex, survival::lung)
  expect_error(conformal(cox), class = "transelect_error_object")
  expect_error(conformal(1), class = "transelect_error_object")
  line <- msplit(mtcars[2:4], mtcars$mpg)
  expect_error(conformal(line, step = 0:2), class = "transelect_error_step") # intervals are of one model
  expect_error(conformal(line, t = c(.1, .2)), class = "transelect_error_t")
  many <- msplit(as.matrix(mtcars[3:6]), as.matrix(mtcars[1:2]))
  expect_error(conformal(many), class = "transelect_error_object")
  lost <- local({
    hidden <- mtcars
    tlcp(mpg ~ wt, hidden)
  })
  expect_error(conformal(lost), class = "transelect_error_data")
  expect_error(conformal(tlcp(moments(mpg ~ wt, mtcars)), moments(mpg ~ wt, mtcars)), class = "transelect_error_data")
  sure <- conformal(tlcp(mpg ~ wt, mtcars))
  elsewhere <- function() {
    d <- mtcars[1:9, ] # another object of the name in the call
    predict(fit, d[1:2, ], interval = "conformal")
  }
  d <- mtcars
  fit <- tlcp(mpg ~ wt, d)
  expect_error(elsewhere(), class = "transelect_error_data")
  expect_error(predict(fit, d, interval = "conformal", type = "link"), class = "transelect_error_type")
  expect_error(predict(sure, mtcars, level = 2), class = "transelect_error_level")
  expect_error(predict(sure), class = "transelect_error_newdata")
  expect_output(print(sure), "32 rows, one at a time")
})

test_that("a path of one's own with a refit() has intervals", {
  mean_path <- function(data) new_transfer_path("mean_path", data, matrix(0, ncol(data$x), 1), mean(data$y))
  registerS3method("refit", "mean_path", function(object, data, ...) mean_path(data), envir = asNamespace("generics"))
  path <- NULL
  x <- as.matrix(mtcars[c("wt", "hp")])
  cv <- cv_path(x, mtcars$mpg, fit = function(data, ...) path <<- mean_path(data), nfolds = 4)
  got <- predict(conformal(cv$fit, x, y = mtcars$mpg), x[1:2, ], level = .8)
  y <- mtcars$mpg
  without <- vapply(seq_along(y), function(i) mean(y[-i]), 0)
  high <- sort(without + abs(y - without))[ceiling(.8 * 33)]
  low <- -sort(abs(y - without) - without)[ceiling(.8 * 33)]
  expect_equal(unname(got[, 2:3]), matrix(c(low, high), 2, 2, byrow = TRUE), tolerance = 1e-9)
})

test_that("single rows draw no random numbers, and a cross-validation has intervals, too", {
  set.seed(1)
  before <- .Random.seed
  sure <- conformal(greedytl(mpg ~ wt + hp + qsec, mtcars))
  expect_identical(.Random.seed, before)
  cv <- cv_path(mpg ~ wt + hp + qsec, data = mtcars, fit = tlcp, nfolds = 4)
  held <- conformal(cv, step = "min", nfolds = 4)
  expect_equal(held$at$step, cv$step.min)
  expect_equal(unname(predict(held, mtcars[1:2, ])[, "fit"]), unname(predict(cv, mtcars[1:2, ], step = "min")))
})

test_that("tables and pictures of conformal objects; offsets of new rows; rows without the response in words", {
  x <- as.matrix(mtcars[c("wt", "hp")])
  fit <- tlcp(x, mtcars$mpg, offset = mtcars$qsec, select = FALSE)
  sure <- conformal(fit)
  inner <- conformal(tlcp(x, mtcars$mpg - mtcars$qsec, select = FALSE))
  got <- predict(sure, x[1:3, ], level = .8, offset = 1:3)
  expect_equal(got, predict(inner, x[1:3, ], level = .8) + 1:3)
  expect_equal(predict(fit, x[1:3, ], interval = "conformal", level = .8, offset = 1:3), got)
  table <- tidy(sure, level = c(.5, .99))
  expect_equal(table$error, c(sort(sure$score)[ceiling(.5 * 33)], Inf))
  rows <- as.data.frame(sure)
  expect_equal(rows$score, sure$score)
  expect_equal(sum(rows$weight), 32 / 33)
  line <- picture_of(plot(sure))$panels[[1]]$layers[[3]]$data
  expect_equal(line$y, sort(sure$score))
  expect_equal(line$x, seq_len(32) / 33)
  expect_drawn <- function(x) {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    plot(x)
  }
  expect_identical(expect_drawn(sure), sure)
  if (requireNamespace("ggplot2", quietly = TRUE)) expect_s3_class(ggplot2::autoplot(sure), "ggplot")
  formula <- tlcp(mpg ~ wt + hp, mtcars, select = FALSE)
  expect_error(conformal(formula, mtcars[-1]), "`data` has no `mpg`", class = "transelect_error_data")
  error <- expect_error(conformal(formula, nothing_known = 1), class = "transelect_error_argument")
  expect_length(gregexpr("domain", conditionMessage(error))[[1]], 1)
})

test_that("the folds of a cross-validation are those of its intervals, also within a function", {
  aq <- na.omit(airquality)
  x <- as.matrix(aq[c("Solar.R", "Wind", "Temp")])
  cv <- cv_path(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, fit = greedytl, by = "domain")
  sure <- conformal(cv)
  by_hand <- conformal(greedytl(Ozone ~ Solar.R + Wind + Temp, data = aq), aq, domain = aq$Month, by = "domain",
                       step = cv$step.1se, lambda = cv$lambda)
  expect_identical(sure$by, "domain")
  expect_equal(sure$score, by_hand$score)
  expect_equal(predict(cv, aq[1:2, ], interval = "conformal", level = .8), predict(sure, aq[1:2, ], level = .8))
  of_matrix <- cv_path(x, aq$Ozone, domain = aq$Month, fit = greedytl, by = "domain")
  expect_equal(as.data.frame(conformal(of_matrix))[-2], as.data.frame(sure)[-2])
  inside <- function(rows) {
    cv <- cv_path(mpg ~ wt + hp, data = rows, fit = tlcp, nfolds = 4)
    list(predict(cv, rows[1:2, ], step = "min", interval = "conformal"),
         predict(conformal(cv, step = "min"), rows[1:2, ]))
  }
  both <- inside(mtcars)
  expect_equal(both[[1]], both[[2]])
})

test_that("messages say what is so: the rows of folds, sets of classes, where the rows can be given", {
  sure <- conformal(tlcp(mpg ~ wt, mtcars), foldid = rep(1:4, 8))
  expect_message(predict(sure, mtcars[1, ], level = .99), "32 rows reach 0.97 at most, so the interval is unbounded")
  rows <- iris[c(1:10, 51:60, 101:110), ]
  expect_message(all <- predict(conformal(greedytl(Species ~ ., rows)), rows[1, ], level = .99),
                 "30 rows reach 0.968 at most, so every set has all classes")
  expect_equal(all$size, 3)
  lost <- local({
    hidden <- mtcars
    tlcp(mpg ~ wt + hp, hidden)
  })
  expect_error(predict(lost, mtcars[1, ], interval = "conformal"), "conformal(fit, data)", fixed = TRUE)
  expect_error(confint(lost, selective = TRUE), "Give the rows of the fit as `data`.$")
  expect_error(predict(lost, mtcars[1, ], interval = "conforml"), "conformal", class = "transelect_error_interval")
  expect_error(predict(tlcp(moments(mpg ~ wt, mtcars)), mtcars[1, ], interval = "conformal"),
               "The fit is to moments.*conformal\\(fit, data\\)", class = "transelect_error_data")
  cv <- cv_path(mpg ~ wt + hp, data = mtcars, fit = tlcp, nfolds = 4)
  expect_error(predict(cv, interval = "conformal"), "Give new rows.$", class = "transelect_error_newdata")
})

test_that("rows with a missing weight or domain, which the fit left out, are left out", {
  aq <- transform(na.omit(airquality), w = 1)
  holes <- aq
  holes$Month[3] <- NA
  holes$w[5] <- NA
  fit <- tlcp(Ozone ~ Wind + Temp, data = holes, domain = Month, target = "5", weights = w)
  rows <- aq[-c(3, 5), ]
  whole <- tlcp(Ozone ~ Wind + Temp, data = rows, domain = Month, target = "5", weights = w)
  expect_equal(conformal(fit)$score, conformal(whole)$score)
  expect_equal(tipping_point(fit)$factor, tipping_point(whole)$factor)
  expect_equal(coef(refit(fit, holes)), coef(whole))
  expect_error(refit(fit, holes, weights = holes$w), class = "transelect_error_weights")
})

test_that("a quantile by bisection is the value that sorting all values finds", {
  of_sorted <- function(values, weight, level) {
    apply(values, 1, function(v) c(sort(v)[cumsum(weight[order(v)]) >= level - 1e-10], Inf)[1])
  }
  for (seed in 1:20) {
    with_seed(seed, {
      part <- sample(rep_len(1:4, 60))
      score <- if (seed %% 2) rexp(60) * 10^runif(1, -8, 8) else rpois(60, 1) # these have ties
      weight <- if (seed %% 3) rep(1 / 61, 60) else 1 / (5 * tabulate(part)[part])
      each <- matrix(rnorm(20, sd = 10^runif(1, -4, 4)), 5)
      scale <- matrix(runif(20, .1, 3), 5)
      level <- runif(1)
    })
    values <- each[, part] + rep(score, each = 5) * scale[, part]
    parts <- conformal_ascending(part, score, weight, 4)
    expect_equal(conformal_quantile(parts, each, level, scale), of_sorted(values, weight, level), tolerance = 1e-14)
  }
  expect_identical(conformal_quantile(parts, each, .999), rep(Inf, 5))
})

test_that("no new rows have no sets and no intervals", {
  two <- suppressMessages(conformal(msplit(factor(am) ~ wt + hp, mtcars), nfolds = 3))
  expect_identical(nrow(predict(two, mtcars[0, ])), 0L)
  fit <- suppressMessages(tlcp(mpg ~ wt + hp, mtcars))
  for (interval in c("confidence", "prediction")) {
    expect_no_warning(none <- suppressMessages(predict(fit, mtcars[0, ], interval = interval)))
    expect_identical(dim(none), c(0L, 3L))
  }
  expect_identical(lengths(predict(fit, mtcars[0, ], se.fit = TRUE)[c("fit", "se.fit")]), c(fit = 0L, se.fit = 0L))
})
