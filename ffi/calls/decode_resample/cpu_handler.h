// The custom call `jaxdali_decode_resample_v1` of the CPU platform.
#ifndef JAXDALI_CALLS_DECODE_RESAMPLE_CPU_HANDLER_H_
#define JAXDALI_CALLS_DECODE_RESAMPLE_CPU_HANDLER_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

XLA_FFI_DECLARE_HANDLER_SYMBOL(DecodeResampleHandler);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_DECODE_RESAMPLE_CPU_HANDLER_H_
