test_that("a matrix gives the moments of the definition", {
  case <- draw_case(3, n = 700, p = 6)
  domain <- rep(c("u", "v", "w"), length.out = 700)
  fold <- rep(1:5, each = 140)
  weights <- rep(c(.5, 0, 2, 1), 175)
  m <- moments(case$x, case$y)
  expect_s3_class(m, "moments")
  expect_equal(m$cells, data.frame(domain = "all", fold = NA_character_, n = 700, weight = 700, log_weight = 0))
  expect_lt(moments_distance(m, naive_moments(case$x, case$y)), 1e-13)
  m <- moments(case$x, case$y, domain, fold, weights)
  expect_equal(nrow(m$cells), 15)
  expect_lt(moments_distance(m, naive_moments(case$x, case$y, domain, fold, weights)), 1e-13)
  expect_equal(colnames(m$mean), c(colnames(case$x), "y"))
  expect_equal(dimnames(m$cross[[2]]), list(colnames(m$mean), colnames(m$mean)))
  expect_true(all(vapply(m$cross, isSymmetric, NA)))
})

test_that("large means cost no digits", {
  x <- with_seed(1, matrix(rnorm(5000 * 3), 5000))
  exact <- naive_moments(x, x[, 1] + x[, 2])
  # adding a power of two to multiples of a power of two is exact
  x <- round(x * 2^20) / 2^20
  y <- x[, 1] + x[, 2]
  expected <- naive_moments(x, y)[[1]]$cross
  for (mean in c(0, 2^20, 2^27)) {
    m <- moments(x + mean, y + mean)
    expect_lt(cross_distance(m$cross[[1]], expected), 1e-13)
    parts <- lapply(split(seq_len(5000), rep(1:7, length.out = 5000)), function(i) {
      moments(x[i, ] + mean, y[i] + mean)
    })
    expect_lt(cross_distance(Reduce(merge, parts)$cross[[1]], expected), 1e-13)
    m <- moments(x + mean, y + mean, fold = rep(1:9, length.out = 5000))
    pooled <- moments_object_total(m)
    expect_equal(pooled$n, 5000)
    expect_lt(cross_distance(pooled$cross, expected), 1e-13)
  }
})

test_that("a constant column has exactly no variance", {
  x <- cbind(a = c(rep(0.1, 2000), rep(1e8 / 3, 2000)), b = seq_len(4000))
  m <- moments(x, x[, 2], domain = rep(c("A", "B"), each = 2000))
  expect_identical(unname(m$cross[[1]]["a", ]), c(0, 0, 0))
  expect_identical(unname(m$cross[[2]]["a", ]), c(0, 0, 0))
  expect_identical(m$mean[, "a"], c(0.1, 1e8 / 3))
})

test_that("sparse matrices and data frames give what the matrix gives", {
  case <- draw_case(5, n = 90, p = 5)
  x <- case$x * (case$x > 0)
  expected <- moments(x, case$y, rep(1:3, 30))
  sparse <- moments(Matrix::Matrix(x, sparse = TRUE), case$y, rep(1:3, 30))
  expect_lt(moments_distance(sparse, expected), 1e-13)
  frame <- moments(data.frame(x), case$y, rep(1:3, 30))
  expect_lt(moments_distance(frame, expected), 1e-13)
  expect_equal(sparse$engine, "sparse matrix")
  unnamed <- moments(unname(x), case$y)
  expect_equal(unnamed$columns, paste0("V", 1:5))
  expect_null(unnamed$blueprint$columns)
  g <- factor(rep(c("p", "q", "r"), 30))
  m <- moments(data.frame(x, g), case$y)
  expected <- moments(stats::model.matrix(~ x + g)[, -1], case$y)
  expect_equal(m$columns[6:7], c("gq", "gr"))
  expect_lt(cross_distance(m$cross[[1]], expected$cross[[1]]), 1e-13)
})

test_that("incomplete rows count nowhere", {
  d <- draw_table()
  x <- as.matrix(d[c("a", "b", "count", "same")])
  m <- moments(x, d$y, d$site, d$f10, d$w)
  expect_equal(m$dropped, sum(!stats::complete.cases(d[c("y", "a", "b", "site", "f10", "w")])))
  expect_lt(moments_distance(m, naive_moments(x, d$y, d$site, d$f10, d$w)), 1e-12)
  expect_error(moments(x[3, , drop = FALSE], 1), class = "transelect_error_moments")
  expect_error(moments(x[0, ], numeric()), class = "transelect_error_moments")
  expect_error(moments(x, d$y, rep(NA, 600)), "no complete row", class = "transelect_error_moments")
})

test_that("a formula codes as lm() would", {
  d <- draw_table(holes = FALSE)
  design <- function(f) {
    x <- stats::model.matrix(f, d)
    x[, colnames(x) != "(Intercept)"]
  }
  for (f in list(y ~ a + kind, y ~ log(count + 1) + I(a^2) + a:b, y ~ kind * count,
                 y ~ poly(count, 2) + kind, y ~ factor(f10) + a - 1)) {
    m <- moments(f, d, domain = "site", weights = "w")
    x <- design(f)
    expect_equal(m$columns, colnames(x))
    expect_lt(moments_distance(m, naive_moments(x, d$y, d$site, NULL, d$w)), 1e-12)
  }
  three <- transform(d, kind = factor(kind, c("red", "never", "blue", "it's")))
  expect_equal(moments(y ~ kind, three)$columns, c("kindblue", "kindit's"))
  expect_equal(moments(y ~ ., three[c("y", "kind")])$columns, c("kindblue", "kindit's"))
  m <- moments(log(y) ~ . - a - same, d, domain = "site", fold = "f10", weights = "w")
  expect_equal(m$columns, c("b", "count", "kindit's", "kindred", "level"))
  expect_equal(m$response, "log(y)")
  expect_true(m$intercept)
  expect_false(moments(y ~ a - 1, d)$intercept)
  expect_false(moments(y ~ . - 1, d)$intercept)
  expect_equal(moments(y ~ . - 1 + log(count + 1), d[1:4])$columns,
               c("a", "b", "count", "log(count + 1)"))
  k <- 3
  expect_equal(moments(y ~ I(a / k), d)$mean[1, 1], c("I(a/k)" = mean(d$a) / 3))
})

test_that("two classes are coded -1 and 1", {
  d <- draw_table(holes = FALSE)
  d$class <- factor(ifelse(d$y > 1e6, "high", "low"))
  m <- moments(class ~ a, d)
  expect_equal(m$classes, c("high", "low"))
  expect_equal(m$mean[[1, 2]], mean(ifelse(d$class == "low", 1, -1)))
  expect_equal(moments(cbind(a = d$a), d$class)$cross[[1]], m$cross[[1]], ignore_attr = TRUE)
  flag <- moments(y > 1e6 ~ a, d)
  expect_equal(flag$classes, c("FALSE", "TRUE"))
  expect_equal(flag$mean[[1, 2]], -m$mean[[1, 2]])
  expect_equal(moments(as.character(class) ~ a, transform(d, class = class))$mean, m$mean,
               ignore_attr = TRUE)
  expect_error(moments(kind ~ a, d), "3 classes.*factor\\(kind\\)", class = "transelect_error_y")
  expect_error(moments(cbind(a = d$a), as.character(d$y)), "as.numeric\\(y\\).*factor\\(y\\)",
               class = "transelect_error_y")
})

test_that("chunks give what the whole gives", {
  d <- draw_table()
  for (f in list(y ~ ., y ~ a + kind, y ~ log(count + 1) + I(a * b) + kind:count)) {
    whole <- moments(f, d, domain = "site", fold = "f10", weights = "w")
    for (rows in c(1, 7, 100, 600)) {
      chunks <- chunk_reader(d, rows)
      m <- moments(f, chunks$read, domain = "site", fold = "f10", weights = "w")
      expect_lt(moments_distance(m, whole), 1e-12)
      expect_equal(m$dropped, whole$dropped)
      expect_equal(chunks$rewound(), 2) # characters: one pass to learn them
    }
  }
  expect_equal(m$engine, "chunks")
})

test_that("levels given or known spare the second pass", {
  d <- draw_table()
  whole <- moments(y ~ ., d, domain = "site")
  chunks <- chunk_reader(d, 50)
  given <- list(kind = c("blue", "it's", "red"))
  m <- moments(y ~ ., chunks$read, domain = "site", levels = given)
  expect_equal(chunks$rewound(), 1)
  expect_lt(moments_distance(m, whole), 1e-12)
  d$kind <- factor(d$kind)
  chunks <- chunk_reader(d, 50)
  m <- moments(y ~ ., chunks$read, domain = "site")
  expect_equal(chunks$rewound(), 1)
  expect_lt(moments_distance(m, whole), 1e-12)
  # numbers as a factor
  m <- moments(y ~ f10, chunk_reader(d, 50)$read, levels = list(f10 = 1:4))
  expect_equal(m$columns, c("f102", "f103", "f104"))
  expect_lt(moments_distance(m, moments(y ~ f10, d, levels = list(f10 = 1:4))), 1e-12)
})

test_that("the first rows may be missing, chunks empty", {
  d <- draw_table(n = 200)
  d$kind[1:60] <- NA
  expected <- moments(y ~ ., d, domain = "site")
  m <- moments(y ~ ., chunk_reader(d, 20)$read, domain = "site")
  expect_lt(moments_distance(m, expected), 1e-12)
  expect_equal(m$dropped, expected$dropped)
  at <- 0
  with_gaps <- function(reset) {
    at <<- if (reset) 0 else at + 1
    switch(at, d[0, ], d[1:100, ], d[0, ], d[101:200, ], NULL)
  }
  expect_lt(moments_distance(moments(y ~ ., with_gaps, domain = "site"), expected), 1e-12)
})

test_that("64-bit integers are numbers", {
  skip_if_not_installed("bit64")
  d <- data.frame(y = c(1, 3, 2, 7, 5), a = c(5e9, 1, 2, 3, 4), site = c(1, 1, 2, 2, 2))
  big <- transform(d, a = bit64::as.integer64(a), site = bit64::as.integer64(site))
  expect_equal(moments(y ~ a, big, domain = "site")$cross, moments(y ~ a, d, domain = "site")$cross)
  big$a[2] <- NA
  d$a[2] <- NA
  expect_equal(moments(y ~ a, chunk_reader(big, 2)$read)$cross, moments(y ~ a, d)$cross)
})

test_that("Arrow data come in batches", {
  skip_if_not_installed("arrow")
  d <- draw_table()
  d$kind <- factor(d$kind)
  folder <- tempfile("arrow")
  on.exit(unlink(folder, recursive = TRUE))
  arrow::write_dataset(d, folder, partitioning = "f10")
  expected <- moments(y ~ a + log(count + 1) + kind, d, "site", weights = "w")
  for (data in list(arrow::open_dataset(folder), arrow::arrow_table(d))) {
    m <- moments(y ~ a + log(count + 1) + kind, data, "site", weights = "w", chunk_rows = 100)
    expect_lt(moments_distance(m, expected), 1e-12)
    expect_equal(m$engine, "arrow")
  }
  reader <- function() arrow::as_record_batch_reader(arrow::arrow_table(d))
  levels <- list(kind = levels(d$kind))
  f <- y ~ a + log(count + 1) + kind
  m <- moments(f, reader(), "site", weights = "w", chunk_rows = 100, levels = levels)
  expect_lt(moments_distance(m, expected), 1e-12)
  expect_error(moments(f, reader(), "site"), "`levels`", class = "transelect_error_moments")
  expect_equal(moments(y ~ a, reader())$cross, moments(y ~ a, d)$cross)
})

test_that("errors say what is wrong with a reader of chunks", {
  d <- draw_table()
  wrong <- function(reader, ..., formula = y ~ a) {
    expect_error(moments(formula, reader, ...), class = "transelect_error")
  }
  at <- 0
  failing <- function(reset) {
    at <<- if (reset) 0 else at + 1
    if (at == 3) stop("the {disk} is full")
    d[1:10, ]
  }
  expect_error(moments(y ~ a, failing), "reading chunk 3", class = "transelect_error_moments")
  expect_error(moments(y ~ a, failing), "the {disk} is full", fixed = TRUE)
  expect_error(moments(y ~ a, function(reset) stop("no")), "first row")
  expect_error(moments(y ~ a, function(reset) 1:3), "a data frame",
               class = "transelect_error_moments")
  expect_error(moments(y ~ a, function(reset) NULL), "no complete row")
  expect_error(moments(y ~ nothing, chunk_reader(d, 9)$read), "nothing",
               class = "transelect_error_data")
  wrong(chunk_reader(d, 9)$read, domain = "nowhere")
  wrong(chunk_reader(d, 9)$read, formula = y ~ poly(count, 2))
  expect_error(moments(y ~ I(a - mean(a)), chunk_reader(d, 99)$read), "all rows at once",
               class = "transelect_error_formula")
  expect_error(moments(scale(y) ~ a, chunk_reader(d, 99)$read), class = "transelect_error")
  expect_error(moments(y ~ factor(count), chunk_reader(d, 99)$read), class = "transelect_error")
  turns <- function(reset) {
    at <<- if (reset) 0 else at + 1
    rows <- d[1:20, ]
    if (at == 2) rows$a <- as.character(rows$a)
    if (at < 3) rows
  }
  expect_error(moments(y ~ a, turns), "later rows", class = "transelect_error_moments")
  novel <- function(reset) {
    at <<- if (reset) 0 else at + 1
    rows <- transform(d[1:20, ], kind = factor(kind))
    if (at == 2) rows$kind <- factor(rep("green", 20))
    if (at < 3) rows
  }
  expect_error(moments(y ~ kind, novel), "green", class = "transelect_error_moments")
  lacking <- function(reset) {
    at <<- if (reset) 0 else at + 1
    if (at == 1) d[1:9, ] else if (at == 2) d[10:20, "y", drop = FALSE]
  }
  expect_error(moments(y ~ a, lacking), "no column", class = "transelect_error_data")
})

test_that("wrong arguments are named", {
  d <- draw_table()
  x <- as.matrix(d[c("a", "b")])
  expect_error(moments(x), class = "transelect_error_y")
  expect_error(moments(x, d$y[-1]), class = "transelect_error_y")
  expect_error(moments(x, d$kind), class = "transelect_error_y")
  expect_error(moments(x, d$y, domain = 1:3), class = "transelect_error_domain")
  expect_error(moments(x, d$y, fold = "f10"), class = "transelect_error_fold")
  expect_error(moments(x, d$y, weights = -seq_len(600)), class = "transelect_error_weights")
  expect_error(moments(x, d$y, weights = "w"), class = "transelect_error_weights")
  expect_error(moments(x, d$y, lambda = 1), class = "transelect_error_argument")
  expect_error(moments(letters, 1:26), class = "transelect_error_x")
  x[7, 2] <- Inf
  expect_error(moments(x, d$y), "infinite", class = "transelect_error_moments")
  x[7, 2] <- 1e300
  expect_error(moments(x, d$y), "too large", class = "transelect_error_moments")
  expect_error(moments(~ a, d), class = "transelect_error_formula")
  expect_error(moments(y ~ a), class = "transelect_error_data")
  expect_error(moments(y ~ a, as.matrix(d$y)), class = "transelect_error_data")
  expect_error(moments(y ~ 1, d), "no predictors", class = "transelect_error_formula")
  nowhere <- 7
  expect_error(moments(nowhere ~ a, d), "nowhere", class = "transelect_error_data")
  expect_error(moments(y ~ a + nowhere, d), class = "transelect_error_formula")
  expect_error(moments(y ~ a, d, domain = d$site[-1]), "a string",
               class = "transelect_error_domain")
  expect_error(moments(y ~ a, d, fold = factor(nobody)), "nobody", class = "transelect_error_fold")
  by <- "site"
  expect_identical(moments(y ~ a, d, domain = by)$cross, moments(y ~ a, d, domain = "site")$cross)
  expect_error(moments(y ~ a, d, domain = "site", fold = "site"), "same column")
  expect_error(moments(y ~ a, d, weights = "kind"), class = "transelect_error_weights")
  expect_error(moments(y ~ a, transform(d, w = -w), weights = "w"), "-0.5|-1|-2",
               class = "transelect_error_weights")
  expect_error(moments(y ~ a, d, method = "fast"), class = "transelect_error_method")
  expect_error(moments(y ~ a, d, method = "sql"), class = "transelect_error_method")
  expect_error(moments(y ~ a, d, table = "d"), class = "transelect_error_table")
  expect_error(moments(y ~ a, d, sql_only = TRUE), class = "transelect_error_sql_only")
  expect_error(moments(y ~ a, d, chunk_rows = 0), class = "transelect_error_chunk_rows")
  expect_error(moments(y ~ a, d, levels = c("a", "b")), class = "transelect_error_levels")
  expect_error(moments(y ~ kind, d, levels = list(kind = "red")), class = "transelect_error_levels")
  expect_error(moments(y ~ kind, d, levels = list(kind = c("red", "blue"))), "it's",
               class = "transelect_error_moments")
  d$day <- as.Date("2026-01-01") + seq_len(600)
  days <- moments(y ~ day, d[!is.na(d$y), ])
  expect_equal(days$cross[[1]][["day", "day"]], 598 * stats::var(seq_len(600)[-103]))
  expect_error(moments(y ~ ., chunk_reader(d, 99)$read), "day", class = "transelect_error_data")
  expect_error(moments(y ~ same + kind, transform(d, kind = "one")), "two levels",
               class = "transelect_error_data")
})

test_that("domains can be taken, merged and pooled", {
  d <- draw_table(holes = FALSE)
  whole <- moments(y ~ a + b + kind, d, domain = "site", fold = "f10")
  expect_equal(unique(whole["B"]$cells$domain), "B")
  expect_equal(whole[c("A", "C")]$cross, whole[c(TRUE, FALSE, TRUE)]$cross)
  expect_equal(whole[2]$mean, whole["B"]$mean)
  expect_error(whole["Z"], "Z", class = "transelect_error_domain")
  expect_error(whole[9], class = "transelect_error_domain")
  expect_error(whole[0], "empty", class = "transelect_error_domain")

  part <- function(i) moments(y ~ a + b + kind, d[i, ], domain = "site", fold = "f10")
  halves <- merge(part(1:250), part(251:600))
  expect_lt(moments_distance(halves, whole), 1e-12)
  by_site <- Reduce(merge, lapply(c("C", "A", "B"), function(s) part(d$site == s)))
  expect_lt(moments_distance(by_site, whole), 1e-12)
  other_order <- moments(y ~ b + kind + a, d[1:250, ], domain = "site", fold = "f10")
  expect_lt(moments_distance(merge(part(251:600), other_order), whole), 1e-12)

  expect_error(merge(whole, d), class = "transelect_error_y")
  expect_error(merge(whole, moments(y ~ a, d, "site", "f10")), "kind", class = "transelect_error_y")
  expect_error(merge(whole, moments(count ~ a + b + kind, d, "site", "f10")), "count",
               class = "transelect_error_y")
  expect_error(merge(whole, moments(y ~ a + b + kind, d, "site")), "folds",
               class = "transelect_error_y")
})

test_that("leaving folds out is the same as never having had them", {
  d <- draw_table(holes = FALSE)
  m <- moments(y ~ a + b + kind, d, domain = "site", fold = "f10")
  direct <- function(i) moments(y ~ a + b + kind, d[i, ], domain = "site")
  for (fold in list(1, "3", c(2, 4))) {
    left <- direct(!d$f10 %in% fold)
    pooled <- moments_object_domains(moments_object_cells(m, which(!m$cells$fold %in% fold)))
    expect_named(pooled, c("A", "B", "C"))
    for (k in 1:3) {
      expect_equal(pooled[[k]]$n, left$cells$n[k])
      expect_equal(pooled[[k]]$mean, left$mean[k, ], tolerance = 1e-15)
      expect_lt(cross_distance(pooled[[k]]$cross, left$cross[[k]]), 1e-12)
    }
  }
  two <- moments_object_total(m, which(m$cells$domain %in% c("A", "B") & m$cells$fold != 2))
  expected <- naive_moments(stats::model.matrix(~ a + b + kind, d)[, -1], d$y,
                            ifelse(d$site == "C" | d$f10 == 2, NA, "both"))
  expect_lt(cross_distance(two$cross, expected[[1]]$cross), 1e-12)
})

test_that("as.list gives the usual blocks", {
  d <- draw_table(holes = FALSE)
  out <- as.list(moments(y ~ a + count, d, domain = "site", fold = "f10"))
  expect_named(out, paste0(rep(c("A", "B", "C"), each = 4), "/", 1:4))
  i <- d$site == "B" & d$f10 == 3
  cell <- out[["B/3"]]
  expect_equal(cell[c("domain", "fold", "n")], list(domain = "B", fold = "3", n = sum(i)))
  expect_equal(cell$xx, stats::cov(d[i, c("a", "count")]) * (sum(i) - 1))
  expect_equal(cell$xy, stats::cov(d[i, c("a", "count")], d$y[i])[, 1] * (sum(i) - 1))
  expect_equal(cell$yy, stats::var(d$y[i]) * (sum(i) - 1))
  expect_equal(cell$mean_y, mean(d$y[i]))
  expect_named(as.list(moments(y ~ a, d, domain = "site")), c("A", "B", "C"))
})

test_that("cells are in order, whole numbers without exponents", {
  x <- matrix(rnorm(36), 12)
  m <- moments(x, x[, 1], domain = rep(c(100000, 9, 20), 4), fold = rep(c(10, 2), each = 6))
  expect_equal(m$cells$domain, rep(c("9", "20", "100000"), each = 2))
  expect_equal(m$cells$fold, rep(c("2", "10"), 3))
})

test_that("print() names the engine, and what it has added up", {
  d <- draw_table()
  m <- moments(y ~ a + kind, d, domain = "site", fold = "f10")
  m$seconds <- 0.5
  expect_snapshot(print(m))
  m <- moments(y > 1e6 ~ a, d)
  m$seconds <- 12.3456
  expect_snapshot(print(m))
})

test_that("the blueprint codes new data by name", {
  d <- draw_table(holes = FALSE)
  new <- d[c("kind", "count", "a")][5:1, ]
  for (m in list(moments(y ~ a + count + kind, chunk_reader(d, 99)$read),
                 moments(y ~ ., chunk_reader(d[c("y", "a", "count", "kind")], 99)$read))) {
    x <- frame_bake(m$blueprint, new, rlang::current_env())
    expect_equal(colnames(x), c("a", "count", "kindit's", "kindred"))
    expect_equal(unname(x), unname(stats::model.matrix(~ a + count + kind, d)[5:1, -1]))
    novel <- transform(new, kind = "green")
    expect_error(frame_bake(m$blueprint, novel, rlang::current_env()), "green")
  }
})

test_that("the entry refuses what it cannot take", {
  x <- matrix(c(1, 2, 4, 3), 4)
  y <- c(1, 0, 2, 5)
  call <- function(..., entry = C_moments) {
    given <- utils::modifyList(list(x = x, y = y, cell = rep(0L, 4), n = 1L, w = NULL), list(...), keep.null = TRUE)
    .Call(entry, list(given$x, given$y), given$cell, given$n, given$w)
  }
  out <- call()
  expect_equal(out$status, 0L)
  expect_equal(out$cells[[1]]$cross, unname(stats::cov(cbind(x, y)) * 3))
  expect_error(call(x = 1:4), "'columns' must be a double matrix")
  expect_error(call(x = x[0, , drop = FALSE]), "at least one row")
  expect_error(call(y = y[-1]), "matrices of 4 and 3 rows")
  expect_error(call(cell = rep(0, 4)), "'cell' must be of type integer")
  expect_error(call(cell = c(0L, 1L, 0L, 0L)), "'cell' \\[1\\] is out of range")
  expect_error(call(cell = c(0L, NA, 0L, 0L)), "out of range")
  expect_error(call(n = 5L), "'n_cells'")
  expect_error(call(w = c(1, 1, 1, -1)), "'weights' must be finite and not negative")
  expect_equal(call(cell = rep(-1L, 4))$dropped, 4)
  expect_equal(call(w = c(NA, 0, 1, 1))[c("dropped", "n")], list(dropped = 1, n = 2))
  expect_equal(call(y = c(1, NaN, NA, 2))$dropped, 2)
  expect_equal(call(y = c(1, Inf, 3, 2))[c("status", "bad")], list(status = c(not_finite = 1L), bad = 2))
  expect_error(.Call(C_moments, x, rep(0L, 4), 1L, NULL), "list of matrices")
  expect_error(call(x = matrix(0, 4, 0), y = matrix(0, 4, 0)), "no columns")
  expect_error(call(x = matrix(0, 1, 32768), y = 1, cell = 0L), "more than 32768 columns")
  three <- call(x = cbind(x, y), y = cbind(y, x))$cells[[1]]
  expect_equal(three$cross, unname(stats::cov(cbind(x, y, y, x)) * 3))
  none <- call(x = matrix(0, 4, 0))
  expect_equal(none$cells[[1]]$cross, matrix(stats::var(y) * 3))
})

test_that("text in other encodings, and text from files, which has no mark of its own, is the same text", {
  skip_if_not(l10n_info()$`UTF-8`)
  d <- with_seed(2, data.frame(x = rnorm(60), f = rep(c("\u00fc", "b", "c"), 20),
                               site = rep(c("M\u00fcnchen", "Bonn", "K\u00f6ln"), each = 20)))
  d$y <- d$x + with_seed(3, rnorm(60))
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  write.csv(d, file, row.names = FALSE, fileEncoding = "UTF-8")
  read <- read.csv(file)
  latin1 <- d
  latin1[c("f", "site")] <- lapply(d[c("f", "site")], iconv, "UTF-8", "latin1")
  m <- moments(y ~ x + f, d, domain = site)
  for (other in list(read, latin1, transform(latin1, site = factor(site), f = factor(f)))) {
    got <- moments(y ~ x + f, other, domain = site)
    expect_equal(got$cells, m$cells)
    expect_equal(got$cross, m$cross)
    expect_equal(moments(as.matrix(other["x"]), other$y, domain = other$site)$cells$domain, m$cells$domain)
    expect_equal(merge(m, got)$cells$n, 2 * m$cells$n)
    write.csv(as.data.frame(got), file, row.names = FALSE, fileEncoding = "UTF-8")
    expect_equal(moments(read.csv(file))$cross, m$cross, tolerance = 1e-12)
    expect_equal(coef(tlcp(moments(read.csv(file)), target = "K\u00f6ln")),
                 coef(tlcp(y ~ x + f, d, domain = site, target = "K\u00f6ln")), tolerance = 1e-8)
  }
})
