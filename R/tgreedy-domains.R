# The domains of tgreedy(): which can be used, and messages about them.

DOMAIN_ROWS <- 2 # at least: the mean of a single row is that row, outlier or not
FEW_DOMAINS <- 3 # with so few domains the variances in T are imprecise

# Rows of domains that are too small are left out, with a message.
with_whole_domains <- function(frame, call) {
  names <- levels(frame$domain)
  known <- if (!has_rows(frame)) moments_domains(frame$moments)[names]
  rows <- if (is.null(known)) tabulate(frame$domain, length(names)) else vapply(known, `[[`, 0, "n")
  short <- short_domains(rows, names, call)
  if (!length(short)) return(frame)
  frame <- frame_domains(frame, setdiff(names, short))
  if (has_rows(frame)) frame$y <- check_response(frame$y, frame_nobs(frame), call = call)
  frame
}

# Rows without a response, of domains that have enough rows of either kind.
with_whole_unlabelled <- function(extra, frame) {
  if (is.null(extra)) return(NULL)
  rows <- table(c(as.character(frame$domain), as.character(extra$domain)))
  short <- names(rows)[rows < DOMAIN_ROWS]
  if (!length(short)) return(extra)
  tell_short(short, "unlabelled")
  kept <- !extra$domain %in% short
  list(x = extra$x[kept, , drop = FALSE], domain = droplevels(extra$domain[kept]))
}

# The names of domains with too few rows, after a message; an error where all domains have too few.
short_domains <- function(rows, names, call) {
  short <- names[rows < DOMAIN_ROWS]
  if (length(short) == length(names)) {
    abort_input("Every domain has one row.", "domain",
                i = "Give domains of at least {DOMAIN_ROWS} rows: one row is too few to estimate an
                     effect.", call = call)
  }
  if (length(short)) tell_short(short)
  short
}

tell_short <- function(short, argument = "domain") {
  tell(paste0("Leaving out of `", argument, "` the domain", if (length(short) > 1) "s", " ", in_quotes(short),
              ": one row is too few to estimate an effect."), class = "transelect_message_domains")
}

# The rule that can be used with K domains. T and the gain need the spread between domains, which one
# domain does not have.
rule_for <- function(rule, stop, K, call) {
  if (K > 1) return(rule)
  if (rule %in% c("t", "modt")) {
    abort_input("{.arg rule} is {.val {rule}}, but there is one domain.", "rule",
                i = "Give {.val greedy}: a T-statistic needs at least two.", call = call)
  }
  if (!stop %in% c("none", NA)) {
    abort_input("{.arg stop} is {.val {stop}}, but there is one domain.", "stop",
                i = "Give {.val none}: this rule needs at least two.", call = call)
  }
  if (rule == "gain") {
    tell("There is one domain: the rule is \"greedy\", not \"gain\", and the path goes on to `max_steps`.",
         paste("Only two domains or more show which effects hold in another. For new rows of this domain",
               "`cv_path(by = \"rows\")` chooses the number of steps."), "transelect_message_domains")
  }
  "greedy"
}

# A message where the domains are so few that a large T may be due to chance.
tell_chance <- function(fit, settings) {
  p <- settings$units
  K <- length(fit$domains)
  t <- abs(fit$steps$t[!is.na(fit$steps$t)])
  if (settings$rule != "t" || K > FEW_DOMAINS || !length(t)) return(invisible())
  chance <- stats::qt((1 - .5^(1 / p)) / 2, K - 1, lower.tail = FALSE)
  tell(paste0("T of ", K, " domains has ", counted(K - 1, "degree"), " of freedom: the largest |T| on the path ",
              "is ", signif(max(t), 3), ", and the largest of ", counted(p, "feature"),
              " without any effect would be about ", signif(chance, 2), "."),
       paste("The rules \"modt\" and \"gain\" estimate the variances from all features and depend less on",
             "chance."), "transelect_message_domains")
}

# A message about columns that entered whose standard deviation in one domain is far from that in the
# others: that domain then determines the scale and the effect of the column, and predictions for other
# domains may be far off. spread: standard deviations, domains x columns.
tell_spreads <- function(spread) {
  if (!length(spread) || nrow(spread) < 3) return(invisible())
  if (isTRUE(max(spread) <= FAR_SPREAD * min(spread))) return(invisible()) # the medians lie between
  ratio <- spread / rep(column_medians(spread), each = nrow(spread))
  far <- which(is.finite(ratio) & ratio > 0 & abs(log(ratio)) > log(FAR_SPREAD), arr.ind = TRUE)
  if (!nrow(far)) return(invisible())
  far <- far[order(-abs(log(ratio[far]))), , drop = FALSE]
  far <- utils::head(far[!duplicated(far[, 2]), , drop = FALSE], 5)
  columns <- colnames(spread)[far[, 2]]
  where <- paste0(signif(ratio[far], 2), " times in ", rownames(spread)[far[, 1]])
  tell(paste0("The standard deviation of ", in_quotes(columns), " in one domain is far from the median over ",
              "the domains: ", paste(where, collapse = ", "), "."),
       paste("Look for other units, outliers or values that are rare there; a logarithm may help, or leaving the",
             "column out."),
       "transelect_message_spread")
}

known_domains <- function(frame) {
  known <- frame_moments(frame)
  if (!is.null(known)) moments_domains(known)[levels(frame$domain)]
}

# The standard deviations of the columns that entered, domains x columns, of a path beside kept columns.
spread_beside_kept <- function(fit, frame) {
  here <- at <- entered_columns(fit)
  domains <- known_domains(frame)
  if (is.null(domains)) {
    frame$blueprint <- blueprint_of_rest(frame, at)
    frame$x <- as.matrix(frame$x[, at, drop = FALSE])
    domains <- feature_cells(frame, NULL, call = NULL)
    here <- seq_along(at)
  }
  spread <- vapply(domains, function(d) sqrt(diag(cell_covariance(d))[here]), numeric(length(at)))
  t(matrix(spread, length(at), dimnames = list(column_labels(fit$blueprint$columns, at), names(domains))))
}

entered_columns <- function(fit) {
  distinct_columns(unlist(lapply(by_response(fit$beta), function(b) b@i[b@x != 0] + 1L), use.names = FALSE))
}

# Of numbers without missing values; apply() with median() takes as long as a small fit.
column_medians <- function(x) {
  x[] <- x[order(col(x), x)]
  k <- nrow(x)
  (x[(k + 1L) %/% 2L, ] + x[k %/% 2L + 1L, ]) / 2
}
