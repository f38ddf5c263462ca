# Verbs of paths with a likelihood of their own, where least squares do not apply.

#' @rdname path_model
#' @export
path_worth.likelihood_path <- function(path, step = NULL, lambda = NULL, ...,
                                       call = rlang::caller_env()) {
  if (...length()) check_arguments(call, method_arguments("path_worth", path))
  step <- check_one_step(path, step, lambda, call)
  at <- path$steps[match(step, path$steps$step), ]
  worth <- list(
    step = step, place = list(), rss = NA_real_, df = at$df, deviance = at$deviance,
    log_lik = at$log_lik, log_lik_df = at$df, log_lik_nobs = path$size,
    more = list(deviance = at$deviance, null.deviance = path$null_deviance)
  )
  what <- paste0("The ", path$family, " likelihood has no residual standard deviation.")
  refused_worth(worth, what, mend = "Use {.fn deviance}.", verbs = "sigma")
}

# Probabilities of surviving beyond `times`, rows x times, by the target's baseline hazard.
survival_at <- function(object, models, scores, times, call, domain = NULL, ...) {
  if (!is.null(domain) && !identical(domain, object$target)) {
    abort_input("{.arg domain} is {.val {domain}}, and {.arg type} is {.val survival}.", "domain",
                i = "Leave {.arg domain} out: only the baseline of the target is kept.", call = call)
  }
  step <- models[[1]]$step
  refuse_several(length(step), "step", call)
  good <- is.numeric(times) && length(times) && all(is.finite(times)) && all(times >= 0)
  if (!good) abort_value(times, "times", "Give the times at which survival is wanted.", call)
  base <- object$baseline
  if (!is.null(base$strata)) {
    abort_input("The Cox model has strata, each with a baseline of its own.", "type",
                i = "Give another {.arg type}: {.val survival} is for models without strata.", call = call)
  }
  at <- findInterval(times, base$time)
  hazard <- c(0, base$hazard[, step + 1])[at + 1]
  structure(exp(-outer(drop(exp(scores[[1]])), hazard)), dimnames = list(NULL, times))
}

#' @exportS3Method survival::survfit
survfit.transfer_path <- function(formula, ...) {
  abort_input("There is no {.fn survfit} of a path.", "formula",
              i = if (is.null(formula$baseline))
                "Use {.fn tlcp} with {.code family = \"cox\"}, whose {.fn predict} has survival." else
                "Use {.code predict(fit, newdata, type = \"survival\", times = )} for survival
                 probabilities.", call = rlang::current_env())
}
