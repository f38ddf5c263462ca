# Parts `ridge` and `weak` of shareboost.R: the ridge that the default chooses, beside fixed ones and the grouped lasso refitted.

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
  c(one(ridge = 1e-4), one(ridge = 1e-3), one(ridge = 1e-2), one(ridge = NULL), lasso_refitted(x, y, new_x, new_y, most),
    spent[2] / spent[1])
}

part_ridge <- function(draws = 8) {
  kinds <- ridge_kinds()
  set.seed(9)
  rows <- t(vapply(kinds, function(draw) rowMeans(replicate(draws, ridge_row(draw)), na.rm = TRUE), numeric(6)))
  mean_ratio <- c(exp(colMeans(log(rows[, 1:5] / rows[, 1]), na.rm = TRUE)), exp(mean(log(rows[, 6]))))
  cells <- rbind(rows, "geometric mean, beside 1e-4" = mean_ratio)
  table <- data.frame(rownames(cells), matrix(sprintf("%.3f", cells), nrow(cells)))
  names(table) <- c("data", "1e-4", "1e-3", "1e-2", "default", "grouped lasso, refitted", "time")
  section(
    "shareboost", "ridge", "The ridge that the default chooses",
    paste("Test error with at most 20 features, mean of", draws, "draws or splits (half of the rows, at most 200, are"),
    "for training). Columns: a ridge that is given; none given; the columns of glmnet's grouped lasso, with weights",
    "fitted again by shareboost() with the ridge of least error in the test rows, which is too favourable to it.",
    "time: that of the default divided by that with a ridge given. Last row: errors beside those of 1e-4.", "",
    markdown_table(table)
  )
}

# More draws of the first row: the ratio of the summed errors, with the standard error that the draws give it.
part_weak <- function(draws = 60) {
  set.seed(10)
  errors <- replicate(draws, ridge_row(function() weak_effects(2))[c(1, 3, 4, 5)])
  beside <- errors[4, ]
  ratio <- function(e) sum(e) / sum(beside)
  spread <- function(e) stats::sd(e - ratio(e) * beside) / sqrt(draws) / mean(beside)
  table <- data.frame(c("1e-4", "1e-2", "default", "grouped lasso, refitted"), sprintf("%.3f", rowMeans(errors)),
                      sprintf("%.3f", apply(errors, 1, ratio)), sprintf("%.3f", apply(errors, 1, spread)))
  names(table) <- c("ridge", "test error", "beside the grouped lasso", "standard error")
  section(
    "shareboost", "weak", "Two classes, many weak and correlated columns",
    paste("The first kind of the part before,", draws, "other draws: errors, and their sums divided by that of the"),
    "grouped lasso, whose weights are fitted again with the ridge of least error in the test rows.", "",
    markdown_table(table)
  )
}
