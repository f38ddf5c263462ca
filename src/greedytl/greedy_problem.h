/* greedy_problem.h - what one response keeps along the path, apart from how its next column is
 * found (greedy.c: by a full look; greedy_sample.c: among columns drawn at random). */
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
size_t greedy_pick(const greedy_problem *b, size_t p, size_t N, const greedy_options *o);

/* Why a column enters: it is the best one, which is looked at, one of a group that was chosen, or kept. */
enum entry_kind { ENTRY_LOOKED_AT, ENTRY_OF_GROUP, ENTRY_KEPT, ENTRY_KEPT_OF_GROUP };

typedef struct {
  size_t column;
  enum entry_kind kind;
  int whole; /* a model ends with it */
} greedy_entry;

/* The next column: of those kept, of the group of now, or the best. 0 if there is none: the problem is
 * done. */
int greedy_next(greedy_problem *b, size_t p, size_t N, const greedy_options *o, greedy_entry *entry);

/* ---- greedy_groups.c ---- */

/* Is column j one of several in its group? */
int greedy_is_group(const column_groups *groups, size_t j);

/* Room for the D_g of groups of several columns; what the ridge adds to D (N). */
void groups_room(greedy_problem *b, size_t N, const column_groups *groups);
void groups_ridges(greedy_problem *b, const double *ridge, const column_groups *groups);

/* A_g'D_g^-1 A_g of a group of several columns. Those that are constant, in, or explained by others
 * add nothing. m^3/6 flops. */
double groups_gain(const greedy_problem *b, size_t g, const column_groups *groups);

/* D_g -= t t' for all groups. */
void groups_pass(greedy_problem *b, const double *t, const column_groups *groups);

/* Begins the group of column j, unless its gain is not above `least`. */
int groups_begin(greedy_problem *b, size_t j, double least, const column_groups *groups);

/* Does the score of a row left out tell its class, y = -1 or 1? No score: the lower class. */
int tells_class(double score, double y);

/* A model ends with step n_steps. Is the mean over models to begin anew with it? It is until more is in
 * than what is kept. */
int problem_model(greedy_problem *b, const greedy_options *o);

/* A model ends here: fills row n_steps of every output. */
void problem_record(greedy_problem *b, size_t n, const greedy_options *o);

/* Centres and weights y; fills step 0. Cost O(n). */
status problem_start(greedy_problem *b, size_t n, const greedy_options *o);

/* The raw column x as z = sqrt(v) (x - center)/scale; zero where x is constant. */
status problem_column(const greedy_problem *b, const double *x, size_t n, int is_source,
                      const greedy_options *o, double *z, double *center, double *scale);

/* What column z would gain: *a = z'P y, *d = tau + z'P z, from scratch: O(n n_steps). */
void problem_look(const greedy_problem *b, const double *z, size_t n, double tau, double *a,
                  double *d);

/* Lets column j enter, unless it is collinear with the selected ones (nothing changes) or, where it
 * is looked at, its gain is nothing or below tol (the problem is then done). A kept column has no ridge
 * and, where it is collinear and by itself, is STATUS_COLLINEAR_KEEP. Cost 4n n_steps flops; `buffer` as in
 * design_column, `z` (n) is work space. */

status problem_take(const design *d, greedy_problem *b, size_t j, enum entry_kind kind,
                    const greedy_options *o, double *buffer, double *z);

/* A column about to enter: its square, what of it is left beside the selected ones, and u'y. */
typedef struct {
  size_t column;
  enum entry_kind kind;
  double square, left, q;
} newcomer;

/* Does it enter? Not if it is collinear with those that are in or, where it is looked at, if its gain is
 * nothing or below tol (the problem is then done). *state: STATUS_COLLINEAR_KEEP, or STATUS_OK. */
int problem_enters(greedy_problem *b, const newcomer *column, const greedy_options *o, status *state);

/* w (k): the scaled weights of the first k columns, L'w = U'y. */
void problem_weights(const greedy_problem *b, int k, double *w);

/* After greedy_gram_path(), of dense columns: what the rows say of every step, in one pass over the columns
 * that entered. Cost n n_steps^2 flops. */
status problem_rows(const design *d, greedy_problem *b, const greedy_options *o);

/* The randomised path of one problem (greedy_sample.c). */
status sampled_path(design *d, greedy_problem *b, const greedy_options *o, size_t *bad);

#endif
