# The settings of tlcp() that are seldom given.

#' Settings of tlcp()
#'
#' The settings of [tlcp()] that are seldom given, for its argument `control`. What can be checked without data is
#' checked at once.
#'
#' The settings by what they concern:
#' * what is borrowed: `support`, `units`, `scales`, `guard`, `distance`;
#' * columns: `drop`, `fences`, `collinear`;
#' * variances: `sigma2`, `dispersion`;
#' * search: `max_nodes`.
#'
#' @param ... No further arguments. A mistyped one is an error that names the one that was meant.
#' @param support `"target"` selects features of the target, `"shared"` the same features in all domains, see "Model" of
#'   [tlcp()]. `NULL`: `"target"` for `borrow = "hierarchical"` where the search is exact, else `"shared"`.
#' @param units `"evidence"`, `"common"` or `"own"`: the units in which coefficients of the domains are alike, see
#'   "Units of the coefficients" of [tlcp()]. `NULL`: `"evidence"` for `"hierarchical"` where the search is exact, else
#'   `"own"`.
#' @param scales `FALSE`: the feature scales c are 1.
#' @param guard `FALSE`: borrow whatever the likelihood ratio. No domain is left out
#'   (`"plugin"`, `"plugin3"`, `"pooled"`, `"reml"`), and models in which the target borrows no slopes, or not all, have
#'   no weight (`"hierarchical"`, see "Evidence for borrowing" of [tlcp()]). A number above 0 and below 1: with
#'   `"hierarchical"` and `select = FALSE` the prior probability of the model in which the target borrows no slopes and
#'   few of them are not zero. `TRUE` is .02; .5 costs more where domains are alike and less where they share nothing.
#'   `guard` has no effect with `method = "cutoff"` and `"hierarchical"`.
#' @param distance A factor of the estimated distances tau between the domains and what they share, to see what the
#'   result hangs on; see [tipping_point()].
#' @param drop Names or numbers of columns, or names of groups, that are in no model.
#' @param fences `FALSE`: columns with far-out values are taken as they are, see "Heavy tails" of [tlcp()].
#' @param collinear For `method = "cutoff"`: `NULL`, or a share of a column's variance, such as .01. A
#'   column is left out, with a message, if in some domain in use the columns before it explain all but this share of
#'   its variance, so that one of each set of nearly collinear columns stays (the paper's modified
#'   Gram-Schmidt, section 5.4). Columns come in the order of their correlation with the response in the
#'   target, those in `keep` first. `NULL` leaves out only columns that are combinations of others up to rounding. Where
#'   the target has no more rows than features its weak directions are left out in either case.
#' @param sigma2 Residual variance of the target, or of every domain, target first, in squared units
#'   of the response. `NULL`: RSS/(n - p - 1) of each domain, RSS/(n - p) without an intercept (the
#'   authors' program has n - p in either case); `"hierarchical"` shrinks these towards each other. With other rules a
#'   domain with fewer than 5 degrees of freedom gets the mean of the variances of all domains, weighted by their
#'   degrees of freedom. Where no domain has any degrees of freedom, each gets the variance of a ridge model of its own,
#'   by marginal likelihood.
#' @param dispersion With `family = "poisson"` or `"binomial"` the factor by which variances exceed those of the family:
#'   a number, numbers by domain, target first or by name; `"estimated"`, from Pearson residuals, at least 1; or
#'   `"pearson"`, the same without the bound of 1. `NULL`: `"estimated"` where domains with rows are borrowed from or
#'   the family is a quasi one, else 1. See "Families" of [tlcp()].
#' @param max_nodes Limit of each exact search, in nodes of its tree; `max_seconds` of [tlcp()] limits the time.
#' @returns A list of class `c("tlcp_control", "transfer_control")` with all settings. A plain list of settings as
#'   `control` of [tlcp()] is given to this function.
#' @references The page of [tlcp()] has them.
#' @seealso [tlcp()]
#' @examples
#' tlcp_control(units = "common")
#' aq <- na.omit(airquality)
#' tlcp(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, target = "5",
#'      control = tlcp_control(units = "common"))
#' @export
tlcp_control <- function(..., support = NULL, units = NULL, scales = TRUE, guard = TRUE, distance = 1, drop = NULL,
                         fences = TRUE, collinear = NULL, sigma2 = NULL, dispersion = NULL, max_nodes = Inf) {
  call <- if (nargs()) arguments_check()
  arguments_control_new("tlcp", list(
    support = if (!is.null(support)) check_choice(support, c("target", "shared"), "support", call),
    units = if (!is.null(units)) check_choice(units, UNITS, "units", call),
    scales = check_flag(scales, "scales", call), guard = tlcp_control_guard(guard, call),
    distance = check_number(distance, "distance", 1e-6, call, high = 1e6),
    drop = if (!is.null(drop)) tlcp_control_columns(drop, "drop", call),
    fences = check_flag(fences, "fences", call),
    collinear = if (!is.null(collinear)) check_number(collinear, "collinear", 0, call, high = 1),
    sigma2 = if (!is.null(sigma2)) tlcp_control_variances(sigma2, "sigma2", call),
    dispersion = if (is.character(dispersion)) check_choice(dispersion, DISPERSIONS, "dispersion", call) else
      if (!is.null(dispersion)) tlcp_control_variances(dispersion, "dispersion", call),
    max_nodes = tlcp_settings_limit(max_nodes, "max_nodes", call)
  ), is.null(call))
}

# Positive numbers, with the names they may have: for which domains they are is seen at the fit.
tlcp_control_variances <- function(values, argument, call) {
  check_numbers(values, argument, function(v) v > 0,
                "Give a positive number, or one for every domain, target first or by name.", call)
  values
}

# TRUE, FALSE, or a probability.
tlcp_control_guard <- function(guard, call) {
  if (is.numeric(guard)) return(check_share(guard, "guard", call))
  check_flag(guard, "guard", call)
}

# Names or numbers of columns, which are looked up at the fit.
tlcp_control_columns <- function(columns, argument, call) {
  if (!is.character(columns) && !is.numeric(columns)) {
    abort_kind(columns, argument, "Give names or numbers of columns.", call)
  }
  columns
}
