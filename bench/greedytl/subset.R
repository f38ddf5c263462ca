# Corollary 1 of the paper: how far the value of the greedy subset is from that of the best one, for columns with
# correlations so small that the corollary holds. Only definitions.

# The minimum of mean (y - Xw)^2 + lambda |w|^2 on the columns of `set`, divided by the mean of y^2; columns have mean
# square one.
subset_value <- function(C, b, lambda, set) {
  1 - drop(crossprod(b[set], solve(C[set, set, drop = FALSE] + lambda * diag(length(set)), b[set])))
}

# Columns whose correlations are all gamma: orthogonal columns, each with the same multiple of one other column added.
little_correlated <- function(n, columns, gamma) {
  Q <- qr.Q(qr(scale(matrix(stats::rnorm(n * (columns + 1)), n), scale = FALSE))) * sqrt(n)
  x <- sqrt(1 - gamma) * Q[, -1] + sqrt(gamma) * Q[, 1]
  colnames(x) <- paste0("x", seq_len(columns))
  x
}

subset_draw <- function(k, lambda, share, n = 200, columns = 16) {
  gamma <- share * (1 + lambda) / (6 * k)
  x <- little_correlated(n, columns, gamma)
  y <- drop(x %*% (stats::rnorm(columns) * stats::rbinom(columns, 1, .5))) + stats::rnorm(n)
  y <- (y - mean(y)) / sqrt(mean((y - mean(y))^2))
  C <- crossprod(x) / n
  b <- drop(crossprod(x, y)) / n
  fit <- greedytl(x, y, rule = "paper", lambda = lambda, max_steps = k, control = greedytl_control(tol = 0))
  greedy <- subset_value(C, b, lambda, match(variable.names(fit, step = k), colnames(x)))
  best <- min(apply(utils::combn(columns, k), 2, function(set) subset_value(C, b, lambda, set)))
  rise <- 16 * (k + 1)^2 * gamma / (1 + lambda)
  c(gamma = gamma, ratio = greedy / best, same = greedy < best * (1 + 1e-9),
    bound = ((1 + rise) * best - rise * lambda / (1 + lambda)) / best)
}

subset_row <- function(k, lambda, share, draws = 100) {
  set.seed(k)
  runs <- replicate(draws, subset_draw(k, lambda, share))
  data.frame(
    k, lambda, "largest correlation" = runs["gamma", 1], "greedy subset is the best" = mean(runs["same", ]),
    "greedy / best, mean" = mean(runs["ratio", ]), "greedy / best, most" = max(runs["ratio", ]),
    "bound / best, least" = min(runs["bound", ]), check.names = FALSE
  )
}

part_subset <- function() {
  cases <- expand.grid(k = c(2, 3), lambda = c(.1, 1), share = c(.1, .9))
  section(
    "greedytl", "subset", "The greedy subset beside the best one (Corollary 1)",
    "16 columns, 200 rows, all correlations equal, at .1 and .9 times the largest for which the corollary",
    "holds, (1 + lambda) / (6 k); 100 draws. The value of a subset is mean squared error + lambda |w|^2. The",
    "corollary bounds the ratio of the value of `rule = \"paper\"` to that of the best of all subsets.", "",
    markdown_table(do.call(rbind, Map(subset_row, cases$k, cases$lambda, cases$share)))
  )
}
