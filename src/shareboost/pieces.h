/* pieces.h - pieces 1[|x - c| < r] [x, 1] as ShareBoost's units, whose columns are not stored.
 *
 * Shalev-Shwartz, Wexler & Shashua, NIPS 2011, section 4.2. A unit is a centre and a radius, its
 * columns are the features and a one, zero outside the ball. Units are numbered centre by centre,
 * radii ascending. The ring between two radii in which a row lies is found once (m bytes a centre); a
 * round adds up x_i u_i' by ring, and cumulative sums over the rings are those of the balls: 2m(p + 1)q flops a
 * centre for all its radii. u_i are q columns: the K of R, and for the orthogonal rule the directions of the piece
 * that entered last.
 *
 * Work arrays: m bytes a centre, u and x by rows (m (q + p + 1)), 4 (p + 1) numbers a unit.
 */
#ifndef TRANSELECT_PIECES_H
#define TRANSELECT_PIECES_H

#include "shareboost.h"
#include "shareboost_columns.h"

#define PIECES_RADII 255 /* most radii: the number of a ring is a byte */

typedef struct {
  size_t m, p, K, centers, radii;
  int centred;
  double *rows;        /* x, then a one: m x (p + 1) by rows */
  unsigned char *ring; /* m x centers: the number of radii up to the distance of the row */
  double *by_row, *total, *sums, *run;
  /* of the columns of every unit: mean (0 where not centred), scale (0: does not vary), and the mean
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
