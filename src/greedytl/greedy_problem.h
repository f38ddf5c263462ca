/* greedy_problem.h - the steps of one path of greedy.h, which has formulas, reference and work arrays. The next column
 * is the best of all (greedy.c) or of a few drawn at random (greedy_sample.c); products come from rows or from a Gram
 * matrix (greedy_products). */
#ifndef TRANSELECT_GREEDY_PROBLEM_H
#define TRANSELECT_GREEDY_PROBLEM_H

#include "greedy.h"

/* A relative difference of gains below this is a tie, in which the column of lowest number wins. */
#define GAIN_TIE 1e-12
/* A column is collinear with the selected ones if their residual of it has no larger share of its sum of squares. */
#define COLLINEAR 1e-10

/* A gain of no more than this share of y'y is rounding: the response is already fitted exactly. */
#define NO_GAIN 1e-24

/* The column of largest gain A^2/D, of lowest number among those that tie; N if no column can enter. With
 * `positive` columns from p on need A > 0. With groups: the first column of the best group. */
size_t greedy_pick(const greedy_problem *b, size_t p, size_t N, const greedy_options *o);

/* Why a column enters: it has the largest gain, it belongs to the group of largest gain, or it is kept. */
enum entry_kind { ENTRY_BEST, ENTRY_OF_GROUP, ENTRY_KEPT, ENTRY_KEPT_OF_GROUP };

typedef struct {
  size_t column;
  enum entry_kind kind;
  int whole; /* is its group complete, so that there is a model of this step? */
} greedy_entry;

/* *entry <- the next column: one that is kept, one of the current group, or the best. Returns 0 if there is none: the
 * path ends. */
int greedy_next(greedy_problem *b, size_t p, size_t N, const greedy_options *o,
                greedy_entry *entry);

/* A column z that may enter: its ridge tau, square = z'z, left = z'Pz, root = sqrt(tau + left), q = u'y. From a Gram
 * matrix square, left and root are those of the column on its original scale. */
typedef struct {
  size_t column;
  enum entry_kind kind;
  double tau, square, left, root, q;
} newcomer;

/* The source of products: rows or a Gram matrix. */
typedef struct {
  void *of;
  size_t p, N; /* number of features; of columns */
  /* Computes the products of column c->column with the selected ones: fills square, left, root and q, center and scale,
   * and row n_steps of L but for its last number. */
  status (*meet)(void *of, greedy_problem *b, newcomer *c);
  /* To be called when the column has entered as step n_steps: fills the last number of its row of L, and updates P
   * (rows), or A and D (Gram matrix). */
  void (*enter)(void *of, greedy_problem *b, const newcomer *c);
  void (*record)(void *of, greedy_problem *b); /* fills row n_steps of every output */
  /* cross[e + c m] <- the product of columns e and c, e < c, among m columns. */
  void (*products)(void *of, const greedy_problem *b, const size_t *column, size_t m,
                   double *cross);
} greedy_products;

/* Computes the common scale of the sources, D, and D_g of groups from the sums of squares of the columns ss (N). */
void problem_ridges(greedy_problem *b, const greedy_products *from, const double *ss,
                    const greedy_options *o);

/* Lets a column enter, unless it is collinear with the selected ones (then nothing changes) or its gain, as that of the
 * best column, is rounding or less than tol (then the path ends). A kept column has no ridge; if it is collinear and
 * not in a group the status is STATUS_COLLINEAR_KEEP. */
status problem_take(greedy_problem *b, const greedy_products *from, const greedy_entry *entry,
                    const greedy_options *o);

/* One step: the next column enters, or the problem is done. *bad: the column to which a status belongs. */
status problem_step(greedy_problem *b, const greedy_products *from, const greedy_options *o,
                    size_t *bad);

/* ---- greedy_groups.c ---- */

/* Computes D_g of groups of several columns from D and the columns' sums of squares ss. */
void groups_look(greedy_problem *b, const greedy_products *from, const double *ss,
                 const column_groups *groups);

/* The gain A_g'D_g^-1 A_g of a group of m columns. Columns that are constant, selected, or collinear with others of
 * the group are left out. m^3/3 flops. */
double groups_gain(const greedy_problem *b, size_t g, const column_groups *groups);

/* D_g -= t_g t_g' for all groups. */
void groups_pass(greedy_problem *b, const double *t, const column_groups *groups);

/* Does the score of a left-out row predict its class, y = -1 or 1? A score of 0 predicts -1. */
int predicts_class(double score, double y);

/* Adds step n_steps to the models. Returns whether the mean over models begins anew with it, as it does until more than
 * the kept columns have entered. */
int problem_model(greedy_problem *b, const greedy_options *o);

/* Adds step n_steps to the models and fills row n_steps of every output, from rows. */
void problem_record(greedy_problem *b, size_t n, const greedy_options *o);

/* Sets `exact`: is the response its shift? yy: the sum of squares of the response without the shift. */
void problem_shifted(greedy_problem *b, double yy);

/* Centres and weights y and fills step 0. Cost O(n). */
status problem_start(greedy_problem *b, size_t n, const greedy_options *o);

/* Work arrays of problem_rows(), which paths use one after the other; `sums` has the sums of each step. */
struct row_sums;
typedef struct {
  size_t rows; /* of a block */
  double *numbers;
  const double **column;
  struct row_sums *sums;
  char *whole;
} problem_rows_room;

/* problem: any of the paths that use the arrays. */
problem_rows_room problem_rows_room_new(size_t n, const greedy_problem *problem,
                                        const greedy_options *o);

/* To be called after greedy_gram_path(), for dense columns: residuals and leave-one-out results of every model, in one
 * pass over the columns that entered. Cost n n_steps^2 flops. */
status problem_rows(const design *d, greedy_problem *b, const greedy_options *o,
                    const problem_rows_room *work);

/* The randomised path of one problem (greedy_sample.c). */
status sampled_path(design *d, greedy_problem *b, const greedy_options *o, size_t *bad);

#endif
