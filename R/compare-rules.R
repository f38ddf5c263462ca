# Predictions of held-out rows by the fits that are compared: paths, or models of other packages.

# The function that refits `path`, which `fit` made of all rows, to the training rows of a fold; a cross-validation is
# run again.
compare_rules_refit <- function(fit, path) {
  if (!inherits(path, "transfer_path")) return(fit)
  again <- cv_refit_path(path, fit, list())
  function(x, ...) cv_user_fit_checked(again, x)
}

# The function `fit` whose paths bound columns of held-out rows by `bound`.
compare_rules_with_bound <- function(fit, bound) {
  force(fit)
  function(x, ...) {
    path <- fit(x, ...)
    if (inherits(path, "transfer_cv")) {
      path$fit$bound <- bound
      return(cv_object_sealed(path))
    }
    path$bound <- bound
    whole_sealed(path)
  }
}

# A function of x and y fits a model of another package; one of x and ... calls a method of this package.
compare_rules_takes_response <- function(fit) "y" %in% names(formals(args(fit)))

# Is it a loss of probabilities? Scores are then log odds, or logarithms of shares.
compare_rules_needs_probabilities <- function(loss) identical(loss$loss, cv_loss_log) || compare_rules_is_log_loss(loss)

compare_rules_is_log_loss <- function(loss) identical(loss$loss, cv_loss_log_loss)

# A path, or a cross-validation, of which the chosen model is then compared.
compare_rules_path <- function(fit, frame, name, call = quote(compare_paths())) {
  rlang::local_error_call(quote(fit())) # for methods that name the function that called them
  class(frame) <- setdiff(class(frame), "compared_frame")
  path <- tryCatch({
    path <- fit(frame)
    if (!cv_user_fit_is_own_method(fit)) cv_user_fit_refuse_other_data(cv_object_own_path(path), frame, quote(fit()))
    path
  }, error = function(error) compare_rules_abort(error, name, call))
  if (inherits(path, c("transfer_path", "transfer_cv"))) return(path)
  abort_input("{.val {name}} of {.arg fits} returned {.obj_type_friendly {path}}.", "fits",
              i = "Give a method of this package, or a function of {.arg x} and {.arg ...} that calls one; other
                   models as a function of {.arg x} and {.arg y}.",
              call = call)
}

# The value of `code`; where `allowed`, NULL if a likelihood of it has no maximum since the classes are separated.
compare_rules_if_not_separated <- function(allowed, code) {
  if (!allowed) return(code)
  tryCatch(code, transelect_error_fits = function(error) {
    if (!inherits(error$parent, "transelect_error_separated")) rlang::cnd_signal(error)
  })
}

compare_rules_abort <- function(error, name, call) {
  cli::cli_abort("{.val {name}} of {.arg fits} failed.", call = call, parent = error,
                 class = c("transelect_error_fits", "transelect_error"))
}

# Scores of the default model of a path. Of several classes probabilities, where the path has them: they order the
# rows by one class against all others. For the deviance the scores of the model itself, for the log loss log odds (of
# several classes logarithms) of its probabilities.
compare_rules_path_scores <- function(model, frame, loss) {
  class(frame) <- setdiff(class(frame), "compared_frame")
  path <- cv_object_own_path(model)
  if (path_object_is_logistic(path) && path_object_is_multi(path) && !compare_rules_needs_probabilities(loss)) {
    return(stats::predict(model, frame, type = "response"))
  }
  if (compare_rules_is_log_loss(loss) && !path_object_is_logistic(path)) {
    return(compare_rules_log_scale(stats::predict(model, frame, type = "prob")))
  }
  path_predict_scores_of_signs(path, stats::predict(model, frame, type = "link"))
}

# Probabilities, of two classes those of the second, as scores.
compare_rules_log_scale <- function(p) if (is.matrix(p)) log(pmax(p, 1e-15)) else response_scores_log_odds(p)

compare_rules_foreign_scores <- function(fit, kept, held, name, loss, call = quote(compare_paths())) {
  tryCatch({
    model <- do.call("fit", compare_rules_foreign_data(fit, kept))
    new <- compare_rules_foreign_columns(fit, held)
    rows <- tryCatch(suppressWarnings(stats::nobs(model)), error = function(error) NULL)
    if (is.numeric(rows) && isTRUE(rows[1] > frame_rows_count(kept))) {
      cli::cli_abort(c("The function returned a model of {rows[1]} rows, but was given {frame_rows_count(kept)} rows.",
                       i = "Fit to {.arg x} and {.arg y}: a model of more rows has used the held-out rows."),
                     call = NULL)
    }
    if (inherits(model, c("transfer_path", "transfer_cv"))) {
      cli::cli_abort(c("The function of {.arg x} and {.arg y} calls a method of this package.",
                       i = "Write {.code function(x, ...)}, without {.arg y}."), call = NULL)
    }
    score <- compare_rules_foreign_answer(model, new, held$y)
    if (compare_rules_is_log_loss(loss)) compare_rules_foreign_probabilities(score) else score
  }, error = function(error) compare_rules_abort(error, name, call))
}

# The scores of another package's model, 2p - 1 or probabilities, for the log loss.
compare_rules_foreign_probabilities <- function(score) {
  good <- if (is.matrix(score)) all(score >= 0) && all(abs(rowSums(score) - 1) < 1e-6) else
    all(abs(score) <= 1) && !all(abs(score) == 1)
  if (!good) {
    cli::cli_abort(c("its predictions are not probabilities of classes.",
                     i = "Give a model with probabilities, or another {.arg loss} than {.val log_loss}."), call = NULL)
  }
  compare_rules_log_scale(if (is.matrix(score)) score else (score + 1) / 2)
}

# The data that a function of x and y takes as arguments, by name.
compare_rules_foreign_data <- function(fit, frame) {
  columns <- compare_rules_foreign_design(frame)
  data <- list(x = columns$x, y = frame$y, sources = columns$sources, weights = frame$weights,
               domain = frame$domain)
  wanted <- intersect(names(data), names(formals(args(fit))))
  wanted <- wanted[!vapply(data[wanted], is.null, NA) | wanted %in% c("sources", "weights", "domain")]
  lapply(stats::setNames(nm = wanted), function(name) data[[name]])
}

# New rows: the features, and the sources beside them where the function asked for these.
compare_rules_foreign_columns <- function(fit, frame) {
  columns <- compare_rules_foreign_design(frame)
  if (!"sources" %in% names(formals(args(fit))) || is.null(columns$sources)) return(columns$x)
  cbind(columns$x, columns$sources)
}

# The features and the sources, with names that data.frame() and formulas leave as they are.
compare_rules_foreign_design <- function(frame) {
  x <- frame_map_columns(frame$x)
  sources <- frame$sources$values
  p <- seq_len(ncol(x))
  names <- make.names(c(labels_of_columns(colnames(x), p), colnames(sources)), unique = TRUE)
  colnames(x) <- names[p]
  if (!is.null(sources)) colnames(sources) <- names[-p]
  list(x = x, sources = sources)
}

# Predictions of another package's model on the scale of scores: numbers; of two classes positive for the second; of
# more a column each.
compare_rules_foreign_answer <- function(model, newdata, y) {
  if (!is.factor(y)) return(compare_rules_one_number(predict_source(model, newdata, "response"), nrow(newdata)))
  classes <- source_classes(model)
  value <- if (is.null(classes)) compare_rules_class_answer(model, newdata) else predict_source(model, newdata,
                                                                                                "response")
  if (is.null(classes) && !is.numeric(value)) return(compare_rules_label_scores(value, levels(y), nrow(newdata)))
  if (nlevels(y) == 2L) {
    if (is.matrix(value) && ncol(value) == 2L) return(compare_rules_two_columns(value, levels(y)))
    value <- compare_rules_one_number(value, nrow(newdata))
    return(if (identical(as.character(classes[1L]), levels(y)[2L])) -value else value)
  }
  columns <- match(levels(y), classes %||% colnames(value))
  if (!is.matrix(value) || anyNA(columns) || nrow(value) != nrow(newdata)) {
    cli::cli_abort("its predictions are not a matrix with a column for each of the classes {.val {levels(y)}}",
                   call = NULL)
  }
  value[, columns, drop = FALSE]
}

# The predictions of a model without an adapter: what predict() gives for a data frame.
compare_rules_class_answer <- function(model, newdata) {
  if (is.function(model)) return(model(newdata))
  value <- stats::predict(model, if (is.data.frame(newdata)) newdata else as.data.frame(as.matrix(newdata)))
  if (is.list(value) && !is.data.frame(value)) value$class %||% value$predictions %||% value else value
}

# Predicted classes as scores: coded -1 and 1.
compare_rules_label_scores <- function(value, classes, n) {
  code <- match(as.character(value), classes)
  if (length(code) != n || anyNA(code)) {
    cli::cli_abort("its predictions are neither numbers nor the classes {.val {classes}}", call = NULL)
  }
  response_class_codes(factor(classes[code], classes))
}

compare_rules_two_columns <- function(value, classes) {
  columns <- match(classes, colnames(value))
  if (anyNA(columns)) cli::cli_abort("its predictions have no columns {.val {classes}}", call = NULL)
  value[, columns[2L]] - value[, columns[1L]]
}

compare_rules_one_number <- function(value, n) {
  if (is(value, "Matrix")) value <- as.matrix(value)
  if (is.numeric(value) && length(value) == n && all(is.finite(value))) return(as.numeric(value))
  cli::cli_abort("its predictions are {.obj_type_friendly {value}} of length {length(value)}, not
                  {n} finite number{?s}", call = NULL)
}
