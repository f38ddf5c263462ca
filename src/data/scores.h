/* scores.h - scores a0 + x beta of rows under linear models. */
#ifndef TRANSELECT_SCORES_H
#define TRANSELECT_SCORES_H

#include <stddef.h>

typedef struct {
  const double *beta, *a0; /* d rows, one column for each model; one number for each model */
  size_t d;
  const int *at; /* the numbers of the models wanted, from 0 on */
  size_t q;      /* how many models are wanted */
} score_models;

/* out[., l] <- a0[at[l]] + x beta[., at[l]] for l = 0..q-1. x: n x d; out: n x q. For up to three models only the
 * columns of x with coefficients other than 0 are read; more models are multiplied as a matrix, which takes the
 * transpose of x as work array (n d). 2 n d q flops. */
void scores(const double *x, size_t n, const score_models *models, double *out);

/* to (d x n) <- x', the transpose of x (n x d). */
void turn(const double *x, size_t n, size_t d, double *to);

#endif
