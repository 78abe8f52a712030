#include <algorithm>

#include "common/resample_axis.h"
#include "common/rows.h"
#include "common/windows.h"
#include "gpu/resample.h"

namespace jaxdali::gpu {
namespace {

constexpr int kThreads = 256;
// Rows of results that a block makes, one after the other.
constexpr int kRows = 8;
// Source columns that are in a block's memory at a time; weights of a row and of a column that are.
constexpr int kColumns = 1024;
constexpr int kRowWeights = 64;
constexpr int kColumnWeights = 8;
// As many as fit among a kernel's arguments.
constexpr size_t kSources = 64;
constexpr int kLevels = 256;
constexpr int kBytes = static_cast<int>(kChannels);  // of a pixel

struct Sources {
  PixelSource at[kSources];
};

struct Memory {
  float row_weights[kRowWeights];
  float column_weights[kColumnWeights][kThreads];
  float sums[kColumns * kBytes];
};

// Product and sum are rounded each, as on the host.
__device__ float AddProduct(float sum, float weight, float value) { return __fadd_rn(sum, __fmul_rn(weight, value)); }

__device__ float ToFloat(int32_t value) { return __int2float_rn(value); }
__device__ float ToFloat(int64_t value) { return __ll2float_rn(value); }

// The pixels that a result weighs, and how.
template <typename Integer>
struct Taps {
  ResampleAxis<Integer> axis;
  Support<Integer> support;
  float total;

  __device__ Taps(const ResampleAxis<Integer>& axis, Integer i)
      : axis(axis), support(axis.At(i)), total(ToFloat(axis.Total(support))) {}
  __device__ Integer count() const { return support.end - support.first; }
  // Of pixel `support.first + k`.
  __device__ float Weight(Integer k) const { return __fdiv_rn(ToFloat(axis.Tap(support, support.first + k)), total); }
};

__device__ int Level(float value) {
  const int below = static_cast<int>(value);
  return min(below + (value - static_cast<float>(below) >= 0.5f ? 1 : 0), kLevels - 1);
}

// Sums over the source rows of one row of results, for `count` source columns.
template <typename Integer>
__device__ void SumRows(const uint8_t* first, const PixelSource& source, const Taps<Integer>& down, int count,
                        Memory& memory) {
  const int kept = static_cast<int>(min(down.count(), Integer{kRowWeights}));
  for (int value = threadIdx.x; value < count * kBytes; value += kThreads) {
    const uint8_t* from = first + value / kBytes * source.column_step + value % kBytes;
    float sum = 0;
    for (int k = 0; k < kept; ++k, from += source.row_step) sum = AddProduct(sum, memory.row_weights[k], *from);
    for (Integer k = kept; k < down.count(); ++k, from += source.row_step) sum = AddProduct(sum, down.Weight(k), *from);
    memory.sums[value] = sum;
  }
}

// Makes up to kRows rows of up to kThreads pixels from (top, left) on, a column a thread.
template <typename Integer, typename Element>
__device__ void ResampleTile(const PixelSource& source, const Window& window, const ResampleBatch& batch, int64_t top,
                             int64_t left, Memory& memory) {
  const Integer width = static_cast<Integer>(batch.width);
  const ResampleAxis<Integer> rows(window.height, batch.height), columns(window.width, batch.width);
  const Integer x = static_cast<Integer>(left + threadIdx.x);
  const Taps<Integer> across(columns, min(x, width - 1));
  const int kept = static_cast<int>(min(across.count(), Integer{kColumnWeights}));
  for (int k = 0; k < kept; ++k) memory.column_weights[k][threadIdx.x] = across.Weight(k);
  const Integer begin = columns.At(static_cast<Integer>(left)).first;
  const Integer end = columns.At(min(static_cast<Integer>(left) + kThreads, width) - 1).end;

  const bool first = batch.channels_first;
  const int64_t plane = first ? batch.height * batch.width : 1;
  const int64_t column = batch.flips[source.index] ? batch.width - 1 - x : x;
  const auto* const table = static_cast<const Element*>(batch.table) + source.index * batch.table_step;
  auto* const image = static_cast<Element*>(batch.images) + source.index * batch.height * batch.width * kBytes;

  for (int64_t y = top; y < min(top + kRows, batch.height); ++y) {
    const Taps<Integer> down(rows, static_cast<Integer>(y));
    __syncthreads();
    if (threadIdx.x < min(down.count(), Integer{kRowWeights})) {
      memory.row_weights[threadIdx.x] = down.Weight(threadIdx.x);
    }
    const uint8_t* const line = source.origin + (window.top + down.support.first) * source.row_step;
    float red = 0, green = 0, blue = 0;
    for (Integer chunk = begin; chunk < end; chunk += kColumns) {
      const int count = static_cast<int>(min(end - chunk, Integer{kColumns}));
      __syncthreads();
      SumRows(line + (window.left + chunk) * source.column_step, source, down, count, memory);
      __syncthreads();
      const Integer last = min(across.support.end, chunk + count);
      for (Integer j = max(across.support.first, chunk); j < last; ++j) {
        const Integer k = j - across.support.first;
        const float weight = k < kept ? memory.column_weights[k][threadIdx.x] : across.Weight(k);
        const float* const at = memory.sums + (j - chunk) * kBytes;
        red = AddProduct(red, weight, at[0]);
        green = AddProduct(green, weight, at[1]);
        blue = AddProduct(blue, weight, at[2]);
      }
    }
    if (x < width) {
      Element* const to = image + (y * batch.width + column) * (first ? 1 : kBytes);
      to[0] = table[Level(red)];
      to[plane] = table[kLevels + Level(green)];
      to[2 * plane] = table[2 * kLevels + Level(blue)];
    }
  }
}

// Block (x, y) makes tile x of image `sources.at[y]`.
template <typename Element>
__global__ void __launch_bounds__(kThreads) Resample(Sources sources, ResampleBatch batch) {
  __shared__ Memory memory;
  const PixelSource source = sources.at[blockIdx.y];
  const Window window = LoadWindow(batch.windows + source.index * kWindowFields);
  const unsigned tiles = static_cast<unsigned>((batch.width + kThreads - 1) / kThreads);
  const int64_t top = int64_t{blockIdx.x / tiles} * kRows, left = int64_t{blockIdx.x % tiles} * kThreads;
  if (ResampleAxis<int32_t>::IsSmall(window.height, batch.height) &&
      ResampleAxis<int32_t>::IsSmall(window.width, batch.width)) {
    ResampleTile<int32_t, Element>(source, window, batch, top, left, memory);
  } else {
    ResampleTile<int64_t, Element>(source, window, batch, top, left, memory);
  }
}

}  // namespace

cudaError_t ResampleWindows(const std::vector<PixelSource>& sources, const ResampleBatch& batch, cudaStream_t stream) {
  const int64_t blocks = (batch.width + kThreads - 1) / kThreads * ((batch.height + kRows - 1) / kRows);
  if (blocks == 0) return cudaSuccess;
  for (size_t first = 0; first < sources.size(); first += kSources) {
    const size_t count = std::min(sources.size() - first, kSources);
    Sources some;
    std::copy_n(sources.begin() + static_cast<std::ptrdiff_t>(first), count, some.at);
    const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(count));
    switch (batch.element_size) {
      case 1:
        Resample<uint8_t><<<grid, kThreads, 0, stream>>>(some, batch);
        break;
      case 2:
        Resample<uint16_t><<<grid, kThreads, 0, stream>>>(some, batch);
        break;
      default:
        Resample<uint32_t><<<grid, kThreads, 0, stream>>>(some, batch);
    }
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace jaxdali::gpu
