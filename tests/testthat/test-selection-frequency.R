# selection_frequency(): halves and counts by hand, from rows and from moments.

frequency_data <- function(n = 60, p = 6) {
  set.seed(1)
  x <- matrix(rnorm(n * p), n, dimnames = list(NULL, letters[seq_len(p)]))
  list(x = x, y = x[, 1] + x[, 2] + rnorm(n), domain = rep_len(c("u", "v", "w"), n))
}

# The features of the last step with at most q of them.
first_by_hand <- function(path, q) {
  found <- lapply(path_step_table(path), function(step) variable.names(path, step = step))
  found[[max(which(lengths(found) <= q))]]
}

test_that("frequencies are counts over complementary halves, for every method", {
  d <- frequency_data()
  for (fit in list(greedytl, tlcp, msplit)) {
    set.seed(3)
    got <- selection_frequency(d$x, d$y, fit = fit, q = 2, pairs = 4)
    set.seed(3)
    count <- setNames(numeric(6), colnames(d$x))
    for (pair in 1:4) {
      half <- make_folds(d$y, 2)
      for (k in 1:2) {
        found <- first_by_hand(fit(d$x[half == k, ], d$y[half == k]), 2)
        count[found] <- count[found] + 1
      }
    }
    expect_equal(setNames(got$frequency, got$term)[names(count)], count / 8)
    expect_false(is.unsorted(-got$frequency))
    expect_identical(got$stable, got$frequency >= .9)
  }
  expect_equal(attr(got, "false"), 4 / (.8 * 6))
})

test_that("halves of classes are balanced, and the same with a function around the method", {
  d <- frequency_data()
  ones <- as.integer(d$y > .5)
  counts <- cbind(a = with_seed(2, rpois(60, exp(d$x[, 1]))), a = 3)
  for (case in list(list(ones, "binomial"), list(counts, "binomial"), list(rep(2, 60), "poisson"))) {
    run <- function(fit, ...) with_seed(3, selection_frequency(d$x, case[[1]], fit = fit, ..., q = 2, pairs = 3))
    bare <- run(tlcp, family = case[[2]])
    around <- run(function(x, ...) tlcp(x, family = case[[2]], ...))
    expect_identical(around, bare)
  }
  expect_identical(
    with_seed(3, selection_frequency(d$x, ones, fit = tlcp, family = "binomial", q = 2, pairs = 3)),
    with_seed(3, selection_frequency(d$x, factor(ones), fit = tlcp, family = "binomial", q = 2, pairs = 3))
  )
})

test_that("the evidence of msplit() stands beside, in the same order", {
  d <- frequency_data()
  got <- selection_frequency(d$x, d$y, pairs = 2)
  expect_equal(got$probability, unname(inclusion_probability(msplit(d$x, d$y))[got$term, 1]))
  expect_true(all(is.na(selection_frequency(d$x, d$y, fit = tlcp, pairs = 2)$probability)))
})

test_that("from moments halves are sums of folds", {
  d <- frequency_data()
  fold <- rep_len(1:10, 60)
  m <- moments(d$x, d$y, fold = fold)
  for (fit in list(greedytl, tlcp, msplit)) {
    set.seed(4)
    got <- selection_frequency(m, fit = fit, q = 3, pairs = 3)
    set.seed(4)
    count <- setNames(numeric(6), colnames(d$x))
    for (pair in 1:3) {
      first <- fold %in% sample(as.character(1:10), 5)
      for (half in list(first, !first)) {
        found <- first_by_hand(fit(d$x[half, ], d$y[half]), 3)
        count[found] <- count[found] + 1
      }
    }
    expect_equal(setNames(got$frequency, got$term)[names(count)], count / 6)
  }
  expect_error(selection_frequency(moments(d$x, d$y)), "fewer than two folds", class = "transelect_error_x")
})

test_that("a formula, classes and domains have the frequencies of the matrix", {
  d <- frequency_data()
  frame <- data.frame(y = d$y, d$x, site = d$domain)
  set.seed(5)
  by_formula <- selection_frequency(y ~ ., frame, fit = tgreedy, domain = site, pairs = 3)
  set.seed(5)
  by_matrix <- selection_frequency(d$x, d$y, fit = tgreedy, domain = d$domain, pairs = 3)
  expect_equal(by_formula, by_matrix)
  classes <- selection_frequency(Species ~ ., iris, fit = shareboost, pairs = 2)
  expect_identical(classes$term[1], "Petal.Length")
})

test_that("frequencies are printed, and drawn the same by both renderers", {
  d <- frequency_data()
  set.seed(6)
  got <- selection_frequency(d$x, d$y, q = 2, pairs = 5)
  expect_output(print(got, n = 2), "10 random halves, at most 2 features.*and 4 more features")
  picture <- picture_of(plot(got, top_n = 3))
  expect_identical(picture$panels[[1]]$y$labels, got$term[1:3])
  expect_equal(picture$panels[[1]]$layers[[4]]$data$x, got$frequency[1:3])
  expect_equal(picture$panels[[1]]$layers[[5]]$data$x, got$probability[1:3])
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(got), got)
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(got), "ggplot")
})

test_that("wrong input is told", {
  d <- frequency_data()
  expect_error(selection_frequency(d$x, d$y, fit = "msplit"), class = "transelect_error_fit")
  expect_error(selection_frequency(d$x, d$y, q = 0), class = "transelect_error_q")
  expect_error(selection_frequency(d$x, d$y, pairs = 1.5), class = "transelect_error_pairs")
  expect_error(selection_frequency(d$x, d$y, cutoff = .4), class = "transelect_error_cutoff")
  expect_error(selection_frequency(d$x, d$y, fit = function(x, ...) 1), class = "transelect_error_fit")
  expect_error(selection_frequency(d$x, d$y, nonsense = 1), "nonsense")
})

test_that("print() says how q limits the model, and the bound", {
  d <- frequency_data(p = 3)
  one <- selection_frequency(d$x, d$y, fit = tlcp, q = 1, pairs = 2)
  expect_identical(attr(one, "chosen"), length(tlcp(d$x, d$y)$selected))
  expect_output(print(one), "at most 1 feature each.*Raise q")
  all <- selection_frequency(d$x, d$y, fit = tlcp, q = 3, pairs = 2)
  expect_identical(attr(all, "false"), 3L + 0)
  said <- printed(all)
  expect_match(said, "no bound on the number of false ones .*: q = 3 is too large for 3 features")
  expect_no_match(said, "Raise q|on average")
})

# The largest tail probability by the definition: nested grids of distributions c (a + i)^(-s) on 0, ..., k - 1 with a
# smaller mass at k, whose mean is the one given.
naive_tail <- function(mean, from, count, s) {
  best <- 0
  for (k in from:count) for (a in exp(seq(-9, 9, length.out = 3000))) {
    i <- seq_len(k) - 1
    w <- (a + i)^-s
    x <- (mean * count * sum(w) - sum(i * w)) / (k - mean * count)
    if (x >= 0 && x <= (a + k)^-s) best <- max(best, sum(c(w, x)[-seq_len(from)]) / sum(w, x))
  }
  best
}

test_that("bounds on false ones are those of the theorems, and r-concave tails the largest of their kind", {
  set.seed(1)
  for (s in c(2, 4)) for (from in c(4, 7)) {
    bound <- selection_bound_tail(.08, from, 8, s)
    expect_equal(bound, naive_tail(.08, from, 8, s), tolerance = .03)
    # no distribution whose mass has a convex power is above it
    above <- replicate(50, {
      f <- cumsum(c(runif(1, .001, 1), cumsum(rexp(8) * rbinom(8, 1, .5) * exp(rnorm(1, 0, 3)))))^-s
      f <- f * (0:8 <= sample(8, 1))
      f <- f / sum(f)
      mean <- sum(0:8 * f) / 8
      sum(f[0:8 >= from]) - selection_bound_tail(mean, from, 8, s) * (1 + 1e-6)
    })
    expect_lte(max(above), 0)
  }
  expect_equal(selection_bound_tail(.5, 4, 8, 2), 1)
  got <- selection_bound_false(10, 200, .9, 50)
  expect_equal(got[["any"]], 10^2 / 200 / .8)
  expect_equal(got[["unimodal"]], 10^2 / 200 * 4 * (.1 + .01) / 1.02)
  expect_equal(got[["concave"]], 200 * min(naive_tail(.05^2, 40, 50, 2), naive_tail(.05, 90, 100, 4)), tolerance = .05)
  expect_true(all(selection_bound_false(6, 6, .6, 5) <= 6))
})

test_that("sources are refused in words of their own", {
  expect_error(selection_frequency(mpg ~ ., mtcars, fit = greedytl, sources = list(function(d) d$wt)),
               "takes no `sources`", class = "transelect_error_sources")
})
