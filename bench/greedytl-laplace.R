# Log odds by a likelihood, in plain R: is greedytl() better with it than by least squares and calibration
# (prob = TRUE)? The tasks and the simple ways are those of greedytl-odds.R. Only definitions.
#
# Model: eta ~ N(l0 + c hbar, K), K = 4 XX'/(alpha_x p) + 4 HH'/(alpha_h s) + 4 11', columns scaled as greedytl() scales
# them; l0 the log odds of the classes in the rows, hbar the centred mean of the sources' log odds, c 0 or 1. The weight
# of a triple (alpha_x, alpha_h, c) is exp(Laplace evidence + log prior of greedytl()); triples below a tenth of the
# largest are dropped. An alternative among them is the sources recalibrated: mean l0 + b hbar, b ~ N(1, .5^2), no
# features. Leave-one-out in closed form: variance 1/(1/v - W), mean f less this variance times (y - p). The
# probability mixes the integrated one with sharper ones, by their leave-one-out likelihood.

LAPLACE_ALPHA <- 10^(-2:2) # whole decades, so that 120 rows take seconds
LAPLACE_SHARP <- c(1, 1.5, 2.5)
LAPLACE_SHARP_PRIOR <- c(.6, .2, .1, .1) # the integrated probability first

# The mode of eta, its evidence and leave-one-out. K, m: covariance and mean of eta before the response y, 0 or 1.
laplace_mode <- function(K, m, y) {
  n <- length(y)
  height <- -Inf
  a <- numeric(n)
  f <- m
  solved <- function(f) {
    p <- stats::plogis(f)
    root <- sqrt(pmax(p * (1 - p), 1e-12))
    list(p = p, root = root, U = chol(diag(n) + outer(root, root) * K))
  }
  for (round in 1:30) {
    at <- solved(f)
    b <- at$root^2 * (f - m) + y - at$p
    wanted <- b - at$root * backsolve(at$U, forwardsolve(t(at$U), at$root * drop(K %*% b)))
    share <- 1
    repeat {
      try <- a + share * (wanted - a)
      eta <- m + drop(K %*% try)
      value <- sum(stats::plogis(ifelse(y == 1, eta, -eta), log.p = TRUE)) - sum(try * (eta - m)) / 2
      if (value >= height - 1e-10 || share < 1e-4) break
      share <- share / 2
    }
    done <- abs(value - height) < 1e-8
    a <- try
    f <- eta
    height <- value
    if (done) break
  }
  at <- solved(f)
  variance <- diag(K) - colSums(forwardsolve(t(at$U), at$root * K)^2)
  left <- 1 / pmax(1 / variance - at$root^2, 1e-10)
  list(a = y - at$p, U = at$U, root = at$root, evidence = height - sum(log(diag(at$U))),
       eta = f - left * (y - at$p), variance = left)
}

# Log odds of new rows and of the rows left out, a column for every alternative that is kept, with their weights.
# With recalibrated = TRUE the sources recalibrated are among the alternatives.
laplace_average <- function(x, h, y, new_x, new_h, recalibrated) {
  centre <- function(v, by = v) sweep(v, 2, colMeans(by))
  columns <- apply(x, 2, stats::sd) > 1e-10
  x <- x[, columns, drop = FALSE]
  spread <- sqrt(colMeans(centre(x)^2))
  new_x <- sweep(centre(new_x[, columns, drop = FALSE], x), 2, spread, "/")
  x <- sweep(centre(x), 2, spread, "/")
  spread <- sqrt(colMeans(centre(h)^2))
  most <- 1.5 * stats::median(spread)
  shrink <- pmin(1, most / pmax(spread, 1e-10))
  new_h <- sweep(centre(new_h, h), 2, shrink, "*")
  h <- sweep(centre(h), 2, shrink, "*")
  hbar <- rowMeans(h)
  new_hbar <- rowMeans(new_h)
  common <- sqrt(mean(pmin(spread, most)^2))
  of <- function(z, size) list(own = 4 * tcrossprod(z$own) / size, new = 4 * tcrossprod(z$new, z$own) / size,
                               self = 4 * rowSums(z$new^2) / size)
  features <- of(list(own = x, new = new_x), ncol(x))
  sources <- of(list(own = h / common, new = new_h / common), ncol(h))
  level <- stats::qlogis(mean(y))
  one <- function(alpha_x, alpha_h, c, slope) {
    K <- features$own / alpha_x + sources$own / alpha_h + 4 + slope * tcrossprod(hbar)
    fit <- laplace_mode(K, level + c * hbar, y)
    cross <- features$new / alpha_x + sources$new / alpha_h + 4 + slope * outer(new_hbar, hbar)
    self <- features$self / alpha_x + sources$self / alpha_h + 4 + slope * new_hbar^2
    known <- colSums(forwardsolve(t(fit$U), fit$root * t(cross))^2)
    list(evidence = fit$evidence, left = fit[c("eta", "variance")],
         new = list(eta = level + c * new_hbar + drop(cross %*% fit$a), variance = pmax(self - known, 0)))
  }
  cells <- expand.grid(alpha_x = LAPLACE_ALPHA, alpha_h = c(LAPLACE_ALPHA, 1e3, 1e4, Inf), c = 0:1, slope = 0)
  prior <- -log(cells$alpha_x / 10)^2 / 8 - ifelse(cells$alpha_h < 1, log(cells$alpha_h)^2 / (2 * .75^2), 0) +
    ifelse(cells$c == 1, log(3), ifelse(cells$alpha_h == Inf, log(30), 0))
  if (recalibrated) {
    cells <- rbind(cells, data.frame(alpha_x = Inf, alpha_h = Inf, c = 1, slope = .25))
    prior <- c(prior, log(30))
  }
  fits <- do.call(Map, c(list(one), cells))
  value <- vapply(fits, `[[`, 0, "evidence") + prior
  weight <- exp(value - max(value))
  kept <- weight >= .1
  take <- function(rows, what) do.call(cbind, lapply(fits[kept], function(fit) fit[[rows]][[what]]))
  list(level = level, weight = weight[kept] / sum(weight[kept]),
       left = list(eta = take("left", "eta"), variance = take("left", "variance")),
       new = list(eta = take("new", "eta"), variance = take("new", "variance")))
}

# Probabilities of new rows: integrated and sharper ones, mixed by their leave-one-out likelihood.
laplace_probability <- function(average, y) {
  kinds <- function(at) {
    sharp <- lapply(LAPLACE_SHARP, function(k) stats::plogis(average$level + k * (at$eta - average$level)))
    all <- c(list(stats::plogis(at$eta / sqrt(1 + pi * at$variance / 8))), sharp)
    vapply(all, function(p) drop(p %*% average$weight), numeric(nrow(at$eta)))
  }
  left <- kinds(average$left)
  value <- colSums(log(ifelse(matrix(y == 1, nrow(left), ncol(left)), left, 1 - left))) + log(LAPLACE_SHARP_PRIOR)
  share <- exp(value - max(value))
  drop(kinds(average$new) %*% share) / sum(share)
}

laplace_losses <- function(task, n) {
  rows <- odds_rows(task, n)
  rows$test <- utils::head(rows$test, 300)
  drawn <- odds_draw(task, rows)
  odds <- function(p) stats::qlogis(pmin(pmax(p, 1e-6), 1 - 1e-6))
  likelihood <- function(platt) {
    laplace_probability(laplace_average(drawn$x, drawn$own, as.numeric(drawn$y), drawn$new, drawn$theirs, platt), drawn$y)
  }
  with_platt <- likelihood(TRUE)
  given <- c(list(
    "prob = TRUE" = drawn$p, "likelihood" = likelihood(FALSE), "likelihood, recalibrated" = with_platt,
    "mean of the log odds" = stats::plogis((odds(drawn$p) + odds(with_platt)) / 2)
  ), odds_peers(drawn))
  slope <- function(p) suppressWarnings(stats::glm.fit(cbind(1, odds(p)), drawn$truth,
                                                       family = stats::binomial()))$coefficients[[2]]
  c(vapply(given, mean_log_loss, 0, drawn$truth), slopes = vapply(given[1:4], slope, 0))
}

part_laplace <- function() {
  tasks <- odds_tasks()
  cells <- expand.grid(task = names(tasks), n = c(12, 24, 60, 120), stringsAsFactors = FALSE)
  cells <- cells[cells$n + 15 < vapply(tasks, function(task) length(task$y), 0L)[cells$task], ]
  runs <- mapply(function(task, n) {
    set.seed(100 + n)
    replicate(if (n > 60) 2 else 4, laplace_losses(tasks[[task]], n))
  }, cells$task, cells$n, SIMPLIFY = FALSE)
  losses <- t(vapply(runs, rowMeans, numeric(12)))[, 1:8]
  slopes <- t(vapply(runs, function(run) apply(run[9:12, , drop = FALSE], 1, stats::median), numeric(4)))
  best <- do.call(pmin, as.data.frame(losses[, -(2:4)]))
  ways <- colnames(losses)
  geometric <- function(v) exp(mean(log(v)))
  by_rows <- lapply(c(sort(unique(cells$n)), NA), function(n) {
    at <- if (is.na(n)) rep(TRUE, nrow(cells)) else cells$n == n
    data.frame(rows = if (is.na(n)) "all" else as.character(n), way = ways,
               "to the best" = apply(losses[at, ] / best[at], 2, geometric),
               largest = apply(losses[at, ] / best[at], 2, max),
               "to prob = TRUE" = apply(losses[at, ] / losses[at, 1], 2, geometric),
               "median slope" = c(apply(slopes[at, ], 2, stats::median), rep(NA, 4)), check.names = FALSE,
               row.names = NULL)
  })
  section("greedytl", "laplace", "Probabilities by a likelihood, in plain R", paste(
    "Log loss on up to 300 other rows of the tasks of the part above, 4 draws (of 120 rows 2). Likelihood: the Laplace",
    "evidence of bench/greedytl-laplace.R; then with the sources recalibrated as an alternative, and the mean of these",
    "log odds and those of prob = TRUE. To the best: geometric mean of the ratio to the best, in the mean over draws,",
    "of prob = TRUE, the sources as they are and recalibrated and the two ridges. Slope: of a logistic regression of",
    "the test rows on the log odds."
  ), "", markdown_table(do.call(rbind, by_rows)), "", "Ratio to prob = TRUE by task, over 12, 24, 60 and 120 rows:", "",
  markdown_table(do.call(rbind, lapply(names(tasks), function(task) {
    at <- cells$task == task
    data.frame(task, "prob = TRUE" = mean(losses[at, 1]), t(apply(losses[at, -1] / losses[at, 1], 2, geometric)),
               check.names = FALSE)
  }))))
}
