// The custom call `jaxdali_decode_resample_v1` of the CUDA platform.
#ifndef JAXDALI_CALLS_DECODE_RESAMPLE_GPU_HANDLER_H_
#define JAXDALI_CALLS_DECODE_RESAMPLE_GPU_HANDLER_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::gpu {

XLA_FFI_DECLARE_HANDLER_SYMBOL(DecodeResampleHandler);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_CALLS_DECODE_RESAMPLE_GPU_HANDLER_H_
