/* avx512.h - begins a file that is compiled for x86 processors with AVX-512; end_variant.h ends it. The code
 * between them, inside #ifdef TRANSELECT_X86, is chosen by kernels.c at run time. */
#include "kernels.h"

#ifdef TRANSELECT_X86
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,fma"))), apply_to = function)
#else
#pragma GCC target("avx512f,fma")
#endif
#define LANES 8
#endif
