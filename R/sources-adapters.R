# Predictions of models of other packages, and of this one: the table in ?sources.

# list(says, columns): the scale in words, and the classes where a model is several sources.
sources_adapter_notes <- function(model, scale) {
  classes <- source_classes(model)
  says <- source_scale_words(model, scale)
  if (is.null(classes)) return(list(says = says))
  second <- if (length(classes) == 2) classes[2] else "each"
  if (length(classes) > 2) says <- sub("class %s", "%s class", says)
  list(says = sprintf(says, second), columns = if (length(classes) > 2) classes)
}

# The scale in words, "%s" where a class is named.
source_scale_words <- function(model, scale) UseMethod("source_scale_words")

#' @export
source_scale_words.default <- function(model, scale) {
  if (is.function(model)) return("as given")
  if (is.null(source_classes(model))) {
    linear <- scale == "link" && (sources_adapter_has_family(model) || inherits(model, c("glmnet", "cv.glmnet")))
    return(if (linear) "linear predictor" else "numbers")
  }
  if (sources_adapter_is_svm_margin(model)) return("margin of class %s")
  if (scale == "link") "log odds of class %s" else "2 P(class %s) - 1"
}

# Is a model one of glm() with its family? Other packages' models inherit from "glm" without it.
sources_adapter_has_family <- function(model) inherits(model, "glm") && inherits(model[["family"]], "family")

# Names of the classes of a classifier, NULL for a model of numbers. What inherits from a class need not have its
# components.
source_classes <- function(model) UseMethod("source_classes")

#' @export
source_classes.default <- function(model) {
  if (is.function(model)) return(NULL)
  if (inherits(model, "lrm")) return(names(model[["freq"]]))
  if (sources_adapter_has_family(model)) {
    if (!model$family$family %in% c("binomial", "quasibinomial")) return(NULL)
    y <- if (!is.null(model$model)) stats::model.response(model$model)
    return(if (is.factor(y)) c(levels(y)[1], if (nlevels(y) == 2) levels(y)[2] else "other") else c("0", "1"))
  }
  if (inherits(model, "cv.glmnet")) model <- model$glmnet.fit
  if (inherits(model, c("lognet", "multnet"))) return(as.character(model$classnames))
  if (inherits(model, "randomForest")) return(if (identical(model$type, "classification")) model$classes)
  if (inherits(model, "ranger") && !is.null(model$forest)) {
    return(switch(model$treetype %||% "", "Probability estimation" = colnames(model$predictions),
                  Classification = model$forest$levels %||% model$forest$class.values))
  }
  if (inherits(model, "rpart")) return(if (identical(model$method, "class")) attr(model, "ylevels"))
  if (inherits(model, "gbm")) {
    return(switch(model$distribution[["name"]] %||% "",
                  bernoulli = , adaboost = , huberized = c("0", "1"), multinomial = model$classes))
  }
  if (inherits(model, "nnet")) return(model$lev)
  if (inherits(model, "svm")) return(if (isTRUE(model$type < 2)) model$levels)
  if (inherits(model, c("lda", "qda"))) return(model$lev)
  NULL
}

sources_adapter_is_svm_margin <- function(model) inherits(model,
                                                          "svm") && isTRUE(model$type < 2) && !isTRUE(model$compprob)

MOST_SURE <- .999 # probability whose log odds are given

# Numbers, or a matrix with a column for each class, on the scale that sources_adapter_notes() names.
predict_source <- function(model, newdata, scale) UseMethod("predict_source")

#' @export
predict_source.default <- function(model, newdata, scale) {
  if (is.function(model)) return(model(newdata))
  classes <- source_classes(model)
  linear <- scale == "link"
  if (inherits(model, c("glmnet", "cv.glmnet")) && !is.null((model[["glmnet.fit"]] %||% model)[["beta"]])) {
    if (is.null(classes)) return(sources_adapter_glmnet(model, newdata, if (linear) "link" else "response"))
    return(sources_adapter_class_scale(sources_adapter_glmnet(model, newdata, "response"), scale))
  }
  if (!is.data.frame(newdata)) newdata <- as.data.frame(as.matrix(newdata))
  if (sources_adapter_has_family(model) && is.null(classes)) {
    if (!linear) return(sources_adapter_glm(model, newdata))
    return(stats::predict(model, newdata, type = if (inherits(model, "rms")) "lp" else "link"))
  }
  if (is.null(classes)) {
    if (inherits(model, "ranger") && !is.null(model$forest)) return(sources_adapter_ranger(model, newdata)$predictions)
    if (inherits(model, "gbm") && !is.null(model$n.trees)) return(sources_adapter_gbm(model, newdata))
    if (inherits(model, c("nnet", "svm"))) newdata <- sources_adapter_own_columns(model, newdata)
    return(stats::predict(model, newdata))
  }
  if (sources_adapter_is_svm_margin(model)) return(sources_adapter_svm_margin(model, newdata))
  sources_adapter_class_scale(sources_adapter_class_shares(model, newdata, classes), scale)
}

# Probabilities -> 2p - 1 or log odds; of two classes the second's.
sources_adapter_class_scale <- function(p, scale) {
  if (length(dim(p)) == 3) p <- matrix(p, dim(p)[1])
  if (length(dim(p)) == 2 && ncol(p) == 2) p <- p[, 2]
  if (scale == "response") return(2 * p - 1)
  bounded <- p
  bounded[] <- pmin(pmax(p, 1 - MOST_SURE), MOST_SURE)
  log(bounded / (1 - bounded))
}

sources_adapter_gbm <- function(model, newdata) stats::predict(model, newdata, n.trees = model$n.trees,
                                                               type = "response")

# Probabilities of the classes, rows x classes, or of two classes the second's.
sources_adapter_class_shares <- function(model, newdata, classes) {
  if (inherits(model, "lrm")) return(sources_adapter_rms_shares(model, newdata, classes))
  if (sources_adapter_has_family(model)) return(sources_adapter_glm(model, newdata))
  if (inherits(model, "ranger")) return(sources_adapter_ranger_shares(model, newdata, classes))
  if (inherits(model, "gbm")) return(sources_adapter_gbm(model, newdata))
  if (inherits(model, "multinom")) {
    return(matrix(stats::predict(model, newdata, type = "probs"), nrow(newdata)))
  }
  if (inherits(model, "nnet")) return(stats::predict(model, newdata, type = "raw"))
  if (inherits(model, "svm")) {
    said <- stats::predict(model, sources_adapter_own_columns(model, newdata), probability = TRUE)
    return(attr(said, "probabilities")[, classes, drop = FALSE])
  }
  if (inherits(model, c("lda", "qda"))) {
    rlang::check_installed("MASS", "to predict from a source fitted by it")
    return(stats::predict(model, sources_adapter_own_columns(model, newdata))$posterior[, classes, drop = FALSE])
  }
  stats::predict(model, newdata, type = "prob")[, classes, drop = FALSE] # rpart, randomForest
}

sources_adapter_ranger <- function(model, newdata, ...) {
  rlang::check_installed("ranger", "to predict from a source fitted by it")
  stats::predict(model, data = newdata, num.threads = 1, ...)
}

# rms::Glm() predicts linear predictors only.
sources_adapter_glm <- function(model, newdata) {
  if (inherits(model, "rms")) return(model$family$linkinv(stats::predict(model, newdata)))
  stats::predict(model, newdata, type = "response")
}

# Of lrm() of package rms: of more classes than two it has a probability for each.
sources_adapter_rms_shares <- function(model, newdata, classes) {
  rlang::check_installed("rms", "to predict from a source fitted by it")
  several <- length(classes) > 2
  p <- stats::predict(model, newdata, type = if (several) "fitted.ind" else "fitted")
  if (several) matrix(p, nrow(newdata)) else as.vector(p)
}

# Trees of a forest without probabilities vote.
sources_adapter_ranger_shares <- function(model, newdata, classes) {
  said <- sources_adapter_ranger(model, newdata, predict.all = model$treetype == "Classification")
  p <- said$predictions
  if (model$treetype != "Classification") return(p[, classes, drop = FALSE])
  code <- model$forest$class.values
  p <- matrix(p, nrow(newdata))
  shares <- vapply(code, function(value) rowMeans(p == value), numeric(nrow(p)))
  shares <- matrix(shares, nrow(p), dimnames = list(NULL, model$forest$levels[code] %||% code))
  shares[, as.character(classes), drop = FALSE]
}

# Models fitted to a matrix take its columns by position; here by name where both have names.
sources_adapter_own_columns <- function(model, newdata) {
  if (!is.null(model$terms)) return(newdata)
  fitted <- if (inherits(model, "svm")) model$SV else model$means # of lda() and qda()
  columns <- if (is.null(fitted)) model$coefnames else colnames(fitted)
  wanted <- if (is.null(fitted)) model$n[1] else ncol(fitted)
  if (!length(wanted)) return(newdata)
  if (length(columns) && all(columns %in% names(newdata))) newdata <- newdata[columns]
  if (ncol(newdata) != wanted) {
    cli::cli_abort("it was fitted to a matrix of {wanted} columns without names, and the data have
                    {ncol(newdata)}", call = NULL)
  }
  as.matrix(newdata)
}

# Decision values of an svm, positive for the second class; libsvm's are positive for the class that it met first.
sources_adapter_svm_margin <- function(model, newdata) {
  if (length(model$levels) > 2) {
    cli::cli_abort("decision values of more than two classes are not scores of the classes: fit it
                    with {.code probability = TRUE}", call = NULL)
  }
  said <- stats::predict(model, sources_adapter_own_columns(model, newdata), decision.values = TRUE)
  value <- attr(said, "decision.values")
  first <- strsplit(colnames(value), "/", fixed = TRUE)[[1]][1]
  if (identical(first, model$levels[2])) value[, 1] else -value[, 1]
}

# glmnet takes columns by position; here by name where both have names.
sources_adapter_glmnet <- function(model, newdata, type) {
  rlang::check_installed("glmnet", "to predict from a source fitted by it")
  beta <- if (inherits(model, "cv.glmnet")) model$glmnet.fit$beta else model$beta
  columns <- rownames(if (is.list(beta)) beta[[1]] else beta)
  if (is.data.frame(newdata)) newdata <- as.matrix(newdata[intersect(columns, names(newdata))])
  if (all(columns %in% colnames(newdata))) newdata <- newdata[, columns, drop = FALSE]
  value <- stats::predict(model, newx = newdata, type = type)
  if (length(dim(value)) != 3) return(value)
  if (dim(value)[3] > 1) {
    cli::cli_abort("it has {dim(value)[3]} values of lambda: fit it at one, or give a {.cls
                    cv.glmnet}", call = NULL)
  }
  matrix(value, dim(value)[1])
}

# Named numbers.
sources_adapter_is_score <- function(x) is.numeric(x) && is.null(dim(x)) && !is.object(x) && !is.null(names(x))

# name: of the source, as errors call it.
sources_adapter_score_estimates <- function(b, name, call) {
  estimates_check_terms(b, "sources", call, paste(" of source", name))
  estimates_refuse_missing(b, "sources", call, paste(" of source", name))
  estimates_new(list(source1 = estimates_new_site(names(b), matrix(0, 0, 0), b, list())))
}

#' @export
source_scale_words.transfer_estimates <- function(model, scale) {
  if (is.null(source_classes(model))) "linear predictor" else NextMethod()
}

#' @export
source_classes.transfer_estimates <- function(model) {
  if (identical(model$sites[[1]]$family, "binomial")) c("0", "1")
}

#' @export
predict_source.transfer_estimates <- function(model, newdata, scale) {
  site <- model$sites[[1]]
  b <- estimates_site_coef(site)
  if (anyNA(b)) cli::cli_abort("its information does not determine the coefficients", call = NULL)
  if (!is.data.frame(newdata)) newdata <- as.data.frame(as.matrix(newdata))
  constant <- names(b) == "(Intercept)"
  eta <- rep(sum(b[constant]), nrow(newdata))
  for (term in names(b)[!constant]) eta <- eta + b[[term]] * sources_adapter_term_values(term, newdata)
  if (identical(site$family, "binomial")) sources_adapter_class_scale(stats::plogis(eta), scale) else eta
}

# The column of a design that has this name: a variable, a level of a factor, an expression, or a
# product of these.
sources_adapter_term_values <- function(term, newdata) {
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
    return(Reduce(`*`, lapply(parts, sources_adapter_term_values, newdata)))
  }
  value <- tryCatch(eval(str2lang(term), newdata, globalenv()), error = function(e) NULL)
  if (is.numeric(value) && length(value) == nrow(newdata)) return(as.double(value))
  cli::cli_abort("the data have no column {.val {term}}", call = NULL)
}
