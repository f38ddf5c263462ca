# ---- how strongly to borrow: the estimates of tlcp() against dense Gaussian algebra

tlcp_with_twin <- function(d, borrow, ...) {
  fit <- suppressMessages(flat(tlcp)(d$x, d$y, domain = d$domain, target = d$target, borrow = borrow,
                                     control = tlcp_control(guard = FALSE), ...))
  list(fit = fit, domains = naive_domains_of_fit(fit, d))
}

test_that("the twin's two ways of writing the likelihood agree", {
  d <- draw_similar_domains(1, 3, 4)
  domains <- naive_domain_rows(d$x, d$y, d$domain, d$target)
  c <- c(2, 0.5, 4, 0.25)
  expect_equal(naive_loglik(domains, c(0.1, 0.2, 3), 0.7, c),
               naive_loglik_rows(domains, c(0.1, 0.2, 3), 0.7, c))
})

test_that("residual variances are those of least squares, in z-scores", {
  d <- draw_similar_domains(2, 3, 6)
  s <- tlcp_with_twin(d, "plugin")
  own <- vapply(c("b", "a", "c"), function(name) {
    rows <- d$domain == name
    summary(lm(d$y[rows] ~ d$x[rows, ]))$sigma^2
  }, 1)
  total <- vapply(c("b", "a", "c"), function(name) var(d$y[d$domain == name]), 1)
  expect_equal(s$fit$borrowing$s2, own / total)
  expect_equal(s$fit$borrowing$s2, vapply(s$domains, `[[`, 1, "s2"))
})

test_that("hierarchical: the likelihood is dense Gaussian and nothing in the box is better", {
  for (n_domains in 2:4) {
    for (kind in c("random", "near")) {
      d <- draw_similar_domains(10 * n_domains, n_domains, 5, kind)
      for (scales in if (n_domains < 4 && kind == "random") c(TRUE, FALSE) else FALSE) {
        s <- tlcp_with_twin(d, "hierarchical", control = tlcp_control(scales = scales))
        own <- s$fit$borrowing
        twin <- naive_hierarchical(s$domains, scales)
        label <- paste(n_domains, kind, scales)
        expect_equal(own$loglik, naive_loglik(s$domains, own$tau2, own$omega2, own$scales, TRUE,
                                              own$kappa2),
                     tolerance = 1e-8, label = label)
        # the likelihood is flat where some tau is near 0: its values are compared, not tau
        expect_lt(abs(own$loglik - twin$loglik), 1e-3, label = label)
        expect_lt(max(abs(log(own$scales / twin$c))), 0.01)
        expect_equal(exp(mean(log(own$scales))), 1)
        # the twin at the package's scales has a maximum of the same value
        again <- naive_hierarchical_fit(s$domains, own$scales, TRUE)
        expect_gt(own$loglik, again$loglik - 1e-3)
      }
    }
  }
})

test_that("the likelihood of sharing is searched from where one domain is apart, too", {
  for (seed in 1:4) {
    d <- draw_similar_domains(seed, 3 + seed %% 2, 4, n = 40, apart = .05)
    away <- c("b", "a", "c")[1 + seed %% 3]
    d$y[d$domain == away] <- -d$y[d$domain == away]
    fit <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "b", control = tlcp_control(units = "common")))
    twin <- naive_likelihood_ratio(naive_domains_in_units(d$x, d$y, d$domain, "b", "common"))
    expect_gt(fit$borrowing$lr, twin - 1e-3)
  }
})

test_that("hierarchical: tau and omega where the maximum is inside the box", {
  d <- draw_similar_domains(3, 3, 8, n = 60, apart = 0.4)
  s <- tlcp_with_twin(d, "hierarchical", control = tlcp_control(scales = FALSE))
  twin <- naive_hierarchical(s$domains, FALSE)
  expect_gt(min(twin$tau2), 1e-5)
  expect_equal(s$fit$borrowing$tau2, twin$tau2, tolerance = 1e-3, ignore_attr = TRUE)
  expect_equal(s$fit$borrowing$omega2, twin$omega2, tolerance = 1e-3)
  expect_identical(s$fit$borrowing$scales, rep(1, 8), ignore_attr = TRUE)
  expect_gt(s$fit$borrowing$evaluations, 0)
})

test_that("hierarchical: the search for the maximum ends where the likelihood is flat", {
  for (n_domains in 2:4) {
    for (seed in 1:4) {
      d <- draw_similar_domains(seed, n_domains, 8, c("random", "near")[1 + seed %% 2], n = 30)
      for (scales in c(TRUE, FALSE)) {
        fit <- tlcp_with_twin(d, "hierarchical", control = tlcp_control(scales = scales))$fit
        expect_lt(fit$borrowing$evaluations, 500, label = paste(n_domains, seed, scales))
      }
    }
  }
})

test_that("hierarchical: the order of rows does not move the maximum where the likelihood is flat", {
  for (seed in c(2, 10)) {
    for (apart in c(0, 1)) {
      domain <- rep(letters[1:6], length.out = 360)
      with_seed(seed, {
        x <- matrix(rnorm(1800), 360) %*% (diag(5) + matrix(rnorm(25, sd = .4), 5))
        effects <- matrix(c(1, -1, .5, 0, 0), 6, 5, byrow = TRUE) + apart * matrix(rnorm(30), 6)
        y <- rowSums(x * effects[match(domain, letters), ]) + rnorm(360, sd = .1)
        other <- sample(360)
      })
      coefficients <- function(rows) {
        as.matrix(coef(tlcp(x[rows, ], y[rows], domain = domain[rows], target = "a", select = FALSE)))
      }
      expect_equal(coefficients(other), coefficients(1:360), tolerance = 1e-10, label = paste(seed, apart))
    }
  }
})

test_that("hierarchical: the penalty of every feature", {
  d <- draw_similar_domains(4, 3, 6, "correlated")
  for (criterion in c("Cp", "BIC")) {
    s <- tlcp_with_twin(d, "hierarchical", criterion = criterion)
    borrowing <- naive_borrowing_of(s$fit, 6)
    V <- naive_target_covariance(s$domains, borrowing)
    h <- 1 - diag(V) / (borrowing$common + borrowing$own[, 1])[1:6]
    lambda <- if (criterion == "Cp") 2 else log(s$domains[[1]]$n)
    expect_equal(s$fit$borrowing$pen, lambda * h / (2 - h), ignore_attr = TRUE)
    shared <- tlcp_with_twin(d, "hierarchical", criterion = criterion, control = tlcp_control(support = "shared"))
    expect_equal(unique(as.vector(shared$fit$borrowing$pen)), lambda)
  }
})

test_that("reml, pooled and plugin", {
  for (seed in c(1, 3:6)) {
    d <- draw_similar_domains(seed, 2, 6, c("random", "near")[1 + (seed == 5)], n = 30)
    for (borrow in c("reml", "pooled", "plugin")) {
      s <- tlcp_with_twin(d, borrow)
      twin <- naive_borrowing(s$domains, borrow)
      expect_equal(rep_len(s$fit$borrowing$v, 6), rep_len(twin$v, 6), tolerance = 1e-4,
                   ignore_attr = TRUE, label = paste(seed, borrow))
      expect_equal(rep_len(s$fit$borrowing$pen, 6), twin$pen, tolerance = 1e-5,
                   ignore_attr = TRUE, label = paste(seed, borrow))
      expect_equal(s$fit$borrowing$lam / s$fit$borrowing$lam[[1]], twin$lam / twin$lam[[1]],
                   ignore_attr = TRUE)
      if (borrow != "plugin") {
        expect_equal(s$fit$borrowing$delta2, twin$delta2, tolerance = 1e-4)
      }
    }
  }
  d <- draw_similar_domains(5, 3, 6, n = 30)
  for (borrow in c("pooled", "plugin")) {
    s <- tlcp_with_twin(d, borrow)
    twin <- naive_borrowing(s$domains, borrow)
    expect_equal(rep_len(s$fit$borrowing$v, 6), rep_len(twin$v, 6), tolerance = 1e-6,
                 ignore_attr = TRUE)
    expect_equal(rep_len(s$fit$borrowing$pen, 6), rep(2, 6))
  }
})

test_that("plugin3 is the authors' rule for three domains", {
  for (seed in 5:8) {
    d <- draw_similar_domains(seed, 3, 6, c("random", "correlated")[1 + seed %% 2], n = 30)
    for (criterion in c("Cp", "BIC")) {
      s <- tlcp_with_twin(d, "plugin3", criterion = criterion)
      twin <- naive_borrowing(s$domains, "plugin3", criterion)
      expect_equal(s$fit$borrowing$v, twin$v, ignore_attr = TRUE, label = paste(seed, criterion))
      expect_equal(s$fit$borrowing$pen, twin$pen, ignore_attr = TRUE, label = paste(seed, criterion))
    }
  }
  expect_error(tlcp_with_twin(draw_similar_domains(5, 2, 6, n = 30), "plugin3"), "for three domains; there are 2",
               class = "transelect_error_borrow")
})

test_that("the likelihood ratio of a common part", {
  for (seed in 1:4) {
    for (n_domains in 2:3) {
      d <- draw_similar_domains(seed, n_domains, 6, n = 30, apart = c(0.1, 1)[1 + seed %% 2])
      both <- tlcp_with_twin(d, "hierarchical")$fit$borrowing
      for (units in names(both$units_lr)) {
        s <- tlcp_with_twin(d, "hierarchical", control = tlcp_control(units = units))
        twin <- naive_likelihood_ratio(s$domains)
        expect_equal(s$fit$borrowing$lr, twin, tolerance = 1e-4, label = paste(seed, n_domains))
        expect_equal(both$units_lr[[units]], s$fit$borrowing$lr)
      }
      # the weights and the ratio do not depend on the units
      differ <- naive_any_differs(d$x, d$y, d$domain)
      own <- differ * plogis(-.5) * exp(both$units_lr[["own"]])
      common <- plogis(.5) * exp(both$units_lr[["common"]])
      weights <- both$units_weights
      expect_equal(weights[["own"]] / weights[["common"]], own / common)
      expect_equal(both$lr, log((own + common) / (differ * plogis(-.5) + plogis(.5))))
    }
  }
})

unrelated <- function(seed, flip = FALSE) {
  d <- draw_similar_domains(seed, 2, 6, n = 40, apart = 0)
  source <- d$domain == "a"
  d$y[source] <- if (flip) -d$y[source] else with_seed(seed, rnorm(sum(source)))
  d
}

test_that("plugin, pooled and reml leave out other domains whose likelihood ratio is small", {
  d <- unrelated(1, flip = TRUE)
  rows <- d$domain == "b"
  own <- tlcp(d$x[rows, ], d$y[rows])
  pair <- naive_domain_rows(d$x, d$y, d$domain, "b")
  expect_lt(naive_likelihood_ratio(pair), 1.35)
  for (borrow in c("plugin", "pooled", "reml")) {
    expect_message(
      fit <- tlcp(d$x, d$y, domain = d$domain, target = "b", borrow = borrow), "a"
    )
    expect_identical(fit$borrowing$guarded, "a")
    expect_equal(coef(fit), coef(own))
    open <- tlcp(d$x, d$y, domain = d$domain, target = "b", borrow = borrow, control = tlcp_control(guard = FALSE))
    expect_length(open$borrowing$guarded, 0)
    expect_false(isTRUE(all.equal(coef(open), coef(own))))
  }
  good <- draw_similar_domains(1, 2, 6, n = 40, apart = 0.05)
  expect_gt(naive_likelihood_ratio(naive_domain_rows(good$x, good$y, good$domain, "b")), 1.35)
  for (borrow in c("plugin", "pooled", "reml")) {
    expect_silent(fit <- tlcp(good$x, good$y, domain = good$domain, target = "b", borrow = borrow))
    expect_length(fit$borrowing$guarded, 0)
  }
})

test_that("of several other domains only the one unlike the target is left out", {
  d <- draw_similar_domains(1, 3, 6, n = 40, apart = 0.05)
  bad <- d$domain == "c"
  d$y[bad] <- -d$y[bad]
  for (borrow in c("plugin", "pooled")) {
    expect_message(fit <- tlcp(d$x, d$y, domain = d$domain, target = "b", borrow = borrow), "c")
    expect_identical(fit$borrowing$guarded, "c")
    rest <- tlcp(d$x[!bad, ], d$y[!bad], domain = d$domain[!bad], target = "b", borrow = borrow)
    expect_equal(coef(fit), coef(rest))
  }
})

test_that("two identical domains: every rule takes their difference of 0", {
  d <- draw_similar_domains(6, 1, 5, n = 20)
  x <- rbind(d$x, d$x)
  y <- c(d$y, d$y)
  domain <- rep(c("b", "a"), each = 20)
  alone <- tlcp(d$x, d$y, sizes = TRUE)
  for (borrow in c("plugin", "pooled", "reml", "hierarchical")) {
    fit <- tlcp(x, y, domain = domain, target = "b", borrow = borrow,
                control = tlcp_control(support = "shared", guard = FALSE),
                sizes = TRUE)
    expect_true(all(is.finite(as.matrix(fit$beta))))
    expect_equal(as.matrix(fit$models[[1]]$beta), as.matrix(fit$models[[2]]$beta), tolerance = 1e-5)
    if (borrow == "plugin") {
      # least squares of both is least squares of each
      full <- fit$beta[, ncol(fit$beta)]
      expect_equal(as.vector(full), unname(coef(lm(d$y ~ d$x))[-1]), tolerance = 1e-6)
    }
  }
})

# The target's coefficients where its slopes are its own: their variance by its marginal likelihood,
# the level borrowed from the other domains.
apart <- function(d, units, kappa2) {
  target <- naive_domains_in_units(d$x, d$y, d$domain, d$target, units, level = FALSE)[1]
  moderated <- naive_domains_in_units(d$x, d$y, d$domain, d$target, units)
  target[[1]]$s2 <- moderated[[1]]$s2
  variance <- exp(optimize(function(v) naive_loglik(target, exp(v) / 2, exp(v) / 2),
                           log(c(1e-5, 100)), maximum = TRUE, tol = 1e-10)$maximum)
  p <- ncol(d$x)
  post <- naive_posterior(moderated, rep(variance, length(moderated)), 1e-5, rep(1, p), kappa2)
  naive_original(moderated[[1]], post$b + post$u[, 1])
}

test_that("sharing in both units, standing alone and the sparse alternatives are averaged by their weights", {
  seen <- character()
  for (seed in 2:4) {
    d <- draw_similar_domains(seed, 3, 4, n = 40, apart = 0)
    if (seed < 3) d$y[d$domain == "b"] <- -d$y[d$domain == "b"] else {
      d$y[d$domain == "b"] <- d$y[d$domain == "b"] + 2 * d$x[d$domain == "b", 1]
    }
    way <- function(...) {
      suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "b", select = FALSE,
                            control = tlcp_control(scales = FALSE, ...)))
    }
    fit <- way()
    pairs <- lapply(c(own = "own", common = "common"), function(units) {
      naive_domains_in_units(d$x, d$y, d$domain, "b", units)
    })
    lr <- vapply(pairs, naive_likelihood_ratio, 1)
    prior <- c(own = naive_any_differs(d$x, d$y, d$domain) * plogis(-.5), common = plogis(.5))
    prior <- prior / sum(prior)
    units <- list(own = way(units = "own", guard = FALSE), common = way(units = "common", guard = FALSE))
    few <- naive_few(pairs$own)
    near <- lapply(c(own = "own", common = "common"), function(name) {
      s <- way(units = name, guard = FALSE, omega_shape = 1)$borrowing # of largest likelihood
      naive_apart(pairs[[name]], s$tau2, s$omega2, s$kappa2, s$s2_df[1])
    })
    near_lr <- lr + vapply(near, `[[`, 0, "lr")
    near <- near[[which.max(near_lr + log(prior))]]
    weights <- c(.98 * c(.93 * prior, alone = .05, apart = .02), few = .02)
    weights <- weights * exp(c(lr, 0, near_lr[[which.max(near_lr + log(prior))]], few$lr))
    weights <- weights[weights >= .01 * max(weights)]
    weights <- weights / sum(weights)
    seen <- union(seen, names(weights))
    expect_mapequal(round(fit$borrowing$units_weights, 3), round(weights, 3))
    alone <- apart(d, "own", units$own$borrowing$kappa2)
    coefs <- cbind(own = coef(units$own), common = coef(units$common), alone = c(alone$a0, alone$beta),
                   few = c(few$a0, few$beta), apart = c(near$a0, near$beta))
    expect_equal(coef(fit), drop(coefs[, names(weights)] %*% weights), tolerance = 1e-4)
    expect_output(print(fit), "average of models")
  }
  expect_setequal(seen, c("own", "common", "alone", "few", "apart"))
})

test_that("where nothing is shared the search borrows no slopes, and print says so", {
  for (seed in 1:4) {
    d <- draw_similar_domains(seed, 3, 6, n = 40, apart = 0)
    d$y[d$domain == "b"] <- -d$y[d$domain == "b"]
    fit <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "b"))
    expect_lt(fit$borrowing$lr, -.5)
    expect_gt(fit$borrowing$units_weights[["alone"]], .5)
    expect_true(fit$borrowing$alone)
    expect_lt(max(summary(fit)$borrowed$weight), .01)
    expect_match(printed(fit), "borrows no slopes from .*more likely unrelated than related .posterior probability 0")
    expect_no_match(printed(fit), "is worth|worth of")
    open <- suppressMessages(
      tlcp(d$x, d$y, domain = d$domain, target = "b", control = tlcp_control(guard = FALSE))
    )
    expect_false("alone" %in% names(open$borrowing$units_weights))
    expect_match(printed(open), "borrows nothing from .*of the precision of a coefficient")
    cut <- suppressMessages(
      tlcp(d$x, d$y, domain = d$domain, target = "b", method = "cutoff", borrow = "hierarchical")
    )
    expect_identical(length(cut$borrowing$s2), length(cut$borrowing$lam))
    expect_true(all(is.finite(coef(cut))))
  }
})

test_that("a column constant in the target has the other domains' coefficient, shared or not", {
  for (seed in 1:4) {
    for (reversed in c(FALSE, TRUE)) {
      d <- draw_similar_domains(seed, 4, 5, n = 60, apart = 0)
      source <- d$domain != "b"
      if (reversed) d$y[!source] <- -d$y[!source]
      d$x[, 5] <- ifelse(source, d$x[, 5], 2)
      d$y <- d$y + d$x[, 5]
      way <- function(...) {
        suppressMessages(flat(tlcp)(d$x, d$y, domain = d$domain, target = "b", select = FALSE,
                                    control = tlcp_control(units = "common"), ...))
      }
      fit <- way()
      if (reversed) {
        expect_gt(fit$borrowing$units_weights[["alone"]], .3)
        expect_equal(coef(fit)[["x5"]], coef(way(control = tlcp_control(guard = FALSE)))[["x5"]], tolerance = .01)
      } else {
        own <- vapply(unique(d$domain[source]), function(name) {
          rows <- d$domain == name
          coef(lm(d$y[rows] ~ d$x[rows, ]))[["d$x[rows, ]x5"]]
        }, 1)
        expect_equal(coef(fit)[["x5"]], mean(own), tolerance = .06)
      }
    }
  }
})

test_that("the level is borrowed unless the means of domains are far apart", {
  d <- draw_similar_domains(2, 3, 4, n = 30)
  near <- tlcp(d$x, d$y, domain = d$domain, target = "b", select = FALSE)
  expect_gt(near$borrowing$kappa2, 0)
  for (column in 0:2) {
    far <- d
    away <- 1e3 * (d$domain == "a")
    if (column) far$x[, column] <- far$x[, column] + away else far$y <- far$y + away
    fit <- tlcp(far$x, far$y, domain = d$domain, target = "b", select = FALSE)
    expect_null(fit$borrowing$kappa2)
    # each domain has an intercept of its own, so the means of domains do not matter
    again <- far
    if (column) {
      again$x[, column] <- again$x[, column] + 9 * away
    } else {
      again$y <- again$y + 9 * away
    }
    moved <- tlcp(again$x, again$y, domain = d$domain, target = "b", select = FALSE)
    expect_equal(coef(moved), coef(fit), tolerance = 1e-6)
    # residuals of the target have mean zero
    expect_equal(mean(residuals(fit)), 0, tolerance = 1e-8)
  }
})

test_that("own units are moderated column by column, among the domains in which a column varies", {
  for (n_domains in c(3, 60)) {
    with_seed(n_domains, {
      square <- matrix(exp(rnorm(5 * n_domains)), 5)
      df <- sample(4:30, n_domains, TRUE)
    })
    square[2, 1] <- square[3, n_domains] <- 0
    square[4, ] <- 2 # alike
    cells <- lapply(seq_along(df), function(t) {
      list(n = df[t] + 1, weight = df[t] + 1, mean = numeric(5), cross = diag(square[, t] * df[t]))
    })
    sums <- moments_rows_domain_sums(cells, TRUE)
    expect_equal(sums$spread, sqrt(square), tolerance = 1e-12)
    expect_equal(sums$moderated^2, unname(naive_moderated_squares(square, df)), tolerance = 1e-9)
  }
})

test_that("the borrowing prior is found to more digits than its likelihood has", {
  for (seed in c(34, 188)) {
    d <- with_seed(seed, {
      n <- c(200, 400)[seed %% 2 + 1]
      p <- c(4, 8, 12)[seed %% 3 + 1]
      x <- matrix(rnorm(n * p), n)
      domain <- sample(letters[1:4], n, TRUE)
      list(x = x, domain = domain, y = drop(x %*% (rnorm(p) * (runif(p) < .6))) + rnorm(n) / 2)
    })
    found <- lapply(c(0, 1e-13), function(moved) {
      fit <- tlcp(d$x * (1 + moved / 100) + moved, d$y, domain = d$domain, target = "a")
      c(fit$borrowing$omega2, fit$borrowing$tau2)
    })
    expect_equal(found[[1]], found[[2]], tolerance = 1e-9)
  }
})

test_that("omega is not estimated as 0 where few slopes and domains say little, unless the shape is 1", {
  # of 60 draws of small equal slopes in two domains
  estimates <- function(shape) {
    vapply(1:60, function(seed) {
      set.seed(seed)
      x <- matrix(rnorm(75 * 3), 75)
      y <- .3 * x[, 1] + rnorm(75)
      suppressMessages(tlcp(x, y, domain = rep(c("a", "b"), c(15, 60)), target = "a", select = FALSE,
                            control = tlcp_control(omega_shape = shape)))$borrowing$omega2
    }, 0)
  }
  collapsed <- function(omega2) mean(omega2 <= 1.01e-5) # the bound
  likeliest <- estimates(1)
  expect_gt(collapsed(likeliest), .1)
  expect_equal(collapsed(estimates(1.5)), 0)
  # where the likelihood has an inner maximum the prior moves it little
  inner <- likeliest > .05
  expect_lt(max(abs(log(estimates(1.5)[inner] / likeliest[inner]))), .5)
})

test_that("a shape outside of 1 to 10 is refused", {
  expect_error(tlcp_control(omega_shape = .5), class = "transelect_error_omega_shape")
  expect_error(tlcp_control(omega_shape = 11), class = "transelect_error_omega_shape")
})
