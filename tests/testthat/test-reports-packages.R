# Packages that report, test and show models, against what they give for lm() and glm().

report_pairs <- function() {
  list(
    list(tlcp(mpg ~ wt + hp + qsec, mtcars, select = FALSE), lm(mpg ~ wt + hp + qsec, mtcars)),
    list(tlcp(am ~ wt + hp, mtcars, family = "binomial", select = FALSE), glm(am ~ wt + hp, binomial, mtcars))
  )
}

alike <- function(object, expected, tolerance = 1e-3) {
  expect_equal(object, expected, tolerance = tolerance, ignore_attr = TRUE)
}

test_that("insight and performance find what they find of lm() and glm()", {
  skip_if_not_installed("insight")
  for (pair in report_pairs()) {
    fit <- pair[[1]]
    plain <- pair[[2]]
    alike(as.numeric(insight::get_predicted(fit)), as.numeric(insight::get_predicted(plain)))
    alike(as.numeric(insight::get_loglikelihood(fit)), as.numeric(logLik(plain)))
    alike(insight::get_varcov(fit), vcov(plain))
    alike(insight::get_parameters(fit)$Estimate, unname(coef(plain)))
    expect_identical(insight::find_response(fit), insight::find_response(plain))
    expect_identical(insight::model_info(fit)$is_binomial, insight::model_info(plain)$is_binomial)
    skip_if_not_installed("performance")
    alike(unlist(performance::r2(fit)), unlist(performance::r2(plain)))
    theirs <- as.data.frame(suppressWarnings(performance::model_performance(plain, verbose = FALSE)))
    ours <- as.data.frame(performance::model_performance(fit))
    same <- intersect(names(ours), names(theirs))
    expect_gt(length(same), 2)
    alike(ours[same], theirs[same])
    alike(as.data.frame(performance::check_collinearity(fit))$VIF,
          as.data.frame(performance::check_collinearity(plain))$VIF)
    skip_if_not_installed("parameters")
    columns <- c("Coefficient", "SE", "CI_low", "CI_high", "p")
    alike(as.data.frame(parameters::model_parameters(fit))[columns],
          as.data.frame(parameters::model_parameters(plain, ci_method = "wald"))[columns])
    expect_output(print(parameters::model_parameters(fit)), "wt")
  }
  chosen <- tlcp(mpg ~ wt + hp + qsec + drat, mtcars)
  expect_identical(insight::get_parameters(chosen)$Parameter, c("(Intercept)", chosen$selected))
  expect_identical(as.data.frame(performance::check_collinearity(chosen))$Term, chosen$selected)
  ridge <- greedytl(mpg ~ wt + hp, mtcars)
  expect_length(insight::get_predicted(ridge), 32)
  expect_gt(performance::r2(ridge)$R2, .5)
})

test_that("tests of coefficients are those of lm() and glm()", {
  skip_if_not_installed("car")
  for (pair in report_pairs()) {
    fit <- pair[[1]]
    plain <- pair[[2]]
    alike(car::linearHypothesis(fit, "wt = hp", test = "Chisq")$Chisq,
          car::linearHypothesis(plain, "wt = hp", test = "Chisq")$Chisq)
    alike(car::vif(fit), car::vif(plain))
    # one p-value: Student's t and F of least squares, z and chi-squared of likelihoods
    of <- if (inherits(plain, "glm")) "Chisq" else "F"
    wald <- car::Anova(fit)
    alike(wald[[of]][1:2], summary(plain)$coefficients[2:3, 3]^2)
    p <- unname(summary(plain)$coefficients[2:3, 4])
    alike(wald[[paste0("Pr(>", of, ")")]][1:2], p)
    alike(tidy(fit)$p.value[2:3], p)
    alike(car::linearHypothesis(fit, "wt = 0")[2, paste0("Pr(>", of, ")")], p[1])
  }
  chosen <- tlcp(mpg ~ wt + hp + qsec + drat, mtcars)
  expect_s3_class(car::linearHypothesis(chosen, "wt = 0"), "anova")
  expect_error(car::Anova(chosen), "search has chosen", class = "transelect_error_object")
})

test_that("of a fit that borrows coeftest() has the p-values of tidy(), and another domain has no standard errors", {
  skip_if_not_installed("lmtest")
  d <- transform(mtcars, gear = ifelse(gear == 4, "four", "other"))
  fit <- suppressMessages(tlcp(mpg ~ wt + hp, data = d, domain = gear, target = "four", select = FALSE))
  expect_equal(unname(lmtest::coeftest(fit)[, 4]), tidy(fit)$p.value)
  expect_null(tidy(fit, domain = "other")$std.error)
  expect_error(tidy(fit, domain = "other", conf.int = TRUE), class = "transelect_error_domain")
})

test_that("diagnostics of car are those of lm() and glm()", {
  skip_if_not_installed("car")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (pair in report_pairs()) {
    for (verb in list(car::influencePlot, car::residualPlots, car::avPlots)) {
      drawn <- lapply(pair, function(model) suppressWarnings(utils::capture.output(print(verb(model)))))
      expect_identical(drawn[[1]], drawn[[2]])
    }
    alike(car::outlierTest(pair[[1]])$rstudent, car::outlierTest(pair[[2]])$rstudent)
  }
  pair <- report_pairs()[[1]]
  alike(car::ncvTest(pair[[1]])$p, car::ncvTest(pair[[2]])$p)
  expect_error(car::influencePlot(tlcp(mpg ~ ., mtcars)), "fit of a search", class = "transelect_error_model")
})

test_that("terms of several columns, bases of polynomials and robust variances are those of lm() and glm()", {
  d <- transform(mtcars, cyl = factor(cyl), w = rep(1:2, 16))
  formula <- mpg ~ poly(wt, 2) + cyl + hp
  pairs <- list(list(tlcp(formula, d, select = FALSE), lm(formula, d)),
                list(tlcp(formula, d, weights = w, select = FALSE), lm(formula, d, weights = w)),
                list(tlcp(am ~ hp + cyl, d, family = "binomial", select = FALSE), glm(am ~ hp + cyl, binomial, d)))
  for (pair in pairs) {
    if (requireNamespace("car", quietly = TRUE)) alike(car::vif(pair[[1]]), car::vif(pair[[2]]))
    if (requireNamespace("sandwich", quietly = TRUE)) {
      for (type in c("HC0", "HC3")) {
        alike(sandwich::vcovHC(pair[[1]], type = type), sandwich::vcovHC(pair[[2]], type = type))
      }
      alike(sandwich::sandwich(pair[[1]]), sandwich::sandwich(pair[[2]]))
    }
    if (requireNamespace("emmeans", quietly = TRUE)) {
      means <- lapply(pair, function(model) as.data.frame(emmeans::emmeans(model, "cyl", data = d)))
      alike(means[[1]], means[[2]])
    }
    ours <- augment(pair[[1]])
    expect_equal(ours$.fitted, unname(predict(pair[[1]], d, type = "response")))
  }
  skip_if_not_installed("sandwich")
  expect_error(sandwich::vcovHC(tlcp(mpg ~ ., mtcars)), "no score contributions", class = "transelect_error_x")
})

test_that("lmtest and multcomp test as for lm() and glm()", {
  for (pair in report_pairs()) {
    fit <- pair[[1]]
    plain <- pair[[2]]
    if (requireNamespace("lmtest", quietly = TRUE)) alike(lmtest::coeftest(fit)[], lmtest::coeftest(plain)[])
    if (requireNamespace("multcomp", quietly = TRUE)) {
      both <- lapply(pair, function(model) summary(multcomp::glht(model, "wt = 0"))$test)
      alike(both[[1]]$tstat, both[[2]]$tstat)
      alike(both[[1]]$pvalues, both[[2]]$pvalues)
    }
  }
  skip_if_not_installed("multcomp")
  expect_s3_class(multcomp::glht(tlcp(mpg ~ wt + hp + qsec + drat, mtcars), "wt = 0"), "glht")
  chosen <- tlcp(mpg ~ cyl + wt + qsec + drat, transform(mtcars, cyl = factor(cyl)))
  expect_error(multcomp::glht(chosen, multcomp::mcp(cyl = "Tukey")), "a search has chosen",
               class = "transelect_error_object")
})

test_that("marginal means and effects are those of lm() and glm()", {
  for (pair in report_pairs()) {
    if (requireNamespace("emmeans", quietly = TRUE)) {
      means <- lapply(pair, function(model) as.data.frame(emmeans::emmeans(model, "wt", at = list(wt = c(2, 3)))))
      alike(means[[1]], means[[2]])
    }
    if (requireNamespace("effects", quietly = TRUE)) {
      shown <- lapply(pair, function(model) as.data.frame(effects::Effect("wt", model, xlevels = list(wt = c(2, 3)))))
      alike(shown[[1]][c("wt", "fit", "lower", "upper")], shown[[2]][c("wt", "fit", "lower", "upper")], .02)
    }
    if (requireNamespace("ggeffects", quietly = TRUE)) {
      lines <- lapply(pair, function(model) as.data.frame(ggeffects::ggpredict(model, "wt [2, 3]")))
      alike(lines[[1]]$predicted, lines[[2]]$predicted)
      alike(lines[[1]][c("conf.low", "conf.high")], lines[[2]][c("conf.low", "conf.high")], .02)
    }
  }
  if (requireNamespace("effects", quietly = TRUE)) {
    lung <- na.omit(survival::lung)
    hazard <- tlcp(survival::Surv(time, status == 2) ~ age + sex, lung, family = "cox", select = FALSE)
    expect_error(effects::Effect("age", hazard), "a Cox model has none", class = "transelect_error_mod")
  }
  skip_if_not_installed("emmeans")
  chosen <- tlcp(mpg ~ wt + hp + qsec + drat, mtcars)
  expect_false(anyNA(as.data.frame(emmeans::emmeans(chosen, "wt"))))
})

test_that("tables of xtable have the columns of the model", {
  skip_if_not_installed("xtable")
  table <- xtable::xtable(tlcp(mpg ~ wt + hp, mtcars, select = FALSE))
  expect_named(table, c("term", "estimate", "std.error", "statistic", "p.value"))
  expect_named(xtable::xtable(greedytl(mpg ~ wt + hp, mtcars)), c("term", "estimate"))
})

test_that("the generic of package generics refits, and model.frame() and model.matrix() find the rows of the fit", {
  fit <- tlcp(mpg ~ wt + hp, mtcars, select = FALSE)
  expect_identical(generics::refit(fit, mtcars[1:20, ])$beta, refit(fit, mtcars[1:20, ])$beta)
  expect_equal(model.matrix(fit), model.matrix(lm(mpg ~ wt + hp, mtcars)), ignore_attr = TRUE)
  expect_identical(attr(model.matrix(fit), "assign"), 0:2)
  expect_equal(model.frame(fit), model.frame(mpg ~ wt + hp, mtcars), ignore_attr = TRUE)
  part <- tlcp(mpg ~ wt + hp, mtcars, subset = cyl > 4, select = FALSE)
  expect_identical(rownames(model.frame(part)), rownames(mtcars)[mtcars$cyl > 4])
  expect_identical(rownames(model.matrix(part)), rownames(mtcars)[mtcars$cyl > 4])
  data <- mtcars
  moved <- tlcp(mpg ~ wt + hp, data, select = FALSE)
  data$wt <- data$wt + data$qsec
  expect_error(model.matrix(moved), class = "transelect_error_data")
})

test_that("tidy() of selection frequencies and estimates, and as.data.frame() of a cross-validation, are plain tables",
          {
  set.seed(1)
  often <- selection_frequency(mpg ~ wt + hp + qsec, mtcars, fit = tlcp, pairs = 2)
  expect_identical(class(tidy(often)), "data.frame")
  expect_named(tidy(often), c("term", "frequency", "probability", "stable"))
  plain <- lm(mpg ~ wt + hp, mtcars)
  table <- tidy(estimates(plain), conf.int = TRUE)
  inside <- table$term != "(Intercept)"
  expect_equal(table$estimate[inside], unname(coef(plain)[table$term[inside]]))
  expect_equal(table$conf.low[inside], unname(confint.default(plain)[table$term[inside], 1]))
  cvf <- cv_path(mpg ~ wt + hp, mtcars, nfolds = 3)
  expect_identical(as.data.frame(cvf), tidy(cvf))
})

test_that("modelsummary and texreg have the rows of lm() and glm()", {
  for (pair in report_pairs()) {
    if (requireNamespace("modelsummary", quietly = TRUE)) {
      table <- modelsummary::modelsummary(pair, output = "data.frame")
      both <- table[nzchar(table[["(1)"]]), ]
      expect_identical(both[["(1)"]], both[["(2)"]])
      expect_true(all(c("wt", "Num.Obs.", "AIC") %in% both$term))
    }
    if (requireNamespace("texreg", quietly = TRUE)) {
      tables <- lapply(pair, texreg::extract)
      alike(tables[[1]]@coef, tables[[2]]@coef)
      alike(tables[[1]]@pvalues, tables[[2]]@pvalues)
      same <- intersect(tables[[1]]@gof.names, tables[[2]]@gof.names)
      expect_gt(length(same), 2)
      of <- function(table) table@gof[match(same, table@gof.names)]
      alike(of(tables[[1]]), of(tables[[2]]))
    }
  }
  skip_if_not_installed("texreg")
  expect_output(print(texreg::screenreg(greedytl(mpg ~ wt + hp, mtcars))), "Num. obs. +32")
})

test_that("gtsummary makes the table of glm()", {
  skip_if_not_installed("gtsummary")
  table <- function(model, ...) as.data.frame(gtsummary::as_tibble(gtsummary::tbl_regression(model, ...)))
  d <- transform(mtcars, cyl = factor(cyl), vs = factor(vs, labels = c("V", "straight")))
  odds <- lapply(list(tlcp(am ~ wt + vs, d, family = "binomial", select = FALSE), glm(am ~ wt + vs, binomial, d)),
                 function(model) suppressWarnings(table(model, exponentiate = TRUE)))
  expect_equal(odds[[1]][, 1:2], odds[[2]][, 1:2], ignore_attr = TRUE) # limits of glm() are by profile likelihood there
  numbers <- lapply(list(tlcp(mpg ~ wt + cyl * vs, d[d$cyl != 8, ], select = FALSE),
                         lm(mpg ~ wt + cyl * vs, d[d$cyl != 8, ])), table)
  expect_equal(numbers[[1]], numbers[[2]], ignore_attr = TRUE)
  expect_identical(table(tlcp(mpg ~ ., mtcars))[, 1], tlcp(mpg ~ ., mtcars)$selected)
})

test_that("rms::vif() is refused with what to use instead", {
  expect_error(vcov(report_pairs()[[1]][[1]], regcoef.only = TRUE), "car::vif", class = "transelect_error_regcoef.only")
})

test_that("packages that explain or judge models by predict() take fits as they are", {
  fit <- report_pairs()[[2]][[1]]
  probability <- as.vector(predict(fit, mtcars, type = "response"))
  if (requireNamespace("DALEX", quietly = TRUE)) {
    explainer <- DALEX::explain(fit, mtcars[c("wt", "hp")], mtcars$am, verbose = FALSE)
    alike(as.vector(explainer$y_hat), probability)
  }
  if (requireNamespace("iml", quietly = TRUE)) {
    predictor <- iml::Predictor$new(fit, mtcars[c("wt", "hp")], mtcars$am,
                                    predict.function = function(model, newdata) {
                                      predict(model, newdata, type = "response")
                                    })
    alike(predictor$predict(mtcars)[[1]], probability)
  }
  if (requireNamespace("pROC", quietly = TRUE)) {
    area <- pROC::auc(pROC::roc(mtcars$am, fitted(fit), quiet = TRUE))
    alike(as.numeric(area), assess(fit, mtcars)$measures$estimate[1])
  }
  if (requireNamespace("Hmisc", quietly = TRUE)) {
    alike(Hmisc::somers2(predict(fit, type = "response"), mtcars$am)[["C"]], assess(fit, mtcars)$measures$estimate[1])
  }
  skip_if_not_installed("caret")
  classes <- suppressMessages(tlcp(factor(am) ~ wt + hp, mtcars, select = FALSE))
  expect_identical(unname(predict(classes, type = "class")), unname(predict(classes, mtcars, type = "class")))
  table <- caret::confusionMatrix(predict(classes, type = "class"), factor(mtcars$am))
  alike(table$overall[["Accuracy"]], mean((probability > .5) == mtcars$am))
  importance <- caret::varImp(fit)
  alike(importance$Overall, abs(coef(fit)[-1]) * c(sd(mtcars$wt), sd(mtcars$hp)))
})

test_that("a method of caret is a list of functions", {
  skip_if_not_installed("caret")
  method <- list(
    library = "transelect", type = "Regression", label = "tlcp", grid = function(x, y, len, search) NULL,
    parameters = data.frame(parameter = "criterion", class = "character", label = "criterion"),
    fit = function(x, y, wts, param, lev, last, classProbs, ...) tlcp(x, y, criterion = param$criterion),
    predict = function(modelFit, newdata, ...) predict(modelFit, newdata), prob = NULL
  )
  set.seed(1)
  trained <- caret::train(mtcars[c("wt", "hp", "qsec")], mtcars$mpg, method = method,
                          tuneGrid = data.frame(criterion = c("AIC", "BIC")),
                          trControl = caret::trainControl(method = "cv", number = 3))
  expect_length(predict(trained, mtcars), 32)
  expect_true(all(trained$results$RMSE < sd(mtcars$mpg)))
})

test_that("tests of lmtest that fit again are those of lm()", {
  skip_if_not_installed("lmtest")
  for (pair in report_pairs()) alike(lmtest::lrtest(pair[[1]]), lmtest::lrtest(pair[[2]]))
  for (pair in report_pairs()) alike(lmtest::waldtest(pair[[1]]), lmtest::waldtest(pair[[2]]))
  expect_error(lmtest::waldtest(tlcp(mpg ~ wt + hp, mtcars)), "a search has chosen", class = "transelect_error_object")
  pair <- report_pairs()[[1]]
  alike(lmtest::waldtest(pair[[1]], . ~ . - hp), lmtest::waldtest(pair[[2]], . ~ . - hp))
  alike(lmtest::bptest(pair[[1]])$p.value, lmtest::bptest(pair[[2]])$p.value)
  alike(lmtest::resettest(pair[[1]])$p.value, lmtest::resettest(pair[[2]])$p.value)
  expect_error(lmtest::lrtest(tlcp(mpg ~ wt + hp, mtcars)), "a search has chosen", class = "transelect_error_object")
})

test_that("the null deviance of every fit of numbers is that about the mean", {
  for (fitter in list(tlcp, greedytl, msplit)) {
    of <- glance(suppressMessages(fitter(mpg ~ wt + hp + qsec, mtcars)))
    alike(of$null.deviance, deviance(lm(mpg ~ 1, mtcars)))
    expect_gt(of$r.squared, .7)
  }
})

test_that("emmeans of fits without standard errors are predictions", {
  skip_if_not_installed("emmeans")
  fits <- list(greedytl(mpg ~ wt + hp, mtcars), tgreedy(mpg ~ wt + hp, mtcars, domain = cyl),
               msplit(mpg ~ wt + hp, mtcars, nu = 5))
  for (fit in fits) {
    got <- as.data.frame(emmeans::emmeans(fit, "wt", at = list(wt = c(2, 3), hp = 100)))
    expect_equal(got$emmean, unname(predict(fit, data.frame(wt = c(2, 3), hp = 100))))
    expect_true(all(is.na(got$SE)))
  }
})

test_that("check_model() says which fits it is for", {
  skip_if_not_installed("performance")
  expect_error(performance::check_model(greedytl(mpg ~ wt + hp, mtcars)), "select = FALSE",
               class = "transelect_error_model")
})

test_that("DALEX knows classes", {
  skip_if_not_installed("DALEX")
  several <- shareboost(Species ~ ., iris, max_steps = 2)
  explained <- DALEX::explain(several, iris[-5], iris$Species, verbose = FALSE)
  expect_identical(explained$model_info$type, "multiclass")
  expect_equal(unname(explained$y_hat), unname(predict(several, iris, type = "prob")))
  set.seed(1)
  two <- cv_path(factor(am) ~ wt + hp, mtcars, nfolds = 4)$fit
  explained <- DALEX::explain(two, mtcars, mtcars$am, verbose = FALSE)
  expect_identical(explained$model_info$type, "classification")
})
