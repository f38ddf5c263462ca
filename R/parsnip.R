# Engines for the package parsnip, and so for workflows and tune.

#' Engines for tidymodels
#'
#' The methods of this package as engines of parsnip: `set_engine(linear_reg(), "tlcp", domain = "hospital", target =
#' "mine")`. Use them to fit, tune and compare models within tidymodels. [cv_path()] and [compare_paths()] do without
#' other packages, and know domains and sources. The engines are:
#'
#' * `linear_reg()`: `"greedytl"`, `"tgreedy"`, `"tlcp"`, `"msplit"`;
#' * `logistic_reg()` (two classes): `"greedytl"`, `"tgreedy"`, `"shareboost"`, `"msplit"`, `"tlcp"`;
#' * `multinom_reg()` (more classes): `"greedytl"`, `"shareboost"`, `"msplit"`.
#'
#' Give arguments of the method in `set_engine()`. `domain` names a column of the predictors. This column is then not a
#' predictor, and new data need not have it. `step` is the step used for predictions; by default it is the default of
#' the fit. If the path ends earlier, its last step is used. A `max_steps` above the number of columns means all
#' columns. Case weights are the `weights` of the fit. Factors are coded by the fit, which keeps their levels. Models of
#' classes have probabilities: they are fitted with `loss = "binomial"` (msplit), `family = "binomial"` (tlcp) and `prob
#' = TRUE` (greedytl, tgreedy). `set_engine("greedytl", family = "binomial")` replaces `prob = TRUE`.
#'
#' **Tuning.** These arguments of `set_engine()` may be `tune()`; their ranges are known to dials:
#'
#' | engine | arguments |
#' |---|---|
#' | `"greedytl"` | `step`, `max_steps` |
#' | `"tgreedy"` | `step`, `max_steps` |
#' | `"tlcp"` | `step`, `criterion` |
#' | `"msplit"` | `step` |
#' | `"shareboost"` | `step`, `max_steps`, `ridge` |
#'
#' `tlcp_criterion()` is the range of `criterion`; give it other `values` if the engine has a `family`. The engines call
#' `transelect_engine()`; you need not call it.
#'
#' @param x A data frame of predictors.
#' @param y The response.
#' @param method Name of the method.
#' @param domain `NULL`, or the name of the column of `x` with the domains.
#' @param weights `NULL`, or case weights.
#' @param step The step of the predictions. `NULL`: the default.
#' @param bound As for [predict()][transfer_path]: `NULL` for the default of the method.
#' @param ... Arguments of the method.
#' @param values Criteria to try.
#' @returns `transelect_engine()`: the fit of the method, with `step`, if it is given, as its default model.
#'   `tlcp_criterion()`: a parameter of dials. Errors are those of the methods.
#' @references The pages of the methods have their references. Kuhn, M. and Wickham, H. (2020). *Tidymodels: a
#'   collection of packages for modeling and machine learning using tidyverse principles.* <https://www.tidymodels.org>
#' @seealso [cv_path()], [step_select_transfer()]
#' @examplesIf requireNamespace("parsnip", quietly = TRUE)
#' model <- parsnip::set_engine(parsnip::linear_reg(), "tlcp", domain = "cyl", target = "4")
#' fit <- parsnip::fit(model, mpg ~ wt + hp + cyl, data = mtcars)
#' predict(fit, mtcars[1:3, ])
#' if (requireNamespace("dials", quietly = TRUE)) tlcp_criterion(c("AIC", "BIC"))
#' @name tidymodels
#' @export
transelect_engine <- function(x, y, method, domain = NULL, weights = NULL, step = NULL, bound = NULL, ...) {
  call <- rlang::current_env()
  given <- list(...)
  method <- check_choice(method, parsnip_engines(), "method", call)
  if (!is.null(bound)) bound <- path_bound_check(bound, call)
  if (!is.null(domain)) {
    if (!rlang::is_string(domain) || !domain %in% colnames(x)) {
      abort_value(domain, "domain",
                  "Give the name of a column of the predictors: {.val {utils::head(colnames(x), 20)}}.", call)
    }
    given$domain <- x[[domain]]
    x <- x[setdiff(colnames(x), domain)]
  }
  if (!is.null(weights)) given$weights <- as.double(weights)
  if (!is.null(given$family)) given$prob <- NULL # then the likelihood gives the probabilities
  fitted_call <- function(given) do.call(method, c(list(quote(x), quote(y)), given))
  fit <- tryCatch(fitted_call(given), transelect_error_max_steps = function(e) {
    if (is.null(e$most)) rlang::cnd_signal(e)
    fitted_call(replace(given, "max_steps", e$most))
  })
  if (!is.null(step)) {
    if (rlang::is_integerish(step, n = 1, finite = TRUE)) step <- min(step, max(path_step_table(fit)))
    stats::coef(fit, step = step) # an error if the fit has no such step
    fit$best <- step
  }
  fit$bound <- bound %||% fit$bound
  whole_sealed(fit)
}

# What parsnip is told about a method; each method of this package has its S3 method in its own file. `models`: the
# models of parsnip that the method fits, each with the arguments that it needs besides the user's, since models of
# classes must have probabilities. `tunable`: the arguments of set_engine() that the user may replace by tune().
parsnip_engine <- function(method) UseMethod("parsnip_engine", structure(list(), class = method))

parsnip_engines <- function() sub("parsnip_engine.", "", ls(topenv(), pattern = "^parsnip_engine[.]"), fixed = TRUE)

# The ranges of tunable arguments, which are the same for all methods.
RANGES <- list(
  step = list(pkg = "dials", fun = "num_terms", range = c(1L, 10L)),
  max_steps = list(pkg = "dials", fun = "num_terms", range = c(1L, 30L)),
  ridge = list(pkg = "dials", fun = "penalty", range = c(-6, -1)),
  criterion = list(pkg = "transelect", fun = "tlcp_criterion")
)

#' @rdname tidymodels
#' @export
tlcp_criterion <- function(values = c("Cp", "AIC", "BIC", "HQ", "RIC")) {
  rlang::check_installed("dials", "for a parameter to tune.")
  dials::new_qual_param("character", values, label = c(criterion = "Criterion"))
}

parsnip_register_engines <- function() {
  for (engine in parsnip_engines()) {
    for (model in names(parsnip_engine(engine)$models)) {
      if (!engine %in% parsnip::get_from_env(model)$engine) parsnip_register_engine(model, engine)
    }
  }
}

parsnip_register_engine <- function(model, engine) {
  mode <- if (model == "linear_reg") "regression" else "classification"
  parsnip::set_model_engine(model, mode, engine)
  parsnip::set_dependency(model, engine, "transelect", mode)
  asked <- parsnip_engine(engine)
  engine_defaults <- c(list(method = engine), asked$models[[model]])
  parsnip::set_fit(model, mode, engine, list(
    interface = "data.frame", protect = c("x", "y", "weights"),
    func = c(pkg = "transelect", fun = "transelect_engine"), defaults = engine_defaults
  ))
  parsnip::set_encoding(model, mode, engine, list(
    predictor_indicators = "none", compute_intercept = FALSE, remove_intercept = TRUE, allow_sparse_x = FALSE
  ))
  for (name in asked$tunable) parsnip::set_model_arg(model, engine, name, name, RANGES[[name]], has_submodel = FALSE)
  predict_as <- function(kind, type, post = NULL) {
    parsnip::set_pred(model, mode, engine, kind, list(
      pre = NULL, post = post, func = c(fun = "predict"),
      args = list(object = quote(object$fit), newdata = quote(new_data), type = type)
    ))
  }
  if (mode == "regression") return(predict_as("numeric", "response"))
  predict_as("class", "class")
  predict_as("prob", "prob", parsnip_probability_columns)
}

# parsnip wants a column for each level of the response.
parsnip_probability_columns <- function(result, object) {
  levels <- object$lvl
  if (is.null(dim(result))) result <- cbind(1 - result, result)
  stats::setNames(as.data.frame(result), levels)
}
