# Which effects of an msplit() fit are told from 0: sums over the rows that the fit keeps for this, posterior
# probabilities that effects are not 0 (src/msplit/inclusion.h), and the set that has a false discovery rate.

SPREADS <- c(10, 30, 100, 300, 1000) # variances of the effects, in those of their least squares estimates
WHOLE <- 500    # columns up to which the sums of all are kept, where the fit has them
SWEEPS <- 3000  # of the Gibbs sampler
CUT <- 2.5 * 1.4826 # medians of residuals at which these are cut: 2.5 standard deviations of Gaussian ones
STARTS <- 25    # supports of the path of which the sampler starts from the best
LEAST_PROBABILITY <- .7

# The sums of a fit: list(column, G, c, yy, n, df, among): the columns that can be reported, their products, divided
# by standard deviations, and those with each response (a column a response), about the means. Of more columns than
# rows, or than WHOLE, only those that enter a path first are kept. Numeric responses are cut where they are far from
# the fit, so that single rows do not decide. out: what the kernels made of `input`.
msplit_sums <- function(fit, out, input, settings) {
  n <- settings$n
  scale <- out$scale
  d <- length(scale)
  wide <- d > n
  most <- if (wide) max(100, n %/% 2) else if (d > WHOLE) max(100, min(WHOLE, n %/% 2)) else d
  at <- if (d > most) earliest_columns(out$all, most, out$rows) else seq_len(d)
  if (min(scale) == 0) at <- at[scale[at] > 0]
  rows <- out$rows
  sums <- if (!is.null(rows)) {
    x <- if (length(at) < d) rows$x[, at, drop = FALSE] else rows$x
    gram <- if (wide) products_of(x) else if (length(at) < d) rows$gram[at, at, drop = FALSE] else rows$gram
    root <- if (!is.null(input$frame$weights)) sqrt(row_unit_weights(input$frame))
    c(list(G = gram), cut_sums(x, rows$y, root, fit, settings))
  } else {
    sums_of_input(at, fit, out, input, settings)
  }
  if (!settings$standardize) {
    own <- sqrt(diag(sums$G) / n)
    sums$G <- sums$G / tcrossprod(own)
    sums$b <- sums$b / own
  }
  list(column = at, G = sums$G, c = sums$b, yy = sums$yy, n = as.double(n),
       df = n - settings$intercept - (settings$rank %||% 0), among = as.double(sum(scale > 0)))
}

# list(b, yy) of rows and responses times the roots of weights. Residuals of the default model are divided by 1 -
# df/n, about what leaving a row out does. Classes are not cut: the rare ones would be.
cut_sums <- function(x, y, root, fit, settings) {
  df <- fit$named$average$df
  left <- if (fit$family == "gaussian" && !is.null(df)) fit$residuals
  share <- 1 - df / settings$n
  share[which(share < .05)] <- .05
  .Call(C_cut_sums, x, y, root, left, 1 / share, CUT, settings$intercept)
}

# list(G, b, yy) of the columns `at` where the kernels have no standardised copy of the rows: from the Gram matrix,
# with the rows that are cut, or from a copy made here.
sums_of_input <- function(at, fit, out, input, settings) {
  frame <- input$frame
  gram <- input$gram
  if (!has_rows(frame)) {
    G <- gram$G[at, at, drop = FALSE] / tcrossprod(out$scale[at])
    return(list(G = unname(G), b = unname(as.matrix(gram$b)[at, , drop = FALSE] / out$scale[at]), yy = unname(gram$yy)))
  }
  root <- if (!is.null(frame$weights)) sqrt(row_unit_weights(frame))
  x <- as.matrix(frame$x[, at, drop = FALSE])
  x <- (x - rep(out$center[at], each = nrow(x))) / rep(out$scale[at], each = nrow(x))
  y <- unname(input$coded - rep(out$y_mean, each = nrow(x)))
  if (!is.null(root)) {
    x <- x * root
    y <- y * root
  }
  G <- if (is.null(gram)) crossprod(x) else gram$G[at, at, drop = FALSE] / tcrossprod(out$scale[at])
  c(list(G = unname(G)), cut_sums(x, y, root, fit, settings))
}

# X'X of few columns.
products_of <- function(x) {
  if (ncol(x) < 4L) return(crossprod(x))
  .Call(C_scores, t(x), x, numeric(ncol(x)), seq_len(ncol(x)) - 1L)
}

# The `most` columns that enter first on a path of some nu and response; where fewer enter, beside them those of the
# largest products with the first response.
earliest_columns <- function(all, most, rows) {
  step <- rep.int(all$event, all$changes)
  inward <- all$change > 0L
  entered <- unique(all$change[inward][order(step[inward])])
  if (length(entered) < most && !is.null(rows)) {
    size <- abs(crossprod(rows$x, rows$y[, 1L]))
    entered <- unique(c(entered, order(-size)))
  }
  sort(utils::head(entered, most))
}

# The probabilities are computed when they are asked for, and those of the last fit are remembered.
#' @export
inclusion_probability.msplit <- function(path) {
  if (is.null(path$sums)) return(NULL)
  key <- rlang::hash(list(path$sums, path$gamma@p, path$gamma@i, path$kept))
  if (identical(remembered_report$key, key)) return(remembered_report$value)
  labels <- term_names(path)
  value <- vapply(seq_along(responses(path)), function(r) response_inclusion(path, r), numeric(length(labels)))
  value <- matrix(value, length(labels), dimnames = list(labels, responses(path)))
  remembered_report$key <- key
  remembered_report$value <- value
  value
}

remembered_report <- new.env(parent = emptyenv())

# Of one response: 0 for columns that enter no path early, NA for those that are kept and for those of which one row
# has more than half of the variance.
response_inclusion <- function(path, r) {
  sums <- path$sums
  out <- numeric(nrow(of_response(path$beta, 1)))
  single <- single_row_columns(path)
  out[c(single, path$kept)] <- NA
  use <- which(!sums$column %in% single)
  most <- min(length(use), sums$n %/% 3)
  if (!length(use) || !(sums$yy[r] > 0) || sums$df < 1) return(out)
  at <- sums$column[use]
  one <- list(G = sums$G[use, use, drop = FALSE], c = sums$c[use, r], yy = sums$yy[r], n = sums$n, df = sums$df,
              among = max(sums$among - length(single), length(use)), most = as.double(most))
  out[at] <- .Call(C_inclusion, one, path_supports(path, r, at, most), SPREADS, SWEEPS)
  out
}

# Supports of the path of a response, of all its nu, as places among the columns `at`: one of each size, at most STARTS.
path_supports <- function(path, r, at, most) {
  of <- match(response_of_steps(path$steps), responses(path))
  size <- diff(path$gamma@p)
  steps <- which(of == r & size <= most)
  steps <- steps[!duplicated(size[steps])]
  if (length(steps) > STARTS) steps <- steps[unique(round(seq(1, length(steps), length.out = STARTS)))]
  lapply(steps, function(k) {
    here <- match(path$gamma@i[path$gamma@p[k] + seq_len(size[k])] + 1L, at)
    here[!is.na(here)]
  })
}

# Columns of which one row of the fit has more than half of the variance, such as a dummy of a single row.
single_row_columns <- function(path) {
  ranges <- path$ranges
  if (is.null(ranges)) return(integer())
  j <- ranges$column
  away <- pmax(ranges$high - path$center[j], path$center[j] - ranges$low)
  spread <- path$scale[j]
  if (!path$settings$standardize) return(integer())
  unname(j[which(spread > 0 & away^2 > path$nobs * spread^2 / 2)])
}

# The largest set whose mean of 1 - probability is at most fdr, without those of a probability below the floor.
strong_columns <- function(probability, fdr) {
  order <- order(-probability, na.last = NA)
  size <- sum(cumsum(1 - probability[order]) / seq_along(order) <= fdr)
  chosen <- order[seq_len(size)]
  sort(chosen[probability[chosen] >= probability_floor(fdr)])
}

probability_floor <- function(fdr) max(LEAST_PROBABILITY, 1 - 2 * fdr)
