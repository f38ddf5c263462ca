/* domain_variances.c - see domain_variances.h. */
#include "domain_variances.h"

#include <math.h>

#include "average.h"
#include "moderate.h"
#include "port.h"

enum { SHARES = 99 };

double variance_of_ridge(const double *d, const double *u2, size_t r, double yy, double m)
{
  double sum = 0, rest = yy, s2[SHARES], weight[SHARES], out = 0;
  for (size_t i = 0; i < r; i++) {
    sum += d[i];
    rest -= u2[i];
  }
  rest = fmax(rest, 0);
  for (int k = 0; k < SHARES; k++) {
    const double share = (k + .5) / SHARES;
    double total = rest / share, logs = 0;
    for (size_t i = 0; i < r; i++) {
      const double v = share + (1 - share) * d[i] * m / sum;
      total += u2[i] / v;
      logs += log(v);
    }
    total /= m;
    s2[k] = share * total;
    weight[k] = -(m * log(total) + logs + (m - (double)r) * log(share)) / 2;
  }
  average_weights(weight, SHARES, 0, weight);
  for (int k = 0; k < SHARES; k++) out += weight[k] * s2[k];
  return out;
}

int variance_any_degrees(const variance_domains *domains)
{
  for (size_t t = 0; t < domains->T; t++)
    if (!domains->known[t] && domains->df[t] > 0) return 1;
  return 0;
}

/* The variances of m domains, none of them known. On entry out has their s_t^2 and degrees of freedom. */
static void variances_of_rows(size_t m, int moderate, const double *ridge, variance_found *out)
{
  double *s2 = out->s2, *df = out->df, all = 0, within = 0;
  size_t with = 0;
  for (size_t t = 0; t < m; t++) {
    all += df[t];
    within += s2[t] * df[t];
    with += df[t] > 0;
  }
  within /= all;
  const double enough = m > 1 && !moderate ? VARIANCE_LEAST_DF : 1;
  for (size_t t = 0; t < m; t++)
    out->from[t] = !(all > 0)       ? VARIANCE_LIKELIHOOD
                   : df[t] < enough ? VARIANCE_OF_ALL
                   : moderate       ? VARIANCE_MODERATED
                                    : VARIANCE_OWN;
  if (!(all > 0)) {
    for (size_t t = 0; t < m; t++) s2[t] = ridge ? ridge[t] : NAN;
  } else if (!moderate) {
    for (size_t t = 0; t < m; t++) {
      if (df[t] >= enough) continue;
      s2[t] = within;
      df[t] = all;
    }
  } else if (with < 2 || within == 0) { /* how far variances differ cannot be estimated */
    for (size_t t = 0; t < m; t++) {
      s2[t] = within;
      df[t] = all;
    }
  } else {
    const double d0 = moderate_by_df(s2, df, m, ALLOC(m, double), s2);
    for (size_t t = 0; t < m; t++) df[t] = fmin(d0 + df[t], all);
  }
}

void domain_variances(const variance_domains *domains, const double *ridge, variance_found *out)
{
  const size_t T = domains->T;
  size_t *domain = ALLOC(T, size_t), m = 0;
  for (size_t t = 0; t < T; t++) {
    if (!domains->known[t]) domain[m++] = t;
    out->s2[t] = 1;
    out->df[t] = HUGE_VAL;
    out->from[t] = VARIANCE_KNOWN;
  }
  variance_found rows = {ALLOC(m, double), ALLOC(m, double), ALLOC(m, enum variance_source)};
  double *of_ridge = ridge ? ALLOC(m, double) : NULL;
  for (size_t k = 0; k < m; k++) {
    rows.df[k] = domains->df[domain[k]];
    rows.s2[k] = domains->rss[domain[k]] / fmax(rows.df[k], 1);
    if (ridge) of_ridge[k] = ridge[domain[k]];
  }
  variances_of_rows(m, domains->moderate && m > 1, of_ridge, &rows);
  for (size_t k = 0; k < domains->n_given && k < m; k++) {
    rows.s2[k] = domains->given[k];
    rows.from[k] = VARIANCE_GIVEN;
    rows.df[k] = HUGE_VAL;
  }
  for (size_t k = 0; k < m; k++) {
    out->s2[domain[k]] = fmax(rows.s2[k], 1e-10 * domains->square[domain[k]]);
    out->df[domain[k]] = rows.df[k];
    out->from[domain[k]] = rows.from[k];
  }
}
