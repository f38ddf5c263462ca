# Survival times: concordance, and the calibration slope, the coefficient of the linear predictor in a
# Cox model of the new rows.
cox_assessment <- function(prediction, y, weights, cluster, call) {
  if (!is_surv(y) || NROW(y) != length(prediction)) {
    abort_input("{.arg y} is {.obj_type_friendly {y}}, and the model is of survival times.", "y",
                i = "Give {.code Surv(time, status)} of every row of {.arg newdata}.", call = call)
  }
  weights <- check_weights(weights, length(prediction), call) %||% rep(1, length(prediction))
  check_cluster(cluster, length(prediction), call)
  whole <- !is.na(y) & !is.na(prediction) & weights > 0
  if (any(!whole)) {
    cli::cli_inform("Leaving out {sum(!whole)} of {length(whole)} row{?s} without a prediction or a
                     response.")
  }
  y <- check_surv(y[whole, ], call)
  p <- prediction[whole]
  w <- weights[whole]
  rows <- rows_of(w, cluster[whole])
  rank <- concordance(y, p, w, rows$cluster)
  slope <- c(NA_real_, NA_real_)
  if (stats::sd(p) > 0) {
    group <- rows$cluster
    model <- if (is.null(group)) survival::coxph(y ~ p, weights = w, robust = FALSE) else
      survival::coxph(y ~ p, weights = w, cluster = group)
    slope <- c(stats::coef(model), sqrt(model$var))
  }
  structure(list(
    family = "cox",
    measures = rbind(measure_row("concordance", rank[1], rank[2], rows, 0:1),
                     measure_row("calibration_slope", slope[[1]], slope[[2]], rows)),
    curve = NULL, nobs = sum(whole)
  ), class = "transfer_assessment")
}
