# ---- decision stumps: the same as their matrix, which is never made

# Columns with ties, so that thresholds are few, and one that is constant.
stump_case <- function(seed, k = 3, n = 40) {
  d <- draw_classes(seed, k, n = n, p = 4)
  d$x <- cbind(round(d$x, 1), flat = 2)
  d
}

# The path on the stumps, and the twin on their matrix made to follow it: many stumps part the
# rows alike.
stump_pair <- function(d, rule, max_steps = 5, ...) {
  fit <- shareboost(stumps(d$x), d$y, rule = rule, max_steps = max_steps, ..., ridge = 1e-4,
                    control = shareboost_control(tol = 1e-11))
  made <- naive_stumps(d$x)
  order <- stump_columns(entered(fit), colnames(d$x), made)
  twin <- naive_shareboost(made$x, d$y, rule = rule, max_steps = max_steps, ..., follow = order)
  list(fit = fit, twin = twin, made = made, order = order)
}

# The columns of the matrix that the names of stumps, "x1 <= 0.25", speak of: the nearest threshold.
stump_columns <- function(entered, names, made) {
  part <- strsplit(entered, " <= ", fixed = TRUE)
  vapply(part, function(words) {
    mine <- which(names[made$column] == words[1])
    gap <- abs(made$theta[mine] - as.numeric(words[2]))
    mine[which.min(gap)]
  }, 0L)
}

test_that("stumps are the path on the matrix of all stumps", {
  for (k in c(2, 3, 5)) {
    d <- stump_case(k, k)
    for (rule in c("orthogonal", "gradient")) {
      pair <- stump_pair(d, rule)
      expect_lt(max(pair$twin$shortfall), 1e-8)
      expect_close(pair$fit$steps$loss, pair$twin$loss, 1e-8)
      expect_close(pair$fit$steps$error, pair$twin$error)
      expect_close(pair$fit$steps$gradient[-1], pair$twin$norm, 1e-7)
      scores <- predict(pair$fit, d$x, type = "score")
      last <- pair$twin$rounds[[6]]
      other <- pair$made$x %*% last$beta + rep(last$a0, each = nrow(d$x))
      expect_close(scores - rowMeans(scores), other - rowMeans(other), 1e-6)
    }
  }
})

test_that("the rules that look ahead are those of the matrix of stumps", {
  d <- stump_case(3, 3)
  made <- naive_stumps(d$x)
  for (rule in c("line", "column", "full")) for (shortlist in list(5, NULL)) {
    fit <- shareboost(stumps(d$x), d$y, rule = rule, max_steps = 2,
                      control = shareboost_control(shortlist = shortlist), weights = d$weights)
    twin <- shareboost(made$x, d$y, rule = rule, max_steps = 2,
                       control = shareboost_control(shortlist = shortlist), weights = d$weights)
    expect_close(fit$steps$score[-1], twin$steps$score[-1], 1e-6)
    expect_close(fit$steps$loss, twin$steps$loss, 1e-7)
  }
})

test_that("weights and no intercept follow the matrix of stumps", {
  for (seed in 1:2) {
    d <- stump_case(10 + seed)
    for (rule in c("orthogonal", "gradient")) {
      pair <- stump_pair(d, rule, 4, weights = d$weights)
      expect_lt(max(pair$twin$shortfall), 1e-8)
      expect_close(pair$fit$steps$loss, pair$twin$loss, 1e-8)
      pair <- stump_pair(d, rule, 4, intercept = FALSE)
      expect_lt(max(pair$twin$shortfall), 1e-8)
      expect_close(pair$fit$steps$loss, pair$twin$loss, 1e-8)
    }
  }
})

test_that("many rows, few values and many classes follow the matrix of stumps", {
  cases <- list(
    draw_classes(13, 3, n = 600, p = 3), draw_classes(14, 7, "tied", n = 200, p = 4),
    draw_classes(15, 3, "duplicated", n = 50, p = 4), draw_classes(16, 2, "scaled", n = 33, p = 3)
  )
  cases[[1]]$x <- round(cases[[1]]$x, 1)
  for (d in cases) {
    for (rule in c("orthogonal", "gradient")) {
      pair <- stump_pair(d, rule, 6)
      expect_lt(max(pair$twin$shortfall), 1e-8)
      expect_close(pair$fit$steps$loss, pair$twin$loss, 1e-8)
    }
  }
})

test_that("a row of weight zero has no threshold", {
  d <- stump_case(17)
  weights <- replace(d$weights, c(3, 8, 20), 0)
  keep <- weights > 0
  a <- shareboost(stumps(d$x), d$y, weights = weights, max_steps = 4)
  b <- shareboost(stumps(d$x[keep, ]), d$y[keep], weights = weights[keep], max_steps = 4)
  expect_identical(entered(a), entered(b))
  expect_close(a$steps$loss, b$steps$loss)
})

test_that("sparse columns and data frames have the stumps of the matrix", {
  d <- stump_case(18)
  d$x[abs(d$x) < 0.5] <- 0
  a <- shareboost(stumps(d$x), d$y, max_steps = 4)
  for (x in list(as(d$x, "CsparseMatrix"), as.data.frame(d$x))) {
    b <- shareboost(stumps(x), d$y, max_steps = 4)
    expect_identical(b$steps, a$steps)
    expect_identical(unname(predict(b, x)), predict(a, d$x))
  }
})

test_that("the path ends where no stump is left", {
  d <- stump_case(19, n = 12)
  d$x <- d$x[, 5:4]
  all <- length(naive_stumps(d$x)$theta)
  fit <- suppressWarnings(shareboost(stumps(d$x), d$y, max_steps = all))
  expect_lte(max(fit$steps$step), all)
  expect_identical(anyDuplicated(entered(fit)), 0L)
})

test_that("stumps depend on the order of the values only", {
  d <- stump_case(20)
  bent <- cbind(exp(d$x[, 1:2]), 2 * d$x[, 3:4] - 5, flat = 0)
  colnames(bent) <- colnames(d$x)
  a <- shareboost(stumps(d$x), d$y, max_steps = 5, control = shareboost_control(tol = 1e-11))
  b <- shareboost(stumps(bent), d$y, max_steps = 5, control = shareboost_control(tol = 1e-11))
  expect_identical(sub(" .*", "", entered(a)), sub(" .*", "", entered(b)))
  expect_close(a$steps$loss, b$steps$loss)
  expect_equal(predict(a, d$x), predict(b, bent))
})

test_that("thresholds that differ in the last digits keep apart", {
  d <- stump_case(23)
  d$x <- 1.7e9 + round(10 * d$x[, 1:3])
  fit <- shareboost(stumps(d$x), d$y, max_steps = 8)
  expect_identical(anyDuplicated(entered(fit)), 0L)
  expect_equal(mean(predict(fit, d$x) != d$y), fit$steps$error[9])
  moved <- shareboost(stumps(d$x - 1.7e9), d$y, max_steps = 8)
  expect_close(fit$steps$loss, moved$steps$loss)
})

test_that("stumps of new rows, one row, and a value at the threshold", {
  d <- stump_case(21)
  fit <- shareboost(stumps(d$x), d$y, max_steps = 4)
  whole <- predict(fit, d$x, type = "prob")
  expect_close(predict(fit, d$x[5, , drop = FALSE], type = "prob"), whole[5, , drop = FALSE])
  turned <- d$x[, 5:1]
  expect_equal(predict(fit, turned, type = "prob"), whole)
  expect_equal(unname(predict(fit, as.data.frame(d$x), type = "prob")), unname(whole))
  used <- sub(" <= .*", "", entered(fit)[1])
  expect_error(predict(fit, d$x[, setdiff(colnames(d$x), used)]), class = "transelect_error")
  expect_equal(mean(predict(fit, d$x) != d$y), fit$steps$error[5])
})

test_that("iris by stumps", {
  case <- iris_case()
  fit <- shareboost(stumps(case$x), case$y, rule = "gradient", max_steps = 6)
  # the twin on the matrix of all stumps
  loss <- c(1.861995, 0.889536, 0.242793, 0.147495, 0.140148, 0.116723, 0.106306)
  expect_lt(max(abs(fit$steps$loss - loss)), 5.1e-7)
  expect_match(entered(fit)[1], "Petal")
})

test_that("stumps are refused where there are none", {
  d <- stump_case(22)
  expect_refused(
    stumps(), "x: `x`",
    stumps("x"), "x: `x`",
    stumps(matrix(letters[1:6], 3)), "x: `x`",
    stumps(replace(d$x, 3, NA)), 'x: "x1" `x` 1',
    stumps(matrix(1, 5, 2)), "x: `x`",
    stumps(airquality[2:4]), 'x: "Solar.R" `x` 7',
    shareboost(stumps(d$x), d$y[-1]), "y: `y` 39 `x` 40",
    shareboost(stumps(d$x), d$y, groups = 1:5), "groups: `groups` `x` <stumps>"
  )
})

test_that("a formula with a map among its terms names the right call", {
  parts <- pieces(iris[1:4], centers = as.matrix(iris[1:3, 1:4]), radii = 2)
  made <- transform(iris, stumps = Sepal.Length, parts = Sepal.Width)
  expect_refused(
    shareboost(Species ~ stumps(iris[1:4]), iris), "formula: `formula` `stumps()`",
    shareboost(Species ~ Sepal.Length + transelect::pieces(iris[1:4]), iris), "formula: `formula` `pieces()`",
    greedytl(Sepal.Length ~ parts, iris), "formula: `formula` `parts` <pieces>",
    cv_path(Species ~ parts, iris, fit = shareboost), "formula: `formula` `parts` <pieces>"
  )
  # columns and functions of the same name are what they always were
  fit <- shareboost(Species ~ stumps + parts[, drop = TRUE], made, max_steps = 2)
  expect_setequal(entered(fit), c("stumps", "parts[, drop = TRUE]"))
  pieces <- function(x) x^2
  expect_identical(entered(shareboost(Species ~ pieces(Sepal.Length), iris)),
                   "pieces(Sepal.Length)")
})

test_that("stumps are small and print", {
  big <- with_seed(1, matrix(rnorm(2e4), 2000))
  expect_lt(as.numeric(object.size(stumps(big))), 4 * as.numeric(object.size(big)))
  expect_output(print(stumps(big)), "2000")
})

# Kept stumps have no ridge, and where one side of them is of one class their weights grow for ever.
growing <- function(code) suppressWarnings(code, classes = "transelect_warning_separable")

test_that("stumps are kept by label as by number", {
  d <- draw_classes(8, 3)
  map <- stumps(d$x)
  fit <- shareboost(map, d$y, max_steps = 4)
  labels <- fit$steps$entered[5:4]
  kept <- growing(shareboost(map, d$y, keep = labels, max_steps = 4))
  expect_identical(kept$steps$entered[2:3], labels)
  # the first column's thresholds come first
  expect_identical(
    growing(shareboost(map, d$y, keep = 2, max_steps = 1))$steps$entered[2],
    shareboost_maps_stump_labels(colnames(d$x)[1], mean(sort(unique(d$x[, 1]))[2:3]))
  )
  expect_error(shareboost(map, d$y, keep = "x1 <= 99"), "unknown")
})

test_that("a stump that cannot be kept is named", {
  a <- rep(1:4, 5)
  y <- rep(c("u", "v"), each = 10)
  map <- stumps(cbind(a = a, b = a))
  expect_error(shareboost(map, y, keep = c("a <= 2.5", "a <= 1.5", "b <= 1.5")),
               "names \"b <= 1.5\", which")
  expect_error(shareboost(map, y, keep = c(2, 5)), "names \"b <= 2.5\", which")
})

# Paths of one step on the rows outside a fold, which keep the cut at `low` of column j.
cut_errors <- function(x, y, foldid, j, low) {
  vapply(sort(unique(foldid)), function(k) {
    train <- foldid != k
    side <- cbind(side = (x[, j] <= low) + 0)
    fit <- shareboost(side[train, , drop = FALSE], y[train], max_steps = 1)
    mean(predict(fit, side[!train, , drop = FALSE]) != y[!train])
  }, 0)
}

test_that("folds keep the stump of all rows, by number and by label", {
  x <- as.matrix(iris[1:4])
  y <- iris$Species
  map <- stumps(x)
  foldid <- rep(1:5, 30)
  # folds have fewer thresholds of the columns before
  expected <- cut_errors(x, y, foldid, 3, 1.3)
  for (keep in list(60, "Petal.Length <= 1.35")) {
    cv <- growing(cv_path(map, y, fit = shareboost, keep = keep, max_steps = 1, foldid = foldid))
    expect_identical(cv$fit$steps$entered[2], "Petal.Length <= 1.35")
    expect_equal(unname(cv$fold_loss[, 2]), expected)
  }
})

test_that("a threshold that a fold lacks is that between its neighbours", {
  x <- cbind(a = c(1, 2, 3, 4, 5, 6, 1, 2, 3, 5, 6, 6))
  y <- factor(c("u", "u", "u", "v", "v", "v", "u", "u", "v", "v", "v", "u"))
  foldid <- c(1, 2, 3, 1, 2, 3, 2, 3, 1, 3, 1, 2) # without fold 1 there is no 4
  for (keep in list(4, "a <= 4.5")) {
    cv <- growing(cv_path(stumps(x), y, fit = shareboost, keep = keep, max_steps = 1, foldid = foldid))
    expect_equal(unname(cv$fold_loss[, 2]), cut_errors(x, y, foldid, 1, 4))
  }
})

test_that("a fold whose rows are on one side of a stump leaves it out, and says so", {
  x <- cbind(a = c(1, 2, 2, 2, 2, 2, 2, 2, 3), b = c(5, 1, 2, 3, 4, 6, 7, 8, 9))
  y <- factor(c("u", "u", "v", "u", "v", "v", "u", "v", "v"))
  foldid <- c(1, 2, 3, 1, 2, 3, 2, 3, 1)
  expect_warning(
    cv <- growing(cv_path(stumps(x), y, fit = shareboost, keep = c("a <= 1.5", "b <= 4.5"), max_steps = 2,
                          foldid = foldid)),
    "Fold 1: Stump \"a <= 1.5\" of `keep` is left out", class = "transelect_warning_keep"
  )
  train <- foldid != 1
  fit <- shareboost(stumps(x[train, ]), y[train], keep = "b <= 5", max_steps = 2)
  error <- vapply(predict(fit, x[!train, ], step = 0:2), function(one) mean(one != y[!train]), 0)
  expect_equal(unname(cv$fold_loss[1, ]), unname(error))
})

test_that("rows of weight zero take no part in the numbers of stumps, also in folds", {
  d <- stump_case(24)
  weights <- rep(c(1, 0, 1, 1), 10)
  used <- weights > 0
  foldid <- rep_len(1:3, length(d$y))
  map <- stumps(d$x)
  label <- shareboost(map, d$y, weights = weights, keep = 5, max_steps = 1)$steps$entered[2]
  expect_identical(shareboost(stumps(d$x[used, ]), d$y[used], keep = 5,
                              max_steps = 1)$steps$entered[2], label)
  all <- lapply(list(5, label), function(keep) {
    growing(cv_path(map, d$y, weights = weights, fit = shareboost, keep = keep, max_steps = 2,
                    foldid = foldid))$fold_loss
  })
  part <- growing(cv_path(stumps(d$x[used, ]), d$y[used], fit = shareboost, keep = 5, max_steps = 2,
                          foldid = foldid[used]))$fold_loss
  expect_equal(all, list(part, part))
})

test_that("folds with fewer thresholds than all rows take what they have", {
  x <- cbind(a = c(1, 2, 3, 4, 5, 6, 7, 8), b = c(3, 1, 4, 1, 5, 9, 2, 6))
  y <- rep(c("u", "v"), 4)
  map <- stumps(x)
  cv <- cv_path(map, y, fit = shareboost, max_steps = map$units, foldid = rep(1:4, each = 2))
  expect_identical(nrow(cv$points), max(cv$fit$steps$step) + 1L)
  expect_output(print(map), "13 thresholds")
})

test_that("methods that take columns as they are refuse maps", {
  x <- as.matrix(iris[1:4])
  for (map in list(stumps(x), pieces(x, centers = x[1:3, ], radii = 2))) {
    expect_error(msplit(map, iris$Species), "msplit.*takes no")
    expect_error(tlcp(map, as.integer(iris$Species)), "tlcp.*takes no")
    for (fit in list(msplit, tlcp, greedytl)) {
      expect_error(cv_path(map, as.integer(iris$Species), fit = fit, foldid = rep(1:5, 30)),
                   "takes no")
    }
  }
})

test_that("without a ridge a stump that tells a class apart leaves the other scores their digits", {
  skip_if_not_installed("mlbench")
  store <- new.env()
  utils::data("Satellite", package = "mlbench", envir = store)
  x <- as.matrix(store$Satellite[1:4435, 1:36])
  y <- store$Satellite$classes[1:4435]
  for (rule in c("gradient", "orthogonal")) {
    fit <- suppressWarnings(shareboost(stumps(x), y, ridge = 0, intercept = FALSE, max_steps = 30, rule = rule))
    for (step in c(10, 20, 30)) {
      expect_equal(mean(predict(fit, x, step = step, type = "class") != y), fit$steps$error[step + 1])
    }
  }
})
