test_that("coef, predict, nobs and the tables go by the chosen step", {
  case <- cv_case()
  cvf <- cv_path(case$x, case$y, max_steps = 5, foldid = case$foldid)
  expect_equal(coef(cvf), coef(cvf$fit, step = cvf$step.1se))
  expect_equal(coef(cvf, step = "min"), coef(cvf$fit, step = cvf$step.min))
  expect_equal(coef(cvf, step = 2), coef(cvf$fit, step = 2))
  expect_equal(predict(cvf, case$new$x), predict(cvf$fit, case$new$x, step = cvf$step.1se))
  expect_equal(
    predict(cvf, case$new$x, step = "average"), predict(cvf$fit, case$new$x, step = "average")
  )
  expect_identical(coef(cvf, step = "best"), coef(cvf, step = "min"))
  expect_identical(coef(cvf, step = "default"), coef(cvf))
  expect_error(coef(cvf, step = "last"), "last.*1se", class = "transelect_error_step")
  expect_error(coef(cvf, step = "min", lambda = 1), "lambda", class = "transelect_error_lambda")
  expect_identical(nobs(cvf), 36L)
  table <- generics::tidy(cvf)
  expect_identical(
    names(table),
    c("step", "lambda", "estimate", "std.error", "std.error.corrected", "std.error.within", "conf.low", "conf.high",
      "nzero")
  )
  expect_identical(table$estimate, cvf$cvm)
  row <- generics::glance(cvf)
  expect_identical(nrow(row), 1L)
  expect_identical(row$step.1se, cvf$step.1se)
  expect_identical(row$estimate.average, cvf$average$cvm)
})

test_that("print and summary fit on a screen and say what was chosen", {
  case <- cv_case()
  cvf <- cv_path(case$x, case$three, max_steps = 5, foldid = case$foldid)
  lines <- capture.output(shown <- print(cvf))
  expect_identical(shown, cvf)
  expect_lte(length(lines), 10)
  within <- signif(cvf$cvwithin[[cvf$index[["min"]]]], 3)
  expect_match(paste(lines, collapse = " "), paste("within", within, "of the best"), fixed = TRUE)
  expect_match(lines[1], "greedytl: 4 folds, 36 rows")
  expect_match(lines[2], "misclassification error \\(smaller is better\\)")
  expect_true(any(grepl("1se", lines)) && any(grepl("average", lines)))
  expect_lte(length(capture.output(print(summary(cvf)))), 26)
  # the average may have columns of several paths
  wide <- cv_path(case$x, case$y, foldid = case$foldid, max_steps = 3)
  expect_equal(summary(wide)$choices$columns[3], generics::glance(wide$fit)$size)
  expect_identical(
    summary(cvf)$columns,
    rownames(cvf$fit$beta[[1]])[Reduce(`|`, lapply(cvf$fit$beta, function(b) {
      b[, cvf$index[["1se"]]] != 0
    }))]
  )
})

test_that("the plot shows mean, standard error, choices, average and columns", {
  case <- cv_case()
  cvf <- cv_path(case$x, case$y, max_steps = 5, foldid = case$foldid)
  picture <- picture_of(plot(cvf))
  expect_equal(described_marks(picture, "line")$y, cvf$cvm, ignore_attr = TRUE)
  expect_equal(described_marks(picture, "segment")$yend, cvf$cvm + cvf$cvwithin, ignore_attr = TRUE)
  rules <- described_marks(picture, "rule")
  expect_setequal(rules$at[rules$side == "x"], c(cvf$step.min, cvf$step.1se))
  expect_equal(rules$at[rules$side == "y"], cvf$average$cvm)
  columns <- picture$panels[[1]]$x$second
  expect_equal(columns$labels, columns$at)
  several <- cv_path(
    case$x, case$y, rule = "paper", lambda = c(0.1, 1), max_steps = 3, foldid = case$foldid
  )
  expect_identical(picture_of(plot(several))$panels[[1]]$ends$label, c("lambda 0.1", "lambda 1"))

  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  before <- graphics::par(no.readonly = TRUE)
  expect_identical(expect_invisible(plot(cvf)), cvf)
  expect_no_error(plot(several, main = "two", col = c("red", "blue"), pch = 1, xlab = "k"))
  after <- graphics::par(no.readonly = TRUE)
  expect_identical(after[c("mar", "mgp", "las")], before[c("mar", "mgp", "las")])
  expect_error(plot(cvf, colour = 1), "colour", class = "transelect_error_dots")
})

test_that("a first step far from the others is written at the edge of the picture, and shown within ylim", {
  case <- cv_case()
  cvf <- cv_path(case$x, case$y, max_steps = 5, foldid = case$foldid)
  shown <- function(first, ...) {
    cvf$cvm[] <- c(first, 1.2, 1, .9, 1, 1.1)
    cvf$cvwithin[] <- .05
    picture_of(plot(cvf, ...))
  }
  far <- shown(9.17)
  expect_equal(described_marks(far, "line")$x, 1:5)
  expect_lt(far$panels[[1]]$y$limits[2], 2)
  words <- Filter(function(layer) layer$kind == "text", far$panels[[1]]$layers)
  words <- words[[length(words)]]$data
  expect_identical(trimws(words$label), "9.17")
  expect_equal(words$x, 0)
  for (all in list(shown(1.5), shown(9.17, ylim = c(0, 10)), shown(9.17, log = "y"))) {
    expect_equal(described_marks(all, "line")$x, 0:5)
  }
})

test_that("autoplot has the same layers", {
  skip_if_not_installed("ggplot2")
  case <- cv_case()
  cvf <- cv_path(case$x, case$y, max_steps = 5, foldid = case$foldid)
  picture <- ggplot2::autoplot(cvf)
  expect_s3_class(picture, "ggplot")
  points <- gg_marks(picture, "GeomPoint")
  expect_equal(points$y[!is.na(points$y)], cvf$cvm)
  expect_equal(gg_marks(picture, "GeomSegment")$yend[seq_along(cvf$cvm)], cvf$cvm + cvf$cvwithin)
  expect_setequal(gg_marks(picture, "GeomVline")$xintercept, c(cvf$step.min, cvf$step.1se))
  expect_equal(unique(gg_marks(picture, "GeomHline")$yintercept), cvf$average$cvm)
})

test_that("logLik(), AIC(), BIC(), family() and formula() are those of the fit at the step chosen", {
  cvf <- cv_path(mpg ~ ., data = mtcars, nfolds = 4)
  for (choice in c("1se", "min")) {
    step <- cvf[[paste0("step.", choice)]]
    expect_equal(logLik(cvf, step = choice), logLik(cvf$fit, step = step))
  }
  expect_equal(logLik(cvf, step = "average"), logLik(cvf$fit, step = "average"))
  expect_equal(AIC(cvf), AIC(cvf$fit, step = cvf$step.1se))
  expect_equal(BIC(cvf), BIC(cvf$fit, step = cvf$step.1se))
  expect_equal(family(cvf), family(cvf$fit))
  expect_equal(formula(cvf), formula(cvf$fit))
})

test_that("update() of a cross-validation without names for its data says which to give again", {
  x <- as.matrix(mtcars[2:5])
  cvf <- with_seed(1, do.call(cv_path, list(x, mtcars$mpg, nfolds = 4)))
  expect_error(update(cvf, nfolds = 3), "`x` and `y`", class = "transelect_error_object")
  expect_identical(nrow(update(cvf, x = x, y = mtcars$mpg, nfolds = 3)$folds), 3L)
})

test_that("of many curves the chosen one alone has standard errors", {
  bars <- function(nu) {
    cvf <- cv_path(mpg ~ wt + hp + qsec, mtcars, fit = msplit, foldid = rep_len(1:4, 32), nu = nu)
    length(unique(described_marks(picture_of(plot(cvf)), "segment")$group))
  }
  expect_identical(bars(c(1, 3, 10)), 3L)
  expect_identical(bars(10^(-2:2)), 1L)
})

test_that("AIC() and BIC() of a cross-validation take its steps", {
  cvf <- cv_path(mpg ~ wt + hp, mtcars, fit = tlcp, foldid = rep_len(1:4, 32))
  expect_equal(AIC(cvf, step = 2), AIC(cvf$fit, step = 2))
  expect_equal(BIC(cvf, step = "min"), BIC(cvf$fit, step = cvf$step.min))
})

test_that("every verb of a path is one of a cross-validation, at the step chosen", {
  cvf <- cv_path(mpg ~ ., mtcars, rule = "paper", lambda = c(.01, .1), foldid = rep_len(1:4, 32))
  fit <- cvf$fit
  rows <- mtcars[3:7, ]
  table <- generics::augment(cvf, rows)
  expect_identical(table[names(rows)], rows)
  expect_equal(table$.fitted, unname(predict(cvf, rows)))
  expect_equal(table$.resid, rows$mpg - table$.fitted)
  expect_identical(table, generics::augment(fit, rows, step = cvf$step.1se, lambda = cvf$lambda))
  expect_equal(generics::augment(cvf, rows, step = "min")$.fitted, unname(predict(cvf, rows, step = "min")))
  expect_equal(generics::augment(cvf)$.fitted, generics::augment(cvf, mtcars)$.fitted)
  for (verb in list(deviance, df.residual, sigma, logLik, variable.names)) {
    expect_identical(verb(cvf), verb(fit, step = cvf$step.1se, lambda = cvf$lambda))
    expect_identical(verb(cvf, step = "min"), verb(fit, step = cvf$step.min, lambda = cvf$lambda))
  }
  expect_identical(terms(cvf), terms(fit))
  expect_identical(model.matrix(cvf, rows), model.matrix(fit, rows))
  expect_equal(model.frame(cvf), model.frame(cvf$fit))
  expect_error(deviance(cvf, s = "min"), "step", class = "transelect_error_argument")
  classes <- generics::augment(cv_path(am ~ ., transform(mtcars, am = factor(am)), foldid = rep_len(1:4, 32)), mtcars)
  own <- cv_path(mpg ~ wt + hp, mtcars, foldid = rep_len(1:4, 32))
  expect_equal(generics::augment(own, rows, step = "average")$.fitted, unname(predict(own, rows, step = "average")))
  expect_error(generics::augment(own, rows["hp"]), "lacks.*wt", class = "transelect_error_newdata")
  expect_true(all(c(".pred_class", ".prob_1") %in% names(classes)))
})

test_that("no verb of paths is missing from cross-validations", {
  of <- function(class) sub("\\..*", "", grep(paste0("[.]", class, "$"), ls(asNamespace("transelect")), value = TRUE))
  table <- c("as", "describe_path", "path_model", "path_worth", "refit", "path_predict_row_domains",
             "path_predict_covariance", "path_predict_conformal", "path_print_data_line",
             "arguments_methods_rows_apart", "estimates_model_coding", "whole_needed", "path_verbs_row_residuals",
             # other packages' generics: of the fit, cvf$fit
             "concordance", "get_loglikelihood", "get_parameters", "get_predicted", "model_parameters",
             "model_get_coefficients_type", "model_performance", "r2", "varImp", "yhat", "check_model", "emm_basis",
             "recover_data",
             # diagnostics of package car
             "avPlot", "avPlots", "ceresPlots", "crPlot", "crPlots", "dfbetaPlots", "dfbetasPlots", "durbinWatsonTest",
             "infIndexPlot", "influenceIndexPlot", "influencePlot", "leveragePlot", "ncvTest", "outlierTest", "qqPlot",
             "residualPlot", "residualPlots", "spreadLevelPlot",
             "xtable") # as.data.frame() of a path is its table of steps
  expect_identical(setdiff(of("transfer_path"), c(of("transfer_cv"), table)), character())
})

test_that("standard errors are also corrected for training rows that folds share", {
  set.seed(1)
  cv <- cv_path(mpg ~ wt + hp + qsec, data = mtcars, fit = greedytl, nfolds = 5)
  table <- tidy(cv)
  spread <- apply(cv$fold_loss, 2, function(loss) {
    w <- cv$folds$weight / sum(cv$folds$weight)
    sum(w * (loss - sum(w * loss))^2) * 5 / 4
  })
  expect_equal(table$std.error.corrected, unname(sqrt(spread * (1 / 5 + 1 / 4))))
  expect_output(print(cv), "since folds share training rows")
  both <- compare_paths(mpg ~ wt + hp + qsec, data = mtcars, nfolds = 5, baselines = FALSE,
                        fits = list(a = greedytl, b = function(x, ...) tlcp(x, ...)))
  expect_equal(tidy(both)$difference.std.error.corrected, tidy(both)$difference.std.error * sqrt(1 + 5 / 4))
})

test_that("tidy() and glance() of a cross-validation have the model of a step where one is named", {
  set.seed(4)
  cvf <- cv_path(mpg ~ wt + hp + qsec + drat, mtcars, nfolds = 4)
  expect_identical(tidy(cvf, step = "min"), tidy(cvf$fit, step = cvf$step.min))
  expect_identical(tidy(cvf, step = "default"), tidy(cvf$fit, step = cvf$step.default))
  expect_identical(tidy(cvf, step = "all"), tidy(cvf$fit, step = "all"))
  expect_identical(glance(cvf, step = "best"), glance(cvf$fit, step = cvf$step.min))
  expect_error(tidy(cvf, step = "last"), class = "transelect_error_step")
})
