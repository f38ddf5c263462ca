/* greedy.h - greedy, L2-regularised selection of columns: GreedyTL.
 *
 * Kuzborskij, Orabona & Caputo, "Scalable greedy algorithms for transfer learning", Comput. Vis.
 * Image Underst. 156 (2017), Algorithm 1, doi:10.1016/j.cviu.2016.09.003. For a response y and
 * columns z_j (rows already times sqrt(v)), with a ridge tau_j of its own for every column,
 *
 *   minimise  |y - Z w|^2 + sum_j tau_j w_j^2   over  |w|_0 <= k,  one column at a time.
 *
 * Algorithm 1 costs O(k N n^2). The same selection by a recursion that reads Z once a step:
 *
 *   P = (I + Z_S T_S^-1 Z_S')^-1     kept as P = I - U U', one column of U a step
 *   a_j = z_j'P y,  d_j = tau_j + z_j'P z_j,  gain_j = a_j^2 / d_j  (the fall of the objective)
 *   s = argmax gain;  u = P z_s / sqrt(d_s);  t = Z'u;  a -= t (u'y);  d -= t^2
 *
 * The numbers u_r'z_s and sqrt(d_s) met on the way are the rows of the Cholesky factor L of
 * Z_S'Z_S + T_S, and u_r'y its forward substitution: w_S = L'^-1 (U'y) at every step.
 * Columns are scaled implicitly: with A_j = s_j a_j and D_j = s_j^2 d_j the gain is A_j^2 / D_j
 * and the scale s_j is needed for the columns selected only.
 *
 * Columns that are kept enter first and have no ridge, so that P is a projection on them. A group of
 * columns enters whole: with a_g and D_g = T_g + Z_g'P Z_g the a and D of its columns the group of
 * largest gain a_g'D_g^-1 a_g, column by column.
 *
 * Several problems (responses, weights, ridges) on one design go through it in lockstep: one
 * read of Z a step serves them all.
 *
 * Work arrays: the centres (N) and, a problem, A, D (N each); U (n x steps); L (steps^2/2); y, P y,
 * diag P (n each); with weights sqrt v, u; with scores P c+, P c-; one column z; of groups D_g. Cost a step:
 * 2nN flops, one read of Z, O(n steps) beside it.
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
  int common_scale; /* one scale for all sources, from all of them */
  int positive;     /* a source enters only with a positive coefficient */
  int average;      /* the residual wanted is the mean over the steps */
  int one_ridge;    /* of the ridges by evidence: their mean and not all of them (evidence.h) */
  int scores;       /* two classes coded -1, 1: leave-one-out accuracy */
  int balanced;     /* ... with the cut midway between the classes' mean scores */
  int max_steps, max_groups; /* columns; groups, where single columns are groups, too */
  double tol;                /* stop when the objective would fall by less */
  int per_column; /* tau is to be multiplied by the number of features or sources that vary */
  int n_keep;     /* columns that enter first, in this order, without a ridge */
  const int *keep;
  const column_groups *groups; /* NULL: every column is by itself */
  int candidates;              /* columns drawn a step; 0: all are looked at */
  const double *draws;         /* candidates x max_steps uniforms */
  int threads;
} greedy_options;

typedef struct {
  /* in */
  const double *y, *v; /* response; weights summing to n, or NULL */
  double tau[2];       /* ridge of features and of sources; out: times the columns if per_column;
                        * infinite: no column of the kind enters */
  /* out: arrays of max_steps, or of max_steps + 1 with step 0 first; room by the caller. A model is
   * there at the ends of groups, the number of columns at which they are whole: ends[0] = 0, ...; what
   * lies in between is not filled. `averaged` is the first of those that the mean is over. */
  int n_steps, n_ends, averaged, *ends;
  int *entered;                                  /* column numbers, max_steps */
  double *gain;                                  /* max_steps */
  double *center, *scale;                        /* of the entered, max_steps */
  double *objective, *rss, *df, *loo, *accuracy; /* max_steps + 1 */
  double *residual;                              /* n: of the last step, or the steps' mean */
  double *deleted, *score; /* n, with `average`: the steps' mean of the leave-one-out residuals
                            * times sqrt(v), and, with `scores`, of the scores without the row */
  /* the recursion's own; columns of U and rows of L (1, 2, ... numbers) made step by step */
  double *A, *D, **U, **L, *q, *ys, *Py, *diag, *sv, *u, *Pc[2];
  double n, yy;          /* rows; sum of squares of y about its mean */
  double y_mean, common; /* common: squared scale of the sources, 0 if each has its own */
  int done, known;       /* known: D holds the columns' sums of squares already */
  double **cross; /* by group the upper triangle of D_g (sums of squares on its diagonal), NULL of
                          * single columns and of groups that are in */
  double *ridge, *t;  /* N: the ridge's part of D; t */
  chol_factor factor; /* of D_g of one group, with L^-1 a_g */
  double *products;   /* work: a column of D_g */
  size_t *inside;     /* work: which columns of the group the factor has */
  int kept;           /* columns of `keep` that have had their turn */
  size_t next, last;  /* of groups->column: what is still to enter of the group of now */
} greedy_problem;

/* Coefficients on the original scale, by L'w = U'y: steps 1, 2, ... one after another, of 1, 2, ...
 * numbers, each step's in ascending order of the columns, whose numbers go to `row`; intercepts
 * a0 (n_steps + 1, step 0 first). k^3/6 flops. */
void greedy_coefficients(const greedy_problem *problem, int *row, double *coef, double *a0);

/* The scale of the sources that all of them share, squared, from their sums of squares ss (N;
 * 0: the column does not vary): sum_j ss_j / (n s). 0 if each has its own. Also counts the
 * features and the sources that vary. */
double greedy_common_scale(const double *ss, size_t p, size_t N, size_t n,
                           const greedy_options *options, double count[2]);

/* The squared scale of one column. */
double greedy_squared_scale(double ss, int is_source, double common, const greedy_options *options);

/* The residual and leave-one-out of a path that is complete, as means over its steps or of the last. */
void greedy_finish(greedy_problem *problem, size_t n, int average);

/* Runs all problems. d->center may be filled where problems are `known`. Returns STATUS_OK, or
 * with *bad the column: STATUS_NOT_FINITE, STATUS_COLLINEAR_KEEP; STATUS_CONSTANT_Y with *bad
 * the problem. */
status greedy_path(design *d, greedy_problem *problems, int n_problems,
                   const greedy_options *options, size_t *bad);

#endif
