#include "gpu_video/video_engine.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "gpu_decoding/memory.h"
#include "gpu_video/engine_decoder.h"
#include "gpu_video/nvcuvid_library.h"

namespace jaxdali::gpu {
namespace {

// Blocks that are kept for later batches.
constexpr size_t kMostBlocks = 8;

std::mutex engines_mutex;
std::map<int, VideoEngine*>& Engines() {
  static auto* const engines = new std::map<int, VideoEngine*>();  // arrays may outlive static objects
  return *engines;
}

void Free(ClipBlock block) noexcept {
  if (block.data != nullptr) cudaFree(block.data);  // waits for the device
  if (block.read != nullptr) cudaEventDestroy(block.read);
  cudaGetLastError();
}

}  // namespace

VideoEngine::VideoEngine(int device) : device_(device) {
  const OnDevice current(device);
  const int engines = std::max<int>(CapsOf(nvcuvid::kH264).engines, 1);
  for (int k = 0; k < engines; ++k) threads_.emplace_back([this] { Work(); });
}

VideoEngine& VideoEngine::Of(int device) {
  const std::lock_guard<std::mutex> lock(engines_mutex);
  VideoEngine*& engine = Engines()[device];
  if (engine == nullptr) engine = new VideoEngine(device);  // never deleted, see Engines()
  return *engine;
}

void VideoEngine::StopAll() {
  const std::lock_guard<std::mutex> lock(engines_mutex);
  for (const auto& [device, engine] : Engines()) {
    if (engine != nullptr) engine->Stop();
  }
}

void VideoEngine::Submit(const std::shared_ptr<ClipsJob>& job) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopped_) throw std::runtime_error("the process is ending, so no videos are decoded any more");
    for (size_t k = 0; k < job->count(); ++k) queue_.emplace_back(job, k);
  }
  has_work_.notify_all();
}

void VideoEngine::Work() {
  cudaStream_t stream = nullptr;
  std::string broken;
  try {
    Check(cudaSetDevice(device_), "cudaSetDevice");
    // Its kernels are few and short; behind those of a training step, they would keep the engines waiting.
    int lowest = 0, highest = 0;
    Check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "cudaDeviceGetStreamPriorityRange");
    Check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, highest), "cudaStreamCreateWithPriority");
  } catch (const std::exception& error) {
    broken = error.what();
  }
  {
    EngineDecoder decoder;
    while (true) {
      std::unique_lock<std::mutex> lock(mutex_);
      has_work_.wait(lock, [this] { return stopped_ || !queue_.empty(); });
      if (queue_.empty()) break;
      const auto [job, index] = std::move(queue_.front());
      queue_.pop_front();
      const bool stopped = stopped_;
      lock.unlock();
      if (stopped || !broken.empty()) {
        job->GiveUp(index, stopped ? "the process is ending" : broken);
      } else {
        job->Decode(index, decoder, stream);
      }
    }
  }
  if (stream != nullptr) cudaStreamDestroy(stream);
}

void VideoEngine::Stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopped_ = true;
  }
  has_work_.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

ClipBlock VideoEngine::Take(size_t size) {
  {
    const std::lock_guard<std::mutex> lock(blocks_mutex_);
    // The smallest that is large enough, and read by nobody.
    auto best = blocks_.end();
    for (auto one = blocks_.begin(); one != blocks_.end(); ++one) {
      if (one->size < size || (best != blocks_.end() && best->size <= one->size)) continue;
      if (cudaEventQuery(one->read) == cudaSuccess) best = one;
      cudaGetLastError();  // an event that is not reached counts as an error
    }
    if (best != blocks_.end()) {
      const ClipBlock found = *best;
      blocks_.erase(best);
      return found;
    }
  }
  const OnDevice current(device_);
  ClipBlock made;
  made.size = size;
  try {
    Check(cudaMalloc(reinterpret_cast<void**>(&made.data), size), "allocating memory for frames of videos");
    Check(cudaEventCreateWithFlags(&made.read, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  } catch (...) {
    Free(made);
    throw;
  }
  return made;
}

void VideoEngine::GiveBack(ClipBlock block) noexcept {
  ClipBlock excess;
  {
    const std::lock_guard<std::mutex> lock(blocks_mutex_);
    blocks_.push_back(block);
    if (blocks_.size() > kMostBlocks) {
      const auto smallest = std::min_element(blocks_.begin(), blocks_.end(),
                                             [](const ClipBlock& a, const ClipBlock& b) { return a.size < b.size; });
      excess = *smallest;
      blocks_.erase(smallest);
    }
  }
  Free(excess);
}

void VideoEngine::Upload(void* to, const void* from, size_t bytes) {
  const OnDevice current(device_);
  Check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, cudaStreamPerThread), "cudaMemcpyAsync");
  Check(cudaStreamSynchronize(cudaStreamPerThread), "cudaStreamSynchronize");
}

}  // namespace jaxdali::gpu
