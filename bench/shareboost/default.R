# Part `default` of shareboost.R: rules that choose the step of a path.

# Features as they are; with `pairs` their squares and products too.
default_sets <- function() {
  of_mlbench <- function(name, class) {
    keep <- new.env()
    utils::data(list = name, package = "mlbench", envir = keep)
    table <- keep[[name]]
    list(x = data.matrix(table[setdiff(names(table), class)]), y = factor(table[[class]]))
  }
  sets <- list(
    Vehicle = of_mlbench("Vehicle", "Class"), Glass = of_mlbench("Glass", "Type"),
    Vowel = of_mlbench("Vowel", "Class"), Sonar = of_mlbench("Sonar", "Class"),
    Satellite = of_mlbench("Satellite", "classes"),
    letters = of_mlbench("LetterRecognition", "lettr"), Pima = of_mlbench("PimaIndiansDiabetes", "diabetes"),
    Ionosphere = of_mlbench("Ionosphere", "Class"), DNA = of_mlbench("DNA", "Class")
  )
  set.seed(1)
  sets$noise <- list(x = matrix(rnorm(1000 * 40), 1000), y = factor(sample(3, 1000, TRUE)))
  file <- file.path(data_folder(), "pendigits_train.csv.gz")
  if (file.exists(file)) {
    table <- utils::read.csv(file)
    class <- which(vapply(table, function(v) length(unique(v)) == 10, NA))[1]
    sets$pendigits <- list(x = data.matrix(table[-class]), y = factor(table[[class]]))
  }
  file <- file.path(data_folder(), "isolet.csv.gz")
  if (file.exists(file)) {
    table <- utils::read.csv(file)
    sets$isolet <- list(x = data.matrix(table[-(1:2)]), y = factor(table$letter))
  }
  sets
}

with_pairs <- function(x) {
  at <- utils::combn(ncol(x), 2)
  unname(cbind(x, x^2, x[, at[1, ]] * x[, at[2, ]]))
}

# Test errors at the steps that the rules choose. Every class has at least 6 training rows.
default_errors <- function(set, n, pairs, seed) {
  set.seed(seed)
  x <- scale(set$x)
  x[is.na(x)] <- 0
  x <- if (pairs) with_pairs(x) else unname(x)
  rows <- sample(nrow(x), min(n, floor(.7 * nrow(x))))
  often <- names(which(table(set$y[rows]) >= 6))
  rows <- rows[set$y[rows] %in% often]
  test <- setdiff(which(set$y %in% often), rows)
  test <- test[sample(length(test), min(length(test), 2000))]
  y <- factor(set$y[rows])
  most <- min(50, ncol(x))
  fit <- quiet(shareboost(x[rows, ], y, max_steps = most))
  cv <- quiet(cv_path(x[rows, ], y, fit = shareboost, nfolds = 5, max_steps = most))
  steps <- fit$steps$step
  said <- predict(fit, x[test, ], step = steps)
  error <- vapply(said, function(p) mean(as.character(p) != as.character(set$y[test])), 0)
  df <- (nlevels(y) - 1) * (fit$steps$size + 1)
  loss <- 2 * length(rows) * fit$steps$loss
  least <- which.min(cv$cvm)
  within <- cv$points$step[cv$cvm <= cv$cvm[least] + cv$cvsd[least]]
  chosen <- c(last = length(steps), aic = which.min(loss + 2 * df),
              bic = which.min(loss + log(length(rows)) * df),
              cv = match(cv$points$step[least], steps), cv1se = match(min(within), steps))
  rbind(error = error[chosen], size = fit$steps$size[chosen])
}

quiet <- function(code) suppressWarnings(suppressMessages(code))

part_default <- function() {
  sets <- default_sets()
  grid <- rbind(
    expand.grid(set = names(sets), pairs = FALSE, n = c(60, 400), stringsAsFactors = FALSE),
    data.frame(set = intersect(c("Vehicle", "Glass", "Pima", "Ionosphere", "pendigits"), names(sets)),
               pairs = TRUE, n = 400)
  )
  grid <- grid[!(grid$set %in% c("letters", "isolet") & grid$n == 60), ] # no class has enough rows
  rows <- lapply(seq_len(nrow(grid)), function(k) default_row(sets, grid[k, ]))
  ratio <- do.call(rbind, lapply(rows[grid$set != "noise"], function(m) m["error", ] / m["error", 1]))
  cells <- t(vapply(rows, function(m) sprintf("%.3f (%.0f)", m["error", ], m["size", ]), character(5)))
  last <- sprintf("%.2f, at most %.2f", exp(colMeans(log(ratio))), apply(ratio, 2, max))
  label <- paste0(grid$set, ifelse(grid$pairs, ", pairs", ""), ", ", grid$n, " rows")
  table <- data.frame(c(label, "beside the last, without noise"), rbind(cells, last))
  names(table) <- c("data", "last", "AIC", "BIC", "CV", "CV, 1 SE")
  section(
    "shareboost", "default", "Rules that choose the step of a path",
    "Test error, and in brackets the columns of the model; means of two splits, with so many training rows",
    "(fewer where a data set has fewer). At most 50 rounds. last: the last step. AIC and BIC: 2 m loss plus 2",
    "or log(m) times (k - 1) (columns + 1), with m rows and k classes. CV: five folds, the step of the least",
    "error, and the first step within one standard error of it. Last row: error divided by that of the last",
    "step, geometric mean and largest.", "",
    markdown_table(table)
  )
}

default_row <- function(sets, of) {
  runs <- lapply(1:2, function(seed) default_errors(sets[[of$set]], of$n, of$pairs, seed))
  Reduce(`+`, runs) / length(runs)
}
