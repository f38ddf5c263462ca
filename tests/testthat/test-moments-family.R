near <- function(a, b, tol = 1e-7) expect_lt(max(abs(unname(a) - unname(b))), tol)

formulas <- list(binomial = died ~ a + b + c + d, poisson = count ~ a + b + c + offset(log(years)),
                 cox = survival::Surv(start, time, status) ~ a + b + c)

test_that("at its own optimum a site's moments are the coefficients and covariance of its model", {
  d <- naive_family_data(1)
  site <- moments(died ~ a + b + d, data = d, family = "binomial", weights = w)$sites[[1]]
  model <- glm(died ~ a + b + d, binomial, d, weights = w)
  near(estimates_site_coef(site), coef(model), 1e-6)
  near(solve(estimates_site_information(site)), vcov(model), 1e-5)
  expect_equal(c(site$n, site$events), c(120, sum((d$died == "yes") * d$w)))
  weighted_sd <- function(v) sqrt(cov.wt(cbind(v), d$w / sum(d$w), method = "ML")$cov * 120 / 119)
  near(site$sd[-1], apply(d[c("a", "b", "d")], 2, weighted_sd), 1e-8)
  totals <- moments(as.matrix(d[c("a", "b")]), cbind(d$success, d$total - d$success), family = "binomial")
  near(estimates_site_coef(totals$sites[[1]]), coef(glm(cbind(success, total - success) ~ a + b, binomial, d)), 1e-6)
  counts <- moments(count ~ a + b, data = d, family = poisson, offset = log(years))
  near(estimates_site_coef(counts$sites[[1]]), coef(glm(count ~ a + b, poisson, d, offset = log(years))), 1e-6)
  skip_if_not_installed("survival")
  Surv <- survival::Surv
  strata <- survival::strata
  cox <- moments(Surv(start, time, status) ~ a + b + strata(g), data = d, family = "cox")$sites[[1]]
  model <- survival::coxph(Surv(start, time, status) ~ a + b + strata(g), d)
  near(estimates_site_coef(cox), coef(model), 1e-6)
  near(solve(estimates_site_information(cox)), vcov(model), 1e-6)
})

test_that("further rounds lead from site summaries to the fit on all rows", {
  skip_if_not_installed("survival")
  d <- naive_family_data(4, n = 260)
  for (family in names(formulas)) {
    f <- formulas[[family]]
    for (units in c("common", "own")) {
      whole <- tlcp(f, data = d, family = family, domain = g, target = "1",
                    control = tlcp_control(dispersion = 1, units = units, guard = FALSE), select = FALSE)
      sent <- moments(f, data = d[d$g != 1, ], domain = g, family = family)
      apart <- numeric()
      for (round in 1:5) {
        fit <- tlcp(f, data = d[d$g == 1, ], family = family, target = "1", sources = sent, select = FALSE,
                    control = tlcp_control(units = units, guard = FALSE))
        apart[round] <- max(abs(coef(fit) - coef(whole)))
        sent <- moments(f, data = d[d$g != 1, ], domain = g, family = family,
                        at = list(`2` = coef(fit, domain = "2"), `3` = coef(fit, domain = "3")))
      }
      expect_lt(apart[1], .1)
      expect_lt(apart[2], .001)
      expect_lt(apart[5], 1e-7)
      near(fit$borrowing$tau2, whole$borrowing$tau2, 1e-6)
      near(vcov(fit), vcov(whole), 1e-6)
    }
  }
})

test_that("print() of a fit from site summaries writes the call of the next round", {
  d <- naive_family_data(4, n = 260)
  f <- formulas$binomial
  here <- d[d$g == 1, ]
  sent <- moments(f, data = d[d$g != 1, ], domain = g, family = "binomial")
  fit <- tlcp(f, data = here, family = "binomial", sources = sent, select = FALSE)
  said <- printed(fit)
  expect_match(said, "transfer: the target (", fixed = TRUE)
  expect_match(said, "after a few rounds")
  expect_match(said, 'moments(formula, rows, family = "binomial", at = coef(fit, domain = "2")) at 2, and likewise at',
               fixed = TRUE)
  again <- moments(f, data = d[d$g == 2, ], family = "binomial", at = coef(fit, domain = "2"))
  fit <- tlcp(f, data = here, family = "binomial", sources = list(two = again), select = FALSE)
  expect_match(printed(fit), "at given coefficients: repeat until coef() no longer", fixed = TRUE)
  expect_identical(picture_of(plot(fit, "borrowed"))$title, "What the target borrowed")
  # published coefficients have no rows at which another round could expand
  paper <- estimates(c(a = .5, b = -.2), se = c(.1, .1), family = "binomial")
  fit <- suppressMessages(tlcp(f, data = here, family = "binomial", sources = list(paper = paper), select = FALSE))
  expect_null(family_object_rounds_lines(fit))
})

test_that("moments of survival times or of totals name the family", {
  skip_if_not_installed("survival")
  d <- naive_family_data(1)
  Surv <- survival::Surv
  lacks <- function(code, family) {
    expect_error(code, paste0("family = \"", family), class = "transelect_error_y")
  }
  lacks(moments(Surv(time, status) ~ a, data = d), "cox")
  lacks(moments(as.matrix(d[c("a", "b")]), Surv(d$time, d$status)), "cox")
  lacks(moments(cbind(success, total - success) ~ a, data = d), "binomial")
})

test_that("a site's moments are small, and a table brings them back", {
  set.seed(1)
  x <- matrix(rnorm(500 * 30), 500, dimnames = list(NULL, paste0("feature", 1:30)))
  site <- moments(x, rbinom(500, 1, .5), family = "binomial")
  expect_lt(object.size(site), 1e4)
  expect_lt(length(serialize(site, NULL)), 1e4)
  expect_equal(estimates(as.data.frame(site)), site)
  expect_setequal(names(site$sites[[1]]), c("terms", "J", "g", "n", "events", "exposure", "family", "full", "mean",
                                            "sd", "reference", "about"))
  expect_output(print(site), "500 rows")
  both <- c(here = site, there = site)
  expect_named(both, c("here", "there"))
})

test_that("a separated or collinear site is expanded where it is told", {
  d <- naive_family_data(5)
  d$died <- ifelse(d$a > 0, "yes", "no")
  expect_error(moments(died ~ a + b, data = d, family = "binomial"), "at", class = "transelect_error_family")
  zero <- c("(Intercept)" = 0, a = 0, b = 0)
  site <- moments(died ~ a + b, data = d, family = "binomial", at = zero)
  near(estimates_site_information(site$sites[[1]]), crossprod(cbind(1, d$a, d$b)) / 4, 1e-8)
  near(site$sites[[1]]$g, crossprod(cbind(1, d$a, d$b), (d$died == "yes") - .5), 1e-8)
  d$twice <- 2 * d$b
  d$died <- naive_family_data(5)$died
  site <- moments(died ~ a + b + twice, data = d, family = "binomial")
  expect_true(all(is.na(as.data.frame(site)$estimate)))
  fit <- tlcp(died ~ a + b + twice, data = d, family = "binomial", sources = site, select = FALSE)
  expect_true(all(is.finite(coef(fit))))
})

test_that("bad input is refused in words", {
  d <- naive_family_data(6)
  expect_warning(moments(died ~ a, data = d[1:8, ], family = "binomial"), "disclose",
                 class = "transelect_warning_disclosure")
  pair <- d[c(which(d$died == "yes")[1], which(d$died == "no")[1]), ]
  site <- suppressWarnings(moments(died ~ a, data = pair, family = "binomial", at = c("(Intercept)" = 0, a = 0)))
  site <- site$sites[[1]]
  mean <- 2 * estimates_site_information(site)[1, 2]
  near(mean + c(1, -1) * site$g[2], pair$a, 1e-8) # the rows themselves
  expect_error(moments(died ~ a, data = d, family = "binomial", fold = g), class = "transelect_error_fold")
  expect_error(moments(years ~ a, data = d, at = c(a = 1)), class = "transelect_error_at")
  expect_error(moments(died ~ a, data = d, family = "binomial", at = c(a = 1)), "no coefficient",
               class = "transelect_error_at")
  expect_error(moments(died ~ a, data = d, domain = g, family = "binomial", at = list(x = 1)),
               class = "transelect_error_at")
  expect_error(moments(count ~ a, data = transform(d, count = 0), family = "poisson"), "no events")
  expect_error(moments(died ~ a, data = function(reset) d, family = "binomial"), class = "transelect_error_data")
})

test_that("moments of a likelihood in the place of data are told to be sources", {
  site <- moments(am ~ wt, data = mtcars, family = "binomial")
  for (fit in list(greedytl, tgreedy, tlcp, msplit, shareboost, cv_path, dissimilarity, selection_frequency)) {
    expect_error(fit(site), "rows of the target.*family = \"binomial\", sources =", class = "transelect_error_x")
  }
  expect_error(tlcp(estimates(lm(mpg ~ wt, mtcars))), "data, sources =", class = "transelect_error_x")
})
