# Sources as models or functions, and prediction from them.

source_models <- function() {
  old <- source_frame(2, 60)
  list(
    line = lm(y ~ a + b, old), curve = lm(y ~ poly(a, 2) + site, old),
    logit = glm(k ~ a + b, binomial, old), rule = function(newdata) newdata$a - newdata$b
  )
}

# The predictions of the models, as a matrix.
predictions <- function(models, data) {
  say <- function(m) {
    if (is.function(m)) return(m(data))
    if (inherits(m, "glm")) return(2 * predict(m, data, type = "response") - 1)
    predict(m, data)
  }
  out <- lapply(models, say)
  do.call(cbind, lapply(out, as.numeric))
}

test_that("models as sources are their predictions as sources", {
  data <- source_frame()
  new <- source_frame(3, 15)
  models <- source_models()
  h <- predictions(models, data)
  colnames(h) <- names(models)
  h_new <- predictions(models, new)
  colnames(h_new) <- names(models)
  x <- data[c("a", "b", "c", "site")] # a factor enters whole: 4 features and 3 sources
  keep <- c("line", "curve", "rule")
  for (rule in c("transfer", "paper")) {
    for (y in list(data$y, data$k)) {
      by_model <- greedytl(x, y, models[keep], rule = rule, max_steps = 5)
      by_value <- greedytl(x, y, h[, keep], rule = rule, max_steps = 5)
      expect_same_path(by_value, by_model)
      for (step in c(0, 2, 4)) {
        expect_equal(
          predict(by_model, new, step = step, type = "link"),
          predict(by_value, new, sources = h_new[, keep], step = step, type = "link")
        )
      }
      expect_equal(predict(by_model, new), predict(by_value, new, sources = h_new[, keep]))
    }
  }
})

test_that("new rows without a column that sources need are one error, which names the column first", {
  set.seed(1)
  wide <- as.data.frame(matrix(rnorm(60 * 200), 60))
  wide$y <- wide$V1 + wide$V2 + rnorm(60)
  models <- lapply(1:3, function(k) function(newdata) newdata[, "V1"] + newdata[, "V2"] * k / 2)
  fit <- greedytl(y ~ ., wide, sources = stats::setNames(models, c("one", "two", "three")))
  said <- expect_error(predict(fit, wide[1:3, setdiff(names(wide), "V2")]),
                       "`newdata` lacks 1 column of the .*: \"V2\"", class = "transelect_error_newdata")
  expect_match(conditionMessage(said), "Sources \"one\", \"two\" and \"three\" could not predict: undefined",
               fixed = TRUE)
  data <- source_frame()
  data$y <- data$a^3 + 3 * sin(3 * data$a)
  models <- list(one = function(newdata) newdata[, "a"]^3, two = function(newdata) sin(3 * newdata[, "a"]))
  beyond <- greedytl(y ~ b, data, sources = models)
  expect_error(predict(beyond, data["b"]), "Give `newdata` all columns that the sources use",
               class = "transelect_error_sources")
})

test_that("the formula interface reads models too", {
  data <- source_frame()
  new <- source_frame(3, 15)
  models <- source_models()
  fit <- greedytl(y ~ a + b + site, data, sources = models, max_steps = 6)
  expect_true(all(c("line", "curve", "logit", "rule") %in% rownames(fit$beta)))
  expect_length(predict(fit, new), 15)
  expect_equal(unname(predict(fit, data)), unname(fitted(fit)))
  expect_equal(predict(fit, new[4, ]), predict(fit, new)[4], ignore_attr = TRUE)
})

test_that("sources() takes a way to predict", {
  data <- source_frame()
  models <- source_models()["logit"]
  link <- sources(models, predict = function(model, newdata) predict(model, newdata))
  expect_output(print(link), "logit +as given")
  prob <- sources(
    models,
    predict = function(model, newdata) predict(model, newdata, type = "response")
  )
  x <- data[c("a", "b")]
  h <- cbind(logit = predict(models$logit, data))
  expect_same_path(
    greedytl(x, data$k, h, max_steps = 3), greedytl(x, data$k, link, max_steps = 3)
  )
  h <- cbind(logit = predict(models$logit, data, type = "response"))
  expect_same_path(
    greedytl(x, data$k, h, max_steps = 3), greedytl(x, data$k, prob, max_steps = 3)
  )
})

test_that("glmnet models can be sources", {
  skip_if_not_installed("glmnet")
  data <- source_frame()
  old <- source_frame(2, 60)
  columns <- c("a", "b", "c")
  model <- glmnet::glmnet(as.matrix(old[columns]), old$y, lambda = 0.1)
  read <- function(model, newdata) {
    as.numeric(predict(model, as.matrix(newdata[, columns])))
  }
  x <- as.matrix(data[columns])
  fit <- greedytl(x, data$y, sources(list(net = model), predict = read), max_steps = 3)
  by_value <- greedytl(x, data$y, cbind(net = read(model, x)), max_steps = 3)
  expect_same_path(by_value, fit)
  new <- as.matrix(source_frame(3, 15)[columns])
  expect_equal(
    predict(fit, new), predict(by_value, new, sources = cbind(net = read(model, new)))
  )
})

test_that("every prediction is intercept plus columns times coefficients", {
  d <- draw_case(21)
  fit <- greedytl(d$x, d$factor, d$h, max_steps = 5, average = FALSE)
  beta <- as.matrix(fit$beta)
  z <- cbind(d$new$x, d$new$h)
  by_hand <- rep(fit$a0, each = 7) + z %*% beta
  links <- predict(fit, d$new$x, sources = d$new$h, step = 0:5, type = "link")
  expect_equal(unname(links), unname(by_hand))
  expect_equal(colnames(links), as.character(0:5))
  average <- predict(fit, d$new$x, sources = d$new$h, type = "link")
  expect_equal(unname(average), rowMeans(by_hand[, -1]))
  named <- predict(fit, d$new$x, sources = d$new$h, step = "average", type = "link")
  expect_equal(named, average)
  class <- predict(fit, d$new$x, sources = d$new$h, type = "class")
  expect_identical(as.character(class), ifelse(unname(average) > 0, "yes", "no"))
  expect_identical(levels(class), c("no", "yes"))
  shuffled <- predict(fit, d$new$x[, 8:1], sources = d$new$h[, 5:1], type = "link")
  expect_equal(shuffled, average)
  more <- cbind(d$new$x, extra = 1)
  expect_equal(predict(fit, more, sources = d$new$h, type = "link"), average)
})

test_that("a saved fit predicts in a new session", {
  skip_on_cran()
  home <- system.file(package = "transelect")
  skip_if_not(file.exists(file.path(home, "Meta", "package.rds")))
  data <- source_frame()
  new <- source_frame(3, 15)
  models <- source_models()[c("line", "curve", "logit")]
  fit <- greedytl(y ~ a + b + site, data, sources = models, max_steps = 6)
  files <- tempfile(c("fit", "new", "script", "answer"))
  on.exit(unlink(files))
  saveRDS(fit, files[1])
  saveRDS(new, files[2])
  writeLines(c(
    sprintf(".libPaths(%s)", deparse(c(dirname(home), .libPaths()), width.cutoff = 500)),
    "library(transelect)",
    sprintf("fit <- readRDS(%s)", deparse(files[1])),
    sprintf("saveRDS(predict(fit, readRDS(%s)), %s)", deparse(files[2]), deparse(files[4]))
  ), files[3])
  rscript <- file.path(R.home("bin"), "Rscript")
  status <- system2(rscript, c("--vanilla", shQuote(files[3])), stdout = FALSE, stderr = FALSE)
  expect_equal(status, 0)
  expect_equal(readRDS(files[4]), predict(fit, new))
})

test_that("no training row is stored when the sources are values", {
  d <- draw_case(22, n = 2000, p = 4, s = 3)
  fit <- greedytl(d$x, d$y, d$h, max_steps = 3)
  parts <- fit[setdiff(names(fit), c("fitted", "residuals", "call"))]
  expect_lt(length(serialize(parts, NULL)), 60000)
})

test_that("predictions of sources follow rows that a subset or na.action puts in another order or repeats", {
  d <- with_seed(3, data.frame(a = rnorm(60), h = rnorm(60), y = rnorm(60)))
  d$y <- d$a + 2 * d$h + d$y / 4
  s <- cbind(s = d$h)
  for (rows in list(60:1, c(1:60, 1:5), with_seed(4, sample(60, replace = TRUE)), 60:31)) {
    by_hand <- greedytl(y ~ a, d[rows, ], sources = s[rows, , drop = FALSE])
    expect_equal(coef(greedytl(y ~ a, d, sources = s, subset = rows)), coef(by_hand))
    picked <- function(object, ...) object[rows, , drop = FALSE]
    expect_equal(coef(greedytl(y ~ a, d, sources = s, na.action = picked)), coef(by_hand))
  }
})
