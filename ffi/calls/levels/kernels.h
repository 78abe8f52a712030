// Queues counts and table lookups of levels on a device.
#ifndef JAXDALI_CALLS_LEVELS_KERNELS_H_
#define JAXDALI_CALLS_LEVELS_KERNELS_H_

#include <cuda_runtime_api.h>

#include "calls/levels/levels.h"

namespace jaxdali::gpu {

// All pointers in the arguments are to device memory.
cudaError_t QueueLevelCounts(const LevelCounts& counts, cudaStream_t stream);
cudaError_t QueueLevelLookup(const LevelLookup& lookup, cudaStream_t stream);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_CALLS_LEVELS_KERNELS_H_
