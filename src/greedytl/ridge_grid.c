/* ridge_grid.c - see ridge_grid.h. */
#include "ridge_grid.h"

#include <math.h>
#include <stdlib.h>

#include "port.h"

ridge_grid ridge_grid_new(const ridge_values *of, const double count[2], int with_mean,
                          int needs_sources)
{
  ridge_grid g = {.of = of,
                  .nx = count[0] > 0 ? of->nx : 1,
                  .nh = count[1] > 0 ? of->nh : 1,
                  .nc = with_mean ? 2 : 1};
  for (int k = 0; k < ridge_grid_size(&g); k++)
    g.value[k] = needs_sources && g.nh > 1 && k % g.nh == g.nh - 1 ? -INFINITY : NAN;
  return g;
}

double ridge_grid_prior(const double count[2], double ax, double ah, int c)
{
  double value = 0;
  if (!(count[1] > 0)) return 0;
  if (count[0] > 0) value -= log(ax / 10) * log(ax / 10) / 8;
  if (ah < 1) value -= log(ah) * log(ah) / (2 * .75 * .75);
  if (c) return value + log(3);
  return isinf(ah) ? value + log(30) : value;
}

double ridge_grid_alpha_x(const ridge_grid *g, int k)
{
  return pow(10, g->of->first + g->of->step * (k % (g->nx * g->nh) / g->nh));
}

double ridge_grid_alpha_h(const ridge_grid *g, int k)
{
  if (g->nh == 1) return NAN;
  const int h = k % g->nh;
  return h == g->nh - 1 ? INFINITY : pow(10, h == g->nh - 2 ? 4 : g->of->first + g->of->step * h);
}

int ridge_grid_has_mean(const ridge_grid *g, int k)
{
  return k >= g->nx * g->nh;
}

int ridge_grid_is_without(const ridge_grid *g, int k)
{
  return g->nh > 1 && k % g->nh == g->nh - 1 && !ridge_grid_has_mean(g, k);
}

static void evaluate(ridge_grid *g, int k)
{
  if (!isnan(g->value[k])) return;
  const int pairs = g->nx * g->nh, at = k % pairs;
  double value[2];
  g->criteria(g->model, ridge_grid_alpha_x(g, at), ridge_grid_alpha_h(g, at), value);
  for (int c = 0; c < g->nc; c++)
    if (isnan(g->value[at + c * pairs]))
      g->value[at + c * pairs] = isnan(value[c]) ? -INFINITY : value[c];
  if (!g->progress) return;
  port_poll();
  int evaluated = 0;
  for (int i = 0; i < ridge_grid_size(g); i++) evaluated += !isnan(g->value[i]);
  port_progress(evaluated, 0);
}

/* Are pairs a and b neighbours? Those with infinite alpha_h are so among themselves only: they are far from 10^4 and
 * without c have another prior. */
static int neighbours(const ridge_grid *g, int a, int b)
{
  const int ha = a % g->nh, hb = b % g->nh, last = g->nh - 1;
  if (ridge_grid_has_mean(g, a) != ridge_grid_has_mean(g, b) || abs(a / g->nh - b / g->nh) > 1)
    return 0;
  return g->nh == 1 || ((ha == last) == (hb == last) && abs(ha - hb) <= 1);
}

static void climb(ridge_grid *g, int at)
{
  for (;;) {
    int best = at;
    evaluate(g, at);
    for (int k = 0; k < ridge_grid_size(g); k++) {
      if (!neighbours(g, at, k)) continue;
      evaluate(g, k);
      if (g->value[k] > g->value[best]) best = k;
    }
    if (best == at) return;
    at = best;
  }
}

void ridge_grid_spread(ridge_grid *g)
{
  const int n = ridge_grid_size(g);
  for (int found = 1; found;) {
    double most = -INFINITY;
    found = 0;
    for (int k = 0; k < n; k++) most = fmax(most, g->value[k]);
    for (int k = 0; k < n; k++) {
      if (!(g->value[k] >= most + log(RIDGE_LEAST))) continue;
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
