# A site: estimates with their information, checked.

# What a site is made from where it is no model.
ABOUT_NUMBERS <- c(coefficients = "coefficients", table = "table", ratios = "table of ratios")

estimates_new_site <- function(terms, J, g, given, full = TRUE, mean = NULL, sd = NULL, reference = NULL,
                               about = "") {
  list(terms = terms, J = J[upper.tri(J, TRUE)], g = unname(g), n = given$n %||% NA_real_,
       events = given$events %||% NA_real_, exposure = given$exposure %||% NA_real_, family = given$family,
       full = full, mean = mean, sd = sd, reference = reference, about = about)
}

# The information matrix of a site, whole.
estimates_site_information <- function(site) {
  k <- length(site$terms)
  J <- matrix(0, k, k)
  J[upper.tri(J, TRUE)] <- site$J
  J[lower.tri(J)] <- t(J)[lower.tri(J)]
  J
}

# Estimates of a site, NA where its information does not determine them all.
estimates_site_coef <- function(site) {
  if (!length(site$J)) return(stats::setNames(site$g, site$terms))
  fit <- likelihood_least_squares(estimates_site_information(site), site$g)
  stats::setNames(if (length(fit$kept) == length(fit$coef)) fit$coef else NA * fit$coef, site$terms)
}

estimates_site_se <- function(site) {
  J <- estimates_site_information(site)
  if (length(likelihood_least_squares(J, site$g)$kept) < length(site$terms)) return(NA_real_ * site$g)
  sqrt(diag(.Call(C_spd_inverse, J)))
}

estimates_number_site <- function(b, V, se, given, about, call, reference = NULL) {
  estimates_check_terms(b, "x", call)
  names(b) <- estimates_site_intercept_named(names(b))
  estimates_refuse_missing(b, "x", call)
  if (is.null(V) == is.null(se)) {
    what <- if (is.null(V)) "Neither {.arg vcov} nor {.arg se} is given." else
      "Both {.arg vcov} and {.arg se} are given."
    abort_input(what, "vcov", i = "Give one: the covariance matrix of the coefficients is better than their
                                   standard errors.", call = call)
  }
  for (name in c("n", "events")) {
    if (!is.null(given[[name]])) given[[name]] <- check_number(given[[name]], name, 0, call)
  }
  if (!is.null(se)) {
    if (!is.atomic(se)) abort_kind(se, "se", "Give the standard errors as numbers.", call)
    if (!is.null(names(se))) names(se) <- estimates_site_intercept_named(names(se))
    if (!is.null(names(se)) && setequal(names(se), names(b))) se <- se[names(b)]
    if (!is.numeric(se) || length(se) != length(b) || any(!is.finite(se)) || any(se <= 0)) {
      abort_value(se, "se", "Give a positive standard error for each of the {length(b)} coefficient{?s}.", call)
    }
    se <- unname(se)
    J <- diag(1 / se^2, length(b))
    return(estimates_new_site(names(b), J, b / se^2, given, full = FALSE, reference = reference, about = about))
  }
  J <- estimates_inverse_covariance(V, names(b), call)
  estimates_new_site(names(b), J, drop(J %*% b), given, reference = reference, about = about)
}

# Names of terms, that of the intercept as lm() has it: in coefficients, standard errors and covariance matrices alike.
estimates_site_intercept_named <- function(names) {
  other <- names %in% c("Intercept", "intercept", "const")
  if (any(other) && !"(Intercept)" %in% names) names[other] <- "(Intercept)"
  names
}

# of: whose coefficients they are, where there may be several of them.
estimates_check_terms <- function(b, argument, call, of = "") {
  names <- rlang::names2(b)
  if (all(nzchar(names)) && !anyDuplicated(names)) return(invisible())
  what <- if (all(nzchar(names))) "have one name twice" else if (any(nzchar(names))) "do not all have names" else
    "have no names"
  abort_input("The coefficients{of} {what}.", argument,
              i = "Name each by its term, as {.code c(\"(Intercept)\" = 1, age = .05)}.", call = call)
}

# Coefficients that were not estimated are missing.
estimates_refuse_missing <- function(b, argument, call, of = "") {
  bad <- names(b)[!is.finite(b)]
  if (!length(bad)) return(invisible())
  what <- if (length(bad) > 1) "coefficients" else "coefficient"
  abort_input("The {what}{of} for {.val {bad}} {?is/are} missing or infinite.", argument,
              i = "Leave out what was not estimated.", call = call)
}

estimates_inverse_covariance <- function(V, terms, call) {
  if (is.data.frame(V)) V <- as.matrix(V)
  k <- length(terms)
  if (!is.matrix(V) || !is.numeric(V) || nrow(V) != ncol(V) || any(!is.finite(V))) {
    abort_kind(V, "vcov", "Give the covariance matrix of the {k} coefficient{?s}: square, of finite numbers.", call)
  }
  names <- estimates_site_intercept_named(rownames(V) %||% colnames(V))
  if (is.null(names) && nrow(V) == k) names <- terms
  lacking <- setdiff(terms, names)
  if (length(lacking)) {
    abort_input("{.arg vcov} has no row named {.val {lacking}}.", "vcov",
                i = "Name its rows and columns by the terms: {.val {words_first(terms)}}.", call = call)
  }
  place <- match(terms, names)
  V <- unname(V[place, place, drop = FALSE])
  spread <- sqrt(pmax(diag(V), 0))
  if (all(spread > 0) && max(abs(V - t(V)) / tcrossprod(spread)) < 1e-6) {
    unit <- (V + t(V)) / 2 / tcrossprod(spread)
    # the factor says how near to singular the matrix is, by the least number on its diagonal
    R <- tryCatch(chol(unit), error = function(e) NULL)
    if (!is.null(R) && min(diag(R))^2 > 1e-14) return(chol2inv(R) / tcrossprod(spread))
  }
  abort_input("{.arg vcov} is not a covariance matrix: it is not symmetric and positive definite.", "vcov",
              i = "Give all its digits, or the standard errors alone as {.arg se}.", call = call)
}

# A message where coefficients look like odds, rate or hazard ratios of which no logarithms were taken. The
# intercept is left aside: it may be of any size.
estimates_tell_ratios <- function(b, name, about) {
  b <- b[names(b) != "(Intercept)"]
  if (!about %in% ABOUT_NUMBERS[c("coefficients", "table")] || length(b) < 2 || anyNA(b)) return(invisible())
  if (min(b) <= .1 || max(b) >= 10 || stats::median(b) < .5 || stats::median(b) > 2) return(invisible())
  tell(paste0("The coefficients", if (name != "source1") paste0(" of \"", name, "\""),
              " are all positive and around one, like ratios."),
       paste0("If they are odds, rate or hazard ratios, give their confidence limits (`?estimates`), or the",
              " logarithms of the ratios with standard errors of the logarithms."),
       class = "transelect_message_ratios")
}
