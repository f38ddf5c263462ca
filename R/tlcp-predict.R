# Predictions of tlcp() beyond those of every path: by the domain of each new row, and with standard errors.

# Names of models by row, NA for the common model; NULL where one `domain`, or none, is given and `newdata` has no
# column of the domains. Rows of a domain without a model of its own have the common model, or where nothing was
# borrowed that of the target.
#' @export
path_predict_row_domains.tlcp <- function(object, newdata, domain, call) {
  n <- if (is.null(dim(newdata))) 1L else nrow(newdata)
  if (length(domain) == 1L) return(NULL)
  if (is.null(domain)) {
    expression <- object$expression_of_domain
    variables <- all.vars(expression)
    if (!is.data.frame(newdata) || !length(variables) || !all(variables %in% names(newdata))) return(NULL)
    domain <- eval(expression, newdata, globalenv())
    if (length(domain) != n) return(NULL)
  } else if (!is.atomic(domain) || length(domain) != n) {
    abort_rows(domain, "domain", "Give one name, or one for each of the {n} rows.", call, env = list2env(list(n = n)))
  }
  known <- names(object$models)[!vapply(object$models, function(model) anyNA(model$a0), NA)]
  name <- known[words_match_names(domain, known)]
  lost <- is.na(name)
  if (any(lost)) {
    said <- unique(as.character(domain)[lost])
    tell(paste0("`newdata` has ", words_counted(sum(lost), "row"), " of domains without a model of their own: ",
                words_in_quotes(said), "."),
         if (is.null(object$common)) "They are predicted by the model of the target: the fit borrows nothing." else
           "They are predicted by the common model, from which the domains deviate.", "transelect_message_domain")
    name[lost] <- if (is.null(object$common)) object$target else NA
  }
  name
}

#' @export
path_predict_covariance.tlcp <- function(object, step, domain, call) {
  if (length(setdiff(domain, object$target)) || anyNA(domain)) {
    abort_input("Standard errors are of predictions by the target's model, and rows of {.arg newdata} are of other
                 domains.", "domain",
                i = "Give rows of the target, or {.code domain = \"{object$target}\"} to predict all by its model.",
                call = call)
  }
  if (path_object_has_classes_by_squares(object)) {
    abort_input("Classes fitted by least squares have no standard errors.", "se.fit",
                i = "Fit with {.code family = \"binomial\"}.", call = call)
  }
  check_single(length(step), "step", call)
  found <- tlcp_posterior_step_covariance(object, step, call)
  sigma <- if (inherits(object, "likelihood_path")) 1 else if (object$borrowing$borrow == "none")
    stats::sigma(object, step = step) else sqrt(object$borrowing$s2[[1]]) * object$response_scale[[1]]
  list(V = found$V, df = found$df, sigma = sigma)
}
