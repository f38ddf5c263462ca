# tlcp(method = "cutoff"), written out naively: Algorithms 1 and 2 on the domains of helper-naive-tlcp.R.

# Orthogonal columns Z = x Q of norm sqrt(n) by Gram and Schmidt, in the order given. A column that is a combination of
# those before it in any domain is left out of all.
naive_gram_schmidt <- function(domains, order, tol = 1e-9) {
  p <- ncol(domains[[1]]$x)
  state <- lapply(domains, function(domain) {
    list(z = matrix(0, domain$n, 0), Q = matrix(0, p, 0))
  })
  kept <- integer(0)
  for (i in order) {
    new <- lapply(seq_along(domains), function(t) {
      r <- domains[[t]]$x[, i]
      q <- replace(rep(0, p), i, 1)
      z <- state[[t]]$z
      for (round in 1:2) {
        for (k in seq_len(ncol(z))) {
          a <- sum(z[, k] * r) / sum(z[, k]^2)
          r <- r - a * z[, k]
          q <- q - a * state[[t]]$Q[, k]
        }
      }
      list(r = r, q = q, lost = sqrt(sum(r^2)) <= tol * sqrt(sum(domains[[t]]$x[, i]^2)))
    })
    if (any(vapply(new, `[[`, TRUE, "lost"))) next
    kept <- c(kept, i)
    for (t in seq_along(domains)) {
      unit <- sqrt(domains[[t]]$n / sum(new[[t]]$r^2))
      state[[t]]$z <- cbind(state[[t]]$z, new[[t]]$r * unit)
      state[[t]]$Q <- cbind(state[[t]]$Q, new[[t]]$q * unit)
    }
  }
  list(state = state, kept = kept)
}

# The columns along the eigenvectors of the target's x'x, with norm sqrt(n) in the target.
naive_projection <- function(domains, tol = 1e-10, weak = .01) {
  e <- eigen(domains[[1]]$G, symmetric = TRUE)
  there <- e$values[e$values > tol * e$values[1]]
  r <- which(e$values > weak * mean(there))
  Q <- e$vectors[, r, drop = FALSE] *
    rep(sqrt(domains[[1]]$n / e$values[r]), each = nrow(e$vectors))
  list(
    state = lapply(domains, function(domain) list(z = domain$x %*% Q, Q = Q)),
    kept = seq_len(nrow(e$vectors))
  )
}

naive_cutoff_order <- function(domains) {
  w <- do.call(cbind, naive_stack(domains, "what"))
  if (ncol(w) == 1) {
    return(order(-abs(w[, 1])))
  }
  size <- rowSums(abs(w))
  order(-signif(size / rowSums(abs(w[, -1, drop = FALSE] - w[, 1])), 8), -size)
}

# The domains in the new columns: z'z = nI, so that least squares is z'y/n. The columns are in the order of the features
# where there is one for each feature.
naive_rotated <- function(domains, ortho) {
  Map(function(domain, part) {
    domain$x <- part$z
    if (ncol(part$z) == length(ortho$kept)) domain$x <- part$z[, order(ortho$kept), drop = FALSE]
    domain$G <- crossprod(domain$x)
    domain$what <- lm.fit(domain$x, domain$y)$coefficients
    domain
  }, domains, ortho$state)
}

# The nested models in the order of the size of u; the criterion of each is computed from the rows.
naive_cutoff <- function(domains, borrowing, order = naive_cutoff_order(domains),
                         ortho = naive_gram_schmidt(domains, order)) {
  rotated <- Map(function(domain, part) {
    domain$x <- part$z
    domain
  }, domains, ortho$state)
  columns <- if (ncol(rotated[[1]]$x) == length(ortho$kept)) {
    ortho$kept
  } else {
    seq_len(ncol(rotated[[1]]$x))
  }
  local <- borrowing
  local$own <- borrowing$own[columns, , drop = FALSE]
  local$common <- borrowing$common[columns]
  local$pen <- borrowing$pen[columns]
  closed <- naive_closed_form(rotated, local)
  w <- vapply(seq_along(domains), function(t) {
    drop(ortho$state[[t]]$Q %*% closed$w[, t])
  }, numeric(nrow(ortho$state[[1]]$Q)))
  spread <- sqrt(domains[[1]]$s2 * rowSums(ortho$state[[1]]$Q^2) / domains[[1]]$n)
  u <- ifelse(spread > 0, abs(w[, 1]) / spread, 0)
  u[setdiff(seq_along(u), ortho$kept)] <- 0
  models <- c(list(integer(0)), lapply(sort(unique(u[u > 0]), decreasing = TRUE), function(cut) {
    which(u >= cut)
  }))
  criterion <- vapply(models, function(S) {
    rss <- vapply(seq_along(domains), function(t) {
      sum((domains[[t]]$y - domains[[t]]$x[, S, drop = FALSE] %*% w[S, t])^2)
    }, 1)
    sum(borrowing$lam * rss) + sum(borrowing$pen[S])
  }, 1)
  list(w = w, u = u, models = models, criterion = criterion, S = models[[which.min(criterion)]])
}
