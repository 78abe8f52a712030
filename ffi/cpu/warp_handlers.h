// The custom call that takes images and volumes at places between their pixels, on the CPU platform alone: what XLA
// compiles there looks up pixel after pixel several times slower.
#ifndef JAXDALI_CPU_WARP_HANDLERS_H_
#define JAXDALI_CPU_WARP_HANDLERS_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

inline constexpr char kWarpTarget[] = "jaxdali_warp_v1";

XLA_FFI_DECLARE_HANDLER_SYMBOL(WarpHandler);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_WARP_HANDLERS_H_
