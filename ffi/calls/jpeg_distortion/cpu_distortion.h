// Distorts images as if they were saved as JPEG and read again, without writing files: bit for bit as
// jaxdali/_device/image/jpeg_distortion.py defines it.
#ifndef JAXDALI_CALLS_JPEG_DISTORTION_CPU_DISTORTION_H_
#define JAXDALI_CALLS_JPEG_DISTORTION_CPU_DISTORTION_H_

#include <cstdint>

#include "base/per_sample.h"

namespace jaxdali::cpu {

struct Distortion {
  const uint8_t* images;  // [N, height, width, 3], RGB
  int64_t height, width;
  PerSample<int32_t> tables;   // [2, 64]: quantizers of luma and of chroma
  PerSample<int32_t> extents;  // [2]: of the image in the corner of its canvas; clamped to it
  uint8_t* result;             // [N, height, width, 3]; zeros outside of images
};

// Makes one image. Returns false if out of memory.
bool Distort(const Distortion& distortion, int64_t sample) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_JPEG_DISTORTION_CPU_DISTORTION_H_
