# From the results of the kernels to the path object of msplit().

# The default model: which nu, and which of its steps. Without a choice it is the last step of the first nu.
best_point <- function(out) {
  worth <- vapply(out$fits, `[[`, 0, "best_criterion")
  at <- which.min(worth)
  if (!length(at)) at <- 1L
  c(nu = at, step = out$fits[[at]]$best)
}

msplit_object <- function(out, frame, settings, coded, best, choice = NULL) {
  q <- ncol(coded)
  columns <- frame$blueprint$columns
  family <- frame_family(frame)
  nu <- settings$nu
  fits <- out$fits
  single <- function(x) one_or_list(stats::setNames(x, responses), q > 1)
  responses <- colnames(coded)
  counts <- lengths(lapply(fits, `[[`, "step"))
  lambda <- rep.int(nu, counts)
  points <- quick_frame(list(step = of_all_fits(fits, "step"), t = of_all_fits(fits, "time"),
                             lambda = lambda))
  named <- if (!is.null(choice)) named_models(choice, q)
  fitted <- if (is.null(choice)) score_at_point(out, best, frame$x, q) else
    score_rows(frame$x, named$average$beta, named$average$a0)
  dim(fitted) <- dim(coded)
  dimnames(fitted) <- dimnames(coded)
  logistic <- settings$loss != "squared"
  if (logistic) {
    if (q == 1) coded <- (coded + 1) / 2
    fitted[] <- unlist(class_probabilities(lapply(seq_len(q), function(r) fitted[, r])))
  }
  if (q == 1) dim(fitted) <- dim(coded) <- NULL
  label <- all_labels(frame$blueprint)
  of <- if (family == "gaussian") "response" else "class"
  new_path(
    "msplit", link = if (logistic) "logit" else "identity",
    coding = if (family == "multinomial") c(0, 1) else c(-1, 1),
    labels = c(title = "MSplit LBI", lambda = "nu", size = "columns in the support"),
    beta = single(dense_matrices(fits, q, ncol(frame$x), columns)),
    a0 = single(dense_intercepts(fits, q)), points = points,
    steps = msplit_steps(fits, nu, responses = responses, of = of, label = label, n = settings$n,
                         squared = !logistic),
    best = if (is.null(choice)) best[["step"]] else "average", best_step = best[["step"]],
    best_lambda = nu[best[["nu"]]], lambda = nu,
    supports = if (!is.null(choice)) support_table(choice, nu, responses, label, of),
    probability = if (!is.null(choice)) probability_matrix(choice, columns, responses),
    named = named_parts(named, choice, columns, responses,
                        loss = if (has_rows(frame)) {
                          colMeans(row_unit_weights(frame) * as.matrix(coded - fitted)^2)
                        } else {
                          rss_from_gram(named$average$beta, frame$gram) / settings$n
                        }),
    nobs = frame_nobs(frame),
    family = family, classes = levels(frame$y),
    responses = if (is.matrix(frame$y)) responses, method = settings$method,
    loss = settings$loss,
    gamma = events_matrix(fits, ncol(frame$x), columns), gamma_a0 = of_all_fits(fits, "a0"),
    every = every_event(fits, ncol(frame$x), columns),
    on_basis = if (!is.null(fits[[1]]$kept)) matrix(of_all_fits(fits, "kept"), settings$rank),
    ends = msplit_ends(fits, nu, responses),
    center = stats::setNames(out$center, label), scale = stats::setNames(out$scale, label),
    fitted = fitted, residuals = coded - fitted,
    log_weights = log_weights(frame),
    frame = frame, settings = settings[c("method", "loss", "t_ratio", "choose", "standardize", "intercept", "start",
                                         "given", if (!is.null(settings$times)) "times")]
  )
}

# Scores (rows x responses) of the dense estimator at a point.
score_at_point <- function(out, point, x, q) {
  f <- out$fits[[point[["nu"]]]]
  m <- length(f$step)
  at <- (seq_len(q) - 1L) * m + max(sum(f$step <= point[["step"]]), 1L)
  score_rows(x, matrix(f$dense, ncol(x)), f$dense_a0, at)
}

# Numbers of response r in a result that has m for each point.
part_of <- function(x, r, m) {
  if (length(x) == m) x else x[(r - 1L) * m + seq_len(m)]
}

# The dense estimators of each response, one column for each point.
dense_matrices <- function(fits, q, d, columns) {
  counts <- lengths(lapply(fits, `[[`, "step"))
  m <- sum(counts)
  i <- rep.int(seq.int(0L, length.out = d), m)
  p <- seq.int(0L, by = as.integer(d), length.out = m + 1L)
  dim <- c(as.integer(d), m)
  names <- list(columns, NULL)
  lapply(seq_len(q), function(r) {
    x <- if (length(fits) == 1) part_of(fits[[1]]$dense, r, d * m) else
      unlist(Map(function(f, count) part_of(f$dense, r, d * count), fits, counts))
    sparse_matrix(i, p, x, dim, names)
  })
}

# The dense estimator of every event, for several responses: one column a row of `steps`, or NULL where there was no
# room for all.
every_event <- function(fits, d, columns) {
  if (any(vapply(fits, function(f) is.null(f$every), NA))) return(NULL)
  list(beta = matrix(of_all_fits(fits, "every"), d, dimnames = list(columns, NULL)),
       a0 = of_all_fits(fits, "every_a0"))
}

dense_intercepts <- function(fits, q) {
  lapply(seq_len(q), function(r) {
    unlist(lapply(fits, function(f) part_of(f$dense_a0, r, length(f$step))))
  })
}

# gamma of every event, one column a row of `steps`.
events_matrix <- function(fits, d, columns) {
  start <- if (length(fits) == 1) fits[[1]]$start else
    as.integer(cumsum(c(0L, unlist(lapply(fits, function(f) differences(f$start))))))
  sparse_matrix(of_all_fits(fits, "index"), start, of_all_fits(fits, "value"),
                c(as.integer(d), length(start) - 1L), list(columns, NULL))
}

msplit_steps <- function(fits, nu, responses, of, label, n, squared) {
  starts <- lapply(fits, `[[`, "start")
  events <- lengths(starts) - 1L
  size <- unlist(lapply(starts, differences))
  changes <- unlist(lapply(fits, function(f) differences(f$change_start)))
  j <- of_all_fits(fits, "change")
  at <- rep.int(seq_along(changes), changes)
  inward <- j > 0L
  loss <- of_all_fits(fits, "loss")
  several <- length(responses) > 1
  out <- list(
    lambda = rep.int(nu, events), step = of_all_fits(fits, "event"), t = of_all_fits(fits, "t"),
    entered = change_names(at[inward], label[j[inward]], length(changes)),
    dropped = change_names(at[!inward], label[-j[!inward]], length(changes)), size = size, loss = loss,
    rss = if (squared) n * loss else rep(NA_real_, length(loss)), loo = of_all_fits(fits, "loo"),
    df = of_all_fits(fits, "df"), reml = of_all_fits(fits, "reml"), criterion = of_all_fits(fits, "criterion")
  )
  if (several) {
    out <- c(stats::setNames(list(responses[of_all_fits(fits, "response")]), of), out)
  }
  quick_frame(out)
}

# How far each path is known: a row a nu and response.
msplit_ends <- function(fits, nu, responses) {
  quick_frame(list(
    lambda = rep(nu, each = length(responses)), response = rep.int(responses, length(nu)),
    end = of_all_fits(fits, "end"),
    complete = of_all_fits(fits, "complete") == 1L
  ))
}
