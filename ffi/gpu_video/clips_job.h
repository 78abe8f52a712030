// A batch of packed clips that the video engines of a GPU decode.
#ifndef JAXDALI_GPU_VIDEO_CLIPS_JOB_H_
#define JAXDALI_GPU_VIDEO_CLIPS_JOB_H_

#include <cuda_runtime_api.h>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/ahead_job.h"
#include "gpu_video/engine_decoder.h"
#include "gpu_video/frames_to_rgb.h"
#include "gpu_video/packed_clip.h"

namespace jaxdali::gpu {

// Device memory that is used again. `read` is recorded behind the last work that reads it.
struct ClipBlock {
  uint8_t* data = nullptr;
  size_t size = 0;
  cudaEvent_t read = nullptr;
};

// A result's shape without its last axis, of 3 channels.
struct ClipsShape {
  int64_t clips, frames, height, width;
};

class VideoEngine;

class ClipsJob {
 public:
  // Reads the clips, and takes device memory. Throws std::runtime_error if one is not as it was written.
  ClipsJob(VideoEngine& engine, HeldBytes held, const std::vector<uint64_t>& offsets,
           const std::vector<uint64_t>& sizes, const ClipsShape& shape);
  ClipsJob(const ClipsJob&) = delete;
  ClipsJob& operator=(const ClipsJob&) = delete;
  ~ClipsJob();

  size_t count() const { return clips_.size(); }
  const ClipsShape& shape() const { return shape_; }
  VideoEngine& engine() const { return engine_; }

  // Decodes one clip; by the engine's threads, each clip once.
  void Decode(size_t index, EngineDecoder& decoder, cudaStream_t stream) noexcept;
  // Notes that a clip will not be decoded.
  void GiveUp(size_t index, const std::string& why);

  // Waits until all clips are decoded or have failed; returns false if the time ran out first.
  bool Await(double timeout_s);
  // Returns which clips have no frames, and why. Call when all are settled.
  std::vector<std::pair<size_t, ClipFault>> Faults();
  // Gives a clip that has none the frames that another decoder made: dense, as they are shown, as many as the clip has.
  void Supply(size_t index, const uint8_t* pixels, size_t bytes);

  // Queues the conversion of the decoded clips.
  cudaError_t Show(uint8_t* rgb, cudaStream_t stream);

 private:
  void Settle(size_t index, ClipFault fault);

  VideoEngine& engine_;
  std::optional<HeldBytes> held_;  // until all clips are settled
  ClipsShape shape_;
  std::vector<PackedClip> clips_;
  std::vector<std::vector<int64_t>> stamps_;  // of the frames that are decoded, in order, each once
  std::vector<size_t> places_;                // of a clip's frames in the block
  ClipBlock block_;
  std::vector<ClipBlock> supplied_;
  ClipsToShow shown_{};
  std::mutex mutex_;
  std::condition_variable settled_;
  std::vector<ClipFault> faults_;
  size_t left_;
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_VIDEO_CLIPS_JOB_H_
