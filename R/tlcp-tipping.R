# How much further from the target the other domains would have to be for another set of features to be chosen.

#' How firmly does the choice rest on what is borrowed?
#'
#' A fit of [tlcp()] that borrows estimates how far each domain is from what the domains share (tau). `tipping_point()`
#' multiplies these distances by a growing factor, searches again each time, and finds the factor at which another set of
#' features is chosen. A factor near 1 says that the choice rests on the estimate of the distances; a large one, or none,
#' that it would be made even if the other domains were much further away.
#'
#' Of a fit with a `distance` of its own the factor multiplies that. The search is over factors up to `most`, in steps of
#' a quarter of a power of ten, then by bisection to 1 %; a set that is chosen only between two steps is not seen.
#' Residual variances, units and the spread of the common coefficients stay as they are estimated.
#'
#' @param fit A [tlcp()] fit that borrows by `"hierarchical"` and has searched for a subset.
#' @param data The rows of the fit; NULL: those that its call names.
#' @param most The largest factor.
#' @param x,digits What `tipping_point()` returned; significant digits to print.
#' @param ... Not used.
#' @returns A list of class `tipping_point`: `factor` (NA where the choice stays the same up to `most`), `most`, `selected`
#'   (of the fit), `entered` and `dropped` (at the factor), `tau` (estimated, by domain).
#' @references Neuenschwander, B., Weber, S., Schmidli, H. and O'Hagan, A. (2020). Predictively consistent prior effective
#'   sample sizes. *Biometrics* 76, 578-587. \doi{10.1111/biom.13252}: the size of a prior, `rows` of `summary(fit)`.
#' @seealso [tlcp()], [dissimilarity()]
#' @examples
#' aq <- na.omit(airquality)
#' may <- tlcp(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, target = "5")
#' summary(may)$borrowed[c("term", "borrowed", "rows")]
#' tipping_point(may)
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
  own <- fit$settings$distance %||% 1
  selected <- function(factor) {
    cv_user_fit_without_messages(refit(fit, frame, distance = own * factor, within = NULL, sizes = FALSE)$selected)
  }
  chosen <- selected(1)
  grid <- if (most > 1) unique(pmin(10^(seq_len(ceiling(4 * log10(most))) / 4), most))
  low <- 1
  high <- NA
  for (factor in grid) {
    if (!setequal(selected(factor), chosen)) {
      high <- factor
      break
    }
    low <- factor
  }
  while (!is.na(high) && high / low > 1.01) {
    middle <- sqrt(low * high)
    if (setequal(selected(middle), chosen)) low <- middle else high <- middle
  }
  there <- if (!is.na(high)) selected(high)
  structure(list(factor = high, most = most, selected = chosen, entered = setdiff(there, chosen),
                 dropped = if (!is.na(high)) setdiff(chosen, there) else character(), tau = sqrt(fit$borrowing$tau2)),
            class = "tipping_point")
}

#' @rdname tipping_point
#' @export
print.tipping_point <- function(x, digits = 3, ...) {
  said <- if (is.na(x$factor)) {
    paste0("The same features are chosen even if the other domains were ", format(x$most), " times as far away.")
  } else {
    change <- c(if (length(x$entered)) paste(words_in_quotes(x$entered), "in"),
                if (length(x$dropped)) paste(words_in_quotes(x$dropped), "out"))
    paste0("Other features are chosen from ", format(signif(x$factor, digits)), " times the estimated distance on: ",
           paste(change, collapse = ", "), ".")
  }
  description_print(x, list(head = c(
    strwrap(said, exdent = 2),
    paste0("Chosen: ", if (length(x$selected)) paste(x$selected, collapse = ", ") else "none")
  )), digits)
}
