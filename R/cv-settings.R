# The settings of cross-validation from its arguments, checked.

# The arguments of cross-validation itself, checked as far as is possible without data. call: the function that was
# called, whose errors they are.
cv_settings <- function(call, nfolds = 10, foldid = NULL, by = NULL, loss = NULL, parallel = FALSE,
                        keep_predictions = FALSE, bound = NULL) {
  if (!is.null(by) && !identical(by, "domain") && !identical(by, "rows")) {
    abort_value(by, "by", "Give {.val rows}, or {.val domain} to leave one domain out at a time.", call)
  }
  if (identical(by, "domain") && !is.null(foldid)) {
    abort_input(
      "Both {.arg by} and {.arg foldid} say what the folds are.", "by",
      i = "Give one of them.",
      call = call
    )
  }
  foldid <- if (inherits(foldid, "rset")) cv_fold_of_rset(foldid, call) else table_one_column(foldid)
  if (is.null(foldid) && !identical(by, "domain")) cv_fold_check_nfolds(nfolds, Inf, call)
  if (is.function(loss)) cv_loss_of_user(loss, call)
  else if (!is.null(loss) && !rlang::is_string(loss, unlist(FAMILY_LOSSES))) cv_loss_check(loss, call)
  if (!rlang::is_bool(parallel) && !inherits(parallel, "cluster")) {
    abort_kind(parallel, "parallel", "Give TRUE, FALSE or a cluster made by {.fn parallel::makeCluster}.",
               call)
  }
  check_flag(keep_predictions, "keep_predictions", call)
  if (!is.null(bound)) bound <- path_bound_check(bound, call)
  list(nfolds = nfolds, foldid = foldid, by = by, loss = loss, parallel = parallel,
       keep_predictions = keep_predictions, bound = bound, call = call)
}
