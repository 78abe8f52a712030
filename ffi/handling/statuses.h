// Sends statuses from the host to the device in kernel arguments, so that no memory has to be kept.
#ifndef JAXDALI_HANDLING_STATUSES_H_
#define JAXDALI_HANDLING_STATUSES_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

namespace jaxdali::gpu {

// Queues the writing of some statuses.
cudaError_t WriteStatuses(const std::vector<uint8_t>& statuses, int32_t* target, cudaStream_t stream);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_HANDLING_STATUSES_H_
