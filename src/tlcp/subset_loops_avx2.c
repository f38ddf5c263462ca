/* subset_loops_avx2.c - the variant of subset_loops.h for x86 processors with AVX2 and FMA. */
#include "avx2.h"

#ifdef TRANSELECT_X86
#define TABLE subset_loops_avx2
#include "subset_loops_impl.h"
#endif
#include "end_variant.h"
