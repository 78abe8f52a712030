// Resizes images that do not become much smaller, without shared memory, which takes a fifth longer.
//
// A multiprocessor redistributes its memory between the cache and shared memory only when it is idle. nvJPEG's entropy
// decoder uses next to no shared memory; while it runs, blocks that need some do not start for tens of milliseconds.
// Results that are narrower than a block of the other kernels would leave many of its threads idle.
#ifndef JAXDALI_CALLS_DECODE_RESAMPLE_DIRECT_KERNELS_H_
#define JAXDALI_CALLS_DECODE_RESAMPLE_DIRECT_KERNELS_H_

#include <cuda_runtime_api.h>

#include <vector>

#include "calls/decode_resample/kernels.h"

namespace jaxdali::gpu {

// Returns whether this is the way to resize an image: its results are narrow, or shared memory is to be avoided, and no
// window of it uses so many pixels that sharing sums pays anyway.
bool IsDirect(const PixelSource& source, const ResampleBatch& batch);

// Like ResampleWindows, for sources that are direct and whose extents are small (ResampleAxis::IsSmall).
cudaError_t ResampleDirectly(const std::vector<PixelSource>& sources, const ResampleBatch& batch, cudaStream_t stream);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_CALLS_DECODE_RESAMPLE_DIRECT_KERNELS_H_
