# What signals() reports: the share of false ones and the power, on a grid of designs, beside other rules.
#   Rscript bench/msplit.R signals

signals_grid <- rbind(
  expand.grid(design = c("independent", "AR .7", "equal .5", "twins .95", "t(3) columns", "t(2) noise"), n = 100,
              d = c(10, 40), effects = c(3, 5), z = c(4, 6), weak = 0, stringsAsFactors = FALSE),
  expand.grid(design = c("independent", "equal .5"), n = 200, d = 40, effects = c(5, 20), z = c(3, 4), weak = c(0, 15),
              stringsAsFactors = FALSE),
  expand.grid(design = c("independent", "AR .7", "t(2) noise"), n = 100, d = 200, effects = 5, z = c(4, 6), weak = 0,
              stringsAsFactors = FALSE)
)

# z: effects in standard errors of a column alone. The weak ones have a third of the others.
signals_problem <- function(cell) {
  n <- cell$n
  d <- cell$d
  x <- matrix(stats::rnorm(n * d), n)
  if (cell$design == "AR .7") for (j in seq_len(d)[-1]) x[, j] <- .7 * x[, j - 1] + sqrt(1 - .49) * x[, j]
  if (cell$design == "equal .5") x <- sqrt(.5) * x + sqrt(.5) * stats::rnorm(n)
  if (cell$design == "t(3) columns") x[] <- stats::rt(n * d, 3) / sqrt(3)
  if (cell$design == "twins .95") {
    other <- seq(2, d, by = 2)
    x[, other] <- .95 * x[, other - 1] + sqrt(1 - .95^2) * x[, other]
  }
  from <- if (cell$design == "twins .95") seq(1, d, by = 2) else seq_len(d)
  strong <- sample(from, min(cell$effects, length(from)))
  weak <- sample(setdiff(seq_len(d), strong), min(cell$weak, d - length(strong)))
  b <- numeric(d)
  b[strong] <- cell$z / sqrt(n) * sample(c(-1, 1), length(strong), replace = TRUE)
  b[weak] <- cell$z / sqrt(n) / 3
  noise <- if (cell$design == "t(2) noise") stats::rt(n, 2) else stats::rnorm(n)
  list(x = x, y = drop(x %*% b) + noise, strong = strong, true = c(strong, weak))
}

# Best subset of the lasso's path by BIC of its least squares; glmnet's lasso one standard error from its best.
signals_rules <- function(problem) {
  x <- problem$x
  y <- problem$y
  fit <- msplit(x, y)
  probability <- transelect:::inclusion_probability(fit)[, 1]
  path <- glmnet::glmnet(x, y)
  sets <- unique(lapply(glmnet::predict.glmnet(path, type = "nonzero"), unlist))
  sets <- sets[lengths(sets) <= length(y) / 3]
  bic <- vapply(sets, function(j) {
    rss <- sum(stats::lm.fit(cbind(1, x[, j, drop = FALSE]), y)$residuals^2)
    length(y) * log(rss) + length(j) * log(length(y))
  }, 0)
  lasso <- glmnet::cv.glmnet(x, y)
  list(
    "signals(fdr = .1)" = transelect:::msplit_report_strong_columns(probability, .1),
    "signals(fdr = .2)" = transelect:::msplit_report_strong_columns(probability, .2),
    "support of the largest weight" = fit$named$best$support[[1]],
    "lasso, 1 s.e." = which(as.vector(stats::coef(lasso, s = "lambda.1se"))[-1] != 0),
    "lasso path by BIC" = sets[[which.min(bic)]]
  )
}

part_signals <- function(draws = 5) {
  results <- lapply(seq_len(nrow(signals_grid)), function(k) {
    cell <- signals_grid[k, ]
    vapply(seq_len(draws), function(draw) {
      set.seed(1000 * k + draw)
      problem <- signals_problem(cell)
      vapply(signals_rules(problem), function(j) {
        c(false = sum(!j %in% problem$true) / max(length(j), 1), power = mean(problem$strong %in% j))
      }, c(0, 0))
    }, matrix(0, 2, 5))
  })
  rules <- names(signals_rules(signals_problem(signals_grid[1, ])))
  of <- list("twins" = signals_grid$design == "twins .95", "other, n >= 2d" = signals_grid$design != "twins .95" &
               signals_grid$n >= 2 * signals_grid$d, "n < d" = signals_grid$n < signals_grid$d)
  mean_of <- function(cells, what, rule) mean(vapply(results[cells], function(r) mean(r[what, rule, ]), 0))
  above <- function(cells, rule, fdr) sum(vapply(results[cells], function(r) {
    share <- r[1, rule, ]
    mean(share) > fdr + 2 * max(stats::sd(share), sqrt(fdr * (1 - fdr) / 5)) / sqrt(draws)
  }, NA))
  table <- do.call(rbind, lapply(seq_along(rules), function(rule) {
    cells <- vapply(of, function(at) {
      at <- which(at)
      paste0(format(mean_of(at, 1, rule), digits = 2), " / ", format(mean_of(at, 2, rule), digits = 2),
             if (rule <= 2) paste0(" [", above(at, rule, c(.1, .2)[rule]), "]"))
    }, "")
    data.frame(rule = rules[rule], t(cells), check.names = FALSE)
  }))
  names(table)[-1] <- paste0(names(of), " (", vapply(of, sum, 0L), ")")
  section(
    "msplit", "signals", "What signals() reports",
    paste0("Share of false ones among those reported / power for the strong effects, means over cells (number of ",
           "cells) of ", draws, " draws; in brackets the cells whose share is above the rate by two standard errors. ",
           "Cells: ",
           "designs x rows x columns x effects of 3 to 6 standard errors, with and without weak ones."),
    "", markdown_table(table)
  )
}
