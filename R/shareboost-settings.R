# The settings of shareboost() from its arguments, checked, and the units that a round selects among.

SHARE_RULES <- c("orthogonal", "gradient", "line", "column", "full")
RIDGES <- c(1e-4, 1e-3, 1e-2, 1e-1) # that are compared where none is given
SHARE_PENALTIES <- c("ridge", "l1", "linf1")
SHARE_SCALES <- c("sd", "max", "none")

# The settings of a fit to a frame, all given by name; C takes the list as it is. units: of shareboost_settings_units().
# given: what the fit was given, for refit(). The component `map` is what a path keeps of a map of features, with what
# `keep` has named.
shareboost_settings <- function(frame, units, rule, ridge, penalty, max_steps, keep, standardize, intercept, control,
                                given, call) {
  control <- unclass(control) # for a faster `$`
  rule <- check_choice(rule, SHARE_RULES, "rule", call)
  penalty <- check_choice(penalty, SHARE_PENALTIES, "penalty", call)
  count <- units$count
  check_has_columns(count, call)
  max_steps <- as.integer(shareboost_settings_rounds(max_steps %||% min(50, count), units, call))
  kept <- shareboost_settings_kept_units(keep, units, max_steps, call)
  map <- if (frame_is_mapped(frame)) frame_map_without_rows(frame$x)
  if (!is.null(keep) && !is.null(units$cuts)) map$kept <- list(keep = keep, cuts = units$cuts(kept))
  settings <- list(
    rule = rule, max_steps = max_steps,
    ridge = if (is.null(ridge)) RIDGES[1] else check_number(ridge, "ridge", 0, call, high = 1e100),
    penalty = penalty, sharpness = control$sharpness,
    candidates = check_candidates(control$candidates, count, call),
    shortlist = as.integer(min(control$shortlist %||% 0, count)),
    standardize = shareboost_settings_scale(standardize, rule, call),
    intercept = frame_has_intercept(frame, intercept, call),
    margin = control$margin, tol = control$tol,
    keep = kept, threads = check_threads(call), map = map, given = given
  )
  class(settings) <- "shareboost_settings"
  settings
}

shareboost_settings_rounds <- function(max_steps, units, call) {
  max_steps <- check_number(max_steps, "max_steps", 0, call, whole = TRUE)
  most <- units$most %||% units$count
  if (max_steps > most) {
    there <- if (most == 1) "the one {units$type}" else "the {most} {units$what}"
    abort_input(paste0("{.arg max_steps} is {max_steps}, more than ", there, " to choose from."),
                "max_steps", i = "Give at most {most}: every round takes one of them.", call = call,
                most = most)
  }
  min(max_steps, units$count)
}

shareboost_settings_scale <- function(standardize, rule, call) {
  if (is.null(standardize)) return(if (rule == "orthogonal") "sd" else "max")
  if (isFALSE(standardize)) return("none")
  if (isTRUE(standardize)) return("sd")
  check_choice(standardize, SHARE_SCALES, "standardize", call)
}

# Names or numbers of units -> numbers.
shareboost_settings_kept_units <- function(keep, units, max_steps, call) {
  if (is.null(keep)) return(integer())
  numbers <- (if (!is.null(units$kept)) units$kept(keep)) %||% shareboost_settings_find_units(keep, units, call)
  frame_groups_refuse_more_kept(length(numbers), max_steps, call)
  numbers
}

shareboost_settings_find_units <- function(keep, units, call) {
  if (!check_is_matched(keep)) abort_kind(keep, "keep", "Give names or numbers of {units$what}.", call)
  numbers <- if (is.numeric(keep)) {
    match(keep, seq_len(units$count))
  } else if (!is.null(units$find)) {
    as.integer(units$find(as.character(keep)))
  } else {
    match(as.character(keep), units$label(seq_len(units$count)))
  }
  if (anyNA(numbers) || anyDuplicated(numbers)) {
    wrong <- keep[is.na(numbers) | duplicated(numbers)]
    abort_input("{.arg keep} has {.val {wrong}}, {cli::qty(length(wrong))}which {?is/are} unknown or
                 named twice.", "keep",
                i = "Give names of {units$what}, as {.code $steps$entered} has them, or numbers
                from 1 to {units$count}.", call = call)
  }
  numbers
}

# The units that a round selects among: columns, groups of columns, stumps, pieces or products. A list of their
# number, their labels by number, and run(), which calls the kernel and adds `term`, the labels of the columns that
# entered, and for mapped features the blueprint of new data. kept() returns the units that `keep` names, NULL where
# they are to be found by their labels or numbers. Where units depend on the rows, `most` is the number of units on all
# rows, and cuts() describes units independently of the rows.
shareboost_settings_units <- function(frame, groups, call) {
  if (frame_is_mapped(frame)) {
    frame_map_refuse_groups(groups, frame, call)
    return(shareboost_maps_units(frame$x, frame))
  }
  groups <- frame_groups_of_columns(groups, frame, call)
  columns <- frame$blueprint$columns
  p <- ncol(frame$x)
  list(
    count = if (is.null(groups)) p else length(groups$labels),
    label = function(unit) groups$labels[unit] %||% labels_of_columns(columns, unit),
    type = if (is.null(groups)) "feature" else "group",
    types = function(unit) ifelse(tabulate(groups$of)[unit] > 1, "group", "feature"),
    what = if (is.null(groups)) "features" else "groups",
    kept = function(keep) {
      kept_columns <- frame_groups_kept_columns(keep, columns, groups, frame$blueprint, p, "features", call)
      if (is.null(groups)) kept_columns else unique(groups$of[kept_columns])
    },
    run = function(y, weights, settings, draws) {
      rounds <- .Call(C_shareboost, list(frame$x), y, weights, groups$of, settings, draws)
      rounds$term <- labels_of_columns(columns, rounds$column)
      rounds
    }
  )
}
