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
    abort_input("This path was fitted without a formula.", "formula", call = rlang::current_env())
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

#' @export
required_pkgs.transfer_path <- function(x, ...) "transelect"
