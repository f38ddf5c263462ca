# What other packages ask a fitted model for: its family, its formula, its terms, and its packages.

#' @rdname transfer_path
#' @export
family.transfer_path <- function(object, ...) {
  check_arguments()
  switch(if (classes_by_squares(object)) "gaussian" else object$family,
    gaussian = stats::gaussian(),
    binomial = stats::binomial(),
    poisson = stats::poisson(),
    structure(list(family = object$family, link = object$link), class = "family")
  )
}

WRITTEN_OUT <- 500 # variables; a formula of thousands is a call nested too deeply for R

#' @rdname transfer_path
#' @export
formula.transfer_path <- function(x, ...) {
  check_arguments()
  if (is.null(x$formula)) {
    abort_input("This path was fitted without a formula.", "formula",
                i = if (!is.null(x$fitted)) "Fit it again with a formula and {.arg data}." else
                  "Give the formula to {.fn moments} again: a fit to moments does not keep it.",
                call = rlang::current_env())
  }
  out <- x$formula
  variables <- x$blueprint$variables
  if ("." %in% all.vars(out[[3]]) && length(variables) && length(variables) <= WRITTEN_OUT) {
    out[[3]] <- dotless_side(out[[3]], x$blueprint)
  }
  out
}

#' @rdname transfer_path
#' @importFrom stats terms
#' @export
terms.transfer_path <- function(x, ...) {
  stats::terms(stats::formula(x, ...))
}

#' @rdname transfer_path
#' @param data For `model.matrix()`: the rows.
#' @importFrom stats model.matrix
#' @export
model.matrix.transfer_path <- function(object, data, ...) {
  call <- check_arguments()
  if (missing(data)) refuse_no_rows("data", call)
  x <- bake(object$blueprint, data, call)
  if (!is.null(object$blueprint$columns)) colnames(x) <- object$blueprint$columns
  if (object$family == "cox") x else cbind("(Intercept)" = 1, x)
}

# A fit keeps no training rows.
refuse_no_rows <- function(argument, call) {
  abort_missing(argument, "Give the data again: a fit keeps no training rows.", call)
}

#' @importFrom stats model.frame
#' @export
model.frame.transfer_path <- function(formula, ...) {
  abort_input("There is no {.fn model.frame} of a path.", "formula",
              i = "Use {.code model.frame(formula(fit), data)}, or {.code model.matrix(fit, data)} for the design: a
                   fit keeps no training rows.", call = rlang::current_env())
}

#' @export
required_pkgs.transfer_path <- function(x, ...) "transelect"

# update.default() cannot subtract terms from a `.`: only the fit knows its variables.
#' @export
update.transfer_path <- function(object, formula., ..., evaluate = TRUE) {
  call <- rlang::current_env()
  evaluate <- check_flag(evaluate, "evaluate", call)
  anew <- stats::getCall(object)
  if (is.null(anew)) return(refit_updated(object, if (!missing(formula.)) formula., list(...), call))
  extras <- match.call(expand.dots = FALSE)$... # as they were written, for the caller to evaluate
  anew[names(extras)] <- extras
  refuse_lost(anew, call, UPDATE_MEND)
  if (!missing(formula.)) {
    old <- object$formula %||% stats::formula(object) # which says that there is none
    anew$formula <- updated_formula(old, stats::as.formula(formula.), object$blueprint)
  }
  if (!evaluate) return(anew)
  env <- parent.frame()
  tryCatch(eval(anew, env), error = function(error) {
    lost <- names_lost(as.list(anew)[!names(anew) %in% c("", names(extras))], env)
    if (inherits(error, "rlang_error") || !length(lost)) rlang::cnd_signal(error)
    abort_input("The call of the fit has the name{?s} {.code {unique(unlist(lost))}}, which {?is/are} not found here.",
                "object", i = "Give {.arg {names(lost)}} again.", i = UPDATE_MEND, call = call)
  })
}

UPDATE_MEND <- "{.code refit(fit, data)} fits to other rows without the call."

# By argument the names that are not found in `env`, those of columns of the data apart.
names_lost <- function(given, env) {
  if ("formula" %in% names(given)) given[c("weights", "subset", "domain", "offset")] <- NULL
  if (is.call(given$formula)) given$formula <- NULL
  Filter(length, lapply(given, function(value) Filter(function(name) !exists(name, envir = env), all.vars(value))))
}

# update() of a path without a call: refit() to the data among the arguments `given`.
refit_updated <- function(object, formula, given, call) {
  data <- given$data %||% given$x %||% if (!inherits(formula, "formula")) formula
  if (is.null(data) || inherits(formula, "formula")) {
    abort_input("The fit has no call, as within a function that {.fn cv_path} runs.", "object",
                i = "Give the data that the function was given, and no formula: {.code update(fit, data = data, ...)}.",
                call = call)
  }
  do.call(refit, c(list(object, quote(data)), given[!names(given) %in% c("data", "x")]))
}

#' @export
update.transfer_cv <- function(object, ...) {
  call <- stats::getCall(object)
  refuse_lost(call[!names(call) %in% ...names()], rlang::current_env())
  NextMethod()
}

# A `.` from which names are subtracted stays a `.`, so that a wide data frame still goes around terms().
updated_formula <- function(old, new, blueprint) {
  if (!"." %in% all.vars(old[[3]])) return(stats::update.formula(old, new))
  side <- do.call(substitute, list(new[[length(new)]], list(. = old[[3]])))
  if (is.null(wide_side(old[[3]])) || is.null(wide_side(side))) {
    old[[3]] <- dotless_side(old[[3]], blueprint)
    return(stats::update.formula(old, new))
  }
  if (length(new) == 3) old[[2]] <- do.call(substitute, list(new[[2]], list(. = old[[2]])))
  old[[3]] <- side
  old
}

# The right-hand side without a `.`.
dotless_side <- function(side, blueprint) {
  if (blueprint$kind == "terms") return(stats::formula(blueprint$terms)[[2]])
  intercept <- wide_side(side)$intercept
  stats::reformulate(sprintf("`%s`", names(blueprint$variables)), intercept = intercept)[[2]]
}
