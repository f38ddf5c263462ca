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
 * `positive` columns from p on need A > 0. */
size_t greedy_pick(const greedy_problem *b, size_t p, size_t N, int positive);

/* Does the score of a row left out tell its class, y = -1 or 1? No score: the lower class. */
int tells_class(double score, double y);

/* Centres and weights y; fills step 0. Cost O(n). */
status problem_start(greedy_problem *b, size_t n, const greedy_options *o);

/* The raw column x as z = sqrt(v) (x - center)/scale; zero where x is constant. */
status problem_column(const greedy_problem *b, const double *x, size_t n, int is_source,
                      const greedy_options *o, double *z, double *center, double *scale);

/* What column z would gain: *a = z'P y, *d = tau + z'P z, from scratch: O(n n_steps). */
void problem_look(const greedy_problem *b, const double *z, size_t n, double tau, double *a,
                  double *d);

/* Lets column j enter, unless it is collinear with the selected ones (nothing changes) or,
 * where it is not forced, its gain is nothing or below tol (the problem is then done). Fills row
 * n_steps of every output. A forced column that is collinear is STATUS_COLLINEAR_KEEP. Cost
 * 4n n_steps flops; `buffer` as in design_column, `z` (n) is work space. */
status problem_take(const design *d, greedy_problem *b, size_t j, int forced,
                    const greedy_options *o, double *buffer, double *z);

/* A column about to enter: its square, what of it is left beside the selected ones, and u'y. */
typedef struct {
  size_t column;
  int forced;
  double square, left, q;
} newcomer;

/* Does it enter? Not if it is collinear with those that are in or, where it is not forced, if its gain is
 * nothing or below tol (the problem is then done). *state: STATUS_COLLINEAR_KEEP, or STATUS_OK. */
int problem_enters(greedy_problem *b, const newcomer *column, const greedy_options *o, status *state);

/* After greedy_gram_path(), of dense columns: what the rows say of every step, in one pass over the columns
 * that entered. Cost n n_steps^2 flops. */
status problem_rows(const design *d, greedy_problem *b, const greedy_options *o);

/* The randomised path of one problem (greedy_sample.c). */
status sampled_path(design *d, greedy_problem *b, const greedy_options *o, size_t *bad);

#endif
