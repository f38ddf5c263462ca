# The formula interface: what a formula may have, and the frame of a formula and its data, with lm()'s meaning.

# offset: may the formula have an offset?
frame_formula_check <- function(formula, data, call, offset = FALSE) {
  if (!inherits(formula, "formula") || length(formula) != 3) {
    abort_input("{.arg formula} has no left-hand side.", "formula",
                i = "Give {.code response ~ predictors}.", call = call)
  }
  if (!is.null(data) && !is.data.frame(data)) {
    mend <- if (frame_design_is_remote(data)) MOMENTS_FIRST else if (is.function(data))
      "Give a data frame. If no variable has the name given, R takes a function of this name, such as {.fn df}. A
       function that returns chunks of rows goes to {.fn moments} first." else
      "Give a data frame; for a matrix call with {.arg x} and {.arg y}."
    abort_kind(data, "data", mend, call)
  }
  if (!offset && frame_formula_terms_calls_offset(formula[[3]])) abort_offset(call)
  frame_formula_refuse_terms(formula, data, strata = offset, call)
}

# list(formula, strata): the formula without its strata() terms, and one call of strata() with their variables, or NULL.
frame_formula_split_strata <- function(formula, call) {
  terms <- frame_formula_terms_summands(formula[[3]])
  apart <- vapply(terms, function(e) is.call(e) && frame_formula_terms_is_strata(e), NA)
  found <- terms[apart]
  right <- if (!all(apart)) Reduce(function(a, b) call("+", a, b), terms[!apart])
  for (term in frame_formula_terms_calls(right)) {
    if (frame_formula_terms_is_strata(term)) frame_formula_abort_strata(deparse1(term), call)
  }
  formula[[3]] <- right %||% 1
  strata <- if (length(found)) {
    rlang::check_installed("survival", reason = "for strata.", call = call)
    variables <- unlist(lapply(found, function(e) as.list(e)[-1]))
    as.call(c(quote(survival::strata), variables))
  }
  list(formula = formula, strata = strata)
}

# The formula with survival::Surv() for a response Surv() where no such function is found.
frame_formula_with_surv <- function(formula, call) {
  left <- formula[[2]]
  if (!is.call(left) || !identical(left[[1]], quote(Surv))) return(formula)
  rlang::check_installed("survival", reason = "for survival times.", call = call)
  if (!exists("Surv", envir = environment(formula), mode = "function")) formula[[2]][[1]] <- quote(survival::Surv)
  formula
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
  frame_formula_check(formula, data, offset = !isFALSE(family), call = call)
  frame_formula_refuse_maps(formula, data, call = call)
  check_has_names(data, "data", call)
  if (!is.null(data)) data <- table_plain_numbers(data)
  formula <- frame_formula_with_surv(formula, call)
  extras <- as.list(matched)[intersect(c("weights", "subset", "domain", "offset"), names(matched))]
  if (!isFALSE(family)) {
    split <- frame_formula_split_strata(formula, call)
    formula <- split$formula
    extras$strata <- extras$strata %||% split$strata
  }
  if (length(extras)) extras <- frame_formula_data_extras(extras, data, env, call)
  if (inherits(data, "grouped_df")) {
    if ("domain" %in% names(formals(sys.function(sys.parent())))) extras <- frame_groups_with_domain(extras, data, call)
    data <- as.data.frame(data)
  }
  na_action <- frame_formula_data_check_na_action(if (missing(na_action)) getOption("na.action") else na_action, call)
  parts <- if (is.data.frame(data) && !is.null(frame_formula_terms_wide_side(formula[[3]]))) {
    frame_formula_data_wide(formula, data, extras, na_action, env, call)
  } else {
    frame_formula_data_model_frame(formula, data, extras = extras, na_action = na_action, env = env, sparse = sparse,
                                   call = call)
  }
  frame <- frame_new(
    parts$built, parts$y, weights = parts$weights, domain = parts$domain, sources = sources, many = many,
    family = family, offset = parts$offset, strata = parts$strata, rows = parts$rows, n_all = parts$n_all,
    raw = if (is.null(data)) parts$raw else data[parts$rows, , drop = FALSE],
    row_labels = if (is.null(data)) seq_len(parts$n_all) else labels_of_rows(data),
    unweighted = inherits(parts$na_action, "exclude"), call = call
  )
  if (frame_rows_width(frame) == 0 && is.null(frame$sources)) {
    abort_input("{.arg formula} has no predictors.", "formula",
                i = "Name at least one variable on its right-hand side.", call = call)
  }
  frame["na.action"] <- list(parts$na_action)
  # by which predict() finds those of new rows, and other verbs the offsets of the fit's
  if (is.language(extras$domain)) frame$expression_of_domain <- extras$domain
  frame$expression_of_offset <- extras$offset
  if (length(parts$na_action)) frame$left_out <- frame_formula_data_incomplete_rows(parts, frame$domain)
  frame
}

# An error where a term of a formula is stumps, pieces or products: a call of these functions or their result.
frame_formula_refuse_maps <- function(formula, data, call) {
  for (name in setdiff(all.names(formula[[3]]), names(data))) {
    value <- get0(name, environment(formula)) %||% get0(name, topenv())
    made <- identical(value, stumps) || identical(value, pieces) || identical(value, products)
    if (!made && !inherits(value, "feature_map")) next
    it <- if (made) "{.fn {name}}" else "{.code {name}}, a {.cls {class(value)[1]}},"
    example <- if (made) paste0(name, "(x)") else name
    abort_input(paste0("{.arg formula} has ", it, " among its terms."), "formula",
                i = "Give it in place of {.arg x}, and the response as {.arg y}: {.code
                     shareboost({example}, y)}.", call = call)
  }
}

# Terms that have a meaning in models of other packages and that model.matrix() would take for features: by function
# the packages it is of, and what to do instead.
OTHER_TERMS <- list(
  list(terms = c("frailty", "frailty.gamma", "frailty.gaussian", "frailty.t"), of = "survival",
       mend = "Name the groups in {.arg domain}: {.fn tlcp} borrows between domains."),
  list(terms = "cluster", of = c("survival", "future"), # where future is attached, its cluster() is found first
       mend = "Leave it out: it changes no coefficient, and there are no standard errors by clusters.
               {.arg domain} says which place a row comes from."),
  list(terms = "tt", of = "survival",
       mend = "Give rows of intervals as {.code Surv(start, stop, status)}: effects do not change with time here."),
  list(terms = c("pspline", "s", "te", "ti", "t2", "lo"), of = c("survival", "mgcv", "gam"),
       mend = "Give a basis, as {.code splines::ns(x, 3)}: smooth terms have no penalty here."),
  list(terms = "ridge", of = "survival", mend = "Leave it out: it has no meaning here.")
)

# strata: may the formula have terms of strata()?
frame_formula_refuse_terms <- function(formula, data, strata, call) {
  for (term in frame_formula_terms_calls(formula[[3]])) {
    name <- sub("^.*::", "", deparse1(term[[1]]))
    written <- deparse1(term)
    if (name %in% c("|", "||") && !frame_formula_terms_are_logical(as.list(term)[-1], data, environment(formula))) {
      group <- deparse1(term[[3]])
      abort_input("{.arg formula} has the term {.code ({written})}.", "formula",
                  i = "Name the groups in {.arg domain}, as in
                       {.code tlcp(y ~ x, data, domain = {group}, target = )}: {.arg domain} takes the place of a random
                       effect here. For a logical \"or\" write {.code
                       I({written})}.", call = call)
    }
    if (!strata && frame_formula_terms_is_strata(term)) frame_formula_abort_strata(written, call)
    for (kind in OTHER_TERMS) {
      if (!name %in% kind$terms || !frame_formula_terms_is_function_of(term[[1]], kind$of, environment(formula))) next
      abort_input("{.arg formula} has the term {.code {written}}.", "formula", i = kind$mend, call = call)
    }
  }
}

frame_formula_abort_strata <- function(written, call) {
  abort_input("{.arg formula} has the term {.code {written}}.", "formula",
              i = "Give strata to {.fn tlcp} with {.code family = \"cox\"}, each as a term of its own: {.code ... +
                   strata(x)}. Give {.arg domain} for rows of different places.", call = call)
}
