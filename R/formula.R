# The formula interface: model.frame() and model.matrix() with lm()'s meaning; `y ~ .` on a wide
# data frame goes around terms(), whose object would dwarf the data.

check_formula <- function(formula, data, call) {
  if (!inherits(formula, "formula") || length(formula) != 3) {
    abort_input("{.arg formula} has no left-hand side.", "formula",
                i = "Write {.code response ~ predictors}.", call = call)
  }
  if (!is.null(data) && !is.data.frame(data)) {
    abort_input("{.arg data} is {.obj_type_friendly {data}}.", "data",
                i = "Give a data frame; for a matrix call with {.arg x} and {.arg y}.", call = call)
  }
  if ("offset" %in% all.names(formula[[3]])) {
    abort_input("{.arg formula} has an offset.", "formula",
                i = "Subtract it from the response instead.", call = call)
  }
}

# Is the right-hand side just `.`, with data to say what it means?
is_wide <- function(formula, data) {
  is.data.frame(data) && identical(formula[[3]], quote(.))
}

# Arguments evaluated inside data (weights, domain) or that choose rows (subset).
model_frame_call <- function(formula, data, extras, na_action, env) {
  call <- as.call(c(
    list(quote(stats::model.frame), formula = formula, data = data, na.action = na_action,
         drop.unused.levels = FALSE),
    extras
  ))
  eval(call, env)
}

extra <- function(frame, name) frame[[paste0("(", name, ")")]]

row_numbers <- function(frame, n) {
  rows <- extra(frame, "rows")
  if (is.null(rows)) seq_len(n) else rows
}

# y ~ . : the response and the extras through model.frame(), all other variables as they are.
wide_frame <- function(formula, data, extras, na_action, env, call) {
  response <- all.vars(formula[[2]])
  narrow <- formula
  narrow[[3]] <- 1
  extras$rows <- seq_len(nrow(data))
  frame <- model_frame_call(narrow, data, extras, stats::na.pass, env)
  rows <- row_numbers(frame, nrow(data))
  used <- c(response, unlist(lapply(extras[setdiff(names(extras), "rows")], all.vars)))
  predictors <- data[rows, setdiff(names(data), used), drop = FALSE]
  complete <- stats::complete.cases(predictors)
  check <- data.frame(y = as.numeric(!is.na(stats::model.response(frame))))
  check$y[check$y == 0 | !complete | is.na(extra(frame, "weights") %||% 0)] <- NA
  row.names(check) <- row.names(data)[rows]
  kept <- match_fun(na_action)(check)
  take <- match(row.names(kept), row.names(check))
  built <- design_from_data(predictors[take, , drop = FALSE], call = call)
  built$intercept <- TRUE
  list(
    y = stats::model.response(frame)[take], weights = extra(frame, "weights")[take],
    domain = extra(frame, "domain")[take], rows = rows[take], n_all = nrow(data), built = built,
    na_action = attr(kept, "na.action")
  )
}

match_fun <- function(f) if (is.character(f)) match.fun(f) else f

# Any other formula.
model_frame <- function(formula, data, extras, na_action, env, sparse) {
  n_all <- if (is.null(data)) NROW(eval(formula[[2]], environment(formula))) else nrow(data)
  extras$rows <- seq_len(n_all)
  frame <- model_frame_call(formula, data, extras, na_action, env)
  terms <- attr(frame, "terms")
  predictors <- stats::delete.response(terms)
  x <- code_terms(predictors, frame, NULL, sparse)
  blueprint <- new_blueprint(
    "terms", colnames(x), ncol(x), terms = light_terms(predictors),
    xlevels = stats::.getXlevels(predictors, frame), contrasts = attr(x, "contrasts"),
    sparse = sparse, variables = formula_variables(predictors, data, environment(formula), n_all)
  )
  attr(x, "contrasts") <- NULL
  list(
    y = stats::model.response(frame), weights = extra(frame, "weights"),
    domain = extra(frame, "domain"), rows = row_numbers(frame, n_all), n_all = n_all,
    built = list(x = x, blueprint = blueprint, intercept = attr(terms, "intercept") == 1),
    na_action = attr(frame, "na.action"), raw = frame
  )
}

# The variables, as opposed to constants, that the terms take from data or from around them.
formula_variables <- function(terms, data, env, n_all) {
  values <- lapply(stats::setNames(nm = all.vars(terms)), function(name) {
    eval(as.name(name), data, env)
  })
  lapply(values[vapply(values, NROW, 0L) == n_all], variable_plan)
}

# The design matrix of terms without its column of ones: factors are coded as beside an
# intercept, which the fitters hold apart.
code_terms <- function(terms, frame, contrasts, sparse) {
  attr(terms, "intercept") <- 1L
  if (sparse) {
    x <- Matrix::sparse.model.matrix(terms, frame, contrasts.arg = contrasts)
    coding <- attr(x, "contrasts")
    x <- x[, -1, drop = FALSE]
  } else {
    x <- stats::model.matrix(terms, frame, contrasts.arg = contrasts)
    coding <- attr(x, "contrasts")
    names <- colnames(x)[-1]
    x <- matrix(x[, -1], nrow(x), ncol(x) - 1, dimnames = list(NULL, names))
  }
  attr(x, "contrasts") <- coding
  x
}

# Terms carry the environment they were written in, and with it whatever lives there. Keep only
# the functions and constants that the terms call and that no package provides.
light_terms <- function(terms) {
  home <- environment(terms)
  light <- new.env(parent = globalenv())
  for (name in setdiff(all.names(attr(terms, "predvars") %||% terms), "list")) {
    own <- get0(name, envir = home, inherits = TRUE)
    if (is.function(own) && identical(environment(own), globalenv())) next
    if (is.function(own) && !is_packaged(own)) assign(name, own, envir = light)
    if (is.numeric(own) && length(own) == 1) assign(name, own, envir = light)
  }
  environment(terms) <- light
  terms
}

is_packaged <- function(f) is.primitive(f) || isNamespace(topenv(environment(f)))

bake_terms <- function(blueprint, newdata, call) {
  newdata <- check_newdata_frame(newdata, call)
  refuse_missing_columns(setdiff(names(blueprint$variables), names(newdata)), call)
  for (name in names(blueprint$variables)) {
    check_variable(newdata[[name]], blueprint$variables[[name]], name, call)
  }
  frame <- stats::model.frame(blueprint$terms, newdata, na.action = stats::na.pass,
                              xlev = blueprint$xlevels)
  x <- code_terms(blueprint$terms, frame, blueprint$contrasts, blueprint$sparse)
  attr(x, "contrasts") <- NULL
  x
}
