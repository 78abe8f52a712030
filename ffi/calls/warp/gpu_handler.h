// The custom call of calls/warp/operands.h on the CUDA platform, where XLA's own code reads each pixel separately.
#ifndef JAXDALI_CALLS_WARP_GPU_HANDLER_H_
#define JAXDALI_CALLS_WARP_GPU_HANDLER_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::gpu {

XLA_FFI_DECLARE_HANDLER_SYMBOL(WarpHandler);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_CALLS_WARP_GPU_HANDLER_H_
