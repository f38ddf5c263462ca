/* shareboost.h - few features shared by all classes, chosen greedily: ShareBoost.
 *
 * Shalev-Shwartz, Wexler & Shashua, "ShareBoost: Efficient multiclass learning with feature
 * sharing", NIPS 2011, Algorithm 1 and section 3. With L(W) the loss of softmax.h plus the penalty
 * and g_r = (1/m) X_r'R the gradient of column r (k numbers), a round picks the unit (a feature, a
 * group of them, a stump, a piece) of largest sum over its columns of
 *
 *   gradient    |g_r|_1                                     (the paper's equation 7)
 *   orthogonal  |g_r|_1 / sqrt(c v_r + b),  c = sum_i v_i (1 - sum_c P_ic^2) / (m (k - 1)),
 *               v_r mean square of the residual of X_r on the selected columns, b the penalty's second
 *               derivative at 0 (2 ridge); columns with v_r < 1e-7 of their mean square are left out
 *
 * or, by the costlier rules, the unit with the largest fall of L (shareboost_rules.h)
 *
 *   line        along minus its gradient;  column  over its own weights;
 *   full        over the weights of all selected columns and its own
 *
 * and re-optimises all selected columns (softmax_fit.h).
 *
 * v_r is updated with the products of the round: with q the residual of a new column on the selected ones, scaled to
 * mean square one, v_r falls by (x_r'Vq / m)^2.
 *
 * Work arrays: those of softmax.h and softmax_fit.h, and two bytes per unit; for the orthogonal rule the Cholesky
 * factor of the t selected columns (t^2), for the costlier rules one slope per unit. Cost of a round: the best unit
 * (shareboost_columns.h, stumps.h, pieces.h) and the fit.
 */
#ifndef TRANSELECT_SHAREBOOST_H
#define TRANSELECT_SHAREBOOST_H

#include <math.h>
#include <stddef.h>

#include "port.h"
#include "softmax_fit.h"

enum share_rule { SHARE_ORTHOGONAL, SHARE_GRADIENT, SHARE_LINE, SHARE_COLUMN, SHARE_FULL };

#define SHARE_TIE 1e-12 /* relative difference below which the unit of lower number wins */
#define SHARE_LEFT 1e-7 /* a column whose v_r is a smaller share of its mean square is collinear */

/* The input of share_units.best(). */
typedef struct {
  const softmax *p; /* columns 0..K-1 of p->r: R; the next `news`: V times the new directions q */
  size_t news;
  enum share_rule rule;
  double spread, bend; /* c and b of the orthogonal rule */
  const int *only;     /* the units of a random round, or NULL for all */
  size_t n_only;
  const char *drawn, *taken; /* of every unit: is it one of `only`; has it entered */
} share_view;

/* The best unit (the number of units if none can enter), its score and the sum of its |g_r|_1. */
typedef struct {
  size_t unit;
  double score, slope;
} share_choice;

/* The units: columns of a matrix or groups of them (shareboost_columns.h), stumps (stumps.h) or pieces (pieces.h).
 * All columns are scaled, and centred where there is an intercept. */
typedef struct {
  size_t count, largest; /* number of units; columns of the largest */
  void *context;
  /* The unit of largest score by the orthogonal or gradient rule. slopes: NULL, or for the other three rules the sum
   * of |g_r|_1 of every unit, NAN where it cannot enter. */
  share_choice (*best)(void *context, const share_view *view, double *slopes);
  /* The number of columns of a unit; its i-th column (m numbers). */
  size_t (*size)(void *context, size_t unit);
  void (*column)(void *context, size_t unit, size_t i, double *out);
} share_units;

typedef struct {
  enum share_rule rule;
  int intercept;
  int max_steps;       /* the largest number of units */
  int candidates;      /* units drawn at random for each round; 0: all units */
  const double *draws; /* uniforms, candidates x max_steps */
  int shortlist;       /* line, column and full try the best units by gradient, this many; 0: all */
  const int *keep;     /* units that enter first, without a penalty */
  int n_keep;
} share_options;

/* Results: arrays of max_steps + 1, by step; step 0, before any unit, has no unit and score. */
typedef struct {
  int n_steps;
  int refused; /* with STATUS_COLLINEAR_KEEP: the unit of `keep` that cannot enter; else -1 */
  int *unit, *columns, *iterations, *refreshes, *converged;
  double *score, *slope, *loss, *error, *end;
  double **w; /* at each step the (columns + intercept) x K differences to the last class */
} share_path;

/* Returns STATUS_OK, or STATUS_COLLINEAR_KEEP where a unit of `keep` cannot enter. */
status shareboost_run(softmax_fit *fit, share_units *units, const share_options *options,
                      share_path *path);

/* ---- for implementations of best() ---- */

static inline int share_wanted(const share_view *view, size_t unit)
{
  return !view->taken[unit] && (!view->only || view->drawn[unit]);
}

static inline share_choice share_none(size_t units)
{
  return (share_choice){.unit = units, .score = -1};
}

/* `unit` becomes the best if its score is larger. Units must come in ascending order; those that cannot enter have
 * negative scores. */
static inline void share_offer(share_choice *best, size_t unit, double score, double slope)
{
  if (!(score > best->score * (1 + SHARE_TIE)) || !(score >= 0)) return;
  *best = (share_choice){.unit = unit, .score = score, .slope = slope};
}

/* |g|_1 over all classes from the g of the first K: the g of the last class is minus their sum. */
typedef struct {
  double size, sum;
} share_norm;

static inline void share_norm_add(share_norm *norm, double g)
{
  norm->sum += g;
  norm->size += fabs(g);
}

static inline double share_norm_end(share_norm norm)
{
  return norm.size + fabs(norm.sum);
}

#endif
