# The fit of tgreedy(): from checked settings to the path object, and what it says of its domains.

DOMAIN_ROWS <- 2 # at least: the mean of a single row is that row, outlier or not
FEW_DOMAINS <- 3 # with so few domains the variances in T are imprecise

tgreedy_fit <- function(frame, unlabelled, settings, call) {
  coded <- response_matrix(frame$y)
  known <- if (is.null(unlabelled)) frame_moments(frame)
  domains <- if (!is.null(known)) moments_domains(known)[levels(frame$domain)]
  # What kept columns explain, every domain with the same weight, is taken out first.
  left <- if (!length(settings$keep)) {
    list(frame = frame, coded = coded, domains = domains)
  } else if (has_rows(frame)) {
    without_kept(frame, coded, settings$keep, domain_weights(frame, sum), settings$intercept)
  } else {
    domains_without_kept(domains, frame, coded, settings)
  }
  rows <- is.null(left$domains)
  out <- with_progress_of("Steps", .Call(
    C_tgreedy, if (rows) list(frame_block(left$frame)) else left$domains, if (rows) left$coded,
    as.integer(frame$domain), frame$weights, if (!is.null(unlabelled)) unlabelled_rows(unlabelled, frame), settings
  ))
  if (out$status != 0) abort_tgreedy(out, left$frame, settings, call)
  names(out$paths) <- colnames(coded)
  if (is_mapped(left$frame)) { # the products that entered become the only features
    used <- distinct_columns(unlist(lapply(out$paths, `[[`, "feature")))
    out$paths <- lapply(out$paths, function(r) {
      r[c("entered", "feature")] <- lapply(r[c("entered", "feature")], match, used)
      r
    })
    out[c("center", "scale")] <- list(out$center[used], out$scale[used])
    left$frame <- frame_of_products(frame, used)
  }
  fit <- tgreedy_object(out, left$frame, settings, left$coded)
  if (!length(settings$keep)) return(fit)
  fit <- with_kept(fit, left, frame, domains)
  if (!is.null(settings$map)) fit <- with_used_products(fit, settings$map, frame)
  if (!is.null(fit$fitted)) fit$fitted[] <- (if (is.matrix(fit$fitted)) coded else drop(coded)) - fit$residuals
  fit
}

abort_tgreedy <- function(out, frame, settings, call) {
  if (names(out$status) == "few_domains") {
    p <- frame_width(frame)
    needed <- ceiling(8 * log(2 * p / settings$delta))
    abort_input("Theorem 1 says nothing with {nlevels(frame$domain)} domains and {p} features.",
                "stop", i = "Give another {.arg stop}: the theorem needs about {needed} domains.",
                call = call)
  }
  abort_status(out$status, frame_labels(frame, out$bad), "x", frame_feature(frame, out$bad), call)
}

# Labelled and unlabelled rows together, for the second moments.
unlabelled_rows <- function(extra, frame) {
  all <- factor(c(as.character(frame$domain), as.character(extra$domain)))
  w <- domain_weights(frame)
  if (is_mapped(frame)) frame$x$x <- rbind(frame$x$x, extra$x) else frame$x <- rbind(frame$x, extra$x)
  list(list(frame_block(frame)), as.integer(all), c(w, rep(1, nrow(extra$x))))
}

# stop = "cv": the path with the step of smallest mean loss on domains left out as its default, whose fitted values and
# residuals it has.
at_best_step <- function(path, frame, unlabelled, call) {
  steps <- path_steps(path)
  losses <- vapply(levels(frame$domain), function(left) {
    out <- frame$domain == left
    rest <- tgreedy_fit(frame_domains(frame, setdiff(levels(frame$domain), left)), unlabelled, path$settings, call)
    held <- frame_rows(frame, which(out))
    score <- path_at(rest, held, steps)
    apply(score, 3, function(s) mean_by_weight((response_matrix(held$y) - s)^2, frame_weights(held)))
  }, numeric(length(steps)))
  path$best <- steps[which.min(rowMeans(matrix(losses, nrow = length(steps))))]
  observed <- path$fitted + path$residuals
  path$fitted[] <- path_at(path, frame, path$best)
  path$residuals[] <- observed - path$fitted
  path
}

# Scores (rows x responses x steps) of a path that may be shorter than `steps`.
path_at <- function(path, frame, steps) {
  own <- pmin(steps, max(path_steps(path)))
  score <- stats::predict(path, frame, step = own, type = "link")
  array(score, c(frame_nobs(frame), length(responses(path)), length(steps)))
}

# ---- the object --------------------------------------------------------------------------------

tgreedy_object <- function(out, frame, settings, coded) {
  family <- frame_family(frame)
  single <- function(x) one_or_list(x, family == "multinomial")
  ends <- vapply(out$paths, function(r) length(r$entered), 0L)
  end <- max(ends)
  entered <- distinct_columns(unlist(lapply(out$paths, `[[`, "feature")))
  label <- column_labels(frame$blueprint$columns, entered)
  models <- lapply(out$paths, tgreedy_models, out = out, end = end, names = frame$blueprint$columns)
  domains <- levels(frame$domain)
  spread <- matrix(0, length(domains), length(entered), dimnames = list(domains, label))
  for (r in out$paths) spread[, match(r$feature, entered)] <- r$spread
  fitted <- lapply(models, function(m) score_rows_at(frame$x, m, length(m$a0)))
  fitted <- if (length(models) > 1) do.call(cbind, fitted) else fitted[[1]]
  if (length(models) == 1) dim(coded) <- NULL
  by_domain <- function(what) {
    if (is.null(out$paths[[1]][[what]])) return(NULL)
    single(lapply(out$paths, function(r) {
      values <- nan_to_na(r[[what]])
      steps <- length(values) / length(domains)
      matrix(values, steps, byrow = TRUE, dimnames = list(seq_len(steps) - 1L, domains))
    }))
  }
  new_path(
    "tgreedy", labels = c(title = "T-greedy"),
    beta = single(lapply(models, `[[`, "beta")), a0 = single(lapply(models, `[[`, "a0")),
    points = quick_frame(list(step = 0:end, lambda = rep(NA_real_, end + 1L))),
    steps = tgreedy_steps(out$paths, family, frame, settings$groups), best = end, lambda = NA_real_,
    nobs = frame_nobs(frame), family = family, classes = levels(frame$y), by = "domain",
    rule = settings$rule,
    center = stats::setNames(out$center[entered], label), scale = stats::setNames(out$scale[entered], label),
    domain_scale = spread, domain_loss = by_domain("loss"), domain_auroc = by_domain("auroc"),
    moderation = single(lapply(out$paths, function(r) c(d0 = r$moderation[1], s02 = r$moderation[2]))),
    gain_left = vapply(out$paths, `[[`, 0, "gain_left"),
    fitted = fitted, residuals = coded - fitted, log_weights = log_domain_weights(frame), frame = frame,
    settings = settings
  )
}

# Coefficients and intercepts of steps 0..end on the original scale.
tgreedy_models <- function(r, out, end, names) {
  places <- step_places(r$size, end)
  place <- sequence(places$size)
  row <- r$feature[place]
  step <- rep(seq_along(places$size), places$size)
  value <- r$weight[places$at] / out$scale[row]
  order <- order(step, row, method = "radix")
  moved <- matrix(0, max(places$size), end + 1L)
  moved[cbind(place, step)] <- value * out$center[row]
  list(
    beta = sparse_matrix(row[order] - 1L, cumsum(c(0L, places$size)), value[order],
                         c(length(out$center), end + 1L), list(names, NULL)),
    a0 = r$y_mean - colSums(moved)
  )
}

tgreedy_steps <- function(paths, family, frame, groups) {
  entered <- function(at) groups$labels[at] %||% column_labels(frame$blueprint$columns, at)
  K <- nlevels(frame$domain)
  n <- frame_nobs(frame)
  one <- function(class) {
    r <- paths[[class]]
    k <- length(r$entered)
    loss <- colMeans(matrix(r$loss, K))
    list(
      class = rep(class, k + 1), lambda = rep(NA_real_, k + 1), step = 0:k,
      entered = c(NA, entered(r$entered)),
      type = c(NA, rep("feature", k)), size = c(0L, r$size), t = nan_to_na(c(NA, r$t)),
      t_mod = nan_to_na(c(NA, r$t_mod)),
      p_value = nan_to_na(c(NA, 2 * stats::pt(-abs(r$t), max(K - 1, 1)))),
      gain = nan_to_na(c(NA, r$gain)), mu = c(NA, r$mu), s = nan_to_na(c(NA, r$s)),
      weight = nan_to_na(c(NA, r$change)),
      loss = loss, bound = nan_to_na(c(0, r$bound)), rss = n * loss,
      df = c(0L, r$size) + 1
    )
  }
  out <- stacked(lapply(names(paths), one))
  if (family != "multinomial") out$class <- NULL
  quick_frame(out)
}

# ---- its domains --------------------------------------------------------------------------------

# Rows of domains that are too small are left out, with a message.
with_whole_domains <- function(frame, call) {
  names <- levels(frame$domain)
  short <- names[domain_nobs(frame) < DOMAIN_ROWS]
  if (!length(short)) return(frame)
  if (length(short) == length(names)) {
    abort_input("Every domain has one row.", "domain",
                i = "Give domains of at least {DOMAIN_ROWS} rows: one row is too few to estimate an
                     effect.", call = call)
  }
  tell_short(short)
  frame <- frame_domains(frame, setdiff(names, short))
  if (has_rows(frame)) frame$y <- check_response(frame$y, frame_nobs(frame), call = call)
  frame
}

# Rows without a response, of domains that have enough rows of either kind.
with_whole_unlabelled <- function(extra, frame) {
  rows <- table(c(as.character(frame$domain), as.character(extra$domain)))
  short <- names(rows)[rows < DOMAIN_ROWS]
  if (!length(short)) return(extra)
  tell_short(short, "unlabelled")
  kept <- !extra$domain %in% short
  list(x = extra$x[kept, , drop = FALSE], domain = droplevels(extra$domain[kept]))
}

tell_short <- function(short, argument = "domain") {
  tell(paste0("Leaving out of `", argument, "` the domain", if (length(short) > 1) "s", " ", in_quotes(short),
              ": one row is too few to estimate an effect."), class = "transelect_message_domains")
}

# A message where the domains are so few that a large T may be due to chance.
tell_chance <- function(fit, settings) {
  p <- settings$units
  K <- length(fit$domains)
  t <- abs(fit$steps$t[!is.na(fit$steps$t)])
  if (K > FEW_DOMAINS || !length(t)) return(invisible())
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
  # medians, without missing values; apply() with median() takes as long as a small fit
  k <- nrow(spread)
  sorted <- matrix(spread[order(col(spread), spread)], k)
  ratio <- spread / rep((sorted[(k + 1L) %/% 2L, ] + sorted[k %/% 2L + 1L, ]) / 2, each = k)
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
