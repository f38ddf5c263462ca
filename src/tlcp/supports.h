/* supports.h - sparse effects of several domains: common ones, those of single domains, and a dense background.
 *
 * For domain k of K, y_k = X_k (b + d_k + u_k) + e_k, e_k ~ N(0, s^2 I), p(s^2) ~ 1/s^2:
 *
 *   b    common:        b_j = 0 or N(0, g_0 s^2)       a support of q columns has prior 1 / ((q + 1) choose(p, q))
 *   d_k  of a domain:   d_kj = 0 or N(0, g_1 s^2)      the same for each domain (K > 1)
 *   u_k  background:    N(0, t_k s^2/p I)
 *
 * g_0 is uniform on the grid g, g_1 on its values from place least_own on (many small effects of a domain are for its
 * background), and t_k has the prior exp(log_prior_t) on the grid t. With X_k = U_k L_k^(1/2) V', the rows U_k'X_k have
 * weights w_i = 1 / (1 + t_k l_i/p), and given t all is weighted least squares. A candidate is a
 * column of the common effects or of a domain: M = p (K + 1) of them (p where K = 1), that of block c (0 common, k + 1
 * domain k) and column j is number c p + j. For the support P, A = Z_P'WZ_P + 1/g, c = Z'Wy, S = y'Wy - c_P'A^-1 c_P,
 *
 *   log p(P, g, t | y) = -log det(A g)/2 - (df/2) log S + (1/2) sum log w_i + log prior + constant,
 *
 * and a candidate with a = A_mm - A_mP A^-1 A_Pm and r = c_m - A_mP A^-1 c_P adds its prior and
 * -log(a g)/2 - (df/2) log(1 - r^2/(aS)). a and r of all candidates are kept: one that enters or leaves costs M |P|
 * flops.
 *
 * A sweep has a Gibbs step for each candidate and `swaps` exchanges (one leaves, its place is drawn among all
 * candidates); every second one has two Metropolis steps to a neighbour of g_0, g_1 and each t_k. Each chain starts from
 * the empty support; `burn` of its sweeps are not used. Coefficients are averages of inclusion probability times
 * conditional mean. Columns Z'WZ_m are made when m enters, n_k p flops for each domain, and as many are kept as `memory`
 * bytes hold, but at least most + 2. Cost of a sweep: M (|P| per change + |P|^2/4), and sum(n_k) p flops for each t_k
 * that changes and column of P.
 * Reference: George and McCulloch, Statistica Sinica 7 (1997), section 4. */
#ifndef TRANSELECT_SUPPORTS_H
#define TRANSELECT_SUPPORTS_H

#include <stddef.h>
#include <stdint.h>

#include "port.h"

/* Rows U'X of a domain, r x p, U'y and their eigenvalues. */
typedef struct {
  const double *Z, *y, *l;
  size_t r;
} supports_rows;

typedef struct {
  size_t p, domains, most; /* columns, K, largest size of the support of all kinds together */
  const supports_rows *of; /* the target first */
  double rest,
      df; /* squares of the y_k outside the rows U'y; rows of all domains less intercepts */
  const double *g, *t, *log_prior_t;
  size_t n_g, n_t, least_own; /* the places of g_1 begin at least_own */
  /* the target's rows, for their leave-one-out residuals: U (n x r), y, and 1 less the share of the intercept */
  const double *U, *y, *free;
  size_t n;
} supports_model;

typedef struct {
  size_t chains, burn, sweeps, swaps;
  double memory; /* bytes for columns Z'WZ_m */
  uint64_t seed[2];
} supports_plan;

/* All are zero at the start. D = chains times sweeps. The means of chain c stand at mean + c M. */
typedef struct {
  double *probability; /* M, over all chains */
  double *mean;        /* M x chains */
  double **background; /* by domain r: the background's mean is Z'background */
  double *draws;       /* p x D: coefficients of the target drawn from the posterior */
  double *left,
      *density; /* n x D: leave-one-out residuals, and log densities of the responses given all others */
  double *grid;     /* 2 + domains: means of g_0, g_1 and t_k */
  double *size;     /* D: size of the support */
  double *variance; /* D: s^2 drawn */
  double *included; /* p: draws in which the target has an effect, common or its own */
  double *trace;    /* D: degrees of freedom of the target's fit, n less the sum of Q_ii */
} supports_result;

size_t supports_candidates(const supports_model *m);

/* Returns STATUS_SINGULAR if A is not positive definite in numbers. */
status supports_sample(const supports_model *m, const supports_plan *plan, supports_result *out);

#endif
