# The data sets of shareboost()'s benchmarks: list(x, y, test_x, test_y). Only definitions.

split_set <- function(x, y, train) {
  x <- as.matrix(x)
  colnames(x) <- paste0("x", seq_len(ncol(x)))
  y <- factor(y)
  list(x = x[train, ], y = y[train], test_x = x[!train, ], test_y = y[!train])
}

# All products of two different columns (section 7.2 of the paper).
pair_products <- function(x) {
  x <- as.matrix(x)
  pairs <- utils::combn(ncol(x), 2)
  x[, pairs[1, ]] * x[, pairs[2, ]]
}

pendigits_pairs <- function() {
  train <- read_set("pendigits_train.csv.gz")
  test <- read_set("pendigits_test.csv.gz")
  class <- vapply(train, function(v) length(unique(v)), 0L) == 10
  class <- if ("class" %in% names(train)) "class" else names(train)[max(which(class))]
  both <- rbind(train, test)
  split_set(pair_products(both[names(both) != class]), both[[class]],
            rep(c(TRUE, FALSE), c(nrow(train), nrow(test))))
}

# The Statlog division: the first 4435 rows are for training.
satellite_pairs <- function() {
  data <- mlbench_set("Satellite")
  split_set(pair_products(data[names(data) != "classes"]), data$classes,
            seq_len(nrow(data)) <= 4435)
}

# Speakers 1 to 120 for training, the fifth group for testing.
isolet_letters <- function() {
  data <- read_set("isolet.csv.gz")
  split_set(data[-(1:2)], data$letter, data$group <= 4)
}

letter_images <- function() {
  data <- mlbench_set("LetterRecognition")
  split_set(data[-1], data$lettr, seq_len(nrow(data)) <= 16000)
}

letter_pairs <- function() {
  data <- mlbench_set("LetterRecognition")
  split_set(pair_products(data[-1]), data$lettr, seq_len(nrow(data)) <= 16000)
}

mlbench_set <- function(name) {
  store <- new.env()
  utils::data(list = name, package = "mlbench", envir = store)
  store[[name]]
}

mnist_digits_all <- function() {
  train <- read_mnist("train", 60000)
  test <- read_mnist("t10k", 10000)
  list(x = train$x, y = factor(train$class), test_x = test$x, test_y = factor(test$class))
}

shareboost_sets <- list(
  "pendigits, pairs" = list(make = pendigits_pairs, file = "pendigits_train.csv.gz"),
  "Satellite, pairs" = list(make = satellite_pairs, package = "mlbench"),
  isolet = list(make = isolet_letters, file = "isolet.csv.gz"),
  letters = list(make = letter_images, package = "mlbench")
)
