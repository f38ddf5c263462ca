# The borrowing prior: how strongly domains borrow from each other. Every rule gives one, `borrowing`, a list of
#   borrow, s2, s2_from   the rule; residual variances by domain, and where they come from
#   lam                   weight of each domain's squares, 1/s2
#   coupling              K, T x T x p: the penalty w_i'K_i w_i on a feature's coefficients
#   scales                the model's columns are the z-scored ones times sqrt(scales)
#   common, own           hierarchical: variances of what is common (by coordinate) and of what is a
#                         domain's own (coordinates x T); a level has kappa2 for the latter
#   pen                   the penalty of a feature, in units of log-likelihoods times 2
#   and what the rule estimated: tau2, omega2, delta2, v, loglik, lr, guarded
# Behind it, from whom: which domains and columns can be used, and the guard against domains that mislead.

LR_SAFE <- 1.35 # 5 % point of half chi^2_0, half chi^2_1

# ---- the hierarchical model -------------------------------------------------------------------

borrow_fit <- function(domains, s2, scales, call = NULL, prior = TRUE) {
  options <- list(prior = prior, rounds = if (scales) 6 else 0, nu = 4)
  borrowed_or_stop(with_progress_of("Rounds of the borrowing prior", .Call(C_borrow, domains, s2, options)), call)
}

borrowed_or_stop <- function(out, call = NULL) {
  if (out$status == 0) return(out)
  abort_input("The likelihood that {.arg borrow} maximises, or its posterior, could not be evaluated.", "borrow",
              i = "Rescale the columns of {.arg x}, or use {.code borrow = \"none\"}.",
              call = call)
}

# The log likelihood ratio `lr` of a component that the target shares with the other domains: l(all domains) - l(the
# target by itself) - l(the others by themselves). The last term takes out how much the others agree with each other,
# which is no reason for the target to borrow. Every domain has a level of its own here. Also tau2 and `path`, a start
# for domains that differ little.
sharing_fit <- function(domains, s2, call = NULL, start = NULL) {
  borrowed_or_stop(.Call(C_borrow_ratio, domains, s2, start), call)
}

likelihood_ratio <- function(domains, s2, call = NULL) sharing_fit(domains, s2, call)$lr

# how: see borrowing_of().
borrowing_hierarchical <- function(domains, how, call) {
  p <- length(domains[[1]]$g)
  level <- isTRUE(domains[[1]]$level)
  out <- borrow_fit(domains, how$s2, how$scales, call)
  common <- c(rep(out$omega2, p - level), if (level) out$level_omega2)
  own <- matrix(rep(out$tau2, each = p), p)
  if (level) own[p, ] <- out$kappa2
  borrowing <- list(
    borrow = "hierarchical", lam = 1 / how$s2, coupling = hierarchical_coupling(common, own),
    scales = out$scale, common = common, own = own,
    pen = rep(how$k, p - level), tau2 = out$tau2, omega2 = out$omega2,
    kappa2 = if (level) out$kappa2, loglik = out$log_lik,
    lr = how$lr %||% likelihood_ratio(domains, how$s2, call),
    evaluations = out$evaluations
  )
  if (isTRUE(how$alone)) standing_alone(borrowing, domains, how, call) else borrowing
}

# K_i of the variances of what is common and of what is a domain's own.
hierarchical_coupling <- function(common, own) {
  n_domains <- ncol(own)
  each <- 1 / own
  shared <- common / (1 + common * rowSums(each))
  out <- array(0, c(n_domains, n_domains, length(common)))
  for (t in seq_len(n_domains)) {
    out[t, , ] <- -t(each * (each[, t] * shared))
    out[t, t, ] <- out[t, t, ] + each[, t]
  }
  out
}

LOW_OMEGA2 <- 1e-5 # nothing in common, see src/tlcp/borrow.h

# The borrowing prior where the target's slopes have a variance and scales of their own and nothing in common with
# the other domains'. A column that is constant in the target stays with what the others know of it, as the level
# does.
standing_alone <- function(borrowing, domains, how, call) {
  at <- which(domains[[1]]$varies)
  if (!length(at)) return(borrowing)
  domain <- without_level(domain_columns(domains[[1]], at, TRUE), intercept = TRUE)
  apart <- borrow_fit(list(domain), how$s2[1], how$scales, call, prior = FALSE)
  borrowing$tau2[] <- borrowing$own[at, ] <- apart$tau2 + apart$omega2
  borrowing$omega2 <- borrowing$common[at] <- LOW_OMEGA2
  borrowing$scales[at] <- apart$scale
  borrowing$coupling <- hierarchical_coupling(borrowing$common, borrowing$own)
  borrowing
}

# ---- one coupling of differences ----------------------------------------------------------------

# The bound of a coupling: there the coefficients of domains agree to six digits, and beyond it the Gram matrix would
# lose too many of its own digits.
capped_coupling <- function(v, domains, s2) {
  pmin(v, 1e6 * max(mapply(function(domain, s) max(diag(domain$G)) / s, domains, s2)))
}

# The coupling is (1/2) v_i sum_t (w_ti - mean_t w_ti)^2.
borrowing_flat <- function(borrow, domains, s2, v, pen, ...) {
  p <- length(v)
  n_domains <- length(domains)
  list(borrow = borrow, lam = 1 / s2, coupling = outer(diag(n_domains) - 1 / n_domains, v / 2),
       scales = rep(1, p), pen = rep_len(pen, p), v = v, ...)
}

least_squares <- function(domains) vapply(domains, function(t) t$fit$coef, domains[[1]]$g)

# The variance matrices of the least squares of a domain.
fit_variance <- function(domain, s2) s2 * chol2inv(chol(domain$G))

borrowing_plugin <- function(domains, s2, k) {
  w <- matrix(least_squares(domains), ncol = length(domains))
  v <- capped_coupling(2 / apply(w, 1, stats::var), domains, s2)
  borrowing_flat("plugin", domains, s2, v, theorem20_penalty(domains, s2, v, k))
}

borrowing_pooled <- function(domains, s2, k) {
  w <- matrix(least_squares(domains), ncol = length(domains))
  noise <- mean(mapply(function(domain, s) mean(diag(fit_variance(domain, s))), domains, s2))
  spread <- max(mean(apply(w, 1, stats::var)) - noise, 5e-7)
  v <- capped_coupling(rep(2 / spread, nrow(w)), domains, s2)
  borrowing_flat("pooled", domains, s2, v, theorem20_penalty(domains, s2, v, k), delta2 = 2 * spread)
}

# delta^2 by restricted maximum likelihood of the differences of two domains.
borrowing_reml <- function(domains, s2, k, call) {
  if (length(domains) > 2) {
    abort_input("{.arg borrow} is {.val reml}, which is for two domains; there are
                 {length(domains)}.", "borrow", i = "Use {.val hierarchical}.", call = call)
  }
  V <- Reduce(`+`, Map(fit_variance, domains, s2))
  basis <- eigen(V, symmetric = TRUE)
  d <- pmax(basis$values, 0)
  e2 <- drop(crossprod(basis$vectors, domains[[1]]$fit$coef - domains[[2]]$fit$coef))^2
  minus <- function(log_delta2) sum(log(d + exp(log_delta2)) + e2 / (d + exp(log_delta2)))
  grid <- seq(log(1e-6), log(100), length.out = 200)
  at <- which.min(vapply(grid, minus, 0))
  around <- grid[pmin(pmax(at + c(-1, 1), 1), 200)]
  delta2 <- exp(stats::optimize(minus, around, tol = 1e-10)$minimum)
  borrowing_flat("reml", domains, s2, rep(4 / delta2, length(d)), k, delta2 = delta2)
}

# The paper's penalty (Theorem 20), with its weights lam_1 = s2_2, lam_2 = s2_1, brought to
# lam = 1/s2; for more domains the single domain's.
theorem20_penalty <- function(domains, s2, v, k) {
  if (length(domains) != 2) return(k)
  n <- domains[[1]]$n
  m <- domains[[2]]$n
  a <- s2[2]
  b <- s2[1]
  v <- v * a * b
  den <- 4 * a * b * n * m + m * b * v + n * a * v
  D1 <- m * b * v / den
  D2 <- n * a * v / den
  D3 <- 2 * a * b * n * m / den
  Dt <- a * n * D1^2 + b * m * D2^2 + v * D3^2
  N <- a * n - Dt
  M <- b * m - Dt
  G2 <- n * m / (n * M * s2[2] + m * N * s2[1])
  lambda <- k * s2[1]
  min(lambda * (2 + 2 * Dt / sqrt(M * N)) / (4 * s2[1] * G2)) / (a * b)
}

# ---- numbers --------------------------------------------------------------------------------

check_borrow_numbers <- function(borrow, n_domains, p, call) {
  lengths <- list(lam = n_domains, v = c(1, p), pen = c(1, p))
  unknown <- setdiff(names(borrow), names(lengths))
  if (!length(borrow) || is.null(names(borrow)) || length(unknown)) {
    abort_input("{.arg borrow} is a list with {.val {names(borrow)}}.", "borrow",
                i = "Give {.code list(lam = , v = , pen = )}: weights of the domains, couplings and
                     penalties of the features.", call = call)
  }
  for (name in names(borrow)) {
    value <- borrow[[name]]
    low <- if (name == "lam") .Machine$double.xmin else 0
    good <- is.numeric(value) && length(value) %in% lengths[[name]] && !anyNA(value) &&
      all(value >= low) && (name == "v" || all(is.finite(value)))
    if (!good) {
      wanted <- paste(unique(lengths[[name]]), collapse = " or ")
      abort_input("{.field {name}} of {.arg borrow} is {.val {value}}.", "borrow",
                  i = "Give a vector of length {wanted}, none negative or missing.", call = call)
    }
  }
  borrow
}

# lam, v and pen as they are given, on the scale of the z-scored domains.
borrowing_numbers <- function(domains, how, call) {
  s2 <- how$s2
  p <- length(domains[[1]]$g)
  borrow <- lapply(how$borrow, function(value) if (is.numeric(value)) as.double(value) else value)
  borrow <- check_borrow_numbers(borrow, length(domains), p, call)
  lam <- borrow[["lam"]] %||% (1 / s2)
  v <- capped_coupling(rep_len(borrow$v %||% 0, p), domains, 1 / lam)
  out <- borrowing_flat("numbers", domains, 1 / lam, v, borrow$pen %||% (how$k * s2[1] * lam[1]))
  out$lam <- lam
  out
}

# ---- which rule --------------------------------------------------------------------------------

# Rules by which no domain borrows: the target is alone, or all rows are one domain.
without_borrowing <- function(rule) !is.list(rule) && rule %in% c("none", "aggregate")

BORROW <- c("hierarchical", "reml", "pooled", "plugin", "none", "aggregate")

# how: `borrow`, the rule; residual variances `s2`; the penalty `k` of a feature; `scales`, are feature
# scales estimated? For the hierarchical model also `lr`, the log likelihood ratio of sharing if it is known,
# and `alone`: the target's slopes have nothing in common with the other domains'.
borrowing_of <- function(domains, how, call) {
  if (is.list(how$borrow)) return(borrowing_numbers(domains, how, call))
  switch(how$borrow,
    hierarchical = borrowing_hierarchical(domains, how, call),
    plugin = borrowing_plugin(domains, how$s2, how$k),
    pooled = borrowing_pooled(domains, how$s2, how$k),
    reml = borrowing_reml(domains, how$s2, how$k, call),
    borrowing_alone(domains, how$s2, how$k, how$borrow)
  )
}

# One domain: nothing is borrowed.
borrowing_alone <- function(domains, s2, k, borrow) {
  p <- length(domains[[1]]$g)
  list(borrow = borrow, lam = 1 / s2[1], coupling = array(0, c(1, 1, p)), scales = rep(1, p),
       pen = rep(k, p))
}

# The log likelihood ratio of each other domain and the target: a common component against none.
source_ratios <- function(domains, s2, call) {
  lr <- vapply(seq_along(domains)[-1], function(t) {
    likelihood_ratio(domains[c(1, t)], s2[c(1, t)], call)
  }, 0)
  stats::setNames(lr, domain_names(domains[-1]))
}

# ---- the quadratic form that is searched ----------------------------------------------------------

# J(S) = c0 - b_S'A_S^-1 b_S + sum of pen over S. Coordinates of a feature lie side by side: T of
# them ("shared") or the target's alone ("target").
quadratic_form <- function(domains, borrowing, support) {
  parts <- scaled_parts(domains, borrowing)
  if (length(domains) == 1) {
    A <- parts$H[[1]]
    prior <- borrowing$coupling[1, 1, ]
    if (any(prior != 0)) diag(A) <- diag(A) + prior
    return(list(A = A, b = parts$g[, 1], c0 = parts$yy[1], n_domains = 1L))
  }
  if (support == "shared") return(shared_form(parts, borrowing))
  if (borrowing$borrow != "hierarchical") {
    # the other domains' coefficients, all features kept, are minimised out, and their residuals stay in c0
    own <- seq(1, by = length(domains), length.out = nrow(parts$g))
    return(c(form_of_some(shared_form(parts, borrowing), own), n_domains = 1L))
  }
  prior <- known_borrowing(domains, borrowing)
  list(A = parts$H[[1]] + prior$P, b = parts$g[, 1] + prior$m, c0 = parts$yy[1] + prior$c0,
       n_domains = 1L)
}

# H_t, g_t and y'y of every domain, weighted by lam and in the prior's columns.
scaled_parts <- function(domains, borrowing) {
  root <- sqrt(borrowing$scales)
  D <- tcrossprod(root)
  lam <- borrowing$lam
  at <- seq_along(domains)
  g <- vapply(at, function(t) domains[[t]]$g * root * lam[t], root)
  list(H = lapply(at, function(t) domains[[t]]$G * D * lam[t]), g = matrix(g, ncol = length(domains)),
       yy = vapply(at, function(t) domains[[t]]$yy * lam[t], 0))
}

shared_form <- function(parts, borrowing) {
  n_domains <- length(parts$H)
  p <- nrow(parts$g)
  A <- matrix(0, p * n_domains, p * n_domains)
  for (t in seq_len(n_domains)) {
    mine <- seq(t, by = n_domains, length.out = p)
    A[mine, mine] <- parts$H[[t]]
  }
  for (i in seq_len(p)) {
    mine <- (i - 1) * n_domains + seq_len(n_domains)
    A[mine, mine] <- A[mine, mine] + borrowing$coupling[, , i]
  }
  list(A = A, b = as.vector(t(parts$g)), c0 = sum(parts$yy), n_domains = n_domains)
}

# The posterior where the borrowing prior is known: `coef`, posterior means with all features kept (features x
# domains, in the prior's columns), and the distribution of w_1 given the others' rows but not the target's:
# its precision P, P times its mean m, and m'Pm (c0).
known_borrowing <- function(domains, borrowing) {
  borrowed_or_stop(.Call(C_borrow_known, domains, 1 / borrowing$lam, borrowing[c("common", "own", "scales")]))
}

# The form of the coordinates `at`, the others minimised out of it.
form_of_some <- function(form, at) {
  cross <- form$A[at, -at, drop = FALSE]
  solved <- solve(form$A[-at, -at, drop = FALSE], cbind(t(cross), form$b[-at]))
  last <- ncol(solved)
  A <- form$A[at, at] - cross %*% solved[, -last, drop = FALSE]
  list(A = (A + t(A)) / 2, b = form$b[at] - drop(cross %*% solved[, last]),
       c0 = form$c0 - sum(form$b[-at] * solved[, last]))
}

# The form of the features: every domain's level is minimised out. `full` is the form with the levels, which come
# last.
eliminate_level <- function(form) {
  at <- seq_len(length(form$b) - form$n_domains)
  c(form_of_some(form, at), list(n_domains = form$n_domains, full = form))
}

# Levels, domains x models, that go with the features' coefficients w.
levels_of <- function(form, w) {
  at <- seq_len(nrow(w))
  full <- form$full
  solve(full$A[-at, -at, drop = FALSE], full$b[-at] - full$A[-at, at, drop = FALSE] %*% w)
}

# Unbiased risk of keeping a feature against dropping it where its coefficient is shrunk:
# pen_i = k h_i/(2 - h_i), h_i = 1 - [A^-1]_ii over its variance before; h = 1 is Cp.
shrinkage_penalty <- function(form, borrowing, k) {
  at <- seq_along(form$b)
  h <- 1 - diag(chol2inv(chol(form$A))) / (borrowing$common + borrowing$own[, 1])[at]
  h <- pmin(pmax(h, 1e-6), 1)
  k * h / (2 - h)
}

# Every domain's coefficients with all features kept, features x domains, in the borrowing prior's columns.
coefficients_of_all <- function(domains, borrowing) {
  if (borrowing$borrow == "hierarchical") return(known_borrowing(domains, borrowing)$coef)
  form <- shared_form(scaled_parts(domains, borrowing), borrowing)
  matrix(solve(form$A, form$b), ncol = form$n_domains, byrow = TRUE)
}

# ---- before anything is fitted ------------------------------------------------------------------

# Other domains that nothing can be borrowed from - one row, or a response that is constant - are left out
# before anything is fitted. The target is not: without it there is nothing to fit.

# Domains, target first, and those of them that can be used. why: by domain, what is wrong with it, NA if nothing.
usable_domains <- function(why, target) {
  order <- c(target, setdiff(names(why), target))
  bad <- setdiff(order[!is.na(why[order])], target)
  if (length(bad)) {
    tell(paste0("Leaving out the domain", if (length(bad) > 1) "s", " ", in_quotes(bad), ": ",
                paste(if (length(unique(why[bad])) > 1) why[bad] else why[bad[1]], collapse = ", "), "."),
         if (length(bad) == length(order) - 1) "No other domain is left: the target stands alone.",
         "transelect_message_sources")
  }
  list(order = order, left = setdiff(order, bad))
}

why_unusable <- function(varies, n) {
  ifelse(varies, NA, ifelse(n == 1, "one row", paste0("constant response, ", n, " rows")))
}

# The frame without the domains that cannot be used, and `domains` as usable_domains() has them.
frame_usable <- function(frame, target, intercept) {
  if (is.null(frame$domain)) return(list(frame = frame))
  why <- if (has_rows(frame)) rows_usable(frame, intercept) else moments_usable(frame$moments, intercept)
  without_unusable(frame, why, target)
}

without_unusable <- function(frame, why, target) {
  domains <- usable_domains(why, target)
  if (length(domains$left) < length(domains$order)) frame <- frame_domains(frame, domains$left)
  list(frame = frame, domains = domains)
}

# As frame_usable(): other domains without events, or with events alone, are left out.
family_usable <- function(frame, target, call) {
  parts <- family_parts(frame, target)
  silent <- vapply(parts, is_silent, NA, family = frame$family)
  what <- why_silent(frame$family)$what
  if (silent[1]) abort_silent(frame$family, target, call)
  if (is.null(frame$domain)) return(list(frame = frame))
  without_unusable(frame, ifelse(silent, what, NA), target)
}

rows_usable <- function(frame, intercept) {
  y <- response_matrix(frame$y)[, 1]
  rows <- split(seq_along(y), frame$domain)
  why_unusable(vapply(rows, function(i) varies(y[i], intercept), NA), lengths(rows))
}

# Does the response vary: about the mean, or about 0 without an intercept, by more than rounding, as domain_sums() has
# it?
varies <- function(y, intercept) {
  mean <- if (intercept) mean(y) else 0
  length(y) > 1 && sum((y - mean)^2) > 1e-24 * sum(y^2)
}

moments_usable <- function(m, intercept) {
  cells <- moments_domains(m)
  varies <- vapply(cells, function(cell) {
    last <- length(cell$mean)
    square <- c(cell$cross[last, last], cell$weight * cell$mean[last]^2)
    cell$n > 1 && (if (intercept) square[1] else sum(square)) > 1e-24 * sum(square)
  }, NA)
  why_unusable(varies, vapply(cells, `[[`, 0, "n"))
}

# Numbers that were given for all domains, target first or by name, for those that are left.
values_for_used_domains <- function(values, domains) {
  if (!is.numeric(values) || length(values) != length(domains$order)) return(values)
  at <- match(domains$left, names(values) %||% domains$order)
  if (anyNA(at)) values else values[at]
}

# `borrow` where domains were left out.
borrow_from <- function(borrow, domains) {
  if (is.list(borrow)) {
    borrow[["lam"]] <- values_for_used_domains(borrow[["lam"]], domains)
    return(borrow)
  }
  alone <- length(domains$left) == 1 && length(domains$order) > 1
  if (alone && is.character(borrow) && all(borrow %in% BORROW)) "none" else borrow
}

# ---- domains and columns in use -----------------------------------------------------------------

# The domains that the rule borrows from, with the columns that can be fitted in them: the value of
# guarded_domains() and `columns`.
domains_in_use <- function(domains, settings, call) {
  sigma2 <- given_variances(domains, settings, call)
  if (identical(settings$borrow, "none")) domains <- domains[1]
  if (identical(settings$borrow, "aggregate")) domains <- list(pooled_domain(domains, settings))
  columns <- usable_columns(domains, settings, call)
  domains <- lapply(domains, domain_columns, columns, settings$intercept)
  variances <- residual_variances(domains, sigma2, call,
                                  moderate = identical(settings$borrow, "hierarchical"))
  check_degrees(domains, variances, settings, call)
  c(guarded_domains(domains, variances, settings, call), list(columns = columns))
}

# `sigma2` for the domains in use, in their order.
given_variances <- function(domains, settings, call) {
  if (is.null(settings$sigma2)) return(NULL)
  sigma2 <- in_order_of(settings$sigma2, domain_names(domains), "sigma2", call)
  check_sigma2(sigma2, length(domains), call)
  if (without_borrowing(settings$borrow)) sigma2[1] else sigma2
}

# All rows as one domain, each in the z-scores of its own; means and scales are the target's.
pooled_domain <- function(domains, settings) {
  domain <- added_domains(domains)
  domain$varies <- Reduce(`|`, lapply(domains, `[[`, "varies"))
  domain$n_pooled <- length(domains) # each has an intercept
  domain$fit <- domain_fit(domain, settings$intercept)
  domain
}

added_domains <- function(domains) {
  all <- domains[[1]]
  for (part in c("G", "g", "yy", "n")) all[[part]] <- Reduce(`+`, lapply(domains, `[[`, part))
  all
}

# The columns that can be fitted. A column that does not vary in the target says nothing there, but in the
# hierarchical model the other domains know of it. Where least squares are wanted, of the target or of every domain,
# columns that are combinations of others are left out too.
usable_columns <- function(domains, settings, call) {
  varies <- if (settings$whole) {
    Reduce(`|`, c(lapply(domains, `[[`, "varies"), lapply(unname(settings$sites), site_varies)))
  } else {
    domains[[1]]$varies
  }
  flat <- which(!varies)
  everywhere <- settings$whole && length(domains) > 1
  tell_dropped(flat, if (everywhere) "constant in every domain" else "constant",
               if (everywhere) NO_DOMAIN else domains[[1]]$name, settings, call)
  left <- which(varies)
  if (settings$method == "cutoff" || !identical(settings$borrow, "hierarchical")) {
    for (domain in domains) {
      refuse_short(domain, length(left), settings, call)
      kept <- left[domain_columns(domain, left, settings$intercept)$fit$kept]
      tell_dropped(setdiff(left, kept), "constant or a combination of others", domain$name, settings,
                   call)
      left <- kept
    }
  }
  if (!length(left)) {
    abort_input("No column of {.arg x} varies{in_domain(domains[[1]]$name)}.", "x",
                i = "Give columns that vary: there is nothing to select.", call = call)
  }
  if (is.null(settings$collinear)) left else apart_columns(domains, left, settings, call)
}

# Of columns that are nearly combinations of others keeps those that come first: columns of `keep`, then the others by
# their correlation with the response in the target, columns of `drop` last.
apart_columns <- function(domains, left, settings, call) {
  domains <- lapply(domains, without_level, intercept = settings$intercept)
  target <- domains[[1]]
  size <- abs(target$g[left]) / sqrt(diag(target$G)[left])
  left <- left[order(!left %in% settings$keep, left %in% settings$drop, -signif(size, 8))]
  for (domain in domains) {
    kept <- left[apart_positions(domain$G[left, left, drop = FALSE], settings$collinear)]
    tell_dropped(sort(setdiff(left, kept)), "nearly a combination of others", domain$name, settings, call)
    left <- kept
  }
  sort(left)
}

# Modified Gram-Schmidt from products: the positions of the columns of which the columns kept before leave more than
# `share` of the square.
apart_positions <- function(G, share) {
  p <- ncol(G)
  R <- matrix(0, p, p)
  kept <- integer()
  for (j in seq_len(p)) {
    k <- length(kept)
    along <- if (k) backsolve(R, G[kept, j], k, transpose = TRUE) else numeric()
    rest <- G[j, j] - sum(along^2)
    if (!(rest > share * G[j, j])) next
    R[seq_len(k), k + 1] <- along
    R[k + 1, k + 1] <- sqrt(rest)
    kept <- c(kept, j)
  }
  kept
}

tell_dropped <- function(columns, what, domain, settings, call) {
  if (!length(columns)) return(invisible())
  labels <- column_labels(settings$columns, columns)
  if (any(columns %in% settings$keep)) {
    kept <- column_labels(settings$columns, intersect(columns, settings$keep))
    abort_input("{.arg keep} names {.val {kept}}: {what}{in_domain(domain)}.", "keep",
                i = "Leave {cli::qty(kept)}{?it/them} out of {.arg keep}: {?it/they} cannot be fitted there.",
                call = call)
  }
  if (isTRUE(settings$quiet)) return(invisible())
  tell(paste0("Leaving out ", in_quotes(labels), ": ", what, in_domain(domain), "."))
}

refuse_short <- function(domain, p, settings, call) {
  if (domain$n - settings$intercept >= p) return(invisible())
  alone <- without_borrowing(settings$borrow)
  instead <- if (settings$method == "cutoff" && alone) {
    "Give the rows in place of moments: {.code method = \"cutoff\"} needs them for that."
  } else if (settings$method == "cutoff") {
    "Leave that domain out, or use {.code method = \"exact\"} with
     {.code borrow = \"hierarchical\"}."
  } else if (alone) {
    "Use {.code method = \"cutoff\"}, rows of other domains, or {.fn greedytl}."
  } else {
    "Use {.code borrow = \"hierarchical\"}, or leave that domain out."
  }
  abort_input("There are {domain$n} row{?s}{in_domain(domain$name)}, too few for least squares with {p}
               feature{?s}.", "domain", i = instead, call = call)
}

# Without borrowing the target's residual variance must be its own, or given.
check_degrees <- function(domains, variances, settings, call) {
  if (grepl("^own residuals|given", variances$from[1])) return(invisible())
  if (length(domains) > 1) {
    if (isTRUE(settings$quiet)) return(invisible())
    tell(paste0("Domain ", in_quotes(domains[[1]]$name), " has ", counted(domains[[1]]$n, "row"),
                ", too few for a residual variance of its own: it is taken from ", variances$from[1], "."))
    return(invisible())
  }
  abort_input("No degrees of freedom are left for the residual variance: {domains[[1]]$n} row{?s},
               {length(domains[[1]]$g)} feature{?s}.", "sigma2", i = "Give {.arg sigma2}, or more rows.",
              call = call)
}

# The domains to borrow from (the target always first) with their residual variances, the domains
# left out and the likelihood ratios.
guarded_domains <- function(domains, variances, settings, call) {
  unsafe <- integer()
  lr <- NULL
  if (length(domains) > 1 && settings$guard && !is.list(settings$borrow) &&
      settings$borrow != "hierarchical") {
    lr <- source_ratios(domains, variances$s2, call)
    unsafe <- which(lr < LR_SAFE)
    tell_unsafe(lr[unsafe])
  }
  at <- setdiff(seq_along(domains), unsafe + 1L)
  list(domains = domains[at], at = at, s2 = variances$s2[at], s2_from = variances$from[at],
       s2_df = variances$df[at], guarded = names(lr)[unsafe], guard_lr = lr)
}

tell_unsafe <- function(lr) {
  if (!length(lr)) return(invisible())
  tell(paste0("Not borrowing from ", in_quotes(names(lr)), ": log likelihood ratio ",
              paste(signif(lr, 3), collapse = ", "), ", below ", LR_SAFE, "."),
       "`guard = FALSE` borrows all the same.")
}
