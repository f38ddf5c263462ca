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
# They are made of cells, see frame.R. At the end, their residual variances (which tlcp-variances.R shrinks).

# Scaling: "own" z-scores (columns of zeros and ones are only centred), "moderated" ones, "common" standard
# deviations (pooled within domains), "y" (the response alone, by the target's spread) or "none". With `level`
# means are those of all rows, and a column of ones comes last, unless means are so far apart that it would be of
# no domain. sums: from domain_sums().
make_domains <- function(sums, scaling, call, level = FALSE) {
  refuse_constant_y(names(sums$cells), sums$n, sums$spread[nrow(sums$spread), ], call)
  scale <- domain_scales(sums, scaling)
  domain_moments(sums, scale, level && sums$intercept && !any_mean_far(sums, scale))
}

FAR <- 10 # standard deviations between the mean of a domain and that of all rows

any_mean_far <- function(sums, scale = 1) {
  away <- ((sums$mean - sums$centre) / scale)^2
  own <- sums$square * (sums$spread > 0) / rep(sums$n, each = nrow(sums$square)) / scale^2
  within <- drop(own %*% sums$n) / sum(sums$n)
  any(away > FAR^2 * within & within > 1e-20 * (own + away))
}

domain_moments <- function(sums, scale, level) {
  .Call(C_domain_moments, sums$cells, scale, sums$spread == 0, if (level) sums$centre,
        sums$intercept)
}

domain_scales <- function(sums, scaling) {
  spread <- if (scaling == "moderated") moderated_spread(sums) else sums$spread
  scaling <- if (scaling == "moderated") "own" else scaling
  target <- spread[, 1]
  vapply(seq_along(sums$n), function(t) {
    domain_scale(spread[, t], target, sums$pooled, sums$binary, scaling)
  }, target)
}

# Standard deviations of the domains, shrunk towards each other as far as they differ by chance. Two domains do
# not tell how far that is.
moderated_spread <- function(sums) {
  square <- sums$spread^2
  vary <- sums$spread > 0
  rows <- which(rowSums(vary) > 2 & !c(sums$binary, FALSE))
  where <- do.call(paste, lapply(seq_len(ncol(vary)), function(t) vary[rows, t]))
  for (these in split(rows, where)) {
    at <- which(vary[these[1], ])
    own <- square[these, at, drop = FALSE]
    square[these, at] <- shrunk_variances(variance_prior(own, sums$df[at]), own, sums$df[at])
  }
  sqrt(square)
}

# What columns and response are divided by. The coefficient of a column that is constant in a domain
# is on the target's scale, or the other domains' where it is constant in the target.
domain_scale <- function(spread, target, pooled, binary, scaling) {
  q <- length(spread)
  x <- seq_len(q - 1)
  own <- ifelse(spread > 0, spread, ifelse(target > 0, target, pooled))[x]
  own[binary | own == 0] <- 1
  pooled[x][binary | pooled[x] == 0] <- 1
  switch(scaling,
    own = c(own, spread[q]),
    common = pooled,
    y = c(rep(max(sqrt(mean(target[x]^2)), .Machine$double.xmin), q - 1), target[q]),
    none = rep(1, q)
  )
}

refuse_constant_y <- function(names, n, spread, call) {
  wrong <- n < 2 | spread == 0
  if (!any(wrong)) return(invisible())
  n <- n[wrong]
  where <- paste0(vapply(names[wrong], in_domain, ""), " (", n, ifelse(n == 1, " row)", " rows)"), collapse = ",")
  abort_input("{.arg y} is constant{where}.", "y",
              i = "Give a response that varies.", call = call)
}

# A domain whose level is of its own: rows about their means.
without_level <- function(domain, intercept) {
  if (!isTRUE(domain$level)) return(domain)
  at <- seq_len(length(domain$g) - 1)
  row <- domain$G[-at, at]
  each <- if (domain$n > 0) 1 / domain$n else 0 # estimates that say nothing of the level
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

# ---- units of the coefficients --------------------------------------------------------------------

# Coefficients may be alike in each domain's own z-scores (domains measure in other units, by other instruments) or in
# common units (populations differ, and a feature varies less in one of them), or the target's effects may be
# unrelated to those of the others. The hierarchical model is fitted in both units and with the target alone, and
# the three are weighted by their evidence.

UNITS <- c("evidence", "common", "own")
RARE <- .01 # a probability that is not worth a fit
PRIOR_OWN <- stats::plogis(-.5)
PRIOR_ALONE <- .05 # that the target's slopes have nothing in common with the other domains'

# For each column that is not of zeros and ones, the response last: `differ`, the probability (by AIC) that its
# standard deviation differs from domain to domain, and `ratio`, the target's to the others'. `any`: the probability
# that some column's differs. sums: of domain_sums().
spread_evidence <- function(sums) {
  df <- sums$df
  square <- sums$spread^2
  binary <- c(sums$binary, FALSE)
  pooled <- drop(square %*% df) / sum(df)
  # Bartlett's statistic is 2 log of the likelihood ratio; a variance more costs 2
  evidence <- (-drop(log(pmax(square / pooled, 1e-12)) %*% df) - 2 * (length(df) - 1)) / 2
  differ <- ifelse(pooled > 0 & !binary & length(df) > 1, stats::plogis(evidence), 0)
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

# The weights above zero, the largest first, but before them the alternative in which a search is made: the target
# alone if that has more than half of the weight, else the likelier units.
ordered_weights <- function(weights) {
  weights <- sort(weights[weights > 0], decreasing = TRUE)
  if ("alone" %in% names(weights) && weights[["alone"]] <= .5) {
    first <- setdiff(names(weights), "alone")[1]
    weights <- c(weights[first], weights[names(weights) != first])
  }
  weights
}

# The units of the model named so.
units_of <- function(name, units) {
  if (name != "alone") name else if ("own" %in% units) "own" else units[1]
}

# The alternatives to be fitted, each as `borrowing` tells of it: for a search the one that it is made in, else all that
# count. lr: log likelihood ratios of sharing, by units; spreads: of spread_evidence().
weighed_alternatives <- function(lr, spreads, settings) {
  weights <- ordered_weights(units_weights(lr, spreads$any, settings$guard))
  tell_open(weights, spreads, settings)
  ratio <- stats::setNames(utils::head(spreads$ratio, -1), all_labels(settings))
  fitted <- if (settings$select) names(weights)[1] else names(weights)
  lapply(fitted, function(name) {
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

# Domains of the hierarchical model, with a level that is borrowed unless means are so far apart that it
# would be of no domain. Without standardising, columns are as they are.
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

tell_open <- function(weights, spreads, settings) {
  weights <- weights[names(weights) != "alone"]
  weights <- sort(weights / sum(weights), decreasing = TRUE)
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

LEAST_DF <- 5 # of residuals that a domain's own variance is trusted with, where there are others

# A variance for each domain, in its own units (1 where the domain is in units of it already): the one given, or
# RSS/(n - rank - 1). With `moderate` these are shrunk towards each other; without, a domain with fewer than
# LEAST_DF degrees of freedom takes the mean of all variances, weighted by their degrees of freedom. Where
# no domain has any, the marginal likelihood of its ridge estimates it. `from` names the way, `df` the degrees
# of freedom of each.
residual_variances <- function(domains, sigma2, call, moderate = FALSE) {
  known <- vapply(domains, function(t) isTRUE(t$known), NA)
  if (any(known)) {
    rest <- residual_variances(domains[!known], sigma2, call, moderate)
    out <- list(s2 = rep(1, length(domains)), from = rep("known", length(domains)), df = rep(Inf, length(domains)))
    for (part in names(out)) out[[part]][!known] <- rest[[part]]
    return(out)
  }
  df <- pmax.int(vapply(domains, function(t) t$fit$df, 0), 0)
  s2 <- vapply(domains, function(t) t$fit$rss / max(t$fit$df, 1), 0)
  least <- 1e-10 * vapply(domains, function(t) t$yy / t$n, 0)
  moderate <- moderate && length(domains) > 1
  enough <- df >= if (length(domains) > 1 && !moderate) LEAST_DF else 1
  freedom <- ifelse(enough, df, sum(df))
  from <- ifelse(enough, if (moderate) "own residuals, moderated" else "own residuals",
                 "all domains")
  if (all(df == 0)) {
    s2 <- vapply(domains, ridge_from_gram, 0)
    from[] <- "marginal likelihood"
  } else if (moderate) {
    moderated <- moderated_variances(s2, df)
    s2 <- moderated$s2
    freedom <- moderated$df
  } else {
    s2[!enough] <- sum(s2 * df) / sum(df)
  }
  if (!is.null(sigma2)) {
    sigma2 <- in_order_of(sigma2, domain_names(domains), "sigma2", call)
    given <- check_sigma2(sigma2, length(domains), call)
    scale <- vapply(domains, `[[`, 0, "y_scale")
    at <- seq_along(given)
    s2[at] <- given / scale[at]^2
    from[at] <- "given"
    freedom[at] <- Inf
  }
  list(s2 = unname(pmax.int(s2, least)), from = unname(from), df = unname(freedom))
}

check_sigma2 <- function(sigma2, n_domains, call) {
  good <- is.numeric(sigma2) && length(sigma2) %in% c(1, n_domains) && all(is.finite(sigma2)) &&
    all(sigma2 > 0)
  if (!good) {
    abort_input("{.arg sigma2} is {.val {sigma2}}.", "sigma2",
                i = paste0("Give the target's residual variance, a positive number",
                           if (n_domains > 1) ", or those of all {n_domains} domains, target first",
                           "."), call = call)
  }
  sigma2
}

ridge_from_gram <- function(domain) {
  e <- eigen(domain$G, symmetric = TRUE)
  r <- which(e$values > SINGULAR * max(e$values[1], 0))
  u2 <- drop(crossprod(e$vectors[, r, drop = FALSE], domain$g))^2 / e$values[r]
  ridge_variance(e$values[r], u2, domain$yy, domain$fit$df + length(domain$fit$kept))
}
