// Queues draws on a device.
#ifndef JAXDALI_CALLS_DRAWS_KERNELS_H_
#define JAXDALI_CALLS_DRAWS_KERNELS_H_

#include <cuda_runtime_api.h>

#include "calls/draws/draws.h"

namespace jaxdali::gpu {

cudaError_t QueueWords(const ThreefryCall& call, cudaStream_t stream);
cudaError_t QueueWindows(const WindowCall& call, cudaStream_t stream);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_CALLS_DRAWS_KERNELS_H_
