near <- function(a, b, tol = 1e-7) expect_lt(max(abs(unname(a) - unname(b))), tol)

test_that("likelihood ratios are those of tlcp(), errors those of fits without the rows", {
  d <- naive_family_data(5, n = 150)
  found <- dissimilarity(died ~ a + b, data = d, family = binomial, domain = g, target = "1", draws = 0)
  expect_equal(found$domain, c("2", "3"))
  pair <- tlcp(died ~ a + b, data = d[d$g != 3, ], family = binomial, domain = g, target = "1", select = FALSE)
  near(found$lr[1], pair$borrowing$lr, 1e-6)
  mine <- d[d$g == 1, ]
  fold <- rep_len(1:10, nrow(mine))
  p <- numeric(nrow(mine))
  for (f in 1:10) {
    p[fold == f] <- predict(glm(died ~ a + b, binomial, mine[fold != f, ]), mine[fold == f, ], type = "response")
  }
  near(found$own[1], mean(-2 * log(ifelse(mine$died == "yes", p, 1 - p))), 1e-6)
  p <- numeric(nrow(mine))
  for (f in 1:10) {
    rows <- rbind(mine[fold != f, ], d[d$g == 3, ])
    fit <- tlcp(died ~ a + b, data = rows, family = binomial, domain = g, target = "1", select = FALSE)
    p[fold == f] <- predict(fit, mine[fold == f, ], type = "response")
  }
  # the other domain is expanded at the fit of all rows, not of each fold
  near(found$borrowed[2], mean(-2 * log(ifelse(mine$died == "yes", p, 1 - p))), 5e-3)
  expect_output(print(found), "mean deviance")
  pdf(NULL)
  on.exit(dev.off())
  expect_no_error(plot(found))
})

test_that("counts with an offset and survival times are compared, and bad input refused", {
  d <- naive_family_data(6, n = 120)
  found <- dissimilarity(count ~ a + b, data = d, family = "poisson", offset = log(years), domain = g,
                         target = "2", draws = 20)
  expect_true(all(is.finite(as.matrix(found[c("tau", "lr", "own", "pooled", "borrowed", "upper")]))))
  expect_error(dissimilarity(count ~ a + b, data = d, family = "poisson", domain = g, target = "2", sigma2 = 1),
               class = "transelect_error_sigma2")
  expect_error(dissimilarity(count ~ a + b, data = d[d$g == 2, ], family = "poisson", domain = g, target = "2"),
               class = "transelect_error_domain")
  skip_if_not_installed("survival")
  found <- dissimilarity(survival::Surv(time, status) ~ a + b, data = d, domain = g, target = "2", draws = 0)
  expect_equal(attr(found, "family"), "cox")
  expect_true(all(is.finite(found$borrowed)))
})

test_that("print() and the picture speak of deviances and of the likelihood, also when sorted", {
  d <- naive_family_data(2, n = 90)
  table <- suppressMessages(
    dissimilarity(died ~ a + b, data = d, family = "binomial", domain = g, target = "1", draws = 0)
  )
  for (one in list(table, sort(table, by = "lr"))) {
    expect_match(paste(capture.output(print(one)), collapse = " "), "mean deviance.*maximum likelihood")
    picture <- picture_of(plot(one))
    expect_true("own: target alone" %in% picture$keys$label)
    expect_match(picture$panels[[1]]$x$label, "square root scale")
    expect_match(picture$panels[[2]]$x$label, "deviance / own (log scale)", fixed = TRUE)
  }
  table <- table_with(table, own = NA) # separated without some of the rows
  said <- paste(capture.output(print(table)), collapse = " ")
  expect_match(said, "10-fold mean deviances")
  expect_no_match(said, "own: ")
  expect_match(said, "Missing (own): without some of the rows", fixed = TRUE)
  expect_match(gsub(" +", " ", said), paste0("error from ", format(table$shrunk[1], digits = 3),
                            " (shrunk, the target alone with shrinkage) to"), fixed = TRUE)
})

test_that("print() says what to do where evidence and errors disagree", {
  d <- naive_family_data(2, n = 90)
  table <- suppressMessages(
    dissimilarity(died ~ a + b, data = d, family = "binomial", domain = g, target = "1", draws = 0)
  )
  said <- function(evidence, borrowed, together = borrowed) {
    table <- table_with(table, evidence = evidence, own = 1, borrowed = borrowed)
    attr(table, "joint")[c("evidence", "borrowed")] <- list("for", together)
    any(grepl("Errors and evidence disagree", capture.output(print(table))))
  }
  expect_true(said(c("for", "open"), c(1.2, .9), 1.1))
  expect_false(said(c("for", "open"), c(1.2, .9), .8))
  expect_false(said(c("for", "for"), c(1.2, .9), 1.1))
})

test_that("estimates of a domain give the figures of its rows", {
  set.seed(3)
  x <- matrix(rnorm(120 * 3), 120, dimnames = list(NULL, c("a", "b", "c")))
  x <- x - ave(x, rep(rep(1:2, c(45, 75)), 3), col(x)) # means apart would be intercepts apart
  d <- data.frame(x, g = rep(c("here", "there"), c(45, 75)))
  d$y <- 1 + drop(x %*% c(1, .5, 0)) + rnorm(120)
  known <- lm(y ~ a + b + c, data = d, subset = g == "there")
  found <- dissimilarity(y ~ a + b + c, data = d[d$g == "here", ], target = "here", draws = 0,
                         sources = list(there = known))
  fit <- function(data, ...) {
    tlcp(y ~ a + b + c, data = data, target = "here", sources = list(there = known), select = FALSE, ...)
  }
  mine <- d[d$g == "here", ]
  near(found$lr, fit(mine)$borrowing$lr, 1e-6)
  fold <- rep_len(1:10, nrow(mine))
  error <- function(predict) {
    mean((mine$y - unsplit(lapply(1:10, function(f) predict(mine[fold != f, ], mine[fold == f, ])), fold))^2)
  }
  near(found$borrowed, error(function(kept, out) predict(fit(kept), out)), 1e-8)
  near(found$own, error(function(kept, out) predict(lm(y ~ a + b + c, kept), out)), 1e-8)
  expect_identical(found$pooled, NA_real_)
  # a domain with rows has the same figures beside one of estimates as alone
  more <- rbind(d[d$g == "here", ], transform(d[d$g == "there", ], g = "other", y = y + rnorm(75)))
  both <- dissimilarity(y ~ a + b + c, data = more, domain = g, target = "here", draws = 20,
                        sources = list(there = known))
  rows <- dissimilarity(y ~ a + b + c, data = more, domain = g, target = "here", draws = 0)
  expect_equal(both$domain, c("other", "there"))
  near(unlist(both[1, c("lr", "tau", "own", "shrunk", "pooled", "borrowed")]),
       unlist(rows[1, c("lr", "tau", "own", "shrunk", "pooled", "borrowed")]), 1e-3)
  near(both$lr[2], found$lr, 1e-6)
  expect_true(is.finite(attr(both, "joint")$borrowed) && all(is.finite(both$upper)))
  expect_output(print(both), "pooled")
  # without the level and in the same units the rows give the same figures as the estimates
  pair <- dissimilarity(y ~ a + b + c, data = d, domain = g, target = "here", draws = 0, standardize = FALSE,
                        sigma2 = c(1, sigma(known)^2))
  alone <- dissimilarity(y ~ a + b + c, data = mine, target = "here", draws = 0, standardize = FALSE, sigma2 = 1,
                         sources = list(there = known))
  near(alone$raw, pair$raw, 1e-8)
  expect_error(dissimilarity(y ~ a, data = mine), "sources", class = "transelect_error_domain")
  expect_error(dissimilarity(y ~ a + b + c, data = mine, sources = list(there = known), sigma2 = 1:2), "target's",
               class = "transelect_error_sigma2")
})

test_that("moments of a family are sources of dissimilarity()", {
  d <- naive_family_data(9, n = 200)
  sent <- moments(died ~ a + b, data = d[d$g != 1, ], domain = g, family = "binomial")
  found <- dissimilarity(died ~ a + b, data = d[d$g == 1, ], target = "1", family = "binomial",
                         sources = sent, draws = 0)
  rows <- dissimilarity(died ~ a + b, data = d, domain = g, target = "1", family = "binomial", draws = 0)
  expect_equal(found$domain, rows$domain)
  expect_equal(found$n, rows$n)
  near(found$own, rows$own, 1e-8)
  # moments of a family: one expansion in place of the rows
  near(found$lr, rows$lr, .3)
  near(found$borrowed, rows$borrowed, .02)
  expect_true(all(is.na(found$pooled)))
  pair <- tlcp(died ~ a + b, data = d[d$g == 1, ], target = "1", family = "binomial", select = FALSE,
               sources = estimates_new(sent$sites["2"]))
  near(found$lr[1], pair$borrowing$lr, 1e-6)
})
