# The design of new data, made by the blueprint of an earlier design; offsets of new data.

# The design of new rows. A missing value gives NA in the columns made of it; no row is left out.
frame_bake <- function(blueprint, newdata, call) {
  switch(blueprint$kind,
    matrix = frame_bake_matrix(blueprint, newdata, call),
    frame = frame_design_of_data(frame_bake_check_newdata(newdata, blueprint, call), blueprint$variables),
    terms = frame_formula_terms_without_coding(frame_bake_terms(blueprint, newdata, call)),
    map = frame_map_expanded(blueprint, frame_bake(blueprint$base, newdata, call))
  )
}

# frame_bake() of rows that the user gave as `argument`: errors name it in place of newdata.
frame_bake_argument <- function(blueprint, rows, argument, call) {
  tryCatch(frame_bake(blueprint, rows, call), transelect_error_newdata = function(error) {
    error$message <- sub("`newdata`", paste0("`", argument, "`"), error$message, fixed = TRUE)
    class_of_argument <- paste0("transelect_error_", sub("[$].*", "", argument))
    class(error)[class(error) == "transelect_error_newdata"] <- class_of_argument
    rlang::cnd_signal(error)
  })
}

# Columns `wanted` of the design of new rows, which may lack the variables that only other columns need.
frame_bake_columns <- function(blueprint, wanted, newdata, call) {
  part <- list(blueprint = blueprint, take = wanted)
  if (length(wanted) && !is.null(dim(newdata))) part <- frame_bake_narrow(blueprint, wanted)
  frame_bake(part$blueprint, newdata, call)[, part$take, drop = FALSE]
}

# The blueprint of the variables that columns `wanted` (ascending) need, and the places of these columns in its
# design. Designs from the terms of a formula and from pieces need all their variables.
frame_bake_narrow <- function(blueprint, wanted) {
  take <- seq_along(wanted)
  if (blueprint$kind == "matrix" && !is.null(blueprint$columns)) {
    blueprint <- frame_design_new_blueprint("matrix", blueprint$columns[wanted], length(wanted))
  } else if (blueprint$kind == "frame") {
    plans <- blueprint$variables
    of <- frame_design_variable_of_columns(plans)
    kept <- unique(of[wanted])
    blueprint$variables <- plans[kept]
    take <- match(wanted, which(of %in% kept))
  } else if (!is.null(blueprint$threshold) || !is.null(blueprint$second)) {
    of <- lapply(blueprint[intersect(c("feature", "first", "second"), names(blueprint))], `[`, wanted) # 0 is no column
    used <- sort(setdiff(unlist(of), 0))
    base <- frame_bake_narrow(blueprint$base, used)
    here <- lapply(of, function(column) ifelse(column == 0, 0, base$take[match(column, used)]))
    blueprint <- do.call(frame_design_new_blueprint, c(here, list(
      "map", blueprint$columns[wanted], length(wanted), base = base$blueprint, expand = blueprint$expand,
      threshold = blueprint$threshold[wanted]
    )))
  } else {
    take <- wanted
  }
  list(blueprint = blueprint, take = take)
}

frame_bake_matrix <- function(blueprint, newdata, call) {
  if (is.data.frame(newdata)) {
    frame_bake_refuse_missing(setdiff(blueprint$columns, names(newdata)), call)
    if (!is.null(blueprint$columns)) newdata <- newdata[blueprint$columns]
    newdata <- frame_design_matrix(newdata, "newdata", "Give numbers: the model was fitted to a numeric matrix.", call)
  }
  if (is.atomic(newdata) && is.null(dim(newdata)) && length(newdata) == blueprint$p) {
    newdata <- matrix(newdata, nrow = 1, dimnames = list(NULL, names(newdata)))
  }
  newdata <- frame_design_as_matrix(newdata, "newdata", call)
  frame_bake_match_columns(newdata, blueprint, call)
}

# The columns of newdata that the blueprint names, in its order; newdata may have others.
frame_bake_match_columns <- function(newdata, blueprint, call) {
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
  frame_bake_refuse_missing(setdiff(wanted, given), call)
  if (identical(wanted, given)) newdata else newdata[, match(wanted, given), drop = FALSE]
}

frame_bake_refuse_missing <- function(missing, call) {
  if (!length(missing)) return(invisible())
  shown <- utils::head(missing, 5)
  abort_input("{.arg newdata} lacks {length(missing)} column{?s} of the model: {.val {shown}}.",
              "newdata", i = "Give these columns; they are matched by name.", call = call)
}

# New rows as a data frame; an error where it lacks a variable of the blueprint.
frame_bake_check_newdata <- function(newdata, blueprint, call) {
  if (is.matrix(newdata) && is.numeric(newdata) && !is.null(colnames(newdata))) {
    newdata <- as.data.frame(newdata)
  }
  if (!is.data.frame(newdata)) {
    abort_kind(newdata, "newdata", "Give a data frame with the variables of the model.", call)
  }
  newdata <- table_plain_numbers(newdata)
  frame_bake_refuse_missing(setdiff(names(blueprint$variables), names(newdata)), call)
  for (name in names(blueprint$variables)) {
    frame_bake_check_variable(newdata[[name]], blueprint$variables[[name]], name, call)
  }
  newdata
}

# An error where a variable of newdata is not of the kind that its plan (frame_design_plan()) says, or has a level that
# the plan has not.
frame_bake_check_variable <- function(v, plan, name, call) {
  if (plan$kind == "unknown" || is.atomic(v) && is.null(dim(v)) && all(is.na(v))) return(invisible())
  if (plan$kind == "factor") {
    novel <- setdiff(unique(as.character(v)), c(plan$levels, NA))
    if (length(novel)) {
      abort_input("{.arg newdata} has {length(novel)} new level{?s} of the factor {.val {name}}:
                   {.val {novel}}.",
                  "newdata", i = "Replace {cli::qty(length(novel))}{?it/each} by a similar known level, or by
                                  {.code NA}, for which the prediction is {.code NA}.",
                  i = "Known levels: {.val {plan$levels}}.", call = call)
    }
    return(invisible())
  }
  right <- switch(plan$kind,
    logical = is.logical(v) || is.numeric(v),
    matrix = is.numeric(v) && is.matrix(v) &&
      (if (is.null(plan$columns)) ncol(v) == plan$p else all(plan$columns %in% colnames(v))),
    is.numeric(v) || inherits(v, TIMES)
  )
  if (!right) {
    abort_input("{.arg newdata} has {.val {name}} as {.obj_type_friendly {v}}.", "newdata",
                i = "Give {frame_design_plan_words(plan)}, as in the fit.", call = call)
  }
}

# The design of new rows by the terms of a formula, with the attributes of frame_formula_terms_coded().
frame_bake_terms <- function(blueprint, newdata, call) {
  newdata <- frame_bake_check_newdata(newdata, blueprint, call)
  for (name in names(blueprint$variables)) {
    newdata[[name]] <- frame_bake_variable(newdata[[name]], blueprint$variables[[name]])
  }
  frame_formula_terms_new_design(blueprint, newdata)
}

# A variable of new rows, of the kind that the terms take. A column without any value is logical, of whatever kind.
frame_bake_variable <- function(v, plan) {
  nothing <- is.atomic(v) && is.null(dim(v)) && all(is.na(v))
  switch(plan$kind,
    matrix = frame_design_code_variable(v, plan),
    factor = if (!is.factor(v) && !is.character(v) || nothing) factor(as.character(v), plan$levels) else v,
    logical = as.logical(v),
    numeric = if (nothing) as.double(v) else v,
    v
  )
}

# What a fit with an offset keeps of it: the expression of the argument, by which predict() finds offsets of new rows.
frame_bake_offset_plan <- function(expression = NULL) list(expression = if (is.language(expression)) expression)

# The offsets of n new rows for a fit with an offset; an error where newdata does not have them.
frame_bake_offset <- function(object, newdata, n, call) {
  plan <- object$offset
  if (!is.null(plan$given)) return(plan$given)
  terms <- object$blueprint$terms
  variables <- as.list(attr(terms, "variables"))[-1][attr(terms, "offset")]
  if (!is.null(plan$expression)) variables <- c(variables, plan$expression)
  values <- lapply(variables, function(e) {
    tryCatch(eval(e, as.data.frame(newdata), environment(terms) %||% globalenv()),
             error = function(e) NULL)
  })
  good <- length(values) && all(vapply(values, function(v) {
    (is.numeric(v) || all(is.na(v))) && length(v) %in% c(1, n)
  }, NA))
  if (!good) {
    abort_input("The fit has an offset, and {.arg newdata} has none.", "offset",
                i = "Give {.arg offset}: a number for each row, 0 for none.", call = call)
  }
  Reduce(`+`, values)
}
