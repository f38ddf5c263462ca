# How much further from the target the other domains would have to be for another set of features to be chosen.

#' How firmly does the choice rest on what is borrowed?
#'
#' How much further away would the other domains have to be for [tlcp()] to choose other features? Use it as a
#' sensitivity analysis of a fit that borrows and selects: `tipping_point(fit)`. `tlcp()` estimates the distance (tau)
#' of each domain from the common coefficients. `tipping_point()` multiplies these distances by a growing factor,
#' searches again each time, and finds the factor at which another set of features is chosen. If the factor is near 1,
#' the choice depends on the estimated distances. If it is large, or if there is none, the same features would be chosen
#' even if the other domains were much further away. It says nothing about the target's own rows: for
#' them see [selection_frequency()].
#'
#' If the fit has a `distance` ([tlcp_control()]), the factor multiplies it. Factors up to `most` are tried in steps of
#' a quarter of a power of ten, then by bisection to 1 %. A set that is chosen only between two steps is not seen.
#' Residual variances, units and the spread of the common coefficients stay as estimated.
#'
#' @param fit A [tlcp()] fit that borrows by `"hierarchical"` and has searched for a subset.
#' @param data The rows of the fit; NULL: those that its call names.
#' @param most The largest factor.
#' @param x,object What `tipping_point()` returned.
#' @param digits Significant digits to print.
#' @param row.names,optional As for any [as.data.frame()].
#' @param ... `plot()`: graphical parameters. Otherwise nothing.
#' @returns A list of class `tipping_point`: `factor` (NA if the choice stays the same up to `most`), `most`, `selected`
#'   (of the fit), `entered` and `dropped` (at the factor), `tau` (estimated, by domain), `tried` (the factors that were
#'   tried, up to `most`, and the models there).
#'
#'   `as.data.frame()` has one row per factor that was tried: `factor`, `size` and one logical column per feature that
#'   is chosen at some factor. `tidy()` has one row per such feature: `term`, `selected` (by the fit), `from` and `to`
#'   (the smallest and the largest factor at which it is chosen), `tried` (the number of these factors). `plot()` and
#'   `autoplot()` draw which features are chosen at which factor.
#' @references Neuenschwander, B., Weber, S., Schmidli, H. and O'Hagan, A. (2020). Predictively consistent prior
#'   effective sample sizes. *Biometrics* 76, 578-587. \doi{10.1111/biom.13252}: the size of a prior,
#'   `rows` of `summary(fit)`.
#' @seealso [tlcp()], [dissimilarity()]
#' @examples
#' aq <- na.omit(airquality)
#' may <- tlcp(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, target = "5")
#' summary(may)$borrowed[c("term", "borrowed", "rows")]
#' tip <- tipping_point(may)
#' tip
#' plot(tip)
#' @export
tipping_point <- function(fit, data = NULL, most = 100, ...) {
  call <- arguments_check()
  if (!inherits(fit, "tlcp")) abort_kind(fit, "fit", "Give a {.fn tlcp} fit.", call)
  most <- check_number(most, "most", 1, call, high = 1e6)
  if (!tlcp_units_is_hierarchical(fit$settings) || !fit$settings$select || is.null(fit$borrowing$tau2)) {
    abort_input("{.arg fit} does not borrow by {.val hierarchical}, or has not searched for a subset.", "fit",
                i = "Give a fit with {.arg domain} and {.arg target}, without {.code select = FALSE}.", call = call)
  }
  frame <- conformal_frame(fit, data, list(), parent.frame(), call)
  control <- fit$settings$given$control
  tried <- list()
  selected <- function(factor) {
    further <- control
    further$distance <- control$distance * factor
    set <- cv_user_fit_without_messages(refit(fit, frame, control = further, within = NULL, sizes = FALSE)$selected)
    tried[[length(tried) + 1L]] <<- list(factor = factor, set = set)
    set
  }
  chosen <- selected(1)
  same <- vapply(if (most > 1) unique(pmin(10^(seq_len(ceiling(4 * log10(most))) / 4), most)), function(factor) {
    setequal(selected(factor), chosen)
  }, NA)
  factors <- vapply(tried, `[[`, 0, "factor")
  first <- which(!same)[1] # its place among the factors above 1
  low <- factors[first]
  high <- factors[first + 1L]
  while (!is.na(high) && high / low > 1.01) {
    middle <- sqrt(low * high)
    if (setequal(selected(middle), chosen)) low <- middle else high <- middle
  }
  tried <- tried[order(vapply(tried, `[[`, 0, "factor"))]
  factor <- vapply(tried, `[[`, 0, "factor")
  sets <- lapply(tried, `[[`, "set")
  there <- if (!is.na(high)) sets[[match(high, factor)]]
  features <- unique(unlist(c(list(chosen), sets)))
  structure(list(
    factor = high, most = most, selected = chosen, entered = setdiff(there, chosen),
    dropped = if (!is.na(high)) setdiff(chosen, there) else character(), tau = sqrt(fit$borrowing$tau2),
    tried = list(factor = factor, models = vapply(features, function(name) {
      vapply(sets, function(set) name %in% set, NA)
    }, logical(length(factor))))
  ), class = "tipping_point")
}

#' @rdname tipping_point
#' @export
as.data.frame.tipping_point <- function(x, row.names = NULL, optional = FALSE, ...) {
  arguments_of_generic(same = TABLE_ARGUMENTS)
  data.frame(factor = x$tried$factor, size = as.integer(rowSums(x$tried$models)), x$tried$models, check.names = FALSE,
             row.names = row.names)
}

#' @rdname tipping_point
#' @export
tidy.tipping_point <- function(x, ...) {
  arguments_of_generic()
  models <- x$tried$models
  factor <- x$tried$factor
  ends <- function(take) vapply(seq_len(ncol(models)), function(j) take(factor[models[, j]]), 0)
  data.frame(term = colnames(models) %||% character(), selected = colnames(models) %in% x$selected, from = ends(min),
             to = ends(max), tried = as.integer(colSums(models)))
}

#' @rdname tipping_point
#' @export
plot.tipping_point <- function(x, ...) picture_user_plot(x, tlcp_tipping_picture(x), ...)

#' @rdname tipping_point
#' @exportS3Method ggplot2::autoplot
autoplot.tipping_point <- function(object, ...) picture_user_autoplot(tlcp_tipping_picture(object), ...)

# Features down, factors across: a dot where the feature is chosen at the factor, and where the choice of the fit ends.
tlcp_tipping_picture <- function(x) {
  models <- x$tried$models
  title <- "Chosen, if the other domains were further away"
  if (!NCOL(models)) return(picture_empty("No feature is chosen at any factor.", title))
  n <- ncol(models)
  on <- which(models, arr.ind = TRUE)
  selected <- colnames(models)[on[, 2]] %in% x$selected
  dots <- data.frame(x = log10(x$tried$factor[on[, 1]]), y = n + 1 - on[, 2],
                     col = picture_colours$feature[2 - selected])
  powers <- seq(0, ceiling(log10(max(x$tried$factor))))
  picture_new(list(picture_panel(
    picture_axis("factor of the estimated distance", picture_padded_range(c(0, log10(max(x$most, 1.01)))), powers,
                 10^powers),
    picture_name_axis(colnames(models)),
    list(
      picture_rule("y", seq_len(n), col = picture_colours$faint, lty = 1),
      if (!is.na(x$factor)) picture_rule("x", log10(x$factor), lty = 2, col = picture_colours$frame),
      picture_layer("point", dots, pch = 19)
    )
  )), title, picture_base_keys(c("chosen by the fit", "others", if (!is.na(x$factor)) "tipping point"),
                               c(picture_colours$feature[1:2], if (!is.na(x$factor)) picture_colours$frame),
                               c(19, 19, if (!is.na(x$factor)) NA), lty = c(0, 0, if (!is.na(x$factor)) 2)))
}

#' @rdname tipping_point
#' @export
print.tipping_point <- function(x, digits = 3, ...) {
  said <- if (is.na(x$factor)) {
    paste0("The same features are chosen even if the other domains were ", format(x$most), " times as far away.")
  } else {
    change <- c(if (length(x$entered)) paste("with", words_in_quotes(x$entered)),
                if (length(x$dropped)) paste("without", words_in_quotes(x$dropped)))
    paste0("At ", format(signif(x$factor, digits)), " times the estimated distance other features are chosen: ",
           paste(change, collapse = ", "), ".")
  }
  description_print(x, list(head = c(
    strwrap(said, exdent = 2),
    paste0("Chosen by the fit: ", if (length(x$selected)) paste(x$selected, collapse = ", ") else "none")
  )), digits)
}
