/* iss_state.h - what the files of the exact path (iss.c, iss_support.c, iss_time.c) share. */
#ifndef TRANSELECT_ISS_STATE_H
#define TRANSELECT_ISS_STATE_H

#include "chol.h"
#include "iss.h"

#define ISS_NO_RATE 1e-12 /* beside max|c|: a gradient that moves nothing */
#define ISS_TIE 1e-12     /* beside t: events that happen at one time */
#define ISS_OUTWARD 1e-11 /* beside max|c|: a gradient by which a feature enters or leaves */

typedef struct iss_state {
  iss_system *system;
  const iss_target *target;
  iss_options o;
  iss_path scratch, *path; /* the path while it grows */
  size_t n, d, most;
  double t, *rho, *g;      /* lazy: of the time a column was last looked at */
  struct iss_epochs *lazy; /* NULL: every column is looked at at every event */
  double *v, *rate;        /* V^-1(y - X gamma) in the wide form; d numbers of work */
  double *gamma;
  signed char *side;    /* d: the boundary rho_j is on, 0 if none */
  double *bar;          /* d: |g_j| that moves nothing; infinite on a boundary */
  double *first;        /* waiting times, one a group of columns */
  size_t *edge, n_edge; /* on a boundary but not in the support */
  char *out;            /* d: cannot enter at this event */
  int *support;         /* in the order of the factor */
  int *sorted;          /* ascending */
  chol_factor f;        /* of A_PP; basis: V^-1 X_P (n, with leave-one-out), then c_P */
  double logdet;
  int near;                /* the support is nearly collinear */
  const double **column;   /* s: the columns of a combination */
  double *a, *b, *z, *u;   /* work: s each; u: n + 1 */
  double *left, *residual; /* E_ii and (E y)_i */
} iss_state;

/* ---- iss_support.c ---- */

/* Makes ready what the gradient at the present gamma is made of. */
void iss_look(iss_state *st);

/* One gradient, after iss_look(); all of them, into g. */
double iss_gradient_at(const iss_state *st, size_t j);
void iss_gradient(iss_state *st);

/* Sign-constrained least squares over the coordinates on a boundary, and g where nothing moves:
 * all of it, or in the lazy form on the edge. */
void iss_settle(iss_state *st);
void iss_balance(iss_state *st);

/* ---- iss_time.c ---- */

/* Readies the lazy form where it pays. */
void iss_time_start(iss_state *st);

/* Time to the next event up to `most`, infinite if there is none. */
double iss_next(iss_state *st, double most);

/* Moves on by dt: what reaches a boundary joins the edge. */
void iss_move(iss_state *st, double dt);

/* Boundary coordinates without weight whose gradient points inward go free. */
void iss_release(iss_state *st);

#endif
