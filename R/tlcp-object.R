# What tlcp()'s object has beside coefficients: rows of the target, steps with their proofs, what was borrowed, and what
# standard errors need.

target_rows <- function(frame, target) {
  if (!has_rows(frame) && !is.null(frame$domain)) frame$moments <- frame$moments[target]
  if (is.null(frame$domain) || !nrow(frame$x)) return(frame)
  frame_rows(frame, which(frame$domain == target))
}

# Under na.exclude fitted values stand at the places of their rows in the data. These are the rows that have none:
# incomplete ones, and those of other domains.
rows_elsewhere <- function(frame, target) {
  left_out <- frame$na.action
  whole <- frame_nobs(frame) + length(left_out)
  if (!inherits(left_out, "exclude") || is.null(frame$domain) || whole < max(left_out)) return(NULL)
  kept <- setdiff(seq_len(whole), left_out)
  rest <- setdiff(seq_len(whole), kept[frame$domain == target])
  names <- character(whole)
  names[kept] <- frame_row_names(frame)
  names[left_out] <- names(left_out)
  structure(rest, names = names[rest], class = "exclude")
}

# ---- steps --------------------------------------------------------------------------------------

# Which columns each step has, and how it differs from the one before.
steps_of_sets <- function(path, labels) {
  sets <- path$sets
  before <- sets[, c(1, seq_len(ncol(sets) - 1)), drop = FALSE]
  labels <- labels[path$columns]
  list(lambda = rep(NA_real_, ncol(sets)), step = seq_len(ncol(sets)) - 1L, size = as.integer(colSums(sets)),
       entered = names_by_column(sets & !before, labels), dropped = names_by_column(before & !sets, labels))
}

tlcp_steps <- function(path, settings, labels) {
  domain <- path$domains[[1]]
  size <- as.integer(colSums(path$sets))
  df <- path$trace + (path$intercept_df %||% settings$intercept)
  proof <- step_proof(path, size)
  steps <- c(steps_of_sets(path, labels), list(
    rss = path$own * domain$y_scale^2, df = df, objective = path$objective,
    criterion = path_criterion(path, size)
  ))
  if (without_borrowing(path$borrowing$borrow)) {
    intercepts <- settings$intercept * max(path$borrowing$n_pooled, 1)
    steps$cp <- path$objective - domain$n + 2 * (size + intercepts)
  }
  quick_frame(c(steps, proof))
}

# The residual sum of squares of the target in z-scores at every step. Where z has a level and the domain has none,
# the columns are centred and the level stands beside them.
own_rss <- function(domain, z) {
  if (nrow(z) > length(domain$g)) {
    slopes <- seq_along(domain$g)
    return(own_rss(domain, z[slopes, , drop = FALSE]) + domain$n * z[nrow(z), ]^2)
  }
  pmax.int(domain$yy - 2 * drop(crossprod(z, domain$g)) + colSums(z * (domain$G %*% z)), 0)
}

path_criterion <- function(path, size) {
  anew <- path$borrowing$anew
  if (is.null(anew)) return(path$objective + colSums(path$sets * path$borrowing$pen))
  likelihood_value(path$objective, size, anew) + path$constant
}

# Bound, gap and nodes of each size; those of the best set where no sizes were searched.
step_proof <- function(path, size) {
  none <- rep(NA_real_, length(size))
  proof <- list(bound = none, gap = none, nodes = none, complete = rep(NA, length(size)))
  from <- path$of_size
  at <- seq_along(size)[-1]
  if (is.null(from)) {
    if (is.null(path$certificate)) return(proof)
    from <- path$certificate
    if (is.null(path$borrowing$anew)) {
      pen <- sum(path$borrowing$pen[path$sets[, path$best]])
      from$bound <- from$bound - pen
      from$value <- from$value - pen
    } else {
      from$bound <- from$rss_bound
      from$value <- from$rss
    }
    at <- path$best
  }
  proof$bound[at] <- from$bound
  proof$gap[at] <- proven_gap(from$value, from$bound, path$objective[1])
  proof$nodes[at] <- from$nodes
  proof$complete[at] <- from$stopped == "complete"
  proof
}

# The gap between value and bound, 0 where it is no more than rounding. scale: the objective without features.
proven_gap <- function(value, bound, scale) {
  gap <- value - bound
  gap[gap <= 1e-12 * scale + 1e-9 * abs(value)] <- 0
  gap
}

# constant: what the criterion has beside what was searched.
certificate <- function(search, constant, scale) {
  if (is.null(search)) return(NULL)
  list(
    value = search$value + constant, bound = search$bound + constant,
    gap = proven_gap(search$value, search$bound, scale), nodes = search$nodes, seconds = search$seconds,
    complete = search$stopped == "complete", stopped = search$stopped,
    searches = search$searches %||% 1L
  )
}

# ---- what was borrowed ---------------------------------------------------------------------------

# The borrowing prior as a component of the fit: features and domains by name, couplings as they were estimated.
named_borrowing <- function(path, labels) {
  s <- path$borrowing
  features <- labels[path$columns]
  who <- domain_names(path$domains)
  named <- function(x, names) if (!is.null(x)) stats::setNames(x, names)
  list(
    borrow = s$borrow, s2 = named(s$s2, who), s2_from = named(s$s2_from, who),
    lam = named(s$lam, who), v = named(s$v, features), pen = named(s$pen, features), k = s$k,
    tau2 = named(s$tau2, who), omega2 = s$omega2, delta2 = s$delta2,
    kappa2 = s$kappa2, scales = if (!is.null(s$tau2)) named(s$scales[seq_along(features)], features),
    loglik = s$loglik, lr = s$lr, alone = s$alone, units = s$units, units_weights = s$units_weights,
    units_lr = s$units_lr, spread_ratio = s$spread_ratio,
    evaluations = s$evaluations, guarded = s$guarded, guard_lr = s$guard_lr,
    anew = !is.null(s$anew)
  )
}

# Chosen features: own and the others' estimates, the borrowed one, and the others' share of its
# precision, all in the target's units.
borrowed_table <- function(path, labels) {
  domains <- path$domains
  if (length(domains) == 1 || is.null(path$form)) return(NULL)
  set <- which(path$sets[, path$best])
  unit <- (domains[[1]]$y_scale / domains[[1]]$x_scale)[path$columns[set]]
  borrowed_columns(domains, set, labels[path$columns], unit, unname(path$z[[1]][set, path$best]) * unit, path)
}

# terms: of the usable columns; unit: of estimates, borrowed: of the columns `set`. The attribute `lacking`
# says, by domain, why estimates are missing.
borrowed_columns <- function(domains, set, terms, unit, borrowed, path) {
  names(domains) <- domain_names(domains)
  domains <- lapply(domains, without_level, intercept = TRUE)
  estimates <- lapply(domains, function(domain) unique_estimates(domain)[set] * unit)
  lacking <- unlist(lapply(stats::setNames(domains, c("target_only", names(domains)[-1])), why_lacking, set, terms))
  share <- source_share(path, set)
  structure(quick_frame(c(
    list(term = terms[set], target_only = estimates[[1]]), estimates[-1],
    list(borrowed = borrowed, weight = share$sources, shrinkage = share$prior)
  )), lacking = lacking)
}

# Least squares of a domain for the columns that vary in it; NA where they are not unique: which columns a fit of
# short rank keeps depends on their order.
unique_estimates <- function(domain) {
  unique <- length(domain$fit$kept) == sum(domain$varies)
  ifelse(domain$varies & unique, domain$fit$coef, NA)
}

why_lacking <- function(domain, set, terms) {
  if (length(domain$fit$kept) < sum(domain$varies)) return("too few rows, or columns that are combinations of others")
  flat <- terms[set[!domain$varies[set]]]
  if (length(flat)) paste("constant there:", toString(c(utils::head(flat, 5), if (length(flat) > 5) "...")))
}

# Shares of the precision of each chosen coefficient, the others given: what the others add, and what the prior adds.
# Without other domains the hierarchical model would still shrink, with the prior variance tau_1^2 + omega^2.
source_share <- function(path, set) {
  s <- path$borrowing
  form <- path$form$full %||% path$form
  rows <- diag(path$domains[[1]]$G) * s$scales * s$lam[1]
  prior <- if (is.null(s$own)) 0 * rows else 1 / (s$common + s$own[, 1])
  n_domains <- form$n_domains
  precision <- vapply(set, function(i) {
    at <- (i - 1) * n_domains + seq_len(n_domains)
    block <- form$A[at, at, drop = FALSE]
    if (n_domains == 1) return(block[1, 1])
    rest <- solve(block[-1, -1, drop = FALSE], block[-1, 1])
    block[1, 1] - sum(block[1, -1] * rest)
  }, 0)
  list(sources = pmax(1 - (rows + prior)[set] / precision, 0), prior = pmin(prior[set] / precision, 1))
}

# ---- for standard errors ---------------------------------------------------------------------------

# What standard errors need (tlcp-posterior.R), in the coordinates that were searched:
#   A         the posterior precision, levels last (NULL: `covariance` has the inverse by step)
#   n_domains   coordinates by feature, the target's the first
#   level     are there levels?
#   root, x_scale, x_mean, y_scale    from coordinates to the original scale
#   mean_variance   where there is no level, the variance of the target's mean response
#   columns, sets, df, mean           usable columns; sets by step; degrees of freedom of the
#                                     residual variance; coefficients by step (intercept first)
path_posterior <- function(path) {
  if (is.null(path$form)) return(NULL) # cutoff
  form <- path$form$full %||% path$form
  borrowing <- path$borrowing
  domain <- path$domains[[1]]
  level <- !is.null(path$form$full)
  spread <- distance_spread(path$domains, borrowing)
  raw <- raw_coefficients(path$z[[1]], path$columns, path$all_domains[[1]])
  n <- path$all_domains[[1]]$n
  list(
    A = form$A, n_domains = form$n_domains, level = level, root = sqrt(borrowing$scales)[seq_along(path$columns)],
    x_scale = domain$x_scale[path$columns], x_mean = domain$x_mean[path$columns], y_scale = domain$y_scale,
    mean_variance = if (level) 0 else borrowing$s2[1] / n, columns = path$columns, sets = path$sets,
    df = posterior_freedom(borrowing$s2_df[1] %||% Inf, spread), mean = rbind(raw$a0, raw$beta), spread = spread
  )
}

# Degrees of freedom of the intervals: those of the residual variance and, where the borrowing prior is estimated, two
# for each feature that it is estimated from. The number two comes from simulations: averaging over the borrowing
# prior leaves out the error of expanding the likelihood and of estimates at one borrowing prior, so that intervals
# alone would be too short.
posterior_freedom <- function(df, spread) {
  if (is.null(spread)) df else 1 / (1 / df + 1 / (2 * length(spread$slopes)))
}

family_posterior <- function(path) {
  domain <- path$all_domains[[1]]
  columns <- path$columns
  spread <- distance_spread(path$domains, path$borrowing)
  slopes <- lapply(path$coef, function(coef) c(coef$a0[1], coef$beta[columns, 1]))
  list(
    covariance = path$covariance, root = path$polisher$root[seq_along(columns)],
    x_scale = domain$x_scale[columns], x_mean = domain$x_mean[columns], y_scale = 1, mean_variance = 0,
    columns = columns, sets = path$sets, df = posterior_freedom(Inf, spread), mean = do.call(cbind, slopes),
    spread = spread
  )
}

# What the averaging of spread_by_distance() needs: the domains, the borrowing prior, and H and g of the target in the
# prior's columns.
distance_spread <- function(domains, borrowing) {
  if (borrowing$borrow != "hierarchical") return(NULL)
  root <- sqrt(borrowing$scales)
  alone <- isTRUE(borrowing$alone)
  slopes <- seq_len(length(root) - isTRUE(domains[[1]]$level))
  list(
    parts = scaled_parts(domains[1], borrowing), domains = lapply(domains, `[`, c("G", "g", "level")),
    s2 = 1 / borrowing$lam, borrowing = borrowing[c("common", "own", "scales", "tau2")],
    size = sqrt(borrowing$omega2 + borrowing$tau2[[1]]), slopes = slopes,
    alone = if (alone) intersect(slopes, which(domains[[1]]$varies))
  )
}
