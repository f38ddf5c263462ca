/* borrow_work.h - the domains of borrow.h with columns multiplied by sqrt(c), and the arrays of one evaluation
 * of l. */
#ifndef TRANSELECT_BORROW_WORK_H
#define TRANSELECT_BORROW_WORK_H

#include "borrow.h"

/* The bounds of the variances. */
#define BORROW_LOW_TAU2 1e-6
#define BORROW_LOW_OMEGA2 1e-5
#define BORROW_HIGH 100.0

typedef struct borrow_rows_work borrow_rows_work;

/* H, g, coef and left (the e_t) are for columns multiplied by sqrt(c); M, a, r, Q_inv, b and sum_a are of the last
 * evaluation. */
typedef struct {
  const borrow_domains *domains;
  double **H, **g, **M, **a, **coef, **left, **r;
  double *Q_inv, *W;      /* Q^-1, before that Q or its factor; W: work, spd_sweep_room(p) */
  double *room;           /* 8 p, work of spd.h */
  double *vectors;        /* p (T + 3), work */
  double *each, *size;    /* 2 T + 2 and T + 2, work */
  double *b, *sum_a;      /* bhat, the sum of the a_t */
  size_t slopes;          /* number of coefficients without the level: p or p - 1 */
  int prior, failed;      /* failed: could l not be evaluated somewhere? */
  double slope_omega;     /* of the log prior of omega2 in log omega2: 0 without `prior` and for one domain */
  borrow_rows_work *rows; /* NULL, or the work of borrow_rows.h; the matrices above are then NULL */
} borrow_work;

borrow_work borrow_work_new(const borrow_domains *domains, int prior);

/* H, g and, where the domains have them, coef and left <- those of the domains, columns multiplied by sqrt(scale). */
void borrow_scale_columns(borrow_work *w, const double *scale);

/* The `count` domains from number `from` on. */
borrow_domains borrow_some(const borrow_domains *domains, int from, int count);

/* T arrays of this length. */
double **borrow_matrices(int T, size_t length);

/* r <- a_t - M_t bhat, which is uhat_t/tau2_t. */
void borrow_residual(const borrow_work *w, int t, double *r);

/* H_t, g_t, M_t and a_t of one domain, and spd_sweep_room(p) numbers of work. */
typedef struct {
  size_t p;
  const double *H, *g;
  double *M, *a, *room;
} borrow_one;

/* Computes M_t and a_t at tau2; *log_det <- log|K_t|. level: sqrt(kappa2/tau2), 1 without a level. Returns 0 where
 * K_t is not positive definite. */
int borrow_shrink(const borrow_one *t, double tau2, double level, double *log_det);

/* Computes M_t and a_t of a domain whose u_t has the variances d: with D = diag(d), K = I + D^1/2 H D^1/2, M = D^-1/2
 * (I - K^-1) D^-1/2 and a = D^-1/2 K^-1 D^1/2 g. *log_lik <- (g'D a - log|K|)/2. K^-1 is computed by a factor: by
 * sweeps (spd.h) a level loses half of its digits where the residual variance is a millionth of the response's. */
int borrow_shrink_known(const borrow_work *w, int t, const double *d, double *log_lik);

/* Q_inv <- Q = diag(1/common) + sum M_t and sum_a <- the sum of the a_t, over the domains from number `from` on. */
void borrow_combine_known(borrow_work *w, int from, const double *common);

/* The start of a search: the mean of `size` over the domains whose H_t is nonsingular, or over all where none is, moved
 * into [1e-5, 100]. */
double borrow_start_size(const borrow_domains *domains);

#endif
