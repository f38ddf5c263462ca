/* softmax_avx2.c - softmax.h for x86 processors with AVX2 and FMA. */
#include "kernels.h"

#ifdef TRANSELECT_X86
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#define LANES 4
#define TABLE softmax_avx2
#include "softmax_impl.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int softmax_avx2_not_built;
#endif
