# The SQL that moments() sends to Spark: its quotes and types, and nothing but what Spark SQL has.

spark_data <- function() {
  data.frame(`blood pressure` = c(120.5, 131, 118, NA, 140, 125, 133, 128),
             age = c(41L, 55L, 38L, 60L, 66L, 47L, 52L, 49L),
             arm = c("a", "b", "a", "b", "b", "a", "a", "b"), site = rep(c("x", "y"), each = 4),
             part = rep(1:2, 4), y = c(1, 3, 2, 5, 4, 6, 8, 7) / 2, check.names = FALSE)
}

test_that("the queries are Spark's own SQL, and their sums those of R", {
  skip_if_not_installed("RSQLite")
  d <- spark_data()
  con <- spark_connection(d, "visits")
  on.exit(DBI::dbDisconnect(con@behind$con))
  form <- y ~ `blood pressure` + log(age) + arm
  m <- moments(form, data = con, table = "visits", domain = site, fold = part, method = "sql")
  near <- moments(form, data = d, domain = site, fold = part)
  expect_equal(m$cells$n, near$cells$n)
  expect_equal(m$mean, near$mean, ignore_attr = TRUE)
  expect_equal(m$cross, near$cross, ignore_attr = TRUE)
  asked <- con@behind$asked
  expect_false(any(grepl("\"", asked))) # a word in double quotes is a string in Spark
  bare <- gsub("`[^`]*`|'[^']*'", "", asked)
  words <- unique(toupper(unlist(regmatches(bare, gregexpr("[A-Za-z_][A-Za-z_0-9]*", bare)))))
  names_given <- "^(TRANSELECT_.*|[A-Z][0-9]*|[A-Z]+_[0-9]+|WEIGHT)$" # those of this package
  spark <- c("SELECT", "FROM", "WHERE", "AND", "OR", "AS", "IS", "NOT", "NULL", "COUNT", "SUM", "CASE", "WHEN", "THEN",
             "ELSE", "END", "CAST", "DOUBLE", "LN", "LOG", "LIMIT", "GROUP", "BY", "JOIN", "ON", "DISTINCT", "MIN",
             "MAX", "AVG", "ABS", "IN")
  expect_identical(grep(names_given, setdiff(words, spark), value = TRUE, invert = TRUE), character())
  sums <- moments(form, data = con, table = "visits", domain = site, fold = part, method = "sql", sql_only = TRUE)
  expect_true(all(grepl("AS DOUBLE", sums[-1], fixed = TRUE)))
})

test_that("numbers have double precision and texts their quotes and backslashes, with odbc and sparklyr", {
  skip_if_not_installed("RSQLite")
  d <- spark_data()
  levels <- c("a", "it's", "a \"word\"", "C:\\new")
  d$arm <- levels[c(1, 1, 2, 2, 3, 3, 4, 4)]
  d$age <- d$age + 1 / 3
  near <- moments(y ~ age + log(age) + arm, data = d, domain = site)
  for (class in c("Spark SQL", "spark_connection")) {
    con <- spark_connection(d, "visits", class)
    m <- moments(y ~ age + log(age) + arm, data = con, table = "visits", domain = site, method = "sql")
    expect_equal(m$mean, near$mean, ignore_attr = TRUE)
    expect_equal(m$cross, near$cross, ignore_attr = TRUE)
    m <- moments(y ~ age + arm, data = con, table = "visits", domain = site, method = "sql",
                 levels = list(arm = levels))
    expect_equal(m$dropped, 0)
    DBI::dbDisconnect(con@behind$con)
  }
})

# Where dbplyr knows Spark, Hive's dialect has other quotes.
knows_spark <- function() "simulate_spark_sql" %in% getNamespaceExports("dbplyr")

test_that("a lazy table of dbplyr in Spark's dialect is a subquery with a name", {
  skip_if_not_installed("dbplyr")
  skip_if_not_installed("dplyr")
  simulated <- getExportedValue("dbplyr", if (knows_spark()) "simulate_spark_sql" else "simulate_hive")()
  lazy <- dbplyr::lazy_frame(y = 1, age = 2, site = "x", con = simulated)
  lazy <- dplyr::filter(lazy, age > 1)
  db <- moments_database_lazy_table(lazy, list(table = NULL, call = NULL))
  expect_match(db$from, "^\\(SELECT .*\\) transelect_t$")
  expect_match(gsub("\\s+", " ", db$from), "`age` > 1", fixed = TRUE)
  expect_identical(db$names, c("y", "age", "site"))
})

test_that("a lazy table on a connection to Spark is added up there", {
  skip_if_not_installed("RSQLite")
  skip_if_not_installed("dbplyr")
  skip_if_not_installed("dplyr")
  skip_if_not(knows_spark(), "dbplyr is too old to know Spark")
  d <- spark_data()
  con <- spark_connection(d, "visits")
  on.exit(DBI::dbDisconnect(con@behind$con))
  lazy <- dplyr::mutate(dplyr::filter(dplyr::tbl(con, "visits"), age > 40), old = ifelse(age > 50, "yes", "no"))
  m <- moments(y ~ log(age) + old, dplyr::group_by(lazy, site), method = "sql")
  old <- transform(subset(d, age > 40), old = ifelse(age > 50, "yes", "no"))
  near <- moments(y ~ log(age) + old, old, domain = site)
  expect_equal(m$mean, near$mean, ignore_attr = TRUE)
  expect_equal(m$cross, near$cross, ignore_attr = TRUE)
  expect_false(any(grepl("\"", con@behind$asked)))
})
