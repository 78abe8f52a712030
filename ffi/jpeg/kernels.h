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

// Queues what finds out where the blocks of all pictures begin. The caller must have initialized scratch memory as
// jpeg::Scratch says.
cudaError_t FindBlocks(const jpeg::Batch& batch, const ReadingStreams& streams);
// Queues what reads the coefficients of the batch's window, except of progressive pictures. After the last window, all
// verdicts are known but those of progressive pictures, for which `AwaitScans` makes the stream wait.
cudaError_t WriteCoefficients(const jpeg::Batch& batch, cudaStream_t stream);
cudaError_t AwaitScans(const jpeg::Batch& batch, const ReadingStreams& streams);
// Queues the rest, which makes the pixels of the window's pictures that were decoded.
cudaError_t MakePixels(const jpeg::Batch& batch, const jpeg::Coloring& coloring, const ReadingStreams& streams);

}  // namespace jaxdali::gpu

#endif  // JAXDALI_JPEG_KERNELS_H_
