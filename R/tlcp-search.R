# The exact search: its units, and a run of it. Groups of columns are units that enter whole, each with as many
# coordinates as the largest group has columns. The places that a smaller group leaves are filled with coordinates
# that nothing depends on.

# What is searched: `form`, `pen` and `force` by unit; `columns`, the number of columns of each; `of`, the
# unit of every usable column.
search_units <- function(form, pen, force, columns, settings) {
  of <- settings$groups$of[columns]
  if (is.null(of) || !anyDuplicated(of)) {
    at <- seq_along(columns)
    return(list(form = form, pen = pen, force = force, columns = rep(1L, length(columns)), of = at))
  }
  of <- match(of, unique(of))
  size <- tabulate(of)
  list(form = padded_form(form, of, size), pen = as.vector(rowsum(pen, of)),
       force = as.integer(tapply(force, of, function(f) f[which.max(abs(f))])), columns = size, of = of)
}

padded_form <- function(form, of, size) {
  most <- max(size)
  place <- (of - 1L) * most + as.integer(stats::ave(seq_along(of), of, FUN = seq_along))
  domains <- form$n_domains
  at <- as.vector(outer(seq_len(domains), (place - 1L) * domains, `+`))
  N <- length(size) * most * domains
  A <- diag(mean(diag(form$A)), N)
  A[at, at] <- form$A
  list(A = A, b = replace(numeric(N), at, form$b), c0 = form$c0, n_domains = as.integer(most * domains))
}

# Numbers of columns that sets of units can have.
attainable <- function(units) {
  sums <- sum(units$columns[units$force == 1])
  for (m in units$columns[units$force == 0]) sums <- unique(c(sums, sums + m))
  sort(sums)
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
