/* softmax_avx512.c - softmax.h for x86 processors with AVX-512. */
#include "kernels.h"

#ifdef TRANSELECT_X86
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,fma"))), apply_to = function)
#else
#pragma GCC target("avx512f,fma")
#endif
#define LANES 8
#define TABLE softmax_avx512
#include "softmax_impl.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int softmax_avx512_not_built;
#endif
