# What other packages ask a fitted model for: its family, its formula, its terms, and its packages.

#' @rdname transfer_path
#' @export
family.transfer_path <- function(object, ...) {
  generic_arguments()
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
formula.transfer_path <- function(x, ..., env = NULL) {
  generic_arguments()
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
  if (is.environment(env)) environment(out) <- env
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
  generic_arguments()
  call <- rlang::current_env()
  if (missing(data)) refuse_no_rows("data", call)
  x <- bake(object$blueprint, data, call)
  if (!is.null(object$blueprint$columns)) colnames(x) <- object$blueprint$columns
  if (object$family == "cox") return(x)
  cbind(matrix(1, nrow(x), 1, dimnames = list(NULL, "(Intercept)")), x)
}

# A fit keeps no training rows.
refuse_no_rows <- function(argument, call) {
  abort_missing(argument, "Give the data again: a fit keeps no training rows.", call)
}

#' @importFrom stats model.frame
#' @export
model.frame.transfer_path <- function(formula, data = NULL, ...) {
  if (!is.null(data)) return(stats::model.frame(stats::formula(formula), data, ...))
  abort_input("There is no {.fn model.frame} of a path.", "formula",
              i = "Use {.code model.frame(fit, data)}, or {.code model.matrix(fit, data)} for the design: a
                   fit keeps no training rows.", call = rlang::current_env())
}

#' @export
required_pkgs.transfer_path <- function(x, ...) "transelect"
