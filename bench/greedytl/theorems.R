# The numbers in Theorems 2 and 3 of the paper, one positive row (its protocol on SUN09), and DAM with equal weights.
# Only definitions.

# ---- Theorems 2 and 3 -------------------------------------------------------------------------

truncated <- function(score) pmin(pmax(score, -1), 1)

# Of a model of the paper's rule: risks of the truncated predictor on the rows for training and for testing; R^src, the
# risk of the truncated part that the chosen sources make; R^src_lambda, the least over s <= k of lambda / s and the
# mean risk of the s best sources; tau, the largest square of a source; and the term (1 + k tau) / (lambda m).
theorem_figures <- function(problem, rows, positives = 10) {
  train <- training_problem(problem, c(rows$positive[seq_len(positives)], rows$negative[1:10]))
  test <- c(utils::head(rows$positive[-(1:10)], 500), utils::head(rows$negative[-(1:10)], 500))
  fit <- greedytl(train$x, train$y, train$h, rule = "paper")
  y <- ifelse(train$positive, 1, -1)
  risk <- function(score, y) mean((y - score)^2)
  of_model <- function(x, h, positive) {
    risk(truncated(predict(fit, x, sources = h, type = "link")), ifelse(positive, 1, -1))
  }
  beta <- stats::coef(fit)
  sources <- intersect(colnames(train$h), names(beta))
  k <- sum(beta[names(beta) != "(Intercept)"] != 0)
  lambda <- 1 / length(y)
  each <- sort(colMeans((y - train$h)^2))[seq_len(min(k, ncol(train$h)))]
  best <- min(lambda / seq_along(each) + cumsum(each) / seq_along(each))
  tau <- max(train$h^2)
  bound <- greedytl_bound(train$both[, apply(train$both, 2, stats::sd) > 0], steps = k, lambda = lambda)
  c(k = k, train = of_model(train$x, train$h, train$positive),
    test = of_model(problem$x[test, , drop = FALSE], problem$h[test, , drop = FALSE], problem$positive[test]),
    chosen = risk(truncated(drop(train$h[, sources, drop = FALSE] %*% beta[sources])), y), best = best,
    term = (1 + k * tau) / (lambda * length(y)), gamma = bound$correlation, limit = bound$limit,
    epsilon = 16 * (k + 1)^2 * bound$correlation / (1 + lambda))
}

part_theorems <- function() {
  rows <- do.call(rbind, lapply(paper_sets(), function(name) {
    message("  ", name)
    problems <- accuracy_sets[[name]]$make()
    set.seed(59)
    means <- rowMeans(vapply(problems, function(problem) theorem_figures(problem, draw_rows(problem)), numeric(9)))
    data.frame(set = name, t(means))
  }))
  names(rows) <- c("set", "k", "risk, training rows", "risk, test rows", "R^src", "R^src_lambda",
                   "(1 + k tau) / (lambda m)", "gamma", "its limit", "epsilon")
  section(
    "greedytl", "theorems", "The numbers in Theorems 2 and 3",
    "`rule = \"paper\"`, 10 positive and 10 negative rows, one draw a target, means over targets. Risks are",
    "mean squared errors of the model cut off at -1 and 1. R^src is that of the sources that the model has",
    "chosen, with their coefficients; R^src_lambda the least, over s up to k, of lambda / s and the mean risk",
    "of the s best sources; tau the largest square of a source. lambda has the mean loss, 1 / 20. Both",
    "theorems bound a difference of risks up to constants and logarithms by the term in the table and the",
    "root of its product with R^src or R^src_lambda; Theorem 3 adds (1 + epsilon) R^src_lambda and holds",
    "where the largest correlation gamma is below its limit, (1 + lambda) / (6 k). A squared error of two",
    "numbers between -1 and 1 is at most 4.", "",
    markdown_table(rows)
  )
}

# ---- DAM with equal weights -------------------------------------------------------------------

# The domain adaptation machine (Duan, Tsang, Xu and Chua, 2009) with squared loss and all sources of equal weight: on
# rows without a class the score is to be near the mean of the sources. These are 200 of the rows to be classified.
# Their weight and the ridge are those of the least leave-one-out error on the training rows.
dam <- function(train, x, h) {
  free <- unique(round(seq(1, nrow(x), length.out = 200)))
  labelled <- seq_along(train$positive)
  centre <- colMeans(train$dense)
  scale <- apply(train$dense, 2, stats::sd)
  standard <- function(x) {
    z <- (as.matrix(x) - rep(centre, each = nrow(x))) / rep(ifelse(scale > 0, scale, Inf), each = nrow(x))
    z / sqrt(sum(scale > 0))
  }
  z <- rbind(train$dense, as.matrix(x[free, , drop = FALSE]))
  z <- standard(z)
  y <- c(ifelse(train$positive, 1, -1), rowMeans(h[free, , drop = FALSE]))
  kernel <- tcrossprod(z) + 1
  v <- class_weights(train$positive)
  best <- list(error = Inf)
  for (weight in 10^(-3:0)) {
    for (ridge in 10^(-4:2)) {
      inverse <- solve(kernel + diag(ridge / c(v, rep(weight, length(free)))))
      a <- drop(inverse %*% y)
      error <- sum(v * (a / diag(inverse))[labelled]^2)
      if (error < best$error) best <- list(error = error, a = a)
    }
  }
  drop(tcrossprod(standard(x), z) %*% best$a) + sum(best$a)
}

dam_methods <- c(
  baseline_methods[c("transfer (the default)", paper_rule)], list("DAM, equal weights" = dam),
  accuracy_methods[c("ridge on features alone, tau by leave-one-out", "average of the sources")]
)

part_dam <- function() {
  draws <- c(letters = 1, isolet = 1, googlenet = 2, surf = 2, amazon = 1, mnist = 2)
  runs <- do.call(rbind, lapply(paper_sets(), function(name) some_draws(name, draws[[name]], dam_methods)))
  section(
    "greedytl", "dam", "DAM with equal weights (Figure 1)",
    "Sets and sources are those of part baselines, with one draw a target of letters and isolet, two of the other",
    "sets. DAM weighs the sources by the distance of their rows from the target's; there are no rows of the",
    "sources here, so all have equal weight: ridge regression on the features, which on 200 of the rows to be",
    "classified is drawn to the mean of the sources. That weight and the ridge are those of the least",
    "leave-one-out error. The paper: GreedyTL better.",
    both_tables(runs, "")
  )
}

# ---- one positive row -------------------------------------------------------------------------

one_methods <- c(
  dam_methods[1:3],
  accuracy_methods[c("forward regression (lambda = 0)", "ridge on features and sources, tau by leave-one-out",
                     "ridge on features alone, tau by leave-one-out", "average of the sources")]
)

# One positive and ten negative rows to learn from, all other rows of the class and of the negative ones for the test.
one_draw <- function(problem) {
  rows <- draw_rows(problem)
  train <- training_problem(problem, c(rows$positive[1], rows$negative[1:10]))
  test <- c(rows$positive[-1], rows$negative[-(1:10)])
  x <- problem$x[test, , drop = FALSE]
  h <- problem$h[test, , drop = FALSE]
  positive <- problem$positive[test]
  own <- vapply(one_methods, function(method) balanced_accuracy(method(train, x, h), positive), 0)
  c(own, "best source (chosen on the test rows)" = max(apply(h, 2, balanced_accuracy, positive)),
    share = mean(positive))
}

part_one <- function() {
  draws <- c(letters = 1, isolet = 1, googlenet = 3, surf = 3, amazon = 3, mnist = 3)
  sets <- paper_sets()
  cells <- lapply(sets, function(name) {
    message("  ", name)
    problems <- accuracy_sets[[name]]$make()
    set.seed(61)
    do.call(cbind, lapply(problems[rep(seq_along(problems), draws[[name]])], one_draw))
  })
  m <- lapply(cells, function(runs) {
    rbind(mean = rowMeans(runs), error = apply(runs, 1, stats::sd) / sqrt(ncol(runs)))
  })
  methods <- setdiff(colnames(m[[1]]), "share")
  table <- t(vapply(methods, function(method) {
    show_error(over_sets(vapply(m, function(one) one[, method], c(mean = 0, error = 0))))
  }, character(length(sets) + 1)))
  colnames(table) <- c(sets, "mean of the sets")
  share <- vapply(m, function(one) one["mean", "share"], 0)
  section(
    "greedytl", "one", "One positive and ten negative rows (the paper's protocol on SUN09)",
    "Balanced accuracy, mean (standard error over targets and draws; one draw of letters and isolet, three of the",
    "other sets). All other rows of the target class and of the",
    paste0("negative classes are test rows; shares of positive ones: ",
           paste(sprintf("%s %.2f", sets, share), collapse = ", "), "."), "",
    markdown_table(data.frame(method = methods, table, check.names = FALSE, row.names = NULL))
  )
}
