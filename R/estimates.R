# estimates(): a domain without its rows, as coefficients and their information. A site, a domain without rows, is a
# list of
#   terms         names of its coefficients, the intercept among them
#   J, g          information (upper triangle, column by column) and information times coefficients
#   n, events, exposure   rows, events, and trials or exposed time; NA where they are not known
#   family        one of FAMILIES, or NULL
#   full          were covariances given, too? With standard errors alone J is diagonal
#   mean, sd      of the columns of its rows, in the order of terms, where they are known
#   reference     first level of each factor by variable, where they are known
#   about         where it is from, in words

#' Estimates of a domain without its rows
#'
#' Coefficients and their covariance matrix, of a fitted model or from a published table, in the form that [tlcp()]
#' borrows from as from the rows of another domain. [greedytl()] takes their linear predictor as a source.
#'
#' A model's log-likelihood is, to second order, given by its coefficients and their covariance matrix V:
#' \eqn{l(w) = -(w - \hat w)' V^{-1} (w - \hat w) / 2} and a constant. [tlcp()] needs no more of another
#' domain, so estimates have the same information as the rows, as far as this approximation holds.
#'
#' Terms are matched to the columns of the target by name, with the names of [lm()] for factors. Terms of the
#' model that the target lacks are integrated out; a model has no information on columns that it lacks. A level of
#' a factor that only the models know (a fitted model also tells the first level) becomes a column of zeros in the
#' target, so that its coefficient is kept and [predict()][predict.transfer_path] takes the level. The model should
#' have about the same terms as the target's, since a coefficient is the effect with the other terms of its model held
#' fixed. The intercept is used (as the level of the domain) where the covariance matrix has it. With standard errors
#' alone the estimates are taken as independent, and the intercept is not used, since it is hardly ever
#' independent of them. Coefficients are taken to be alike in units of the features, not in units of the standard
#' deviations of each domain, which are not known (`units` of [tlcp()]).
#'
#' @param x A fitted model with [coef()] and [vcov()] (`lm`, `glm`, `coxph`, models of the survey package; of
#'   mixed models the fixed effects), or a [tlcp()] that borrowed; a named vector of coefficients; a data
#'   frame with columns `term`, `estimate` and `std.error`, as `tidy()` of package broom gives it, and
#'   with a column `domain` where it has models of several domains; or what `as.data.frame()` made of estimates.
#' @param vcov For coefficients without a model: their covariance matrix, its rows and columns named by
#'   term or in the order of the coefficients.
#' @param se The standard errors of the coefficients, in place of `vcov`.
#' @param n,events Numbers of rows and of events, for [print()] only.
#' @param family The family of the model, where `x` does not say it: `"gaussian"`, `"binomial"` (log odds),
#'   `"poisson"` (log rates) or `"cox"` (log hazard ratios). [tlcp()] refuses a model of unknown family; coefficients
#'   given as numbers are taken as of the target's. A ratio of a table must be given as its
#'   logarithm; numbers that are all positive and around one, as ratios are, give a message.
#' @param ... For `c()`: estimates to be put together, by name. For other functions: must be empty.
#' @returns An object of class `transfer_estimates`, to be given as `sources` to [tlcp()] or [greedytl()],
#'   alone or in a named list. `c()` puts several together; `names()` are those of the models. `as.data.frame()`
#'   has a row for each model (`domain`) and term, with columns `domain`, `family`, `n`, `events`, `exposure`,
#'   `about`, `term`,
#'   `estimate`, `std.error`, `mean`, `sd`, `reference`, `full`, `gradient` (information times
#'   estimates) and a column of the information matrix for each term; `estimates()` of that data frame is
#'   the same object, so it can be sent as a CSV file.
#'   Errors: a covariance matrix that is not symmetric or not positive definite, standard errors that are not positive,
#'   and names that are missing or repeated are refused with the name of the argument.
#' @references
#' Wang, H. and Leng, C. (2007). Unified LASSO estimation by least squares approximation. *Journal of
#' the American Statistical Association* 102, 1039-1048: the log-likelihood to second order.
#' \doi{10.1198/016214507000000509}
#'
#' Jonker, M. A., Pazira, H. and Coolen, A. C. C. (2024). Bayesian federated inference for estimating statistical
#' models based on non-shared multicenter data sets. *Statistics in Medicine* 43, 2421-2438: models of
#' several centres from their estimates. \doi{10.1002/sim.10072}
#' @seealso [tlcp()], [moments()] with `family`, which a site computes from its rows; [sources()].
#' @examples
#' # a hospital may share its coefficients, but not its rows
#' here <- infert[seq(1, 248, 4), ]
#' elsewhere <- infert[-seq(1, 248, 4), ]
#' model <- glm(case ~ age + parity + spontaneous, family = binomial, data = elsewhere)
#' known <- estimates(model)
#' known
#'
#' tlcp(case ~ age + parity + spontaneous, data = here, family = binomial,
#'      sources = list(city = known))
#'
#' # a published table of odds ratios
#' paper <- estimates(data.frame(term = c("parity", "spontaneous"), estimate = log(c(.6, 3)),
#'                               std.error = c(.15, .2)), n = 400, family = "binomial")
#' tlcp(case ~ age + parity + spontaneous, data = here, family = binomial,
#'      sources = list(city = known, paper = paper))
#' @export
estimates <- function(x, vcov = NULL, se = NULL, n = NULL, events = NULL, family = NULL) {
  call <- rlang::current_env()
  if (missing(x)) {
    abort_missing("x",
                  "Give a model, named coefficients, or a table with {.field term}, {.field estimate} and
                   {.field std.error}.", call)
  }
  if (inherits(x, "transfer_estimates")) return(x)
  given <- list(n = n, events = events, family = check_family(family, call))
  sites <- if (is.data.frame(x)) {
    table_sites(x, vcov, given, call)
  } else if (is.numeric(x) && is.null(dim(x))) {
    list(source1 = number_site(x, vcov, se, given, "coefficients", call))
  } else {
    list(source1 = model_site(x, given, call))
  }
  for (name in names(sites)) {
    site <- sites[[name]]
    if (!is.null(site$family) && by_likelihood(site$family)) tell_ratios(site_coef(site), name, site$about)
  }
  new_estimates(sites)
}

new_estimates <- function(sites) structure(list(sites = sites), class = "transfer_estimates")

new_site <- function(terms, J, g, given, full = TRUE, mean = NULL, sd = NULL, reference = NULL,
                     about = "") {
  list(terms = terms, J = J[upper.tri(J, TRUE)], g = unname(g), n = given$n %||% NA_real_,
       events = given$events %||% NA_real_, exposure = given$exposure %||% NA_real_, family = given$family,
       full = full, mean = mean, sd = sd, reference = reference, about = about)
}

# The information matrix of a site, whole.
site_information <- function(site) {
  k <- length(site$terms)
  J <- matrix(0, k, k)
  J[upper.tri(J, TRUE)] <- site$J
  J[lower.tri(J)] <- t(J)[lower.tri(J)]
  J
}

# Estimates of a site, NA where its information does not determine them all.
site_coef <- function(site) {
  if (!length(site$J)) return(stats::setNames(site$g, site$terms))
  fit <- least_squares_by(site_information(site), site$g)
  stats::setNames(if (length(fit$kept) == length(fit$coef)) fit$coef else NA * fit$coef, site$terms)
}

site_se <- function(site) {
  J <- site_information(site)
  if (length(least_squares_by(J, site$g)$kept) < length(site$terms)) return(NA_real_ * site$g)
  sqrt(diag(.Call(C_spd_inverse, J)))
}

# ---- from coefficients -------------------------------------------------------------------------------

number_site <- function(b, V, se, given, about, call, reference = NULL) {
  check_terms(b, "x", call)
  names(b) <- intercept_named(names(b))
  refuse_not_estimated(b, "x", call)
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
    if (!is.null(names(se))) names(se) <- intercept_named(names(se))
    if (!is.null(names(se)) && setequal(names(se), names(b))) se <- se[names(b)]
    if (!is.numeric(se) || length(se) != length(b) || any(!is.finite(se)) || any(se <= 0)) {
      abort_value(se, "se", "Give a positive standard error for each of the {length(b)} coefficient{?s}.", call)
    }
    se <- unname(se)
    J <- diag(1 / se^2, length(b))
    return(new_site(names(b), J, b / se^2, given, full = FALSE, reference = reference, about = about))
  }
  J <- inverse_covariance(V, names(b), call)
  new_site(names(b), J, drop(J %*% b), given, reference = reference, about = about)
}

# Names of terms, that of the intercept as lm() has it: in coefficients, standard errors and covariance matrices alike.
intercept_named <- function(names) {
  other <- names %in% c("Intercept", "intercept", "const")
  if (any(other) && !"(Intercept)" %in% names) names[other] <- "(Intercept)"
  names
}

check_terms <- function(b, argument, call) {
  names <- rlang::names2(b)
  if (all(nzchar(names)) && !anyDuplicated(names)) return(invisible())
  abort_input("The coefficients have no names, or one name twice.", argument,
              i = "Name each by its term, as {.code c(\"(Intercept)\" = 1, age = .05)}.", call = call)
}

# Coefficients that were not estimated are missing.
refuse_not_estimated <- function(b, argument, call) {
  if (all(is.finite(b))) return(invisible())
  abort_input("The coefficient{?s} of {.val {names(b)[!is.finite(b)]}} {?is/are} missing or infinite.", argument,
              i = "Leave out what was not estimated.", call = call)
}

inverse_covariance <- function(V, terms, call) {
  if (is.data.frame(V)) V <- as.matrix(V)
  k <- length(terms)
  if (!is.matrix(V) || !is.numeric(V) || nrow(V) != ncol(V) || any(!is.finite(V))) {
    abort_kind(V, "vcov", "Give the covariance matrix of the {k} coefficient{?s}: square, of finite numbers.", call)
  }
  names <- intercept_named(rownames(V) %||% colnames(V))
  if (is.null(names) && nrow(V) == k) names <- terms
  lacking <- setdiff(terms, names)
  if (length(lacking)) {
    abort_input("{.arg vcov} has no row named {.val {lacking}}.", "vcov",
                i = "Name its rows and columns by the terms: {.val {utils::head(terms, 5)}}, ...", call = call)
  }
  at <- match(terms, names)
  V <- unname(V[at, at, drop = FALSE])
  spread <- sqrt(pmax(diag(V), 0))
  if (all(spread > 0) && max(abs(V - t(V)) / tcrossprod(spread)) < 1e-6) {
    unit <- (V + t(V)) / 2 / tcrossprod(spread)
    # the factor says how near to singular the matrix is, by the least number on its diagonal
    R <- tryCatch(chol(unit), error = function(e) NULL)
    if (!is.null(R) && min(diag(R))^2 > 1e-14) return(chol2inv(R) / tcrossprod(spread))
  }
  abort_input("{.arg vcov} is not a covariance matrix: it is not symmetric and positive definite.", "vcov",
              i = "Give it with all its digits, or {.arg se}, the standard errors, alone.", call = call)
}

# A message where coefficients look like odds, rate or hazard ratios of which no logarithms were taken. The
# intercept is left aside: it may be of any size.
tell_ratios <- function(b, name, about) {
  b <- b[names(b) != "(Intercept)"]
  if (!about %in% c("coefficients", "table") || length(b) < 2 || anyNA(b)) return(invisible())
  if (min(b) <= .1 || max(b) >= 10 || stats::median(b) < .5 || stats::median(b) > 2) return(invisible())
  tell(paste0("The coefficients", if (name != "source1") paste0(" of \"", name, "\""),
              " are all positive and around one, like ratios."),
       "If they are odds, rate or hazard ratios, give their logarithms, with standard errors of these.",
       class = "transelect_message_ratios")
}

# ---- from a model ------------------------------------------------------------------------------------

model_site <- function(model, given, call) {
  if (!is.object(model)) {
    abort_kind(model, "x", "Give a model with {.fn coef} and {.fn vcov}, named coefficients, or a table.", call)
  }
  if (inherits(model, "moments")) {
    abort_input("{.arg x} is of class {.cls moments}: counts, means and products, without a {.arg family}.", "x",
                i = "Make moments of your rows too, each with its {.arg domain}, and give both in place of rows:
                     {.code tlcp(merge(theirs, ours), target = )}. For classes, counts or times give {.code
                     moments(family = )}.", call = call)
  }
  about <- class(model)[1]
  if (inherits(model, "rms")) rlang::check_installed("rms", "to read coefficients of models fitted by it")
  if (inherits(model, "transfer_path") && model$family == "multinomial") {
    abort_input("{.arg x} is a model of {length(model$classes)} classes.", "x", i = "Give a model of two.",
                call = call)
  }
  b <- tryCatch(model_coef(model), error = function(e) NULL)
  V <- tryCatch(as.matrix(stats::vcov(model)), error = function(e) NULL)
  if (!is.numeric(b) || is.null(names(b)) || !is.numeric(V)) {
    abort_input("{.arg x} is of class {.cls {class(model)}}, and {.fn coef} and {.fn vcov} do not give its
                 coefficients and their covariance matrix.", "x",
                i = "Give them: {.code estimates(coefficients, vcov = )}.", call = call)
  }
  if (is.null(rownames(V)) && nrow(V) == sum(is.finite(b))) {
    dimnames(V) <- rep(list(names(b)[is.finite(b)]), 2)
  }
  b <- b[is.finite(b) & names(b) %in% rownames(V)]
  V <- V[names(b), names(b), drop = FALSE]
  keep <- is.finite(diag(V)) & diag(V) > 0 # aliased, or not selected
  if (!any(keep)) {
    abort_input("{.arg x} is of class {.cls {class(model)[1]}}, and has no coefficient with a variance.", "x",
                i = if (inherits(model, "transfer_path")) "Nothing was selected: there is nothing to borrow." else
                  "Give a model with coefficients.", call = call)
  }
  if (inherits(model, "coxph")) {
    count <- model[["n"]] # of rms::cph() a table of rows without and with an event
    given$n <- given$n %||% if (is.numeric(count)) sum(count)
    given$events <- given$events %||% model[["nevent"]] %||% if (length(count) == 2) unname(c(count)[2])
  } else if (inherits(model, "transfer_path")) {
    given$n <- given$n %||% model$nobs
    given$events <- given$events %||% if (model$family == "cox") model$size
  } else {
    n <- tryCatch(as.double(stats::nobs(model)), error = function(e) NULL)
    given$n <- given$n %||% if (length(n) == 1) n
  }
  given$family <- given$family %||% model_family(model, call)
  number_site(b[keep], V[keep, keep, drop = FALSE], se = NULL, given = given, about = about, call = call,
              reference = model_reference(model))
}

model_coef <- function(model) {
  if (inherits(model, "merMod")) {
    rlang::check_installed("lme4", "to read the fixed effects")
    return(lme4::fixef(model))
  }
  if (inherits(model, "lme")) return(model$coefficients$fixed)
  stats::coef(model)
}

model_family <- function(model, call) {
  if (inherits(model, c("coxph", "coxme"))) return("cox")
  if (inherits(model, "lrm") && length(model[["freq"]]) == 2) return("binomial")
  if (inherits(model, "transfer_path")) return(model$family)
  family <- tryCatch(stats::family(model), error = function(e) NULL)
  if (inherits(family, "family")) {
    known <- c(identity = "gaussian", logit = "binomial", log = "poisson")[family$link]
    if (!is.na(known)) return(unname(known))
    abort_input("{.arg x} is a model with the link {.val {family$link}}.", "x",
                i = "Give a model with an identity, logit or log link, or of log hazard ratios.", call = call)
  }
  if (inherits(model, c("lm", "lme", "gls", "nls", "biglm"))) "gaussian"
}

# First levels of factors with treatment contrasts, by name; NULL where there are none.
model_reference <- function(model) {
  if (inherits(model, "transfer_path")) return(blueprint_reference(model$blueprint))
  levels <- if (!isS4(model)) model[["xlevels"]]
  first_levels(levels, if (length(levels)) model[["contrasts"]])
}

first_levels <- function(levels, contrasts) {
  plain <- vapply(names(levels), function(v) {
    is.null(contrasts[[v]]) || identical(contrasts[[v]], "contr.treatment")
  }, NA)
  out <- vapply(levels[plain], `[`, "", 1)
  if (length(out)) out
}

blueprint_reference <- function(blueprint) {
  plans <- Filter(function(plan) plan$kind == "factor", as.list(blueprint$variables))
  first <- function(plan) {
    contrast <- plan$contrasts
    treatment <- is.matrix(contrast) && all(contrast[1, ] == 0) && all(contrast %in% 0:1)
    if (treatment) plan$levels[1] else NA_character_
  }
  out <- vapply(plans, first, "")
  out <- out[!is.na(out)]
  if (length(out)) out
}

# ---- from a table ------------------------------------------------------------------------------------

# A table with a row for each domain and term.
table_sites <- function(x, V, given, call) {
  x <- as.data.frame(x)
  if (all(c("term", "gradient") %in% names(x))) return(written_sites(x, call))
  wanted <- c("term", "estimate", "std.error")
  lacking <- setdiff(if (is.null(V)) wanted else wanted[1:2], names(x))
  if (length(lacking)) {
    abort_input("{.arg x} has no column {.val {lacking}}.", "x",
                i = "Give a table with {.field term}, {.field estimate} (of ratios the logarithm) and
                     {.field std.error}, or {.arg vcov}.", call = call)
  }
  if ("source" %in% names(x) && !"domain" %in% names(x)) {
    abort_input("{.arg x} has a column {.field source} and no column {.field domain}.", "x",
                i = "Call the column with the names of the domains {.field domain}.", call = call)
  }
  domain <- if ("domain" %in% names(x)) value_names(x$domain) else rep("source1", nrow(x))
  if (length(unique(domain)) > 1 && is.matrix(V)) {
    abort_input("{.arg vcov} is one matrix, and {.arg x} has {length(unique(domain))} domains.", "vcov",
                i = "Give a list of matrices, named by the domains.", call = call)
  }
  parts <- split(x, factor(domain, unique(domain)))
  Map(function(rows, name) {
    own <- if (is.list(V) && !is.data.frame(V)) V[[match_names(name, names(V))]] else V
    of <- function(column, value) value %||% if (!is.null(rows[[column]])) rows[[column]][1]
    given$n <- of("n", given$n)
    given$events <- of("events", given$events)
    number_site(stats::setNames(as.double(rows$estimate), as.character(rows$term)), own,
                if (is.null(own)) rows$std.error, given, "table", call)
  }, parts, names(parts))
}

#' @rdname estimates
#' @param row.names,optional Ignored; there because the generic has them.
#' @export
as.data.frame.transfer_estimates <- function(x, row.names = NULL, optional = FALSE, ...) {
  terms <- unique(unlist(lapply(x$sites, `[[`, "terms")))
  out <- do.call(rbind, Map(function(site, name) {
    k <- length(site$terms)
    J <- matrix(NA_real_, k, length(terms), dimnames = list(NULL, terms))
    J[, site$terms] <- site_information(site)
    by_term <- function(values) values %||% NA_real_
    reference <- paste(names(site$reference), site$reference, sep = "=", collapse = ";")
    data.frame(
      domain = name, family = site$family %||% NA_character_, n = site$n, events = site$events,
      exposure = site$exposure,
      about = site$about, term = site$terms, estimate = unname(site_coef(site)),
      std.error = site_se(site), mean = by_term(site$mean), sd = by_term(site$sd),
      reference = if (length(site$reference)) reference else NA_character_, full = site$full,
      gradient = site$g, J, check.names = FALSE
    )
  }, x$sites, names(x$sites)))
  row.names(out) <- NULL
  out
}

written_sites <- function(x, call) {
  columns <- c("domain", "family", "n", "events", "exposure", "about", "mean", "sd", "reference", "full")
  lacking <- setdiff(columns, names(x))
  terms <- unique(as.character(x$term))
  changed <- setdiff(terms, names(x)) # as read.csv() does
  plain <- make.names(changed)
  if (length(lacking) || !all(plain %in% names(x))) {
    lost <- c(lacking, changed)
    abort_input("{.arg x} has a column {.val gradient}, but none named {.val {lost}}.", "x",
                i = "Give all of {.code as.data.frame(estimates)}; {.fn read.csv} wants {.code check.names =
                     FALSE}.", call = call)
  }
  names(x)[match(plain, names(x))] <- changed
  domain <- value_names(x$domain)
  lapply(split(x, factor(domain, unique(domain))), function(rows) {
    own <- as.character(rows$term)
    J <- unname(as.matrix(rows[own]))
    if (any(!is.finite(J)) || any(!is.finite(rows$gradient)) || max(abs(J - t(J))) > 1e-6 * max(abs(J))) {
      abort_input("The information matrix of {.val {as.character(rows$domain[1])}} is not symmetric, or has
                   missing values.", "x", i = "Give the table as it was written.", call = call)
    }
    by_term <- function(values) if (any(!is.na(values))) as.double(values)
    family <- as.character(rows$family[1])
    site <- new_site(own, (J + t(J)) / 2, rows$gradient,
                     list(n = as.double(rows$n[1]), events = as.double(rows$events[1]),
                          exposure = as.double(rows$exposure[1]),
                          family = if (!is.na(family)) check_family(family, call)),
                     full = as.logical(rows$full[1]), mean = by_term(rows$mean), sd = by_term(rows$sd),
                     about = as.character(rows$about[1]))
    if (!is.na(rows$reference[1]) && nzchar(rows$reference[1])) {
      pairs <- strsplit(strsplit(as.character(rows$reference[1]), ";", fixed = TRUE)[[1]], "=", fixed = TRUE)
      site["reference"] <- list(stats::setNames(vapply(pairs, `[`, "", 2), vapply(pairs, `[`, "", 1)))
    }
    site
  })
}

# ---- verbs -------------------------------------------------------------------------------------------

#' @rdname estimates
#' @export
c.transfer_estimates <- function(...) {
  new_estimates(flat_sites(list(...), rlang::current_env()))
}

# Sites of a list of estimates and of what estimates() takes, named by the list where an entry is one.
flat_sites <- function(list, call) {
  own <- rlang::names2(list)
  parts <- lapply(list, function(it) {
    if (inherits(it, "transfer_estimates")) return(it$sites)
    withCallingHandlers(estimates(it)$sites, error = function(e) {
      if (inherits(e, "transelect_error")) rlang::abort(conditionMessage(e), class(e)[1:2], call = call)
    })
  })
  names <- unlist(Map(function(sites, name) {
    if (length(sites) == 1 && nzchar(name)) name else names(sites)
  }, parts, own))
  sites <- unlist(unname(parts), recursive = FALSE)
  numbered <- grepl("^source1$", names)
  if (sum(numbered) > 1) names[numbered] <- paste0("source", which(numbered))
  if (anyDuplicated(names)) {
    abort_input("Two estimates are named {.val {names[duplicated(names)]}}.", "sources",
                i = "Give each a name: {.code list(name = estimates(...))}.", call = call)
  }
  stats::setNames(sites, names)
}

#' @rdname estimates
#' @param conf.int,conf.level For `tidy()`: are confidence limits wanted, and of which coverage?
#' @export
tidy.transfer_estimates <- function(x, conf.int = FALSE, conf.level = .95, ...) {
  generic_arguments()
  call <- rlang::current_env()
  table <- as.data.frame(x)[c("domain", "term", "estimate", "std.error")]
  if (!check_flag(conf.int, "conf.int", call)) return(table)
  half <- stats::qnorm((1 + check_share(conf.level, "conf.level", call)) / 2) * table$std.error
  cbind(table, conf.low = table$estimate - half, conf.high = table$estimate + half)
}

#' @export
names.transfer_estimates <- function(x) names(x$sites)

#' @export
length.transfer_estimates <- function(x) length(x$sites)

#' @rdname estimates
#' @param digits Digits to print.
#' @export
print.transfer_estimates <- function(x, digits = 3, ...) {
  check_arguments()
  digits <- check_digits(digits, rlang::current_env())
  for (name in names(x$sites)) {
    site <- x$sites[[name]]
    known <- c(n = "rows", events = "events", exposure = "exposure")
    counts <- vapply(names(known), function(what) {
      if (is.na(site[[what]])) "" else paste(format(site[[what]]), known[[what]])
    }, "")
    about <- c(site$family, site$about, counts)
    table <- data.frame(term = site$terms, estimate = unname(site_coef(site)), std.error = site_se(site))
    if (!is.null(site$sd)) {
      table$mean <- site$mean
      table$sd <- site$sd
    }
    show_description(list(
      head = paste0(name, ": ", paste(about[nzchar(about)], collapse = ", ")),
      tables = list(shown_table(table, title = "")),
      foot = if (site$full) "with the information matrix of these terms" else
        "standard errors alone: taken as independent, without the intercept"
    ), digits)
  }
  invisible(x)
}
