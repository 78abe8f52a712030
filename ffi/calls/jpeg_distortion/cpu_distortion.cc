#include "calls/jpeg_distortion/cpu_distortion.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <vector>

#include "base/cloned.h"
#include "calls/jpeg_distortion/cpu_blocks.h"

namespace jaxdali::cpu {
namespace {

constexpr int64_t kChannels = 3;
constexpr int64_t kStrip = kBlocksAtOnce * kBlockSide;
// Images are extended to whole chroma blocks; chroma has half the resolution.
constexpr int64_t kUnit = 2 * kBlockSide;

int64_t Up(int64_t extent, int64_t step) { return (extent + step - 1) / step * step; }

// Samples in rows, in whole strips of blocks.
class Plane {
 public:
  Plane(int64_t height, int64_t width) : height_(height), stride_(Up(width, kStrip)), samples_(height * stride_) {}

  uint8_t* Row(int64_t y) { return samples_.data() + y * stride_; }

  void RepeatRow(int64_t y) {
    for (int64_t below = y + 1; below < height_; ++below) std::memcpy(Row(below), Row(y), stride_);
  }

  void Code(const Quantizer& quantizer) {
    for (int64_t y = 0; y < height_; y += kBlockSide) {
      for (int64_t x = 0; x < stride_; x += kStrip) CodeBlocks(quantizer, Row(y) + x, stride_);
    }
  }

 private:
  int64_t height_, stride_;
  std::vector<uint8_t> samples_;
};

// Converts a row to luma and chroma; factors are 16-bit fractions (jccolor.c). Repeats the last pixel up to `length`.
JAXDALI_CLONED void ToYcc(const uint8_t* rgb, int64_t width, int64_t length, uint8_t* __restrict luma,
                          uint8_t* __restrict blue, uint8_t* __restrict red) {
  constexpr int32_t kCenter = (128 << 16) + 32767;
  for (int64_t x = 0; x < width; ++x) {
    const int32_t r = rgb[x * kChannels], g = rgb[x * kChannels + 1], b = rgb[x * kChannels + 2];
    luma[x] = static_cast<uint8_t>((19595 * r + 38470 * g + 7471 * b + 32768) >> 16);
    blue[x] = static_cast<uint8_t>((-11059 * r - 21709 * g + 32768 * b + kCenter) >> 16);
    red[x] = static_cast<uint8_t>((32768 * r - 27439 * g - 5329 * b + kCenter) >> 16);
  }
  for (uint8_t* row : {luma, blue, red}) std::memset(row + width, row[width - 1], length - width);
}

// Writes the means of four samples each; halves are rounded up and down alternately (jcsample.c).
JAXDALI_CLONED void Halve(const uint8_t* above, const uint8_t* below, int64_t length, uint8_t* __restrict to) {
  for (int64_t x = 0; x < length; ++x) {
    const int32_t sum = above[2 * x] + above[2 * x + 1] + below[2 * x] + below[2 * x + 1];
    to[x] = static_cast<uint8_t>((sum + 1 + (x & 1)) >> 2);
  }
}

// Doubles the resolution: 3/4 of the nearest sample and 1/4 of the next nearest, along both axes (jdsample.c).
JAXDALI_CLONED void Double(const uint8_t* near, const uint8_t* next, int64_t length, int16_t* __restrict sums,
                           int16_t* __restrict to) {
  for (int64_t x = 0; x < length; ++x) sums[x + 1] = static_cast<int16_t>(3 * near[x] + next[x]);
  sums[0] = sums[1];
  sums[length + 1] = sums[length];
  for (int64_t x = 0; x < length; ++x) {
    to[2 * x] = static_cast<int16_t>((3 * sums[x + 1] + sums[x] + 8) >> 4);
    to[2 * x + 1] = static_cast<int16_t>((3 * sums[x + 1] + sums[x + 2] + 7) >> 4);
  }
}

// Converts a row back to RGB, like jdcolor.c.
JAXDALI_CLONED void ToRgb(const uint8_t* luma, const int16_t* blue, const int16_t* red, int64_t width,
                          uint8_t* __restrict rgb) {
  for (int64_t x = 0; x < width; ++x) {
    const int32_t y = luma[x], b = blue[x] - 128, r = red[x] - 128;
    const int32_t levels[kChannels] = {y + ((91881 * r + 32768) >> 16), y + ((-22554 * b - 46802 * r + 32768) >> 16),
                                       y + ((116130 * b + 32768) >> 16)};
    for (int64_t k = 0; k < kChannels; ++k) {
      rgb[x * kChannels + k] = static_cast<uint8_t>(std::clamp(levels[k], 0, 255));
    }
  }
}

class Distorter {
 public:
  Distorter(int64_t height, int64_t width)
      : height_(height),
        width_(width),
        half_height_((height + 1) / 2),
        half_width_((width + 1) / 2),
        length_(Up(width, kUnit)),
        luma_(Up(height, kUnit), length_),
        blue_(Up(height, kUnit) / 2, length_ / 2),
        red_(Up(height, kUnit) / 2, length_ / 2),
        full_(4 * length_),
        sums_(half_width_ + 2),
        doubled_(4 * half_width_) {}

  // Converts an image whose rows are `pitch` bytes apart.
  void Load(const uint8_t* pixels, int64_t pitch) {
    uint8_t *const blue = full_.data(), *const red = blue + 2 * length_;
    for (int64_t half = 0; half < half_height_; ++half) {
      for (int64_t k = 0; k < 2; ++k) {
        const uint8_t* const row = pixels + std::min(2 * half + k, height_ - 1) * pitch;
        ToYcc(row, width_, length_, luma_.Row(2 * half + k), blue + k * length_, red + k * length_);
      }
      Halve(blue, blue + length_, length_ / 2, blue_.Row(half));
      Halve(red, red + length_, length_ / 2, red_.Row(half));
    }
    luma_.RepeatRow(2 * half_height_ - 1);
    blue_.RepeatRow(half_height_ - 1);
    red_.RepeatRow(half_height_ - 1);
  }

  void Code(const Quantizer& luma, const Quantizer& chroma) {
    luma_.Code(luma);
    blue_.Code(chroma);
    red_.Code(chroma);
  }

  void Store(int64_t y, uint8_t* pixels) {
    int16_t *const blue = doubled_.data(), *const red = blue + 2 * half_width_;
    DoubleRow(blue_, y, blue);
    DoubleRow(red_, y, red);
    ToRgb(luma_.Row(y), blue, red, width_, pixels);
  }

 private:
  void DoubleRow(Plane& plane, int64_t y, int16_t* to) {
    const uint8_t* const near = plane.Row(y / 2);
    if (half_width_ <= 2) {
      // libjpeg does not interpolate such short rows.
      for (int64_t x = 0; x < 2 * half_width_; ++x) to[x] = near[x / 2];
      return;
    }
    const int64_t next = y % 2 == 0 ? y / 2 - 1 : y / 2 + 1;
    Double(near, plane.Row(std::clamp<int64_t>(next, 0, half_height_ - 1)), half_width_, sums_.data(), to);
  }

  const int64_t height_, width_, half_height_, half_width_, length_;
  Plane luma_, blue_, red_;
  std::vector<uint8_t> full_;  // chroma of two rows, not yet halved
  std::vector<int16_t> sums_, doubled_;
};

}  // namespace

bool Distort(const Distortion& d, int64_t sample) noexcept {
  try {
    const int64_t pitch = d.width * kChannels, bytes = d.height * pitch;
    const int64_t height = std::clamp<int64_t>(d.extents.Of(sample)[0], 0, d.height);
    const int64_t width = std::clamp<int64_t>(d.extents.Of(sample)[1], 0, d.width);
    uint8_t* const result = d.result + sample * bytes;
    if (height == 0 || width == 0) {
      std::memset(result, 0, bytes);
      return true;
    }
    Quantizer luma, chroma;
    luma.Load(d.tables.Of(sample));
    chroma.Load(d.tables.Of(sample) + kBlockNumbers);
    Distorter distorter(height, width);
    distorter.Load(d.images + sample * bytes, pitch);
    distorter.Code(luma, chroma);
    for (int64_t y = 0; y < height; ++y) {
      uint8_t* const row = result + y * pitch;
      distorter.Store(y, row);
      std::memset(row + width * kChannels, 0, pitch - width * kChannels);
    }
    std::memset(result + height * pitch, 0, bytes - height * pitch);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace jaxdali::cpu
