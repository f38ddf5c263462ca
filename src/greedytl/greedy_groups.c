/* greedy_groups.c - groups of columns that enter together, see greedy.h and greedy_problem.h. */
#include <math.h>

#include "chol.h"
#include "greedy_problem.h"
#include "kernels.h"

static size_t size_of(const column_groups *groups, size_t g)
{
  return groups->start[g + 1] - groups->start[g];
}

/* Is column j one of several in its group? */
static int is_grouped(const column_groups *groups, size_t j)
{
  return groups && size_of(groups, (size_t)groups->of[j]) > 1;
}

void groups_look(greedy_problem *b, const greedy_products *from, const double *ss,
                 const column_groups *groups)
{
  size_t most = 1;
  b->cross = ALLOC(groups->n, double *);
  b->t = ALLOC(from->N, double);
  b->ridge = ALLOC(from->N, double);
  for (size_t j = 0; j < from->N; j++) b->ridge[j] = b->D[j] > 0 ? b->D[j] - ss[j] : 0;
  for (size_t g = 0; g < groups->n; g++) {
    const size_t m = size_of(groups, g), *column = groups->column + groups->start[g];
    if (m < 2) continue;
    if (m > most) most = m;
    b->cross[g] = ALLOC(m * m, double);
    from->products(from->of, b, column, m, b->cross[g]);
    for (size_t c = 0; c < m; c++) b->cross[g][c + c * m] = ss[column[c]];
    port_poll();
  }
  b->factor = ALLOC(1, chol_factor);
  *b->factor = chol_new(most, 0);
  b->solved = ALLOC(2 * most, double);
  b->row = b->solved + most;
  b->inside = ALLOC(most, size_t);
}

double groups_gain(const greedy_problem *b, size_t g, const column_groups *groups)
{
  const size_t m = size_of(groups, g), *column = groups->column + groups->start[g];
  const double *cross = b->cross[g];
  chol_factor *f = b->factor;
  double *y = b->solved, *row = b->row, gain = 0; /* y = L^-1 a_g */
  f->k = 0;
  for (size_t c = 0; c < m; c++) {
    const size_t j = column[c], rank = f->k;
    if (!(b->D[j] > 0)) continue;
    for (size_t r = 0; r < rank; r++) row[r] = cross[b->inside[r] + c * m];
    /* the diagonal of `cross` has the sums of squares of the columns */
    if (!chol_append(f, row, b->D[j], NULL, b->ridge[j] + COLLINEAR * cross[c + c * m])) continue;
    y[rank] = (b->A[j] - dot(row, y, rank)) / f->L[rank + rank * f->ld];
    gain += y[rank] * y[rank];
    b->inside[rank] = c;
  }
  return gain;
}

void groups_pass(greedy_problem *b, const double *t, const column_groups *groups)
{
  for (size_t g = 0; g < groups->n; g++) {
    const size_t m = size_of(groups, g), *column = groups->column + groups->start[g];
    double *cross = b->cross[g];
    if (!cross) continue;
    for (size_t c = 1; c < m; c++)
      for (size_t e = 0; e < c; e++) cross[e + c * m] -= t[column[e]] * t[column[c]];
  }
}

int greedy_next(greedy_problem *b, size_t p, size_t N, const greedy_options *o, greedy_entry *entry)
{
  const column_groups *groups = o->groups;
  for (;;) {
    if (b->kept < o->n_keep) {
      const size_t j = (size_t)o->keep[b->kept++];
      const int more = is_grouped(groups, j) && b->kept < o->n_keep &&
                       groups->of[o->keep[b->kept]] == groups->of[j];
      const int alone = !is_grouped(groups, j);
      *entry = (greedy_entry){j, alone ? ENTRY_KEPT : ENTRY_KEPT_OF_GROUP, !more};
      return 1;
    }
    if (b->next < b->last) {
      const size_t j = groups->column[b->next++];
      *entry = (greedy_entry){j, ENTRY_OF_GROUP, b->next == b->last};
      return 1;
    }
    if (b->n_ends > o->max_groups) return 0;
    const size_t j = greedy_pick(b, p, N, o);
    *entry = (greedy_entry){j, ENTRY_BEST, 1};
    if (j == N) return 0;
    if (!is_grouped(groups, j)) return 1;
    const size_t g = (size_t)groups->of[j];
    if (!(groups_gain(b, g, groups) > fmax(o->tol * b->n, NO_GAIN * b->yy))) return 0;
    b->cross[g] = NULL;
    b->next = groups->start[g];
    b->last = groups->start[g + 1];
  }
}
