near <- function(a, b, tol = 1e-7) expect_lt(max(abs(unname(a) - unname(b))), tol)

test_that("without borrowing standard errors are those of lm(), glm() and coxph()", {
  d <- naive_family_data(1)
  fit <- tlcp(years ~ a + b + c + d, data = d, weights = w, criterion = "BIC", keep = "a")
  model <- lm(reformulate(fit$selected, "years"), data = d, weights = w)
  near(vcov(fit), vcov(model), 1e-10)
  near(confint(fit)[names(coef(model)), ], confint(model), 1e-10)
  expect_true(all(is.na(confint(fit)[setdiff(names(coef(fit)), names(coef(model))), ])))
  expect_equal(rownames(confint(fit, "a")), "a")
  near(vcov(fit, step = 2), vcov(lm(reformulate(variable.names(fit, step = 2), "years"), d, weights = w)), 1e-10)
  fit <- tlcp(died ~ a + b + c + d, data = d, family = binomial)
  model <- glm(reformulate(fit$selected, "died"), binomial, d)
  near(vcov(fit), vcov(model), 1e-6)
  table <- tidy(fit, step = fit$best, conf.int = TRUE, exponentiate = TRUE, conf.level = .9)
  near(table$estimate, exp(coef(model)), 1e-6)
  near(table$std.error, sqrt(diag(vcov(model))), 1e-6)
  near(table$conf.low, exp(confint.default(model, level = .9)[, 1]), 1e-5)
  skip_if_not_installed("survival")
  fit <- tlcp(survival::Surv(time, status) ~ a + b + d, data = d, select = FALSE)
  near(vcov(fit), vcov(survival::coxph(survival::Surv(time, status) ~ a + b + d, d)), 1e-6)
})

# What tlcp_posterior_of_path() returns, of p slopes without level or units, from random moments of each domain.
posterior_example <- function(n_domains, p = 3, scales = rep(1, p), alone = NULL) {
  set.seed(n_domains)
  G <- lapply(seq_len(n_domains), function(t) crossprod(matrix(rnorm(20 * p), 20)))
  domains <- lapply(G, function(G) list(G = G, g = drop(G %*% rnorm(p, 0, .5)), level = FALSE))
  tau2 <- rep_len(c(.1, .2, .05), n_domains)
  s2 <- seq(1, 2, length.out = n_domains)
  common <- rep(.4, p)
  own <- matrix(tau2, p, n_domains, byrow = TRUE)
  if (!is.null(alone)) {
    common[alone] <- 1e-5
    own[alone, 1] <- .3
  }
  root <- tcrossprod(sqrt(scales))
  list(A = G[[1]] * root / s2[1] + diag(1 / (common + own[, 1])), n_domains = 1L, level = FALSE, unit = rep(1, p),
       x_mean = numeric(p), y_scale = 1, constant = 0, sets = matrix(TRUE, p, 1),
       prior = list(domains = domains, s2 = s2, size = .6, alone = alone,
                    borrowing = list(common = common, own = own, scales = scales, tau2 = tau2)))
}

# The target's coefficients by dense Gaussian algebra of all domains, where prior variances are common and own and the
# prior of feature i is multiplied by s[i].
posterior_dense <- function(prior, common, own, s = rep(1, length(common))) {
  p <- length(common)
  n_domains <- ncol(own)
  root <- sqrt(prior$borrowing$scales)
  P <- kronecker(matrix(1, n_domains, n_domains), diag(common * s)) + diag(c(own * s))
  H <- lapply(seq_len(n_domains), function(t) prior$domains[[t]]$G * tcrossprod(root) / prior$s2[t])
  g <- unlist(lapply(seq_len(n_domains), function(t) prior$domains[[t]]$g * root / prior$s2[t]))
  V <- solve(as.matrix(Matrix::bdiag(H)) + solve(P))
  list(log_lik = (sum(g * (V %*% g)) + determinant(V)$modulus - determinant(P)$modulus) / 2,
       mean = drop(V %*% g)[1:p], V = V[1:p, 1:p])
}

test_that("the mixture is that of dense Gaussian algebra at every component", {
  for (n_domains in c(2, 3, 9)) {
    posterior <- posterior_example(n_domains)
    prior <- posterior$prior
    found <- tlcp_posterior_mixtures(posterior, 1L)[[1]]
    size <- prior$size
    error <- mean(prior$s2[1] / diag(prior$domains[[1]]$G))
    omega2 <- min(.4, error / 4)
    omega2 <- omega2 * 4^(0:ceiling(log(64 * error / omega2) / log(4) - 1e-9))
    pattern <- log(prior$borrowing$tau2) - mean(log(prior$borrowing$tau2))
    cauchy <- 2^(-6:4) / (1 + 4^(-6:4))
    all <- list()
    for (common in omega2) for (f in 1:11) for (k in 0:7) {
      log_tau2 <- pattern + 2 * log(size * 2^(f - 7))
      log_tau2[1] <- mean(log_tau2[-1]) + 2 * k
      one <- posterior_dense(prior, rep(common, 3), matrix(exp(log_tau2), 3, n_domains, byrow = TRUE))
      one$log_weight <- one$log_lik + log(.8 * cauchy[f] / sum(cauchy) / 8 + if (f == 1 && k == 0) .2 else 0) +
        log(common) / 2 - log1p(common / size^2)
      all <- c(all, list(one))
    }
    weight <- exp(vapply(all, `[[`, 0, "log_weight") - max(vapply(all, `[[`, 0, "log_weight")))
    kept <- weight >= 1e-4
    near(found$weights, weight[kept] / sum(weight[kept]), 1e-8)
    here <- posterior_dense(prior, prior$borrowing$common, prior$borrowing$own)
    factor <- sqrt(diag(solve(posterior$A)) / diag(here$V))
    near(found$away[-1, ], factor * (sapply(all[kept], `[[`, "mean") - here$mean), 1e-8)
    near(found$variance[-1, ], factor^2 * sapply(all[kept], function(one) diag(one$V)), 1e-8)
    V <- Reduce(`+`, Map(function(one, w) w * (one$V + tcrossprod(one$mean - here$mean)), all[kept], found$weights))
    V <- V * tcrossprod(factor)
    near(found$V[-1, -1], V, 1e-8)
    near(tlcp_posterior_mixtures(posterior, 1L, diagonal = TRUE)[[1]]$V, diag(found$V), 1e-12)
  }
})

# Shares of the precision of each slope, columns rows, other domains and shrinkage, by dense Gaussian algebra.
posterior_dense_shares <- function(prior, common, own) {
  others <- prior
  others$domains[[1]]$G[] <- others$domains[[1]]$g[] <- 0
  H <- prior$domains[[1]]$G / prior$s2[1]
  P <- solve(posterior_dense(others, common, own)$V)
  P0 <- diag(1 / (common + own[, 1]))
  V <- solve(H + P)
  cbind(diag(V %*% H %*% V), diag(V %*% (P - P0) %*% V), diag(V %*% P0 %*% V)) / diag(V)
}

test_that("shares of the precision are those of dense Gaussian algebra", {
  for (n_domains in c(2, 3, 9)) for (alone in list(NULL, c(1L, 3L))) {
    posterior <- posterior_example(n_domains, alone = alone)
    prior <- posterior$prior
    posterior$prior$estimated <- TRUE
    shares <- tlcp_posterior_mixtures(posterior, 1L)[[1]]$shares[-1, ]
    near(rowSums(shares), rep(1, 3), 1e-12)
    want <- posterior_dense_shares(prior, prior$borrowing$common, prior$borrowing$own)
    near(shares[, 1], want[, 1], 1e-8)
    near(tlcp_shares_of_others(shares), want[, 2], 1e-8)
    near(shares[, n_domains + 1], want[, 3], 1e-8)
    if (is.null(alone)) next
    found <- tlcp_posterior_mixtures(replace(posterior, "prior", list(prior)), 1L)[[1]]
    each <- lapply(2^(-4:4), function(factor) {
      own <- prior$borrowing$own
      own[alone, 1] <- own[alone, 1] * factor
      posterior_dense_shares(prior, prior$borrowing$common, own)
    })
    near(found$shares[-1, c(1, n_domains + 1)], Reduce(`+`, Map(`*`, each, found$weights))[, c(1, 3)], 1e-8)
  }
})

test_that("the part of a domain is that of its information where columns are orthogonal", {
  prior <- list(domains = lapply(c(20, 30, 90), function(n) list(G = diag(n, 2), g = c(n, -n), level = FALSE)),
                s2 = c(1, 1, 1.5), size = 1, estimated = TRUE,
                borrowing = list(common = c(.5, .5), own = matrix(c(.1, .2, .05), 2, 3, byrow = TRUE), scales = c(1, 1),
                                 tau2 = c(.1, .2, .05)))
  M <- 1 / (c(.2, .05) + c(1 / 30, 1.5 / 90))
  parts <- c(20, 1 / (1 / (1 / .5 + sum(M)) + .1) - 1 / .6, 1 / .6)
  posterior <- list(A = diag(sum(parts), 2), n_domains = 1L, level = FALSE, unit = c(1, 1), x_mean = c(0, 0),
                    y_scale = 1, constant = 0, sets = matrix(TRUE, 2, 1), prior = prior)
  shares <- tlcp_posterior_mixtures(posterior, 1L)[[1]]$shares[-1, ]
  want <- c(parts[1], parts[2] * M / sum(M), parts[3]) / sum(parts)
  near(shares, rep(want, each = 2), 1e-10)
})

test_that("of slopes that are unrelated the variance alone is averaged over", {
  posterior <- posterior_example(3, alone = c(1L, 3L))
  prior <- posterior$prior
  found <- tlcp_posterior_mixtures(posterior, 1L)[[1]]
  all <- lapply(2^(-4:4), function(factor) {
    own <- prior$borrowing$own
    own[c(1, 3), 1] <- own[c(1, 3), 1] * factor
    one <- posterior_dense(prior, prior$borrowing$common, own)
    c(one, log_weight = one$log_lik + log(factor) / 2)
  })
  log_weight <- vapply(all, `[[`, 0, "log_weight")
  weight <- exp(log_weight - max(log_weight))
  expect_true(all(weight >= 1e-4))
  near(found$weights, weight / sum(weight), 1e-8)
  here <- posterior_dense(prior, prior$borrowing$common, prior$borrowing$own)
  near(found$variance[-1, ], diag(solve(posterior$A)) / diag(here$V) * sapply(all, function(one) diag(one$V)), 1e-8)
})

test_that("limits are quantiles of the mixture over the borrowing prior, written out, and the variance is its own", {
  d <- naive_family_data(3, n = 240)
  fit <- tlcp(years ~ a + b + c, d, domain = g, target = "1", select = FALSE,
              control = tlcp_control(scales = FALSE, units = "common", guard = FALSE, own = 0))
  posterior <- fit$posterior[[1]]
  spread <- posterior$prior
  p <- 3
  others <- seq_along(spread$domains)[-1]
  H <- lapply(seq_along(spread$domains), function(t) spread$domains[[t]]$G / spread$s2[t])
  g <- sapply(seq_along(H), function(t) spread$domains[[t]]$g / spread$s2[t])
  q <- nrow(H[[1]])
  size <- spread$size
  pattern <- log(spread$borrowing$tau2) - mean(log(spread$borrowing$tau2))
  found <- list()
  errors <- mean(1 / diag(H[[1]])[1:p])
  omega2 <- min(spread$borrowing$common[1], errors / 4)
  omega2 <- omega2 * 4^(0:ceiling(log(64 * errors / omega2) / log(4) - 1e-9))
  cauchy <- 2^(-6:4) / (1 + 4^(-6:4))
  for (common in omega2) for (f in 1:11) for (own in seq(0, 14, 2)) {
    log_tau2 <- pattern + 2 * log(size * 2^(f - 7))
    log_tau2[1] <- mean(log_tau2[-1]) + own
    # all domains' coefficients together: prior covariance, then the posterior
    B <- spread$borrowing$common
    B[1:p] <- common
    D <- spread$borrowing$own
    D[1:p, ] <- rep(exp(log_tau2), each = p)
    C <- kronecker(matrix(1, length(H), length(H)), diag(B, q)) + diag(c(D))
    big <- matrix(0, length(C[, 1]), ncol(C))
    for (t in seq_along(H)) big[(t - 1) * q + 1:q, (t - 1) * q + 1:q] <- H[[t]]
    A <- big + solve(C)
    V <- solve(A)
    m <- drop(V %*% c(g))
    prior <- .8 * cauchy[f] / sum(cauchy) / 8 + if (f == 1 && own == 0) .2 else 0
    found <- c(found, list(list(
      log_weight = sum(c(g) * m) / 2 - determinant(A)$modulus / 2 - determinant(C)$modulus / 2 + log(prior) +
        log(common) / 2 - log1p(common / size^2), mean = m[1:p], v = diag(V)[1:p]
    )))
  }
  weight <- vapply(found, `[[`, 0, "log_weight")
  weight <- exp(weight - max(weight))
  weight <- weight * (weight >= 1e-4 * max(weight))
  weight <- weight / sum(weight)
  unit <- posterior$unit
  df <- 1 / (1 / fit$borrowing$s2_df[1] + 1 / 12)
  limits <- confint(fit, level = .9)
  for (j in 1:p) {
    mean <- unit[j] * vapply(found, function(one) one$mean[j], 0)
    sd <- unit[j] * sqrt(vapply(found, function(one) one$v[j], 0))
    for (side in 1:2) {
      tail <- c(.05, .95)[side]
      at <- uniroot(function(x) sum(weight * pt((x - mean) / sd, df)) - tail, range(mean + 9 * max(sd) * c(-1, 1)),
                    tol = 1e-12)$root
      expect_equal(limits[[j + 1, side]], at, tolerance = 1e-4)
    }
    expect_equal(vcov(fit)[j + 1, j + 1], sum(weight * (sd^2 + (mean - coef(fit)[[j + 1]])^2)), tolerance = 1e-4)
  }
  # a p-value is below 1 - level where the interval leaves 0 out
  table <- tidy(fit)
  for (term in table$term) {
    p_value <- table$p.value[table$term == term]
    if (p_value < 1e-6) next
    expect_lt(min(abs(confint(fit, term, level = 1 - p_value))), 1e-5 * abs(coef(fit)[[term]]))
  }
})

test_that("the average over the scale of a feature is that of dense Gaussian algebra", {
  scales <- c(.3, 1, 4)
  for (n_domains in c(2, 3, 9)) for (alone in list(NULL, c(1L, 2L))) {
    posterior <- posterior_example(n_domains, scales = scales, alone = alone)
    prior <- posterior$prior
    ratio <- .Call(C_posterior, posterior, 1L, TRUE)$scales
    dense <- function(i, factor) {
      common <- prior$borrowing$common
      own <- prior$borrowing$own
      if (is.null(alone)) return(posterior_dense(prior, common, own, replace(rep(1, 3), i, factor)))
      own[i, 1] <- factor * (own[i, 1] + common[i]) - common[i]
      posterior_dense(prior, common, own)
    }
    here <- dense(1, 1)
    for (i in seq_along(scales)) {
      if (!is.null(alone) && !i %in% alone) {
        expect_identical(ratio[i], 1)
        next
      }
      log_s <- seq(-3, 3.5, .5)
      all <- lapply(log_s, function(log_s) dense(i, exp(log_s)))
      c <- scales[i] * exp(log_s)
      log_weight <- vapply(all, `[[`, 0, "log_lik") + log(stats::dgamma(1 / c, 2, rate = exp(digamma(2))) / c)
      weight <- exp(log_weight - max(log_weight)) / sum(exp(log_weight - max(log_weight)))
      square <- vapply(all, function(one) one$V[i, i] + (one$mean[i] - here$mean[i])^2, 0)
      near(ratio[i], sum(weight * square) / here$V[i, i], if (is.null(alone)) 1e-8 else 1e-3)
    }
  }
})

test_that("borrowed coefficients have the precision of the target and the other domains", {
  d <- naive_family_data(3, n = 240)
  borrowed <- function(family, response, ...) {
    tlcp(reformulate(c("a", "b", "c"), response), data = d, family = family, domain = g, target = "1", ...)
  }
  for (fit in list(borrowed("gaussian", "years", select = FALSE), borrowed("binomial", "died", select = FALSE),
                   borrowed("binomial", "died", select = FALSE, control = tlcp_control(support = "shared")),
                   borrowed("gaussian", "years", select = FALSE,
                            control = tlcp_control(units = "own", guard = FALSE), borrow = "pooled"))) {
    own <- tlcp(if (fit$family == "gaussian") years ~ a + b + c else died ~ a + b + c, data = d[d$g == 1, ],
                family = fit$family, select = FALSE)
    expect_true(all(diag(vcov(fit)) < diag(vcov(own)) * 1.1))
    expect_true(all(eigen(vcov(fit))$values > 0))
    interval <- confint(fit)
    expect_identical(rownames(interval), names(coef(fit)))
    expect_true(all(interval[, 1] < coef(fit)[rownames(interval)] & coef(fit)[rownames(interval)] < interval[, 2]))
  }
  fit <- borrowed("binomial", "died")
  expect_equal(rownames(vcov(fit)), c("(Intercept)", fit$selected))
  table <- tidy(fit, conf.int = TRUE, return_zeros = TRUE)
  expect_equal(is.na(table$std.error), table$estimate == 0)
  both <- estimates(borrowed("binomial", "died", select = FALSE))
  expect_equal(both$sites[[1]]$terms, c("(Intercept)", "a", "b", "c"))
})

test_that("order and units of columns are of no consequence to standard errors", {
  d <- naive_family_data(4, n = 200)
  fit <- function(formula, data) {
    sqrt(diag(vcov(tlcp(formula, data = data, family = "binomial", domain = g, target = "2", select = FALSE))))
  }
  se <- fit(died ~ a + b + c, d)
  near(fit(died ~ c + b + a, d)[names(se)], se, 1e-5)
  other <- fit(died ~ a + b + c, transform(d, a = 1000 * a))
  near(other[["a"]] * 1000, se[["a"]], 1e-5)
})

test_that("bad input is refused in words", {
  d <- naive_family_data(5)
  fit <- tlcp(years ~ a + b, data = d)
  expect_error(confint(fit, "zz"), class = "transelect_error_parm")
  expect_error(confint(fit, c(-1, 1)), "Name some of", class = "transelect_error_parm")
  expect_error(confint(fit, level = 2), class = "transelect_error_level")
  expect_error(vcov(fit, step = 0:1), class = "transelect_error_step")
  expect_error(tidy(fit, exponentiate = TRUE), class = "transelect_error_exponentiate")
  expect_error(vcov(fit, dispersion = 2), class = "transelect_error_dispersion")
  odds <- tlcp(died ~ a + b, data = d, family = binomial)
  expect_error(confint(odds, dispersion = "x"), "pearson", class = "transelect_error_dispersion")
  expect_error(vcov(odds, dispersion = -1), class = "transelect_error_dispersion")
  expect_error(vcov(tlcp(years ~ a + b, data = d, method = "cutoff")), class = "transelect_error_object")
})

test_that("dispersion widens as quasi-likelihoods do, and columns not chosen have no interval", {
  set.seed(8)
  d <- data.frame(a = rnorm(120), b = rnorm(120), noise = 0)
  d$k <- rnbinom(120, mu = exp(1 + .4 * d$a), size = 1)
  fit <- tlcp(k ~ a + b, data = d, family = poisson, select = FALSE)
  quasi <- glm(k ~ a + b, quasipoisson, d)
  expect_equal(vcov(fit, dispersion = "pearson"), vcov(quasi), tolerance = 1e-4)
  expect_equal(residuals(fit, "pearson"), residuals(quasi, "pearson"), tolerance = 1e-6, ignore_attr = TRUE)
  expect_equal(vcov(fit, dispersion = 3), 3 * vcov(fit))
  wide <- tidy(fit, step = 1, conf.int = TRUE, dispersion = 4)
  expect_equal(wide$std.error, 2 * tidy(fit, step = 1, conf.int = TRUE)$std.error)
  few <- tlcp(k ~ a + b, data = d, family = poisson, keep = "a", control = tlcp_control(drop = "b"))
  expect_equal(is.na(confint(few)[, 1]), c("(Intercept)" = FALSE, a = FALSE, b = TRUE))
  expect_equal(dim(exp(cbind(RR = coef(few), confint(few)))), c(3L, 3L))
  shown <- summary(few)$coefficients
  expect_equal(shown$std.error, unname(sqrt(diag(vcov(few)))))
  expect_output(print(summary(few)), "as if the columns")
  expect_error(tlcp(k ~ a, data = d, family = poisson, offset = raw(2)), "raw vector of length 2",
               class = "transelect_error_offset")
  expect_error(tlcp(k ~ a, data = d, family = poisson, offset = 1:3), "length 3", class = "transelect_error_offset")
  expect_error(tlcp(k ~ a, data = d, offset = raw(120)), "raw", class = "transelect_error_offset")
})

test_that("a summary of numbers has the intervals of lm(), and the picture the same", {
  fit <- tlcp(mpg ~ ., mtcars, criterion = "BIC")
  model <- lm(reformulate(fit$selected, "mpg"), mtcars)
  ours <- summary(fit)$coefficients
  at <- match(ours$term, names(coef(model)))
  near(ours$std.error, sqrt(diag(vcov(model)))[at], 1e-8)
  near(as.matrix(ours[c("conf.low", "conf.high")]), confint(model)[at, ], 1e-8)
  expect_output(print(summary(fit)), "95 % intervals")
  cutoff <- tlcp(mpg ~ wt + hp, transform(mtcars, g = vs), domain = g, target = "0", method = "cutoff")
  expect_null(summary(cutoff)$coefficients$std.error)
  expect_null(summary(tlcp(factor(vs) ~ wt + hp, mtcars, family = "gaussian"))$coefficients$std.error)
  for (scaled in c(TRUE, FALSE)) {
    picture <- picture_of(plot(fit, "intervals", scaled = scaled))
    term <- picture$panels[[1]]$y$labels
    unit <- if (scaled) fit$scale[term] else 1
    near(as.matrix(described_marks(picture, "segment")[c("x", "xend")]), confint(model)[term, ] * unit, 1e-8)
    expect_false(is.unsorted(-abs(described_marks(picture, "point")$x)))
  }
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(fit, "intervals"), fit)
  expect_no_error(plot(tlcp(mpg ~ wt, mtcars, control = tlcp_control(drop = "wt")), "intervals"))
  if (requireNamespace("ggplot2", quietly = TRUE)) expect_s3_class(ggplot2::autoplot(fit, "intervals"), "ggplot")
  expect_error(plot(cutoff, "intervals"), "cutoff", class = "transelect_error_object")
  expect_error(plot(fit, "intervals", exponentiate = TRUE), "logarithms", class = "transelect_error_exponentiate")
})

test_that("the picture of ratios is the table of ratios, on a logarithmic axis, in equal digits", {
  fit <- tlcp(vs ~ wt + disp, mtcars, family = binomial, select = FALSE)
  picture <- picture_of(plot(fit, "intervals", exponentiate = TRUE))
  panel <- picture$panels[[1]]
  table <- tidy(fit, conf.int = TRUE, exponentiate = TRUE)
  table <- table[match(panel$y$labels, table$term), ]
  expect_equal(described_marks(picture, "point")$x, table$estimate)
  bars <- described_marks(picture, "segment")
  expect_equal(c(bars$x, bars$xend), c(table$conf.low, table$conf.high))
  expect_identical(described_marks(picture, "rule")$at, 1)
  expect_true(panel$x$log)
  expect_identical(panel$x$label, "odds ratio (log scale)")
  expect_true(1 %in% panel$x$at)
  numbers <- unlist(regmatches(panel$right$label, gregexpr("[0-9]+[.][0-9]*", panel$right$label)))
  expect_length(numbers, 6)
  expect_length(unique(nchar(sub(".*[.]", "", numbers))), 1)
  expect_identical(panel$right_title, "estimate (95 % interval)")
  expect_error(plot(fit, "criterion", exponentiate = TRUE), "intervals", class = "transelect_error_exponentiate")
  if (requireNamespace("ggplot2", quietly = TRUE)) {
    expect_equal(gg_marks(ggplot2::autoplot(fit, "intervals", exponentiate = TRUE), "GeomPoint")$x,
                 log10(table$estimate))
  }
})

test_that("methods without standard errors say why, cross-validations have those of their fit", {
  for (fit in list(greedytl(mpg ~ wt + hp, mtcars), tgreedy(mpg ~ wt + hp, mtcars, domain = gear),
                   shareboost(Species ~ ., iris), msplit(mpg ~ wt + hp, mtcars),
                   cv_path(mpg ~ wt + hp, mtcars, foldid = rep_len(1:3, 32)))) {
    expect_error(vcov(fit), "no standard errors", class = "transelect_error_object")
    expect_error(confint(fit), "no standard errors", class = "transelect_error_object")
  }
  cv <- cv_path(mpg ~ wt + hp, mtcars, fit = tlcp, foldid = rep_len(1:3, 32))
  expect_equal(vcov(cv, step = "min"), vcov(cv$fit, step = cv$step.min))
  expect_equal(confint(cv, "wt", level = .9), confint(cv$fit, "wt", level = .9, step = cv$step.1se))
  expect_error(survival::survfit(cv$fit), class = "transelect_error_formula")
})

test_that("without degrees of freedom there are no intervals, and a message says so", {
  for (seed in 1:3) {
    set.seed(seed)
    x <- matrix(rnorm(48), 8, dimnames = list(NULL, paste0("x", 1:6)))
    y <- x[, 1] + rnorm(8)
    fit <- suppressMessages(suppressWarnings(tlcp(x, y, domain = rep(c("a", "b"), each = 4), target = "a")))
    expect_false(any(is.nan(suppressMessages(confint(fit)))))
    fit$posterior <- lapply(fit$posterior, function(posterior) replace(posterior, "df", list(0)))
    expect_message(interval <- confint(fit), class = "transelect_message_intervals")
    expect_true(all(is.na(interval) & !is.nan(interval)))
    expect_message(table <- tidy(fit, conf.int = TRUE), class = "transelect_message_intervals")
    expect_true(all(is.na(table$conf.low)))
    expect_silent(confint(suppressMessages(tlcp(x[, 1:3], y, select = FALSE))))
  }
  full <- suppressMessages(tlcp(x[1:4, 1:3], y[1:4], select = FALSE,
                                control = tlcp_control(sigma2 = 1))) # lm() has NaN, and warns
  expect_false(any(is.nan(suppressMessages(confint(full)))))
})

test_that("tables of a model without coefficients have their columns", {
  skip_if_not_installed("survival")
  set.seed(8)
  x <- matrix(rnorm(160), 40, dimnames = list(NULL, letters[1:4]))
  y <- survival::Surv(rexp(40), rep(1, 40))
  fit <- tlcp(x, y, criterion = "BIC", sizes = FALSE)
  expect_length(fit$selected, 0)
  more <- names(tidy(tlcp(x, y), conf.int = TRUE))
  for (exponentiate in c(FALSE, TRUE)) {
    table <- tidy(fit, conf.int = TRUE, exponentiate = exponentiate)
    expect_identical(names(table), more)
    expect_identical(nrow(table), 0L)
  }
  expect_identical(names(tidy(fit, effects = "fixed")), setdiff(more, c("conf.low", "conf.high")))
  expect_true(all(is.na(confint(fit))))
  expect_identical(dim(vcov(fit)), c(0L, 0L))
  expect_output(print(summary(fit)))
  expect_warning(expect_error(estimates(fit), "selected", class = "transelect_error_x"), NA)
})
