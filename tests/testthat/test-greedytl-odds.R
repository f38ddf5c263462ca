# greedytl(family = "binomial") against its definition, and what users get of it.

odds_data <- function(n, p = 4, s = 3, seed = 1) {
  set.seed(seed)
  b <- rnorm(p) * 2 / sqrt(p)
  x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("x", seq_len(p))))
  h <- drop(x %*% b) + matrix(rnorm(n * s), n, dimnames = list(NULL, paste0("site", seq_len(s))))
  list(x = x, h = h, y = factor(rbinom(n, 1, plogis(x %*% b)), 0:1, c("no", "yes")), w = runif(n, .5, 2),
       offset = rnorm(n) / 2, b = b)
}

odds_fit <- function(d, ...) greedytl(d$x, d$y, family = "binomial", sources = sources(d$h, scale = "link"), ...)

limited <- function(h) pmin(pmax(h, -qlogis(.8)), qlogis(.8))

test_that("its alternatives are Laplace's approximation and the calibrations, rows left out by fits without them", {
  for (seed in 1:3) {
    d <- odds_data(c(14, 12, 18)[seed], p = c(3, 30, 2)[seed], seed = seed)
    keep <- if (seed == 3) "x2"
    fit <- odds_fit(d, weights = d$w, offset = d$offset, keep = keep)
    y <- as.numeric(d$y == "yes")
    level <- likelihood_null_level("binomial", list(list(y = y, w = d$w, offset = d$offset)))
    mean <- rowMeans(d$h)
    base <- level + d$offset
    keep <- if (seed == 3) 2L
    twins <- list(
      "all columns" = naive_odds(d$x, limited(d$h), y, d$w, base, mean, keep),
      "features" = naive_odds(d$x, limited(d$h), y, d$w, base, mean, keep, only_without = TRUE),
      "mean of sources, recalibrated" = naive_odds_platt(mean, y, d$w, d$offset, 0, .5),
      "mean of sources, as it is" = list(left = d$offset + mean)
    )
    loss <- vapply(twins, function(twin) {
      weighted.mean(-y * plogis(twin$left, log.p = TRUE) - (1 - y) * plogis(-twin$left, log.p = TRUE), d$w)
    }, 0)
    table <- fit$alternatives
    expect_equal(table$loo[match(names(twins), table$model)], unname(loss), tolerance = 1e-3)
    expect_equal(tabulate(match(fit$ridge$model, names(twins)[1:2]), 2), c(twins[[1]]$pairs, twins[[2]]$pairs))
    expect_equal(sum(table$weight), 1)
  }
})

test_that("all columns by rows and by columns are the same model", {
  d <- odds_data(30, p = 2, s = 2)
  settings <- function(x) {
    frame <- frame_default(x, d$y, sources = d$h)
    greedytl_settings(frame, "transfer", NULL, TRUE, 3, "x1", NULL, TRUE, TRUE, FALSE, greedytl_control(), list(),
                      environment())
  }
  laplace <- function(x) {
    .Call(C_laplace, list(x, d$h), as.numeric(d$y == "yes"), d$w, d$offset, rowMeans(scale(d$h, scale = FALSE)),
          FALSE, settings(x))$all
  }
  few <- laplace(d$x)
  many <- laplace(cbind(d$x, matrix(5, 30, 40, dimnames = list(NULL, paste0("z", 1:40)))))
  for (what in c("fitted", "left", "a0", "c", "pairs")) expect_equal(many[[what]], few[[what]], tolerance = 1e-6)
  expect_equal(many$beta[c(1:2, 43:44)], few$beta, tolerance = 1e-6)
})

test_that("the weights are the maximum of the leave-one-out likelihood and their prior", {
  set.seed(4)
  for (draw in 1:5) {
    n <- 20
    left <- matrix(rnorm(n * 3, sd = 2), n)
    y <- rbinom(n, 1, plogis(left[, 1]))
    w <- runif(n)
    prior <- c(.25, .25, .5)
    value <- function(weight) {
      eta <- drop(left %*% weight)
      sum(w * plogis(ifelse(y == 1, eta, -eta), log.p = TRUE)) + STACK_PRIOR * sum(prior * log(weight))
    }
    weight <- greedytl_odds_weights(left, list(y = y, w = w, base = 0, family = "binomial"), prior)
    share <- function(u) exp(c(u, 0)) / sum(exp(c(u, 0)))
    best <- optim(c(0, 0), function(u) -value(share(u)), method = "BFGS", control = list(reltol = 1e-14))
    expect_equal(weight, share(best$par), tolerance = 1e-4)
  }
})

test_that("predictions are linear in the limited log odds of the sources and their mean, on every scale", {
  d <- odds_data(40)
  fit <- odds_fit(d, offset = d$offset)
  b <- coef(fit)
  eta <- b[["(Intercept)"]] + drop(cbind(d$x, limited(d$h), rowMeans(d$h)) %*% b[-1]) + d$offset
  expect_equal(names(b)[-1], c(colnames(d$x), colnames(d$h), "(mean of sources)"))
  at <- function(...) predict(fit, d$x, sources = d$h, offset = d$offset, ...)
  expect_equal(at(), eta)
  expect_equal(at(type = "response"), plogis(eta))
  expect_equal(fitted(fit), plogis(eta))
  expect_equal(as.character(at(type = "class")), ifelse(eta > 0, "yes", "no"))
  step <- coef(fit, step = 2)
  expect_equal(at(step = 2), step[[1]] + drop(cbind(d$x, limited(d$h), 0) %*% step[-1]) + d$offset)
  expect_gt(diff(range(at())), 0)
  expect_equal(deviance(fit), -2 * sum(plogis(ifelse(d$y == "yes", eta, -eta), log.p = TRUE)))
})

test_that("the kinds of response are the same, and a weight is a number of rows", {
  d <- odds_data(24)
  y <- as.integer(d$y == "yes")
  one <- odds_fit(d)
  for (same in list(y == 1, y, cbind(y, 1 - y))) {
    other <- greedytl(d$x, same, family = binomial(), sources = sources(d$h, scale = "link"))
    expect_equal(coef(other), coef(one), tolerance = 1e-6)
  }
  shares <- greedytl(d$x, (2 * y + 1) / 4, family = "binomial", weights = rep(4, 24),
                     sources = sources(d$h, scale = "link"))
  totals <- greedytl(d$x, cbind(2 * y + 1, 3 - 2 * y), family = "binomial", sources = sources(d$h, scale = "link"))
  expect_equal(coef(shares), coef(totals), tolerance = 1e-6)
  expect_false(isTRUE(all.equal(coef(odds_fit(d, weights = rep(5, 24))), coef(one), tolerance = 1e-3)))
})

test_that("sources are read as log odds, 2p - 1 or probabilities, and models as what they are", {
  d <- odds_data(30)
  link <- odds_fit(d)
  fit <- function(of) greedytl(d$x, d$y, sources = of, family = "binomial")
  expect_message(shares <- fit(plogis(d$h)), "probabilities")
  expect_message(signed <- fit(2 * plogis(d$h) - 1), "2p - 1")
  expect_message(odds <- fit(d$h), "log odds")
  for (other in list(shares, signed, odds)) expect_equal(coef(other), coef(link), tolerance = 1e-6)
  expect_equal(predict(shares, d$x[1:3, ], sources = plogis(d$h)[1:3, ]),
               predict(link, d$x[1:3, ], sources = d$h[1:3, ]), tolerance = 1e-6)
  expect_message(expect_message(fit(round(plogis(d$h))), "probability|probabilities"), "taken as")
  data <- data.frame(d$x, y = d$y)
  old <- glm(y ~ x1 + x2, binomial, data)
  of_model <- fit(list(old = old, rule = function(x) as.data.frame(x)$x1))
  expect_equal(of_model$sources$odds, c("signed", "odds"))
  expect_equal(predict(of_model, d$x), unname(predict(of_model, data)), tolerance = 1e-9)
  set.seed(1)
  cv <- suppressMessages(cv_path(d$x, d$y, fit = greedytl, family = "binomial", sources = list(old = old), nfolds = 4,
                                 loss = "log_loss"))
  expect_true(all(is.finite(cv$summary$loss %||% cv$cvm %||% 0)))
  expect_length(predict(cv, d$x[1:3, ], type = "response"), 3)
})

test_that("folds read sources as the fit to all rows does", {
  d <- odds_data(24, s = 2)
  h <- tanh(d$h) * .9
  h[1, ] <- 3 # without this row all are within -1 and 1
  cv <- function(of) cv_path(d$x, d$y, fit = greedytl, family = "binomial", sources = of, foldid = rep_len(1:4, 24),
                             loss = "log_loss")
  expect_message(as_given <- cv(h), "log odds")
  expect_equal(as_given$fold_loss, cv(sources(h, scale = "link"))$fold_loss)
  expect_false(isTRUE(all.equal(as_given$fold_loss, suppressMessages(cv(replace(h, h == 3, .9)))$fold_loss)))
})

test_that("no rows have no predictions, also where models are asked", {
  d <- odds_data(30)
  data <- data.frame(d$x, y = d$y)
  old <- list(old = glm(y ~ x1 + x2, binomial, data), rule = function(x) as.data.frame(x)$x1)
  none <- data[0, ]
  odds <- suppressMessages(greedytl(y ~ ., data, sources = old, family = "binomial"))
  squares <- greedytl(y ~ ., data, sources = old, prob = TRUE)
  for (fit in list(odds, squares)) {
    for (type in c("link", "response", "prob")) expect_identical(unname(predict(fit, none, type = type)), numeric())
    expect_identical(unname(predict(fit, none, type = "class")), factor(character(), c("no", "yes")))
    expect_equal(dim(predict(fit, none, step = 0:2, type = "link")), c(0, 3))
  }
})

test_that("separable rows, no sources, constant sources and many rows have a fit", {
  set.seed(6)
  x <- matrix(rnorm(40), 20, dimnames = list(NULL, c("a", "b")))
  y <- x[, 1] > 0
  alone <- greedytl(x, y, family = "binomial")
  expect_equal(alone$alternatives$model, c("features", "selected columns"))
  expect_true(all(is.finite(coef(alone))) && all((predict(alone, x) > 0) == y))
  constant <- sources(cbind(s = rep(1, 20)), scale = "link")
  same <- suppressMessages(greedytl(x, y, family = "binomial", sources = constant))
  expect_true(all(is.finite(coef(same))))
  many <- matrix(rnorm(21000 * 2), ncol = 2, dimnames = list(NULL, c("a", "b")))
  large <- greedytl(many, rbinom(21000, 1, plogis(many[, 1])), family = "binomial", max_steps = 2)
  expect_equal(large$alternatives$model, "selected columns")
  expect_equal(unname(coef(large)[-1]), c(1, 0), tolerance = .1)
})

test_that("sources that are constant in the rows of the fit are no part of it, on either road", {
  d <- odds_data(16, p = 3)
  level <- cbind(k = rep(2, 16), l = -1)
  with <- function(h, ...) suppressMessages(odds_fit(replace(d, "h", list(h)), ...))
  own <- c("(Intercept)", colnames(d$x), colnames(d$h), "(mean of sources)")
  one <- with(d$h, keep = "site2")
  expect_message(greedytl(d$x, d$y, sources = sources(cbind(level, d$h), scale = "link"), family = "binomial"),
                 "Leaving out the sources \"k\" and \"l\"")
  more <- with(cbind(k = level[, 1], d$h, l = level[, 2]), keep = "site2")
  expect_equal(coef(more)[own], coef(one), tolerance = 1e-6)
  expect_equal(coef(more)[c("k", "l")], c(k = 0, l = 0))
  expect_equal(more$alternatives$loo, one$alternatives$loo, tolerance = 1e-6)
  new <- d$h[1:4, ]
  expect_equal(predict(more, d$x[1:4, ], sources = new), predict(one, d$x[1:4, ], sources = new), tolerance = 1e-6)
  none <- with(level)
  expect_equal(none$alternatives$model, c("features", "selected columns"))
  alone <- greedytl(d$x, d$y, family = "binomial")
  expect_equal(coef(none)[names(coef(alone))], coef(alone), tolerance = 1e-6)
  expect_length(predict(none, d$x), 16)
})

test_that("sources alone have a fit, and summary() says what is averaged", {
  d <- odds_data(20)
  data <- data.frame(y = d$y)
  fit <- greedytl(y ~ 1, data, sources = sources(d$h, scale = "link"), family = "binomial")
  b <- coef(fit)
  expect_equal(qlogis(fitted(fit)), b[[1]] + drop(cbind(limited(d$h), rowMeans(d$h)) %*% b[-1]), ignore_attr = TRUE)
  counts <- greedytl(y ~ 1, data.frame(y = rpois(20, exp(d$h[, 1]))), family = "poisson",
                     sources = sources(d$h, scale = "link"))
  expect_gt(diff(range(fitted(counts))), 0)
  said <- capture.output(print(summary(fit)))
  expect_match(said, "3 sources; log odds of \"yes\"", all = FALSE)
  expect_match(said, "Weighted mean of the models below", all = FALSE)
  expect_match(said, "mean of sources, recalibrated", all = FALSE)
  expect_false(any(grepl("Average of all steps", said)))
  expect_match(capture.output(print(summary(counts))), "log rate$", all = FALSE)
})

test_that("what it does not have is an error that names the argument", {
  d <- odds_data(20)
  expect_error(odds_fit(d, lambda = 1), class = "transelect_error_lambda")
  expect_error(odds_fit(d, rule = "paper"), class = "transelect_error_rule")
  expect_error(odds_fit(d, control = list(candidates = 3)), class = "transelect_error_candidates")
  expect_error(odds_fit(d, intercept = FALSE), class = "transelect_error_intercept")
  expect_error(greedytl(y ~ 0 + x1, data.frame(d$x, y = d$y), family = "binomial"), "formula",
               class = "transelect_error_intercept")
  expect_error(greedytl(d$x, rep(1, 20), family = "binomial"), class = "transelect_error_y")
  expect_error(greedytl(moments(d$x, as.numeric(d$y)), family = "binomial"), class = "transelect_error_family")
  expect_error(greedytl(d$x, d$h[, 1], offset = d$offset), class = "transelect_error_formula")
  expect_error(logLik(odds_fit(d)), "leave-one-out")
  expect_error(greedytl(d$x, d$h[, 1], family = "cox"), "Surv", class = "transelect_error_y")
  expect_error(greedytl(d$x, d$y, family = "gamma"), "\"poisson\", or \"cox\"\\.",
               class = "transelect_error_family")
  expect_error(greedytl(d$x, rpois(20, 2), family = "negbin"), "\"negbin\"", class = "transelect_error_family")
  expect_error(greedytl(d$x, rpois(20, 2), family = "poisson", prob = TRUE), class = "transelect_error_prob")
  expect_message(both <- odds_fit(d, prob = TRUE), "Leave it out")
  expect_equal(coef(both), coef(odds_fit(d)))
  expect_error(greedytl(d$x, rpois(20, 2), family = quasipoisson), "dispersion", class = "transelect_error_family")
  expect_error(greedytl(d$x, rpois(20, 2), d$h, family = "poisson"), "positive", class = "transelect_error_sources")
})

test_that("a formula with an offset, refit() and print() say the same", {
  d <- odds_data(30)
  data <- data.frame(d$x, y = d$y, o = d$offset)
  formula <- greedytl(y ~ x1 + x2 + offset(o), data, sources = sources(d$h, scale = "link"), family = "binomial")
  expect_equal(coef(formula), coef(greedytl(d$x[, 1:2], d$y, sources = sources(d$h, scale = "link"), offset = d$offset,
                                            family = "binomial")), tolerance = 1e-9)
  expect_equal(predict(formula, data[1:2, ], sources = d$h[1:2, ]), unname(qlogis(fitted(formula))[1:2]),
               ignore_attr = TRUE)
  again <- refit(formula, data, sources = sources(d$h, scale = "link"))
  expect_equal(coef(again), coef(formula))
  said <- capture.output(print(formula))
  expect_match(said, "mean of sources, recalibrated", all = FALSE)
  expect_match(said, "Leave-one-out log loss", all = FALSE)
  expect_equal(nrow(glance(formula)), 1)
  expect_equal(picture_of(plot(formula, "loo"))$panels[[1]]$title, "log loss")
})

# ---- counts -----------------------------------------------------------------------------------------

test_that("counts are the same with log rates, their dispersion divides the weights, and each row is left out", {
  d <- odds_data(16, p = 3)
  h <- d$h / 3
  set.seed(8)
  y <- rpois(16, exp(h[, 1] + d$offset + 1))
  fit <- function(y, ...) greedytl(d$x, y, family = "poisson", offset = d$offset, ...)
  one <- fit(y, sources = sources(h, scale = "link"))
  expect_equal(coef(fit(y, sources = exp(h))), coef(one), tolerance = 1e-6)
  expect_equal(predict(one, d$x, sources = h, offset = d$offset, type = "response"), fitted(one))
  expect_equal(deviance(one), sum(poisson()$dev.resids(y, fitted(one), rep(1, 16))))
  step <- predict(one, d$x, sources = h, offset = d$offset, type = "response", step = 2)
  expect_equal(deviance(one, step = 2), sum(poisson()$dev.resids(y, step, rep(1, 16))))
  # all columns: the mode by optim(), and each row left out by a mode without it
  level <- likelihood_null_level("poisson", list(list(y = y, w = rep(1, 16), offset = d$offset)))
  pairs <- one$ridge[one$ridge$model == "all columns", ]
  X <- scale(d$x) * sqrt(16 / 15)
  H <- scale(h, scale = FALSE)
  spread <- sqrt(colMeans(H^2))
  most <- 1.5 * median(spread)
  H <- sweep(H, 2, sqrt(mean(pmin(spread, most)^2)) * pmax(1, spread / most), "/")
  mode <- function(k, w) {
    at <- pairs[k, ]
    K <- 4 + tcrossprod(X) / 3 / at$alpha_features +
      (if (is.finite(at$alpha_sources)) tcrossprod(H) / 3 / at$alpha_sources else 0)
    m <- level + d$offset + at$from_mean * (rowMeans(h) - mean(h))
    e <- eigen(K, symmetric = TRUE)
    R <- e$vectors %*% diag(sqrt(pmax(e$values, 0)))
    found <- optim(numeric(16), function(u) {
      f <- m + drop(R %*% u)
      sum(u^2) / 2 - sum(w * (y * f - exp(f)))
    }, method = "BFGS", control = list(reltol = 1e-14, maxit = 500))
    m + drop(R %*% found$par)
  }
  w <- rep(1 / one$phi, 16)
  left <- vapply(1:16, function(i) {
    sum(pairs$weight * vapply(seq_len(nrow(pairs)), function(k) mode(k, replace(w, i, 0))[i], 0))
  }, 0)
  deviance <- mean(poisson()$dev.resids(y, exp(left), rep(1, 16)))
  expect_equal(one$alternatives$loo[one$alternatives$model == "all columns"], deviance, tolerance = 1e-3)
  # a few far too large
  expect_gt(fit(y + 30 * (seq_len(16) %in% c(3, 9)), sources = exp(h))$phi, 2)
})
