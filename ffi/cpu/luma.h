// The luma of RGB pixels, in libjpeg's whole numbers (jdcolor.c, rgb_gray_convert).
#ifndef JAXDALI_CPU_LUMA_H_
#define JAXDALI_CPU_LUMA_H_

#include <cstdint>

namespace jaxdali::cpu {

inline uint8_t Luma(const uint8_t* rgb) {
  return static_cast<uint8_t>((19595 * rgb[0] + 38470 * rgb[1] + 7471 * rgb[2] + 32768) >> 16);
}

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_LUMA_H_
