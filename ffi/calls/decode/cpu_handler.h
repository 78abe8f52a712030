// The custom call `jaxdali_decode_v1` of the CPU platform.
#ifndef JAXDALI_CALLS_DECODE_CPU_HANDLER_H_
#define JAXDALI_CALLS_DECODE_CPU_HANDLER_H_

#include "calls/decode/attributes.h"
#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

XLA_FFI_DECLARE_HANDLER_SYMBOL(DecodeHandler);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_DECODE_CPU_HANDLER_H_
