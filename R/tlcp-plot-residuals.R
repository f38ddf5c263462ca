# Pictures of residuals and leverages of tlcp() fits that lm() or glm() reproduce, after a search of the refit.

# list(data, dispersed): fitted values, standardised residuals and leverages of each row, from the lm or glm of the
# columns in the model.
tlcp_plot_residuals_data <- function(x, env, call) {
  twin <- path_influence_twin(x, NULL, env, call, what = "pictures of residuals", search = TRUE)
  data <- data.frame(fitted = unname(twin$linear.predictors %||% twin$fitted.values),
                     residual = unname(stats::rstandard(twin)), leverage = unname(stats::hatvalues(twin)))
  kept <- is.finite(data$residual) # a row of leverage 1 has none
  list(data = data[kept, , drop = FALSE], p = twin$rank,
       scale = if (inherits(twin, "glm")) "linear predictor" else "fitted value",
       residual = if (inherits(twin, "glm")) "standardised deviance residual" else "standardised residual",
       note = if (!isFALSE(x$settings$select)) "of the chosen features, as if they had been chosen beforehand")
}

tlcp_plot_residuals <- function(found, what) {
  y <- sort(found$data$residual)
  n <- length(y)
  of <- switch(what,
    residuals = list(x = found$data$fitted, y = found$data$residual, label = found$scale, title = "Residuals",
                     rules = list(picture_rule("y", 0))),
    qq = list(x = stats::qnorm(stats::ppoints(n)), y = y, label = "normal quantile", title = "Residuals by quantiles",
              rules = list(picture_layer("line", data.frame(x = stats::qnorm(stats::ppoints(n))[c(1, n)],
                                                            y = tlcp_plot_residuals_quartiles(y)[c(1, n)]), lty = 3))),
    leverage = list(x = found$data$leverage, y = found$data$residual, label = "leverage",
                    title = "Residuals by leverage",
                    rules = list(picture_rule("y", 0), picture_rule("x", 2 * found$p / n)))
  )
  picture_new(list(picture_panel(
    picture_axis(of$label, picture_padded_range(picture_value_range(of$x))),
    picture_axis(found$residual, picture_padded_range(picture_value_range(c(of$y, 0)))),
    c(of$rules, list(picture_layer("point", data.frame(x = of$x, y = of$y), col = picture_colours$feature[1L],
                                   user = c("col", "pch", "cex"))))
  )), of$title, note = paste(c(found$note, if (what == "leverage") "dotted: twice the mean leverage"), collapse = "; "))
}

# The line through the quartiles, as of qqline(), at the normal quantiles of the sorted values y.
tlcp_plot_residuals_quartiles <- function(y) {
  ends <- stats::quantile(y, c(.25, .75), names = FALSE)
  at <- stats::qnorm(c(.25, .75))
  slope <- diff(ends) / diff(at)
  ends[1] + slope * (stats::qnorm(stats::ppoints(length(y))) - at[1])
}
