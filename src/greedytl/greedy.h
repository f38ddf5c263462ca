/* greedy.h - greedy, L2-regularised selection of columns: GreedyTL.
 *
 * Kuzborskij, Orabona & Caputo, "Scalable greedy algorithms for transfer learning", Comput. Vis.
 * Image Underst. 156 (2017), Algorithm 1, doi:10.1016/j.cviu.2016.09.003. For a response y and
 * columns z_j (rows already times sqrt(v)), with a ridge tau_j of its own for every column,
 *
 *   minimise  |y - Z w|^2 + sum_j tau_j w_j^2   over  |w|_0 <= k,  one column at a time.
 *
 * Algorithm 1 costs O(k N n^2). This recursion makes the same selection and reads Z once per step:
 *
 *   P = (I + Z_S T_S^-1 Z_S')^-1     stored as P = I - U U', one column of U per step
 *   a_j = z_j'P y,  d_j = tau_j + z_j'P z_j,  gain_j = a_j^2 / d_j  (the fall of the objective)
 *   s = argmax gain;  u = P z_s / sqrt(d_s);  t = Z'u;  a -= t (u'y);  d -= t^2
 *
 * The numbers u_r'z_s and sqrt(d_s) of the recursion are the rows of the Cholesky factor L of
 * Z_S'Z_S + T_S, and U'y = L^-1 Z_S'y: w_S = L'^-1 (U'y) at every step.
 * Columns are scaled implicitly: with A_j = s_j a_j and D_j = s_j^2 d_j the gain is A_j^2 / D_j,
 * so that only selected columns need their scale s_j.
 *
 * Columns that are kept enter first and have no ridge: P is then the projection on their orthogonal complement. Groups
 * of columns enter as a whole: the group of the largest gain a_g'D_g^-1 a_g, with a_g the numbers a_j of its
 * columns and D_g = T_g + Z_g'P Z_g, is selected, and its columns enter one by one.
 *
 * The path may start from the mean of the sources: then `shift`, sum_j share_j (h_j - mean of h_j), is subtracted from
 * y, and the model of a step is that mean plus the step's columns.
 *
 * Several problems (responses, weights, ridges) on one design take their steps together, with one read of Z per
 * step for all of them (greedy_pass.h).
 *
 * Work arrays: the centres (N) and, for each problem, A, D (N each); U (n x steps); L (steps^2/2); y, P y,
 * diag P (n each); with weights sqrt v; with scores P c+, P c-; one column z; for groups D_g. Cost of a step:
 * 2nN flops and one read of Z, and O(n steps).
 */
#ifndef TRANSELECT_GREEDY_H
#define TRANSELECT_GREEDY_H

#include "chol.h"
#include "design.h"
#include "groups.h"
#include "port.h"

typedef struct {
  int intercept;    /* centre y and the columns */
  int standardize;  /* unit weighted variance for each column ... */
  double divisor;   /* ... with this divisor: n or n - 1 */
  int common_scale; /* one scale for all sources (greedy_scales) */
  int positive;     /* a source enters only with a positive coefficient */
  int average;      /* residuals are means over the steps, not those of the last step */
  int held;         /* is `held` of the first problem of each response wanted? */
  int one_ridge; /* one mean pair of ridges by evidence, not several weighted pairs (evidence.h) */
  int scores;    /* two classes coded -1, 1: leave-one-out accuracy */
  int balanced;  /* ... with the cut midway between the classes' mean scores */
  int max_steps, max_groups; /* most columns; most groups, of which a single column is one */
  double tol;                /* stop when the objective would fall by less */
  int per_column;  /* tau is multiplied by the number of features, or of sources, that vary */
  int n_keep;      /* columns that enter first, in this order, without a ridge ... */
  const int *keep; /* ... and their numbers */
  const column_groups *groups; /* NULL: every column is a group */
  int candidates;              /* columns drawn at random for each step; 0: all columns */
  const double *draws;         /* candidates x max_steps uniforms */
  int threads;
} greedy_options;

/* The scale common to all sources: the root of the mean of min(ss_j, most)/n over the sources that vary, with most =
 * (1.5 median of sqrt(ss_j))^2. A source with a sum of squares ss_j above `most` has a scale of its own, with which
 * its scaled sum of squares is that of a source with ss_j = most. common: the squared scale, 0 if each source has its
 * own. */
typedef struct {
  double common, most;
} greedy_scales;

typedef struct {
  /* in */
  const double *y, *v; /* response; weights summing to n, or NULL */
  double tau[2];       /* ridges of features and of sources; out: times the number of columns if
                        * per_column; infinite: no column of this kind enters */
  const double *shift; /* n, from which the path starts, or NULL */
  const double *share; /* with shift: the coefficients of the sources (N - p) in it */
  /* out: arrays of max_steps, or of max_steps + 1 with step 0 first, allocated by the caller. There is a model
   * of each step at which a group is complete: steps ends[0] = 0, ends[1], ...; entries of other steps are not
   * filled. Means are over the models of steps ends[averaged], ... */
  int n_steps, n_ends, averaged, *ends;
  int *entered;                                  /* column numbers, max_steps */
  double *gain;                                  /* max_steps */
  double *center, *scale;                        /* of the columns that entered, max_steps */
  double *objective, *rss, *df, *loo, *accuracy; /* max_steps + 1 */
  double *residual;                              /* n: of the last step, or the mean over steps */
  double *deleted, *score; /* n, with `average`: means over steps of the leave-one-out residuals
                            * times sqrt(v), and, with `scores`, of the leave-one-out scores */
  double *held;            /* n x (max_steps + 1) or NULL: predictions of left-out rows, by model */
  /* of the recursion; columns of U and rows of L (1, 2, ... numbers) are allocated step by step */
  double *A, *D, **U, **L, *q, *ys, *Py, *diag, *sv, *Pc[2];
  double n, yy; /* number of rows; sum of squares of y about its mean, less the shift */
  double y_mean;
  greedy_scales scales;
  double count[2];   /* the numbers of features and of sources that vary */
  int scaled;        /* are scales and count known at the start? */
  int exact;         /* is the shift the response? */
  int done, known;   /* known: does D hold the sums of squares of the columns at the start? */
  double **cross;    /* of each group: the upper triangle of D_g, its diagonal sums of squares; NULL
                    * for single columns and groups that have entered */
  double *ridge, *t; /* N: the ridge's part of D; t */
  int kept;          /* how many columns of `keep` have entered or been refused */
  size_t next, last; /* groups->column[next..last - 1] of the current group have yet to enter */
  /* work of groups_gain(): the factor of a group, and numbers and places of its columns */
  chol_factor *factor;
  double *solved, *row;
  size_t *inside;
} greedy_problem;

/* Coefficients on the original scale, by L'w = U'y, of steps 1, 2, ...: `coef` has 1, 2, ... numbers for the steps, in
 * ascending order of the columns, whose numbers are in `row`. a0: intercepts (n_steps + 1, step 0 first). k^3/3 flops
 * for k steps. */
void greedy_coefficients(const greedy_problem *problem, int *row, double *coef, double *a0);

/* The scales of the columns from their sums of squares ss (N; 0: the column does not vary). count <- the numbers of
 * features and of sources that vary. Work array: one number per source that varies. */
greedy_scales greedy_find_scales(const double *ss, size_t p, size_t N, size_t n,
                                 const greedy_options *options, double count[2]);

/* The squared scale of one column. */
double greedy_squared_scale(double ss, int is_source, const greedy_scales *scales,
                            const greedy_options *options);

/* Ends a path: with `average` turns sums over its steps into means; divides the residual by sqrt(v). */
void greedy_finish(greedy_problem *problem, size_t n, int average);

/* Computes the paths of all problems; if one is `known`, d->center must be given. Returns STATUS_OK; STATUS_NOT_FINITE
 * or STATUS_COLLINEAR_KEEP with the column in *bad; or STATUS_CONSTANT_Y with the problem in *bad. */
status greedy_path(design *d, greedy_problem *problems, int n_problems,
                   const greedy_options *options, size_t *bad);

#endif
