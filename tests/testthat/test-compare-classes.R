# compare_paths() of data with classes: losses, and the probabilities and classes of other packages' models.

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
  expect_identical(as.character(ours$rule), c("logit", "rounds", "shares of the classes"))
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
  expect_match(said, "1 source out of.*: wild")
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
  losses <- c(.5, .6, .6, .7, .4, .45, .3, .8, .9)
  made <- table_with(made, loss = losses, difference = losses - .5,
                     difference_corrected = c(0, 1, 1, 1, .04, .03, .11, .1, .2))
  words <- gsub("[ \n]+", " ", compare_fits_probability_words(made, 3))
  expect_match(words, paste("Sources with better probabilities than those of ours by more than two corrected",
                            "standard errors: average of the sources, as is (0.4, difference -0.1, corrected s.e.",
                            "0.04)."), fixed = TRUE)
  expect_match(words, paste0("Not clearly different from ours \\(0.5\\): h1 \\(0.3, difference -0.2, .*",
                             "best source \\(0.45,.*\\(0.9, .*\\.$"))
  made <- table_with(made, difference_corrected = NA_real_) # a single fold
  expect_match(compare_fits_probability_words(made, 3), "No source's own probabilities are better than those of ours")
  made <- table_with(made, difference = 1, difference_corrected = .1)
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
