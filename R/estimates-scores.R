# Coefficients as source hypotheses: their linear predictor for new rows.

# Named numbers.
is_score <- function(x) is.numeric(x) && is.null(dim(x)) && !is.object(x) && !is.null(names(x))

score_estimates <- function(b, call) {
  check_terms(b, "sources", call)
  refuse_not_estimated(b, "sources", call)
  new_estimates(list(source1 = new_site(names(b), matrix(0, 0, 0), b, list())))
}

#' @export
source_says.transfer_estimates <- function(model, scale) {
  if (is.null(source_classes(model))) "linear predictor" else NextMethod()
}

#' @export
source_classes.transfer_estimates <- function(model) {
  if (identical(model$sites[[1]]$family, "binomial")) c("0", "1")
}

#' @export
predict_source.transfer_estimates <- function(model, newdata, scale) {
  site <- model$sites[[1]]
  b <- site_coef(site)
  if (anyNA(b)) cli::cli_abort("its information does not determine the coefficients", call = NULL)
  if (!is.data.frame(newdata)) newdata <- as.data.frame(as.matrix(newdata))
  constant <- names(b) == "(Intercept)"
  eta <- rep(sum(b[constant]), nrow(newdata))
  for (term in names(b)[!constant]) eta <- eta + b[[term]] * term_values(term, newdata)
  if (identical(site$family, "binomial")) class_scale(stats::plogis(eta), scale) else eta
}

# The column of a design that has this name: a variable, a level of a factor, an expression, or a
# product of these.
term_values <- function(term, newdata) {
  if (term %in% names(newdata)) {
    v <- newdata[[term]]
    if (is.numeric(v) || is.logical(v)) return(as.double(v))
  }
  for (name in names(newdata)[startsWith(term, names(newdata))]) {
    v <- newdata[[name]]
    level <- substring(term, nchar(name) + 1)
    if (is.numeric(v) || !nzchar(level)) next
    known <- if (is.factor(v)) levels(v) else if (is.logical(v)) "TRUE" else unique(v)
    if (level %in% known) return(as.double(as.character(v) == level))
  }
  if (grepl(":", term, fixed = TRUE) && !grepl("::", term, fixed = TRUE)) {
    parts <- strsplit(term, ":", fixed = TRUE)[[1]]
    return(Reduce(`*`, lapply(parts, term_values, newdata)))
  }
  value <- tryCatch(eval(str2lang(term), newdata, globalenv()), error = function(e) NULL)
  if (is.numeric(value) && length(value) == nrow(newdata)) return(as.double(value))
  cli::cli_abort("the data have no column {.val {term}}", call = NULL)
}
