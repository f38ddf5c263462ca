# ---- tlcp() in special cases: domains that agree, constant columns, orthogonal designs

test_that("other domains that agree with each other are no reason for the target to borrow", {
  with_seed(4, {
    g <- rep(1:6, each = 30)
    x <- matrix(rnorm(180 * 8), 180)
    b <- rnorm(8) / 2
    noise <- rnorm(180)
  })
  y <- function(own) rowSums(x * rbind(own, b, b, b, b, b)[g, ]) + noise
  apart <- tlcp(x, y(-b), domain = g, target = 1)
  expect_lt(apart$borrowing$lr, -.5)
  expect_gt(tlcp(x, y(b), domain = g, target = 1)$borrowing$lr, 1.35)
})

test_that("a domain in which a column is constant has its coefficient on the target's scale", {
  with_seed(1, {
    x <- cbind(a = rnorm(90), b = rnorm(90) * 1000)
    noise <- rnorm(90) / 2
  })
  g <- rep(c("t", "s", "r"), each = 30)
  x[g == "s", "b"] <- 50
  y <- x[, 1] + x[, 2] / 500 + noise
  fit <- tlcp(x, y, domain = g, target = "t", select = FALSE)
  expect_equal(coef(fit, domain = "s")[["b"]], coef(fit, domain = "t")[["b"]], tolerance = 0.1)
  expect_identical(is.na(fit$borrowed$s), fit$borrowed$term == "b")
  expect_identical(attr(fit$borrowed, "lacking"), c(s = "constant or absent columns: b"))
  expect_match(capture.output(summary(fit)), "missing estimates, s: constant or absent columns: b", all = FALSE)
  plain <- tlcp(x, y, domain = g, target = "t", select = FALSE, control = tlcp_control(units = "common"))
  alone <- coef(lm(y ~ x[, "a"], subset = g == "s"))[[2]]
  expect_equal(plain$borrowed$s[1], alone, tolerance = 1e-6)
})

test_that("domains without unique estimates are named, and many domains are summarised", {
  with_seed(2, {
    x <- matrix(rnorm(400), 100, dimnames = list(NULL, letters[1:4]))
    y <- drop(x %*% c(1, .5, 0, 0)) + rnorm(100)
  })
  g <- rep(c("t", paste0("s", 1:8)), c(20, rep(10, 8)))
  x[g == "s1", "d"] <- 2 * x[g == "s1", "a"]
  fit <- tlcp(x, y, domain = g, target = "t", select = FALSE)
  expect_named(attr(fit$borrowed, "lacking"), "s1")
  picture <- picture_of(plot(fit, "borrowed"))
  expect_identical(picture$note, "no unique least squares estimates: s1")
  points <- unlist(lapply(picture$panels[[1]]$layers, function(layer) layer$data$group))
  expect_setequal(points, paste0("s", 2:8))
  expect_match(picture$keys$label, "7 other domains", all = FALSE)
  shown_of <- function(fit) { # beside the table of standard errors
    tables <- lapply(describe_path(summary(fit), 4)$tables, `[[`, "table")
    Filter(function(table) "borrowed" %in% names(table), tables)[[1]]
  }
  shown <- shown_of(fit)
  expect_named(shown, c("term", "target_only", "others", "median", "borrowed", "weight", "shrinkage", "rows"))
  expect_equal(shown$others, rep(7, 4))
  expect_equal(shown$median, unname(apply(as.matrix(fit$borrowed[paste0("s", 2:8)]), 1, median)))
  few <- tlcp(x, y, domain = ifelse(g == "t", "t", ifelse(g == "s1", "s1", "s2")), target = "t", select = FALSE)
  expect_identical(names(shown_of(few)), c("term", "target_only", "s2", "borrowed", "weight", "shrinkage", "rows"))
  expect_match(describe_path(summary(few), 4)$foot, "missing estimates, s1: too few rows", all = FALSE)
})

test_that("cutoff is the exact search on orthogonal designs, with either support", {
  Q <- function(n, seed) with_seed(seed, qr.Q(qr(matrix(rnorm(n * 6), n)))) * sqrt(n)
  x <- rbind(Q(50, 1), Q(80, 2))
  g <- rep(c("t", "s"), c(50, 80))
  y <- drop(x %*% c(1, 0.5, 0.4, 0.2, 0, 0)) + with_seed(3, rnorm(130))
  for (support in c("target", "shared")) {
    for (borrow in c("hierarchical", "reml")) {
      both <- lapply(c("exact", "cutoff"), function(method) {
        tlcp(x, y, domain = g, target = "t", method = method, borrow = borrow,
             control = tlcp_control(support = support, guard = FALSE, scales = FALSE),
             standardize = FALSE, intercept = FALSE)
      })
      expect_identical(both[[1]]$selected, both[[2]]$selected, label = paste(support, borrow))
      expect_equal(coef(both[[1]]), coef(both[[2]]), tolerance = 1e-6,
                   label = paste(support, borrow))
    }
  }
})

test_that("without standardising, the unit of all columns together does not matter", {
  d <- draw_similar_domains(5, 3, 5)
  fits <- lapply(c(1, 1e-8, 1e6), function(unit) {
    fit <- tlcp(d$x * unit, d$y, domain = d$domain, target = "b", standardize = FALSE)
    c(fit$borrowing$lr, unname(coef(fit)) * c(1, rep(unit, 5)))
  })
  expect_equal(fits[[1]], fits[[2]], tolerance = 1e-6)
  expect_equal(fits[[1]], fits[[3]], tolerance = 1e-6)
})

test_that("keep, drop and numbers by feature are honoured by either method", {
  fit <- tlcp(mpg ~ ., data = mtcars, method = "cutoff", keep = "gear")
  expect_true("gear" %in% fit$selected)
  expect_true(coef(fit)[["gear"]] != 0)
  expect_false("cyl" %in% tlcp(mpg ~ ., data = mtcars, select = FALSE, control = tlcp_control(drop = "cyl"))$selected)
  x <- cbind(as.matrix(mtcars[-1]), flat = 1)
  pen <- c(1e6, rep(1, 10))
  for (method in c("exact", "cutoff")) {
    fit <- suppressMessages(tlcp(x, mtcars$mpg, method = method, borrow = list(pen = pen)))
    expect_false("cyl" %in% fit$selected)
    expect_gt(length(fit$selected), 3)
  }
  expect_equal(coef(tlcp(mpg ~ ., data = mtcars, criterion = 3L)),
               coef(tlcp(mpg ~ ., data = mtcars, criterion = 3)))
})

test_that("likelihoods are lm()'s: with weights, and of the target's rows", {
  w <- rep(c(1, 2, 5, 0.5), 8)
  fit <- tlcp(mpg ~ wt + qsec, data = mtcars, weights = w, criterion = 0)
  plain <- lm(mpg ~ wt + qsec, mtcars, weights = w)
  expect_equal(as.numeric(logLik(fit)), as.numeric(logLik(plain)))
  d <- draw_similar_domains(1, 3, 4)
  pooled <- tlcp(d$x, d$y, domain = d$domain, target = "b", borrow = "aggregate", criterion = 0)
  own <- d$domain == "b"
  expect_equal(deviance(pooled), sum((d$y[own] - predict(pooled, d$x[own, ]))^2))
  # four features, an intercept a domain
  expect_equal(utils::tail(pooled$steps$cp, 1), 4 + 3)
})

test_that("a search that stopped early takes the best set that any of them has found", {
  early <- 0
  for (seed in 1:12) {
    d <- draw_similar_domains(seed, 1, 25, kind = "correlated", n = 60)
    fit <- suppressWarnings(tlcp(d$x, d$y, control = tlcp_control(max_nodes = 1), sizes = TRUE))
    early <- early + !fit$certificate$complete
    steps <- fit$steps
    best <- steps[steps$step == fit$best, ]
    expect_lte(best$criterion, min(steps$criterion) + 1e-9)
    expect_equal(fit$certificate$value, best$criterion)
    expect_lte(fit$certificate$bound, fit$certificate$value)
    expect_true(all(steps$gap[-1] >= 0))
    expect_setequal(fit$selected, variable.names(fit))
  }
  expect_gt(early, 6)
})

test_that("a domain that is left out has its own least squares, of the columns that are searched", {
  d <- draw_similar_domains(2, 2, 4, n = 40)
  d$x[d$domain == "b", 4] <- 7 # constant in the target
  expect_message(
    fit <- tlcp(d$x, d$y, domain = d$domain, target = "b", borrow = "none"), "constant"
  )
  own <- d$domain == "a"
  expect_equal(coef(fit, domain = "a"), c(coef(lm(d$y[own] ~ d$x[own, 1:3])), 0),
               ignore_attr = TRUE)
})

test_that("fewer rows than features: domains left out have least squares where these are unique, else NA", {
  d <- draw_similar_domains(3, 3, 20, n = 16)
  rows <- table(d$domain)
  d$x <- d$x[d$domain != "c" | cumsum(d$domain == "c") <= 12, ]
  keep <- d$domain != "c" | cumsum(d$domain == "c") <= 12
  d$y <- d$y[keep]
  d$domain <- d$domain[keep]
  fit <- tlcp(d$x, d$y, domain = d$domain, target = "b", method = "cutoff", borrow = "none")
  own <- d$domain == "a"
  expect_equal(coef(fit, domain = "a"), coef(lm(d$y[own] ~ d$x[own, ])), ignore_attr = TRUE)
  expect_true(all(is.na(coef(fit, domain = "c"))))
  expect_length(fitted(fit), nobs(fit))
  expect_false(anyNA(fitted(fit)))
})

test_that("least squares of the columns kept, also where rounding decides", {
  for (seed in 1:40) {
    x <- with_seed(seed, matrix(rnorm(30 * 30), 30))
    x[, 11:20] <- x[, 1:10] + 10^-(seed %% 12) * x[, 11:20] # near copies, nearer and nearer
    x <- scale(x[, 1:24], scale = FALSE)
    y <- with_seed(seed, drop(x %*% rnorm(24)) + rnorm(30))
    G <- crossprod(x)
    fit <- tlcp_domain_least_squares(list(G = G, g = drop(crossprod(x, y)), yy = sum(y^2), n = 30), TRUE)
    kept <- fit$kept
    expect_true(all(setdiff(1:24, kept) %in% 11:20))
    expect_identical(fit$coef[-kept], numeric(24 - length(kept)))
    expect_equal(fit$df, 29 - length(kept))
    expect_equal(drop(G[kept, kept] %*% fit$coef[kept]), drop(crossprod(x[, kept], y)), tolerance = 1e-6)
    expect_equal(fit$rss, sum(y^2) - sum(fit$coef * crossprod(x, y)), tolerance = 1e-6)
    log_det <- if (length(kept) == 24) as.numeric(determinant(G)$modulus) else 0
    expect_equal(fit$log_det, log_det, tolerance = 1e-5)
  }
})

# Domains a, b (the target), c, and two from which nothing can be borrowed.
with_poor_sources <- function() {
  d <- draw_similar_domains(5, 3, 4, n = 20)
  rows <- c(which(d$domain == "a")[1], which(d$domain == "c")[1:6])
  list(x = rbind(d$x, d$x[rows, ]), y = c(d$y, d$y[rows[1]], rep(3, 6)),
       domain = c(as.character(d$domain), "one", rep("flat", 6)), plain = d)
}

test_that("a domain of one row or with a constant response is left out and named", {
  d <- with_poor_sources()
  run <- function(...) tlcp(d$x, d$y, domain = d$domain, target = "b", ...)
  plain <- function(...) tlcp(d$plain$x, d$plain$y, domain = d$plain$domain, target = "b", ...)
  for (method in c("exact", "cutoff")) {
    expect_message(fit <- run(method = method), "flat.*constant response, 6 rows",
                   class = "transelect_message_sources")
    expect_equal(coef(fit), coef(plain(method = method)))
    expect_named(fit$models, c("b", "a", "c"))
  }
  expect_message(run(), "one row", class = "transelect_message_sources")
  quiet <- function(...) suppressMessages(run(...))
  # numbers for all domains, target first or by name
  used <- plain(control = tlcp_control(sigma2 = c(2, 3, 4)))
  expect_equal(coef(quiet(control = tlcp_control(sigma2 = c(2, 3, 4, 5, 6)))), coef(used),
               tolerance = 1e-8) # levels: a, b, c, flat, one
  named <- c(flat = 5, a = 3, one = 6, b = 2, c = 4)
  expect_equal(coef(quiet(control = tlcp_control(sigma2 = named))), coef(used))
  m <- moments(d$x, d$y, domain = d$domain)
  expect_message(fit <- tlcp(m, target = "b"), "flat", class = "transelect_message_sources")
  expect_equal(coef(fit), coef(plain()))
  expect_message(table <- dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 0),
                 "flat", class = "transelect_message_sources")
  expect_equal(table, dissimilarity(d$plain$x, d$plain$y, domain = d$plain$domain, target = "b",
                                    draws = 0))
  expect_message(table <- dissimilarity(m, target = "b", draws = 0), "flat")
  expect_identical(table$domain, c("a", "c"))
})

test_that("without another domain that can be used the fit is of the target alone, and a target must vary", {
  d <- with_poor_sources()
  few <- d$domain %in% c("b", "one", "flat")
  expect_message(
    fit <- tlcp(d$x[few, ], d$y[few], domain = d$domain[few], target = "b",
                borrow = "hierarchical"),
    "fitted alone", class = "transelect_message_sources"
  )
  own <- d$domain == "b"
  expect_equal(coef(fit), coef(tlcp(d$x[own, ], d$y[own])))
  for (target in c("one", "flat")) {
    expect_error(suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = target)),
                 "constant", class = "transelect_error_y")
  }
  # without an intercept a constant response is one like any other
  fit <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "b", intercept = FALSE))
  expect_named(fit$models, c("b", "a", "c", "flat"))
})

test_that("print() names all features chosen, shows n rows, and names the kind of the fit", {
  one <- draw_similar_domains(3, 1, 34, n = 80)
  fit <- tlcp(one$x, one$y, criterion = 0.5)
  said <- capture.output(print(fit))
  shown <- paste(said, collapse = " ")
  for (name in fit$selected) expect_match(shown, paste0("\\b", name, "\\b"))
  expect_false(any(grepl("..", said, fixed = TRUE)))
  expect_match(said[1], "^Best subset: 80 rows")
  sizes <- tlcp(one$x, one$y, sizes = TRUE)
  expect_match(capture.output(print(sizes, n = 4)), "31 more rows", all = FALSE)
  expect_error(print(sizes, n = -1), class = "transelect_error_n")
  d <- draw_similar_domains(3, 3, 4)
  run <- function(...) tlcp(d$x, d$y, domain = d$domain, target = "b", control = tlcp_control(guard = FALSE), ...)
  expect_match(capture.output(run()), "^Best subset with transfer: target b", all = FALSE)
  alone <- capture.output(run(borrow = "none"))
  expect_match(alone[1], "^Target b borrows nothing")
  expect_match(alone[2], "^Best subset: target b")
})

test_that("print() begins with what is borrowed, and calls AIC what AIC() says and nothing else", {
  d <- draw_similar_domains(3, 3, 4)
  said <- function(fit) paste(capture.output(print(fit)), collapse = " ")
  for (criterion in c("AIC", "BIC")) {
    fit <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "b", criterion = criterion))
    text <- said(fit)
    expect_match(text, paste0("best by penalised criterion (", criterion, " penalty)"), fixed = TRUE)
    expect_match(text, "^Target b borrows ")
    expect_identical(grepl("related coefficients fit better", text),
                     fit$borrowing$lr > 1.35 && grepl("borrows from", text))
    expect_match(picture_of(plot(fit))$panels[[1]]$y$label, "^penalised criterion")
    alone <- tlcp(d$x, d$y, criterion = criterion)
    expect_match(said(alone), paste0("best by ", criterion, ":"), fixed = TRUE)
    expect_equal(get(criterion)(alone), min(alone$steps$criterion))
    expect_identical(picture_of(plot(alone))$panels[[1]]$y$label, criterion)
  }
  unlike <- suppressMessages(tlcp(d$x, ifelse(d$domain == "b", -3, 3) * d$y, domain = d$domain, target = "b",
                                  borrow = "pooled"))
  expect_match(said(unlike), "^Target b borrows nothing: there is too little evidence")
  sign <- ifelse(d$domain %in% c("a", "b"), 3, -3)
  one <- suppressMessages(tlcp(d$x, sign * d$x[, 1] + d$y / 10, domain = d$domain, target = "b", borrow = "pooled"))
  expect_identical(one$borrowing$guarded, "c")
  expect_match(said(one), "^Target b borrows from \"a\": ")
  expect_error(simulate(alone, step = 0), class = "transelect_error_argument")
  expect_identical(glance(alone, step = 0)$step, "0")
  expect_equal(glance(alone, step = 0)$AIC, AIC(lm(d$y ~ 1)))
})

test_that("a gap that is rounding is 0", {
  for (seed in 1:20) {
    d <- draw_similar_domains(seed, 1, 8, "correlated", n = 40)
    fit <- tlcp(d$x, d$y)
    expect_identical(fit$certificate$gap, 0)
    expect_identical(fit$steps$gap[-1], numeric(8))
  }
})

test_that("messages name columns of extreme spread, and units that the evidence does not decide", {
  d <- with_seed(3, {
    x <- matrix(rnorm(80), 40, dimnames = list(NULL, c("wide", "even")))
    x <- rbind(x, x[40:1, ]) # the same spreads in both domains
    list(x = x, y = x[, 1] + x[, 2] + rnorm(80), domain = rep(c("t", "a"), each = 40))
  })
  fit <- function(times, ...) {
    d$x[d$domain == "t", "wide"] <- d$x[d$domain == "t", "wide"] * times
    tlcp(d$x, d$y, domain = d$domain, target = "t", ...)
  }
  expect_message(fit(20, control = tlcp_control(units = "own")), "wide \\([0-9]+ times larger\\)")
  expect_message(fit(1 / 20, control = tlcp_control(units = "own")), "wide \\([0-9]+ times smaller\\)")
  expect_quiet(fit(20, standardize = FALSE))
  expect_quiet(fit(1))
  # a column in grams in the target and in kilograms elsewhere: its effect is further from the true one, 1
  away <- vapply(1:12, function(seed) {
    n <- c(t = 12, a = 60, b = 60)
    domain <- rep(names(n), n)
    x <- with_seed(seed, matrix(rnorm(3 * sum(n)), sum(n), dimnames = list(NULL, c("u", "v", "w"))))
    y <- x[, "u"] + x[, "v"] / 2 + with_seed(seed + 100, rnorm(sum(n)))
    grams <- x
    grams[domain == "t", "u"] <- 1000 * x[domain == "t", "u"]
    effect <- function(x) coef(suppressMessages(tlcp(x, y, domain = domain, target = "t", select = FALSE)))[["u"]]
    c((effect(x) - 1)^2, (1000 * effect(grams) - 1)^2)
  }, numeric(2))
  expect_gt(sum(away[2, ]), 1.3 * sum(away[1, ]))
})

# Other domains that are like the target in every second column only, so that penalties differ.
unlike_columns <- function(seed) {
  with_seed(seed, {
    rows <- rep(letters[1:4], c(15, 60, 60, 60))
    x <- matrix(rnorm(195 * 8), 195) %*% chol(.6^abs(outer(1:8, 1:8, "-")))
    colnames(x) <- letters[1:8]
    apart <- matrix(rnorm(32) * c(.05, 1), 8)
    slopes <- c(1, .5, .5, 0, .3, 0, .2, 0) + apart
    list(x = x, y = rowSums(x * t(slopes)[match(rows, letters), ]) + 2 * rnorm(195), domain = rows)
  })
}

test_that("a set proven best by the criterion has no gap, also where another set of its size fits better", {
  better <- 0
  for (seed in 1:30) {
    d <- unlike_columns(seed)
    run <- function(...) suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "a", ...))
    fit <- run()
    if (!length(fit$selected)) next
    chosen <- fit$steps[fit$best + 1, ]
    expect_identical(chosen$gap, 0)
    expect_true(chosen$complete)
    expect_equal(chosen$bound, chosen$objective, tolerance = 1e-8)
    expect_null(described_marks(picture_of(plot(fit)), "segment")) # how much better a set might be
    same <- run(criterion = 0)$steps[chosen$size + 1, ] # without a penalty
    better <- better + (same$objective < chosen$objective * (1 - 1e-6))
  }
  expect_gt(better, 2)
})

test_that("`max_seconds` holds for all searches of a call, and the posterior of the prior is computed once", {
  set.seed(1)
  x <- matrix(rnorm(60 * 45), 60)
  x <- x + rnorm(60) # alike, so that no search ends soon
  y <- rowSums(x[, 1:20]) + rnorm(60, sd = 8)
  expect_warning(fit <- tlcp(x, y, borrow = "none", max_seconds = .5, sizes = TRUE, criterion = 1e-3),
                 class = "transelect_warning_incomplete")
  expect_null(fit$settings$until)
  expect_equal(tlcp_search_limits(list(max_seconds = 9, until = 0))$max_seconds, 0)
  expect_equal(tlcp_search_limits(list(max_seconds = 9))$max_seconds, 9)

  # the form and the posterior means come with the prior
  made <- tlcp_form_quadratic
  home <- environment(made)
  bind <- function(value) {
    unlockBinding("tlcp_form_quadratic", home)
    assign("tlcp_form_quadratic", value, home)
    lockBinding("tlcp_form_quadratic", home)
  }
  on.exit(bind(made))
  bind(function(...) stop("computed again"))
  fit <- suppressMessages(tlcp(x[, 1:4], y, domain = gl(3, 20), target = "1"))
  expect_false(anyNA(fit$borrowed$borrowed))
})

test_that("a row of a variable that is a matrix is predicted", {
  d <- mtcars
  d$m <- cbind(u = 1:32, v = sin(1:32))
  fit <- tlcp(mpg ~ m + wt, d)
  expect_equal(predict(fit, d[7, ]), predict(fit, d)[7])
  d$m <- d$m[, "v", drop = FALSE]
  fit <- tlcp(mpg ~ m + wt, d, select = FALSE)
  expect_equal(predict(fit, d[7, ]), predict(fit, d)[7])
})

test_that("arguments of verbs are refused in words", {
  fit <- tlcp(mpg ~ wt + hp, data = mtcars)
  if (rlang::is_installed("survival")) {
    expect_error(assess(fit, mtcars, survival::Surv(mtcars$mpg, mtcars$am)), class = "transelect_error_y")
  }
  expect_error(extractAIC(fit, scale = "a"), class = "transelect_error_scale")
  expect_error(extractAIC(fit, k = NULL), class = "transelect_error_k")
  expect_error(update(fit, NaN), class = "transelect_error_formula.")
  expect_error(simulate(fit, seed = NA), class = "transelect_error_seed")
  expect_error(simulate(fit, nsim = 1e300), class = "transelect_error_nsim")
  expect_error(model.frame(fit, as.matrix(mtcars)), class = "transelect_error_data")
  expect_error(model.frame(fit, mtcars["mpg"]), class = "transelect_error_data")
  expect_error(AIC(cv_path(mpg ~ wt + hp, mtcars, fit = tlcp, nfolds = 3), k = "a"), class = "transelect_error_k")
  skip_if_not_installed("survival")
  y <- survival::Surv(1:20, rep(1, 20))
  strata <- array(rep(c("a", "b"), 10))
  x <- cbind(a = cos(1:20))
  expect_equal(coef(tlcp(x, y, strata = strata)), coef(tlcp(x, y, strata = as.vector(strata))))
  for (rows in list(1i, as.table(cbind(-1, 1)))) {
    expect_error(tlcp(mpg ~ wt, mtcars, subset = rows), class = "transelect_error_subset")
  }
  expect_error(tgreedy(mpg ~ wt, as.matrix(mtcars[-1]), domain = 1), class = "transelect_error_data")
  expect_error(tlcp(mpg ~ wt, mtcars, na.action = mean), class = "transelect_error_na.action")
  expect_no_warning(try(tlcp(mpg ~ wt, mtcars, na.action = mean), silent = TRUE))
  if (rlang::is_installed("nnet")) {
    classes <- nnet::multinom(factor(cyl) ~ wt, mtcars, trace = FALSE)
    expect_error(tlcp(mpg ~ wt, mtcars, sources = list(m = classes)), class = "transelect_error_sources")
  }
  whole <- sources(list(a = function(x) x[, 1]))
  expect_error(greedytl(mpg ~ wt, mtcars, sources = replace(whole, 1, NA)), class = "transelect_error_sources")
  d <- data.frame(y = 1:4, x = factor(c("a", NA, "a", NA)), w = c(3, 1, 2, 2))
  expect_error(tlcp(y ~ x + w, d, na.action = na.pass), class = "transelect_error_x")
})

test_that("the title counts the domains that the guard left", {
  set.seed(1)
  domain <- sample(4, 60, TRUE)
  d <- data.frame(a = rnorm(60), b = rnorm(60), c = rnorm(60))
  slopes <- cbind(1, 1, c(-3, 2, -2), c(4, -4, 4))[, domain]
  d$y <- rowSums(as.matrix(d) * t(matrix(slopes, 3))) + .7 * rnorm(60)
  d$domain <- paste0("d", domain)
  fit <- suppressMessages(tlcp(y ~ a + b + c, d, domain = domain, target = "d1", borrow = "plugin", criterion = "AIC"))
  shown <- paste(utils::capture.output(print(fit)), collapse = " ")
  expect_identical(fit$borrowing$guarded, c("d3", "d4"))
  expect_match(shown, "and 1 of 3 other domains")
})
