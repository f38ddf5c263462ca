# The skeletons of CONTRIBUTING.md run as they are printed there.

test_that("a method and a verb made of the skeletons have everything that paths have", {
  page <- test_path("..", "..", "CONTRIBUTING.md")
  skip_if_not(file.exists(page), "CONTRIBUTING.md is not in the tarball")
  lines <- readLines(page)
  inside <- cumsum(grepl("^```", lines)) %% 2 == 1
  code <- parse(text = lines[inside & !grepl("^```", lines)])
  package <- environment(arguments_methods_frame_method)
  home <- new.env(parent = package)
  for (expression in code) eval(expression, home)

  # the functions stand in the namespace of a package that has their files
  methods <- package[[".__S3MethodsTable__."]]
  added <- grep("[.]transfer_|[.]default$|[.]formula$", ls(home), value = TRUE)
  of_frames <- arguments_methods_frame_method
  bind <- function(value) {
    unlockBinding("arguments_methods_frame_method", package)
    assign("arguments_methods_frame_method", value, package)
    lockBinding("arguments_methods_frame_method", package)
  }
  on.exit({
    bind(of_frames)
    rm(list = added, envir = methods)
  })
  for (name in added) assign(name, home[[name]], methods)
  bind(function(fitter) get0(paste0(fitter, ".transfer_frame"), home, inherits = FALSE) %||% of_frames(fitter))

  local({
    w <- rep(1:2, 16)
    fit <- largest(mpg ~ ., mtcars, weights = w, max_steps = 2)
    lm_fit <- lm(mpg ~ wt + cyl, mtcars, weights = w)
    expect_setequal(fit$selected %||% fit$steps$entered[-1], c("wt", "cyl"))
    expect_equal(coef(fit)[c("(Intercept)", "wt", "cyl")], coef(lm_fit), ignore_attr = TRUE)
    expect_equal(c(logLik(fit)), c(logLik(lm_fit)))
    expect_equal(unname(predict(fit, mtcars[1:3, ])), unname(predict(lm_fit, mtcars[1:3, ])))
    expect_equal(largest(as.matrix(mtcars[-1]), mtcars$mpg, weights = w, max_steps = 2)$a0, fit$a0)
    expect_error(largest(mpg ~ ., mtcars, max_step = 2), class = "transelect_error_argument")
    expect_error(largest(mtcars[-1], factor(mtcars$am)), class = "transelect_error_y")
    expect_output(print(summary(fit)), "standardised")
    expect_equal(sparsity(fit, step = 1), c(y = .9))
    cvf <- cv_path(mpg ~ ., mtcars, fit = largest, max_steps = 3, foldid = rep(1:4, 8))
    expect_lt(min(cvf$cvm), cvf$cvm[1])
    expect_equal(sparsity(cvf, step = "min"), sparsity(cvf$fit, step = cvf$points$step[cvf$index[["min"]]]))
  }, envir = new.env(parent = home, size = 10L))
})
