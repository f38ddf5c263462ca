/* softmax_parts.h - an approximate Hessian of the multinomial loss for many classes: one t x t matrix a class.
 *
 * A row's part of the Hessian is x x' times diag(P) - P P' (softmax.h). With a_q = v P_q (1 - P_q), which is small
 * where the row's class is certain, this is within a factor of two diag(a) - a a' / sum a; and with
 *
 *   M_q = (1/m) sum_i a_iq x_i x_i' + diag(penalty's curvature),  S = sum_q M_q  over all k classes
 *
 * the sum over the rows is taken as B = blockdiag(M_q) - M S^-1 M', q < k, M the M_q below each other, which is exact
 * where a does not depend on the row, and for the penalties. By Woodbury
 *
 *   B^-1 = blockdiag(M_q^-1) + 1 1' (x) M_k^-1.
 *
 * A column costs 2mtk flops, half a pass, where the K rows of the Hessian cost mtK^2. It is the initial matrix of L-BFGS
 * (softmax_fit.h), which needs a few more iterations. Work arrays: k t^2/2, 8kt, and a block of rows of k + t columns.
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

/* Without columns; at most p->room. */
softmax_parts *parts_new(const softmax *p);

/* Appends column c at the point w of the last pass (its weights, K): columns before it have been appended. pen: its
 * penalty or NULL. A pivot below `least` of its diagonal entry is raised to that; returns whether any was. */
int parts_append(softmax_parts *parts, const softmax *p, size_t c, const penalty *pen,
                 const double *w, double least);

/* x <- B^-1 x (t x K, by columns of x). */
void parts_solve(softmax_parts *parts, const softmax *p, double *x);

/* Empties the factors; the memory is used again. */
void parts_empty(softmax_parts *parts, const softmax *p);

#endif
