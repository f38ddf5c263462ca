/* kernels_avx2.c - the variant of kernels.h for x86 processors with AVX2 and FMA. */
#include "avx2.h"

#ifdef TRANSELECT_X86
#define TABLE kernels_avx2
#define TABLE_NAME "avx2"
#include "kernels_impl.h"
#endif
#include "end_variant.h"
