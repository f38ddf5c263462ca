/* end_variant.h - ends what avx2.h or avx512.h has begun. */
#if defined(TRANSELECT_X86) && defined(__clang__)
#pragma clang attribute pop
#endif
