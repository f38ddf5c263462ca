# tgreedy() of survival times: martingale residuals of the null Cox model by domain are selected on like a numeric
# response, and the Cox model of the selected columns, stratified by domain, is fitted at every step.

# An error where `family`, an argument, is none that tgreedy() fits to this response.
tgreedy_surv_check_family <- function(family, frame, call) {
  given <- family
  family <- likelihood_check_family(family, call, offered = c("gaussian", "cox"))
  if (is.null(family)) return(invisible())
  given <- likelihood_family_name(given)
  if (family == "binomial") {
    abort_input("{.arg family} is {.val {given}}, and {.fn tgreedy} fits two classes by least squares.", "family",
                i = "Leave it out and give {.code prob = TRUE}: calibrated probabilities of least squares did as well in
                     held-out domains as a selection by the logistic likelihood.", call = call)
  }
  if (family == "poisson") {
    abort_input("{.arg family} is {.val {given}}, and {.fn tgreedy} fits counts by least squares.", "family",
                i = "Leave it out, and give counts or {.code log1p(counts)} as numbers: a selection by the Poisson
                     likelihood was better on some data and worse on others. {.fn tlcp} with
                     {.code family = \"poisson\"} fits the likelihood of the columns selected.", call = call)
  }
  if (inherits(frame$y, "Surv") != (family == "cox")) response_family_check(frame$y, frame_rows_count(frame), family,
                                                                            call)
}

# The frame of survival times, checked for tgreedy(): its strata are the domains.
tgreedy_surv_frame <- function(frame, call) {
  if (!is.null(frame$strata)) {
    if (is.null(frame$domain) || anyDuplicated(unique(cbind(frame$strata, frame$domain))[, 1]) ||
          anyDuplicated(unique(cbind(frame$strata, frame$domain))[, 2])) {
      abort_input("There are {.arg strata}, and the response is a {.cls Surv}.", "strata",
                  i = "Leave them out: the strata of this Cox model are the domains.", call = call)
    }
    frame$strata <- NULL
  }
  plain <- frame # for the refusals that all responses share
  plain[c("y", "family", "said")] <- list(numeric(frame_rows_count(frame)), "gaussian", TRUE)
  frame_for_method("tgreedy", plain, character(), call)
  frame
}

# Errors for arguments that only numbers or classes have.
tgreedy_surv_refuse <- function(prob, stop, call) {
  if (prob) {
    abort_input("{.arg prob} is {.code TRUE}, and the response is a {.cls Surv}.", "prob",
                i = "Leave it out: {.code predict(type = \"survival\", times = )} gives probabilities.", call = call)
  }
  if (identical(stop, "cv")) {
    abort_input("{.arg stop} is {.val cv}, and the response is a {.cls Surv}.", "stop",
                i = "Use {.code cv_path(fit = tgreedy)}, which leaves out one domain at a time and compares partial
                     likelihoods.", call = call)
  }
}

# The frame without domains that have no event: their residuals are all 0, whatever the effects.
tgreedy_surv_with_events <- function(frame, call) {
  events <- rowsum(unclass(frame$y)[, "status"], frame$domain)[levels(frame$domain), 1]
  none <- names(events)[events == 0]
  if (!length(none)) return(frame)
  if (length(none) == length(events)) response_family_abort_degenerate("cox", NO_DOMAIN, call)
  tell(paste0("Leaving out the domain", if (length(none) > 1) "s", " ", words_in_quotes(none), ": ",
              if (length(none) > 1) "they have" else "it has", " no event."),
       class = "transelect_message_domains")
  frame_rows_of_domains(frame, setdiff(names(events), none))
}

# What every Cox model of the path is fitted to, a part as in likelihood.R: `Z`, the columns centred and divided by
# their standard deviations, is made for the columns of a step.
tgreedy_surv_part <- function(frame) {
  w <- response_weights_of_rows(frame)
  list(name = NO_DOMAIN, n = frame_rows_count(frame), add = numeric(frame_rows_count(frame)), w = w,
       risk = response_family_surv_risk(frame$y, frame$domain), share = w / sum(w))
}

# list(beta, center, score, columns): the Cox model, stratified by domain, of these columns; a column that is a
# combination of those before it has a coefficient of 0. score: the linear predictor, 0 at the means of the columns.
# NULL where the partial likelihood has no maximum. before: NULL, or a model of some of the columns to start from.
tgreedy_surv_model <- function(part, x, columns, before = NULL) {
  if (!length(columns)) return(list(beta = numeric(), center = numeric(), score = part$add,
                                    columns = integer()))
  z <- as.matrix(x[, columns, drop = FALSE])
  center <- colSums(part$share * z)
  z <- z - rep(center, each = part$n)
  scale <- sqrt(colSums(part$share * z^2))
  scale[scale == 0] <- 1
  part$Z <- unname(z / rep(scale, each = part$n))
  start <- replace(numeric(length(columns)), match(before$columns, columns), before$beta) * scale
  # suppressed: the likelihood is NaN where a step moves a linear predictor beyond what exp() can tell apart
  theta <- suppressWarnings(tryCatch(moments_family_maximum("cox", part, NULL, start),
                                     transelect_error_family = function(e) NULL))
  if (is.null(theta) || tgreedy_surv_has_no_maximum(part, theta)) return(NULL)
  list(beta = unname(theta / scale), center = unname(center), score = drop(part$Z %*% theta), columns = columns)
}

# Newton's method may end by rounding where the likelihood grows for ever. Then linear predictors are far apart, and
# larger coefficients are no worse.
tgreedy_surv_has_no_maximum <- function(part, theta) {
  score <- drop(part$Z %*% theta)
  if (diff(range(score)) < 30) return(FALSE)
  value <- suppressWarnings(vapply(c(1, 1.1), function(k) cox_log_lik(part$risk, part$w, k * score), 0))
  !isTRUE(value[2] < value[1] - 1e-6)
}

# The frame with a numeric response in place of survival times: the martingale residuals of the Cox model, stratified
# by domain, of the kept columns alone.
tgreedy_surv_residuals <- function(frame, keep, call) {
  part <- tgreedy_surv_part(frame)
  null <- tgreedy_surv_model(part, frame$x, keep)
  if (is.null(null)) {
    abort_input("The partial likelihood of the columns in {.arg keep} has no maximum.", "keep",
                i = "Keep fewer columns: these separate the events from the other rows.", call = call)
  }
  frame$y <- likelihood_residuals("cox", part, null$score)$response
  frame$family <- "gaussian"
  frame
}

# path: that of the martingale residuals. The path of Cox models, a step for each column or group when it was first
# picked, as long as the partial likelihood has a maximum.
tgreedy_surv_path <- function(path, frame, settings) {
  picks <- which(!duplicated(path$steps$entered))
  used <- lapply(picks, function(k) which(path$beta[, k] != 0))
  used <- lapply(seq_along(used), function(k) unique(c(settings$keep, unlist(used[seq_len(k)])))) # in order of entry
  part <- tgreedy_surv_part(frame)
  models <- list()
  model <- NULL
  for (columns in used) {
    model <- tgreedy_surv_model(part, frame$x, columns, model)
    if (is.null(model)) break
    models <- c(models, list(model))
  }
  end <- length(models) - 1L
  if (end + 1L < length(picks)) {
    tell(paste0("The path ends at step ", end, ": with ", words_in_quotes(path$steps$entered[picks[end + 2L]]),
                " the partial likelihood has no maximum."),
         "Leave this column out, or merge its rare values.", "transelect_message_family")
  }
  tgreedy_surv_object(path, models, picks[seq_along(models)], part, frame, settings)
}

# models: of steps 0, 1, ...; picks: the rows of the table of steps of `path` that have the picks they stand for.
tgreedy_surv_object <- function(path, models, picks, part, frame, settings) {
  columns <- frame$blueprint$columns
  beta <- matrix(0, frame$blueprint$p, length(models))
  for (k in seq_along(models)) beta[models[[k]]$columns, k] <- models[[k]]$beta
  beta <- table_sparse_rows(beta, columns)
  a0 <- vapply(models, function(m) -sum(m$beta * m$center), 0)
  eta <- vapply(models, `[[`, numeric(part$n), "score")
  best <- length(models)
  rows <- likelihood_residuals("cox", part, eta[, best])
  by_domain <- tgreedy_surv_by_domain(eta, frame)
  log_lik <- vapply(seq_along(models), function(k) cox_log_lik(part$risk, part$w, eta[, k]), 0)
  df <- vapply(models, function(m) sum(m$beta != 0), 0L)
  steps <- path$steps[picks, ]
  steps[c("weight", "bound", "rss")] <- NULL
  steps$step <- seq_along(models) - 1L
  steps$size <- lengths(lapply(models, `[[`, "columns"))
  steps$loss <- unname(rowMeans(by_domain$loss))
  steps$concordance <- unname(rowMeans(by_domain$concordance, na.rm = TRUE))
  steps[c("df", "log_lik", "deviance")] <- list(df, log_lik, -2 * log_lik)
  row.names(steps) <- NULL
  path$steps <- steps
  path$points <- table_data_frame(list(step = steps$step, lambda = rep(NA_real_, length(models))))
  path[c("beta", "a0", "best")] <- list(beta, a0, best - 1L)
  path[c("family", "link", "size")] <- list("cox", "log", part$risk$events)
  path$null_deviance <- -2 * cox_log_lik(part$risk, part$w, part$add)
  path[c("domain_loss", "domain_concordance")] <- by_domain
  names <- frame_rows_names(frame)
  named <- function(v) if (is.null(names)) v else labels_set_row_names(v, as.character(names))
  path[c("fitted", "residuals", "deviance_residuals")] <- lapply(rows[c("fitted", "response", "deviance")], named)
  path$baseline <- tgreedy_surv_baseline(eta, part, frame)
  path$settings$family <- "cox"
  path$strata_are_domains <- TRUE
  path$gain_left <- path$domain_auroc <- NULL
  class(path) <- c("tgreedy", "likelihood_path", "transfer_path")
  path_bound_with_ranges(path, frame, path_object_columns(path), BOUND)
}

# The cumulative baseline hazard of all domains taken together, at the means of the columns, at every step: that of a
# domain not seen is unknown.
tgreedy_surv_baseline <- function(eta, part, frame) {
  risk <- response_family_surv_risk(frame$y)
  hazard <- lapply(seq_len(ncol(eta)), function(k) cox_baseline(risk, part$w, eta[, k]))
  list(strata = NULL, stratum = hazard[[1]]$stratum, time = hazard[[1]]$time,
       hazard = vapply(hazard, `[[`, numeric(nrow(hazard[[1]])), "hazard"))
}

# (steps + 1) x domains: minus twice the log partial likelihood of a domain, an event; and its concordance.
tgreedy_surv_by_domain <- function(eta, frame) {
  w <- response_weights_of_rows(frame)
  measure <- function(of) {
    values <- vapply(split(seq_along(w), frame$domain), function(i) {
      score <- of(i)
      apply(eta[i, , drop = FALSE], 2, score)
    }, numeric(ncol(eta)))
    matrix(values, ncol(eta), dimnames = list(seq_len(ncol(eta)) - 1L, levels(frame$domain)))
  }
  list(
    loss = measure(function(i) {
      risk <- response_family_surv_risk(frame$y[i])
      function(score) -2 * cox_log_lik(risk, w[i], score) / sum(w[i][risk$dead])
    }),
    concordance = measure(function(i) {
      y <- frame$y[i]
      function(score) cv_loss_cox_concordance(y, score, w[i], NULL)
    })
  )
}
