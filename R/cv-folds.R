# The folds of cv_path(), and the loop over them: predictions of rows by paths that have not seen them.

# The fold of every row of a frame: as given, one fold a domain, or drawn. Where the model is for
# one domain, the target, only its rows are held out: others have NA. Of folds that are domains, those
# that the fit has left out have NA.
frame_foldid <- function(frame, settings, path) {
  call <- settings$call
  if (!is.null(path$target) && !is.null(frame$domain)) {
    return(target_foldid(frame, settings, which(frame$domain %in% path$target)))
  }
  if (!is.null(settings$foldid)) return(check_foldid(settings$foldid, frame, call))
  if (is.null(settings$by)) {
    check_nfolds(settings$nfolds, frame_nobs(frame), call)
    return(settings$drawn %||% make_folds(response_for_folds(frame), settings$nfolds, frame$domain))
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
  kept <- fold_domains(levels(domain), path)
  if (length(kept) < nlevels(domain)) domain <- factor(domain, kept)
  if (nlevels(domain) < 2) {
    abort_input(
      "{.arg domain} names one domain only: {.val {levels(domain)}}.", "domain",
      i = "Leave {.arg by} out to use plain folds: {.code by = \"domain\"} needs two domains or more.",
      call = call
    )
  }
  domain
}

# The response by which rows are dealt to folds. Classes are balanced over the folds; numbers are not, so one of
# several responses will do.
response_for_folds <- function(frame) if (is.matrix(frame$y)) frame$y[, 1] else frame$y

# Domains that are held out in turn: those that the fit to all rows has. A message names the others.
fold_domains <- function(names, path) {
  left <- setdiff(names, path$domains)
  if (is.null(path$domains) || !length(left)) return(names)
  tell(paste0("Not held out: the domain", if (length(left) > 1) "s", " ", in_quotes(left),
              ", which the fit to all rows left out as well."),
       class = "transelect_message_domains")
  setdiff(names, left)
}

# own: the rows of the target.
target_foldid <- function(frame, settings, own) {
  call <- settings$call
  if (!is.null(settings$by)) {
    abort_input("{.arg by} is {.val {settings$by}}, but the model is for one domain.", "by",
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
# class with a refit() of its own needs no function, but may need all of the path.
made_by <- function(path, fit, tuning) {
  if (!is.null(utils::getS3method("refit", class(path)[1], optional = TRUE))) return(path)
  structure(list(settings = path$settings, method = class(path)[1], fit = fit, tuning = tuning), class = "made_path")
}

# data: a frame or moments. A function may make several fits: `refit` says which of them is made again, by its method
# and arguments, and at which points.
#' @export
refit.made_path <- function(path, data, points = NULL, ...) {
  data$refit <- list(method = path$method, given = path$settings$given, points = points)
  if (!is.null(path$settings$map$kept)) data$x$kept <- path$settings$map$kept
  fit_path(path$fit, data, path$tuning)
}

# The method applied to a frame or moments; its errors are those of `call`. The call is built from names, so
# that no data get into it.
fit_path <- function(fit, data, tuning, call = quote(fit())) {
  run_fit(fit, function() {
    rlang::local_error_call(call) # for methods that name the function that called them
    do.call("fit", c(list(quote(data)), tuning))
  }, call)
}

# The path that `run` makes with `fit`, which may be a function of the user's; an error where it makes none.
run_fit <- function(fit, run, call) {
  rlang::local_error_call(call)
  mend <- "Give a method of this package, {.code fit = tlcp}, or a function that calls one with its
    first argument: {.code function(x, ...) tlcp(x, criterion = \"BIC\", ...)}."
  path <- tryCatch(run(), error = function(error) {
    if (inherits(error, "rlang_error")) rlang::cnd_signal(error)
    message <- conditionMessage(error)
    abort_input("{.arg fit} failed: {message}", "fit",
                i = mend, call = call)
  })
  if (!inherits(path, "transfer_path")) {
    abort_input("{.arg fit} returned {.obj_type_friendly {path}}.", "fit", i = mend, call = call)
  }
  path
}

# `plan`: what every fold needs, list(path, grid): the path as made_by() has it. Scores as one array, rows x classes x
# (points, then one average per lambda); one class for numbers and for two classes.
out_of_fold <- function(frame, held_out, plan, settings) {
  by_fold <- run_folds(held_out, frame, plan, settings)
  scores_of_folds(by_fold, held_out, frame, list(plan$grid$classes, score_names(plan$grid)))
}

# Every fold has a seed, so that fits that draw random numbers give the same in other processes, which may have another
# generator.
fold_list <- function(held_out) {
  kind <- as.list(RNGkind())
  unname(Map(function(label, rows, seed) list(label = label, held_out = rows, seed = c(list(seed), kind)),
             names(held_out), held_out, sample.int(.Machine$integer.max, length(held_out))))
}

# list(scores, drew): the value of `expr`, and whether it drew random numbers.
with_fold_seed <- function(seed, expr) {
  old <- current_seed()
  on.exit(restore_seed(old))
  suppressWarnings(do.call(set.seed, seed)) # R warns of its former way to sample
  start <- current_seed()
  scores <- expr
  list(scores = scores, drew = !identical(current_seed(), start))
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
  folds <- fold_list(held_out)
  progress <- fold_progress(length(folds), settings$parallel)
  checked <- function(outcome, fold) {
    drew <<- drew || isTRUE(outcome$drew)
    fold_checked(outcome, fold, data, call)
  }
  outcomes <- if (isFALSE(settings$parallel)) {
    lapply(folds, function(fold) checked(run_fold(fold, data, plan, progress), fold))
  } else if (isTRUE(settings$parallel)) {
    Map(checked, future_folds(folds, data, plan, progress, call), folds)
  } else {
    Map(checked, cluster_folds(settings$parallel, folds, data, plan, call), folds)
  }
  tell_kinds(outcomes, folds, settings$told)
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

# One fold, on whatever machine: its value, or its error, and its warnings, as a value.
run_fold <- function(fold, data, plan, progress = NULL) {
  seen <- new.env(parent = emptyenv())
  silence_nested(rlang::current_env()) # on another machine, too
  outcome <- tryCatch(
    withCallingHandlers(
      with_fold_seed(fold$seed, fold_scores(data, fold, plan)),
      warning = function(warning) {
        # a search that the user stopped hands back what it has; cross-validation stops
        if (inherits(warning, "transelect_warning_interrupt")) rlang::interrupt()
        own <- stats::setNames(conditionMessage(warning), warning_kind(warning))
        if (!own %in% seen$warnings) seen$warnings <- c(seen$warnings, own)
        tryInvokeRestart("muffleWarning")
      }
    ),
    error = function(error) list(error = error)
  )
  if (!is.null(progress)) progress()
  c(outcome, list(warnings = seen$warnings))
}

# The result of a fold: of a frame the scores of its rows, of moments its losses (cv-moments.R).
fold_scores <- function(data, fold, plan) UseMethod("fold_scores")

#' @export
fold_scores.transfer_frame <- function(data, fold, plan) {
  kept <- frame_rows(data, setdiff(seq_len(frame_nobs(data)), fold$held_out))
  grid_scores(fold_path(kept, plan), frame_rows(data, fold$held_out), plan$grid)
}

# The path of the training part of a fold, at the times of the path on all rows where it has times. A function whose
# settings depend on the rows may make one that has not: then what it made is fitted again, at these times.
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
  if (identical(path$points$t, times) || is.null(path$settings$given)) return(path)
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

# The outcome of a fold; what went wrong there is said here, with the number of the fold.
fold_checked <- function(outcome, fold, data, call) {
  for (message in outcome$warnings[names(outcome$warnings) == ""]) {
    rlang::warn(
      paste0("Fold ", fold$label, ": ", message),
      class = "transelect_warning_fold", fold = fold$label
    )
  }
  if (is.null(outcome$error)) return(outcome)
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

# ---- from scores to a choice ----------------------------------------------------------------------

# Loss by fold, its mean and standard error, "min" and "1se".

# folds x (points, averages) matrix of losses; NA where a fold does not define the loss.
loss_by_fold <- function(frame, scores, held_out, loss) {
  weights <- frame_weights(frame)
  classes <- levels(frame$y)
  values <- vapply(held_out, function(rows) {
    vapply(seq_len(dim(scores)[[3]]), function(point) {
      loss$loss(held_out_response(frame, rows), score_of(scores, rows, point), weights[rows], classes)
    }, numeric(1))
  }, numeric(dim(scores)[[3]]))
  values <- matrix(
    values, nrow = length(held_out), byrow = TRUE,
    dimnames = list(names(held_out), dimnames(scores)[[3]])
  )
  values[!is.finite(values)] <- NA_real_
  warn_undefined(values, loss)
  values
}

# A vector where there is one score for each row, else rows x classes, also for a single row.
score_of <- function(scores, rows, point) {
  n_classes <- dim(scores)[[2]]
  if (n_classes == 1) scores[rows, 1, point] else matrix(scores[rows, , point], ncol = n_classes)
}

warn_undefined <- function(values, loss) {
  reason <- loss$undefined %||% "some predictions are not finite"
  for (fold in rownames(values)[rowSums(is.na(values)) > 0]) {
    rlang::warn(
      paste0("Fold ", fold, ": left out of the ", loss$label, ", since ", reason, "."),
      class = "transelect_warning_fold", fold = fold
    )
  }
}

# Mean over the folds, each by its weight, and the standard error of that mean.
summarise_folds <- function(fold_loss, weight) {
  defined <- !is.na(fold_loss)
  share <- weight * defined
  total <- colSums(share)
  value <- replace(fold_loss, !defined, 0)
  mean <- colSums(share * value) / total
  spread <- colSums(share * sweep(value, 2, mean)^2) / total
  se <- sqrt(spread / (colSums(defined) - 1))
  list(
    mean = unname(replace(mean, total == 0, NA)),
    se = unname(replace(se, colSums(defined) < 2, NA))
  )
}

check_curve <- function(curve, loss, call) {
  if (!all(is.na(curve$mean))) return(invisible())
  abort_input(
    "The {loss$label} is not defined in any fold.", "loss",
    i = loss$mend %||% "Give another {.arg loss}.",
    call = call
  )
}

# Rows of points: "min" has the best mean, of equals the fewest columns; "1se" has the same lambda
# and of the points within one standard error of the best the fewest columns, then the first step.
choose_points <- function(mean, se, nzero, points, smaller_is_better) {
  cost <- if (smaller_is_better) mean else -mean
  cost[is.na(cost)] <- Inf
  best <- first_smallest(which(cost == min(cost)), nzero)
  margin <- if (is.na(se[[best]])) 0 else se[[best]]
  near <- which(cost <= cost[[best]] + margin & points$lambda %in% points$lambda[[best]])
  near <- near[order(points$step[near])]
  c(min = best, `1se` = first_smallest(near, nzero))
}

first_smallest <- function(candidates, value) {
  candidates[[which.min(value[candidates])]]
}

# The averages lie behind the points, one for each lambda.
average_curve <- function(curve, grid) {
  if (!grid$average) return(NULL)
  lambda <- unique(grid$points$lambda)
  at <- nrow(grid$points) + seq_along(lambda)
  data.frame(lambda = lambda, cvm = curve$mean[at], cvsd = curve$se[at])
}

# Risk sets are within strata, so a loss of survival times must know them.
held_out_response <- function(frame, rows) {
  y <- response_rows(frame$y, rows)
  if (!is.null(frame$strata)) attr(y, "strata") <- frame$strata[rows]
  y
}
