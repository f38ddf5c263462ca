/* evidence_model.h - common to the evidence of least squares (evidence.h) and that of logistic and Poisson models
 * (laplace.h): the columns, their scales, and the products of rows K_x = Z_x Z_x'/p and K_h = Z_h Z_h'/s. */
#ifndef TRANSELECT_EVIDENCE_MODEL_H
#define TRANSELECT_EVIDENCE_MODEL_H

#include "greedy.h"

/* From Z'Z, at one alpha_x: U, the factor of I + G_xx/alpha_x; V = U'^-1 G_xh/sqrt(alpha_x); and S = G_hh - V'V, the
 * Schur complement. */
typedef struct {
  double alpha; /* alpha_x, NAN: none yet */
  int yes;      /* is there a factor? */
  double *U, *V, *S, half_logdet;
  /* For c = 0 and 1: r has u = U'^-1 Z_x'y/sqrt(alpha_x), and below it Z_h'y - V'u; quad is y'y - u'u. */
  double *r[2], quad[2];
  double *B, *work; /* the factor of alpha_h I + S, and one right-hand side */
} schur;

typedef struct {
  size_t n, N, p, m;     /* m: order of the matrices */
  size_t *row;           /* by_row: the m rows used */
  int by_row;            /* from K_x and K_h, of order m rows; otherwise from Z'Z, m = N */
  int needs_sources;     /* a source is kept: "no source" is not possible */
  double *mean, *factor; /* N: means; 1/scale, 0 for a column that does not vary */
  double count[2];       /* how many features and sources vary */
  greedy_scales scales;
  double *G[2];         /* upper triangles. by_row: K_x, K_h; else Z'Z scaled, and NULL */
  double common;        /* squared common scale of the sources, 0: each has its own */
  double *M, *rhs, *ys; /* work of the criteria; Z'y; y */
  schur features;
  double *hs;          /* the sources' mean h (by_row), or Z'h; NULL: c is 0 */
  double hy, hh;       /* from Z'Z: products of h with y and with h */
  double repeated;     /* the factor of the log marginal likelihood */
  double yy, df, *own; /* y'y; n - 1 or less; sums of squares of the kept columns */
} evidence_model;

/* Computes count, scales, factor (allocated here), common and repeated from the sums of squares ss (N) of n rows. */
void evidence_model_scales(const double *ss, size_t n, const greedy_options *o, evidence_model *e);

/* Finds means, sums of squares ss (N) and scales of the columns; e->mean must be allocated, e->factor is allocated
 * here. *bad: a column that is not finite. */
status evidence_model_scan(design *d, const double *v, const greedy_options *o, evidence_model *e,
                           double *ss, size_t *bad);

/* The factor of column j in Z'Z: 1/(scale sqrt(number of columns of its block)), 0 for a column that does not vary. */
double evidence_model_factor(const evidence_model *e, size_t j);

/* G[block] += K_block of the m rows in `row`, each multiplied by its number in sv; for block 1 `hs` is allocated and
 * filled, too, where the sources have a common scale. Cost: m^2 times the number of columns of the block. */
void evidence_model_products(const design *d, const double *sv, evidence_model *e, int block);

/* G[0] += C Z'Z C, C = diag(1/sqrt(number of columns of the block)), and rhs += C Z'y. Cost: n N^2. */
void evidence_model_gram(design *d, const double *sv, evidence_model *e);

/* Replaces y and K, or Z'Z, Z'y and y'y, by those of residuals on the kept columns; d and sv: with by_row only. Cost:
 * m^2 for each kept column. */
void evidence_model_leave_kept(const design *d, const double *sv, const greedy_options *o,
                               evidence_model *e);

/* From Z'Z: hs, hy and hh, the products with the sources' mean, sqrt(common / s) times the sum of the scaled sources;
 * nothing where there is no such mean. */
void evidence_model_mean_products(evidence_model *e);

#endif
