# From the results of the kernels to the path object of msplit().

# The default model: which nu, and which of its steps. Without a choice it is the last step of the first nu.
msplit_object_best_point <- function(all) {
  lowest <- which.min(all$best_criterion)
  if (!length(lowest)) lowest <- 1L
  c(nu = lowest, step = all$best[lowest])
}

msplit_object <- function(paths, input, settings, best, choice = NULL) {
  frame <- unclass(input$frame) # for a faster `$`
  coded <- input$coded
  q <- ncol(coded)
  columns <- frame$blueprint$columns
  family <- response_family_of_frame(frame)
  nu <- settings$nu
  all <- paths$all
  one_or_list <- function(x) if (q > 1) stats::setNames(x, responses) else x[[1]]
  responses <- colnames(coded)
  points <- table_data_frame(list(step = all$step, t = all$time, lambda = rep.int(nu, all$points)))
  lambda <- rep.int(rep(nu, each = q), all$events) # of every event
  # of which response each dense estimator is: of every nu one response after the other
  of_response <- if (q > 1) rep.int(rep.int(seq_len(q), length(nu)), rep(all$points, each = q))
  named <- if (!is.null(choice)) msplit_choice_named_models(choice, q)
  fitted <- if (is.null(choice)) msplit_object_score(paths, best, frame$x, q) else
    response_scores_of_rows(frame$x, named$average$beta, named$average$a0)
  dim(fitted) <- dim(coded)
  dimnames(fitted) <- dimnames(coded)
  logistic <- settings$loss != "squared"
  if (logistic) {
    if (q == 1) coded <- (coded + 1) / 2
    fitted[] <- unlist(path_predict_class_probabilities(lapply(seq_len(q), function(r) fitted[, r])), use.names = FALSE)
  }
  if (q == 1) dim(fitted) <- dim(coded) <- NULL
  residuals <- coded - fitted
  label <- labels_of_all_columns(frame$blueprint)
  names(paths$center) <- names(paths$scale) <- label
  of <- if (family == "gaussian") "response" else "class"
  path_object_new(
    "msplit", link = if (logistic) "logit" else "identity",
    coding = if (family == "multinomial") c(0, 1) else c(-1, 1),
    labels = c(title = "MSplit LBI", lambda = "nu", size = "columns in the support"),
    beta = one_or_list(msplit_object_dense(all$dense, of_response, q, ncol(frame$x), columns)),
    a0 = one_or_list(if (q > 1) unname(split(all$dense_a0, of_response)) else list(all$dense_a0)), points = points,
    steps = msplit_object_steps(all, lambda, responses = responses, of = of, label = label, n = settings$n,
                                squared = !logistic),
    best = if (is.null(choice)) best[["step"]] else "average", best_step = best[["step"]],
    best_lambda = nu[best[["nu"]]], lambda = nu,
    supports = if (!is.null(choice)) msplit_choice_table(choice, all$event, lambda, responses, label, of),
    support_weight = if (!is.null(choice)) msplit_choice_support_weight(choice, columns, responses),
    named = if (!is.null(choice)) {
      msplit_choice_named_parts(named, choice, columns, responses,
                                loss = if (frame_rows_are_there(frame)) {
                                  msplit_object_weighted_squares(residuals, response_weights_of_mean_one(frame))
                                } else {
                                  unname(frame_moments_rss(named$average$beta, input$gram)) / settings$n
                                })
    },
    nobs = frame_rows_count(frame),
    family = family, classes = levels(frame$y),
    responses = if (is.matrix(frame$y)) responses, method = settings$method,
    loss = settings$loss,
    gamma = table_sparse_matrix(all$index, c(0L, cumsum(all$size)), all$value, c(ncol(frame$x), length(all$size)),
                                list(columns, NULL)),
    gamma_a0 = all$a0,
    # of every event, for several responses: a column a row of `steps`, where there was room for those of all nu
    every = if (!is.null(all$every) && length(all$every_a0) == length(all$t)) {
      list(beta = matrix(all$every, ncol(frame$x), dimnames = list(columns, NULL)), a0 = all$every_a0)
    },
    on_basis = if (!is.null(all$kept)) matrix(all$kept, settings$rank),
    ends = table_data_frame(list( # how far each path is known
      lambda = rep(nu, each = q), response = rep.int(responses, length(nu)), end = all$end,
      complete = all$complete == 1L
    )),
    center = paths$center, scale = paths$scale,
    fitted = fitted, residuals = residuals,
    log_weights = response_weights_log_term(frame),
    frame = frame, settings = settings[c("method", "loss", "t_ratio", "choose", "standardize", "intercept", "start",
                                         "given", if (!is.null(settings$times)) "times")]
  )
}

# The mean squared residual of each response. weights: of sum n, or NULL.
msplit_object_weighted_squares <- function(residuals, weights) {
  squares <- if (is.null(weights)) residuals^2 else weights * residuals^2
  .colMeans(squares, NROW(squares), NCOL(squares))
}

# Scores (rows x responses) of the dense estimator at a point.
msplit_object_score <- function(paths, point, x, q) {
  f <- paths$fits[[point[["nu"]]]]
  m <- length(f$step)
  number <- (seq_len(q) - 1L) * m + max(sum(f$step <= point[["step"]]), 1L)
  response_scores_of_rows(x, matrix(f$dense, ncol(x)), f$dense_a0, number)
}

# The dense estimators of each response, one column for each point. of_response: of each estimator, NULL of one
# response.
msplit_object_dense <- function(dense, of_response, q, d, columns) {
  m <- length(dense) %/% (d * q)
  i <- rep.int(seq.int(0L, length.out = d), m)
  p <- seq.int(0L, by = as.integer(d), length.out = m + 1L)
  if (q > 1) {
    dim(dense) <- c(d, m * q)
    by_response <- split(seq_along(of_response), of_response)
  }
  lapply(seq_len(q), function(r) {
    x <- if (q > 1) as.vector(dense[, by_response[[r]]]) else dense
    table_sparse_matrix(i, p, x, c(as.integer(d), m), list(columns, NULL))
  })
}

msplit_object_steps <- function(all, lambda, responses, of, label, n, squared) {
  changes <- all$changes
  j <- all$change
  event <- rep.int(seq_along(changes), changes)
  inward <- j > 0L
  loss <- all$loss
  steps <- list(
    lambda = lambda, step = all$event, t = all$t,
    entered = table_change_names(event[inward], label[j[inward]], length(changes)),
    dropped = table_change_names(event[!inward], label[-j[!inward]], length(changes)), size = all$size, loss = loss,
    rss = if (squared) n * loss else rep(NA_real_, length(loss)), loo = all$loo, df = all$df, reml = all$reml,
    criterion = all$criterion
  )
  if (length(responses) > 1) steps <- c(stats::setNames(list(responses[all$response]), of), steps)
  table_data_frame(steps)
}
