/* end_variant.h - ends the part of a file that avx2.h or avx512.h begins. */
#if defined(TRANSELECT_X86) && defined(__clang__)
#pragma clang attribute pop
#endif
