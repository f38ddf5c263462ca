# tlcp(method = "cutoff"): from orthogonal coordinates to the nested models of the path.

CUTOFF_STEPS <- 200 # models kept in the path beyond the chosen one

# Closed form in the bases' coordinates, back to features, and the nested models by cutoff. A basis of features has a
# coordinate for each feature, so that `keep` and penalties apply to features. cross: X'X Q of the target.
cutoff_models <- function(used, bases, cross, settings, call, rows = NULL) {
  domains <- used$domains
  columns <- used$columns
  featured <- is.null(rows)
  turned <- used
  turned$domains <- Map(cutoff_models_rotate_domain, domains,
                        if (featured) bases else lapply(domains, function(domain) {
    cutoff_models_gram_schmidt(domain, seq_along(domain$g))
  }))
  force <- tlcp_search_forced_columns(settings, columns)
  problem <- tlcp_fit_problem(NULL, turned, settings, call)
  borrowing <- problem$borrowing
  form <- problem$form
  pen <- if (settings$select) borrowing$pen else 0 * borrowing$pen
  if (featured) pen[force == 1] <- 0
  w <- matrix(cutoff_models_solve_by_feature(form, pen) * sqrt(borrowing$scales), ncol = form$n_domains)
  back <- cutoff_models_back_transformed(bases[seq_len(form$n_domains)], w)
  error <- sqrt(used$s2[1] * rowSums(bases[[1]]^2) / domains[[1]]$n)
  size <- ifelse(error > 0, abs(back[, 1]) / error, 0)
  if (!featured) borrowing$pen <- rep(borrowing$k, length(columns))
  order <- cutoff_models_order(size, back[, 1], force)
  loss <- if (form$n_domains < length(domains)) {
    cutoff_models_objective(back[, 1], order, bases[[1]], form, borrowing$scales)
  } else {
    # the sum of lam_t RSS_t of each of the nested models
    Reduce(`+`, lapply(seq_len(ncol(back)), function(t) {
      borrowing$lam[t] * cutoff_models_rss(back[, t], order, if (featured) domains[[t]] else rows[[t]])
    }))
  }
  rss <- cutoff_models_rss(back[, 1], order, if (featured) domains[[1]] else rows[[1]])
  rest <- if (form$n_domains < length(domains)) {
    cutoff_models_back_transformed(bases,
                                   tlcp_form_coefficients_of_all(turned$domains, borrowing) * sqrt(borrowing$scales))
  }
  found <- cutoff_models_choose(loss, rss, order, sum(force == 1), borrowing, settings$select)
  trace <- rowSums(bases[[1]] * cross * rep(cutoff_models_response_share(form, problem$borrowing, w),
                                            each = nrow(cross)))
  c(found, list(domains = domains, borrowing = borrowing, back = back, rest = rest,
                trace = cumsum(c(0, unname(trace)[found$order]))))
}

# Q with X Q orthogonal, columns of norm sqrt(n), taken in `order`: column i of X Q is what feature
# i adds to those before it.
cutoff_models_gram_schmidt <- function(domain, order) {
  Q <- matrix(0, length(order), length(order))
  # the inverse of the factor itself is needed: its columns are the directions
  R <- chol(domain$G[order, order, drop = FALSE])
  Q[order, order] <- backsolve(R, diag(sqrt(domain$n), length(order)))
  Q
}

# What one unit of z'y of the target adds to each of its coefficients, where z is the column of the coordinate; 0
# where the coordinate is left out.
cutoff_models_response_share <- function(form, borrowing, w) {
  inverse <- if (form$n_domains == 1) 1 / diag(form$A) else vapply(seq_len(nrow(w)), function(i) {
    block <- (i - 1) * form$n_domains + seq_len(form$n_domains)
    .Call(C_spd_inverse, form$A[block, block])[1, 1]
  }, 0)
  (w[, 1] != 0) * inverse * borrowing$lam[1] * borrowing$scales
}

cutoff_models_back_transformed <- function(bases, w) {
  p <- nrow(bases[[1]])
  matrix(vapply(seq_along(bases), function(t) drop(bases[[t]] %*% w[, t]), numeric(p)), nrow = p)
}

# A domain in coordinates where its columns are orthogonal.
cutoff_models_rotate_domain <- function(domain, Q) {
  z <- drop(crossprod(Q, domain$g))
  r <- length(z)
  domain$G <- diag(domain$n, r)
  domain$g <- z
  domain$fit$coef <- z / domain$n
  domain$fit$kept <- seq_len(r)
  domain$fit$log_det <- r * log(domain$n)
  domain
}

# Solves min w'Aw - 2 b'w + pen for each feature by itself, where A is block diagonal: features x T.
cutoff_models_solve_by_feature <- function(form, pen) {
  n_domains <- form$n_domains
  if (n_domains == 1) {
    w <- form$b / diag(form$A)
    return(cbind(ifelse(w * form$b > pen, w, 0)))
  }
  t(vapply(seq_along(pen), function(i) {
    block <- (i - 1) * n_domains + seq_len(n_domains)
    w <- .Call(C_spd_solve, form$A[block, block], form$b[block])
    if (sum(w * form$b[block]) > pen[i]) w else numeric(n_domains)
  }, numeric(n_domains)))
}

# Features enter by size, those that are kept first; of equal sizes, up to rounding, the one with the largest
# coefficient, and of equal ones the first column. All sizes are equal where one direction of the target is used.
cutoff_models_order <- function(size, coef, force) {
  by_size <- order(force != 1, -signif(size, 10), -signif(abs(coef), 10), seq_along(size))
  by_size[force[by_size] == 1 | (size[by_size] > 0 & force[by_size] == 0)]
}

# The target's objective with the other domains as a prior, in coordinates where A is diagonal.
cutoff_models_objective <- function(w, order, basis, form, scales) {
  inverse <- solve(basis) / sqrt(scales)
  a <- diag(form$A)
  coef <- numeric(length(w))
  objective <- form$c0
  for (j in order) {
    coef <- coef + inverse[, j] * w[j]
    objective <- c(objective, form$c0 + sum(a * coef^2) - 2 * sum(form$b * coef))
  }
  objective
}

cutoff_models_choose <- function(loss, rss, order, least, borrowing, select) {
  total <- if (is.null(borrowing$anew)) {
    loss + cumsum(c(0, borrowing$pen[order]))
  } else {
    tlcp_search_likelihood_value(loss, seq_along(loss) - 1, borrowing$anew)
  }
  allowed <- seq_along(total) > least
  best <- if (select) which(total == min(total[allowed]) & allowed)[1] else length(total)
  last <- max(best - 1L, min(length(order), CUTOFF_STEPS))
  list(order = order[seq_len(last)], loss = loss[seq_len(last + 1)], own = rss[seq_len(last + 1)],
       best = best)
}

# Residual sums of squares of a domain while its coefficients enter one after the other, from rows or from the Gram
# matrix.
cutoff_models_rss <- function(w, order, data) {
  rss <- numeric(length(order) + 1)
  if (!is.null(data$X)) {
    r <- data$y
    rss[1] <- sum(r^2)
    for (k in seq_along(order)) {
      r <- r - data$X[, order[k]] * w[order[k]]
      rss[k + 1] <- sum(r^2)
    }
    return(rss)
  }
  fitted <- numeric(length(w)) # G times the coefficients so far
  rss[1] <- data$yy
  for (k in seq_along(order)) {
    j <- order[k]
    rss[k + 1] <- rss[k] + w[j] * (w[j] * data$G[j, j] + 2 * (fitted[j] - data$g[j]))
    fitted <- fitted + data$G[, j] * w[j]
  }
  rss
}

# The path in the shape that tlcp_object() takes: its models are nested prefixes of one set of coefficients.
cutoff_models_finish <- function(path, all_domains, columns) {
  domains <- path$domains
  p <- nrow(path$back)
  steps <- length(path$order) + 1
  rank <- match(seq_len(p), path$order, nomatch = steps)
  inside <- outer(rank, seq_len(steps), `<`)
  z <- lapply(seq_along(domains), function(t) {
    if (t <= ncol(path$back)) path$back[, t] * inside else matrix(path$rest[, t], p, steps)
  })
  borrowing <- path$borrowing
  # in a basis that mixes features there are no values by feature
  if (length(borrowing$scales) != p) borrowing[c("scales", "v")] <- NULL
  z <- stats::setNames(z, tlcp_domain_names(domains))
  list(
    domains = domains, all_domains = all_domains, columns = columns, borrowing = borrowing,
    sets = inside, best = path$best,
    z = if (borrowing$borrow == "aggregate") tlcp_models_shared_by_all(z, all_domains) else z,
    objective = path$loss, own = path$own, trace = path$trace
  )
}
