# The arithmetic of cells (a domain, or a fold of one). A cell is a list of
#   n, weight, log_weight   numbers of rows, sums of their weights and of the logarithms of these
#   mean     q numbers, the response last, or the responses
#   rest     q numbers, what is lost in rounding the means to doubles: mean + rest has twice the digits, so that
#            differences of large means are exact
#   cross    the q x q matrix of products about the cell's own mean
# `sums` is a list of what has been added up so far:
#   labels   data.frame(domain, fold), one row for each cell, characters; fold is NA where there is none
#   cells    a list of cells
#   dropped  rows left out because they are incomplete
#   lost     domains of which a part had no complete row

no_sums <- function(dropped = 0) {
  list(labels = data.frame(domain = character(), fold = character()), cells = list(), dropped = dropped,
       lost = character())
}

# The cell of the rows of two cells, by the formula of Chan, Golub and LeVeque (?moments).
join_cells <- function(a, b) {
  if (a$weight == 0) return(b)
  if (b$weight == 0) return(a)
  weight <- a$weight + b$weight
  share <- b$weight / weight
  d <- (b$mean - a$mean) + (b$rest - a$rest)
  mean <- add_exactly(a$mean, a$rest + share * d)
  list(
    n = a$n + b$n, weight = weight, log_weight = a$log_weight + b$log_weight, mean = mean$sum, rest = mean$rest,
    cross = a$cross + b$cross + tcrossprod(d) * (a$weight * share)
  )
}

# a + b as list(sum, rest), the rounded sum and its rounding error (Knuth's TwoSum).
add_exactly <- function(a, b) {
  sum <- a + b
  part <- sum - a
  list(sum = sum, rest = (a - (sum - part)) + (b - part))
}

# Adds the cells of `more` to `sums`: those of the same domain and fold are joined, others appended.
join_sums <- function(sums, more) {
  at <- match(cell_key(more$labels), cell_key(sums$labels))
  known <- !is.na(at)
  sums$cells[at[known]] <- Map(join_cells, sums$cells[at[known]], more$cells[known])
  sums$cells <- c(sums$cells, more$cells[!known])
  sums$labels <- rbind(sums$labels, more$labels[!known, , drop = FALSE], make.row.names = FALSE)
  sums$dropped <- sums$dropped + more$dropped
  sums$lost <- union(sums$lost, more$lost)
  sums
}

# A text for each cell, different for different cells: it starts with the length of the domain's name, which may have
# any characters.
cell_key <- function(labels) {
  sprintf("%d:%s%s", nchar(labels$domain, "bytes"), labels$domain, labels$fold)
}

# ---- rows -------------------------------------------------------------------------------------

# The moments of rows: x a double matrix, or a list of them, y n numbers or a matrix; domain, fold, weights n values or
# NULL; columns, response: names of the columns of x and of y.
sums_of_rows <- function(x, y, domain, fold, weights, columns, response, call) {
  parts <- c(if (is.matrix(x)) list(x) else x, list(y))
  n <- NROW(y)
  cells <- code_cells(domain, fold, n)
  if (!nrow(cells$labels)) return(no_sums(n))
  out <- with_progress_of("Rows", .Call(C_moments, parts, cells$code - 1L, nrow(cells$labels), weights))
  if (out$status != 0) {
    value <- do.call(cbind, parts)[, out$bad]
    abort_moments_value(c(columns, response)[out$bad], if (any(is.infinite(value))) "infinite" else "large", call)
  }
  there <- out$n > 0
  sums <- list(labels = cells$labels, cells = out$cells, dropped = out$dropped, lost = character())
  if (all(there)) return(sums)
  sums$labels <- cells$labels[there, , drop = FALSE]
  sums$cells <- out$cells[there]
  sums$lost <- cells$labels$domain[!there]
  sums
}

# `size`: "infinite", "large" or "small".
abort_moments_value <- function(column, size, call) {
  what <- if (size == "infinite") "an infinite value" else paste("values too", size, "to be squared")
  abort_input("Column {.val {column}} has {what}.", "moments",
              i = "Rescale it, leave it out, or leave such rows out.", call = call)
}

# list(code, labels): for each row the number of its cell, 0 where domain or fold is missing; the labels of the cells.
code_cells <- function(domain, fold, n) {
  if (is.null(domain) && is.null(fold) && n > 0) {
    return(list(code = rep(1L, n), labels = quick_frame(list(domain = "all", fold = NA_character_))))
  }
  domains <- code_values(domain, "all", n)
  folds <- code_values(fold, NA_character_, n)
  step <- length(domains$values)
  most <- step * as.double(length(folds$values))
  if (most > .Machine$integer.max) step <- as.double(step)
  both <- if (is.null(fold)) domains$code else if (is.null(domain)) folds$code else
    domains$code + step * (folds$code - 1L)
  used <- if (most <= n) which(tabulate(both, most) > 0) else unique(both[!is.na(both)])
  code <- if (length(used) == most && is.integer(both) && !anyNA(both)) both else match(both, used, nomatch = 0L)
  labels <- quick_frame(list(
    domain = domains$values[(used - 1) %% step + 1],
    fold = folds$values[(used - 1) %/% step + 1]
  ))
  list(code = code, labels = labels)
}

code_values <- function(v, all, n) {
  if (is.null(v)) return(list(code = rep_len(1L, min(n, 1L)), values = all)) # a single code stands for all rows
  if (is.factor(v)) return(list(code = as.integer(v), values = levels(v)))
  distinct <- unique(v)
  distinct <- distinct[!is.na(distinct)]
  names <- cell_names(distinct)
  values <- unique(names)
  list(code = match(names, values)[match(v, distinct)], values = values)
}

# The names of the domains or folds in a column, without NA.
known_cells <- function(v) {
  v <- unique(plain_number(v))
  cell_names(v[!is.na(v)])
}

# Names of domains and folds: whole numbers without exponents, in whatever type they are stored.
cell_names <- function(v) {
  if (is.numeric(v) && all(is.finite(v)) && all(v == round(v))) return(sprintf("%.0f", v))
  as.character(v)
}

add_up <- function(x, ...) if (isS4(x)) sums_of_sparse(x, ...) else sums_of_rows(x, ...)

# sums_of_rows() of a sparse matrix, some rows of which are made dense at a time.
sums_of_sparse <- function(x, y, domain, fold, weights, columns, response, call) {
  sums <- no_sums()
  step <- max(1, floor(4e6 / (ncol(x) + 1)))
  for (from in seq(1, nrow(x), by = step)) {
    i <- from:min(nrow(x), from + step - 1)
    part <- sums_of_rows(as.matrix(x[i, , drop = FALSE]), if (is.matrix(y)) y[i, , drop = FALSE] else y[i],
                         domain = domain[i], fold = fold[i], weights = weights[i], columns = columns,
                         response = response, call = call)
    sums <- join_sums(sums, part)
  }
  sums
}

# ---- columns whose values cannot be squared ------------------------------------------------------
# The squares of such columns underflow or overflow. They are refused, as in fits to rows.

# The least and greatest finite values so far of the columns that may be too small or too large, the response last.
# sizes: those of the rows before, or NULL.
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
