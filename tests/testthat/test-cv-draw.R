test_that("folds differ by one row at most and are 1 to nfolds", {
  for (n in c(7, 20, 33)) {
    for (nfolds in c(2, 5, 7)) {
      foldid <- with_seed(n, make_folds(rnorm(n), nfolds))
      expect_type(foldid, "integer")
      expect_length(foldid, n)
      expect_setequal(foldid, seq_len(nfolds))
      expect_lte(diff(range(table(foldid))), 1)
    }
  }
})

test_that("classes, and classes within domains, are even over the folds", {
  y <- factor(rep(c("a", "b", "c"), c(23, 11, 2)))
  domain <- with_seed(1, sample(c("u", "v"), 36, replace = TRUE))
  counts <- table(with_seed(2, make_folds(y, 5)), y)
  expect_true(all(apply(counts, 2, function(rows) diff(range(rows)) <= 1)))
  expect_lte(diff(range(rowSums(counts))), 1)
  both <- table(with_seed(3, make_folds(y, 5, domain)), interaction(y, domain, drop = TRUE))
  expect_true(all(apply(both, 2, function(rows) diff(range(rows)) <= 1)))
  plain <- table(with_seed(4, make_folds(rnorm(36), 4, domain)), domain)
  expect_true(all(apply(plain, 2, function(rows) diff(range(rows)) <= 1)))
})

test_that("a class of two rows or more is in every training part", {
  y <- factor(rep(c("a", "b", "c"), c(30, 2, 3)))
  for (seed in 1:20) {
    foldid <- with_seed(seed, make_folds(y, 10))
    for (k in 1:10) expect_setequal(as.character(y[foldid != k]), levels(y))
  }
})

test_that("folds are random, and the only random numbers are one sample of the rows", {
  y <- factor(rep(c("a", "b"), 20))
  expect_false(identical(with_seed(1, make_folds(y, 5)), with_seed(2, make_folds(y, 5))))
  expect_identical(with_seed(1, make_folds(y, 5)), with_seed(1, make_folds(y, 5)))
  after_folds <- with_seed(1, {
    make_folds(y, 5)
    runif(1)
  })
  after_sample <- with_seed(1, {
    sample.int(40)
    runif(1)
  })
  expect_identical(after_folds, after_sample)
})

test_that("characters and logicals are balanced like factors", {
  y <- rep(c("a", "b"), c(30, 10))
  expect_identical(with_seed(1, make_folds(y, 5)), with_seed(1, make_folds(factor(y), 5)))
  expect_identical(with_seed(1, make_folds(y == "b", 5)), with_seed(1, make_folds(factor(y), 5)))
})

test_that("as many folds as rows leave one row out", {
  expect_setequal(make_folds(1:6, 6), 1:6)
  expect_setequal(make_folds(factor(letters[1:4]), 4), 1:4)
})

test_that("wrong input to make_folds() is named", {
  expect_error(make_folds(1:5, 6), "nfolds.*6.*5 rows", class = "transelect_error_nfolds")
  expect_error(make_folds(1:5, 1), "nfolds.*1", class = "transelect_error_nfolds")
  expect_error(make_folds(1:5, 2.5), "2.5", class = "transelect_error_nfolds")
  expect_error(make_folds(1:5, c(2, 3)), "whole number", class = "transelect_error_nfolds")
  expect_error(make_folds(1:5, "3"), "whole number", class = "transelect_error_nfolds")
  expect_error(make_folds(1:5), "nfolds = 5", class = "transelect_error_nfolds")
  expect_error(make_folds(c(1, NA, 3), 2), "1 missing", class = "transelect_error_y")
  expect_error(make_folds(list(1, 2), 2), "list", class = "transelect_error_y")
  expect_error(make_folds(matrix(1:4, 2), 2), "matrix", class = "transelect_error_y")
  expect_error(make_folds(1:5, 2, domain = 1:4), "of length 4", class = "transelect_error_domain")
  expect_error(
    make_folds(1:5, 2, domain = c("a", NA, "a", "b", "b")), "1 missing value",
    class = "transelect_error_domain"
  )
})

test_that("folds of rsample are folds where every row is held out once", {
  skip_if_not_installed("rsample")
  set.seed(1)
  drawn <- rsample::vfold_cv(mtcars, v = 4)
  expected <- integer(32)
  for (k in 1:4) expected[as.integer(drawn$splits[[k]], data = "assessment")] <- k
  cvf <- cv_path(mpg ~ wt + hp, data = mtcars, foldid = drawn, max_steps = 2)
  same <- cv_path(mpg ~ wt + hp, data = mtcars, foldid = expected, max_steps = 2)
  expect_identical(as.integer(cvf$foldid), expected)
  expect_identical(levels(cvf$foldid), drawn$id)
  expect_equal(cvf$cvm, same$cvm)
  whole <- rsample::group_vfold_cv(mtcars, group = "cyl")
  by_group <- cv_path(mpg ~ wt + hp, data = mtcars, foldid = whole, max_steps = 2)
  expect_equal(max(colSums(table(mtcars$cyl, by_group$foldid) > 0)), 1)
  expect_equal(cv_path(mpg ~ wt, data = mtcars, subset = 5:32, foldid = drawn)$foldid, cvf$foldid[5:32])
  for (bad in list(rsample::bootstraps(mtcars, 2), rsample::vfold_cv(mtcars, 4, repeats = 2),
                   rsample::mc_cv(mtcars, times = 2))) {
    expect_error(cv_path(mpg ~ wt, data = mtcars, foldid = bad), "holds out row [0-9]+ [0-9]+ time",
                 class = "transelect_error_foldid")
  }
})
