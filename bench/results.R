# Puts bench/RESULTS.md together: `Rscript bench/results.R` from the project root, after the other
# scripts here, each of which leaves its section in bench/results/<noun>.md.
sections <- sort(list.files("bench/results", pattern = "[.]md$", full.names = TRUE))
cpu <- if (file.exists("/proc/cpuinfo")) {
  grep("^model name", readLines("/proc/cpuinfo"), value = TRUE)[1]
}
machine <- c(
  R.version.string, R.version$platform,
  paste("BLAS", basename(extSoftVersion()[["BLAS"]])),
  if (length(cpu)) trimws(sub(".*:", "", cpu)),
  paste(parallel::detectCores(), "processors")
)
header <- c(
  "# Measurements", "",
  "Made by `make bench`; each section names its script. Times are of one machine:",
  paste0(paste(machine, collapse = ", "), ".")
)
body <- lapply(sections, function(section) c("", readLines(section)))
writeLines(c(header, unlist(body)), "bench/RESULTS.md")
message("bench/RESULTS.md: ", length(sections), " sections")
