# An interrupt at any moment: the session goes on, fits as before, and loses nothing.

test_that("an interrupt leaves the session usable", {
  skip_on_os("windows")
  lines <- c(
    "x <- matrix(sin(seq_len(4e6)^1.1), 1000)",
    "y <- x[, 7] - x[, 5] + cos(1:1000)",
    "domain <- rep(1:4, each = 250)",
    "before <- list(greedytl(x[, 1:20], y), tgreedy(x[, 1:20], y, domain), x[3, 5])",
    "said <- tryCatch({",
    "  ready()",
    "  for (k in 1:1000) {",
    "    greedytl(x, y, rule = 'paper', control = greedytl_control(tol = 0))",
    "    tgreedy(x, y, domain, control = tgreedy_control(stop = 'none'))",
    "  }",
    "  'finished'",
    "}, interrupt = function(condition) 'interrupted')",
    "after <- list(greedytl(x[, 1:20], y), tgreedy(x[, 1:20], y, domain), x[3, 5])",
    "cat(said, identical(before, after))"
  )
  for (delay in c(0, 0.33, 0.9)) {
    expect_identical(interrupted_session(lines, delay), "interrupted TRUE")
  }
})

test_that("an interrupt of a search ends the loop that it is in, unless an option keeps what is found", {
  skip_on_os("windows")
  lines <- function(option) c(
    sprintf("options(transelect.keep_interrupted = %s)", option),
    "set.seed(1)",
    "x <- matrix(rnorm(400 * 150), 400)",
    "for (j in 2:150) x[, j] <- .95 * x[, j - 1] + .3 * x[, j]",
    "y <- drop(x %*% rep_len(1:0, 150)) + 60 * rnorm(400)",
    "fits <- 0",
    "warned <- 0",
    # on a slow machine the search begins late: a fit whose search lasts .1 seconds says how late
    "took <- suppressWarnings(system.time(tlcp(x, y, max_seconds = .1)))[['elapsed']]",
    "said <- tryCatch(withCallingHandlers({",
    "  ready(2 * took)",
    "  for (k in 1:2) {",
    "    fit <- tlcp(x, y, max_seconds = if (k == 1) 300 else .1)",
    "    fits <- fits + 1",
    "  }",
    "  'finished'",
    "}, transelect_warning_interrupt = function(w) warned <<- warned + 1,",
    "warning = function(w) invokeRestart('muffleWarning')),",
    "interrupt = function(condition) 'interrupted')",
    "cat(said, fits, warned)"
  )
  expect_identical(interrupted_session(lines("NULL")), "interrupted 0 0")
  expect_identical(interrupted_session(lines("TRUE")), "finished 2 1")
})
