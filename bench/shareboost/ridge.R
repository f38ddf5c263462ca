# Parts `ridge`, `weak` and `choices` of shareboost.R: the ridge that `ridge = NULL` chooses, beside fixed ones, other
# ways to choose it and the grouped lasso refitted.

# 150 rows for the fit and 1000 new ones; 500 columns whose neighbours correlate by .7, 100 of them with weak effects.
weak_effects <- function(classes) {
  x <- matrix(rnorm(1150 * 500), 1150)
  for (j in 2:500) x[, j] <- .7 * x[, j - 1] + sqrt(1 - .7^2) * x[, j]
  effects <- matrix(0, 500, classes)
  effects[sample(500, 100), ] <- rnorm(100 * classes, sd = .2)
  prob <- exp(x %*% effects)
  list(x = x, y = factor(apply(prob, 1, function(p) sample(classes, 1, prob = p))), train = 1:150)
}

# Classes that eight of 100 columns separate without an error.
separable <- function(classes) {
  x <- matrix(rnorm(1150 * 100), 1150)
  list(x = x, y = factor(max.col(x[, 1:8] %*% matrix(rnorm(8 * classes), 8))), train = 1:150)
}

# Spectra: 1500 neighbouring channels, mixtures of 30 peaks of which 10 differ between the classes.
spectra <- function(classes) {
  channel <- seq_len(1500)
  peaks <- vapply(stats::runif(30, 1, 1500), function(at) stats::dnorm(channel, at, stats::runif(1, 8, 40)), numeric(1500))
  y <- sample(rep_len(seq_len(classes), 1120))
  height <- matrix(abs(stats::rnorm(1120 * 30, 1, .3)), 1120)
  height[, 1:10] <- height[, 1:10] + matrix(stats::rnorm(10 * classes, 0, .4), classes)[y, ]
  list(x = height %*% t(peaks) + matrix(stats::rnorm(1120 * 1500, 0, .002), 1120), y = factor(y), train = 1:120)
}

# Half of the rows of a real set, at most 200.
half_of <- function(set, pairs = FALSE) {
  x <- scale(set$x)
  x <- x[, !is.na(colSums(x)), drop = FALSE]
  list(x = if (pairs) with_pairs(x) else unname(x), y = set$y,
       train = sample(nrow(x), min(200, floor(nrow(x) / 2))))
}

ridge_kinds <- function() {
  real <- default_sets()[c("Sonar", "Ionosphere", "Pima", "Vehicle", "Glass", "Vowel")]
  real$iris <- list(x = data.matrix(iris[1:4]), y = iris$Species)
  kinds <- lapply(real, function(set) function() half_of(set))
  pairs <- c("Sonar", "Ionosphere", "Pima", "Vehicle", "Glass")
  kinds[paste0(pairs, ", pairs")] <- lapply(real[pairs], function(set) function() half_of(set, TRUE))
  c(list("2 classes, weak effects" = function() weak_effects(2), "8 classes, weak effects" = function() weak_effects(8),
         "6 classes, spectra" = function() spectra(6), "2 classes, spectra" = function() spectra(2),
    "2 classes, separable" = function() separable(2), "6 classes, separable" = function() separable(6)), kinds)
}

# The grouped lasso's columns at the largest model of at most `size` columns, with weights fitted again with the ridge
# that errs least in new rows: better than can be known.
lasso_refitted <- function(x, y, new_x, new_y, size) {
  if (min(table(y)) < 2) return(NA)
  path <- quiet(glmnet::glmnet(x, y, family = "multinomial", type.multinomial = "grouped", nlambda = 50, dfmax = size,
                               pmax = ncol(x)))
  used <- columns_used(path)
  sizes <- colSums(used)
  at <- used[, max(which(sizes == max(sizes[sizes <= size])))]
  if (sum(at) < 2) return(NA)
  fits <- lapply(c(1e-4, 1e-3, 1e-2), function(r) quiet(shareboost(x[, at, drop = FALSE], y, ridge = r)))
  min(vapply(fits, function(fit) error_of(quiet(predict(fit, new_x[, at, drop = FALSE])), list(test_y = new_y)), 0))
}

ridge_row <- function(draw, size = 20) {
  set <- draw()
  y <- factor(set$y[set$train])
  x <- set$x[set$train, ]
  test <- setdiff(which(set$y %in% y), set$train)
  new_x <- set$x[test, ]
  new_y <- set$y[test]
  most <- min(size, ncol(x))
  one <- function(...) error_of(quiet(predict(shareboost(x, y, max_steps = most, ...), new_x)), list(test_y = new_y))
  spent <- in_turns(list(function() one(ridge = 1e-4), function() one(ridge = NULL)), turns = 2)
  c(one(ridge = 1e-4), one(ridge = 1e-3), one(ridge = 1e-2), one(ridge = 1e-1), one(ridge = NULL),
    lasso_refitted(x, y, new_x, new_y, most), spent[2] / spent[1])
}

part_ridge <- function(draws = 8) {
  kinds <- ridge_kinds()
  set.seed(9)
  rows <- t(vapply(kinds, function(draw) rowMeans(replicate(draws, ridge_row(draw)), na.rm = TRUE), numeric(7)))
  mean_ratio <- c(exp(colMeans(log(rows[, 1:6] / rows[, 1]), na.rm = TRUE)), exp(mean(log(rows[, 7]))))
  cells <- rbind(rows, "geometric mean, beside 1e-4" = mean_ratio)
  table <- data.frame(rownames(cells), matrix(sprintf("%.3f", cells), nrow(cells)))
  names(table) <- c("data", "1e-4", "1e-3", "1e-2", "1e-1", "NULL (the default)", "grouped lasso, refitted", "time")
  section(
    "shareboost", "ridge", "The ridge that `ridge = NULL` chooses",
    paste("Test error with at most 20 features, mean of", draws, "draws or splits (half of the rows, at most 200, are"),
    "for training). Columns: a ridge that is given; ridge = NULL; the columns of glmnet's grouped lasso, with weights",
    "fitted again by shareboost() with the ridge of least error in the test rows, which is too favourable to it.",
    "time: that with NULL divided by that with a ridge given. Last row: errors beside those of 1e-4.", "",
    markdown_table(table)
  )
}

# More draws of the first row: the ratio of the summed errors, with the standard error that the draws give it.
part_weak <- function(draws = 60) {
  set.seed(10)
  errors <- replicate(draws, ridge_row(function() weak_effects(2))[c(1, 3, 5, 6)])
  beside <- errors[4, ]
  ratio <- function(e) sum(e) / sum(beside)
  spread <- function(e) stats::sd(e - ratio(e) * beside) / sqrt(draws) / mean(beside)
  table <- data.frame(c("1e-4", "1e-2", "NULL (the default)", "grouped lasso, refitted"),
                      sprintf("%.3f", rowMeans(errors)), sprintf("%.3f", apply(errors, 1, ratio)),
                      sprintf("%.3f", apply(errors, 1, spread)))
  names(table) <- c("ridge", "test error", "beside the grouped lasso", "standard error")
  section(
    "shareboost", "weak", "Two classes, many weak and correlated columns",
    paste("The first kind of the part before,", draws, "other draws: errors, and their sums divided by that of the"),
    "grouped lasso, whose weights are fitted again with the ridge of least error in the test rows.", "",
    markdown_table(table)
  )
}

# ---- other ways to choose the ridge ----------------------------------------------------------------

RIDGES <- c(1e-4, 1e-3, 1e-2)

# The loss of scores S, rows x classes, row by row: multinomial with the margin of 1.
margin_loss <- function(S, y) {
  own <- cbind(seq_along(y), y)
  M <- S + 1
  M[own] <- S[own]
  top <- apply(M, 1, max)
  list(loss = top + log(rowSums(exp(M - top))) - S[own], share = exp(M - top) / rowSums(exp(M - top)))
}

# Errors and losses of rows that `folds` random folds leave out, rows x ridges: means over steps of the second half.
held_out_losses <- function(x, y, folds, size) {
  fold <- integer(length(y))
  fold[order(y, stats::runif(length(y)))] <- rep_len(seq_len(folds), length(y))
  error <- loss <- matrix(NA_real_, length(y), length(RIDGES))
  for (f in seq_len(folds)) for (r in seq_along(RIDGES)) {
    held <- fold == f
    fit <- quiet(shareboost(x[!held, ], y[!held], ridge = RIDGES[r], max_steps = size,
                            control = shareboost_control(tol = 1e-2)))
    last <- max(fit$steps$step)
    truth <- as.integer(y[held])
    scores <- lapply(unique(round(seq(ceiling(last / 2), last, length.out = 4))), function(step) {
      quiet(predict(fit, x[held, , drop = FALSE], type = "score", step = step))
    })
    error[held, r] <- rowMeans(vapply(scores, function(S) as.numeric(max.col(S, "first") != truth), numeric(sum(held))))
    loss[held, r] <- rowMeans(vapply(scores, function(S) margin_loss(S, truth)$loss, numeric(sum(held))))
  }
  list(error = error, loss = loss)
}

# The ridge of the least mean where it is below that of 1e-4 by a standard error of the paired difference, else 1e-4.
by_paired <- function(m) {
  best <- which.min(colMeans(m))
  gain <- m[, 1] - m[, best]
  if (best > 1 && mean(gain) > stats::sd(gain) / sqrt(length(gain))) best else 1
}

# The ridge of the largest evidence of the last step by Laplace's approximation: the likelihood exp(-n loss), weights of
# standardised columns with the prior precision 2 n ridge.
by_evidence <- function(x, y, size) {
  n <- length(y)
  which.max(vapply(RIDGES, function(ridge) {
    W <- coef(quiet(shareboost(x, y, ridge = ridge, max_steps = size)), matrix = TRUE)
    at <- which(colSums(W[, -1] != 0) > 0)
    scale <- sqrt(colMeans(scale(x[, at], scale = FALSE)^2))
    Z <- cbind(1, scale(x[, at], scale = scale))
    fit <- margin_loss(cbind(1, x) %*% t(W), as.integer(y))
    k <- nrow(W)
    p <- ncol(Z)
    H <- matrix(0, k * p, k * p)
    for (a in seq_len(k)) for (b in seq_len(k)) {
      H[(a - 1) * p + seq_len(p), (b - 1) * p + seq_len(p)] <-
        crossprod(Z, fit$share[, a] * ((a == b) - fit$share[, b]) * Z)
    }
    lambda <- 2 * n * ridge
    precision <- rep(c(1e-6, rep(lambda, p - 1)), k)
    -sum(fit$loss) - lambda / 2 * sum((t(W[, -1][, at]) * scale)^2) + k * (p - 1) / 2 * log(lambda) -
      as.numeric(determinant(H + diag(precision))$modulus) / 2
  }, 0))
}

choices_row <- function(draw, size = 20) {
  set <- draw()
  y <- factor(set$y[set$train])
  x <- set$x[set$train, ]
  test <- setdiff(which(set$y %in% y), set$train)
  of <- function(ridge) {
    error_of(quiet(predict(shareboost(x, y, max_steps = size, ridge = ridge), set$x[test, ])),
             list(test_y = set$y[test]))
  }
  given <- vapply(RIDGES, of, 0)
  five <- held_out_losses(x, y, 5, size)
  c(given, of(NULL), given[c(by_paired(five$error), by_paired(five$loss), by_evidence(x, y, size))],
    lasso_refitted(x, y, set$x[test, ], set$y[test], size))
}

part_choices <- function(draws = 30) {
  kinds <- ridge_kinds()[c("2 classes, weak effects", "2 classes, separable", "6 classes, separable")]
  set.seed(12)
  ratios <- vapply(kinds, function(draw) {
    errors <- replicate(draws, choices_row(draw))
    ratio <- rowSums(errors) / sum(errors[8, ])
    spread <- vapply(seq_along(ratio), function(k) {
      stats::sd(errors[k, ] - ratio[k] * errors[8, ]) / sqrt(draws) / mean(errors[8, ])
    }, 0)
    sprintf("%.3f (%.3f)", ratio, spread)
  }, character(8))
  ways <- c("1e-4", "1e-3", "1e-2", "NULL (the default)", "errors in five folds, paired",
            "loss in five folds, paired", "evidence of the last step", "grouped lasso, refitted")
  section(
    "shareboost", "choices", "Other ways to choose the ridge",
    paste("Test errors with at most 20 features, sums over", draws,
          "draws divided by that of the grouped lasso as above"),
    "(standard error). Paired: another ridge than 1e-4 is taken where the mean difference in the held-out rows is more",
    "than its standard error. Evidence: by Laplace's approximation.", "",
    markdown_table(data.frame(ridge = ways, ratios, check.names = FALSE))
  )
}
