# Rows with missing values are left out, and their number is shown.

air <- function() {
  out <- airquality
  out$Ozone[out$Month == 5] <- NA
  out
}

test_that("every fit says how many rows were incomplete and which domains lost all", {
  said <- "87 of 153 rows (66 incomplete)"
  form <- Ozone ~ Solar.R + Wind + Temp
  set.seed(1)
  fits <- list(
    greedytl(form, air()), tgreedy(form, air(), domain = Month), msplit(form, air(), nu = 5),
    tgreedy(Ozone ~ ., air(), domain = Month), cv_path(form, air(), nfolds = 3),
    cv_path(Ozone ~ ., air(), fit = tgreedy, domain = Month),
    moments(form, air(), domain = Month)
  )
  with_domains <- c(FALSE, TRUE, FALSE, TRUE, FALSE, TRUE, TRUE)
  for (k in seq_along(fits)) {
    for (text in list(capture.output(print(fits[[k]])), capture.output(print(summary(fits[[k]]))))) {
      expect_true(any(grepl(said, text, fixed = TRUE)))
      expect_identical(any(grepl("No complete row: domain 5", text)), with_domains[k])
    }
    expect_equal(glance(fits[[k]])$incomplete, 66)
  }
  one <- tlcp(form, air(), domain = Month, target = "6", subset = Month < 8)
  expect_true(all(c("57 of 92 rows are incomplete and left out", "No complete row: domain 5") %in%
                    capture.output(print(one))))
  expect_identical(one$left_out[c("of", "incomplete", "domains")], list(of = 92L, incomplete = 57L, domains = "5"))
  own <- sum(!complete.cases(air()[air()$Month == 6, ]))
  expect_gt(own, 0)
  expect_true(paste("of target 6:", own, "of them") %in% capture.output(print(one)))
  flowers <- iris
  flowers[c(1, 60), 1] <- NA
  text <- capture.output(print(shareboost(Species ~ ., flowers, max_steps = 1)))
  expect_true(any(grepl("148 of 150 rows (2 incomplete)", text, fixed = TRUE)))
})

test_that("fits of moments and dissimilarity() know the incomplete rows", {
  form <- Ozone ~ Solar.R + Wind + Temp
  m <- moments(form, air(), domain = Month)
  fits <- list(greedytl(m), tgreedy(m), tlcp(m, target = "6"), tgreedy(form, air(), domain = Month))
  for (fit in fits) {
    expect_identical(fit$left_out$incomplete / 66, 1)
    expect_equal(fit$left_out[c("of", "incomplete", "domains")], list(of = 153, incomplete = 66, domains = "5"))
    expect_equal(glance(fit)$incomplete, 66)
    expect_output(print(fit), "66.*No complete row: domain 5")
  }
  expect_identical(tlcp(m["6"])$left_out, NULL) # nobody knows how many of them were of domain 6
  for (d in list(dissimilarity(m, target = "6"),
                 dissimilarity(form, air(), domain = Month, target = "6", draws = 0))) {
    expect_output(print(sort(d)), "66 of 153 rows are incomplete and left out\nNo complete row: domain 5")
    expect_identical(names(attributes(as.data.frame(d))), c("names", "class", "row.names"))
  }
})

test_that("nothing is said where all rows are complete", {
  fit <- greedytl(mpg ~ wt, mtcars)
  expect_true(any(grepl("^32 rows,", capture.output(print(fit)))))
  expect_null(fit$left_out)
  expect_identical(glance(fit)$incomplete, 0L)
})

test_that("moments from every engine know the domains that they lost", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "air", air())
  for (method in c("sql", "stream")) {
    m <- moments(Ozone ~ Wind, con, domain = Month, table = "air", method = method)
    expect_equal(m$dropped, 63)
    expect_identical(m$lost, "5")
  }
  rows <- air()[c("Wind")]
  m <- moments(rows, replace(air()$Ozone, 1, NA), domain = air()$Month)
  expect_identical(m$lost, "5")
  expect_identical(m["6"]$lost, character())
  expect_identical(m["6"]$dropped, NA_real_)
})

test_that("factors that are constant in the complete rows alone are told so", {
  d <- data.frame(y = c(1, 2, 3, 4, NA, NA), f = factor(c("a", "a", "a", "a", "b", "b")), z = 1:6)
  expect_error(greedytl(y ~ ., d), "\"f\".*4 rows are left: 2 of 6 have a missing value")
  d$y <- 1:6
  d$f <- factor("a")
  expect_error(greedytl(y ~ ., d), "they cannot vary")
})

test_that("text and whole numbers with too many values are no classes", {
  x <- as.matrix(mtcars[2:5])
  expect_error(greedytl(x, as.character(mtcars$mpg)), "25 different values.*as.numeric",
               class = "transelect_error_y")
  expect_error(shareboost(x, as.integer(10 * mtcars$mpg)), "factor\\(y\\)")
  expect_error(greedytl(x, c(letters, letters[1:6])), "Give `factor\\(y\\)`")
  d <- data.frame(x, y = as.character(mtcars$mpg))
  for (fit in list(greedytl, msplit, shareboost)) {
    expect_error(fit(y ~ ., d), class = "transelect_error_y")
  }
  expect_error(cv_path(y ~ ., d, nfolds = 3), class = "transelect_error_y")
  expect_no_error(suppressWarnings(greedytl(x, factor(mtcars$mpg > 20))))
  expect_identical(greedytl(x[1:4, ], c("u", "v", "u", "v"))$classes, c("u", "v"))
})
