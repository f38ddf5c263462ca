# predict(type = "terms"): what each term adds to the linear predictor, about its mean in the rows of the fit.

# Contributions of the terms as predict.lm() and predict.glm() have them: rows x terms, with the attribute `constant`,
# so that they and the constant add up to the linear predictor without an offset. newdata: NULL for the rows of the fit,
# looked for in env. se.fit: with standard errors, a list as in predict.lm(). wanted: names or numbers of terms.
path_predict_terms <- function(object, newdata, sources, point, bound, se.fit, wanted, env, call) {
  if (path_object_is_multi(object)) {
    several <- length(path_object_responses(object))
    abort_input("{.arg type} is {.val terms}, and the fit has {several} {.arg responses}.",
                "type", i = "Give {.val link}: the contributions of terms are of one response.", call = call)
  }
  domain <- if (!is.null(newdata)) path_predict_row_domains(object, newdata, point$more$domain, call)
  if (length(unique(domain)) > 1) {
    abort_input("{.arg type} is {.val terms}, and {.arg newdata} has rows of several domains.", "domain",
                i = "Name one in {.arg domain}: the constant of the terms is that of one model.", call = call)
  }
  if (length(domain)) point$more$domain <- domain[1]
  model <- rlang::inject(path_model(object, point$step, point$lambda, !!!point$more, call = call))[[1]]
  check_single(length(model$a0), "step", call)
  columns <- path_object_used_columns(list(model))
  z <- if (!is.null(newdata)) {
    path_predict_dense(path_predict_design(object, columns, list(model), newdata, sources, bound, call))
  } else if (any(columns > object$blueprint$p)) {
    abort_missing("newdata", "Give the rows again: a fit keeps no training rows.", call)
  } else {
    X <- path_rows_training_design(object, NULL, env, call)
    path_bound_with_tails(X[, columns + ncol(X) - object$blueprint$p, drop = FALSE], columns, model$tails)
  }
  labels <- path_object_term_names(object, columns)
  centre <- if (is.null(object$means)) object$center[labels] else object$means[columns]
  b <- as.vector(model$beta[columns, ])
  z <- z - rep(centre, each = nrow(z))
  of <- path_predict_terms_of_columns(object, columns)
  take <- unique(of)
  if (!is.null(wanted)) take <- path_predict_terms_wanted(wanted, take, call)
  summed <- function(one) {
    parts <- vapply(stats::setNames(nm = take), function(term) one(which(of == term)), numeric(nrow(z)))
    dim(parts) <- c(nrow(z), length(take))
    dimnames(parts) <- list(if (is.null(newdata)) rownames(z) else labels_of_rows(newdata), take)
    if (is.null(newdata)) stats::naresid(object$elsewhere %||% object$na.action, parts) else parts
  }
  fit <- structure(summed(function(k) drop(z[, k, drop = FALSE] %*% b[k])), constant = model$a0 + sum(b * centre))
  if (!se.fit) return(fit)
  known <- path_predict_covariance(object, model$step, point$more$domain, call)
  V <- known$V[labels, labels, drop = FALSE]
  se <- summed(function(k) sqrt(pmax(rowSums((z[, k, drop = FALSE] %*% V[k, k]) * z[, k, drop = FALSE]), 0)))
  c(list(fit = fit, se.fit = se), if (object$link == "identity") list(df = known$df),
    list(residual.scale = known$sigma))
}

# The term of the formula, the variable of a data frame, or else the name, of each of the columns of a design.
path_predict_terms_of_columns <- function(object, columns) {
  blueprint <- object$blueprint
  of <- path_object_term_names(object, columns)
  inside <- columns <= blueprint$p
  if (blueprint$kind == "terms") {
    of[inside] <- attr(blueprint$terms, "term.labels")[blueprint$assign[columns[inside]]]
  } else if (blueprint$kind == "frame") {
    plans <- blueprint$variables
    of[inside] <- names(plans)[frame_design_variable_of_columns(plans)[columns[inside]]]
  }
  of
}

path_predict_terms_wanted <- function(wanted, among, call) {
  chosen <- if (is.character(wanted)) match(wanted, among) else if (is.numeric(wanted)) match(wanted, seq_along(among))
  if (is.null(chosen) || anyNA(chosen)) {
    abort_input("{.arg terms} is {.val {wanted}}.", "terms",
                i = "Give names or numbers of terms in the model: {.val {utils::head(among, 10)}}.", call = call)
  }
  among[chosen]
}
