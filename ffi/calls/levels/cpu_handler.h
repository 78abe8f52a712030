// Custom calls on the levels of images, for the CPU platform: there, XLA's own code for counts and table lookups is
// many times slower. The calls of calls/levels/operands.h exist on the CUDA platform, too.
#ifndef JAXDALI_CALLS_LEVELS_CPU_HANDLER_H_
#define JAXDALI_CALLS_LEVELS_CPU_HANDLER_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

inline constexpr char kMixTarget[] = "jaxdali_mix_levels_v1";

XLA_FFI_DECLARE_HANDLER_SYMBOL(CountLevelsHandler);
XLA_FFI_DECLARE_HANDLER_SYMBOL(LookUpHandler);
XLA_FFI_DECLARE_HANDLER_SYMBOL(MixHandler);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_LEVELS_CPU_HANDLER_H_
