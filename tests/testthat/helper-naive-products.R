# All products of pairs of columns written out, column by column.
naive_products <- function(x, squares = FALSE, singles = FALSE) {
  if (is.null(colnames(x))) colnames(x) <- paste0("V", seq_len(ncol(x)))
  out <- if (singles) x else NULL
  names <- if (singles) colnames(x)
  for (a in seq_len(ncol(x))) for (b in seq_len(ncol(x))) {
    if (b < a || (b == a && !squares)) next
    out <- cbind(out, x[, a] * x[, b])
    names <- c(names, if (a == b) paste0(colnames(x)[a], "^2") else paste0(colnames(x)[a], ":", colnames(x)[b]))
  }
  dimnames(out) <- list(NULL, names)
  out
}

# The kinds of products there are.
product_kinds <- list(pairs = c(FALSE, FALSE), squares = c(TRUE, FALSE), singles = c(FALSE, TRUE),
                      both = c(TRUE, TRUE))
