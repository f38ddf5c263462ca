# The settings of greedytl() from its arguments and its control object, checked.

# The settings of a fit to a frame, all given by name; C takes the list as it is. `tau` has a column for every path of a
# response, NA where the evidence decides; where `lambda` of a path is NA, tau is still to be multiplied by the numbers
# of features and of sources. given: what refit() gives again.
greedytl_settings <- function(frame, rule, lambda, average, max_steps, keep, groups, standardize, intercept, prob,
                              control, given, call) {
  frame <- unclass(frame) # for a faster `$`
  control <- unclass(control)
  rule <- check_choice(rule, c("transfer", "paper"), "rule", call)
  ours <- rule == "transfer"
  n <- frame_rows_count(frame)
  size <- frame_rows_width(frame) + (frame$sources$n_sources %||% 0)
  if (size == 0) {
    abort_input("{.arg x} has no columns and there are no sources.", "x",
                i = "Give at least one column.", call = call)
  }
  candidates <- check_candidates(control$candidates, size, call)
  source_scale <- control$source_scale %||% if (ours && !candidates) "common" else "each"
  if (candidates && source_scale == "common") {
    abort_input("{.arg source_scale} is {.val common}, which needs the predictions of all sources.", "source_scale",
                i = "Give {.val each}: with {.arg candidates} only some sources predict.", call = call)
  }
  if (frame_is_mapped(frame)) groups <- frame_map_refuse_groups(groups, frame, call)
  groups <- frame_groups_of_columns(if (candidates) groups %||% FALSE else groups, frame, call)
  if (candidates && !is.null(groups)) {
    abort_input("{.arg groups} and {.arg candidates} are given.", "groups",
                i = "Leave one of them out: candidates are drawn one by one.", call = call)
  }
  units <- size - length(groups$of) + length(groups$labels)
  max_steps <- as.integer(check_most(max_steps %||% min(if (ours) 20 else 100, units), units, call))
  keep <- frame_groups_kept_columns(keep, greedytl_settings_column_names(frame), groups, frame$blueprint, size,
                                    "features or sources", call)
  if (length(keep)) {
    frame_groups_refuse_more_kept(length(unique(ifelse(keep <= length(groups$of), -groups$of[keep], keep))), max_steps,
                                  call)
  }
  settings <- list(
    rule = rule, intercept = frame_has_intercept(frame, intercept, call),
    standardize = check_flag(standardize, "standardize", call), source_scale = source_scale,
    source_sign = control$source_sign, average = check_flag(average, "average", call), classes = is.factor(frame$y),
    class_weights = control$class_weights %||% if (ours) "balanced" else "none",
    max_steps = max_steps, tol = control$tol %||% if (ours) 0 else 1e-4,
    keep = keep, groups = groups, candidates = candidates, threads = check_threads(call),
    map = if (frame_is_mapped(frame)) frame_map_without_rows(frame$x), given = given
  )
  ridges <- greedytl_settings_ridge(control$ridge, lambda, ours, candidates, n, call)
  # scores of held-out rows, for probabilities: in closed form where the evidence shrinks, else by refits
  settings <- c(settings, ridges,
                held = prob && settings$classes && frame_rows_are_there(frame) && ours && anyNA(ridges$tau))
  class(settings) <- "greedytl_settings"
  settings
}

# Names of all columns of Z, or NULL where some have none: labels for a million columns would take longer than the
# fit.
greedytl_settings_column_names <- function(frame) {
  s <- frame$sources$n_sources %||% 0
  if (s == 0 && !frame_is_mapped(frame)) return(frame$blueprint$columns)
  if (s > 0 && is.null(frame$sources$names)) return(NULL)
  c(products_frame_labels(frame, seq_len(frame_rows_width(frame))), frame$sources$names)
}

# list(tau, lambda) of the settings. ridge: as the control object has it, NULL where none was given.
greedytl_settings_ridge <- function(ridge, lambda, ours, candidates, n, call) {
  if (!is.null(lambda) && !is.null(ridge)) {
    abort_input("Both {.arg ridge} and {.arg lambda} are given.", "lambda",
                i = "Give one: {.arg lambda} is a ridge common to all columns.", call = call)
  }
  if (is.numeric(ridge) && length(ridge) == 1) lambda <- ridge
  if (!is.null(lambda)) return(greedytl_settings_common_ridge(lambda, n, call))
  if (!ours && is.null(ridge)) return(greedytl_settings_common_ridge(1 / n, n, call))
  if (identical(ridge, "evidence") && candidates) {
    abort_input("{.arg ridge} is {.val evidence}, which needs all columns.", "ridge",
                i = "Give {.code ridge = c(features = 10, sources = 1)}: with {.arg candidates} only some
                     columns are read.",
                call = call)
  }
  if (is.null(ridge)) ridge <- if (candidates) c(10, 1) else "evidence"
  if (is.character(ridge)) ridge <- c(NA_real_, NA_real_)
  list(tau = matrix(as.double(ridge), 2, 1), lambda = NA_real_)
}

greedytl_settings_common_ridge <- function(lambda, n, call) {
  lambda <- check_grid(lambda, "lambda", function(v) v >= 0, "Give numbers, finite and not negative.", call)
  list(tau = rbind(n * lambda, n * lambda), lambda = lambda)
}

# An error where the argument `family` does not mean least squares; it says what to use instead.
greedytl_settings_refuse_family <- function(family, call) {
  name <- likelihood_check_family(family, call, offered = c("gaussian", "binomial", "poisson", "cox"))
  if (!likelihood_is_used(name)) return(invisible())
  abort_input("{.arg family} is {.val {likelihood_family_name(family)}}, which {.fn greedytl} does not fit.", "family",
              i = "Give {.val poisson}, which estimates a dispersion, or use {.fn tlcp}.", call = call)
}
