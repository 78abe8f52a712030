// The custom calls of common/draw_operands.h on the CUDA platform: XLA takes two seconds to compile a random window for
// it.
#ifndef JAXDALI_GPU_DRAW_HANDLERS_H_
#define JAXDALI_GPU_DRAW_HANDLERS_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::gpu {

XLA_FFI_DECLARE_HANDLER_SYMBOL(ThreefryHandler);
XLA_FFI_DECLARE_HANDLER_SYMBOL(WindowHandler);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_DRAW_HANDLERS_H_
