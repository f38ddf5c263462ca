/* avx2.h - begins a file that is compiled for x86 processors with AVX2 and FMA; end_variant.h ends it. The code
 * between them, inside #ifdef TRANSELECT_X86, is chosen by kernels.c at run time. */
#include "kernels.h"

#ifdef TRANSELECT_X86
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#define LANES 4
#endif
