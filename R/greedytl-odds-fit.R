# The fit of greedytl() of log odds, log rates and log hazards: the frame, the models that are averaged, and the path.

# The family of log odds, log rates or log hazards that the argument `family` of greedytl() says, else FALSE, as
# frame_default() and frame_formula() take it. surv: is the response a Surv?
greedytl_odds_family <- function(family, surv = FALSE) {
  if (is.null(family)) return(if (surv) "cox" else FALSE)
  name <- tryCatch(likelihood_check_family(family, NULL), error = function(e) NULL)
  if (rlang::is_string(name, c("binomial", "poisson", "cox")) && is.null(negbin_theta(family))) name else FALSE
}

# The frame of log odds, checked, and an error for what only least squares have.
greedytl_odds_frame <- function(frame, given, call) {
  if (!frame_rows_are_there(frame)) {
    abort_input("{.arg x} has moments, and {.arg family} is {.val {greedytl_odds_family(given$family)}}.", "family",
                i = "Give the rows: moments have no likelihood.", call = call)
  }
  frame <- frame_as_family(frame, given$family, call)
  if (isTRUE(frame$quasi)) {
    abort_input("{.arg family} is {.val quasi{frame$family}}.", "family",
                i = "Give {.val {frame$family}}: {.fn greedytl} always estimates the dispersion of counts, and never
                     that of classes or shares.", call = call)
  }
  control <- given$control
  wrong <- c(
    if (identical(given$rule, "paper")) "rule", if (!is.null(given$lambda)) "lambda",
    if (!is.null(control$candidates)) "candidates", if (is.numeric(control$ridge)) "ridge",
    if (!is.null(control$source_scale) && control$source_scale != "common") "source_scale",
    if (!isTRUE(given$average)) "average", if (!isTRUE(given$intercept) || !frame$intercept) "intercept"
  )
  if (length(wrong)) {
    abort_input("{.arg {wrong}} {?is/are} given, and {.arg family} is {.val {frame$family}}.", wrong[1],
                i = "Leave {cli::qty(wrong)}{?it/them} out: {?it is/they are} for least squares.",
                i = if (!frame$intercept) "A formula with {.code - 1} or {.code + 0} gives {.code intercept = FALSE}.",
                call = call)
  }
  if (isTRUE(given$prob)) greedytl_odds_refuse_prob(frame$family, call)
  plain <- frame # for the refusals that all responses share
  plain[c("y", "family", "said", "offset")] <- list(numeric(frame_rows_count(frame)), "gaussian", TRUE, NULL)
  frame_for_method("greedytl", plain, "sources", call)
  if (sources_need_raw(frame$sources)) frame <- frame_with_source_values(frame, call = call)
  frame
}

# prob = TRUE beside a family: a message for classes, which have probabilities without it, else an error.
greedytl_odds_refuse_prob <- function(family, call) {
  if (family == "binomial") {
    return(tell("`prob` is for least squares, and `family` is \"binomial\".",
                "Leave it out: `predict(type = \"response\")` gives probabilities without it."))
  }
  abort_input("{.arg prob} is {.code TRUE}, and {.arg family} is {.val {family}}.", "prob",
              i = "Leave it out: probabilities are of classes.", call = call)
}

# The path of least squares: a response whose squared error, with these weights, is the second-order expansion of the
# log-likelihood at coefficients of 0. Without an offset it has two values, 2 apart, as classes have.
greedytl_odds_squares <- function(frame, part, settings, call) {
  n <- part$n
  if (part$family == "poisson") {
    mean <- exp(part$level + part$offset)
    v <- part$w * mean
    frame$y <- (part$y - mean) / mean
  } else {
    p <- stats::plogis(part$level + part$offset)
    p <- pmin(pmax(p, .01), .99)
    share <- sum(part$w * part$y) / sum(part$w)
    v <- part$w * p * (1 - p)
    if (settings$class_weights == "balanced") v <- v * (part$y / share + (1 - part$y) / (1 - share))
    frame$y <- 2 * share * (1 - share) * (part$y - p) / (p * (1 - p))
  }
  frame["family"] <- list("gaussian")
  frame["offset"] <- list(NULL)
  frame["weights"] <- list(NULL)
  if (!is.null(part$limited)) {
    frame$sources$values <- part$limited
    frame$sources$models <- NULL
  }
  settings$classes <- FALSE
  settings$held <- TRUE
  coded <- matrix(frame$y, n, dimnames = list(NULL, "y"))
  v <- matrix(v * n / sum(v), n)
  blocks <- greedytl_odds_blocks(frame, part, seq_len(max(ncol(part$limited), 0)))
  squares <- progress_during("Evidence of pairs of ridges", .Call(C_greedytl, blocks, coded, v, NULL, settings, NULL))
  if (squares$status != 0) greedytl_fit_abort(squares, frame, call)
  result <- greedytl_fit_whole_steps(squares$paths[[1]])
  settings$held <- FALSE # no calibration of numbers
  list(path = greedytl_object(frame, list(y = list(result)), settings, coded, v),
       held = table_nan_to_na(matrix(result$held, n)), mean_held = table_nan_to_na(result$mean_held))
}

# The alternatives, a list by name of list(beta, a0, fitted, left): coefficients of the features, the limited sources
# and their mean; log odds of the rows, with the offset, and of each from a fit without it.
greedytl_odds_alternatives <- function(frame, part, squares, settings, call) {
  p <- ncol(frame$x)
  s <- max(ncol(part$limited), 0L)
  total <- p + s + (s > 0)
  varies <- length(part$varying) > 0
  used <- c(seq_len(p), p + part$varying)
  alternatives <- list()
  if (length(used)) {
    of_used <- settings
    of_used$keep <- match(intersect(settings$keep, used), used)
    of_used$max_steps <- min(settings$max_steps, length(used))
    fits <- .Call(C_laplace, greedytl_odds_blocks(frame, part, part$varying), as.double(part$y), as.double(part$w),
                  part$level + part$offset, if (varies) part$mean - part$mean_center, part$family == "poisson", of_used)
    if (fits$status != 0) greedytl_fit_abort(fits, frame, call)
    for (name in c("all", "without")) {
      fit <- fits[[name]]
      if (!length(fit$pairs)) next
      alternatives[[if (name == "all" && varies) "all columns" else "features"]] <- list(
        beta = c(replace(numeric(p + s), used, fit$beta), if (s) if (varies) fit$c else 0),
        a0 = part$level + fit$a0 - if (varies) fit$c * part$mean_center else 0,
        fitted = fit$fitted, left = fit$left, pairs = matrix(fit$pairs, 5)
      )
    }
  }
  of_squares <- greedytl_odds_calibrated(squares$mean_held, part, greedytl_odds_slope_prior(part))
  beta <- as.vector(squares$path$average$beta)
  a0 <- of_squares$a + of_squares$b * squares$path$average$a0
  alternatives[["selected columns"]] <- list(
    beta = c(of_squares$b * beta, if (s) 0), a0 = a0, left = of_squares$left,
    fitted = part$offset + of_squares$a + of_squares$b * squares$score
  )
  if (varies) {
    again <- greedytl_odds_calibrated(part$mean, part, MEAN_SLOPE_PRIOR)
    only_mean <- function(b) replace(numeric(total), total, b)
    alternatives[["mean of sources, recalibrated"]] <- list(
      beta = only_mean(again$b), a0 = again$a, left = again$left, fitted = part$offset + again$a + again$b * part$mean
    )
    as_is <- part$offset + part$mean
    alternatives[["mean of sources, as it is"]] <- list(beta = only_mean(1), a0 = 0, left = as_is, fitted = as_is)
  }
  alternatives
}

# From checked settings to the path object. Of counts everything but the path of least squares is fitted twice, the
# second time with the dispersion of the first fit, so that counts that vary more than a Poisson model says do not make
# the few rows look decisive.
greedytl_odds_fit <- function(frame, settings, call) {
  kinds <- greedytl_odds_source_kinds(frame, call)
  fit <- greedytl_odds_fitted(frame, kinds, settings, call)
  if (fit$part$family == "poisson") {
    fit$part$phi <- greedytl_odds_dispersion(fit, fit$part)
    fit$part$w <- fit$part$w / fit$part$phi
    if (fit$part$phi > 1) fit <- greedytl_odds_average(frame, fit$part, fit$squares, settings, call)
  }
  greedytl_odds_object(frame, fit$part, fit$squares, fit$each, fit$weight, kinds, settings)
}

# What the predictions of every source are, said to the user; NULL without sources.
greedytl_odds_source_kinds <- function(frame, call) {
  if (!is.null(frame$offset) && diff(range(frame$offset)) > ODDS_OFFSETS_APART) {
    response_family_abort_offset(frame$offset, NO_DOMAIN, call)
  }
  if (is.null(frame$sources)) return(NULL)
  kinds <- sources_odds_kinds(frame$sources, frame$family, call)
  sources_odds_tell(frame$sources, kinds)
  sources_odds_with_constant(kinds, frame$sources$values)
}

ODDS_OFFSETS_APART <- 36 # doubles do not hold the sum of two numbers whose ratio is beyond exp(36)

# The fit to a frame, see greedytl_odds_average().
greedytl_odds_fitted <- function(frame, kinds, settings, call) {
  part <- greedytl_odds_part(frame, kinds, call)
  squares <- greedytl_odds_squares(frame, part, settings, call)
  squares$score <- greedytl_odds_scores(frame, part, squares$path$average$beta, squares$path$average$a0)
  greedytl_odds_average(frame, part, squares, settings, call)
}

# list(part, squares, each, weight): the rows and the path of least squares as they are given, the alternatives and
# their weights.
greedytl_odds_average <- function(frame, part, squares, settings, call) {
  each <- greedytl_odds_alternatives(frame, part, squares, settings, call)
  left <- vapply(each, `[[`, numeric(part$n), "left")
  list(part = part, squares = squares, each = each,
       weight = greedytl_odds_weights(left, part, greedytl_odds_prior(names(each))))
}

# Pearson's chi-squared of the fitted counts divided by n - 1, at least 1.
greedytl_odds_dispersion <- function(fit, part) {
  mean <- exp(drop(vapply(fit$each, `[[`, numeric(part$n), "fitted") %*% fit$weight))
  max(1, sum(part$w * (part$y - mean)^2 / mean) / (part$n - 1))
}
