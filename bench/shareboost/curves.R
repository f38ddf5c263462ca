# Curves of the paper's Figures 2 and 3: features by number of classes; stumps; paths so long that they
# overfit. Only definitions.

the_paper <- list(rule = "gradient", intercept = FALSE, ridge = 0)

paper_curve <- function(set, ...) do.call(shareboost_curve, c(list(set), the_paper, list(...)))

# ---- Figure 2: features for a fixed error by number of classes --------------------------------

first_classes <- function(set, k) {
  classes <- levels(set$y)[seq_len(k)]
  of <- function(x, y) list(x = x[y %in% classes, , drop = FALSE], y = factor(y[y %in% classes], classes))
  train <- of(set$x, set$y)
  test <- of(set$test_x, set$test_y)
  varies <- apply(train$x, 2, stats::sd) > 0
  list(x = train$x[, varies], y = train$y, test_x = test$x[, varies], test_y = test$y)
}

classes_row <- function(set, k, errors) {
  one <- first_classes(set, k)
  shared <- paper_curve(one)
  rest <- one_vs_rest_curve(one, steps = 25, rule = "gradient", intercept = FALSE)
  fewest <- function(curve) vapply(errors, fewest_features, 0, curve = curve)
  row <- data.frame(k, t(fewest(shared)), t(fewest(rest)))
  names(row) <- c("classes", paste0(rep(c("shared, error ", "one-vs-rest, error "), each = length(errors)),
                                    errors))
  row
}

part_classes <- function() {
  errors <- c(.2, .08) # the paper's
  present <- Filter(function(name) available(shareboost_sets[[name]]), c("letters", "isolet"))
  tables <- lapply(present, function(name) {
    set <- shareboost_sets[[name]]$make()
    c(paste0(name, ":"), "",
      markdown_table(do.call(rbind, lapply(c(2, 4, 6, 9, 13, 18, 26), classes_row, set = set,
                                           errors = errors))), "")
  })
  section(
    "shareboost", "classes", "Features for a fixed test error by number of classes (Figure 2)",
    "Classes are the first k letters of the alphabet. shared: the paper's rule, `rule = \"gradient\"` without",
    "intercept and ridge, up to 50 features. one-vs-rest: the same rule for each class against the rest, up",
    "to 25 features a class, counting the features of all classes together. letters: 16 features, squares and",
    "products; isolet: 617 features. A cell is empty where no model has so small an error. The paper's",
    "figure, on Chars74k, has curves for the same two errors, which grow slowly with the number of classes",
    "for ShareBoost and fast for one-vs-rest.", "",
    unlist(tables)
  )
}

# ---- Figure 3, bottom: stumps -----------------------------------------------------------------

stump_sets <- list(
  Satellite = list(package = "mlbench", rounds = 100, make = function() {
    data <- mlbench_set("Satellite")
    split_set(data[names(data) != "classes"], data$classes, seq_len(nrow(data)) <= 4435)
  }),
  pendigits = list(file = "pendigits_train.csv.gz", rounds = 100, make = function() {
    train <- read_set("pendigits_train.csv.gz")
    both <- rbind(train, read_set("pendigits_test.csv.gz"))
    split_set(both[names(both) != "digit"], both$digit, seq_len(nrow(both)) <= nrow(train))
  }),
  letters = list(package = "mlbench", rounds = 40, make = function() { # few rows: it has 26 classes
    data <- mlbench_set("LetterRecognition")[c(1:3000, 16001:20000), ]
    split_set(data[-1], data$lettr, seq_len(nrow(data)) <= 3000)
  }),
  isolet = c(shareboost_sets$isolet, rounds = 100, jointboost = 10) # a round takes 14 s
)

stump_sizes <- c(5, 10, 20, 40, 60, 80, 100)

stumps_curve <- function(set, rounds, ...) {
  fit <- shareboost(stumps(set$x), set$y, max_steps = rounds, ...)
  class <- predict(fit, set$test_x, step = 0:max(fit$steps$step))
  data.frame(features = fit$steps$size, error = vapply(class, error_of, 0, set = set))
}

# Error of the last model with at most so many features.
errors_at <- function(curve, sizes) {
  vapply(sizes, function(size) {
    fits <- which(curve$features <= size)
    if (max(curve$features) < .8 * size) NA_real_ else curve$error[max(fits)]
  }, 0)
}

size_table <- function(curves, sizes) {
  table <- data.frame(method = names(curves), t(vapply(curves, errors_at, numeric(length(sizes)),
                                                       sizes = sizes)), row.names = NULL)
  names(table)[-1] <- sizes
  markdown_table(table)
}

part_stumps <- function() {
  present <- Filter(function(name) available(stump_sets[[name]]), names(stump_sets))
  tables <- lapply(present, function(name) {
    message("  ", name)
    set <- stump_sets[[name]]$make()
    rounds <- stump_sets[[name]]$rounds
    theirs <- stump_sets[[name]]$jointboost
    curves <- list(
      "shareboost, gradient (paper)" = stumps_curve(set, rounds, rule = "gradient",
                                                    intercept = FALSE, ridge = 0),
      "shareboost, orthogonal" = stumps_curve(set, rounds),
      "JointBoost" = jointboost_curve(set, if (is.null(theirs)) rounds else theirs)
    )
    c(paste0(name, ":"), "", size_table(curves, stump_sizes), "")
  })
  section(
    "shareboost", "stumps", "Test error by number of stumps (Figure 3, bottom)",
    "Stumps are indicators x <= threshold of single columns. JointBoost is written here from its paper",
    "(gentle boosting, best-first search of the classes that share a stump, 50 thresholds a column); its",
    "number of stumps is that of different ones. 100 rounds; for letters 40, with 3000 rows; JointBoost on",
    "isolet 10. The paper: curves for StatLog, Pendigits and Isolet, on which the error of ShareBoost falls",
    "\"much faster\" and then rises.", "",
    unlist(tables)
  )
}

# ---- Figure 3, top: paths that overfit (section 7.2) ------------------------------------------

long_sizes <- c(10, 20, 30, 50, 75, 100, 120, 150, 200)

long_curve <- function(set, ...) shareboost_curve(set, max_features = max(long_sizes), ...)

part_overfit <- function() {
  names <- c("Satellite, pairs", "pendigits, pairs")
  present <- Filter(function(name) available(shareboost_sets[[name]]), names)
  tables <- lapply(present, function(name) {
    message("  ", name)
    set <- shareboost_sets[[name]]$make()
    curves <- c(
      list("gradient, no ridge (paper)" = do.call(long_curve, c(list(set), the_paper))),
      lapply(c("gradient, ridge 1e-4" = 1e-4, "gradient, ridge 1e-3" = 1e-3), function(ridge) {
        long_curve(set, rule = "gradient", intercept = FALSE, ridge = ridge)
      }),
      list("orthogonal (the default)" = long_curve(set))
    )
    sizes <- long_sizes[long_sizes <= ncol(set$x)]
    c(paste0(name, ", ", ncol(set$x), " features:"), "", size_table(curves, sizes), "")
  })
  section(
    "shareboost", "overfit", "Paths of up to 200 features, with and without a ridge (section 7.2)",
    "Test errors by number of features. The paper: \"when more features are allowed,",
    "ShareBoost starts to overfit\", which a ridge prevents.", "",
    unlist(tables)
  )
}
