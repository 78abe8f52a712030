// The custom call that distorts images as JPEG does, for the CPU platform only: there, XLA's own code for it is many
// times slower. On other platforms it is as fast as a custom call.
#ifndef JAXDALI_CALLS_JPEG_DISTORTION_CPU_HANDLER_H_
#define JAXDALI_CALLS_JPEG_DISTORTION_CPU_HANDLER_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

inline constexpr char kDistortTarget[] = "jaxdali_jpeg_distortion_v1";

XLA_FFI_DECLARE_HANDLER_SYMBOL(DistortHandler);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_JPEG_DISTORTION_CPU_HANDLER_H_
