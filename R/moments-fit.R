# Fits and cross-validation from second moments: what needs no rows.

# What stands in for a frame where there are no rows.
moments_frame <- function(m, n, left_out = left_out_of(m)) {
  p <- length(m$columns)
  structure(
    list(x = matrix(0, 0, p), blueprint = m$blueprint, intercept = TRUE, n_rows = n,
         left_out = left_out,
         y = if (is.null(m$classes)) numeric() else factor(character(), levels = m$classes)),
    class = "transfer_frame"
  )
}

# The incomplete rows of moments, as incomplete_rows() has those of data.
left_out_of <- function(m) {
  if (!isTRUE(m$dropped > 0)) return(NULL)
  list(of = sum(m$cells$n) + m$dropped, incomplete = m$dropped, domains = m$lost)
}

refuse_moments <- function(given, method, why, call) {
  if (length(given)) {
    abort_input("{.fn {method}} from moments cannot use {.arg {given}}.", "moments", i = why,
                call = call)
  }
}

#' @rdname greedytl
#' @export
greedytl.moments <- function(x, ..., rule = c("transfer", "paper"), ridge = "evidence",
                             lambda = NULL, max_steps = NULL, tol = NULL, keep = NULL,
                             average = TRUE, standardize = TRUE, intercept = TRUE) {
  call <- rlang::current_env()
  refuse_moments(
    intersect(names(list(...)), c("sources", "candidates", "weights")), "greedytl",
    "Moments hold features and one numeric response only: fit to the rows instead.", call
  )
  check_arguments()
  rule <- check_choice(rule, c("transfer", "paper"), "rule", call)
  ours <- rule == "transfer"
  all <- moments_pool(x)
  refuse_few_rows(all$n, call)
  frame <- moments_frame(x, all$n)
  p <- length(x$columns)
  strength <- check_ridge(ridge, lambda, !missing(ridge), ours, 0L, all$n, call)
  max_steps <- check_max_steps(max_steps, p, ours, call)
  settings <- list(
    intercept = check_flag(intercept, "intercept", call) && x$intercept,
    standardize = check_flag(standardize, "standardize", call),
    average = ours, one_ridge = !check_flag(average, "average", call),
    per_column = strength$per_column, divisor = if (ours) all$n else all$n - 1,
    max_steps = max_steps, tol = check_tol(tol %||% if (ours) 0 else 1e-4, call),
    keep = check_keep(keep, frame, max_steps, call)
  )
  gram <- moments_gram(all, p, settings$intercept)
  out <- .Call(C_greedytl_moments, gram$G, gram$b, c(gram$yy, all$n, gram$y_mean), gram$mean,
               strength$tau[1, ], settings)
  if (out$status != 0) {
    abort_status(out$status, x$columns[out$bad], "x", NULL, call)
  }
  settings$candidates <- 0L
  fit <- greedytl_object(frame, list(y = out$paths), rule, settings, strength, matrix(0, 0, 1),
                         NULL)
  fit["fitted"] <- fit["residuals"] <- list(NULL)
  if (ours) fit$average$rss <- apply(fit$average$beta, 2, rss_from_gram, gram = gram)
  fit$call <- light_call(match.call(), "greedytl")
  fit
}

# Centred cross products with weights that sum to n; about zero without an intercept.
moments_gram <- function(all, p, intercept) {
  cross <- all$cross * (all$n / all$weight)
  if (!intercept) cross <- cross + all$n * tcrossprod(all$mean)
  x <- seq_len(p)
  list(
    G = unname(cross[x, x, drop = FALSE]), b = unname(cross[x, p + 1]), yy = cross[p + 1, p + 1],
    mean = unname(if (intercept) all$mean[x] else numeric(p)),
    y_mean = unname(if (intercept) all$mean[p + 1] else 0)
  )
}

rss_from_gram <- function(w, gram) {
  gram$yy - 2 * sum(gram$b * w) + sum(w * (gram$G %*% w))
}

#' @rdname tgreedy
#' @export
tgreedy.moments <- function(x, ..., rule = c("gain", "t", "modt", "greedy"), nu = NULL,
                            signed = FALSE, repeats = NULL, update = c("stagewise", "refit"),
                            stop = NULL, alpha = .05, delta = .05, max_steps = NULL,
                            standardize = TRUE, intercept = TRUE) {
  call <- rlang::current_env()
  refuse_moments(
    intersect(names(list(...)), c("unlabelled", "weights", "domain")), "tgreedy",
    "Domains and weights are those of the moments; unlabelled rows need the rows.", call
  )
  check_arguments()
  if (identical(stop, "cv")) {
    abort_input("{.arg stop} is {.val cv}, which needs rows.", "stop",
                i = "Use {.code cv_path(x, fit = tgreedy)}.", call = call)
  }
  domains <- moments_domains(x)
  short <- short_domains(vapply(domains, `[[`, 0, "n"), names(domains), call)
  domains <- domains[setdiff(names(domains), short)]
  settings <- tgreedy_settings(
    rule, nu, signed, repeats, update, stop, alpha, delta, max_steps, standardize,
    check_flag(intercept, "intercept", call) && x$intercept, p = length(x$columns),
    K = length(domains),
    call = call
  )
  settings$classes <- FALSE
  mean <- vapply(domains, `[[`, domains[[1]]$mean, "mean")
  out <- .Call(C_tgreedy_moments, unname(mean),
               unname(lapply(domains, function(d) unname(d$cross) / d$weight)),
               kernel_settings(settings))
  frame <- moments_frame(x, sum(vapply(domains, `[[`, 0, "n")))
  frame$domain <- factor(names(domains), levels = names(domains))
  if (out$status != 0) abort_tgreedy(out, frame, settings, call)
  names(out$paths) <- "y"
  fit <- tgreedy_object(out, frame, settings, matrix(0, 0, 1))
  fit["fitted"] <- fit["residuals"] <- list(NULL)
  fit$call <- light_call(match.call(), "tgreedy")
  tell_chance(fit, settings)
  tell_spreads(spread_of_moments(fit, domains, x$columns))
  fit
}

#' @rdname cv_path
#' @export
cv_path.moments <- function(x, fit = greedytl, ..., by = NULL, loss = NULL) {
  check_spelling()
  call <- match.call()
  here <- rlang::current_env()
  refuse_moments(
    intersect(names(list(...)), c("parallel", "foldid", "nfolds", "keep_predictions", "domain")),
    "cv_path", "The folds are those of the moments, and there is nothing to run in parallel.", here
  )
  settings <- cv_settings(fit, 10, NULL, by, loss, FALSE, FALSE, here)
  if (!check_loss(loss %||% "mse", here) %in% c("mse", "deviance")) {
    abort_input("{.arg loss} is {.val {loss}}, which needs rows.", "loss",
                i = "From moments: {.val mse}.", call = here)
  }
  path <- run_fit(fit, function() fit(x, ...), here)
  settings$by <- path_by(path, settings)
  folds <- moments_folds(x, settings$by, path, here)
  loss <- find_loss("mse", "gaussian", here)
  path$call <- path_call(call, class(path)[[1]], settings$by)
  grid <- path_grid(path)
  held_out <- lapply(stats::setNames(nm = unique(folds[!is.na(folds)])), function(f) folds %in% f)
  fold_loss <- lapply(held_out, function(out) {
    path <- without_messages(fit(moment_cells(x, which(!out)), ...))
    moments_loss(path, moments_pool(moment_cells(x, which(out))), grid)
  })
  fold_loss <- do.call(rbind, fold_loss)
  totals <- lapply(held_out, function(out) moments_pool(moment_cells(x, which(out))))
  weight <- vapply(totals, `[[`, 0, "weight")
  if (!is.null(settings$by)) weight[] <- 1
  table <- data.frame(fold = names(held_out), rows = vapply(totals, `[[`, 0, "n"),
                      weight = unname(weight), row.names = NULL)
  new_cv(summarise_folds(fold_loss, weight), path, grid, loss, fold_loss = fold_loss,
         foldid = NULL, folds = table, predictions = NULL, call = cv_call(call))
}

# The fold of every cell: those of the object, or its domains; NA of those that are not held out.
moments_folds <- function(m, by, path, call) {
  names <- as.character(if (identical(by, "domain")) m$cells$domain else m$cells$fold)
  folds <- unique(names)
  if (identical(by, "domain")) folds <- fold_domains(folds, path)
  if (anyNA(folds) || length(folds) < 2) {
    abort_input("{.arg x} has fewer than two {if (is.null(by)) 'folds' else 'domains'}.", "by",
                i = "Give {.arg fold} to {.fn moments}, or {.code by = \"domain\"}.", call = call)
  }
  # a model for one domain is tried on that domain's rows; the others' stay in every training part
  own <- if (is.null(path$target)) TRUE else m$cells$domain %in% path$target
  names[!(own & names %in% folds)] <- NA
  names
}

# Mean squared error of every point of the grid (and the averages) on moments left out. Paths that
# end earlier carry their last step forward.
moments_loss <- function(path, out, grid) {
  lambdas <- unique(path$points$lambda)
  by_lambda <- lapply(seq_along(lambdas), function(l) {
    lambda <- if (is.na(lambdas[l])) NULL else lambdas[l]
    own <- pmin(grid$steps[[l]], max(path_steps(path, lambda)))
    mse_from_moments(path_model(path, own, lambda)$y, out)
  })
  averages <- if (grid$average) {
    lapply(lambdas, function(lambda) {
      mse_from_moments(path_model(path, "average", if (!is.na(lambda)) lambda)$y, out)
    })
  }
  unlist(c(by_lambda, averages))
}

mse_from_moments <- function(model, out) {
  x <- seq_len(nrow(model$beta))
  y <- length(x) + 1
  beta <- as.matrix(model$beta)
  spread <- out$cross[y, y] - 2 * drop(out$cross[y, x] %*% beta) +
    colSums(beta * (out$cross[x, x, drop = FALSE] %*% beta))
  shift <- out$mean[y] - model$a0 - drop(out$mean[x] %*% beta)
  unname(spread / out$weight + shift^2)
}
