# Databases through DBI: a table, queries, rows in parts. `db` is list(con, from, names, double, text, label, store,
# fence, call): `from` is what follows FROM, `double` the driver's word for double precision, `text` its function for
# literals of texts (see checked_literals()), `store` how the database keeps its rows (see SUMS_MOST), `fence` what ends
# a subquery so that its columns are computed once and not wherever they are named.

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

# The `from` of a table of dbplyr: its query, as a subquery.
lazy_table <- function(data, ask) {
  rlang::check_installed(c("dbplyr", "dplyr"), "to read a lazy table")
  if (!is.null(ask$table)) {
    abort_input("{.arg table} is given, but {.arg data} is a table itself.", "table",
                i = "Leave {.arg table} out.", call = ask$call)
  }
  query <- with_reading_errors("the lazy table", "writing its query",
                               dbplyr::sql_render(dplyr::ungroup(data)), ask$call)
  list(con = dbplyr::remote_con(data), from = subquery(query),
       names = colnames(data))
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
  from <- if (!inherits(table, "SQL")) as.character(DBI::dbQuoteIdentifier(con, table)) else
    if (is_query(table)) subquery(table) else paste0(table, "\n")
  db <- list(con = con, from = from, call = ask$call)
  db$names <- names(first_rows(db, "*", NULL, 1))
  db
}

# Does the SQL begin with SELECT or WITH, after comments?
is_query <- function(sql) {
  grepl("^(\\s|--[^\n]*\n|/\\*.*?\\*/)*(select|with)\\b", sql, ignore.case = TRUE, perl = TRUE)
}

# A query as what follows FROM. It may end in a comment, which reaches to the end of its line, or in a semicolon.
subquery <- function(sql) paste0("(", sub("(\\s*;)+\\s*$", "", sql), "\n) transelect_t")

quoted <- function(db, name) as.character(DBI::dbQuoteIdentifier(db$con, name))

# ---- queries ----------------------------------------------------------------------------------

# The rows of one query, a data frame. part: what the query is for, in words for the error.
query_rows <- function(db, sql, part, n = -1, hint = NOTHING_KEPT) {
  with_reading_errors("the database", part, send_and_fetch(db$con, sql, n), db$call, hint)
}

send_and_fetch <- function(con, sql, n = -1) {
  result <- DBI::dbSendQuery(con, sql)
  on.exit(try_quietly(DBI::dbClearResult(result)))
  DBI::dbFetch(result, n = n)
}

# Runs a statement that returns no rows.
send_statement <- function(con, sql) invisible(DBI::dbClearResult(DBI::dbSendQuery(con, sql)))

try_quietly <- function(code) suppressWarnings(try(code, silent = TRUE))

# The first n rows. Where the database has no LIMIT, all rows are requested and n fetched.
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

# Conditions joined by AND or OR, in groups in brackets, since databases limit how deep these may nest.
sql_join <- function(tests, word) {
  groups <- split(tests, (seq_along(tests) - 1) %/% 100)
  groups <- vapply(groups, paste, "", collapse = paste0(" ", word, " "))
  if (length(groups) > 1) groups <- paste0("(", groups, ")")
  paste(groups, collapse = paste0(" ", word, " "))
}

# Runs code with PostgreSQL's just-in-time compiler off, which takes longer to compile a query of many sums than the
# sums take.
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
                                  withCallingHandlers(at$fetch(), warning = function(w) {
                                    # drivers warn where they turn text into numbers, which are then wrong
                                    if (grepl("mixed type|coerc", conditionMessage(w))) {
                                      stop(conditionMessage(w), call. = FALSE)
                                    }
                                  }), db$call)
      fetched <<- fetched + nrow(rows)
      if (nrow(rows)) rows
    },
    close = close, label = paste0("stream (", db$label, ")")
  )
}

open_result <- function(con, sql, chunk_rows) {
  result <- DBI::dbSendQuery(con, sql)
  list(
    fetch = function() DBI::dbFetch(result, n = chunk_rows),
    close = function() try_quietly(DBI::dbClearResult(result))
  )
}

# A cursor for RPostgreSQL, which would read the whole result into memory. A cursor needs a transaction; one is begun
# unless there is one already, which is so where now() is earlier than the time of this statement.
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

# ---- the columns of the design in SQL ------------------------------------------------------------

# The columns of the design as list(expressions, plain, whole) in SQL. plain: is it a numeric column of the table?
# whole: is it a dummy variable, with whole numbers only? Signals a condition of class "not_sql" where the formula
# cannot be translated. ln: the database's name of the natural logarithm.
sql_columns <- function(coder, db, ln) {
  scope <- list(coder = coder, db = db, ln = ln)
  parts <- if (coder$columns$wide) {
    lapply(coder$columns$predictors, function(name) sql_variable(as.name(name), scope))
  } else {
    sql_terms(coder$columns$formula, scope)
  }
  out <- list(
    expressions = unlist(lapply(parts, `[[`, "expressions")),
    plain = unlist(lapply(parts, `[[`, "plain")), whole = unlist(lapply(parts, `[[`, "whole"))
  )
  if (length(out$expressions) != coder$blueprint$p) not_sql("its coding of factors")
  y <- sql_response(coder, scope)
  list(expressions = c(out$expressions, y$expressions), plain = c(out$plain, y$plain),
       whole = c(out$whole, y$whole))
}

not_sql <- function(what) {
  rlang::abort(what, class = "not_sql")
}

sql_part <- function(expressions, plain = FALSE, whole = FALSE) {
  k <- length(expressions)
  list(expressions = expressions, plain = rep(plain, k), whole = rep(whole, k))
}

# The terms of the formula: variables and products of numeric variables.
sql_terms <- function(formula, scope) {
  terms <- stats::terms(formula)
  variables <- as.list(attr(terms, "variables"))[-1]
  factors <- attr(terms, "factors")
  lapply(seq_along(attr(terms, "term.labels")), function(k) {
    used <- variables[factors[, k] > 0]
    if (length(used) == 1) return(sql_variable(used[[1]], scope))
    sql_part(paste0("(", paste(vapply(used, translate, "", scope = scope), collapse = " * "), ")"))
  })
}

# A variable of the model, as one or several columns.
sql_variable <- function(variable, scope) {
  plan <- if (is.name(variable)) scope$coder$plans[[as.character(variable)]]
  kind <- plan$kind %||% "expression"
  switch(kind,
    factor = sql_factor(variable, plan, scope),
    logical = sql_part(sql_flag(variable, scope), whole = TRUE),
    numeric = sql_part(translate(variable, scope), plain = TRUE),
    expression = sql_part(translate(variable, scope)),
    not_sql(paste("a column of kind", kind))
  )
}

sql_double <- function(db, expression) paste0("CAST(", expression, " AS ", db$double, ")")

sql_flag <- function(variable, scope) {
  sql_double(scope$db, paste("CASE WHEN", quoted(scope$db, as.character(variable)),
                             "THEN 1 ELSE 0 END"))
}

# The columns of a factor as CASE expressions of its contrasts: levels are grouped by their value, and the most common
# value is the ELSE.
sql_factor <- function(variable, plan, scope) {
  name <- as.character(variable)
  values <- sql_values(plan$levels, name, scope)
  coding <- plan$contrasts
  out <- apply(coding, 2, function(column) {
    distinct <- unique(column)
    usual <- distinct[which.max(tabulate(match(column, distinct)))]
    cases <- vapply(setdiff(distinct, usual), function(value) {
      tests <- paste(quoted(scope$db, name), "=", values[column == value])
      paste("WHEN", paste(tests, collapse = " OR "), "THEN", sql_number(value))
    }, "")
    sql_double(scope$db, paste("CASE", paste(cases, collapse = " "), "ELSE", sql_number(usual),
                               "END"))
  })
  sql_part(out, whole = all(coding == round(coding)))
}

# Levels as literals of the column's type.
sql_values <- function(levels, name, scope) {
  if (name %in% scope$coder$text) {
    return(scope$db$text(levels))
  }
  number <- suppressWarnings(as.numeric(levels))
  if (anyNA(number)) not_sql(paste0("levels of the column \"", name, "\" that are not numbers"))
  levels
}

# The response in SQL: numbers as they are, classes coded -1 and 1.
sql_response <- function(coder, scope) {
  lhs <- coder$columns$formula[[2]]
  if (is.null(coder$classes)) return(sql_part(translate(lhs, scope), plain = is.name(lhs)))
  name <- if (is.name(lhs)) as.character(lhs)
  if (is.null(name)) not_sql(paste0("the response \"", coder$response, "\""))
  column <- quoted(scope$db, name)
  test <- if (name %in% names(coder$levels)) {
    paste(column, "=", sql_values(coder$classes, name, scope)[2])
  } else {
    column
  }
  sql_part(sql_double(scope$db, paste("CASE WHEN", test, "THEN 1 ELSE -1 END")), whole = TRUE)
}

# ---- arithmetic -------------------------------------------------------------------------------

sql_number <- function(x) {
  text <- sprintf("%.15g", x)
  if (as.numeric(text) != x) text <- sprintf("%.17g", x)
  if (x < 0) paste0("(", text, ")") else text
}

# An expression of R in SQL. Columns are converted to doubles first: 1 / 2 of integers would be 0.
translate <- function(e, scope) {
  if (is.numeric(e)) return(sql_double(scope$db, sql_number(e)))
  if (is.name(e)) return(translate_name(as.character(e), scope))
  name <- if (is.name(e[[1]])) as.character(e[[1]]) else ""
  if (!is.null(names(e))) not_sql(paste0("named arguments of \"", name, "\""))
  arguments <- function(n) {
    if (length(e) - 1 != n) not_sql(paste0("this use of \"", name, "\""))
    vapply(as.list(e)[-1], translate, "", scope = scope)
  }
  if (name %in% c("+", "-") && length(e) == 2) return(paste0("(", name, arguments(1), ")"))
  switch(name,
    "(" = , I = arguments(1),
    "+" = , "-" = , "*" = , "/" = paste0("(", paste(arguments(2), collapse = name), ")"),
    "^" = {
      given <- arguments(2)
      if (identical(e[[3]], 2)) paste0("(", given[1], " * ", given[1], ")") else
        paste0("POWER(", given[1], ", ", given[2], ")")
    },
    exp = paste0("EXP(", arguments(1), ")"), sqrt = paste0("SQRT(", arguments(1), ")"),
    abs = paste0("ABS(", arguments(1), ")"), log = paste0(scope$ln, "(", arguments(1), ")"),
    not_sql(paste0("\"", deparse1(e), "\""))
  )
}

translate_name <- function(name, scope) {
  plan <- scope$coder$plans[[name]]
  if (is.null(plan) && !name %in% scope$coder$columns$all) {
    value <- get0(name, envir = environment(scope$coder$columns$formula), mode = "numeric")
    return(sql_double(scope$db, sql_number(value)))
  }
  if (name %in% names(scope$coder$levels) || identical(plan$kind, "matrix")) {
    not_sql(paste0("arithmetic with the factor \"", name, "\""))
  }
  if (identical(plan$kind, "logical")) return(sql_flag(name, scope))
  sql_double(scope$db, quoted(scope$db, name))
}
