/* greedy_problem.h - what one response keeps along the path, apart from how its next column is
 * found (greedy.c: by a full look; greedy_sample.c: among columns drawn at random) and where products come
 * from (greedy_products: rows, or the Gram matrix of greedy_gram.c). */
#ifndef TRANSELECT_GREEDY_PROBLEM_H
#define TRANSELECT_GREEDY_PROBLEM_H

#include "greedy.h"

/* A relative difference of gains below this is a tie: the lowest column wins. */
#define GAIN_TIE 1e-12
/* A column of which less than this share is left beside the selected ones is collinear. */
#define COLLINEAR 1e-10

/* A gain this small beside y'y is rounding: the response is fitted exactly. */
#define NO_GAIN 1e-24

/* The column of largest gain A^2/D, the lowest of those that tie; N if there is none. With
 * `positive` columns from p on need A > 0. With groups the first column of the best group. */
size_t greedy_pick(greedy_problem *b, size_t p, size_t N, const greedy_options *o);

/* Why a column enters: it is the best one, which is looked at, one of a group that was chosen, or kept. */
enum entry_kind { ENTRY_LOOKED_AT, ENTRY_OF_GROUP, ENTRY_KEPT, ENTRY_KEPT_OF_GROUP };

typedef struct {
  size_t column;
  enum entry_kind kind;
  int whole; /* a model ends with it */
} greedy_entry;

/* The next column: of those kept, of the group of now, or the best. 0 if there is none: the problem is
 * done. */
int greedy_next(greedy_problem *b, size_t p, size_t N, const greedy_options *o,
                greedy_entry *entry);

/* A column about to enter: its ridge, its square, what of it is left beside the selected ones, the root of the
 * sum of both, and u'y. */
typedef struct {
  size_t column;
  enum entry_kind kind;
  double tau, square, left, root, q;
} newcomer;

/* Where products come from. */
typedef struct {
  void *of;
  size_t p, N; /* features; columns */
  /* Compares column c->column with those that are in: fills square, left, root and q, and row
   * n_steps of L but for its last number. */
  status (*meet)(void *of, greedy_problem *b, newcomer *c);
  /* The column has entered as step n_steps: fills center, scale and the last number of its row of
   * L; P, or A and D, change. */
  void (*enter)(void *of, greedy_problem *b, const newcomer *c);
  void (*record)(void *of, greedy_problem *b); /* a model ends here: row n_steps of every output */
  /* Products of each of m columns with those before it: cross[e + c m], e < c. */
  void (*products)(void *of, const greedy_problem *b, const size_t *column, size_t m,
                   double *cross);
} greedy_products;

/* The scale that sources share and D, from the columns' sums of squares ss (N); D_g of groups. */
void problem_ridges(greedy_problem *b, const greedy_products *from, const double *ss,
                    const greedy_options *o);

/* Lets a column enter, unless it is collinear with the selected ones (nothing changes) or, where it
 * is looked at, its gain is nothing or below tol (the problem is then done). A kept column has no ridge
 * and, where it is collinear and by itself, is STATUS_COLLINEAR_KEEP. */
status problem_take(greedy_problem *b, const greedy_products *from, const greedy_entry *entry,
                    const greedy_options *o);

/* One step: the next column enters, or the problem is done. *bad: the column of a status. */
status problem_step(greedy_problem *b, const greedy_products *from, const greedy_options *o,
                    size_t *bad);

/* ---- greedy_groups.c ---- */

/* Is column j one of several in its group? */
int greedy_is_group(const column_groups *groups, size_t j);

/* D_g of groups of several columns, whose sums of squares are ss; D is made already. */
void groups_look(greedy_problem *b, const greedy_products *from, const double *ss,
                 const column_groups *groups);

/* A_g'D_g^-1 A_g of a group of several columns. Those that are constant, in, or explained by others
 * add nothing. m^3/6 flops. */
double groups_gain(greedy_problem *b, size_t g, const column_groups *groups);

/* D_g -= t t' for all groups. */
void groups_pass(greedy_problem *b, const double *t, const column_groups *groups);

/* Begins the group of column j, unless its gain is not above `least`. */
int groups_begin(greedy_problem *b, size_t j, double least, const column_groups *groups);

/* Does the score of a row left out predict its class, y = -1 or 1? No score: the lower class. */
int tells_class(double score, double y);

/* A model ends with step n_steps. Is the mean over models to begin anew with it? It is until more is in
 * than what is kept. */
int problem_model(greedy_problem *b, const greedy_options *o);

/* A model ends here: fills row n_steps of every output. */
void problem_record(greedy_problem *b, size_t n, const greedy_options *o);

/* Centres and weights y; fills step 0. Cost O(n). */
status problem_start(greedy_problem *b, size_t n, const greedy_options *o);

/* The rows of a design, which give products; `buffer` as in design_column, `z` (n) is work space. A newcomer
 * costs 4n n_steps flops; A and D are the caller's to change. */
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

/* What column z would gain: *a = z'P y, *d = tau + z'P z, from scratch: O(n n_steps). */
void problem_look(const greedy_problem *b, const greedy_rows *rows, double tau, double *a,
                  double *d);

/* w (k): the scaled weights of the first k columns, L'w = U'y. */
void problem_weights(const greedy_problem *b, int k, double *w);

/* After greedy_gram_path(), of dense columns: what the rows say of every step, in one pass over the columns
 * that entered. Cost n n_steps^2 flops. */
status problem_rows(const design *d, greedy_problem *b, const greedy_options *o);

/* The randomised path of one problem (greedy_sample.c). */
status sampled_path(design *d, greedy_problem *b, const greedy_options *o, size_t *bad);

#endif
