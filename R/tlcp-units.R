# Coefficients may be alike in each domain's own z-scores (domains measure in other units, by other instruments) or in
# common units (populations differ, and a feature varies less in one of them), or the target's effects may be
# unrelated to those of the others. The hierarchical model is fitted in both units and with the target alone, and
# the three are weighted by their evidence.

UNITS <- c("evidence", "common", "own")
RARE <- .01 # alternatives of smaller probability are not fitted
PRIOR_OWN <- stats::plogis(-.5)
PRIOR_ALONE <- .05 # prior probability that the target's slopes are unrelated to the other domains'
PRIOR_FEW <- .02  # that they are few and unrelated (tlcp-sparse.R); that of all else is 1 - PRIOR_FEW times its own
PRIOR_APART <- .02 # that some of them are not alike (tlcp-apart.R)

# `ratio`: the target's standard deviation to the others', for each column, the response last (1 where a column is of
# zeros and ones). `any`: the probability (by AIC) that some column's standard deviation differs from domain to domain.
# sums: of moments_rows_domain_sums().
tlcp_units_spread_evidence <- function(sums) {
  df <- sums$df
  square <- sums$spread^2
  binary <- c(sums$binary, FALSE)
  within <- drop(square %*% df) / sum(df)
  # Bartlett's statistic is twice the log likelihood ratio; AIC adds 2 for each further variance
  evidence <- (-drop(log(pmax(square / within, 1e-12)) %*% df) - 2 * (length(df) - 1)) / 2
  differ <- stats::plogis(evidence)
  differ[!(within > 0) | binary | length(df) < 2] <- 0
  others <- drop(square[, -1, drop = FALSE] %*% df[-1]) / max(sum(df[-1]), 1)
  ratio <- sqrt(square[, 1] / others)
  ratio[binary] <- 1
  list(ratio = ratio, any = 1 - prod(1 - differ))
}

# The units to fit in, those with the larger prior probability last.
tlcp_units_in_question <- function(units, spreads) {
  if (units != "evidence") units else if (spreads$any < RARE) "common" else c("own", "common")
}

# lr: log likelihood ratios of sharing, by units; any: see tlcp_units_spread_evidence(). With `alone` the target
# by itself has a weight, too. sparse: of tlcp_sparse_alternatives().
tlcp_units_weights <- function(lr, any, alone = FALSE, sparse = NULL) {
  further <- c(if (alone) c(alone = PRIOR_ALONE), vapply(sparse, `[[`, 0, "prior"))
  prior <- tlcp_units_prior(any)[names(lr)]
  few <- names(further) == "few"
  prior <- c((1 - sum(further[!few])) * prior / sum(prior), further[!few])
  prior <- c((1 - sum(further[few])) * prior, further[few])
  lr <- c(lr, if (alone) c(alone = 0), vapply(sparse, `[[`, 0, "lr"))
  response_scores_average_weights(lr[names(prior)], log(prior), RARE)
}

# Is it the hierarchical model of the features themselves? The other rules do not average over units.
tlcp_units_is_hierarchical <- function(settings) {
  identical(settings$borrow, "hierarchical") && settings$method == "exact"
}

# What columns and response of other rules are scaled by, see tlcp_domain_scales(). Numbers given as `borrow` refer to
# the response as it is, unless columns are in z-scores. The rules give the same fit in any unit of the response, but
# search variances between bounds, so the response is scaled.
tlcp_units_settings_scaling <- function(settings) {
  if (settings$standardize) settings$units else if (is.list(settings$borrow)) "none" else "y"
}

# whole: tlcp_units_is_hierarchical() of the settings.
tlcp_units_check <- function(units, whole, standardize, call) {
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
    abort_input("{.arg units} is {.val evidence}, which needs {.code borrow = \"hierarchical\"} and
                 {.code method = \"exact\"}.", "units",
                i = "Give {.val own} or {.val common}.", call = call)
  }
  units
}

# The units of the model named so.
tlcp_units_of <- function(name, units) {
  if (name != "alone") name else if ("own" %in% units) "own" else units[1]
}

# The alternatives to be fitted, each as the components of `borrowing` that describe it: one for a search, else all
# with a weight. The search is made in the target alone if that has more than half of the weight, else in the likelier
# units. lr: log likelihood ratios of sharing, by units; sparse: of tlcp_sparse_alternatives(), which come last in the
# weights; spreads: of tlcp_units_spread_evidence().
tlcp_units_alternatives <- function(lr, spreads, settings, sparse = NULL) {
  weights <- tlcp_units_weights(lr, spreads$any, settings$guard, sparse)
  named <- names(weights)
  others <- !named %in% names(sparse)
  keep <- weights > 0
  if (!any(keep & others)) keep[which.max(lr + log(tlcp_units_prior(spreads$any)[names(lr)]))] <- TRUE # with weight 0
  weights <- c(tlcp_units_largest_first(weights[keep & others]), weights[keep & !others])
  named <- names(weights)
  first <- (if (isTRUE(weights["alone"] <= .5)) named[named != "alone"] else named)[1]
  weights <- c(weights[first], weights[named != first])
  ratio <- spreads$ratio[-length(spreads$ratio)]
  names(ratio) <- labels_of_all_columns(settings)
  lapply(if (settings$select) first else setdiff(names(weights), names(sparse)), function(name) {
    list(lr = tlcp_units_joint_ratio(lr, spreads$any), alone = name == "alone", units = tlcp_units_of(name, names(lr)),
         units_weights = weights, units_lr = lr, spread_ratio = ratio)
  })
}

# As sort(weights, decreasing = TRUE), which takes longer than all else that is done with these two or three.
tlcp_units_largest_first <- function(weights) {
  ranking <- seq_along(weights)
  for (k in ranking[-1]) {
    while (k > 1L && weights[[ranking[k]]] > weights[[ranking[k - 1L]]]) {
      ranking[c(k - 1L, k)] <- ranking[c(k, k - 1L)]
      k <- k - 1L
    }
  }
  weights[ranking]
}

tlcp_units_prior <- function(any) {
  own_weight <- PRIOR_OWN * any
  c(own = own_weight, common = 1 - PRIOR_OWN) / (own_weight + 1 - PRIOR_OWN)
}

# The likelihood ratio of sharing, averaged over the units.
tlcp_units_joint_ratio <- function(lr, any) {
  if (length(lr) == 1) return(lr[[1]])
  response_scores_log_sum_exp(rbind(lr + log(tlcp_units_prior(any)[names(lr)])))
}

# The scaling for effects that are alike in these units. In each domain's own units standard deviations are moderated,
# as those of small domains are rough.
tlcp_units_scaling <- function(units) if (units == "own") "moderated" else units

# Domains of the hierarchical model, with a level that is borrowed unless the means of the domains are too far apart
# for a common level. Without standardising, columns are as they are.
tlcp_units_domains <- function(sums, units, standardize, call) {
  tlcp_domain_moments(sums, if (standardize) tlcp_units_scaling(units) else "y", call, level = TRUE)
}

EXTREME <- 10

tlcp_units_tell_extreme <- function(spreads, settings) {
  ratio <- spreads$ratio[-length(spreads$ratio)]
  far <- which(is.finite(ratio) & ratio > 0 & abs(log(ratio)) > log(EXTREME))
  if (!length(far)) return(invisible())
  labels <- labels_of_columns(settings$columns, far)
  times <- signif(pmax(ratio, 1 / ratio)[far], 2)
  size <- ifelse(ratio[far] < 1, "smaller", "larger")
  told <- paste0(labels, " (", times, " times ", size, ")")
  tell(paste0("Standard deviations in the target are far from those in the other domains: ",
              paste(told, collapse = ", "), "."),
       paste("Look for outliers or another unit of measurement. `control = tlcp_control(units = )` sets the units in",
             "which coefficients are alike."))
}
