// Queues warps on a device.
#ifndef JAXDALI_CALLS_WARP_KERNELS_H_
#define JAXDALI_CALLS_WARP_KERNELS_H_

#include <cuda_runtime_api.h>

#include "calls/warp/warping.h"

namespace jaxdali::gpu {

// All pointers in `warping` are to device memory.
cudaError_t QueueWarp(const Warping& warping, cudaStream_t stream);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_CALLS_WARP_KERNELS_H_
