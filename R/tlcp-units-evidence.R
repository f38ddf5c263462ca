# The domains of the hierarchical model in each of the units in question, and their evidence of sharing.

# The domains in each of the units in question, by units list(domains, used, lr): the domains of all columns, what
# tlcp_columns_guarded_domains() returns, and the log likelihood ratio of sharing. sums: of cells.
tlcp_units_of_cells <- function(sums, asked, settings, call) {
  domains <- c(names(sums$cells), vapply(unname(settings$sites), `[[`, "", "name"))
  units <- lapply(stats::setNames(nm = asked), tlcp_units_scales, sums, settings, call)
  given <- if (!is.null(settings$sigma2)) {
    rows <- lapply(names(sums$cells), function(name) list(name = name))
    tlcp_variances_given_of_rows(rows, tlcp_variances_given(domains, settings, call), call)
  }
  flat <- sums$spread == 0
  varies <- rowSums(flat[-nrow(flat), , drop = FALSE]) < ncol(flat)
  for (site in settings$sites) varies <- varies | estimates_site_varies(site)
  columns <- tlcp_columns_varying(varies, domains[1], TRUE, settings, call)
  tlcp_columns_refuse_none(columns, domains[1], call)
  found <- .Call(C_borrow_units, sums$cells, units, flat, sums$intercept,
                 if (length(columns) < settings$p) columns, given, VARIANCE_GRIDS)
  lapply(stats::setNames(nm = asked), function(name) {
    unit <- tlcp_prior_or_stop(found[[name]], call)
    variances <- tlcp_variances_named(unit)
    settings$quiet <- name != asked[1]
    tlcp_columns_check_degrees(unit$used, variances, settings, call)
    used <- tlcp_columns_guarded_domains(unit$used, variances, columns, settings, call)
    used$own_fits <- unit$own
    list(domains = unit$all, used = used, lr = unit$lr)
  })
}

# What C_borrow_units takes of the units named so: list(scale, centre, known), the last the domains of estimates.
tlcp_units_scales <- function(name, sums, settings, call) {
  unit <- tlcp_domain_unit(sums, if (settings$standardize) tlcp_units_scaling(name) else "y", call, level = TRUE)
  if (length(settings$sites)) {
    last <- nrow(unit$scale)
    centre <- if (sums$intercept) unit$centre %||% sums$mean[, 1] else numeric(last)
    target <- list(x_mean = centre[-last], y_mean = centre[last], x_scale = unit$scale[-last, 1],
                y_scale = unit$scale[last, 1], level = !is.null(unit$centre))
    unit$known <- tlcp_domain_of_sites(settings$sites, list(target), settings$intercept)
  }
  unit
}

# The same of domains known by their rows.
tlcp_units_of_rows <- function(sums, asked, settings, call) {
  lapply(stats::setNames(nm = asked), function(name) {
    settings$quiet <- name != asked[1]
    domains <- tlcp_units_domains(sums, name, settings$standardize, call)
    used <- tlcp_columns_domains_in_use(domains, settings, call)
    list(domains = domains, used = used, lr = tlcp_prior_sharing(used$domains, used$s2, call)$lr)
  })
}
