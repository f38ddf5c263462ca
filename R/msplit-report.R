# Which effects of an msplit() fit are reported as not 0: sums over the rows that the fit keeps for this, posterior
# probabilities that effects are not 0 (src/msplit/inclusion.h), and the set that has a false discovery rate.

SPREADS <- c(10, 30, 100, 300, 1000) # variances of the effects, in those of their least squares estimates
WHOLE <- 500    # columns up to which the sums of all are kept, where the fit has them
SWEEPS <- 3000  # of the Gibbs sampler
CUT <- 2.5 * 1.4826 # medians of residuals at which these are cut: 2.5 standard deviations of Gaussian ones
STARTS <- 25    # supports of the path of which the sampler starts from the best
FDR <- .1       # the false discovery rate where none is given
LARGEST_SHARE <- .5 # of the columns with an effect, in the prior

# The sums of a fit: list(column, G, c, yy, n, df, among): the columns that can be reported, their products, divided
# by standard deviations, and those with each response (a column a response), about the means. Of more columns than
# rows, or than WHOLE, only those that enter a path first are kept. Numeric responses are cut where they are far from
# the fit, so that single rows do not decide. paths: what the kernels made of `input`.
msplit_report_sums <- function(fit, paths, input, settings) {
  fit <- unclass(fit) # for a faster `$`
  n <- settings$n
  scale <- paths$scale
  d <- length(scale)
  wide <- d > n
  most <- if (wide) max(100, n %/% 2) else if (d > WHOLE) max(100, min(WHOLE, n %/% 2)) else d
  columns <- if (d > most) msplit_report_earliest_columns(paths$all, most, paths$rows) else seq_len(d)
  if (min(scale) == 0) columns <- columns[scale[columns] > 0]
  rows <- paths$rows
  sums <- if (!is.null(rows)) {
    x <- if (length(columns) < d) rows$x[, columns, drop = FALSE] else rows$x
    gram <- if (wide) msplit_report_products(x) else
      if (length(columns) < d) rows$gram[columns, columns, drop = FALSE] else rows$gram
    root <- if (!is.null(input$frame$weights)) sqrt(response_weights_or_ones(input$frame))
    c(list(G = gram), msplit_report_clipped_sums(x, rows$y, root, fit, settings))
  } else {
    msplit_report_input_sums(columns, fit, paths, input, settings)
  }
  if (!settings$standardize) {
    spread <- sqrt(diag(sums$G) / n)
    sums$G <- sums$G / tcrossprod(spread)
    sums$b <- sums$b / spread
  }
  list(column = columns, G = sums$G, c = sums$b, yy = sums$yy, n = as.double(n),
       df = n - settings$intercept - (settings$rank %||% 0), among = as.double(sum(scale > 0)))
}

# list(b, yy) of rows and responses times the roots of weights. Residuals of the default model are divided by 1 -
# df/n, about what leaving a row out does. Classes are not cut: the rare ones would be.
msplit_report_clipped_sums <- function(x, y, root, fit, settings) {
  df <- fit$named$average$df
  left <- if (fit$family == "gaussian" && !is.null(df)) fit$residuals
  share <- 1 - df / settings$n
  share[which(share < .05)] <- .05
  .Call(C_cut_sums, x, y, root, left, 1 / share, CUT, settings$intercept)
}

# list(G, b, yy) of the `columns` where the kernels have no standardised copy of the rows: from the Gram matrix,
# with the rows that are cut, or from a copy made here.
msplit_report_input_sums <- function(columns, fit, paths, input, settings) {
  frame <- input$frame
  gram <- input$gram
  if (!frame_rows_are_there(frame)) {
    G <- gram$G[columns, columns, drop = FALSE] / tcrossprod(paths$scale[columns])
    return(list(G = unname(G), b = unname(as.matrix(gram$b)[columns, , drop = FALSE] / paths$scale[columns]),
                yy = unname(gram$yy)))
  }
  root <- if (!is.null(frame$weights)) sqrt(response_weights_or_ones(frame))
  x <- as.matrix(frame$x[, columns, drop = FALSE])
  x <- (x - rep(paths$center[columns], each = nrow(x))) / rep(paths$scale[columns], each = nrow(x))
  y <- unname(input$coded - rep(paths$y_mean, each = nrow(x)))
  if (!is.null(root)) {
    x <- x * root
    y <- y * root
  }
  G <- if (is.null(gram)) crossprod(x) else gram$G[columns, columns, drop = FALSE] / tcrossprod(paths$scale[columns])
  c(list(G = unname(G)), msplit_report_clipped_sums(x, y, root, fit, settings))
}

# X'X of few columns.
msplit_report_products <- function(x) {
  if (ncol(x) < 4L) return(crossprod(x))
  .Call(C_scores, t(x), x, numeric(ncol(x)), seq_len(ncol(x)) - 1L)
}

# The `most` columns that enter first on a path of some nu and response; where fewer enter, beside them those of the
# largest products with the first response.
msplit_report_earliest_columns <- function(all, most, rows) {
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
  if (identical(msplit_report_remembered$key, key)) return(msplit_report_remembered$value)
  labels <- path_object_term_names(path)
  value <- vapply(seq_along(path_object_responses(path)), function(r) msplit_report_inclusion(path, r),
                  numeric(length(labels)))
  value <- matrix(value, length(labels), dimnames = list(labels, path_object_responses(path)))
  msplit_report_remembered$key <- key
  msplit_report_remembered$value <- value
  value
}

# At the default rate of signals(); NA as the probabilities.
#' @export
inclusion_is_strong.msplit <- function(path) {
  probability <- inclusion_probability(path)
  if (is.null(probability)) return(NULL)
  strong <- apply(probability, 2, function(p) seq_along(p) %in% msplit_report_strong_columns(p, FDR))
  replace(matrix(strong, nrow(probability), dimnames = dimnames(probability)), is.na(probability), NA)
}

msplit_report_remembered <- new.env(parent = emptyenv())

# Of one response: 0 for columns that enter no path early, NA for those that are kept and for those of which one row
# has more than half of the variance. share, spread: see msplit_report_log_prior() and SPREADS.
msplit_report_inclusion <- function(path, r, share = LARGEST_SHARE, spread = SPREADS) {
  sums <- path$sums
  probability <- numeric(nrow(path_object_of_response(path$beta, 1)))
  single <- msplit_report_single_row_columns(path)
  probability[c(single, path$kept)] <- NA
  use <- which(!sums$column %in% single)
  most <- min(length(use), sums$n %/% 3)
  if (!length(use) || !(sums$yy[r] > 0) || sums$df < 1) return(probability)
  columns <- sums$column[use]
  one <- list(G = sums$G[use, use, drop = FALSE], c = sums$c[use, r], yy = sums$yy[r], n = sums$n, df = sums$df,
              most = as.double(most),
              log_prior = msplit_report_log_prior(most, max(sums$among - length(single), length(use)), share))
  probability[columns] <- .Call(C_inclusion, one, msplit_report_supports(path, r, columns, most), spread, SWEEPS)
  probability
}

# The log of the prior probability of one support of 0, ..., `most` of `among` columns: each column is in it with the
# same probability, which is uniform on 0 to `share`. With shares up to 1 the columns without an effect are easily
# taken for small effects where many columns have one, and too many false ones are reported.
msplit_report_log_prior <- function(most, among, share = LARGEST_SHARE) {
  k <- 0:most
  lbeta(k + 1, among - k + 1) + stats::pbeta(share, k + 1, among - k + 1, log.p = TRUE)
}

# Supports of the path of a response, of all its nu, as places among the `columns`: one of each size, at most STARTS.
msplit_report_supports <- function(path, r, columns, most) {
  of <- match(msplit_model_response_of_steps(path$steps), path_object_responses(path))
  size <- diff(path$gamma@p)
  steps <- which(of == r & size <= most)
  steps <- steps[!duplicated(size[steps])]
  if (length(steps) > STARTS) steps <- steps[unique(round(seq(1, length(steps), length.out = STARTS)))]
  lapply(steps, function(k) {
    here <- match(path$gamma@i[path$gamma@p[k] + seq_len(size[k])] + 1L, columns)
    here[!is.na(here)]
  })
}

# Columns of which one row of the fit has more than half of the variance, such as a dummy of a single row.
msplit_report_single_row_columns <- function(path) {
  ranges <- path$ranges
  if (is.null(ranges)) return(integer())
  j <- ranges$column
  away <- pmax(ranges$high - path$center[j], path$center[j] - ranges$low)
  spread <- path$scale[j]
  if (!path$settings$standardize) return(integer())
  unname(j[which(spread > 0 & away^2 > path$nobs * spread^2 / 2)])
}

# The largest set whose mean of 1 - probability is at most 2 fdr, without those of a probability below the floor. The
# factors are from simulations (bench/msplit/signals.R): the probabilities are careful.
msplit_report_strong_columns <- function(probability, fdr) {
  ranking <- order(-probability, na.last = NA)
  size <- sum(cumsum(1 - probability[ranking]) / seq_along(ranking) <= 2 * fdr)
  chosen <- ranking[seq_len(size)]
  sort(chosen[probability[chosen] >= msplit_report_floor(fdr)])
}

msplit_report_floor <- function(fdr) max(.5, 1 - 3.5 * fdr)
