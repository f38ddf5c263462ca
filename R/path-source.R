# A path as a source of another fit, see sources-adapters.R.

#' @export
source_says.transfer_path <- function(model, scale) {
  if (classes_by_squares(model)) "score of class %s" else NextMethod()
}

#' @export
source_classes.transfer_path <- function(model) if (model$family != "gaussian") model$classes

# path: the path whose prediction, or whose cross-validation's, the model gives.
#' @export
predict_source.transfer_path <- function(model, newdata, scale, path = model) {
  if (path$family == "gaussian") return(stats::predict(model, newdata, type = "response"))
  if (is_logistic(path)) return(class_scale(stats::predict(model, newdata, type = "response"), scale))
  scores_of_signs(path, stats::predict(model, newdata, type = "link"))
}
