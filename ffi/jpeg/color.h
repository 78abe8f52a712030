// Turns samples into pixels: interpolates chroma and converts to RGB, as libjpeg-turbo does (jdsample.c, jdcolor.c).
#ifndef JAXDALI_JPEG_COLOR_H_
#define JAXDALI_JPEG_COLOR_H_

#include <cstdint>

#include "base/portable.h"
#include "jpeg/batch.h"

namespace jaxdali::jpeg {

// Samples of one row of a plane.
struct SampleRow {
  const uint8_t* at;

  // Returns four samples starting at `column`, a multiple of four. Rows are padded to whole blocks.
  JAXDALI_PORTABLE uint32_t Four(uint32_t column) const { return *reinterpret_cast<const uint32_t*>(at + column); }
};
JAXDALI_PORTABLE int32_t Byte(uint32_t four, uint32_t index) { return four >> (index * 8) & 255; }

JAXDALI_PORTABLE SampleRow RowOf(const Batch& batch, const Plane& plane, uint32_t row) {
  return {batch.planes + plane.at + uint64_t{row} * plane.stride};
}

// Returns the second nearest row of samples to a pixel's row y; at the edge, the nearest one.
JAXDALI_PORTABLE uint32_t RowBeside(uint32_t y, uint32_t height) {
  if (y % 2 != 0) return Least(y / 2 + 1, height - 1);
  return y < 2 ? 0 : y / 2 - 1;
}

// "Fancy" upsampling, jdsample.c: gives the chroma samples of eight pixels of row y, from column `begin` on, a multiple
// of eight.
class Upsampler {
 public:
  JAXDALI_PORTABLE Upsampler(const Batch& batch, const Picture& picture, const Plane& plane, uint32_t y, bool is_fancy)
      : plane_(plane), own_(RowOf(batch, plane, y / picture.luma_down)), beside_(own_), across_(picture.luma_across) {
    // libjpeg does not interpolate such short rows, jinit_upsampler.
    const bool smooth_across = is_fancy && across_ == 2 && plane.width > 2;
    smooth_down_ = is_fancy && picture.luma_down == 2 && (across_ == 1 || smooth_across);
    smooth_across_ = smooth_across;
    if (smooth_down_) beside_ = RowOf(batch, plane, RowBeside(y, plane.height));
    is_odd_ = y % 2 != 0;
  }

  JAXDALI_PORTABLE void operator()(uint32_t begin, int32_t* samples) const {
    if (smooth_across_) return Across(begin / 2, samples);
    if (across_ == 1) return Straight(begin, samples);
    const uint32_t first = begin / across_;
    JAXDALI_UNROLL
    for (uint32_t x = 0; x < kRunPixels; ++x) samples[x] = own_.at[first + (across_ == 2 ? x / 2 : x / 4)];
  }

 private:
  // Keeps columns unchanged; may mix rows.
  JAXDALI_PORTABLE void Straight(uint32_t begin, int32_t* samples) const {
    JAXDALI_UNROLL
    for (uint32_t half = 0; half < 2; ++half) {
      const uint32_t own = own_.Four(begin + half * 4), beside = beside_.Four(begin + half * 4);
      JAXDALI_UNROLL
      for (uint32_t k = 0; k < 4; ++k) {
        const int32_t sample = Byte(own, k);
        samples[half * 4 + k] = smooth_down_ ? (3 * sample + Byte(beside, k) + (is_odd_ ? 2 : 1)) >> 2 : sample;
      }
    }
  }

  // Interpolates between four samples and one on either side.
  JAXDALI_PORTABLE void Across(uint32_t first, int32_t* samples) const {
    int32_t sums[6];
    const uint32_t own = own_.Four(first), beside = beside_.Four(first);
    JAXDALI_UNROLL
    for (uint32_t k = 0; k < 4; ++k) sums[k + 1] = Sum(Byte(own, k), Byte(beside, k));
    const uint32_t before = first == 0 ? 0 : first - 1, behind = first + 4;
    sums[0] = Sum(own_.at[before], beside_.at[before]);
    sums[5] = behind < plane_.width ? Sum(own_.at[behind], beside_.at[behind]) : 0;
    // Repeats the last sample beyond the end of the row.
    JAXDALI_UNROLL
    for (uint32_t k = 1; k < 5; ++k) {
      if (first + k >= plane_.width) sums[k + 1] = sums[k];
    }
    const int32_t shift = smooth_down_ ? 4 : 2, even = smooth_down_ ? 8 : 1, odd = smooth_down_ ? 7 : 2;
    JAXDALI_UNROLL
    for (uint32_t x = 0; x < kRunPixels; ++x) {
      const uint32_t k = x / 2 + 1;
      samples[x] =
          x % 2 == 0 ? (3 * sums[k] + sums[k - 1] + even) >> shift : (3 * sums[k] + sums[k + 1] + odd) >> shift;
    }
  }

  JAXDALI_PORTABLE int32_t Sum(int32_t own, int32_t beside) const { return smooth_down_ ? 3 * own + beside : own; }

  const Plane& plane_;
  SampleRow own_, beside_;
  uint32_t across_;
  bool smooth_across_, smooth_down_, is_odd_;
};

// Eight pixels, as contiguous bytes.
struct PixelRun {
  uint32_t words[kRunPixels * 3 / 4];

  JAXDALI_PORTABLE void Set(uint32_t byte, int32_t level) {
    const uint32_t shifted = static_cast<uint32_t>(level) << (byte % 4 * 8);
    words[byte / 4] = byte % 4 == 0 ? shifted : words[byte / 4] | shifted;
  }
};

// Writes the first `count` of the `kBytes` bytes that words hold.
template <uint32_t kBytes>
JAXDALI_PORTABLE void StoreBytes(const uint32_t* words, uint8_t* target, uint32_t count) {
  if (count == kBytes && reinterpret_cast<uintptr_t>(target) % 4 == 0) {
    JAXDALI_UNROLL
    for (uint32_t word = 0; word < kBytes / 4; ++word) reinterpret_cast<uint32_t*>(target)[word] = words[word];
    return;
  }
  JAXDALI_UNROLL
  for (uint32_t byte = 0; byte < kBytes; ++byte) {
    if (byte < count) target[byte] = static_cast<uint8_t>(words[byte / 4] >> (byte % 4 * 8));
  }
}

// Converts a pixel to RGB like jdcolor.c, build_ycc_rgb_table; factors are 16-bit fractions.
JAXDALI_PORTABLE void SetRgb(PixelRun* run, uint32_t pixel, int32_t luma, int32_t blue, int32_t red) {
  const int32_t u = blue - 128, w = red - 128, half = 1 << 15;
  run->Set(pixel * 3, Clamp(luma + ((91881 * w + half) >> 16), 0, 255));
  run->Set(pixel * 3 + 1, Clamp(luma + ((-22554 * u - 46802 * w + half) >> 16), 0, 255));
  run->Set(pixel * 3 + 2, Clamp(luma + ((116130 * u + half) >> 16), 0, 255));
}

JAXDALI_PORTABLE uint32_t RunsAcross(uint32_t width) { return (width + kRunPixels - 1) / kRunPixels; }

// Makes a run of pixels. A picture's runs are numbered row by row.
JAXDALI_PORTABLE void ColorRun(const Batch& batch, const Coloring& coloring, const Chunk& chunk, uint32_t offset) {
  if (batch.verdicts[chunk.of] != static_cast<int32_t>(Verdict::kDecoded)) return;
  const Picture& picture = batch.pictures[chunk.of];
  const uint32_t across = RunsAcross(picture.width), number = chunk.first + offset;
  const uint32_t y = number / across, begin = (number - y * across) * kRunPixels;
  if (y >= picture.height) return;
  const SampleRow luma = RowOf(batch, picture.planes[0], y);
  const uint32_t lumas[2] = {luma.Four(begin), luma.Four(begin + 4)}, count = Least(kRunPixels, picture.width - begin);
  uint8_t* const row = picture.pixels + uint64_t{y} * picture.pitch;
  if (coloring.is_luma) {
    StoreBytes<kRunPixels>(lumas, row + begin, count);
    return;
  }
  int32_t second[kRunPixels], third[kRunPixels];
  if (picture.components > 1) {
    Upsampler(batch, picture, picture.planes[1], y, coloring.is_fancy)(begin, second);
    Upsampler(batch, picture, picture.planes[2], y, coloring.is_fancy)(begin, third);
  }
  PixelRun run;
  JAXDALI_UNROLL
  for (uint32_t x = 0; x < kRunPixels; ++x) {
    const int32_t first = Byte(lumas[x / 4], x % 4);
    if (picture.components > 1 && picture.is_ycc) {
      SetRgb(&run, x, first, second[x], third[x]);
    } else {
      run.Set(x * 3, first);
      run.Set(x * 3 + 1, picture.components > 1 ? second[x] : first);
      run.Set(x * 3 + 2, picture.components > 1 ? third[x] : first);
    }
  }
  StoreBytes<kRunPixels * 3>(run.words, row + uint64_t{begin} * 3, count * 3);
}

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_COLOR_H_
