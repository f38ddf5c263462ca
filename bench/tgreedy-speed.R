# Speed and memory of tgreedy(): the time of a path against that of reading X as often. Only
# definitions.

# Two classes in K domains of equal size; ten features have an effect of their own in each domain.
domain_task <- function(n, p, K = 8) {
  set.seed(n + p)
  x <- matrix(stats::rnorm(n * p), n)
  domain <- rep(factor(seq_len(K)), each = n / K)
  effect <- matrix(.3 + .2 * stats::rnorm(10 * K), 10)
  score <- rowSums(x[, 1:10] * t(effect[, domain])) + 2 * stats::rnorm(n)
  list(x = x, y = score, class = factor(score > 0, labels = c("no", "yes")), domain = domain)
}

mixed_rows <- function(task) {
  set.seed(1)
  rows <- sample.int(nrow(task$x))
  list(x = task$x[rows, ], y = task$y[rows], class = task$class[rows], domain = task$domain[rows])
}

# So many distinct features, by a rule that picks each of them once: as many reads of X.
one_read_a_step <- function(task, k, y = task$y) {
  tgreedy(task$x, y, task$domain, rule = "greedy", repeats = FALSE, max_steps = k)
}

speed_paths <- list(
  "greedy, numbers" = function(task, k) one_read_a_step(task, k),
  "greedy, two classes" = function(task, k) one_read_a_step(task, k, task$class),
  "gain, numbers" = function(task, k) {
    tgreedy(task$x, task$y, task$domain, stop = "none", max_steps = k)
  }
)

# Path and plain sum of the same matrix take turns: the machine may be busier at one time than at
# another.
time_against_reads <- function(path, x, k, threads, turns = 3) {
  run <- with_threads(threads, path)
  reads <- function() .Call("sum_array", x, as.integer(k), threads)
  run()
  seconds <- replicate(turns, c(path = clock(run), reads = clock(reads)))
  best <- apply(seconds, 1, min)
  list(path = best[["path"]], reads = best[["reads"]], best = best[["path"]] / best[["reads"]],
       median = stats::median(seconds["path", ] / seconds["reads", ]))
}

clock <- function(f) {
  before <- now()
  f()
  now() - before
}

speed_row <- function(what, order, threads, task, k) {
  path <- function() speed_paths[[what]](task, k)
  picks <- max(path()$steps$step)
  time <- time_against_reads(path, task$x, k, threads)
  data.frame(
    "rule, response" = what, rows = order, threads = threads, picks = picks,
    "path, s" = time$path, "reads of X, s" = time$reads,
    "path / reads, best" = time$best, "median of the turns" = time$median,
    "reads, GB/s" = k * 8 * length(task$x) / time$reads / 1e9, check.names = FALSE
  )
}

speed_table <- function(n = 16000, p = 2000, k = 100) {
  sorted <- domain_task(n, p)
  of <- function(task, order) {
    rbind(
      speed_row("greedy, numbers", order, 1L, task, k),
      speed_row("greedy, numbers", order, 2L, task, k),
      speed_row("greedy, two classes", order, 1L, task, k),
      speed_row("gain, numbers", order, 1L, task, k)
    )
  }
  rbind(of(sorted, "by domain"), of(mixed_rows(sorted), "random"))
}
