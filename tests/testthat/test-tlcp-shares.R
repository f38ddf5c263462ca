# Domains of one kind: 20 rows of the target "a" and 60 of each other domain, four columns.
shares_data <- function(kind, seed = 1) {
  set.seed(seed)
  n_domains <- switch(kind, one = 2, many = 12, 4)
  n <- c(20, rep(60, n_domains - 1))
  p <- 4
  g <- rep(letters[seq_len(n_domains)], n)
  x <- matrix(rnorm(sum(n) * p), ncol = p, dimnames = list(NULL, paste0("x", 1:p)))
  b <- rnorm(p, 0, .7)
  apart <- matrix(rnorm(p * n_domains, 0, switch(kind, one = , many = .15, 0)), p)
  slopes <- switch(kind, noise = matrix(0, p, n_domains), unrelated = matrix(rnorm(p * n_domains, 0, .7), p),
                   reversed = outer(b, c(-1, rep(1, n_domains - 1))), b + apart)
  score <- rowSums(x * t(slopes[, match(g, letters)]))
  data.frame(g, x, y = score + rnorm(sum(n)), yes = as.integer(score + rlogis(sum(n)) > 0))
}

shares_fit <- function(kind, ...) suppressMessages(tlcp(y ~ x1 + x2 + x3 + x4, shares_data(kind), domain = g,
                                                        target = "a", ...))

test_that("print() begins with what comes from other domains and what from shrinkage, on every kind of data", {
  for (kind in c("noise", "unrelated", "reversed", "one", "equal", "many")) {
    expect_snapshot(writeLines(describe_path(shares_fit(kind, select = FALSE), 3)$head[1]))
  }
  expect_snapshot(writeLines(describe_path(shares_fit("reversed"), 3)$head[1]))
  odds <- tlcp(yes ~ x1 + x2 + x3 + x4, shares_data("equal"), domain = g, target = "a", family = binomial,
               select = FALSE)
  expect_snapshot(writeLines(describe_path(odds, 3)$head[1]))
})

test_that("noise and reversed effects are no borrowing, and no rows are said to be gained", {
  for (seed in 1:5) for (kind in c("noise", "reversed")) {
    fit <- suppressMessages(tlcp(y ~ x1 + x2 + x3 + x4, shares_data(kind, seed), domain = g, target = "a",
                                 select = FALSE))
    said <- paste(describe_path(fit, 3)$head, collapse = " ")
    expect_match(said, "^Target a borrows (nothing|little)")
    expect_no_match(said, "worth")
  }
})

test_that("summary(), tidy() and the picture have the same shares, which add up to 1", {
  for (kind in c("one", "equal")) {
    fit <- shares_fit(kind, select = FALSE)
    told <- summary(fit)
    expect_equal(unname(rowSums(told$shares)), rep(1, 5))
    expect_true(all(told$shares >= 0))
    expect_identical(colnames(told$shares), c(names(fit$models), "shrinkage"))
    expect_equal(told$borrowed$weight, unname(tlcp_shares_of_others(told$shares))[-1])
    expect_equal(told$borrowed$shrinkage, unname(told$shares[-1, "shrinkage"]))
    expect_equal(told$borrowed$rows, 15 * told$borrowed$weight / (1 - told$borrowed$weight))
    table <- tidy(fit)
    expect_equal(table$weight[match(told$borrowed$term, table$term)], told$borrowed$weight)
    expect_equal(table$shrinkage, unname(told$shares[table$term, "shrinkage"]))
    expect_equal(tlcp_posterior_shares(fit), told$shares, ignore_attr = TRUE)
    picture <- attributes(tlcp_plot_borrowed_data(fit, FALSE, NULL))
    expect_equal(picture$weight, told$borrowed$weight[match(picture$terms, told$borrowed$term)])
  }
  expect_null(summary(tlcp(y ~ x1, shares_data("one"), select = FALSE))$shares)
  expect_false("weight" %in% names(tidy(tlcp(y ~ x1, shares_data("one"), select = FALSE))))
})

test_that("a domain lends where its share is above a tenth divided by the other domains", {
  shares <- rbind(c(.5, .3, .02, .18), c(.5, .32, .04, .14))
  expect_identical(tlcp_shares_lending(shares), 2L)
  expect_identical(tlcp_shares_lending(rbind(c(.5, .3, .06, .14))), 2:3)
  expect_identical(tlcp_shares_lending(rbind(c(.2, .3, .1, .4))), integer()) # shrinkage has as much
  expect_identical(tlcp_shares_lending(rbind(c(.9, .05, .04, .01))), integer())
  expect_identical(tlcp_shares_worth(rbind(c(.5, .5, 0), c(0, 1, 0)), 10), c(10, NA))
  expect_identical(tlcp_shares_worth(rbind(c(.5, .5, 0)), 0), NA_real_)
})

test_that("every rule and kind of fit has shares that add up to 1", {
  d <- shares_data("one")
  for (borrow in c("plugin", "pooled", "reml")) {
    fit <- suppressMessages(tlcp(y ~ x1 + x2, d, domain = g, target = "a", borrow = borrow, select = FALSE,
                                 control = tlcp_control(guard = FALSE)))
    expect_equal(unname(rowSums(summary(fit)$shares)), rep(1, 3))
    expect_equal(unname(summary(fit)$shares[, "shrinkage"]), rep(0, 3))
  }
  set.seed(3)
  x <- matrix(rnorm(30 * 40), 30, dimnames = list(NULL, paste0("x", 1:40)))
  few <- suppressMessages(tlcp(x, x[, 1] + rnorm(30), domain = rep(c("a", "b"), c(10, 20)), target = "a",
                               select = FALSE))
  expect_false(is.null(few$posterior[[1]]$rows))
  expect_equal(unname(rowSums(summary(few)$shares)), rep(1, 41))
  for (guard in list(TRUE, "cv")) {
    fit <- suppressMessages(tlcp(y ~ x1 + x2 + x3 + x4, shares_data("many"), domain = g, target = "a", select = FALSE,
                                 control = tlcp_control(guard = guard)))
    expect_equal(unname(rowSums(summary(fit)$shares)), rep(1, 5))
  }
})
