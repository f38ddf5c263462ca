# The folds of cv_path(), drawn or given, and the loop over them: a fit without the fold, then the scores of the fold's
# rows, or the losses of its moments.

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

# The response as a factor, whose classes are balanced over the folds, or as numbers, which are not.
fold_response <- function(y, call) {
  y <- plain_number(y)
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

# The stratum of every row, an integer: classes, and domains within classes. Rows are dealt to the folds in turn,
# stratum after stratum, so the folds have the same number of rows of a class, and of a domain in a class, to within
# one.
fold_strata <- function(y, domain) {
  class <- if (is.factor(y)) as.integer(y) else rep_len(1L, length(y))
  if (is.null(domain)) class else (class - 1L) * nlevels(domain) + as.integer(domain)
}

# The folds that the user gives, checked, one for each of n rows.
check_foldid <- function(foldid, n, call) {
  foldid <- plain_number(foldid)
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

# A foldid with an entry for every row of the data, without the rows that subset, na.action or a weight of 0 leave out.
drop_unused_rows <- function(foldid, frame) {
  if (length(foldid) == frame_nobs(frame) || length(foldid) != frame$n_all) return(foldid)
  foldid[frame$rows]
}

# The fold of every row from resamples of rsample, such as vfold_cv(); an error where a row is not held out once.
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

# The fold of every row of a frame, as a factor: given by the user, the domain (`by`), `drawn` before, or drawn here. NA
# for rows that are never held out: where the model is for a target, those of other domains; where folds are domains,
# those of domains that the fit to all rows has left out.
frame_foldid <- function(frame, settings, path, by, drawn = NULL) {
  call <- settings$call
  if (!is.null(path$target) && !is.null(frame$domain)) {
    return(target_foldid(frame, settings, which(of_domain(frame, path$target)), by))
  }
  if (!is.null(settings$foldid)) return(check_foldid(drop_unused_rows(settings$foldid, frame), frame_nobs(frame), call))
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

# left: the domains that the fit to all rows has left out.
tell_not_held_out <- function(left) {
  tell(paste0("Not held out: the domain", if (length(left) > 1) "s", " ", in_quotes(left),
              ", which the fit to all rows left out as well."),
       class = "transelect_message_domains")
}

# The response for make_folds(). Of several numeric responses the first, since numbers are not balanced.
response_for_folds <- function(frame) if (is.matrix(frame$y)) frame$y[, 1] else frame$y

# As frame_foldid(), where the model is for a target. own: the rows of the target.
target_foldid <- function(frame, settings, own, by) {
  call <- settings$call
  if (!is.null(by)) {
    abort_input("{.arg by} is {.val {by}}, but the model is for one domain.", "by",
                i = "Leave {.arg by} out: the rows of {.arg target} are held out, those of other
                     domains stay in every training part.", call = call)
  }
  n <- frame_nobs(frame)
  if (!length(own)) return(rep(NA, n))
  foldid <- if (is.null(settings$foldid)) {
    check_nfolds(settings$nfolds, length(own), call)
    make_folds(response_for_folds(frame)[own], settings$nfolds)
  } else {
    foldid <- drop_unused_rows(settings$foldid, frame)
    if (length(foldid) == n) foldid <- foldid[own]
    check_foldid(foldid, length(own), call)
  }
  all <- rep(foldid[NA_integer_], n)
  all[own] <- foldid
  all
}

# ---- the loop ---------------------------------------------------------------------------------------

# The points at which folds predict: list(points, ..., average), the points of the path on all rows, one lambda after
# the other, and whether the average of the path is predicted, too.
path_grid <- function(path) {
  points <- path$points[intersect(c("step", "t", "lambda"), names(path$points))]
  list(
    points = points, steps = steps_by_lambda(points), average = path_average(path),
    classes = if (path_is_multi(path)) responses(path)
  )
}

# What refit() needs to make a path again by `fit`, a method or a function of the user's, with the arguments `tuning`:
# an object with a refit() of its own, or what refit.made_path() needs. Fits to a part of the rows are not calibrated.
path_to_refit <- function(path, fit, tuning) {
  for (class in setdiff(class(path), "transfer_path")) {
    if (!is.null(utils::getS3method("refit", class, optional = TRUE))) return(path)
  }
  if (isTRUE(path$settings$given$prob) && isTRUE(tuning$prob)) tuning$prob <- NULL
  structure(list(fit = fit, tuning = tuning, map = path$settings$map), class = "made_path")
}

# data: a frame or moments. `points`, of a path with times, is an argument of the method; a function of the user's hands
# it on to the method in its `...`.
#' @export
refit.made_path <- function(object, data, points = NULL, ...) {
  path <- object
  if (!is.null(path$map)) data$x <- map_at_rows(path$map, data$x$x) # whose stumps `keep` named on all rows
  tuning <- path$tuning
  if (is.null(points) || !any(c("...", "points") %in% names(formals(args(path$fit))))) {
    return(fit_path(path$fit, data, tuning))
  }
  tryCatch(
    fit_path(path$fit, data, c(tuning, list(points = points))),
    transelect_error_argument = function(error) {
      # the function hands its `...` to another method, too, which has no argument `points`
      if (!grepl("points", conditionMessage(error), fixed = TRUE)) rlang::cnd_signal(error)
      fit_path(path$fit, data, tuning)
    }
  )
}

# The path that `fit`, a method or a function of the user's, makes of a frame or moments; an error where it makes none.
# call: shown in errors of the method. The call of `fit` has names in place of the data, which a path's `call` would
# keep.
fit_path <- function(fit, data, tuning, call = quote(fit())) {
  if (!is.function(fit)) abort_kind(fit, "fit", "Give a method as a function: {.code fit = greedytl}.", call)
  rlang::local_error_call(call) # for errors that name the function that was called
  mend <- "Give a method of this package, {.code fit = tlcp}, or a function that calls one with its
    first argument: {.code function(x, ...) tlcp(x, criterion = \"BIC\", ...)}."
  path <- tryCatch(do.call("fit", c(list(quote(data)), tuning)), error = function(error) {
    if (inherits(error, "rlang_error")) rlang::cnd_signal(error)
    if (inherits(data, "transfer_frame")) as_family_frame(data, NULL, call) # whose errors say more
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
# path_to_refit(), path_grid() and the kinds of warnings that the fit to all rows has given.
out_of_fold <- function(frame, held_out, plan, settings) {
  by_fold <- run_folds(held_out, frame, plan, settings)
  scores_of_folds(by_fold, held_out, frame, list(plan$grid$classes, score_names(plan$grid)))
}

current_seed <- function() globalenv()[[".Random.seed"]]

restore_seed <- function(seed) {
  if (is.null(seed)) suppressWarnings(rm(".Random.seed", envir = globalenv()))
  else assign(".Random.seed", seed, envir = globalenv())
}

# The scores of all folds, a list, in one array by row, NA for rows that no fold holds out. There may be no fold.
scores_of_folds <- function(by_fold, held_out, frame, names) {
  shape <- if (length(by_fold)) dim(by_fold[[1]])[-1] else pmax(lengths(names), 1L)
  scores <- array(NA_real_, c(frame_nobs(frame), shape), dimnames = c(list(NULL), names))
  for (k in seq_along(held_out)) scores[held_out[[k]], , ] <- by_fold[[k]]
  gains <- lapply(by_fold, attr, "gains") # of a partial likelihood
  if (length(gains) && !is.null(gains[[1]])) attr(scores, "gains") <- do.call(rbind, gains)
  scores
}

# Runs the folds of `data`, a frame or moments, in this session, by future or on a cluster; the results are the same.
# The state of the caller's generator is restored unless the fit to all rows or some fold drew random numbers.
run_folds <- function(held_out, data, plan, settings) {
  call <- settings$call
  before <- current_seed()
  drew <- isTRUE(plan$drew)
  on.exit(if (!drew) restore_seed(before))
  # every fold sets its own seed and this kind of generator: other processes may have another kind
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

# The kind of a warning of this package; "" of any other.
warning_kind <- function(warning) {
  c(grep("^transelect_warning_", class(warning), value = TRUE), "")[1]
}

# Gives the warnings of this package in folds: one for each kind, none of a kind in `told`, the kinds of the fit to all
# rows.
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

# Gives the error or the warnings of a fold, with its number.
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
      folds, run_fold, data = data, plan = plan, progress = progress, future.seed = NULL # folds set their own seeds
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
  asked(parallel::parLapplyLB(cluster, folds, run_fold, data = data, plan = plan, chunk.size = 1))
}

# A function to call after each fold, for progress; NULL on a cluster, whose nodes do not send conditions.
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

# One fold, on any machine, as a list: its value and whether it drew random numbers, or its error; and its warnings.
run_fold <- function(fold, data, plan, progress = NULL) {
  said <- character()
  silence_nested(rlang::current_env())
  old <- current_seed()
  on.exit(restore_seed(old), add = TRUE)
  suppressWarnings(do.call(set.seed, fold$seed)) # set.seed() warns of sample.kind = "Rounding"
  start <- current_seed()
  outcome <- tryCatch(
    withCallingHandlers(
      list(scores = fold_scores(data, fold, plan), drew = !identical(current_seed(), start)),
      warning = function(warning) {
        # a search that the user interrupts returns what it has found and warns; cross-validation stops
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
  path <- fold_path(kept, plan)
  path$bound <- plan$bound %||% path$bound
  scores <- grid_scores(path, frame_rows(data, plan$together %||% fold$held_out), plan$grid)
  if (is.null(plan$together)) scores else scores_with_gains(scores, data, fold$held_out, plan$together)
}

# The path of the training rows of a fold, at the times of the path on all rows where that has times. A function of the
# user's that does not hand its `...` on makes a path with other times, which is then fitted again at these times.
fold_path <- function(data, plan) {
  times <- plan$grid$points$t
  points <- if (!is.null(times)) plan$grid$points
  path <- checked_refit(plan$path, data, points)
  rows <- if (inherits(data, "moments")) sum(data$cells$n) else frame_nobs(data)
  if (is.null(times) || !is.null(path$settings$times) || is.null(path$settings$given)) return(path)
  if (is.null(path$points$t)) {
    abort_input("{.arg fit} makes a path with times of all rows, and one with steps of the rows of a fold.", "fit",
                i = "Call the same method whatever the rows.", call = quote(fit()))
  }
  # where the function does more than to call the method, this fit would not be that of the function
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

# Runs several fits to the same rows; a message that one of them has given is not repeated.
with_messages_once <- function(expr) {
  said <- character()
  withCallingHandlers(expr, message = function(message) {
    if (conditionMessage(message) %in% said) tryInvokeRestart("muffleMessage")
    said <<- c(said, conditionMessage(message))
  })
}
