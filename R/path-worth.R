# path_worth(): how well a model of a path fits, on which deviance(), logLik(), df.residual(), sigma(),
# glance() and summary() are written.

#' @rdname path_model
#' @export
path_worth <- function(path, ...) UseMethod("path_worth")

#' @rdname path_model
#' @export
path_worth.transfer_path <- function(path, step = NULL, lambda = NULL, ...,
                                     call = rlang::caller_env()) {
  if (...length()) arguments_check(call, path_model_arguments("path_worth", path))
  step <- path_worth_check_one_step(path, step, lambda, call)
  worth <- path_worth_unknown(path, step)
  if (path_object_is_multi(path) && !path_object_is_logistic(path)) {
    worth <- path_worth_refused(worth, "One-vs-rest paths have no common likelihood.",
                                mend = "Take the figures of each class from {.code $steps}.")
    return(path_worth_refused_classes(worth, path))
  }
  if (is.null(path$steps$rss)) return(path_worth_refused(worth, NO_SQUARES, mend = NO_SQUARES_MEND))
  lambda <- path_step_points(path, lambda, call)$lambda[1]
  steps <- path$steps[is.na(lambda) | path$steps$lambda %in% lambda, , drop = FALSE]
  size <- if (identical(step, "average")) {
    row <- match(lambda, path$lambda)
    list(rss = path$average$rss[row], df = path$average$df[row])
  } else {
    row <- match(step, steps$step)
    list(rss = steps$rss[row], df = steps$df[row])
  }
  path_worth_least_squares(worth, path, size)
}

# The list that path_worth() returns, with every number NA. place: where on its path the model stands, for glance().
path_worth_unknown <- function(path, step, place = list(), size = NULL) {
  list(step = step, place = place, size = size, rss = NA_real_, df = NA_real_, deviance = NA_real_, log_lik = NA_real_,
       log_lik_df = NA_real_, log_lik_nobs = path$nobs)
}

NO_SQUARES <- "This path does not minimise a sum of squares."
NO_SQUARES_MEND <- "Take its losses from {.code $steps}."

# The worth of a model by its residual sum of squares: the log-likelihood is Gaussian, its variance the mean squared
# residual. Classes coded as two numbers are not Gaussian.
path_worth_least_squares <- function(worth, path, size) {
  worth[c("rss", "df", "deviance")] <- c(size["rss"], size["df"], size["rss"])
  if (path_object_has_classes_by_squares(path)) return(path_worth_refused_classes(worth, path))
  worth$log_lik_df <- size$df + 1
  if (is.na(path$log_weights)) {
    what <- "The likelihood needs the product of the weights of the rows, which the moments of this fit lack."
    return(path_worth_refused(worth, what, "moments", "Make the moments again by {.fn moments}, fit to the rows, or
                              compare steps by {.fn deviance} and {.fn df.residual}.", verbs = "logLik"))
  }
  n <- path$nobs
  worth$log_lik <- path$log_weights / 2 - n / 2 * (log(2 * pi * size$rss / n) + 1)
  worth
}

path_worth_refused_classes <- function(worth, path) {
  if (!path_object_has_classes_by_squares(path)) return(worth)
  path_worth_refused(
    worth, "Classes fitted by least squares have no likelihood, hence no AIC or BIC.",
    mend = "Use {.fn cv_path} to compare models, {.fn deviance} for the sum of squares.",
    verbs = "logLik"
  )
}

path_worth_refused <- function(worth, what, argument = "family", mend,
                               verbs = c("deviance", "logLik", "df.residual", "sigma")) {
  worth$refused[verbs] <- list(list(what = what, argument = argument, mend = mend))
  worth
}

# path_worth(), once the verb's own arguments are checked, or the error that says why there is no such number.
path_worth_checked <- function(object, verb, step, lambda) {
  call <- rlang::caller_env()
  more <- arguments_of_generic(path_model_arguments("path_worth", object), caller = sys.parent(),
                               same = "use.fallback")
  worth <- rlang::inject(path_worth(object, step, lambda, !!!more, call = call))
  why <- worth$refused[[verb]]
  if (!is.null(why)) abort_input(why$what, why$argument, i = why$mend, call = call)
  worth
}

path_worth_check_one_step <- function(object, step, lambda, call) {
  step <- path_step_check(object, step, lambda, call)
  check_single(length(step), "step", call)
  step
}

#' @rdname transfer_path
#' @export
deviance.transfer_path <- function(object, step = NULL, lambda = NULL, ...) {
  path_worth_checked(object, "deviance", step, lambda)$deviance
}

#' @rdname transfer_path
#' @export
logLik.transfer_path <- function(object, step = NULL, lambda = NULL, ...) {
  worth <- path_worth_checked(object, "logLik", step, lambda)
  structure(worth$log_lik, df = worth$log_lik_df, nobs = worth$log_lik_nobs, class = "logLik")
}

#' @rdname transfer_path
#' @export
df.residual.transfer_path <- function(object, step = NULL, lambda = NULL, ...) {
  worth <- path_worth_checked(object, "df.residual", step, lambda)
  worth$log_lik_nobs - worth$df
}

# The default method of stats counts all coefficients, those that are zero too.
#' @rdname transfer_path
#' @export
sigma.transfer_path <- function(object, step = NULL, lambda = NULL, ...) {
  worth <- path_worth_checked(object, "sigma", step, lambda)
  path_worth_residual_sd(worth$rss, worth$df, object$nobs)
}

# NaN if the residual degrees of freedom are zero up to rounding, as in lm().
path_worth_residual_sd <- function(rss, df, n) {
  left <- n - df
  sqrt(rss / if (isTRUE(left < 1e-8 * n)) NaN else left)
}

# The default method of stats would take `step = 1` for another fit.
#' @export
#' @importFrom stats AIC
AIC.transfer_path <- function(object, ..., k = 2) {
  k <- check_number(k, "k", -Inf, rlang::current_env())
  if (path_worth_all_fits(list(...))) return(NextMethod())
  value <- stats::logLik(object, ...)
  k * attr(value, "df") - 2 * as.vector(value)
}

#' @export
#' @importFrom stats BIC
BIC.transfer_path <- function(object, ...) {
  if (path_worth_all_fits(list(...))) return(NextMethod())
  value <- stats::logLik(object, ...)
  log(attr(value, "nobs")) * attr(value, "df") - 2 * as.vector(value)
}

path_worth_all_fits <- function(others) all(vapply(others, is.object, NA) & !nzchar(rlang::names2(others)))

# Standard errors, which only tlcp() has: these methods say why.

#' @export
vcov.transfer_path <- function(object, ...) path_worth_refuse_errors(object, rlang::current_env())

#' @export
confint.transfer_path <- function(object, parm, level = .95, ...) path_worth_refuse_errors(object, rlang::current_env())

path_worth_refuse_errors <- function(object, call) {
  abort_input("There are no standard errors of a {.fn {class(object)[1]}} fit.", "object",
              i = "Use {.code tlcp(select = FALSE)} for intervals of features decided on beforehand, or
                   {.fn selection_frequency} for how often a feature is chosen again. The columns were chosen on
                   the same rows: standard errors after selection are not available.", call = call)
}

#' @rdname path_model
#' @export
path_worth.likelihood_path <- function(path, step = NULL, lambda = NULL, ...,
                                       call = rlang::caller_env()) {
  if (...length()) arguments_check(call, path_model_arguments("path_worth", path))
  step <- path_worth_check_one_step(path, step, lambda, call)
  steps <- path$steps[match(step, path$steps$step), ]
  worth <- list(
    step = step, place = list(), rss = NA_real_, df = steps$df, deviance = steps$deviance,
    log_lik = steps$log_lik, log_lik_df = steps$df + isTRUE(is.na(path$settings$theta)), log_lik_nobs = path$size,
    more = list(deviance = steps$deviance, null.deviance = path$null_deviance)
  )
  what <- paste0("The ", path$family, " likelihood has no residual standard deviation.")
  path_worth_refused(worth, what, mend = "Use {.fn deviance}.", verbs = "sigma")
}

# The observations that logLik() counts: of a Cox model its events, as survival::coxph() has it.
#' @rdname transfer_path
#' @export
nobs.likelihood_path <- function(object, ...) {
  arguments_of_generic(same = "use.fallback")
  object$size
}

# Posterior probabilities that effects are not zero, of all columns of a path, a column a response; NULL where a method
# or a fit has none.
inclusion_probability <- function(path) UseMethod("inclusion_probability")

#' @export
inclusion_probability.default <- function(path) NULL

# Which of these effects are told from 0, a matrix of the same form.
inclusion_is_strong <- function(path) UseMethod("inclusion_is_strong")

#' @export
inclusion_is_strong.default <- function(path) NULL
