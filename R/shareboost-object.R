# From ShareBoost's kernel to the path object.

shareboost_object <- function(rounds, frame, settings, units) {
  classes <- levels(frame$y)
  frame <- unclass(frame) # for a faster `$`
  family <- response_family_of_frame(frame)
  end <- length(rounds$unit)
  models <- shareboost_object_models(rounds, settings$intercept, length(classes))
  prob <- response_scores_softmax(shareboost_object_training_scores(models$weights[[end + 1]], models$a0[, end + 1],
                                  rounds, frame))
  dimnames(prob) <- list(NULL, classes)
  frame$blueprint <- rounds$blueprint %||% frame$blueprint
  beta <- shareboost_object_weights(models, classes, shareboost_object_design_columns(rounds), rounds$columns,
                                    frame$blueprint)
  a0 <- lapply(stats::setNames(seq_along(classes), classes), function(class) models$a0[class, ])
  two <- family == "binomial"
  path_object_new(
    "shareboost", labels = c(title = "ShareBoost"), link = "logit",
    beta = if (two) shareboost_object_sparse_difference(beta[[2]], beta[[1]]) else beta,
    a0 = if (two) a0[[2]] - a0[[1]] else a0,
    points = table_data_frame(list(step = 0:end, lambda = rep(NA_real_, end + 1L))),
    steps = shareboost_object_steps(rounds, units), best = end, chosen = FALSE, lambda = NA_real_,
    nobs = frame_rows_count(frame),
    family = family, classes = classes, rule = settings$rule,
    center = stats::setNames(rounds$center, rounds$term), scale = stats::setNames(rounds$scale, rounds$term),
    fitted = prob, residuals = response_class_indicators(frame$y) - prob,
    frame = frame, settings = settings
  )
}

# W of the scaled columns -> on the original scale: weights, one matrix for each step (k x columns), and
# a0, k x steps.
shareboost_object_models <- function(rounds, intercept, k) {
  one <- function(values) {
    w <- matrix(values, nrow = k)
    a0 <- if (intercept) w[, 1L] else numeric(k)
    if (intercept) w <- w[, -1L, drop = FALSE]
    entered <- seq_len(ncol(w))
    w <- w / rep(rounds$scale[entered], each = k)
    list(w = w, a0 = if (intercept) a0 - drop(w %*% rounds$center[entered]) else a0)
  }
  steps <- lapply(rounds$weights, one)
  list(weights = lapply(steps, `[[`, "w"), a0 = vapply(steps, `[[`, numeric(k), "a0"))
}

# a - b of matrices with entries at the same places, faster than by methods of Matrix.
shareboost_object_sparse_difference <- function(a, b) {
  a@x <- a@x - b@x
  a
}

# Weights by class, columns of the design x steps; `row` says where the selected columns are.
shareboost_object_weights <- function(models, classes, row, size, blueprint) {
  row <- row[sequence(size)]
  # by step, then by row: order() takes as long as a tenth of a small fit
  used <- table_distinct_columns(row)
  place <- integer(length(used) * length(size))
  place[match(row, used) + (rep(seq_along(size), size) - 1L) * length(used)] <- seq_along(row)
  by_column <- place[place > 0L]
  weights <- do.call(cbind, models$weights)[, by_column, drop = FALSE]
  i <- row[by_column] - 1L
  starts <- as.integer(cumsum(c(0L, size)))
  lapply(stats::setNames(seq_along(classes), classes), function(class) {
    table_sparse_matrix(i, starts, as.double(weights[class, ]), c(as.integer(blueprint$p), length(size)),
                        list(blueprint$columns, NULL))
  })
}

shareboost_object_steps <- function(rounds, units) {
  k <- length(rounds$unit)
  type <- if (units$type == "group") units$types(rounds$unit) else rep(units$type, k)
  table_data_frame(list(
    lambda = rep(NA_real_, k + 1), step = 0:k,
    entered = c(NA, rounds$entered %||% units$label(rounds$unit)), type = c(NA, type),
    size = rounds$columns, gradient = c(NA, rounds$slope),
    score = c(NA, rounds$score), loss = rounds$loss, error = rounds$error, gradient_end = rounds$end,
    iterations = rounds$iterations, refreshes = rounds$refreshes, converged = rounds$converged == 1
  ))
}

# The places in the design of the columns that entered: the design of a map has no other columns.
shareboost_object_design_columns <- function(rounds) {
  if (is.null(rounds$blueprint)) rounds$column else seq_along(rounds$term)
}

# Scores of the training rows, by weights of the columns that entered (k x columns).
shareboost_object_training_scores <- function(weights, a0, rounds, frame) {
  x <- frame_map_design(rounds$blueprint %||% frame$blueprint, frame)
  response_scores_of_rows(x[, shareboost_object_design_columns(rounds), drop = FALSE], t(weights), a0)
}
