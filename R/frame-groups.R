# Columns that enter a model together: those of one factor, unless told otherwise.

# NULL where every column is by itself, else list(of, labels): the group of every column of the frame,
# numbered in the order of their first columns, and the groups' names.
column_groups <- function(groups, frame, call) {
  if (isFALSE(groups)) return(NULL)
  groups <- if (is.null(groups)) factor_groups(frame$blueprint) else as.character(check_groups(groups, frame, call))
  if (is.null(groups) || !anyDuplicated(groups)) return(NULL)
  list(of = match(groups, unique(groups)), labels = unique(groups))
}

# Products of columns enter one by one.
no_groups <- function(groups, frame, call) {
  if (is.null(groups) || isFALSE(groups)) return(FALSE)
  abort_input("{.arg groups} is given, and {.arg x} is {.cls {class(frame$x)[1]}}.", "groups",
              i = "Leave {.arg groups} out: they are for columns of a matrix.", call = call)
}

# The group of each column of the design: the factor, or the term with a factor, of which it is one of several
# columns; for other columns their own name.
factor_groups <- function(blueprint) {
  if (blueprint$kind == "frame") {
    plans <- blueprint$variables
    of <- variable_of_columns(plans)
    is_factor <- vapply(plans, function(plan) plan$kind == "factor", NA)
    names <- names(plans)
  } else if (blueprint$kind == "terms" && length(blueprint$assign)) {
    of <- blueprint$assign
    within <- attr(blueprint$terms, "factors")
    names <- colnames(within)
    is_factor <- colSums(within[rownames(within) %in% names(blueprint$xlevels), , drop = FALSE] > 0) > 0
  } else {
    return(NULL)
  }
  whole <- is_factor & tabulate(of, length(names)) > 1
  if (!any(whole)) return(NULL)
  ifelse(whole[of], names[of], blueprint$columns)
}

# Names of columns or groups, or numbers of columns -> numbers of columns, each with the rest of its
# group, in the order given. labels: of the columns that there are, sources included.
kept_columns <- function(keep, labels, groups, total, what, call) {
  if (is.null(keep)) return(integer())
  if (!is.atomic(keep)) abort_kind(keep, "keep", "Name {what}, or give numbers from 1 to {total}.", call)
  of <- c(groups$of, max(groups$of, 0L) + seq_len(total - length(groups$of)))
  if (is.character(keep)) {
    column <- match(keep, labels)
    at <- ifelse(is.na(column), match(keep, groups$labels), of[column])
  } else {
    at <- of[if (is.numeric(keep)) match(keep, seq_len(total)) else rep(NA_integer_, length(keep))]
  }
  twice <- if (is.character(keep)) duplicated(keep) else duplicated(as.numeric(keep))
  if (anyNA(at) || any(twice)) {
    wrong <- keep[is.na(at) | twice]
    abort_input("{.arg keep} has {.val {wrong}}, unknown or named twice.", "keep",
                i = "Name {what}, or give numbers from 1 to {total}.", call = call)
  }
  as.integer(unlist(lapply(unique(at), function(group) which(of == group))))
}

# Refuses more kept columns (or groups, or other units: `kept` of them) than there may be steps.
refuse_more_kept <- function(kept, max_steps, call) {
  if (kept <= max_steps) return(invisible())
  abort_input("{.arg keep} has {kept} {cli::qty(kept)}entr{?y/ies}, {.arg max_steps} is {max_steps}.", "keep",
              i = "Raise {.arg max_steps}.", call = call)
}

check_groups <- function(groups, frame, call) {
  p <- ncol(frame$x)
  if (!is.atomic(groups) || length(groups) != p || anyNA(groups)) {
    columns <- all_labels(frame$blueprint)
    abort_rows(groups, "groups",
               "Give the group of each of the {p} column{?s} of {.arg x}, as a factor: {.val {columns}}.", call)
  }
  droplevels(as.factor(groups))
}
