# Fitted models of other packages as estimates: coefficients, family, coding of factors.

estimates_model_site <- function(model, given, call) {
  if (!is.object(model)) {
    abort_kind(model, "x", "Give a model with {.fn coef} and {.fn vcov}, named coefficients, or a table.", call)
  }
  if (inherits(model, "moments")) {
    abort_input("{.arg x} is of class {.cls moments}: counts, means and products, without a {.arg family}.", "x",
                i = "Make moments of your rows too, each with its {.arg domain}, and give both in place of rows:
                     {.code tlcp(merge(theirs, ours), target = )}. For classes, counts or times give {.code
                     moments(family = )}.", call = call)
  }
  about <- class(model)[1]
  if (inherits(model, "rms")) rlang::check_installed("rms", "to read coefficients of models fitted by it")
  if (inherits(model, "transfer_path") && model$family == "multinomial") {
    abort_input("{.arg x} is a model of {length(model$classes)} classes.", "x", i = "Give a model of two.",
                call = call)
  }
  b <- tryCatch(estimates_model_coef(model), error = function(e) NULL)
  V <- tryCatch(as.matrix(stats::vcov(model)), error = function(e) NULL)
  if (!is.numeric(b) || is.null(names(b)) || !is.numeric(V)) {
    abort_input("{.arg x} is of class {.cls {class(model)}}, and {.fn coef} and {.fn vcov} do not give its
                 coefficients and their covariance matrix.", "x",
                i = "Give them: {.code estimates(coefficients, vcov = )}.", call = call)
  }
  if (is.null(rownames(V)) && nrow(V) == sum(is.finite(b))) {
    dimnames(V) <- rep(list(names(b)[is.finite(b)]), 2)
  }
  b <- b[is.finite(b) & names(b) %in% rownames(V)]
  V <- V[names(b), names(b), drop = FALSE]
  keep <- is.finite(diag(V)) & diag(V) > 0 # aliased, or not selected
  if (!any(keep)) {
    abort_input("{.arg x} is of class {.cls {class(model)[1]}}, and has no coefficient with a variance.", "x",
                i = if (inherits(model, "transfer_path")) "Nothing was selected: there is nothing to borrow." else
                  "Give a model with coefficients.", call = call)
  }
  if (inherits(model, "coxph")) {
    count <- model[["n"]] # of rms::cph() a table of rows without and with an event
    given$n <- given$n %||% if (is.numeric(count)) sum(count)
    given$events <- given$events %||% model[["nevent"]] %||% if (length(count) == 2) unname(c(count)[2])
  } else if (inherits(model, "transfer_path")) {
    given$n <- given$n %||% model$nobs
    given$events <- given$events %||% if (model$family == "cox") model$size
  } else {
    n <- tryCatch(as.double(stats::nobs(model)), error = function(e) NULL)
    given$n <- given$n %||% if (length(n) == 1) n
  }
  given$family <- given$family %||% estimates_model_family(model, call)
  estimates_number_site(b[keep], V[keep, keep, drop = FALSE], se = NULL, given = given, about = about, call = call,
                        reference = estimates_model_reference(model))
}

estimates_model_coef <- function(model) {
  if (inherits(model, "merMod")) {
    rlang::check_installed("lme4", "to read the fixed effects")
    return(lme4::fixef(model))
  }
  if (inherits(model, "lme")) return(model$coefficients$fixed)
  stats::coef(model)
}

estimates_model_family <- function(model, call) {
  if (inherits(model, c("coxph", "coxme"))) return("cox")
  if (inherits(model, "lrm") && length(model[["freq"]]) == 2) return("binomial")
  if (inherits(model, "transfer_path")) return(model$family)
  family <- tryCatch(stats::family(model), error = function(e) NULL)
  if (inherits(family, "family")) {
    known <- c(identity = "gaussian", logit = "binomial", log = "poisson")[family$link]
    if (!is.na(known)) return(unname(known))
    abort_input("{.arg x} is a model with the link {.val {family$link}}.", "x",
                i = "Give a model with an identity, logit or log link, or of log hazard ratios.", call = call)
  }
  if (inherits(model, c("lm", "lme", "gls", "nls", "biglm"))) "gaussian"
}

# First levels of factors with treatment contrasts, by name; NULL where there are none.
estimates_model_reference <- function(model) {
  if (inherits(model, "transfer_path")) return(estimates_blueprint_reference(model$blueprint))
  levels <- if (!isS4(model)) model[["xlevels"]]
  estimates_first_levels(levels, if (length(levels)) model[["contrasts"]])
}

estimates_first_levels <- function(levels, contrasts) {
  plain <- vapply(names(levels), function(v) {
    is.null(contrasts[[v]]) || identical(contrasts[[v]], "contr.treatment")
  }, NA)
  first <- vapply(levels[plain], `[`, "", 1)
  if (length(first)) first
}

estimates_blueprint_reference <- function(blueprint) {
  plans <- Filter(function(plan) plan$kind == "factor", as.list(blueprint$variables))
  first <- function(plan) {
    contrast <- plan$contrasts
    treatment <- is.matrix(contrast) && all(contrast[1, ] == 0) && all(contrast %in% 0:1)
    if (treatment) plan$levels[1] else NA_character_
  }
  reference <- vapply(plans, first, "")
  reference <- reference[!is.na(reference)]
  if (length(reference)) reference
}
