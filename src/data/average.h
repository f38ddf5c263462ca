/* average.h - weights of alternatives that are averaged instead of chosen.
 *
 * Alternative k has the log marginal likelihood (or -1/2 times a criterion) e_k and the log prior
 * probability f_k, up to constants common to all. Its weight in the average is its posterior
 * probability, w_k = exp(e_k + f_k) / sum_j exp(e_j + f_j). Alternatives with less than `least`
 * times the largest weight are dropped (weight 0) before the weights are normalised. Used for the
 * ridges of GreedyTL, the units of TLCp and the supports of MSplit LBI. Cost: n exponentials.
 */
#ifndef TRANSELECT_AVERAGE_H
#define TRANSELECT_AVERAGE_H

#include <stddef.h>

/* log_weight: n numbers e_k + f_k; weight 0 where that is NaN or -Inf. `weight` may be the array log_weight.
 * Returns how many weights are positive; 0 if no log weight is above -Inf. */
size_t average_weights(const double *log_weight, size_t n, double least, double *weight);

#endif
