# The data sets of the comparison with the paper: tasks, and random splits of the target. Only
# definitions. A set is list(tasks, n): tasks are data frames of the response and the features
# alike, the target first; n are the numbers of training rows.

response_first <- function(data, response, features) {
  data.frame(y = data[[response]], data[features], check.names = FALSE)
}

# ---- the sets ---------------------------------------------------------------------------------

# Rows of furnace A with a 0 are missing values.
furnace_set <- function() {
  a <- read_set("furnace_A.csv")
  tasks <- list(A = a[rowSums(a == 0) == 0, ], B = read_set("furnace_B.csv"))
  list(tasks = lapply(tasks, response_first, "si", names(a)[-1]), n = c(60, 150, 290))
}

parkinson_set <- function(sources) {
  data <- read_set("parkinsons.csv.gz")
  people <- split(data, data$subject)[as.character(c(1, sources))]
  features <- c("test_time", names(data)[7:22])
  list(tasks = lapply(people, response_first, "motor_UPDRS", features), n = 60)
}

school_set <- function(sources) {
  data <- read_set("school.csv.gz")
  schools <- split(data, data$school)[as.character(c(1, sources))]
  list(tasks = lapply(schools, response_first, "score", paste0("x", 1:27)), n = 60)
}

# How ill is the heart, 0 to 4? Measurements that all four hospitals took.
heart_set <- function(target) {
  data <- read_set("heart.csv")
  features <- c("age", "sex", "trestbps", "restecg", "thalach", "exang", "oldpeak")
  data <- stats::na.omit(data[c("hospital", "num", "cp", features)])
  pain <- outer(data$cp, 2:4, "==") + 0
  colnames(pain) <- paste0("pain", 2:4)
  hospitals <- split(cbind(data, pain), data$hospital)
  hospitals <- hospitals[c(target, setdiff(names(hospitals), target))]
  list(tasks = lapply(hospitals, response_first, "num", c(features, colnames(pain))), n = 50)
}

# ---- a split ----------------------------------------------------------------------------------

two_values <- function(x) length(unique(x)) <= 2

# Columns of x that are no combination of the columns before them and the constant.
independent_columns <- function(x) {
  found <- qr(cbind(1, x), tol = 1e-7)
  sort(setdiff(found$pivot[seq_len(found$rank)], 1)) - 1
}

both_y <- function(own, others) c(own, unlist(lapply(others, `[[`, 1), use.names = FALSE))

# n rows of the target to learn from, the other ones for the test, all rows of the sources. Each
# task has z-scores of its own, the target's with its training rows; columns of two values are only
# centred. Features that are redundant in some task's training rows are dropped for all.
draw_split <- function(set, n, seed) {
  set.seed(seed)
  target <- as.matrix(set$tasks[[1]])
  rows <- sample(nrow(target))[seq_len(n)]
  train <- c(list(target[rows, ]), lapply(set$tasks[-1], as.matrix))
  binary <- apply(do.call(rbind, lapply(set$tasks, as.matrix)), 2, two_values)
  center <- lapply(train, colMeans)
  scale <- lapply(train, function(task) { # a column that is constant in a task is dropped below
    spread <- apply(task, 2, stats::sd)
    ifelse(binary | spread == 0, 1, spread)
  })
  z_scores <- function(task, k) t((t(task) - center[[k]]) / scale[[k]])
  train <- Map(z_scores, train, seq_along(train))
  kept <- Reduce(intersect, lapply(train, function(task) independent_columns(task[, -1]))) + 1
  test <- z_scores(target[-rows, ], 1)
  both <- do.call(rbind, train)
  raw <- rbind(target[rows, ], do.call(rbind, lapply(set$tasks[-1], as.matrix)))[, kept]
  names <- names(set$tasks)
  list(raw = raw, raw_y = both_y(target[rows, 1], set$tasks[-1]), raw_test = target[-rows, kept],
       y_center = center[[1]][[1]], y_scale = scale[[1]][[1]], x = both[, kept], y = both[, 1], domain = factor(rep(names, vapply(train, nrow, 0L)), names),
       test_x = test[, kept], test_y = test[, 1],
       variance = mean((target[, 1] - mean(target[, 1]))^2) / scale[[1]][[1]]^2)
}

# The rows of one task, or of some, as a split with a single one.
one_task <- function(split, name = levels(split$domain)[1]) {
  rows <- split$domain %in% name
  list(x = split$x[rows, ], y = split$y[rows], domain = split$domain[rows, drop = TRUE],
       test_x = split$test_x, test_y = split$test_y, variance = split$variance)
}
