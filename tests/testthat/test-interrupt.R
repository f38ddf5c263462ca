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
    "    greedytl(x, y, rule = 'paper', tol = 0)",
    "    tgreedy(x, y, domain, stop = 'none')",
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
