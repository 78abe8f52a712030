#include "rows/orientation.h"

#include <algorithm>
#include <cstring>

#include "rows/orientation_walk.h"
#include "rows/rows.h"

namespace jaxdali::cpu {
namespace {

// The side of the squares that are copied at a time when rows become columns: 32 source rows of 96 bytes stay in the
// first-level cache.
constexpr int64_t kTile = 32;

template <int64_t kPixel>  // bytes
void CopyPixels(const uint8_t* source, int64_t height, int64_t width, int orientation, uint8_t* target,
                int64_t target_stride) noexcept {
  const Walk walk = MakeWalk(height, width, orientation, kPixel);
  const int64_t rows = SwapsAxes(orientation) ? width : height;
  const int64_t columns = SwapsAxes(orientation) ? height : width;
  if (walk.column_step == kPixel) {
    for (int64_t row = 0; row < rows; ++row) {
      std::memcpy(target + row * target_stride, source + walk.start + row * walk.row_step, columns * kPixel);
    }
    return;
  }
  for (int64_t top = 0; top < rows; top += kTile) {
    for (int64_t left = 0; left < columns; left += kTile) {
      const int64_t bottom = std::min(top + kTile, rows);
      const int64_t right = std::min(left + kTile, columns);
      for (int64_t row = top; row < bottom; ++row) {
        uint8_t* to = target + row * target_stride + left * kPixel;
        const uint8_t* from = source + walk.start + row * walk.row_step + left * walk.column_step;
        for (int64_t column = left; column < right; ++column) {
          std::memcpy(to, from, kPixel);  // two moves for three bytes
          to += kPixel;
          from += walk.column_step;
        }
      }
    }
  }
}

}  // namespace

void CopyOriented(const uint8_t* source, int64_t height, int64_t width, int orientation, uint8_t* target,
                  int64_t target_stride, int64_t pixel_bytes) noexcept {
  switch (pixel_bytes) {
    case 1:
      return CopyPixels<1>(source, height, width, orientation, target, target_stride);
    case 2:
      return CopyPixels<2>(source, height, width, orientation, target, target_stride);
    case 4:
      return CopyPixels<4>(source, height, width, orientation, target, target_stride);
    case 6:
      return CopyPixels<6>(source, height, width, orientation, target, target_stride);
    case 8:
      return CopyPixels<8>(source, height, width, orientation, target, target_stride);
    default:
      return CopyPixels<kChannels>(source, height, width, orientation, target, target_stride);
  }
}

}  // namespace jaxdali::cpu
