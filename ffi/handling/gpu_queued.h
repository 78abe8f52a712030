// The result of a call that only queues kernels.
#ifndef JAXDALI_HANDLING_GPU_QUEUED_H_
#define JAXDALI_HANDLING_GPU_QUEUED_H_

#include <cuda_runtime_api.h>

#include <string>

#include "xla/ffi/api/ffi.h"

namespace jaxdali::gpu {

inline xla::ffi::Error Queued(const char* target, cudaError_t status) {
  if (status == cudaSuccess) return xla::ffi::Error::Success();
  return xla::ffi::Error::Internal(std::string(target) + ": " + cudaGetErrorString(status));
}

}  // namespace jaxdali::gpu

#endif  // JAXDALI_HANDLING_GPU_QUEUED_H_
