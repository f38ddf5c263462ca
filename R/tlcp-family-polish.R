# The mode of the penalised log-likelihood on a set of features, the borrowing prior being fixed: the minimum of
#   F(theta) = -2 sum_t lam_t l_t(theta) + theta'P theta - 2 m'theta + c,
# theta being the coordinates that are searched, followed by the constants; P, m and c are the quadratic form of
# the borrowing prior, without the domains' own likelihoods.

# blocks: the domains searched, each with its rows in the coordinates' columns (Z), the places of
# these in theta (at) and their units (root).
family_polisher <- function(fixed, mode, problem) {
  borrowing <- problem$borrowing
  form <- problem$form
  n_domains <- form$n_domains
  p <- length(fixed$columns)
  pooled <- borrowing$borrow == "aggregate"
  which <- if (pooled) seq_along(mode$domains) else seq_len(n_domains)
  constants <- fixed$intercept * length(which)
  root <- sqrt(borrowing$scales)
  if (fixed$intercept && !fixed$level) root <- c(root, 1)
  blocks <- lapply(seq_along(which), function(k) {
    domain <- mode$domains[[which[k]]]
    at <- (seq_len(p) - 1L) * n_domains + if (pooled) 1L else k
    domain$at <- c(at, if (constants) p * n_domains + k)
    domain$lam <- borrowing$lam[if (pooled) 1L else k]
    scaled_domain(domain, root)
  })
  full <- form$full %||% form
  own <- scaled_parts(problem$domains, borrowing)
  N <- p * n_domains + constants
  P <- matrix(0, N, N)
  m <- numeric(N)
  at <- seq_along(full$b)
  P[at, at] <- full$A
  m[at] <- full$b
  for (k in seq_len(n_domains)) {
    mine <- seq(k, by = n_domains, length.out = nrow(own$g))
    P[mine, mine] <- P[mine, mine] - own$H[[k]]
    m[mine] <- m[mine] - own$g[, k]
  }
  alone <- without_borrowing(borrowing$borrow)
  polisher <- list(
    family = fixed$family, blocks = blocks, which = which, root = root, P = (P + t(P)) / 2, m = m,
    c = if (alone) borrowing$k * constants else full$c0 - sum(own$yy[seq_len(n_domains)]),
    p = p, n_domains = n_domains, columns = fixed$columns, alone = alone
  )
  if (alone) {
    polisher$P[] <- 0
    polisher$m[] <- 0
  }
  polisher$start <- searched_theta(polisher, mode$theta)
  polisher
}

penalised_at <- function(polisher, theta) {
  log_lik <- vapply(polisher$blocks, function(block) {
    domain_log_lik(polisher$family, block, theta[block$at])
  }, 0)
  lam <- vapply(polisher$blocks, `[[`, 0, "lam")
  value <- -2 * sum(lam * log_lik) + sum(theta * (polisher$P %*% theta)) -
    2 * sum(polisher$m * theta) + polisher$c
  list(value = value, log_lik = log_lik[1])
}

# set: logical, by column. The value of F at its mode, theta, the target's log-likelihood and df, the
# trace of what the target's rows have of the curvature, and the covariance matrix of the first
# domain's coordinates that are free.
polish <- function(polisher, set) {
  slopes <- polisher$p * polisher$n_domains
  N <- length(polisher$m)
  free <- c(which(rep(set, each = polisher$n_domains)), if (N > slopes) seq(slopes + 1, N))
  theta <- numeric(N)
  if (!length(free)) {
    return(c(penalised_at(polisher, theta), list(theta = theta, df = 0, covariance = matrix(0, 0, 0))))
  }
  theta[free] <- polisher$start[free]
  at <- penalised_at(polisher, theta)
  for (step in seq_len(FAMILY_STEPS)) {
    curve <- curvature(polisher, theta, free)
    root <- tryCatch(chol(curve$H), error = function(e) {
      chol(curve$H + diag(1e-8 * max(diag(curve$H), 1e-8), length(free)))
    })
    move <- numeric(N)
    move[free] <- factor_solve(root, curve$gradient)
    small <- max(abs(move)) < 1e-7
    share <- 1
    repeat {
      now <- penalised_at(polisher, theta + share * move)
      if (small || is.finite(now$value) && now$value <= at$value + 1e-12 * abs(at$value) ||
            share < 1e-8) break
      share <- share / 2
    }
    theta <- theta + share * move
    at <- now
    if (small) break
  }
  own <- match(polisher$blocks[[1]]$at, free)
  mine <- !is.na(own)
  J <- polisher$blocks[[1]]$lam * curve$first[mine, mine, drop = FALSE]
  covariance <- chol2inv(root)[own[mine], own[mine], drop = FALSE]
  list(value = at$value, log_lik = at$log_lik, theta = theta, df = sum(covariance * J),
       covariance = covariance)
}

# Half the gradient and Hessian of -F and F in the coordinates `free`, and the first block's
# information.
curvature <- function(polisher, theta, free) {
  gradient <- polisher$m - drop(polisher$P %*% theta)
  H <- polisher$P
  first <- NULL
  for (block in polisher$blocks) {
    terms <- domain_terms(polisher$family, block, theta[block$at])
    if (is.null(first)) first <- terms$information
    gradient[block$at] <- gradient[block$at] + block$lam * terms$score
    H[block$at, block$at] <- H[block$at, block$at] + block$lam * terms$information
  }
  list(gradient = gradient[free], H = H[free, free, drop = FALSE], first = first)
}

# theta of all domains (standardised), those searched at `theta` of a polished model.
polished_theta <- function(polisher, all, theta) {
  for (k in seq_along(polisher$blocks)) {
    all[, polisher$which[k]] <- theta[polisher$blocks[[k]]$at] * polisher$root
  }
  all
}

# The way back.
searched_theta <- function(polisher, all) {
  theta <- numeric(length(polisher$m))
  for (k in seq_along(polisher$blocks)) {
    theta[polisher$blocks[[k]]$at] <- all[, polisher$which[k]] / polisher$root
  }
  theta
}
