# ---- pieces: groups of columns by centre and radius

piece_case <- function(seed, k = 3, n = 60) {
  d <- with_seed(seed, {
    centers <- matrix(rnorm(2 * 2 * k, sd = 2), 2 * k)
    from <- rep_len(seq_len(2 * k), n)
    x <- named_columns(centers[from, ] + rnorm(2 * n) / 2, n, "x")
    list(x = x, y = factor(letters[(from - 1) %% k + 1]), weights = sample(1:3, n, TRUE))
  })
  d$centers <- d$x[seq(1, n, length.out = 5), ]
  d$radii <- c(0.8, 1.5, 3, 100)
  d
}

test_that("a table of numbers is a matrix", {
  x <- as.matrix(mtcars[1:20, 3:5])
  centers <- x[c(1, 7), ]
  expect_identical(pieces(as.table(x), centers, radii = 2), pieces(x, centers, radii = 2))
  expect_identical(coef(greedytl(as.table(x), mtcars$mpg[1:20])), coef(greedytl(x, mtcars$mpg[1:20])))
})

test_that("pieces are the path on the matrix of all groups", {
  for (k in c(2, 3, 4)) {
    d <- piece_case(k, k)
    made <- naive_pieces(d$x, d$centers, d$radii)
    for (rule in c("orthogonal", "gradient")) {
      fit <- shareboost(
        pieces(d$x, centers = d$centers, radii = d$radii), d$y, rule = rule, max_steps = 3,
        ridge = 1e-3, control = shareboost_control(tol = 1e-10)
      )
      twin <- naive_shareboost(
        made$x, d$y, rule = rule, groups = made$groups, max_steps = 3, ridge = 1e-3
      )
      expect_close(fit$steps$loss, twin$loss, 1e-7)
      expect_close(fit$steps$error, twin$error)
      expect_equal(fit$steps$size, twin$size)
    }
  }
})

test_that("the rules that look ahead are those of the matrix of all groups", {
  d <- piece_case(3, 3)
  made <- naive_pieces(d$x, d$centers, d$radii)
  made$x <- unname(made$x)
  map <- pieces(d$x, centers = d$centers, radii = d$radii)
  for (rule in c("line", "column", "full")) {
    fit <- shareboost(map, d$y, rule = rule, max_steps = 2, ridge = 1e-2, control = shareboost_control(shortlist = 4))
    twin <- shareboost(made$x, d$y, rule = rule, groups = made$groups, max_steps = 2, ridge = 1e-2,
                       control = shareboost_control(shortlist = 4))
    expect_close(fit$steps$score[-1], twin$steps$score[-1], 1e-6)
    expect_close(fit$steps$loss, twin$steps$loss, 1e-7)
  }
  alone <- naive_shareboost(made$x, d$y, rule = "column", groups = made$groups, max_steps = 1, ridge = 1e-2)
  fit <- shareboost(map, d$y, rule = "column", max_steps = 1, ridge = 1e-2, control = shareboost_control(tol = 1e-10))
  expect_close(fit$steps$score[2], alone$score, 1e-5)
})

test_that("weights follow the matrix of all groups", {
  d <- piece_case(5)
  made <- naive_pieces(d$x, d$centers, d$radii)
  for (rule in c("orthogonal", "gradient")) {
    fit <- shareboost(
      pieces(d$x, centers = d$centers, radii = d$radii), d$y, rule = rule, max_steps = 3,
      ridge = 1e-3, weights = d$weights, control = shareboost_control(tol = 1e-10)
    )
    twin <- naive_shareboost(
      made$x, d$y, rule = rule, groups = made$groups, max_steps = 3, ridge = 1e-3,
      weights = d$weights
    )
    expect_close(fit$steps$loss, twin$loss, 1e-7)
  }
})

test_that("a row of weight zero is a row left out", {
  d <- piece_case(12)
  weights <- replace(d$weights, c(2, 9), 0)
  fit_of <- function(rows) {
    object <- pieces(d$x[rows, ], centers = d$centers, radii = d$radii)
    shareboost(object, d$y[rows], weights = weights[rows], max_steps = 2)
  }
  expect_close(fit_of(seq_along(d$y))$steps$loss, fit_of(which(weights > 0))$steps$loss)
})

test_that("cross-validation keeps the centres and leaves out rows", {
  d <- piece_case(13)
  object <- pieces(d$x, centers = d$centers, radii = d$radii)
  foldid <- rep_len(c(1, 1, 2, 2, 3, 3), length(d$y))
  cvf <- cv_path(object, d$y, fit = shareboost, foldid = foldid, max_steps = 2)
  out <- foldid == 2
  fit <- shareboost(
    pieces(d$x[!out, ], centers = d$centers, radii = d$radii), d$y[!out], max_steps = 2
  )
  error <- vapply(predict(fit, d$x[out, ], step = 0:2), function(one) mean(one != d$y[out]), 0)
  expect_equal(unname(cvf$fold_loss[2, ]), unname(error))
})

test_that("balls with all rows, one row or the same rows", {
  d <- piece_case(10)
  radii <- c(1e-3, 2, 500, 1000)
  made <- naive_pieces(d$x, d$centers, radii)
  for (rule in c("orthogonal", "gradient")) {
    fit <- shareboost(
      pieces(d$x, centers = d$centers, radii = radii), d$y, rule = rule, max_steps = 3,
      ridge = 1e-2, control = shareboost_control(tol = 1e-10)
    )
    twin <- naive_shareboost(
      made$x, d$y, rule = rule, groups = made$groups, max_steps = 3, ridge = 1e-2
    )
    expect_close(fit$steps$loss, twin$loss, 1e-7)
  }
})

test_that("many rows and columns follow the matrix of all groups", {
  d <- with_seed(11, {
    x <- named_columns(rnorm(700 * 6), 700, "x")
    list(x = x, y = factor(1 + (x[, 1] > 0) + 2 * (rowSums(x^2) > 6)))
  })
  object <- with_seed(1, pieces(d$x, centers = 6, radii = 4))
  made <- naive_pieces(d$x, object$centers, object$radii)
  for (rule in c("orthogonal", "gradient")) {
    fit <- shareboost(object, d$y, rule = rule, max_steps = 2, ridge = 1e-3,
                      control = shareboost_control(tol = 1e-10))
    twin <- naive_shareboost(
      made$x, d$y, rule = rule, groups = made$groups, max_steps = 2, ridge = 1e-3
    )
    expect_close(fit$steps$loss, twin$loss, 1e-7)
  }
})

test_that("pieces of new rows are made from their distances", {
  d <- piece_case(6)
  object <- pieces(d$x, centers = d$centers, radii = d$radii)
  fit <- shareboost(object, d$y, max_steps = 3)
  expect_equal(mean(predict(fit, d$x) != d$y), fit$steps$error[4])
  whole <- predict(fit, d$x, type = "prob")
  expect_close(rowSums(whole), rep(1, nrow(whole)))
  expect_close(predict(fit, d$x[7, , drop = FALSE], type = "prob"), whole[7, , drop = FALSE])
  expect_equal(unname(predict(fit, as.data.frame(d$x)[2:1], type = "prob")), unname(whole))
  expect_error(predict(fit, d$x[, 1, drop = FALSE]), class = "transelect_error")
})

test_that("centres by k-means use the generator, given ones do not", {
  d <- piece_case(7)
  draw <- function(seed) {
    with_seed(seed, shareboost(pieces(d$x, centers = 8, radii = 3), d$y, max_steps = 3))
  }
  expect_identical(draw(1)$steps, draw(1)$steps)
  with_seed(1, {
    before <- .Random.seed
    pieces(d$x, centers = d$centers, radii = d$radii)
    pieces(d$x, centers = d$centers, radii = 4)
    expect_identical(.Random.seed, before)
    pieces(d$x, centers = 4, radii = 2)
    expect_false(identical(.Random.seed, before))
  })
})

test_that("bad pieces are refused", {
  d <- piece_case(8)
  expect_refused(
    pieces(), "x: `x`",
    pieces("x"), "x: `x`",
    pieces(replace(d$x, 3, NA)), 'x: "x1" `x` 1',
    pieces(d$x, centers = 0), "centers: `centers` 0",
    pieces(d$x, centers = 100), "centers: `centers` 100 60",
    pieces(d$x, centers = d$centers[, 1, drop = FALSE]), "centers: `centers` 1",
    pieces(d$x, centers = d$centers, radii = 0), "radii: `radii` 0",
    pieces(d$x, centers = d$centers, radii = -d$radii), "radii: `radii` -0.8 -1.5 -3 -100",
    pieces(d$x, centers = d$centers, radii = "wide"), 'radii: `radii` "wide"',
    pieces(d$x, centers = d$centers, radii = 256), "radii: `radii` 256",
    pieces(d$x, centers = d$centers, radii = 1e15), "radii: `radii` 1e+15",
    shareboost(pieces(d$x, centers = d$centers, radii = d$radii), d$y[-1]), "y: `y` 59 `x` 60",
    shareboost(pieces(d$x, centers = d$centers, radii = d$radii), d$y, groups = 1:20), "groups: `groups` `x` <pieces>"
  )
})

test_that("too many radii are refused before they are made", {
  d <- piece_case(8)
  # so many probabilities fit in no memory
  expect_error(pieces(d$x, centers = d$centers, radii = 1e15), "too many",
               class = "transelect_error")
  expect_lte(length(pieces(d$x, centers = d$centers, radii = 255)$radii), 255)
})

test_that("pieces print", {
  d <- piece_case(9)
  expect_output(print(pieces(d$x, centers = d$centers, radii = d$radii)), "5")
})

test_that("no new rows have no predictions", {
  set.seed(9)
  x <- matrix(rnorm(200), 50)
  y <- factor(x[, 1] > 0)
  fit <- shareboost(pieces(x), y, max_steps = 3)
  expect_silent(none <- predict(fit, x[0, ]))
  expect_length(none, 0)
  expect_s3_class(none, "factor")
})
