// Custom calls on whole images, for the CPU platform only: there, what XLA compiles for them is many times slower. On
// other platforms it is as fast as any call.
#ifndef JAXDALI_CPU_AUGMENT_HANDLERS_H_
#define JAXDALI_CPU_AUGMENT_HANDLERS_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

inline constexpr char kPasteTarget[] = "jaxdali_paste_v1";
inline constexpr char kDistortTarget[] = "jaxdali_jpeg_distortion_v1";

XLA_FFI_DECLARE_HANDLER_SYMBOL(PasteHandler);
XLA_FFI_DECLARE_HANDLER_SYMBOL(DistortHandler);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CPU_AUGMENT_HANDLERS_H_
