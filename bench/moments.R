# The benchmark of moments(), from the project root:
#   Rscript bench/moments.R [full] [size] [columns] [numbers] [folds]      (default: all parts, 1e6 rows;
#   full: 1e7)
# Each part replaces its section of bench/RESULTS.md. SQLite needs RSQLite; PostgreSQL needs
# its server and RPostgreSQL, and is left out where they are not.
source("bench/common.R")
source("tests/testthat/helper-postgres.R")

# ---- tables -----------------------------------------------------------------------------------

# Columns a1, a2, ... of mean 1e6 and standard deviation 1, a response, 3 sites and 10 folds.
draw_rows <- function(n, p) {
  x <- matrix(stats::rnorm(n * p, 1e6), n, dimnames = list(NULL, paste0("a", seq_len(p))))
  data.frame(x, y = x[, 1] - x[, 2] + stats::rnorm(n), site = sample(c("A", "B", "C"), n, TRUE),
             f10 = sample.int(10, n, TRUE))
}

# A new SQLite file with n such rows.
sqlite_file <- function(n, p) {
  file <- tempfile(fileext = ".sqlite")
  con <- DBI::dbConnect(RSQLite::SQLite(), file, synchronous = "off")
  on.exit(DBI::dbDisconnect(con))
  for (from in seq(1, n, by = 1e5)) {
    rows <- draw_rows(min(1e5, n - from + 1), p)
    DBI::dbWriteTable(con, "rows", rows, append = from > 1)
  }
  file
}

# The same in PostgreSQL, made there. Uniform columns, of standard deviation 1.
postgres_table <- function(n, p) {
  con <- connect_postgres()
  on.exit(DBI::dbDisconnect(con))
  run <- function(sql) DBI::dbClearResult(DBI::dbSendQuery(con, sql))
  columns <- paste(sprintf("1e6 + random() * 3.4641 AS a%d", seq_len(p)), collapse = ", ")
  run("SET client_min_messages = warning")
  run("DROP TABLE IF EXISTS rows_of_bench")
  run(sprintf("CREATE UNLOGGED TABLE rows_of_bench AS SELECT %s, random() AS y,
               chr(65 + (i %% 3)::int) AS site, (i %% 10)::int AS f10
               FROM generate_series(1, %.0f) i", columns, n))
  run("ANALYZE rows_of_bench")
}

# Lines of R that connect to a table `rows`.
connect_code <- function(kind, file = NULL) {
  if (kind == "SQLite") {
    return(c(sprintf("con <- DBI::dbConnect(RSQLite::SQLite(), '%s')", file), "table <- 'rows'"))
  }
  c(sprintf("con <- DBI::dbConnect(RPostgreSQL::PostgreSQL(), host = '%s', user = '%s',
             dbname = 'postgres')", postgres$socket, postgres$user),
    "table <- 'rows_of_bench'")
}

# Why PostgreSQL is left out, or NULL.
no_postgres <- function() {
  if (!installed("RPostgreSQL")) return("RPostgreSQL is not installed")
  start_postgres()
  postgres$reason
}

databases <- function() {
  c(if (installed("RSQLite")) "SQLite", if (is.null(no_postgres())) "PostgreSQL")
}

# Seconds of moments() in a fresh process, and its peak memory in MB less that before the call.
measure <- function(connect, p, method) {
  call <- sprintf("moments(%s, con, 'site', 'f10', table = table, method = '%s')",
                  paste("y ~", paste0("a", seq_len(p), collapse = " + ")), method)
  out <- fresh_numbers(c(
    "suppressPackageStartupMessages(library(transelect))", connect,
    sprintf("for (way in c('sql', 'stream')) moments(y ~ a1 + a2, con, table = %s, method = way)",
            "DBI::SQL(paste('SELECT * FROM', table, 'LIMIT 2000'))"),
    peak_code(paste("m <-", call)),
    "cat(m$seconds, peak, sum(m$cells$n), '\\n')"
  ))
  c(seconds = out[1], peak = out[2])
}

# ---- parts ------------------------------------------------------------------------------------

# n rows of 20 columns.
part_size <- function(n) {
  p <- 20
  rows <- list()
  for (kind in databases()) {
    made <- now()
    file <- if (kind == "SQLite") sqlite_file(n, p) else postgres_table(n, p)
    message(kind, ": table made in ", round(now() - made), " s")
    for (method in c("sql", "stream")) {
      out <- measure(connect_code(kind, file), p, method)
      rows[[length(rows) + 1]] <- data.frame(
        database = kind, method, rows = format(n, big.mark = ",", scientific = FALSE),
        "table, MB" = n * (p + 3) * 8 / 1e6, seconds = out[["seconds"]],
        "MB beyond R" = out[["peak"]], check.names = FALSE
      )
    }
    if (kind == "SQLite") unlink(file)
  }
  section(
    "moments", if (n > 1e6) "full size" else "size", "Rows beyond memory",
    "20 columns and a response, 3 domains x 10 folds (30 cells of 21 x 21 products). Memory: peak resident",
    "memory of the R process less that before the call, in a fresh process; memory of the database server is",
    "not counted. `stream` fetches 100,000 rows at a time.", "",
    markdown_table(do.call(rbind, rows))
  )
}

# 1e5 rows of 10 to 100 columns: from which number of columns on fetching rows is faster.
part_columns <- function(n) {
  n <- 1e5
  kinds <- databases()
  rows <- list()
  for (kind in kinds) {
    file <- if (kind == "SQLite") sqlite_file(n, 100) else postgres_table(n, 100)
    for (p in c(10, 25, 50, 100)) {
      seconds <- vapply(c(sql = "sql", stream = "stream"), function(method) {
        measure(connect_code(kind, file), p, method)[["seconds"]]
      }, 0)
      rows[[length(rows) + 1]] <- data.frame(
        database = kind, columns = p, sums = (p + 1) * (p + 4) / 2, sql = seconds[["sql"]],
        stream = seconds[["stream"]]
      )
    }
    if (kind == "SQLite") unlink(file)
  }
  section(
    "moments", "columns", "Sums in the database or rows fetched",
    "Seconds for 100,000 rows of a table of 100 columns, 30 cells; `sums`: the number of sums in the SQL",
    "query.",
    "",
    markdown_table(do.call(rbind, rows))
  )
}

# Errors of moments() by SQL and by rows, and of sums of squares that are not centred.
part_numbers <- function(n) {
  rows <- lapply(c(0, 1e6, 1e8), function(mean) {
    x <- round(matrix(stats::rnorm(2e5), 5e4) * 2^25) / 2^25
    exact <- crossprod(sweep(x, 2, colMeans(x)))
    d <- data.frame(x + mean)
    apart <- function(cross) {
      s <- sqrt(diag(exact))
      max(abs(unname(cross) - unname(exact)) / outer(s, s))
    }
    names(d) <- c("a1", "a2", "a3", "y")
    con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
    on.exit(DBI::dbDisconnect(con))
    DBI::dbWriteTable(con, "rows", d)
    raw <- crossprod(as.matrix(d)) - tcrossprod(colSums(d)) / nrow(d)
    of <- function(...) apart(moments(y ~ ., ...)$cross[[1]])
    data.frame(
      mean = format(mean, scientific = TRUE), matrix = of(d),
      chunks = of(con, table = "rows", method = "stream", chunk_rows = 7000),
      SQL = of(con, table = "rows", method = "sql"), "raw sums of squares" = apart(raw),
      check.names = FALSE
    )
  })
  table <- do.call(rbind, rows)
  table[-1] <- lapply(table[-1], format, digits = 2, scientific = TRUE)
  section(
    "moments", "numbers", "Digits",
    "50,000 rows, 4 columns of standard deviation 1: the largest error of a centred product, divided by n and",
    "the standard deviations. The columns are such that adding the mean is exact up to a mean of 1e8.", "",
    markdown_table(table)
  )
}

# Cross-validation of many rows: by the moments of the folds, and by refits of rows.
part_folds <- function(n) {
  p <- 20
  x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("a", seq_len(p))))
  y <- drop(x[, 1:4] %*% c(1, -1, .5, .3)) + stats::rnorm(n)
  fold <- sample(rep_len(1:10, n))
  busy <- function(f, runs) min(replicate(runs, {
    gc(FALSE)
    sum(system.time(f())[1:2])
  }))
  domain <- sample(rep_len(letters[1:4], n))
  predictions <- cbind(s1 = x[, 1] - x[, 2], s2 = x[, 3], s3 = x[, 4]) + stats::rnorm(3 * n)
  two <- cbind(one = y, two = x[, 2] + stats::rnorm(n))
  w <- stats::runif(n, .5, 2)
  with_predictions <- cbind(x, predictions)
  one_more <- cbind(x, two = two[, "two"])
  # method, response, arguments of the fit, those of cross-validation only, and one pass over the rows: the moments by
  # fold of all columns that the call needs
  cases <- list(
    "`greedytl()`" = list("greedytl", y, list(), list(foldid = fold), function() moments(x, y, fold = fold)),
    "the same, weights" = list("greedytl", y, list(weights = w), list(foldid = fold),
                               function() moments(x, y, fold = fold, weights = w)),
    "the same, three sources" = list("greedytl", y, list(sources = predictions), list(foldid = fold),
                                     function() moments(with_predictions, y, fold = fold)),
    "`tgreedy()`, 10 domains" = list("tgreedy", y, list(domain = fold), list(by = "domain"),
                                     function() moments(x, y, domain = fold)),
    "the same, 4 domains, folds of rows" = list("tgreedy", y, list(domain = domain), list(by = "rows", foldid = fold),
                                                function() moments(x, y, domain = domain, fold = fold)),
    "`tlcp()`" = list("tlcp", y, list(), list(foldid = fold), function() moments(x, y, fold = fold)),
    "the same, offset" = list("tlcp", y, list(offset = x[, 5]), list(foldid = fold),
                              function() moments(x, y - x[, 5], fold = fold)),
    "the same, one of 4 domains" = list("tlcp", y, list(domain = domain, target = "a"), list(foldid = fold),
                                        function() moments(x, y, domain = domain, fold = fold)),
    "`msplit()`, one nu" = list("msplit", y, list(nu = 1), list(foldid = fold), function() moments(x, y, fold = fold)),
    "the same, two responses" = list("msplit", two, list(nu = 1), list(foldid = fold),
                                     function() moments(one_more, y, fold = fold))
  )
  rows <- lapply(names(cases), function(name) {
    case <- cases[[name]]
    fit <- get(case[[1]])
    run <- function(...) do.call(cv_path, c(list(x, case[[2]], fit = fit, ...), case[[3]], case[[4]]))
    alone <- function() do.call(fit, c(list(x, case[[2]]), case[[3]]))
    refits <- NULL
    seconds <- c(pass = busy(case[[5]], 5), alone = busy(alone, 5), cv = busy(run, 5),
                 refits = busy(function() refits <<- run(keep_predictions = TRUE)$fold_loss, 1))
    data.frame(
      call = name, pass = seconds[["pass"]], "fit to rows" = seconds[["alone"]], "cv_path()" = seconds[["cv"]],
      refits = seconds[["refits"]], "cv_path() / pass" = seconds[["cv"]] / seconds[["pass"]],
      "cv_path() / fit" = seconds[["cv"]] / seconds[["alone"]],
      "largest relative difference" = format(max(abs(run()$fold_loss / refits - 1)), digits = 2),
      check.names = FALSE, row.names = NULL
    )
  })
  section(
    "moments", "folds", "Cross-validation by moments of the folds",
    paste0(format(n, big.mark = ",", scientific = FALSE), " rows, ", p, " columns, 10 folds, or 10 domains.",
           " Processor seconds, least of five (refits: one run)."),
    "pass: one pass over the rows, `moments()` by fold (and domain) of all columns that the call needs.",
    "refits: the folds fitted to rows, which `keep_predictions = TRUE` asks for.",
    "", markdown_table(do.call(rbind, rows))
  )
}

# ---- run --------------------------------------------------------------------------------------

parts <- list(size = part_size, columns = part_columns, numbers = part_numbers,
              folds = part_folds)
n <- if ("full" %in% commandArgs(TRUE)) 1e7 else 1e6
if (!installed("RSQLite")) {
  message("moments: left out, RSQLite is not installed")
  quit(status = 0)
}
if (!is.null(no_postgres())) message("PostgreSQL is left out: ", no_postgres())
run_parts("moments", lapply(parts, function(part) function() part(n)), alone = names(parts),
          chosen = setdiff(commandArgs(TRUE), "full"))
