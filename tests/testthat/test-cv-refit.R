# Functions of the user's that are fitted again: one check for cv_path(), compare_paths() and selection_frequency().

x <- with_seed(1, matrix(rnorm(40 * 6), 40, dimnames = list(NULL, paste0("x", 1:6))))
y <- x[, 1] + with_seed(2, rnorm(40))

ways <- list(
  cv = function(fit) cv_path(x, y, fit = fit, nfolds = 4),
  compare = function(fit) compare_paths(x, y, fits = list(a = greedytl, b = fit), nfolds = 4),
  frequency = function(fit) selection_frequency(x, y, fit = fit, pairs = 2)
)

test_that("functions of the user's that use other rows, columns or another response are refused", {
  first <- function(data) seq_len(nrow(data$x))
  bad <- list(
    all_rows = function(data, ...) greedytl(x, y),
    other_rows = function(data, ...) greedytl(x[first(data), ], y[first(data)]),
    response = function(data, ...) {
      data$y <- 2 * data$y
      greedytl(data, ...)
    },
    column = function(data, ...) {
      data$x[, 1] <- data$x[, 1]^2
      greedytl(data, ...)
    }
  )
  for (way in ways) for (fit in bad) expect_error(way(fit), "fit` (returns a path|changed)", class = "transelect_error")
  fewer <- function(data, ...) greedytl(data$x[, 1:3], data$y)
  expect_error(ways$frequency(fewer), class = "transelect_error_fit")
  m <- moments(x, y, fold = rep(1:20, 2))
  expect_error(cv_path(m, fit = function(data, ...) greedytl(m)), "and was given", class = "transelect_error")
  expect_error(selection_frequency(m, fit = function(data, ...) greedytl(m), pairs = 2), class = "transelect_error_fit")
  expect_error(transelect_fitfun(function(a, b, ...) greedytl(x, y))(x[1:9, ], y[1:9], 2),
               class = "transelect_error_fit")
})

test_that("a fold would say too little of a path that has seen it, and nothing of one of another response", {
  folds <- make_folds(y, 4)
  error <- function(fit) {
    mean(unlist(lapply(1:4, function(k) (predict(fit(folds != k), x[folds == k, ], step = 6) - y[folds == k])^2)))
  }
  right <- error(function(rows) greedytl(x[rows, ], y[rows]))
  expect_lt(error(function(rows) greedytl(x, y)), .9 * right)
  expect_gt(error(function(rows) greedytl(x[rows, ], 2 * y[rows])), 1.2 * right)
})

test_that("models of other packages that were fitted to more rows than given are refused", {
  everything <- data.frame(y = y, x)
  expect_error(compare_paths(x, y, fits = list(a = greedytl, b = function(x, y) lm(y ~ ., everything)), nfolds = 4),
               "model of 40 rows, but was given 30", class = "transelect_error_fold")
})

test_that("functions that hand their data on, or leave rows out, are taken", {
  good <- list(
    function(data, ...) greedytl(data, rule = "paper", ...),
    function(data, ...) greedytl(frame_rows(data, which(data$y < 2)))
  )
  for (way in ways) for (fit in good) expect_no_error(way(fit))
  kind <- factor(rep(c("u", "v", "w"), length.out = 40))
  expect_no_error(selection_frequency(x, kind, fit = function(data, ...) greedytl(data, ...), pairs = 2))
  expect_no_error(compare_paths(x, kind, fits = list(a = greedytl, b = function(data, ...) shareboost(data, ...)),
                                nfolds = 4))
})
