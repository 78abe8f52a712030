// Applies EXIF orientation to pixels.
#ifndef JAXDALI_CPU_ORIENTATION_H_
#define JAXDALI_CPU_ORIENTATION_H_

#include <cstdint>

#include "common/rows.h"

namespace jaxdali::cpu {

// Copies `source`, a dense uint8[height, width, channels], 1 or 3 channels, into `target`, turned as EXIF orientation 1
// to 8 says; 5 to 8 make it width rows of height pixels. Rows of `target` lie `target_stride` bytes apart. The two must
// not overlap.
void CopyOriented(const uint8_t* source, int64_t height, int64_t width, int orientation, uint8_t* target,
                  int64_t target_stride, int64_t channels = kChannels) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_ORIENTATION_H_
