/* subset_few.c - see subset_few.h. */
#include "subset_few.h"

#include <math.h>
#include <string.h>

#include "blas.h"

#define MOST_APART 2
#define MOST_WORK 1e6 /* sets, times T^3: some .1 s */

/* The root with H and x in place of G and c. NULL if G is singular. */
static subset_node *inverse_of(subset_tree *s, const subset_node *root)
{
  const size_t n = root->n;
  subset_node *inverse = subset_node_copy(&s->pool, root);
  double *H = s->pool.square;
  for (size_t i = 0; i < n; i++) memcpy(H + i * n, root->G + i * root->ld, n * sizeof(double));
  if (blas_chol(H, n) != 0 || blas_chol_inverse(H, n) != 0) return NULL;
  for (size_t i = 0; i < n; i++) {
    const double *row = H + i * n;
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += row[j] * root->c[j];
    inverse->c[i] = sum;
    memcpy(inverse->G + i * inverse->ld, row, n * sizeof(double));
  }
  return inverse;
}

/* The places of the q groups (1 or 2) whose value is least, or largest; 0 if one has no value. */
static int search_all(subset_tree *s, const subset_node *node, size_t q, int largest, size_t *best)
{
  size_t place[MOST_APART];
  double least = INFINITY;
  for (size_t g = 0; g < node->f; g++)
    for (size_t h = q == 1 ? g : 0; h < (q == 1 ? g + 1 : g); h++) {
      place[0] = h;
      place[q - 1] = g;
      const double value = subset_tree_with(s, node, place, q);
      if (!isfinite(value)) return 0;
      if ((largest ? -value : value) < least) {
        least = largest ? -value : value;
        memcpy(best, place, q * sizeof(size_t));
      }
    }
  return 1;
}

int subset_few(subset_tree *s, const subset_node *root, size_t size, unsigned char *in,
               double *value)
{
  const size_t f = root->f, taken = size - root->n_in, q = taken < f - taken ? taken : f - taken;
  const double cube = (double)(s->T * s->T * s->T), count = q < 2 ? 1 : (double)(f - 1) / 2;
  if (q > MOST_APART || (double)f * count * cube > MOST_WORK) return 0;
  const int drop = taken > q;
  size_t best[MOST_APART];
  if (q > 0) {
    subset_node *inverse = drop ? inverse_of(s, root) : NULL;
    if (drop && !inverse) return 0;
    const int fine = search_all(s, drop ? inverse : root, q, drop, best);
    if (inverse) subset_node_free(&s->pool, inverse);
    if (!fine) return 0;
  }
  memcpy(in, root->in, s->p);
  for (size_t g = 0; g < f && drop; g++) in[root->id[g]] = 1;
  for (size_t k = 0; k < q; k++) in[root->id[best[k]]] = !drop;
  *value = subset_tree_value(s, in);
  return isfinite(*value);
}
