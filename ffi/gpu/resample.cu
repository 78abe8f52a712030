#include <algorithm>

#include "common/resample_axis.h"
#include "common/rows.h"
#include "common/windows.h"
#include "gpu/resample.h"

namespace jaxdali::gpu {
namespace {

constexpr int kThreads = 256;
// Blocks that a multiprocessor holds at least.
constexpr int kBlocks = 4;
// Rows of results that a block makes together: neighbours weigh the same source rows, and wait for each other once.
constexpr int kRows = 8;
// Source columns that are in a block's memory at a time, in fours.
constexpr int kColumns = 344;
constexpr int kQuad = 4;
// Weights of a row that are; more are computed when they are used.
constexpr int kRowWeights = kThreads / kRows;
// As many as fit among a kernel's arguments. One launch a batch: beside kernels that fill the device each has to wait.
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

struct Memory {
  // Sums over source rows, of each row of results and each channel.
  alignas(16) float sums[kRows][kBytes][kColumns];
  float weights[kRows][kRowWeights];
  int64_t first[kRows];
  int64_t count[kRows];
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

// The bytes of up to four pixels that lie one behind the other, as three words. Only words with some of the first
// `bytes` are read, and no others than those that hold them.
__device__ void LoadWords(const uint8_t* from, int bytes, uint32_t (&words)[kBytes]) {
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

// Sums over source rows for some rows of results and `count` source columns, the first of which is at `first` in row 0
// of the window.
template <bool kDense, typename Integer>
__device__ void SumRows(const uint8_t* first, const PixelSource& source, const ResampleAxis<Integer>& axis, int64_t top,
                        int rows, int count, Memory& memory) {
  const int quads = (count + kQuad - 1) / kQuad;
  for (int item = threadIdx.x; item < rows * quads; item += kThreads) {
    const int row = item / quads, column = (item - row * quads) * kQuad;
    const int pixels = min(count - column, kQuad);
    const uint8_t* from = first + memory.first[row] * source.row_step + column * source.column_step;
    const auto taps = static_cast<Integer>(memory.count[row]), kept = min(taps, Integer{kRowWeights});
    float sums[kQuad * kBytes] = {};
    for (Integer k = 0; k < kept; ++k, from += source.row_step) {
      AddPixels<kDense>(from, source.column_step, pixels, memory.weights[row][k], sums);
    }
    for (Integer k = kept; k < taps; ++k, from += source.row_step) {
      const Taps<Integer> down(axis, static_cast<Integer>(top + row));
      AddPixels<kDense>(from, source.column_step, pixels, down.Weight(k), sums);
    }
    for (int byte = 0; byte < kBytes; ++byte) {
      *reinterpret_cast<float4*>(&memory.sums[row][byte][column]) =
          make_float4(sums[byte], sums[kBytes + byte], sums[2 * kBytes + byte], sums[3 * kBytes + byte]);
    }
  }
}

// What rows of results weigh: a row for each of the threads' groups of kRowWeights.
template <typename Integer>
__device__ void PrepareRows(const ResampleAxis<Integer>& axis, int64_t top, int rows, Memory& memory) {
  const int row = threadIdx.x / kRowWeights, k = threadIdx.x % kRowWeights;
  if (row >= rows) return;
  const Taps<Integer> down(axis, static_cast<Integer>(top + row));
  if (k < down.count()) memory.weights[row][k] = down.Weight(k);
  if (k == 0) {
    memory.first[row] = down.support.first;
    memory.count[row] = down.count();
  }
}

// Makes up to kRows rows of up to kThreads pixels from (top, left) on, a column a thread.
template <typename Integer, typename Element>
__device__ void ResampleTile(const PixelSource& source, const Window& window, const ResampleBatch& batch, int64_t top,
                             int64_t left, Memory& memory) {
  const Integer width = static_cast<Integer>(batch.width);
  const ResampleAxis<Integer> rows(window.height, batch.height), columns(window.width, batch.width);
  const int made = static_cast<int>(min(batch.height - top, int64_t{kRows}));
  PrepareRows(rows, top, made, memory);
  const Integer x = static_cast<Integer>(left + threadIdx.x);
  const Taps<Integer> across(columns, min(x, width - 1));
  const Integer begin = columns.At(static_cast<Integer>(left)).first;
  const Integer end = columns.At(min(static_cast<Integer>(left) + kThreads, width) - 1).end;
  const uint8_t* const corner = source.origin + window.top * source.row_step + window.left * source.column_step;

  float sums[kRows][kBytes] = {};
  for (Integer chunk = begin; chunk < end; chunk += kColumns) {
    const int count = static_cast<int>(min(end - chunk, Integer{kColumns}));
    __syncthreads();
    const uint8_t* const first = corner + chunk * source.column_step;
    if (source.column_step == kBytes) {
      SumRows<true>(first, source, rows, top, made, count, memory);
    } else {
      SumRows<false>(first, source, rows, top, made, count, memory);
    }
    __syncthreads();
    const Integer last = min(across.support.end, chunk + count);
    for (Integer j = max(across.support.first, chunk); j < last; ++j) {
      const float weight = across.Weight(j - across.support.first);
      // Rows that are not made hold what was there; nobody looks at them.
#pragma unroll
      for (int row = 0; row < kRows; ++row) {
#pragma unroll
        for (int byte = 0; byte < kBytes; ++byte) {
          sums[row][byte] = AddProduct(sums[row][byte], weight, memory.sums[row][byte][j - chunk]);
        }
      }
    }
  }
  if (x >= width) return;
  const bool first = batch.channels_first;
  const int64_t plane = first ? batch.height * batch.width : 1;
  const int64_t column = batch.flips[source.index] ? batch.width - 1 - x : x;
  const auto* const table = static_cast<const Element*>(batch.table) + source.index * batch.table_step;
  auto* const image = static_cast<Element*>(batch.images) + source.index * batch.height * batch.width * kBytes;
#pragma unroll
  for (int row = 0; row < kRows; ++row) {
    if (row >= made) break;
    Element* const to = image + ((top + row) * batch.width + column) * (first ? 1 : kBytes);
#pragma unroll
    for (int byte = 0; byte < kBytes; ++byte) to[byte * plane] = table[byte * kLevels + Level(sums[row][byte])];
  }
}

template <typename Element>
__device__ void ClearTile(const PixelSource& source, const ResampleBatch& batch, int64_t top, int64_t left) {
  const int64_t x = left + threadIdx.x;
  if (x >= batch.width) return;
  const int64_t plane = batch.channels_first ? batch.height * batch.width : 1;
  auto* const image = static_cast<Element*>(batch.images) + source.index * batch.height * batch.width * kBytes;
  for (int64_t y = top; y < min(top + kRows, batch.height); ++y) {
    Element* const to = image + (y * batch.width + x) * (batch.channels_first ? 1 : kBytes);
    to[0] = to[plane] = to[2 * plane] = 0;
  }
}

// Block (x, y) makes tile x of image `sources.at[y]`. Nothing along its axes overflows `Integer`.
template <typename Integer, typename Element>
__global__ void __launch_bounds__(kThreads, kBlocks) Resample(Sources sources, ResampleBatch batch) {
  __shared__ Memory memory;
  const PixelSource source = sources.at[blockIdx.y];
  const Window window = LoadWindow(batch.windows + source.index * kWindowFields);
  const unsigned tiles = static_cast<unsigned>((batch.width + kThreads - 1) / kThreads);
  const int64_t top = int64_t{blockIdx.x / tiles} * kRows, left = int64_t{blockIdx.x % tiles} * kThreads;
  if (batch.statuses != nullptr && !LiesWithin(window, source.height, source.width)) {
    if (threadIdx.x == 0 && blockIdx.x == 0) {
      batch.statuses[source.index] = static_cast<int32_t>(Status::kTooLarge);
      if (batch.late != nullptr) batch.late[source.index] = static_cast<int32_t>(Status::kTooLarge);
    }
    ClearTile<Element>(source, batch, top, left);
    return;
  }
  ResampleTile<Integer, Element>(source, window, batch, top, left, memory);
}

template <typename Integer, typename Element>
cudaError_t Launch(const std::vector<PixelSource>& sources, const ResampleBatch& batch, cudaStream_t stream) {
  const int64_t blocks = (batch.width + kThreads - 1) / kThreads * ((batch.height + kRows - 1) / kRows);
  for (size_t first = 0; first < sources.size(); first += kSources) {
    const size_t count = std::min(sources.size() - first, kSources);
    Sources some;
    std::copy_n(sources.begin() + static_cast<std::ptrdiff_t>(first), count, some.at);
    const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(count));
    Resample<Integer, Element><<<grid, kThreads, 0, stream>>>(some, batch);
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

template <typename Integer>
cudaError_t LaunchFor(const std::vector<PixelSource>& sources, const ResampleBatch& batch, cudaStream_t stream) {
  switch (batch.element_size) {
    case 1:
      return Launch<Integer, uint8_t>(sources, batch, stream);
    case 2:
      return Launch<Integer, uint16_t>(sources, batch, stream);
    default:
      return Launch<Integer, uint32_t>(sources, batch, stream);
  }
}

}  // namespace

cudaError_t ResampleWindows(const std::vector<PixelSource>& sources, const ResampleBatch& batch, cudaStream_t stream) {
  if (batch.width == 0 || batch.height == 0) return cudaSuccess;
  // Windows are not larger than their images.
  std::vector<PixelSource> small, large;
  for (const PixelSource& source : sources) {
    const bool is_small = ResampleAxis<int32_t>::IsSmall(source.height, batch.height) &&
                          ResampleAxis<int32_t>::IsSmall(source.width, batch.width);
    (is_small ? small : large).push_back(source);
  }
  const cudaError_t error = LaunchFor<int32_t>(small, batch, stream);
  return error == cudaSuccess ? LaunchFor<int64_t>(large, batch, stream) : error;
}

}  // namespace jaxdali::gpu
