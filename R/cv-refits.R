# The loop over folds: a fit without the fold, then the scores of the fold's rows; in this session, by future or on a
# cluster.

# The points at which folds predict: list(points, ..., average), the points of the path on all rows, one lambda after
# the other, and whether the average of the path is predicted, too.
cv_refit_grid <- function(path) {
  points <- path$points[intersect(c("step", "t", "lambda"), names(path$points))]
  list(
    points = points, steps = path_object_steps_by_lambda(points), average = path_step_has_average(path),
    classes = if (path_object_is_multi(path)) path_object_responses(path)
  )
}

# What refit() needs to make a path again by `fit`, a method or a function of the user's, with the arguments `tuning`:
# an object with a refit() of its own, or what refit.made_path() needs. Fits to a part of the rows are not calibrated.
cv_refit_path <- function(path, fit, tuning) {
  for (class_name in setdiff(class(path), "transfer_path")) {
    if (!is.null(utils::getS3method("refit", class_name, optional = TRUE))) return(path)
  }
  if (isTRUE(path$settings$given$prob) && isTRUE(tuning$prob)) tuning$prob <- NULL
  structure(list(fit = fit, tuning = tuning, map = path$settings$map), class = "made_path")
}

# data: a frame or moments. `points`, of a path with times, is an argument of the method; a function of the user's hands
# it on to the method in its `...`.
#' @export
refit.made_path <- function(object, data, points = NULL, ...) {
  path <- object
  if (!is.null(path$map)) data$x <- frame_map_at_rows(path$map, data$x$x) # whose stumps `keep` named on all rows
  tuning <- path$tuning
  if (is.null(points) || !any(c("...", "points") %in% names(formals(args(path$fit))))) {
    return(cv_refit_fit(path$fit, data, tuning))
  }
  tryCatch(
    cv_refit_fit(path$fit, data, c(tuning, list(points = points))),
    transelect_error_argument = function(error) {
      # the function hands its `...` to another method, too, which has no argument `points`
      if (!identical(error$unknown, "points")) rlang::cnd_signal(error)
      cv_refit_fit(path$fit, data, tuning)
    }
  )
}

# The path that `fit`, a method or a function of the user's, makes of a frame or moments; an error where it makes none.
# call: shown in errors of the method. The call of `fit` has names in place of the data, which a path's `call` would
# keep.
cv_refit_fit <- function(fit, data, tuning, call = quote(fit())) {
  if (!is.function(fit)) abort_kind(fit, "fit", "Give a method as a function: {.code fit = greedytl}.", call)
  rlang::local_error_call(call) # for errors that name the function that was called
  mend <- "Give a method of this package, {.code fit = tlcp}, or a function that calls one with its
    first argument: {.code function(x, ...) tlcp(x, criterion = \"BIC\", ...)}."
  path <- tryCatch(do.call("fit", c(list(quote(data)), tuning)), error = function(error) {
    if (inherits(error, "rlang_error")) rlang::cnd_signal(error)
    if (inherits(data, "transfer_frame")) frame_as_family(data, NULL, call) # whose errors say more
    message <- conditionMessage(error)
    abort_input("{.arg fit} failed: {message}", "fit", i = mend, call = call)
  })
  if (!inherits(path, "transfer_path")) {
    abort_input("{.arg fit} returned {.obj_type_friendly {path}}.", "fit", i = mend, call = call)
  }
  path
}

# The scores of held-out rows, an array rows x classes x (points, then one average for each lambda), with one class for
# numbers and for two classes. held_out: the rows of every fold. plan: what every fold needs, list(path, grid, told) of
# cv_refit_path(), cv_refit_grid() and the kinds of warnings that the fit to all rows has given.
cv_refit_out_of_fold <- function(frame, held_out, plan, settings) {
  by_fold <- cv_refit_run(held_out, frame, plan, settings)
  cv_refit_scores(by_fold, held_out, frame, list(plan$grid$classes, cv_scores_point_names(plan$grid)))
}

cv_refit_seed <- function() globalenv()[[".Random.seed"]]

cv_refit_restore_seed <- function(seed) {
  if (is.null(seed)) suppressWarnings(rm(".Random.seed", envir = globalenv()))
  else assign(".Random.seed", seed, envir = globalenv())
}

# The scores of all folds, a list, in one array by row, NA for rows that no fold holds out. There may be no fold.
cv_refit_scores <- function(by_fold, held_out, frame, names) {
  shape <- if (length(by_fold)) dim(by_fold[[1]])[-1] else pmax(lengths(names), 1L)
  scores <- array(NA_real_, c(frame_rows_count(frame), shape), dimnames = c(list(NULL), names))
  for (k in seq_along(held_out)) scores[held_out[[k]], , ] <- by_fold[[k]]
  gains <- lapply(by_fold, attr, "gains") # of a partial likelihood
  if (length(gains) && !is.null(gains[[1]])) attr(scores, "gains") <- do.call(rbind, gains)
  scores
}

# Runs the folds of `data`, a frame or moments, in this session, by future or on a cluster; the results are the same.
# plan$tells_far: is one message wanted about all held-out rows whose columns are bounded?
# The state of the caller's generator is restored unless the fit to all rows or some fold drew random numbers.
cv_refit_run <- function(held_out, data, plan, settings) {
  call <- settings$call
  if (!is.null(data$sources)) data$sources <- sources_odds_read_once(data$sources)
  before <- cv_refit_seed()
  drew <- isTRUE(plan$drew)
  on.exit(if (!drew) cv_refit_restore_seed(before))
  # every fold sets its own seed and this kind of generator: other processes may have another kind
  kind <- as.list(RNGkind())
  folds <- unname(Map(function(label, rows, seed) list(label = label, held_out = rows, seed = c(list(seed), kind)),
                      names(held_out), held_out, sample.int(.Machine$integer.max, length(held_out))))
  progress <- cv_refit_progress(length(folds), settings$parallel)
  checked <- function(outcome, fold) {
    if (length(outcome$warnings) || !is.null(outcome$error)) cv_refit_tell_of_fold(outcome, fold, data, call)
    drew <<- drew || outcome$drew
    outcome
  }
  outcomes <- if (isFALSE(settings$parallel)) {
    lapply(folds, function(fold) checked(cv_refit_run_one(fold, data, plan, progress), fold))
  } else if (isTRUE(settings$parallel)) {
    Map(checked, cv_refit_by_future(folds, data, plan, progress, call), folds)
  } else {
    Map(checked, cv_refit_by_cluster(settings$parallel, folds, data, plan, call), folds)
  }
  if (length(unlist(lapply(outcomes, `[[`, "warnings")))) cv_refit_tell_kinds(outcomes, folds, plan$told)
  if (isTRUE(plan$tells_far)) cv_refit_tell_far(lapply(outcomes, `[[`, "far"), sum(lengths(held_out)))
  lapply(outcomes, `[[`, "scores")
}

# The kind of a warning of this package; "" of any other.
cv_refit_warning_kind <- function(warning) {
  c(grep("^transelect_warning_", class(warning), value = TRUE), "")[1]
}

# Gives the warnings of this package in folds: one for each kind, none of a kind in `told`, the kinds of the fit to all
# rows.
cv_refit_tell_kinds <- function(outcomes, folds, told) {
  messages <- lapply(outcomes, function(outcome) outcome$warnings)
  label <- rep(vapply(folds, `[[`, "", "label"), lengths(messages))
  messages <- unlist(messages)
  for (kind in setdiff(unique(names(messages)), c("", told))) {
    of <- names(messages) == kind
    where <- unique(label[of])
    rlang::warn(
      paste0(if (length(where) > 1) "Folds " else "Fold ", paste(where, collapse = ", "), ": ",
             messages[of][1]),
      class = c("transelect_warning_fold", kind), fold = where
    )
  }
}

# The message about held-out rows whose columns were bounded. by_fold: for each fold what path_predict_tell_far() takes,
# one list for each prediction of its rows; rows: how many rows are held out.
cv_refit_tell_far <- function(by_fold, rows) {
  by_fold <- Filter(length, by_fold)
  if (!length(by_fold)) return(invisible())
  far <- do.call(rbind, lapply(by_fold, function(said) {
    each <- do.call(rbind, lapply(said, function(far) as.data.frame(far[c("label", "away", "count")])))
    stats::aggregate(each[c("away", "count")], each["label"], max)
  }))
  outside <- sum(vapply(by_fold, function(said) sum(Reduce(`|`, lapply(said, `[[`, "outside"))), 0))
  label <- unique(far$label)
  of <- factor(far$label, label)
  path_predict_tell_far(list(
    label = label, away = as.vector(tapply(far$away, of, max)), count = as.vector(tapply(far$count, of, sum)),
    outside = seq_len(rows) <= outside, bound = by_fold[[1L]][[1L]]$bound
  ), held_out = TRUE)
}

# Gives the error or the warnings of a fold, with its number.
cv_refit_tell_of_fold <- function(outcome, fold, data, call) {
  for (message in outcome$warnings[names(outcome$warnings) == ""]) {
    rlang::warn(
      paste0("Fold ", fold$label, ": ", message),
      class = "transelect_warning_fold", fold = fold$label
    )
  }
  if (is.null(outcome$error)) return(invisible())
  rows <- if (inherits(data, "moments")) sum(data$cells$n[-fold$held_out]) else
    frame_rows_count(data) - length(fold$held_out)
  absent <- if (is.factor(data$y)) setdiff(levels(data$y), as.character(data$y[-fold$held_out]))
  cli::cli_abort(c(
    "The fit without fold {fold$label} ({rows} row{?s}) failed.",
    x = if (length(absent) > 0) "{cli::qty(absent)}Class{?es} {.val {absent}} {?has/have} no row
      outside fold {fold$label}.",
    i = if (length(absent) > 0) "Give {.arg foldid} so that every class stays in every training
      part, or drop the class."
  ), class = c("transelect_error_fold", "transelect_error"), call = call,
  parent = outcome$error, fold = fold$label)
}

cv_refit_by_future <- function(folds, data, plan, progress, call) {
  rlang::check_installed("future.apply", reason = "for `parallel = TRUE`.", call = call)
  tryCatch(
    future.apply::future_lapply(
      # folds set their own seeds
      folds, cv_refit_run_one, data = data, plan = plan, progress = progress, future.seed = NULL
    ),
    error = function(error) {
      cli::cli_abort(c(
        "The folds could not be run under the current {.fn future::plan}.",
        i = "Where the data are too large for it, raise
          {.code options(future.globals.maxSize = )}; or use {.code parallel = FALSE}."
      ), class = c("transelect_error_parallel", "transelect_error"), call = call, parent = error)
    }
  )
}

cv_refit_by_cluster <- function(cluster, folds, data, plan, call) {
  package <- utils::packageName()
  asked <- function(code) {
    tryCatch(code, error = function(error) {
      message <- conditionMessage(error)
      abort_input("The folds could not be run on the cluster {.arg parallel}: {message}", "parallel",
                  i = "A node may have stopped, for lack of memory too. Make a new cluster, or give
                       {.code parallel = FALSE}.", call = call)
    })
  }
  # attached, so that a function of the user's finds the methods
  able <- asked(parallel::clusterCall(cluster, base::require, package, character.only = TRUE, quietly = TRUE))
  if (!all(unlist(able))) {
    abort_input(
      "{sum(!unlist(able))} node{?s} of {.arg parallel}, a cluster, cannot load {package}.",
      "parallel",
      i = "Install it there, or give the nodes its library:
        {.code parallel::clusterCall(cluster, function(paths) .libPaths(paths), .libPaths())}.",
      call = call
    )
  }
  asked(parallel::parLapplyLB(cluster, folds, cv_refit_run_one, data = data, plan = plan, chunk.size = 1))
}

# A function to call after each fold, for progress; NULL on a cluster, whose nodes do not send conditions.
cv_refit_progress <- function(n_folds, parallel, envir = rlang::caller_env()) {
  if (inherits(parallel, "cluster")) return(NULL)
  if (isNamespaceLoaded("progressr")) {
    progress_silence_nested(envir)
    return(progressr::progressor(steps = n_folds, envir = envir))
  }
  tell <- if (isFALSE(parallel)) progress_new("Folds", n_folds, envir)
  done <- 0
  if (!is.null(tell)) function() tell(done <<- done + 1)
}

# One fold, on any machine, as a list: its value and whether it drew random numbers, or its error; its warnings; and
# `far`, what path_predict_tell_far() would say of each prediction.
cv_refit_run_one <- function(fold, data, plan, progress = NULL) {
  said <- character()
  far <- list()
  progress_silence_nested(rlang::current_env())
  old <- cv_refit_seed()
  on.exit(cv_refit_restore_seed(old), add = TRUE)
  suppressWarnings(do.call(set.seed, fold$seed)) # set.seed() warns of sample.kind = "Rounding"
  start <- cv_refit_seed()
  outcome <- tryCatch(
    withCallingHandlers(
      list(scores = cv_refit_fold_scores(data, fold, plan), drew = !identical(cv_refit_seed(), start)),
      warning = function(warning) {
        # a search that the user interrupts returns what it has found and warns; cross-validation stops
        if (inherits(warning, "transelect_warning_interrupt")) rlang::interrupt()
        text <- stats::setNames(conditionMessage(warning), cv_refit_warning_kind(warning))
        if (!text %in% said) said <<- c(said, text)
        tryInvokeRestart("muffleWarning")
      },
      transelect_far = function(condition) {
        far <<- c(far, list(condition$far))
        invokeRestart("heard_far")
      }
    ),
    error = function(error) list(error = error)
  )
  if (!is.null(progress)) progress()
  c(outcome, list(warnings = said, far = far))
}

# The result of a fold: of a frame the scores of its rows, of moments its losses (cv-moments.R).
cv_refit_fold_scores <- function(data, fold, plan) UseMethod("cv_refit_fold_scores")

#' @export
cv_refit_fold_scores.transfer_frame <- function(data, fold, plan) {
  kept <- frame_rows(data, setdiff(seq_len(frame_rows_count(data)), fold$held_out))
  path <- cv_refit_fold_path(kept, plan)
  path$bound <- plan$bound %||% path$bound
  scores <- cv_scores_of_grid(path, frame_rows(data, plan$together %||% fold$held_out), plan$grid)
  if (is.null(plan$together)) scores else cv_scores_with_gains(scores, data, fold$held_out, plan$together)
}

# The path of the training rows of a fold, at the times of the path on all rows where that has times. A function of the
# user's that does not hand its `...` on makes a path with other times, which is then fitted again at these times.
cv_refit_fold_path <- function(data, plan) {
  times <- plan$grid$points$t
  points <- if (!is.null(times)) plan$grid$points
  path <- cv_user_fit_checked(plan$path, data, points)
  rows <- if (inherits(data, "moments")) sum(data$cells$n) else frame_rows_count(data)
  if (is.null(times) || !is.null(path$settings$times) || is.null(path$settings$given)) return(path)
  if (is.null(path$points$t)) {
    abort_input("{.arg fit} returned different kinds of path for all rows and for a fold.", "fit",
                i = "Call the same method for all rows and for each fold.", call = quote(fit()))
  }
  # where the function does more than to call the method, this fit would not be that of the function
  lost <- if (path$nobs < rows) "leaves rows out" else {
    again <- cv_user_fit_without_messages(refit(path, data))
    if (!isTRUE(all.equal(again[c("beta", "a0")], path[c("beta", "a0")]))) "changes the path of its method"
  }
  if (!is.null(lost)) {
    abort_input("{.arg fit} {lost} and does not pass {.arg ...} on to the method.", "fit",
                i = "Write {.code function(x, ...)} and give {.arg ...} to the method: these arguments say at which
                     times the path of a fold is needed.", call = quote(fit()))
  }
  cv_user_fit_without_messages(refit(path, data, points = points))
}

# Runs several fits to the same rows; a message that one of them has given is not repeated.
cv_refit_messages_once <- function(expr) {
  said <- character()
  withCallingHandlers(expr, message = function(message) {
    if (conditionMessage(message) %in% said) tryInvokeRestart("muffleMessage")
    said <<- c(said, conditionMessage(message))
  })
}
