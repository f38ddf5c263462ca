/* random.h - uniform random numbers of a generator of our own: xorshift128+. */
#ifndef TRANSELECT_RANDOM_H
#define TRANSELECT_RANDOM_H

#include <stdint.h>

/* The next number on (0, 1). seed: two numbers, not both 0. */
static inline double random_uniform(uint64_t *seed)
{
  uint64_t x = seed[0];
  const uint64_t y = seed[1];
  seed[0] = y;
  x ^= x << 23;
  seed[1] = x ^ y ^ (x >> 17) ^ (y >> 26);
  return ((double)((seed[1] + y) >> 11) + 0.5) / 9007199254740992.0;
}

#endif
