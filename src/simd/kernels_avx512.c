/* kernels_avx512.c - the variant of kernels.h for x86 processors with AVX-512. */
#include "avx512.h"

#ifdef TRANSELECT_X86
#define TABLE kernels_avx512
#define TABLE_NAME "avx512"
#include "kernels_impl.h"
#endif
#include "end_variant.h"
