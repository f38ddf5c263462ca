# Learning a new letter from a handful of examples, with the help of classifiers of other letters.
#
#   Rscript demo/letters.R [folder for the pictures]
#
# Data: 20,000 printed letters, 16 measurements of each (mlbench::LetterRecognition). Rows 1 to
# 10,000 belong to the past: there, classifiers of the known letters are trained. Later rows hold
# the new letter. Needs no network; takes half a minute on one core.

library(transelect)

output <- c(commandArgs(trailingOnly = TRUE), "demo-output")[1]
dir.create(output, showWarnings = FALSE, recursive = TRUE)
set.seed(2026)

say <- function(...) cat(strwrap(paste0(...), width = 88), sep = "\n")
clock <- new.env()
clock$start <- clock$last <- proc.time()[["elapsed"]]
part <- function(title) cat("\n", title, "\n", strrep("-", nchar(title)), "\n", sep = "")
took <- function() {
  now <- proc.time()[["elapsed"]]
  cat(sprintf("(this part took %.1f s)\n", now - clock$last))
  clock$last <- now
}

# ---- the past: classifiers of the known letters -------------------------------------------------

part("1. The letters that are known")

data("LetterRecognition", package = "mlbench")
letter <- LetterRecognition$lettr
measured <- scale(data.matrix(LetterRecognition[, -1]))

# Features: the 16 measurements, their squares and their products.
pairs <- utils::combn(ncol(measured), 2)
products <- measured[, pairs[1, ]] * measured[, pairs[2, ]]
names <- colnames(measured)
colnames(products) <- paste(names[pairs[1, ]], names[pairs[2, ]], sep = ":")
squares <- measured^2
colnames(squares) <- paste0(names, "^2")
x <- scale(cbind(measured, squares, products))

past <- seq_len(10000)
moments <- lapply(split(past, letter[past]), function(rows) crossprod(cbind(1, x[rows, ])))

# Ridge regression of one letter (+1) on the other known ones (-1), both sides weighing the same.
train_classifier <- function(name, known) {
  ours <- moments[[name]] / moments[[name]][1, 1]
  others <- Reduce(`+`, moments[setdiff(known, name)])
  others <- others / others[1, 1]
  solve(ours + others + diag(c(0, rep(.02, ncol(x)))), ours[, 1] - others[, 1])
}

train_classifiers <- function(known) {
  vapply(known, train_classifier, numeric(ncol(x) + 1), known = known)
}

classifiers <- lapply(stats::setNames(nm = LETTERS), function(new) {
  train_classifiers(setdiff(LETTERS, new))
})
say("Each letter in turn is the new one. The 25 others have a classifier each, trained on the ",
    "first half of the data, where the new letter is left out: these are the sources. From the ",
    "second half we get 2, 5 or 10 examples of the new letter and 10 of others, with ", ncol(x),
    " features (measurements, squares, products). So a model chooses among ", ncol(x) + 25,
    " columns and has 12 to 20 rows.")
took()

# ---- comparison ---------------------------------------------------------------------------------

part("2. What the known letters are worth")

balanced_accuracy <- function(score, is_new) {
  (mean(score[is_new] > 0) + mean(score[!is_new] <= 0)) / 2
}

class_weights <- function(y) length(y) / 2 / ifelse(y > 0, sum(y > 0), sum(y < 0))

# Ridge regression with balanced classes, its penalty chosen by leave-one-out.
ridge_scores <- function(z, y, new) {
  v <- class_weights(y)
  n <- length(y)
  center <- colSums(v * z) / n
  scale <- sqrt(colSums(v * sweep(z, 2, center)^2) / n)
  scale[scale == 0] <- 1
  zs <- sqrt(v) * sweep(sweep(z, 2, center), 2, scale, "/")
  ys <- sqrt(v) * y
  parts <- eigen(tcrossprod(zs), symmetric = TRUE)
  root <- pmax(parts$values, 0)
  penalties <- 10^seq(-1, 4, .5)
  loo <- vapply(penalties, function(tau) {
    p <- parts$vectors %*% (tau / (root + tau) * t(parts$vectors))
    sum((p %*% ys / (diag(p) - v / n))^2)
  }, 0)
  dual <- parts$vectors %*% (crossprod(parts$vectors, ys) / (root + penalties[which.min(loo)]))
  drop(sweep(new, 2, center) %*% (crossprod(zs, dual) / scale))
}

# Lasso with the same weights and choice.
lasso_scores <- function(z, y, new) {
  fit <- glmnet::cv.glmnet(z, y, weights = class_weights(y), nfolds = length(y), grouped = FALSE,
                           nlambda = 50)
  drop(predict(fit, new, s = "lambda.min"))
}

# Scores of single columns, less the midpoint of the two classes' means in the training rows: positive for the new
# letter.
cut_midway <- function(h, y, new) {
  sweep(new, 2, (colMeans(h[y > 0, , drop = FALSE]) + colMeans(h[y < 0, , drop = FALSE])) / 2)
}

# One draw of a target: few training rows, all later rows of the letter and 1000 others to
# test on.
draw_problem <- function(new, n_new) {
  later <- setdiff(seq_along(letter), past)
  ours <- later[letter[later] == new]
  others <- later[letter[later] != new]
  train <- c(sample(ours, n_new), sample(others, 10))
  test <- c(setdiff(ours, train), sample(setdiff(others, train), 1000))
  scores <- cbind(1, x[c(train, test), ]) %*% classifiers[[new]]
  list(
    x = x[train, ], h = scores[seq_along(train), ], y = ifelse(letter[train] == new, 1, -1),
    test_x = x[test, ], test_h = scores[-seq_along(train), ], is_new = letter[test] == new
  )
}

greedytl_scores <- function(problem, ..., sources = problem$h, step = NULL) {
  fit <- greedytl(problem$x, factor(problem$y), sources = sources, ...)
  if (identical(step, "loo")) step <- fit$steps$step[which.min(fit$steps$loo)]
  # hundreds of fits to a few rows each: a message of each about new rows far from these would fill the screen
  suppressMessages(classes = "transelect_message_bound", {
    predict(fit, problem$test_x, sources = if (!is.null(sources)) problem$test_h, step = step, type = "link")
  })
}

compare <- function(problem) {
  all_columns <- cbind(problem$x, problem$h)
  test_columns <- cbind(problem$test_x, problem$test_h)
  single <- cut_midway(problem$h, problem$y, problem$test_h)
  mean_of <- function(h) cbind(rowMeans(h))
  scores <- list(
    "GreedyTL" = greedytl_scores(problem),
    "GreedyTL-59 (draws 59 columns a step)" = greedytl_scores(problem,
                                                              control = greedytl_control(candidates = n_candidates())),
    "GreedyTL, rule of the paper" = greedytl_scores(problem, rule = "paper"),
    "ridge on features and sources" = ridge_scores(all_columns, problem$y, test_columns),
    "lasso on features and sources" = lasso_scores(all_columns, problem$y, test_columns),
    "forward regression on both" = greedytl_scores(problem, rule = "paper", lambda = 0, step = "loo"),
    "GreedyTL without sources" = greedytl_scores(problem, sources = NULL),
    "ridge without sources" = ridge_scores(problem$x, problem$y, problem$test_x),
    "average of the 25 sources (a)" = cut_midway(mean_of(problem$h), problem$y, mean_of(problem$test_h))
  )
  accuracy <- vapply(scores, balanced_accuracy, 0, is_new = problem$is_new)
  best <- max(apply(single, 2, balanced_accuracy, is_new = problem$is_new))
  c(accuracy, "best single source, by the test set (a, b)" = best)
}

# A row a method: mean over letters and draws, standard error of the mean over letters.
average_over_letters <- function(n_new, draws = 2) {
  by_letter <- vapply(LETTERS, function(new) {
    rowMeans(replicate(draws, compare(draw_problem(new, n_new))))
  }, numeric(10))
  list(mean = rowMeans(by_letter), by_letter = by_letter,
       se = apply(by_letter, 1, stats::sd) / sqrt(ncol(by_letter)))
}

sizes <- c(2, 5, 10)
results <- lapply(sizes, average_over_letters)
no_zero <- function(number) sub("0.", ".", sprintf("%.3f", number), fixed = TRUE)
table <- vapply(results, function(r) paste0(no_zero(r$mean), " (", no_zero(r$se), ")"),
                character(10))
dimnames(table) <- list(names(results[[1]]$mean), paste0(sizes, " + 10"))

say("Balanced accuracy on unseen letters (the mean of the shares of the new letter's rows and of the ",
    "other rows that are classified correctly; guessing gives .500), with its standard error over the ",
    "26 letters; two ",
    "draws of each. Columns: examples of the new letter + of others.")
cat("\n")
print(noquote(table))
cat("\n")
say("(a) Scores above the midpoint of the two classes' mean scores in the training rows are classified ",
    "as the new letter.")
say("(b) The source is chosen by its accuracy on the unseen letters, so this is no method: it is the ",
    "most that choosing one source can reach.")
say("The penalties of ridge and lasso, and the number of columns of forward regression, are chosen by ",
    "leave-one-out; ridge and lasso give the two classes equal total weight.")
with_ten <- results[[3]]$by_letter
gain <- with_ten["GreedyTL", ] - with_ten["GreedyTL without sources", ]
cat("\n")
say("With 10 + 10 examples the sources are worth ", no_zero(mean(gain)), " (standard error ",
    no_zero(stats::sd(gain) / sqrt(26)), "): GreedyTL with and without them.")
took()

# ---- one letter, in detail ----------------------------------------------------------------------

new <- "R"
part(paste0("3. One letter: ", new, " from 10 + 10 examples"))

# Sources as functions: greedytl() calls them for the training rows, predict() for new rows.
as_function <- function(weights) {
  force(weights)
  function(d) drop(cbind(1, d) %*% weights)
}
models <- apply(classifiers[[new]], 2, as_function, simplify = FALSE)

later <- setdiff(seq_along(letter), past)
rows <- c(sample(later[letter[later] == new], 10), sample(later[letter[later] != new], 10))
y <- factor(ifelse(letter[rows] == new, new, "other"), levels = c("other", new))

fit <- greedytl(x[rows, ], y, sources = models)
print(sources(models))
cat("\n")
print(fit, digits = 3)

weights <- tidy(fit, step = "average")
weights$weight <- weights$estimate * fit$scale[weights$term]
weights <- weights[order(-abs(weights$weight)), ]
weights <- weights[weights$type != "intercept", ]
from_sources <- weights[weights$type == "source", ]
share <- sum(abs(from_sources$weight)) / sum(abs(weights$weight))
cat("\n")
say("The classifiers that weigh most in the model: ", paste(
  sprintf("%s (%.2f)", from_sources$term, from_sources$weight)[1:6], collapse = ", "
), ". Sources carry ", round(100 * share), " % of all weight, features the rest.")
took()

part("4. How many columns? Cross-validation")
cvf <- cv_path(x[rows, ], y, sources = models, nfolds = 5, loss = "mse")
print(cvf)
unseen <- setdiff(later, rows)
is_new <- letter[unseen] == new
of_step <- function(step) {
  no_zero(balanced_accuracy(predict(cvf, x[unseen, ], step = step, type = "link"), is_new))
}
cat("\n")
say("\"min\" and \"1se\" are single steps of the path; \"average\", the mean of all its models, is ",
    "what predict() uses unless told otherwise. On all unseen letters their balanced accuracies ",
    "are ", of_step("min"), ", ", of_step("1se"), " and ", of_step("average"), ".")
took()

part("5. Reading new letters")
shown <- c(sample(unseen[letter[unseen] == new], 6), sample(unseen[letter[unseen] != new], 6))
print(data.frame(
  letter = letter[shown], read_as = predict(fit, x[shown, ], type = "class"),
  score = round(predict(fit, x[shown, ], type = "link"), 2)
), row.names = FALSE)
read_as <- predict(fit, x[unseen, ], type = "class")
found <- read_as == new
mistaken <- sort(table(letter[unseen][found & !is_new]), decreasing = TRUE)
cat("\n")
say("Of the ", sum(is_new), " unseen ", new, "s, ", sum(found & is_new), " are found; of the ",
    sum(!is_new), " other letters, ", sum(found & !is_new), " are taken for one, most often ",
    paste(names(mistaken)[1:3], mistaken[1:3], sep = ": ", collapse = ", "), ".")
took()

# ---- several new letters at once ----------------------------------------------------------------

part("6. Which source serves which new letter?")
newcomers <- c("B", "G", "N", "P", "V", "Z")
known <- setdiff(LETTERS, newcomers)
old_models <- apply(train_classifiers(known), 2, as_function, simplify = FALSE)
several <- unlist(lapply(newcomers, function(name) sample(later[letter[later] == name], 10)))
classes <- factor(letter[several], levels = newcomers)
many <- greedytl(x[several, ], classes, sources = old_models)
test <- setdiff(later[letter[later] %in% newcomers], several)
hits <- mean(as.character(predict(many, x[test, ], type = "class")) == letter[test])
say("Six new letters (", paste(newcomers, collapse = " "), ") with 10 examples each and the ",
    "classifiers of the other 20: ", round(100 * hits), " % of ", length(test),
    " unseen letters are read correctly (guessing: 17 %).")
for (name in newcomers) {
  weight <- coef(many, class = name)[known] * many$scale[match(known, rownames(many$scale)), name]
  top <- utils::head(sort(weight[which(weight > 0)], decreasing = TRUE), 3)
  cat("  ", name, " borrows most from ", if (length(top)) paste(names(top), collapse = ", ") else "none", "\n",
      sep = "")
}
took()

# ---- pictures -----------------------------------------------------------------------------------

part("7. Pictures")
written <- character()
picture <- function(file, draw, width = 7, height = 4.6) {
  path <- file.path(output, file)
  grDevices::png(path, width = width, height = height, units = "in", res = 120)
  on.exit(grDevices::dev.off())
  draw()
  written <<- c(written, path)
}
picture("path.png", function() {
  plot(fit, main = paste0("Learning ", new, ": what enters, step by step"))
})
picture("leave-one-out.png", function() plot(fit, "loo"), height = 5.4)
picture("cross-validation.png", function() {
  plot(cvf, main = paste0("Learning ", new, ": five folds"))
})
picture("sources-by-letter.png", function() {
  plot(many, "sources", main = "Which source serves which new letter")
}, height = 6)
about <- c("coefficients from step to step", "leave-one-out error and accuracy, given the columns",
           "cross-validated error by step", "weights of 20 sources for six new letters")
cat(paste0("  ", format(written), "  ", about, "\n"), sep = "")
took()
cat(sprintf("\nDone in %.0f s.\n", clock$last - clock$start))
