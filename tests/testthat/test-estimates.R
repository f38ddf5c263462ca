near <- function(a, b, tol = 1e-7) expect_lt(max(abs(unname(a) - unname(b))), tol)

two_sites <- function(seed, n = c(40, 90), p = 3) {
  set.seed(seed)
  R <- chol(.5^abs(outer(seq_len(p), seq_len(p), "-")))
  lapply(n, function(n) {
    x <- naive_standard(matrix(rnorm(n * p), n) %*% R)
    colnames(x) <- letters[seq_len(p)]
    y <- naive_standard(cbind(x %*% seq_len(p) / p + rnorm(n)))[, 1]
    data.frame(x, y = y, died = factor(ifelse(runif(n) < plogis(x[, 1]), "yes", "no")))
  })
}

test_that("estimates of least squares give the fit of the rows", {
  for (seed in 1:4) {
    d <- two_sites(seed)
    model <- lm(y ~ a + b + c, data = d[[2]])
    rows <- rbind(cbind(d[[1]], g = "here"), cbind(d[[2]], g = "there"))
    for (select in c(FALSE, TRUE)) {
      s2 <- c(.7, sigma(model)^2)
      by_rows <- tlcp(y ~ a + b + c, data = rows, domain = g, target = "here",
                      control = tlcp_control(sigma2 = s2, units = "common"),
                      select = select)
      fit <- tlcp(y ~ a + b + c, data = d[[1]], sources = list(there = estimates(model)),
                  control = tlcp_control(sigma2 = .7),
                  target = "here", select = select)
      near(fit$borrowing$tau2, by_rows$borrowing$tau2, 1e-7)
      near(coef(fit), coef(by_rows), 1e-7)
      near(coef(fit, domain = "there"), coef(by_rows, domain = "there"), 1e-7)
      expect_equal(fit$selected, by_rows$selected)
      near(fit$borrowing$lr, by_rows$borrowing$lr, 1e-6)
    }
  }
})

test_that("a likelihood beside estimates ends at the mode of both and the prior", {
  for (seed in 1:3) {
    d <- two_sites(seed, c(60, 200))
    model <- glm(died ~ a + b + c, binomial, d[[2]])
    V <- vcov(model)
    fit <- tlcp(died ~ a + b + c, data = d[[1]], family = binomial, sources = list(there = model),
                select = FALSE)
    w <- cbind(coef(fit)[-1], coef(fit, domain = "there")[-1])
    X <- as.matrix(d[[1]][c("a", "b", "c")])
    score <- crossprod(X, (d[[1]]$died == "yes") - plogis(coef(fit)[1] + X %*% w[, 1]))
    there <- solve(V, coef(model) - coef(fit, domain = "there"))[-1]
    near(cbind(score, there), naive_prior_pull(w, fit$borrowing), 1e-4)
    # the fit to the rows is near, since their likelihood is nearly quadratic
    rows <- rbind(cbind(d[[1]], g = "here"), cbind(d[[2]], g = "there"))
    by_rows <- tlcp(died ~ a + b + c, data = rows, family = binomial, domain = g, target = "here",
                    select = FALSE, control = tlcp_control(units = "common"))
    near(coef(fit), coef(by_rows), .1)
  }
})

test_that("sources stand beside rows of other domains, and in the families of the response", {
  d <- naive_family_data(1, n = 200)
  there <- naive_family_data(2, n = 300)
  model <- glm(count ~ a + b + c + d + offset(log(years)), poisson, there)
  fit <- tlcp(count ~ a + b + c + d, data = d, offset = log(years), family = "poisson", domain = g,
              target = "2", sources = list(far = model))
  expect_equal(names(fit$models), c("2", "1", "3", "far"))
  expect_equal(names(fit$borrowing$tau2), names(fit$models))
  near(coef(fit, domain = "far"), coef(model), .1)
  shared <- tlcp(count ~ a + b + c + d, data = d, offset = log(years), family = "poisson", domain = g,
                 target = "2", sources = list(far = model), control = tlcp_control(support = "shared"))
  expect_true(all(coef(shared, domain = "far")[-1][!names(coef(shared))[-1] %in% shared$selected] == 0))
  expect_error(tlcp(count ~ a + b, data = d, family = "poisson", sources = lm(count ~ a + b, there)),
               "family", class = "transelect_error_sources")
  skip_if_not_installed("survival")
  cox <- survival::coxph(survival::Surv(time, status) ~ a + b + c, there)
  fit <- tlcp(survival::Surv(time, status) ~ a + b + c, data = d[1:40, ], sources = list(far = cox))
  expect_true(all(is.finite(coef(fit))))
  expect_equal(estimates(cox)$sites[[1]]$events, cox$nevent)
  set.seed(1)
  cv <- cv_path(count ~ a + b, data = d, fit = tlcp, family = "poisson", sources = list(far = model), nfolds = 4)
  expect_true(all(is.finite(cv$cvm)))
})

test_that("many equal sources leave the target with their coefficients", {
  d <- two_sites(5, c(30, 2000))
  model <- glm(died ~ a + b + c, binomial, d[[2]])
  fit <- tlcp(died ~ a + b + c, data = d[[1]], family = binomial, select = FALSE,
              sources = list(one = model, two = model, three = model))
  near(coef(fit, domain = "one"), coef(model), .05)
  own <- coef(glm(died ~ a + b + c, binomial, d[[1]]))
  expect_lt(sum((coef(fit) - coef(model))^2), sum((own - coef(model))^2))
})

test_that("terms are matched by name, and the likelihood is maximised over the others", {
  d <- naive_family_data(3, n = 200)
  model <- glm(died ~ a + b + c + d, binomial, d)
  V <- vcov(model)
  wide <- estimates_match_site(estimates(model)$sites[[1]], "s", frame_design_new_blueprint("matrix", c("b", "new"), 2),
  "binomial", NULL)
  J <- solve(V[c("b", "(Intercept)"), c("b", "(Intercept)")])
  near(wide$J[c(1, 3), c(1, 3)], J, 1e-6)
  near(wide$g[c(1, 3)], J %*% coef(model)[c("b", "(Intercept)")], 1e-6)
  expect_equal(wide$J[2, ], numeric(3))
  x <- as.matrix(d[c("a", "b")])
  expect_message(tlcp(x, d$died, family = "binomial", sources = list(s = model)), "integrated out",
                 class = "transelect_message_sources")
  expect_message(tlcp(died ~ a + b + w, data = d, family = "binomial",
                      sources = list(s = glm(died ~ a + b, binomial, d))), "has no coefficient of")
})

test_that("estimates are written as tables and read back", {
  d <- naive_family_data(4)
  d$kind <- factor(d$g, labels = c("x", "y", "z"))
  sites <- c(a = estimates(glm(died ~ a + kind, binomial, d)),
             b = estimates(data.frame(term = c("a", "b"), estimate = c(.1, .2), std.error = c(.3, .4)),
                           n = 50, family = "binomial"))
  expect_named(sites, c("a", "b"))
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  write.csv(as.data.frame(sites), file, row.names = FALSE)
  expect_equal(estimates(read.csv(file)), sites)
  expect_equal(estimates(read.csv(file, check.names = FALSE)), sites)
  table <- as.data.frame(sites)
  expect_equal(table$std.error[1:4], unname(sqrt(diag(vcov(glm(died ~ a + kind, binomial, d))))))
  expect_output(print(sites), "count as independent")
  # broom's columns, several domains in one table
  both <- estimates(data.frame(domain = c("u", "v"), term = "a", estimate = 1:2, std.error = .5, p.value = 0))
  expect_named(both, c("u", "v"))
})

test_that("models of many kinds are read", {
  d <- naive_family_data(5)
  d$twice <- 2 * d$a
  aliased <- estimates(lm(years ~ a + twice + b, data = d))
  near(transelect:::estimates_site_coef(aliased$sites[[1]]), coef(lm(years ~ a + b, data = d)), 1e-8)
  expect_equal(aliased$sites[[1]]$family, "gaussian")
  own <- tlcp(died ~ a + b + c + d, data = d, family = binomial, domain = g, target = "1", select = FALSE)
  expect_equal(estimates(glm(success / total ~ a, quasibinomial, d, weights = total))$sites[[1]]$family, "binomial")
  skip_if_not_installed("nlme")
  mixed <- nlme::lme(years ~ a + b, random = ~ 1 | g, data = d)
  near(transelect:::estimates_site_coef(estimates(mixed)$sites[[1]]), nlme::fixef(mixed), 1e-8)
})

test_that("coefficients are source hypotheses of greedytl()", {
  d <- naive_family_data(6)
  d$kind <- factor(d$g, labels = c("x", "y", "z"))
  model <- glm(died ~ a + log(years) + kind + a:kind, binomial, d)
  same <- function(sources, new = d) {
    transelect:::sources_ask(transelect:::sources_make(sources, call = NULL), 1, new, nrow(new), NULL)[, 1]
  }
  near(same(estimates(model)), 2 * fitted(model) - 1)
  b <- c("(Intercept)" = 1, a = .5, kindz = -2)
  near(same(list(score = b)), 1 + .5 * d$a - 2 * (d$kind == "z"))
  fit <- greedytl(died ~ a + b, data = d, sources = list(score = b, model = estimates(model)))
  expect_setequal(fit$sources$names, c("score", "model"))
  expect_equal(length(predict(fit, d[1:5, ])), 5)
  expect_error(greedytl(as.matrix(d[c("a", "b")]), d$died, sources = list(s = c(zz = 1))), "no column")
  expect_error(sources(list(c(a = 1, a = 2))), class = "transelect_error_sources")
})

test_that("bad input is refused in words", {
  d <- naive_family_data(7)
  d$kind <- factor(d$g, labels = c("x", "y", "z"))
  V <- diag(2)
  expect_error(estimates(), class = "transelect_error_x")
  expect_error(estimates(c(1, 2), vcov = V), "names", class = "transelect_error_x")
  expect_error(estimates(c(a = 1, b = 2)), "Neither", class = "transelect_error_vcov")
  expect_error(estimates(c(a = 1, b = 2), vcov = -V), "positive definite", class = "transelect_error_vcov")
  expect_error(estimates(c(a = 1, b = 2), vcov = matrix(1, 2, 2)), class = "transelect_error_vcov")
  dimnames(V) <- rep(list(c("a", "z")), 2)
  expect_error(estimates(c(a = 1, b = 2), vcov = V), "no row named", class = "transelect_error_vcov")
  expect_error(estimates(c(a = 1, b = 2), se = c(1, 0)), class = "transelect_error_se")
  expect_error(estimates(data.frame(term = "a", OR = 2)), "estimate", class = "transelect_error_x")
  expect_error(estimates(stats::kmeans(d$a, 2)), "coef", class = "transelect_error_x")
  expect_error(estimates(glm(died ~ a, binomial("probit"), d)), "link", class = "transelect_error_x")
  fit <- function(...) tlcp(died ~ a + kind, data = d, family = "binomial", sources = list(...))
  other <- glm(died ~ a + kind, binomial, transform(d, kind = relevel(kind, "z")))
  expect_equal(coef(fit(s = other)), coef(fit(s = glm(died ~ a + kind, binomial, d))), tolerance = 1e-6)
  alone <- estimates(other, se = sqrt(diag(vcov(other))))
  expect_error(fit(s = alone), "another first level", class = "transelect_error_sources")
  expect_error(fit(s = estimates(c(a = 1, kindx = 2), se = 1:2)), "another level", class = "transelect_error_sources")
  expect_error(fit(s = estimates(c(q = 1), se = 1)), "none of the target's", class = "transelect_error_sources")
  expect_error(fit(s = c(a = 1)), "no standard errors", class = "transelect_error_sources")
  expect_error(fit(s = function(d) d$a), "function", class = "transelect_error_sources")
  expect_error(tlcp(died ~ a, data = d, family = "binomial", sources = cbind(s = d$b)), "predictions",
               class = "transelect_error_sources")
  model <- glm(died ~ a, binomial, d)
  expect_error(tlcp(died ~ a, data = d, family = "binomial", sources = list(model, s = model), borrow = "aggregate"),
               class = "transelect_error_borrow")
  expect_error(tlcp(years ~ a, data = d, sources = list(s = model)), "family", class = "transelect_error_sources")
  expect_error(tlcp(died ~ a, data = d, family = "binomial", domain = kind, target = "x", sources = list(x = model)),
               "share the name", class = "transelect_error_sources")
  expect_error(tlcp(died ~ a, data = d[0, ], family = "binomial", sources = model), class = "transelect_error")
})

test_that("numbers that look like ratios have a note, logarithms and models have none", {
  table <- data.frame(term = c("(Intercept)", "a", "b"), estimate = c(.01, .8, 1.3), std.error = c(1, .1, .1))
  note <- "transelect_message_ratios"
  expect_message(estimates(table, family = "cox"), "logarithms", class = note)
  expect_message(estimates(c(a = .8, b = 1.3), se = c(.1, .1), family = "binomial"), class = note)
  expect_quiet(estimates(transform(table, estimate = log(estimate)), family = "cox"), class = note)
  expect_quiet(estimates(table, family = "gaussian"), class = note)
  expect_quiet(estimates(table), class = note)
  d <- naive_family_data(1)
  paper <- estimates(table[-1, ])
  expect_message(tlcp(died ~ a + b, data = d, family = "binomial", sources = list(paper = paper), select = FALSE),
                 "coefficients of \"paper\"", class = note)
  # odds ratios taken for log odds lead away from the effects
  effects <- log(c(a = .5, b = 1.4))
  away <- vapply(1:5, function(seed) {
    rows <- with_seed(seed, data.frame(a = rnorm(30), b = rnorm(30), u = runif(30)))
    rows$died <- factor(rows$u < plogis(as.matrix(rows[c("a", "b")]) %*% effects))
    vapply(list(effects, exp(effects)), function(b) {
      fit <- suppressMessages(tlcp(died ~ a + b, data = rows, family = "binomial", select = FALSE,
                                   sources = estimates(b, se = c(.1, .1))))
      sum((coef(fit)[-1] - effects)^2)
    }, 0)
  }, numeric(2))
  expect_gt(sum(away[2, ]), 1.5 * sum(away[1, ]))
  model <- glm(died ~ a + b, family = binomial, data = d)
  model$coefficients[] <- 1
  expect_quiet(estimates(model), class = note)
})

test_that("moments without a family, and tables of moments with one, are sent to the right function", {
  counts <- moments(mpg ~ wt, data = mtcars)
  expect_error(tlcp(mpg ~ wt, mtcars, sources = list(a = counts)), "merge(theirs, ours)", fixed = TRUE)
  here <- moments(mpg ~ wt, data = subset(mtcars, am == 1), domain = am)
  there <- moments(mpg ~ wt, data = subset(mtcars, am == 0), domain = am)
  expect_equal(coef(tlcp(merge(there, here), target = "1")),
               coef(tlcp(mpg ~ wt, mtcars, domain = am, target = "1")), tolerance = 1e-8)
  table <- as.data.frame(moments(am ~ wt, data = mtcars, family = "binomial"))
  expect_error(moments(table), "estimates()", fixed = TRUE, class = "transelect_error_x")
})

test_that("levels of a factor that only sources know are kept, as columns of zeros written by hand are", {
  set.seed(3)
  n <- 240
  d <- data.frame(g = rep(c("here", "north", "south"), n / 3), a = rnorm(n), f = sample(c("u", "v", "w"), n, TRUE))
  d$y <- rbinom(n, 1, plogis(.5 * d$a + (d$f == "w")))
  d$z <- d$a + 2 * (d$f == "w") + rnorm(n)
  away <- d[d$g != "here", ]
  by_hand <- function(data) transform(data, fv = as.numeric(f == "v"), fw = as.numeric(f == "w"))
  for (lost in c("w", "u")) { # one of them the first level
    here <- transform(d[d$g == "here", ], f = ifelse(f == lost, "v", f))
    for (sources in list(moments(y ~ a + f, data = away, domain = g, family = "binomial"),
                         list(away = glm(y ~ a + f, binomial, away)))) {
      fit <- function(formula, data, ...) {
        suppressMessages(tlcp(formula, data = data, family = binomial, sources = sources, select = FALSE, ...))
      }
      found <- fit(y ~ a + f, here)
      expect_named(coef(found), c("(Intercept)", "a", "fv", "fw"))
      expect_true(all(coef(found) != 0))
      expect_equal(coef(found), coef(fit(y ~ a + fv + fw, by_hand(here))), tolerance = 1e-8)
      expect_equal(coef(fit(y ~ . - g - z, here)), coef(found), tolerance = 1e-8)
      new <- data.frame(a = 0, f = c("u", "v", "w"))
      expect_equal(unname(predict(found, new, type = "link")),
                   unname(coef(found)[[1]] + c(0, coef(found)[c("fv", "fw")])), tolerance = 1e-10)
      expect_equal(rownames(confint(found)), names(coef(found)))
      cv <- suppressMessages(cv_path(y ~ a + f, here, fit = tlcp, family = binomial, sources = sources, select = FALSE,
                                     foldid = rep_len(1:3, nrow(here))))
      expect_equal(coef(cv$fit), coef(found), tolerance = 1e-8)
      around <- suppressMessages(cv_path(y ~ a + f, here, fit = function(x, ...) tlcp(x, ...), family = binomial,
                                         sources = sources, select = FALSE, foldid = rep_len(1:3, nrow(here))))
      expect_equal(coef(around$fit), coef(found), tolerance = 1e-8)
      expect_equal(around$cvm, cv$cvm, tolerance = 1e-8)
    }
    known <- list(away = lm(z ~ a + f, away))
    numbers <- suppressMessages(tlcp(here[c("a", "f")], here$z, sources = known, select = FALSE))
    expect_named(coef(numbers), c("(Intercept)", "a", "fv", "fw"))
    distance <- suppressMessages(dissimilarity(y ~ a + f, here, sources = sources, family = binomial, draws = 0))
    hand <- suppressMessages(dissimilarity(y ~ a + fv + fw, by_hand(here), sources = sources, family = binomial,
                                           draws = 0))
    expect_equal(distance$lr, hand$lr, tolerance = 1e-6)
    whole <- suppressMessages(tlcp(y ~ a * f, data = here, family = binomial, sources = sources, select = TRUE))
    expect_true(all(c("fv", "fw", "a:fv", "a:fw") %in% names(coef(whole))))
    # a level of a factor enters with all its levels
    expect_true(sum(coef(whole)[c("fv", "fw")] != 0) %in% c(0, 2))
  }
  # a factor whose name is the beginning of another factor's name
  away$fa <- rep(c("s", "t", "u"), length.out = nrow(away))
  two <- here
  two$fa <- rep(c("s", "t"), length.out = nrow(two))
  sources <- list(away = glm(y ~ f + fa, binomial, away))
  both <- suppressMessages(tlcp(y ~ f + fa, two, family = binomial, sources = sources, select = FALSE))
  expect_named(coef(both), c("(Intercept)", "fv", "fw", "fat", "fau"))
  sources <- moments(y ~ a + f, data = away, domain = g, family = "binomial")
  sums <- suppressMessages(tlcp(y ~ a + f, data = here, family = binomial, sources = sources, select = FALSE))
  expect_equal(sums$blueprint$xlevels$f, c("u", "v", "w"))
})

test_that("the intercept may have the name that other packages give it, in coefficients, errors and covariances", {
  V <- matrix(c(4, .1, .1, 1), 2)
  plain <- as.data.frame(estimates(c("(Intercept)" = 1, age = 2), vcov = V))
  for (name in c("Intercept", "const")) {
    named <- V
    dimnames(named) <- rep(list(c(name, "age")), 2)
    b <- stats::setNames(1:2, c(name, "age"))
    expect_equal(as.data.frame(estimates(b, vcov = named[2:1, 2:1])), plain)
    expect_equal(as.data.frame(estimates(b, se = stats::setNames(1:2, c("age", name))))$std.error, 2:1)
    expect_equal(as.data.frame(estimates(data.frame(term = names(b), estimate = 1:2), vcov = named))$gradient,
                 plain$gradient)
  }
  # where the intercept has its own name, another term may be called so
  both <- estimates(c("(Intercept)" = 1, const = 2), se = c(1, 1))
  expect_equal(as.data.frame(both)$term, c("(Intercept)", "const"))
})

test_that("a model of unknown family is not taken as one of the target's", {
  skip_if_not_installed("MASS")
  cars <- transform(mtcars, am = factor(am), cyl = factor(cyl))
  ordinal <- MASS::polr(cyl ~ wt, data = cars, Hess = TRUE)
  for (target in list(am ~ wt, mpg ~ wt)) {
    expect_error(tlcp(target, data = cars, family = if (target[[2]] == "am") "binomial", sources = list(p = ordinal)),
                 "polr", class = "transelect_error_sources")
    expect_error(tlcp(target, data = cars, family = if (target[[2]] == "am") "binomial",
                      sources = estimates(as.data.frame(estimates(ordinal)))), class = "transelect_error_sources")
  }
  told <- estimates(ordinal, family = "binomial")
  expect_s3_class(tlcp(am ~ wt, data = cars, family = "binomial", sources = list(p = told)), "tlcp")
  skip_if_not_installed("survival")
  times <- survival::survreg(survival::Surv(time, status) ~ age, survival::lung) # of another sign than a Cox model
  expect_error(tlcp(survival::Surv(time, status) ~ age + sex, data = survival::lung, sources = list(s = times)),
               "survreg", class = "transelect_error_sources")
})

test_that("ratios with limits as papers print them give nearly the fit of the estimates", {
  d <- naive_family_data(3)
  model <- glm(died ~ a + b + c, family = binomial, data = d)
  b <- coef(model)[-1]
  ratios <- exp(cbind(b, confint.default(model)[-1, ]))
  fit <- function(source) {
    suppressMessages(tlcp(died ~ a + b + c, data = d[1:40, ], family = "binomial", sources = list(paper = source),
                          select = FALSE))
  }
  exact <- fit(estimates(b, se = sqrt(diag(vcov(model)))[-1], family = "binomial"))
  note <- "transelect_message_estimates"
  for (printed in list(round(ratios, 2), signif(ratios, 3), ratios)) {
    table <- data.frame(term = names(b), OR = printed[, 1], `2.5 %` = printed[, 2], `97.5 %` = printed[, 3],
                        check.names = FALSE)
    expect_message(read <- estimates(table), "Read as ratios with 95 %", class = note)
    expect_equal(read$sites[[1]]$family, "binomial")
    near(coef(fit(read)), coef(exact), .01)
    told <- suppressMessages(estimates(printed[, 1], lower = printed[, 2], upper = printed[, 3], ratio = TRUE,
                                       family = "binomial"))
    expect_equal(as.data.frame(told)$std.error, as.data.frame(read)$std.error)
  }
  near(coef(fit(read)), coef(exact), 1e-6)
  text <- data.frame(term = names(b), OR = sprintf("%.3f (%.3f to %.3f)", ratios[, 1], ratios[, 2], ratios[, 3]))
  near(tidy(suppressMessages(estimates(text)))$estimate, unname(b), 2e-3)
  # limits rounded to two decimals say more together than alone: .03 (.01 to .12)
  small <- suppressMessages(tidy(estimates(c(a = .03), lower = .01, upper = .12, ratio = TRUE)))
  expect_equal(small$std.error, log(.12 / .03) / qnorm(.975), tolerance = .1)
  # of another level, and of differences
  ninety <- exp(cbind(b, confint.default(model, level = .9)[-1, ]))
  near(tidy(suppressMessages(estimates(ninety[, 1], lower = ninety[, 2], upper = ninety[, 3], level = .9)))$std.error,
       unname(sqrt(diag(vcov(model)))[-1]), 1e-6)
  expect_message(plain <- estimates(c(a = -1, b = .5), lower = c(-2, .1), upper = c(0, .9)), "not ratios", class = note)
  expect_equal(tidy(plain)$std.error, c(1, .4) / qnorm(.975))
})

test_that("limits beside standard errors show that a table has ratios, and tables of others are read", {
  d <- naive_family_data(3)
  model <- glm(died ~ a + b, family = binomial, data = d)
  table <- data.frame(term = names(coef(model)), estimate = coef(model), std.error = sqrt(diag(vcov(model))),
                      conf.low = confint.default(model)[, 1], conf.high = confint.default(model)[, 2])
  ratios <- table
  ratios[c(2, 4, 5)] <- exp(table[c(2, 4, 5)])
  expect_quiet(logs <- estimates(table), class = "transelect_message_estimates")
  expect_message(read <- estimates(ratios), "Read as ratios", class = "transelect_message_estimates")
  near(as.data.frame(read)$std.error, as.data.frame(logs)$std.error, 1e-6)
  skip_if_not_installed("survival")
  cox <- survival::coxph(survival::Surv(time, status) ~ age + sex, survival::lung)
  read <- suppressMessages(estimates(summary(cox)$conf.int))
  expect_null(read$sites[[1]]$family)
  near(tidy(read)$estimate, unname(coef(cox)), 1e-6)
  near(tidy(read)$std.error, unname(sqrt(diag(vcov(cox)))), 1e-6)
})

test_that("impossible ratios and limits are refused in words", {
  read <- function(b, low, high, ...) suppressMessages(estimates(c(a = b), lower = low, upper = high, ...))
  expect_error(read(2, 2.5, 4), "far from the middle", class = "transelect_error_x")
  expect_error(read(2, 1.9, 4, ratio = TRUE), "far from the middle", class = "transelect_error_x")
  expect_error(read(2, 0, 4, ratio = TRUE), "not positive", class = "transelect_error_x")
  expect_error(read(-.5, -1, 2, ratio = TRUE), "not positive", class = "transelect_error_x")
  expect_error(read(2, 4, 1), "wrong order", class = "transelect_error_x")
  expect_error(read(2, NA_real_, 4), "missing", class = "transelect_error_x")
  expect_error(read(1.1, 1, 1.2), "are ratios or logarithms", class = "transelect_error_ratio")
  expect_error(read(2, 1, 4, se = 1), class = "transelect_error_se")
  expect_error(estimates(c(a = 2), lower = 1:2, upper = 3), class = "transelect_error_lower")
  expect_error(estimates(c(a = 2), se = 1, ratio = TRUE), "no confidence limits", class = "transelect_error_ratio")
  expect_error(estimates(data.frame(term = "a", HR = 2)), "without confidence limits", class = "transelect_error_x")
  expect_error(estimates(data.frame(term = "a", HR = 2, low = 1, high = 4), family = "binomial"),
               class = "transelect_error_family")
  expect_error(estimates(data.frame(term = "a", HR = "2 (1)")), "0.60", class = "transelect_error_x")
  expect_message(estimates(c(a = 2), lower = 1.1, upper = 3, ratio = TRUE), "not symmetric",
                 class = "transelect_message_estimates")
})

test_that("a model whose coefficients cannot be borrowed is named as one of `sources`", {
  inverse <- glm(mpg ~ hp, data = mtcars, family = Gamma)
  expect_error(tlcp(mpg ~ hp + wt, data = mtcars, sources = list(old = inverse)), "\"old\" of `sources`.*inverse",
               class = "transelect_error_sources")
})

test_that("a header such as OR (95% CI) is that of its first word", {
  printed <- c("2.1 (1.57 to 2.82)", "1.6 (1.08 to 2.37)")
  plain <- suppressMessages(estimates(data.frame(term = c("a", "b"), OR = printed)))
  for (header in c("OR (95% CI)", "OR [95 % CI]", "aOR, 95% CI")) {
    table <- stats::setNames(data.frame(c("a", "b"), printed), c("term", header))
    expect_equal(suppressMessages(estimates(table)), plain, ignore_attr = TRUE)
  }
})

test_that("estimates are not merged but combined", {
  d <- data.frame(x = c(1, 3, 2, 5, 4, 6), y = c(0, 1, 0, 1, 1, 0))
  e <- estimates(glm(y ~ x, binomial, d))
  expect_error(merge(e, e), "c(x, y)", fixed = TRUE, class = "transelect_error_y")
})
