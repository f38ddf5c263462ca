/* port.h - all that a kernel may ask of its host.
 *
 * Kernels are plain C. The few services that depend on R stand behind these functions
 * (port.c), so that a kernel can be read, and tested, without knowing R.
 */
#ifndef TRANSELECT_PORT_H
#define TRANSELECT_PORT_H

#include <stddef.h>

/* Scratch memory for `n` items of `size` bytes, zeroed. It lives until the call from R
 * returns, errs or is interrupted; nobody frees it. */
void *port_alloc(size_t n, size_t size);

/* The same, not zeroed: for large arrays that are written before they are read. */
void *port_room(size_t n, size_t size);

/* Gives the user a chance to interrupt: call once per outer step. May not return. */
void port_poll(void);

/* Progress of long work: `done` of `all`, 0 where the total is unknown. Calls the listener,
 * if there is one, four times a second at most; it may not return. */
void port_progress(double done, double all);

/* From now on progress is of part `k`, from 0 on, of `n` parts: the listener gets that of all parts. */
void port_part(double k, double n);

/* Sets the listener, NULL for none; the work has no parts. */
void port_listen(void (*hear)(double done, double all));

/* Derivative `order` of digamma at x: 0 digamma, 1 trigamma, 2 tetragamma. */
double port_psigamma(double x, double order);

/* Quantile of Student's t: the value exceeded with probability `upper`. */
double port_qt(double upper, double df);

/* The quantile of Student's t with `df` degrees of freedom that is exceeded in size as often as F with
 * df1 and df2 exceeds f: sqrt(f) for df1 = 1, df2 = df. */
double port_t_of_f(double f, double df1, double df2, double df);

/* How many of `wanted` threads this process may run: one in the child of a fork, where the threads
 * that the parent's OpenMP counts on do not exist and waiting for them never ends. */
int port_threads(int wanted);

/* Called once, when the package is loaded: this process is no child yet. */
void port_start(void);

/* Seconds since some moment in the past. */
double port_seconds(void);

/* Does the user want to stop? Returns in any case: for work that hands back what it has. */
int port_interrupted(void);

#define ALLOC(n, type) ((type *)port_alloc((n), sizeof(type)))
#define ROOM(n, type) ((type *)port_room((n), sizeof(type)))

/* What a kernel returns; R/check.R words it. */
typedef enum {
  STATUS_OK = 0,
  STATUS_NOT_FINITE = 1,     /* a column holds NA, NaN or Inf */
  STATUS_CONSTANT_Y = 2,     /* the response does not vary */
  STATUS_COLLINEAR_KEEP = 3, /* a column that must stay in cannot enter */
  STATUS_NO_EVIDENCE = 4,    /* the evidence could not be evaluated */
  STATUS_FEW_DOMAINS = 5,    /* Theorem 1 says nothing about so few domains */
  STATUS_SINGULAR = 6        /* a matrix that must be positive definite is not */
} status;

#endif
