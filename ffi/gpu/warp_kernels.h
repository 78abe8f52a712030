// Queues warps on a device.
#ifndef JAXDALI_GPU_WARP_KERNELS_H_
#define JAXDALI_GPU_WARP_KERNELS_H_

#include <cuda_runtime_api.h>

#include "common/warping.h"

namespace jaxdali::gpu {

// All of its pointers are the device's.
cudaError_t QueueWarp(const Warping& warping, cudaStream_t stream);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_WARP_KERNELS_H_
