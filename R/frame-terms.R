# The terms of a formula that are refused or left out: its response, terms without columns, features of maps, and terms
# of other models.

# The formula without the term that is its response, which lm() leaves out as well; an error where the response stands
# in another term, as in y ~ y:x. The formula has no `.`.
without_response <- function(formula, call) {
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

# As refuse_extras(), for matrices without columns among the terms.
refuse_empty_variables <- function(formula, data, call) {
  for (name in all.vars(formula[[3]])) {
    value <- tryCatch(eval(as.name(name), data, environment(formula)), error = function(e) NULL)
    if (is.matrix(value) && !ncol(value)) abort_no_column(name, call)
  }
}

# terms: labels of terms that code no column of the design.
abort_no_column <- function(terms, call) {
  abort_input("{.arg formula} has {cli::qty(terms)}{?a term/terms} of which no column is made: {.code {terms}}.",
              "formula", i = "Leave {cli::qty(terms)}{?it/them} out.", call = call)
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

# The arguments of a call that are calls themselves. (An argument may be empty, as in x[, 1].)
calls_among <- function(e) {
  arguments <- as.list(e)[-1]
  arguments[vapply(arguments, is.call, NA)]
}

is_strata <- function(e) deparse(e[[1]])[1] %in% c("strata", "survival::strata")
