# Cox models stratified by domain by greedytl(), beside glmnet() on features and sources and the sources recalibrated,
# both stratified, too. Only definitions.
#
# Sources: surv_task_with_sources() in counts.R, from the part of the data that is not the target.

strata_tasks <- function() {
  set.seed(42)
  of <- function(data, formula, time, status, strata, pool) {
    data <- data[stats::complete.cases(data[c(all.vars(formula), time, status, strata)]), ]
    x <- scale(stats::model.matrix(formula, data)[, -1])
    list(x = x[, is.finite(colSums(x))], time = data[[time]], status = as.numeric(data[[status]]),
         strata = as.integer(factor(data[[strata]])), pool = pool(data))
  }
  half <- function(data) sample(nrow(data), nrow(data) %/% 2)
  lung <- transform(survival::lung, status = status - 1)
  pbc <- transform(survival::pbc, dead = status == 2, late = stage > 2)
  death <- subset(survival::colon, etype == 2)
  colon <- transform(death, arm = as.integer(rx))
  aids <- transform(MASS::Aids2, dead = status == "D", days = pmax(death - diag, .5), since = as.numeric(diag))
  both <- rbind(
    with(survival::gbsg, data.frame(age, meno, size, nodes, pgr, er, grade = pmin(grade, 2), time = rfstime, status,
                                    here = 1)),
    with(survival::rotterdam, data.frame(age, meno, size = as.integer(size) * 15, nodes, pgr, er, grade = grade - 1,
                                         time = rtime, status = recur, here = 0))
  )
  simulated <- function(own) {
    x <- matrix(stats::rnorm(600 * 8), 600)
    eta <- drop(x %*% stats::rnorm(8, sd = .4)) + ifelse(1:600 > 300, drop(x %*% stats::rnorm(8, sd = own)), 0)
    strata <- sample(3, 600, TRUE)
    time <- (stats::rexp(600) / exp(eta))^c(.5, 1, 2)[strata] * c(1, 4, .3)[strata]
    limit <- stats::rexp(600, c(.5, .1, 1)[strata])
    list(x = x, time = pmin(time, limit), status = as.numeric(time <= limit), strata = strata, pool = 1:300)
  }
  tasks <- list(
    "simulated, same effects" = simulated(0), "simulated, own effects" = simulated(.4),
    "lung, by sex" = of(lung, ~ age + ph.ecog + ph.karno + pat.karno + wt.loss, "time", "status", "sex", half),
    "pbc, by stage" = of(pbc, ~ age + sex + log(bili) + albumin + log(protime) + edema + hepato, "time", "dead", "late",
                         half),
    "veteran, by cell type" = of(survival::veteran, ~ trt + karno + diagtime + age + prior, "time", "status",
                                 "celltype", half),
    "colon, by arm" = of(colon, ~ sex + age + obstruct + perfor + adhere + nodes + factor(differ) + extent + surg,
                         "time", "status", "arm", half),
    "AIDS, by state; the others before" = of(aids, ~ sex + age + T.categ + since, "days", "dead", "state",
                                             function(data) which(data$since < stats::median(data$since))),
    "retinopathy, by laser" = of(survival::retinopathy, ~ age + type + trt + risk, "futime", "status", "laser", half),
    "rotterdam to gbsg, by grade" = of(both, ~ age + meno + size + log(nodes + 1) + log(pgr + 1) + log(er + 1), "time",
                                       "status", "grade", function(data) which(data$here == 0))
  )
  lapply(tasks, surv_task_with_sources)
}

# Minus the log partial likelihood an event of the other rows, and their concordance, within strata.
strata_losses <- function(task, n) {
  repeat {
    row <- sample(task$target)
    train <- row[seq_len(n)]
    if (sum(task$status[train]) >= 8) break
  }
  test <- utils::head(row[-seq_len(n)], 400)
  kept <- apply(task$x[train, ], 2, stats::sd) > 1e-8
  d <- list(x = task$x[train, kept], h = task$h[train, ], y = task$status[train], new_x = task$x[test, kept],
            new_h = task$h[test, ])
  strata <- survival::strata # formulas know it by this name
  own <- survival::Surv(task$time[train], task$status[train])
  here <- task$strata[train]
  net <- tryCatch(suppressWarnings({
    fold <- integer(n) # events in all folds
    fold[order(d$y, stats::runif(n))] <- rep_len(1:5, n)
    fit <- glmnet::cv.glmnet(cbind(d$x, d$h), glmnet::stratifySurv(own, here), family = "cox", foldid = fold, alpha = 0)
    drop(stats::predict(fit, cbind(d$new_x, d$new_h), s = "lambda.min"))
  }), error = function(error) NULL)
  road <- suppressMessages(greedytl(d$x, own, sources = d$h, strata = here))
  platt <- suppressWarnings(survival::coxph(own ~ rowMeans(d$h) + strata(here)))$coefficients
  others <- survival::Surv(task$time[test], task$status[test])
  there <- task$strata[test]
  scores <- list("greedytl()" = stats::predict(road, d$new_x, sources = d$new_h),
                 "ridge on [X H]" = if (is.null(net)) rep(NA, length(test)) else net,
                 "sources recalibrated" = platt * rowMeans(d$new_h), "sources as they are" = rowMeans(d$new_h))
  c(failed = is.null(net), vapply(scores, function(f) {
    if (anyNA(f)) return(NA_real_)
    -survival::coxph(others ~ offset(f) + strata(there))$loglik[1] / sum(task$status[test])
  }, 0), concordance = vapply(scores, function(f) {
    if (anyNA(f)) return(NA_real_)
    survival::concordance(others ~ f + strata(there), reverse = TRUE)$concordance
  }, 0))
}

part_strata <- function() {
  tasks <- strata_tasks()
  cells <- expand.grid(task = names(tasks), n = c(30, 60), stringsAsFactors = FALSE)
  cells <- cells[cells$n + 20 < lengths(lapply(tasks, `[[`, "target"))[cells$task], ]
  draws <- 6
  runs <- Map(function(task, n) {
    set.seed(500 + n)
    replicate(draws, strata_losses(tasks[[task]], n))
  }, cells$task, cells$n)
  failed <- sum(vapply(runs, function(run) sum(run["failed", ]), 0))
  runs <- lapply(runs, function(run) run[-1, ])
  means <- t(vapply(runs, rowMeans, numeric(8), na.rm = TRUE))
  # differences of greedytl() to the others, by cell; `se`: over the draws
  away <- function(of, to) vapply(runs, function(run) mean(run[of, ] - run[to, ], na.rm = TRUE), 0)
  z <- function(of, to) vapply(runs, function(run) {
    gap <- run[of, ] - run[to, ]
    gap <- gap[!is.na(gap)]
    if (length(gap) < 3) 0 else mean(gap) / max(stats::sd(gap) / sqrt(length(gap)), 1e-12)
  }, 0)
  lines <- do.call(rbind, Map(function(other, k) {
    real <- !grepl("simulated", cells$task)
    summary_of <- function(at) {
      data.frame(
        "partial likelihood" = mean(away(1, k)[at]), "median " = stats::median(away(1, k)[at]),
        better = sum(z(1, k)[at] < -2), worse = sum(z(1, k)[at] > 2),
        concordance = mean(away(5, k + 4)[at]), "better " = sum(z(5, k + 4)[at] > 2),
        "worse " = sum(z(5, k + 4)[at] < -2), check.names = FALSE
      )
    }
    rbind(data.frame(other, cells = "all", summary_of(rep(TRUE, nrow(cells))), check.names = FALSE),
          data.frame(other, cells = "real sets, 30 rows", summary_of(real & cells$n == 30), check.names = FALSE),
          data.frame(other, cells = "real sets, 60 rows", summary_of(real & cells$n == 60), check.names = FALSE))
  }, colnames(means)[2:4], 2:4))
  section("greedytl", "strata", "Cox models stratified by domain", paste(
    "bench/greedytl/strata.R:", draws, "draws; other rows: minus the log partial likelihood an event, and concordance,",
    "within strata; ridge by glmnet, stratified, without the", failed, "fits in which it failed. Difference of",
    "greedytl() to each other way, negative where it has the higher likelihood, and for the concordance positive where",
    "it is better; better, worse: cells whose difference is beyond two standard errors over the draws."
  ), "", markdown_table(lines), "",
  markdown_table(data.frame(set = cells$task, rows = cells$n, means, check.names = FALSE, row.names = NULL)))
}
