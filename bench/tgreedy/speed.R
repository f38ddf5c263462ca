# Speed and memory of tgreedy(): the time of a path beside that of reading X as often. Only
# definitions.

# Two classes in K domains of equal size; ten features have an effect of their own in each domain.
domain_problem <- function(n, p, K = 8) {
  set.seed(n + p)
  x <- matrix(stats::rnorm(n * p), n)
  domain <- rep(factor(seq_len(K)), each = n / K)
  effect <- matrix(.3 + .2 * stats::rnorm(10 * K), 10)
  score <- rowSums(x[, 1:10] * t(effect[, domain])) + 2 * stats::rnorm(n)
  list(x = x, y = score, class = factor(score > 0, labels = c("no", "yes")), domain = domain)
}

mixed_rows <- function(problem) {
  set.seed(1)
  rows <- sample.int(nrow(problem$x))
  list(x = problem$x[rows, ], y = problem$y[rows], class = problem$class[rows], domain = problem$domain[rows])
}

# So many distinct features, by a rule that picks each of them once: as many reads of X.
one_read_a_step <- function(problem, k, y = problem$y) {
  tgreedy(problem$x, y, problem$domain, rule = "greedy", control = tgreedy_control(repeats = FALSE), max_steps = k)
}

speed_paths <- list(
  "greedy, numbers" = function(problem, k) one_read_a_step(problem, k),
  "greedy, two classes" = function(problem, k) one_read_a_step(problem, k, problem$class),
  "gain, numbers" = function(problem, k) {
    tgreedy(problem$x, problem$y, problem$domain, control = tgreedy_control(stop = "none"), max_steps = k)
  }
)

# Path and plain sum of the same matrix are timed in turns, since the load of the machine changes.
time_against_reads <- function(path, x, k, threads, turns = 3) {
  run <- with_threads(threads, path)
  reads <- function() .Call("sum_array", x, as.integer(k), threads)
  picks <- max(run()$steps$step)
  seconds <- replicate(turns, c(path = clock(run), reads = clock(reads)))
  best <- apply(seconds, 1, min)
  list(picks = picks, path = best[["path"]], reads = best[["reads"]],
       best = best[["path"]] / best[["reads"]],
       median = stats::median(seconds["path", ] / seconds["reads", ]))
}

clock <- function(f) {
  before <- now()
  f()
  now() - before
}

speed_row <- function(what, order, threads, problem, k) {
  path <- function() speed_paths[[what]](problem, k)
  time <- time_against_reads(path, problem$x, k, threads)
  data.frame(
    "rule, response" = what, rows = order, threads = threads, picks = time$picks,
    "path, s" = time$path, "reads of X, s" = time$reads,
    "path / reads, best" = time$best, "median of the turns" = time$median,
    "reads, GB/s" = k * 8 * length(problem$x) / time$reads / 1e9, check.names = FALSE
  )
}

speed_table <- function(n = 16000, p = 2000, k = 100) {
  sorted <- domain_problem(n, p)
  of <- function(problem, order) {
    rbind(
      speed_row("greedy, numbers", order, 1L, problem, k),
      speed_row("greedy, numbers", order, 2L, problem, k),
      speed_row("greedy, two classes", order, 1L, problem, k),
      speed_row("gain, numbers", order, 1L, problem, k)
    )
  }
  rbind(of(sorted, "by domain"), of(mixed_rows(sorted), "random"))
}

# ---- growth -----------------------------------------------------------------------------------

growth_table <- function(k = 30) {
  path <- function(problem) function() one_read_a_step(problem, k)
  rbind(
    growth_of("p, n = 8000, 8 domains", c(250, 500, 1000, 2000),
              function(size) path(domain_problem(8000, size))),
    growth_of("n, p = 1000, 8 domains", c(2000, 4000, 8000, 16000),
              function(size) path(domain_problem(size, 1000))),
    growth_of("domains, n = 8000, p = 1000", c(4, 8, 16, 32),
              function(size) path(domain_problem(8000, 1000, size))),
    growth_of("domains, rows in random order", c(4, 8, 16, 32),
              function(size) path(mixed_rows(domain_problem(8000, 1000, size)))),
    growth_of("features picked, n = 8000, p = 1000", c(10, 20, 40, 80), function(size) {
      problem <- domain_problem(8000, 1000)
      function() one_read_a_step(problem, size)
    })
  )
}

# ---- memory -----------------------------------------------------------------------------------

# MB that a path needs beyond x, y and the loaded package, in a fresh process after a small fit.
path_megabytes <- function(n, p, K, k, order) {
  rows <- if (order == "random") "sample(K, n, TRUE)" else "sort(rep_len(1:K, n))"
  fresh_numbers(c(
    "suppressPackageStartupMessages(library(transelect))",
    "fit_of <- function(x, y, d, k) {",
    "  tgreedy(x, y, d, rule = 'greedy', max_steps = k, control = tgreedy_control(repeats = FALSE))",
    "}",
    "warm <- list(x = matrix(rnorm(4000), 100), y = rnorm(100), d = rep_len(1:4, 100))",
    "for (i in 1:3) with(warm, print(dim(coef(fit_of(x, y, d, 5), step = 0:5))))",
    sprintf("n <- %d; p <- %d; K <- %d", n, p, K),
    sprintf("x <- matrix(rnorm(n * p), n); y <- rnorm(n); d <- %s", rows),
    peak_code(sprintf("fit <- fit_of(x, y, d, %d)", k)),
    "cat(peak, '\\n')"
  ))
}

memory_table <- function() {
  cases <- data.frame(n = 16000, p = c(2000, 2000, 4000), domains = 8, k = 100,
                      rows = c("by domain", "random", "by domain"))
  used <- unlist(Map(path_megabytes, cases$n, cases$p, cases$domains, cases$k, cases$rows))
  with(cases, data.frame(
    n, p, domains, k, rows, "x, MB" = format_number(8 * n * p / 1e6),
    "p x domains x (k + 1) doubles, MB" = 8 * p * domains * (k + 1) / 1e6,
    "used beyond x, MB" = used, check.names = FALSE
  ))
}

part_speed <- function() {
  load_sum_program()
  section(
    "tgreedy", "speed", "Speed, growth and memory",
    "16,000 rows of 2000 features (256 MB) in 8 domains, 100 distinct features: the time of the R call",
    "beside that of summing X 100 times in C with as many threads, in turns. `greedy` picks no feature",
    "twice here, `gain` (nu = .5, no stop) does. Wanted: a ratio of at most 1.5.", busy_line(),
    paste0("(", machine(), ".)"), "",
    markdown_table(speed_table()), "",
    "Growth: ms (best of several) of paths of 30 features, and the slope of log time on log size;",
    "the smaller matrices X fit in the cache.", "",
    markdown_table(growth_table()), "",
    if (can_measure_memory()) c(
      "Memory: peak resident MB during a fit less those before it, x a double matrix.", "",
      markdown_table(memory_table())
    ) else "Memory not measured: it needs Linux's /proc."
  )
}

# ---- from second moments ----------------------------------------------------------------------

# The same path from rows and from moments by domain, taken once.
moments_row <- function(n, p, k = 50) {
  problem <- domain_problem(n, p)
  before <- now()
  m <- moments(problem$x, problem$y, domain = problem$domain)
  once <- now() - before
  from_rows <- function() one_read_a_step(problem, k)
  from_moments <- function() tgreedy(m, rule = "greedy", control = tgreedy_control(repeats = FALSE), max_steps = k)
  both <- list(rows = from_rows(), moments = from_moments())
  data.frame(
    n, p, "moments(), ms" = 1000 * once,
    "from rows, ms" = 1000 * timed(from_rows)[["best"]],
    "from moments, ms" = 1000 * timed(from_moments)[["best"]],
    "same picks" = identical(both$rows$steps$entered, both$moments$steps$entered),
    "largest difference of coefficients" =
      signif(max(abs(stats::coef(both$rows) - stats::coef(both$moments))), 1),
    check.names = FALSE
  )
}

part_moments <- function() {
  rows <- rbind(moments_row(4000, 200), moments_row(16000, 500), moments_row(16000, 1000))
  rows[[7]] <- format(rows[[7]])
  section(
    "tgreedy", "moments", "From second moments",
    "Paths of 50 features, 8 domains, from rows and from second moments by domain. `moments()` is called",
    "once; its result is enough for any rule, stop and number of features.", "",
    markdown_table(rows)
  )
}
