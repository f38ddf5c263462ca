# Moments from a PostgreSQL server that the tests start themselves.

# Writes d to the table rows_of_test and returns what is in it then (of 15 digits, by this driver).
write_postgres <- function(con, d) {
  DBI::dbWriteTable(con, "rows_of_test", d, row.names = FALSE, overwrite = TRUE)
  fetch_postgres(con, "SELECT * FROM rows_of_test")
}

send_postgres <- function(con, sql) invisible(DBI::dbClearResult(DBI::dbSendQuery(con, sql)))

fetch_postgres <- function(con, sql) {
  result <- DBI::dbSendQuery(con, sql)
  on.exit(DBI::dbClearResult(result))
  DBI::dbFetch(result, n = -1)
}

# The connection can be used, no transaction is open, settings are as they were.
expect_postgres_idle <- function(con) {
  out <- fetch_postgres(con, "SELECT now() = statement_timestamp() AS idle,
                              current_setting('jit') AS jit")
  expect_equal(as.list(out), list(idle = TRUE, jit = "on"))
}

test_that("both ways give what the data frame gives", {
  con <- local_postgres()
  d <- write_postgres(con, draw_table())
  formulas <- list(y ~ ., y ~ a + kind,
                   y ~ log(count + 1) + I(a / 2) + sqrt(abs(b)) + I(count^1.5) + a:b)
  for (f in formulas) {
    expected <- moments(f, d, "site", "f10", "w")
    for (method in c("sql", "stream")) {
      m <- moments(f, con, "site", "f10", "w", table = "rows_of_test", method = method,
                   chunk_rows = 77)
      expect_lt(moments_distance(m, expected), 1e-12)
      expect_equal(m$dropped, expected$dropped)
      expect_equal(m$engine, if (method == "sql") "SQL (PostgreSQL)" else "stream (PostgreSQL)")
    }
  }
  expect_postgres_idle(con)
})

test_that("columns of all types", {
  con <- local_postgres()
  send_postgres(con, "CREATE TEMP TABLE mixed AS
    SELECT i::float8 * 1.5 AS y, i AS whole, 5000000000 + i AS big, (i % 13)::numeric / 7 AS exact,
           (i % 5)::real / 3 AS single, i % 3 = 0 AS flag, chr(97 + i % 3) AS letter,
           6000000000 + i % 2 AS site FROM generate_series(1, 700) i")
  d <- fetch_postgres(con, "SELECT * FROM mixed")
  expect_type(d$flag, "logical")
  expected <- moments(y ~ ., d, "site")
  expect_equal(expected$columns,
               c("whole", "big", "exact", "single", "flagTRUE", "letterb", "letterc"))
  for (method in c("sql", "stream")) {
    m <- moments(y ~ ., con, "site", table = "mixed", method = method, chunk_rows = 100)
    expect_lt(moments_distance(m, expected), 1e-12)
    m <- moments(flag ~ whole + letter, con, table = "mixed", method = method)
    expect_lt(moments_distance(m, moments(flag ~ whole + letter, d)), 1e-12)
    expect_equal(m$classes, c("FALSE", "TRUE"))
  }
  send_postgres(con, "ALTER TABLE mixed ADD day date DEFAULT now()")
  expect_error(moments(y ~ ., con, table = "mixed"), "day", class = "transelect_error_data")
})

test_that("more columns than a result may have", {
  con <- local_postgres()
  p <- 60
  d <- with_seed(4, data.frame(matrix(rnorm(300 * p, 1e6), 300), y = rnorm(300), site = 1:3))
  d[d$site == 2, 1:p] <- d[d$site == 2, 1:p] + 1e6
  d <- write_postgres(con, d)
  expected <- moments(y ~ ., d, "site")
  m <- moments(y ~ ., con, "site", table = "rows_of_test", method = "sql")
  expect_lt(moments_distance(m, expected), 1e-12)
  m <- moments(y ~ ., con, "site", table = "rows_of_test")
  expect_equal(m$engine, "stream (PostgreSQL)")
  expect_lt(moments_distance(m, expected), 1e-12)
})

test_that("schemas, queries and lazy tables", {
  con <- local_postgres()
  d <- draw_table()
  send_postgres(con, "CREATE SCHEMA IF NOT EXISTS shop")
  send_postgres(con, "CREATE TABLE IF NOT EXISTS shop.sales (y float8, a float8, site text)")
  send_postgres(con, "INSERT INTO shop.sales SELECT random(), random(), chr(65 + i % 2)
                      FROM generate_series(1, 50) i")
  expected <- moments(y ~ a, fetch_postgres(con, "SELECT * FROM shop.sales"), "site")
  tables <- list(DBI::Id(schema = "shop", table = "sales"), DBI::SQL("shop.sales"),
                 DBI::SQL("SELECT * FROM shop.sales"))
  for (table in tables) {
    for (method in c("sql", "stream")) {
      m <- moments(y ~ a, con, "site", table = table, method = method)
      expect_lt(moments_distance(m, expected), 1e-12)
    }
  }
  send_postgres(con, "DROP SCHEMA shop CASCADE")
})

test_that("a transaction that is open stays open", {
  con <- local_postgres()
  send_postgres(con, "BEGIN")
  send_postgres(con, "CREATE TEMP TABLE mine AS SELECT random() AS y, random() AS a
                      FROM generate_series(1, 500)")
  d <- fetch_postgres(con, "SELECT * FROM mine")
  for (method in c("sql", "stream")) {
    m <- moments(y ~ a, con, table = "mine", method = method, chunk_rows = 100)
    expect_lt(moments_distance(m, moments(y ~ a, d)), 1e-12)
  }
  expect_equal(nrow(fetch_postgres(con, "SELECT * FROM mine")), 500)
  send_postgres(con, "ROLLBACK")
  expect_error(suppressWarnings(send_postgres(con, "SELECT * FROM mine")), "does not exist")
})

test_that("failing queries name their part and leave the connection as it was", {
  con <- local_postgres()
  send_postgres(con, "CREATE TEMP TABLE holes AS
    SELECT i::float8 AS y, CASE WHEN i = 450 THEN 0 ELSE i END AS a, i AS b
    FROM generate_series(1, 500) i")
  expect_error(moments(y ~ I(1 / a), con, table = "holes", method = "sql"),
               "division by zero", class = "transelect_error_moments")
  expect_error(moments(y ~ I(1 / a), con, table = "holes", method = "stream"), "infinite",
               class = "transelect_error_moments")
  expect_postgres_idle(con)
  expect_error(moments(y ~ a, con, table = "nowhere"), "first rows.*does not exist",
               class = "transelect_error_moments")
  send_postgres(con, "UPDATE holes SET y = 'NaN' WHERE b = 300")
  expect_error(moments(y ~ b, con, table = "holes", method = "sql"), "NaN",
               class = "transelect_error_moments")
  expect_equal(moments(y ~ b, con, table = "holes", method = "stream")$dropped, 1)
  send_postgres(con, "SET statement_timeout = 1")
  expect_error(moments(y ~ b, con, table = DBI::SQL("SELECT *, pg_sleep(.01) FROM holes")),
               "timeout", class = "transelect_error_moments")
  send_postgres(con, "SET statement_timeout = 0")
  expect_postgres_idle(con)
})

# Ends the backend of `con` from another connection.
kill_backend <- function(con) {
  pid <- fetch_postgres(con, "SELECT pg_backend_pid()")[[1]]
  function() {
    other <- connect_postgres()
    on.exit(DBI::dbDisconnect(other))
    fetch_postgres(other, paste0("SELECT pg_terminate_backend(", pid, ")"))
    Sys.sleep(.1)
  }
}

test_that("a connection that is killed while rows are fetched", {
  con <- local_postgres()
  send_postgres(con, "CREATE TABLE IF NOT EXISTS lasting AS
    SELECT i::float8 AS y, i % 17 AS a FROM generate_series(1, 2000) i")
  scope <- new.env(parent = globalenv())
  scope$kill <- kill_backend(con)
  scope$calls <- 0
  scope$watched <- function(v) {
    calls <<- calls + 1
    if (calls == 8) kill()
    v
  }
  environment(scope$watched) <- scope
  f <- y ~ watched(a)
  environment(f) <- scope
  caught <- expect_error(moments(f, con, table = "lasting", chunk_rows = 100),
                         "fetching the rows after row [1-9]", class = "transelect_error_moments")
  expect_match(conditionMessage(caught), "server closed the connection|terminating connection")
  expect_error(moments(y ~ a, con, table = "lasting"), "reading the first rows",
               class = "transelect_error_moments")
  again <- connect_postgres()
  defer_to(environment(), function() DBI::dbDisconnect(again))
  expect_equal(moments(y ~ a, again, table = "lasting")$cells$n, 2000)
})

test_that("a connection that is killed while the database adds up", {
  con <- local_postgres()
  send_postgres(con, "CREATE TABLE IF NOT EXISTS lasting AS
    SELECT i::float8 AS y, i % 17 AS a FROM generate_series(1, 2000) i")
  fatal <- DBI::SQL("SELECT * FROM lasting
                     WHERE y <= 100 OR pg_terminate_backend(pg_backend_pid())")
  expect_error(moments(y ~ a, con, table = fatal, method = "sql"), "counting the rows|adding up",
               class = "transelect_error_moments")
})
