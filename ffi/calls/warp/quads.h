// Four neighbouring numbers, as float32 in one register.
#ifndef JAXDALI_CALLS_WARP_QUADS_H_
#define JAXDALI_CALLS_WARP_QUADS_H_

#include <cstdint>
#include <cstring>

#include "base/cloned.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace jaxdali::cpu {

using Quad = float __attribute__((vector_size(4 * sizeof(float))));

template <typename T>
JAXDALI_ALWAYS_INLINE Quad LoadQuad(const T* numbers) {
#if defined(__SSE2__)
  // Compilers would convert the numbers one by one.
  const __m128i zero = _mm_setzero_si128();
  if constexpr (sizeof(T) == 1) {
    int32_t word;
    std::memcpy(&word, numbers, sizeof(word));
    const __m128i halves = _mm_unpacklo_epi8(_mm_cvtsi32_si128(word), zero);
    return _mm_cvtepi32_ps(_mm_unpacklo_epi16(halves, zero));
  } else if constexpr (sizeof(T) == 2) {
    const __m128i halves = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(numbers));
    const bool has_sign = T(-1) < T(0);
    return _mm_cvtepi32_ps(has_sign ? _mm_srai_epi32(_mm_unpacklo_epi16(halves, halves), 16)
                                    : _mm_unpacklo_epi16(halves, zero));
  } else {
    static_assert(sizeof(T) == sizeof(float) && T(0.5f) != T(0));
    return _mm_loadu_ps(numbers);
  }
#else
  return Quad{static_cast<float>(numbers[0]), static_cast<float>(numbers[1]), static_cast<float>(numbers[2]),
              static_cast<float>(numbers[3])};
#endif
}

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_WARP_QUADS_H_
