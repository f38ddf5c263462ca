/* posterior_work.h - the arrays of posterior.h. */
#ifndef TRANSELECT_POSTERIOR_WORK_H
#define TRANSELECT_POSTERIOR_WORK_H

#include "borrow_work.h"
#include "posterior.h"

/* Of the other domains at their variances: sum of the M_t and a_t, and of the log likelihoods. */
typedef struct {
  double *M, *a, log_lik;
} posterior_others;

/* A component: omega2, which of the `others`, and a factor of the target's variances or, for slopes with tau2, tau2. */
typedef struct {
  double omega2, own, weight;
  size_t others;
} posterior_component;

struct posterior_work {
  const posterior_problem *problem;
  size_t p, slopes, n_others, count;
  borrow_work w;
  posterior_others *others; /* n_others, the last at the variances as they are estimated */
  posterior_component *component;
  double *mean, *C, log_lik;                    /* of b given the other domains */
  double *common, *own;                         /* p: variances of b, and of u_1 */
  double *P, *A, *U, *h, *x, *room, target_lik; /* of the target; room: p (p + 8) */
};

/* Computes P, A, h and target_lik at a component; NULL: as it is estimated. Returns 0 where a matrix is not positive
 * definite. */
int posterior_at(posterior_work *work, const posterior_component *component);

/* V (n x n) and m (n) <- covariance and mean of the coordinates `free` there; room: n (n + 8). Returns 0 where they are
 * not defined. */
int posterior_of_some(const posterior_work *work, const size_t *free, size_t n, double *V,
                      double *m, double *room);

#endif
