test_that("probabilities of large scores are finite, and sum to one", {
  score <- rbind(c(0, 1000, 999), c(-1000, -1001, -Inf), c(NA, 0, 1))
  share <- response_scores_softmax(score)
  p <- 1 / (1 + exp(-1))
  expect_equal(share[1:2, ], rbind(c(0, p, 1 - p), c(p, 1 - p, 0)))
  expect_true(all(is.na(share[3, ])))
  expect_equal(response_scores_log_sum_exp(score)[1:2], c(1000, -1000) + log1p(exp(-1)))
  expect_equal(share[1, ], exp(score[1, ] - response_scores_log_sum_exp(score)[1]))
})

test_that("numbers are checked against both limits", {
  here <- rlang::current_env()
  expect_identical(check_number(3L, "k", 1, here, whole = TRUE, high = 3), 3)
  for (bad in list(0, 4, NA, "2", 1:2, Inf, 2.5)) {
    expect_error(check_number(bad, "k", 1, here, whole = TRUE, high = 3),
                 "one whole number from 1 to 3", class = "transelect_error_k")
  }
  expect_error(check_number(0, "k", 1, here), "one number, at least 1")
})
