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
#' Turns the coefficients of a fitted model, or a published table, into a domain that [tlcp()] can borrow from without
#' its rows: `tlcp(y ~ ., data = d, sources = list(city = estimates(model)))`. Use it if another site gives its results
#' but not its rows, or if a paper prints a table. If a site can run R, [moments()] with a `family` is better. For
#' models of which only predictions are known use [sources()] and [greedytl()], which takes the linear predictor of
#' estimates as a source.
#'
#' To second order the log-likelihood of a model is given by its coefficients and their covariance matrix V: \eqn{l(w) =
#' -(w - \hat w)' V^{-1} (w - \hat w) / 2} plus a constant. [tlcp()] needs nothing else from another domain. So
#' estimates have the same information as the rows, as far as this approximation holds.
#'
#' Terms are matched to the columns of the target by name, with the names of [lm()] for factors. The
#' coefficients of a model are those with treatment contrasts, also if its factors have other contrasts or it has no
#' intercept; they are translated, with their covariances, to the first levels and the contrasts of the target. Numbers
#' without a model must have the target's coding. `poly()` and `scale()` of other rows are translated, too; splines need
#' the same knots. Terms of the model that the target lacks are integrated out; a model says nothing about columns that
#' it lacks. If a factor has a level that
#' only the models know, this level becomes a column of zeros in the target, so that its coefficient is kept and
#' [predict()][predict.transfer_path] takes the level. The model should have about the same terms as the target's model,
#' since a coefficient is the effect with the other terms held fixed. The intercept is used (as the level of the domain)
#' if the covariance matrix has it. If only standard errors are known, the estimates are treated as independent, and the
#' intercept is not used, since it is hardly ever independent of the others. Coefficients are assumed to be alike in the
#' units of the features and not in z-scores, since the standard deviations of the domain are not known
#' (`units` of [tlcp_control()]).
#'
#' # What papers print
#'
#' Odds, rate or hazard ratios with confidence limits, and estimates with limits, are turned into estimates (logarithms
#' of ratios) and standard errors. A message shows the table as it was understood. With limits l and u of level c the
#' standard error is \eqn{(\log u - \log l) / (2 z)}, where z is the normal quantile of (1 + c)/2. If the three printed
#' numbers agree up to rounding, estimate and standard error are those that fit all three best, each weighted by its
#' rounding error. A ratio or a limit that is not positive is an error. So are limits that are not around the estimate,
#' that is, if one is more than twice as far from it as the other, beyond rounding. Limits that are less uneven, such as
#' profile limits, give a message. A column of text such as `"0.60 (0.45 to 0.81)"` is read, too.
#'
#' @param x A fitted model with [coef()] and [vcov()] (`lm`, `glm`, `coxph`, models of the survey package; of mixed
#'   models the fixed effects; of mice the models or what `pool()` made of them), `coeftest()` of lmtest, or a [tlcp()]
#'   that borrowed; a named vector of coefficients; a data frame with columns
#'   `term`, `estimate` and `std.error`, as `tidy()` of package broom gives it, and with a column `domain` if it has
#'   models of several domains; or the data frame that `as.data.frame()` made from estimates.
#' @param vcov The covariance matrix of the coefficients, its rows and columns named by term or in the order of the
#'   coefficients. For a model it takes the place of the model's own, such as a robust one, and may be a function of the
#'   model, such as `sandwich::vcovHC`.
#' @param se The standard errors of the coefficients, in place of `vcov`.
#' @param lower,upper Confidence limits of named coefficients `x`, in place of `se`: numbers in the order of `x`. A data
#'   frame has them in columns such as `conf.low` and `conf.high`, `lower` and `upper`, or `2.5 %` and `97.5 %`.
#' @param level The confidence level of the limits.
#' @param ratio Are estimates and limits odds, rate or hazard ratios? By default the name of the column decides (`OR`,
#'   `odds.ratio`, `HR`, `IRR`, `ratio`, `exp(coef)`, ...), or else the limits: limits of ratios are symmetric about the
#'   estimate on the logarithmic scale.
#' @param n,events Numbers of rows and of events, for [print()] only.
#' @param family The family of the model, if `x` does not say it: `"gaussian"`, `"binomial"` (log odds), `"poisson"`
#'   (log rates) or `"cox"` (log hazard ratios). [tlcp()] refuses a model of unknown family. Coefficients given as
#'   numbers are assumed to have the family of the target. If all estimates are positive and around one, as ratios are,
#'   there is a message.
#' @param ... For `c()`: estimates to be combined, by name. For other functions: must be empty.
#' @returns An object of class `transfer_estimates`, to be given as `sources` to [tlcp()] or [greedytl()], alone or in a
#'   named list. `c()` combines several; `names()` are those of the models. `as.data.frame()` has one row per model
#'   (`domain`) and term, with columns `domain`, `family`, `n`, `events`, `exposure`, `about`, `term`, `estimate`,
#'   `std.error`, `mean`, `sd`, `reference`, `full`, `gradient` (information times estimates) and one column of the
#'   information matrix per term. `estimates()` of this data frame gives the same object, so it can be sent as a CSV
#'   file. Errors: a covariance matrix that is not symmetric or not positive definite, standard errors that are not
#'   positive, and names that are missing or repeated are refused with the name of the argument.
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
#' printed <- data.frame(term = c("parity", "spontaneous"), OR = c(.6, 3), lower = c(.45, 2.03),
#'                       upper = c(.8, 4.44))
#' paper <- estimates(printed, n = 400)
#' tlcp(case ~ age + parity + spontaneous, data = here, family = binomial,
#'      sources = list(city = known, paper = paper))
#' @export
estimates <- function(x, vcov = NULL, se = NULL, n = NULL, events = NULL, family = NULL, lower = NULL, upper = NULL,
                      level = .95, ratio = NULL) {
  call <- rlang::current_env()
  if (missing(x)) {
    abort_missing("x",
                  "Give a model, named coefficients, or a table with {.field term}, {.field estimate} and
                   {.field std.error}.", call)
  }
  if (inherits(x, "transfer_estimates")) return(x)
  given <- list(n = n, events = events, family = likelihood_check_family(family, call),
                level = check_share(level, "level", call),
                ratio = if (!is.null(ratio)) check_flag(ratio, "ratio", call))
  if (is.matrix(x) && is.numeric(x) && !is.object(x) && !is.null(dimnames(x))) {
    x <- as.data.frame(x) # summary(coxph)$conf.int
  }
  if (isTRUE(given$ratio) && !is.data.frame(x) && is.null(lower)) {
    abort_input("{.arg ratio} is TRUE, and there are no confidence limits.", "ratio",
                i = "Give {.arg lower} and {.arg upper}, or a table of ratios with their limits; or give logarithms of
                     the ratios with {.code ratio = FALSE}.", call = call)
  }
  if (!is.null(lower) || !is.null(upper)) x <- estimates_with_limits(x, lower, upper, vcov, se, call)
  sites <- if (is.data.frame(x) && !inherits(x, "mipo")) {
    estimates_table_sites(x, vcov, given, call)
  } else if (is.numeric(x) && is.null(dim(x))) {
    list(source1 = estimates_number_site(x, vcov, se, given, ABOUT_NUMBERS[["coefficients"]], call))
  } else {
    estimates_class_sites(x, vcov, se, given, call)
  }
  for (name in names(sites)) {
    site <- sites[[name]]
    if (!is.null(site$family) && likelihood_is_used(site$family)) estimates_tell_ratios(estimates_site_coef(site), name,
                                                                                        site$about)
  }
  estimates_new(sites)
}

# Named coefficients with limits, as a table.
estimates_with_limits <- function(x, lower, upper, V, se, call) {
  if (!is.numeric(x) || !is.null(dim(x))) {
    abort_kind(x, "x", "Give named numbers with {.arg lower} and {.arg upper}; or a data frame that has the limits in
                        columns.", call)
  }
  if (!is.null(V) || !is.null(se)) {
    other <- if (is.null(V)) "se" else "vcov"
    abort_input("Confidence limits and {.arg {other}} are both given.", other, i = "Give one of them.",
                call = call)
  }
  estimates_check_terms(x, "x", call)
  for (name in c("lower", "upper")) {
    value <- if (name == "lower") lower else upper
    if (!is.numeric(value) || length(value) != length(x)) {
      abort_value(value, name, "Give a limit for each of the {length(x)} estimates of {.arg x}, in their order.", call)
    }
  }
  data.frame(term = names(x), estimate = unname(x), conf.low = unname(lower), conf.high = unname(upper))
}

estimates_new <- function(sites) structure(list(sites = sites), class = "transfer_estimates")

# A table with a row for each domain and term.
estimates_table_sites <- function(x, V, given, call) {
  x <- estimates_ratios_renamed(as.data.frame(x))
  about <- ABOUT_NUMBERS[["table"]]
  if (all(c("term", "gradient") %in% names(x))) return(estimates_written_sites(x, call))
  if (is.null(V)) {
    x <- estimates_ratios_as_logs(x, given, call)
    given$family <- given$family %||% attr(x, "family")
    about <- attr(x, "about") %||% about
  }
  wanted <- c("term", "estimate", "std.error")
  lacking <- setdiff(if (is.null(V)) wanted else wanted[1:2], names(x))
  if (length(lacking)) {
    abort_input("{.arg x} has no column{?s} {.val {lacking}}.", "x",
                i = "Give a table with {.field term}, {.field estimate} and {.field std.error} or {.arg vcov}, or
                     with {.field term}, {.field ratio}, {.field conf.low} and {.field conf.high}.", call = call)
  }
  if ("source" %in% names(x) && !"domain" %in% names(x)) {
    abort_input("{.arg x} has a column {.field source} and no column {.field domain}.", "x",
                i = "Call the column with the names of the domains {.field domain}.", call = call)
  }
  domain <- if ("domain" %in% names(x)) words_value_names(x$domain) else rep("source1", nrow(x))
  if (length(unique(domain)) > 1 && is.matrix(V)) {
    abort_input("{.arg vcov} is one matrix, and {.arg x} has {length(unique(domain))} domains.", "vcov",
                i = "Give a list of matrices, named by the domains.", call = call)
  }
  parts <- split(x, factor(domain, unique(domain)))
  Map(function(rows, name) {
    covariance <- if (is.list(V) && !is.data.frame(V)) V[[words_match_names(name, names(V))]] else V
    of <- function(column, value) value %||% if (!is.null(rows[[column]])) rows[[column]][1]
    given$n <- of("n", given$n)
    given$events <- of("events", given$events)
    estimates_number_site(stats::setNames(as.double(rows$estimate), as.character(rows$term)), covariance,
                          if (is.null(covariance)) rows$std.error, given, about, call)
  }, parts, names(parts))
}

#' @rdname estimates
#' @param row.names,optional Ignored; there because the generic has them.
#' @export
as.data.frame.transfer_estimates <- function(x, row.names = NULL, optional = FALSE, ...) {
  arguments_of_generic(same = TABLE_ARGUMENTS)
  terms <- unique(unlist(lapply(x$sites, `[[`, "terms")))
  table <- do.call(rbind, Map(function(site, name) {
    k <- length(site$terms)
    J <- matrix(NA_real_, k, length(terms), dimnames = list(NULL, terms))
    J[, site$terms] <- estimates_site_information(site)
    by_term <- function(values) values %||% NA_real_
    reference <- paste(names(site$reference), site$reference, sep = "=", collapse = ";")
    data.frame(
      domain = name, family = site$family %||% NA_character_, n = site$n, events = site$events,
      exposure = site$exposure,
      about = site$about, term = site$terms, estimate = unname(estimates_site_coef(site)),
      std.error = estimates_site_se(site), mean = by_term(site$mean), sd = by_term(site$sd),
      reference = if (length(site$reference)) reference else NA_character_, full = site$full,
      gradient = site$g, J, check.names = FALSE
    )
  }, x$sites, names(x$sites)))
  row.names(table) <- NULL
  table
}

estimates_written_sites <- function(x, call) {
  columns <- c("domain", "family", "n", "events", "exposure", "about", "mean", "sd", "reference", "full")
  lacking <- setdiff(columns, names(x))
  terms <- unique(as.character(x$term))
  changed <- setdiff(terms, names(x)) # as read.csv() does
  plain <- make.names(changed)
  if (length(lacking) || !all(plain %in% names(x))) {
    lost <- c(lacking, changed)
    abort_input("{.arg x} has a column {.val gradient}, but none named {.val {lost}}.", "x",
                i = "Give all columns of {.code as.data.frame(estimates)}; read a file by {.fn read.csv} with
                     {.code check.names = FALSE}.", call = call)
  }
  names(x)[match(plain, names(x))] <- changed
  domain <- words_value_names(x$domain)
  lapply(split(x, factor(domain, unique(domain))), function(rows) {
    site_terms <- as.character(rows$term)
    J <- unname(as.matrix(rows[site_terms]))
    if (any(!is.finite(J)) || any(!is.finite(rows$gradient)) || max(abs(J - t(J))) > 1e-6 * max(abs(J))) {
      abort_input("The information matrix of {.val {as.character(rows$domain[1])}} is not symmetric, or has
                   missing values.", "x", i = "Give the table exactly as {.fn as.data.frame} made it.", call = call)
    }
    by_term <- function(values) if (any(!is.na(values))) as.double(values)
    family <- as.character(rows$family[1])
    site <- estimates_new_site(site_terms, (J + t(J)) / 2, rows$gradient,
                               list(n = as.double(rows$n[1]), events = as.double(rows$events[1]),
                                    exposure = as.double(rows$exposure[1]),
                                    family = if (!is.na(family)) likelihood_check_family(family, call)),
                               full = as.logical(rows$full[1]), mean = by_term(rows$mean), sd = by_term(rows$sd),
                               about = as.character(rows$about[1]))
    if (!is.na(rows$reference[1]) && nzchar(rows$reference[1])) {
      pairs <- strsplit(strsplit(as.character(rows$reference[1]), ";", fixed = TRUE)[[1]], "=", fixed = TRUE)
      site["reference"] <- list(stats::setNames(vapply(pairs, `[`, "", 2), vapply(pairs, `[`, "", 1)))
    }
    site
  })
}

#' @rdname estimates
#' @export
c.transfer_estimates <- function(...) {
  estimates_new(estimates_flat_sites(list(...), rlang::current_env()))
}

#' @export
merge.transfer_estimates <- function(x, y, ...) {
  abort_input("Estimates are not merged: each site's were made at its own maximum.", "y",
              i = "Give {.code c(x, y)}, in which each site is a domain, or merge the rows and make {.fn moments} of these.",
              call = rlang::current_env())
}

# Sites of a list of estimates and of what estimates() takes, named by the list where an entry is one. sources: is the
# list the argument `sources` of a fit, which errors then name?
estimates_flat_sites <- function(list, call, sources = FALSE) {
  given_names <- rlang::names2(list)
  parts <- lapply(seq_along(list), function(k) {
    it <- list[[k]]
    if (inherits(it, "transfer_estimates")) return(it$sites)
    withCallingHandlers(estimates(it)$sites, error = function(e) {
      if (!inherits(e, "transelect_error")) return()
      if (!sources) rlang::abort(conditionMessage(e), class(e)[1:2], call = call)
      name <- if (nzchar(given_names[k])) paste0("\"", given_names[k], "\"") else paste("Number", k)
      rlang::abort(paste0(name, " of `sources` cannot be borrowed from: ", sub("^`x` ", "it ", conditionMessage(e))),
                   c("transelect_error_sources", "transelect_error"), call = call)
    })
  })
  site_names <- unlist(Map(function(sites, name) {
    if (length(sites) == 1 && nzchar(name)) name else names(sites)
  }, parts, given_names))
  sites <- unlist(unname(parts), recursive = FALSE)
  numbered <- grepl("^source1$", site_names)
  if (sum(numbered) > 1) site_names[numbered] <- paste0("source", which(numbered))
  if (anyDuplicated(site_names)) {
    abort_input("Two estimates are named {.val {site_names[duplicated(site_names)]}}.", "sources",
                i = "Give each a name: {.code list(name = estimates(...))}.", call = call)
  }
  stats::setNames(sites, site_names)
}

#' @rdname estimates
#' @param conf.int,conf.level For `tidy()`: are confidence limits wanted, and of which coverage?
#' @export
tidy.transfer_estimates <- function(x, conf.int = FALSE, conf.level = .95, ...) {
  arguments_of_generic()
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
  arguments_check()
  digits <- check_digits(digits, rlang::current_env())
  for (name in names(x$sites)) {
    site <- x$sites[[name]]
    known <- c(n = "rows", events = "events", exposure = "trials or exposed time")
    if (identical(site$family, "binomial")) known[c("events", "exposure")] <- c("successes", "trials")
    counts <- vapply(names(known), function(what) {
      if (is.na(site[[what]])) "" else paste(format(site[[what]]), known[[what]])
    }, "")
    about <- c(site$family, site$about, counts)
    table <- data.frame(term = site$terms, estimate = unname(estimates_site_coef(site)),
                        std.error = estimates_site_se(site))
    if (!is.null(site$sd)) {
      table$mean <- site$mean
      table$sd <- site$sd
    }
    description_show(list(
      head = paste0(name, ": ", paste(about[nzchar(about)], collapse = ", ")),
      tables = list(description_table(table, title = "")),
      foot = if (site$full) "The information matrix of these terms is known." else
        "Only standard errors are known: estimates count as independent, and the intercept is not used."
    ), digits)
  }
  invisible(x)
}
