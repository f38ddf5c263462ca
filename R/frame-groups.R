# Columns that enter a model together, columns that are kept, and the groups of a grouped data frame.

# The names of the columns by which a data frame or a table of dbplyr is grouped.
frame_groups_of_data <- function(data) {
  if (inherits(data, "grouped_df")) return(setdiff(names(attr(data, "groups")), ".rows"))
  if (inherits(data, "tbl_lazy")) dplyr::group_vars(data)
}

# The name of the column with the domains: `domain`, or where that is NULL the one by which the data are grouped.
frame_groups_domain <- function(data, domain, call) {
  groups <- frame_groups_of_data(data)
  if (!length(groups) || identical(domain, groups)) return(domain)
  if (length(groups) > 1 || !is.null(domain)) {
    abort_input(paste0("{.arg data} is grouped by {.val {groups}}",
                       if (!is.null(domain)) ", and {.arg domain} is given", "."), "domain",
                i = "Ungroup the table: only a single column of groups is taken as the domain.", call = call)
  }
  groups
}

# The name of each column's group: of the columns of one factor, of one basis such as poly(x, 2), or of one term with
# either, the name of the factor or term; of any other column its own name. NULL where no group has several columns.
frame_groups_of_factors <- function(blueprint) {
  if (blueprint$kind == "frame") {
    plans <- blueprint$variables
    of <- frame_design_variable_of_columns(plans)
    together <- vapply(plans, function(plan) plan$kind == "factor" || isTRUE(plan$both) || isTRUE(plan$basis), NA)
    columns <- names(plans)
  } else if (blueprint$kind == "terms" && length(blueprint$assign)) {
    of <- blueprint$assign
    within <- attr(blueprint$terms, "factors")
    columns <- colnames(within)
    of_rows <- frame_design_factor_rows(blueprint$terms)
    logical <- attr(blueprint$terms, "dataClasses")[of_rows] %in% "logical"
    bound <- of_rows %in% c(names(blueprint$xlevels), blueprint$joined) | logical
    together <- colSums(within[bound, , drop = FALSE] > 0) > 0
  } else {
    return(NULL)
  }
  whole <- together & tabulate(of, length(columns)) > 1
  if (!any(whole)) return(NULL)
  ifelse(whole[of], columns[of], blueprint$columns)
}

# The columns that a name means: the column, the group, the term, or all columns that are made of the variable, without
# interactions if it has columns of its own.
frame_groups_columns_of_name <- function(name, blueprint, labels, groups) {
  if (name %in% labels) return(match(name, labels))
  if (name %in% groups$labels) return(which(groups$of == match(name, groups$labels)))
  if (blueprint$kind == "frame") {
    return(which(names(blueprint$variables)[frame_design_variable_of_columns(blueprint$variables)] == name))
  }
  if (blueprint$kind != "terms") return(integer())
  plain <- function(text) gsub("[` ]", "", text)
  terms <- attr(blueprint$terms, "term.labels")
  term <- which(plain(terms) == plain(name))
  if (!length(term)) {
    term <- which(vapply(terms, function(label) name %in% all.vars(str2lang(label)), NA))
    single <- attr(blueprint$terms, "order")[term] == 1
    if (any(single)) term <- term[single]
  }
  which(blueprint$assign %in% term)
}

# The numbers of the columns that `keep` names, each followed by the others of its group, in the order given. keep:
# names of columns, groups, terms or variables, or numbers of columns. labels: of all columns, sources included.
frame_groups_kept_columns <- function(keep, labels, groups, blueprint, total, what, call) {
  if (is.null(keep)) return(integer())
  if (!check_is_matched(keep)) abort_kind(keep, "keep", "Name {what}, or give numbers from 1 to {total}.", call)
  of <- c(groups$of, max(groups$of, 0L) + seq_len(total - length(groups$of)))
  columns <- if (is.character(keep)) {
    lapply(keep, frame_groups_columns_of_name, blueprint, labels, groups)
  } else {
    lapply(if (is.numeric(keep)) match(keep, seq_len(total)) else rep(NA, length(keep)), function(k) k[!is.na(k)])
  }
  twice <- if (is.character(keep)) duplicated(keep) else duplicated(as.numeric(keep))
  if (any(!lengths(columns) | twice)) {
    wrong <- keep[!lengths(columns) | twice]
    abort_input("{.arg keep} has {.val {wrong}}, {cli::qty(length(wrong))}which {?is/are} unknown or
                 named twice.", "keep",
                i = "Name {what}, or give numbers from 1 to {total}.", call = call)
  }
  as.integer(unlist(lapply(unique(of[unlist(columns)]), function(group) which(of == group))))
}

# An error where more columns (groups, or other units) are kept than there may be steps. kept: their number.
frame_groups_refuse_more_kept <- function(kept, max_steps, call) {
  if (kept <= max_steps) return(invisible())
  abort_input("{.arg keep} has {kept} {cli::qty(kept)}entr{?y/ies}, {.arg max_steps} is {max_steps}.", "keep",
              i = "Raise {.arg max_steps}.", call = call)
}

frame_groups_check <- function(groups, frame, call) {
  p <- ncol(frame$x)
  if (!is.atomic(groups) || length(groups) != p || anyNA(groups)) {
    columns <- labels_of_all_columns(frame$blueprint)
    abort_rows(groups, "groups",
               "Give the group of each of the {p} column{?s} of {.arg x}, as a factor: {.val {columns}}.", call)
  }
  droplevels(as.factor(groups))
}

# The expressions with `domain` the column by which the data are grouped, as in moments() of a grouped table.
frame_groups_with_domain <- function(extras, data, call) {
  given <- if (!is.null(extras$domain)) deparse1(extras$domain)
  domain <- frame_groups_domain(data, given, call)
  if (is.null(given)) {
    tell(paste0("`data` is grouped by ", domain, ": these groups are the domains."), "Ungroup it for none.",
         "transelect_message_groups")
  }
  extras$domain <- as.name(domain)
  extras
}

# NULL where every column is a group of its own, else list(of, labels): the number of every column's group, groups
# being numbered in the order of their first columns, and the names of the groups.
frame_groups_of_columns <- function(groups, frame, call) {
  if (isFALSE(groups) || is.null(groups) && frame$blueprint$kind == "matrix") return(NULL)
  groups <- if (is.null(groups)) frame_groups_of_factors(frame$blueprint) else as.character(frame_groups_check(groups,
                                                                                                               frame,
                                                                                                               call))
  if (is.null(groups) || !anyDuplicated(groups)) return(NULL)
  list(of = match(groups, unique(groups)), labels = unique(groups))
}
