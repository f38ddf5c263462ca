/* subset_few.c - see subset_few.h. */
#include "subset_few.h"

#include <math.h>
#include <string.h>

#include "spd.h"

#define MOST_WORK 1e6 /* largest number of sets times T^3 */

/* A copy of the root with H and x in place of G and c. NULL where G is singular. */
static subset_node *inverse_of(subset_tree *s, const subset_node *root)
{
  const size_t n = root->n;
  subset_node *inverse = subset_node_copy(&s->arena, root);
  double *H = s->arena.square;
  for (size_t i = 0; i < n; i++) memcpy(H + i * n, root->G + i * root->ld, n * sizeof(double));
  double log_det;
  if (!spd_inverse(H, n, s->arena.work, &log_det)) return NULL;
  for (size_t i = 0; i < n; i++) {
    const double *row = H + i * n;
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += row[j] * root->c[j];
    inverse->c[i] = sum;
    memcpy(inverse->G + i * inverse->ld, row, n * sizeof(double));
  }
  return inverse;
}

/* best <- the q places of free groups of the node with the least value, or with the largest; the lexicographically
 * first of ties. Returns 0 where the value of a set could not be computed. */
static int search_all(subset_tree *s, const subset_node *node, size_t q, int largest, size_t *best)
{
  size_t place[SUBSET_APART], moved = q;
  double least = INFINITY;
  for (size_t k = 0; k < q; k++) place[k] = k;
  while (moved > 0) {
    double value = subset_tree_node_value(s, node, place, q);
    if (!isfinite(value)) return 0;
    if (largest) value = -value;
    if (value < least) {
      least = value;
      memcpy(best, place, q * sizeof(size_t));
    }
    for (moved = q; moved > 0 && place[moved - 1] == node->f - q + moved - 1;) moved--;
    if (moved > 0) place[moved - 1]++;
    for (size_t k = moved; moved > 0 && k < q; k++) place[k] = place[k - 1] + 1;
  }
  return 1;
}

int subset_few(subset_tree *s, const subset_node *root, size_t size, size_t apart,
               unsigned char *in, double *value)
{
  const size_t f = root->f, taken = size - root->n_in, q = taken < f - taken ? taken : f - taken;
  if (q > apart) return 0;
  double work = (double)(s->T * s->T * s->T);
  for (size_t k = 0; k < q; k++) work *= (double)(f - k) / (double)(k + 1);
  if (q > 0 && work > MOST_WORK) return 0;
  const int drop = taken > q;
  size_t best[SUBSET_APART];
  if (q > 0) {
    subset_node *inverse = drop ? inverse_of(s, root) : NULL;
    if (drop && !inverse) return 0;
    const int fine = search_all(s, drop ? inverse : root, q, drop, best);
    if (inverse) subset_node_free(&s->arena, inverse);
    if (!fine) return 0;
  }
  memcpy(in, root->in, s->p);
  for (size_t g = 0; g < f && drop; g++) in[root->id[g]] = 1;
  for (size_t k = 0; k < q; k++) in[root->id[best[k]]] = !drop;
  *value = subset_tree_value(s, in);
  return isfinite(*value);
}
