# Models compared as lm() and glm() do: anova(), extractAIC(), drop1() and add1(), and with them step().

#' Nested models
#'
#' `anova(small, large)` compares nested fits, `anova(fit)` the models on the path of one fit. `extractAIC()`, `drop1()`
#' and `add1()` are as for [lm()] and [glm()], and [step()] uses them. Use them for fits of [tlcp()] with `select =
#' FALSE`. To compare fits by their errors on new rows use [compare_paths()].
#'
#' Tests are given only if no search has chosen the columns and nothing is borrowed, as for `tlcp(select = FALSE, borrow
#' = "none")`. After a search no p-value would be valid, since only the smallest of many would be shown. `drop1()`,
#' `add1()` and [step()] fit again with other terms, so they need a fit by formula whose data still exist. For a fit
#' that has searched they are errors, because the search of [tlcp()] is exact: `fit$certificate` proves that no subset
#' has a better criterion, so `step()` could not find one either.
#'
#' @param object,fit A fitted path; for `drop1()` and `add1()` a [tlcp()] fit with `select = FALSE`.
#' @param ... For `anova()`: further fits to the same rows.
#' @param test `"F"` (least squares), `"Chisq"` or `"none"`. `NULL`: the usual test of the family, if tests are valid.
#' @param scale,k As in [extractAIC()].
#' @param scope The terms to be dropped or added, as in [drop1()].
#' @returns As for [lm()] and [glm()]: a data frame of class `anova`, or for `extractAIC()` the degrees of freedom
#'   and the AIC.
#' @references Chambers, J. M. and Hastie, T. J. (1992). *Statistical Models in S*. Wadsworth & Brooks/Cole, chapter 4.
#' @seealso [transfer_path], [confint.tlcp()]
#' @examples
#' large <- tlcp(mpg ~ wt + hp + qsec, data = mtcars, select = FALSE)
#' small <- tlcp(mpg ~ wt, data = mtcars, select = FALSE)
#' anova(small, large)
#' drop1(large)
#' anova(tlcp(mpg ~ wt + hp + qsec, data = mtcars))
#' @name nested-models
NULL

#' @rdname nested-models
#' @importFrom stats anova
#' @export
anova.transfer_path <- function(object, ..., test = NULL) {
  call <- rlang::current_env()
  named <- setdiff(...names(), "")
  others <- list(...)
  fits <- vapply(others, inherits, NA, what = c("transfer_path", "transfer_cv"))
  if (length(others) && !all(fits)) {
    if (length(named) && !fits[match(named[1], ...names())]) arguments_of_generic()
    abort_input("{.arg ...} has {.obj_type_friendly {others[[which(!fits)[1]]]}}.", "...",
                i = "Give fits of this package to the same rows.", call = call)
  }
  likelihood <- inherits(object, "likelihood_path")
  models <- lapply(c(list(object), others), function(one) if (inherits(one, "transfer_cv")) one$fit else one)
  if (length(models) == 1) {
    worths <- lapply(path_step_table(object, object$best_lambda),
                     function(step) path_worth(object, step, object$best_lambda))
    labels <- format(vapply(worths, function(worth) as.character(worth$step), ""))
  } else {
    if (length(unique(vapply(models, stats::nobs, 0))) > 1) {
      abort_input("The fits have different numbers of rows.", "...", i = "Fit all to the same rows.", call = call)
    }
    worths <- lapply(models, path_worth)
    labels <- format(seq_along(models))
  }
  refused <- worths[[1]]$refused$deviance
  if (!is.null(refused)) abort_input(refused$what, refused$argument, i = refused$mend, call = call)
  valid <- all(vapply(models, path_nested_without_search, NA))
  test <- if (!valid && !identical(test, "none") && !is.null(test)) {
    abort_input("{.arg test} is {.val {test}}, and columns were chosen by a search, or something is borrowed.", "test",
                i = "Leave it out: such a p-value is not valid. Tests are for {.code tlcp(select = FALSE)}.",
                call = call)
  } else if (!valid) "none" else {
    check_choice(test %||% if (likelihood) "Chisq" else "F", c("F", "Chisq", "none"), "test", call)
  }
  take <- function(name) vapply(worths, `[[`, 0, name)
  n <- if (likelihood && object$family == "cox") object$nobs else stats::nobs(object)
  table <- path_nested_table(n - take("df"), take("deviance"), likelihood, test)
  row.names(table) <- labels
  heading <- c(if (length(models) == 1) "Models on the path, by step\n" else "Models compared\n",
               if (!valid) "No tests: columns were chosen by a search, or something is borrowed\n")
  structure(table, heading = heading, class = c("anova", "data.frame"))
}

# Were the columns decided on beforehand, and nothing borrowed?
path_nested_without_search <- function(object) {
  isFALSE(object$settings$select) && identical(object$borrowing$borrow,
                                               "none") && !path_object_has_classes_by_squares(object)
}

# The table of anova.lm() or anova.glm() for models one after the other.
path_nested_table <- function(left, deviance, likelihood, test) {
  df <- c(NA, -diff(left))
  gain <- c(NA, -diff(deviance))
  table <- if (likelihood) data.frame(left, deviance, df, gain) else data.frame(left, deviance, df, gain)
  names(table) <- if (likelihood) c("Resid. Df", "Resid. Dev", "Df", "Deviance") else
    c("Res.Df", "RSS", "Df", "Sum of Sq")
  if (test == "none") return(table)
  largest <- which.min(left)
  scale <- if (likelihood) 1 else deviance[largest] / left[largest]
  if (test == "F") {
    table$F <- gain / df / scale
    table[["Pr(>F)"]] <- stats::pf(table$F, abs(df), left[largest], lower.tail = FALSE)
  } else {
    table[["Pr(>Chi)"]] <- stats::pchisq(gain / scale * sign(df), abs(df), lower.tail = FALSE)
  }
  table
}

#' @rdname nested-models
#' @importFrom stats extractAIC
#' @export
extractAIC.transfer_path <- function(fit, scale = 0, k = 2, ...) {
  call <- rlang::current_env()
  arguments_of_generic()
  scale <- check_number(scale, "scale", 0, call)
  k <- check_number(k, "k", -Inf, call)
  worth <- path_worth(fit)
  refused <- worth$refused$logLik
  if (!is.null(refused) && is.na(worth$rss)) abort_input(refused$what, refused$argument, i = refused$mend, call = call)
  c(worth$df, path_nested_penalised_worth(worth, fit$nobs, scale, k))
}

# The AIC of extractAIC() for least squares or for a likelihood.
path_nested_penalised_worth <- function(worth, n, scale, k) {
  fit <- if (is.na(worth$rss)) -2 * worth$log_lik else if (scale > 0) worth$rss / scale - n else
    n * log(worth$rss / n)
  fit + k * worth$df
}

#' @rdname nested-models
#' @importFrom stats drop1
#' @export
drop1.transfer_path <- function(object, scope, scale = 0, test = c("none", "Chisq", "F"), k = 2, ...) {
  arguments_of_generic(same = "trace")
  path_nested_refuse_after_search(object, "drop1", rlang::current_env())
  terms <- if (missing(scope)) stats::drop.scope(object) else if (is.character(scope)) scope else
    attr(stats::terms(stats::update.formula(stats::formula(object), scope)), "term.labels")
  path_nested_single_terms(object, terms, "-", scale, match.arg(test), k, parent.frame())
}

#' @rdname nested-models
#' @importFrom stats add1
#' @export
add1.transfer_path <- function(object, scope, scale = 0, test = c("none", "Chisq", "F"), k = 2, ...) {
  arguments_of_generic(same = "trace")
  call <- rlang::current_env()
  path_nested_refuse_after_search(object, "add1", call)
  if (missing(scope)) abort_missing("scope", "Give the terms to be added, as a formula or names.", call)
  terms <- if (is.character(scope)) scope else stats::add.scope(object, stats::update.formula(formula(object), scope))
  path_nested_single_terms(object, terms, "+", scale, match.arg(test), k, parent.frame())
}

# Refuses to change the fit of a search term by term, or that of cross-validation, which has a path too.
path_nested_refuse_after_search <- function(object, verb, call) {
  if (isFALSE(object$settings$select)) return(invisible())
  exact <- inherits(object, "tlcp")
  abort_input("{.fn {verb}} and {.fn step} are not for the fit of a search.", "object",
              i = if (exact) {
                "The search is exact: no subset has a better criterion ({.code fit$certificate} proves it), so there is
                 nothing to drop or to add. {.code anova(fit)} has the best model of every size; a fit with
                 {.code select = FALSE} can be changed term by term."
              } else {
                "{.code anova(fit)} has the models of its path; {.code tlcp(select = FALSE)} can be changed term by
                 term."
              }, call = call)
}

# The table of drop1.lm() or drop1.glm(): the fit and fits with one term less (or more).
path_nested_single_terms <- function(object, terms, sign, scale, test, k, env) {
  likelihood <- inherits(object, "likelihood_path")
  only <- sign == "-" && length(attr(stats::terms(object), "term.labels")) == 1 # the empty model is step 0
  worths <- c(list(path_worth(object)), lapply(terms, function(term) {
    if (only) return(path_worth(object, 0L))
    path_worth(eval(stats::update(object, stats::as.formula(paste("~ .", sign, term)), evaluate = FALSE), env))
  }))
  df <- vapply(worths, `[[`, 0, "df")
  deviance <- vapply(worths, `[[`, 0, "deviance")
  more <- if (sign == "-") 1 else -1
  aic <- vapply(worths, path_nested_penalised_worth, 0, n = object$nobs, scale = scale, k = k)
  gained <- more * (deviance - deviance[1])
  change <- more * (df[1] - df)
  change[1] <- gained[1] <- NA
  table <- if (likelihood) data.frame(Df = change, Deviance = deviance, AIC = aic) else
    data.frame(Df = change, `Sum of Sq` = gained, RSS = deviance, AIC = aic, check.names = FALSE)
  row.names(table) <- c("<none>", terms)
  if (test == "Chisq") {
    rss <- deviance / object$nobs
    statistic <- if (likelihood) gained else if (scale > 0) gained / scale else
      object$nobs * more * (log(rss) - log(rss[1]))
    statistic[1] <- NA
    if (likelihood) table$LRT <- statistic
    table[["Pr(>Chi)"]] <- stats::pchisq(statistic, change, lower.tail = FALSE)
  } else if (test == "F") {
    larger <- if (sign == "-") 1L else seq_along(df)
    left <- (object$nobs - df)[larger]
    table[["F value"]] <- gained / change / (deviance[larger] / left)
    table[["Pr(>F)"]] <- stats::pf(table[["F value"]], change, left, lower.tail = FALSE)
  }
  heading <- c(if (sign == "-") "Single term deletions" else "Single term additions", "\nModel:",
               deparse(stats::formula(object)))
  structure(table, heading = heading, class = c("anova", "data.frame"))
}
