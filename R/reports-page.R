# The page ?reports.

#' Tables, tests and pictures by other packages
#'
#' Which functions of other packages take the fits of this package, and what to do if one does not. Use it to make a
#' table or a test with the package that you know, for example `modelsummary::modelsummary(fit)`; `vignette("reports")`
#' goes from a fit to a table, a figure and a sentence.
#'
#' * **Tables**: `modelsummary::modelsummary()` (of several classes with `shape = term ~ class`), `texreg::screenreg()`
#'   and similar functions, `xtable::xtable()`, `parameters::model_parameters()`, [tidy()][tidy.transfer_path] and
#'   [glance()][tidy.transfer_path], with `exponentiate = TRUE` for odds, rate and hazard ratios. Only [tlcp()] has
#'   standard errors, statistics and limits, see [tidy.tlcp()].
#' * **Tests**: [anova()], [drop1()], [add1()] and [step()] ([nested-models]); `car::Anova()`, `linearHypothesis()`,
#'   `deltaMethod()`; `lmtest::lrtest()`, `waldtest()`, `coeftest()`, `bptest()`; `multcomp::glht()`. If a search has
#'   chosen the columns, tests that are not valid are errors.
#' * **Diagnostics**: [hatvalues()][hatvalues.transfer_path], `influence()`, `dfbetas()`, `rstudent()`, and of car
#'   `influencePlot()`, `residualPlots()`, `avPlots()`, `outlierTest()`, for a [tlcp()] with `select = FALSE` that
#'   borrows nothing.
#' * **Effects and predictions**: `marginaleffects` (slopes, comparisons, predictions, hypotheses), `emmeans` (of
#'   other fits than [tlcp()] the means without standard errors),
#'   `effects`, `ggeffects::ggpredict()` with limits.
#' * **Quality**: `performance` (`r2()`, `check_collinearity()`, `model_performance()`, `check_model()` of a fit that
#'   has leverages), `pROC::roc()` of [fitted()], `Hmisc::somers2()`, `caret::confusionMatrix()` of `predict(fit, type =
#'   "class")`, and [assess()]. `performance::compare_performance()` and `performance_roc()` take only models of a fixed
#'   list: use [compare_paths()], `do.call(rbind, lapply(list(fit1, fit2), performance::model_performance))` and
#'   `performance::performance_roc(y, predictions = fitted(fit))`.
#' * **Explanations**: packages that call [predict()][predict.transfer_path], such as `DALEX`, `iml` and `vip`;
#'   `caret::varImp()` gives absolute standardised coefficients.
#' * **Times**: [survfit()][survfit.transfer_path] and `concordance()`; `cox.zph()` and `basehaz()` of package survival
#'   take `coxph` objects only: fit the chosen columns by `coxph()`.
#' * **Missing values**: `mice::pool()` of fits with `select = FALSE`.
#' * **Training by other packages**: the methods are engines of parsnip ([tidymodels]). caret takes a list of functions,
#'   as in the example. mlr3 has no learner for them: use [cv_path()], [compare_paths()] or parsnip.
#'
#' Functions of this package refuse every argument that they do not use. Methods for generics of other packages take
#' what these generics document, and let pass what a package hands on to any model. What you write yourself and no
#' method uses is an error, such as `vcov(fit, cluster = id)`.
#'
#' @examples
#' fit <- tlcp(am ~ wt + hp, data = mtcars, family = "binomial", select = FALSE)
#' tidy(fit, conf.int = TRUE, exponentiate = TRUE)
#' @examplesIf requireNamespace("caret", quietly = TRUE)
#' # a method of caret
#' method <- list(
#'   library = "transelect", type = "Regression", label = "tlcp",
#'   grid = function(x, y, len, search) NULL,
#'   parameters = data.frame(parameter = "criterion", class = "character", label = "criterion"),
#'   fit = function(x, y, wts, param, lev, last, classProbs, ...) {
#'     tlcp(x, y, criterion = param$criterion)
#'   },
#'   predict = function(modelFit, newdata, ...) predict(modelFit, newdata), prob = NULL
#' )
#' set.seed(1)
#' trained <- caret::train(mtcars[c("wt", "hp", "qsec")], mtcars$mpg, method = method,
#'                         tuneGrid = data.frame(criterion = c("AIC", "BIC")),
#'                         trControl = caret::trainControl(method = "cv", number = 3))
#' trained$results[c("criterion", "RMSE")]
#' @seealso [tidy.transfer_path], [predict.transfer_path], [survfit.transfer_path], [estimates()] for what papers print.
#' @name reports
NULL
