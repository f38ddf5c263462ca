# What paths with a likelihood of their own answer, where squares do not.

predict_likelihood <- function(object, newdata, step, type, times, lambda, call) {
  types <- c("response", "link", if (!is.null(object$classes)) "class",
             if (object$family == "cox") "survival", "coefficients", "nonzero")
  type <- check_choice(type %||% if (is.null(object$classes)) "response" else "class", types, "type",
                       call)
  if (type != "survival") {
    if (!is.null(times)) {
      abort_input("{.arg times} is given, and {.arg type} is {.val {type}}.", "times",
                  i = "Times are for {.code type = \"survival\"} of a Cox model.", call = call)
    }
    return(predict.transfer_path(object, newdata, step = step, type = type, lambda = lambda))
  }
  step <- check_step(object, step, lambda, call)
  if (length(step) != 1) {
    abort_input("{.arg step} names {length(step)} models.", "step", i = "Give one.", call = call)
  }
  good <- is.numeric(times) && length(times) && all(is.finite(times)) && all(times >= 0)
  if (!good) {
    abort_input("{.arg times} is {.val {times}}.", "times",
                i = "Give the times at which survival is wanted.", call = call)
  }
  if (!is.null(object$baseline$strata)) {
    abort_input("The Cox model has strata, each with a baseline of its own.", "type",
                i = "{.code type = \"survival\"} is for models without strata.", call = call)
  }
  link <- predict.transfer_path(object, newdata, step = step, type = "link", lambda = lambda)
  base <- object$baseline
  at <- findInterval(times, base$time)
  hazard <- c(0, base$hazard[, step + 1])[at + 1]
  structure(exp(-outer(exp(link), hazard)), dimnames = list(NULL, times))
}

residuals_likelihood <- function(object, type, call) {
  type <- check_choice(type %||% "deviance", c("deviance", "response"), "type", call)
  refuse_rowless(object, call)
  value <- if (type == "response") object$residuals else object$deviance_residuals
  stats::naresid(object$na.action, value)
}

likelihood_row <- function(object, step, lambda, call) {
  step <- check_step(object, step, lambda, call)
  if (length(step) != 1) {
    abort_input("{.arg step} names {length(step)} models.", "step", i = "Give one.", call = call)
  }
  object$steps[match(step, object$steps$step), ]
}

#' @rdname transfer_path
#' @export
logLik.likelihood_path <- function(object, step = NULL, lambda = NULL, ...) {
  check_arguments()
  at <- likelihood_row(object, step, lambda, rlang::current_env())
  structure(at$log_lik, df = at$df, nobs = object$size, class = "logLik")
}

#' @rdname transfer_path
#' @export
deviance.likelihood_path <- function(object, step = NULL, lambda = NULL, ...) {
  check_arguments()
  likelihood_row(object, step, lambda, rlang::current_env())$deviance
}

#' @rdname transfer_path
#' @export
df.residual.likelihood_path <- function(object, step = NULL, lambda = NULL, ...) {
  check_arguments()
  object$nobs - likelihood_row(object, step, lambda, rlang::current_env())$df
}

#' @rdname transfer_path
#' @export
sigma.likelihood_path <- function(object, step = NULL, lambda = NULL, ...) {
  check_arguments()
  abort_input("The {object$family} likelihood has no residual standard deviation.", "family",
              i = "See {.fn deviance}.", call = rlang::current_env())
}

#' @rdname transfer_path
#' @export
family.likelihood_path <- function(object, ...) {
  check_arguments()
  object$family
}

#' @rdname tidy.transfer_path
#' @export
glance.likelihood_path <- function(x, ...) {
  check_arguments()
  likelihood <- stats::logLik(x)
  df <- attr(likelihood, "df")
  value <- as.vector(likelihood)
  data.frame(
    rule = NA_character_, family = x$family, nobs = x$nobs, features = x$blueprint$p, sources = 0L,
    steps = max(path_steps(x)), step = as.character(x$best),
    size = length(variable.names(x)), df = df, rss = NA_real_, logLik = value,
    AIC = 2 * df - 2 * value, BIC = log(x$size) * df - 2 * value,
    deviance = stats::deviance(x), null.deviance = x$null_deviance
  )
}

# Head lines of print(): the family, and what is proven.
likelihood_lines <- function(x) {
  what <- switch(x$family,
    binomial = if (is.null(x$classes)) "log odds of a success" else
      paste0("log odds of \"", x$classes[2], "\""),
    poisson = "log rate", cox = paste0("log hazard ratio, ", x$size, " events")
  )
  c(
    paste0("family ", x$family, ": ", what),
    if (!is.null(x$certificate)) {
      paste0("proven of the quadratic approximation of the log-likelihood",
             if (!x$stable) "; the best subset still changed when it was expanded again" else
               if (!isTRUE(x$certificate$chosen))
                 "; another subset is better by the log-likelihood itself")
    }
  )
}
