# tlcp()'s arguments, checked, and the domains and columns that they leave in the running.

# The settings of a fit to n_domains domains, all given by name.
tlcp_settings <- function(blueprint, n_domains, method = "exact", borrow = NULL, units = NULL,
                          support = NULL, criterion = "Cp", select = TRUE, sizes = NULL, keep = NULL,
                          drop = NULL, scales = TRUE, guard = TRUE, standardize = TRUE,
                          intercept = TRUE, sigma2 = NULL, max_nodes = Inf, max_seconds = 60, call) {
  p <- blueprint$p
  if (p == 0) {
    abort_input("{.arg x} has no columns.", "x", i = "Give at least one.", call = call)
  }
  method <- check_choice(method, c("exact", "cutoff"), "method", call)
  borrow <- check_borrow(borrow, n_domains, call)
  keep <- check_features(keep, "keep", blueprint, call)
  drop <- check_features(drop, "drop", blueprint, call)
  both <- intersect(keep, drop)
  if (length(both)) {
    abort_input("{.arg keep} and {.arg drop} both name
                 {.val {column_labels(blueprint$columns, both)}}.", "drop",
                i = "Name every feature in one of them only.", call = call)
  }
  whole <- identical(borrow, "hierarchical") && method == "exact"
  standardize <- check_flag(standardize, "standardize", call)
  units <- check_borrow_units(units, whole, standardize, call)
  support <- support %||% if (whole) "target" else "shared"
  structure(list(
    method = method, borrow = borrow,
    support = check_choice(support, c("target", "shared"), "support", call),
    criterion = check_criterion(criterion, call), select = check_flag(select, "select", call),
    sizes = if (!is.null(sizes)) check_flag(sizes, "sizes", call), keep = keep, drop = drop,
    scales = check_flag(scales, "scales", call), guard = check_flag(guard, "guard", call),
    whole = whole, units = units, standardize = standardize,
    scaling = domain_scaling(standardize, is.list(borrow), units), intercept = intercept,
    sigma2 = sigma2, max_nodes = check_limit(max_nodes, "max_nodes", call),
    max_seconds = check_limit(max_seconds, "max_seconds", call), columns = blueprint$columns, p = p
  ), class = "tlcp_settings")
}

# Numbers for `borrow` refer to the response as it is, unless columns are in z-scores; other rules
# are the same in any unit of it, but look for variances between bounds.
domain_scaling <- function(standardize, numbers, units = "own") {
  if (standardize) units else if (numbers) "none" else "y"
}

# whole: is it the hierarchical model of features? The other rules do not weigh units.
check_borrow_units <- function(units, whole, standardize, call) {
  units <- check_choice(units %||% if (whole) "evidence" else "own", UNITS, "units", call)
  if (whole && !standardize) {
    if (units == "own") {
      abort_input("{.arg units} is {.val own} with {.code standardize = FALSE}.", "units",
                  i = "Columns that are not standardised have one unit in all domains: leave {.arg
                       units} out.", call = call)
    }
    return("common")
  }
  if (!whole && units == "evidence") {
    abort_input("{.arg units} is {.val evidence}, which only {.code borrow = \"hierarchical\"} with
                 {.code method = \"exact\"} can weigh.", "units",
                i = "Use {.val own} or {.val common}.", call = call)
  }
  units
}

refuse_for_tlcp <- function(frame, call) {
  refuse_map(frame, "tlcp", call)
  refuse_responses(frame, call)
  if (frame_family(frame) == "multinomial") {
    abort_input("{.arg y} has {nlevels(frame$y)} classes.", "y",
                i = "{.fn tlcp} takes numbers or two classes; see {.fn shareboost} and
                     {.fn greedytl}.", call = call)
  }
}

check_target <- function(target, domains, call) {
  if (is.null(domains)) {
    if (is.null(target)) return(NO_DOMAIN)
    abort_input("{.arg target} is {.val {target}}, but there are no domains.", "target",
                i = "Give {.arg domain}: where each row comes from.", call = call)
  }
  if (!is.atomic(target) || length(target) != 1 || !as.character(target) %in% domains) {
    what <- if (is.null(target)) {
      "{.arg target} is missing."
    } else if (is.atomic(target)) {
      "{.arg target} is {.val {target}}."
    } else {
      "{.arg target} is {.obj_type_friendly {target}}."
    }
    abort_input(what, "target", call = call,
                i = "Name the domain that the model is for: {.or {.val {domains}}}.")
  }
  as.character(target)
}

check_borrow <- function(borrow, n_domains, call) {
  if (is.list(borrow)) return(borrow)
  borrow <- borrow %||% if (n_domains > 1) "hierarchical" else "none"
  borrow <- check_choice(borrow, BORROW, "borrow", call)
  if (n_domains < 2 && !borrow %in% c("none", "aggregate")) {
    abort_input("{.arg borrow} is {.val {borrow}}, but there is one domain.", "borrow",
                i = "Give rows of other domains and {.arg domain}, or use {.val none}.",
                call = call)
  }
  borrow
}

CRITERIA <- c("Cp", "AIC", "BIC", "HQ", "Cp_BIC", "Cp_HQ", "RIC")

check_criterion <- function(criterion, call) {
  if (is.character(criterion) && length(criterion) == 1) {
    at <- match(tolower(criterion), tolower(CRITERIA))
    if (!is.na(at)) return(CRITERIA[at])
  } else if (is.numeric(criterion) && length(criterion) == 1 && is.finite(criterion) &&
             criterion >= 0) {
    return(as.double(criterion))
  }
  abort_input("{.arg criterion} is {.val {criterion}}.", "criterion",
              i = "Choose one of {.or {.val {CRITERIA}}}, or give a number that is not negative.",
              call = call)
}

# The penalty of a feature, in units of the residual variance (of twice the log-likelihood where that
# is estimated anew).
penalty_factor <- function(criterion, n, p) {
  if (is.numeric(criterion)) return(criterion)
  k <- switch(criterion, BIC = , Cp_BIC = log(n), HQ = , Cp_HQ = 2 * log(log(n)), RIC = 2 * log(p),
              2)
  max(k, 0)
}

check_limit <- function(value, argument, call) {
  if (!is.numeric(value) || length(value) != 1 || is.na(value) || value <= 0) {
    abort_input("{.arg {argument}} is {.val {value}}.", argument,
                i = "Give one positive number; {.code Inf} for no limit.", call = call)
  }
  as.double(value)
}

check_features <- function(value, argument, blueprint, call) {
  if (is.null(value)) return(integer())
  among <- if (is.character(value)) blueprint$columns else seq_len(blueprint$p)
  at <- match(value, among)
  if (!(is.character(value) || is.numeric(value)) || anyNA(at)) {
    wrong <- if (is.character(value) || is.numeric(value)) value[is.na(at)] else class(value)
    known <- utils::head(column_labels(blueprint$columns, seq_len(blueprint$p)), 5)
    abort_input("{.arg {argument}} has {.val {wrong}}.", argument,
                i = "Give names or numbers of columns: {.val {known}}, ...", call = call)
  }
  unique(at)
}

# ---- domains and columns in the running ---------------------------------------------------------

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
  sigma2 <- in_order_of(settings$sigma2, vapply(domains, `[[`, "", "name"), "sigma2", call)
  check_sigma2(sigma2, length(domains), call)
  alone <- !is.list(settings$borrow) && settings$borrow %in% c("none", "aggregate")
  if (alone) sigma2[1] else sigma2
}

domain_columns <- function(domain, columns, intercept) {
  if (length(columns) == length(domain$varies)) return(domain)
  at <- c(columns, if (domain$level) length(domain$g))
  domain$G <- domain$G[at, at, drop = FALSE]
  domain$g <- domain$g[at]
  domain$varies <- domain$varies[columns]
  domain$fit <- domain_fit(domain, intercept)
  domain
}

# All rows as one domain, each in the z-scores of its own; means and scales are the target's.
pooled_domain <- function(domains, settings) {
  domain <- domains[[1]]
  for (part in c("G", "g", "yy", "n")) domain[[part]] <- Reduce(`+`, lapply(domains, `[[`, part))
  domain$varies <- Reduce(`|`, lapply(domains, `[[`, "varies"))
  domain$n_pooled <- length(domains) # each has an intercept
  domain$fit <- domain_fit(domain, settings$intercept)
  domain
}

# Columns that do not vary in the target say nothing of it, but sources know of them in the
# hierarchical model. Where least squares are wanted, of the target or of every domain, columns that
# are combinations of others go too.
usable_columns <- function(domains, settings, call) {
  varies <- if (settings$whole) {
    Reduce(`|`, lapply(domains, `[[`, "varies"))
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
                i = "There is nothing to select.", call = call)
  }
  left
}

tell_dropped <- function(columns, what, domain, settings, call) {
  if (!length(columns)) return(invisible())
  labels <- column_labels(settings$columns, columns)
  if (any(columns %in% settings$keep)) {
    kept <- column_labels(settings$columns, intersect(columns, settings$keep))
    abort_input("{.arg keep} names {.val {kept}}: {what}{in_domain(domain)}.", "keep",
                i = "It cannot be fitted there: do not keep it.", call = call)
  }
  if (isTRUE(settings$quiet)) return(invisible())
  cli::cli_inform("Leaving out {.val {labels}}: {what}{in_domain(domain)}.")
}

refuse_short <- function(domain, p, settings, call) {
  if (domain$n - settings$intercept >= p) return(invisible())
  alone <- !is.list(settings$borrow) && settings$borrow %in% c("none", "aggregate")
  instead <- if (settings$method == "cutoff" && alone) {
    "Rows are needed for that, not moments."
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
    cli::cli_inform("Domain {.val {domains[[1]]$name}} has {domains[[1]]$n} row{?s}, too few for a
                     residual variance of its own: it is taken from {variances$from[1]}.")
    return(invisible())
  }
  abort_input("No degrees of freedom are left for the residual variance: {domains[[1]]$n} row{?s},
               {length(domains[[1]]$g)} feature{?s}.", "sigma2", i = "Give {.arg sigma2}.",
              call = call)
}

# The domains to borrow from (the target always first) with their residual variances, the sources
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
  cli::cli_inform(c(
    "Not borrowing from {.val {names(lr)}}: log likelihood ratio {signif(lr, 3)}, below {LR_SAFE}.",
    i = "{.code guard = FALSE} borrows all the same."
  ))
}
