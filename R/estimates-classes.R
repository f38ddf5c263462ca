# Results of other packages that are no fitted models: read as estimates, or refused with what to give.

# Sites by name of what estimates() was given. V, se, given: see estimates_model_site().
estimates_class_sites <- function(x, V, se, given, call) UseMethod("estimates_class_sites")

#' @export
estimates_class_sites.default <- function(x, V, se, given, call) {
  list(source1 = estimates_model_site(x, V, se, given, call))
}

# lmtest::coeftest(): with `save = TRUE` it has its model.
#' @export
estimates_class_sites.coeftest <- function(x, V, se, given, call) {
  model <- attr(x, "object")
  se <- se %||% if (is.null(V)) stats::setNames(x[, 2], rownames(x))
  if (!is.null(model)) return(list(source1 = estimates_model_site(model, V, se, given, call)))
  n <- attr(x, "nobs")
  given$n <- given$n %||% if (is.numeric(n) && length(n) == 1) n
  list(source1 = estimates_number_site(stats::setNames(x[, 1], rownames(x)), V, se, given, ABOUT_NUMBERS[["table"]],
                                       call))
}

# mice::pool(): pooled estimates and their total variances; covariances are not kept.
#' @export
estimates_class_sites.mipo <- function(x, V, se, given, call) {
  rlang::check_installed("mice", "to read pooled estimates", call = call)
  pooled <- summary(x)
  b <- stats::setNames(pooled$estimate, as.character(pooled$term))
  se <- se %||% if (is.null(V)) pooled$std.error
  list(source1 = estimates_number_site(b, V, se, given, ABOUT_NUMBERS[["table"]], call))
}

# with(mice::mice(), model): Rubin's rules for the coefficients together, so that covariances are known.
#' @export
estimates_class_sites.mira <- function(x, V, se, given, call) {
  fits <- x$analyses
  if (!is.null(V) || !is.null(se)) {
    abort_input("{.arg x} has {length(fits)} models, which are pooled.", if (is.null(V)) "se" else "vcov",
                i = "Leave out {.arg vcov} and {.arg se}.", call = call)
  }
  b <- lapply(fits, estimates_model_coef)
  alike <- vapply(b, function(one) identical(names(one), names(b[[1]])) && all(is.finite(one)), NA)
  if (!all(alike)) {
    abort_input("The models of {.arg x} do not have the same coefficients.", "x",
                i = "Give analyses of which all coefficients are estimated in every imputation.", call = call)
  }
  within <- Reduce(`+`, lapply(fits, function(fit) stats::vcov(fit)[names(b[[1]]), names(b[[1]])])) / length(fits)
  between <- if (length(fits) > 1) stats::cov(do.call(rbind, b)) else 0
  model <- fits[[1]]
  list(source1 = estimates_model_site(model, within + (1 + 1 / length(fits)) * between, NULL, given, call,
                                      Reduce(`+`, b) / length(fits)))
}

#' @export
estimates_class_sites.rma <- function(x, V, se, given, call) {
  abort_input("{.arg x} is a meta-analysis of class {.cls {class(x)[1]}}: its coefficients are not those of columns.",
              "x", i = "Name what was pooled: {.code estimates(c(age = coef(x)[[1]]), se = x$se[1])}, of ratios on the
                        scale of logarithms.", call = call)
}

#' @export
estimates_class_sites.glht <- function(x, V, se, given, call) estimates_class_refuse_contrasts(x, "x$model", call)

#' @export
estimates_class_sites.emmGrid <- function(x, V, se, given, call) estimates_class_refuse_contrasts(x, NULL, call)

# code: where the object has its model, or NULL.
estimates_class_refuse_contrasts <- function(x, code, call) {
  abort_input("{.arg x} is of class {.cls {class(x)[1]}}: means and differences, not coefficients of columns.", "x",
              i = if (is.null(code)) "Give the model of which they are." else
                "Give the model of which they are: {.code estimates({code})}.", call = call)
}

# The coefficients of an accelerated failure time model are logarithms of ratios of times.
#' @export
estimates_class_sites.survreg <- function(x, V, se, given, call) {
  hazards <- x$dist %in% c("weibull", "exponential", "rayleigh")
  abort_input("{.arg x} is of class {.cls survreg}: its coefficients are of the logarithm of time, of the other sign
               than log hazard ratios.", "x",
              i = "Give {.fn survival::coxph} of the same data.",
              i = if (hazards) "Or give {.code estimates(-coef(x)[-1] / x$scale, se = )}: log hazard ratios of a
                                {x$dist} model.", call = call)
}
