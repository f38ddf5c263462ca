# ---- cross-validation by domain

# Scores rows x steps, one domain left out after the other.
left_out_scores <- function(d, y, steps, ...) {
  scores <- matrix(NA, length(y), length(steps))
  for (k in unique(d$domain)) {
    out <- d$domain == k
    fit <- tgreedy(d$x[!out, , drop = FALSE], y[!out], d$domain[!out], ...)
    at <- pmin(steps, max(fit$points$step))
    scores[out, ] <- predict(fit, d$x[out, , drop = FALSE], type = "link", step = unique(at))[
      , match(at, unique(at))
    ]
  }
  scores
}

test_that("cv_path() leaves one domain out by default and equals a hand-written loop", {
  d <- draw_domains(1, "correlated")
  for (rule in c("gain", "t", "modt", "greedy")) {
    cvf <- cv_path(
      d$x, d$y, fit = tgreedy, domain = d$domain, rule = rule, max_steps = 4,
      control = tgreedy_control(stop = "none"),
      keep_predictions = TRUE
    )
    steps <- cvf$points$step
    expect_identical(as.character(cvf$foldid), d$domain)
    expect_same_tgreedy(
      cvf$fit,
      tgreedy(d$x, d$y, d$domain, rule = rule, max_steps = 4, control = tgreedy_control(stop = "none"))
    )
    scores <- left_out_scores(d, d$y, steps, rule = rule, max_steps = 4, control = tgreedy_control(stop = "none"))
    expect_equal(cvf$predictions, scores, ignore_attr = TRUE)
    loss <- naive_by_domain((d$y - scores)^2, d$domain, rep(1, length(d$y)))
    expect_equal(cvf$fold_loss, loss, ignore_attr = TRUE)
    expect_null(cvf$average)
  }
})

test_that("the mean over the domains left out counts each of them once", {
  d <- draw_domains(2)
  cvf <- cv_path(d$x, d$y, fit = tgreedy, domain = d$domain, max_steps = 4)
  expect_equal(cvf$cvm, unname(colMeans(cvf$fold_loss)))
})

test_that("stop = \"cv\" and cv_path() agree on the step", {
  d <- draw_domains(3, "correlated")
  cvf <- cv_path(
    d$x, d$y, fit = tgreedy, domain = d$domain, rule = "greedy", max_steps = 4,
    control = tgreedy_control(stop = "none")
  )
  fit <- tgreedy(d$x, d$y, d$domain, rule = "greedy", max_steps = 4, control = tgreedy_control(stop = "cv"))
  expect_equal(fit$best, cvf$points$step[which.min(colMeans(cvf$fold_loss))])
})

test_that("classes, weights and the formula", {
  d <- draw_domains(4, sizes = 10:25)
  cvf <- cv_path(
    d$x, d$factor, fit = tgreedy, domain = d$domain, max_steps = 3, loss = "auroc",
    keep_predictions = TRUE
  )
  scores <- left_out_scores(d, d$factor, cvf$points$step, max_steps = 3)
  expect_equal(cvf$predictions, scores, ignore_attr = TRUE)
  rows <- d$domain == "b"
  last <- ncol(scores)
  auroc <- naive_auroc(d$factor[rows] == "yes", scores[rows, last], rep(1, sum(rows)))
  expect_equal(unname(cvf$fold_loss["b", last]), auroc)

  data <- data.frame(y = d$factor, site = d$domain, d$x)
  by_formula <- cv_path(
    y ~ ., data, fit = tgreedy, domain = site, max_steps = 3, loss = "auroc",
    keep_predictions = TRUE
  )
  expect_equal(by_formula$predictions, cvf$predictions, ignore_attr = TRUE)

  weighted <- cv_path(
    d$x, d$y, fit = tgreedy, domain = d$domain, weights = d$weights, max_steps = 3,
    keep_predictions = TRUE
  )
  out <- d$domain == "c"
  fit <- tgreedy(
    d$x[!out, ], d$y[!out], d$domain[!out], weights = d$weights[!out], max_steps = 3
  )
  expect_equal(weighted$predictions[out, 2], predict(fit, d$x[out, ], step = 1), ignore_attr = TRUE)
})

test_that("other folds can be given, and two domains leave one for each fit", {
  d <- draw_domains(5)
  foldid <- rep_len(1:3, length(d$y))
  cvf <- cv_path(d$x, d$y, fit = tgreedy, domain = d$domain, foldid = foldid, max_steps = 3)
  expect_identical(cvf$foldid, foldid)
  two <- draw_domains(6, n_domains = 2)
  cvf <- cv_path(two$x, two$y, fit = tgreedy, domain = two$domain, max_steps = 3)
  expect_equal(nrow(cvf$folds), 2)
  expect_true(all(is.finite(cvf$cvm)))
  expect_output(print(cvf))
})

test_that("second moments by domain give the curve of the rows", {
  skip_if_not("moments" %in% getNamespaceExports("transelect"))
  d <- draw_domains(7, "correlated")
  for (rule in c("gain", "t", "modt", "greedy")) {
    a <- cv_path(
      d$x, d$y, fit = tgreedy, domain = d$domain, rule = rule, max_steps = 4, control = tgreedy_control(stop = "none")
    )
    b <- cv_path(
      transelect::moments(d$x, d$y, d$domain), fit = tgreedy, rule = rule, max_steps = 4,
      control = tgreedy_control(stop = "none")
    )
    expect_equal(unname(b$fold_loss), unname(a$fold_loss))
    expect_equal(b$cvm, a$cvm)
    expect_equal(b$cvsd, a$cvsd)
    expect_identical(b$step.min, a$step.min)
  }
})

test_that("a domain that the fit leaves out is not held out, and that is told", {
  d <- draw_domains(1)
  x <- rbind(d$x, d$x[1, ] + 1)
  y <- c(d$y, 100)
  domain <- c(d$domain, "single")
  expect_message(
    expect_message(cvf <- cv_path(x, y, fit = tgreedy, domain = domain, max_steps = 3),
                   "Leaving out.*single"),
    "Not held out.*single", class = "transelect_message_domains"
  )
  whole <- cv_path(d$x, d$y, fit = tgreedy, domain = d$domain, max_steps = 3)
  expect_identical(cvf$cvm, whole$cvm)
  expect_identical(cvf$folds, whole$folds)
  expect_identical(is.na(cvf$foldid), domain == "single")
  m <- suppressMessages(cv_path(moments(x, y, domain = domain), fit = tgreedy, max_steps = 3))
  expect_equal(m$cvm, whole$cvm)
  expect_identical(m$folds$fold, setdiff(unique(m$folds$fold), "single"))
  expect_identical(nrow(m$folds), nrow(whole$folds))
})

test_that("cross-validation takes rows without a response", {
  d <- draw_domains(3)
  extra <- list(x = d$x[1:10, ] + 1, domain = rep("new", 10))
  cvf <- cv_path(d$x, d$y, fit = tgreedy, domain = d$domain, unlabelled = extra, max_steps = 3)
  fit <- tgreedy(d$x, d$y, d$domain, unlabelled = extra, max_steps = 3)
  expect_equal(coef(cvf$fit), coef(fit))
  out <- d$domain == unique(d$domain)[1]
  path <- tgreedy(d$x[!out, ], d$y[!out], d$domain[!out], unlabelled = extra, max_steps = 3)
  expect_equal(cvf$fold_loss[as.character(unique(d$domain)[1]), "1"],
               mean((d$y[out] - predict(path, d$x[out, ], step = 1))^2), ignore_attr = TRUE)
})
