# tgreedy()'s path object.

tgreedy_object <- function(out, frame, settings, coded) {
  family <- frame_family(frame)
  single <- function(x) one_or_list(x, family == "multinomial")
  ends <- vapply(out$paths, function(r) length(r$entered), 0L)
  end <- max(ends)
  entered <- distinct_columns(unlist(lapply(out$paths, `[[`, "feature")))
  label <- column_labels(frame$blueprint$columns, entered)
  models <- lapply(out$paths, tgreedy_models, out = out, end = end, names = frame$blueprint$columns)
  domains <- levels(frame$domain)
  spread <- matrix(0, length(domains), length(entered), dimnames = list(domains, label))
  for (r in out$paths) spread[, match(r$feature, entered)] <- r$spread
  fitted <- lapply(models, function(m) score_rows_at(frame$x, m, length(m$a0)))
  fitted <- if (length(models) > 1) do.call(cbind, fitted) else fitted[[1]]
  if (length(models) == 1) dim(coded) <- NULL
  new_path(
    "tgreedy", labels = c(title = "T-greedy"),
    beta = single(lapply(models, `[[`, "beta")), a0 = single(lapply(models, `[[`, "a0")),
    points = quick_frame(list(step = 0:end, lambda = rep(NA_real_, end + 1L))),
    steps = tgreedy_steps(out$paths, family, frame, settings$groups), best = end, lambda = NA_real_,
    nobs = frame_nobs(frame), family = family, classes = levels(frame$y), by = "domain",
    rule = settings$rule,
    center = stats::setNames(out$center[entered], label), scale = stats::setNames(out$scale[entered], label),
    domain_scale = spread, domain_loss = single(lapply(out$paths, domain_table, "loss", domains)),
    domain_auroc = if (!is.null(out$paths[[1]]$auroc)) {
      single(lapply(out$paths, domain_table, "auroc", domains))
    },
    moderation = single(lapply(out$paths, function(r) {
      c(d0 = r$moderation[1], s02 = r$moderation[2])
    })),
    gain_left = vapply(out$paths, `[[`, 0, "gain_left"),
    fitted = fitted, residuals = coded - fitted, log_weights = log_domain_weights(frame), frame = frame,
    settings = settings
  )
}

# Coefficients and intercepts of steps 0..end on the original scale.
tgreedy_models <- function(r, out, end, names) {
  k <- length(r$entered)
  size <- c(0L, r$size, rep(if (k) r$size[k] else 0L, end - k))
  last <- if (k) length(r$weight) - r$size[k] + seq_len(r$size[k])
  weight <- r$weight[c(seq_along(r$weight), rep(last, end - k))]
  place <- sequence(size)
  row <- r$feature[place]
  step <- rep(seq_along(size), size)
  value <- weight / out$scale[row]
  order <- order(step, row, method = "radix")
  moved <- matrix(0, max(size), end + 1L)
  moved[cbind(place, step)] <- value * out$center[row]
  list(
    beta = sparse_matrix(row[order] - 1L, as.integer(cumsum(c(0L, size))), value[order],
                         c(length(out$center), end + 1L), list(names, NULL)),
    a0 = r$y_mean - colSums(moved)
  )
}

domain_table <- function(r, what, domains) {
  values <- matrix(nan_to_na(r[[what]]), ncol = length(domains), byrow = TRUE)
  dimnames(values) <- list(seq_len(nrow(values)) - 1L, domains)
  values
}

tgreedy_steps <- function(paths, family, frame, groups) {
  entered <- function(at) groups$labels[at] %||% column_labels(frame$blueprint$columns, at)
  K <- nlevels(frame$domain)
  n <- frame_nobs(frame)
  one <- function(class) {
    r <- paths[[class]]
    k <- length(r$entered)
    loss <- colMeans(matrix(r$loss, K))
    list(
      class = rep(class, k + 1), lambda = rep(NA_real_, k + 1), step = 0:k,
      entered = c(NA, entered(r$entered)),
      type = c(NA, rep("feature", k)), size = c(0L, r$size), t = nan_to_na(c(NA, r$t)),
      t_mod = nan_to_na(c(NA, r$t_mod)),
      p_value = nan_to_na(c(NA, 2 * stats::pt(-abs(r$t), max(K - 1, 1)))),
      gain = nan_to_na(c(NA, r$gain)), mu = c(NA, r$mu), s = nan_to_na(c(NA, r$s)),
      weight = nan_to_na(c(NA, r$change)),
      loss = loss, bound = nan_to_na(c(0, r$bound)), rss = n * loss,
      df = c(0L, r$size) + 1
    )
  }
  out <- stacked(lapply(names(paths), one))
  if (family != "multinomial") out$class <- NULL
  quick_frame(out)
}
