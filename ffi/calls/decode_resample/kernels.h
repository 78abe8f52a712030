// Resizes windows of images on the device, to the same bits as calls/decode_resample/row.h.
#ifndef JAXDALI_CALLS_DECODE_RESAMPLE_KERNELS_H_
#define JAXDALI_CALLS_DECODE_RESAMPLE_KERNELS_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

namespace jaxdali::gpu {

// Pixels of an image as it is displayed: the one at (row, column) is at
// `origin + row * row_step + column * column_step`.
struct PixelSource {
  const uint8_t* origin;
  int64_t row_step;
  int64_t column_step;
  int64_t index;  // of the image in the batch
  int64_t height;
  int64_t width;
};

// The operands of a call, on the device.
struct ResampleBatch {
  const int32_t* windows;  // [N, 4]: top, left, height, width
  const bool* flips;       // [N]
  const void* table;       // [1 or N, 3, 256] elements
  int64_t table_step;      // elements from one image's table to the next
  void* images;            // [N, height, width, 3] or [N, 3, height, width] elements
  int32_t* statuses;       // [N], written for images whose windows do not lie within them; null if all windows do
  int32_t* late;           // the same, on the host; or null
  int64_t height;
  int64_t width;
  int element_size;  // 1, 2 or 4
  bool channels_first;
  bool avoids_shared_memory;  // where possible, see direct_kernels.h
};

// Queues the resizing of some images on `stream`.
cudaError_t ResampleWindows(const std::vector<PixelSource>& sources, const ResampleBatch& batch, cudaStream_t stream);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_CALLS_DECODE_RESAMPLE_KERNELS_H_
