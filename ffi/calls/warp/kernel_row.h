// What the warp kernels share: where a row of results lies in its image.
#ifndef JAXDALI_CALLS_WARP_KERNEL_ROW_H_
#define JAXDALI_CALLS_WARP_KERNEL_ROW_H_

#include <cstdint>

#include "base/packed_rgb.h"
#include "calls/warp/warp_math.h"
#include "calls/warp/warping.h"

namespace jaxdali::gpu {

// A lane makes this many results of a row, kColumnsOfWarp apart; what they share is looked up once.
inline constexpr int kEach = 8;
inline constexpr int kTogether = 2;  // how many of these are made at the same time
inline constexpr int kWarps = 8;     // of a block, one below the other
inline constexpr int kBlockColumns = kEach * kColumnsOfWarp, kBlockRows = kWarps * kRowsOfWarp;

// Which pixels a position lies between along an axis, and the weight of each.
template <Between kBetween>
struct Taps {
  static constexpr int kTaps = kBetween == Between::kNearest ? 1 : kBetween == Between::kLinear ? 2 : 4;
  // A linear filter has one share, that of the second pixel.
  static constexpr int kShares = kBetween == Between::kCubic ? 4 : 1;

  __device__ Taps(float place, Border border, int32_t extent) {
    constexpr bool kIsCubic = kBetween == Between::kCubic;
    const float shifted = place - (kBetween == Between::kNearest ? 0.0f : 0.5f);
    const float low = floorf(shifted), rest = shifted - low;
    share[0] = rest;
#pragma unroll
    for (int tap = 0; tap < kTaps; ++tap) {
      const float offset = static_cast<float>(kIsCubic ? tap - 1 : tap);
      index[tap] = Index(border, WholePlace(low + offset), extent);
      if constexpr (kIsCubic) share[tap] = CubicShare(rest - offset);
    }
  }

  static __device__ int32_t Index(Border border, int32_t place, int32_t extent) {
    if (border == Border::kConstant) return static_cast<uint32_t>(place) < static_cast<uint32_t>(extent) ? place : -1;
    if (border == Border::kClamp) return min(max(place, 0), extent - 1);
    return Source<int32_t>(border, place, extent);
  }

  int32_t index[kTaps];  // in the image, along the axis; -1 for the fill
  float share[kShares];
};

// Row `number` of a sample's results, counted over all axes but the last; it may lie below the last one. With kMaps an
// affine map gives the positions, otherwise Warping::places does.
template <int kAxes, bool kMaps>
struct Row {
  __device__ Row(const Warping& w, int64_t sample, int32_t number) : width(static_cast<int32_t>(w.size[kAxes - 1])) {
    const int32_t high = static_cast<int32_t>(w.size[kAxes - 2]);
    const int32_t rows = kAxes == 3 ? static_cast<int32_t>(w.size[0]) * high : high;
    const int32_t y = kAxes == 3 ? number % high : number, z = kAxes == 3 ? number / high : 0;
    const int32_t* const made = w.made.Of(sample);
    exists = number < rows;
    results = exists && y < made[kAxes - 2] && (kAxes == 2 || z < made[0]) ? min(made[kAxes - 1], width) : 0;
    to = (sample * rows + number) * width * w.channels;
#pragma unroll
    for (int axis = 0; axis < kAxes; ++axis) {
      extents[axis] = min(max(w.extents.Of(sample)[axis], 1), static_cast<int32_t>(w.canvas[axis]));
      if constexpr (kMaps) {
        // The matrix has the row for x first.
        const float* const matrix = w.matrix.Of(sample) + (kAxes - 1 - axis) * (kAxes + 1);
        slope[axis] = matrix[0];
        down[axis] = matrix[1] * (static_cast<float>(y) + 0.5f);
        if constexpr (kAxes == 3) deep[axis] = matrix[2] * (static_cast<float>(z) + 0.5f);
        shift[axis] = matrix[kAxes];
      } else if (exists) {
        const int64_t own = w.place_rows == 1 ? 0 : sample;
        places[axis] = w.places + ((axis * w.place_rows + own) * rows + number) * width;
      }
    }
  }

  // Returns the position of result x along an axis of the image.
  __device__ float Place(int axis, int32_t x) const {
    if constexpr (!kMaps) return places[axis][x];
    float sum = slope[axis] * (static_cast<float>(x) + 0.5f) + down[axis];
    if constexpr (kAxes == 3) sum += deep[axis];
    return sum + shift[axis];
  }

  template <Between kBetween>
  __device__ Taps<kBetween> TapsOf(int axis, int32_t x, Border border) const {
    return {Place(axis, x), border, extents[axis]};
  }

  const int32_t width;
  bool exists;
  int32_t results;  // how many are computed; the others are zeros
  int64_t to;       // where the row's numbers begin among all results
  int32_t extents[kAxes];
  float slope[kAxes], down[kAxes], deep[kAxes], shift[kAxes];
  const float* places[kAxes];
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_CALLS_WARP_KERNEL_ROW_H_
