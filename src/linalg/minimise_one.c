/* minimise_one.c - see minimise_one.h. */
#include "minimise_one.h"

#include <float.h>
#include <math.h>

typedef struct {
  double x, value;
} point;

double minimise_one(double low, double high, double (*f)(double x, const void *data), const void *data, double tol)
{
  const double golden = (3 - sqrt(5)) / 2, precision = sqrt(DBL_EPSILON);
  point best = {low + golden * (high - low), 0};
  best.value = f(best.x, data);
  point second = best, third = best;
  double step = 0, before = 0; /* the last step, and the one before it */
  for (;;) {
    const double middle = (low + high) / 2, least = precision * fabs(best.x) + tol / 3;
    if (fabs(best.x - middle) <= 2 * least - (high - low) / 2) return best.x;
    double p = 0, q = 0, older = 0; /* the parabola's step is p/q */
    if (fabs(before) > least) {
      const double r = (best.x - second.x) * (best.value - third.value);
      q = (best.x - third.x) * (best.value - second.value);
      p = (best.x - third.x) * q - (best.x - second.x) * r;
      q = 2 * (q - r);
      if (q > 0)
        p = -p;
      else
        q = -q;
      older = before;
      before = step;
    }
    if (fabs(p) >= fabs(q * older / 2) || p <= q * (low - best.x) || p >= q * (high - best.x)) {
      before = best.x < middle ? high - best.x : low - best.x;
      step = golden * before;
    } else {
      step = p / q;
      const double to = best.x + step;
      if (to - low < 2 * least || high - to < 2 * least) step = best.x < middle ? least : -least;
    }
    const double move = fabs(step) >= least ? step : step > 0 ? least : -least;
    point next = {best.x + move, 0};
    next.value = f(next.x, data);
    if (next.value <= best.value) {
      *(next.x < best.x ? &high : &low) = best.x;
      third = second;
      second = best;
      best = next;
    } else {
      *(next.x < best.x ? &low : &high) = next.x;
      if (next.value <= second.value || second.x == best.x) {
        third = second;
        second = next;
      } else if (next.value <= third.value || third.x == best.x || third.x == second.x)
        third = next;
    }
  }
}
