// Resizes images that need not become much smaller, without shared memory.
//
// A multiprocessor divides its memory between cache and blocks anew only when it is idle. While nvJPEG's entropy
// decoder is on it, which wants next to none, blocks that want some do not begin for tens of milliseconds.
#ifndef JAXDALI_GPU_RESAMPLE_DIRECT_H_
#define JAXDALI_GPU_RESAMPLE_DIRECT_H_

#include <cuda_runtime_api.h>

#include <vector>

#include "gpu/resample.h"

namespace jaxdali::gpu {

// Whether no window of it weighs so many pixels that sums are better shared.
bool IsDirect(const PixelSource& source, const ResampleBatch& batch);

// As ResampleWindows, of sources that are, and whose numbers are small (ResampleAxis::IsSmall).
cudaError_t ResampleDirectly(const std::vector<PixelSource>& sources, const ResampleBatch& batch, cudaStream_t stream);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_RESAMPLE_DIRECT_H_
