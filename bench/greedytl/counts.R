# Counts by greedytl(family = "poisson"), and survival times by the same road in plain R: are they ahead of glmnet() on
# features and sources, and of the sources recalibrated? Only definitions.
#
# log rate f ~ N(base + c hbar, K), K = XX'/(alpha_x p) + HH'/(alpha_h s) + 4 11', columns of unit variance, weights of
# the pairs as in src/greedytl/laplace.h, leave-one-out by one Newton step; this, the same without sources, and the mean
# of the sources' log rates recalibrated and as it is are averaged by weights that maximise the leave-one-out
# likelihood. Cox's model is the Poisson one of the events with the cumulative baseline hazard as exposure, made anew
# twice.

rate_mode <- function(K, m, y, exposure) {
  n <- length(y)
  f <- m
  a <- numeric(n)
  height <- -Inf
  value_at <- function(a) {
    f <- m + drop(K %*% a)
    list(f = f, value = sum(y * f - exposure * exp(f)) - sum(a * (f - m)) / 2)
  }
  for (round in 1:30) {
    mu <- exposure * exp(f)
    root <- sqrt(mu)
    U <- chol(diag(n) + outer(root, root) * K)
    b <- mu * (f - m) + y - mu
    wanted <- b - root * backsolve(U, forwardsolve(t(U), root * drop(K %*% b)))
    share <- 1
    repeat {
      at <- value_at(a + share * (wanted - a))
      if (is.finite(at$value) && at$value >= height - 1e-9 || share < 1e-4) break
      share <- share / 2
    }
    a <- a + share * (wanted - a)
    f <- at$f
    done <- abs(at$value - height) < 1e-7
    height <- at$value
    if (done) break
  }
  mu <- exposure * exp(f)
  root <- sqrt(mu)
  U <- chol(diag(n) + outer(root, root) * K)
  variance <- diag(K) - colSums(forwardsolve(t(U), root * K)^2)
  list(a = y - mu, evidence = height - sum(log(diag(U))), f = f,
       left = f - (y - mu) / pmax(1 / variance - mu, 1e-10))
}

# Log rates of new rows and of rows left out, by alternative.
rate_alternatives <- function(d, exposure) {
  standard <- function(z, by) {
    center <- colMeans(by)
    scale <- sqrt(colMeans(sweep(by, 2, center)^2))
    sweep(sweep(z, 2, center), 2, ifelse(scale > 1e-8, scale, Inf), "/")
  }
  x <- standard(d$x, d$x)
  h <- standard(d$h, d$h)
  new_x <- standard(d$new_x, d$x)
  new_h <- standard(d$new_h, d$h)
  mean_h <- rowMeans(d$h)
  hbar <- mean_h - mean(mean_h)
  new_hbar <- rowMeans(d$new_h) - mean(mean_h)
  base <- log(sum(d$y) / sum(exposure))
  pairs <- expand.grid(ax = 10^(-1:3), ah = c(10^(-1:3), Inf), c = 0:1)
  prior <- -log(pairs$ax / 10)^2 / 8 - ifelse(pairs$ah < 1, log(pairs$ah)^2 / (2 * .75^2), 0) +
    ifelse(pairs$c == 1, log(3), ifelse(is.infinite(pairs$ah), log(30), 0))
  fits <- lapply(seq_len(nrow(pairs)), function(k) {
    at <- pairs[k, ]
    K <- tcrossprod(x) / ncol(x) / at$ax + tcrossprod(h) / ncol(h) / at$ah + 4
    cross <- tcrossprod(new_x, x) / ncol(x) / at$ax + tcrossprod(new_h, h) / ncol(h) / at$ah + 4
    fit <- rate_mode(K, base + at$c * hbar, d$y, exposure)
    list(evidence = fit$evidence, left = fit$left, fitted = fit$f,
         new = base + at$c * new_hbar + drop(cross %*% fit$a))
  })
  value <- vapply(fits, `[[`, 0, "evidence") + prior
  averaged <- function(keep) {
    weight <- ifelse(keep, exp(value - max(value[keep])), 0)
    weight[weight < .1] <- 0
    weight <- weight / sum(weight)
    lapply(c(left = "left", new = "new", fitted = "fitted"), function(what) {
      Reduce(`+`, Map(function(fit, w) w * fit[[what]], fits[weight > 0], weight[weight > 0]))
    })
  }
  platt <- function(i) {
    stats::optim(c(0, 0), function(at) {
      f <- base + at[1] + exp(at[2]) * hbar[i]
      sum(exposure[i] * exp(f) - d$y[i] * f) + at[2]^2 / (2 * .5^2) + at[1]^2 / 200
    }, method = "BFGS")$par
  }
  of <- function(ab, hbar) base + ab[1] + exp(ab[2]) * hbar
  rows <- seq_along(d$y)
  all <- platt(rows)
  list(
    all = averaged(rep(TRUE, nrow(pairs))), features = averaged(is.infinite(pairs$ah) & pairs$c == 0),
    recalibrated = list(left = vapply(rows, function(i) of(platt(rows[-i]), hbar[i]), 0), new = of(all, new_hbar),
                        fitted = of(all, hbar)),
    "as they are" = list(left = mean_h, new = rowMeans(d$new_h), fitted = mean_h)
  )
}

rate_average <- function(d, exposure) {
  each <- rate_alternatives(d, exposure)
  left <- vapply(each, `[[`, numeric(length(d$y)), "left")
  height <- function(u) {
    w <- exp(c(u, 0)) / sum(exp(c(u, 0)))
    f <- drop(left %*% w)
    sum(exposure * exp(f) - d$y * f) - 2 * mean(log(w))
  }
  u <- stats::optim(numeric(ncol(left) - 1), height, method = "BFGS")$par
  w <- exp(c(u, 0)) / sum(exp(c(u, 0)))
  lapply(c(new = "new", fitted = "fitted"), function(what) {
    drop(vapply(each, `[[`, each[[1]][[what]], what) %*% w)
  })
}

# ---- counts -----------------------------------------------------------------------------------------

# A Poisson model of some rows with a small ridge.
rate_source <- function(x, y, exposure) {
  x <- cbind(1, x)
  b <- c(log(mean(y) / mean(exposure) + 1e-3), numeric(ncol(x) - 1))
  penalty <- diag(c(1e-3, rep(1, ncol(x) - 1)))
  for (round in 1:50) {
    mu <- exposure * exp(pmin(drop(x %*% b), 20))
    step <- solve(crossprod(x, mu * x) + penalty, crossprod(x, y - mu) - penalty %*% b)
    b <- b + drop(step) * min(1, 1 / max(abs(step)))
  }
  b
}

count_task <- function(x, y, exposure, pool, sources = 10, size = 25) {
  x <- scale(x)
  x <- x[, is.finite(colSums(x)), drop = FALSE]
  h <- vapply(seq_len(sources), function(k) {
    row <- sample(pool, min(size, length(pool)))
    drop(cbind(1, x) %*% rate_source(x[row, , drop = FALSE], y[row], exposure[row]))
  }, numeric(nrow(x)))
  list(x = x, h = h, y = y, exposure = exposure, target = setdiff(seq_along(y), pool))
}

count_tasks <- function() {
  set.seed(40)
  dummies <- function(formula, data) stats::model.matrix(formula, data)[, -1]
  simulated <- function(own, dispersion) {
    x <- matrix(stats::rnorm(500 * 8), 500)
    b <- stats::rnorm(8, sd = .3)
    pool <- 1:250
    eta <- drop(x %*% b) + ifelse(seq_len(500) > 250, drop(x %*% stats::rnorm(8, sd = own)), 0)
    count_task(x, stats::rnbinom(500, mu = 2 * exp(eta), size = dispersion), rep(1, 500), pool)
  }
  quine <- MASS::quine
  epil <- MASS::epil
  insurance <- MASS::Insurance
  list(
    "simulated, same effects" = simulated(0, 1e6), "simulated, own effects" = simulated(.3, 1e6),
    "simulated, overdispersed" = simulated(.1, 2),
    "quine" = count_task(dummies(~ Sex + Age + Lrn + Eth, quine), quine$Days, rep(1, 146), which(quine$Eth == "A")),
    "epil" = count_task(dummies(~ log(base) * trt + log(age) + V4, epil), epil$y, rep(1, 236), 1:112),
    "insurance" = count_task(dummies(~ District + Group + Age, transform(insurance, Group = as.numeric(Group),
                                                                        Age = as.numeric(Age))),
                             insurance$Claims, insurance$Holders, which(insurance$District %in% 1:2), size = 12),
    "warpbreaks" = count_task(dummies(~ wool * tension, warpbreaks), warpbreaks$breaks, rep(1, 54),
                              sample(54, 22), size = 12)
  )
}

count_losses <- function(task, n) {
  row <- sample(task$target)
  train <- row[seq_len(n)]
  test <- row[-seq_len(n)]
  d <- list(x = task$x[train, , drop = FALSE], h = task$h[train, ], y = task$y[train],
            new_x = task$x[test, , drop = FALSE], new_h = task$h[test, ])
  exposure <- task$exposure[train]
  deviance <- function(f) {
    mu <- task$exposure[test] * exp(f)
    y <- task$y[test]
    mean(2 * (ifelse(y > 0, y * log(y / mu), 0) - y + mu))
  }
  z <- cbind(d$x, d$h)
  net <- suppressWarnings(glmnet::cv.glmnet(z, d$y, family = "poisson", offset = log(exposure), nfolds = 5, alpha = 0))
  own <- suppressWarnings(stats::glm(d$y ~ rowMeans(d$h), stats::poisson(), offset = log(exposure)))$coefficients
  names <- list(NULL, paste0("x", seq_len(ncol(d$x))))
  fit <- suppressMessages(greedytl(
    matrix(d$x, n, dimnames = names), d$y, offset = log(exposure), family = "poisson",
    sources = sources(matrix(d$h, n, dimnames = list(NULL, paste0("h", 1:10))), scale = "link")
  ))
  new <- matrix(d$new_x, ncol = ncol(d$x), dimnames = names)
  new_h <- matrix(d$new_h, ncol = 10, dimnames = list(NULL, paste0("h", 1:10)))
  fitted <- suppressMessages(stats::predict(fit, new, sources = new_h, offset = numeric(nrow(new))))
  c("family = \"poisson\"" = deviance(fitted), "prototype, no dispersion" = deviance(rate_average(d, exposure)$new),
    "ridge on [X H]" = deviance(drop(stats::predict(net, cbind(d$new_x, d$new_h), newoffset = 0, s = "lambda.min"))),
    "sources recalibrated" = deviance(own[[1]] + own[[2]] * rowMeans(d$new_h)))
}

# ---- survival times ---------------------------------------------------------------------------------

surv_tasks <- function() {
  set.seed(41)
  dummies <- function(formula, data) stats::model.matrix(formula, data)[, -1]
  of <- function(data, formula, time, status, pool) {
    data <- data[stats::complete.cases(data[c(all.vars(formula), time, status)]), ]
    list(x = scale(dummies(formula, data)), time = data[[time]], status = as.numeric(data[[status]]),
         pool = pool(data))
  }
  half <- function(data) sample(nrow(data), nrow(data) %/% 2)
  simulated <- function(own) {
    x <- matrix(stats::rnorm(500 * 8), 500)
    eta <- drop(x %*% stats::rnorm(8, sd = .4)) + ifelse(1:500 > 250, drop(x %*% stats::rnorm(8, sd = own)), 0)
    time <- stats::rexp(500, exp(eta))
    limit <- stats::rexp(500, .4)
    list(x = x, time = pmin(time, limit), status = as.numeric(time <= limit), pool = 1:250)
  }
  lung <- survival::lung
  lung$status <- lung$status - 1
  pbc <- survival::pbc
  pbc$status <- pbc$status == 2
  both <- rbind(
    with(survival::gbsg, data.frame(age, meno, grade, nodes, pgr, er, time = rfstime, status, here = 1)),
    with(survival::rotterdam, data.frame(age, meno, grade, nodes, pgr, er, time = rtime, status = recur, here = 0))
  )
  tasks <- list(
    "simulated, same effects" = simulated(0), "simulated, own effects" = simulated(.4),
    "lung" = of(lung, ~ age + sex + ph.ecog + ph.karno + pat.karno, "time", "status", half),
    "pbc" = of(pbc, ~ age + sex + log(bili) + albumin + log(protime) + edema + hepato, "time", "status", half),
    "veteran" = of(survival::veteran, ~ trt + celltype + karno + diagtime + age + prior, "time", "status", half),
    "gbsg from rotterdam" = of(both, ~ age + meno + grade + log(nodes + 1) + log(pgr + 1) + log(er + 1), "time",
                               "status", function(data) which(data$here == 0))
  )
  lapply(tasks, surv_task_with_sources)
}

# The task with the log hazards of ten Cox models, each of 40 rows drawn from the pool, and the rows of the target.
surv_task_with_sources <- function(task) {
  task$h <- vapply(1:10, function(k) {
    row <- sample(task$pool, 40)
    fit <- suppressWarnings(survival::coxph(
      survival::Surv(task$time, task$status)[row] ~ survival::ridge(task$x[row, ], theta = 2, scale = FALSE)
    ))
    drop(task$x %*% ifelse(is.na(fit$coefficients), 0, fit$coefficients))
  }, numeric(nrow(task$x)))
  task$target <- setdiff(seq_along(task$time), task$pool)
  task
}

# The cumulative baseline hazard at every row's own time.
surv_exposure <- function(time, status, f) {
  o <- order(time, -status)
  risk <- rev(cumsum(rev(exp(f[o]))))
  hazard <- cumsum(status[o] / risk)
  last <- vapply(time, function(t) max(c(0, hazard[time[o] <= t])), 0)
  pmax(last, 1e-8)
}

surv_losses <- function(task, n) {
  row <- sample(task$target)
  train <- row[seq_len(n)]
  test <- utils::head(row[-seq_len(n)], 400)
  d <- list(x = task$x[train, ], h = task$h[train, ], y = task$status[train], new_x = task$x[test, ],
            new_h = task$h[test, ])
  f <- numeric(n)
  for (round in 1:3) {
    at <- rate_average(d, surv_exposure(task$time[train], task$status[train], f))
    f <- at$fitted - mean(at$fitted)
  }
  own <- survival::Surv(task$time[train], task$status[train])
  net <- suppressWarnings(glmnet::cv.glmnet(cbind(d$x, d$h), own, family = "cox", nfolds = 5, alpha = 0))
  platt <- survival::coxph(own ~ rowMeans(d$h))$coefficients
  others <- survival::Surv(task$time[test], task$status[test])
  deviance <- function(f) {
    -survival::coxph(others ~ offset(f))$loglik[1] / sum(task$status[test])
  }
  scores <- list(road = at$new, "ridge on [X H]" = drop(stats::predict(net, cbind(d$new_x, d$new_h), s = "lambda.min")),
                 "sources recalibrated" = platt * rowMeans(d$new_h), "sources as they are" = rowMeans(d$new_h))
  c(vapply(scores, deviance, 0),
    concordance = vapply(scores[1:3], function(f) survival::concordance(others ~ f, reverse = TRUE)$concordance, 0))
}

part_counts <- function() {
  counts <- count_tasks()
  cells <- expand.grid(task = names(counts), n = c(16, 32), stringsAsFactors = FALSE)
  cells <- cells[cells$n + 10 < lengths(lapply(counts, `[[`, "target"))[cells$task], ]
  of_counts <- t(mapply(function(task, n) {
    set.seed(n)
    rowMeans(replicate(8, count_losses(counts[[task]], n)))
  }, cells$task, cells$n))
  times <- surv_tasks()
  cells_times <- expand.grid(task = names(times), n = c(30, 60), stringsAsFactors = FALSE)
  of_times <- t(mapply(function(task, n) {
    set.seed(n)
    rowMeans(replicate(8, surv_losses(times[[task]], n)))
  }, cells_times$task, cells_times$n))
  geometric <- function(v) exp(mean(log(v)))
  ratio <- of_counts[, 1] / of_counts
  best <- of_counts[, 1] / pmin(of_counts[, 3], of_counts[, 4])
  real <- !grepl("simulated", cells$task)
  away <- of_times[, 1] - of_times[, 1:4]
  number <- function(v) format(v, digits = 3)
  section("greedytl", "counts", "Counts, and survival times by the same road in plain R", paste(
    "bench/greedytl/counts.R. Counts: mean Poisson deviance on the other rows, 8 draws; ridge by glmnet with the",
    "exposure as offset, and a Poisson model of the mean of ten sources. Survival times, by a prototype: minus the",
    "partial log-likelihood of the other rows, an event, and concordance, 8 draws. Deviance of family = \"poisson\"",
    "divided by that of ridge on [X H], geometric mean:", paste0(number(geometric(ratio[, 3])), ","),
    "of the sets that are not simulated",
    paste0(number(geometric(ratio[real, 3])), ";"), "by that of the sources recalibrated:",
    paste0(number(geometric(ratio[, 4])), ", ", number(geometric(ratio[real, 4])), ";"),
    "by the smaller of the two, at most",
    paste0(number(max(best)), "."), "Survival times, mean difference of the prototype to ridge:",
    paste0(number(mean(away[, 2])), ","), "to the sources recalibrated:", paste0(number(mean(away[, 3])), ".")
  ), "", markdown_table(data.frame(set = cells$task, rows = cells$n, of_counts, check.names = FALSE, row.names = NULL)),
  "", markdown_table(data.frame(set = cells_times$task, rows = cells_times$n, of_times, check.names = FALSE,
                                row.names = NULL)))
}
