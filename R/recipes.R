# A step of the package recipes that keeps the columns which a method selects.

#' Selection as a step of a recipe
#'
#' Selects columns as a step of a recipe of the package recipes: `step_select_transfer(recipe,
#' recipes::all_numeric_predictors(), outcome = "mpg", fit = tlcp)`. Use it to select features for a model of another
#' package. To fit a model of this package within tidymodels use its engines ([tidymodels]). Among the columns given by
#' the selectors the step keeps those that a method of this package selects, and removes the others. The selection is
#' made once, by `recipes::prep()`, on the training rows and with their case weights. Frequency weights repeat rows;
#' importance weights are the `weights` of the method, unless `options` has others.
#'
#' @param recipe A recipe.
#' @param ... Selectors of the columns to choose from, as in any step: `recipes::all_numeric_predictors()`.
#' @param outcome Name of the response, a string.
#' @param fit A method of this package, such as `tlcp`, or its name.
#' @param domain `NULL`, or the name of the column with the domains. The selection does not use it as a feature, and the
#'   step does not remove it.
#' @param step The step of the path whose columns are kept. `NULL`: the default model of the fit.
#' @param options List of further arguments of the method: `list(criterion = "BIC")`.
#' @param role Not used, as the step makes no columns.
#' @param trained,removals,path Filled in by `prep()`: whether the step is prepared, the columns to remove,
#'   and the path.
#' @param skip Leave out this step when new data are baked?
#' @param id A name of the step.
#' @returns The recipe with the step added. `tidy()` of a prepared step: a data frame of `terms`, the
#'   columns that are removed, and `id`.
#'   Errors are those of the method.
#' @references The pages of the methods, such as [tlcp()], have their references; the step adds no method of its own.
#' @seealso [tidymodels], the methods as models of parsnip.
#' @examplesIf requireNamespace("recipes", quietly = TRUE)
#' r <- recipes::recipe(mpg ~ ., data = mtcars)
#' r <- step_select_transfer(r, recipes::all_numeric_predictors(), outcome = "mpg", fit = tlcp,
#'                           options = list(criterion = "BIC"))
#' names(recipes::bake(recipes::prep(r), mtcars))
#' @export
step_select_transfer <- function(recipe, ..., outcome, fit = greedytl, domain = NULL, step = NULL,
                                 options = list(), role = NA, trained = FALSE, removals = NULL,
                                 path = NULL, skip = FALSE,
                                 id = recipes::rand_id("select_transfer")) {
  rlang::check_installed("recipes", "for a step of a recipe.")
  call <- rlang::current_env()
  if (!inherits(recipe, "recipe")) {
    abort_kind(recipe, "recipe", "Give what {.fn recipes::recipe} returns.", call)
  }
  if (missing(outcome) || !rlang::is_string(outcome)) {
    abort_input("{.arg outcome} is missing, or not a string.", "outcome",
                i = "Give the name of the response: {.code outcome = \"mpg\"}.", call = call)
  }
  terms <- rlang::enquos(...)
  if ("method" %in% names(terms)) { # its name before version 0.2
    tell("`method` of step_select_transfer() is now called `fit`.", class = "transelect_message_renamed")
    fit <- rlang::eval_tidy(terms$method)
    terms$method <- NULL
  }
  wrong <- intersect(names(OTHER_NAMES)[OTHER_NAMES == "fit"], names(terms))
  if (length(wrong)) {
    abort_input("There is no argument {.arg {wrong[1]}}.", "argument",
                i = "Did you mean {.arg fit}, the method: {.code fit = tlcp}?", call = call)
  }
  known <- lapply(stats::setNames(nm = parsnip_engines()), get, envir = topenv())
  named <- names(Filter(function(one) identical(one, fit), known))
  method <- if (length(named)) named else if (rlang::is_string(fit, parsnip_engines())) fit else
    abort_value(fit, "fit", "Give one of {.or {.val {names(known)}}}, as a function or by its name.", call)
  recipes::add_step(recipe, recipes::step(
    subclass = "select_transfer", terms = terms, role = role, trained = trained,
    outcome = outcome, method = method, domain = domain, step = step, options = options,
    removals = removals, path = path, skip = skip, id = id
  ))
}

#' @exportS3Method recipes::prep
prep.step_select_transfer <- function(x, training, info = NULL, ...) {
  cases <- recipes_case_weights(training, rlang::current_env())
  columns <- setdiff(recipes::recipes_eval_select(x$terms, training, info), c(x$outcome, x$domain, cases$column))
  x$trained <- TRUE
  if (!length(columns)) { # nothing to choose from, as in recipes' own steps
    x$removals <- character()
    return(x)
  }
  training <- as.data.frame(training)
  if (!is.null(cases$times)) training <- training[rep(seq_len(nrow(training)), cases$times), , drop = FALSE]
  predictors <- training[columns]
  given <- c(x$options, if (!is.null(x$domain)) list(domain = training[[x$domain]]))
  if (is.null(given$weights)) given$weights <- cases$weights
  path <- do.call(x$method, c(list(quote(predictors), training[[x$outcome]]), given))
  used <- stats::variable.names(path, step = x$step)
  plans <- path$blueprint$variables # the columns of a factor do not have its name
  used <- names(plans)[frame_design_variable_of_columns(plans)[match(used, frame_design_columns_of_variables(plans))]]
  x$removals <- setdiff(columns, used)
  x$path <- path
  x
}

# The case weights of hardhat among the columns. For importance weights: list(column, weights). For frequency weights:
# list(column, times), where `times` says how often each row is repeated. NULL if there are none.
recipes_case_weights <- function(training, call) {
  column <- names(training)[vapply(training, inherits, NA, "hardhat_case_weights")]
  if (!length(column)) return(NULL)
  if (length(column) > 1) {
    abort_input("The training rows have several columns of case weights: {.val {column}}.", "weights",
                i = "Keep one.", call = call)
  }
  weights <- as.double(unclass(training[[column]]))
  if (!inherits(training[[column]], "hardhat_frequency_weights")) return(list(column = column, weights = weights))
  if (!sum(weights) > 0) abort_input("{.arg weights} are all zero.", "weights", i = "Give a row.", call = call)
  list(column = column, times = weights)
}

#' @exportS3Method recipes::bake
bake.step_select_transfer <- function(object, new_data, ...) {
  new_data[setdiff(names(new_data), object$removals)]
}

#' @export
print.step_select_transfer <- function(x, width = max(20, options()$width - 30), ...) {
  cat("Selection by ", x$method, "()", if (x$trained) paste(":", length(x$removals), "columns removed"), "\n",
      sep = "")
  invisible(x)
}

#' @export
tidy.step_select_transfer <- function(x, ...) {
  terms <- if (x$trained) x$removals else NA_character_
  data.frame(terms = as.character(terms), id = rep(x$id, length(terms)))
}

#' @importFrom generics required_pkgs
#' @export
required_pkgs.step_select_transfer <- function(x, ...) c("recipes", "transelect")
