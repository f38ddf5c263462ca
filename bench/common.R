# What the benchmarks share: timing, memory, tables and the file of results. Only definitions, for which the package
# is attached: lists of settings call its functions.
if (requireNamespace("transelect", quietly = TRUE)) suppressPackageStartupMessages(library(transelect))

# ---- time -------------------------------------------------------------------------------------

# Wall time in seconds of a call without arguments, best and median of as many runs as fit in
# `budget` seconds, at least `least`. The first run is not counted.
timed <- function(f, budget = 1.5, least = 3, most = 2000) {
  f()
  gc(FALSE)
  times <- numeric()
  start <- now()
  while (length(times) < least || (now() - start < budget && length(times) < most)) {
    before <- now()
    f()
    times <- c(times, now() - before)
  }
  c(best = min(times), median = stats::median(times), runs = length(times))
}

now <- function() as.numeric(Sys.time())

# Processor seconds of this process so far, and of those that it started and that have ended.
worked <- function() sum(proc.time()[-3], na.rm = TRUE)

# Processor seconds of one call of each function in `ways`, the least of `turns`; they are called in turns.
in_turns <- function(ways, turns = 15) {
  spent <- replicate(turns, vapply(ways, function(way) {
    before <- worked()
    way()
    worked() - before
  }, 0))
  apply(spent, 1, min)
}

# A line of the report where other processes run at the same time, which makes median times longer.
busy_line <- function() {
  if (!file.exists("/proc/loadavg")) return(NULL)
  load <- as.numeric(strsplit(readLines("/proc/loadavg"), " ")[[1]][1])
  processors <- parallel::detectCores()
  if (is.na(processors) || load <= processors) return(NULL)
  sprintf("(Other processes ran, too: load average %.1f on %d processors. Trust the best times.)",
          load, processors)
}

with_threads <- function(threads, f) {
  function() {
    old <- options(transelect.threads = threads)
    on.exit(options(old))
    f()
  }
}

# Slope of log time on log size.
log_slope <- function(size, seconds) unname(stats::coef(stats::lm(log(seconds) ~ log(size)))[2])

# ---- memory -----------------------------------------------------------------------------------

# Runs R code in a fresh process; returns the last line that it prints, as numbers. Large blocks go
# back to the system as soon as they are freed.
fresh_numbers <- function(code) {
  file <- tempfile(fileext = ".R")
  on.exit(unlink(file))
  writeLines(code, file)
  out <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", file), stdout = TRUE,
                 env = paste0("MALLOC_", c("MMAP_THRESHOLD_=65536", "TRIM_THRESHOLD_=65536",
                                           "TOP_PAD_=0")))
  as.numeric(strsplit(utils::tail(out, 1), " ")[[1]])
}

# Lines of code that put MB of resident memory that `expr` needs beyond what is there before into
# `peak`. The kernel's high-water mark can be set back to the present on Linux. The ballast fills
# what the process has free but not given back: else `expr` lives in that and seems to need little.
peak_code <- function(expr) {
  c(
    "status <- function(key) {",
    "  line <- grep(key, readLines('/proc/self/status'), value = TRUE)",
    "  as.numeric(gsub('[^0-9]', '', line)) * 1024 / 1e6",
    "}",
    "invisible(gc())",
    "ballast <- lapply(rep(c(1e5, 1e4, 1e3, 100), c(50, 500, 5000, 20000)), numeric)",
    "invisible(gc())",
    "cat('5', file = '/proc/self/clear_refs')",
    "before <- status('VmRSS')",
    expr,
    "peak <- status('VmHWM') - before"
  )
}

can_measure_memory <- function() file.access("/proc/self/clear_refs", 2) == 0

# ---- tables -----------------------------------------------------------------------------------

markdown_table <- function(rows) {
  cells <- vapply(rows, function(column) {
    if (is.numeric(column)) format_number(column) else as.character(column)
  }, character(nrow(rows)))
  cells <- matrix(cells, nrow(rows))
  line <- function(x) paste0("| ", paste(x, collapse = " | "), " |")
  align <- ifelse(vapply(rows, is.numeric, NA), "---:", "---")
  c(line(names(rows)), line(align), apply(cells, 1, line))
}

# Three digits, without exponents; nothing where there is no number.
format_number <- function(x) {
  text <- formatC(signif(x, 3), format = "fg", digits = 3, big.mark = "")
  ifelse(is.na(x), "", trimws(text))
}

# ---- the file of results ----------------------------------------------------------------------

# A part: the command that makes it, a text, and tables, under a heading.
section <- function(script, part, title, ...) {
  c(paste0("### ", title), "", paste0("    Rscript bench/", script, ".R ", part), "", ..., "")
}

# bench/RESULTS.md holds the sections of all scripts, one a noun; each part of a script replaces its
# own lines there and leaves the others as they are.
RESULTS <- "bench/RESULTS.md"

# One part's lines, and the processor seconds that it took; order: the names of all parts of the script, in the
# order of the file. Parts may run at the same time: one writes after the other.
write_results <- function(noun, name, lines, seconds, order) {
  locked(RESULTS, {
    sections <- read_sections(if (file.exists(RESULTS)) readLines(RESULTS) else character())
    kept <- read_parts(sections[[noun]])
    kept[[name]] <- c(sprintf("<!-- part: %s, %.0f s -->", name, seconds), lines)
    sections[[noun]] <- unlist(kept[intersect(order, names(kept))], use.names = FALSE)
    sections <- sections[sort(names(sections))]
    titled <- Map(function(noun, lines) c("", paste0("## ", noun), "", lines), names(sections),
                  sections)
    writeLines(c(results_header(), trim_blank(unlist(titled, use.names = FALSE))), RESULTS)
  })
  message("wrote ", noun, " in ", RESULTS)
}

# A folder can be made by one process alone; it is the lock of the file.
locked <- function(file, expr) {
  lock <- paste0(file, ".lock")
  until <- now() + 60
  while (!dir.create(lock, showWarnings = FALSE)) {
    if (now() > until) stop(lock, " is in the way: remove it if no benchmark runs.", call. = FALSE)
    Sys.sleep(.1)
  }
  on.exit(unlink(lock, recursive = TRUE))
  expr
}

results_header <- function() {
  c("# Measurements", "",
    "Each part of `make bench` replaces its own section; the command that made it stands above it.",
    paste0("Times are of one machine: ", paste(this_machine(), collapse = ", "), "."))
}

this_machine <- function() {
  cpu <- if (file.exists("/proc/cpuinfo")) {
    grep("^model name", readLines("/proc/cpuinfo"), value = TRUE)[1]
  }
  c(
    R.version.string, R.version$platform,
    paste("BLAS", basename(extSoftVersion()[["BLAS"]])),
    if (length(cpu)) trimws(sub(".*:", "", cpu)),
    paste(parallel::detectCores(), "processors")
  )
}

# The lines of each noun, without its title.
read_sections <- function(lines) {
  starts <- grep("^## ", lines)
  ends <- c(starts[-1] - 1, length(lines))
  sections <- Map(function(from, to) trim_blank(lines[from + seq_len(to - from)]), starts, ends)
  stats::setNames(sections, sub("^## ", "", lines[starts]))
}

# Runs of blank lines become one.
trim_blank <- function(lines) {
  blank <- !nzchar(lines)
  lines[!(blank & c(FALSE, blank[-length(blank)]))]
}

# The lines of each part, with the mark above them, by name.
read_parts <- function(lines) {
  starts <- grep(part_mark, lines)
  ends <- c(starts[-1] - 1, length(lines))
  parts <- Map(function(from, to) lines[seq(from, to)], starts, ends)
  stats::setNames(parts, sub(part_mark, "\\1", lines[starts]))
}

part_mark <- "^<!-- part: ([a-z0-9_]+)(, ([0-9]+) s)? -->$"

# ---- data -------------------------------------------------------------------------------------

data_folder <- function() Sys.getenv("TRANSELECT_DATA", "../shared/data")

installed <- function(package) requireNamespace(package, quietly = TRUE)

# Runs the parts named on the command line (all without), each a function that returns its lines;
# each replaces its section of bench/RESULTS.md. `alone`: parts that measure time or read what the
# others wrote; bench/all.R runs them one by one after all others. With "--parts" the script says
# what it has.
run_parts <- function(noun, parts, alone = character(), chosen = commandArgs(TRUE)) {
  if (identical(chosen, "--parts")) {
    return(writeLines(paste(names(parts), ifelse(names(parts) %in% alone, "alone", "together"))))
  }
  if (!length(chosen)) chosen <- names(parts)
  unknown <- setdiff(chosen, names(parts))
  if (length(unknown)) {
    stop("no part ", unknown[1], "; there are ", paste(names(parts), collapse = ", "),
         call. = FALSE)
  }
  suppressPackageStartupMessages(library(transelect))
  for (name in chosen) {
    before <- worked()
    lines <- parts[[name]]()
    writeLines(lines)
    seconds <- worked() - before
    message(name, ": ", round(seconds), " s")
    write_results(noun, name, lines, seconds, names(parts))
  }
}
