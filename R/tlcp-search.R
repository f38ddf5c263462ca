# The best subsets of a quadratic form, by the search in C.

# The sets of the path (logical, columns x steps, the empty one first), the place of the best, and
# the certificates.
tlcp_sets <- function(problem, settings, call) {
  form <- problem$form
  p <- length(problem$columns)
  force <- forced_columns(settings, problem$columns)
  if (!settings$select) {
    return(list(sets = unname(cbind(FALSE, force >= 0)), best = 2L, certificate = NULL,
                of_size = NULL))
  }
  units <- search_units(form, problem$strength$pen, force, problem$columns, settings)
  limits <- list(force = units$force, max_nodes = settings$max_nodes, max_seconds = settings$max_seconds)
  anew <- problem$strength$anew
  search <- if (is.null(anew)) {
    run_subset(units$form, units$pen, limits, call)
  } else {
    likelihood_search(units, anew, limits, call)
  }
  warn_early(search, "The search", call)
  if (!(settings$sizes %||% (p <= 30)) || search$stopped == "interrupt") {
    sets <- if (any(search$`in`)) cbind(FALSE, unit_columns(search$`in`, units$of)) else cbind(logical(p))
    return(list(sets = sets, best = ncol(sets), certificate = search, of_size = NULL))
  }
  least <- max(sum(units$force == 1), 1)
  sizes <- seq(least, length.out = max(sum(units$force >= 0) - least + 1, 0))
  if (!length(sizes)) {
    return(list(sets = cbind(logical(p)), best = 1L, certificate = search, of_size = NULL))
  }
  of_size <- run_subset(units$form, units$pen, limits, call, range(sizes))
  if (search$stopped == "complete") warn_early(of_size, "The search of every size", call)
  agreed <- if (is.null(anew)) {
    best_of_both(search, of_size, units$pen)
  } else {
    likelihood_of_both(search, of_size, sizes, anew, units)
  }
  at <- match(sum(agreed$search$`in`), sizes)
  list(sets = cbind(FALSE, unit_columns(agreed$of_size$`in`, units$of)), best = if (is.na(at)) 1L else at + 1L,
       certificate = agreed$search, of_size = agreed$of_size)
}

# A search that stopped early may have missed what the other has found.
best_of_both <- function(search, of_size, pen) {
  worth <- of_size$value + colSums(of_size$`in` * pen)
  at <- which.min(worth)
  if (search$stopped != "complete" && worth[at] < search$value) {
    search$`in` <- of_size$`in`[, at, drop = FALSE]
    search$value <- worth[at]
  }
  chosen <- search$`in`[, 1]
  same <- which(colSums(of_size$`in`) == sum(chosen))
  value <- search$value - sum(pen[chosen])
  if (length(same) && (search$stopped == "complete" || value <= of_size$value[same])) {
    of_size$`in`[, same] <- chosen
    of_size$value[same] <- max(value, of_size$bound[same])
  }
  list(search = search, of_size = of_size)
}

# limits: force, max_nodes, max_seconds; C names in `stopped` what ended each search. An interrupt ends the
# caller's loop, too, unless the option says to keep what was found.
run_subset <- function(form, pen, limits, call, sizes = NULL) {
  out <- with_progress_of("Exact search, of its time limit", {
    .Call(C_subset, form, pen, c(limits, list(sizes = sizes, audit = FALSE)))
  })
  if (out$status != 0) abort_collinear(call)
  if (any(out$stopped == "interrupt") && !isTRUE(getOption("transelect.keep_interrupted"))) rlang::interrupt()
  out
}

# out: of run_subset() or likelihood_search().
warn_early <- function(out, what, call) {
  early <- which(out$stopped != "complete")
  if (!length(early)) return(invisible())
  gap <- max((out$value - out$bound)[early], na.rm = TRUE)
  why <- out$stopped[early[1]]
  cli::cli_warn(c(
    "{what} stopped early ({why}): the best set may be better by up to {signif(gap, 3)}.",
    i = switch(why,
      numerics = "Features are nearly collinear, or coupled very strongly: the gap is rounding.",
      interrupt = "The best set found until then is returned, as the option
                   {.code transelect.keep_interrupted} says.",
      "Raise {.arg max_nodes} or {.arg max_seconds}, or use a larger {.arg criterion}."
    )
  ), class = c(paste0("transelect_warning_", why), "transelect_warning_incomplete"), call = call)
}

abort_collinear <- function(call) {
  abort_input("The features are collinear to working precision: no subset can be searched.", "x",
              i = "Leave out columns that are combinations of others, or use
                   {.code method = \"cutoff\"}.", call = call)
}

forced_columns <- function(settings, columns) {
  force <- integer(length(columns))
  force[columns %in% settings$keep] <- 1L
  force[columns %in% settings$drop] <- -1L
  force
}
