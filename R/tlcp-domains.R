# Which domains and columns can be used.

# ---- before anything is fitted ------------------------------------------------------------------

# Other domains that nothing can be borrowed from - one row, or a response that is constant - are left out
# before anything is fitted. The target is not: without it there is nothing to fit.

# Domains, target first, and those of them that can be used. why: by domain, what is wrong with it, NA if nothing.
usable_domains <- function(why, target) {
  order <- c(target, setdiff(names(why), target))
  bad <- setdiff(order[!is.na(why[order])], target)
  if (length(bad)) {
    tell(paste0("Leaving out the source", if (length(bad) > 1) "s", " ", in_quotes(bad), ": ",
                paste(if (length(unique(why[bad])) > 1) why[bad] else why[bad[1]], collapse = ", "), "."),
         if (length(bad) == length(order) - 1) "No source is left: the target stands alone.",
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
