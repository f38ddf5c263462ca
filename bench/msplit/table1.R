# The paper's simulation: five strong signals, 35 weak ones, 40 columns without effect; Table 1 as
# printed, and every method tuned without the truth. Only definitions.

paper_design <- list(
  n = 100, beta = rep(c(2, .2, 0), c(5, 35, 40)), noise = .5, correlation = c(.2, .4, .6, .8),
  nu = c(3, 5, 7, 10)
)

# Columns of variance 1, every two with the same correlation.
equicorrelated <- function(n, p, correlation) {
  sqrt(correlation) * stats::rnorm(n) + sqrt(1 - correlation) * matrix(stats::rnorm(n * p), n)
}

paper_problem <- function(run, column) {
  set.seed(1000 * column + run)
  x <- equicorrelated(paper_design$n, 80, paper_design$correlation[column])
  list(x = x, y = drop(x %*% paper_design$beta) + paper_design$noise * stats::rnorm(nrow(x)))
}

# |b - beta| / |beta| of every column of b.
relative_error <- function(b, beta = paper_design$beta) {
  sqrt(colSums((as.matrix(b) - beta)^2) / sum(beta^2))
}

# As the paper does it, nothing centred or scaled.
as_paper <- function(problem, nu, ...) {
  fit <- msplit(problem$x, problem$y, ..., nu = nu, choose = "none", intercept = FALSE,
                standardize = FALSE)
  function(estimator) {
    min(relative_error(stats::coef(fit, step = fit$points$step, estimator = estimator)[-1, ]))
  }
}

glmnet_path <- function(problem, alpha) {
  lambda <- c(exp(seq(log(5), log(1e-5), length.out = 499)), 0)
  fit <- glmnet::glmnet(problem$x, problem$y, alpha = alpha, lambda = lambda, intercept = FALSE,
                        standardize = FALSE)
  min(relative_error(fit$beta))
}

best_on_path <- function(problem, nu) {
  lbi <- as_paper(problem, nu, method = "lbi", control = msplit_control(kappa = 5))
  exact <- as_paper(problem, nu, method = "iss")
  ours <- c("dense, lbi" = lbi("dense"), "sparse, lbi" = lbi("sparse"),
            "dense, exact path" = exact("dense"), "sparse, exact path" = exact("sparse"))
  if (!installed("glmnet")) return(ours)
  mix <- vapply(seq(0, 1, .05), glmnet_path, 0, problem = problem)
  c(ours, lasso = mix[21], "elastic net" = min(mix), ridge = mix[1],
    MLE = relative_error(qr.coef(qr(problem$x), problem$y)))
}

# "mean (standard error)" of runs: methods x columns x runs.
mean_and_error <- function(runs, format = "%.3f (%.3f)") {
  error <- apply(runs, 1:2, stats::sd) / sqrt(dim(runs)[3])
  error[] <- sprintf(format, apply(runs, 1:2, mean), error)
  error
}

table_of <- function(runs, first, ...) {
  text <- mean_and_error(runs, ...)
  cbind(stats::setNames(data.frame(rownames(text)), first),
        as.data.frame(text, optional = TRUE), row.names = NULL)
}

printed_table1 <- data.frame(
  method = c("dense", "sparse", "lasso", "elastic net", "ridge", "MLE"),
  ".2" = c(.124, .146, .132, .130, .206, .237), ".4" = c(.131, .171, .142, .136, .232, .274),
  ".6" = c(.146, .202, .178, .164, .272, .336), ".8" = c(.175, .242, .237, .227, .348, .475),
  check.names = FALSE
)

simulation_runs <- function(one, count) {
  runs <- simplify2array(lapply(seq_len(count), function(run) {
    out <- lapply(1:4, function(column) one(run, column))
    matrix(unlist(out), ncol = 4, dimnames = list(names(out[[1]]), paper_design$correlation))
  }))
  runs
}

# Error of the best other method less that of the dense estimator, with its standard error, by correlation.
dense_lead <- function(runs, ours, others) {
  means <- apply(runs, 1:2, mean)
  lead <- vapply(seq_len(ncol(means)), function(column) {
    second <- others[which.min(means[others, column])]
    gain <- runs[second, column, ] - runs[ours, column, ]
    sprintf("%.3f (%.3f), %s", mean(gain), stats::sd(gain) / sqrt(length(gain)), second)
  }, "")
  paste(paste0(colnames(means), ": ", lead), collapse = "; ")
}

part_table1 <- function(count = 20) {
  runs <- simulation_runs(function(run, column) {
    best_on_path(paper_problem(run, column), paper_design$nu[column])
  }, count)
  rivals <- setdiff(rownames(runs), grep("exact|lbi", rownames(runs), value = TRUE))
  section(
    "msplit", "table1", "The paper's Table 1: the best point of each path, which needs the truth",
    "n = 100, 80 columns, equal correlations, five coefficients of 2, 35 of .2, noise of standard deviation .5;",
    paste0("nu = 3, 5, 7, 10 for the four correlations; kappa = 5; ", count, " runs. The smallest relative error on"),
    "the path, mean (standard error); glmnet at 500 values of lambda, elastic net at 21 mixtures.", "",
    markdown_table(table_of(runs, "correlation")), "",
    if (length(rivals)) {
      c(paste0("Error of the best other method less that of the dense estimator (lbi), same runs: ",
               dense_lead(runs, "dense, lbi", rivals), "."), "")
    },
    "What the paper prints:", "",
    markdown_table(data.frame(lapply(printed_table1, as.character), check.names = FALSE)), "",
    "The errors of MSplit LBI are the paper's within the error of the simulation. Those of the lasso and the",
    "elastic net, here by glmnet, are not, most of all at .4 and .8."
  )
}

# ---- Figure 2: error along the path -----------------------------------------------------------

# Events times of the first, and the errors of both estimators there; the discrete path as the paper's.
path_errors <- function(run, column, ratios) {
  problem <- paper_problem(run, column)
  fit <- msplit(problem$x, problem$y, method = "lbi",
                control = msplit_control(kappa = 5, t_ratio = max(ratios)), nu = paper_design$nu[column],
                choose = "none", intercept = FALSE, standardize = FALSE)
  t <- fit$points$t
  step <- fit$points$step[vapply(ratios, function(ratio) which.min(abs(t - ratio * t[2])), 0L)]
  error <- function(estimator) {
    relative_error(stats::coef(fit, step = step, estimator = estimator)[-1, ])
  }
  rbind(dense = error("dense"), sparse = error("sparse"),
        MLE = relative_error(qr.coef(qr(problem$x), problem$y)))
}

part_figure2 <- function(count = 20, column = 2) {
  ratios <- c(0, 1.5, 2, 3, 5, 10, 20, 40, 60, 80, 100)
  runs <- simplify2array(lapply(seq_len(count), path_errors, column = column, ratios = ratios))
  table <- data.frame("t over that of the first event" = ratios, check.names = FALSE)
  text <- mean_and_error(runs)
  table <- cbind(table, t(text))
  section(
    "msplit", "figure2", "Error along the path (Figure 2)",
    paste0("The simulation of Table 1 at correlation ", paper_design$correlation[column], ", nu = ",
           paper_design$nu[column], ", kappa = 5: relative error, mean (standard error)"),
    paste0("over ", count, " runs. At t = 0 the dense estimator is a ridge and the sparse one is zero. The paper: the"),
    "error of the dense estimator falls to a minimum and rises again, that of the sparse one falls, and they meet.", "",
    markdown_table(table)
  )
}

# ---- tuned without the truth ------------------------------------------------------------------

# Each a function of x and y that returns a function of new rows: predictions.
tuned_methods <- list(
  "msplit, default" = function(x, y) {
    fit <- msplit(x, y)
    function(new) stats::predict(fit, new)
  },
  "msplit, best support" = function(x, y) {
    fit <- msplit(x, y)
    function(new) stats::predict(fit, new, step = "best")
  },
  "msplit, sparse" = function(x, y) {
    fit <- msplit(x, y)
    function(new) stats::predict(fit, new, estimator = "sparse")
  },
  "msplit, cv over t and nu" = function(x, y) {
    cvf <- cv_path(x, y, fit = msplit, nu = 10^seq(-1, 2.5, .5),
                   control = msplit_control(t_ratio = 30), choose = "none",
                   nfolds = 10)
    function(new) stats::predict(cvf, new, step = "min")
  },
  "ridge by leave-one-out" = function(x, y) {
    fit <- msplit(x, y, max_steps = 0)
    function(new) stats::predict(fit, new)
  }
)

glmnet_methods <- list(
  "lasso" = function(x, y) glmnet_tuned(x, y, 1),
  "elastic net" = function(x, y) glmnet_tuned(x, y, c(.25, .5, .75)),
  "ridge, glmnet" = function(x, y) glmnet_tuned(x, y, 0)
)

# Refits along the path take most of the time of all methods, so this one is for the simulation only.
slow_methods <- list("relaxed lasso" = function(x, y) {
  fit <- glmnet::cv.glmnet(x, y, relax = TRUE, gamma = c(0, .5, 1), nfolds = 5)
  function(new) drop(stats::predict(fit, new, s = "lambda.min", gamma = "gamma.min"))
})

# The mixture and lambda of the least 10-fold error.
glmnet_tuned <- function(x, y, alphas) {
  foldid <- sample(rep_len(1:10, nrow(x)))
  fits <- lapply(alphas, function(a) glmnet::cv.glmnet(x, y, alpha = a, foldid = foldid))
  best <- fits[[which.min(vapply(fits, function(f) min(f$cvm), 0))]]
  function(new) drop(stats::predict(best, new, s = "lambda.min"))
}

least_squares <- list("least squares" = function(x, y) {
  b <- qr.coef(qr(cbind(1, x)), y)
  b[is.na(b)] <- 0
  function(new) drop(cbind(1, new) %*% b)
})

all_tuned <- function() {
  c(tuned_methods, if (installed("glmnet")) c(glmnet_methods, slow_methods), least_squares)
}

# Error of new rows less the variance of the noise; coefficients and intercept are computed from predictions.
excess_error <- function(predictor, correlation) {
  at_zero <- predictor(matrix(0, 1, 80))
  off <- predictor(diag(80)) - at_zero - paper_design$beta
  (1 - correlation) * sum(off^2) + correlation * sum(off)^2 + at_zero^2
}

honest_run <- function(run, column) {
  problem <- paper_problem(run, column)
  colnames(problem$x) <- paste0("x", 1:80)
  vapply(all_tuned(), function(method) {
    set.seed(run)
    fit <- method(problem$x, problem$y)
    excess_error(function(new) {
      fit(matrix(new, ncol = 80, dimnames = list(NULL, colnames(problem$x))))
    }, paper_design$correlation[column])
  }, 0)
}

part_honest <- function(count = 20) {
  runs <- simulation_runs(honest_run, count)
  section(
    "msplit", "honest", "The same simulation, tuned without the truth",
    paste0("Prediction error less the variance of the noise, mean (standard error) over ", count, " data sets; every"),
    "method is tuned by its own rule: msplit() by the average over supports (the default) or by the support of",
    "the largest weight; glmnet by 10-fold (relaxed lasso: 5-fold) cross-validation, with its own",
    "sequences of lambda (that of ridge ends early here). The sparse estimator leaves weak signals",
    "out, as it is meant for interpretation.", "",
    markdown_table(table_of(runs, "correlation"))
  )
}

# ---- two features with an effect among many without, where a lasso is the better choice -----------

two_effects <- function(run) {
  set.seed(run)
  x <- matrix(stats::rnorm(100 * 500), 100, dimnames = list(NULL, paste0("x", 1:500)))
  list(x = x, y = 2 * x[, 1] + x[, 2] + stats::rnorm(100))
}

two_effects_run <- function(run) {
  problem <- two_effects(run)
  methods <- c(tuned_methods, if (installed("glmnet")) glmnet_methods["lasso"])
  vapply(methods, function(method) {
    set.seed(run)
    fit <- method(problem$x, problem$y)
    named <- function(x) matrix(x, ncol = 500, dimnames = list(NULL, colnames(problem$x)))
    at_zero <- fit(named(numeric(500)))
    sum((fit(named(diag(500))) - at_zero - rep(c(2, 1, 0), c(1, 1, 498)))^2) + at_zero^2
  }, 0)
}

part_lone <- function(count = 10) {
  runs <- vapply(seq_len(count), two_effects_run, two_effects_run(1))
  sets <- as.data.frame(apply(runs, 2, sprintf, fmt = "%.2f"))
  names(sets) <- seq_len(count)
  error <- sprintf("%.3f (%.3f)", rowMeans(runs), apply(runs, 1, stats::sd) / sqrt(count))
  section(
    "msplit", "lone", "Two strong features, 500 to choose from",
    "n = 100, d = 500, y = 2 x1 + x2 + noise, all of variance one. Prediction error less the variance of the",
    paste0("noise, of ", count, " data sets, and its mean (standard error); every method is tuned by its"),
    "own rule, as above.", "",
    markdown_table(data.frame(set = rownames(runs), sets, mean = error, check.names = FALSE))
  )
}
