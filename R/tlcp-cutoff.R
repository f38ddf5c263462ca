# tlcp(method = "cutoff"): the closed form of orthogonal designs, carried over to any (Chen et al.,
# Algorithms 1 and 2). In the coordinates of `basis` (features x coordinates, one a domain) a domain's
# columns are orthogonal with norm sqrt(n); there the problem falls apart into one feature at a
# time.

WEAK <- .01 # of the mean eigenvalue: directions with less would blow up noise more than tenfold
WEAK_SURPLUS <- .003 # the same where there are more rows than features, if fewer than twice as many
CUTOFF_STEPS <- 200 # models kept in the path beyond the chosen one

cutoff_fit <- function(frame, target, settings, call) {
  n <- if (is.null(frame$domain)) frame_nobs(frame) else sum(frame$domain == target)
  few <- n - settings$intercept <= frame$blueprint$p
  if (few || hardly_more(frame, target, n, settings, call)) {
    path <- projected_path(frame, target, settings, call)
  } else {
    path <- cutoff_path(frame_cells(frame, target, call), settings, call)
  }
  tlcp_object(path, frame, target, settings)
}

# Are there hardly more rows than features, and so directions of the target in which least squares is
# mostly noise? Then they are left out as where there are fewer rows, if the settings allow it.
hardly_more <- function(frame, target, n, settings, call) {
  if (n - settings$intercept >= 2 * frame$blueprint$p || !is.null(not_projected(settings))) return(FALSE)
  X <- scaled_rows(frame, target, settings, call)[[1]]$X
  if (!all(is.finite(X))) return(FALSE) # a column is constant
  values <- eigen(crossprod(X), TRUE, TRUE)$values
  values <- values[values > SINGULAR * values[1]]
  any(values < WEAK_SURPLUS * mean(values))
}

# ---- more rows than features ---------------------------------------------------------------------

cutoff_path <- function(cells, settings, call) {
  domains <- make_domains(domain_sums(cells, settings$intercept), settings$scaling, call)
  used <- domains_in_use(domains, settings, call)
  order <- cutoff_order(used$domains)
  bases <- lapply(used$domains, function(domain) gram_schmidt(domain, order))
  own <- domain_columns(domains[[1]], used$columns, settings$intercept)
  path <- cutoff_models(used, bases, own$G %*% bases[[1]], settings, call)
  finish_cutoff(path, domains, used$columns)
}

# Features with large effects that differ little come first. Of two domains the ratio is 1 for all
# features whose effects differ in sign: among these, which rounding must not order, large effects
# come first.
cutoff_order <- function(domains) {
  w <- matrix(least_squares(domains), ncol = length(domains))
  if (ncol(w) == 1) return(order(-abs(w[, 1])))
  apart <- rowSums(abs(w[, -1, drop = FALSE] - w[, 1]))
  size <- rowSums(abs(w))
  order(-signif(size / apart, 8), -size)
}

# Q with X Q orthogonal, columns of norm sqrt(n), taken in `order`: column i of X Q is what feature
# i adds to those before it.
gram_schmidt <- function(domain, order) {
  Q <- matrix(0, length(order), length(order))
  R <- chol(domain$G[order, order, drop = FALSE])
  Q[order, order] <- backsolve(R, diag(sqrt(domain$n), length(order)))
  Q
}

# ---- fewer rows than features, or hardly more ----------------------------------------------------

# The target's principal directions (X Q)'(X Q) = n I; the other domains' columns X_t Q are made
# orthogonal in their order.
projected_path <- function(frame, target, settings, call) {
  parts <- scaled_rows(frame, target, settings, call)
  rows <- if (identical(settings$borrow, "none")) parts[1] else parts
  refuse_projection(settings, call)
  X <- rows[[1]]$X
  n <- rows[[1]]$n
  e <- eigen(tcrossprod(X), symmetric = TRUE)
  r <- which(e$values > WEAK * mean(e$values[e$values > SINGULAR * max(e$values[1], 0)]))
  if (!length(r)) {
    abort_input("No column of {.arg x} varies{in_domain(target)}.", "x",
                i = "There is nothing to select.", call = call)
  }
  d <- e$values[r]
  u2 <- drop(crossprod(e$vectors[, r, drop = FALSE], rows[[1]]$y))^2
  B <- crossprod(X, e$vectors[, r, drop = FALSE]) * rep(sqrt(n) / d, each = ncol(X))
  domains <- lapply(rows, projected_domain, B = B, intercept = settings$intercept)
  short <- vapply(domains, function(t) length(t$fit$kept) < length(r), NA)
  if (any(short)) {
    abort_input("Domain {.val {names(domains)[short]}} has too few rows for the {length(r)} principal
                 directions of the target.", "domain",
                i = "Use {.code borrow = \"none\"}, or leave that domain out.",
                call = call)
  }
  variances <- residual_variances(domains, given_variances(parts, settings, call), call,
                                  moderate = identical(settings$borrow, "hierarchical"))
  if (variances$from[1] == "marginal likelihood") {
    variances$s2[1] <- ridge_variance(d, u2, domains[[1]]$yy, n - settings$intercept)
  }
  used <- guarded_domains(domains, variances, settings, call)
  bases <- lapply(used$domains, function(domain) B %*% gram_schmidt(domain, seq_along(r)))
  all <- seq_len(ncol(X))
  cross <- crossprod(X, X %*% bases[[1]])
  used$columns <- all
  path <- cutoff_models(used, bases, cross, settings, call, rows[used$at])
  finish_cutoff(path, lapply(parts, with_least_squares, intercept = settings$intercept), all)
}

# The rows of a domain with its own least squares, which are NA where they are too few.
with_least_squares <- function(rows, intercept) {
  p <- ncol(rows$X)
  if (rows$n - intercept < p) {
    rows$fit <- list(coef = rep(NA_real_, p))
    return(rows)
  }
  rows$fit <- domain_fit(list(G = crossprod(rows$X), g = drop(crossprod(rows$X, rows$y)),
                            yy = sum(rows$y^2), n = rows$n), intercept)
  rows
}

# Directions of the target are no features: what is said of features has no meaning there.
refuse_projection <- function(settings, call) {
  wrong <- not_projected(settings)
  if (is.null(wrong)) return(invisible())
  value <- if (is.list(settings[[wrong]])) "numbers by feature" else settings[[wrong]]
  why <- if (wrong == "criterion") {
    "No variance can be estimated anew for the larger subsets: use {.val Cp}, {.val Cp_BIC},
     {.val Cp_HQ}, {.val RIC} or a number."
  } else {
    "The directions of the target take the features' place there: use another {.arg {wrong}}."
  }
  abort_input("{.arg {wrong}} is {.val {value}}, and the target has no more rows than features.",
              wrong, i = why, call = call)
}

# The setting that asks for features, or NULL.
not_projected <- function(settings) {
  numbers <- is.list(settings$borrow) && any(lengths(settings$borrow[c("v", "pen")]) > 1)
  alone <- identical(settings$borrow, "none")
  if (identical(settings$borrow, "aggregate") || numbers) {
    "borrow"
  } else if (alone && variance_anew(settings$criterion, "none")) {
    "criterion"
  } else if (settings$support == "target" && !alone) {
    "support"
  }
}

# Rows of every domain, target first, in its z-scores (domain_scale()); weights as square roots.
scaled_rows <- function(frame, target, settings, call) {
  refuse_missing(frame$x, column_labels(frame$blueprint$columns, seq_len(frame$blueprint$p)), call)
  domain <- frame$domain %||% factor(rep(target, frame_nobs(frame)))
  y <- response_matrix(frame$y)[, 1]
  weight <- frame_weights(frame)
  parts <- lapply(split(seq_along(y), domain), function(i) {
    centred_rows(as.matrix(frame$x[i, , drop = FALSE]), y[i], weight[i] / mean(weight[i]),
                 settings$intercept)
  })
  parts <- parts[c(target, setdiff(levels(domain), target))]
  spread <- lapply(parts, `[[`, "spread")
  refuse_constant_y(names(parts), vapply(parts, `[[`, 0, "n"), vapply(spread, function(s) s[length(s)], 0), call)
  binary <- Reduce(`&`, lapply(parts, `[[`, "binary"))
  df <- vapply(parts, function(part) max(part$n - 1, 0), 0)
  pooled <- sqrt(Reduce(`+`, Map(function(s, df) s^2 * df, spread, df)) / max(sum(df), 1))
  Map(function(part, name) {
    scale_rows(part, name, domain_scale(part$spread, spread[[1]], pooled, binary, settings$scaling))
  }, parts, names(parts))
}

# The columns and the response about their means, with standard deviations, the response last.
centred_rows <- function(X, y, w, intercept) {
  all <- cbind(X, y, deparse.level = 0)
  n <- as.double(nrow(all))
  mean <- if (intercept) colSums(all * w) / n else numeric(ncol(all))
  rows <- all - rep(mean, each = n)
  square <- colSums(rows^2 * w)
  flat <- square <= 1e-24 * colSums(all^2 * w)
  rows[, flat] <- 0
  square[flat] <- 0
  list(n = n, rows = rows, w = w, mean = mean, spread = sqrt(square / max(n - 1, 1)),
       binary = colSums(X != 0 & X != 1) == 0)
}

scale_rows <- function(part, name, scale) {
  x <- seq_len(length(scale) - 1)
  rows <- part$rows * sqrt(part$w) / rep(scale, each = part$n)
  list(name = name, n = part$n, X = rows[, x, drop = FALSE], y = rows[, -x],
       x_mean = part$mean[x], y_mean = part$mean[-x], x_scale = scale[x], y_scale = scale[-x])
}

projected_domain <- function(rows, B, intercept) {
  Z <- rows$X %*% B
  domain <- list(name = rows$name, n = rows$n, y_scale = rows$y_scale, G = crossprod(Z),
               g = drop(crossprod(Z, rows$y)), yy = sum(rows$y^2), level = FALSE)
  domain$fit <- domain_fit(domain, intercept)
  domain
}

# ---- the models -------------------------------------------------------------------------------

# Closed form in the bases' coordinates, back to features, and the nested models by cutoff. A basis
# of features has a coordinate for each, so that keep and penalties mean what they say. cross: X'X Q
# of the target.
cutoff_models <- function(used, bases, cross, settings, call, rows = NULL) {
  domains <- used$domains
  columns <- used$columns
  featured <- is.null(rows)
  turned <- used
  turned$domains <- Map(turn_domain, domains, if (featured) bases else lapply(domains, function(domain) {
    gram_schmidt(domain, seq_along(domain$g))
  }))
  force <- forced_columns(settings, columns)
  problem <- strength_and_form(turned, settings, call)
  strength <- problem$strength
  form <- problem$form
  pen <- if (settings$select) strength$pen else 0 * strength$pen
  if (featured) pen[force == 1] <- 0
  w <- matrix(solve_apart(form, pen) * sqrt(strength$scales), ncol = form$n_domains)
  back <- back_transformed(bases[seq_len(form$n_domains)], w)
  error <- sqrt(used$s2[1] * rowSums(bases[[1]]^2) / domains[[1]]$n)
  size <- ifelse(error > 0, abs(back[, 1]) / error, 0)
  if (!featured) strength$pen <- rep(strength$k, length(columns))
  order <- nested_order(size, force)
  loss <- if (form$n_domains < length(domains)) {
    nested_objective(back[, 1], order, bases[[1]], form, strength$scales)
  } else {
    nested_loss(back, order, if (featured) domains else rows, strength$lam)
  }
  own <- nested_rss(back[, 1], order, if (featured) domains[[1]] else rows[[1]])
  rest <- if (form$n_domains < length(domains)) {
    back_transformed(bases, unselected(turned$domains, strength) * sqrt(strength$scales))
  }
  found <- choose_nested(loss, own, order, sum(force == 1), strength, settings$select)
  trace <- rowSums(bases[[1]] * cross * rep(response_share(form, problem$strength, w),
                                            each = nrow(cross)))
  c(found, list(domains = domains, strength = strength, back = back, rest = rest,
                trace = cumsum(c(0, unname(trace)[found$order]))))
}

# What one unit of the target's z'y adds to each of its coefficients, z the coordinate's column; 0
# where the coordinate is left out.
response_share <- function(form, strength, w) {
  inverse <- if (form$n_domains == 1) 1 / diag(form$A) else vapply(seq_len(nrow(w)), function(i) {
    at <- (i - 1) * form$n_domains + seq_len(form$n_domains)
    solve(form$A[at, at])[1, 1]
  }, 0)
  (w[, 1] != 0) * inverse * strength$lam[1] * strength$scales
}

back_transformed <- function(bases, w) {
  p <- nrow(bases[[1]])
  matrix(vapply(seq_along(bases), function(t) drop(bases[[t]] %*% w[, t]), numeric(p)), nrow = p)
}

# A domain in coordinates where its columns are orthogonal.
turn_domain <- function(domain, Q) {
  z <- drop(crossprod(Q, domain$g))
  r <- length(z)
  domain$G <- diag(domain$n, r)
  domain$g <- z
  domain$fit$coef <- z / domain$n
  domain$fit$kept <- seq_len(r)
  domain$fit$log_det <- r * log(domain$n)
  domain
}

# min w'Aw - 2 b'w + pen of each feature by itself, A block diagonal; features x T.
solve_apart <- function(form, pen) {
  n_domains <- form$n_domains
  if (n_domains == 1) {
    w <- form$b / diag(form$A)
    return(cbind(ifelse(w * form$b > pen, w, 0)))
  }
  t(vapply(seq_along(pen), function(i) {
    at <- (i - 1) * n_domains + seq_len(n_domains)
    w <- solve(form$A[at, at], form$b[at])
    if (sum(w * form$b[at]) > pen[i]) w else numeric(n_domains)
  }, numeric(n_domains)))
}

# Features enter by size, those that are kept first.
nested_order <- function(size, force) {
  order <- order(force != 1, -size, seq_along(size))
  order[force[order] == 1 | (size[order] > 0 & force[order] == 0)]
}

# Sum of lam_t RSS_t of each of the nested models.
nested_loss <- function(back, order, data, lam) {
  Reduce(`+`, lapply(seq_len(ncol(back)), function(t) {
    lam[t] * nested_rss(back[, t], order, data[[t]])
  }))
}

# The target's objective with the sources as a prior, in coordinates where A is diagonal.
nested_objective <- function(w, order, basis, form, scales) {
  inverse <- solve(basis) / sqrt(scales)
  a <- diag(form$A)
  at <- numeric(length(w))
  out <- form$c0
  for (j in order) {
    at <- at + inverse[, j] * w[j]
    out <- c(out, form$c0 + sum(a * at^2) - 2 * sum(form$b * at))
  }
  out
}

choose_nested <- function(loss, own, order, least, strength, select) {
  total <- if (is.null(strength$anew)) {
    loss + cumsum(c(0, strength$pen[order]))
  } else {
    likelihood_value(loss, seq_along(loss) - 1, strength$anew)
  }
  allowed <- seq_along(total) > least
  best <- if (select) which(total == min(total[allowed]) & allowed)[1] else length(total)
  last <- max(best - 1L, min(length(order), CUTOFF_STEPS))
  list(order = order[seq_len(last)], loss = loss[seq_len(last + 1)], own = own[seq_len(last + 1)],
       best = best)
}

# Residual sums of squares of a domain as its coefficients enter one after the other: by rows, or by
# the Gram matrix.
nested_rss <- function(w, order, data) {
  out <- numeric(length(order) + 1)
  if (!is.null(data$X)) {
    r <- data$y
    out[1] <- sum(r^2)
    for (k in seq_along(order)) {
      r <- r - data$X[, order[k]] * w[order[k]]
      out[k + 1] <- sum(r^2)
    }
    return(out)
  }
  fitted <- numeric(length(w)) # G times the coefficients so far
  out[1] <- data$yy
  for (k in seq_along(order)) {
    j <- order[k]
    out[k + 1] <- out[k] + w[j] * (w[j] * data$G[j, j] + 2 * (fitted[j] - data$g[j]))
    fitted <- fitted + data$G[, j] * w[j]
  }
  out
}

# In the shape that tlcp_object() takes: models are nested prefixes of one set of coefficients.
finish_cutoff <- function(path, all_domains, columns) {
  domains <- path$domains
  p <- nrow(path$back)
  steps <- length(path$order) + 1
  rank <- match(seq_len(p), path$order, nomatch = steps)
  inside <- outer(rank, seq_len(steps), `<`)
  z <- lapply(seq_along(domains), function(t) {
    if (t <= ncol(path$back)) path$back[, t] * inside else matrix(path$rest[, t], p, steps)
  })
  strength <- path$strength
  # a basis that mixes features has no strength by feature
  if (length(strength$scales) != p) strength[c("scales", "v")] <- NULL
  z <- stats::setNames(z, vapply(domains, `[[`, "", "name"))
  list(
    domains = domains, all_domains = all_domains, columns = columns, strength = strength,
    sets = inside, best = path$best,
    z = shared_by_all(z, strength, all_domains), objective = path$loss, own = path$own,
    trace = path$trace
  )
}
