/* scores.h - scores of rows by linear models. */
#ifndef TRANSELECT_SCORES_H
#define TRANSELECT_SCORES_H

#include <stddef.h>

typedef struct {
  const double *beta, *a0; /* d rows, a column a model; a number a model */
  size_t d;
  const int *at; /* the models wanted, from 0 on */
  size_t q;      /* how many */
} score_models;

/* out[., l] = a0[at[l]] + x beta[., at[l]] for l = 0..q-1. x: n x d; out: n x q. A few models read only the
 * columns of x that they use; more of them are taken together, which needs a copy of x. 2 n d q flops. */
void scores(const double *x, size_t n, const score_models *models, double *out);

/* to (d x n) <- x' (x: n x d). */
void turn(const double *x, size_t n, size_t d, double *to);

#endif
