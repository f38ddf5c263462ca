# The models of an msplit() path: at a step, a time, a nu; sparse and dense; what they are worth.

ESTIMATORS <- c("dense", "sparse", "gamma")

#' @rdname msplit-verbs
#' @export
path_model.msplit <- function(path, step = NULL, lambda = NULL, class = NULL, ..., t = NULL,
                              nu = NULL, estimator = NULL, response = NULL, report = FALSE,
                              call = rlang::caller_env()) {
  if (...length()) arguments_check(call, path_model_arguments("path_model", path))
  report <- check_flag(report, "report", call)
  estimator <- check_choice(estimator %||% if (report) "sparse" else "dense", ESTIMATORS,
                            "estimator", call)
  asked <- class %||% response
  wanted <- if (is.null(asked)) path_object_responses(path) else
    path_step_check_class(path, asked, call, if (is.null(class)) "response" else "class")
  place <- msplit_model_place(path, step, t, lambda %||% nu, estimator, call)
  if (path_step_is_named(path, place$step)) return(msplit_model_named(path, wanted, place$step, estimator))
  models <- if (estimator == "dense" && !is.null(place$step)) {
    path_model.transfer_path(path, place$step, place$nu, if (length(wanted) == 1) class %||% response,
                             call = call)
  } else {
    lapply(stats::setNames(nm = wanted), function(response) {
      msplit_model_estimate(path, response, place$t, place$nu, estimator, call)
    })
  }
  lapply(models, function(model) {
    model$step <- place$step %||% place$t
    model
  })
}

# list(step, t, nu). step: numbers of steps, the name of a model, or NULL where `t` is given; t: their times.
msplit_model_place <- function(object, step, t, nu, estimator, call) {
  if (!is.null(step) && !is.null(t)) {
    abort_input("{.arg step} and {.arg t} are both given.", "t", i = "Give one of them.",
                call = call)
  }
  known <- path_step_points(object, msplit_model_nu(object, nu, call), call)$lambda[1]
  if (!is.null(t)) return(list(t = msplit_model_check_time(object, t, known, call), nu = known))
  step <- path_step_asked(object, step, if (!is.null(nu)) known, call)
  if (path_step_is_named(object, step)) return(list(step = step, t = NA_real_))
  c(msplit_model_check_place(object, step, known, estimator, call), nu = known)
}

# The models that a word names. Their sparse estimators are the dense estimator on the support of the largest weight.
msplit_model_named <- function(object, wanted, step, estimator) {
  models <- path_model.transfer_path(object, step)
  lapply(stats::setNames(nm = wanted), function(response) {
    model <- models[[response]]
    if (estimator != "dense") {
      on <- object$named[[step]]$support[[response]]
      model[c("beta", "a0")] <- msplit_model_on_support(object, model$beta, model$a0, seq_len(nrow(model$beta)) %in% on)
    }
    model
  })
}

# Steps asked for, and their times. The sparse estimators are known at every event.
msplit_model_check_place <- function(object, step, nu, estimator, call) {
  points <- path_step_points(object, nu, call)
  if (msplit_model_steps_are_times(object)) {
    step <- path_step_check(object, step, nu, call)
    return(list(step = step, t = points$t[match(step, points$step)]))
  }
  events <- object$steps[object$steps$lambda == nu, , drop = FALSE]
  if (!is.numeric(step) || !length(step) || anyNA(step) || any(!step %in% events$step)) {
    words <- c("default", names(object$named))
    or <- ", or {.or {.val {words}}}"
    abort_value(step, "step", paste0("Give whole numbers from 0 to {max(events$step)}", or, "."), call)
  }
  lost <- step[!step %in% points$step]
  if (estimator == "dense" && length(lost)) {
    msplit_model_refuse_not_kept("step", lost[1], points$step, lost[1], object$method, call)
  }
  list(step = as.integer(step), t = events$t[match(step, events$step)])
}

# TRUE where steps are numbers of times of a grid, FALSE where they are numbers of events.
msplit_model_steps_are_times <- function(object) {
  path_object_is_multi(object) || object$method == "lbi" || !is.null(object$settings$times)
}

msplit_model_check_time <- function(object, t, nu, call) {
  if (!is.numeric(t) || !length(t) || anyNA(t) || any(t < 0)) {
    abort_value(t, "t", "Give times: numbers from 0 on.", call)
  }
  ends <- object$ends[object$ends$lambda == nu, , drop = FALSE]
  end <- min(ends$end[!ends$complete], Inf)
  if (any(t > end * (1 + 1e-12))) {
    abort_input("{.arg t} is {.val {max(t)}}, but the path ends at {.val {end}}.", "t",
                i = "Give the fit a larger {.arg t_ratio} or {.arg max_steps}.", call = call)
  }
  as.vector(t)
}

# An estimator of one response at times t.
msplit_model_estimate <- function(object, response, t, nu, estimator, call) {
  rows <- path_plot_data_rows_of_steps(object, response, nu)
  event <- findInterval(t * (1 + 1e-12), object$steps$t[rows])
  if (estimator == "gamma" || object$method == "iss" && estimator == "sparse") {
    number <- rows[event]
    return(list(beta = object$gamma[, number, drop = FALSE], a0 = object$gamma_a0[number]))
  }
  if (!is.null(object$every)) {
    beta <- methods::as(object$every$beta[, rows[event], drop = FALSE], "CsparseMatrix")
    return(list(beta = beta, a0 = object$every$a0[rows[event]]))
  }
  points <- which(object$points$lambda == nu)
  known <- findInterval(object$points$t[points] * (1 + 1e-12), object$steps$t[rows])
  number <- points[match(event, known)]
  if (anyNA(number)) {
    lost <- which(is.na(number))[1]
    event_lost <- if (!msplit_model_steps_are_times(object)) object$steps$step[rows[event[lost]]]
    msplit_model_refuse_not_kept("t", t[lost], object$points$t[points], event_lost, object$method, call)
  }
  beta <- path_object_of_response(object$beta, response)[, number, drop = FALSE]
  a0 <- path_object_of_response(object$a0, response)[number]
  if (estimator == "sparse") {
    return(msplit_model_on_support(object, beta, a0, as.matrix(object$gamma[, rows[event], drop = FALSE] != 0)))
  }
  list(beta = beta, a0 = a0)
}

# Models with the coefficients `on` alone (rows of beta, or entries). The other columns are dropped after projection:
# the intercept and the kept columns keep the part of them that they explain.
msplit_model_on_support <- function(object, beta, a0, on) {
  off <- beta * !on
  explained <- object$explained %||% t(object$center)
  moved <- as.matrix(explained %*% off)
  moved_beta <- as.matrix(beta - off)
  kept <- object$kept
  if (nrow(moved) > length(kept)) a0 <- a0 + moved[1, ]
  if (length(kept)) moved_beta[kept, ] <- moved_beta[kept, ] + utils::tail(moved, length(kept))
  list(beta = methods::as(moved_beta, "CsparseMatrix"), a0 = unname(a0))
}

# `event` is the step whose estimator would be needed, `kept` where the fit has one.
msplit_model_refuse_not_kept <- function(argument, value, kept, event, method, call) {
  near <- c(rev(kept[kept <= value])[1], kept[kept > value][1])
  near <- signif(near[!is.na(near)], 6)
  mend <- if (method == "iss" && is.null(event)) {
    "Give {.or {.val {near}}}, where it was kept; a response fitted by itself can keep all its events."
  } else if (method == "iss") {
    "Give {.or {.val {near}}}, where it was kept; to have this one, fit again with
    {.code control = msplit_control(record = {event})}."
  } else {
    "Give {.or {.val {near}}}, where it was kept; a larger {.arg nt} keeps more."
  }
  abort_input("The dense estimator was not kept at {.arg {argument}} = {.val {value}}.", argument,
              i = mend, call = call)
}

# The nu of the fit that agrees with the given one in the printed digits; NULL stays NULL.
msplit_model_nu <- function(object, nu, call) {
  if (is.null(nu)) return(NULL)
  known <- unique(object$points$lambda)
  off <- if (is.numeric(nu) && length(nu) == 1 && is.finite(nu)) abs(known / as.vector(nu) - 1)
  if (is.null(off) || min(off) > 5e-3) {
    abort_value(nu, "nu", "Give one that the fit has: {.val {signif(known, 6)}}.", call)
  }
  known[which.min(off)]
}

# The response of each row of a table of steps.
msplit_model_response_of_steps <- function(steps) steps$class %||% steps$response %||% rep("y", nrow(steps))

#' @rdname path_model
#' @export
path_worth.msplit <- function(path, step = NULL, lambda = NULL, ..., t = NULL, nu = NULL,
                              call = rlang::caller_env()) {
  if (...length()) arguments_check(call, path_model_arguments("path_worth", path))
  place <- msplit_model_place(path, step, t, lambda %||% nu, "gamma", call)
  check_single(length(place$t), if (is.null(t)) "step" else "t", call)
  table <- msplit_model_worth(path, place)
  size <- if (identical(place$step, "average")) { # has coefficients of columns that no support has
    sum(vapply(path_model.transfer_path(path, place$step),
               function(model) sum(Matrix::rowSums(model$beta != 0) > 0), 0))
  } else sum(table$size)
  worth <- path_worth_unknown(path, place$step, list(nu = place$nu %||% NA_real_, t = place$t), size)
  if (path$loss != "squared") {
    worth$deviance <- 2 * path$nobs * table$loss[1]
    worth <- path_worth_refused(worth, NO_SQUARES, mend = NO_SQUARES_MEND,
                                verbs = c("df.residual", "sigma"))
    return(path_worth_refused(
      worth, "A path with a logistic loss has no log-likelihood with known degrees of freedom.",
      "loss", "Use {.fn cv_path} to compare models, {.fn deviance} for twice the sum of the losses.",
      verbs = "logLik"
    ))
  }
  if (path_object_is_multi(path)) {
    numbers <- path$family == "gaussian"
    what <- if (numbers) "Several responses" else "Classes fitted by least squares"
    worth <- path_worth_refused(worth, paste(what, "have no common likelihood here."),
                                if (numbers) "y" else "loss", "Take the loss of each from {.code $steps}.")
    return(path_worth_refused_classes(worth, path))
  }
  path_worth_least_squares(worth, path, list(rss = table$rss[1], df = table$df[1]))
}

# The figures of the models at a place, a row for each response: rows of `steps`, or the same columns for a model that
# a word names.
msplit_model_worth <- function(object, place) {
  if (path_step_is_named(object, place$step)) {
    model <- object$named[[place$step]]
    worth <- data.frame(size = unname(model$size), loss = model$loss,
                        rss = object$nobs * model$loss, df = model$df)
    if (!path_object_is_multi(object)) return(worth)
    of <- if (object$family == "gaussian") "response" else "class"
    return(cbind(stats::setNames(data.frame(path_object_responses(object)), of), worth))
  }
  steps <- object$steps[object$steps$lambda == place$nu, , drop = FALSE]
  before <- steps[steps$t <= place$t * (1 + 1e-12), , drop = FALSE]
  before[!duplicated(msplit_model_response_of_steps(before), fromLast = TRUE), , drop = FALSE]
}
