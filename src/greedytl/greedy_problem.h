/* greedy_problem.h - the steps of one path of greedy.h. The next column is the best of all (greedy.c) or of a few
 * drawn at random (greedy_sample.c); products come from rows or from a Gram matrix (greedy_products). */
#ifndef TRANSELECT_GREEDY_PROBLEM_H
#define TRANSELECT_GREEDY_PROBLEM_H

#include "greedy.h"

/* A relative difference of gains below this is a tie: the lowest column wins. */
#define GAIN_TIE 1e-12
/* A column of whose sum of squares the selected ones leave no more than this share is collinear. */
#define COLLINEAR 1e-10

/* A gain of no more than this share of y'y is rounding: the response is fitted exactly. */
#define NO_GAIN 1e-24

/* The column of largest gain A^2/D, the lowest of those that tie; N if there is none. With
 * `positive` columns from p on need A > 0. With groups the first column of the best group. */
size_t greedy_pick(const greedy_problem *b, size_t p, size_t N, const greedy_options *o);

/* Why a column enters: it has the largest gain, it is of the group of largest gain, or it is kept. */
enum entry_kind { ENTRY_BEST, ENTRY_OF_GROUP, ENTRY_KEPT, ENTRY_KEPT_OF_GROUP };

typedef struct {
  size_t column;
  enum entry_kind kind;
  int whole; /* its group is complete: there is a model of this step */
} greedy_entry;

/* The next column: one that is kept, one of the current group, or the best. 0 if there is none: the path
 * ends. */
int greedy_next(greedy_problem *b, size_t p, size_t N, const greedy_options *o,
                greedy_entry *entry);

/* A column z that may enter: its ridge tau, square = z'z, left = z'Pz, root = sqrt(tau + left), q = u'y (from a Gram
 * matrix square, left and root are those of the column without scale). */
typedef struct {
  size_t column;
  enum entry_kind kind;
  double tau, square, left, root, q;
} newcomer;

/* Where products come from. */
typedef struct {
  void *of;
  size_t p, N; /* features; columns */
  /* Products of column c->column with the selected ones: fills square, left, root and q, and row
   * n_steps of L but for its last number. */
  status (*meet)(void *of, greedy_problem *b, newcomer *c);
  /* The column has entered as step n_steps: fills center, scale and the last number of its row of
   * L; P, or A and D, change. */
  void (*enter)(void *of, greedy_problem *b, const newcomer *c);
  void (*record)(void *of, greedy_problem *b); /* fills row n_steps of every output */
  /* Products of each of m columns with those before it: cross[e + c m], e < c. */
  void (*products)(void *of, const greedy_problem *b, const size_t *column, size_t m,
                   double *cross);
} greedy_products;

/* The common scale of the sources, D and D_g of groups, from the sums of squares of the columns ss (N). */
void problem_ridges(greedy_problem *b, const greedy_products *from, const double *ss,
                    const greedy_options *o);

/* A column enters, unless it is collinear with the selected ones (then nothing changes) or, as the best one, gains
 * nothing or less than tol (then the path ends). A kept column has no ridge; if it is collinear and not of a group
 * the status is STATUS_COLLINEAR_KEEP. */
status problem_take(greedy_problem *b, const greedy_products *from, const greedy_entry *entry,
                    const greedy_options *o);

/* One step: the next column enters, or the problem is done. *bad: the column of a status. */
status problem_step(greedy_problem *b, const greedy_products *from, const greedy_options *o,
                    size_t *bad);

/* ---- greedy_groups.c ---- */

/* D_g of groups of several columns, from D and the columns' sums of squares ss. */
void groups_look(greedy_problem *b, const greedy_products *from, const double *ss,
                 const column_groups *groups);

/* A_g'D_g^-1 A_g of a group of m columns. Columns that are constant, selected, or collinear with others of the
 * group are left out. m^3/3 flops. */
double groups_gain(const greedy_problem *b, size_t g, const column_groups *groups);

/* D_g -= t t' for all groups. */
void groups_pass(greedy_problem *b, const double *t, const column_groups *groups);

/* Does the score of a row left out predict its class, y = -1 or 1? A score of 0 predicts -1. */
int predicts_class(double score, double y);

/* Counts step n_steps among the models. Returns whether the mean over models begins anew with it, as it does until
 * more than the kept columns have entered. */
int problem_model(greedy_problem *b, const greedy_options *o);

/* Counts step n_steps among the models and fills row n_steps of every output, from rows. */
void problem_record(greedy_problem *b, size_t n, const greedy_options *o);

/* Notes whether the response is its shift. yy: the sum of squares of the response. */
void problem_shifted(greedy_problem *b, double yy);

/* Centres and weights y and fills step 0. Cost O(n). */
status problem_start(greedy_problem *b, size_t n, const greedy_options *o);

/* Products from the rows of a design; `buffer` as in design_column(), `z` (n) is work space. A column that may enter
 * costs 4n n_steps flops. `enter` changes P only: A and D are changed by the caller. */
typedef struct {
  const design *d;
  const greedy_options *o;
  double *buffer, *z, *group; /* group: columns of one, room for `room` */
  size_t room;
} greedy_rows;

greedy_rows rows_new(const design *d, const greedy_options *o);
greedy_products products_of_rows(greedy_rows *rows);

/* Column j of the rows as z = sqrt(v) (x - center)/scale; zero where x is constant. */
status problem_column(const greedy_problem *b, const greedy_rows *rows, size_t j, double *center,
                      double *scale);

/* *a = z'P y and *d = tau + z'P z of column z, by its products with U: 2n n_steps flops. */
void problem_look(const greedy_problem *b, const greedy_rows *rows, double tau, double *a,
                  double *d);

/* Work arrays of problem_rows(), which paths use one after the other; sums: of each step. */
struct row_sums;
typedef struct {
  size_t rows; /* of a block */
  double *numbers;
  const double **column;
  struct row_sums *sums;
  char *whole;
} problem_rows_room;

/* problem: any of the paths. */
problem_rows_room problem_rows_room_new(size_t n, const greedy_problem *problem,
                                        const greedy_options *o);

/* After greedy_gram_path(), for dense columns: residuals and leave-one-out of every model, in one pass over the
 * columns that entered. Cost n n_steps^2 flops. */
status problem_rows(const design *d, greedy_problem *b, const greedy_options *o,
                    const problem_rows_room *work);

/* The randomised path of one problem (greedy_sample.c). */
status sampled_path(design *d, greedy_problem *b, const greedy_options *o, size_t *bad);

#endif
