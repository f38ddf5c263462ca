# Data frames, factors and sparse matrices of values that are known to be valid, made without checks.

# A matrix of one column as a vector.
table_one_column <- function(value) {
  value <- table_plain_number(value)
  if (is.matrix(value) && ncol(value) == 1) value[, 1] else value
}

# Integers of 64 bits as the numbers that they stand for, and an array of one dimension, or a data frame of one column,
# as the vector that it is.
table_plain_number <- function(value) {
  if (is.data.frame(value) && length(value) == 1L) value <- value[[1]]
  if (is.object(value) && inherits(value, "integer64")) {
    rlang::check_installed("bit64", "to read 64-bit integers")
    loadNamespace("bit64")
    value <- as.double(value)
  }
  if (length(dim(value)) != 1L) return(value)
  if (is.table(value)) value <- unclass(value)
  dim(value) <- NULL
  value
}

# table_plain_number() of the columns of a data frame.
table_plain_numbers <- function(data) {
  for (j in which(vapply(data, function(v) inherits(v, "integer64") || length(dim(v)) == 1L, NA))) {
    data[[j]] <- table_plain_number(data[[j]])
  }
  data
}

# A dgCMatrix from its slots, which are known to be valid: new() would check them, and `@<-` the class of each.
table_sparse_matrix <- function(i, p, x, dim, dimnames) {
  matrix <- EMPTY_SPARSE
  attr(matrix, "i") <- i
  attr(matrix, "p") <- p
  attr(matrix, "x") <- x
  attr(matrix, "Dim") <- dim
  attr(matrix, "Dimnames") <- dimnames
  matrix
}

EMPTY_SPARSE <- new("dgCMatrix")

# A dense matrix whose rows are those numbered `rows` of p, all others being zero.
table_sparse_rows <- function(dense, names, rows = seq_len(p), p = nrow(dense)) {
  stored <- which(is.na(dense) | dense != 0)
  before <- stored - 1L
  in_column <- tabulate(before %/% nrow(dense) + 1L, ncol(dense))
  table_sparse_matrix(rows[before %% nrow(dense) + 1L] - 1L, c(0L, cumsum(in_column)), dense[stored], c(p, ncol(dense)),
                      list(names, NULL))
}

# Lists of the same columns, one below the other.
table_stacked <- function(tables) if (length(tables) == 1L) tables[[1]] else .Call(C_stacked, tables)

# A data frame of columns known to be of one length, which list2DF() would check.
table_data_frame <- function(columns) {
  attr(columns, "row.names") <- .set_row_names(length(columns[[1]]))
  class(columns) <- "data.frame"
  columns
}

# Numbers of columns, ascending, each once; there is nothing to sort.
table_distinct_columns <- function(columns) which(tabulate(columns) > 0L)

table_nan_to_na <- function(x) {
  x[is.nan(x)] <- NA
  x
}

# For each column of a logical matrix the names of its rows that are TRUE, one string.
table_names_by_column <- function(true, names) {
  true_cell <- which(true) - 1L
  table_change_names(true_cell %/% nrow(true) + 1L, names[true_cell %% nrow(true) + 1L], ncol(true), identity)
}

# The names of the rows that changed at each of n events, NA where none did.
table_change_names <- function(event, label, n, arranged = sort) {
  changed <- rep.int(NA_character_, n)
  changed[event] <- label
  if (!anyDuplicated(event)) return(changed)
  shared <- event %in% event[duplicated(event)]
  several <- vapply(split(label[shared], event[shared]),
                    function(x) paste(arranged(x), collapse = ", "), "")
  changed[as.integer(names(several))] <- several
  changed
}

# As factor() of a vector that names domains or folds, of a factor its levels in use. It does not turn the value of
# every row into text first.
table_factor <- function(x) {
  if (is.factor(x)) return(table_used_levels(x))
  values <- table_distinct_sorted(x)
  labels <- words_value_names(values)
  if (anyDuplicated(labels)) return(factor(x))
  coded <- is.integer(x) && identical(values, seq_along(values))
  codes <- if (coded) as.integer(x) else match(x, values)
  attr(codes, "levels") <- labels
  class(codes) <- "factor"
  codes
}

# sort(unique(x)); small whole numbers are counted, not sorted.
table_distinct_sorted <- function(x) {
  if (length(x) && is.integer(x) && !is.object(x)) {
    counts <- tabulate(x, 1000L)
    missing <- if (anyNA(x)) sum(is.na(x)) else 0L
    if (sum(counts) + missing == length(x)) return(which(counts > 0L))
  }
  sort(unique(x))
}

# As droplevels(), but faster where every level is in use.
table_used_levels <- function(f) {
  if (all(tabulate(f, nlevels(f)) > 0)) f else droplevels(f)
}
