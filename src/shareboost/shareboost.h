/* shareboost.h - few features shared by all classes, chosen greedily: ShareBoost.
 *
 * Shalev-Shwartz, Wexler & Shashua, "ShareBoost: Efficient multiclass learning with feature
 * sharing", NIPS 2011, Algorithm 1 and section 3. With L(W) the loss of softmax.h plus the penalty
 * and g_r = (1/m) X_r'R the gradient of column r (k numbers), a round picks the unit (a feature, a
 * group of them, a stump, a piece) of largest sum over its columns of
 *
 *   gradient    |g_r|_1                                     (the paper's equation 7)
 *   orthogonal  |g_r|_1 / sqrt(c v_r + b),  c = sum_i v_i (1 - sum_c P_ic^2) / (m (k - 1)),
 *               v_r mean square of X_r beside the selected columns, b the penalty's second
 *               derivative at 0 (2 ridge); a column with v_r < 1e-7 of its own counts nothing
 *
 * or that with the largest fall of L
 *
 *   line        along minus its gradient;  column  over its own weights;
 *   full        over the weights of all selected columns and its own
 *
 * and re-optimises all selected columns (softmax_fit.h).
 *
 * v_r is kept by one more right-hand side: q, the new column beside the selected ones and of mean
 * square one, lowers v_r by (x_r'Vq / m)^2.
 */
#ifndef TRANSELECT_SHAREBOOST_H
#define TRANSELECT_SHAREBOOST_H

#include <math.h>
#include <stddef.h>

#include "port.h"
#include "softmax_fit.h"

enum share_rule { SHARE_ORTHOGONAL, SHARE_GRADIENT, SHARE_LINE, SHARE_COLUMN, SHARE_FULL };

#define SHARE_TIE 1e-12 /* relative difference below which the lower unit wins */
#define SHARE_LEFT 1e-7 /* share of a column that must be left beside the selected ones */

/* What a round uses to find the best unit. */
typedef struct {
  const softmax *p; /* R in slots 0..K-1; V times new directions q in the next `news` */
  size_t news;
  enum share_rule rule;
  double spread, bend; /* c and b of the orthogonal rule */
  const int *only;     /* units to look at, or NULL for all */
  size_t n_only;
  const char *drawn, *taken; /* by unit: is it one of `only`; has it come in */
} share_view;

/* A unit, `units` where none is left; the score by which it won, and the sum of its |g_r|_1. */
typedef struct {
  size_t unit;
  double score, slope;
} share_choice;

/* What a round selects among: columns of a matrix or groups of them (shareboost_columns.h), stumps.h or pieces.h.
 * All columns are scaled, centred where there is an intercept. */
typedef struct {
  size_t count, largest; /* of all units, and columns of the largest */
  void *context;
  /* The unit of largest score by the orthogonal or gradient rule. slopes: NULL, or the sum of |g_r|_1 of every
   * unit, NAN where it is out, which the other three rules begin with. */
  share_choice (*best)(void *context, const share_view *view, double *slopes);
  /* Columns of a unit, and its i-th (m numbers). */
  size_t (*size)(void *context, size_t unit);
  void (*column)(void *context, size_t unit, size_t i, double *out);
} share_units;

typedef struct {
  enum share_rule rule;
  int intercept;
  int max_steps;       /* units */
  int candidates;      /* units looked at in a round, 0: all */
  const double *draws; /* uniforms, candidates x max_steps */
  int shortlist;       /* units that line, column and full try, best by gradient; 0: all */
  const int *keep;     /* units that enter first and cost nothing */
  int n_keep;
} share_options;

/* Results: room for max_steps + 1 each, step 0 first (no unit, no score there). */
typedef struct {
  int n_steps;
  int refused; /* the unit of `keep` that cannot enter, where that is the status */
  int *unit, *columns, *iterations, *refreshes, *converged;
  double *score, *slope, *loss, *error, *end;
  double **w; /* at each step the (columns + intercept) x K differences to the last class */
} share_path;

/* STATUS_OK, or STATUS_COLLINEAR_KEEP. */
status shareboost_run(softmax_fit *fit, share_units *units, const share_options *options,
                      share_path *path);

/* ---- for best() of the units ---- */

static inline int share_wanted(const share_view *view, size_t unit)
{
  return !view->taken[unit] && (!view->only || view->drawn[unit]);
}

static inline share_choice share_none(size_t units)
{
  return (share_choice){.unit = units, .score = -1};
}

/* Units are offered in ascending order; those of which nothing is left have no score of 0 on. */
static inline void share_offer(share_choice *best, size_t unit, double score, double slope)
{
  if (!(score > best->score * (1 + SHARE_TIE)) || !(score >= 0)) return;
  *best = (share_choice){.unit = unit, .score = score, .slope = slope};
}

/* |g|_1 from the g of K classes: that of the last is minus their sum. */
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
