# Leverages, influence and aliased terms of fits that lm() or glm() reproduce: computed from the lm or glm.

# The lm or glm of the same model to the same rows: from the formula of the fit where it gives the same fitted values,
# else from its design. An error for fits that lm() and glm() do not reproduce; what: the result that is then missing.
# search: may a search have chosen the columns?
path_influence_twin <- function(object, data = NULL, env = parent.frame(), call = rlang::caller_env(),
                                what = "leverages", search = FALSE) {
  path_influence_refuse(if (search) path_influence_without_search(object) else object, what, call)
  found <- path_rows_training(object, data, env, call)
  given <- list(weights = object$prior_weights, offset = path_influence_offset(object, found$X))
  twin <- if (!is.null(object$formula)) {
    path_influence_fit(object, stats::formula(object), path_rows_without_left_out(object, found$rows), given)
  }
  if (is.null(twin)) {
    X <- found$X[, setdiff(colnames(found$X), "(Intercept)"), drop = FALSE]
    if (search) X <- X[, intersect(colnames(X), stats::variable.names(object)), drop = FALSE]
    design <- data.frame(y = as.vector(object$fitted + object$residuals), as.matrix(X), check.names = FALSE)
    formula <- if (!ncol(X)) y ~ 1 else if (path_object_has_intercept(object)) y ~ . else y ~ . - 1
    twin <- path_influence_fit(object, formula, design, given)
  }
  if (is.null(twin)) {
    abort_input("There are no {what} of this fit: {.fn lm} and {.fn glm} do not reproduce its fitted values.", "model",
                i = "Fit the columns by {.fn lm} or {.fn glm}.", call = call)
  }
  twin$na.action <- object$elsewhere %||% object$na.action
  twin
}

# The offset of the rows of X; NULL where there is none, or where the formula has it.
path_influence_offset <- function(object, X) {
  if (is.null(object$offset)) return(NULL)
  if (!is.null(object$formula) && !is.null(attr(stats::terms(stats::formula(object)), "offset"))) return(NULL)
  b <- stats::coef(object)
  b <- b[names(b) %in% colnames(X)]
  stats::family(object)$linkfun(as.vector(object$fitted)) - as.vector(X[, names(b), drop = FALSE] %*% b)
}

# The fit of a formula to rows, its call with all values in it, so that update() finds them; NULL where it fails or has
# other fitted values than the object.
path_influence_fit <- function(object, formula, rows, given) {
  dispersed <- isTRUE(object$quasi) || !all(object$dispersion %||% 1 == 1)
  family <- switch(object$family, binomial = if (dispersed) stats::quasibinomial() else stats::binomial(),
                   poisson = if (dispersed) stats::quasipoisson() else stats::poisson())
  fitter <- if (is.null(family)) quote(stats::lm) else quote(stats::glm)
  given <- c(list(formula = formula, data = rows, family = family), given)
  twin <- tryCatch(eval(as.call(c(fitter, Filter(Negate(is.null), given)))), error = function(e) NULL)
  fitted <- as.vector(object$fitted)
  if (length(twin$fitted.values) != length(fitted)) return(NULL)
  if (max(abs(twin$fitted.values - fitted)) <= 1e-5 * (1 + max(abs(fitted)))) twin
}

# The fit as one of columns that were chosen beforehand.
path_influence_without_search <- function(object) {
  object$settings$select <- FALSE
  object
}

path_influence_refuse <- function(object, what, call) {
  cox <- object$family == "cox"
  if (path_nested_without_search(object) && !cox && is.null(object$theta)) return(invisible())
  whose <- if (cox) "a Cox model" else if (!isFALSE(object$settings$select)) "the fit of a search" else
    if (!is.null(object$theta)) "a negative binomial model" else "a fit that borrows"
  abort_input("There are no {what} of {whose}.", "model",
              i = if (cox) {
                "Fit the chosen columns by {.fn survival::coxph}, whose {.code residuals(type = \"dfbeta\")} give
                 the influence of each row."
              } else if (!is.null(object$theta)) {
                "Fit the chosen columns by {.fn MASS::glm.nb}."
              } else {
                "Give a {.fn tlcp} with {.code select = FALSE} and {.code borrow = \"none\"}, or fit the chosen
                 columns by {.fn lm} or {.fn glm}."
              }, call = call)
}

#' @rdname fit-rows
#' @importFrom stats hatvalues
#' @export
hatvalues.transfer_path <- function(model, data = NULL, ...) {
  path_influence_by(stats::hatvalues, path_influence_twin(model, data), arguments_of_generic("infl"))
}

# The result of a verb of stats for the twin. more: arguments of its methods for lm() and glm(), of which it gets its
# own.
path_influence_by <- function(verb, twin, more) do.call(verb, c(list(twin), more))

#' @rdname fit-rows
#' @importFrom stats rstandard
#' @export
rstandard.transfer_path <- function(model, data = NULL, type = c("deviance", "pearson"), ...) {
  more <- arguments_of_generic(c("infl", "sd"))
  twin <- path_influence_twin(model, data)
  type <- check_choice(type, c("deviance", "pearson"), "type", rlang::current_env())
  path_influence_by(stats::rstandard, twin, c(more, if (inherits(twin, "glm")) list(type = type)))
}

#' @rdname fit-rows
#' @importFrom stats rstudent
#' @export
rstudent.transfer_path <- function(model, data = NULL, ...) {
  path_influence_by(stats::rstudent, path_influence_twin(model, data), arguments_of_generic(c("infl", "type")))
}

#' @rdname fit-rows
#' @importFrom stats cooks.distance
#' @export
cooks.distance.transfer_path <- function(model, data = NULL, ...) {
  more <- arguments_of_generic(c("infl", "res", "sd", "hat", "dispersion"))
  path_influence_by(stats::cooks.distance, path_influence_twin(model, data), more)
}

#' @rdname fit-rows
#' @importFrom stats influence
#' @export
influence.transfer_path <- function(model, data = NULL, do.coef = TRUE, ...) {
  arguments_of_generic()
  stats::influence(path_influence_twin(model, data), do.coef = do.coef)
}

#' @rdname fit-rows
#' @importFrom stats dfbeta
#' @export
dfbeta.transfer_path <- function(model, data = NULL, infl = NULL, ...) {
  arguments_of_generic()
  twin <- path_influence_twin(model, data)
  stats::dfbeta(twin, infl %||% stats::influence(twin, do.coef = TRUE))
}

#' @rdname fit-rows
#' @importFrom stats dfbetas
#' @export
dfbetas.transfer_path <- function(model, data = NULL, infl = NULL, ...) {
  arguments_of_generic()
  twin <- path_influence_twin(model, data)
  stats::dfbetas(twin, infl %||% stats::influence(twin, do.coef = TRUE))
}

#' @importFrom stats alias
#' @export
alias.transfer_path <- function(object, ...) {
  more <- arguments_of_generic(c("complete", "partial", "partial.pattern"))
  path_influence_by(stats::alias, path_influence_twin(object, what = "aliased terms"), more)
}

#' @importFrom stats dummy.coef
#' @export
dummy.coef.transfer_path <- function(object, ...) {
  more <- arguments_of_generic("use.na")
  path_influence_by(stats::dummy.coef, path_influence_twin(object, what = "coefficients of every level"), more)
}

# Verbs of package car for the lm or glm of the same model.
path_influence_by_twin <- function(verb, what = "leverages") {
  force(verb)
  force(what)
  function(...) {
    given <- list(...)
    given[[1]] <- path_influence_twin(given[[1]], what = what)
    do.call(getExportedValue("car", verb), given)
  }
}

#' @exportS3Method car::influencePlot
influencePlot.transfer_path <- path_influence_by_twin("influencePlot")

#' @exportS3Method car::infIndexPlot
infIndexPlot.transfer_path <- path_influence_by_twin("infIndexPlot")

#' @exportS3Method car::influenceIndexPlot
influenceIndexPlot.transfer_path <- path_influence_by_twin("influenceIndexPlot")

#' @exportS3Method car::dfbetaPlots
dfbetaPlots.transfer_path <- path_influence_by_twin("dfbetaPlots")

#' @exportS3Method car::dfbetasPlots
dfbetasPlots.transfer_path <- path_influence_by_twin("dfbetasPlots")

#' @exportS3Method car::outlierTest
outlierTest.transfer_path <- path_influence_by_twin("outlierTest")

#' @exportS3Method car::qqPlot
qqPlot.transfer_path <- path_influence_by_twin("qqPlot")

#' @exportS3Method car::residualPlots
residualPlots.transfer_path <- path_influence_by_twin("residualPlots")

#' @exportS3Method car::residualPlot
residualPlot.transfer_path <- path_influence_by_twin("residualPlot")

#' @exportS3Method car::avPlots
avPlots.transfer_path <- path_influence_by_twin("avPlots")

#' @exportS3Method car::avPlot
avPlot.transfer_path <- path_influence_by_twin("avPlot")

#' @exportS3Method car::crPlots
crPlots.transfer_path <- path_influence_by_twin("crPlots")

#' @exportS3Method car::crPlot
crPlot.transfer_path <- path_influence_by_twin("crPlot")

#' @exportS3Method car::ceresPlots
ceresPlots.transfer_path <- path_influence_by_twin("ceresPlots")

#' @exportS3Method car::leveragePlot
leveragePlot.transfer_path <- path_influence_by_twin("leveragePlot")

#' @exportS3Method car::spreadLevelPlot
spreadLevelPlot.transfer_path <- path_influence_by_twin("spreadLevelPlot", "tests of residuals")

#' @exportS3Method car::ncvTest
ncvTest.transfer_path <- path_influence_by_twin("ncvTest", "tests of residuals")

#' @exportS3Method car::durbinWatsonTest
durbinWatsonTest.transfer_path <- path_influence_by_twin("durbinWatsonTest", "tests of residuals")
