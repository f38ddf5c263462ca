# Speed of greedytl(): the paper's shapes, the memory bound, other packages, the default beside the paper's rule,
# growth. Only definitions.

# A target of n rows, half of them of the second class: p features and s sources.
target_problem <- function(n, columns, sources) {
  set.seed(n + columns)
  noise <- function(p, prefix) {
    matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0(prefix, seq_len(p))))
  }
  list(x = noise(columns - sources, "x"), h = noise(sources, "source"),
       y = factor(rep_len(c("other", "target"), n)))
}

# ---- the shapes of the paper's Table 1 --------------------------------------------------------

# Its three sets by three numbers of examples, and its seconds, sets by examples.
paper_columns <- c(1899, 4995, 4492)
paper_sources <- c(899, 899, 396)
paper_examples <- c(12, 15, 20)
paper_seconds <- list(
  exact = matrix(c(1.541, 3.481, 3.245, 3.083, 7.492, 6.764, 5.291, 13.408, 11.282), 3),
  drawn = matrix(c(.043, .055, .060, .088, .114, .120, .149, .198, .198), 3)
)

ways_to_fit <- list(
  "transfer, ridge by evidence" = function(t) greedytl(t$x, t$y, t$h),
  "transfer, fixed ridge" = function(t) {
    greedytl(t$x, t$y, t$h, control = greedytl_control(ridge = c(features = 10, sources = 1)))
  },
  "paper" = function(t) greedytl(t$x, t$y, t$h, rule = "paper", control = greedytl_control(tol = 0), max_steps = 20),
  "paper, 59 candidates" = function(t) {
    greedytl(t$x, t$y, t$h, rule = "paper", control = greedytl_control(tol = 0, candidates = 59), max_steps = 20)
  }
)

# A row for each rule and number of examples.
speed_small <- function(threads) {
  cases <- expand.grid(way = names(ways_to_fit), example = 1:3, stringsAsFactors = FALSE)
  rows <- Map(function(way, example) {
    times <- mapply(function(columns, sources) {
      problem <- target_problem(paper_examples[example], columns, sources)
      timed(with_threads(threads, function() ways_to_fit[[way]](problem)),
            budget = .5)[c("best", "median")] * 1000
    }, paper_columns, paper_sources)
    cells <- paste(format_number(times[1, ]), format_number(times[2, ]), sep = " / ")
    drawn <- grepl("candidates", way)
    paper <- if (grepl("paper", way)) {
      format_number(1000 * paper_seconds[[if (drawn) "drawn" else "exact"]][, example])
    }
    c(way, threads, paper_examples[example], cells, if (is.null(paper)) rep("", 3) else paper)
  }, cases$way, cases$example)
  table <- as.data.frame(do.call(rbind, unname(rows)))
  names(table) <- c("rule", "threads", "rows", paste(paper_columns, "columns"),
                    paste("the paper:", paper_columns))
  table
}

# ---- against the memory bound -----------------------------------------------------------------

# y: k columns with normal coefficients, and noise of the same variance.
gaussian_problem <- function(n, columns, k) {
  set.seed(n + columns)
  x <- matrix(stats::rnorm(n * columns), n)
  signal <- drop(x[, seq_len(k)] %*% stats::rnorm(k))
  list(x = x, y = signal + stats::rnorm(n, sd = stats::sd(signal)))
}

exact_path <- function(x, y, k) {
  greedytl(x, y, rule = "paper", lambda = 1e-6, control = greedytl_control(tol = 0), max_steps = k)
}

# Path and plain sum of the same matrix are timed in turns, since the load of the machine changes.
speed_bound <- function(n = 1000, columns = 5000, k = 100, turns = 12) {
  load_sum_program()
  problem <- gaussian_problem(n, columns, k)
  gigabytes <- (k + 2) * 8 * length(problem$x) / 1e9
  rows <- lapply(1:2, function(threads) {
    path <- with_threads(threads, function() exact_path(problem$x, problem$y, k))
    sums <- function() .Call("sum_array", problem$x, as.integer(k + 2), threads)
    seconds <- replicate(turns, c(
      path = timed(path, 0, 1)[["best"]], sums = timed(sums, 0, 1)[["best"]]
    ))
    best <- apply(seconds, 1, min)
    data.frame(
      threads = threads, "path, s" = best["path"], "the bound, s" = best["sums"],
      "path / bound, best" = best["path"] / best["sums"],
      "median of the turns" = stats::median(seconds["path", ] / seconds["sums", ]),
      "path, GB/s" = gigabytes / best["path"], "bound, GB/s" = gigabytes / best["sums"],
      check.names = FALSE
    )
  })
  do.call(rbind, rows)
}

# ---- other packages ---------------------------------------------------------------------------

peer_shapes <- data.frame(
  n = c(20, 100, 1000, 2000, 300), columns = c(4995, 5000, 5000, 1000, 50),
  k = c(20, 50, 100, 50, 10)
)

# The call of each package, and the shapes (rows of peer_shapes) for which it ends within seconds.
peers <- list(
  "transelect::greedytl(rule = \"paper\")" = list(
    shapes = 1:5, fit = function(x, y, k) exact_path(x, y, k)
  ),
  "transelect::greedytl()" = list(
    shapes = 1:5, fit = function(x, y, k) greedytl(x, y, max_steps = k)
  ),
  "glmnet::glmnet(dfmax)" = list(
    shapes = 1:5, fit = function(x, y, k) glmnet::glmnet(x, y, dfmax = k)
  ),
  "leaps::regsubsets(forward)" = list(
    shapes = 4:5, fit = function(x, y, k) {
      leaps::regsubsets(x, y, method = "forward", nvmax = k, really.big = TRUE)
    }
  ),
  "stats::step(forward)" = list(
    shapes = 5, fit = function(x, y, k) {
      data <- data.frame(y = y, x)
      upper <- stats::reformulate(names(data)[-1], "y")
      stats::step(stats::lm(y ~ 1, data), scope = upper, direction = "forward", trace = 0,
                  steps = k, k = 0)
    }
  ),
  "lars::lars(stepwise)" = list(
    shapes = c(1, 2, 4, 5), fit = function(x, y, k) {
      lars::lars(x, y, type = "stepwise", max.steps = k, use.Gram = FALSE)
    }
  ),
  "abess::abess()" = list(
    shapes = 1:5, fit = function(x, y, k) abess::abess(x, y, support.size = 0:min(k, nrow(x) - 1))
  ),
  "Rfast::ompr()" = list(
    shapes = 1, fit = function(x, y, k) Rfast::ompr(y, x, method = "BIC", tol = -Inf)
  )
)

time_peer <- function(name, problems) {
  peer <- peers[[name]]
  out <- rep(NA_real_, length(problems))
  if (!installed(sub("::.*", "", name))) return(out)
  for (s in peer$shapes) {
    problem <- problems[[s]]
    run <- function() suppressWarnings(peer$fit(problem$x, problem$y, peer_shapes$k[s]))
    out[s] <- tryCatch(timed(run, budget = 1, least = 2)[["best"]], error = function(e) NA)
  }
  out
}

speed_peers <- function() {
  problems <- Map(gaussian_problem, peer_shapes$n, peer_shapes$columns, peer_shapes$k)
  times <- lapply(names(peers), time_peer, problems = problems)
  present <- !vapply(times, function(t) all(is.na(t)), NA)
  ours <- times[[1]]
  table <- as.data.frame(do.call(rbind, lapply(times[present], function(t) {
    text <- paste0(format_number(1000 * t), " (", format_number(t / ours), ")")
    ifelse(is.na(t), "", text)
  })))
  names(table) <- with(peer_shapes, paste0(n, " x ", columns, ", k = ", k))
  cbind(" " = paste0("`", names(peers)[present], "`"), table)
}

part_speed <- function() {
  section(
    "greedytl", "speed", "Speed",
    "Time of one R call, from the matrices to the fitted path of 20 steps: ms, best / median of many runs.",
    "Two classes. Columns \"the paper\": times of its Table 1, in ms, on another machine.", busy_line(), "",
    markdown_table(rbind(speed_small(1), speed_small(2))), "",
    "A path of 100 steps has to read the columns 102 times (moments, first products, one pass a",
    "step). n = 1000, N = 5000 (40 MB); the bound is a plain sum of the same matrix 102 times.", "",
    markdown_table(speed_bound()), "",
    "Other packages on the same data in the same run, one thread: ms, and in brackets that time divided by",
    "the time in row one. n rows x N columns, k steps; normal columns, k of them with coefficients, and noise",
    "of the same variance as the signal. All paths end with about k columns, but only leaps and step solve",
    "the same problem as row one. A cell is empty where the function does not take N > n, or takes many",
    "seconds.", "",
    markdown_table(speed_peers())
  )
}

# ---- the default beside the paper's rule ------------------------------------------------------

# Seconds of the processor of both, in turns: the least of several turns of several calls each.
beside_paper <- function(n, columns, sources, calls, turns = 7) {
  problem <- target_problem(n, columns + !sources, max(sources, 1))
  h <- if (sources) problem$h
  y <- gaussian_problem(n, 30, 20)$y
  ways <- list(function() greedytl(problem$x, y, h, max_steps = 20),
               function() greedytl(problem$x, y, h, rule = "paper", max_steps = 20))
  spent <- replicate(turns, vapply(ways, function(way) {
    before <- worked()
    for (k in seq_len(calls)) way()
    (worked() - before) / calls
  }, 0))
  best <- 1000 * apply(spent, 1, min)
  data.frame(shape = paste(n, "x", columns), sources = sources, pairs = nrow(ways[[1]]()$ridge),
             "default, ms" = best[1], "paper, ms" = best[2], ratio = best[1] / best[2], check.names = FALSE)
}

part_beside <- function() {
  table <- rbind(beside_paper(20, 4995, 0, 40), beside_paper(20, 4995, 899, 40), beside_paper(100, 5000, 0, 20),
                 beside_paper(1000, 5000, 0, 4))
  section(
    "greedytl", "beside", "The default beside the paper's rule",
    "20 steps of both, numeric response: ms of the processor, the least of seven turns. pairs: of ridges that the",
    "default averages, whose paths share what they can.", "",
    markdown_table(table)
  )
}

# ---- growth -----------------------------------------------------------------------------------

# The sizes are timed in turns, so that a change of the load does not fall on one of them only.
growth_of <- function(what, sizes, prepare, rounds = 5) {
  fits <- lapply(sizes, prepare)
  seconds <- replicate(rounds, vapply(fits, function(fit) timed(fit, .1, 1)[["best"]], 0))
  best <- apply(seconds, 1, min)
  data.frame(
    growth = what, sizes = paste(format(sizes, scientific = FALSE, trim = TRUE), collapse = " "),
    ms = paste(format_number(1000 * best), collapse = " "), slope = log_slope(sizes, best)
  )
}

path_of <- function(n, columns, k) {
  problem <- gaussian_problem(n, columns, k)
  function() exact_path(problem$x, problem$y, k)
}

evidence_path_of <- function(n, columns) {
  problem <- target_problem(n, columns, columns / 5)
  function() greedytl(problem$x, problem$y, problem$h)
}

drawn_path_of <- function(n, columns) {
  problem <- gaussian_problem(n, columns, 20)
  function() greedytl(problem$x, problem$y, rule = "paper",
                      control = greedytl_control(tol = 0, candidates = 59), max_steps = 20)
}

# The sizes are such that the columns do not fit into the processor's cache.
part_growth <- function() {
  thousands <- c(20, 40, 80, 160) * 1000
  table <- rbind(
    growth_of("N; n = 500, k = 20", thousands, function(size) path_of(500, size, 20)),
    growth_of("N; n = 20, k = 20", 25 * thousands, function(size) path_of(20, size, 20)),
    growth_of("n; N = 40000, k = 20", c(250, 500, 1000, 2000),
              function(size) path_of(size, 40000, 20)),
    growth_of("k; n = 500, N = 20000", c(20, 40, 80, 160),
              function(size) path_of(500, 20000, size)),
    growth_of("N; n = 20, ridge by evidence", 4 * thousands,
              function(size) evidence_path_of(20, size)),
    growth_of("N; n = 20, 59 candidates", thousands, function(size) drawn_path_of(20, size))
  )
  section(
    "greedytl", "growth", "Growth",
    "ms (best of several) at growing sizes, and the slope of log time on log size. 1 is linear.",
    "The rule is the paper's, with 20 steps, unless the row says otherwise.", busy_line(), "",
    markdown_table(table)
  )
}
