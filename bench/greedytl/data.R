# The accuracy comparison's data: for every set a list of targets. Only definitions.
#   x, h      features and source predictions of the target's rows
#   positive  TRUE for the rows of the target class
# Protocol of the paper, section 5: every class in turn is the target, the other classes' models
# (each against negatives that are no target) are its sources.

# ---- ridge models as sources ------------------------------------------------------------------

# ||y - b - Xw||^2 + lambda ||w||^2, y = -1/1: list(w, b)
ridge_model <- function(x, positive, lambda = 10) {
  y <- ifelse(positive, 1, -1)
  mean_x <- Matrix::colMeans(x)
  centred <- sweep(as.matrix(x), 2, mean_x)
  right <- y - mean(y)
  w <- if (nrow(x) < ncol(x)) {
    dual <- tcrossprod(centred)
    diag(dual) <- diag(dual) + lambda
    crossprod(centred, solve(dual, right))
  } else {
    normal <- crossprod(centred)
    diag(normal) <- diag(normal) + lambda
    solve(normal, crossprod(centred, right))
  }
  list(w = drop(w), b = mean(y) - sum(mean_x * w))
}

# Scores of the models on the rows of x, a named column each.
model_scores <- function(models, x) {
  w <- matrix(unlist(lapply(models, `[[`, "w")), ncol = length(models))
  b <- vapply(models, `[[`, 0, "b")
  scores <- as.matrix(x %*% w) + rep(b, each = nrow(x))
  matrix(scores, nrow(x), dimnames = list(NULL, names(models)))
}

# ---- every class in turn ----------------------------------------------------------------------

# source_rows: a named list of row sets, each of which gives one source for every class.
leave_one_class_out <- function(x, class, negatives, source_rows, target_rows, per_side = 300) {
  first <- function(rows) utils::head(rows, per_side)
  classes <- setdiff(sort(unique(class)), negatives)
  models <- lapply(source_rows, function(rows) {
    others <- first(rows[class[rows] %in% negatives])
    lapply(stats::setNames(nm = as.character(classes)), function(one) {
      own <- first(rows[class[rows] == one])
      ridge_model(x[c(own, others), ], rep(c(TRUE, FALSE), c(length(own), length(others))))
    })
  })
  source_class <- unlist(lapply(models, names), use.names = FALSE)
  x_target <- x[target_rows, ]
  scores <- model_scores(unlist(models, recursive = FALSE), x_target)
  lapply(stats::setNames(nm = as.character(classes)), function(target) {
    rows <- which(class[target_rows] %in% c(target, negatives))
    list(x = x_target[rows, ], h = scores[rows, source_class != target, drop = FALSE],
         positive = class[target_rows][rows] == target)
  })
}

# Columns of mean 0 and standard deviation 1; constant ones are dropped.
standardised <- function(x) {
  x <- scale(x)
  unname(x[, is.finite(colSums(x))])
}

# ---- the sets ---------------------------------------------------------------------------------

read_set <- function(file) utils::read.csv(file.path(data_folder(), file))

letters_set <- function() {
  data <- mlbench_letters()
  leave_one_class_out(data$x, data$class, c("X", "Y", "Z"), list(letter = 1:10000), 10001:20000)
}

mlbench_letters <- function() {
  store <- new.env()
  utils::data("LetterRecognition", package = "mlbench", envir = store)
  data <- store$LetterRecognition
  list(x = scale(as.matrix(data[-1])), class = as.character(data$lettr))
}

isolet_set <- function() {
  data <- read_set("isolet.csv.gz")
  leave_one_class_out(standardised(as.matrix(data[-(1:2)])), LETTERS[data$letter],
                      c("X", "Y", "Z"), list(groups123 = which(data$group <= 3)),
                      which(data$group > 3))
}

# Photographs of four domains: every other row of each for the sources, the rest for the targets.
office_set <- function(file) {
  data <- read_set(file)
  odd <- seq(1, nrow(data), by = 2)
  leave_one_class_out(standardised(as.matrix(data[-(1:2)])), data$class, 8:10, list(odd = odd),
                      setdiff(seq_len(nrow(data)), odd))
}

# The same, with sources fitted in the large domains and targets in the small ones.
other_domain_set <- function(file, domains) {
  data <- read_set(file)
  rows <- lapply(stats::setNames(nm = domains), function(domain) which(data$domain == domain))
  leave_one_class_out(standardised(as.matrix(data[-(1:2)])), data$class, 8:10, rows,
                      which(data$domain %in% c("dslr", "webcam")))
}

mnist_set <- function() {
  train <- read_mnist("train", rows = 8000)
  test <- read_mnist("t10k", rows = 10000)
  leave_one_class_out(rbind(train$x, test$x), c(train$class, test$class), 7:9,
                      list(train = 1:8000), 8000 + 1:10000)
}

read_mnist <- function(name, rows) {
  read_bytes <- function(kind, skip, n) {
    connection <- gzfile(file.path(data_folder(), paste0(name, "-", kind, "-ubyte.gz")), "rb")
    on.exit(close(connection))
    readBin(connection, "raw", skip)
    as.integer(readBin(connection, "raw", n))
  }
  list(x = matrix(read_bytes("images-idx3", 16, 784 * rows) / 255, rows, byrow = TRUE),
       class = read_bytes("labels-idx1", 8, rows))
}

# Good or bad reviews of one kind of product; the other three kinds are the sources.
amazon_set <- function() {
  data <- readRDS(file.path(data_folder(), "amazon_reviews.rds"))
  unit <- lapply(data, function(d) d$x / sqrt(Matrix::rowSums(d$x^2)))
  models <- Map(function(x, d) ridge_model(x, d$y > 0), unit, data)
  lapply(stats::setNames(nm = names(data)), function(target) {
    x <- methods::as(unit[[target]], "CsparseMatrix")
    list(x = x, h = model_scores(models[names(models) != target], x),
         positive = data[[target]]$y > 0)
  })
}

# The same number of sources, a share of them replaced by normal random numbers that are drawn for every problem.
with_noise <- function(problems, share = 1) {
  set.seed(1)
  lapply(problems, function(problem) {
    all <- seq_len(ncol(problem$h))
    lost <- if (share < 1) sample(all, round(share * length(all))) else all
    problem$h[, lost] <- stats::rnorm(nrow(problem$h) * length(lost))
    problem
  })
}

# Sources are models of the other classes, each against all other classes, the target's among them: they predict what
# the target is not. Negative rows are of all other classes.
other_classes <- function(x, class, source_rows, target_rows, per_side = 300) {
  classes <- sort(unique(class))
  models <- lapply(stats::setNames(nm = classes), function(one) {
    own <- utils::head(source_rows[class[source_rows] == one], per_side)
    rest <- utils::head(source_rows[class[source_rows] != one], per_side)
    ridge_model(x[c(own, rest), ], rep(c(TRUE, FALSE), c(length(own), length(rest))))
  })
  x <- x[target_rows, ]
  scores <- model_scores(models, x)
  lapply(stats::setNames(nm = classes), function(target) {
    list(x = x, h = scores[, classes != target, drop = FALSE],
         positive = class[target_rows] == target)
  })
}

satellite_set <- function() {
  store <- new.env()
  utils::data("Satellite", package = "mlbench", envir = store)
  set.seed(3)
  data <- store$Satellite[sample(nrow(store$Satellite)), ]
  other_classes(scale(as.matrix(data[-37])), as.character(data$classes), 1:3000,
                3001:nrow(data))
}

pendigits_set <- function() {
  data <- rbind(read_set("pendigits_train.csv.gz"), read_set("pendigits_test.csv.gz"))
  set.seed(4)
  data <- data[sample(nrow(data)), ]
  other_classes(scale(as.matrix(data[1:16])), as.character(data[[17]]), 1:5000,
                5001:nrow(data))
}

# For each set: how it is read, draws a target, what it needs (a file of the data folder or a package) and the
# table to which it belongs.
accuracy_set <- function(make, draws, file = NULL, package = NULL, table = "paper") {
  list(make = make, draws = draws, file = file, package = package, table = table)
}

accuracy_sets <- list(
  letters = accuracy_set(letters_set, 2, package = "mlbench"),
  isolet = accuracy_set(isolet_set, 2, "isolet.csv.gz"),
  googlenet = accuracy_set(function() office_set("office_googlenet.csv.gz"), 6,
                           "office_googlenet.csv.gz"),
  surf = accuracy_set(function() office_set("office_surf.csv.gz"), 6, "office_surf.csv.gz"),
  amazon = accuracy_set(amazon_set, 10, "amazon_reviews.rds"),
  mnist = accuracy_set(mnist_set, 6, "t10k-images-idx3-ubyte.gz"),
  "googlenet, other domain" = accuracy_set(function() {
    other_domain_set("office_googlenet.csv.gz", "amazon")
  }, 6, "office_googlenet.csv.gz", table = "hard"),
  "surf, other domain" = accuracy_set(function() {
    other_domain_set("office_surf.csv.gz", c("amazon", "caltech10"))
  }, 6, "office_surf.csv.gz", table = "hard"),
  "letters, noise" = accuracy_set(function() with_noise(letters_set()), 2, package = "mlbench",
                                  table = "hard"),
  "mnist, noise" = accuracy_set(function() with_noise(mnist_set()), 3,
                                "t10k-images-idx3-ubyte.gz", table = "hard"),
  "letters, nine of ten noise" = accuracy_set(function() with_noise(letters_set(), .9), 2,
                                              package = "mlbench", table = "nine of ten"),
  "mnist, nine of ten noise" = accuracy_set(function() with_noise(mnist_set(), .9), 3,
                                            "t10k-images-idx3-ubyte.gz", table = "nine of ten"),
  satellite = accuracy_set(satellite_set, 10, package = "mlbench", table = "other classes"),
  pendigits = accuracy_set(pendigits_set, 4, "pendigits_test.csv.gz", table = "other classes")
)

available <- function(set) {
  if (is.null(set$file)) installed(set$package) else file.exists(file.path(data_folder(), set$file))
}
