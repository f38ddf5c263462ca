/* blas.c - see blas.h. */
#define R_NO_REMAP
#define USE_FC_LEN_T
#include <Rconfig.h>
#include <R_ext/Lapack.h>
#ifndef FCONE
#define FCONE
#endif

#include <math.h>

#include "blas.h"
#include "port.h"

int blas_eigen(double *A, size_t n, double *value, double *vector)
{
  const int order = (int)n, width = 26 * order + 64, most = 10 * order + 64;
  int info = 0, found = 0, *iwork = ALLOC(most, int), *support = ALLOC(2 * n, int);
  const double unused = 0, exact = 0;
  double *work = ALLOC(width, double);
  if (n == 0) return 1;
  F77_CALL(dsyevr)
  ("V", "A", "L", &order, A, &order, &unused, &unused, &order, &order, &exact, &found, value,
   vector, &order, support, work, &width, iwork, &most, &info FCONE FCONE FCONE);
  return info == 0 && found == order;
}

double blas_largest_eigenvalue(double *A, size_t n)
{
  const int order = (int)n, width = 26 * order + 64, most = 10 * order + 64;
  int info = 0, found = 0, *iwork = ALLOC(most, int), support[2];
  const double unused = 0, exact = 0;
  double *value = ALLOC(n, double), *work = ALLOC(width, double), none;
  if (n == 0) return 0;
  F77_CALL(dsyevr)
  ("N", "I", "L", &order, A, &order, &unused, &unused, &order, &order, &exact, &found, value, &none,
   &order, support, work, &width, iwork, &most, &info FCONE FCONE FCONE);
  return info == 0 && found == 1 ? value[0] : NAN;
}
