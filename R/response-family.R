# Responses with a likelihood: checked for frame$y, and divided into the parts of domains. frame$y is, by family,
#   binomial  a factor of two levels, a matrix of successes and failures, or shares of successes
#   poisson   counts
#   cox       a survival::Surv of type "right" or "counting"

# The response of a likelihood, checked; the family of a Surv is "cox" also where none is given.
response_family_check <- function(y, n, family, call) {
  if (inherits(y, "Surv") != (family == "cox")) {
    if (family == "cox") {
      abort_input("{.arg y} is {.obj_type_friendly {y}}, and {.arg family} is {.val cox}.", "y",
                  i = "Give {.code Surv(time, status)} of the survival package.", call = call)
    }
    abort_input("{.arg y} is a {.cls Surv}, and {.arg family} is {.val {family}}.", "family",
                i = "Give {.code family = \"cox\"} for survival times.", call = call)
  }
  response_refuse_incomplete(y, n, call)
  switch(family, binomial = response_family_binomial(y, call), poisson = response_family_counts(y, call),
         cox = response_family_surv(y, call))
}

response_family_binomial <- function(y, call) {
  y <- table_one_column(y)
  if (is.matrix(y)) return(response_family_totals(y, call))
  y <- table_plain_number(y)
  if (is.factor(y) || is.character(y) || is.logical(y)) {
    y <- response_check_classes(y, call)
    if (nlevels(y) > 2) {
      abort_input("{.arg y} has {nlevels(y)} classes, and {.arg family} is {.val binomial}.", "y",
                  i = "Give two; for more see {.fn shareboost}.", call = call)
    }
    return(y)
  }
  if (!is.numeric(y) || any(!is.finite(y)) || min(y) < 0 || max(y) > 1) {
    wrong <- if (is.numeric(y)) y[!is.finite(y) | y < 0 | y > 1][1] else class(y)
    abort_input("{.arg y} has {.val {wrong}}, and {.arg family} is {.val binomial}.", "y",
                i = "Give a factor of two levels, a logical, zeros and ones, or
                     {.code cbind(successes, failures)}.", call = call)
  }
  if (all(y %in% 0:1)) return(response_check_classes(as.integer(y), call))
  as.double(y)
}

response_family_totals <- function(y, call) {
  if (!is.numeric(y) || ncol(y) != 2 || any(!is.finite(y)) || any(y < 0)) {
    abort_input("{.arg y} is {.obj_type_friendly {y}} of {ncol(y)} column{?s}, and {.arg family} is
                 {.val binomial}.", "y",
                i = "Give {.code cbind(successes, failures)}: numbers that are not negative.",
                call = call)
  }
  storage.mode(y) <- "double"
  colnames(y) <- c("successes", "failures")
  y
}

response_family_counts <- function(y, call) {
  y <- table_one_column(y)
  if (!is.numeric(y) || !is.null(dim(y))) {
    abort_input("{.arg y} is {.obj_type_friendly {y}}, and {.arg family} is {.val poisson}.", "y",
                i = "Give counts.", call = call)
  }
  wrong <- which(!is.finite(y) | y < 0 | abs(y - round(y)) > 1e-7)
  if (length(wrong)) {
    abort_input("{.arg y} has {.val {y[wrong[1]]}}, and {.arg family} is {.val poisson}.", "y",
                i = "Give counts: 0, 1, 2, ... For rates give the counts and
                     {.code offset = log(exposure)}.", call = call)
  }
  as.double(y)
}

response_family_surv <- function(y, call, with_events = TRUE) {
  rlang::check_installed("survival", reason = "for survival times.", call = call)
  type <- attr(y, "type")
  if (!type %in% c("right", "counting")) {
    abort_input("{.arg y} is a {.cls Surv} of type {.val {type}}.", "y",
                i = "Give {.code Surv(time, status)} or {.code Surv(start, stop, status)}.",
                call = call)
  }
  y <- survival::aeqSurv(y) # times that differ by rounding are ties
  plain <- unclass(y)
  if (any(!is.finite(plain))) {
    abort_input("{.arg y} has a time that is missing or infinite.", "y",
                i = "Give finite values.", call = call)
  }
  if (with_events && !any(plain[, "status"] == 1)) {
    abort_input("{.arg y} has no events: every time is censored.", "y",
                i = "Give rows with events.", call = call)
  }
  y
}

response_family_offset <- function(offset, n, call) {
  offset <- table_one_column(offset)
  wrong <- !is.numeric(offset) || !is.null(dim(offset)) || !length(offset) %in% c(1, n)
  if (wrong || any(!is.finite(offset))) {
    what <- if (wrong) "{.arg offset} is {.obj_type_friendly {offset}} of length {length(offset)}." else
      "{.arg offset} has a missing or infinite value."
    abort_input(what, "offset", i = "Give a finite number for each of the {n} row{?s}.", call = call)
  }
  rep_len(as.double(offset), n)
}

response_family_abort_offset <- function(offset, domain, call) {
  logs <- if (all(offset >= 0)) {
    "Give its logarithm, {.code offset = log(exposure)}, if it is an exposure, such as person-time."
  } else {
    "Give numbers on the scale of the linear predictor, such as logarithms of exposures."
  }
  low <- signif(min(offset), 3)
  high <- signif(max(offset), 3)
  abort_input("{.arg offset} ranges from {low} to {high}{words_in_domain(domain)}: it is added to the logarithm of a
               rate, or to log odds, and these numbers are too far apart.", "offset", i = logs, call = call)
}

response_family_strata <- function(strata, n, family, call) {
  if (!identical(family, "cox")) {
    abort_input("{.arg strata} is given, and {.arg family} is not {.val cox}.", "strata",
                i = "Leave it out: only a Cox model has strata. Give {.arg domain} for rows of different places.",
                call = call)
  }
  strata <- table_plain_number(strata)
  if (is.list(strata) || !is.null(dim(strata)) || length(strata) != n || anyNA(strata)) {
    abort_rows(strata, "strata", "Give the stratum of each of the {n} rows.", call)
  }
  factor(strata)
}

# The part of every domain, the target first: see response_family_part(). In place of their features the parts have the
# numbers of their rows, `at`.
response_family_parts <- function(frame, target) {
  n <- seq_len(nrow(frame$x))
  rows <- if (is.null(frame$domain)) stats::setNames(list(n), target) else split(n, frame$domain)
  rows <- rows[c(target, setdiff(names(rows), target))]
  frame$x <- frame$x[, 0L, drop = FALSE]
  frame$raw <- frame$sources <- NULL
  Map(function(name, i) {
    part <- response_family_part(frame_rows(frame, i), name)
    part$x <- NULL
    part$at <- i
    part
  }, names(rows), rows)
}

# For the error where no likelihood can be fitted to a response: what is wrong with it, and what to do.
response_family_degenerate_words <- function(family) {
  if (family == "binomial") list(what = "one class only", mend = "Give rows of both classes.") else
    list(what = "no events", mend = "Give rows with events.")
}

response_family_abort_degenerate <- function(family, domain, call) {
  abort_input(paste0("The response has ", response_family_degenerate_words(family)$what, "{words_in_domain(domain)}."),
              "y",
              i = response_family_degenerate_words(family)$mend, call = call)
}

# Does the likelihood of these rows have no maximum, as there are no events, or of two classes only one?
response_family_is_degenerate <- function(part, family) {
  total <- sum(part$w * if (family == "cox") part$risk$status else part$y)
  total == 0 || family == "binomial" && total == sum(part$w)
}

response_family_part <- function(frame, name) {
  n <- nrow(frame$x)
  w <- response_weights_of_rows(frame)
  offset <- frame$offset %||% (if (frame$family == "cox") numeric(n) else 0)
  part <- list(name = name, n = n, x = frame$x, offset = offset, base = 0,
               single = is.factor(frame$y)) # single: zeros and ones, a row each
  y <- frame$y
  if (frame$family == "cox") {
    part$risk <- response_family_surv_risk(y, frame$strata)
    return(c(part, list(w = w)))
  }
  if (frame$family == "poisson") {
    part$base <- -sum(w * lgamma(y + 1))
  } else if (is.factor(y)) {
    y <- response_class_codes(y, 0)
  } else if (is.matrix(y)) {
    total <- rowSums(y)
    share <- ifelse(total > 0, y[, 1] / total, 0)
    part <- response_family_with_successes(part, share, total, w, counts = y)
    y <- share
    w <- w * total
    part$total <- total
  } else { # shares of successes; the weights are the totals
    part$total <- w
    part <- response_family_with_successes(part, y, w, 1)
  }
  c(part, list(y = y, w = w))
}

# The part with its `base`. Where successes or totals are no whole numbers it also has `rounded`, the whole numbers of
# which glm() gives the log-likelihood; the coefficients of glm() and tlcp() are of the numbers as they are. counts:
# the numbers of which glm() warns where they are not whole.
response_family_with_successes <- function(part, share, total, weight, counts = successes) {
  successes <- total * share
  are_whole <- function(numbers) all(abs(numbers - round(numbers)) <= 1e-3)
  whole <- are_whole(counts)
  if (whole && are_whole(total)) {
    part$base <- sum(weight * lchoose(round(total), round(successes)))
    return(part)
  }
  part$base <- sum(weight * (lgamma(total + 1) - lgamma(successes + 1) - lgamma(total - successes + 1)))
  part$rounded <- list(successes = round(successes), total = round(total), weight = weight, whole = whole)
  part
}

# The warning of glm().
response_family_warn_fractions <- function(parts) {
  if (!any(vapply(parts, function(part) isFALSE(part$rounded$whole), NA))) return(invisible())
  rlang::warn(c("Some numbers of successes are not whole numbers.",
                i = "Shares of successes need their totals as `weights`; logLik() and AIC() round, as those of glm()."),
              class = "transelect_warning_shares")
}

response_family_surv_risk <- function(y, strata = NULL) {
  plain <- unclass(y)
  counting <- attr(y, "type") == "counting"
  cox_risk_sets(if (counting) plain[, "start"] else rep(-Inf, nrow(plain)),
                plain[, if (counting) "stop" else "time"], plain[, "status"], strata)
}

response_family_of_frame <- function(frame) {
  family <- .subset2(frame, "family")
  if (likelihood_is_used(family)) return(family)
  y <- .subset2(frame, "y")
  if (!is.factor(y)) "gaussian" else if (nlevels(y) > 2) "multinomial" else "binomial"
}

# Is the response of this formula a Surv?
response_family_is_surv <- function(formula, data) {
  if (!inherits(formula, "formula") || length(formula) != 3) return(FALSE)
  left <- formula[[2]]
  if (is.call(left)) return(identical(left[[1]], quote(Surv)) || identical(left[[1]], quote(survival::Surv)))
  inside <- if (is.name(left) && is.data.frame(data)) data[[as.character(left)]]
  is.name(left) && inherits(inside %||% get0(as.character(left), environment(formula)), "Surv")
}
