# Groups of columns in the exact search: units that enter whole, each with as many coordinates as the largest group
# has columns. The places that a smaller group leaves are filled with coordinates that nothing depends on.

# What is searched: `form`, `pen` and `force` by unit; `columns`, the number of columns of each; `of`, the
# unit of every usable column.
search_units <- function(form, pen, force, columns, settings) {
  of <- settings$groups$of[columns]
  if (is.null(of) || !anyDuplicated(of)) {
    at <- seq_along(columns)
    return(list(form = form, pen = pen, force = force, columns = rep(1L, length(columns)), of = at))
  }
  of <- match(of, unique(of))
  size <- tabulate(of)
  list(form = padded_form(form, of, size), pen = as.vector(rowsum(pen, of)),
       force = as.integer(tapply(force, of, function(f) f[which.max(abs(f))])), columns = size, of = of)
}

padded_form <- function(form, of, size) {
  most <- max(size)
  place <- (of - 1L) * most + as.integer(stats::ave(seq_along(of), of, FUN = seq_along))
  domains <- form$n_domains
  at <- as.vector(outer(seq_len(domains), (place - 1L) * domains, `+`))
  N <- length(size) * most * domains
  A <- diag(mean(diag(form$A)), N)
  A[at, at] <- form$A
  list(A = A, b = replace(numeric(N), at, form$b), c0 = form$c0, n_domains = as.integer(most * domains))
}

# Numbers of columns that sets of units can have.
attainable <- function(units) {
  sums <- sum(units$columns[units$force == 1])
  for (m in units$columns[units$force == 0]) sums <- unique(c(sums, sums + m))
  sort(sums)
}
