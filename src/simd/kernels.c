/* kernels.c - the variant of kernels.h for any processor, and the choice among the three variants. */
#define LANES 2
#define TABLE kernels_portable
#define TABLE_NAME "portable"
#include "kernels_impl.h"

const kernel_table *kernels = &kernels_portable;

static int runs_here(const kernel_table *table)
{
#ifdef TRANSELECT_X86
  __builtin_cpu_init();
  if (table == &kernels_avx512) return __builtin_cpu_supports("avx512f");
  if (table == &kernels_avx2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
  return table == &kernels_portable;
}

const char *kernels_choose(kernel_set wanted)
{
#ifdef TRANSELECT_X86
  const kernel_table *tables[] = {&kernels_avx512, &kernels_avx2, &kernels_portable};
  const kernel_set sets[] = {KERNELS_AVX512, KERNELS_AVX2, KERNELS_PORTABLE};
#else
  const kernel_table *tables[] = {&kernels_portable};
  const kernel_set sets[] = {KERNELS_PORTABLE};
#endif
  for (size_t k = 0; k < sizeof(tables) / sizeof(tables[0]); k++)
    if ((wanted == KERNELS_AUTO || wanted == sets[k]) && runs_here(tables[k])) {
      kernels = tables[k];
      return kernels->name;
    }
  return NULL;
}
