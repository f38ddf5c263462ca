# Columns whose standard deviation in the few rows of a target is far from that of new data. Only definitions.

# 30 rows of a target and 500 new rows of p columns; y = x1 + x3/2 + an effect of the second column + noise.
# h: two sources, one of them near y.
spread_kinds_target <- c(
  "x2 plain" = "plain", "x2 = exp(2 z2)" = "exp", "x2 with t tails (1.5 df)" = "t",
  "x2 / 60 in the target, y knows z2" = "tiny", "60 x2 in the target, y knows z2" = "huge",
  "x2 / 60 in the target, y does not" = "idle_tiny", "60 x2 in the target, y does not" = "idle_huge",
  "x2 / 60 in the target, y knows x2" = "same_tiny", "60 x2 in the target, y knows x2" = "same_huge"
)

spread_problem <- function(seed, kind, n = 30, n_new = 500, p = 8) {
  set.seed(seed)
  all <- n + n_new
  x <- matrix(stats::rnorm(all * p), all, dimnames = list(NULL, paste0("x", seq_len(p))))
  here <- seq_len(all) <= n
  z <- if (kind == "t") stats::rt(all, 1.5) else x[, 2]
  unit <- if (grepl("tiny", kind)) 1 / 60 else if (grepl("huge", kind)) 60 else 1
  x[, 2] <- if (kind == "exp") exp(2 * z) else z * ifelse(here, unit, 1)
  effect <- if (startsWith(kind, "idle")) 0 * z else if (startsWith(kind, "same")) .7 * x[, 2] else .7 * z
  y <- x[, 1] + x[, 3] / 2 + effect + stats::rnorm(all)
  h <- cbind(near = x[, 1] + x[, 3] / 2 + .5 * stats::rnorm(all), far = stats::rnorm(all))
  list(x = x[here, ], y = y[here], h = h[here, ], new = x[!here, ], y_new = y[!here], h_new = h[!here, ])
}

# Loss on the new rows divided by that of the mean of the target.
target_losses <- function(problem) {
  says <- function(fit, h = NULL, ...) drop(suppressMessages(stats::predict(fit, problem$new, h, ...)))
  ridge <- glmnet::cv.glmnet(problem$x, problem$y, alpha = 0, foldid = rep_len(1:10, length(problem$y)))
  score <- cbind(
    greedytl = says(greedytl(problem$x, problem$y)),
    `bound = Inf` = says(greedytl(problem$x, problem$y), bound = Inf),
    `greedytl, sources` = says(greedytl(problem$x, problem$y, sources = problem$h), problem$h_new),
    `rule = "paper"` = says(greedytl(problem$x, problem$y, rule = "paper")),
    msplit = says(msplit(problem$x, problem$y)),
    `ridge (glmnet)` = drop(predict(ridge, problem$new, s = "lambda.min")),
    `least squares` = drop(cbind(1, problem$new) %*% stats::lm.fit(cbind(1, problem$x), problem$y)$coefficients)
  )
  colMeans((problem$y_new - score)^2) / mean((problem$y_new - mean(problem$y))^2)
}

part_target_spread <- function() {
  if (!installed("glmnet")) stop("glmnet is needed", call. = FALSE)
  rows <- lapply(spread_kinds_target, function(kind) {
    losses <- vapply(1:20, function(seed) target_losses(spread_problem(seed, kind)), numeric(7))
    stats::setNames(sprintf("%.2f (%.2f)", rowMeans(losses), apply(losses, 1, max)), rownames(losses))
  })
  section(
    "greedytl", "spread", "A column whose spread in the target is not that of new data",
    "Squared loss on 500 new rows divided by that of the mean of the 30 rows of the target (8 columns): mean",
    "of 20 draws, and in brackets the largest. The second column, x2, has heavy tails, or it is z2 in new",
    "rows and z2 times 60 or 1/60 in the target. y depends on z2 (\"knows z2\"), on x2 as it stands (\"knows",
    "x2\"), or on neither (\"does not\"). sources: two columns, one of them near y. bound = Inf: greedytl() without",
    "a bound on columns of new rows, which costs where the units differ and gains where a line holds in the tails.",
    "",
    markdown_table(cbind(data = names(spread_kinds_target), as.data.frame(do.call(rbind, rows))))
  )
}
