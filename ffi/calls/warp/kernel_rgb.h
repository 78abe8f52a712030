// Warps of images with three bytes per pixel.
#ifndef JAXDALI_CALLS_WARP_KERNEL_RGB_H_
#define JAXDALI_CALLS_WARP_KERNEL_RGB_H_

#include <cstdint>

#include "base/packed_rgb.h"
#include "calls/warp/kernel_row.h"
#include "calls/warp/warp_math.h"

namespace jaxdali::gpu {

// Where a warp stores pixels of three bytes.
struct RgbRows {
  template <typename Row>
  __device__ RgbRows(const Warping& w, const Row& row)
      : to(static_cast<uint8_t*>(w.result) + row.to),
        width(row.exists ? row.width : 0),
        is_whole(__all_sync(~0u, row.exists) && row.width * kRgbBytes % 4 == 0 &&
                 reinterpret_cast<uintptr_t>(w.result) % 4 == 0),
        words(to, row.width * kRgbBytes, static_cast<int>(threadIdx.x)) {}

  // Stores each lane's three bytes; the first is in the lowest bits of `pixel`. All lanes of a warp must call it.
  __device__ void Store(int32_t x, uint32_t pixel) const {
    const int32_t first = x - static_cast<int32_t>(threadIdx.x) % kColumnsOfWarp;
    if (first + kColumnsOfWarp <= width) return StoreInside(x, pixel);
    if (x < width) StoreBytes(x, pixel);
  }

  // The same, if all lanes have a result.
  __device__ void StoreInside(int32_t x, uint32_t pixel) const {
    const int32_t first = x - static_cast<int32_t>(threadIdx.x) % kColumnsOfWarp;
    is_whole ? words.Store(first * kRgbBytes, pixel) : StoreBytes(x, pixel);
  }

  __device__ void StoreBytes(int32_t x, uint32_t pixel) const {
    for (int k = 0; k < kRgbBytes; ++k) to[x * kRgbBytes + k] = static_cast<uint8_t>(pixel >> 8 * k);
  }

  uint8_t* const to;
  const int32_t width;
  const bool is_whole;
  const RgbWords words;
};

// The longest axis for which Inner::Find works.
constexpr int32_t kMostInner = 1 << 22;

// The two pixels of an image that a position lies between: the one at `low` and the next.
struct Inner {
  // Returns whether the position lies between two pixels; if not, the members are meaningless.
  __device__ bool Find(float place, int32_t extent) {
    // The low bits of the sum are an integer. NaN, and positions too far away, give a number beyond kMostInner.
    constexpr float kBase = 12582912;
    const float shifted = place - 0.5f, sum = __fadd_rd(shifted, kBase);
    low = __float_as_int(sum) - __float_as_int(kBase);
    share = shifted - (sum - kBase);
    return static_cast<uint32_t>(low) < static_cast<uint32_t>(extent - 1);
  }

  int32_t low;
  float share;
};

// The values at a position between two neighbouring pixels.
struct RgbBetween {
  __device__ RgbBetween(uint2 two, float share) {
#pragma unroll
    for (int k = 0; k < kRgbBytes; ++k) {
      const float first = AboveBase(two.x, k);
      const float second = k == 0 ? AboveBase(two.x, 3) : AboveBase(two.y, k - 1);
      of[k] = (first - kByteBase) + share * (second - first);
    }
  }

  float of[kRgbBytes];
};

// Mixes kTogether results of each lane of a warp if every one lies between four pixels of its image; otherwise does
// nothing and returns false. Reads all pixels before it makes the first result, so that a lane does not wait for one
// after the other.
template <typename Row>
__device__ bool MixTogether(const ByteReader& image, int32_t wide, const Row& row, int32_t begin, const RgbRows& rgb) {
  bool together = begin + (kTogether - 1) * kColumnsOfWarp < row.results;
  if (!__all_sync(~0u, together)) return false;
  Inner down[kTogether], across[kTogether];
#pragma unroll
  for (int each = 0; each < kTogether; ++each) {
    const int32_t x = begin + each * kColumnsOfWarp;
    together &= down[each].Find(row.Place(0, x), row.extents[0]);
    together &= across[each].Find(row.Place(1, x), row.extents[1]);
  }
  if (!__all_sync(~0u, together)) return false;
  uint2 upper[kTogether], lower[kTogether];
#pragma unroll
  for (int each = 0; each < kTogether; ++each) {
    const int32_t byte = (down[each].low * wide + across[each].low) * kRgbBytes;
    upper[each] = image.LoadTwoRgb(byte);
    lower[each] = image.LoadTwoRgb(byte + wide * kRgbBytes);
  }
#pragma unroll
  for (int each = 0; each < kTogether; ++each) {
    const RgbBetween top(upper[each], across[each].share), bottom(lower[each], across[each].share);
    uint32_t levels[kRgbBytes];
#pragma unroll
    for (int k = 0; k < kRgbBytes; ++k) {
      levels[k] = RoundedToWord(top.of[k] + down[each].share * (bottom.of[k] - top.of[k]));
    }
    rgb.StoreInside(begin + each * kColumnsOfWarp, PackedRgb(levels));
  }
  return true;
}

// Like MixTogether, but takes the pixel that each result lies in.
template <typename Row>
__device__ bool PickTogether(const ByteReader& image, int32_t wide, const Row& row, int32_t begin, const RgbRows& rgb) {
  bool together = begin + (kTogether - 1) * kColumnsOfWarp < row.results;
  if (!__all_sync(~0u, together)) return false;
  int32_t pixels[kTogether];
#pragma unroll
  for (int each = 0; each < kTogether; ++each) {
    const int32_t x = begin + each * kColumnsOfWarp;
    const float down = row.Place(0, x), across = row.Place(1, x);
    const int32_t line = __float2int_rd(down), pixel = __float2int_rd(across);
    // NaN, which would become pixel 0, fails the first comparison.
    together &= down >= 0 && across >= 0 && line < row.extents[0] && pixel < row.extents[1];
    pixels[each] = line * wide + pixel;
  }
  if (!__all_sync(~0u, together)) return false;
  uint32_t found[kTogether];
#pragma unroll
  for (int each = 0; each < kTogether; ++each) found[each] = image.LoadRgb(pixels[each] * kRgbBytes);
#pragma unroll
  for (int each = 0; each < kTogether; ++each) rgb.StoreInside(begin + each * kColumnsOfWarp, found[each]);
  return true;
}

}  // namespace jaxdali::gpu

#endif  // JAXDALI_CALLS_WARP_KERNEL_RGB_H_
