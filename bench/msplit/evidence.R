# Nine simulations, from few strong signals to many weak ones: error and support of msplit() by its default. Only
# definitions.

# `strong` features of coefficient 1, the next 30 of coefficient `weak`, all pairs with the same correlation.
evidence_designs <- data.frame(
  n = c(110, 100, 100, 60, 200, 100, 100, 100, 50), d = c(9, 50, 50, 200, 500, 80, 50, 80, 300),
  strong = c(3, 3, 5, 3, 5, 5, 10, 0, 0), correlation = c(0, 0, .5, .3, 0, .5, .5, .5, .8),
  noise = c(1, 1, 1, 1, 2, .5, 2, 1, 1), weak = c(0, 0, 0, 0, 0, .1, .1, .15, .2)
)

evidence_problem <- function(design, run) {
  set.seed(100 * design$n + 10 * design$d + run)
  x <- equicorrelated(design$n, design$d, design$correlation)
  colnames(x) <- paste0("x", seq_len(design$d))
  beta <- numeric(design$d)
  beta[seq_len(design$strong)] <- 1
  if (design$weak > 0) beta[design$strong + 1:30] <- design$weak
  list(x = x, y = drop(x %*% beta) + design$noise * stats::rnorm(design$n), beta = beta)
}

# Error of new rows less the variance of the noise, divided by this variance; coefs has the intercept first.
excess_share <- function(coefs, problem, design) {
  off <- coefs[-1] - problem$beta
  r <- design$correlation
  ((1 - r) * sum(off^2) + r * sum(off)^2 + coefs[[1]]^2) / design$noise^2
}

evidence_run <- function(design, run) {
  problem <- evidence_problem(design, run)
  fit <- msplit(problem$x, problem$y)
  support <- which(stats::coef(fit, step = "best", estimator = "sparse")[-1] != 0)
  coefs <- list(average = stats::coef(fit), best = stats::coef(fit, step = "best"),
                ridge = stats::coef(msplit(problem$x, problem$y, max_steps = 0)))
  if (installed("glmnet")) {
    cv <- glmnet::cv.glmnet(problem$x, problem$y, relax = TRUE, gamma = c(0, .5, 1),
                            foldid = sample(rep_len(1:10, design$n)))
    coefs$lasso <- as.vector(stats::coef(cv$glmnet.fit, s = cv$lambda.min))
    coefs$relaxed <- as.vector(stats::coef(cv, s = "lambda.min", gamma = "gamma.min"))
  }
  c(vapply(coefs, excess_share, 0, problem, design), found = length(support),
    true = sum(support <= design$strong))
}

part_evidence <- function(count = 8) {
  rows <- lapply(seq_len(nrow(evidence_designs)), function(k) {
    design <- evidence_designs[k, ]
    runs <- vapply(seq_len(count), function(run) evidence_run(design, run),
                   evidence_run(design, 1))
    mean <- rowMeans(runs)
    errors <- setdiff(names(mean), c("found", "true"))
    data.frame(design, as.list(mean[errors]),
               support = sprintf("%.1f / %.1f", mean[["found"]], mean[["true"]]),
               check.names = FALSE)
  })
  section(
    "msplit", "evidence", "Few strong signals to many weak ones",
    "The first `strong` coefficients are 1, the next 30 have the value `weak`, every two columns have the same",
    "correlation. Errors are prediction errors less the variance of the noise, divided by this variance; mean of",
    paste0(count, " draws. `average` and `best`: msplit() by its default and by the support of the largest weight;"),
    "`ridge`: msplit() without supports; lasso and relaxed lasso of glmnet by 10-fold cross-validation.",
    "`support`: size of the support of the largest weight, and how many of its columns are strong.", "",
    markdown_table(do.call(rbind, rows))
  )
}
