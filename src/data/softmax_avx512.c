/* softmax_avx512.c - the variant of softmax.h for x86 processors with AVX-512. */
#include "avx512.h"

#ifdef TRANSELECT_X86
#define TABLE softmax_avx512
#include "softmax_impl.h"
#endif
#include "end_variant.h"
