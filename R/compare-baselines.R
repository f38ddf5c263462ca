# The baselines of compare_paths(): no sources, no features, ridge, and the sources as they are.

SOURCE_BASELINES <- c("average of the sources, as is", "best source") # their names as rules

BASELINES <- c("alone", "mean", "ridge", "average", "best", "each")

compare_baselines_check <- function(baselines, call) {
  if (is.null(baselines) || identical(baselines, FALSE)) return(invisible())
  if (!is.character(baselines) || !all(baselines %in% BASELINES)) {
    abort_value(baselines, "baselines", "Give some of {.val {BASELINES}}, or {.code FALSE} for none.", call)
  }
}

# The baselines asked for, or all to which the loss applies.
compare_baselines_known <- function(baselines, loss, call) {
  if (identical(baselines, FALSE)) return(character())
  known <- if (compare_rules_is_log_loss(loss)) setdiff(BASELINES, "ridge") else
    if (compare_rules_needs_probabilities(loss)) c("alone", "mean") else BASELINES
  other <- setdiff(baselines, known)
  if (length(other)) {
    abort_input("{.arg loss} is {.val {loss$name}}, and {.val {other}} of {.arg baselines} {?has/have} no
                 probabilities.", "baselines", i = "Give {.val {known}}, or another {.arg loss}.", call = call)
  }
  unique(baselines %||% known)
}

# list(names, kind, run) each; see compare_fits_rules(). sources: their numbers. target: NULL, or the domain whose rows
# are held out: baselines are then of its rows alone, ridge of all rows too.
compare_baselines_rules <- function(asked, fits, labels, classes, loss, target, sources) {
  has_sources <- length(labels) > 0L
  several <- length(classes) > 2L
  lost <- intersect(asked, c("average", "best", "each"))
  if (has_sources && several && length(lost)) {
    tell(paste0("Leaving ", words_in_quotes(lost), " out of `baselines`: a source that predicts one number does not ",
                "tell ", length(classes), " classes apart."), class = "transelect_message_baselines")
  }
  if (!several && length(sources) < length(labels) && length(lost)) {
    unusable <- setdiff(seq_along(labels), sources)
    tell(paste0("Leaving ", words_counted(length(unusable), "source"), " out of `baselines`, since predictions ",
                "outside -1 to 1 are not probabilities: ", toString(labels[unusable], width = 90)),
         class = "transelect_message_baselines")
  }
  if (!has_sources || several || !length(sources)) asked <- setdiff(asked, lost)
  log_loss <- compare_rules_is_log_loss(loss)
  values <- function(frame, kept) { # of the log loss probabilities
    if (!log_loss) return(as.matrix(frame$sources$values) + compare_baselines_levels(frame, kept))
    frame$sources$values <- as.matrix(frame$sources$values)[, sources, drop = FALSE]
    sources_probabilities(frame$sources)
  }
  score <- function(value) if (log_loss) response_scores_log_odds(value) else value
  if (!has_sources) asked <- setdiff(asked, "alone")
  of_target <- function(run) {
    if (is.null(target)) return(run)
    function(kept, held) run(frame_rows(kept, which(frame_rows_of_domain(kept, target))), held)
  }
  rule <- function(name, kind, run) list(names = name, kind = kind, run = run)
  parts <- c("features", if (has_sources) c("sources", "both"))
  rules <- list(
    alone = compare_baselines_without_sources(fits, loss),
    mean = list(rule(if (length(classes)) "shares of the classes" else "mean of the response", "baseline",
                     of_target(function(kept, held) compare_baselines_mean(kept, held, loss)))),
    ridge = c(
      lapply(parts, function(part) {
        rule(paste("ridge on", part), "baseline",
             of_target(function(kept, held) compare_baselines_ridge(kept, held, part)))
      }),
      if (!is.null(target)) list(rule("ridge on features, all domains", "baseline",
                                      function(kept, held) compare_baselines_ridge(kept, held, "features")))
    ),
    average = list(rule(SOURCE_BASELINES[1L], "baseline", of_target(function(kept, held) {
      score(rowMeans(values(held, kept)))
    }))),
    best = list(rule(SOURCE_BASELINES[2L], "baseline", of_target(function(kept, held) {
      best <- compare_baselines_best_source(kept, score(values(kept, kept)), loss)
      structure(score(values(held, kept)[, best]), chosen = labels[sources[best]])
    }))),
    each = list(list(names = labels[sources], kind = "source",
                     run = of_target(function(kept, held) score(values(held, kept)))))
  )
  unlist(unname(rules[intersect(BASELINES, asked)]), recursive = FALSE)
}

# Which sources are coefficients without an intercept?
compare_baselines_without_level <- function(sources) {
  models <- sources$models
  lacks <- vapply(models, function(model) {
    inherits(model, "transfer_estimates") && !"(Intercept)" %in% model$sites[[1L]]$terms
  }, NA)
  which(unname(lacks)[sources$of %||% seq_along(lacks)])
}

# What is added to the predictions of the rows of `frame`: of sources without an intercept their mean residual in the
# rows of the fit, of the others 0.
compare_baselines_levels <- function(frame, kept) {
  lacking <- compare_baselines_without_level(kept$sources)
  if (!length(lacking) || is.factor(kept$y)) return(0)
  weights <- response_weights_sum_one(response_weights_of_rows(kept))
  values <- as.matrix(kept$sources$values)
  levels <- numeric(ncol(values))
  levels[lacking] <- colSums(weights * (kept$y - values[, lacking, drop = FALSE]))
  rep(levels, each = frame_rows_count(frame))
}

# The first fit, if it is a method of this package, without the sources.
compare_baselines_without_sources <- function(fits, loss) {
  if (compare_rules_takes_response(fits[[1L]])) return(list())
  name <- paste0(names(fits)[1L], ", no sources")
  list(list(names = name, kind = "fit", run = function(kept, held) {
    kept["sources"] <- held["sources"] <- list(NULL)
    compare_rules_path_scores(compare_rules_path(fits[[1L]], kept, name), held, loss)
  }))
}

# Weighted mean of numbers; of classes their shares, on the scale of scores.
compare_baselines_mean <- function(kept, held, loss) {
  coded <- response_matrix(kept$y)
  mean <- colSums(response_weights_sum_one(response_weights_of_rows(kept)) * coded)
  if (compare_rules_needs_probabilities(loss)) {
    share <- (1 + mean) / 2
    mean <- if (length(share) == 1L) stats::qlogis(share) else log(share)
  }
  matrix(mean, frame_rows_count(held), length(mean), byrow = TRUE)
}

# The number of the source whose scores have the best loss on the rows of the fit; of several with that loss the first.
compare_baselines_best_source <- function(kept, scores, loss) {
  found <- apply(scores, 2L, function(score) {
    loss$loss(kept$y, score, response_weights_of_rows(kept), levels(kept$y))
  })
  found[!is.finite(found)] <- NA
  if (all(is.na(found))) 1L else if (loss$smaller_is_better) which.min(found) else which.max(found)
}

LOO_RIDGES <- 10^(-4:4)

# Ridge on columns of mean square one, the penalty by leave-one-out; classes weigh the same.
compare_baselines_ridge <- function(kept, held, part) {
  columns <- function(frame) {
    as.matrix(switch(part, features = frame_map_columns(frame$x), sources = frame$sources$values,
                     cbind(frame_map_columns(frame$x), frame$sources$values)))
  }
  v <- response_weights_by_response(kept, is.factor(kept$y))
  coded <- response_matrix(kept$y)
  if (is.null(v)) v <- matrix(1, nrow(coded), 1L)
  new <- columns(held)
  predicted <- vapply(seq_len(ncol(coded)), function(r) {
    model <- compare_baselines_loo_ridge(columns(kept), coded[, r], v[, min(r, ncol(v))])
    drop(new %*% model$w) + model$a0
  }, numeric(nrow(new)))
  matrix(predicted, nrow(new))
}

# sum_i v_i (y_i - a0 - z_i'w)^2 + tau |w|^2 over the standardised columns z, v of sum n; tau from
# LOO_RIDGES by the exact leave-one-out error, the columns' scale as of all rows. By the eigenvectors of
# the smaller of ZZ' and Z'Z. Returns a0 and w for x as it is, and tau.
compare_baselines_loo_ridge <- function(x, y, v) {
  n <- length(y)
  v <- response_weights_sum_n(v)
  center <- colSums(v * x) / n
  z <- sqrt(v) * (x - rep(center, each = n))
  scale <- sqrt(colSums(z^2) / n)
  varies <- scale > 1e-7 * (abs(center) + scale)
  z <- z[, varies, drop = FALSE] / rep(scale[varies], each = n)
  y_mean <- sum(v * y) / n
  e <- sqrt(v) * (y - y_mean)
  w <- numeric(ncol(x))
  if (!any(varies)) return(list(a0 = y_mean, w = w, tau = Inf))
  wide <- ncol(z) > n
  parts <- eigen(if (wide) tcrossprod(z) else crossprod(z), symmetric = TRUE)
  rank <- parts$values > max(parts$values) * 1e-13 * max(dim(z))
  square <- parts$values[rank]
  u <- parts$vectors[, rank, drop = FALSE]
  if (!wide) u <- z %*% u / rep(sqrt(square), each = n)
  along <- drop(crossprod(u, e))
  loo <- vapply(LOO_RIDGES, function(tau) {
    shrunk <- square / (square + tau)
    left <- e - drop(u %*% (shrunk * along))
    free <- 1 - v / n - drop(u^2 %*% shrunk)
    if (any(free < 1e-10)) Inf else sum((left / free)^2)
  }, 0)
  tau <- LOO_RIDGES[if (any(is.finite(loo))) which.min(loo) else length(loo)]
  w[varies] <- drop(crossprod(z, u %*% (along / (square + tau)))) / scale[varies]
  list(a0 = y_mean - sum(w * center), w = w, tau = tau)
}
