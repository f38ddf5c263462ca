# tgreedy() beside columns that are kept, see path-kept.R.

# path_kept_removed() for the moments of domains, with the response as the last variable: `domains` of the result are
# the moments of the residuals on the kept columns. Every domain has the same weight.
tgreedy_kept_domains <- function(domains, frame, coded, settings) {
  keep <- settings$keep
  intercept <- settings$intercept
  v <- length(domains[[1]]$mean)
  rest <- setdiff(seq_len(v - 1L), keep)
  left <- c(rest, v)
  balanced <- function(f) Reduce(`+`, lapply(domains, f)) / length(domains)
  center <- if (intercept) balanced(function(d) d$mean) else numeric(v)
  second <- balanced(function(d) response_weights_cell_covariance(d) + tcrossprod(d$mean - center))
  by <- path_kept_by_moments(second, keep)
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
  frame$blueprint <- path_kept_blueprint_of_rest(frame, rest)
  frame$x <- frame$x[, rest, drop = FALSE]
  spread <- list(center = center[-v], scale = sqrt(diag(second)[-v]))
  list(domains = of_rest, frame = frame, coded = coded, rest = rest, keep = keep, rank = by$rank,
       slopes = slopes[, -last, drop = FALSE], start = slopes[, last, drop = FALSE], intercept = intercept,
       spread = spread)
}

# The groups of the columns that are left, in their order.
tgreedy_kept_groups_of_rest <- function(groups, rest) {
  if (is.null(groups)) return(NULL)
  of <- groups$of[rest]
  if (!anyDuplicated(of)) return(NULL)
  list(of = match(of, unique(of)), labels = groups$labels[unique(of)])
}

# The path of the columns that were left, as a path of all columns. domains: the moments of the domains, or NULL.
tgreedy_kept_added <- function(fit, kept, frame, domains) {
  one <- function(beta, a0, k) path_kept_model(kept, beta, a0, kept$start[, k], frame$blueprint$columns)
  models <- Map(one, path_object_by_response(fit$beta), path_object_by_response(fit$a0), seq_len(ncol(kept$start)))
  several <- is.list(fit$beta)
  fit$beta <- path_object_one_or_list(lapply(models, `[[`, "beta"), several)
  fit$a0 <- path_object_one_or_list(lapply(models, `[[`, "a0"), several)
  fit$steps$size <- fit$steps$size + kept$rank
  fit$steps$df <- fit$steps$df + kept$rank
  labels <- labels_of_all_columns(frame$blueprint)
  used <- sort(c(match(rownames(as.matrix(fit$center)), labels), kept$keep))
  spread <- path_kept_spread(kept, frame)
  shaped <- function(value, old) {
    names(value) <- labels[used]
    if (is.matrix(old)) matrix(value, length(value), ncol(old), dimnames = list(names(value), colnames(old))) else value
  }
  fit$center <- shaped(spread$center[used], fit$center)
  fit$scale <- shaped(spread$scale[used], fit$scale)
  fit$blueprint <- frame$blueprint
  fit$domain_scale <- tgreedy_kept_spread(fit, frame, domains)
  fit
}

# A path on products that were written out, reduced to the products that entered.
tgreedy_kept_used_products <- function(fit, map, frame) {
  used <- match(rownames(as.matrix(fit$center)), frame$blueprint$columns)
  fit$beta <- path_object_one_or_list(lapply(path_object_by_response(fit$beta), function(b) b[used, , drop = FALSE]),
                                      is.list(fit$beta))
  fit$ranges$column <- match(fit$ranges$column, used)
  base <- frame$blueprint$base
  fit$blueprint <- products_blueprint(map, used, base, base$p)
  fit
}

# The standard deviations of the columns that entered, domains x columns, of a path beside kept columns.
tgreedy_kept_spread <- function(fit, frame, domains) {
  here <- used <- table_distinct_columns(unlist(
    lapply(path_object_by_response(fit$beta), function(b) b@i[b@x != 0] + 1L), use.names = FALSE
  ))
  if (is.null(domains)) {
    frame$blueprint <- path_kept_blueprint_of_rest(frame, used)
    frame$x <- as.matrix(frame$x[, used, drop = FALSE])
    domains <- frame_moments_feature_cells(frame, NULL, call = NULL)
    here <- seq_along(used)
  }
  spread <- vapply(domains, function(d) sqrt(diag(response_weights_cell_covariance(d))[here]), numeric(length(used)))
  t(matrix(spread, length(used), dimnames = list(labels_of_columns(fit$blueprint$columns, used), names(domains))))
}
