/* subset_few.h - the best set of a size of which there are few sets, by enumeration.
 *
 * A size within `apart` groups of the forced groups alone, or of all groups. With G, c, rho of the
 * root (subset_node.h), H = G^-1 and x = Hc, and K the groups that are taken or dropped,
 *
 *   only K in:   rho - c_K' G_KK^-1 c_K            all but K in:   rho - c'x + x_K' H_KK^-1 x_K.
 *
 * For |K| <= 2 this is faster than a tree search; |K| = 3 is used only after a tree has reached its limit.
 * Cost: a set (|K| T)^3/3, 10^6 of them at most; H, where it is needed, n^3.
 */
#ifndef TRANSELECT_SUBSET_FEW_H
#define TRANSELECT_SUBSET_FEW_H

#include "subset_tree.h"

#define SUBSET_APART 3 /* `apart` at most */

/* Are the sets of the size few? Then `in` and `value` (without pen) become those of the best. */
int subset_few(subset_tree *tree, const subset_node *root, size_t size, size_t apart,
               unsigned char *in, double *value);

#endif
