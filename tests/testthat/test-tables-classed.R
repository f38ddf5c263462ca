# Tables of a class of their own that are handed on: bound, cut, renamed, changed.

classed_data <- function() {
  d <- with_seed(6, data.frame(x = rnorm(120), z = rnorm(120), s = rep(c("a", "b", "c", "d"), 30)))
  d$y <- ifelse(d$s %in% c("a", "b"), 1 + d$x, 1 - 2 * d$x) + with_seed(7, rnorm(120) / 2) # a as b, c as d
  d
}

classed_tables <- function(d = classed_data()) {
  fold <- rep(1:4, each = 30)
  list(
    dissimilarity = dissimilarity(y ~ x + z, d, domain = s, target = "a", draws = 0),
    signals = signals(msplit(y ~ x + z, d)),
    frequency = with_seed(8, selection_frequency(y ~ x + z, data = d, fit = msplit, pairs = 3)),
    fits = compare_paths(as.matrix(d[1:2]), d$y, list(a = greedytl, b = tlcp), foldid = fold),
    paths = compare_paths(a = cv_path(y ~ x + z, d, foldid = fold),
                          b = cv_path(y ~ x + z, d, foldid = fold, fit = tlcp))
  )
}

expect_plain <- function(table, columns, rows, info) {
  expect_identical(setdiff(class(table), c("tbl_df", "tbl")), "data.frame", info = info)
  expect_identical(sort(setdiff(names(attributes(table)), "na.action")), c("class", "names", "row.names"), info = info)
  expect_identical(dim(table), c(rows, columns), info = info)
  expect_no_error(utils::capture.output(print(table)))
}

test_that("what is no longer the table of one call is a plain data frame", {
  tables <- classed_tables()
  for (name in names(tables)) {
    one <- tables[[name]]
    n <- nrow(one)
    p <- ncol(one)
    expect_identical(class(one)[c(1, 3)], c("transfer_table", "data.frame"))
    expect_plain(rbind(one, one), p, 2L * n, name)
    expect_plain(do.call(rbind, list(a = one, b = one)), p, 2L * n, name)
    expect_plain(rbind(as.data.frame(one), one), p, 2L * n, name)
    expect_plain(cbind(one, more = 1), p + 1L, n, name)
    expect_plain(merge(one, one), p, nrow(merge(as.data.frame(one), as.data.frame(one))), name)
    expect_plain(transform(one, more = 1), p + 1L, n, name)
    expect_plain(within(one, more <- 1), p + 1L, n, name)
    expect_plain(one[1:2], 2L, n, name)
    expect_plain(one[c(1, 1), ], p, 2L, name)
    expect_plain(`$<-`(one, "more", 1), p + 1L, n, name)
    expect_plain(`[[<-`(one, 1, value = NULL), p - 1L, n, name)
    expect_plain(`[<-`(one, 1, value = 1), p, n, name)
    expect_plain(stats::setNames(one, toupper(names(one))), p, n, name)
    expect_plain(as.data.frame(one), p, n, name)
    expect_identical(one[seq_len(n), ], one)
    kept <- suppressWarnings(do.call(rbind.data.frame, list(one, one))) # which keeps the class of the first
    expect_output(print(kept))
    expect_error(plot(kept), class = "transelect_error_x")
  }
})

test_that("packages of the tidyverse are given a plain data frame", {
  skip_if_not_installed("dplyr")
  one <- classed_tables()$dissimilarity
  plain <- as.data.frame(one)
  expect_identical(dplyr::bind_rows(one, one), dplyr::bind_rows(plain, plain))
  expect_identical(dplyr::mutate(one, twice = 2 * tau), dplyr::mutate(plain, twice = 2 * tau))
  expect_identical(dplyr::rename(one, distance = tau), dplyr::rename(plain, distance = tau))
  expect_identical(dplyr::filter(one, evidence == "for"), dplyr::filter(plain, evidence == "for"))
  expect_identical(dplyr::arrange(one, -tau), dplyr::arrange(plain, -tau))
})

test_that("no verdict is printed for the tables of two targets, nor for a part of one", {
  d <- classed_data()
  of <- function(target) dissimilarity(y ~ x + z, d, domain = s, target = target, draws = 0)
  one <- of("a")
  expect_output(print(one), "Target a: borrow")
  for (other in list(rbind(one, of("c")), one[1:2, ], utils::head(one, 2), subset(one, evidence == "for"))) {
    expect_false(any(grepl("Target|together", utils::capture.output(print(other)))))
  }
  turned <- one[3:1, ] # all rows, in another order
  expect_output(print(turned), "Target a: borrow")
  expect_s3_class(turned, "transfer_dissimilarity")
})

test_that("a part whose rows say the same as in the whole keeps its class", {
  tables <- classed_tables()
  expect_output(print(tables$signals[1, ]), "listed")
  expect_s3_class(tables$fits[1:2, ], "fit_comparison")
  expect_identical(class(tables$fits[2:3, ]), "data.frame") # differences are to the first rule
  rule <- tables$paths[tables$paths$rule == "b", ]
  expect_output(print(rule), "1 rule,")
  expect_identical(class(tables$paths[rev(seq_len(nrow(tables$paths))), ]), "data.frame")
  expect_identical(class(tables$frequency[1, ]), "data.frame")
})
