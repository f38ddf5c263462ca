# Moments of a table in a database: from its own sums, or by fetching its rows.

SUMS_FAILED <- "Give {.code method = \"stream\"}, by which terms are computed in R: nothing was kept."

moments_from_database <- function(ask, data) {
  ask <- group_as_domain(ask, data)
  db <- open_table(data, ask)
  columns <- model_columns(ask, db$names)
  seen <- first_complete(db, columns)
  coder <- make_coder(ask, columns, seen,
                      function(unknown) lapply(unknown, distinct_values, db = db, columns = columns))
  coder$text <- names(seen)[vapply(seen, is.character, NA)]
  sql <- choose_method(ask, coder, db)
  if (is.null(sql)) {
    if (ask$sql_only) return(c(rows = stream_query(db, columns)))
    rows <- chunk_rows(ask, length(columns$all))
    reader <- database_reader(db, columns, rows)
    return(c(stream_moments(ask, reader, columns, coder), engine = reader$label))
  }
  plan <- sum_plan(ask, coder, sql, code_rows(coder, seen))
  if (ask$sql_only) return(c(count = count_query(plan), sum_queries(plan)))
  sums <- without_jit(db, sums_in_database(plan))
  list(sums = sums, coder = coder, engine = paste0("SQL (", db$label, ")"))
}

sums_in_database <- function(plan) {
  counts <- count_rows(plan)
  first <- collect_sums(plan)
  if (!length(first$n)) abort_no_rows(counts$all, plan$coder$columns$all, plan$db$call)
  cells <- centred_sums(first, rep(list(plan$shift), length(first$n)), plan)
  far <- far_columns(cells, plan)
  if (length(far)) cells <- around_means(cells, plan, far, first)
  cells <- lapply(cells, exact_zeros)
  refuse_sizes_in_database(cells, plan)
  dropped <- counts$all - counts$unweighted - sum(first$n)
  list(labels = first$labels, cells = cells, dropped = dropped, lost = if (dropped > 0) all_domains(plan))
}

# list(all, unweighted): rows, and complete rows of weight 0. Stops where weights are negative or
# columns hold what they should not.
count_rows <- function(plan) {
  counts <- query_rows(plan$db, count_query(plan), "counting the rows", hint = SUMS_FAILED)
  row <- vapply(counts, as_number, 0)
  row[is.na(row)] <- 0
  if (row[[3]] < 0) abort_weights(row[[3]], plan$db$call)
  if (row[[4]] > 0) abort_doubtful(plan, row[[4]])
  list(all = row[[1]], unweighted = row[[2]])
}

# Every domain of the table, complete rows or not.
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

# Asks all slices of pairs; with `columns`, those that touch them, about the means of the cells of
# `known`. list(labels, n, weight, log_weight, first: cells x q, second: list of q x q (lower triangle),
# centre: cells x q).
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

# data.frame(domain, fold) of the rows of a result.
database_labels <- function(rows, plan) {
  roles <- plan$coder$roles
  key <- function(present, at, otherwise) {
    if (!present) return(rep(otherwise, nrow(rows)))
    v <- rows[[at]]
    cell_names(plain_number(v))
  }
  has_domain <- !is.null(roles$domain)
  data.frame(domain = key(has_domain, 1, "all"),
             fold = key(!is.null(roles$fold), 1 + has_domain, NA_character_))
}

# The cells of `sums` about `centre`, with `raw`, the sums of squares before centring on the mean.
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

# Columns that lost digits: in some cell the mean is further from the shift than 4 standard
# deviations. Sums of whole numbers are exact anyway.
far_columns <- function(cells, plan) {
  far <- Reduce(`|`, lapply(cells, function(cell) cell$raw > 17 * diag(cell$cross)))
  which(far & !plan$whole)
}

# The sums of the columns `far` once more, less the mean of each cell.
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

# Sets the sums of a column to zero in cells where it varies by no more than rounding.
exact_zeros <- function(cell) {
  noise <- 64 * .Machine$double.eps * abs(cell$mean)
  still <- diag(cell$cross) <= cell$weight * noise^2
  cell$cross[still, ] <- 0
  cell$cross[, still] <- 0
  cell
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

# Refuses columns of a database that cannot be squared: it is asked for the least and greatest values of those whose
# sums leave it open.
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
