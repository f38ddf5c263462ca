# The design of a data frame's variables, maps of features, and which columns enter a model together.

# A data frame of numeric and logical columns as a matrix; an error that names the other columns.
matrix_of_numbers <- function(data, argument, mend, call) {
  numbers <- vapply(data, function(v) is.numeric(v) || is.logical(v), NA)
  if (all(numbers)) return(as.matrix(data))
  abort_input("{.arg {argument}} has columns that are not numeric: {.val {names(data)[!numbers]}}.", argument,
              i = mend, call = call)
}

# ---- variables of a data frame ----------------------------------------------------------------

# The plan of a variable: what must be known to code its values in new rows. whole: are these all rows? Then levels
# without a row are dropped, and dates and times are taken as numbers (`times`).
variable_plan <- function(v, whole = TRUE, times = whole) {
  if (is.character(v)) v <- factor(v)
  if (is.factor(v)) {
    if (whole) v <- used_levels(v)
    contrasts <- if (nlevels(v) > 1) stats::contrasts(v) else NULL
    list(kind = "factor", levels = levels(v), contrasts = contrasts)
  } else if (is.logical(v)) {
    list(kind = "logical")
  } else if (is.numeric(v) && is.matrix(v) && ncol(v) == 0) {
    list(kind = "unknown", class = "matrix without columns")
  } else if (is.numeric(v) && is.matrix(v)) {
    list(kind = "matrix", columns = colnames(v), p = ncol(v))
  } else if (is.null(dim(v)) && (is.numeric(v) || times && inherits(v, TIMES))) {
    list(kind = "numeric")
  } else {
    list(kind = "unknown", class = class(v)[1])
  }
}

# What a variable of the plan is, in words for an error.
plan_words <- function(plan) {
  switch(plan$kind, factor = "a factor", logical = "a logical", numeric = "numbers",
         matrix = paste("a numeric matrix of", counted(plan$p, "column")))
}

refuse_variables <- function(x, variables, call, incomplete = 0) {
  check_names(names(x), "x", call)
  refuse_unknown_kinds(variables, "x", ".", call)
  refuse_single_levels(single_factors(variables), nrow(x), incomplete, call)
}

refuse_unknown_kinds <- function(plans, argument, end, call) {
  wrong <- names(plans)[vapply(plans, `[[`, "", "kind") == "unknown"]
  if (!length(wrong)) return(invisible())
  types <- vapply(plans[wrong], `[[`, "", "class")
  abort_input("{.arg {argument}} has columns of class {.cls {types}}: {.val {wrong}}.", argument,
              i = paste0("Use numbers, factors, characters or logicals", end), call = call)
}

single_factors <- function(plans) {
  names(plans)[vapply(plans, function(plan) plan$kind == "factor" && length(plan$levels) < 2, NA)]
}

# single: the names of factors with one level, or none, in n rows; incomplete: how many rows were left out.
refuse_single_levels <- function(single, n, incomplete, call, argument = "x") {
  if (!length(single)) return(invisible())
  left <- "{n} row{?s} {?is/are} left: {incomplete} of {n + incomplete} have a missing value in some column and
           are left out."
  abort_input("Factors in {.arg {argument}} with fewer than two levels: {.val {single}}.", argument,
              i = if (incomplete) left,
              i = if (incomplete) "Leave out these factors, or the columns with missing values." else
                "Leave them out: they cannot vary.", call = call)
}

MANY_LEVELS <- 10 # a column of text or a factor with at most so many values needs no message of tell_texts()

# A message about columns of text or factors whose values are likely to be numbers, or names of the rows, since there
# are so many: each value but one becomes a dummy variable.
tell_texts <- function(data) {
  levels <- lapply(data, function(v) if (is.character(v)) unique(v) else if (is.factor(v)) levels(v))
  for (name in names(levels)[lengths(levels) > MANY_LEVELS]) {
    values <- levels[[name]]
    values <- values[!is.na(values)]
    numbers <- !anyNA(suppressWarnings(as.numeric(values)))
    if (length(values) <= nrow(data) / 3 && !(numbers && is.character(data[[name]]))) next
    tell(paste0("The column \"", name, "\" is ", if (is.factor(data[[name]])) "a factor" else "text", " with ",
                length(values), " different values in ", nrow(data), " rows: each but one becomes a column of ",
                "zeros and ones."),
         if (numbers) paste0("Give `as.numeric(as.character(", name, "))` if it holds numbers.") else
           "Leave it out if it names rows.", "transelect_message_text")
  }
}

variable_columns <- function(name, plan) {
  switch(plan$kind,
    factor = paste0(name, colnames(plan$contrasts) %||% seq_len(ncol(plan$contrasts))),
    logical = paste0(name, "TRUE"),
    matrix = paste0(name, plan$columns %||% seq_len(plan$p)),
    name
  )
}

# For every column of the design, the number of the variable that it codes.
variable_of_columns <- function(plans) rep(seq_along(plans), lengths(Map(variable_columns, names(plans), plans)))

columns_of_variables <- function(plans) unlist(Map(variable_columns, names(plans), plans), use.names = FALSE)

# The design of a data frame: its variables coded as lm() codes them, side by side.
frame_design <- function(data, variables) {
  columns <- columns_of_variables(variables)
  design <- matrix(0, nrow(data), length(columns), dimnames = list(NULL, columns))
  at <- 0L
  for (name in names(variables)) {
    coded <- code_variable(data[[name]], variables[[name]])
    k <- NCOL(coded)
    design[, at + seq_len(k)] <- coded
    at <- at + k
  }
  design
}

code_variable <- function(v, plan) {
  if (plan$kind == "factor") {
    code <- match(as.character(v), plan$levels)
    return(plan$contrasts[code, , drop = FALSE])
  }
  if (plan$kind == "logical") return(as.double(as.logical(v)))
  if (plan$kind == "matrix") return(if (is.null(plan$columns)) v else v[, plan$columns])
  as.double(v)
}

# ---- terms of a formula as columns --------------------------------------------------------------------

# The design matrix of terms. Factors are coded as in a model with an intercept, but the column of ones is left out: the
# fitters add the intercept. Attributes: `contrasts`, and `assign`, the number of each column's term.
code_terms <- function(terms, frame, contrasts, sparse) {
  attr(terms, "intercept") <- 1L
  if (!sparse && nrow(frame) > CODED_AT_ONCE) return(code_many_rows(terms, frame, contrasts))
  made <- if (sparse) sparse_model_matrix(terms, frame, contrasts) else
    stats::model.matrix(terms, frame, contrasts.arg = contrasts)
  x <- made[, -1, drop = FALSE]
  if (!sparse) x <- matrix(x, nrow(x), ncol(x), dimnames = list(NULL, colnames(x)))
  attr(x, "contrasts") <- attr(made, "contrasts")
  attr(x, "assign") <- attr(made, "assign")[-1]
  x
}

CODED_AT_ONCE <- 20000

is_number_column <- function(v) is.numeric(v) && is.null(dim(v))

# The same for many rows. Terms that are numbers are taken as they are; of others some rows are coded at a time, since
# model.matrix() makes names of all rows and two copies.
code_many_rows <- function(terms, frame, contrasts) {
  texts <- vapply(frame, is.character, NA)
  frame[texts] <- lapply(frame[texts], factor)
  n <- nrow(frame)
  labels <- attr(terms, "term.labels")
  if (all(labels %in% names(frame)) && all(attr(terms, "order") == 1) &&
        all(vapply(frame[labels], is_number_column, NA))) {
    x <- matrix(0, n, length(labels), dimnames = list(NULL, labels))
    for (label in labels) x[, label] <- frame[[label]]
    attr(x, "assign") <- seq_along(labels)
    return(x)
  }
  x <- NULL
  for (from in seq(1, n, by = CODED_AT_ONCE)) {
    i <- from:min(n, from + CODED_AT_ONCE - 1)
    rows <- frame[i, , drop = FALSE]
    attr(rows, "row.names") <- .set_row_names(length(i)) # names of rows take more memory than numbers
    attr(rows, "terms") <- terms # else model.matrix() would evaluate the terms in these columns
    part <- code_terms(terms, rows, contrasts, FALSE)
    if (is.null(x)) {
      x <- matrix(0, n, ncol(part), dimnames = list(NULL, colnames(part)))
      coding <- attributes(part)[c("contrasts", "assign")]
    }
    x[i, ] <- part
  }
  attributes(x) <- c(attributes(x), Filter(Negate(is.null), coding))
  x
}

# What model.matrix() returns, as a dgCMatrix. Names, contrasts and terms of the columns are those that model.matrix()
# gives a frame without rows. A column of a product of variables is the product of one column of each.
sparse_model_matrix <- function(terms, frame, contrasts) {
  texts <- vapply(frame, is.character, NA)
  frame[texts] <- lapply(frame[texts], factor)
  like <- stats::model.matrix(terms, frame[0L, , drop = FALSE], contrasts.arg = contrasts)
  factors <- attr(terms, "factors")
  names <- factor_rows(terms)
  made <- list() # the columns of a variable, by its name and coding
  columns_of <- function(name, coding) {
    key <- paste(coding, name)
    if (is.null(made[[key]])) {
      made[[key]] <<- sparse_columns(frame[[name]], attr(like, "contrasts")[[name]], coding == 1)
    }
    made[[key]]
  }
  parts <- lapply(seq_along(attr(terms, "term.labels")), function(k) {
    with <- which(factors[, k] > 0)
    Reduce(sparse_products, Map(columns_of, names[with], factors[with, k]))
  })
  ones <- sparse_columns(rep(1, nrow(frame)))
  x <- do.call(cbind, c(list(ones), parts)) # by Matrix's method
  x <- methods::as(x, "CsparseMatrix")
  dimnames(x) <- list(NULL, colnames(like))
  attr(x, "contrasts") <- attr(like, "contrasts")
  attr(x, "assign") <- attr(like, "assign")
  x
}

# The names of the rows of the terms' factors, as variables have them in a model frame: without backticks.
factor_rows <- function(terms) {
  if (!length(attr(terms, "factors"))) return(character())
  vapply(as.list(attr(terms, "variables"))[-1], deparse1, "")
}

# The columns of a variable: numbers as they are; of a factor or logical its contrasts, or indicators of its levels.
sparse_columns <- function(v, contrasts = NULL, by_contrasts = TRUE) {
  if (is.logical(v)) v <- factor(v, c(FALSE, TRUE))
  if (!is.factor(v)) {
    v <- matrix(as.double(v), NROW(v), NCOL(v))
    return(methods::as(methods::as(v, "CsparseMatrix"), "generalMatrix"))
  }
  coding <- diag(nlevels(v))
  if (by_contrasts) {
    stats::contrasts(v) <- contrasts
    coding <- stats::contrasts(v)
  }
  per_level <- methods::as(methods::as(rbind(unname(coding), NA), "CsparseMatrix"), "generalMatrix")
  code <- as.integer(v)
  per_level[ifelse(is.na(code), nlevels(v) + 1L, code), , drop = FALSE]
}

# The products of every column of `a` with every column of `b`, those of `a` varying fastest.
sparse_products <- function(a, b) {
  a_wide <- a[, rep(seq_len(ncol(a)), ncol(b)), drop = FALSE]
  b_wide <- b[, rep(seq_len(ncol(b)), each = ncol(a)), drop = FALSE]
  out <- a_wide * b_wide
  # a missing value times a zero is missing, which a sparse product takes for zero
  if (anyNA(a@x) || anyNA(b@x)) out[Matrix::which(is.na(a_wide) | is.na(b_wide), arr.ind = TRUE)] <- NA
  out
}

# ---- data that are not in memory -------------------------------------------------------------------

is_database <- function(data) inherits(data, c("DBIConnection", "tbl_lazy"))

# Data that are not in R's memory.
is_remote <- function(data) {
  is_database(data) || inherits(data, c("Dataset", "ArrowTabular", "arrow_dplyr_query", "RecordBatchReader"))
}

# The names of the columns by which a data frame or a table of dbplyr is grouped.
data_groups <- function(data) {
  if (inherits(data, "grouped_df")) return(setdiff(names(attr(data, "groups")), ".rows"))
  if (inherits(data, "tbl_lazy")) dplyr::group_vars(data)
}

# The name of the column with the domains: `domain`, or where that is NULL the one by which the data are grouped.
domain_of_groups <- function(data, domain, call) {
  groups <- data_groups(data)
  if (!length(groups) || identical(domain, groups)) return(domain)
  if (length(groups) > 1 || !is.null(domain)) {
    abort_input(paste0("{.arg data} is grouped by {.val {groups}}",
                       if (!is.null(domain)) ", and {.arg domain} is given", "."), "domain",
                i = "Ungroup the table: only a single column of groups is taken as the domain.", call = call)
  }
  groups
}

MOMENTS_FIRST <- paste(
  "Add it up first: {.code moments(y ~ ., data = ...)} reads databases, Arrow data and chunks, and",
  "{.fn greedytl}, {.fn tgreedy}, {.fn tlcp} and {.fn cv_path} take its result in place of rows."
)

# ---- a map of features (stumps, pieces, products) in the place of a design ---------------------------
# A map holds in `x` the design that the features are made of: its columns.

# What a path keeps of a map: all but its rows.
map_without_rows <- function(map) {
  map$x <- NULL
  map
}

# The map of a path with the columns `x` of other rows. Centres and radii of pieces stay the same; thresholds of stumps
# are between the values of these rows.
map_at_rows <- function(map, x) {
  map$x <- as.matrix(x)
  map
}

#' @export
dim.feature_map <- function(x) dim(x$x)

# The features of a map: `x` has the columns that they are made of.
expanded <- function(blueprint, x) {
  out <- blueprint$expand(blueprint, x)
  dimnames(out) <- list(NULL, blueprint$columns)
  out
}

# ---- columns that enter a model together: by default those of one factor ------------------------------

# For products of columns, which have no groups: an error where `groups` is given.
no_groups <- function(groups, frame, call) {
  if (is.null(groups) || isFALSE(groups)) return(FALSE)
  abort_input("{.arg groups} is given, and {.arg x} is {.cls {class(frame$x)[1]}}.", "groups",
              i = "Leave {.arg groups} out: they are for columns of a matrix.", call = call)
}

# The name of each column's group: of the columns of one factor, or of one term with a factor, the name of the factor
# or term; of any other column its own name. NULL where no factor or term with a factor has several columns.
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
    is_factor <- colSums(within[factor_rows(blueprint$terms) %in% names(blueprint$xlevels), , drop = FALSE] > 0) > 0
  } else {
    return(NULL)
  }
  whole <- is_factor & tabulate(of, length(names)) > 1
  if (!any(whole)) return(NULL)
  ifelse(whole[of], names[of], blueprint$columns)
}

# The numbers of the columns that `keep` names, each followed by the others of its group, in the order given. keep:
# names of columns or groups, or numbers of columns. labels: of all columns, those of sources included.
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

# An error where more columns (groups, or other units) are kept than there may be steps. kept: their number.
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
