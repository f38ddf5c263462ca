# Ways to make the probabilities of greedytl(family = "binomial") sharper or duller than those of the weighted mean of
# log odds, on the tasks of greedytl/odds.R and on simulated kinds. Only definitions.
#
# With e the log odds of a new row less the base l0, and e_-i those of a row left out, the probability is plogis(l0 + e)
# by the default. By `spread` it is plogis(l0 + r e), r being the weighted mean of the standard deviations of the
# models' log odds in the rows, divided by that of the weighted mean: log odds of models that disagree have a mean that
# varies less than they do. By `kappa` it is the mean of plogis(l0 + kappa e), kappa = 1, 1.5 and 2.5, weights .6, .25
# and .15 times the likelihood of plogis(l0 + kappa e_-i); by `integrated` the same with kappa = .8, 1, 1.5 and 2.5,
# weights .6, .2, .1 and .1, the first for probabilities integrated over what is not known; by `Platt` one kappa that
# maximises this likelihood times a normal prior of log kappa with standard deviation .2; by `1 + 2/n` this number for
# kappa.

sure_kept <- new.env()

# The base, the log odds of new rows less it, those of rows left out, and the ratio of spreads.
sure_parts <- function(x, y, h, new, new_h) {
  of <- asNamespace("transelect")
  suppressMessages(trace("greedytl_odds_object", quote(sure_kept[["fit"]] <- list(part, each, weight)), where = of,
                         print = FALSE))
  on.exit(suppressMessages(untrace("greedytl_odds_object", where = of)))
  with_sources <- ncol(h) > 0
  fit <- suppressMessages(greedytl(x, y, family = "binomial",
                                   sources = if (with_sources) sources(h, scale = "link")))
  eta <- suppressMessages(stats::predict(fit, new, sources = if (with_sources) new_h, bound = Inf))
  base <- sure_kept$fit[[1]]$level
  of_rows <- function(what) vapply(sure_kept$fit[[2]], `[[`, numeric(length(y)), what)
  weight <- sure_kept$fit[[3]]
  spread <- stats::cov(of_rows("fitted"))
  list(base = base, e = unname(eta - base), left = drop(of_rows("left") %*% weight) - base,
       ratio = sum(weight * sqrt(diag(spread))) / sqrt(drop(weight %*% spread %*% weight)))
}

sure_ways <- function(parts, y) {
  base <- parts$base
  e <- parts$e
  likelihood <- function(kappa) {
    eta <- base + kappa * parts$left
    sum(stats::plogis(ifelse(y, eta, -eta), log.p = TRUE))
  }
  mixed <- function(kappa, prior) {
    weight <- log(prior) + vapply(kappa, likelihood, 0)
    weight <- exp(weight - max(weight))
    drop(vapply(kappa, function(k) stats::plogis(base + k * e), e) %*% (weight / sum(weight)))
  }
  platt <- exp(stats::optimize(function(l) likelihood(exp(l)) - l^2 / (2 * .2^2), c(-2, 2), maximum = TRUE)$maximum)
  list(
    default = stats::plogis(base + e), spread = stats::plogis(base + parts$ratio * e),
    kappa = mixed(c(1, 1.5, 2.5), c(.6, .25, .15)), integrated = mixed(c(.8, 1, 1.5, 2.5), c(.6, .2, .1, .1)),
    Platt = stats::plogis(base + platt * e), "1 + 2/n" = stats::plogis(base + (1 + 2 / length(y)) * e)
  )
}

# The log losses of the ways, and their slopes. truth: classes, or their probabilities.
sure_losses <- function(parts, y, truth) {
  ways <- sure_ways(parts, y)
  truth <- as.numeric(truth)
  c(vapply(ways, function(p) {
    p <- pmin(pmax(p, 1e-6), 1 - 1e-6)
    -mean(truth * log(p) + (1 - truth) * log(1 - p))
  }, 0), slope = vapply(ways, function(p) {
    odds <- stats::qlogis(pmin(pmax(p, 1e-6), 1 - 1e-6))
    suppressWarnings(stats::glm.fit(cbind(1, odds), truth, family = stats::quasibinomial()))$coefficients[[2]]
  }, 0))
}

sure_of_task <- function(task, n) {
  rows <- odds_rows(task, n)
  rows$test <- utils::head(rows$test, 300)
  eta <- pmin(pmax(task$eta, stats::qlogis(.001)), stats::qlogis(.999))
  y <- task$y[rows$train]
  parts <- sure_parts(task$x[rows$train, ], factor(y), eta[rows$train, ], task$x[rows$test, ], eta[rows$test, ])
  sure_losses(parts, y, task$y[rows$test])
}

SURE_KINDS <- c("no effects", "weak effects", "strong effects", "rare class", "sources alike", "sources mislead",
                   "half of the sources mislead", "sources related", "sources three times too sure", "no sources")

# p features, 4 or 20, eight sources; effects N(0, 4/p), of sources those plus N(0, .8^2 4/p).
sure_of_kind <- function(kind, n) {
  p <- sample(c(4, 20), 1)
  rows <- n + 400
  x <- matrix(stats::rnorm(rows * p), rows, dimnames = list(NULL, paste0("x", seq_len(p))))
  effects <- function() stats::rnorm(p) * 2 / sqrt(p)
  b <- effects()
  size <- switch(kind, "no effects" = 0, "weak effects" = .25, "strong effects" = 2, 1)
  eta <- drop(x %*% b) * size - 1.5 * (kind == "rare class")
  h <- vapply(seq_len(if (kind == "no sources") 0 else 8), function(k) {
    misled <- kind %in% c("no effects", "sources mislead") || kind == "half of the sources mislead" && k > 4
    own <- if (misled) effects() else b + effects() * if (kind == "sources alike") .1 else .8
    drop(x %*% own) * if (kind == "sources three times too sure") 3 else 1
  }, numeric(rows))
  if (length(h)) colnames(h) <- paste0("h", 1:8) else h <- matrix(0, rows, 0)
  at <- seq_len(n)
  repeat {
    y <- stats::runif(rows) < stats::plogis(eta)
    if (min(sum(y[at]), sum(!y[at])) >= 2) break
  }
  parts <- sure_parts(x[at, ], factor(y[at]), h[at, , drop = FALSE], x[-at, ], h[-at, , drop = FALSE])
  sure_losses(parts, y[at], stats::plogis(eta[-at]))
}

part_sure <- function() {
  tasks <- odds_tasks()
  of <- function(cells, draws, run) {
    values <- t(mapply(function(name, n) {
      set.seed(700 + n)
      each <- replicate(draws, run(name, n))
      c(rowMeans(each[1:6, ]), apply(each[7:12, ], 1, stats::median))
    }, cells$name, cells$n))
    list(cells = cells, losses = values[, 1:6], slopes = values[, 7:12])
  }
  real <- expand.grid(name = names(tasks), n = c(12, 24, 60, 120), stringsAsFactors = FALSE)
  real <- real[real$n + 15 < vapply(tasks, function(task) length(task$y), 0L)[real$name], ]
  of_tasks <- of(real, 4, function(name, n) sure_of_task(tasks[[name]], n))
  of_kinds <- of(expand.grid(name = SURE_KINDS, n = c(12, 24), stringsAsFactors = FALSE), 20, sure_of_kind)
  lines <- function(found, label) {
    do.call(rbind, lapply(unique(found$cells$n), function(n) {
      at <- found$cells$n == n
      ratio <- found$losses[at, ] / found$losses[at, 1]
      data.frame(data = label, rows = n, way = colnames(found$losses), ratio = exp(colMeans(log(ratio))),
                 least = apply(ratio, 2, min), largest = apply(ratio, 2, max),
                 "median slope" = apply(found$slopes[at, ], 2, stats::median), check.names = FALSE, row.names = NULL)
    }))
  }
  ratios <- of_kinds$losses[, -1] / of_kinds$losses[, 1]
  section("greedytl", "sure", "How sure the mean of log odds should be", paste(
    "bench/greedytl/sure.R: log loss divided by that of the default, the mean of log odds as it is, geometric",
    "mean over the twelve tasks (4 draws, up to 300 other rows) and over ten simulated kinds (20 draws, expected log",
    "loss of 400 other rows), and the median slope of a logistic regression of the test rows on the log odds."
  ), "", markdown_table(rbind(lines(of_tasks, "tasks"), lines(of_kinds, "simulated"))), "",
  "By simulated kind, with the slope of the default:", "",
  markdown_table(data.frame(kind = of_kinds$cells$name, rows = of_kinds$cells$n, ratios,
                            "slope of the default" = of_kinds$slopes[, 1], check.names = FALSE, row.names = NULL)))
}
