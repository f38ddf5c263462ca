# Intervals after selection: the response is thinned into two independent parts, one to select with, one to estimate
# with.

# Gaussian data thinning (Neufeld et al. 2024): of y ~ N(mu, s^2) and z ~ N(0, 1) the parts
#   y1 = y + s z sqrt((1 - e)/e)   and   y2 = y - s z sqrt(e/(1 - e)),   e = share,
# are independent, with mean mu and variances s^2/e and s^2/(1 - e). The responses of all domains are thinned, so what
# is borrowed is independent, too. The same settings select on y1; on y2 the chosen columns are kept, all others
# dropped, and the intervals are those of a model that was chosen beforehand. s^2 is the residual variance of the fit,
# by domain. The value is the fit to y2, its component `selected` the columns chosen on y1 (character() for none).
tlcp_selective_fit <- function(object, share, data, env, call) {
  share <- check_share(share, "share", call)
  if (likelihood_is_used(object$settings$family) || inherits(object, "likelihood_path") || !is.null(object$classes)) {
    abort_input("{.arg selective} is TRUE, which needs a numeric response with normal errors.", "selective",
                i = "Fix the features beforehand: the intervals of a fit with {.code select = FALSE} hold as they are.",
                call = call)
  }
  if (!object$settings$select || object$settings$method == "cutoff") {
    abort_input("{.arg selective} is TRUE, and the fit has not searched for a subset.", "selective",
                i = "Leave it out: {.fn confint} of columns decided on beforehand needs no correction.", call = call)
  }
  frame <- conformal_frame(object, data, list(), env, call)
  s <- sqrt(object$borrowing$s2) * object$response_scale
  of_row <- if (is.null(frame$domain)) rep(s[[1]],
  frame_rows_count(frame)) else s[match(as.character(frame$domain), names(s))]
  of_row[is.na(of_row)] <- 0 # domains that the fit has left out
  # residual variances are those of weights with mean one in every domain
  weights <- if (is.null(frame$weights)) 1 else if (is.null(frame$domain)) frame$weights / mean(frame$weights) else
    frame$weights / stats::ave(frame$weights, frame$domain)
  noise <- stats::rnorm(frame_rows_count(frame)) * of_row / sqrt(weights)
  part <- function(by) {
    frame$y <- frame$y + noise * by
    frame
  }
  first <- cv_user_fit_without_messages(refit(object, part(sqrt((1 - share) / share)), within = NULL))
  if (!length(first$selected)) {
    tell("No column was chosen on the first part: there are no intervals.")
    return(list(selected = first$selected))
  }
  off <- setdiff(labels_of_all_columns(object$blueprint), first$selected)
  control <- object$settings$given$control
  control["drop"] <- list(if (length(off)) off)
  cv_user_fit_without_messages({
    refit(object, part(-sqrt(share / (1 - share))), select = FALSE, keep = NULL, groups = FALSE, within = NULL,
          control = control)
  })
}

tlcp_selective_refuse_step <- function(step, call) {
  if (is.null(step)) return(invisible())
  abort_input("{.arg step} is given with {.code selective = TRUE}.", "step",
              i = "Leave it out: the columns are those chosen on one part of the response. Of a {.fn cv_path} object
                   give its {.code $fit}.", call = call)
}

# Intervals of the intercept and the columns chosen, which the attribute `selected` names.
tlcp_selective_confint <- function(object, level, share, data, env, call) {
  fit <- tlcp_selective_fit(object, share, data, env, call)
  on <- fit$selected
  limits <- if (length(on)) stats::confint(fit, c("(Intercept)", on), level = level) else
    stats::confint(object, level = level)[0L, , drop = FALSE]
  structure(limits, selected = on)
}
