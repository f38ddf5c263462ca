# Methods for package survival: curves of Cox models, concordance. basehaz() and cox.zph() are no generics there.

#' Survival curves and concordance of a fit
#'
#' Survival curves of a Cox model fitted by [tlcp()] or [tgreedy()]: `survival::survfit(fit, newdata)`.
#' `survival::concordance(fit)` is for any fit of numbers, two classes or times. Both are as in the package survival for
#' `coxph()`, `lm()` and `glm()`. For survival probabilities at given times use `predict(type = "survival")`, and for
#' the concordance on new rows [assess()] or [cv_path()].
#'
#' With `id`, or with `individual = TRUE` for one person, the rows of `newdata` are the intervals of a person whose
#' columns change with time, and there is one curve for each person, as for `coxph()`. `newdata` then has the times,
#' too.
#'
#' The curves use the baseline hazard of the target, for [tgreedy()] that of all domains together. They have standard
#' errors and limits only if the coefficients are those of `coxph()`: with `select = FALSE` and nothing borrowed.
#' Otherwise the usual formula would not be valid, since it treats the columns as given and uses the rows of one domain
#' only. `basehaz()` and `cox.zph()` are no generics and take `coxph` objects only: use `survfit(fit)$cumhaz` for the
#' baseline hazard, and for `cox.zph()` fit the chosen columns by `coxph()`, or look at
#' `residuals(fit, type = "schoenfeld")`.
#'
#' A Cox model by [greedytl()], a mean of several models, has no `survfit()` and no `concordance()`: use `predict(type =
#' "survival", times = )` and [assess()].
#'
#' A fit keeps no training rows: the data that its call names are used, and checked.
#'
#' @param formula,object A fit, by a formula for Cox models.
#' @param newdata Rows for which curves are wanted. If left out, there is one curve at the means of the columns.
#' @param se.fit FALSE: curves without standard errors. TRUE is an error for fits that have none.
#' @param individual,id TRUE, or a variable of `newdata`: rows of `newdata` that belong to one person.
#' @param data The rows of the fit. If left out, the data that its call names.
#' @param ... Further arguments of `survfit()` for a `coxph` object, or of `concordance()`.
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
survfit.transfer_path <- function(formula, newdata, se.fit = TRUE, individual = FALSE, id, ..., data = NULL) {
  call <- rlang::current_env()
  more <- arguments_of_generic(SURVFIT_ARGUMENTS)
  if (is.null(formula$baseline)) {
    abort_input("{.fn survfit} is for Cox models, and this is a {.fn {class(formula)[1]}} fit of family {.val
                 {formula$family}}.", "formula",
                i = "Use {.fn tlcp} or {.fn tgreedy} with a {.cls Surv} response.", call = call)
  }
  with_errors <- path_nested_without_search(formula)
  asked <- !missing(se.fit) && check_flag(se.fit, "se.fit", call) || isTRUE(more$influence)
  if (asked && !with_errors) {
    abort_input("There are no standard errors of the curves of this fit: {if (isFALSE(formula$settings$select)) 'it
                 borrows' else 'the same rows chose its columns'}.", "se.fit",
                i = "Leave {.arg se.fit} out, or fit by {.fn survival::coxph}, or by {.fn tlcp} with
                     {.code select = FALSE} and {.code borrow = \"none\"}.", call = call)
  }
  cox <- reports_survival_coxph(formula, data, parent.frame(), call)
  more <- c(list(formula = cox, se.fit = se.fit && with_errors), more)
  along <- !missing(id) || check_flag(individual, "individual", call) # rows of one person, in time
  if (missing(newdata)) {
    if (along) abort_missing("newdata", "Give the rows of a person whose columns change with time.", call)
  } else {
    more$newdata <- reports_survival_new_rows(formula, cox, newdata, along, parent.frame(), call)
    if (along) {
      more$newdata$person <- if (missing(id)) 1 else eval(substitute(id), newdata, parent.frame())
      more$id <- quote(person) # a column; `id` would be missing where this method's own is
    }
  }
  curves <- do.call(survival::survfit, more)
  if (!is.null(curves$strata)) names(curves$strata) <- sub("^s=", "", names(curves$strata))
  curves$call <- match.call()
  curves
}

SURVFIT_ARGUMENTS <- c("conf.int", "stype", "ctype", "conf.type", "censor", "start.time", "influence", "na.action",
                       "type", "time0")

# New rows as the Cox model of survival takes them: its columns V1, V2, ..., what the linear predictor has beside them,
# the strata, and with `along` the times.
reports_survival_new_rows <- function(object, cox, newdata, along, env, call) {
  columns <- attr(cox, "columns")
  x <- as.matrix(stats::model.matrix(object, newdata)[, columns, drop = FALSE])
  new <- stats::setNames(as.data.frame(x), sprintf("V%d", seq_along(columns)))
  if (!length(columns)) new <- data.frame(row.names = seq_len(nrow(newdata)))
  of_target <- if (!is.null(object$target)) list(domain = object$target)
  score <- rlang::inject(stats::predict(object, newdata, type = "link", !!!of_target))
  new$o <- as.vector(score) - object$a0[object$best + 1] - drop(x %*% stats::coef(object)[columns])
  new$s <- reports_survival_strata(attr(cox, "strata"), newdata, env)
  if (along) {
    new$y <- path_predict_response(object, newdata)
    if (is.null(new$y)) {
      abort_input("{.arg newdata} lacks the times of its rows: {.code {rlang::as_label(object$formula[[2]])}}.",
                  "newdata", i = "Give when each row begins and ends, as in the data of the fit.", call = call)
    }
  }
  row.names(new) <- row.names(newdata)
  new
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
  anew <- match.call() # its `id` is a name in the new rows
  anew[[1]] <- survfit.transfer_path
  anew$formula <- formula$fit
  eval(anew, parent.frame()) # where data are looked for
}

# Residuals by the events, or by the influence of each row, that need the rows of the fit.
#' @export
path_verbs_row_residuals.transfer_path <- function(object, type, more, env, call) {
  if (!type %in% c("schoenfeld", "score") && !path_nested_without_search(object)) {
    abort_input("{.arg type} is {.val {type}}, which needs the covariance matrix of {.fn survival::coxph}.", "type",
                i = "Give {.val schoenfeld} or {.val score}, or fit the chosen columns by {.fn survival::coxph}: {.fn
                     cox.zph} and these residuals are made for its fits.", call = call)
  }
  cox <- reports_survival_coxph(object, NULL, env, call)
  value <- do.call(stats::residuals, c(list(cox, type = type), more))
  columns <- attr(cox, "columns")
  if (is.matrix(value) && ncol(value) == length(columns)) colnames(value) <- columns
  if (NROW(value) == NROW(object$fitted)) value <- stats::naresid(object$elsewhere %||% object$na.action, value)
  value
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
