# All benchmarks, from the project root:
#   Rscript bench/all.R [scripts, as tlcp msplit (default: all)]
# Every part is a process of its own, `Rscript bench/<script>.R <part>`. Parts run at the same time, one a
# processor (BENCH_JOBS: so many), the longest first by the processor seconds in bench/RESULTS.md; then, one by one,
# those that measure time or read what the others wrote. What a part prints is in bench/results/log/.
source("bench/common.R")

scripts_here <- function() {
  files <- list.files("bench", pattern = "[.]R$", full.names = TRUE)
  runs <- vapply(files, function(file) any(grepl("^run_parts\\(", readLines(file))), NA)
  sub("[.]R$", "", basename(files[runs]))
}

# script, part, alone
parts_of <- function(script) {
  lines <- system2("Rscript", c(paste0("bench/", script, ".R"), "--parts"), stdout = TRUE)
  fields <- strsplit(grep("^[a-z0-9_]+ (alone|together)$", lines, value = TRUE), " ")
  data.frame(script = rep(script, length(fields)), part = vapply(fields, `[`, "", 1),
             alone = vapply(fields, `[`, "", 2) == "alone")
}

# Processor seconds of each part's last run; one that never ran is taken for long.
last_seconds <- function(parts) {
  sections <- if (file.exists(RESULTS)) read_sections(readLines(RESULTS))
  mapply(function(script, part) {
    mark <- grep(part_mark, sections[[script]], value = TRUE)
    mark <- mark[sub(part_mark, "\\1", mark) == part]
    seconds <- if (length(mark)) as.numeric(sub(part_mark, "\\3", mark)) else NA
    if (is.na(seconds)) Inf else seconds
  }, parts$script, parts$part)
}

run_one <- function(script, part) {
  log <- file.path(logs, paste0(script, "-", part, ".txt"))
  started <- now()
  status <- system2("Rscript", c(paste0("bench/", script, ".R"), part), stdout = log, stderr = log)
  message(sprintf("%s %s: %s, %.0f s", script, part, if (status) "FAILED" else "done", now() - started))
  status == 0
}

logs <- "bench/results/log"
dir.create(logs, recursive = TRUE, showWarnings = FALSE)
chosen <- commandArgs(TRUE)
unknown <- setdiff(chosen, scripts_here())
if (length(unknown)) {
  stop("no script ", unknown[1], "; there are ", toString(scripts_here()), call. = FALSE)
}
parts <- do.call(rbind, lapply(if (length(chosen)) chosen else scripts_here(), parts_of))
parts$seconds <- last_seconds(parts)
parts <- parts[order(-parts$seconds), ]
jobs <- as.integer(Sys.getenv("BENCH_JOBS", max(1L, parallel::detectCores(), na.rm = TRUE)))
if (.Platform$OS.type == "windows") jobs <- 1L

together <- parts[!parts$alone, ]
alone <- parts[parts$alone, ]
known <- function(seconds) sum(seconds[is.finite(seconds)])
message(nrow(together), " parts, ", jobs, " at a time, then ", nrow(alone), " one by one; ",
        round(known(together$seconds) / jobs / 60 + known(alone$seconds) / 60), " minutes, and ",
        sum(is.infinite(parts$seconds)), " parts that have no time yet")
good <- c(
  unlist(parallel::mcmapply(run_one, together$script, together$part, mc.cores = jobs,
                            mc.preschedule = FALSE)),
  unlist(mapply(run_one, alone$script, alone$part))
)
if (!all(good)) stop(sum(!good), " parts failed: see ", logs, call. = FALSE)
