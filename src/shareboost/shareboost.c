/* shareboost.c - see shareboost.h. */
#include "shareboost.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels.h"
#include "shareboost_rules.h"

#define COLLINEAR 1e-14 /* least squared pivot in `gram`, as a share of the column's mean square */

typedef struct {
  softmax_fit *fit;
  share_units *units;
  const share_options *o;
  share_path *path;
  share_view view;
  chol_factor gram;    /* factor of the selected columns' products, for the orthogonal rule */
  double *column, *by; /* one column; its products with the selected ones */
  int *only, *deck;    /* units of a random round; those that have not entered, in any order */
  size_t n_deck;
  char *drawn, *taken; /* those of `view` */
  double *slopes;
  share_trial *trial;
} state;

/* ---- directions for v_r ---- */

/* by[j] <- sum_i v_i x_ij z_i / m for the packed columns; z has zeros after the last row. */
static void products(const softmax *p, const double *z, double *by)
{
  memset(by, 0, p->t * sizeof(double));
  double *part = by + p->t;
  for (size_t b = 0; b < p->blocks; b++) {
    const double *zb = z + b * SOFTMAX_ROWS;
    double weighted[SOFTMAX_ROWS];
    for (size_t i = 0; i < SOFTMAX_ROWS; i++)
      weighted[i] = p->v ? zb[i] * p->v[b * SOFTMAX_ROWS + i] : zb[i];
    kernels->dots(VIEW(softmax_x(p, b, 0), SOFTMAX_STEP, SOFTMAX_ROWS, p->t), NULL, weighted, part);
    for (size_t j = 0; j < p->t; j++) by[j] += part[j] / (double)p->m;
  }
}

static double mean_square(const softmax *p, const double *z)
{
  double sum = 0;
  for (size_t i = 0; i < p->m; i++) sum += (p->v ? p->v[i] : 1) * z[i] * z[i];
  return sum / (double)p->m;
}

/* q: the residual of st->column on the packed columns, by two passes of Gram-Schmidt, of mean square one. Writes V q to
 * column K + `index` of r (zeros if st->column is collinear with the packed ones) and appends st->column to st->gram.
 * Returns 0 if st->column is collinear, else 1. */
static int new_direction(state *st, size_t index)
{
  const softmax *p = st->fit->p;
  double *z = st->column, *by = st->by;
  const double before = mean_square(p, z);
  double *row = by + 2 * p->room;
  for (int again = 0; again < 2 && p->t; again++) {
    products(p, z, by);
    if (!again) memcpy(row, by, p->t * sizeof(double));
    chol_forward(&st->gram, by);
    chol_backward(&st->gram, by);
    for (size_t b = 0; b < p->blocks; b++)
      for (size_t j = 0; j < p->t; j++)
        kernels->axpy(-by[j], softmax_x(p, b, j), SOFTMAX_ROWS, z + b * SOFTMAX_ROWS);
  }
  chol_append_raised(&st->gram, row, before, fmax(COLLINEAR * before, DBL_MIN));
  const double left = mean_square(p, z), scale = left > SHARE_LEFT * before ? 1 / sqrt(left) : 0;
  for (size_t i = 0; i < p->m; i++)
    *softmax_r(p, i, (size_t)p->K + index) = scale * z[i] * (p->v ? p->v[i] : 1);
  return scale > 0;
}

static int keeps_directions(const state *st)
{
  return st->o->rule == SHARE_ORTHOGONAL;
}

/* Packs the columns of a unit that enters, and stores their directions for the next call of best(). */
static void admit(state *st, size_t unit)
{
  softmax *p = st->fit->p;
  const size_t size = st->units->size(st->units->context, unit);
  st->view.news = 0;
  for (size_t i = 0; i < size; i++) {
    st->units->column(st->units->context, unit, i, st->column);
    if (keeps_directions(st)) {
      /* new_direction() overwrites st->column: softmax_add() comes first, but p->t counts the column only afterwards */
      const size_t t = p->t;
      softmax_add(p, st->column);
      p->t = t;
      st->view.news += (size_t)new_direction(st, st->view.news);
      p->t = t + 1;
    } else {
      softmax_add(p, st->column);
    }
  }
  st->taken[unit] = 1;
  for (size_t i = 0; i < st->n_deck; i++)
    if (st->deck[i] == (int)unit) st->deck[i] = st->deck[--st->n_deck];
}

/* ---- the choice ---- */

/* Draws the units of a random round: `candidates` of those that have not entered, by a partial Fisher-Yates shuffle. */
static void draw(state *st, int step)
{
  const size_t N = st->n_deck, wanted = (size_t)st->o->candidates;
  const size_t count = wanted < N ? wanted : N;
  const double *u = st->o->draws + (size_t)step * (size_t)st->o->candidates;
  for (size_t i = 0; i < count; i++) {
    size_t drawn = i + (size_t)(u[i] * (double)(N - i));
    if (drawn >= N) drawn = N - 1;
    const int unit = st->deck[drawn];
    st->deck[drawn] = st->deck[i];
    st->deck[i] = unit;
  }
  memcpy(st->only, st->deck, count * sizeof(int));
  /* in ascending order, so that ties go to the unit of lower number */
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && st->only[j] < st->only[j - 1]; j--) {
      const int swap = st->only[j];
      st->only[j] = st->only[j - 1];
      st->only[j - 1] = swap;
    }
  st->view.only = st->only;
  st->view.n_only = count;
}

/* The `count`-th largest distinct slope; the smallest if there are fewer. */
static double nth_slope(const state *st, int count)
{
  double bar = INFINITY;
  for (int k = 0; k < count; k++) {
    double next = -1;
    for (size_t u = 0; u < st->units->count; u++)
      if (st->slopes[u] < bar && st->slopes[u] > next) next = st->slopes[u];
    if (next < 0) break;
    bar = next;
  }
  return bar;
}

/* The unit with the largest fall of L, which is computed for one unit after the other. */
static share_choice best_by_fall(state *st)
{
  const size_t N = st->units->count;
  share_choice best = share_none(N);
  st->units->best(st->units->context, &st->view, st->slopes);
  share_trial_round(st->trial);
  const double bar = st->o->shortlist ? nth_slope(st, st->o->shortlist) : -1;
  for (size_t u = 0; u < N; u++) {
    if (!(st->slopes[u] >= bar)) continue;
    port_poll();
    const size_t size = st->units->size(st->units->context, u);
    share_trial_start(st->trial);
    for (size_t i = 0; i < size; i++) {
      st->units->column(st->units->context, u, i, st->column);
      share_trial_add(st->trial, st->column);
    }
    const double fall = share_trial_fall(st->trial);
    if (best.unit == N || fall > best.score + SHARE_TIE * fabs(best.score))
      best = (share_choice){.unit = u, .score = fall, .slope = st->slopes[u]};
  }
  return best;
}

static share_choice choose(state *st, int step)
{
  st->view.only = NULL;
  st->view.n_only = 0;
  if (step < st->o->n_keep) {
    st->only[0] = st->o->keep[step];
    st->view.only = st->only;
    st->view.n_only = 1;
  } else if (st->o->candidates) {
    draw(st, step);
  }
  for (size_t i = 0; i < st->view.n_only; i++) st->drawn[st->only[i]] = 1;
  const share_choice best = st->o->rule <= SHARE_GRADIENT
                                ? st->units->best(st->units->context, &st->view, NULL)
                                : best_by_fall(st);
  for (size_t i = 0; i < st->view.n_only; i++) st->drawn[st->only[i]] = 0;
  st->view.news = 0;
  return best;
}

/* ---- rounds ---- */

static void record(state *st, int step)
{
  share_path *path = st->path;
  const softmax_fit *fit = st->fit;
  path->columns[step] = (int)(fit->p->t - fit->intercept);
  path->loss[step] = fit->f;
  path->end[step] = fit->end;
  path->iterations[step] = fit->iterations;
  path->refreshes[step] = fit->refreshes;
  path->converged[step] = fit->converged;
  path->error[step] = softmax_kernels()->error(fit->p, fit->w);
  st->view.spread = softmax_spread(fit->p);
  path->w[step] = ALLOC(fit->n, double);
  if (fit->n) memcpy(path->w[step], fit->w, fit->n * sizeof(double));
}

static state state_new(softmax_fit *fit, share_units *units, const share_options *o,
                       share_path *path)
{
  softmax *p = fit->p;
  const size_t most = units->count > 1 ? units->count : 1;
  state st = {.fit = fit, .units = units, .o = o, .path = path};
  st.view.p = p;
  st.view.rule = o->rule;
  st.view.bend = penalty_bend(&fit->pen);
  st.column = softmax_alloc(p->blocks * SOFTMAX_ROWS);
  if (keeps_directions(&st)) {
    st.gram = chol_new(p->room, 0);
    st.by = ALLOC(3 * p->room + 1, double);
  }
  st.view.drawn = st.drawn = ALLOC(most, char);
  st.view.taken = st.taken = ALLOC(most, char);
  st.only = ALLOC(o->candidates > 1 ? o->candidates : 1, int);
  if (o->candidates) {
    st.deck = ALLOC(most, int);
    for (size_t u = 0; u < units->count; u++) st.deck[u] = (int)u;
    st.n_deck = units->count;
  }
  if (o->rule > SHARE_GRADIENT) {
    st.slopes = ALLOC(most, double);
    st.trial = share_trial_new(fit, o->rule, units->largest);
  }
  return st;
}

static void admit_intercept(state *st)
{
  softmax *p = st->fit->p;
  for (size_t i = 0; i < p->m; i++) st->column[i] = 1;
  softmax_add(p, st->column);
  if (!keeps_directions(st)) return;
  chol_append_raised(&st->gram, st->by, 1, 0);
}

status shareboost_run(softmax_fit *fit, share_units *units, const share_options *o,
                      share_path *path)
{
  state st = state_new(fit, units, o, path);
  path->n_steps = 0;
  if (o->intercept) admit_intercept(&st);
  fit_grow(fit);
  fit_run(fit);
  record(&st, 0);
  for (int step = 1; step <= o->max_steps; step++) {
    port_poll();
    port_progress(step - 1, o->max_steps);
    const share_choice best = choose(&st, step - 1);
    if (best.unit >= units->count) {
      path->refused = step <= o->n_keep ? o->keep[step - 1] : -1;
      return step <= o->n_keep ? STATUS_COLLINEAR_KEEP : STATUS_OK;
    }
    admit(&st, best.unit);
    if (step <= o->n_keep) fit->free = fit->p->t;
    fit_grow(fit);
    fit_run(fit);
    path->unit[step] = (int)best.unit;
    path->score[step] = best.score;
    path->slope[step] = best.slope;
    path->n_steps = step;
    record(&st, step);
  }
  return STATUS_OK;
}
