/* ridge_grid.c - see ridge_grid.h. */
#include "ridge_grid.h"

#include <math.h>
#include <stdlib.h>

#include "port.h"

/* The log priors of alpha_x and of alpha_h, without the terms that depend on c. */
static double prior_x(double ax)
{
  return -log(ax / 10) * log(ax / 10) / 8;
}

static double prior_h(double ah)
{
  return ah < 1 ? -log(ah) * log(ah) / (2 * .75 * .75) : 0;
}

static double prior_of_mean(double ah, int c)
{
  return c ? log(3) : isinf(ah) ? log(30) : 0;
}

ridge_grid ridge_grid_new(const ridge_values *of, const double count[2], int with_mean,
                          int needs_sources)
{
  const int sources = count[1] > 0;
  ridge_grid g = {.of = of,
                  .nx = count[0] > 0 ? of->nx : 1,
                  .nh = sources ? of->nh : 1,
                  .nc = with_mean ? 2 : 1};
  for (int k = 0; k < g.nx; k++) {
    g.alpha[0][k] = pow(10, of->first + of->step * k);
    g.prior[0][k] = sources && count[0] > 0 ? prior_x(g.alpha[0][k]) : 0;
  }
  for (int k = 0; k < g.nh; k++) {
    const int last = g.nh - 1;
    const double ah = k == last       ? INFINITY
                      : k == last - 1 ? 1e4
                                      : pow(10, of->first + of->step * k);
    g.alpha[1][k] = sources ? ah : NAN;
    g.prior[1][k] = sources ? prior_h(ah) : 0;
  }
  for (int k = 0; k < ridge_grid_size(&g); k++)
    g.value[k] = needs_sources && g.nh > 1 && k % g.nh == g.nh - 1 ? -INFINITY : NAN;
  return g;
}

double ridge_grid_prior(const double count[2], double ax, double ah, int c)
{
  if (!(count[1] > 0)) return 0;
  return (count[0] > 0 ? prior_x(ax) : 0) + prior_h(ah) + prior_of_mean(ah, c);
}

static void evaluate(ridge_grid *g, int k)
{
  if (!isnan(g->value[k])) return;
  const int pairs = g->nx * g->nh, pair = k % pairs, x = pair / g->nh, h = pair % g->nh;
  const double ah = g->alpha[1][h];
  double value[2];
  g->criteria(g->model, pair, g->alpha[0][x], ah, value);
  for (int c = 0; c < g->nc; c++) {
    double *to = &g->value[pair + c * pairs];
    if (!isnan(*to)) continue;
    *to = isnan(value[c]) ? -INFINITY : value[c] + g->prior[0][x] + g->prior[1][h];
    if (!isnan(ah)) *to += prior_of_mean(ah, c);
  }
  if (!g->progress) return;
  port_poll();
  int evaluated = 0;
  for (int i = 0; i < ridge_grid_size(g); i++) evaluated += !isnan(g->value[i]);
  port_progress(evaluated, 0);
}

/* Are pairs a and b neighbours? Pairs with infinite alpha_h are neighbours of each other only: they are far from 10^4,
 * and with c = 0 their prior differs. */
static int neighbours(const ridge_grid *g, int a, int b)
{
  const int ha = a % g->nh, hb = b % g->nh, last = g->nh - 1;
  if (ridge_grid_has_mean(g, a) != ridge_grid_has_mean(g, b) || abs(a / g->nh - b / g->nh) > 1)
    return 0;
  return g->nh == 1 || ((ha == last) == (hb == last) && abs(ha - hb) <= 1);
}

static void climb(ridge_grid *g, int from)
{
  for (;;) {
    int best = from;
    evaluate(g, from);
    for (int k = 0; k < ridge_grid_size(g); k++) {
      if (!neighbours(g, from, k)) continue;
      evaluate(g, k);
      if (g->value[k] > g->value[best]) best = k;
    }
    if (best == from) return;
    from = best;
  }
}

void ridge_grid_spread(ridge_grid *g)
{
  const int n = ridge_grid_size(g);
  for (int found = 1; found;) {
    double most = -INFINITY;
    found = 0;
    for (int k = 0; k < n; k++) most = fmax(most, g->value[k]);
    const double least = most + log(RIDGE_LEAST);
    for (int k = 0; k < n; k++) {
      if (!(g->value[k] >= least)) continue;
      for (int l = 0; l < n; l++)
        if (isnan(g->value[l]) && neighbours(g, k, l)) {
          evaluate(g, l);
          found = 1;
        }
    }
  }
}

int ridge_grid_best(const ridge_grid *g, int without)
{
  int best = -1;
  for (int k = 0; k < g->nx * g->nh; k++)
    if (ridge_grid_is_without(g, k) == without && !isnan(g->value[k]) &&
        (best < 0 || g->value[k] > g->value[best]))
      best = k;
  return best;
}

void ridge_grid_all(ridge_grid *g)
{
  for (int k = 0; k < ridge_grid_size(g); k++) evaluate(g, k);
}

void ridge_grid_search(ridge_grid *g, int needs_sources)
{
  const int x = (g->nx > 1 ? g->of->start_x : 0) * g->nh;
  for (int c = 0; c < g->nc; c++)
    climb(g, x + (g->nh > 1 ? g->of->start_h : 0) + c * g->nx * g->nh);
  if (g->nh > 1 && !needs_sources) climb(g, x + g->nh - 1);
}
