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

// Two numbers of 16 bits, so that one operation computes with both: the lower is the first.
constexpr uint32_t kTwoBytes = 0x00FF00FF;
JAXDALI_PORTABLE uint32_t Pair(uint32_t first, uint32_t second) { return first | second << 16; }
JAXDALI_PORTABLE uint32_t Both(uint32_t number) { return number * 0x00010001; }
JAXDALI_PORTABLE int32_t FirstOf(uint32_t pair) { return pair & 0xFFFF; }
JAXDALI_PORTABLE int32_t SecondOf(uint32_t pair) { return pair >> 16; }

JAXDALI_PORTABLE SampleRow RowOf(const Batch& batch, const Plane& plane, uint32_t row) {
  return {batch.planes + plane.at + uint64_t{row} * plane.stride};
}

// Returns the second nearest row of samples to a pixel's row y; at the edge, the nearest one.
JAXDALI_PORTABLE uint32_t RowBeside(uint32_t y, uint32_t height) {
  if (y % 2 != 0) return Least(y / 2 + 1, height - 1);
  return y < 2 ? 0 : y / 2 - 1;
}

// "Fancy" upsampling, jdsample.c: gives the chroma samples of eight pixels of row y, from column `begin` on, a multiple
// of eight. Both chroma planes have one shape.
class Upsampler {
 public:
  JAXDALI_PORTABLE Upsampler(const Picture& picture, uint32_t y, bool is_fancy)
      : width_(picture.planes[1].width), across_(picture.luma_across) {
    const Plane& plane = picture.planes[1];
    own_row_ = beside_row_ = uint64_t{picture.luma_down == 2 ? y / 2 : y} * plane.stride;
    // libjpeg does not interpolate such short rows, jinit_upsampler.
    smooth_across_ = is_fancy && across_ == 2 && width_ > 2;
    smooth_down_ = is_fancy && picture.luma_down == 2 && (across_ == 1 || smooth_across_);
    if (smooth_down_) beside_row_ = uint64_t{RowBeside(y, plane.height)} * plane.stride;
    is_odd_ = y % 2 != 0;
  }

  // `plane` is where its samples begin.
  JAXDALI_PORTABLE void operator()(const uint8_t* plane, uint32_t begin, int32_t* samples) const {
    const SampleRow own = {plane + own_row_}, beside = {plane + beside_row_};
    if (smooth_across_) return Across(own, beside, begin / 2, samples);
    if (across_ == 1) return Straight(own, beside, begin, samples);
    const uint32_t first = across_ == 2 ? begin / 2 : begin / 4;
    JAXDALI_UNROLL
    for (uint32_t x = 0; x < kRunPixels; ++x) samples[x] = own.at[first + (across_ == 2 ? x / 2 : x / 4)];
  }

 private:
  // Keeps columns unchanged; may mix rows.
  JAXDALI_PORTABLE void Straight(const SampleRow& own_row, const SampleRow& beside_row, uint32_t begin,
                                 int32_t* samples) const {
    JAXDALI_UNROLL
    for (uint32_t half = 0; half < 2; ++half) {
      const uint32_t own = own_row.Four(begin + half * 4), beside = beside_row.Four(begin + half * 4);
      JAXDALI_UNROLL
      for (uint32_t k = 0; k < 4; ++k) {
        const int32_t sample = Byte(own, k);
        samples[half * 4 + k] = smooth_down_ ? (3 * sample + Byte(beside, k) + (is_odd_ ? 2 : 1)) >> 2 : sample;
      }
    }
  }

  // Interpolates between four samples and one on either side.
  JAXDALI_PORTABLE void Across(const SampleRow& own_row, const SampleRow& beside_row, uint32_t first,
                               int32_t* samples) const {
    // Beyond the end of a row, its last sample is repeated.
    const uint32_t last = width_ - 1 - first, before = first == 0 ? 0 : first - 1, behind = first + Least(4u, last);
    const uint32_t own = FourUpTo(own_row, first, last), beside = FourUpTo(beside_row, first, last);
    // Of the two rows: of samples 0 and 2, of 1 and 3, of the one before them, and of that behind them. If rows are not
    // mixed, both are the same, and everything is four times as much as libjpeg has.
    const uint32_t even = Sum(own & kTwoBytes, beside & kTwoBytes);
    const uint32_t odd = Sum(own >> 8 & kTwoBytes, beside >> 8 & kTwoBytes);
    const uint32_t left = Sum(own_row.at[before], beside_row.at[before]);
    const uint32_t right = Sum(own_row.at[behind], beside_row.at[behind]);
    const uint32_t round = Both(smooth_down_ ? 8 : 4), round_odd = Both(smooth_down_ ? 7 : 8);
    // Each sample gives two pixels, which lie between it and its neighbours. Pixels 0 and 4, 1 and 5, and so on:
    const uint32_t pixels[4] = {3 * even + Pair(left, odd & 0xFFFF) + round, 3 * even + odd + round_odd,
                                3 * odd + even + round, 3 * odd + Pair(even >> 16, right) + round_odd};
    JAXDALI_UNROLL
    for (uint32_t x = 0; x < 4; ++x) {
      const uint32_t two = pixels[x] >> 4 & kTwoBytes;
      samples[x] = FirstOf(two);
      samples[x + 4] = SecondOf(two);
    }
  }

  // Returns four samples, of which those behind `last` repeat it.
  JAXDALI_PORTABLE static uint32_t FourUpTo(const SampleRow& row, uint32_t first, uint32_t last) {
    const uint32_t four = row.Four(first);
    if (last >= 3) return four;
    const uint32_t behind = kNone << (last + 1) * 8;
    return (four & ~behind) | (static_cast<uint32_t>(Byte(four, last)) * 0x01010101 & behind);
  }

  JAXDALI_PORTABLE static uint32_t Sum(uint32_t own, uint32_t beside) { return 3 * own + beside; }

  uint64_t own_row_, beside_row_;  // in bytes from the first
  uint32_t width_, across_;
  bool smooth_across_, smooth_down_, is_odd_;
};

// Eight pixels, as contiguous bytes.
struct PixelRun {
  uint32_t words[kRunPixels * 3 / 4];

  // Bytes are set in order.
  JAXDALI_PORTABLE void Set(uint32_t byte, int32_t level) {
    // A sum takes one instruction with the shift.
    const uint32_t shifted = static_cast<uint32_t>(level) << (byte % 4 * 8);
    words[byte / 4] = byte % 4 == 0 ? shifted : words[byte / 4] + shifted;
  }
};

// Writes the first `count` of the `kBytes` bytes that words hold.
template <uint32_t kBytes>
JAXDALI_PORTABLE void StoreBytes(const uint32_t* words, uint8_t* target, uint32_t count) {
  const auto store = [&](uint32_t byte) { target[byte] = static_cast<uint8_t>(words[byte / 4] >> (byte % 4 * 8)); };
  if (count != kBytes) {
    JAXDALI_UNROLL
    for (uint32_t byte = 0; byte < kBytes; ++byte) {
      if (byte < count) store(byte);
    }
    return;
  }
  // Rows of most widths begin anywhere: what lies in whole words of memory is put together, and at most three bytes on
  // either side are written by themselves.
  const uint32_t behind = reinterpret_cast<uintptr_t>(target) % 4, head = (4 - behind) % 4;
  auto* const to = reinterpret_cast<uint32_t*>(target + head);
  JAXDALI_UNROLL
  for (uint32_t word = 0; word < kBytes / 4 - 1; ++word) to[word] = FunnelRight(words[word], words[word + 1], head * 8);
  if (head == 0) {
    to[kBytes / 4 - 1] = words[kBytes / 4 - 1];
    return;
  }
  JAXDALI_UNROLL
  for (uint32_t byte = 0; byte < 3; ++byte) {
    if (byte < head) store(byte);
    if (byte < behind) store(kBytes - 1 - byte);
  }
}

// Converts a pixel to RGB like jdcolor.c, build_ycc_rgb_table; factors are 16-bit fractions.
JAXDALI_PORTABLE void SetRgb(PixelRun* run, uint32_t pixel, int32_t luma, int32_t blue, int32_t red) {
  constexpr int32_t kRed = 91881, kGreenOfBlue = -22554, kGreenOfRed = -46802, kBlue = 116130;
  // Half a level, less what the middle of chroma, 128, gives.
  constexpr int32_t kHalf = 1 << 15, kGreen = kGreenOfBlue + kGreenOfRed;
  run->Set(pixel * 3, ClampToByte(luma + ((kRed * red + (kHalf - kRed * 128)) >> 16)));
  run->Set(pixel * 3 + 1,
           ClampToByte(luma + ((kGreenOfBlue * blue + kGreenOfRed * red + (kHalf - kGreen * 128)) >> 16)));
  run->Set(pixel * 3 + 2, ClampToByte(luma + ((kBlue * blue + (kHalf - kBlue * 128)) >> 16)));
}

JAXDALI_PORTABLE uint32_t RunsAcross(uint32_t width) { return (width + kRunPixels - 1) / kRunPixels; }

// Makes the run of pixels that begins at column `begin` of row y.
JAXDALI_PORTABLE void ColorRun(const Batch& batch, const Coloring& coloring, const Picture& picture, uint32_t y,
                               uint32_t begin) {
  const SampleRow luma = RowOf(batch, picture.planes[0], y);
  const uint32_t lumas[2] = {luma.Four(begin), luma.Four(begin + 4)}, count = Least(kRunPixels, picture.width - begin);
  uint8_t* const row = picture.pixels + uint64_t{y} * picture.pitch;
  if (coloring.is_luma) {
    StoreBytes<kRunPixels>(lumas, row + begin, count);
    return;
  }
  int32_t second[kRunPixels], third[kRunPixels];
  if (picture.components > 1) {
    Upsampler upsample(picture, y, coloring.is_fancy);
    upsample(batch.planes + picture.planes[1].at, begin, second);
    upsample(batch.planes + picture.planes[2].at, begin, third);
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

// Makes a thread's runs of a chunk: every kRunsTogether-th, from the thread's own on. A picture's runs are numbered row
// by row.
JAXDALI_PORTABLE void ColorRuns(const Batch& batch, const Coloring& coloring, const Chunk& chunk, uint32_t thread) {
  if (batch.verdicts[chunk.of] != static_cast<int32_t>(Verdict::kDecoded)) return;
  const Picture& picture = batch.pictures[chunk.of];
  const uint32_t across = RunsAcross(picture.width), down = kRunsTogether / across;
  uint32_t y = (chunk.first + thread) / across, run = chunk.first + thread - y * across;
  for (uint32_t turn = 0; turn < kRunsOfThread && y < picture.height; ++turn) {
    ColorRun(batch, coloring, picture, y, run * kRunPixels);
    // Divisions take long.
    y += down;
    run += kRunsTogether - down * across;
    if (run >= across) {
      ++y;
      run -= across;
    }
  }
}

}  // namespace jaxdali::jpeg

#endif  // JAXDALI_JPEG_COLOR_H_
