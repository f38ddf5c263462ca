# One digit against each of the nine others: eight of these are the domains, the ninth is the new domain.
# The paper's first experiment, with random rectified features. Only definitions.

sizes <- c(1, 3, 5, 10, 25, 50)

# ---- data: list(train, test), each list(x, class) ---------------------------------------------

# The first `rows` rows of each class.
first_rows <- function(set, rows) {
  kept <- which(stats::ave(seq_along(set$class), set$class, FUN = seq_along) <= rows)
  list(x = set$x[kept, ], class = set$class[kept])
}

# max(0, z'a + b) for `count` random normal a and b, z = x centred and of mean square 1.
rectified <- function(sets, count = 400) {
  centre <- colMeans(sets$train$x)
  rms <- sqrt(mean((sets$train$x - rep(centre, each = nrow(sets$train$x)))^2))
  set.seed(7)
  a <- matrix(stats::rnorm(length(centre) * count, sd = 1 / sqrt(length(centre))), ncol = count)
  b <- stats::rnorm(count, sd = .5)
  lapply(sets, function(set) {
    rows <- nrow(set$x)
    z <- (set$x - rep(centre, each = rows)) / rms
    list(x = pmax(z %*% a + rep(b, each = rows), 0), class = set$class)
  })
}

mnist_digits <- function(rows) {
  sets <- list(train = read_mnist("train", 10000), test = read_mnist("t10k", 10000))
  rectified(lapply(sets, first_rows, rows))
}

pen_digits <- function(rows) {
  sets <- lapply(c(train = "train", test = "test"), function(part) {
    data <- read_set(paste0("pendigits_", part, ".csv.gz"))
    list(x = as.matrix(data[1:16]), class = data$digit)
  })
  rectified(lapply(sets, first_rows, rows))
}

# Digit a (y = 1) against each of the others (y = -1), one domain for each; the rows of a are in all domains.
against_others <- function(set, a, others) {
  rows <- lapply(others, function(b) which(set$class %in% c(a, b)))
  all <- unlist(rows)
  list(x = set$x[all, ], y = ifelse(set$class[all] == a, 1, -1),
       domain = factor(rep(others, lengths(rows))))
}

# ---- paths ------------------------------------------------------------------------------------

# The last step of a path with so many distinct features; a path that ended earlier: its end.
step_of_size <- function(fit, sizes) {
  vapply(sizes, function(size) max(fit$steps$step[fit$steps$size <= size]), 0)
}

# Scores of new rows at each size, a column each.
scores_at <- function(fit, x, sizes) {
  step <- step_of_size(fit, sizes)
  score <- vapply(unique(step), function(s) as.vector(predict(fit, x, step = s)), numeric(nrow(x)))
  matrix(score, nrow(x))[, match(step, unique(step)), drop = FALSE]
}

digit_rules <- list(
  "gain" = list(rule = "gain"),
  "greedy" = list(rule = "greedy"),
  "t" = list(rule = "t"),
  "greedy, not centred" = list(rule = "greedy", intercept = FALSE),
  "t, not centred" = list(rule = "t", intercept = FALSE)
)

# Share of pairs of rows (positive, negative) in the right order.
auroc <- function(score, positive) {
  rank <- rank(score)
  (mean(rank[positive]) - (sum(positive) + 1) / 2) / sum(!positive)
}

# AUROC of a against the digit left out, of the paths fitted to the other eight: sizes x rules.
digit_pair <- function(sets, a, left) {
  train <- against_others(sets$train, a, setdiff(0:9, c(a, left)))
  test <- against_others(sets$test, a, left)
  vapply(digit_rules, function(arguments) {
    fit <- do.call(tgreedy, c(list(train$x, train$y, train$domain), arguments))
    apply(scores_at(fit, test$x, sizes), 2, auroc, test$y > 0)
  }, numeric(length(sizes)))
}

# All ordered pairs: sizes x rules x pairs.
digit_runs <- function(sets) {
  pairs <- expand.grid(left = 0:9, a = 0:9)
  pairs <- pairs[pairs$left != pairs$a, ]
  out <- mapply(digit_pair, a = pairs$a, left = pairs$left, MoreArgs = list(sets = sets),
                SIMPLIFY = "array")
  dimnames(out)[[3]] <- paste(pairs$a, pairs$left)
  out
}

# ---- tables -----------------------------------------------------------------------------------

mean_table <- function(runs) {
  error <- apply(runs, 1:2, stats::sd) / sqrt(dim(runs)[3])
  text <- error
  text[] <- sprintf("%.3f (%.3f)", apply(runs, 1:2, mean), error)
  table <- cbind(colnames(runs), as.data.frame(t(text)))
  names(table) <- c("rule", sizes)
  markdown_table(table)
}

# AUROC of greedy selection with and without the intercept.
centring_note <- function(runs) {
  means <- apply(runs, 1:2, mean)[length(sizes), ]
  paste0("Without centring, `greedy` at 50 features has ",
         sprintf("%.3f instead of %.3f.", means["greedy, not centred"], means["greedy"]))
}

digits_section <- function(part, title, sets, rows) {
  runs <- digit_runs(sets)
  two_and_seven <- grepl("^[27]", dimnames(runs)[[3]])
  section(
    "tgreedy", part, title,
    "The model separates digit a from a digit left out. The domains are a against each of the other eight digits.",
    paste("AUROC by number of features, mean (standard error over pairs);", rows, "training rows a digit"),
    "and as many test rows; 400 random rectified features. The path of `gain` may end earlier; then its last",
    "step is used for larger numbers. Not centred: `intercept = FALSE`.", "",
    "All 90 pairs:", "", mean_table(runs), "",
    "The 18 pairs with a = 2 or 7:", "", mean_table(runs[, , two_and_seven]), "",
    centring_note(runs)
  )
}

has_file <- function(file) file.exists(file.path(data_folder(), file))

no_data <- function(part, title) {
  section("tgreedy", part, title,
          paste0("Left out: its data are not in the data folder (", data_folder(), ")."))
}

part_digits <- function() {
  title <- "MNIST: one digit against another"
  if (!has_file("train-images-idx3-ubyte.gz")) return(no_data("digits", title))
  digits_section("digits", title, mnist_digits(300), 300)
}

part_pendigits <- function() {
  title <- "Pendigits: one digit against another"
  if (!has_file("pendigits_train.csv.gz")) return(no_data("pendigits", title))
  digits_section("pendigits", title, pen_digits(300), 300)
}
