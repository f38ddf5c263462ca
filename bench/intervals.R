# Intervals: conformal prediction on kinds of data, intervals after selection, standard errors over folds.
# From the project root, with the package installed:
#   Rscript bench/intervals.R [conformal, real, classes, counts, domains, steps, selective, folds, within, rows]
source("bench/common.R")
source("bench/intervals/real.R")

# ---- conformal ----------------------------------------------------------------------------------

# Kinds of data: a function of n rows of the target (and 200 new rows) that returns list(x, y, domain, new_x, new_y);
# three other domains of 60 rows, whose coefficients are near the target's.
interval_kinds <- function() {
  p <- 5
  draw <- function(error, saturate = FALSE, shift = 0) {
    function(n) {
      b <- stats::rnorm(p)
      one <- function(n, near, new = n) {
        x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("x", 1:p)))
        x[seq_len(n) > new, ] <- x[seq_len(n) > new, ] + shift # new rows
        mean <- drop(x %*% (b + stats::rnorm(p, sd = near)))
        if (saturate) mean <- 2 * tanh(mean / 2)
        list(x = x, y = mean + error(x))
      }
      own <- one(n + 200, 0, n)
      others <- lapply(1:3, function(k) one(60, .3))
      at <- seq_len(n)
      list(x = rbind(own$x[at, ], do.call(rbind, lapply(others, `[[`, "x"))),
           y = c(own$y[at], unlist(lapply(others, `[[`, "y"))), domain = rep(c("t", "a", "b", "c"), c(n, 60, 60, 60)),
           new_x = own$x[-at, ], new_y = own$y[-at])
    }
  }
  clustered <- function(x) rep(stats::rnorm(ceiling(nrow(x) / 4)), each = 4)[seq_len(nrow(x))] + stats::rnorm(nrow(x))
  list(normal = draw(function(x) stats::rnorm(nrow(x))), "t(2)" = draw(function(x) stats::rt(nrow(x), 2)),
       "sd grows with abs(x1)" = draw(function(x) stats::rnorm(nrow(x)) * (.3 + abs(x[, 1]))),
       "rows in clusters of 4" = draw(clustered),
       saturating = draw(function(x) stats::rnorm(nrow(x), sd = .5), saturate = TRUE),
       "saturating, shifted" = draw(function(x) stats::rnorm(nrow(x), sd = .5), saturate = TRUE, shift = 1))
}

interval_figures <- function(ends, y) {
  c(cover = mean(ends[, 1] <= y & y <= ends[, 2]), width = stats::median(ends[, 2] - ends[, 1]))
}

# Coverage and width by five ways of intervals at level .9: conformal() of tlcp() with borrowing and of greedytl() of
# the target alone, the prediction interval of lm(), split conformal with lm(), a quantile forest. d: of
# interval_kinds().
interval_ways <- function(d) {
  own <- d$domain == "t"
  borrowed <- if (all(own)) tlcp(d$x, d$y, select = FALSE) else
    tlcp(d$x, d$y, domain = d$domain, target = "t", select = FALSE)
  alone <- greedytl(d$x[own, , drop = FALSE], d$y[own])
  data <- data.frame(y = d$y[own], d$x[own, , drop = FALSE])
  ends <- function(fit, x, y, domain = NULL) {
    sure <- conformal(fit, x, y = y, domain = domain)
    interval_figures(stats::predict(sure, d$new_x, level = .9)[, 2:3], d$new_y)
  }
  half <- seq_len(nrow(data)) %% 2 == 0 # split conformal: half of the rows fit, the others have the errors
  first <- stats::lm(y ~ ., data[half, ])
  errors <- sort(abs(data$y - suppressWarnings(stats::predict(first, data)))[!half])
  mean <- suppressWarnings(stats::predict(first, data.frame(d$new_x)))
  reach <- errors[min(ceiling(.9 * (sum(!half) + 1)), sum(!half))]
  forest <- if (requireNamespace("ranger", quietly = TRUE)) {
    interval_figures(stats::predict(ranger::ranger(y ~ ., data, quantreg = TRUE, num.threads = 1),
                                    data.frame(d$new_x), type = "quantiles", quantiles = c(.05, .95))$predictions,
                     d$new_y)
  } else c(NA, NA)
  c(ends(borrowed, d$x, d$y, if (!all(own)) d$domain), ends(alone, d$x[own, , drop = FALSE], d$y[own]),
    interval_figures(suppressWarnings(stats::predict(stats::lm(y ~ ., data), data.frame(d$new_x),
                                                     interval = "prediction", level = .9))[, 2:3], d$new_y),
    interval_figures(cbind(mean - reach, mean + reach), d$new_y), forest)
}

# The row of a table. draws: of interval_ways(), a column each.
interval_row <- function(kind, n, draws) {
  mean <- rowMeans(draws)
  data.frame(kind = kind, n = n, borrowing = mean[1], greedytl = mean[3], "lm, normal theory" = mean[5],
             "lm, split conformal" = mean[7], "quantile forest" = mean[9], "width borrowing / lm" = mean[2] / mean[6],
             "greedytl / lm" = mean[4] / mean[6], "split / lm" = mean[8] / mean[6],
             "forest / lm" = mean[10] / mean[6], check.names = FALSE)
}

part_conformal <- function() {
  set.seed(1)
  kinds <- interval_kinds()
  rows <- do.call(rbind, unlist(lapply(names(kinds), function(kind) {
    lapply(c(25, 100), function(n) interval_row(kind, n, replicate(20, interval_ways(kinds[[kind]](n)))))
  }), recursive = FALSE))
  section(
    "intervals", "conformal", "Conformal intervals of new rows: coverage at level .9",
    paste("Share of 200 new rows within the interval, mean of 20 draws (standard error about .01), five",
          "features, three other"),
    "domains of 60 rows with coefficients near the target's. `borrowing`: conformal(tlcp(select = FALSE)); `greedytl`:",
    paste("conformal(greedytl()) of the target's rows alone; lm: its prediction interval, and split conformal",
          "with least squares"),
    "of half of the rows; ranger(quantreg = TRUE). Then the median width, relative to lm.",
    paste("25 rows are left out one at a time, 100 in ten folds. `saturating, shifted`: new rows have means of",
          "1 in place of 0,"),
    "so rows are not exchangeable and nothing is promised.", "", markdown_table(rows)
  )
}

part_real <- function() {
  set.seed(7)
  sets <- interval_sets()
  rows <- do.call(rbind, lapply(names(sets), function(name) {
    interval_row(name, sets[[name]]$n, suppressMessages(replicate(15, interval_ways(interval_draw(sets[[name]])))))
  }))
  section(
    "intervals", "real", "Conformal intervals on data sets: coverage at level .9",
    paste("As above; n random rows of the target and at most 150 rows of each of at most four other domains,",
          "the other rows of"),
    "the target are new; 15 draws. Boston (MASS) has no domains.", "", markdown_table(rows)
  )
}

part_classes <- function() {
  set.seed(8)
  sets <- class_sets()
  rows <- do.call(rbind, lapply(names(sets), function(name) {
    mean <- rowMeans(suppressMessages(replicate(6, class_draw(sets[[name]]))))
    data.frame(set = name, n = sets[[name]]$n, greedytl = mean[1], shareboost = mean[3], msplit = mean[5],
               "lda, split" = mean[7], "size greedytl" = mean[2], "shareboost " = mean[4], "msplit " = mean[6],
               "lda, split " = mean[8], check.names = FALSE)
  }))
  section(
    "intervals", "classes", "Conformal sets of classes: coverage at level .9, and size",
    paste("Share of new rows whose class is in the set, and the mean number of classes in it: conformal(nfolds",
          "= 10) of three"),
    paste("methods, fitted to n random rows, 6 draws; beside split conformal of linear discriminant analysis",
          "(half of the rows"),
    "fit, score 1 - probability).", "", markdown_table(rows)
  )
}

part_counts <- function() {
  set.seed(9)
  kinds <- count_kinds()
  rows <- do.call(rbind, lapply(names(kinds), function(kind) {
    mean <- rowMeans(suppressMessages(suppressWarnings(replicate(40, {
      d <- kinds[[kind]]()
      own <- d$domain == "t"
      fit <- if (all(own)) tlcp(d$x, d$y, family = "poisson", select = FALSE) else
        tlcp(d$x, d$y, domain = d$domain, target = "t", family = "poisson", select = FALSE)
      sure <- conformal(fit, d$x, y = d$y, domain = if (!all(own)) d$domain, nfolds = 10)
      data <- data.frame(y = d$y[own], d$x[own, , drop = FALSE])
      mean <- stats::predict(stats::glm(y ~ ., stats::poisson, data), data.frame(d$new_x), type = "response")
      forest <- stats::predict(ranger::ranger(y ~ ., data, quantreg = TRUE, num.threads = 1), data.frame(d$new_x),
                               type = "quantiles", quantiles = c(.05, .95))$predictions
      c(interval_figures(stats::predict(sure, d$new_x, level = .9)[, 2:3], d$new_y),
        interval_figures(cbind(stats::qpois(.05, mean), stats::qpois(.95, mean)), d$new_y),
        interval_figures(forest, d$new_y))
    }))))
    data.frame(kind = kind, "conformal(tlcp)" = mean[1], "Poisson quantiles of glm" = mean[3],
               "quantile forest" = mean[5], "width, conformal" = mean[2], "glm" = mean[4], "forest" = mean[6],
               check.names = FALSE)
  }))
  section(
    "intervals", "counts", "Conformal intervals of counts: coverage at level .9",
    paste("tlcp(family = \"poisson\", select = FALSE) of 40 rows with two other domains of 60 (quine: 80 rows,",
          "no domains), ten"),
    paste("folds; the 5 % and 95 % quantiles of Poisson distributions with the means of glm(); ranger(quantreg",
          "= TRUE). Mean of"),
    "40 draws, and the median width.", "", markdown_table(rows)
  )
}

# k domains of 30 rows and one more, the new one, of 150; five columns. Their slopes differ by normal numbers of
# standard deviation .3. kind: so do their levels, of 2 ("levels"), or the logarithms of their noise, of .5 ("noise").
domains_draw <- function(k, kind, p = 5) {
  domain <- rep(0:k, c(150, rep(30, k)))
  n <- length(domain)
  x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("x", 1:p)))
  slopes <- matrix(stats::rnorm((k + 1) * p, rep(stats::rnorm(p), each = k + 1), .3), k + 1)
  level <- if (kind == "levels") stats::rnorm(k + 1, 0, 2) else numeric(k + 1)
  noise <- if (kind == "noise") exp(stats::rnorm(k + 1, 0, .5)) else rep(1, k + 1)
  at <- domain + 1
  list(x = x, y = rowSums(x * slopes[at, ]) + level[at] + stats::rnorm(n) * noise[at], domain = domain)
}

part_domains <- function() {
  set.seed(2)
  levels <- c(.5, .8, .9)
  cases <- expand.grid(kind = c("slopes", "levels", "noise"), k = c(5, 10), stringsAsFactors = FALSE)
  rows <- do.call(rbind, Map(function(kind, k) {
    draws <- replicate(80, {
      d <- domains_draw(k, kind)
      new <- d$domain == 0
      fit <- tgreedy(d$x[!new, ], d$y[!new], d$domain[!new])
      covered <- function(by, exact = FALSE) {
        sure <- conformal(fit, d$x[!new, ], y = d$y[!new], domain = d$domain[!new], by = by, exact = exact)
        c(vapply(levels, function(level) {
          interval_figures(suppressMessages(stats::predict(sure, d$x[new, ], level = level))[, 2:3], d$y[new])[[1]]
        }, 0), sure$size)
      }
      rbind(covered("domain"), covered("domain", TRUE), covered("rows"))
    })
    data.frame("domains differ in" = kind, domains = k, "limits of" = c("domains", "domains, exact", "rows"),
               "level .5" = rowMeans(draws[, 1, ]), ".8" = rowMeans(draws[, 2, ]), ".9" = rowMeans(draws[, 3, ]),
               "independent rows" = apply(draws[, 4, ], 1, stats::median), check.names = FALSE)
  }, cases$kind, cases$k))
  section(
    "intervals", "domains", "Conformal intervals at a place not seen",
    paste("tgreedy() of domains of 30 rows: coverage of 150 rows of a new domain, mean of 80 draws (standard error",
          "about .02).",
          "Domains"),
    "are left out, with the estimated number of independent rows or exact = TRUE, or rows are left out.", "",
    markdown_table(rows)
  )
}

# ---- steps chosen by cross-validation ------------------------------------------------------------------

part_steps <- function() {
  set.seed(10)
  levels <- c(.5, .8, .9)
  rows <- do.call(rbind, lapply(c(25, 50, 100), function(n) {
    draws <- replicate(60, {
      x <- matrix(stats::rnorm((n + 200) * 20), ncol = 20, dimnames = list(NULL, paste0("x", 1:20)))
      y <- drop(x[, 1:4] %*% c(1, -1, .5, .5)) + stats::rnorm(n + 200)
      own <- seq_len(n)
      covered <- function(sure) {
        vapply(levels, function(level) {
          interval_figures(stats::predict(sure, x[-own, ], level = level)[, 2:3], y[-own])[[1]]
        }, 0)
      }
      fit <- greedytl(x[own, ], y[own])
      cv <- cv_path(x[own, ], y[own], fit = greedytl)
      rbind(covered(conformal(cv, x[own, ], y = y[own], step = "min", nfolds = 10)),
            covered(conformal(cv, x[own, ], y = y[own], step = "1se", nfolds = 10)),
            covered(conformal(fit, x[own, ], y = y[own], nfolds = 10)))
    })
    mean <- apply(draws, 1:2, mean)
    data.frame(rows = n, step = c("min", "1se", "chosen in each refit"), "level .5" = mean[, 1], ".8" = mean[, 2],
               ".9" = mean[, 3], check.names = FALSE)
  }))
  section(
    "intervals", "steps", "Conformal intervals where cross-validation has chosen the step",
    "greedytl() of 20 columns, four with effects, ten folds: coverage of 200 new rows, mean of 60 draws (standard",
    "error about .01). `chosen in each refit`: the default of a path.", "", markdown_table(rows)
  )
}

# ---- after selection ------------------------------------------------------------------------------

part_selective <- function() {
  set.seed(3)
  p <- 8
  b <- c(.5, .3, rep(0, p - 2))
  names(b) <- paste0("x", 1:p)
  inside <- function(ends, on) {
    if (length(on)) c(sum(ends[on, 1] <= b[on] & b[on] <= ends[on, 2]), length(on)) else c(0, 0)
  }
  # rows of each domain, domains, standard deviation of the others' coefficients about the target's, data sets
  cases <- list(c(40, 1, 0, 300), c(150, 1, 0, 300), c(40, 4, 0, 150), c(40, 4, .2, 150), c(40, 4, .5, 150))
  rows <- do.call(rbind, lapply(cases, function(case) {
    n <- case[1] * case[2]
    site <- rep(letters[seq_len(case[2])], each = case[1])
    counts <- rowSums(replicate(case[4], suppressMessages({
      x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, names(b)))
      of <- cbind(b, matrix(b + stats::rnorm(p * (case[2] - 1), sd = case[3]), p))
      y <- rowSums(x * t(of[, match(site, letters)])) + stats::rnorm(n)
      alone <- case[2] == 1
      fit <- if (alone) tlcp(x, y, criterion = "AIC") else tlcp(x, y, domain = site, target = "a")
      thinned <- stats::confint(fit, selective = TRUE)
      beforehand <- if (length(fit$selected)) stats::confint(fit)
      all <- if (alone) tlcp(x, y, select = FALSE) else tlcp(x, y, domain = site, target = "a", select = FALSE)
      c(inside(thinned, attr(thinned, "selected")), inside(beforehand, fit$selected),
        inside(stats::confint(all), names(b)))
    })))
    data.frame("rows of the target" = case[1], "other domains" = case[2] - 1, "their distance" = case[3],
               thinned = counts[1] / counts[2], "(its error)" = sqrt(.05 * .95 / counts[2]),
               "as if chosen beforehand" = counts[3] / counts[4], "select = FALSE" = counts[5] / counts[6],
               check.names = FALSE)
  }))
  section(
    "intervals", "selective", "Intervals after selection: coverage at level .95",
    paste("Eight normal features, effects .5, .3 and six zeros, noise 1; share of the intervals of chosen",
          "columns that hold the"),
    paste("true effect. `thinned`: confint(selective = TRUE). `select = FALSE`: usual intervals of all columns,",
          "nothing chosen."),
    paste("Where other domains are equal (distance 0) all intervals hold more than they say, with or without a",
          "selection: the"),
    "posterior cannot tell equal domains from domains that differ little.", "", markdown_table(rows)
  )
}

# ---- standard errors over folds -----------------------------------------------------------------------

part_folds <- function() {
  set.seed(4)
  all <- function(x, y) stats::lm(y ~ ., data.frame(x))
  pairs <- list(
    "lm of 1 feature less lm of 4" = list(all, function(x, y) stats::lm(y ~ x1, data.frame(x))),
    "best subset less lm of 4" = list(all, function(x, ...) tlcp(x, ..., criterion = "BIC"))
  )
  cases <- rbind(expand.grid(n = c(30, 100), folds = c(5, 10), pair = 1:2), data.frame(n = 30, folds = 2, pair = 1))
  rows <- do.call(rbind, lapply(seq_len(nrow(cases)), function(k) {
    n <- cases$n[k]
    folds <- cases$folds[k]
    fits <- stats::setNames(pairs[[cases$pair[k]]], c("first", "second"))
    draws <- replicate(100, suppressMessages({
      x <- matrix(stats::rnorm(n * 4), n, dimnames = list(NULL, paste0("x", 1:4)))
      y <- x[, 1] + .3 * x[, 2] * (cases$pair[k] == 2) + stats::rnorm(n)
      both <- compare_paths(x, y, fits = fits, baselines = FALSE, nfolds = folds)
      unlist(both[2, c("difference", "difference_se", "difference_corrected")])
    }))
    center <- mean(draws[1, ])
    t <- stats::qt(.975, folds - 1)
    spread <- stats::sd(draws[1, ])
    data.frame(pair = names(pairs)[cases$pair[k]], n = n, folds = folds,
               "se / true sd" = sqrt(mean(draws[2, ]^2)) / spread,
               "corrected / true sd" = sqrt(mean(draws[3, ]^2)) / spread,
               "coverage, se" = mean(abs(draws[1, ] - center) <= t * draws[2, ]),
               "coverage, corrected" = mean(abs(draws[1, ] - center) <= t * draws[3, ]), check.names = FALSE)
  }))
  section(
    "intervals", "folds", "Standard errors of a difference over folds",
    paste("compare_paths() of two fits to 100 data sets, four features of which one has an effect (second pair:",
          "two, of 1 and"),
    paste(".3). The root mean square of the two standard errors, divided by the standard deviation of the",
          "difference over the"),
    paste("data sets (1 is right), and the coverage of the mean difference at level .95 with the t quantile of",
          "folds - 1 degrees"),
    "of freedom (standard error about .02).", "", markdown_table(rows)
  )
}

# ---- subsets near the best ---------------------------------------------------------------------------------

part_within <- function() {
  rows <- do.call(rbind, lapply(list(c(20, 2), c(30, 2), c(30, 4), c(40, 2)), function(size) {
    set.seed(5)
    p <- size[1]
    x <- matrix(stats::rnorm(500 * p), 500, dimnames = list(NULL, paste0("x", 1:p)))
    y <- drop(x[, 1:(p / 2)] %*% rep(.15, p / 2)) + 2 * stats::rnorm(500)
    near <- tlcp(x, y, criterion = "AIC", within = size[2])$within
    spent <- in_turns(list(list = function() tlcp(x, y, criterion = "AIC", within = size[2]),
                           best = function() tlcp(x, y, criterion = "AIC")), turns = 5)
    data.frame(features = p, within = size[2], subsets = length(near$criterion), complete = near$complete,
               "ms" = 1000 * spent[["list"]], "ms, the best alone" = 1000 * spent[["best"]], check.names = FALSE)
  }))
  section(
    "intervals", "within", "All subsets near the best",
    paste("500 rows, half of the features have an effect of .15, noise 2, AIC: processor time of tlcp(within =",
          ") and of tlcp(),"),
    "the least of five turns.", "", markdown_table(rows)
  )
}

# ---- rows that borrowing is worth ------------------------------------------------------------------------------

# A target of n rows and four other domains of 60 rows; six features, noise 1. near: the standard deviation of the other
# domains' coefficients about the target's, NA: they are drawn anew.
rows_data <- function(n, near, p = 6, others = 4) {
  b <- stats::rnorm(p)
  one <- function(n, b) {
    x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("x", 1:p)))
    list(x = x, y = drop(x %*% b) + stats::rnorm(n))
  }
  parts <- c(list(one(n, b)), lapply(seq_len(others), function(k) {
    one(60, if (is.na(near)) stats::rnorm(p) else b + stats::rnorm(p, sd = near))
  }))
  list(b = b, x = do.call(rbind, lapply(parts, `[[`, "x")), y = unlist(lapply(parts, `[[`, "y")),
       domain = rep(c("t", letters[seq_len(others)]), c(n, rep(60, others))))
}

# Squared standard error and squared error of coefficient j by least squares of n rows of their own.
rows_alone <- function(n, b, j) {
  p <- length(b)
  x <- cbind(1, matrix(stats::rnorm(n * p), n))
  y <- drop(x[, -1] %*% b) + stats::rnorm(n)
  inverse <- solve(crossprod(x))
  coef <- drop(inverse %*% crossprod(x, y))
  c(sum((y - x %*% coef)^2) / (n - p - 1) * inverse[j + 1, j + 1], (coef[j + 1] - b[j])^2)
}

part_rows <- function() {
  set.seed(6)
  kinds <- c(equal = 0, near = .2, unrelated = NA)
  rows <- do.call(rbind, unlist(lapply(names(kinds), function(kind) lapply(c(20, 40, 80), function(n) {
    draws <- replicate(60, simplify = FALSE, suppressMessages({
      d <- rows_data(n, kinds[[kind]])
      fit <- tlcp(d$x, d$y, domain = d$domain, target = "t", select = FALSE)
      worth <- summary(fit)$borrowed$rows
      alone <- vapply(seq_along(d$b), function(j) rows_alone(n + round(worth[j]), d$b, j), numeric(2))
      cbind(worth, diag(stats::vcov(fit))[-1], (stats::coef(fit)[-1] - d$b)^2, alone[1, ], alone[2, ])
    }))
    all <- do.call(rbind, draws)
    # the standard error of a ratio, from the data sets
    ratio <- vapply(draws, function(d) mean(log(d[, 2] / d[, 4])) / 2, 0)
    data.frame("other domains" = kind, n = n, rows = mean(all[, 1]), "standard errors, ratio" = exp(mean(ratio)),
               "(its error)" = stats::sd(ratio) / sqrt(length(ratio)),
               "root mean square errors, ratio" = sqrt(mean(all[, 3]) / mean(all[, 5])), check.names = FALSE)
  })), recursive = FALSE))
  section(
    "intervals", "rows", "How many rows of the target what is borrowed is worth",
    "A target of n rows, four other domains of 60 rows, six features, noise 1; coefficients of the other domains are",
    "equal, near (standard deviation .2), or drawn anew; 60 data sets. `rows`: the mean of summary(fit)$borrowed$rows.",
    "Then standard errors of the borrowing fit, divided by those of least squares of n + `rows` new rows of the target",
    paste("alone (geometric mean over data sets and coefficients; wanted .95 to 1.05), and the same of errors",
          "in truth: below 1"),
    "the borrowing fit is better than its standard errors say.", "", markdown_table(rows)
  )
}

run_parts("intervals", list(conformal = part_conformal, real = part_real, classes = part_classes,
                            counts = part_counts, domains = part_domains, steps = part_steps,
                            selective = part_selective, folds = part_folds, within = part_within, rows = part_rows),
          alone = "within")
