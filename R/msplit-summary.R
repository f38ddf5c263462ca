# What an msplit path says of itself: summary(), glance(), deviance(), logLik() and sigma().

#' @rdname msplit-verbs
#' @export
summary.msplit <- function(object, step = NULL, t = NULL, nu = NULL, lambda = nu, ...) {
  check_arguments()
  call <- rlang::current_env()
  models <- msplit_models(object, responses(object), step, t, lambda, "dense", call)
  table <- signals(object, step = step, t = t, nu = lambda)
  nu <- msplit_nu(object, lambda, call) %||% object$best_lambda
  place <- models[[1]]
  word <- is_named_step(object, place$step)
  structure(list(
    title = msplit_title(object), what = msplit_what(object), nu = if (!word) nu,
    t = if (!word) place$t, step = if (is.null(t)) place$step,
    worth = if (word) named_worth(object, place$step) else worth_at(object, nu, place$t),
    signals = table[table$signal != "noise", , drop = FALSE],
    supports = if (word) object$supports, support = any(table$signal == "strong")
  ), class = "summary.msplit")
}

# The same as worth_at() for a model that a word names.
named_worth <- function(object, step) {
  model <- object$named[[step]]
  out <- data.frame(size = unname(model$size), loss = model$loss, rss = object$nobs * model$loss,
                    df = model$df)
  if (!path_is_multi(object)) return(out)
  of <- if (object$family == "gaussian") "response" else "class"
  cbind(stats::setNames(data.frame(responses(object)), of), out)
}

# The row of `steps` that holds at time t, for each response.
worth_at <- function(object, nu, t) {
  steps <- object$steps[object$steps$lambda == nu, , drop = FALSE]
  before <- steps[steps$t <= t * (1 + 1e-12), , drop = FALSE]
  of <- before$class %||% before$response %||% rep("y", nrow(before))
  before[!duplicated(of, fromLast = TRUE), , drop = FALSE]
}

#' @rdname msplit-verbs
#' @export
print.summary.msplit <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  check_arguments()
  digits <- check_digits(digits, rlang::current_env())
  number <- function(value) format(value, digits = digits)
  cat(x$title, "\n", x$what, "\n\n", sep = "")
  place <- if (is.character(x$step)) {
    if (x$step == "average") paste("The average over", counted_supports(x$supports)) else
      "The support of the largest weight"
  } else {
    paste0(if (!is.null(x$step)) paste0("Step ", x$step, ", "), "t = ", number(x$t), ", nu = ",
           number(x$nu))
  }
  cat(place, if (!x$support) ": no strong signals", "\n", sep = "")
  shown <- intersect(c("class", "response", "size", "loss", "df", "loo"), names(x$worth))
  print(format_table(without_empty(x$worth[shown]), digits), row.names = FALSE)
  several <- length(unique(x$signals$response)) > 1
  columns <- c(if (several) "response", "term", "estimate", "sparse",
               if (!all(is.na(x$signals$probability))) "probability")
  for (kind in c("strong", "weak")) {
    part <- x$signals[x$signals$signal == kind, columns, drop = FALSE]
    if (!nrow(part)) next
    cat(if (kind == "strong") "\nStrong signals\n" else "\nLargest weak signals\n")
    if (kind == "weak") part$sparse <- NULL
    rows <- seq_len(min(nrow(part), 21))
    print(format_table(part[rows, , drop = FALSE], digits), row.names = FALSE)
    if (nrow(part) > 21) cat("... and", nrow(part) - 21, "more in $signals\n")
  }
  invisible(x)
}

#' @rdname msplit-verbs
#' @export
glance.msplit <- function(x, ...) {
  check_arguments()
  word <- is_named_step(x, x$best)
  points <- path_points(x)
  t <- if (word) NA_real_ else points$t[match(x$best, points$step)]
  worth <- if (word) named_worth(x, x$best) else worth_at(x, x$best_lambda, t)
  squares <- x$loss == "squared" && !path_is_multi(x)
  likelihood <- if (squares && x$family == "gaussian") stats::logLik(x) else
    structure(NA_real_, df = NA_real_)
  df <- attr(likelihood, "df")
  value <- as.vector(likelihood)
  data.frame(
    rule = NA_character_, family = x$family, nobs = x$nobs,
    incomplete = x$left_out$incomplete %||% 0L, features = x$blueprint$p, sources = 0L,
    steps = max(path_steps(x)), step = as.character(x$best),
    nu = if (word) NA_real_ else x$best_lambda, t = t, size = sum(worth$size), df = df,
    rss = if (squares) worth$rss else NA_real_, logLik = value, AIC = 2 * df - 2 * value, BIC = log(x$nobs) * df - 2 * value
  )
}

#' @rdname msplit-verbs
#' @export
deviance.msplit <- function(object, step = NULL, nu = NULL, lambda = nu, ...) {
  check_arguments()
  size <- msplit_size(object, step, lambda, rlang::current_env())
  if (object$loss == "squared") size$rss else 2 * object$nobs * size$loss
}

#' @rdname msplit-verbs
#' @export
logLik.msplit <- function(object, step = NULL, nu = NULL, lambda = nu, ...) {
  check_arguments()
  call <- rlang::current_env()
  if (object$loss != "squared") {
    abort_input("A path with a logistic loss has no log-likelihood with known degrees of freedom.",
                "loss", i = "Use {.fn cv_path} to compare models, {.fn deviance} for twice the sum
                of the losses.", call = call)
  }
  refuse_no_likelihood(object, call)
  size <- msplit_size(object, step, lambda, call)
  n <- object$nobs
  value <- object$log_weights / 2 - n / 2 * (log(2 * pi * size$rss / n) + 1)
  structure(value, df = size$df + 1, nobs = n, class = "logLik")
}

#' @rdname msplit-verbs
#' @export
df.residual.msplit <- function(object, step = NULL, nu = NULL, lambda = nu, ...) {
  check_arguments()
  object$nobs - msplit_squares(object, step, lambda, rlang::current_env())$df
}

#' @rdname msplit-verbs
#' @export
sigma.msplit <- function(object, step = NULL, nu = NULL, lambda = nu, ...) {
  check_arguments()
  residual_sd(msplit_squares(object, step, lambda, rlang::current_env()), object$nobs)
}

# The same where the loss is a sum of squares, whose residuals have a variance.
msplit_squares <- function(object, step, lambda, call) {
  if (is_logistic(object)) refuse_no_squares(call)
  msplit_size(object, step, lambda, call)
}

# The row of `steps` of one model.
msplit_size <- function(object, step, lambda, call) {
  if (path_is_multi(object) && object$loss == "squared") {
    what <- if (object$family == "gaussian") "Several responses" else "Classes fitted by squares"
    abort_input(paste(what, "have no common likelihood here."),
                if (object$family == "gaussian") "y" else "loss",
                i = "The loss of each is in {.code $steps}.", call = call)
  }
  nu <- msplit_nu(object, lambda, call) %||% object$best_lambda
  if (is.null(step) && is.null(lambda)) step <- object$best
  if (is_named_step(object, step)) return(named_worth(object, step))
  at <- check_place(object, step %||% default_step(object, nu, call), nu, "gamma", call)
  if (length(at$step) != 1) {
    abort_input("{.arg step} names {length(at$step)} models.", "step", i = "Give one.",
                call = call)
  }
  worth_at(object, nu, at$t)[1, ]
}

#' @rdname msplit-verbs
#' @export
tidy.msplit <- function(x, step = NULL, lambda = NULL, return_zeros = FALSE, ...) {
  check_arguments()
  out <- NextMethod()
  at <- match(out$term, term_names(x))
  out$probability <- NA_real_
  if (!is.null(x$probability)) {
    of <- if (path_is_multi(x)) match(out$class, responses(x)) else rep(1L, nrow(out))
    out$probability <- unname(x$probability)[cbind(at, of)]
  }
  out
}
