# Verbs of tlcp() objects, and what print() and summary() say of them.

#' @rdname path_model
#' @export
path_model.tlcp <- function(path, step = NULL, lambda = NULL, class = NULL, ..., domain = NULL,
                            report = FALSE, call = rlang::caller_env()) {
  if (...length()) arguments_check(call, path_model_arguments("path_model", path))
  if (!is.null(domain) && !identical(words_match_names(domain, path$target), 1L)) {
    model <- if (identical(is.na(domain), TRUE)) {
      path$common %||% abort_input("{.arg domain} is {.val {NA}}, but the fit has no common model.", "domain",
                                   i = "Leave it out: the fit borrows nothing from other domains.", call = call)
    } else {
      known <- names(path$models)
      if (identical(known, NO_DOMAIN)) {
        abort_input("{.arg domain} is {.val {domain}}, but the fit has no domains.", "domain", i = "Leave it out.",
                    call = call)
      }
      place <- words_match_names(domain, known)
      path$models[[check_choice(if (anyNA(place)) as.character(domain) else known[place], known, "domain", call)]]
    }
    path[c("beta", "a0")] <- model[c("beta", "a0")]
  }
  models <- path_model.transfer_path(path, step, lambda, class, call = call)
  if (!is.null(path$tails)) models[[1]]$tails <- tlcp_tails_of_domain(path$tails, domain %||% path$target)
  models
}

describe_path.tlcp <- function(x, digits, n = NULL) {
  shown <- intersect(c("step", "size", "entered", "dropped", "cp", "criterion", "rss", "deviance", "gap"),
                     names(x$steps))
  table <- x$steps[shown]
  if (x$settings$select) table$best <- ifelse(x$steps$step == x$best, "*", "")
  if (all(x$steps$step == x$steps$size)) table$size <- NULL
  if (nrow(table) < 3) table[c("entered", "dropped")] <- NULL # the features stand above
  features <- if (x$settings$select && length(x$selected)) {
    paste0("features: ", paste(x$selected, collapse = ", "))
  }
  shown <- description_table(table, n %||% 31)
  shown$table <- description_without_empty(shown$table)
  shares <- tlcp_posterior_shares(x, brief = TRUE)
  rows <- tlcp_verbs_rows(x, shares)
  list(head = c(tlcp_verbs_head(x, digits, shares), features, tlcp_verbs_rows_line(x, rows, shares)),
       tables = list(shown))
}

# What is borrowed about the chosen coefficients, in rows of the target. rows: of tlcp_verbs_rows(); shares: of
# tlcp_posterior_shares().
tlcp_verbs_rows_line <- function(x, rows, shares) {
  if (is.null(rows) || isTRUE(x$borrowing$alone) && x$settings$select) return(NULL) # no slopes are borrowed
  if (!length(tlcp_shares_lending(shares[-1, , drop = FALSE]))) return(NULL)
  terms <- x$borrowed$term
  most <- utils::head(order(-rows), 8)
  paste0("worth of the borrowing, in rows of the target: ",
         paste(terms[most], ifelse(is.na(rows[most]), "?", round(rows[most])), collapse = ", "),
         if (length(terms) > 8) ", ...")
}

# The worth of what is borrowed about each chosen coefficient, in rows of the target; NULL where it is not known.
tlcp_verbs_rows <- function(x, shares) {
  if (is.null(shares) || is.null(x$borrowed) || !tlcp_posterior_has_errors(x)) return(NULL)
  rows <- tlcp_shares_worth(shares[-1, , drop = FALSE], x$nobs - nrow(x$borrowed) - isTRUE(x$settings$intercept))
  if (!all(is.na(rows))) rows
}

tlcp_verbs_head <- function(x, digits, shares) {
  s <- x$borrowing
  p <- x$blueprint$p
  others <- length(x$models) - 1
  rows <- if (others > 0) {
    paste0(tlcp_verbs_target_called(x$target), " (", x$nobs, " rows)",
           if (s$borrow != "none") paste0(" and ", if (length(s$guarded)) paste(others - length(s$guarded), "of "),
                                          words_counted(others, "other domain")))
  } else {
    paste(x$nobs, "rows")
  }
  found <- if (!x$settings$select) {
    "all features kept"
  } else {
    paste0("best by ", tlcp_prior_criterion_name(x$settings$criterion, s$borrow), ": ",
           length(x$selected), " of ", p, " features")
  }
  proof <- if (isTRUE(x$certificate$complete)) {
    paste0(", proven in ", words_counted(format(x$certificate$nodes), "node"))
  } else if (!is.null(x$certificate)) {
    paste0(", search stopped early (", x$certificate$stopped, ")")
  }
  gap <- if (!isTRUE(x$certificate$complete) && !is.null(x$certificate)) {
    gain <- x$steps$criterion[1] - x$steps$criterion[x$best + 1]
    paste0("no subset is better by more than ", format(x$certificate$gap, digits = digits),
           tlcp_search_share_of_gain(x$certificate$gap, gain))
  }
  borrows <- length(s$s2) > 1 || s$borrow == "aggregate"
  c(
    tlcp_verbs_verdict(x, shares),
    paste0(x$labels[["title"]], if (borrows) " with transfer", ": ", rows, ", borrow \"", s$borrow, "\""),
    paste0(found, proof), gap,
    path_print_incomplete(x$left_out, x$target),
    if (length(s$guarded)) paste("left out by the guard:", paste(s$guarded, collapse = ", ")),
    tlcp_verbs_units_line(x), tlcp_verbs_cv_line(x),
    tlcp_tails_line(x),
    if (inherits(x, "likelihood_path")) family_object_lines(x),
    if (path_object_has_classes_by_squares(x) && length(x$classes) == 2) {
      paste0("classes ", x$classes[1], " (-1) and ", x$classes[2],
             " (+1) by least squares; family = \"binomial\" fits log odds")
    }
  )
}

# The first sentence of print() where there are other domains: does the target borrow, from whom, how much of the
# precision that and shrinkage give, and how sure it is. By how much the error changes only refits could say. shares: of
# tlcp_posterior_shares().
tlcp_verbs_verdict <- function(x, shares) {
  s <- x$borrowing
  target <- sub("^t", "T", tlcp_verbs_target_called(x$target))
  if (length(s$guarded) && s$borrow == "none") {
    return(paste0(target, " borrows nothing: there is too little evidence that coefficients are related (log ",
                  "likelihood ratio", if (length(s$guarded) > 1) "s", " ",
                  paste(words_number(s$guard_lr[s$guarded]), collapse = ", "), "; the limit is ", LR_SAFE, ")."))
  }
  if (length(x$models) == 1) return(NULL)
  if (s$borrow == "none") return(paste0(target, " borrows nothing: borrow = \"none\"."))
  others <- setdiff(names(x$models)[-1], s$guarded)
  whom <- tlcp_verbs_whom(others)
  if (s$borrow == "aggregate") {
    return(paste0(target, " borrows all rows of ", whom, " as if they were its own; ",
                  "dissimilarity() says whether their coefficients are related."))
  }
  if (isTRUE(s$cv$weight > .5)) {
    return(paste0(target, " borrows little from ", whom, ": its own best subset predicts its held-out rows better."))
  }
  if (!length(x$selected)) {
    return(paste0(target, " borrows no slopes from ", whom, ": no feature was chosen; ", tlcp_verbs_sure(s, others),
                  "."))
  }
  slopes <- if (!is.null(shares)) shares[-1, , drop = FALSE]
  lends <- if (is.null(slopes)) seq_along(others) + 1L else tlcp_shares_lending(slopes)
  unlikely <- isTRUE(s$alone) || !x$settings$select && isTRUE(tlcp_verbs_unrelated(s) > .5)
  if (!length(lends) || unlikely) {
    how <- if (unlikely && x$settings$select) "no slopes" else if (length(lends)) "little" else "nothing"
    unrelated <- if (unlikely) {
      paste0("slopes are more likely unrelated than related (posterior probability ",
             words_number(round(tlcp_verbs_unrelated(s), 2)), ")")
    }
    return(paste0(target, " borrows ", how, " from ", whom, ": ",
                  paste(c(unrelated, tlcp_verbs_shrunk(slopes)), collapse = "; "), "."))
  }
  if (length(lends) < length(others)) whom <- tlcp_verbs_whom(others[lends - 1L], length(others))
  why <- c(tlcp_verbs_shares(slopes, length(others) == 1), tlcp_verbs_worth(tlcp_verbs_rows(x, shares)),
           tlcp_verbs_sure(s, others))
  c(paste0(target, " borrows from ", whom, ": ", paste(why, collapse = "; "), "."),
    "How much this changes prediction errors: see dissimilarity() and compare_paths().")
}

# "a" and "b", or the number of domains, of `all`.
tlcp_verbs_whom <- function(names, all = length(names)) {
  if (length(names) <= 4) return(words_in_quotes(names))
  paste0(length(names), if (length(names) < all) paste(" of", all), " other domains")
}

# The posterior probability that the target's slopes are unrelated to the others'; NULL where it is not known.
tlcp_verbs_unrelated <- function(s) {
  unrelated <- intersect(names(s$units_weights), c("alone", "few"))
  if (length(unrelated)) sum(s$units_weights[unrelated])
}

# How much of the precision comes from the other domains and how much from shrinkage. slopes: shares of the slopes; one:
# is there one other domain?
tlcp_verbs_shares <- function(slopes, one) {
  if (is.null(slopes)) return(NULL)
  paste0(if (one) "it gives " else "they give ", tlcp_shares_in_words(tlcp_shares_of_others(slopes)),
         " of the precision of a coefficient, shrinkage to 0 gives ",
         tlcp_shares_in_words(tlcp_shares_of_prior(slopes)))
}

# The same where nothing is borrowed.
tlcp_verbs_shrunk <- function(slopes) {
  if (is.null(slopes)) return(NULL)
  prior <- tlcp_shares_of_prior(slopes)
  parts <- paste0("of the precision of a coefficient, other domains ",
                  tlcp_shares_in_words(tlcp_shares_of_others(slopes)))
  if (mean(prior) > LEND_LEAST) {
    return(paste0("its coefficients are shrunk to 0 (shrinkage gives ", tlcp_shares_in_words(prior), " ", parts, ")"))
  }
  paste0("its own rows give ", tlcp_shares_in_words(slopes[, 1]), " ", parts)
}

# What is borrowed, in rows of the target.
tlcp_verbs_worth <- function(rows) {
  if (is.null(rows)) return(NULL)
  each <- round(range(rows, na.rm = TRUE))
  if (each[2] < 1) return("for every coefficient this is worth less than one more row of the target")
  paste0("for a coefficient this is worth ", if (each[1] < each[2]) paste0(each[1], " to "),
         words_counted(each[2], "more row"), " of the target, shrunk in the same way")
}

tlcp_verbs_sure <- function(s, others) {
  lr <- s$lr %||% s$guard_lr[others]
  if (is.null(lr)) return("whether coefficients are related was not tested")
  weak <- min(lr) <= LR_SAFE
  chance <- tlcp_verbs_unrelated(s)
  paste0(if (weak) "the data do not show whether coefficients are related" else
    "related coefficients fit better than unrelated ones", " (log likelihood ratio",
         if (length(lr) > 1) "s from", " ", words_number(min(lr)),
         if (length(lr) > 1) paste(" to", words_number(max(lr))),
         if (weak && !is.null(chance)) paste0("; posterior probability that slopes are unrelated ",
                                              words_number(round(chance, 2))), ")")
}

# The name of the target in messages: it is "target" where the other domains are estimates and no domains were given.
tlcp_verbs_target_called <- function(name) if (name == "target") "the target" else paste("target", name)

# The units in which coefficients were taken to be alike.
tlcp_verbs_units_line <- function(x) {
  s <- x$borrowing
  if (is.null(s$units) || !x$settings$standardize) return(NULL)
  whose <- c(own = "each domain's own units", common = "common units")[[s$units]]
  if (length(s$units_weights) == 1) {
    why <- if (x$settings$units != "evidence") {
      "as asked"
    } else if (length(s$units_lr) == 1) {
      "standard deviations differ no more than by chance"
    } else {
      "by evidence"
    }
    return(paste0("effects are alike in ", whose, " (", why, ")"))
  }
  shares <- format(round(s$units_weights, 2), nsmall = 2)
  if (x$settings$select) {
    return(paste0(if (s$alone) "slopes are not borrowed" else paste("effects are alike in", whose),
                  " (posterior weights: ", paste(names(s$units_weights), shares, collapse = ", "), ")"))
  }
  ways <- c(own = "alike in own units", common = "alike in common units", alone = "not borrowed",
            few = "not borrowed and mostly 0", apart = "alike with few exceptions",
            subset = "the target's own best subset")
  paste0("average of models, with their weights: effects ",
         paste0(ways[names(s$units_weights)], " (", shares, ")", collapse = ", "))
}

# With guard = "cv": the weight of the target's own best subset, and the errors that it follows from.
tlcp_verbs_cv_line <- function(x) {
  cv <- x$borrowing$cv
  if (is.null(cv)) return(NULL)
  subset <- if (!length(cv$selected)) "no feature" else
    paste0(toString(utils::head(cv$selected, 8)), if (length(cv$selected) > 8) ", ...")
  paste0("the target's own best subset (", subset, ") has weight ", format(round(cv$weight, 2), nsmall = 2),
         ": in held-out rows its mean squared error is ", words_number(cv$mse[["own"]]),
         ", that of the fit that borrows ", words_number(cv$mse[["borrowing"]]))
}

#' @rdname transfer_path
#' @export
summary.tlcp <- function(object, step = NULL, ...) {
  arguments_of_generic()
  call <- rlang::current_env()
  worth <- path_worth(object, step, call = call)
  step <- worth$step
  b <- stats::coef(object, step = step)
  constant <- intersect("(Intercept)", names(b))
  slopes <- b[setdiff(names(b), constant)]
  used <- names(slopes)[slopes != 0]
  s <- object$borrowing
  likelihood <- is.na(worth$rss)
  # of numbers by method "exact"; standard errors of classes coded as numbers would be wrong
  found <- NULL
  errors <- if (likelihood || object$family == "gaussian" && !is.null(object$posterior[[1]])) {
    terms <- c(constant, used)
    found <- tlcp_posterior_step_covariance(object, step, call, diagonal = TRUE)
    error <- unname(sqrt(found$V)[terms])
    limits <- tlcp_intervals_limits(found, b[terms], .95)
    list(std.error = error, conf.low = limits[, 1], conf.high = limits[, 2])
  }
  shares <- if (step == object$best) found$shares
  shares <- shares %||% tlcp_posterior_shares(object, brief = TRUE)
  domains <- data.frame(domain = names(s$s2))
  if (!likelihood) domains$sigma <- unname(sqrt(s$s2) * object$response_scale)
  if (!is.null(s$tau2)) domains$tau <- sqrt(unname(s$tau2))
  structure(
    list(
      head = tlcp_verbs_head(object, 4, shares), step = step, rss = worth$rss, deviance = worth$deviance,
      df = worth$df,
      omega = if (!is.null(s$omega2)) sqrt(s$omega2),
      coefficients = list2DF(c(
        list(term = c(constant, used), estimate = unname(b[c(constant, used)])), errors,
        list(standardised = unname(c(NA[seq_along(constant)], b[used] * object$scale[used])))
      )),
      borrowed = if (step == object$best) tlcp_verbs_borrowed(object, shares), shares = shares, domains = domains,
      select = object$settings$select
    ),
    class = c("summary.tlcp", "summary.transfer_path")
  )
}

# The table of what was borrowed with shares of the precision and what they are worth in rows.
tlcp_verbs_borrowed <- function(object, shares) {
  table <- object$borrowed
  if (is.null(table)) return(NULL)
  slopes <- shares[-1, , drop = FALSE]
  more <- if (is.null(shares)) list(weight = numeric(), shrinkage = numeric(), rows = numeric()) else {
    list(weight = tlcp_shares_of_others(slopes), shrinkage = tlcp_shares_of_prior(slopes),
         rows = tlcp_verbs_rows(object, shares) %||% rep(NA_real_, nrow(table)))
  }
  for (name in names(more)) { # by place: a domain may bear any name
    table[[ncol(table) + 1L]] <- unname(more[[name]])
    names(table)[ncol(table)] <- name
  }
  table
}

describe_path.summary.tlcp <- function(x, digits, n = NULL) {
  likelihood <- is.null(x$domains$sigma)
  worth <- paste0("Step ", x$step, ": df ", format(x$df, digits = digits),
                  if (likelihood) ", deviance " else ", residual sum of squares ",
                  format(x$deviance, digits = digits))
  intervals <- !is.null(x$coefficients$std.error)
  coefficients <- if (intervals && nrow(x$coefficients)) {
    list(description_table(
      x$coefficients, title = paste0("\nCoefficients with 95 % intervals, ", if (x$select)
        "as if the columns had been chosen beforehand" else "of columns that were chosen beforehand", "\n")
    ))
  }
  chosen <- if (!NROW(x$borrowed)) {
    if (!intervals) description_table(x$coefficients)
  } else {
    what <- if (likelihood) "the own estimate of each domain (one Newton step) and the borrowed one" else
      "least squares of each domain and the borrowed estimate"
    whose <- if (x$select) "\nChosen features: " else "\nFeatures: "
    tlcp_verbs_shown_borrowed(x$borrowed, paste0(whose, what, ", in units of the target\n"))
  }
  told <- c(if (!likelihood) "residual standard deviation",
            if (!is.null(x$domains$tau)) "distance tau from the common coefficients (z-scores)")
  domains <- if (length(told)) {
    list(description_table(x$domains, SUMMARY_DOMAINS, paste0("\nDomains: ", paste(told, collapse = ", "), "\n"),
                           "rows in $domains"))
  }
  list(head = c(x$head, "", worth), tables = c(coefficients, if (!is.null(chosen)) list(chosen), domains),
       foot = c(if (!is.null(x$omega)) paste("spread omega of the common coefficients:",
                                             format(x$omega, digits = digits), ""),
                tlcp_verbs_borrowed_foot(x$borrowed)))
}

SUMMARY_OTHERS <- 6 # as columns of a table
SUMMARY_DOMAINS <- 12

tlcp_verbs_borrowed_others <- function(table) names(table)[seq_len(max(ncol(table) - 6L, 0L)) + 2L]

# Shortens the table of what was borrowed: for many other domains it has the number of those with an estimate of their
# own, and the median of these.
tlcp_verbs_shown_borrowed <- function(table, title) {
  others <- tlcp_verbs_borrowed_others(table)
  if (length(others) > SUMMARY_OTHERS) {
    columns <- seq_along(others) + 2L
    each <- as.matrix(table[columns])
    together <- data.frame(others = rowSums(!is.na(each)),
                           median = apply(each, 1, stats::median, na.rm = TRUE))
    table <- cbind(table[1:2], together, table[-c(1:2, columns)])
  }
  description_table(description_without_empty(table), title = title)
}

# What the columns of that table are, and why some have no numbers.
tlcp_verbs_borrowed_foot <- function(table) {
  if (!NROW(table)) return(NULL)
  others <- tlcp_verbs_borrowed_others(table)
  many <- length(others) > SUMMARY_OTHERS
  lacking <- attr(table, "lacking")
  if (many) lacking <- lacking[names(lacking) == "target_only"]
  c(
    paste("weight: share of the other domains in the precision of the borrowed estimate; shrinkage: share of the",
          "prior, which shrinks the estimate to 0; the remaining share is that of the target's rows"),
    if (!all(is.na(table[[ncol(table)]]))) {
      "rows: number of further target rows, shrunk in the same way, that would give this precision"
    },
    if (many) paste0("others: number of other domains with an estimate of their own, out of ", length(others),
                     "; median: median of these estimates; all are in $borrowed"),
    if (length(lacking)) paste0("missing estimates, ", names(lacking), ": ", lacking)
  )
}
