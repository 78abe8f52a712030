// Pixels of three bytes, which a device reads and writes as words.
#ifndef JAXDALI_GPU_PACKED_RGB_H_
#define JAXDALI_GPU_PACKED_RGB_H_

#include <cstdint>

namespace jaxdali::gpu {

inline constexpr int kRgbBytes = 3;

// Six bytes from `pixel` on, as words of which the first has four; whatever words of eight bytes they lie in are read.
__device__ inline uint2 LoadTwoRgb(const uint8_t* pixel) {
  constexpr unsigned kMask = sizeof(uint2) - 1;
  const auto address = reinterpret_cast<uintptr_t>(pixel);
  const auto* const pairs = reinterpret_cast<const uint2*>(address & ~uintptr_t{kMask});
  const unsigned offset = static_cast<unsigned>(address) & kMask;
  const uint2 first = pairs[0];
  const uint2 next = offset + 2 * kRgbBytes > sizeof(uint2) ? pairs[1] : uint2{0, 0};
  const bool late = offset >= sizeof(uint32_t);
  const uint32_t a = late ? first.y : first.x, b = late ? next.x : first.y, c = late ? next.y : next.x;
  return {__funnelshift_r(a, b, 8 * offset), __funnelshift_r(b, c, 8 * offset)};
}

// A warp makes results of several rows at once: images that were turned lie together, too.
inline constexpr int kLanes = 32, kColumnsOfWarp = 8, kRowsOfWarp = kLanes / kColumnsOfWarp;

// Stores a pixel of each lane of a warp, all of whose lanes call this: kRowsOfWarp rows, `pitch` bytes from each other,
// of kColumnsOfWarp pixels each, which begin at words. `pixel` has three bytes, the first one lowest.
__device__ inline void StoreRgbWords(uint8_t* to, int32_t pitch, uint32_t pixel, int lane) {
  constexpr int kWords = kColumnsOfWarp * kRgbBytes / 4;
  const int row = lane / kWords, word = lane % kWords;
  // A word begins with byte word % 3 of pixel 4 * word / 3.
  const int from = row * kColumnsOfWarp + 4 * word / kRgbBytes;
  const uint32_t first = __shfl_sync(~0u, pixel, from), second = __shfl_sync(~0u, pixel, from + 1);
  if (row < kRowsOfWarp) {
    const uint32_t made = __funnelshift_r(first | second << 24, second >> 8, word % kRgbBytes * 8);
    reinterpret_cast<uint32_t*>(to + row * pitch)[word] = made;
  }
}

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_PACKED_RGB_H_
