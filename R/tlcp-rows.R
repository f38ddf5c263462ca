# Domains known by their rows. Where these are few the moments of tlcp-domain-moments.R would be larger than the rows,
# and everything that tlcp() needs follows from N x N kernels of the N rows of all domains.
# Fits to rows and to moments agree to 1e-8, except where the residual variance of a domain is a millionth of the
# variance of its response: there the fit to rows is right, since moments square the condition of the columns.
#
# Such a domain is a list as in tlcp-domain-moments.R with, in place of G,
#   X, y    its rows in its units, times the square roots of their weights (which sum to n)
#   one     the level's column, times the same; NULL without a level
# and its `fit` is that of tlcp_rows_least_squares().

ROWS_CHEAPER <- 1.5 # at this ratio of cubes, of the rows and, for each domain, of the features, times are equal

# TRUE if no domain has more rows than there are features and kernels of the rows take less time than moments.
tlcp_rows_are_few <- function(frame) {
  frame_rows_are_there(frame) && !is.null(frame$domain) &&
    nrow(frame$x)^3 < ROWS_CHEAPER * nlevels(frame$domain) * as.double(ncol(frame$x))^3 &&
    max(tabulate(frame$domain)) <= ncol(frame$x)
}

# Does the fit take the rows?
tlcp_rows_are_cheaper <- function(frame, settings) {
  tlcp_rows_are_few(frame) && !likelihood_is_used(frame$family) && identical(settings$borrow, "hierarchical") &&
    settings$method == "exact" && !length(settings$sites)
}

# Are all features kept, so that no moments are needed? A search is of a quadratic form of the features.
tlcp_rows_keep_all <- function(settings) !settings$select && !length(settings$drop) && is.null(settings$within)

MOST_SEARCHED <- 5000 # features: the form of more would have more than 200 MB for each domain

tlcp_rows_refuse_search <- function(settings, call) {
  if (tlcp_rows_keep_all(settings) || settings$p <= MOST_SEARCHED) return(invisible())
  abort_input("{.arg x} has {settings$p} features, too many to choose from: the search is of at most {MOST_SEARCHED}.",
              "x", i = "Give {.code select = FALSE}, which keeps all and needs the rows alone, or leave features out
                        beforehand, for example by their correlation with the response.", call = call)
}

# The same domain by its moments, for a search.
tlcp_rows_with_moments <- function(domain) {
  A <- tlcp_rows_design(domain)
  domain$G <- .Call(C_rows_kernel, t(A), rep(1, nrow(A)))
  domain[c("X", "y", "one")] <- NULL
  domain
}

ROWS_BLOCK <- 50 # columns whose moments are added up together

# What moments_rows_domain_sums() returns, without the cells, and `rows`: by domain, the target first, list(x, y,
# weights).
tlcp_rows_sums <- function(frame, target, intercept, call) {
  p <- ncol(frame$x)
  labels <- labels_of_all_columns(frame$blueprint)
  part <- frame
  part$sums <- NULL
  found <- lapply(split(seq_len(p), (seq_len(p) - 1) %/% ROWS_BLOCK), function(block) {
    part$x <- frame$x[, block, drop = FALSE]
    part$blueprint$columns <- labels[block]
    part$blueprint$p <- length(block)
    moments_rows_domain_sums(frame_moments_cells(part, target, call), intercept)
  })
  sums <- found[[length(found)]][c("intercept", "n", "df")]
  # the response is the last row of every block
  last <- length(found)
  bind <- function(name) {
    do.call(rbind, lapply(seq_len(last), function(k) {
      M <- found[[k]][[name]]
      if (k < last) M[-nrow(M), , drop = FALSE] else M
    }))
  }
  join <- function(name, response) {
    unlist(lapply(seq_len(last), function(k) {
      v <- found[[k]][[name]]
      if (response && k < last) v[-length(v)] else v
    }))
  }
  for (name in c("mean", "square", "spread", "moderated")) sums[[name]] <- bind(name)
  sums$binary <- join("binary", FALSE)
  for (name in c("within", "centre")) sums[[name]] <- join(name, TRUE)
  y <- response_first(frame$y)
  sums$rows <- lapply(stats::setNames(nm = names(found[[1]]$cells)), function(name) {
    rows <- if (is.null(frame$domain)) seq_along(y) else which(frame$domain == name)
    w <- frame$weights[rows]
    list(x = frame$x[rows, , drop = FALSE], y = y[rows], weights = if (!is.null(w)) w * length(w) / sum(w))
  })
  sums
}

# The domains, with arguments as tlcp_domain_moments() has them once they are numbers: scale, columns x domains.
tlcp_rows_domains <- function(sums, scale, level) {
  q <- nrow(scale)
  lapply(stats::setNames(seq_along(sums$rows), names(sums$rows)), function(t) {
    rows <- sums$rows[[t]]
    n <- length(rows$y)
    root <- if (is.null(rows$weights)) rep(1, n) else sqrt(rows$weights)
    mean <- sums$mean[, t]
    centred <- cbind(as.matrix(rows$x), rows$y, deparse.level = 0) - rep(mean, each = n)
    centred[, sums$spread[, t] == 0] <- 0
    if (level) centred <- centred + rep(mean - sums$centre, each = n)
    all <- unname(centred / rep(scale[, t], each = n) * root)
    centre <- if (level) sums$centre else mean
    domain <- list(
      name = names(sums$rows)[t], n = as.double(n), x_mean = centre[-q], y_mean = centre[q], x_scale = scale[-q, t],
      y_scale = scale[q, t], X = all[, -q, drop = FALSE], y = all[, q], one = if (level) root,
      yy = sum(all[, q]^2), varies = sums$spread[-q, t] > 0, level = level
    )
    tlcp_rows_with_fit(domain, sums$intercept)
  })
}

# The columns of the features and, last, that of the level.
tlcp_rows_design <- function(domain) if (domain$level) cbind(domain$X, domain$one) else domain$X

tlcp_rows_with_fit <- function(domain, intercept) {
  domain$g <- drop(crossprod(tlcp_rows_design(domain), domain$y))
  domain$fit <- tlcp_rows_least_squares(domain, intercept)
  domain
}

# The least squares of a domain, as tlcp_domain_least_squares() has them: of its columns in their order those are kept
# that are no combinations of others before them. A block of columns at a time, until there are as many as rows. The
# solution is corrected by that for its residuals: moments square the condition of the columns, and a residual sum of
# squares of few degrees of freedom would keep half of its digits.
tlcp_rows_least_squares <- function(domain, intercept) {
  X <- tlcp_rows_design(domain)
  p <- ncol(X)
  n <- domain$n - (intercept && !domain$level)
  kept <- integer()
  for (from in seq(1, p, by = max(nrow(X), 20))) {
    tried <- c(kept, from:min(p, from + max(nrow(X), 20) - 1))
    part <- X[, tried, drop = FALSE]
    G <- crossprod(part)
    fit <- .Call(C_least_squares, G, domain$g[tried], domain$yy, n, NULL)
    kept <- tried[fit$kept]
    if (length(kept) >= n) break
  }
  left <- domain$y - drop(part %*% fit$coef)
  more <- .Call(C_least_squares, G, drop(crossprod(part, left)), sum(left^2), n, NULL)
  coef <- numeric(p)
  coef[tried] <- fit$coef + more$coef
  list(coef = coef, kept = kept, rss = more$rss, log_det = if (length(kept) == p) fit$log_det else 0, df = fit$df)
}

# The rows of all domains one below the other: A, y, and where each domain has its rows.
tlcp_rows_stacked <- function(domains) {
  n <- vapply(domains, function(domain) length(domain$y), 1L)
  list(A = do.call(rbind, lapply(unname(domains), tlcp_rows_design)), y = unlist(lapply(unname(domains), `[[`, "y")),
       at = Map(function(to, n) seq.int(to = to, length.out = n), unname(cumsum(n)), unname(n)))
}

# See tlcp_domain_own_levels().
tlcp_rows_without_level <- function(domain, intercept) {
  if (!domain$level) return(domain)
  centred <- function(M) M - domain$one * rep(drop(crossprod(domain$one, M)) / domain$n, each = length(domain$one))
  domain$X <- centred(domain$X)
  domain$X[, !domain$varies] <- 0
  domain$y <- drop(centred(cbind(domain$y)))
  domain$yy <- sum(domain$y^2)
  domain$one <- NULL
  domain$level <- FALSE
  tlcp_rows_with_fit(domain, intercept)
}

# See tlcp_domain_columns().
tlcp_rows_columns <- function(domain, columns, intercept) {
  domain$X <- domain$X[, columns, drop = FALSE]
  domain$varies <- domain$varies[columns]
  tlcp_rows_with_fit(domain, intercept)
}

SINGULAR <- 1e-10 # a column's squared distance from those before it, relative to its square

# The eigenvalues of a kernel K that are not rounding, their vectors and y in their basis.
tlcp_rows_directions <- function(K, y) {
  e <- eigen(K, symmetric = TRUE)
  r <- which(e$values > SINGULAR * max(e$values[1], 0))
  vectors <- e$vectors[, r, drop = FALSE]
  list(values = e$values[r], vectors = vectors, y = drop(crossprod(vectors, y)))
}

# What C_variance_posterior takes as `rows`, of domains without a level that are known by their rows: in the directions
# of the target's rows their kernel and the response; of the others' rows, divided by their residual standard
# deviations, the same and the products with the target's.
tlcp_rows_of_variance <- function(domains, s2, intercept) {
  stacked <- tlcp_rows_stacked(domains)
  root <- 1 / sqrt(rep(replace(s2, 1, 1), lengths(stacked$at)))
  K <- .Call(C_rows_kernel, stacked$A, rep(1, ncol(stacked$A))) * tcrossprod(root)
  y <- stacked$y * root
  mine <- stacked$at[[1]]
  target <- tlcp_rows_directions(K[mine, mine, drop = FALSE], y[mine])
  list(square = diag(target$values, length(target$values)), y = target$y, kernel = K[-mine, -mine, drop = FALSE],
       others = y[-mine], across = crossprod(target$vectors, K[mine, -mine, drop = FALSE]), yy = domains[[1]]$yy,
       n = domains[[1]]$n - intercept)
}
