# The settings of tlcp() that are seldom given.

#' Settings of tlcp()
#'
#' Makes the argument `control` of [tlcp()] from the settings that are rarely needed: `tlcp(y ~ ., data = d, control =
#' tlcp_control(drop = "age"))`. Use it to say in which units coefficients are alike, to leave out a column, to give
#' known variances, or to see how the result depends on the distances between domains. All defaults together are
#' `tlcp_control()`. What can be checked without data is checked at once.
#'
#' The settings by topic:
#' * what is borrowed: `support`, `units`, `scales`, `guard`, `distance`, `omega_shape`, `own`;
#' * columns: `drop`, `fences`, `collinear`;
#' * variances: `sigma2`, `dispersion`;
#' * search: `max_nodes`.
#'
#' @section Units of the coefficients: Where domains measure with different instruments, coefficients are often alike in
#'   each domain's own z-scores (`units = "own"`). Where a feature varies less in one population than in another, they
#'   are often alike in the original units (`"common"`). `"evidence"` fits both models and weighs them by their
#'   likelihood. With `select = FALSE` the coefficients are the weighted mean; a search uses the units of the larger
#'   weight. `print()` shows both weights. All values of `borrow` other than `"hierarchical"` use
#'   each domain's own z-scores.
#'
#' @param ... No further arguments. A mistyped one is an error that says which argument was meant.
#' @param support `"target"`: features are selected for the target, and the other domains keep all of theirs.
#'   `"shared"`: the same features are selected in all domains, as in the paper. `NULL`: `"target"` for
#'   `borrow = "hierarchical"` with the exact search, else `"shared"`.
#' @param units `"evidence"`, `"common"` or `"own"`, see below. `NULL`: `"evidence"` for `"hierarchical"` with the exact
#'   search, else `"own"`.
#' @param scales `TRUE`: the size of the coefficients is estimated for each feature (factors c, `borrowing$scales`).
#'   `FALSE`: these factors are 1.
#' @param guard Safeguards against borrowing from unlike domains. `TRUE`: `"plugin"`, `"plugin3"`, `"pooled"` and
#'   `"reml"` leave out domains whose log likelihood ratio is below 1.35; `"hierarchical"` gives the prior probability
#'   .05 to a model in which the target's slopes are unrelated to those of the other domains. With `select = FALSE` two
#'   more models have a prior probability of .02 each: one in which the target borrows no slopes and few of its slopes
#'   are not zero; one in which some of the target's slopes are far from those of the other domains (two other domains
#'   or more). These two need a numeric response, 4 to 60 features that all vary in the target, and 5 residual degrees
#'   of freedom in the target. `coef()`, `confint()` and `vcov()` are then of the average over all these models.
#'   `FALSE`: no domain is left out, and none of these models is used. A number above 0 and below 1: as `TRUE`, but with
#'   this prior probability, in place of .02, of the model in which few of the target's slopes are not zero. A value of
#'   .5 increases the error where domains are alike and lowers it where they share nothing. `guard` has no effect on
#'   `"hierarchical"` with `method = "cutoff"`.
#'
#'   `"cv"`, for a numeric response and `select = FALSE`: the average of the fit with `guard = .2` and of the target's
#'   own best subset by `criterion`. The weight of the subset minimises the squared error in held-out rows of the target
#'   plus a penalty, which grows with the evidence for borrowing. The ten folds follow from the order of the response,
#'   and no random numbers are used. `borrowing$cv` of the fit has `weight`, `selected` and the mean squared errors
#'   `mse`. The variances of the subset are those of least squares with all features, plus the squared difference
#'   between both estimates. Use it if the target may share little with the other domains. It fits the model again for
#'   every fold.
#' @param distance A factor by which the estimated distances tau are multiplied, to see how the result depends on them;
#'   see [tipping_point()].
#' @param omega_shape For `"hierarchical"`: the shape of a gamma prior, with rate 0, of the standard deviation omega of
#'   the common slopes, a number from 1 to 10. Omega is estimated by the maximum of the marginal likelihood times this
#'   prior. With 1, maximum likelihood, few slopes and few domains often give an estimate of 0, and all slopes are then
#'   shrunk to 0 (odds ratios to 1). The default of 1.5 avoids this and hardly changes other fits (`Rscript bench/tlcp.R
#'   omega`). Chung et al. recommend 2, which shrinks less and has larger errors where few slopes are not zero.
#' @param own For standard errors, intervals and p-values of a fit that borrows: the weight, from 0 to 1, of the target's
#'   own least squares in the mixture, see [confint()][confint.tlcp]. Estimates and predictions do not depend on it. 0:
#'   the posterior alone, whose intervals are shorter and miss effects that only the target has.
#' @param drop Names or numbers of columns, or names of groups, terms or variables, that are in no model.
#' @param fences `TRUE`: a column with values more than 3 interquartile ranges outside its quartiles is replaced by a
#'   weighted mean of itself and the same column bounded there. The weight comes from the likelihood of each domain's
#'   own least squares. This is done for `"hierarchical"`, a numeric response, and rows in a dense matrix or data frame.
#'   `predict()` changes the columns of new rows in the same way. A message and `print()` name the columns; their
#'   logarithm is often the better column. `FALSE`: columns are used as they are.
#' @param collinear For `method = "cutoff"`: `NULL`, or a share of a column's variance, such as .01. A column is left
#'   out, with a message, if in some domain in use the columns before it explain all but this share of its variance. So
#'   one column of each nearly collinear set stays (the paper's modified Gram-Schmidt, section 5.4). Columns come in the
#'   order of their correlation with the response in the target, after those in `keep`. `NULL` leaves out only columns
#'   that are combinations of others up to rounding. In either case, if the target has no more rows than features,
#'   directions in which its rows hardly vary are left out.
#' @param sigma2 Residual variance of the target, or of every domain, target first, in squared units of the response.
#'   `NULL`: RSS/(n - p - 1) of each domain, or RSS/(n - p) without an intercept (the authors' program has n - p in
#'   either case). `"hierarchical"` shrinks these variances towards each other. With other values of `borrow` a domain
#'   with fewer than 5 degrees of freedom gets the mean of all variances, weighted by degrees of freedom. If no domain
#'   has any degrees of freedom, each gets the residual variance of a ridge model of its own, by marginal likelihood.
#' @param dispersion For `family = "poisson"` or `"binomial"`: the factor by which variances exceed those of the family.
#'   A number; numbers by domain, target first or by name; `"estimated"`, from Pearson residuals and at least 1; or
#'   `"pearson"`, the same without the bound of 1 and without weights of rows. `NULL`: `"estimated"` if rows of other
#'   domains are borrowed or the family is a quasi one, else 1. See "Families" of [tlcp()].
#' @param max_nodes Limit of each exact search, in nodes of its tree. `max_seconds` of [tlcp()] limits the time.
#' @returns A list of class `c("tlcp_control", "transfer_control")` with all settings. `control` of [tlcp()] may also be
#'   a plain list of settings, which is checked in the same way.
#' @references See [tlcp()]. For `omega_shape`: Chung, Y., Rabe-Hesketh, S., Dorie, V., Gelman, A. and Liu, J. (2013). A
#'   nondegenerate penalized likelihood estimator for variance parameters in multilevel models. *Psychometrika* 78,
#'   685-709. \doi{10.1007/s11336-013-9328-2}
#' @seealso [tlcp()]
#' @examples
#' # the coefficients of the months are assumed to be alike in the original units
#' tlcp_control(units = "common")
#' aq <- na.omit(airquality)
#' tlcp(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, target = "5",
#'      control = tlcp_control(units = "common"))
#' @export
tlcp_control <- function(..., support = NULL, units = NULL, scales = TRUE, guard = TRUE, distance = 1,
                         omega_shape = 1.5, own = .1, drop = NULL, fences = TRUE, collinear = NULL, sigma2 = NULL,
                         dispersion = NULL, max_nodes = Inf) {
  call <- if (nargs()) arguments_check()
  arguments_control_new("tlcp", list(
    support = if (!is.null(support)) check_choice(support, c("target", "shared"), "support", call),
    units = if (!is.null(units)) check_choice(units, UNITS, "units", call),
    scales = check_flag(scales, "scales", call),
    guard = tlcp_control_guard(guard, call),
    distance = check_number(distance, "distance", 1e-6, call, high = 1e6),
    omega_shape = check_number(omega_shape, "omega_shape", 1, call, high = 10),
    own = check_number(own, "own", 0, call, high = 1),
    drop = if (!is.null(drop)) tlcp_control_columns(drop, "drop", call),
    fences = check_flag(fences, "fences", call),
    collinear = if (!is.null(collinear)) check_number(collinear, "collinear", 0, call, high = 1),
    sigma2 = if (!is.null(sigma2)) tlcp_control_variances(sigma2, "sigma2", call),
    dispersion = if (is.character(dispersion)) tlcp_control_dispersion(dispersion, call) else
      if (!is.null(dispersion)) tlcp_control_variances(dispersion, "dispersion", call),
    max_nodes = tlcp_settings_limit(max_nodes, "max_nodes", call)
  ), is.null(call))
}

# Positive numbers, with their names if they have any; the fit finds out which domains they belong to.
tlcp_control_variances <- function(values, argument, call) {
  check_numbers(values, argument, function(v) v > 0,
                "Give a positive number, or one for every domain, target first or by name.", call)
  values
}

tlcp_control_dispersion <- function(dispersion, call) {
  if (rlang::is_string(dispersion, DISPERSIONS)) return(dispersion)
  abort_value(dispersion, "dispersion", "Give {.or {.val {DISPERSIONS}}}, or positive numbers.", call)
}

tlcp_control_guard <- function(guard, call) {
  share <- is.numeric(guard) && length(guard) == 1 && isTRUE(guard > 0 && guard < 1)
  if (share || rlang::is_bool(guard) || identical(guard, "cv")) return(guard)
  abort_value(guard, "guard", "Give {.code TRUE}, {.code FALSE}, {.val cv}, or a number between 0 and 1.", call)
}

# Names or numbers of columns; the fit looks them up.
tlcp_control_columns <- function(columns, argument, call) {
  if (!is.character(columns) && !is.numeric(columns)) {
    abort_kind(columns, argument, "Give names or numbers of columns.", call)
  }
  columns
}
