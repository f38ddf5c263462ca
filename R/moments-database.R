# Databases through DBI: a table, queries whose failures name their part, rows in parts. `db` is
# list(con, from, names, double, text, label, store, fence, call): `from` is what follows FROM, `double`
# the driver's word for double precision and `text` its literals of texts (see checked_literals()),
# `store` how the database keeps its rows (see choose_method()); `fence` ends a subquery so that its
# columns are computed once and not at every mention.

open_table <- function(data, ask) {
  rlang::check_installed("DBI", "to read from a database")
  if (inherits(data, "tbl_lazy")) {
    db <- lazy_table(data, ask)
  } else {
    db <- named_table(data, ask)
  }
  kind <- class(db$con)[1]
  db$double <- DBI::dbDataType(db$con, 1.5)
  db$text <- function(x) as.character(DBI::dbQuoteString(db$con, x))
  label <- sub("_?Connection$", "", kind, ignore.case = TRUE)
  db$label <- if (label == "Pq") "PostgreSQL" else label
  db$store <- if (grepl("sqlite", kind, ignore.case = TRUE)) {
    "sqlite"
  } else if (grepl("postgre|^pq|mysql|maria", kind, ignore.case = TRUE)) {
    "rows"
  } else {
    "columns"
  }
  db$fence <- if (inherits(db$con, "SQLiteConnection")) " LIMIT -1"
  db$call <- ask$call
  db
}

# A table of dbplyr may stand for any query, which becomes a subquery.
lazy_table <- function(data, ask) {
  rlang::check_installed(c("dbplyr", "dplyr"), "to read a lazy table")
  if (!is.null(ask$table)) {
    abort_input("{.arg table} is given, but {.arg data} is a table itself.", "table",
                i = "Leave {.arg table} out.", call = ask$call)
  }
  query <- with_reading_errors("the lazy table", "writing its query",
                               dbplyr::sql_render(dplyr::ungroup(data)), ask$call)
  list(con = dbplyr::remote_con(data), from = paste0("(", query, ") transelect_t"),
       names = colnames(data))
}

# The column by which a lazy table is grouped is its domain.
group_as_domain <- function(ask, data) {
  groups <- if (inherits(data, "tbl_lazy")) dplyr::group_vars(data)
  if (!length(groups)) return(ask)
  if (length(groups) > 1 || !is.null(ask$roles$domain)) {
    abort_input("{.arg data} is grouped by {.val {groups}}{if (!is.null(ask$roles$domain))
                 ', and {.arg domain} is given'}.", "domain",
                i = "Ungroup the table: only a single column of groups is taken as the domain.",
                call = ask$call)
  }
  ask$roles$domain <- groups
  ask
}

named_table <- function(con, ask) {
  table <- ask$table
  good <- rlang::is_string(table) || inherits(table, c("Id", "SQL"))
  if (!good) {
    what <- if (is.null(table)) "missing" else "{.obj_type_friendly {table}}"
    abort_input(paste0("{.arg table} is ", what, "."), "table",
                i = "Give the name of the table, {.fn DBI::Id} or {.code DBI::SQL(\"SELECT ...\")} with a connection.",
                call = ask$call)
  }
  from <- if (inherits(table, "SQL") && grepl("^\\s*(select|with)\\s", table, ignore.case = TRUE)) {
    paste0("(", table, ") transelect_t")
  } else {
    as.character(DBI::dbQuoteIdentifier(con, table))
  }
  db <- list(con = con, from = from, call = ask$call)
  db$names <- names(first_rows(db, "*", NULL, 1))
  db
}

quoted <- function(db, name) as.character(DBI::dbQuoteIdentifier(db$con, name))

# ---- queries ----------------------------------------------------------------------------------

# All rows of one query, a data frame. `part` says what it is for, in the error.
query_rows <- function(db, sql, part, n = -1, hint = NOTHING_KEPT) {
  with_reading_errors("the database", part, send_and_fetch(db$con, sql, n), db$call, hint)
}

send_and_fetch <- function(con, sql, n = -1) {
  result <- DBI::dbSendQuery(con, sql)
  on.exit(try_quietly(DBI::dbClearResult(result)))
  DBI::dbFetch(result, n = n)
}

# A statement without rows.
send_statement <- function(con, sql) invisible(DBI::dbClearResult(DBI::dbSendQuery(con, sql)))

try_quietly <- function(code) suppressWarnings(try(code, silent = TRUE))

# A few rows. Most databases know LIMIT; the others are asked for all, and give some.
first_rows <- function(db, columns, test, n) {
  sql <- paste0("SELECT ", paste(columns, collapse = ", "), " FROM ", db$from,
                if (!is.null(test)) paste(" WHERE", test))
  part <- "reading the first rows"
  tryCatch(
    query_rows(db, paste(sql, "LIMIT", n), part),
    transelect_error_moments = function(e) {
      tryCatch(query_rows(db, sql, part, n), error = function(other) rlang::cnd_signal(e))
    }
  )
}

sql_complete <- function(expressions) sql_join(paste(expressions, "IS NOT NULL"), "AND")

# Tests in groups, since databases limit how deep AND and OR may nest.
sql_join <- function(tests, word) {
  groups <- split(tests, (seq_along(tests) - 1) %/% 100)
  groups <- vapply(groups, paste, "", collapse = paste0(" ", word, " "))
  if (length(groups) > 1) groups <- paste0("(", groups, ")")
  paste(groups, collapse = paste0(" ", word, " "))
}

# Runs code with PostgreSQL's just-in-time compiler off: on a query of a thousand sums it takes
# minutes, the sums seconds.
without_jit <- function(db, code) {
  if (grepl("postgre|^pq", class(db$con)[1], ignore.case = TRUE)) {
    was <- try_quietly(send_and_fetch(db$con, "SELECT current_setting('jit', true)"))
    if (is.data.frame(was) && identical(was[[1]], "on")) {
      try_quietly(send_statement(db$con, "SET jit = off"))
      on.exit(try_quietly(send_statement(db$con, "SET jit = on")))
    }
  }
  code
}

# ---- rows in parts ----------------------------------------------------------------------------

stream_query <- function(db, columns) {
  paste0("SELECT ", paste(quoted(db, columns$all), collapse = ", "), " FROM ", db$from)
}

database_reader <- function(db, columns, chunk_rows) {
  open <- if (inherits(db$con, "PostgreSQLConnection")) open_cursor else open_result
  at <- NULL
  fetched <- 0
  close <- function() {
    if (!is.null(at)) at$close()
    at <<- NULL
  }
  list(
    rewind = function() {
      close()
      fetched <<- 0
      at <<- with_reading_errors("the database", "asking for the rows",
                                 open(db$con, stream_query(db, columns), chunk_rows), db$call)
    },
    read = function() {
      rows <- with_reading_errors("the database", paste("fetching the rows after row", big_number(fetched)),
                                  withCallingHandlers(at$fetch(), warning = refuse_coercion), db$call)
      fetched <<- fetched + nrow(rows)
      if (nrow(rows)) rows
    },
    close = close, label = paste0("stream (", db$label, ")")
  )
}

# Drivers warn when they turn text into numbers, which would be made up.
refuse_coercion <- function(w) {
  if (grepl("mixed type|coerc", conditionMessage(w))) stop(conditionMessage(w), call. = FALSE)
}

open_result <- function(con, sql, chunk_rows) {
  result <- DBI::dbSendQuery(con, sql)
  list(
    fetch = function() DBI::dbFetch(result, n = chunk_rows),
    close = function() try_quietly(DBI::dbClearResult(result))
  )
}

# RPostgreSQL reads a whole result into memory, so a cursor holds it on the server. Cursors live in
# transactions; if there is one already (its time has begun before this statement), it stays.
open_cursor <- function(con, sql, chunk_rows) {
  inside <- !isTRUE(send_and_fetch(con, "SELECT now() = statement_timestamp()")[[1]])
  leave <- function() try_quietly(send_statement(con, if (inside) "CLOSE transelect_rows" else "ROLLBACK"))
  if (!inside) send_statement(con, "BEGIN")
  tryCatch(
    send_statement(con, paste("DECLARE transelect_rows NO SCROLL CURSOR FOR", sql)),
    error = function(e) {
      leave()
      stop(e)
    }
  )
  fetch <- sprintf("FETCH %.0f FROM transelect_rows", chunk_rows)
  list(fetch = function() send_and_fetch(con, fetch), close = leave)
}
