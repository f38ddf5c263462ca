# Objects that were changed after they were made.

whole_data <- function() {
  d <- with_seed(1, data.frame(x1 = rnorm(48), x2 = rnorm(48), d = rep(c("a", "b", "c"), 16)))
  d$y <- d$x1 + with_seed(2, rnorm(48))
  d$k <- cut(d$y, c(-Inf, -.5, .5, Inf), labels = c("low", "middle", "high"))
  d$n <- with_seed(3, rpois(48, exp(d$y / 3)))
  d
}

whole_fits <- function(d) {
  suppressMessages(list(
    greedytl = greedytl(y ~ x1 + x2, d), tgreedy = tgreedy(y ~ x1 + x2, d, domain = d), tlcp = tlcp(y ~ x1 + x2, d),
    domains = tlcp(y ~ x1 + x2, d, domain = d, target = "a"), counts = tlcp(n ~ x1 + x2, d, family = "poisson"),
    shareboost = shareboost(k ~ x1 + x2, d), msplit = msplit(y ~ x1 + x2, d)
  ))
}

whole_verbs <- list(
  print = function(f) utils::capture.output(print(f)), summary = summary, coef = coef, fitted = fitted,
  predict = function(f) predict(f, data.frame(x1 = 0, x2 = 1, d = "a")), residuals = residuals,
  plot = function(f) draw(plot(f)), tidy = function(f) generics::tidy(f), glance = function(f) generics::glance(f),
  augment = function(f) generics::augment(f, data.frame(x1 = 0, x2 = 1, d = "a", y = 0, k = "low", n = 1)),
  logLik = logLik, confint = confint, update = function(f) update(f, . ~ . - x2)
)

test_that("a fit with a component changed or removed is an error in words, whatever the verb", {
  d <- whole_data()
  spoils <- list(none = function(v) NULL, text = function(v) "zz", shorter = function(v) utils::head(v, -1),
                 nothing = function(v) list())
  fits <- whole_fits(d)
  with_seed(4, for (name in names(fits)) for (spoil in names(spoils)) {
    component <- sample(setdiff(names(unclass(fits[[name]])), c("call", "formula")), 1)
    fit <- unclass(fits[[name]])
    fit[component] <- list(spoils[[spoil]](fit[[component]]))
    class(fit) <- class(fits[[name]])
    for (verb in names(whole_verbs)) {
      error <- tryCatch({
        suppressMessages(whole_verbs[[verb]](fit))
        NULL
      }, error = identity)
      expect_true(is.null(error) || inherits(error, "transelect_error"),
                  info = paste(name, component, spoil, verb, conditionMessage(error %||% simpleCondition(""))))
    }
  })
})

test_that("the error names the components, those that are lost and those that are of another type", {
  fit <- tlcp(mpg ~ wt + hp, mtcars)
  fit$beta <- NULL
  fit$family <- "other"
  expect_error(coef(fit), "lacks \"beta\".*\"family\"", class = "transelect_error_object")
  cv <- cv_path(mpg ~ wt + hp, mtcars, foldid = rep_len(1:4, 32))
  cv$fit$blueprint <- 1
  for (verb in list(coef, fitted, print, summary, function(f) update(f, nfolds = 3))) {
    expect_error(verb(cv), class = "transelect_error_object")
  }
})

test_that("numbers may be changed, and what only verbs on rows need may be left out", {
  fit <- tlcp(mpg ~ wt + hp, mtcars)
  changed <- fit
  changed$beta@x <- changed$beta@x * 2
  step <- max(fit$points$step)
  expect_equal(coef(changed, step = step)[-1], 2 * coef(fit, step = step)[-1])
  small <- fit
  small[c("fitted", "residuals", "call")] <- NULL
  small$note <- "small"
  expect_equal(predict(small, mtcars), predict(fit, mtcars))
  expect_error(fitted(small), class = "transelect_error_fitted")
  saved <- unserialize(serialize(fit, NULL))
  expect_equal(coef(saved), coef(fit))
})

test_that("an object without the shapes of its components, as of an older version, needs those of every path", {
  fit <- greedytl(mpg ~ wt + hp, mtcars)
  attr(fit, "shape") <- NULL
  expect_equal(length(coef(fit)), 3)
  fit$blueprint <- NULL
  for (verb in list(coef, summary, print, residuals)) {
    expect_error(verb(fit), "lacks \"blueprint\"", class = "transelect_error_object")
  }
})

test_that("update() of a fit whose formula lost its response is an error in words", {
  fit <- tlcp(mpg ~ wt + hp, mtcars, select = FALSE)
  fit$formula <- ~ wt + hp
  expect_error(update(fit, . ~ . - hp), class = "transelect_error_object")
})
