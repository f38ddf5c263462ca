# Columns with heavy tails in tlcp(): where an effect levels off, a few far-out values decide a straight line. Such a
# column is taken as it is, bounded at far-out fences, or between, by how much better the rows fit.
#
# The fences of a column in a domain are the quartiles -+ 3 interquartile ranges of the domain's rows or of all rows,
# the wider of the two: the domain's own where domains measure in other units, those of all rows where few rows make
# the quartiles of a domain rough. A column is in question if some value is beyond them, and if its interquartile range
# is not 0.
#
# With b(x) the bounded column and s its share, the column of the fit is (1 - s) x + s b(x): a coefficient is the effect
# between the fences, and beyond them the effect is 1 - s of it. The share is the probability that the column is to be
# bounded rather than left as it is. Each domain is fitted by least squares of its own, so that neither its units nor
# its slopes matter, and the log likelihood ratio of a column is
#   o = sum_t (n_t/2) log(RSS_t as it is / RSS_t bounded),
# over domains with LEAST_DF degrees of freedom or more. With several columns in question those whose bounding gains
# most by itself are bounded first, each as long as the likelihood rises; the ratio of a column is then that given the
# others.
# Columns are bounded with the same probability pi, of which the prior is Beta(.2, 4), so that columns that level off
# speak for each other; s is the mean of pi e^o/(1 - pi + pi e^o) over the posterior of pi.

FENCE <- 3              # interquartile ranges
FAR_OUT <- 1e-5         # share of the rows
FENCE_ROWS <- 5000      # rows that quartiles are taken from
SURE_SHARE <- .9        # shares above it are 1, those below 1 less it 0: linear effects of far-out values stay exact
TAIL_SHARES <- pmax(stats::qbeta((seq_len(40) - .5) / 40, .2, 4), 1e-8) # equally likely values of pi

# NULL where no column is bounded, or list(columns, low, high, share): numbers of the columns, their fences (columns x
# domains) and shares. With selection a share is 0 or 1.
tlcp_tails_of_frame <- function(frame, target, settings) {
  if (!settings$fences || !tlcp_units_is_hierarchical(settings) || !frame_rows_are_there(frame) ||
    !is.matrix(frame$x) ||
        is.null(frame$domain) || likelihood_is_used(frame$family)) return(NULL)
  if (!is.finite(min(frame$x)) || !is.finite(max(frame$x))) return(NULL) # an error, once the sums are made
  # a domain of as many features as rows has no degrees of freedom to tell by
  if (tlcp_rows_are_cheaper(frame, settings) && !tlcp_tails_any_degrees(frame)) return(NULL)
  # columns with more values beyond the fences of all rows than FAR_OUT of them: normal columns have 2 in a million
  n <- nrow(frame$x)
  columns <- which(.Call(C_far_out, frame$x, tlcp_tails_some_rows(seq_len(n)), FENCE) > FAR_OUT * n)
  # columns that enter together, of a factor, are no numbers
  of <- settings$groups$of
  if (!is.null(of)) columns <- columns[tabulate(of)[of[columns]] == 1]
  if (!length(columns)) return(NULL)
  rows <- split(seq_len(nrow(frame$x)), frame$domain)
  fences <- tlcp_tails_domain_fences(frame$x, columns, rows)
  share <- tlcp_tails_shares(tlcp_tails_ratios(frame, rows, fences))
  sure <- settings$select | share < 1 - SURE_SHARE | share > SURE_SHARE
  share[sure] <- round(share[sure])
  bounded <- share > 0
  if (!any(bounded)) return(NULL)
  list(columns = columns[bounded], low = fences$low[bounded, , drop = FALSE],
       high = fences$high[bounded, , drop = FALSE], share = share[bounded])
}

# Has some domain LEAST_DF degrees of freedom or more?
tlcp_tails_any_degrees <- function(frame) {
  any(vapply(split(seq_len(nrow(frame$x)), frame$domain), function(rows) {
    x <- frame$x[rows, , drop = FALSE]
    if (frame$intercept) x <- x - rep(colMeans(x), each = length(rows))
    # in most cases a few columns are enough to see it
    few <- x[, seq_len(min(ncol(x), 2 * length(rows))), drop = FALSE]
    need <- length(rows) - frame$intercept - LEAST_DF
    qr(few)$rank <= need && qr(x)$rank <= need
  }, NA))
}

# The fences of columns in these rows, 2 x columns.
tlcp_tails_fences <- function(x, columns, rows = seq_len(nrow(x))) {
  .Call(C_fences, x, columns, tlcp_tails_some_rows(rows), FENCE)
}

# The rows that quartiles are taken from: every so many of them where they are many.
tlcp_tails_some_rows <- function(rows) {
  n <- length(rows)
  if (n > FENCE_ROWS) rows[round(seq(1, n, length.out = FENCE_ROWS))] else rows
}

# low and high, columns x domains.
tlcp_tails_domain_fences <- function(x, columns, rows) {
  all <- tlcp_tails_fences(x, columns)
  by_domain <- vapply(rows, function(members) tlcp_tails_fences(x, columns, members), 0 * all)
  dim(by_domain) <- c(2, length(columns), length(rows))
  each <- function(side) matrix(by_domain[side, , ], length(columns), dimnames = list(NULL, names(rows)))
  list(columns = columns, low = pmin(each(1), all[1, ]), high = pmax(each(2), all[2, ]))
}

# s of columns with these log likelihood ratios.
tlcp_tails_shares <- function(ratios) {
  each <- outer(ratios, stats::qlogis(TAIL_SHARES), function(o, prior) stats::plogis(o + prior))
  # 1 - pi + pi e^o is (1 - pi)/(1 - each)
  log_lik <- colSums(pmin(outer(ratios, log(TAIL_SHARES), `+`) - log(each), 1e3))
  drop(each %*% response_scores_average_weights(log_lik))
}

# The log likelihood ratio of each column in question, given those of the others that are bounded. Without a domain of
# enough rows they are -Inf.
tlcp_tails_ratios <- function(frame, rows, fences) {
  p <- ncol(frame$x)
  q <- length(fences$columns)
  weights <- frame$weights
  moments <- lapply(names(rows), function(name) {
    members <- rows[[name]]
    x <- frame$x[members, , drop = FALSE]
    bounded <- tlcp_tails_between(x[, fences$columns, drop = FALSE], fences$low[, name], fences$high[, name])
    all <- cbind(x, bounded, response_first(frame$y)[members])
    w <- if (is.null(weights)) rep(1, length(members)) else weights[members] / mean(weights[members])
    if (frame$intercept) all <- all - rep(colSums(all * w) / length(members), each = length(members))
    scale <- sqrt(colSums(all^2))
    scale <- rep(ifelse(scale > 0, scale, 1), each = length(members))
    list(products = crossprod(all * sqrt(w) / scale), n = length(members))
  })
  # the log-likelihood with these columns bounded
  worth <- function(bounded) {
    columns <- seq_len(p)
    columns[fences$columns[bounded]] <- p + which(bounded)
    last <- p + q + 1L
    sum(vapply(moments, function(domain) {
      M <- domain$products
      n <- as.double(domain$n - frame$intercept)
      fit <- .Call(C_least_squares, M[columns, columns, drop = FALSE], M[columns, last], M[last, last], n, NULL)
      if (fit$df < LEAST_DF) 0 else -domain$n / 2 * log(max(fit$rss, 1e-12 * M[last, last]))
    }, 0))
  }
  none <- logical(q)
  reached <- worth(none)
  if (reached == 0) return(rep(-Inf, q)) # no domain has enough rows
  alone <- vapply(seq_len(q), function(j) worth(replace(none, j, TRUE)), 0)
  bounded <- none
  for (j in order(-alone)) {
    more <- worth(replace(bounded, j, TRUE))
    if (more > reached) {
      bounded[j] <- TRUE
      reached <- more
    }
  }
  vapply(seq_len(q), function(j) {
    other <- worth(replace(bounded, j, !bounded[j]))
    if (bounded[j]) reached - other else other - reached
  }, 0)
}

tlcp_tails_between <- function(x, low, high) {
  each <- nrow(x)
  pmin(pmax(x, rep(low, each = each)), rep(high, each = each))
}

# The frame with the columns as they are fitted.
tlcp_tails_frame <- function(frame, tails) {
  rows <- split(seq_len(nrow(frame$x)), frame$domain)
  for (name in names(rows)) {
    members <- rows[[name]]
    frame$x[members, ] <- path_bound_with_tails(frame$x[members, , drop = FALSE], seq_len(ncol(frame$x)),
                                           tlcp_tails_of_domain(tails, name))
  }
  frame
}

# The fences and shares of one domain: columns, low, high, share.
tlcp_tails_of_domain <- function(tails, domain) {
  list(columns = tails$columns, low = unname(tails$low[, domain]), high = unname(tails$high[, domain]),
       share = tails$share)
}

tlcp_tails_tell <- function(tails, frame, target, settings) {
  labels <- labels_of_columns(settings$columns, tails$columns)
  beyond <- vapply(seq_along(tails$columns), function(k) {
    x <- frame$x[, tails$columns[k]]
    domain <- as.integer(frame$domain)
    sum(x < tails$low[k, domain] | x > tails$high[k, domain])
  }, 0)
  shown <- utils::head(order(-beyond), 5)
  more <- length(labels) - length(shown)
  tell(paste0("Far-out values are bounded, because the model then fits better: ",
              paste0('"', labels[shown], '" (', vapply(beyond[shown], words_counted, "", "row"), ")", collapse = ", "),
              if (more) paste0(" and ", words_counted(more, "more column")), "."),
       paste("The effect of such a column levels off: consider its logarithm or square root.",
             "`control = tlcp_control(fences = FALSE)` leaves the values as they are."),
       class = "transelect_message_tails")
}

# A line of print(): the columns, and their shares where these are not 1.
tlcp_tails_line <- function(x) {
  tails <- x$tails
  if (is.null(tails)) return(NULL)
  labels <- labels_of_all_columns(x$settings)[tails$columns]
  part <- tails$share < 1
  labels[part] <- paste0(labels[part], " (", format(round(tails$share[part], 2), nsmall = 2), ")")
  shown <- utils::head(labels, 5)
  paste0("far-out values bounded: ", paste(shown, collapse = ", "),
         if (length(labels) > 5) paste0(" and ", length(labels) - 5, " more"), "; consider logarithms")
}
