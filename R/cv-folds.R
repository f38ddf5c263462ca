# The folds of cv_path(), drawn or given, and the loop over them: a fit without the fold, and the scores of its rows or
# the losses of its moments.

#' Draw folds for cross-validation
#'
#' Divides the rows at random into folds of equal size (to within one row). With a factor `y` every
#' class is spread over the folds as evenly as its size allows, and with `domain` every class within
#' every domain. The rows of a class of two rows or more are never all in one fold,
#' so that it occurs in every training set.
#'
#' This is the only place where cross-validation draws folds, and it calls R's random number
#' generator once ([sample.int()] of the number of rows): `set.seed()` before it makes the folds
#' reproducible. To compare several fits on the same folds, draw them once and give them to each
#' [cv_path()] as `foldid`.
#'
#' @param y The response: a factor (or a character or logical vector)
#'   is balanced over the folds, numbers are not. No missing values.
#' @param nfolds Number of folds, from 2 to the number of rows; the number of rows itself leaves one
#'   row out at a time.
#' @param domain NULL, or for each row the name of the domain it comes from: every domain is then
#'   spread over the folds too. (To leave whole domains out, use `cv_path(by = "domain")`.)
#' @param ... Not used; anything given is an error.
#' @return An integer vector with one entry for each row: the fold, 1 to `nfolds`, in which the row
#'   is held out.
#' @references Kohavi (1995), A study of cross-validation and bootstrap for accuracy estimation and
#'   model selection, *IJCAI* 14, 1137-1143: why classes are kept in balance.
#' @seealso [cv_path()]
#' @examples
#' set.seed(1)
#' foldid <- make_folds(iris$Species, nfolds = 5)
#' table(foldid, iris$Species)
#' @export
make_folds <- function(y, nfolds = 10, domain = NULL, ...) {
  call <- check_arguments()
  y <- fold_response(y, call)
  n <- length(y)
  check_nfolds(nfolds, n, call)
  stratum <- fold_strata(y, check_domain(domain, n, call))
  dealt <- order(stratum, sample.int(n))
  foldid <- integer(n)
  foldid[dealt] <- rep_len(seq_len(nfolds), n)
  foldid
}

# The response as a factor (to be balanced) or as numbers (only their count matters).
fold_response <- function(y, call) {
  if (is.character(y) || is.logical(y)) y <- factor(y)
  if (!(is.factor(y) || is.numeric(y)) || !is.null(dim(y))) {
    abort_kind(y, "y", "Give a numeric vector or a factor with one entry for each row.", call)
  }
  if (anyNA(y)) {
    abort_input("{.arg y} has {sum(is.na(y))} missing value{?s}.", "y",
                i = "Leave these rows out of {.arg y} first.", call = call)
  }
  y
}

check_nfolds <- function(nfolds, n, call) {
  if (!rlang::is_integerish(nfolds, n = 1, finite = TRUE) || nfolds < 2) {
    abort_value(nfolds, "nfolds", "Give one whole number, at least 2.", call)
  }
  if (nfolds > n) {
    abort_input("{.arg nfolds} is {nfolds}, but there {cli::qty(n)}{?is/are} only {n} row{?s}.", "nfolds",
                i = if (n > 1) "Give {.code nfolds = {n}} (leave one row out) or fewer folds." else "Give more rows.",
                call = call)
  }
}

# Strata as integers, classes first and domains within them. Rows are dealt to the folds in this
# order without starting afresh, so a class, and a domain within a class, is even up to one row.
fold_strata <- function(y, domain) {
  class <- if (is.factor(y)) as.integer(y) else rep_len(1L, length(y))
  if (is.null(domain)) class else (class - 1L) * nlevels(domain) + as.integer(domain)
}

# Folds that the user gives, one for every row of the frame.
check_foldid <- function(foldid, frame, call) {
  n <- frame_nobs(frame)
  foldid <- drop_unused_rows(foldid, frame)
  if (!is.atomic(foldid) || !is.null(dim(foldid)) || length(foldid) != n || anyNA(foldid)) {
    abort_rows(foldid, "foldid",
               "Give a vector with the fold of each of the {n} row{?s} used; {.arg subset} leaves rows out.", call)
  }
  if (all(foldid == foldid[[1]])) {
    abort_input(
      "{.arg foldid} has one fold only: {.val {foldid[[1]]}}.", "foldid",
      i = "Give two or more, so that every fold leaves rows to train on.",
      call = call
    )
  }
  foldid
}

# A foldid given for all rows of the data follows the rows that are used (subset, na.action,
# weights of zero).
drop_unused_rows <- function(foldid, frame) {
  if (length(foldid) == frame_nobs(frame) || length(foldid) != frame$n_all) return(foldid)
  foldid[frame$rows]
}

# The folds of rsample's vfold_cv() and its kin, where every row is held out once.
foldid_of_rset <- function(foldid, call) {
  rlang::check_installed("rsample", "to read folds made by it.", call = call)
  held_out <- lapply(foldid$splits, as.integer, data = "assessment")
  n <- nrow(foldid$splits[[1]]$data)
  times <- tabulate(unlist(held_out), n)
  if (any(times != 1)) {
    other <- which(times != 1)[1]
    abort_input("{.arg foldid} is a {.cls {class(foldid)[1]}} that holds out row {other} {times[other]} time{?s}.",
                "foldid", i = "Give resamples that hold out every row once, as {.fn rsample::vfold_cv} (without
                  {.arg repeats}) and {.fn rsample::group_vfold_cv} make them.", call = call)
  }
  labels <- foldid$id
  out <- factor(rep(NA, n), labels)
  out[unlist(held_out)] <- rep(labels, lengths(held_out))
  out
}

# The fold of every row of a frame: as given, one fold a domain (where `by` says so), or drawn, perhaps before.
# Where the model is for one domain, the target, only its rows are held out: others have NA. Of folds that are
# domains, those that the fit has left out have NA.
frame_foldid <- function(frame, settings, path, by, drawn = NULL) {
  call <- settings$call
  if (!is.null(path$target) && !is.null(frame$domain)) {
    return(target_foldid(frame, settings, which(frame$domain %in% path$target), by))
  }
  if (!is.null(settings$foldid)) return(check_foldid(settings$foldid, frame, call))
  if (is.null(by)) {
    check_nfolds(settings$nfolds, frame_nobs(frame), call)
    return(drawn %||% make_folds(response_for_folds(frame), settings$nfolds, frame$domain))
  }
  if (is.null(frame$domain)) {
    abort_input(
      "{.code by = \"domain\"} leaves one domain out at a time, but there is no {.arg domain}.",
      "domain",
      i = "Give {.arg domain}: for each row the name of where it comes from.",
      call = call
    )
  }
  domain <- used_levels(frame$domain)
  left <- if (!is.null(path$domains)) setdiff(levels(domain), path$domains)
  if (length(left)) {
    tell_not_held_out(left)
    domain <- factor(domain, setdiff(levels(domain), left))
  }
  if (nlevels(domain) < 2) {
    abort_input(
      "{.arg domain} names one domain only: {.val {levels(domain)}}.", "domain",
      i = "Leave {.arg by} out to use plain folds: {.code by = \"domain\"} needs two domains or more.",
      call = call
    )
  }
  domain
}

# left: domains that the fit to all rows does not have.
tell_not_held_out <- function(left) {
  tell(paste0("Not held out: the domain", if (length(left) > 1) "s", " ", in_quotes(left),
              ", which the fit to all rows left out as well."),
       class = "transelect_message_domains")
}

# The response by which rows are dealt to folds. Classes are balanced over the folds; numbers are not, so one of
# several responses will do.
response_for_folds <- function(frame) if (is.matrix(frame$y)) frame$y[, 1] else frame$y

# own: the rows of the target.
target_foldid <- function(frame, settings, own, by) {
  call <- settings$call
  if (!is.null(by)) {
    abort_input("{.arg by} is {.val {by}}, but the model is for one domain.", "by",
                i = "Leave {.arg by} out: the rows of {.arg target} are held out, those of other
                     domains stay in every training part.", call = call)
  }
  out <- rep(NA, frame_nobs(frame))
  if (!length(own)) return(out)
  out[own] <- if (is.null(settings$foldid)) {
    check_nfolds(settings$nfolds, length(own), call)
    make_folds(response_for_folds(frame)[own], settings$nfolds)
  } else {
    foldid <- drop_unused_rows(settings$foldid, frame)
    if (length(foldid) == frame_nobs(frame)) foldid <- foldid[own]
    check_foldid(foldid, frame_rows(frame, own), call)
  }
  out
}

# ---- the loop ---------------------------------------------------------------------------------------

# Where predictions are taken: the points of the path on all rows, one lambda after the other, and
# whether the average over each path is asked for too.
path_grid <- function(path) {
  points <- path$points[intersect(c("step", "t", "lambda"), names(path$points))]
  list(
    points = points, steps = steps_by_lambda(points), average = path_average(path),
    classes = if (path_is_multi(path)) responses(path)
  )
}

# What refit() needs to make a path again by `fit`, a method or a function of the user's, with the arguments `tuning`. A
# class with a refit() of its own needs no function, but may need all of the path. Fits to part of the rows are not
# calibrated themselves.
made_by <- function(path, fit, tuning) {
  for (class in setdiff(class(path), "transfer_path")) {
    if (!is.null(utils::getS3method("refit", class, optional = TRUE))) return(path)
  }
  if (isTRUE(path$settings$given$prob) && isTRUE(tuning$prob)) tuning$prob <- NULL
  structure(list(fit = fit, tuning = tuning, map = path$settings$map), class = "made_path")
}

# data: a frame or moments. The points at which a path with times is wanted are an argument of its method, which a
# function of the user's hands on with the others in its `...`.
#' @export
refit.made_path <- function(path, data, points = NULL, ...) {
  if (!is.null(path$map)) data$x <- map_on(path$map, data$x$x) # it knows which stumps `keep` named on all rows
  tuning <- path$tuning
  if (is.null(points) || !any(c("...", "points") %in% names(formals(args(path$fit))))) {
    return(fit_path(path$fit, data, tuning))
  }
  tryCatch(
    fit_path(path$fit, data, c(tuning, list(points = points))),
    transelect_error_argument = function(error) {
      # the function's `...` go to another method, too, which has no such argument
      if (!grepl("points", conditionMessage(error), fixed = TRUE)) rlang::cnd_signal(error)
      fit_path(path$fit, data, tuning)
    }
  )
}

# The path that `fit`, a method or a function of the user's, makes of a frame or moments; an error where it makes none.
# Errors of the method are those of `call`. The call is built from names, so that no data get into it.
fit_path <- function(fit, data, tuning, call = quote(fit())) {
  if (!is.function(fit)) abort_kind(fit, "fit", "Give a method as a function: {.code fit = greedytl}.", call)
  rlang::local_error_call(call) # for methods that name the function that called them
  mend <- "Give a method of this package, {.code fit = tlcp}, or a function that calls one with its
    first argument: {.code function(x, ...) tlcp(x, criterion = \"BIC\", ...)}."
  path <- tryCatch(do.call("fit", c(list(quote(data)), tuning)), error = function(error) {
    if (inherits(error, "rlang_error")) rlang::cnd_signal(error)
    message <- conditionMessage(error)
    abort_input("{.arg fit} failed: {message}", "fit", i = mend, call = call)
  })
  if (!inherits(path, "transfer_path")) {
    abort_input("{.arg fit} returned {.obj_type_friendly {path}}.", "fit", i = mend, call = call)
  }
  path
}

# `plan`: what every fold needs, list(path, grid, told): the path as made_by() has it, and the kinds of warnings that
# the fit to all rows has given. Scores as one array, rows x classes x (points, then one average per lambda); one class
# for numbers and for two classes.
out_of_fold <- function(frame, held_out, plan, settings) {
  by_fold <- run_folds(held_out, frame, plan, settings)
  scores_of_folds(by_fold, held_out, frame, list(plan$grid$classes, score_names(plan$grid)))
}

current_seed <- function() globalenv()[[".Random.seed"]]

restore_seed <- function(seed) {
  if (is.null(seed)) suppressWarnings(rm(".Random.seed", envir = globalenv()))
  else assign(".Random.seed", seed, envir = globalenv())
}

# Each fold's scores at the places of its rows. There may be no fold.
scores_of_folds <- function(by_fold, held_out, frame, names) {
  shape <- if (length(by_fold)) dim(by_fold[[1]])[-1] else pmax(lengths(names), 1L)
  scores <- array(NA_real_, c(frame_nobs(frame), shape), dimnames = c(list(NULL), names))
  for (k in seq_along(held_out)) scores[held_out[[k]], , ] <- by_fold[[k]]
  scores
}

# Runs the folds of `data`, a frame or moments, here, by future or on a cluster; the same in each
# case. The caller's generator keeps the draw of the folds' seeds only if some fold drew random numbers.
run_folds <- function(held_out, data, plan, settings) {
  call <- settings$call
  before <- current_seed()
  drew <- FALSE
  on.exit(if (!drew) restore_seed(before))
  # Every fold has a seed, so that fits that draw random numbers give the same in other processes, which may have
  # another generator.
  kind <- as.list(RNGkind())
  folds <- unname(Map(function(label, rows, seed) list(label = label, held_out = rows, seed = c(list(seed), kind)),
                      names(held_out), held_out, sample.int(.Machine$integer.max, length(held_out))))
  progress <- fold_progress(length(folds), settings$parallel)
  checked <- function(outcome, fold) {
    if (length(outcome$warnings) || !is.null(outcome$error)) tell_of_fold(outcome, fold, data, call)
    drew <<- drew || outcome$drew
    outcome
  }
  outcomes <- if (isFALSE(settings$parallel)) {
    lapply(folds, function(fold) checked(run_fold(fold, data, plan, progress), fold))
  } else if (isTRUE(settings$parallel)) {
    Map(checked, future_folds(folds, data, plan, progress, call), folds)
  } else {
    Map(checked, cluster_folds(settings$parallel, folds, data, plan, call), folds)
  }
  if (length(unlist(lapply(outcomes, `[[`, "warnings")))) tell_kinds(outcomes, folds, plan$told)
  lapply(outcomes, `[[`, "scores")
}

# The kind of a warning of this package's own; "" of others.
warning_kind <- function(warning) {
  c(grep("^transelect_warning_", class(warning), value = TRUE), "")[1]
}

# Warnings of one kind are one warning for all folds, and none where the fit on all rows told it.
tell_kinds <- function(outcomes, folds, told) {
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

# What went wrong in a fold is said here, with the number of the fold.
tell_of_fold <- function(outcome, fold, data, call) {
  for (message in outcome$warnings[names(outcome$warnings) == ""]) {
    rlang::warn(
      paste0("Fold ", fold$label, ": ", message),
      class = "transelect_warning_fold", fold = fold$label
    )
  }
  if (is.null(outcome$error)) return(invisible())
  rows <- if (inherits(data, "moments")) sum(data$cells$n[-fold$held_out]) else
    frame_nobs(data) - length(fold$held_out)
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

future_folds <- function(folds, data, plan, progress, call) {
  rlang::check_installed("future.apply", reason = "for `parallel = TRUE`.", call = call)
  tryCatch(
    future.apply::future_lapply(
      folds, run_fold, data = data, plan = plan, progress = progress, future.seed = NULL # folds have their own
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

cluster_folds <- function(cluster, folds, data, plan, call) {
  package <- utils::packageName()
  # attached, as it is here: a function of the user's finds the methods
  able <- parallel::clusterCall(cluster, base::require, package, character.only = TRUE, quietly = TRUE)
  if (!all(unlist(able))) {
    abort_input(
      "{sum(!unlist(able))} node{?s} of {.arg parallel}, a cluster, cannot load {package}.",
      "parallel",
      i = "Install it there, or give the nodes its library:
        {.code parallel::clusterCall(cluster, function(paths) .libPaths(paths), .libPaths())}.",
      call = call
    )
  }
  parallel::parLapplyLB(cluster, folds, run_fold, data = data, plan = plan, chunk.size = 1)
}

# A function to call once a fold. Conditions do not travel from the nodes of a plain cluster.
fold_progress <- function(n_folds, parallel, envir = rlang::caller_env()) {
  if (inherits(parallel, "cluster")) return(NULL)
  if (isNamespaceLoaded("progressr")) {
    silence_nested(envir)
    return(progressr::progressor(steps = n_folds, envir = envir))
  }
  tell <- if (isFALSE(parallel)) new_progress("Folds", n_folds, envir)
  done <- 0
  if (!is.null(tell)) function() tell(done <<- done + 1)
}

# One fold, on whatever machine: its value and whether it drew random numbers, or its error; and its warnings, as
# values.
run_fold <- function(fold, data, plan, progress = NULL) {
  said <- character()
  silence_nested(rlang::current_env()) # on another machine, too
  old <- current_seed()
  on.exit(restore_seed(old), add = TRUE)
  suppressWarnings(do.call(set.seed, fold$seed)) # R warns of its former way to sample
  start <- current_seed()
  outcome <- tryCatch(
    withCallingHandlers(
      list(scores = fold_scores(data, fold, plan), drew = !identical(current_seed(), start)),
      warning = function(warning) {
        # a search that the user stopped hands back what it has; cross-validation stops
        if (inherits(warning, "transelect_warning_interrupt")) rlang::interrupt()
        own <- stats::setNames(conditionMessage(warning), warning_kind(warning))
        if (!own %in% said) said <<- c(said, own)
        tryInvokeRestart("muffleWarning")
      }
    ),
    error = function(error) list(error = error)
  )
  if (!is.null(progress)) progress()
  c(outcome, list(warnings = said))
}

# The result of a fold: of a frame the scores of its rows, of moments its losses (cv-moments.R).
fold_scores <- function(data, fold, plan) UseMethod("fold_scores")

#' @export
fold_scores.transfer_frame <- function(data, fold, plan) {
  kept <- frame_rows(data, setdiff(seq_len(frame_nobs(data)), fold$held_out))
  grid_scores(fold_path(kept, plan), frame_rows(data, fold$held_out), plan$grid)
}

# The path of the training part of a fold, at the times of the path on all rows where it has times. A function that does
# not hand its `...` on makes one that has not: then what it made is fitted again, at these times.
fold_path <- function(data, plan) {
  times <- plan$grid$points$t
  points <- if (!is.null(times)) plan$grid$points
  path <- without_messages(refit(plan$path, data, points = points))
  rows <- if (inherits(data, "moments")) sum(data$cells$n) else frame_nobs(data)
  if (path$nobs > rows) {
    abort_input("{.arg fit} returns a path of {path$nobs} rows, and was given {rows}.", "fit",
                i = "Fit to the first argument of the function: a path of other rows has seen those held out.",
                call = quote(fit()))
  }
  if (is.null(times) || !is.null(path$settings$times) || is.null(path$settings$given)) return(path)
  if (is.null(path$points$t)) {
    abort_input("{.arg fit} makes a path with times of all rows, and one with steps of the rows of a fold.", "fit",
                i = "Call the same method whatever the rows.", call = quote(fit()))
  }
  # what the function did besides calling its method would be lost
  lost <- if (path$nobs < rows) "leaves rows out" else {
    own <- without_messages(refit(path, data))
    if (!isTRUE(all.equal(own[c("beta", "a0")], path[c("beta", "a0")]))) "changes the path of its method"
  }
  if (!is.null(lost)) {
    abort_input("{.arg fit} {lost} and does not hand its {.arg ...} on.", "fit",
                i = "Write {.code function(x, ...)} and give {.arg ...} to the method: the times at which the path of a
                     fold is wanted are among these arguments.", call = quote(fit()))
  }
  without_messages(refit(path, data, points = points))
}

# Runs a fit without the messages of this package: the fit to all rows has given them.
without_messages <- function(expr) {
  withCallingHandlers(expr, message = function(message) {
    if (any(startsWith(class(message), "transelect_message"))) tryInvokeRestart("muffleMessage")
  })
}

# Runs several fits to the same rows: what one of them has said no other one says again.
with_messages_once <- function(expr) {
  said <- character()
  withCallingHandlers(expr, message = function(message) {
    if (conditionMessage(message) %in% said) tryInvokeRestart("muffleMessage")
    said <<- c(said, conditionMessage(message))
  })
}

# Scores of new rows at the points of the grid, from the path of a fold.
grid_scores <- function(path, frame, grid) {
  parts <- at_grid(path, grid, function(step, lambda) {
    steps <- unique(step)
    scores_at(path, frame, steps, lambda, grid)[, , match(step, steps), drop = FALSE]
  })
  n_points <- sum(vapply(parts, function(part) dim(part)[[3]], integer(1)))
  array(unlist(parts), c(dim(parts[[1]])[1:2], n_points))
}

# What take(step, lambda) says of a path at the points of the grid, lambda by lambda, then of its averages. A path that
# ends earlier carries its last step forward.
at_grid <- function(path, grid, take) {
  own_steps <- steps_by_lambda(path$points)
  lambdas <- unique(path$points$lambda)
  if (length(lambdas) != length(grid$steps)) {
    abort_input(
      "The path of a fold has {length(lambdas)} lambda{?s}, not {length(grid$steps)}.", "lambda",
      i = "Give {.arg lambda} as numbers, so that all folds share them.",
      call = rlang::current_env()
    )
  }
  # with one lambda none is named, since it is NA where the method has none
  lambda_of <- function(j) if (length(lambdas) > 1) lambdas[[j]]
  at_points <- lapply(seq_along(lambdas), function(j) {
    own <- own_steps[[j]]
    take(own[pmax(findInterval(grid$steps[[j]], own), 1L)], lambda_of(j))
  })
  c(at_points, if (grid$average) lapply(seq_along(lambdas), function(j) take("average", lambda_of(j))))
}

# predict() gives a vector, a matrix or an array; the numbers lie in the same order in each. Losses
# expect scores of classes coded -1 and 1; scores of classes coded 0 and 1 are rescaled to that.
scores_at <- function(path, frame, step, lambda, grid) {
  value <- stats::predict(path, frame, step = step, lambda = lambda, type = "link")
  value <- scores_of_signs(path, value)
  array(as.numeric(value), c(frame_nobs(frame), max(1L, length(grid$classes)), length(step)))
}

# Names of the points: the step, with several lambdas the lambda too.
score_names <- function(grid) {
  lambdas <- unique(grid$points$lambda)
  steps <- c(grid$points$step, if (grid$average) rep("average", length(lambdas)))
  if (length(lambdas) == 1) return(as.character(steps))
  at <- c(grid$points$lambda, if (grid$average) lambdas)
  paste(format(at, digits = 3, trim = TRUE), steps, sep = ":")
}

# rows x points where there is one score for each row, else rows x classes x points.
drop_single_class <- function(scores) {
  if (dim(scores)[[2]] > 1) return(scores)
  matrix(scores, nrow(scores), dimnames = dimnames(scores)[c(1, 3)])
}
