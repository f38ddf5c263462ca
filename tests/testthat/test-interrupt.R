# An interrupt at any moment: the session goes on, fits as before, and loses nothing.

interrupted_session <- function(delay) {
  script <- tempfile(fileext = ".R")
  on.exit(unlink(script))
  writeLines(c(
    sprintf(".libPaths(c(%s))", paste(shQuote(.libPaths(), type = "sh"), collapse = ", ")),
    "library(transelect)",
    "x <- matrix(sin(seq_len(4e6)^1.1), 1000)",
    "y <- x[, 7] - x[, 5] + cos(1:1000)",
    "domain <- rep(1:4, each = 250)",
    "before <- list(greedytl(x[, 1:20], y), tgreedy(x[, 1:20], y, domain), x[3, 5])",
    sprintf("system(paste0('(sleep %s; kill -INT ', Sys.getpid(), ') &'))", delay),
    "said <- tryCatch({",
    "  for (k in 1:1000) {",
    "    greedytl(x, y, rule = 'paper', tol = 0)",
    "    tgreedy(x, y, domain, stop = 'none')",
    "  }",
    "  'finished'",
    "}, interrupt = function(condition) 'interrupted')",
    "after <- list(greedytl(x[, 1:20], y), tgreedy(x[, 1:20], y, domain), x[3, 5])",
    "cat(said, identical(before, after))"
  ), script)
  system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)), stdout = TRUE,
          stderr = TRUE)
}

test_that("an interrupt leaves the session usable", {
  skip_on_os("windows")
  for (delay in c(0.05, 0.33, 0.9)) {
    expect_identical(utils::tail(interrupted_session(delay), 1), "interrupted TRUE")
  }
})
