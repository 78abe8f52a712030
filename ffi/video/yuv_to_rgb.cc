#include "video/yuv_to_rgb.h"

#include <algorithm>
#include <vector>

#include "base/cloned.h"

namespace jaxdali::video {
namespace {

// Chroma levels have 9 more bits than those of the frame: two for the weights of each direction, and libswscale's five.
constexpr int32_t kGray = 128 << 9;

// Gives four times the chroma between two lines; the farther one counts for a quarter.
JAXDALI_CLONED void SumLines(const uint8_t* near, const uint8_t* far, size_t count, int16_t* __restrict sums) {
  for (size_t x = 0; x < count; ++x) sums[x] = static_cast<int16_t>(3 * near[x] + far[x]);
}

// Spreads chroma to as many columns as luma has. `sums` has one more value at either end, which repeats the one there.
JAXDALI_CLONED void SpreadFromLeft(const int16_t* sums, size_t count, int32_t* __restrict chroma) {
  for (size_t x = 0; x < count; ++x) {
    chroma[2 * x] = 128 * sums[x] - kGray;
    chroma[2 * x + 1] = 64 * (sums[x] + sums[x + 1]) - kGray;
  }
}

JAXDALI_CLONED void SpreadFromBetween(const int16_t* sums, size_t count, int32_t* __restrict chroma) {
  for (size_t x = 0; x < count; ++x) {
    const int32_t here = 3 * sums[x];
    chroma[2 * x] = 32 * (here + sums[x - 1]) - kGray;
    chroma[2 * x + 1] = 32 * (here + sums[x + 1]) - kGray;
  }
}

JAXDALI_CLONED void KeepColumns(const int16_t* sums, size_t count, int32_t* __restrict chroma) {
  for (size_t x = 0; x < count; ++x) chroma[x] = 128 * sums[x] - kGray;
}

// Returns the level, 0 to 255, of a number in units of 2^-22. Sums that wrap are below 0, as in libswscale.
inline uint8_t Level(uint32_t sum) {
  const auto number = static_cast<int32_t>(sum);
  return static_cast<uint8_t>(std::min(std::max(number, 0), (1 << 30) - 1) >> 22);
}

JAXDALI_CLONED void MixLine(const uint8_t* luma, const int32_t* blue, const int32_t* red, ColorMatrix matrix,
                            size_t count, uint8_t* __restrict rgb) {
  const auto product = [](int32_t a, int32_t b) { return static_cast<uint32_t>(a) * static_cast<uint32_t>(b); };
  for (size_t x = 0; x < count; ++x) {
    const uint32_t y = product((luma[x] << 9) - matrix.black, matrix.luma) + (1u << 21);
    rgb[3 * x] = Level(y + product(red[x], matrix.red_to_red));
    rgb[3 * x + 1] = Level(y + product(red[x], matrix.red_to_green) + product(blue[x], matrix.blue_to_green));
    rgb[3 * x + 2] = Level(y + product(blue[x], matrix.blue_to_blue));
  }
}

// Computes the chroma of one line of luma.
class ChromaLine {
 public:
  ChromaLine(const Frame& frame, const Plane& plane)
      : plane_(plane),
        lines_(frame.halved_lines),
        columns_(frame.halved_columns),
        at_left_(frame.at_left),
        height_(lines_ ? frame.height / 2 : frame.height),
        width_(columns_ ? frame.width / 2 : frame.width),
        sums_(width_ + 2),
        values_(frame.width) {}

  const int32_t* At(size_t y) {
    const size_t near = lines_ ? y / 2 : y;
    const size_t far = !lines_ ? y : y % 2 != 0 ? std::min(near + 1, height_ - 1) : near == 0 ? 0 : near - 1;
    int16_t* const sums = sums_.data() + 1;
    SumLines(plane_.line(near), plane_.line(far), width_, sums);
    if (!columns_) {
      KeepColumns(sums, width_, values_.data());
    } else {
      sums[-1] = sums[0];
      sums[width_] = sums[width_ - 1];
      (at_left_ ? SpreadFromLeft : SpreadFromBetween)(sums, width_, values_.data());
    }
    return values_.data();
  }

 private:
  Plane plane_;
  bool lines_, columns_, at_left_;
  size_t height_, width_;
  std::vector<int16_t> sums_;
  std::vector<int32_t> values_;
};

}  // namespace

void ToRgb(const Frame& frame, const ColorMatrix& matrix, uint8_t* rgb) {
  ChromaLine blue(frame, frame.blue), red(frame, frame.red);
  for (size_t y = 0; y < frame.height; ++y) {
    MixLine(frame.luma.line(y), blue.At(y), red.At(y), matrix, frame.width, rgb + 3 * y * frame.width);
  }
}

}  // namespace jaxdali::video
