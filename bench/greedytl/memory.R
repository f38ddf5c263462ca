# Memory of greedytl() beyond the data, each case in a fresh process. Only definitions.

memory_cases <- data.frame(n = c(1000, 1000, 2000), columns = c(5000, 5000, 50000),
                           k = c(100, 100, 50), rule = c("paper", "transfer", "paper"))

# MB that a path needs beyond x, y and the loaded package.
path_memory <- function(n, columns, k, rule) {
  way <- if (rule == "paper") "rule = 'paper', lambda = 1e-6, control = greedytl_control(tol = 0)" else
    "control = greedytl_control(ridge = c(features = 10, sources = 1))"
  fit <- sprintf("greedytl(x, y, max_steps = %d, %s)", k, way)
  fresh_numbers(c(
    "suppressPackageStartupMessages(library(transelect))",
    "warm <- list(x = matrix(rnorm(4000), 40), y = rnorm(40))",
    "for (i in 1:3) with(warm, print(dim(coef(greedytl(x, y, max_steps = 5), step = 0:5))))",
    sprintf("x <- matrix(rnorm(%d * %d), %d); y <- rnorm(%d)", n, columns, n, n),
    peak_code(paste("fit <-", fit)),
    "cat(peak, '\\n')"
  ))
}

memory_of_paths <- function() {
  used <- unlist(Map(path_memory, memory_cases$n, memory_cases$columns, memory_cases$k,
                     memory_cases$rule))
  with(memory_cases, data.frame(
    rule, n, N = columns, k, "x, MB" = 8 * n * columns / 1e6,
    "3N + (k + 4)n doubles, MB" = 8 * (3 * columns + (k + 4) * n) / 1e6,
    "used beyond x, MB" = used, check.names = FALSE
  ))
}

# A million sources that are functions: seconds and MB of one randomised fit, and of the list.
million_sources <- function() {
  out <- fresh_numbers(c(
    "suppressPackageStartupMessages(library(transelect))",
    "set.seed(1)",
    "x <- matrix(rnorm(200), 20, dimnames = list(NULL, paste0('x', 1:10)))",
    "y <- factor(rep_len(c('other', 'target'), 20))",
    "one <- function(j) function(d) sin(j * d[, 1 + j %% 10] + d[, 1 + j %% 7])",
    "few <- lapply(1:100, one)",
    "for (i in 1:3) greedytl(x, y, sources = few, control = greedytl_control(candidates = 59))",
    "h <- lapply(seq_len(1e6), one)",
    "timed_fit <- function() {",
    "  system.time(fit <<- greedytl(x, y, sources = h, control = greedytl_control(candidates = 59)))[[3]]",
    "}",
    peak_code("seconds <- timed_fit()"),
    "again <- min(replicate(5, timed_fit()))",
    "cat(seconds, again, peak, max(fit$steps$step), '\\n')"
  ))
  data.frame(sources = "1000000", n = 20, steps = out[4], "first fit, s" = out[1],
             "later fits, best, s" = out[2], "MB beyond the list" = out[3], check.names = FALSE)
}

part_memory <- function() {
  if (!can_measure_memory()) {
    return(section("greedytl", "memory", "Memory", "Not measured: it needs Linux's /proc."))
  }
  section(
    "greedytl", "memory", "Memory",
    "Peak resident memory during a fit less that before it. x is a double matrix and is not copied. Each fit",
    "runs in a fresh process, after a small fit that loads what is loaded once.", "",
    markdown_table(memory_of_paths()), "",
    "A million sources given as functions, 59 columns drawn in each step (with the calls of these functions):", "",
    markdown_table(million_sources())
  )
}
