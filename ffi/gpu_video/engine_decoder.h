// A decoder of the GPU's video engines, which is kept from clip to clip: making and ending one takes a quarter of a
// second.
#ifndef JAXDALI_GPU_VIDEO_ENGINE_DECODER_H_
#define JAXDALI_GPU_VIDEO_ENGINE_DECODER_H_

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>
#include <vector>

#include "gpu_video/nvcuvid_abi.h"
#include "gpu_video/packed_clip.h"

namespace jaxdali::gpu {

// Why a clip has no frames.
struct ClipFault {
  std::string text;        // empty: it has all of them
  bool elsewhere = false;  // the engine does not offer what it needs, which says nothing about another decoder
};

// To be used by one thread, whose device is current.
class EngineDecoder {
 public:
  EngineDecoder() = default;
  EngineDecoder(const EngineDecoder&) = delete;
  EngineDecoder& operator=(const EngineDecoder&) = delete;
  ~EngineDecoder() { Close(); }

  // Decodes the frames of a clip that are shown at one of `stamps`, which are in order, to `frames`: for each NV12 of
  // the clip's stored extents, dense. Work is queued on `stream`; `frames` is written once that has run. Returns why
  // the clip cannot be shown as it was encoded, if so.
  ClipFault Decode(const PackedClip& clip, const std::vector<int64_t>& stamps, uint8_t* frames, cudaStream_t stream);

 private:
  class Run;

  // Makes the decoder fit. Returns how many surfaces it has.
  int Fit(const nvcuvid::VideoFormat& format);
  void Close() noexcept;

  nvcuvid::Decoder decoder_ = nullptr;
  int32_t codec_ = -1;
  uint32_t width_ = 0, height_ = 0, most_extent_ = 0;
  int surfaces_ = 0;
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_VIDEO_ENGINE_DECODER_H_
