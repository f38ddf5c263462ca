# Moments from SQLite, by its own sums and by fetching rows.

# A database in a file with draw_table() and more in it; gone when the test ends.
local_sqlite <- function(..., env = parent.frame()) {
  skip_if_not_installed("RSQLite")
  file <- tempfile(fileext = ".sqlite")
  con <- DBI::dbConnect(RSQLite::SQLite(), file)
  defer_to(env, function() {
    if (DBI::dbIsValid(con)) DBI::dbDisconnect(con)
    unlink(file)
  })
  tables <- list(...)
  for (name in names(tables)) DBI::dbWriteTable(con, name, tables[[name]])
  con
}

# Are there open results?
expect_cleared <- function(con) {
  expect_no_warning_at_all(DBI::dbGetQuery(con, "SELECT 1"))
}

expect_no_warning_at_all <- function(code) expect_warning(code, regexp = NA)

test_that("a chunk of more rows than there are costs no memory for them", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "cars", mtcars[1:24, ])
  asked <- moments_stream_chunk_rows(list(chunk_rows = .Machine$integer.max), 3)
  expect_lte(asked * 3, 1e7)
  expect_identical(moments_stream_chunk_rows(list(chunk_rows = 77), 3), 77)
  m <- moments(mpg ~ wt, con, table = "cars", method = "stream", chunk_rows = .Machine$integer.max)
  expect_equal(m$mean, moments(mpg ~ wt, mtcars[1:24, ])$mean)
})

test_that("both ways give what the data frame gives", {
  d <- draw_table()
  con <- local_sqlite(sales = d)
  formulas <- list(y ~ ., y ~ a + kind,
                   y ~ log(count + 1) + I(b / 2 - 1) + sqrt(abs(a)) + I(count^2),
                   y ~ a:b + exp(-count) + I(count^1.5) - 1, log(y) ~ b)
  for (f in formulas) {
    expected <- moments(f, d, domain = "site", fold = "f10", weights = "w")
    for (method in c("sql", "stream")) {
      m <- moments(f, con, "site", "f10", "w", table = "sales", method = method, chunk_rows = 77)
      expect_lt(moments_distance(m, expected), 1e-12)
      expect_equal(m$dropped, expected$dropped)
      expect_equal(m$engine, if (method == "sql") "SQL (SQLite)" else "stream (SQLite)")
      for (part in c("response", "intercept", "formula")) {
        expect_equal(m[[part]], expected[[part]])
      }
    }
  }
  expect_lt(moments_distance(moments(y ~ ., con, table = "sales"), moments(y ~ ., d)), 1e-12)
  expect_cleared(con)
})

test_that("large means, far domains and constants cost no digits", {
  x <- with_seed(2, matrix(rnorm(3000 * 3), 3000))
  x <- round(x * 2^20) / 2^20
  site <- rep(c("near", "far", "other"), 1000)
  expected <- naive_moments(x, x[, 1] - x[, 2], site)
  for (base in c(2^20, 2^27)) {
    d <- data.frame(x + base, y = x[, 1] - x[, 2], site, place = base / (1 + match(site, "far", 0)))
    d[site == "far", 1:3] <- d[site == "far", 1:3] - 2 * base
    con <- local_sqlite(t = d)
    for (method in c("sql", "stream")) {
      m <- moments(y ~ ., con, "site", table = "t", method = method)
      for (k in names(expected)) {
        i <- which(paste0(m$cells$domain, "/") == k)
        cross <- m$cross[[i]]
        expect_identical(unname(cross["place", ]), rep(0, 5))
        expect_lt(cross_distance(cross[-4, -4], expected[[k]]$cross), 1e-12)
      }
    }
  }
})

test_that("weights of any size", {
  d <- draw_table(holes = FALSE)
  con <- local_sqlite(t = transform(d, w = w * 1e-30), u = transform(d, w = w * 1e30))
  expected <- moments(y ~ a + b + count, d, "site", weights = "w")
  for (method in c("sql", "stream")) {
    for (k in c(t = -30, u = 30)) {
      m <- moments(y ~ a + b + count, con, "site", weights = "w", table = c("t", "u")[1 + (k > 0)],
                   method = method)
      expect_lt(cross_distance(m$cross[[2]] / 10^k, expected$cross[[2]]), 1e-12)
      expect_equal(m$cells$weight / 10^k, expected$cells$weight)
      expect_equal(m$cells$log_weight - k * log(10) * m$cells$n, expected$cells$log_weight)
    }
  }
})

test_that("rows with NULL anywhere count nowhere, also when whole columns are NULL at first", {
  d <- draw_table(n = 400)
  d$kind[1:200] <- NA
  d$count[201:230] <- NA
  con <- local_sqlite(t = d)
  expected <- moments(y ~ ., d, "site", "f10", "w")
  for (method in c("sql", "stream")) {
    m <- moments(y ~ ., con, "site", "f10", "w", method, chunk_rows = 50, table = "t")
    expect_lt(moments_distance(m, expected), 1e-12)
    expect_equal(m$dropped, expected$dropped)
  }
  DBI::dbExecute(con, "UPDATE t SET a = NULL")
  expect_error(moments(y ~ a, con, table = "t"), "no complete row among 400",
               class = "transelect_error_moments")
  DBI::dbExecute(con, "DELETE FROM t")
  expect_error(moments(y ~ b, con, table = "t"), "no complete row",
               class = "transelect_error_moments")
})

test_that("integers of any size, logicals and dates", {
  con <- local_sqlite()
  DBI::dbExecute(con, "CREATE TABLE t (y REAL, id BIGINT, small INTEGER, site BIGINT)")
  DBI::dbExecute(con, "WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 500)
    INSERT INTO t SELECT i % 7, CASE WHEN i > 300 THEN 5000000000 + i ELSE i END, i % 11,
                         6000000000 + i % 2 FROM s")
  i <- 1:500
  d <- data.frame(y = i %% 7, id = i + 5e9 * (i > 300), small = i %% 11, site = 6e9 + i %% 2)
  expected <- moments(y ~ id + I(small / 2), d, "site")
  expect_equal(expected$cells$domain, c("6000000000", "6000000001"))
  for (method in c("sql", "stream")) {
    m <- moments(y ~ id + I(small / 2), con, "site", table = "t", method = method, chunk_rows = 60)
    expect_lt(moments_distance(m, expected), 1e-12)
  }
})

test_that("factors: levels found or given, numbers as factors, classes", {
  d <- draw_table()
  d$code <- sample(c(10L, 20L, 35L), 600, TRUE)
  d$class <- ifelse(d$count > 4, "many", "few")
  con <- local_sqlite(t = d)
  levels <- list(kind = c("red", "blue", "it's"), code = c(35, 10, 20))
  frame <- transform(d, kind = factor(kind, levels$kind), code = factor(code, levels$code))
  expected <- moments(class ~ a + kind + code, frame, "site")
  expect_equal(expected$classes, c("few", "many"))
  expect_equal(expected$columns, c("a", "kindblue", "kindit's", "code10", "code20"))
  for (method in c("sql", "stream")) {
    m <- moments(class ~ a + kind + code, con, "site", table = "t", method = method,
                 levels = levels)
    expect_lt(moments_distance(m, expected), 1e-12)
    expect_equal(m$classes, c("few", "many"))
    few <- list(kind = c("red", "blue"))
    expect_error(moments(y ~ kind, con, table = "t", method = method, levels = few), "kind",
                 class = "transelect_error_moments")
    expect_error(moments(kind ~ a, con, table = "t", method = method), "3 classes",
                 class = "transelect_error_y")
  }
  old <- options(contrasts = c("contr.sum", "contr.poly"))
  on.exit(options(old), add = TRUE)
  expected <- moments(y ~ kind, d, "site")
  m <- moments(y ~ kind, con, "site", table = "t", method = "sql")
  expect_lt(moments_distance(m, expected), 1e-12)
  x <- frame_bake(m$blueprint, data.frame(kind = c("red", "blue")), rlang::current_env())
  expect_equal(unname(x), rbind(c(-1, -1), c(1, 0)))
})

test_that("names may be anything", {
  d <- stats::setNames(draw_table()[1:4], c("select", "a \"b\"", "x`y", "group by"))
  d$"from" <- rep(c("it's", "b;--"), 300)
  con <- local_sqlite("my table" = d)
  expected <- moments(select ~ ., d, domain = "from")
  for (method in c("sql", "stream")) {
    m <- moments(select ~ ., con, domain = "from", table = "my table", method = method)
    expect_lt(moments_distance(m, expected), 1e-12)
    m <- moments(select ~ `x\`y` + log(`group by` + 1), con, table = "my table", method = method)
    expect_lt(moments_distance(m, moments(select ~ `x\`y` + log(`group by` + 1), d)), 1e-12)
  }
})

test_that("more products than a query may return are asked for in parts", {
  p <- 70
  d <- with_seed(4, data.frame(matrix(rnorm(300 * p, 5), 300), y = rnorm(300), site = 1:3))
  con <- local_sqlite(t = d)
  sql <- moments(y ~ ., con, "site", table = "t", method = "sql", sql_only = TRUE)
  expect_named(sql, c("count", "sums1", "sums2"))
  returned <- lengths(gregexpr("SUM(", sql[-1], fixed = TRUE))
  expect_true(all(returned <= 1500))
  expect_equal(sum(returned), (p + 1) * (p + 4) / 2)
  expected <- moments(y ~ ., d, "site")
  m <- moments(y ~ ., con, "site", table = "t", method = "sql")
  expect_lt(moments_distance(m, expected), 1e-12)
  # the shift of all columns is far from their mean in a cell: the sums are queried again, in smaller parts
  d[d$site == 2, 1:p] <- d[d$site == 2, 1:p] + 1000
  DBI::dbWriteTable(con, "far", d)
  m <- moments(y ~ ., con, "site", table = "far", method = "sql")
  expect_lt(moments_distance(m, moments(y ~ ., d, "site")), 1e-12)
})

test_that("very many columns meet no limit of the parser", {
  skip_on_cran()
  p <- 1200
  d <- with_seed(4, data.frame(matrix(rnorm(4 * p), 4), y = rnorm(4)))
  con <- local_sqlite(t = d)
  m <- moments(y ~ ., con, table = "t")
  expect_equal(m$engine, "stream (SQLite)")
  expect_lt(moments_distance(m, moments(y ~ ., d)), 1e-12)
  sql <- moments(y ~ ., con, table = "t", method = "sql", sql_only = TRUE)
  for (k in c(1, 2, 3, length(sql))) expect_equal(nrow(DBI::dbGetQuery(con, sql[[k]])), 1)
})

test_that("auto chooses by columns and by what can be said in SQL", {
  d <- with_seed(1, data.frame(matrix(rnorm(100 * 30), 100), y = rnorm(100)))
  d$g <- rep(c("a", "b"), 50)
  d$positive <- abs(d$X1)
  con <- local_sqlite(t = d)
  engine <- function(f, ...) moments(f, con, table = "t", ...)$engine
  expect_match(engine(y ~ X1 + log(positive)), "SQL")
  expect_match(engine(stats::reformulate(paste0("X", 1:10), "y")), "SQL")
  expect_match(engine(stats::reformulate(paste0("X", 1:11), "y")), "stream")
  expect_match(engine(y ~ X1 + sin(X2)), "stream")
  expect_match(engine(y ~ X1 * g), "stream")
  expect_match(engine(y > 0 ~ X1), "stream")
  expect_error(engine(y ~ X1 + sin(X2), method = "sql"), "sin", class = "transelect_error_formula")
  expect_error(engine(y ~ X1 * g, method = "sql"), "factor", class = "transelect_error_formula")
  # a function of one's own that has the name of one of SQL's
  f <- y ~ log(positive)
  environment(f) <- new.env(parent = globalenv())
  assign("log", function(x) -x, environment(f))
  environment(environment(f)$log) <- environment(f)
  expect_match(engine(f), "stream")
  expect_error(engine(f, method = "sql"), "not R's", class = "transelect_error_formula")
})

test_that("logarithms of 0 and below are missing", {
  d <- with_seed(1, data.frame(y = rnorm(300), x = rnorm(300)))
  con <- local_sqlite(t = d, later = d[order(-d$x), ])
  m <- suppressWarnings(moments(y ~ log(x), con, table = "t"))
  expect_equal(m$dropped, sum(d$x < 0))
  expect_equal(m$mean[[1]], mean(log(d$x[d$x > 0])))
  # this database refuses such logarithms, which the first rows do not tell
  expect_error(moments(y ~ log(x), con, table = "later"), "stream",
               class = "transelect_error_moments")
  m <- suppressWarnings(moments(y ~ log(x), con, table = "later", method = "stream"))
  expect_equal(m$mean[[1]], mean(log(d$x[d$x > 0])))
  # and 1 / 0 is NULL in it, which is missing
  DBI::dbExecute(con, "UPDATE later SET x = 0 WHERE rowid > 290")
  m <- moments(y ~ I(1 / x), con, table = "later", method = "sql")
  expect_equal(m$dropped, 10)
})

test_that("tables come by name, Id, query or from dbplyr", {
  d <- draw_table()
  con <- local_sqlite(t = d)
  expected <- moments(y ~ a, d, "site")
  expect_lt(moments_distance(moments(y ~ a, con, "site", table = DBI::Id(table = "t")), expected),
            1e-12)
  few <- moments(y ~ a, con, "site", table = DBI::SQL("SELECT * FROM t WHERE site <> 'B'"))
  expect_lt(moments_distance(few, expected[c("A", "C")]), 1e-12)
  skip_if_not_installed("dbplyr")
  skip_if_not_installed("dplyr")
  t <- dplyr::tbl(con, "t")
  for (method in c("sql", "stream")) {
    expect_lt(moments_distance(moments(y ~ a, t, "site", method = method), expected), 1e-12)
    grouped <- moments(y ~ a, dplyr::group_by(t, site), method = method)
    expect_lt(moments_distance(grouped, expected), 1e-12)
  }
  doubled <- dplyr::mutate(dplyr::filter(t, site == "A"), a = 2 * a)
  m <- moments(y ~ a, doubled, "site")
  expect_equal(m$mean[[1, 1]], 2 * expected$mean[[1, 1]])
  expect_error(moments(y ~ a, dplyr::group_by(t, site, f10)), class = "transelect_error_domain")
  expect_error(moments(y ~ a, t, table = "t"), class = "transelect_error_table")
})

test_that("failures name the query and leave nothing open", {
  d <- draw_table()
  con <- local_sqlite(t = d)
  expect_error(moments(y ~ a, con), class = "transelect_error_table")
  expect_error(moments(y ~ a, con, table = 7), class = "transelect_error_table")
  expect_error(moments(y ~ a, con, table = "u"), "reading the first rows.*no such table",
               class = "transelect_error_moments")
  expect_error(moments(y ~ nothing, con, table = "t"), "nothing", class = "transelect_error_data")
  expect_error(moments(y ~ a, con, "nowhere", table = "t"), class = "transelect_error_data")
  expect_error(moments(y ~ a, con, weights = "kind", table = "t"), class = "transelect_error")
  d$w <- -d$w
  DBI::dbWriteTable(con, "negative", d)
  for (method in c("sql", "stream")) {
    expect_error(moments(y ~ a, con, weights = "w", table = "negative", method = method),
                 "-2|-1|-0.5", class = "transelect_error_weights")
  }
  # text among numbers, behind the first rows
  DBI::dbExecute(con, "UPDATE t SET a = 'unknown' WHERE rowid = 500")
  expect_error(moments(y ~ a, con, table = "t", method = "sql"), "\"a\" has text",
               class = "transelect_error_moments")
  expect_error(moments(y ~ a, con, table = "t", method = "stream", chunk_rows = 100),
               class = "transelect_error_moments")
  # an infinite value
  DBI::dbExecute(con, "UPDATE t SET a = 9e999 WHERE rowid = 500")
  for (method in c("sql", "stream")) {
    expect_error(moments(y ~ a, con, table = "t", method = method), "\"a\" has.*infinite",
                 class = "transelect_error_moments")
  }
  # a table that is different in every query: in so many queries some number of rows differs
  DBI::dbExecute(con, "CREATE VIEW shifting AS SELECT * FROM t WHERE rowid <> 500 AND random() > 0")
  f <- stats::reformulate(sprintf("I(count + %d)", 1:150), "y")
  expect_error(moments(f, con, table = "shifting", method = "sql"), "changed between",
               class = "transelect_error_moments")
  ids <- data.frame(y = 1:1500, name = paste0("n", 1:1500), g = "one")
  DBI::dbWriteTable(con, "ids", ids)
  expect_error(moments(y ~ name, con, table = "ids"), "more than 1000",
               class = "transelect_error_moments")
  expect_error(moments(y ~ g, con, table = "ids"), "two levels", class = "transelect_error_data")
  expect_cleared(con)

  other <- local_sqlite(t = d)
  DBI::dbDisconnect(other)
  expect_error(moments(y ~ a, other, table = "t"), "first rows", class = "transelect_error_moments")
})

test_that("a failure half-way clears the result", {
  d <- draw_table(holes = FALSE)
  con <- local_sqlite(t = d)
  count <- new.env(parent = globalenv())
  count$calls <- 0
  tired <- function(v) {
    calls <<- calls + 1
    if (calls > 6) stop("enough")
    v
  }
  environment(tired) <- count
  expect_error(moments(y ~ tired(a), con, table = "t", chunk_rows = 50), "enough",
               class = "transelect_error")
  expect_equal(count$calls, 7)
  expect_cleared(con)
})

test_that("the queries can be seen", {
  con <- local_sqlite(t = data.frame(y = c(1, 2, 4), a = c(3, 5, 8), site = c("u", "v", "u")))
  sql <- moments(y ~ a, con, domain = "site", table = "t", sql_only = TRUE)
  expect_snapshot(writeLines(sql))
  expect_equal(moments(y ~ a, con, table = "t", method = "stream", sql_only = TRUE),
               c(rows = "SELECT `y`, `a` FROM `t`"))
})

test_that("DuckDB adds up and gives rows", {
  skip_if_not_installed("duckdb")
  d <- draw_table()
  con <- DBI::dbConnect(duckdb::duckdb())
  on.exit(DBI::dbDisconnect(con, shutdown = TRUE))
  DBI::dbWriteTable(con, "t", d)
  for (f in list(y ~ ., y ~ a + log(count + 1) + I(b / 2) + kind)) {
    expected <- moments(f, d, "site", "f10", "w")
    for (method in c("auto", "sql", "stream")) {
      m <- moments(f, con, "site", "f10", "w", method, chunk_rows = 77, table = "t")
      expect_lt(moments_distance(m, expected), 1e-12)
      expect_match(m$engine, if (method == "stream") "stream" else "SQL")
    }
  }
  lazy <- dplyr::mutate(dplyr::filter(dplyr::tbl(con, "t"), a > 0), double = 2 * a)
  m <- moments(y ~ double + b, lazy, domain = "site")
  expect_lt(moments_distance(m, moments(y ~ double + b, transform(subset(d, a > 0), double = 2 * a), "site")), 1e-12)
  expect_match(m$engine, "SQL")
})

test_that("columns that cannot be squared are refused as they are in rows, however they come", {
  d <- with_seed(3, data.frame(a = rnorm(24), b = rnorm(24), y = rnorm(24), site = rep(1:3, 8)))
  test <- environment()
  ways <- function(d) {
    con <- local_sqlite(t = d, env = test)
    list(
      frame = function() moments(y ~ a + b, d, domain = "site"),
      chunks = function() moments(y ~ a + b, chunk_reader(d, 7)$read, domain = "site"),
      stream = function() moments(y ~ a + b, con, "site", table = "t", method = "stream"),
      sql = function() moments(y ~ a + b, con, "site", table = "t", method = "sql")
    )
  }
  cases <- list(list("y", 1e-170, "small"), list("a", 1e-165, "small"), list("y", 1e150, "large"))
  for (case in cases) {
    spoilt <- d
    spoilt[[case[[1]]]] <- spoilt[[case[[1]]]] * case[[2]]
    said <- paste0("\"", case[[1]], "\" has values too ", case[[3]], " to be squared")
    for (way in ways(spoilt)) expect_error(way(), said, class = "transelect_error_moments")
    expect_error(moments(as.matrix(spoilt[1:2]), spoilt$y), paste("too", case[[3]], "to be squared"),
                 class = paste0("transelect_error_", if (case[[1]] == "y") "y" else "x"))
  }
  # columns that are constant, or of ordinary size in some rows, are not refused
  d$a <- 0
  d$b[1:12] <- d$b[1:12] * 1e-165
  for (way in ways(d)) expect_equal(unname(way()$mean[, "a"]), c(0, 0, 0))
})

test_that("a database without logarithms leaves out what they add to likelihoods, and no more", {
  skip_if_not_installed("RSQLite")
  d <- transform(mtcars, w = rep(1:2, 16))
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:", loadable.extensions = FALSE)
  on.exit(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "t", d)
  m <- moments(mpg ~ wt + hp, con, table = "t", domain = "gear", weights = "w", method = "sql")
  expect_identical(m$cells$log_weight, rep(NA_real_, 3))
  expect_error(AIC(greedytl(m)), "product of the weights of the rows", class = "transelect_error_moments")
  expect_equal(coef(greedytl(m)), coef(greedytl(mpg ~ wt + hp, d, weights = w)))
  plain <- moments(mpg ~ wt + hp, con, table = "t", method = "sql")
  expect_equal(AIC(greedytl(plain)), AIC(greedytl(mpg ~ wt + hp, d)))
})

test_that("a table given as SQL() may have comments and end in a semicolon", {
  con <- local_sqlite(cars = mtcars)
  want <- moments(mpg ~ wt, mtcars)$cross
  for (sql in c("SELECT * FROM cars -- all of them", "-- all\n SELECT * FROM cars;",
                "/* a */ select * from cars /* b */",
                "cars -- the table", "WITH a AS (SELECT * FROM cars) SELECT * FROM a ; ",
                "select * from cars; -- end", "select * from cars where '--;' = '--;' /* ; */ ;\n-- it's all")) {
    for (method in c("sql", "stream")) {
      expect_equal(moments(mpg ~ wt, con, table = DBI::SQL(sql), method = method)$cross, want)
    }
  }
  expect_message(m <- moments(mpg ~ mpg + wt, con, table = "cars"), class = "transelect_message_response")
  expect_equal(m$cross, want)
  expect_error(moments(mpg ~ mpg * wt, con, table = "cars"), class = "transelect_error_formula")
})
