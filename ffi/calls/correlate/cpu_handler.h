// The custom call that computes weighted sums of pixels' neighbours, for the CPU platform only: there, XLA's own code
// for windows is many times slower. On other platforms it is as fast as a custom call.
#ifndef JAXDALI_CALLS_CORRELATE_CPU_HANDLER_H_
#define JAXDALI_CALLS_CORRELATE_CPU_HANDLER_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

inline constexpr char kCorrelateTarget[] = "jaxdali_correlate_v1";

XLA_FFI_DECLARE_HANDLER_SYMBOL(CorrelateHandler);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_CORRELATE_CPU_HANDLER_H_
