# Functions of the user's that are fitted again to parts of the data: the check that their path is of the data given.

# Is this function one of this package?
cv_user_fit_is_own_method <- function(fit) identical(environment(fit), topenv())

# The path that `again` (cv_refit_path()) makes of `data`, a frame or moments, checked where a function of the user's
# made it: rows and response, since the path of all rows has shown that predictions are those of its columns. points:
# see refit.made_path().
cv_user_fit_checked <- function(again, data, points = NULL) {
  path <- cv_user_fit_without_messages(refit(again, data, points = points))
  if (!inherits(again, "made_path") || !cv_user_fit_is_own_method(again$fit)) {
    cv_user_fit_refuse_other_data(path, data, quote(fit()), predictions = FALSE)
  }
  path
}

# Runs a fit without messages of this package, which the fit to all rows has given.
cv_user_fit_without_messages <- function(expr) {
  withCallingHandlers(expr, message = function(message) {
    if (any(startsWith(class(message), "transelect_message"))) tryInvokeRestart("muffleMessage")
  })
}

# The frame as the path has it: with columns for levels of factors that only its sources have, its family and classes.
cv_user_fit_frame <- function(path, frame, call) {
  if (path$blueprint$p > frame$blueprint$p) frame <- estimates_with_source_levels(frame, call)
  frame <- frame_as_family(frame, cv_user_fit_family(path), call)
  if (isTRUE(path$strata_are_domains)) frame$strata <- frame$domain
  classes <- path$classes
  if (!is.null(classes) && !identical(levels(frame$y), classes) && is.null(dim(frame$y))) {
    # numbers that the method took for classes, or classes of which some have no row, in the order that they had
    coded <- factor(frame$y, classes)
    if (!is.factor(frame$y) || !anyNA(coded) && !is.unsorted(match(classes, levels(frame$y)))) frame$y <- coded
  }
  frame
}

# The family of the likelihood that the path was fitted by; NULL where it was none.
cv_user_fit_family <- function(path) if (likelihood_is_used(path$settings$family)) path$family

ROWS_COMPARED <- 200

# An error where the path is of other rows, columns or another response than `data`, which a function of the user's was
# given: held-out rows would not be changed, or have been seen. It must not have more rows. Its predictions of the rows
# must be its fitted values (`predictions`), and fitted values plus residuals the response; of a function that leaves
# rows out, for every row of the path with some row of the data. Sources whose values are not kept are not called again.
# Of moments only the number of rows and the columns are known.
cv_user_fit_refuse_other_data <- function(path, data, call, predictions = TRUE) {
  if (!inherits(path, "transfer_path")) return(invisible())
  of_rows <- inherits(data, "transfer_frame") && frame_rows_are_there(data)
  m <- if (inherits(data, "transfer_frame")) data$moments else data
  total <- if (of_rows) frame_rows_count(data) else sum(m$cells$n)
  cv_user_fit_refuse_more_rows(path, total, call)
  if (!of_rows && identical(labels_of_all_columns(path$blueprint),
                            labels_of_all_columns(m$blueprint))) return(invisible())
  if (of_rows && isTRUE(cv_user_fit_has_given_data(path, data, call, predictions))) return(invisible())
  abort_input("{.arg fit} changed the rows, the columns or the response before it fitted.", "fit",
              i = "Held-out rows are not transformed. Change {.arg x} and {.arg y} before the call, or use terms of
                   a formula.", call = call)
}

# n: the number of rows that the function was given.
cv_user_fit_refuse_more_rows <- function(path, n, call) {
  if (!isTRUE(path$nobs > n)) return(invisible())
  abort_input("{.arg fit} returns a path of {path$nobs} rows, and was given {n}.", "fit",
              i = "Fit to the first argument of the function: a path of more rows has seen the held-out rows.",
              call = call)
}

# Is the path of the rows of this frame, as far as can be seen? `call`: shown in errors.
cv_user_fit_has_given_data <- function(path, frame, call, predictions) {
  if (frame_is_mapped(frame) || sources_need_raw(frame$sources) || is.null(path$fitted)) return(TRUE)
  frame <- tryCatch(cv_user_fit_frame(path, frame, call), error = function(error) NULL)
  if (is.null(frame)) return(FALSE)
  n <- NROW(path$fitted)
  alone <- is.null(path$target) || is.null(frame$domain) || n == frame_rows_count(frame)
  fitted_rows <- if (alone) seq_len(frame_rows_count(frame)) else which(frame_rows_of_domain(frame, path$target))
  if (!length(fitted_rows)) return(TRUE) # the error is given where rows are dealt to folds
  compared <- unique(round(seq(1, n, length.out = min(n, ROWS_COMPARED))))
  of_path <- lapply(path[c("fitted", "residuals")], function(value) as.matrix(frame_rows_of_response(value, compared)))
  rows <- frame_rows(frame, if (n == length(fitted_rows)) fitted_rows[compared] else fitted_rows)
  tryCatch(cv_user_fit_has_data(path, of_path, rows, n == length(fitted_rows), predictions),
           error = function(error) FALSE)
}

# Does the path have the columns and the response of `rows`, up to rounding? in_order: are these the rows of `of_path`?
cv_user_fit_has_data <- function(path, of_path, rows, in_order, predictions = TRUE) {
  if (nrow(path_object_by_response(path$beta)[[1]]) < path$blueprint$p) return(FALSE)
  if (is.factor(rows$y) && !identical(path$classes, levels(rows$y))) return(FALSE)
  far <- 1e-5 * max(abs(unlist(of_path))) + 1e-12 * max(abs(unlist(path$a0)))
  predicted <- as.matrix(stats::predict(path, rows, type = "response"))
  last <- function(value) value[, seq(to = ncol(value), length.out = ncol(predicted)), drop = FALSE] # of two classes
  fitted <- last(of_path$fitted)
  sums <- last(of_path$fitted + of_path$residuals)
  if (is.factor(rows$y)) sums <- sums > .5 # codes of classes are 0 and 1, or -1 and 1
  known <- cbind(fitted, sums)
  # the response as numbers: 0 and 1 for classes, the share for successes and failures, none for survival times
  y <- rows$y
  given <- cbind(predicted, if (is.factor(y)) {
    if (nlevels(y) > 2) response_class_indicators(y) else response_class_codes(y, 0)
  } else if (!inherits(y, "Surv")) {
    if (response_family_of_frame(rows) == "binomial" && is.matrix(y)) y[, 1] / rowSums(y) else y
  })
  # survival times are not compared
  compared <- setdiff(seq_len(ncol(given)), if (!predictions) seq_len(ncol(predicted)))
  known <- known[, compared, drop = FALSE]
  given <- given[, compared, drop = FALSE]
  alike <- function(k, rows) {
    away <- abs(given[rows, , drop = FALSE] - rep(known[k, ], each = length(rows)))
    any(rowSums(away > far, na.rm = TRUE) == 0) # NA: a row without trials has no share
  }
  all(vapply(seq_len(nrow(known)), function(k) alike(k, if (in_order) k else seq_len(nrow(given))), NA))
}
