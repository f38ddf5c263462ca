# The two examples of section 6 of the paper: features needed by number of classes. Only
# definitions.

binary_code <- function(k) {
  bits <- round(log2(k))
  2 * outer(seq_len(k) - 1, seq_len(bits) - 1, function(y, b) (y %/% 2^b) %% 2) - 1
}

# Each class has its number in binary digits, and one feature of its own.
shared_or_own <- function(k, copies = 8) {
  class <- rep(seq_len(k), copies)
  list(x = cbind(binary_code(k), 2 * log(k) * diag(k))[class, ], y = factor(class))
}

# s blocks, each with the binary digits; in a tenth of the rows one of them is zero.
copied_blocks <- function(k, s = 5, copies = 40) {
  set.seed(1)
  class <- rep(seq_len(k), copies)
  bits <- round(log2(k))
  x <- do.call(cbind, rep(list(binary_code(k)), s))[class, ]
  for (i in which(seq_along(class) %% 10 == 0)) {
    x[i, (sample.int(s, 1) - 1) * bits + seq_len(bits)] <- 0
  }
  list(x = x, y = factor(class))
}

# Features of the first model on the path with at most so much training error.
features_of_shareboost <- function(set, error) {
  fit <- shareboost(set$x, set$y, max_steps = min(ncol(set$x), 4 * ceiling(log2(nlevels(set$y)))))
  unname(features_for(fit, error = error))
}

# glmnet's own hundred penalties are too coarse for 64 classes: the deviance of the second model is
# several times that of the first, and the path ends there.
features_of_glmnet <- function(set, error, type) {
  if (!installed("glmnet")) return(NA_real_)
  fit <- suppressWarnings(glmnet::glmnet(set$x, set$y, family = "multinomial", nlambda = 1000,
                                         type.multinomial = type, standardize = FALSE))
  class <- stats::predict(fit, set$x, type = "class")
  good <- which(colMeans(class != as.character(set$y)) <= error)
  if (!length(good)) return(NA_real_)
  sum(Reduce(`|`, lapply(fit$beta, function(b) b[, good[1]] != 0)))
}

features_of_mixed_norm <- function(set, error) {
  set$test_x <- set$x
  set$test_y <- set$y
  curve <- mixed_curve(set, penalties = 60, most = ncol(set$x), ratio = .9)
  curve$features[curve$error <= error][1]
}

sharing_row <- function(k, make, error) {
  set <- make(k)
  data.frame(
    classes = k, features = ncol(set$x), "log2 of the classes" = log2(k),
    shareboost = features_of_shareboost(set, error),
    "glmnet ungrouped" = features_of_glmnet(set, error, "ungrouped"),
    "glmnet grouped" = features_of_glmnet(set, error, "grouped"),
    "mixed norm (l_inf, 1)" = features_of_mixed_norm(set, error), check.names = FALSE
  )
}

part_sharing <- function() {
  first <- do.call(rbind, lapply(c(8, 16, 32, 64), sharing_row, shared_or_own, 0))
  second <- do.call(rbind, lapply(c(8, 16, 32), sharing_row, copied_blocks, .05))
  section(
    "shareboost", "sharing", "Features by number of classes (section 6 of the paper)",
    "First example: features are the binary digits of the number of the class, and a larger indicator of each class.",
    "The table has the number of features of the first model on the path without training errors. glmnet has 1000",
    "penalties. Of its own 100 the second is so far from the first that the deviance of the ungrouped lasso of 64",
    "classes grows to several times that without features, and its path ends there.", "",
    markdown_table(first), "",
    "Second example: five copies of the digits, one of which is set to zero in a tenth of the rows; number of features",
    "for a training error of at most .05.", "",
    markdown_table(second)
  )
}
