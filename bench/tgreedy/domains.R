# Comparison of rules on a domain left out. Only definitions.

# ---- the methods: functions of a problem and a domain to leave out -> scores ---------------------
# A matrix: rows of the domain left out x numbers of features in `sizes` and the own stop.

longest <- 100 # features of the longest path

without <- function(problem, left) {
  rows <- which(problem$domain != left)
  list(x = problem$x[rows, ], y = problem$y[rows], domain = droplevels(problem$domain[rows]))
}

path_scores <- function(problem, left, ...) {
  train <- without(problem, left)
  fit <- tgreedy(train$x, train$y, train$domain, max_steps = min(longest, ncol(train$x)), ...)
  new <- problem$x[problem$domain == left, , drop = FALSE]
  own <- predict(fit, new) # the default step: where its stop rule ends
  cbind(scores_at(fit, new, sizes), own)
}

tgreedy_rules <- list(
  "gain, nu = .5" = function(problem, left) path_scores(problem, left),
  "gain, nu = 1" = function(problem, left) path_scores(problem, left, nu = 1),
  "greedy" = function(problem, left) path_scores(problem, left, rule = "greedy",
                                                 control = tgreedy_control(stop = "cv")),
  "t" = function(problem, left) path_scores(problem, left, rule = "t", control = tgreedy_control(stop = "cv"))
)

# ---- lasso ------------------------------------------------------------------------------------

# All domains have the same weight; the penalties are the same for all fits of a problem.
lasso_fit <- function(problem, lambda = NULL) {
  weights <- 1 / as.vector(table(problem$domain))[problem$domain]
  glmnet::glmnet(problem$x, problem$y, weights = weights, lambda = lambda, nlambda = 60,
                 lambda.min.ratio = .01, thresh = 1e-6)
}

# Losses of a fit on the rows of one domain, one a penalty.
lasso_losses <- function(fit, problem, domain, lambda) {
  rows <- problem$domain == domain
  score <- predict(fit, problem$x[rows, , drop = FALSE], s = lambda)
  colMeans((problem$y[rows] - score)^2)
}

# losses[, k, l]: on domain k of the fit without k and l (without k alone if l = k).
lasso_pairs <- function(problem, lambda) {
  domains <- levels(problem$domain)
  losses <- array(NA, c(length(lambda), length(domains), length(domains)),
                  list(NULL, domains, domains))
  for (k in domains) for (l in domains[domains >= k]) {
    fit <- lasso_fit(without_all(problem, c(k, l)), lambda)
    losses[, k, l] <- lasso_losses(fit, problem, k, lambda)
    losses[, l, k] <- lasso_losses(fit, problem, l, lambda)
  }
  losses
}

without_all <- function(problem, left) {
  for (domain in unique(left)) problem <- without(problem, domain)
  problem
}

# Losses on each domain left out (sizes and own stop x domains). The penalty is that of the least mean loss on the other
# domains, each of which is left out in turn, among the penalties with at most so many features as the size; at the own
# stop among all.
lasso_curves <- function(problem) {
  lambda <- lasso_fit(problem)$lambda
  lambda <- c(lambda[1] * c(8, 5.6, 4, 2.8, 2, 1.4), lambda) # at the larger ones no fit has a feature
  losses <- lasso_pairs(problem, lambda)
  domains <- levels(problem$domain)
  vapply(domains, function(left) {
    df <- lasso_fit(without(problem, left), lambda)$df
    inner <- rowMeans(losses[, setdiff(domains, left), left, drop = FALSE])
    chosen <- vapply(c(sizes, Inf), function(size) {
      allowed <- which(df <= size)
      allowed[which.min(inner[allowed])]
    }, 0L)
    losses[chosen, left, left]
  }, numeric(length(sizes) + 1))
}

# ---- runs -------------------------------------------------------------------------------------

places <- c(sizes, "own stop")

balanced_mean <- function(y, domain) mean(tapply(y, domain, mean))

# Losses of a method: (sizes and own stop) x domains.
curves_of <- function(method, problem) {
  vapply(levels(problem$domain), function(left) {
    colMeans((problem$y[problem$domain == left] - method(problem, left))^2)
  }, numeric(length(places)))
}

null_losses <- function(problem) {
  vapply(levels(problem$domain), function(left) {
    rest <- without(problem, left)
    mean((problem$y[problem$domain == left] - balanced_mean(rest$y, rest$domain))^2)
  }, 0)
}

# methods x places x domains, and the null model's losses of each domain.
run_problem <- function(problem) {
  curves <- lapply(tgreedy_rules, curves_of, problem = problem)
  if (installed("glmnet")) curves[["lasso"]] <- lasso_curves(problem)
  losses <- aperm(simplify2array(curves), c(3, 1, 2))
  list(losses = losses, null = null_losses(problem))
}

# The problems of a set have the same domains: mean losses over problems, by domain left out.
run_domains <- function(name) {
  runs <- lapply(domain_sets[[name]]$make(), run_problem)
  scaled <- lapply(runs, function(run) run$losses / mean(run$null))
  losses <- Reduce(`+`, scaled) / length(scaled)
  dimnames(losses)[[2]] <- places
  losses
}

# ---- tables -----------------------------------------------------------------------------------

standard_error <- function(x) stats::sd(x) / sqrt(length(x))

with_error <- function(value, error) {
  text <- value
  text[] <- sprintf("%.3f (%.3f)", value, error)
  text
}

# Mean loss divided by that of the best method at that size, and its standard error over domains (delta method, the
# same domains for both): value and error, methods x places.
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

# Means over the data sets of loss divided by the best loss.
over_all_sets <- function(sets) {
  ratios <- lapply(sets, against_best)
  value <- Reduce(`+`, lapply(ratios, `[[`, "value")) / length(sets)
  variance <- Reduce(`+`, lapply(ratios, function(ratio) ratio$error^2)) / length(sets)^2
  list(value = value, error = sqrt(variance))
}

# Losses of one data set, which are relative to the null model.
relative_losses <- function(losses) {
  with_error(apply(losses, 1:2, mean), apply(losses, 1:2, standard_error))
}

text_table <- function(text) {
  table <- cbind(rownames(text), as.data.frame(text))
  names(table) <- c("rule", places)
  markdown_table(table)
}

# Data sets in which a single domain has more than half of a sum of losses: "set (method, method)".
one_domain_rules <- function(sets) {
  found <- lapply(sets, function(losses) {
    share <- apply(losses, 1:2, max) / apply(losses, 1:2, sum)
    if (dim(losses)[3] > 4) rownames(share)[apply(share, 1, max) > .5]
  })
  found <- found[lengths(found) > 0]
  if (length(found)) paste0(names(found), " (", vapply(found, toString, ""), ")")
}

# By how many per cent the loss of "gain" is above the best at 3 to 50 features.
verdict <- function(value) {
  above <- 100 * (value["gain, nu = .5", as.character(sizes[sizes >= 3])] - 1)
  c(
    paste0("At 3 to 50 features `gain` with nu = .5, the default, is ",
           sprintf("%.1f", mean(above)), " % above the best of each"),
    paste0("data set and number (", toString(sprintf("%.1f", above)), "); at most 3 % was wanted: ",
           if (max(above) <= 3) "reached" else "missed", ".")
  )
}

prototype_overall <- rbind(
  "gain, nu = .5" = c(1.046, 1.018, 1.019, 1.014, 1.019, 1.023, 1.020),
  "gain, nu = 1" = c(1.019, 1.029, 1.045, 1.055, 1.063, 1.075, 1.072),
  "greedy" = c(1.017, 1.030, 1.044, 1.056, 1.066, 1.072, 1.090),
  "t" = c(1.172, 1.210, 1.276, 1.306, 1.319, 1.352, 1.284),
  "lasso" = c(1.164, 1.171, 1.177, 1.139, 1.080, 1.036, 1.018)
)

domains_protocol <- c(
  "Every domain in turn is left out. Squared loss on it of paths fitted to the other domains (at most 100",
  "features), by number of features and at the own stop: that of `gain` is where no gain is positive, that",
  "of `greedy` and `t` is chosen by leave-one-domain-out within the training domains (stop = \"cv\"). Where a",
  "path has ended, its last step is used for larger numbers of features. lasso: glmnet, rows weighted so",
  "that all domains have the same weight, the penalty chosen by leave-one-domain-out within the training",
  "domains, among the penalties with at most so many features. Brackets: standard errors over the domains",
  "left out."
)

domains_data <- c(
  "mnist, pendigits: digits 2 and 7 against each other digit (9 domains), 400 random rectified",
  "features, 100 rows a digit. isolet: B and T against letters that sound alike, 5 groups of",
  "speakers, 617 features. surf, googlenet: photographs, three classes against the rest, 4 and 3",
  "domains, 800 and 1024 features. amazon: reviews of 4 kinds of product, 632 words. heart: 4",
  "hospitals, 49 features. school: the 16 largest schools, 27 features. parkinson: 16 subjects, 17",
  "features. MathAchieve, bdf (nlme): the 24 and 16 largest schools, 7 and 63 features (with",
  "squares and products)."
)

part_domains <- function() {
  here <- Filter(function(set) {
    if (is.null(set$file)) installed(set$package) else has_file(set$file)
  }, domain_sets)
  if (!length(here)) return(no_data("domains", "A domain left out"))
  sets <- lapply(stats::setNames(nm = names(here)), function(name) {
    message("  ", name)
    run_domains(name)
  })
  all <- over_all_sets(sets)
  absent <- setdiff(names(domain_sets), names(here))
  single <- one_domain_rules(sets)
  each <- lapply(names(sets), function(name) {
    c("", paste0(name, ":"), "", text_table(relative_losses(sets[[name]])))
  })
  section(
    "tgreedy", "domains", "A domain left out", domains_protocol, "",
    paste0("Loss divided by that of the best of these methods with as many features, mean over ", length(sets),
           " data sets:"), "",
    text_table(with_error(all$value, all$error)), "", verdict(all$value),
    if (length(single)) {
      paste0("A single domain has more than half of the sum of losses over domains in: ", toString(single), ".")
    }, "",
    "The same of the prototype (ten data sets, not all of them among these):", "",
    text_table(structure(sprintf("%.3f", prototype_overall), dim = dim(prototype_overall),
                         dimnames = dimnames(prototype_overall))), "",
    domains_data,
    if (length(absent)) c("", paste0("Left out, as their data are not available: ", toString(absent), ".")),
    "", "Loss divided by that of the mean of the training domains, by data set.", unlist(each)
  )
}
