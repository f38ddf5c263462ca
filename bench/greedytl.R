# The benchmark of greedytl(), from the project root:
#   Rscript bench/greedytl.R [bandwidth] [speed] [growth] [memory] [accuracy]     (default: all)
# Each part replaces its section of bench/results/greedytl.md.
source("bench/common.R")
source("bench/bandwidth.R")
source("bench/greedytl-speed.R")
source("bench/greedytl-memory.R")
source("bench/greedytl-data.R")
source("bench/greedytl-accuracy.R")

parts <- list(
  bandwidth = part_bandwidth, speed = part_speed, growth = part_growth, memory = part_memory,
  accuracy = part_accuracy
)
chosen <- commandArgs(TRUE)
if (!length(chosen)) chosen <- names(parts)
unknown <- setdiff(chosen, names(parts))
if (length(unknown)) {
  stop("no part ", unknown[1], "; there are ", paste(names(parts), collapse = ", "), call. = FALSE)
}
suppressPackageStartupMessages(library(transelect))
for (name in chosen) {
  started <- now()
  lines <- parts[[name]]()
  writeLines(lines)
  message(name, ": ", round(now() - started), " s")
  write_results("greedytl", stats::setNames(list(lines), name), names(parts))
}
