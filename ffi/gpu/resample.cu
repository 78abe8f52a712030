#include <algorithm>

#include "common/resample_axis.h"
#include "common/rows.h"
#include "common/windows.h"
#include "gpu/resample.h"

namespace jaxdali::gpu {
namespace {

constexpr int kThreads = 256;
// Source columns that are in a block's memory at a time, and weights of source rows that are kept.
constexpr int kColumns = 1024;
constexpr int kWeights = 256;
// As many as fit among a kernel's arguments.
constexpr size_t kSources = 64;
constexpr int kLevels = 256;

struct Sources {
  PixelSource at[kSources];
};

// Product and sum are rounded each, as on the host.
__device__ float AddProduct(float sum, float weight, float value) { return __fadd_rn(sum, __fmul_rn(weight, value)); }

__device__ float Weight(const ResampleAxis& axis, const Support& support, float total, int64_t j) {
  return __fdiv_rn(__ll2float_rn(axis.Tap(support, j)), total);
}

__device__ int Level(float value) {
  const int below = static_cast<int>(value);
  return min(below + (value - static_cast<float>(below) >= 0.5f ? 1 : 0), kLevels - 1);
}

// The sums over source rows of `count` source columns from `first` on, for one row of results.
__device__ void SumRows(const PixelSource& source, const Window& window, const ResampleAxis& rows,
                        const Support& support, const float* weights, int64_t first, int count, float* sums) {
  const float total = __ll2float_rn(rows.Total(support));
  const int kept = static_cast<int>(min(support.end - support.first, int64_t{kWeights}));
  for (int value = threadIdx.x; value < count * kChannels; value += kThreads) {
    const int64_t column = window.left + first + value / static_cast<int>(kChannels);
    const uint8_t* from = source.origin + (window.top + support.first) * source.row_step + column * source.column_step +
                          value % static_cast<int>(kChannels);
    float sum = 0;
    for (int k = 0; k < kept; ++k, from += source.row_step) sum = AddProduct(sum, weights[k], *from);
    for (int64_t j = support.first + kept; j < support.end; ++j, from += source.row_step) {
      sum = AddProduct(sum, Weight(rows, support, total, j), *from);
    }
    sums[value] = sum;
  }
}

// Block (x, y) makes up to kThreads pixels of one row of image `sources.at[y]`, a thread each.
template <typename Element>
__global__ void __launch_bounds__(kThreads) Resample(Sources sources, ResampleBatch batch) {
  __shared__ float row_weights[kWeights];
  __shared__ float sums[kColumns * kChannels];
  const PixelSource& source = sources.at[blockIdx.y];
  const Window window = LoadWindow(batch.windows + source.index * kWindowFields);
  const ResampleAxis rows(window.height, batch.height), columns(window.width, batch.width);
  const int64_t tiles = (batch.width + kThreads - 1) / kThreads;
  const int64_t y = blockIdx.x / tiles, left = blockIdx.x % tiles * kThreads;
  const int64_t x = left + threadIdx.x;

  const Support down = rows.At(y);
  const float down_total = __ll2float_rn(rows.Total(down));
  for (int k = threadIdx.x; k < min(down.end - down.first, int64_t{kWeights}); k += kThreads) {
    row_weights[k] = Weight(rows, down, down_total, down.first + k);
  }
  const Support across = columns.At(min(x, batch.width - 1));
  const float across_total = __ll2float_rn(columns.Total(across));
  const int64_t begin = columns.At(left).first, end = columns.At(min(left + kThreads, batch.width) - 1).end;
  float red = 0, green = 0, blue = 0;
  for (int64_t chunk = begin; chunk < end; chunk += kColumns) {
    const int count = static_cast<int>(min(end - chunk, int64_t{kColumns}));
    __syncthreads();
    SumRows(source, window, rows, down, row_weights, chunk, count, sums);
    __syncthreads();
    const int64_t last = min(across.end, chunk + count);
    for (int64_t j = max(across.first, chunk); j < last; ++j) {
      const float weight = Weight(columns, across, across_total, j);
      const float* const at = sums + (j - chunk) * kChannels;
      red = AddProduct(red, weight, at[0]);
      green = AddProduct(green, weight, at[1]);
      blue = AddProduct(blue, weight, at[2]);
    }
  }
  if (x >= batch.width) return;
  const auto* const table = static_cast<const Element*>(batch.table) + source.index * batch.table_step;
  const int64_t plane = batch.channels_first ? batch.height * batch.width : 1;
  const int64_t column = batch.flips[source.index] ? batch.width - 1 - x : x;
  auto* const to = static_cast<Element*>(batch.images) + source.index * batch.height * batch.width * kChannels +
                   (y * batch.width + column) * (batch.channels_first ? 1 : kChannels);
  to[0] = table[Level(red)];
  to[plane] = table[kLevels + Level(green)];
  to[2 * plane] = table[2 * kLevels + Level(blue)];
}

}  // namespace

cudaError_t ResampleWindows(const std::vector<PixelSource>& sources, const ResampleBatch& batch, cudaStream_t stream) {
  const int64_t blocks = (batch.width + kThreads - 1) / kThreads * batch.height;
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
