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
                             lambda = NULL, max_steps = NULL, tol = NULL, keep = NULL, groups = NULL,
                             average = TRUE, standardize = TRUE, intercept = TRUE) {
  call <- rlang::current_env()
  refuse_moments(
    intersect(names(list(...)), c("sources", "candidates", "weights")), "greedytl",
    "Moments hold features and one numeric response only: fit to the rows instead.", call
  )
  check_arguments()
  given <- given_arguments()
  all <- moments_pool(x)
  refuse_few_rows(all$n, call)
  frame <- moments_frame(x, all$n)
  frame$intercept <- x$intercept
  p <- length(x$columns)
  settings <- greedytl_settings(
    frame, rule = rule, ridge = if (!missing(ridge)) ridge, lambda = lambda, max_steps = max_steps,
    tol = tol, keep = keep, groups = groups, average = average, standardize = standardize, intercept = intercept,
    call = call
  )
  settings$given <- given
  gram <- moments_gram(all, p, settings$intercept)
  out <- .Call(C_greedytl_moments, gram, settings$ridges$tau[1, ], greedytl_kernel(settings, p))
  if (out$status != 0) {
    abort_status(out$status, x$columns[out$bad], "x", NULL, call)
  }
  fit <- greedytl_object(frame, list(y = lapply(out$paths, whole_steps)), settings, matrix(0, 0, 1), NULL)
  fit["fitted"] <- fit["residuals"] <- list(NULL)
  if (settings$average) fit$average$rss <- apply(fit$average$beta, 2, rss_from_gram, gram = gram)
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
    n = all$n, mean = unname(if (intercept) all$mean[x] else numeric(p)),
    y_mean = unname(if (intercept) all$mean[p + 1] else 0)
  )
}

rss_from_gram <- function(w, gram) {
  gram$yy - 2 * sum(gram$b * w) + sum(w * (gram$G %*% w))
}

tgreedy_of_moments <- function(domains, settings) {
  mean <- vapply(domains, `[[`, domains[[1]]$mean, "mean")
  .Call(C_tgreedy_moments, unname(mean), unname(lapply(domains, function(d) unname(d$cross) / d$weight)),
        tgreedy_kernel_settings(settings))
}

#' @rdname tgreedy
#' @export
tgreedy.moments <- function(x, ..., rule = c("gain", "t", "modt", "greedy"), nu = NULL,
                            signed = FALSE, repeats = NULL, update = c("stagewise", "refit"),
                            stop = NULL, alpha = .05, delta = .05, max_steps = NULL, keep = NULL, groups = NULL,
                            standardize = TRUE, intercept = TRUE) {
  call <- rlang::current_env()
  refuse_moments(
    intersect(names(list(...)), c("unlabelled", "weights", "domain")), "tgreedy",
    "Domains and weights are those of the moments; unlabelled rows need the rows.", call
  )
  check_arguments()
  given <- given_arguments()
  if (identical(stop, "cv")) {
    abort_input("{.arg stop} is {.val cv}, which needs rows.", "stop",
                i = "Use {.code cv_path(x, fit = tgreedy)}.", call = call)
  }
  domains <- moments_domains(x)
  short <- short_domains(vapply(domains, `[[`, 0, "n"), names(domains), call)
  domains <- domains[setdiff(names(domains), short)]
  frame <- moments_frame(x, sum(vapply(domains, `[[`, 0, "n")))
  groups <- column_groups(groups, frame, call)
  keep <- kept_features(keep, groups, frame, call)
  p <- length(x$columns)
  settings <- tgreedy_settings(
    rule = rule, nu = nu, signed = signed, repeats = repeats, update = update, stop = stop,
    alpha = alpha, delta = delta, max_steps = max_steps, standardize = standardize,
    groups = groups_of_rest(groups, setdiff(seq_len(p), keep)),
    intercept = check_flag(intercept, "intercept", call) && x$intercept,
    p = p - length(keep), K = length(domains), call = call
  )
  frame$domain <- factor(names(domains), levels = names(domains))
  kept <- if (length(keep)) domains_without_kept(domains, frame, keep, settings$intercept)
  frame <- kept$frame %||% frame
  settings$classes <- FALSE
  settings$given <- given
  out <- tgreedy_of_moments(kept$domains %||% domains, settings)
  if (out$status != 0) abort_tgreedy(out, frame, settings, call)
  names(out$paths) <- "y"
  fit <- tgreedy_object(out, frame, settings, matrix(0, 0, 1))
  if (!is.null(kept)) fit <- with_kept(fit, kept, moments_frame(x, fit$nobs))
  fit["fitted"] <- fit["residuals"] <- list(NULL)
  fit$call <- light_call(match.call(), "tgreedy")
  tell_chance(fit, settings)
  tell_spreads(spread_of_moments(fit, domains, x$columns))
  fit
}
