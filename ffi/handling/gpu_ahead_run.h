// Runs a call on images that an engine has decoded ahead.
#ifndef JAXDALI_HANDLING_GPU_AHEAD_RUN_H_
#define JAXDALI_HANDLING_GPU_AHEAD_RUN_H_

#include <optional>

#include "handling/gpu_batch_run.h"

namespace jaxdali::gpu {

// Queues the whole call on XLA's stream. Returns nothing if not all of the images are there. Waits for the decoding if
// it is under way. Waits for the stream only if the rows are on the device in an array unknown to the engine, or if the
// operands may contain an error. Throws if CUDA fails.
std::optional<ffi::Error> RunAhead(const CallContext& context, const FileOperands& files, PixelReceiver& receiver);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_HANDLING_GPU_AHEAD_RUN_H_
