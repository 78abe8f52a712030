// Custom calls on whole images, on the CPU platform alone: what XLA compiles there for them is many times slower.
// Elsewhere it is as fast as any.
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
