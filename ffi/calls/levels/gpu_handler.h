// The custom calls of calls/levels/operands.h on the CUDA platform, where XLA would count by scattering ones.
#ifndef JAXDALI_CALLS_LEVELS_GPU_HANDLER_H_
#define JAXDALI_CALLS_LEVELS_GPU_HANDLER_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::gpu {

XLA_FFI_DECLARE_HANDLER_SYMBOL(CountLevelsHandler);
XLA_FFI_DECLARE_HANDLER_SYMBOL(LookUpHandler);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_CALLS_LEVELS_GPU_HANDLER_H_
