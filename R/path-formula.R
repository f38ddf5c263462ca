# What other packages ask a fitted model for: its family, its formula, its terms, and its packages.

#' @rdname transfer_path
#' @export
family.transfer_path <- function(object, ...) {
  arguments_of_generic()
  switch(if (path_object_has_classes_by_squares(object)) "gaussian" else object$family,
    gaussian = stats::gaussian(),
    binomial = stats::binomial(),
    poisson = if (is.null(object$theta)) stats::poisson() else
      structure(list(family = paste0("Negative Binomial(", signif(object$theta, 4), ")"), link = "log"),
                class = "family"),
    structure(list(family = object$family, link = object$link), class = "family")
  )
}

WRITTEN_OUT <- 500 # variables; a formula of thousands is a call nested too deeply for R

#' @rdname transfer_path
#' @export
formula.transfer_path <- function(x, ..., env = NULL) {
  arguments_of_generic()
  if (is.null(x$formula)) {
    abort_input("This path was fitted without a formula.", "formula",
                i = if (!is.null(x$fitted)) "Fit it again with a formula and {.arg data}." else
                  "Give the formula to {.fn moments} again: a fit to moments does not keep it.",
                call = rlang::current_env())
  }
  formula <- x$formula
  variables <- x$blueprint$variables
  if ("." %in% all.vars(formula[[3]]) && length(variables) && length(variables) <= WRITTEN_OUT) {
    formula[[3]] <- path_formula_dotless_side(formula[[3]], x$blueprint)
  }
  if (is.environment(env)) environment(formula) <- env
  formula
}

#' @rdname transfer_path
#' @importFrom stats terms
#' @export
terms.transfer_path <- function(x, ...) {
  path_formula_terms_of_family(stats::terms(stats::formula(x, ...)), x)
}

# Terms of a Cox model have an intercept also where its formula has none, as those of coxph(): the baseline hazard.
path_formula_terms_of_family <- function(terms, object) {
  if (object$family == "cox") attr(terms, "intercept") <- 1L
  terms
}

#' @rdname transfer_path
#' @param data For `model.matrix()` and `model.frame()`: the rows. If left out, the data that the call of the fit names.
#' @importFrom stats model.matrix
#' @export
model.matrix.transfer_path <- function(object, data = NULL, ...) {
  arguments_of_generic(same = "xlev")
  call <- rlang::current_env()
  if (is.null(data)) return(path_rows_training_design(object, NULL, parent.frame(), call))
  x <- frame_bake(object$blueprint, data, call)
  if (!is.null(object$blueprint$columns)) colnames(x) <- object$blueprint$columns
  ones <- object$family != "cox" && path_object_has_intercept(object)
  if (ones) x <- cbind(matrix(1, nrow(x), 1, dimnames = list(NULL, "(Intercept)")), x)
  path_formula_with_assign(x, object)
}

# The design with the attributes `assign` and `contrasts` of model.matrix(), where a formula or a data frame says them.
path_formula_with_assign <- function(X, object) {
  blueprint <- object$blueprint
  contrasts <- if (blueprint$kind == "terms") blueprint$contrasts else
    Filter(Negate(is.null), lapply(blueprint$variables, `[[`, "coding"))
  of <- if (blueprint$kind == "terms") path_formula_term_numbers(object) else
    if (blueprint$kind == "frame") frame_design_variable_of_columns(blueprint$variables)
  if (is.null(of)) return(X)
  attr(X, "assign") <- c(rep(0L, ncol(X) - length(of)), of)
  if (length(contrasts)) attr(X, "contrasts") <- contrasts
  X
}

# The number of each column's term among those of terms(object), which has those of strata(), too, as in coxph().
path_formula_term_numbers <- function(object) {
  blueprint <- object$blueprint
  if (is.null(object$formula)) return(blueprint$assign)
  match(attr(blueprint$terms, "term.labels"), attr(stats::terms(object), "term.labels"))[blueprint$assign]
}

#' @rdname transfer_path
#' @param drop.unused.levels Leave out levels without rows from the factors of the model frame?
#' @importFrom stats model.frame
#' @export
model.frame.transfer_path <- function(formula, data = NULL, ..., drop.unused.levels = TRUE) {
  arguments_of_generic(same = c("subset", "na.action", "xlev", "weights", "offset"))
  env <- parent.frame()
  call <- rlang::current_env()
  if (!is.null(data)) {
    if (!is.data.frame(data)) abort_kind(data, "data", "Give a data frame.", call)
    return(tryCatch(stats::model.frame(stats::formula(formula), data, ...,
                                       drop.unused.levels = drop.unused.levels), error = function(error) {
      lacking <- setdiff(all.vars(stats::formula(formula)), names(data))
      lacking <- lacking[!vapply(lacking, exists, NA, envir = environment(stats::formula(formula)))]
      if (!length(lacking)) rlang::cnd_signal(error)
      abort_input("{.arg data} has no column {.val {lacking}}.", "data",
                  i = "Give the variables of the formula, the response among them.", call = call)
    }))
  }
  rows <- path_rows_training(formula, NULL, env, call)$rows
  offset <- formula$offset$expression
  rows <- rlang::inject(stats::model.frame(stats::formula(formula), rows, ...,
                                           !!!if (!is.null(offset)) list(offset = offset),
                                           drop.unused.levels = drop.unused.levels))
  attr(rows, "terms") <- path_formula_terms_of_family(attr(rows, "terms"), formula)
  labels <- path_rows_case_labels(formula)
  if (nrow(rows) == length(labels)) rows else rows[labels, , drop = FALSE]
}

#' @export
required_pkgs.transfer_path <- function(x, ...) {
  arguments_of_generic(same = "infra")
  "transelect"
}

# The right-hand side without a `.`.
path_formula_dotless_side <- function(side, blueprint) {
  if (blueprint$kind == "terms") return(stats::formula(blueprint$terms)[[2]])
  intercept <- frame_formula_terms_wide_side(side)$intercept
  stats::reformulate(sprintf("`%s`", names(blueprint$variables)), intercept = intercept)[[2]]
}
