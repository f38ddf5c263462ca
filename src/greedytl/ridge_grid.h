/* ridge_grid.h - pairs of ridges, alpha_x of the features and alpha_h of the sources, each with c = 0 or 1, whose
 * criterion is evaluated where it may be large. For the model and the prior of the three see evidence.h.
 *
 * alpha_x is one of 10^(first + k step), k < nx, alpha_h one of 10^(first + k step), k < nh - 2, 10^4 or infinite.
 * ridge_grid_all() evaluates all pairs; ridge_grid_search() moves from `start_x` and `start_h`, for each c, and from
 * `start_x` without source to the best neighbour, and ridge_grid_spread() then evaluates all neighbours of the pairs
 * that are kept. Work arrays: none. Cost: the evaluations.
 */
#ifndef TRANSELECT_RIDGE_GRID_H
#define TRANSELECT_RIDGE_GRID_H

enum { EVIDENCE_PAIRS = 176, RIDGE_VALUES = 11 };

#define RIDGE_LEAST .1 /* pairs with a smaller share of the largest weight are dropped */

typedef struct {
  double first, step; /* of log10(alpha) */
  int nx, nh, start_x, start_h;
} ridge_values;

typedef struct ridge_grid {
  const ridge_values *of;
  int nx, nh, nc; /* pair k = x nh + h + c nx nh; nx or nh is 1 where there are no such columns */
  double alpha[2][RIDGE_VALUES]; /* of features and of sources */
  double prior[2][RIDGE_VALUES]; /* log priors of these, without log(3) and log(30) */
  double value[EVIDENCE_PAIRS];  /* log marginal likelihood plus log prior; NAN: not evaluated */
  /* value <- the log marginal likelihood at pair k, with these alpha, for c = 0 and, if nc is 2, c = 1; NAN: there is
   * no such model. */
  void (*criteria)(void *model, int k, double alpha_x, double alpha_h, double value[2]);
  void *model;
  int progress; /* is every evaluation reported? */
} ridge_grid;

/* A grid without values. count: how many features and sources vary; with_mean: is c = 1 possible? needs_sources: is "no
 * source" impossible? */
ridge_grid ridge_grid_new(const ridge_values *of, const double count[2], int with_mean,
                          int needs_sources);

/* The log prior of a pair; 0 where there are no sources. */
double ridge_grid_prior(const double count[2], double alpha_x, double alpha_h, int c);

void ridge_grid_all(ridge_grid *g);
void ridge_grid_search(ridge_grid *g, int needs_sources);
void ridge_grid_spread(ridge_grid *g);

static inline double ridge_grid_alpha_x(const ridge_grid *g, int k)
{
  return g->alpha[0][k % (g->nx * g->nh) / g->nh];
}
/* NAN without sources. */
static inline double ridge_grid_alpha_h(const ridge_grid *g, int k)
{
  return g->alpha[1][k % g->nh];
}
/* The c of a pair. */
static inline int ridge_grid_has_mean(const ridge_grid *g, int k)
{
  return k >= g->nx * g->nh;
}
/* Is the pair without sources: alpha_h infinite and c = 0? */
static inline int ridge_grid_is_without(const ridge_grid *g, int k)
{
  return g->nh > 1 && k % g->nh == g->nh - 1 && !ridge_grid_has_mean(g, k);
}

/* The best pair evaluated, with sources and c = 0 (without = 0) or without sources (without = 1); -1 if there is
 * none. */
int ridge_grid_best(const ridge_grid *g, int without);

static inline int ridge_grid_size(const ridge_grid *g)
{
  return g->nx * g->nh * g->nc;
}

#endif
