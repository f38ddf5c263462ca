# From ShareBoost's kernel to the path object.

shareboost_object <- function(out, frame, settings, pool) {
  classes <- levels(frame$y)
  family <- frame_family(frame)
  end <- length(out$unit)
  models <- shareboost_models(out, settings$intercept, length(classes))
  row <- out$column
  blueprint <- frame$blueprint
  if (!is.null(out$blueprint)) {
    frame$blueprint <- blueprint <- out$blueprint
    row <- seq_along(out$term)
  }
  beta <- weights_matrices(models, classes, row, out$columns, blueprint)
  a0 <- lapply(stats::setNames(seq_along(classes), classes), function(class) models$a0[class, ])
  prob <- fitted_shares(models$weights[[end + 1]], models$a0[, end + 1], row, frame, classes)
  two <- family == "binomial"
  new_path(
    "shareboost",
    beta = if (two) beta[[2]] - beta[[1]] else beta, a0 = if (two) a0[[2]] - a0[[1]] else a0,
    points = list2DF(list(step = 0:end, lambda = rep(NA_real_, end + 1L))),
    steps = shareboost_steps(out, pool), best = end, lambda = NA_real_, nobs = frame_nobs(frame),
    family = family, classes = classes, rule = settings$rule, logistic = TRUE,
    center = stats::setNames(out$center, out$term), scale = stats::setNames(out$scale, out$term),
    fitted = prob, residuals = outer(as.integer(frame$y), seq_along(classes), "==") - prob,
    frame = frame, settings = settings
  )
}

# W of the scaled columns -> on the original scale: weights, one matrix a step (k x columns), and
# a0, k x steps.
shareboost_models <- function(out, intercept, k) {
  one <- function(values) {
    w <- matrix(values, nrow = k)
    a0 <- if (intercept) w[, 1] else numeric(k)
    if (intercept) w <- w[, -1, drop = FALSE]
    at <- seq_len(ncol(w))
    w <- w / rep(out$scale[at], each = k)
    list(w = w, a0 = if (intercept) a0 - drop(w %*% out$center[at]) else a0)
  }
  steps <- lapply(out$weights, one)
  list(weights = lapply(steps, `[[`, "w"), a0 = vapply(steps, `[[`, numeric(k), "a0"))
}

# Weights by class, columns of the design x steps; `row` says where the selected columns are.
weights_matrices <- function(models, classes, row, size, blueprint) {
  row <- row[sequence(size)]
  order <- order(rep(seq_along(size), size), row)
  weights <- do.call(cbind, models$weights)[, order, drop = FALSE]
  i <- row[order] - 1L
  starts <- as.integer(cumsum(c(0L, size)))
  lapply(stats::setNames(seq_along(classes), classes), function(class) {
    sparse_matrix(i, starts, as.double(weights[class, ]), c(as.integer(blueprint$p), length(size)),
                  list(blueprint$columns, NULL))
  })
}

shareboost_steps <- function(out, pool) {
  k <- length(out$unit)
  list2DF(list(
    lambda = rep(NA_real_, k + 1), step = 0:k, entered = c(NA, pool$label(out$unit)),
    type = c(NA, rep(pool$type, k)), size = out$columns, gradient = c(NA, out$slope),
    score = c(NA, out$score), loss = out$loss, error = out$error, gradient_end = out$end,
    iterations = out$iterations, refreshes = out$refreshes, converged = out$converged == 1
  ))
}

# Probabilities of the training rows.
fitted_shares <- function(weights, a0, row, frame, classes) {
  x <- framed_design(frame$blueprint, frame)[, row, drop = FALSE]
  score <- as.matrix(x %*% t(weights)) + rep(a0, each = frame_nobs(frame))
  structure(softmax(score), dimnames = list(NULL, classes))
}
