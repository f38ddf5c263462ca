/* msplit_ridge_entry.c - from R to iss_ridge.c and back. */
#include <limits.h>
#include <math.h>

#include "iss_ridge.h"
#include "msplit_common_entry.h"

static const char *const parts[] = {"nu", "loo", "df", "loss", "a0", "dense", "along", ""};
enum { PART_A0 = 4, PART_DENSE, PART_ALONG };

/* Support k is one of response[k] and has the columns index[start[k]..start[k + 1] - 1]. */
typedef struct {
  size_t count;
  const int *response, *start, *index;
} supports;

static supports read_supports(SEXP list, int q, size_t d)
{
  SEXP response = entry_field(list, "response", "supports"),
       index = entry_field(list, "index", "supports");
  const R_xlen_t count = XLENGTH(response), columns = XLENGTH(index);
  supports s = {.count = (size_t)count, .response = entry_integers(response, -1, "response")};
  s.start = entry_integers(entry_field(list, "start", "supports"), count + 1, "start");
  s.index = entry_integers(index, -1, "index");
  if (s.start[0] != 0 || s.start[count] != columns)
    Rf_error("'start' must begin at 0 and end at the length of 'index'");
  int *seen = ALLOC(d, int);
  for (int k = 0; k < count; k++) {
    if (s.response[k] < 1 || s.response[k] > q) Rf_error("'response' is out of range");
    if (s.start[k + 1] < s.start[k] || s.start[k + 1] > columns)
      Rf_error("'start' must not decrease");
    for (int i = s.start[k]; i < s.start[k + 1]; i++) {
      const int j = s.index[i];
      if (j < 0 || (size_t)j >= d || seen[j] == k + 1) Rf_error("'index' is out of range");
      seen[j] = k + 1;
    }
  }
  return s;
}

/* data: see msplit_read(), or msplit_read_many() for those of class MANY_CLASS. list: supports, with response (1..q),
 * start and index (columns, from 0 on). `fits` has nu, loo, df, loss and a0, one number for each support; dense,
 * d x supports; and `along`, the leave-one-out error at every nu, nu x supports. loo and along are NA with moments. */
SEXP msplit_ridges(SEXP data, SEXP y, SEXP weights, SEXP options, SEXP list)
{
  const msplit_settings common = msplit_read_settings(options);
  msplit_input in = Rf_inherits(data, MANY_CLASS) ? msplit_read_many(data, y, weights, &common)
                                                  : msplit_read(data, y, weights, &common, 1, 1);
  SEXP out = PROTECT(in.out);
  SEXP result = SET_VECTOR_ELT(out, 5, Rf_mkNamed(VECSXP, (const char **)parts));
  const size_t d = in.rows.d;
  const supports s = read_supports(list, in.q, d);
  double *number[4], *a0 = entry_numbers(result, PART_A0, s.count);
  for (int k = 0; k < 4; k++) number[k] = entry_numbers(result, k, s.count);
  double *dense = entry_numbers(result, PART_DENSE, d * s.count);
  const size_t n_nu = (size_t)XLENGTH(common.nu);
  double *along = entry_numbers(result, PART_ALONG, n_nu * s.count);
  iss_ridge ridge = {.nu = REAL(common.nu), .n_nu = n_nu, .rows = &in.rows};
  ridge.gram = msplit_gram(&in, &ridge.wide);
  const double *b = in.rows.b, *yy = in.rows.yy;
  status state = in.state;
  if (state == STATUS_OK) state = iss_ridge_ready(&ridge, s.count, (size_t)s.start[s.count]);
  for (size_t k = 0; k < s.count && state == STATUS_OK; k++, dense += d, along += n_nu) {
    const void *mark = vmaxget();
    port_progress((double)k, (double)s.count);
    const size_t r = (size_t)s.response[k] - 1, from = (size_t)s.start[k];
    if (b) { /* moments: those of this response */
      in.rows.b = b + r * d;
      in.rows.yy = yy + r;
    }
    iss_ridge_worth worth = {.dense = dense, .along = along};
    iss_ridge_given(&ridge, in.y ? in.y + r * in.rows.n : NULL, s.index + from,
                    (size_t)s.start[k + 1] - from, &worth);
    const double known[] = {worth.nu, worth.loo, worth.df, worth.loss};
    for (int part = 0; part < 4; part++)
      number[part][k] = isnan(known[part]) ? NA_REAL : known[part];
    a0[k] = msplit_unscale(dense, d, in.origin.y_mean[r], &in.origin);
    vmaxset(mark);
  }
  entry_put_status(out, state, in.bad);
  UNPROTECT(1);
  return out;
}
