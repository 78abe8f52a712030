// `jaxdali_clips_v1`: the frames of a batch of clips that video engines have decoded. There is none for CPUs.
#ifndef JAXDALI_CALLS_CLIPS_GPU_HANDLER_H_
#define JAXDALI_CALLS_CLIPS_GPU_HANDLER_H_

#include "xla/ffi/api/ffi.h"

namespace jaxdali::gpu {

inline constexpr char kClipsTarget[] = "jaxdali_clips_v1";

XLA_FFI_DECLARE_HANDLER_SYMBOL(ClipsHandler);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_CALLS_CLIPS_GPU_HANDLER_H_
