# greedytl(family = "binomial") beside prob = TRUE, the sources and ridge logistic regression, on the tasks of
# greedytl/odds.R. Only definitions.

# Its alternatives, their prior and the range of the sources were decided on simulations and on every other task; the
# tasks here judge it.
BINOMIAL_JUDGED <- c("hungarian", "pima, small models", "sonar, twelve columns each", "cancer, one column in three",
                     "vehicle, models of other kinds", "letter A, models of other letters")

binomial_losses <- function(task, n) {
  rows <- odds_rows(task, n)
  rows$test <- utils::head(rows$test, 300)
  drawn <- odds_draw(task, rows)
  fit <- suppressMessages(greedytl(drawn$x, factor(drawn$y), family = "binomial",
                                   sources = sources(drawn$own, scale = "link")))
  p <- suppressMessages(stats::predict(fit, drawn$new, sources = drawn$theirs, type = "response"))
  given <- c(list("family = \"binomial\"" = p, "prob = TRUE" = drawn$p), odds_peers(drawn))
  slope <- function(p) {
    odds <- stats::qlogis(pmin(pmax(p, 1e-6), 1 - 1e-6))
    suppressWarnings(stats::glm.fit(cbind(1, odds), drawn$truth, family = stats::binomial()))$coefficients[[2]]
  }
  c(vapply(given, mean_log_loss, 0, drawn$truth), slopes = vapply(given[1:2], slope, 0),
    flat = diff(range(p)) < 1e-8)
}

part_binomial <- function() {
  tasks <- odds_tasks()
  cells <- expand.grid(task = names(tasks), n = c(12, 24, 60, 120), stringsAsFactors = FALSE)
  cells <- cells[cells$n + 15 < vapply(tasks, function(task) length(task$y), 0L)[cells$task], ]
  runs <- mapply(function(task, n) {
    set.seed(300 + n)
    replicate(if (n > 60) 3 else 6, binomial_losses(tasks[[task]], n))
  }, cells$task, cells$n, SIMPLIFY = FALSE)
  losses <- t(vapply(runs, rowMeans, numeric(9)))[, 1:6]
  slopes <- t(vapply(runs, function(run) apply(run[7:8, , drop = FALSE], 1, stats::median), numeric(2)))
  flat <- sum(vapply(runs, function(run) sum(run[9, ]), 0))
  best <- do.call(pmin, as.data.frame(losses[, -1]))
  # the loss of the way that is the best of five by the other draws, and the standard error of the ratio over the draws
  fair <- vapply(runs, function(run) {
    others <- run[2:6, ]
    mean(vapply(seq_len(ncol(run)), function(k) others[which.min(rowMeans(others[, -k])), k], 0))
  }, 0)
  error <- vapply(seq_along(runs), function(k) {
    gap <- runs[[k]][1, ] - runs[[k]][1 + which.min(losses[k, -1]), ]
    stats::sd(gap) / sqrt(length(gap)) / best[k]
  }, 0)
  ratio <- losses[, 1] / best
  far <- utils::head(order(-ratio), 5)
  geometric <- function(v) exp(mean(log(v)))
  ways <- colnames(losses)
  ratios <- function(at, label) {
    data.frame(tasks = label, way = ways, "to the best of five" = apply(losses[at, ] / best[at], 2, geometric),
               largest = apply(losses[at, ] / best[at], 2, max),
               "best by the other draws" = apply(losses[at, ] / fair[at], 2, geometric),
               "to prob = TRUE" = apply(losses[at, ] / losses[at, 2], 2, geometric),
               "largest " = apply(losses[at, ] / losses[at, 2], 2, max),
               "median slope" = c(apply(slopes[at, ], 2, stats::median), rep(NA, 4)), check.names = FALSE,
               row.names = NULL)
  }
  judged <- cells$task %in% BINOMIAL_JUDGED
  groups <- c(list("decided on" = !judged, "judged on" = judged),
              stats::setNames(lapply(c(12, 24, 60, 120), function(n) cells$n == n), paste(c(12, 24, 60, 120), "rows")),
              list("all" = rep(TRUE, nrow(cells))))
  section("greedytl", "binomial", "Log odds: family = \"binomial\"", paste(
    "Log loss on up to 300 other rows of the twelve tasks above, 6 draws (of 120 rows 3). The best of five: of prob =",
    "TRUE, the sources as they are and recalibrated and the two ridges, that of the task and number of rows, by its",
    "mean over the draws. The alternatives of family = \"binomial\" were decided on simulations and the six tasks",
    "\"decided on\". The best of five is chosen on the draws whose loss it has; by the other draws: that of the other",
    "draws. Slope: of a logistic regression of the test rows on the log odds. Fits with one probability for",
    "all rows:", flat
  ), "", markdown_table(do.call(rbind, Map(ratios, groups, names(groups)))), "",
  "The largest ratios to the best of five, with standard errors over the draws:", "",
  markdown_table(data.frame(cells[far, ], best = ways[-1][apply(losses[far, -1], 1, which.min)], ratio = ratio[far],
                            "standard error" = error[far], check.names = FALSE, row.names = NULL)), "",
  "Ratio to prob = TRUE by task, over 12, 24, 60 and 120 rows:", "",
  markdown_table(do.call(rbind, lapply(names(tasks), function(task) {
    at <- cells$task == task
    data.frame(task, "prob = TRUE" = mean(losses[at, 2]), t(apply(losses[at, -2] / losses[at, 2], 2, geometric)),
               check.names = FALSE)
  }))))
}
