# How a design matrix is made from data, and made again from new data. A blueprint holds names,
# levels and contrasts: no rows, and no terms object of a wide formula.
#   kind      "matrix" (columns taken by name), "frame" (a data frame's variables, one by one),
#             "terms" (a formula's terms) or "map" (features made from the design of the blueprint
#             `base` by expand(blueprint, x), as stumps, pieces and products are)
#   columns   names of the design's columns; NULL for a matrix without column names
#   p         their number

new_blueprint <- function(kind, columns, p, ...) {
  blueprint <- list(kind = kind, columns = columns, p = p, ...)
  class(blueprint) <- "transfer_blueprint"
  blueprint
}

# ---- from a matrix or data frame --------------------------------------------------------------

# list(x, blueprint); x is a double matrix or dgCMatrix. Missing values are found by the kernels,
# which look at every column anyway.
design_from_data <- function(x, call, whole = TRUE, incomplete = 0) {
  if (is.data.frame(x)) {
    x <- plain_numbers(x)
    tell_texts(x)
    variables <- lapply(x, variable_plan, whole = whole)
    refuse_variables(x, variables, call, incomplete)
    design <- frame_design(x, variables)
    blueprint <- frame_blueprint(variables)
  } else {
    design <- as_design_matrix(x, "x", call)
    check_names(colnames(design), "x", call)
    blueprint <- new_blueprint("matrix", colnames(design), ncol(design))
  }
  list(x = design, blueprint = blueprint)
}

# Numeric matrices stay where they are; sparse ones stay sparse.
as_design_matrix <- function(x, argument, call) {
  if (is.table(x)) x <- unclass(x)
  if (is.matrix(x) && is.double(x)) return(x)
  if (is(x, "sparseMatrix") || is(x, "diagonalMatrix")) {
    return(methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix"))
  }
  if (is(x, "Matrix")) x <- as.matrix(x)
  if (is.atomic(x) && is.null(dim(x)) && is.numeric(x)) x <- matrix(x, ncol = 1)
  if (!is.matrix(x) || !(is.numeric(x) || is.logical(x))) {
    mend <- if (is_remote(x)) MOMENTS_FIRST else
      "Give a numeric matrix, a sparse matrix or a data frame."
    abort_kind(x, argument, mend, call)
  }
  if (!is.double(x)) storage.mode(x) <- "double"
  x
}

# A data frame of numbers as a matrix.
matrix_of_numbers <- function(data, argument, mend, call) {
  numbers <- vapply(data, function(v) is.numeric(v) || is.logical(v), NA)
  if (all(numbers)) return(as.matrix(data))
  abort_input("{.arg {argument}} has columns that are not numeric: {.val {names(data)[!numbers]}}.", argument,
              i = mend, call = call)
}

column_labels <- function(names, j) {
  if (!is.null(names)) return(names[j])
  if (length(j)) paste0("V", j) else character()
}

# Of all columns; of: a blueprint, or settings, which have `columns` and their number `p`, too.
all_labels <- function(of) column_labels(of$columns, seq_len(of$p))

# ---- variables of a data frame ----------------------------------------------------------------

# What must be known of one variable to code it again.
# `whole`: these are all rows, so that levels not seen do not count and times may be numbers.
variable_plan <- function(v, whole = TRUE, times = whole) {
  if (is.character(v)) v <- factor(v)
  if (is.factor(v)) {
    if (whole) v <- used_levels(v)
    contrasts <- if (nlevels(v) > 1) stats::contrasts(v) else NULL
    list(kind = "factor", levels = levels(v), contrasts = contrasts)
  } else if (is.logical(v)) {
    list(kind = "logical")
  } else if (is.numeric(v) && is.matrix(v)) {
    list(kind = "matrix", columns = colnames(v), p = ncol(v))
  } else if (is.null(dim(v)) && (is.numeric(v) || times && inherits(v, TIMES))) {
    list(kind = "numeric")
  } else {
    list(kind = "unknown", class = class(v)[1])
  }
}

# A variable of the plan in words.
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

# single: names of factors with one level, or none, in n rows.
refuse_single_levels <- function(single, n, incomplete, call, argument = "x") {
  if (!length(single)) return(invisible())
  left <- "{n} row{?s} {?is/are} left: {incomplete} of {n + incomplete} have a missing value in some column and
           are left out."
  abort_input("Factors in {.arg {argument}} with fewer than two levels: {.val {single}}.", argument,
              i = if (incomplete) left,
              i = if (incomplete) "Leave out these factors, or the columns with missing values." else
                "Leave them out: they cannot vary.", call = call)
}

MANY_LEVELS <- 10 # more different values than this are told where they may not be classes

# A message about columns of text or factors with so many values that they are likely to be numbers, or names of
# the rows: each value is a dummy variable.
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

# Of every column the number of its variable.
variable_of_columns <- function(plans) rep(seq_along(plans), lengths(Map(variable_columns, names(plans), plans)))

columns_of_variables <- function(plans) unlist(Map(variable_columns, names(plans), plans), use.names = FALSE)

frame_blueprint <- function(plans) {
  columns <- columns_of_variables(plans)
  new_blueprint("frame", columns, length(columns), variables = plans)
}

# The variables of a data frame side by side, coded as lm() would code them.
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
