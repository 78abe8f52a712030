// Our own JPEG decoder on one device, with what it keeps between calls. It gives libjpeg-turbo's pixels, bit for bit.
#ifndef JAXDALI_GPU_DECODING_PARALLEL_DECODER_H_
#define JAXDALI_GPU_DECODING_PARALLEL_DECODER_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "gpu_decoding/batch_decoder.h"
#include "gpu_decoding/decode_settings.h"
#include "gpu_decoding/memory.h"
#include "jpeg/plan.h"
#include "jpeg/prepare.h"

namespace jaxdali::gpu {

// To be used by one thread at a time, with one stream, and with its device current.
class ParallelDecoder {
 public:
  explicit ParallelDecoder(const DecodeSettings& settings);
  ~ParallelDecoder();
  ParallelDecoder(const ParallelDecoder&) = delete;
  ParallelDecoder& operator=(const ParallelDecoder&) = delete;

  // Decodes to interleaved RGB, or to luma. Returns the indices of the pictures that are left to the host: files that
  // do not fit, and damaged ones. All pictures must have headers. On return the files have been read, and the work that
  // makes pixels is queued.
  std::vector<size_t> Decode(const std::vector<Picture>& pictures, cudaStream_t stream);

 private:
  // The same for as many pictures as fit on the device together.
  std::vector<size_t> DecodePart(const Picture* pictures, size_t count, cudaStream_t stream);
  // Queues copies of everything after the headers. Returns where the copies will be, relative to the start of `scans_`.
  std::vector<jpeg::File> CopyScans(const Picture* pictures, size_t count, cudaStream_t stream);
  // Queues the work for everything in the plan. Returns where its verdicts will be.
  const int32_t* Queue(cudaStream_t stream);
  void Destroy();

  const DecodeSettings settings_;
  jpeg::Plan plan_;
  DeviceArena scans_, descriptors_, scratch_;
  PinnedArena staging_, verdicts_;
  cudaEvent_t judged_ = nullptr, forked_ = nullptr, joined_ = nullptr;
  cudaStream_t beside_ = nullptr;  // for reading progressive files beside others
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_DECODING_PARALLEL_DECODER_H_
