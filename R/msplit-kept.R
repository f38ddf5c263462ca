# msplit(keep = ): columns that have no penalty and are not split, as the intercept is not. What they explain is
# taken out of features and, for squared loss, of responses (path-kept.R); a logistic loss moves their
# coefficients beside the intercept. Then the results are written in terms of all columns.

# What is left of `input` (see msplit_fit_exact()) without the columns `keep`: see path_kept_removed(), and `basis`,
# what the kernels know of the kept columns.
msplit_kept_removed <- function(input, keep, intercept, call) {
  frame <- input$frame
  rows <- frame_rows_are_there(frame)
  kept <- if (rows) path_kept_removed(frame, input$coded, keep, response_weights_or_ones(frame), intercept) else
    msplit_kept_moments(input, keep, intercept)
  empty <- if (rows) colSums(kept$frame$x^2) == 0 else diag(kept$gram$G) == 0
  if (all(empty)) {
    abort_input("All other columns of {.arg x} are combinations of those in {.arg keep}.", "keep",
                i = "Keep fewer columns, or fit these by {.fn lm} or {.fn glm}: nothing is left to select.",
                call = call)
  }
  kept$basis <- if (rows) msplit_kept_basis(kept) else as.double(kept$rank)
  kept
}

# The columns that kept columns add to the intercept: of weighted mean square 1, orthogonal to it and each other; NULL
# where the intercept explains them all.
msplit_kept_basis <- function(kept) {
  q <- qr.Q(kept$found)[, seq_len(kept$found$rank), drop = FALSE] / sqrt(kept$weights)
  if (kept$intercept) q <- q[, -1, drop = FALSE]
  if (ncol(q)) unname(q)
}

# Coefficients on the basis -> on intercept and kept columns.
msplit_kept_from_basis <- function(kept, on_basis) {
  rank <- kept$found$rank
  basis <- kept$found$pivot[seq_len(rank)]
  coefficients <- matrix(0, nrow(kept$slopes), ncol(on_basis))
  if (kept$intercept) on_basis <- rbind(0, on_basis)
  coefficients[basis, ] <- backsolve(qr.R(kept$found)[seq_len(rank), seq_len(rank), drop = FALSE], on_basis)
  coefficients
}

# The path of what is left -> the path of all columns of the frame.
msplit_kept_added <- function(fit, kept, frame, coded, logistic) {
  d <- length(kept$rest) + length(kept$keep)
  names <- frame$blueprint$columns
  label <- labels_of_columns(names, seq_len(d))
  responses <- path_object_responses(fit)
  several <- is.list(fit$beta)
  of <- match(msplit_model_response_of_steps(fit$steps), responses)
  starts <- kept$start[, of, drop = FALSE] # of every event
  if (!is.null(fit$on_basis)) starts <- starts + msplit_kept_from_basis(kept, fit$on_basis)
  place <- function(beta, a0, start) path_kept_model(kept, beta, a0, start, names)
  at_points <- function(r) { # of a logistic loss events are points
    if (is.null(fit$on_basis)) kept$start[, r] else starts[, of == r, drop = FALSE]
  }
  take <- function(models, part) path_object_one_or_list(stats::setNames(lapply(models, `[[`, part), responses),
                                                         several)
  dense <- Map(place, path_object_by_response(fit$beta), path_object_by_response(fit$a0),
               lapply(seq_along(responses), at_points))
  fit$beta <- take(dense, "beta")
  fit$a0 <- take(dense, "a0")
  gamma <- place(fit$gamma, fit$gamma_a0, starts)
  fit$gamma <- gamma$beta
  fit$gamma_a0 <- gamma$a0
  if (!is.null(fit$every)) {
    every <- place(fit$every$beta, fit$every$a0, starts)
    fit$every <- list(beta = as.matrix(every$beta), a0 = every$a0)
  }
  fit$named <- lapply(fit$named, function(model) {
    placed <- Map(place, path_object_by_response(model$beta), path_object_by_response(model$a0), asplit(kept$start, 2))
    model$beta <- take(placed, "beta")
    model$a0 <- if (several) as.list(take(placed, "a0")) else take(placed, "a0")
    model$support <- lapply(model$support, function(on) sort(c(kept$keep, kept$rest[on])))
    model$size <- model$size + kept$rank
    model
  })
  if (!length(fit$named)) fit["named"] <- list(NULL)
  if (!is.null(fit$supports)) {
    fit$supports$size <- fit$supports$size + kept$rank
    found <- fit$supports$terms
    fit$supports$terms <- paste0(toString(label[kept$keep]), ifelse(nzchar(found), ", ", ""), found)
  }
  if (!is.null(fit$support_weight)) {
    all <- matrix(1, d, ncol(fit$support_weight), dimnames = list(label, colnames(fit$support_weight)))
    all[kept$rest, ] <- fit$support_weight
    fit$support_weight <- all
  }
  fit$steps$size <- fit$steps$size + kept$rank
  spread <- path_kept_spread(kept, frame)
  fit$center <- stats::setNames(spread$center, label)
  fit$scale <- stats::setNames(spread$scale, label)
  fit$explained <- matrix(0, nrow(kept$slopes), d)
  fit$explained[, kept$rest] <- kept$slopes
  fit$kept <- kept$keep
  fit$sums$column <- kept$rest[fit$sums$column]
  fit$on_basis <- NULL
  fit$blueprint <- frame$blueprint
  if (frame_rows_are_there(frame)) msplit_kept_refitted_values(fit, frame, coded, logistic) else fit
}

# Fitted values and residuals of the responses themselves.
msplit_kept_refitted_values <- function(fit, frame, coded, logistic) {
  values <- as.matrix(fit$fitted)
  left <- as.matrix(fit$residuals)
  if (logistic) {
    model <- path_model(fit)
    score <- lapply(model, function(m) as.vector(as.matrix(frame$x %*% m$beta)) + m$a0)
    target <- if (ncol(coded) == 1) (coded + 1) / 2 else coded
    values[] <- unlist(path_predict_class_probabilities(score))
    left <- target - values
  } else {
    values[] <- coded - left
  }
  if (ncol(coded) == 1) dim(values) <- dim(left) <- NULL
  fit$fitted[] <- values
  fit$residuals[] <- left
  fit
}

# path_kept_removed() for second moments, with what is left of these as `gram`.
msplit_kept_moments <- function(input, keep, intercept) {
  frame <- input$frame
  gram <- input$gram
  d <- length(gram$mean)
  b <- as.matrix(gram$b)
  rest <- setdiff(seq_len(d), keep)
  by <- path_kept_by_moments(gram$G, keep)
  slopes <- by$explain(gram$G[keep, rest, drop = FALSE])
  start <- by$explain(b[keep, , drop = FALSE])
  G <- gram$G[rest, rest, drop = FALSE] - crossprod(gram$G[keep, rest, drop = FALSE], slopes)
  G <- (G + t(G)) / 2
  explained <- colSums(b[keep, , drop = FALSE] * start)
  b <- b[rest, , drop = FALSE] - crossprod(slopes, b[keep, , drop = FALSE])
  none <- diag(G) <= 1e-12 * diag(gram$G)[rest]
  G[none, ] <- G[, none] <- b[none, ] <- 0
  left <- frame
  gram_left <- utils::modifyList(gram, list(
    G = unname(G), b = unname(b), yy = gram$yy - explained, mean = numeric(length(rest)), y_mean = 0 * gram$y_mean
  ))
  left$x <- frame$x[, rest, drop = FALSE]
  left$blueprint <- path_kept_blueprint_of_rest(frame, rest)
  if (intercept) {
    slopes <- rbind(gram$mean[rest] - drop(gram$mean[keep] %*% slopes), slopes)
    start <- rbind(gram$y_mean - drop(gram$mean[keep] %*% start), start)
  }
  list(frame = left, coded = input$coded, gram = gram_left, rest = rest, keep = keep, slopes = slopes,
       start = start, rank = by$rank, intercept = intercept,
       spread = list(center = gram$mean, scale = sqrt(pmax(diag(gram$G) / gram$n, 0))))
}
