// What the resizing kernels share: weights, rounding, and how pixels are read. Every sum adds in the order of
// imaging/sampling.h.
#ifndef JAXDALI_CALLS_DECODE_RESAMPLE_KERNEL_PARTS_H_
#define JAXDALI_CALLS_DECODE_RESAMPLE_KERNEL_PARTS_H_

#include <cuda_runtime_api.h>

#include <algorithm>
#include <vector>

#include "calls/decode_resample/kernels.h"
#include "recipes/resample_axis.h"
#include "rows/rows.h"
#include "rows/windows.h"

namespace jaxdali::gpu {

constexpr int kQuad = 4;
// As many as fit into a kernel's arguments, so that a batch takes one launch: while other kernels fill the device, each
// launch has to wait.
#if CUDART_VERSION >= 12010
constexpr size_t kSources = 512;
#else
constexpr size_t kSources = 64;
#endif
constexpr int kLevels = 256;
constexpr int kBytes = static_cast<int>(kChannels);  // of a pixel

struct Sources {
  PixelSource at[kSources];
};

// Rounds the product and the sum separately, as the host does.
__device__ inline float AddProduct(float sum, float weight, float value) {
  return __fadd_rn(sum, __fmul_rn(weight, value));
}

__device__ inline float ToFloat(int32_t value) { return __int2float_rn(value); }
__device__ inline float ToFloat(int64_t value) { return __ll2float_rn(value); }

// The pixels that contribute to a result, and their weights.
template <typename Integer>
struct Taps {
  ResampleAxis<Integer> axis;
  Support<Integer> support;
  float total;

  __device__ Taps(const ResampleAxis<Integer>& axis, Integer i)
      : axis(axis), support(axis.At(i)), total(ToFloat(axis.Total(support))) {}
  __device__ Integer count() const { return support.end - support.first; }
  // Returns the weight of pixel `support.first + k`.
  __device__ float Weight(Integer k) const { return __fdiv_rn(ToFloat(axis.Tap(support, support.first + k)), total); }
};

__device__ inline int Level(float value) {
  const int below = static_cast<int>(value);
  return min(below + (value - static_cast<float>(below) >= 0.5f ? 1 : 0), kLevels - 1);
}

// Loads the bytes of up to four contiguous pixels as three words. Reads only words that contain some of the first
// `bytes`.
__device__ inline void LoadWords(const uint8_t* from, int bytes, uint32_t (&words)[kBytes]) {
  const auto address = reinterpret_cast<uintptr_t>(from);
  const auto* const at = reinterpret_cast<const uint32_t*>(address & ~uintptr_t{3});
  const int behind = static_cast<int>(address & 3);
  uint32_t here = at[0];
#pragma unroll
  for (int word = 0; word < kBytes; ++word) {
    const uint32_t next = kQuad * (word + 1) < behind + bytes ? at[word + 1] : 0;
    words[word] = __funnelshift_r(here, next, 8 * behind);
    here = next;
  }
}

// Adds one source row of up to four pixels.
template <bool kDense>
__device__ void AddPixels(const uint8_t* from, int64_t column_step, int pixels, float weight,
                          float (&sums)[kQuad * kBytes]) {
  if constexpr (kDense) {
    uint32_t words[kBytes];
    LoadWords(from, pixels * kBytes, words);
#pragma unroll
    for (int value = 0; value < kQuad * kBytes; ++value) {
      sums[value] = AddProduct(sums[value], weight, words[value / 4] >> (value % 4 * 8) & 0xff);
    }
  } else {
#pragma unroll
    for (int pixel = 0; pixel < kQuad; ++pixel, from += column_step) {
      if (pixel >= pixels) break;
#pragma unroll
      for (int byte = 0; byte < kBytes; ++byte) {
        float& sum = sums[pixel * kBytes + byte];
        sum = AddProduct(sum, weight, from[byte]);
      }
    }
  }
}

// Returns whether the window of an image lies within it; if not, the thread with `tells` reports it.
__device__ inline bool HasWindow(const PixelSource& source, const Window& window, const ResampleBatch& batch,
                                 bool tells) {
  if (batch.statuses == nullptr || LiesWithin(window, source.height, source.width)) return true;
  if (tells) {
    batch.statuses[source.index] = static_cast<int32_t>(Status::kTooLarge);
    if (batch.late != nullptr) batch.late[source.index] = static_cast<int32_t>(Status::kTooLarge);
  }
  return false;
}

// Where pixels of an image go, and how their values are converted.
template <typename Element>
struct Canvas {
  Element* image;
  const Element* table;
  int64_t width;
  int64_t plane;  // elements from one channel to the next
  bool first, flip;

  __device__ Canvas(const PixelSource& source, const ResampleBatch& batch)
      : image(static_cast<Element*>(batch.images) + source.index * batch.height * batch.width * kBytes),
        table(static_cast<const Element*>(batch.table) + source.index * batch.table_step),
        width(batch.width),
        plane(batch.channels_first ? batch.height * batch.width : 1),
        first(batch.channels_first),
        flip(batch.flips[source.index]) {}

  __device__ Element* At(int64_t y, int64_t x) const { return image + (y * width + x) * (first ? 1 : kBytes); }
  __device__ void Store(int64_t y, int64_t x, const float (&sums)[kBytes]) const {
    Element* const to = At(y, flip ? width - 1 - x : x);
#pragma unroll
    for (int byte = 0; byte < kBytes; ++byte) to[byte * plane] = table[byte * kLevels + Level(sums[byte])];
  }
  __device__ void Clear(int64_t y, int64_t x) const {
    Element* const to = At(y, x);
    to[0] = to[plane] = to[2 * plane] = 0;
  }
};

// Launches a kernel of (sources, batch) for all sources, with `blocks` blocks per image.
template <typename Kernel>
cudaError_t LaunchFor(Kernel kernel, int64_t blocks, int threads, const std::vector<PixelSource>& sources,
                      const ResampleBatch& batch, cudaStream_t stream) {
  for (size_t first = 0; first < sources.size(); first += kSources) {
    const size_t count = std::min(sources.size() - first, kSources);
    Sources some;
    std::copy_n(sources.begin() + static_cast<std::ptrdiff_t>(first), count, some.at);
    const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(count));
    kernel<<<grid, static_cast<unsigned>(threads), 0, stream>>>(some, batch);
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace jaxdali::gpu

#endif  // JAXDALI_CALLS_DECODE_RESAMPLE_KERNEL_PARTS_H_
