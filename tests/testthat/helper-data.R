# Small data drawn with a seed; the state of the caller's generator is restored.

with_seed <- function(seed, code) {
  old <- globalenv()$.Random.seed
  on.exit({
    if (is.null(old)) {
      rm(".Random.seed", envir = globalenv())
    } else {
      assign(".Random.seed", old, envir = globalenv())
    }
  })
  set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
  force(code)
}

named_columns <- function(values, n, prefix) {
  matrix(values, n, dimnames = list(NULL, paste0(prefix, seq_len(length(values) / n))))
}

# Features of kinds on which selection is likely to fail.
draw_features <- function(kind, n, p) {
  x <- named_columns(rnorm(n * p), n, "x")
  if (kind == "correlated") {
    x <- 0.3 * x + rnorm(n)
  } else if (kind == "tied") {
    x <- round(x)
  } else if (kind == "duplicated") {
    half <- seq_len(p %/% 2)
    x[, p + 1 - half] <- x[, half]
    x[, p] <- -x[, 1]
  } else if (kind == "constant") {
    same <- which(seq_len(p) %% 3 == 2)
    x[, same] <- rep(same, each = n)
  } else if (kind == "scaled") {
    x <- x * rep(10^sample(-4:4, p, replace = TRUE), each = n) + 100
  }
  x
}

# One small problem: features x, source predictions h, numeric y and its two classes.
draw_case <- function(seed, kind = "random", n = 20, p = 8, s = 5) {
  with_seed(seed, {
    x <- draw_features(kind, n, p)
    signal <- drop(scale(x[, 1]) + scale(x[, min(3, p)]) / 2)
    signal[is.na(signal)] <- 0
    h <- named_columns(rnorm(n * s), n, "h") + signal
    if (kind == "tied") h <- round(h)
    if (kind == "constant" && s > 2) h[, 2] <- 1
    if (kind == "duplicated" && s > 2) h[, s] <- h[, 1]
    y <- signal + rnorm(n)
    class <- rep(c(-1, 1), length.out = n)
    class[order(-y)] <- sort(class, decreasing = TRUE)
    if (n >= 6) {
      class[sample(n, 1)] <- -1
    }
    new <- list(
      x = named_columns(rnorm(7 * p), 7, "x"),
      h = named_columns(rnorm(7 * s), 7, "h")
    )
    weights <- sample(1:3, n, replace = TRUE) / 2
    list(
      x = x, h = h, z = cbind(x, h), y = y, class = class,
      factor = factor(class, levels = c(-1, 1), labels = c("no", "yes")),
      new = new, weights = weights
    )
  })
}

case_kinds <- c("random", "correlated", "tied", "duplicated", "constant", "scaled")

# The letters protocol: a letter against X, Y, Z; sources are ridge fits of the other letters.
letters_case <- function(target, n_positive) {
  skip_if_not_installed("mlbench")
  store <- new.env()
  utils::data("LetterRecognition", package = "mlbench", envir = store)
  letter <- as.character(store$LetterRecognition$lettr)
  x <- scale(as.matrix(store$LetterRecognition[, -1]))
  first <- 1:10000
  second <- 10001:20000
  negative <- letter %in% c("X", "Y", "Z")
  source_ridge <- function(name) {
    pos <- utils::head(which(letter[first] == name), 300)
    rows <- c(pos, utils::head(which(negative[first]), 300))
    y <- rep(c(1, -1), c(length(pos), 300))
    center <- colMeans(x[rows, ])
    xc <- x[rows, ] - rep(center, each = length(rows))
    w <- drop(solve(crossprod(xc) + diag(10, 16), crossprod(xc, y - mean(y))))
    drop(x %*% w) + mean(y) - sum(center * w)
  }
  h <- vapply(setdiff(LETTERS[1:23], target), source_ridge, numeric(nrow(x)))
  train <- c(
    utils::head(second[letter[second] == target], n_positive),
    utils::head(second[negative[second]], 10)
  )
  test <- setdiff(second[letter[second] == target | negative[second]], train)
  y <- factor(ifelse(letter == target, "letter", "other"), levels = c("other", "letter"))
  list(
    x = x[train, ], h = h[train, ], y = y[train], code = ifelse(y[train] == "letter", 1, -1),
    test = list(x = x[test, ], h = h[test, ], y = y[test])
  )
}

balanced_accuracy <- function(truth, prediction) {
  mean(tapply(truth == prediction, truth, mean))
}

# A data frame with a factor, a numeric response y and two classes k.
source_frame <- function(seed = 1, n = 40) {
  with_seed(seed, {
    data <- data.frame(a = rnorm(n), b = rnorm(n), c = rnorm(n))
    data$site <- factor(sample(c("u", "v", "w"), n, replace = TRUE))
    data$y <- data$a - data$b / 2 + rnorm(n) / 2
    data$k <- factor(ifelse(data$y + rnorm(n) / 2 > 0, "yes", "no"))
    data
  })
}

# Expects no message of this class. expect_no_message() of testthat never failed before version 3.1.7.
expect_quiet <- function(object, class = "message") {
  told <- character()
  withCallingHandlers(object, message = function(message) {
    if (inherits(message, class)) told <<- c(told, conditionMessage(message))
    tryInvokeRestart("muffleMessage")
  })
  testthat::expect_identical(told, character())
}
