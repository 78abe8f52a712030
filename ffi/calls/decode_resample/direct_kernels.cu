#include "base/warp.h"
#include "calls/decode_resample/direct_kernels.h"
#include "calls/decode_resample/kernel_parts.h"

namespace jaxdali::gpu {
namespace {

// Few large blocks: while other kernels run, there is room for only one or two, whatever their size.
constexpr int kThreads = 512;
constexpr int kBlocks = 2;
// The most pixels that may contribute to a result along an axis.
constexpr int kTaps = 8;
constexpr int kQuads = kTaps / kQuad;
// Rows of results whose weights a warp computes at once, each lane one weight; and that it makes in its columns, which
// share the weights across.
constexpr int kRowsAtOnce = static_cast<int>(kWarp) / kTaps, kRows = 2 * kRowsAtOnce;

constexpr int64_t kNarrow = 64;  // columns of results

using Axis = ResampleAxis<int32_t>;

// The weights of one result.
struct Weights {
  int32_t first, count;
  float of[kTaps];

  __device__ explicit Weights(const Taps<int32_t>& taps) : first(taps.support.first), count(taps.count()) {
#pragma unroll
    for (int k = 0; k < kTaps; ++k) of[k] = k < count ? taps.Weight(k) : 0;
  }
};

// The weights of kRowsAtOnce rows of results from y on: this lane has weight `lane % kTaps` of row `lane / kTaps`.
struct RowWeights {
  int32_t first, count;
  float own;

  __device__ RowWeights(const Axis& axis, int32_t y, int lane) {
    const Taps<int32_t> taps(axis, y + lane / kTaps);
    first = taps.support.first;
    count = taps.count();
    own = lane % kTaps < count ? taps.Weight(lane % kTaps) : 0;
  }
  __device__ int32_t FirstOf(int row) const { return __shfl_sync(kWholeWarp, first, row * kTaps); }
  __device__ int32_t CountOf(int row) const { return __shfl_sync(kWholeWarp, count, row * kTaps); }
  __device__ float Of(int row, int k) const { return __shfl_sync(kWholeWarp, own, row * kTaps + k); }
};

// Sums over the source rows of a row of results, for the columns of a warp, of which each lane has `columns`, kTaps at
// most.
template <bool kDense>
__device__ void SumRow(const uint8_t* from, const PixelSource& source, int columns, const RowWeights& rows, int row,
                       float (&sums)[kQuads][kQuad * kBytes]) {
  const int32_t count = rows.CountOf(row);
  for (int32_t k = 0; k < count; ++k, from += source.row_step) {
    const float weight = rows.Of(row, k);
#pragma unroll
    for (int quad = 0; quad < kQuads; ++quad) {
      const int first = quad * kQuad, pixels = min(columns - first, kQuad);
      if (pixels <= 0) break;
      AddPixels<kDense>(from + first * source.column_step, source.column_step, pixels, weight, sums[quad]);
    }
  }
}

// Makes column x of up to kRows rows from y on, each lane one column; only lanes with `stores` write.
template <typename Element>
__device__ void ResampleColumns(const PixelSource& source, const Window& window, const ResampleBatch& batch, int32_t y,
                                int32_t x, bool stores) {
  const auto height = static_cast<int32_t>(batch.height);
  const Axis down(window.height, height);
  const Weights across(Taps<int32_t>(Axis(window.width, static_cast<int32_t>(batch.width)), x));
  const uint8_t* const corner =
      source.origin + window.top * source.row_step + (window.left + across.first) * source.column_step;
  const Canvas<Element> canvas(source, batch);
  const int32_t end = min(y + kRows, height);
#pragma unroll 1
  for (; y < end; y += kRowsAtOnce) {
    const RowWeights rows(down, y, static_cast<int>(threadIdx.x % kWarp));
#pragma unroll 1
    for (int row = 0; row < min(end - y, kRowsAtOnce); ++row) {
      const uint8_t* const from = corner + rows.FirstOf(row) * source.row_step;
      float sums[kQuads][kQuad * kBytes] = {}, results[kBytes] = {};
      if (source.column_step == kBytes) {
        SumRow<true>(from, source, across.count, rows, row, sums);
      } else {
        SumRow<false>(from, source, across.count, rows, row, sums);
      }
#pragma unroll
      for (int column = 0; column < kTaps; ++column) {
        if (column >= across.count) break;
#pragma unroll
        for (int byte = 0; byte < kBytes; ++byte) {
          const float sum = sums[column / kQuad][column % kQuad * kBytes + byte];
          results[byte] = AddProduct(results[byte], across.of[column], sum);
        }
      }
      if (stores) canvas.Store(y + row, x, results);
    }
  }
}

// Block (x, y) makes the x-th part of image `sources.at[y]`: each warp some rows of some columns.
template <typename Element>
__global__ void __launch_bounds__(kThreads, kBlocks) Resample(Sources sources, ResampleBatch batch) {
  const PixelSource source = sources.at[blockIdx.y];
  const Window window = LoadWindow(batch.windows + source.index * kWindowFields);
  const auto height = static_cast<int32_t>(batch.height), width = static_cast<int32_t>(batch.width);
  constexpr auto kColumns = static_cast<int32_t>(kWarp);
  const auto item = static_cast<int32_t>(blockIdx.x * kThreads + threadIdx.x);
  const int32_t part = item / kColumns, across = CeilDivide(width, kColumns);
  const int32_t y = part / across * kRows, x = part % across * kColumns + item % kColumns;
  if (y >= height) return;
  if (HasWindow(source, window, batch, part == 0 && x == 0)) {
    // Lanes beyond the last column do as it does, for the others need their weights.
    ResampleColumns<Element>(source, window, batch, y, min(x, width - 1), x < width);
    return;
  }
  if (x >= width) return;
  const Canvas<Element> canvas(source, batch);
  for (int32_t row = y; row < min(y + kRows, height); ++row) canvas.Clear(row, x);
}

}  // namespace

bool IsDirect(const PixelSource& source, const ResampleBatch& batch) {
  if (!batch.avoids_shared_memory && batch.width > kNarrow) return false;
  // No window is larger than its image, and the capacity grows with the window.
  return Axis(static_cast<int32_t>(source.height), static_cast<int32_t>(batch.height)).Capacity() <= kTaps &&
         Axis(static_cast<int32_t>(source.width), static_cast<int32_t>(batch.width)).Capacity() <= kTaps &&
         batch.height * CeilDivide<int64_t>(batch.width, kWarp) * kWarp < (int64_t{1} << 30);
}

cudaError_t ResampleDirectly(const std::vector<PixelSource>& sources, const ResampleBatch& batch, cudaStream_t stream) {
  const int64_t warps = CeilDivide<int64_t>(batch.height, kRows) * CeilDivide<int64_t>(batch.width, kWarp);
  const int64_t blocks = CeilDivide<int64_t>(warps * kWarp, kThreads);
  switch (batch.element_size) {
    case 1:
      return LaunchFor(Resample<uint8_t>, blocks, kThreads, sources, batch, stream);
    case 2:
      return LaunchFor(Resample<uint16_t>, blocks, kThreads, sources, batch, stream);
    default:
      return LaunchFor(Resample<uint32_t>, blocks, kThreads, sources, batch, stream);
  }
}

}  // namespace jaxdali::gpu
