# A method that is not of this package: least squares on the first columns.

printed <- function(code) paste(utils::capture.output(code), collapse = "\n")

first_columns <- function(data, most = 3, ...) {
  y <- if (is.factor(data$y)) ifelse(data$y == levels(data$y)[2], 1, -1) else data$y
  w <- if (is.null(data$weights)) rep(1, length(y)) else data$weights
  p <- ncol(data$x)
  beta <- matrix(0, p, most + 1, dimnames = list(colnames(data$x), NULL))
  a0 <- numeric(most + 1)
  for (k in 0:most) {
    b <- stats::lm.wfit(cbind(1, as.matrix(data$x[, seq_len(k), drop = FALSE])), y, w)$coefficients
    a0[k + 1] <- b[1]
    beta[seq_len(k), k + 1] <- b[-1]
  }
  new_transfer_path("first_columns", data, beta, a0, ...)
}

test_that("cross-validation of a path from elsewhere is the loop written out", {
  data <- mtcars[c("mpg", "wt", "hp", "qsec")]
  foldid <- rep_len(1:4, 32)
  cvf <- cv_path(mpg ~ ., data, fit = first_columns, foldid = foldid, keep_predictions = TRUE)
  expect_identical(rownames(cvf$predictions), rownames(data))
  for (fold in 1:4) {
    out <- foldid == fold
    lm_of <- function(formula) predict(lm(formula, data[!out, ]), data[out, ])
    expected <- cbind(lm_of(mpg ~ 1), lm_of(mpg ~ wt), lm_of(mpg ~ wt + hp), lm_of(mpg ~ .))
    expect_equal(cvf$predictions[out, ], expected, ignore_attr = TRUE)
  }
  loss <- by_fold(foldid, function(k) mean((data$mpg - cvf$predictions[, 4])[foldid == k]^2))
  expect_equal(unname(cvf$fold_loss[, 4]), loss)
  expect_s3_class(cvf$fit, c("first_columns", "transfer_path"), exact = TRUE)
})

test_that("every verb works on a path from elsewhere, with the figures of lm()", {
  data <- mtcars[c("mpg", "wt", "hp", "qsec")]
  data$w <- rep(1:2, 16)
  cvf <- cv_path(mpg ~ . - w, data, fit = first_columns, weights = w, foldid = rep_len(1:4, 32),
                 labels = c(title = "First columns"))
  fit <- cvf$fit
  reference <- lm(mpg ~ wt + hp, data, weights = w * 32 / sum(w))
  expect_equal(coef(fit, step = 2)[1:3], coef(reference))
  expect_identical(variable.names(fit, step = 2), c("wt", "hp"))
  for (verb in list(deviance, logLik, df.residual, sigma, AIC, BIC)) {
    expect_equal(c(verb(fit, step = 2)), c(verb(reference)))
  }
  whole <- lm(mpg ~ wt + hp + qsec, data, weights = w)
  expect_equal(fitted(fit), fitted(whole))
  expect_equal(residuals(fit), residuals(whole))
  expect_equal(predict(fit, data[4:1, 4:2], step = 2), predict(reference, data[4:1, ]))
  expect_identical(fit$steps$entered, c(NA, "wt", "hp", "qsec"))
  expect_equal(unname(fit$scale["wt"]), sqrt(stats::cov.wt(data["wt"], data$w, method = "ML")$cov[1]))
  tidied <- tidy(fit, step = 1)
  expect_identical(tidied$term, c("(Intercept)", "wt"))
  expect_equal(glance(fit)$AIC, AIC(fit))
  expect_equal(augment(fit, data)$.resid, unname(residuals(fit)))
  expect_match(printed(print(fit)), "^First columns\n32 rows, 3 features")
  expect_match(printed(print(summary(fit))), "Step 3: df 4.*Features in order of entry\n.*wt.*hp.*qsec")
  expect_match(printed(print(cvf)), "Cross-validation of first_columns")
  expect_identical(predict(unserialize(serialize(fit, NULL)), data), predict(fit, data))
  expect_identical(nrow(compare_paths(cvf, own = cvf)), 8L)
  pdf(NULL)
  on.exit(dev.off())
  expect_identical(plot(fit), fit)
  expect_identical(plot(cvf), cvf)
  expect_error(plot(fit, what = "loo"), "no leave-one-out", class = "transelect_error_what")
})

test_that("an intercept that is 0 is counted where the path says that it was estimated", {
  rows <- mtcars[c("mpg", "wt", "hp")]
  rows[] <- scale(rows)
  centred <- function(data, ...) {
    b <- qr.coef(qr(data$x), data$y)
    new_transfer_path("centred", data, cbind(0, b), c(0, 0), ...)
  }
  fit <- function(...) cv_path(mpg ~ ., rows, fit = centred, foldid = rep_len(1:4, 32), ...)$fit
  with <- lm(mpg ~ wt + hp, rows)
  without <- lm(mpg ~ wt + hp - 1, rows)
  for (verb in list(df.residual, AIC, sigma)) {
    expect_equal(c(verb(fit(intercept = TRUE))), verb(with))
    expect_equal(c(verb(fit(intercept = FALSE))), verb(without))
    expect_equal(verb(fit()), verb(fit(intercept = FALSE)))
  }
  expect_equal(fit(intercept = TRUE)$steps$df, c(1, 3))
  expect_error(fit(intercept = NA), "TRUE", class = "transelect_error_intercept")
})

test_that("two classes, by squares or logistic, and several", {
  x <- with_seed(1, matrix(rnorm(200), 50, dimnames = list(NULL, letters[1:4])))
  two <- factor(ifelse(x[, 1] + x[, 3] > 0, "up", "down"))
  cvf <- cv_path(x, two, fit = first_columns, foldid = rep_len(1:5, 50))
  expect_identical(cvf$loss, "class")
  expect_error(logLik(cvf$fit), class = "transelect_error_family")
  three <- cut(x[, 1], c(-Inf, -.5, .5, Inf), c("l", "m", "h"))
  scores <- function(data, link = "identity") {
    one <- lapply(levels(data$y), function(class) {
      b <- stats::lm.fit(cbind(1, data$x), 2 * (data$y == class) - 1)$coefficients
      list(beta = cbind(0, b[-1]), a0 = c(0, b[[1]]))
    })
    new_transfer_path("each", data, lapply(one, `[[`, "beta"), lapply(one, `[[`, "a0"),
                      link = link)
  }
  fit <- cv_path(x, three, fit = scores, foldid = rep_len(1:5, 50))$fit
  expect_identical(dim(fitted(fit)), c(50L, 3L))
  expect_identical(dim(predict(fit, x, type = "link", step = 0:1)), c(50L, 3L, 2L))
  expect_equal(predict(fit, x, type = "link"), unname(fitted(fit)), ignore_attr = TRUE)
  cvf <- cv_path(x, three, fit = scores, link = "logit", loss = "deviance", foldid = rep_len(1:5, 50))
  expect_equal(rowSums(fitted(cvf$fit)), rep(1, 50))
  expect_equal(unname(cvf$fold_loss[, 1]), rep(2 * log(3), 5))
  expect_equal(unique(cvf$fit$steps$loss[cvf$fit$steps$step == 0]), log(3))
  own <- fitted(cvf$fit)[cbind(1:50, as.integer(three))]
  expect_equal(cvf$fit$steps$loss[2], -mean(log(own)))
  pdf(NULL)
  on.exit(dev.off())
  expect_identical(plot(fit), fit)
})

test_that("what is no path is refused in words", {
  x <- with_seed(2, matrix(rnorm(60), 20, dimnames = list(NULL, c("a", "b", "c"))))
  y <- x[, 1] + seq_len(20) / 10
  refused <- function(fit, class, message) {
    expect_error(cv_path(x, y, fit = fit, nfolds = 4), message, class = paste0("transelect_error_", class))
  }
  make <- function(beta = matrix(0, 3, 2), a0 = c(0, 1), class = "own", ...) {
    function(data) new_transfer_path(class, data, beta, a0, ...)
  }
  refused(make(beta = matrix(0, 2, 2)), "beta", "2 rows and 2 columns")
  refused(make(beta = "a"), "beta", "Give a matrix with 3 rows")
  refused(make(beta = matrix(NA_real_, 3, 2)), "beta", "missing or infinite")
  refused(make(beta = matrix(0, 3, 2, dimnames = list(c("a", "b", "z"), NULL))), "beta", "no row for \"c\"")
  refused(make(a0 = 1), "a0", "2 finite numbers")
  refused(make(best = 2), "best", "from 0 to 1")
  refused(make(steps = data.frame(a = 1:3)), "steps", "with 2 rows")
  refused(make(class = ""), "class", "name of the method")
  refused(make(link = "log"), "link", "identity")
  refused(make(labels = "a"), "labels", "by name")
  refused(make(labels = list(title = 1)), "labels", "by name")
  refused(make(nobs = 3), "dots", "\"nobs\", which")
  refused(function(data) new_transfer_path("own", data, matrix(0, 3, 2), c(0, 1), 7), "dots", "without a name")
  refused(make(target = "nope"), "target", "Leave it out")
  refused(make(by = "rowz"), "by", "rowz")
  expect_error(new_transfer_path("own", mtcars, 1, 1), class = "transelect_error_data")
  order <- cv_path(x, y, nfolds = 4, fit = function(data) {
    new_transfer_path("own", data, matrix(1:3, 3, 1, dimnames = list(c("c", "a", "b"), NULL)), 0,
                      steps = data.frame(entered = "all"))
  })
  expect_identical(coef(order$fit)[-1], c(a = 2, b = 3, c = 1))
  expect_identical(order$fit$steps$entered, "all")
})

test_that("best subsets by leaps, as in the help", {
  skip_if_not_installed("leaps")
  best_subsets <- function(data, nvmax = 5) {
    found <- leaps::regsubsets(data$x, data$y, nvmax = nvmax)
    last <- min(nvmax, ncol(data$x))
    beta <- matrix(0, ncol(data$x), last + 1, dimnames = list(colnames(data$x), NULL))
    a0 <- rep(mean(data$y), last + 1)
    for (size in seq_len(last)) {
      b <- coef(found, size)
      beta[names(b)[-1], size + 1] <- b[-1]
      a0[size + 1] <- b[1]
    }
    new_transfer_path("best_subsets", data, beta, a0)
  }
  foldid <- rep_len(1:4, 32)
  own <- cv_path(mpg ~ ., mtcars, fit = best_subsets, nvmax = 10, foldid = foldid)
  ours <- cv_path(mpg ~ ., mtcars, fit = tlcp, foldid = foldid)
  expect_equal(own$cvm, ours$cvm)
  expect_equal(coef(own$fit, step = 3), coef(ours$fit, step = 3))
})

test_that("methods of path_model() and its kin for a user's class are called, with their own arguments", {
  doubled <- function(path, step = NULL, lambda = NULL, class = NULL, ..., factor = 1, report = FALSE,
                      call = rlang::caller_env()) {
    models <- NextMethod()
    models$y$beta <- models$y$beta * factor
    if (report) models$y$beta[-1, ] <- 0
    models
  }
  worth <- function(path, step = NULL, lambda = NULL, ...) {
    worth <- NextMethod()
    worth$more <- list(price = 7)
    refused <- list(what = "No variance is known.", argument = "family", mend = "Ask another.")
    worth$refused$sigma <- refused
    worth
  }
  ours <- asNamespace("transelect")
  registerS3method("path_model", "doubled_columns", doubled, envir = ours)
  registerS3method("path_worth", "doubled_columns", worth, envir = ours)
  fit <- cv_path(mpg ~ wt + hp, mtcars, fit = function(data) {
    path <- first_columns(data, 2)
    class(path)[1] <- "doubled_columns"
    path
  }, nfolds = 4)$fit
  plain <- coef(lm(mpg ~ wt + hp, mtcars))
  expect_equal(coef(fit), plain)
  expect_equal(coef(fit, factor = 2), plain * c(1, 2, 2))
  expect_equal(predict(fit, mtcars, factor = 2),
               plain[[1]] + 2 * plain[["wt"]] * mtcars$wt + 2 * plain[["hp"]] * mtcars$hp,
               ignore_attr = TRUE)
  expect_identical(variable.names(fit), "wt")
  expect_identical(glance(fit)$price, 7)
  expect_error(sigma(fit), "No variance is known", class = "transelect_error_family")
  expect_error(coef(fit, facter = 2), "Did you mean `factor`", class = "transelect_error_argument")
})

test_that("what a path of columns cannot have is refused", {
  first <- function(data) {
    new_transfer_path("first", data, cbind(0, c(1, rep(0, ncol(data$x) - 1))), c(mean(data$y), 0))
  }
  x <- as.matrix(mtcars[2:3])
  expect_s3_class(cv_path(x, mtcars$mpg, fit = first, nfolds = 3), "transfer_cv")
  expect_error(cv_path(x, mtcars$mpg, fit = first, offset = mtcars$wt), class = "transelect_error_offset")
  expect_error(cv_path(x, mtcars$mpg, fit = first, sources = mtcars$wt), class = "transelect_error_sources")
})

test_that("the intercept is counted where there is one, and names of this package's classes are refused", {
  set.seed(5)
  d <- data.frame(a = rnorm(30), b = rnorm(30), y = rnorm(30))
  squares <- function(data, class = "squares") {
    z <- if (data$intercept) cbind(1, data$x) else data$x
    b <- qr.coef(qr(z), data$y)
    a0 <- if (data$intercept) c(mean(data$y), b[1]) else c(0, 0)
    new_transfer_path(class, data, cbind(0, if (data$intercept) b[-1] else b), a0)
  }
  for (formula in list(y ~ a + b, y ~ a + b - 1)) {
    fit <- cv_path(formula, d, fit = squares, nfolds = 3)$fit
    plain <- lm(formula, d)
    expect_equal(df.residual(fit), df.residual(plain))
    expect_equal(sigma(fit), sigma(plain))
    expect_equal(AIC(fit), AIC(plain))
  }
  for (class in c("tlcp", "greedytl", "transfer_path")) {
    expect_error(cv_path(y ~ a + b, d, fit = squares, class = class), "another name", class = "transelect_error_class")
  }
  words <- tryCatch(confint(fit), error = conditionMessage)
  expect_match(words, "chosen on the same rows")
  expect_no_match(words, "shrink")
  expect_error(confint(greedytl(y ~ a + b, d)), "chosen on the same rows")
})

test_that("the path of a cross-validated function has the call that the function gave it, and update() fits a path", {
  fit <- cv_path(mpg ~ wt + hp, mtcars, fit = function(data) first_columns(data, 2), nfolds = 4)$fit
  expect_null(fit$call)
  expect_error(update(fit, ~ . - hp), "no call", class = "transelect_error_object")
})

test_that("moments are refused in words for a path that needs rows", {
  path <- function(x) new_transfer_path("own", x, matrix(0, 4, 2), c(0, 0))
  sums <- moments(as.matrix(mtcars[2:5]), mtcars$mpg, fold = rep(1:4, 8))
  expect_error(cv_path(sums, fit = path), "path needs rows", class = "transelect_error_data")
})

test_that("the loss of a logistic path has all digits where probabilities are near 0 or 1", {
  x <- matrix(c(-1, 1, 0, 1))
  y <- factor(c("a", "b", "a", "a"))
  for (slope in c(1, 40, 800)) {
    cv <- cv_path(x, y, foldid = c(1, 1, 2, 2), loss = "deviance", fit = function(data, ...) {
      new_transfer_path("logistic", data, matrix(c(0, slope), 1), c(0, 0), link = "logit")
    })
    odds <- slope * drop(x)
    loss <- mean(ifelse(odds > 0, odds, 0) + log1p(exp(-abs(odds))) - odds * (y == "b"))
    expect_equal(cv$fit$steps$loss, c(log(2), loss))
    expect_equal(unname(cv$cvm[2]), 2 * loss)
  }
})

test_that("a fitter of one's own sees the family of its data, and the error of its response", {
  with_seed(1, {
    x <- matrix(rnorm(120), 30, dimnames = list(NULL, letters[1:4]))
    y <- x[, 1] + rnorm(30)
  })
  own <- function(data, ...) {
    stopifnot(data$family == "gaussian")
    b <- lm.fit(cbind(1, data$x), data$y)$coefficients
    new_transfer_path("own", data, cbind(0, b[-1]), c(mean(data$y), b[1]), settings = list(family = "multinomial"))
  }
  expect_s3_class(cv_path(x, y, fit = own, nfolds = 3), "transfer_cv")
  expect_error(cv_path(x, replace(y, 3, Inf), fit = own, nfolds = 3), "infinite", class = "transelect_error_y")
  scaled <- function(data, ...) lm.fit(data$x, drop(scale(data$y)))
  expect_error(cv_path(x, rep(2, 30), fit = scaled, nfolds = 3), "constant", class = "transelect_error_y")
})

test_that("a fit whose coefficients were replaced is refused in words", {
  d <- draw_similar_domains(3, 2, 3, n = 40)
  fits <- list(greedytl(d$x, d$y), suppressMessages(tgreedy(d$x, d$y, d$domain)))
  for (fit in fits) {
    for (value in list(NA, NULL, list(1, 2))) {
      fit["beta"] <- list(value)
      expect_error(predict(fit, d$x), "Make it again", class = "transelect_error_object")
      expect_error(coef(fit), class = "transelect_error_object")
      expect_error(plot(fit), class = "transelect_error_object")
    }
  }
})
