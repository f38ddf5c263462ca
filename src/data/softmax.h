/* softmax.h - multinomial loss with a margin, its gradient and its Hessian.
 *
 * There are k classes, K = k - 1, with scores S_iq = sum_j x_ij w_jq for the first K classes and 0 for the last (w are
 * differences to the last class). With offset a (1 in the paper, 0: multinomial logistic) and
 * weights v of mean one
 *
 *   f = (1/m) sum_i v_i log sum_c exp(a 1[c != y_i] + S_ic - S_iy),
 *   P_iq = softmax_q of a 1[q != y_i] + S_iq,   R = v (P - Y),   df/dw_jq = (1/m) sum_i x_ij R_iq,
 *   d2f/dw_cq dw_jl = (1/m) sum_i v_i x_ic x_ij (P_iq 1[q = l] - P_iq P_il).
 *
 * Shalev-Shwartz, Wexler & Shashua, "ShareBoost: Efficient multiclass learning with feature
 * sharing", NIPS 2011, equation (3).
 *
 * The columns x_j and R are stored in blocks of SOFTMAX_ROWS rows (zeros after the last row): one
 * pass makes S, P, R and the gradient of a block while it is in cache. One file
 * (softmax_impl.h) is compiled for the instruction sets of kernels.h. Cost of a pass: 4mtK flops
 * and mk exponentials; of the K rows of the Hessian of one column: mtK^2 flops, in doubles or in
 * floats, of which a vector holds twice as many. Work arrays: the columns in doubles and, up to SOFTMAX_SINGLES, in
 * floats; R; the P in floats; and SOFTMAX_LANES accumulators for each sum.
 */
#ifndef TRANSELECT_SOFTMAX_H
#define TRANSELECT_SOFTMAX_H

#include <stddef.h>

#define SOFTMAX_ROWS 256
/* Doubles from column to column: more than SOFTMAX_ROWS, since a power of two maps all columns to one set of a
 * cache. */
#define SOFTMAX_STEP 264
#define SOFTMAX_SINGLE_STEP 272 /* floats from column to column */
#define SOFTMAX_SINGLES 512     /* largest number of columns that are stored in floats, too */
#define SOFTMAX_LANES 8         /* doubles of the widest vector: the size of one accumulator */
#define SOFTMAX_PAIRS 10        /* pairs of classes whose products stay in the first cache */
#define SOFTMAX_SLAB 510        /* pairs per pass over the rows: a multiple of SOFTMAX_PAIRS */

/* The rows of a loss. */
typedef struct {
  size_t m;
  int k;
  const int *y;    /* m: classes 0..k-1 */
  const double *v; /* weights of mean one (m), or NULL */
  double offset;   /* a */
} softmax_data;

typedef struct {
  size_t m, blocks;
  int k, K;
  size_t t, room;  /* columns packed, and largest number of columns */
  size_t slots;    /* columns of r in a block: K for R, the others for the caller */
  double *largest; /* room: max |x| of each column */
  double *x;       /* blocks x room x SOFTMAX_STEP */
  float *single;   /* x in floats, blocks x room x SOFTMAX_SINGLE_STEP, or NULL */
  float *shares;   /* blocks x softmax_shares() x SOFTMAX_SINGLE_STEP, where `single` is */
  double *r;       /* blocks x slots x SOFTMAX_STEP; R at the point last passed */
  int *y;          /* class 0..k-1 of each row, 0 after the last */
  double *v;       /* weights of mean one, or NULL for weights of one */
  double offset;   /* a */
  double *base;    /* blocks x K x SOFTMAX_STEP added to S, or NULL; see softmax_base() */
  double *acc, *sums, *work; /* accumulators; their sums; a block of P and of products */
} softmax;

/* For cross() below: columns of x, ldx apart, and q columns of u, n rows of both, in blocks of SOFTMAX_ROWS rows:
 * blocks of u are `step` apart, blocks of x `hop`. Numbers of x that lie `ahead` behind those in use are prefetched; 0:
 * no prefetch. */
#define SOFTMAX_OPERANDS(number)                                                                   \
  struct {                                                                                         \
    const number *x;                                                                               \
    size_t ldx, hop;                                                                               \
    const number *u;                                                                               \
    size_t step, q, n, ahead;                                                                      \
  }
typedef SOFTMAX_OPERANDS(double) softmax_operands;

typedef struct {
  /* Returns f and writes the gradient g (t x K, by columns of x) at w (t x K); stores R in r. */
  double (*pass)(const softmax *p, const double *w, double *g);
  /* Weighted share of misclassified rows at w; a row is put in the class of largest score, the first of tied ones. */
  double (*error)(const softmax *p, const double *w);
  /* Gradient of column c alone at the point of the last pass, from its R: g (K). */
  void (*slope)(const softmax *p, size_t c, double *g);
  /* Hessian of column c with columns from..c at the point of the last pass: row q of h (rows ld apart)
   * holds the entries with (from, 0..K-1), ..., (c, 0..K-1). In floats by rough_curvature(), after shares(). */
  void (*curvature)(const softmax *p, size_t from, size_t c, double *h, size_t ld);
  void (*shares)(const softmax *p);
  void (*rough_curvature)(const softmax *p, size_t from, size_t c, double *h, size_t ld);
  /* acc[(j q + b) SOFTMAX_LANES ...] += x_j u_b lane by lane, j < cols, b < q; fold() adds up the lanes of `count`
   * accumulators. Behind last rows that do not fill a vector x and u must have zeros. */
  void (*cross)(softmax_operands o, size_t cols, double *acc);
  void (*fold)(const double *acc, size_t count, double *out);
} softmax_table;

/* The table of the instruction set that kernels.h has chosen. */
const softmax_table *softmax_kernels(void);

/* Room for `room` columns and `extra` columns of the caller's beside R; y and v are copied. */
softmax softmax_new(softmax_data of, size_t room, size_t extra);

/* Adds a column (m). */
void softmax_add(softmax *p, const double *column);

/* The number of columns of `shares`: P, 1 - P and, with weights, v P. */
static inline size_t softmax_shares(const softmax *p)
{
  return (p->v ? 3 : 2) * (size_t)p->K;
}

/* Row i of column b of r. */
static inline double *softmax_r(const softmax *p, size_t i, size_t b)
{
  return p->r + (i / SOFTMAX_ROWS * p->slots + b) * SOFTMAX_STEP + i % SOFTMAX_ROWS;
}
/* Row i of column b of `base`, the part of S that does not come from columns. */
static inline double *softmax_base(const softmax *p, size_t i, size_t b)
{
  return p->base + (i / SOFTMAX_ROWS * (size_t)p->K + b) * SOFTMAX_STEP + i % SOFTMAX_ROWS;
}
/* Column j in a block, in floats or in doubles. */
static inline float *softmax_single(const softmax *p, size_t block, size_t j)
{
  return p->single + (block * p->room + j) * SOFTMAX_SINGLE_STEP;
}
static inline double *softmax_x(const softmax *p, size_t block, size_t j)
{
  return p->x + (block * p->room + j) * SOFTMAX_STEP;
}

/* by_row (m x q) <- the first q columns of r by rows; total (q) <- their sums. */
void softmax_by_row(const softmax *p, size_t q, double *by_row, double *total);

/* sum_i v_i (1 - sum_c P_ic^2) / (m K) at the point of the last pass. mk flops. */
double softmax_spread(const softmax *p);

/* n doubles, zeroed, aligned to 64 bytes. */
double *softmax_alloc(size_t n);

#endif
