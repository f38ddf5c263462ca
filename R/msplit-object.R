# From the results of the kernels to the path object of msplit().

# One call of the exact kernel. `points`: data frame of t and lambda at which the dense estimator is
# wanted (a fold of a cross-validation), or NULL.
iss_fit <- function(x, coded, weights, settings, call, points = NULL, labels = NULL) {
  times <- if (!is.null(points)) unname(split(points$t, match(points$lambda, settings$nu)))
  choose <- if (!is.null(points) || settings$choose == "none") 0L else if (settings$classes) 2L else
    1L
  out <- .Call(C_msplit_iss, list(x), coded, weights, list(
    intercept = settings$intercept, standardize = settings$standardize,
    loo = is.null(points) && settings$loo, choose = choose, max_events = settings$max_steps,
    nt = settings$nt, t_ratio = settings$t_ratio,
    budget = (if (ncol(coded) > 1) DENSE_NUMBERS_MANY else DENSE_NUMBERS) / length(settings$nu),
    nu = settings$nu, record = settings$record, times = times
  ))
  check_fit(out, x, labels, call)
  out
}

check_fit <- function(out, x, labels, call) {
  if (out$status != 0) {
    abort_status(out$status, column_labels(labels, out$bad), "x", x[, out$bad], call)
  }
  if (all(out$scale == 0)) {
    abort_input("No column of {.arg x} varies.", "x", i = "At least one must.", call = call)
  }
}

# An element of every fit, one after the other.
gather <- function(fits, name) {
  if (length(fits) == 1) fits[[1]][[name]] else unlist(lapply(fits, `[[`, name))
}

# Which nu, and which of its steps. Without a choice the last step of the first.
best_point <- function(out) {
  worth <- vapply(out$fits, `[[`, 0, "best_criterion")
  at <- which.min(worth)
  if (!length(at)) at <- 1L
  c(nu = at, step = out$fits[[at]]$best)
}

msplit_object <- function(out, frame, settings, coded, best, guard = NULL) {
  q <- ncol(coded)
  columns <- frame$blueprint$columns
  nu <- settings$nu
  fits <- out$fits
  single <- function(x) if (q > 1) x else x[[1]]
  responses <- colnames(coded)
  counts <- vapply(fits, function(f) length(f$step), 0L)
  points <- list2DF(list(step = gather(fits, "step"),
                         t = gather(fits, "time"), lambda = rep(nu, counts)))
  beta <- lapply(seq_len(q), function(r) dense_matrix(fits, r, ncol(frame$x), columns))
  a0 <- lapply(seq_len(q), function(r) unlist(lapply(fits, function(f) {
    f$dense_a0[(r - 1L) * length(f$step) + seq_along(f$step)]
  })))
  names(beta) <- names(a0) <- responses
  fitted <- score_at_point(out, best, frame$x, q)
  dim(fitted) <- dim(coded)
  dimnames(fitted) <- dimnames(coded)
  if (q == 1) dim(fitted) <- dim(coded) <- NULL
  label <- columns %||% column_labels(NULL, seq_len(ncol(frame$x)))
  new_path(
    "msplit", beta = single(beta), a0 = single(a0), points = points,
    steps = msplit_steps(fits, nu, responses, frame_family(frame), label, settings$n,
                         settings$loss == "squared"),
    best = best[["step"]], best_lambda = nu[best[["nu"]]], lambda = nu, nobs = frame_nobs(frame),
    family = frame_family(frame), classes = levels(frame$y),
    responses = if (is.matrix(frame$y)) responses, method = settings$method,
    loss = settings$loss, gamma = events_matrix(fits, ncol(frame$x), columns),
    gamma_a0 = gather(fits, "a0"),
    ends = msplit_ends(fits, nu, responses), guard = guard,
    center = stats::setNames(out$center, label), scale = stats::setNames(out$scale, label),
    fitted = fitted, residuals = coded - fitted,
    log_weights = if (is.null(frame$weights)) 0 else sum(log(unit_weights(frame))),
    frame = frame, settings = settings[kept_settings]
  )
}

kept_settings <- c("method", "loss", "t_ratio", "choose", "standardize", "intercept", "start")

# Weights of sum n, as the kernels want them.
unit_weights <- function(frame) {
  w <- frame$weights
  if (is.null(w)) NULL else w * (length(w) / sum(w))
}

# The dense estimators of response r, one column a point.
dense_matrix <- function(fits, r, d, columns) {
  x <- lapply(fits, function(f) {
    m <- length(f$step)
    if (m * d == length(f$dense)) f$dense else f$dense[(r - 1) * d * m + seq_len(d * m)]
  })
  x <- if (length(x) == 1) x[[1]] else unlist(x)
  m <- length(x) %/% d
  sparse_matrix(rep.int(seq.int(0L, length.out = d), m), as.integer(d * 0:m), x,
                c(as.integer(d), as.integer(m)), list(columns, NULL))
}

# gamma of every event, one column a row of `steps`.
events_matrix <- function(fits, d, columns) {
  if (length(fits) == 1) {
    f <- fits[[1]]
    return(sparse_matrix(f$index, f$start, f$value, c(as.integer(d), length(f$t)),
                         list(columns, NULL)))
  }
  start <- as.integer(cumsum(c(0L, unlist(lapply(fits, function(f) diff(f$start))))))
  sparse_matrix(gather(fits, "index"), start, gather(fits, "value"),
                c(as.integer(d), length(start) - 1L), list(columns, NULL))
}

msplit_steps <- function(fits, nu, responses, family, label, n, squared) {
  column <- function(name) nan_to_na(gather(fits, name))
  events <- gather(fits, "events")
  size <- unlist(lapply(fits, function(f) f$start[-1] - f$start[-length(f$start)]))
  of <- unlist(lapply(fits, function(f) f$change_start[-1] - f$change_start[-length(f$t) - 1L]))
  j <- gather(fits, "change")
  event <- rep.int(seq_along(of), of)
  loss <- column("loss")
  out <- list(
    class = if (length(responses) > 1) responses[column("response")],
    lambda = rep.int(nu, vapply(fits, function(f) length(f$t), 0L)),
    step = sequence(events) - 1L, t = column("t"),
    entered = change_names(event[j > 0], label[j[j > 0]], length(of)),
    dropped = change_names(event[j < 0], label[-j[j < 0]], length(of)), size = size, loss = loss,
    rss = if (squared) n * loss else rep(NA_real_, length(loss)), loo = column("loo"),
    df = column("df"), reml = column("reml"), criterion = column("criterion")
  )
  if (family == "gaussian" && length(responses) > 1) names(out)[1] <- "response"
  list2DF(out[lengths(out) > 0])
}

# The names of what changed at each of n events, NA where nothing did.
change_names <- function(event, label, n) {
  out <- rep(NA_character_, n)
  if (!anyDuplicated(event)) {
    out[event] <- label
    return(out)
  }
  several <- vapply(split(label, event), function(x) paste(sort(x), collapse = ", "), "")
  out[as.integer(names(several))] <- several
  out
}

# How far each path is known: a row a nu and response.
msplit_ends <- function(fits, nu, responses) {
  list2DF(list(
    lambda = rep(nu, each = length(responses)), response = rep(responses, length(nu)),
    end = gather(fits, "end"),
    complete = gather(fits, "complete") == 1L
  ))
}
