/* msplit_common_entry.h - arguments and results that the kernels of msplit() have in common. */
#ifndef TRANSELECT_MSPLIT_COMMON_ENTRY_H
#define TRANSELECT_MSPLIT_COMMON_ENTRY_H

#include "args_entry.h"
#include "iss_path.h"
#include "iss_system.h"

#define RESULTS(name)                                                                              \
  name(response), name(event), name(t), name(loss), name(loo), name(df), name(reml),               \
      name(criterion), name(size), name(index), name(value), name(a0), name(changes),              \
      name(change), name(events), name(end), name(complete), name(step), name(time), name(dense),  \
      name(dense_a0), name(points), name(every), name(every_a0), name(best), name(best_criterion), \
      name(kept)
enum { RESULTS(PLACE) };

/* Settings of all kernels. */
typedef struct {
  int intercept, standardize;
  SEXP nu, times; /* positive numbers; one vector for each nu, or R's NULL: the path's own times */
  SEXP kept;      /* rows: iss_data.kept; moments: the number of kept columns; R's NULL: none */
} msplit_settings;

/* Centres, scales and mean squares, by which coefficients are put on the original scale and criteria into units of
 * standard deviations. */
typedef struct {
  double *center, *scale, *y_mean;
  size_t varying;     /* number of columns that vary */
  double *log_square; /* log mean square of each column; NULL where all mean squares are 1 */
  double *log_y;      /* log mean square of each response */
  double left;        /* number of rows less intercept and kept columns */
} msplit_origin;

typedef struct {
  SEXP
      out; /* list(status, bad, center, scale, y_mean, fits, bound, rows), protected by the caller */
  status state;
  size_t bad; /* the column that was refused */
  iss_data rows;
  const double *y;    /* n x q; NULL with moments */
  const double *gram; /* NULL, or the Gram matrix, of moments or of the rows of an earlier call */
  int q;
  msplit_origin origin;
} msplit_input;

msplit_settings msplit_read_settings(SEXP options);

/* The exact path, the discrete path, and the ridges of supports. For arguments and results see transelect_msplit(). */
SEXP msplit_iss(SEXP data, SEXP y, SEXP weights, SEXP options);
SEXP msplit_lbi(SEXP data, SEXP y, SEXP weights, SEXP options);
SEXP msplit_ridges(SEXP data, SEXP y, SEXP weights, SEXP options, SEXP supports);

/* data: list(features), y: n x q, weights: n positive numbers of sum n, or NULL. Standardises the columns. rooted: rows
 * and responses are multiplied by the roots of the weights, and element `rows` of the result has the standardised rows.
 * centred: responses less their means. Or `data` are the `rows` of an earlier call, which are used as they are. Or,
 * with NULL for y, `data` are second moments, see entry_gram(). The result's `out` is not protected. */
msplit_input msplit_read(SEXP data, SEXP y, SEXP weights, const msplit_settings *s, int centred,
                         int rooted);

/* msplit_read() for ridges of supports, without a copy of the rows. data: list(x, gram) of class MANY_CLASS: a matrix
 * of rows that are not standardised (iss_data.center), and its second moments. */
#define MANY_CLASS "msplit_many_rows"
msplit_input msplit_read_many(SEXP data, SEXP y, SEXP weights, const msplit_settings *s);

/* X'X, or XX' where there are more columns than rows (*wide <- 1); element `rows` of the result gets a copy. NULL where
 * in->state is not STATUS_OK. */
const double *msplit_gram(const msplit_input *in, int *wide);

/* Element k of `fits` becomes an empty result for one nu, with the names of element 0. */
SEXP msplit_result(SEXP fits, R_xlen_t k);

/* -2 log evidence, up to a constant, of the support P of event k of response r: reml + |P| log n + 2 log choose(d,
 * |P|), d the number of columns that vary, responses and columns of P in units of their standard deviations. */
double msplit_criterion(const iss_path *p, int k, double n, const msplit_origin *o, int r);

/* Fills the result with the events of all responses, one response after the other; coefficients are on the original
 * scale. */
void msplit_put_events(SEXP out, const iss_path *path, int q, const msplit_origin *o, double n);

/* Puts a dense estimator (d) on the original scale, in place; returns its intercept. level: the mean of the
 * response. */
double msplit_unscale(double *dense, size_t d, double level, const msplit_origin *o);

#endif
