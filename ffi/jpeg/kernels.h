// Runs the stages of the parallel JPEG decoder on a device.
#ifndef JAXDALI_JPEG_KERNELS_H_
#define JAXDALI_JPEG_KERNELS_H_

#include <cuda_runtime_api.h>

#include "jpeg/batch.h"

namespace jaxdali::gpu {

// A stream, and another one for what may run beside it, with events by which they wait for each other.
struct ReadingStreams {
  cudaStream_t own, beside;
  cudaEvent_t forked, joined;
};

// Queues everything up to the verdicts. The caller must have initialized scratch memory as jpeg::Scratch says.
cudaError_t ReadCoefficients(const jpeg::Batch& batch, const ReadingStreams& streams);
// Queues the rest, which makes the pixels of the pictures that were decoded.
cudaError_t MakePixels(const jpeg::Batch& batch, const jpeg::Coloring& coloring, cudaStream_t stream);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_JPEG_KERNELS_H_
