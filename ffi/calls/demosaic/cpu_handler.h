// The custom call that turns mosaics into images, for the CPU platform only: there, XLA's own code for it takes thirty
// times as long.
#ifndef JAXDALI_CALLS_DEMOSAIC_CPU_HANDLER_H_
#define JAXDALI_CALLS_DEMOSAIC_CPU_HANDLER_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::cpu {

inline constexpr char kDemosaicTarget[] = "jaxdali_demosaic_v1";

XLA_FFI_DECLARE_HANDLER_SYMBOL(DemosaicHandler);

}  // namespace jaxdali::cpu

#endif  // JAXDALI_CALLS_DEMOSAIC_CPU_HANDLER_H_
