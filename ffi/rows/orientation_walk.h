// How EXIF orientation turns an image, as steps through its stored pixels.
#ifndef JAXDALI_ROWS_ORIENTATION_WALK_H_
#define JAXDALI_ROWS_ORIENTATION_WALK_H_

#include <cstdint>

#include "rows/rows.h"

namespace jaxdali {

// How to step through the source while the target is written row by row; all in bytes.
struct Walk {
  int64_t start;
  int64_t row_step;
  int64_t column_step;
};

// EXIF 2.3, section 4.6.4, tag 0x0112: where row 0 and column 0 of the stored image are shown.
inline Walk MakeWalk(int64_t height, int64_t width, int orientation, int64_t channels = kChannels) {
  const int64_t down = width * channels;
  const int64_t right = channels;
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

}  // namespace jaxdali

#endif  // JAXDALI_ROWS_ORIENTATION_WALK_H_
