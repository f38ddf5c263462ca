# The kernels of msplit(): exact paths, ridges of supports, second moments of many rows.

# What the kernels make of `input` (see msplit_fit_exact()): the path, of the Gram matrix if there is one, or the ridges
# of `supports`, of the rows if there are any. known: the result of an earlier call with these rows, which has them
# standardised unless there is a Gram matrix.
msplit_kernel_run <- function(input, settings, supports = NULL, known = NULL, call) {
  frame <- input$frame
  gram <- input$gram
  rows <- is.null(gram) || frame_rows_are_there(frame) && !is.null(supports)
  data <- if (!rows) gram else if (is.null(gram)) known$rows %||% list(frame$x) else
    structure(list(x = frame$x, gram = gram), class = "msplit_many_rows")
  class(settings) <- "msplit_settings"
  paths <- progress_during(if (is.null(supports)) "Paths" else "Ridges of the supports", .Call(
    C_msplit, data, if (rows) input$coded, if (rows) response_weights_of_mean_one(frame), settings, supports
  ))
  if (paths$status != 0) {
    status_abort(paths$status, labels_of_columns(frame$blueprint$columns, paths$bad), "x", frame$x[, paths$bad], call)
  }
  if (all(paths$scale == 0)) {
    abort_input("No column of {.arg x} varies.", "x", i = "Give a column that varies.", call = call)
  }
  paths
}

# The Gram matrix of a frame of moments, from which come the exact paths with squared loss and the ridges of their
# supports.
msplit_kernel_narrow_gram <- function(frame, intercept, call) {
  if (ncol(frame$x) > frame_rows_count(frame)) {
    abort_input("{.arg x} has {ncol(frame$x)} columns and {frame_rows_count(frame)} rows.", "x",
                i = "Give the rows: {.fn msplit} from moments needs as many rows as columns.", call = call)
  }
  frame_moments_frame_gram(frame, intercept)
}

# The Gram matrix of many rows, from which the exact path comes, without a standardised copy of the rows: from the
# moments that the frame has of these rows, or from one pass over them. NULL where the kernels are to standardise the
# rows: where these are few, sparse or close to dependent, or cannot be added up, of which the kernels say why.
msplit_kernel_rows_gram <- function(frame, coded, settings, call) {
  if (settings$method != "iss" || settings$loo || isS4(frame$x) || frame_is_mapped(frame)) return(NULL)
  if (!frame_rows_are_many(frame, 1)) return(NULL)
  known <- frame_moments(frame)
  all <- if (!is.null(known)) moments_object_total(known) else {
    tryCatch(Reduce(moments_cells_join, frame_moments_sums(frame, NULL, call, coded)$cells),
             transelect_error = function(error) NULL)
  }
  if (is.null(all) || !frame_moments_well_conditioned(all)) return(NULL)
  gram <- frame_moments_gram(all, ncol(frame$x), settings$intercept)
  # about 0, columns whose means are far from 0 are close to dependent
  if (settings$intercept || rcond(stats::cov2cor(gram$G)) > 1 / FAR_FROM_0) gram
}

# A path at given times: its steps are numbered as the points are that have these times.
msplit_kernel_at_points <- function(paths, points) {
  steps <- path_object_steps_by_lambda(points)
  paths$fits <- Map(function(f, step) {
    if (length(f$step) != length(step)) cli::cli_abort("A fold lacks points.", .internal = TRUE)
    f$step <- step
    f$best <- step[length(step)]
    f
  }, paths$fits, steps)
  paths
}

DENSE_FIRST <- 50   # events for which every nu keeps the dense estimator
DENSE_CHOSEN <- 1e6 # numbers of the chosen nu
DENSE_OTHERS <- 1e6 # numbers of the first events of all other nu

# A second pass for the nu that the first one (dense_budget() of msplit_entry.c) has not kept whole: the chosen one up
# to DENSE_CHOSEN numbers, the others at their first events. What the first pass has kept stays. One response.
msplit_kernel_more_steps <- function(paths, best, input, settings, call) {
  whole <- paths$all$points == paths$all$events
  if (all(whole)) return(paths)
  chosen <- best[["nu"]]
  others <- setdiff(which(!whole), chosen)
  again <- function(which_nu, record, max_steps) {
    changed <- list(nu = settings$nu[which_nu], record = as.integer(record), max_steps = max_steps,
                    choose = "none", loo = FALSE)
    settings[names(changed)] <- changed
    msplit_kernel_run(input, settings, known = paths, call = call)$fits
  }
  size <- ncol(input$frame$x) + 1
  if (!whole[chosen]) {
    f <- paths$fits[[chosen]]
    first <- seq_len(min(length(f$t), DENSE_CHOSEN %/% size)) - 1L
    paths$fits[chosen] <- list(msplit_kernel_join_dense(f, again(chosen, first, settings$max_steps)[[1]]))
  }
  first <- min(DENSE_FIRST, DENSE_OTHERS %/% (size * max(length(others), 1)))
  if (length(others) && first > 0) {
    fits <- again(others, seq.int(0, first), min(first, settings$max_steps))
    paths$fits[others] <- Map(msplit_kernel_join_dense, paths$fits[others], fits)
  }
  paths$all <- table_stacked(paths$fits)
  paths
}

# The dense estimators of two passes over one path, in the order of the steps.
msplit_kernel_join_dense <- function(f, more) {
  parts <- c("step", "time", "dense", "dense_a0", "points")
  lacking <- which(!f$step %in% more$step)
  if (!length(lacking)) return(utils::modifyList(f, more[parts]))
  by_step <- order(c(f$step[lacking], more$step))
  d <- length(f$dense) %/% length(f$step)
  f$dense <- as.vector(cbind(matrix(f$dense, d)[, lacking, drop = FALSE],
                             matrix(more$dense, d))[, by_step])
  for (part in c("step", "time", "dense_a0")) f[[part]] <- c(f[[part]][lacking], more[[part]])[by_step]
  f$points <- length(f$step)
  f
}
