#include "cpu/crop_window.h"

#include <algorithm>
#include <cmath>

namespace jaxdali::cpu {
namespace {

// Binary places of fractions of the area, of roots of areas in pixels, and of roots of ratios.
constexpr int kAreaBits = 30, kRootBits = 12, kRatioBits = 16;

struct Extents {
  uint32_t height, width;
};

uint32_t Root(uint64_t value) {
  auto root = static_cast<uint64_t>(std::sqrt(static_cast<double>(value)));
  while (root * root > value) --root;
  while ((root + 1) * (root + 1) <= value) ++root;
  return static_cast<uint32_t>(root);
}

// The root of a part of an image's pixels, with kRootBits binary places.
uint32_t RootOfArea(uint32_t fraction, uint32_t pixels) {
  return Root(uint64_t{fraction} * pixels >> (kAreaBits - 2 * kRootBits));
}

uint32_t Rounded(uint64_t value, int places) {
  return static_cast<uint32_t>((value + (uint64_t{1} << (places - 1))) >> places);
}

// One of the numbers below `bound`, of 32 random bits.
uint32_t Below(uint32_t word, uint32_t bound) { return static_cast<uint32_t>(uint64_t{word} * bound >> 32); }

// The largest window in range, of at most the area whose root is given.
Extents LargestWindow(uint32_t height, uint32_t width, uint32_t root_of_most, const WindowRange& range) {
  const bool too_wide = width * range.high_denominator > height * range.high_numerator;
  const bool too_high = width * range.low_denominator < height * range.low_numerator;
  uint32_t widest = too_wide ? height * range.high_numerator / range.high_denominator : width;
  uint32_t highest = too_high ? width * range.low_denominator / range.low_numerator : height;
  widest = std::max(widest, 1u), highest = std::max(highest, 1u);
  const uint32_t whole = RootOfArea(1u << kAreaBits, widest * highest);
  const uint64_t shrunk = root_of_most >= whole ? 1u << 16 : (uint64_t{root_of_most} << 16) / whole;
  return {std::max(static_cast<uint32_t>(highest * shrunk >> 16), 1u),
          std::max(static_cast<uint32_t>(widest * shrunk >> 16), 1u)};
}

}  // namespace

CropWindow DrawWindow(Key key, uint32_t height, uint32_t width, const WindowRange& range) noexcept {
  const uint32_t pixels = height * width;
  Extents size = {};
  bool found = false;
  for (uint32_t attempt = 0; attempt < range.attempts && !found; ++attempt) {
    const uint32_t area = FoldIn(key, 2 + 2 * attempt).high;
    const uint32_t ratio = FoldIn(key, 3 + 2 * attempt).high >> 20;
    const uint64_t root = RootOfArea(range.area_low + Below(area, range.area_high - range.area_low + 1), pixels);
    size.height = std::max(Rounded(root * range.height_factors[ratio], kRootBits + kRatioBits), 1u);
    size.width = std::max(Rounded(root * range.width_factors[ratio], kRootBits + kRatioBits), 1u);
    found = size.height <= height && size.width <= width &&
            size.width * range.low_denominator >= size.height * range.low_numerator &&
            size.width * range.high_denominator <= size.height * range.high_numerator;
  }
  if (!found) size = LargestWindow(height, width, RootOfArea(range.area_high, pixels), range);
  return {Below(FoldIn(key, 0).high, height - size.height + 1), Below(FoldIn(key, 1).high, width - size.width + 1),
          size.height, size.width};
}

}  // namespace jaxdali::cpu
