test_that("warnings of a fold come back with its number, once each", {
  case <- cv_case()
  warns <- function(frame, ...) {
    rows <- frame_rows_count(frame)
    if (rows < 36) warning("only ", rows, " rows")
    if (rows < 36) warning("only ", rows, " rows")
    greedytl(frame, ...)
  }
  seen <- list()
  withCallingHandlers(
    cv_path(case$x, case$y, fit = warns, max_steps = 2, foldid = rep(1:2, c(30, 6))),
    warning = function(warning) {
      seen <<- c(seen, list(warning))
      invokeRestart("muffleWarning")
    }
  )
  expect_identical(
    vapply(seen, conditionMessage, ""), c("Fold 1: only 6 rows", "Fold 2: only 30 rows")
  )
  expect_s3_class(seen[[1]], "transelect_warning_fold")
  expect_identical(seen[[2]]$fold, "2")
})

test_that("warnings of one kind are one warning for all folds", {
  case <- cv_case()
  warns <- function(frame, ...) {
    if (frame_rows_count(frame) < 36) rlang::warn("the same in each", class = "transelect_warning_kind")
    greedytl(frame, ...)
  }
  told <- testthat::capture_warnings(
    cv_path(case$x, case$y, fit = warns, max_steps = 2, foldid = case$foldid)
  )
  expect_identical(told, "Folds 1, 2, 3, 4: the same in each")
})

test_that("a fit that was interrupted ends the cross-validation", {
  case <- cv_case()
  stops <- function(frame, ...) {
    if (frame_rows_count(frame) < 36) rlang::warn("stopped", class = "transelect_warning_interrupt")
    greedytl(frame, ...)
  }
  ended <- tryCatch(
    cv_path(case$x, case$y, fit = stops, max_steps = 2, foldid = case$foldid),
    interrupt = function(condition) "interrupted"
  )
  expect_identical(ended, "interrupted")
})

test_that("folds whose paths have another number of lambdas are refused", {
  case <- cv_case()
  fewer <- function(frame, ...) {
    greedytl(frame, lambda = if (frame_rows_count(frame) < 36) 1 else c(1, 0.1), ...)
  }
  error <- expect_error(
    cv_path(case$x, case$y, fit = fewer, max_steps = 2, foldid = case$foldid),
    class = "transelect_error_fold"
  )
  expect_match(conditionMessage(error$parent), "1 lambda, not 2")
})

test_that("an error in a fold names the fold and keeps its cause", {
  case <- cv_case()
  fails <- function(frame, ...) {
    if (frame_rows_count(frame) == 30) stop("no convergence")
    greedytl(frame, ...)
  }
  error <- expect_error(
    cv_path(case$x, case$y, fit = fails, max_steps = 2, foldid = rep(1:2, c(30, 6))),
    "fold 2.*30 rows", class = "transelect_error_fold"
  )
  expect_match(conditionMessage(error$parent), "no convergence")
})

test_that("a class that a training part lacks is named", {
  case <- cv_case(n = 12)
  y <- factor(c("rare", rep(c("a", "b"), length.out = 11)))
  expect_error(
    cv_path(case$x, y, max_steps = 2, foldid = rep(1:2, 6)), "rare.*fold 1",
    class = "transelect_error_fold"
  )
})

test_that("a fold of one class has no auroc and is left out by name", {
  case <- cv_case(n = 24)
  y <- factor(rep(c("no", "yes"), c(16, 8)))
  foldid <- c(rep(1, 6), rep_len(2:4, 18))
  expect_warning(
    cvf <- cv_path(case$x, y, max_steps = 2, foldid = foldid, loss = "auroc"), "^Fold 1:.*one class"
  )
  expect_true(all(is.na(cvf$fold_loss[1, ])))
  expect_equal(cvf$cvm[2], mean(cvf$fold_loss[2:4, 2]))
  expect_error(
    suppressWarnings(cv_path(case$x, y, max_steps = 2, nfolds = 24, loss = "auroc")),
    "not defined in any fold.*class", class = "transelect_error_loss"
  )
})

test_that("wrong arguments are named", {
  case <- cv_case()
  run <- function(...) cv_path(case$x, case$y, max_steps = 2, ...)
  expect_error(run(fit = "greedytl"), "fit.*string", class = "transelect_error_fit")
  expect_error(run(fit = function(frame, ...) 1), "fit.*returned", class = "transelect_error_fit")
  expect_error(run(by = "site"), "by.*site.*domain", class = "transelect_error_by")
  expect_error(
    run(by = "domain", domain = case$domain, foldid = case$foldid), "by.*foldid",
    class = "transelect_error_by"
  )
  expect_error(run(by = "domain"), "no.*domain", class = "transelect_error_domain")
  expect_error(
    run(by = "domain", domain = rep("u", 36)), "one domain only", class = "transelect_error_domain"
  )
  expect_error(run(nfolds = 37), "37.*36 rows", class = "transelect_error_nfolds")
  expect_error(run(foldid = 1:3), "length 3.*36 rows", class = "transelect_error_foldid")
  expect_error(run(foldid = rep(1, 36)), "one fold only", class = "transelect_error_foldid")
  expect_error(
    run(foldid = replace(case$foldid, 1, NA)), "with 1 missing value",
    class = "transelect_error_foldid"
  )
  expect_error(
    run(foldid = case$foldid, weights = as.numeric(case$foldid == 2)), "one fold only.*2",
    class = "transelect_error_foldid"
  )
  expect_error(run(loss = "auc"), "auc", class = "transelect_error_loss")
  expect_error(run(parallel = 2), "parallel", class = "transelect_error_parallel")
  expect_error(
    run(keep_predictions = 1), "keep_predictions", class = "transelect_error_keep_predictions"
  )
  expect_error(run(no_such_argument = 1), "no_such_argument")
})

test_that("a loss that does not apply is refused, before any fit where it applies to no path", {
  case <- cv_case()
  never <- function(frame, ...) stop("fitted")
  refused <- function(...) {
    expect_error(cv_path(case$x, ...), class = "transelect_error_loss")
  }
  refused(case$y, fit = never, loss = "auc")
  refused(case$factor, fit = never, loss = "auc")
  refused(case$y, fit = never, loss = "auroc")
  refused(case$factor, fit = greedytl, loss = "deviance")
  refused(case$factor, fit = shareboost, loss = "mse", max_steps = 1)
  # whether these losses apply depends on the path
  for (loss in c("mse", "deviance")) {
    expect_error(cv_path(case$x, case$factor, fit = never, loss = loss), "fitted")
  }
})

test_that("a fit in place of the data of another method is an error that says what to give", {
  fit <- greedytl(mpg ~ ., mtcars)
  expect_error(tlcp(fit), "data are wanted", class = "transelect_error_x")
})

test_that("an error in a fold names the fit", {
  y <- factor(c("a", rep(c("b", "c"), 15)))
  x <- with_seed(1, matrix(rnorm(62), 31))
  error <- expect_error(cv_path(x, y, fit = shareboost, foldid = rep_len(1:5, 31)), class = "transelect_error_fold")
  expect_identical(deparse(conditionCall(error$parent)), "fit()")
})
