/* kernels_avx512.c - kernels.h for x86 processors with AVX-512. */
#include "kernels.h"

#ifdef TRANSELECT_X86
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,fma"))), apply_to = function)
#else
#pragma GCC target("avx512f,fma")
#endif
#define LANES 8
#define TABLE kernels_avx512
#define TABLE_NAME "avx512"
#include "kernels_impl.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int kernels_avx512_not_built;
#endif
