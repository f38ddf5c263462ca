# Messages about new rows that are far from those of the fit.

test_that("columns in which new rows are far away are named, and no others", {
  d <- draw_case(2, n = 30)
  narrow <- d$x
  narrow[, 2] <- narrow[, 2] / 60
  sparse <- Matrix::Matrix(d$x, sparse = TRUE)
  three <- factor(rep_len(c("a", "b", "c"), 30))
  for (fit in list(greedytl(narrow, d$y), greedytl(narrow, d$y, rule = "paper", tol = 0),
                   greedytl(narrow, three), msplit(narrow, d$y))) {
    far <- function(new) {
      found <- NULL
      withCallingHandlers(predict(fit, new), transelect_message_spread = function(m) {
        found <<- conditionMessage(m)
        invokeRestart("muffleMessage")
      })
      found
    }
    for (new in list(d$x, sparse, d$x[1, , drop = FALSE] + 10)) {
      expect_match(far(new), "\"x2\"", label = class(fit)[1])
    }
    expect_no_match(far(d$x), "x1")
    expect_null(far(narrow))
    expect_null(far(replace(narrow, 1, NA)))
    expect_null(far(narrow[0, ]))
  }
  expect_quiet(predict(greedytl(narrow, d$y, standardize = FALSE), d$x),
                    class = "transelect_message_spread")
})

test_that("rows are far from twenty times the spread on", {
  d <- draw_case(2, n = 30)
  fit <- greedytl(d$x, d$y)
  at <- function(times) {
    new <- d$x
    new[, 1] <- fit$center[["x1"]] + times * fit$scale[["x1"]]
    predict(fit, new)
  }
  expect_gt(abs(coef(fit)[["x1"]]), 0)
  expect_quiet(at(19), class = "transelect_message_spread")
  expect_message(at(21), "\"x1\"", class = "transelect_message_spread")
})
