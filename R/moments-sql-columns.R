# The columns of the design as SQL expressions, one each, in double precision.

# list(expressions, plain, whole): `plain` TRUE for a numeric column as it is; `whole` TRUE where
# all values are whole numbers known beforehand (dummies). Stops with a condition of class "not_sql"
# where the formula says more than is translated. `ln`: the database's natural logarithm.
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

# Main effects of variables, and products of numeric ones.
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

# A variable of the model, which may take several columns.
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

# The columns of a factor: for each the levels by the value they are coded with, the most common
# value as ELSE.
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

# Levels as literals of the type the column has.
sql_values <- function(levels, name, scope) {
  if (name %in% scope$coder$text) {
    return(scope$db$text(levels))
  }
  number <- suppressWarnings(as.numeric(levels))
  if (anyNA(number)) not_sql(paste0("levels of the column \"", name, "\" that are not numbers"))
  levels
}

# Numbers as they are, classes as -1 and 1.
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

# An expression of R in SQL; every column is made a double first, so that 1 / 2 is not 0.
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
    "^" = translate_power(e, arguments(2)),
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

translate_power <- function(e, arguments) {
  if (identical(e[[3]], 2)) return(paste0("(", arguments[1], " * ", arguments[1], ")"))
  paste0("POWER(", arguments[1], ", ", arguments[2], ")")
}
