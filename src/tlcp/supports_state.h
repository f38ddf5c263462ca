/* supports_state.h - the support of supports.c, and what is kept of all candidates. */
#ifndef TRANSELECT_SUPPORTS_STATE_H
#define TRANSELECT_SUPPORTS_STATE_H

#include "supports.h"

/* Columns Z'WZ_m of a candidate: blocks of p numbers, block 0 the sum over the domains. A candidate of one domain has
 * block 0 alone, which is also that of its domain. version: of the weights that each block was made with. */
typedef struct {
  size_t id;
  uint64_t used;
  unsigned *version;
  double *column;
} supports_slot;

typedef struct {
  const supports_model *m;
  size_t p, K, M;
  int g[2], *t;            /* places on the grids */
  double **w, *log_w, *yy; /* by domain: weights of rows, sum of their logarithms, y'Wy */
  unsigned *version;       /* of the weights */
  double *D, *C;           /* (K + 1) p: z'Wz and z'Wy, block 0 the sum */
  double *a, *r;           /* M: right outside the support only */
  size_t q, *in, *count;   /* the support; its columns in each block */
  size_t *moving;          /* work: a support */
  int *place, *slot_of;    /* M: place in the support or -1; by place: the slot */
  int *held;               /* M: the slot that has the candidate's columns, or -1 */
  double *inverse, *b, *h; /* A^-1 (leading dimension `most`), A^-1 c_P, work */
  double S;
  supports_slot *slots;
  size_t n_slots, made;
  uint64_t tick;
  double *v, *row;        /* work: p numbers, and as many as a domain has rows */
  const double **columns; /* work: `most` + 1 */
  double *factors;
  double *scratch; /* work of supports_rows.c: most^2 + 10 most + rows of a domain */
} supports_state;

supports_state supports_state_new(const supports_model *m, double memory);

static inline size_t supports_block(const supports_state *s, size_t id)
{
  return id / s->p;
}
static inline double supports_g(const supports_state *s, size_t id)
{
  return s->m->g[s->g[id >= s->p]];
}

/* The column of the candidate in place q for the candidates of a block; NULL where it is zero. */
const double *supports_column(const supports_state *s, size_t q, size_t block);

/* Change of log p where a candidate with a and r enters a support of squares S and `count` columns of its kind. */
double supports_gain(const supports_state *s, size_t id, double a, double r, double S,
                     size_t count);

void supports_add(supports_state *s, size_t id);
void supports_remove(supports_state *s, size_t place);

/* The weights of domain k, for place t of the grid. */
void supports_weights(const supports_state *s, size_t k, int t, double *w, double *log_w,
                      double *yy);
void supports_set_domain(supports_state *s, size_t k, int t);

/* All that depends on weights and g is made anew for the support as it is. */
void supports_rebuild(supports_state *s);

#endif
