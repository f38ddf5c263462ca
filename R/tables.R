# Tables and sparse matrices of columns that are known to be valid, made without the checks of data.frame() and new();
# names of rows.

# A dgCMatrix from its slots, which are known to be valid: new() would check them, and `@<-` the class of each.
sparse_matrix <- function(i, p, x, dim, dimnames) {
  out <- EMPTY_SPARSE
  attr(out, "i") <- i
  attr(out, "p") <- p
  attr(out, "x") <- x
  attr(out, "Dim") <- dim
  attr(out, "Dimnames") <- dimnames
  out
}

EMPTY_SPARSE <- new("dgCMatrix")

# A dense matrix whose rows are those numbered `rows` of p, all others being zero.
as_sparse <- function(dense, names, rows = seq_len(p), p = nrow(dense)) {
  at <- which(is.na(dense) | dense != 0)
  before <- at - 1L
  in_column <- tabulate(before %/% nrow(dense) + 1L, ncol(dense))
  sparse_matrix(rows[before %% nrow(dense) + 1L] - 1L, c(0L, cumsum(in_column)), dense[at], c(p, ncol(dense)),
                list(names, NULL))
}

# Lists of the same columns, one below the other.
stacked <- function(tables) {
  if (length(tables) == 1L) return(tables[[1]])
  lapply(stats::setNames(nm = names(tables[[1]])), function(name) {
    unlist(lapply(tables, `[[`, name), use.names = FALSE)
  })
}

# A data frame of columns known to be of one length, which list2DF() would check.
quick_frame <- function(columns) {
  attr(columns, "row.names") <- .set_row_names(length(columns[[1]]))
  class(columns) <- "data.frame"
  columns
}

# Numbers of columns, ascending, each once; there is nothing to sort.
distinct_columns <- function(columns) which(tabulate(columns) > 0L)

nan_to_na <- function(x) {
  x[is.nan(x)] <- NA
  x
}

# For each column of a logical matrix the names of its rows that are TRUE, one string.
names_by_column <- function(true, names) {
  at <- which(true) - 1L
  change_names(at %/% nrow(true) + 1L, names[at %% nrow(true) + 1L], ncol(true), identity)
}

# The names of the rows that changed at each of n events, NA where none did.
change_names <- function(event, label, n, arranged = sort) {
  out <- rep.int(NA_character_, n)
  out[event] <- label
  if (!anyDuplicated(event)) return(out)
  shared <- event %in% event[duplicated(event)]
  several <- vapply(split(label[shared], event[shared]),
                    function(x) paste(arranged(x), collapse = ", "), "")
  out[as.integer(names(several))] <- several
  out
}

# ---- names of rows, which fitted(), residuals() and predict() carry as lm()'s do ----------------------

# The names of the rows of data, NULL where they have none. Numbers stay numbers: R writes them out as text only where
# somebody looks at them.
row_labels <- function(data) {
  if (is.data.frame(data)) attr(data, "row.names") else dimnames(data)[[1L]]
}

# A vector, factor, matrix, array or data frame with a name for every row.
with_row_names <- function(value, labels) {
  if (!length(labels) || is.null(value)) return(value)
  if (is.data.frame(value)) {
    if (!anyDuplicated(labels)) attr(value, "row.names") <- labels
  } else if (is.null(dim(value))) {
    names(value) <- as.character(labels)
  } else {
    others <- dimnames(value)[-1L] %||% rep(list(NULL), length(dim(value)) - 1L)
    dimnames(value) <- c(list(as.character(labels)), others)
  }
  value
}

# As factor() of a vector that names domains or folds, of a factor its levels in use. It does not turn the value of
# every row into text first.
quick_factor <- function(x) {
  if (is.factor(x)) return(used_levels(x))
  values <- distinct_sorted(x)
  labels <- as.character(values)
  if (anyDuplicated(labels)) return(factor(x))
  coded <- is.integer(x) && identical(values, seq_along(values))
  codes <- if (coded) as.integer(x) else match(x, values)
  attr(codes, "levels") <- labels
  class(codes) <- "factor"
  codes
}

# sort(unique(x)), of small whole numbers without a table of their values.
distinct_sorted <- function(x) {
  counts <- if (is.integer(x) && !is.object(x)) tabulate(x, 1000L)
  if (length(x) && sum(counts) == length(x)) which(counts > 0L) else sort(unique(x))
}

# As droplevels(), but faster where every level is in use.
used_levels <- function(f) {
  if (all(tabulate(f, nlevels(f)) > 0)) f else droplevels(f)
}
