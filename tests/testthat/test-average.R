test_that("weights are posterior probabilities", {
  set.seed(1)
  for (draw in 1:50) {
    e <- rnorm(sample(1:9, 1), sd = 3)
    f <- rnorm(length(e))
    expect_equal(response_scores_average_weights(e, f), exp(e + f) / sum(exp(e + f)))
    # a constant in either changes nothing, however large
    expect_equal(response_scores_average_weights(e + 1e5, f - 300), response_scores_average_weights(e, f),
                 tolerance = 1e-8)
    o <- sample(length(e))
    expect_equal(response_scores_average_weights(e[o], f[o]), response_scores_average_weights(e, f)[o])
  }
})

test_that("alternatives far below the best are dropped before weights are normalised", {
  e <- c(a = 0, b = log(.5), c = log(.05), d = -Inf, e = NaN)
  expect_equal(response_scores_average_weights(e, least = .1), c(a = 2 / 3, b = 1 / 3, c = 0, d = 0, e = 0))
  expect_equal(sum(response_scores_average_weights(e)), 1)
  expect_equal(unname(response_scores_average_weights(e)[4:5]), c(0, 0))
})

test_that("tied alternatives have equal weights, and impossible ones have weight 0", {
  expect_equal(response_scores_average_weights(c(7, 7, 7), least = 1), rep(1 / 3, 3))
  expect_equal(response_scores_average_weights(c(-Inf, NaN)), c(0, 0))
  expect_equal(response_scores_average_weights(c(Inf, 0, Inf)), c(.5, 0, .5))
  expect_equal(response_scores_average_weights(numeric()), numeric())
  expect_equal(response_scores_average_weights(c(-1e300, 1e300)), c(0, 1))
})
