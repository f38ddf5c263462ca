# Checks of greedytl()'s arguments; each returns the value in the form the kernel takes.

# The settings of a fit to a frame; all arguments but the frame are given by name. `ridges` is the value of
# check_ridge(); `given`, what the fit was given, for refit(); `map`, what a path keeps of a map of features.
greedytl_settings <- function(frame, rule, ridge, lambda, max_steps, tol, keep, groups = NULL, candidates = NULL,
                              average, class_weights = NULL, source_scale = NULL,
                              source_sign = "any", standardize, intercept, given, call) {
  rule <- check_choice(rule, c("transfer", "paper"), "rule", call)
  ours <- rule == "transfer"
  choose <- function(given, choices, argument) {
    check_choice(given %||% choices[if (ours) 1 else 2], choices, argument, call)
  }
  n <- frame_nobs(frame)
  size <- frame_width(frame) + (frame$sources$n_sources %||% 0)
  if (size == 0) {
    abort_input("{.arg x} has no columns and there are no sources.", "x",
                i = "Give at least one column.", call = call)
  }
  candidates <- check_candidates(candidates, size, call)
  if (candidates) source_scale <- check_own_scale(source_scale, call)
  scale <- choose(source_scale, c("common", "each"), "source_scale")
  balanced <- choose(class_weights, c("balanced", "none"), "class_weights") == "balanced"
  ridges <- check_ridge(ridge, lambda, ours, candidates, n, call)
  if (is_mapped(frame)) groups <- no_groups(groups, frame, call)
  if (candidates && is.null(groups)) groups <- FALSE
  groups <- column_groups(groups, frame, call)
  if (candidates && !is.null(groups)) {
    abort_input("{.arg groups} and {.arg candidates} are given.", "groups",
                i = "Leave one of them out: candidates are drawn one by one.", call = call)
  }
  units <- size - length(groups$of) + length(groups$labels)
  max_steps <- as.integer(check_most(max_steps %||% min(if (ours) 20 else 100, units), units, call))
  keep <- if (is.null(keep)) integer() else
    kept_columns(keep, z_names(frame), groups, size, "features or sources", call)
  if (length(keep)) {
    refuse_more_kept(length(unique(ifelse(keep <= length(groups$of), -groups$of[keep], keep))), max_steps, call)
  }
  settings <- list(
    rule = rule, intercept = check_flag(intercept, "intercept", call) && frame$intercept,
    standardize = check_flag(standardize, "standardize", call),
    common_scale = scale == "common",
    positive = check_choice(source_sign, c("any", "positive"), "source_sign", call) == "positive",
    average = ours, one_ridge = !check_flag(average, "average", call),
    scores = is.factor(frame$y), balanced = balanced && is.factor(frame$y),
    per_column = ridges$per_column, divisor = if (ours) n else n - 1, max_steps = max_steps,
    tol = check_number(tol %||% if (ours) 0 else 1e-4, "tol", 0, call),
    keep = keep, groups = groups, candidates = candidates,
    threads = check_threads(call), ridges = ridges, map = if (is_mapped(frame)) map_without_rows(frame$x),
    given = given
  )
  class(settings) <- "greedytl_settings"
  settings
}

# Names of all columns of Z, or NULL where some have none: labels for a million columns would take longer than the
# fit.
z_names <- function(frame) {
  s <- frame$sources$n_sources %||% 0
  if (s == 0 && !is_mapped(frame)) return(frame$blueprint$columns)
  if (s > 0 && is.null(frame$sources$names)) return(NULL)
  c(frame_labels(frame, seq_len(frame_width(frame))), frame$sources$names)
}

check_own_scale <- function(source_scale, call) {
  if (identical(source_scale, "common")) {
    abort_input("{.arg source_scale} is {.val common}, which needs the predictions of all
                 sources.", "source_scale",
                i = "Give {.val each}: with {.arg candidates} only some sources are
                     asked.", call = call)
  }
  source_scale %||% "each"
}

# What C takes: the settings, where `max_steps` counts columns and `max_groups` groups, sources being groups of their
# own, and random numbers for candidates.
greedytl_options <- function(settings, columns) {
  options <- unclass(settings)
  options$max_groups <- options$max_steps
  if (options$candidates) options$draws <- stats::runif(options$candidates * options$max_steps)
  groups <- options$groups
  if (is.null(groups)) return(options)
  others <- columns - length(groups$of)
  options$groups <- c(groups$of, length(groups$labels) + seq_len(others))
  size <- sort(c(tabulate(groups$of), rep(1L, others)), decreasing = TRUE)
  options$max_steps <- as.integer(sum(utils::head(size, options$max_steps)))
  options
}

# list(tau: 2 x paths, NA where the evidence decides; lambda: one for each path, NA for none;
# per_column: tau is still to be multiplied by the numbers of features and of sources). `ridge` is NULL
# where none was given.
check_ridge <- function(ridge, lambda, ours, candidates, n, call) {
  ridge_given <- !is.null(ridge)
  ridge <- ridge %||% "evidence"
  if (is.numeric(ridge) && length(ridge) == 1 && is.null(lambda)) {
    lambda <- ridge
    ridge_given <- FALSE
  }
  if (!is.null(lambda)) {
    if (ridge_given) {
      abort_input("Both {.arg ridge} and {.arg lambda} are given.", "lambda",
                  i = "Give one: {.arg lambda} is a ridge common to all columns.", call = call)
    }
    return(common_ridge(lambda, n, call))
  }
  if (!ours && !ridge_given) return(common_ridge(1 / n, n, call))
  if (candidates && !ridge_given) ridge <- c(10, 1)
  if (identical(ridge, "evidence")) {
    if (candidates) {
      abort_input("{.arg ridge} is {.val evidence}, which needs all columns.", "ridge",
                  i = "Give {.code ridge = c(features = 10, sources = 1)}: with {.arg candidates} only some are
                     looked at.",
                  call = call)
    }
    ridge <- c(NA_real_, NA_real_)
  } else {
    ridge <- check_two_ridges(ridge, call)
  }
  list(tau = matrix(ridge, 2, 1), lambda = NA_real_, per_column = TRUE)
}

common_ridge <- function(lambda, n, call) {
  lambda <- check_grid(lambda, "lambda", function(v) v >= 0, "Give numbers, finite and not negative.", call)
  list(tau = rbind(n * lambda, n * lambda), lambda = lambda, per_column = FALSE)
}

check_two_ridges <- function(ridge, call) {
  ridge <- plain_number(ridge)
  good <- is.numeric(ridge) && length(ridge) == 2 && all(is.finite(ridge)) && all(ridge >= 0)
  names <- names(ridge)
  if (!good || !(is.null(names) || setequal(names, c("features", "sources")))) {
    abort_value(ridge, "ridge", "Give {.val evidence}, or {.code c(features = 10, sources = 1)}.", call)
  }
  as.double(if (is.null(names)) ridge else ridge[c("features", "sources")])
}
