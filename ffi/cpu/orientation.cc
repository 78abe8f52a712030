#include "cpu/orientation.h"

#include <algorithm>
#include <cstring>

#include "common/rows.h"

namespace jaxdali::cpu {
namespace {

// Side of the square copied at a time where rows become columns: 32 source rows of 96 bytes stay
// in the first-level cache.
constexpr int64_t kTile = 32;

// How to walk the source while the target is written row by row; all in bytes.
struct Walk {
  int64_t start;
  int64_t row_step;
  int64_t column_step;
};

// EXIF 2.3, section 4.6.4, tag 0x0112: where row 0 and column 0 of the stored image are shown.
Walk MakeWalk(int64_t height, int64_t width, int orientation) {
  const int64_t down = width * kChannels;
  const int64_t right = kChannels;
  const int64_t last_row = (height - 1) * down;
  const int64_t last_column = (width - 1) * right;
  switch (orientation) {
    case 2:
      return {last_column, down, -right};
    case 3:
      return {last_row + last_column, -down, -right};
    case 4:
      return {last_row, -down, right};
    case 5:
      return {0, right, down};
    case 6:
      return {last_row, right, -down};
    case 7:
      return {last_row + last_column, -right, -down};
    case 8:
      return {last_column, -right, down};
    default:
      return {0, down, right};
  }
}

}  // namespace

void CopyOriented(const uint8_t* source, int64_t height, int64_t width, int orientation, uint8_t* target,
                  int64_t target_stride) noexcept {
  const Walk walk = MakeWalk(height, width, orientation);
  const int64_t rows = SwapsAxes(orientation) ? width : height;
  const int64_t columns = SwapsAxes(orientation) ? height : width;
  if (walk.column_step == kChannels) {
    for (int64_t row = 0; row < rows; ++row) {
      std::memcpy(target + row * target_stride, source + walk.start + row * walk.row_step, columns * kChannels);
    }
    return;
  }
  for (int64_t top = 0; top < rows; top += kTile) {
    for (int64_t left = 0; left < columns; left += kTile) {
      const int64_t bottom = std::min(top + kTile, rows);
      const int64_t right = std::min(left + kTile, columns);
      for (int64_t row = top; row < bottom; ++row) {
        uint8_t* to = target + row * target_stride + left * kChannels;
        const uint8_t* from = source + walk.start + row * walk.row_step + left * walk.column_step;
        for (int64_t column = left; column < right; ++column) {
          to[0] = from[0];
          to[1] = from[1];
          to[2] = from[2];
          to += kChannels;
          from += walk.column_step;
        }
      }
    }
  }
}

}  // namespace jaxdali::cpu
