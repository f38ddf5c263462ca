# The design of a frame: matrices, and the variables of data frames as columns.

# A data frame of numeric and logical columns as a matrix; an error that names the other columns.
frame_design_matrix <- function(data, argument, mend, call) {
  numbers <- vapply(data, function(v) is.numeric(v) || is.logical(v), NA)
  if (all(numbers)) return(as.matrix(data))
  abort_input("{.arg {argument}} has columns that are not numeric: {.val {names(data)[!numbers]}}.", argument,
              i = mend, call = call)
}

# The plan of a variable: what must be known to code its values in new rows. whole: are these all rows? Then levels
# without a row are dropped, and dates and times are taken as numbers (`times`).
frame_design_plan <- function(v, whole = TRUE, times = whole) {
  if (is.character(v)) v <- factor(v)
  if (is.factor(v)) {
    if (whole) v <- table_used_levels(v)
    contrasts <- if (nlevels(v) > 1) stats::contrasts(v) else NULL
    list(kind = "factor", levels = levels(v), contrasts = contrasts,
         coding = attr(v, "contrasts") %||% getOption("contrasts")[[1 + is.ordered(v)]])
  } else if (is.logical(v)) {
    list(kind = "logical", coding = getOption("contrasts")[[1]])
  } else if (is.numeric(v) && is.matrix(v) && ncol(v) == 0) {
    list(kind = "unknown", class = "matrix without columns")
  } else if (is.numeric(v) && is.matrix(v)) {
    list(kind = "matrix", columns = colnames(v), p = ncol(v), basis = frame_design_is_basis(v))
  } else if (is.null(dim(v)) && (is.numeric(v) || times && inherits(v, TIMES))) {
    list(kind = "numeric")
  } else {
    list(kind = "unknown", class = class(v)[1])
  }
}

# Are the columns of this matrix a basis of one variable, such as those of poly() and ns(), which mean nothing apart?
# They have a class. expression: the call that made the matrix; several columns of one variable are a basis, too.
frame_design_is_basis <- function(v, expression = NULL, variables = NULL) {
  if (!is.matrix(v) || !is.numeric(v)) return(FALSE)
  made <- is.call(expression)
  length(setdiff(class(v), c("AsIs", "matrix", "array", "table", "model.matrix"))) > 0 ||
    made && !any(vapply(variables, function(plan) plan$kind == "matrix", NA)) && length(variables) == 1
}

# The plans for a model without intercept: as by lm(), the first factor or logical has a column for each of its levels.
frame_design_plans_without_intercept <- function(plans) {
  first <- match(TRUE, vapply(plans, function(plan) plan$kind %in% c("factor", "logical"), NA))
  if (is.na(first)) return(plans)
  levels <- plans[[first]]$levels
  if (is.null(levels)) plans[[first]]$both <- TRUE else {
    plans[[first]]$contrasts <- diag(length(levels))
    dimnames(plans[[first]]$contrasts) <- list(levels, levels)
  }
  plans
}

# An error where a model is to have no intercept, but a factor is coded by its differences from its first level, which
# the intercept stands for.
frame_design_refuse_differences <- function(blueprint, call) {
  factors <- if (blueprint$kind == "terms") {
    classes <- attr(blueprint$terms, "dataClasses")
    names(classes)[classes %in% c("factor", "ordered", "character", "logical")]
  } else {
    names(Filter(function(plan) plan$kind %in% c("factor", "logical"), blueprint$variables))
  }
  if (!length(factors)) return(invisible())
  abort_input("{.arg intercept} is FALSE, and {.val {factors}} {?is a factor/are factors}.", "intercept",
              i = "Give a formula, as {.code y ~ 0 + {factors[1]}}: a factor then has a column for each level, as in
                   {.fn lm}. Here its columns are differences from the level that the intercept stands for.",
              call = call)
}

# What a variable of the plan is, in words for an error.
frame_design_plan_words <- function(plan) {
  switch(plan$kind, factor = "a factor", logical = "a logical", numeric = "numbers",
         matrix = paste("a numeric matrix of", words_counted(plan$p, "column")))
}

frame_design_refuse_kinds <- function(plans, argument, end, call) {
  wrong <- names(plans)[vapply(plans, `[[`, "", "kind") == "unknown"]
  if (!length(wrong)) return(invisible())
  types <- vapply(plans[wrong], `[[`, "", "class")
  abort_input("{.arg {argument}} has columns of class {.cls {types}}: {.val {wrong}}.", argument,
              i = paste0("Use numbers, factors, characters or logicals", end), call = call)
}

frame_design_single_factors <- function(plans) {
  names(plans)[vapply(plans, function(plan) plan$kind == "factor" && length(plan$levels) < 2, NA)]
}

# single: the names of factors with one level, or none, in n rows; incomplete: how many rows were left out.
frame_design_refuse_single_levels <- function(single, n, incomplete, call, argument = "x") {
  if (!length(single)) return(invisible())
  left <- "{n} row{?s} {?is/are} left: {incomplete} of {n + incomplete} have a missing value in some column and
           are left out."
  abort_input("Factors in {.arg {argument}} with fewer than two levels: {.val {single}}.", argument,
              i = if (incomplete) left,
              i = if (incomplete) "Leave out these factors, or the columns with missing values." else
                "Leave them out: they cannot vary.", call = call)
}

# a column of text or a factor with at most so many values needs no message of frame_design_tell_texts()
MANY_LEVELS <- 10

# A message about columns of text or factors whose values are likely to be numbers, or names of the rows, since there
# are so many: each value but one becomes a dummy variable.
frame_design_tell_texts <- function(data) {
  by_column <- lapply(data, function(v) if (is.character(v)) unique(v) else if (is.factor(v)) levels(v))
  for (name in names(by_column)[lengths(by_column) > MANY_LEVELS]) {
    values <- by_column[[name]]
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

frame_design_variable_columns <- function(name, plan) {
  switch(plan$kind,
    factor = paste0(name, colnames(plan$contrasts) %||% seq_len(ncol(plan$contrasts))),
    logical = paste0(name, c(if (isTRUE(plan$both)) "FALSE", "TRUE")),
    matrix = paste0(name, plan$columns %||% seq_len(plan$p)),
    name
  )
}

# For every column of the design, the number of the variable that it codes.
frame_design_variable_of_columns <- function(plans) rep(seq_along(plans),
                                                        lengths(Map(frame_design_variable_columns, names(plans),
                                                                    plans)))

frame_design_columns_of_variables <- function(plans) unlist(Map(frame_design_variable_columns, names(plans), plans),
                                                            use.names = FALSE)

# The design of a data frame: its variables coded as lm() codes them, side by side.
frame_design_of_data <- function(data, variables) {
  columns <- frame_design_columns_of_variables(variables)
  design <- matrix(0, nrow(data), length(columns), dimnames = list(NULL, columns))
  filled <- 0L
  for (name in names(variables)) {
    coded <- frame_design_code_variable(data[[name]], variables[[name]])
    k <- NCOL(coded)
    design[, filled + seq_len(k)] <- coded
    filled <- filled + k
  }
  design
}

frame_design_code_variable <- function(v, plan) {
  if (plan$kind == "factor") {
    code <- match(as.character(v), plan$levels)
    return(plan$contrasts[code, , drop = FALSE])
  }
  if (plan$kind == "logical") {
    v <- as.logical(v)
    return(if (isTRUE(plan$both)) cbind(!v, v) + 0 else as.double(v))
  }
  if (plan$kind == "matrix" && is.null(dim(v))) return(matrix(NA_real_, length(v), plan$p)) # a column without any value
  if (plan$kind == "matrix") return(if (is.null(plan$columns)) v else v[, plan$columns, drop = FALSE])
  as.double(v)
}

# What model.matrix() returns, as a dgCMatrix. Names, contrasts and terms of the columns are those that model.matrix()
# gives a frame without rows. A column of a product of variables is the product of one column of each.
frame_design_sparse <- function(terms, frame, contrasts) {
  texts <- vapply(frame, is.character, NA)
  frame[texts] <- lapply(frame[texts], factor)
  like <- stats::model.matrix(terms, frame[0L, , drop = FALSE], contrasts.arg = contrasts)
  factors <- attr(terms, "factors")
  names <- frame_design_factor_rows(terms)
  if (!attr(terms, "intercept")) { # then the first factor of the first term with one has a column for each level
    categorical <- vapply(frame[names], function(v) is.factor(v) || is.logical(v), NA)
    first <- match(TRUE, categorical & factors > 0) # by columns of `factors`
    if (!is.na(first)) factors[first] <- 2L
  }
  made <- list() # the columns of a variable, by its name and coding
  columns_of <- function(name, coding) {
    key <- paste(coding, name)
    if (is.null(made[[key]])) {
      made[[key]] <<- frame_design_sparse_columns(frame[[name]], attr(like, "contrasts")[[name]], coding == 1)
    }
    made[[key]]
  }
  parts <- lapply(seq_along(attr(terms, "term.labels")), function(k) {
    with <- which(factors[, k] > 0)
    Reduce(frame_design_sparse_products, Map(columns_of, names[with], factors[with, k]))
  })
  ones <- if (attr(terms, "intercept")) list(frame_design_sparse_columns(rep(1, nrow(frame))))
  x <- do.call(cbind, c(ones, parts)) # by Matrix's method
  x <- methods::as(x, "CsparseMatrix")
  dimnames(x) <- list(NULL, colnames(like))
  attr(x, "contrasts") <- attr(like, "contrasts")
  attr(x, "assign") <- attr(like, "assign")
  x
}

# The names of the rows of the terms' factors, as variables have them in a model frame: without backticks.
frame_design_factor_rows <- function(terms) {
  if (!length(attr(terms, "factors"))) return(character())
  vapply(as.list(attr(terms, "variables"))[-1], function(e) if (is.name(e)) as.character(e) else deparse1(e), "")
}

# The columns of a variable: numbers as they are; of a factor or logical its contrasts, or indicators of its levels.
frame_design_sparse_columns <- function(v, contrasts = NULL, by_contrasts = TRUE) {
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
frame_design_sparse_products <- function(a, b) {
  a_wide <- a[, rep(seq_len(ncol(a)), ncol(b)), drop = FALSE]
  b_wide <- b[, rep(seq_len(ncol(b)), each = ncol(a)), drop = FALSE]
  products <- a_wide * b_wide
  # a missing value times a zero is missing, which a sparse product takes for zero
  if (anyNA(a@x) || anyNA(b@x)) products[Matrix::which(is.na(a_wide) | is.na(b_wide), arr.ind = TRUE)] <- NA
  products
}

frame_design_is_database <- function(data) inherits(data, c("DBIConnection", "tbl_lazy"))

# Data that are not in R's memory.
frame_design_is_remote <- function(data) {
  frame_design_is_database(data) || inherits(data,
                                             c("Dataset", "ArrowTabular", "arrow_dplyr_query", "RecordBatchReader"))
}

MOMENTS_FIRST <- paste(
  "Make moments of it first: {.code moments(y ~ ., data = ...)} reads databases, Arrow data and chunks, and",
  "{.fn greedytl}, {.fn tgreedy}, {.fn tlcp} and {.fn cv_path} take its result in place of rows."
)

frame_design_new_blueprint <- function(kind, columns, p, ...) {
  list(kind = kind, columns = columns, p = p, ...)
}

frame_design_blueprint <- function(plans) {
  columns <- frame_design_columns_of_variables(plans)
  frame_design_new_blueprint("frame", columns, length(columns), variables = plans)
}

# Returns list(x, blueprint), x being a double matrix or dgCMatrix. Missing values are not looked for here: the
# kernels find them. whole, incomplete: see frame_design_plan() and frame_design_refuse_single_levels(). intercept: is
# the model to have one?
frame_design_from_data <- function(x, call, whole = TRUE, incomplete = 0, intercept = TRUE) {
  if (is.data.frame(x)) {
    check_has_names(x, "x", call)
    x <- table_plain_numbers(x)
    frame_design_tell_texts(x)
    variables <- lapply(x, frame_design_plan, whole = whole)
    check_names(colnames(x), "x", call)
    frame_design_refuse_kinds(variables, "x", ".", call)
    frame_design_refuse_single_levels(frame_design_single_factors(variables), nrow(x), incomplete, call)
    if (!intercept) variables <- frame_design_plans_without_intercept(variables)
    design <- frame_design_of_data(x, variables)
    blueprint <- frame_design_blueprint(variables)
  } else {
    design <- frame_design_as_matrix(x, "x", call)
    names <- colnames(design)
    if (!is.null(names)) check_names(names, "x", call)
    blueprint <- frame_design_new_blueprint("matrix", names, ncol(design))
  }
  list(x = design, blueprint = blueprint)
}

# A double matrix, which is returned without a copy, or a dgCMatrix for any sparse matrix.
frame_design_as_matrix <- function(x, argument, call) {
  if (is.table(x)) x <- unclass(x)
  if (is.matrix(x) && is.double(x)) return(x)
  if (is(x, "sparseMatrix") || is(x, "diagonalMatrix")) {
    return(methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix"))
  }
  if (is(x, "Matrix")) x <- as.matrix(x)
  if (is.atomic(x) && is.null(dim(x)) && is.numeric(x)) x <- matrix(x, ncol = 1)
  if (!is.matrix(x) || !(is.numeric(x) || is.logical(x))) {
    mend <- if (frame_design_is_remote(x)) MOMENTS_FIRST else
      "Give a numeric matrix, a sparse matrix or a data frame."
    abort_kind(x, argument, mend, call)
  }
  if (!is.double(x)) storage.mode(x) <- "double"
  x
}
