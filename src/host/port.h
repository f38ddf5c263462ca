/* port.h - what kernels need of R: memory, interrupts, progress, threads and a few distributions.
 *
 * Kernels are plain C and call R through these functions (port.c) only.
 */
#ifndef TRANSELECT_PORT_H
#define TRANSELECT_PORT_H

#include <stddef.h>

/* Scratch memory for `n` items of `size` bytes, zeroed. R frees it when the call from R
 * returns, stops with an error or is interrupted. */
void *port_alloc(size_t n, size_t size);

/* port_alloc() without zeroing: for large arrays that are written before they are read. */
void *port_room(size_t n, size_t size);

/* Checks for an interrupt by the user: to be called once per outer step. Does not return if there was one. */
void port_poll(void);

/* Reports the progress of long work: `done` of `all`, which is 0 where the total is unknown. Calls the listener,
 * if there is one, at most four times a second; does not return if the listener stops with an error. */
void port_progress(double done, double all);

/* From this call on the progress reported is that of part `k` (0, 1, ...) of `n` equal parts of the work. */
void port_part(double k, double n);

/* Sets the listener (NULL: none); the work that follows is not divided into parts until port_part() is called. */
void port_listen(void (*hear)(double done, double all));

/* Derivative `order` of digamma at x: 0 digamma, 1 trigamma, 2 tetragamma. */
double port_psigamma(double x, double order);

/* Quantile of Student's t: the value exceeded with probability `upper`. */
double port_qt(double upper, double df);

/* The quantile of Student's t with `df` degrees of freedom that is exceeded in size as often as F with
 * df1 and df2 exceeds f: sqrt(f) for df1 = 1, df2 = df. */
double port_t_of_f(double f, double df1, double df2, double df);

/* How many of `wanted` threads this process may run: one in the child of a fork, where the threads of the parent's
 * OpenMP do not exist and waiting for them never ends. */
int port_threads(int wanted);

/* Must be called once, when the package is loaded: stores the process, for port_threads(). */
void port_start(void);

/* Seconds since a fixed time in the past. */
double port_seconds(void);

/* Has the user interrupted? Unlike port_poll() it always returns: for work that returns what it has found so far. */
int port_interrupted(void);

#define ALLOC(n, type) ((type *)port_alloc((n), sizeof(type)))
#define ROOM(n, type) ((type *)port_room((n), sizeof(type)))

/* The value returned by a kernel; R/status.R words an error for each. */
typedef enum {
  STATUS_OK = 0,
  STATUS_NOT_FINITE = 1,     /* a column holds NA, NaN or Inf */
  STATUS_CONSTANT_Y = 2,     /* the response does not vary */
  STATUS_COLLINEAR_KEEP = 3, /* a column that must stay in cannot enter */
  STATUS_NO_EVIDENCE = 4,    /* the evidence could not be evaluated */
  STATUS_FEW_DOMAINS = 5,    /* the condition of Theorem 1 does not hold for so few domains */
  STATUS_SINGULAR = 6        /* a matrix that must be positive definite is not */
} status;

#endif
