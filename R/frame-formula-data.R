# The data of a formula: model frame, weights, offset, domains, rows with missing values.

# The expressions of weights, domain, offset, strata and subset, which are evaluated in `data`: a string that names a
# column becomes the name of this column.
frame_formula_data_extras <- function(extras, data, env, call) {
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

frame_formula_data_call <- function(formula, data, extras, na_action, env, call) {
  asked <- as.call(c(
    list(quote(stats::model.frame), formula = formula, data = data, na.action = na_action,
         drop.unused.levels = TRUE),
    extras
  ))
  withCallingHandlers(eval(asked, env), error = function(error) {
    frame_formula_data_refuse_extras(extras, data, environment(formula), call)
    frame_formula_data_refuse_offsets(formula, data, call)
    frame_formula_terms_refuse_empty(formula, data, call)
    frame_formula_data_refuse_lost(c(list(formula = formula), extras), data, environment(formula), call)
  })
}

# After an error of model.frame(): refuses the first of the arguments `given`, expressions by name, that has variables
# which are found neither in `data` nor elsewhere. A function, such as time(), is no variable where it stands by itself.
frame_formula_data_refuse_lost <- function(given, data, env, call) {
  for (argument in names(given)) {
    of_formula <- argument == "formula"
    variables <- if (of_formula) as.list(attr(stats::terms(given$formula, allowDotAsName = TRUE), "variables"))[-1] else
      given[argument]
    lost <- Filter(function(name) {
      value <- get0(name, env)
      is.null(value) || is.function(value) && list(as.name(name)) %in% variables
    }, setdiff(all.vars(given[[argument]]), c(names(data), if (of_formula) ".")))
    if (!length(lost)) next
    if (is.null(data)) {
      abort_input("{.arg {argument}} has {.val {lost}}, which {?is/are} not found, and there is no {.arg data}.",
                  argument, i = "Give {.arg data}, a data frame with the variables.", call = call)
    }
    meant <- if (length(lost) == 1) arguments_nearest(lost, names(data))
    abort_input("{.arg {argument}} has {.val {lost}}, and {.arg data} has no such {cli::qty(lost)}column{?s}.",
                argument, i = if (length(meant)) "Did you mean {.val {meant}}?" else
                  "The columns of {.arg data} are {.val {utils::head(names(data), 20)}}.", call = call)
  }
}

# After an error of model.frame(): refuses the first of the extras that is no vector of the right length, and a subset
# with rows that are not there.
frame_formula_data_refuse_extras <- function(extras, data, env, call) {
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
    if (name == "subset" && !is.null(value)) {
      good <- is.null(dim(value)) &&
        (is.logical(value) || is.numeric(value) && !is.object(value) || is.character(value))
    }
    if (good && name == "subset" && is.numeric(value) && !is.null(data) && any(abs(value) > nrow(data), na.rm = TRUE)) {
      abort_input("{.arg subset} asks for row {max(abs(value), na.rm = TRUE)}, and {.arg data} has {nrow(data)}.",
                  name, i = "Give numbers of rows that are there.", call = call)
    }
    if (good) next
    abort_input("{.arg {name}} is {.obj_type_friendly {value}} of length {NROW(value)}.", name,
                i = wanted[[name]], call = call)
  }
}

# As frame_formula_data_refuse_extras(), for the offsets in the formula.
frame_formula_data_refuse_offsets <- function(formula, data, call) {
  terms <- tryCatch(stats::terms(formula, data = data), error = function(e) NULL)
  for (term in as.list(attr(terms, "variables"))[-1][attr(terms, "offset")]) {
    value <- tryCatch(eval(term, data, environment(formula)), error = function(e) NULL)
    rows <- if (is.null(data)) NROW(value) else nrow(data)
    if (!is.null(value)) frame_formula_data_refuse_offset(value, rows, deparse1(term), call)
  }
}

frame_formula_data_refuse_offset <- function(value, rows, name, call) {
  if (is.numeric(value) && NROW(value) == rows) return(invisible())
  abort_input("{.code {name}} is {.obj_type_friendly {value}} of length {NROW(value)}.", "offset",
              i = "Give a number for each of the {rows} row{?s}, or the name of a column of {.arg data}.",
              call = call)
}

# na_action, a function of a data frame or its name, as a function whose result is checked.
frame_formula_data_check_na_action <- function(na_action, call) {
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
    warned <- list()
    kept <- withCallingHandlers(found(object, ...), warning = function(w) {
      warned[[length(warned) + 1]] <<- w
      tryInvokeRestart("muffleWarning")
    })
    if (is.data.frame(kept)) {
      for (w in warned) warning(w)
      return(kept)
    }
    abort_input("{.arg na.action} returned {.obj_type_friendly {kept}}.", "na.action",
                i = "Give a function that returns a data frame, as {.fn na.omit}.", call = call)
  }
}

# The response, without the names that stats::model.response() makes: a name takes more memory than a number.
frame_formula_data_response <- function(frame) if (attr(attr(frame, "terms"), "response") > 0) frame[[1]]

frame_formula_data_extra_column <- function(frame, name) .subset2(frame, paste0("(", name, ")"))

# What frame_new() needs, for y ~ . or y ~ . - a - 1: response and extras by model.frame(); the predictors are all other
# variables of the data, without that of the domain and those that are subtracted.
frame_formula_data_wide <- function(formula, data, extras, na_action, env, call) {
  response <- all.vars(formula[[2]])
  side <- frame_formula_terms_wide_side(formula[[3]])
  narrow <- formula
  narrow[[3]] <- 1
  extras$rows <- seq_len(nrow(data))
  frame <- frame_formula_data_call(narrow, data, extras, stats::na.pass, env, call)
  rows <- frame_formula_data_extra_column(frame, "rows")
  others <- setdiff(names(data), c(response, all.vars(extras$domain), all.vars(extras$strata),
                                   side$drop))
  predictors <- data[rows, others, drop = FALSE]
  lists <- others[vapply(predictors, is.list, NA)]
  if (length(lists)) {
    abort_input("{.arg data} has list columns: {.val {lists}}.", "data",
                i = "Take them out of the formula, as in {.code y ~ . - {lists[1]}}.", call = call)
  }
  beside <- c(list(y = frame_formula_data_response(frame)),
              lapply(stats::setNames(nm = c("weights", "domain", "offset", "strata")),
                     function(name) table_one_column(frame_formula_data_extra_column(frame, name))))
  beside <- Filter(Negate(is.null), beside)
  whole <- function(value) if (is.raw(value)) rep(TRUE, length(value)) else stats::complete.cases(value)
  missing <- !Reduce(`&`, lapply(beside, whole), stats::complete.cases(predictors))
  kept <- frame_formula_data_drop_missing(missing, row.names(data)[rows], na_action)
  take <- kept$rows
  response_refuse_few_rows(length(take), call)
  intercept <- side$intercept || inherits(beside$y, "Surv") # see frame_formula_data_model_frame()
  built <- frame_design_from_data(predictors[take, , drop = FALSE], call = call,
                                  incomplete = length(rows) - length(take), intercept = intercept)
  built$intercept <- side$intercept
  c(lapply(beside, frame_rows_of_response, take), list(
    rows = rows[take], n_all = nrow(data), built = built, na_action = kept$na_action, all_domains = beside$domain
  ))
}

# list(rows, na_action): the numbers of the rows that na_action keeps, and the attribute by which it records the others.
# missing: does the row lack a value? names: of the rows.
frame_formula_data_drop_missing <- function(missing, row_names, na_action) {
  table <- data.frame(y = ifelse(unname(missing), NA, 0))
  kept <- na_action(table)
  left_out <- attr(kept, "na.action")
  if (!is.null(left_out)) names(left_out) <- row_names[left_out]
  list(rows = as.integer(row.names(kept)), na_action = left_out)
}

# As frame_formula_data_wide(), for any other formula.
frame_formula_data_model_frame <- function(formula, data, extras, na_action, env, sparse, call) {
  n_all <- if (is.null(data)) {
    NROW(withCallingHandlers(eval(formula[[2]], environment(formula)), error = function(error) {
      frame_formula_data_refuse_lost(list(formula = formula), data, environment(formula), call)
    }))
  } else {
    nrow(data)
  }
  if ("." %in% all.vars(formula[[3]]) && !is.null(data)) {
    formula <- frame_formula_terms_without_dot(formula, data[setdiff(names(data), c(all.vars(extras$domain),
                                                              all.vars(extras$strata)))])
  }
  formula <- frame_formula_terms_without_response(formula, call)
  extras$rows <- seq_len(n_all)
  frame <- frame_formula_data_call(formula, data, extras, na_action, env, call)
  response_refuse_few_rows(nrow(frame), call)
  terms <- attr(frame, "terms")
  predictors <- stats::delete.response(terms)
  # coxph() codes y ~ 0 + x as y ~ x, too: the baseline hazard is its intercept
  if (inherits(frame_formula_data_response(frame), "Surv")) attr(predictors, "intercept") <- 1L
  used <- frame[intersect(frame_design_factor_rows(predictors), names(frame))]
  single <- vapply(used, function(v) {
    (is.factor(v) || is.character(v)) && length(unique(if (anyNA(v)) v[!is.na(v)] else v)) < 2
  }, NA)
  frame_design_refuse_single_levels(names(used)[single], nrow(frame), length(attr(frame, "na.action")), call)
  frame_design_tell_texts(used)
  variables <- frame_formula_terms_variables(predictors, data, environment(formula), n_all)
  built <- frame_formula_terms_design(predictors, frame, variables, sparse, call)
  built$intercept <- attr(terms, "intercept") == 1
  list(
    y = frame_formula_data_response(frame), weights = frame_formula_data_extra_column(frame, "weights"),
    domain = frame_formula_data_extra_column(frame, "domain"), offset = frame_formula_data_offset(frame, call),
    strata = frame_formula_data_extra_column(frame, "strata"), rows = frame_formula_data_extra_column(frame, "rows"),
    n_all = n_all, built = built,
    na_action = attr(frame, "na.action"), raw = frame,
    all_domains = if (!is.null(attr(frame, "na.action"))) frame_formula_data_asked_domains(extras, data, formula)
  )
}

# The offset: the sum of the argument `offset` and of the offsets in the formula.
frame_formula_data_offset <- function(frame, call) {
  given <- frame_formula_data_extra_column(frame, "offset")
  if (!is.null(given)) frame_formula_data_refuse_offset(given, nrow(frame), "offset", call)
  for (column in attr(attr(frame, "terms"), "offset")) {
    frame_formula_data_refuse_offset(frame[[column]], nrow(frame), names(frame)[column], call)
  }
  stats::model.offset(frame)
}

# The domain of every row of the subset, complete or incomplete.
frame_formula_data_asked_domains <- function(extras, data, formula) {
  domain <- eval(extras$domain, data, environment(formula))
  subset <- eval(extras$subset, data, environment(formula))
  if (is.null(subset)) domain else if (is.logical(subset)) domain[which(subset)] else domain[subset]
}

# The rows that na.action has left out: list(of, incomplete, domains), the number of all rows, the number of
# incomplete ones, and the domains that have no complete row.
frame_formula_data_incomplete_rows <- function(parts, domain) {
  incomplete <- length(parts$na_action)
  names <- words_value_names(parts$all_domains)
  all <- unique(names)
  lost <- names[parts$na_action]
  list(of = length(parts$rows) + incomplete, incomplete = incomplete,
       by_domain = if (length(lost)) c(table(lost[!is.na(lost)])),
       domains = setdiff(all[!is.na(all)], levels(domain)))
}
