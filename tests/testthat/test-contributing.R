# The skeletons of CONTRIBUTING.md run as they are printed there.

# Their lines, by the file that the first line of each names.
skeletons <- function() {
  page <- test_path("..", "..", "CONTRIBUTING.md")
  skip_if_not(file.exists(page), "CONTRIBUTING.md is not in the tarball")
  lines <- readLines(page)
  fence <- grepl("^```", lines)
  block <- cumsum(fence)
  blocks <- split(lines[block %% 2 == 1 & !fence], block[block %% 2 == 1 & !fence])
  heads <- vapply(blocks, `[[`, "", 1)
  stats::setNames(blocks, regmatches(heads, regexpr("R/[a-z-]+[.]R", heads)))
}

test_that("a method and a verb made of the skeletons have everything that paths have", {
  code <- parse(text = unlist(skeletons()))
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
    expect_error(largest(moments(mpg ~ wt, mtcars)), "rows themselves", class = "transelect_error_x")
    expect_equal(glance(fit)$r.squared, summary(lm_fit)$r.squared)
    expect_output(print(summary(fit)), "standardised")
    expect_equal(sparsity(fit, step = 1), c(y = .9))
    cvf <- cv_path(mpg ~ ., mtcars, fit = largest, max_steps = 3, foldid = rep(1:4, 8))
    expect_lt(min(cvf$cvm), cvf$cvm[1])
    expect_equal(sparsity(cvf, step = "min"), sparsity(cvf$fit, step = cvf$points$step[cvf$index[["min"]]]))
  }, envir = new.env(parent = home, size = 10L))
})

test_that("tools/names.R takes the files of the skeletons, once their floor is named", {
  skip_on_os("windows")
  root <- normalizePath(test_path("..", ".."))
  added <- skeletons()
  expect_setequal(names(added), c("R/largest.R", "R/path-sparsity.R", "R/cv-verbs.R"))
  tree <- tempfile("tree")
  dir.create(tree)
  on.exit(unlink(tree, recursive = TRUE))
  file.copy(file.path(root, c("R", "NAMESPACE", "CONTRIBUTING.md")), tree, recursive = TRUE)
  linked <- c("src", "tests", "bench", "tools")
  file.symlink(file.path(root, linked), file.path(tree, linked))
  for (file in names(added)) cat(added[[file]], sep = "\n", file = file.path(tree, file), append = TRUE)
  exports <- c("export(largest)", "export(sparsity)") # as make document writes them
  cat(exports, sep = "\n", file = file.path(tree, "NAMESPACE"), append = TRUE)
  run <- function() {
    here <- setwd(tree)
    on.exit(setwd(here))
    suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), "tools/names.R", stdout = TRUE, stderr = TRUE))
  }
  expect_match(paste(run(), collapse = " "), "On no floor.*largest[.]R")
  page <- readLines(file.path(tree, "CONTRIBUTING.md"))
  writeLines(sub("^(\\| 6 \\| )", "\\1`largest*.R`, ", page), file.path(tree, "CONTRIBUTING.md"))
  expect_null(attr(run(), "status"))
})
