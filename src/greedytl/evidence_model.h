/* evidence_model.h - what the evidence of least squares (evidence.h) and that of a logistic model (laplace.h) have in
 * common: the columns, their scales, and the products of rows K_x = Z_x Z_x'/p and K_h = Z_h Z_h'/s. */
#ifndef TRANSELECT_EVIDENCE_MODEL_H
#define TRANSELECT_EVIDENCE_MODEL_H

#include "greedy.h"

/* From Z'Z, at one alpha_x: the factor of the features' part, V = U'^-1 G_xh, and what it leaves of the sources' part. */
typedef struct {
  double alpha; /* alpha_x, NAN: none yet */
  int yes;      /* is there a factor? */
  double *U, *V, *S, half_logdet;
  double *r[2],
      quad[2]; /* for c = 0 and 1: U'^-1 X'y, and below H'y less V'U'^-1 X'y; y'y less that of the features */
  double *B, *work; /* the factor of alpha_h I + S, and one right side */
} schur;

typedef struct {
  size_t n, N, p, m;     /* m: order of the matrices */
  size_t *row;           /* by_row: the m rows used */
  int by_row;            /* m = n, from K_x and K_h; otherwise m = N, from Z'Z */
  int needs_sources;     /* a source is kept: "no source" is not possible */
  double *mean, *factor; /* N: 1/scale, 0 for a column that does not vary */
  double count[2];       /* features and sources that vary */
  greedy_scales scales;
  double *G[2];  /* upper triangles. by_row: K_x, K_h; else Z'Z scaled, and NULL */
  double common; /* squared scale of the sources, 0: each has its own */
  double *M, *rhs, *ys;
  schur features;
  double *hs;          /* the sources' mean, as ys or, from Z'Z, as rhs; NULL: c is 0 */
  double hy, hh;       /* from Z'Z: products of the sources' mean with y and itself */
  double repeated;     /* by how much the log marginal likelihood is multiplied */
  double yy, df, *own; /* own: sums of squares of the kept columns */
} evidence_model;

/* Means, sums of squares ss (N) and scales of the columns; `mean` is the caller's, `factor` is allocated. *bad: a column
 * that is not finite. */
status evidence_model_scan(design *d, const double *v, const greedy_options *o, evidence_model *e,
                           double *ss, size_t *bad);

/* G[block] += K_block of the rows `row`, each multiplied by its sv, and `hs` (allocated) of block 1 where the sources
 * have a common scale. m^2 times the columns of the block. */
void evidence_model_products(const design *d, const double *sv, evidence_model *e, int block);

#endif
