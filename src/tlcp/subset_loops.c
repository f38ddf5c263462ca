/* subset_loops.c - the variant of subset_loops.h for any processor, and the choice of a table. */
#include "kernels.h"

#define TABLE subset_loops_portable
#include "subset_loops_impl.h"

#ifdef TRANSELECT_X86
extern const subset_loop_table subset_loops_avx2;
#endif

const subset_loop_table *subset_loops(void)
{
#ifdef TRANSELECT_X86
  if (kernels->lanes >= 4) return &subset_loops_avx2;
#endif
  return &subset_loops_portable;
}
