# A column whose standard deviation in one domain is far from that in the others. Only definitions.

# Six domains of 30, 100, 100, 100, 100 and 200 rows, the last of them new. y = x1 + x3/2 + .7 z2 plus
# noise; x2 is z2 in other units in one domain, or has heavy tails.
spread_kinds <- c(
  "x2 plain" = "plain", "x2 = exp(2 z2)" = "exp", "x2 with t tails (1.5 df)" = "t",
  "x2 / 60 in the domain of 30 rows" = "tiny", "60 x2 in the domain of 30 rows" = "huge",
  "x2 / 60 in the new domain" = "new_tiny", "60 x2 in the new domain" = "new_huge"
)

spread_problem <- function(seed, kind) {
  set.seed(seed)
  sizes <- c(30, 100, 100, 100, 100, 200)
  domain <- rep(1:6, sizes)
  n <- length(domain)
  x <- matrix(stats::rnorm(n * 6), n)
  z <- if (kind == "t") stats::rt(n, 1.5) else x[, 2]
  y <- x[, 1] + x[, 3] / 2 + .7 * z + stats::rnorm(n)
  units <- rep(1, 6)
  if (kind %in% c("tiny", "huge")) units[1] <- c(tiny = 1 / 60, huge = 60)[[kind]]
  if (kind %in% c("new_tiny", "new_huge")) units[6] <- c(new_tiny = 1 / 60, new_huge = 60)[[kind]]
  x[, 2] <- if (kind == "exp") exp(2 * z) else z * units[domain]
  list(x = x, y = y, domain = factor(domain))
}

# Loss on the new domain divided by that of the mean of the other domains.
spread_losses <- function(problem) {
  train <- without(problem, "6")
  rows <- problem$domain == "6"
  new <- problem$x[rows, ]
  rule <- function(rule) {
    drop(stats::predict(suppressMessages(tgreedy(train$x, train$y, train$domain, rule = rule)), new))
  }
  least_squares <- stats::lm.fit(cbind(1, train$x), train$y)$coefficients
  score <- cbind(gain = rule("gain"), greedy = rule("greedy"), t = rule("t"),
                 lasso = penalised(train, new, 1), `least squares` = drop(cbind(1, new) %*% least_squares))
  null <- mean((problem$y[rows] - balanced_mean(train$y, train$domain))^2)
  colMeans((problem$y[rows] - score)^2) / null
}

part_spread <- function() {
  if (!installed("glmnet")) stop("glmnet is needed", call. = FALSE)
  rows <- lapply(spread_kinds, function(kind) {
    losses <- vapply(1:10, function(seed) spread_losses(spread_problem(seed, kind)), numeric(5))
    text <- sprintf("%.2f (%.2f)", rowMeans(losses), apply(losses, 1, max))
    stats::setNames(text, rownames(losses))
  })
  table <- do.call(rbind, rows)
  section(
    "tgreedy", "spread", "A column whose spread differs between domains",
    "Squared loss on a new domain divided by that of the mean of the five other domains (30 to 100 rows, 6",
    "columns): mean of 10 draws, and in brackets the largest. lasso: glmnet, penalty by leave-one-domain-out.", "",
    markdown_table(cbind(data = names(spread_kinds), as.data.frame(table)))
  )
}
