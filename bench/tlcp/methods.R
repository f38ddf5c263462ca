# The methods that the paper's experiments compare: functions of a split -> list(score of the test
# rows, number of features kept). Only definitions.

# Coefficients, intercept first.
linear_result <- function(beta, split) {
  list(score = as.vector(split$test_x %*% beta[-1]) + beta[[1]], kept = sum(beta[-1] != 0))
}

# tlcp() on all domains, or on the target alone. The z-scores are the split's; messages of tlcp() about
# other domains that its guard leaves out are not shown.
tlcp_method <- function(..., alone = FALSE) {
  function(split) {
    fit <- suppressMessages(if (alone) {
      own <- one_domain(split)
      tlcp(own$x, own$y, ..., standardize = FALSE)
    } else {
      tlcp(split$x, split$y, ..., domain = split$domain, target = levels(split$domain)[1],
           standardize = FALSE)
    })
    linear_result(stats::coef(fit), split)
  }
}

# The same on columns in their own units, so that tlcp() chooses the units; scores in those of the split.
raw_method <- function(...) {
  function(split) {
    fit <- suppressMessages(tlcp(split$raw, split$raw_y, domain = split$domain,
                                 target = levels(split$domain)[1], ...))
    predicted <- stats::predict(fit, split$raw_test)
    list(score = (predicted - split$y_center) / split$y_scale,
         kept = sum(stats::coef(fit)[-1] != 0))
  }
}

# A method on the rows of all domains as one domain; `own`: on those of the target alone.
own <- function(method) function(split) method(one_domain(split))

least_squares <- function(x, y, columns = seq_len(ncol(x))) {
  beta <- numeric(ncol(x) + 1)
  beta[c(1, columns + 1)] <- stats::lm.fit(cbind(1, x[, columns, drop = FALSE]), y)$coefficients
  beta
}

all_columns <- function(split) linear_result(least_squares(split$x, split$y), split)

lasso <- function(split) {
  fit <- glmnet::cv.glmnet(split$x, split$y)
  linear_result(as.vector(stats::coef(fit, s = "lambda.min")), split)
}

# Forward and backward by partial F tests: in below .05, out above .10 (MATLAB's stepwisefit).
stepwise <- function(split) {
  x <- cbind(1, split$x)
  rss <- function(columns) sum(stats::lm.fit(x[, c(1, columns + 1), drop = FALSE],
                                             split$y)$residuals^2)
  test <- function(smaller, larger, size) {
    df <- length(split$y) - size - 1
    stats::pf((smaller - larger) / (larger / df), 1, df, lower.tail = FALSE)
  }
  set <- integer()
  seen <- character()
  repeat {
    seen <- c(seen, toString(sort(set)))
    current <- rss(set)
    free <- setdiff(seq_len(ncol(split$x)), set)
    enter <- vapply(free, function(j) test(current, rss(c(set, j)), length(set) + 1), 0)
    leave <- vapply(set, function(j) test(rss(setdiff(set, j)), current, length(set)), 0)
    if (length(enter) && min(enter) < .05) {
      set <- c(set, free[which.min(enter)])
    } else if (length(leave) && max(leave) > .10) {
      set <- set[-which.max(leave)]
    } else {
      break
    }
    if (toString(sort(set)) %in% seen) break
  }
  linear_result(least_squares(split$x, split$y, set), split)
}

# The features whose own correlation with the response is significant at .05, and least squares on them.
univariate <- function(split) {
  r <- drop(stats::cor(split$x, split$y))
  t <- r * sqrt((length(split$y) - 2) / pmax(1 - r^2, 1e-12))
  set <- which(2 * stats::pt(-abs(t), length(split$y) - 2) < .05)
  linear_result(least_squares(split$x, split$y, set), split)
}

# The domains as a list, the target first.
as_domains <- function(split) {
  lapply(split(seq_along(split$y), split$domain), function(rows) {
    list(x = split$x[rows, ], y = split$y[rows])
  })
}

transfer_lasso <- function(split) {
  domains <- unname(as_domains(split))
  fit <- glmtrans::glmtrans(domains[[1]], domains[-1], detection.info = FALSE)
  linear_result(as.vector(fit$beta), split)
}

# The coefficients of a feature are zero in all domains or in none. RMTL has no intercept here, so means are subtracted
# before.
group_lasso <- function(split) {
  domains <- unname(as_domains(split))
  means <- lapply(domains, function(domain) colMeans(domain$x))
  x <- Map(function(domain, mean) t(t(domain$x) - mean), domains, means)
  y <- lapply(domains, function(domain) as.matrix(domain$y - mean(domain$y)))
  grid <- 10^seq(1, -4, -1)
  chosen <- RMTL::cvMTL(x, y, "Regression", "L21", Lam1_seq = grid)$Lam1.min
  w <- RMTL::MTL(x, y, "Regression", "L21", Lam1 = chosen, Lam1_seq = grid)$W[, 1]
  linear_result(c(mean(domains[[1]]$y) - sum(means[[1]] * w), w), split)
}

# Multi-level lasso (Lozano and Swirszcz, 2012): beta_jt = theta_j gamma_jt, theta_j >= 0, penalty
# sum_j theta_j + lambda sum_jt |gamma_jt|. The best theta gives sum_j sqrt(sum_t |beta_jt|) times a
# constant, minimised here by lassos whose weights are that penalty's slopes at the last coefficients.
multi_level_coefficients <- function(domains, lambda, rounds = 8) {
  p <- ncol(domains[[1]]$x)
  weight <- rep(1, p)
  for (round in seq_len(rounds)) {
    # glmnet divides the weights by their mean
    beta <- vapply(domains, function(domain) {
      as.vector(glmnet::glmnet(domain$x, domain$y, lambda = lambda * mean(weight), penalty.factor = weight,
                               standardize = FALSE, intercept = FALSE)$beta)
    }, numeric(p))
    size <- rowSums(abs(beta))
    if (!any(size > 0)) break
    weight <- pmin(1 / (2 * sqrt(pmax(size, 1e-12))), 1e4)
  }
  beta
}

# lambda by five folds of all domains.
multi_level_lasso <- function(split) {
  domains <- unname(as_domains(split))
  means <- lapply(domains, function(domain) c(mean(domain$y), colMeans(domain$x)))
  domains <- Map(function(domain, mean) list(x = t(t(domain$x) - mean[-1]), y = domain$y - mean[1]), domains, means)
  folds <- lapply(domains, function(domain) sample(rep_len(1:5, length(domain$y))))
  grid <- 10^seq(0, -3, -.5)
  error <- vapply(grid, function(lambda) {
    sum(vapply(1:5, function(fold) {
      part <- Map(function(domain, in_fold) {
        list(x = domain$x[in_fold != fold, ], y = domain$y[in_fold != fold])
      }, domains, folds)
      beta <- multi_level_coefficients(part, lambda)
      sum(mapply(function(domain, in_fold, t) {
        out <- in_fold == fold
        mean((domain$y[out] - domain$x[out, , drop = FALSE] %*% beta[, t])^2)
      }, domains, folds, seq_along(domains)))
    }, 0))
  }, 0)
  w <- multi_level_coefficients(domains, grid[which.min(error)])[, 1]
  linear_result(c(means[[1]][1] - sum(means[[1]][-1] * w), w), split)
}

# In the order of the tables; `needs`: a package.
paper_methods <- list(
  "Cp, target alone" = list(run = tlcp_method(alone = TRUE)),
  "Cp cutoff, target alone" = list(run = tlcp_method(alone = TRUE, method = "cutoff")),
  "stepwise, target alone" = list(run = own(stepwise)),
  "univariate, target alone" = list(run = own(univariate)),
  "lasso, target alone" = list(run = own(lasso), needs = "glmnet"),
  "Cp, all rows as one domain" = list(run = tlcp_method(borrow = "aggregate")),
  "least squares, all rows as one domain" = list(run = all_columns),
  "stepwise, all rows as one domain" = list(run = stepwise),
  "univariate, all rows as one domain" = list(run = univariate),
  "lasso, all rows as one domain" = list(run = lasso, needs = "glmnet"),
  "glmtrans" = list(run = transfer_lasso, needs = "glmtrans"),
  "RMTL, L21" = list(run = group_lasso, needs = "RMTL"),
  "multi-level lasso" = list(run = multi_level_lasso, needs = "glmnet"),
  "plugin, shared" = list(
    run = tlcp_method(borrow = "plugin", control = tlcp_control(support = "shared", guard = FALSE))
  ),
  "plugin, cutoff" = list(
    run = tlcp_method(borrow = "plugin", method = "cutoff", control = tlcp_control(guard = FALSE))
  ),
  "plugin3, shared" = list(
    run = tlcp_method(borrow = "plugin3", control = tlcp_control(support = "shared", guard = FALSE)), domains = 3
  ),
  "plugin3, cutoff" = list(
    run = tlcp_method(borrow = "plugin3", method = "cutoff", control = tlcp_control(guard = FALSE)), domains = 3
  ),
  "pooled, shared" = list(
    run = tlcp_method(borrow = "pooled", control = tlcp_control(support = "shared", guard = FALSE)), domains = 2
  ),
  "reml, shared" = list(
    run = tlcp_method(borrow = "reml", control = tlcp_control(support = "shared", guard = FALSE)), domains = 2
  ),
  "reml, shared, with its guard" = list(
    run = tlcp_method(borrow = "reml", control = tlcp_control(support = "shared")), domains = 2
  ),
  "hierarchical, shared" = list(run = raw_method(control = tlcp_control(support = "shared"))),
  "hierarchical, cutoff" = list(run = tlcp_method(method = "cutoff", borrow = "hierarchical")),
  "hierarchical, guard = FALSE" = list(run = raw_method(control = tlcp_control(guard = FALSE))),
  "hierarchical, own units" = list(run = raw_method(control = tlcp_control(units = "own"))),
  "hierarchical, all features" = list(run = raw_method(select = FALSE)),
  "hierarchical (the default)" = list(run = raw_method())
)
