# transelect_fitfun(): the contract of stabs, for every method.

fitfun_data <- function(n = 60, p = 6) {
  set.seed(1)
  x <- matrix(rnorm(n * p), n, dimnames = list(seq_len(n), letters[seq_len(p)]))
  list(x = x, y = x[, 1] + x[, 2] + rnorm(n), domain = rep_len(c("u", "v", "w"), n),
       class = factor(rep_len(1:3, n)))
}

test_that("selected is the last step with at most q features, for every method", {
  d <- fitfun_data()
  for (fit in list(greedytl, tlcp, msplit)) {
    path <- fit(d$x, d$y)
    for (q in 1:3) {
      got <- transelect_fitfun(fit)(d$x, d$y, q = q)
      expect_identical(names(got$selected), colnames(d$x))
      expect_type(got$path, "logical")
      expect_identical(rownames(got$path), colnames(d$x))
      expect_lte(sum(got$selected), q)
      sizes <- colSums(got$path)
      last <- max(which(sizes <= q))
      expect_identical(got$selected, got$path[, last])
      step <- as.integer(colnames(got$path)[last])
      expect_setequal(names(which(got$selected)), variable.names(path, step = step))
    }
  }
})

test_that("classes may come as labels, as stabs gives them", {
  d <- fitfun_data()
  f <- transelect_fitfun(shareboost)
  expect_identical(f(d$x, as.character(d$class), q = 2), f(d$x, d$class, q = 2))
})

test_that("domains follow the rows by name", {
  d <- fitfun_data()
  half <- c(1:15, 31:45)
  f <- transelect_fitfun(tgreedy, domain = d$domain, rule = "t")
  path <- tgreedy(d$x[half, ], d$y[half], domain = d$domain[half], rule = "t")
  got <- f(d$x[half, ], d$y[half], q = 6)
  expect_setequal(names(which(got$selected)), variable.names(path, step = max(path$steps$step)))
  borrowed <- transelect_fitfun(tlcp, domain = d$domain, target = "u")(d$x, d$y, q = 2)
  expect_lte(sum(borrowed$selected), 2)
})

test_that("sources may be models, and are not listed", {
  d <- fitfun_data()
  f <- transelect_fitfun(greedytl, sources = list(first = function(new) new[, 1]))
  expect_identical(rownames(f(d$x, d$y, q = 2)$path), colnames(d$x))
})

test_that("wrong input is told", {
  d <- fitfun_data()
  expect_error(transelect_fitfun("greedytl"), "`fit` is a string", class = "transelect_error_fit")
  expect_error(transelect_fitfun(greedytl, sources = d$x), "are predictions", class = "transelect_error_sources")
  f <- transelect_fitfun(tgreedy, domain = d$domain)
  expect_error(f(unname(d$x), d$y, q = 2), "no row names", class = "transelect_error_domain")
  expect_error(transelect_fitfun(tgreedy, domain = d$domain[1:10])(d$x, d$y, q = 2), "no element named",
               class = "transelect_error_domain")
  expect_error(transelect_fitfun(lm)(d$x, d$y, q = 2), "invalid formula") # lm()'s own words
  expect_error(transelect_fitfun(function(x, y) 1)(d$x, d$y, q = 2), "returned a number",
               class = "transelect_error_fit")
})

test_that("stabs finds the two features that matter", {
  skip_if_not_installed("stabs")
  d <- fitfun_data()
  set.seed(2)
  found <- stabs::stabsel(d$x, d$y, fitfun = transelect_fitfun(greedytl), q = 3, cutoff = .9, B = 20, papply = lapply)
  expect_true(all(c("a", "b") %in% names(found$selected)))
  expect_identical(names(found$max), colnames(d$x))
  set.seed(2)
  rownames(d$x) <- paste0("row", 1:60)
  domain <- stats::setNames(d$domain, rownames(d$x))
  found <- stabs::stabsel(d$x, d$y, fitfun = transelect_fitfun(tgreedy, domain = domain), q = 3, cutoff = .9, B = 20,
                          papply = lapply)
  expect_true(all(c("a", "b") %in% names(found$selected)))
})
