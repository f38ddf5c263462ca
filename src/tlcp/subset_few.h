/* subset_few.h - the best set of a size that has few sets, by enumeration.
 *
 * A size has few sets where at most `apart` of the free groups are in, or at most `apart` of them are out. With G,
 * c, rho of the root (subset_node.h), H = G^-1, x = Hc and K these groups, the values are
 *
 *   only K in:   rho - c_K' G_KK^-1 c_K            all but K in:   rho - c'x + x_K' H_KK^-1 x_K.
 *
 * Sizes with |K| <= 2 are enumerated before a search, sizes with |K| = 3 only after a search has reached its limit.
 * Cost: (|K| T)^3/3 for each of at most 10^6/T^3 sets, and n^3 for H where it is needed. Work arrays: those of the
 * tree.
 */
#ifndef TRANSELECT_SUBSET_FEW_H
#define TRANSELECT_SUBSET_FEW_H

#include "subset_tree.h"

#define SUBSET_APART 3 /* the largest `apart` */

/* Returns 1 if the size has few sets; in, value <- the best set and its value (without pen). Returns 0 also where a
 * factor failed. */
int subset_few(subset_tree *tree, const subset_node *root, size_t size, size_t apart,
               unsigned char *in, double *value);

#endif
