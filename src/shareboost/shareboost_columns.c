/* shareboost_columns.c - see shareboost_columns.h. */
#include "shareboost_columns.h"

#include <math.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "kernels.h"

#define PANEL 256 /* most columns of a panel, read while blocks of R are in a cache */
#define RUN 4     /* blocks of rows that are taken together */
#define AHEAD 4   /* how many columns ahead numbers are prefetched */
#define EDGE 8    /* the last m mod EDGE rows, which may not fill a vector, are padded with zeros */

/* ---- scales ---- */

static double largest_size(const design *d, size_t j, double *buffer)
{
  const block *b = &d->block[0];
  double most = 0;
  if (b->row) {
    for (int k = b->start[j]; k < b->start[j + 1]; k++) most = fmax(most, fabs(b->value[k]));
    return most;
  }
  const double *x = design_column(d, j, buffer);
  for (size_t i = 0; i < d->n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

/* Centre and scale of every column, and the mean square of the scaled column. */
static status scale_columns(design *d, const share_columns_of *of, share_columns *c, size_t *bad)
{
  double *buffer = design_buffer(d), *mean = ALLOC(d->N, double);
  for (size_t j = 0; j < d->N; j++) {
    const mean_and_ss m = design_moments(d, j, of->v, of->center, buffer);
    if (!m.ok) {
      *bad = j;
      return STATUS_NOT_FINITE;
    }
    mean[j] = m.mean;
    const double square = m.ss / (double)d->n;
    double s = 1;
    if (of->by == SCALE_SD) s = sqrt(square);
    if (of->by == SCALE_MAX) s = largest_size(d, j, buffer);
    c->scale[j] = square > 0 ? s : 0;
    c->own[j] = c->left[j] = square > 0 ? square / (s * s) : 0;
  }
  d->center = of->center ? mean : NULL;
  return STATUS_OK;
}

/* ---- X'U ---- */

/* The sums of the columns of U. */
static void totals(const softmax *p, size_t q, double *sum)
{
  memset(sum, 0, q * sizeof(double));
  for (size_t b = 0; b < p->blocks; b++)
    for (size_t k = 0; k < q; k++)
      sum[k] += kernels->sum(p->r + (b * p->slots + k) * SOFTMAX_STEP, 0, NULL, SOFTMAX_ROWS);
}

/* Work arrays of a thread for q columns of U: accumulators of a panel, the padded last rows, U times a column. */
typedef struct {
  size_t q;
  double *acc, *edge, *scaled;
} panel_room;

/* to <- `rows` rows of U from block b on, each times its number in `by`, and zeros behind them, in blocks of q
 * columns. */
static void scale_run(const softmax *p, const double *by, size_t b, size_t rows, size_t q,
                      double *to)
{
  for (size_t i = 0; i < rows; i += SOFTMAX_ROWS, b++, to += q * SOFTMAX_STEP) {
    const size_t here = rows - i < SOFTMAX_ROWS ? rows - i : SOFTMAX_ROWS;
    const size_t end = (here + EDGE - 1) / EDGE * EDGE;
    for (size_t k = 0; k < q; k++) {
      const double *u = p->r + (b * p->slots + k) * SOFTMAX_STEP;
      double *w = to + k * SOFTMAX_STEP;
      for (size_t r = 0; r < here; r++) w[r] = u[r] * by[i + r];
      for (size_t r = here; r < end; r++) w[r] = 0;
    }
  }
}

/* out[j q + k] <- x_j'u_k for `cols` columns of a dense matrix; with `by` (m numbers) the sum over i of
 * x_ij by_i u_ik. */
static void dense_products(const softmax *p, const double *x, const double *by, size_t cols,
                           panel_room room, double *out)
{
  const softmax_table *soft = softmax_kernels();
  const size_t m = p->m, q = room.q;
  const size_t step = (by ? q : p->slots) * SOFTMAX_STEP;
  memset(room.acc, 0, cols * q * SOFTMAX_LANES * sizeof(double));
  for (size_t b = 0; b < p->blocks; b += RUN) {
    const size_t first = b * SOFTMAX_ROWS, left = m - first;
    const size_t rows = left < RUN * SOFTMAX_ROWS ? left : RUN * SOFTMAX_ROWS, rest = rows % EDGE;
    if (by) scale_run(p, by + first, b, rows, q, room.scaled);
    const double *u = by ? room.scaled : p->r + b * step;
    softmax_operands o = {x + first, m, SOFTMAX_ROWS, u, step, q, rows - rest, AHEAD * m};
    soft->cross(o, cols, room.acc);
    if (!rest) continue;
    for (size_t j = 0; j < cols; j++)
      for (size_t i = 0; i < rest; i++)
        room.edge[j * EDGE + i] = x[j * m + first + rows - rest + i];
    const size_t full = rows - rest;
    u += full / SOFTMAX_ROWS * step + full % SOFTMAX_ROWS;
    o = (softmax_operands){.x = room.edge, .ldx = EDGE, .u = u, .q = q, .n = EDGE};
    soft->cross(o, cols, room.acc);
  }
  soft->fold(room.acc, cols * q, out);
}

/* dense_products() for a range of columns of the design: of a matrix, or products of its columns. */
static void some_columns(const share_columns *c, const softmax *p, column_range range,
                         panel_room room, double *out)
{
  const block *x = &c->d->block[0];
  if (x->x) {
    dense_products(p, x->x + range.from * p->m, NULL, range.to - range.from, room, out);
    return;
  }
  const column_products *s = x->product;
  size_t a, b, count;
  for (size_t j = range.from; j < range.to; j += count) {
    count = products_run(s, j, range.to, &a, &b);
    dense_products(p, s->x + b * p->m, a < s->p ? s->x + a * p->m : NULL, count, room,
                   out + (j - range.from) * room.q);
  }
}

static panel_room room_of(const share_columns *c, size_t q, int thread)
{
  double *acc = c->panel + (size_t)thread * c->panel_size;
  double *edge = acc + c->width * q * SOFTMAX_LANES;
  return (panel_room){q, acc, edge, edge + c->width * EDGE};
}

static void sparse_products(const share_columns *c, size_t j, size_t q, double *out)
{
  const block *b = &c->d->block[0];
  memset(out, 0, q * sizeof(double));
  for (int k = b->start[j]; k < b->start[j + 1]; k++) {
    const double *u = c->by_row + (size_t)b->row[k] * q;
    for (size_t l = 0; l < q; l++) out[l] += b->value[k] * u[l];
  }
}

/* Turns the products of U with column j into those with the centred and scaled column, divided by m. */
static void standardise(const share_columns *c, size_t j, size_t q, const double *sum, double *out)
{
  const double center = c->d->center ? c->d->center[j] : 0;
  const double scale = c->scale[j] > 0 ? 1 / (c->scale[j] * (double)c->d->n) : 0;
  for (size_t l = 0; l < q; l++) out[l] = (out[l] - center * sum[l]) * scale;
}

/* out[j q + l] <- the products of all columns with the first q columns of U. */
static void all_products(const share_columns *c, const softmax *p, size_t q, double *out)
{
  const size_t N = c->d->N, panels = (N + c->width - 1) / c->width;
  const int dense = c->d->block[0].row == NULL;
  double *sum = c->products + N * q;
  if (dense)
    totals(p, q, sum);
  else
    softmax_by_row(p, q, c->by_row, sum);
#ifdef _OPENMP
  const int threads = c->d->n * N < WORTH_THREADS ? 1 : c->threads;
#pragma omp parallel for num_threads(threads) schedule(static) if (threads > 1)
#endif
  for (size_t k = 0; k < panels; k++) {
#ifdef _OPENMP
    const int thread = omp_get_thread_num();
#else
    const int thread = 0;
#endif
    const size_t from = k * c->width, to = from + c->width < N ? from + c->width : N;
    if (dense)
      some_columns(c, p, (column_range){from, to}, room_of(c, q, thread), out + from * q);
    else
      for (size_t j = from; j < to; j++) sparse_products(c, j, q, out + j * q);
    for (size_t j = from; j < to; j++) standardise(c, j, q, sum, out + j * q);
  }
}

static void some_products(const share_columns *c, const share_view *view, size_t q, double *out)
{
  const softmax *p = view->p;
  const int dense = c->d->block[0].row == NULL;
  double *sum = c->products + c->d->N * q;
  if (dense)
    totals(p, q, sum);
  else
    softmax_by_row(p, q, c->by_row, sum);
  for (size_t i = 0; i < view->n_only; i++) {
    const size_t u = (size_t)view->only[i];
    for (size_t k = c->start[u]; k < c->start[u + 1]; k++) {
      const size_t j = c->member[k];
      double *o = out + j * q;
      if (dense)
        some_columns(c, p, (column_range){j, j + 1}, room_of(c, q, 0), o);
      else
        sparse_products(c, j, q, o);
      standardise(c, j, q, sum, o);
    }
  }
}

/* ---- residuals on the selected columns ---- */

static void keep_directions(share_columns *c, const share_view *view)
{
  for (size_t k = 0; k < view->news; k++, c->n_kept++)
    for (size_t i = 0; i < c->d->n; i++)
      c->kept[c->n_kept * c->d->n + i] = *softmax_r(view->p, i, c->K + k);
}

static void catch_up(share_columns *c, size_t j)
{
  for (; c->seen[j] < c->n_kept; c->seen[j]++) {
    const double *q = c->kept + c->seen[j] * c->d->n, sum = kernels->sum(q, 0, NULL, c->d->n);
    double by;
    design_dots(c->d, (column_range){j, j + 1}, q, sum, &by);
    by /= c->scale[j] * (double)c->d->n;
    c->left[j] -= by * by;
  }
}

/* ---- scores ---- */

static double size_of(const double *g, size_t K)
{
  share_norm norm = {0};
  for (size_t q = 0; q < K; q++) share_norm_add(&norm, g[q]);
  return share_norm_end(norm);
}

/* Score and slope of a unit from the products of its columns (q apart). The score is -1 where all its columns are
 * collinear with the selected ones. */
static double unit_score(share_columns *c, const share_view *view, size_t u, size_t q,
                         double *slope)
{
  double score = -1;
  *slope = 0;
  for (size_t k = c->start[u]; k < c->start[u + 1]; k++) {
    const size_t j = c->member[k];
    const double *g = c->products + j * q, size = size_of(g, c->K);
    *slope += size;
    if (view->rule == SHARE_ORTHOGONAL) {
      if (c->keeps) catch_up(c, j);
      if (c->left[j] < SHARE_LEFT * c->own[j]) continue;
      score = fmax(score, 0) + size / sqrt(view->spread * c->left[j] + view->bend);
    } else {
      score = fmax(score, 0) + size;
    }
  }
  return score;
}

/* Computes the products of the round and updates v_r; returns the number of products per column. */
static size_t round_products(share_columns *c, const share_view *view)
{
  const size_t q = c->K + (c->keeps ? 0 : view->news);
  if (c->keeps) keep_directions(c, view);
  if (view->only)
    some_products(c, view, q, c->products);
  else
    all_products(c, view->p, q, c->products);
  for (size_t j = 0; j < c->d->N && q > c->K; j++)
    for (size_t l = c->K; l < q; l++) c->left[j] -= c->products[j * q + l] * c->products[j * q + l];
  return q;
}

static share_choice best(void *context, const share_view *view, double *slopes)
{
  share_columns *c = context;
  const size_t q = round_products(c, view), count = view->only ? view->n_only : c->units;
  share_choice winner = share_none(c->units);
  for (size_t u = 0; slopes && u < c->units; u++) slopes[u] = NAN;
  for (size_t i = 0; i < count; i++) {
    const size_t u = view->only ? (size_t)view->only[i] : i;
    if (view->taken[u]) continue;
    double slope;
    const double score = unit_score(c, view, u, q, &slope);
    if (slopes && score >= 0) slopes[u] = slope;
    share_offer(&winner, u, score, slope);
  }
  return winner;
}

static size_t size(void *context, size_t unit)
{
  const share_columns *c = context;
  return c->start[unit + 1] - c->start[unit];
}

static void column(void *context, size_t unit, size_t i, double *out)
{
  const share_columns *c = context;
  const size_t j = c->member[c->start[unit] + i], m = c->d->n;
  const double center = c->d->center ? c->d->center[j] : 0;
  const double *x = design_column(c->d, j, c->buffer);
  for (size_t r = 0; r < m; r++) out[r] = (x[r] - center) / c->scale[j];
}

/* ---- */

/* Lists the columns of every unit, without those that do not vary. */
static void sort_members(share_columns *c, const int *group)
{
  c->start = ALLOC(c->units + 1, size_t);
  c->member = ALLOC(c->d->N, size_t);
  for (size_t j = 0; j < c->d->N; j++)
    if (c->scale[j] > 0) c->start[(group ? (size_t)group[j] : j) + 1]++;
  for (size_t u = 0; u < c->units; u++) {
    if (c->start[u + 1] > c->largest) c->largest = c->start[u + 1];
    c->start[u + 1] += c->start[u];
  }
  size_t *next = ALLOC(c->units, size_t);
  for (size_t j = 0; j < c->d->N; j++) {
    const size_t u = group ? (size_t)group[j] : j;
    if (c->scale[j] > 0) c->member[c->start[u] + next[u]++] = j;
  }
}

status share_columns_new(design *d, const share_columns_of *of, share_columns **out, size_t *bad)
{
  share_columns *c = ALLOC(1, share_columns);
  *out = NULL;
  *c = (share_columns){
      .d = d, .K = of->K, .units = of->units, .threads = of->threads > 1 ? of->threads : 1};
  c->scale = ALLOC(d->N, double);
  c->own = ALLOC(d->N, double);
  c->left = ALLOC(d->N, double);
  const status state = scale_columns(d, of, c, bad);
  if (state != STATUS_OK) return state;
  sort_members(c, of->group);
  c->room = of->max_units < d->N / (c->largest + 1) ? of->max_units * c->largest : d->N;
  c->keeps = of->subsets;
  c->kept = ALLOC(c->keeps ? c->room * d->n : 1, double);
  c->seen = ALLOC(c->keeps ? d->N : 1, size_t);
  const size_t q = c->K + (c->keeps ? 0 : c->largest);
  const size_t each = (d->N / (size_t)c->threads + 3) / 4 * 4; /* a panel for every thread */
  c->width = 16384 / q < PANEL ? 16384 / q : PANEL;
  if (c->width > each) c->width = each;
  if (c->width < 4) c->width = 4;
  c->panel_size =
      c->width * (q * SOFTMAX_LANES + EDGE) + (d->block[0].product ? RUN * q * SOFTMAX_STEP : 0);
  c->panel = softmax_alloc((size_t)c->threads * c->panel_size);
  c->products = ALLOC(d->N * q + q, double);
  c->by_row = ALLOC(d->block[0].row ? d->n * q : 1, double);
  c->buffer = design_buffer(d);
  *out = c;
  return STATUS_OK;
}

share_units share_columns_units(share_columns *c)
{
  return (share_units){.count = c->units,
                       .largest = c->largest,
                       .context = c,
                       .best = best,
                       .size = size,
                       .column = column};
}
