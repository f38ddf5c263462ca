# The queries by which a database adds up the columns of the design, and the choice between these and fetching the rows.

first_complete <- function(db, columns) {
  rows <- first_rows(db, quoted(db, columns$all), sql_complete(quoted(db, columns$all)), 100)
  if (!nrow(rows)) {
    all <- query_rows(db, paste("SELECT COUNT(*) FROM", db$from), "counting the rows")
    abort_no_rows(as_number(all[[1]]), columns$all, db$call)
  }
  names(rows) <- columns$all
  rows
}

as_number <- function(v) as.numeric(plain_number(v))

# ---- which way --------------------------------------------------------------------------------

# The number of columns up to which sums in the database are taken to be faster than fetching its rows: in SQLite, whose
# rows are in this process, and in databases that store rows, or columns (Rscript bench/moments.R).
SUMS_MOST <- c(sqlite = 10, rows = 25, columns = 100)

# The columns of the design in SQL, or NULL where rows are to be fetched.
choose_method <- function(ask, coder, db) {
  if (ask$method == "stream") return(NULL)
  most <- SUMS_MOST[[db$store]]
  if (ask$method == "auto" && coder$blueprint$p > most) return(NULL)
  tryCatch(checked_columns(coder, db), not_sql = function(e) {
    if (ask$method == "auto") return(NULL)
    reason <- conditionMessage(e)
    abort_input("{.arg formula} cannot be put in SQL: {reason}.", "formula",
                i = "Give {.code method = \"stream\"}.", call = ask$call)
  })
}

# The columns in SQL, checked: on the first rows they equal R's own coding. The natural logarithm is LN or LOG, by
# database.
checked_columns <- function(coder, db) {
  db <- checked_literals(coder, db)
  for (ln in c("LN", "LOG")) {
    sql <- sql_columns(coder, db, ln)
    failure <- check_columns(coder, db, sql)
    if (is.null(failure)) return(c(sql, list(db = db)))
  }
  not_sql(failure)
}

# `db` with a word for double precision and literals of texts that the database reads as R does: those of the driver
# if they are, else others. (Spark takes backslashes for escapes and a quote written twice for none; its REAL has
# single precision.)
checked_literals <- function(coder, db) {
  reads <- function(literal, value) {
    seen <- tryCatch(first_rows(db, paste(literal, "AS check_1"), NULL, 1)[[1]],
                     transelect_error_moments = function(e) NULL)
    if (!length(seen)) return(FALSE)
    if (is.character(value)) identical(enc2utf8(as.character(seen)), value) else abs(as_number(seen) - value) < 1e-14
  }
  types <- unique(c(db$double, "DOUBLE", "DOUBLE PRECISION"))
  db$double <- Find(function(type) reads(sql_double(list(double = type), sql_number(1 / 3)), 1 / 3), types)
  if (is.null(db$double)) not_sql("a number in double precision")
  texts <- unlist(coder$levels[intersect(names(coder$levels), coder$text)])
  if (length(texts)) {
    hard <- "it's \"a\\b\""
    text <- if (any(grepl("['\"\\\\]", texts))) hard else "a"
    ways <- list(db$text, function(x) paste0("'", gsub("(['\\\\])", "\\\\\\1", x), "'"))
    db$text <- Find(function(way) reads(way(text), text), ways)
    if (is.null(db$text)) not_sql("quotes and backslashes in texts")
  }
  if (!is.null(coder$roles$weights)) {
    two <- sql_double(db, sql_number(2))
    db$ln <- Find(function(ln) reads(paste0(ln, "(", two, ")"), log(2)), c("LN", "LOG"))
  }
  db
}

# What differs between the columns in SQL and R's coding, or NULL. Columns that are plain columns of numbers need no
# check.
check_columns <- function(coder, db, sql) {
  raw <- coder$columns$all
  check <- utils::head(which(!sql$plain), max(0, 1500 - length(raw)))
  if (!length(check)) return(NULL)
  expressions <- c(quoted(db, raw), paste0(sql$expressions[check], " AS check_", check))
  rows <- tryCatch(
    first_rows(db, expressions, sql_complete(quoted(db, raw)), 100),
    transelect_error_moments = function(e) e
  )
  if (inherits(rows, "error")) return(paste("the database said", rows$body[[1]]))
  given <- lapply(rows[-seq_along(raw)], as_number)
  own <- stats::setNames(rows[seq_along(raw)], raw)
  coded <- suppressWarnings(code_rows(coder, own))
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

# ---- the queries ------------------------------------------------------------------------------

AGGREGATES_MOST <- 1500

# What all queries have in common. shift: for each column a value from the middle of the first rows, which is
# subtracted; keys and weight: columns in SQL or NULL; test: the condition for rows that are added up.
sum_plan <- function(ask, coder, sql, coded) {
  db <- sql$db
  role <- function(name) if (!is.null(ask$roles[[name]])) quoted(db, ask$roles[[name]])
  middle <- function(v) sort(v)[(sum(!is.na(v)) + 1) %/% 2]
  shift <- apply(cbind(coded$x, coded$y), 2, middle)
  derived <- sql$expressions[!sql$plain & !sql$whole]
  weight <- role("weights")
  list(
    db = db, coder = coder, expressions = sql$expressions, whole = sql$whole & is.null(weight),
    shift = shift, keys = c(role("domain"), role("fold")), weight = weight,
    complete = sql_complete(c(quoted(db, coder$columns$all), derived)),
    given = intersect(names(ask$levels), c(coder$columns$predictors, coder$columns$response))
  )
}

# The pairs (j, k) of columns, j >= k, of which one is in `columns`, in slices of `most`; k = 0 stands for the sum of
# column j.
pair_slices <- function(q, columns = seq_len(q), most = AGGREGATES_MOST) {
  k <- sequence(seq_len(q))
  j <- rep(seq_len(q), seq_len(q))
  touch <- j %in% columns | k %in% columns
  pairs <- data.frame(j = c(seq_len(q), j[touch]), k = c(rep(0L, q), k[touch]))
  split(pairs, (seq_len(nrow(pairs)) - 1) %/% most)
}

key_names <- function(plan) c("key_1", "key_2")[seq_along(plan$keys)]

# The query SELECT keys, COUNT(*), weight, log weight, a sum for each pair. around: are the means of each cell, which
# come last in the result, subtracted in place of the shift?
sum_query <- function(pairs, plan, around = FALSE) {
  used <- sort(unique(c(pairs$j, pairs$k[pairs$k > 0])))
  product <- ifelse(pairs$k == 0, paste0("v", pairs$j), paste0("v", pairs$j, " * v", pairs$k))
  weighted <- if (!is.null(plan$weight)) "w * "
  keys <- key_names(plan)
  what <- c(
    keys, "COUNT(*)", if (is.null(weighted)) c("COUNT(*)", "0") else
      c("SUM(w)", if (is.null(plan$db$ln)) "NULL" else paste0("SUM(", plan$db$ln, "(w))")),
    paste0("SUM(", weighted, product, ")"),
    if (around) sprintf("MIN(c%d)", pairs$j[pairs$k == 0])
  )
  rows <- if (around) rows_around(plan, used) else row_query(plan, used, plan$shift)
  paste0("SELECT ", paste(what, collapse = ", "), " FROM (", rows, ") transelect_s",
         group_by(keys))
}

group_by <- function(keys) if (length(keys)) paste(" GROUP BY", paste(keys, collapse = ", "))

# The query for the rows that are added up: keys, weight and the columns `used`, called v1, v2, ...
row_query <- function(plan, used, shift = NULL) {
  values <- plan$expressions[used]
  moved <- which(shift[used] != 0)
  values[moved] <- paste(values[moved], "-",
                         vapply(shift[used][moved], function(s) {
                           sql_double(plan$db, sql_number(s))
                         }, ""))
  what <- c(
    if (length(plan$keys)) paste(plan$keys, "AS", key_names(plan)),
    if (!is.null(plan$weight)) paste(sql_double(plan$db, plan$weight), "AS w"),
    paste0(values, " AS v", used)
  )
  paste0("SELECT ", paste(what, collapse = ", "), " FROM ", plan$db$from, " WHERE ",
         plan$complete, if (!is.null(plan$weight)) paste(" AND", plan$weight, "<> 0"),
         plan$db$fence)
}

# row_query() with the mean of the row's cell subtracted from each column; these means are columns c1, c2, ...
rows_around <- function(plan, used) {
  keys <- key_names(plan)
  rows <- row_query(plan, used)
  means <- paste0("SELECT ", paste(c(keys, paste0("AVG(v", used, ") AS c", used)), collapse = ", "),
                  " FROM (", rows, ") transelect_r", group_by(keys))
  what <- c(paste0("a.", keys)[seq_along(keys)], if (!is.null(plan$weight)) "a.w",
            paste0("a.v", used, " - b.c", used, " AS v", used), paste0("b.c", used, " AS c", used))
  how <- if (length(keys)) {
    paste0(" JOIN (", means, ") b ON ", paste0("a.", keys, " = b.", keys, collapse = " AND "))
  } else {
    paste0(" CROSS JOIN (", means, ") b")
  }
  paste0("SELECT ", paste(what, collapse = ", "), " FROM (", rows, ") a", how)
}

# The query, with one row, for the number of rows, the number of complete rows of weight 0, the smallest weight, and for
# each test of doubtful_values() the number of complete rows for which it holds.
count_query <- function(plan) {
  weight <- plan$weight
  count <- function(tests) if (length(tests)) count_where(plan, sql_join(tests, "OR")) else "0"
  paste0("SELECT COUNT(*), ", count(if (!is.null(weight)) paste(weight, "= 0")), ", ",
         if (is.null(weight)) "0" else paste0("MIN(", weight, ")"), ", ",
         count(doubtful_values(plan)), " FROM ", plan$db$from)
}

# The expression for the number of complete rows for which a condition holds.
count_where <- function(plan, test) paste0("SUM(CASE WHEN ", plan$complete, " AND (", test, ") THEN 1 ELSE 0 END)")

# Conditions, named by column, for values that would be added up as something else: levels that were not given; in
# SQLite, where any column may hold text, text among numbers.
doubtful_values <- function(plan) {
  coder <- plan$coder
  scope <- list(coder = coder, db = plan$db)
  novel <- vapply(plan$given, function(name) {
    paste0(quoted(plan$db, name), " NOT IN (",
           paste(sql_values(coder$levels[[name]], name, scope), collapse = ", "), ")")
  }, "")
  if (!inherits(plan$db$con, "SQLiteConnection")) return(novel)
  columns <- c(coder$columns$predictors, coder$columns$response, coder$roles$weights)
  numbers <- setdiff(columns, c(coder$text, names(coder$levels)))
  text <- vapply(numbers, function(name) {
    paste0("typeof(", quoted(plan$db, name), ") IN ('text', 'blob')")
  }, "")
  c(novel, text)
}

# ---- the table: its own sums, or its rows fetched ------------------------------------------------

SUMS_FAILED <- "Give {.code method = \"stream\"}, by which terms are computed in R: nothing was kept."

moments_from_database <- function(ask, data) {
  db <- open_table(data, ask)
  columns <- model_columns(ask, db$names)
  seen <- first_complete(db, columns)
  coder <- make_coder(ask, columns, seen, function(unknown) lapply(unknown, function(name) {
    sql <- paste("SELECT DISTINCT", quoted(db, name), "FROM", db$from, "WHERE", sql_complete(quoted(db, columns$all)))
    rows <- query_rows(db, sql, paste0("finding the levels of the column \"", name, "\""), LEVELS_MOST + 1)
    refuse_levels(name, nrow(rows), db$call)
    sort(as.character(rows[[1]]))
  }))
  coder$text <- names(seen)[vapply(seen, is.character, NA)]
  sql <- choose_method(ask, coder, db)
  if (is.null(sql)) {
    if (ask$sql_only) return(c(rows = stream_query(db, columns)))
    rows <- chunk_rows(ask, length(columns$all))
    reader <- database_reader(db, columns, rows)
    return(c(stream_moments(ask, reader, columns, coder), engine = reader$label))
  }
  plan <- sum_plan(ask, coder, sql, code_rows(coder, seen))
  if (ask$sql_only) {
    queries <- vapply(pair_slices(length(plan$shift)), sum_query, "", plan = plan)
    return(c(count = count_query(plan), stats::setNames(queries, paste0("sums", seq_along(queries)))))
  }
  sums <- without_jit(db, sums_in_database(plan))
  list(sums = sums, coder = coder, engine = paste0("SQL (", db$label, ")"))
}

sums_in_database <- function(plan) {
  row <- vapply(query_rows(plan$db, count_query(plan), "counting the rows", hint = SUMS_FAILED), as_number, 0)
  row[is.na(row)] <- 0
  if (row[[3]] < 0) abort_weights(row[[3]], plan$db$call)
  if (row[[4]] > 0) abort_doubtful(plan, row[[4]])
  first <- collect_sums(plan)
  if (!length(first$n)) abort_no_rows(row[[1]], plan$coder$columns$all, plan$db$call)
  cells <- centred_sums(first, rep(list(plan$shift), length(first$n)), plan)
  # columns that lost digits: in some cell the mean is more than 4 standard deviations from the shift. Sums of whole
  # numbers are exact
  far <- Reduce(`|`, lapply(cells, function(cell) cell$raw > 17 * diag(cell$cross)))
  far <- which(far & !plan$whole)
  if (length(far)) cells <- around_means(cells, plan, far, first)
  cells <- lapply(cells, function(cell) { # a column whose variation in a cell is rounding is constant there
    still <- diag(cell$cross) <= cell$weight * (64 * .Machine$double.eps * abs(cell$mean))^2
    cell$cross[still, ] <- 0
    cell$cross[, still] <- 0
    cell
  })
  refuse_sizes_in_database(cells, plan)
  dropped <- row[[1]] - row[[2]] - sum(first$n)
  list(labels = first$labels, cells = cells, dropped = dropped, lost = if (dropped > 0) all_domains(plan))
}

# All domains of the table, also those without complete rows.
all_domains <- function(plan) {
  column <- plan$coder$roles$domain
  if (is.null(column)) return(NULL)
  sql <- paste("SELECT DISTINCT", quoted(plan$db, column), "FROM", plan$db$from)
  known_cells(query_rows(plan$db, sql, "reading the names of the domains")[[1]])
}

abort_doubtful <- function(plan, number) {
  tests <- doubtful_values(plan)
  sql <- paste("SELECT", paste(count_where(plan, tests), collapse = ", "), "FROM", plan$db$from)
  row <- vapply(query_rows(plan$db, sql, "counting doubtful values"), as_number, 0)
  name <- names(tests)[which.max(row)]
  what <- if (name %in% plan$given) "values that are not in {.arg levels}" else
    "text among its numbers"
  abort_input(paste0("Column {.val {name}} has ", what, ", in {number} row{?s}."), "moments",
              i = "Mend or leave out those rows or that column.", call = plan$db$call)
}

# The results of all slices of pairs, list(labels, n, weight, log_weight, first, second, centre): first and centre are
# cells x q, second a list of q x q matrices (lower triangles). columns: NULL, or the columns whose pairs are added up
# again about the means of the cells of `known`.
collect_sums <- function(plan, columns = NULL, known = NULL) {
  q <- length(plan$shift)
  around <- !is.null(columns)
  slices <- pair_slices(q, columns %||% seq_len(q), AGGREGATES_MOST / (1 + around))
  out <- if (!is.null(known)) no_sums_yet(known$labels, known[c("n", "weight", "log_weight")], q)
  tell <- new_progress("Queries of sums", length(slices))
  for (s in seq_along(slices)) {
    pairs <- slices[[s]]
    part <- paste0(if (around) "adding up about the means" else "adding up", ", query ", s, " of ",
                   length(slices))
    rows <- query_rows(plan$db, sum_query(pairs, plan, around), part, hint = SUMS_FAILED)
    out <- add_slice(out, pairs, rows, plan, around)
    if (!is.null(tell)) tell(s)
  }
  out
}

add_slice <- function(out, pairs, rows, plan, around) {
  q <- length(plan$shift)
  keys <- length(plan$keys)
  labels <- database_labels(rows, plan)
  values <- matrix(unlist(lapply(rows[seq_along(rows) > keys], as_number), use.names = FALSE),
                   nrow(rows))
  counted <- values[, 1] > 0
  values <- values[counted, , drop = FALSE]
  labels <- labels[counted, , drop = FALSE]
  twice <- labels$domain[duplicated(cell_key(labels))]
  if (length(twice)) {
    abort_input("{.arg data} has two groups that are both called {.val {twice[1]}} in R.",
                "moments",
                i = "Give {.code method = \"stream\"}, or domains and folds of plain text.",
                call = plan$db$call)
  }
  out <- out %||% no_sums_yet(labels, list(n = values[, 1], weight = values[, 2], log_weight = values[, 3]), q)
  at <- match(cell_key(out$labels), cell_key(labels))
  if (anyNA(at) || nrow(values) != length(at) || !identical(values[at, 1], out$n)) {
    abort_input("{.arg data}: the table changed between two queries.", "moments",
                i = "Call {.fn moments} again, or inside a transaction, so that all queries see the
                     same rows.",
                call = plan$db$call)
  }
  values <- values[at, -(1:3), drop = FALSE]
  sum <- which(pairs$k == 0)
  out$first[, pairs$j[sum]] <- values[, sum]
  if (around) out$centre[, pairs$j[sum]] <- values[, nrow(pairs) + seq_along(sum)]
  place <- as.matrix(pairs[pairs$k > 0, ])
  for (g in seq_along(out$n)) out$second[[g]][place] <- values[g, which(pairs$k > 0)]
  out
}

no_sums_yet <- function(labels, totals, q) {
  cells <- length(totals$n)
  c(list(labels = labels), totals, list(first = matrix(0, cells, q), second = rep(list(matrix(0, q, q)), cells),
                                        centre = matrix(0, cells, q)))
}

# The labels, data.frame(domain, fold), of the rows of a result.
database_labels <- function(rows, plan) {
  roles <- plan$coder$roles
  key <- function(present, at, otherwise) {
    if (!present) return(rep(otherwise, nrow(rows)))
    v <- rows[[at]]
    value_names(plain_number(v))
  }
  has_domain <- !is.null(roles$domain)
  data.frame(domain = key(has_domain, 1, "all"),
             fold = key(!is.null(roles$fold), 1 + has_domain, NA_character_))
}

# The cells from sums of columns less `centre`; `raw` are the sums of squares before they are centred at the mean.
centred_sums <- function(sums, centre, plan) {
  refuse_sums(sums, plan)
  lapply(seq_along(sums$n), function(g) {
    first <- sums$first[g, ]
    second <- sums$second[[g]]
    second[upper.tri(second)] <- t(second)[upper.tri(second)]
    mean <- add_exactly(centre[[g]], first / sums$weight[g])
    list(n = sums$n[g], weight = sums$weight[g], log_weight = sums$log_weight[g], mean = mean$sum, rest = mean$rest,
         cross = second - tcrossprod(first) / sums$weight[g], raw = diag(second))
  })
}

# The cells with the products of the columns `far` added up again about the mean of each cell.
around_means <- function(cells, plan, far, first) {
  again <- collect_sums(plan, far, first)
  better <- centred_sums(again, lapply(seq_along(again$n), function(g) again$centre[g, ]), plan)
  Map(function(old, new) {
    old$mean[far] <- new$mean[far]
    old$rest[far] <- new$rest[far]
    old$cross[far, ] <- new$cross[far, ]
    old$cross[, far] <- new$cross[, far]
    old
  }, cells, better)
}

refuse_sums <- function(sums, plan) {
  wrong <- which(colSums(!is.finite(sums$first)) > 0)
  for (second in sums$second) wrong <- union(wrong, which(!is.finite(diag(second))))
  if (!length(wrong)) return(invisible())
  name <- c(plan$coder$blueprint$columns, plan$coder$response)[wrong[1]]
  abort_input("Column {.val {name}} has {.code NaN} or infinite values, or too large ones.",
              "moments", i = "Leave such rows out; {.code method = \"stream\"} drops {.code NaN}.",
              call = plan$db$call)
}

# An error for columns whose squares underflow or overflow: where the sums do not show it, by a query for the least and
# the greatest value.
refuse_sizes_in_database <- function(cells, plan) {
  q <- length(plan$shift)
  in_some <- function(test) {
    Reduce(`|`, lapply(cells, function(cell) test(abs(cell$mean), diag(cell$cross), cell$weight)))
  }
  small <- !in_some(function(mean, square, weight) mean > SQUARES_LEAST | square > SQUARES_LEAST^2) & !plan$whole
  large <- seq_len(q) == q & in_some(function(mean, square, weight) mean^2 + square / weight > SQUARES_MOST)
  for (j in which(small | large)) {
    sql <- paste0("SELECT MIN(v", j, "), MAX(v", j, ") FROM (", row_query(plan, j), ") transelect_r")
    range <- vapply(query_rows(plan$db, sql, "reading the size of a column"), as_number, 0)
    sizes <- list(least = rep(Inf, q), most = rep(-Inf, q))
    sizes$least[j] <- range[1]
    sizes$most[j] <- range[2]
    refuse_sizes(sizes, c(plan$coder$blueprint$columns, plan$coder$response), plan$db$call)
  }
}
