# Checks of tlcp()'s arguments.

check_collinear <- function(collinear, method, call) {
  if (method != "cutoff") {
    abort_input("{.arg collinear} is given, and {.arg method} is {.val {method}}.", "collinear",
                i = "Leave it out: it is for {.code method = \"cutoff\"}, and the exact search weighs columns that are
                     nearly alike by itself.", call = call)
  }
  check_number(collinear, "collinear", 0, call, high = 1)
}

# whole: is it the hierarchical model of the features themselves? The other rules do not average over units.
check_borrow_units <- function(units, whole, standardize, call) {
  units <- check_choice(units %||% if (whole) "evidence" else "own", UNITS, "units", call)
  if (whole && !standardize) {
    if (units == "own") {
      abort_input("{.arg units} is {.val own} with {.code standardize = FALSE}.", "units",
                  i = "Leave {.arg units} out: columns that are not standardised have one unit in all domains.",
                  call = call)
    }
    return("common")
  }
  if (!whole && units == "evidence") {
    abort_input("{.arg units} is {.val evidence}, which only {.code borrow = \"hierarchical\"} with
                 {.code method = \"exact\"} can weigh.", "units",
                i = "Give {.val own} or {.val common}.", call = call)
  }
  units
}

refuse_for_tlcp <- function(frame, call) {
  if (is_mapped(frame)) refuse_map(frame, "tlcp", call)
  if (is.matrix(frame$y) && !by_likelihood(frame$family)) abort_responses(frame$y, call)
  if (frame_family(frame) == "multinomial") {
    abort_input("{.arg y} has {nlevels(frame$y)} classes.", "y",
                i = "Give numbers or two classes, or use {.fn shareboost} or {.fn greedytl}.", call = call)
  }
}

check_target <- function(target, domains, call) {
  if (is.null(domains)) {
    if (is.null(target)) return(NO_DOMAIN)
    abort_input("{.arg target} is {.val {target}}, but there are no domains.", "target",
                i = "Give {.arg domain}: where each row comes from.", call = call)
  }
  if (!is.atomic(target) || length(target) != 1 || !as.character(target) %in% domains) {
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
  as.character(target)
}

BORROW <- c("hierarchical", "reml", "pooled", "plugin", "none", "aggregate")

# Rules by which no domain borrows: the target is alone, or all rows are one domain.
without_borrowing <- function(rule) !is.list(rule) && rule %in% c("none", "aggregate")

check_borrow <- function(borrow, n_domains, call) {
  if (is.list(borrow)) return(borrow)
  borrow <- borrow %||% if (n_domains > 1) "hierarchical" else "none"
  borrow <- check_choice(borrow, BORROW, "borrow", call)
  if (n_domains < 2 && !without_borrowing(borrow)) {
    abort_input("{.arg borrow} is {.val {borrow}}, but there is one domain.", "borrow",
                i = "Give rows of other domains and {.arg domain}, or use {.val none}.",
                call = call)
  }
  borrow
}

CRITERIA <- c("Cp", "AIC", "BIC", "HQ", "Cp_BIC", "Cp_HQ", "RIC")

# Does the criterion estimate the variance anew for every set?
variance_anew <- function(criterion, borrow) {
  is.character(criterion) && criterion %in% c("AIC", "BIC", "HQ") && without_borrowing(borrow)
}

check_criterion <- function(criterion, call) {
  if (is.character(criterion) && length(criterion) == 1) {
    at <- match(tolower(criterion), tolower(CRITERIA))
    if (!is.na(at)) return(CRITERIA[at])
  } else if (is.numeric(criterion) && length(criterion) == 1 && is.finite(criterion) &&
             criterion >= 0) {
    return(as.double(criterion))
  }
  abort_value(criterion, "criterion",
              "Give one of {.or {.val {CRITERIA}}}, or give a number that is not negative.", call)
}

check_limit <- function(value, argument, call) {
  if (!is.numeric(value) || length(value) != 1 || is.na(value) || value <= 0) {
    abort_value(value, argument, "Give one positive number; {.code Inf} for no limit.", call)
  }
  as.double(value)
}

check_features <- function(value, argument, blueprint, groups, call) {
  if (is.null(value)) return(integer())
  among <- if (is.character(value)) c(blueprint$columns, groups$labels) else seq_len(blueprint$p)
  at <- match(value, among)
  if (!(is.character(value) || is.numeric(value)) || anyNA(at)) {
    wrong <- if (is.character(value) || is.numeric(value)) value[is.na(at)] else class(value)
    known <- utils::head(all_labels(blueprint), 5)
    abort_input("{.arg {argument}} has {.val {wrong}}.", argument,
                i = "Give names or numbers of columns: {.val {known}}, ...", call = call)
  }
  if (is.null(groups)) return(unique(at))
  of <- c(groups$of, seq_along(groups$labels))[at] # each with the rest of its group
  which(groups$of %in% of)
}

abort_collinear <- function(call) {
  abort_input("The features are collinear to working precision: no subset can be searched.", "x",
              i = "Leave out columns that are combinations of others, or use
                   {.code method = \"cutoff\"}.", call = call)
}
