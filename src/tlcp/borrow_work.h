/* borrow_work.h - the domains of borrow.h in columns scaled by c, and the arrays of one evaluation of l. */
#ifndef TRANSELECT_BORROW_WORK_H
#define TRANSELECT_BORROW_WORK_H

#include "borrow.h"

/* One evaluation's work. H, g are scaled by c; M, a are those of the last evaluation. */
typedef struct {
  const borrow_domains *domains;
  double **H, **g, **M, **a;
  double *Q, *W; /* Q^-1 (in borrow_known.c the factor of Q); W is work, spd_sweep_room(p) */
  double *room;  /* 8 p, work of spd.h */
  double *moved; /* p for each variance, see information() */
  double *b, *sum_a;
  size_t slopes; /* p, or p - 1 before a level */
  int prior, failed;
} borrow_work;

borrow_work borrow_work_new(const borrow_domains *domains, int prior);

/* H and g <- those of the domains, in columns times sqrt(scale). */
void borrow_scale_columns(borrow_work *w, const double *scale);

/* T arrays of this length. */
double **borrow_matrices(int T, size_t length);

/* r <- a_t - M_t bhat, which is uhat_t/tau2_t. */
void borrow_residual(const borrow_work *w, int t, double *r);

#endif
