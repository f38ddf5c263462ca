# The columns that a formula takes from data that are not in memory, and how rows of these columns become numbers.
# `ask` holds the arguments of moments(): list(formula, roles, levels, method, chunk_rows, table, sql_only, call);
# roles are the names of the columns for domain, fold and weights, NULL or one string each.

# The columns, among those called `names`, that the model needs: list(wide, formula, response, predictors, intercept,
# all). wide: is the right-hand side a dot from which terms may be subtracted? Any other formula is returned with its
# dot written out and without the terms that it subtracts.
moments_model_columns <- function(ask, names) {
  roles <- unlist(ask$roles)
  moments_model_refuse_absent(setdiff(roles, names), names, ask$call)
  formula <- ask$formula
  response <- intersect(all.vars(formula[[2]]), names)
  if (!length(response)) moments_model_refuse_absent(all.vars(formula[[2]]), names, ask$call)
  side <- frame_formula_terms_wide_side(formula[[3]])
  if (is.null(side)) {
    dot <- setdiff(names, setdiff(roles, all.vars(formula)))
    formula <- frame_formula_terms_without_response(moments_model_written_out(formula, dot, ask$call), ask$call)
    predictors <- intersect(all.vars(formula[[3]]), names)
    intercept <- attr(stats::terms(formula), "intercept") == 1
  } else {
    predictors <- setdiff(names, c(response, roles, side$drop))
    intercept <- side$intercept
  }
  # a name may also be a number where the formula was written, as k in I(x * k)
  words <- all.vars(if (is.null(side)) formula else formula[[2]])
  constant <- vapply(words, function(word) length(get0(word, envir = environment(formula), mode = "numeric")) == 1, NA)
  moments_model_refuse_absent(setdiff(words[!constant], names), names, ask$call)
  if (!length(predictors)) {
    abort_input("{.arg formula} has no predictors.", "formula",
                i = "Name some of the columns of {.arg data}: {.val {utils::head(names, 10)}}.", call = ask$call)
  }
  list(wide = !is.null(side), formula = formula, response = response, predictors = predictors,
       intercept = intercept, all = unique(c(response, predictors, roles)))
}

moments_model_written_out <- function(formula, names, call) {
  blank <- as.data.frame(stats::setNames(rep(list(numeric()), length(names)), names),
                         check.names = FALSE, optional = TRUE)
  terms <- moments_model_formula_errors("is not a model formula.", "Give {.code response ~ predictors}.",
                                        stats::terms(formula, data = blank), call)
  labels <- attr(terms, "term.labels")
  stats::reformulate(if (length(labels)) labels else "1", formula[[2]], attr(terms, "intercept") == 1,
                     env = environment(formula))
}

# Runs `code`, which reads the formula; what: what it is that failed.
moments_model_formula_errors <- function(what, mend, code, call) {
  tryCatch(code, error = function(e) {
    message <- conditionMessage(e)
    abort_input(paste("{.arg formula}", what), "formula", x = "{message}", i = mend, call = call)
  })
}

moments_model_refuse_absent <- function(absent, names, call) {
  if (!length(absent)) return(invisible())
  abort_input("{.arg data} has no column{?s} {.val {absent}}.", "data",
              i = "Name some of {.val {words_first(names, 10)}}.", call = call)
}

# The coder: list(columns, levels, plans, blueprint, response, classes, intercept, roles, call), where levels are those
# of every column that is text, a factor or was given levels. rows: a data frame of complete rows. find_levels: a
# function of names of columns of text that returns their levels. whole: are these all rows? If not, times are refused,
# since their units may differ between parts.
moments_model_coder <- function(ask, columns, rows, find_levels, whole = FALSE) {
  known_levels <- ask$levels
  for (name in setdiff(columns$all, c(unlist(ask$roles), names(known_levels)))) {
    v <- rows[[name]]
    if (is.factor(v)) known_levels[[name]] <- levels(if (whole) droplevels(v) else v)
  }
  open <- setdiff(c(columns$response, columns$predictors), names(known_levels))
  unknown <- open[vapply(rows[open], is.character, NA)]
  if (length(unknown)) known_levels[unknown] <- find_levels(unknown)
  rows <- moments_model_prepare_rows(rows, columns$all, known_levels, ask$call)
  plans <- lapply(rows[columns$predictors], frame_design_plan, whole = FALSE, times = whole)
  frame_design_refuse_kinds(plans, "data", ", or leave them out: {.code y ~ . - {wrong[1]}}.", ask$call)
  frame_design_refuse_single_levels(frame_design_single_factors(plans), nrow(rows), 0, ask$call, "data")
  if (!columns$intercept) plans <- frame_design_plans_without_intercept(plans)
  coder <- list(
    columns = columns, levels = known_levels, plans = plans, roles = ask$roles, call = ask$call,
    response = deparse1(columns$formula[[2]]), intercept = columns$intercept
  )
  coder$blueprint <- if (columns$wide) frame_design_blueprint(plans) else
    moments_model_terms_blueprint(columns$formula, rows, plans, ask$call)
  if (!whole) moments_model_refuse_dependent(coder, rows)
  coder$classes <- moments_model_response_classes(moments_model_response_values(coder, rows), coder)
  coder
}

moments_model_terms_blueprint <- function(formula, rows, plans, call) {
  mend <- "Give terms that can be computed from the columns of {.arg data}."
  frame <- moments_model_formula_errors("cannot be evaluated.", mend, stats::model.frame(
    stats::delete.response(stats::terms(formula)), rows, na.action = stats::na.pass
  ), call)
  frame_formula_terms_design(attr(frame, "terms"), frame, plans, sparse = FALSE, call)$blueprint
}

# An error for terms that depend on all rows, as poly(x, 2) and x - mean(x) do, since rows come in parts: coding half of
# the rows by themselves gives other numbers.
moments_model_refuse_dependent <- function(coder, rows) {
  n <- nrow(rows)
  if (n < 2) return(invisible())
  half <- seq_len(n %/% 2)
  # without predvars poly(x, 2) is computed from the rows at hand, and not with the basis of the first rows
  if (!coder$columns$wide) attr(coder$blueprint$terms, "predvars") <- NULL
  code <- function(rows) {
    suppressWarnings(cbind(as.data.frame(moments_model_code_design(coder, rows)),
                           as.character(moments_model_response_values(coder, rows))))
  }
  whole <- code(rows)[half, , drop = FALSE]
  alone <- code(rows[half, , drop = FALSE])
  same <- vapply(seq_along(whole), function(j) identical(whole[[j]], alone[[j]]), NA)
  wrong <- c(coder$blueprint$columns, coder$response)[!same]
  if (length(wrong)) {
    abort_input("{.val {utils::head(wrong, 3)}} in {.arg formula} depend{?s/} on all rows at once.",
                "formula", i = "Use terms that need one row at a time, or give a data frame: {.arg data} is
                                read in parts.", call = coder$call)
  }
}

# The columns `names` of the rows: numbers as doubles or integers, text as factors with all their levels.
moments_model_prepare_rows <- function(rows, wanted, levels, call) {
  moments_model_refuse_absent(setdiff(wanted, names(rows)), names(rows), call)
  rows <- table_plain_numbers(as.data.frame(rows)[wanted])
  for (name in intersect(wanted, names(levels))) {
    rows[[name]] <- moments_model_with_levels(rows[[name]], levels[[name]], name, call)
  }
  rows
}

moments_model_with_levels <- function(v, levels, name, call) {
  text <- words_value_names(v)
  code <- match(text, levels)
  novel <- unique(text[is.na(code) & !is.na(v)])
  if (length(novel)) {
    abort_input("Column {.val {name}} of {.arg data} has {length(novel)} level{?s} not known
                 before: {.val {utils::head(novel, 5)}}.", "moments",
                i = "Give all levels, including the known ones ({.val {levels}}):
                     {.code levels = list({name} = c(...))}.",
                call = call)
  }
  coded <- factor(levels[code], levels = levels, ordered = is.ordered(v))
  if (is.factor(v)) attr(coded, "contrasts") <- attr(v, "contrasts")
  coded
}

# A data frame of rows as list(x, y, domain, fold, weights). Missing values are kept.
moments_model_code_rows <- function(coder, rows) {
  rows <- moments_model_prepare_rows(rows, coder$columns$all, coder$levels, coder$call)
  for (name in coder$columns$predictors) moments_model_check_kind(rows[[name]], coder$plans[[name]], name, coder)
  role <- function(name) if (!is.null(coder$roles[[name]])) rows[[coder$roles[[name]]]]
  list(
    x = moments_model_code_design(coder, rows),
    y = moments_model_code_response(moments_model_response_values(coder, rows), coder),
    domain = role("domain"), fold = role("fold"),
    weights = moments_model_check_weights(role("weights"), coder$call)
  )
}

moments_model_code_design <- function(coder, rows) {
  blueprint <- coder$blueprint
  if (blueprint$kind == "frame") return(frame_design_of_data(rows, blueprint$variables))
  mend <- "Give {.arg levels} instead of {.fn factor} inside it."
  x <- moments_model_formula_errors("cannot be coded.", mend, frame_formula_terms_new_design(blueprint, rows),
                                    coder$call)
  attr(x, "contrasts") <- NULL
  if (!identical(colnames(x), blueprint$columns)) {
    wrong <- setdiff(union(colnames(x), blueprint$columns),
                     intersect(colnames(x), blueprint$columns))
    abort_input("{.arg formula} gives different columns for different rows: {.val
                 {utils::head(wrong, 5)}}.",
                "formula", i = mend, call = coder$call)
  }
  x
}

# An error where a column is of another kind than in the first rows, unless all its values are missing.
moments_model_check_kind <- function(v, plan, name, coder) {
  right <- all(is.na(v)) || switch(plan$kind,
    factor = is.factor(v), logical = is.logical(v), matrix = is.numeric(v) && NCOL(v) == plan$p,
    is.numeric(v) || inherits(v, TIMES)
  )
  if (!right) {
    abort_input("Column {.val {name}} of {.arg data} is {.obj_type_friendly {v}} in later rows.",
                "moments", i = "Give {frame_design_plan_words(plan)}, as in the first rows.", call = coder$call)
  }
}

moments_model_check_weights <- function(weights, call) {
  if (is.null(weights)) return(NULL)
  if (!is.numeric(weights)) abort_kind(weights, "weights", "Give numbers, finite and not negative.", call)
  weights <- as.double(weights)
  wrong <- weights[!is.na(weights) & (weights < 0 | is.infinite(weights))]
  if (length(wrong)) moments_model_abort_weights(wrong[1], call)
  weights
}

moments_model_abort_weights <- function(wrong, call) {
  abort_input("{.arg weights} has the value {.val {wrong}}.", "weights",
              i = "Give numbers, finite and not negative.", call = call)
}

moments_model_response_values <- function(coder, rows) {
  eval(coder$columns$formula[[2]], rows, environment(coder$columns$formula))
}

# The two classes of the response; NULL for numbers.
moments_model_response_classes <- function(y, coder) {
  if (!is.null(dim(y)) || is.list(y)) moments_model_abort_response(y, coder)
  if (is.logical(y)) return(c("FALSE", "TRUE"))
  if (is.character(y)) y <- factor(y)
  if (is.factor(y)) {
    if (nlevels(y) != 2) moments_model_abort_classes(levels(y), coder)
    return(levels(y))
  }
  if (!is.numeric(y)) moments_model_abort_response(y, coder)
  NULL
}

moments_model_abort_response <- function(y, coder) {
  likelihood <- if (inherits(y, "Surv")) "cox" else if (is.matrix(y) && ncol(y) == 2) "binomial"
  mend <- if (is.null(likelihood)) {
    "Use a column of numbers, of logicals, or of two classes."
  } else {
    "Give {.code family = \"{likelihood}\"}: the moments are then those of its likelihood."
  }
  abort_input("The response {.val {coder$response}} is {.obj_type_friendly {y}}.", "y", i = mend, call = coder$call)
}

moments_model_abort_classes <- function(levels, coder) {
  y <- coder$response
  numbers <- !anyNA(suppressWarnings(as.numeric(levels)))
  abort_input("The response {.val {y}} has {length(levels)} class{?es}: {.val {words_first(levels)}}.", "y",
              i = "Give one response of numbers, or of two classes (coded -1 and 1).",
              i = if (numbers) "Give {.code as.numeric({y})} if it holds numbers.",
              i = if (length(levels) > 2) "If every value is a class, give {.code factor({y})} and the
                                           rows to a fitter such as {.fn shareboost}.",
              call = coder$call)
}

# The response as numbers: classes coded -1 and 1.
moments_model_code_response <- function(y, coder) {
  classes <- coder$classes
  if (is.null(classes)) {
    if (!is.numeric(y) && !all(is.na(y))) moments_model_abort_response(y, coder)
    return(as.double(y))
  }
  code <- match(as.character(y), classes)
  if (anyNA(code[!is.na(y)])) moments_model_abort_classes(unique(c(classes, as.character(y[!is.na(y)]))), coder)
  response_class_codes(factor(classes[code], classes))
}
