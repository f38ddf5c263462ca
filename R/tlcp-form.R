# The quadratic form that is searched: weighted sums of squares and the penalty of what domains do not share.

# The sum of w_i'K_i w_i over the features. w: features x domains, in the prior's columns.
tlcp_form_coupled_squares <- function(w, borrowing) {
  if (is.null(borrowing$own)) return(sum(matrix(borrowing$coupling, ncol(w)^2) * apply(w, 1, tcrossprod)))
  each <- 1 / borrowing$own
  shared <- borrowing$common / (1 + borrowing$common * rowSums(each))
  sum(w^2 * each) - sum(shared * rowSums(w * each)^2)
}

# J(S) = c0 - b_S'A_S^-1 b_S + sum of pen over S. Coordinates of a feature lie side by side: T of
# them ("shared") or the target's alone ("target"). Levels, which come last, are minimised out of it, and `full` is the
# form that has them. `coef`, where it has been made with the form: what tlcp_form_coefficients_of_all() returns.
tlcp_form_quadratic <- function(domains, borrowing, support) {
  shared <- length(domains) == 1 || support == "shared"
  form <- if (shared) {
    tlcp_form_shared(domains, borrowing)
  } else if (borrowing$borrow == "hierarchical") {
    prior <- tlcp_prior_known(domains, borrowing)
    own <- tlcp_form_scaled_parts(domains[1], borrowing)
    list(A = own$H[[1]] + prior$P, b = own$g[, 1] + prior$m, c0 = own$yy + prior$c0, n_domains = 1L, coef = prior$coef)
  } else {
    # the other domains' coefficients, all features kept, are minimised out, and their residuals stay in c0
    form <- tlcp_form_shared(domains, borrowing)
    c(tlcp_form_of_some(form, seq(1, by = length(domains), length.out = length(borrowing$scales))), n_domains = 1L)
  }
  if (!isTRUE(domains[[1]]$level)) return(form)
  at <- seq_len(length(form$b) - form$n_domains)
  c(tlcp_form_of_some(form, at), list(n_domains = form$n_domains, full = form))
}

# H_t, g_t and y'y of every domain, weighted by lam and in the prior's columns.
tlcp_form_scaled_parts <- function(domains, borrowing) {
  root <- sqrt(borrowing$scales)
  D <- tcrossprod(root)
  lam <- borrowing$lam
  parts <- list(H = list(), g = matrix(0, length(root), length(domains)), yy = numeric(length(domains)))
  for (t in seq_along(domains)) {
    parts$H[[t]] <- domains[[t]]$G * D * lam[t]
    parts$g[, t] <- domains[[t]]$g * root * lam[t]
    parts$yy[t] <- domains[[t]]$yy * lam[t]
  }
  parts
}

# The form of all domains' coefficients.
tlcp_form_shared <- function(domains, borrowing) {
  parts <- tlcp_form_scaled_parts(domains, borrowing)
  n_domains <- length(domains)
  if (n_domains == 1) return(list(A = parts$H[[1]], b = parts$g[, 1], c0 = parts$yy, n_domains = 1L))
  N <- length(parts$g)
  at <- matrix(seq_len(N), n_domains) # domains x features
  each <- seq_len(n_domains)
  A <- matrix(0, N, N)
  for (domain in each) A[at[domain, ], at[domain, ]] <- parts$H[[domain]]
  coupled <- cbind(c(at[rep(each, n_domains), ]), c(at[rep(each, each = n_domains), ])) # rows and columns of A
  A[coupled] <- A[coupled] + c(borrowing$coupling %||% tlcp_prior_coupling(borrowing$common, borrowing$own))
  list(A = A, b = as.vector(t(parts$g)), c0 = sum(parts$yy), n_domains = n_domains)
}

# The form of the coordinates `at`, the others minimised out of it.
tlcp_form_of_some <- function(form, at) {
  cross <- form$A[at, -at, drop = FALSE]
  solved <- .Call(C_spd_solve, form$A[-at, -at, drop = FALSE], cbind(t(cross), form$b[-at]))
  last <- ncol(solved)
  A <- form$A[at, at] - cross %*% solved[, -last, drop = FALSE]
  list(A = (A + t(A)) / 2, b = form$b[at] - drop(cross %*% solved[, last]),
       c0 = form$c0 - sum(form$b[-at] * solved[, last]))
}

# Every domain's coefficients with all features kept, features x domains, in the borrowing prior's columns.
tlcp_form_coefficients_of_all <- function(domains, borrowing) {
  if (borrowing$borrow == "hierarchical") return(tlcp_prior_known(domains, borrowing)$coef)
  form <- tlcp_form_shared(domains, borrowing)
  matrix(.Call(C_spd_solve, form$A, form$b), ncol = form$n_domains, byrow = TRUE)
}

# The same for a problem: where its form was made of them, they are not computed again. (In Newton's steps of a
# likelihood the domains are others in every step.)
tlcp_form_coefficients_of_problem <- function(problem) {
  form <- problem$form$full %||% problem$form
  form$coef %||% tlcp_form_coefficients_of_all(problem$domains, problem$borrowing)
}

tlcp_form_padded <- function(form, of, size) {
  most <- max(size)
  place <- (of - 1L) * most + as.integer(stats::ave(seq_along(of), of, FUN = seq_along))
  domains <- form$n_domains
  at <- as.vector(outer(seq_len(domains), (place - 1L) * domains, `+`))
  N <- length(size) * most * domains
  A <- diag(mean(diag(form$A)), N)
  A[at, at] <- form$A
  list(A = A, b = replace(numeric(N), at, form$b), c0 = form$c0, n_domains = as.integer(most * domains))
}
