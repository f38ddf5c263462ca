# compare_paths() of data, against loops over the folds by hand.

test_that("ridge by leave-one-out is that of all refits, whatever the columns", {
  for (kind in case_kinds) {
    for (size in list(c(14, 4), c(9, 15))) {
      case <- draw_case(3, kind, n = size[1], p = size[2])
      v <- case$weights
      scaled <- if (kind == "scaled") 1e-6 else 1e-7
      ours <- compare_baselines_loo_ridge(case$x, case$y, v)
      twin <- naive_ridge_loo(case$x, case$y, v)
      expect_identical(ours$tau, twin$tau, info = kind)
      new <- case$x + .1
      expect_equal(drop(new %*% ours$w) + ours$a0, drop(new %*% twin$w) + twin$a0, tolerance = scaled,
                   info = kind)
    }
  }
  flat <- compare_baselines_loo_ridge(matrix(2, 5, 2), 1:5 + 0, rep(1, 5))
  expect_equal(flat[c("a0", "w")], list(a0 = 3, w = c(0, 0)))
})

test_that("numbers: losses and paired differences are those of loops by hand", {
  for (seed in 1:3) {
    case <- cv_case(seed, n = 30, p = 6, s = 4)
    h <- case$h[, 1:4]
    fits <- list(ours = greedytl, paper = function(x, ...) greedytl(x, rule = "paper", ...),
                 least = function(x, y) lm(y ~ ., data.frame(x)))
    foldid <- rep_len(c(2, 1, 3, 4, 1), 30)
    for (loss in c("mse", "mae")) {
      made <- compare_paths(case$x, case$y, fits, sources = h, foldid = foldid, loss = loss,
                            weights = case$weights[seq_len(30)])
      w <- case$weights[seq_len(30)]
      by_hand <- list(
        ours = function(train, test) predict(greedytl(case$x[train, ], case$y[train], h[train, ],
                                                      weights = w[train]),
                                             case$x[test, ], sources = h[test, ]),
        paper = function(train, test) predict(greedytl(case$x[train, ], case$y[train], h[train, ],
                                                       rule = "paper", weights = w[train]),
                                              case$x[test, ], sources = h[test, ]),
        least = function(train, test) {
          data <- data.frame(case$x, y = case$y)
          predict(lm(y ~ ., data[train, ]), data[test, ])
        },
        "ours, no sources" = function(train, test) {
          predict(greedytl(case$x[train, ], case$y[train], weights = w[train]), case$x[test, ])
        }
      )
      scores <- naive_comparison_scores(case$x, case$y, h, foldid, by_hand, naive_losses[[loss]], w)
      losses <- naive_fold_losses(scores, case$y, foldid, naive_losses[[loss]], w)
      expect_identical(as.character(made$rule), colnames(losses))
      expect_equal(unname(attr(made, "fold_loss")), unname(losses), tolerance = 1e-7)
      weight <- as.vector(tapply(w, foldid, sum))
      twin <- apply(losses, 2, naive_summary, weight)
      gap <- apply(losses - losses[, 1], 2, naive_summary, weight)
      expect_equal(rbind(made$loss, made$se), unname(twin), tolerance = 1e-7)
      expect_equal(rbind(made$difference, made$difference_se), unname(gap), tolerance = 1e-7)
    }
  }
})

test_that("a function that asks for sources, weights and domains gets those of its rows", {
  case <- cv_case(4, n = 24, p = 3, s = 2)
  h <- case$h[, 1:2]
  seen <- list()
  fit <- function(x, y, sources, weights, domain) {
    seen[[length(seen) + 1]] <<- list(nrow(x), length(y), dim(sources), length(weights), length(domain))
    lm(y ~ ., data.frame(x, sources), weights = weights)
  }
  made <- compare_paths(case$x, case$y, list(both = fit), sources = h, weights = case$weights[1:24],
                        domain = case$domain[1:24], foldid = rep(1:4, 6), baselines = FALSE)
  expect_length(seen, 4)
  expect_identical(seen[[1]], list(18L, 18L, c(18L, 2L), 18L, 18L))
  data <- data.frame(case$x, h, y = case$y, w = case$weights[1:24])
  twin <- vapply(1:4, function(k) {
    at <- rep(1:4, 6) == k
    model <- lm(y ~ . - w, data[!at, ], weights = w)
    weighted.mean((data$y[at] - predict(model, data[at, ]))^2, data$w[at])
  }, 0)
  expect_equal(unname(attr(made, "fold_loss")[, 1]), twin)
})

test_that("the first method decides what is held out, for all rules", {
  case <- cv_case(5, n = 36, p = 5, s = 3)
  domain <- case$domain
  made <- compare_paths(case$x, case$y, list(t = tgreedy, g = greedytl), domain = domain)
  expect_identical(rownames(attr(made, "fold_loss")), c("u", "v", "w"))
  own <- mean(vapply(c("u", "v", "w"), function(left) {
    at <- domain != left
    fit <- tgreedy(case$x[at, ], case$y[at], domain[at])
    mean((case$y[!at] - predict(fit, case$x[!at, ]))^2)
  }, 0))
  expect_equal(made$loss[1], own)
  expect_identical(nrow(attr(compare_paths(case$x, case$y, list(t = tgreedy), domain = domain, by = "rows",
                                           nfolds = 4), "fold_loss")), 4L)
  # a target: its rows alone are held out, the others stay; ridge of it alone and of all
  target <- function(x, ...) tlcp(x, target = "u", ...)
  made <- compare_paths(case$x, case$y, list(borrow = target, ours = greedytl), domain = domain,
                        foldid = rep_len(1:3, 12))
  expect_identical(is.na(attr(made, "foldid")), domain != "u")
  rows <- which(domain == "u")
  twin <- function(others) mean(vapply(1:3, function(k) {
    test <- rows[rep_len(1:3, 12) == k]
    train <- setdiff(if (others) seq_len(36) else rows, test)
    model <- naive_ridge_loo(case$x[train, ], case$y[train], rep(1, length(train)))
    mean((case$y[test] - drop(case$x[test, ] %*% model$w) - model$a0)^2)
  }, 0))
  expect_equal(made$loss[made$rule == "ridge on features"], twin(FALSE))
  expect_equal(made$loss[made$rule == "ridge on features, all domains"], twin(TRUE))
  expect_error(compare_paths(case$x, case$y, list(a = target, b = tgreedy), domain = domain), "hold out",
               class = "transelect_error_fits")
  expect_error(compare_paths(case$x, case$y, list(a = target, b = function(x, ...) tlcp(x, target = "v", ...)),
                             domain = domain), class = "transelect_error_fits")
})

test_that("a cross-validation as a fit chooses on the rows of the fit", {
  case <- cv_case(6, n = 30, p = 5, s = 3)
  foldid <- rep_len(1:3, 30)
  # folds of as many rows as the fit has: all, or those of the other folds
  inner <- function(x, ...) cv_path(x, foldid = rep_len(1:4, nrow(x$x)), ...)
  made <- compare_paths(case$x, case$y, list(tuned = inner), foldid = foldid, baselines = FALSE)
  twin <- vapply(1:3, function(k) {
    at <- foldid != k
    cv <- cv_path(case$x[at, ], case$y[at], foldid = rep_len(1:4, 20))
    mean((case$y[!at] - predict(cv, case$x[!at, ]))^2)
  }, 0)
  expect_equal(unname(attr(made, "fold_loss")[, 1]), twin)
})

test_that("a formula, a sparse design and other processes give the same", {
  data <- source_frame(7)
  foldid <- rep_len(1:4, nrow(data))
  sources <- list(a1 = function(d) d$a, b1 = function(d) d$b)
  # a factor enters whole, the columns of a matrix one by one
  fits <- list(ours = function(x, ...) greedytl(x, groups = FALSE, ...))
  by_formula <- compare_paths(y ~ a + b + c + site, data = data, fits, sources = sources, foldid = foldid)
  x <- model.matrix(~ a + b + c + site, data)[, -1]
  plain <- compare_paths(x, data$y, fits, sources = cbind(a1 = data$a, b1 = data$b), foldid = foldid)
  expect_equal(by_formula$loss, plain$loss)
  sparse <- compare_paths(Matrix::Matrix(x, sparse = TRUE), data$y, fits,
                          sources = cbind(a1 = data$a, b1 = data$b), foldid = foldid)
  expect_equal(sparse$loss, plain$loss)
  skip_if_not_installed("future.apply")
  elsewhere <- compare_paths(y ~ a + b + c + site, data = data, fits, sources = sources, foldid = foldid,
                             parallel = TRUE)
  expect_identical(as.data.frame(elsewhere), as.data.frame(by_formula))
})

test_that("folds given leave the random numbers alone; drawn ones follow the seed", {
  case <- cv_case(8)
  set.seed(1)
  before <- .Random.seed
  compare_paths(case$x, case$y, foldid = case$foldid)
  expect_identical(.Random.seed, before)
  first <- compare_paths(case$x, case$y, nfolds = 4)
  set.seed(1)
  expect_identical(attr(first, "foldid"), make_folds(case$y, 4))
})

test_that("print, tidy and both pictures show the table", {
  case <- cv_case(10, s = 8)
  made <- compare_paths(case$x, case$y, sources = case$h, foldid = case$foldid)
  shown <- capture.output(print(made))
  expect_match(shown[1], "17 rules on the same 4 folds; mean squared error", fixed = TRUE)
  expect_match(paste(shown, collapse = " "), "the best 5 of 8", fixed = TRUE)
  table <- tidy(made)
  expect_identical(class(table), "data.frame")
  expect_identical(table$estimate, made$loss)
  expect_identical(table$difference.std.error, made$difference_se)
  picture <- picture_of(plot(made))
  points <- described_marks(picture, "point", 2)
  rows <- match(picture$panels[[2]]$y$labels, made$rule)
  place <- if (grepl("square root", picture$panels[[2]]$x$label)) picture_root_place else identity
  expect_equal(points$x, place(made$difference[rows]))
  expect_identical(points$y, as.numeric(14:1))
  expect_identical(sum(made$kind[rows] == "source"), 5L)
  draw(expect_identical(plot(made), made))
  draw(plot(made[1:3, ]))
  expect_output(print(made[1:3, "loss", drop = FALSE]))
  skip_if_not_installed("ggplot2")
  draw(print(ggplot2::autoplot(made)))
})

test_that("bad inputs are named", {
  case <- cv_case(12)
  run <- function(...) compare_paths(case$x, case$y, ..., foldid = case$foldid)
  expect_error(compare_paths(), class = "transelect_error_dots")
  expect_error(compare_paths(greedytl(case$x, case$y)), class = "transelect_error_dots")
  expect_error(compare_paths(case$x), class = "transelect_error_y")
  expect_error(run(fits = list(greedytl)), "name", class = "transelect_error_fits")
  expect_error(run(fits = list(a = greedytl, a = greedytl)), class = "transelect_error_fits")
  expect_error(run(fits = "greedytl"), class = "transelect_error_fits")
  expect_error(run(fits = list(a = function(x, ...) 1)), "returned", class = "transelect_error_fits")
  expect_error(run(baselines = "rdige"), class = "transelect_error_baselines")
  expect_error(run(baseline = "ridge"), "baselines", class = "transelect_error_argument")
  expect_error(run(loss = "class"), class = "transelect_error_loss")
  without_target <- tryCatch(run(fits = tlcp, domain = case$domain), transelect_error_fits = identity)
  expect_identical(conditionCall(without_target$parent), quote(fit()))
  broken <- tryCatch(run(fits = list(bad = function(x, y) stop("no luck"))), error = identity)
  expect_s3_class(broken, "transelect_error_fold")
  expect_s3_class(broken$parent, "transelect_error_fits")
  expect_match(conditionMessage(broken), "no luck")
  short <- tryCatch(run(fits = list(bad = function(x, y) function(new) 1)), error = identity)
  expect_match(conditionMessage(short), "length 1")
  expect_error(compare_paths(case$x, case$factor, list(a = shareboost), foldid = case$foldid, loss = "mse"),
               class = "transelect_error_loss")
  counts <- function(x, ...) tlcp(x, family = "poisson", ...)
  expect_error(compare_paths(case$x, rpois(36, 3), list(a = counts), foldid = case$foldid), "poisson",
               class = "transelect_error_fits")
  expect_error(compare_paths(case$x, cbind(case$y, case$y), foldid = case$foldid), class = "transelect_error_y")
})

test_that("a loss far above the others is written as a number at the edge of the picture", {
  case <- cv_case(11)
  fits <- list(a = greedytl, b = greedytl, c = greedytl, d = greedytl, e = greedytl, f = greedytl)
  made <- compare_paths(case$x, case$y, fits, baselines = FALSE, foldid = case$foldid)
  panel <- function(loss) {
    changed <- table_plain(made)[seq_along(loss), ]
    changed$loss <- loss
    changed$se <- .1
    picture_of(plot(table_like(made, changed)))$panels[[1]]
  }
  off <- function(loss) {
    text <- Filter(function(layer) layer$kind == "text", panel(loss)$layers)
    unlist(lapply(text, function(layer) grep(">", layer$data$label, value = TRUE)))
  }
  expect_identical(off(c(1, 1.2, 1.4, 9)), "9 >")
  expect_lt(panel(c(1, 1.2, 1.4, 9))$x$limits[2], 2)
  expect_identical(off(c(1, NA, 1.1, 1.3, 9, 1.2)), "9 >")
  for (loss in list(c(1, 1.2, 1.4, 2.1), c(1, 9), c(1, 1, 1, 9))) expect_null(off(loss)) # of two, 9 is half of all
})

test_that("losses of different size are compared on a logarithmic axis, differences at their roots", {
  case <- cv_case(11)
  made <- compare_paths(case$x, case$y, list(a = greedytl, b = greedytl, c = greedytl, d = greedytl), baselines = FALSE,
                        foldid = case$foldid)
  panels <- function(loss) {
    changed <- table_plain(made)
    changed$loss <- loss
    changed$difference <- loss - loss[1]
    changed$se <- changed$difference_se <- .1
    picture_of(plot(table_like(made, changed)))
  }
  wide <- panels(c(1, 1.2, 4, 9))
  expect_true(wide$panels[[1]]$x$log)
  expect_equal(described_marks(wide, "point", 1)$x, c(1, 1.2, 4, 9))
  expect_equal(described_marks(wide, "point", 2)$x, sqrt(c(0, .2, 3, 8)))
  expect_true("0" %in% wide$panels[[2]]$x$labels)
  expect_false(panels(c(1, 1.2, 1.4, 2.1))$panels[[1]]$x$log)
  worst <- panels(c(9, 4, 1.2, 1)) # roots would not part what lies far from 0
  expect_equal(described_marks(worst, "point", 2)$x, c(0, -5, -7.8, -8))
})

test_that("models of other packages get syntactic names of columns, and a message comes once", {
  cars <- transform(mtcars, kind = factor(gear, labels = c("> 1", "a-b", "c")))
  fits <- list(ours = greedytl, lm = function(x, y) lm(y ~ ., data.frame(x)),
               both = function(x, y, sources) lm(y ~ ., data.frame(x, sources)))
  foldid <- rep_len(1:4, 32)
  made <- compare_paths(mpg ~ wt * hp + I(qsec^2) + kind, data = cars, fits = fits, baselines = FALSE, foldid = foldid,
                        sources = cbind("my rule" = 40 - 5 * cars$wt + sin(cars$disp)))
  by_hand <- vapply(1:4, function(k) {
    model <- lm(mpg ~ wt * hp + I(qsec^2) + kind, cars[foldid != k, ])
    mean((cars$mpg - predict(model, cars))[foldid == k]^2)
  }, 0)
  expect_equal(unname(attr(made, "fold_loss")[, "lm"]), by_hand)
  said <- character()
  cars$flat <- 1
  logged <- function(code) withCallingHandlers(code, message = function(message) {
    said <<- c(said, conditionMessage(message))
    tryInvokeRestart("muffleMessage")
  })
  logged(compare_paths(mpg ~ wt + hp + flat, data = cars, foldid = foldid, baselines = "mean", fits = list(
    aic = function(x, ...) tlcp(x, criterion = "AIC", ...), bic = function(x, ...) tlcp(x, criterion = "BIC", ...)
  )))
  logged(selection_frequency(mpg ~ wt + hp + flat, data = cars, fit = tlcp, pairs = 2))
  expect_identical(sum(grepl("Leaving out \"flat\"", said)), 2L)
})

test_that("a target without fits compares borrowing with the target alone and with all rows as one", {
  case <- cv_case()
  folds <- rep_len(1:3, 36)
  given <- list(borrow = function(x, ...) tlcp(x, target = "a", ...),
                alone = function(x, ...) tlcp(x, target = "a", borrow = "none", ...),
                aggregate = function(x, ...) tlcp(x, target = "a", borrow = "aggregate", ...))
  domain <- rep(c("a", "b", "c"), each = 12)
  made <- compare_paths(case$x[, 1:3], case$y, domain = domain, target = "a", foldid = folds)
  expect_equal(made, compare_paths(case$x[, 1:3], case$y, given, domain = domain, foldid = folds))
  expect_error(compare_paths(case$x[, 1:3], case$y, given, domain = domain, target = "a"),
               class = "transelect_error_target")
})

test_that("a rule whose likelihood has no maximum without a fold has no loss there, and the others go on", {
  set.seed(2)
  n <- c(A = 30, B = 60, C = 60)
  d <- data.frame(home = rep(names(n), n), x1 = rnorm(150), x2 = rnorm(150))
  d$y <- factor(ifelse(runif(150) < plogis(4 * d$x1 + 3 * d$x2), "yes", "no"))
  separated <- function(fold, rows) {
    model <- suppressWarnings(glm(y ~ x1 + x2, binomial, d[d$home == "A", ][!rows %in% fold, ]))
    deviance(model) < 1e-4
  }
  own <- which(d$home == "A")
  one_way <- own[order(d$x1[own] + .75 * d$x2[own])]
  d$y[one_way] <- rep(c("no", "yes"), each = 15)
  d$y[one_way[5]] <- "yes" # the one row without which the classes are separated
  foldid <- replace(rep(NA, 150), own, rep_len(1:3, 30))
  whose <- foldid[one_way[5]]
  apart <- vapply(1:3, function(fold) separated(fold, foldid[own]), NA)
  expect_identical(which(apart), whose)
  compared <- function(...) compare_paths(y ~ x1 + x2, data = d, domain = home, target = "A", foldid = foldid, ...)
  expect_message(made <- compared(family = "binomial", baselines = "mean"), paste("not be fitted without fold", whose),
                 class = "transelect_message_separated")
  losses <- attr(made, "fold_loss")
  expect_identical(which(is.na(losses), arr.ind = TRUE)[1, ], c(row = whose, col = 2L), ignore_attr = TRUE)
  expect_equal(made$loss[2], mean(losses[-whose, 2]))
  expect_equal(made$difference[2], mean(losses[-whose, 2] - losses[-whose, 1]))
  expect_output(print(made), "left out of the means: alone 1.")
  # without that row in the data there is no fit to all rows
  d$y[one_way[5]] <- "no"
  expect_message(rest <- compared(family = "binomial", baselines = FALSE), "Leaving out \"alone\"")
  expect_identical(as.character(rest$rule), c("borrow", "aggregate"))
  expect_no_message(compared(family = "gaussian", baselines = FALSE))
  expect_error(compared(family = "poisson"), class = "transelect_error_family")
  expect_error(compared(family = "binomial", fits = list(a = tlcp)), class = "transelect_error_family")
})

test_that("single sources have names of their own, and a level where they have no intercept", {
  case <- cv_case(1, n = 20, p = 3, s = 1)
  y <- case$y + 50
  slopes <- setNames(c(1, 2), colnames(case$x)[1:2])
  models <- list(paper = slopes, other = c("(Intercept)" = 1, slopes))
  foldid <- rep_len(1:4, 20)
  made <- compare_paths(case$x, y, sources = models, foldid = foldid, baselines = c("average", "each"))
  expect_identical(as.character(made$rule[-(1:2)]), c("average of the sources, as is", "source paper", "other"))
  slope <- drop(case$x[, 1:2] %*% slopes)
  residual <- y - slope
  by_hand <- vapply(1:4, function(k) mean((residual[foldid == k] - mean(residual[foldid != k]))^2), 0)
  expect_equal(unname(attr(made, "fold_loss")[, "source paper"]), by_hand)
  expect_equal(attr(made, "fold_loss")[, "other"], vapply(split((residual - 1)^2, foldid), mean, 0),
               ignore_attr = TRUE)
})
