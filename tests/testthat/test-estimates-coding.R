# Sources whose factors have other contrasts than the target: translated exactly, or refused. The right values are those
# of the same model with the contrasts in question.

coded_data <- function(n = 200, seed = 1) {
  with_seed(seed, {
    d <- data.frame(g = factor(sample(rep_len(0:2, n))), h = factor(sample(c("p", "q"), n, TRUE)), x = rnorm(n),
                    flag = runif(n) < .4, unit = sample(letters[1:8], n, TRUE))
    d$o <- factor(sample(c("low", "mid", "high"), n, TRUE), c("low", "mid", "high"), ordered = TRUE)
    eta <- c(0, 1, -.5)[d$g] + .5 * d$x + c(0, .4, .7)[d$o] + .3 * d$flag + (d$h == "q") * (d$x + (d$g == 2))
    d$y <- eta + rnorm(n)
    d$died <- factor(ifelse(runif(n) < plogis(eta), "yes", "no"))
    d$count <- rnbinom(n, mu = exp(eta / 2), size = 2)
    d$time <- rexp(n, exp(eta / 2))
    d$status <- rbinom(n, 1, .8)
    d$grade <- cut(d$y, c(-Inf, 0, 1, Inf), labels = c("a", "b", "c"), ordered_result = TRUE)
    d
  })
}

# The value of `code` with other contrasts of all factors and ordered factors.
with_contrasts <- function(contrasts, code) {
  old <- options(contrasts = rep(contrasts, 2))
  on.exit(options(old))
  code
}

OTHER_CONTRASTS <- c("contr.sum", "contr.helmert", "contr.SAS", "contr.poly")

expect_same_estimates <- function(object, want, tolerance = 1e-6) {
  sorted <- function(site) {
    table <- as.data.frame(site)
    rename <- names(table) %in% table$term
    names(table)[rename] <- estimates_coding_sorted(names(table)[rename])
    table$term <- estimates_coding_sorted(table$term)
    table
  }
  a <- sorted(object)
  b <- sorted(want)
  expect_setequal(a$term, b$term)
  expect_equal(a$estimate, b$estimate[match(a$term, b$term)], tolerance = tolerance)
  J <- as.matrix(a[a$term])
  expect_equal(unname(J), unname(as.matrix(b[match(a$term, b$term), a$term])), tolerance = tolerance)
  first_levels <- function(sites) sites$sites[[1]]$reference[order(names(sites$sites[[1]]$reference))]
  expect_equal(first_levels(object), first_levels(want))
}

coded_models <- function() {
  list(
    lm = function(...) lm(y ~ g + x + flag + o, ..., data = coded_data()),
    interaction = function(...) lm(y ~ g * h * x + o, ..., data = coded_data()),
    glm = function(...) glm(died ~ o * x + g, binomial, ..., data = coded_data()),
    cox = if (requireNamespace("survival", quietly = TRUE)) function(...) {
      survival::coxph(survival::Surv(time, status) ~ g * h + x, data = coded_data())
    },
    nb = if (requireNamespace("MASS", quietly = TRUE)) function(...) {
      MASS::glm.nb(count ~ g + x + h, data = coded_data(), control = glm.control(1e-12, 100))
    },
    polr = if (requireNamespace("MASS", quietly = TRUE)) function(...) {
      MASS::polr(grade ~ g + x + h, data = coded_data(), Hess = TRUE)
    },
    lme = if (requireNamespace("nlme", quietly = TRUE)) function(...) {
      nlme::lme(y ~ g + x * h, random = ~ 1 | unit, data = coded_data(), method = "ML")
    },
    lmer = if (requireNamespace("lme4", quietly = TRUE)) function(...) {
      lme4::lmer(y ~ g + x * h + flag + (1 | unit), data = coded_data(), REML = FALSE)
    },
    gam = if (requireNamespace("mgcv", quietly = TRUE)) function(...) mgcv::gam(y ~ g * x + o, data = coded_data())
  )
}

test_that("estimates of a model with other contrasts are those with treatment contrasts", {
  models <- Filter(Negate(is.null), coded_models())
  for (name in names(models)) {
    # of numerical derivatives or a profiled likelihood covariances agree less
    tolerance <- c(polr = .02, lme = 1e-4, lmer = 1e-3)[name]
    if (is.na(tolerance)) tolerance <- 1e-6
    family <- if (name == "polr") "binomial" else if (name == "nb") "poisson"
    want <- with_contrasts("contr.treatment", suppressMessages(estimates(models[[name]](), family = family)))
    for (contrasts in OTHER_CONTRASTS) {
      got <- with_contrasts(contrasts, suppressMessages(models[[name]]()))
      expect_same_estimates(suppressMessages(estimates(got, family = family)), want, tolerance)
    }
  }
})

test_that("contrasts of single factors, other first levels and models without an intercept are translated", {
  d <- coded_data()
  want <- estimates(lm(y ~ g * x + h, d))
  same <- function(formula, ...) expect_same_estimates(estimates(lm(formula, d, ...)), want)
  same(y ~ g * x + h, contrasts = list(g = "contr.sum", h = contr.treatment(c("p", "q"), base = 2)))
  same(y ~ g * x + h, contrasts = list(g = contr.treatment(3, base = 3)))
  same(y ~ g * x + h, contrasts = list(g = cbind(one = c(1, 2, 4), two = c(0, 5, 1))))
  same(y ~ 0 + g * x + h)
  same(y ~ 0 + h + x + x:g + g)
  same(y ~ g + g:x + h)
  same(y ~ g / x + h)
  same(y ~ h + g + x:g - 1, contrasts = list(g = "contr.helmert"))
  expect_same_estimates(estimates(lm(y ~ g / h, d, contrasts = list(g = "contr.sum"))), estimates(lm(y ~ g * h, d)))
  expect_same_estimates(estimates(lm(y ~ g:h, d)), estimates(lm(y ~ g * h, d)))
  empty <- subset(d, !(g == "2" & h == "q"))
  expect_error(estimates(lm(y ~ g * h, empty, contrasts = list(g = "contr.sum"))), "cannot be translated",
               class = "transelect_error_x")
  names(d)[1] <- "my group"
  expect_same_estimates(estimates(lm(y ~ `my group` * x, d, contrasts = list(`my group` = "contr.sum"))),
                        estimates(lm(y ~ `my group` * x, d)))
})

# The quadratic of a source on the target's columns.
site_on_target <- function(model, fit, d) {
  sites <- estimates(model)$sites
  suppressMessages(estimates_match_site(sites[[1]], "far", fit$blueprint, "gaussian", NULL, d))[c("J", "g")]
}

test_that("a source in the coding of the target is that of the model fitted in it", {
  d <- coded_data()
  few <- coded_data(40, 2)
  formulas <- list(y ~ g + x, y ~ g * x + h, y ~ g * h + x:h + x, y ~ o + x, y ~ x + x:g)
  for (formula in formulas) {
    for (coding in c("contr.treatment", OTHER_CONTRASTS)) {
      fit <- with_contrasts(coding, tlcp(formula, few, select = FALSE))
      right <- with_contrasts(coding, lm(formula, d))
      V <- vcov(right)
      terms <- c(fit$blueprint$columns, "(Intercept)")
      J <- solve(V[terms, terms])
      for (other in c("contr.treatment", OTHER_CONTRASTS)) {
        got <- site_on_target(with_contrasts(other, lm(formula, d)), fit, few)
        expect_equal(got$J, unname(J), tolerance = 1e-8)
        expect_equal(got$g, unname(drop(J %*% coef(right)[terms])), tolerance = 1e-8)
      }
    }
  }
  # other first levels, and factors in another order in a product
  fit <- tlcp(y ~ g * x, few, select = FALSE)
  want <- site_on_target(lm(y ~ g * x, d), fit, few)
  expect_equal(site_on_target(lm(y ~ g * x, transform(d, g = relevel(g, "2"))), fit, few), want, tolerance = 1e-8)
  expect_equal(site_on_target(lm(y ~ x * g, d), fit, few), want, tolerance = 1e-8)
  expect_equal(site_on_target(lm(y ~ g / x, transform(d, g = relevel(g, "1"))), fit, few), want, tolerance = 1e-8)
  # a slope at the target's first level where only the source has an interaction
  fit <- tlcp(y ~ g + x, few, select = FALSE)
  expect_equal(site_on_target(lm(y ~ g * x, transform(d, g = relevel(g, "2"))), fit, few),
               site_on_target(lm(y ~ g * x, d), fit, few), tolerance = 1e-8)
})

test_that("a target without an intercept has the levels of the source", {
  d <- coded_data()
  few <- coded_data(60, 2)
  right <- lm(y ~ 0 + g + x, d)
  for (formula in list(y ~ g + x, y ~ 0 + g + x)) {
    for (contrasts in c("contr.treatment", "contr.sum")) {
      far <- with_contrasts(contrasts, lm(formula, d))
      borrowed <- suppressMessages(tlcp(y ~ 0 + g + x, few, sources = list(far = far), select = FALSE))$borrowed
      expect_equal(stats::setNames(borrowed$far, borrowed$term)[names(coef(right))], coef(right), tolerance = 1e-6)
    }
  }
})

test_that("levels that the source or the target lacks keep what is known of the others", {
  d <- coded_data()
  few <- coded_data(60, 2)
  some <- droplevels(subset(d, g != "0"))
  right <- lm(y ~ g + x, some) # its level 1 is the first
  fit <- with_contrasts("contr.sum", tlcp(y ~ g + x, few, select = FALSE))
  got <- site_on_target(right, fit, few)
  # by hand: columns of the target at the levels that the source has
  coding <- cbind(contr.sum(3)[c(2, 3), ])
  to <- rbind(c(coding[1, ], 0, 1), c(coding[2, ] - coding[1, ], 0, 0), c(0, 0, 1, 0))
  J <- solve(vcov(right))
  expect_equal(got$J, unname(crossprod(to, J %*% to)), tolerance = 1e-8)
  expect_equal(got$g, unname(drop(crossprod(to, J %*% coef(right)))), tolerance = 1e-8)
  # the target lacks a level: its effect there is maximised over
  two <- droplevels(subset(few, g != "2"))
  fit <- with_contrasts("contr.sum", tlcp(y ~ g + x, two, select = FALSE))
  got <- site_on_target(lm(y ~ g + x, d), fit, two)
  merged <- transform(d, more = g == "2", g = factor(ifelse(g == "2", "1", as.character(g))))
  want <- site_on_target(lm(y ~ g + x + more, merged), fit, two)
  expect_equal(solve(got$J, got$g), solve(want$J, want$g), tolerance = 1e-8)
})

test_that("poly() and scale() of other rows are translated, splines with other knots are refused", {
  d <- coded_data()
  few <- coded_data(40, 2)
  for (formula in list(y ~ poly(x, 2) + h, y ~ scale(x) + g, y ~ poly(x, 2) * h)) {
    fit <- tlcp(formula, few, select = FALSE)
    far <- lm(formula, d)
    got <- site_on_target(far, fit, few)
    b <- solve(got$J, got$g)
    x <- cbind(model.matrix(formula, few)[, fit$blueprint$columns], 1)
    expect_equal(drop(x %*% b), unname(predict(far, few)), tolerance = 1e-7, ignore_attr = TRUE)
    expect_equal(rowSums((x %*% solve(got$J)) * x), predict(far, few, se.fit = TRUE)$se.fit^2, tolerance = 1e-6,
                 ignore_attr = TRUE)
  }
  wiggly <- y ~ splines::ns(x, 3) + g
  expect_error(tlcp(wiggly, few, sources = list(far = lm(wiggly, d))), "depend on the rows",
               class = "transelect_error_sources")
  fixed <- y ~ splines::ns(x, knots = c(-1, 1), Boundary.knots = c(-3, 3)) + g
  expect_s3_class(suppressMessages(tlcp(fixed, few, sources = list(far = lm(fixed, d)))), "tlcp")
  numbers <- estimates(coef(lm(y ~ poly(x, 2), d)), vcov = vcov(lm(y ~ poly(x, 2), d)))
  expect_error(tlcp(y ~ poly(x, 2), few, sources = list(far = numbers)), "depend on the rows",
               class = "transelect_error_sources")
})

test_that("moments of a family with other contrasts are those with treatment contrasts", {
  d <- coded_data()
  few <- coded_data(60, 2)
  for (formula in list(died ~ g * h + x, survival::Surv(time, status) ~ g + h * x)) {
    family <- if (identical(formula[[2]], quote(died))) "binomial" else "cox"
    if (family == "cox") skip_if_not_installed("survival")
    send <- function() moments(formula, d, family = family)
    want <- with_contrasts("contr.treatment", send())
    fit <- function(sources) tlcp(formula, few, family = family, sources = sources, select = FALSE)
    for (contrasts in OTHER_CONTRASTS) {
      got <- with_contrasts(contrasts, send())
      expect_same_estimates(got, want, 1e-5)
      dummies <- grep("^[gh][0-9pq]+$", want$sites[[1]]$terms)
      expect_equal(got$sites[[1]]$mean, want$sites[[1]]$mean, tolerance = 1e-8)
      expect_equal(got$sites[[1]]$sd[dummies], want$sites[[1]]$sd[dummies], tolerance = 1e-8)
    }
    here <- with_contrasts("contr.sum", fit(got))
    other <- with_contrasts("contr.sum", fit(want))
    expect_equal(coef(here), coef(other), tolerance = 1e-4)
  }
})
