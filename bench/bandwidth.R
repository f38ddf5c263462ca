# How fast this machine reads memory, with which timings are compared. Only definitions.

sum_program <- "
#include <Rinternals.h>
#ifdef _OPENMP
#include <omp.h>
#endif
/* The sum of x, `times` over, by `threads` threads. */
SEXP sum_array(SEXP x, SEXP times, SEXP threads)
{
  const double *p = REAL(x);
  const ptrdiff_t blocks = (ptrdiff_t)XLENGTH(x) / 64;
  double total = 0;
#ifdef _OPENMP
#pragma omp parallel num_threads(Rf_asInteger(threads)) reduction(+ : total)
#endif
  for (int r = 0; r < Rf_asInteger(times); r++) {
    double s[64] = {0};
#ifdef _OPENMP
#pragma omp for schedule(static) nowait
#endif
    for (ptrdiff_t b = 0; b < blocks; b++)
      for (int l = 0; l < 64; l++) s[l] += p[64 * b + l];
    for (int l = 0; l < 64; l++) total += s[l];
  }
  return Rf_ScalarReal(total);
}
"

# Compiles the program in a temporary folder and loads it; once an R process.
load_sum_program <- function() {
  if (is.loaded("sum_array")) return(invisible())
  folder <- tempfile("bandwidth")
  dir.create(folder)
  writeLines(sum_program, file.path(folder, "sum.c"))
  writeLines(c("PKG_CFLAGS = -O3 -march=native $(SHLIB_OPENMP_CFLAGS)",
               "PKG_LIBS = $(SHLIB_OPENMP_CFLAGS)"), file.path(folder, "Makevars"))
  old <- setwd(folder)
  on.exit(setwd(old))
  out <- system2(file.path(R.home("bin"), "R"), c("CMD", "SHLIB", "sum.c"), stdout = TRUE,
                 stderr = TRUE)
  built <- paste0("sum", .Platform$dynlib.ext)
  if (!file.exists(built)) stop(paste(out, collapse = "\n"))
  dyn.load(file.path(folder, built))
}

# GB/s of reading an array of so many MB, the best of many times.
read_bandwidth <- function(megabytes, threads = 1L, budget = 1) {
  load_sum_program()
  x <- rep(1, 64 * floor(megabytes * 1e6 / 8 / 64))
  times <- as.integer(max(1, floor(4e8 / (8 * length(x)))))
  sum_once <- function() .Call("sum_array", x, times, as.integer(threads))
  stopifnot(sum_once() == length(x) * times)
  8 * length(x) * times / timed(sum_once, budget)[["best"]] / 1e9
}

part_bandwidth <- function() {
  sizes <- c(400, 40, 4, .5)
  speeds <- vapply(1:2, function(threads) {
    vapply(sizes, read_bandwidth, 0, threads = threads)
  }, numeric(length(sizes)))
  table <- data.frame(
    array = paste(sizes, "MB"), one = signif(speeds[, 1], 3), two = signif(speeds[, 2], 3)
  )
  names(table) <- c("array", "GB/s, 1 thread", "GB/s, 2 threads")
  section(
    "greedytl", "bandwidth", "Read bandwidth",
    paste0("A C loop that sums an array, compiled on the spot; the best of many runs (", machine(),
           ")."),
    "", markdown_table(table)
  )
}

machine <- function() {
  cpu <- if (file.exists("/proc/cpuinfo")) {
    trimws(sub(".*:", "", grep("^model name", readLines("/proc/cpuinfo"), value = TRUE)[1]))
  }
  paste(c(cpu, paste(parallel::detectCores(), "processors"), R.version.string,
          paste("BLAS", basename(extSoftVersion()[["BLAS"]]))), collapse = ", ")
}
