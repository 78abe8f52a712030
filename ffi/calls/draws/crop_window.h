// Draws the random window of an image that is then resized: exactly the window that jaxdali/_device/random/windows.py
// computes.
#ifndef JAXDALI_CALLS_DRAWS_CROP_WINDOW_H_
#define JAXDALI_CALLS_DRAWS_CROP_WINDOW_H_

#include <cmath>
#include <cstdint>

#include "base/host_device.h"
#include "calls/draws/threefry.h"

namespace jaxdali {

// The number of aspect ratios whose roots are in the tables.
inline constexpr int kRatios = 4096;

// Which windows are allowed; see `resized_crop_window` in jaxdali/_device/random/windows.py.
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

namespace crop_window {

JAXDALI_HOST_DEVICE inline uint32_t Larger(uint32_t a, uint32_t b) { return a < b ? b : a; }

// Binary places of fractions of the area, of roots of areas in pixels, and of roots of ratios.
inline constexpr int kAreaBits = 30, kRootBits = 12, kRatioBits = 16;

struct Extents {
  uint32_t height, width;
};

JAXDALI_HOST_DEVICE inline uint32_t Root(uint64_t value) {
  auto root = static_cast<uint64_t>(sqrt(static_cast<double>(value)));
  while (root * root > value) --root;
  while ((root + 1) * (root + 1) <= value) ++root;
  return static_cast<uint32_t>(root);
}

// Returns the root of a fraction of an image's pixels, with kRootBits binary places.
JAXDALI_HOST_DEVICE inline uint32_t RootOfArea(uint32_t fraction, uint32_t pixels) {
  return Root(uint64_t{fraction} * pixels >> (kAreaBits - 2 * kRootBits));
}

JAXDALI_HOST_DEVICE inline uint32_t Rounded(uint64_t value, int places) {
  return static_cast<uint32_t>((value + (uint64_t{1} << (places - 1))) >> places);
}

// Returns a number below `bound`, from 32 random bits.
JAXDALI_HOST_DEVICE inline uint32_t Below(uint32_t word, uint32_t bound) {
  return static_cast<uint32_t>(uint64_t{word} * bound >> 32);
}

// Returns the largest window with an allowed aspect ratio whose area has at most the root `root_of_most`.
JAXDALI_HOST_DEVICE inline Extents LargestWindow(uint32_t height, uint32_t width, uint32_t root_of_most,
                                                 const WindowRange& range) {
  const bool too_wide = width * range.high_denominator > height * range.high_numerator;
  const bool too_high = width * range.low_denominator < height * range.low_numerator;
  uint32_t widest = too_wide ? height * range.high_numerator / range.high_denominator : width;
  uint32_t highest = too_high ? width * range.low_denominator / range.low_numerator : height;
  widest = Larger(widest, 1u), highest = Larger(highest, 1u);
  const uint32_t whole = RootOfArea(1u << kAreaBits, widest * highest);
  const uint64_t shrunk = root_of_most >= whole ? 1u << 16 : (uint64_t{root_of_most} << 16) / whole;
  return {Larger(static_cast<uint32_t>(highest * shrunk >> 16), 1u),
          Larger(static_cast<uint32_t>(widest * shrunk >> 16), 1u)};
}

}  // namespace crop_window

// Draws words from `key`, which already has the stream folded in: two for the position, two for each attempt. Any
// extents are safe; above 2**20, or with an area of 2**31 or more, the window is meaningless.
JAXDALI_HOST_DEVICE inline CropWindow DrawWindow(Key key, uint32_t height, uint32_t width, const WindowRange& range) {
  using namespace crop_window;
  const uint32_t pixels = height * width;
  Extents size = {};
  bool found = false;
  for (uint32_t attempt = 0; attempt < range.attempts && !found; ++attempt) {
    const uint32_t area = FoldIn(key, 2 + 2 * attempt).high;
    const uint32_t ratio = FoldIn(key, 3 + 2 * attempt).high >> 20;
    const uint64_t root = RootOfArea(range.area_low + Below(area, range.area_high - range.area_low + 1), pixels);
    size.height = Larger(Rounded(root * range.height_factors[ratio], kRootBits + kRatioBits), 1u);
    size.width = Larger(Rounded(root * range.width_factors[ratio], kRootBits + kRatioBits), 1u);
    found = size.height <= height && size.width <= width &&
            size.width * range.low_denominator >= size.height * range.low_numerator &&
            size.width * range.high_denominator <= size.height * range.high_numerator;
  }
  if (!found) size = LargestWindow(height, width, RootOfArea(range.area_high, pixels), range);
  return {Below(FoldIn(key, 0).high, height - size.height + 1), Below(FoldIn(key, 1).high, width - size.width + 1),
          size.height, size.width};
}

}  // namespace jaxdali

#endif  // JAXDALI_CALLS_DRAWS_CROP_WINDOW_H_
