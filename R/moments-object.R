# The object that moments() returns, its cells, and what all rows of some of them have.

new_moments <- function(sums, model, engine, start) {
  if (!length(sums$n)) cli::cli_abort("Moments of no rows.", .internal = TRUE)
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
  names <- c(m$columns, m$response)
  m$cells <- data.frame(sums$labels[order, c("domain", "fold")], n = sums$n[order],
                        weight = sums$weight[order], log_weight = sums$log_weight[order])
  row.names(m$cells) <- NULL
  m$mean <- sums$mean[order, , drop = FALSE]
  m$rest <- sums$rest[order, , drop = FALSE]
  colnames(m$mean) <- colnames(m$rest) <- names
  m$cross <- lapply(sums$cross[order], function(cross) {
    dimnames(cross) <- list(names, names)
    cross
  })
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

# The `sums` an object was made of; `place`: the columns in another order.
moment_sums <- function(m, place = seq_len(ncol(m$mean))) {
  list(
    labels = m$cells[c("domain", "fold")], n = m$cells$n, weight = m$cells$weight, log_weight = cell_log_weights(m),
    mean = m$mean[, place, drop = FALSE], rest = m$rest[, place, drop = FALSE],
    cross = lapply(m$cross, function(cross) cross[place, place, drop = FALSE]),
    dropped = m$dropped, lost = m$lost
  )
}

# list(n, weight, log_weight, mean, rest, cross) of all rows of the cells `keep`, about their common mean.
moments_pool <- function(m, keep = seq_along(m$cross)) {
  cells <- list(n = m$cells$n, weight = m$cells$weight, log_weight = cell_log_weights(m), mean = m$mean,
                rest = m$rest, cross = m$cross)
  zero <- m$mean[1, ] * 0
  pooled <- list(n = 0, weight = 0, log_weight = 0, mean = zero, rest = zero, cross = m$cross[[1]] * 0)
  for (i in keep) pooled <- join_cells(pooled, one_cell(cells, i))
  pooled
}

# moments_pool() of every domain by itself, a named list.
moments_domains <- function(m) {
  lapply(stats::setNames(nm = moment_names(m)), function(d) moments_pool(m, which(m$cells$domain == d)))
}

# The sum of the logarithms of the weights of each cell. Moments saved by an earlier version do not have it: there it is
# known only where the rows had no weights.
cell_log_weights <- function(m) m$cells$log_weight %||% unsaid_log_weights(isTRUE(m$weighted), m$cells)

unsaid_log_weights <- function(weighted, cells) {
  rep(if (weighted || any(cells$weight != cells$n)) NA_real_ else 0, nrow(cells))
}
