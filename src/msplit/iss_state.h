/* iss_state.h - the state of an exact path, for iss.c, iss_support.c and iss_time.c. */
#ifndef TRANSELECT_ISS_STATE_H
#define TRANSELECT_ISS_STATE_H

#include "chol.h"
#include "iss.h"

#define ISS_NO_RATE 1e-12 /* share of max|c| up to which a gradient counts as zero */
#define ISS_TIE 1e-12     /* share of t by which times of one event may differ */
#define ISS_OUTWARD 1e-11 /* share of max|c| above which a gradient points outward, or inward */

typedef struct iss_state {
  iss_system *system;
  const iss_target *target;
  iss_options o;
  iss_path scratch, *path; /* the path while it grows */
  size_t n, d, most;
  double t, *rho, *g;      /* lazy form: rho_j and g_j at the epoch of column j */
  struct iss_epochs *lazy; /* NULL: all columns are updated at every event */
  double *v, *rate;        /* V^-1(y - X gamma) in the wide form; d numbers of work */
  double *gamma;
  signed char *side;    /* d: the boundary on which rho_j is (1, -1), or 0 */
  double *bar;          /* d: |g_j| up to which rho_j does not move; infinite on a boundary */
  double *first;        /* the waiting time of each group of columns */
  size_t *edge, n_edge; /* coordinates on a boundary but not in the support */
  char *out;            /* d: may the column not enter at this event? */
  int *support;         /* in the order of the factor */
  int *sorted;          /* ascending */
  chol_factor f;        /* of A_PP; basis: V^-1 X_P (n, with leave-one-out), then c_P */
  double logdet;
  int near;                /* is the support nearly collinear? */
  const double **column;   /* s: the columns of a combination */
  double *a, *b, *z, *u;   /* work: s each; u: n + 1 */
  double *left, *residual; /* n: E_ii and (E y)_i */
} iss_state;

/* ---- iss_support.c ---- */

/* Computes v, from which gradients at the current gamma are made in the wide form or if nearly collinear. */
void iss_look(iss_state *st);

/* g <- all gradients; after iss_look(). */
void iss_gradient(iss_state *st);

/* iss_settle(): least squares over the coordinates on a boundary under their sign constraints. iss_balance(): corrects
 * gamma until g vanishes on the support, and computes g (in the lazy form on the edge only). */
void iss_settle(iss_state *st);
void iss_balance(iss_state *st);

/* ---- iss_time.c ---- */

/* Starts the lazy form (iss_time.c) where it is faster: in the wide form with many columns. */
void iss_time_start(iss_state *st);

/* The time to the next event up to `most`; infinite if there is none. */
double iss_next(iss_state *st, double most);

/* Advances t and rho by dt; coordinates that reach a boundary join the edge. */
void iss_move(iss_state *st, double dt);

/* Coordinates of the edge whose gradient points inward leave their boundary. */
void iss_release(iss_state *st);

#endif
