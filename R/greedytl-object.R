# From the kernel's results to the path object.

# The kernel's path at the steps at which groups are whole: `size` has the columns in at each step from 1
# on, `first` the place of the first of those that entered.
whole_steps <- function(r) {
  r$size <- r$ends[-1]
  r$first <- r$ends[-length(r$ends)] + 1L
  if (identical(r$size, seq_along(r$entered))) return(r)
  for (name in c("objective", "rss", "df", "loo", "accuracy", "a0")) r[[name]] <- r[[name]][r$ends + 1L]
  take <- sequence(r$size, r$size * (r$size - 1L) / 2 + 1)
  r$row <- r$row[take]
  r$coef <- r$coef[take]
  r$gain <- as.vector(rowsum(r$gain, rep(seq_along(r$size), diff(r$ends)), reorder = FALSE))
  r
}

# paths: for each response a list of results, one for each lambda, of whole_steps().
greedytl_object <- function(frame, paths, settings, coded, v) {
  lambda <- settings$lambda
  family <- frame_family(frame)
  p <- ncol(frame$x)
  total <- p + (frame$sources$n_sources %||% 0)
  sizes <- vapply(paths, function(path) vapply(path, function(r) length(r$size), 0L), integer(length(lambda)))
  ends <- if (length(paths) == 1) as.vector(sizes) else apply(matrix(sizes, length(lambda)), 1, max)
  points <- quick_frame(list(step = sequence(ends + 1L) - 1L, lambda = rep(lambda, ends + 1L)))
  all <- unlist(paths, recursive = FALSE, use.names = FALSE)
  entered <- distinct_columns(unlist(lapply(all, function(r) c(r$entered, r$mean_row + 1L))))
  label <- design_labels(frame$blueprint, frame$sources, entered)
  of <- settings$groups$of
  term <- function(j) {
    out <- label[match(j, entered)]
    grouped <- j <= length(of)
    out[grouped] <- settings$groups$labels[of[j[grouped]]]
    out
  }
  all_names <- z_names(frame)
  single <- function(x) one_or_list(x, family == "multinomial")
  models <- lapply(paths, function(path) {
    parts <- lapply(seq_along(path), function(l) {
      r <- path[[l]]
      places <- step_places(r$size, ends[l])
      beta <- sparse_matrix(r$row[places$at], cumsum(c(0L, places$size)), r$coef[places$at],
                            c(as.integer(total), ends[l] + 1L), list(all_names, NULL))
      list(beta = beta, a0 = r$a0[places$step])
    })
    if (length(parts) == 1) return(parts[[1]])
    list(beta = do.call(cbind, lapply(parts, `[[`, "beta")), a0 = unlist(lapply(parts, `[[`, "a0")))
  })
  steps <- path_table(paths, lambda, function(r) {
    entered <- r$entered[r$first]
    list(
      step = c(0L, seq_along(r$size)), entered = c(NA, term(entered)),
      type = c(NA, c("feature", "source")[1 + (entered > p)]), size = c(0L, r$size),
      gain = c(NA, r$gain), objective = r$objective, rss = r$rss, loss = r$rss / frame_nobs(frame), df = r$df,
      loo = nan_to_na(r$loo), loo_accuracy = nan_to_na(r$accuracy)
    )
  })
  if (family == "gaussian") steps$loo_accuracy <- NULL
  ridge <- path_table(paths, lambda, function(r) { # a row for every pair, in the kernel's order
    pairs <- matrix(nan_to_na(r$pairs), 7)
    list(alpha_features = pairs[1, ], alpha_sources = pairs[2, ], tau_features = pairs[3, ], tau_sources = pairs[4, ],
         from_mean = pairs[5, ] == 1, criterion = pairs[6, ], weight = pairs[7, ])
  })
  ours <- settings$rule == "transfer"
  calibration <- if (settings$held) greedytl_calibration(frame, paths, points)
  left <- paths[[1]][[1]]$residual
  if (length(paths) == 1) dim(coded) <- NULL else left <- vapply(paths, function(path) path[[1]]$residual, left)
  new_path(
    "greedytl", labels = c(title = "Greedy transfer learning"),
    beta = single(lapply(models, `[[`, "beta")), a0 = single(lapply(models, `[[`, "a0")),
    points = points, steps = steps, best = if (ours) "average" else ends[1], lambda = lambda, nobs = frame_nobs(frame),
    family = family, classes = levels(frame$y), rule = settings$rule, ridge = ridge,
    center = entered_values(paths, "center", label, entered),
    scale = entered_values(paths, "scale", label, entered),
    sources = path_sources(frame$sources, entered - p), frame = frame,
    fitted = coded - left, residuals = left,
    average = if (ours) greedytl_average(paths, total, all_names, single),
    loo = if (ours && length(left)) greedytl_loo(frame, paths, settings, coded, v),
    log_weights = log_weights(frame),
    calibration = calibration,
    log_loss = if (!is.null(calibration)) greedytl_log_loss(frame, paths[[1]], calibration),
    settings = settings
  )
}

# The calibration of scores by predictions of the rows left out, in closed form given the columns.
greedytl_calibration <- function(frame, paths, points) {
  n <- frame_nobs(frame)
  scores <- vapply(paths, function(path) {
    held <- matrix(path[[1]]$held, n)
    cbind(held[, pmin(points$step + 1L, ncol(held)), drop = FALSE], path[[1]]$mean_held)
  }, matrix(0, n, nrow(points) + 1L))
  calibration_of(aperm(nan_to_na(scores), c(1, 3, 2)), frame, list(points = points))
}

# c(fit, sources): on the rows of the fit, the mean log loss of calibrated leave-one-out scores of the default model,
# and that of the mean of the probabilities (h + 1)/2 of the sources; NULL without sources, or where they are no
# probabilities.
greedytl_log_loss <- function(frame, path, calibration) {
  h <- frame$sources$values
  if (is.null(h) || nlevels(frame$y) > 2 || any(!is.finite(range(h)) | abs(range(h)) > 1)) return(NULL)
  upper <- as.integer(frame$y) == 2L
  w <- row_unit_weights(frame)
  ab <- calibration$average[, 1, 1]
  odds <- list(fit = ab[1] + ab[2] * path[[1]]$mean_held, sources = stats::qlogis((Matrix::rowMeans(h) + 1) / 2))
  vapply(odds, function(eta) -mean_by_weight(stats::plogis(ifelse(upper, eta, -eta), log.p = TRUE), w), 0)
}

# The mean of steps and ridges, a column or number for every lambda: coefficients (lists for more
# than two classes), and of the first response the weighted residual sum of squares and df.
greedytl_average <- function(paths, total, names, single) {
  number <- function(path, what) if (length(path) == 1L) path[[1]][[what]] else vapply(path, `[[`, 0, what)
  beta <- lapply(paths, function(path) {
    row <- lapply(path, `[[`, "mean_row")
    sparse_matrix(unlist(row), cumsum(c(0L, lengths(row))), unlist(lapply(path, `[[`, "mean_coef")),
                  c(as.integer(total), length(path)), list(names, NULL))
  })
  list(beta = single(beta), a0 = single(lapply(paths, number, "mean_a0")), df = number(paths[[1]], "mean_df"),
       rss = number(paths[[1]], "mean_rss"))
}

# Leave-one-out errors, given the selected columns and the ridges: of the default model, of the default model without
# sources, and of a regression on the mean of the sources alone.
greedytl_loo <- function(frame, paths, settings, coded, v) {
  q <- length(paths)
  alone <- if (!is.null(frame$sources)) mean_source_paths(frame, settings, coded, v)
  of <- function(own, other) {
    own <- vapply(paths, function(path) path[[1]][[own]][1:2], c(0, 0), USE.NAMES = FALSE)
    nan_to_na(c(own[1, ], own[2, ], vapply(alone, function(r) r[[other]][2], 0)))
  }
  loo <- of("mean_loo", "loo")
  keep <- which(seq_along(loo) <= q | !is.na(loo))
  rows <- list(model = rep(c("fit", "without sources", "mean of the sources, fitted"), each = q)[keep])
  if (q > 1) rows$class <- rep(names(paths), 3)[keep]
  rows$loo <- loo[keep]
  if (settings$classes) rows$loo_accuracy <- of("mean_accuracy", "accuracy")[keep]
  quick_frame(rows)
}

# Least squares on the mean of the sources alone, a path for each response; nothing without their values.
mean_source_paths <- function(frame, settings, coded, v) {
  values <- frame$sources$values
  if (is.null(values) || settings$candidates) return(list())
  if (settings$source_scale == "each") values <- scale(as.matrix(values))
  column <- as.matrix(values %*% rep.int(1 / ncol(values), ncol(values)))
  if (anyNA(column)) column <- matrix(Matrix::rowMeans(values, na.rm = TRUE), ncol = 1)
  if (!all(is.finite(column)) || min(column) == max(column)) return(list())
  settings[c("rule", "tau", "lambda", "max_steps", "keep", "groups", "held")] <-
    list("paper", matrix(0, 2, 1), 0, 1L, 1L, NULL, FALSE)
  if (is.null(dim(coded))) dim(coded) <- c(length(coded), 1L)
  out <- .Call(C_greedytl, list(column), coded, v, NULL, settings, NULL)
  if (out$status == 0 && all(lengths(lapply(out$paths, `[[`, "entered")))) out$paths else list()
}

# A table of all paths, one below the other: columns(r) of each, after its class, if there are several, and its lambda.
path_table <- function(paths, lambda, columns) {
  class <- rep(names(paths), each = length(lambda))
  lambda <- rep(lambda, length(paths))
  all <- unlist(paths, recursive = FALSE, use.names = FALSE)
  quick_frame(stacked(lapply(seq_along(all), function(k) {
    own <- columns(all[[k]])
    rows <- length(own[[1]])
    c(if (length(paths) > 1) list(class = rep(class[k], rows)), list(lambda = rep(lambda[k], rows)), own)
  })))
}

# center or scale of every column that entered; a matrix with a column for each class where they differ.
entered_values <- function(paths, what, label, entered) {
  one <- function(path) {
    value <- rep(NA_real_, length(entered))
    names(value) <- label
    for (r in path) {
      value[match(r$mean_row + 1L, entered)] <- r[[paste0("mean_", what)]]
      value[match(r$entered, entered)] <- r[[what]]
    }
    value
  }
  values <- lapply(paths, one)
  if (length(values) == 1) return(values[[1]])
  matrix(unlist(values), nrow = length(label), ncol = length(values),
         dimnames = list(label, names(paths)))
}

# What a fit keeps of its sources: their names and the models that entered.
path_sources <- function(sources, entered) {
  if (is.null(sources)) return(NULL)
  entered <- entered[entered > 0]
  kept <- list(
    kind = if (is.null(sources$models)) "values" else "models", n_sources = sources$n_sources,
    names = sources$names, entered = entered, predict = sources$predict
  )
  if (kept$kind == "models") kept <- c(kept, kept_models(sources, entered))
  kept
}

# ---- print(): ridges, sources, leave-one-out before the steps ------------------------------------

SHOWN_SOURCES <- 5

describe_path.greedytl <- function(x, digits, n = NULL) {
  said <- describe_path.transfer_path(x, digits, n)
  said$head <- c(said$head, ridge_lines(x), leave_one_out_line(x, digits), log_loss_line(x, digits))
  said
}

# One line for the ridges and one for the sources; of several classes the means over them.
ridge_lines <- function(x) {
  shares <- source_shares(x)
  none <- is.infinite(x$ridge$alpha_sources) & !x$ridge$from_mean # the alternative that no source enters
  pairs <- if (is.null(x$average)) 0 else sum(x$ridge$weight > 0 & !is.na(x$ridge$criterion))
  c(
    if (pairs > 1) paste0("Ridges: ", pairs, " pairs averaged by their evidence",
                          if (!is.null(x$ridge$class)) " (in all classes)",
                          "; the steps below are of the first row of `ridge`"),
    if (any(none, na.rm = TRUE)) {
      share <- function(of) percent(sum(x$ridge$weight[which(of)]) / sum(x$ridge$weight))
      paste0("Weight of no source: ", share(none), if (any(x$ridge$from_mean))
        paste0("; of the mean of the sources, with corrections: ", share(x$ridge$from_mean)))
    },
    if (length(shares)) {
      first <- utils::head(shares, SHOWN_SOURCES)
      rest <- shares[-seq_along(first)]
      paste0("Sources' shares: ", paste(c(paste(shorten(names(first), 20), percent(first)),
                                          if (length(rest)) paste(length(rest), "more", percent(sum(rest)))),
                                        collapse = ", "))
    }
  )
}

# The part of every source in the default model: its absolute standardised coefficient, relative to
# the sum of those of all columns. Largest first.
source_shares <- function(x) {
  if (is.null(x$sources)) return(numeric())
  shares <- lapply(responses(x), function(response) {
    at <- path_model(x, class = if (path_is_multi(x)) response)[[1]]$beta
    rows <- which(Matrix::rowSums(abs(at)) > 0)
    size <- abs(at[rows, 1] * path_scale(x, response)[term_names(x, rows)])
    list(row = rows, share = if (sum(size) > 0) size / sum(size) else size)
  })
  row <- unlist(lapply(shares, `[[`, "row"))
  total <- tapply(unlist(lapply(shares, `[[`, "share")), row, sum) / length(shares)
  row <- as.integer(names(total))
  total <- stats::setNames(as.vector(total), term_names(x, row))[row > x$blueprint$p]
  total[order(-total)]
}

# Of two classes: the log loss of calibrated leave-one-out scores and of the sources' own probabilities, and which is
# less.
log_loss_line <- function(x, digits) {
  if (is.null(x$log_loss)) return(NULL)
  own <- x$log_loss[["fit"]]
  theirs <- x$log_loss[["sources"]]
  paste0("Log loss of probabilities: leave-one-out ", format(own, digits = digits), "; mean of the sources' own ",
         format(theirs, digits = digits), if (theirs < own) ", which is better on these rows")
}

leave_one_out_line <- function(x, digits) {
  if (is.null(x$loo)) return(NULL)
  models <- unique(x$loo$model)
  text <- vapply(models, function(model) {
    mine <- x$loo[x$loo$model == model, , drop = FALSE]
    accuracy <- if (!is.null(mine$loo_accuracy) && !anyNA(mine$loo_accuracy)) {
      paste0(" (accuracy ", percent(mean(mine$loo_accuracy)), ")")
    }
    paste0(if (model != "fit") paste0(model, " "), format(mean(mine$loo), digits = digits), accuracy)
  }, "")
  paste0("Leave-one-out error, given the columns: ", paste(text, collapse = "; "))
}
