# ---- dissimilarity(): every other domain judged by itself

test_that("a row for each other domain, its likelihood ratio and tau those of the pair", {
  d <- draw_similar_domains(1, 4, 5, n = 25)
  table <- with_seed(1, dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 20))
  expect_s3_class(table, "transfer_dissimilarity")
  expect_setequal(as.character(table$domain), c("a", "c", "d"))
  for (other in c("a", "c", "d")) {
    row <- as.character(table$domain) == other
    both <- d$domain %in% c("b", other)
    pair <- suppressMessages(
      tlcp(d$x[both, ], d$y[both], domain = d$domain[both], target = "b", sizes = FALSE)
    )
    expect_equal(table$n[row], sum(d$domain == other))
    expect_equal(table$lr[row], pair$borrowing$lr)
  }
  expect_identical(table$evidence == "for", table$log_bf > ifelse(table$q_p > .05, 1.35, 2.2))
  expect_identical(table$evidence == "against", table$log_bf < -(.3 + .15 * sqrt(5)))
  expect_true(all(table$evidence %in% c("for", "open", "against")))
  expect_true(all(table$lower <= table$upper))
  expect_true(all(table$relative >= 0))
})

test_that("the limits of the verdicts, of one domain and of many", {
  said <- function(log_bf, equal_p = .5, looks = 1, columns = 4) {
    dissimilarity_evidence_verdict(log_bf, columns, equal_p, looks)
  }
  expect_identical(said(c(1.36, 1.34, -.59, -.61)), c("for", "open", "open", "against"))
  # where equal slopes are refuted, or cannot be tested
  expect_identical(said(c(2.1, 2.3, 2.1, 2.3), c(.04, .04, NA, NA)), c("open", "for", "open", "for"))
  expect_identical(said(c(-.7, -.7, -.9), columns = c(4, 9, 9)), c("against", "open", "against"))
  # of 20 domains: e^1.35 times 20, and Holm's rule
  expect_identical(said(1.35 + log(20) + c(-.01, .01), looks = 20), c("open", "for"))
  expect_identical(said(c(-2, -2), c(.02, .04), looks = 2), c("against", "against"))
  expect_identical(said(c(-2, -2), c(.03, .04), looks = 2), c("open", "open"))
  d <- draw_similar_domains(1, 4, 5, n = 25)
  table <- dissimilarity(moments(d$x, d$y, domain = d$domain), target = "b", draws = 0)
  expect_identical(table$adjusted, said(table$log_bf, table$q_p, 3, 5))
  joint <- attr(table, "joint")
  expect_identical(joint$evidence, said(joint$log_bf, NA, 1, 5))
  expect_output(print(table), "Q [0-9.]+ on 15 df, I2 [0-9]+ %")
})

test_that("with limits for one and for many, few verdicts of unrelated and of equal domains are wrong", {
  set.seed(21)
  wrong <- function(truth, verdict) {
    mean(replicate(60, {
      b <- rnorm(5, 0, .4)
      other <- if (truth == "same") b else rnorm(5, 0, .4)
      g <- rep(c("t", "o"), c(20, 60))
      x <- matrix(rnorm(80 * 5), 80)
      y <- ifelse(g == "t", drop(x %*% b) + 3 * rnorm(80), drop(x %*% other) + rnorm(80))
      dissimilarity(moments(x, y, domain = g), target = "t", draws = 0)$evidence == verdict
    }))
  }
  expect_lte(wrong("same", "against"), .1) # 26 % before limits depended on the noise of no slopes
  expect_lte(wrong("unrelated", "for"), .1)
})

test_that("Q and I-squared are those of a multivariate meta-analysis, also with estimates and likelihoods", {
  set.seed(22)
  d <- data.frame(matrix(rnorm(110 * 3), 110, dimnames = list(NULL, c("a", "b", "c"))))
  d$g <- rep(c("t", "u", "v"), c(30, 45, 35))
  d$y <- 2 * d$a - d$b * (d$g != "u") + rnorm(110)
  d$z <- rbinom(110, 1, plogis(d$a - d$b))
  reference <- function(fits) {
    b <- lapply(fits, function(fit) coef(fit)[-1])
    W <- lapply(fits, function(fit) solve(vcov(fit)[-1, -1]))
    mean <- solve(Reduce(`+`, W), Reduce(`+`, Map(`%*%`, W, b)))
    sum(mapply(function(W, b) sum((b - mean) * (W %*% (b - mean))), W, b))
  }
  fits <- lapply(split(d, d$g), function(part) lm(y ~ a + b + c, part))
  table <- dissimilarity(y ~ a + b + c, data = d, domain = g, target = "t", draws = 0)
  expect_equal(table$q, c(reference(fits[c("t", "u")]), reference(fits[c("t", "v")])))
  expect_equal(table$i2, 100 * pmax(0, 1 - 3 / table$q))
  joint <- attr(table, "joint")
  expect_equal(unlist(joint[c("q", "q_df", "i2")]), c(q = reference(fits), q_df = 6,
                                                      i2 = 100 * max(0, 1 - 6 / reference(fits))))
  V <- lapply(fits[c("t", "u")], function(fit) vcov(fit)[-1, -1])
  share <- vapply(V, function(v) sum(diag(solve(V[[1]] + V[[2]], v))) / 3, 0)
  expect_equal(table$q_p[1], pf(table$q[1] / 3, 3, 1 / sum(share^2 / c(26, 41)), lower.tail = FALSE))
  known <- dissimilarity(y ~ a + b + c, data = d[d$g == "t", ], sources = list(u = fits$u), draws = 0)
  expect_equal(known$q, table$q[1], tolerance = 1e-6)
  if (requireNamespace("metafor", quietly = TRUE)) {
    two <- fits[c("t", "u")]
    V <- as.matrix(Matrix::bdiag(lapply(two, function(fit) vcov(fit)[-1, -1])))
    yi <- unlist(lapply(two, function(fit) coef(fit)[-1]))
    expect_equal(metafor::rma.mv(yi, V, mods = ~ factor(rep(1:3, 2)) - 1)$QE, table$q[1])
  }
  # a family: of the expansions of the likelihood, close to glm()
  odds <- suppressMessages(dissimilarity(z ~ a + b + c, data = d, domain = g, target = "t", draws = 0,
                                         family = "binomial"))
  glms <- lapply(split(d, d$g), function(part) glm(z ~ a + b + c, binomial, part))
  expect_equal(odds$q[2], reference(glms[c("t", "v")]), tolerance = .25)
})

test_that("tau and the relative dissimilarity", {
  for (seed in 1:3) {
    d <- draw_similar_domains(seed, 2, 5, n = 30, apart = 0.6)
    table <- dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 0)
    fit <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "b", sizes = FALSE))
    units <- lapply(naive_domains_of_fit(fit, d), naive_own_level)
    pair <- naive_hierarchical_fit(units, rep(1, 5), FALSE)
    domains <- naive_domain_rows(d$x, d$y, d$domain, "b")
    expect_lt(abs(table$tau - sqrt(sum(pair$tau2))), 0.01)
    w <- do.call(cbind, naive_stack(domains, "what"))
    noise <- vapply(domains, function(domain) domain$s2 * sum(diag(solve(domain$G))), 1)
    expect_equal(table$relative, sqrt(
      max(0, sum((w[, 1] - w[, 2])^2) - sum(noise)) / (sum(w[, 1]^2) - noise[[1]])
    ))
  }
})

test_that("the errors are those of rows written out, each left out", {
  d <- draw_similar_domains(2, 2, 3, n = 12)
  table <- dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 0)
  twin <- naive_left_out(d$x, d$y, d$domain, "b")
  expect_equal(unlist(table[c("own", "pooled")]), twin[c("own", "pooled")])
  expect_equal(unlist(table[c("shrunk", "borrowed")]), twin[c("shrunk", "borrowed")],
               tolerance = 1e-3)
})

# The target's rows, those of a fold left out together, as tlcp() of the other rows predicts them:
# the mean squared error.
refitted <- function(d, others, ..., weights = rep(1, length(d$y))) {
  used <- d$domain %in% c("b", others)
  own <- which(d$domain == "b")
  folds <- if (length(own) > 30) 10 else length(own)
  fold <- (seq_along(own) - 1) %% folds
  predicted <- numeric(length(own))
  for (f in unique(fold)) {
    out <- own[fold == f]
    left <- setdiff(which(used), out)
    fit <- suppressMessages(flat(tlcp)(
      d$x[left, , drop = FALSE], d$y[left], domain = d$domain[left], target = "b",
      weights = weights[left], select = FALSE, ...
    ))
    predicted[fold == f] <- predict(fit, d$x[out, , drop = FALSE])
  }
  stats::weighted.mean((d$y[own] - predicted)^2, weights[own])
}

# near: the searches of the prior end by a coarse tolerance, and of several maxima find that near the one of all rows.
expect_refitted <- function(d, ..., weights = NULL, own = TRUE, near = 5e-3) {
  table <- dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 0, weights = weights,
                         ...)
  refit <- function(...) {
    args <- list(d, ..., weights = weights)
    do.call(refitted, args[!vapply(args, is.null, NA)])
  }
  if (own) expect_equal(table$own[1], refit(table$domain, borrow = "none", ...), tolerance = 1e-6)
  for (i in seq_len(nrow(table))) {
    pooled <- refit(table$domain[i], borrow = "aggregate", ...)
    borrowed <- refit(table$domain[i], ...)
    expect_equal(table$pooled[i], pooled, tolerance = 1e-6)
    expect_equal(table$borrowed[i], borrowed, tolerance = near)
  }
  joint <- attr(table, "joint")
  expect_equal(joint$borrowed, refit(table$domain, ...), tolerance = near)
  n <- sum(d$domain == "b")
  expect_equal(joint$folds, if (n > 30) 10 else n)
  invisible(table)
}

test_that("the errors are those of tlcp() without the rows", {
  for (seed in 1:3) expect_refitted(draw_similar_domains(seed, 3, 4, n = 14), near = 2e-2)
  d <- draw_similar_domains(4, 2, 4, n = 14)
  w <- with_seed(1, runif(length(d$y), .2, 3))
  expect_refitted(d, weights = w)
  expect_refitted(d, weights = w, intercept = FALSE)
  expect_refitted(d, standardize = FALSE)
  expect_refitted(d, sigma2 = 2)
})

test_that("the errors are those of tlcp() where columns are zeros and ones, rows few or many", {
  d <- draw_similar_domains(5, 3, 4, n = 16)
  d$x[, 2] <- d$x[, 2] > 0
  d$x[d$domain == "a", 2] <- 2 * d$x[d$domain == "a", 2] # zeros and ones in one other domain only
  expect_refitted(d)
  expect_refitted(draw_similar_domains(6, 2, 6, n = 9))
  table <- expect_refitted(draw_similar_domains(7, 3, 6, n = 6), own = FALSE)
  expect_true(all(is.na(table$own)))
  expect_false(anyNA(table$shrunk))
  expect_refitted(draw_similar_domains(8, 2, 3, n = 47))
})

test_that("what is said of the errors follows the folds: ten rows are left out one by one", {
  for (n in c(10, 40)) {
    d <- draw_similar_domains(8, 2, 3, n = n)
    table <- dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 0)
    word <- if (n == 10) "leave-one-out" else "10-fold"
    expect_identical(attr(table, "joint")$folds, 10L)
    expect_output(print(table), paste(word, "errors for the target"))
    panel <- picture_of(plot(table))$panels[[2]]
    expect_identical(panel$x$label, paste(word, "error / own (log scale)"))
  }
})

test_that("numbers given for domains are matched by name", {
  d <- draw_similar_domains(5, 3, 4, n = 14)
  sigma2 <- c(b = 1, a = 2, c = 3)
  table <- function(sigma2) {
    dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 0, sigma2 = sigma2)
  }
  expect_identical(table(sigma2[c(2, 3, 1)]), table(unname(sigma2)))
  one <- table(unname(sigma2))$borrowed[2]
  expect_equal(one, refitted(d, "c", control = tlcp_control(sigma2 = c(1, 3))), tolerance = 1e-3)
})

test_that("errors are not defined where a fold cannot be fitted, and print says so", {
  d <- draw_similar_domains(9, 3, 3, n = 12)
  table <- function(d) dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 0)
  own <- which(d$domain == "b")
  lone <- d # a column that one row of the target decides
  lone$x[own, 2] <- replace(numeric(12), 5, 1)
  found <- table(lone)
  expect_true(all(is.na(found$own)))
  expect_equal(found$pooled[1], refitted(lone, "a", borrow = "aggregate"), tolerance = 1e-6)
  expect_equal(found$borrowed[1], refitted(lone, "a"), tolerance = 1e-3)
  expect_output(print(found), "Missing .own.: without")
  lone$x[lone$domain == "a", 2] <- 0
  found <- table(lone)
  expect_identical(is.na(found$pooled), c(TRUE, FALSE))
  expect_output(print(found), "Missing .own, pooled.: without")

  flat <- d # without one row there is nothing left to explain
  flat$y[own] <- replace(numeric(12), 3, 1)
  found <- table(flat)
  expect_true(all(is.na(found[c("own", "shrunk", "pooled", "borrowed")])))
  expect_true(is.na(attr(found, "joint")$borrowed))
  expect_output(print(found), "Missing .own, shrunk, pooled, borrowed.: without")
  two <- lapply(d[c("x", "y", "domain")], function(part) {
    rows <- c(own[1:2], which(d$domain != "b"))
    if (is.matrix(part)) part[rows, ] else part[rows]
  })
  expect_true(all(is.na(table(two)$shrunk)))

  sums <- dissimilarity(moments(d$x, d$y, domain = d$domain), target = "b", draws = 0)
  expect_true(all(is.na(sums$borrowed)))
  expect_identical(attr(sums, "joint")$folds, 0L)
  expect_equal(sums$lr, table(d)$lr)
  told <- paste(capture.output(print(sums)), collapse = " ")
  expect_no_match(told, "leave-one-out|determined")
  expect_match(paste(capture.output(print(table(d))), collapse = " "), "own +shrunk +pooled")
})

test_that("rows coded as a sparse matrix have the same errors", {
  d <- draw_similar_domains(5, 3, 4, n = 14)
  sparse <- methods::as(d$x, "CsparseMatrix")
  expect_equal(dissimilarity(sparse, d$y, domain = d$domain, target = "b", draws = 0),
               dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 0))
})

test_that("there is evidence for like domains, none for flipped ones", {
  d <- draw_similar_domains(2, 3, 6, n = 40, apart = 0.05)
  d$y[d$domain == "c"] <- -d$y[d$domain == "c"]
  table <- with_seed(1, dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 20))
  verdict <- setNames(table$evidence == "for", as.character(table$domain))
  expect_true(verdict[["a"]])
  expect_false(verdict[["c"]])
  relative <- setNames(table$relative, as.character(table$domain))
  expect_lt(relative[["a"]], 0.6)
  expect_gt(relative[["c"]], 1.5)
})

test_that("the interval is of the bootstrap and repeats with the seed", {
  d <- draw_similar_domains(3, 2, 5, n = 30)
  draw <- function(seed, ...) {
    with_seed(seed, dissimilarity(d$x, d$y, domain = d$domain, target = "b", ...))
  }
  expect_identical(as.data.frame(draw(1, draws = 30)), as.data.frame(draw(1, draws = 30)))
  a <- draw(1, draws = 30)
  b <- draw(2, draws = 30)
  expect_false(identical(a$upper, b$upper))
  expect_identical(a$lr, b$lr)
  # 95 % of the values of least squares, were the true dissimilarity of the size of its estimate
  domains <- naive_domain_rows(d$x, d$y, d$domain, "b")
  noise <- vapply(domains, function(domain) domain$s2 * sum(diag(solve(domain$G))), 1)
  shrunk <- function(v, noise) v * sqrt(max(0, sum(v^2) - noise) / sum(v^2))
  own <- shrunk(domains[[1]]$what, noise[[1]])
  apart <- shrunk(domains[[1]]$what - domains[[2]]$what, sum(noise))
  seen <- with_seed(4, replicate(20000, {
    w <- Map(function(centre, domain) {
      centre + drop(backsolve(chol(domain$G / domain$s2), rnorm(5)))
    }, list(own, own - apart), domains)
    sqrt(max(0, sum((w[[1]] - w[[2]])^2) - sum(noise)) / (sum(w[[1]]^2) - noise[[1]]))
  }))
  many <- draw(1, draws = 20000)
  expect_equal(c(many$lower, many$upper), unname(quantile(seen, c(.025, .975))), tolerance = .05)
})

test_that("the interval of the relative dissimilarity covers it, and the estimate", {
  for (truth in c(0, .3, 1)) {
    covered <- with_seed(5, replicate(60, {
      p <- 20
      x <- matrix(rnorm(120 * p), 120)
      domain <- rep(0:1, each = 60)
      moved <- truth * sample(c(-1, 1), p, TRUE)
      y <- drop(x %*% rep(.5, p)) + domain * drop(x %*% (.5 * moved)) + rnorm(120)
      sums <- moments(x, y, domain = domain)
      table <- dissimilarity(sums, target = 0, draws = 60, standardize = FALSE)
      within <- function(value) table$lower <= value && value <= table$upper
      c(truth = within(truth), estimate = within(table$relative))
    }))
    expect_gt(mean(covered["truth", ]), .86)
    expect_true(all(covered["estimate", ]))
  }
})

test_that("the formula is the matrix", {
  d <- draw_similar_domains(4, 3, 4, n = 25)
  data <- data.frame(y = d$y, site = d$domain, d$x)
  a <- with_seed(1, dissimilarity(y ~ ., data, domain = site, target = "b", draws = 10))
  b <- with_seed(1, dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 10))
  expect_equal(a$lr, b$lr)
  expect_equal(a$relative, b$relative)
  expect_equal(a$upper, b$upper)
})

test_that("print, sort and plot", {
  d <- draw_similar_domains(5, 4, 4, n = 25)
  table <- with_seed(1, dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 10))
  expect_output(print(table), "a")
  sorted <- sort(table)
  expect_s3_class(sorted, "transfer_dissimilarity")
  expect_setequal(as.character(sorted$domain), as.character(table$domain))
  expect_silent({
    grDevices::pdf(NULL)
    plot(table)
    grDevices::dev.off()
  })
})

test_that("bad input is refused by name", {
  d <- draw_similar_domains(6, 2, 4)
  expect_refused(
    dissimilarity(d$x, d$y), "domain: `domain`",
    dissimilarity(d$x, d$y, domain = d$domain), "target: `target`",
    dissimilarity(d$x, d$y, domain = d$domain, target = "z"), 'target: `target` "z"',
    dissimilarity(d$x, d$y, domain = rep("b", length(d$y)), target = "b"), 'domain: "b"',
    dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = -1), "draws: `draws` -1",
    dissimilarity(d$x, d$y, domain = d$domain, target = "b", draw = 10), "argument: `draw`"
  )
})

test_that("a fold in which no column varies has no error, and the others stand", {
  x <- cbind(x1 = c(0, 0, 1, 0, 0, -1, 0, -1, 0, 0, 0, 0))
  y <- c(-.8, 1.8, .6, -2.1, -1.1, .1, .8, -1.4, 1.5, -.4, -.1, -2.6)
  domain <- c("c", "c", "a", "a", "b", "b", "a", "b", "c", "a", "c", "b")
  found <- suppressMessages(dissimilarity(x, y, domain = domain, target = "a", draws = 0))
  expect_equal(found$domain, c("b", "c"))
  expect_equal(is.na(found$borrowed), c(FALSE, TRUE))
})

test_that("raw is the paper's relative dissimilarity, relative the same less noise", {
  d <- draw_similar_domains(3, 3, 4)
  made <- dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 0)
  # least-squares coefficients of each domain in its z-scores
  w <- lapply(split(seq_along(d$y), d$domain), function(rows) {
    z <- scale(d$x[rows, ])
    coef(lm(scale(d$y[rows]) ~ z))[-1]
  })
  others <- setdiff(names(w), "b")
  twin <- vapply(others, function(name) sqrt(sum((w$b - w[[name]])^2) / sum(w$b^2)), 0)
  expect_equal(made$raw, unname(twin[made$domain]), tolerance = 1e-8)
  expect_false(identical(made$raw, made$relative))
})
