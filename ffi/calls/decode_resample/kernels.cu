#include "calls/decode_resample/direct_kernels.h"
#include "calls/decode_resample/kernel_parts.h"

namespace jaxdali::gpu {
namespace {

constexpr int kThreads = 256;
// The fewest blocks that a multiprocessor holds.
constexpr int kBlocks = 4;
// Rows of results that a block makes together: neighbouring rows use the same source rows, and the block synchronizes
// once for all of them.
constexpr int kRows = 8;
// Source columns that a block holds in memory at a time, a multiple of four.
constexpr int kColumns = 344;
// Weights of a row that are kept in memory; further ones are computed when they are used.
constexpr int kRowWeights = kThreads / kRows;
struct Memory {
  // Sums over source rows, for each row of results and each channel.
  alignas(16) float sums[kRows][kBytes][kColumns];
  float weights[kRows][kRowWeights];
  int64_t first[kRows];
  int64_t count[kRows];
};

// Sums over source rows, for some rows of results and `count` source columns. `first` points to the first of these
// columns in row 0 of the window.
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

// Computes the weights of rows of results; each group of kRowWeights threads does one row.
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

// Makes up to kRows rows of up to kThreads pixels from (top, left) on, one column per thread.
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
      // Rows from `made` on contain old values; their sums are not stored.
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
  const Canvas<Element> canvas(source, batch);
#pragma unroll
  for (int row = 0; row < kRows; ++row) {
    if (row >= made) break;
    canvas.Store(top + row, x, sums[row]);
  }
}

template <typename Element>
__device__ void ClearTile(const PixelSource& source, const ResampleBatch& batch, int64_t top, int64_t left) {
  const int64_t x = left + threadIdx.x;
  if (x >= batch.width) return;
  const Canvas<Element> canvas(source, batch);
  for (int64_t y = top; y < min(top + kRows, batch.height); ++y) canvas.Clear(y, x);
}

// Block (x, y) makes tile x of image `sources.at[y]`. No number of its axes overflows `Integer`.
template <typename Integer, typename Element>
__global__ void __launch_bounds__(kThreads, kBlocks) Resample(Sources sources, ResampleBatch batch) {
  __shared__ Memory memory;
  const PixelSource source = sources.at[blockIdx.y];
  const Window window = LoadWindow(batch.windows + source.index * kWindowFields);
  const unsigned tiles = static_cast<unsigned>((batch.width + kThreads - 1) / kThreads);
  const int64_t top = int64_t{blockIdx.x / tiles} * kRows, left = int64_t{blockIdx.x % tiles} * kThreads;
  if (!HasWindow(source, window, batch, threadIdx.x == 0 && blockIdx.x == 0)) {
    ClearTile<Element>(source, batch, top, left);
    return;
  }
  ResampleTile<Integer, Element>(source, window, batch, top, left, memory);
}

template <typename Integer>
cudaError_t ResampleTiles(const std::vector<PixelSource>& sources, const ResampleBatch& batch, cudaStream_t stream) {
  const int64_t blocks = (batch.width + kThreads - 1) / kThreads * ((batch.height + kRows - 1) / kRows);
  switch (batch.element_size) {
    case 1:
      return LaunchFor(Resample<Integer, uint8_t>, blocks, kThreads, sources, batch, stream);
    case 2:
      return LaunchFor(Resample<Integer, uint16_t>, blocks, kThreads, sources, batch, stream);
    default:
      return LaunchFor(Resample<Integer, uint32_t>, blocks, kThreads, sources, batch, stream);
  }
}

}  // namespace

cudaError_t ResampleWindows(const std::vector<PixelSource>& sources, const ResampleBatch& batch, cudaStream_t stream) {
  if (batch.width == 0 || batch.height == 0) return cudaSuccess;
  // No window is larger than its image, so the image's extents decide.
  std::vector<PixelSource> near, small, large;
  small.reserve(sources.size());
  for (const PixelSource& source : sources) {
    const bool is_small = ResampleAxis<int32_t>::IsSmall(source.height, batch.height) &&
                          ResampleAxis<int32_t>::IsSmall(source.width, batch.width);
    (!is_small ? large : IsDirect(source, batch) ? near : small).push_back(source);
  }
  cudaError_t error = ResampleDirectly(near, batch, stream);
  if (error == cudaSuccess) error = ResampleTiles<int32_t>(small, batch, stream);
  return error == cudaSuccess ? ResampleTiles<int64_t>(large, batch, stream) : error;
}

}  // namespace jaxdali::gpu
