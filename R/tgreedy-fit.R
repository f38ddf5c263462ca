# The fit of tgreedy(): domains of too few rows, unlabelled rows, the choice of the step, messages.

tgreedy_fit_abort <- function(result, frame, settings, call) {
  if (names(result$status) == "few_domains") {
    p <- frame_rows_width(frame)
    needed <- ceiling(8 * log(2 * p / settings$delta))
    abort_input("Theorem 1 gives no bound for {nlevels(frame$domain)} domains and {p} features.",
                "stop", i = "Give another {.arg stop}: the theorem needs about {needed} domains.",
                call = call)
  }
  status_abort(result$status, products_frame_labels(frame, result$bad), "x",
               products_frame_feature(frame, result$bad), call)
}

# Labelled and unlabelled rows together, for the second moments.
tgreedy_fit_unlabelled_rows <- function(extra, frame) {
  all <- factor(c(as.character(frame$domain), as.character(extra$domain)))
  w <- response_weights_by_domain(frame)
  if (frame_is_mapped(frame)) frame$x$x <- rbind(frame$x$x, extra$x) else frame$x <- rbind(frame$x, extra$x)
  list(list(frame_rows_block(frame)), as.integer(all), c(w, rep(1, nrow(extra$x))))
}

# Rows without a response, of domains that have enough rows of either kind.
tgreedy_fit_whole_unlabelled <- function(extra, frame) {
  rows <- table(c(as.character(frame$domain), as.character(extra$domain)))
  short <- names(rows)[rows < DOMAIN_ROWS]
  if (!length(short)) return(extra)
  tgreedy_fit_tell_short(short, "unlabelled")
  kept <- !extra$domain %in% short
  list(x = extra$x[kept, , drop = FALSE], domain = droplevels(extra$domain[kept]))
}

tgreedy_fit_tell_short <- function(short, argument = "domain") {
  tell(paste0("Leaving out the domain", if (length(short) > 1) "s", " ", words_in_quotes(short), " of `", argument,
              "`: one row is too few to estimate an effect."), class = "transelect_message_domains")
}

DOMAIN_ROWS <- 2 # at least: the mean of a single row is that row, outlier or not

FEW_DOMAINS <- 3 # with so few domains the variances in T are imprecise

# A message where the domains are so few that a large T may be due to chance.
tgreedy_fit_tell_chance <- function(fit, settings) {
  p <- settings$units
  K <- length(fit$domains)
  t <- abs(fit$steps$t[!is.na(fit$steps$t)])
  if (K > FEW_DOMAINS || !length(t)) return(invisible())
  chance <- stats::qt((1 - .5^(1 / p)) / 2, K - 1, lower.tail = FALSE)
  tell(paste0("A T-statistic of ", K, " domains has ", words_counted(K - 1, "degree"), " of freedom: the largest |T| ",
              "on the path is ", signif(max(t), 3), ", and among ", words_counted(p, "feature"),
              " without any effect the largest |T| would be about ", signif(chance, 2), "."),
       paste("The rules \"modt\" and \"gain\" estimate the variances from all features and depend less on",
             "chance."), "transelect_message_domains")
}

# A message that two domains show little about a third. (For the rule "t" tgreedy_fit_tell_chance() has the message.)
tgreedy_fit_tell_two_domains <- function(fit) {
  if (length(fit$domains) != 2) return(invisible())
  tell(paste0("There are two domains, ", words_in_quotes(fit$domains),
              ": the variance of an effect between domains is ",
              "estimated from one difference. If one domain is held out, the other alone selects the features."),
       paste("Add domains if there are any. If the two were measured differently, test predictions on rows of a third",
             "domain before you use them there."), "transelect_message_domains")
}

# Rows of domains that are too small are left out, with a message.
tgreedy_fit_whole_domains <- function(frame, call) {
  names <- levels(frame$domain)
  short <- names[frame_rows_by_domain(frame) < DOMAIN_ROWS]
  if (!length(short)) return(frame)
  if (length(short) == length(names)) {
    abort_input("Every domain has one row.", "domain",
                i = "Give domains of at least {DOMAIN_ROWS} rows: one row is too few to estimate an
                     effect.", call = call)
  }
  tgreedy_fit_tell_short(short)
  frame <- frame_rows_of_domains(frame, setdiff(names, short))
  if (frame_rows_are_there(frame)) frame$y <- frame_response(frame$y, frame_rows_count(frame), FALSE, frame$family,
                                                             TRUE, call)
  frame
}

tgreedy_fit <- function(frame, unlabelled, settings, call) {
  frame <- unclass(frame) # for a faster `$`
  coded <- response_matrix(frame$y)
  known <- if (is.null(unlabelled)) frame_moments(frame)
  domains <- if (!is.null(known)) moments_object_domains(known)[levels(frame$domain)]
  # What kept columns explain, every domain with the same weight, is taken out first.
  left <- if (!length(settings$keep)) {
    list(frame = frame, coded = coded, domains = domains)
  } else if (frame_rows_are_there(frame)) {
    path_kept_removed(frame, coded, settings$keep, response_weights_by_domain(frame, sum), settings$intercept)
  } else {
    tgreedy_kept_domains(domains, frame, coded, settings)
  }
  rows <- is.null(left$domains)
  found <- progress_during("Steps", .Call(
    C_tgreedy, if (rows) list(frame_rows_block(left$frame)) else left$domains, if (rows) left$coded,
    as.integer(frame$domain), frame$weights, if (!is.null(unlabelled)) tgreedy_fit_unlabelled_rows(unlabelled, frame),
    settings
  ))
  if (found$status != 0) tgreedy_fit_abort(found, left$frame, settings, call)
  names(found$paths) <- colnames(coded)
  if (frame_is_mapped(left$frame)) { # the products that entered become the only features
    used <- table_distinct_columns(unlist(lapply(found$paths, `[[`, "feature")))
    found$paths <- lapply(found$paths, function(r) {
      r[c("entered", "feature")] <- lapply(r[c("entered", "feature")], match, used)
      r
    })
    found[c("center", "scale")] <- list(found$center[used], found$scale[used])
    left$frame <- products_frame(frame, used)
  }
  fit <- tgreedy_object(found, left$frame, settings, left$coded)
  if (!length(settings$keep)) return(path_bound_with_ranges(fit, left$frame, path_object_columns(fit), BOUND))
  fit <- tgreedy_kept_added(fit, left, frame, domains)
  fit <- path_bound_with_ranges(fit, frame, path_object_columns(fit), BOUND)
  if (!is.null(settings$map)) fit <- tgreedy_kept_used_products(fit, settings$map, frame)
  if (!is.null(fit$fitted)) fit$fitted[] <- (if (is.matrix(fit$fitted)) coded else drop(coded)) - fit$residuals
  fit
}

# stop = "cv": the path with the step of smallest mean loss on domains left out as its default, whose fitted values and
# residuals it has.
tgreedy_fit_at_best_step <- function(path, frame, unlabelled, call) {
  steps <- path_step_table(path)
  losses <- vapply(levels(frame$domain), function(left) {
    left_out <- frame$domain == left
    rest <- tgreedy_fit(frame_rows_of_domains(frame, setdiff(levels(frame$domain), left)), unlabelled, path$settings,
                        call)
    held <- frame_rows(frame, which(left_out))
    score <- tgreedy_fit_scores_at_steps(rest, held, steps)
    apply(score, 3, function(s) response_weights_mean((response_matrix(held$y) - s)^2, response_weights_of_rows(held)))
  }, numeric(length(steps)))
  path$best <- steps[which.min(rowMeans(matrix(losses, nrow = length(steps))))]
  observed <- path$fitted + path$residuals
  path$fitted[] <- tgreedy_fit_scores_at_steps(path, frame, path$best)
  path$residuals[] <- observed - path$fitted
  path
}

# Scores (rows x responses x steps) of a path that may be shorter than `steps`.
tgreedy_fit_scores_at_steps <- function(path, frame, steps) {
  path_steps <- pmin(steps, max(path_step_table(path)))
  score <- stats::predict(path, frame, step = path_steps, type = "link")
  array(score, c(frame_rows_count(frame), length(path_object_responses(path)), length(steps)))
}

tgreedy_fit_tell_spreads <- function(spread) {
  if (!length(spread) || nrow(spread) < 3) return(invisible())
  if (isTRUE(max(spread) <= FAR_SPREAD * min(spread))) return(invisible()) # the medians lie between
  # medians, without missing values; apply() with median() takes as long as a small fit
  k <- nrow(spread)
  sorted <- matrix(spread[order(col(spread), spread)], k)
  ratio <- spread / rep((sorted[(k + 1L) %/% 2L, ] + sorted[k %/% 2L + 1L, ]) / 2, each = k)
  far <- which(is.finite(ratio) & ratio > 0 & abs(log(ratio)) > log(FAR_SPREAD), arr.ind = TRUE)
  if (!nrow(far)) return(invisible())
  far <- far[order(-abs(log(ratio[far]))), , drop = FALSE]
  far <- utils::head(far[!duplicated(far[, 2]), , drop = FALSE], 5)
  columns <- colnames(spread)[far[, 2]]
  where <- paste0(signif(ratio[far], 2), " times the median in ", rownames(spread)[far[, 1]])
  tell(paste0("The standard deviation of ", words_in_quotes(columns), " in one domain is far from its median over the ",
              "domains: ", paste(where, collapse = ", "), "."),
       paste("Look for other units, outliers, or values that are rare in that domain. A logarithm may help; or leave",
             "the column out."),
       "transelect_message_spread")
}
