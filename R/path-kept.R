# Columns that are kept where a method has no place for them itself: what they explain is taken from
# response and columns, the method runs on what is left, and their coefficients follow from its own
# (Frisch and Waugh): least squares of the kept ones at every step, whatever the others are.

# weights: of the rows. The frame of the columns that are left (numbers `rest`), the coded response that
# is left, and the coefficients of the columns (`slopes`) and the response (`start`) on the kept ones, the
# intercept first if there is one.
without_kept <- function(frame, coded, keep, weights, intercept) {
  x <- as.matrix(frame$x)
  basis <- x[, keep, drop = FALSE]
  if (intercept) basis <- cbind(1, basis)
  rest <- setdiff(seq_len(ncol(x)), keep)
  root <- sqrt(weights / sum(weights))
  found <- qr(root * basis)
  explained <- function(v) {
    b <- qr.coef(found, root * v)
    b[is.na(b)] <- 0 # columns that the other kept ones explain
    matrix(b, ncol(basis))
  }
  slopes <- explained(x[, rest, drop = FALSE])
  start <- explained(coded)
  left <- frame
  left$x <- x[, rest, drop = FALSE] - basis %*% slopes
  # what is left of a column that the kept ones explain is rounding
  left$x[, colSums(root^2 * left$x^2) <= 1e-20 * colSums(root^2 * x[, rest, drop = FALSE]^2)] <- 0
  left$blueprint <- blueprint_of_rest(frame, rest)
  dimnames(left$x) <- list(NULL, left$blueprint$columns)
  list(frame = left, coded = coded - basis %*% start, rest = rest, keep = keep, slopes = slopes, start = start,
       rank = found$rank - intercept, intercept = intercept, weights = root^2, found = found)
}

blueprint_of_rest <- function(frame, rest) {
  new_blueprint("matrix", column_labels(frame$blueprint$columns, rest), length(rest))
}

# The models of columns that are left (`beta`, `a0`: a column and a number each) as those of all columns.
# start: the response's coefficients on intercept and kept columns, a column or one for each model.
model_beside_kept <- function(kept, beta, a0, start, names) {
  moved <- matrix(start, nrow(kept$slopes), ncol(beta)) - as.matrix(kept$slopes %*% beta)
  if (kept$intercept) {
    a0 <- a0 + moved[1, ]
    moved <- moved[-1, , drop = FALSE]
  }
  all <- matrix(0, length(kept$rest) + length(kept$keep), ncol(beta))
  all[kept$rest, ] <- as.matrix(beta)
  all[kept$keep, ] <- moved
  list(beta = as_sparse(all, names), a0 = unname(a0))
}

# The path of the columns that were left, as a path of all columns.
with_kept <- function(fit, kept, frame) {
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
  fit
}

# Means and standard deviations of all columns; those that do not vary have the latter 0.
kept_spread <- function(kept, frame) {
  if (!is.null(kept$spread)) return(kept$spread)
  x <- as.matrix(frame$x)
  center <- if (kept$intercept) colSums(kept$weights * x) else numeric(ncol(x))
  scale <- sqrt(colSums(kept$weights * (x - rep(center, each = nrow(x)))^2))
  list(center = center, scale = ifelse(scale > 1e-14 * abs(center), scale, 0))
}

# Least squares on the columns `keep` by second moments: explain() makes coefficients of products with them.
by_moments <- function(second, keep) {
  own <- sqrt(pmax(diag(second)[keep], 0))
  own[own == 0] <- 1
  found <- qr(second[keep, keep, drop = FALSE] / outer(own, own), tol = 1e-10)
  list(rank = found$rank, explain = function(products) {
    b <- qr.coef(found, products / own) / own
    b[is.na(b)] <- 0
    matrix(b, length(keep))
  })
}

# without_kept() for the moments of domains, the response being the last variable: `domains` are those of what
# is left. Every domain has the same weight.
domains_without_kept <- function(domains, frame, keep, intercept) {
  v <- length(domains[[1]]$mean)
  rest <- setdiff(seq_len(v - 1L), keep)
  left <- c(rest, v)
  balanced <- function(f) Reduce(`+`, lapply(domains, f)) / length(domains)
  center <- if (intercept) balanced(function(d) d$mean) else numeric(v)
  second <- balanced(function(d) d$cross / d$weight + tcrossprod(d$mean - center))
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
  list(domains = of_rest, frame = frame, rest = rest, keep = keep, slopes = slopes[, -last, drop = FALSE],
       start = slopes[, last, drop = FALSE], rank = by$rank, intercept = intercept, spread = spread)
}

# Names of features or groups, or numbers of features -> numbers, at least one other being left.
kept_features <- function(keep, groups, frame, call) {
  at <- kept_columns(keep, frame$blueprint$columns, groups, ncol(frame$x), "features", call)
  if (length(at) && length(at) == ncol(frame$x)) {
    abort_input("{.arg keep} has all {length(at)} feature{?s}.", "keep",
                i = "Keep fewer, or fit these by {.fn lm}: nothing is left to select.", call = call)
  }
  at
}

# The groups of the columns that are left, in their order.
groups_of_rest <- function(groups, rest) {
  if (is.null(groups)) return(NULL)
  of <- groups$of[rest]
  if (!anyDuplicated(of)) return(NULL)
  list(of = match(of, unique(of)), labels = groups$labels[unique(of)])
}

# A path on products that were written out, with those alone that are in it.
with_used_products <- function(fit, map, frame) {
  used <- match(rownames(as.matrix(fit$center)), frame$blueprint$columns)
  fit$beta <- one_or_list(lapply(by_response(fit$beta), function(b) b[used, , drop = FALSE]), is.list(fit$beta))
  base <- frame$blueprint$base
  fit$blueprint <- product_blueprint(map, used, base, base$p)
  fit
}
