// Threads that keep the video engines of one GPU busy, one for each engine.
#ifndef JAXDALI_GPU_VIDEO_VIDEO_ENGINE_H_
#define JAXDALI_GPU_VIDEO_VIDEO_ENGINE_H_

#include <cuda_runtime_api.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "gpu_video/clips_job.h"

namespace jaxdali::gpu {

class VideoEngine {
 public:
  explicit VideoEngine(int device);
  ~VideoEngine() { Stop(); }

  // Returns the engine of a device; it is made on the first call.
  static VideoEngine& Of(int device);
  // Ends the threads of all engines. What waits fails.
  static void StopAll();

  int device() const { return device_; }

  // Has the clips of a job decoded, in order.
  void Submit(const std::shared_ptr<ClipsJob>& job);

  // Device memory of at least `size` bytes.
  ClipBlock Take(size_t size);
  void GiveBack(ClipBlock block) noexcept;
  // Copies from the host, and waits.
  void Upload(void* to, const void* from, size_t bytes);

 private:
  void Work();
  void Stop();

  const int device_;
  std::mutex mutex_;
  std::condition_variable has_work_;
  std::deque<std::pair<std::shared_ptr<ClipsJob>, size_t>> queue_;
  std::vector<std::thread> threads_;
  bool stopped_ = false;
  std::mutex blocks_mutex_;
  std::vector<ClipBlock> blocks_;  // nobody uses them; work that reads them may still be queued
};

}  // namespace jaxdali::gpu

#endif  // JAXDALI_GPU_VIDEO_VIDEO_ENGINE_H_
