# In whose units is borrowed, and is it at all? Effects may be alike in each domain's own z-scores
# (domains differ in units, instruments) or in common ones (domains differ in who is in them), or the
# target's may have nothing to do with those of the others. The hierarchical model is fitted in both
# units and with the target alone, and the evidence weighs them.

UNITS <- c("evidence", "common", "own")
RARE <- .01 # a probability that is not worth a fit
PRIOR_OWN <- stats::plogis(-.5)
PRIOR_ALONE <- .05 # that the target's slopes have nothing in common with the sources'

# By column that is not of zeros and ones, the response last: `differ`, the probability (by AIC) that
# its standard deviation differs from domain to domain, and `ratio`, the target's to the others'.
# `any`: the probability that some column's differs. sums: of domain_sums().
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

# The units to fit in, the likelier beforehand last.
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

# The weights above zero, largest first, but what a search is made in comes first of all: the target
# alone if that has more than half, else the likelier units.
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

units_prior <- function(any) {
  own <- PRIOR_OWN * any
  c(own = own, common = 1 - PRIOR_OWN) / (own + 1 - PRIOR_OWN)
}

# The likelihood ratio of sharing in whatever units.
joint_ratio <- function(lr, any) {
  if (length(lr) == 1) return(lr[[1]])
  terms <- lr + log(units_prior(any)[names(lr)])
  max(terms) + log(sum(exp(terms - max(terms))))
}

# Standard deviations of small domains are rough: those that effects are borrowed in know of each other.
units_scaling <- function(units) if (units == "own") "moderated" else units

# Domains of the hierarchical model, with a level that is borrowed unless means are so far apart that it
# would be of no domain. Without standardising, columns are as they are.
units_domains <- function(sums, units, standardize, call) {
  make_domains(sums, if (standardize) units_scaling(units) else "y", call, level = TRUE)
}

# The same of the columns that vary in some domain, and these columns.
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
       paste("Look for rows with large values or for another unit of measurement. `units` says in whose",
             "units effects are taken to be alike."))
}

tell_open <- function(weights, spreads, settings) {
  weights <- weights[names(weights) != "alone"]
  weights <- sort(weights / sum(weights), decreasing = TRUE)
  ratio <- spreads$ratio[-length(spreads$ratio)]
  apart <- which(abs(log(ratio)) > log(1.5) & spreads$differ[seq_along(ratio)] > .5)
  if (length(weights) < 2 || min(weights) < .1 || !length(apart)) return(invisible())
  labels <- utils::head(column_labels(settings$columns, apart), 5)
  tell(
    paste0("The target's standard deviation of ", in_quotes(labels), " differs from the others'. Whether ",
           "effects are alike in each domain's own units or in common ones is open (weights ",
           format_weights(weights), ")."),
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

# ---- averages ------------------------------------------------------------------------------------

# The first path with the coefficients of all, weighted. Every path has all features of the same
# columns.
average_paths <- function(paths, weights, settings) {
  base <- paths[[1]]
  names <- stats::setNames(nm = names(base$z))
  base$z <- lapply(names, function(name) {
    domain <- domain_named(base$all_domains, name)
    z <- lapply(paths, function(path) {
      raw <- raw_coefficients(path$z[[name]], path$columns, domain_named(path$all_domains, name))
      scaled_coefficients(raw, path$columns, domain)
    })
    Reduce(`+`, Map(`*`, z, weights))
  })
  base$own <- own_rss(base$own_domain, base$z[[1]])
  base$trace <- Reduce(`+`, Map(function(path, weight) {
    weight * (path$trace + path$intercept_df)
  }, paths, weights)) - base$intercept_df
  base$objective <- objective_at(base)
  base$averaged <- lapply(paths, path_posterior)
  base
}

domain_named <- function(domains, name) domains[[match(name, vapply(domains, `[[`, "", "name"))]]

# On the original scale: slopes of the columns, and the constant of each model. z: coefficients in
# the units of the domain, with or without a level in the last row.
raw_coefficients <- function(z, columns, domain) {
  slopes <- seq_along(columns)
  beta <- z[slopes, , drop = FALSE] * (domain$y_scale / domain$x_scale[columns])
  level <- if (nrow(z) > length(columns)) z[nrow(z), ] * domain$y_scale else 0
  list(beta = beta, a0 = domain$y_mean + level - colSums(beta * domain$x_mean[columns]))
}

# The way back, with a level.
scaled_coefficients <- function(raw, columns, domain) {
  rbind(raw$beta * (domain$x_scale[columns] / domain$y_scale),
        (raw$a0 - domain$y_mean + colSums(raw$beta * domain$x_mean[columns])) / domain$y_scale)
}

# J without the penalty, of the coefficients in path$z.
objective_at <- function(path) {
  form <- path$form$full %||% path$form
  root <- sqrt(path$strength$scales)
  slopes <- seq_along(path$columns)
  searched <- path$z[seq_len(form$n_domains)]
  at <- seq_len(length(form$b) / form$n_domains)
  vapply(seq_len(ncol(searched[[1]])), function(k) {
    w <- as.vector(t(vapply(searched, function(z) (z[, k] / c(root[slopes], 1))[at], root[at])))
    form$c0 - 2 * sum(form$b * w) + sum(w * (form$A %*% w))
  }, 0)
}
