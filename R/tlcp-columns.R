# Which domains and columns of tlcp() can be used, and the guard against domains that mislead.

# The frame without these domains, and `domains`: the names of all domains (`order`) and of those that remain
# (`left`), the target first. why: by domain, the reason why it cannot be used, or NA.
tlcp_columns_without_unusable <- function(frame, why, target) {
  order <- c(target, names(why)[names(why) != target])
  left <- order
  if (!all(is.na(why))) {
    bad <- order[!is.na(why[order]) & order != target]
    left <- order[!order %in% bad]
    if (!length(bad)) return(list(frame = frame, domains = list(order = order, left = left)))
    frame <- frame_rows_of_domains(frame, left)
    reasons <- unique(why[bad])
    each <- vapply(reasons, function(reason) paste0(words_in_quotes(bad[why[bad] == reason]), " (", reason, ")"), "")
    tell(paste0("Leaving out the domain", if (length(bad) > 1) "s", " ",
                if (length(reasons) > 1) toString(each) else paste0(words_in_quotes(bad), ": ", reasons), "."),
         if (length(bad) == length(order) - 1) "No other domain is left: the target is fitted alone.",
         "transelect_message_sources")
  }
  list(frame = frame, domains = list(order = order, left = left))
}

# For numeric responses: does the response of a domain vary about the mean, or about 0 without an intercept, by more
# than rounding, as moments_rows_domain_sums() has it? all_cells: those of frame_moments_cells(), where the fit needs
# them: the result then has, as `cells`, those of the domains that remain.
tlcp_columns_usable_domains <- function(frame, target, intercept, call, all_cells = NULL) {
  cells <- all_cells %||% if (frame_rows_are_there(frame)) frame_moments_response_cells(frame, call) else
    moments_object_domains(frame$moments)
  n <- vapply(cells, `[[`, 0, "n")
  weight <- vapply(cells, `[[`, 0, "weight")
  mean <- vapply(cells, function(cell) cell$mean[length(cell$mean)], 0)
  about_mean <- vapply(cells, function(cell) cell$cross[length(cell$cross)], 0)
  about_0 <- about_mean + weight * mean^2
  varies <- (if (intercept) about_mean else about_0) > 1e-24 * about_0
  why <- n
  why[] <- NA_character_
  why[!varies] <- paste0("constant response, ", n[!varies], " rows")
  why[n == 1] <- "one row"
  usable <- tlcp_columns_without_unusable(frame, why, target)
  usable$cells <- all_cells[usable$domains$left]
  usable
}

# For likelihoods: other domains without events, or with nothing but events, are left out.
tlcp_columns_usable_family <- function(frame, target, call) {
  parts <- response_family_parts(frame, target)
  degenerate <- vapply(parts, response_family_is_degenerate, NA, family = frame$family)
  what <- response_family_degenerate_words(frame$family)$what
  if (degenerate[1]) response_family_abort_degenerate(frame$family, target, call)
  if (is.null(frame$domain)) return(list(frame = frame))
  tlcp_columns_without_unusable(frame, ifelse(degenerate, what, NA), target)
}

# The numbers of the domains that remain, out of numbers that were given for all domains (target first, or by name).
tlcp_columns_values_for_domains <- function(values, domains) {
  if (!is.numeric(values) || length(values) != length(domains$order)) return(values)
  place <- words_match_names(domains$left, names(values) %||% domains$order)
  if (anyNA(place)) values else values[place]
}

# `borrow` without what it says of domains that were left out; "none" where no other domain remains.
tlcp_columns_borrow_from <- function(borrow, domains) {
  if (is.list(borrow)) {
    borrow[["lam"]] <- tlcp_columns_values_for_domains(borrow[["lam"]], domains)
    return(borrow)
  }
  alone <- length(domains$left) == 1 && length(domains$order) > 1
  if (alone && is.character(borrow) && all(borrow %in% BORROW)) "none" else borrow
}

# The domains that the rule borrows from, with the columns that can be fitted in them: see
# tlcp_columns_guarded_domains().
tlcp_columns_domains_in_use <- function(domains, settings, call) {
  sigma2 <- if (!is.null(settings$sigma2)) tlcp_variances_given(tlcp_domain_names(domains), settings, call)
  if (identical(settings$borrow, "none")) domains <- domains[1]
  if (identical(settings$borrow, "aggregate")) domains <- list(tlcp_columns_pooled_domain(domains, settings))
  columns <- tlcp_columns_usable(domains, settings, call)
  if (length(columns) < settings$p) domains <- lapply(domains, tlcp_domain_columns, columns, settings$intercept)
  variances <- if (identical(settings$borrow, "hierarchical")) {
    tlcp_variances_for_borrowing(domains, sigma2, settings$intercept, call)
  } else {
    tlcp_variances_of_domains(domains, sigma2, call)
  }
  tlcp_columns_check_degrees(domains, variances, settings, call)
  tlcp_columns_guarded_domains(domains, variances, columns, settings, call)
}

# All rows as one domain, each row in the z-scores of its own domain; means and scales are the target's.
tlcp_columns_pooled_domain <- function(domains, settings) {
  domain <- tlcp_columns_added_domains(domains)
  domain$varies <- Reduce(`|`, lapply(domains, `[[`, "varies"))
  domain$n_pooled <- length(domains) # each has an intercept
  domain$fit <- tlcp_domain_least_squares(domain, settings$intercept)
  domain
}

tlcp_columns_added_domains <- function(domains) {
  all <- domains[[1]]
  for (part in c("G", "g", "yy", "n")) all[[part]] <- Reduce(`+`, lapply(domains, `[[`, part))
  all
}

# The columns that can be fitted. A column that does not vary in the target has no information there, but in the
# hierarchical model the other domains have information on it. Where least squares are wanted, of the target or of
# every domain, columns that are combinations of others are left out too.
tlcp_columns_usable <- function(domains, settings, call) {
  whole <- tlcp_units_is_hierarchical(settings)
  varies <- domains[[1]]$varies
  if (whole) {
    for (domain in domains[-1]) varies <- varies | domain$varies
    for (site in settings$sites) varies <- varies | estimates_site_varies(site)
  }
  left <- tlcp_columns_varying(varies, domains[[1]]$name, whole && length(domains) > 1, settings, call)
  if (settings$method == "cutoff" || !identical(settings$borrow, "hierarchical")) {
    for (domain in domains) {
      if (domain$n - settings$intercept < length(left)) tlcp_columns_abort_short(domain, length(left), settings, call)
      kept <- tlcp_domain_columns(domain, left, settings$intercept)$fit$kept
      if (length(kept) == length(left)) next
      dropped <- left[setdiff(seq_along(left), kept)]
      tlcp_columns_tell_dropped(dropped, "constant or a combination of others", domain$name, settings, call)
      left <- left[kept]
    }
  }
  tlcp_columns_refuse_none(left, domains[[1]]$name, call)
  if (is.null(settings$collinear)) left else tlcp_columns_independent(domains, left, settings, call)
}

# The columns that vary; a message names the others. everywhere: TRUE if the others vary in no domain, FALSE if they do
# not vary in this one.
tlcp_columns_varying <- function(varies, domain, everywhere, settings, call) {
  flat <- which(!varies)
  if (length(flat)) {
    tlcp_columns_tell_dropped(flat, if (everywhere) "constant in every domain" else "constant",
                              if (everywhere) NO_DOMAIN else domain, settings, call)
  }
  which(varies)
}

tlcp_columns_refuse_none <- function(left, domain, call) {
  if (length(left)) return(invisible())
  abort_input("No column of {.arg x} varies{words_in_domain(domain)}.", "x",
              i = "Give columns that vary: there is nothing to select.", call = call)
}

# Of columns that are nearly combinations of others keeps those that come first: columns of `keep`, then the others by
# their correlation with the response in the target, columns of `drop` last.
tlcp_columns_independent <- function(domains, left, settings, call) {
  domains <- tlcp_domain_own_levels(domains, intercept = settings$intercept)
  target <- domains[[1]]
  size <- abs(target$g[left]) / sqrt(diag(target$G)[left])
  left <- left[order(!left %in% settings$keep, left %in% settings$drop, -signif(size, 8))]
  for (domain in domains) {
    kept <- left[likelihood_least_squares(domain$G[left, left, drop = FALSE], domain$g[left], settings$collinear)$kept]
    if (length(kept) < length(left)) {
      tlcp_columns_tell_dropped(sort(setdiff(left, kept)), "nearly a combination of others", domain$name, settings,
                                call)
    }
    left <- kept
  }
  sort(left)
}

tlcp_columns_tell_dropped <- function(columns, what, domain, settings, call) {
  labels <- labels_of_columns(settings$columns, columns)
  if (any(columns %in% settings$keep)) {
    kept <- labels_of_columns(settings$columns, intersect(columns, settings$keep))
    abort_input("{.arg keep} names {.val {kept}}: {what}{words_in_domain(domain)}.", "keep",
                i = "Leave {cli::qty(kept)}{?it/them} out of {.arg keep}: {?it/they} cannot be fitted.",
                call = call)
  }
  if (isTRUE(settings$quiet)) return(invisible())
  tell(paste0("Leaving out ", words_in_quotes(labels), ": ", what, words_in_domain(domain), "."))
}

tlcp_columns_abort_short <- function(domain, p, settings, call) {
  alone <- tlcp_prior_without_borrowing(settings$borrow)
  instead <- if (settings$method == "cutoff") {
    "Leave that domain out, or use {.code method = \"exact\"} with
     {.code borrow = \"hierarchical\"}."
  } else if (alone) {
    "Give {.code method = \"cutoff\"}, rows of other domains, or {.fn greedytl}."
  } else {
    "Give {.code borrow = \"hierarchical\"}, or leave that domain out."
  }
  abort_input("There are {domain$n} row{?s}{words_in_domain(domain$name)}, too few for least squares with {p}
               feature{?s}.", "domain", i = instead, call = call)
}

# Where the residual variance of the target is neither given nor that of its own residuals: a message that says where it
# comes from, or an error where there is no other domain.
tlcp_columns_check_degrees <- function(domains, variances, settings, call) {
  if (startsWith(variances$from[1], "own residuals") || variances$from[1] == "given") return(invisible())
  if (length(domains) > 1) {
    if (isTRUE(settings$quiet)) return(invisible())
    tell(paste0("Domain ", words_in_quotes(domains[[1]]$name), " has ", words_counted(domains[[1]]$n, "row"),
                ", too few for a residual variance of its own: the variance is ",
                if (variances$from[1] == GIVEN_OTHERS) "estimated by the " else "taken from ", variances$from[1], "."))
    return(invisible())
  }
  abort_input("No degrees of freedom are left for the residual variance: {domains[[1]]$n} row{?s},
               {length(domains[[1]]$g)} feature{?s}.", "sigma2", 
              i = "Give {.code control = tlcp_control(sigma2 = )}, or more rows.", call = call)
}

# The domains to borrow from (the target always first) with their places and residual variances, the columns, the
# domains left out and the log likelihood ratio of each other domain and the target: a common component against none.
tlcp_columns_guarded_domains <- function(domains, variances, columns, settings, call) {
  used <- seq_along(domains)
  unsafe <- integer()
  lr <- NULL
  if (length(domains) > 1 && settings$guard && !is.list(settings$borrow) && settings$borrow != "hierarchical") {
    lr <- vapply(used[-1], function(t) tlcp_prior_sharing(domains[c(1, t)], variances$s2[c(1, t)], call)$lr, 0)
    names(lr) <- tlcp_domain_names(domains[-1])
    unsafe <- which(lr < LR_SAFE)
  }
  if (length(unsafe)) {
    tell(paste0("Not borrowing from domains with a log likelihood ratio below ", LR_SAFE, ": ",
                paste0('"', names(lr)[unsafe], '" (', signif(lr[unsafe], 3), ")", collapse = ", "), "."),
         "Give `control = tlcp_control(guard = FALSE)` to borrow nevertheless.")
    used <- used[-(unsafe + 1)]
  }
  list(domains = domains[used], at = used, columns = columns, s2 = variances$s2[used], s2_from = variances$from[used],
       s2_df = variances$df[used], guarded = names(lr)[unsafe], guard_lr = lr)
}

# Rows without domains, beside estimates, are the target's: its name becomes their domain.
tlcp_columns_target_domain <- function(frame, target, call) {
  if (is.null(frame$domain)) {
    if (!is.null(target) && !rlang::is_string(target)) {
      abort_kind(target, "target", "Give a name for the target, or leave {.arg target} out.", call)
    }
    frame$domain <- factor(rep(target %||% "target", frame_rows_count(frame)))
  }
  frame
}
