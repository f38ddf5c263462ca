similar_domains <- function(seed, distance, n = 30) {
  set.seed(seed)
  b <- c(1, .6, .3, 0)
  parts <- lapply(c(n, 120, 120, 120), function(n) {
    x <- matrix(rnorm(n * 4), n, dimnames = list(NULL, paste0("x", 1:4)))
    list(x = x, y = drop(x %*% (b + rnorm(4, sd = distance))) + rnorm(n))
  })
  list(x = do.call(rbind, lapply(parts, `[[`, "x")), y = unlist(lapply(parts, `[[`, "y")),
       domain = rep(c("t", "a", "b", "c"), c(n, 120, 120, 120)))
}

test_that("rows that the borrowed information is worth: so many more rows of the target give its standard errors", {
  d <- similar_domains(1, .1)
  fit <- tlcp(d$x, d$y, domain = d$domain, target = "t", criterion = 0)
  expect_length(fit$selected, 4)
  s2 <- (fit$borrowing$s2[["t"]] * fit$response_scale[["t"]]^2)
  x <- scale(d$x[d$domain == "t", ], scale = FALSE)
  found <- summary(fit)$borrowed
  expect_equal(found$rows, 25 * found$weight / (1 - found$weight))
  # so many more rows of the target, by simulation: rows like those that there are, known spread
  set.seed(2)
  root <- chol(crossprod(x) / 25)
  error <- mean(replicate(200, {
    more <- rbind(x, matrix(rnorm(round(found$rows[1]) * 4), ncol = 4) %*% root)
    s2 * solve(crossprod(scale(more, scale = FALSE)))[1, 1]
  }))
  expect_equal(sqrt(error), sqrt(vcov(fit)[2, 2]), tolerance = .1)
  expect_match(describe_path(fit, 3)$head, paste("x1", round(found$rows[1])), all = FALSE)
  # a domain may bear the column's name
  named <- tlcp(d$x, d$y, domain = ifelse(d$domain == "a", "rows", d$domain), target = "t", criterion = 0)
  expect_equal(summary(named)$borrowed[[9]], found$rows)
  few <- tlcp(d$x[c(1:3, 31:390), ], d$y[c(1:3, 31:390)], domain = d$domain[c(1:3, 31:390)], target = "t")
  expect_true(all(is.na(summary(few)$borrowed$rows)))
})

test_that("the tipping point is where refits with larger distances choose other features", {
  d <- similar_domains(10, .05, 20)
  fit <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "t"))
  again <- function(factor) {
    suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "t",
                          control = tlcp_control(distance = factor)))$selected
  }
  expect_identical(again(1), fit$selected)
  tip <- tipping_point(fit)
  expect_identical(tip$selected, fit$selected)
  expect_false(is.na(tip$factor))
  expect_setequal(again(tip$factor / 1.02), fit$selected)
  there <- again(tip$factor)
  expect_setequal(setdiff(there, fit$selected), tip$entered)
  expect_setequal(setdiff(fit$selected, there), tip$dropped)
  expect_output(print(tip), "times the estimated distance other features")
  firm <- tipping_point(fit, most = sqrt(tip$factor))
  expect_true(is.na(firm$factor))
  tried <- as.data.frame(tip)
  expect_false(is.unsorted(tried$factor))
  for (k in c(1, match(tip$factor, tried$factor))) {
    expect_setequal(names(tried)[-(1:2)][unlist(tried[k, -(1:2)])], again(tried$factor[k]))
  }
  of <- tidy(tip)
  expect_setequal(of$term[of$selected], fit$selected)
  expect_equal(of$from, vapply(of$term, function(name) min(tried$factor[tried[[name]]]), 0), ignore_attr = TRUE)
  dots <- picture_of(plot(tip))$panels[[1]]$layers[[3]]$data
  expect_equal(nrow(dots), sum(tried$size))
  if (requireNamespace("ggplot2", quietly = TRUE)) expect_s3_class(ggplot2::autoplot(firm), "ggplot")
  doubled <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "t",
                                   control = tlcp_control(units = "common", distance = 2)))
  plain <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "t", control = tlcp_control(units = "common")))
  expect_equal(doubled$borrowing$tau2, 4 * plain$borrowing$tau2)
})

test_that("fits without borrowing or without a search are refused", {
  expect_error(tipping_point(tlcp(mpg ~ wt, mtcars)), class = "transelect_error_fit")
  expect_error(tipping_point(lm(mpg ~ wt, mtcars)), class = "transelect_error_fit")
  d <- similar_domains(4, .1)
  kept <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = "t", select = FALSE))
  expect_error(tipping_point(kept), class = "transelect_error_fit")
  expect_error(tlcp(d$x, d$y, domain = d$domain, target = "t",
                    control = tlcp_control(distance = -1)), class = "transelect_error_distance")
})
