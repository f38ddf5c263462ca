# From cells to the exact path of tlcp().

# What is fitted: the domains in use, the columns in the running, the strength and its quadratic form.
tlcp_problem <- function(domains, settings, call, used = domains_in_use(domains, settings, call), lr = NULL,
                         alone = FALSE) {
  found <- strength_and_form(used, settings, call, lr, alone)
  c(list(all_domains = domains, domains = used$domains, columns = used$columns), found)
}

# The hierarchical problem in the units that count, and that of the target alone: one for a search,
# and those that are worth averaging for all features.
units_problems <- function(cells, settings, call) {
  sums <- domain_sums(cells, settings$intercept)
  spreads <- spread_evidence(sums)
  if (settings$standardize) tell_extreme(spreads, settings)
  found <- list()
  for (units in units_in_question(settings$units, spreads)) {
    settings$quiet <- length(found) > 0
    domains <- units_domains(sums, units, settings$standardize, call)
    domains <- c(domains, sites_as_domains(settings$sites, domains, settings$intercept))
    used <- domains_in_use(domains, settings, call)
    found[[units]] <- list(domains = domains, used = used,
                           lr = likelihood_ratio(used$domains, used$s2, call))
  }
  lr <- vapply(found, `[[`, 0, "lr")
  weights <- ordered_weights(units_weights(lr, spreads$any, settings$guard))
  tell_open(weights, spreads, settings)
  labels <- column_labels(settings$columns, seq_len(settings$p))
  lapply(names(weights)[seq_len(if (settings$select) 1 else length(weights))], function(name) {
    units <- units_of(name, names(lr))
    one <- found[[units]]
    problem <- tlcp_problem(one$domains, settings, call, one$used, one$lr, name == "alone")
    problem$strength$lr <- joint_ratio(lr, spreads$any)
    problem$strength[c("alone", "units", "units_weights", "units_lr", "spread_ratio")] <- list(
      name == "alone", units, weights, lr, stats::setNames(utils::head(spreads$ratio, -1), labels)
    )
    problem
  })
}

# used: of domains_in_use(); coordinates of its domains need not be those of the features any more (cutoff).
strength_and_form <- function(used, settings, call, lr = NULL, alone = FALSE) {
  domains <- used$domains
  k <- penalty_factor(settings$criterion, domains[[1]]$n, length(used$columns))
  how <- list(borrow = borrow_of(settings, domains, used$columns, call), s2 = used$s2, k = k,
              scales = settings$scales, lr = lr, alone = alone)
  strength <- strength_of(domains, how, call)
  form <- quadratic_form(domains, strength, settings$support)
  if (isTRUE(domains[[1]]$level)) form <- eliminate_level(form)
  if (strength$borrow == "hierarchical" && settings$support == "target") {
    strength$pen <- shrinkage_penalty(form, strength, k)
  }
  anew <- if (variance_anew(settings$criterion, strength$borrow) && domains[[1]]$fit$df > 0) {
    likelihood_terms(domains[[1]], used$s2[1], k, settings, call)
  }
  found <- used[c("s2", "s2_from", "s2_df", "guarded", "guard_lr")]
  list(strength = c(strength, found, list(k = k, n_pooled = domains[[1]]$n_pooled, anew = anew)),
       form = form)
}

# The rule for the domains in use; numbers for the columns in the running.
borrow_of <- function(settings, domains, columns, call) {
  borrow <- settings$borrow
  if (!is.list(borrow)) {
    return(if (length(domains) == 1 && borrow != "aggregate") "none" else borrow)
  }
  features <- column_labels(settings$columns, seq_len(settings$p))
  for (name in intersect(c("v", "pen"), names(borrow))) {
    values <- in_order_of(borrow[[name]], features, "borrow", call)
    borrow[[name]] <- if (length(values) == settings$p) values[columns] else values
  }
  borrow[["lam"]] <- in_order_of(borrow[["lam"]], vapply(domains, `[[`, "", "name"), "borrow", call)
  borrow
}

# cells: sums by domain, the target first.
tlcp_path <- function(cells, settings, call) {
  if (!settings$whole) {
    domains <- make_domains(domain_sums(cells, settings$intercept), settings$scaling, call)
    return(path_of(tlcp_problem(domains, settings, call), settings, call))
  }
  problems <- units_problems(cells, settings, call)
  if (settings$select || length(problems) == 1) return(path_of(problems[[1]], settings, call))
  paths <- lapply(problems, path_of, settings, call)
  average_paths(paths, problems[[1]]$strength$units_weights, settings)
}

path_of <- function(problem, settings, call) {
  found <- tlcp_sets(problem, settings, call)
  own <- domain_columns(problem$all_domains[[1]], problem$columns, settings$intercept)
  models <- set_models(found$sets, problem, own, call)
  z <- exact_coefficients(problem, models$w)
  c(problem, found, list(
    own_domain = own, z = shared_by_all(z, problem$strength, problem$all_domains),
    objective = problem$form$c0 - colSums(models$w * problem$form$b), trace = models$df,
    intercept_df = models$level %||% settings$intercept, own = own_rss(own, z[[1]])
  ))
}
