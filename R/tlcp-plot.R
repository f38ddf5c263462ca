# Pictures of tlcp(): the criterion by size, the path, and what was borrowed.

#' Plot best subsets and what they borrowed
#'
#' Pictures of a [tlcp()] fit: how many features are best (`plot(fit)`), what each coefficient borrows (`plot(fit,
#' "borrowed")`), coefficients with intervals for a report (`plot(fit, "intervals")`), and coefficients along the path.
#' For the domains themselves plot a [dissimilarity()] table. `plot()` draws with base graphics, `autoplot()` makes the
#' same pictures with ggplot2.
#'
#' * `"criterion"`: the criterion of the best subset of every size, the chosen size in orange. If nothing is borrowed,
#'   `criterion = "Cp"` (or 2) shows Mallows' Cp, and `"AIC"`, `"BIC"`, `"HQ"` show their own values. Filled points are
#'   proven to be the best of their size. If a search ended early, the point is open, and a bar reaches down to the
#'   lower bound for this size (from the criterion without the penalty). If the search for the best of all sizes ended
#'   early, a dashed line marks its bound: no subset is below it. Sizes far above the others are left out of the
#'   picture, with a note. With `method = "cutoff"` the points are the nested models. With a `family` the proofs are
#'   about the quadratic approximation of the log-likelihood, so there are no bars and no bound.
#' * `"path"`: coefficients by size, as for every path, see [plot.transfer_path()].
#' * `"borrowed"`: one row per chosen feature, the largest at the top, with the least squares estimates of the other
#'   domains (small points; up to six domains have their own colour), that of the target alone (open) and the borrowed
#'   estimate (filled). The numbers at the right are two shares of the precision of the borrowed estimate: the share of
#'   the other domains, and the share of the prior, which shrinks the estimate to 0. The rest is the share of the
#'   target's rows. Domains without unique estimates have no points, and are named. Estimates of other domains that lie
#'   far outside the range of the rest are marked at the edge. `plot()` leaves out rows that would be too small to read,
#'   the smallest effects first; `autoplot()`, which is made before its size is known, draws every row, and leaves out
#'   names that would overlap.
#' * `"intervals"`: the features of the chosen model, the largest at the top, with the 95 % intervals of
#'   [confint()][confint.tlcp] (a forest plot) and the same numbers at the right. With `exponentiate = TRUE` these are
#'   odds, rate or hazard ratios in the units of the columns, on a logarithmic axis. [confint()][confint.tlcp] says what
#'   the intervals are conditional on.
#'
#' * `"residuals"`, `"qq"`, `"leverage"`: standardised residuals by fitted value, by normal quantile (with the line
#'   through the quartiles) and by leverage, those of [lm()] or [glm()] with the columns of the model. After a search
#'   they are of the chosen columns, as if these had been chosen beforehand. With borrowing, and for Cox and negative
#'   binomial models, they are errors that say what else to do.
#'
#' @param x,object A [tlcp()] fit.
#' @param what Which picture: `"criterion"`, `"path"`, `"borrowed"`, `"intervals"`, `"residuals"`, `"qq"` or
#'   `"leverage"`. The default is `"criterion"`; for a fit with `select = FALSE` it is
#'   `"borrowed"` or `"intervals"`.
#' @param label,top_n For `"path"`, as in [plot.transfer_path()].
#' @param scaled For `"path"`, `"borrowed"` and `"intervals"`: multiply coefficients by the scale of their columns
#'   in the target, so that they can be compared? The default is `TRUE`, but `FALSE` for ratios.
#' @param exponentiate For `"intervals"`: draw odds, rate or hazard ratios, as [tidy()][tidy.tlcp] gives them, and not
#'   their logarithms?
#' @param ... For `plot()`: graphical parameters that replace the defaults, such as `main`, `xlab`,
#'   `ylim`; for `"borrowed"`, `col` are the colours of the other domains. For `autoplot()`:
#'   `log`, as for `plot()`.
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object. A picture that the fit does not have is an error.
#' @references Chen, S., Sahinidis, N. V. and Gao, C. (2022). Transfer learning in information criteria-based
#'   feature selection. *Journal of Machine Learning Research* 23. \doi{10.48550/arXiv.2107.02847}
#' @seealso [plot.transfer_dissimilarity()], for every other domain by itself.
#' @examples
#' plot(tlcp(mpg ~ ., data = mtcars))
#' plot(tlcp(mpg ~ ., data = mtcars), "residuals")
#'
#' aq <- na.omit(airquality)
#' may <- tlcp(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, target = "5")
#' plot(may, "path")
#' plot(may, "borrowed")
#'
#' odds <- tlcp(vs ~ wt + disp, data = mtcars, family = binomial, select = FALSE)
#' plot(odds, "intervals", exponentiate = TRUE)
#' @export
plot.tlcp <- function(x, what = TLCP_PICTURES, label = TRUE, top_n = 10,
                      scaled = !exponentiate, exponentiate = FALSE, ...) {
  picture_user_plot(x, tlcp_plot_picture(x, what, label, top_n, scaled, exponentiate), ...)
}

#' @rdname plot.tlcp
#' @exportS3Method ggplot2::autoplot
autoplot.tlcp <- function(object, what = TLCP_PICTURES, label = TRUE,
                          top_n = 10, scaled = !exponentiate, exponentiate = FALSE, ...) {
  picture_user_autoplot(tlcp_plot_picture(object, what, label, top_n, scaled, exponentiate), ...)
}

TLCP_PICTURES <- c("criterion", "path", "borrowed", "intervals", "residuals", "qq", "leverage")

tlcp_plot_picture <- function(x, what, label, top_n, scaled, ratio = FALSE, call = rlang::caller_env()) {
  known <- TLCP_PICTURES
  if (identical(what, known) && isFALSE(x$settings$select) && tlcp_posterior_has_errors(x)) {
    what <- if (is.null(x$borrowed)) "intervals" else "borrowed" # without a search there are no subsets to compare
  }
  what <- check_choice(what, known, "what", call)
  if (path_tidy_check_exponentiate(x, ratio, call) && what != "intervals") {
    abort_input("{.arg exponentiate} is {.code TRUE}, and {.arg what} is {.val {what}}.", "exponentiate",
                i = "Give {.code what = \"intervals\"}, the picture of ratios.", call = call)
  }
  top_n <- picture_user_top_n(label, top_n, call)
  if (what %in% c("residuals", "qq", "leverage")) {
    return(tlcp_plot_residuals(tlcp_plot_residuals_data(x, parent.frame(2), call), what))
  }
  data <- tlcp_plot_data(x, what, scaled, ratio, call)
  switch(what,
    criterion = tlcp_plot_criterion(data),
    path = path_plot_paths(data, top_n, attr(data, "xlab")),
    borrowed = tlcp_plot_borrowed(data),
    intervals = tlcp_plot_intervals(data)
  )
}

tlcp_plot_data <- function(x, what, scaled = TRUE, ratio = FALSE, call = rlang::caller_env()) {
  check_flag(scaled, "scaled", call)
  if (what == "criterion") return(tlcp_plot_criterion_data(x))
  if (what == "borrowed") return(tlcp_plot_borrowed_data(x, scaled, call))
  if (what == "intervals") return(tlcp_plot_intervals_data(x, scaled, ratio, call))
  data <- path_plot_data(x, "path", scaled = scaled, call = call)
  xlab <- path_plot_data_xlab(data) # it says what the steps are
  if (all(x$steps$step == x$steps$size)) xlab <- sub("^step", "features", xlab)
  structure(data, xlab = sub("the default", "the chosen", xlab, fixed = TRUE))
}
