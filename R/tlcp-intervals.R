# The picture of a tlcp() fit's coefficients with their intervals. Where confint() is an error, the picture gives the
# same error.

# term, estimate, low, high of the features in the default model, the largest first.
intervals_data <- function(x, scaled, call) {
  found <- step_covariance(x, NULL, call) # the error, if there is one
  terms <- setdiff(rownames(found$V), "(Intercept)")
  unit <- if (scaled) unname(x$scale[terms]) else rep(1, length(terms))
  limits <- stats::confint(x)[terms, , drop = FALSE] * unit
  data <- data.frame(term = terms, estimate = unname(stats::coef(x)[terms]) * unit, low = unname(limits[, 1]),
                     high = unname(limits[, 2]))
  data <- data[order(-abs(data$estimate)), , drop = FALSE]
  row.names(data) <- NULL
  what <- switch(x$family, binomial = "log odds ratio", poisson = "log rate ratio", cox = "log hazard ratio",
                 "coefficient")
  structure(data, xlab = paste(what, if (scaled) "x scale of its column" else "(original scale)"),
            note = if (x$settings$select) "as if the features had been chosen beforehand")
}

intervals_picture <- function(data) {
  title <- "Coefficients and 95 % intervals"
  n <- nrow(data)
  if (!n) return(empty_picture("no feature chosen", title))
  y <- n + 1 - seq_len(n)
  known <- is.finite(data$low) & is.finite(data$high)
  blue <- picture_colours$feature[1L]
  range <- value_range(c(0, data$estimate, data$low[known], data$high[known]))
  limits <- data.frame(x = data$low, y = y, xend = data$high, yend = y)[known, , drop = FALSE]
  text <- ifelse(known, paste0(format_number(data$estimate), " (", format_number(data$low), " to ",
                               format_number(data$high), ")"), format_number(data$estimate))
  new_picture(list(new_panel(
    new_axis(attr(data, "xlab"), padded(range, .03)), name_axis(data$term, cut = "the largest"),
    list(
      new_rule("x", 0, col = picture_colours$frame, lty = 1),
      new_layer("segment", limits, col = blue, lwd = 2, user = c("col", "lwd")),
      new_layer("point", data.frame(x = data$estimate, y = y), col = blue, cex = if (n > 20L) .8 else 1.1,
                user = c("col", "pch", "cex"))
    ),
    right = data.frame(y = y, label = text), right_title = "95 % interval"
  )), title, NULL, attr(data, "note"))
}
