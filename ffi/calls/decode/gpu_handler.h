// The custom call `jaxdali_decode_v1` of the CUDA platform.
#ifndef JAXDALI_CALLS_DECODE_GPU_HANDLER_H_
#define JAXDALI_CALLS_DECODE_GPU_HANDLER_H_

#include "calls/decode/attributes.h"
#include "xla/ffi/api/ffi.h"

namespace jaxdali::gpu {

XLA_FFI_DECLARE_HANDLER_SYMBOL(DecodeHandler);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_CALLS_DECODE_GPU_HANDLER_H_
