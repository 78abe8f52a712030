// The custom calls `jaxdali_threefry_v1` and `jaxdali_resized_crop_window_v1` of the CPU platform. Elsewhere XLA
// compiles the same arithmetic; on a CPU that takes a second, which the first batch of every process would wait for.
#ifndef JAXDALI_CPU_DRAW_HANDLERS_H_
#define JAXDALI_CPU_DRAW_HANDLERS_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

inline constexpr char kThreefryTarget[] = "jaxdali_threefry_v1";
inline constexpr char kWindowTarget[] = "jaxdali_resized_crop_window_v1";

XLA_FFI_DECLARE_HANDLER_SYMBOL(ThreefryHandler);
XLA_FFI_DECLARE_HANDLER_SYMBOL(WindowHandler);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_DRAW_HANDLERS_H_
