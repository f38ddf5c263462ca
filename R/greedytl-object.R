# From the kernel's results to the path object.

# paths: for each response a list of results, one for each lambda, of greedytl_fit_whole_steps().
greedytl_object <- function(frame, paths, settings, coded, v) {
  frame <- unclass(frame) # for a faster `$`
  asked <- settings
  settings <- unclass(settings)
  lambda <- settings$lambda
  family <- response_family_of_frame(frame)
  p <- ncol(frame$x)
  total <- p + (frame$sources$n_sources %||% 0)
  all <- unlist(paths, recursive = FALSE, use.names = FALSE)
  ends <- lengths(lapply(all, `[[`, "size"))
  if (length(paths) > 1) ends <- apply(matrix(ends, length(lambda)), 1, max)
  points <- table_data_frame(list(step = sequence(ends + 1L) - 1L, lambda = rep(lambda, ends + 1L)))
  entered <- table_distinct_columns(unlist(lapply(all, function(r) c(r$entered, r$mean_row + 1L))))
  label <- path_object_design_labels(frame$blueprint, frame$sources, entered)
  of <- settings$groups$of
  term <- function(j) {
    shown <- label[match(j, entered)]
    grouped <- j <= length(of)
    shown[grouped] <- settings$groups$labels[of[j[grouped]]]
    shown
  }
  all_names <- greedytl_settings_column_names(frame)
  one_or_list <- function(x) path_object_one_or_list(x, family == "multinomial")
  models <- lapply(paths, function(path) {
    parts <- lapply(seq_along(path), function(l) {
      r <- path[[l]]
      places <- path_object_step_places(r$size, ends[l])
      beta <- table_sparse_matrix(r$row[places$at], cumsum(c(0L, places$size)), r$coef[places$at],
                                  c(as.integer(total), ends[l] + 1L), list(all_names, NULL))
      list(beta = beta, a0 = r$a0[places$step])
    })
    if (length(parts) == 1) return(parts[[1]])
    list(beta = do.call(cbind, lapply(parts, `[[`, "beta")), a0 = unlist(lapply(parts, `[[`, "a0")))
  })
  n <- frame_rows_count(frame)
  steps <- greedytl_object_table(paths, lambda, function(r) {
    entered <- r$entered[r$first]
    columns <- list(
      step = c(0L, seq_along(r$size)), entered = c(NA, term(entered)),
      type = c(NA, c("feature", "source")[1 + (entered > p)]), size = c(0L, r$size),
      gain = c(NA, r$gain), objective = r$objective, rss = r$rss, loss = r$rss / n, df = r$df,
      loo = table_nan_to_na(r$loo)
    )
    if (family != "gaussian") columns$loo_accuracy <- table_nan_to_na(r$accuracy)
    columns
  })
  ridge <- greedytl_object_table(paths, lambda, function(r) { # a row for every pair, in the kernel's order
    pairs <- matrix(table_nan_to_na(r$pairs), 7)
    list(alpha_features = pairs[1, ], alpha_sources = pairs[2, ], tau_features = pairs[3, ], tau_sources = pairs[4, ],
         from_mean = pairs[5, ] == 1, criterion = pairs[6, ], weight = pairs[7, ])
  })
  ours <- settings$rule == "transfer"
  calibration <- if (settings$held) greedytl_object_calibration(frame, paths, points)
  left <- paths[[1]][[1]]$residual
  if (length(paths) == 1) dim(coded) <- NULL else left <- vapply(paths, function(path) path[[1]]$residual, left)
  path_object_new(
    "greedytl", labels = c(title = "Greedy transfer learning"),
    beta = one_or_list(lapply(models, `[[`, "beta")), a0 = one_or_list(lapply(models, `[[`, "a0")),
    points = points, steps = steps, best = if (ours) "average" else ends[1], chosen = ours, lambda = lambda,
    nobs = n,
    family = family, classes = levels(frame$y), rule = settings$rule, ridge = ridge,
    center = greedytl_object_entered_values(paths, "center", label, entered),
    scale = greedytl_object_entered_values(paths, "scale", label, entered),
    sources = greedytl_object_sources(frame$sources, entered - p), frame = frame,
    fitted = coded - left, residuals = left,
    average = if (ours) greedytl_object_average(paths, total, all_names, one_or_list),
    loo = if (ours && length(left)) greedytl_object_loo(frame, paths, asked, coded, v),
    log_weights = response_weights_log_term(frame),
    calibration = calibration,
    log_loss = if (!is.null(calibration)) greedytl_object_log_loss(frame, paths[[1]], calibration),
    settings = asked
  )
}

# The calibration of scores by predictions of the held-out rows, in closed form given the columns.
greedytl_object_calibration <- function(frame, paths, points) {
  n <- frame_rows_count(frame)
  scores <- vapply(paths, function(path) {
    held <- matrix(path[[1]]$held, n)
    cbind(held[, pmin(points$step + 1L, ncol(held)), drop = FALSE], path[[1]]$mean_held)
  }, matrix(0, n, nrow(points) + 1L))
  cv_calibrate_scores(aperm(table_nan_to_na(scores), c(1, 3, 2)), frame, list(points = points))
}

# c(fit, sources, best): on the rows of the fit, the mean log loss of calibrated leave-one-out scores of the default
# model, that of the mean of the sources' probabilities, and the least of single sources, whose name is
# the attribute `best`; attribute `se`: standard errors over the rows of the differences to `fit`. NULL without sources
# whose predictions are probabilities.
greedytl_object_log_loss <- function(frame, path, calibration) {
  p <- if (nlevels(frame$y) == 2) sources_probabilities(frame$sources)
  if (!length(p)) return(NULL)
  upper <- as.integer(frame$y) == 2L
  w <- response_weights_or_ones(frame)
  ab <- calibration$average[, 1, 1]
  odds <- cbind(ab[1] + ab[2] * path[[1]]$mean_held, response_scores_log_odds(rowMeans(p)), response_scores_log_odds(p))
  by_row <- apply(odds, 2, function(eta) -stats::plogis(ifelse(upper, eta, -eta), log.p = TRUE))
  loss <- apply(by_row, 2, response_weights_mean, w)
  best <- which.min(loss[-(1:2)])
  shown <- c(fit = 1L, sources = 2L, best = 2L + best)
  se <- apply(by_row[, shown] - by_row[, 1], 2, response_weights_mean_se, w)
  structure(loss[shown], names = names(shown), se = stats::setNames(se, names(shown)),
            best = sources_label(frame$sources, attr(p, "at")[best]))
}

# The mean of steps and ridges, a column or number for every lambda: coefficients (lists for more
# than two classes), and of the first response the weighted residual sum of squares and df.
greedytl_object_average <- function(paths, total, names, one_or_list) {
  number <- function(path, what) if (length(path) == 1L) path[[1]][[what]] else vapply(path, `[[`, 0, what)
  beta <- lapply(paths, function(path) {
    if (length(path) == 1L) {
      row <- path[[1]]$mean_row
      return(table_sparse_matrix(row, c(0L, length(row)), path[[1]]$mean_coef, c(as.integer(total), 1L),
                                 list(names, NULL)))
    }
    row <- lapply(path, `[[`, "mean_row")
    table_sparse_matrix(unlist(row), cumsum(c(0L, lengths(row))), unlist(lapply(path, `[[`, "mean_coef")),
                        c(as.integer(total), length(path)), list(names, NULL))
  })
  list(beta = one_or_list(beta), a0 = one_or_list(lapply(paths, number, "mean_a0")), df = number(paths[[1]], "mean_df"),
       rss = number(paths[[1]], "mean_rss"))
}

# Leave-one-out errors, given the selected columns and the ridges: of the default model, of the default model without
# sources, and of a regression on the mean of the sources alone.
greedytl_object_loo <- function(frame, paths, settings, coded, v) {
  q <- length(paths)
  alone <- if (!is.null(frame$sources)) greedytl_object_mean_source(frame, settings, coded, v)
  of <- function(shared, other) {
    if (q == 1L) {
      shared <- paths[[1]][[1]][[shared]][1:2]
      return(table_nan_to_na(if (is.null(alone)) shared else c(shared, vapply(alone, function(r) r[[other]][2], 0))))
    }
    shared <- vapply(paths, function(path) path[[1]][[shared]][1:2], c(0, 0), USE.NAMES = FALSE)
    table_nan_to_na(c(shared[1, ], shared[2, ], vapply(alone, function(r) r[[other]][2], 0)))
  }
  loo <- of("mean_loo", "loo")
  keep <- which(seq_along(loo) <= q | !is.na(loo))
  rows <- list(model = rep(c("fit", "without sources", "mean of the sources, fitted"), each = q)[keep])
  if (q > 1) rows$class <- rep(names(paths), 3)[keep]
  rows$loo <- loo[keep]
  if (settings$classes) rows$loo_accuracy <- of("mean_accuracy", "accuracy")[keep]
  table_data_frame(rows)
}

# Least squares on the mean of the sources alone, a path for each response; nothing without their values.
greedytl_object_mean_source <- function(frame, settings, coded, v) {
  values <- frame$sources$values
  if (is.null(values) || settings$candidates) return(list())
  if (settings$source_scale == "each") values <- scale(as.matrix(values))
  column <- as.matrix(values %*% rep.int(1 / ncol(values), ncol(values)))
  if (anyNA(column)) column <- matrix(Matrix::rowMeans(values, na.rm = TRUE), ncol = 1)
  if (!all(is.finite(column)) || min(column) == max(column)) return(list())
  settings[c("rule", "tau", "lambda", "max_steps", "keep", "groups", "held")] <-
    list("paper", matrix(0, 2, 1), 0, 1L, 1L, NULL, FALSE)
  if (is.null(dim(coded))) dim(coded) <- c(length(coded), 1L)
  result <- .Call(C_greedytl, list(column), coded, v, NULL, settings, NULL)
  if (result$status == 0 && all(lengths(lapply(result$paths, `[[`, "entered")))) result$paths else list()
}

# A table of all paths, one below the other: columns(r) of each, after its class, if there are several, and its lambda.
greedytl_object_table <- function(paths, lambda, columns) {
  class <- rep(names(paths), each = length(lambda))
  lambda <- rep(lambda, length(paths))
  all <- unlist(paths, recursive = FALSE, use.names = FALSE)
  table_data_frame(table_stacked(lapply(seq_along(all), function(k) {
    lambda_columns <- columns(all[[k]])
    rows <- length(lambda_columns[[1]])
    c(if (length(paths) > 1) list(class = rep(class[k], rows)), list(lambda = rep(lambda[k], rows)), lambda_columns)
  })))
}

# center or scale of every column that entered; a matrix with a column for each class where they differ.
greedytl_object_entered_values <- function(paths, what, label, entered) {
  one <- function(path) {
    value <- rep(NA_real_, length(entered))
    names(value) <- label
    for (r in path) {
      value[match(r$mean_row + 1L, entered)] <- r[[paste0("mean_", what)]]
      value[match(r$entered, entered)] <- r[[what]]
    }
    value
  }
  if (length(paths) == 1) return(one(paths[[1]]))
  values <- lapply(paths, one)
  matrix(unlist(values), nrow = length(label), ncol = length(values),
         dimnames = list(label, names(paths)))
}

# What a fit keeps of its sources: their names and the models that entered.
greedytl_object_sources <- function(sources, entered) {
  if (is.null(sources)) return(NULL)
  entered <- entered[entered > 0]
  kept <- list(
    kind = if (is.null(sources$models)) "values" else "models", n_sources = sources$n_sources,
    names = sources$names, entered = entered, predict = sources$predict
  )
  if (kept$kind == "models") kept <- c(kept, sources_kept_models(sources, entered))
  kept
}
