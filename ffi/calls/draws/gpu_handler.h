// The custom calls of calls/draws/operands.h on the CUDA platform, where XLA takes two seconds to compile a random
// window.
#ifndef JAXDALI_CALLS_DRAWS_GPU_HANDLER_H_
#define JAXDALI_CALLS_DRAWS_GPU_HANDLER_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::gpu {

XLA_FFI_DECLARE_HANDLER_SYMBOL(ThreefryHandler);
XLA_FFI_DECLARE_HANDLER_SYMBOL(WindowHandler);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_CALLS_DRAWS_GPU_HANDLER_H_
