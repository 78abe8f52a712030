// The custom calls of common/level_operands.h on the CUDA platform: XLA counts there by scattering ones.
#ifndef JAXDALI_GPU_LEVEL_HANDLERS_H_
#define JAXDALI_GPU_LEVEL_HANDLERS_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::gpu {

XLA_FFI_DECLARE_HANDLER_SYMBOL(CountLevelsHandler);
XLA_FFI_DECLARE_HANDLER_SYMBOL(LookUpHandler);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_LEVEL_HANDLERS_H_
