# What papers print: ratios or estimates with confidence limits, as estimates and standard errors.

# The names that columns of ratios have, in lower case and without punctuation; the family that each tells.
ESTIMATES_RATIOS <- c(
  or = "binomial", aor = "binomial", oddsratio = "binomial", adjustedoddsratio = "binomial", hr = "cox",
  ahr = "cox", hazardratio = "cox", adjustedhazardratio = "cox", irr = "poisson", rateratio = "poisson",
  incidencerateratio = "poisson", ratio = NA, rr = NA, expcoef = NA, expb = NA
)

# A table with term, estimate and std.error of one with ratios or limits, and the columns it had besides. `given` is
# list(level, ratio, family); the result's attribute "family" is the family that a column's name tells, "about" what the
# table is where ratios were read.
estimates_ratios_as_logs <- function(x, given, call) {
  # the names of rows are terms where there is no column of them, as in summary(coxph)$conf.int
  if (!"term" %in% names(x) && is.character(attr(x, "row.names"))) x$term <- row.names(x)
  # of "OR (95 % CI)" the first word
  plain <- tolower(gsub("[^A-Za-z0-9]", "", sub("[[(,][[:space:]]*[0-9.]+[[:space:]]*%.*", "", names(x))))
  limits <- estimates_ratios_limit_columns(x, plain, given$level)
  column <- names(x)[plain %in% names(ESTIMATES_RATIOS) & !grepl("(-", names(x), fixed = TRUE)] # not exp(-coef)
  if (length(column) > 1) {
    abort_input("{.arg x} has {length(column)} columns of ratios: {.val {column}}.", "x", i = "Give one.", call = call)
  }
  text <- names(x)[!vapply(x, is.numeric, NA)]
  printed <- if (any(column %in% text) || is.null(limits) && any(estimates_ratios_is_interval(text))) column
  if (length(printed)) {
    x <- estimates_ratios_read_text(x, printed, is.null(limits), call)
    if (is.null(limits)) limits <- c("conf.low", "conf.high")
  }
  if (!length(column) && is.null(limits) && !isTRUE(given$ratio)) {
    return(if (is.null(given$ratio)) estimates_ratios_by_statistic(x) else x)
  }
  if (length(column)) {
    tells <- unname(ESTIMATES_RATIOS[plain[names(x) == column]])
    family <- given$family %||% if (!is.na(tells)) tells
    if (isFALSE(given$ratio) || !is.na(tells) && family != tells) {
      what <- if (isFALSE(given$ratio)) "{.arg ratio} is FALSE" else "{.arg family} is {.val {family}}"
      abort_input(paste0(what, ", but the name of the column {.field {column}} of {.arg x} says otherwise."),
                  if (isFALSE(given$ratio)) "ratio" else "family", i = "Rename the column, or change the argument.",
                  call = call)
    }
    x$estimate <- x[[column]]
    given$ratio <- TRUE
    attr(x, "family") <- if (!is.na(tells)) tells
  }
  if (is.null(limits)) {
    abort_input("{.arg x} has ratios without confidence limits.", "x",
                i = "Give the limits in the columns {.field conf.low} and {.field conf.high}. If standard errors of the
                     logarithms are known, give {.field term}, {.field estimate} (the logarithm of the ratio) and
                     {.field std.error} instead.", call = call)
  }
  if (!all(c("estimate", "term") %in% names(x))) return(x)
  # limits beside standard errors, as in tables of tidy(), are of use if they show that estimates are ratios
  if (!is.null(x[["std.error"]]) && is.null(given$ratio)) {
    lean <- estimates_ratios_lean(as.matrix(x[c("estimate", limits)]), given)
    if (is.na(lean) || lean >= 0) return(x)
    given$ratio <- TRUE
  }
  if (!is.null(x[["std.error"]]) && isFALSE(given$ratio)) return(x)
  terms <- as.character(x$term)
  if ("domain" %in% names(x)) terms <- paste0(x$domain, ": ", terms)
  read <- estimates_ratios_read(x$estimate, x[[limits[1]]], x[[limits[2]]], terms, given, call)
  x$estimate <- read$estimate
  x$std.error <- read$std.error
  if (read$ratio) attr(x, "about") <- ABOUT_NUMBERS[["ratios"]]
  x
}

# Columns of coefficients and standard errors as summary() names them have the names of tidy().
estimates_ratios_renamed <- function(x) {
  known <- c("Estimate" = "estimate", "coef" = "estimate", "Std. Error" = "std.error", "se(coef)" = "std.error",
             "robust se" = "std.error", "z value" = "statistic", "t value" = "statistic", "z" = "statistic")
  for (name in intersect(c("robust se", names(known)), names(x))) {
    if (!known[[name]] %in% names(x)) names(x)[names(x) == name] <- known[[name]]
  }
  # of a table of coefficients the ratios are the same numbers once more
  if (all(c("estimate", "std.error", "exp(coef)") %in% names(x))) x[["exp(coef)"]] <- NULL
  x
}

# A table with estimates, standard errors and their statistics, which tell where estimates are ratios: the statistic is
# of the logarithm. The standard errors are of the logarithms, or of the ratios themselves.
estimates_ratios_by_statistic <- function(x) {
  wanted <- c("estimate", "std.error", "statistic")
  if (!all(wanted %in% names(x)) || !all(vapply(x[wanted], is.numeric, NA))) return(x)
  b <- x$estimate
  product <- x$statistic * x$std.error
  if (!length(b) || anyNA(b) || anyNA(product) || any(b <= 0)) return(x)
  near <- function(a, b) all(abs(a - b) <= .02 * abs(b) + 1e-3)
  of_ratios <- near(product / b, log(b))
  if (near(product, b) || !of_ratios && !near(product, log(b))) return(x)
  x$estimate <- log(b)
  if (of_ratios) x$std.error <- x$std.error / b
  attr(x, "about") <- ABOUT_NUMBERS[["ratios"]]
  tell("The estimates are read as ratios, by their statistics: logarithms are used.",
       class = "transelect_message_estimates")
  x
}

# The columns with the limits: lower, upper; NULL where there are none.
estimates_ratios_limit_columns <- function(x, plain, level) {
  percent <- function(p) format(100 * p, digits = 7)
  tail <- (1 - level) / 2
  low <- c("conflow", "lower", "low", "lcl", "ll", "cilow", "lowerci", "cilower", "confintlow", "asymplcl", "lo")
  high <- c("confhigh", "upper", "high", "ucl", "ul", "cihigh", "upperci", "ciupper", "confinthigh", "asympucl", "hi")
  digits <- gsub("[^0-9]", "", percent(c(tail, 1 - tail)))
  text <- gsub("[^0-9]", "", percent(level))
  low <- c(low, digits[1], paste0("x", digits[1]), paste0("lower", text), paste0("low", text))
  high <- c(high, digits[2], paste0("x", digits[2]), paste0("upper", text), paste0("high", text))
  found <- c(names(x)[plain %in% low][1], names(x)[plain %in% high][1])
  if (!anyNA(found)) found
}

# Text such as "0.60 (0.45 to 0.81)" as numbers; without limits in it they are in a column of text such as "0.45-0.81".
estimates_ratios_read_text <- function(x, column, with_limits, call) {
  numbers <- function(text) {
    lapply(regmatches(text, gregexpr("[0-9]*[.]?[0-9]+", text)), as.double)
  }
  found <- numbers(as.character(x[[column]]))
  if (with_limits && all(lengths(found) == 1)) {
    other <- names(x)[estimates_ratios_is_interval(names(x))]
    if (length(other)) found <- Map(c, found, utils::tail(numbers(as.character(x[[other[1]]])), nrow(x)))
  }
  wanted <- if (with_limits) 3 else 1
  wrong <- x[[column]][lengths(found) != wanted]
  if (length(wrong)) {
    shown <- as.character(wrong[1])
    what <- if (with_limits) "a ratio and its two limits" else "one number"
    abort_input("{.val {shown}} in the column {.field {column}} of {.arg x} is not {what}.", "x",
                i = "Write {.val 0.60 (0.45 to 0.81)}, or give numbers in {.field {column}}, {.field conf.low} and
                     {.field conf.high}.", call = call)
  }
  x[[column]] <- vapply(found, `[`, 1, 1)
  if (with_limits) {
    x$conf.low <- vapply(found, `[`, 1, 2)
    x$conf.high <- vapply(found, `[`, 1, 3)
  }
  x
}

estimates_ratios_is_interval <- function(names) {
  tolower(gsub("[^A-Za-z]", "", names)) %in% c("ci", "confint", "confidenceinterval")
}

# list(estimate, std.error): on the scale of logarithms where they are ratios, which given$ratio says, or the limits.
estimates_ratios_read <- function(estimate, lower, upper, terms, given, call) {
  printed <- cbind(estimate = estimate, lower = lower, upper = upper)
  estimates_ratios_refuse(!rowSums(!is.finite(printed)), printed, terms, "is missing or infinite.",
                          "Leave out terms that were not estimated, such as reference levels.", call)
  estimates_ratios_refuse(lower < upper, printed, terms, "has limits that are equal or in the wrong order.",
                          "The lower limit must be below the upper one. If both were rounded to one number, give more
                           digits.", call)
  ratio <- given$ratio %||% estimates_ratios_are_ratios(printed, given, call)
  if (ratio) {
    estimates_ratios_refuse(estimate > 0 & lower > 0 & upper > 0, printed, terms, "is not positive, as a ratio is.",
                            "Give ratios with their limits. For logarithms of ratios say {.code ratio = FALSE}. If a
                             limit was rounded to 0, give more digits.", call)
  }
  rounding <- estimates_ratios_rounding(printed)
  scaled <- if (ratio) log(printed) else printed
  error <- if (ratio) rounding / printed else rounding
  centre <- (scaled[, "lower"] + scaled[, "upper"]) / 2
  half <- (scaled[, "upper"] - scaled[, "lower"]) / 2
  slack <- error[, "estimate"] + (error[, "lower"] + error[, "upper"]) / 2
  off <- abs(scaled[, "estimate"] - centre)
  scale <- if (ratio) " on the scale of logarithms" else ""
  estimates_ratios_refuse(off <= half / 3 + slack, printed, terms,
                          paste0("is far from the middle of its confidence limits", scale, "."),
                          if (ratio) "Look for a misprint. Limits of estimates, not of ratios, need {.code ratio =
                                      FALSE}." else
                            "Look for a misprint. Ratios with their limits need {.code ratio = TRUE}.", call)
  z <- stats::qnorm((1 + given$level) / 2)
  # rounded numbers that agree are weighed by their precision; else the estimate stands as printed
  agree <- off <= slack
  b <- scaled[, "estimate"]
  se <- half / z
  for (i in which(agree)) {
    precise <- stats::lm.wfit(cbind(1, c(0, -z, z)), scaled[i, ], 1 / error[i, ]^2)$coefficients
    if (precise[2] > 0) {
      b[i] <- precise[1]
      se[i] <- precise[2]
    }
  }
  estimates_ratios_tell(printed, b, se, terms, ratio, given, terms[!agree])
  list(estimate = unname(b), std.error = unname(se), ratio = ratio)
}

estimates_ratios_refuse <- function(good, printed, terms, what, mend, call) {
  bad_row <- which(!good)[1]
  if (is.na(bad_row)) return(invisible())
  term <- terms[bad_row]
  shown <- paste0(format(printed[bad_row, 1]), " (", format(printed[bad_row, 2]), " to ",
                  format(printed[bad_row, 3]), ")")
  abort_input(paste0("{.val {term}}, {shown}, ", what), "x", i = mend, call = call)
}

# Half a unit of the last digit, of numbers printed with so many decimals or so many significant digits as the number
# that has most of them in the table.
estimates_ratios_rounding <- function(printed) {
  x <- abs(as.vector(printed))
  each <- vapply(x[is.finite(x) & x > 0], format, "", digits = 12, scientific = FALSE)
  decimals <- max(nchar(sub("^[^.]*[.]?", "", each)))
  significant <- max(nchar(sub("^0+", "", gsub(".", "", each, fixed = TRUE))))
  size <- 10^(floor(log10(pmax(abs(printed), 1e-300))) - significant + 1)
  pmax(size, 10^-decimals) / 2
}

# Are limits around estimates as those of ratios are, or as those of their logarithms?
estimates_ratios_are_ratios <- function(printed, given, call) {
  lean <- estimates_ratios_lean(printed, given)
  if (!is.na(lean) && lean != 0) return(lean < 0)
  abort_input("The estimates are all positive, and their limits do not show whether they are ratios or logarithms of
               ratios.",
              "ratio", i = "Give {.code ratio = TRUE} if they are odds, rate or hazard ratios, else {.code ratio =
                            FALSE}.", call = call)
}

# How far limits are from symmetry as ratios, less how far as estimates: negative if they are ratios.
estimates_ratios_lean <- function(printed, given) {
  if (any(printed <= 0, na.rm = TRUE) || identical(given$family, "gaussian")) return(1)
  rounding <- estimates_ratios_rounding(printed)
  off <- function(limits, error) {
    centre <- (limits[, 2] + limits[, 3]) / 2
    half <- (limits[, 3] - limits[, 2]) / 2
    mean(pmax(abs(limits[, 1] - centre) - error[, 1] - (error[, 2] + error[, 3]) / 2, 0) / half)
  }
  off(log(printed), rounding / printed) - off(printed, rounding)
}

# The table as it was understood, in a message.
estimates_ratios_tell <- function(printed, b, se, terms, ratio, given, asymmetric) {
  shown <- utils::head(seq_along(b), 20)
  table <- data.frame(term = terms, printed, b, se)[shown, ]
  table[-1] <- lapply(table[-1], signif, 3)
  names(table) <- c("term", if (ratio) "ratio" else "estimate", "lower", "upper",
                    if (ratio) c("log ratio", "std.error") else c("used", "std.error"))
  said <- c(
    paste0(if (ratio) "Read as ratios" else "Read as estimates, not ratios,", " with ", format(100 * given$level),
           " % confidence limits", if (ratio) "; logarithms are used", ":"),
    utils::capture.output(print(table, row.names = FALSE)),
    if (length(b) > length(shown)) paste("... and", length(b) - length(shown), "more terms")
  )
  uneven <- if (length(asymmetric)) {
    paste0("The limits of ", words_in_quotes(utils::head(asymmetric, 5)), if (length(asymmetric) > 5) ", ...",
           " are not symmetric", if (ratio) " on the scale of logarithms", ", by more than rounding: they may be ",
           "profile or exact limits, or misprinted. The standard error is computed from their distance.")
  }
  tell(paste(said, collapse = "\n"), uneven, class = "transelect_message_estimates")
}
