# Progress of long work, signalled to progressr or shown by cli.

progressions <- function(code) {
  old <- options(progressr.enable = TRUE)
  on.exit(options(old))
  seen <- list()
  withCallingHandlers(code, progression = function(condition) {
    seen[[length(seen) + 1]] <<- list(type = condition$type, amount = condition$amount,
                                      words = paste(conditionMessage(condition), collapse = ""))
    invokeRestart("muffleProgression")
  })
  seen
}

amounts <- function(seen) {
  sum(vapply(seen, function(one) if (one$type == "update") as.double(one$amount) else 0, 0))
}

hard_search <- function(p = 150) {
  set.seed(1)
  x <- matrix(rnorm(400 * p), 400) + rnorm(400)
  list(x = x, y = drop(x %*% rnorm(p, sd = .07)) + rnorm(400))
}

test_that("an exact search signals the share of its time that is over", {
  skip_if_not_installed("progressr")
  d <- hard_search()
  seen <- progressions(suppressWarnings(tlcp(d$x, d$y, max_seconds = 1.5)))
  words <- vapply(seen, `[[`, "", "words")
  expect_true(any(grepl("Exact search, of its time limit: .* of 1[.][45]", words)))
  expect_gt(amounts(seen), 20)
  expect_lte(amounts(seen), 100)
})

test_that("the limit is told when it is reached", {
  d <- hard_search()
  expect_warning(tlcp(d$x, d$y, max_seconds = .3), "max_seconds",
                 class = "transelect_warning_seconds")
})

test_that("the fits of dissimilarity(family = ) are counted", {
  skip_if_not_installed("progressr")
  d <- naive_family_data(2, n = 90)
  seen <- progressions(suppressMessages(
    dissimilarity(died ~ a + b, data = d, family = "binomial", domain = g, target = "1", draws = 0)
  ))
  words <- vapply(seen, `[[`, "", "words")
  # of two sources and both: one fit each of all rows, ten of folds; and ten each alone and of rows put together
  expect_true(any(grepl("Fits: 63 of 63", words)))
  expect_equal(amounts(seen), 100)
})

test_that("queries and rows of moments are counted", {
  skip_if_not_installed("progressr")
  chunks <- function(reset) {
    if (reset) return(NULL)
    at <<- at + 1
    if (at <= 3) mtcars
  }
  at <- 0
  reader <- function(reset = FALSE) {
    if (reset) at <<- 0 else chunks(FALSE)
  }
  seen <- progressions(moments(mpg ~ wt + hp, data = reader))
  words <- vapply(seen, `[[`, "", "words")
  expect_true(any(grepl("Rows read: 96", words)))
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "cars", mtcars)
  seen <- progressions(moments(mpg ~ wt + hp, data = con, table = "cars", method = "sql"))
  expect_true(any(grepl("Queries of sums: 1 of 1", vapply(seen, `[[`, "", "words"))))
  expect_equal(amounts(seen), 100)
})

test_that("work within work is silent, and the outer one counts to its end", {
  skip_if_not_installed("progressr")
  seen <- progressions(cv_path(mtcars[2:6], mtcars$mpg, fit = tlcp, nfolds = 4))
  expect_equal(amounts(seen), 4)
  expect_false(progress_state$busy)
  expect_error(cv_path(mtcars[2:6], mtcars$mpg, fit = function(x, ...) stop("no")))
  expect_false(progress_state$busy)
})

test_that("no progress is signalled where none is shown", {
  asked <- function() progress_new("Doing", 2, told = FALSE)
  old <- options(transelect.progress = FALSE)
  on.exit(options(old))
  expect_null(asked())
  expect_null(progress_during("Doing", NULL))
})

test_that("cli shows a bar with the end where it is known", {
  old <- options(transelect.progress = TRUE, cli.progress_handlers_only = "logger",
                 cli.progress_show_after = 0)
  on.exit(options(old))
  work <- function(total) {
    tell <- progress_new("Doing", total, told = FALSE)
    for (k in 1:3) tell(k)
    invisible()
  }
  said <- paste(utils::capture.output(work(3), type = "output"), collapse = " ")
  expect_match(said, "3/3")
  expect_match(paste(utils::capture.output(work(0)), collapse = " "), "terminated")
})

told_words <- function(seen) vapply(seen, `[[`, "", "words")

test_that("msplit() signals the progress of all its paths, exact or discrete, and of the choice after them", {
  skip_if_not_installed("progressr")
  set.seed(1)
  x <- matrix(rnorm(60 * 12), 60)
  y <- drop(x[, 1:3] %*% c(2, 1, .5)) + rnorm(60)
  words <- told_words(progressions(msplit(x, y, nu = c(1, 10))))
  expect_true(any(grepl("Paths: [0-9.e-]+ of 2$", words)))
  expect_true(any(grepl("Ridges of the supports: 0 of [1-9]", words)))
  seen <- progressions(msplit(x, y, nu = c(1, 10), method = "lbi"))
  expect_true(any(grepl("Paths: [0-9.e-]+ of 2$", told_words(seen))))
  expect_lte(amounts(seen), 100)
  one <- told_words(progressions(msplit(x, y, nu = 10, method = "lbi")))
  expect_true(any(grepl("Paths: 0?[.][0-9]+ of 1$", one)))
})

test_that("compare_paths() counts its folds, and the fits to all rows say how far they are", {
  skip_if_not_installed("progressr")
  fits <- list(subset = tlcp, own = function(x, y) lm(y ~ ., data.frame(x)))
  seen <- progressions(compare_paths(mtcars[2:6], mtcars$mpg, fits = fits, nfolds = 4))
  starts <- which(vapply(seen, `[[`, "", "type") == "initiate")
  expect_true(any(grepl("Exact search", told_words(seen))))
  expect_equal(amounts(seen[seq(max(starts), length(seen))]), 4)
  expect_false(progress_state$busy)
})

test_that("rows of moments in memory and steps of tgreedy() signal progress", {
  skip_if_not_installed("progressr")
  set.seed(1)
  d <- simulate_domains()
  expect_true(any(grepl("Rows: 0 of ", told_words(progressions(moments(d$x, d$y, domain = d$domain))))))
  expect_true(any(grepl("Steps: 0", told_words(progressions(tgreedy(d$x, d$y, domain = d$domain))))))
})

test_that("a fold run by itself, as on a node of a cluster, leaves progress on", {
  cv_refit_run_one(list(seed = c(list(1), as.list(RNGkind())), held_out = 1, label = "1"), data = NULL, plan = NULL)
  expect_false(progress_state$busy)
})
