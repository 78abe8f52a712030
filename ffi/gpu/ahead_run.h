// Runs a call on images that an engine has decoded ahead.
#ifndef JAXDALI_GPU_AHEAD_RUN_H_
#define JAXDALI_GPU_AHEAD_RUN_H_

#include <optional>

#include "gpu/batch_run.h"

namespace jaxdali::gpu {

// Queues the whole call on XLA's stream. Nothing: the images are not there, or not all of them. Waits for the decoding
// where that is under way, and for the stream only where the rows are on the device in an array that the engine does
// not know, or where what operands say may be an error. Throws where CUDA does.
std::optional<ffi::Error> RunAhead(const CallContext& context, const FileOperands& files, Sink& sink);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_AHEAD_RUN_H_
