# Methods for the generics of insight, parameters and performance, on which the packages of easystats are written.

#' @exportS3Method insight::get_predicted
get_predicted.transfer_path <- function(x, data = NULL, predict = "expectation", ci = NULL, ...) {
  # ggeffects before 1.3 does not pass its level on
  if (missing(ci) && inherits(x, "tlcp") && tlcp_posterior_has_errors(x)) ci <- get0("ci.lvl", parent.frame(),
                                                                                     inherits = FALSE)
  type <- switch(predict, link = "link", classification = "class", "response")
  errors <- if (!is.null(ci) && !is.na(ci)) {
    interval <- if (identical(predict, "prediction")) "prediction" else "confidence"
    stats::predict(x, data, type = type, se.fit = TRUE, interval = interval, level = ci)
  }
  value <- if (is.null(errors)) stats::predict(x, data, type = type) else errors$fit[, "fit"]
  ci_data <- if (!is.null(errors)) {
    data.frame(Row = seq_along(errors$se.fit), SE = unname(errors$se.fit), CI_low = unname(errors$fit[, "lwr"]),
               CI_high = unname(errors$fit[, "upr"]))
  }
  structure(unname(value), ci_data = ci_data, ci = ci, class = c("get_predicted", class(unname(value))))
}

#' @exportS3Method insight::get_loglikelihood
get_loglikelihood.transfer_path <- function(x, ...) stats::logLik(x)

#' @exportS3Method insight::get_parameters
get_parameters.transfer_path <- function(x, ...) {
  b <- stats::coef(x, complete = FALSE)
  data.frame(Parameter = names(b), Estimate = unname(b))
}

#' @exportS3Method insight::get_statistic
get_statistic.tlcp <- function(x, ...) {
  table <- tidy(x)
  structure(data.frame(Parameter = table$term, Statistic = table$statistic),
            statistic = if (is.finite(get_df.tlcp(x))) "t" else "z")
}

#' @exportS3Method insight::get_df
get_df.tlcp <- function(x, ...) tlcp_posterior_step_covariance(x, NULL, rlang::current_env(), diagonal = TRUE)$df

# The table of parameters, of tidy().
#' @exportS3Method parameters::model_parameters
model_parameters.transfer_path <- function(model, ci = .95, exponentiate = FALSE, ...) {
  with_errors <- inherits(model, "tlcp") && tlcp_posterior_has_errors(model)
  table <- tidy(model, conf.int = with_errors, conf.level = ci, exponentiate = isTRUE(exponentiate))
  parameters <- data.frame(Parameter = table$term, Coefficient = table$estimate)
  statistic <- "t"
  if (with_errors) {
    df <- tlcp_posterior_step_covariance(model, NULL, rlang::current_env(), diagonal = TRUE)$df
    if (!is.finite(df)) statistic <- "z"
    se <- if (isTRUE(exponentiate)) table$std.error * table$estimate else table$std.error # delta method, as there
    parameters[c("SE", "CI", "CI_low", "CI_high", statistic, "df_error", "p")] <-
      list(se, ci, table$conf.low, table$conf.high, table$statistic, df, table$p.value)
  }
  logs <- switch(model$link, logit = c("Log-Odds", "Odds Ratio"), log = c("Log-Mean", "IRR"), rep("Coefficient", 2))
  if (model$family == "cox") logs <- c("Log-Prevalence", "Hazard Ratio")
  structure(parameters, pretty_names = stats::setNames(table$term, table$term), ci = ci,
            exponentiate = isTRUE(exponentiate), ci_test = NULL, model_class = class(model)[1],
            object_name = deparse1(substitute(model)),
            coefficient_name = logs[1 + isTRUE(exponentiate)], test_statistic = paste0(statistic, "-statistic"),
            digits = 2, ci_digits = 2, p_digits = 3, show_summary = FALSE,
            class = c("parameters_model", "see_parameters_model", "data.frame"))
}

# The coefficient of determination of numbers, Tjur's of two classes, Nagelkerke's of other likelihoods.
#' @exportS3Method performance::r2
r2.transfer_path <- function(model, ...) {
  of <- glance(model)
  if (model$link == "identity" && model$family == "gaussian") {
    return(structure(list(R2 = c(R2 = of$r.squared), R2_adjusted = c("adjusted R2" = of$adj.r.squared)),
                     class = "r2_generic", model_type = "Linear"))
  }
  if (!inherits(model, "likelihood_path")) {
    abort_input("There is no R2 of classes fitted by least squares.", "model",
                i = "Use {.fn assess} for their error and the area under their curve.", call = rlang::current_env())
  }
  if (model$family == "binomial" && all(path_rows_round_response(model) %in% 0:1)) {
    mean_of <- function(class) mean(model$fitted[path_rows_round_response(model) == class])
    return(structure(list(R2_Tjur = c("Tjur's R2" = mean_of(1) - mean_of(0))), class = "r2_generic"))
  }
  n <- model$nobs
  empty <- path_worth(model, 0L)$log_lik
  share <- -expm1(2 * (empty - of$logLik) / n) / -expm1(2 * empty / n)
  structure(list(R2_Nagelkerke = c("Nagelkerke's R2" = share)), class = "r2_generic")
}

#' @exportS3Method performance::model_performance
model_performance.transfer_path <- function(model, ...) {
  of <- glance(model)
  measures <- list(AIC = of$AIC, BIC = of$BIC)
  squares <- model$link == "identity" && model$family == "gaussian"
  if (squares || inherits(model, "likelihood_path")) {
    r2 <- r2.transfer_path(model)
    measures[names(r2)] <- lapply(r2, unname)
  }
  if (!path_object_is_multi(model) && model$family != "cox") measures$RMSE <- sqrt(mean(as.vector(model$residuals)^2))
  if (squares) measures$Sigma <- of$sigma
  structure(list2DF(measures), class = c("performance_model", "data.frame"))
}

# Pictures of residuals, for fits that lm() or glm() reproduce.
#' @exportS3Method performance::check_model
check_model.transfer_path <- function(x, ...) {
  path_influence_refuse(x, "leverages, which check_model() shows,", rlang::current_env())
  NextMethod()
}

# Variance inflation factors of the columns of the model, by their covariance matrix, as in car::vif().
#' @exportS3Method performance::check_collinearity
check_collinearity.tlcp <- function(x, ...) {
  R <- reports_insight_correlation(x, rlang::current_env())
  vif <- diag(solve(R))
  structure(data.frame(Term = rownames(R), VIF = unname(vif), SE_factor = sqrt(unname(vif)),
                       Tolerance = 1 / unname(vif)),
            class = c("check_collinearity", "see_check_collinearity", "data.frame"))
}

# Correlations of the estimates of the slopes.
reports_insight_correlation <- function(x, call) {
  V <- stats::vcov(x)
  slopes <- setdiff(rownames(V), "(Intercept)")
  if (length(slopes) < 2) {
    abort_input("The model has {length(slopes)} column{?s}.", "x", i = "Collinearity is between two or more.",
                call = call)
  }
  stats::cov2cor(V[slopes, slopes, drop = FALSE])
}

# ggeffects from 1.3 on has a generic for predictions with limits.
reports_insight_register_ggeffects <- function() {
  space <- asNamespace("ggeffects")
  if (!exists("get_predictions", space, inherits = FALSE)) return(invisible())
  registerS3method("get_predictions", "tlcp", reports_insight_ggeffects, envir = space)
}

reports_insight_ggeffects <- function(model, data_grid = NULL, ..., ci_level = .95, interval = "confidence") {
  if (!tlcp_posterior_has_errors(model)) ci_level <- NA
  kind <- if (identical(interval, "prediction")) "prediction" else "expectation"
  found <- get_predicted.transfer_path(model, data_grid, kind, ci = ci_level)
  limits <- attr(found, "ci_data")
  data_grid$predicted <- as.numeric(found)
  data_grid$conf.low <- limits$CI_low %||% NA_real_
  data_grid$conf.high <- limits$CI_high %||% NA_real_
  data_grid
}
