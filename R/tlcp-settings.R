# The settings of tlcp() from its arguments and its control object, checked.

SQUARES_ONLY <- c("plugin", "plugin3", "pooled", "reml") # rules that are for responses of numbers

# The settings of a fit to n_domains domains: what was asked, checked, and from the control object what depends on the
# data. given: what the fit was given, for refit().
tlcp_settings <- function(frame, n_domains, method = "exact", borrow = NULL, criterion = "Cp", select = TRUE,
                          sizes = NULL, within = NULL, keep = NULL, groups = NULL, hierarchy = FALSE,
                          standardize = TRUE, intercept = TRUE, max_seconds = 60, control = tlcp_control(),
                          given = NULL, call = NULL) {
  blueprint <- frame$blueprint
  control <- unclass(control) # for a faster `$`
  check_has_columns(blueprint$p, call)
  method <- check_choice(method, c("exact", "cutoff"), "method", call)
  borrow <- tlcp_prior_check_borrow(borrow, n_domains, call)
  groups <- frame_groups_of_columns(if (method == "exact") groups else groups %||% FALSE, frame, call)
  if (method == "cutoff" && !is.null(groups)) {
    abort_input("{.arg groups} and {.code method = \"cutoff\"} are given.", "groups",
                i = "Give {.val exact}: with the cutoff columns are dropped one by one.", call = call)
  }
  keep <- tlcp_settings_features(keep, "keep", blueprint, groups, call)
  drop <- tlcp_settings_features(control$drop, "drop", blueprint, groups, call)
  if (length(drop) && length(both <- keep[keep %in% drop])) {
    abort_input("{.arg keep} and {.arg drop} both name
                 {.val {labels_of_columns(blueprint$columns, both)}}.", "drop",
                i = "Name every feature in one of them only.", call = call)
  }
  if (!is.null(control$collinear) && method != "cutoff") {
    abort_input("{.arg collinear} is given, and {.arg method} is {.val {method}}.", "collinear",
                i = "Leave it out: it is for {.code method = \"cutoff\"}. The exact search decides by itself between
                     columns that are nearly alike.", call = call)
  }
  whole <- tlcp_units_is_hierarchical(list(borrow = borrow, method = method))
  standardize <- check_flag(standardize, "standardize", call)
  select <- check_flag(select, "select", call)
  cv <- identical(control$guard, "cv")
  if (cv && n_domains > 1) tlcp_guard_check_cv(frame, whole, select, call)
  list(
    method = method, borrow = borrow, support = control$support %||% if (whole) "target" else "shared",
    criterion = tlcp_settings_criterion(criterion, call), select = select,
    sizes = if (!is.null(sizes)) check_flag(sizes, "sizes", call), keep = keep, drop = drop, groups = groups,
    scales = control$scales, guard = if (cv) GUARD_FEW else control$guard, guard_cv = cv, fences = control$fences,
    units = tlcp_units_check(control$units, whole, standardize, call), standardize = standardize,
    intercept = intercept, sigma2 = control$sigma2,
    dispersion = family_dispersion_check(control$dispersion, frame, borrow, call), max_nodes = control$max_nodes,
    max_seconds = tlcp_settings_limit(max_seconds, "max_seconds", call), collinear = control$collinear,
    distance = if (control$distance != 1) control$distance, omega_shape = control$omega_shape,
    own = control$own,
    parents = tlcp_hierarchy_parents(hierarchy, blueprint, method, select, call),
    within = if (!is.null(within)) tlcp_within_settings(within, select, frame, method, call),
    columns = blueprint$columns, p = blueprint$p, given = given
  )
}

tlcp_settings_refuse_inputs <- function(frame, call) {
  if (frame_is_mapped(frame)) frame_map_refuse(frame, "tlcp", call)
  if (is.matrix(frame$y) && !likelihood_is_used(frame$family)) response_abort_several(frame$y, call)
  if (response_family_of_frame(frame) == "multinomial") {
    abort_input("{.arg y} has {nlevels(frame$y)} classes.", "y",
                i = "Give numbers or two classes, or use {.fn shareboost} or {.fn greedytl}.", call = call)
  }
}

tlcp_settings_target <- function(target, domains, call) {
  if (is.null(domains)) {
    if (is.null(target)) return(NO_DOMAIN)
    abort_input("{.arg target} is {.val {target}}, but there are no domains.", "target",
                i = "Give {.arg domain}: where each row comes from.", call = call)
  }
  place <- if (is.atomic(target) && length(target) == 1) words_match_names(table_plain_number(target), domains) else NA
  if (is.na(place)) {
    what <- if (is.null(target)) {
      "{.arg target} is missing."
    } else if (is.atomic(target)) {
      "{.arg target} is {.val {target}}."
    } else {
      "{.arg target} is {.obj_type_friendly {target}}."
    }
    abort_input(what, "target", call = call,
                i = "Name the domain that the model is for: {.or {.val {domains}}}.")
  }
  domains[place]
}

tlcp_settings_criterion <- function(criterion, call) {
  if (is.character(criterion) && length(criterion) == 1) {
    place <- match(criterion, names(CRITERIA))
    if (is.na(place)) place <- match(tolower(criterion), tolower(names(CRITERIA)))
    if (!is.na(place)) return(names(CRITERIA)[place])
  } else if (is.numeric(criterion) && length(criterion) == 1 && is.finite(criterion) &&
             criterion >= 0) {
    return(as.double(criterion))
  }
  abort_value(criterion, "criterion",
              "Give one of {.or {.val {names(CRITERIA)}}}, or give a number that is not negative.", call)
}

tlcp_settings_limit <- function(value, argument, call) {
  if (!is.numeric(value) || length(value) != 1 || is.na(value) || value <= 0) {
    abort_value(value, argument, "Give one positive number; {.code Inf} for no limit.", call)
  }
  as.double(value)
}

tlcp_settings_features <- function(value, argument, blueprint, groups, call) {
  if (is.null(value)) return(integer())
  if (!check_is_matched(value)) abort_kind(value, argument, "Give names or numbers of columns.", call)
  columns <- if (is.character(value)) {
    lapply(value, frame_groups_columns_of_name, blueprint, blueprint$columns, groups)
  } else {
    lapply(if (is.numeric(value)) match(value, seq_len(blueprint$p)) else NA, function(k) k[!is.na(k)])
  }
  if (!all(lengths(columns))) {
    wrong <- if (is.character(value) || is.numeric(value)) value[!lengths(columns)] else class(value)
    abort_input("{.arg {argument}} names {.val {wrong}}, which {?is not a column/are not columns}.", argument,
                i = "Give names or numbers of columns: {.val {words_first(labels_of_all_columns(blueprint))}}.",
                call = call)
  }
  columns <- unique(unlist(columns))
  if (is.null(groups)) columns else which(groups$of %in% groups$of[columns]) # each with the rest of its group
}
