// Applies EXIF orientation to pixels.
#ifndef JAXDALI_ROWS_ORIENTATION_H_
#define JAXDALI_ROWS_ORIENTATION_H_

#include <cstdint>

#include "rows/rows.h"

namespace jaxdali::cpu {

// Copies `source`, dense [height, width] pixels of 1, 2, 3, 4, 6 or 8 bytes, to `target` and applies EXIF orientation 1
// to 8; 5 to 8 give `width` rows of `height` pixels. Rows of `target` are `target_stride` bytes apart. The two must not
// overlap.
void CopyOriented(const uint8_t* source, int64_t height, int64_t width, int orientation, uint8_t* target,
                  int64_t target_stride, int64_t pixel_bytes = kChannels) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_ROWS_ORIENTATION_H_
