# New rows far outside those of the fit: predictions with bounded columns, and the message about them.

# Columns of new rows bounded by the definition: `low` and `high` of the rows of the fit, `bound` widths on either side.
naive_bounded <- function(new, x, bound = 10) {
  new <- as.matrix(new)
  for (j in seq_len(ncol(new))) {
    low <- min(x[, j])
    high <- max(x[, j])
    if (high == low) next
    by <- bound * (high - low)
    new[, j] <- pmin(pmax(new[, j], low - by), high + by)
  }
  new
}

message_about <- function(code) {
  found <- character()
  withCallingHandlers(code, transelect_message_bound = function(m) {
    found <<- c(found, conditionMessage(m))
    invokeRestart("muffleMessage")
  })
  found
}

linear <- function(fit, x, ...) {
  b <- coef(fit, ...)
  unname(drop(cbind(1, x) %*% b))
}

far_case <- local({
  d <- draw_case(2, n = 30)
  d$x[, 7] <- 3 # does not vary
  d$x[, 8] <- d$x[, 8] + 1000 # zeros are far away
  d$new <- rbind(d$x[1:6, ] + .1, d$x[1:4, ])
  d$new[2, 1] <- 1e3
  d$new[3, c(1, 2)] <- c(-200, 40)
  d$new[4, 3] <- -Inf
  d$new[5, 8] <- 0
  d$new[6, 7] <- 50
  d
})

test_that("columns are bounded by the definition for every kind of new rows, with one message", {
  d <- far_case
  domain <- rep(c("a", "b", "c"), 10)
  fits <- list(
    greedytl(d$x, d$y), greedytl(d$x, d$y, rule = "paper",
                                 control = greedytl_control(tol = 0)), msplit(d$x, d$y), msplit(d$x, d$y, keep = "x8"),
    tgreedy(d$x, d$y, domain,
            control = tgreedy_control(stop = "none")), tgreedy(d$x, d$y, domain, keep = "x8",
                                                               control = tgreedy_control(stop = "none"))
  )
  for (fit in fits) {
    want <- linear(fit, naive_bounded(d$new, d$x))
    sparse <- Matrix::Matrix(d$new, sparse = TRUE)
    for (new in list(d$new, sparse, as.data.frame(d$new))) {
      said <- message_about(value <- predict(fit, new))
      expect_length(said, 1)
      expect_equal(unname(value), want, tolerance = 1e-10)
    }
    expect_match(said, "4 of 10 rows of `newdata` are far")
    expect_match(said, "\"x1\" by up to [0-9]+ \\(2 rows\\)")
    expect_match(said, "\"x3\" by Inf \\(1 row\\)")
    expect_no_match(said, "x4|x7")
    finite <- replace(d$new, d$new == -Inf, -100)
    expect_length(message_about(value <- predict(fit, finite, bound = Inf)), 0)
    expect_equal(unname(value), linear(fit, finite), tolerance = 1e-10)
    value <- suppressMessages(predict(fit, d$new, bound = 0))
    expect_equal(unname(value), linear(fit, naive_bounded(d$new, d$x, 0)), tolerance = 1e-10)
    expect_quiet(value <- predict(fit, d$x))
    expect_equal(unname(value), linear(fit, d$x), tolerance = 1e-10)
    expect_quiet(predict(fit, replace(d$x, 1, NA)))
    expect_quiet(predict(fit, d$x[0, ]))
  }
})

test_that("a sparse matrix stays sparse where its zeros are out of range, and unstored zeros are bounded", {
  x <- Matrix::rsparsematrix(40, 6, .4, rand.x = function(n) rep_len(1 + seq_len(7) / 7, n))
  x[, 2] <- 100 + seq_len(40) / 40
  colnames(x) <- paste0("x", 1:6)
  y <- as.vector(x %*% c(1, 2, 0, 0, 1, 1)) + sin(1:40)
  fit <- msplit(x, y)
  new <- x[1:8, ]
  new[1:3, 2] <- 0
  new[4, 1] <- 400
  new <- Matrix::drop0(new)
  at <- suppressMessages(path_bound_columns(fit, 1:6, new, NULL, TRUE, NULL))
  expect_s4_class(at$z, "dgCMatrix")
  expect_lte(length(at$z@x), length(new@x))
  expect_equal(unname(as.matrix(at$z) + rep(at$level, each = 8)), unname(naive_bounded(new, as.matrix(x))))
  expect_match(message_about(value <- predict(fit, new)), "\"x2\" by up to [0-9]+ \\(3 rows\\)")
  expect_equal(value, linear(fit, naive_bounded(new, as.matrix(x))), tolerance = 1e-8)
})

test_that("predictions of sources are bounded: given, asked from models, and drawn as candidates", {
  d <- draw_case(5, n = 25)
  new <- list(x = d$new$x, h = d$new$h)
  new$h[2, ] <- 1e4
  fit <- greedytl(d$x, d$y, sources = d$h)
  want <- linear(fit, naive_bounded(cbind(new$x, new$h), cbind(d$x, d$h)))
  expect_match(message_about(value <- predict(fit, new$x, sources = new$h)), "\"h")
  expect_equal(value, want, tolerance = 1e-10)
  w <- with_seed(1, matrix(rnorm(8 * 5), 8))
  models <- lapply(1:5, function(k) function(x) drop(as.matrix(x) %*% w[, k])^3)
  names(models) <- paste0("m", 1:5)
  h <- vapply(models, function(f) f(d$x), numeric(25))
  far <- rbind(d$x[1:3, ], 8 * d$x[4, ])
  for (more in list(list(), list(candidates = 3, rule = "paper", ridge = 1))) {
    fit <- with_seed(3, suppressMessages(do.call(flat(greedytl), c(list(d$x, h[, 1] + d$y, sources = models), more))))
    b <- coef(fit)
    expect_true(any(b[names(models)] != 0))
    h_far <- vapply(models, function(f) f(far), numeric(4))
    z <- naive_bounded(cbind(far, h_far), cbind(d$x, h))
    expect_equal(suppressMessages(predict(fit, far)), unname(drop(cbind(1, z) %*% b)), tolerance = 1e-10)
  }
})

test_that("methods without a bound say which rows are far, and take one", {
  d <- far_case
  new <- replace(d$new, d$new == -Inf, -100)
  fit <- tlcp(d$x, d$y, select = FALSE, control = tlcp_control(drop = "x7"))
  said <- message_about(value <- predict(fit, new))
  expect_match(said, "extrapolate; `bound = 10` bounds")
  expect_equal(unname(value), linear(fit, new), tolerance = 1e-8)
  expect_quiet(predict(fit, new, bound = Inf))
  value <- suppressMessages(predict(fit, new, bound = 10))
  expect_equal(unname(value), linear(fit, naive_bounded(new, d$x)), tolerance = 1e-8)
  domain <- rep(c("a", "b"), 15)
  fit <- suppressMessages(tlcp(d$x, d$y, domain = domain, target = "a", select = FALSE,
                               control = tlcp_control(drop = "x7")))
  expect_equal(fit$ranges$high, unname(apply(d$x, 2, max))) # of the rows of all domains
  fit <- shareboost(d$x, factor(d$y > 0))
  near <- naive_bounded(new, d$x)
  for (type in c("class", "link", "score", "prob", "response", "terms")) {
    expect_length(message_about(value <- predict(fit, new, type = type, bound = 10)), 1)
    expect_equal(value, suppressMessages(predict(fit, near, type = type)))
  }
  expect_match(message_about(predict(fit, new, bound = 1)), "bounded at 1 range outside")
})

test_that("verbs take the bound, and classes are predicted with it", {
  d <- far_case
  class <- factor(d$y > 0, labels = c("no", "yes"))
  fit <- greedytl(d$x, class, prob = TRUE)
  bounded <- naive_bounded(d$new, d$x)
  for (type in c("link", "class", "prob")) {
    expect_length(message_about(value <- predict(fit, d$new, type = type)), 1)
    expect_equal(value, suppressMessages(predict(fit, bounded, type = type)))
  }
  expect_length(message_about(a <- augment(fit, d$new)), 1)
  expect_equal(a$.fitted, suppressMessages(predict(fit, bounded, type = "link")))
  truth <- class[c(1:6, 1:4)]
  expect_length(message_about(one <- assess(fit, d$new, truth)), 1)
  expect_equal(one, suppressMessages(assess(fit, bounded, truth)))
  expect_false(isTRUE(all.equal(augment(fit, d$new, bound = Inf)$.fitted, a$.fitted)))
  expect_error(predict(fit, d$new, bound = -1), class = "transelect_error_bound")
  expect_error(predict(fit, d$new, bound = NA), class = "transelect_error_bound")
  expect_error(cv_path(d$x, d$y, bound = "a"), class = "transelect_error_bound")
  engine <- transelect_engine(as.data.frame(d$x), d$y, "msplit", bound = 2)
  expect_equal(unname(suppressMessages(predict(engine, as.data.frame(d$new)))),
               linear(engine, naive_bounded(d$new, d$x, 2)), tolerance = 1e-10)
})

test_that("fits to moments know no ranges", {
  d <- far_case
  fit <- msplit(moments(d$x, d$y))
  new <- replace(d$new, d$new == -Inf, -100)
  expect_quiet(value <- predict(fit, new))
  expect_equal(unname(value), linear(fit, new), tolerance = 1e-8)
  expect_error(predict(fit, new, bound = 10), class = "transelect_error_bound")
})

test_that("cross-validation bounds held-out rows by the training rows, by rows and by second moments", {
  x <- with_seed(8, named_columns(rnorm(400 * 3), 400, "x"))
  y <- drop(x %*% c(1, .5, 0)) + with_seed(9, rnorm(400))
  x[7, 1] <- 5000 # held out once: its column is bounded by the training rows
  foldid <- rep(1:4, 100)
  losses <- function(fit, ..., naive = 10) {
    cvf <- suppressMessages(cv_path(x, y, fit = fit, foldid = foldid, ...))
    at <- nrow(cvf$points)
    step <- cvf$points$step[at]
    own <- vapply(1:4, function(k) {
      rest <- foldid != k
      made <- suppressMessages(fit(x[rest, ], y[rest]))
      new <- naive_bounded(x[!rest, ], x[rest, ], naive)
      mean((y[!rest] - linear(made, new, step = max(made$points$step)))^2)
    }, 0)
    list(cv = unname(cvf$fold_loss[, at]), own = own, cvf = cvf)
  }
  paper <- function(x, ...) greedytl(x, ..., rule = "paper", control = greedytl_control(ridge = 0, tol = 0))
  bounded <- losses(paper)
  expect_equal(bounded$cv, bounded$own, tolerance = 1e-8)
  free <- losses(paper, bound = Inf, naive = Inf)
  expect_equal(free$cv, free$own, tolerance = 1e-8)
  expect_gt(free$cv[3], 100 * bounded$cv[3])
  expect_identical(free$cvf$fit$bound, Inf)
  expect_equal(bounded$cv[-3], free$cv[-3], tolerance = 1e-8) # nothing else is bounded
  # by domain, too
  domain <- rep(c("a", "b", "c", "d"), 100)
  cvf <- suppressMessages(cv_path(x, y, fit = tgreedy, domain = domain, control = tgreedy_control(stop = "none")))
  made <- suppressMessages(tgreedy(x[domain != "c", ], y[domain != "c"], domain[domain != "c"],
                                   control = tgreedy_control(stop = "none")))
  new <- naive_bounded(x[domain == "c", ], x[domain != "c", ])
  expect_equal(cvf$fold_loss["c", "1"], mean((y[domain == "c"] - linear(made, new, step = 1))^2), tolerance = 1e-8)
  compared <- function(bound) {
    suppressMessages(compare_paths(x, y, fits = list(one = paper), foldid = foldid, baselines = FALSE, bound = bound))
  }
  expect_equal(compared(NULL)$loss, mean(bounded$cv), tolerance = 1e-8)
  expect_equal(compared(Inf)$loss, mean(free$cv), tolerance = 1e-8)
})

test_that("cross-validation, comparisons and the engine of parsnip say once which rows are far", {
  x <- with_seed(8, named_columns(rnorm(60 * 3), 60, "x"))
  y <- drop(x %*% c(1, .5, 0)) + with_seed(9, rnorm(60))
  x[7, 1] <- 5000
  x[c(8, 12), 2] <- -900 # of one fold
  far <- c(7, 8, 12)
  foldid <- rep(1:4, 15)
  for (fit in list(greedytl, msplit)) {
    said <- message_about(cv_path(x, y, fit = fit, foldid = foldid))
    expect_length(said, 1)
    expect_match(said, "3 of 60 held-out rows are far outside the ranges of the training rows of their folds")
    expect_match(said, "\"x1\" by [0-9]+ \\(1 row\\), \"x2\" by up to [0-9]+ \\(2 rows\\)\\.")
    expect_length(message_about(cv_path(x, y, fit = fit, foldid = foldid, bound = Inf)), 0)
    expect_length(message_about(cv_path(x[-far, ], y[-far], fit = fit, foldid = foldid[-far])), 0)
  }
  expect_length(message_about(cv_path(x, y, fit = function(x, ...) tlcp(x, select = FALSE, ...), foldid = foldid)), 0)
  fits <- list(paper = function(x, ...) greedytl(x, rule = "paper", ...), split = msplit)
  said <- message_about(compare_paths(x, y, fits = fits, foldid = foldid, baselines = FALSE))
  expect_length(said, 1)
  expect_match(said, "3 of 60 held-out rows")
  engine <- transelect_engine(as.data.frame(x[-far, ]), y[-far], "greedytl")
  expect_length(message_about(predict(engine, as.data.frame(x))), 1)
})

test_that("second moments stand for the rows where no row held out is bounded, and only there", {
  x <- with_seed(8, named_columns(rnorm(400 * 3), 400, "x"))
  frame <- list(x = x, y = x[, 1])
  class(frame) <- "transfer_frame"
  fold <- factor(rep(1:4, 100))
  expect_false(path_bound_binds(frame, fold, 10))
  expect_true(path_bound_binds(frame, fold, .01))
  frame$x[7, 1] <- 500
  expect_true(path_bound_binds(frame, fold, 10))
  expect_false(path_bound_binds(frame, fold, Inf))
  expect_false(path_bound_binds(frame, replace(fold, 7, NA), 10)) # in every training part
  frame$x <- Matrix::Matrix(frame$x, sparse = TRUE)
  expect_true(path_bound_binds(frame, fold, 10))
  frame$x[, 1] <- c(1, rep(0, 399)) # constant in the training rows of a fold
  expect_false(path_bound_binds(frame, fold, 10))
})
