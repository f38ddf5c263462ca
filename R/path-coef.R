# coef() and variable.names() of every path.

#' @rdname transfer_path
#' @export
coef.transfer_path <- function(object, step = NULL, lambda = NULL, class = NULL, ...) {
  check_arguments(more = method_arguments("path_model", object))
  call <- rlang::current_env()
  coef_shape(path_model(object, step, lambda, class, ..., call = call), object)
}

# Models as path_model() gives them -> what coef() returns. A Cox model has no intercept.
coef_shape <- function(models, object) {
  cox <- object$family == "cox"
  names <- c(if (!cox) "(Intercept)", term_names(object))
  out <- lapply(models, function(at) {
    if (length(at$a0) == 1) {
      return(stats::setNames(c(if (!cox) at$a0, as.vector(at$beta)), names))
    }
    both <- if (cox) at$beta else rbind(methods::as(matrix(at$a0, 1), "CsparseMatrix"), at$beta)
    dimnames(both) <- list(names, at$step)
    both
  })
  if (length(out) > 1) out else out[[1]]
}

#' @rdname transfer_path
#' @export
variable.names.transfer_path <- function(object, step = NULL, lambda = NULL, ...) {
  check_arguments(more = method_arguments("path_model", object))
  call <- rlang::current_env()
  used_terms(object, path_model(object, step, lambda, ..., report = TRUE, call = call))
}

used_terms <- function(object, models) term_names(object, used_columns(models))
