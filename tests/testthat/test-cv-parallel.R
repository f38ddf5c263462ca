# Workers load the package from the library, so these need an installed copy.
skip_unless_installed <- function() {
  path <- getNamespaceInfo(asNamespace("transelect"), "path")
  skip_if_not(file.exists(file.path(path, "Meta", "package.rds")), "package is not installed")
  skip_on_cran()
}

parallel_runs <- function(parallel) {
  case <- draw_case(1, n = 30, p = 10, s = 3)
  warns <- function(frame, ...) {
    if (length(frame$y) < 30) warning("fold of ", length(frame$y))
    greedytl(frame, ...)
  }
  drawing <- function(x, ...) greedytl(x, lambda = stats::runif(1), ...)
  noisy <- function(x, y) {
    shift <- stats::rnorm(1)
    function(newdata) rep(mean(y) + shift, nrow(newdata))
  }
  drawing_in_folds <- function(x, ...) {
    greedytl(x, lambda = if (length(x$y) < 30) stats::runif(1) else .1, ...)
  }
  # as a user's, which find greedytl() where the package is attached
  environment(drawing) <- environment(drawing_in_folds) <- environment(noisy) <- globalenv()
  fields <- c(
    "cvm", "cvsd", "nzero", "index", "foldid", "fold_loss", "predictions", "average"
  )
  run <- function(...) {
    with_seed(3, cv_path(
      case$x, ..., nfolds = 4, max_steps = 4, parallel = parallel, keep_predictions = TRUE
    ))[fields]
  }
  messages <- character()
  warned <- withCallingHandlers(
    run(case$y, fit = warns),
    warning = function(warning) {
      messages <<- c(messages, conditionMessage(warning))
      invokeRestart("muffleWarning")
    }
  )
  list(
    numbers = run(case$y, sources = case$h), classes = run(case$factor),
    random = run(case$y, control = greedytl_control(candidates = 3)), own = run(case$y, fit = drawing),
    folds = run(case$y, fit = drawing_in_folds), warned = warned, messages = messages,
    compared = lapply(list(drawing, noisy), function(fit) {
      with_seed(3, compare_paths(case$x, case$y, list(random = fit), nfolds = 4, parallel = parallel))
    })
  )
}

# An error on a worker names the fold and keeps its cause.
expect_fold_error <- function(parallel) {
  case <- draw_case(1, n = 30)
  fails <- function(frame, ...) {
    if (length(frame$y) == 24) stop("no convergence")
    greedytl(frame, ...)
  }
  error <- expect_error(
    cv_path(
      case$x, case$y, fit = fails, max_steps = 2, foldid = rep(1:2, c(24, 6)), parallel = parallel
    ),
    "fold 2", class = "transelect_error_fold"
  )
  expect_match(conditionMessage(error$parent), "no convergence")
}

test_that("randomised fits repeat with the seed, and the seeds of folds are drawn before the loop", {
  case <- draw_case(1, n = 30, p = 10)
  run <- function(seed) {
    with_seed(seed, cv_path(case$x, case$y,
                            control = greedytl_control(candidates = 2), max_steps = 4, foldid = rep(1:3, 10)))
  }
  expect_identical(run(1), run(1))
  expect_false(identical(run(1)$cvm, run(2)$cvm))
  after <- with_seed(1, {
    cv_path(case$x, case$y, control = greedytl_control(candidates = 2), max_steps = 4, foldid = rep(1:3, 10))
    runif(1)
  })
  expect_identical(after, with_seed(1, {
    runif(8)
    sample.int(.Machine$integer.max, 3)
    runif(1)
  }))
})

test_that("a cluster gives what the sequential loop gives", {
  skip_unless_installed()
  sequential <- parallel_runs(FALSE)
  expect_length(sequential$messages, 4)

  cluster <- parallel::makePSOCKcluster(2)
  on.exit(parallel::stopCluster(cluster), add = TRUE)
  home <- dirname(getNamespaceInfo(asNamespace("transelect"), "path"))
  if (normalizePath(home) != normalizePath(.Library)) {
    # a function with the tests' environment would take the package along
    forget <- eval(quote(function() .libPaths(character(), include.site = FALSE)), baseenv())
    parallel::clusterCall(cluster, forget)
    expect_error(
      parallel_runs(cluster), "2 nodes of `parallel`, a cluster, cannot load transelect",
      class = "transelect_error_parallel"
    )
  }
  parallel::clusterCall(cluster, function(paths) .libPaths(paths), .libPaths())
  expect_identical(parallel_runs(cluster), sequential)
  expect_fold_error(cluster)
})

test_that("future gives what the sequential loop gives", {
  skip_unless_installed()
  skip_if_not_installed("future.apply")
  old <- future::plan(future::multisession, workers = 2)
  on.exit(future::plan(old))
  expect_identical(parallel_runs(TRUE), parallel_runs(FALSE))
  expect_fold_error(TRUE)
  too_small <- options(future.globals.maxSize = 1)
  on.exit(options(too_small), add = TRUE)
  expect_error(parallel_runs(TRUE), "future.globals.maxSize", class = "transelect_error_parallel")
})

test_that("a generator that no fold uses stays as it was, and moves by one draw of seeds where one does", {
  skip_if_not_installed("future.apply")
  old <- future::plan("sequential")
  on.exit(future::plan(old))
  run <- function(fit, parallel = FALSE) {
    with_seed(2, {
      cvf <- cv_path(mtcars[2:4], mtcars$mpg, fit = fit, foldid = rep(1:4, 8), parallel = parallel)
      list(cvf$cvm, runif(1))
    })
  }
  still <- run(greedytl)
  expect_identical(run(greedytl, TRUE), still)
  expect_identical(still[[2]], with_seed(2, runif(1)))
  once <- function(x, ...) greedytl(x, lambda = if (length(x$y) < 32) runif(1) else 1, ...)
  moved <- run(once)
  expect_identical(run(once, TRUE), moved)
  expect_identical(moved[[2]], with_seed(2, {
    sample.int(.Machine$integer.max, 4)
    runif(1)
  }))
  broken <- function(x, ...) if (length(x$y) < 32) stop("no") else greedytl(x, ...)
  expect_identical(with_seed(2, {
    expect_error(run(broken))
    runif(1)
  }), with_seed(2, runif(1)))
})

test_that("future leaves a session without a seed its kind of random numbers", {
  skip_if_not_installed("future.apply")
  seed <- globalenv()[[".Random.seed"]]
  old <- future::plan("sequential")
  on.exit({
    future::plan(old)
    cv_refit_restore_seed(seed)
  })
  cv_refit_restore_seed(NULL)
  kind <- RNGkind()
  cv_path(mtcars[2:6], mtcars$mpg, fit = tlcp, foldid = rep(1:4, 8), parallel = TRUE)
  expect_identical(RNGkind(), kind)
})

test_that("progress counts the folds", {
  skip_if_not_installed("progressr")
  case <- draw_case(1, n = 30)
  old <- options(progressr.enable = TRUE)
  on.exit(options(old))
  steps <- 0
  withCallingHandlers(
    cv_path(case$x, case$y, max_steps = 2, nfolds = 5),
    progression = function(condition) {
      if (condition$type == "update") steps <<- steps + 1
      invokeRestart("muffleProgression")
    }
  )
  expect_identical(steps, 5)
})
