# Coefficients as source hypotheses: their linear predictor for new rows.

# Named numbers.
is_score <- function(x) is.numeric(x) && is.null(dim(x)) && !is.object(x) && !is.null(names(x))

score_estimates <- function(b, call) {
  bad <- is.na(names(b)) | names(b) == "" | duplicated(names(b)) | !is.finite(b)
  if (any(bad)) {
    abort_input("A source of coefficients has one without a name, named twice, or not finite.", "sources",
                i = "Name each by its term, as {.code c(\"(Intercept)\" = 1, age = .05)}.", call = call)
  }
  site <- list(terms = names(b), J = numeric(), g = unname(b), n = NA_real_, events = NA_real_,
               exposure = NA_real_, about = "")
  new_estimates(list(source1 = site))
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
