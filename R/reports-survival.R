# Methods for package survival: curves of Cox models, concordance. basehaz() and cox.zph() are no generics there.

#' Survival curves and concordance of a fit
#'
#' Survival curves of a Cox model fitted by [tlcp()] or [tgreedy()]: `survival::survfit(fit, newdata)`.
#' `survival::concordance(fit)` is for any fit of numbers, two classes or times. Both are as in the package survival for
#' `coxph()`, `lm()` and `glm()`. For survival probabilities at given times use `predict(type = "survival")`, and for
#' the concordance on new rows [assess()] or [cv_path()].
#'
#' The curves use the baseline hazard of the target, for [tgreedy()] that of all domains together. They have standard
#' errors and limits only if the coefficients are those of `coxph()`: with `select = FALSE` and nothing borrowed.
#' Otherwise the usual formula would not be valid, since it treats the columns as given and uses the rows of one domain
#' only. `basehaz()` and `cox.zph()` take `coxph` objects only: use `survfit(fit)$cumhaz` for the baseline hazard, and
#' fit the chosen columns by `coxph()` for `cox.zph()`.
#'
#' A Cox model by [greedytl()], a mean of several models, has no `survfit()` and no `concordance()`: use `predict(type =
#' "survival", times = )` and [assess()].
#'
#' A fit keeps no training rows: the data that its call names are used, and checked.
#'
#' @param formula,object A fit, by a formula for Cox models.
#' @param newdata Rows for which curves are wanted. If left out, there is one curve at the means of the columns.
#' @param data The rows of the fit. If left out, the data that its call names.
#' @param ... Arguments of `survfit()` for a `coxph` object, or of `concordance()`.
#' @returns An object of class `survfit` or `concordance` of package survival.
#' @references Therneau, T. M. and Grambsch, P. M. (2000). *Modeling Survival Data: Extending the Cox Model*. Springer.
#' @seealso [predict()][predict.transfer_path] with `type = "survival"`.
#' @examplesIf requireNamespace("survival", quietly = TRUE)
#' lung <- na.omit(survival::lung[c("time", "status", "age", "sex", "ph.ecog")])
#' fit <- tlcp(survival::Surv(time, status) ~ age + sex + ph.ecog, data = lung)
#' survival::survfit(fit, newdata = lung[1:2, ])
#' survival::concordance(fit)
#' @name survfit.transfer_path
NULL

#' @rdname survfit.transfer_path
#' @exportS3Method survival::survfit
survfit.transfer_path <- function(formula, newdata, ..., data = NULL) {
  call <- rlang::current_env()
  if (is.null(formula$baseline)) {
    abort_input("{.fn survfit} is for Cox models, and this is a {.fn {class(formula)[1]}} fit of family {.val
                 {formula$family}}.", "formula",
                i = "Use {.fn tlcp} or {.fn tgreedy} with a {.cls Surv} response.", call = call)
  }
  cox <- reports_survival_coxph(formula, data, parent.frame(), call)
  with_errors <- path_nested_without_search(formula)
  curves <- if (missing(newdata)) {
    survival::survfit(cox, se.fit = with_errors, ...)
  } else {
    columns <- attr(cox, "columns")
    x <- as.matrix(stats::model.matrix(formula, newdata)[, columns, drop = FALSE])
    new <- stats::setNames(as.data.frame(x), sprintf("V%d", seq_along(columns)))
    of_target <- if (!is.null(formula$target)) list(domain = formula$target)
    score <- rlang::inject(stats::predict(formula, newdata, type = "link", !!!of_target))
    new$o <- as.vector(score) - formula$a0[formula$best + 1] - drop(x %*% stats::coef(formula)[columns])
    new$s <- reports_survival_strata(attr(cox, "strata"), newdata, parent.frame())
    row.names(new) <- row.names(newdata)
    survival::survfit(cox, newdata = new, se.fit = with_errors, ...)
  }
  if (!is.null(curves$strata)) names(curves$strata) <- sub("^s=", "", names(curves$strata))
  curves$call <- match.call()
  curves
}

# The stratum of each row of new data; NULL where they do not have it: survival gives the curves of all strata then.
reports_survival_strata <- function(strata, newdata, env) {
  if (is.null(strata)) return(NULL)
  inside <- rlang::new_environment(list(strata = survival::strata), parent = env)
  found <- tryCatch(lapply(strata$by, function(one) eval(str2lang(one), newdata, inside)), error = function(e) NULL)
  if (!is.null(found)) factor(interaction(found, sep = ", "), strata$levels)
}

#' @exportS3Method survival::survfit
survfit.transfer_cv <- function(formula, ...) {
  rlang::eval_bare(rlang::call2(survfit.transfer_path, formula$fit, ...), parent.frame()) # where data are looked for
}

#' @rdname survfit.transfer_path
#' @exportS3Method survival::concordance
concordance.transfer_path <- function(object, ..., data = NULL) {
  call <- rlang::current_env()
  if (!is.null(object$baseline)) {
    estimate <- survival::concordance(reports_survival_coxph(object, data, parent.frame(), call), ...)
  } else {
    path_rows_refuse_rowless(object, call)
    if (!is.numeric(object$fitted) || path_object_is_multi(object)) {
      abort_input("There is no concordance of several responses or scores of classes.", "object",
                  i = "Fit two classes with {.code family = \"binomial\"}, or give {.fn survival::concordance} a formula
                       of response and scores.", call = call)
    }
    rows <- data.frame(y = path_rows_round_response(object), fitted = as.vector(object$fitted),
                       w = path_rows_prior_weights(object))
    estimate <- survival::concordance(y ~ fitted, data = rows, weights = rows$w, ...)
  }
  estimate$call <- match.call()
  estimate
}

# The Cox model of the target's rows as an object of survival: its columns named V1, V2, ..., its coefficients those of
# the fit, not estimated anew. Attributes: "columns", their names; "strata", terms and levels of its strata.
reports_survival_coxph <- function(object, data, env, call) {
  if (identical(object$best, "average")) {
    abort_input("This {.fn {class(object)[1]}} fit is a mean of several Cox models, not one Cox model.",
                rlang::fn_fmls_names(rlang::frame_fn(call))[1],
                i = "{.code predict(type = \"survival\", times = )} gives probabilities of surviving, {.fn assess} the
                     concordance on new rows.", call = call)
  }
  rlang::check_installed("survival", "for curves of Cox models")
  training <- path_rows_training(object, data, env, call)
  X <- training$X
  b <- stats::coef(object)
  columns <- intersect(names(b)[b != 0], colnames(X))
  frame <- tryCatch({
    formula <- stats::formula(object)
    environment(formula) <- rlang::new_environment(list(Surv = survival::Surv, strata = survival::strata), parent = env)
    found <- stats::model.frame(formula, training$rows, na.action = stats::na.pass)
    labels <- path_rows_case_labels(object)
    if (nrow(found) == nrow(X)) found else found[labels, , drop = FALSE]
  }, error = function(e) NULL)
  if (is.null(frame) || nrow(frame) != nrow(X)) {
    abort_input("The times of the rows of the fit are not found.", "data",
                i = "Fit by a formula, and give its data as {.arg data}.", call = call)
  }
  values <- stats::setNames(as.data.frame(as.matrix(X[, columns, drop = FALSE])), sprintf("V%d", seq_along(columns)))
  values$y <- stats::model.response(frame)
  values$w <- path_rows_prior_weights(object)
  by <- grep("^(survival::)?strata\\(", names(frame), value = TRUE)
  strata <- if (length(by)) interaction(frame[by], drop = TRUE, sep = ", ")
  # what the linear predictor has beside the columns: an offset
  score <- log(as.vector(object$fitted))
  beside <- score - object$a0[object$best + 1] - drop(as.matrix(X[, columns, drop = FALSE]) %*% b[columns])
  offset <- max(abs(beside)) > 1e-6 * (1 + max(abs(score)))
  terms <- c(sprintf("V%d", seq_along(columns)), if (!is.null(strata)) "strata(s)", if (offset) "offset(o)")
  values$s <- strata
  if (offset) values$o <- beside
  formula <- stats::reformulate(if (length(terms)) terms else "1", "y")
  environment(formula) <- rlang::new_environment(list(values = values, strata = survival::strata),
                                                 parent = asNamespace("survival"))
  fit <- rlang::inject(survival::coxph(!!formula, data = values, weights = !!quote(w), init = !!unname(b[columns]),
                                       control = survival::coxph.control(iter.max = 0), model = TRUE, x = TRUE),
                       env = environment(formula))
  attr(fit, "columns") <- columns
  if (!is.null(strata)) attr(fit, "strata") <- list(by = by, levels = levels(strata))
  fit
}
