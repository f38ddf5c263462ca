# The benchmark of src/linalg and of the instruction sets, from the project root:
#   Rscript bench/linalg.R [factor] [instructions]      (default: all parts)
# Each part replaces its section of bench/RESULTS.md. `factor` compiles src/linalg and src/simd into a library in a
# temporary folder, since no function of the package calls them by themselves.
source("bench/common.R")
source("bench/bandwidth.R") # machine()
source("bench/tlcp/data.R")
source("bench/tlcp/search.R")

# ---- factors ----------------------------------------------------------------------------------

factor_program <- "
#include <R_ext/Lapack.h>
#include <Rinternals.h>
#include <string.h>

#include \"blas.h\"
#include \"chol.h\"
#include \"kernels.h\"
#include \"spd.h\"

SEXP choose(SEXP name)
{
  const char *chosen = kernels_choose(CHAR(STRING_ELT(name, 0)));
  return Rf_mkString(chosen);
}

/* Factors A `times` over: 1 by spd.h, 2 by chol.h, 3 by LAPACK. Returns log det A. */
SEXP factor(SEXP A, SEXP how, SEXP times)
{
  const size_t m = (size_t)Rf_ncols(A);
  double *a = (double *)R_alloc(m * m, sizeof(double)), *rest = (double *)R_alloc(8 * m, sizeof(double));
  double logdet = 0;
  chol_factor f = chol_new(m, 0);
  for (int t = 0; t < Rf_asInteger(times); t++) {
    memcpy(a, REAL(A), m * m * sizeof(double));
    logdet = 0;
    if (Rf_asInteger(how) == 1) {
      if (!spd_factor(a, m, rest)) Rf_error(\"not positive definite\");
      for (size_t i = 0; i < m; i++) logdet += 2 * log(a[i + i * m]);
    } else if (Rf_asInteger(how) == 2) {
      f.k = 0;
      for (size_t i = 0; i < m; i++)
        if (!chol_append(&f, a + i * m, a[i + i * m], NULL, 0)) Rf_error(\"not positive definite\");
      for (size_t i = 0; i < m; i++) logdet += 2 * log(f.L[i + i * f.ld]);
    } else {
      int n = (int)m, info = 0;
      F77_CALL(dpotrf)(\"U\", &n, a, &n, &info FCONE);
      if (info) Rf_error(\"not positive definite\");
      for (size_t i = 0; i < m; i++) logdet += 2 * log(a[i + i * m]);
    }
  }
  return Rf_ScalarReal(logdet);
}

/* A^-1, `times` over: 1 by spd_inverse(), 2 by spd_sweep(). Returns the sum of squares. */
SEXP inverse(SEXP A, SEXP how, SEXP times)
{
  const size_t m = (size_t)Rf_ncols(A);
  double *a = (double *)R_alloc(m * m, sizeof(double)), logdet, sum = 0;
  double *work = (double *)R_alloc(spd_sweep_room(m), sizeof(double));
  for (int t = 0; t < Rf_asInteger(times); t++) {
    memcpy(a, REAL(A), m * m * sizeof(double));
    if (!(Rf_asInteger(how) == 1 ? spd_inverse : spd_sweep)(a, m, work, &logdet)) Rf_error(\"not positive definite\");
  }
  for (size_t i = 0; i < m * m; i++) sum += a[i] * a[i];
  return Rf_ScalarReal(sum);
}

/* X <- U'^-1 X for as many columns as A has, `times` over: 1 spd_forward(), 2 spd_lower() a column. Returns the
 * sum of squares. */
SEXP forward(SEXP A, SEXP how, SEXP times)
{
  const size_t m = (size_t)Rf_ncols(A);
  double *u = (double *)R_alloc(m * m, sizeof(double)), *x = (double *)R_alloc(m * m, sizeof(double));
  double *rest = (double *)R_alloc(8 * m, sizeof(double)), sum = 0;
  memcpy(u, REAL(A), m * m * sizeof(double));
  if (!spd_factor(u, m, rest)) Rf_error(\"not positive definite\");
  for (int t = 0; t < Rf_asInteger(times); t++) {
    for (size_t i = 0; i < m * m; i++) x[i] = 1 + (double)(i % 7);
    if (Rf_asInteger(how) == 1)
      spd_forward(u, m, x, m, rest);
    else
      for (size_t j = 0; j < m; j++) spd_lower(u, m, x + j * m);
  }
  for (size_t i = 0; i < m * m; i++) sum += x[i] * x[i];
  return Rf_ScalarReal(sum);
}
"

# Compiles the program with the sources beside it and loads it.
load_factor_program <- function() {
  folder <- tempfile("linalg")
  dir.create(folder)
  from <- c(list.files(c("src/linalg", "src/simd", "src/host"), "[.][ch]$", full.names = TRUE))
  file.copy(from, folder)
  writeLines(factor_program, file.path(folder, "factor.c"))
  writeLines(c("PKG_CFLAGS = $(SHLIB_OPENMP_CFLAGS)",
               "PKG_LIBS = $(SHLIB_OPENMP_CFLAGS) $(LAPACK_LIBS) $(BLAS_LIBS) $(FLIBS)"),
             file.path(folder, "Makevars"))
  old <- setwd(folder)
  on.exit(setwd(old))
  out <- system2(file.path(R.home("bin"), "R"), c("CMD", "SHLIB", "-o", "factor.so", "*.c"), stdout = TRUE,
                 stderr = TRUE)
  if (!file.exists("factor.so")) stop(paste(out, collapse = "\n"))
  dyn.load(file.path(folder, "factor.so"))
}

factor_row <- function(m) {
  A <- crossprod(matrix(stats::rnorm(2 * m * m), 2 * m))
  times <- as.integer(ceiling(3e8 / m^3))
  run <- function(routine, how) function() .Call(routine, A, how, times)
  stopifnot(all.equal(run("factor", 1L)(), run("factor", 2L)()), all.equal(run("factor", 1L)(), run("factor", 3L)()),
            all.equal(run("inverse", 1L)(), run("inverse", 2L)()),
            all.equal(run("forward", 1L)(), run("forward", 2L)()))
  factors <- in_turns(lapply(1:3, run, routine = "factor")) / times
  inverses <- in_turns(lapply(1:2, run, routine = "inverse")) / times
  forwards <- in_turns(lapply(1:2, run, routine = "forward")) / times
  data.frame(order = m, "spd.h, us" = factors[1] * 1e6, "chol.h / spd.h" = factors[2] / factors[1],
             "LAPACK / spd.h" = factors[3] / factors[1], "spd_inverse, us" = inverses[1] * 1e6,
             "spd_sweep / spd_inverse" = inverses[2] / inverses[1], "spd_forward, us" = forwards[1] * 1e6,
             "a column at a time / spd_forward" = forwards[2] / forwards[1], check.names = FALSE)
}

part_factor <- function() {
  load_factor_program()
  set.seed(1)
  set <- .Call("choose", "auto")
  rows <- do.call(rbind, lapply(c(10, 30, 60, 500), factor_row))
  section(
    "linalg", "factor", "Cholesky factors and triangular solves",
    "A factor of a matrix that is given whole (spd.h), one that grows by a column at a time (chol.h) and R's LAPACK,",
    "the inverse by factor and by sweeps, and the solution for as many right-hand sides as the order, at once and one",
    "after the other: processor time, the least of 15 turns.", paste0("(", set, "; ", machine(), ".)"), "",
    markdown_table(rows)
  )
}

# ---- instruction sets -------------------------------------------------------------------------

# Problems of the search that take many nodes.
instruction_cases <- function() {
  list("T = 1, p = 60, AR(0.9)" = subset_problem(60, 1, .9), "T = 1, p = 80, AR(0.9)" = subset_problem(80, 1, .9),
       "T = 2, p = 40, AR(0.9)" = subset_problem(40, 2, .9), "T = 3, p = 40" = subset_problem(40, 3, 0),
       "T = 3, p = 60" = subset_problem(60, 3, 0))
}

part_instructions <- function() {
  use <- function(set) .Call(transelect:::C_kernels, set)
  on.exit(use("auto"))
  sets <- Filter(function(set) !is.na(use(set)), c("portable", "avx2", "avx512"))
  cases <- instruction_cases()
  rows <- do.call(rbind, lapply(names(cases), function(what) {
    problem <- cases[[what]]
    once <- timed(function() search_subset(problem), budget = .1)[["best"]]
    times <- ceiling(.3 / once)
    spent <- in_turns(lapply(stats::setNames(nm = sets), function(set) {
      function() {
        use(set)
        for (k in seq_len(times)) search_subset(problem)
      }
    }), turns = 5) / times
    best <- spent[[if ("avx2" %in% sets) "avx2" else "portable"]]
    others <- setdiff(sets, "avx2")
    data.frame(problem = what, "avx2, ms" = best * 1000,
               stats::setNames(as.list(spent[others] / best), paste(others, "/ avx2")), check.names = FALSE)
  }))
  section(
    "linalg", "instructions", "Instruction sets",
    "Whole calls of tlcp() on problems of `Rscript bench/tlcp.R search`, with the loops and sums for each instruction",
    "set of this processor: processor time, the least of five turns. The search has no loops for AVX-512: there only",
    "the sums differ from AVX2.", paste0("(", machine(), ".)"), "", markdown_table(rows)
  )
}

run_parts("linalg", list(factor = part_factor, instructions = part_instructions), alone = c("factor", "instructions"))
