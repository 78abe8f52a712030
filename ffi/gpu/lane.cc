#include "gpu/lane.h"

#include <map>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

namespace jaxdali::gpu {
namespace {

using Key = std::tuple<int, Decoder, bool>;
std::mutex mutex;
std::map<Key, std::vector<std::unique_ptr<Lane>>>& Idle() {
  // Never destroyed: at the end of the process CUDA may be gone before it.
  static auto* const idle = new std::map<Key, std::vector<std::unique_ptr<Lane>>>();
  return *idle;
}

}  // namespace

Lane::Lane(Decoder decoder, bool fancy_upsampling) : kind_(decoder), fancy_upsampling_(fancy_upsampling) {
  int lowest = 0, highest = 0;
  Check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "cudaDeviceGetStreamPriorityRange");
  // Before the kernels of a training step: they are long, ours are short.
  Check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, highest), "cudaStreamCreateWithPriority");
}

Lane::~Lane() { cudaStreamDestroy(stream_); }

BatchDecoder& Lane::decoder() {
  if (!decoder_) decoder_.emplace(kind_, fancy_upsampling_);
  return *decoder_;
}

uint8_t* Lane::Pixels(size_t size) {
  if (size > pixels_.capacity()) Synchronize();
  return pixels_.Reserve(size);
}

LaneLoan::LaneLoan(int device, Decoder decoder, bool fancy_upsampling)
    : device_(device), kind_(decoder), fancy_upsampling_(fancy_upsampling) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto& idle = Idle()[{device, decoder, fancy_upsampling}];
    if (!idle.empty()) {
      lane_ = std::move(idle.back());
      idle.pop_back();
      return;
    }
  }
  lane_ = std::make_unique<Lane>(decoder, fancy_upsampling);
}

LaneLoan::~LaneLoan() {
  cudaStreamSynchronize(lane_->stream());
  std::lock_guard<std::mutex> lock(mutex);
  Idle()[{device_, kind_, fancy_upsampling_}].push_back(std::move(lane_));
}

size_t DestroyIdleLanes() {
  std::lock_guard<std::mutex> lock(mutex);
  size_t count = 0;
  for (auto& [key, idle] : Idle()) {
    if (idle.empty()) continue;
    OnDevice current(std::get<0>(key));
    count += idle.size();
    idle.clear();
  }
  return count;
}

}  // namespace jaxdali::gpu
