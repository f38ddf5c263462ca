# The data sets of the comparison with the paper: domains, and random splits of the target. Only
# definitions. A set is list(domains, n): domains are data frames of the response and the features
# alike, the target first; n are the numbers of training rows.

response_first <- function(data, response, features) {
  data.frame(y = data[[response]], data[features], check.names = FALSE)
}

# ---- the sets ---------------------------------------------------------------------------------

# Rows of furnace A with a 0 are missing values.
furnace_set <- function() {
  a <- read_set("furnace_A.csv")
  domains <- list(A = a[rowSums(a == 0) == 0, ], B = read_set("furnace_B.csv"))
  list(domains = lapply(domains, response_first, "si", names(a)[-1]), n = c(60, 150, 290))
}

parkinson_set <- function(others) {
  data <- read_set("parkinsons.csv.gz")
  people <- split(data, data$subject)[as.character(c(1, others))]
  features <- c("test_time", names(data)[7:22])
  list(domains = lapply(people, response_first, "motor_UPDRS", features), n = 60)
}

school_set <- function(others) {
  data <- read_set("school.csv.gz")
  schools <- split(data, data$school)[as.character(c(1, others))]
  list(domains = lapply(schools, response_first, "score", paste0("x", 1:27)), n = 60)
}

# Degree of heart disease, 0 to 4, and measurements that all four hospitals recorded.
heart_set <- function(target) {
  data <- read_set("heart.csv")
  features <- c("age", "sex", "trestbps", "restecg", "thalach", "exang", "oldpeak")
  data <- stats::na.omit(data[c("hospital", "num", "cp", features)])
  pain <- outer(data$cp, 2:4, "==") + 0
  colnames(pain) <- paste0("pain", 2:4)
  hospitals <- split(cbind(data, pain), data$hospital)
  hospitals <- hospitals[c(target, setdiff(names(hospitals), target))]
  list(domains = lapply(hospitals, response_first, "num", c(features, colnames(pain))), n = 50)
}

# ---- a split ----------------------------------------------------------------------------------

two_values <- function(x) length(unique(x)) <= 2

# Columns of x that are no combination of the columns before them and the constant.
independent_columns <- function(x) {
  found <- qr(cbind(1, x), tol = 1e-7)
  sort(setdiff(found$pivot[seq_len(found$rank)], 1)) - 1
}

both_y <- function(own, others) c(own, unlist(lapply(others, `[[`, 1), use.names = FALSE))

# n training rows of the target, its other rows for the test, all rows of the other domains. Each
# domain has z-scores of its own, the target's by its training rows; columns of two values are only
# centred. Features that are redundant in the training rows of some domain are left out in all.
draw_split <- function(set, n, seed) {
  set.seed(seed)
  target <- as.matrix(set$domains[[1]])
  rows <- sample(nrow(target))[seq_len(n)]
  train <- c(list(target[rows, ]), lapply(set$domains[-1], as.matrix))
  binary <- apply(do.call(rbind, lapply(set$domains, as.matrix)), 2, two_values)
  center <- lapply(train, colMeans)
  scale <- lapply(train, function(domain) { # a column that is constant in a domain is left out below
    spread <- apply(domain, 2, stats::sd)
    ifelse(binary | spread == 0, 1, spread)
  })
  z_scores <- function(domain, k) t((t(domain) - center[[k]]) / scale[[k]])
  train <- Map(z_scores, train, seq_along(train))
  kept <- Reduce(intersect, lapply(train, function(domain) independent_columns(domain[, -1]))) + 1
  test <- z_scores(target[-rows, ], 1)
  both <- do.call(rbind, train)
  raw <- rbind(target[rows, ], do.call(rbind, lapply(set$domains[-1], as.matrix)))[, kept]
  names <- names(set$domains)
  list(raw = raw, raw_y = both_y(target[rows, 1], set$domains[-1]), raw_test = target[-rows, kept],
       y_center = center[[1]][[1]], y_scale = scale[[1]][[1]], x = both[, kept], y = both[, 1],
       domain = factor(rep(names, vapply(train, nrow, 0L)), names),
       test_x = test[, kept], test_y = test[, 1],
       variance = mean((target[, 1] - mean(target[, 1]))^2) / scale[[1]][[1]]^2)
}

# The rows of one domain, or of several, as a split with a single domain.
one_domain <- function(split, name = levels(split$domain)[1]) {
  rows <- split$domain %in% name
  list(x = split$x[rows, ], y = split$y[rows], domain = split$domain[rows, drop = TRUE],
       test_x = split$test_x, test_y = split$test_y, variance = split$variance)
}
