near <- function(a, b, tol = 1e-7) expect_lt(max(abs(unname(a) - unname(b))), tol)

same_model <- function(fit, model) {
  near(coef(fit), coef(model))
  near(AIC(fit), AIC(model))
  near(BIC(fit), BIC(model))
  near(c(logLik(fit)), c(logLik(model)))
  expect_equal(attr(logLik(fit), "df"), attr(logLik(model), "df"))
}

test_that("without borrowing and selection it is glm()", {
  d <- naive_family_data(1)
  fit <- tlcp(died ~ a + b + c + d, data = d, family = binomial, select = FALSE)
  model <- glm(died ~ a + b + c + d, data = d, family = binomial)
  same_model(fit, model)
  near(deviance(fit), deviance(model))
  near(residuals(fit), residuals(model))
  near(residuals(fit, type = "response"), residuals(model, "response"))
  near(predict(fit, d), predict(model, d))
  near(predict(fit, d, type = "response"), predict(model, d, type = "response"))
  expect_equal(unname(predict(fit, d, type = "class")), factor(ifelse(unname(predict(model, d)) > 0, "yes", "no")))
  near(glance(fit)$null.deviance, model$null.deviance)
  expect_equal(family(fit)[c("family", "link")], family(model)[c("family", "link")])

  same_model(tlcp(cbind(success, total - success) ~ a + b + offset(log(years)), data = d,
                  family = "binomial", weights = w, select = FALSE),
             glm(cbind(success, total - success) ~ a + b + offset(log(years)), data = d,
                 family = binomial, weights = w))
  same_model(tlcp(success / total ~ a + b, data = d, family = "binomial", weights = total,
                  select = FALSE),
             glm(success / total ~ a + b, data = d, family = binomial, weights = total))

  fit <- tlcp(count ~ a + b + d, data = d, family = poisson(), offset = log(years), weights = w,
              select = FALSE)
  model <- glm(count ~ a + b + d, data = d, family = poisson, offset = log(years), weights = w)
  same_model(fit, model)
  near(deviance(fit), deviance(model))
  near(residuals(fit), residuals(model))
  near(predict(fit, d), predict(model, d))
  near(predict(fit, d, type = "response"), predict(model, d, type = "response"))
  near(fitted(fit), fitted(model))
  near(augment(fit, d)$.resid, residuals(model, "response"))
  fit <- tlcp(count ~ a + b - 1, data = d, family = "poisson", select = FALSE, standardize = FALSE)
  near(coef(fit), c(0, coef(glm(count ~ a + b - 1, data = d, family = poisson))))
})

test_that("without borrowing and selection it is coxph()", {
  skip_if_not_installed("survival")
  d <- naive_family_data(2)
  Surv <- survival::Surv
  strata <- survival::strata
  fit <- tlcp(Surv(time, status) ~ a + b + d, data = d, select = FALSE)
  model <- survival::coxph(Surv(time, status) ~ a + b + d, data = d)
  same_model(fit, model)
  near(residuals(fit), residuals(model, "deviance"))
  near(residuals(fit, type = "response"), residuals(model, "martingale"))
  times <- c(1, 5, 12)
  near(predict(fit, d[1:4, ], type = "survival", times = times),
       t(summary(survival::survfit(model, d[1:4, ]), times = times)$surv))
  expect_identical(dimnames(predict(fit, d[3:4, ], type = "survival", times = times)),
                   list(c("3", "4"), c("1", "5", "12")))
  expect_equal(unname(diff(log(predict(fit, d[1:2, ], type = "risk")))),
               unname(diff(predict(model, d[1:2, ]))), tolerance = 1e-7)
  expect_equal(tidy(fit)$term, c("a", "b", "d"))
  same_model(tlcp(Surv(start, time, status) ~ a + b + strata(g) + offset(c / 5), data = d, weights = w,
                  select = FALSE),
             survival::coxph(Surv(start, time, status) ~ a + b + strata(g) + offset(c / 5), data = d,
                             weights = w))
})

test_that("the chosen subset is the best of all refits", {
  for (seed in 1:6) {
    d <- naive_family_data(seed, n = 80)
    fit <- tlcp(died ~ a + b + c + d, data = d, family = "binomial")
    near(AIC(fit), naive_least_aic(letters[1:4], function(right) {
      glm(update(right, died ~ .), data = d, family = binomial)
    }))
    fit <- tlcp(count ~ a + b + c + d, data = d, family = "poisson", offset = log(years))
    near(AIC(fit), naive_least_aic(letters[1:4], function(right) {
      glm(update(right, count ~ .), data = d, family = poisson, offset = log(years))
    }))
    expect_true(fit$certificate$stable)
    near(fit$steps$criterion[fit$best + 1], AIC(fit))
    skip_if_not_installed("survival")
    near(AIC(tlcp(survival::Surv(time, status) ~ a + b + c + d, data = d)),
         naive_least_aic(letters[1:4], function(right) {
           survival::coxph(update(right, survival::Surv(time, status) ~ .), data = d)
         }))
  }
})

test_that("with a borrowing prior given it is the mode of the penalised likelihood", {
  d <- naive_family_data(3, n = 150)
  rows <- split(seq_len(150), d$g)
  x <- lapply(rows, function(i) as.matrix(d[i, c("a", "b", "d")]))
  s <- t(vapply(x, function(x) c(apply(x[, 1:2], 2, sd), 1), numeric(3)))
  v <- c(3, 8, 20)
  bernoulli <- function(y, eta) sum(y * eta - log1p(exp(eta)))
  fit <- tlcp(died ~ a + b + d, data = d, family = "binomial", domain = g, target = "1",
              borrow = list(v = v), select = FALSE)
  mode <- naive_family_mode(x, lapply(rows, function(i) as.numeric(d$died[i] == "yes")), s, v, bernoulli)
  for (t in 1:3) near(coef(fit, domain = as.character(t)), mode[t, ], 1e-6)

  fit <- tlcp(count ~ a + b + d, data = d, family = "poisson", domain = g, target = "1",
              borrow = list(v = v), select = FALSE)
  mode <- naive_family_mode(x, lapply(rows, function(i) d$count[i]), s, v,
                            function(y, eta) sum(y * eta - exp(eta)))
  for (t in 1:3) near(coef(fit, domain = as.character(t)), mode[t, ], 1e-6)
})

# The gradient of the penalised log-likelihood in the coefficients (standardised) is 0 at a mode.
test_that("hierarchical borrowing ends at a mode of the likelihood with its own prior", {
  d <- naive_family_data(4, n = 160)
  fit <- tlcp(died ~ a + b + c + d, data = d, family = "binomial", domain = g, target = "2",
              control = tlcp_control(units = "common"), select = FALSE)
  s <- fit$borrowing
  names <- names(s$tau2)
  expect_setequal(names, c("1", "2", "3"))
  gradient <- vapply(names, function(t) {
    rows <- d[d$g == t, ]
    X <- as.matrix(rows[c("a", "b", "c", "d")])
    eta <- coef(fit, domain = t)[1] + drop(X %*% coef(fit, domain = t)[-1])
    drop(crossprod(X - rep(fit$center, each = nrow(X)), (rows$died == "yes") - plogis(eta))) * fit$scale^-1
  }, numeric(4))
  w <- vapply(names, function(t) coef(fit, domain = t)[-1] * fit$scale, numeric(4)) / sqrt(s$scales)
  K <- solve(diag(s$tau2) + s$omega2)
  near(gradient * sqrt(s$scales), w %*% K, 1e-4)
})

test_that("borrowing, selection, pictures and verbs go together", {
  d <- naive_family_data(5, n = 200)
  fit <- tlcp(died ~ a + b + c + d, data = d, family = binomial, domain = g, target = "1")
  expect_match(fit$certificate$of, "quadratic approximation")
  expect_true(all(is.na(fit$steps$gap)) && all(is.na(fit$steps$bound)))
  expect_false(any(grepl("\\bgap\\b", capture.output(print(fit)))))
  expect_identical(picture_of(plot(fit))$keys$label[1], "proven best of its size (approximation)")
  expect_output(print(fit), "log odds")
  expect_output(print(summary(fit)), "deviance")
  expect_true(all(c("a", "b") %in% fit$selected))
  expect_equal(fit$steps$df[fit$best + 1], attr(logLik(fit), "df"))
  expect_equal(unname(residuals(fit, type = "response") + fitted(fit)), as.numeric(d$died == "yes")[d$g == 1])
  near(deviance(fit), -2 * c(logLik(fit)))
  expect_error(sigma(fit), class = "transelect_error_family")
  pdf(NULL)
  on.exit(dev.off())
  for (what in c("criterion", "path", "borrowed")) expect_no_error(plot(fit, what = what))
  whole <- tlcp(died ~ a + b + c + d, data = d, family = binomial, domain = g, target = "1",
                select = FALSE)
  expect_gt(whole$borrowing$tau2[["1"]], 0)
  set.seed(1)
  cv <- cv_path(died ~ a + b + c + d, data = d, fit = tlcp, family = "binomial", loss = "deviance", nfolds = 4)
  expect_true(all(cv$cvm < 2))
  cv <- cv_path(count ~ a + b + offset(log(years)), data = d, fit = tlcp, family = "poisson", nfolds = 4)
  expect_equal(cv$loss, "deviance")
  model <- glm(count ~ a + b + offset(log(years)), data = d[cv$foldid != 1, ], family = poisson)
  out <- d[cv$foldid == 1, ]
  mu <- predict(model, out, type = "response")
  near(cv$fold_loss[1, 3], mean(poisson()$dev.resids(out$count, mu, rep(1, nrow(out)))))
  found <- assess(whole, d[d$g == 2, ], d$died[d$g == 2])
  expect_true(all(c("auroc", "log_loss") %in% found$measures$measure))
})

test_that("survival times are cross-validated and assessed", {
  skip_if_not_installed("survival")
  d <- naive_family_data(6, n = 200)
  Surv <- survival::Surv
  fit <- tlcp(Surv(time, status) ~ a + b + c, data = d, domain = g, target = "1")
  new <- d[d$g == 3, ]
  found <- assess(fit, new, Surv(new$time, new$status))
  expect_equal(found$measures$estimate[1],
               survival::concordance(Surv(time, status) ~ predict(fit, new), new, reverse = TRUE)$concordance)
  set.seed(1)
  cv <- cv_path(Surv(time, status) ~ a + b + c, data = d, fit = tlcp, loss = "concordance", nfolds = 4)
  expect_gt(max(cv$cvm), .6)
})

test_that("rows of a target are dealt to folds whatever its response", {
  skip_if_not_installed("survival")
  d <- naive_family_data(6, n = 200)
  d$hit <- d$count %% 3
  for (formula in list(survival::Surv(time, status) ~ a + b, cbind(hit, count) ~ a + b, count ~ a + b)) {
    family <- if (length(formula[[2]]) == 1) "poisson" else if (formula[[2]][[1]] == "cbind") "binomial"
    set.seed(1)
    cv <- cv_path(formula, data = d, fit = tlcp, family = family, domain = g, target = "1", nfolds = 4)
    expect_identical(sort(unique(cv$foldid)), 1:4)
    expect_identical(is.na(cv$foldid), d$g != 1)
    again <- cv_path(formula, data = d, fit = tlcp, family = family, domain = g, target = "1",
                     foldid = cv$foldid[d$g == 1])
    expect_equal(cv$cvm, again$cvm)
  }
})

test_that("losses of folds are by strata, and offsets may be given", {
  skip_if_not_installed("survival")
  d <- naive_family_data(6, n = 200)
  Surv <- survival::Surv
  strata <- survival::strata
  foldid <- rep(1:4, 50)
  cv <- cv_path(Surv(time, status) ~ a + b + strata(g), data = d, fit = tlcp, foldid = foldid)
  again <- cv_path(as.matrix(d[c("a", "b")]), Surv(d$time, d$status), fit = tlcp, strata = d$g, foldid = foldid)
  near(cv$cvm, again$cvm, 1e-10)
  out <- d[foldid == 1, ]
  own <- survival::coxph(Surv(time, status) ~ a + b + strata(g), d[foldid != 1, ])
  out$eta <- drop(as.matrix(out[c("a", "b")]) %*% coef(own))
  d$eta <- drop(as.matrix(d[c("a", "b")]) %*% coef(own))
  log_lik <- function(rows) {
    survival::coxph(Surv(time, status) ~ eta + strata(g), rows, init = 1, iter.max = 0)$loglik[1]
  }
  near(cv$fold_loss[1, 3], -2 * (log_lik(d) - log_lik(d[foldid != 1, ])) / sum(out$status), 1e-5)
  ranks <- cv_path(Surv(time, status) ~ a + b + strata(g), data = d, fit = tlcp, foldid = foldid, loss = "concordance")
  near(ranks$fold_loss[1, 3],
       survival::concordance(Surv(time, status) ~ eta + strata(g), out, reverse = TRUE)$concordance, 1e-6)
  one <- cv_path(count ~ a + b + offset(log(years)), data = d, fit = tlcp, family = "poisson", foldid = foldid)
  two <- cv_path(count ~ a + b, data = d, fit = tlcp, family = "poisson", foldid = foldid, offset = log(years))
  three <- cv_path(as.matrix(d[c("a", "b")]), d$count, fit = tlcp, family = "poisson", foldid = foldid,
                   offset = log(d$years))
  near(one$cvm, two$cvm, 1e-10)
  near(one$cvm, three$cvm, 1e-10)
  near(predict(two, d[1:3, ]), predict(one, d[1:3, ]), 1e-10)
  expect_error(cv_path(count ~ a + b, data = d, fit = greedytl, foldid = foldid, offset = log(years)))
})

test_that("offsets of numbers are lm()'s", {
  d <- naive_family_data(7)
  fit <- tlcp(years ~ a + b + offset(2 * c), data = d, select = FALSE)
  model <- lm(years ~ a + b + offset(2 * c), data = d)
  near(coef(fit), coef(model))
  near(fitted(fit), fitted(model))
  near(predict(fit, d[1:5, ]), predict(model, d[1:5, ]))
  fit <- tlcp(as.matrix(d[c("a", "b")]), d$years, offset = 2 * d$c, select = FALSE)
  near(predict(fit, as.matrix(d[1:5, c("a", "b")]), offset = 2 * d$c[1:5]), predict(model, d[1:5, ]))
  expect_error(predict(fit, as.matrix(d[1:5, c("a", "b")])), class = "transelect_error_offset")
})

test_that("order of rows, columns and domains is of no consequence", {
  d <- naive_family_data(8, n = 150)
  fit <- tlcp(died ~ a + b + c + d, data = d, family = "binomial", domain = g, target = "1", select = FALSE)
  other <- tlcp(died ~ d + c + b + a, data = d[150:1, ], family = "binomial",
                domain = factor(g, c(3, 1, 2)), target = "1", select = FALSE)
  near(coef(fit)[names(coef(other))], coef(other), 1e-5)
})

test_that("bad input is refused in words", {
  d <- naive_family_data(9)
  x <- as.matrix(d[c("a", "b")])
  expect_error(tlcp(x, d$count, family = "binomial"), class = "transelect_error_y")
  expect_error(tlcp(x, d$a, family = "poisson"), class = "transelect_error_y")
  expect_error(tlcp(x, d$count, family = "gamma"), "\"poisson\", \"negbin\", \"cox\"",
               class = "transelect_error_family")
  expect_error(tlcp(x, d$died, family = binomial("probit")), class = "transelect_error_family")
  expect_error(tlcp(x, d$time, family = "cox"), "Surv")
  expect_error(tlcp(x, as.numeric(x[, 1] > 0), family = "binomial"), "separated",
               class = "transelect_error_family")
  expect_error(tlcp(x, d$count, family = "poisson", offset = 1:3), class = "transelect_error_offset")
  expect_error(tlcp(x, d$count, family = "poisson",
                    control = tlcp_control(sigma2 = 1)), class = "transelect_error_sigma2")
  expect_error(tlcp(x, d$count, family = "poisson", domain = d$g, target = "1", borrow = "reml"),
               class = "transelect_error_borrow")
  expect_error(tlcp(x, d$count, family = "poisson", strata = d$g), class = "transelect_error_strata")
  d$count[d$g == 3] <- 0
  expect_message(tlcp(x, d$count, family = "poisson", domain = d$g, target = "1"), "no events")
  expect_error(tlcp(x, d$count, family = "poisson", domain = d$g, target = "3"), "no events")
  # separated classes, in another domain or in the target, have finite coefficients where something is borrowed
  d$died[d$g == 2] <- ifelse(d$a[d$g == 2] > 0, "yes", "no")
  for (target in c("1", "2")) {
    fit <- tlcp(x, d$died, family = "binomial", domain = d$g, target = target)
    expect_true(all(is.finite(coef(fit))))
  }
})

test_that("print() of two classes by least squares says so, and what fits log odds", {
  two <- transform(mtcars, am = factor(am, labels = c("auto", "manual")))
  expect_match(printed(tlcp(am ~ wt + hp, two, family = "gaussian")),
               "classes auto (-1) and manual (+1) by least squares; family = \"binomial\" fits log odds", fixed = TRUE)
  said <- capture.output(print(tlcp(am ~ wt + hp, two, family = "binomial")))
  expect_false(any(grepl("least squares", said)))
})

test_that("offsets in a formula that are no numbers, or too few, are refused by name", {
  d <- data.frame(count = rpois(20, 3), a = rnorm(20), code = as.raw(1:20), word = rep(c("x", "y"), 10))
  refused <- function(formula) {
    expect_error(tlcp(formula, data = d, family = "poisson"), class = "transelect_error_offset")
  }
  expect_match(conditionMessage(refused(count ~ a + offset(code))), "offset(code)` is a raw vector of length 20",
               fixed = TRUE)
  expect_match(conditionMessage(refused(count ~ a + offset(word))), "offset(word)", fixed = TRUE)
  expect_match(conditionMessage(refused(count ~ a + offset(raw(2)))), "offset(raw(2))", fixed = TRUE)
  expect_match(conditionMessage(refused(count ~ a + offset(list(1)))), "offset(list(1))", fixed = TRUE)
  expect_match(conditionMessage(refused(count ~ a + offset(c(.1, .2)))), "of length 2", fixed = TRUE)
})

test_that("rows put together keep a column that is constant in one of their domains", {
  d <- naive_family_data(6, n = 150)
  d$d[d$g == 3] <- 0
  fit <- tlcp(died ~ a + b + d, data = d, family = "binomial", domain = g, target = "1", borrow = "aggregate",
              select = FALSE, standardize = FALSE)
  whole <- glm(died ~ a + b + d + factor(g), family = binomial, data = d)
  near(coef(fit)[-1], coef(whole)[c("a", "b", "d")], 1e-5)
})

test_that("df.residual() and nobs() of a Cox model count events, as mice::pool() and coxph() do", {
  skip_if_not_installed("survival")
  d <- naive_family_data(4)
  fit <- tlcp(survival::Surv(time, status) ~ a + b + c, data = d, select = FALSE)
  other <- survival::coxph(survival::Surv(time, status) ~ a + b + c, data = d)
  expect_equal(nobs(fit), nobs(other))
  expect_equal(nobs(fit), attr(logLik(fit), "nobs"))
  expect_equal(df.residual(fit), sum(d$status) - 3)
  expect_equal(glance(fit)$nobs, sum(d$status))
  counts <- tlcp(count ~ a + b, data = d, family = "poisson", select = FALSE)
  expect_equal(df.residual(counts), df.residual(glm(count ~ a + b, poisson, d)))
})

test_that("shares that are no whole numbers of successes: one warning, and the figures of glm()", {
  d <- naive_family_data(5)
  d$share <- plogis(d$a + rnorm(120) / 2)
  d$part <- d$success + .5
  d$all <- d$total + 1.25
  cases <- list(list(share ~ a + b, 1, 1), list(share ~ a + b, d$total, 1), list(cbind(part, all - part) ~ a, 1, 1),
                list(cbind(part, all - part) ~ a, d$w, 1), list(cbind(success, total - success) ~ a, d$w, 0),
                list(success / total ~ a, d$total, 0))
  for (case in cases) {
    d$weight <- case[[2]]
    said <- 0
    fit <- withCallingHandlers(
      tlcp(case[[1]], data = d, family = "binomial", weights = weight, select = FALSE),
      warning = function(w) {
        said <<- said + 1
        expect_s3_class(w, "transelect_warning_shares")
        invokeRestart("muffleWarning")
      }
    )
    expect_equal(said, case[[3]])
    other <- suppressWarnings(glm(case[[1]], binomial, d, weights = weight, epsilon = 1e-12))
    expect_equal(as.numeric(logLik(fit)), as.numeric(logLik(other)))
    expect_equal(c(AIC(fit), deviance(fit)), c(AIC(other), deviance(other)))
    expect_equal(coef(fit), coef(other), tolerance = 1e-6)
  }
  said <- character()
  withCallingHandlers(cv_path(share ~ a + b, data = d, fit = tlcp, family = "binomial", nfolds = 3),
                      warning = function(w) {
                        said <<- c(said, conditionMessage(w))
                        invokeRestart("muffleWarning")
                      })
  expect_length(said, 1)
})

test_that("the deviance of a cross-validated Cox model is that of Verweij and van Houwelingen", {
  skip_if_not_installed("survival")
  strata <- survival::strata
  d <- naive_family_data(6, 60)
  d$w <- rep(1:3, 20)
  control <- survival::coxph.control(eps = 1e-9, toler.chol = 1e-12, iter.max = 30)
  naive <- function(formula, fold) {
    parts <- vapply(unique(fold), function(k) {
      rows <- d[fold != k, ]
      b <- coef(survival::coxph(formula, rows, weights = w, control = control))
      log_lik <- function(rows) {
        at <- survival::coxph.control(iter.max = 0)
        rev(suppressWarnings(survival::coxph(formula, rows, weights = w, init = b, control = at))$loglik)[1]
      }
      log_lik(d) - log_lik(rows)
    }, 0)
    -2 * sum(parts) / sum(d$w * d$status)
  }
  whole <- function(x, ...) tlcp(x, select = FALSE, ...)
  plain <- survival::Surv(time, status) ~ a + b
  cases <- list(list(plain, seq_len(60)), list(plain, rep(1:4, 15)), list(plain, rep(1:20, each = 3)),
                list(survival::Surv(start, time, status) ~ a + b, rep(1:4, 15)),
                list(survival::Surv(time, status) ~ a + b + strata(g), seq_len(60)))
  for (case in cases) {
    cv <- cv_path(case[[1]], data = d, weights = w, fit = whole, foldid = case[[2]])
    expect_equal(cv$cvm[length(cv$cvm)], naive(case[[1]], case[[2]]), tolerance = 1e-6)
  }
  # single rows: a feature that says much is chosen
  cv <- cv_path(plain, data = d, fit = tlcp, foldid = seq_len(60))
  expect_gt(cv$step.min, 0)
  expect_true(all(cv$fold_loss != 0))
  # rows of a target: its own risk sets
  cv <- cv_path(plain, data = transform(d, h = rep(c("u", "v"), 30)), domain = h, target = "u", fit = tlcp, nfolds = 30)
  expect_true(all(is.finite(cv$cvm)) && length(unique(cv$cvm)) > 1)
})

test_that("of many rows the columns are read where they are: products of rows, and the coefficients of glm()", {
  set.seed(3)
  for (p in c(0, 1, 5)) {
    x <- matrix(rnorm(700 * 6, 1e6), 700)
    at <- sample(700, 515)
    rows <- list(x = x, at = at, column = sample(6, p), shift = 1e6 + rnorm(p), base = 2^rnorm(p), flat = rep(FALSE, p),
                 constant = p != 1)
    if (p > 1) rows$flat[2] <- TRUE
    Z <- (x[at, rows$column, drop = FALSE] - rep(rows$shift, each = 515)) / rep(rows$base, each = 515)
    Z[, rows$flat] <- 0
    if (rows$constant) Z <- cbind(Z, 1)
    b <- rnorm(ncol(Z))
    u <- rnorm(515)
    w <- rexp(515)
    expect_equal(.Call(C_standard_combination, rows, b), drop(Z %*% b), tolerance = 1e-12)
    terms <- .Call(C_standard_terms, rows, u, w)
    expect_equal(terms, list(score = drop(crossprod(Z, u)), information = crossprod(Z * sqrt(w))), tolerance = 1e-12)
  }
  n <- STANDARD_ROWS + 5000
  d <- data.frame(a = rnorm(n, 1e4), b = rexp(n), far = seq_len(n) > n - 1000)
  d$y <- rbinom(n, 1, plogis(.3 * (d$a - 1e4) - .2 * d$b))
  own <- d[!d$far, ]
  fit <- tlcp(y ~ a + b, d, domain = far, target = "FALSE", family = "binomial", borrow = "none", select = FALSE)
  expect_equal(coef(fit), coef(glm(y ~ a + b, binomial, own)), tolerance = 1e-6)
  # one domain of all rows, counts with an offset
  d$count <- rpois(n, exp(.2 * d$b + .1))
  fit <- tlcp(count ~ a + b, d, offset = log(b + 1), family = "poisson", select = FALSE)
  expect_equal(coef(fit), coef(glm(count ~ a + b, poisson, d, offset = log(b + 1))), tolerance = 1e-6)
})
