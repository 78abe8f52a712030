// The custom call `jaxdali_images_v1` of the CPU platform.
#ifndef JAXDALI_CALLS_IMAGES_CPU_HANDLER_H_
#define JAXDALI_CALLS_IMAGES_CPU_HANDLER_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

XLA_FFI_DECLARE_HANDLER_SYMBOL(ImagesHandler);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_IMAGES_CPU_HANDLER_H_
