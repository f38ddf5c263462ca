# Cross-validation of many rows by way of their second moments: the losses of the rows.

many_rows <- function(seed, n = 900, p = 4, noise = 1, shift = 0) {
  with_seed(seed, {
    x <- matrix(rnorm(n * p), n) %*% (diag(p) + .4) + shift
    colnames(x) <- paste0("x", seq_len(p))
    y <- drop(x %*% rep_len(c(1, -.5, 0, .2), p)) + noise * rnorm(n) - shift
    list(x = x, y = y, domain = rep_len(c("a", "b", "c"), n), fold = sample(rep_len(1:5, n)),
         w = runif(n, .2, 3))
  })
}

# A fitter that counts what it is given.
counting <- function(fit) {
  seen <- character()
  list(fit = function(x, ...) {
    seen <<- c(seen, class(x))
    fit(x, ...)
  }, seen = function() table(factor(seen, c("transfer_frame", "moments"))))
}

# The mean squared errors of rows held out, folds x steps, by a loop over the folds. Rows of fold NA stay.
naive_losses <- function(d, fold, steps, fit, w = NULL, domain = NULL, ...) {
  v <- if (is.null(w)) rep(1, length(d$y)) else w
  out <- vapply(sort(unique(fold)), function(f) {
    kept <- !fold %in% f
    more <- list(...)
    if (!is.null(w)) more$weights <- w[kept]
    if (!is.null(domain)) more$domain <- domain[kept]
    path <- suppressMessages(do.call(fit, c(list(d$x[kept, ], d$y[kept]), more)))
    own <- pmin(steps, max(path$points$step))
    score <- vapply(own, function(step) predict(path, d$x[!kept, ], step = step), numeric(sum(!kept)))
    colSums(v[!kept] * (d$y[!kept] - score)^2) / sum(v[!kept])
  }, numeric(length(steps)))
  t(out)
}

expect_losses <- function(cvf, losses) {
  expect_lt(max(abs(cvf$fold_loss / losses - 1)), 1e-10)
}

test_that("what needs second moments only is fitted to rows once, and has the losses of the rows", {
  for (seed in 1:4) {
    d <- many_rows(seed, noise = c(1, .1)[1 + seed %% 2], shift = c(0, 1000)[1 + (seed > 2)])
    for (w in list(NULL, d$w)) {
      for (method in list(greedytl, tlcp)) {
        count <- counting(method)
        cvf <- cv_path(d$x, d$y, fit = count$fit, foldid = d$fold, weights = w)
        expect_identical(as.vector(count$seen()), c(1L, 6L))
        expect_losses(cvf, naive_losses(d, d$fold, cvf$points$step, method, w))
      }
      count <- counting(tgreedy)
      cvf <- cv_path(d$x, d$y, fit = count$fit, domain = d$domain, weights = w, max_steps = 4)
      expect_identical(as.vector(count$seen()), c(1L, 4L))
      expect_losses(cvf, naive_losses(d, d$domain, cvf$points$step, tgreedy, w, d$domain,
                                      max_steps = 4))
      cvf <- cv_path(d$x, d$y, fit = tgreedy, domain = d$domain, by = "rows", foldid = d$fold,
                     weights = w, max_steps = 4)
      expect_losses(cvf, naive_losses(d, d$fold, cvf$points$step, tgreedy, w, d$domain,
                                      max_steps = 4))
    }
  }
})

test_that("a model for one domain is fitted from moments too, and its rows alone are held out", {
  for (seed in 1:3) {
    d <- many_rows(seed, shift = c(0, 1000)[1 + (seed > 2)])
    d$y <- d$y + d$x[, 2] * c(a = .3, b = 0, c = -.2)[d$domain]
    fold <- ifelse(d$domain == "b", d$fold, NA)
    for (more in list(list(), list(select = FALSE), list(method = "cutoff"),
                      list(weights = d$w, control = tlcp_control(guard = FALSE)))) {
      count <- counting(tlcp)
      arguments <- c(list(d$x, d$y, count$fit, domain = d$domain, target = "b", foldid = d$fold), more)
      cvf <- suppressMessages(do.call(cv_path, arguments))
      expect_identical(as.vector(count$seen()), c(1L, 6L))
      w <- more$weights
      more$weights <- NULL
      naive <- do.call(naive_losses, c(list(d, fold, cvf$points$step, tlcp, w, d$domain, target = "b"), more))
      expect_losses(cvf, naive)
      expect_identical(is.na(cvf$foldid), d$domain != "b")
    }
    # folds of all rows, of which those of the target are used; the same as text, a factor, or by its own rows
    arguments <- list(d$x, d$y, tlcp, domain = d$domain, target = "b")
    run <- function(foldid, ...) suppressMessages(do.call(cv_path, c(arguments, list(foldid = foldid, ...))))
    given <- run(d$fold)
    text <- letters[d$fold]
    expect_losses(given, run(d$fold, keep_predictions = TRUE)$fold_loss)
    for (foldid in list(text, factor(text), d$fold[d$domain == "b"])) {
      expect_lt(max(abs(unname(run(foldid)$fold_loss / given$fold_loss) - 1)), 1e-12)
    }
    expect_identical(run(factor(text))$folds$fold, letters[1:5])
    for (by in list(NULL, "rows")) {
      drawn <- with_seed(seed, run(NULL, by = by, nfolds = 4))
      expect_losses(drawn, with_seed(seed, run(NULL, by = by, nfolds = 4, keep_predictions = TRUE))$fold_loss)
    }
    expect_identical(run(text)$foldid, ifelse(d$domain == "b", text, NA))
  }
})

test_that("offsets and predictions of sources are no reason to fit rows", {
  for (seed in 1:3) {
    d <- many_rows(seed, shift = c(0, 100)[1 + (seed > 2)])
    other <- many_rows(seed + 10, n = 200)
    models <- list(near = lm(y ~ ., data.frame(other$x, y = other$y)),
                   far = lm(y ~ x1 + x2, data.frame(other$x, y = 1:200)))
    predictions <- with_seed(seed + 20, cbind(s1 = d$x[, 1] + rnorm(900), s2 = d$y + rnorm(900), s3 = rnorm(900)))
    same <- function(fit, ...) {
      count <- counting(fit)
      of <- function(fit, ...) {
        suppressMessages(cv_path(y ~ ., data.frame(d$x, y = d$y), fit = fit, ..., foldid = d$fold))
      }
      cvf <- of(count$fit, ...)
      expect_identical(as.vector(count$seen()), c(1L, 6L))
      rows <- of(fit, ..., keep_predictions = TRUE)
      expect_losses(cvf, rows$fold_loss)
      for (part in c("beta", "a0", "average", "steps")) {
        expect_equal(cvf$fit[[part]], rows$fit[[part]], tolerance = 1e-10)
      }
      invisible(rows)
    }
    offset <- 2 * d$x[, 2] + d$w
    same(tlcp, offset = offset)
    same(tlcp, offset = offset, weights = d$w, domain = d$domain, target = "a")
    for (more in list(list(), list(weights = d$w), list(rule = "paper"), list(lambda = c(.1, 1), keep = "s3"),
                      list(control = greedytl_control(source_scale = "each")),
                      list(control = greedytl_control(source_sign = "positive"), average = FALSE),
                      list(control = greedytl_control(ridge = c(1, 2)), groups = c("a", "a", "b", "b"), keep = "x1"),
                      list(intercept = FALSE))) {
      do.call(same, c(list(greedytl, sources = predictions), more))
    }
    same(greedytl, sources = models) # which are asked once
    # the losses of the first fold, by hand
    rows <- same(greedytl, sources = predictions)
    out <- d$fold == 1
    path <- greedytl(d$x[!out, ], d$y[!out], sources = predictions[!out, ])
    score <- predict(path, d$x[out, ], sources = predictions[out, ], step = rows$points$step)
    expect_equal(unname(rows$fold_loss[1, ]), unname(colMeans((d$y[out] - score)^2)), tolerance = 1e-10)
  }
})

test_that("several responses are fitted from moments too, and their losses are averaged", {
  d <- many_rows(9, n = 1500)
  y <- cbind(one = d$y, two = with_seed(10, 3 - 2 * d$x[, 2] + 2 * rnorm(1500)), three = with_seed(11, rnorm(1500)))
  for (more in list(list(), list(nu = 1, weights = d$w), list(nu = c(1, 10), choose = "none", standardize = FALSE),
                    list(keep = "x4"), list(keep = c("x4", "x1"), intercept = FALSE, choose = "ridge", nu = 2))) {
    count <- counting(msplit)
    of <- function(fit, ...) {
      suppressMessages(do.call(cv_path, c(list(d$x, y, fit = fit, foldid = d$fold, ...), more)))
    }
    cvf <- of(count$fit)
    expect_identical(as.vector(count$seen()), c(1L, 6L))
    rows <- of(msplit, keep_predictions = TRUE)
    expect_losses(cvf, rows$fold_loss)
    out <- d$fold == 1
    errors <- (y[out, ] - rows$predictions[out, , 2])^2
    weights <- more$weights[out]
    expect_equal(rows$fold_loss[[1, 2]], if (is.null(weights)) mean(errors) else
      sum(weights * rowMeans(errors)) / sum(weights))
  }
})

test_that("an intercept near 0 does not hide that two fits are the same", {
  d <- many_rows(8)
  d$x <- scale(d$x, scale = FALSE)
  d$y <- d$y - mean(d$y)
  count <- counting(greedytl)
  cv_path(d$x, d$y, fit = count$fit, foldid = d$fold)
  expect_identical(as.vector(count$seen()), c(1L, 6L))
})

test_that("the fit to all rows takes the moments of its own rows, and of no others", {
  d <- many_rows(1)
  known <- NULL
  fit <- function(x, ...) {
    if (inherits(x, "transfer_frame")) known <<- !is.null(transelect:::frame_moments(x))
    greedytl(x, ...)
  }
  set.seed(2)
  cvf <- cv_path(d$x, d$y, fit = fit)
  expect_true(known)
  set.seed(2)
  expect_identical(cvf$foldid, make_folds(d$y))
  path <- greedytl(d$x, d$y)
  for (part in c("beta", "a0", "fitted", "residuals", "steps", "loo", "average")) {
    expect_equal(cvf$fit[[part]], path[[part]], tolerance = 1e-11)
  }
  weighted <- function(x, ...) {
    if (inherits(x, "transfer_frame")) x$weights <- rep_len(1:3, length(x$y))
    greedytl(x, ...)
  }
  cvf <- cv_path(d$x, d$y, fit = weighted, foldid = d$fold)
  by_rows <- greedytl(d$x, d$y, weights = rep_len(1:3, length(d$y)))
  expect_equal(coef(cvf$fit, step = 2), coef(by_rows, step = 2), tolerance = 1e-11)
  near <- cbind(d$x, x1.again = d$x[, 1] + 1e-7 * with_seed(3, rnorm(nrow(d$x))))
  cv_path(near, d$y, fit = fit, foldid = d$fold)
  expect_false(known)
})

test_that("everything beside the losses is that of the rows too", {
  d <- many_rows(5)
  of <- function(...) {
    out <- cv_path(d$x, d$y, foldid = d$fold, ...)
    out[c("call", "predictions")] <- NULL
    out$fit$call <- NULL
    unsealed(out)
  }
  for (more in list(list(), list(rule = "paper", max_steps = 3), list(lambda = c(.1, 10)),
                    list(loss = "deviance"), list(fit = tgreedy, domain = d$domain, rule = "t"))) {
    rows <- do.call(of, c(more, keep_predictions = TRUE))
    expect_equal(do.call(of, more), rows, tolerance = 1e-10)
  }
  sparse <- methods::as(Matrix::Matrix(d$x * (abs(d$x) > .5), sparse = TRUE), "CsparseMatrix")
  a <- cv_path(sparse, d$y, foldid = d$fold)
  expect_equal(a$cvm, cv_path(as.matrix(sparse), d$y, foldid = d$fold)$cvm, tolerance = 1e-10)
  data <- data.frame(d$x, y = d$y, kind = factor(d$domain), w = d$w)
  f <- function(...) cv_path(y ~ . - w + x1:x2, data, weights = w, foldid = d$fold, ...)$fold_loss
  expect_equal(f(), f(keep_predictions = TRUE), tolerance = 1e-10)
})

test_that("rows are used where moments are not enough, or lose too many digits", {
  d <- many_rows(6)
  kinds <- function(fit = greedytl, y = d$y, x = d$x, ...) {
    count <- counting(fit)
    suppressMessages(cv_path(x, y, fit = count$fit, foldid = d$fold[seq_along(y)], ...))
    as.vector(count$seen())
  }
  expect_identical(kinds(), c(1L, 6L))
  rows <- c(6L, 0L)
  expect_identical(kinds(keep_predictions = TRUE), rows)
  expect_identical(kinds(loss = "mae"), rows)
  expect_identical(kinds(y = factor(d$y > 0), loss = "mse"), rows)
  asked <- list(function(newdata) newdata[, 1])
  expect_identical(kinds(sources = asked, control = greedytl_control(candidates = 1)), rows) # asked by column
  expect_identical(kinds(y = d$y[1:150], x = d$x[1:150, ]), rows) # few rows
  expect_identical(kinds(y = d$y + 1e7 * sd(d$y), fit = tlcp), rows) # a mean that takes half of the digits
  # moments are tried, and found not to be accurate enough
  asked <- c(6L, 1L)
  expect_identical(kinds(control = greedytl_control(source_scale = "each")), asked) # an argument that needs rows
  other <- function(x, ...) greedytl(x, max_steps = if (inherits(x, "moments")) 1 else 2)
  expect_identical(kinds(other), asked)
  none <- function(x, ...) if (inherits(x, "moments")) stop("no moments") else greedytl(x, ...)
  expect_identical(kinds(none), asked)
  # a nearly perfect fit: differences of products of moments would keep few digits
  exact <- function(...) kinds(y = drop(d$x %*% 1:4) + 1e-6 * d$y, lambda = 1e-12, ...)
  expect_identical(exact()[1], 6L)
})

test_that("rows are used where columns are close to dependent in the training rows of a fold", {
  d <- with_seed(3, {
    site <- rep(letters[1:5], each = 300)
    d <- data.frame(x1 = rnorm(1500), x2 = rnorm(1500),
                    kind = factor(ifelse(site == "a", sample(c("base", "k1", "k2"), 1500, TRUE),
                                         sample(c("k1", "k2"), 1500, TRUE))))
    d$y <- d$x1 + c(base = 2, k1 = 0, k2 = 1)[as.character(d$kind)] + rnorm(1500)
    d$z <- d$x2 + 2 * (d$kind == "k1") + rnorm(1500)
    d
  })
  site <- rep(letters[1:5], each = 300)
  for (formula in list(y ~ x1 + x2 + kind, cbind(y, z) ~ x1 + x2 + kind)) {
    of <- function(...) suppressMessages(cv_path(formula, d, fit = msplit, foldid = site, ...))
    expect_identical(of()$fold_loss, of(keep_predictions = TRUE)$fold_loss)
  }
  d$near <- ifelse(site == "a", d$x2, d$x1 + 1e-4 * with_seed(4, rnorm(1500)))
  for (fit in list(greedytl, tlcp)) {
    count <- counting(fit)
    suppressWarnings(cv_path(y ~ x1 + x2 + near, d, fit = count$fit, foldid = site)) # tlcp() warns of such columns
    expect_identical(count$seen()[["transfer_frame"]], 6L)
  }
})

test_that("the generator of random numbers and the caller's moments are left alone", {
  d <- many_rows(7)
  with_seed(1, {
    cv_path(d$x, d$y, foldid = d$fold)
    after <- runif(1)
  })
  expect_identical(after, with_seed(1, runif(1)))
  # a fitter that draws random numbers: the call that tries moments leaves the generator as it was
  drawing <- function(use) function(x, ...) {
    if (use == "rows" && inherits(x, "moments")) stop("rows only")
    drawn <<- c(drawn, stats::runif(1))
    greedytl(x, ...)
  }
  drawn <- numeric()
  numbers <- lapply(c("rows", "both"), function(use) {
    drawn <<- numeric()
    with_seed(2, {
      cv_path(d$x, d$y, foldid = d$fold, fit = drawing(use))
      c(drawn, runif(1))
    })
  })
  expect_identical(numbers[[2]][-2], numbers[[1]])
  # one that draws only for rows leaves the generator in one state, whether the folds are fitted to rows or moments
  draws_for_rows <- function(x, ...) {
    if (!inherits(x, "moments")) stats::runif(1)
    greedytl(x, ...)
  }
  after <- lapply(c(FALSE, TRUE), function(rows) {
    with_seed(3, {
      cv_path(d$x, d$y, nfolds = 5, fit = draws_for_rows, keep_predictions = rows)
      runif(1)
    })
  })
  expect_identical(after[[1]], after[[2]])
})

test_that("cross-validation of moments says in which fold a fit failed", {
  d <- many_rows(8)
  m <- moments(d$x, d$y, fold = d$fold)
  count <- 0
  second <- function(x, ...) {
    count <<- count + 1
    if (count == 3) stop("broken") else greedytl(x, ...)
  }
  expect_error(cv_path(m, fit = second), "without fold 2 \\(720 rows\\)",
               class = "transelect_error_fold")
})

test_that("moments stand for rows only where the path from them has the predictions of the path from rows", {
  d <- many_rows(5)
  for (part in c("a0", "beta")) {
    for (share in c(1e-13, 1e-8)) {
      count <- counting(function(x, ...) {
        path <- greedytl(x, ...)
        if (inherits(x, "moments")) path[[part]] <- path[[part]] + share * sd(d$y) * (path[[part]] != 0)
        path
      })
      cvf <- cv_path(d$x, d$y, fit = count$fit, foldid = d$fold)
      # the path from moments is tried once, and then the folds are fitted to moments, or to rows
      expect_identical(as.vector(count$seen()), if (share < 1e-10) c(1L, 6L) else c(6L, 1L))
      expect_losses(cvf, naive_losses(d, d$fold, cvf$points$step, greedytl))
    }
  }
})

test_that("rows are used where the mean of a response is far from 0 in its standard deviations", {
  d <- many_rows(6)
  y <- d$y / sd(d$y)
  for (far in c(5e4, 2e5)) {
    count <- counting(greedytl)
    cv_path(d$x, y - mean(y) + far, fit = count$fit, foldid = d$fold)
    expect_identical(as.vector(count$seen()), if (far < 1e5) c(1L, 6L) else c(6L, 0L))
  }
})
