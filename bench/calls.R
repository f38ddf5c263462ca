# What a call takes that has little to compute, from the project root:
#   Rscript bench/calls.R [few]      (default: all parts)
# Each part replaces its section of bench/RESULTS.md.
source("bench/common.R")
source("bench/bandwidth.R") # machine()

# ---- few rows ---------------------------------------------------------------------------------

part_few <- function() {
  n <- 30
  p <- 5
  x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("x", seq_len(p))))
  y <- drop(x %*% c(1, -1, .5, 0, 0)) + stats::rnorm(n)
  classes <- factor(rep_len(c("a", "b", "c"), n))
  domain <- gl(3, n / 3, labels = c("a", "b", "c"))
  predictions <- matrix(stats::rnorm(3 * n) + y, n, dimnames = list(NULL, c("s1", "s2", "s3")))
  data <- data.frame(x, y)
  quiet <- function(call) function() for (k in 1:100) suppressMessages(call())
  fit <- greedytl(x, y)
  calls <- list(
    "`stats::lm(y ~ x)`" = function() stats::lm(y ~ x),
    "`greedytl(x, y)`" = function() greedytl(x, y),
    "`greedytl(y ~ ., data)`" = function() greedytl(y ~ ., data),
    "`greedytl(x, y, sources = )`, three" = function() greedytl(x, y, sources = predictions),
    "`tgreedy(x, y, domain)`, three" = function() tgreedy(x, y, domain),
    "`tlcp(x, y)`" = function() tlcp(x, y),
    "`tlcp(x, y, domain = , target = )`, three" = function() tlcp(x, y, domain = domain, target = "a"),
    "`shareboost(x, classes)`, three" = function() shareboost(x, classes),
    "`msplit(x, y)`" = function() msplit(x, y),
    "`msplit(x, y, nu = 1, choose = \"none\")`" = function() msplit(x, y, nu = 1, choose = "none"),
    "`cv_path(x, y, fit = greedytl)`, ten folds" = function() cv_path(x, y, fit = greedytl),
    "`predict(fit, x)`" = function() predict(fit, x),
    "`coef(fit)`" = function() coef(fit)
  )
  if (requireNamespace("glmnet", quietly = TRUE)) {
    calls[["`glmnet::glmnet(x, y)`"]] <- function() glmnet::glmnet(x, y)
    calls[["`glmnet::cv.glmnet(x, y)`, ten folds"]] <- function() glmnet::cv.glmnet(x, y)
  }
  spent <- in_turns(lapply(calls, quiet), turns = 15) / 100
  rows <- data.frame(call = names(calls), "ms" = spent * 1000, "ratio to lm()" = spent / spent[[1]],
                     check.names = FALSE, row.names = NULL)
  section(
    "calls", "few", "Fits to few rows",
    paste0(n, " rows, ", p, " columns: the least processor time of 15 turns of 100 calls."),
    paste0("(", machine(), ".)"), "", markdown_table(rows)
  )
}

run_parts("calls", list(few = part_few), alone = "few")
