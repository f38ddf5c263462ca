# The borrowing prior. Every rule returns one (the hierarchical model
# below, the others in tlcp-borrow-rules.R), `borrowing`, a list of
#   borrow, s2, s2_from   the rule; residual variances by domain, and where they come from
#   lam                   weight of each domain's squares, 1/s2
#   coupling              K, T x T x p: the penalty w_i'K_i w_i on a feature's coefficients; that of the hierarchical
#                         model, which grows with the square of the domains, is made where it is needed
#   scales                the model's columns are the z-scored ones times sqrt(scales)
#   common, own           hierarchical: variances of what is common (by coordinate) and of what is a
#                         domain's own (coordinates x T); a level has kappa2 for the latter
#   pen                   the penalty of a feature, in units of log-likelihoods times 2
#   and what the rule estimated: tau2, omega2, delta2, v, loglik, lr, guarded
# Below: which domains and columns can be used, and the guard against domains that mislead.

LR_SAFE <- 1.35 # 5 % point of half chi^2_0, half chi^2_1

# ---- the hierarchical model -------------------------------------------------------------------

borrow_fit <- function(domains, s2, settings, call) {
  out <- with_progress_of("Rounds of the borrowing prior", .Call(C_borrow, domains, s2, settings$scales))
  borrowed_or_stop(out, call)
}

# Before the estimation, where it will take minutes.
tlcp_tell_long <- function(p, n_domains) {
  seconds <- SECONDS_EACH * n_domains * p^3
  if (n_domains < 2 || seconds < 60) return(invisible())
  about <- if (seconds < 5400) counted(round(seconds / 60), "minute") else counted(round(seconds / 3600), "hour")
  tell(paste0("Estimating the borrowing prior of ", p, " features in ", n_domains, " domains will take about ", about,
              ": the time grows with the cube of the number of features, and `max_seconds` does not limit it."),
       "Leave features out beforehand, as by their correlation with the response, to make it shorter.",
       "transelect_message_time")
}

SECONDS_EACH <- 1.6e-8 # of a fit in both units, by domain and cubed number of features

borrowed_or_stop <- function(out, call = NULL) {
  if (out$status == 0) return(out)
  abort_input("The likelihood that {.arg borrow} maximises, or its posterior, could not be evaluated.", "borrow",
              i = "Rescale the columns of {.arg x}, or use {.code borrow = \"none\"}.",
              call = call)
}

# The log likelihood ratio `lr` of a component that the target shares with the other domains: l(all domains) - l(the
# target by itself) - l(the others by themselves). The last term removes the agreement of the other domains with each
# other, which is no reason for the target to borrow. Every domain has its own level here. Also returns tau2 and
# `path`, the start of a search for domains that differ little.
sharing_fit <- function(domains, s2, call = NULL, start = NULL) {
  borrowed_or_stop(.Call(C_borrow_ratio, domains, s2, start), call)
}

# See borrowing_of().
borrowing_hierarchical <- function(domains, s2, k, settings, lr, call) {
  p <- length(domains[[1]]$g)
  level <- isTRUE(domains[[1]]$level)
  out <- borrow_fit(domains, s2, settings, call)
  common <- c(rep(out$omega2, p - level), if (level) out$level_omega2)
  own <- matrix(rep(out$tau2, each = p), p)
  if (level) own[p, ] <- out$kappa2
  list(
    borrow = "hierarchical", lam = 1 / s2,
    scales = out$scale, common = common, own = own,
    pen = rep(k, p - level), tau2 = out$tau2, omega2 = out$omega2,
    kappa2 = if (level) out$kappa2, loglik = out$log_lik,
    lr = lr %||% sharing_fit(domains, s2, call)$lr,
    evaluations = out$evaluations
  )
}

# K_i from the variances of the common part and of the domains' own parts.
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

# The sum of w_i'K_i w_i over the features. w: features x domains, in the prior's columns.
coupled_squares <- function(w, borrowing) {
  if (is.null(borrowing$own)) return(sum(matrix(borrowing$coupling, ncol(w)^2) * apply(w, 1, tcrossprod)))
  each <- 1 / borrowing$own
  shared <- borrowing$common / (1 + borrowing$common * rowSums(each))
  sum(w^2 * each) - sum(shared * rowSums(w * each)^2)
}

# The borrowing prior where the target's slopes have a variance and scales of their own and are unrelated to
# the other domains'. A column that is constant in the target is still borrowed, as the level is.
unrelated_target_prior <- function(borrowing, target, s2, settings, call) {
  at <- which(target$varies)
  if (!length(at)) return(borrowing)
  target <- without_level(domain_columns(target, at, TRUE), intercept = TRUE)
  apart <- borrow_fit(list(target), s2, settings, call)
  borrowing$tau2[] <- borrowing$own[at, ] <- apart$tau2 + apart$omega2
  borrowing$omega2 <- borrowing$common[at] <- LOW_OMEGA2
  borrowing$scales[at] <- apart$scale
  borrowing
}

# ---- any rule --------------------------------------------------------------------------------

# The criteria by name, each as the penalty of a feature, in units of the target's residual variance, for n rows and p
# features.
CRITERIA <- list(
  Cp = function(n, p) 2, AIC = function(n, p) 2, BIC = function(n, p) log(n), HQ = function(n, p) 2 * log(log(n)),
  Cp_BIC = function(n, p) log(n), Cp_HQ = function(n, p) 2 * log(log(n)), RIC = function(n, p) 2 * log(p)
)

# Without borrowing these estimate the residual variance anew for every subset: the penalty is then in units of twice
# the log-likelihood.
variance_anew <- function(criterion, borrow) {
  is.character(criterion) && criterion %in% c("AIC", "BIC", "HQ") && without_borrowing(borrow)
}

# used: of domains_in_use(). For the hierarchical model also `lr`, the log likelihood ratio of sharing if it is known,
# and `alone`: the target's slopes are unrelated to the other domains'.
borrowing_of <- function(used, settings, call, lr = NULL, alone = FALSE) {
  domains <- used$domains
  s2 <- used$s2
  p <- length(domains[[1]]$g)
  n <- settings$n_effective %||% domains[[1]]$n
  k <- if (is.numeric(settings$criterion)) settings$criterion else
    max(CRITERIA[[settings$criterion]](n, length(used$columns)), 0)
  rule <- if (is.list(settings$borrow)) "numbers" else settings$borrow
  if (length(domains) == 1 && !rule %in% c("numbers", "aggregate")) rule <- "none"
  borrowing <- switch(rule,
    hierarchical = borrowing_hierarchical(domains, s2, k, settings, lr, call),
    plugin = borrowing_plugin(domains, s2, k),
    pooled = borrowing_pooled(domains, s2, k),
    reml = borrowing_reml(domains, s2, k, call),
    numbers = borrowing_numbers(domains, s2, k, used$columns, settings, call),
    list(borrow = rule, lam = 1 / s2[1], coupling = array(0, c(1, 1, p)), scales = rep(1, p), pen = rep(k, p))
  )
  if (alone) borrowing <- unrelated_target_prior(borrowing, domains[[1]], s2[1], settings, call)
  c(borrowing, list(k = k), used[names(used) %in% c("s2", "s2_from", "s2_df", "guarded", "guard_lr")])
}

# ---- the quadratic form that is searched ----------------------------------------------------------

# J(S) = c0 - b_S'A_S^-1 b_S + sum of pen over S. Coordinates of a feature lie side by side: T of
# them ("shared") or the target's alone ("target"). Levels, which come last, are minimised out of it, and `full` is the
# form that has them. `coef`, where it has been made with the form: what coefficients_of_all() returns.
quadratic_form <- function(domains, borrowing, support) {
  shared <- length(domains) == 1 || support == "shared"
  form <- if (shared) {
    shared_form(domains, borrowing)
  } else if (borrowing$borrow == "hierarchical") {
    prior <- known_borrowing(domains, borrowing)
    own <- scaled_parts(domains[1], borrowing)
    list(A = own$H[[1]] + prior$P, b = own$g[, 1] + prior$m, c0 = own$yy + prior$c0, n_domains = 1L, coef = prior$coef)
  } else {
    # the other domains' coefficients, all features kept, are minimised out, and their residuals stay in c0
    form <- shared_form(domains, borrowing)
    c(form_of_some(form, seq(1, by = length(domains), length.out = length(borrowing$scales))), n_domains = 1L)
  }
  if (!isTRUE(domains[[1]]$level)) return(form)
  at <- seq_len(length(form$b) - form$n_domains)
  c(form_of_some(form, at), list(n_domains = form$n_domains, full = form))
}

# H_t, g_t and y'y of every domain, weighted by lam and in the prior's columns.
scaled_parts <- function(domains, borrowing) {
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
shared_form <- function(domains, borrowing) {
  parts <- scaled_parts(domains, borrowing)
  n_domains <- length(domains)
  if (n_domains == 1) return(list(A = parts$H[[1]], b = parts$g[, 1], c0 = parts$yy, n_domains = 1L))
  N <- length(parts$g)
  at <- matrix(seq_len(N), n_domains) # domains x features
  each <- seq_len(n_domains)
  A <- matrix(0, N, N)
  for (t in each) A[at[t, ], at[t, ]] <- parts$H[[t]]
  coupled <- cbind(c(at[rep(each, n_domains), ]), c(at[rep(each, each = n_domains), ])) # rows and columns of A
  A[coupled] <- A[coupled] + c(borrowing$coupling %||% hierarchical_coupling(borrowing$common, borrowing$own))
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
  solved <- .Call(C_spd_solve, form$A[-at, -at, drop = FALSE], cbind(t(cross), form$b[-at]))
  last <- ncol(solved)
  A <- form$A[at, at] - cross %*% solved[, -last, drop = FALSE]
  list(A = (A + t(A)) / 2, b = form$b[at] - drop(cross %*% solved[, last]),
       c0 = form$c0 - sum(form$b[-at] * solved[, last]))
}

# Every domain's coefficients with all features kept, features x domains, in the borrowing prior's columns.
coefficients_of_all <- function(domains, borrowing) {
  if (borrowing$borrow == "hierarchical") return(known_borrowing(domains, borrowing)$coef)
  form <- shared_form(domains, borrowing)
  matrix(.Call(C_spd_solve, form$A, form$b), ncol = form$n_domains, byrow = TRUE)
}

# ---- before anything is fitted ------------------------------------------------------------------

# Other domains that nothing can be borrowed from (one row, or a constant response) are left out before the fit. The
# target is never left out.

# The frame without these domains, and `domains`: the names of all domains (`order`) and of those that remain
# (`left`), the target first. why: by domain, the reason why it cannot be used, or NA.
without_unusable <- function(frame, why, target) {
  order <- c(target, setdiff(names(why), target))
  bad <- setdiff(order[!is.na(why[order])], target)
  left <- setdiff(order, bad)
  if (length(bad)) {
    frame <- frame_domains(frame, left)
    tell(paste0("Leaving out the domain", if (length(bad) > 1) "s", " ", in_quotes(bad), ": ",
                paste(if (length(unique(why[bad])) > 1) why[bad] else why[bad[1]], collapse = ", "), "."),
         if (length(bad) == length(order) - 1) "No other domain is left: the target stands alone.",
         "transelect_message_sources")
  }
  list(frame = frame, domains = list(order = order, left = left))
}

# For numeric responses: does the response of a domain vary about the mean, or about 0 without an intercept, by more
# than rounding, as domain_sums() has it?
frame_usable <- function(frame, target, intercept, call) {
  cells <- if (has_rows(frame)) response_cells(frame, call) else moments_domains(frame$moments)
  n <- vapply(cells, `[[`, 0, "n")
  weight <- vapply(cells, `[[`, 0, "weight")
  mean <- vapply(cells, function(cell) cell$mean[length(cell$mean)], 0)
  about_mean <- vapply(cells, function(cell) cell$cross[length(cell$cross)], 0)
  about_0 <- about_mean + weight * mean^2
  varies <- (if (intercept) about_mean else about_0) > 1e-24 * about_0
  why <- ifelse(n == 1, "one row", ifelse(varies, NA, paste0("constant response, ", n, " rows")))
  without_unusable(frame, why, target)
}

# For likelihoods: other domains without events, or with nothing but events, are left out.
family_usable <- function(frame, target, call) {
  parts <- family_parts(frame, target)
  degenerate <- vapply(parts, is_degenerate, NA, family = frame$family)
  what <- degenerate_words(frame$family)$what
  if (degenerate[1]) abort_degenerate(frame$family, target, call)
  if (is.null(frame$domain)) return(list(frame = frame))
  without_unusable(frame, ifelse(degenerate, what, NA), target)
}

# Of numbers that were given for all domains, target first or by name, those of the domains that remain.
values_for_used_domains <- function(values, domains) {
  if (!is.numeric(values) || length(values) != length(domains$order)) return(values)
  at <- match_names(domains$left, names(values) %||% domains$order)
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

# The domains that the rule borrows from, with the columns that can be fitted in them: see guarded_domains().
domains_in_use <- function(domains, settings, call) {
  sigma2 <- if (!is.null(settings$sigma2)) given_variances(domains, settings, call)
  if (identical(settings$borrow, "none")) domains <- domains[1]
  if (identical(settings$borrow, "aggregate")) domains <- list(pooled_domain(domains, settings))
  columns <- usable_columns(domains, settings, call)
  if (length(columns) < settings$p) domains <- lapply(domains, domain_columns, columns, settings$intercept)
  variances <- if (identical(settings$borrow, "hierarchical")) {
    borrowing_variances(domains, sigma2, settings$intercept, call)
  } else {
    residual_variances(domains, sigma2, call)
  }
  if (!startsWith(variances$from[1], "own residuals") && variances$from[1] != "given") {
    check_degrees(domains, variances, settings, call)
  }
  guarded_domains(domains, variances, columns, settings, call)
}

# The `sigma2` that was given for the domains in use, in their order.
given_variances <- function(domains, settings, call) {
  sigma2 <- in_order_of(settings$sigma2, domain_names(domains), "sigma2", call)
  check_sigma2(sigma2, length(domains), call)
  if (without_borrowing(settings$borrow)) sigma2[1] else sigma2
}

# All rows as one domain, each row in the z-scores of its own domain; means and scales are the target's.
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

# The columns that can be fitted. A column that does not vary in the target has no information there, but in the
# hierarchical model the other domains have information on it. Where least squares are wanted, of the target or of
# every domain, columns that are combinations of others are left out too.
usable_columns <- function(domains, settings, call) {
  varies <- if (is_hierarchical(settings)) {
    Reduce(`|`, c(lapply(domains, `[[`, "varies"), lapply(unname(settings$sites), site_varies)))
  } else {
    domains[[1]]$varies
  }
  flat <- which(!varies)
  everywhere <- is_hierarchical(settings) && length(domains) > 1
  if (length(flat)) {
    tell_dropped(flat, if (everywhere) "constant in every domain" else "constant",
                 if (everywhere) NO_DOMAIN else domains[[1]]$name, settings, call)
  }
  left <- which(varies)
  if (settings$method == "cutoff" || !identical(settings$borrow, "hierarchical")) {
    for (domain in domains) {
      if (domain$n - settings$intercept < length(left)) abort_short(domain, length(left), settings, call)
      kept <- domain_columns(domain, left, settings$intercept)$fit$kept
      if (length(kept) == length(left)) next
      dropped <- left[setdiff(seq_along(left), kept)]
      tell_dropped(dropped, "constant or a combination of others", domain$name, settings, call)
      left <- left[kept]
    }
  }
  if (!length(left)) {
    abort_input("No column of {.arg x} varies{in_domain(domains[[1]]$name)}.", "x",
                i = "Give columns that vary: there is nothing to select.", call = call)
  }
  if (is.null(settings$collinear)) left else independent_columns(domains, left, settings, call)
}

# Of columns that are nearly combinations of others keeps those that come first: columns of `keep`, then the others by
# their correlation with the response in the target, columns of `drop` last.
independent_columns <- function(domains, left, settings, call) {
  domains <- lapply(domains, without_level, intercept = settings$intercept)
  target <- domains[[1]]
  size <- abs(target$g[left]) / sqrt(diag(target$G)[left])
  left <- left[order(!left %in% settings$keep, left %in% settings$drop, -signif(size, 8))]
  for (domain in domains) {
    kept <- left[least_squares_by(domain$G[left, left, drop = FALSE], domain$g[left], settings$collinear)$kept]
    if (length(kept) < length(left)) {
      tell_dropped(sort(setdiff(left, kept)), "nearly a combination of others", domain$name, settings, call)
    }
    left <- kept
  }
  sort(left)
}

tell_dropped <- function(columns, what, domain, settings, call) {
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

abort_short <- function(domain, p, settings, call) {
  alone <- without_borrowing(settings$borrow)
  instead <- if (settings$method == "cutoff") {
    "Leave that domain out, or use {.code method = \"exact\"} with
     {.code borrow = \"hierarchical\"}."
  } else if (alone) {
    "Give {.code method = \"cutoff\"}, rows of other domains, or {.fn greedytl}."
  } else {
    "Give {.code borrow = \"hierarchical\"}, or leave that domain out."
  }
  abort_input("There are {domain$n} row{?s}{in_domain(domain$name)}, too few for least squares with {p}
               feature{?s}.", "domain", i = instead, call = call)
}

# For a target whose residual variance is neither its own nor given: without borrowing it must be.
check_degrees <- function(domains, variances, settings, call) {
  if (length(domains) > 1) {
    if (isTRUE(settings$quiet)) return(invisible())
    tell(paste0("Domain ", in_quotes(domains[[1]]$name), " has ", counted(domains[[1]]$n, "row"),
                ", too few for a residual variance of its own: it is ",
                if (variances$from[1] == GIVEN_OTHERS) "estimated by the " else "taken from ", variances$from[1], "."))
    return(invisible())
  }
  abort_input("No degrees of freedom are left for the residual variance: {domains[[1]]$n} row{?s},
               {length(domains[[1]]$g)} feature{?s}.", "sigma2", i = "Give {.arg sigma2}, or more rows.",
              call = call)
}

# The domains to borrow from (the target always first) with their places and residual variances, the columns, the
# domains left out and the log likelihood ratio of each other domain and the target: a common component against none.
guarded_domains <- function(domains, variances, columns, settings, call) {
  at <- seq_along(domains)
  unsafe <- integer()
  lr <- NULL
  if (length(domains) > 1 && settings$guard && !is.list(settings$borrow) && settings$borrow != "hierarchical") {
    lr <- vapply(at[-1], function(t) sharing_fit(domains[c(1, t)], variances$s2[c(1, t)], call)$lr, 0)
    names(lr) <- domain_names(domains[-1])
    unsafe <- which(lr < LR_SAFE)
  }
  if (length(unsafe)) {
    tell(paste0("Not borrowing from ", in_quotes(names(lr)[unsafe]), ": log likelihood ratio ",
                paste(signif(lr[unsafe], 3), collapse = ", "), ", below ", LR_SAFE, "."),
         "Give `guard = FALSE` to borrow all the same.")
    at <- at[-(unsafe + 1)]
  }
  list(domains = domains[at], at = at, columns = columns, s2 = variances$s2[at], s2_from = variances$from[at],
       s2_df = variances$df[at], guarded = names(lr)[unsafe], guard_lr = lr)
}

check_borrow <- function(borrow, n_domains, call) {
  if (is.list(borrow)) return(borrow)
  borrow <- borrow %||% if (n_domains > 1) "hierarchical" else "none"
  borrow <- check_choice(borrow, BORROW, "borrow", call)
  if (n_domains < 2 && !without_borrowing(borrow)) {
    abort_input("{.arg borrow} is {.val {borrow}}, but there is one domain.", "borrow",
                i = "Give rows of other domains and {.arg domain}, or use {.val none}.",
                call = call)
  }
  borrow
}

BORROW <- c("hierarchical", "reml", "pooled", "plugin", "none", "aggregate")

# Rules by which no domain borrows: the target is alone, or all rows are one domain.
without_borrowing <- function(rule) !is.list(rule) && rule %in% c("none", "aggregate")

# Only the hierarchical model takes estimates.
with_sites <- function(settings, sites, call) {
  if (identical(settings$borrow, "none")) return(settings)
  if (!is_hierarchical(settings)) {
    what <- if (settings$method == "cutoff") "method" else "borrow"
    abort_input("{.arg {what}} is {.val {settings[[what]]}}, which needs rows of the other domains.", what,
                i = "Give {.code borrow = \"hierarchical\"} and {.code method = \"exact\"} with {.arg sources}.",
                call = call)
  }
  settings$sites <- sites
  settings
}

# Rows without domains, beside estimates, are the target's: its name becomes their domain.
with_domain_of_target <- function(frame, target, call) {
  if (is.null(frame$domain)) {
    if (!is.null(target) && !rlang::is_string(target)) {
      abort_kind(target, "target", "Give the target a name, or leave it out.", call)
    }
    frame$domain <- factor(rep(target %||% "target", frame_nobs(frame)))
  }
  frame
}
