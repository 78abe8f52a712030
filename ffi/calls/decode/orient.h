// Applies EXIF orientation on the device.
#ifndef JAXDALI_CALLS_DECODE_ORIENT_H_
#define JAXDALI_CALLS_DECODE_ORIENT_H_

#include <cuda_runtime_api.h>

#include <cstdint>

namespace jaxdali::gpu {

// Like cpu::CopyOriented, queued on `stream`: copies a dense uint8[height, width, 3] into rows `target_stride` bytes
// apart.
cudaError_t CopyOriented(const uint8_t* source, int64_t height, int64_t width, int orientation, uint8_t* target,
                         int64_t target_stride, cudaStream_t stream);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_CALLS_DECODE_ORIENT_H_
