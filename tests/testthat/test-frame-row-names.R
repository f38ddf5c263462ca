cars <- mtcars[c("mpg", "hp", "wt", "qsec")]
cars$site <- rep(c("a", "b"), 16)
cars$kind <- factor(rep(c("u", "v", "w", "u"), 8))
cars$mpg[3] <- NA
measured <- mpg ~ hp + wt + qsec

fitters <- list(greedytl = greedytl, tlcp = tlcp, msplit = msplit)

test_that("names of fitted values, residuals and predictions are those of lm()", {
  numbered <- cars
  rownames(numbered) <- NULL
  for (data in list(cars, numbered, numbered[8:32, ])) {
    for (action in list(na.omit, na.exclude)) {
      reference <- lm(measured, data, subset = wt < 3.5, na.action = action)
      for (name in names(fitters)) {
        fit <- fitters[[name]](measured, data = data, subset = wt < 3.5, na.action = action)
        expect_named(fitted(fit), names(fitted(reference)), info = name)
        expect_named(residuals(fit), names(residuals(reference)), info = name)
        expect_named(predict(fit, data), names(predict(reference, data)), info = name)
      }
    }
  }
  fit <- tgreedy(measured, cars, domain = site, subset = wt < 3.5,
                 na.action = na.exclude)
  expect_named(fitted(fit), rownames(cars)[cars$wt < 3.5])
})

test_that("rows of matrices keep their names, and those without have none", {
  data <- cars[-3, ]
  x <- as.matrix(data[c("hp", "wt", "qsec")])
  bare <- unname(x)
  for (name in names(fitters)) {
    fit <- fitters[[name]](x, data$mpg)
    expect_named(fitted(fit), rownames(x))
    expect_named(predict(fit, x[4:2, ]), rownames(x)[4:2])
    expect_named(predict(fit, data[1:2, ]), rownames(data)[1:2])
    expect_null(names(predict(fit, `rownames<-`(x, NULL))))
    expect_named(fitted(fitters[[name]](as(x, "CsparseMatrix"), data$mpg)), rownames(x))
    expect_named(fitted(fitters[[name]](data[c("hp", "wt")], data$mpg)), rownames(x))
    expect_null(names(fitted(fitters[[name]](bare, data$mpg))))
  }
  weights <- rep(1:0, c(29, 2))
  expect_named(fitted(greedytl(x, data$mpg, weights = weights)), rownames(x)[1:29])
  map <- shareboost(stumps(x), data$kind, max_steps = 1)
  expect_identical(rownames(fitted(map)), rownames(x))
  map <- shareboost(stumps(data[c("hp", "wt")]), data$kind, max_steps = 1)
  expect_identical(rownames(fitted(map)), rownames(x))
})

test_that("matrices, arrays, classes and data frames of classes have names of rows", {
  fit <- shareboost(kind ~ hp + wt, cars, max_steps = 2)
  expect_identical(dimnames(fitted(fit)), list(rownames(cars), c("u", "v", "w")))
  expect_identical(rownames(residuals(fit)), rownames(cars))
  expect_named(predict(fit, cars), rownames(cars))
  expect_s3_class(predict(fit, cars, type = "class"), "factor")
  expect_identical(rownames(predict(fit, cars, step = 0:2)), rownames(cars))
  expect_identical(rownames(predict(fit, cars, type = "prob")), rownames(cars))
  expect_identical(dimnames(predict(fit, cars, type = "link", step = 0:2)),
                   list(rownames(cars), c("u", "v", "w"), c("0", "1", "2")))
  two <- greedytl(I(kind == "u") ~ hp + wt, cars)
  expect_identical(rownames(predict(two, cars, step = 0:2, type = "link")), rownames(cars))
  expect_identical(dimnames(predict(shareboost(I(kind == "u") ~ hp, cars), cars, type = "prob")),
                   list(rownames(cars), c("FALSE", "TRUE")))
  pair <- msplit(cbind(hp, wt) ~ qsec + kind, cars)
  expect_identical(dimnames(fitted(pair)), list(rownames(cars), c("hp", "wt")))
  expect_identical(rownames(predict(pair, cars[5:6, ])), rownames(cars)[5:6])
  twice <- as.matrix(cars[c("hp", "wt")])
  rownames(twice) <- rep(c("p", "q"), 16)
  expect_named(predict(fit, twice), rownames(twice))
  expect_identical(rownames(predict(fit, twice, step = 1:2)), as.character(1:32))
})

test_that("tlcp() names the rows of the target, cv_path() all rows", {
  fit <- tlcp(measured, cars, domain = site, target = "a")
  expect_named(fitted(fit), setdiff(rownames(cars)[cars$site == "a"], "Datsun 710"))
  padded <- tlcp(measured, cars, domain = site, target = "a", na.action = na.exclude)
  expect_named(fitted(padded), rownames(cars))
  expect_named(which(!is.na(fitted(padded))), names(fitted(fit)))
  set.seed(1)
  cvf <- cv_path(measured, cars, keep_predictions = TRUE)
  expect_named(fitted(cvf), rownames(cars)[-3])
  expect_named(predict(cvf, cars[7:8, ]), rownames(cars)[7:8])
  expect_identical(rownames(cvf$predictions), rownames(cars)[-3])
  cvf <- cv_path(kind ~ hp + wt, cars, fit = shareboost, max_steps = 2, nfolds = 4)
  expect_identical(rownames(cvf$held_out), rownames(cars))
})

test_that("names of a million automatic row names are not written out", {
  fit <- greedytl(cars[-3, c("hp", "wt")], cars$mpg[-3])
  frame <- structure(list(rows = seq_len(1e6), row_labels = seq_len(1e6)), class = "transfer_frame")
  named <- labels_set_row_names(numeric(1e6), as.character(frame_rows_names(frame)))
  expect_lt(as.numeric(object.size(serialize(attributes(named), NULL))), 5e6)
})

test_that("after na.exclude rows of weight 0 have fitted values and residuals, as those of lm() and glm()", {
  d <- mtcars
  d$wt[3] <- d$hp[20] <- NA
  d$w <- c(0, rep(1, 10), 0, 0, rep(2, 19))
  known <- setdiff(1:32, c(3, 20))
  own <- lm(mpg ~ wt + hp, d, weights = w, na.action = na.exclude)
  for (form in list(mpg ~ wt + hp, mpg ~ . - w - cyl - disp - drat - qsec - vs - am - gear - carb)) {
    fit <- tlcp(form, d, weights = w, na.action = na.exclude, select = FALSE)
    expect_equal(fitted(fit), fitted(own))
    expect_equal(residuals(fit), residuals(own))
    for (fit in list(greedytl(form, d, weights = w, na.action = na.exclude),
                     msplit(form, d, weights = w, na.action = na.exclude),
                     cv_path(form, d, weights = w, na.action = na.exclude)$fit)) {
      expect_identical(names(fitted(fit)), rownames(d))
      expect_equal(fitted(fit)[known], predict(fit, d)[known])
      expect_equal((fitted(fit) + residuals(fit))[known], setNames(d$mpg, rownames(d))[known])
      expect_identical(which(is.na(residuals(fit))), c("Datsun 710" = 3L, "Toyota Corolla" = 20L))
    }
  }
  of <- suppressMessages(tlcp(mpg ~ wt + hp, d, domain = cyl, target = 8, weights = w, na.action = na.exclude))
  expect_identical(unname(which(!is.na(fitted(of)))), which(d$cyl == 8))
  expect_equal(fitted(of)[d$cyl == 8], predict(of, d[d$cyl == 8, ]))
  by <- tgreedy(mpg ~ wt + hp, d, domain = cyl, weights = w, na.action = na.exclude)
  expect_equal(fitted(by)[known], predict(by, d)[known])
  d$kind <- factor(d$gear)
  for (fit in list(shareboost(kind ~ wt + hp, d, weights = w, na.action = na.exclude),
                   greedytl(kind ~ wt + hp, d, weights = w, na.action = na.exclude))) {
    expect_equal(fitted(fit)[known, ], predict(fit, d, type = "response")[known, ])
    sums <- (fitted(fit) + residuals(fit))[known, ]
    expect_true(all((sums == apply(sums, 1, max)) == response_class_indicators(d$kind[known])))
  }
  given <- tlcp(am ~ wt, d, family = "binomial", weights = w, na.action = na.exclude, select = FALSE)
  own <- glm(am ~ wt, binomial, d, weights = w, na.action = na.exclude)
  expect_equal(fitted(given), fitted(own), tolerance = 1e-5)
  for (type in c("deviance", "pearson")) {
    expect_equal(residuals(given, type), residuals(own, type), tolerance = 1e-4)
  }
})
