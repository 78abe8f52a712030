// The random window of an image that is resized afterwards, to the pixel what jaxdali/random/windows.py computes.
#ifndef JAXDALI_CPU_CROP_WINDOW_H_
#define JAXDALI_CPU_CROP_WINDOW_H_

#include <cstdint>

#include "cpu/threefry.h"

namespace jaxdali::cpu {

// Entries of a table of the roots of aspect ratios.
inline constexpr int kRatios = 4096;

// What windows may be, see `resized_crop_window` in jaxdali/random/windows.py.
struct WindowRange {
  uint32_t area_low, area_high;  // fractions of the image's area, with 30 binary places
  uint32_t low_numerator, low_denominator, high_numerator, high_denominator;  // of the aspect ratio
  uint32_t attempts;
  const uint32_t* height_factors;  // [kRatios]: roots of 1 / ratio, with 16 binary places
  const uint32_t* width_factors;   // [kRatios]: roots of the ratio
};

struct CropWindow {
  uint32_t top, left, height, width;
};

// Words are drawn from `key`, which the stream was folded into: two for the place, two for each attempt. Any extents
// do; above 2**20, or with an area of 2**31 and above, the window is of no meaning.
CropWindow DrawWindow(Key key, uint32_t height, uint32_t width, const WindowRange& range) noexcept;

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_CROP_WINDOW_H_
