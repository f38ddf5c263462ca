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
 * or, by the costlier rules, that with the largest fall of L (shareboost_rules.h)
 *
 *   line        along minus its gradient;  column  over its own weights;
 *   full        over the weights of all selected columns and its own
 *
 * and re-optimises all selected columns (softmax_fit.h).
 *
 * v_r is updated with the products of the round: the residual q of a new column on the selected ones, scaled to mean
 * square one, lowers v_r by (x_r'Vq / m)^2.
 *
 * Work arrays: those of softmax.h and softmax_fit.h, and two marks a unit; for the costlier rules a slope a unit. Cost
 * of a round: the best unit (shareboost_columns.h, stumps.h, pieces.h) and the fit.
 */
#ifndef TRANSELECT_SHAREBOOST_H
#define TRANSELECT_SHAREBOOST_H

#include <math.h>
#include <stddef.h>

#include "port.h"
#include "softmax_fit.h"

enum share_rule { SHARE_ORTHOGONAL, SHARE_GRADIENT, SHARE_LINE, SHARE_COLUMN, SHARE_FULL };

#define SHARE_TIE 1e-12 /* relative difference below which the lower unit wins */
#define SHARE_LEFT 1e-7 /* a column of whose mean square v_r is a smaller share is collinear */

/* The input of best(): what a round needs to find the best unit. */
typedef struct {
  const softmax *p; /* columns 0..K-1 of r: R; the next `news`: V times the new directions q */
  size_t news;
  enum share_rule rule;
  double spread, bend; /* c and b of the orthogonal rule */
  const int *only;     /* the units of a random round, or NULL for all */
  size_t n_only;
  const char *drawn, *taken; /* by unit: is it one of `only`; has it entered */
} share_view;

/* The best unit (the number of units if there is none), its score and the sum of its |g_r|_1. */
typedef struct {
  size_t unit;
  double score, slope;
} share_choice;

/* The units: columns of a matrix or groups of them (shareboost_columns.h), stumps (stumps.h) or pieces (pieces.h).
 * All columns are scaled, and centred where there is an intercept. */
typedef struct {
  size_t count, largest; /* of all units, and columns of the largest */
  void *context;
  /* The unit of largest score by the orthogonal or gradient rule. slopes: NULL, or for the other three rules the sum
   * of |g_r|_1 of every unit, NAN where it cannot enter. */
  share_choice (*best)(void *context, const share_view *view, double *slopes);
  /* Columns of a unit, and its i-th (m numbers). */
  size_t (*size)(void *context, size_t unit);
  void (*column)(void *context, size_t unit, size_t i, double *out);
} share_units;

typedef struct {
  enum share_rule rule;
  int intercept;
  int max_steps;       /* units */
  int candidates;      /* units drawn at random for a round, 0: all units */
  const double *draws; /* uniforms, candidates x max_steps */
  int shortlist;       /* line, column and full try this many units, the best by gradient; 0: all */
  const int *keep;     /* units that enter first, without a penalty */
  int n_keep;
} share_options;

/* Results: arrays of max_steps + 1, step 0 first (without unit and score). */
typedef struct {
  int n_steps;
  int refused; /* with STATUS_COLLINEAR_KEEP: the unit of `keep` that cannot enter */
  int *unit, *columns, *iterations, *refreshes, *converged;
  double *score, *slope, *loss, *error, *end;
  double **w; /* at each step the (columns + intercept) x K differences to the last class */
} share_path;

/* STATUS_OK, or STATUS_COLLINEAR_KEEP. */
status shareboost_run(softmax_fit *fit, share_units *units, const share_options *options,
                      share_path *path);

/* ---- for the functions best() ---- */

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

/* |g|_1 from the g of the first K classes: that of the last class is minus their sum. */
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
