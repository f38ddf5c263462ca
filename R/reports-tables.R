# Methods for packages that make tables: xtable, texreg.

#' @exportS3Method xtable::xtable
xtable.transfer_path <- function(x, caption = NULL, label = NULL, align = NULL, digits = NULL, display = NULL,
                                 auto = FALSE, conf.int = FALSE, exponentiate = FALSE, ...) {
  table <- tidy(x, conf.int = conf.int, exponentiate = exponentiate)
  shown <- intersect(c("class", "term", "estimate", "std.error", "statistic", "p.value", "conf.low", "conf.high"),
                     names(table))
  xtable::xtable(table[shown], caption = caption, label = label, align = align, digits = digits, display = display,
                 auto = auto, ...)
}

# A table of texreg, as extract() of lm() and glm() makes it. texreg has methods of S4.
reports_tables_texreg <- function(model, ...) {
  table <- tidy(model)
  of <- glance(model)
  several <- if (!is.null(table[["class"]])) paste0(table$class, ": ")
  known <- c(r.squared = "R$^2$", adj.r.squared = "Adj. R$^2$", AIC = "AIC", BIC = "BIC", logLik = "Log Likelihood",
             deviance = "Deviance", nobs = "Num. obs.")
  if (!is.null(of[["r.squared"]])) known <- known[c("r.squared", "adj.r.squared", "nobs")]
  known <- known[vapply(names(known), function(name) isTRUE(is.finite(of[[name]])), NA)]
  texreg::createTexreg(
    coef.names = paste0(several, table$term), coef = table$estimate,
    se = table[["std.error"]] %||% numeric(), pvalues = table[["p.value"]] %||% numeric(),
    gof.names = unname(known), gof = unname(unlist(of[names(known)])), gof.decimal = names(known) != "nobs",
    model.name = class(model)[1]
  )
}

reports_tables_register_texreg <- function() {
  where <- rlang::new_environment(parent = topenv()) # a namespace that is loaded takes no methods
  fitters <- sub("[.]transfer_frame$", "", grep("[.]transfer_frame$", ls(topenv()), value = TRUE))
  for (class in fitters) {
    methods::setOldClass(c(class, "transfer_path"), where = where)
    methods::setMethod(texreg::extract, class, reports_tables_texreg, where = where)
  }
}

# What DALEX explains: the mean of the response, as for glm(); of two classes fitted by squares their score, or where it
# is calibrated the probability.
#' @exportS3Method DALEX::yhat
yhat.transfer_path <- function(X.model, newdata, ...) {
  calibrated <- path_object_has_classes_by_squares(X.model) && is_calibrated(X.model)
  predicted <- stats::predict(X.model, newdata, type = if (calibrated) "prob" else "response")
  if (is.null(dim(predicted))) unname(predicted) else as.matrix(predicted)
}

# insight has a generic of this name, too, which would take a function named as a method of either.
#' @rawNamespace S3method(DALEX::model_info,transfer_path,reports_tables_dalex_info)
reports_tables_dalex_info <- function(model, is_multiclass = FALSE, ...) {
  type <- if (is.null(model$classes)) "regression" else
    if (length(model$classes) > 2) "multiclass" else "classification"
  structure(list(package = "transelect", ver = as.character(utils::packageVersion("transelect")), type = type),
            class = "model_info")
}

# By which gtsummary names the column of coefficients, as for glm() and coxph().
#' @exportS3Method broom.helpers::model_get_coefficients_type
model_get_coefficients_type.transfer_path <- function(model) {
  if (model$family == "cox") return("prop_hazard")
  switch(model$link, logit = "logistic", log = "poisson", "generic")
}
