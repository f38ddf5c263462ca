# The object of tgreedy(): coefficients and the table of steps.

tgreedy_object <- function(result, frame, settings, coded) {
  frame <- unclass(frame) # for a faster `$`
  family <- response_family_of_frame(frame)
  one_or_list <- function(x) path_object_one_or_list(x, family == "multinomial")
  named <- function(x) {
    names(x) <- label
    x
  }
  ends <- lengths(lapply(result$paths, `[[`, "entered"))
  end <- max(ends)
  entered <- table_distinct_columns(unlist(lapply(result$paths, `[[`, "feature")))
  label <- labels_of_columns(frame$blueprint$columns, entered)
  models <- lapply(result$paths, tgreedy_object_models, result = result, end = end, names = frame$blueprint$columns)
  domains <- levels(frame$domain)
  spread <- matrix(0, length(domains), length(entered), dimnames = list(domains, label))
  for (r in result$paths) spread[, match(r$feature, entered)] <- r$spread
  fitted <- lapply(models, function(m) response_scores_at(frame$x, m, length(m$a0)))
  fitted <- if (length(models) > 1) do.call(cbind, fitted) else fitted[[1]]
  if (length(models) == 1) dim(coded) <- NULL
  by_domain <- function(what) {
    if (is.null(result$paths[[1]][[what]])) return(NULL)
    one_or_list(lapply(result$paths, function(r) {
      values <- table_nan_to_na(r[[what]])
      steps <- length(values) / length(domains)
      matrix(values, steps, byrow = TRUE, dimnames = list(seq_len(steps) - 1L, domains))
    }))
  }
  path_object_new(
    "tgreedy", labels = c(title = "T-greedy"),
    beta = one_or_list(lapply(models, `[[`, "beta")), a0 = one_or_list(lapply(models, `[[`, "a0")),
    points = table_data_frame(list(step = 0:end, lambda = rep(NA_real_, end + 1L))),
    steps = tgreedy_object_steps(result$paths, family, frame, settings$groups), best = end,
    chosen = settings$stop != "none", lambda = NA_real_,
    nobs = frame_rows_count(frame), family = family, classes = levels(frame$y), by = "domain",
    rule = settings$rule,
    center = named(result$center[entered]), scale = named(result$scale[entered]),
    domain_scale = spread, domain_loss = by_domain("loss"), domain_auroc = by_domain("auroc"),
    moderation = one_or_list(lapply(result$paths, function(r) c(d0 = r$moderation[1], s02 = r$moderation[2]))),
    gain_left = vapply(result$paths, `[[`, 0, "gain_left"),
    fitted = fitted, residuals = coded - fitted, log_weights = response_weights_log_term_by_domain(frame),
    frame = frame,
    settings = settings
  )
}

# Coefficients and intercepts of steps 0..end on the original scale.
tgreedy_object_models <- function(r, result, end, names) {
  places <- path_object_step_places(r$size, end)
  place <- sequence(places$size)
  row <- r$feature[place]
  step <- rep(seq_along(places$size), places$size)
  value <- r$weight[places$at] / result$scale[row]
  # by step, then by row: each number at its place in a table of them; order() takes as long as half of a small fit
  used <- table_distinct_columns(row)
  stored <- integer(length(used) * (end + 1L))
  stored[match(row, used) + (step - 1L) * length(used)] <- seq_along(row)
  sorted <- stored[stored > 0L]
  moved <- matrix(0, max(places$size), end + 1L)
  moved[cbind(place, step)] <- value * result$center[row]
  list(
    beta = table_sparse_matrix(row[sorted] - 1L, cumsum(c(0L, places$size)), value[sorted],
                               c(length(result$center), end + 1L), list(names, NULL)),
    a0 = r$y_mean - colSums(moved)
  )
}

tgreedy_object_steps <- function(paths, family, frame, groups) {
  entered <- function(j) groups$labels[j] %||% labels_of_columns(frame$blueprint$columns, j)
  K <- nlevels(frame$domain)
  n <- frame_rows_count(frame)
  one <- function(class) {
    r <- paths[[class]]
    k <- length(r$entered)
    loss <- colMeans(matrix(r$loss, K))
    list(
      class = rep(class, k + 1), lambda = rep(NA_real_, k + 1), step = 0:k,
      entered = c(NA, entered(r$entered)),
      type = c(NA, rep("feature", k)), size = c(0L, r$size), t = table_nan_to_na(c(NA, r$t)),
      t_mod = table_nan_to_na(c(NA, r$t_mod)),
      p_value = table_nan_to_na(c(NA, 2 * stats::pt(-abs(r$t), max(K - 1, 1)))),
      gain = table_nan_to_na(c(NA, r$gain)), mu = c(NA, r$mu), s = table_nan_to_na(c(NA, r$s)),
      weight = table_nan_to_na(c(NA, r$change)),
      loss = loss, bound = table_nan_to_na(c(0, r$bound)), rss = n * loss,
      df = c(0L, r$size) + 1
    )
  }
  rows <- table_stacked(lapply(names(paths), one))
  if (family != "multinomial") rows$class <- NULL
  table_data_frame(rows)
}
