# moments(family = ): a likelihood to second order, to be sent in place of rows.

moments_family <- function(frame, given, call) {
  n <- seq_len(frame_rows_count(frame))
  rows <- if (is.null(frame$domain)) list(source1 = n) else split(n, table_used_levels(frame$domain))
  place <- if (is.list(given)) words_match_names(names(rows), names(given))
  if (is.list(given) && (anyNA(place) || length(given) != length(rows))) {
    abort_input("{.arg at} is a list with {.val {names(given)}}, and the domains are {.val {names(rows)}}.", "at",
                i = "Give coefficients for each domain, by name.", call = call)
  }
  if (is.list(given)) names(given)[place] <- names(rows)
  sites <- Map(function(name, i) {
    part <- frame_rows(frame, i)
    part$domain <- NULL
    moments_family_site(part, name, if (is.list(given)) given[[name]] else given, call)
  }, names(rows), rows)
  few <- names(rows)[lengths(rows) < DISCLOSING]
  if (length(few)) {
    cli::cli_warn(c(
      "Moments of fewer than {DISCLOSING} rows disclose much about single rows: domain{?s} {.val {few}}.",
      i = "Merge small domains, or do not send their moments."
    ), class = "transelect_warning_disclosure", call = call)
  }
  estimates_new(sites)
}

DISCLOSING <- 10

# The site of a frame: its log-likelihood expanded at the named coefficients `at`, or where it is largest.
moments_family_site <- function(frame, name, given, call) {
  part <- response_family_part(frame, name)
  if (response_family_is_degenerate(part, frame$family)) {
    response_family_abort_degenerate(frame$family, if (name == "source1") NO_DOMAIN else name, call)
  }
  sums <- moments_rows_domain_sums(frame_moments_feature_cells(frame, NO_DOMAIN, call), TRUE)
  at_columns <- seq_len(frame$blueprint$p)
  spread <- sums$spread[at_columns, 1]
  mean <- sums$mean[at_columns, 1]
  columns <- labels_of_columns(frame$blueprint$columns, at_columns)
  scale <- ifelse(spread > 0, spread, 1)
  intercept <- frame$intercept && frame$family != "cox"
  Z <- (as.matrix(part$x) - rep(mean, each = part$n)) / rep(scale, each = part$n)
  if (intercept) Z <- cbind(Z, 1)
  domain <- list(name = name, Z = unname(Z), add = part$offset)
  domain <- c(domain, part[setdiff(names(part), c("x", "name"))])
  # theta are the coefficients for standardised columns: slopes times scale, and the level at the means
  to <- diag(c(scale, if (intercept) 1), ncol(Z))
  if (intercept) to[ncol(Z), at_columns] <- mean
  theta <- if (is.null(given)) {
    moments_family_maximum(frame$family, domain, call)
  } else {
    drop(to %*% moments_family_given_coefficients(given, c(columns, if (intercept) "(Intercept)"), call))
  }
  terms <- estimates_domain_terms(frame$family, domain, theta)
  J <- crossprod(to, terms$information %*% to)
  g <- drop(crossprod(to, terms$score + drop(terms$information %*% theta)))
  order <- c(if (intercept) ncol(Z), at_columns)
  J <- ((J + t(J)) / 2)[order, order, drop = FALSE]
  exposure <- switch(frame$family, binomial = sum(part$w), poisson = sum(part$w * exp(part$offset)), NA_real_)
  events <- if (frame$family == "cox") part$risk$events else sum(part$w * part$y)
  site <- estimates_new_site(c(if (intercept) "(Intercept)", columns), J, g[order],
                             list(n = part$n, events = events, exposure = exposure, family = frame$family),
                             mean = c(if (intercept) NA, mean), sd = c(if (intercept) NA, spread),
                             about = paste("moments at", if (is.null(given)) "the maximum likelihood" else
                               "given coefficients"))
  estimates_coding_site_as_treatment(site, frame$blueprint, call)
}

moments_family_given_coefficients <- function(given, terms, call) {
  lacking <- setdiff(terms, names(given))
  if (!is.numeric(given) || length(lacking) || any(!is.finite(given[terms]))) {
    what <- if (length(lacking)) "{.arg at} has no coefficient of {.val {lacking}}." else
      "{.arg at} is {.obj_type_friendly {given}} with missing values."
    abort_input(what, "at", i = "Give a number for each of the terms, as {.fn coef} of the centre's fit.",
                call = call)
  }
  unname(given[terms])
}

# The coefficients of largest likelihood by Newton's method; 0 for columns that are linear combinations of others.
# theta: NULL, or coefficients to start at.
moments_family_maximum <- function(family, domain, call, theta = NULL) {
  given <- !is.null(theta)
  if (!given) theta <- numeric(ncol(domain$Z))
  if (!given && family != "cox" && ncol(domain$Z)) theta[ncol(domain$Z)] <- likelihood_null_level(family, list(domain))
  value <- estimates_domain_log_lik(family, domain, theta)
  for (step in seq_len(FAMILY_STEPS)) {
    terms <- estimates_domain_terms(family, domain, theta)
    move <- likelihood_least_squares(terms$information, terms$score)$coef
    if (!all(is.finite(move))) break
    share <- 1
    enough <- value - 1e-12 * abs(value)
    gain <- -value
    repeat {
      value <- estimates_domain_log_lik(family, domain, theta + share * move)
      if (is.finite(value) && value >= enough || share <= 1e-8) break
      share <- share / 2
    }
    theta <- theta + share * move
    reach <- newton_reach(list(domain), as.matrix(theta), as.matrix(share * move))
    if (reach < ROUNDING / 100) return(theta)
    if (newton_idle(2 * (gain + value), value, domain$w) && reach > MOVING) break
  }
  abort_input("The likelihood has no maximum{words_in_domain(domain$name)}: the response is separated by the columns.",
              "family", i = "Give {.arg at}, coefficients at which the likelihood is expanded, such as those of the
                             centre's fit, or zeros: no maximum is needed then.", call = call)
}

# TRUE if a likelihood is to be expanded, which `family` asks for. given: the arguments that need a family, and `fold`,
# which must not be given with one; an error where this is not so.
moments_family_check_arguments <- function(family, given, call) {
  family <- likelihood_check_family(family, call)
  yes <- likelihood_is_used(family)
  wrong <- names(given)[!vapply(given, is.null, NA) & (names(given) == "fold") == yes]
  if (length(wrong) && (yes || any(wrong != "fold"))) {
    what <- if (yes) "with a {.arg family}" else "without a {.arg family}"
    abort_input(paste0("{.arg {wrong[1]}} is given ", what, "."), wrong[1],
                i = if (yes) "Leave it out: folds are made where the rows are." else
                  "Leave it out: it is for {.code family = \"binomial\"}, {.val poisson} or {.val cox}.", call = call)
  }
  yes
}
