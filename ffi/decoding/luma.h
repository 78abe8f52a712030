// The luma of RGB pixels, in libjpeg's integer arithmetic (jdcolor.c, rgb_gray_convert).
#ifndef JAXDALI_DECODING_LUMA_H_
#define JAXDALI_DECODING_LUMA_H_

#include <cstdint>

namespace jaxdali::cpu {

// For levels of 8 or 16 bits: the sum stays below 2**32.
template <typename Level>
Level Luma(const Level* rgb) {
  return static_cast<Level>((19595u * rgb[0] + 38470u * rgb[1] + 7471u * rgb[2] + 32768u) >> 16);
}

}  // namespace jaxdali::cpu

#endif  // JAXDALI_DECODING_LUMA_H_
