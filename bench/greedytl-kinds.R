# Kinds of sources, simulated, and simple ways of using them, from the project root:
#   Rscript bench/greedytl-kinds.R [kinds]
# Replaces its section of bench/RESULTS.md.
source("bench/common.R")
source("bench/greedytl/accuracy.R")

# Sources answer the same question elsewhere; `wild` of them extrapolate, `useless` have nothing to do with it.
same_question <- function(wild = 0, useless = 0, p = 10, s = 20, n = 15) {
  b <- stats::rnorm(p)
  w <- b + matrix(stats::rnorm(p * s, sd = .5), p)
  w[, seq_len(wild)] <- w[, seq_len(wild)] + 4 * stats::rnorm(p * wild)
  w[, seq_len(useless)] <- stats::rnorm(p * useless)
  x <- matrix(stats::rnorm((n + 400) * p), ncol = p)
  truth <- drop(x %*% (b + stats::rnorm(p, sd = .5)))
  list(x = x, h = x %*% w, y = truth + sqrt(sum(b^2)) * stats::rnorm(n + 400), truth = truth, n = n)
}

# Sources are models of the other classes, each against all.
other_models <- function(classes = 8, p = 10, n = 16) {
  centre <- matrix(stats::rnorm(classes * p, sd = .7), classes)
  rows <- function(g) list(g = g, x = centre[g, ] + matrix(stats::rnorm(length(g) * p), ncol = p))
  old <- rows(sample(classes, 600, TRUE))
  w <- vapply(2:classes, function(k) stats::coef(stats::lm(ifelse(old$g == k, 1, -1) ~ old$x)), numeric(p + 1))
  new <- rows(c(sample(rep(1:2, n / 2)), sample(1:2, 800, TRUE)))
  new$g[new$g == 2] <- sample(2:classes, sum(new$g == 2), TRUE)
  new <- rows(new$g)
  truth <- ifelse(new$g == 1, 1, -1)
  list(x = new$x, h = cbind(1, new$x) %*% w, y = truth, truth = truth, n = n, classes = TRUE)
}

# Nonnegative weights of centred columns by coordinate descent.
stacked_sources <- function(h, y) {
  centre <- colMeans(h)
  h <- h - rep(centre, each = nrow(h))
  left <- y - mean(y)
  w <- numeric(ncol(h))
  for (round in 1:500) for (j in seq_along(w)) {
    to <- max(0, w[j] + sum(h[, j] * left) / sum(h[, j]^2))
    left <- left + h[, j] * (w[j] - to)
    w[j] <- to
  }
  list(w = w, b = mean(y) - sum(centre * w))
}

kind_errors <- function(d) {
  own <- seq_len(d$n)
  x <- d$x[own, ]
  h <- d$h[own, ]
  y <- d$y[own]
  response <- if (is.null(d$classes)) y else factor(y)
  score <- function(fit, sources = d$h[-own, ]) stats::predict(fit, d$x[-own, ], sources = sources, type = "link")
  weights <- function(model) linear_scores(model, d$h[-own, ], NULL)
  both <- cbind(d$x, d$h)
  scores <- list(
    "greedytl()" = score(greedytl(x, response, sources = h)), "no source" = score(greedytl(x, response), NULL),
    "ridge = c(10, 1)" = score(greedytl(x, response, sources = h, control = greedytl_control(ridge = c(10, 1)))),
    "nonnegative stack" = weights(stacked_sources(h, y)),
    "ridge on [X H]" = linear_scores(mean_ridge(both[own, ], y), both[-own, ], NULL),
    "mean of the sources" = rowMeans(d$h[-own, ]), "best source by own rows" = d$h[-own, which.min(colMeans((y - h)^2))]
  )
  truth <- d$truth[-own]
  vapply(scores, function(s) {
    if (is.null(d$classes)) return(mean((s - truth)^2) / mean(truth^2))
    1 - balanced_accuracy(s, truth > 0)
  }, 0)
}

# loo_ridge() of a response that is centred and scaled, all rows with the same weight.
mean_ridge <- function(x, y) {
  n <- length(y)
  design <- weighted_design(x, rep(1, n))
  ys <- y - mean(y)
  kernel <- eigen(tcrossprod(design$z), symmetric = TRUE)
  error <- function(tau) {
    shrink <- tau / (pmax(kernel$values, 0) + tau)
    sum((kernel$vectors %*% (shrink * crossprod(kernel$vectors, ys)) / (kernel$vectors^2 %*% shrink - 1 / n))^2)
  }
  grid <- 10^seq(-3, 4, .5)
  model <- dense_ridge(design, ys, rep(grid[which.min(vapply(grid, error, 0))], ncol(x)))
  list(w = model$w, b = model$b + mean(y))
}

part_kinds <- function() {
  kinds <- list(
    "same question elsewhere" = same_question, "wild: six extrapolate" = function() same_question(wild = 6),
    "mixed: 18 of 20 useless" = function() same_question(useless = 18),
    "useless" = function() same_question(useless = 20), "same question, 40 rows" = function() same_question(n = 40),
    "models of other classes" = other_models
  )
  rows <- lapply(names(kinds), function(kind) {
    set.seed(37)
    errors <- rowMeans(replicate(100, kind_errors(kinds[[kind]]())))
    data.frame(kind, t(errors), check.names = FALSE)
  })
  section("greedytl-kinds", "kinds", "Kinds of sources", paste(
    "Squared error to the true mean divided by its mean square (15 rows, 10 features, 20 sources), of the last kind",
    "1 - balanced accuracy (16 rows, 7 sources): means over 100 draws."
  ), "", markdown_table(do.call(rbind, rows)))
}

run_parts("greedytl-kinds", list(kinds = part_kinds))
