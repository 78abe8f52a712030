// Queues draws on a device.
#ifndef JAXDALI_GPU_DRAW_KERNELS_H_
#define JAXDALI_GPU_DRAW_KERNELS_H_

#include <cuda_runtime_api.h>

#include "common/draw_calls.h"

namespace jaxdali::gpu {

cudaError_t QueueWords(const ThreefryCall& call, cudaStream_t stream);
cudaError_t QueueWindows(const WindowCall& call, cudaStream_t stream);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_DRAW_KERNELS_H_
