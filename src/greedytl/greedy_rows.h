/* greedy_rows.h - the products of a path of greedy.h from the rows of a design. `buffer` as in design_column(), `z` (n)
 * is work space. A column that may enter costs 4n n_steps flops. enter() updates P only: A and D are updated by the
 * caller. */
#ifndef TRANSELECT_GREEDY_ROWS_H
#define TRANSELECT_GREEDY_ROWS_H

#include "greedy_problem.h"

typedef struct {
  const design *d;
  const greedy_options *o;
  double *buffer, *z, *group; /* group: the columns of a group, at most `room` */
  size_t room;
} greedy_rows;

greedy_rows rows_new(const design *d, const greedy_options *o);
greedy_products products_of_rows(greedy_rows *rows);

/* rows->z <- column j as sqrt(v) (x - center)/scale, zero where x is constant; writes center and scale. */
status rows_column(const greedy_problem *b, const greedy_rows *rows, size_t j, double *center,
                   double *scale);

/* *a <- z'P y and *d <- tau + z'P z for column z = rows->z, by its products with U: 2n n_steps flops. */
void rows_look(const greedy_problem *b, const greedy_rows *rows, double tau, double *a, double *d);

#endif
