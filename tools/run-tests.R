# Runs tests/testthat on the installed package; `Rscript tools/run-tests.R [FILTER]` from the project root.
# testthat prints its own report. What failed is named again at the end, for a log of which only the end is
# kept; the last line is the count, for people and machines that read one line.
Sys.setenv(NOT_CRAN = "true")
filter <- commandArgs(TRUE)

results <- testthat::test_dir(
  "tests/testthat",
  filter = if (length(filter) && nzchar(filter[[1]])) filter[[1]],
  package = "transelect",
  load_package = "installed",
  reporter = testthat::ProgressReporter$new(
    max_failures = Inf, show_praise = FALSE, update_interval = Inf
  ),
  stop_on_failure = FALSE
)

counts <- as.data.frame(results)
failed <- sum(counts$failed) + sum(counts$error)
skipped <- sum(counts$skipped)
for (test in results) {
  for (found in test$results) {
    if (!inherits(found, c("expectation_failure", "expectation_error"))) next
    cat("\n", test$file, ": ", test$test, "\n", sep = "")
    cat(utils::head(strsplit(conditionMessage(found), "\n", fixed = TRUE)[[1]], 8), sep = "\n")
  }
}
cat("\n", sum(counts$passed), " passed, ", failed, " failed", sep = "")
if (skipped > 0) cat(",", skipped, "skipped")
cat("\n")
quit(status = if (failed > 0) 1 else 0)
