# Which events keep their dense estimator: a first pass over all nu, a second where it was short.

DENSE_NUMBERS <- 2e5      # numbers that the first pass keeps unasked, one response
DENSE_NUMBERS_MANY <- 2e6 # the same for several responses
DENSE_FIRST <- 50         # events of every nu
DENSE_CHOSEN <- 1e6       # numbers of the chosen nu
DENSE_OTHERS <- 1e6       # numbers of the first events of all other nu

# Numbers that the first pass keeps of each nu.
dense_budget <- function(responses, n_nu) {
  all <- if (responses > 1) DENSE_NUMBERS_MANY else if (n_nu > 1) DENSE_NUMBERS else DENSE_CHOSEN
  all / n_nu
}

# A second pass for the nu that were not kept whole: the chosen one as far as the room goes, the
# others at their first events. What the first pass has kept stays. One response.
keep_more <- function(out, best, frame, coded, settings, call) {
  whole <- vapply(out$fits, function(f) length(f$step) == length(f$t), NA)
  chosen <- best[["nu"]]
  others <- setdiff(which(!whole), chosen)
  again <- function(at, record, max_steps) {
    settings$nu <- settings$nu[at]
    settings$record <- as.integer(record)
    settings$max_steps <- as.integer(max_steps)
    settings$choose <- "none"
    settings$loo <- FALSE
    iss_fit(frame, coded, settings, call)$fits
  }
  size <- ncol(frame$x) + 1
  if (!whole[chosen]) {
    f <- out$fits[[chosen]]
    first <- seq_len(min(length(f$t), DENSE_CHOSEN %/% size)) - 1L
    out$fits[chosen] <- list(join_dense(f, again(chosen, first, settings$max_steps)[[1]]))
  }
  first <- min(DENSE_FIRST, DENSE_OTHERS %/% (size * max(length(others), 1)))
  if (length(others) && first > 0) {
    fits <- again(others, seq.int(0, first), min(first, settings$max_steps))
    out$fits[others] <- Map(join_dense, out$fits[others], fits)
  }
  out
}

# The dense estimators of two passes over one path, in the order of the steps.
join_dense <- function(f, more) {
  parts <- c("step", "time", "dense", "dense_a0")
  own <- which(!f$step %in% more$step)
  if (!length(own)) return(utils::modifyList(f, more[parts]))
  order <- order(c(f$step[own], more$step))
  d <- length(f$dense) %/% length(f$step)
  f$dense <- as.vector(cbind(matrix(f$dense, d)[, own, drop = FALSE],
                             matrix(more$dense, d))[, order])
  for (part in setdiff(parts, "dense")) f[[part]] <- c(f[[part]][own], more[[part]])[order]
  f
}
