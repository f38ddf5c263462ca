# The queries by which a database adds up the columns of the design, and the choice between these and fetching the rows.

moments_sql_complete <- function(expressions) moments_sql_join(paste(expressions, "IS NOT NULL"), "AND")

# Conditions joined by AND or OR, in groups in brackets, since databases limit how deep these may nest.
moments_sql_join <- function(tests, word) {
  groups <- split(tests, (seq_along(tests) - 1) %/% 100)
  groups <- vapply(groups, paste, "", collapse = paste0(" ", word, " "))
  if (length(groups) > 1) groups <- paste0("(", groups, ")")
  paste(groups, collapse = paste0(" ", word, " "))
}

# The columns of the design as list(expressions, plain, whole) in SQL. plain: is it a numeric column of the table?
# whole: is it a dummy variable, with whole numbers only? Signals a condition of class "not_sql" where the formula
# cannot be translated. ln: the database's name of the natural logarithm.
moments_sql_columns <- function(coder, db, ln) {
  scope <- list(coder = coder, db = db, ln = ln)
  parts <- if (coder$columns$wide) {
    lapply(coder$columns$predictors, function(name) moments_sql_variable(as.name(name), scope))
  } else {
    moments_sql_terms(coder$columns$formula, scope)
  }
  columns <- list(
    expressions = unlist(lapply(parts, `[[`, "expressions")),
    plain = unlist(lapply(parts, `[[`, "plain")), whole = unlist(lapply(parts, `[[`, "whole"))
  )
  if (length(columns$expressions) != coder$blueprint$p) moments_sql_impossible("its coding of factors")
  y <- moments_sql_response(coder, scope)
  list(expressions = c(columns$expressions, y$expressions), plain = c(columns$plain, y$plain),
       whole = c(columns$whole, y$whole))
}

moments_sql_impossible <- function(what) {
  rlang::abort(what, class = "not_sql")
}

moments_sql_part <- function(expressions, plain = FALSE, whole = FALSE) {
  k <- length(expressions)
  list(expressions = expressions, plain = rep(plain, k), whole = rep(whole, k))
}

# The terms of the formula: variables and products of numeric variables.
moments_sql_terms <- function(formula, scope) {
  terms <- stats::terms(formula)
  variables <- as.list(attr(terms, "variables"))[-1]
  factors <- attr(terms, "factors")
  lapply(seq_along(attr(terms, "term.labels")), function(k) {
    used <- variables[factors[, k] > 0]
    if (length(used) == 1) return(moments_sql_variable(used[[1]], scope))
    moments_sql_part(paste0("(", paste(vapply(used, moments_sql_translate, "", scope = scope), collapse = " * "), ")"))
  })
}

# A variable of the model, as one or several columns.
moments_sql_variable <- function(variable, scope) {
  plan <- if (is.name(variable)) scope$coder$plans[[as.character(variable)]]
  kind <- plan$kind %||% "expression"
  switch(kind,
    factor = moments_sql_factor(variable, plan, scope),
    logical = moments_sql_part(c(if (isTRUE(plan$both)) moments_sql_flag(variable, scope, 0),
                                 moments_sql_flag(variable, scope)), whole = TRUE),
    numeric = moments_sql_part(moments_sql_translate(variable, scope), plain = TRUE),
    expression = moments_sql_part(moments_sql_translate(variable, scope)),
    moments_sql_impossible(paste("a column of kind", kind))
  )
}

moments_sql_double <- function(db, expression) paste0("CAST(", expression, " AS ", db$double, ")")

moments_sql_flag <- function(variable, scope, true = 1) {
  moments_sql_double(scope$db, paste("CASE WHEN", moments_database_quoted(scope$db, as.character(variable)),
                                     "THEN", true, "ELSE", 1 - true, "END"))
}

# The columns of a factor as CASE expressions of its contrasts: levels are grouped by their value, and the most common
# value is the ELSE.
moments_sql_factor <- function(variable, plan, scope) {
  name <- as.character(variable)
  values <- moments_sql_values(plan$levels, name, scope)
  coding <- plan$contrasts
  expressions <- apply(coding, 2, function(column) {
    distinct <- unique(column)
    usual <- distinct[which.max(tabulate(match(column, distinct)))]
    cases <- vapply(setdiff(distinct, usual), function(value) {
      tests <- paste(moments_database_quoted(scope$db, name), "=", values[column == value])
      paste("WHEN", paste(tests, collapse = " OR "), "THEN", moments_sql_number(value))
    }, "")
    moments_sql_double(scope$db, paste("CASE", paste(cases, collapse = " "), "ELSE", moments_sql_number(usual),
                                       "END"))
  })
  moments_sql_part(expressions, whole = all(coding == round(coding)))
}

# Levels as literals of the column's type.
moments_sql_values <- function(levels, name, scope) {
  if (name %in% scope$coder$text) {
    return(scope$db$text(levels))
  }
  number <- suppressWarnings(as.numeric(levels))
  if (anyNA(number)) moments_sql_impossible(paste0("levels of the column \"", name, "\" that are not numbers"))
  levels
}

# The response in SQL: numbers as they are, classes coded -1 and 1.
moments_sql_response <- function(coder, scope) {
  lhs <- coder$columns$formula[[2]]
  if (is.null(coder$classes)) return(moments_sql_part(moments_sql_translate(lhs, scope), plain = is.name(lhs)))
  name <- if (is.name(lhs)) as.character(lhs)
  if (is.null(name)) moments_sql_impossible(paste0("the response \"", coder$response, "\""))
  column <- moments_database_quoted(scope$db, name)
  test <- if (name %in% names(coder$levels)) {
    paste(column, "=", moments_sql_values(coder$classes, name, scope)[2])
  } else {
    column
  }
  moments_sql_part(moments_sql_double(scope$db, paste("CASE WHEN", test, "THEN 1 ELSE -1 END")), whole = TRUE)
}

moments_sql_number <- function(x) {
  text <- sprintf("%.15g", x)
  if (as.numeric(text) != x) text <- sprintf("%.17g", x)
  if (x < 0) paste0("(", text, ")") else text
}

# An expression of R in SQL. Columns are converted to doubles first: 1 / 2 of integers would be 0. By hand, since dbplyr
# leaves columns their type (its `a / b` of integers 1 and 2 is 0 in SQLite and PostgreSQL), knows no I(), and needs a
# connection that it has a dialect for; contrasts of factors and sums by cell are no verbs that it translates.
moments_sql_translate <- function(e, scope) {
  if (is.numeric(e)) return(moments_sql_double(scope$db, moments_sql_number(e)))
  if (is.name(e)) return(moments_sql_translate_name(as.character(e), scope))
  name <- if (is.name(e[[1]])) as.character(e[[1]]) else ""
  if (!is.null(names(e))) moments_sql_impossible(paste0("named arguments of \"", name, "\""))
  arguments <- function(n) {
    if (length(e) - 1 != n) moments_sql_impossible(paste0("this use of \"", name, "\""))
    vapply(as.list(e)[-1], moments_sql_translate, "", scope = scope)
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
    moments_sql_impossible(paste0("\"", deparse1(e), "\""))
  )
}

moments_sql_translate_name <- function(name, scope) {
  plan <- scope$coder$plans[[name]]
  if (is.null(plan) && !name %in% scope$coder$columns$all) {
    value <- get0(name, envir = environment(scope$coder$columns$formula), mode = "numeric")
    return(moments_sql_double(scope$db, moments_sql_number(value)))
  }
  if (name %in% names(scope$coder$levels) || identical(plan$kind, "matrix")) {
    moments_sql_impossible(paste0("arithmetic with the factor \"", name, "\""))
  }
  if (identical(plan$kind, "logical")) return(moments_sql_flag(name, scope))
  moments_sql_double(scope$db, moments_database_quoted(scope$db, name))
}

moments_sql_first_complete <- function(db, columns) {
  rows <- moments_database_first_rows(db, moments_database_quoted(db, columns$all),
                                      moments_sql_complete(moments_database_quoted(db, columns$all)), 100)
  if (!nrow(rows)) {
    all <- moments_database_query_rows(db, paste("SELECT COUNT(*) FROM", db$from), "counting the rows")
    moments_stream_abort_no_rows(moments_sql_as_number(all[[1]]), columns$all, db$call)
  }
  names(rows) <- columns$all
  rows
}

moments_sql_as_number <- function(v) as.numeric(table_plain_number(v))

# The number of columns up to which sums in the database are taken to be faster than fetching its rows: in SQLite, whose
# rows are in this process, and in databases that store rows, or columns (Rscript bench/moments.R).
SUMS_MOST <- c(sqlite = 10, rows = 25, columns = 100)

# The columns of the design in SQL, or NULL where rows are to be fetched.
moments_sql_choose_method <- function(ask, coder, db) {
  if (ask$method == "stream") return(NULL)
  most <- SUMS_MOST[[db$store]]
  if (ask$method == "auto" && coder$blueprint$p > most) return(NULL)
  tryCatch(moments_sql_checked_columns(coder, db), not_sql = function(e) {
    if (ask$method == "auto") return(NULL)
    reason <- conditionMessage(e)
    abort_input("{.arg formula} cannot be put in SQL: {reason}.", "formula",
                i = "Give {.code method = \"stream\"}.", call = ask$call)
  })
}

# The columns in SQL, checked: on the first rows they equal R's own coding. The natural logarithm is LN or LOG, by
# database.
moments_sql_checked_columns <- function(coder, db) {
  db <- moments_sql_checked_literals(coder, db)
  for (ln in c("LN", "LOG")) {
    sql <- moments_sql_columns(coder, db, ln)
    failure <- moments_sql_check_columns(coder, db, sql)
    if (is.null(failure)) return(c(sql, list(db = db)))
  }
  moments_sql_impossible(failure)
}

# `db` with a word for double precision and literals of texts that the database reads as R does: those of the driver
# if they are, else others. (Spark takes backslashes for escapes and a quote written twice for none; its REAL has
# single precision.)
moments_sql_checked_literals <- function(coder, db) {
  reads <- function(literal, value) {
    seen <- tryCatch(moments_database_first_rows(db, paste(literal, "AS check_1"), NULL, 1)[[1]],
                     transelect_error_moments = function(e) NULL)
    if (!length(seen)) return(FALSE)
    if (is.character(value)) identical(enc2utf8(as.character(seen)),
                                       value) else abs(moments_sql_as_number(seen) - value) < 1e-14
  }
  types <- unique(c(db$double, "DOUBLE", "DOUBLE PRECISION"))
  db$double <- Find(function(type) reads(moments_sql_double(list(double = type), moments_sql_number(1 / 3)), 1 / 3),
                    types)
  if (is.null(db$double)) moments_sql_impossible("a number in double precision")
  texts <- unlist(coder$levels[intersect(names(coder$levels), coder$text)])
  if (length(texts)) {
    hard <- "it's \"a\\b\""
    text <- if (any(grepl("['\"\\\\]", texts))) hard else "a"
    ways <- list(db$text, function(x) paste0("'", gsub("(['\\\\])", "\\\\\\1", x), "'"))
    db$text <- Find(function(way) reads(way(text), text), ways)
    if (is.null(db$text)) moments_sql_impossible("quotes and backslashes in texts")
  }
  if (!is.null(coder$roles$weights)) {
    two <- moments_sql_double(db, moments_sql_number(2))
    db$ln <- Find(function(ln) reads(paste0(ln, "(", two, ")"), log(2)), c("LN", "LOG"))
  }
  db
}

# What differs between the columns in SQL and R's coding, or NULL. Columns that are plain columns of numbers need no
# check.
moments_sql_check_columns <- function(coder, db, sql) {
  raw <- coder$columns$all
  check <- utils::head(which(!sql$plain), max(0, 1500 - length(raw)))
  if (!length(check)) return(NULL)
  expressions <- c(moments_database_quoted(db, raw), paste0(sql$expressions[check], " AS check_", check))
  rows <- tryCatch(
    moments_database_first_rows(db, expressions, moments_sql_complete(moments_database_quoted(db, raw)), 100),
    transelect_error_moments = function(e) e
  )
  if (inherits(rows, "error")) return(paste("the database said", rows$body[[1]]))
  given <- lapply(rows[-seq_along(raw)], moments_sql_as_number)
  raw_rows <- stats::setNames(rows[seq_along(raw)], raw)
  coded <- suppressWarnings(moments_model_code_rows(coder, raw_rows))
  wanted <- cbind(coded$x, coded$y)[, check, drop = FALSE]
  same <- vapply(seq_along(check), function(k) {
    there <- !is.na(wanted[, k])
    identical(!is.na(given[[k]]), there) &&
      all(abs(given[[k]] - wanted[, k])[there] <= 1e-9 * (1 + abs(wanted[there, k])))
  }, NA)
  if (all(same)) return(NULL)
  name <- c(coder$blueprint$columns, coder$response)[check[!same][1]]
  paste0("the database's values of \"", name, "\" are not R's")
}
