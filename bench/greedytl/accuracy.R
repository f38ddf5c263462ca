# Accuracy of greedytl() and of other methods on real data. Only definitions.

# ---- the baselines ----------------------------------------------------------------------------
# All on columns standardised with the class weights v, as rule "transfer" does.

class_weights <- function(positive) {
  length(positive) / 2 / ifelse(positive, sum(positive), sum(!positive))
}

# Columns less their weighted means, divided by their weighted standard deviations, rows times sqrt(v); `common`:
# columns that are divided by one standard deviation.
weighted_design <- function(x, v, common = integer()) {
  n <- length(v)
  center <- colSums(v * x) / n
  z <- x - rep(center, each = n)
  variance <- colSums(v * z^2) / n
  if (length(common)) variance[common] <- mean(variance[common])
  scale <- ifelse(variance > 0, sqrt(variance), Inf)
  list(z = sqrt(v) * z / rep(scale, each = n), center = center, scale = scale)
}

# The linear score on the columns in their own units; the weighted mean of y is 0, as the classes are balanced.
as_linear <- function(design, w) {
  w <- w / design$scale
  list(w = w, b = -sum(w * design$center))
}

# Ridge on all columns with a given ridge for each of them.
dense_ridge <- function(design, ys, tau) {
  z <- design$z
  kernel <- z %*% (t(z) / tau)
  as_linear(design, drop(crossprod(z, solve(diag(length(ys)) + kernel, ys))) / tau)
}

# Ridge with one tau, 10^(-4, ..., 4), of least weighted leave-one-out error.
loo_ridge <- function(x, positive) {
  v <- class_weights(positive)
  design <- weighted_design(x, v)
  ys <- sqrt(v) * ifelse(positive, 1, -1)
  n <- length(v)
  kernel <- eigen(tcrossprod(design$z), symmetric = TRUE)
  values <- pmax(kernel$values, 0)
  rotated <- drop(crossprod(kernel$vectors, ys))
  error <- function(tau) {
    shrink <- tau / (values + tau)
    deleted <- drop(kernel$vectors %*% (shrink * rotated)) /
      (drop(kernel$vectors^2 %*% shrink) - v / n)
    sum(deleted^2)
  }
  grid <- 10^(-4:4)
  tau <- grid[which.min(vapply(grid, error, 0))]
  dense_ridge(design, ys, rep(tau, ncol(x)))
}

loo_lasso <- function(x, positive) {
  y <- ifelse(positive, 1, -1)
  fit <- suppressWarnings(glmnet::cv.glmnet(
    x, y, weights = class_weights(positive), nfolds = length(y), grouped = FALSE, nlambda = 50
  ))
  beta <- as.vector(stats::coef(fit, s = "lambda.min"))
  list(w = beta[-1], b = beta[1])
}

# ---- the methods: functions of a training problem and of new x and h -> scores -------------------

linear_scores <- function(model, x, h) {
  p <- ncol(x)
  score <- x %*% model$w[seq_len(p)] + model$b
  if (length(model$w) > p) score <- score + h %*% model$w[-seq_len(p)]
  as.vector(score)
}

greedy_scores <- function(train, x, h, ...) {
  predict(greedytl(train$x, train$y, train$h, ...), x, sources = h, type = "link")
}

# The paper's rule with tau and the number of steps by leave-one-out, by which the paper tunes its baselines only.
greedy_by_loo <- function(train, x, h) {
  n <- length(train$y)
  fit <- greedytl(train$x, train$y, train$h, rule = "paper", lambda = 10^(-4:4) / n)
  best <- fit$steps[which.min(fit$steps$loo), ]
  predict(fit, x, sources = h, type = "link", step = best$step, lambda = best$lambda)
}

same_ridge_dense <- function(train, x, h) {
  ridge <- greedytl(train$x, train$y, train$h, max_steps = 1, average = FALSE)$ridge
  p <- ncol(train$x)
  v <- class_weights(train$positive)
  design <- weighted_design(train$both, v, common = p + seq_len(ncol(train$h)))
  tau <- rep(c(ridge$tau_features, ridge$tau_sources), c(p, ncol(train$h)))
  linear_scores(dense_ridge(design, sqrt(v) * ifelse(train$positive, 1, -1), tau), x, h)
}

accuracy_methods <- list(
  "transfer (the default)" = function(train, x, h) greedy_scores(train, x, h),
  "transfer, average = FALSE" = function(train, x, h) greedy_scores(train, x, h, average = FALSE),
  "transfer, source_sign = positive" = function(train, x, h) {
    greedy_scores(train, x, h, control = greedytl_control(source_sign = "positive"))
  },
  "transfer, source_scale = each" = function(train, x, h) {
    greedy_scores(train, x, h, control = greedytl_control(source_scale = "each"))
  },
  "transfer without sources" = function(train, x, h) {
    predict(greedytl(train$x, train$y), x, type = "link")
  },
  "transfer, ridge = c(10, 1)" = function(train, x, h) {
    greedy_scores(train, x, h, control = greedytl_control(ridge = c(features = 10, sources = 1)))
  },
  "paper, tau = 1" = function(train, x, h) greedy_scores(train, x, h, rule = "paper"),
  "paper, tau and steps by leave-one-out (not a default)" = greedy_by_loo,
  "all columns, the ridge of average = FALSE" = same_ridge_dense,
  "ridge on features and sources, tau by leave-one-out" = function(train, x, h) {
    linear_scores(loo_ridge(train$both, train$positive), x, h)
  },
  "lasso on features and sources, lambda by leave-one-out" = function(train, x, h) {
    linear_scores(loo_lasso(train$both, train$positive), x, h)
  },
  "forward regression (lambda = 0)" = function(train, x, h) {
    greedy_scores(train, x, h, rule = "paper", lambda = 0)
  },
  "ridge on features alone, tau by leave-one-out" = function(train, x, h) {
    linear_scores(loo_ridge(train$dense, train$positive), x, h)
  },
  "average of the sources" = function(train, x, h) rowMeans(h)
)
if (!installed("glmnet")) accuracy_methods[grep("^lasso", names(accuracy_methods))] <- NULL

# ---- draws ------------------------------------------------------------------------------------

balanced_accuracy <- function(score, positive) {
  (mean(score[positive] > 0) + mean(score[!positive] <= 0)) / 2
}

training_problem <- function(problem, rows) {
  positive <- problem$positive[rows]
  x <- problem$x[rows, , drop = FALSE]
  h <- problem$h[rows, , drop = FALSE]
  dense <- as.matrix(x)
  list(x = x, h = h, dense = dense, both = cbind(dense, h), positive = positive,
       y = factor(ifelse(positive, "target", "other"), levels = c("other", "target")))
}

# Rows in a random order; the first of each class are for training, the next 500 for the test.
draw_rows <- function(problem) {
  shuffled <- function(rows) rows[sample.int(length(rows))]
  list(positive = shuffled(which(problem$positive)), negative = shuffled(which(!problem$positive)))
}

# Balanced accuracies of all methods in one draw; 10 positives include the 5, these the 2.
run_draw <- function(problem, rows, positives, methods) {
  train <- training_problem(problem, c(rows$positive[seq_len(positives)], rows$negative[1:10]))
  test <- c(utils::head(rows$positive[-(1:10)], 500), utils::head(rows$negative[-(1:10)], 500))
  x <- problem$x[test, , drop = FALSE]
  h <- problem$h[test, , drop = FALSE]
  positive <- problem$positive[test]
  own <- vapply(methods, function(method) balanced_accuracy(method(train, x, h), positive), 0)
  best <- max(apply(h, 2, balanced_accuracy, positive))
  c(own, "best source (chosen on the test rows)" = best)
}

# One row a set, target, draw, number of positives and method.
run_set <- function(name, methods = accuracy_methods) {
  runs_of(name, accuracy_sets[[name]]$make(), accuracy_sets[[name]]$draws, methods)
}

runs_of <- function(name, problems, draws, methods) {
  set.seed(59)
  runs <- expand.grid(target = names(problems), draw = seq_len(draws), stringsAsFactors = FALSE)
  out <- Map(function(target, draw) {
    rows <- draw_rows(problems[[target]])
    lapply(c(2, 5, 10), function(positives) {
      accuracy <- run_draw(problems[[target]], rows, positives, methods)
      data.frame(set = name, target, draw, positives, method = names(accuracy), accuracy)
    })
  }, runs$target, runs$draw)
  do.call(rbind, unlist(out, recursive = FALSE))
}

# ---- tables -----------------------------------------------------------------------------------

# Mean and standard error over targets and draws, after the mean over the numbers of positives.
mean_and_error <- function(runs) {
  cell <- tapply(runs$accuracy, paste(runs$target, runs$draw), mean)
  c(mean = mean(cell), error = stats::sd(cell) / sqrt(length(cell)))
}

show_error <- function(m, digits = 3) {
  sprintf(paste0("%.", digits, "f (%.", digits, "f)"), m["mean", ], m["error", ])
}

# Over sets: the mean of their means.
over_sets <- function(m) {
  cbind(m, all = c(mean(m["mean", ]), sqrt(sum(m["error", ]^2)) / ncol(m)))
}

by_set <- function(runs) {
  sets <- unique(runs$set)
  m <- vapply(stats::setNames(nm = sets), function(s) mean_and_error(runs[runs$set == s, ]),
              c(mean = 0, error = 0))
  show_error(over_sets(m))
}

by_positives <- function(runs) {
  vapply(c(2, 5, 10), function(k) {
    show_error(over_sets(vapply(unique(runs$set), function(s) {
      mean_and_error(runs[runs$set == s & runs$positives == k, ])
    }, c(mean = 0, error = 0)))[, "all", drop = FALSE])
  }, "")
}

accuracy_table <- function(runs) {
  methods <- unique(runs$method)
  cells <- t(vapply(methods, function(m) {
    mine <- runs[runs$method == m, ]
    c(by_set(mine), by_positives(mine))
  }, character(length(unique(runs$set)) + 4)))
  colnames(cells) <- c(unique(runs$set), "mean of the sets", paste("at", c(2, 5, 10), "positives"))
  data.frame(method = methods, cells, check.names = FALSE, row.names = NULL)
}

# The first method minus every other, in the same draws.
difference_table <- function(runs) {
  first <- runs[runs$method == runs$method[1], ]
  others <- setdiff(unique(runs$method), runs$method[1])
  gaps <- lapply(others, function(m) {
    mine <- runs[runs$method == m, ]
    first$accuracy <- first$accuracy - mine$accuracy
    first$method <- m
    first
  })
  accuracy_table(do.call(rbind, gaps))
}

# ---- one problem with fixed rows ----------------------------------------------------------

first_rows <- function(problem, positives) {
  rows <- list(positive = which(problem$positive), negative = which(!problem$positive))
  train <- c(rows$positive[seq_len(positives)], rows$negative[1:10])
  list(train = training_problem(problem, train), test = setdiff(seq_along(problem$positive), train))
}

fixed_letters <- function() {
  problems <- letters_set()
  cases <- data.frame(letter = c("G", "G", "G", "A"), positives = c(2, 5, 10, 2))
  out <- Map(function(letter, positives) {
    problem <- problems[[letter]]
    split <- first_rows(problem, positives)
    x <- problem$x[split$test, ]
    h <- problem$h[split$test, ]
    two_rules <- accuracy_methods[c("transfer (the default)", "paper, tau = 1")]
    accuracy <- vapply(two_rules, function(method) {
      balanced_accuracy(method(split$train, x, h), problem$positive[split$test])
    }, 0)
    ridge <- greedytl(split$train$x, split$train$y, split$train$h)$ridge
    none <- is.infinite(ridge$alpha_sources)
    data.frame(
      letter, positives, transfer = sprintf("%.6f", accuracy[1]),
      paper = sprintf("%.6f", accuracy[2]),
      pairs = sum(ridge$weight > 0),
      "heaviest pair" = paste(signif(c(ridge$alpha_features[1], ridge$alpha_sources[1]), 4),
                              collapse = ", "),
      criterion = sprintf("%.6f", ridge$criterion[1]),
      "weight of no source" = sprintf("%.6f", sum(ridge$weight[none])), check.names = FALSE
    )
  }, cases$letter, cases$positives)
  do.call(rbind, out)
}

part_accuracy <- function() {
  present <- accuracy_sets[vapply(accuracy_sets, available, NA)]
  absent <- setdiff(names(accuracy_sets), names(present))
  if (!length(present)) {
    return(section("greedytl", "accuracy", "Accuracy", paste0(
      "Left out: neither the data folder (", data_folder(), ") nor mlbench is available."
    )))
  }
  runs <- do.call(rbind, lapply(names(present), function(name) {
    message("  ", name)
    cbind(run_set(name), table = present[[name]]$table)
  }))
  dir.create("bench/results", showWarnings = FALSE, recursive = TRUE)
  utils::write.csv(runs, "bench/results/greedytl-accuracy.csv", row.names = FALSE)
  section(
    "greedytl", "accuracy", "Accuracy",
    accuracy_protocol,
    if (length(absent)) c("", paste0("Left out, as their data are not available: ", toString(absent), ".")),
    both_tables(runs[runs$table == "paper", ], "The paper's protocol."),
    both_tables(runs[runs$table == "hard", ], hard_cases),
    both_tables(runs[runs$table == "nine of ten", ], nine_of_ten),
    both_tables(runs[runs$table == "other classes", ], against_others),
    if (!is.null(present$letters)) c(
      "", "Letters with fixed rows: the first rows of the file for training, all others for the test.", "",
      markdown_table(fixed_letters())
    )
  )
}

# ---- number of columns of the average ---------------------------------------------------------

# Of the default model, one draw a target: mean and range over targets and numbers of positives.
set_columns <- function(name) {
  set.seed(59)
  columns <- unlist(lapply(accuracy_sets[[name]]$make(), function(problem) {
    rows <- draw_rows(problem)
    vapply(c(2, 5, 10), function(positives) {
      train <- training_problem(problem, c(rows$positive[seq_len(positives)], rows$negative[1:10]))
      length(variable.names(greedytl(train$x, train$y, train$h)))
    }, 0L)
  }))
  data.frame(set = name, mean = mean(columns), least = min(columns), most = max(columns))
}

part_columns <- function() {
  present <- names(accuracy_sets)[vapply(accuracy_sets, available, NA)]
  c(
    section("greedytl", "columns", "Columns of the averaged model", paste(
      "Number of columns of the default model, an average of paths of up to 20 steps, on the sets of part accuracy:",
      "one draw for each target and 2, 5 and 10 positive rows."
    )),
    if (length(present)) markdown_table(do.call(rbind, lapply(present, set_columns)))
  )
}

# ---- digits, most of the sources useless ------------------------------------------------------

# The default with the prior odds of "no source" times `odds`: its score is the weighted mean of that without sources,
# which is fitted alone, and of that with sources.
with_odds_of_none <- function(odds) {
  function(train, x, h) {
    fit <- greedytl(train$x, train$y, train$h)
    none <- sum(fit$ridge$weight[is.infinite(fit$ridge$alpha_sources) & !fit$ridge$from_mean])
    score <- predict(fit, x, sources = h, type = "link")
    if (none == 0 || none == 1) return(score)
    alone <- predict(greedytl(train$x, train$y), x, type = "link")
    now <- none * odds / (none * odds + 1 - none)
    now * alone + (1 - now) * (score - none * alone) / (1 - none)
  }
}

digits_methods <- c(
  accuracy_methods[c("transfer (the default)", "transfer without sources", "transfer, source_scale = each",
                     "transfer, source_sign = positive")],
  list("odds of no source times 4" = with_odds_of_none(4), "odds of no source times 16" = with_odds_of_none(16)),
  accuracy_methods["ridge on features alone, tau by leave-one-out"]
)

part_digits <- function(draws = 12) {
  sets <- c("mnist, nine of ten noise", "mnist, noise", "mnist")
  runs <- do.call(rbind, lapply(sets, function(name) {
    if (!available(accuracy_sets[[name]])) return(NULL)
    suppressMessages(runs_of(name, accuracy_sets[[name]]$make(), draws, digits_methods))
  }))
  if (is.null(runs)) return(section("greedytl", "digits", "Digits with few useful sources", "Left out: no data."))
  runs <- runs[runs$method %in% names(digits_methods), ]
  cells <- c(lapply(c(2, 5, 10), function(k) list(sets[1], k)), lapply(sets[2:3], function(set) list(set, 2)))
  first <- runs[runs$method == "transfer without sources", ]
  tables <- lapply(cells, function(cell) {
    at <- runs$set == cell[[1]] & runs$positives == cell[[2]]
    own <- lapply(names(digits_methods), function(method) {
      mine <- runs[at & runs$method == method, ]
      gap <- mine
      gap$accuracy <- mine$accuracy - first$accuracy[first$set == cell[[1]] & first$positives == cell[[2]]]
      c(sprintf("%.3f", mean(mine$accuracy)), show_error(cbind(mean_and_error(gap))))
    })
    out <- do.call(rbind, own)
    paste0(out[, 1], ", ", out[, 2])
  })
  table <- data.frame(names(digits_methods), tables)
  names(table) <- c("method", paste0(vapply(cells, `[[`, "", 1), ", ", vapply(cells, `[[`, 0, 2), " positives"))
  section(
    "greedytl", "digits", "Digits with few useful sources",
    paste("The sets of part accuracy, 10 negative rows,", draws,
          "draws of each of the seven targets: balanced accuracy,"),
    paste("and that less the accuracy without sources (standard error). Odds of no source: the scores without",
          "and with sources,"),
    "weighed as if the prior odds of no source were so many times those of the default.", "", markdown_table(table)
  )
}

both_tables <- function(runs, text) {
  if (!nrow(runs)) return(character())
  c(
    "", text, "Balanced accuracy, mean (standard error over targets and draws):", "",
    markdown_table(accuracy_table(runs)), "",
    "The default minus the others in the same draws, mean (standard error):", "",
    markdown_table(difference_table(runs))
  )
}

accuracy_protocol <- c(
  "Every class in turn is the target, but for three classes, which give the negative rows. The sources are",
  "ridge models (lambda 10, intercept not penalised), one of each other class, fitted to its first 300 rows",
  "and the first 300 negative rows. Sources and targets have different rows: letters (mlbench), rows 1 to",
  "10000 for the sources and 10001 to 20000 for the targets; isolet, speakers' groups 1 to 3 and 4 to 5;",
  "googlenet and surf (Office-Caltech photographs), every other row; mnist, 8000 training digits and the",
  "test digits. amazon (reviews): good against bad; one kind of product is the target, and models of the",
  "other three are the sources. Training rows: 2, 5 or 10 positive and 10 negative ones, drawn at random.",
  "Test rows: up to 500 others of each class. The methods \"transfer\", \"paper\" and forward regression are",
  "greedytl(); ridge and lasso use the same balanced class weights."
)
nine_of_ten <- "Nine of ten sources are replaced by normal random numbers."
against_others <- c(
  "Sources are models of the other classes, each against all other classes, the target's among them, so",
  "that they predict what the target is not: satellite (mlbench) and pendigits, rows in a random order,",
  "3000 and 5000 of them for the sources, up to 300 positive and 300 negative rows each; the negative rows",
  "are of all other classes."
)
hard_cases <- c(
  "Sources of less use: fitted in another domain (Office-Caltech: amazon and caltech10, the target in dslr",
  "and webcam), or replaced by normal random numbers."
)
