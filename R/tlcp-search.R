# The search for subsets: of the best, of every size, with groups, and by criteria that estimate the variance anew.

# The sets of the path (logical, columns x steps, the empty one first), the place of the best, and
# the certificates.
tlcp_search_sets <- function(problem, settings, call) {
  p <- length(problem$columns)
  anew <- problem$borrowing$anew
  if (!settings$select) {
    force <- tlcp_search_forced_columns(settings, problem$columns)
    return(list(sets = unname(cbind(FALSE, force >= 0)), best = 2L, certificate = NULL, of_size = NULL))
  }
  units <- tlcp_search_units(problem, settings, call)
  sizes <- c(max(sum(units$force == 1), 1), sum(units$force >= 0)) # the least and the most
  every <- settings$sizes %||% (p <= 30)
  both <- NULL
  search <- if (!is.null(anew)) {
    tlcp_search_by_likelihood(units, anew, settings, tlcp_search_run, call)
  } else if (every && sizes[1] <= sizes[2]) {
    both <- tlcp_search_run_both(units, sizes, settings, call)
    both$best
  } else {
    tlcp_search_run(units, units$pen, settings, call)
  }
  early <- search$stopped != "complete"
  if (early) {
    empty <- if (is.null(anew)) units$form$c0 else tlcp_search_likelihood_value(units$form$c0, 0, anew)
    tlcp_search_warn_early(search, "The search", call, empty - search$value)
  }
  found <- list(sets = NULL, best = 1L, certificate = search, of_size = NULL)
  if (!every || search$stopped == "interrupt") {
    found$sets <- cbind(logical(p), if (any(search$`in`)) search$`in`[units$of, , drop = FALSE])
    found$best <- ncol(found$sets)
    return(found)
  }
  if (sizes[1] > sizes[2]) {
    found$sets <- cbind(logical(p))
    return(found)
  }
  of_size <- both$of_size %||% tlcp_search_run(units, units$pen, settings, call, as.double(sizes))
  if (!early && any(of_size$stopped != "complete")) tlcp_search_warn_early(of_size, "The search of every size", call)
  agreed <- if (is.null(anew)) {
    tlcp_search_best_of_both(search, of_size, units$pen)
  } else {
    tlcp_search_likelihood_of_both(search, of_size, sizes[1]:sizes[2], anew, units)
  }
  chosen <- sum(agreed$search$`in`)
  sets <- agreed$of_size$`in`
  list(sets = cbind(FALSE, if (is.null(settings$groups)) sets else sets[units$of, , drop = FALSE]),
       best = if (chosen < sizes[1]) 1L else as.integer(chosen - sizes[1] + 2), certificate = agreed$search,
       of_size = agreed$of_size)
}

# The sets, one for each number of columns, in its order: where groups are searched, the best sets of two numbers of
# groups may have as many columns.
tlcp_search_once_by_columns <- function(found) {
  if (is.null(found$of_size)) return(found)
  size <- colSums(found$sets)
  take <- tlcp_search_places_by_size(size, c(-Inf, found$of_size$value), found$best)
  found$of_size <- lapply(found$of_size, function(part) {
    if (is.matrix(part)) part[, take[-1] - 1L, drop = FALSE] else
      if (length(part) == length(size) - 1L) part[take[-1] - 1L] else part
  })
  found$sets <- found$sets[, take, drop = FALSE]
  found$best <- match(found$best, take)
  found
}

# For each size the place of the best set, by `value`. The step of the best set's size holds the best set, also where
# penalties differ.
tlcp_search_places_by_size <- function(size, value, best) {
  vapply(split(seq_along(size), size), function(of_size) {
    if (best %in% of_size) best else of_size[which.min(value[of_size])]
  }, 0L, USE.NAMES = FALSE)
}

# For each size the better result of two searches: a search that stopped early may have missed a set that the other
# has found.
tlcp_search_best_of_both <- function(search, of_size, pen) {
  whole <- search$stopped == "complete"
  if (!whole) {
    worth <- of_size$value + colSums(of_size$`in` * pen)
    best <- which.min(worth)
    if (worth[best] < search$value) {
      search$`in` <- of_size$`in`[, best, drop = FALSE]
      search$value <- worth[best]
    }
  }
  chosen <- search$`in`[, 1]
  same <- which(colSums(of_size$`in`) == sum(chosen))
  own_pen <- sum(pen[chosen])
  value <- search$value - own_pen
  if (length(same) && (whole || value <= of_size$value[same])) {
    of_size$`in`[, same] <- chosen
    of_size$value[same] <- max(value, of_size$bound[same])
    # another set of this size may have a smaller objective and a larger penalty, so the bound of the chosen set is
    # the bound on the criterion
    of_size$bound[same] <- min(max(of_size$bound[same], search$bound - own_pen), of_size$value[same])
    if (whole) of_size$stopped[same] <- "complete"
  }
  list(search = search, of_size = of_size)
}

# units: `form` and `force` of what is searched. `stopped` of the result names what ended each search. An interrupt also
# ends the caller's loop, unless options(transelect.keep_interrupted = TRUE) keeps the best sets found.
tlcp_search_run <- function(units, pen, settings, call, sizes = NULL) {
  limits <- tlcp_search_limits(settings)
  tlcp_search_answer(progress_during("Exact search, of its time limit", {
    .Call(C_subset, units$form, pen, units$force, sizes, FALSE, limits)
  }), call)
}

# list(best, of_size): the best set, and that of each size in this range, each as above; of_size is NULL where the first
# search was interrupted.
tlcp_search_run_both <- function(units, sizes, settings, call) {
  limits <- tlcp_search_limits(settings)
  answers <- progress_during("Exact search, of its time limit", {
    .Call(C_subset_both, units$form, units$pen, units$force, as.double(sizes), limits)
  })
  tlcp_search_answer(answers$best, call)
  if (!is.null(answers$of_size)) tlcp_search_answer(answers$of_size, call)
  answers
}

tlcp_search_answer <- function(answer, call) {
  if (answer$status != 0) tlcp_search_abort_collinear(call)
  if (any(answer$stopped == "interrupt") && !isTRUE(getOption("transelect.keep_interrupted"))) rlang::interrupt()
  answer
}

# A message before a search that may take more than a minute, with its longest possible time: how many subsets the
# bounds will rule out is not known beforehand. Searches among fewer features end sooner.
tlcp_search_tell_long <- function(p, max_seconds) {
  if (max_seconds <= 60 || p <= LONG_SEARCH) return(invisible())
  most <- if (is.finite(max_seconds)) {
    paste("may take up to", round(max_seconds / 60, 1), "minutes (`max_seconds`)")
  } else {
    "has no time limit, and may last for hours or days"
  }
  tell(paste0("The exact search among ", p, " features (", format(2^p, digits = 1), " subsets) ", most, "."),
       "If it is stopped early, it returns the best subset found, with a bound on how much better another can be.",
       "transelect_message_time")
}

LONG_SEARCH <- 30 # features, below which searches have seldom taken a minute

# The limits of a search, as C takes them: of time it has what remains of the call's `max_seconds`.
tlcp_search_limits <- function(settings) {
  limits <- list(max_nodes = settings$max_nodes, max_seconds = settings$max_seconds)
  if (!is.null(settings$until)) {
    limits$max_seconds <- max(min(limits$max_seconds, settings$until - proc.time()[["elapsed"]]), 0)
  }
  class(limits) <- "tlcp_settings"
  limits
}

# What is searched: `form`, `pen` and `force` by unit, a column or a group; `columns`, the number of columns of each;
# `of`, the unit of every usable column.
tlcp_search_units <- function(problem, settings, call) {
  p <- length(problem$columns)
  pen <- problem$borrowing$pen
  force <- tlcp_search_forced_columns(settings, problem$columns)
  units <- if (is.null(settings$groups)) {
    list(form = problem$form, pen = pen, force = force, columns = rep(1L, p), of = seq_len(p))
  } else {
    tlcp_search_groups(problem$form, pen, force, problem$columns, settings)
  }
  tlcp_hierarchy_added(units, problem$columns, settings, call)
}

tlcp_search_forced_columns <- function(settings, columns) {
  force <- integer(length(columns))
  if (length(settings$keep)) force[columns %in% settings$keep] <- 1L
  if (length(settings$drop)) force[columns %in% settings$drop] <- -1L
  force
}

# What is searched where columns have groups: `form`, `pen` and `force` by unit; `columns`, the number of columns of
# each; `of`, the unit of every usable column. Groups of columns are units that enter whole, each with as many
# coordinates as the largest group has columns. The places that a smaller group leaves are filled with coordinates that
# nothing depends on.
tlcp_search_groups <- function(form, pen, force, columns, settings) {
  of <- settings$groups$of[columns]
  of <- match(of, unique(of))
  size <- tabulate(of)
  list(form = tlcp_form_padded(form, of, size), pen = as.vector(rowsum(pen, of)),
       force = as.integer(tapply(force, of, function(f) f[which.max(abs(f))])), columns = size, of = of)
}

# AIC, BIC and Hannan-Quinn where nothing is borrowed: n log(RSS/n) + k |S|, the variance estimated
# anew for every set S, as AIC() and BIC() of lm() have it.
#
# A search with the penalty lambda a feature proves, for every size m at once, that
#   least RSS of size m >= bound - lambda m.
# The largest of these lines (and the RSS of all features) is a lower bound L(m) on the RSS by size. The logarithm is
# increasing, so n log(L(m)/n) + k m is a lower bound on the criterion. Searches at well chosen lambda raise this
# bound wherever it is below the best criterion found, until it is so nowhere. The procedure always ends: where the
# RSS may lie between the lines, the criterion is concave, so its minimum is at a corner of the lower convex hull of
# (size, least RSS), and searches with a penalty find these corners.

LIKELIHOOD_TOL <- 1e-7 # criteria so close are equal; times k where a feature costs more than 1

# n and k of the criterion and what is added to a residual sum of squares before its logarithm is
# taken (floor): nothing, unless all features together fit perfectly, when the criterion would have
# no minimum. s2: the variance that the domain is in units of, a little above 0 in that case
# (tlcp_variances_of_domains()).
tlcp_search_likelihood_terms <- function(domain, s2, k, settings, call) {
  if (!is.null(settings$sigma2)) {
    abort_input("{.arg sigma2} is given, but {.arg criterion} is {.val {settings$criterion}}, which
                 estimates the variance anew for every subset.", "sigma2",
                i = "Give {.val Cp}, {.val Cp_BIC}, {.val Cp_HQ}, {.val RIC} or a number if the variance is known.",
                call = call)
  }
  perfect <- domain$fit$rss / s2 < .5 * domain$fit$df
  if (perfect) {
    tell(paste("All features together fit `y` perfectly:", settings$criterion, "has no minimum."),
         "1e-10 of the total sum of squares is added to every residual sum of squares.")
  }
  list(n = domain$n, k = k, floor = if (perfect) domain$n else 0)
}

# The criterion of residual sums of squares `rss` (in units of s2), but for a constant.
tlcp_search_likelihood_value <- function(rss, size, anew) anew$n * log(rss + anew$floor) + anew$k * size

# The constant that tlcp_search_likelihood_value() leaves out. With it the criteria equal AIC(), BIC() and similar of
# lm() on the chosen columns; with "aggregate" those of lm() on the z-scores, in the target's units. The term of the
# weights is left out where it is not known (response_weights_log_term()).
tlcp_search_likelihood_constant <- function(path, settings, log_weights) {
  anew <- path$borrowing$anew
  domain <- path$domains[[1]]
  intercepts <- settings$intercept * max(domain$n_pooled, 1)
  alone <- path$borrowing$borrow == "none"
  anew$n * (log(2 * pi * path$borrowing$s2[1] * domain$y_scale^2 / anew$n) + 1) +
    anew$k * (intercepts + 1) - if (alone && !is.na(log_weights)) log_weights else 0
}

# The result of tlcp_search_run(), which is `run`, and in addition `rss` of the chosen set, the bound `rss_bound` for
# its size, and `searches`. units: of tlcp_search_groups(), whose sizes are numbers of columns; anew: list(n, k, floor).
tlcp_search_by_likelihood <- function(units, anew, settings, run, call) {
  force <- units$force
  size <- tlcp_search_attainable_sizes(units)
  ends <- cbind(force == 1, force >= 0)
  w <- .Call(C_subset_models, units$form[c("A", "b", "n_domains")], ends, NULL)
  if (w$status != 0) tlcp_search_abort_collinear(call)
  ends_rss <- units$form$c0 - colSums(w$w * units$form$b)
  last <- length(size)
  state <- list(
    size = size, sets = vector("list", last), rss = rep(Inf, last),
    low = rep(ends_rss[2], last), sure = rep(ends_rss[2], last), tried = numeric(), nodes = 0, seconds = 0,
    stopped = "complete"
  )
  first_last <- unique(c(1, last))
  state$sets[first_last] <- list(ends[, 1], ends[, 2])[seq_along(first_last)]
  state$rss[first_last] <- state$low[first_last] <- state$sure[first_last] <- ends_rss[seq_along(first_last)]
  slope <- anew$k
  while (!is.null(slope)) {
    state <- tlcp_search_at_slope(state, slope, units, settings, run, call)
    if (state$stopped != "complete") break
    slope <- tlcp_search_next_slope(state, anew)
  }
  tlcp_search_likelihood_answer(state, anew)
}

# Numbers of columns that sets of units can have.
tlcp_search_attainable_sizes <- function(units) {
  sums <- sum(units$columns[units$force == 1])
  for (m in units$columns[units$force == 0]) sums <- unique(c(sums, sums + m))
  sort(sums)
}

# One search with the penalty `slope` for each column; the state takes up the sets and bounds that it finds. By size:
# low, the lower bound that decides where to search next; sure, the same minus the possible rounding error of the
# searches (src/tlcp/subset.h), which is the bound that is certified.
tlcp_search_at_slope <- function(state, slope, units, settings, run, call) {
  left <- c(nodes = settings$max_nodes - state$nodes, seconds = settings$max_seconds - state$seconds)
  if (any(left <= 0) && length(state$tried)) {
    state$stopped <- names(left)[left <= 0][1]
    return(state)
  }
  settings$max_nodes <- left[["nodes"]]
  settings$max_seconds <- left[["seconds"]]
  found <- run(units, slope * units$columns, settings, call)
  set <- found$`in`[, 1]
  size <- sum(units$columns[set])
  place <- match(size, state$size)
  rss <- found$value - slope * size
  if (rss < state$rss[place]) {
    state$rss[place] <- rss
    state$sets[[place]] <- set
  }
  least <- if (found$stopped == "complete") found$value else found$bound
  state$low <- pmin(pmax(state$low, least - slope * state$size), state$rss)
  state$sure <- pmin(pmax(state$sure, found$bound - slope * state$size), state$rss)
  state$tried <- c(state$tried, slope)
  state$nodes <- state$nodes + found$nodes
  state$seconds <- state$seconds + found$seconds
  state$stopped <- found$stopped
  state
}

# The sizes, as indices, whose lower bound is below the best value.
tlcp_search_open_sizes <- function(state, anew) {
  best <- min(tlcp_search_likelihood_value(state$rss, state$size, anew))
  low <- tlcp_search_likelihood_value(state$low, state$size, anew)
  which(low < best - LIKELIHOOD_TOL * max(anew$k, 1))
}

# The penalty of the next search; NULL where no search is needed or none helps. Take the side of the best set, smaller
# or larger sizes, where the bound is worst. If no set found is below it, the penalty is the slope of the line through
# the best set that would decide all open sizes on that side. Otherwise it is the slope of the line through the known
# sets on both sides of the worst size: this search finds a new corner of the hull or proves that there is none.
tlcp_search_next_slope <- function(state, anew) {
  open <- tlcp_search_open_sizes(state, anew)
  if (!length(open)) return(NULL)
  s <- which.min(tlcp_search_likelihood_value(state$rss, state$size, anew))
  worst <- open[which.min(tlcp_search_likelihood_value(state$low, state$size, anew)[open])]
  far <- if (worst > s) max(open) else min(open)
  apart <- state$size[far] - state$size[s]
  level <- (state$rss[s] + anew$floor) * expm1(-anew$k * apart / anew$n)
  known <- which(is.finite(state$rss))
  beside <- c(max(known[known <= worst]), min(known[known >= worst]))
  slopes <- c(-level / apart, -diff(state$rss[beside]) / diff(state$size[beside]))
  new <- vapply(seq_along(slopes), function(i) {
    isTRUE(slopes[i] > 0) && all(abs(state$tried - slopes[i]) > c(1e-2, 1e-10)[i] * slopes[i])
  }, NA)
  if (any(new)) slopes[new][1]
}

tlcp_search_likelihood_answer <- function(state, anew) {
  value <- tlcp_search_likelihood_value(state$rss, state$size, anew)
  s <- which.min(value)
  open <- tlcp_search_open_sizes(state, anew)
  low <- min(tlcp_search_likelihood_value(state$sure, state$size, anew))
  if (low >= value[s] - LIKELIHOOD_TOL * max(anew$k, 1)) low <- value[s]
  stopped <- if (!length(open)) "complete" else if (state$stopped == "complete") "numerics" else state$stopped
  list(
    `in` = matrix(state$sets[[s]]), value = value[s], bound = low, nodes = state$nodes,
    seconds = state$seconds, stopped = stopped, searches = length(state$tried),
    rss = state$rss[s], rss_bound = state$sure[s]
  )
}

# If one of the two searches stopped early, the other may have a better set of the same size.
tlcp_search_likelihood_of_both <- function(search, of_size, sizes, anew, units) {
  chosen <- search$`in`[, 1]
  same <- match(sum(chosen), sizes)
  # with groups of different sizes the best set by the criterion need not have the least residual sum of squares of
  # its number of groups
  if (!is.na(same) && (search$stopped == "complete" || search$rss <= of_size$value[same])) {
    of_size$`in`[, same] <- chosen
    of_size$value[same] <- search$rss
    of_size$bound[same] <- max(min(of_size$bound[same], search$rss), search$rss_bound)
  }
  if (search$stopped == "complete") return(list(search = search, of_size = of_size))
  value <- tlcp_search_likelihood_value(of_size$value, colSums(of_size$`in` * units$columns), anew)
  best <- which.min(value)
  if (value[best] < search$value) {
    search$`in` <- of_size$`in`[, best, drop = FALSE]
    search$value <- value[best]
    search$rss <- of_size$value[best]
    search$rss_bound <- of_size$bound[best]
  }
  list(search = search, of_size = of_size)
}

# A gap as a share of what the set found gains on the empty one, in words; "" where it gains nothing.
tlcp_search_share_of_gain <- function(gap, gain) {
  if (!isTRUE(gain > 0)) return("")
  share <- 100 * gap / gain
  if (share > 100) return(", which is more than the gain of the subset found over the empty model")
  paste0(", ", format(signif(share, 2)), " % of the gain of the subset found over the empty model")
}

# search: of tlcp_search_run() or tlcp_search_by_likelihood(), not all complete. gain: by how much the set found is
# better than the empty one, if that is of the same scale.
tlcp_search_warn_early <- function(search, what, call, gain = NULL) {
  early <- which(search$stopped != "complete")
  gap <- max((search$value - search$bound)[early], na.rm = TRUE)
  why <- search$stopped[early[1]]
  cli::cli_warn(c(
    paste0("{what} stopped early ({why}): no subset is better by more than ",
           "{signif(gap, 3)}{tlcp_search_share_of_gain(gap, gain)}."),
    i = switch(why,
      numerics = "Features are nearly collinear, or coupled very strongly: the gap is a rounding error.",
      interrupt = "The best subset found before the interrupt is returned, because the option
                   {.code transelect.keep_interrupted} is set.",
      "Raise {.arg max_nodes} or {.arg max_seconds}, or use a larger {.arg criterion}."
    )
  ), class = c(paste0("transelect_warning_", why), "transelect_warning_incomplete"), call = call)
}

tlcp_search_abort_collinear <- function(call) {
  abort_input("The features are collinear to working precision: no subset can be searched.", "x",
              i = "Leave out columns that are combinations of others, or use
                   {.code method = \"cutoff\"}.", call = call)
}
