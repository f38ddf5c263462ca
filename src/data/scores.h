/* scores.h - scores a0 + x beta of rows by linear models. */
#ifndef TRANSELECT_SCORES_H
#define TRANSELECT_SCORES_H

#include <stddef.h>

typedef struct {
  const double *beta, *a0; /* d rows, a column a model; a number a model */
  size_t d;
  const int *at; /* the models wanted, from 0 on */
  size_t q;      /* how many */
} score_models;

/* out[., l] = a0[at[l]] + x beta[., at[l]] for l = 0..q-1. x: n x d; out: n x q. Up to three models read only the
 * columns of x with coefficients other than 0; more are multiplied as a matrix, which needs the transpose of x (n d).
 * 2 n d q flops. */
void scores(const double *x, size_t n, const score_models *models, double *out);

/* The transpose: to (d x n) <- x' (x: n x d). */
void turn(const double *x, size_t n, size_t d, double *to);

#endif
