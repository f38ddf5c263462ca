# The data sets of shareboost()'s benchmarks: list(x, y, test_x, test_y). Only definitions.

split_set <- function(x, y, train) {
  x <- as.matrix(x)
  colnames(x) <- paste0("x", seq_len(ncol(x)))
  y <- factor(y)
  list(x = x[train, ], y = y[train], test_x = x[!train, ], test_y = y[!train])
}

# The range of all features together moved to [-1, 1]; they have one unit in these data.
to_unit <- function(x) {
  x <- as.matrix(x)
  2 * (x - min(x)) / (max(x) - min(x)) - 1
}

# All products of two different columns (section 7.2 of the paper).
pair_products <- function(x) {
  pairs <- utils::combn(ncol(x), 2)
  x[, pairs[1, ]] * x[, pairs[2, ]]
}

pendigits_pairs <- function() {
  train <- read_set("pendigits_train.csv.gz")
  both <- rbind(train, read_set("pendigits_test.csv.gz"))
  split_set(pair_products(to_unit(both[names(both) != "digit"])), both$digit,
            seq_len(nrow(both)) <= nrow(train))
}

# The Statlog division: the first 4435 rows are for training.
satellite_pairs <- function() {
  data <- mlbench_set("Satellite")
  split_set(pair_products(to_unit(data[names(data) != "classes"])), data$classes,
            seq_len(nrow(data)) <= 4435)
}

# Four groups of speakers for training, the fifth for testing.
isolet_letters <- function() {
  data <- read_set("isolet.csv.gz")
  split_set(data[-(1:2)], data$letter, data$group <= 4)
}

# Sixteen features, their squares and products.
letter_pairs <- function() {
  data <- mlbench_set("LetterRecognition")
  x <- to_unit(data[-1])
  split_set(cbind(x, x^2, pair_products(x)), data$lettr, seq_len(nrow(data)) <= 16000)
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
  letters = list(make = letter_pairs, package = "mlbench"),
  MNIST = list(make = mnist_digits_all, file = "train-images-idx3-ubyte.gz")
)
