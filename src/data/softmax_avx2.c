/* softmax_avx2.c - the variant of softmax.h for x86 processors with AVX2 and FMA. */
#include "avx2.h"

#ifdef TRANSELECT_X86
#define TABLE softmax_avx2
#include "softmax_impl.h"
#endif
#include "end_variant.h"
