#' @export
msplit <- function(x, ...) UseMethod("msplit")

#' @rdname msplit
#' @export
msplit.default <- function(x, y, ..., weights = NULL) {
  frame <- frame_default(x, y, weights = weights, many = TRUE, call = rlang::current_env())
  fit <- msplit(frame, ...)
  fit$call <- light_call(match.call(), "msplit")
  fit
}

#' @rdname msplit
#' @export
msplit.formula <- function(formula, data, ..., weights, subset, na.action, sparse = FALSE) {
  matched <- match.call()
  frame <- frame_formula(
    formula, data, extras = as.list(matched[intersect(c("weights", "subset"), names(matched))]),
    na_action = if (missing(na.action)) getOption("na.action") else na.action,
    sparse = sparse, many = TRUE, env = parent.frame(), call = rlang::current_env()
  )
  fit <- msplit(frame, ...)
  fit$call <- light_call(matched, "msplit")
  fit$formula <- light_formula(formula)
  fit
}

#' @rdname msplit
#' @export
msplit.transfer_frame <- function(x, ..., nu = NULL, method = NULL, loss = NULL, t_ratio = NULL,
                                  nt = 100, max_steps = NULL, choose = c("loo", "none"),
                                  guard = TRUE, kappa = NULL, alpha = NULL,
                                  start = c("ridge", "zero"), standardize = TRUE,
                                  intercept = TRUE, record = NULL) {
  call <- rlang::caller_env()
  rlang::check_dots_empty(call = call)
  frame <- x
  points <- frame$points
  settings <- msplit_settings(frame, method, loss, if (is.null(points)) nu else
    unique(points$lambda), t_ratio, nt, max_steps, choose, guard, kappa, alpha, start, standardize,
    intercept, record, call)
  coded <- msplit_response(frame$y)
  if (settings$method == "lbi") return(lbi_path(frame, coded, settings, points, call))
  settings$classes <- is.factor(frame$y)
  settings$loo <- TRUE
  out <- iss_fit(frame$x, coded, unit_weights(frame), settings, call, points,
                 labels = frame$blueprint$columns)
  best <- best_point(out)
  checked <- NULL
  if (settings$choose == "loo" && is.null(points) && settings$guard && best[["step"]] > 0 &&
        nrow(coded) >= 2 * GUARD_FOLDS) {
    checked <- msplit_guard(frame, coded, settings, call)
    if (!checked$kept) best <- ridge_point(out, settings$n)
  }
  if (!is.null(points)) out <- at_points(out, points)
  msplit_object(out, frame, settings, coded, best, checked)
}

# Steps of a fold are those of the path on all rows, whose times it was asked for.
at_points <- function(out, points) {
  steps <- unname(split(points$step, match(points$lambda, unique(points$lambda))))
  out$fits <- Map(function(f, step) {
    f$step <- step
    f$best <- step[1]
    f
  }, out$fits, steps)
  out
}
