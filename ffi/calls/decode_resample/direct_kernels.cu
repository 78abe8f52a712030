#include "calls/decode_resample/direct_kernels.h"
#include "calls/decode_resample/kernel_parts.h"

namespace jaxdali::gpu {
namespace {

// Few large blocks: while other kernels run, there is room for only one or two, whatever their size.
constexpr int kThreads = 512;
constexpr int kBlocks = 2;
// Rows of results that a thread makes in one column: they share the weights across.
constexpr int kRows = 2;
// The most pixels that may contribute to a result along an axis.
constexpr int kTaps = 8;

using Axis = ResampleAxis<int32_t>;

// The source rows of a row of results, and their weights.
struct Row {
  int32_t first, count;
  float weights[kTaps];

  __device__ Row(const Axis& axis, int32_t y) {
    const Taps<int32_t> taps(axis, y);
    first = taps.support.first;
    count = taps.count();
#pragma unroll
    for (int k = 0; k < kTaps; ++k) weights[k] = k < count ? taps.Weight(k) : 0;
  }
};

// Sums over a row's source rows, for up to four source columns.
template <bool kDense>
__device__ void SumColumns(const uint8_t* from, const PixelSource& source, int pixels, const Row& row,
                           float (&sums)[kQuad * kBytes]) {
#pragma unroll
  for (int k = 0; k < kTaps; ++k, from += source.row_step) {
    if (k < row.count) AddPixels<kDense>(from, source.column_step, pixels, row.weights[k], sums);
  }
}

// Makes column x of rows y, ..., y + count - 1 of the results.
template <typename Element>
__device__ void ResampleColumn(const PixelSource& source, const Window& window, const ResampleBatch& batch, int32_t y,
                               int32_t x, int count) {
  const Axis down(window.height, static_cast<int32_t>(batch.height));
  const Taps<int32_t> across(Axis(window.width, static_cast<int32_t>(batch.width)), x);
  const uint8_t* const corner =
      source.origin + window.top * source.row_step + (window.left + across.support.first) * source.column_step;
  const Canvas<Element> canvas(source, batch);
#pragma unroll 1
  for (int made = 0; made < count; ++made) {
    const Row row(down, y + made);
    float results[kBytes] = {};
    for (int32_t j = 0; j < across.count(); j += kQuad) {
      const int pixels = min(across.count() - j, kQuad);
      const uint8_t* const from = corner + row.first * source.row_step + j * source.column_step;
      float sums[kQuad * kBytes] = {};
      if (source.column_step == kBytes) {
        SumColumns<true>(from, source, pixels, row, sums);
      } else {
        SumColumns<false>(from, source, pixels, row, sums);
      }
#pragma unroll
      for (int pixel = 0; pixel < kQuad; ++pixel) {
        if (pixel >= pixels) break;
        const float weight = across.Weight(j + pixel);
#pragma unroll
        for (int byte = 0; byte < kBytes; ++byte) {
          results[byte] = AddProduct(results[byte], weight, sums[pixel * kBytes + byte]);
        }
      }
    }
    canvas.Store(y + made, x, results);
  }
}

// Block (x, y) makes the x-th part of image `sources.at[y]`.
template <typename Element>
__global__ void __launch_bounds__(kThreads, kBlocks) Resample(Sources sources, ResampleBatch batch) {
  const PixelSource source = sources.at[blockIdx.y];
  const Window window = LoadWindow(batch.windows + source.index * kWindowFields);
  const auto height = static_cast<int32_t>(batch.height), width = static_cast<int32_t>(batch.width);
  const auto item = static_cast<int32_t>(blockIdx.x * kThreads + threadIdx.x);
  const int32_t y = item / width * kRows, x = item % width;
  if (y >= height) return;
  const int count = min(height - y, kRows);
  if (HasWindow(source, window, batch, item == 0)) {
    ResampleColumn<Element>(source, window, batch, y, x, count);
    return;
  }
  const Canvas<Element> canvas(source, batch);
  for (int made = 0; made < count; ++made) canvas.Clear(y + made, x);
}

}  // namespace

bool IsDirect(const PixelSource& source, const ResampleBatch& batch) {
  // No window is larger than its image, and the capacity grows with the window.
  return Axis(static_cast<int32_t>(source.height), static_cast<int32_t>(batch.height)).Capacity() <= kTaps &&
         Axis(static_cast<int32_t>(source.width), static_cast<int32_t>(batch.width)).Capacity() <= kTaps &&
         batch.height * batch.width < (int64_t{1} << 30);
}

cudaError_t ResampleDirectly(const std::vector<PixelSource>& sources, const ResampleBatch& batch, cudaStream_t stream) {
  const int64_t items = (batch.height + kRows - 1) / kRows * batch.width, blocks = (items + kThreads - 1) / kThreads;
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
