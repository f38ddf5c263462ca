# The figures of dissimilarity(), a row for each other domain.

check_two_domains <- function(domains, call) {
  if (length(domains) < 2) {
    abort_input("There is one domain: {.val {domains}}.", "domain",
                i = "Give rows of the target and of at least one other domain.", call = call)
  }
}

# held: the target's rows in folds (loo_plan()), or NULL. how: standardize, intercept.
# left_out: the incomplete rows, as in a frame.
dissimilarity_table <- function(cells, held, draws, how, sigma2, left_out, call) {
  draws <- check_number(draws, "draws", 0, call, whole = TRUE)
  domains <- own_domains(cells, how, call)
  varies <- which(domains[[1]]$varies)
  if (!length(varies)) {
    abort_input("No column of {.arg x} varies in domain {.val {domains[[1]]$name}}.", "x",
                i = "Give columns that vary there: there is nothing to compare.", call = call)
  }
  columns <- lapply(domains, domain_columns, varies, how$intercept)
  s2 <- residual_variances(columns, sigma2, call)$s2
  given <- in_order_of(sigma2, names(cells), "sigma2", call)
  shared <- lapply(domain_groups(length(cells)), function(which) {
    sigma2 <- if (length(given) > 1) given[which] else given
    borrowed_model(cells[which], sigma2, how, call, model = !is.null(held))
  })
  joint <- shared[[length(shared)]]
  pairs <- lapply(seq_along(columns)[-1], function(t) {
    pair <- c(1, t)
    c(shared[[t - 1]][c("lr", "tau")], relative_distance(columns[pair], s2[pair], draws))
  })
  errors <- loo_errors(held, cells, lapply(shared, `[[`, "start"), call)
  new_dissimilarity(
    domain_names(domains[-1]), vapply(domains[-1], `[[`, 0, "n"), pairs, errors, target = domains[[1]]$name,
    joint = data.frame(lr = joint$lr, borrowed = errors$joint, n = domains[[1]]$n, folds = length(held$without)),
    left_out = left_out
  )
}

# pairs: by domain tau, distances and the likelihood ratio; errors: by domain those of rows left out.
new_dissimilarity <- function(domain, n, pairs, errors, ...) {
  take <- function(name) vapply(pairs, `[[`, 0, name)
  out <- data.frame(
    domain = domain, n = n, lapply(stats::setNames(nm = c("tau", "raw", "relative", "lower", "upper", "lr")), take),
    evidence = evidence_of(take("lr")), errors[LOO_WAYS], row.names = NULL
  )
  structure(out, class = c("transfer_dissimilarity", "data.frame"), ...)
}

LR_AGAINST <- -.5 # a little below 0 is rounding, or a variance at its bound

evidence_of <- function(lr) ifelse(lr > LR_SAFE, "for", ifelse(lr < LR_AGAINST, "against", "open"))

# |w_1 - w_2|/|w_1| with a parametric bootstrap interval. From both squares their expected error is subtracted.
relative_distance <- function(domains, s2, draws) {
  p <- length(domains[[1]]$g)
  whole <- all(vapply(domains, function(t) length(t$fit$kept) == p, NA))
  if (!whole) return(list(raw = NA_real_, relative = NA_real_, lower = NA_real_, upper = NA_real_))
  V <- Map(fit_variance, domains, s2)
  noise <- vapply(V, function(v) sum(diag(v)), 0)
  ratio <- function(w1, w2) {
    apart <- max(sum((w1 - w2)^2) - sum(noise), 0)
    sqrt(apart / max(sum(w1^2) - noise[1], noise[1] / p))
  }
  w <- lapply(domains, function(t) t$fit$coef)
  interval <- c(NA_real_, NA_real_)
  if (draws > 0) {
    # estimates vary more than the truth does: draws are about estimates of the likely size
    towards <- function(v, noise) v * sqrt(max(1 - noise / sum(v^2), 0))
    first <- towards(w[[1]], noise[1])
    centre <- list(first, first - towards(w[[1]] - w[[2]], sum(noise)))
    factor <- lapply(V, chol)
    drawn <- replicate(draws, {
      moved <- Map(function(w, R) w + drop(stats::rnorm(p) %*% R), centre, factor)
      ratio(moved[[1]], moved[[2]])
    })
    interval <- unname(stats::quantile(drawn, c(.025, .975)))
  }
  list(raw = sqrt(sum((w[[1]] - w[[2]])^2) / sum(w[[1]]^2)), relative = ratio(w[[1]], w[[2]]),
       lower = interval[1], upper = interval[2])
}

LOO_WAYS <- c("own", "shrunk", "pooled", "borrowed")
