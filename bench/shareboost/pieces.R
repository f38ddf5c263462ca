# MNIST by pieces (section 7.5 of the paper): error by number of pieces. Only definitions.

# Scores on the first principal components of the training images.
digit_scores <- function(dims) {
  set <- mnist_digits_all()
  center <- colMeans(set$x)
  centred <- set$x - rep(center, each = nrow(set$x))
  third <- seq(1, nrow(centred), by = 3) # a third of the rows is enough for the axes
  axes <- eigen(crossprod(centred[third, ]), symmetric = TRUE)$vectors
  axes <- axes[, seq_len(dims)]
  scores <- function(x) {
    matrix(x %*% axes, nrow(x), dimnames = list(NULL, paste0("pc", seq_len(dims))))
  }
  list(x = scores(centred), y = set$y,
       test_x = scores(set$test_x - rep(center, each = nrow(set$test_x))), test_y = set$test_y)
}

# Centres by a few sweeps of k-means on the first 10,000 rows, as they are candidates only.
candidate_centers <- function(x, count) {
  set.seed(1)
  suppressWarnings(stats::kmeans(utils::head(x, 10000), count, iter.max = 5,
                                 algorithm = "MacQueen")$centers)
}

# The paper has no ridge; ours is needed for convergence where digits are nearly separable.
pieces_path <- function(set, rounds, tol, step, centers = 1500, radii = 35) {
  object <- pieces(set$x, centers = candidate_centers(set$x, centers), radii = radii)
  started <- proc.time()
  fit <- shareboost(object, set$y, rule = "gradient", ridge = 1e-4,
                    control = shareboost_control(tol = tol), max_steps = rounds)
  used <- proc.time() - started
  class <- predict(fit, set$test_x, step = step)
  table <- data.frame(
    pieces = step, columns = fit$steps$size[step + 1],
    "training error" = fit$steps$error[step + 1],
    "test error" = vapply(as.list(class), error_of, 0, set = set), check.names = FALSE
  )
  list(table = table, seconds = used[["elapsed"]], processor = sum(used[1:2]))
}

# A support vector machine with a Gaussian kernel, on the first rows, as its time grows with their square.
gaussian_machine <- function(set, rows = 10000) {
  if (!installed("e1071")) return(NULL)
  few <- seq_len(rows)
  fit <- e1071::svm(set$x[few, ], set$y[few], scale = FALSE, cost = 10,
                    gamma = 1 / sum(apply(set$x, 2, stats::var)))
  sprintf(paste("A Gaussian support vector machine (e1071, cost 10) of the first %d rows: test",
                "error %.4f, %d support vectors."),
          rows, error_of(stats::predict(fit, set$test_x), set), fit$tot.nSV)
}

part_pieces <- function(part, dims, rounds, machine = FALSE) {
  if (!available(shareboost_sets$MNIST)) return(c("MNIST is not available.", ""))
  set <- digit_scores(dims)
  step <- sort(unique(c(1:5, seq(0, rounds, by = 5)[-1], rounds)))
  path <- pieces_path(set, rounds, tol = 1e-4, step = step[step <= rounds])
  columns <- 230 * (dims + 1) # columns of as many pieces as the paper has
  section(
    "shareboost", part, sprintf("MNIST by pieces, %d principal components", dims),
    "60,000 rows, 1500 candidate centres, 35 radii, rule \"gradient\", ridge 1e-4, tol 1e-4.",
    took(path),
    sprintf("A piece has %d columns in each of 10 classes, so that the refits take more time than the search:",
            dims + 1),
    sprintf("%d pieces are shown, not the paper's 230. These would be %d columns, %.1f GB in memory,",
            rounds, columns, 60000 * columns * 8 / 1e9),
    sprintf("and %.0f billion flops for every iteration of a refit. Part `pieces230` has 230 pieces, of fewer",
            4 * 60000 * columns * 9 / 1e9),
    "rows.", "",
    markdown_table(path$table),
    if (machine) c("", gaussian_machine(set))
  )
}

took <- function(path) {
  sprintf("The path: %.0f s by the clock, %.0f s of the processor.", path$seconds, path$processor)
}

# As many pieces as the paper has, of so few rows and components that the fit ends within an hour or so, beside a
# support vector machine of the same rows.
part_pieces_paper <- function(dims = 20, rows = 10000, rounds = 230) {
  if (!available(shareboost_sets$MNIST)) return(c("MNIST is not available.", ""))
  set <- digit_scores(dims)
  set$x <- utils::head(set$x, rows)
  set$y <- utils::head(set$y, rows)
  path <- pieces_path(set, rounds, tol = 1e-3,
                      step = c(5, 10, 20, 30, 50, 80, 120, 160, 200, rounds))
  section(
    "shareboost", "pieces230", sprintf("MNIST by %d pieces, %d rows", rounds, rows),
    sprintf("%d principal components, the first %d rows, 1500 candidate centres, 35 radii,", dims,
            rows),
    "rule \"gradient\", ridge 1e-4, tol 1e-3. All 10,000 test images.",
    took(path),
    "The paper says that the error of so many pieces is close to that of a Gaussian support vector machine.", "",
    markdown_table(path$table), "",
    gaussian_machine(set, rows)
  )
}
