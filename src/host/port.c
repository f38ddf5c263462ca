/* port.c - see port.h. */
#define R_NO_REMAP
#include <R.h>
#include <R_ext/Utils.h>
#include <Rinternals.h>
#include <Rmath.h>
#include <math.h>
#include <string.h>
#include <time.h>
#ifndef _WIN32 /* Windows has no fork */
#include <unistd.h>
#endif

#include "port.h"

void *port_room(size_t n, size_t size)
{
  if (size && n > (size_t)-1 / size) Rf_error("a work array of %.0f items is too large", (double)n);
  /* R_alloc takes its second argument as int and does the product in double. */
  return R_alloc(n ? n : 1, (int)size);
}

void *port_alloc(size_t n, size_t size)
{
  return memset(port_room(n, size), 0, n * size);
}

void port_poll(void)
{
  R_CheckUserInterrupt();
}

static void (*listener)(double, double);
static double last_told, part, parts; /* parts = 0: the work is not divided */

void port_listen(void (*hear)(double, double))
{
  listener = hear;
  last_told = 0;
  port_part(0, 0);
}

void port_part(double k, double n)
{
  part = k;
  parts = n;
}

void port_progress(double done, double all)
{
  if (!listener) return;
  const double now = port_seconds();
  if (fabs(now - last_told) < .25) return;
  last_told = now;
  if (parts > 0)
    listener(part + (all > 0 ? fmin(done / all, 1) : 0), parts);
  else
    listener(done, all);
}

double port_psigamma(double x, double order)
{
  return Rf_psigamma(x, order);
}

double port_qt(double upper, double df)
{
  return Rf_qt(upper, df, 0, 0);
}

double port_t_of_f(double f, double df1, double df2, double df)
{
  const double log_half = -0.693147180559945309417;
  return fmax(0, Rf_qt(Rf_pf(f, df1, df2, 0, 1) + log_half, df, 0, 1));
}

#ifdef _WIN32
void port_start(void)
{
}

int port_threads(int wanted)
{
  return wanted;
}
#else
/* The process that loaded the package. A handler of pthread_atfork() cannot be used: some C libraries still call it
 * after the package has been unloaded. */
static pid_t loaded_by;

void port_start(void)
{
  loaded_by = getpid();
}

int port_threads(int wanted)
{
  return getpid() == loaded_by ? wanted : 1;
}
#endif

double port_seconds(void)
{
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void check_interrupt(void *unused)
{
  (void)unused;
  R_CheckUserInterrupt();
}

int port_interrupted(void)
{
  return !R_ToplevelExec(check_interrupt, NULL);
}
