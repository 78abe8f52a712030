#include "gpu_decoding/upload.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace jaxdali::gpu {
namespace {

std::mutex mutex;

// Returns the stream on which a GPU, the current one, gets all uploads. It is never destroyed.
cudaStream_t StreamOf(int device) {
  static auto* const streams = new std::map<int, cudaStream_t>();  // uploads may outlive static objects
  const std::lock_guard<std::mutex> lock(mutex);
  if (const auto found = streams->find(device); found != streams->end()) return found->second;
  int lowest = 0, highest = 0;
  Check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "cudaDeviceGetStreamPriorityRange");
  cudaStream_t stream = nullptr;
  Check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, highest), "cudaStreamCreateWithPriority");
  return (*streams)[device] = stream;
}

}  // namespace

Upload::Upload(std::vector<UploadPart> parts) {
  for (const UploadPart& part : parts) {
    size_ = std::max(size_, part.from + part.size);
    auto target = std::find_if(targets_.begin(), targets_.end(),
                               [&part](const Target& known) { return known.device == part.device; });
    if (target == targets_.end()) target = targets_.insert(target, {part.device, nullptr, nullptr, {}});
    target->parts.push_back(part);
  }
  try {
    for (Target& target : targets_) {
      const OnDevice current(target.device);
      target.stream = StreamOf(target.device);
      Check(cudaEventCreateWithFlags(&target.done, cudaEventDisableTiming), "cudaEventCreateWithFlags");
    }
    const OnDevice current(parts.empty() ? 0 : parts.front().device);
    memory();
  } catch (...) {
    for (const Target& target : targets_) {
      if (target.done != nullptr) cudaEventDestroy(target.done);
    }
    throw;
  }
}

Upload::~Upload() {
  for (const Target& target : targets_) {
    if (cudaStreamSynchronize(target.stream) != cudaSuccess) cudaGetLastError();
    cudaEventDestroy(target.done);
  }
}

void Upload::Start() {
  for (const Target& target : targets_) {
    const OnDevice current(target.device);
    for (const UploadPart& part : target.parts) {
      Check(cudaMemcpyAsync(part.to, memory() + part.from, part.size, cudaMemcpyHostToDevice, target.stream),
            "cudaMemcpyAsync");
    }
    Check(cudaEventRecord(target.done, target.stream), "cudaEventRecord");
  }
}

void Upload::Wait() {
  for (const Target& target : targets_) Check(cudaEventSynchronize(target.done), "cudaEventSynchronize");
}

}  // namespace jaxdali::gpu
