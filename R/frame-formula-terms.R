# The terms of a formula: which there are, what is left out of them, and the design that they code.

# The design matrix of terms, coded as lm() codes it, without the column of ones, since the fitters add the intercept.
# Attributes: `contrasts`, and `assign`, the number of each column's term.
frame_formula_terms_coded <- function(terms, frame, contrasts, sparse) {
  if (!sparse && frame_formula_terms_are_numbers(terms, frame)) return(frame_formula_terms_side_by_side(terms, frame))
  if (!sparse && nrow(frame) > CODED_AT_ONCE) return(frame_formula_terms_code_many_rows(terms, frame, contrasts))
  made <- if (sparse) frame_design_sparse(terms, frame, contrasts) else
    stats::model.matrix(terms, frame, contrasts.arg = contrasts)
  coded <- attr(made, "assign") > 0
  x <- made[, coded, drop = FALSE]
  if (!sparse) x <- matrix(x, nrow(x), ncol(x), dimnames = list(NULL, colnames(x)))
  attr(x, "contrasts") <- attr(made, "contrasts")
  attr(x, "assign") <- attr(made, "assign")[coded]
  x
}

# Is every term a variable that is a vector of numbers, one column of the design?
frame_formula_terms_are_numbers <- function(terms, frame) {
  labels <- attr(terms, "term.labels")
  length(labels) > 0 && all(labels %in% names(frame)) && all(attr(terms, "order") == 1) &&
    all(vapply(.subset(frame, labels), function(v) is.numeric(v) && is.null(dim(v)), NA))
}

# The design of such terms, as model.matrix() would make it.
frame_formula_terms_side_by_side <- function(terms, frame) {
  labels <- attr(terms, "term.labels")
  x <- matrix(0, nrow(frame), length(labels), dimnames = list(NULL, labels))
  for (j in seq_along(labels)) x[, j] <- .subset2(frame, labels[j])
  attr(x, "assign") <- seq_along(labels)
  x
}

CODED_AT_ONCE <- 20000

# frame_formula_terms_coded() of many rows: some are coded at a time, since model.matrix() makes names of all rows and
# two copies.
frame_formula_terms_code_many_rows <- function(terms, frame, contrasts) {
  texts <- vapply(frame, is.character, NA)
  frame[texts] <- lapply(frame[texts], factor)
  n <- nrow(frame)
  x <- NULL
  for (from in seq(1, n, by = CODED_AT_ONCE)) {
    i <- from:min(n, from + CODED_AT_ONCE - 1)
    rows <- frame[i, , drop = FALSE]
    attr(rows, "row.names") <- .set_row_names(length(i)) # names of rows take more memory than numbers
    attr(rows, "terms") <- terms # else model.matrix() would evaluate the terms in these columns
    part <- frame_formula_terms_coded(terms, rows, contrasts, FALSE)
    if (is.null(x)) {
      x <- matrix(0, n, ncol(part), dimnames = list(NULL, colnames(part)))
      coding <- attributes(part)[c("contrasts", "assign")]
    }
    x[i, ] <- part
  }
  attributes(x) <- c(attributes(x), Filter(Negate(is.null), coding))
  x
}

# The terms of a sum: list(a, b, c) of a + b + c.
frame_formula_terms_summands <- function(e) {
  found <- list()
  while (is.call(e) && identical(e[[1]], quote(`+`)) && length(e) == 3) {
    found <- c(found, list(e[[3]]))
    e <- e[[2]]
  }
  rev(c(found, list(e)))
}

# Is the function offset() called? (A variable may be called offset, too.)
frame_formula_terms_calls_offset <- function(e) {
  sum(all.names(e) == "offset") > sum(all.names(e, functions = FALSE) == "offset")
}

# For a right-hand side of `.` from which only variables and the intercept are subtracted: list(drop = their names,
# intercept). NULL for any other.
frame_formula_terms_wide_side <- function(e) {
  if (identical(e, quote(.))) return(list(drop = character(), intercept = TRUE))
  if (!is.call(e) || length(e) != 3) return(NULL)
  side <- frame_formula_terms_wide_side(e[[2]])
  sign <- as.character(e[[1]])
  if (is.null(side) || !sign[1] %in% c("-", "+")) return(NULL)
  if (sign == "-" && is.name(e[[3]])) {
    side$drop <- c(side$drop, as.character(e[[3]]))
  } else if (identical(e[[3]], if (sign == "-") 1 else 0)) {
    side$intercept <- FALSE
  } else {
    return(NULL)
  }
  side
}

# The formula with its `.` written out: the variables of `data` that are not in the formula otherwise.
frame_formula_terms_without_dot <- function(formula, data) {
  full <- stats::formula(stats::terms(formula, data = data))
  environment(full) <- environment(formula)
  full
}

# The variables, not constants, that the terms take from the data or from the formula's environment.
frame_formula_terms_variables <- function(terms, data, env, n_all) {
  values <- lapply(stats::setNames(nm = all.vars(terms)), function(name) {
    eval(as.name(name), data, env)
  })
  lapply(values[vapply(values, NROW, 0L) == n_all], frame_design_plan)
}

# As frame_design_from_data(), from terms and their model frame.
frame_formula_terms_design <- function(terms, frame, variables, sparse, call) {
  x <- frame_formula_terms_coded(terms, frame, NULL, sparse)
  labels <- attr(terms, "term.labels")
  empty <- setdiff(seq_along(labels), attr(x, "assign"))
  if (length(empty)) frame_formula_terms_abort_no_column(labels[empty], call)
  blueprint <- frame_design_new_blueprint(
    "terms", colnames(x), ncol(x), terms = frame_formula_terms_light(terms, names(variables)),
    xlevels = frame_formula_terms_levels(terms, frame), contrasts = attr(x, "contrasts"),
    assign = attr(x, "assign"), sparse = sparse, variables = variables,
    joined = frame_formula_terms_bases(terms, frame, variables)
  )
  list(x = frame_formula_terms_without_coding(x), blueprint = blueprint)
}

# The names of the variables in the model frame that are bases, see frame_design_is_basis().
frame_formula_terms_bases <- function(terms, frame, variables) {
  expressions <- as.list(attr(terms, "variables"))[-1]
  names(expressions) <- frame_design_factor_rows(terms)
  Filter(function(name) {
    e <- expressions[[name]]
    frame_design_is_basis(.subset2(frame, name), e, variables[intersect(all.vars(e), names(variables))])
  }, intersect(names(expressions), names(frame)))
}

# The levels of the factors and texts among the variables of the terms, by name, as stats::.getXlevels() has them.
frame_formula_terms_levels <- function(terms, frame) {
  variables <- .subset(frame, intersect(frame_design_factor_rows(terms), names(frame)))
  categorical <- vapply(variables, function(v) is.factor(v) || is.character(v), NA)
  lapply(variables[categorical], function(v) levels(as.factor(v)))
}

frame_formula_terms_without_coding <- function(x) {
  attr(x, "contrasts") <- attr(x, "assign") <- NULL
  x
}

# The terms with a smaller environment: that of the formula would keep all objects in it. The new one has the functions
# and constants that the terms use and no package provides, but no variables.
frame_formula_terms_light <- function(terms, variables) {
  home <- environment(terms)
  light <- new.env(parent = globalenv())
  used <- all.names(attr(terms, "predvars") %||% terms)
  for (name in setdiff(used, c("list", variables))) {
    value <- get0(name, envir = home, inherits = TRUE)
    packaged <- is.function(value) && (is.primitive(value) || isNamespace(environment(value)))
    if (!is.null(value) && !packaged) assign(name, value, envir = light)
  }
  environment(terms) <- light
  terms
}

# The blueprint of a formula without its offsets, so that new data need not have their variables.
frame_formula_terms_without_offsets <- function(blueprint) {
  terms <- blueprint$terms
  offsets <- attr(terms, "offset")
  if (is.null(offsets)) return(blueprint)
  for (part in c("variables", "predvars")) {
    if (!is.null(attr(terms, part))) attr(terms, part) <- attr(terms, part)[-(offsets + 1L)]
  }
  attr(terms, "factors") <- attr(terms, "factors")[-offsets, , drop = FALSE]
  attr(terms, "dataClasses") <- attr(terms, "dataClasses")[-offsets]
  attr(terms, "offset") <- NULL
  blueprint$terms <- terms
  blueprint$variables <- blueprint$variables[intersect(names(blueprint$variables), all.vars(attr(terms, "variables")))]
  blueprint
}

# The contrasts are those of the blueprint: others that the factors of new rows have are left aside.
frame_formula_terms_new_design <- function(blueprint, rows) {
  for (name in names(rows)) if (!is.null(attr(rows[[name]], "contrasts"))) attr(rows[[name]], "contrasts") <- NULL
  frame <- stats::model.frame(blueprint$terms, rows, na.action = stats::na.pass, xlev = blueprint$xlevels)
  frame_formula_terms_coded(blueprint$terms, frame, blueprint$contrasts, blueprint$sparse)
}

# The formula without the term that is its response, which lm() leaves out as well; an error where the response stands
# in another term, as in y ~ y:x. The formula has no `.`.
frame_formula_terms_without_response <- function(formula, call) {
  if (!any(all.vars(formula[[2]]) %in% all.vars(formula[[3]]))) return(formula)
  terms <- tryCatch(stats::terms(formula), error = function(e) NULL) # model.frame() then says why
  response <- attr(terms, "response")
  with <- if (length(attr(terms, "factors")) && response > 0) which(attr(terms, "factors")[response, ] > 0)
  if (!length(with)) return(formula)
  written <- deparse1(formula[[2]])
  labels <- attr(terms, "term.labels")
  within <- labels[with[attr(terms, "order")[with] > 1]]
  if (length(within)) {
    abort_input("{.arg formula} has its response {.code {written}} on the right-hand side, in {.code {within}}.",
                "formula", i = "Leave it out: a response cannot predict itself.", call = call)
  }
  tell(paste0("`formula` has its response ", written, " on the right-hand side: it is left out there, as by lm()."),
       class = "transelect_message_response")
  variables <- as.list(attr(terms, "variables"))[-1]
  kept <- c(labels[-with], vapply(variables[attr(terms, "offset")], deparse1, ""))
  stats::reformulate(if (length(kept)) kept else "1", formula[[2]], attr(terms, "intercept") == 1, environment(formula))
}

# As frame_formula_data_refuse_extras(), for matrices without columns among the terms.
frame_formula_terms_refuse_empty <- function(formula, data, call) {
  for (name in all.vars(formula[[3]])) {
    value <- tryCatch(eval(as.name(name), data, environment(formula)), error = function(e) NULL)
    if (is.matrix(value) && !ncol(value)) frame_formula_terms_abort_no_column(name, call)
  }
}

# terms: labels of terms that code no column of the design.
frame_formula_terms_abort_no_column <- function(terms, call) {
  abort_input("{.arg formula} has {cli::qty(terms)}{?a term/terms} of which no column is made: {.code {terms}}.",
              "formula", i = "Leave {cli::qty(terms)}{?it/them} out.", call = call)
}

# The function calls among the terms of a right-hand side, such as log(x). A sum of many terms is nested to its left as
# deep as it is long, too deep for recursion.
frame_formula_terms_calls <- function(e) {
  found <- list()
  left <- list(e)[is.call(e)]
  while (length(left)) {
    e <- left[[length(left)]]
    left[[length(left)]] <- NULL
    joins <- is.name(e[[1]]) && as.character(e[[1]]) %in% c("+", "-", "*", "/", ":", "^", "%in%", "(")
    if (joins) left <- c(left, Filter(is.call, as.list(e)[-1])) else found <- c(found, list(e))
  }
  rev(found)
}

frame_formula_terms_are_logical <- function(expressions, data, env) {
  all(vapply(expressions, function(e) {
    is.logical(tryCatch(eval(e, data, env), error = function(error) NULL))
  }, NA))
}

# Is the function of this name from one of these packages, or not found at all?
frame_formula_terms_is_function_of <- function(name, packages, env) {
  if (is.call(name)) return(as.character(name[[2]]) %in% packages)
  found <- get0(as.character(name), env, mode = "function")
  is.null(found) || environmentName(environment(found)) %in% packages
}

frame_formula_terms_is_strata <- function(e) deparse(e[[1]])[1] %in% c("strata", "survival::strata")
