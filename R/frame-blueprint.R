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

check_names <- function(names, argument, call) {
  refuse_unnamed(names, argument, "column", call)
  if (anyDuplicated(names)) {
    twice <- unique(names[duplicated(names)])
    abort_input("{.arg {argument}} has more than one column named {.val {utils::head(twice, 5)}}.",
                argument, i = "Give every column a name of its own.", call = call)
  }
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
variable_plan <- function(v, whole = TRUE) {
  if (is.character(v)) v <- factor(v)
  if (is.factor(v)) {
    if (whole) v <- used_levels(v)
    contrasts <- if (nlevels(v) > 1) stats::contrasts(v) else NULL
    list(kind = "factor", levels = levels(v), contrasts = contrasts)
  } else if (is.logical(v)) {
    list(kind = "logical")
  } else if (is.numeric(v) && is.matrix(v)) {
    list(kind = "matrix", columns = colnames(v), p = ncol(v))
  } else if (is.null(dim(v)) && (is.numeric(v) || whole && inherits(v, TIMES))) {
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
refuse_single_levels <- function(single, n, incomplete, call) {
  if (!length(single)) return(invisible())
  left <- "{n} row{?s} {?is/are} left: {incomplete} of {n + incomplete} have a missing value in some column and
           are left out."
  abort_input("Factors in {.arg x} with fewer than two levels: {.val {single}}.", "x",
              i = if (incomplete) left,
              i = if (incomplete) "Leave out these factors, or the columns with missing values." else
                "Remove them: they cannot vary.", call = call)
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

# ---- new data ---------------------------------------------------------------------------------

# The design of new rows. Rows with a missing value stay, as NA.
bake <- function(blueprint, newdata, call) {
  switch(blueprint$kind,
    matrix = bake_matrix(blueprint, newdata, call),
    frame = bake_frame(blueprint, newdata, call),
    terms = bake_terms(blueprint, newdata, call),
    map = blueprint$expand(blueprint, bake(blueprint$base, newdata, call))
  )
}

# bake() of rows that came by another argument, which its errors then name.
bake_argument <- function(blueprint, rows, argument, call) {
  tryCatch(bake(blueprint, rows, call), transelect_error_newdata = function(error) {
    error$message <- sub("`newdata`", paste0("`", argument, "`"), error$message, fixed = TRUE)
    own <- paste0("transelect_error_", sub("[$].*", "", argument))
    class(error)[class(error) == "transelect_error_newdata"] <- own
    rlang::cnd_signal(error)
  })
}

# Columns `at` of the design of new rows. Variables that only other columns need may be missing.
bake_columns <- function(blueprint, at, newdata, call) {
  part <- list(blueprint = blueprint, take = at)
  if (length(at) && !is.null(dim(newdata))) part <- narrow_blueprint(blueprint, at)
  bake(part$blueprint, newdata, call)[, part$take, drop = FALSE]
}

# The blueprint of only those variables that columns `at` (ascending) need, and the places of these columns in its
# design. Terms and pieces need all their variables.
narrow_blueprint <- function(blueprint, at) {
  take <- seq_along(at)
  if (blueprint$kind == "matrix" && !is.null(blueprint$columns)) {
    blueprint <- new_blueprint("matrix", blueprint$columns[at], length(at))
  } else if (blueprint$kind == "frame") {
    plans <- blueprint$variables
    of <- variable_of_columns(plans)
    kept <- unique(of[at])
    blueprint$variables <- plans[kept]
    take <- match(at, which(of %in% kept))
  } else if (!is.null(blueprint$threshold)) {
    used <- sort(unique(blueprint$feature[at]))
    base <- narrow_blueprint(blueprint$base, used)
    blueprint <- new_blueprint(
      "map", blueprint$columns[at], length(at), base = base$blueprint, expand = blueprint$expand,
      feature = base$take[match(blueprint$feature[at], used)], threshold = blueprint$threshold[at]
    )
  } else if (!is.null(blueprint$second)) {
    used <- sort(unique(c(setdiff(blueprint$first[at], 0), blueprint$second[at])))
    base <- narrow_blueprint(blueprint$base, used)
    of <- function(column) ifelse(column[at] == 0, 0, base$take[match(column[at], used)])
    blueprint <- new_blueprint(
      "map", blueprint$columns[at], length(at), base = base$blueprint, expand = blueprint$expand,
      first = of(blueprint$first), second = of(blueprint$second)
    )
  } else {
    take <- at
  }
  list(blueprint = blueprint, take = take)
}

# The design of a frame's rows, which a map of features makes from its own columns.
framed_design <- function(blueprint, frame) {
  if (blueprint$kind == "map") blueprint$expand(blueprint, columns_of(frame$x)) else frame$x
}

bake_matrix <- function(blueprint, newdata, call) {
  if (is.data.frame(newdata)) {
    refuse_missing_columns(setdiff(blueprint$columns, names(newdata)), call)
    if (!is.null(blueprint$columns)) newdata <- newdata[blueprint$columns]
    numbers <- vapply(newdata, is.numeric, NA) | vapply(newdata, is.logical, NA)
    if (!all(numbers)) {
      wrong <- names(newdata)[!numbers]
      abort_input("{.arg newdata} has columns that are not numeric: {.val {wrong}}.", "newdata",
                  i = "Give numbers: the model was fitted to a numeric matrix.", call = call)
    }
    newdata <- as.matrix(newdata)
  }
  if (is.atomic(newdata) && is.null(dim(newdata)) && length(newdata) == blueprint$p) {
    newdata <- matrix(newdata, nrow = 1, dimnames = list(NULL, names(newdata)))
  }
  newdata <- as_design_matrix(newdata, "newdata", call)
  match_columns(newdata, blueprint, call)
}

# Columns by name, in the blueprint's order; extra ones are ignored.
match_columns <- function(newdata, blueprint, call) {
  wanted <- blueprint$columns
  given <- colnames(newdata)
  if (is.null(wanted)) {
    if (ncol(newdata) != blueprint$p) {
      abort_input("{.arg newdata} has {ncol(newdata)} column{?s}, the model {blueprint$p}.",
                  "newdata", i = "Give the {blueprint$p} of the fit in their order: they had no names.", call = call)
    }
    return(newdata)
  }
  if (is.null(given)) {
    abort_input("{.arg newdata} has no column names.", "newdata",
                i = "Name its columns as in the fit: {.val {utils::head(wanted, 5)}}.",
                call = call)
  }
  refuse_missing_columns(setdiff(wanted, given), call)
  if (identical(wanted, given)) newdata else newdata[, match(wanted, given), drop = FALSE]
}

refuse_missing_columns <- function(missing, call) {
  if (!length(missing)) return(invisible())
  shown <- utils::head(missing, 5)
  abort_input("{.arg newdata} lacks {length(missing)} column{?s} of the model: {.val {shown}}.",
              "newdata", i = "Give these columns; they are matched by name.", call = call)
}

bake_frame <- function(blueprint, newdata, call) {
  newdata <- check_newdata_frame(newdata, call)
  refuse_missing_columns(setdiff(names(blueprint$variables), names(newdata)), call)
  for (name in names(blueprint$variables)) {
    check_variable(newdata[[name]], blueprint$variables[[name]], name, call)
  }
  frame_design(newdata, blueprint$variables)
}

check_newdata_frame <- function(newdata, call) {
  if (is.matrix(newdata) && is.numeric(newdata) && !is.null(colnames(newdata))) {
    newdata <- as.data.frame(newdata)
  }
  if (!is.data.frame(newdata)) {
    abort_kind(newdata, "newdata", "Give a data frame with the variables of the model.", call)
  }
  plain_numbers(newdata)
}

# A new variable must be of the kind it was, without new levels.
check_variable <- function(v, plan, name, call) {
  if (plan$kind == "unknown") return(invisible())
  if (plan$kind == "factor") {
    novel <- setdiff(unique(as.character(v)), c(plan$levels, NA))
    if (length(novel)) {
      abort_input("{.arg newdata} has {length(novel)} new level{?s} of the factor {.val {name}}:
                   {.val {novel}}.",
                  "newdata", i = "Give a known level that is close, or for an {.code NA} in place of a prediction make
                                  {cli::qty(length(novel))}{?it/them} {.code NA}: the fit had no row of {?it/them}.",
                  i = "Known levels: {.val {plan$levels}}.", call = call)
    }
    return(invisible())
  }
  right <- switch(plan$kind,
    logical = is.logical(v) || is.numeric(v),
    matrix = is.numeric(v) && is.matrix(v) &&
      (if (is.null(plan$columns)) ncol(v) == plan$p else all(plan$columns %in% colnames(v))),
    is.numeric(v) || inherits(v, TIMES) || (is.logical(v) && all(is.na(v)))
  )
  if (!right) {
    abort_input("{.arg newdata} has {.val {name}} as {.obj_type_friendly {v}}.", "newdata",
                i = "Give {plan_words(plan)}, as in the fit.", call = call)
  }
}
