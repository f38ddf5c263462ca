# The same cross-validation here, on workers of this machine, and on the nodes of a Slurm cluster.

# tgreedy() that says so when it runs in a job of Slurm.
in_a_job <- function(frame, ...) {
  job <- Sys.getenv("SLURM_JOB_ID")
  if (nzchar(job)) warning("job ", job)
  tgreedy(frame, ...)
}

cluster_runs <- function(parallel) {
  borrowed <- draw_case(1, n = 30, p = 10, s = 3)
  domains <- with_seed(2, simulate_domains(4, n = 15, p = 8, imbalance = .5))
  list(
    drawn = with_seed(3, cv_path(
      borrowed$x, borrowed$factor, sources = borrowed$h, nfolds = 4, max_steps = 4,
      control = greedytl_control(candidates = 3),
      parallel = parallel, keep_predictions = TRUE
    )),
    domains = cv_path(
      domains$x, domains$y, domain = domains$domain, by = "domain", fit = in_a_job,
      parallel = parallel
    )
  )
}

test_that("Slurm, workers and the sequential loop give the same object", {
  skip_on_cran()
  path <- getNamespaceInfo(asNamespace("transelect"), "path")
  skip_if_not(file.exists(file.path(path, "Meta", "package.rds")), "package is not installed")
  skip_if(!is.null(no_slurm_because()), no_slurm_because())

  here <- cluster_runs(FALSE)
  expect_identical(here$domains$folds$fold, paste0("d", 1:4))

  nodes <- parallel::makePSOCKcluster(2)
  on.exit(parallel::stopCluster(nodes), add = TRUE)
  parallel::clusterCall(nodes, function(paths) .libPaths(paths), .libPaths())
  expect_identical(cluster_runs(nodes), here)

  old <- future::plan(future::multisession, workers = 2)
  on.exit(future::plan(old), add = TRUE)
  expect_identical(cluster_runs(TRUE), here)

  slurm <- start_slurm()
  on.exit(stop_slurm(slurm), add = TRUE, after = FALSE)
  old_options <- options(future.cache.path = file.path(slurm, "futures"), future.wait.interval = .2)
  on.exit(options(old_options), add = TRUE)
  future::plan(
    future.batchtools::batchtools_slurm, template = "slurm-simple", workers = 2,
    resources = list(ncpus = 1, memory = 500, walltime = 600)
  )
  said <- character()
  there <- withCallingHandlers(cluster_runs(TRUE), transelect_warning_fold = function(warning) {
    said <<- c(said, conditionMessage(warning))
    invokeRestart("muffleWarning")
  })
  expect_identical(there, here)
  # four folds in two jobs, after the two of the run before
  expect_identical(said, paste0("Fold d", 1:4, ": job ", c(3, 3, 4, 4)))
})
