// Resizes images that do not become much smaller, without shared memory.
//
// A multiprocessor redistributes its memory between cache and blocks only when it is idle. While nvJPEG's entropy
// decoder runs on it, which uses next to none, blocks that need some do not start for tens of milliseconds.
#ifndef JAXDALI_CALLS_DECODE_RESAMPLE_DIRECT_KERNELS_H_
#define JAXDALI_CALLS_DECODE_RESAMPLE_DIRECT_KERNELS_H_

#include <cuda_runtime_api.h>

#include <vector>

#include "calls/decode_resample/kernels.h"

namespace jaxdali::gpu {

// Whether no window of it uses so many pixels that sums are better shared.
bool IsDirect(const PixelSource& source, const ResampleBatch& batch);

// Like ResampleWindows, for sources that are direct, and whose numbers are small (ResampleAxis::IsSmall).
cudaError_t ResampleDirectly(const std::vector<PixelSource>& sources, const ResampleBatch& batch, cudaStream_t stream);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_CALLS_DECODE_RESAMPLE_DIRECT_KERNELS_H_
