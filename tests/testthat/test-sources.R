# Models of other packages as sources, on the scales of ?sources.

adapter_data <- function(seed, n) {
  data <- source_frame(seed, n)
  data$three <- cut(data$y, c(-Inf, -.5, .5, Inf), labels = c("lo", "mid", "hi"))
  data$one <- as.integer(data$k == "yes")
  data
}

# What sources() reads from the models for the rows of new data, as data frame and as matrix.
source_values <- function(models, new, ...) {
  of <- function(newdata) {
    asked <- sources(models, ...)
    sources_evaluated(asked, newdata, nrow(newdata), rlang::current_env())$values
  }
  values <- of(new[c("a", "b", "c")])
  expect_equal(of(as.matrix(new[c("a", "b", "c")])), values)
  values
}

log_odds <- function(p) matrix(qlogis(pmin(pmax(p, .001), .999)), nrow(p))

# Each check: a model and its own predictions: numbers, or probabilities (a vector: of the second
# class; a matrix: of each class).
expect_numbers <- function(model, says, new, link = says) {
  expect_equal(unname(source_values(list(m = model), new)[, 1]), as.numeric(says))
  expect_equal(unname(source_values(list(m = model), new, scale = "link")[, 1]), as.numeric(link))
}

expect_shares <- function(model, p, new, classes = c("lo", "mid", "hi")) {
  p <- matrix(as.numeric(p), nrow(new))
  values <- source_values(list(m = model), new)
  expect_equal(unname(values), 2 * p - 1)
  linked <- source_values(list(m = model), new, scale = "link")
  expect_equal(unname(linked), log_odds(p))
  expect_identical(colnames(values), if (ncol(p) > 1) paste0("m:", classes) else "m")
}

old <- adapter_data(1, 150)
new <- adapter_data(2, 25)
columns <- c("a", "b", "c")
x <- as.matrix(old[columns])
x_new <- as.matrix(new[columns])
model_of <- function(response) stats::reformulate(columns, response)

test_that("lm, glm and functions", {
  line <- lm(model_of("y"), old)
  expect_numbers(line, predict(line, new), new)
  counts <- glm(round(exp(y / 2)) ~ a + b, poisson, old)
  expect_numbers(counts, predict(counts, new, type = "response"), new, predict(counts, new))
  for (response in c("k", "one")) {
    fit <- glm(model_of(response), binomial, old)
    expect_shares(fit, predict(fit, new, type = "response"), new)
  }
  expect_output(print(sources(fit)), "2 P\\(class 1\\) - 1")
  expect_output(print(sources(glm(model_of("k"), binomial, old))), "2 P\\(class yes\\) - 1")
  expect_output(print(sources(counts, scale = "link")), "linear predictor")
  expect_output(print(sources(list(rule = function(d) d$a, line))), "rule +as given.*numbers")
  bare <- glm(model_of("k"), binomial, old, model = FALSE)
  expect_output(print(sources(bare)), "2 P\\(class 1\\)")
})

test_that("linear and quadratic discriminants, by formula and by matrix", {
  for (fitter in list(MASS::lda, MASS::qda)) {
    fit <- fitter(model_of("k"), old)
    expect_shares(fit, predict(fit, new)$posterior[, "yes"], new)
    fit <- fitter(x, old$three)
    expect_shares(fit, predict(fit, x_new)$posterior, new)
    expect_equal(source_values(list(m = fit), new[c("c", "a", "b")]), source_values(list(m = fit), new))
  }
})

test_that("random forests", {
  skip_if_not_installed("randomForest")
  forest <- function(response) {
    with_seed(1, randomForest::randomForest(model_of(response), old, ntree = 20))
  }
  fit <- forest("y")
  expect_numbers(fit, predict(fit, new), new)
  fit <- forest("k")
  expect_shares(fit, predict(fit, new, type = "prob")[, "yes"], new)
  fit <- forest("three")
  expect_shares(fit, predict(fit, new, type = "prob"), new)
})

test_that("ranger, with votes and with probabilities", {
  skip_if_not_installed("ranger")
  forest <- function(response, ...) {
    ranger::ranger(model_of(response), old, num.trees = 20, seed = 1, num.threads = 1, ...)
  }
  say <- function(fit, ...) predict(fit, new, num.threads = 1, ...)$predictions
  fit <- forest("y")
  expect_numbers(fit, say(fit), new)
  for (response in c("k", "three")) {
    levels <- levels(old[[response]])
    fit <- forest(response)
    tree <- say(fit, predict.all = TRUE)
    votes <- vapply(seq_along(levels), function(k) rowMeans(tree == k), numeric(nrow(new)))
    class <- levels[max.col(votes, "first")]
    expect_gt(mean(class == say(fit)), .9)
    expect_shares(fit, if (length(levels) == 2) votes[, 2] else votes, new)
    fit <- forest(response, probability = TRUE)
    p <- say(fit)[, levels]
    expect_shares(fit, if (length(levels) == 2) p[, 2] else p, new)
  }
  one <- source_values(list(m = fit), new[7, ])
  expect_equal(one, source_values(list(m = fit), new)[7, , drop = FALSE])
})

test_that("rpart and gbm", {
  skip_if_not_installed("rpart")
  fit <- rpart::rpart(model_of("y"), old)
  expect_numbers(fit, predict(fit, new), new)
  fit <- rpart::rpart(model_of("k"), old)
  expect_shares(fit, predict(fit, new)[, "yes"], new)
  fit <- rpart::rpart(model_of("three"), old)
  expect_shares(fit, predict(fit, new), new)
  skip_if_not_installed("gbm")
  boosted <- function(response, distribution) {
    suppressWarnings(with_seed(1, gbm::gbm(model_of(response), distribution, old, n.trees = 15)))
  }
  say <- function(fit) predict(fit, new, n.trees = 15, type = "response")
  fit <- boosted("y", "gaussian")
  expect_numbers(fit, say(fit), new)
  fit <- boosted("one", "bernoulli")
  expect_shares(fit, say(fit), new)
  fit <- boosted("three", "multinomial")
  expect_shares(fit, say(fit)[, , 1], new)
})

test_that("nnet and multinom, of one row too", {
  skip_if_not_installed("nnet")
  net <- function(...) with_seed(1, nnet::nnet(..., size = 2, trace = FALSE))
  fit <- net(model_of("y"), old, linout = TRUE)
  expect_numbers(fit, predict(fit, new), new)
  fit <- net(x, old$y, linout = TRUE)
  expect_numbers(fit, predict(fit, x_new), new)
  expect_error(sources_ask(sources(fit), 1, new, 25, NULL), "3 columns",
               class = "transelect_error_sources")
  fit <- net(model_of("k"), old)
  expect_shares(fit, drop(predict(fit, new)), new)
  for (response in c("k", "three")) {
    fit <- nnet::multinom(model_of(response), old, trace = FALSE)
    p <- predict(fit, new, type = "probs")
    expect_shares(fit, p, new)
    expect_equal(source_values(list(m = fit), new[3, ]),
                 source_values(list(m = fit), new)[3, , drop = FALSE])
  }
})

test_that("support vector machines: probabilities, or the margin of the second class", {
  skip_if_not_installed("e1071")
  fit <- e1071::svm(model_of("y"), old)
  expect_numbers(fit, predict(fit, new), new)
  fit <- e1071::svm(x, old$y)
  expect_numbers(fit, predict(fit, x_new), new)
  for (response in c("k", "three")) {
    fit <- with_seed(1, e1071::svm(model_of(response), old, probability = TRUE))
    p <- attr(predict(fit, new, probability = TRUE), "probabilities")[, levels(old[[response]])]
    expect_shares(fit, if (ncol(p) == 2) p[, 2] else p, new)
  }
  # libsvm gives the margin of the class whose row comes first, whichever that is
  for (first in c("no", "yes")) {
    rows <- old[order(old$k != first), ]
    fit <- e1071::svm(model_of("k"), rows)
    margin <- source_values(list(m = fit), new)[, 1]
    expect_identical(unname(margin > 0), unname(predict(fit, new) == "yes"))
  }
  expect_output(print(sources(fit)), "margin of class yes")
  fit <- e1071::svm(model_of("three"), old)
  expect_error(source_values(list(m = fit), new), "probability = TRUE",
               class = "transelect_error_sources")
})

test_that("glmnet of every kind", {
  skip_if_not_installed("glmnet")
  net <- function(y, ...) glmnet::glmnet(x, y, lambda = .05, ...)
  say <- function(fit, type = "response") predict(fit, x_new, type = type)
  fit <- net(old$y)
  expect_numbers(fit, say(fit), new)
  fit <- net(round(exp(old$y / 2)), family = "poisson")
  expect_numbers(fit, say(fit), new, say(fit, "link"))
  fit <- net(old$k, family = "binomial")
  expect_shares(fit, drop(say(fit)), new)
  fit <- net(old$three, family = "multinomial")
  expect_shares(fit, say(fit)[, , 1], new)
  fit <- glmnet::cv.glmnet(x, old$y, foldid = rep(1:5, 30))
  expect_numbers(fit, say(fit), new)
  fit <- glmnet::glmnet(x, old$three, family = "multinomial")
  expect_error(source_values(list(m = fit), new), "values of lambda",
               class = "transelect_error_sources")
})

test_that("paths of this package", {
  fit <- greedytl(x, old$y)
  expect_numbers(fit, predict(fit, x_new), new)
  cv <- cv_path(x, old$y, fit = tlcp, foldid = rep(1:5, 30))
  expect_numbers(cv, predict(cv, x_new), new)
  fit <- greedytl(x, old$k)
  expect_numbers(fit, predict(fit, x_new, type = "link"), new)
  fit <- shareboost(x, old$k)
  expect_shares(fit, predict(fit, x_new, type = "prob")[, 2], new)
  fit <- shareboost(x, old$three, max_steps = 2)
  expect_shares(fit, predict(fit, x_new, type = "prob"), new)
  fit <- greedytl(x, old$three)
  expect_equal(unname(source_values(list(m = fit), new)),
               unname(predict(fit, x_new, type = "link")))
  fit <- msplit(x, old$three)
  expect_equal(unname(source_values(list(m = fit), new)),
               unname(2 * predict(fit, x_new, type = "link") - 1))
  expect_output(print(sources(list(fit, shareboost(x, old$k)))),
                "source1:lo +score of each class.*source2 +2 P\\(class yes\\) - 1")
})

test_that("models of several classes are several sources of one fit, which keeps each once", {
  skip_if_not_installed("rpart")
  models <- list(tree = rpart::rpart(model_of("three"), old), line = lm(model_of("y"), old))
  asked <- sources(models)
  expect_identical(asked$n_sources, 4L)
  fit <- greedytl(three ~ a + b, new, sources = asked, max_steps = 6)
  h <- sources_evaluated(asked, new, nrow(new), NULL)$values
  expect_identical(colnames(h), c("tree:lo", "tree:mid", "tree:hi", "line"))
  by_value <- greedytl(three ~ a + b, new, sources = h, max_steps = 6)
  expect_equal(coef(by_value), coef(fit))
  expect_true("tree:hi" %in% unlist(variable.names(fit)))
  later <- adapter_data(3, 12)
  h_later <- sources_evaluated(asked, later, nrow(later), NULL)$values
  expect_equal(predict(fit, later, type = "link"),
               predict(by_value, later, sources = h_later, type = "link"))
  expect_lte(length(fit$sources$models), 2)
  drawn <- with_seed(1, greedytl(three ~ a + b, new, sources = asked,
                                 control = greedytl_control(candidates = 3), max_steps = 4))
  expect_length(predict(drawn, later, type = "class"), 12)
})

test_that("all sources that fail are one error, and a user's predict wins", {
  skip_if_not_installed("rpart")
  models <- list(
    fine = function(d) d$a, broken = function(d) stop("no a here"), short = function(d) 1,
    text = function(d) rep("a", nrow(d)), gaps = function(d) replace(d$a, 2:3, NA),
    one = function(d) replace(d$a, 2, Inf), cube = function(d) array(1, c(nrow(d), 1, 1))
  )
  said <- expect_error(greedytl(y ~ a, new, sources = models), class = "transelect_error_sources")
  text <- gsub("\\s+", " ", conditionMessage(said))
  for (part in c("\"broken\" could not predict: no a here", "\"short\" returned a number of length 1",
                 "\"text\" returned a character vector", "\"gaps\" returned 2 values that are not",
                 "\"one\" returned 1 value that is not", "\"cube\" returned")) {
    expect_match(text, part, fixed = TRUE)
  }
  expect_no_match(text, "fine")
  many <- rep(models["broken"], 14)
  names(many) <- LETTERS[1:14]
  expect_error(greedytl(y ~ a, new, sources = many), "4 more")
  numbers <- stats::setNames(lapply(1:4, function(k) c("(Intercept)" = k, a = 1)), LETTERS[1:4])
  names(numbers$C)[2] <- ""
  expect_error(sources(numbers), "coefficients of source \"C\" do not all have names", fixed = TRUE)
  expect_error(sources(unname(numbers)), "coefficients of source 3 do not all have names", fixed = TRUE)
  numbers$C <- c(b = NA, a = 1, c = NA)
  expect_error(sources(numbers), "coefficients of source \"C\" for \"b\" and \"c\" are missing", fixed = TRUE)
  expect_message(none <- greedytl(y ~ a, new, sources = list()), "`sources` is empty", fixed = TRUE)
  expect_equal(coef(none), coef(greedytl(y ~ a, new)))
  expect_error(sources(models, scale = "probit"), class = "transelect_error_scale")
  tree <- rpart::rpart(model_of("three"), old)
  own <- sources(list(tree = tree), predict = function(model, newdata) {
    predict(model, newdata)[, "hi"]
  })
  expect_identical(own$n_sources, 1L)
  expect_equal(sources_evaluated(own, new, nrow(new), NULL)$values[, 1],
               unname(predict(tree, new)[, "hi"]))
})

test_that("models of the response's classes in the other order are turned around, others are not", {
  turned <- function(data, response) {
    transform(data, k = factor(data[[response]], rev(levels(factor(data[[response]])))))
  }
  mine <- adapter_data(3, 60)
  mine$k <- factor(mine$k)
  glm_of <- function(data) glm(model_of("k"), binomial, data)
  models <- list(glm = glm_of(old), path = greedytl(model_of("k"), old), round = shareboost(model_of("k"), old))
  backward <- turned(old, "k")
  reversed <- list(glm = glm_of(backward), path = greedytl(model_of("k"), backward),
                   round = shareboost(model_of("k"), backward))
  for (installed in intersect(c("rpart", "e1071"), rownames(utils::installed.packages()))) {
    grow <- switch(installed, rpart = function(data) rpart::rpart(model_of("k"), data),
                   e1071 = function(data) e1071::svm(model_of("k"), data))
    models[[installed]] <- grow(old)
    reversed[[installed]] <- grow(backward)
  }
  for (name in names(models)) {
    expect_quiet(straight <- greedytl(model_of("k"), mine, sources = models[name], rule = "paper"))
    expect_message(other <- greedytl(model_of("k"), mine, sources = reversed[name], rule = "paper"), name,
                   class = "transelect_message_turned")
    same <- if (name == "e1071") 1e-4 else 1e-8
    expect_equal(coef(other), coef(straight), tolerance = same, info = name)
    expect_equal(predict(other, new, type = "link"), predict(straight, new, type = "link"), tolerance = same,
                 info = name)
  }
  # names of their own, predictions and functions stay as they are
  foreign <- transform(old, k = factor(k, labels = c("1", "2")))
  for (kept in list(glm_of(foreign), function(d) -predict(models$glm, d))) {
    expect_quiet(greedytl(model_of("k"), mine, sources = list(kept)), class = "transelect_message_turned")
  }
  expect_quiet(greedytl(model_of("k"), mine, sources = sources(
    reversed["glm"], predict = function(model, newdata) predict(model, newdata)
  )), class = "transelect_message_turned")
})

test_that("an object of sources without its components is refused", {
  models <- list(a = lm(mpg ~ wt, mtcars), b = lm(mpg ~ hp, mtcars))
  expect_error(greedytl(mpg ~ cyl, mtcars, sources = setNames(sources(models), NULL)), "components",
               class = "transelect_error_sources")
})

test_that("predictions of one dimension are a vector, also of a gam", {
  d <- data.frame(x = 1:20, z = rep(c(1, 3, 2, 5), 5))
  y <- sin(1:20)
  plain <- greedytl(d, y, sources = list(s = function(d) d$z^2))
  shapes <- list(function(d) array(d$z^2, nrow(d)), function(d) matrix(d$z^2), function(d) data.frame(.pred = d$z^2))
  for (shape in shapes) {
    fit <- greedytl(d, y, sources = list(s = shape))
    expect_equal(predict(fit, d[3:1, ]), predict(plain, d[3:1, ]))
  }
  skip_if_not_installed("mgcv")
  far <- mtcars[1:20, ]
  model <- mgcv::gam(mpg ~ s(wt), data = far)
  few <- mtcars[21:32, ]
  fit <- greedytl(mpg ~ hp + qsec, data = few, sources = list(g = model))
  other <- greedytl(mpg ~ hp + qsec, data = few, sources = cbind(g = as.vector(predict(model, few))))
  expect_equal(fitted(fit), fitted(other))
  expect_equal(predict(fit, few[1, ]), predict(other, few[1, ], sources = cbind(g = predict(model, few[1, ]))))
  # of classes
  model <- mgcv::gam(am ~ wt, data = mtcars, family = binomial)
  expect_equal(as.vector(predict_source(model, few, "response")), as.vector(2 * predict(model, few, "response") - 1))
})

test_that("what inherits from a class without its components predicts by its own predict()", {
  predict.odd <- function(object, newdata, ...) newdata$wt^2
  registerS3method("predict", "odd", predict.odd, envir = asNamespace("stats"))
  plain <- fitted(greedytl(mpg ~ hp, data = mtcars, sources = cbind(s = mtcars$wt^2)))
  for (class in c("glm", "lm", "randomForest", "rpart", "gbm", "svm", "nnet", "lda", "ranger")) {
    model <- structure(list(b = 1), class = c("odd", class))
    expect_equal(fitted(greedytl(mpg ~ hp, data = mtcars, sources = list(s = model))), plain)
  }
})

test_that("a source that is constant in the rows is left out with a message, alone, among others and in a fold", {
  set.seed(1)
  d <- data.frame(a = rnorm(30), b = rnorm(30), far = rep(0, 30))
  d$y <- d$a + rnorm(30)
  flat <- list(flat = function(d) 3 + 2 * d$far)
  without <- fitted(greedytl(y ~ a + b, data = d))
  for (n in c(8, 30)) for (rule in c("transfer", "paper")) {
    rows <- d[seq_len(n), ]
    wanted <- greedytl(y ~ a + b, data = rows, rule = rule)
    expect_message(fit <- greedytl(y ~ a + b, data = rows, sources = flat, rule = rule), "\"flat\"",
                   class = "transelect_message_constant")
    expect_equal(fitted(fit), fitted(wanted))
    expect_equal(predict(fit, rows), predict(wanted, rows))
  }
  other <- list(one = function(d) d$a - d$b)
  expect_message(fit <- greedytl(y ~ a + b, data = d, sources = c(flat, other)), "flat")
  expect_equal(fitted(fit), fitted(greedytl(y ~ a + b, data = d, sources = other)))
  # the only rows that vary are those of one fold
  d$far[1:3] <- 1:3
  cv <- suppressMessages(cv_path(y ~ a + b, data = d, fit = greedytl, sources = flat, foldid = rep(1:10, each = 3)))
  alone <- greedytl(y ~ a + b, data = d[-(1:3), ])
  expect_equal(unname(cv$fold_loss[1, 1:2]), unname(colMeans((d$y[1:3] - predict(alone, d[1:3, ], step = 0:1))^2)))
  expect_silent(greedytl(y ~ a + b, data = d, sources = flat, intercept = FALSE))
})

test_that("models of package rms are sources and estimates as those of glm(), lm() and coxph()", {
  skip_if_not_installed("rms")
  skip_if_not_installed("survival")
  cars <- transform(mtcars, vs = factor(vs), cyl = factor(cyl))
  odds <- glm(am ~ wt, binomial, cars, epsilon = 1e-12)
  for (scale in c("response", "link")) {
    expect_equal(unname(predict_source(rms::lrm(am ~ wt, cars, tol = 1e-12, eps = 1e-9), cars, scale)),
                 unname(predict_source(odds, cars, scale)), tolerance = 1e-4)
  }
  several <- rms::lrm(cyl ~ wt, cars)
  expect_equal(rowSums(predict_source(several, cars, "response")), rep(-1, 32), tolerance = 1e-6)
  counts <- glm(carb ~ wt, poisson, cars)
  expect_equal(as.vector(predict_source(rms::Glm(carb ~ wt, family = poisson, data = cars), cars, "response")),
               unname(predict(counts, cars, "response")), tolerance = 1e-6)
  pairs <- list(
    list(rms::ols(mpg ~ wt, cars), lm(mpg ~ wt, cars)), list(rms::lrm(am ~ wt, cars), odds),
    list(rms::cph(survival::Surv(time, status) ~ age, survival::lung),
         survival::coxph(survival::Surv(time, status) ~ age, survival::lung))
  )
  columns <- c("family", "n", "events", "term", "estimate", "std.error")
  for (pair in pairs) {
    expect_equal(as.data.frame(estimates(pair[[1]]))[columns], as.data.frame(estimates(pair[[2]]))[columns],
                 tolerance = 1e-4)
  }
})
