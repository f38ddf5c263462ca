# Support and nu chosen on real data: test error divided by that of ridge. Only definitions.

read_set <- function(file) utils::read.csv(file.path(data_folder(), file))

package_data <- function(name, package) {
  store <- new.env()
  utils::data(list = name, package = package, envir = store)
  store[[name]]
}

# Columns that vary and all products of two columns, without duplicates.
with_products <- function(x) {
  full <- stats::model.matrix(~ .^2 - 1, as.data.frame(x))
  full <- full[, apply(full, 2, stats::sd) > 0]
  full[, !duplicated(full, MARGIN = 2)]
}

# Response and the other columns, factors as indicators, complete rows.
data_set <- function(data, response, not = NULL, log = FALSE) {
  data <- stats::na.omit(data[setdiff(names(data), not)])
  y <- data[[response]]
  list(x = stats::model.matrix(~ ., data[names(data) != response])[, -1],
       y = if (log) base::log(y) else y)
}

boston <- function(products) {
  set <- data_set(package_data("Boston", "MASS"), "medv")
  if (products) set$x <- with_products(set$x)
  set
}

concrete <- function(products) {
  set <- data_set(as.data.frame(package_data("concrete", "modeldata")), "compressive_strength")
  if (products) set$x <- with_products(scale(set$x))
  set
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

diabetes_set <- function() {
  data <- package_data("diabetes", "lars")
  list(x = matrix(data$x2, nrow(data$x2), dimnames = dimnames(data$x2)), y = data$y)
}

gasoline_set <- function() {
  data <- package_data("gasoline", "pls")
  list(x = matrix(data$NIR, nrow(data), dimnames = list(NULL, paste0("w", seq_len(ncol(data$NIR))))),
       y = data$octane)
}

# `needs`: a package, or a file of the data folder.
real_sets <- function() {
  sets <- list(
    "Boston" = list("MASS", function() boston(FALSE), c(50, 150)),
    "Boston with products" = list("MASS", function() boston(TRUE), c(100, 300)),
    "school" = list("school.csv.gz", school_set, c(100, 300)),
    "Parkinson with products" = list("parkinsons.csv.gz", parkinson_set, c(100, 300)),
    "crime" = list("MASS", function() data_set(package_data("UScrime", "MASS"), "y"), 32),
    "diabetes with products" = list("lars", diabetes_set, c(100, 300)),
    "body fat" = list("faraway", function() {
      data_set(package_data("fat", "faraway"), "brozek", c("siri", "density", "free"))
    }, c(40, 120)),
    "Hitters, log salary" = list("ISLR2", function() {
      data_set(package_data("Hitters", "ISLR2"), "Salary", log = TRUE)
    }, c(60, 150)),
    "concrete with products" = list("modeldata", function() concrete(TRUE), c(60, 200)),
    "prostate" = list("faraway", function() {
      data_set(package_data("prostate", "faraway"), "lpsa")
    }, 50),
    "seat position" = list("faraway", function() {
      data_set(package_data("seatpos", "faraway"), "hipcenter")
    }, 25),
    "gasoline, near-infrared" = list("pls", gasoline_set, 40),
    "meat, near-infrared" = list("faraway", function() {
      data_set(package_data("meatspec", "faraway"), "fat")
    }, c(50, 130))
  )
  there <- function(set) {
    if (grepl("csv", set[[1]])) file.exists(file.path(data_folder(), set[[1]])) else installed(set[[1]])
  }
  Filter(there, sets)
}

real_methods <- function() {
  c(tuned_methods[c("msplit, default", "msplit, best support", "ridge by leave-one-out")],
    if (installed("glmnet")) glmnet_methods["lasso"])
}

# Test errors of every method on one random split.
split_errors <- function(set, n, run) {
  set.seed(run)
  rows <- sample.int(length(set$y))
  train <- rows[seq_len(n)]
  test <- utils::head(rows[-seq_len(n)], 5000)
  x <- set$x[, apply(set$x[train, ], 2, function(v) max(v) > min(v))]
  vapply(real_methods(), function(method) {
    fit <- method(x[train, ], set$y[train])
    mean((set$y[test] - fit(x[test, ]))^2)
  }, 0)
}

# Geometric means over splits of the ratios to ridge.
real_row <- function(set, n, count) {
  errors <- vapply(seq_len(count), function(run) split_errors(set, n, run),
                   numeric(length(real_methods())))
  ratio <- errors / rep(errors["ridge by leave-one-out", ], each = nrow(errors))
  exp(rowMeans(log(ratio)))
}

part_real <- function(count = 30) {
  rows <- list()
  for (name in names(sets <- real_sets())) {
    set <- sets[[name]][[2]]()
    for (n in sets[[name]][[3]]) {
      ratio <- real_row(set, n, count)
      rows[[length(rows) + 1]] <- data.frame(set = name, n = n, columns = ncol(set$x),
                                             as.list(ratio), check.names = FALSE)
    }
  }
  table <- do.call(rbind, rows)
  table[["ridge by leave-one-out"]] <- NULL
  means <- exp(colMeans(log(table[-(1:3)])))
  worst <- vapply(table[-(1:3)], max, 0)
  all <- data.frame(set = c("geometric mean", "largest"), n = NA, columns = NA,
                    rbind(means, worst), check.names = FALSE)
  section(
    "msplit", "real", "Real data: test error as a ratio to ridge",
    paste0("Test error divided by that of ridge with nu by leave-one-out: geometric mean over ", count, " random"),
    "splits; n training rows. Columns that are constant in the training rows are left out for all methods.",
    "Data sets that are not available are missing.", "",
    markdown_table(rbind(table, all))
  )
}
