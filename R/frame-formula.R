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

# The terms of a sum: list(a, b, c) of a + b + c.
summands <- function(e) {
  found <- list()
  while (is.call(e) && identical(e[[1]], quote(`+`)) && length(e) == 3) {
    found <- c(found, list(e[[3]]))
    e <- e[[2]]
  }
  rev(c(found, list(e)))
}

# Is the function offset() called? (A variable may be called offset, too.)
calls_offset <- function(e) sum(all.names(e) == "offset") > sum(all.names(e, functions = FALSE) == "offset")

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

# The expressions with `domain` the column by which the data are grouped, as in moments() of a grouped table.
with_group_domain <- function(extras, data, call) {
  given <- if (!is.null(extras$domain)) deparse1(extras$domain)
  domain <- domain_of_groups(data, given, call)
  if (is.null(given)) {
    tell(paste0("`data` is grouped by ", domain, ": these groups are the domains."), "Ungroup it for none.",
         "transelect_message_groups")
  }
  extras$domain <- as.name(domain)
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
    refuse_empty_variables(formula, data, call)
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
  # these do nothing to data without missing values, but copy them
  idle <- list(stats::na.omit, stats::na.exclude, stats::na.fail, stats::na.pass)
  idle <- any(vapply(idle, identical, NA, found, ignore.environment = TRUE, ignore.bytecode = TRUE))
  function(object, ...) {
    if (idle && is.data.frame(object) && !any(vapply(object, anyNA, NA))) return(object)
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
  formula <- without_response(formula, call)
  extras$rows <- seq_len(n_all)
  frame <- model_frame_call(formula, data, extras, na_action, env, call)
  refuse_few_rows(nrow(frame), call)
  terms <- attr(frame, "terms")
  predictors <- stats::delete.response(terms)
  used <- frame[intersect(factor_rows(predictors), names(frame))]
  single <- vapply(used, function(v) (is.factor(v) || is.character(v)) && length(unique(v)) < 2, NA)
  refuse_single_levels(names(used)[single], nrow(frame), length(attr(frame, "na.action")), call)
  tell_texts(used)
  variables <- formula_variables(predictors, data, environment(formula), n_all)
  built <- design_from_terms(predictors, frame, variables, sparse, call)
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
design_from_terms <- function(terms, frame, variables, sparse, call) {
  x <- code_terms(terms, frame, NULL, sparse)
  labels <- attr(terms, "term.labels")
  empty <- setdiff(seq_along(labels), attr(x, "assign"))
  if (length(empty)) abort_no_column(labels[empty], call)
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
  refuse_nameless(data, "data", call)
  if (!is.null(data)) data <- plain_numbers(data)
  extras <- as.list(matched)[intersect(c("weights", "subset", "domain", "offset"), names(matched))]
  if (!isFALSE(family)) {
    split <- split_strata(formula, call)
    formula <- split$formula
    extras$strata <- extras$strata %||% split$strata
  }
  if (length(extras)) extras <- extra_columns(extras, data, env, call)
  if (inherits(data, "grouped_df")) {
    if ("domain" %in% names(formals(sys.function(sys.parent())))) extras <- with_group_domain(extras, data, call)
    data <- as.data.frame(data)
  }
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
    row_labels = if (is.null(data)) seq_len(parts$n_all) else row_labels(data),
    unweighted = inherits(parts$na_action, "exclude"), call = call
  )
  frame["na.action"] <- list(parts$na_action)
  if (is.language(extras$domain)) frame$expression_of_domain <- extras$domain # by which predict() finds those of new rows
  if (length(parts$na_action)) frame$left_out <- incomplete_rows(parts, frame$domain)
  frame
}

# The rows that na.action has left out: list(of, incomplete, domains), the number of all rows, the number of
# incomplete ones, and the domains that have no complete row.
incomplete_rows <- function(parts, domain) {
  incomplete <- length(parts$na_action)
  all <- unique(value_names(parts$all_domains))
  list(of = length(parts$rows) + incomplete, incomplete = incomplete,
       domains = setdiff(all[!is.na(all)], levels(domain)))
}
