# Engines for tidymodels. parsnip is not in every Debian; what the engines call is tested without it.

test_that("the engine's function takes the domain out of the predictors and keeps the rest", {
  x <- mtcars[c("wt", "hp", "cyl")]
  fit <- transelect_engine(x, mtcars$mpg, "tlcp", domain = "cyl", target = "4", control = tlcp_control(units = "own"))
  same <- tlcp(x[c("wt", "hp")], mtcars$mpg, domain = mtcars$cyl, target = "4", control = tlcp_control(units = "own"))
  expect_equal(coef(fit), coef(same))
  weights <- rep(1:2, 16)
  fit <- transelect_engine(x, mtcars$mpg, "greedytl", weights = weights)
  expect_equal(coef(fit), coef(greedytl(x, mtcars$mpg, weights = weights)))
  expect_error(transelect_engine(x, mtcars$mpg, "tgreedy", domain = "gear"), "`domain` is \"gear\"",
               class = "transelect_error_domain")
  fit <- transelect_engine(x, mtcars$mpg, "greedytl", step = 1)
  expect_equal(coef(fit), coef(greedytl(x, mtcars$mpg), step = 1))
  last <- transelect_engine(x, mtcars$mpg, "greedytl", step = 50) # as the folds of cv_path() have it
  expect_equal(coef(last), coef(greedytl(x, mtcars$mpg), step = 3))
  expect_error(transelect_engine(x, mtcars$mpg, "greedytl", step = -1), class = "transelect_error_step")
  most <- transelect_engine(x, mtcars$mpg, "greedytl", max_steps = 30)
  expect_equal(coef(most), coef(greedytl(x, mtcars$mpg, max_steps = 3)))
  most <- transelect_engine(iris[1:4], iris$Species, "shareboost", max_steps = 30)
  expect_equal(coef(most), coef(shareboost(iris[1:4], iris$Species, max_steps = 4)))
  expect_error(transelect_engine(x, mtcars$mpg, "greedytl", max_steps = -1), class = "transelect_error_max_steps")
})

test_that("the engine of two classes takes a family in place of calibrated scores", {
  set.seed(1)
  x <- data.frame(a = rnorm(30), b = rnorm(30))
  y <- factor(rbinom(30, 1, plogis(x$a)), 0:1, c("no", "yes"))
  asked <- parsnip_engine("greedytl")$models$logistic_reg
  fit <- rlang::inject(transelect_engine(x, y, "greedytl", !!!asked, family = "binomial"))
  same <- greedytl(x, y, family = "binomial")
  expect_equal(coef(fit), coef(same))
  shares <- parsnip_probability_columns(predict(fit, x, type = "prob"), list(lvl = levels(y)))
  expect_equal(shares$yes, unname(predict(same, x, type = "response")))
  expect_equal(predict(fit, x, type = "class") == "yes", shares$yes > .5, ignore_attr = TRUE)
})

test_that("a method that is none is refused", {
  expect_error(transelect_engine(mtcars["wt"], mtcars$mpg, "exact"), class = "transelect_error_method")
})

engines_of <- function(model) Filter(function(engine) model %in% names(parsnip_engine(engine)$models),
                                     parsnip_engines())

test_that("every method is an engine, with arguments that it has", {
  expect_setequal(parsnip_engines(), c("greedytl", "tgreedy", "tlcp", "msplit", "shareboost"))
  for (name in parsnip_engines()) {
    known <- c("step", names(formals(get(paste0(name, ".transfer_frame")))))
    asked <- c(parsnip_engine(name)$tunable, names(unlist(unname(parsnip_engine(name)$models))))
    expect_identical(setdiff(asked, known), character())
  }
})

test_that("parsnip fits and predicts with every engine", {
  skip_if_not_installed("parsnip")
  engine <- function(model, name, ...) parsnip::set_engine(model(), name, ...)
  for (name in engines_of("linear_reg")) {
    spec <- if (name == "tlcp") engine(parsnip::linear_reg, name, domain = "cyl", target = "4",
                                         control = list(units = "own"))
            else if (name == "tgreedy") engine(parsnip::linear_reg, name, domain = "cyl")
            else engine(parsnip::linear_reg, name)
    fit <- parsnip::fit(spec, mpg ~ wt + hp + cyl, data = mtcars)
    got <- predict(fit, mtcars[1:5, ])
    expect_named(got, ".pred")
    expect_equal(got$.pred, unname(predict(fit$fit, mtcars[1:5, ])))
  }
  two <- droplevels(subset(iris, Species != "setosa"))
  for (data in list(two, iris)) {
    kind <- if (nlevels(data$Species) == 2) "logistic_reg" else "multinom_reg"
    model <- getExportedValue("parsnip", kind)
    for (name in engines_of(kind)) {
      spec <- if (name == "tgreedy") engine(model, name, domain = "place") else engine(model, name)
      data$place <- rep_len(c("a", "b", "c"), nrow(data))
      if (name != "tgreedy") data$place <- NULL
      fit <- parsnip::fit(spec, Species ~ ., data = data)
      got <- predict(fit, data[c(1, 60, 90), ])
      expect_identical(levels(got$.pred_class), levels(data$Species))
      if (kind != "linear_reg") {
        p <- predict(fit, data, type = "prob")
        expect_named(p, paste0(".pred_", levels(data$Species)))
        expect_equal(rowSums(p), rep(1, nrow(data)), tolerance = 1e-6, ignore_attr = TRUE)
        most <- factor(levels(data$Species)[max.col(as.matrix(p), "first")], levels(data$Species))
        # classes by squares are those of scores with balanced classes
        least <- if (name %in% c("greedytl", "tgreedy")) .9 else .99
        expect_gt(mean(most == predict(fit, data)$.pred_class), least)
      }
    }
  }
})

test_that("a workflow keeps the fit and its case weights", {
  skip_if_not_installed("workflows")
  spec <- parsnip::set_engine(parsnip::linear_reg(), "greedytl")
  flow <- workflows::workflow(mpg ~ wt + hp, spec)
  fit <- parsnip::fit(flow, mtcars)
  expect_equal(predict(fit, mtcars)$.pred, unname(predict(greedytl(mpg ~ wt + hp, mtcars), mtcars)))
})

test_that("workflows fit all five methods, and new data go the way of the fit", {
  skip_if_not_installed("workflows")
  specs <- list(
    greedytl = parsnip::set_engine(parsnip::linear_reg(), "greedytl"),
    tgreedy = parsnip::set_engine(parsnip::linear_reg(), "tgreedy", domain = "cyl"),
    tlcp = parsnip::set_engine(parsnip::linear_reg(), "tlcp", criterion = "BIC"),
    msplit = parsnip::set_engine(parsnip::linear_reg(), "msplit"),
    shareboost = parsnip::set_engine(parsnip::multinom_reg(), "shareboost")
  )
  for (name in names(specs)) {
    formula <- if (name == "shareboost") Species ~ . else mpg ~ wt + hp + cyl
    data <- if (name == "shareboost") iris else mtcars
    fit <- parsnip::fit(workflows::workflow(formula, specs[[name]]), data)
    expect_s3_class(workflows::extract_fit_engine(fit), name)
    expect_true("transelect" %in% generics::required_pkgs(fit))
    got <- predict(fit, data)[[1]]
    expect_equal(got, unname(predict(workflows::extract_fit_engine(fit), data)), ignore_attr = TRUE)
  }
})

test_that("arguments that tune() stands for have a range", {
  skip_if_not_installed("dials")
  skip_if_not_installed("parsnip")
  for (engine in parsnip_engines()) {
    model <- if (engine == "shareboost") parsnip::multinom_reg else parsnip::linear_reg
    waiting <- lapply(stats::setNames(nm = parsnip_engine(engine)$tunable), function(name) parsnip::tune())
    spec <- do.call(parsnip::set_engine, c(list(model(), engine), waiting))
    found <- parsnip::extract_parameter_set_dials(spec)
    expect_setequal(found$name, parsnip_engine(engine)$tunable)
    expect_true(all(vapply(found$object, inherits, NA, "param")))
    grid <- dials::grid_regular(found, levels = 2)
    ready <- do.call(parsnip::set_engine, c(list(model(), engine), as.list(grid[1, ])))
    formula <- if (engine == "shareboost") Species ~ . else if (engine == "tgreedy") NULL else mpg ~ .
    if (!is.null(formula)) {
      fit <- parsnip::fit(ready, formula, data = if (engine == "shareboost") iris else mtcars)
      expect_identical(fit$fit$best, 1L)
    }
  }
  expect_identical(dials::value_seq(tlcp_criterion(c("AIC", "BIC")), 2), c("AIC", "BIC"))
})

test_that("tune chooses arguments of every engine by folds of rsample", {
  skip_if_not_installed("tune")
  skip_if_not_installed("workflows")
  skip_if_not_installed("yardstick")
  set.seed(1)
  cars <- rsample::vfold_cv(mtcars, v = 3)
  flowers <- rsample::vfold_cv(iris, v = 3, strata = "Species")
  for (engine in parsnip_engines()) {
    classes <- engine == "shareboost"
    model <- if (classes) parsnip::multinom_reg else parsnip::linear_reg
    waiting <- lapply(stats::setNames(nm = parsnip_engine(engine)$tunable), function(name) parsnip::tune())
    if (engine == "tgreedy") waiting$domain <- "gear"
    spec <- do.call(parsnip::set_engine, c(list(model(), engine), waiting))
    flow <- workflows::workflow(if (classes) Species ~ . else mpg ~ ., spec)
    found <- tune::tune_grid(flow, if (classes) flowers else cars, grid = 3)
    expect_identical(nrow(tune::collect_notes(found)), 0L, label = engine)
    metric <- if (classes) "accuracy" else "rmse"
    best <- tune::select_best(found, metric = metric)
    expect_true(all(parsnip_engine(engine)$tunable %in% names(best)), label = engine)
    fit <- parsnip::fit(tune::finalize_workflow(flow, best), if (classes) iris else mtcars)
    path <- workflows::extract_fit_engine(fit)
    expect_identical(path$best, min(best$step, max(path_step_table(path))))
  }
})

test_that("errors by tune are those of the same fits by hand, and tune_bayes() goes on from them", {
  skip_if_not_installed("tune")
  skip_if_not_installed("workflows")
  skip_if_not_installed("yardstick")
  set.seed(1)
  folds <- rsample::vfold_cv(mtcars, v = 3)
  model <- parsnip::set_engine(parsnip::linear_reg(), "greedytl", step = parsnip::tune())
  flow <- workflows::workflow(mpg ~ wt + hp + qsec + am, model)
  found <- tune::tune_grid(flow, folds, grid = data.frame(step = 1:3), metrics = yardstick::metric_set(yardstick::rmse))
  by_tune <- tune::collect_metrics(found)
  by_hand <- function(step) {
    mean(vapply(folds$splits, function(split) {
      out <- rsample::assessment(split)
      fit <- greedytl(mpg ~ wt + hp + qsec + am, rsample::analysis(split))
      sqrt(mean((out$mpg - predict(fit, out, step = min(step, max(path_step_table(fit)))))^2))
    }, 0))
  }
  expect_equal(by_tune$mean[order(by_tune$step)], vapply(1:3, by_hand, 0))
  more <- tune::tune_bayes(flow, folds, initial = found, iter = 1, metrics = yardstick::metric_set(yardstick::rmse),
                           param_info = workflows::extract_parameter_set_dials(flow))
  further <- subset(tune::collect_metrics(more), .iter == 1)
  expect_identical(nrow(further), 1L)
  expect_equal(further$mean, by_hand(further$step))
})
