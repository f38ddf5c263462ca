# tlcp(borrow = "sparse") from a frame to the posterior and the object.

# Settings that are of the exact search or of the dense borrowing prior, with their defaults.
SUPPORTS_FOREIGN <- list(method = "exact", criterion = "Cp", sizes = NULL, within = NULL, keep = integer(),
                         groups = NULL, parents = NULL, sigma2 = NULL, collinear = NULL, drop = integer())

tlcp_supports_fit <- function(frame, target, settings, call) {
  tlcp_supports_refuse(frame, settings, call)
  frame_rows_refuse_missing(frame$x, labels_of_all_columns(frame$blueprint), call)
  frame_rows_refuse_large(frame$x, labels_of_all_columns(frame$blueprint), call)
  domains <- tlcp_supports_domains(frame, target, settings$intercept, settings$standardize)
  posterior <- tlcp_supports_posterior(domains, settings$intercept, call)
  tlcp_supports_tell_unsettled(posterior, call)
  fit <- tlcp_supports_object(frame, target, settings, domains, posterior)
  path_bound_with_ranges(fit, frame, seq_len(frame$blueprint$p))
}

tlcp_supports_refuse <- function(frame, settings, call) {
  mend <- "Leave it out, or use {.code borrow = \"hierarchical\"}."
  if (!frame_rows_are_there(frame)) {
    abort_input("{.arg borrow} is {.val sparse}, which needs rows, and {.arg x} has moments.", "x",
                i = "Give rows, or use {.code borrow = \"hierarchical\"}.", call = call)
  }
  if (likelihood_is_used(frame$family) || !is.numeric(frame$y)) {
    abort_input("{.arg borrow} is {.val sparse}, which is for responses of numbers fitted by least squares.", "borrow",
                i = "Use {.code borrow = \"hierarchical\"}.", call = call)
  }
  if (!is.null(frame$sources)) {
    abort_input("{.arg sources} is given, and {.arg borrow} is {.val sparse}, which needs the rows of domains.",
                "sources", i = mend, call = call)
  }
  for (name in names(SUPPORTS_FOREIGN)) {
    value <- settings[[name]]
    if (name == "groups" && is.null(settings$given$groups)) next # those of factors
    if (identical(value, SUPPORTS_FOREIGN[[name]]) || !length(value) && !length(SUPPORTS_FOREIGN[[name]])) next
    argument <- if (name == "parents") "hierarchy" else name
    abort_input("{.arg {argument}} is given, and {.arg borrow} is {.val sparse}, which does not use it.", argument,
                i = mend, call = call)
  }
}

SUPPORTS_SETTLED <- .5 # chains differ by less than this share of the posterior standard deviation of the predictions

# A message where the chains disagree about the target's coefficients. Where the mean of draws has the standard error e,
# the means of two chains differ by e times the root of 2.
tlcp_supports_tell_unsettled <- function(posterior, call) {
  error <- tlcp_supports_chain_error(posterior)
  if (!is.na(error) && error <= SUPPORTS_SETTLED) return(invisible())
  tell(paste0("The chains of `borrow = \"sparse\"` differ by ", words_number(error),
              " posterior standard deviations (root mean square over features)."),
       "Another `set.seed()` will give somewhat different coefficients.", "transelect_message_chains")
}
