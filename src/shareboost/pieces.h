/* pieces.h - pieces 1[|x - c| < r] [x, 1] as ShareBoost's units, whose columns are not stored.
 *
 * Shalev-Shwartz, Wexler & Shashua, NIPS 2011, section 4.2. A unit is a centre and a radius; its
 * columns are the features and a constant 1, zero outside the ball. Units are numbered centre by centre,
 * radii ascending. The ring between two radii in which a row lies is found once (m bytes per centre). A
 * round adds up x_i u_i' by ring, and cumulative sums over the rings are the sums over the balls: 2m(p + 1)q flops per
 * centre for all its radii. u_i has q numbers: row i of R (K), and for the orthogonal rule of the directions of the
 * piece that entered last.
 *
 * Work arrays: m bytes per centre, u and x by rows (m (q + p + 1)), 4 (p + 1) numbers per unit, (p + 1) q sums per
 * ring.
 */
#ifndef TRANSELECT_PIECES_H
#define TRANSELECT_PIECES_H

#include "shareboost.h"
#include "shareboost_columns.h"

#define PIECES_RADII 255 /* the largest number of radii: the number of a ring is a byte */

typedef struct {
  size_t m, p, K, centers, radii;
  int centred;
  double *rows;        /* x, then 1: m x (p + 1) by rows */
  unsigned char *ring; /* m x centers: how many radii are not above the row's distance */
  double *by_row, *total, *sums, *run;
  /* of every column of every unit: mean (0 where not centred), scale (0: does not vary), and the mean
   * squares of the scaled column and of its residual on the selected columns */
  double *mean, *scale, *own, *left;
} pieces;

/* Data and settings of the pieces. */
typedef struct {
  const double *x; /* m x p */
  size_t m, p;
  const double *v;      /* weights of mean one, or NULL */
  const double *center; /* centers x p, by columns */
  size_t centers;
  const double *radius; /* ascending */
  size_t radii;
  int centred;
  enum share_scale by;
} pieces_of;

pieces *pieces_new(const pieces_of *of, size_t K);

share_units pieces_units(pieces *s);

#endif
