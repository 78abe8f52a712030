// The custom call of common/warp_operands.h on the CPU platform: what XLA compiles there looks pixels up one by one,
// several times slower.
#ifndef JAXDALI_CPU_WARP_HANDLERS_H_
#define JAXDALI_CPU_WARP_HANDLERS_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

XLA_FFI_DECLARE_HANDLER_SYMBOL(WarpHandler);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_WARP_HANDLERS_H_
