# Speed of msplit() through the R call, beside lars, glmnet and Libra. Only definitions.

# Shapes, the milliseconds of a prototype (to 100 t_1), and those wanted of the R call.
prototype_speed <- data.frame(
  n = c(100, 200, 500, 1000, 100), d = c(80, 1000, 200, 500, 5000),
  prototype = c(.22, 9.1, 2.2, 29, 12.7), wanted = c(.5, 15, 3.3, 43.5, 20)
)

speed_problem <- function(n, d, correlation = .2) {
  set.seed(n + d)
  x <- sqrt(correlation) * stats::rnorm(n) + sqrt(1 - correlation) * matrix(stats::rnorm(n * d), n)
  beta <- rep(c(2, .2, 0), c(5, 35, d - 40))
  list(x = x, y = drop(x %*% beta) + stats::rnorm(n) / 2)
}

one_path <- function(problem, ...) {
  msplit(problem$x, problem$y, nu = 5, choose = "none", control = msplit_control(record = 0, ...))
}

# Processor time of one call, mean of as many as fit in `budget` seconds. Everything here runs on one thread; other
# processes are not counted.
milliseconds <- function(f, budget = 1, first = TRUE) {
  if (first) f()
  start <- processor_time()
  calls <- 0
  while (calls == 0 || processor_time() - start < budget) {
    f()
    calls <- calls + 1
  }
  1000 * (processor_time() - start) / calls
}

processor_time <- function() sum(proc.time()[1:2])

# lars takes as many steps as our path has events, or all its steps if they are fewer. Libra's iss() is slow and is
# timed for small shapes only.
peer_times <- function(problem, n, d, steps) {
  peers <- c(lars = NA, lars_steps = NA, glmnet = NA, iss = NA)
  if (installed("lars")) {
    run <- function() lars::lars(problem$x, problem$y, use.Gram = d < n, max.steps = steps)
    peers["lars_steps"] <- length(run()$lambda)
    peers["lars"] <- milliseconds(run)
  }
  if (installed("glmnet")) {
    peers["glmnet"] <- milliseconds(function() glmnet::glmnet(problem$x, problem$y))
  }
  if (installed("Libra") && n * d <= 100000 && d < n) {
    peers["iss"] <- milliseconds(whitened_iss(problem, 5), budget = 0, first = FALSE)
  }
  peers
}

# The whole of Libra's exact path on whitened data, whitening included.
whitened_iss <- function(problem, nu) {
  function() {
    n <- nrow(problem$x)
    x <- scale(problem$x) * sqrt(n / (n - 1))
    root <- t(chol(n * diag(n) + nu * tcrossprod(x)))
    Libra::iss(forwardsolve(root, x), forwardsolve(root, problem$y - mean(problem$y)),
               intercept = FALSE, normalize = FALSE)
  }
}

path_row <- function(shape) {
  problem <- speed_problem(shape$n, shape$d)
  fit <- one_path(problem)
  events <- nrow(fit$steps) - 1
  ours <- milliseconds(function() one_path(problem))
  whole <- milliseconds(function() one_path(problem, t_ratio = 1e9))
  default <- milliseconds(function() msplit(problem$x, problem$y))
  peers <- peer_times(problem, shape$n, shape$d, events)
  data.frame(
    n = shape$n, d = shape$d, "events to 100 t_1" = events, "path, ms" = ours,
    "whole path, ms" = whole, "prototype, ms" = shape$prototype,
    "wanted, ms" = shape$wanted, "default choice, ms" = default,
    "lars, ms" = peers[["lars"]], "lars steps" = peers[["lars_steps"]],
    "lars / msplit, a step" = peers[["lars"]] / peers[["lars_steps"]] / (ours / events),
    "glmnet path, ms" = peers[["glmnet"]], "Libra::iss, ms" = peers[["iss"]], check.names = FALSE
  )
}

# ---- the discrete path ------------------------------------------------------------------------

# Time of an iteration: the time of a path of twice the length less that of the path, divided by the number of
# iterations. alpha is the largest that Libra takes, so that both do the same number of iterations.
lbi_row <- function(n, d, kappa = 5, nu = 5, count = 20000) {
  problem <- speed_problem(n, d)
  x <- scale(problem$x) * sqrt(n / (n - 1))
  largest <- max(eigen(tcrossprod(x) / n, TRUE, only.values = TRUE)$values)
  alpha <- nu / (kappa * (2 + nu * largest))
  first <- 1 / max(abs(crossprod(x, problem$y - mean(problem$y)) / n))
  ours <- function(ratio) {
    function() {
      msplit(problem$x, problem$y, method = "lbi", nu = nu,
             control = msplit_control(kappa = kappa, t_ratio = ratio, nt = 5))
    }
  }
  start <- ours(2)()$points$t[2]
  ratio <- 1 + count * alpha / start
  long <- milliseconds(ours(2 * ratio))
  short <- milliseconds(ours(ratio))
  row <- data.frame(n = n, d = d, "msplit, us" = 1000 * (long - short) / (ratio * start / alpha),
                    check.names = FALSE)
  if (!installed("Libra")) return(row)
  step <- 1 / (kappa * largest)
  theirs <- function(k) {
    function() {
      Libra::lb(problem$x, problem$y, kappa, step, tlist = first + c(1, k / 2, k) * step)
    }
  }
  times <- vapply(c(count, 2 * count), function(k) milliseconds(theirs(k)), 0)
  row[["Libra::lb, us"]] <- 1000 * diff(times) / count
  row[["Libra / msplit"]] <- row[["Libra::lb, us"]] / row[["msplit, us"]]
  row
}

# ---- many responses ---------------------------------------------------------------------------

# Every response has the paper's coefficients, on columns drawn for it.
responses_row <- function(n = 1000, d = 500, q = 1000) {
  x <- speed_problem(n, d)$x
  beta <- matrix(0, d, q)
  for (k in seq_len(q)) beta[sample.int(d, 40), k] <- rep(c(2, .2), c(5, 35))
  y <- x %*% beta + stats::rnorm(n * q, sd = .5)
  colnames(y) <- paste0("y", seq_len(q))
  run <- function() msplit(x, y, nu = 5, choose = "none", control = msplit_control(t_ratio = 20, record = 0))
  data.frame(n = n, d = d, responses = q, events = nrow(run()$steps) - q,
             "processor, s" = milliseconds(run) / 1000, "wall, s" = timed(run, 1)[["best"]],
             check.names = FALSE)
}

# Shapes that take longer than wanted.
speed_misses <- function(table) {
  shape <- paste0(table$n, " x ", table$d)
  late <- table[["path, ms"]] > table[["wanted, ms"]]
  near <- if (installed("lars")) table[["lars / msplit, a step"]] < 20 else FALSE
  c(if (any(late)) paste0("Slower than wanted: ", toString(shape[late]), "."),
    if (any(near)) paste0("A step of lars was wanted to take 20 times as long as one of msplit(), and does not at ",
                          toString(shape[near]), ": ",
                          "there most of our time is spent on the Gram matrix, or in R code."))
}

part_speed <- function() {
  rows <- split(prototype_speed, seq_len(nrow(prototype_speed)))
  paths <- do.call(rbind, lapply(rows, path_row))
  section(
    "msplit", "speed", "Speed",
    "Processor time of the R call for the exact path: nu = 5, standardised, up to 100 times the first event,",
    "with the dense estimator at one event. `prototype`: an earlier C program on another machine, where",
    "glmnet took 2.2, 12.5, 4.4, 22.7 and 20.8 ms: the ratio to glmnet's time here says how much slower this",
    "machine is. `wanted`: about 1.5 times the prototype's time, .5 ms for the smallest shape. `default",
    "choice`: ten nu, evidence, average.", "",
    markdown_table(paths), "", speed_misses(paths), "",
    "One iteration of the discrete path, microseconds of the processor (kappa = 5; nu = 5, which Libra does not have):",
    "", markdown_table(do.call(rbind, Map(lbi_row, c(100, 500, 200), c(80, 200, 1000),
                                          count = c(20000, 10000, 2000)))), "",
    "Many responses, up to 20 times the first event; .3 s was wanted. msplit() uses one thread.",
    "", markdown_table(responses_row())
  )
}
