# Judges the log of R CMD check: `Rscript tools/check-result.R 00check.log`.
# Every error, warning and note counts, but for the note that a package is new to CRAN.
log <- commandArgs(TRUE)[[1]]
found <- tools::check_packages_in_dir_details(logs = log, drop_ok = TRUE)

is_new_submission <- function(check, output) {
  lines <- trimws(strsplit(output, "\n", fixed = TRUE)[[1]])
  told <- lines[nzchar(lines) & !startsWith(lines, "Maintainer:")]
  check == "CRAN incoming feasibility" && identical(told, "New submission")
}
new <- as.logical(Map(is_new_submission, found$Check, found$Output))
found <- found[!new & found$Status != "Note_to_CRAN_maintainers", ]

complete <- any(startsWith(readLines(log, warn = FALSE), "Status:"))
if (!complete) cat("check: R CMD check did not come to its end\n")
for (i in seq_len(nrow(found))) {
  cat("check: ", found$Status[[i]], " in ", found$Check[[i]], "\n", sep = "")
}
clean <- complete && nrow(found) == 0
if (clean) cat("check: no error, no warning, no note", if (any(new)) " but New submission", "\n", sep = "")
quit(status = if (clean) 0 else 1)
