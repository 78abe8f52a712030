// The custom calls of calls/draws/operands.h on the CPU platform. XLA takes seconds to compile the same arithmetic for
// a CPU, and the first batch of every process would wait for it.
#ifndef JAXDALI_CALLS_DRAWS_CPU_HANDLER_H_
#define JAXDALI_CALLS_DRAWS_CPU_HANDLER_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

XLA_FFI_DECLARE_HANDLER_SYMBOL(ThreefryHandler);
XLA_FFI_DECLARE_HANDLER_SYMBOL(WindowHandler);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_DRAWS_CPU_HANDLER_H_
