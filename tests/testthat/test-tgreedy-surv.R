# tgreedy() of survival times beside its naive twin: residuals of coxph(), tgreedy() of these, coxph() again.

skip_if_not_installed("survival")

surv_rows <- function(seed, domains = 6, n = 30, p = 8, ties = FALSE) {
  with_seed(seed, {
    g <- rep(seq_len(domains), each = n)
    x <- matrix(rnorm(domains * n * p), ncol = p) + rnorm(domains * n)
    eta <- drop(x[, 1:3] %*% c(.8, -.6, .4)) + rnorm(domains)[g]
    time <- rexp(length(g), exp(eta))
    if (ties) time <- ceiling(3 * time)
    data.frame(time = time, status = rbinom(length(g), 1, .7), g = letters[g], x, w = sample(1:3, length(g), TRUE))
  })
}

# The Cox models of the columns picked so far, step 0 first: list(columns, fit).
naive_tgreedy_surv <- function(d, x, keep = character(), weights = rep(1, nrow(d)), ...) {
  d$weights_of_rows <- weights
  cox <- function(columns) {
    right <- paste(c(columns, "strata(g)"), collapse = " + ")
    formula <- stats::as.formula(paste("survival::Surv(time, status) ~", right))
    survival::coxph(formula, data = d, weights = weights_of_rows)
  }
  strata <- survival::strata
  null <- cox(keep)
  picked <- tgreedy(x, stats::residuals(null, type = "martingale"), domain = d$g, weights = weights,
                    keep = if (length(keep)) keep, ...)
  entered <- unique(stats::na.omit(picked$steps$entered))
  lapply(0:length(entered), function(k) {
    columns <- c(keep, entered[seq_len(k)])
    list(columns = columns, fit = cox(columns))
  })
}

test_that("every step is the stratified Cox model of the columns picked on its null model's residuals", {
  for (case in list(list(seed = 1), list(seed = 2, ties = TRUE), list(seed = 3, keep = "X7"),
                    list(seed = 4, weights = TRUE), list(seed = 5, ties = TRUE, rule = "t", max_steps = 4))) {
    d <- surv_rows(case$seed, ties = isTRUE(case$ties))
    x <- as.matrix(d[paste0("X", 1:8)])
    w <- if (isTRUE(case$weights)) d$w else rep(1, nrow(d))
    more <- case[intersect(names(case), c("rule", "max_steps"))]
    fit <- do.call(tgreedy, c(list(x, survival::Surv(d$time, d$status), domain = d$g, weights = w, keep = case$keep),
                              more))
    twin <- do.call(naive_tgreedy_surv, c(list(d, x, as.character(case$keep), w), more))
    expect_identical(max(fit$points$step), length(twin) - 1L)
    for (k in seq_along(twin)) {
      model <- twin[[k]]$fit
      b <- coef(fit, step = k - 1L)
      expect_setequal(names(b)[b != 0], twin[[k]]$columns)
      if (length(twin[[k]]$columns)) expect_equal(b[twin[[k]]$columns], coef(model), tolerance = 1e-6)
      expect_equal(c(logLik(fit, step = k - 1L)), model$loglik[length(model$loglik)], tolerance = 1e-8)
    }
    expect_equal(unname(residuals(fit, type = "martingale")), unname(residuals(model, type = "martingale")),
                 tolerance = 1e-6)
    if (is.null(case$weights)) {
      expect_equal(unname(residuals(fit)), unname(residuals(model, type = "deviance")), tolerance = 1e-6)
    }
  }
})

test_that("survival is by the baseline of all domains together, and a left-out domain has its own partial likelihood", {
  d <- surv_rows(6)
  formula <- survival::Surv(time, status) ~ X1 + X2 + X3 + X4 + X5 + X6
  fit <- tgreedy(formula, data = d, domain = g)
  d$eta <- predict(fit, d, type = "lp")
  base <- survival::basehaz(survival::coxph(survival::Surv(time, status) ~ offset(eta), data = d), centered = FALSE)
  at <- c(.3, 1)
  expect_equal(unname(predict(fit, d[1:4, ], type = "survival", times = at)),
               exp(-outer(exp(d$eta[1:4]), c(0, base$hazard)[findInterval(at, base$time) + 1])), tolerance = 1e-6)
  expect_equal(predict(fit, d[1:4, ], type = "risk"), exp(predict(fit, d[1:4, ], type = "link")))
  expect_equal(unname(predict(fit, d[1:4, ], type = "expected")),
               exp(d$eta[1:4]) * base$hazard[match(d$time[1:4], base$time)], tolerance = 1e-6)

  curves <- summary(survival::survfit(fit, newdata = d[1:2, ]), times = at)
  expect_equal(unname(curves$surv), t(unname(predict(fit, d[1:2, ], type = "survival", times = at))), tolerance = 1e-6)

  cv <- cv_path(formula, data = d, domain = g, fit = tgreedy)
  out <- d$g == "b"
  own <- tgreedy(formula, data = d[!out, ], domain = g)
  last <- max(own$points$step)
  rows <- transform(d[out, ], eta = predict(own, d[out, ], type = "lp"))
  partial <- survival::coxph(survival::Surv(time, status) ~ eta, rows, init = 1, iter.max = 0)$loglik[1]
  expect_equal(cv$fold_loss[["b", last + 1]], -2 * partial / sum(rows$status), tolerance = 1e-8)
  ranks <- cv_path(formula, data = d, domain = g, fit = tgreedy, loss = "concordance")
  expect_match(described_marks(picture_of(plot(ranks)), "text")$label, "best", all = FALSE)
  expect_equal(ranks$fold_loss[["b", last + 1]],
               survival::concordance(survival::Surv(time, status) ~ eta, rows, reverse = TRUE)$concordance)
  expect_equal(fit$steps$loss, unname(rowMeans(fit$domain_loss)))
  expect_s3_class(assess(fit, d), "transfer_assessment")
  expect_identical(glance(fit)$family, "cox")
  expect_false("(Intercept)" %in% tidy(fit)$term)
  again <- refit(fit, d)
  expect_equal(coef(again), coef(fit))
  expect_s3_class(ggplot2::autoplot(fit, "domains", measure = "concordance"), "ggplot")
  expect_output(print(summary(fit)), "deviance")
  # also the first column: no intercept stands before it
  expect_setequal(summary(fit)$coefficients$y$term, tidy(fit)$term)
})

test_that("domains without events, separated columns and groups", {
  d <- surv_rows(7)
  d$status[d$g == "c"] <- 0
  x <- as.matrix(d[paste0("X", 1:8)])
  y <- survival::Surv(d$time, d$status)
  expect_message(fit <- tgreedy(x, y, domain = d$g), "\"c\": it has no event", class = "transelect_message_domains")
  expect_equal(coef(fit), coef(tgreedy(x[d$g != "c", ], y[d$g != "c"], domain = d$g[d$g != "c"])))
  apart <- cbind(first = -rank(d$time), x)
  expect_message(path <- tgreedy(apart, y, domain = d$g, rule = "greedy"), "no maximum",
                 class = "transelect_message_family")
  expect_lt(max(path$points$step), 8)
  d$level <- factor(c("u", "v", "w")[1 + (d$X1 > 0) + (d$X1 > 1)])
  grouped <- tgreedy(survival::Surv(time, status) ~ level + X2 + X3, data = d[d$g != "c", ], domain = g)
  expect_true(all(c("levelv", "levelw") %in% variable.names(grouped)))
})

test_that("what tgreedy() does not fit is refused, and the message says what does", {
  d <- surv_rows(8)
  x <- as.matrix(d[paste0("X", 1:8)])
  y <- survival::Surv(d$time, d$status)
  expect_error(tgreedy(x, d$status, domain = d$g, family = "binomial"), "prob = TRUE",
               class = "transelect_error_family")
  expect_error(tgreedy(x, 10 * d$w, domain = d$g, family = poisson), "log1p", class = "transelect_error_family")
  expect_error(tgreedy(x, d$status, domain = d$g, family = "gamma"), "\"gaussian\" or \"cox\"\\.",
               class = "transelect_error_family")
  expect_error(tgreedy(x, d$time, domain = d$g, family = "cox"), "Surv", class = "transelect_error_y")
  expect_error(tgreedy(x, y, domain = d$g, family = "gaussian"), class = "transelect_error_family")
  expect_error(tgreedy(x, y, domain = d$g, prob = TRUE), class = "transelect_error_prob")
  expect_error(tgreedy(x, y, domain = d$g,
                       control = tgreedy_control(stop = "cv")), "cv_path", class = "transelect_error_stop")
  expect_error(tgreedy(survival::Surv(time, status) ~ X1 + X2 + offset(X3), data = d, domain = g), "offset",
               class = "transelect_error_formula")
  expect_error(tgreedy(survival::Surv(time, status) ~ X1 + strata(X2 > 0), data = d, domain = g),
               class = "transelect_error_strata")
  expect_error(conformal(tgreedy(x, y, domain = d$g)), "survival")
})

test_that("a stratum with far larger hazards leaves the terms of the others as they are", {
  strata <- survival::strata
  d <- with_seed(5, data.frame(x = rnorm(90), stratum = rep(1:3, 30), start = rpois(90, 3)))
  d$stop <- with_seed(6, d$start + 1 + rpois(90, 4))
  d$event <- with_seed(7, rbinom(90, 1, .7))
  far <- d$x / 2 + ifelse(d$stratum == 2, 60, 0)
  risk <- cox_risk_sets(d$start, d$stop, d$event, d$stratum)
  model <- survival::coxph(survival::Surv(start, stop, event) ~ x + strata(stratum), d, init = .5, iter.max = 0)
  expect_equal(cox_log_lik(risk, rep(1, 90), far), model$loglik[1], tolerance = 1e-12)
  terms <- cox_terms(risk, rep(1, 90), as.matrix(d$x), far)
  expect_equal(drop(terms$information), 1 / drop(vcov(model)), tolerance = 1e-10)
  expect_equal(d$event - cox_expected(risk, rep(1, 90), far), residuals(model, "martingale"), ignore_attr = TRUE,
               tolerance = 1e-10)
})

test_that("a path goes on while the partial likelihood has a maximum, whatever the names of the domains", {
  strata <- survival::strata
  d <- with_seed(1, list(x = named_columns(rnorm(160), 20, "x"), domain = rep(c("a", "b"), c(14, 6))))
  d$y <- with_seed(2, survival::Surv(rexp(20, exp(5 * d$x[, 1] - 5 * d$x[, 2])), rep(1, 20)))
  fit <- function(domain) {
    suppressMessages(tgreedy(d$x, d$y, domain = domain, rule = "greedy", max_steps = 4))
  }
  a <- fit(d$domain)
  b <- fit(c(a = "z", b = "k")[d$domain])
  expect_equal(b$beta, a$beta, tolerance = 1e-8)
  for (step in a$points$step[-1]) {
    used <- which(a$beta[, step + 1] != 0)
    model <- survival::coxph(d$y ~ d$x[, used] + strata(d$domain))
    expect_equal(a$beta[used, step + 1], coef(model), ignore_attr = TRUE, tolerance = 1e-6)
  }
})
