# The domains of a frame (or of moments) as second moments, each in its own z-scores: what tlcp() and
# dissimilarity() work on. A domain is a list of
#   name, n          the domain and its rows
#   x_mean, y_mean   means (0 without an intercept)
#   x_scale, y_scale what the columns and the response were divided by
#   G, g, yy         X'X, X'y, y'y of the scaled and centred rows
#   varies           columns that are not constant in the domain
#   known            TRUE: estimates without rows, of which G and g have the residual variance
#   level            is the last coordinate a column of ones? Means are then those of all rows
#   fit              its least squares, see tlcp_domain_least_squares()
# They are made of cells, see moments-cells.R.

# Scaling: "own" z-scores (columns of zeros and ones are only centred), "moderated" ones, "common" standard
# deviations (within domains), "y" (the response alone, by the target's spread) or "none". With `level` means
# are those of all rows, and a column of ones comes last, unless the means of the domains are so far apart that a
# common level says nothing about any domain. sums: from moments_rows_domain_sums().
tlcp_domain_moments <- function(sums, scaling, call, level = FALSE) {
  unit <- tlcp_domain_unit(sums, scaling, call, level)
  if (!is.null(sums$rows)) return(tlcp_rows_domains(sums, unit$scale, !is.null(unit$centre)))
  .Call(C_domain_moments, sums$cells, unit$scale, sums$spread == 0, unit$centre, sums$intercept)
}

# list(scale, centre): what columns and response are divided by (columns x domains), and with a level the means of all
# rows.
tlcp_domain_unit <- function(sums, scaling, call, level = FALSE) {
  tlcp_domain_refuse_constant_y(names(sums$rows %||% sums$cells), sums$n, sums$spread[nrow(sums$spread), ], call)
  scale <- tlcp_domain_scales(sums, scaling)
  list(scale = scale, centre = if (level && sums$intercept && !tlcp_domain_any_mean_far(sums, scale)) sums$centre)
}

# The least squares of a domain, with the degrees of freedom of its rows.
tlcp_domain_least_squares <- function(domain, intercept) {
  n <- domain$n - (intercept && !isTRUE(domain$level)) * max(domain$n_pooled, 1)
  .Call(C_least_squares, domain$G, domain$g, domain$yy, n, NULL)
}

tlcp_domain_names <- function(domains) vapply(domains, `[[`, "", "name")

FAR <- 10 # standard deviations between the mean of a domain and that of all rows

tlcp_domain_any_mean_far <- function(sums, scale = 1) {
  away <- ((sums$mean - sums$centre) / scale)^2
  variance <- sums$square * (sums$spread > 0) / rep(sums$n, each = nrow(sums$square)) / scale^2
  within <- drop(variance %*% sums$n) / sum(sums$n)
  any(away > FAR^2 * within & within > 1e-20 * (variance + away))
}

# What columns and response are divided by, columns x domains. The coefficient of a column that is constant in a domain
# is on the target's scale, or the other domains' where it is constant in the target. sums: of
# moments_rows_domain_sums().
tlcp_domain_scales <- function(sums, scaling) {
  scale <- if (scaling == "moderated") sums$moderated else sums$spread
  q <- nrow(scale)
  target <- scale[, 1]
  if (scaling == "none") return(0 * scale + 1)
  if (scaling == "y") {
    size <- sqrt(mean(target[-q]^2))
    scale[-q, ] <- if (size > 0) max(size, .Machine$double.xmin) else 1 # no column varies
    scale[q, ] <- target[q]
    return(scale)
  }
  if (scaling == "common") scale[] <- sums$within
  flat <- which(scale == 0)
  if (length(flat)) scale[flat] <- ifelse(target > 0, target, sums$within)[(flat - 1) %% q + 1]
  scale[c(sums$binary, FALSE) | scale == 0] <- 1
  scale
}

tlcp_domain_refuse_constant_y <- function(names, n, spread, call) {
  wrong <- n < 2 | spread == 0
  if (!any(wrong)) return(invisible())
  n <- n[wrong]
  where <- paste0(vapply(names[wrong], words_in_domain, ""), " (", n, ifelse(n == 1, " row)", " rows)"), collapse = ",")
  abort_input("{.arg y} is constant{where}.", "y",
              i = "Give a response that varies.", call = call)
}

# Domains with levels of their own: their rows are centred at their means.
tlcp_domain_own_levels <- function(domains, intercept) {
  if (!isTRUE(domains[[1]]$level)) return(domains)
  if (!is.null(domains[[1]]$X)) return(lapply(domains, tlcp_rows_without_level, intercept))
  Map(function(domain, part) {
    domain[names(part)] <- part
    domain$level <- FALSE
    domain
  }, domains, .Call(C_own_levels, domains, intercept))
}

tlcp_domain_columns <- function(domain, columns, intercept) {
  if (length(columns) == length(domain$varies)) return(domain)
  if (!is.null(domain$X)) return(tlcp_rows_columns(domain, columns, intercept))
  kept <- c(columns, if (domain$level) length(domain$g))
  domain$G <- domain$G[kept, kept, drop = FALSE]
  domain$g <- domain$g[kept]
  domain$varies <- domain$varies[columns]
  domain$fit <- tlcp_domain_least_squares(domain, intercept)
  domain
}

# The domains of estimates beside `domains`, which have rows, for numeric responses: in the units of the first of
# `domains`. Their residual variance is a part of J.
tlcp_domain_of_sites <- function(sites, domains, intercept) {
  target <- domains[[1]]
  lapply(unname(sites), function(site) {
    columns <- seq_along(target$x_scale)
    part <- estimates_site_quadratic(site, columns, x_scale = target$x_scale, shift = target$x_mean,
                                     constant = isTRUE(target$level), y_scale = target$y_scale, null = target$y_mean)
    last <- length(part$g)
    domain <- list(
      name = site$name, n = if (isTRUE(target$level)) part$J[last, last] else site$n, x_mean = target$x_mean,
      y_mean = target$y_mean, x_scale = target$x_scale, y_scale = target$y_scale, G = part$J, g = part$g,
      yy = estimates_quadratic_peak(part$J, part$g), varies = estimates_site_varies(site), level = target$level,
      known = TRUE
    )
    domain$fit <- tlcp_domain_least_squares(domain, intercept)
    domain
  })
}

# On the original scale: slopes of the columns, and the constant of each model. z: coefficients in
# the units of the domain, with or without a level in the last row.
tlcp_domain_raw_coefficients <- function(z, columns, domain) {
  slopes <- seq_along(columns)
  beta <- z[slopes, , drop = FALSE] * (domain$y_scale / domain$x_scale[columns])
  level <- if (nrow(z) > length(columns)) z[nrow(z), ] * domain$y_scale else 0
  list(beta = beta, a0 = domain$y_mean + level - colSums(beta * domain$x_mean[columns]))
}

# The inverse of tlcp_domain_raw_coefficients(), with a level.
tlcp_domain_scaled_coefficients <- function(raw, columns, domain) {
  rbind(raw$beta * (domain$x_scale[columns] / domain$y_scale),
        (raw$a0 - domain$y_mean + colSums(raw$beta * domain$x_mean[columns])) / domain$y_scale)
}

# The residual sum of squares of the target in z-scores at every step. Where z has a row for the level and the domain
# has no column of ones, the columns are centred and the level is added to their fitted values.
tlcp_domain_rss <- function(domain, z) {
  if (nrow(z) > length(domain$g)) {
    slopes <- seq_along(domain$g)
    return(tlcp_domain_rss(domain, z[slopes, , drop = FALSE]) + domain$n * z[nrow(z), ]^2)
  }
  if (!is.null(domain$X)) return(colSums((domain$y - tlcp_rows_design(domain) %*% z)^2))
  pmax.int(domain$yy - 2 * drop(crossprod(z, domain$g)) + colSums(z * (domain$G %*% z)), 0)
}
