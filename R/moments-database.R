# Databases through DBI: a table, queries, rows in parts. `db` is list(con, from, names, double, text, label, store,
# fence, call): `from` is what follows FROM, `double` the driver's word for double precision, `text` its function for
# literals of texts (see moments_sql_checked_literals()), `store` how the database keeps its rows (see SUMS_MOST),
# `fence` what ends a subquery so that its columns are computed once and not wherever they are named.

moments_database_open <- function(data, ask) {
  rlang::check_installed("DBI", "to read from a database")
  if (inherits(data, "tbl_lazy")) {
    db <- moments_database_lazy_table(data, ask)
  } else {
    db <- moments_database_named_table(data, ask)
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

# The `from` of a table of dbplyr: its query, as a subquery.
moments_database_lazy_table <- function(data, ask) {
  rlang::check_installed(c("dbplyr", "dplyr"), "to read a lazy table")
  if (!is.null(ask$table)) {
    abort_input("{.arg table} is given, but {.arg data} is a table itself.", "table",
                i = "Leave {.arg table} out.", call = ask$call)
  }
  query <- moments_stream_reading_errors("the lazy table", "writing its query",
                                         dbplyr::sql_render(dplyr::ungroup(data)), ask$call)
  list(con = dbplyr::remote_con(data), from = moments_database_subquery(query),
       names = colnames(data))
}

moments_database_named_table <- function(con, ask) {
  table <- ask$table
  good <- rlang::is_string(table) || inherits(table, c("Id", "SQL"))
  if (!good) {
    what <- if (is.null(table)) "missing" else "{.obj_type_friendly {table}}"
    abort_input(paste0("{.arg table} is ", what, "."), "table",
                i = "Give the name of the table, {.fn DBI::Id} or {.code DBI::SQL(\"SELECT ...\")} with a connection.",
                call = ask$call)
  }
  from <- if (!inherits(table, "SQL")) as.character(DBI::dbQuoteIdentifier(con, table)) else
    if (moments_database_is_query(table)) moments_database_subquery(table) else paste0(table, "\n")
  db <- list(con = con, from = from, call = ask$call)
  db$names <- names(moments_database_first_rows(db, "*", NULL, 1))
  db
}

# Does the SQL begin with SELECT or WITH, after comments?
moments_database_is_query <- function(sql) {
  grepl("^(\\s|--[^\n]*\n|/\\*.*?\\*/)*(select|with)\\b", sql, ignore.case = TRUE, perl = TRUE)
}

# A query as what follows FROM, without the comments and semicolons that it may end in.
moments_database_subquery <- function(sql) {
  parts <- "(?s)'(?:[^']|'')*'|\"[^\"]*\"|`[^`]*`|--[^\n]*|/\\*.*?\\*/|." # texts, names, comments and what is else
  parts <- regmatches(sql, gregexpr(parts, sql, perl = TRUE))[[1]]
  last <- max(0, which(!grepl("^(--|/\\*.|\\s|;)", parts)))
  paste0("(", paste(parts[seq_len(last)], collapse = ""), "\n) transelect_t")
}

moments_database_quoted <- function(db, name) as.character(DBI::dbQuoteIdentifier(db$con, name))

# The rows of one query, a data frame. part: what the query is for, in words for the error.
moments_database_query_rows <- function(db, sql, part, n = -1, hint = NOTHING_KEPT) {
  moments_stream_reading_errors("the database", part, moments_database_fetch(db$con, sql, n), db$call, hint)
}

moments_database_fetch <- function(con, sql, n = -1) {
  result <- DBI::dbSendQuery(con, sql)
  on.exit(moments_database_try(DBI::dbClearResult(result)))
  DBI::dbFetch(result, n = n)
}

# Runs a statement that returns no rows.
moments_database_send <- function(con, sql) invisible(DBI::dbClearResult(DBI::dbSendQuery(con, sql)))

moments_database_try <- function(code) suppressWarnings(try(code, silent = TRUE))

# The first n rows. Where the database has no LIMIT, all rows are requested and n fetched.
moments_database_first_rows <- function(db, columns, test, n) {
  sql <- paste0("SELECT ", paste(columns, collapse = ", "), " FROM ", db$from,
                if (!is.null(test)) paste(" WHERE", test))
  part <- "reading the first rows"
  tryCatch(
    moments_database_query_rows(db, paste(sql, "LIMIT", n), part),
    transelect_error_moments = function(e) {
      tryCatch(moments_database_query_rows(db, sql, part, n), error = function(other) rlang::cnd_signal(e))
    }
  )
}

# Runs code with PostgreSQL's just-in-time compiler off, which takes longer to compile a query of many sums than the
# sums take.
moments_database_without_jit <- function(db, code) {
  if (grepl("postgre|^pq", class(db$con)[1], ignore.case = TRUE)) {
    was <- moments_database_try(moments_database_fetch(db$con, "SELECT current_setting('jit', true)"))
    if (is.data.frame(was) && identical(was[[1]], "on")) {
      moments_database_try(moments_database_send(db$con, "SET jit = off"))
      on.exit(moments_database_try(moments_database_send(db$con, "SET jit = on")))
    }
  }
  code
}

moments_database_stream_query <- function(db, columns) {
  paste0("SELECT ", paste(moments_database_quoted(db, columns$all), collapse = ", "), " FROM ", db$from)
}

moments_database_reader <- function(db, columns, chunk_rows) {
  open_result <- if (inherits(db$con, "PostgreSQLConnection")) moments_database_open_cursor else
    moments_database_open_result
  result <- NULL
  fetched <- 0
  close_result <- function() {
    if (!is.null(result)) result$close()
    result <<- NULL
  }
  list(
    rewind = function() {
      close_result()
      fetched <<- 0
      result <<- moments_stream_reading_errors("the database", "asking for the rows",
                                           open_result(db$con, moments_database_stream_query(db, columns), chunk_rows),
                                           db$call)
    },
    read = function() {
      rows <- moments_stream_reading_errors("the database",
                                            paste("fetching the rows after row", words_big_number(fetched)),
                                            withCallingHandlers(result$fetch(), warning = function(w) {
                                              # drivers warn where they turn text into numbers, which are then wrong
                                              if (grepl("mixed type|coerc", conditionMessage(w))) {
                                                stop(conditionMessage(w), call. = FALSE)
                                              }
                                            }), db$call)
      fetched <<- fetched + nrow(rows)
      if (nrow(rows)) rows
    },
    close = close_result, label = paste0("stream (", db$label, ")")
  )
}

moments_database_open_result <- function(con, sql, chunk_rows) {
  result <- DBI::dbSendQuery(con, sql)
  list(
    fetch = function() DBI::dbFetch(result, n = chunk_rows),
    close = function() moments_database_try(DBI::dbClearResult(result))
  )
}

# A cursor for RPostgreSQL, which would read the whole result into memory. A cursor needs a transaction; one is begun
# unless there is one already, which is so where now() is earlier than the time of this statement.
moments_database_open_cursor <- function(con, sql, chunk_rows) {
  inside <- !isTRUE(moments_database_fetch(con, "SELECT now() = statement_timestamp()")[[1]])
  leave <- function() moments_database_try(moments_database_send(con,
                                                                 if (inside) "CLOSE transelect_rows" else "ROLLBACK"))
  if (!inside) moments_database_send(con, "BEGIN")
  tryCatch(
    moments_database_send(con, paste("DECLARE transelect_rows NO SCROLL CURSOR FOR", sql)),
    error = function(e) {
      leave()
      stop(e)
    }
  )
  fetch <- sprintf("FETCH %.0f FROM transelect_rows", chunk_rows)
  list(fetch = function() moments_database_fetch(con, fetch), close = leave)
}
