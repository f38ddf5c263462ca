# ---- ShareBoost against printed figures, a naive twin and what is known of its losses

test_that("the twin has gradients that are derivatives and a refit that optim() cannot better", {
  u <- c(0.3, -0.2, 0.05, 0)
  for (penalty in c("ridge", "l1", "linf1")) {
    slope <- vapply(seq_along(u), function(i) {
      h <- replace(numeric(4), i, 1e-5)
      (sb_penalty(u + h, penalty, 7) - sb_penalty(u - h, penalty, 7)) / 2e-5
    }, 0)
    expect_lt(max(abs(slope - sb_penalty_gradient(u, penalty, 7))), 1e-8)
    curve <- vapply(seq_along(u), function(i) {
      h <- replace(numeric(4), i, 1e-5)
      (sb_penalty_gradient(u + h, penalty, 7) - sb_penalty_gradient(u - h, penalty, 7)) / 2e-5
    }, numeric(4))
    expect_lt(max(abs(curve - sb_penalty_hessian(u, penalty, 7))), 1e-7)
  }
  for (k in c(2, 3, 5)) {
    d <- draw_classes(k, k)
    columns <- sb_columns(d$x, d$y)
    for (penalty in c("ridge", "l1", "linf1")) {
      settings <- list(ridge = 1e-2, penalty = penalty, beta = 5, margin = 1)
      problem <- sb_problem(columns, c(2, 1, 5), settings)
      theta <- matrix(0, 4, k)
      value <- sb_objective(problem, sb_refit(problem, theta))
      best <- optim(
        theta, function(t) sb_objective(problem, matrix(t, 4)),
        function(t) as.vector(sb_gradient(problem, matrix(t, 4))),
        method = "BFGS", control = list(reltol = 1e-15, maxit = 2000)
      )
      expect_lt(abs(best$value - value), 1e-10)
    }
  }
})

test_that("figures A: the paper's rule without an intercept", {
  path <- function(case, steps) {
    shareboost(case$x, case$y, rule = "gradient", intercept = FALSE, ridge = 1e-3,
               max_steps = steps)
  }
  case <- iris_case()
  expect_figures(path(case, 4), case, c(4, 2, 3, 1), c(1.617991, .870021, .810862, .769039))
  case <- mlbench_case("Vehicle", "Class")
  expect_figures(
    path(case, 8), case, c(12, 8, 16, 15, 14, 3, 6, 13),
    c(2.186186, 2.053734, 2.015444, 1.987374, 1.956111, 1.921834, 1.898977, 1.883832)
  )
  case <- mlbench_case("Glass", "Type")
  expect_figures(
    path(case, 8), case, c(1, 3, 4, 8, 9, 6, 7, 2),
    c(2.322748, 1.986466, 1.883119, 1.821732, 1.795545, 1.776911, 1.765773, 1.754161)
  )
})

test_that("figures B: the paper's rule with an intercept", {
  path <- function(case, steps) {
    shareboost(case$x, case$y, rule = "gradient", ridge = 1e-4, max_steps = steps)
  }
  case <- iris_case()
  expect_figures(
    path(case, 4), case, c(4, 3, 2, 1), c(1.861995, .366004, .280175, .262033, .258914)
  )
  case <- mlbench_case("Vehicle", "Class")
  expect_figures(
    path(case, 8), case, c(12, 16, 15, 3, 6, 13, 1, 10), c(
      2.213343, 2.008839, 1.966896, 1.931271, 1.758991, 1.723686, 1.696822, 1.654596, 1.588120
    )
  )
  case <- mlbench_case("Satellite", "classes")
  expect_figures(
    path(case, 8), case, c(18, 17, 16, 24, 10, 33, 26, 9), c(
      2.591671, 1.880234, 1.337126, 1.130803, 1.063265, 1.034410, .985036, .955338, .923237
    )
  )
})

test_that("figures C: the default rule", {
  path <- function(case, steps) shareboost(case$x, case$y, ridge = 1e-4, max_steps = steps)
  case <- iris_case()
  expect_figures(
    path(case, 4), case, c(3, 4, 1, 2), c(1.861995, .237087, .147349, .127190, .104936)
  )
  case <- mlbench_case("Vehicle", "Class")
  expect_figures(
    path(case, 8), case, c(3, 8, 10, 1, 13, 2, 5, 4), c(
      2.213343, 2.062146, 1.586573, 1.382459, 1.300811, 1.233796, 1.202071, 1.156564, .957027
    )
  )
  case <- mlbench_case("Glass", "Type")
  expect_figures(
    path(case, 8), case, c(3, 2, 4, 9, 8, 5, 1, 7), c(
      2.317985, 1.891552, 1.706981, 1.454034, 1.400681, 1.327488, 1.263572, 1.188222, 1.127327
    )
  )
})

test_that("every rule follows the naive twin for 2, 3 and 5 classes", {
  for (k in c(2, 3, 5)) {
    for (kind in c("random", "correlated", "scaled", "constant")) {
      d <- draw_classes(k, k, kind)
      for (rule in c("orthogonal", "gradient")) {
        expect_shareboost_twin(shareboost_pair(d, rule = rule), label = paste(rule, kind, k))
      }
    }
    d <- draw_classes(10 + k, k, "correlated")
    for (rule in shareboost_rules[3:5]) {
      expect_shareboost_twin(shareboost_pair(d, 3, rule = rule), label = paste(rule, k))
    }
  }
})

test_that("ridge, intercept and scaling follow the naive twin", {
  for (seed in 1:3) {
    d <- draw_classes(20 + seed, seed + 1)
    for (rule in c("orthogonal", "gradient")) {
      for (ridge in c(1e-3, 1)) {
        pair <- shareboost_pair(d, rule = rule, ridge = ridge)
        expect_shareboost_twin(pair, label = paste(rule, ridge))
        pair <- shareboost_pair(d, rule = rule, ridge = ridge, intercept = FALSE)
        expect_shareboost_twin(pair, label = paste(rule, ridge, "origin"))
        expect_true(all(shareboost_weights(pair$fit, 4)$a0 == 0))
      }
      for (standardize in c("sd", "max")) {
        pair <- shareboost_pair(d, rule = rule, standardize = standardize)
        expect_shareboost_twin(pair, label = paste(rule, standardize))
      }
      none <- list(
        fit = shareboost(d$x, d$y, rule = rule, standardize = FALSE, max_steps = 4, ridge = 1e-4,
                         control = shareboost_control(tol = 1e-11)),
        twin = naive_shareboost(d$x, d$y, rule = rule, standardize = "none", max_steps = 4)
      )
      expect_shareboost_twin(none, label = paste(rule, "raw"))
    }
    for (rule in shareboost_rules[3:5]) {
      pair <- shareboost_pair(d, 3, rule = rule, intercept = FALSE)
      expect_shareboost_twin(pair, label = paste(rule, "origin"))
    }
  }
})

test_that("weights follow the naive twin", {
  for (seed in 1:3) {
    d <- draw_classes(30 + seed, seed + 1)
    for (rule in shareboost_rules) {
      pair <- shareboost_pair(d, 3, rule = rule, weights = d$weights)
      expect_shareboost_twin(pair, label = paste(rule, seed))
    }
  }
})

test_that("smooth l1 and linf1 penalties follow the naive twin", {
  for (k in c(2, 3, 5)) {
    d <- draw_classes(40 + k, k)
    for (penalty in c("l1", "linf1")) {
      for (sharpness in c(2, 20)) {
        pair <- shareboost_pair(
          d, rule = "gradient", penalty = penalty, ridge = 1e-2, sharpness = sharpness
        )
        # a weight that is the same for all classes may move freely in the flat parts
        expect_shareboost_twin(pair, 1e-6, paste(penalty, sharpness, k))
      }
    }
  }
})

test_that("every refit ends where the derivative by finite differences is 0", {
  d <- draw_classes(50, 3)
  for (penalty in c("ridge", "l1", "linf1")) {
    fit <- shareboost(
      d$x, d$y, rule = "gradient", penalty = penalty, ridge = 1e-2, max_steps = 3,
      control = shareboost_control(sharpness = 5, tol = 1e-10)
    )
    columns <- sb_columns(d$x, d$y, standardize = "max")
    S <- match(entered(fit), colnames(d$x))
    settings <- list(ridge = 1e-2, penalty = penalty, beta = 5, margin = 1)
    problem <- sb_problem(columns, S, settings)
    at <- vapply(fit$beta, function(b) as.vector(b[S, 4]), numeric(3)) * columns$scale[S]
    a0 <- vapply(fit$a0, `[`, 0, 4) + colSums(columns$center[S] / columns$scale[S] * at)
    theta <- rbind(a0, at)
    expect_lt(abs(sb_objective(problem, theta) - fit$steps$loss[4]), 1e-12)
    slope <- vapply(seq_along(theta), function(i) {
      h <- replace(numeric(length(theta)), i, 1e-5)
      (sb_objective(problem, theta + h) - sb_objective(problem, theta - h)) / 2e-5
    }, 0)
    expect_lt(max(abs(slope)), 1e-8)
    expect_lt(fit$steps$gradient_end[4], 1e-9)
  }
})

test_that("the refit reaches the accuracy that it states", {
  d <- draw_classes(51, 5, "correlated", n = 300, p = 20)
  for (tol in c(1e-3, 1e-6, 1e-9)) {
    fit <- shareboost(d$x, d$y, max_steps = 12, control = shareboost_control(tol = tol))
    expect_true(all(fit$steps$gradient_end[-1] <= pmax(tol * fit$steps$gradient[-1], 1e-13)))
    expect_true(all(diff(fit$steps$loss) < 0))
    expect_true(all(fit$steps$iterations >= 0))
  }
})

test_that("groups follow the naive twin, and groups of one column are no groups", {
  for (seed in 1:3) {
    d <- draw_classes(60 + seed, seed + 1, "correlated", p = 9)
    groups <- factor(c("a", "b", "a", "c", "d", "c", "b", "a", "d"))
    for (rule in c("orthogonal", "gradient")) {
      fit <- shareboost(d$x, d$y, rule = rule, groups = groups, max_steps = 3, ridge = 1e-4,
                        control = shareboost_control(tol = 1e-11))
      twin <- naive_shareboost(d$x, d$y, rule = rule, groups = groups, max_steps = 3)
      expect_identical(entered(fit), levels(groups)[twin$order])
      expect_close(fit$steps$loss, twin$loss)
      expect_equal(fit$steps$size, twin$size)
      last <- shareboost_weights(fit, 3)
      other <- centred_weights(twin$rounds[[4]]$beta, twin$rounds[[4]]$a0)
      expect_close(last$beta * twin$scale, other$beta * twin$scale, 1e-7)
      plain <- shareboost(d$x, d$y, rule = rule, max_steps = 5)
      single <- shareboost(
        d$x, d$y, rule = rule, groups = factor(colnames(d$x), colnames(d$x)), max_steps = 5
      )
      expect_same_shareboost(plain, single)
    }
  }
})

test_that("the rules that look ahead take a group whole", {
  for (seed in 1:2) for (kind in c("correlated", "constant", "duplicated")) {
    d <- draw_classes(70 + seed, seed + 1, kind, n = 40, p = 8)
    groups <- factor(c("a", "b", "a", "c", "d", "c", "b", "a"))
    for (rule in c("line", "column", "full")) for (penalty in c("ridge", if (rule != "line") "l1")) {
      run <- function(...) suppressMessages(shareboost(
        d$x, d$y, rule = rule, groups = groups, max_steps = 2, ridge = 1e-2, penalty = penalty,
        weights = d$weights, control = shareboost_control(tol = 1e-10, ...)
      ))
      fit <- run()
      twin <- naive_shareboost(d$x, d$y, rule = rule, groups = groups, max_steps = 2, ridge = 1e-2,
                               penalty = penalty, weights = d$weights)
      expect_identical(entered(fit), levels(groups)[twin$order])
      expect_close(fit$steps$score[-1], twin$score, 1e-6)
      expect_close(fit$steps$loss, twin$loss, 1e-8)
      # of a shortlist of one column that column is chosen
      gradient <- suppressMessages(shareboost(
        d$x, d$y, rule = "gradient", groups = groups, max_steps = 1, ridge = 1e-2, penalty = penalty,
        weights = d$weights
      ))
      expect_identical(entered(run(shortlist = 1))[1], entered(gradient))
    }
  }
})

# ---- the paper's examples and its theorem

binary_code <- function(k) {
  bits <- round(log2(k))
  2 * outer(seq_len(k) - 1, seq_len(bits) - 1, function(y, b) (y %/% 2^b) %% 2) - 1
}

test_that("section 6, first example: as many features as a class has binary digits", {
  for (k in c(8, 16, 32)) {
    x <- cbind(binary_code(k), 2 * log(k) * diag(k))[rep(seq_len(k), 3), ]
    colnames(x) <- paste0("x", seq_len(ncol(x)))
    y <- factor(rep(seq_len(k), 3))
    for (rule in c("orthogonal", "gradient")) {
      fit <- shareboost(x, y, rule = rule, max_steps = log2(k) + 1)
      expect_identical(sort(entered(fit)[seq_len(log2(k))]), colnames(x)[seq_len(log2(k))])
      expect_identical(fit$steps$error[log2(k) + 1], 0)
      expect_gt(fit$steps$error[log2(k)], 0)
    }
  }
})

test_that("section 6, first example: l1 without groups takes a feature a class", {
  skip_if_not_installed("glmnet")
  for (k in c(8, 16)) {
    x <- cbind(binary_code(k), 2 * log(k) * diag(k))[rep(seq_len(k), 8), ]
    y <- factor(rep(seq_len(k), 8))
    fit <- glmnet::glmnet(x, y, family = "multinomial", standardize = FALSE)
    class <- predict(fit, x, type = "class")
    first <- which(colMeans(class == as.character(y)) == 1)[1]
    used <- Reduce(`|`, lapply(fit$beta, function(b) b[, first] != 0))
    expect_gte(sum(used), k - 1)
  }
})

test_that("section 6, second example: one block of copies is enough", {
  k <- 8
  blocks <- 4
  case <- with_seed(1, {
    y <- rep(seq_len(k), 40)
    x <- do.call(cbind, rep(list(binary_code(k)), blocks))[y, ]
    for (i in which(seq_along(y) %% 10 == 0)) x[i, 3 * sample(blocks, 1) - 0:2] <- 0
    list(x = x, y = factor(y))
  })
  for (rule in c("orthogonal", "gradient")) {
    fit <- shareboost(case$x, case$y, rule = rule, max_steps = 6)
    expect_lt(fit$steps$error[4], 0.05)
    expect_gt(fit$steps$error[3], 0.2)
  }
})

test_that("a round gains what the proof of theorem 2 says, and the theorem holds", {
  for (seed in 1:12) {
    d <- with_seed(seed, {
      k <- 2 + seed %% 4
      x <- named_columns(runif(400 * 25, -1, 1), 400, "x")
      W <- matrix(0, k, 25)
      W[, c(3, 8, 11)] <- rnorm(3 * k)
      scores <- x %*% t(W) - log(-log(runif(400 * k)))
      list(x = x, y = factor(max.col(scores, "first"), seq_len(k)), W = W / 4)
    })
    size <- sum(apply(abs(d$W), 2, max))
    target <- mean(sb_margin_loss(d$x %*% t(d$W), d$y))
    epsilon <- size^2 / 3
    fit <- shareboost(
      d$x, d$y, rule = "gradient", standardize = "none", intercept = FALSE, ridge = 0,
      max_steps = 12
    )
    loss <- fit$steps$loss
    expect_true(loss[ceiling(4 * size^2 / epsilon) + 1] <= target + epsilon)
    gain <- -diff(loss)
    above <- pmax(0, loss[-13] - target)
    expect_true(all(gain >= above^2 / (4 * size^2) - 1e-10))
    expect_true(all(gain >= fit$steps$gradient[-1]^2 / 4 - 1e-10))
  }
})

test_that("the loss bounds the error, and starts where it must", {
  for (k in c(2, 4)) {
    d <- draw_classes(70 + k, k)
    fit <- shareboost(d$x, d$y, intercept = FALSE, max_steps = 5)
    expect_close(fit$steps$loss[1], log(1 + (k - 1) * exp(1)))
    expect_true(all(fit$steps$error <= fit$steps$loss))
    balanced <- factor(rep(seq_len(k), 20))
    x <- with_seed(k, named_columns(rnorm(20 * k * 4), 20 * k, "x"))
    expect_close(shareboost(x, balanced, max_steps = 1)$steps$loss[1], log(1 + (k - 1) * exp(1)))
  }
})

test_that("without a margin it is multinomial logistic regression", {
  d <- draw_classes(77, 2, n = 120)
  for (weights in list(NULL, d$weights)) {
    fit <- shareboost(
      d$x, d$y, control = shareboost_control(margin = 0, tol = 1e-10), ridge = 0, max_steps = 3, weights = weights
    )
    w <- if (is.null(weights)) 1 else weights
    data <- data.frame(y = d$y, d$x[, entered(fit)], w = w)
    reference <- suppressWarnings(glm(y ~ . - w, binomial, data, w, epsilon = 1e-14))
    expect_close(fit$steps$loss[4], deviance(reference) / (2 * sum(data$w)))
    both <- shareboost_weights(fit, 3)
    at <- match(entered(fit), colnames(d$x))
    expect_close(2 * both$beta[at, 2], coef(reference)[-1], 1e-6)
    expect_close(2 * both$a0[2], coef(reference)[1], 1e-6)
    link <- predict(reference, data.frame(d$new, w = 1))
    expect_close(predict(fit, d$new, type = "link"), link, 1e-6)
  }
  skip_if_not_installed("nnet")
  for (k in c(3, 5)) {
    d <- draw_classes(77 + k, k)
    fit <- shareboost(d$x, d$y, control = shareboost_control(margin = 0, tol = 1e-10), ridge = 0, max_steps = 2)
    reference <- nnet::multinom(
      d$y ~ d$x[, entered(fit)], trace = FALSE, reltol = 1e-14, maxit = 1000
    )
    expect_close(fit$steps$loss[3], reference$value / length(d$y))
    expect_close(predict(fit, d$x, type = "prob"), fitted(reference), 1e-4)
  }
})

test_that("any margin follows the naive twin", {
  for (k in c(2, 4)) {
    d <- draw_classes(90 + k, k)
    for (rule in shareboost_rules[c(1, 2, 4)]) {
      for (margin in c(0, 0.5, 3)) {
        pair <- shareboost_pair(d, 3, rule = rule, margin = margin)
        expect_shareboost_twin(pair, label = paste(rule, margin))
      }
    }
  }
})

test_that("the default rule follows the naive twin with the other penalties", {
  for (k in c(2, 3)) {
    d <- draw_classes(95 + k, k)
    for (penalty in c("l1", "linf1")) {
      pair <- shareboost_pair(d, penalty = penalty, ridge = 1e-2, sharpness = 5)
      expect_shareboost_twin(pair, 1e-6, paste(penalty, k))
    }
  }
})
