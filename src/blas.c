/* blas.c - see blas.h. */
#define R_NO_REMAP
#define USE_FC_LEN_T
#include <Rconfig.h>
#include <R_ext/BLAS.h>
#include <R_ext/Lapack.h>
#ifndef FCONE
#define FCONE
#endif

#include "blas.h"

int blas_chol(double *A, size_t n)
{
  const int order = (int)n;
  int info = 0;
  F77_CALL(dpotrf)("L", &order, A, &order, &info FCONE);
  return info;
}

void blas_forward(const double *L, size_t n, double *x)
{
  const int order = (int)n, one = 1;
  F77_CALL(dtrsv)("L", "N", "N", &order, L, &order, x, &one FCONE FCONE FCONE);
}

int blas_chol_inverse(double *L, size_t n)
{
  const int order = (int)n;
  int info = 0;
  F77_CALL(dpotri)("L", &order, L, &order, &info FCONE);
  for (size_t j = 0; j < n; j++)
    for (size_t i = j + 1; i < n; i++) L[j + i * n] = L[i + j * n];
  return info;
}
