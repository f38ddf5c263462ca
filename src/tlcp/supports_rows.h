/* supports_rows.h - what a draw of supports.c says of coefficients and rows.
 *
 * Given the support and t, the posterior is Gaussian. The target's coefficients are drawn by Matheron's rule: the
 * support's from N(A^-1 c, s^2 A^-1), u from the prior, corrected by (t/p) Z'W times the difference of the rows from
 * those drawn. Leave-one-out residuals of the target: with Q the inverse of the rows' covariance matrix over s^2, the
 * intercept taken out, e_i = (Qy)_i/Q_ii, and S less e_i^2 Q_ii is S without row i. Cost: n r q + n q^2 and r p flops.
 */
#ifndef TRANSELECT_SUPPORTS_ROWS_H
#define TRANSELECT_SUPPORTS_ROWS_H

#include "supports_random.h"
#include "supports_state.h"

/* Returns 0 where A^-1 is not positive definite. */
int supports_rows_draw(supports_state *s, supports_random *random, supports_result *out,
                       size_t draw);

#endif
