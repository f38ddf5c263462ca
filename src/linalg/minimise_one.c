/* minimise_one.c - see minimise_one.h. */
#include "minimise_one.h"

#include <float.h>
#include <math.h>

typedef struct {
  double at, value;
} point;

double minimise_one(double low, double high, double (*f)(double x, const void *data), const void *data, double tol)
{
  const double golden = (3 - sqrt(5)) / 2, precision = sqrt(DBL_EPSILON);
  point best = {low + golden * (high - low), 0};
  best.value = f(best.at, data);
  point second = best, third = best;
  double step = 0, before = 0; /* the last step, and the one before it */
  for (;;) {
    const double middle = (low + high) / 2, least = precision * fabs(best.at) + tol / 3;
    if (fabs(best.at - middle) <= 2 * least - (high - low) / 2) return best.at;
    double p = 0, q = 0, older = 0; /* the parabola's step is p/q */
    if (fabs(before) > least) {
      const double r = (best.at - second.at) * (best.value - third.value);
      q = (best.at - third.at) * (best.value - second.value);
      p = (best.at - third.at) * q - (best.at - second.at) * r;
      q = 2 * (q - r);
      if (q > 0)
        p = -p;
      else
        q = -q;
      older = before;
      before = step;
    }
    if (fabs(p) >= fabs(q * older / 2) || p <= q * (low - best.at) || p >= q * (high - best.at)) {
      before = best.at < middle ? high - best.at : low - best.at;
      step = golden * before;
    } else {
      step = p / q;
      const double to = best.at + step;
      if (to - low < 2 * least || high - to < 2 * least) step = best.at < middle ? least : -least;
    }
    const double move = fabs(step) >= least ? step : step > 0 ? least : -least;
    point next = {best.at + move, 0};
    next.value = f(next.at, data);
    if (next.value <= best.value) {
      *(next.at < best.at ? &high : &low) = best.at;
      third = second;
      second = best;
      best = next;
    } else {
      *(next.at < best.at ? &low : &high) = next.at;
      if (next.value <= second.value || second.at == best.at) {
        third = second;
        second = next;
      } else if (next.value <= third.value || third.at == best.at || third.at == second.at)
        third = next;
    }
  }
}
