# tgreedy() beside columns that are kept, see path-kept.R.

# without_kept() for the moments of domains, with the response as the last variable: `domains` of the result are the
# moments of the residuals on the kept columns. Every domain has the same weight.
domains_without_kept <- function(domains, frame, coded, settings) {
  keep <- settings$keep
  intercept <- settings$intercept
  v <- length(domains[[1]]$mean)
  rest <- setdiff(seq_len(v - 1L), keep)
  left <- c(rest, v)
  balanced <- function(f) Reduce(`+`, lapply(domains, f)) / length(domains)
  center <- if (intercept) balanced(function(d) d$mean) else numeric(v)
  second <- balanced(function(d) cell_covariance(d) + tcrossprod(d$mean - center))
  by <- by_moments(second, keep)
  slopes <- by$explain(second[keep, left, drop = FALSE])
  none <- diag(second)[left] - colSums(slopes * second[keep, left, drop = FALSE]) <= 1e-12 * diag(second)[left]
  none[length(left)] <- FALSE
  turn <- rbind(-slopes, diag(length(left)))
  turn[, none] <- 0
  order <- c(keep, left)
  of_rest <- lapply(domains, function(d) {
    d$mean <- drop((d$mean - center)[order] %*% turn)
    d$cross <- crossprod(turn, d$cross[order, order]) %*% turn
    d
  })
  if (intercept) slopes <- rbind(center[left] - drop(center[keep] %*% slopes), slopes)
  last <- length(left)
  frame$blueprint <- blueprint_of_rest(frame, rest)
  frame$x <- frame$x[, rest, drop = FALSE]
  spread <- list(center = center[-v], scale = sqrt(diag(second)[-v]))
  list(domains = of_rest, frame = frame, coded = coded, rest = rest, keep = keep, rank = by$rank,
       slopes = slopes[, -last, drop = FALSE], start = slopes[, last, drop = FALSE], intercept = intercept,
       spread = spread)
}

# The groups of the columns that are left, in their order.
groups_of_rest <- function(groups, rest) {
  if (is.null(groups)) return(NULL)
  of <- groups$of[rest]
  if (!anyDuplicated(of)) return(NULL)
  list(of = match(of, unique(of)), labels = groups$labels[unique(of)])
}

# The path of the columns that were left, as a path of all columns. domains: the moments of the domains, or NULL.
with_kept <- function(fit, kept, frame, domains) {
  one <- function(beta, a0, k) model_beside_kept(kept, beta, a0, kept$start[, k], frame$blueprint$columns)
  models <- Map(one, by_response(fit$beta), by_response(fit$a0), seq_len(ncol(kept$start)))
  several <- is.list(fit$beta)
  fit$beta <- one_or_list(lapply(models, `[[`, "beta"), several)
  fit$a0 <- one_or_list(lapply(models, `[[`, "a0"), several)
  fit$steps$size <- fit$steps$size + kept$rank
  fit$steps$df <- fit$steps$df + kept$rank
  labels <- all_labels(frame$blueprint)
  used <- sort(c(match(rownames(as.matrix(fit$center)), labels), kept$keep))
  spread <- kept_spread(kept, frame)
  shaped <- function(value, old) {
    names(value) <- labels[used]
    if (is.matrix(old)) matrix(value, length(value), ncol(old), dimnames = list(names(value), colnames(old))) else value
  }
  fit$center <- shaped(spread$center[used], fit$center)
  fit$scale <- shaped(spread$scale[used], fit$scale)
  fit$blueprint <- frame$blueprint
  fit$domain_scale <- spread_beside_kept(fit, frame, domains)
  fit
}

# A path on products that were written out, reduced to the products that entered.
with_used_products <- function(fit, map, frame) {
  used <- match(rownames(as.matrix(fit$center)), frame$blueprint$columns)
  fit$beta <- one_or_list(lapply(by_response(fit$beta), function(b) b[used, , drop = FALSE]), is.list(fit$beta))
  fit$ranges$column <- match(fit$ranges$column, used)
  base <- frame$blueprint$base
  fit$blueprint <- product_blueprint(map, used, base, base$p)
  fit
}

# The standard deviations of the columns that entered, domains x columns, of a path beside kept columns.
spread_beside_kept <- function(fit, frame, domains) {
  here <- at <- distinct_columns(unlist(lapply(by_response(fit$beta), function(b) b@i[b@x != 0] + 1L),
                                        use.names = FALSE))
  if (is.null(domains)) {
    frame$blueprint <- blueprint_of_rest(frame, at)
    frame$x <- as.matrix(frame$x[, at, drop = FALSE])
    domains <- feature_cells(frame, NULL, call = NULL)
    here <- seq_along(at)
  }
  spread <- vapply(domains, function(d) sqrt(diag(cell_covariance(d))[here]), numeric(length(at)))
  t(matrix(spread, length(at), dimnames = list(column_labels(fit$blueprint$columns, at), names(domains))))
}
