# The queries by which a database adds up moments, and what is made of their results.

AGGREGATES_MOST <- 1500

# What all queries have in common. shift: for each column a value from the middle of the first rows, which is
# subtracted; keys and weight: columns in SQL or NULL; test: the condition for rows that are added up.
moments_query_plan <- function(ask, coder, sql, coded) {
  db <- sql$db
  role <- function(name) if (!is.null(ask$roles[[name]])) moments_database_quoted(db, ask$roles[[name]])
  middle <- function(v) sort(v)[(sum(!is.na(v)) + 1) %/% 2]
  shift <- apply(cbind(coded$x, coded$y), 2, middle)
  derived <- sql$expressions[!sql$plain & !sql$whole]
  weight <- role("weights")
  list(
    db = db, coder = coder, expressions = sql$expressions, whole = sql$whole & is.null(weight),
    shift = shift, keys = c(role("domain"), role("fold")), weight = weight,
    complete = moments_sql_complete(c(moments_database_quoted(db, coder$columns$all), derived)),
    given = intersect(names(ask$levels), c(coder$columns$predictors, coder$columns$response))
  )
}

# The pairs (j, k) of columns, j >= k, of which one is in `columns`, in slices of `most`; k = 0 stands for the sum of
# column j.
moments_query_pair_slices <- function(q, columns = seq_len(q), most = AGGREGATES_MOST) {
  k <- sequence(seq_len(q))
  j <- rep(seq_len(q), seq_len(q))
  touch <- j %in% columns | k %in% columns
  pairs <- data.frame(j = c(seq_len(q), j[touch]), k = c(rep(0L, q), k[touch]))
  split(pairs, (seq_len(nrow(pairs)) - 1) %/% most)
}

moments_query_key_names <- function(plan) c("key_1", "key_2")[seq_along(plan$keys)]

# The query SELECT keys, COUNT(*), weight, log weight, a sum for each pair. around: are the means of each cell, which
# come last in the result, subtracted in place of the shift?
moments_query_sums <- function(pairs, plan, around = FALSE) {
  used <- sort(unique(c(pairs$j, pairs$k[pairs$k > 0])))
  product <- ifelse(pairs$k == 0, paste0("v", pairs$j), paste0("v", pairs$j, " * v", pairs$k))
  weighted <- if (!is.null(plan$weight)) "w * "
  keys <- moments_query_key_names(plan)
  what <- c(
    keys, "COUNT(*)", if (is.null(weighted)) c("COUNT(*)", "0") else
      c("SUM(w)", if (is.null(plan$db$ln)) "NULL" else paste0("SUM(", plan$db$ln, "(w))")),
    paste0("SUM(", weighted, product, ")"),
    if (around) sprintf("MIN(c%d)", pairs$j[pairs$k == 0])
  )
  rows <- if (around) moments_query_rows_around(plan, used) else moments_query_rows(plan, used, plan$shift)
  paste0("SELECT ", paste(what, collapse = ", "), " FROM (", rows, ") transelect_s",
         moments_query_group_by(keys))
}

moments_query_group_by <- function(keys) if (length(keys)) paste(" GROUP BY", paste(keys, collapse = ", "))

# The query for the rows that are added up: keys, weight and the columns `used`, called v1, v2, ...
moments_query_rows <- function(plan, used, shift = NULL) {
  values <- plan$expressions[used]
  moved <- which(shift[used] != 0)
  values[moved] <- paste(values[moved], "-",
                         vapply(shift[used][moved], function(s) {
                           moments_sql_double(plan$db, moments_sql_number(s))
                         }, ""))
  what <- c(
    if (length(plan$keys)) paste(plan$keys, "AS", moments_query_key_names(plan)),
    if (!is.null(plan$weight)) paste(moments_sql_double(plan$db, plan$weight), "AS w"),
    paste0(values, " AS v", used)
  )
  paste0("SELECT ", paste(what, collapse = ", "), " FROM ", plan$db$from, " WHERE ",
         plan$complete, if (!is.null(plan$weight)) paste(" AND", plan$weight, "<> 0"),
         plan$db$fence)
}

# moments_query_rows() with the mean of the row's cell subtracted from each column; these means are columns c1, c2, ...
moments_query_rows_around <- function(plan, used) {
  keys <- moments_query_key_names(plan)
  rows <- moments_query_rows(plan, used)
  means <- paste0("SELECT ", paste(c(keys, paste0("AVG(v", used, ") AS c", used)), collapse = ", "),
                  " FROM (", rows, ") transelect_r", moments_query_group_by(keys))
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
# each test of moments_query_doubtful_values() the number of complete rows for which it holds.
moments_query_count <- function(plan) {
  weight <- plan$weight
  count <- function(tests) if (length(tests)) moments_query_count_where(plan, moments_sql_join(tests, "OR")) else "0"
  paste0("SELECT COUNT(*), ", count(if (!is.null(weight)) paste(weight, "= 0")), ", ",
         if (is.null(weight)) "0" else paste0("MIN(", weight, ")"), ", ",
         count(moments_query_doubtful_values(plan)), " FROM ", plan$db$from)
}

# The expression for the number of complete rows for which a condition holds.
moments_query_count_where <- function(plan, test) paste0("SUM(CASE WHEN ", plan$complete, " AND (", test,
                                                         ") THEN 1 ELSE 0 END)")

# Conditions, named by column, for values that would be added up as something else: levels that were not given; in
# SQLite, where any column may hold text, text among numbers.
moments_query_doubtful_values <- function(plan) {
  coder <- plan$coder
  scope <- list(coder = coder, db = plan$db)
  novel <- vapply(plan$given, function(name) {
    paste0(moments_database_quoted(plan$db, name), " NOT IN (",
           paste(moments_sql_values(coder$levels[[name]], name, scope), collapse = ", "), ")")
  }, "")
  if (!inherits(plan$db$con, "SQLiteConnection")) return(novel)
  columns <- c(coder$columns$predictors, coder$columns$response, coder$roles$weights)
  numbers <- setdiff(columns, c(coder$text, names(coder$levels)))
  text <- vapply(numbers, function(name) {
    paste0("typeof(", moments_database_quoted(plan$db, name), ") IN ('text', 'blob')")
  }, "")
  c(novel, text)
}

SUMS_FAILED <- "Give {.code method = \"stream\"}, by which terms are computed in R: nothing was kept."

moments_query_moments <- function(ask, data) {
  db <- moments_database_open(data, ask)
  columns <- moments_model_columns(ask, db$names)
  seen <- moments_sql_first_complete(db, columns)
  coder <- moments_model_coder(ask, columns, seen, function(unknown) lapply(unknown, function(name) {
    sql <- paste("SELECT DISTINCT", moments_database_quoted(db, name), "FROM", db$from, "WHERE",
                 moments_sql_complete(moments_database_quoted(db, columns$all)))
    rows <- moments_database_query_rows(db, sql, paste0("finding the levels of the column \"", name, "\""),
                                        LEVELS_MOST + 1)
    moments_stream_refuse_levels(name, nrow(rows), db$call)
    sort(as.character(rows[[1]]))
  }))
  coder$text <- names(seen)[vapply(seen, is.character, NA)]
  sql <- moments_sql_choose_method(ask, coder, db)
  if (is.null(sql)) {
    if (ask$sql_only) return(c(rows = moments_database_stream_query(db, columns)))
    rows <- moments_stream_chunk_rows(ask, length(columns$all))
    reader <- moments_database_reader(db, columns, rows)
    return(c(moments_stream_sums(ask, reader, columns, coder), engine = reader$label))
  }
  plan <- moments_query_plan(ask, coder, sql, moments_model_code_rows(coder, seen))
  if (ask$sql_only) {
    queries <- vapply(moments_query_pair_slices(length(plan$shift)), moments_query_sums, "", plan = plan)
    return(c(count = moments_query_count(plan), stats::setNames(queries, paste0("sums", seq_along(queries)))))
  }
  sums <- moments_database_without_jit(db, moments_query_sums_in_database(plan))
  list(sums = sums, coder = coder, engine = paste0("SQL (", db$label, ")"))
}

moments_query_sums_in_database <- function(plan) {
  row <- vapply(moments_database_query_rows(plan$db, moments_query_count(plan), "counting the rows",
                                            hint = SUMS_FAILED), moments_sql_as_number, 0)
  row[is.na(row)] <- 0
  if (row[[3]] < 0) moments_model_abort_weights(row[[3]], plan$db$call)
  if (row[[4]] > 0) moments_query_abort_doubtful(plan, row[[4]])
  first <- moments_query_collect(plan)
  if (!length(first$n)) moments_stream_abort_no_rows(row[[1]], plan$coder$columns$all, plan$db$call)
  cells <- moments_query_centred(first, rep(list(plan$shift), length(first$n)), plan)
  # columns that lost digits: in some cell the mean is more than 4 standard deviations from the shift. Sums of whole
  # numbers are exact
  far <- Reduce(`|`, lapply(cells, function(cell) cell$raw > 17 * diag(cell$cross)))
  far <- which(far & !plan$whole)
  if (length(far)) cells <- moments_query_around_means(cells, plan, far, first)
  cells <- lapply(cells, function(cell) { # a column whose variation in a cell is rounding is constant there
    still <- diag(cell$cross) <= cell$weight * (64 * .Machine$double.eps * abs(cell$mean))^2
    cell$cross[still, ] <- 0
    cell$cross[, still] <- 0
    cell
  })
  moments_query_refuse_sizes(cells, plan)
  dropped <- row[[1]] - row[[2]] - sum(first$n)
  list(labels = first$labels, cells = cells, dropped = dropped, lost = if (dropped > 0) moments_query_all_domains(plan))
}

# All domains of the table, also those without complete rows.
moments_query_all_domains <- function(plan) {
  column <- plan$coder$roles$domain
  if (is.null(column)) return(NULL)
  sql <- paste("SELECT DISTINCT", moments_database_quoted(plan$db, column), "FROM", plan$db$from)
  moments_rows_known_cells(moments_database_query_rows(plan$db, sql, "reading the names of the domains")[[1]])
}

moments_query_abort_doubtful <- function(plan, number) {
  tests <- moments_query_doubtful_values(plan)
  sql <- paste("SELECT", paste(moments_query_count_where(plan, tests), collapse = ", "), "FROM", plan$db$from)
  row <- vapply(moments_database_query_rows(plan$db, sql, "counting doubtful values"), moments_sql_as_number, 0)
  name <- names(tests)[which.max(row)]
  what <- if (name %in% plan$given) "values that are not in {.arg levels}" else
    "text among its numbers"
  abort_input(paste0("Column {.val {name}} has ", what, ", in {number} row{?s}."), "moments",
              i = "Mend or leave out those rows or that column.", call = plan$db$call)
}

# The results of all slices of pairs, list(labels, n, weight, log_weight, first, second, centre): first and centre are
# cells x q, second a list of q x q matrices (lower triangles). columns: NULL, or the columns whose pairs are added up
# again about the means of the cells of `known`.
moments_query_collect <- function(plan, columns = NULL, known = NULL) {
  q <- length(plan$shift)
  around <- !is.null(columns)
  slices <- moments_query_pair_slices(q, columns %||% seq_len(q), AGGREGATES_MOST / (1 + around))
  sums <- if (!is.null(known)) moments_query_no_sums(known$labels, known[c("n", "weight", "log_weight")], q)
  tell <- progress_new("Queries of sums", length(slices))
  for (s in seq_along(slices)) {
    pairs <- slices[[s]]
    part <- paste0(if (around) "adding up about the means" else "adding up", ", query ", s, " of ",
                   length(slices))
    rows <- moments_database_query_rows(plan$db, moments_query_sums(pairs, plan, around), part, hint = SUMS_FAILED)
    sums <- moments_query_add_slice(sums, pairs, rows, plan, around)
    if (!is.null(tell)) tell(s)
  }
  sums
}

moments_query_add_slice <- function(sums, pairs, rows, plan, around) {
  q <- length(plan$shift)
  keys <- length(plan$keys)
  labels <- moments_query_labels(rows, plan)
  values <- matrix(unlist(lapply(rows[seq_along(rows) > keys], moments_sql_as_number), use.names = FALSE),
                   nrow(rows))
  counted <- values[, 1] > 0
  values <- values[counted, , drop = FALSE]
  labels <- labels[counted, , drop = FALSE]
  twice <- labels$domain[duplicated(moments_cells_key(labels))]
  if (length(twice)) {
    abort_input("{.arg data} has two groups that are both called {.val {twice[1]}} in R.",
                "moments",
                i = "Give {.code method = \"stream\"}, or domains and folds of plain text.",
                call = plan$db$call)
  }
  sums <- sums %||% moments_query_no_sums(labels, list(n = values[, 1], weight = values[, 2], log_weight = values[, 3]),
                                        q)
  cell <- match(moments_cells_key(sums$labels), moments_cells_key(labels))
  if (anyNA(cell) || nrow(values) != length(cell) || !identical(values[cell, 1], sums$n)) {
    abort_input("{.arg data}: the table changed between two queries.", "moments",
                i = "Call {.fn moments} again, or inside a transaction, so that all queries see the
                     same rows.",
                call = plan$db$call)
  }
  values <- values[cell, -(1:3), drop = FALSE]
  sum <- which(pairs$k == 0)
  sums$first[, pairs$j[sum]] <- values[, sum]
  if (around) sums$centre[, pairs$j[sum]] <- values[, nrow(pairs) + seq_along(sum)]
  place <- as.matrix(pairs[pairs$k > 0, ])
  for (g in seq_along(sums$n)) sums$second[[g]][place] <- values[g, which(pairs$k > 0)]
  sums
}

moments_query_no_sums <- function(labels, totals, q) {
  cells <- length(totals$n)
  c(list(labels = labels), totals, list(first = matrix(0, cells, q), second = rep(list(matrix(0, q, q)), cells),
                                        centre = matrix(0, cells, q)))
}

# The labels, data.frame(domain, fold), of the rows of a result.
moments_query_labels <- function(rows, plan) {
  roles <- plan$coder$roles
  key <- function(present, column, otherwise) {
    if (!present) return(rep(otherwise, nrow(rows)))
    v <- rows[[column]]
    words_value_names(table_plain_number(v))
  }
  has_domain <- !is.null(roles$domain)
  data.frame(domain = key(has_domain, 1, "all"),
             fold = key(!is.null(roles$fold), 1 + has_domain, NA_character_))
}

# The cells from sums of columns less `centre`; `raw` are the sums of squares before they are centred at the mean.
moments_query_centred <- function(sums, centre, plan) {
  moments_query_refuse_sums(sums, plan)
  lapply(seq_along(sums$n), function(g) {
    first <- sums$first[g, ]
    second <- sums$second[[g]]
    second[upper.tri(second)] <- t(second)[upper.tri(second)]
    mean <- moments_cells_add_exactly(centre[[g]], first / sums$weight[g])
    list(n = sums$n[g], weight = sums$weight[g], log_weight = sums$log_weight[g], mean = mean$sum, rest = mean$rest,
         cross = second - tcrossprod(first) / sums$weight[g], raw = diag(second))
  })
}

# The cells with the products of the columns `far` added up again about the mean of each cell.
moments_query_around_means <- function(cells, plan, far, first) {
  again <- moments_query_collect(plan, far, first)
  better <- moments_query_centred(again, lapply(seq_along(again$n), function(g) again$centre[g, ]), plan)
  Map(function(old, new) {
    old$mean[far] <- new$mean[far]
    old$rest[far] <- new$rest[far]
    old$cross[far, ] <- new$cross[far, ]
    old$cross[, far] <- new$cross[, far]
    old
  }, cells, better)
}

moments_query_refuse_sums <- function(sums, plan) {
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
moments_query_refuse_sizes <- function(cells, plan) {
  q <- length(plan$shift)
  in_some <- function(test) {
    Reduce(`|`, lapply(cells, function(cell) test(abs(cell$mean), diag(cell$cross), cell$weight)))
  }
  small <- !in_some(function(mean, square, weight) mean > SQUARES_LEAST | square > SQUARES_LEAST^2) & !plan$whole
  large <- seq_len(q) == q & in_some(function(mean, square, weight) mean^2 + square / weight > SQUARES_MOST)
  for (j in which(small | large)) {
    sql <- paste0("SELECT MIN(v", j, "), MAX(v", j, ") FROM (", moments_query_rows(plan, j), ") transelect_r")
    range <- vapply(moments_database_query_rows(plan$db, sql, "reading the size of a column"), moments_sql_as_number, 0)
    sizes <- list(least = rep(Inf, q), most = rep(-Inf, q))
    sizes$least[j] <- range[1]
    sizes$most[j] <- range[2]
    moments_cells_refuse_sizes(sizes, c(plan$coder$blueprint$columns, plan$coder$response), plan$db$call)
  }
}
