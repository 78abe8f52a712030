// Blocks of eight rows of eight samples that were transformed, divided, and came back, as libjpeg's accurate integer
// method has it (jfdctint.c, jidctint.c). jaxdali/image/jpeg_distortion.py holds the same arithmetic as tables.
#ifndef JAXDALI_CPU_JPEG_BLOCKS_H_
#define JAXDALI_CPU_JPEG_BLOCKS_H_

#include <cstdint>

namespace jaxdali::cpu {

inline constexpr int64_t kBlockSide = 8, kBlockNumbers = 64;
// Blocks side by side that are coded together.
inline constexpr int64_t kBlocksAtOnce = 8;

// What 64 numbers are divided by, and multiplied with again.
struct Quantizer {
  int32_t steps[kBlockNumbers];
  float inverses[kBlockNumbers];  // of eight times the steps

  // Of a table from 1 to 255; what lies outside is the nearest of these.
  void Load(const int32_t* table);
};

// Codes kBlocksAtOnce blocks where they lie; `stride` samples from row to row.
void CodeBlocks(const Quantizer& quantizer, uint8_t* samples, int64_t stride);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_JPEG_BLOCKS_H_
