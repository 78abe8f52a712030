// The custom calls of common/draw_operands.h on the CPU platform. Elsewhere XLA compiles the same arithmetic; on a CPU
// that takes seconds, for which the first batch of every process would wait.
#ifndef JAXDALI_CPU_DRAW_HANDLERS_H_
#define JAXDALI_CPU_DRAW_HANDLERS_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

XLA_FFI_DECLARE_HANDLER_SYMBOL(ThreefryHandler);
XLA_FFI_DECLARE_HANDLER_SYMBOL(WindowHandler);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_DRAW_HANDLERS_H_
