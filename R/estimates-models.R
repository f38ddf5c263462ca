# Fitted models of other packages as estimates: coefficients, family, coding of factors.

# V, se: another covariance matrix than the model's (or a function of the model that returns one), such as a robust one,
# or standard errors alone. b: coefficients in place of the model's own.
estimates_model_site <- function(model, V, se, given, call, b = NULL) {
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
  b <- b %||% tryCatch(estimates_model_coef(model), error = function(e) NULL)
  V <- estimates_model_covariance(model, V, se, b, call)
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
  coding <- estimates_model_coding(model)
  if (!is.null(se)) {
    if (length(coding$levels)) estimates_coding_refuse_errors_alone(coding, call)
    return(estimates_number_site(b[keep], NULL, sqrt(diag(V))[keep], given, about, call,
                                 estimates_model_reference(model)))
  }
  known <- list(b = b[keep], V = V[keep, keep, drop = FALSE])
  if (length(coding$levels)) known <- estimates_coding_as_treatment(known$b, known$V, coding, call)
  site <- estimates_number_site(known$b, known$V, se = NULL, given = given, about = about, call = call,
                                reference = estimates_model_reference(model))
  site$basis <- estimates_coding_basis(coding$terms)
  site
}

# The covariance matrix of the model's coefficients b: its own, V, or of standard errors alone.
estimates_model_covariance <- function(model, V, se, b, call) {
  if (!is.null(V) && !is.null(se)) {
    abort_input("Both {.arg vcov} and {.arg se} are given.", "vcov", i = "Give one.", call = call)
  }
  if (is.null(V) && is.null(se)) return(tryCatch(as.matrix(stats::vcov(model)), error = function(e) NULL))
  estimated <- names(b)[is.finite(b)]
  if (is.function(V)) {
    V <- tryCatch(as.matrix(V(model)), error = function(e) {
      why <- conditionMessage(e)
      abort_input("{.arg vcov} is a function that fails for {.arg x}: {why}", "vcov",
                  i = "Give a function of the model that returns the covariance matrix of its coefficients, or the
                       matrix.", call = call)
    })
  }
  if (!is.null(se)) {
    if (!is.numeric(se) || length(se) != length(estimated) || any(!is.finite(se)) || any(se <= 0)) {
      abort_value(se, "se", "Give a positive standard error for each of the {length(estimated)} coefficient{?s}.",
                  call)
    }
    if (setequal(names(se), estimated)) se <- se[estimated]
    V <- diag(unname(se)^2, length(se))
  }
  if (is.data.frame(V)) V <- as.matrix(V)
  if (!is.matrix(V) || !is.numeric(V) || nrow(V) != ncol(V)) {
    abort_kind(V, "vcov", "Give the covariance matrix of the coefficients, or a function of the model that returns it.",
               call)
  }
  named <- rownames(V) %||% colnames(V)
  if (is.null(named) && nrow(V) == length(estimated)) named <- estimated
  lacking <- setdiff(estimated, named)
  if (length(lacking)) {
    abort_input("{.arg vcov} has no row named {.val {lacking}}.", "vcov",
                i = "Give the covariance matrix of all coefficients of {.arg x}, named by them.", call = call)
  }
  `dimnames<-`(V, list(named, named))
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

# How a model codes its factors: list(terms, levels, contrasts), NULL where this is not known, as in models with names
# of their own.
estimates_model_coding <- function(model) UseMethod("estimates_model_coding")

#' @export
estimates_model_coding.default <- function(model) {
  if (isS4(model)) return(NULL)
  terms <- tryCatch(stats::delete.response(stats::terms(model)), error = function(e) NULL)
  if (is.null(terms)) return(NULL)
  contrasts <- model[["contrasts"]]
  known <- model[["xlevels"]]
  logical <- names(contrasts)[attr(terms, "dataClasses")[names(contrasts)] %in% "logical"]
  known[logical] <- rep(list(c("FALSE", "TRUE")), length(logical))
  # lme() and gls() have matrices in place of levels
  coded <- setdiff(names(Filter(is.matrix, contrasts)), names(known))
  known[coded] <- lapply(coded, function(v) {
    rownames(contrasts[[v]]) %||% levels(as.factor(model[["data"]][[v]]))
  })
  used <- if (is.null(contrasts)) frame_design_factor_rows(terms) else names(contrasts)
  known <- known[intersect(names(known), used)] # not strata
  estimates_coding_new(terms, known, contrasts)
}

# Their names of columns are of their own.
#' @export
estimates_model_coding.rms <- function(model) NULL

#' @export
estimates_model_coding.merMod <- function(model) {
  frame <- stats::model.frame(model)
  terms <- stats::delete.response(stats::terms(model))
  contrasts <- attr(stats::model.matrix(model), "contrasts")
  known <- lapply(frame[intersect(names(contrasts), names(frame))], function(v) levels(as.factor(v)))
  estimates_coding_new(terms, known, contrasts)
}

#' @export
estimates_model_coding.transfer_path <- function(model) estimates_coding_of_blueprint(model$blueprint)

# The first levels of factors, by name: every factor is in treatment coding by then.
estimates_model_reference <- function(model) estimates_coding_reference(estimates_model_coding(model))
