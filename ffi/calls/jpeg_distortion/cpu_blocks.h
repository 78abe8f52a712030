// Transforms blocks of eight rows of eight samples, quantizes them and transforms them back, like libjpeg's accurate
// integer method (jfdctint.c, jidctint.c). jaxdali/_device/image/jpeg_distortion.py has the same arithmetic as tables.
#ifndef JAXDALI_CALLS_JPEG_DISTORTION_CPU_BLOCKS_H_
#define JAXDALI_CALLS_JPEG_DISTORTION_CPU_BLOCKS_H_

#include <cstdint>

namespace jaxdali::cpu {

inline constexpr int64_t kBlockSide = 8, kBlockNumbers = 64;
// Adjacent blocks that are coded together.
inline constexpr int64_t kBlocksAtOnce = 8;

// What the 64 numbers of a block are divided by, and multiplied by on the way back.
struct Quantizer {
  int32_t steps[kBlockNumbers];
  float inverses[kBlockNumbers];  // of eight times the steps

  // Loads a table of numbers from 1 to 255; others are clamped.
  void Load(const int32_t* table);
};

// Transforms, quantizes and transforms back kBlocksAtOnce blocks in place; rows are `stride` samples apart.
void CodeBlocks(const Quantizer& quantizer, uint8_t* samples, int64_t stride);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_JPEG_DISTORTION_CPU_BLOCKS_H_
