# T-greedy written out naively: every step recomputes the residuals from the rows, and every
# domain's mean from its rows. Slow on purpose; base R only.

# Weighted means of the columns over the rows of each domain: one row a domain.
naive_by_domain <- function(values, domain, weights) {
  values <- as.matrix(values)
  means <- lapply(split(seq_along(domain), domain), function(i) {
    colSums(weights[i] * values[i, , drop = FALSE]) / sum(weights[i])
  })
  do.call(rbind, means)
}

# X and y centred and X scaled by moments of the labelled rows in which every domain counts once.
# e are the second moments a step divides by: 1 after scaling, unless unlabelled rows take part.
naive_domains <- function(X, y, domain, weights, unlabelled, intercept, standardize) {
  w <- if (is.null(weights)) rep(1, length(y)) else weights
  X <- X[w > 0, , drop = FALSE]
  y <- y[w > 0]
  domain <- factor(domain[w > 0])
  w <- w[w > 0]
  center <- rep(0, ncol(X))
  y_center <- 0
  if (intercept) {
    center <- colMeans(naive_by_domain(X, domain, w))
    y_center <- mean(naive_by_domain(y, domain, w))
  }
  centred <- X - rep(center, each = length(y))
  scale <- sqrt(colMeans(naive_by_domain(centred^2, domain, w)))
  varies <- apply(X, 2, function(x) if (intercept) max(x) > min(x) else any(x != 0))
  if (!standardize) scale[] <- 1
  scale[!varies] <- 1
  z <- centred / rep(scale, each = length(y))
  second <- naive_second_moments(z, domain, w, unlabelled, center, scale)
  e <- unname(diag(second))
  e[!varies] <- 1
  list(
    z = z, y = y - y_center, domain = domain, w = w, e = e, second = second, center = center, scale = scale,
    y_center = y_center, varies = varies, names = colnames(X), n = nlevels(domain)
  )
}

# mean_k E_k zz' over all domains, those without labels too: in a domain with both kinds of rows
# the labelled ones weigh 1 on average, the unlabelled ones 1.
naive_second_moments <- function(z, domain, w, unlabelled, center, scale) {
  w <- w / ave(w, domain)
  if (!is.null(unlabelled)) {
    extra <- nrow(unlabelled$x)
    centred <- unlabelled$x - rep(center, each = extra)
    z <- rbind(z, centred / rep(scale, each = extra))
    domain <- factor(c(as.character(domain), as.character(unlabelled$domain)))
    w <- c(w, rep(1, extra))
  }
  crossproducts <- lapply(split(seq_along(w), domain), function(i) {
    zi <- z[i, , drop = FALSE]
    crossprod(zi, w[i] * zi) / sum(w[i])
  })
  Reduce(`+`, crossproducts) / nlevels(domain)
}

# The prior d0, s0^2 of variances s2 with df degrees of freedom, one number or one for each (Smyth 2004, section
# 6.2): the mean and the variance of log s2 matched to those of a scaled F.
naive_prior <- function(s2, df) {
  if (length(s2) < 2 || all(s2 == 0)) {
    return(list(d0 = 0, s02 = 0))
  }
  middle <- median(s2)
  if (middle == 0) middle <- median(s2[s2 > 0])
  x <- pmax(s2, 1e-5 * middle)
  e <- log(x) - digamma(df / 2) + log(df / 2)
  excess <- var(e) - mean(trigamma(df / 2))
  if (excess <= 0) {
    return(list(d0 = Inf, s02 = mean(x)))
  }
  half <- naive_trigamma_inverse(excess)
  list(d0 = 2 * half, s02 = exp(mean(e) + digamma(half) - log(half)))
}

# The x with trigamma(x) = value.
naive_trigamma_inverse <- function(value) {
  log_gap <- function(log_x) log(trigamma(exp(log_x))) - log(value)
  exp(uniroot(log_gap, c(-40, 40), tol = 1e-15)$root)
}

naive_moderated <- function(s2, df, prior) {
  if (is.infinite(prior$d0)) {
    return(rep(prior$s02, length(s2)))
  }
  (prior$d0 * prior$s02 + df * s2) / (prior$d0 + df)
}

# The units of selection: for each group the columns that vary and are no combination of columns before them, with an
# orthonormal basis by the eigenvectors of their second moments.
naive_units <- function(domains, groups) {
  p <- ncol(domains$z)
  lapply(split(seq_len(p), factor(groups, unique(groups))), function(own) {
    S <- integer()
    for (j in own[domains$varies[own]]) if (naive_is_new(domains$second, S, j)) S <- c(S, j)
    if (length(S) < 2) return(list(columns = S, root = matrix(1 / sqrt(domains$e[S]), length(S), length(S))))
    parts <- eigen(domains$second[S, S], symmetric = TRUE)
    list(columns = S, root = parts$vectors %*% diag(1 / sqrt(parts$values)) %*% t(parts$vectors))
  })
}

# Student's t on `df` that is exceeded in size as often as F = f on df1, df2.
naive_t_of_f <- function(f, df1, df2, df) {
  upper <- pf(f, df1, df2, lower.tail = FALSE, log.p = TRUE)
  qt(upper - log(2), df, lower.tail = FALSE, log.p = TRUE)
}

# The table of the quantities of every unit at a step, from the residuals r; `moves` are the steps of its columns.
naive_unit_table <- function(domains, units, r, nu) {
  n <- domains$n
  m <- naive_by_domain(domains$z * r, domains$domain, domains$w)
  effects <- lapply(units, function(u) m[, u$columns, drop = FALSE] %*% u$root)
  size <- vapply(units, function(u) length(u$columns), 1L)
  mu <- vapply(effects, function(z) if (ncol(z) == 1) mean(z) else sqrt(sum(colMeans(z)^2)), 1)
  moves <- lapply(units, function(u) nu * drop(u$root %*% u$root %*% colMeans(m)[u$columns]))
  table <- data.frame(mu = unname(mu), weight = ifelse(size == 1, vapply(moves, function(x) c(x, 0)[1], 1), NA))
  attr(table, "moves") <- moves
  if (n == 1) {
    table[c("s", "t", "t_mod", "gain")] <- NA_real_
    return(table)
  }
  table$s <- unname(vapply(effects, function(z) sqrt(sum(apply(z, 2, var))), 1))
  table$s[table$s <= 1e-10 * abs(mu)] <- 0
  varies <- size > 0
  df <- pmax(size, 1) * (n - 1)
  prior <- naive_prior((table$s^2 / size)[varies], df[varies])
  s2 <- pmax(size, 1) * naive_moderated(table$s^2 / pmax(size, 1), df, prior)
  t_of <- function(s2, more) {
    t <- mu / sqrt(s2 / n)
    several <- which(size > 1 & is.finite(t))
    t[several] <- naive_t_of_f(t[several]^2, size[several], df[several] + more, n - 1 + more)
    unname(t)
  }
  table$t <- t_of(table$s^2, 0)
  table$t_mod <- t_of(s2, prior$d0)
  table$gain <- unname(nu * (2 - nu) * mu^2 - nu * (s2 / n) * (2 + nu / (n - 1)))
  attr(table, "prior") <- prior
  table
}

# The quantity a rule maximises; ties of the first row are broken by the second, then by the
# lowest column.
naive_criterion <- function(table, rule, signed, n) {
  if (n == 1) rule <- "greedy"
  sign <- if (signed) identity else abs
  first <- switch(rule,
    gain = table$gain, greedy = table$mu^2, t = sign(table$t), modt = sign(table$t_mod)
  )
  rbind(first, abs(table$mu))
}

naive_best <- function(criterion, allowed) {
  for (row in seq_len(nrow(criterion))) {
    values <- criterion[row, allowed]
    best <- max(values)
    slack <- if (is.finite(best)) 1e-10 * abs(best) else 0
    allowed <- allowed[values >= best - slack]
  }
  allowed[1]
}

# Does the stop rule refuse this pick?
naive_refuses <- function(stop, pick, n, p, alpha, delta) {
  if (n == 1) {
    return(FALSE)
  }
  switch(stop,
    none = FALSE,
    gain = pick$gain <= 0,
    bonferroni = 2 * pt(-abs(pick$t), n - 1) > alpha / p,
    theorem1 = abs(pick$mu) <= naive_theorem1(pick$s, n, p, delta)$width
  )
}

# Theorem 1: with probability 1 - delta all of `size` means are within `width` of what they
# estimate, if `holds`.
naive_theorem1 <- function(s, n, size, delta) {
  list(
    width = s / sqrt(n) * sqrt(4 * log(2 * size / delta)),
    holds = size <= delta / 2 * exp(n / 8), domains = ceiling(8 * log(2 * size / delta))
  )
}

# Corollary 3 for the columns S: the sum of the variances in an orthonormal basis of their span.
naive_corollary3 <- function(domains, G, S, delta) {
  if (length(S) == 0) {
    return(0)
  }
  n <- domains$n
  if (n == 1) {
    return(NA_real_)
  }
  unit <- 1 / sqrt(diag(G)[S])
  root <- eigen(G[S, S, drop = FALSE] * outer(unit, unit), symmetric = TRUE)
  keep <- root$values > 1e-10 * max(root$values)
  basis <- root$vectors[, keep, drop = FALSE] %*% diag(1 / sqrt(root$values[keep]), sum(keep))
  rotated <- domains$z[, S, drop = FALSE] %*% (unit * basis)
  m <- naive_by_domain(rotated * domains$y, domains$domain, domains$w)
  p <- sum(domains$varies)
  sum(apply(m, 2, var)) * (8 * length(S) * log(p) + 4 * log(2 / delta)) / n
}

# Weighted area under the ROC curve by all pairs.
naive_auroc <- function(positive, score, w) {
  if (all(positive) || !any(positive)) {
    return(NA_real_)
  }
  pair_weight <- outer(w[positive], w[!positive])
  above <- outer(score[positive], score[!positive], function(a, b) (a > b) + (a == b) / 2)
  sum(pair_weight * above) / sum(pair_weight)
}

# The path. `groups`: the group of every column, which enters whole; `order` has their numbers. `follow`
# makes it pick the units it names and report how far each was from the best (`shortfall`, in parts of the
# first criterion): for data where several are equally good.
naive_tgreedy <- function(X, y, domain, rule = "gain", nu = if (rule == "gain") 0.5 else 1,
                          signed = FALSE, repeats = update == "stagewise", update = "stagewise",
                          intercept = TRUE, standardize = TRUE, weights = NULL,
                          unlabelled = NULL, groups = seq_len(ncol(X)), max_features = min(50, length(unique(groups))),
                          stop = if (rule == "gain") "gain" else "none", alpha = 0.05,
                          delta = 0.05, max_picks = 10 * max_features, follow = NULL) {
  domains <- naive_domains(X, y, domain, weights, unlabelled, intercept, standardize)
  n <- domains$n
  units <- naive_units(domains, groups)
  size <- vapply(units, function(u) length(u$columns), 1L)
  G <- domains$second
  null_loss <- mean(naive_by_domain(domains$y^2, domains$domain, domains$w))
  w <- rep(0, ncol(X))
  picks <- integer()
  S <- integer()
  sets <- list(S)
  rows <- list()
  W <- list(w)
  shortfall <- numeric()
  repeat {
    r <- drop(domains$y - domains$z %*% w)
    table <- naive_unit_table(domains, units, r, nu)
    allowed <- which(size > 0 & table$mu^2 > 1e-20 * null_loss)
    if (!repeats || update == "refit") allowed <- setdiff(allowed, picks)
    if (update == "refit") {
      allowed <- Filter(function(u) length(naive_new_columns(G, S, units[[u]]$columns)) > 0, allowed)
    }
    if (length(allowed) == 0 || length(picks) == max_picks) break
    criterion <- naive_criterion(table, rule, signed, n)
    u <- naive_best(criterion, allowed)
    if (!is.null(follow)) {
      if (length(picks) == length(follow)) break
      missed <- criterion[1, u] - criterion[1, follow[length(picks) + 1]]
      u <- follow[length(picks) + 1]
      shortfall <- c(shortfall, missed / abs(max(1e-300, criterion[1, allowed])))
    }
    if (length(unique(c(picks, u))) > max_features) break
    if (naive_refuses(stop, table[u, ], n, sum(size > 0), alpha, delta)) break
    picks <- c(picks, u)
    rows <- c(rows, list(table[u, ]))
    columns <- units[[u]]$columns
    S <- unique(c(S, if (update == "refit") naive_new_columns(G, S, columns) else columns))
    sets <- c(sets, list(S))
    if (update == "refit") {
      w <- naive_refit(domains, G, S)
    } else {
      w[columns] <- w[columns] + attr(table, "moves")[[u]]
    }
    W <- c(W, list(w))
  }
  path <- naive_tgreedy_report(domains, G, picks, sets, rows, W, delta, unique(groups))
  c(path, list(left = table, shortfall = shortfall))
}

naive_refit <- function(domains, G, S) {
  m <- colMeans(naive_by_domain(domains$z * domains$y, domains$domain, domains$w))
  w <- rep(0, ncol(domains$z))
  w[S] <- solve(G[S, S, drop = FALSE], m[S])
  w
}

# Is column j no combination of the columns S?
naive_is_new <- function(G, S, j) {
  if (length(S) == 0) {
    return(TRUE)
  }
  G[j, j] - sum(G[j, S] * solve(G[S, S, drop = FALSE], G[S, j])) > 1e-10 * G[j, j]
}

# Of `columns` those that are, one after the other, no combination of S and those before them.
naive_new_columns <- function(G, S, columns) {
  for (j in columns) if (!j %in% S && naive_is_new(G, S, j)) S <- c(S, j)
  intersect(columns, S)
}

# Everything a path object says about its steps 0..K, on the original scale.
naive_tgreedy_report <- function(domains, G, picks, sets, rows, W, delta, labels) {
  steps <- seq_along(W) - 1
  w <- matrix(unlist(W), ncol = length(W))
  beta <- w / domains$scale
  rownames(beta) <- domains$names
  score <- domains$z %*% w
  domain_loss <- t(naive_by_domain((domains$y - score)^2, domains$domain, domains$w))
  table <- do.call(rbind, rows)
  path <- list(
    order = picks, table = table,
    entered = as.character(if (is.numeric(labels)) domains$names[labels[picks]] else labels[picks]),
    p_value = if (length(picks)) 2 * pt(-abs(table$t), domains$n - 1),
    size = lengths(sets),
    w = w, beta = beta, a0 = domains$y_center - colSums(domains$center * beta),
    domain_loss = domain_loss, loss = rowMeans(domain_loss),
    bound = vapply(sets, function(S) naive_corollary3(domains, G, S, delta), numeric(1)),
    scale = domains$scale, n = domains$n
  )
  if (length(unique(domains$y)) == 2) {
    rows_of <- split(seq_along(domains$y), domains$domain)
    path$domain_auroc <- t(vapply(steps + 1, function(k) {
      vapply(rows_of, function(i) {
        naive_auroc(domains$y[i] == max(domains$y), score[i, k], domains$w[i])
      }, numeric(1))
    }, numeric(domains$n)))
  }
  path
}

# stop = "cv": the whole path again without each domain; the mean over domains of the loss on the
# domain left out, at steps 0..K of the path on all of them.
naive_tgreedy_cv <- function(X, y, domain, last, ...) {
  domain <- factor(as.character(domain))
  losses <- vapply(levels(domain), function(k) {
    out <- domain == k
    path <- naive_tgreedy(X[!out, , drop = FALSE], y[!out], domain[!out], ..., stop = "none")
    at <- pmin(0:last, length(path$order)) + 1
    score <- X[out, , drop = FALSE] %*% path$beta[, at] + rep(path$a0[at], each = sum(out))
    colMeans((y[out] - score)^2)
  }, numeric(last + 1))
  rowMeans(matrix(losses, last + 1))
}
