/* minimise.c - see minimise.h. */
#include "minimise.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels.h"
#include "port.h"

enum { MOST_ITERATIONS = 200, MOST_CUTS = 30, MOST_SETTLING = 20 };
static const double LONGEST = 3;       /* the largest change of a variable in one step */
static const double SHORT = 0.3;       /* after a longer step the curvature is computed anew */
static const double SUFFICIENT = 1e-4; /* Armijo: least decrease, as a share of that by the slope */
static const double ROUNDING = 1e-6;   /* relative rise of the value in minimise_settle() */
static const double SETTLED = 1e-9;    /* minimise_settle() ends where no variable moves as far */
static const double SAME = 0.2;        /* largest difference of values that lead to one minimum */

minimise_box minimise_new(int n, int columns)
{
  const size_t length = (size_t)n;
  minimise_box m = {.n = n};
  double **vectors[] = {&m.x,    &m.low,   &m.high,  &m.gradient,
                        &m.step, &m.trial, &m.slope, &m.product};
  for (size_t k = 0; k < sizeof(vectors) / sizeof(vectors[0]); k++)
    *vectors[k] = ALLOC(length, double);
  m.curvature = curvature_new(n, columns);
  m.free = ALLOC(length, int);
  return m;
}

static double inside(double x, double low, double high)
{
  return x < low ? low : x > high ? high : x;
}

/* step <- the Newton step of the variables that may move; returns the predicted decrease, that of the quadratic model,
 * and 0 if the curvature is not positive definite. */
static double newton_step(minimise_box *m)
{
  int count = 0;
  for (int k = 0; k < m->n; k++) {
    const int held = (m->x[k] <= m->low[k] && m->gradient[k] >= 0) ||
                     (m->x[k] >= m->high[k] && m->gradient[k] <= 0);
    m->step[k] = 0;
    if (!held) m->free[count++] = k;
  }
  if (!count) return 0;
  for (int b = 0; b < count; b++) m->product[b] = -m->gradient[m->free[b]];
  if (!curvature_solve(&m->curvature, m->free, count, m->product)) return 0;
  double promised = 0, longest = 0;
  for (int b = 0; b < count; b++) {
    m->step[m->free[b]] = m->product[b];
    promised -= m->gradient[m->free[b]] * m->product[b] / 2;
    if (fabs(m->product[b]) > longest) longest = fabs(m->product[b]);
  }
  if (longest > LONGEST)
    for (int k = 0; k < m->n; k++) m->step[k] *= LONGEST / longest;
  return promised;
}

/* Powell's damped update with s = trial - x and y = slope - gradient, which overwrite `step` and `gradient`. Without
 * room for the update the curvature is `stale`. */
static void update_curvature(minimise_box *m)
{
  const int n = m->n;
  double sBs = 0, sy = 0, *Bs = m->product, *s = m->step, *y = m->gradient;
  for (int k = 0; k < n; k++) s[k] = m->trial[k] - m->x[k];
  curvature_times(&m->curvature, s, Bs);
  for (int k = 0; k < n; k++) {
    y[k] = m->slope[k] - y[k];
    sBs += s[k] * Bs[k];
    sy += s[k] * y[k];
  }
  if (!(sBs > 0)) return;
  const double share = sy >= 0.2 * sBs ? 1 : 0.8 * sBs / (sBs - sy);
  const double sr = share * sy + (1 - share) * sBs;
  for (int k = 0; k < n; k++) y[k] = share * y[k] + (1 - share) * Bs[k];
  if (!curvature_update(&m->curvature, y, sr, Bs, sBs)) m->stale = 1;
}

/* Shortens the step until the value falls enough (Armijo); returns 0 if it never does. */
static int line_search(minimise_box *m, minimise_function f, void *data)
{
  double share = 1;
  for (int cut = 0; cut < MOST_CUTS; cut++) {
    double expected = 0;
    for (int k = 0; k < m->n; k++) {
      m->trial[k] = inside(m->x[k] + share * m->step[k], m->low[k], m->high[k]);
      expected += m->gradient[k] * (m->trial[k] - m->x[k]);
    }
    const double value = f(m->trial, m->slope, data);
    m->evaluations++;
    m->here = 0;
    if (value <= m->value + SUFFICIENT * expected) {
      update_curvature(m);
      memcpy(m->x, m->trial, (size_t)m->n * sizeof(double));
      memcpy(m->gradient, m->slope, (size_t)m->n * sizeof(double));
      m->value = value;
      m->here = 1;
      return 1;
    }
    const double curve = value - m->value - expected;
    const double parabola = curve > 0 ? -expected / (2 * curve) : 0.5;
    share *= parabola < 0.1 ? 0.1 : parabola > 0.5 ? 0.5 : parabola;
  }
  return 0;
}

static double longest(const double *step, int n)
{
  double most = 0;
  for (int k = 0; k < n; k++)
    if (fabs(step[k]) > most) most = fabs(step[k]);
  return most;
}

/* Computes the curvature by `curve`; raises its diagonal so far that no variable's own Newton step is longer than
 * LONGEST. */
static void look(minimise_box *m, void *data)
{
  curvature_clear(&m->curvature);
  m->curve(m->x, &m->curvature, data);
  for (int k = 0; k < m->n; k++) m->product[k] = fabs(m->gradient[k]) / LONGEST + DBL_MIN;
  curvature_raise(&m->curvature, m->product);
  m->stale = 0;
}

/* Does the Newton step lead to the minimum of the other run: do the values, and by that run's curvature the points,
 * differ by SAME or less? */
static int leads_to_other(const minimise_box *m, double promised)
{
  const minimise_box *other = m->other;
  if (!other || promised > SAME || fabs(m->value - promised - other->value) > SAME) return 0;
  double *away = m->trial;
  for (int k = 0; k < m->n; k++)
    away[k] = inside(m->x[k] + m->step[k], m->low[k], m->high[k]) - other->x[k];
  curvature_times(&other->curvature, away, m->product);
  return dot(away, m->product, (size_t)m->n) / 2 < SAME;
}

void minimise_run(minimise_box *m, minimise_function f, void *data, double negligible)
{
  for (int k = 0; k < m->n; k++) m->x[k] = inside(m->x[k], m->low[k], m->high[k]);
  m->value = f(m->x, m->gradient, data);
  m->here = 1;
  if (!m->evaluations++ && m->curve) look(m, data);
  int fresh = 0;
  for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++) {
    const double promised = newton_step(m), before = m->value, size = 1 + fabs(before);
    if (promised > 0 && (promised <= negligible * size || leads_to_other(m, promised))) return;
    if (promised > 0 && line_search(m, f, data)) {
      /* a step that lowers the value by no more than rounding is the last */
      if (before - m->value <= DBL_EPSILON * size) return;
      if (m->curve && (m->stale || longest(m->step, m->n) > SHORT)) look(m, data);
      fresh = 0;
      continue;
    }
    if (fresh) return;
    curvature_forget(&m->curvature); /* one more search, along the gradient, before the run ends */
    fresh = 1;
  }
}

void minimise_settle(minimise_box *m, minimise_function f, void *data)
{
  const size_t size = (size_t)m->n * sizeof(double);
  double before = HUGE_VAL;
  int fresh = !m->curve;
  for (int k = 0; k < MOST_SETTLING; k++) {
    double promised = newton_step(m);
    if (!fresh && !(promised > 0 && promised < before / 4)) {
      if (!m->here) m->value = f(m->x, m->gradient, data);
      m->here = fresh = 1;
      look(m, data);
      promised = newton_step(m);
      before = HUGE_VAL;
    }
    if (!(promised > 0 && promised < before) || longest(m->step, m->n) < SETTLED) return;
    before = promised;
    for (int j = 0; j < m->n; j++)
      m->trial[j] = inside(m->x[j] + m->step[j], m->low[j], m->high[j]);
    const double value = f(m->trial, m->slope, data);
    m->evaluations++;
    m->here = 0;
    if (!(value <= m->value + ROUNDING * (1 + fabs(m->value)))) return;
    update_curvature(m);
    memcpy(m->x, m->trial, size);
    memcpy(m->gradient, m->slope, size);
    m->value = value;
    m->here = 1;
  }
}

void minimise_last_step(minimise_box *m, double negligible)
{
  const double promised = newton_step(m);
  if (!(promised > 0 && promised <= negligible * (1 + fabs(m->value)))) return;
  for (int k = 0; k < m->n; k++) m->x[k] = inside(m->x[k] + m->step[k], m->low[k], m->high[k]);
  m->value -= promised;
  m->here = 0;
}
