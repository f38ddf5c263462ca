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

test_that("two classes: the best source is chosen on the rows of the fit", {
  case <- cv_case(2, n = 36, p = 5, s = 4)
  h <- case$h[, 1:4]
  fits <- list(ours = greedytl, logistic = function(x, y) glm(y ~ ., binomial, data.frame(x)))
  by_hand <- list(
    ours = function(train, test) predict(greedytl(case$x[train, ], case$factor[train], h[train, ]),
                                         case$x[test, ], sources = h[test, ], type = "link"),
    logistic = function(train, test) {
      data <- data.frame(case$x, y = case$factor)
      2 * suppressWarnings(predict(glm(y ~ ., binomial, data[train, ]), data[test, ], type = "response")) - 1
    },
    "ours, no sources" = function(train, test) {
      predict(greedytl(case$x[train, ], case$factor[train]), case$x[test, ], type = "link")
    }
  )
  made <- suppressWarnings(compare_paths(case$x, case$factor, fits, sources = h, foldid = case$foldid))
  scores <- naive_comparison_scores(case$x, case$factor, h, case$foldid, by_hand, naive_losses$class)
  losses <- naive_fold_losses(scores, case$factor, case$foldid, naive_losses$class)
  expect_equal(unname(attr(made, "fold_loss")), unname(losses))
  chosen <- vapply(1:4, function(k) {
    at <- case$foldid != k
    colnames(h)[which.min(colMeans((h[at, ] > 0) != (case$class[at] > 0)))]
  }, "")
  expect_identical(unname(attr(made, "chosen")), chosen)
  # the area is larger where it is better, and what is chosen then follows it
  area <- suppressWarnings(compare_paths(case$x, case$factor, fits, sources = h, foldid = case$foldid, loss = "auroc"))
  best <- vapply(1:4, function(k) {
    at <- case$foldid != k
    colnames(h)[which.max(apply(h[at, ], 2,
                                function(s) cv_loss_area_under_curve(case$class[at] > 0, s, rep(1, sum(at)))))]
  }, "")
  expect_identical(unname(attr(area, "chosen")), best)
  expect_false(attr(area, "smaller_is_better"))
})

test_that("classes that models of other packages predict are matched to the levels of the response", {
  skip_if_not_installed("rpart")
  skip_if_not_installed("ranger")
  skip_if_not_installed("glmnet")
  data <- iris
  two <- droplevels(iris[iris$Species != "setosa", ])
  turned <- factor(two$Species, rev(levels(two$Species)))
  tree <- function(x, y) rpart::rpart(y ~ ., data.frame(x))
  backwards <- function(x, y) rpart::rpart(factor(y, rev(levels(y))) ~ ., data.frame(x))
  said <- function(x, y) structure(list(fit = tree(x, y)), class = "says_classes")
  registerS3method("predict", "says_classes", function(object, newdata, ...) {
    predict(object$fit, newdata, type = "class")
  }, envir = asNamespace("stats"))
  foldid <- rep_len(1:5, 100)
  for (y in list(two$Species, turned)) {
    made <- compare_paths(two[1:4], y, list(tree = tree, backwards = backwards, said = said),
                          foldid = foldid, baselines = FALSE)
    twin <- mean(vapply(1:5, function(k) {
      fit <- tree(two[foldid != k, 1:4], y[foldid != k])
      mean(predict(fit, two[foldid == k, 1:4], type = "class") != y[foldid == k])
    }, 0))
    expect_equal(made$loss, rep(twin, 3))
  }
  foldid <- rep_len(1:5, 150)
  many <- list(
    boost = function(x, ...) shareboost(x, max_steps = 2, ...), tree = tree, backwards = backwards, said = said,
    forest = function(x, y) ranger::ranger(x = x, y = y, num.trees = 20, seed = 1, num.threads = 1, probability = TRUE),
    net = function(x, y) glmnet::glmnet(x, y, family = "multinomial", lambda = .01)
  )
  made <- compare_paths(iris[1:4], iris$Species, many, foldid = foldid)
  expect_equal(made$loss[2:4], rep(made$loss[2], 3))
  by_hand <- function(fit, predict_class) mean(vapply(1:5, function(k) {
    at <- foldid != k
    mean(predict_class(fit(as.matrix(iris[at, 1:4]), iris$Species[at]), as.matrix(iris[!at, 1:4])) !=
           iris$Species[!at])
  }, 0))
  expect_equal(made$loss[made$rule == "forest"], by_hand(many$forest, function(model, x) {
    p <- predict(model, x, num.threads = 1)$predictions
    colnames(p)[max.col(p, "first")]
  }))
  expect_equal(made$loss[made$rule == "net"], by_hand(many$net, function(model, x) {
    drop(predict(model, x, type = "class"))
  }))
  expect_equal(made$loss[made$rule == "boost"], mean(vapply(1:5, function(k) {
    at <- foldid != k
    fit <- shareboost(iris[at, 1:4], iris$Species[at], max_steps = 2)
    mean(predict(fit, iris[!at, 1:4], type = "class") != iris$Species[!at])
  }, 0)))
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

test_that("with three classes the baselines that take one number from each source are left out", {
  case <- cv_case(9, n = 36)
  expect_message(
    made <- compare_paths(case$x, case$three, sources = case$h, foldid = case$foldid),
    class = "transelect_message_baselines"
  )
  expect_false(any(made$kind == "source"))
  expect_true(all(c("ridge on both", "transfer, no sources") %in% made$rule))
  # a source of large numbers is no probability, and has no log loss
  fits <- list(prob = function(x, ...) greedytl(x, prob = TRUE, ...))
  h <- sweep(case$h, 2, c(.1 / max(abs(case$h)), 1, 1), "*")
  expect_message(two <- compare_paths(case$x, factor(case$y > 0), fits, sources = h, foldid = case$foldid,
                                      loss = "log_loss"),
                 "2 sources.*h2, h3", class = "transelect_message_baselines")
  expect_identical(as.character(two$rule[two$kind == "source"]), "h1")
  twin <- mean(vapply(1:4, function(k) {
    at <- case$foldid != k
    scores <- vapply(levels(case$three), function(class) {
      y <- 2 * (case$three[at] == class) - 1
      v <- ifelse(y > 0, 1 / sum(y > 0), 1 / sum(y < 0))
      model <- naive_ridge_loo(case$x[at, ], y, v)
      drop(case$x[!at, ] %*% model$w) + model$a0
    }, numeric(sum(!at)))
    mean(levels(case$three)[max.col(scores, "first")] != case$three[!at])
  }, 0))
  expect_equal(made$loss[made$rule == "ridge on features"], twin)
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
  expect_identical(points$x, made$difference[rows])
  expect_identical(points$y, as.numeric(14:1))
  expect_identical(sum(made$kind[rows] == "source"), 5L)
  draw(expect_identical(plot(made), made))
  draw(plot(made[1:3, ]))
  expect_output(print(made[1:3, "loss", drop = FALSE]))
  skip_if_not_installed("ggplot2")
  draw(print(ggplot2::autoplot(made)))
})

test_that("tidy of curves is the table", {
  case <- cv_case(11)
  cv <- cv_path(case$x, case$y, foldid = case$foldid, max_steps = 3)
  curves <- compare_paths(a = cv, b = cv)
  out <- tidy(curves)
  expect_identical(class(out), "data.frame")
  expect_identical(names(out), c("rule", "step", "size", "held_in", "held_out", "se"))
  expect_identical(out$held_out, curves$held_out)
})

test_that("tlcp() has training losses, those of its predictions for the target's rows", {
  cars <- transform(mtcars, gear = factor(gear), w = rep(1:2, 16), am = factor(am))
  cv <- function(...) suppressMessages(cv_path(..., fit = tlcp, weights = w, foldid = rep_len(1:4, 32)))
  squares <- function(out, cvf, rows) {
    expect_equal(out$held_in, colSums(rows$w * (rows$mpg - predict(cvf, rows, step = out$step))^2) / sum(rows$w),
                 ignore_attr = TRUE)
  }
  for (loss in c("mse", "deviance")) {
    cvf <- cv(mpg ~ wt + hp + qsec, cars, loss = loss)
    squares(compare_paths(cvf), cvf, cars)
  }
  cvf <- cv(mpg ~ wt + hp + qsec, cars, domain = gear, target = "4")
  squares(compare_paths(cvf), cvf, cars[cars$gear == "4", ])
  cvf <- cv(am ~ qsec, cars, family = "binomial", loss = "deviance")
  p <- predict(cvf, cars, step = 0:1, type = "response")
  own <- colSums(cars$w * -2 * log(abs(p - (cars$am == "0")))) / sum(cars$w)
  expect_equal(compare_paths(cvf)$held_in, own, ignore_attr = TRUE)
  counts <- cv(carb ~ hp, cars, family = "poisson")
  rate <- predict(counts, cars, step = 0:1, type = "response")
  own <- colSums(cars$w * 2 * (cars$carb * log(cars$carb / rate) - cars$carb + rate)) / sum(cars$w)
  expect_equal(compare_paths(counts)$held_in, own, ignore_attr = TRUE)
})

test_that("the legend names the rules that have no training loss", {
  cars <- transform(mtcars, am = factor(am))
  cv <- function(fit, ...) cv_path(am ~ qsec, cars, fit = fit, loss = "deviance", foldid = rep_len(1:4, 32), ...)
  key <- function(...) picture_of(plot(compare_paths(...)))$keys$label[1]
  logistic <- cv(tlcp, family = "binomial", select = FALSE)
  expect_identical(key(one = logistic), "training rows")
  expect_identical(key(one = logistic, two = cv(shareboost)), "training rows (not of two)")
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

test_that("zeros and ones are classes for all rules where one of the methods takes them so", {
  case <- cv_case(5, n = 60, p = 4)
  y <- as.integer(case$factor) - 1L
  logit <- function(x, ...) tlcp(x, family = "binomial", ...)
  of <- function(y, ...) {
    suppressWarnings(compare_paths(case$x, y, list(...), foldid = rep_len(1:4, length(y)), baselines = "ridge"))
  }
  for (fits in list(list(logit = logit), list(gain = greedytl, logit = logit),
                    list(gain = greedytl, rounds = shareboost))) {
    expect_message(ours <- do.call(of, c(list(y), fits)), "for classes", class = "transelect_message_classes")
    expect_equal(attr(ours, "fold_loss"), attr(do.call(of, c(list(factor(y)), fits)), "fold_loss"))
  }
  expect_match(attr(ours, "loss"), "misclassification")
  expect_quiet(numbers <- of(y, gain = greedytl))
  expect_match(attr(numbers, "loss"), "squared")
  expect_error(of((y + .2) / 2, logit = logit), "shares", class = "transelect_error_fits")
})

test_that("the deviance of classes is that of cv_path(), and wants probabilities of all rules", {
  case <- cv_case(6, n = 60, p = 3)
  foldid <- rep_len(1:4, length(case$factor))
  logit <- function(x, ...) tlcp(x, family = "binomial", select = FALSE, ...)
  compared <- function(y, ..., baselines = NULL) {
    suppressWarnings(compare_paths(case$x, y, list(...), foldid = foldid, loss = "deviance",
                                   baselines = baselines))
  }
  ours <- compared(case$factor, logit = logit, rounds = shareboost)
  whole <- suppressWarnings(cv_path(case$x, case$factor, fit = logit, foldid = foldid, loss = "deviance"))
  expect_equal(ours$loss[1], tail(whole$cvm, 1))
  expect_identical(as.character(ours$rule), c("logit", "rounds", "mean of the response"))
  share <- vapply(1:4, function(k) mean(case$factor[foldid != k] == levels(case$factor)[2]), 0)
  by_hand <- vapply(1:4, function(k) {
    -2 * mean(log(ifelse(case$factor[foldid == k] == levels(case$factor)[2], share[k], 1 - share[k])))
  }, 0)
  expect_equal(unname(attr(ours, "fold_loss")[, 3]), by_hand)
  three <- cut(case$y, 3, labels = letters[1:3])
  several <- compared(three, rounds = shareboost)
  rounds <- suppressWarnings(cv_path(case$x, three, fit = shareboost, foldid = foldid, loss = "deviance"))
  expect_true(min(abs(rounds$cvm - several$loss[1])) < 1e-10)
  expect_error(compared(case$factor, logit = logit, squares = greedytl), "squares", class = "transelect_error_loss")
  expect_error(compared(case$factor, logit = logit, baselines = "ridge"), class = "transelect_error_baselines")
})

test_that("a loss far above the others is written as a number at the edge of the picture", {
  case <- cv_case(11)
  fits <- list(a = greedytl, b = greedytl, c = greedytl, d = greedytl, e = greedytl, f = greedytl)
  made <- compare_paths(case$x, case$y, fits, baselines = FALSE, foldid = case$foldid)
  panel <- function(loss) {
    made <- made[seq_along(loss), ]
    made$loss <- loss
    made$se <- .1
    picture_of(plot(made))$panels[[1]]
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

test_that("the log loss is that of calibrated probabilities and of the sources' own, by hand", {
  case <- cv_case(3, n = 40, p = 4, s = 4)
  h <- cbind(tanh(case$h[, 1:3]), wild = 3 * case$h[, 4])
  y <- case$factor
  foldid <- rep_len(c(2, 1, 3, 3, 1), 40)
  w <- case$weights[seq_len(40)]
  fits <- list(
    ours = function(x, ...) greedytl(x, prob = TRUE, ...),
    logistic = function(x, y, weights) suppressWarnings(glm(y ~ ., binomial, data.frame(x), weights = weights))
  )
  said <- capture_messages(made <- compare_paths(case$x, y, fits, sources = h, foldid = foldid, loss = "log_loss",
                                                 weights = w))
  expect_match(said, "1 source, whose.*: wild")
  second <- as.integer(y) == 2
  loss <- function(p, at) sum(w[at] * -log(ifelse(second[at], p, 1 - p))) / sum(w[at])
  twin <- t(vapply(1:3, function(k) {
    at <- which(foldid == k)
    on <- which(foldid != k)
    own <- greedytl(case$x[on, ], y[on], h[on, ], weights = w[on], prob = TRUE)
    alone <- greedytl(case$x[on, ], y[on], weights = w[on], prob = TRUE)
    data <- data.frame(case$x, y = y, w = w)
    glm <- suppressWarnings(glm(y ~ . - w, binomial, data[on, ], weights = w))
    best <- which.min(apply((h[on, 1:3] + 1) / 2, 2, loss, on))
    p <- cbind(predict(own, case$x[at, ], sources = h[at, ], type = "prob"),
               predict(glm, data[at, ], type = "response"),
               predict(alone, case$x[at, ], type = "prob"), sum((w * second)[on]) / sum(w[on]),
               (rowMeans(h[at, 1:3]) + 1) / 2, (h[at, best] + 1) / 2, (h[at, 1:3] + 1) / 2)
    apply(p, 2, loss, at)
  }, numeric(9)))
  expect_equal(unname(attr(made, "fold_loss")), unname(twin), tolerance = 1e-6)
  expect_equal(made$loss, unname(apply(twin, 2, weighted.mean, tapply(w, foldid, sum))), tolerance = 1e-6)
  # what print() says of the sources
  made$loss <- c(.5, .6, .6, .7, .4, .45, .3, .8, .9)
  made$difference <- made$loss - .5
  made$difference_corrected <- c(0, 1, 1, 1, .04, .03, .11, .1, .2)
  words <- gsub("[ \n]+", " ", compare_fits_probability_words(made, 3))
  expect_match(words, paste("Better probabilities than those of ours, by more than two corrected standard errors:",
                            "average of the sources, as is (0.4, difference -0.1, corrected s.e. 0.04)."), fixed = TRUE)
  expect_match(words, paste0("Not clearly different from ours \\(0.5\\): h1 \\(0.3, difference -0.2, .*",
                             "best source \\(0.45,.*\\(0.9, .*\\.$"))
  made$difference_corrected <- NA # a single fold
  expect_match(compare_fits_probability_words(made, 3), "No source's own probabilities are better than those of ours")
  made$difference <- 1
  made$difference_corrected <- .1
  expect_output(print(made), "more than two\\s+corrected standard errors\\.$")
  expect_error(compare_paths(case$x, y, list(plain = greedytl), foldid = foldid, loss = "log_loss"),
               class = "transelect_error_loss")
  labels <- list(label = function(x, y) function(x) factor(ifelse(x[, 1] > 0, levels(y)[1], levels(y)[2])))
  expect_error(compare_paths(case$x, y, labels, foldid = foldid, loss = "log_loss"), class = "transelect_error_fits")
  expect_error(compare_paths(case$x, y, fits, sources = h, foldid = foldid, loss = "log_loss", baselines = "ridge"),
               class = "transelect_error_baselines")
})

test_that("the log loss of several classes, of logistic models, and of log odds as sources", {
  foldid <- rep_len(1:3, 150)
  data <- as.matrix(iris[1:4])
  fits <- list(ours = function(x, ...) greedytl(x, prob = TRUE, ...), logistic = shareboost)
  made <- compare_paths(data[, 1:2], iris$Species, fits, foldid = foldid, loss = "log_loss")
  twin <- vapply(1:3, function(k) {
    at <- foldid == k
    p <- predict(greedytl(data[!at, 1:2], iris$Species[!at], prob = TRUE), data[at, 1:2], type = "prob")
    q <- predict(shareboost(data[!at, 1:2], iris$Species[!at]), data[at, 1:2], type = "prob")
    true <- cbind(seq_len(50), as.integer(iris$Species[at]))
    share <- prop.table(table(iris$Species[!at]))
    -c(mean(log(p[true])), mean(log(q[true])), mean(log(share[iris$Species[at]])))
  }, c(0, 0, 0))
  expect_equal(made$loss, rowMeans(twin), tolerance = 1e-6)
  one <- cv_path(data[, 1:2], iris$Species, fit = shareboost, foldid = foldid, loss = "log_loss")
  two <- cv_path(data[, 1:2], iris$Species, fit = shareboost, foldid = foldid, loss = "deviance")
  expect_equal(2 * one$cvm, two$cvm)
  expect_error(cv_path(data[, 1:2], iris$Species, foldid = foldid, loss = "log_loss"), class = "transelect_error_loss")
  pair <- iris[51:150, ]
  pair$Species <- droplevels(pair$Species)
  old <- glm(Species ~ Petal.Width, binomial, pair)
  odds <- sources(list(old = old), scale = "link")
  made <- compare_paths(as.matrix(pair[1:4]), pair$Species, fits[1], sources = odds, foldid = rep_len(1:4, 100),
                        loss = "log_loss", baselines = "each")
  p <- pmin(pmax(fitted(old), .001), .999) # as sources() bounds them
  loss <- -mean(log(ifelse(pair$Species == "virginica", p, 1 - p)))
  expect_equal(made$loss[2], loss)
  fit <- greedytl(as.matrix(pair[1:4]), pair$Species, odds, prob = TRUE)
  expect_equal(fit$log_loss[["best"]], loss)
  h <- cbind(old = 2 * fitted(old) - 1, bad = rep(c(-.9, .9), 50))
  fit <- greedytl(as.matrix(pair[1:4]), pair$Species, h, prob = TRUE)
  expect_equal(fit$log_loss[["best"]], deviance(old) / 200)
  expect_output(print(fit), paste0("of old alone .the best source.\\s+", format(deviance(old) / 200, digits = 4)))
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

test_that("the rules that are compared without fits have probabilities where the loss is of these", {
  two <- droplevels(iris[51:150, ])
  old <- list(old = glm(Species ~ Petal.Width, binomial, two))
  made <- compare_paths(Species ~ Sepal.Length + Sepal.Width, data = two, sources = old, loss = "log_loss",
                        foldid = rep_len(1:3, 100), baselines = "mean")
  prob <- function(x, ...) greedytl(x, prob = TRUE, ...)
  expect_equal(made$loss[c(1, 3)],
               compare_paths(Species ~ Sepal.Length + Sepal.Width, data = two, fits = list(transfer = prob),
                             sources = old, loss = "log_loss", foldid = rep_len(1:3, 100), baselines = "mean")$loss)
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
  expect_message(made <- compared(family = "binomial", baselines = "mean"), paste("no fit without fold", whose),
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
