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

moments_cells_none <- function(dropped = 0) {
  list(labels = data.frame(domain = character(), fold = character()), cells = list(), dropped = dropped,
       lost = character())
}

# The cell of the rows of two cells, by the formula of Chan, Golub and LeVeque (?moments).
moments_cells_join <- function(a, b) {
  if (a$weight == 0) return(b)
  if (b$weight == 0) return(a)
  weight <- a$weight + b$weight
  share <- b$weight / weight
  d <- (b$mean - a$mean) + (b$rest - a$rest)
  mean <- moments_cells_add_exactly(a$mean, a$rest + share * d)
  list(
    n = a$n + b$n, weight = weight, log_weight = a$log_weight + b$log_weight, mean = mean$sum, rest = mean$rest,
    cross = a$cross + b$cross + tcrossprod(d) * (a$weight * share)
  )
}

# a + b as list(sum, rest), the rounded sum and its rounding error (Knuth's TwoSum).
moments_cells_add_exactly <- function(a, b) {
  sum <- a + b
  part <- sum - a
  list(sum = sum, rest = (a - (sum - part)) + (b - part))
}

# Adds the cells of `more` to `sums`: those of the same domain and fold are joined, others appended.
moments_cells_join_sums <- function(sums, more) {
  place <- match(moments_cells_key(more$labels), moments_cells_key(sums$labels))
  known <- !is.na(place)
  sums$cells[place[known]] <- Map(moments_cells_join, sums$cells[place[known]], more$cells[known])
  sums$cells <- c(sums$cells, more$cells[!known])
  sums$labels <- rbind(sums$labels, more$labels[!known, , drop = FALSE], make.row.names = FALSE)
  sums$dropped <- sums$dropped + more$dropped
  sums$lost <- union(sums$lost, more$lost)
  sums
}

# A text for each cell, different for different cells: it starts with the length of the domain's name, which may have
# any characters.
moments_cells_key <- function(labels) {
  sprintf("%d:%s%s", nchar(labels$domain, "bytes"), labels$domain, labels$fold)
}

# `size`: "infinite", "large" or "small".
moments_cells_abort_value <- function(column, size, call) {
  what <- if (size == "infinite") "an infinite value" else paste("values too", size, "to be squared")
  abort_input("Column {.val {column}} has {what}.", "moments",
              i = if (size == "infinite") "Give finite values, or leave out the column or such rows." else
                "Rescale it, leave it out, or leave such rows out.", call = call)
}

# The squares of such columns underflow or overflow. They are refused, as in fits to rows.

# The least and greatest finite values so far of the columns that may be too small or too large, the response last.
# sizes: those of the rows before, or NULL.
moments_cells_sizes <- function(sizes, x, y) {
  q <- ncol(x) + 1
  sizes <- sizes %||% list(least = rep(Inf, q), most = rep(-Inf, q))
  open <- which(pmax(-sizes$least, sizes$most) <= SQUARES_LEAST)
  for (j in union(open, q)) {
    v <- if (j == q) y else x[, j]
    if (!length(v)) next
    if (!is.finite(min(v)) || !is.finite(max(v))) v <- v[is.finite(v)]
    if (!length(v)) next
    sizes$least[j] <- min(sizes$least[j], v)
    sizes$most[j] <- max(sizes$most[j], v)
  }
  sizes
}

moments_cells_refuse_sizes <- function(sizes, columns, call) {
  size <- pmax(-sizes$least, sizes$most)
  q <- length(columns)
  if (is.finite(size[q]) && size[q] > SQUARES_MOST) moments_cells_abort_value(columns[q], "large", call)
  small <- which(sizes$most > sizes$least & size <= SQUARES_LEAST)
  if (length(small)) moments_cells_abort_value(columns[small[1]], "small", call)
}
