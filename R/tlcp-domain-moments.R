# The domains of a frame (or of moments) as second moments, each in its own z-scores: what tlcp() and
# dissimilarity() work on. A domain is a list of
#   name, n          the domain and its rows
#   x_mean, y_mean   means (0 without an intercept)
#   x_scale, y_scale what the columns and the response were divided by
#   G, g, yy         X'X, X'y, y'y of the scaled and centred rows
#   varies           columns that are not constant in the domain
#   known            TRUE: estimates without rows, of which G and g have the residual variance
#   level            is the last coordinate a column of ones? Means are then those of all rows
#   fit              its least squares, see domain_fit()
# They are made of cells, see frame.R. At the end, their residual variances.

# Scaling: "own" z-scores (columns of zeros and ones are only centred), "moderated" ones, "common" standard
# deviations (within domains), "y" (the response alone, by the target's spread) or "none". With `level` means
# are those of all rows, and a column of ones comes last, unless the means of the domains are so far apart that a
# common level says nothing about any domain. sums: from domain_sums().
make_domains <- function(sums, scaling, call, level = FALSE) {
  refuse_constant_y(names(sums$cells), sums$n, sums$spread[nrow(sums$spread), ], call)
  scale <- domain_scales(sums, scaling)
  level <- level && sums$intercept && !any_mean_far(sums, scale)
  .Call(C_domain_moments, sums$cells, scale, sums$spread == 0, if (level) sums$centre, sums$intercept)
}

# The least squares of a domain, its degrees of freedom those of its rows.
domain_fit <- function(domain, intercept) {
  n <- domain$n - (intercept && !isTRUE(domain$level)) * max(domain$n_pooled, 1)
  .Call(C_least_squares, domain$G, domain$g, domain$yy, n, NULL)
}

domain_names <- function(domains) vapply(domains, `[[`, "", "name")

FAR <- 10 # standard deviations between the mean of a domain and that of all rows

any_mean_far <- function(sums, scale = 1) {
  away <- ((sums$mean - sums$centre) / scale)^2
  own <- sums$square * (sums$spread > 0) / rep(sums$n, each = nrow(sums$square)) / scale^2
  within <- drop(own %*% sums$n) / sum(sums$n)
  any(away > FAR^2 * within & within > 1e-20 * (own + away))
}

# What columns and response are divided by, columns x domains. The coefficient of a column that is constant in a domain
# is on the target's scale, or the other domains' where it is constant in the target. sums: of domain_sums().
domain_scales <- function(sums, scaling) {
  scale <- if (scaling == "moderated") moderated_spread(sums) else sums$spread
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

# Standard deviations of the domains, shrunk towards each other as far as they differ by chance. Two domains are too
# few to estimate how far.
moderated_spread <- function(sums) {
  square <- sums$spread^2
  vary <- sums$spread > 0
  rows <- which(rowSums(vary) > 2 & !c(sums$binary, FALSE))
  where <- do.call(paste, lapply(seq_len(ncol(vary)), function(t) vary[rows, t]))
  for (these in split(rows, where)) {
    at <- which(vary[these[1], ])
    own <- square[these, at, drop = FALSE]
    square[these, at] <- shrunk_variances(own, sums$df[at])$s2
  }
  sqrt(square)
}

refuse_constant_y <- function(names, n, spread, call) {
  wrong <- n < 2 | spread == 0
  if (!any(wrong)) return(invisible())
  n <- n[wrong]
  where <- paste0(vapply(names[wrong], in_domain, ""), " (", n, ifelse(n == 1, " row)", " rows)"), collapse = ",")
  abort_input("{.arg y} is constant{where}.", "y",
              i = "Give a response that varies.", call = call)
}

# A domain with its own level: its rows are centred at their means.
without_level <- function(domain, intercept) {
  if (!isTRUE(domain$level)) return(domain)
  at <- seq_len(length(domain$g) - 1)
  row <- domain$G[-at, at]
  each <- if (domain$n > 0) 1 / domain$n else 0 # estimates without information on the level
  domain$yy <- domain$yy - domain$g[-at]^2 * each
  domain$g <- domain$g[at] - row * (domain$g[-at] * each)
  domain$G <- domain$G[at, at, drop = FALSE] - tcrossprod(row) * each
  flat <- which(!domain$varies)
  domain$G[flat, ] <- domain$G[, flat] <- 0
  domain$g[flat] <- 0
  domain$level <- FALSE
  domain$fit <- domain_fit(domain, intercept)
  domain
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

# Domains of numeric responses beside those that have rows: in the units of the first of them, with
# their own variance inside J.
sites_as_domains <- function(sites, domains, intercept) {
  own <- domains[[1]]
  lapply(unname(sites), function(site) {
    columns <- seq_along(own$x_scale)
    part <- site_quadratic(site, columns, x_scale = own$x_scale, shift = own$x_mean,
                           constant = isTRUE(own$level), y_scale = own$y_scale, null = own$y_mean)
    at <- length(part$g)
    domain <- list(
      name = site$name, n = if (isTRUE(own$level)) part$J[at, at] else site$n, x_mean = own$x_mean,
      y_mean = own$y_mean, x_scale = own$x_scale, y_scale = own$y_scale, G = part$J, g = part$g,
      yy = quadratic_peak(part$J, part$g), varies = site_varies(site), level = own$level,
      known = TRUE
    )
    domain$fit <- domain_fit(domain, intercept)
    domain
  })
}

# On the original scale: slopes of the columns, and the constant of each model. z: coefficients in
# the units of the domain, with or without a level in the last row.
raw_coefficients <- function(z, columns, domain) {
  slopes <- seq_along(columns)
  beta <- z[slopes, , drop = FALSE] * (domain$y_scale / domain$x_scale[columns])
  level <- if (nrow(z) > length(columns)) z[nrow(z), ] * domain$y_scale else 0
  list(beta = beta, a0 = domain$y_mean + level - colSums(beta * domain$x_mean[columns]))
}

# The inverse of raw_coefficients(), with a level.
scaled_coefficients <- function(raw, columns, domain) {
  rbind(raw$beta * (domain$x_scale[columns] / domain$y_scale),
        (raw$a0 - domain$y_mean + colSums(raw$beta * domain$x_mean[columns])) / domain$y_scale)
}

# The residual sum of squares of the target in z-scores at every step. Where z has a row for the level and the domain
# has no column of ones, the columns are centred and the level is added to their fitted values.
own_rss <- function(domain, z) {
  if (nrow(z) > length(domain$g)) {
    slopes <- seq_along(domain$g)
    return(own_rss(domain, z[slopes, , drop = FALSE]) + domain$n * z[nrow(z), ]^2)
  }
  pmax.int(domain$yy - 2 * drop(crossprod(z, domain$g)) + colSums(z * (domain$G %*% z)), 0)
}

# ---- units of the coefficients --------------------------------------------------------------------

# Coefficients may be alike in each domain's own z-scores (domains measure in other units, by other instruments) or in
# common units (populations differ, and a feature varies less in one of them), or the target's effects may be
# unrelated to those of the others. The hierarchical model is fitted in both units and with the target alone, and
# the three are weighted by their evidence.

UNITS <- c("evidence", "common", "own")
RARE <- .01 # alternatives of smaller probability are not fitted
PRIOR_OWN <- stats::plogis(-.5)
PRIOR_ALONE <- .05 # prior probability that the target's slopes are unrelated to the other domains'

# For each column that is not of zeros and ones, the response last: `differ`, the probability (by AIC) that its
# standard deviation differs from domain to domain, and `ratio`, the target's to the others'. `any`: the probability
# that some column has different standard deviations. sums: of domain_sums().
spread_evidence <- function(sums) {
  df <- sums$df
  square <- sums$spread^2
  binary <- c(sums$binary, FALSE)
  within <- drop(square %*% df) / sum(df)
  # Bartlett's statistic is twice the log likelihood ratio; AIC adds 2 for each further variance
  evidence <- (-drop(log(pmax(square / within, 1e-12)) %*% df) - 2 * (length(df) - 1)) / 2
  differ <- ifelse(within > 0 & !binary & length(df) > 1, stats::plogis(evidence), 0)
  others <- drop(square[, -1, drop = FALSE] %*% df[-1]) / max(sum(df[-1]), 1)
  ratio <- sqrt(square[, 1] / others)
  ratio[binary] <- 1
  list(differ = differ, ratio = ratio, any = 1 - prod(1 - differ))
}

# The units to fit in, those with the larger prior probability last.
units_in_question <- function(units, spreads) {
  if (units != "evidence") units else if (spreads$any < RARE) "common" else c("own", "common")
}

# lr: log likelihood ratios of sharing, by units; any: see spread_evidence(). With `alone` the target
# by itself has a weight, too.
units_weights <- function(lr, any, alone = FALSE) {
  prior <- units_prior(any)[names(lr)]
  if (alone) {
    prior <- c((1 - PRIOR_ALONE) * prior / sum(prior), alone = PRIOR_ALONE)
    lr <- c(lr, alone = 0)
  }
  average_weights(lr, log(prior), RARE)
}

# Is it the hierarchical model of the features themselves? The other rules do not average over units.
is_hierarchical <- function(settings) identical(settings$borrow, "hierarchical") && settings$method == "exact"

# What columns and response of other rules are scaled by, see domain_scales(). Numbers given as `borrow` refer to the
# response as it is, unless columns are in z-scores. The rules give the same fit in any unit of the response, but search
# variances between bounds, so the response is scaled.
settings_scaling <- function(settings) {
  if (settings$standardize) settings$units else if (is.list(settings$borrow)) "none" else "y"
}

# whole: is_hierarchical() of the settings.
check_borrow_units <- function(units, whole, standardize, call) {
  units <- check_choice(units %||% if (whole) "evidence" else "own", UNITS, "units", call)
  if (whole && !standardize) {
    if (units == "own") {
      abort_input("{.arg units} is {.val own} with {.code standardize = FALSE}.", "units",
                  i = "Leave {.arg units} out: columns that are not standardised have one unit in all domains.",
                  call = call)
    }
    return("common")
  }
  if (!whole && units == "evidence") {
    abort_input("{.arg units} is {.val evidence}, which only {.code borrow = \"hierarchical\"} with
                 {.code method = \"exact\"} can weigh.", "units",
                i = "Give {.val own} or {.val common}.", call = call)
  }
  units
}

# The units of the model named so.
units_of <- function(name, units) {
  if (name != "alone") name else if ("own" %in% units) "own" else units[1]
}

# The alternatives to be fitted, each as the components of `borrowing` that describe it: one for a search, else all
# with a weight. The search is made in the target alone if that has more than half of the weight, else in the likelier
# units. lr: log likelihood ratios of sharing, by units; spreads: of spread_evidence().
weighed_alternatives <- function(lr, spreads, settings) {
  weights <- units_weights(lr, spreads$any, settings$guard)
  weights <- sort(weights[weights > 0], decreasing = TRUE)
  first <- setdiff(names(weights), if (isTRUE(weights["alone"] <= .5)) "alone")[1]
  weights <- c(weights[first], weights[names(weights) != first])
  tell_uncertain_units(weights, spreads, settings)
  ratio <- stats::setNames(utils::head(spreads$ratio, -1), all_labels(settings))
  lapply(if (settings$select) first else names(weights), function(name) {
    list(lr = joint_ratio(lr, spreads$any), alone = name == "alone", units = units_of(name, names(lr)),
         units_weights = weights, units_lr = lr, spread_ratio = ratio)
  })
}

units_prior <- function(any) {
  own <- PRIOR_OWN * any
  c(own = own, common = 1 - PRIOR_OWN) / (own + 1 - PRIOR_OWN)
}

# The likelihood ratio of sharing, averaged over the units.
joint_ratio <- function(lr, any) {
  if (length(lr) == 1) return(lr[[1]])
  log_sum_exp(rbind(lr + log(units_prior(any)[names(lr)])))
}

# The scaling for effects that are alike in these units. In each domain's own units standard deviations are moderated,
# as those of small domains are rough.
units_scaling <- function(units) if (units == "own") "moderated" else units

# Domains of the hierarchical model, with a level that is borrowed unless the means of the domains are too far apart
# for a common level. Without standardising, columns are as they are.
units_domains <- function(sums, units, standardize, call) {
  make_domains(sums, if (standardize) units_scaling(units) else "y", call, level = TRUE)
}

# units_domains() of the columns that vary in some domain, and these columns.
units_columns <- function(sums, units, how, call) {
  domains <- units_domains(sums, units, how$standardize, call)
  columns <- which(rowSums(sums$spread[-nrow(sums$spread), , drop = FALSE] > 0) > 0)
  list(domains = lapply(domains, domain_columns, columns, how$intercept), columns = columns)
}

# ---- what is told of it --------------------------------------------------------------------------

EXTREME <- 10

tell_extreme <- function(spreads, settings) {
  ratio <- spreads$ratio[-length(spreads$ratio)]
  far <- which(is.finite(ratio) & ratio > 0 & abs(log(ratio)) > log(EXTREME))
  if (!length(far)) return(invisible())
  labels <- column_labels(settings$columns, far)
  times <- signif(pmax(ratio, 1 / ratio)[far], 2)
  less <- ifelse(ratio[far] < 1, "less", "more")
  told <- paste0(labels, " (", times, " times ", less, ")")
  tell(paste0("Standard deviations in the target are far from those in the other domains: ",
              paste(told, collapse = ", "), "."),
       "Look for outliers or another unit of measurement. `units` sets the units in which coefficients are alike.")
}

tell_uncertain_units <- function(weights, spreads, settings) {
  weights <- weights[names(weights) != "alone"]
  weights <- sort(weights_of_sum_one(weights), decreasing = TRUE)
  ratio <- spreads$ratio[-length(spreads$ratio)]
  apart <- which(abs(log(ratio)) > log(1.5) & spreads$differ[seq_along(ratio)] > .5)
  if (length(weights) < 2 || min(weights) < .1 || !length(apart)) return(invisible())
  labels <- utils::head(column_labels(settings$columns, apart), 5)
  tell(
    paste0("The target's standard deviation of ", in_quotes(labels), " differs from that of the other domains, and ",
           "the data do not decide between own and common units (weights ", format_weights(weights), ")."),
    if (settings$select) {
      paste0("The search is in ", names(weights)[1], " units; `select = FALSE` averages over both, and ",
             "`units` chooses.")
    } else {
      "Both fits are averaged; `units` chooses."
    }
  )
}

format_weights <- function(weights) {
  paste(paste(names(weights), format(round(weights, 2), nsmall = 2)), collapse = ", ")
}

# ---- residual variances --------------------------------------------------------------------------------

LEAST_DF <- 5 # with fewer degrees of freedom a domain takes a variance from all domains

# A variance for each domain, in its own units (1 where the domain is in units of it already): the one given, or
# RSS/(n - rank - 1). With `moderate` these are shrunk towards each other; without, a domain with fewer than
# LEAST_DF degrees of freedom takes the mean of all variances, weighted by their degrees of freedom. Where
# no domain has any, the marginal likelihood of its ridge estimates it. `from` names the way, `df` the degrees
# of freedom of each.
residual_variances <- function(domains, sigma2, call, moderate = FALSE) {
  n_domains <- length(domains)
  s2 <- df <- least <- numeric(n_domains)
  known <- logical(n_domains)
  for (t in seq_len(n_domains)) {
    domain <- domains[[t]]
    known[t] <- isTRUE(domain$known)
    df[t] <- max(domain$fit$df, 0)
    s2[t] <- domain$fit$rss / max(domain$fit$df, 1)
    least[t] <- 1e-10 * domain$yy / domain$n
  }
  if (any(known)) {
    rest <- residual_variances(domains[!known], sigma2, call, moderate)
    out <- list(s2 = rep(1, n_domains), from = rep("known", n_domains), df = rep(Inf, n_domains))
    for (part in names(out)) out[[part]][!known] <- rest[[part]]
    return(out)
  }
  moderate <- moderate && n_domains > 1
  enough <- df >= if (n_domains > 1 && !moderate) LEAST_DF else 1
  from <- rep("all domains", n_domains)
  from[enough] <- if (moderate) "own residuals, moderated" else "own residuals"
  freedom <- df
  freedom[!enough] <- sum(df)
  within <- sum(s2 * df) / sum(df)
  if (all(df == 0)) {
    s2 <- vapply(domains, ridge_from_gram, 0)
    from[] <- "marginal likelihood"
  } else if (!moderate) {
    s2[!enough] <- within
  } else if (sum(df > 0) < 2 || within == 0) { # nothing tells how far variances are apart
    s2[] <- within
    freedom[] <- sum(df)
  } else {
    shrunk <- shrunk_variances(rbind(s2, deparse.level = 0), df)
    s2 <- drop(shrunk$s2)
    freedom <- pmin(shrunk$d0 + df, sum(df))
  }
  if (!is.null(sigma2)) {
    sigma2 <- in_order_of(sigma2, domain_names(domains), "sigma2", call)
    given <- check_sigma2(sigma2, n_domains, call)
    scale <- vapply(domains, `[[`, 0, "y_scale")
    at <- seq_along(given)
    s2[at] <- given / scale[at]^2
    from[at] <- "given"
    freedom[at] <- Inf
  }
  list(s2 = unname(pmax.int(s2, least)), from = from, df = freedom)
}

check_sigma2 <- function(sigma2, n_domains, call) {
  mend <- paste0("Give the target's residual variance, a positive number",
                 if (n_domains > 1) ", or those of all {n_domains} domains, target first", ".")
  check_numbers(sigma2, "sigma2", function(v) v > 0, mend, call, n = c(1, n_domains))
}

SINGULAR <- 1e-10 # a column's squared distance from those before it, relative to its square

ridge_from_gram <- function(domain) {
  e <- eigen(domain$G, symmetric = TRUE)
  r <- which(e$values > SINGULAR * max(e$values[1], 0))
  u2 <- drop(crossprod(e$vectors[, r, drop = FALSE], domain$g))^2 / e$values[r]
  ridge_variance(e$values[r], u2, domain$yy, domain$fit$df + length(domain$fit$kept))
}

# The model of each row of s2 is s2_t ~ s0^2 F(df_t, d0), as in src/tgreedy/moderate.h, with degrees of freedom that
# differ. d0 is estimated from the variance of log s2_t in excess of what chance gives, s0^2 from their mean. Without an
# excess d0 is infinite and s0^2 the mean weighted by degrees of freedom. A variance counts as at least 1e-10 of that
# mean and 1e-5 of the median of its row. Returns (d0 s0^2 + df_t s_t^2)/(d0 + df_t) and d0.
shrunk_variances <- function(s2, df) {
  within <- drop(s2 %*% df) / sum(df)
  known <- pmax(s2[, df > 0, drop = FALSE], 1e-10 * within)
  if (min(known) < 1e-5 * max(known)) known <- pmax(known, 1e-5 * apply(known, 1, stats::median))
  half <- df[df > 0] / 2
  e <- log(known) + rep(log(half) - digamma(half), each = nrow(s2))
  centre <- rowMeans(e)
  left <- rowSums((e - centre)^2) / (length(half) - 1) - mean(trigamma(half))
  d0 <- 2 * trigamma_inverse(pmax.int(left, 1e-6))
  prior <- exp(centre + digamma(d0 / 2) - log(d0 / 2))
  out <- (d0 * prior + s2 * rep(df, each = nrow(s2))) / outer(d0, df, `+`)
  chance <- left <= 1e-6
  out[chance, ] <- within[chance]
  list(s2 = out, d0 = ifelse(chance, Inf, d0))
}

# y > 0 with trigamma(y) = x, by Newton's method on 1/trigamma (src/tgreedy/moderate.c).
trigamma_inverse <- function(x) {
  near <- pmin.int(x, 1e7)
  y <- .5 + 1 / near
  for (k in 1:50) {
    value <- trigamma(y)
    step <- value * (1 - value / near) / psigamma(y, 2)
    y <- y + step
    if (all(abs(step) < 1e-10 * y)) break
  }
  ifelse(x > 1e7, 1 / sqrt(x), y)
}

# The residual variance where no degrees of freedom are left: y ~ N(0, s2 I + omega2 XX') in m dimensions. The
# likelihood of the share of noise in the variance is often flat, or largest at no noise at all, so s2 is averaged
# over this share with a uniform prior. d: eigenvalues of XX'; u2: squares of y in their basis. The rest of y'y lies
# in the directions orthogonal to the columns of X.
ridge_variance <- function(d, u2, yy, m) {
  share <- (seq_len(99) - .5) / 99
  rest <- max(yy - sum(u2), 0)
  at <- vapply(share, function(noise) {
    v <- noise + (1 - noise) * d * m / sum(d)
    total <- (rest / noise + sum(u2 / v)) / m
    outside <- (m - length(d)) * log(noise)
    c(s2 = noise * total, log_lik = -(m * log(total) + sum(log(v)) + outside) / 2)
  }, c(s2 = 0, log_lik = 0))
  sum(average_weights(at["log_lik", ]) * at["s2", ])
}
