# The object that moments() returns, its cells, and what all rows of some of them have.

new_moments <- function(sums, model, engine, start) {
  m <- structure(
    list(
      cells = NULL, mean = NULL, rest = NULL, cross = NULL, columns = model$columns,
      response = model$response, classes = model$classes, blueprint = model$blueprint,
      formula = model$formula, intercept = model$intercept, dropped = NULL, lost = NULL,
      engine = engine,
      seconds = proc.time()[["elapsed"]] - start
    ),
    class = "moments"
  )
  fill_moments(m, sums)
}

# The cells in order, with names.
fill_moments <- function(m, sums) {
  order <- order_cells(sums$labels)
  cells <- sums$cells[order]
  names <- c(m$columns, m$response)
  number <- function(what) vapply(cells, `[[`, 0, what)
  by_column <- function(what) {
    matrix(unlist(lapply(cells, `[[`, what)), length(cells), byrow = TRUE, dimnames = list(NULL, names))
  }
  m$cells <- data.frame(sums$labels[order, c("domain", "fold")], n = number("n"), weight = number("weight"),
                        log_weight = number("log_weight"), row.names = NULL)
  m$mean <- by_column("mean")
  m$rest <- by_column("rest")
  both <- list(names, names)
  m$cross <- lapply(cells, function(cell) `dimnames<-`(cell$cross, both))
  m$dropped <- sums$dropped
  m$lost <- if (isTRUE(m$dropped > 0)) setdiff(sums$lost, m$cells$domain) else character()
  m
}

# Labels in order: numbers as numbers, other names as in a C locale.
order_cells <- function(labels) {
  rank <- lapply(labels, function(v) {
    number <- suppressWarnings(as.numeric(v))
    if (anyNA(number[!is.na(v)])) match(v, sort(unique(v), method = "radix")) else number
  })
  order(rank$domain, rank$fold)
}

moment_names <- function(m) unique(m$cells$domain)

moment_folds <- function(m) unique(m$cells$fold[!is.na(m$cells$fold)])

moment_cells <- function(m, keep) {
  m$cells <- m$cells[keep, , drop = FALSE]
  row.names(m$cells) <- NULL
  m$mean <- m$mean[keep, , drop = FALSE]
  m$rest <- m$rest[keep, , drop = FALSE]
  m$cross <- m$cross[keep]
  m
}

# The cells `keep` of moments; `place`: the columns in another order.
cells_of <- function(m, keep = seq_along(m$cross), place = TRUE) {
  log_weight <- cell_log_weights(m)
  lapply(keep, function(i) {
    list(n = m$cells$n[i], weight = m$cells$weight[i], log_weight = log_weight[i], mean = m$mean[i, place],
         rest = m$rest[i, place], cross = m$cross[[i]][place, place, drop = FALSE])
  })
}

# The `sums` an object was made of.
moment_sums <- function(m, place = TRUE) {
  list(labels = m$cells[c("domain", "fold")], cells = cells_of(m, place = place), dropped = m$dropped, lost = m$lost)
}

# All rows of the cells `keep` as one cell, about their common mean.
moments_total <- function(m, keep = seq_along(m$cross)) Reduce(join_cells, cells_of(m, keep))

# moments_total() of every domain by itself, a named list.
moments_domains <- function(m) {
  lapply(stats::setNames(nm = moment_names(m)), function(d) moments_total(m, which(m$cells$domain == d)))
}

# The sum of the logarithms of the weights of each cell. Moments saved by an earlier version do not have it: there it is
# known only where the rows had no weights.
cell_log_weights <- function(m) m$cells$log_weight %||% unsaid_log_weights(isTRUE(m$weighted), m$cells)

unsaid_log_weights <- function(weighted, cells) {
  rep(if (weighted || any(cells$weight != cells$n)) NA_real_ else 0, nrow(cells))
}
