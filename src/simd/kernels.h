/* kernels.h - products, sums, triangular solves and inverses, for three instruction sets.
 *
 * One file (kernels_impl.h) is compiled for each of them; kernels_choose() chooses the best one
 * that this processor has, once, when the package is loaded. The order of every sum over a column
 * depends on n alone: its value is the same to the last bit whichever other columns are in the
 * same call and however many threads there are.
 *
 *   dot         a'b, summed as dots() does
 *   dots        out[j] = sum_i (x_j[i] - c[j]) u[i] for the columns of x   (c = NULL: c = 0)
 *   dots_multi  out[b] = sum_i (x[i] - c) u_b[i] for the columns of u      (one column, many u)
 *   panel_dots  out[l + b ldo] = sum_i z[l + i KERNELS_PANEL] u_b[i], l < KERNELS_PANEL, for the columns of u; out must
 *               have room for a number of columns that is a multiple of four
 *   any_above   is a[i]^2 > bar d[i] and d[i] > 0 for any i?
 *   sum         sum_i v[i] (x[i] - c)                                   (v = NULL: v = 1)
 *   spread      sum_i v[i] (x[i] - c)^2                                 (v = NULL: v = 1)
 *   axpy        y[i] += a x[i]
 *   downdate    d[i] -= u[i]^2, r[i] -= q u[i]
 *   scaled      y[i] = (x[i] - c) a
 *   left_out    adds sum_i e[i]^2, sum_i d[i], y'r and r'r to sums[0..3], e[i] = r[i] / (d[i] - c v[i]), NAN where
 *               the divisor is LEAST_LEFT or less (v = NULL: v = 1); adds e to `left` and r to `residual`
 *               unless `left` is NULL
 *   combine     y[i] += sum_k a[k] x[k][i],  k = 0..m-1  (m columns, given by pointers)
 *   lower       x <- L^-1 x,  L lower triangular (k x k), row r from L + r ld on
 *   upper       x <- L'^-1 x
 *   gram        out[j + l p] = x_j'x_l, all pairs of the p columns of x (out: p x p)
 *   cross       out[j + l ldo] = a_j'b_l for the columns of a and b, of the same length
 *   sweep       A <- A^-1 by sweeps and its log determinant, see spd_sweep() in spd.h
 *   factor      L and the rows below it, from a lower triangle by columns, see spd_columns_factor() in spd.h
 *   waits       first[k] = min_i (1 - sign(g[i]) rho[i]) / |g[i]| over the i of the k-th group of
 *               WAIT_GROUP numbers with |g[i]| > bar[i]; infinite if there are none
 *   scatter4    acc[4 of[i] + l] += (x_l[i] - c[l]) u[i] for the four columns of x  (sums by group)
 *
 * Cost of the products and sums: 2-3 flops per element, x is read once; gram, cross, sweep, factor, lower and upper:
 * see spd.h. Work arrays: only those in the arguments.
 */
#ifndef TRANSELECT_KERNELS_H
#define TRANSELECT_KERNELS_H

#include <stddef.h>

#define LEAST_LEFT 1e-10 /* a divisor of a leave-one-out residual that is no larger is rounding */
enum { KERNELS_PANEL = 16 }; /* columns of a panel, stored by rows: two vectors of AVX-512 */
enum {
  KERNELS_PIVOTS = 4, /* of which factor()'s m is a multiple */
  KERNELS_LANES = 8   /* of which factor()'s ld is a multiple */
};
enum { WAIT_GROUP = 32 }; /* a multiple of the lanes of every vector */

/* p columns of n numbers, which begin ld apart. */
typedef struct {
  const double *x;
  size_t ld, n, p;
} column_view;

/* Views are passed by address, which is faster than copies. COLUMNS: contiguous columns, ld = n. */
#define VIEW(x, ld, n, p) (&(column_view){x, ld, n, p})
#define COLUMNS(x, n, p) VIEW(x, n, n, p)

/* Rows of a model, for left_out(): diag P, P y, y, and weights or NULL; two arrays that it adds to, or NULL. */
typedef struct {
  const double *d, *r, *y, *v;
  double *left, *residual;
} model_rows;

typedef struct {
  double (*dot)(const double *a, const double *b, size_t n);
  void (*dots)(const column_view *x, const double *c, const double *u, double *out);
  void (*dots_multi)(const double *x, double c, const column_view *u, double *out);
  void (*panel_dots)(const double *z, const column_view *u, double *out, size_t ldo);
  int (*any_above)(const double *a, const double *d, double bar, size_t n);
  double (*sum)(const double *x, double c, const double *v, size_t n);
  double (*spread)(const double *x, double c, const double *v, size_t n);
  void (*axpy)(double a, const double *x, size_t n, double *y);
  void (*downdate)(const double *u, double q, size_t n, double *d, double *r);
  void (*scaled)(const double *x, double c, double a, size_t n, double *y);
  void (*left_out)(const model_rows *m, double c, size_t n, double *sums);
  void (*combine)(const double *const *x, const double *a, size_t m, size_t n, double *y);
  void (*lower)(const double *L, size_t ld, size_t k, double *x);
  void (*upper)(const double *L, size_t ld, size_t k, double *x);
  void (*gram)(const column_view *x, double *out);
  void (*cross)(const column_view *a, const column_view *b, double *out, size_t ldo);
  int (*sweep)(double *A, size_t m, double *work, double *logdet);
  int (*factor)(double *A, size_t ld, size_t m);
  void (*waits)(const double *rho, const double *g, const double *bar, size_t n, double *first);
  void (*scatter4)(const column_view *x, const double c[4], const double *u, const int *of,
                   double *acc);
  int lanes; /* doubles of a vector: 8 with AVX-512, 4 with AVX2 */
  const char *name;
} kernel_table;

extern const kernel_table kernels_portable;
/* Not on Windows, where GCC does not align the stack for wide vectors (its bug 54412). */
#if defined(__GNUC__) && defined(__x86_64__) && !defined(_WIN32)
#define TRANSELECT_X86 1
extern const kernel_table kernels_avx2;
extern const kernel_table kernels_avx512;
#endif

typedef enum { KERNELS_AUTO, KERNELS_PORTABLE, KERNELS_AVX2, KERNELS_AVX512 } kernel_set;

/* The table in use. kernels_choose() sets it: to the best one with KERNELS_AUTO, else to that of the instruction set.
 * Returns the name of the table, or NULL if this machine cannot run it. */
extern const kernel_table *kernels;
const char *kernels_choose(kernel_set wanted);

/* a'b */
static inline double dot(const double *a, const double *b, size_t n)
{
  return kernels->dot(a, b, n);
}

#endif
