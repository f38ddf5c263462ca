# Sums over rows by cell (domain and fold), of dense and of sparse columns.

moments_rows_add <- function(x, ...) if (isS4(x)) moments_rows_sums_of_sparse(x, ...) else moments_rows_sums(x, ...)

# The moments of rows: x a double matrix, or a list of them, y n numbers or a matrix; domain, fold, weights n values or
# NULL; columns, response: names of the columns of x and of y. refuse: NULL, or a function that is called first where
# the rows cannot be added up, for an error of its own.
moments_rows_sums <- function(x, y, domain, fold, weights, columns, response, refuse = NULL, call) {
  parts <- c(if (is.matrix(x)) list(x) else x, list(y))
  n <- NROW(y)
  cells <- moments_rows_code_cells(domain, fold, n)
  if (!nrow(cells$labels)) return(moments_cells_none(n))
  found <- progress_during("Rows", .Call(C_moments, parts, cells$code - 1L, nrow(cells$labels), weights))
  if (found$status != 0) {
    if (!is.null(refuse)) refuse()
    value <- do.call(cbind, parts)[, found$bad]
    size <- if (any(is.infinite(value))) "infinite" else "large"
    moments_cells_abort_value(c(columns, response)[found$bad], size, call)
  }
  there <- found$n > 0
  sums <- list(labels = cells$labels, cells = found$cells, dropped = found$dropped, lost = character())
  if (all(there)) return(sums)
  sums$labels <- cells$labels[there, , drop = FALSE]
  sums$cells <- found$cells[there]
  sums$lost <- cells$labels$domain[!there]
  sums
}

# list(code, labels): for each row the number of its cell, 0 where domain or fold is missing; the labels of the cells.
moments_rows_code_cells <- function(domain, fold, n) {
  if (is.null(domain) && is.null(fold) && n > 0) {
    return(list(code = rep(1L, n), labels = table_data_frame(list(domain = "all", fold = NA_character_))))
  }
  domains <- moments_rows_code_values(domain, "all", n)
  folds <- moments_rows_code_values(fold, NA_character_, n)
  step <- length(domains$values)
  most <- step * as.double(length(folds$values))
  if (most > .Machine$integer.max) step <- as.double(step)
  both <- if (is.null(fold)) domains$code else if (is.null(domain)) folds$code else
    domains$code + step * (folds$code - 1L)
  used <- if (most <= n) which(tabulate(both, most) > 0) else unique(both[!is.na(both)])
  code <- if (length(used) == most && is.integer(both) && !anyNA(both)) both else match(both, used, nomatch = 0L)
  labels <- table_data_frame(list(
    domain = domains$values[(used - 1) %% step + 1],
    fold = folds$values[(used - 1) %/% step + 1]
  ))
  list(code = code, labels = labels)
}

moments_rows_code_values <- function(v, all, n) {
  if (is.null(v)) return(list(code = rep_len(1L, min(n, 1L)), values = all)) # a single code stands for all rows
  if (is.factor(v)) return(list(code = as.integer(v), values = enc2utf8(levels(v))))
  distinct <- unique(v)
  distinct <- distinct[!is.na(distinct)]
  names <- words_value_names(distinct)
  values <- unique(names)
  list(code = match(names, values)[match(v, distinct)], values = values)
}

# The names of the domains or folds in a column, without NA.
moments_rows_known_cells <- function(v) {
  v <- unique(table_plain_number(v))
  words_value_names(v[!is.na(v)])
}

# moments_rows_sums() of a sparse matrix, some rows of which are made dense at a time.
moments_rows_sums_of_sparse <- function(x, y, domain, fold, weights, columns, response, refuse = NULL, call) {
  sums <- moments_cells_none()
  step <- max(1, floor(4e6 / (ncol(x) + 1)))
  for (from in seq(1, nrow(x), by = step)) {
    i <- from:min(nrow(x), from + step - 1)
    part <- moments_rows_sums(as.matrix(x[i, , drop = FALSE]), if (is.matrix(y)) y[i, , drop = FALSE] else y[i],
                              domain = domain[i], fold = fold[i], weights = weights[i], columns = columns,
                              response = response, refuse = refuse, call = call)
    sums <- moments_cells_join_sums(sums, part)
  }
  sums
}

# The cells, intercept, and by column (the response last) and domain: `mean` (0 without an intercept), `square`, the
# sum of squares about it, `spread`, the standard deviation (exactly 0 where the column is constant to rounding), and
# `moderated`, the same shrunk towards each other as far as those of the domains differ by chance.
# By column: is it `binary` (zeros and ones in every domain); `within`, the standard deviation within domains;
# `centre`, the mean of all rows. By domain: n and df (n - 1).
moments_rows_domain_sums <- function(cells, intercept) .Call(C_domain_sums, cells, intercept)
