# Time to learn beside JointBoost and its growth (sections 2 and 7.3 of the paper), time of a prediction beside a
# support vector machine and three nearest neighbours (Table 1). Only definitions.

processor_seconds <- function(f, turns = 3) min(vapply(seq_len(turns), function(i) {
  before <- worked()
  f()
  worked() - before
}, 0))

# The paper's rule: T rounds, refits to 1e-6.
paper_path <- function(x, y, rounds) {
  shareboost(x, y, rule = "gradient", intercept = FALSE, ridge = 1e-4, max_steps = rounds)
}

learning_growth <- function() {
  fit <- function(m = 2000, d = 400, k = 8, rounds = 20) {
    set <- simulated_classes(m, d, k)
    processor_seconds(function() paper_path(set$x, set$y, rounds))
  }
  row <- function(what, sizes, seconds) {
    data.frame(growth = what, sizes = paste(sizes, collapse = " "),
               "ms of the processor" = paste(format_number(1000 * seconds), collapse = " "),
               slope = log_slope(sizes, seconds), check.names = FALSE)
  }
  m <- c(1000, 2000, 4000, 8000)
  d <- c(400, 800, 1600, 3200)
  k <- c(4, 8, 16, 32)
  rounds <- c(10, 20, 40, 80)
  rbind(
    row("rows m; d = 400, k = 8, T = 20", m, vapply(m, function(m) fit(m = m), 0)),
    row("features d; m = 2000, k = 8, T = 20", d, vapply(d, function(d) fit(d = d), 0)),
    row("classes k; m = 2000, d = 400, T = 20", k, vapply(k, function(k) fit(k = k), 0)),
    row("rounds T; m = 2000, d = 400, k = 8", rounds, vapply(rounds, function(r) fit(rounds = r), 0))
  )
}

# The default rule with its ridge given: rows that grow with the classes, 20 a class, then one of them alone.
many_classes <- function() {
  seconds <- function(n, k) {
    set <- simulated_classes(n, 40, k)
    processor_seconds(function() quiet(shareboost(set$x, set$y, ridge = 1e-4, max_steps = 8)), 1)
  }
  row <- function(what, n, k, size) {
    s <- mapply(seconds, n, k)
    data.frame(growth = what, sizes = toString(size), s = toString(format_number(s)), "slope" = log_slope(size, s),
               "of the last two" = log_slope(utils::tail(size, 2), utils::tail(s, 2)), check.names = FALSE)
  }
  k <- c(63, 125, 250, 500)
  rbind(row("classes K, rows 20 K", 20 * k, k, k), row("classes K, 2500 rows", 2500, k[1:3], k[1:3]),
        row("rows, 125 classes", c(1250, 2500, 5000), 125, c(1250, 2500, 5000)))
}

part_many <- function() {
  section(
    "shareboost", "many", "Time by number of classes, rows growing with them",
    "40 features of which 20 tell classes apart, 8 steps of the default rule with ridge = 1e-4; seconds of the",
    "processor. Where time grows with n K, the slope of the first row is 2, of the others 1.", "",
    markdown_table(many_classes())
  )
}

# Seconds a round of stumps by number of classes: letters, 150 rows a class.
round_seconds <- function(rounds = 3) {
  data <- mlbench_set("LetterRecognition")
  k <- c(4, 8, 16, 26)
  cells <- vapply(k, function(k) {
    rows <- unlist(lapply(LETTERS[seq_len(k)], function(letter) which(data$lettr == letter)[1:150]))
    x <- as.matrix(data[rows, -1])
    y <- factor(data$lettr[rows])
    set <- list(x = x, y = y, test_x = x[1:10, ], test_y = y[1:10])
    c(processor_seconds(function() paper_path(stumps(x), y, rounds)),
      processor_seconds(function() jointboost_curve(set, rounds), 1)) / rounds
  }, c(0, 0))
  table <- data.frame(c("shareboost, the paper's rule", "JointBoost"), 1000 * cells,
                      apply(cells, 1, function(seconds) log_slope(k, seconds)))
  names(table) <- c("method", paste("ms a round,", k, "classes"), "slope in the classes")
  table
}

part_learning <- function() {
  section(
    "shareboost", "learning", "Time to learn (sections 2 and 7.3)",
    "The paper: O(T m d k) for the choice of features and O(T^2 m k) for the refits, and \"much shorter\"",
    "than JointBoost. The paper's rule, ridge 1e-4, columns normal random numbers, seconds of the processor,",
    "the least of three:", "",
    markdown_table(learning_growth()), "",
    "Stumps of letters, 150 rows a class, 16 features. JointBoost is written in R with matrix operations,",
    "shareboost() in C: compare the growth, not the level. JointBoost's search for the classes that share a",
    "stump is quadratic in the classes, and there are 150 more rows with each:", "",
    markdown_table(round_seconds())
  )
}

# ---- predictions ------------------------------------------------------------------------------

# The most frequent class of the three nearest rows; a tie goes to the nearest of them.
three_nearest <- function(x, y, new) {
  blocks <- split(seq_len(nrow(new)), (seq_len(nrow(new)) - 1) %/% 500)
  unlist(lapply(blocks, function(rows) {
    distance <- rep(rowSums(x^2), each = length(rows)) - 2 * tcrossprod(new[rows, , drop = FALSE], x)
    apply(distance, 1, function(d) {
      near <- as.character(y[order(d)[1:3]])
      names(which.max(table(factor(near, unique(near)))))
    })
  }), use.names = FALSE)
}

part_prediction <- function(rows = 5000, features = 50) {
  if (!available(shareboost_sets$MNIST)) return(c("MNIST is not available.", ""))
  train <- read_mnist("train", rows)
  test <- read_mnist("t10k", rows)
  set <- list(x = train$x, y = factor(train$class), test_x = test$x, test_y = factor(test$class))
  colnames(set$x) <- colnames(set$test_x) <- paste0("p", seq_len(ncol(set$x)))
  fit <- shareboost(set$x, set$y, rule = "gradient", max_steps = features)
  wide <- shareboost(set$x, set$y, rule = "gradient", max_steps = 200)
  machine <- if (installed("e1071")) {
    e1071::svm(set$x, set$y, scale = FALSE, cost = 10, gamma = 1 / sum(apply(set$x, 2, stats::var)))
  }
  ways <- c(
    list("shareboost, 50 pixels" = function() predict(fit, set$test_x, step = features, type = "class"),
         "shareboost, 200 pixels" = function() predict(wide, set$test_x, step = 200, type = "class")),
    if (installed("e1071")) list("Gaussian support vector machine" = function() predict(machine, set$test_x)),
    list("three nearest neighbours" = function() three_nearest(set$x, set$y, set$test_x))
  )
  found <- lapply(ways, function(way) {
    class <- NULL
    seconds <- processor_seconds(function() class <<- way(), 1)
    c(error = error_of(class, set), seconds = min(seconds, processor_seconds(function() class <<- way(), 1)))
  })
  table <- data.frame(method = names(ways), do.call(rbind, found), row.names = NULL)
  names(table)[-1] <- c("test error", sprintf("seconds for %d images", nrow(set$test_x)))
  section(
    "shareboost", "prediction", "Time of a prediction (Table 1)",
    sprintf("MNIST pixels, the first %d training and test images; seconds of the processor for the", rows),
    paste0("classes of the test images, the less of two calls. The support vector machine (e1071, cost 10) has ",
           if (is.null(machine)) "not been fitted" else paste(machine$tot.nSV, "support vectors"), ". The paper, with"),
    "60,000 images: three nearest neighbours 2.7 %; an SVM of degree 9 .56 % and 38 times the operations of",
    "ShareBoost, whose 305 features are patches.", "",
    markdown_table(table)
  )
}
