# Estimates as domains of tlcp(): matched to the target's columns, and transformed to
# the coordinates in which it borrows.

# What tlcp() was given as `sources` -> sites by name, matched to the columns.
estimates_of_frame <- function(frame, family, call) {
  sites <- estimates_of_sources(frame, call)
  Map(estimates_match_site, sites, names(sites), list(frame$blueprint), list(family), list(call), list(frame$raw))
}

# The sites as they were given, before they are matched.
estimates_of_sources <- function(frame, call) {
  sources <- frame$sources
  mend <- "Give models with {.fn coef} and {.fn vcov}, or {.fn estimates}: {.fn tlcp} borrows coefficients. Give {what}
           to {.fn greedytl}."
  models <- sources$models
  if (is.null(models)) {
    what <- "predictions"
    abort_input("{.arg sources} are predictions.", "sources", i = mend, call = call)
  }
  if (length(models) != length(sources$names)) {
    what <- "them"
    abort_input("{.arg sources} has a model of more than two classes, which has coefficients for each.", "sources",
                i = mend, call = call)
  }
  names(models) <- sources$names
  functions <- names(models)[vapply(models, is.function, NA)]
  if (length(functions)) {
    what <- "functions"
    abort_input("{.val {functions}} of {.arg sources} {?is a function/are functions}.", "sources", i = mend,
                call = call)
  }
  sites <- estimates_flat_sites(models, call, sources = TRUE)
  taken <- intersect(names(sites), levels(frame$domain))
  if (length(taken)) {
    abort_input("{.arg sources} and the domains share the name {.val {taken}}.", "sources",
                i = "Give each a name of its own.", call = call)
  }
  sites
}

# The site's information on the target's columns and the intercept, p + 1 of each; the log-likelihood is
# maximised over its other terms. raw: the target's rows as they were given.
estimates_match_site <- function(site, name, blueprint, family, call, raw = NULL) {
  if (!is.null(site$family) && site$family != family) {
    abort_input("{.val {name}} of {.arg sources} is of family {.val {site$family}}, and the response of family
                 {.val {family}}.", "sources",
                i = "Leave it out: coefficients of another family are on another scale.", call = call)
  }
  if (is.null(site$family) && !site$about %in% c("", ABOUT_NUMBERS)) {
    what <- switch(family, gaussian = "differences of a mean", binomial = "logarithms of odds ratios",
                   poisson = "logarithms of rate ratios", cox = "logarithms of hazard ratios")
    abort_input("{.val {name}} of {.arg sources} is a model of class {.cls {site$about}}, whose family is not known.",
                "sources", i = "Give {.code estimates(model, family = \"{family}\")} if its coefficients are {what}, as
                                those of the target are; else leave it out.", call = call)
  }
  if (!length(site$J)) {
    abort_input("{.val {name}} of {.arg sources} has coefficients, but no standard errors.", "sources",
                i = "Give {.code estimates(coefficients, vcov = )}, or {.arg se}.", call = call)
  }
  p <- blueprint$p
  columns <- labels_of_all_columns(blueprint)
  estimates_refuse_unknown_coding(site, name, blueprint, call)
  site <- estimates_translate_site(site, name, blueprint, raw, call)
  known <- match(site$terms, columns)
  if (all(is.na(known))) {
    abort_input("{.val {name}} of {.arg sources} has none of the target's columns: its terms are
                 {.val {utils::head(site$terms, 5)}}.", "sources",
                i = "Name the terms like the columns: {.val {words_first(columns)}}.",
                call = call)
  }
  constant <- site$terms == "(Intercept)"
  other <- is.na(known) & !constant
  if (!site$full) other <- other | constant
  estimates_tell_unmatched(name, setdiff(columns, site$terms), site$terms[other & !constant])
  part <- estimates_profiled_out(list(J = estimates_site_information(site), g = site$g), other)
  place <- known
  place[constant] <- p + 1L
  place <- place[!other]
  J <- matrix(0, p + 1, p + 1)
  J[place, place] <- part$J
  g <- numeric(p + 1)
  g[place] <- part$g
  by_column <- function(values) if (!is.null(values)) values[match(columns, site$terms)]
  if (is.null(site$family) && likelihood_is_used(family)) estimates_tell_ratios(estimates_site_coef(site), name,
                                                                                site$about)
  list(name = name, J = J, g = g, n = site$n, events = site$events, exposure = site$exposure,
       mean = by_column(site$mean), sd = by_column(site$sd), about = site$about)
}

estimates_tell_unmatched <- function(name, lacks, unused) {
  if (!length(lacks) && !length(unused)) return(invisible())
  tell(c(
    if (length(lacks)) paste0(words_in_quotes(name), " of `sources` has no coefficient of ", words_in_quotes(lacks),
                              "."),
    if (length(unused)) paste0("The term", if (length(unused) > 1) "s", " ", words_in_quotes(unused), " of ",
                               words_in_quotes(name),
                               if (length(unused) > 1) " are not in the model: their coefficients are" else
                                 " is not in the model: its coefficient is",
                               " integrated out.")
  ), class = "transelect_message_sources")
}

# The coefficient of a dummy variable is an effect against the first level: numbers that have one of the target's first
# level are of another, which they do not name.
estimates_refuse_unknown_coding <- function(site, name, blueprint, call) {
  coding <- estimates_coding_of_blueprint(blueprint)
  first <- estimates_coding_reference(coding)
  first <- first[setdiff(names(first), names(site$reference))]
  for (variable in names(first)) {
    level <- first[[variable]]
    contrasts <- estimates_coding_matrix(coding$levels[[variable]], coding$contrasts[[variable]])
    if (level %in% colnames(contrasts) || !paste0(coding$labels[[variable]], level) %in% site$terms) next
    abort_input("The first level of {.field {variable}} is another level in {.val {name}} of {.arg sources}, and
                 {.val {level}} in the target.", "sources",
                i = "Fit that model with the first level of the target: {.code relevel({variable}, \"{level}\")}; or
                     give the model itself.", call = call)
  }
}

# A quadratic J, g maximised over the coordinates `profiled`.
estimates_profiled_out <- function(part, profiled) {
  if (!any(profiled)) return(part)
  J <- part$J
  solvable <- which(profiled)[likelihood_least_squares(J[profiled, profiled, drop = FALSE], part$g[profiled])$kept]
  J_in <- J[!profiled, !profiled, drop = FALSE]
  g_in <- part$g[!profiled]
  if (!length(solvable)) return(list(J = J_in, g = g_in))
  solved <- .Call(C_spd_solve, J[solvable, solvable, drop = FALSE],
                  cbind(J[solvable, !profiled, drop = FALSE], part$g[solvable]))
  cross <- J[!profiled, solvable, drop = FALSE]
  k <- ncol(J_in)
  J_in <- J_in - cross %*% solved[, seq_len(k), drop = FALSE]
  list(J = (J_in + t(J_in)) / 2, g = g_in - drop(cross %*% solved[, k + 1]))
}

# The site's log-likelihood as a quadratic of coefficients w of standardised columns and, with `constant`, of a
# constant: the slopes are w y_scale/x_scale, the intercept is null + y_scale constant - sum(slopes shift). Without
# `constant` it is maximised over the constant.
estimates_site_quadratic <- function(site, columns, x_scale, shift, constant, null, y_scale = 1) {
  used <- c(columns, length(site$g))
  J <- site$J[used, used, drop = FALSE]
  g <- site$g[used]
  k <- length(columns)
  to <- diag(c(y_scale / x_scale[columns], y_scale), k + 1)
  to[k + 1, seq_len(k)] <- -shift[columns] * y_scale / x_scale[columns]
  g <- drop(crossprod(to, g - J[, k + 1] * null))
  J <- crossprod(to, J %*% to)
  part <- list(J = (J + t(J)) / 2, g = g)
  if (!constant) part <- estimates_profiled_out(part, seq_along(g) == k + 1)
  part
}

# g'J^-1 g, so that the quadratic is 0 at its maximum.
estimates_quadratic_peak <- function(J, g) sum(g * likelihood_least_squares(J, g)$coef)

# The sites with means and standard deviations, in the form of the sums from which scales are computed.
estimates_site_cells <- function(sites) {
  told <- Filter(function(site) !is.null(site$sd) && isTRUE(site$n > 1), sites)
  lapply(told, function(site) {
    mean <- ifelse(is.na(site$mean), 0, site$mean)
    sd <- ifelse(is.na(site$sd), 0, site$sd)
    list(n = site$n, weight = site$n, mean = c(mean, 0), cross = diag(c(sd^2 * (site$n - 1), 0)))
  })
}

# For likelihood_null_level(): a site with known events and exposure, as a part of one row.
estimates_site_rows <- function(sites) {
  told <- Filter(function(site) isTRUE(site$exposure > 0), sites)
  lapply(told, function(site) list(y = site$events / site$exposure, w = site$exposure, offset = 0))
}

# A domain in the coordinates theta: its rows, or the quadratic in its place (see family_domains_of()). The
# log-likelihood, and score and information.
estimates_domain_log_lik <- function(family, domain, theta) {
  if (is.null(domain$J)) return(likelihood_value(family, domain, likelihood_predictor(domain, theta)))
  sum(theta * (domain$g - drop(domain$J %*% theta) / 2)) - domain$peak / 2
}

estimates_domain_terms <- function(family, domain, theta) {
  if (is.null(domain$J)) {
    return(likelihood_terms_of_part(family, domain, likelihood_predictor(domain, theta)))
  }
  list(score = domain$g - drop(domain$J %*% theta), information = domain$J)
}

# The domain in its columns times `root`.
estimates_scaled_domain <- function(domain, root) {
  if (is.null(domain$J)) {
    domain$unit <- (domain$unit %||% 1) * root
  } else {
    domain$J <- domain$J * tcrossprod(root)
    domain$g <- domain$g * root
  }
  domain
}

# The columns on which the site has information.
estimates_site_varies <- function(site) utils::head(diag(site$J), -1) > 0

# The frame with a column, 0 in all its rows, for each such level, so that its coefficient in the estimates is kept. A
# first level that the estimates have and the target lacks comes first in the frame, too.
estimates_with_source_levels <- function(frame, call) {
  blueprint <- frame$blueprint
  if (is.null(frame$sources$models) || is.null(frame$raw) || !blueprint$kind %in% c("frame", "terms")) return(frame)
  # of factors that are coded against their first level
  coding <- estimates_coding_of_blueprint(blueprint)
  treated <- vapply(estimates_coding_matrices(coding), function(it) estimates_coding_is_treatment(it$coding), NA)
  levels <- coding$levels[intersect(names(which(treated)), names(estimates_coding_reference(coding)))]
  if (!length(levels)) return(frame)
  sites <- estimates_of_sources(frame, call)
  wider <- Map(estimates_widened_levels, names(levels), levels, list(sites), list(blueprint$columns))
  wider <- wider[lengths(wider) > lengths(levels)]
  if (!length(wider)) return(frame)
  for (name in names(wider)) blueprint <- estimates_widened_blueprint(blueprint, name, wider[[name]])
  x <- if (blueprint$kind == "terms") frame_bake_terms(blueprint, frame$raw, call) else frame_bake(blueprint, frame$raw,
                                                                                                   call)
  blueprint$assign <- attr(x, "assign")
  frame$x <- frame_formula_terms_without_coding(x)
  blueprint$columns <- colnames(frame$x)
  blueprint$p <- ncol(frame$x)
  frame$blueprint <- blueprint
  frame
}

# The levels of the factor `name` in the target and in estimates. A term of estimates is one of its levels if it starts
# with the factor's name, and with no longer name of another factor. columns: the target's columns.
estimates_widened_levels <- function(name, levels, sites, columns) {
  for (site in sites) {
    if (!name %in% names(site$reference)) next
    first <- setdiff(site$reference[[name]], levels)
    terms <- setdiff(site$terms, columns)
    terms <- terms[startsWith(terms, name) & nchar(terms) > nchar(name) & !grepl(":", terms, fixed = TRUE)]
    for (other in names(site$reference)) if (nchar(other) > nchar(name)) terms <- terms[!startsWith(terms, other)]
    levels <- c(first, levels, setdiff(substring(terms, nchar(name) + 1), levels))
  }
  levels
}

estimates_widened_blueprint <- function(blueprint, name, levels) {
  variable <- name
  if (blueprint$kind == "terms") {
    blueprint$xlevels[[name]] <- levels
    variable <- intersect(all.vars(str2lang(name)), names(blueprint$variables)) # of factor(x) it is x
  }
  for (v in variable[vapply(blueprint$variables[variable], `[[`, "", "kind") == "factor"]) {
    blueprint$variables[[v]]$levels <- levels
    blueprint$variables[[v]]$contrasts <- stats::contr.treatment(levels)
  }
  blueprint
}
