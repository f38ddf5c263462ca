# The quadratic form that is searched: weighted sums of squares and the penalty of what domains do not share.

# The sum of w_i'K_i w_i over the features. w: features x domains, in the prior's columns.
tlcp_form_coupled_squares <- function(w, borrowing) {
  if (is.null(borrowing$own)) return(sum(borrowing$v / 2 * (rowSums(w^2) - rowSums(w)^2 / ncol(w))))
  each <- 1 / borrowing$own
  shared <- borrowing$common / (1 + borrowing$common * rowSums(each))
  sum(w^2 * each) - sum(shared * rowSums(w * each)^2)
}

# The quadratic form J(S) = c0 - b_S'A_S^-1 b_S + sum of pen over S, list(form, pen), see src/tlcp/form.h. Coordinates
# of a feature lie side by side: T of them (support "shared") or the target's alone ("target"). Elements of `form`:
#   A, b, c0    levels, which would come last, are minimised out
#   n_domains   coordinates by feature
#   coef        every domain's coefficients with all features kept, features x domains, in the prior's columns
#   full        where there are levels, the form that has them
# pen: penalties where the target's coefficients are shrunk.
tlcp_form_quadratic <- function(domains, borrowing, support) {
  prior <- borrowing[intersect(c("scales", "common", "own", "v", "k"), names(borrowing))]
  tlcp_prior_or_stop(.Call(C_form, domains, 1 / borrowing$lam, prior, support))[c("form", "pen")]
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

# Every domain's coefficients with all features kept, features x domains, in the borrowing prior's columns.
tlcp_form_coefficients_of_all <- function(domains, borrowing) {
  tlcp_form_quadratic(domains, borrowing, NULL)$form$coef
}

# The same for a problem, whose form has them. (In Newton's steps of a likelihood the domains are others in every step.)
tlcp_form_coefficients_of_problem <- function(problem) (problem$form$full %||% problem$form)$coef

# K of one feature from the variances of its common part and of the domains' own parts.
tlcp_form_coupling <- function(common, own_variance) {
  each <- 1 / own_variance
  diag(each, length(each)) - tcrossprod(each) * (common / (1 + common * sum(each)))
}

# The form of groups of columns: each has the coordinates of the largest group, those that it does not need are
# unrelated to all others.
tlcp_form_padded <- function(form, of, size) {
  most <- max(size)
  place <- (of - 1L) * most + as.integer(stats::ave(seq_along(of), of, FUN = seq_along))
  domains <- form$n_domains
  coordinates <- as.vector(outer(seq_len(domains), (place - 1L) * domains, `+`))
  N <- length(size) * most * domains
  A <- diag(mean(diag(form$A)), N)
  A[coordinates, coordinates] <- form$A
  list(A = A, b = replace(numeric(N), coordinates, form$b), c0 = form$c0, n_domains = as.integer(most * domains))
}
