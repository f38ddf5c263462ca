# The choice of (nu, t) on real data: test error as a ratio to ridge. Only definitions.

read_set <- function(file) utils::read.csv(file.path(data_folder(), file))

# Columns that vary, all products of two, without exact repeats.
with_products <- function(x) {
  full <- stats::model.matrix(~ .^2 - 1, as.data.frame(x))
  full <- full[, apply(full, 2, stats::sd) > 0]
  full[, !duplicated(full, MARGIN = 2)]
}

boston_set <- function() {
  store <- new.env()
  utils::data("Boston", package = "MASS", envir = store)
  data <- store$Boston
  list(x = with_products(data[names(data) != "medv"]), y = data$medv)
}

school_set <- function() {
  data <- read_set("school.csv.gz")
  x <- as.matrix(data[paste0("x", 1:27)])
  list(x = x[, apply(x, 2, stats::sd) > 0], y = data$score)
}

parkinson_set <- function() {
  data <- read_set("parkinsons.csv.gz")
  voice <- setdiff(names(data), c("subject", "age", "sex", "motor_UPDRS", "total_UPDRS"))
  list(x = with_products(scale(data[voice])), y = data$motor_UPDRS)
}

real_sets <- function() {
  folder <- function(file, set) if (file.exists(file.path(data_folder(), file))) set
  sets <- list(
    "Boston with products" = if (installed("MASS")) list(read = boston_set, n = c(100, 300)),
    "school" = folder("school.csv.gz", list(read = school_set, n = c(100, 300))),
    "Parkinson with products" =
      folder("parkinsons.csv.gz", list(read = parkinson_set, n = c(100, 300)))
  )
  Filter(Negate(is.null), sets)
}

quick_methods <- function() c(tuned_methods, if (installed("glmnet")) glmnet_methods)

# Test errors of every method on one random split.
split_errors <- function(set, n, run) {
  set.seed(run)
  rows <- sample.int(length(set$y))
  train <- rows[seq_len(n)]
  test <- utils::head(rows[-seq_len(n)], 5000)
  x <- set$x[, apply(set$x[train, ], 2, function(v) max(v) > min(v))]
  vapply(quick_methods(), function(method) {
    fit <- method(x[train, ], set$y[train])
    mean((set$y[test] - fit(x[test, ]))^2)
  }, 0)
}

real_column <- function(set, n, count) {
  errors <- vapply(seq_len(count), function(run) split_errors(set, n, run),
                   numeric(length(quick_methods())))
  ratio <- errors / rep(errors["ridge by leave-one-out", ], each = nrow(errors))
  error <- apply(log(ratio), 1, stats::sd) / sqrt(count)
  sprintf("%.3f (%.3f)", exp(rowMeans(log(ratio))), error)
}

part_real <- function(count = 10) {
  table <- data.frame(method = names(quick_methods()))
  sets <- real_sets()
  for (name in names(sets)) {
    set <- sets[[name]]$read()
    for (n in sets[[name]]$n) {
      label <- paste0(name, ", n = ", n, ", ", ncol(set$x), " columns")
      table[[label]] <- real_column(set, n, count)
    }
  }
  section(
    "msplit", "real", "Real data: test error as a ratio to ridge",
    paste0("Geometric mean over ", count, " random splits (standard error of its logarithm) of"),
    "the test error over that of ridge with nu by leave-one-out; columns that are constant in the",
    "training rows are left out for all. Sets that are not at hand are missing.", "",
    markdown_table(table)
  )
}
