# The formula interface: model.frame() and model.matrix() with lm()'s meaning. `y ~ .` on a data frame is coded
# without terms(), whose object would be larger than a wide data frame.

# offset: may the formula have an offset?
check_formula <- function(formula, data, call, offset = FALSE) {
  if (!inherits(formula, "formula") || length(formula) != 3) {
    abort_input("{.arg formula} has no left-hand side.", "formula",
                i = "Give {.code response ~ predictors}.", call = call)
  }
  if (!is.null(data) && !is.data.frame(data)) {
    mend <- if (is_remote(data)) MOMENTS_FIRST else if (is.function(data))
      "Give a data frame: where no variable has a name, R finds a function that has it, such as {.fn df}. Chunks of rows
       that a function returns go to {.fn moments} first." else
      "Give a data frame; for a matrix call with {.arg x} and {.arg y}."
    abort_kind(data, "data", mend, call)
  }
  if (!offset && calls_offset(formula[[3]])) abort_offset(call)
  refuse_other_terms(formula, data, strata = offset, call)
}

# ---- terms of other models ------------------------------------------------------------------------

# Terms that have a meaning in models of other packages and that model.matrix() would take for features: by function
# the packages it is of, and what to do instead.
OTHER_TERMS <- list(
  list(terms = c("frailty", "frailty.gamma", "frailty.gaussian", "frailty.t"), of = "survival",
       mend = "Name the groups in {.arg domain}: {.fn tlcp} borrows between domains."),
  list(terms = "cluster", of = c("survival", "future"), # where future is attached, its cluster() is found first
       mend = "Leave it out: it changes no coefficient, and there are no standard errors by clusters. Rows
               of different places are told by {.arg domain}."),
  list(terms = "tt", of = "survival",
       mend = "Give rows of intervals as {.code Surv(start, stop, status)}: effects do not change with time here."),
  list(terms = c("pspline", "s", "te", "ti", "t2", "lo"), of = c("survival", "mgcv", "gam"),
       mend = "Give a basis, as {.code splines::ns(x, 3)}: smooth terms have no penalty here."),
  list(terms = "ridge", of = "survival", mend = "Leave it out: it has no meaning here.")
)

# strata: may the formula have terms of strata()?
refuse_other_terms <- function(formula, data, strata, call) {
  for (term in term_calls(formula[[3]])) {
    name <- sub("^.*::", "", deparse1(term[[1]]))
    written <- deparse1(term)
    if (name %in% c("|", "||") && !are_logical(as.list(term)[-1], data, environment(formula))) {
      group <- deparse1(term[[3]])
      abort_input("{.arg formula} has the term {.code ({written})}.", "formula",
                  i = "Name the groups in {.arg domain}, as in
                       {.code tlcp(y ~ x, data, domain = {group}, target = )}: random effects are written so here.
                       For a logical \"or\" write {.code
                       I({written})}.", call = call)
    }
    if (!strata && is_strata(term)) abort_strata(written, call)
    for (kind in OTHER_TERMS) {
      if (!name %in% kind$terms || !is_function_of(term[[1]], kind$of, environment(formula))) next
      abort_input("{.arg formula} has the term {.code {written}}.", "formula", i = kind$mend, call = call)
    }
  }
}

abort_strata <- function(written, call) {
  abort_input("{.arg formula} has the term {.code {written}}.", "formula",
              i = "Give strata to {.fn tlcp} with {.code family = \"cox\"}, each as a term of its own: {.code ... +
                   strata(x)}. Give {.arg domain} for rows of different places.", call = call)
}

# The function calls among the terms of a right-hand side, such as log(x). A sum of many terms is nested to its left as
# deep as it is long, too deep for recursion.
term_calls <- function(e) {
  found <- list()
  left <- list(e)[is.call(e)]
  while (length(left)) {
    e <- left[[length(left)]]
    left[[length(left)]] <- NULL
    joins <- is.name(e[[1]]) && as.character(e[[1]]) %in% c("+", "-", "*", "/", ":", "^", "%in%", "(")
    if (joins) left <- c(left, calls_among(e)) else found <- c(found, list(e))
  }
  rev(found)
}

# The terms of a sum: list(a, b, c) of a + b + c.
summands <- function(e) {
  found <- list()
  while (is.call(e) && identical(e[[1]], quote(`+`)) && length(e) == 3) {
    found <- c(found, list(e[[3]]))
    e <- e[[2]]
  }
  rev(c(found, list(e)))
}

are_logical <- function(expressions, data, env) {
  all(vapply(expressions, function(e) {
    is.logical(tryCatch(eval(e, data, env), error = function(error) NULL))
  }, NA))
}

# Is the function of this name from one of these packages, or not found at all?
is_function_of <- function(name, packages, env) {
  if (is.call(name)) return(as.character(name[[2]]) %in% packages)
  found <- get0(as.character(name), env, mode = "function")
  is.null(found) || environmentName(environment(found)) %in% packages
}

# Is the function offset() called? (A variable may be called offset, too.)
calls_offset <- function(e) sum(all.names(e) == "offset") > sum(all.names(e, functions = FALSE) == "offset")

# The arguments of a call that are calls themselves. (An argument may be empty, as in x[, 1].)
calls_among <- function(e) {
  arguments <- as.list(e)[-1]
  arguments[vapply(arguments, is.call, NA)]
}

# For a right-hand side of `.` from which only variables and the intercept are subtracted: list(drop = their names,
# intercept). NULL for any other.
wide_side <- function(e) {
  if (identical(e, quote(.))) return(list(drop = character(), intercept = TRUE))
  if (!is.call(e) || length(e) != 3) return(NULL)
  side <- wide_side(e[[2]])
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

# The expressions of weights, domain, offset, strata and subset, which are evaluated in `data`: a string that names a
# column becomes the name of this column.
extra_columns <- function(extras, data, env, call) {
  for (name in intersect(names(extras), c("weights", "domain", "offset", "strata"))) {
    it <- extras[[name]]
    if (is.name(it) && grepl("^\\.\\.[0-9]+$", it)) { # handed on in the `...` of the caller
      it <- eval(quote(substitute(list(...))), env)[[as.integer(substring(it, 3)) + 1]]
    }
    if (is.name(it) && !is.null(data) && !as.character(it) %in% names(data)) {
      value <- get0(as.character(it), envir = env) # a string that names a column
      if (rlang::is_string(value) && nrow(data) > 1) it <- value
    }
    if (identical(it, "")) {
      abort_input("{.arg {name}} is an empty string.", name, i = "Give the name of a column of {.arg data}.",
                  call = call)
    }
    if (is.character(it) && length(it) == 1 && !is.null(data)) it <- as.name(it)
    if (rlang::is_formula(it)) {
      abort_input("{.arg {name}} is a formula.", name,
                  i = "Give the name of a column of {.arg data}, bare or as a string.", call = call)
    }
    if (is.name(it) && !is.null(data) && !as.character(it) %in% names(data) &&
          !exists(as.character(it), envir = env)) {
      abort_input("{.arg data} has no column {.val {as.character(it)}}, given as {.arg {name}}.",
                  name, i = "Give one of {.val {utils::head(names(data), 20)}}.", call = call)
    }
    extras[[name]] <- it
  }
  extras
}

model_frame_call <- function(formula, data, extras, na_action, env, call) {
  asked <- as.call(c(
    list(quote(stats::model.frame), formula = formula, data = data, na.action = na_action,
         drop.unused.levels = TRUE),
    extras
  ))
  withCallingHandlers(eval(asked, env), error = function(error) {
    refuse_extras(extras, data, environment(formula), call)
    refuse_offsets(formula, data, call)
  })
}

# After an error of model.frame(): refuses the first of the extras that is no vector of the right length, and a subset
# with rows that are not there.
refuse_extras <- function(extras, data, env, call) {
  wanted <- c(weights = "Give a number for each row, or the name of a column of {.arg data}.",
              domain = "Give a vector with one entry for each row, or the name of a column of
                        {.arg data}.",
              offset = "Give a number for each row, or the name of a column of {.arg data}.",
              subset = "Give {.code TRUE} or {.code FALSE} for each row, or the rows' numbers.")
  for (name in intersect(names(extras), names(wanted))) {
    value <- tryCatch(eval(extras[[name]], data, env), error = function(e) NULL)
    rows <- if (is.null(data) || name == "subset") NROW(value) else nrow(data)
    good <- is.null(value) || is.atomic(value) && NROW(value) == rows &&
      !is.raw(value) && (name != "offset" || is.numeric(value))
    if (good && name == "subset" && is.numeric(value) && !is.null(data) && any(abs(value) > nrow(data), na.rm = TRUE)) {
      abort_input("{.arg subset} asks for row {max(abs(value), na.rm = TRUE)}, and {.arg data} has {nrow(data)}.",
                  name, i = "Give numbers of rows that are there.", call = call)
    }
    if (good) next
    abort_input("{.arg {name}} is {.obj_type_friendly {value}} of length {NROW(value)}.", name,
                i = wanted[[name]], call = call)
  }
}

# As refuse_extras(), for the offsets in the formula.
refuse_offsets <- function(formula, data, call) {
  terms <- tryCatch(stats::terms(formula, data = data), error = function(e) NULL)
  for (term in as.list(attr(terms, "variables"))[-1][attr(terms, "offset")]) {
    value <- tryCatch(eval(term, data, environment(formula)), error = function(e) NULL)
    rows <- if (is.null(data)) NROW(value) else nrow(data)
    if (!is.null(value)) refuse_offset(value, rows, deparse1(term), call)
  }
}

refuse_offset <- function(value, rows, name, call) {
  if (is.numeric(value) && NROW(value) == rows) return(invisible())
  abort_input("{.code {name}} is {.obj_type_friendly {value}} of length {NROW(value)}.", "offset",
              i = "Give a number for each of the {rows} row{?s}, or the name of a column of {.arg data}.",
              call = call)
}

is_strata <- function(e) deparse(e[[1]])[1] %in% c("strata", "survival::strata")

# list(formula, strata): the formula without its strata() terms, and one call of strata() with their variables, or NULL.
# A response Surv() becomes survival::Surv() where no such function is found.
split_strata <- function(formula, call) {
  terms <- summands(formula[[3]])
  apart <- vapply(terms, function(e) is.call(e) && is_strata(e), NA)
  found <- terms[apart]
  right <- if (!all(apart)) Reduce(function(a, b) call("+", a, b), terms[!apart])
  for (term in term_calls(right)) if (is_strata(term)) abort_strata(deparse1(term), call)
  formula[[3]] <- right %||% 1
  left <- formula[[2]]
  if (is.call(left) && identical(left[[1]], quote(Surv))) {
    rlang::check_installed("survival", reason = "for survival times.", call = call)
    if (!exists("Surv", envir = environment(formula), mode = "function")) {
      formula[[2]][[1]] <- quote(survival::Surv)
    }
  }
  strata <- if (length(found)) {
    rlang::check_installed("survival", reason = "for strata.", call = call)
    variables <- unlist(lapply(found, function(e) as.list(e)[-1]))
    as.call(c(quote(survival::strata), variables))
  }
  list(formula = formula, strata = strata)
}

# na_action, a function of a data frame or its name, as a function whose result is checked.
check_na_action <- function(na_action, call) {
  named <- rlang::is_string(na_action) && nzchar(na_action)
  found <- if (is.null(na_action)) stats::na.pass else if (named) {
    get0(na_action, envir = topenv(), mode = "function")
  } else {
    na_action
  }
  if (!is.function(found)) {
    abort_value(na_action, "na.action",
                "Give a function, as {.fn na.omit}, {.fn na.exclude} or {.fn na.fail}, or its name.", call)
  }
  function(object, ...) {
    kept <- found(object, ...)
    if (is.data.frame(kept)) return(kept)
    abort_input("{.arg na.action} returned {.obj_type_friendly {kept}}.", "na.action",
                i = "Give a function that returns a data frame, as {.fn na.omit}.", call = call)
  }
}

extra_column <- function(frame, name) frame[[paste0("(", name, ")")]]

# What new_frame() needs, for y ~ . or y ~ . - a - 1: response and extras by model.frame(); the predictors are all other
# variables of the data, without that of the domain and those that are subtracted.
wide_frame <- function(formula, data, extras, na_action, env, call) {
  response <- all.vars(formula[[2]])
  side <- wide_side(formula[[3]])
  narrow <- formula
  narrow[[3]] <- 1
  extras$rows <- seq_len(nrow(data))
  frame <- model_frame_call(narrow, data, extras, stats::na.pass, env, call)
  rows <- extra_column(frame, "rows")
  others <- setdiff(names(data), c(response, all.vars(extras$domain), all.vars(extras$strata),
                                   side$drop))
  predictors <- data[rows, others, drop = FALSE]
  lists <- others[vapply(predictors, is.list, NA)]
  if (length(lists)) {
    abort_input("{.arg data} has list columns: {.val {lists}}.", "data",
                i = "Take them out of the formula, as in {.code y ~ . - {lists[1]}}.", call = call)
  }
  beside <- c(list(y = stats::model.response(frame)),
              lapply(stats::setNames(nm = c("weights", "domain", "offset", "strata")),
                     function(name) one_column(extra_column(frame, name))))
  beside <- Filter(Negate(is.null), beside)
  whole <- function(value) if (is.raw(value)) rep(TRUE, length(value)) else stats::complete.cases(value)
  missing <- !Reduce(`&`, lapply(beside, whole), stats::complete.cases(predictors))
  kept <- drop_missing(missing, row.names(data)[rows], na_action)
  take <- kept$rows
  refuse_few_rows(length(take), call)
  built <- design_from_data(predictors[take, , drop = FALSE], call = call,
                            incomplete = length(rows) - length(take))
  built$intercept <- side$intercept
  c(lapply(beside, response_rows, take), list(
    rows = rows[take], n_all = nrow(data), built = built, na_action = kept$na_action, all_domains = beside$domain
  ))
}

# list(rows, na_action): the numbers of the rows that na_action keeps, and the attribute by which it records the others.
# missing: does the row lack a value? names: of the rows.
drop_missing <- function(missing, names, na_action) {
  table <- data.frame(y = ifelse(unname(missing), NA, 0))
  kept <- na_action(table)
  left_out <- attr(kept, "na.action")
  if (!is.null(left_out)) names(left_out) <- names[left_out]
  list(rows = as.integer(row.names(kept)), na_action = left_out)
}

# As wide_frame(), for any other formula.
model_frame <- function(formula, data, extras, na_action, env, sparse, call) {
  n_all <- if (is.null(data)) NROW(eval(formula[[2]], environment(formula))) else nrow(data)
  if ("." %in% all.vars(formula[[3]]) && !is.null(data)) {
    formula <- without_dot(formula, data[setdiff(names(data), c(all.vars(extras$domain),
                                                              all.vars(extras$strata)))])
  }
  extras$rows <- seq_len(n_all)
  frame <- model_frame_call(formula, data, extras, na_action, env, call)
  refuse_few_rows(nrow(frame), call)
  terms <- attr(frame, "terms")
  predictors <- stats::delete.response(terms)
  used <- frame[intersect(rownames(attr(predictors, "factors")), names(frame))]
  single <- vapply(used, function(v) (is.factor(v) || is.character(v)) && length(unique(v)) < 2, NA)
  refuse_single_levels(names(used)[single], nrow(frame), length(attr(frame, "na.action")), call)
  tell_texts(used)
  variables <- formula_variables(predictors, data, environment(formula), n_all)
  built <- design_from_terms(predictors, frame, variables, sparse)
  built$intercept <- attr(terms, "intercept") == 1
  list(
    y = stats::model.response(frame), weights = extra_column(frame, "weights"),
    domain = extra_column(frame, "domain"), offset = offset_of_frame(frame, call),
    strata = extra_column(frame, "strata"), rows = extra_column(frame, "rows"), n_all = n_all, built = built,
    na_action = attr(frame, "na.action"), raw = frame,
    all_domains = if (!is.null(attr(frame, "na.action"))) asked_domains(extras, data, formula)
  )
}

# The offset: the sum of the argument `offset` and of the offsets in the formula.
offset_of_frame <- function(frame, call) {
  given <- extra_column(frame, "offset")
  if (!is.null(given)) refuse_offset(given, nrow(frame), "offset", call)
  for (column in attr(attr(frame, "terms"), "offset")) {
    refuse_offset(frame[[column]], nrow(frame), names(frame)[column], call)
  }
  stats::model.offset(frame)
}

# The domain of every row of the subset, complete or incomplete.
asked_domains <- function(extras, data, formula) {
  domain <- eval(extras$domain, data, environment(formula))
  subset <- eval(extras$subset, data, environment(formula))
  if (is.null(subset)) domain else if (is.logical(subset)) domain[which(subset)] else domain[subset]
}

# The formula with its `.` written out: the variables of `data` that are not in the formula otherwise.
without_dot <- function(formula, data) {
  full <- stats::formula(stats::terms(formula, data = data))
  environment(full) <- environment(formula)
  full
}

# The variables, not constants, that the terms take from the data or from the formula's environment.
formula_variables <- function(terms, data, env, n_all) {
  values <- lapply(stats::setNames(nm = all.vars(terms)), function(name) {
    eval(as.name(name), data, env)
  })
  lapply(values[vapply(values, NROW, 0L) == n_all], variable_plan)
}

# As design_from_data(), from terms and their model frame.
design_from_terms <- function(terms, frame, variables, sparse) {
  x <- code_terms(terms, frame, NULL, sparse)
  blueprint <- new_blueprint(
    "terms", colnames(x), ncol(x), terms = light_terms(terms, names(variables)),
    xlevels = stats::.getXlevels(terms, frame), contrasts = attr(x, "contrasts"),
    assign = attr(x, "assign"), sparse = sparse, variables = variables
  )
  list(x = without_coding(x), blueprint = blueprint)
}

without_coding <- function(x) {
  attr(x, "contrasts") <- attr(x, "assign") <- NULL
  x
}

# The design matrix of terms. Factors are coded as in a model with an intercept, but the column of ones is left out: the
# fitters add the intercept. Attributes: `contrasts`, and `assign`, the number of each column's term.
code_terms <- function(terms, frame, contrasts, sparse) {
  attr(terms, "intercept") <- 1L
  made <- if (sparse) Matrix::sparse.model.matrix(terms, frame, contrasts.arg = contrasts) else
    stats::model.matrix(terms, frame, contrasts.arg = contrasts)
  x <- made[, -1, drop = FALSE]
  if (!sparse) x <- matrix(x, nrow(x), ncol(x), dimnames = list(NULL, colnames(x)))
  attr(x, "contrasts") <- attr(made, "contrasts")
  attr(x, "assign") <- attr(made, "assign")[-1]
  x
}

# The terms with a smaller environment: that of the formula would keep all objects in it. The new one has the functions
# and constants that the terms use and no package provides, but no variables.
light_terms <- function(terms, variables) {
  home <- environment(terms)
  light <- new.env(parent = globalenv())
  used <- all.names(attr(terms, "predvars") %||% terms)
  for (name in setdiff(used, c("list", variables))) {
    own <- get0(name, envir = home, inherits = TRUE)
    packaged <- is.function(own) && (is.primitive(own) || isNamespace(environment(own)))
    if (!is.null(own) && !packaged) assign(name, own, envir = light)
  }
  environment(terms) <- light
  terms
}

# The blueprint of a formula without its offsets, so that new data need not have their variables.
without_offsets <- function(blueprint) {
  terms <- blueprint$terms
  at <- attr(terms, "offset")
  if (is.null(at)) return(blueprint)
  for (part in c("variables", "predvars")) {
    if (!is.null(attr(terms, part))) attr(terms, part) <- attr(terms, part)[-(at + 1L)]
  }
  attr(terms, "factors") <- attr(terms, "factors")[-at, , drop = FALSE]
  attr(terms, "dataClasses") <- attr(terms, "dataClasses")[-at]
  attr(terms, "offset") <- NULL
  blueprint$terms <- terms
  blueprint$variables <- blueprint$variables[intersect(names(blueprint$variables), all.vars(attr(terms, "variables")))]
  blueprint
}

terms_design <- function(blueprint, rows) {
  frame <- stats::model.frame(blueprint$terms, rows, na.action = stats::na.pass, xlev = blueprint$xlevels)
  code_terms(blueprint$terms, frame, blueprint$contrasts, blueprint$sparse)
}

# The frame of a formula; data, weights, subset and na.action mean what they mean in lm(). matched: the call of the
# method, with the expressions that are evaluated in the data.
frame_formula <- function(formula, data, matched, na_action, sources = NULL, sparse = FALSE,
                          many = FALSE, family = FALSE, env = parent.frame(),
                          call = rlang::caller_env()) {
  if (missing(formula)) {
    abort_input("{.arg formula} is missing.", "formula",
                i = "Give it as the first argument, or as {.code formula = }.", call = call)
  }
  if (missing(data)) data <- NULL
  sparse <- check_flag(sparse, "sparse", call)
  check_formula(formula, data, offset = !isFALSE(family), call = call)
  refuse_map_terms(formula, data, call = call)
  if (!is.null(data)) data <- plain_numbers(data)
  extras <- as.list(matched)[intersect(c("weights", "subset", "domain", "offset"), names(matched))]
  if (!isFALSE(family)) {
    split <- split_strata(formula, call)
    formula <- split$formula
    extras$strata <- extras$strata %||% split$strata
  }
  if (length(extras)) extras <- extra_columns(extras, data, env, call)
  na_action <- check_na_action(if (missing(na_action)) getOption("na.action") else na_action, call)
  parts <- if (is.data.frame(data) && !is.null(wide_side(formula[[3]]))) {
    wide_frame(formula, data, extras, na_action, env, call)
  } else {
    model_frame(formula, data, extras = extras, na_action = na_action, env = env, sparse = sparse, call = call)
  }
  frame <- new_frame(
    parts$built, parts$y, weights = parts$weights, domain = parts$domain, sources = sources, many = many,
    family = family, offset = parts$offset, strata = parts$strata, rows = parts$rows, n_all = parts$n_all,
    raw = if (is.null(data)) parts$raw else data[parts$rows, , drop = FALSE],
    row_labels = if (is.null(data)) seq_len(parts$n_all) else row_labels(data), call = call
  )
  frame["na.action"] <- list(parts$na_action)
  if (length(parts$na_action)) frame$left_out <- incomplete_rows(parts, frame$domain)
  frame
}

# The rows that na.action has left out: list(of, incomplete, domains), the number of all rows, the number of
# incomplete ones, and the domains that have no complete row.
incomplete_rows <- function(parts, domain) {
  incomplete <- length(parts$na_action)
  all <- unique(as.character(parts$all_domains))
  list(of = length(parts$rows) + incomplete, incomplete = incomplete,
       domains = setdiff(all[!is.na(all)], levels(domain)))
}

# An error where a term of a formula is stumps, pieces or products: a call of these functions or their result.
refuse_map_terms <- function(formula, data, call) {
  for (name in setdiff(all.names(formula[[3]]), names(data))) {
    value <- get0(name, environment(formula)) %||% get0(name, topenv())
    made <- identical(value, stumps) || identical(value, pieces) || identical(value, products)
    if (!made && !inherits(value, "feature_map")) next
    it <- if (made) "{.fn {name}}" else "{.code {name}}, a {.cls {class(value)[1]}},"
    example <- if (made) paste0(name, "(x)") else name
    abort_input(paste0("{.arg formula} has ", it, " among its terms."), "formula",
                i = "Give them in place of {.arg x}, with the response beside them: {.code
                     shareboost({example}, y)}.", call = call)
  }
}
