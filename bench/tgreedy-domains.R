# Rules against each other on a domain left out. Only definitions.

# ---- the methods: functions of a task and a domain to leave out -> scores ---------------------
# A matrix: rows of the domain left out x numbers of features in `sizes` and the own stop.

longest <- 100 # features of the longest path

without <- function(task, left) {
  rows <- which(task$domain != left)
  list(x = task$x[rows, ], y = task$y[rows], domain = droplevels(task$domain[rows]))
}

path_scores <- function(task, left, ...) {
  train <- without(task, left)
  fit <- tgreedy(train$x, train$y, train$domain, max_steps = min(longest, ncol(train$x)), ...)
  new <- task$x[task$domain == left, , drop = FALSE]
  own <- predict(fit, new) # the default step: where its stop rule ends
  cbind(scores_at(fit, new, sizes), own)
}

tgreedy_rules <- list(
  "gain, nu = .5" = function(task, left) path_scores(task, left),
  "gain, nu = 1" = function(task, left) path_scores(task, left, nu = 1),
  "greedy" = function(task, left) path_scores(task, left, rule = "greedy", stop = stop_of(task)),
  "t" = function(task, left) path_scores(task, left, rule = "t", stop = stop_of(task))
)

# Leaving out one domain more takes three of them.
stop_of <- function(task) if (nlevels(task$domain) > 2) "cv" else "none"

# ---- lasso ------------------------------------------------------------------------------------

# Each domain counts once; the penalties are the same for all parts of a task.
lasso_fit <- function(task, lambda = NULL) {
  weights <- 1 / as.vector(table(task$domain))[task$domain]
  glmnet::glmnet(task$x, task$y, weights = weights, lambda = lambda, nlambda = 60,
                 lambda.min.ratio = .01, thresh = 1e-6)
}

# Losses of a fit on the rows of one domain, one a penalty.
lasso_losses <- function(fit, task, domain, lambda) {
  rows <- task$domain == domain
  score <- predict(fit, task$x[rows, , drop = FALSE], s = lambda)
  colMeans((task$y[rows] - score)^2)
}

# losses[, k, l]: on domain k of the fit without k and l (without k alone if l = k).
lasso_pairs <- function(task, lambda) {
  domains <- levels(task$domain)
  losses <- array(NA, c(length(lambda), length(domains), length(domains)),
                  list(NULL, domains, domains))
  for (k in domains) for (l in domains[domains >= k]) {
    fit <- lasso_fit(without_all(task, c(k, l)), lambda)
    losses[, k, l] <- lasso_losses(fit, task, k, lambda)
    losses[, l, k] <- lasso_losses(fit, task, l, lambda)
  }
  losses
}

without_all <- function(task, left) {
  for (domain in unique(left)) task <- without(task, domain)
  task
}

# Losses on each domain left out (sizes and own stop x domains). The penalty: of least mean loss on
# the other domains, each of them left out too, among those that leave no more features than the
# size; at the own stop among all.
lasso_curves <- function(task) {
  lambda <- lasso_fit(task)$lambda
  losses <- lasso_pairs(task, lambda)
  domains <- levels(task$domain)
  vapply(domains, function(left) {
    df <- lasso_fit(without(task, left), lambda)$df
    inner <- rowMeans(losses[, setdiff(domains, left), left, drop = FALSE])
    chosen <- vapply(c(sizes, Inf), function(size) {
      allowed <- which(df <= size)
      allowed[which.min(inner[allowed])]
    }, 0L)
    losses[chosen, left, left]
  }, numeric(length(sizes) + 1))
}

# ---- runs -------------------------------------------------------------------------------------

columns <- c(sizes, "own stop")

balanced_mean <- function(y, domain) mean(tapply(y, domain, mean))

# Losses of a method: (sizes and own stop) x domains.
curves_of <- function(method, task) {
  vapply(levels(task$domain), function(left) {
    colMeans((task$y[task$domain == left] - method(task, left))^2)
  }, numeric(length(columns)))
}

null_losses <- function(task) {
  vapply(levels(task$domain), function(left) {
    rest <- without(task, left)
    mean((task$y[task$domain == left] - balanced_mean(rest$y, rest$domain))^2)
  }, 0)
}

# methods x columns x domains, and the null model's losses of each domain.
run_task <- function(task) {
  curves <- lapply(tgreedy_rules, curves_of, task = task)
  if (installed("glmnet")) curves[["lasso"]] <- lasso_curves(task)
  losses <- aperm(simplify2array(curves), c(3, 1, 2))
  list(losses = losses, null = null_losses(task))
}

# Tasks share their domains: means over them, one number a domain left out.
run_domains <- function(name) {
  runs <- lapply(domain_sets[[name]]$make(), run_task)
  scaled <- lapply(runs, function(run) run$losses / mean(run$null))
  losses <- Reduce(`+`, scaled) / length(scaled)
  dimnames(losses)[[2]] <- columns
  losses
}

# ---- tables -----------------------------------------------------------------------------------

standard_error <- function(x) stats::sd(x) / sqrt(length(x))

show <- function(value, error, digits = 3) {
  sprintf(paste0("%.", digits, "f (%.", digits, "f)"), value, error)
}

# Mean loss / the best method's at that size, and its standard error over domains (delta method,
# the same domains for both): value and error, methods x columns.
against_best <- function(losses) {
  means <- apply(losses, 1:2, mean)
  best <- apply(means, 2, which.min)
  value <- error <- means
  for (k in seq_len(ncol(means))) {
    value[, k] <- means[, k] / means[best[k], k]
    for (m in seq_len(nrow(means))) {
      difference <- losses[m, k, ] - value[m, k] * losses[best[k], k, ]
      error[m, k] <- standard_error(difference) / means[best[k], k]
    }
  }
  list(value = value, error = error)
}

text_table <- function(text, first = "rule") {
  table <- cbind(rownames(text), as.data.frame(text))
  names(table) <- c(first, columns)
  table
}

# Over the sets: the mean of loss / best loss.
overall_table <- function(sets) {
  ratios <- lapply(sets, against_best)
  value <- Reduce(`+`, lapply(ratios, `[[`, "value")) / length(sets)
  error <- sqrt(Reduce(`+`, lapply(ratios, function(r) r$error^2))) / length(sets)
  list(value = value, error = error, text = {
    text <- value
    text[] <- show(value, error)
    text
  })
}

# One set's relative losses.
set_table <- function(losses) {
  text <- apply(losses, 1:2, mean)
  text[] <- show(text, apply(losses, 1:2, standard_error))
  text
}

# How far "gain" is from the best on average at 3 to 50 features.
verdict <- function(overall) {
  middle <- overall$value[1, as.character(sizes[sizes >= 3])]
  paste0(
    "`gain` (nu = .5) is on average ", sprintf("%.1f %%", 100 * (mean(middle) - 1)),
    " above the best method of each set and size at 3 to 50 features (",
    toString(sprintf("%.1f", 100 * (middle - 1))), "); wanted: at most 3."
  )
}

page_overall <- list(
  "gain, nu = .5" = c(1.046, 1.018, 1.019, 1.014, 1.019, 1.023, 1.020),
  "gain, nu = 1" = c(1.019, 1.029, 1.045, 1.055, 1.063, 1.075, 1.072),
  "greedy" = c(1.017, 1.030, 1.044, 1.056, 1.066, 1.072, 1.090),
  "t" = c(1.172, 1.210, 1.276, 1.306, 1.319, 1.352, 1.284),
  "lasso" = c(1.164, 1.171, 1.177, 1.139, 1.080, 1.036, 1.018)
)
