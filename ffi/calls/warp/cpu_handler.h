// The custom call of calls/warp/operands.h on the CPU platform, where XLA's own code looks up pixels one by one and is
// several times slower.
#ifndef JAXDALI_CALLS_WARP_CPU_HANDLER_H_
#define JAXDALI_CALLS_WARP_CPU_HANDLER_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

XLA_FFI_DECLARE_HANDLER_SYMBOL(WarpHandler);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_WARP_CPU_HANDLER_H_
