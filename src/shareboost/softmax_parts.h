/* softmax_parts.h - an approximate Hessian of the multinomial loss for many classes: one t x t matrix per class.
 *
 * A row adds x x' (x) (diag(P) - P P') v to the Hessian (softmax.h). With a_q = v P_q (1 - P_q), which is small where
 * the row's class is certain, the second factor is, within a factor of two, diag(a) - a a' / sum a; and with
 *
 *   M_q = (1/m) sum_i a_iq x_i x_i' + diag(penalty's curvature),  S = sum_q M_q  over all k classes
 *
 * the sum over the rows is approximated by B = blockdiag(M_q) - M S^-1 M', q < k, M the M_q below each other, which is
 * exact where a does not depend on the row, and for the penalties. By Woodbury
 *
 *   B^-1 = blockdiag(M_q^-1) + 1 1' (x) M_k^-1.
 *
 * A new column costs 2mtk flops, half a pass; the K rows of the Hessian would cost mtK^2. B is the initial matrix of
 * L-BFGS (softmax_fit.h), which needs a few more iterations with it. Work arrays: the factors k t^2, sums 9kt, and a
 * block of rows of k + t columns.
 */
#ifndef TRANSELECT_SOFTMAX_PARTS_H
#define TRANSELECT_SOFTMAX_PARTS_H

#include "chol.h"
#include "softmax.h"
#include "softmax_penalty.h"

typedef struct {
  chol_factor *of; /* k: factors of the M_q */
  double *a, *z, *acc, *row, *x;
} softmax_parts;

/* Without columns; p->room: most columns. */
softmax_parts *parts_new(const softmax *p);

/* Appends column c, behind columns 0..c-1, at the point of the last pass. pen: the column's penalty or NULL; w: its K
 * weights. A squared pivot below `least` times its diagonal entry is raised to that; returns whether any was. */
int parts_append(softmax_parts *parts, const softmax *p, size_t c, const penalty *pen,
                 const double *w, double least);

/* x <- B^-1 x (t x K, by columns of x). */
void parts_solve(softmax_parts *parts, const softmax *p, double *x);

/* Empties the factors and keeps their memory. */
void parts_empty(softmax_parts *parts, const softmax *p);

#endif
