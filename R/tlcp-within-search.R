# The search for all subsets whose criterion is close to the best.

WITHIN_MOST <- 10000

tlcp_within_settings <- function(within, select, frame, method, call) {
  what <- if (likelihood_is_used(frame$family)) "a likelihood" else if (method ==
    "cutoff") "{.code method = \"cutoff\"}" else
    if (!select) "{.code select = FALSE}"
  if (!is.null(what)) {
    abort_input(paste0("{.arg within} is given with ", what, "."), "within",
                i = "Leave it out: a complete list of subsets is for least squares with a selection.", call = call)
  }
  check_number(within, "within", 0, call, high = 1000)
}

# The sets with a criterion of at most settings$within above the best: list(sets, criterion, complete), the best first,
# criterion without the constant of tlcp_search_likelihood_constant(). certificate: of the search for the best set.
tlcp_within_sets <- function(problem, certificate, settings, call) {
  units <- tlcp_search_units(problem, settings, call)
  anew <- problem$borrowing$anew
  within <- settings$within
  # if there are more sets than the table holds, `within` is halved until they fit
  repeat {
    limit <- certificate$value + within
    found <- if (is.null(anew)) {
      # a group without a penalty would be in every set
      listed <- tlcp_within_run(units, pmax(units$pen, 1e-10), limit, settings, call)
      list(`in` = listed$`in`, criterion = listed$value, full = listed$full, stopped = listed$stopped)
    } else {
      tlcp_within_anew(units, anew, limit, settings, call)
    }
    full <- found$full || length(found$criterion) > WITHIN_MOST
    if (!full || within < 1e-6) break
    within <- within / 2
  }
  complete <- found$stopped == "complete" && !full
  best_first <- order(found$criterion, colSums(found$`in`))
  if (within < settings$within) {
    tell(paste0("More than ", words_big_number(WITHIN_MOST), " subsets are within ", format(settings$within),
                " of the best: the table has all subsets within ", format(within), "."))
  }
  if (!complete) {
    tell(paste0("The search for subsets near the best ended early (", found$stopped, "): the table may be ",
                "incomplete."),
         "Raise `max_seconds` or `max_nodes`, or give a smaller `within`.")
    if (!length(best_first)) {
      return(list(sets = matrix(certificate$`in`[units$of, 1]), criterion = certificate$value, complete = FALSE,
                  within = within))
    }
  }
  list(sets = found$`in`[units$of, best_first, drop = FALSE], criterion = found$criterion[best_first],
       complete = complete, within = within)
}

tlcp_within_run <- function(units, pen, limit, settings, call) {
  limit <- limit + 1e-9 * max(1, abs(limit))
  most <- min(2 * WITHIN_MOST, floor(1e8 / (length(pen) + 1)))
  listed <- .Call(C_subset_within, units$form, pen, units$force, limit, most, tlcp_search_limits(settings))
  if (listed$status != 0) tlcp_search_abort_collinear(call)
  if (listed$stopped == "interrupt") rlang::interrupt()
  listed
}

# Criteria that estimate the variance anew: a set of size m is in the list if its residual sum of squares is at most
# T(m) = exp((limit - k m)/n), a convex function of m. Between two sizes T is below its chord, whose slope is the
# penalty of a search that lists every such set, and some others, which are left out. Sizes are divided so that chord
# and curve stay close.
tlcp_within_anew <- function(units, anew, limit, settings, call) {
  most <- function(m) exp((limit - anew$k * m) / anew$n) - anew$floor
  size <- tlcp_search_attainable_sizes(units)
  all <- .Call(C_subset_models, units$form[c("A", "b", "n_domains")], cbind(units$force >= 0), NULL)
  least <- units$form$c0 - sum(all$w * units$form$b)
  size <- size[most(size) >= least - 1e-9 * abs(least)]
  step <- max(1, floor(.5 * anew$n / max(anew$k, 1e-3)))
  part <- if (length(size)) floor((size - size[1]) / step)
  sets <- list()
  rss <- list()
  full <- FALSE
  stopped <- "complete"
  for (sizes in split(size, part)) {
    ends <- range(sizes)
    slope <- if (diff(ends) > 0) -diff(most(ends)) / diff(ends) else most(ends[1]) * anew$k / anew$n
    listed <- tlcp_within_run(units, slope * units$columns, most(ends[1]) + slope * ends[1], settings, call)
    full <- full || listed$full
    if (listed$stopped != "complete") stopped <- listed$stopped
    m <- colSums(listed$`in` * units$columns)
    value <- listed$value - slope * m
    near <- m >= ends[1] & m <= ends[2] & value <= most(m) * (1 + 1e-10)
    sets <- c(sets, list(listed$`in`[, near, drop = FALSE]))
    rss <- c(rss, list(value[near]))
  }
  sets <- do.call(cbind, sets)
  list(`in` = sets, criterion = tlcp_search_likelihood_value(unlist(rss), colSums(sets * units$columns), anew),
       full = full, stopped = stopped)
}
