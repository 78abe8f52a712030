// Warps of images of three bytes a pixel.
#ifndef JAXDALI_GPU_WARP_RGB_H_
#define JAXDALI_GPU_WARP_RGB_H_

#include <cstdint>

#include "common/warp_math.h"
#include "gpu/packed_rgb.h"
#include "gpu/warp_row.h"

namespace jaxdali::gpu {

// Stores pixels of three bytes of a warp.
template <int kAxes>
struct RgbRows {
  __device__ RgbRows(const Warping& w, const Row<kAxes>& row)
      : to(static_cast<uint8_t*>(w.result) + row.to),
        pitch(row.width * kRgbBytes),
        width(row.width),
        exists(row.exists),
        words(__all_sync(~0u, row.exists) && pitch % 4 == 0 && reinterpret_cast<uintptr_t>(w.result) % 4 == 0) {}

  // All lanes of a warp call it.
  __device__ void Store(int32_t x, const uint8_t (&pixel)[kRgbBytes]) const {
    const int lane = static_cast<int>(threadIdx.x), column = lane % kColumnsOfWarp;
    if (words && x - column + kColumnsOfWarp <= width) {
      uint8_t* const first = to - lane / kColumnsOfWarp * pitch + (x - column) * kRgbBytes;
      StoreRgbWords(first, pitch, pixel[0] | pixel[1] << 8 | pixel[2] << 16, lane);
    } else if (exists && x < width) {
      for (int k = 0; k < kRgbBytes; ++k) to[x * kRgbBytes + k] = pixel[k];
    }
  }

  uint8_t* const to;
  const int32_t pitch, width;
  const bool exists, words;
};

// What lies between two neighbouring pixels.
struct RgbBetween {
  __device__ RgbBetween(uint2 two, float share) {
#pragma unroll
    for (int k = 0; k < kRgbBytes; ++k) {
      const float first = static_cast<float>(two.x >> 8 * k & 255);
      const float second = static_cast<float>((k == 0 ? two.x >> 24 : two.y >> 8 * (k - 1)) & 255);
      of[k] = first + share * (second - first);
    }
  }

  float of[kRgbBytes];
};

// Mixes all results of the lanes of a warp where each lies between four pixels of its image. Those are all read before
// the first result is made: else a lane waits for one after the other. False: they do not, and nothing was made.
__device__ inline bool MixTogether(const uint8_t* image, int32_t wide, Border border, const Row<2>& row, int32_t begin,
                                   const RgbRows<2>& rgb) {
  bool together = begin + (kEach - 1) * kColumnsOfWarp < row.results;
  if (!__all_sync(~0u, together)) return false;
  int32_t above[kEach], below[kEach];
  float down[kEach], across[kEach];
#pragma unroll
  for (int each = 0; each < kEach; ++each) {
    const int32_t x = begin + each * kColumnsOfWarp;
    const auto line = row.TapsOf<Between::kLinear>(0, x, border), pixel = row.TapsOf<Between::kLinear>(1, x, border);
    together &= (line.index[0] | line.index[1] | pixel.index[0]) >= 0 && pixel.index[1] == pixel.index[0] + 1;
    above[each] = line.index[0] * wide + pixel.index[0];
    below[each] = line.index[1] * wide + pixel.index[0];
    down[each] = line.share[0];
    across[each] = pixel.share[0];
  }
  if (!__all_sync(~0u, together)) return false;
  uint2 upper[kEach], lower[kEach];
#pragma unroll
  for (int each = 0; each < kEach; ++each) {
    upper[each] = LoadTwoRgb(image + above[each] * kRgbBytes);
    lower[each] = LoadTwoRgb(image + below[each] * kRgbBytes);
  }
#pragma unroll
  for (int each = 0; each < kEach; ++each) {
    const RgbBetween top(upper[each], across[each]), bottom(lower[each], across[each]);
    uint8_t bytes[kRgbBytes];
#pragma unroll
    for (int k = 0; k < kRgbBytes; ++k) {
      bytes[k] = RoundedToByte(top.of[k] + down[each] * (bottom.of[k] - top.of[k]));
    }
    rgb.Store(begin + each * kColumnsOfWarp, bytes);
  }
  return true;
}

// Takes the pixels that results lie in; likewise.
__device__ inline bool PickTogether(const uint8_t* image, int32_t wide, Border border, const Row<2>& row, int32_t begin,
                                    const RgbRows<2>& rgb) {
  bool together = begin + (kEach - 1) * kColumnsOfWarp < row.results;
  if (!__all_sync(~0u, together)) return false;
  int32_t pixels[kEach];
#pragma unroll
  for (int each = 0; each < kEach; ++each) {
    const int32_t x = begin + each * kColumnsOfWarp;
    const int32_t line = row.TapsOf<Between::kNearest>(0, x, border).index[0];
    const int32_t pixel = row.TapsOf<Between::kNearest>(1, x, border).index[0];
    together &= (line | pixel) >= 0;
    pixels[each] = line * wide + pixel;
  }
  if (!__all_sync(~0u, together)) return false;
  uint8_t bytes[kEach][kRgbBytes];
#pragma unroll
  for (int each = 0; each < kEach; ++each) {
#pragma unroll
    for (int k = 0; k < kRgbBytes; ++k) bytes[each][k] = image[pixels[each] * kRgbBytes + k];
  }
#pragma unroll
  for (int each = 0; each < kEach; ++each) rgb.Store(begin + each * kColumnsOfWarp, bytes[each]);
  return true;
}

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_WARP_RGB_H_
