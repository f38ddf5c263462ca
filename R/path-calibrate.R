# Probabilities of classes that were fitted by squares: predict() with the numbers a and b that cv-calibrate.R
# estimated.

# Calibrated probabilities. Of more than two classes each is calibrated against the rest, and their sum is then made
# 1.
calibrated_scores <- function(scores, models) {
  p <- Map(function(score, model) {
    at <- model$calibration
    score[] <- stats::plogis(rep(at[1, ], each = nrow(score)) + score * rep(at[2, ], each = nrow(score)))
    score
  }, scores, models)
  if (length(p) == 1) return(p)
  total <- Reduce(`+`, p)
  lapply(p, function(value) value / total)
}

# Is the model that predict() is asked for by `...` one with calibrated probabilities?
is_calibrated <- function(object, ...) UseMethod("is_calibrated")

#' @export
is_calibrated.transfer_path <- function(object, step = NULL, lambda = NULL, ...) {
  if (is.null(object$calibration)) return(FALSE)
  more <- list(...)
  more <- more[intersect(names(more), method_arguments("path_model", object))]
  models <- do.call(path_model, c(list(object, step, lambda), more))
  !is.null(models[[1]]$calibration)
}
