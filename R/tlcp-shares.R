# What the precision of each coefficient of the target comes from: the target's own rows, each other domain, and
# shrinkage to 0. Where features borrow by the hierarchical prior src/tlcp/posterior.h has these shares, averaged over
# the prior; here are those of other posteriors, and what is said of shares.

# A row for each coefficient, a column for the target, each other domain and shrinkage. rows, others, prior: the parts;
# information: of each other domain (columns) on each coefficient, by which `others` is divided.
tlcp_shares_matrix <- function(rows, others, prior, information) {
  part <- information / rowSums(information)
  part[!is.finite(part)] <- 1 / ncol(information)
  unname(cbind(rows, others * part, prior) / (rows + others + prior))
}

# The same from the covariance V of coordinates, of which the coefficients are the rows of `to`. H: the precision that
# the target's rows have; O: that which the other domains add, NULL for none; information: as above, by coordinate.
tlcp_shares_of_covariance <- function(V, to, H, O, information) {
  x <- V %*% t(to)
  total <- colSums(t(to) * x)
  rows <- pmin(colSums(x * (H %*% x)), total)
  others <- if (is.null(O)) 0 * total else pmin(colSums(x * (O %*% x)), total - rows)
  fixed <- total <= 0 # a coefficient that is 0 for certain
  tlcp_shares_matrix(rows, others, ifelse(fixed, 1, total - rows - others), to^2 %*% information)
}

# Those of a rule other than the hierarchical prior: of the precision of each slope given the other slopes. Such a rule
# does not shrink to 0. The intercept is the target's own.
tlcp_shares_of_form <- function(path) {
  s <- path$borrowing
  form <- path$form$full %||% path$form
  n_domains <- form$n_domains
  information <- vapply(seq_along(path$domains), function(t) diag(path$domains[[t]]$G) * s$scales * s$lam[t], s$scales)
  information <- matrix(information, length(s$scales))
  precision <- vapply(seq_along(path$columns), function(i) {
    coordinates <- (i - 1) * n_domains + seq_len(n_domains)
    block <- form$A[coordinates, coordinates, drop = FALSE]
    if (n_domains == 1) return(block[1, 1])
    rest <- .Call(C_spd_solve, block[-1, -1, drop = FALSE], block[-1, 1])
    block[1, 1] - sum(block[1, -1] * rest)
  }, 0)
  rows <- pmin(information[, 1], precision)
  rbind(c(1, numeric(length(path$domains))),
        tlcp_shares_matrix(rows, precision - rows, 0, information[, -1, drop = FALSE]))
}

# The share of all other domains, and of shrinkage, of each coefficient. shares: with a row for each.
tlcp_shares_of_others <- function(shares) rowSums(shares[, -c(1, ncol(shares)), drop = FALSE])
tlcp_shares_of_prior <- function(shares) shares[, ncol(shares)]

LEND_LEAST <- .1 # of the precision, see ?tlcp

# Which of the other domains lend: numbers of columns of `shares` (of slopes), none unless the other domains have more
# than LEND_LEAST of the precision, in the mean over the slopes, and more than shrinkage has.
tlcp_shares_lending <- function(shares) {
  mean <- colMeans(shares)
  each <- mean[-c(1, length(mean))]
  if (!length(each) || !isTRUE(sum(each) > max(LEND_LEAST, mean[length(mean)]))) return(integer())
  which(each > LEND_LEAST / length(each)) + 1L
}

# Rows of the target that what is borrowed is worth. With a share o of the other domains the target alone, shrunk in the
# same way, has the part 1 - o of the precision; precision grows with the residual degrees of freedom df and not with n,
# since columns of few rows look more alike than they are.
tlcp_shares_worth <- function(shares, df) {
  others <- pmin(tlcp_shares_of_others(shares), 1)
  rows <- if (df > 0) df * others / (1 - others) else NA * others
  rows[!is.finite(rows)] <- NA
  unname(rows)
}

# "62 %", or "45 to 71 %".
tlcp_shares_in_words <- function(share) {
  percent <- round(100 * range(share))
  paste0(if (percent[1] < percent[2]) paste0(percent[1], " to "), percent[2], " %")
}
