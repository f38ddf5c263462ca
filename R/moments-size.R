# Columns whose values cannot be squared, refused as those of rows are: their products are zero, or
# not finite, and they would pass for constant ones.

SQUARES_LEAST <- 1e-140 # values whose squares are numbers
SQUARES_MOST <- 1e140

# Least and greatest finite values of the columns, the response last: of those that are in question
# still. `sizes`: of the rows before, or NULL.
column_sizes <- function(sizes, x, y) {
  q <- ncol(x) + 1
  sizes <- sizes %||% list(least = rep(Inf, q), most = rep(-Inf, q))
  open <- which(pmax(-sizes$least, sizes$most) <= SQUARES_LEAST)
  for (j in union(open, q)) {
    v <- if (j == q) y else x[, j]
    v <- v[is.finite(v)]
    if (!length(v)) next
    sizes$least[j] <- min(sizes$least[j], v)
    sizes$most[j] <- max(sizes$most[j], v)
  }
  sizes
}

refuse_sizes <- function(sizes, columns, call) {
  size <- pmax(-sizes$least, sizes$most)
  q <- length(columns)
  if (is.finite(size[q]) && size[q] > SQUARES_MOST) abort_moments_value(columns[q], "large", call)
  small <- which(sizes$most > sizes$least & size <= SQUARES_LEAST)
  if (length(small)) abort_moments_value(columns[small[1]], "small", call)
}

# Refuses columns of a database that cannot be squared: it is asked for the least and greatest values of those whose
# sums leave it open.
refuse_sizes_in_database <- function(sums, plan) {
  q <- length(plan$shift)
  mean <- abs(sums$mean)
  square <- do.call(rbind, lapply(sums$cross, diag))
  small <- colSums(mean > SQUARES_LEAST | square > SQUARES_LEAST^2) == 0 & !plan$whole
  large <- seq_len(q) == q & colSums(mean^2 + square / sums$weight > SQUARES_MOST) > 0
  for (j in which(small | large)) {
    sql <- paste0("SELECT MIN(v", j, "), MAX(v", j, ") FROM (", row_query(plan, j), ") transelect_r")
    range <- vapply(query_rows(plan$db, sql, "reading the size of a column"), as_number, 0)
    sizes <- list(least = rep(Inf, q), most = rep(-Inf, q))
    sizes$least[j] <- range[1]
    sizes$most[j] <- range[2]
    refuse_sizes(sizes, c(plan$coder$blueprint$columns, plan$coder$response), plan$db$call)
  }
}
