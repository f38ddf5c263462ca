# Methods for packages that test coefficients or show effects: car, multcomp, effects, emmeans. Of a model of which not
# all columns were chosen they get the coefficients of the columns in the model, as vcov() has them.

#' @exportS3Method car::linearHypothesis
linearHypothesis.tlcp <- function(model, hypothesis.matrix, rhs = NULL, test = NULL, vcov. = NULL, coef. = NULL, ...) {
  default <- utils::getS3method("linearHypothesis", "default", envir = asNamespace("car"))
  df <- reports_tests_df(model, rlang::current_env())
  test <- check_choice(test %||% if (is.finite(df)) "F" else "Chisq", c("Chisq", "F"), "test", rlang::current_env())
  default(model, hypothesis.matrix, rhs = rhs, test = test, vcov. = vcov. %||% stats::vcov(model),
          coef. = coef. %||% stats::coef(model, complete = FALSE), error.df = df, ...)
}

# Degrees of freedom of tests: those of Student's t in the table of coefficients; Inf where tests are normal, those of a
# likelihood that borrows nothing.
reports_tests_df <- function(model, call) tlcp_posterior_step_covariance(model, NULL, call, diagonal = TRUE)$df

#' @exportS3Method car::Anova
Anova.tlcp <- function(mod, ...) {
  reports_tests_refuse_chosen(mod, "Anova", rlang::current_env())
  df <- reports_tests_df(mod, rlang::current_env())
  if (!path_object_has_intercept(mod)) class(mod) <- c("tlcp_without_intercept", class(mod))
  default <- utils::getS3method("Anova", "default", envir = asNamespace("car"))
  given <- list(...)
  test <- given$test.statistic %||% if (is.finite(df)) "F" else "Chisq"
  given$test.statistic <- NULL
  do.call(default, c(list(mod, test.statistic = test, error.df = df), given))
}

# car::Anova() takes the number of coefficients from coef(), which has an intercept, 0, also where none was fitted.
#' @export
coef.tlcp_without_intercept <- function(object, ...) NextMethod(complete = FALSE)

# As for lm(): generalised factors by term where a term has several columns; by column after a search.
#' @exportS3Method car::vif
vif.tlcp <- function(mod, ...) {
  R <- reports_insight_correlation(mod, rlang::current_env())
  by_column <- diag(solve(R))
  columns <- rownames(R)
  of <- path_predict_terms_of_columns(mod, match(columns, path_object_term_names(mod)))
  if (!isFALSE(mod$settings$select) || !anyDuplicated(of)) return(by_column)
  terms <- unique(of)
  gvif <- vapply(terms, function(term) {
    mine <- of == term
    det(R[mine, mine, drop = FALSE]) * det(R[!mine, !mine, drop = FALSE]) / det(R)
  }, 0)
  df <- tabulate(match(of, terms))
  matrix(c(gvif, df, gvif^(1 / (2 * df))), length(terms), dimnames = list(terms, c("GVIF", "Df", "GVIF^(1/(2*Df))")))
}

# For the covariance matrices of package sandwich: of fits with all columns that borrow nothing. Elsewhere the
# coefficients do not solve an equation that is a sum over the rows.
#' @exportS3Method sandwich::estfun
estfun.tlcp <- function(x, ...) {
  call <- rlang::current_env()
  if (!path_nested_without_search(x) || x$family == "cox") {
    abort_input("There are no score contributions of the rows of {if (x$family == 'cox') 'this Cox model' else
                 'a fit of a search, or of one that borrows'}.", "x",
                i = "Give the chosen columns to {.fn lm}, {.fn glm} or {.fn survival::coxph}.", call = call)
  }
  V <- stats::vcov(x)
  X <- path_rows_training_design(x, NULL, parent.frame(), call)[, rownames(V), drop = FALSE]
  X * as.vector(x$residuals) * path_rows_scaled_weights(x)
}

#' @exportS3Method sandwich::bread
bread.tlcp <- function(x, ...) stats::vcov(x) * NROW(x$fitted) / path_rows_residual_scale(x)^2

reports_tests_refuse_chosen <- function(object, verb, call) {
  if (isFALSE(object$settings$select)) return(invisible())
  abort_input("{.fn {verb}} tests terms, and a search has chosen the columns of this fit.", "object",
              i = "Fit with {.code select = FALSE}: a test of columns that were chosen on the same rows is not
                   valid.", call = call)
}

#' @exportS3Method multcomp::modelparm
modelparm.tlcp <- function(model, coef. = NULL, vcov. = NULL, df = NULL, ...) {
  default <- utils::getS3method("modelparm", "default", envir = asNamespace("multcomp"))
  hypotheses <- get0("linfct", parent.frame(), inherits = FALSE) # a matrix where glht() has mcp()
  if (is.matrix(hypotheses) && is.null(coef.) && ncol(hypotheses) > length(stats::coef(model, complete = FALSE))) {
    reports_tests_refuse_chosen(model, "mcp", rlang::current_env())
  }
  known <- reports_tests_df(model, rlang::current_env())
  df <- df %||% if (is.finite(known)) round(known) else 0
  default(model, coef. = coef. %||% function(model) stats::coef(model, complete = FALSE),
          vcov. = vcov. %||% function(model, ...) stats::vcov(model), df = df, ...)
}

# Coefficients that are not in the model are 0, without a variance.
#' @exportS3Method effects::effSources
effSources.tlcp <- function(mod) {
  if (mod$family == "cox") {
    abort_input("Package effects shows mean responses, and a Cox model has none.", "mod",
                i = "Use {.fn emmeans::emmeans}, {.fn marginaleffects::predictions} or {.fn survfit}.",
                call = rlang::current_env())
  }
  b <- stats::coef(mod)
  if (!path_object_has_intercept(mod)) b <- b[names(b) != "(Intercept)"]
  V <- stats::vcov(mod, complete = TRUE)[names(b), names(b), drop = FALSE]
  V[is.na(V)] <- 0
  list(type = "glm", call = mod$call, formula = stats::formula(mod), family = stats::family(mod), coefficients = b,
       vcov = V)
}

#' @exportS3Method emmeans::recover_data
recover_data.transfer_path <- function(object, data = NULL, ...) {
  call <- object$call
  if (is.null(call)) abort_missing("data", "Give the data of the fit: it has no call.", rlang::current_env())
  default <- utils::getS3method("recover_data", "call", envir = asNamespace("emmeans"))
  trms <- stats::delete.response(stats::terms(object))
  # with the bases of poly() and splines
  if (object$blueprint$kind == "terms") attr(trms, "predvars") <- reports_tests_bases(trms, object$blueprint$terms)
  env <- parent.frame()
  rows <- if (is.null(data)) tryCatch(path_rows_training(object, NULL, env, NULL)$rows, error = function(e) NULL)
  if (is.data.frame(rows)) data <- droplevels(path_rows_without_left_out(object, rows))
  found <- default(call, trms, object$na.action, data = data, ...)
  offset <- if (!is.null(object$offset)) frame_bake_offset(object, data, nrow(data), rlang::current_env())
  if (is.null(offset)) return(found)
  # as recover_data.lm() does: means are at the mean of the offsets
  found$.offset. <- offset
  attr(found, "predictors") <- union(attr(found, "predictors"), ".offset.")
  found
}

# The variables of `terms`, those of `coded` as these have them in new rows; only the former may have strata().
reports_tests_bases <- function(terms, coded) {
  variables <- attr(terms, "variables")
  known <- attr(coded, "predvars")
  at <- match(vapply(as.list(variables), deparse1, ""), vapply(as.list(attr(coded, "variables")), deparse1, ""))
  for (k in which(!is.na(at) & !is.null(known))) variables[[k]] <- known[[at[k]]]
  variables
}

#' @exportS3Method emmeans::emm_basis
emm_basis.tlcp <- function(object, trms, xlev, grid, ...) {
  found <- tlcp_posterior_step_covariance(object, NULL, rlang::current_env())
  labels <- rownames(found$V)
  X <- as.matrix(stats::model.matrix(object, grid))[, labels, drop = FALSE]
  link <- if (object$link != "identity") list(tran = object$link, inv.lbl = switch(object$link, logit = "prob", "rate"))
  list(X = X, bhat = unname(stats::coef(object, complete = FALSE)[labels]), nbasis = matrix(NA), V = found$V,
       dffun = function(k, dfargs) dfargs$df, dfargs = list(df = found$df), misc = link %||% list())
}

# Of a fit without standard errors the means alone.
#' @exportS3Method emmeans::emm_basis
emm_basis.transfer_path <- function(object, trms, xlev, grid, ...) {
  b <- stats::coef(object)
  if (is.list(b)) {
    abort_input("Package emmeans shows the mean of one response, and this fit has {length(b)}.", "object",
                i = "Use {.fn predict} with the rows that are to be compared.", call = rlang::current_env())
  }
  X <- as.matrix(stats::model.matrix(object, grid))[, names(b), drop = FALSE]
  link <- if (object$link != "identity") list(tran = object$link, inv.lbl = switch(object$link, logit = "prob", "rate"))
  list(X = X, bhat = unname(b), nbasis = matrix(NA), V = matrix(NA_real_, length(b), length(b)),
       dffun = function(k, dfargs) Inf, dfargs = list(), misc = link %||% list())
}

#' @exportS3Method lmtest::coeftest
coeftest.tlcp <- function(x, vcov. = NULL, df = NULL, ...) {
  if (!is.function(vcov.)) arguments_of_generic(same = "save")
  found <- tlcp_posterior_step_covariance(x, NULL, rlang::current_env())
  V <- if (is.null(vcov.)) found$V else if (is.function(vcov.)) vcov.(x, ...) else vcov.
  b <- stats::coef(x, complete = FALSE)
  table <- reports_tests_with_terms(b, sqrt(diag(as.matrix(V))), df %||% found$df)
  # as in tidy(): of a fit that borrows, of the mixture
  if (is.null(vcov.) && is.null(df)) table[, 4] <- tlcp_intervals_p_values(found, b[rownames(table)])
  class(table) <- "coeftest"
  attr(table, "method") <- paste(if (is.finite(df %||% found$df)) "t" else "z", "test of coefficients")
  table
}

reports_tests_with_terms <- function(b, se, df) {
  letter <- if (is.finite(df)) "t" else "z"
  statistic <- b / se
  table <- cbind(b, se, statistic, 2 * stats::pt(-abs(statistic), df))
  dimnames(table) <- list(names(b), c("Estimate", "Std. Error", paste(letter, "value"), paste0("Pr(>|", letter, "|)")))
  table
}

# Of one fit, the test of all its columns together; of several, that of lmtest. F, as for lm() and
# glm(); of Cox models chi squared.
#' @exportS3Method lmtest::waldtest
waldtest.tlcp <- function(object, ..., vcov = NULL, test = NULL) {
  default <- utils::getS3method("waldtest", "default", envir = asNamespace("lmtest"))
  test <- check_choice(test %||% if (object$family == "cox") "Chisq" else "F", c("F", "Chisq"), "test",
                       rlang::current_env())
  if (...length()) return(default(object, ..., vcov = vcov, test = test))
  reports_tests_refuse_chosen(object, "waldtest", rlang::current_env())
  b <- stats::coef(object, complete = FALSE)
  V <- if (is.null(vcov)) stats::vcov(object) else if (is.function(vcov)) do.call(vcov, list(object)) else vcov
  slopes <- setdiff(names(b), "(Intercept)")
  statistic <- sum(b[slopes] * solve(V[slopes, slopes, drop = FALSE], b[slopes]))
  q <- length(slopes)
  left <- NROW(object$fitted) - length(b)
  chance <- if (test == "F") stats::pf(statistic / q, q, left, lower.tail = FALSE) else
    stats::pchisq(statistic, q, lower.tail = FALSE)
  table <- data.frame(Res.Df = left + c(0, q), Df = c(NA, -q), statistic = c(NA, statistic / if (test == "F") q else 1),
                      chance = c(NA, chance))
  names(table)[3:4] <- c(test, paste0("Pr(>", test, ")"))
  structure(table, heading = c("Wald test\n", reports_tests_of_empty(object)), class = c("anova", "data.frame"))
}

# Of one fit, the test of all its columns together; of several, that of lmtest.
#' @exportS3Method lmtest::lrtest
lrtest.tlcp <- function(object, ...) {
  default <- utils::getS3method("lrtest", "default", envir = asNamespace("lmtest"))
  if (...length()) return(default(object, ...))
  reports_tests_refuse_chosen(object, "lrtest", rlang::current_env())
  full <- path_worth(object)
  empty <- path_worth(object, 0L)
  fits <- rbind(c(full$log_lik_df, full$log_lik), c(empty$log_lik_df, empty$log_lik))
  change <- fits[2, 1] - fits[1, 1]
  ratio <- 2 * (fits[1, 2] - fits[2, 2])
  structure(
    data.frame(`#Df` = fits[, 1], LogLik = fits[, 2], Df = c(NA, change), Chisq = c(NA, ratio),
               `Pr(>Chisq)` = c(NA, stats::pchisq(ratio, abs(change), lower.tail = FALSE)), check.names = FALSE),
    heading = c("Likelihood ratio test\n", reports_tests_of_empty(object)), class = c("anova", "data.frame")
  )
}

# The lines that name a model and the one without its columns.
reports_tests_of_empty <- function(object) {
  formulas <- if (is.null(object$formula)) c("all columns", "none of them") else
    c(deparse1(stats::formula(object)), deparse1(stats::update(stats::formula(object), . ~ 1)))
  paste0("Model 1: ", formulas[1], "\nModel 2: ", formulas[2])
}

# marginaleffects takes classes that it does not know from this option.
reports_tests_register_marginaleffects <- function() {
  options(marginaleffects_model_classes = union(getOption("marginaleffects_model_classes"), "tlcp"))
}

# Absolute standardised coefficients: how much a standard deviation of each column moves the linear predictor.
#' @exportS3Method caret::varImp
varImp.transfer_path <- function(object, ...) {
  table <- path_tidy_table(object, NULL, NULL, TRUE, list(), rlang::current_env())
  table <- table[table$type == "feature", ]
  size <- abs(table$estimate) * object$scale[match(table$term, names(object$scale))]
  size <- tapply(size, factor(table$term, unique(table$term)), max)
  data.frame(Overall = as.vector(size), row.names = names(size))
}
